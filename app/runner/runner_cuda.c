/* SPDX-License-Identifier: MIT */
/* Implementation of runner_cuda.h; called by runner_main.c. */
#include "runner_cuda.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner_gpu.h"

#define CHECK_SECONDS 2 /* of the small piece, once the GPU is ready */
#define MAX_CUBIN ((size_t)16 << 20)
#define LONG_ENOUGH 1.0         /* s: no run is repeated after */
#define ALIGNMENT ((size_t)256) /* of an array on the GPU */
#define MAX_BLOCK 1024          /* threads */
/* CUdevice_attribute, CUfunction_attribute, CUresult */
#define THREADS_PER_MULTIPROCESSOR 39
#define FUNCTION_SHARED_BYTES 1
#define FUNCTION_LOCAL_BYTES 3
#define FUNCTION_REGISTERS 4
#define DEVICE_LOCATION 1
#define PINNED 1
#define READ_WRITE 3

static DebyeRunnerGpu opened;

static const DebyeRunnerHost *alarmed;

static void
on_alarm(int number)
{
  (void)number;
  alarmed->end(DEBYE_RUNNER_LATE);
}

/* --- Memory --- */

static DebyeRunnerBuffer *
get_buffer(DebyeRunnerGpu *gpu, size_t number)
{
  const size_t n = gpu->run->about.n_inputs;
  return number < n ? &gpu->run->inputs[number] : number == n ? &gpu->run->output : &gpu->run->scratch;
}

/* Whole pages with nothing mapped before and behind them, so that the GPU refuses what is beyond. */
static void
map_pages(DebyeRunnerGpu *gpu, size_t number)
{
  const DebyeCudaAllocation how = {
      .type = PINNED, .location_type = DEVICE_LOCATION, .location_id = gpu->device};
  const DebyeCudaAccess access = {DEVICE_LOCATION, gpu->device, READ_WRITE};
  const size_t n_bytes = get_buffer(gpu, number)->n_bytes;
  size_t page = 0;
  uint64_t memory = 0;
  DebyeCudaPointer at = 0;
  debye_runner_expect(gpu, gpu->driver.MemGetAllocationGranularity(&page, &how, 0), DEBYE_RUNNER_NO_GPU);
  const size_t n = (n_bytes + ALIGNMENT + page - 1) / page * page;
  debye_runner_expect(gpu, gpu->driver.MemAddressReserve(&at, n + 2 * page, 0, 0, 0), DEBYE_RUNNER_NO_GPU);
  debye_runner_expect(gpu, gpu->driver.MemCreate(&memory, n, &how, 0), DEBYE_RUNNER_NO_GPU);
  debye_runner_expect(gpu, gpu->driver.MemMap(at + page, n, 0, memory, 0), DEBYE_RUNNER_NO_GPU);
  debye_runner_expect(gpu, gpu->driver.MemSetAccess(at + page, n, &access, 1), DEBYE_RUNNER_NO_GPU);
  gpu->pages[number] = at + page;
  gpu->n_paged[number] = n;
}

/* Flush with the end of the pages, of which each element's size is a divisor, or with their begin. */
static void
place(DebyeRunnerGpu *gpu, bool at_end)
{
  for (size_t i = 0; i < gpu->run->about.n_inputs + 2; i++) {
    const DebyeRunnerBuffer *buffer = get_buffer(gpu, i);
    const size_t at = at_end ? gpu->n_paged[i] - buffer->n_bytes : 0;
    gpu->data[i] = gpu->pages[i] + at;
    debye_runner_expect(gpu, gpu->driver.MemcpyHtoD(gpu->data[i], buffer->data, buffer->n_bytes),
                        DEBYE_RUNNER_NO_GPU);
  }
}

static void
refill(DebyeRunnerGpu *gpu, bool is_poisoned)
{
  gpu->host->fill(is_poisoned);
  for (size_t i = gpu->run->about.n_inputs; i < gpu->run->about.n_inputs + 2; i++)
    debye_runner_expect(
        gpu, gpu->driver.MemcpyHtoD(gpu->data[i], get_buffer(gpu, i)->data, get_buffer(gpu, i)->n_bytes),
        DEBYE_RUNNER_NO_GPU);
}

/* From the last bin on: a count takes the place of two floats that were read before. */
static void
widen_floats(DebyeRunnerBuffer *counts)
{
  for (size_t bin = counts->n_bytes / sizeof(uint64_t); bin-- > 0;) {
    float value;
    uint64_t count;
    memcpy(&value, counts->data + bin * sizeof value, sizeof value);
    count = value > 0.0f ? (uint64_t)value : 0;
    memcpy(counts->data + bin * sizeof count, &count, sizeof count);
  }
}

/* The output, once it is known that the inputs are what they were. */
static void
fetch(DebyeRunnerGpu *gpu, bool has_inputs)
{
  DebyeRunnerRun *run = gpu->run;
  DebyeRunnerReport *report = gpu->host->report;
  for (size_t i = 0; has_inputs && i < run->about.n_inputs; i++) {
    DebyeRunnerBuffer *input = &run->inputs[i];
    debye_runner_expect(gpu, gpu->driver.MemcpyDtoH(input->data, gpu->data[i], input->n_bytes),
                        DEBYE_RUNNER_GPU_FAULT);
    if (debye_runner_buffer_sum(input) == input->checksum)
      continue;
    strncpy(report->place, input->name, sizeof report->place - 1);
    gpu->host->end(DEBYE_RUNNER_CHANGED);
  }
  debye_runner_expect(
      gpu, gpu->driver.MemcpyDtoH(run->output.data, gpu->data[run->about.n_inputs], run->output.n_bytes),
      DEBYE_RUNNER_GPU_FAULT);
  if (gpu->geometry[DEBYE_RUNNER_FLOATS] != 0)
    widen_floats(&run->output);
}

/* --- The source --- */

static void
open_device(DebyeRunnerGpu *gpu, int ordinal)
{
  DebyeCudaHandle context = NULL;
  if (!debye_runner_driver_open(&gpu->driver))
    gpu->host->end(DEBYE_RUNNER_NO_GPU);
  debye_runner_expect(gpu, gpu->driver.DeviceGet(&gpu->device, ordinal), DEBYE_RUNNER_NO_GPU);
  debye_runner_expect(gpu, gpu->driver.DevicePrimaryCtxRetain(&context, gpu->device), DEBYE_RUNNER_NO_GPU);
  debye_runner_expect(gpu, gpu->driver.CtxSetCurrent(context), DEBYE_RUNNER_NO_GPU);
  debye_runner_expect(gpu, gpu->driver.EventCreate(&gpu->begin, 0), DEBYE_RUNNER_NO_GPU);
  debye_runner_expect(gpu, gpu->driver.EventCreate(&gpu->end, 0), DEBYE_RUNNER_NO_GPU);
}

static void
load(DebyeRunnerGpu *gpu)
{
  unsigned char *cubin = calloc(MAX_CUBIN, 1);
  const int file = open("kernel.cubin", O_RDONLY | O_CLOEXEC);
  const ssize_t n = cubin != NULL && file >= 0 ? read(file, cubin, MAX_CUBIN) : 0;
  if (n <= 0)
    gpu->host->end(DEBYE_RUNNER_NOT_LOADED);
  close(file);
  debye_runner_expect(gpu, gpu->driver.ModuleLoadData(&gpu->module, cubin), DEBYE_RUNNER_NOT_LOADED);
  free(cubin);
}

/* Nothing that is multiplied with another of these is too large for it. */
static void
check_geometry(DebyeRunnerGpu *gpu)
{
  const int *geometry = gpu->geometry;
  for (int i = 0; i <= DEBYE_RUNNER_POINTS_Y; i++)
    if (geometry[i] < 1 || geometry[i] > 65536)
      gpu->host->end(DEBYE_RUNNER_NOT_LAUNCHED);
  if ((int64_t)geometry[DEBYE_RUNNER_BLOCK_X] * geometry[DEBYE_RUNNER_BLOCK_Y] *
          geometry[DEBYE_RUNNER_BLOCK_Z] >
      MAX_BLOCK)
    gpu->host->end(DEBYE_RUNNER_NOT_LAUNCHED);
}

static void
read_array(DebyeRunnerGpu *gpu, const char *name, int *to, size_t n_bytes)
{
  DebyeCudaPointer from = 0;
  size_t n_there = 0;
  debye_runner_expect(gpu, gpu->driver.ModuleGetGlobal(&from, &n_there, gpu->module, name),
                      DEBYE_RUNNER_NOT_LOADED);
  debye_runner_expect(gpu, gpu->driver.MemcpyDtoH(to, from, n_bytes), DEBYE_RUNNER_NOT_LOADED);
}

static void
find_functions(DebyeRunnerGpu *gpu)
{
  const DebyeRunnerCase *about = &gpu->run->about;
  const DebyeRunnerFamilyRow *row = &debye_runner_families[about->family];
  /* What a cutoff has no slot for the host adds. */
  for (int i = 0; i < DEBYE_RUNNER_MAX_FUNCTIONS && row->functions[i] != NULL; i++)
    if (gpu->driver.ModuleGetFunction(&gpu->functions[i], gpu->module, row->functions[i]) != 0) {
      gpu->functions[i] = NULL;
      if ((row->needed & 1u << i) != 0)
        gpu->host->end(DEBYE_RUNNER_NOT_LOADED);
    }
  read_array(gpu, DEBYE_RUNNER_GEOMETRY, gpu->geometry, sizeof gpu->geometry);
  check_geometry(gpu);
  if (about->family >= DEBYE_RUNNER_ORBITAL)
    read_array(gpu, DEBYE_RUNNER_BATCHES, gpu->batches, sizeof gpu->batches);
  debye_runner_check_batches(gpu);
  if (gpu->driver.ModuleGetGlobal(&gpu->bank, &gpu->bank_bytes, gpu->module, "bank") != 0)
    gpu->bank = 0;
}

/* Constant memory: of a direct sum as many atoms as it says, of the cutoff the list of bins. */
static void
check_bank(DebyeRunnerGpu *gpu)
{
  const DebyeRunnerCase *about = &gpu->run->about;
  const int chunk = gpu->geometry[DEBYE_RUNNER_CHUNK];
  if (gpu->bank == 0)
    return;
  if (about->family == DEBYE_RUNNER_DIRECT &&
      (chunk < 1 || chunk > DEBYE_RUNNER_MAX_BANK || 16 * (size_t)chunk > gpu->bank_bytes))
    gpu->host->end(DEBYE_RUNNER_NOT_LAUNCHED);
  if (about->family != DEBYE_RUNNER_CUTOFF)
    return;
  if (chunk < about->counts[6] || sizeof(int) * (size_t)about->counts[6] > gpu->bank_bytes)
    gpu->host->end(DEBYE_RUNNER_NOT_LAUNCHED);
  debye_runner_expect(
      gpu,
      gpu->driver.MemcpyHtoD(gpu->bank, gpu->run->inputs[5].data, sizeof(int) * (size_t)about->counts[6]),
      DEBYE_RUNNER_NOT_LAUNCHED);
}

static void
note_resources(DebyeRunnerGpu *gpu)
{
  DebyeRunnerResources *resources = &gpu->host->report->resources;
  const int *geometry = gpu->geometry;
  int threads = 0;
  resources->block =
      geometry[DEBYE_RUNNER_BLOCK_X] * geometry[DEBYE_RUNNER_BLOCK_Y] * geometry[DEBYE_RUNNER_BLOCK_Z];
  gpu->driver.FuncGetAttribute(&resources->registers, FUNCTION_REGISTERS, debye_runner_gpu_get_kernel(gpu));
  gpu->driver.FuncGetAttribute(&resources->shared_bytes, FUNCTION_SHARED_BYTES,
                               debye_runner_gpu_get_kernel(gpu));
  gpu->driver.FuncGetAttribute(&resources->local_bytes, FUNCTION_LOCAL_BYTES,
                               debye_runner_gpu_get_kernel(gpu));
  gpu->driver.OccupancyMaxActiveBlocksPerMultiprocessor(&resources->blocks, debye_runner_gpu_get_kernel(gpu),
                                                        resources->block, 0);
  if (gpu->driver.DeviceGetAttribute(&threads, THREADS_PER_MULTIPROCESSOR, gpu->device) == 0 && threads > 0)
    resources->occupancy = (float)(resources->blocks * resources->block) / (float)threads;
}

static void
check(DebyeRunnerGpu *gpu)
{
  for (size_t number = 0; number < DEBYE_RUNNER_CHECKS; number++) {
    place(gpu, number != 1);
    refill(gpu, number == 1);
    const double seconds = debye_runner_gpu_call(gpu);
    gpu->host->report->seconds = number == 0 ? seconds : gpu->host->report->seconds;
    fetch(gpu, true);
    gpu->host->write_output(number);
  }
}

static void
measure(DebyeRunnerGpu *gpu)
{
  DebyeRunnerReport *report = gpu->host->report;
  double sum = 0.0;
  place(gpu, false);
  for (int i = 0; i < gpu->run->about.n_repeats && sum < LONG_ENOUGH; i++) {
    refill(gpu, false);
    const double seconds = debye_runner_gpu_call(gpu);
    debye_runner_note_time(report, seconds);
    sum += seconds;
  }
  fetch(gpu, false);
  gpu->host->write_output(0);
}

void
debye_runner_cuda_open(const DebyeRunnerHost *host, int ordinal)
{
  opened.host = alarmed = host;
  opened.run = host->run;
  open_device(&opened, ordinal);
}

void
debye_runner_cuda_run(void)
{
  const DebyeRunnerHost *host = opened.host;
  host->end(DEBYE_RUNNER_LOADING);
  load(&opened);
  find_functions(&opened);
  check_bank(&opened);
  debye_runner_fit_scratch(opened.run);
  note_resources(&opened);
  for (size_t i = 0; i < opened.run->about.n_inputs + 2; i++)
    map_pages(&opened, i);
  debye_runner_gpu_plan(&opened);
  host->end(DEBYE_RUNNER_RUNNING);
  if (opened.run->about.n_repeats > 0) {
    measure(&opened);
  } else {
    signal(SIGALRM, on_alarm);
    alarm(CHECK_SECONDS);
    check(&opened);
  }
  host->end(DEBYE_RUNNER_DONE);
}
