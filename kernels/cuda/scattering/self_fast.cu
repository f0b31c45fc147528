/* SPDX-License-Identifier: MIT */
/* Self scattering by one kernel (self_kernels.cuh), in float: its launches; called by
 * scattering_self.cu. */
#include "self_plan.cuh"
#include "self_sums.cuh"

/* Chosen by tests/bench/bench_self_shapes.cu. */
#define WARPS 4
#define BLOCKS 4

template <bool PAIRED, bool LONG, bool ELASTIC> struct Shape {
  static constexpr bool SHARED = LONG || ELASTIC;
  static constexpr auto kernel = debye_self_spectra<WARPS, BLOCKS, PAIRED, LONG, ELASTIC, SHARED>;
  static_assert(debye_self_shared_bytes(WARPS, SHARED) <= 49152, "more shared memory has to be asked for");

  static void run(const DebyeSelfLaunch &launch, cudaStream_t stream)
  {
    const unsigned warps = launch.n_pieces * launch.n_vectors * launch.n_residues;
    kernel<<<(warps + WARPS - 1) / WARPS, 32 * WARPS, debye_self_shared_bytes(WARPS, SHARED), stream>>>(
        launch);
  }
};

template <bool ELASTIC>
static void
launch_spectra(const DebyeSelfLaunch &launch, cudaStream_t stream)
{
  if (launch.n_residues == 1)
    Shape<false, false, ELASTIC>::run(launch, stream);
  else if (launch.n_frames <= DEBYE_SELF_POINTS)
    Shape<true, false, ELASTIC>::run(launch, stream);
  else
    Shape<true, true, ELASTIC>::run(launch, stream);
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
  if (plan->settings.elastic)
    launch_spectra<true>(launch, plan->stream.handle);
  else
    launch_spectra<false>(launch, plan->stream.handle);
  const dim3 blocks((unsigned)(plan->length / 128), n_groups, (unsigned)count);
  debye_self_add_pieces<<<blocks, 128, 0, plan->stream.handle>>>(
      plan->sums, launch.n_pieces, plan->ends + n_groups, launch.n_residues, plan->spectra);
  if (plan->settings.elastic)
    debye_self_add_means<<<dim3(n_groups, (unsigned)count), 256, 0, plan->stream.handle>>>(
        plan->means, launch.n_residues, launch.n_atoms, plan->weights, plan->ends, plan->fq2);
  debye_stream_note_launch(&plan->stream);
}
