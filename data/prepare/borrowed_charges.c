/* SPDX-License-Identifier: MIT */
/* Implementation of borrowed_charges.h. */
#include "borrowed_charges.h"

#include <string.h>

#include "add_hydrogens.h"
#include "data/tables/charge_match.h"
#include "linked_units.h"

#define MOST_SITES (DEBYE_FORM_ATOMS * (1 + DEBYE_FORM_HYDROGENS))

static void
add_hydrogen_sites(const GArray *hydrogens, DebyeChargeSite sites[MOST_SITES], guint *n)
{
  for (guint k = 0; k < hydrogens->len && *n < MOST_SITES; k++) {
    debye_charge_site_set_name(&sites[*n], g_array_index(hydrogens, DebyePreparedHydrogen, k).name);
    sites[(*n)++].is_hydrogen = TRUE;
  }
}

/* Atoms, then hydrogens, those that are gone behind; selenium as sulfur. */
static guint
list_sites(const DebyePreparedSystem *system, const DebyePreparedUnit *unit, const GArray *removed,
           DebyeChargeSite sites[MOST_SITES])
{
  guint n = 0;
  for (guint k = 0; k < unit->atoms->len && n < MOST_SITES; k++) {
    const char *name = debye_prepared_system_get_atom(system, g_array_index(unit->atoms, guint32, k))->name;
    debye_charge_site_set_name(&sites[n], strcmp(name, "SE") == 0 ? "SD" : name);
    sites[n++].is_hydrogen = FALSE;
  }
  add_hydrogen_sites(unit->hydrogens, sites, &n);
  add_hydrogen_sites(removed, sites, &n);
  return n;
}

static DebyeFormEnd
get_end(gboolean is_end, DebyeTermini state)
{
  return !is_end ? DEBYE_END_NONE : state == DEBYE_TERMINI_NEUTRAL ? DEBYE_END_NEUTRAL : DEBYE_END_CHARGED;
}

/* Those that another residue took the place of. */
static GArray *
list_removed(const DebyePreparedSystem *system, const DebyePreparedUnit *unit)
{
  DebyeFormAtom atoms[DEBYE_FORM_ATOMS];
  guint n;
  GArray *removed = g_array_new(FALSE, FALSE, sizeof(DebyePreparedHydrogen));
  debye_prepare_list_all_hydrogens(system, unit, atoms, &n);
  debye_linked_units_strip(system, unit, atoms, n, removed);
  return removed;
}

/* Of the atoms and hydrogens; charges of what is gone are inherited, radii aren't. */
static GArray *
match(const DebyePreparedSystem *system, const DebyePreparedUnit *unit, const DebyeChargeRow *row,
      gboolean is_inherited)
{
  DebyeChargeSite sites[MOST_SITES];
  g_autoptr(GArray) removed = list_removed(system, unit);
  const guint n = list_sites(system, unit, removed, sites);
  if (row == NULL || !debye_charge_match(row, sites, n))
    return NULL;
  GArray *values = g_array_new(FALSE, FALSE, sizeof(double));
  for (guint k = 0; k < n - removed->len; k++) {
    double value = sites[k].charge;
    for (guint h = 0; is_inherited && k < unit->atoms->len && h < removed->len; h++)
      if (g_array_index(removed, DebyePreparedHydrogen, h).heavy == g_array_index(unit->atoms, guint32, k))
        value += sites[n - removed->len + h].charge;
    g_array_append_val(values, value);
  }
  return values;
}

void
debye_borrowed_charges_set(DebyePreparedSystem *system, DebyeChargeTable table)
{
  for (guint u = 0; u < system->units->len; u++) {
    DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, u);
    const DebyeResidueForm *lender =
        unit->kind == DEBYE_UNIT_CHAIN ? debye_residue_form_get_lender(unit->form) : NULL;
    if (lender == NULL || (lender == unit->form && !unit->is_linked))
      continue;
    const DebyeFormEnd start = get_end(unit->is_start, unit->start), end = get_end(unit->is_end, unit->end);
    unit->charges =
        match(system, unit, debye_residue_form_find_row(unit->form, table, start, end, FALSE), TRUE);
    unit->radii =
        match(system, unit, debye_residue_form_find_row(unit->form, table, start, end, TRUE), FALSE);
    if (unit->charges != NULL && lender != unit->form)
      debye_prepared_unit_warn(unit, "charges and radii of %s, with sulfur's for selenium", lender->name);
  }
}
