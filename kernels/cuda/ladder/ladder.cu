/* SPDX-License-Identifier: MIT */
/* The table of the teaching variants on a GPU; its twin is cpu/ladder/ladder.c. */
#include <string.h>

#include "direct.cuh"
#include "kernels/ladder/ladder_bins.h"
#include "kernels/ladder/ladder_density.h"
#include "kernels/ladder/ladder_ligand.h"
#include "kernels/ladder/ladder_orbital.h"

/* Those that are no longer taught. */
static const struct {
  const char *id;
  DebyeLadderStart start;
} legacy[] = {
    {"scatter", debye_ladder_launch_scatter},    {"gather", debye_ladder_launch_gather},
    {"dz2", debye_ladder_launch_squares_before}, {"unrolled", debye_ladder_launch_unrolled},
    {"shared", debye_ladder_launch_shared},      {"coalesced", debye_ladder_launch_coalesced},
};

static DebyeLadderStart
find_start(const char *id)
{
  for (const auto &step : legacy)
    if (strcmp(step.id, id) == 0)
      return step.start;
  return NULL;
}

constexpr size_t SQUARES_BYTES = DEBYE_LADDER_BANK_ATOMS * DEBYE_LADDER_SQUARES_PLANES * sizeof(float);
/* Rows of a launch: 65,535 blocks of at least 8. */
constexpr size_t MAX_ROWS = 8 * 65535;

static size_t
map_bytes(const DebyeLadderProblem *problem)
{
  return debye_grid_n_points(&problem->grid) * sizeof(float);
}

/* As a variant of the direct sum has it: padded, or of one slice alone. */
static size_t
slices_bytes(size_t variant, const DebyeLadderProblem *problem)
{
  const char *source = debye_ladder_cuda_variants[variant].source;
  const DebyeLadderCode *code = source != NULL ? debye_ladder_find_code(source) : NULL;
  size_t shape[2];
  if (code == NULL)
    return map_bytes(problem);
  debye_ladder_slice_shape(code, problem->grid.shape, shape);
  return shape[0] * shape[1] * (code->copies_slices ? 1 : problem->grid.shape[2]) * sizeof(float);
}

static uint64_t
bytes_needed(int device, size_t variant, const DebyeLadderProblem *problem)
{
  if (debye_ladder_problem_check(&debye_cuda_ladder, variant, problem, NULL) != DEBYE_STATUS_OK ||
      problem->charges.n > UINT32_MAX / 64 || problem->grid.shape[0] > UINT32_MAX / 64 ||
      problem->grid.shape[1] > INT32_MAX / problem->grid.shape[0] || problem->grid.shape[1] > MAX_ROWS ||
      problem->grid.shape[2] > UINT32_MAX / 2)
    return SIZE_MAX;
  if (debye_ladder_cuda_variants[variant].kind == DEBYE_LADDER_CUTOFF) {
    const DebyePotentialSettings settings = debye_ladder_production_settings(problem);
    const uint64_t bins = debye_ladder_bins_bytes(problem);
    if (debye_ladder_cuda_variants[variant].source == NULL)
      return debye_cuda_cutoff.head.bytes_needed(device, &settings);
    return bins < SIZE_MAX ? map_bytes(problem) + bins : SIZE_MAX;
  }
  return slices_bytes(variant, problem) + problem->charges.n * 2 * sizeof(float4) + SQUARES_BYTES;
}

struct Buffers {
  float *map;
  float4 *atoms;
  float *squares;
};

static cudaError_t
allocate(Buffers *buffers, size_t n_map_bytes, size_t n_atoms)
{
  cudaError_t error = cudaMalloc((void **)&buffers->map, n_map_bytes);
  if (error == cudaSuccess)
    error = cudaMalloc((void **)&buffers->atoms, (n_atoms > 0 ? n_atoms : 1) * sizeof(float4));
  if (error == cudaSuccess)
    error = cudaMalloc((void **)&buffers->squares, SQUARES_BYTES);
  return error;
}

static cudaError_t
run_on_device(DebyeLadderStream *stream, DebyeLadderStart start, const DebyeLadderFrame *frame,
              Buffers *buffers, float *map, double *seconds)
{
  const size_t n_map_bytes = frame->shape[0] * frame->shape[1] * frame->shape[2] * sizeof *map;
  DebyeLadderLaunch launch = {};
  for (int axis = 0; axis < 3; axis++) {
    launch.shape[axis] = (unsigned)frame->shape[axis];
    launch.step[axis] = frame->step[axis];
  }
  cudaError_t error = allocate(buffers, n_map_bytes, frame->n_atoms);
  launch.core2 = frame->core2;
  launch.map = buffers->map;
  launch.atoms = buffers->atoms;
  launch.n_atoms = (unsigned)frame->n_atoms;
  if (error == cudaSuccess)
    error = cudaMemsetAsync(buffers->map, 0, n_map_bytes, stream->stream);
  if (error == cudaSuccess && frame->n_atoms > 0)
    error = debye_ladder_copy_in(buffers->atoms, frame->atoms, frame->n_atoms * sizeof *frame->atoms,
                                 stream->stream);
  if (error == cudaSuccess && frame->n_atoms > 0)
    error = start(stream, launch, buffers->squares);
  cudaError_t finished = debye_ladder_stream_finish(stream, seconds);
  error = error == cudaSuccess ? finished : error;
  if (error != cudaSuccess || stream->cancelled)
    return error;
  return debye_ladder_copy_out(map, buffers->map, n_map_bytes);
}

static DebyeStatusCode
run_step(int device, DebyeLadderStart start, const DebyeLadderProblem *problem, float *map, double *seconds,
         const volatile bool *cancel, DebyeStatus *status)
{
  DebyeLadderFrame frame;
  DebyeStatusCode code = debye_ladder_frame_init(&frame, problem, status);
  if (code == DEBYE_STATUS_OK) {
    DebyeLadderStream stream = {};
    Buffers buffers = {};
    cudaError_t error = cudaSetDevice(device);
    if (error == cudaSuccess)
      error = debye_ladder_stream_init(&stream, cancel);
    if (error == cudaSuccess)
      error = run_on_device(&stream, start, &frame, &buffers, map, seconds);
    cudaFree(buffers.map);
    cudaFree(buffers.atoms);
    cudaFree(buffers.squares);
    debye_ladder_stream_clear(&stream);
    code = debye_ladder_stream_status(&stream, error, status);
  }
  debye_ladder_frame_clear(&frame);
  return code;
}

/* As long as it lives no other variant runs, and times are of this one. */
struct Turn {
  const char *source; /* NULL: Debye's own kernel */

  Turn(int device, size_t variant) : source(debye_ladder_cuda_variants[variant].source)
  {
    debye_ladder_begin_turn();
    debye_ladder_times_begin(device, variant);
  }
  ~Turn()
  {
    debye_ladder_end_turn();
  }
};

static DebyeStatusCode
run_variant(int device, const DebyeLadderVariant *row, const DebyeLadderProblem *problem, float *map,
            double *seconds, const volatile bool *cancel, DebyeStatus *status)
{
  const bool has_cutoff = row->kind == DEBYE_LADDER_CUTOFF;
  if (row->source != NULL)
    return (has_cutoff ? debye_cuda_ladder_cutoff_run
                       : debye_ladder_direct_run)(device, row->source, problem, map, seconds, cancel, status);
  if (row->is_legacy)
    return run_step(device, find_start(row->id), problem, map, seconds, cancel, status);
  return has_cutoff
             ? debye_ladder_run_production(&debye_cuda_cutoff, device, problem, map, seconds, cancel, status)
             : debye_ladder_run_ours(device, problem, map, seconds, cancel, status);
}

static DebyeStatusCode
run(int device, size_t variant, const DebyeLadderProblem *problem, float *map, double *seconds,
    const volatile bool *cancel, DebyeStatus *status)
{
  if (debye_ladder_problem_check(&debye_cuda_ladder, variant, problem, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  if (bytes_needed(device, variant, problem) == SIZE_MAX)
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED,
                            "The grid or the number of charges is beyond the device.");
  const Turn turn(device, variant);
  return run_variant(device, &debye_ladder_cuda_variants[variant], problem, map, seconds, cancel, status);
}

static DebyeStatusCode
count(int device, size_t variant, const DebyeLadderPairs *pairs, uint64_t *counts, double *seconds,
      const volatile bool *cancel, DebyeStatus *status)
{
  if (debye_ladder_pairs_check(&debye_cuda_ladder, variant, pairs, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  const Turn turn(device, variant);
  return turn.source != NULL
             ? debye_cuda_count_pairs(device, turn.source, pairs, counts, seconds, cancel, status)
             : debye_ladder_count_ours(&debye_cuda_pair_histogram, device, pairs, counts, seconds, cancel,
                                       status);
}

static DebyeStatusCode
scatter(int device, size_t variant, const DebyeLadderCourses *courses, float *f, double *seconds,
        const volatile bool *cancel, DebyeStatus *status)
{
  if (debye_ladder_courses_check(&debye_cuda_ladder, variant, courses, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  const Turn turn(device, variant);
  return turn.source != NULL
             ? debye_cuda_ladder_scatter(device, turn.source, courses, f, seconds, cancel, status)
             : debye_ladder_scatter_ours(&debye_cuda_self, device, courses, f, seconds, cancel, status);
}

static DebyeStatusCode
draw_orbital(int device, size_t variant, const DebyeLadderOrbital *orbital, float *map, double *seconds,
             const volatile bool *cancel, DebyeStatus *status)
{
  if (debye_ladder_orbital_check(&debye_cuda_ladder, variant, orbital, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  const Turn turn(device, variant);
  return turn.source != NULL
             ? debye_cuda_ladder_orbital_run(device, turn.source, orbital, map, seconds, cancel, status)
             : debye_ladder_orbital_ours(&debye_cuda_orbital, device, orbital, map, seconds, cancel, status);
}

static DebyeStatusCode
sample_ligand(int device, size_t variant, const DebyeLadderLigand *ligand, float *means, double *seconds,
              const volatile bool *cancel, DebyeStatus *status)
{
  if (debye_ladder_ligand_check(&debye_cuda_ladder, variant, ligand, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  const Turn turn(device, variant);
  return turn.source != NULL
             ? debye_cuda_ladder_ligand_run(device, turn.source, ligand, means, seconds, cancel, status)
             : debye_ladder_ligand_ours(&debye_cuda_ligand, device, ligand, means, seconds, cancel, status);
}

static DebyeStatusCode
fill_voxels(int device, size_t variant, const DebyeLadderDensity *density, uint32_t *counts, double *seconds,
            const volatile bool *cancel, DebyeStatus *status)
{
  if (debye_ladder_density_check(&debye_cuda_ladder, variant, density, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  const Turn turn(device, variant);
  return turn.source != NULL
             ? debye_cuda_ladder_density_run(device, turn.source, density, counts, seconds, cancel, status)
             : debye_ladder_density_ours(&debye_cuda_density, device, density, counts, seconds, cancel,
                                         status);
}

/* Of the kernel alone that its family is named after; what CUDA doesn't tell stays 0. */
static void
find_resources(int device, size_t variant, DebyeLadderResources *resources)
{
  const char *source = debye_ladder_cuda_variants[variant].source;
  const DebyeLadderCode *code = source != NULL ? debye_ladder_find_code(source) : NULL;
  cudaFuncAttributes attributes;
  int blocks = 0, most = 0;
  *resources = DebyeLadderResources{};
  if (code == NULL || cudaSetDevice(device) != cudaSuccess ||
      cudaFuncGetAttributes(&attributes, code->kernel) != cudaSuccess)
    return;
  const int block = (int)(code->block[0] * code->block[1] * code->block[2]);
  if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, code->kernel, block, 0) != cudaSuccess ||
      cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerMultiProcessor, device) != cudaSuccess)
    return;
  *resources = DebyeLadderResources{block,
                                    attributes.numRegs,
                                    blocks,
                                    (int)attributes.sharedSizeBytes,
                                    (int)attributes.localSizeBytes,
                                    (float)(blocks * block) / (float)most};
}

extern "C" const DebyeLadderKernel debye_cuda_ladder = {
    .variants = debye_ladder_cuda_variants,
    .n_variants = DEBYE_LADDER_N_CUDA,
    .bytes_needed = bytes_needed,
    .run = run,
    .count = count,
    .scatter = scatter,
    .draw_orbital = draw_orbital,
    .sample_ligand = sample_ligand,
    .fill_voxels = fill_voxels,
    .measure_limits = debye_cuda_measure_limits,
    .find_resources = find_resources,
    .find_times = debye_ladder_times_find,
};
