/* SPDX-License-Identifier: MIT */
/* Implementation of phosphate_ends.h. */
#include "phosphate_ends.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/tables/charge_match.h"

#define PHOSPHATE_CHARGE (-2.0) /* e, at pH 7: the second pKa of such groups is some 6.5 */
#define BOND_LENGTH 1.51        /* Å, of P and its three like oxygens */
#define MOST_SITES (DEBYE_FORM_ATOMS * (1 + DEBYE_FORM_HYDROGENS))

static const char *const oxygens[3] = {"OP1", "OP2", "OP3"};

static gboolean
is_of_phosphate(const char *name)
{
  return strcmp(name, "P") == 0 || strcmp(name, "OP1") == 0 || strcmp(name, "OP2") == 0 ||
         strcmp(name, "OP3") == 0;
}

static gboolean
has_atom(const DebyePreparedSystem *system, const DebyePreparedUnit *unit, const char *name)
{
  return debye_prepared_system_find(system, unit, name) != DEBYE_PREPARE_NONE;
}

static gboolean
is_nucleotide(const DebyePreparedUnit *unit)
{
  return unit->kind == DEBYE_UNIT_CHAIN && debye_residue_form_is_nucleotide(unit->form);
}

/* Opposite of the other three oxygens. */
static void
add_oxygen(DebyePreparedSystem *system, guint32 number)
{
  static const char *const others[] = {"OP1", "OP2", "O5'"};
  DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, number);
  const DebyeVec3 center = debye_prepared_system_get_place(system, unit, "P");
  DebyeVec3 sum = {0};
  for (int k = 0; k < 3; k++) {
    const DebyeVec3 u = debye_vec3_subtract(center, debye_prepared_system_get_place(system, unit, others[k]));
    sum = debye_vec3_add(sum, debye_vec3_scale(u, 1.0 / debye_vec3_length(u)));
  }
  const double length = debye_vec3_length(sum);
  if (!(length > 0.1))
    return;
  debye_prepared_system_add(system, number, "OP3", 8,
                            debye_vec3_add(center, debye_vec3_scale(sum, BOND_LENGTH / length)),
                            debye_prepared_system_find(system, unit, "P"));
  debye_prepared_unit_note(unit, "atom OP3 added");
}

gboolean
debye_phosphate_ends_complete(DebyePreparedSystem *system, GError **error)
{
  for (guint32 u = 0; u < system->units->len; u++) {
    const DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, u);
    if (!is_nucleotide(unit))
      continue;
    const gboolean is_whole = unit->is_start && has_atom(system, unit, "P") &&
                              has_atom(system, unit, "OP1") && has_atom(system, unit, "OP2") &&
                              has_atom(system, unit, "O5'");
    const guint32 third = debye_prepared_system_find(system, unit, "OP3");
    if (third != DEBYE_PREPARE_NONE && !is_whole) {
      g_autofree char *residue = debye_prepared_unit_describe(system, unit);
      return debye_error_set(
          error, DEBYE_ERROR_VALUE,
          "residue %s has atom OP3, which only the first residue of a strand can have. Remove it", residue);
    }
    if (third != DEBYE_PREPARE_NONE)
      debye_prepared_system_bond(system, debye_prepared_system_find(system, unit, "P"), third);
    else if (is_whole)
      add_oxygen(system, u);
  }
  return TRUE;
}

/* --- Charges --- */

/* Atoms and hydrogens in the unit's order, without OP3; without the phosphate, a hydrogen of O5' takes its place. */
static guint
list_sites(const DebyePreparedSystem *system, const DebyePreparedUnit *unit, gboolean with_phosphate,
           DebyeChargeSite sites[MOST_SITES])
{
  guint n = 0;
  for (guint k = 0; k < unit->atoms->len && n + 1 < MOST_SITES; k++) {
    const char *name = debye_prepared_system_get_atom(system, g_array_index(unit->atoms, guint32, k))->name;
    if (strcmp(name, "OP3") == 0 || (!with_phosphate && is_of_phosphate(name)))
      continue;
    debye_charge_site_set_name(&sites[n], name);
    sites[n++].is_hydrogen = FALSE;
  }
  for (guint k = 0; k < unit->hydrogens->len && n + 1 < MOST_SITES; k++) {
    debye_charge_site_set_name(&sites[n], g_array_index(unit->hydrogens, DebyePreparedHydrogen, k).name);
    sites[n++].is_hydrogen = TRUE;
  }
  if (!with_phosphate) {
    debye_charge_site_set_name(&sites[n], "HO5'");
    sites[n++].is_hydrogen = TRUE;
  }
  return n;
}

static double
sum_charges(const DebyeChargeSite *sites, guint n)
{
  double sum = 0.0;
  for (guint k = 0; k < n; k++)
    sum += sites[k].charge;
  return sum;
}

/* The residue's charge with a hydroxyl group in the phosphate's place; NAN: the table has none. */
static double
find_charge_without(const DebyePreparedSystem *system, const DebyePreparedUnit *unit, DebyeChargeTable table)
{
  DebyeChargeSite sites[MOST_SITES];
  const guint n = list_sites(system, unit, FALSE, sites);
  const DebyeChargeRow *row = debye_residue_form_find_row(
      unit->form, table, DEBYE_END_CHARGED, unit->is_end ? DEBYE_END_CHARGED : DEBYE_END_NONE, FALSE);
  return row != NULL && debye_charge_match(row, sites, n) ? sum_charges(sites, n) : NAN;
}

/* Charges or radii within a strand, in the unit's order, with 0 for OP3. NULL: the table has none. */
static GArray *
match(const DebyePreparedSystem *system, const DebyePreparedUnit *unit, DebyeChargeTable table,
      gboolean of_radii)
{
  DebyeChargeSite sites[MOST_SITES];
  guint at = 0;
  const guint n = list_sites(system, unit, TRUE, sites);
  const DebyeChargeRow *row = debye_residue_form_find_row(
      unit->form, table, DEBYE_END_NONE, unit->is_end ? DEBYE_END_CHARGED : DEBYE_END_NONE, of_radii);
  if (row == NULL || !debye_charge_match(row, sites, n))
    return NULL;
  GArray *values = g_array_new(FALSE, FALSE, sizeof(double));
  for (guint k = 0; k < unit->atoms->len + unit->hydrogens->len; k++) {
    const gboolean is_third =
        k < unit->atoms->len &&
        strcmp(debye_prepared_system_get_atom(system, g_array_index(unit->atoms, guint32, k))->name, "OP3") ==
            0;
    const double value = is_third ? 0.0 : sites[at++].charge;
    g_array_append_val(values, value);
  }
  return values;
}

static double *
find_value(const DebyePreparedSystem *system, const DebyePreparedUnit *unit, GArray *values, const char *name)
{
  const guint32 atom = debye_prepared_system_find(system, unit, name);
  for (guint k = 0; k < unit->atoms->len; k++)
    if (g_array_index(unit->atoms, guint32, k) == atom)
      return &g_array_index(values, double, k);
  return NULL;
}

static void
set_charges(const DebyePreparedSystem *system, DebyePreparedUnit *unit, DebyeChargeTable table)
{
  GArray *charges = match(system, unit, table, FALSE), *radii = match(system, unit, table, TRUE);
  const double without = find_charge_without(system, unit, table);
  double left = PHOSPHATE_CHARGE + without;
  if (charges == NULL || radii == NULL || isnan(without)) {
    g_clear_pointer(&charges, g_array_unref);
    g_clear_pointer(&radii, g_array_unref);
    return;
  }
  for (int k = 0; k < 3; k++)
    *find_value(system, unit, charges, oxygens[k]) = 0.0;
  for (guint k = 0; k < charges->len; k++)
    left -= g_array_index(charges, double, k);
  for (int k = 0; k < 3; k++)
    *find_value(system, unit, charges, oxygens[k]) = left / 3.0;
  *find_value(system, unit, radii, "OP3") = *find_value(system, unit, radii, "OP1");
  unit->charges = charges;
  unit->radii = radii;
  debye_prepared_unit_warn(
      unit,
      "the strand begins with a phosphate, for which no table has charges: OP1, OP2 and OP3 get %.3f e each",
      left / 3.0);
}

void
debye_phosphate_ends_set_charges(DebyePreparedSystem *system, DebyeChargeTable table)
{
  for (guint u = 0; u < system->units->len; u++) {
    DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, u);
    if (is_nucleotide(unit) && unit->charges == NULL && has_atom(system, unit, "OP3"))
      set_charges(system, unit, table);
  }
}
