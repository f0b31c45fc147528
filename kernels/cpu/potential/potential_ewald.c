/* SPDX-License-Identifier: MIT */
/* Particle mesh Ewald on the CPU; its twin is cuda/potential/potential_ewald.cu.
 *
 * A frame goes through the mesh once (ewald_mesh.c); a slab is then interpolated from it, and the cutoff
 * kernel adds the short-range part to what stands there. */
#include "kernels/potential/potential_kernel.h"

#include "ewald_mesh.h"
#include "kernels/potential/ewald_math.h"
#include "cutoff_short_range.h"
#include "unpacked_charges.h"
#include "kernels/cpu/common/cpu_kernels.h"
#include "kernels/cpu/common/cpu_settings.h"

typedef struct {
  DebyePotentialSettings settings;
  DebyeEwald ewald;
  DebyePairFunction function; /* of the short-range part */
  uint64_t mesh_bytes, near_bytes;
  DebyePool *pool;
  DebyeEwaldMesh *mesh;
  DebyeKernelPlan *near; /* the short-range part; NULL for the reciprocal part alone */
  DebyeUnpackedCharges unpacked;
} DebyeEwaldPlan;

static DebyeEwaldMeshSettings
mesh_settings(const DebyeEwaldPlan *plan, const DebyeEwald *ewald)
{
  return (DebyeEwaldMeshSettings){.ewald = *ewald,
                                  .max_charges = plan->settings.max_charges,
                                  .double_precision = plan->settings.double_precision,
                                  .pool = plan->pool};
}

static DebyeStatusCode
set_up(void *made, int device, const void *data, DebyeStatus *status)
{
  DebyeEwaldPlan *plan = made;
  const DebyePotentialSettings *settings = data;
  plan->settings = *settings;
  DebyeStatusCode code = debye_potential_settings_check(settings, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_ewald_choose(settings, &plan->ewald, status);
  if (code == DEBYE_STATUS_OK && !settings->reciprocal_only)
    code = debye_ewald_pair_function(&plan->ewald, settings, &plan->function, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  const DebyeEwaldMeshSettings mesh = mesh_settings(plan, &plan->ewald);
  plan->mesh_bytes = debye_plan_bytes(&debye_ewald_mesh_kind, device, &mesh);
  if (!settings->reciprocal_only)
    plan->near_bytes = debye_cpu_cutoff_bytes_with(settings, &plan->function);
  return code;
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  DebyeEwaldPlan *plan = made;
  debye_unpacked_charges_list(&plan->unpacked, &plan->settings, memory);
  debye_plan_memory_add_bytes(memory, plan->mesh_bytes);
  debye_plan_memory_add_bytes(memory, plan->near_bytes);
}

static DebyeStatusCode
make_mesh(const DebyeEwaldPlan *plan, const DebyeEwald *ewald, DebyeEwaldMesh **mesh, DebyeStatus *status)
{
  const DebyeEwaldMeshSettings settings = mesh_settings(plan, ewald);
  void *made = NULL;
  const DebyeStatusCode code = debye_plan_create(&debye_ewald_mesh_kind, 0, &settings, &made, status);
  *mesh = made;
  return code;
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  DebyeEwaldPlan *plan = made;
  plan->pool = debye_pool_new(debye_cpu_threads_beside(plan->settings.spare_cores));
  if (plan->pool == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a plan.");
  const DebyeStatusCode code = make_mesh(plan, &plan->ewald, &plan->mesh, status);
  return code == DEBYE_STATUS_OK && !plan->settings.reciprocal_only
             ? debye_cpu_cutoff_create_with(&plan->settings, &plan->function, &plan->near, status)
             : code;
}

static void
clear(void *made)
{
  DebyeEwaldPlan *plan = made;
  debye_cpu_cutoff.head.destroy(plan->near);
  debye_plan_destroy(&debye_ewald_mesh_kind, plan->mesh);
  debye_pool_free(plan->pool);
}

DEBYE_PLAN(DebyeEwaldPlan, debye_host_memory_source, .prepare = prepare, .clear = clear)

/* A larger mesh where the cell has outgrown the one there is. */
static DebyeStatusCode
follow_cell(DebyeEwaldPlan *plan, const DebyeCell *cell, DebyeStatus *status)
{
  DebyeEwald ewald = plan->ewald;
  DebyeEwaldMesh *larger;
  if (!debye_ewald_follow(&plan->settings, cell, &ewald))
    return DEBYE_STATUS_OK;
  const DebyeStatusCode code = make_mesh(plan, &ewald, &larger, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  debye_plan_destroy(&debye_ewald_mesh_kind, plan->mesh);
  plan->mesh = larger;
  plan->ewald = ewald;
  return DEBYE_STATUS_OK;
}

static DebyeStatusCode
set_charges(DebyeKernelPlan *handle, const DebyeCharges *charges, const DebyeCell *cell, DebyeStatus *status)
{
  DebyeEwaldPlan *plan = (DebyeEwaldPlan *)handle;
  DebyeStatusCode code = debye_ewald_cell_check(cell, status);
  if (code == DEBYE_STATUS_OK)
    code = follow_cell(plan, cell, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_ewald_mesh_set_charges(plan->mesh, charges, cell, status);
  if (code == DEBYE_STATUS_OK && plan->near != NULL)
    code = debye_cpu_cutoff.set_charges(plan->near, charges, cell, status);
  return code;
}

static DebyeStatusCode
set_packed(DebyeKernelPlan *handle, const DebyePackedCoordinates *packed, const DebyeCell *cell,
           DebyeStatus *status)
{
  DebyeEwaldPlan *plan = (DebyeEwaldPlan *)handle;
  DebyeCharges charges;
  const DebyeStatusCode code =
      debye_unpacked_charges_set(&plan->unpacked, &plan->settings, packed, plan->pool, &charges, status);
  return code == DEBYE_STATUS_OK ? set_charges(handle, &charges, cell, status) : code;
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, DebyeSlab slab, float *out, double *out_double,
        const DebyeMeanwhile *meanwhile, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeEwaldPlan *plan = (DebyeEwaldPlan *)handle;
  (void)meanwhile;
  if (debye_potential_slab_check(&plan->settings, slab, out, out_double, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  void *result = plan->settings.double_precision ? (void *)out_double : (void *)out;
  DebyeStatusCode code =
      debye_ewald_mesh_interpolate(plan->mesh, &plan->settings.grid, slab, result, cancel, status);
  if (code == DEBYE_STATUS_OK && plan->near != NULL)
    code = debye_cpu_cutoff.add(plan->near, slab, result, out, out_double, cancel, status);
  return code;
}

const DebyePotentialKernel debye_cpu_ewald = {
    .head = {bytes_needed, create, destroy},
    .set_charges = set_charges,
    .set_packed = set_packed,
    .execute = execute,
};
