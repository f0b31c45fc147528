/* SPDX-License-Identifier: MIT */
/* Runs the sources of kernels/ladder/density on a GPU, some frames after the others; called by ladder.cu. Its twin is
 * cpu/ladder/ladder_density.c. */
#include "kernels/ladder/ladder_density.h"

#include "direct.cuh"

/* Of a launch, so that a Stop is seen soon; an atom counts once for each block that reads it. */
constexpr double ATOMS_OF_LAUNCH = 1e9;
/* Of a launch: a plane of blocks has 65,535 rows at most. */
constexpr size_t MAX_FRAMES = 32768;

struct Filling {
  const DebyeLadderCode *code;
  const DebyeLadderDensity *density;
  DebyeLadderStream *stream;
  unsigned *counts, *marks; /* on the device, like all of these */
  float *x, *y, *z;
};

static unsigned
blocks_for(size_t n, size_t each)
{
  return (unsigned)((n + each - 1) / each);
}

/* Each of these reads all atoms of its frames; 0: a thread is an atom. */
static unsigned
count_tiles(const Filling *filling)
{
  const unsigned each = filling->code->block_voxels;
  return each > 0 ? blocks_for(debye_ladder_density_n_voxels(filling->density), each) : 0;
}

static cudaError_t
allocate(Filling *filling)
{
  const DebyeLadderDensity *density = filling->density;
  const size_t bytes = density->n_atoms * density->n_frames * sizeof(float);
  const size_t grid = debye_ladder_density_n_voxels(density) * sizeof(unsigned);
  const cudaStream_t stream = filling->stream->stream;
  cudaError_t error = cudaMalloc((void **)&filling->counts, grid);
  if (error == cudaSuccess)
    error = cudaMalloc((void **)&filling->marks, grid);
  if (error == cudaSuccess)
    error = cudaMemsetAsync(filling->counts, 0, grid, stream);
  if (error == cudaSuccess)
    error = cudaMemsetAsync(filling->marks, 0, grid, stream);
  if (error == cudaSuccess)
    error = debye_ladder_send(&filling->x, density->x, bytes, stream);
  if (error == cudaSuccess)
    error = debye_ladder_send(&filling->y, density->y, bytes, stream);
  if (error == cudaSuccess)
    error = debye_ladder_send(&filling->z, density->z, bytes, stream);
  return error;
}

/* A thread is an atom of a frame, or a block a tile of voxels and some frames. */
static cudaError_t
launch_fill(const Filling *filling, size_t first_frame, size_t end_frame)
{
  const DebyeLadderCode *code = filling->code;
  const DebyeLadderDensity *density = filling->density;
  unsigned *counts = filling->counts, *marks = filling->marks;
  const float *x = filling->x, *y = filling->y, *z = filling->z;
  int nx = (int)density->shape[0], ny = (int)density->shape[1], nz = (int)density->shape[2],
      n_atoms = (int)density->n_atoms, first = (int)first_frame, end = (int)end_frame;
  double corner_x = density->corner[0], corner_y = density->corner[1], corner_z = density->corner[2],
         per_angstrom = 1.0 / density->edge;
  void *arguments[] = {&counts,       &marks, &nx, &ny, &nz,      &corner_x, &corner_y, &corner_z,
                       &per_angstrom, &x,     &y,  &z,  &n_atoms, &first,    &end};
  const unsigned n_tiles = count_tiles(filling);
  const dim3 blocks(n_tiles > 0 ? n_tiles : blocks_for(density->n_atoms, code->block[0]),
                    blocks_for(end_frame - first_frame, code->block_frames));
  return cudaLaunchKernel(code->kernel, blocks, dim3(code->block[0]), arguments, 0, filling->stream->stream);
}

static cudaError_t
launch_fold(const Filling *filling)
{
  const DebyeLadderCode *code = filling->code;
  unsigned *counts = filling->counts, *marks = filling->marks;
  int n_voxels = (int)debye_ladder_density_n_voxels(filling->density);
  void *arguments[] = {&counts, &marks, &n_voxels};
  return cudaLaunchKernel(code->fold_marks, dim3(blocks_for((size_t)n_voxels, code->block[0])),
                          dim3(code->block[0]), arguments, 0, filling->stream->stream);
}

static cudaError_t
fill_all(const Filling *filling)
{
  const DebyeLadderCode *code = filling->code;
  const size_t n = filling->density->n_frames;
  const unsigned n_tiles = count_tiles(filling);
  const size_t most = debye_ladder_density_frames_at_once(
      filling->density, n_tiles > 0 ? ATOMS_OF_LAUNCH / n_tiles : ATOMS_OF_LAUNCH,
      code->batch_frames > 0 ? code->batch_frames : MAX_FRAMES);
  cudaError_t error = cudaSuccess;
  for (size_t first = 0; first < n && debye_ladder_stream_begins(filling->stream, &error); first += most) {
    error = launch_fill(filling, first, n - first < most ? n : first + most);
    if (error == cudaSuccess && code->fold_marks != NULL)
      error = launch_fold(filling);
    if (error == cudaSuccess)
      error = debye_ladder_stream_ends(filling->stream);
  }
  return error;
}

static cudaError_t
run_on_device(Filling *filling, uint32_t *counts, double *seconds)
{
  cudaError_t error = allocate(filling);
  if (error == cudaSuccess)
    error = fill_all(filling);
  const cudaError_t finished = debye_ladder_stream_finish(filling->stream, seconds);
  error = error == cudaSuccess ? finished : error;
  return error != cudaSuccess || filling->stream->cancelled
             ? error
             : debye_ladder_copy_out(counts, filling->counts,
                                     debye_ladder_density_n_voxels(filling->density) * sizeof *counts);
}

DebyeStatusCode
debye_cuda_ladder_density_run(int device, const char *source, const DebyeLadderDensity *density,
                              uint32_t *counts, double *seconds, const volatile bool *cancel,
                              DebyeStatus *status)
{
  DebyeLadderStream stream = {};
  Filling filling = {};
  filling.code = debye_ladder_find_code(source);
  filling.density = density;
  filling.stream = &stream;
  cudaError_t error = cudaSetDevice(device);
  if (error == cudaSuccess)
    error = debye_ladder_stream_init(&stream, cancel);
  if (error == cudaSuccess)
    error = run_on_device(&filling, counts, seconds);
  cudaFree(filling.counts);
  cudaFree(filling.marks);
  cudaFree(filling.x);
  cudaFree(filling.y);
  cudaFree(filling.z);
  debye_ladder_stream_clear(&stream);
  return debye_ladder_stream_status(&stream, error, status);
}
