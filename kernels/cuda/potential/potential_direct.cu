/* SPDX-License-Identifier: MIT */
/* The direct sum on a GPU; its twin is cpu/potential/potential_direct.c.
 *
 * A slab goes through the device in chunks of planes (slab_pipeline.cuh), and the last blocks of one chunk
 * share the device with the first of the next, so that it is never half empty. */
#include "potential_direct.cuh"
#include "slab_pipeline.cuh"

using ProductionShape = DebyeDirectProductionShape;

/* Enough in a few slots to fill the largest device; a copy of it to the host takes less than a millisecond. */
constexpr DebyeSlabChunks CHUNKS = {(size_t)1 << 20, 1};
/* Atoms of one launch: its blocks are over soon, so that the device stays full almost to the end of a slab;
 * at most this many launches a chunk. */
constexpr size_t LAUNCH_ATOMS = 8 * DEBYE_DIRECT_TILE;
constexpr size_t MAX_LAUNCHES = 64;
constexpr size_t MAX_GRID_YZ = 65535;

typedef struct {
  int device;
  DebyePotentialSettings settings;
  size_t n_atoms;
  DebyeSlabPipeline pipeline;
  char *atoms; /* on the device */
  char *atoms_host;
  int *stop; /* on the host, read by kernels */
  DebyeDirectLaunch launch;
} DebyeDirectPlan;

/* 8 floats or 4 doubles. */
constexpr size_t ATOM_BYTES = 32;

static size_t
smaller(size_t a, size_t b)
{
  return a < b ? a : b;
}

static DebyeStatusCode
set_up(void *made, int device, const void *data, DebyeStatus *status)
{
  DebyeDirectPlan *plan = (DebyeDirectPlan *)made;
  const DebyePotentialSettings *settings = (const DebyePotentialSettings *)data;
  DebyeDirectLaunch *launch = &plan->launch;
  const DebyeStatusCode code = debye_potential_settings_check(settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  /* A launch has at most 65,535 blocks along y; more rows than that are no map. */
  if (settings->grid.shape[1] > MAX_GRID_YZ * DebyeNearestShape::BLOCK_Y ||
      settings->max_charges > SIZE_MAX / 64)
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED,
                            "The grid or the number of charges is beyond the device.");
  plan->device = device;
  plan->settings = *settings;
  launch->grid = debye_turned_grid(&settings->grid);
  launch->core_radius = (float)settings->core_radius;
  launch->exact_core2 = settings->core_radius * settings->core_radius;
  launch->core2 = (float)launch->exact_core2;
  debye_slab_pipeline_set_up(&plan->pipeline, settings, CHUNKS);
  return code;
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  DebyeDirectPlan *plan = (DebyeDirectPlan *)made;
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->atoms, plan->settings.max_charges * ATOM_BYTES);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->atoms_host, plan->settings.max_charges * ATOM_BYTES);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->stop, 1);
  debye_slab_pipeline_list(&plan->pipeline, memory);
}

/* What is pinned has the same address on the device. */
static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  DebyeDirectPlan *plan = (DebyeDirectPlan *)made;
  plan->launch.stop = plan->stop;
  plan->launch.atoms = (const float4 *)plan->atoms;
  plan->launch.exact = (const DebyeExactAtom *)plan->atoms;
  return debye_slab_pipeline_open(&plan->pipeline, status);
}

static void
clear(void *made)
{
  DebyeDirectPlan *plan = (DebyeDirectPlan *)made;
  cudaSetDevice(plan->device);
  debye_slab_pipeline_close(&plan->pipeline);
}

DEBYE_PLAN(DebyeDirectPlan, debye_cuda_memory_source, .prepare = prepare, .clear = clear)

static DebyeTurnedAtoms
atoms_layout(const DebyeDirectPlan *plan)
{
  DebyeTurnedAtoms atoms = {};
  float *floats = (float *)plan->atoms_host;
  double *doubles = (double *)plan->atoms_host;
  /* The nearest image is found in double, whatever the precision of the map. */
  bool exact = plan->settings.double_precision || plan->settings.periodic != DEBYE_PERIODIC_NONE;
  for (int axis = 0; axis < 3; axis++) {
    atoms.exact[axis] = exact ? doubles + axis : NULL;
    atoms.high[axis] = exact ? NULL : floats + axis;
    atoms.low[axis] = exact ? NULL : floats + 4 + axis;
  }
  atoms.exact_charge = exact ? doubles + 3 : NULL;
  atoms.charge = exact ? NULL : floats + 3;
  atoms.stride = exact ? 4 : 8;
  return atoms;
}

static DebyeStatusCode
set_charges(DebyeKernelPlan *handle, const DebyeCharges *charges, const DebyeCell *cell, DebyeStatus *status)
{
  DebyeDirectPlan *plan = (DebyeDirectPlan *)handle;
  DebyeTurnedAtoms atoms = atoms_layout(plan);
  plan->n_atoms = 0;
  DebyeStatusCode code =
      debye_nearest_image_set(&plan->launch.image, &plan->launch.grid, plan->settings.periodic, cell, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_turned_atoms_set(&plan->launch.grid, charges, plan->settings.max_charges, &atoms, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  cudaError_t error = cudaSetDevice(plan->device);
  if (error == cudaSuccess && charges->n > 0)
    error = debye_cuda_upload(plan->atoms, plan->atoms_host, charges->n * ATOM_BYTES);
  if (error != cudaSuccess)
    return debye_cuda_status(error, "copying the charges to the device", status);
  plan->n_atoms = charges->n;
  return debye_status_ok(status);
}

/* What is launched, for whole planes. */
typedef struct {
  const void *kernel;
  unsigned threads;
  dim3 blocks;
} DirectKernel;

template <class Shape>
static DirectKernel
blocked_kernel(const void *kernel, const size_t shape[3], unsigned planes)
{
  return {kernel, Shape::THREADS,
          dim3((unsigned)((shape[0] + Shape::BLOCK_X - 1) / Shape::BLOCK_X),
               (unsigned)((shape[1] + Shape::BLOCK_Y - 1) / Shape::BLOCK_Y), planes)};
}

/* A point a thread; rows beyond the limit of a launch are strided over. */
static DirectKernel
double_kernel(const void *kernel, const size_t shape[3], unsigned planes)
{
  constexpr unsigned threads = DEBYE_DOUBLE_THREADS;
  return {
      kernel, threads,
      dim3((unsigned)((shape[0] + threads - 1) / threads), (unsigned)smaller(shape[1], MAX_GRID_YZ), planes)};
}

/* Whether a block is small enough beside the cell; else all is done in double. */
static bool
has_clear_blocks(const DebyeDirectLaunch *launch)
{
  const DebyeTurnedGrid *grid = &launch->grid;
  const double x = 0.5 * DebyeNearestShape::BLOCK_X * fabs(grid->step_x) +
                   0.5 * DebyeNearestShape::BLOCK_Y * fabs(grid->row_x);
  const double y = 0.5 * DebyeNearestShape::BLOCK_Y * fabs(grid->row_y);
  return sqrt(x * x + y * y) < launch->image.clear_reach;
}

template <class Shape>
static DirectKernel
float_kernel(const DebyeDirectLaunch *launch, unsigned planes)
{
  return blocked_kernel<Shape>(launch->grid.row_x != 0.0 ? (const void *)debye_direct_float<Shape, true>
                                                         : (const void *)debye_direct_float<Shape, false>,
                               launch->grid.shape, planes);
}

/* Whether the points of a block are too far from its middle. */
static bool
is_coarse(const DebyeTurnedGrid *grid)
{
  const size_t rows = smaller(grid->shape[1], ProductionShape::BLOCK_Y);
  return 0.5 * (double)rows * hypot(grid->row_x, grid->row_y) > DEBYE_DIRECT_LONGEST_REACH;
}

static DirectKernel
choose_kernel(const DebyeDirectPlan *plan, unsigned planes)
{
  const DebyeDirectLaunch *launch = &plan->launch;
  const size_t *shape = launch->grid.shape;
  const bool nearest = plan->settings.periodic != DEBYE_PERIODIC_NONE,
             exact = plan->settings.double_precision;
  if (nearest && !exact && has_clear_blocks(launch))
    return blocked_kernel<DebyeNearestShape>((const void *)debye_direct_nearest<DebyeNearestShape>, shape,
                                             planes);
  if (nearest)
    return double_kernel(exact ? (const void *)debye_direct_double<double, true>
                               : (const void *)debye_direct_double<float, true>,
                         shape, planes);
  if (exact)
    return double_kernel((const void *)debye_direct_double<double, false>, shape, planes);
  return is_coarse(&launch->grid) ? float_kernel<DebyeDirectCoarseShape>(launch, planes)
                                  : float_kernel<ProductionShape>(launch, planes);
}

/* The kernel that suits the plan, once for each part of the atoms. */
static void
start_planes(void *context, DebyeSlab planes, void *out, DebyeStream *stream)
{
  const DebyeDirectPlan *plan = (const DebyeDirectPlan *)context;
  const DirectKernel chosen = choose_kernel(plan, (unsigned)planes.count);
  DebyeDirectLaunch launch = plan->launch;
  launch.first_plane = planes.first;
  void *arguments[] = {&launch, &out};
  size_t step = (plan->n_atoms / MAX_LAUNCHES / DEBYE_DIRECT_TILE + 1) * DEBYE_DIRECT_TILE;
  step = step > LAUNCH_ATOMS ? step : LAUNCH_ATOMS;
  /* Once also without atoms: the kernel writes the zeros. */
  do {
    launch.end_atom = launch.first_atom + smaller(step, plan->n_atoms - launch.first_atom);
    debye_stream_launch(stream, chosen.kernel, chosen.blocks, dim3(chosen.threads), arguments);
    launch.first_atom = launch.end_atom;
  } while (debye_stream_is_good(stream) && launch.first_atom < plan->n_atoms);
}

static void
stop_blocks(void *context)
{
  __atomic_store_n(((DebyeDirectPlan *)context)->stop, 1, __ATOMIC_RELEASE);
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, DebyeSlab slab, float *out, double *out_double,
        const DebyeMeanwhile *meanwhile, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeDirectPlan *plan = (DebyeDirectPlan *)handle;
  const DebyeSlabWork work = {start_planes, NULL, stop_blocks, plan, N_("summing")};
  (void)meanwhile;
  if (debye_potential_slab_check(&plan->settings, slab, out, out_double, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  __atomic_store_n(plan->stop, 0, __ATOMIC_RELEASE);
  DebyeStatusCode code = debye_cuda_status(cudaSetDevice(plan->device), "choosing the device", status);
  void *result = plan->settings.double_precision ? (void *)out_double : (void *)out;
  return code == DEBYE_STATUS_OK
             ? debye_slab_pipeline_run(&plan->pipeline, slab, result, &work, cancel, status)
             : code;
}

extern "C" const DebyePotentialKernel debye_cuda_direct = {
    .head = {bytes_needed, create, destroy},
    .set_charges = set_charges,
    .execute = execute,
};
