/* SPDX-License-Identifier: MIT */
/* Implementation of map_energies.h. */
#include "map_energies.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/files/input.h"
#include "data/messages/decimal_text.h"
#include "kernels/surface/surface_area.h"

#define JOULES_PER_CALORIE 4.184

gboolean
debye_map_nonpolar_read(const char *text, DebyeMapNonpolar *nonpolar, GError **error)
{
  g_auto(GStrv) words = g_strsplit(text, ",", -1);
  double *const values[] = {&nonpolar->tension, &nonpolar->offset};
  gboolean is_pair = g_strv_length(words) == G_N_ELEMENTS(values);
  for (guint i = 0; is_pair && i < G_N_ELEMENTS(values); i++) {
    const char *word = g_strstrip(words[i]);
    is_pair = debye_text_to_double(word, strlen(word), values[i]) && isfinite(*values[i]);
  }
  return is_pair ||
         debye_error_set_about(
             error, DEBYE_ERROR_VALUE, "Nonpolar energy",
             "expected GAMMA,B in kcal/mol/Å² and kcal/mol such as 0.00542,0.92, found “%s”", text);
}

DebyeStatusCode
debye_map_energies_add_frame(DebyeMapEnergies *self, const DebyeMapSettings *settings,
                             const DebyeSpheres *spheres, const float *charges, const double *potential,
                             double *areas, DebyeStatus *status)
{
  double coulomb = 0.0;
  DebyeStatusCode code = DEBYE_STATUS_OK;
  for (gsize i = 0; i < spheres->n && settings->energies && potential != NULL; i++)
    coulomb += 0.5 * (double)charges[i] * potential[i];
  if (settings->energies && potential == NULL)
    code = debye_poisson_coulomb_energy(spheres, charges, &debye_chunk_threads, &coulomb, status);
  if (code == DEBYE_STATUS_OK && settings->nonpolar != NULL)
    code = debye_surface_areas(spheres, settings->probe, &debye_chunk_threads, areas, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  for (gsize i = 0; i < spheres->n && settings->nonpolar != NULL; i++)
    self->area += areas[i];
  self->coulomb += coulomb;
  return code;
}

static void
add_note(const DebyeMapEnergies *self, const DebyeMapSettings *settings, const char *what, double kcal,
         DebyeResult *result)
{
  DebyeDecimalText in_kt, in_kcal, in_kj;
  debye_result_add_note(
      result, "%s: %s kcal/mol, %s kJ/mol, %s kT%s", what, debye_decimal_text_format(&in_kcal, "%.2f", kcal),
      debye_decimal_text_format(&in_kj, "%.2f", kcal * JOULES_PER_CALORIE),
      debye_decimal_text_format(&in_kt, "%.3f", kcal / (DEBYE_KCAL_PER_KELVIN * settings->temperature)),
      self->n_frames > 1 ? N_(", mean of the frames") : "");
}

static void
add_number(DebyeTable *table, const char *name, const char *label, const char *unit, double value)
{
  debye_table_add_numbers(table, &(DebyeQuantity){name, label, unit}, 1, &value);
}

static void
add_electrostatic(const DebyeMapEnergies *self, const DebyeMapSettings *settings, DebyeTable *table,
                  DebyeResult *result)
{
  const double kt = DEBYE_KCAL_PER_KELVIN * settings->temperature / (double)self->n_frames;
  const double reaction = self->reaction * kt, solvation = self->from_vacuum * kt;
  const double coulomb =
      self->coulomb * DEBYE_BJERRUM_VACUUM(settings->temperature) / settings->solute_permittivity * kt;
  add_note(self, settings, N_("Reaction field energy, from the solute's permittivity everywhere"), reaction,
           result);
  add_note(self, settings, N_("Solvation energy, from vacuum"), solvation, result);
  add_note(self, settings, N_("Coulomb energy in the solute's permittivity"), coulomb, result);
  add_number(table, "reaction_kcal", "reaction field energy", "kcal/mol", reaction);
  add_number(table, "solvation_kcal", "solvation energy", "kcal/mol", solvation);
  add_number(table, "coulomb_kcal", "Coulomb energy", "kcal/mol", coulomb);
}

static void
add_nonpolar(const DebyeMapEnergies *self, const DebyeMapSettings *settings, DebyeTable *table,
             DebyeResult *result)
{
  DebyeMapNonpolar nonpolar;
  DebyeDecimalText area;
  if (!debye_map_nonpolar_read(settings->nonpolar, &nonpolar, NULL))
    return;
  const double mean = self->area / (double)self->n_frames;
  const double energy = nonpolar.tension * mean + nonpolar.offset;
  debye_result_add_note(result, "Solvent-accessible area: %s Å²%s",
                        debye_decimal_text_format(&area, "%.2f", mean),
                        self->n_frames > 1 ? N_(", mean of the frames") : "");
  add_note(self, settings, N_("Nonpolar energy"), energy, result);
  add_number(table, "nonpolar_kcal", "nonpolar energy", "kcal/mol", energy);
  add_number(table, "area", "solvent-accessible area", "Å²", mean);
}

/* Each species has the offset: once less than twice. */
static void
add_binding(const DebyeMapEnergies *self, const DebyeMapSettings *settings, DebyeTable *table,
            DebyeResult *result)
{
  const double kt = DEBYE_KCAL_PER_KELVIN * settings->temperature / (double)self->n_frames;
  const double solvent = self->binding_reaction * kt, coulomb = self->binding_coulomb * kt;
  DebyeMapNonpolar nonpolar = {0.0, 0.0};
  if (settings->nonpolar != NULL && !debye_map_nonpolar_read(settings->nonpolar, &nonpolar, NULL))
    return;
  const double surface = nonpolar.tension * self->binding_area / (double)self->n_frames - nonpolar.offset;
  add_note(self, settings, N_("Binding, reaction field"), solvent, result);
  add_note(self, settings, N_("Binding, Coulomb energy in the solute's permittivity"), coulomb, result);
  if (settings->nonpolar != NULL)
    add_note(self, settings, N_("Binding, nonpolar energy"), surface, result);
  add_note(self, settings, N_("Binding energy"), solvent + coulomb + surface, result);
  add_number(table, "binding_reaction_kcal", "reaction field energy of binding", "kcal/mol", solvent);
  add_number(table, "binding_coulomb_kcal", "Coulomb energy of binding", "kcal/mol", coulomb);
  if (settings->nonpolar != NULL)
    add_number(table, "binding_nonpolar_kcal", "nonpolar energy of binding", "kcal/mol", surface);
  add_number(table, "binding_kcal", "binding energy", "kcal/mol", solvent + coulomb + surface);
}

void
debye_map_energies_list_state(DebyeMapEnergies *self, DebyeFrameState *state)
{
  const struct {
    const char *name;
    double *sum;
  } sums[] = {{"reaction_sum", &self->reaction},
              {"from_vacuum_sum", &self->from_vacuum},
              {"coulomb_sum", &self->coulomb},
              {"area_sum", &self->area},
              {"binding_reaction_sum", &self->binding_reaction},
              {"binding_coulomb_sum", &self->binding_coulomb},
              {"binding_area_sum", &self->binding_area}};
  debye_frame_state_add_counts(state, "energy_frames", DEBYE_STATE_SUM, &self->n_frames, 1);
  for (gsize i = 0; i < G_N_ELEMENTS(sums); i++)
    debye_frame_state_add(state, sums[i].name, DEBYE_STATE_SUM, sums[i].sum, 1);
}

static gboolean
wants_field(const DebyeMapSettings *settings)
{
  return settings->energies || (settings->binding != NULL && *settings->binding != '\0') ||
         (settings->residues != NULL && *settings->residues != '\0') ||
         (settings->follow != NULL && *settings->follow != '\0');
}

void
debye_map_energies_add(const DebyeMapEnergies *self, const DebyeMapSettings *settings, gboolean is_solved,
                       double residual, double cycles, double grid_error, DebyeResult *result)
{
  g_autoptr(DebyeTable) table = debye_table_new(DEBYE_TABLE_OF_SUMMARY);
  if (!is_solved && wants_field(settings))
    debye_result_add_note_of(result, DEBYE_NOTE_WARNING, "residual",
                             "energies and the table of residues are left out: the equation isn't solved; a "
                             "larger --residual accepts it");
  if (settings->energies && is_solved)
    add_electrostatic(self, settings, table, result);
  if (settings->nonpolar != NULL)
    add_nonpolar(self, settings, table, result);
  if (settings->binding != NULL && *settings->binding != '\0' && is_solved)
    add_binding(self, settings, table, result);
  add_number(table, "residual", "residual", NULL, residual);
  add_number(table, "cycles", "multigrid cycles per frame", NULL, cycles);
  if (isfinite(grid_error))
    add_number(table, "grid_error", "error of the grid", NULL, grid_error);
  debye_result_add_table(result, table);
}
