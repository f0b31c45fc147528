/* SPDX-License-Identifier: MIT */
/* The kernel of the direct sum in many shapes, and the field's textbook kernel, on the first GPU: the
 * kernels' own time, without copies. What is fastest here is what kernels/cuda/potential/potential_direct.cu
 * should use.
 *
 *   bench_direct_shapes [GRID [ATOMS]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#include "kernels/cuda/potential/potential_direct.cuh"
extern "C" {
#include "tests/support/oracle_potential.h"
}

#define SPACING 0.5
#define CORE_RADIUS 1e-3
#define REPEATS 3
/* The planes whose values are compared with the double kernel's. */
#define COMPARED_PLANES 4

static void
check(cudaError_t error, const char *what)
{
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

struct Bench {
  DebyeDirectLaunch launch;
  size_t grid, n_atoms, first_compared;
  float *out;
  std::vector<float> values;
  std::vector<double> exact;
  cudaEvent_t start, end;
};

/* The textbook's gather kernel: atoms from constant memory, one point a thread. Few atoms a launch, so that
 * they stay in the nearest constant cache: with 1,024 it is eight times slower. */

#define TEXTBOOK_ATOMS 64
static __constant__ float4 textbook_atoms[TEXTBOOK_ATOMS];

static __global__ void
textbook(float *out, int n, float spacing, int n_atoms)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z;
  if (i >= n || j >= n)
    return;
  float x = i * spacing, y = j * spacing, z = k * spacing, sum = 0.0f;
  for (int atom = 0; atom < n_atoms; atom++) {
    float dx = x - textbook_atoms[atom].x, dy = y - textbook_atoms[atom].y, dz = z - textbook_atoms[atom].z;
    sum += textbook_atoms[atom].w * rsqrtf(dx * dx + dy * dy + dz * dz);
  }
  out[((size_t)k * n + j) * n + i] += sum;
}

static void
launch_textbook(const Bench *bench, const std::vector<float4> &atoms)
{
  int n = (int)bench->grid;
  dim3 threads(32, 8), blocks((n + 31) / 32, (n + 7) / 8, n);
  check(cudaMemsetAsync(bench->out, 0, sizeof(float) * n * n * n), "clearing the map");
  for (size_t first = 0; first < bench->n_atoms; first += TEXTBOOK_ATOMS) {
    size_t count = bench->n_atoms - first < TEXTBOOK_ATOMS ? bench->n_atoms - first : TEXTBOOK_ATOMS;
    check(cudaMemcpyToSymbolAsync(textbook_atoms, atoms.data() + first, count * sizeof(float4)),
          "copying atoms");
    textbook<<<blocks, threads>>>(bench->out, n, (float)SPACING, (int)count);
  }
}

/* Root mean square of the difference over that of the map, on the compared planes. */
static double
map_error(Bench *bench)
{
  size_t offset = bench->first_compared * bench->grid * bench->grid;
  check(cudaMemcpy(bench->values.data(), bench->out + offset, bench->values.size() * sizeof(float),
                   cudaMemcpyDeviceToHost),
        "copying the map");
  double difference = 0.0, square = 0.0;
  for (size_t i = 0; i < bench->values.size(); i++) {
    double error = bench->values[i] - bench->exact[i];
    difference += error * error;
    square += bench->exact[i] * bench->exact[i];
  }
  return sqrt(difference / square);
}

template <class Launch>
static void
time_kernel(Bench *bench, const char *name, int registers, int warps, Launch launch)
{
  float best = INFINITY;
  for (int i = 0; i < REPEATS; i++) {
    check(cudaEventRecord(bench->start), "starting the clock");
    launch();
    check(cudaGetLastError(), name);
    check(cudaEventRecord(bench->end), "stopping the clock");
    check(cudaEventSynchronize(bench->end), name);
    float milliseconds;
    check(cudaEventElapsedTime(&milliseconds, bench->start, bench->end), "reading the clock");
    best = fminf(best, milliseconds);
  }
  double pairs = (double)bench->grid * bench->grid * bench->grid * bench->n_atoms;
  printf("%-34s %3d registers %2d warps  %9.3f ms  %.3f T evals/s  error %.2e\n", name, registers, warps,
         best, pairs / best * 1e-9, map_error(bench));
  fflush(stdout);
}

template <class Shape>
static void
time_shape(Bench *bench, const char *name)
{
  size_t n = bench->grid;
  dim3 blocks((unsigned)((n + Shape::BLOCK_X - 1) / Shape::BLOCK_X),
              (unsigned)((n + Shape::BLOCK_Y - 1) / Shape::BLOCK_Y), (unsigned)n);
  cudaFuncAttributes attributes;
  int resident = 0;
  check(cudaFuncGetAttributes(&attributes, (const void *)debye_direct_float<Shape, false>), name);
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, debye_direct_float<Shape, false>,
                                                      Shape::THREADS, 0),
        name);
  time_kernel(bench, name, attributes.numRegs, resident * Shape::WARPS, [&] {
    debye_direct_float<Shape, false><<<blocks, Shape::THREADS>>>(bench->launch, bench->out);
  });
}

#define TIME(...) time_shape<DebyeDirectShape<__VA_ARGS__>>(bench, #__VA_ARGS__)

static void
time_shapes(Bench *bench)
{
  printf("points in x, in y, lanes in x, warps, software points, blocks at least, unroll\n");
  TIME(8, 4, 8, 4, 0, 4);
  TIME(8, 4, 8, 4, 4, 4);
  TIME(8, 4, 8, 4, 6, 4);
  TIME(8, 4, 8, 4, 8, 4);
  TIME(8, 4, 8, 4, 8, 5);
  TIME(8, 4, 8, 4, 9, 5);
  TIME(8, 4, 8, 4, 10, 5);
  TIME(8, 4, 8, 4, 8, 6);
  TIME(8, 4, 8, 2, 8, 10);
  TIME(8, 4, 8, 2, 9, 10);
  TIME(4, 8, 8, 4, 8, 5);
  TIME(4, 4, 8, 4, 0, 6);
  TIME(4, 4, 8, 4, 3, 6);
  TIME(4, 4, 8, 4, 4, 6);
  TIME(4, 4, 8, 4, 5, 6);
  TIME(4, 4, 8, 4, 4, 8);
  TIME(4, 4, 8, 4, 4, 6, 2);
  TIME(4, 4, 8, 4, 5, 6, 2);
  TIME(4, 4, 8, 4, 6, 6, 2);
  TIME(4, 4, 8, 4, 5, 6, 4);
  TIME(4, 4, 8, 4, 5, 7, 2);
  TIME(4, 4, 8, 2, 5, 12, 2);
  TIME(4, 4, 8, 8, 5, 3, 2);
  TIME(4, 4, 16, 4, 5, 6, 2);
  TIME(4, 4, 4, 4, 5, 6, 2);
  TIME(8, 2, 8, 4, 4, 6, 2);
  TIME(8, 2, 8, 4, 4, 8);
}

/* The double kernel's values on the compared planes. */
static void
make_exact(Bench *bench, const DebyeTurnedGrid &grid, const DebyeCharges *charges)
{
  std::vector<DebyeExactAtom> atoms(charges->n);
  DebyeTurnedAtoms layout = {};
  layout.exact[0] = &atoms[0].x;
  layout.exact[1] = &atoms[0].y;
  layout.exact[2] = &atoms[0].z;
  layout.exact_charge = &atoms[0].charge;
  layout.stride = 4;
  debye_turned_atoms_set(&grid, charges, charges->n, &layout, NULL);
  DebyeExactAtom *atoms_device;
  double *out;
  size_t n_values = COMPARED_PLANES * bench->grid * bench->grid;
  check(cudaMalloc((void **)&atoms_device, atoms.size() * sizeof(DebyeExactAtom)), "allocating");
  check(cudaMalloc((void **)&out, n_values * sizeof(double)), "allocating");
  check(cudaMemcpy(atoms_device, atoms.data(), atoms.size() * sizeof(DebyeExactAtom), cudaMemcpyHostToDevice),
        "copying atoms");
  DebyeDirectLaunch launch = bench->launch;
  launch.exact = atoms_device;
  launch.first_plane = bench->first_compared;
  dim3 blocks((unsigned)((bench->grid + DEBYE_DOUBLE_THREADS - 1) / DEBYE_DOUBLE_THREADS),
              (unsigned)bench->grid, COMPARED_PLANES);
  check(cudaEventRecord(bench->start), "starting the clock");
  debye_direct_double<double, false><<<blocks, DEBYE_DOUBLE_THREADS>>>(launch, out);
  check(cudaEventRecord(bench->end), "stopping the clock");
  bench->exact.resize(n_values);
  bench->values.resize(n_values);
  check(cudaMemcpy(bench->exact.data(), out, n_values * sizeof(double), cudaMemcpyDeviceToHost),
        "copying the map");
  float milliseconds;
  check(cudaEventElapsedTime(&milliseconds, bench->start, bench->end), "reading the clock");
  printf("%-34s %.3f T evals/s\n", "double", (double)n_values * bench->n_atoms / milliseconds * 1e-9);
  cudaFree(out);
  cudaFree(atoms_device);
}

int
main(int argc, char **argv)
{
  Bench bench = {};
  bench.grid = argc > 1 ? strtoul(argv[1], NULL, 10) : 256;
  bench.n_atoms = argc > 2 ? strtoul(argv[2], NULL, 10) : 16384;
  bench.first_compared = bench.grid / 2;
  if (bench.grid < 2 * COMPARED_PLANES || bench.n_atoms == 0) {
    fprintf(stderr, "bench_direct_shapes [GRID [ATOMS]]: a grid of at least %d, at least one atom\n",
            2 * COMPARED_PLANES);
    return 2;
  }
  double edge = SPACING * bench.grid;
  DebyeRandomSystem system =
      debye_random_system_new(bench.n_atoms, debye_vec3(0.0, 0.0, 0.0), debye_vec3(edge, edge, edge), 1);
  DebyeGrid grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), SPACING, bench.grid, bench.grid, bench.grid);
  DebyeTurnedGrid turned = debye_turned_grid(&grid);

  std::vector<float> atoms(8 * bench.n_atoms, 0.0f);
  DebyeTurnedAtoms layout = {};
  for (int axis = 0; axis < 3; axis++) {
    layout.high[axis] = atoms.data() + axis;
    layout.low[axis] = atoms.data() + 4 + axis;
  }
  layout.charge = atoms.data() + 3;
  layout.stride = 8;
  debye_turned_atoms_set(&turned, &system.charges, bench.n_atoms, &layout, NULL);
  std::vector<float4> plain(bench.n_atoms);
  for (size_t i = 0; i < bench.n_atoms; i++)
    plain[i] = make_float4(atoms[8 * i], atoms[8 * i + 1], atoms[8 * i + 2], atoms[8 * i + 3]);

  float *atoms_device;
  int *stop;
  check(cudaMalloc((void **)&atoms_device, atoms.size() * sizeof(float)), "allocating");
  check(cudaMemcpy(atoms_device, atoms.data(), atoms.size() * sizeof(float), cudaMemcpyHostToDevice),
        "copying atoms");
  check(cudaMalloc((void **)&bench.out, sizeof(float) * bench.grid * bench.grid * bench.grid), "allocating");
  check(cudaHostAlloc((void **)&stop, sizeof *stop, cudaHostAllocMapped), "allocating");
  *stop = 0;
  check(cudaEventCreate(&bench.start), "making an event");
  check(cudaEventCreate(&bench.end), "making an event");
  bench.launch.grid = turned;
  bench.launch.atoms = (const float4 *)atoms_device;
  bench.launch.end_atom = bench.n_atoms;
  bench.launch.core_radius = (float)CORE_RADIUS;
  bench.launch.core2 = (float)(CORE_RADIUS * CORE_RADIUS);
  bench.launch.exact_core2 = CORE_RADIUS * CORE_RADIUS;
  bench.launch.stop = stop;

  printf("%zu^3 points x %zu atoms, kernels alone\n", bench.grid, bench.n_atoms);
  make_exact(&bench, turned, &system.charges);
  time_kernel(&bench, "textbook gather kernel", 0, 0, [&] { launch_textbook(&bench, plain); });
  time_shapes(&bench);
  debye_random_system_clear(&system);
  return 0;
}
