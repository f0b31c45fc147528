/* SPDX-License-Identifier: MIT */
/* Implementation of borrowed_charges.h. */
#include "borrowed_charges.h"

#include <string.h>

#include "data/tables/charge_match.h"

#define MOST_SITES (DEBYE_FORM_ATOMS * (1 + DEBYE_FORM_HYDROGENS))

/* Atoms, then hydrogens; selenium as sulfur. */
static guint
list_sites(const DebyePreparedSystem *system, const DebyePreparedUnit *unit,
           DebyeChargeSite sites[MOST_SITES])
{
  guint n = 0;
  for (guint k = 0; k < unit->atoms->len && n < MOST_SITES; k++) {
    const char *name = debye_prepared_system_get_atom(system, g_array_index(unit->atoms, guint32, k))->name;
    debye_charge_site_set_name(&sites[n], strcmp(name, "SE") == 0 ? "SD" : name);
    sites[n++].is_hydrogen = FALSE;
  }
  for (guint k = 0; k < unit->hydrogens->len && n < MOST_SITES; k++) {
    debye_charge_site_set_name(&sites[n], g_array_index(unit->hydrogens, DebyePreparedHydrogen, k).name);
    sites[n++].is_hydrogen = TRUE;
  }
  return n;
}

static DebyeFormEnd
get_end(gboolean is_end, DebyeTermini state)
{
  return !is_end ? DEBYE_END_NONE : state == DEBYE_TERMINI_NEUTRAL ? DEBYE_END_NEUTRAL : DEBYE_END_CHARGED;
}

static GArray *
match(const DebyePreparedSystem *system, const DebyePreparedUnit *unit, const DebyeChargeRow *row)
{
  DebyeChargeSite sites[MOST_SITES];
  const guint n = list_sites(system, unit, sites);
  if (row == NULL || !debye_charge_match(row, sites, n))
    return NULL;
  GArray *values = g_array_new(FALSE, FALSE, sizeof(double));
  for (guint k = 0; k < n; k++) {
    const double value = sites[k].charge;
    g_array_append_val(values, value);
  }
  return values;
}

void
debye_borrowed_charges_set(DebyePreparedSystem *system, DebyeChargeTable table)
{
  for (guint u = 0; u < system->units->len; u++) {
    DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, u);
    if (unit->kind != DEBYE_UNIT_CHAIN || debye_residue_form_get_lender(unit->form) == unit->form)
      continue;
    const DebyeFormEnd start = get_end(unit->is_start, unit->start), end = get_end(unit->is_end, unit->end);
    unit->charges = match(system, unit, debye_residue_form_find_row(unit->form, table, start, end, FALSE));
    unit->radii = match(system, unit, debye_residue_form_find_row(unit->form, table, start, end, TRUE));
    if (unit->charges != NULL)
      debye_prepared_unit_warn(unit, "charges and radii of %s, with sulfur's for selenium",
                               debye_residue_form_get_lender(unit->form)->name);
  }
}
