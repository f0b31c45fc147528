/* SPDX-License-Identifier: MIT */
/* Launches the displacements' kernels; called by displacement_histogram.cu and displacement_plan.cu. */
#include "displacement_consecutive.cuh"
#include "displacement_plan.cuh"

#define THREADS DEBYE_DISPLACEMENT_THREADS
/* Rows of a listed lag in shared memory, at most. */
#define LISTED_ROWS ((size_t)11000)

template <int COLUMNS>
static cudaError_t
allow_memory(size_t bytes)
{
  return cudaFuncSetAttribute(debye_displacement_consecutive<COLUMNS, THREADS>,
                              cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
}

cudaError_t
debye_cuda_displacement_allow_memory(size_t shared_bytes)
{
  cudaError_t error = allow_memory<32>(shared_bytes);
  if (error == cudaSuccess)
    error = allow_memory<16>(shared_bytes);
  if (error == cudaSuccess)
    error = allow_memory<8>(shared_bytes);
  if (error == cudaSuccess)
    error = allow_memory<4>(shared_bytes);
  return error;
}

template <int COLUMNS>
static void
launch_consecutive(const DebyeCudaDisplacementPlan *plan, DebyeDisplacementLaunch *launch)
{
  debye_displacement_set_rows(launch, plan->shared_bytes / (COLUMNS * sizeof(unsigned)));
  const dim3 blocks(launch->n_pieces, (launch->n_lags + 2 * COLUMNS - 1) / (2 * COLUMNS));
  debye_displacement_consecutive<COLUMNS, THREADS>
      <<<blocks, THREADS, debye_displacement_shared_bytes(launch->shared_rows, COLUMNS, THREADS),
         plan->stream.handle>>>(*launch);
}

static void
launch_counting(const DebyeCudaDisplacementPlan *plan, DebyeDisplacementLaunch *launch)
{
  if (plan->run_lags == 1) {
    debye_displacement_set_rows(launch, LISTED_ROWS);
    debye_displacement_listed<<<dim3(launch->n_pieces, launch->n_lags), 256,
                                launch->shared_rows * sizeof(unsigned), plan->stream.handle>>>(*launch);
  } else if (plan->run_lags == 64) {
    launch_consecutive<32>(plan, launch);
  } else if (plan->run_lags == 32) {
    launch_consecutive<16>(plan, launch);
  } else if (plan->run_lags == 16) {
    launch_consecutive<8>(plan, launch);
  } else {
    launch_consecutive<4>(plan, launch);
  }
}

static DebyeDisplacementLaunch
make_launch(const DebyeCudaDisplacementPlan *plan, size_t first, size_t n_lags)
{
  const DebyeDisplacementSettings *settings = &plan->settings;
  DebyeDisplacementLaunch launch = {};
  for (int axis = 0; axis < 3; axis++)
    launch.position[axis] = plan->series.position[axis];
  launch.row = plan->series.row;
  launch.n_frames = (unsigned)settings->n_frames;
  launch.n_bins = (unsigned)settings->n_bins;
  /* Places are read by twos. */
  launch.skip = settings->lags == NULL ? first % 2 : 0;
  launch.first_lag = (unsigned)first - launch.skip;
  launch.n_lags = (unsigned)n_lags + launch.skip;
  launch.lags = settings->lags != NULL ? plan->lags : NULL;
  launch.pieces = plan->pieces;
  launch.n_pieces = (unsigned)plan->n_pieces;
  debye_displacement_set_scales(&launch, settings->bin_width);
  launch.counts = plan->counts;
  launch.moments = plan->piece_moments;
  return launch;
}

void
debye_cuda_displacement_launch(DebyeCudaDisplacementPlan *plan, size_t first, size_t n_lags, size_t *skip)
{
  DebyeDisplacementLaunch launch = make_launch(plan, first, n_lags);
  const size_t n_groups = plan->settings.n_groups, run = plan->run_lags;
  const size_t rows = (launch.n_lags + run - 1) / run * run * n_groups;
  const dim3 blocks((launch.n_lags + 127) / 128, (unsigned)n_groups);
  *skip = launch.skip;
  debye_stream_clear(&plan->stream, plan->counts, rows * (plan->settings.n_bins + 1) * sizeof *plan->counts);
  if (!debye_stream_is_good(&plan->stream))
    return;
  if (plan->n_pieces > 0)
    launch_counting(plan, &launch);
  debye_displacement_add_moments<<<blocks, 128, 0, plan->stream.handle>>>(
      plan->piece_moments, plan->piece_end, launch.n_lags, plan->moments);
  debye_stream_note_launch(&plan->stream);
}
