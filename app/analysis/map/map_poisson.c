/* SPDX-License-Identifier: MIT */
/* Implementation of map_poisson.h: what Poisson-Boltzmann's equation is given of a plan and a frame, and what is said of its
 * solution. */
#include "map_poisson.h"

#include <math.h>

#include "app/analysis/driver/side_files.h"
#include "data/files/error.h"
#include "data/messages/message.h"
#include "data/messages/decimal_text.h"
#include "map_binding.h"
#include "map_energies.h"
#include "map_notes.h"
#include "map_residues.h"

struct DebyeMapPoisson {
  const DebyeMapPlan *plan;
  DebyeMapEquationSolver solvent, vacuum; /* vacuum: for energies */
  DebyeMapEquationSolver solute;          /* for the reaction field alone */
  DebyeMapEquationSolver coarse;          /* at twice the spacing, for the grid's error */
  double *field;                          /* the reaction field at each atom; NULL: not asked for */
  DebyePoissonUniform uniform;            /* what the solvent's and the vacuum's have in common */
  float *other_map;                       /* in vacuum, or in the solute's permittivity */
  float *coarse_map;
  double *areas; /* of the atoms; NULL: no nonpolar energy */
  DebyeMapResidues *residues;
  DebyeMapBinding *binding;
  gboolean has_equation; /* of a frame of this run: with what earlier runs kept there is none */
  /* Over the frames. */
  guint64 n_frames, n_cycles;
  guint64 n_cut;     /* those with an atom beyond the grid, or nearly */
  double residual;   /* the worst */
  double grid_error; /* likewise */
  DebyeMapEnergies energies;
};

/* Largest difference of two equal cells, relative to the sum of the edges. */
#define SAME_CELL 1e-5

gboolean
debye_map_poisson_wants_field(const DebyeMapPlan *plan)
{
  return plan->settings.energies || debye_map_is_given(plan->settings.binding) ||
         debye_map_residues_are_wanted(plan);
}

/* --- Opening --- */

static gboolean
open_coarse(DebyeMapPoisson *self, const DebyeDeviceEntry *const *devices, gsize n_devices, GError **error)
{
  const gsize *shape = self->plan->potential.grid.shape;
  if (shape[0] % 2 == 0 || shape[1] % 2 == 0 || shape[2] % 2 == 0)
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Error of the grid",
                                 "it needs odd numbers of points along all axes, found %zu, %zu and %zu",
                                 shape[0], shape[1], shape[2]);
  self->coarse_map = g_try_new(float, debye_grid_n_points(&self->plan->potential.grid) / 2);
  if (self->coarse_map == NULL)
    return debye_error_set(error, DEBYE_ERROR_MEMORY,
                           "Grid spacing: no memory for a map of this many points");
  return debye_map_equation_open(&self->coarse, self->plan, DEBYE_MAP_AT_TWICE, devices, n_devices, error);
}

static gboolean
allocate(DebyeMapPoisson *self, GError **error)
{
  const DebyeMapSettings *settings = &self->plan->settings;
  const gsize n_atoms = debye_topology_get_n_atoms(self->plan->topology);
  gboolean good = TRUE;
  if (settings->nonpolar != NULL)
    good = (self->areas = g_try_new(double, n_atoms)) != NULL;
  if (debye_map_poisson_wants_field(self->plan))
    good = (self->field = g_try_new(double, n_atoms)) != NULL && good;
  if (settings->energies)
    good = (self->uniform.sums = g_try_new(double, n_atoms)) != NULL && good;
  if (settings->energies || settings->reaction)
    good = (self->other_map = g_try_new(float, debye_grid_n_points(&self->plan->potential.grid))) != NULL &&
           good;
  return good ||
         debye_error_set(error, DEBYE_ERROR_MEMORY, "Grid spacing: no memory for a map of this many points");
}

static gboolean
open_equations(DebyeMapPoisson *self, const DebyeDeviceEntry *const *devices, gsize n_devices, GError **error)
{
  const DebyeMapPlan *plan = self->plan;
  const DebyeMapSettings *settings = &plan->settings;
  self->solvent.wants_map_only = self->solute.wants_map_only =
      !debye_map_poisson_wants_field(plan) && !settings->grid_error;
  self->coarse.wants_map_only = TRUE;
  if (!debye_map_equation_open(&self->solvent, plan, DEBYE_MAP_IN_SOLVENT, devices, n_devices, error) ||
      (settings->energies &&
       !debye_map_equation_open(&self->vacuum, plan, DEBYE_MAP_IN_VACUUM, devices, n_devices, error)) ||
      (settings->reaction &&
       !debye_map_equation_open(&self->solute, plan, DEBYE_MAP_IN_SOLUTE, devices, n_devices, error)) ||
      (settings->grid_error && !open_coarse(self, devices, n_devices, error)))
    return FALSE;
  if (debye_map_is_given(settings->binding)) {
    self->binding = debye_map_binding_new(plan, devices, n_devices, error);
    if (self->binding == NULL)
      return FALSE;
  }
  return TRUE;
}

DebyeMapPoisson *
debye_map_poisson_new(const DebyeMapPlan *plan, const DebyeDeviceEntry *const *devices, gsize n_devices,
                      GError **error)
{
  g_autoptr(DebyeMapPoisson) self = g_new0(DebyeMapPoisson, 1);
  self->plan = plan;
  if (!open_equations(self, devices, n_devices, error) || !allocate(self, error))
    return NULL;
  if (self->uniform.sums != NULL) {
    debye_poisson_lanes_set_uniform(self->solvent.share, &self->uniform);
    debye_poisson_lanes_set_uniform(self->vacuum.share, &self->uniform);
  }
  if (debye_map_residues_are_wanted(plan)) {
    self->residues = debye_map_residues_new(plan, error);
    if (self->residues == NULL)
      return NULL;
  }
  return g_steal_pointer(&self);
}

void
debye_map_poisson_finish(DebyeMapPoisson *self)
{
  if (!debye_map_is_given(self->plan->settings.write_maps))
    debye_map_equation_clear(&self->solvent);
  debye_map_equation_clear(&self->vacuum);
  debye_map_equation_clear(&self->solute);
  debye_map_equation_clear(&self->coarse);
  g_clear_pointer(&self->binding, debye_map_binding_free);
}

void
debye_map_poisson_free(DebyeMapPoisson *self)
{
  if (self == NULL)
    return;
  debye_map_poisson_finish(self);
  debye_map_equation_clear(&self->solvent);
  debye_map_residues_free(self->residues);
  g_free(self->field);
  g_free(self->uniform.sums);
  g_free(self->other_map);
  g_free(self->coarse_map);
  g_free(self->areas);
  g_free(self);
}

/* --- Solving --- */

static double
sum_energy(const DebyeMapPoisson *self, const DebyeMapFrame *frame)
{
  double sum = 0.0;
  for (gsize i = 0; i < frame->view.charges.n; i++)
    sum += 0.5 * (double)frame->view.charges.charge[i] * self->field[i];
  return sum;
}

/* What a frame is solved with, and what is found: added to the sums when all of it is there, so that a frame whose device
 * fails, or that is stopped, leaves no part of itself. */
typedef struct {
  const DebyeMapFrame *frame;
  DebyeSpheres spheres;
  DebyeLaneTotals *lanes;
  const volatile bool *cancel;
  double residual, grid_error;
  guint64 n_cycles;
  double reaction, in_vacuum; /* energies, kT */
  DebyeMapBindingEnergy binding;
} Task;

static gboolean
solve(DebyeMapPoisson *self, DebyeMapEquationSolver *equation, Task *task, float *map, GError **error)
{
  DebyePoissonReport report;
  double *field = equation == &self->solvent || equation == &self->vacuum ? self->field : NULL;
  if (!debye_map_equation_solve(equation, &task->spheres, task->frame->view.charges.charge,
                                task->frame->frame->index, map, field, &report, task->lanes, task->cancel,
                                error))
    return FALSE;
  task->residual = MAX(task->residual, report.residual);
  task->n_cycles += equation == &self->solvent ? report.cycles : 0;
  return TRUE;
}

/* Before the solvent's equation, whose field is what stays. */
static gboolean
solve_vacuum(DebyeMapPoisson *self, Task *task, GError **error)
{
  if (!self->plan->settings.energies)
    return TRUE;
  if (!solve(self, &self->vacuum, task, self->other_map, error))
    return FALSE;
  task->in_vacuum = sum_energy(self, task->frame);
  return TRUE;
}

/* Of the frame whose map and field are there. */
static gboolean
find_energies(DebyeMapPoisson *self, Task *task, GError **error)
{
  const DebyeMapSettings *settings = &self->plan->settings;
  DebyeStatus status = {0};
  double ions = 0.0;
  if (!settings->energies && self->binding == NULL)
    return TRUE;
  if (settings->equation == DEBYE_MAP_EQUATION_NONLINEAR &&
      debye_poisson_lanes_ions_energy(self->solvent.share, &ions, &status) != DEBYE_STATUS_OK)
    return debye_device_set_error(error, &status);
  task->reaction = sum_energy(self, task->frame) + ions;
  return self->binding == NULL ||
         debye_map_binding_solve(self->binding, &task->spheres, task->frame->view.charges.charge,
                                 task->frame->frame->index, task->reaction, &task->binding, &task->residual,
                                 task->lanes, task->cancel, error);
}

/* What it says of other solutions is for nothing where one isn't solved. */
static gboolean
is_solved(const DebyeMapPoisson *self)
{
  return self->residual <= self->plan->settings.residual;
}

/* What the frame's coordinates alone say, and what needs the field only. */
static gboolean
add_of_atoms(DebyeMapPoisson *self, const Task *task, GError **error)
{
  const float *charges = task->frame->view.charges.charge;
  const double *coulomb = NULL;
  DebyeStatus status = {0};
  DebyeStatusCode code = DEBYE_STATUS_OK;
  if (self->residues != NULL) {
    code = debye_map_residues_set_frame(self->residues, &task->spheres, charges, &status);
    coulomb = debye_map_residues_get_coulomb(self->residues);
  }
  if (code == DEBYE_STATUS_OK)
    code = debye_map_energies_add_frame(&self->energies, &self->plan->settings, &task->spheres, charges,
                                        coulomb, self->areas, &status);
  if (code == DEBYE_STATUS_OK && self->residues != NULL)
    debye_map_residues_add_frame(self->residues, task->frame->frame, &task->spheres, charges, self->field);
  return debye_device_check(code, &status, error);
}

/* Completes the frame: nothing can fail after this. */
static gboolean
add_frame(DebyeMapPoisson *self, const Task *task, GError **error)
{
  const DebyeMapPlan *plan = self->plan;
  const DebyePoissonMedium medium = debye_map_poisson_medium(&plan->settings, &plan->potential.grid);
  if (!add_of_atoms(self, task, error))
    return FALSE;
  self->energies.reaction += task->reaction;
  self->energies.from_vacuum += task->reaction - task->in_vacuum;
  self->energies.binding_reaction += task->binding.reaction;
  self->energies.binding_coulomb += task->binding.coulomb;
  self->energies.binding_area += task->binding.area;
  self->energies.n_frames++;
  self->residual = MAX(self->residual, task->residual);
  self->grid_error = MAX(self->grid_error, task->grid_error);
  self->n_cycles += task->n_cycles;
  self->n_cut +=
      task->frame->view.cell != NULL || debye_poisson_medium_contains(&medium, &task->spheres) ? 0 : 1;
  self->n_frames++;
  self->has_equation = TRUE;
  return TRUE;
}

/* The method is of second order: what half the spacing would change is a third of what twice the spacing does. */
static gboolean
compare_grids(DebyeMapPoisson *self, const float *map, double *error_of_grid, GError **error)
{
  DebyeStatus status = {0};
  const gsize *shape = self->plan->potential.grid.shape;
  const gsize n[3] = {(shape[0] + 1) / 2, (shape[1] + 1) / 2, (shape[2] + 1) / 2};
  if (self->coarse_map == NULL)
    return TRUE;
  const bool *is_inner = debye_poisson_lanes_get_inner(self->solvent.share, &status);
  double change2 = 0.0, whole = 0.0;
  if (is_inner == NULL)
    return debye_device_set_error(error, &status);
  for (gsize z = 0; z < n[2]; z++)
    for (gsize y = 0; y < n[1]; y++)
      for (gsize x = 0; x < n[0]; x++) {
        const gsize fine = 2 * x + shape[0] * (2 * y + shape[1] * 2 * z);
        const double value = (double)map[fine];
        const double change = (value - (double)self->coarse_map[x + n[0] * (y + n[1] * z)]) / 3.0;
        change2 += is_inner[fine] ? 0.0 : change * change;
        whole += is_inner[fine] ? 0.0 : value * value;
      }
  *error_of_grid = whole > 0.0 ? sqrt(change2 / whole) : 0.0;
  return TRUE;
}

/* Takes from the map what the charges do in the solute's permittivity everywhere. */
static gboolean
subtract_solute(DebyeMapPoisson *self, Task *task, float *map, GError **error)
{
  if (!self->plan->settings.reaction)
    return TRUE;
  if (!solve(self, &self->solute, task, self->other_map, error))
    return FALSE;
  for (gsize i = 0; i < debye_grid_n_points(&self->plan->potential.grid); i++)
    map[i] -= self->other_map[i];
  return TRUE;
}

/* A grid that repeats is the first frame's. */
static gboolean
check_cell(const DebyeMapPoisson *self, const DebyeMapFrame *frame, GError **error)
{
  const DebyeCell *first = &self->plan->potential.cell, *cell = frame->view.cell;
  if (cell == NULL ||
      fabs(cell->a.x - first->a.x) + fabs(cell->b.y - first->b.y) + fabs(cell->c.z - first->c.z) <=
          SAME_CELL * (first->a.x + first->b.y + first->c.z))
    return TRUE;
  return debye_error_set_about(error, DEBYE_ERROR_MISMATCH, "Frames",
                               "frame %" G_GSIZE_FORMAT
                               " has another cell than the first; expected one cell, or one frame at a time",
                               frame->frame->index);
}

gboolean
debye_map_poisson_solve(DebyeMapPoisson *self, const DebyeMapFrame *frame, float *map, DebyeLaneTotals *lanes,
                        const volatile bool *cancel, GError **error)
{
  const DebyeCharges *charges = &frame->view.charges;
  Task task = {.frame = frame,
               .spheres = {charges->x, charges->y, charges->z, frame->radius, charges->n},
               .lanes = lanes,
               .cancel = cancel};
  const double length = DEBYE_BJERRUM_VACUUM(self->plan->settings.temperature);
  const gsize n_points = debye_grid_n_points(&self->plan->potential.grid);
  self->uniform.is_known = FALSE;
  if (!check_cell(self, frame, error) ||
      (self->coarse_map != NULL && !solve(self, &self->coarse, &task, self->coarse_map, error)) ||
      !solve_vacuum(self, &task, error) || !solve(self, &self->solvent, &task, map, error) ||
      !compare_grids(self, map, &task.grid_error, error) || !find_energies(self, &task, error) ||
      !subtract_solute(self, &task, map, error) || !add_frame(self, &task, error))
    return FALSE;
  for (gsize i = 0; i < n_points; i++)
    map[i] = (float)((double)map[i] / length);
  return TRUE;
}

void
debye_map_poisson_merge(DebyeMapPoisson *self, DebyeMapPoisson *part)
{
  DebyeFrameState sums, of_part;
  debye_frame_state_init(&sums);
  debye_frame_state_init(&of_part);
  debye_map_poisson_list_state(self, &sums);
  debye_map_poisson_list_state(part, &of_part);
  debye_frame_state_merge(&sums, &of_part);
  debye_frame_state_forget(&of_part);
  debye_frame_state_clear(&sums);
  debye_frame_state_clear(&of_part);
}

void
debye_map_poisson_list_state(DebyeMapPoisson *self, DebyeFrameState *state)
{
  debye_frame_state_add_counts(state, "solved_frames", DEBYE_STATE_SUM, &self->n_frames, 1);
  debye_frame_state_add_counts(state, "solved_cycles", DEBYE_STATE_SUM, &self->n_cycles, 1);
  debye_frame_state_add_counts(state, "cut_frames", DEBYE_STATE_SUM, &self->n_cut, 1);
  debye_frame_state_add(state, "residual", DEBYE_STATE_MOST, &self->residual, 1);
  debye_frame_state_add(state, "grid_error", DEBYE_STATE_MOST, &self->grid_error, 1);
  debye_map_energies_list_state(&self->energies, state);
  if (self->residues != NULL)
    debye_map_residues_list_state(self->residues, state);
}

gboolean
debye_map_poisson_write(const DebyeMapPoisson *self, DebyeResult *result, GError **error)
{
  const DebyeMapSettings *settings = &self->plan->settings;
  if (debye_map_is_given(settings->residues) && !debye_map_residues_save(result, settings->residues, error))
    return FALSE;
  if (!debye_map_is_given(settings->write_maps))
    return TRUE;
  if (!self->has_equation) {
    debye_result_add_note_of(result, DEBYE_NOTE_WARNING, "write-maps",
                             "the maps that were used aren't written: this run computed no frame");
    return TRUE;
  }
  const DebyePoissonMedium medium = debye_map_poisson_medium(settings, &self->plan->potential.grid);
  DebyeStatus status = {0};
  const DebyePoissonEquation *equation = debye_poisson_lanes_get_equation(self->solvent.share, &status);
  if (equation == NULL)
    return debye_device_set_error(error, &status);
  if (!debye_map_written_save(&medium, equation, settings->write_maps, error))
    return FALSE;
  g_auto(GStrv) paths = debye_map_written_list(settings->write_maps);
  for (char **path = paths; *path != NULL; path++)
    debye_side_files_add(result, *path);
  return TRUE;
}

void
debye_map_poisson_mark(const DebyeMapPoisson *self, DebyeField *map)
{
  DebyeDecimalText residual;
  const char *medium = debye_field_get_medium_message(map);
  if (self->n_frames == 0 || is_solved(self) || medium == NULL)
    return;
  g_autofree char *marked = debye_message_new("%s; solved to a residual of %s only", medium,
                                              debye_decimal_text_format(&residual, "%.1e", self->residual));
  debye_field_set_medium(map, marked);
}

void
debye_map_poisson_forget(DebyeMapPoisson *self)
{
  DebyeFrameState sums;
  debye_frame_state_init(&sums);
  debye_map_poisson_list_state(self, &sums);
  debye_frame_state_forget(&sums);
  debye_frame_state_clear(&sums);
}

void
debye_map_poisson_add_notes(const DebyeMapPoisson *self, DebyeResult *result)
{
  DebyeDecimalText residual, wanted, cycles, error;
  if (self->n_frames == 0)
    return;
  debye_decimal_text_format(&residual, "%.1e", self->residual);
  if (!is_solved(self))
    debye_result_add_note_of(result, DEBYE_NOTE_WARNING, "residual",
                             "the equation is solved only to a residual of %s, %s was asked for",
                             residual.text,
                             debye_decimal_text_format(&wanted, "%g", self->plan->settings.residual));
  debye_result_add_note(
      result, "Solved to a residual of %s, %s multigrid cycles per frame", residual.text,
      debye_decimal_text_format(&cycles, "%.3g", (double)self->n_cycles / (double)self->n_frames));
  debye_result_add_note(result, "Radii: %s",
                        self->plan->has_own_radii ? N_("the files'")
                                                  : N_("Bondi's, with 1.20 Å for hydrogen"));
  debye_map_notes_add_medium(result, self->plan, self->n_cut);
  if (self->coarse_map != NULL)
    debye_result_add_note(
        result,
        "Error of the grid, from twice the spacing: %s %% of the potential's root mean square in the solvent",
        debye_decimal_text_format(&error, "%.2g", 100.0 * self->grid_error));
  debye_map_energies_add(&self->energies, &self->plan->settings, is_solved(self), self->residual,
                         (double)self->n_cycles / (double)self->n_frames,
                         self->coarse_map != NULL ? self->grid_error : NAN, result);
  if (self->residues != NULL && is_solved(self))
    debye_map_residues_add_table(self->residues, result);
}
