/* SPDX-License-Identifier: MIT */
/* Launches a loaded CUDA source on all of a case; called by runner_cuda.c. */
#include "runner_gpu.h"

#include <stdint.h>
#include <string.h>

#define MAX_FRAMES 32768 /* of a launch: a plane of blocks has 65,535 rows at most */
/* cufftType, directions */
#define C2C 0x29
#define FORWARD (-1)
#define BACK 1

static void
no_function(void)
{
}

void
debye_runner_expect(DebyeRunnerGpu *gpu, int result, DebyeRunnerState otherwise)
{
  if (result == 0)
    return;
  gpu->host->report->what = result;
  gpu->host->end(otherwise);
}

static unsigned
blocks_for(int n, int each)
{
  return (unsigned)((n + each - 1) / each);
}

static void
launch(DebyeRunnerGpu *gpu, DebyeCudaHandle function, const unsigned blocks[3], void **arguments)
{
  const int *geometry = gpu->geometry;
  debye_runner_expect(gpu,
                      gpu->driver.LaunchKernel(
                          function, blocks[0], blocks[1], blocks[2], (unsigned)geometry[DEBYE_RUNNER_BLOCK_X],
                          (unsigned)geometry[DEBYE_RUNNER_BLOCK_Y], (unsigned)geometry[DEBYE_RUNNER_BLOCK_Z],
                          0, NULL, arguments, NULL),
                      DEBYE_RUNNER_NOT_LAUNCHED);
}

/* The lecture's host: z, or the square of its distance from the slice. */
static void
fill_bank(DebyeRunnerGpu *gpu, int first, int n, float z)
{
  static float staged[4 * DEBYE_RUNNER_MAX_BANK];
  memcpy(staged, (const float *)gpu->run->inputs[0].data + 4 * (size_t)first, 16 * (size_t)n);
  for (int i = 0; i < n && gpu->geometry[DEBYE_RUNNER_SQUARES] != 0; i++) {
    const float dz = z - staged[4 * i + 2];
    staged[4 * i + 2] = dz * dz;
  }
  debye_runner_expect(gpu, gpu->driver.MemcpyHtoDAsync(gpu->bank, staged, 16 * (size_t)n, NULL),
                      DEBYE_RUNNER_GPU_FAULT);
}

static void
launch_slice(DebyeRunnerGpu *gpu, int slice, int first, int n)
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
  for (int i = 0; i < 2; i++)
    if (gpu->functions[i] != NULL)
      launch(gpu, gpu->functions[i], (const unsigned[]){x, y, 1}, arguments);
}

static void
sum_slices(DebyeRunnerGpu *gpu)
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
sum_regions(DebyeRunnerGpu *gpu)
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
  launch(gpu, gpu->functions[0], (const unsigned[]){(unsigned)n[7], 1, 1}, arguments);
}

static void
count_pairs(DebyeRunnerGpu *gpu)
{
  DebyeRunnerCase *about = &gpu->run->about;
  int *n = about->counts, first = 0;
  const int *geometry = gpu->geometry;
  DebyeCudaPointer *data = gpu->data;
  void *arguments[] = {&data[3], &n[0], &about->reals[0], &data[0],         &data[1],        &data[2], &n[1],
                       &first,   &n[1], &about->reals[1], &about->reals[2], &about->reals[3]};
  const bool has_grid = geometry[DEBYE_RUNNER_GRID_X] > 0;
  const unsigned blocks[] = {has_grid ? (unsigned)geometry[DEBYE_RUNNER_GRID_X]
                                      : blocks_for(n[1], geometry[DEBYE_RUNNER_BLOCK_X]),
                             has_grid ? (unsigned)geometry[DEBYE_RUNNER_GRID_Y] : 1, 1};
  launch(gpu, gpu->functions[0], blocks, arguments);
}

static void
draw_orbital(DebyeRunnerGpu *gpu)
{
  DebyeRunnerCase *about = &gpu->run->about;
  int *n = about->counts;
  const int *geometry = gpu->geometry;
  DebyeCudaPointer *data = gpu->data;
  float z = 0.0f;
  void *arguments[] = {&data[5],         &n[0],   &n[1],    &n[2], &about->reals[0], &about->reals[1],
                       &about->reals[2], &z,      &data[0], &n[3], &data[1],         &data[2],
                       &data[3],         &data[4]};
  const unsigned blocks[] = {
      blocks_for(n[0], geometry[DEBYE_RUNNER_BLOCK_X] * geometry[DEBYE_RUNNER_POINTS]),
      blocks_for(n[1], geometry[DEBYE_RUNNER_BLOCK_Y] * geometry[DEBYE_RUNNER_POINTS_Y]),
      blocks_for(n[2], gpu->batches[DEBYE_RUNNER_POINTS_Z])};
  launch(gpu, gpu->functions[0], blocks, arguments);
}

static void
sample_planes(DebyeRunnerGpu *gpu)
{
  DebyeRunnerCase *about = &gpu->run->about;
  int *n = about->counts;
  float *real = about->reals;
  DebyeCudaPointer *data = gpu->data;
  void *arguments[] = {&data[3], &n[0],    &n[1],    &n[2], &real[0], &real[1], &real[2], &real[3], &real[3],
                       &n[3],    &data[0], &data[1], &n[4], &data[2], &n[5],    &n[6],    &real[4], &real[5]};
  const unsigned blocks[] = {blocks_for(n[0], gpu->geometry[DEBYE_RUNNER_BLOCK_X]),
                             blocks_for(n[1], gpu->geometry[DEBYE_RUNNER_BLOCK_Y]), (unsigned)n[2]};
  launch(gpu, gpu->functions[0], blocks, arguments);
}

/* A thread is an atom of a frame, or a block a tile of voxels and some frames. */
static void
fill_frames(DebyeRunnerGpu *gpu)
{
  DebyeRunnerCase *about = &gpu->run->about;
  int *n = about->counts, n_voxels = n[0] * n[1] * n[2], first = 0, end = 0;
  double *real = about->doubles;
  DebyeCudaPointer *data = gpu->data;
  const int across = gpu->geometry[DEBYE_RUNNER_BLOCK_X], tile = gpu->batches[DEBYE_RUNNER_VOXELS];
  const int asked = gpu->run->batch_frames, most = asked > 0 && asked < MAX_FRAMES ? asked : MAX_FRAMES;
  void *arguments[] = {&data[3], &data[4], &n[0],    &n[1],    &n[2], &real[0], &real[1], &real[2],
                       &real[3], &data[0], &data[1], &data[2], &n[3], &first,   &end};
  void *of_fold[] = {&data[3], &data[4], &n_voxels};
  for (; first < n[4]; first += most) {
    end = n[4] - first < most ? n[4] : first + most;
    const unsigned blocks[] = {tile > 0 ? blocks_for(n_voxels, tile) : blocks_for(n[3], across),
                               blocks_for(end - first, gpu->batches[DEBYE_RUNNER_BLOCK_FRAMES]), 1};
    launch(gpu, gpu->functions[0], blocks, arguments);
    if (gpu->functions[1] != NULL)
      launch(gpu, gpu->functions[1], (const unsigned[]){blocks_for(n_voxels, across), 1, 1}, of_fold);
  }
}

/* Of `rows` atoms at a time, as they were planned, and of what is left each alone. */
static void
transform(DebyeRunnerGpu *gpu, int rows, int sign)
{
  const DebyeRunnerRun *run = gpu->run;
  const int planned = debye_runner_block_rows(run);
  const size_t apart = 8 * (size_t)run->about.counts[2] * (size_t)debye_runner_series_length(run);
  for (int row = 0; row < rows; row += rows == planned ? planned : 1) {
    void *at = (void *)(uintptr_t)(gpu->data[5] + apart * (size_t)row);
    debye_runner_expect(gpu, gpu->fourier.Exec(gpu->plans[rows == planned ? 0 : 1], at, at, sign),
                        DEBYE_RUNNER_GPU_FAULT);
  }
}

/* Atoms of a block in z; x is over frames, or over vectors. */
static void
scatter_block(DebyeRunnerGpu *gpu, int first, int n_block)
{
  DebyeRunnerCase *about = &gpu->run->about;
  int *n = about->counts, length = debye_runner_series_length(gpu->run),
      rows = gpu->run->block_atoms > 0 ? n_block : 1;
  const int bx = gpu->geometry[DEBYE_RUNNER_BLOCK_X], by = gpu->geometry[DEBYE_RUNNER_BLOCK_Y];
  const bool is_across = gpu->batches[DEBYE_RUNNER_ACROSS] != 0;
  DebyeCudaPointer *data = gpu->data;
  long n_values = (long)rows * n[2] * length;
  void *compute[] = {&data[5], &data[0], &data[1], &data[2], &n[0],  &n[1],
                     &data[3], &n[2],    &first,   &n_block, &length};
  void *multiply[] = {&data[5], &n_values};
  void *add[] = {&data[4], &data[5], &n[1], &n[2], &rows, &length};
  launch(gpu, gpu->functions[0],
         (const unsigned[]){blocks_for(is_across ? n[2] : length, bx),
                            blocks_for(is_across ? length : n[2], by), (unsigned)rows},
         compute);
  if (gpu->functions[1] != NULL) {
    transform(gpu, rows, FORWARD);
    launch(gpu, gpu->functions[1], (const unsigned[]){(unsigned)((n_values + bx * by - 1) / (bx * by)), 1, 1},
           multiply);
    transform(gpu, rows, BACK);
  }
  launch(gpu, gpu->functions[2],
         (const unsigned[]){blocks_for(n[1], bx), blocks_for(n[2], by),
                            gpu->batches[DEBYE_RUNNER_APART] != 0 ? (unsigned)rows : 1},
         add);
}

static void
scatter(DebyeRunnerGpu *gpu)
{
  const int all = gpu->run->about.counts[0], most = debye_runner_block_atoms(gpu->run);
  for (int first = 0; first < all; first += most)
    scatter_block(gpu, first, all - first < most ? all - first : most);
}

void
debye_runner_check_batches(DebyeRunnerGpu *gpu)
{
  int *batches = gpu->batches;
  if (gpu->run->about.family < DEBYE_RUNNER_ORBITAL)
    return;
  for (int i = 0; i < DEBYE_RUNNER_N_BATCHES; i++)
    if (batches[i] < 0 || batches[i] > (1 << 24))
      gpu->host->end(DEBYE_RUNNER_NOT_LAUNCHED);
  if (batches[DEBYE_RUNNER_POINTS_Z] < 1 || batches[DEBYE_RUNNER_BLOCK_FRAMES] < 1)
    gpu->host->end(DEBYE_RUNNER_NOT_LAUNCHED);
  const int atoms = batches[DEBYE_RUNNER_ATOMS];
  gpu->run->block_atoms = atoms < DEBYE_RUNNER_MOST_ATOMS ? atoms : DEBYE_RUNNER_MOST_ATOMS;
  gpu->run->batch_frames = batches[DEBYE_RUNNER_FRAMES];
  for (int i = 0; i < DEBYE_RUNNER_MAX_FUNCTIONS; i++) /* for the length of a series, which counts alone */
    gpu->run->functions[i] = gpu->functions[i] != NULL ? no_function : NULL;
}

void
debye_runner_gpu_plan(DebyeRunnerGpu *gpu)
{
  const DebyeRunnerRun *run = gpu->run;
  if (run->about.family != DEBYE_RUNNER_SCATTERING || gpu->functions[1] == NULL)
    return;
  if (!debye_runner_cufft_open(&gpu->fourier))
    gpu->host->end(DEBYE_RUNNER_NO_CUFFT);
  int length = debye_runner_series_length(run);
  const int n_vectors = run->about.counts[2];
  for (int i = 0; i < 2; i++)
    debye_runner_expect(gpu,
                        gpu->fourier.PlanMany(&gpu->plans[i], 1, &length, NULL, 1, length, NULL, 1, length,
                                              C2C, n_vectors * (i == 0 ? debye_runner_block_rows(run) : 1)),
                        DEBYE_RUNNER_NO_CUFFT);
}

DebyeCudaHandle
debye_runner_gpu_get_kernel(const DebyeRunnerGpu *gpu)
{
  return gpu->functions[gpu->run->about.family == DEBYE_RUNNER_DIRECT ? 1 : 0];
}

double
debye_runner_gpu_call(DebyeRunnerGpu *gpu)
{
  static void (*const calls[DEBYE_RUNNER_N_FAMILIES])(DebyeRunnerGpu * gpu) = {
      [DEBYE_RUNNER_DIRECT] = sum_slices,     [DEBYE_RUNNER_CUTOFF] = sum_regions,
      [DEBYE_RUNNER_HISTOGRAM] = count_pairs, [DEBYE_RUNNER_ORBITAL] = draw_orbital,
      [DEBYE_RUNNER_LIGAND] = sample_planes,  [DEBYE_RUNNER_DENSITY] = fill_frames,
      [DEBYE_RUNNER_SCATTERING] = scatter};
  float milliseconds = 0.0f;
  debye_runner_expect(gpu, gpu->driver.EventRecord(gpu->begin, NULL), DEBYE_RUNNER_GPU_FAULT);
  calls[gpu->run->about.family](gpu);
  debye_runner_expect(gpu, gpu->driver.EventRecord(gpu->end, NULL), DEBYE_RUNNER_GPU_FAULT);
  debye_runner_expect(gpu, gpu->driver.CtxSynchronize(), DEBYE_RUNNER_GPU_FAULT);
  debye_runner_expect(gpu, gpu->driver.EventElapsedTime(&milliseconds, gpu->begin, gpu->end),
                      DEBYE_RUNNER_GPU_FAULT);
  return 1e-3 * (double)milliseconds;
}
