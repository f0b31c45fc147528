/* SPDX-License-Identifier: MIT */
/* Implementation of ligand_units.h. */
#include "ligand_units.h"

#include <string.h>

#include "data/files/error.h"
#include "data/messages/message.h"
#include "data/tables/elements.h"
#include "hydrogen_site.h"
#include "ligand_charges.h"
#include "ligand_match.h"
#include "ligand_orders.h"
#include "ligand_sources.h"
#include "ligand_species.h"
#include "linked_units.h"

#define MOST_BONDED 8
#define SAME_PLACE 0.2     /* Å: the file's hydrogens are where the residue is */
#define HYDROGEN_REACH 1.7 /* Å: S–H has 1.34 */
#define WHOLE 0.01         /* e */
#define ALKYNE_LENGTH 1.06
/* Kinds that ligands are made of. */
static const guint8 organic[] = {1, 6, 7, 8, 9, 15, 16, 17, 35, 53};

typedef struct {
  DebyePreparedSystem *system;
  DebyePreparedUnit *unit;
  guint32 number;          /* of the unit */
  DebyeLigand *ligand;     /* its atoms as in unit->atoms; behind them those of others that it is bonded to */
  guint32 n_own;           /* of these the unit's */
  const DebyeLigand *file; /* NULL: none */
  guint32 *match;          /* file's atom of each */
  gboolean has_hydrogens;  /* of the structure's own */
  gboolean is_estimated;   /* no file has its charges */
} Work;

/* --- The residue as a molecule --- */

static const char *
get_atom_name(const DebyePreparedSystem *system, const DebyePreparedAtom *atom)
{
  return debye_string_pool_get(debye_topology_get_string_pool(system->topology),
                               debye_topology_get_names(system->topology)[atom->source]);
}

static DebyeLigand *
make_ligand(const DebyePreparedSystem *system, guint32 number)
{
  const DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, number);
  DebyeLigand *ligand = debye_ligand_new(debye_prepared_unit_get_name(system, unit));
  for (guint k = 0; k < unit->atoms->len; k++) {
    const DebyePreparedAtom *atom =
        debye_prepared_system_get_atom(system, g_array_index(unit->atoms, guint32, k));
    DebyeLigandAtom own = {.element = atom->element, .position = atom->position, .charge = NAN};
    const char *name = get_atom_name(system, atom);
    g_strlcpy(own.name, strlen(name) < sizeof own.name ? name : "", sizeof own.name);
    g_array_append_val(ligand->atoms, own);
  }
  debye_linked_units_surround(system, number, ligand);
  debye_ligand_find_bonds(ligand);
  return ligand;
}

static gboolean
refuse(const Work *work, GError **error, const char *problem)
{
  g_autofree char *residue = debye_prepared_unit_describe(work->system, work->unit);
  return debye_error_set(
      error, DEBYE_ERROR_MISSING,
      "residue %s: %s. Give the ligand as a Mol2, SDF or mmCIF component file, or continue "
      "without it and keep “not resname %s”",
      residue, problem, debye_prepared_unit_get_name(work->system, work->unit));
}

static gboolean
check_elements(const Work *work, GError **error)
{
  for (guint32 i = 0; i < work->n_own; i++) {
    const guint8 element = debye_ligand_get_atom(work->ligand, i)->element;
    if (memchr(organic, element, sizeof organic) != NULL)
      continue;
    g_autofree char *residue = debye_prepared_unit_describe(work->system, work->unit);
    return debye_error_set(
        error, DEBYE_ERROR_MISSING,
        "residue %s: charges can't be estimated with the element %s in it. To continue without "
        "the residue, keep “not resname %s”",
        residue, debye_element_get(element)->symbol, debye_prepared_unit_get_name(work->system, work->unit));
  }
  return TRUE;
}

/* Sugars at asparagine can be kept; what is bonded to the backbone or to an ammonium group makes another residue of it. */
static gboolean
check_links(const Work *work, GError **error)
{
  const DebyePreparedLink *link = debye_linked_units_find_refused(work->system, work->number);
  if (link == NULL)
    return TRUE;
  const guint32 unit = debye_prepared_system_get_atom(work->system, link->partner)->unit;
  g_autofree char *other =
      debye_prepared_unit_describe(work->system, debye_prepared_system_get_unit(work->system, unit));
  g_autofree char *residue = debye_prepared_unit_describe(work->system, work->unit);
  return debye_error_set(
      error, DEBYE_ERROR_MISSING,
      "residue %s is bonded to %s, and the table has no charges for it. To continue without it, "
      "keep “not resname %s”",
      residue, other, debye_prepared_unit_get_name(work->system, work->unit));
}

/* --- From a file --- */

/* Of the file's atom: how many hydrogens, and what they have on average. */
static guint
count_hydrogens(const DebyeLigand *file, guint32 atom, double *mean_charge)
{
  guint32 bonded[MOST_BONDED];
  guint n_found = 0;
  double sum = 0.0;
  const guint n = debye_ligand_list_bonded(file, atom, bonded, MOST_BONDED);
  for (guint k = 0; k < n; k++) {
    const DebyeLigandAtom *other = debye_ligand_get_atom(file, bonded[k]);
    if (other->element != 1)
      continue;
    n_found++;
    sum += other->charge;
  }
  *mean_charge = n_found > 0 ? sum / n_found : 0.0;
  return n_found + debye_ligand_get_atom(file, atom)->n_hydrogens;
}

static void
take_bonds(Work *work)
{
  for (guint b = 0; b < work->ligand->bonds->len; b++) {
    DebyeLigandBond *bond = debye_ligand_get_bond(work->ligand, b);
    const guint32 i = work->match[bond->i], j = work->match[bond->j];
    if (i == DEBYE_LIGAND_NONE || j == DEBYE_LIGAND_NONE)
      continue;
    const DebyeLigandBond *known = debye_ligand_find_bond(work->file, i, j);
    bond->order = known != NULL ? known->order : bond->order;
  }
}

/* The structure's own hydrogens count; what the file has beyond is added. */
static gboolean
take_count(Work *work, guint32 number, guint n_of_file, GError **error)
{
  DebyeLigandAtom *atom = debye_ligand_get_atom(work->ligand, number);
  const guint n_own = debye_ligand_count_hydrogens(work->ligand, number);
  atom->n_hydrogens = n_of_file > n_own ? n_of_file - n_own : 0;
  if (n_own <= n_of_file)
    return TRUE;
  g_autofree char *residue = debye_prepared_unit_describe(work->system, work->unit);
  return debye_error_set(
      error, DEBYE_ERROR_MISMATCH,
      "residue %s: atom %s has %u hydrogens, %u in the ligand's file (%s). Remove the residue's hydrogens, "
      "or give a file with the same protons",
      residue, atom->name, n_own, n_of_file, work->file->file != NULL ? work->file->file : "");
}

static gboolean
take_atoms(Work *work, GError **error)
{
  for (guint32 i = 0; i < work->ligand->atoms->len; i++) {
    DebyeLigandAtom *atom = debye_ligand_get_atom(work->ligand, i);
    if (work->match[i] == DEBYE_LIGAND_NONE)
      continue;
    const DebyeLigandAtom *known = debye_ligand_get_atom(work->file, work->match[i]);
    atom->formal_charge = known->formal_charge;
    atom->charge = known->charge;
    const guint n_hydrogens = count_hydrogens(work->file, work->match[i], &atom->charge_of_hydrogens);
    if (!take_count(work, i, n_hydrogens, error))
      return FALSE;
  }
  /* The structure's own hydrogens. */
  for (guint32 i = 0; i < work->ligand->atoms->len; i++) {
    guint32 bonded[MOST_BONDED];
    DebyeLigandAtom *atom = debye_ligand_get_atom(work->ligand, i);
    if (atom->element == 1 && debye_ligand_list_bonded(work->ligand, i, bonded, MOST_BONDED) > 0)
      atom->charge = debye_ligand_get_atom(work->ligand, bonded[0])->charge_of_hydrogens;
  }
  return TRUE;
}

/* The file's charges are those of all atoms: no hydrogens were added to it. */
static gboolean
is_whole(const DebyeLigand *file)
{
  for (guint32 i = 0; i < file->atoms->len; i++)
    if (debye_ligand_get_atom(file, i)->n_hydrogens > 0)
      return FALSE;
  return TRUE;
}

/* Whether the file has charges other than zero. */
static gboolean
has_charges(const DebyeLigand *file)
{
  for (guint32 i = 0; i < file->atoms->len; i++) {
    const double charge = debye_ligand_get_atom(file, i)->charge;
    if (!isnan(charge) && charge != 0.0)
      return TRUE;
  }
  return FALSE;
}

/* The sum of the charges of a file that has them all and a whole sum; NAN else. */
static double
sum_charges(const DebyeLigand *ligand)
{
  double sum = 0.0;
  gboolean has_any = FALSE;
  for (guint32 i = 0; i < ligand->atoms->len; i++) {
    const DebyeLigandAtom *atom = debye_ligand_get_atom(ligand, i);
    sum += atom->charge + atom->n_hydrogens * atom->charge_of_hydrogens;
    has_any = has_any || atom->charge != 0.0;
  }
  return has_any && fabs(sum - nearbyint(sum)) < WHOLE ? nearbyint(sum) : NAN;
}

/* --- Hydrogens --- */

static void
append_hydrogen(Work *work, guint32 atom, DebyeVec3 position)
{
  DebyePreparedHydrogen hydrogen = {.heavy = g_array_index(work->unit->atoms, guint32, atom),
                                    .source = DEBYE_PREPARE_NONE,
                                    .position = position};
  guint number = work->unit->hydrogens->len;
  do {
    g_snprintf(hydrogen.name, sizeof hydrogen.name, "H%u", ++number);
  } while (debye_ligand_has_name(work->ligand, hydrogen.name));
  g_array_append_val(work->unit->hydrogens, hydrogen);
}

/* Some programs write hydrogens that were never placed. */
static gboolean
are_places_near(const DebyeLigand *file, guint32 atom)
{
  guint32 bonded[MOST_BONDED];
  const guint n = debye_ligand_list_bonded(file, atom, bonded, MOST_BONDED);
  for (guint k = 0; k < n; k++)
    if (debye_ligand_get_atom(file, bonded[k])->element == 1 &&
        debye_vec3_length(debye_vec3_subtract(debye_ligand_get_atom(file, bonded[k])->position,
                                              debye_ligand_get_atom(file, atom)->position)) > HYDROGEN_REACH)
      return FALSE;
  return TRUE;
}

/* The file's hydrogens of an atom, where the file's atom is where the residue's is. */
static gboolean
take_places(Work *work, guint32 atom)
{
  guint32 bonded[MOST_BONDED];
  const DebyeLigandAtom *own = debye_ligand_get_atom(work->ligand, atom);
  if (work->file == NULL || debye_ligand_get_atom(work->file, work->match[atom])->n_hydrogens > 0 ||
      debye_ligand_count_hydrogens(work->ligand, atom) > 0)
    return FALSE;
  for (guint32 i = 0; i < work->ligand->atoms->len; i++)
    if (work->match[i] != DEBYE_LIGAND_NONE &&
        debye_vec3_length(debye_vec3_subtract(debye_ligand_get_atom(work->file, work->match[i])->position,
                                              debye_ligand_get_atom(work->ligand, i)->position)) > SAME_PLACE)
      return FALSE;
  if (!are_places_near(work->file, work->match[atom]))
    return FALSE;
  const DebyeVec3 shift =
      debye_vec3_subtract(own->position, debye_ligand_get_atom(work->file, work->match[atom])->position);
  const guint n = debye_ligand_list_bonded(work->file, work->match[atom], bonded, MOST_BONDED);
  for (guint k = 0; k < n; k++)
    if (debye_ligand_get_atom(work->file, bonded[k])->element == 1)
      append_hydrogen(work, atom,
                      debye_vec3_add(debye_ligand_get_atom(work->file, bonded[k])->position, shift));
  return TRUE;
}

static gboolean
place_by_geometry(Work *work, guint32 atom)
{
  guint32 bonded[MOST_BONDED], further[MOST_BONDED];
  DebyeVec3 positions[DEBYE_SITE_HYDROGENS];
  const DebyeLigandAtom *own = debye_ligand_get_atom(work->ligand, atom);
  DebyeHydrogenSite site = {.center = own->position,
                            .reference = own->position,
                            .element = own->element,
                            .is_planar = own->is_planar,
                            .torsion = own->is_planar && own->n_hydrogens == 2 ? 0.0 : 180.0,
                            .n_hydrogens = own->n_hydrogens};
  site.n_neighbours = debye_ligand_list_bonded(work->ligand, atom, bonded, MOST_BONDED);
  if (site.n_neighbours == 0 || site.n_neighbours > DEBYE_SITE_NEIGHBOURS ||
      own->n_hydrogens > DEBYE_SITE_HYDROGENS)
    return FALSE;
  for (guint k = 0; k < site.n_neighbours; k++)
    site.neighbours[k] = debye_ligand_get_atom(work->ligand, bonded[k])->position;
  const DebyeVec3 along = debye_vec3_subtract(site.center, site.neighbours[0]);
  const guint n_further = debye_ligand_list_bonded(work->ligand, bonded[0], further, MOST_BONDED);
  for (guint k = 0; k < n_further; k++)
    if (further[k] != atom)
      site.reference = debye_ligand_get_atom(work->ligand, further[k])->position;
  /* Of two atoms alone, or of three on a line, no third gives a direction. */
  const DebyeVec3 normal = debye_vec3_cross(along, debye_vec3_subtract(site.reference, site.neighbours[0]));
  if (debye_vec3_length(normal) < 0.1)
    site.reference =
        debye_vec3_add(site.neighbours[0], debye_vec3_cross(along, debye_vec3(0.31, 0.67, 0.59)));
  if (own->is_linear)
    positions[0] =
        debye_vec3_add(site.center, debye_vec3_scale(along, ALKYNE_LENGTH / debye_vec3_length(along)));
  else if (!debye_hydrogen_site_place(&site, positions))
    return FALSE;
  for (guint k = 0; k < own->n_hydrogens; k++)
    append_hydrogen(work, atom, positions[k]);
  return TRUE;
}

static gboolean
add_hydrogens(Work *work, GError **error)
{
  debye_ligand_set_hybridisation(work->ligand);
  for (guint32 i = 0; i < work->n_own; i++) {
    const DebyeLigandAtom *atom = debye_ligand_get_atom(work->ligand, i);
    if (atom->n_hydrogens == 0 || take_places(work, i) || place_by_geometry(work, i))
      continue;
    g_autofree char *problem = debye_say("the bonds of atom %s leave no room for its hydrogens", atom->name);
    return refuse(work, error, problem);
  }
  if (work->unit->hydrogens->len > 0)
    debye_prepared_unit_note(work->unit, "hydrogens added: %u", work->unit->hydrogens->len);
  return TRUE;
}

/* --- Charges --- */

static void
append(DebyePreparedUnit *unit, double charge, guint8 element)
{
  const double radius = (double)debye_element_get_radius(element, DEBYE_RADII_BONDI);
  g_array_append_val(unit->charges, charge);
  g_array_append_val(unit->radii, radius);
}

static void
set_charges(Work *work)
{
  DebyePreparedUnit *unit = work->unit;
  unit->charges = g_array_new(FALSE, FALSE, sizeof(double));
  unit->radii = g_array_new(FALSE, FALSE, sizeof(double));
  for (guint32 i = 0; i < work->n_own; i++)
    append(unit, debye_ligand_get_atom(work->ligand, i)->charge,
           debye_ligand_get_atom(work->ligand, i)->element);
  for (guint32 i = 0; i < work->n_own; i++)
    for (guint k = 0; k < debye_ligand_get_atom(work->ligand, i)->n_hydrogens; k++)
      append(unit, debye_ligand_get_atom(work->ligand, i)->charge_of_hydrogens, 1);
}

static gboolean
find_charges(Work *work, GError **error)
{
  double total = work->file != NULL && is_whole(work->file) ? sum_charges(work->ligand) : NAN;
  if (!isnan(total)) {
    debye_prepared_unit_note(work->unit, "charges of the ligand's file, %.0f e in total", total);
    return TRUE;
  }
  if (work->file != NULL && !is_whole(work->file) && has_charges(work->file))
    debye_prepared_unit_note(work->unit,
                             "the charges of the ligand's file aren't used, because it has no hydrogens");
  total = 0.0;
  for (guint32 i = 0; i < work->n_own; i++)
    total += debye_ligand_get_atom(work->ligand, i)->formal_charge;
  if (fabs(total - nearbyint(total)) > WHOLE)
    return refuse(work, error, N_("its formal charges do not add up to a whole number"));
  debye_ligand_estimate_charges(work->ligand);
  work->is_estimated = TRUE;
  if (work->n_own < work->ligand->atoms->len)
    debye_linked_units_balance(work->system, work->number, work->ligand, nearbyint(total));
  debye_prepared_unit_warn(work->unit, "charges estimated (Gasteiger and Marsili 1980), %.0f e in total",
                           nearbyint(total));
  return TRUE;
}

/* --- Bond orders --- */

/* A structure with polar hydrogens alone has none. */
static gboolean
has_carbon_with_hydrogens(const DebyeLigand *ligand)
{
  for (guint32 i = 0; i < ligand->atoms->len; i++)
    if (debye_ligand_get_atom(ligand, i)->element == 6 && debye_ligand_count_hydrogens(ligand, i) > 0)
      return TRUE;
  return FALSE;
}

/* An atom of the residue that lacks hydrogens; DEBYE_LIGAND_COMPLETE. */
static guint32
find_open(const Work *work)
{
  const guint32 carbon = debye_ligand_find_open_carbon(work->ligand);
  const guint32 amine = debye_ligand_find_open_amine(work->ligand);
  return carbon < work->n_own ? carbon : amine < work->n_own ? amine : DEBYE_LIGAND_COMPLETE;
}

static gboolean
perceive(Work *work, GError **error)
{
  if (debye_ligand_species_set(work->ligand)) {
    debye_prepared_unit_note(work->unit, "bond orders from the geometry, protons as at pH 7");
    return TRUE;
  }
  const guint32 open = debye_ligand_perceive_orders(work->ligand);
  if (open != DEBYE_LIGAND_COMPLETE) {
    g_autofree char *problem = debye_say("its geometry leaves the bond orders at atom %s open",
                                         debye_ligand_get_atom(work->ligand, open)->name);
    return refuse(work, error, problem);
  }
  const guint32 open_atom = find_open(work);
  const gboolean has_all = work->has_hydrogens && open_atom == DEBYE_LIGAND_COMPLETE;
  if (!has_all && has_carbon_with_hydrogens(work->ligand)) {
    g_autofree char *problem = debye_say("it has hydrogens at carbons, and some are missing at atom %s",
                                         debye_ligand_get_atom(work->ligand, open_atom)->name);
    return refuse(work, error, problem);
  }
  if (has_all)
    debye_ligand_set_formal_charges_by_bonds(work->ligand);
  else
    debye_ligand_set_formal_charges(work->ligand);
  /* Of what it is bonded to the hydrogens are left out. */
  for (guint32 i = work->n_own; i < work->ligand->atoms->len && has_all; i++)
    debye_ligand_get_atom(work->ligand, i)->formal_charge = 0.0;
  if (!has_all || work->n_own < work->ligand->atoms->len)
    debye_ligand_fill_hydrogens(work->ligand);
  debye_prepared_unit_note(work->unit, has_all ? "bond orders from the geometry"
                                               : "bond orders from the geometry, protons as at pH 7");
  return TRUE;
}

static const DebyeLigand *
find_file(Work *work, GPtrArray *files, gboolean *is_used)
{
  for (guint k = 0; files != NULL && k < files->len; k++) {
    const DebyeLigand *file = g_ptr_array_index(files, k);
    if ((work->match = debye_ligand_match(work->ligand, file)) == NULL)
      continue;
    is_used[k] = TRUE;
    return file;
  }
  return NULL;
}

static gboolean
fill(Work *work, GPtrArray *files, gboolean *is_used, GError **error)
{
  work->has_hydrogens = debye_ligand_has_hydrogens(work->ligand);
  if (!check_elements(work, error) || !check_links(work, error))
    return FALSE;
  work->file = find_file(work, files, is_used);
  if (work->file != NULL) {
    take_bonds(work);
    if (!take_atoms(work, error))
      return FALSE;
    debye_prepared_unit_note(work->unit, "bond orders of the ligand's file");
  } else if (!perceive(work, error)) {
    return FALSE;
  }
  if (!find_charges(work, error) || !add_hydrogens(work, error))
    return FALSE;
  set_charges(work);
  return TRUE;
}

static gboolean
is_ligand(const DebyePreparedUnit *unit)
{
  return unit->kind == DEBYE_UNIT_OTHER && unit->atoms->len >= 2 && unit->atoms->len <= DEBYE_LIGAND_ATOMS;
}

/* What orders were found for joins the structure's bonds. */
static void
keep_bonds(const Work *work)
{
  for (guint b = 0; b < work->ligand->bonds->len; b++) {
    const DebyeLigandBond *bond = debye_ligand_get_bond(work->ligand, b);
    if (bond->i >= work->n_own || bond->j >= work->n_own)
      continue;
    const DebyeBond own = {g_array_index(work->unit->atoms, guint32, bond->i),
                           g_array_index(work->unit->atoms, guint32, bond->j)};
    g_array_append_val(work->system->bonds, own);
  }
}

static gboolean
fill_unit(DebyePreparedSystem *system, guint32 number, GPtrArray *files, gboolean *is_used,
          gboolean *is_estimated, GError **error)
{
  DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, number);
  g_autoptr(DebyeLigand) ligand = make_ligand(system, number);
  Work work = {.system = system, .unit = unit, .number = number, .ligand = ligand, .n_own = unit->atoms->len};
  const gboolean done = fill(&work, files, is_used, error);
  if (done)
    keep_bonds(&work);
  if (is_estimated != NULL)
    *is_estimated = work.is_estimated;
  g_free(work.match);
  return done;
}

gboolean
debye_ligand_units_can_fill(DebyePreparedSystem *system, guint32 unit, GPtrArray *files,
                            gboolean *is_estimated)
{
  *is_estimated = FALSE;
  g_autofree gboolean *is_used = g_new0(gboolean, files != NULL ? files->len + 1 : 1);
  return is_ligand(debye_prepared_system_get_unit(system, unit)) &&
         fill_unit(system, unit, files, is_used, is_estimated, NULL);
}

gboolean
debye_ligand_units_fill(DebyePreparedSystem *system, GPtrArray *files, GError **error)
{
  g_autofree gboolean *is_used = g_new0(gboolean, files != NULL ? files->len + 1 : 1);
  if (!debye_ligand_sources_complete(files, error))
    return FALSE;
  for (guint32 u = 0; u < system->units->len; u++)
    if (is_ligand(debye_prepared_system_get_unit(system, u)) &&
        !fill_unit(system, u, files, is_used, NULL, error))
      return FALSE;
  return debye_ligand_sources_check(files, is_used, error);
}
