/* SPDX-License-Identifier: MIT */
/* The kernels of the amplitudes in many shapes on the first GPU: the kernels' own time, without copies. What
 * is fastest here is what kernels/cuda/scattering/amplitude_launch.cu should use. Also what the special
 * function unit is off by in the mean over a turn, for multiples of the turn around 2π. Vectors stand on rays
 * of 512, equidistant, in the order of the rays, from half of their length on: at small q all atoms are in
 * phase, and what they are off by is, too.
 *
 *   bench_amplitude_shapes [ATOMS [VECTORS [FRAMES]]]
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "kernels/cuda/scattering/amplitude_rays.cuh"

#define REPEATS 3
#define SECTION 2048
#define FARTHEST_VECTOR 10.0
#define RAY 512 /* vectors, a whole number of all tiles */

static void
check(cudaError_t error, const char *what)
{
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

struct Bench {
  DebyeAmplitudeLaunch launch;
  std::vector<double> turns[3]; /* as in the launch */
  size_t n_atoms, n_vectors, n_frames;
  double mean_cosine;
  std::vector<double2> exact, found; /* of the first frame */
  cudaEvent_t start, end;
};

template <class T>
static T *
to_device(const std::vector<T> &values)
{
  T *device;
  check(cudaMalloc(&device, values.size() * sizeof(T)), "allocating");
  check(cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice), "copying");
  return device;
}

/* The first frame's amplitudes. */
static void
add_sections(const Bench *bench, size_t padded, std::vector<double2> *sums)
{
  std::vector<double2> parts(bench->launch.n_sections * padded);
  check(cudaMemcpy(parts.data(), bench->launch.sums, parts.size() * sizeof(double2), cudaMemcpyDeviceToHost),
        "copying sums");
  sums->assign(bench->n_vectors, make_double2(0.0, 0.0));
  for (size_t s = 0; s < bench->launch.n_sections; s++)
    for (size_t i = 0; i < bench->n_vectors; i++) {
      (*sums)[i].x += parts[s * padded + i].x;
      (*sums)[i].y += parts[s * padded + i].y;
    }
}

static DebyeAmplitudeLaunch *
common(DebyeAmplitudeLaunch *launch)
{
  return launch;
}

static DebyeAmplitudeLaunch *
common(DebyeAmplitudeRayLaunch *rays)
{
  return &rays->launch;
}

template <class Shape, class Launch>
static void
time_kernel(Bench *bench, const char *name, void (*kernel)(const Launch), Launch arguments, bool exact)
{
  DebyeAmplitudeLaunch &launch = *common(&arguments);
  launch.n_tiles = (unsigned)((bench->n_vectors + Shape::TILE - 1) / Shape::TILE);
  const dim3 blocks(launch.n_tiles * launch.n_sections, (unsigned)bench->n_frames);
  float best = INFINITY;
  cudaFuncAttributes attributes;
  int resident = 0;
  check(cudaFuncGetAttributes(&attributes, (const void *)kernel), name);
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, Shape::THREADS, 0), name);
  for (int i = 0; i < REPEATS; i++) {
    check(cudaEventRecord(bench->start), "starting the clock");
    kernel<<<blocks, Shape::THREADS>>>(arguments);
    check(cudaGetLastError(), name);
    check(cudaEventRecord(bench->end), "stopping the clock");
    check(cudaEventSynchronize(bench->end), name);
    float milliseconds;
    check(cudaEventElapsedTime(&milliseconds, bench->start, bench->end), "reading the clock");
    best = fminf(best, milliseconds);
  }
  double total = 0.0;
  add_sections(bench, launch.n_tiles * Shape::TILE, exact ? &bench->exact : &bench->found);
  for (size_t i = 0; i < bench->n_vectors && !exact; i++) {
    const double real = bench->found[i].x - bench->exact[i].x,
                 imaginary = bench->found[i].y - bench->exact[i].y;
    total += real * real + imaginary * imaginary;
  }
  const double terms = (double)bench->n_atoms * bench->n_vectors * bench->n_frames;
  printf("%-24s %3d registers %2d warps  %9.3f ms  %.3f T terms/s  error %.2e\n", name, attributes.numRegs,
         resident * Shape::WARPS, best, terms / best * 1e-9, sqrt(total / bench->n_vectors / bench->n_atoms));
  fflush(stdout);
}

/* The starts of a shape's rows and the steps of its tiles, of vectors in the order of the rays. */
template <class Shape>
static void
time_rays(Bench *bench, const char *name)
{
  DebyeAmplitudeRayLaunch rays = {};
  const size_t width = 8 * Shape::COLUMNS, n_tiles = (bench->n_vectors + Shape::TILE - 1) / Shape::TILE;
  rays.launch = bench->launch;
  for (int axis = 0; axis < 3; axis++) {
    const std::vector<double> &turns = bench->turns[axis];
    std::vector<double> starts, steps;
    for (size_t tile = 0; tile < n_tiles; tile++) {
      for (size_t row = 0; row < 8 * Shape::ROWS; row++)
        starts.push_back(turns[tile * Shape::TILE + row * width]);
      for (size_t step = 0; step < width; step++)
        steps.push_back((double)step * (turns[tile * Shape::TILE + 1] - turns[tile * Shape::TILE]));
    }
    rays.starts[axis] = to_device(starts);
    rays.steps[axis] = to_device(steps);
  }
  time_kernel<Shape>(bench, name, debye_amplitude_rays<Shape, false>, rays, false);
}

#define TIME_DOUBLE(...)                                                                                  \
  time_kernel<DebyeAmplitudeShape<__VA_ARGS__>>(bench, "double " #__VA_ARGS__,                            \
                                                debye_amplitude_double<DebyeAmplitudeShape<__VA_ARGS__>>, \
                                                bench->launch, true)
#define TIME_PLAIN(...)                                                                             \
  time_kernel<DebyeAmplitudeShape<__VA_ARGS__>>(                                                    \
      bench, "plain " #__VA_ARGS__, debye_amplitude_plain<DebyeAmplitudeShape<__VA_ARGS__>, false>, \
      bench->launch, false)
#define TIME_MATRIX(...)                                                                                    \
  time_kernel<DebyeAmplitudeMatrixShape<__VA_ARGS__>>(                                                      \
      bench, "matrix " #__VA_ARGS__, debye_amplitude_matrix<DebyeAmplitudeMatrixShape<__VA_ARGS__>, false>, \
      bench->launch, false)
#define TIME_RAYS(...) time_rays<DebyeAmplitudeRayShape<__VA_ARGS__>>(bench, "rays " #__VA_ARGS__)

/* The double kernel first: the others are compared with it. */
static void
time_shapes(Bench *bench)
{
  printf("vectors a lane or eights of vectors a warp, by software of them, warps, unroll, blocks at least\n");
  TIME_DOUBLE(1, 4, 1, 4);
  TIME_DOUBLE(1, 4, 2, 4);
  TIME_DOUBLE(1, 4, 4, 4);
  TIME_PLAIN(1, 4, 8, 6);
  TIME_PLAIN(2, 4, 8, 6);
  TIME_PLAIN(4, 4, 4, 4);
  TIME_PLAIN(4, 2, 2, 8);
  TIME_PLAIN(6, 4, 2, 4);
  TIME_MATRIX(4, 0, 4, 2, 6);
  TIME_MATRIX(4, 1, 4, 2, 6);
  TIME_MATRIX(4, 1, 4, 2, 4);
  TIME_MATRIX(4, 1, 2, 4, 10);
  TIME_MATRIX(6, 0, 4, 1, 5);
  TIME_MATRIX(6, 1, 4, 1, 5);
  TIME_MATRIX(6, 1, 4, 2, 4);
  TIME_MATRIX(8, 0, 4, 1, 4);
  TIME_MATRIX(8, 0, 4, 2, 4);
  TIME_MATRIX(8, 0, 2, 2, 8);
  TIME_MATRIX(8, 1, 4, 1, 4);
  TIME_MATRIX(8, 1, 4, 1, 5);
  TIME_MATRIX(8, 1, 4, 2, 3);
  TIME_MATRIX(8, 1, 4, 2, 4);
  TIME_MATRIX(8, 1, 2, 2, 8);
  TIME_MATRIX(8, 1, 4, 4, 4);
  TIME_MATRIX(8, 2, 4, 1, 4);
  TIME_MATRIX(8, 2, 4, 2, 4);
  TIME_MATRIX(8, 3, 4, 2, 4);
  TIME_MATRIX(10, 1, 4, 1, 4);
  TIME_MATRIX(12, 1, 4, 1, 3);
  TIME_MATRIX(12, 2, 4, 1, 3);
  printf("rays: eights of starts, of steps, warps, blocks at least\n");
  TIME_RAYS(1, 1, 4, 4);
  TIME_RAYS(1, 1, 4, 8);
  TIME_RAYS(1, 2, 4, 5);
  TIME_RAYS(2, 1, 4, 4);
  TIME_RAYS(2, 1, 4, 6);
  TIME_RAYS(2, 2, 4, 3);
  TIME_RAYS(2, 2, 4, 5);
  TIME_RAYS(2, 4, 4, 3);
  TIME_RAYS(4, 1, 4, 4);
  TIME_RAYS(4, 1, 4, 5);
  TIME_RAYS(4, 2, 4, 3);
  TIME_RAYS(4, 2, 4, 4);
  TIME_RAYS(8, 1, 2, 6);
}

static __global__ void
mean_over_turn(float turn, double2 *mean)
{
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  double2 sum = make_double2(0.0, 0.0);
  for (unsigned i = first; i < 1u << 23; i += gridDim.x * blockDim.x) {
    const float angle = (__uint_as_float(0x3f800000u | i) - 1.5f) * turn;
    sum.x += (double)__cosf(angle);
    sum.y += (double)__sinf(angle);
  }
  atomicAdd(&mean->x, sum.x * 0x1p-23);
  atomicAdd(&mean->y, sum.y * 0x1p-23);
}

static void
print_means(Bench *bench)
{
  double2 *mean, found;
  check(cudaMalloc(&mean, sizeof *mean), "allocating");
  float turn = 6.2831853f;
  for (int i = 0; i < 3; i++)
    turn = nextafterf(turn, 0.0f);
  for (int i = -3; i <= 5; i++, turn = nextafterf(turn, 7.0f)) {
    check(cudaMemset(mean, 0, sizeof *mean), "clearing");
    mean_over_turn<<<256, 256>>>(turn, mean);
    check(cudaMemcpy(&found, mean, sizeof found, cudaMemcpyDeviceToHost), "copying");
    if (turn == DEBYE_AMPLITUDE_TURN)
      bench->mean_cosine = found.x;
    printf("turn %.9g (%+d): mean cosine %.2e, mean sine %.2e\n", turn, i, found.x, found.y);
  }
  cudaFree(mean);
}

int
main(int argc, char **argv)
{
  Bench bench = {};
  bench.n_atoms = argc > 1 ? strtoul(argv[1], NULL, 10) : 65536;
  bench.n_vectors = argc > 2 ? strtoul(argv[2], NULL, 10) : 6144;
  bench.n_frames = argc > 3 ? strtoul(argv[3], NULL, 10) : 16;
  if (bench.n_atoms == 0 || bench.n_vectors == 0 || bench.n_frames == 0) {
    fprintf(stderr, "bench_amplitude_shapes [ATOMS [VECTORS [FRAMES]]]: at least one of each\n");
    return 2;
  }
  const double edge = cbrt((double)bench.n_atoms / 0.1);
  const size_t padded = (bench.n_vectors + 7679) / 7680 * 7680;
  srand(1);
  for (int axis = 0; axis < 3; axis++) {
    std::vector<float> position(bench.n_atoms * bench.n_frames);
    std::vector<double> turns(padded, 0.0), rest(padded, 0.0);
    for (float &x : position)
      x = (float)(edge * rand() / RAND_MAX);
    double direction = 0.0;
    for (size_t i = 0; i < bench.n_vectors; i++) {
      if (i % RAY == 0)
        direction = FARTHEST_VECTOR * (2.0 * rand() / RAND_MAX - 1.0);
      const DebyeTurnVector vector =
          debye_turn_vector({direction * (double)(i % RAY + RAY) / (2 * RAY), 0.0, 0.0});
      turns[i] = vector.x;
      rest[i] = vector.rest_x;
    }
    bench.turns[axis] = turns;
    bench.launch.position[axis] = to_device(position);
    bench.launch.turns[axis] = to_device(turns);
    bench.launch.turns[axis + 3] = to_device(rest);
  }
  std::vector<DebyeAmplitudeSection> sections;
  for (size_t first = 0; first < bench.n_atoms; first += SECTION)
    sections.push_back(
        {(uint32_t)first, (uint32_t)(bench.n_atoms - first < SECTION ? bench.n_atoms - first : SECTION)});
  bench.launch.n_entries = bench.n_atoms;
  bench.launch.sections = to_device(sections);
  bench.launch.n_sections = (unsigned)sections.size();
  check(cudaMalloc(&bench.launch.sums, bench.n_frames * sections.size() * padded * sizeof(double2)),
        "allocating");
  check(cudaEventCreate(&bench.start), "making an event");
  check(cudaEventCreate(&bench.end), "making an event");
  printf("%zu atoms x %zu q x %zu frames, kernels alone; error: root mean square over root of the atoms\n",
         bench.n_atoms, bench.n_vectors, bench.n_frames);
  print_means(&bench);
  std::vector<double2> bias;
  for (const DebyeAmplitudeSection &section : sections)
    bias.push_back(make_double2(bench.mean_cosine * section.count, 0.0));
  bench.launch.bias = to_device(bias);
  time_shapes(&bench);
  return 0;
}
