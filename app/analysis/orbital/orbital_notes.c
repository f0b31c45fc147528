/* SPDX-License-Identifier: MIT */
/* Writes the list of orbitals and notes of a result; called by orbital_run.c. */
#include <math.h>

#include "orbital_run.h"
#include "data/messages/decimal_text.h"

#define ELECTRONVOLT 27.211386245988 /* of a hartree; CODATA 2018 */
/* Norms and numbers of electrons that deviate more are worth a warning. */
#define NORM_DEVIATION 1e-3
#define WHOLE 0.01

static void
add_texts(const DebyeOrbitalPlan *plan, DebyeTable *table)
{
  static const DebyeQuantity spin = {"spin", "spin", NULL}, symmetry = {"symmetry", "symmetry", NULL};
  const gsize n = plan->wave->orbitals->len;
  g_autofree const char **spins = g_new(const char *, n + 1), **symmetries = g_new(const char *, n + 1);
  for (gsize i = 0; i < n; i++) {
    const DebyeWaveOrbital *orbital = &g_array_index(plan->wave->orbitals, DebyeWaveOrbital, i);
    spins[i] = orbital->is_beta ? "beta" : "alpha";
    symmetries[i] = orbital->symmetry;
  }
  spins[n] = symmetries[n] = NULL;
  debye_table_add_texts(table, &spin, spins);
  debye_table_add_texts(table, &symmetry, symmetries);
}

DebyeTable *
debye_orbital_notes_make_table(const DebyeOrbitalPlan *plan)
{
  static const DebyeQuantity quantities[] = {{"orbital", "orbital", NULL},
                                             {"energy", "energy", "hartree"},
                                             {"energy_ev", "energy", "eV"},
                                             {"occupation", "occupation", NULL}};
  const gsize n = plan->wave->orbitals->len;
  DebyeTable *table = debye_table_new("orbitals");
  g_autofree double *columns = g_new(double, 4 * n);
  for (gsize i = 0; i < n; i++) {
    const DebyeWaveOrbital *orbital = &g_array_index(plan->wave->orbitals, DebyeWaveOrbital, i);
    columns[i] = (double)i;
    columns[n + i] = orbital->energy;
    columns[2 * n + i] = orbital->energy * ELECTRONVOLT;
    columns[3 * n + i] = orbital->occupation;
  }
  debye_table_add_numbers(table, &quantities[0], n, columns);
  add_texts(plan, table);
  for (int i = 1; i < 4; i++)
    debye_table_add_numbers(table, &quantities[i], n, columns + (gsize)i * n);
  return table;
}

static void
add_norms(const DebyeOrbitalPlan *plan, DebyeResult *result)
{
  const DebyeWaveFunction *wave = plan->wave;
  DebyeDecimalText number;
  for (guint i = 0; i < plan->maps->len; i++) {
    const DebyeOrbitalMap *map = &g_array_index(plan->maps, DebyeOrbitalMap, i);
    if (map->kind == DEBYE_ORBITAL_MAP_ORBITAL && !(fabs(map->norm - 1.0) <= NORM_DEVIATION))
      debye_result_add_note_of(result, DEBYE_NOTE_WARNING, NULL, "%s has the norm %s and not 1", map->name,
                               debye_decimal_text_format(&number, "%.6g", map->norm));
  }
  if (!(fabs(wave->worst_norm - 1.0) <= NORM_DEVIATION))
    debye_result_add_note_of(
        result, DEBYE_NOTE_WARNING, NULL,
        "of %" G_GSIZE_FORMAT
        " orbitals one has the norm %s and not 1: the file's normalisation of functions is not known",
        wave->n_looked_at, debye_decimal_text_format(&number, "%.6g", wave->worst_norm));
}

static void
add_electrons(const DebyeOrbitalPlan *plan, DebyeResult *result)
{
  DebyeDecimalText numbers[3];
  if (isnan(plan->n_in_norms))
    return;
  debye_result_add_note(result,
                        "Electrons: %s by the occupations, %s by the norms of the orbitals; nuclei: %s e",
                        debye_decimal_text_format(&numbers[0], "%.8g", plan->n_electrons),
                        debye_decimal_text_format(&numbers[1], "%.8g", plan->n_in_norms),
                        debye_decimal_text_format(&numbers[2], "%.8g", plan->nuclear_charge));
  if (fabs(plan->n_electrons - round(plan->n_electrons)) > WHOLE)
    debye_result_add_note_of(result, DEBYE_NOTE_WARNING, NULL,
                             "the occupations sum to %s electrons, which is not a whole number",
                             debye_decimal_text_format(&numbers[0], "%.6g", plan->n_electrons));
  if (!(fabs(plan->n_in_norms - plan->n_electrons) <= NORM_DEVIATION * fmax(plan->n_electrons, 1.0)))
    debye_result_add_note_of(result, DEBYE_NOTE_WARNING, NULL,
                             "the density integrates to %s electrons by the norms of the orbitals, and the "
                             "occupations sum to %s",
                             debye_decimal_text_format(&numbers[0], "%.6g", plan->n_in_norms),
                             debye_decimal_text_format(&numbers[1], "%.6g", plan->n_electrons));
}

void
debye_orbital_notes_add(const DebyeOrbitalPlan *plan, DebyeResult *result)
{
  const DebyeWaveFunction *wave = plan->wave;
  debye_result_add_note(result,
                        "Wave function: %u atoms, %u shells, %" G_GSIZE_FORMAT " functions, %u orbitals",
                        wave->atoms->len, wave->shells->len, wave->n_functions, wave->orbitals->len);
  for (guint i = 0; i < wave->remarks->len; i++)
    debye_result_add_note(result, "The file's normalisation: %s",
                          (const char *)g_ptr_array_index(wave->remarks, i));
  add_norms(plan, result);
  add_electrons(plan, result);
}

void
debye_orbital_notes_add_integral(const DebyeOrbitalPlan *plan, const DebyeOrbitalMap *map,
                                 const float *values, DebyeResult *result)
{
  const DebyeCell steps = {plan->grid.step[0], plan->grid.step[1], plan->grid.step[2]};
  const double volume = fabs(debye_cell_volume(&steps)) / (DEBYE_BOHR * DEBYE_BOHR * DEBYE_BOHR);
  double sum = 0.0, square = 0.0;
  DebyeDecimalText number;
  for (gsize i = 0; i < debye_grid_n_points(&plan->grid); i++) {
    sum += (double)values[i];
    square += (double)values[i] * (double)values[i];
  }
  if (map->kind == DEBYE_ORBITAL_MAP_ORBITAL)
    debye_result_add_note(result, "%s: ∫ψ² over the grid is %s", map->name,
                          debye_decimal_text_format(&number, "%.5g", square * volume));
  else if (map->kind == DEBYE_ORBITAL_MAP_DENSITY || map->kind == DEBYE_ORBITAL_MAP_SPIN)
    debye_result_add_note(result, "%s: its integral over the grid is %s electrons", map->name,
                          debye_decimal_text_format(&number, "%.5g", sum * volume));
}
