/* SPDX-License-Identifier: MIT */
/* Particle mesh Ewald on a GPU; its twin is cpu/potential_ewald.c.
 *
 * A frame's charges are sorted for the short-range part and go through the mesh in a stream of their own, on
 * the device. A slab is interpolated from the mesh chunk by chunk, and the cutoff kernel adds the short-range
 * part to what stands there, on the device. */
#include "potential_ewald.cuh"

#include <stdlib.h>
#include <string.h>

#include "fourier.cuh"
#include "potential_cutoff.h"
#include "slab_pipeline.cuh"

/* The mesh and what belongs to its size. */
typedef struct {
  DebyeCudaFourier *fourier;
  void *values;
  void *modes; /* before they are, the charges in fixed point */
  double *factors;
} Mesh;

typedef struct {
  int device;
  DebyePotentialSettings settings;
  DebyeEwald ewald;
  Mesh mesh;
  cudaStream_t stream;       /* of what is done once a frame */
  cudaEvent_t ready;         /* the mesh holds the potential */
  float *atoms, *atoms_host; /* all x, all y, all z, all charges */
  DebyeSlabPipeline *pipeline;
  DebyePotentialPlan *near; /* the short-range part; NULL for the reciprocal part alone */
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
value_bytes(const DebyePotentialSettings *settings)
{
  return settings->double_precision ? sizeof(double) : sizeof(float);
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
  const size_t modes = 2 * debye_fourier_n_complex(&transform) * value_bytes(settings);
  const size_t fixed = mesh_points(ewald) * sizeof(unsigned long long);
  return modes > fixed ? modes : fixed;
}

static size_t
factors_bytes(const DebyeEwald *ewald)
{
  return (ewald->mesh[0] + ewald->mesh[1] + ewald->mesh[2]) * sizeof(double);
}

static size_t
atom_room(const DebyePotentialSettings *settings)
{
  return settings->max_charges > 0 ? settings->max_charges : 1;
}

static DebyePotentialSettings
near_settings(const DebyePotentialSettings *settings, const DebyeEwald *ewald)
{
  DebyePotentialSettings near = *settings;
  near.method = DEBYE_POTENTIAL_CUTOFF;
  near.smoothing = DEBYE_SMOOTHING_NONE;
  near.cutoff = ewald->cutoff;
  return near;
}

/* Beyond these a launch has too many blocks. */
static bool
fits_launches(const DebyePotentialSettings *settings)
{
  return settings->max_charges <= INT32_MAX && settings->grid.shape[0] <= INT32_MAX &&
         settings->grid.shape[1] <= 4 * 65535;
}

static uint64_t
bytes_needed(int device, const DebyePotentialSettings *settings)
{
  DebyeEwald ewald;
  if (debye_potential_settings_check(settings, NULL) != DEBYE_STATUS_OK ||
      debye_ewald_choose(settings, &ewald, NULL) != DEBYE_STATUS_OK || !fits_launches(settings))
    return SIZE_MAX;
  DebyeFourierSettings transform = transform_of(settings, &ewald);
  uint64_t bytes = mesh_points(&ewald) * value_bytes(settings) + modes_bytes(settings, &ewald) +
                   debye_cuda_fourier_bytes(&transform) + factors_bytes(&ewald) +
                   4 * sizeof(float) * atom_room(settings) + debye_slab_pipeline_bytes(settings);
  if (settings->reciprocal_only)
    return bytes;
  DebyePotentialSettings near = near_settings(settings, &ewald);
  uint64_t near_bytes = debye_cuda_cutoff.bytes_needed(device, &near);
  return near_bytes < SIZE_MAX - bytes ? bytes + near_bytes : SIZE_MAX;
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
  /* After a failure of the device these fail too; there is nothing else to do with it then. */
  cudaSetDevice(plan->device);
  if (plan->near != NULL)
    debye_cuda_cutoff.destroy(plan->near);
  debye_slab_pipeline_destroy(plan->pipeline);
  mesh_clear(&plan->mesh);
  if (plan->stream != NULL)
    cudaStreamDestroy(plan->stream);
  if (plan->ready != NULL)
    cudaEventDestroy(plan->ready);
  cudaFree(plan->atoms);
  cudaFreeHost(plan->atoms_host);
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
  cudaError_t error = cudaMalloc(&mesh->values, mesh_points(ewald) * value_bytes(settings));
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

static cudaError_t
make_device_parts(DebyeEwaldPlan *plan)
{
  const size_t bytes = 4 * sizeof(float) * atom_room(&plan->settings);
  cudaError_t error = cudaSetDevice(plan->device);
  if (error == cudaSuccess)
    error = cudaStreamCreateWithFlags(&plan->stream, cudaStreamNonBlocking);
  if (error == cudaSuccess)
    error = cudaEventCreateWithFlags(&plan->ready, cudaEventDisableTiming);
  if (error == cudaSuccess)
    error = cudaMalloc((void **)&plan->atoms, bytes);
  if (error == cudaSuccess)
    error = cudaHostAlloc((void **)&plan->atoms_host, bytes, cudaHostAllocDefault);
  return error;
}

static DebyeStatusCode
make_parts(DebyeEwaldPlan *plan, DebyeStatus *status)
{
  const DebyePotentialSettings *settings = &plan->settings;
  DebyeStatusCode code = debye_cuda_status(make_device_parts(plan), "planning Ewald's method", status);
  if (code == DEBYE_STATUS_OK)
    code = mesh_create(settings, &plan->ewald, plan->stream, &plan->mesh, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_slab_pipeline_create(settings, &plan->pipeline, status);
  if (code != DEBYE_STATUS_OK || settings->reciprocal_only)
    return code;
  DebyePairFunction function;
  DebyePotentialSettings near = near_settings(settings, &plan->ewald);
  code = debye_ewald_pair_function(&plan->ewald, settings, &function, status);
  return code == DEBYE_STATUS_OK
             ? debye_cuda_cutoff_create_with(plan->device, &near, &function, &plan->near, status)
             : code;
}

static DebyeStatusCode
create(int device, const DebyePotentialSettings *settings, DebyePotentialPlan **plan, DebyeStatus *status)
{
  *plan = NULL;
  DebyeEwald ewald;
  if (debye_potential_settings_check(settings, status) != DEBYE_STATUS_OK ||
      debye_ewald_choose(settings, &ewald, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  if (!fits_launches(settings))
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED,
                            "The grid or the number of charges is beyond the device.");
  DebyeEwaldPlan *made = (DebyeEwaldPlan *)calloc(1, sizeof *made);
  if (made == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a plan.");
  made->device = device;
  made->settings = *settings;
  made->ewald = ewald;
  DebyeStatusCode code = make_parts(made, status);
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
  if (!debye_ewald_follow(&plan->settings, cell, &ewald))
    return DEBYE_STATUS_OK;
  DebyeStatusCode code = mesh_create(&plan->settings, &ewald, plan->stream, &larger, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  mesh_clear(&plan->mesh);
  plan->mesh = larger;
  plan->ewald = ewald;
  return DEBYE_STATUS_OK;
}

/* The charges into pinned memory, and the sum of their sizes. */
static DebyeStatusCode
stage_atoms(DebyeEwaldPlan *plan, const DebyeCharges *charges, double *total, DebyeStatus *status)
{
  const size_t room = atom_room(&plan->settings), n = charges->n;
  if (n > plan->settings.max_charges)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "%zu charges were given, planned were at most %zu.",
                            n, plan->settings.max_charges);
  for (size_t i = 0; i < n; i++) {
    const double x = charges->x[i], y = charges->y[i], z = charges->z[i], charge = charges->charge[i];
    /* Also false for what is not a number. */
    if (!(debye_vec3_length(debye_vec3(x, y, z)) < DEBYE_DIRECT_FARTHEST) || !isfinite(charge))
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "Atom %zu can't be summed: position (%g, %g, %g) Å, charge %g e.", i + 1, x, y,
                              z, charge);
    *total += fabs(charge);
  }
  if (n > 0) {
    memcpy(plan->atoms_host, charges->x, n * sizeof(float));
    memcpy(plan->atoms_host + room, charges->y, n * sizeof(float));
    memcpy(plan->atoms_host + 2 * room, charges->z, n * sizeof(float));
    memcpy(plan->atoms_host + 3 * room, charges->charge, n * sizeof(float));
  }
  return DEBYE_STATUS_OK;
}

/* The kernel of a family for the plan's order and precision. */
#define KERNEL_FOR(family, order, exact)                             \
  ((exact)        ? (order) == 4   ? (const void *)family<4, double> \
                    : (order) == 6 ? (const void *)family<6, double> \
                    : (order) == 8 ? (const void *)family<8, double> \
                                   : (const void *)family<0, double> \
          : (order) == 4 ? (const void *)family<4, float>            \
   : (order) == 6 ? (const void *)family<6, float>                   \
   : (order) == 8 ? (const void *)family<8, float>                   \
                  : (const void *)family<0, float>)

static unsigned
blocks_for(size_t n, size_t size)
{
  return (unsigned)((n + size - 1) / size);
}

static cudaError_t
upload_atoms(const DebyeEwaldPlan *plan)
{
  const size_t bytes = 4 * sizeof(float) * atom_room(&plan->settings);
  return cudaMemcpyAsync(plan->atoms, plan->atoms_host, bytes, cudaMemcpyHostToDevice, plan->stream);
}

static cudaError_t
spread(DebyeEwaldPlan *plan, size_t n_atoms)
{
  const bool exact = plan->settings.double_precision;
  const size_t n = mesh_points(&plan->ewald);
  cudaError_t error = cudaMemsetAsync(plan->mesh.modes, 0, n * sizeof(unsigned long long), plan->stream);
  void *arguments[] = {&plan->launch, (void *)&n};
  if (error == cudaSuccess && n_atoms > 0)
    error = cudaLaunchKernel(KERNEL_FOR(debye_ewald_spread, plan->ewald.order, exact),
                             dim3(blocks_for(n_atoms, DEBYE_EWALD_ATOMS)), dim3(DEBYE_EWALD_THREADS),
                             arguments, 0, plan->stream);
  if (error == cudaSuccess)
    error = cudaLaunchKernel(exact ? (const void *)debye_ewald_convert<double>
                                   : (const void *)debye_ewald_convert<float>,
                             dim3(blocks_for(n, 256)), dim3(256), arguments, 0, plan->stream);
  return error;
}

static cudaError_t
scale(DebyeEwaldPlan *plan)
{
  const size_t *n = plan->ewald.mesh;
  const dim3 threads(32, 8), blocks(blocks_for(n[1] * n[2], 8), blocks_for(n[0] / 2 + 1, 32));
  void *arguments[] = {&plan->launch};
  const void *kernel = plan->settings.double_precision ? (const void *)debye_ewald_scale<double>
                                                       : (const void *)debye_ewald_scale<float>;
  return cudaLaunchKernel(kernel, blocks, threads, arguments, 0, plan->stream);
}

/* All of a frame's work on the mesh into the stream. */
static DebyeStatusCode
fill_mesh(DebyeEwaldPlan *plan, size_t n_atoms, DebyeStatus *status)
{
  Mesh *mesh = &plan->mesh;
  DebyeStatusCode code = debye_cuda_status(spread(plan, n_atoms), "spreading the charges", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_fourier_real_forward(mesh->fourier, mesh->values, mesh->modes, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(scale(plan), "scaling the mesh", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_fourier_real_backward(mesh->fourier, mesh->modes, mesh->values, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(cudaEventRecord(plan->ready, plan->stream), "filling the mesh", status);
  return code;
}

static DebyeStatusCode
set_charges(DebyePotentialPlan *handle, const DebyeCharges *charges, const DebyeCell *cell,
            DebyeStatus *status)
{
  DebyeEwaldPlan *plan = (DebyeEwaldPlan *)handle;
  DebyeEwaldLaunch *launch = &plan->launch;
  const size_t room = atom_room(&plan->settings);
  double total = 0.0;
  DebyeStatusCode code = debye_ewald_cell_check(cell, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(cudaSetDevice(plan->device), "choosing the device", status);
  /* What is staged for the last frame may still be on its way. */
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(cudaStreamSynchronize(plan->stream), "computing a frame", status);
  if (code == DEBYE_STATUS_OK)
    code = stage_atoms(plan, charges, &total, status);
  if (code == DEBYE_STATUS_OK)
    code = follow_cell(plan, cell, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  debye_ewald_frame_set(&plan->ewald, cell, &launch->frame);
  use_mesh(plan);
  launch->x = plan->atoms;
  launch->y = plan->atoms + room;
  launch->z = plan->atoms + 2 * room;
  launch->charge = plan->atoms + 3 * room;
  launch->n_atoms = (unsigned)charges->n;
  launch->unit = total > 0.0 ? ldexp(1.0, ilogb(total) - 61) : 1.0;
  code = debye_cuda_status(upload_atoms(plan), "copying the charges to the device", status);
  if (code == DEBYE_STATUS_OK && plan->near != NULL) {
    const DebyeCharges on_device = {launch->x, launch->y, launch->z, launch->charge, charges->n};
    code = debye_cuda_cutoff_set_on_device(plan->near, &on_device, cell, plan->stream, status);
  }
  return code == DEBYE_STATUS_OK ? fill_mesh(plan, charges->n, status) : code;
}

/* The smooth part of some planes, written to `out`. */
static DebyeStatusCode
start_interpolation(DebyeEwaldPlan *plan, DebyeSlab planes, void *out, cudaStream_t stream,
                    DebyeStatus *status)
{
  const DebyeGrid *grid = &plan->settings.grid;
  const size_t plane_bytes = grid->shape[0] * grid->shape[1] * value_bytes(&plan->settings), most = 65535;
  const void *kernel =
      KERNEL_FOR(debye_ewald_interpolate, plan->ewald.order, plan->settings.double_precision);
  DebyeEwaldTarget target = {};
  target.grid = debye_ewald_grid(&plan->launch.frame, grid);
  target.shape[0] = (unsigned)grid->shape[0];
  target.shape[1] = (unsigned)grid->shape[1];
  cudaError_t error = cudaSuccess;
  for (size_t done = 0, count; done < planes.count && error == cudaSuccess; done += count) {
    count = planes.count - done < most ? planes.count - done : most;
    target.first_plane = planes.first + done;
    void *part = (char *)out + done * plane_bytes;
    void *arguments[] = {&plan->launch, &target, &part};
    const dim3 blocks(blocks_for(grid->shape[0], 32), blocks_for(grid->shape[1], 4), (unsigned)count);
    error = cudaLaunchKernel(kernel, blocks, dim3(32, 4), arguments, 0, stream);
  }
  return debye_cuda_status(error, "interpolating from the mesh", status);
}

static DebyeStatusCode
start_planes(void *context, DebyeSlab planes, void *out, cudaStream_t stream, DebyeStatus *status)
{
  DebyeEwaldPlan *plan = (DebyeEwaldPlan *)context;
  cudaError_t error = cudaStreamWaitEvent(stream, plan->ready, 0);
  if (error != cudaSuccess)
    return debye_cuda_status(error, "waiting for the mesh", status);
  DebyeStatusCode code = start_interpolation(plan, planes, out, stream, status);
  if (code == DEBYE_STATUS_OK && plan->near != NULL)
    code = debye_cuda_cutoff_enqueue(plan->near, planes, out, true, NULL, stream, status);
  return code;
}

static DebyeStatusCode
execute(DebyePotentialPlan *handle, DebyeSlab slab, float *out, double *out_double,
        const DebyeMeanwhile *meanwhile, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeEwaldPlan *plan = (DebyeEwaldPlan *)handle;
  (void)meanwhile;
  if (debye_potential_slab_check(&plan->settings, slab, out, out_double, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  cudaError_t error = cudaSetDevice(plan->device);
  if (error != cudaSuccess)
    return debye_cuda_status(error, "choosing the device", status);
  void *result = plan->settings.double_precision ? (void *)out_double : (void *)out;
  return debye_slab_pipeline_run(plan->pipeline, slab, result, start_planes, plan, cancel, status);
}

extern "C" const DebyePotentialKernel debye_cuda_ewald = {
    .bytes_needed = bytes_needed,
    .create = create,
    .set_charges = set_charges,
    .execute = execute,
    .destroy = destroy,
};
