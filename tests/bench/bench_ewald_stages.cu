/* SPDX-License-Identifier: MIT */
/* What each stage of particle mesh Ewald takes on a GPU, by the device's own clock: the stages of
 * potential_ewald.cu called one by one, which is why its source is included here.
 *
 *   bench_ewald_stages [GRID] [ATOMS] [TOLERANCE] */
#include <math.h>
#include <stdio.h>

#include "kernels/cuda/potential/cutoff_short_range.cuh"
#include "kernels/cuda/potential/potential_ewald.cu"

extern "C" {
#include "tests/support/oracle_potential.h"
}

#define REPEATS 20

struct Stage {
  const char *name;
  DebyeStatusCode (*run)(DebyeEwaldPlan *plan, const DebyeCharges *charges, void *map, DebyeStatus *status);
};

static DebyeStatusCode
run_upload(DebyeEwaldPlan *plan, const DebyeCharges *charges, void *, DebyeStatus *status)
{
  return debye_staged_charges_set(&plan->sum.staged, charges, &plan->sum.stream, status);
}

static DebyeStatusCode
run_bins(DebyeEwaldPlan *plan, const DebyeCharges *, void *, DebyeStatus *status)
{
  const DebyeStatusCode code = debye_cuda_cutoff_begin_frame(
      plan->sum.near, &plan->sum.staged.charges, &plan->sum.settings.cell, &plan->sum.stream, status);
  return code == DEBYE_STATUS_OK ? debye_cuda_cutoff_end_frame(plan->sum.near, &plan->sum.stream, status)
                                 : code;
}

static DebyeStatusCode
run_spread(DebyeEwaldPlan *plan, const DebyeCharges *, void *, DebyeStatus *status)
{
  spread(plan);
  return debye_stream_report(&plan->sum.stream, "spreading", status);
}

static DebyeStatusCode
run_forward(DebyeEwaldPlan *plan, const DebyeCharges *, void *, DebyeStatus *status)
{
  return debye_cuda_fourier_real_forward(plan->mesh->fourier, plan->mesh->values, plan->mesh->modes, status);
}

static DebyeStatusCode
run_scale(DebyeEwaldPlan *plan, const DebyeCharges *, void *, DebyeStatus *status)
{
  scale(plan);
  return debye_stream_report(&plan->sum.stream, "scaling", status);
}

static DebyeStatusCode
run_backward(DebyeEwaldPlan *plan, const DebyeCharges *, void *, DebyeStatus *status)
{
  return debye_cuda_fourier_real_backward(plan->mesh->fourier, plan->mesh->modes, plan->mesh->values, status);
}

static DebyeStatusCode
run_interpolate(DebyeEwaldPlan *plan, const DebyeCharges *, void *map, DebyeStatus *status)
{
  interpolate(plan, {0, plan->sum.settings.grid.shape[2]}, map, true, &plan->sum.stream);
  return debye_stream_report(&plan->sum.stream, "interpolating", status);
}

static DebyeStatusCode
run_near(DebyeEwaldPlan *plan, const DebyeCharges *, void *map, DebyeStatus *status)
{
  debye_cuda_cutoff_enqueue(plan->sum.near, {0, plan->sum.settings.grid.shape[2]}, map, &plan->sum.stream);
  return debye_stream_report(&plan->sum.stream, "summing", status);
}

static DebyeStatusCode
run_all(DebyeEwaldPlan *plan, const DebyeCharges *charges, void *map, DebyeStatus *status)
{
  DebyeStatusCode code = run_upload(plan, charges, map, status);
  if (code == DEBYE_STATUS_OK)
    code = run_bins(plan, charges, map, status);
  if (code == DEBYE_STATUS_OK)
    code = fill_mesh(plan, status);
  if (code == DEBYE_STATUS_OK)
    code = run_near(plan, charges, map, status);
  return code == DEBYE_STATUS_OK ? run_interpolate(plan, charges, map, status) : code;
}

static double
time_stage(const Stage *stage, DebyeEwaldPlan *plan, const DebyeCharges *charges, void *map)
{
  cudaEvent_t begin, end;
  DebyeStatus status = {};
  float best = INFINITY, milliseconds = 0.0f;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  for (int i = 0; i < REPEATS; i++) {
    cudaEventRecord(begin, plan->sum.stream.handle);
    if (stage->run(plan, charges, map, &status) != DEBYE_STATUS_OK) {
      printf("%s\n", status.text);
      return NAN;
    }
    cudaEventRecord(end, plan->sum.stream.handle);
    if (cudaEventSynchronize(end) != cudaSuccess)
      return NAN;
    cudaEventElapsedTime(&milliseconds, begin, end);
    best = fminf(best, milliseconds);
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return best;
}

/* Root mean square of what a stage writes into an empty map: a stage that does nothing is the fastest. */
static double
size_of_result(const Stage *stage, DebyeEwaldPlan *plan, const DebyeCharges *charges, float *map, size_t n)
{
  DebyeStatus status = {};
  double square = 0.0;
  float *host = (float *)malloc(n * sizeof *host);
  if (host == NULL || cudaMemset(map, 0, n * sizeof *map) != cudaSuccess ||
      stage->run(plan, charges, map, &status) != DEBYE_STATUS_OK || cudaDeviceSynchronize() != cudaSuccess ||
      cudaMemcpy(host, map, n * sizeof *map, cudaMemcpyDeviceToHost) != cudaSuccess)
    square = NAN;
  for (size_t i = 0; host != NULL && i < n; i++)
    square += (double)host[i] * host[i];
  free(host);
  return sqrt(square / n);
}

int
main(int argc, char **argv)
{
  static const Stage stages[] = {
      {"charges looked through, to the device", run_upload},
      {"into bins", run_bins},
      {"onto the mesh", run_spread},
      {"forward transform", run_forward},
      {"factors", run_scale},
      {"backward transform", run_backward},
      {"interpolation", run_interpolate},
      {"short-range part", run_near},
      {"all of these", run_all},
  };
  const size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 128,
               atoms = argc > 2 ? strtoul(argv[2], NULL, 10) : 100000;
  const double edge = cbrt(atoms / 0.1), step = edge / n;
  DebyePotentialSettings settings = {};
  settings.method = DEBYE_POTENTIAL_EWALD;
  settings.grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), step, n, n, n);
  settings.core_radius = 1e-3;
  settings.max_charges = atoms;
  settings.max_planes = n;
  settings.periodic = DEBYE_PERIODIC_ALL;
  settings.cell = {{edge, 0.0, 0.0}, {0.0, edge, 0.0}, {0.0, 0.0, edge}};
  settings.tolerance = argc > 3 ? strtod(argv[3], NULL) : 1e-4;
  DebyeRandomSystem system =
      debye_random_system_new(atoms, debye_vec3(0.0, 0.0, 0.0), debye_vec3(edge, edge, edge), 1);
  DebyeKernelPlan *handle = NULL;
  DebyeStatus status = {};
  void *map = NULL;
  if (create(0, &settings, &handle, &status) != DEBYE_STATUS_OK ||
      set_charges(handle, &system.charges, &settings.cell, &status) != DEBYE_STATUS_OK ||
      cudaMalloc(&map, n * n * n * sizeof(float)) != cudaSuccess) {
    printf("%s\n", status.text);
    return 1;
  }
  DebyeEwaldPlan *plan = (DebyeEwaldPlan *)handle;
  printf("%zu atoms, map %zu^3, tolerance %g: order %u, mesh %zu^3, cutoff %.2f A\n", atoms, n,
         settings.tolerance, plan->ewald.order, plan->ewald.mesh[0], plan->ewald.cutoff);
  const size_t n_stages = sizeof stages / sizeof stages[0], n_points = n * n * n;
  for (const Stage &stage : stages)
    printf("  %-38s %8.4f ms\n", stage.name, time_stage(&stage, plan, &system.charges, map));
  printf("  root mean square of the map %.6g e/A, of its short-range part %.6g e/A\n",
         size_of_result(&stages[n_stages - 1], plan, &system.charges, (float *)map, n_points),
         size_of_result(&stages[n_stages - 2], plan, &system.charges, (float *)map, n_points));
  cudaFree(map);
  destroy(handle);
  debye_random_system_clear(&system);
  return 0;
}
