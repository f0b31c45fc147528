/* SPDX-License-Identifier: MIT */
/* Multilevel summation on the CPU; its twin is cuda/potential/potential_multilevel.cu.
 *
 * A frame goes up and down the lattices once (multilevel_lattices.c); a slab is then interpolated from the
 * finest, and the cutoff kernel adds the short-range part to what stands there. */
#include "kernels/potential/potential_kernel.h"

#include "multilevel_lattices.h"
#include "cutoff_short_range.h"
#include "unpacked_charges.h"
#include "kernels/cpu/common/cpu_kernels.h"
#include "kernels/cpu/common/cpu_settings.h"

typedef struct {
  DebyeMultilevelLatticeSettings settings;
  DebyePairFunction function; /* of the short-range part */
  uint64_t lattice_bytes, near_bytes;
  DebyeMultilevelLattices *lattices;
  DebyeKernelPlan *near; /* the short-range part */
  DebyeUnpackedCharges unpacked;
} DebyeMultilevelPlan;

static DebyeStatusCode
set_up(void *made, int device, const void *settings, DebyeStatus *status)
{
  DebyeMultilevelPlan *plan = made;
  DebyePotentialSettings *potential = &plan->settings.potential;
  *potential = *(const DebyePotentialSettings *)settings;
  DebyeStatusCode code = debye_potential_settings_check(potential, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_multilevel_choose(potential, &plan->settings.multilevel, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  plan->function = debye_multilevel_pair_function(&plan->settings.multilevel);
  plan->lattice_bytes = debye_plan_bytes(&debye_multilevel_lattices_kind, device, &plan->settings);
  plan->near_bytes = debye_cpu_cutoff_bytes_with(potential, &plan->function);
  return code;
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  DebyeMultilevelPlan *plan = made;
  debye_unpacked_charges_list(&plan->unpacked, &plan->settings.potential, memory);
  debye_plan_memory_add_bytes(memory, plan->lattice_bytes);
  debye_plan_memory_add_bytes(memory, plan->near_bytes);
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  DebyeMultilevelPlan *plan = made;
  void *lattices = NULL;
  plan->settings.pool = debye_pool_new(debye_cpu_threads_beside(plan->settings.potential.spare_cores));
  if (plan->settings.pool == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a plan.");
  const DebyeStatusCode code =
      debye_plan_create(&debye_multilevel_lattices_kind, 0, &plan->settings, &lattices, status);
  plan->lattices = lattices;
  return code == DEBYE_STATUS_OK
             ? debye_cpu_cutoff_create_with(&plan->settings.potential, &plan->function, &plan->near, status)
             : code;
}

static void
clear(void *made)
{
  DebyeMultilevelPlan *plan = made;
  debye_cpu_cutoff.head.destroy(plan->near);
  debye_plan_destroy(&debye_multilevel_lattices_kind, plan->lattices);
  debye_pool_free(plan->settings.pool);
}

DEBYE_PLAN(DebyeMultilevelPlan, debye_host_memory_source, .prepare = prepare, .clear = clear)

static DebyeStatusCode
set_charges(DebyeKernelPlan *handle, const DebyeCharges *charges, const DebyeCell *cell, DebyeStatus *status)
{
  DebyeMultilevelPlan *plan = (DebyeMultilevelPlan *)handle;
  DebyeStatusCode code = debye_multilevel_lattices_set_charges(plan->lattices, charges, cell, status);
  return code == DEBYE_STATUS_OK ? debye_cpu_cutoff.set_charges(plan->near, charges, cell, status) : code;
}

static DebyeStatusCode
set_packed(DebyeKernelPlan *handle, const DebyePackedCoordinates *packed, const DebyeCell *cell,
           DebyeStatus *status)
{
  DebyeMultilevelPlan *plan = (DebyeMultilevelPlan *)handle;
  DebyeCharges charges;
  const DebyeStatusCode code = debye_unpacked_charges_set(&plan->unpacked, &plan->settings.potential, packed,
                                                          plan->settings.pool, &charges, status);
  return code == DEBYE_STATUS_OK ? set_charges(handle, &charges, cell, status) : code;
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, DebyeSlab slab, float *out, double *out_double,
        const DebyeMeanwhile *meanwhile, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeMultilevelPlan *plan = (DebyeMultilevelPlan *)handle;
  (void)meanwhile;
  if (debye_potential_slab_check(&plan->settings.potential, slab, out, out_double, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  void *result = plan->settings.potential.double_precision ? (void *)out_double : (void *)out;
  DebyeStatusCode code = debye_multilevel_lattices_interpolate(plan->lattices, slab, result, cancel, status);
  return code == DEBYE_STATUS_OK
             ? debye_cpu_cutoff.add(plan->near, slab, result, out, out_double, cancel, status)
             : code;
}

const DebyePotentialKernel debye_cpu_multilevel = {
    .head = {bytes_needed, create, destroy},
    .set_charges = set_charges,
    .set_packed = set_packed,
    .execute = execute,
};
