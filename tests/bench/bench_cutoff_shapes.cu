/* SPDX-License-Identifier: MIT */
/* The kernel of the cutoff method in many shapes on the first GPU, and how the best of them does with the
 * size of the system: atoms and map stay on the device, so this is the whole work of a call without copies.
 * What is fastest here is what kernels/cuda/potential/potential_cutoff.cu should use.
 *
 *   bench_cutoff_shapes [GRID [CUTOFF [SPACING]]]
 *
 * Without arguments sizes and copies, too. The atoms stand as densely as water's, 0.1 to the cubic Å, and as
 * evenly; the cell is as large as the map.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <vector>

#include "kernels/cuda/potential/potential_cutoff.cuh"
extern "C" {
#include "tests/support/even_atoms.h"
#include "tests/support/oracle_potential.h"
}

#define CORE_RADIUS 1e-3
#define REPEATS 3
#define COMPARED_PLANES 2

static void
check(cudaError_t error, const char *what)
{
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

template <class T>
static T *
to_device(const T *from, size_t n)
{
  void *memory;
  check(cudaMalloc(&memory, n * sizeof(T) + 16), "allocating");
  check(cudaMemcpy(memory, from, n * sizeof(T), cudaMemcpyHostToDevice), "copying");
  return (T *)memory;
}

struct Bench {
  size_t grid, n_atoms;
  double cutoff, spacing, pairs;
  DebyeRandomSystem system;
  DebyePotentialSettings settings;
  DebyeCell cell;
  float *out;
  std::vector<double> exact;
  cudaEvent_t start, end;
};

static void
make_bench(Bench *bench, size_t grid, double cutoff, double spacing)
{
  double edge = spacing * grid;
  bench->grid = grid;
  bench->cutoff = cutoff;
  bench->spacing = spacing;
  bench->system = debye_even_atoms_new(edge, DEBYE_WATER_DENSITY, 1);
  bench->n_atoms = bench->system.charges.n;
  bench->cell = {{edge, 0.0, 0.0}, {0.0, edge, 0.0}, {0.0, 0.0, edge}};
  bench->settings = {};
  bench->settings.method = DEBYE_POTENTIAL_CUTOFF;
  bench->settings.grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), spacing, grid, grid, grid);
  bench->settings.core_radius = CORE_RADIUS;
  bench->settings.max_charges = bench->n_atoms;
  bench->settings.max_planes = grid;
  bench->settings.periodic = DEBYE_PERIODIC_ALL;
  bench->settings.cutoff = cutoff;
  bench->settings.smoothing = DEBYE_SMOOTHING_SMOOTH;
  double sphere = 4.0 / 3.0 * 3.14159265358979323846 * cutoff * cutoff * cutoff;
  bench->pairs = (double)grid * grid * grid * bench->n_atoms / (edge * edge * edge) * sphere;
  check(cudaMalloc((void **)&bench->out, sizeof(float) * grid * grid * grid), "allocating the map");
  check(cudaEventCreate(&bench->start), "making an event");
  check(cudaEventCreate(&bench->end), "making an event");
}

/* Bins for a shape's blocks, on the device. */
struct Bins {
  DebyeCutoffBins host;
  DebyeCutoffLaunch launch;
};

static void
make_bins(const Bench *bench, const size_t block[3], Bins *bins)
{
  DebyeStatus status;
  if (debye_cutoff_bins_init(&bins->host, &bench->settings, bench->cutoff, block, true, &status) !=
          DEBYE_STATUS_OK ||
      debye_cutoff_bins_set(&bins->host, &bench->system.charges, &bench->cell, NULL, &status) !=
          DEBYE_STATUS_OK) {
    fprintf(stderr, "%s\n", status.text);
    exit(1);
  }
  DebyeCutoffLaunch *launch = &bins->launch;
  *launch = {};
  launch->grid = bins->host.grid;
  launch->map = bins->host.map;
  launch->map.start = to_device(bins->host.start, bins->host.n_bins + 1);
  launch->map.offset = to_device(bins->host.offset, (size_t)bins->host.map.n_offsets);
  launch->atoms = to_device(bins->host.atoms, bins->host.n_atoms);
  launch->exact_atoms = to_device(bins->host.exact_atoms, bins->host.n_atoms);
  launch->unit = bins->host.unit;
  launch->block.unit = (float)bins->host.unit;
  launch->n_planes = bench->grid;
}

static void
clear_bins(Bins *bins)
{
  cudaFree((void *)bins->launch.map.start);
  cudaFree((void *)bins->launch.map.offset);
  cudaFree((void *)bins->launch.atoms);
  cudaFree((void *)bins->launch.exact_atoms);
  debye_cutoff_bins_clear(&bins->host);
}

static unsigned
parts_of(size_t n, size_t part)
{
  return (unsigned)((n + part - 1) / part);
}

/* The first planes by the double kernel, into bench->exact. */
static void
make_exact(Bench *bench, const DebyePairFunction *function)
{
  const size_t block[3] = {DEBYE_CUTOFF_DOUBLE_THREADS, 1, 1},
               n = COMPARED_PLANES * bench->grid * bench->grid;
  Bins bins;
  double *out;
  make_bins(bench, block, &bins);
  bins.launch.n_planes = COMPARED_PLANES;
  bins.launch.function = *function;
  bins.launch.core2 = CORE_RADIUS * CORE_RADIUS;
  check(cudaMalloc((void **)&out, n * sizeof(double)), "allocating");
  const dim3 blocks(parts_of(bench->grid, block[0]), (unsigned)bench->grid, COMPARED_PLANES);
  debye_cutoff_double<<<blocks, DEBYE_CUTOFF_DOUBLE_THREADS>>>(bins.launch, out);
  bench->exact.resize(n);
  check(cudaMemcpy(bench->exact.data(), out, n * sizeof(double), cudaMemcpyDeviceToHost), "the exact map");
  cudaFree(out);
  clear_bins(&bins);
}

static double
map_error(const Bench *bench)
{
  if (bench->exact.empty())
    return NAN;
  std::vector<float> values(bench->exact.size());
  check(cudaMemcpy(values.data(), bench->out, values.size() * sizeof(float), cudaMemcpyDeviceToHost),
        "copying the map");
  double difference = 0.0, square = 0.0;
  for (size_t i = 0; i < values.size(); i++) {
    double error = values[i] - bench->exact[i];
    difference += error * error;
    square += bench->exact[i] * bench->exact[i];
  }
  return sqrt(difference / square);
}

/* Best of the repeats, in milliseconds. */
template <class Shape, int FORM>
static float
time_shape(Bench *bench, const DebyePairFunction *function, const char *name)
{
  const size_t block[3] = {Shape::WIDTH, Shape::HEIGHT, Shape::DEPTH};
  Bins bins;
  float best = INFINITY;
  make_bins(bench, block, &bins);
  debye_cutoff_launch_set<Shape>(&bins.launch, function, CORE_RADIUS, debye_cutoff_block_extent(&bins.host));
  const dim3 blocks(parts_of(bench->grid, block[0]), parts_of(bench->grid, block[1]),
                    parts_of(bench->grid, block[2]));
  const auto kernel = debye_cutoff_float<Shape, FORM, false>;
  cudaFuncAttributes attributes;
  int resident = 0;
  check(cudaFuncGetAttributes(&attributes, kernel), name);
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, Shape::THREADS, 0), name);
  for (int i = 0; i < REPEATS; i++) {
    check(cudaEventRecord(bench->start), "starting the clock");
    kernel<<<blocks, Shape::THREADS>>>(bins.launch, bench->out);
    check(cudaGetLastError(), name);
    check(cudaEventRecord(bench->end), "stopping the clock");
    check(cudaEventSynchronize(bench->end), name);
    float milliseconds;
    check(cudaEventElapsedTime(&milliseconds, bench->start, bench->end), "reading the clock");
    best = fminf(best, milliseconds);
  }
  printf("%-38s %4zu^3 x %-8zu %3d registers %2d warps %9.3f ms  %.3f T evals/s in range  error %.2e\n", name,
         bench->grid, bench->n_atoms, attributes.numRegs, resident * Shape::WARPS, best,
         bench->pairs / best * 1e-9, map_error(bench));
  fflush(stdout);
  clear_bins(&bins);
  return best;
}

#define SMOOTH(bench, ...) \
  time_shape<DebyeCutoffShape<__VA_ARGS__>, DEBYE_PAIR_SCREENED>(bench, &smooth, "smooth " #__VA_ARGS__)

/* In use. */
using Production = DebyeCutoffShape<4, 8, 2, 2, 0, 5>;

static void
time_shapes(Bench *bench)
{
  const DebyePairFunction smooth = debye_pair_function_smoothing(DEBYE_SMOOTHING_SMOOTH, bench->cutoff);
  make_exact(bench, &smooth);
  /* Lanes in x, points in y, warps in x, in y, points by software, groups, unroll, seen. */
  SMOOTH(bench, 4, 8, 2, 2, 0, 5);
  SMOOTH(bench, 4, 8, 2, 2, 0, 6);
  SMOOTH(bench, 4, 8, 2, 2, 1, 5);
  SMOOTH(bench, 8, 8, 2, 2, 0, 5);
  SMOOTH(bench, 8, 8, 2, 2, 1, 5);
  SMOOTH(bench, 8, 8, 2, 2, 0, 6);
  SMOOTH(bench, 8, 8, 2, 2, 0, 5, 4);
  SMOOTH(bench, 8, 8, 2, 2, 0, 5, 2, 192);
  SMOOTH(bench, 8, 8, 2, 1, 0, 10);
  SMOOTH(bench, 8, 8, 1, 1, 0, 20);
  SMOOTH(bench, 8, 4, 2, 2, 0, 6);
  SMOOTH(bench, 8, 16, 2, 2, 0, 4);
}

static void
time_forms(Bench *bench)
{
  const double cutoff = bench->cutoff;
  const DebyePairFunction none = debye_pair_function_smoothing(DEBYE_SMOOTHING_NONE, cutoff);
  const DebyePairFunction shift = debye_pair_function_smoothing(DEBYE_SMOOTHING_SHIFT, cutoff);
  DebyePairFunction erfc;
  debye_pair_function_erfc(3.2 / cutoff, cutoff, 1e-5, &erfc, NULL);
  make_exact(bench, &none);
  time_shape<Production, DEBYE_PAIR_STEP>(bench, &none, "none");
  make_exact(bench, &shift);
  time_shape<Production, DEBYE_PAIR_EVEN_4>(bench, &shift, "shift");
  make_exact(bench, &erfc);
  printf("erfc takes %u coefficients\n", erfc.n_coefficients);
  time_shape<Production, DEBYE_PAIR_EVEN_12>(bench, &erfc, "erfc");
}

static void
time_sizes(double cutoff, double spacing)
{
  const DebyePairFunction smooth = debye_pair_function_smoothing(DEBYE_SMOOTHING_SMOOTH, cutoff);
  /* 100,000 to 10 million atoms. */
  const size_t grids[] = {200, 320, 500, 680, 928};
  for (size_t grid : grids) {
    Bench bench = {};
    make_bench(&bench, grid, cutoff, spacing);
    float milliseconds = time_shape<Production, DEBYE_PAIR_SCREENED>(&bench, &smooth, "size");
    printf("    %.4f ns a point\n", milliseconds * 1e6 / ((double)grid * grid * grid));
    cudaFree(bench.out);
    debye_random_system_clear(&bench.system);
  }
}

static double
seconds_now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* What bringing a map to the host costs: the bus into pinned memory, and from there into the caller's. */
static void
time_copies(void)
{
  const size_t bytes = (size_t)1 << 28;
  void *device, *pinned;
  check(cudaMalloc(&device, bytes), "allocating");
  check(cudaHostAlloc(&pinned, bytes, cudaHostAllocDefault), "allocating pinned memory");
  std::vector<char> plain(bytes, 1);
  double bus = INFINITY, host = INFINITY, direct = INFINITY;
  for (int i = 0; i < REPEATS; i++) {
    double start = seconds_now();
    check(cudaMemcpy(pinned, device, bytes, cudaMemcpyDeviceToHost), "copying");
    bus = fmin(bus, seconds_now() - start);
    start = seconds_now();
    memcpy(plain.data(), pinned, bytes);
    host = fmin(host, seconds_now() - start);
    start = seconds_now();
    check(cudaMemcpy(plain.data(), device, bytes, cudaMemcpyDeviceToHost), "copying");
    direct = fmin(direct, seconds_now() - start);
  }
  printf("to pinned memory %.1f GB/s, from there to the caller's %.1f GB/s, straight to the caller's %.1f "
         "GB/s\n",
         1e-9 * bytes / bus, 1e-9 * bytes / host, 1e-9 * bytes / direct);
  cudaFree(device);
  cudaFreeHost(pinned);
}

int
main(int argc, char **argv)
{
  size_t grid = argc > 1 ? strtoul(argv[1], NULL, 10) : 500;
  double cutoff = argc > 2 ? strtod(argv[2], NULL) : 12.0;
  double spacing = argc > 3 ? strtod(argv[3], NULL) : 0.5;
  if (grid == 0 || !(cutoff > 0.0 && spacing > 0.0)) {
    fprintf(stderr, "usage: bench_cutoff_shapes [GRID [CUTOFF [SPACING]]]\n");
    return 2;
  }
  Bench bench = {};
  make_bench(&bench, grid, cutoff, spacing);
  time_shapes(&bench);
  time_forms(&bench);
  cudaFree(bench.out);
  debye_random_system_clear(&bench.system);
  if (argc == 1) {
    time_sizes(cutoff, spacing);
    time_copies();
  }
  return 0;
}
