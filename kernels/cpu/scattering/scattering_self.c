/* SPDX-License-Identifier: MIT */
/* Self scattering on the CPU; its twin is cuda/scattering/scattering_self.cu.
 *
 * Atoms are sorted by group and cut into parts, whose number depends on nothing but the block: a part is
 * summed by one thread and parts are added in their order, so the result is the same for any number of
 * threads. Within a part, a few atoms' positions are turned from frames into series once for several vectors;
 * a series then stays in the first cache from its phases to its power spectrum. */
#include "kernels/scattering/scattering_self.h"

#include <stdlib.h>

#include "kernels/cpu/common/cpu_kernels.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/plan.h"
#include "self_plan.h"

/* Parts, beside one more for each group, as long as their spectra fit. */
#define MAX_PARTS 48
#define MAX_VECTORS 16
#define MAX_BYTES ((size_t)64 << 20)

/* Sizes. */

static size_t
values_of_sum(const DebyeSelfSettings *settings)
{
  return debye_cpu_self_correlates(settings) ? debye_self_length(settings->n_frames) : 2 * settings->n_frames;
}

static size_t
parts_besides_groups(const DebyeSelfSettings *settings)
{
  size_t fits = MAX_BYTES / (values_of_sum(settings) * sizeof(double));
  return fits < 4 ? 4 : fits > MAX_PARTS ? MAX_PARTS : fits;
}

static size_t
vectors_of_batch(const DebyeSelfSettings *settings)
{
  size_t parts = parts_besides_groups(settings) + settings->n_groups;
  size_t fits = MAX_BYTES / (parts * values_of_sum(settings) * sizeof(double));
  fits = fits < 1 ? 1 : fits > MAX_VECTORS ? MAX_VECTORS : fits;
  return fits < settings->n_vectors ? fits : settings->n_vectors;
}

/* Executing. */

static DebyeStatusCode
execute(DebyeKernelPlan *handle, size_t first, size_t count, double *f, double *fq2,
        const volatile bool *cancel, DebyeStatus *status)
{
  DebyeCpuSelfPlan *plan = (DebyeCpuSelfPlan *)handle;
  fq2 = plan->settings.elastic ? fq2 : NULL;
  if (plan->settings.signal == DEBYE_SIGNAL_SQUARE) {
    debye_self_square(&plan->settings, &plan->block, count, f, fq2);
    return debye_status_ok(status);
  }
  const size_t n_groups = plan->settings.n_groups, n_values = 2 * n_groups * plan->settings.n_frames;
  for (size_t done = 0; done < count; done += plan->batch) {
    const size_t left = count - done;
    DebyeCpuSelfExecution execution = {plan, first + done, left < plan->batch ? left : plan->batch,
                                       f + done * n_values, fq2 != NULL ? fq2 + done * n_groups : NULL};
    if (!debye_parallel_for(plan->pool, plan->n_parts, debye_cpu_self_sum_part, &execution, cancel) ||
        !debye_parallel_for(plan->pool, execution.count, debye_cpu_self_finish_vector, &execution, cancel))
      return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Self scattering was stopped.");
  }
  return debye_status_ok(status);
}

/* The block. */

static void
cut_into_parts(DebyeCpuSelfPlan *plan)
{
  const size_t n_parts = plan->max_parts - plan->settings.n_groups;
  size_t atoms = (plan->block.n_atoms + n_parts - 1) / n_parts, first = 0;
  atoms = (atoms + DEBYE_CPU_SELF_SLICE - 1) / DEBYE_CPU_SELF_SLICE * DEBYE_CPU_SELF_SLICE;
  plan->n_parts = 0;
  for (size_t group = 0; group < plan->settings.n_groups; group++)
    for (const size_t end = plan->group_end[group]; first < end;) {
      const size_t count = end - first < atoms ? end - first : atoms;
      plan->parts[plan->n_parts++] = (DebyeCpuSelfPart){first, count, group};
      first += count;
    }
}

static DebyeStatusCode
set_block(DebyeKernelPlan *handle, const DebyeSelfBlock *block, DebyeStatus *status)
{
  DebyeCpuSelfPlan *plan = (DebyeCpuSelfPlan *)handle;
  plan->n_parts = 0;
  plan->block = (DebyeSelfBlock){.n_atoms = 0};
  DebyeStatusCode code = debye_self_block_check(&plan->settings, block, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_self_positions_check(block, 0, plan->settings.n_frames, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  plan->block = *block;
  debye_self_sort_atoms(block, plan->settings.n_groups, plan->order, plan->group_end);
  cut_into_parts(plan);
  return DEBYE_STATUS_OK;
}

/* The plan. */

static DebyeStatusCode
set_up(void *made, int device, const void *data, DebyeStatus *status)
{
  DebyeCpuSelfPlan *plan = made;
  const DebyeSelfSettings *settings = data;
  (void)device;
  const DebyeStatusCode code = debye_self_settings_check(settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  plan->settings = *settings;
  plan->row = debye_cpu_self_row(settings->n_frames);
  plan->n_values = values_of_sum(settings);
  plan->max_parts = parts_besides_groups(settings) + settings->n_groups;
  plan->batch = vectors_of_batch(settings);
  plan->length = debye_cpu_self_correlates(settings) ? debye_self_length(settings->n_frames) : 0;
  plan->n_threads = debye_cpu_threads_beside(settings->spare_cores);
  return code;
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  DebyeCpuSelfPlan *plan = made;
  const DebyeSelfSettings *settings = &plan->settings;
  const uint64_t n_sums = (uint64_t)plan->max_parts * plan->batch;
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->quarter, settings->n_vectors);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->order, settings->max_atoms);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->group_end, settings->n_groups);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->parts, plan->max_parts);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->sums, n_sums * plan->n_values);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->elastic, n_sums);
  debye_scratch_list(&plan->scratch, plan->n_threads, debye_cpu_self_scratch_bytes(settings), memory);
  if (settings->elastic && plan->length > 0)
    for (int part = 0; part < 2; part++)
      debye_plan_memory_add(memory, DEBYE_MEMORY_HOST, &plan->mean[part], plan->length,
                            debye_cpu_self_value_bytes(settings));
}

static DebyeStatusCode
no_memory(const void *made, DebyeStatus *status)
{
  const DebyeSelfSettings *settings = &((const DebyeCpuSelfPlan *)made)->settings;
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                          "There is no memory for self scattering of %zu atoms in %zu frames.",
                          settings->max_atoms, settings->n_frames);
}

static void
make_vectors(DebyeCpuSelfPlan *plan)
{
  const double quarters = 4.0 / (2.0 * 3.14159265358979323846);
  for (size_t i = 0; i < plan->settings.n_vectors; i++) {
    const DebyeVec3 q = plan->settings.vectors[i];
    plan->quarter[i][0] = q.x * quarters;
    plan->quarter[i][1] = q.y * quarters;
    plan->quarter[i][2] = q.z * quarters;
  }
  plan->settings.vectors = NULL;
}

static void
put_value(const DebyeCpuSelfPlan *plan, void *array, size_t i, double value)
{
  if (plan->settings.double_precision)
    ((double *)array)[i] = value;
  else
    ((float *)array)[i] = (float)value;
}

static bool
make_mean_weights(DebyeCpuSelfPlan *plan)
{
  const size_t length = plan->length;
  double *root = malloc(2 * length * sizeof *root), *weights = malloc(2 * length * sizeof *weights);
  const bool made = root != NULL && weights != NULL;
  if (made) {
    debye_self_roots(length, root);
    debye_self_mean_weights(plan->settings.n_frames, length, root, weights);
    for (size_t k = 0; k < 2 * length; k++)
      put_value(plan, plan->mean[k % 2], k / 2, weights[k]);
  }
  free(root);
  free(weights);
  return made;
}

static DebyeStatusCode
make_transforms(DebyeCpuSelfPlan *plan, DebyeStatus *status)
{
  if (plan->settings.elastic && !make_mean_weights(plan))
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for %zu frames.",
                            plan->settings.n_frames);
  DebyeFourierSettings transform = {
      .double_precision = plan->settings.double_precision, .shape = {plan->length, 1, 1}, .batch = 1};
  DebyeStatusCode code = debye_fourier_create(&transform, NULL, &plan->forward, status);
  transform.double_precision = true;
  return code == DEBYE_STATUS_OK ? debye_fourier_create(&transform, NULL, &plan->backward, status) : code;
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  DebyeCpuSelfPlan *plan = made;
  plan->loops = debye_self_block_loops(debye_cpu_get_level());
  plan->pool = debye_pool_new(plan->n_threads);
  if (plan->pool == NULL)
    return no_memory(plan, status);
  debye_scratch_init(&plan->scratch);
  make_vectors(plan);
  return plan->length > 0 ? make_transforms(plan, status) : debye_status_ok(status);
}

static void
clear(void *made)
{
  DebyeCpuSelfPlan *plan = made;
  debye_pool_free(plan->pool);
  debye_fourier_destroy(plan->forward);
  debye_fourier_destroy(plan->backward);
  debye_scratch_clear(&plan->scratch);
}

DEBYE_PLAN(DebyeCpuSelfPlan, debye_host_memory_source, .no_memory = no_memory, .prepare = prepare,
           .clear = clear)

const DebyeSelfKernel debye_cpu_self = {
    .head = {bytes_needed, create, destroy},
    .set_block = set_block,
    .execute = execute,
};
