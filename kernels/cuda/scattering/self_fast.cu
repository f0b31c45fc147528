/* SPDX-License-Identifier: MIT */
/* Self scattering by one kernel (self_kernels.cuh), in float: its launches; called by
 * scattering_self.cu. */
#include "self_plan.cuh"
#include "self_sums.cuh"

/* Chosen by tests/bench/bench_self_shapes.cu. */
#define WARPS 4
#define BLOCKS 5
#define LONG_BLOCKS 4

/* More shared memory than is given without asking. */
cudaError_t
debye_cuda_self_prepare_fast(void)
{
  const int bytes = (int)debye_self_shared_bytes(WARPS);
  const auto attribute = cudaFuncAttributeMaxDynamicSharedMemorySize;
  cudaError_t error = cudaFuncSetAttribute(debye_self_spectra<WARPS, BLOCKS, false, false>, attribute, bytes);
  if (error == cudaSuccess)
    error = cudaFuncSetAttribute(debye_self_spectra<WARPS, BLOCKS, false, true>, attribute, bytes);
  if (error == cudaSuccess)
    error = cudaFuncSetAttribute(debye_self_spectra<WARPS, LONG_BLOCKS, true, false>, attribute, bytes);
  if (error == cudaSuccess)
    error = cudaFuncSetAttribute(debye_self_spectra<WARPS, LONG_BLOCKS, true, true>, attribute, bytes);
  return error;
}

static void
launch_spectra(DebyeCudaSelfPlan *plan, const DebyeSelfLaunch *launch)
{
  const size_t bytes = debye_self_shared_bytes(WARPS);
  const unsigned warps = launch->n_pieces * launch->n_vectors * launch->n_residues;
  const unsigned blocks = (warps + WARPS - 1) / WARPS;
  const bool is_long = launch->n_frames > DEBYE_SELF_POINTS;
  if (is_long && plan->settings.elastic)
    debye_self_spectra<WARPS, LONG_BLOCKS, true, true>
        <<<blocks, 32 * WARPS, bytes, plan->stream.handle>>>(*launch);
  else if (is_long)
    debye_self_spectra<WARPS, LONG_BLOCKS, true, false>
        <<<blocks, 32 * WARPS, bytes, plan->stream.handle>>>(*launch);
  else if (plan->settings.elastic)
    debye_self_spectra<WARPS, BLOCKS, false, true>
        <<<blocks, 32 * WARPS, bytes, plan->stream.handle>>>(*launch);
  else
    debye_self_spectra<WARPS, BLOCKS, false, false>
        <<<blocks, 32 * WARPS, bytes, plan->stream.handle>>>(*launch);
}

void
debye_cuda_self_sum_fast(DebyeCudaSelfPlan *plan, size_t first, size_t count)
{
  const unsigned n_groups = (unsigned)plan->settings.n_groups;
  DebyeSelfLaunch launch = {};
  for (int axis = 0; axis < 3; axis++)
    launch.position[axis] = plan->series.position[axis];
  launch.row = plan->series.row;
  launch.n_frames = (unsigned)plan->settings.n_frames;
  launch.n_residues = (unsigned)(plan->length / DEBYE_SELF_POINTS);
  launch.weight = plan->weights;
  launch.pieces = plan->pieces;
  launch.n_pieces = (unsigned)plan->n_pieces;
  launch.turns = plan->turns + 3 * first;
  launch.n_vectors = (unsigned)count;
  launch.twiddles = plan->twiddles;
  launch.sums = plan->sums;
  launch.mean_weights = (const float2 *)plan->mean_weights;
  launch.means = plan->means;
  launch.n_atoms = plan->block.n_atoms;
  launch_spectra(plan, &launch);
  const dim3 blocks((unsigned)(plan->length / 128), n_groups, (unsigned)count);
  debye_self_add_pieces<<<blocks, 128, 0, plan->stream.handle>>>(
      plan->sums, launch.n_pieces, plan->ends + n_groups, launch.n_residues, plan->spectra);
  if (plan->settings.elastic)
    debye_self_add_means<<<dim3(n_groups, (unsigned)count), 256, 0, plan->stream.handle>>>(
        plan->means, launch.n_residues, launch.n_atoms, plan->weights, plan->ends, plan->fq2);
  debye_stream_note_launch(&plan->stream);
}
