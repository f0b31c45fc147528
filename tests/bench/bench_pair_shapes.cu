/* SPDX-License-Identifier: MIT */
/* The pair histogram's kernel in many shapes on the first GPU, by the device's own clock, and the rate of the
 * instruction that it can't do without: adding one to a counter in shared memory. What is fastest here is
 * what kernels/cuda/pairs/pair_histogram.cuh should use. The source of its launches is included for that.
 *
 *   bench_pair_shapes [ATOMS] [R_MAX] [BINS]
 *
 * Atoms at random, 0.1 per Å³, in a cube; R_MAX 0, the default, is half its edge. Counts are compared with
 * the first shape's. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#include "kernels/cuda/pairs/pair_histogram.cu"
#include "kernels/cuda/pairs/pair_histogram.cuh"

extern "C" {
#include "tests/support/pair_systems.h"
}

#define REPEATS 2
#define COUNTED 4096

static void
check(cudaError_t error, const char *what)
{
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

template <class Run>
static float
best_of(Run run)
{
  cudaEvent_t start, end;
  float best = INFINITY;
  check(cudaEventCreate(&start), "a clock");
  check(cudaEventCreate(&end), "a clock");
  for (int i = 0; i < REPEATS; i++) {
    float milliseconds;
    run(start, end);
    check(cudaEventSynchronize(end), "running");
    check(cudaEventElapsedTime(&milliseconds, start, end), "reading the clock");
    best = fminf(best, milliseconds);
  }
  check(cudaEventDestroy(start), "a clock");
  check(cudaEventDestroy(end), "a clock");
  return best;
}

/* Counters in shared memory alone, each lane its own bank. */
static __global__ void
add_ones(unsigned *out)
{
  __shared__ unsigned counters[32 * 64];
  for (unsigned i = threadIdx.x; i < 32 * 64; i += blockDim.x)
    counters[i] = 0;
  __syncthreads();
  unsigned at = (unsigned)__cvta_generic_to_shared(counters) + 4 * (threadIdx.x % 32);
#pragma unroll 16
  for (unsigned k = 0; k < COUNTED; k++)
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(at + 128 * ((threadIdx.x / 32 + k) % 64)));
  __syncthreads();
  out[threadIdx.x] = counters[threadIdx.x];
}

static void
time_counters(int multiprocessors)
{
  unsigned *out;
  check(cudaMalloc(&out, 1024 * sizeof *out), "memory");
  const float best = best_of([&](cudaEvent_t start, cudaEvent_t end) {
    check(cudaEventRecord(start), "the clock");
    add_ones<<<multiprocessors, 1024>>>(out);
    check(cudaEventRecord(end), "the clock");
  });
  const double n = 1024.0 * COUNTED * multiprocessors;
  printf("counters in shared memory alone: %.3e a second\n", n / best * 1e3);
  check(cudaFree(out), "memory");
}

struct Bench {
  DebyePairSystem system;
  DebyePairSettings settings;
  DebyeCudaPairPlan *plan;
  std::vector<unsigned long long> first;
};

static void
make_plan(Bench *bench, unsigned tile_atoms)
{
  DebyeStatus status = {};
  bench->settings.tile_atoms = tile_atoms;
  DebyeKernelPlan *plan = NULL;
  const DebyeStatusCode code = create(0, &bench->settings, &plan, &status);
  bench->plan = (DebyeCudaPairPlan *)plan;
  if (code != DEBYE_STATUS_OK || set_frame(plan, &bench->system.frame, &status) != DEBYE_STATUS_OK) {
    fprintf(stderr, "%s\n", status.text);
    exit(1);
  }
}

template <class Shape>
static void
time_shape(Bench *bench, const char *name)
{
  if (bench->plan == NULL || bench->plan->launch.layout.tile_atoms != (unsigned)Shape::TILE) {
    destroy((DebyeKernelPlan *)bench->plan);
    make_plan(bench, Shape::TILE);
  }
  DebyeCudaPairPlan *plan = bench->plan;
  const DebyePairKernel kernel = debye_pair_kernel_of_shape<Shape>();
  const uint64_t tasks = count_tasks(plan);
  const size_t n = debye_cuda_pair_values(&plan->settings);
  cudaFuncAttributes attributes;
  check(cudaFuncGetAttributes(&attributes, kernel.kernel), name);
  const float best = best_of([&](cudaEvent_t start, cudaEvent_t end) {
    DebyeStream *stream = &plan->stream;
    debye_stream_clear(stream, plan->counts,
                       debye_cuda_pair_counters(&plan->settings) * sizeof *plan->counts);
    debye_stream_record(stream, start);
    launch_kernel(plan, 0, tasks, kernel);
    debye_stream_record(stream, end);
    check(stream->error, name);
  });
  std::vector<unsigned long long> counts(n);
  check(cudaMemcpy(counts.data(), plan->counts, n * sizeof counts[0], cudaMemcpyDeviceToHost), name);
  if (bench->first.empty())
    bench->first = counts;
  const double atoms = (double)bench->system.frame.n, pairs = 0.5 * atoms * atoms;
  printf("%2zu groups  %-24s %3d registers %2u counters a bin  %9.3f ms  %.3f T pairs/s%s\n",
         bench->settings.n_groups, name, attributes.numRegs, plan->launch.copies, best, pairs / best * 1e-9,
         counts == bench->first ? "" : "  OTHER COUNTS");
  fflush(stdout);
}

#define TIME(...) time_shape<DebyePairShape<__VA_ARGS__>>(bench, #__VA_ARGS__)

static void
time_shapes(Bench *bench)
{
  printf("atoms a lane, warps, shared, unroll\n");
  TIME(4, 32, true, 1);
  TIME(4, 32, true, 2);
  TIME(4, 32, true, 4);
  TIME(4, 32, true, 8);
  TIME(4, 24, true, 4);
  TIME(4, 16, true, 4);
  TIME(2, 32, true, 4);
  TIME(2, 32, true, 8);
  TIME(8, 16, true, 2);
}

int
main(int argc, char **argv)
{
  const size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
  const double edge = cbrt((double)n / 0.1), given = argc > 2 ? strtod(argv[2], NULL) : 0.0;
  const DebyeCell cell = {{edge, 0.0, 0.0}, {0.0, edge, 0.0}, {0.0, 0.0, edge}};
  int multiprocessors = 0;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "the device");
  time_counters(multiprocessors);
  for (size_t groups = 1; groups <= 4; groups += 3) {
    Bench bench = {};
    DebyeGroupPair *pairs;
    const size_t n_pairs = debye_all_group_pairs(groups, &pairs);
    bench.system = debye_pair_random(n, &cell, groups, 0.0, 1);
    bench.system.frame.cell = &bench.system.cell;
    bench.settings.max_atoms = n;
    bench.settings.n_groups = groups;
    bench.settings.pairs = pairs;
    bench.settings.n_pairs = n_pairs;
    bench.settings.r_max = given > 0.0 ? given : 0.5 * edge;
    bench.settings.n_bins = argc > 3 ? strtoul(argv[3], NULL, 10) : 1000;
    time_shapes(&bench);
    destroy((DebyeKernelPlan *)bench.plan);
    free(pairs);
    debye_pair_system_clear(&bench.system);
  }
  return 0;
}
