/* SPDX-License-Identifier: MIT */
/* Self scattering on the CPU; its twin is cuda/scattering/scattering_self.cu.
 *
 * Atoms are sorted by group and cut into parts, whose number depends on nothing but the block: a part is
 * summed by one thread and parts are added in their order, so the result is the same for any number of
 * threads. Within a part, a few atoms' positions are turned from frames into series once for several vectors;
 * a series then stays in the first cache from its phases to its power spectrum. */
#include "kernels/scattering/scattering_self.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/common/cpu_kernels.h"
#include "kernels/cpu/common/cpu_settings.h"
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

static uint64_t
bytes_needed(int device, const DebyeSelfSettings *settings)
{
  (void)device;
  const size_t parts = parts_besides_groups(settings) + settings->n_groups;
  return (uint64_t)debye_cpu_get_threads() * debye_cpu_self_scratch_bytes(settings) +
         (uint64_t)parts * vectors_of_batch(settings) * values_of_sum(settings) * sizeof(double) +
         (uint64_t)settings->max_atoms * sizeof(uint32_t);
}

/* Executing. */

static DebyeStatusCode
execute(DebyeSelfPlan *handle, size_t first, size_t count, double *f, double *fq2,
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
set_block(DebyeSelfPlan *handle, const DebyeSelfBlock *block, DebyeStatus *status)
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

static void
destroy(DebyeSelfPlan *handle)
{
  DebyeCpuSelfPlan *plan = (DebyeCpuSelfPlan *)handle;
  if (plan == NULL)
    return;
  debye_pool_free(plan->pool);
  debye_fourier_destroy(plan->forward);
  debye_fourier_destroy(plan->backward);
  debye_scratch_clear(&plan->scratch);
  free(plan->quarter);
  free(plan->mean_real);
  free(plan->mean_imaginary);
  free(plan->order);
  free(plan->group_end);
  free(plan->parts);
  free(plan->sums);
  free(plan->elastic);
  free(plan);
}

static bool
make_vectors(DebyeCpuSelfPlan *plan)
{
  const double quarters = 4.0 / (2.0 * 3.14159265358979323846);
  plan->quarter = calloc(plan->settings.n_vectors, sizeof *plan->quarter);
  for (size_t i = 0; i < plan->settings.n_vectors && plan->quarter != NULL; i++) {
    const DebyeVec3 q = plan->settings.vectors[i];
    plan->quarter[i][0] = q.x * quarters;
    plan->quarter[i][1] = q.y * quarters;
    plan->quarter[i][2] = q.z * quarters;
  }
  plan->settings.vectors = NULL;
  return plan->quarter != NULL;
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
  const size_t length = plan->length, bytes = length * debye_cpu_self_value_bytes(&plan->settings);
  double *root = malloc(2 * length * sizeof *root), *weights = malloc(2 * length * sizeof *weights);
  plan->mean_real = malloc(bytes);
  plan->mean_imaginary = malloc(bytes);
  const bool made =
      root != NULL && weights != NULL && plan->mean_real != NULL && plan->mean_imaginary != NULL;
  if (made) {
    debye_self_roots(length, root);
    debye_self_mean_weights(plan->settings.n_frames, length, root, weights);
    for (size_t k = 0; k < length; k++) {
      put_value(plan, plan->mean_real, k, weights[2 * k]);
      put_value(plan, plan->mean_imaginary, k, weights[2 * k + 1]);
    }
  }
  free(root);
  free(weights);
  return made;
}

static bool
make_memory(DebyeCpuSelfPlan *plan)
{
  const DebyeSelfSettings *settings = &plan->settings;
  plan->row = debye_cpu_self_row(settings->n_frames);
  plan->n_values = values_of_sum(settings);
  plan->max_parts = parts_besides_groups(settings) + settings->n_groups;
  plan->batch = vectors_of_batch(settings);
  plan->order = calloc(settings->max_atoms, sizeof *plan->order);
  plan->group_end = calloc(settings->n_groups, sizeof *plan->group_end);
  plan->parts = calloc(plan->max_parts, sizeof *plan->parts);
  plan->sums = calloc(plan->max_parts * plan->batch * plan->n_values, sizeof *plan->sums);
  plan->elastic = calloc(plan->max_parts * plan->batch, sizeof *plan->elastic);
  plan->pool = debye_pool_new(debye_cpu_threads_beside(settings->spare_cores));
  return plan->order != NULL && plan->group_end != NULL && plan->parts != NULL && plan->sums != NULL &&
         plan->elastic != NULL && plan->pool != NULL && make_vectors(plan) &&
         debye_scratch_init(&plan->scratch, debye_pool_get_threads(plan->pool),
                            debye_cpu_self_scratch_bytes(settings));
}

static DebyeStatusCode
make_transforms(DebyeCpuSelfPlan *plan, DebyeStatus *status)
{
  if (!debye_cpu_self_correlates(&plan->settings))
    return debye_status_ok(status);
  plan->length = debye_self_length(plan->settings.n_frames);
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
create(int device, const DebyeSelfSettings *settings, DebyeSelfPlan **handle, DebyeStatus *status)
{
  (void)device;
  *handle = NULL;
  DebyeStatusCode code = debye_self_settings_check(settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  DebyeCpuSelfPlan *plan = calloc(1, sizeof *plan);
  if (plan == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a plan.");
  plan->settings = *settings;
  plan->loops = debye_self_block_loops(debye_cpu_get_level());
  if (!make_memory(plan))
    code = debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                            "There is no memory for self scattering of %zu atoms in %zu frames.",
                            settings->max_atoms, settings->n_frames);
  else
    code = make_transforms(plan, status);
  if (code != DEBYE_STATUS_OK) {
    destroy((DebyeSelfPlan *)plan);
    return code;
  }
  *handle = (DebyeSelfPlan *)plan;
  return DEBYE_STATUS_OK;
}

const DebyeSelfKernel debye_cpu_self = {
    .bytes_needed = bytes_needed,
    .create = create,
    .set_block = set_block,
    .execute = execute,
    .destroy = destroy,
};
