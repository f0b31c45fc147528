/* SPDX-License-Identifier: MIT */
/* The table of the teaching variants on a GPU; its twin is cpu/ladder/ladder.c. */
#include "ladder.cuh"

enum {
  SCATTER,
  GATHER,
  SQUARES_BEFORE,
  UNROLLED,
  SHARED,
  COALESCED,
  OURS,
  COUNT_RACE,
  COUNT_ATOMIC,
  N_VARIANTS,
};

/* In the order of the names above. Bytes: a warp's lanes read one dz² together; of a tile in shared memory
 * each atom is read once for a block's 1,024 points; the map is read and written once for each filling of
 * constant memory. */
static const DebyeLadderVariant variants[N_VARIANTS] = {
    {
        .id = "scatter",
        .title = "Scatter",
        .lesson = "A thread an atom adds itself to every point: threads meet at the same points, so every "
                  "evaluation is an atomic addition in memory, and they wait for each other.",
        .kind = DEBYE_LADDER_MAP,
        .loses_counts = false,
        .operations = 12.0,
        .evaluation_bytes = 8.0,
        .point_bytes = 4.0,
        .atom_bytes = 16.0,
    },
    {
        .id = "gather",
        .title = "Gather",
        .lesson = "A thread a point sums over the atoms, which constant memory hands to all lanes of a warp "
                  "at once: nobody writes where another does, and the map is touched once in 64 atoms.",
        .kind = DEBYE_LADDER_MAP,
        .loses_counts = false,
        .operations = 12.0,
        .evaluation_bytes = 8.0 / DEBYE_LADDER_BANK_ATOMS,
        .point_bytes = 4.0,
        .atom_bytes = 16.0,
    },
    {
        .id = "dz2",
        .title = "Squares beforehand",
        .lesson = "dz² of each atom and plane is computed once, by a small kernel before: 10 of 12 "
                  "operations are left, "
                  "but each needs a load more, which pays only when several points share it.",
        .kind = DEBYE_LADDER_MAP,
        .loses_counts = false,
        .operations = 10.0,
        .evaluation_bytes = 8.0 / DEBYE_LADDER_BANK_ATOMS + 4.0 / 32.0,
        .point_bytes = 4.0,
        .atom_bytes = 16.0,
    },
    {
        .id = "unrolled",
        .title = "Eight points a thread",
        .lesson = "A thread sums eight neighbours of a row, which share dy² + dz² and what is read of an "
                  "atom; but the "
                  "map is touched again for every 64 atoms, and by lanes that stand eight points apart.",
        .kind = DEBYE_LADDER_MAP,
        .loses_counts = false,
        .operations = 7.0 + 3.0 / 8.0,
        .evaluation_bytes = 8.0 / DEBYE_LADDER_BANK_ATOMS + 4.0 / 256.0,
        .point_bytes = 4.0,
        .atom_bytes = 16.0,
    },
    {
        .id = "shared",
        .title = "Shared memory",
        .lesson = "A block brings the atoms, tile by tile, into its shared memory: there are as many as one "
                  "likes, one launch takes them all, and the map is written once.",
        .kind = DEBYE_LADDER_MAP,
        .loses_counts = false,
        .operations = 7.0 + 3.0 / 8.0,
        .evaluation_bytes = 16.0 / 1024.0,
        .point_bytes = 8.0,
        .atom_bytes = 0.0,
    },
    {
        .id = "coalesced",
        .title = "Coalesced stores",
        .lesson =
            "A thread's points stand a row of threads apart, so that neighbouring threads store neighbouring "
            "points and fill whole lines of memory; where the map is written once, little is left to gain.",
        .kind = DEBYE_LADDER_MAP,
        .loses_counts = false,
        .operations = 7.0 + 3.0 / 8.0,
        .evaluation_bytes = 16.0 / 1024.0,
        .point_bytes = 8.0,
        .atom_bytes = 0.0,
    },
    {
        .id = "ours",
        .title = "Debye's own",
        .lesson = "Sixteen points a thread share differences in x and in y, and 5 of 16 get their 1/√ from "
                  "the multiply-add pipes, so that the unit for it is no longer what all wait for.",
        .kind = DEBYE_LADDER_MAP,
        .loses_counts = false,
        .operations = 6.0,
        .evaluation_bytes = 32.0 / 2048.0,
        .point_bytes = 4.0,
        .atom_bytes = 0.0,
    },
    {
        .id = "histogram-race",
        .title = "Histogram without atomics",
        .lesson = "All threads read, increase and write the same bins: what another counts between the read "
                  "and the write is lost, so the counts are wrong, and differently each time.",
        .kind = DEBYE_LADDER_COUNT,
        .loses_counts = true,
        .operations = 11.0,
        .evaluation_bytes = 16.0 + 12.0 / 32.0,
        .point_bytes = 0.0,
        .atom_bytes = 0.0,
    },
    {
        .id = "histogram-atomic",
        .title = "Histogram with atomics",
        .lesson = "Each addition to a bin is one indivisible step: the counts are right, and threads that "
                  "want the same bin wait for each other.",
        .kind = DEBYE_LADDER_COUNT,
        .loses_counts = false,
        .operations = 11.0,
        .evaluation_bytes = 16.0 + 12.0 / 32.0,
        .point_bytes = 0.0,
        .atom_bytes = 0.0,
    },
};

static const DebyeLadderStart starts[OURS] = {
    debye_ladder_launch_scatter,  debye_ladder_launch_gather, debye_ladder_launch_squares_before,
    debye_ladder_launch_unrolled, debye_ladder_launch_shared, debye_ladder_launch_coalesced,
};

constexpr size_t SQUARES_BYTES = DEBYE_LADDER_BANK_ATOMS * DEBYE_LADDER_SQUARES_PLANES * sizeof(float);
/* Rows of a launch: 65,535 blocks of at least 8. */
constexpr size_t MAX_ROWS = 8 * 65535;

static size_t
map_bytes(const DebyeLadderProblem *problem)
{
  return debye_grid_n_points(&problem->grid) * sizeof(float);
}

static uint64_t
bytes_needed(int device, size_t variant, const DebyeLadderProblem *problem)
{
  (void)device;
  if (debye_ladder_problem_check(&debye_cuda_ladder, variant, problem, NULL) != DEBYE_STATUS_OK ||
      problem->charges.n > UINT32_MAX / 64 || problem->grid.shape[0] > UINT32_MAX / 64 ||
      problem->grid.shape[1] > MAX_ROWS || problem->grid.shape[2] > UINT32_MAX / 2)
    return SIZE_MAX;
  return map_bytes(problem) + problem->charges.n * 2 * sizeof(float4) + SQUARES_BYTES;
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
run_on_device(DebyeLadderStream *stream, size_t variant, const DebyeLadderFrame *frame, Buffers *buffers,
              float *map, double *seconds)
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
    error = cudaMemcpyAsync(buffers->atoms, frame->atoms, frame->n_atoms * sizeof *frame->atoms,
                            cudaMemcpyHostToDevice, stream->stream);
  if (error == cudaSuccess && frame->n_atoms > 0)
    error = starts[variant](stream, launch, buffers->squares);
  cudaError_t finished = debye_ladder_stream_finish(stream, seconds);
  error = error == cudaSuccess ? finished : error;
  if (error != cudaSuccess || stream->cancelled)
    return error;
  return cudaMemcpy(map, buffers->map, n_map_bytes, cudaMemcpyDeviceToHost);
}

static DebyeStatusCode
run_step(int device, size_t variant, const DebyeLadderProblem *problem, float *map, double *seconds,
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
      error = run_on_device(&stream, variant, &frame, &buffers, map, seconds);
    cudaFree(buffers.map);
    cudaFree(buffers.atoms);
    cudaFree(buffers.squares);
    debye_ladder_stream_clear(&stream);
    code = debye_ladder_stream_status(&stream, error, status);
  }
  debye_ladder_frame_clear(&frame);
  return code;
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
  debye_ladder_begin_turn();
  DebyeStatusCode code = variant == OURS
                             ? debye_ladder_run_ours(device, problem, map, seconds, cancel, status)
                             : run_step(device, variant, problem, map, seconds, cancel, status);
  debye_ladder_end_turn();
  return code;
}

static DebyeStatusCode
count(int device, size_t variant, const DebyeLadderPairs *pairs, uint64_t *counts, double *seconds,
      const volatile bool *cancel, DebyeStatus *status)
{
  if (debye_ladder_pairs_check(&debye_cuda_ladder, variant, pairs, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  debye_ladder_begin_turn();
  DebyeStatusCode code =
      debye_cuda_count_pairs(device, pairs, variant == COUNT_ATOMIC, counts, seconds, cancel, status);
  debye_ladder_end_turn();
  return code;
}

extern "C" const DebyeLadderKernel debye_cuda_ladder = {
    .variants = variants,
    .n_variants = N_VARIANTS,
    .bytes_needed = bytes_needed,
    .run = run,
    .count = count,
    .measure_limits = debye_cuda_measure_limits,
};
