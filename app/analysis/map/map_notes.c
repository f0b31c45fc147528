/* SPDX-License-Identifier: MIT */
/* Writes the notes of a map's result: plan, frames and precision; called by map_run.c. */
#include "map_notes.h"

#include <math.h>
#include <string.h>

#include "data/messages/decimal_text.h"
#include "map_method.h"
#include "map_solvent.h"

/* Decimal point in every locale. */
static void
add_grid(DebyeResult *result, const DebyeMapPlan *plan)
{
  DebyeDecimalText spacing, x, y, z;
  const DebyeGrid *grid = &plan->potential.grid;
  debye_result_add_note(result,
                        "Grid: %" G_GSIZE_FORMAT "×%" G_GSIZE_FORMAT "×%" G_GSIZE_FORMAT
                        " points, %s Å apart, from (%s, %s, %s) Å%s",
                        grid->shape[0], grid->shape[1], grid->shape[2],
                        debye_decimal_text_format(&spacing, "%.4g", debye_vec3_length(grid->step[0])),
                        debye_decimal_text_format(&x, "%g", grid->origin.x),
                        debye_decimal_text_format(&y, "%g", grid->origin.y),
                        debye_decimal_text_format(&z, "%g", grid->origin.z),
                        plan->frames.n_frames > 1 ? "; set by the first frame and kept for all" : "");
}

/* A periodic sum over a net charge has no value but beside a background; in a layer or a wire of cells what
 * is infinite of it is left out. */
static void
add_background(DebyeResult *result, const DebyeMapPlan *plan)
{
  DebyeDecimalText charge;
  const DebyePotentialSettings *potential = &plan->potential;
  const gboolean sums_images =
      potential->method == DEBYE_POTENTIAL_EWALD ||
      (potential->method == DEBYE_POTENTIAL_MULTILEVEL && potential->periodic != DEBYE_PERIODIC_NONE);
  if (!sums_images || fabs(plan->net_charge) < 1e-3)
    return;
  debye_decimal_text_format(&charge, "%+.4g", plan->net_charge);
  if (potential->periodic == DEBYE_PERIODIC_ALL)
    debye_result_add_note_of(result, DEBYE_NOTE_WARNING, NULL,
                             "the cell's net charge of %s e is neutralised by a uniform background charge",
                             charge.text);
  else
    debye_result_add_note_of(
        result, DEBYE_NOTE_WARNING, NULL,
        "the cell's net charge of %s e repeats without end: the infinite part of its potential "
        "is left out",
        charge.text);
}

/* A warning where single precision was asked for and isn't enough, a reason where double was chosen instead. */
static void
add_rounding(DebyeResult *result, const DebyeMapPlan *plan)
{
  char error[G_ASCII_DTOSTR_BUF_SIZE];
  if (!(plan->rounding > plan->potential.tolerance))
    return;
  g_ascii_formatd(error, sizeof error, "%.1g", plan->rounding);
  if (plan->potential.double_precision)
    debye_result_add_note(result,
                          "Precision: double, since charges of both signs nearly cancel here; single "
                          "precision is expected to be wrong by %s of the map's root mean square",
                          error);
  else
    debye_result_add_note_of(result, DEBYE_NOTE_WARNING, NULL,
                             "single precision is expected to be wrong by %s of the map's root mean square, "
                             "since charges of both signs nearly cancel here; double precision is not",
                             error);
}

void
debye_map_notes_add_plan(DebyeResult *result, const DebyeMapPlan *plan)
{
  DebyeDecimalText charge;
  debye_result_add_note(
      result, "Atoms: “%s”, %u of %" G_GSIZE_FORMAT ", net charge %s e%s", plan->settings.select,
      plan->atoms->len, debye_topology_get_n_atoms(plan->topology),
      debye_decimal_text_format(&charge, "%+.4g", debye_charge_round(plan->net_charge)),
      debye_selection_is_dynamic(plan->selection) ? " in the first frame; chosen again in each" : "");
  debye_charge_choice_add_notes(&plan->charges, plan->atoms, result);
  g_autofree char *method = debye_map_is_poisson(&plan->settings)
                                ? debye_map_poisson_describe_method(&plan->settings)
                                : debye_map_method_describe(&plan->potential);
  g_autofree char *medium = debye_map_method_describe_medium(&plan->settings);
  debye_result_add_note(result, "Method: %s", method);
  debye_result_add_note_of(result, DEBYE_NOTE_CAPTION, NULL, "Medium: %s", medium);
  add_rounding(result, plan);
  if (plan->center != NULL)
    debye_result_add_note(result, "Frames were centred on “%s”, whole molecules wrapped around it",
                          plan->settings.center);
  debye_superpose_choice_add_note(&plan->superpose, &plan->settings.superposing, result);
  add_background(result, plan);
  add_grid(result, plan);
}

void
debye_map_notes_add_frames(DebyeResult *result, const DebyeMapPlan *plan, const DebyeFrameRun *frames)
{
  debye_frame_choice_add_notes(&plan->frames, frames->n_done, result);
  debye_frame_run_add_left_out_note(frames, result);
}

void
debye_map_notes_add_bins(DebyeResult *result, const DebyeMapPlan *plan,
                         const DebyeDeviceEntry *const *devices, gsize n_devices)
{
  gboolean has_gpu = FALSE;
  for (gsize i = 0; i < n_devices; i++)
    has_gpu |= !debye_device_is_cpu(devices[i]);
  if (plan->potential.method == DEBYE_POTENTIAL_CUTOFF && plan->settings.bin_capacity > 0 && !has_gpu)
    debye_result_add_note_of(
        result, DEBYE_NOTE_WARNING, NULL,
        "the capacity of %u atoms per bin has no effect: only the bins of a GPU are limited",
        plan->potential.bin_capacity);
}
