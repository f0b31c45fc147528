/* SPDX-License-Identifier: MIT */
/* The vectors of amplitudes on a GPU: tiles of rays, and single ones; called by scattering_amplitude.cu. */
#include <string.h>

#include "amplitude_plan.cuh"

static cudaError_t
upload_rays(DebyeCudaAmplitudePlan *plan)
{
  cudaError_t error =
      debye_cuda_upload(plan->rays, plan->rays_host, 6 * debye_amplitude_ray_stride(plan) * sizeof(double));
  if (error == cudaSuccess)
    error =
        debye_cuda_upload(plan->places, plan->places_host, debye_amplitude_n_places(plan) * sizeof(uint32_t));
  return error;
}

/* Tiles by matrix units, where enough of the vectors are equidistant. */
static cudaError_t
cut_rays(DebyeCudaAmplitudePlan *plan, const DebyeVec3 *q, size_t n_vectors)
{
  const DebyeRayShape *shapes = debye_cuda_amplitude_ray_shapes;
  const size_t numbers = debye_amplitude_ray_stride(plan),
               stride = plan->matrices && numbers > 0 ? debye_ray_stride(q, n_vectors) : 0;
  plan->n_ray_tiles = 0;
  plan->n_singles = n_vectors;
  if (stride == 0)
    return cudaSuccess;
  plan->ray_shape = debye_ray_choose(q, n_vectors, stride, shapes, DEBYE_AMPLITUDE_RAY_SHAPES);
  if (plan->ray_shape == DEBYE_AMPLITUDE_RAY_SHAPES)
    return cudaSuccess;
  DebyeRayTiles tiles = {};
  for (size_t axis = 0; axis < 3; axis++) {
    tiles.starts[axis] = plan->rays_host + axis * numbers;
    tiles.steps[axis] = plan->rays_host + (3 + axis) * numbers;
  }
  tiles.places = plan->places_host;
  tiles.singles = plan->places_host + debye_ray_most_places(plan->settings.max_vectors);
  debye_ray_cut(q, n_vectors, stride, &shapes[plan->ray_shape], &tiles);
  plan->n_ray_tiles = tiles.n_tiles;
  plan->n_singles = tiles.n_singles;
  return upload_rays(plan);
}

cudaError_t
debye_cuda_amplitude_set_vectors(DebyeCudaAmplitudePlan *plan, const DebyeVec3 *q, size_t n_vectors)
{
  double *turns = plan->turns_host;
  const size_t stride = plan->padded;
  const cudaError_t error = cut_rays(plan, q, n_vectors);
  if (error != cudaSuccess)
    return error;
  const uint32_t *singles =
      plan->n_ray_tiles > 0 ? plan->places_host + debye_ray_most_places(plan->settings.max_vectors) : NULL;
  memset(turns, 0, 6 * stride * sizeof *turns);
  for (size_t i = 0; i < plan->n_singles; i++) {
    const DebyeTurnVector vector = debye_turn_vector(q[singles != NULL ? singles[i] : i]);
    const double parts[6] = {vector.x, vector.y, vector.z, vector.rest_x, vector.rest_y, vector.rest_z};
    for (size_t part = 0; part < 6; part++)
      turns[part * stride + i] = parts[part];
  }
  return debye_cuda_upload(plan->turns, turns, 6 * stride * sizeof *turns);
}
