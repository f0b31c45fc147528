/* SPDX-License-Identifier: MIT */
/* Implementation of runner_cuda.h; called by runner_main.c. */
#include "runner_cuda.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner_driver.h"

#define CHECK_SECONDS 2 /* of the small piece, once the GPU is ready */
#define MAX_CUBIN ((size_t)16 << 20)
#define LONG_ENOUGH 1.0         /* s: no run is repeated after */
#define ALIGNMENT ((size_t)256) /* of an array on the GPU */
#define MAX_BANK 4096           /* float4 of constant memory, 64 KiB */
#define MAX_BLOCK 1024          /* threads */
/* CUdevice_attribute, CUfunction_attribute, CUresult */
#define THREADS_PER_MULTIPROCESSOR 39
#define FUNCTION_SHARED_BYTES 1
#define FUNCTION_LOCAL_BYTES 3
#define FUNCTION_REGISTERS 4
#define DEVICE_LOCATION 1
#define PINNED 1
#define READ_WRITE 3

typedef struct {
  const DebyeRunnerHost *host;
  DebyeRunnerRun *run;
  DebyeCudaDriver driver;
  int device;
  DebyeCudaHandle module, prepare, kernel, begin, end;
  DebyeCudaPointer bank;
  size_t bank_bytes;
  int geometry[DEBYE_RUNNER_N_GEOMETRY];
  /* Pages between others that are unmapped, and the array in them. */
  DebyeCudaPointer pages[DEBYE_RUNNER_MAX_INPUTS + 2], data[DEBYE_RUNNER_MAX_INPUTS + 2];
  size_t n_paged[DEBYE_RUNNER_MAX_INPUTS + 2];
} Gpu;

static Gpu opened;

static const DebyeRunnerHost *alarmed;

static void
on_alarm(int number)
{
  (void)number;
  alarmed->end(DEBYE_RUNNER_LATE);
}

/* Ends the process where the driver answers with an error. */
static void
expect(Gpu *gpu, int result, DebyeRunnerState otherwise)
{
  if (result == 0)
    return;
  gpu->host->report->what = result;
  gpu->host->end(otherwise);
}

/* --- Memory --- */

static DebyeRunnerBuffer *
get_buffer(Gpu *gpu, size_t number)
{
  const size_t n = gpu->run->about.n_inputs;
  return number < n ? &gpu->run->inputs[number] : number == n ? &gpu->run->output : &gpu->run->scratch;
}

/* Whole pages with nothing mapped before and behind them, so that the GPU refuses what is beyond. */
static void
map_pages(Gpu *gpu, size_t number)
{
  const DebyeCudaAllocation how = {
      .type = PINNED, .location_type = DEVICE_LOCATION, .location_id = gpu->device};
  const DebyeCudaAccess access = {DEVICE_LOCATION, gpu->device, READ_WRITE};
  const size_t n_bytes = get_buffer(gpu, number)->n_bytes;
  size_t page = 0;
  uint64_t memory = 0;
  DebyeCudaPointer at = 0;
  expect(gpu, gpu->driver.MemGetAllocationGranularity(&page, &how, 0), DEBYE_RUNNER_NO_GPU);
  const size_t n = (n_bytes + ALIGNMENT + page - 1) / page * page;
  expect(gpu, gpu->driver.MemAddressReserve(&at, n + 2 * page, 0, 0, 0), DEBYE_RUNNER_NO_GPU);
  expect(gpu, gpu->driver.MemCreate(&memory, n, &how, 0), DEBYE_RUNNER_NO_GPU);
  expect(gpu, gpu->driver.MemMap(at + page, n, 0, memory, 0), DEBYE_RUNNER_NO_GPU);
  expect(gpu, gpu->driver.MemSetAccess(at + page, n, &access, 1), DEBYE_RUNNER_NO_GPU);
  gpu->pages[number] = at + page;
  gpu->n_paged[number] = n;
}

/* Flush with the end of the pages, of which each element's size is a divisor, or with their begin. */
static void
place(Gpu *gpu, bool at_end)
{
  for (size_t i = 0; i < gpu->run->about.n_inputs + 2; i++) {
    const DebyeRunnerBuffer *buffer = get_buffer(gpu, i);
    const size_t at = at_end ? gpu->n_paged[i] - buffer->n_bytes : 0;
    gpu->data[i] = gpu->pages[i] + at;
    expect(gpu, gpu->driver.MemcpyHtoD(gpu->data[i], buffer->data, buffer->n_bytes), DEBYE_RUNNER_NO_GPU);
  }
}

static void
refill(Gpu *gpu, bool is_poisoned)
{
  gpu->host->fill(is_poisoned);
  for (size_t i = gpu->run->about.n_inputs; i < gpu->run->about.n_inputs + 2; i++)
    expect(gpu, gpu->driver.MemcpyHtoD(gpu->data[i], get_buffer(gpu, i)->data, get_buffer(gpu, i)->n_bytes),
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
fetch(Gpu *gpu, bool has_inputs)
{
  DebyeRunnerRun *run = gpu->run;
  DebyeRunnerReport *report = gpu->host->report;
  for (size_t i = 0; has_inputs && i < run->about.n_inputs; i++) {
    DebyeRunnerBuffer *input = &run->inputs[i];
    expect(gpu, gpu->driver.MemcpyDtoH(input->data, gpu->data[i], input->n_bytes), DEBYE_RUNNER_GPU_FAULT);
    if (debye_runner_buffer_sum(input) == input->checksum)
      continue;
    strncpy(report->place, input->name, sizeof report->place - 1);
    gpu->host->end(DEBYE_RUNNER_CHANGED);
  }
  expect(gpu, gpu->driver.MemcpyDtoH(run->output.data, gpu->data[run->about.n_inputs], run->output.n_bytes),
         DEBYE_RUNNER_GPU_FAULT);
  if (gpu->geometry[DEBYE_RUNNER_FLOATS] != 0)
    widen_floats(&run->output);
}

/* --- Launches --- */

static unsigned
blocks_for(int n, int each)
{
  return (unsigned)((n + each - 1) / each);
}

static void
launch(Gpu *gpu, DebyeCudaHandle function, unsigned x, unsigned y, void **arguments)
{
  const int *geometry = gpu->geometry;
  expect(gpu,
         gpu->driver.LaunchKernel(function, x, y, 1, (unsigned)geometry[DEBYE_RUNNER_BLOCK_X],
                                  (unsigned)geometry[DEBYE_RUNNER_BLOCK_Y],
                                  (unsigned)geometry[DEBYE_RUNNER_BLOCK_Z], 0, NULL, arguments, NULL),
         DEBYE_RUNNER_NOT_LAUNCHED);
}

/* The lecture's host: z, or the square of its distance from the slice. */
static void
fill_bank(Gpu *gpu, int first, int n, float z)
{
  static float staged[4 * MAX_BANK];
  memcpy(staged, (const float *)gpu->run->inputs[0].data + 4 * (size_t)first, 16 * (size_t)n);
  for (int i = 0; i < n && gpu->geometry[DEBYE_RUNNER_SQUARES] != 0; i++) {
    const float dz = z - staged[4 * i + 2];
    staged[4 * i + 2] = dz * dz;
  }
  expect(gpu, gpu->driver.MemcpyHtoDAsync(gpu->bank, staged, 16 * (size_t)n, NULL), DEBYE_RUNNER_GPU_FAULT);
}

static void
launch_slice(Gpu *gpu, int slice, int first, int n)
{
  const DebyeRunnerCase *about = &gpu->run->about;
  const int *geometry = gpu->geometry;
  int nx = about->counts[0], ny = about->counts[1];
  DebyeCudaPointer energy = gpu->data[1] + sizeof(float) * (size_t)nx * (size_t)ny * (size_t)slice,
                   atoms = gpu->data[0] + 16 * (size_t)first, scratch = gpu->data[2];
  float hx = about->reals[0], hy = about->reals[1], z = (float)slice * about->reals[2],
        core2 = about->reals[3];
  void *arguments[] = {&energy, &nx, &ny, &hx, &hy, &z, &atoms, &n, &core2, &scratch};
  const bool is_over_atoms = geometry[DEBYE_RUNNER_OVER_ATOMS] != 0;
  const unsigned x = is_over_atoms
                         ? blocks_for(n, geometry[DEBYE_RUNNER_BLOCK_X])
                         : blocks_for(nx, geometry[DEBYE_RUNNER_BLOCK_X] * geometry[DEBYE_RUNNER_POINTS]);
  const unsigned y =
      is_over_atoms ? 1 : blocks_for(ny, geometry[DEBYE_RUNNER_BLOCK_Y] * geometry[DEBYE_RUNNER_POINTS_Y]);
  if (gpu->prepare != NULL)
    launch(gpu, gpu->prepare, x, y, arguments);
  launch(gpu, gpu->kernel, x, y, arguments);
}

static void
sum_slices(Gpu *gpu)
{
  const DebyeRunnerCase *about = &gpu->run->about;
  const int n_atoms = about->counts[3], most = gpu->bank != 0 ? gpu->geometry[DEBYE_RUNNER_CHUNK] : n_atoms;
  for (int first = 0; first < n_atoms; first += most) {
    const int n = n_atoms - first < most ? n_atoms - first : most;
    for (int slice = 0; slice < about->counts[2]; slice++) {
      if (gpu->bank != 0 && (slice == 0 || gpu->geometry[DEBYE_RUNNER_SQUARES] != 0))
        fill_bank(gpu, first, n, (float)slice * about->reals[2]);
      launch_slice(gpu, slice, first, n);
    }
  }
}

static void
sum_regions(Gpu *gpu)
{
  DebyeRunnerCase *about = &gpu->run->about;
  int *n = about->counts, first = 0, reach[3];
  DebyeCudaPointer *data = gpu->data;
  memcpy(reach, gpu->run->inputs[4].data, sizeof reach);
  void *arguments[] = {&data[7],
                       &n[0],
                       &n[1],
                       &n[2],
                       &about->reals[0],
                       &about->reals[1],
                       &about->reals[2],
                       &data[0],
                       &n[3],
                       &data[1],
                       &data[2],
                       &data[3],
                       &n[4],
                       &n[5],
                       &reach[0],
                       &reach[1],
                       &reach[2],
                       &n[6],
                       &about->reals[4],
                       &about->reals[3],
                       &first};
  launch(gpu, gpu->kernel, (unsigned)n[7], 1, arguments);
}

static void
count_pairs(Gpu *gpu)
{
  DebyeRunnerCase *about = &gpu->run->about;
  int *n = about->counts, first = 0;
  const int *geometry = gpu->geometry;
  DebyeCudaPointer *data = gpu->data;
  void *arguments[] = {&data[3], &n[0], &about->reals[0], &data[0],         &data[1],        &data[2], &n[1],
                       &first,   &n[1], &about->reals[1], &about->reals[2], &about->reals[3]};
  const bool has_grid = geometry[DEBYE_RUNNER_GRID_X] > 0;
  launch(gpu, gpu->kernel,
         has_grid ? (unsigned)geometry[DEBYE_RUNNER_GRID_X]
                  : blocks_for(n[1], geometry[DEBYE_RUNNER_BLOCK_X]),
         has_grid ? (unsigned)geometry[DEBYE_RUNNER_GRID_Y] : 1, arguments);
}

/* The whole case; seconds as the GPU measures them. */
static double
call(Gpu *gpu)
{
  float milliseconds = 0.0f;
  expect(gpu, gpu->driver.EventRecord(gpu->begin, NULL), DEBYE_RUNNER_GPU_FAULT);
  if (gpu->run->about.family == DEBYE_RUNNER_DIRECT)
    sum_slices(gpu);
  else if (gpu->run->about.family == DEBYE_RUNNER_CUTOFF)
    sum_regions(gpu);
  else
    count_pairs(gpu);
  expect(gpu, gpu->driver.EventRecord(gpu->end, NULL), DEBYE_RUNNER_GPU_FAULT);
  expect(gpu, gpu->driver.CtxSynchronize(), DEBYE_RUNNER_GPU_FAULT);
  expect(gpu, gpu->driver.EventElapsedTime(&milliseconds, gpu->begin, gpu->end), DEBYE_RUNNER_GPU_FAULT);
  return 1e-3 * (double)milliseconds;
}

/* --- The source --- */

static void
open_device(Gpu *gpu, int ordinal)
{
  DebyeCudaHandle context = NULL;
  if (!debye_runner_driver_open(&gpu->driver))
    gpu->host->end(DEBYE_RUNNER_NO_GPU);
  expect(gpu, gpu->driver.DeviceGet(&gpu->device, ordinal), DEBYE_RUNNER_NO_GPU);
  expect(gpu, gpu->driver.DevicePrimaryCtxRetain(&context, gpu->device), DEBYE_RUNNER_NO_GPU);
  expect(gpu, gpu->driver.CtxSetCurrent(context), DEBYE_RUNNER_NO_GPU);
  expect(gpu, gpu->driver.EventCreate(&gpu->begin, 0), DEBYE_RUNNER_NO_GPU);
  expect(gpu, gpu->driver.EventCreate(&gpu->end, 0), DEBYE_RUNNER_NO_GPU);
}

static void
load(Gpu *gpu)
{
  unsigned char *cubin = calloc(MAX_CUBIN, 1);
  const int file = open("kernel.cubin", O_RDONLY | O_CLOEXEC);
  const ssize_t n = cubin != NULL && file >= 0 ? read(file, cubin, MAX_CUBIN) : 0;
  if (n <= 0)
    gpu->host->end(DEBYE_RUNNER_NOT_LOADED);
  close(file);
  expect(gpu, gpu->driver.ModuleLoadData(&gpu->module, cubin), DEBYE_RUNNER_NOT_LOADED);
  free(cubin);
}

/* Nothing that is multiplied with another of these is too large for it. */
static void
check_geometry(Gpu *gpu)
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
find_functions(Gpu *gpu)
{
  static const char *const names[DEBYE_RUNNER_N_FAMILIES] = {[DEBYE_RUNNER_DIRECT] = "sum_slice",
                                                             [DEBYE_RUNNER_CUTOFF] = "sum_regions",
                                                             [DEBYE_RUNNER_HISTOGRAM] = "count_pairs"};
  const DebyeRunnerCase *about = &gpu->run->about;
  DebyeCudaPointer geometry = 0;
  size_t n_bytes = 0;
  expect(gpu, gpu->driver.ModuleGetFunction(&gpu->kernel, gpu->module, names[about->family]),
         DEBYE_RUNNER_NOT_LOADED);
  if (about->family == DEBYE_RUNNER_DIRECT &&
      gpu->driver.ModuleGetFunction(&gpu->prepare, gpu->module, "prepare_slice") != 0)
    gpu->prepare = NULL;
  expect(gpu, gpu->driver.ModuleGetGlobal(&geometry, &n_bytes, gpu->module, DEBYE_RUNNER_GEOMETRY),
         DEBYE_RUNNER_NOT_LOADED);
  expect(gpu, gpu->driver.MemcpyDtoH(gpu->geometry, geometry, sizeof gpu->geometry), DEBYE_RUNNER_NOT_LOADED);
  check_geometry(gpu);
  if (gpu->driver.ModuleGetGlobal(&gpu->bank, &gpu->bank_bytes, gpu->module, "bank") != 0)
    gpu->bank = 0;
}

/* Constant memory: of a direct sum as many atoms as it says, of the cutoff the list of bins. */
static void
check_bank(Gpu *gpu)
{
  const DebyeRunnerCase *about = &gpu->run->about;
  const int chunk = gpu->geometry[DEBYE_RUNNER_CHUNK];
  if (gpu->bank == 0)
    return;
  if (about->family == DEBYE_RUNNER_DIRECT &&
      (chunk < 1 || chunk > MAX_BANK || 16 * (size_t)chunk > gpu->bank_bytes))
    gpu->host->end(DEBYE_RUNNER_NOT_LAUNCHED);
  if (about->family != DEBYE_RUNNER_CUTOFF)
    return;
  if (chunk < about->counts[6] || sizeof(int) * (size_t)about->counts[6] > gpu->bank_bytes)
    gpu->host->end(DEBYE_RUNNER_NOT_LAUNCHED);
  expect(gpu,
         gpu->driver.MemcpyHtoD(gpu->bank, gpu->run->inputs[5].data, sizeof(int) * (size_t)about->counts[6]),
         DEBYE_RUNNER_NOT_LAUNCHED);
}

static void
note_resources(Gpu *gpu)
{
  DebyeRunnerResources *resources = &gpu->host->report->resources;
  const int *geometry = gpu->geometry;
  int threads = 0;
  resources->block =
      geometry[DEBYE_RUNNER_BLOCK_X] * geometry[DEBYE_RUNNER_BLOCK_Y] * geometry[DEBYE_RUNNER_BLOCK_Z];
  gpu->driver.FuncGetAttribute(&resources->registers, FUNCTION_REGISTERS, gpu->kernel);
  gpu->driver.FuncGetAttribute(&resources->shared_bytes, FUNCTION_SHARED_BYTES, gpu->kernel);
  gpu->driver.FuncGetAttribute(&resources->local_bytes, FUNCTION_LOCAL_BYTES, gpu->kernel);
  gpu->driver.OccupancyMaxActiveBlocksPerMultiprocessor(&resources->blocks, gpu->kernel, resources->block, 0);
  if (gpu->driver.DeviceGetAttribute(&threads, THREADS_PER_MULTIPROCESSOR, gpu->device) == 0 && threads > 0)
    resources->occupancy = (float)(resources->blocks * resources->block) / (float)threads;
}

static void
check(Gpu *gpu)
{
  for (size_t number = 0; number < DEBYE_RUNNER_CHECKS; number++) {
    place(gpu, number != 1);
    refill(gpu, number == 1);
    const double seconds = call(gpu);
    gpu->host->report->seconds = number == 0 ? seconds : gpu->host->report->seconds;
    fetch(gpu, true);
    gpu->host->write_output(number);
  }
}

static void
measure(Gpu *gpu)
{
  DebyeRunnerReport *report = gpu->host->report;
  double sum = 0.0;
  place(gpu, false);
  for (int i = 0; i < gpu->run->about.n_repeats && sum < LONG_ENOUGH; i++) {
    refill(gpu, false);
    const double seconds = call(gpu);
    report->seconds = i == 0 || seconds < report->seconds ? seconds : report->seconds;
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
  note_resources(&opened);
  for (size_t i = 0; i < opened.run->about.n_inputs + 2; i++)
    map_pages(&opened, i);
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
