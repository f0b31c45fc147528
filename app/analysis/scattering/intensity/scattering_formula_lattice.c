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
  DebyeFormulaFold *fold;
  double *values; /* of all pairs, by length */
  double *products;
  double refused; /* Å: a body of this reach found no memory */
  double side;    /* of the last lattice that gave a frame, which may be gone; 0: none did */
  unsigned extent;
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
  g_clear_pointer(&by->fold, debye_formula_fold_free);
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

static double
find_reach(const DebyeFormulaByLattice *by, const DebyeFrame *frame)
{
  const DebyeScatteringGroups *groups = &by->task.groups;
  return debye_scattering_formula_reach(frame, groups->atoms, debye_scattering_n_entries(groups));
}

static DebyeFormulaLattice
make_lattice(const DebyeFormulaByLattice *by, double reach)
{
  const DebyeScatteringTask *task = &by->task;
  const double room = task->plan->frames.n_frames > 1 ? GROWTH : 1.0;
  return debye_formula_lattice(room * reach, task->q[task->n_q - 1], task->plan->settings.tolerance,
                               debye_scattering_n_entries(&task->groups));
}

/* Where the processor has no memory for the lattice the others get it alone. */
static gsize
list_devices(const DebyeFormulaByLattice *by, const DebyeFormulaLattice *lattice,
             const DebyeDeviceEntry **devices)
{
  const DebyeScatteringTask *task = &by->task;
  const gboolean with_processor = debye_scattering_formula_fits_processor(task->plan, task->n_q, lattice);
  gsize n = 0;
  for (gsize i = 0; i < task->n_devices; i++)
    if (with_processor || !debye_device_is_cpu(task->devices[i]))
      devices[n++] = task->devices[i];
  return n;
}

/* FALSE: no memory. */
static gboolean
open_lattice(DebyeFormulaByLattice *by, const DebyeFormulaLattice *lattice)
{
  const DebyeScatteringTask *task = &by->task;
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  const gsize n_pairs = debye_scattering_n_pairs(task->groups.n_groups),
              n_devices = list_devices(by, lattice, devices);
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
                  .by_length = true,
                  .tolerance = by->lattice.tolerance},
      .memory_limit = task->plan->memory_limit};
  by->values = g_try_new(double, n_pairs *debye_lattice_n_sums(&settings.lattice));
  return by->values != NULL &&
         debye_formula_fold_create(lattice, task->q, task->n_q, &by->fold, &status) == DEBYE_STATUS_OK &&
         debye_lattice_lanes_create(&settings, devices, n_devices, &by->sums, &status) == DEBYE_STATUS_OK;
}

gboolean
debye_formula_by_lattice_holds(const DebyeFormulaByLattice *by, const DebyeFrame *frame)
{
  return by->sums != NULL && find_reach(by, frame) <= by->lattice.reach;
}

/* What finds no memory isn't tried again for a body that is no smaller. What can't be used has no reach: the sum over pairs says so. */
gboolean
debye_formula_by_lattice_suits(DebyeFormulaByLattice *by, const DebyeFrame *frame)
{
  const DebyeFormulaBasis *basis = &by->task.basis;
  double reach = find_reach(by, frame);
  if (by->sums != NULL && reach <= by->lattice.reach)
    return TRUE;
  reach = MAX(reach, basis->least_reach);
  if (!isfinite(reach) || reach >= by->refused)
    return FALSE;
  const DebyeFormulaLattice lattice = make_lattice(by, reach);
  if (!debye_scattering_formula_suits_lattice(by->task.plan, by->task.n_q, basis, &lattice))
    return FALSE;
  if (open_lattice(by, &lattice))
    return TRUE;
  close_lattice(by);
  by->refused = reach;
  return FALSE;
}

DebyeStatusCode
debye_formula_by_lattice_add(DebyeFormulaByLattice *by, DebyeFrame *const *frames, gsize n_frames,
                             double complex *products, gsize *bad_frame, DebyeStatus *status)
{
  const DebyeScatteringTask *task = &by->task;
  const gsize n_pairs = debye_scattering_n_pairs(task->groups.n_groups);
  const DebyeLaneReport *reports = NULL;
  g_autofree DebyeScatteringFrame *positions = g_new(DebyeScatteringFrame, n_frames);
  for (gsize i = 0; i < n_frames; i++)
    positions[i] =
        (DebyeScatteringFrame){.x = frames[i]->x, .y = frames[i]->y, .z = frames[i]->z, .cell = &by->cell};
  DebyeStatusCode code =
      debye_lattice_lanes_execute(by->sums, positions, n_frames, by->values, bad_frame, task->cancel, status);
  const gsize n_reports = debye_sharing_get_reports(by->sums, &reports);
  debye_lane_totals_add(task->lanes, reports, n_reports);
  if (code == DEBYE_STATUS_OK)
    code = debye_formula_fold_execute(by->fold, by->values, n_pairs, by->products, task->cancel, status);
  for (gsize k = 0; k < n_pairs * task->n_q && code == DEBYE_STATUS_OK; k++)
    products[k] += by->products[k];
  if (code == DEBYE_STATUS_OK) {
    by->side = by->lattice.side;
    by->extent = by->lattice.extent;
  }
  return code;
}

void
debye_formula_by_lattice_refuse(DebyeFormulaByLattice *by)
{
  close_lattice(by);
  by->refused = 0.0;
}

void
debye_formula_by_lattice_add_notes(const DebyeFormulaByLattice *by, DebyeResult *result)
{
  char side[G_ASCII_DTOSTR_BUF_SIZE];
  if (!(by->side > 0.0))
    return;
  debye_result_add_note(result,
                        "Exact average over orientations: the Debye formula from amplitudes on the "
                        "reciprocal lattice of a cube of %s Å, indices up to %u",
                        g_ascii_formatd(side, sizeof side, "%.4g", by->side), by->extent);
}
