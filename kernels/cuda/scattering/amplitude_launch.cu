/* SPDX-License-Identifier: MIT */
/* Chooses and launches the amplitudes' kernels; called by scattering_amplitude.cu. */
#include "amplitude_plan.cuh"
#include "amplitude_rays.cuh"

/* The fastest of the shapes that tests/bench/bench_amplitude_shapes measures side by side on an H200
 * (tests/bench/RESULTS.md); with one or two vectors a lane where there are few. */
using Matrix4 = DebyeAmplitudeMatrixShape<4, 0, 4, 2, 6>;
using Matrix8 = DebyeAmplitudeMatrixShape<8, 1, 2, 2, 8>;
using Matrix8Weighted = DebyeAmplitudeMatrixShape<8, 1, 4, 2, 4>;
using Plain1 = DebyeAmplitudeShape<1, 4, 8, 6>;
using Plain4 = DebyeAmplitudeShape<4, 4, 4, 4>;
using InDouble = DebyeAmplitudeShape<1, 4, 4, 4>;

/* Likewise of rays; the cost of a tile by its measured speed against that of single vectors. */
using Rays64 = DebyeAmplitudeRayShape<1, 1, 4, 8>;
using Rays128 = DebyeAmplitudeRayShape<2, 1, 4, 4>;
using Rays256 = DebyeAmplitudeRayShape<2, 2, 4, 5>;
using Rays512 = DebyeAmplitudeRayShape<4, 2, 4, 4>;
static_assert(Rays512::TILE == DEBYE_AMPLITUDE_LARGEST_TILE && Rays512::TILE % Plain4::TILE == 0,
              "the plan's rows end with a largest tile");

template <class Shape>
static constexpr DebyeRayShape
ray_shape(double terms_against_singles)
{
  return {8 * Shape::ROWS, 8 * Shape::COLUMNS, Shape::TILE / terms_against_singles};
}

const DebyeRayShape debye_cuda_amplitude_ray_shapes[DEBYE_AMPLITUDE_RAY_SHAPES] = {
    ray_shape<Rays64>(1.48), ray_shape<Rays128>(1.9), ray_shape<Rays256>(2.27), ray_shape<Rays512>(2.6)};

constexpr unsigned GATHER_THREADS = 128;

/* A kernel, and what it is launched with. */
struct Choice {
  const void *kernel;
  size_t tile;
  unsigned threads;
};

template <class Shape, bool WEIGHTED>
static Choice
matrix_kernel(void)
{
  return {(const void *)debye_amplitude_matrix<Shape, WEIGHTED>, Shape::TILE, Shape::THREADS};
}

template <class Shape, bool WEIGHTED>
static Choice
plain_kernel(void)
{
  return {(const void *)debye_amplitude_plain<Shape, WEIGHTED>, Shape::TILE, Shape::THREADS};
}

cudaError_t
debye_cuda_amplitude_has_matrices(bool *has)
{
  cudaFuncAttributes attributes = {};
  const cudaError_t error = cudaFuncGetAttributes(&attributes, matrix_kernel<Matrix8, false>().kernel);
  *has = error == cudaSuccess && attributes.ptxVersion >= 80;
  return error;
}

/* The one for so many single vectors. */
static Choice
choose_kernel(const DebyeCudaAmplitudePlan *plan)
{
  const bool weighted = plan->weight != NULL;
  if (plan->settings.double_precision)
    return {(const void *)debye_amplitude_double<InDouble>, InDouble::TILE, InDouble::THREADS};
  if (!plan->matrices && plan->n_singles <= Plain1::TILE)
    return weighted ? plain_kernel<Plain1, true>() : plain_kernel<Plain1, false>();
  if (!plan->matrices)
    return weighted ? plain_kernel<Plain4, true>() : plain_kernel<Plain4, false>();
  /* Half of a large tile's work would be for nothing. */
  const size_t rest = plan->n_singles % Matrix8::TILE;
  if (plan->n_singles < 8 * Matrix8::TILE && rest > 0 && rest <= Matrix4::TILE)
    return weighted ? matrix_kernel<Matrix4, true>() : matrix_kernel<Matrix4, false>();
  return weighted ? matrix_kernel<Matrix8Weighted, true>() : matrix_kernel<Matrix8, false>();
}

template <class Shape>
static Choice
ray_kernel(bool weighted)
{
  return {weighted ? (const void *)debye_amplitude_rays<Shape, true>
                   : (const void *)debye_amplitude_rays<Shape, false>,
          Shape::TILE, Shape::THREADS};
}

/* In the order of debye_cuda_amplitude_ray_shapes. */
static Choice
choose_ray_kernel(const DebyeCudaAmplitudePlan *plan)
{
  const bool weighted = plan->weight != NULL;
  switch (plan->ray_shape) {
  case 0:
    return ray_kernel<Rays64>(weighted);
  case 1:
    return ray_kernel<Rays128>(weighted);
  case 2:
    return ray_kernel<Rays256>(weighted);
  default:
    return ray_kernel<Rays512>(weighted);
  }
}

/* So many vectors of the slot's frames, as many tiles at a time as the sums have room for. Both kinds of
 * kernels find what they take at the beginning of the rays. */
static void
launch_tiles(const DebyeCudaAmplitudePlan *plan, DebyeAmplitudeSlot *slot, const Choice *choice,
             DebyeAmplitudeRayLaunch *rays, size_t n_vectors, const uint32_t *places)
{
  const size_t tile = choice->tile, n_tiles = debye_amplitude_pieces(n_vectors, tile),
               chunk = plan->chunk_tiles * 32 / tile;
  DebyeStream *stream = &slot->stream;
  DebyeAmplitudeLaunch *launch = &rays->launch;
  for (size_t first = 0; first < n_tiles && debye_stream_is_good(stream); first += chunk) {
    launch->first_tile = (unsigned)first;
    launch->n_tiles = (unsigned)debye_amplitude_smaller(chunk, n_tiles - first);
    const size_t vectors = debye_amplitude_smaller(launch->n_tiles * tile, n_vectors - first * tile);
    void *arguments[] = {rays};
    if (plan->n_sections > 0)
      debye_stream_note(stream,
                        cudaLaunchKernel(choice->kernel,
                                         dim3(launch->n_tiles * launch->n_sections, (unsigned)slot->count),
                                         dim3(choice->threads), arguments, 0, stream->handle));
    debye_amplitude_gather<<<dim3((unsigned)debye_amplitude_pieces(vectors, GATHER_THREADS),
                                  (unsigned)plan->settings.groups.n_groups, (unsigned)slot->count),
                             GATHER_THREADS, 0, stream->handle>>>(
        slot->sums, launch->n_sections, launch->n_tiles * tile, plan->group_section, (unsigned)vectors,
        places != NULL ? places + first * tile : NULL, plan->n_vectors,
        slot->out + (places != NULL ? 0 : first * tile));
    debye_stream_note_launch(stream);
  }
}

/* All q of the slot's frames. */
void
debye_cuda_amplitude_launch(const DebyeCudaAmplitudePlan *plan, DebyeAmplitudeSlot *slot)
{
  const size_t numbers = debye_amplitude_ray_stride(plan);
  DebyeAmplitudeRayLaunch rays = {};
  DebyeAmplitudeLaunch *launch = &rays.launch;
  for (size_t axis = 0; axis < 3; axis++) {
    launch->position[axis] = slot->positions + axis * slot->count * plan->n_entries;
    rays.starts[axis] = plan->rays + axis * numbers;
    rays.steps[axis] = plan->rays + (3 + axis) * numbers;
  }
  for (size_t part = 0; part < 6; part++)
    launch->turns[part] = plan->turns + part * plan->padded;
  launch->weight = plan->weight;
  launch->n_entries = plan->n_entries;
  launch->sections = plan->sections;
  launch->bias = plan->bias;
  launch->n_sections = (unsigned)plan->n_sections;
  launch->sums = slot->sums;
  const bool apart = plan->n_ray_tiles > 0;
  if (apart) {
    const Choice choice = choose_ray_kernel(plan);
    launch_tiles(plan, slot, &choice, &rays, plan->n_ray_tiles * choice.tile, plan->places);
  }
  const Choice choice = choose_kernel(plan);
  launch_tiles(plan, slot, &choice, &rays, plan->n_singles,
               apart ? plan->places + debye_ray_most_places(plan->settings.max_vectors) : NULL);
}
