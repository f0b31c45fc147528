/* SPDX-License-Identifier: MIT */
/* Launches the teaching variants' kernels of ladder_kernels.cuh; called by ladder.cu. */
#include "ladder_parts.cuh"
#include "ladder_kernels.cuh"

/* Evaluations of a launch, so that a Stop is seen soon: of the slowest kernel and of the others. */
constexpr double SCATTER_EVALUATIONS = 1e8, EVALUATIONS = 2e10;

static unsigned
blocks_for(size_t n, unsigned a_block)
{
  return (unsigned)((n + a_block - 1) / a_block);
}

static unsigned
smaller(size_t a, size_t b)
{
  return (unsigned)(a < b ? a : b);
}

/* Planes of a launch over so many atoms. */
static unsigned
planes_at_once(const DebyeLadderLaunch &launch, unsigned n_atoms, double evaluations)
{
  const double planes = evaluations / ((double)launch.shape[0] * launch.shape[1] * (n_atoms + 1.0));
  return smaller(launch.shape[2], planes < 1.0 ? 1 : planes < 65535.0 ? (size_t)planes : 65535);
}

cudaError_t
debye_ladder_launch_scatter(DebyeLadderStream *stream, DebyeLadderLaunch launch, float *squares)
{
  (void)squares;
  const unsigned planes = planes_at_once(launch, launch.n_atoms, SCATTER_EVALUATIONS);
  cudaError_t error = cudaSuccess;
  for (; launch.first_plane < launch.shape[2] && debye_ladder_stream_begins(stream, &error);
       launch.first_plane += planes) {
    debye_ladder_scatter<<<blocks_for(launch.n_atoms, DEBYE_LADDER_SCATTER_THREADS),
                           DEBYE_LADDER_SCATTER_THREADS, 0, stream->stream>>>(
        launch, smaller(planes, launch.shape[2] - launch.first_plane));
    error = debye_ladder_stream_ends(stream);
  }
  return error;
}

/* All planes with the atoms of the bank, a launch after the other. */
static cudaError_t
gather_all_planes(DebyeLadderStream *stream, DebyeLadderLaunch launch, float *squares)
{
  (void)squares;
  const dim3 threads(DEBYE_LADDER_EDGE, DEBYE_LADDER_EDGE);
  const unsigned planes = planes_at_once(launch, launch.n_atoms, EVALUATIONS);
  cudaError_t error = cudaSuccess;
  for (; launch.first_plane < launch.shape[2] && debye_ladder_stream_begins(stream, &error);
       launch.first_plane += planes) {
    const dim3 blocks(blocks_for(launch.shape[0], threads.x), blocks_for(launch.shape[1], threads.y),
                      smaller(planes, launch.shape[2] - launch.first_plane));
    debye_ladder_gather<<<blocks, threads, 0, stream->stream>>>(launch);
    error = debye_ladder_stream_ends(stream);
  }
  return error;
}

/* What all planes do with the atoms of the bank, `launch` being of these. */
typedef cudaError_t (*AllPlanes)(DebyeLadderStream *stream, DebyeLadderLaunch launch, float *squares);

/* The atoms through constant memory, a portion after the other. */
static cudaError_t
in_portions(DebyeLadderStream *stream, const DebyeLadderLaunch &launch, AllPlanes all_planes, float *squares)
{
  cudaError_t error = cudaSuccess;
  for (unsigned first = 0; first < launch.n_atoms && debye_ladder_stream_begins(stream, &error);
       first += DEBYE_LADDER_BANK_ATOMS) {
    DebyeLadderLaunch part = launch;
    part.n_atoms = smaller(DEBYE_LADDER_BANK_ATOMS, launch.n_atoms - first);
    error = cudaMemcpyToSymbolAsync(debye_ladder_bank, launch.atoms + first, part.n_atoms * sizeof(float4), 0,
                                    cudaMemcpyDeviceToDevice, stream->stream);
    if (error == cudaSuccess)
      error = all_planes(stream, part, squares);
  }
  return error;
}

cudaError_t
debye_ladder_launch_gather(DebyeLadderStream *stream, DebyeLadderLaunch launch, float *squares)
{
  return in_portions(stream, launch, gather_all_planes, squares);
}

/* dz² of some planes first, then the kernel. */
template <bool UNROLLED>
static cudaError_t
sum_with_squares(DebyeLadderStream *stream, DebyeLadderLaunch launch, float *squares)
{
  const dim3 threads =
      UNROLLED ? dim3(DEBYE_LADDER_LANES, DEBYE_LADDER_ROWS) : dim3(DEBYE_LADDER_EDGE, DEBYE_LADDER_EDGE);
  const unsigned width = UNROLLED ? DEBYE_LADDER_WIDTH : DEBYE_LADDER_EDGE;
  const unsigned planes =
      smaller(planes_at_once(launch, launch.n_atoms, EVALUATIONS), DEBYE_LADDER_SQUARES_PLANES);
  cudaError_t error = cudaSuccess;
  for (; launch.first_plane < launch.shape[2] && debye_ladder_stream_begins(stream, &error);
       launch.first_plane += planes) {
    const unsigned n_planes = smaller(planes, launch.shape[2] - launch.first_plane);
    const dim3 blocks(blocks_for(launch.shape[0], width), blocks_for(launch.shape[1], threads.y), n_planes);
    debye_ladder_fill_squares<<<n_planes, DEBYE_LADDER_BANK_ATOMS, 0, stream->stream>>>(launch, squares);
    if (UNROLLED)
      debye_ladder_unrolled<<<blocks, threads, 0, stream->stream>>>(launch, squares);
    else
      debye_ladder_squares_before<<<blocks, threads, 0, stream->stream>>>(launch, squares);
    error = debye_ladder_stream_ends(stream);
  }
  return error;
}

cudaError_t
debye_ladder_launch_squares_before(DebyeLadderStream *stream, DebyeLadderLaunch launch, float *squares)
{
  return in_portions(stream, launch, sum_with_squares<false>, squares);
}

cudaError_t
debye_ladder_launch_unrolled(DebyeLadderStream *stream, DebyeLadderLaunch launch, float *squares)
{
  return in_portions(stream, launch, sum_with_squares<true>, squares);
}

template <bool COALESCED>
static cudaError_t
launch_shared(DebyeLadderStream *stream, DebyeLadderLaunch launch)
{
  const dim3 threads(DEBYE_LADDER_LANES, DEBYE_LADDER_ROWS);
  const unsigned planes = planes_at_once(launch, launch.n_atoms, EVALUATIONS);
  cudaError_t error = cudaSuccess;
  for (; launch.first_plane < launch.shape[2] && debye_ladder_stream_begins(stream, &error);
       launch.first_plane += planes) {
    const dim3 blocks(blocks_for(launch.shape[0], DEBYE_LADDER_WIDTH), blocks_for(launch.shape[1], threads.y),
                      smaller(planes, launch.shape[2] - launch.first_plane));
    debye_ladder_shared<COALESCED><<<blocks, threads, 0, stream->stream>>>(launch);
    error = debye_ladder_stream_ends(stream);
  }
  return error;
}

cudaError_t
debye_ladder_launch_shared(DebyeLadderStream *stream, DebyeLadderLaunch launch, float *squares)
{
  (void)squares;
  return launch_shared<false>(stream, launch);
}

cudaError_t
debye_ladder_launch_coalesced(DebyeLadderStream *stream, DebyeLadderLaunch launch, float *squares)
{
  (void)squares;
  return launch_shared<true>(stream, launch);
}
