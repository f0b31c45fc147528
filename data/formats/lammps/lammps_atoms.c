/* SPDX-License-Identifier: MIT */
/* Collects the atoms of a data file or a dump and builds the topology. LAMMPS knows atoms by types and
 * masses, not by names: a name is made of the best that there is. */
#include "lammps_atoms.h"

#include "data/tables/elements.h"

#include <math.h>

void
debye_lammps_atoms_init(DebyeLammpsAtoms *atoms)
{
  *atoms = (DebyeLammpsAtoms){
      .atoms = g_array_new(FALSE, FALSE, sizeof(DebyeLammpsAtom)),
      .pool = debye_string_pool_new(),
  };
}

void
debye_lammps_atoms_clear(DebyeLammpsAtoms *atoms)
{
  g_clear_pointer(&atoms->atoms, g_array_unref);
  g_clear_pointer(&atoms->pool, debye_string_pool_unref);
}

static DebyeLammpsAtom *
get_atom(const DebyeLammpsAtoms *atoms, guint i)
{
  return &g_array_index(atoms->atoms, DebyeLammpsAtom, i);
}

DebyeLammpsIds *
debye_lammps_atoms_make_ids(const DebyeLammpsAtoms *atoms, gint64 *twice)
{
  guint n = atoms->atoms->len;
  g_autofree gint64 *ids = g_new(gint64, n);
  for (guint i = 0; i < n; i++)
    ids[i] = get_atom(atoms, i)->id;
  return debye_lammps_ids_new(ids, n, twice);
}

static int
compare_ids(gconstpointer left, gconstpointer right)
{
  const DebyeLammpsAtom *a = left, *b = right;
  return (a->id > b->id) - (a->id < b->id);
}

static void
sort_by_id(DebyeLammpsAtoms *atoms)
{
  guint i = 1;
  while (i < atoms->atoms->len && get_atom(atoms, i - 1)->id <= get_atom(atoms, i)->id)
    i++;
  if (atoms->has_ids && i < atoms->atoms->len)
    g_array_sort(atoms->atoms, compare_ids);
}

static void
take_molecules(DebyeLammpsAtoms *atoms)
{
  atoms->has_molecules |= atoms->molecules != NULL;
  for (guint i = 0; atoms->molecules != NULL && i < atoms->atoms->len; i++)
    get_atom(atoms, i)->molecule = atoms->molecules[i];
}

/* Model systems have masses of 1 in units of their own: taken for u they would all be hydrogen. */
static gboolean
are_masses_reduced(const DebyeLammpsAtoms *atoms)
{
  for (guint i = 0; i < atoms->atoms->len; i++)
    if (get_atom(atoms, i)->mass != 1.0F)
      return FALSE;
  return TRUE;
}

/* What the file calls the atom, else its type's label, else its element, else its type's number. */
static const char *
choose_name(const DebyeLammpsAtoms *atoms, const DebyeLammpsAtom *atom, double mass)
{
  const char *type = debye_string_pool_get(atoms->pool, atom->type);
  if (atom->element != 0)
    return debye_string_pool_get(atoms->pool, atom->element);
  if (atom->name != 0)
    return debye_string_pool_get(atoms->pool, atom->name);
  guint8 element = isnan(mass) || g_ascii_isalpha(type[0]) ? 0 : debye_element_from_mass(mass);
  return element != 0 ? debye_element_get(element)->symbol : type;
}

/* 0: unknown. */
static guint8
find_element(const DebyeLammpsAtoms *atoms, const DebyeLammpsAtom *atom, double mass_unit)
{
  if (atom->element != 0)
    return debye_element_from_symbol(debye_string_pool_get(atoms->pool, atom->element), -1);
  const double mass = (double)atom->mass * mass_unit;
  return isnan(mass) ? 0 : debye_element_from_mass(mass);
}

/* Whether a molecule of the file, of `n` atoms from `first` on, is one oxygen and two hydrogens, bonded to it if the file has
 * bonds: LAMMPS names no residue, and without a name nothing would know the water. */
static gboolean
is_water(const DebyeLammpsAtoms *atoms, guint first, guint n, double mass_unit)
{
  enum { HYDROGEN = 1, OXYGEN = 8, WATER_ATOMS = 3 };
  guint hydrogens = 0, oxygens = 0;
  if (get_atom(atoms, first)->molecule == 0) /* which stands for none */
    return FALSE;
  for (guint i = first; n == WATER_ATOMS && i < first + n; i++) {
    const guint8 element = find_element(atoms, get_atom(atoms, i), mass_unit);
    hydrogens += element == HYDROGEN;
    oxygens += element == OXYGEN && (atoms->n_bonds == NULL || atoms->n_bonds[i] == 2);
  }
  return hydrogens == 2 && oxygens == 1;
}

/* Atoms from `first` on that are of one molecule. */
static guint
count_in_molecule(const DebyeLammpsAtoms *atoms, guint first)
{
  guint n = 1;
  while (first + n < atoms->atoms->len &&
         get_atom(atoms, first + n)->molecule == get_atom(atoms, first)->molecule)
    n++;
  return n;
}

static void
add_atom(const DebyeLammpsAtoms *atoms, const DebyeLammpsAtom *from, const char *residue,
         const DebyeLammpsUnits *units, double mass, DebyeTopologyBuilder *builder)
{
  DebyeAtom atom = DEBYE_ATOM_INIT;
  atom.mass = mass;
  atom.charge = (double)from->charge * units->charge;
  atom.radius = from->radius >= 0.0F ? (double)from->radius * units->length : NAN;
  atom.name = choose_name(atoms, from, mass);
  atom.type = debye_string_pool_get(atoms->pool, from->type);
  atom.element = from->element != 0 ? debye_string_pool_get(atoms->pool, from->element) : NULL;
  if (atoms->has_ids && from->id > G_MININT32 && from->id <= G_MAXINT32)
    atom.serial = (gint32)from->id;
  if (atoms->has_molecules)
    debye_topology_builder_set_residue(builder, residue, -1, from->molecule, '\0', NULL, 0, NULL, 0);
  debye_topology_builder_add_atom(builder, &atom);
}

void
debye_lammps_atoms_build(DebyeLammpsAtoms *atoms, const DebyeLammpsUnits *units,
                         DebyeTopologyBuilder *builder)
{
  const DebyeLammpsUnits *assumed = units != NULL ? units : debye_lammps_units_get_default();
  double mass_unit = assumed->mass;
  if (units != NULL && isnan(units->mass)) {
    debye_topology_builder_warn(builder, "the units are reduced (lj): a length of 1 is shown as 1 Å, and "
                                         "masses, times and velocities are left out");
  } else if (units == NULL && are_masses_reduced(atoms)) {
    debye_topology_builder_warn(
        builder, "every mass is 1, as in reduced units: elements can't be derived from masses");
    mass_unit = NAN;
  }
  sort_by_id(atoms);
  take_molecules(atoms);
  debye_topology_builder_trust_residues(builder);
  for (guint first = 0, n; first < atoms->atoms->len; first += n) {
    n = count_in_molecule(atoms, first);
    const char *residue = atoms->has_molecules && is_water(atoms, first, n, mass_unit) ? "HOH" : "";
    for (guint i = first; i < first + n; i++) {
      const DebyeLammpsAtom *atom = get_atom(atoms, i);
      add_atom(atoms, atom, residue, assumed, (double)atom->mass * mass_unit, builder);
    }
  }
}
