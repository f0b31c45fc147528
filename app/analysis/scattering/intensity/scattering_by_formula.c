/* SPDX-License-Identifier: MIT */
/* Method (scattering_method.h): the exact average over orientations of a finite body by the Debye formula.
 * Small bodies are summed pair by pair; large ones on the CPU come from a lattice (scattering_formula_lattice.h),
 * or all devices count the distances first, in bins so fine that the tolerance holds. */
#include <string.h>

#include "data/files/error.h"
#include "kernels/pairs/pair_histogram_lanes.h"
#include "kernels/scattering/scattering_debye.h"
#include "scattering_formula_cost.h"
#include "scattering_formula_lattice.h"
#include "scattering_sums.h"
#include "scattering_method.h"

/* A body that grows is given so much more room. */
#define GROWTH 1.25
#define LEAST_ROOM 10.0 /* Å */

typedef struct {
  DebyeScatteringTask task;
  gboolean pair_by_pair;
  double *products;               /* of a frame, real: pairs of species × q */
  DebyeFormulaByLattice *lattice; /* NULL where pairs are looked at */
  /* By counts: */
  DebyeSharing *counts;
  guint32 *group;        /* of each atom */
  DebyeGroupPair *pairs; /* of species */
  double reach;          /* Å: no distance is larger */
  gsize n_bins;
  guint64 *out;    /* pairs × bins of a frame */
  double *numbers; /* the same, summed over frames */
  gsize n_counted; /* frames that these have */
} Formula;

static gsize
get_n_pairs(const Formula *formula)
{
  return debye_scattering_n_pairs(formula->task.groups.n_groups);
}

static void
close_counts(Formula *formula)
{
  g_clear_pointer(&formula->counts, debye_sharing_free);
  g_clear_pointer(&formula->out, g_free);
  g_clear_pointer(&formula->numbers, g_free);
}

static void
formula_close(gpointer state)
{
  Formula *formula = state;
  close_counts(formula);
  debye_formula_by_lattice_free(formula->lattice);
  g_free(formula->products);
  g_free(formula->group);
  g_free(formula->pairs);
  g_free(formula);
}

static gpointer
formula_open(const DebyeScatteringTask *task, GError **error)
{
  gsize n_groups = task->groups.n_groups, n_atoms = debye_topology_get_n_atoms(task->plan->topology);
  Formula *formula = g_new0(Formula, 1);
  formula->task = *task;
  formula->products = g_new(double, debye_scattering_n_pairs(n_groups) * task->n_q);
  formula->pair_by_pair = debye_scattering_formula_is_pair_by_pair(task->plan, task->n_q);
  formula->lattice = debye_formula_by_lattice_new(task);
  if (formula->pair_by_pair)
    return formula;
  formula->group = g_try_new(guint32, n_atoms);
  if (formula->group == NULL) {
    debye_error_set(error, DEBYE_ERROR_MEMORY, "no memory for the species of %" G_GSIZE_FORMAT " atoms",
                    n_atoms);
    formula_close(formula);
    return NULL;
  }
  for (gsize i = 0; i < n_atoms; i++)
    formula->group[i] = DEBYE_PAIR_NO_GROUP;
  for (gsize g = 0; g < n_groups; g++)
    for (gsize i = task->groups.first[g]; i < task->groups.first[g + 1]; i++)
      formula->group[task->groups.atoms[i]] = (guint32)g;
  formula->pairs = g_new(DebyeGroupPair, get_n_pairs(formula));
  for (gsize a = 0, pair = 0; a < n_groups; a++)
    for (gsize b = a; b < n_groups; b++)
      formula->pairs[pair++] = (DebyeGroupPair){.a = (uint32_t)a, .b = (uint32_t)b};
  return formula;
}

/* Counts of small bodies are transformed once for many frames: that takes longer than counting. */
static gsize
formula_get_frames_at_once(const DebyeScatteringTask *task)
{
  return debye_scattering_formula_is_pair_by_pair(task->plan, task->n_q)
             ? 1
             : debye_scattering_formula_frames_at_once(task->plan);
}

/* --- By counts --- */

static double
find_reach(const Formula *formula, const DebyeFrame *frame)
{
  const DebyeScatteringGroups *groups = &formula->task.groups;
  DebyeVec3 low, high;
  if (!debye_frame_get_bounds(frame, groups->atoms, debye_scattering_n_entries(groups), &low, &high))
    return 0.0;
  return debye_vec3_length(debye_vec3_subtract(high, low));
}

static gboolean
open_counts(Formula *formula, GError **error)
{
  const DebyeScatteringTask *task = &formula->task;
  DebyeStatus status = {0};
  close_counts(formula);
  formula->n_bins = debye_scattering_formula_count_bins(task->plan, formula->reach, task->q[task->n_q - 1]);
  const DebyePairLanesSettings settings = {
      .pair = {.max_atoms = debye_topology_get_n_atoms(task->plan->topology),
               .n_groups = task->groups.n_groups,
               .pairs = formula->pairs,
               .n_pairs = get_n_pairs(formula),
               .r_max = formula->reach,
               .n_bins = formula->n_bins,
               .without_self_images = true},
      .memory_limit = task->plan->memory_limit};
  formula->out = g_try_new(guint64, get_n_pairs(formula) * formula->n_bins);
  formula->numbers = g_try_new0(double, get_n_pairs(formula) * formula->n_bins);
  if (formula->out == NULL || formula->numbers == NULL) {
    debye_error_set_about(error, DEBYE_ERROR_MEMORY, "Tolerance",
                          "no memory for %" G_GSIZE_FORMAT " bins of %" G_GSIZE_FORMAT " pairs of species",
                          formula->n_bins, get_n_pairs(formula));
    return FALSE;
  }
  if (debye_pair_lanes_create(&settings, task->devices, task->n_devices, &formula->counts, &status) ==
      DEBYE_STATUS_OK)
    return TRUE;
  debye_device_set_error(error, &status);
  return FALSE;
}

/* Unordered pairs of a species with itself count twice. */
static void
sum_counts(Formula *formula)
{
  for (gsize pair = 0; pair < get_n_pairs(formula); pair++) {
    const double factor = formula->pairs[pair].a == formula->pairs[pair].b ? 2.0 : 1.0;
    const gsize first = pair * formula->n_bins;
    for (gsize k = first; k < first + formula->n_bins; k++)
      formula->numbers[k] += factor * (double)formula->out[k];
  }
  formula->n_counted++;
}

/* Takes what has been counted to the products; each atom with itself is 1. */
static gboolean
transform_counts(Formula *formula, double complex *products, GError **error)
{
  const DebyeScatteringTask *task = &formula->task;
  const double width = formula->reach / (double)formula->n_bins;
  DebyeStatus status = {0};
  for (gsize pair = 0; pair < get_n_pairs(formula) && formula->n_counted > 0; pair++) {
    const gsize g = formula->pairs[pair].a;
    const gsize n_self = g == formula->pairs[pair].b ? task->groups.first[g + 1] - task->groups.first[g] : 0;
    if (debye_formula_of_counts(formula->numbers + pair * formula->n_bins, formula->n_bins, width, task->q,
                                task->n_q, formula->products, &status) != DEBYE_STATUS_OK) {
      debye_device_set_error(error, &status);
      return FALSE;
    }
    for (gsize k = 0; k < task->n_q; k++)
      products[pair * task->n_q + k] += formula->products[k] + (double)n_self * (double)formula->n_counted;
  }
  if (formula->n_counted > 0)
    memset(formula->numbers, 0, get_n_pairs(formula) * formula->n_bins * sizeof *formula->numbers);
  formula->n_counted = 0;
  return TRUE;
}

static gboolean
count(Formula *formula, const DebyeFrame *frame, double complex *products, GError **error)
{
  const DebyeScatteringTask *task = &formula->task;
  const DebyeLaneReport *reports = NULL;
  DebyeStatus status = {0};
  double reach = find_reach(formula, frame);
  if (formula->counts == NULL || reach >= formula->reach) {
    if (!transform_counts(formula, products, error))
      return FALSE;
    formula->reach = reach * GROWTH + LEAST_ROOM;
    if (!open_counts(formula, error))
      return FALSE;
  }
  const DebyePairFrame pairs = {
      .x = frame->x, .y = frame->y, .z = frame->z, .group = formula->group, .n = frame->n_atoms};
  DebyeStatusCode code = debye_pair_lanes_execute(formula->counts, &pairs, 1, formula->out, NULL,
                                                  task->cancel, NULL, NULL, &status);
  gsize n_reports = debye_sharing_get_reports(formula->counts, &reports);
  debye_lane_totals_add(task->lanes, reports, n_reports);
  if (code == DEBYE_STATUS_OK)
    sum_counts(formula);
  return debye_device_check_frame(code, &status, frame, error);
}

/* --- A frame --- */

static gboolean
sum_pair_by_pair(Formula *formula, const DebyeFrame *frame, double complex *products, GError **error)
{
  const DebyeScatteringTask *task = &formula->task;
  const DebyeScatteringFrame positions = {.x = frame->x, .y = frame->y, .z = frame->z};
  DebyeStatus status = {0};
  const DebyeStatusCode code = debye_formula_products(&task->groups, &positions, task->q, task->n_q,
                                                      formula->products, task->cancel, &status);
  for (gsize k = 0; k < get_n_pairs(formula) * task->n_q && code == DEBYE_STATUS_OK; k++)
    products[k] += formula->products[k];
  return debye_device_check_frame(code, &status, frame, error);
}

/* A body that grows in the run may leave the lattice for the counts. */
static gboolean
sum_frame(Formula *formula, const DebyeFrame *frame, double complex *products, GError **error)
{
  if (debye_formula_by_lattice_suits(formula->lattice, frame))
    return debye_formula_by_lattice_add(formula->lattice, frame, products, error);
  return formula->pair_by_pair ? sum_pair_by_pair(formula, frame, products, error)
                               : count(formula, frame, products, error);
}

static gboolean
formula_sum(gpointer state, DebyeFrame *const *frames, gsize n_frames, double complex *products,
            GError **error)
{
  Formula *formula = state;
  memset(products, 0, get_n_pairs(formula) * formula->task.n_q * sizeof *products);
  for (gsize i = 0; i < n_frames; i++)
    if (!sum_frame(formula, frames[i], products, error))
      return FALSE;
  return transform_counts(formula, products, error);
}

static void
formula_add_notes(gpointer state, DebyeResult *result)
{
  const Formula *formula = state;
  char width[G_ASCII_DTOSTR_BUF_SIZE];
  if (debye_formula_by_lattice_add_notes(formula->lattice, result) && formula->n_bins == 0)
    return;
  if (formula->pair_by_pair) {
    debye_result_add_note(result,
                          "Exact average over orientations: the Debye formula, pair by pair, on the CPU");
    return;
  }
  debye_result_add_note(
      result,
      "Exact average over orientations: the Debye formula of all distances, counted in bins of "
      "%s Å",
      g_ascii_formatd(width, sizeof width, "%.2g", formula->reach / (double)formula->n_bins));
}

const DebyeScatteringMethod debye_scattering_by_formula = {
    .open = formula_open,
    .get_frames_at_once = formula_get_frames_at_once,
    .sum = formula_sum,
    .add_notes = formula_add_notes,
    .close = formula_close,
};
