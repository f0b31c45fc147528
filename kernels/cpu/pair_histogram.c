/* SPDX-License-Identifier: MIT */
/* Pair histograms on the CPU; its twin is cuda/pair_histogram.cu. */
#include "pair_histogram.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/pair_math.h"

typedef struct {
  DebyePairSettings settings;
  double *edge2;
  double *position; /* wrapped, three an atom */
  uint32_t *group;
  uint32_t *histogram_of; /* n_groups × n_groups; n_pairs where none was asked for */
  size_t n;
  DebyeLattice lattice;
  DebyePairBins bins;
} Plan;

static uint64_t
bytes_needed(int device, const DebyePairSettings *settings)
{
  (void)device;
  return settings->max_atoms * 28 + (settings->n_bins + 1) * 8 + settings->n_groups * settings->n_groups * 4;
}

static void
destroy(DebyePairPlan *handle)
{
  Plan *plan = (Plan *)handle;
  if (plan == NULL)
    return;
  free(plan->edge2);
  free(plan->position);
  free(plan->group);
  free(plan->histogram_of);
  free(plan);
}

static DebyeStatusCode
create(int device, const DebyePairSettings *settings, DebyePairPlan **handle, DebyeStatus *status)
{
  (void)device;
  *handle = NULL;
  if (debye_pair_settings_check(settings, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  Plan *plan = calloc(1, sizeof *plan);
  size_t room = settings->max_atoms > 0 ? settings->max_atoms : 1, g = settings->n_groups;
  if (plan != NULL) {
    plan->settings = *settings;
    plan->edge2 = calloc(settings->n_bins + 1, sizeof(double));
    plan->position = calloc(room, 3 * sizeof(double));
    plan->group = calloc(room, sizeof(uint32_t));
    plan->histogram_of = calloc(g * g, sizeof(uint32_t));
  }
  if (plan == NULL || plan->edge2 == NULL || plan->position == NULL || plan->group == NULL ||
      plan->histogram_of == NULL) {
    destroy((DebyePairPlan *)plan);
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for the pairs of %zu atoms.",
                            settings->max_atoms);
  }
  debye_pair_set_edges(plan->edge2, settings->r_max, settings->n_bins);
  plan->bins = debye_pair_bins(plan->edge2, settings->r_max, settings->n_bins);
  for (size_t i = 0; i < g * g; i++)
    plan->histogram_of[i] = (uint32_t)settings->n_pairs;
  for (size_t i = 0; i < settings->n_pairs; i++) {
    const DebyeGroupPair *pair = &settings->pairs[i];
    plan->histogram_of[pair->a * g + pair->b] = plan->histogram_of[pair->b * g + pair->a] = (uint32_t)i;
  }
  plan->settings.pairs = NULL;
  *handle = (DebyePairPlan *)plan;
  return debye_status_ok(status);
}

static DebyeStatusCode
set_frame(DebyePairPlan *handle, const DebyePairFrame *frame, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  DebyeStatusCode code = debye_pair_frame_check(&plan->settings, frame, status);
  plan->n = 0;
  if (code != DEBYE_STATUS_OK)
    return code;
  debye_lattice_init(&plan->lattice, frame->cell);
  for (size_t i = 0; i < frame->n; i++) {
    double *p = &plan->position[3 * i];
    p[0] = (double)frame->x[i];
    p[1] = (double)frame->y[i];
    p[2] = (double)frame->z[i];
    plan->group[i] = frame->group != NULL ? frame->group[i] : 0;
    if (plan->group[i] < plan->settings.n_groups)
      debye_lattice_wrap(&plan->lattice, p);
  }
  plan->n = frame->n;
  return DEBYE_STATUS_OK;
}

static void
count_images(const Plan *plan, size_t i, size_t j, uint64_t *histogram)
{
  const DebyeLattice *lattice = &plan->lattice;
  int reach[3] = {0, 0, 0};
  for (int axis = 0; axis < 3 && lattice->periodic; axis++)
    reach[axis] = (int)(plan->settings.r_max / lattice->width[axis]) + 2;
  for (int c = -reach[2]; c <= reach[2]; c++)
    for (int b = -reach[1]; b <= reach[1]; b++)
      for (int a = -reach[0]; a <= reach[0]; a++) {
        const int n[3] = {a, b, c};
        double d[3];
        debye_pair_difference(lattice, &plan->position[3 * i], &plan->position[3 * j], n, d);
        size_t bin = debye_pair_bin(&plan->bins, debye_dot3(d, d));
        if (bin < plan->settings.n_bins)
          histogram[bin]++;
      }
}

static size_t
find_histogram(const Plan *plan, size_t i, size_t j)
{
  size_t g = plan->settings.n_groups;
  return plan->group[i] < g && plan->group[j] < g ? plan->histogram_of[plan->group[i] * g + plan->group[j]]
                                                  : plan->settings.n_pairs;
}

static void
count_nearest(const Plan *plan, size_t i, size_t j, uint64_t by, uint64_t *counts)
{
  size_t first = i < j ? i : j, second = i < j ? j : i, which = find_histogram(plan, i, j);
  if (which == plan->settings.n_pairs)
    return;
  double square = debye_pair_nearest(&plan->lattice, &plan->position[3 * first], &plan->position[3 * second]);
  size_t bin = debye_pair_bin(&plan->bins, square);
  if (bin < plan->settings.n_bins)
    counts[which * plan->settings.n_bins + bin] += by;
}

static void
take_exclusions(const Plan *plan, uint64_t *counts)
{
  const DebyePairExclusions *exclusions = &plan->settings.exclusions;
  for (size_t c = 0; c < exclusions->n_classes; c++)
    for (size_t p = exclusions->class_first[c]; p < exclusions->class_first[c + 1]; p++)
      for (size_t q = p + 1; q < exclusions->class_first[c + 1]; q++)
        count_nearest(plan, exclusions->members[p], exclusions->members[q], UINT64_MAX, counts);
  for (size_t i = 0; i < exclusions->n_listed; i++)
    for (size_t p = exclusions->partner_first[i]; p < exclusions->partner_first[i + 1]; p++)
      count_nearest(plan, i, exclusions->partners[p], UINT64_MAX, counts);
}

static DebyeStatusCode
execute(DebyePairPlan *handle, size_t first, size_t count, size_t n_slices, uint64_t *counts,
        const volatile bool *cancel, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  size_t begin = plan->n * first / n_slices, end = plan->n * (first + count) / n_slices;
  if (first == 0)
    take_exclusions(plan, counts);
  for (size_t i = begin; i < end; i++) {
    if (debye_is_cancelled(cancel))
      return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
    for (size_t j = 0; j < i; j++) {
      size_t which = find_histogram(plan, i, j);
      if (which == plan->settings.n_pairs)
        continue;
      if (plan->settings.images == DEBYE_PAIR_IMAGES_ALL)
        count_images(plan, i, j, counts + which * plan->settings.n_bins);
      else
        count_nearest(plan, i, j, 1, counts);
    }
  }
  return debye_status_ok(status);
}

const DebyePairHistogramKernel debye_cpu_pair_histogram = {
    .bytes_needed = bytes_needed,
    .create = create,
    .set_frame = set_frame,
    .execute = execute,
    .destroy = destroy,
};
