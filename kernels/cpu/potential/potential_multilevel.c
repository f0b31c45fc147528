/* SPDX-License-Identifier: MIT */
/* Multilevel summation on the CPU; its twin is cuda/potential/potential_multilevel.cu.
 *
 * A frame goes up and down the lattices once (multilevel_lattices.c); a slab is then interpolated from the
 * finest, and the cutoff kernel adds the short-range part to what stands there. */
#include "kernels/potential/potential_kernel.h"

#include <stdlib.h>

#include "kernels/potential/multilevel_levels.h"
#include "multilevel_lattices.h"
#include "cutoff_short_range.h"
#include "kernels/cpu/common/cpu_kernels.h"
#include "kernels/cpu/common/cpu_settings.h"

typedef struct {
  DebyePotentialSettings settings;
  DebyePool *pool;
  DebyeMultilevelLattices *lattices;
  DebyePotentialPlan *near; /* the short-range part */
} DebyeMultilevelPlan;

static DebyePotentialSettings
near_settings(const DebyePotentialSettings *settings, const DebyeMultilevel *multilevel)
{
  DebyePotentialSettings near = *settings;
  near.method = DEBYE_POTENTIAL_CUTOFF;
  near.smoothing = DEBYE_SMOOTHING_NONE;
  near.cutoff = multilevel->cutoff;
  return near;
}

static uint64_t
bytes_needed(int device, const DebyePotentialSettings *settings)
{
  DebyeMultilevel multilevel;
  if (debye_potential_settings_check(settings, NULL) != DEBYE_STATUS_OK ||
      debye_multilevel_choose(settings, &multilevel, NULL) != DEBYE_STATUS_OK ||
      settings->max_charges > UINT32_MAX)
    return SIZE_MAX;
  const DebyePotentialSettings near = near_settings(settings, &multilevel);
  const uint64_t levels = debye_multilevel_levels_bytes(&multilevel, settings);
  const uint64_t bytes = sizeof(DebyeMultilevelPlan) + 2 * sizeof(uint32_t) * (uint64_t)settings->max_charges;
  const uint64_t near_bytes = debye_cpu_cutoff.bytes_needed(device, &near);
  if (levels == SIZE_MAX || near_bytes == SIZE_MAX || near_bytes > SIZE_MAX - bytes - levels)
    return SIZE_MAX;
  return bytes + levels + near_bytes;
}

static void
destroy(DebyePotentialPlan *handle)
{
  DebyeMultilevelPlan *plan = (DebyeMultilevelPlan *)handle;
  if (plan == NULL)
    return;
  if (plan->near != NULL)
    debye_cpu_cutoff.destroy(plan->near);
  debye_multilevel_lattices_destroy(plan->lattices);
  debye_pool_free(plan->pool);
  free(plan);
}

static DebyeStatusCode
make_parts(DebyeMultilevelPlan *plan, const DebyeMultilevel *multilevel, DebyeStatus *status)
{
  const DebyePotentialSettings near = near_settings(&plan->settings, multilevel);
  const DebyePairFunction function = debye_multilevel_pair_function(multilevel);
  DebyeStatusCode code =
      debye_multilevel_lattices_create(multilevel, &plan->settings, plan->pool, &plan->lattices, status);
  return code == DEBYE_STATUS_OK ? debye_cpu_cutoff_create_with(&near, &function, &plan->near, status) : code;
}

static DebyeStatusCode
create(int device, const DebyePotentialSettings *settings, DebyePotentialPlan **plan, DebyeStatus *status)
{
  (void)device;
  *plan = NULL;
  DebyeMultilevel multilevel;
  if (debye_potential_settings_check(settings, status) != DEBYE_STATUS_OK ||
      debye_multilevel_choose(settings, &multilevel, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  DebyeMultilevelPlan *made = calloc(1, sizeof *made);
  if (made != NULL) {
    made->settings = *settings;
    made->pool = debye_pool_new(debye_cpu_threads_beside(settings->spare_cores));
  }
  if (made == NULL || made->pool == NULL) {
    destroy((DebyePotentialPlan *)made);
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a plan.");
  }
  DebyeStatusCode code = make_parts(made, &multilevel, status);
  if (code != DEBYE_STATUS_OK) {
    destroy((DebyePotentialPlan *)made);
    return code;
  }
  *plan = (DebyePotentialPlan *)made;
  return debye_status_ok(status);
}

static DebyeStatusCode
set_charges(DebyePotentialPlan *handle, const DebyeCharges *charges, const DebyeCell *cell,
            DebyeStatus *status)
{
  DebyeMultilevelPlan *plan = (DebyeMultilevelPlan *)handle;
  DebyeStatusCode code = debye_multilevel_lattices_set_charges(plan->lattices, charges, cell, status);
  return code == DEBYE_STATUS_OK ? debye_cpu_cutoff.set_charges(plan->near, charges, cell, status) : code;
}

static DebyeStatusCode
execute(DebyePotentialPlan *handle, DebyeSlab slab, float *out, double *out_double,
        const DebyeMeanwhile *meanwhile, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeMultilevelPlan *plan = (DebyeMultilevelPlan *)handle;
  (void)meanwhile;
  if (debye_potential_slab_check(&plan->settings, slab, out, out_double, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  void *result = plan->settings.double_precision ? (void *)out_double : (void *)out;
  DebyeStatusCode code = debye_multilevel_lattices_interpolate(plan->lattices, slab, result, cancel, status);
  return code == DEBYE_STATUS_OK
             ? debye_cpu_cutoff.add(plan->near, slab, result, out, out_double, cancel, status)
             : code;
}

const DebyePotentialKernel debye_cpu_multilevel = {
    .bytes_needed = bytes_needed,
    .create = create,
    .set_charges = set_charges,
    .execute = execute,
    .destroy = destroy,
};
