/* SPDX-License-Identifier: MIT */
/* The last step of the ladder on a GPU: the production kernel as potential_direct.cu launches it, with atoms
 * and map on the device, so that its time is the kernel's alone like that of the others. */
#include <stdlib.h>

#include "ladder_parts.cuh"
#include "kernels/cuda/potential/potential_direct.cuh"

/* Evaluations of a launch, so that a Stop is seen soon. */
constexpr double EVALUATIONS = 1e11;

struct Ours {
  float4 *atoms; /* on the device, two an atom */
  int *stop;     /* there too: never set, a Stop comes between launches */
  float *map;
};

static size_t
planes_at_once(const DebyeDirectLaunch &launch)
{
  const size_t *shape = launch.grid.shape;
  const double planes = EVALUATIONS / ((double)shape[0] * shape[1] * (launch.end_atom + 1.0));
  const size_t some = planes < 1.0 ? 1 : planes < 65535.0 ? (size_t)planes : 65535;
  return some < shape[2] ? some : shape[2];
}

static cudaError_t
launch_ours(DebyeLadderStream *stream, DebyeDirectLaunch launch, float *map)
{
  using Shape = DebyeDirectProductionShape;
  const size_t *shape = launch.grid.shape, planes = planes_at_once(launch);
  cudaError_t error = cudaSuccess;
  for (; launch.first_plane < shape[2] && debye_ladder_stream_begins(stream, &error);
       launch.first_plane += planes) {
    const size_t left = shape[2] - launch.first_plane;
    const dim3 blocks((unsigned)((shape[0] + Shape::BLOCK_X - 1) / Shape::BLOCK_X),
                      (unsigned)((shape[1] + Shape::BLOCK_Y - 1) / Shape::BLOCK_Y),
                      (unsigned)(left < planes ? left : planes));
    debye_direct_float<Shape, false><<<blocks, Shape::THREADS, 0, stream->stream>>>(
        launch, map + launch.first_plane * shape[0] * shape[1]);
    error = debye_ladder_stream_ends(stream);
  }
  return error;
}

static cudaError_t
allocate(Ours *ours, size_t n_atoms, size_t n_points, cudaStream_t stream)
{
  cudaError_t error = cudaMalloc((void **)&ours->atoms, (n_atoms > 0 ? n_atoms : 1) * 2 * sizeof(float4));
  if (error == cudaSuccess)
    error = cudaMalloc((void **)&ours->map, n_points * sizeof(float));
  if (error == cudaSuccess)
    error = cudaMalloc((void **)&ours->stop, sizeof *ours->stop);
  return error == cudaSuccess ? cudaMemsetAsync(ours->stop, 0, sizeof *ours->stop, stream) : error;
}

static cudaError_t
run_on_device(DebyeLadderStream *stream, Ours *ours, const DebyeLadderProblem *problem, const float *atoms,
              float *map, double *seconds)
{
  const size_t n_points = debye_grid_n_points(&problem->grid), n_atoms = problem->charges.n;
  DebyeDirectLaunch launch = {};
  cudaError_t error = allocate(ours, n_atoms, n_points, stream->stream);
  launch.grid = debye_turned_grid(&problem->grid);
  launch.atoms = ours->atoms;
  launch.end_atom = n_atoms;
  launch.core_radius = (float)problem->core_radius;
  launch.core2 = (float)(problem->core_radius * problem->core_radius);
  launch.stop = ours->stop;
  if (error == cudaSuccess && n_atoms > 0)
    error = debye_ladder_copy_in(ours->atoms, atoms, n_atoms * 2 * sizeof(float4), stream->stream);
  if (error == cudaSuccess)
    error = launch_ours(stream, launch, ours->map);
  cudaError_t finished = debye_ladder_stream_finish(stream, seconds);
  error = error == cudaSuccess ? finished : error;
  if (error != cudaSuccess || stream->cancelled)
    return error;
  return debye_ladder_copy_out(map, ours->map, n_points * sizeof *map);
}

DebyeStatusCode
debye_ladder_run_ours(int device, const DebyeLadderProblem *problem, float *map, double *seconds,
                      const volatile bool *cancel, DebyeStatus *status)
{
  const DebyeTurnedGrid grid = debye_turned_grid(&problem->grid);
  const size_t n = problem->charges.n;
  float *atoms = (float *)calloc(n > 0 ? n : 1, 2 * sizeof(float4));
  if (atoms == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                            "The host has no memory for the charges of %zu atoms.", n);
  DebyeTurnedAtoms turned = {};
  for (int axis = 0; axis < 3; axis++) {
    turned.high[axis] = atoms + axis;
    turned.low[axis] = atoms + 4 + axis;
  }
  turned.charge = atoms + 3;
  turned.stride = 8;
  DebyeStatusCode code = debye_turned_atoms_set(&grid, &problem->charges, n, &turned, status);
  if (code == DEBYE_STATUS_OK) {
    DebyeLadderStream stream = {};
    Ours ours = {};
    cudaError_t error = cudaSetDevice(device);
    if (error == cudaSuccess)
      error = debye_ladder_stream_init(&stream, cancel);
    if (error == cudaSuccess)
      error = run_on_device(&stream, &ours, problem, atoms, map, seconds);
    cudaFree(ours.atoms);
    cudaFree(ours.map);
    cudaFree(ours.stop);
    debye_ladder_stream_clear(&stream);
    code = debye_ladder_stream_status(&stream, error, status);
  }
  free(atoms);
  return code;
}
