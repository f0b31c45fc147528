/* SPDX-License-Identifier: MIT */
/* Runs the sources of kernels/ladder/orbital on a GPU, some planes after the others; called by ladder.cu. Its twin is
 * cpu/ladder/ladder_orbital.c. */
#include "kernels/ladder/ladder_orbital.h"

#include "direct.cuh"

/* Of a launch, so that a Stop is seen soon. */
constexpr double EVALUATIONS = 1e11;
/* Planes of a launch: a plane of blocks each at most. */
constexpr size_t MAX_PLANES = 32768;

struct Draw {
  const DebyeLadderCode *code;
  const DebyeLadderBasis *basis;
  DebyeLadderStream *stream;
  float *map; /* on the device, like all of these */
  float4 *atoms;
  int *first_shell, *shells;
  float *primitives, *coefficients;
};

static unsigned
blocks_for(size_t n, unsigned each)
{
  return (unsigned)((n + each - 1) / each);
}

static cudaError_t
allocate(Draw *draw)
{
  const DebyeLadderBasis *basis = draw->basis;
  const size_t *shape = basis->shape;
  const cudaStream_t stream = draw->stream->stream;
  cudaError_t error = cudaMalloc((void **)&draw->map, shape[0] * shape[1] * shape[2] * sizeof(float));
  if (error == cudaSuccess)
    error = debye_ladder_send(&draw->atoms, basis->atoms, basis->n_atoms * sizeof(float4), stream);
  if (error == cudaSuccess)
    error =
        debye_ladder_send(&draw->first_shell, basis->first_shell, (basis->n_atoms + 1) * sizeof(int), stream);
  if (error == cudaSuccess)
    error = debye_ladder_send(&draw->shells, basis->shells, 3 * (basis->n_shells + 1) * sizeof(int), stream);
  if (error == cudaSuccess)
    error = debye_ladder_send(&draw->primitives, basis->primitives, 3 * basis->n_primitives * sizeof(float),
                              stream);
  if (error == cudaSuccess)
    error = debye_ladder_send(&draw->coefficients, basis->coefficients, basis->n_functions * sizeof(float),
                              stream);
  return error;
}

static cudaError_t
launch(const Draw *draw, size_t first_plane, size_t n_planes)
{
  const DebyeLadderCode *code = draw->code;
  const DebyeLadderBasis *basis = draw->basis;
  float *psi = draw->map + first_plane * basis->shape[0] * basis->shape[1];
  int nx = (int)basis->shape[0], ny = (int)basis->shape[1], nz = (int)n_planes, n_atoms = (int)basis->n_atoms;
  float hx = basis->step[0], hy = basis->step[1], hz = basis->step[2], z = (float)first_plane * hz;
  const float4 *atoms = draw->atoms;
  const int *first_shell = draw->first_shell, *shells = draw->shells;
  const float *primitives = draw->primitives, *coefficients = draw->coefficients;
  void *arguments[] = {&psi, &nx,    &ny,      &nz,          &hx,     &hy,         &hz,
                       &z,   &atoms, &n_atoms, &first_shell, &shells, &primitives, &coefficients};
  const dim3 blocks(blocks_for(basis->shape[0], code->block[0] * code->points[0]),
                    blocks_for(basis->shape[1], code->block[1] * code->points[1]),
                    blocks_for(n_planes, code->planes));
  return cudaLaunchKernel(code->kernel, blocks, dim3(code->block[0], code->block[1]), arguments, 0,
                          draw->stream->stream);
}

static cudaError_t
draw_planes(const Draw *draw)
{
  const size_t n = draw->basis->shape[2],
               some = debye_ladder_orbital_planes_at_once(draw->basis, EVALUATIONS);
  const size_t most = some < MAX_PLANES ? some : MAX_PLANES;
  cudaError_t error = cudaSuccess;
  for (size_t first = 0; first < n && debye_ladder_stream_begins(draw->stream, &error); first += most) {
    error = launch(draw, first, n - first < most ? n - first : most);
    if (error == cudaSuccess)
      error = debye_ladder_stream_ends(draw->stream);
  }
  return error;
}

static cudaError_t
run_on_device(Draw *draw, float *map, double *seconds)
{
  const size_t *shape = draw->basis->shape;
  cudaError_t error = allocate(draw);
  if (error == cudaSuccess)
    error = draw_planes(draw);
  const cudaError_t finished = debye_ladder_stream_finish(draw->stream, seconds);
  error = error == cudaSuccess ? finished : error;
  return error != cudaSuccess || draw->stream->cancelled
             ? error
             : debye_ladder_copy_out(map, draw->map, shape[0] * shape[1] * shape[2] * sizeof *map);
}

DebyeStatusCode
debye_cuda_ladder_orbital_run(int device, const char *source, const DebyeLadderOrbital *orbital, float *map,
                              double *seconds, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeLadderBasis basis;
  DebyeStatusCode code = debye_ladder_basis_init(&basis, orbital, status);
  if (code == DEBYE_STATUS_OK) {
    DebyeLadderStream stream = {};
    Draw draw = {};
    draw.code = debye_ladder_find_code(source);
    draw.basis = &basis;
    draw.stream = &stream;
    cudaError_t error = cudaSetDevice(device);
    if (error == cudaSuccess)
      error = debye_ladder_stream_init(&stream, cancel);
    if (error == cudaSuccess)
      error = run_on_device(&draw, map, seconds);
    cudaFree(draw.map);
    cudaFree(draw.atoms);
    cudaFree(draw.first_shell);
    cudaFree(draw.shells);
    cudaFree(draw.primitives);
    cudaFree(draw.coefficients);
    debye_ladder_stream_clear(&stream);
    code = debye_ladder_stream_status(&stream, error, status);
  }
  debye_ladder_basis_clear(&basis);
  return code;
}
