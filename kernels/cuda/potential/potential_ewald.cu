/* SPDX-License-Identifier: MIT */
/* Particle mesh Ewald on a GPU; its twin is cpu/potential/potential_ewald.c.
 *
 * A frame's charges are sorted for the short-range part and go through the mesh in streams of their own, on
 * the device. What is interpolated from the mesh is added chunk by chunk to the short-range part, which the
 * cutoff kernel leaves there. */
#include "potential_ewald.cuh"

#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/common/fourier.cuh"
#include "split_sum.cuh"

/* The mesh and what belongs to its size. */
typedef struct {
  DebyeCudaFourier *fourier;
  void *values;
  void *modes; /* before they are, the charges in fixed point */
  double *factors;
} Mesh;

typedef struct {
  DebyeSplitSum sum;
  DebyeEwald ewald;
  Mesh mesh;
  DebyeEwaldLaunch launch;
} DebyeEwaldPlan;

static DebyeFourierSettings
transform_of(const DebyePotentialSettings *settings, const DebyeEwald *ewald)
{
  DebyeFourierSettings transform = {};
  transform.real = true;
  transform.double_precision = settings->double_precision;
  for (int axis = 0; axis < 3; axis++)
    transform.shape[axis] = ewald->mesh[axis];
  transform.batch = 1;
  return transform;
}

static size_t
mesh_points(const DebyeEwald *ewald)
{
  return ewald->mesh[0] * ewald->mesh[1] * ewald->mesh[2];
}

/* The charges in fixed point and the modes share their memory. */
static size_t
modes_bytes(const DebyePotentialSettings *settings, const DebyeEwald *ewald)
{
  DebyeFourierSettings transform = transform_of(settings, ewald);
  const size_t modes = 2 * debye_fourier_n_complex(&transform) * debye_value_bytes(settings);
  const size_t fixed = mesh_points(ewald) * sizeof(unsigned long long);
  return modes > fixed ? modes : fixed;
}

static size_t
factors_bytes(const DebyeEwald *ewald)
{
  return (ewald->mesh[0] + ewald->mesh[1] + ewald->mesh[2]) * sizeof(double);
}

static uint64_t
bytes_needed(int device, const DebyePotentialSettings *settings)
{
  DebyeEwald ewald;
  (void)device;
  if (debye_potential_settings_check(settings, NULL) != DEBYE_STATUS_OK ||
      debye_ewald_choose(settings, &ewald, NULL) != DEBYE_STATUS_OK ||
      debye_split_sum_check(settings, NULL) != DEBYE_STATUS_OK)
    return SIZE_MAX;
  const DebyeFourierSettings transform = transform_of(settings, &ewald);
  const uint64_t mesh = mesh_points(&ewald) * debye_value_bytes(settings) + modes_bytes(settings, &ewald) +
                        debye_cuda_fourier_bytes(&transform) + factors_bytes(&ewald);
  const uint64_t sum = debye_split_sum_bytes(settings, settings->reciprocal_only ? 0.0 : ewald.cutoff);
  return sum < SIZE_MAX - mesh ? mesh + sum : SIZE_MAX;
}

static void
mesh_clear(Mesh *mesh)
{
  debye_cuda_fourier_destroy(mesh->fourier);
  cudaFree(mesh->values);
  cudaFree(mesh->modes);
  cudaFree(mesh->factors);
  *mesh = {};
}

static void
destroy(DebyePotentialPlan *handle)
{
  DebyeEwaldPlan *plan = (DebyeEwaldPlan *)handle;
  if (plan == NULL)
    return;
  debye_split_sum_clear(&plan->sum);
  mesh_clear(&plan->mesh);
  cudaGetLastError();
  free(plan);
}

static cudaError_t
upload_factors(const DebyeEwald *ewald, double *factors)
{
  double *host = (double *)malloc(factors_bytes(ewald)), *next = host;
  if (host == NULL)
    return cudaErrorMemoryAllocation;
  for (int axis = 0; axis < 3; axis++) {
    debye_ewald_factors(ewald->order, ewald->mesh[axis], next);
    next += ewald->mesh[axis];
  }
  cudaError_t error = debye_cuda_upload(factors, host, factors_bytes(ewald));
  free(host);
  return error;
}

static DebyeStatusCode
mesh_create(const DebyePotentialSettings *settings, const DebyeEwald *ewald, cudaStream_t stream, Mesh *mesh,
            DebyeStatus *status)
{
  *mesh = {};
  const DebyeFourierSettings transform = transform_of(settings, ewald);
  cudaError_t error = cudaMalloc(&mesh->values, mesh_points(ewald) * debye_value_bytes(settings));
  if (error == cudaSuccess)
    error = cudaMalloc(&mesh->modes, modes_bytes(settings, ewald));
  if (error == cudaSuccess)
    error = cudaMalloc((void **)&mesh->factors, factors_bytes(ewald));
  if (error == cudaSuccess)
    error = upload_factors(ewald, mesh->factors);
  DebyeStatusCode code = debye_cuda_status(error, "planning the mesh", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_fourier_create(&transform, stream, &mesh->fourier, status);
  if (code != DEBYE_STATUS_OK)
    mesh_clear(mesh);
  return code;
}

static void
use_mesh(DebyeEwaldPlan *plan)
{
  plan->launch.values = plan->mesh.values;
  plan->launch.modes = plan->mesh.modes;
  plan->launch.fixed = (unsigned long long *)plan->mesh.modes;
  const double *factor = plan->mesh.factors;
  for (int axis = 0; axis < 3; axis++) {
    plan->launch.frame.factor[axis] = factor;
    factor += plan->ewald.mesh[axis];
  }
}

static DebyeStatusCode
make_parts(DebyeEwaldPlan *plan, int device, const DebyePotentialSettings *settings, DebyeStatus *status)
{
  DebyePairFunction function;
  const bool is_smooth = settings->reciprocal_only;
  DebyeStatusCode code =
      is_smooth ? DEBYE_STATUS_OK : debye_ewald_pair_function(&plan->ewald, settings, &function, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_split_sum_init(&plan->sum, device, settings, is_smooth ? NULL : &function, status);
  return code == DEBYE_STATUS_OK ? mesh_create(settings, &plan->ewald, plan->sum.stream, &plan->mesh, status)
                                 : code;
}

static DebyeStatusCode
create(int device, const DebyePotentialSettings *settings, DebyePotentialPlan **plan, DebyeStatus *status)
{
  *plan = NULL;
  DebyeEwald ewald;
  DebyeStatusCode code = debye_potential_settings_check(settings, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_ewald_choose(settings, &ewald, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_split_sum_check(settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  DebyeEwaldPlan *made = (DebyeEwaldPlan *)calloc(1, sizeof *made);
  if (made == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a plan.");
  made->ewald = ewald;
  code = make_parts(made, device, settings, status);
  if (code != DEBYE_STATUS_OK) {
    destroy((DebyePotentialPlan *)made);
    return code;
  }
  *plan = (DebyePotentialPlan *)made;
  return debye_status_ok(status);
}

/* A larger mesh where the cell has outgrown the one there is. */
static DebyeStatusCode
follow_cell(DebyeEwaldPlan *plan, const DebyeCell *cell, DebyeStatus *status)
{
  DebyeEwald ewald = plan->ewald;
  Mesh larger;
  if (!debye_ewald_follow(&plan->sum.settings, cell, &ewald))
    return DEBYE_STATUS_OK;
  DebyeStatusCode code = mesh_create(&plan->sum.settings, &ewald, plan->sum.stream, &larger, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  mesh_clear(&plan->mesh);
  plan->mesh = larger;
  plan->ewald = ewald;
  return DEBYE_STATUS_OK;
}

static DebyeEwaldKernels
kernels_of(const DebyeEwaldPlan *plan)
{
  return plan->sum.settings.double_precision ? debye_ewald_kernels<double>(plan->ewald.order)
                                             : debye_ewald_kernels<float>(plan->ewald.order);
}

static cudaError_t
spread(DebyeEwaldPlan *plan)
{
  const DebyeEwaldKernels kernels = kernels_of(plan);
  const size_t n = mesh_points(&plan->ewald);
  cudaError_t error = cudaMemsetAsync(plan->mesh.modes, 0, n * sizeof(unsigned long long), plan->sum.stream);
  void *arguments[] = {&plan->launch, (void *)&n};
  if (error == cudaSuccess && plan->launch.atoms.n > 0)
    error = cudaLaunchKernel(kernels.spread, dim3(debye_blocks_for(plan->launch.atoms.n, DEBYE_EWALD_ATOMS)),
                             dim3(DEBYE_EWALD_THREADS), arguments, 0, plan->sum.stream);
  if (error == cudaSuccess)
    error = cudaLaunchKernel(kernels.convert, dim3(debye_blocks_for(n, 256)), dim3(256), arguments, 0,
                             plan->sum.stream);
  return error;
}

static cudaError_t
scale(DebyeEwaldPlan *plan)
{
  const size_t *n = plan->ewald.mesh;
  const dim3 threads(32, 8), blocks(debye_blocks_for(n[1] * n[2], 8), debye_blocks_for(n[0] / 2 + 1, 32));
  void *arguments[] = {&plan->launch};
  return cudaLaunchKernel(kernels_of(plan).scale, blocks, threads, arguments, 0, plan->sum.stream);
}

/* All of a frame's work on the mesh into the stream. */
static DebyeStatusCode
fill_mesh(DebyeEwaldPlan *plan, DebyeStatus *status)
{
  Mesh *mesh = &plan->mesh;
  DebyeStatusCode code = debye_cuda_status(spread(plan), "spreading the charges", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_fourier_real_forward(mesh->fourier, mesh->values, mesh->modes, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(scale(plan), "scaling the mesh", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_fourier_real_backward(mesh->fourier, mesh->modes, mesh->values, status);
  return code;
}

static DebyeStatusCode
set_charges(DebyePotentialPlan *handle, const DebyeCharges *charges, const DebyeCell *cell,
            DebyeStatus *status)
{
  DebyeEwaldPlan *plan = (DebyeEwaldPlan *)handle;
  DebyeEwaldLaunch *launch = &plan->launch;
  DebyeStatusCode code = debye_ewald_cell_check(cell, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_split_sum_set_charges(&plan->sum, charges, cell, status);
  if (code == DEBYE_STATUS_OK)
    code = follow_cell(plan, cell, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  debye_ewald_frame_set(&plan->ewald, cell, &launch->frame);
  use_mesh(plan);
  launch->atoms = debye_split_sum_atoms(&plan->sum);
  code = fill_mesh(plan, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_split_sum_finish_near(&plan->sum, status);
  return code == DEBYE_STATUS_OK ? debye_split_sum_finish(&plan->sum, status) : code;
}

/* The smooth part of some planes. */
static cudaError_t
interpolate(void *context, DebyeSlab planes, void *out, bool adds, cudaStream_t stream)
{
  DebyeEwaldPlan *plan = (DebyeEwaldPlan *)context;
  const DebyeSplitSum *sum = &plan->sum;
  const DebyeEwaldGrid grid = debye_ewald_grid(&plan->launch.frame, &sum->settings.grid);
  return debye_split_sum_interpolate(sum, kernels_of(plan).interpolate, &plan->launch, &grid, planes, out,
                                     adds, stream);
}

static DebyeStatusCode
execute(DebyePotentialPlan *handle, DebyeSlab slab, float *out, double *out_double,
        const DebyeMeanwhile *meanwhile, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeEwaldPlan *plan = (DebyeEwaldPlan *)handle;
  (void)meanwhile;
  return debye_split_sum_execute(&plan->sum, slab, out, out_double, interpolate, plan, cancel, status);
}

extern "C" const DebyePotentialKernel debye_cuda_ewald = {
    .bytes_needed = bytes_needed,
    .create = create,
    .set_charges = set_charges,
    .execute = execute,
    .destroy = destroy,
};
