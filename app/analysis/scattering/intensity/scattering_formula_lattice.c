/* SPDX-License-Identifier: MIT */
#include "scattering_formula_lattice.h"

#include <math.h>

#include "kernels/scattering/scattering_lattice_lanes.h"
#include "scattering_formula_cost.h"
#include "scattering_sums.h"

/* Extra room for a body that changes size from frame to frame, as a factor. */
#define GROWTH 1.02

struct DebyeFormulaByLattice {
  DebyeScatteringTask task;
  DebyeFormulaLattice lattice;
  DebyeCell cell;
  DebyeSharing *sums; /* NULL before the first frame */
  double *values;     /* half arrays of all pairs */
  double *products;
  double refused; /* Å: a body of this reach found no memory */
};

DebyeFormulaByLattice *
debye_formula_by_lattice_new(const DebyeScatteringTask *task)
{
  DebyeFormulaByLattice *by = g_new0(DebyeFormulaByLattice, 1);
  by->task = *task;
  by->refused = INFINITY;
  by->products = g_new(double, debye_scattering_n_pairs(task->groups.n_groups) * task->n_q);
  return by;
}

static void
close_lattice(DebyeFormulaByLattice *by)
{
  g_clear_pointer(&by->sums, debye_sharing_free);
  g_clear_pointer(&by->values, g_free);
}

void
debye_formula_by_lattice_free(DebyeFormulaByLattice *by)
{
  if (by == NULL)
    return;
  close_lattice(by);
  g_free(by->products);
  g_free(by);
}

/* The diameter of a ball about all atoms: no distance is larger. INFINITY where one can't be used, as the sum over pairs says. */
static double
find_reach(const DebyeFormulaByLattice *by, const DebyeFrame *frame)
{
  const DebyeScatteringGroups *groups = &by->task.groups;
  const gsize n = debye_scattering_n_entries(groups);
  DebyeVec3 low, high;
  double farthest = 0.0;
  if (!debye_frame_get_bounds(frame, groups->atoms, n, &low, &high))
    return INFINITY;
  const DebyeVec3 middle = debye_vec3_scale(debye_vec3_add(low, high), 0.5);
  for (gsize i = 0; i < n; i++) {
    const gsize atom = groups->atoms[i];
    if (!debye_scattering_is_good(frame->x[atom], frame->y[atom], frame->z[atom]))
      return INFINITY;
    const double x = (double)frame->x[atom] - middle.x, y = (double)frame->y[atom] - middle.y,
                 z = (double)frame->z[atom] - middle.z;
    farthest = fmax(farthest, x * x + y * y + z * z);
  }
  return 2.0 * sqrt(farthest);
}

static DebyeFormulaLattice
make_lattice(const DebyeFormulaByLattice *by, double reach)
{
  const DebyeScatteringTask *task = &by->task;
  const double room = task->plan->frames.n_frames > 1 ? GROWTH : 1.0;
  return debye_formula_lattice(room * reach, task->q[task->n_q - 1], task->plan->settings.tolerance,
                               debye_scattering_n_entries(&task->groups));
}

/* FALSE: no memory. */
static gboolean
open_lattice(DebyeFormulaByLattice *by, const DebyeFormulaLattice *lattice)
{
  const DebyeScatteringTask *task = &by->task;
  const gsize n_pairs = debye_scattering_n_pairs(task->groups.n_groups);
  DebyeStatus status = {0};
  close_lattice(by);
  by->lattice = *lattice;
  by->cell =
      (DebyeCell){{by->lattice.side, 0.0, 0.0}, {0.0, by->lattice.side, 0.0}, {0.0, 0.0, by->lattice.side}};
  const unsigned extent = by->lattice.extent;
  const DebyeLatticeLanesSettings settings = {
      .lattice = {.n_atoms = debye_topology_get_n_atoms(task->plan->topology),
                  .groups = task->groups,
                  .extent = {extent, extent, extent},
                  .tolerance = by->lattice.tolerance},
      .memory_limit = task->plan->memory_limit};
  by->values = g_try_new(double, n_pairs *debye_lattice_n_values(settings.lattice.extent));
  return by->values != NULL && debye_lattice_lanes_create(&settings, task->devices, task->n_devices,
                                                          &by->sums, &status) == DEBYE_STATUS_OK;
}

/* What finds no memory isn't tried again for a body that is no smaller. */
gboolean
debye_formula_by_lattice_suits(DebyeFormulaByLattice *by, const DebyeFrame *frame)
{
  const double reach = find_reach(by, frame);
  if (by->sums != NULL && reach <= by->lattice.reach)
    return TRUE;
  if (!isfinite(reach) || reach >= by->refused)
    return FALSE;
  const DebyeFormulaLattice lattice = make_lattice(by, reach);
  if (!debye_scattering_formula_suits_lattice(by->task.plan, by->task.n_q, &lattice))
    return FALSE;
  if (open_lattice(by, &lattice))
    return TRUE;
  close_lattice(by);
  by->refused = reach;
  return FALSE;
}

gboolean
debye_formula_by_lattice_add(DebyeFormulaByLattice *by, const DebyeFrame *frame, double complex *products,
                             GError **error)
{
  const DebyeScatteringTask *task = &by->task;
  const DebyeScatteringFrame positions = {.x = frame->x, .y = frame->y, .z = frame->z, .cell = &by->cell};
  const gsize n_pairs = debye_scattering_n_pairs(task->groups.n_groups);
  const DebyeLaneReport *reports = NULL;
  DebyeStatus status = {0};
  DebyeStatusCode code =
      debye_lattice_lanes_execute(by->sums, &positions, 1, by->values, NULL, task->cancel, &status);
  const gsize n_reports = debye_sharing_get_reports(by->sums, &reports);
  debye_lane_totals_add(task->lanes, reports, n_reports);
  if (code == DEBYE_STATUS_OK)
    code = debye_formula_of_lattice(&by->lattice, by->values, n_pairs, task->q, task->n_q, by->products,
                                    task->cancel, &status);
  for (gsize k = 0; k < n_pairs * task->n_q && code == DEBYE_STATUS_OK; k++)
    products[k] += by->products[k];
  return debye_device_check_frame(code, &status, frame, error);
}

void
debye_formula_by_lattice_add_notes(const DebyeFormulaByLattice *by, DebyeResult *result)
{
  char side[G_ASCII_DTOSTR_BUF_SIZE];
  if (by->sums == NULL)
    return;
  debye_result_add_note(
      result,
      "Exact average over orientations: the Debye formula from amplitudes on the reciprocal lattice of "
      "a cube of %s Å, indices up to %u",
      g_ascii_formatd(side, sizeof side, "%.4g", by->lattice.side), by->lattice.extent);
}
