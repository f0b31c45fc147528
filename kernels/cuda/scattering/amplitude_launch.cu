/* SPDX-License-Identifier: MIT */
/* Chooses and launches the amplitudes' kernels; called by scattering_amplitude.cu. */
#include "amplitude_plan.cuh"

/* The fastest of the shapes that tests/bench/bench_amplitude_shapes measures side by side on an H200
 * (tests/bench/RESULTS.md); with one or two vectors a lane where there are few. */
using Matrix4 = DebyeAmplitudeMatrixShape<4, 0, 4, 2, 6>;
using Matrix8 = DebyeAmplitudeMatrixShape<8, 1, 2, 2, 8>;
using Matrix8Weighted = DebyeAmplitudeMatrixShape<8, 1, 4, 2, 4>;
using Plain1 = DebyeAmplitudeShape<1, 4, 8, 6>;
using Plain4 = DebyeAmplitudeShape<4, 4, 4, 4>;
using InDouble = DebyeAmplitudeShape<1, 4, 4, 4>;
static_assert(Plain4::TILE == DEBYE_AMPLITUDE_LARGEST_TILE, "the plan's rows end with a largest tile");

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

/* The one for so many vectors. */
static Choice
choose_kernel(const DebyeCudaAmplitudePlan *plan)
{
  const bool weighted = plan->weight != NULL;
  if (plan->settings.double_precision)
    return {(const void *)debye_amplitude_double<InDouble>, InDouble::TILE, InDouble::THREADS};
  if (!plan->matrices && plan->n_vectors <= Plain1::TILE)
    return weighted ? plain_kernel<Plain1, true>() : plain_kernel<Plain1, false>();
  if (!plan->matrices)
    return weighted ? plain_kernel<Plain4, true>() : plain_kernel<Plain4, false>();
  /* Half of a large tile's work would be for nothing. */
  const size_t rest = plan->n_vectors % Matrix8::TILE;
  if (plan->n_vectors < 8 * Matrix8::TILE && rest > 0 && rest <= Matrix4::TILE)
    return weighted ? matrix_kernel<Matrix4, true>() : matrix_kernel<Matrix4, false>();
  return weighted ? matrix_kernel<Matrix8Weighted, true>() : matrix_kernel<Matrix8, false>();
}

/* All q of the slot's frames, as many tiles at a time as the sums have room for. */
void
debye_cuda_amplitude_launch(const DebyeCudaAmplitudePlan *plan, DebyeAmplitudeSlot *slot)
{
  const Choice choice = choose_kernel(plan);
  const size_t tile = choice.tile;
  const size_t n_tiles = debye_amplitude_pieces(plan->n_vectors, tile), chunk = plan->chunk_tiles * 32 / tile;
  const unsigned n_groups = (unsigned)plan->settings.groups.n_groups;
  DebyeStream *stream = &slot->stream;
  DebyeAmplitudeLaunch launch = {};
  for (size_t axis = 0; axis < 3; axis++)
    launch.position[axis] = slot->positions + axis * slot->count * plan->n_entries;
  for (size_t part = 0; part < 6; part++)
    launch.turns[part] = plan->turns + part * plan->padded;
  launch.weight = plan->weight;
  launch.n_entries = plan->n_entries;
  launch.sections = plan->sections;
  launch.bias = plan->bias;
  launch.n_sections = (unsigned)plan->n_sections;
  launch.sums = slot->sums;
  for (size_t first = 0; first < n_tiles && debye_stream_is_good(stream); first += chunk) {
    launch.first_tile = (unsigned)first;
    launch.n_tiles = (unsigned)debye_amplitude_smaller(chunk, n_tiles - first);
    const size_t vectors = debye_amplitude_smaller(launch.n_tiles * tile, plan->n_vectors - first * tile);
    void *arguments[] = {&launch};
    if (plan->n_sections > 0)
      debye_stream_note(stream,
                        cudaLaunchKernel(choice.kernel,
                                         dim3(launch.n_tiles * launch.n_sections, (unsigned)slot->count),
                                         dim3(choice.threads), arguments, 0, stream->handle));
    debye_amplitude_gather<<<dim3((unsigned)debye_amplitude_pieces(vectors, GATHER_THREADS), n_groups,
                                  (unsigned)slot->count),
                             GATHER_THREADS, 0, stream->handle>>>(
        slot->sums, launch.n_sections, launch.n_tiles * tile, plan->group_section, (unsigned)vectors,
        plan->n_vectors, slot->out + first * tile);
    debye_stream_note_launch(stream);
  }
}
