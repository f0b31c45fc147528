/* SPDX-License-Identifier: MIT */
/* Particle mesh Ewald on a GPU; its twin is cpu/potential/potential_ewald.c.
 *
 * A frame's charges are sorted for the short-range part and go through the mesh in streams of their own, on
 * the device. What is interpolated from the mesh is added chunk by chunk to the short-range part, which the
 * cutoff kernel leaves there. */
#include "potential_ewald.cuh"

#include "kernels/cuda/common/fourier.cuh"
#include "split_sum.cuh"

/* The mesh and what belongs to its size: a plan within the plan, since it is made anew where a cell outgrows
 * it. */
typedef struct {
  const DebyePotentialSettings *potential;
  DebyeEwald ewald;
  cudaStream_t stream;
} MeshSettings;

typedef struct {
  MeshSettings settings;
  DebyeFourierSettings transform;
  DebyeCudaFourier *fourier;
  char *values;
  char *modes; /* before they are, the charges in fixed point */
  double *factors, *factors_host;
} Mesh;

typedef struct {
  DebyeSplitSum sum;
  DebyeEwald ewald;
  uint64_t mesh_bytes;
  Mesh *mesh;
  DebyeEwaldLaunch launch;
} DebyeEwaldPlan;

static size_t
mesh_points(const DebyeEwald *ewald)
{
  return ewald->mesh[0] * ewald->mesh[1] * ewald->mesh[2];
}

static size_t
count_factors(const DebyeEwald *ewald)
{
  return ewald->mesh[0] + ewald->mesh[1] + ewald->mesh[2];
}

static DebyeStatusCode
set_up_mesh(void *made, int device, const void *settings, DebyeStatus *status)
{
  Mesh *mesh = (Mesh *)made;
  (void)device;
  mesh->settings = *(const MeshSettings *)settings;
  mesh->transform.real = true;
  mesh->transform.double_precision = mesh->settings.potential->double_precision;
  for (int axis = 0; axis < 3; axis++)
    mesh->transform.shape[axis] = mesh->settings.ewald.mesh[axis];
  mesh->transform.batch = 1;
  return debye_status_ok(status);
}

/* The charges in fixed point and the modes share their memory. */
static void
list_mesh(void *made, DebyePlanMemory *memory)
{
  Mesh *mesh = (Mesh *)made;
  const DebyeEwald *ewald = &mesh->settings.ewald;
  const size_t value = mesh->transform.double_precision ? sizeof(double) : sizeof(float);
  const size_t modes = 2 * debye_fourier_n_complex(&mesh->transform) * value,
               fixed = mesh_points(ewald) * sizeof(unsigned long long);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, mesh->values, mesh_points(ewald) * value);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, mesh->modes, modes > fixed ? modes : fixed);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, mesh->factors, count_factors(ewald));
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, mesh->factors_host, count_factors(ewald));
  debye_plan_memory_add_bytes(memory, debye_cuda_fourier_bytes(&mesh->transform));
}

static DebyeStatusCode
prepare_mesh(void *made, DebyeStatus *status)
{
  Mesh *mesh = (Mesh *)made;
  const DebyeEwald *ewald = &mesh->settings.ewald;
  double *next = mesh->factors_host;
  for (int axis = 0; axis < 3; axis++) {
    debye_ewald_factors(ewald->order, ewald->mesh[axis], next);
    next += ewald->mesh[axis];
  }
  const DebyeStatusCode code = debye_cuda_status(
      debye_cuda_upload(mesh->factors, mesh->factors_host, count_factors(ewald) * sizeof(double)),
      "planning the mesh", status);
  return code == DEBYE_STATUS_OK
             ? debye_cuda_fourier_create(&mesh->transform, mesh->settings.stream, &mesh->fourier, status)
             : code;
}

static void
clear_mesh(void *made)
{
  debye_cuda_fourier_destroy(((Mesh *)made)->fourier);
}

static const DebyePlanKind mesh_kind = {
    .size = sizeof(Mesh),
    .source = &debye_cuda_memory_source,
    .set_up = set_up_mesh,
    .list_memory = list_mesh,
    .prepare = prepare_mesh,
    .clear = clear_mesh,
};

static void
use_mesh(DebyeEwaldPlan *plan)
{
  plan->launch.values = plan->mesh->values;
  plan->launch.modes = plan->mesh->modes;
  plan->launch.fixed = (unsigned long long *)plan->mesh->modes;
  const double *factor = plan->mesh->factors;
  for (int axis = 0; axis < 3; axis++) {
    plan->launch.frame.factor[axis] = factor;
    factor += plan->ewald.mesh[axis];
  }
}

static DebyeStatusCode
make_mesh(const DebyeEwaldPlan *plan, const DebyeEwald *ewald, Mesh **mesh, DebyeStatus *status)
{
  const MeshSettings settings = {&plan->sum.settings, *ewald, plan->sum.stream.handle};
  void *made = NULL;
  const DebyeStatusCode code = debye_plan_create(&mesh_kind, plan->sum.device, &settings, &made, status);
  *mesh = (Mesh *)made;
  return code;
}

static DebyeStatusCode
set_up(void *made, int device, const void *data, DebyeStatus *status)
{
  DebyeEwaldPlan *plan = (DebyeEwaldPlan *)made;
  const DebyePotentialSettings *settings = (const DebyePotentialSettings *)data;
  DebyePairFunction function;
  DebyeStatusCode code = debye_potential_settings_check(settings, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_ewald_choose(settings, &plan->ewald, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_split_sum_check(settings, status);
  if (code == DEBYE_STATUS_OK && !settings->reciprocal_only)
    code = debye_ewald_pair_function(&plan->ewald, settings, &function, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  debye_split_sum_set_up(&plan->sum, device, settings, settings->reciprocal_only ? NULL : &function);
  const MeshSettings mesh = {settings, plan->ewald, NULL};
  plan->mesh_bytes = debye_plan_bytes(&mesh_kind, device, &mesh);
  return code;
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  DebyeEwaldPlan *plan = (DebyeEwaldPlan *)made;
  debye_split_sum_list(&plan->sum, memory);
  debye_plan_memory_add_bytes(memory, plan->mesh_bytes);
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  DebyeEwaldPlan *plan = (DebyeEwaldPlan *)made;
  const DebyeStatusCode code = debye_split_sum_open(&plan->sum, status);
  return code == DEBYE_STATUS_OK ? make_mesh(plan, &plan->ewald, &plan->mesh, status) : code;
}

static void
clear(void *made)
{
  DebyeEwaldPlan *plan = (DebyeEwaldPlan *)made;
  debye_split_sum_close(&plan->sum);
  debye_plan_destroy(&mesh_kind, plan->mesh);
}

DEBYE_PLAN(DebyeEwaldPlan, debye_cuda_memory_source, .prepare = prepare, .clear = clear)

/* A larger mesh where the cell has outgrown the one there is. */
static DebyeStatusCode
follow_cell(DebyeEwaldPlan *plan, const DebyeCell *cell, DebyeStatus *status)
{
  DebyeEwald ewald = plan->ewald;
  Mesh *larger;
  if (!debye_ewald_follow(&plan->sum.settings, cell, &ewald))
    return DEBYE_STATUS_OK;
  const DebyeStatusCode code = make_mesh(plan, &ewald, &larger, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  debye_plan_destroy(&mesh_kind, plan->mesh);
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

static void
spread(DebyeEwaldPlan *plan)
{
  const DebyeEwaldKernels kernels = kernels_of(plan);
  DebyeStream *stream = &plan->sum.stream;
  const size_t n = mesh_points(&plan->ewald);
  void *arguments[] = {&plan->launch, (void *)&n};
  debye_stream_clear(stream, plan->mesh->modes, n * sizeof(unsigned long long));
  if (plan->launch.atoms.n > 0)
    debye_stream_launch(stream, kernels.spread,
                        dim3(debye_blocks_for(plan->launch.atoms.n, DEBYE_EWALD_ATOMS)),
                        dim3(DEBYE_EWALD_THREADS), arguments);
  debye_stream_launch(stream, kernels.convert, dim3(debye_blocks_for(n, 256)), dim3(256), arguments);
}

static void
scale(DebyeEwaldPlan *plan)
{
  const size_t *n = plan->ewald.mesh;
  const dim3 threads(32, 8), blocks(debye_blocks_for(n[1] * n[2], 8), debye_blocks_for(n[0] / 2 + 1, 32));
  void *arguments[] = {&plan->launch};
  debye_stream_launch(&plan->sum.stream, kernels_of(plan).scale, blocks, threads, arguments);
}

/* All of a frame's work on the mesh into the stream. */
static DebyeStatusCode
fill_mesh(DebyeEwaldPlan *plan, DebyeStatus *status)
{
  Mesh *mesh = plan->mesh;
  spread(plan);
  DebyeStatusCode code = debye_stream_report(&plan->sum.stream, "spreading the charges", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_fourier_real_forward(mesh->fourier, mesh->values, mesh->modes, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  scale(plan);
  code = debye_stream_report(&plan->sum.stream, "scaling the mesh", status);
  return code == DEBYE_STATUS_OK
             ? debye_cuda_fourier_real_backward(mesh->fourier, mesh->modes, mesh->values, status)
             : code;
}

/* The charges are on their way to the device. */
static DebyeStatusCode
use_charges(DebyeEwaldPlan *plan, const DebyeCell *cell, DebyeStatus *status)
{
  DebyeEwaldLaunch *launch = &plan->launch;
  DebyeStatusCode code = follow_cell(plan, cell, status);
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

static DebyeStatusCode
set_charges(DebyeKernelPlan *handle, const DebyeCharges *charges, const DebyeCell *cell, DebyeStatus *status)
{
  DebyeEwaldPlan *plan = (DebyeEwaldPlan *)handle;
  DebyeStatusCode code = debye_ewald_cell_check(cell, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_split_sum_set_charges(&plan->sum, charges, cell, status);
  return code == DEBYE_STATUS_OK ? use_charges(plan, cell, status) : code;
}

static DebyeStatusCode
set_packed(DebyeKernelPlan *handle, const DebyePackedCoordinates *packed, const DebyeCell *cell,
           DebyeStatus *status)
{
  DebyeEwaldPlan *plan = (DebyeEwaldPlan *)handle;
  DebyeStatusCode code = debye_ewald_cell_check(cell, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_split_sum_set_packed(&plan->sum, packed, cell, status);
  return code == DEBYE_STATUS_OK ? use_charges(plan, cell, status) : code;
}

/* The smooth part of some planes. */
static void
interpolate(void *context, DebyeSlab planes, void *out, bool adds, DebyeStream *stream)
{
  DebyeEwaldPlan *plan = (DebyeEwaldPlan *)context;
  const DebyeSplitSum *sum = &plan->sum;
  const DebyeEwaldGrid grid = debye_ewald_grid(&plan->launch.frame, &sum->settings.grid);
  debye_split_sum_interpolate(sum, kernels_of(plan).interpolate, &plan->launch, &grid, planes, out, adds,
                              stream);
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, DebyeSlab slab, float *out, double *out_double,
        const DebyeMeanwhile *meanwhile, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeEwaldPlan *plan = (DebyeEwaldPlan *)handle;
  (void)meanwhile;
  return debye_split_sum_execute(&plan->sum, slab, out, out_double, interpolate, plan, cancel, status);
}

extern "C" const DebyePotentialKernel debye_cuda_ewald = {
    .head = {bytes_needed, create, destroy},
    .set_charges = set_charges,
    .set_packed = set_packed,
    .execute = execute,
};
