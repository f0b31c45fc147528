/* SPDX-License-Identifier: MIT */
/* Method (scattering_method.h): the exact average over orientations of a finite body by the Debye formula.
 * Small bodies are summed pair by pair; large ones come from a lattice (scattering_formula_lattice.h), on all devices, or,
 * where that is more work or more memory, from moments of their distances, with the tolerance held by either. Distances are
 * the CPU's. */
#include <string.h>

#include "kernels/scattering/scattering_debye.h"
#include "kernels/cpu/scattering/scattering_debye_moments.h"
#include "scattering_formula_cost.h"
#include "scattering_formula_lattice.h"
#include "scattering_sums.h"
#include "scattering_method.h"

/* That accelerators share, and whose sums are fetched and folded together. */
#define FRAMES_AT_ONCE 16

typedef struct {
  DebyeScatteringTask task;
  gboolean pair_by_pair;
  double *products; /* of a frame, real: pairs of species × q */
  DebyeFormulaByLattice *lattice;
  double width; /* Å: of the last frame's bins; 0 before any had such */
} Formula;

static gsize
count_products(const Formula *formula)
{
  return debye_scattering_n_pairs(formula->task.groups.n_groups) * formula->task.n_q;
}

static void
formula_close(gpointer state)
{
  Formula *formula = state;
  debye_formula_by_lattice_free(formula->lattice);
  g_free(formula->products);
  g_free(formula);
}

static gpointer
formula_open(const DebyeScatteringTask *task, GError **error G_GNUC_UNUSED)
{
  Formula *formula = g_new0(Formula, 1);
  formula->task = *task;
  formula->products = g_new(double, count_products(formula));
  formula->pair_by_pair = debye_scattering_formula_is_pair_by_pair(task->plan, task->n_q);
  formula->lattice = debye_formula_by_lattice_new(task);
  return formula;
}

static gsize
formula_get_frames_at_once(const DebyeScatteringTask *task)
{
  return task->basis.speed > 0.0 ? FRAMES_AT_ONCE : 1;
}

static DebyeStatusCode
sum_distances(Formula *formula, const DebyeFrame *frame, DebyeStatus *status)
{
  const DebyeScatteringTask *task = &formula->task;
  const DebyeScatteringGroups *groups = &task->groups;
  const DebyeScatteringFrame positions = {.x = frame->x, .y = frame->y, .z = frame->z};
  const gsize n = debye_scattering_n_entries(groups);
  DebyeVec3 low, high;
  if (formula->pair_by_pair || !debye_frame_get_bounds(frame, groups->atoms, n, &low, &high))
    return debye_formula_products(groups, &positions, task->q, task->n_q, formula->products, task->cancel,
                                  status);
  const DebyeFormulaBins bins = debye_scattering_formula_bins(
      task->plan, task->n_q, debye_vec3_length(debye_vec3_subtract(high, low)), task->q[task->n_q - 1]);
  formula->width = bins.width;
  return debye_formula_by_moments(groups, &positions, &bins, task->q, task->n_q, formula->products,
                                  task->cancel, status);
}

static gboolean
add_distances(Formula *formula, const DebyeFrame *frame, double complex *products, GError **error)
{
  DebyeStatus status = {0};
  const DebyeStatusCode code = sum_distances(formula, frame, &status);
  for (gsize k = 0; k < count_products(formula) && code == DEBYE_STATUS_OK; k++)
    products[k] += formula->products[k];
  return debye_device_check_frame(code, &status, frame, error);
}

/* Where no device is left, distances need none. */
static gboolean
add_frames(Formula *formula, DebyeFrame *const *frames, gsize n_frames, double complex *products,
           GError **error)
{
  DebyeStatus status = {0};
  gsize bad = 0;
  const DebyeStatusCode code =
      debye_formula_by_lattice_add(formula->lattice, frames, n_frames, products, &bad, &status);
  if (code == DEBYE_STATUS_OK || code == DEBYE_STATUS_CANCELLED || code == DEBYE_STATUS_INVALID)
    return debye_device_check_frame(code, &status, frames[bad], error);
  debye_formula_by_lattice_refuse(formula->lattice);
  for (gsize i = 0; i < n_frames; i++)
    if (!add_distances(formula, frames[i], products, error))
      return FALSE;
  return TRUE;
}

/* So many of the frames, from the first on, suit one lattice. A body that grows in the run may leave it, or get a larger one. */
static gsize
count_alike(Formula *formula, DebyeFrame *const *frames, gsize n_frames)
{
  gsize n = 1;
  if (!debye_formula_by_lattice_suits(formula->lattice, frames[0]))
    return 0;
  while (n < n_frames && debye_formula_by_lattice_holds(formula->lattice, frames[n]))
    n++;
  return n;
}

static gboolean
formula_sum(gpointer state, DebyeFrame *const *frames, gsize n_frames, double complex *products,
            GError **error)
{
  Formula *formula = state;
  memset(products, 0, count_products(formula) * sizeof *products);
  for (gsize i = 0; i < n_frames;) {
    const gsize n = count_alike(formula, frames + i, n_frames - i);
    if (!(n > 0 ? add_frames(formula, frames + i, n, products, error)
                : add_distances(formula, frames[i], products, error)))
      return FALSE;
    i += MAX(n, 1);
  }
  return TRUE;
}

static void
formula_add_notes(gpointer state, DebyeResult *result)
{
  const Formula *formula = state;
  char width[G_ASCII_DTOSTR_BUF_SIZE];
  debye_formula_by_lattice_add_notes(formula->lattice, result);
  if (formula->pair_by_pair)
    debye_result_add_note(result,
                          "Exact average over orientations: the Debye formula, pair by pair, on the CPU");
  else if (formula->width > 0.0)
    debye_result_add_note(
        result,
        "Exact average over orientations: the Debye formula of all distances, from four moments per bin of "
        "about %s Å, on the CPU",
        g_ascii_formatd(width, sizeof width, "%.2g", formula->width));
}

const DebyeScatteringMethod debye_scattering_by_formula = {
    .open = formula_open,
    .get_frames_at_once = formula_get_frames_at_once,
    .sum = formula_sum,
    .add_notes = formula_add_notes,
    .close = formula_close,
};
