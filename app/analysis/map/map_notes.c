/* SPDX-License-Identifier: MIT */
/* Writes the notes of a map's result: plan, frames and precision; called by map_analysis.c. */
#include "map_notes.h"

#include <math.h>

#include "data/messages/decimal_text.h"
#include "map_membrane.h"
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
        "the cell's net charge of %s e repeats without end: the infinite part of its potential is left out",
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

/* --- Of a solvent --- */

/* If the molecule extends beyond the map, only the larger grid covers it there. */
static void
add_cut_note(DebyeResult *result, gsize n_cut)
{
  if (n_cut > 0)
    debye_result_add_note_of(
        result, DEBYE_NOTE_WARNING, NULL,
        "the grid cuts the molecule: near its edges the map is only as good as the larger, coarser grid");
}

/* Notes about the ends of a periodic grid or one under a voltage. */
static void
add_cell_notes(DebyeResult *result, const DebyeMapPlan *plan)
{
  const DebyeMapSettings *settings = &plan->settings;
  bool periodic[3];
  DebyeDecimalText charge;
  debye_map_poisson_list_periodic(settings, periodic);
  if (!periodic[0] && !periodic[1] && !periodic[2])
    return;
  debye_result_add_note(result, "Periodic along: %s; the map has a point beyond the cell at each end",
                        debye_map_periodic_vectors(settings->periodic));
  if (periodic[0] && periodic[1] && periodic[2] && settings->ionic_strength == 0.0 &&
      fabs(plan->net_charge) > 1e-3)
    debye_result_add_note_of(result, DEBYE_NOTE_WARNING, NULL,
                             "the cell's net charge of %s e is neutralised by a uniform background charge",
                             debye_decimal_text_format(&charge, "%+.4g", plan->net_charge));
}

void
debye_map_notes_add_medium(DebyeResult *result, const DebyeMapPlan *plan, gsize n_cut)
{
  const DebyeMapSettings *settings = &plan->settings;
  DebyeDecimalText factor;
  if (settings->boundary == DEBYE_MAP_BOUNDARY_FOCUS) {
    const DebyePoissonMedium medium = debye_map_poisson_medium(settings, &plan->potential.grid);
    DebyeSurfaceGrid outer;
    debye_decimal_text_format(&factor, "%.3g",
                              debye_map_poisson_focus(&medium, plan->low, plan->high, &outer));
    debye_result_add_note(result,
                          "Boundary: from a grid of %zu×%zu×%zu points around all chosen atoms, %s times as "
                          "far apart",
                          outer.shape[0], outer.shape[1], outer.shape[2], factor.text);
    add_cut_note(result, n_cut);
  }
  g_autofree char *membrane = debye_map_membrane_describe(settings);
  if (membrane != NULL)
    debye_result_add_note(result, "%s", membrane);
  add_cell_notes(result, plan);
  bool periodic[3];
  debye_map_poisson_list_periodic(settings, periodic);
  if (settings->boundary == DEBYE_MAP_BOUNDARY_ZERO && !(periodic[0] && periodic[1] && periodic[2]))
    debye_result_add_note(result, settings->voltage != 0.0 ? "Boundary: potential of the voltage alone"
                                                           : "Boundary: potential 0");
  if (settings->as_apbs)
    debye_result_add_note(result, "Permittivities: smoothed as APBS's smol, not by the exact surface");
  if (debye_map_is_given(settings->dielectric_maps))
    debye_result_add_note(result, "Permittivities: from files");
  if (debye_map_is_given(settings->dielectric_maps) && settings->reaction)
    debye_result_add_note(result, "Reaction field: from a permittivity of %s everywhere",
                          debye_decimal_text_format(&factor, "%g", settings->solute_permittivity));
  if (debye_map_is_given(settings->ion_map))
    debye_result_add_note(result, "Accessibility of ions: from a file");
  if (debye_map_is_given(settings->charge_map))
    debye_result_add_note(result, "Charges: from a file, those of the atoms aren't counted");
}
