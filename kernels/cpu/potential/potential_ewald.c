/* SPDX-License-Identifier: MIT */
/* Particle mesh Ewald on the CPU; its twin is cuda/potential/potential_ewald.cu.
 *
 * A frame goes through the mesh once (ewald_mesh.c); a slab is then interpolated from it, and the cutoff
 * kernel adds the short-range part to what stands there. */
#include "kernels/potential/potential_kernel.h"

#include <stdlib.h>

#include "ewald_mesh.h"
#include "kernels/potential/ewald_math.h"
#include "cutoff_short_range.h"
#include "kernels/cpu/common/cpu_kernels.h"
#include "kernels/cpu/common/cpu_settings.h"

typedef struct {
  DebyePotentialSettings settings;
  DebyeEwald ewald;
  DebyePool *pool;
  DebyeEwaldMesh *mesh;
  DebyePotentialPlan *near; /* the short-range part; NULL for the reciprocal part alone */
} DebyeEwaldPlan;

static DebyePotentialSettings
near_settings(const DebyePotentialSettings *settings, const DebyeEwald *ewald)
{
  DebyePotentialSettings near = *settings;
  near.method = DEBYE_POTENTIAL_CUTOFF;
  near.smoothing = DEBYE_SMOOTHING_NONE;
  near.cutoff = ewald->cutoff;
  return near;
}

static uint64_t
bytes_needed(int device, const DebyePotentialSettings *settings)
{
  DebyeEwald ewald;
  if (debye_potential_settings_check(settings, NULL) != DEBYE_STATUS_OK ||
      debye_ewald_choose(settings, &ewald, NULL) != DEBYE_STATUS_OK || settings->max_charges > UINT32_MAX)
    return SIZE_MAX;
  uint64_t bytes = sizeof(DebyeEwaldPlan) +
                   debye_ewald_mesh_bytes(&ewald, settings->max_charges, settings->double_precision);
  if (settings->reciprocal_only)
    return bytes;
  DebyePotentialSettings near = near_settings(settings, &ewald);
  uint64_t near_bytes = debye_cpu_cutoff.bytes_needed(device, &near);
  return near_bytes < SIZE_MAX - bytes ? bytes + near_bytes : SIZE_MAX;
}

static void
destroy(DebyePotentialPlan *handle)
{
  DebyeEwaldPlan *plan = (DebyeEwaldPlan *)handle;
  if (plan == NULL)
    return;
  if (plan->near != NULL)
    debye_cpu_cutoff.destroy(plan->near);
  debye_ewald_mesh_destroy(plan->mesh);
  debye_pool_free(plan->pool);
  free(plan);
}

static DebyeStatusCode
make_parts(DebyeEwaldPlan *plan, DebyeStatus *status)
{
  const DebyePotentialSettings *settings = &plan->settings;
  DebyeStatusCode code = debye_ewald_mesh_create(&plan->ewald, settings->max_charges,
                                                 settings->double_precision, plan->pool, &plan->mesh, status);
  if (code != DEBYE_STATUS_OK || settings->reciprocal_only)
    return code;
  DebyePairFunction function;
  DebyePotentialSettings near = near_settings(settings, &plan->ewald);
  code = debye_ewald_pair_function(&plan->ewald, settings, &function, status);
  return code == DEBYE_STATUS_OK ? debye_cpu_cutoff_create_with(&near, &function, &plan->near, status) : code;
}

static DebyeStatusCode
create(int device, const DebyePotentialSettings *settings, DebyePotentialPlan **plan, DebyeStatus *status)
{
  (void)device;
  *plan = NULL;
  DebyeEwald ewald;
  if (debye_potential_settings_check(settings, status) != DEBYE_STATUS_OK ||
      debye_ewald_choose(settings, &ewald, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  DebyeEwaldPlan *made = calloc(1, sizeof *made);
  if (made != NULL) {
    made->settings = *settings;
    made->ewald = ewald;
    made->pool = debye_pool_new(debye_cpu_threads_beside(settings->spare_cores));
  }
  if (made == NULL || made->pool == NULL) {
    destroy((DebyePotentialPlan *)made);
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a plan.");
  }
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
  DebyeEwaldMesh *larger;
  if (!debye_ewald_follow(&plan->settings, cell, &ewald))
    return DEBYE_STATUS_OK;
  DebyeStatusCode code = debye_ewald_mesh_create(
      &ewald, plan->settings.max_charges, plan->settings.double_precision, plan->pool, &larger, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  debye_ewald_mesh_destroy(plan->mesh);
  plan->mesh = larger;
  plan->ewald = ewald;
  return DEBYE_STATUS_OK;
}

static DebyeStatusCode
set_charges(DebyePotentialPlan *handle, const DebyeCharges *charges, const DebyeCell *cell,
            DebyeStatus *status)
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
execute(DebyePotentialPlan *handle, DebyeSlab slab, float *out, double *out_double,
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
    .bytes_needed = bytes_needed,
    .create = create,
    .set_charges = set_charges,
    .execute = execute,
    .destroy = destroy,
};
