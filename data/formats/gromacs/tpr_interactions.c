/* SPDX-License-Identifier: MIT */
/* Reads bonds and Lennard-Jones parameters from the interactions of a TPR file for tpr_system.c. The table of
 * interactions is in the order in which every version of GROMACS numbers them: a file has lists for those that
 * its version knew, and counts only these. Facts from GROMACS' ifunc and tpxio, 4.5 to 2026. */
#include "tpr_interactions.h"

#include "data/files/error.h"

#define VERSION_SETTLE_ALL_ATOMS 78

typedef enum {
  BONDS_NONE,
  BONDS_PAIR,   /* between the two atoms */
  BONDS_SETTLE, /* of the first atom to the other two */
  BONDS_SITE,   /* of the site to the first atom that it is made of; an n-body site has an entry for each */
} Bonds;

/* What a parameter set of the kind takes in the file. */
typedef struct {
  guint8 n_reals, n_ints;
} Size;

typedef struct {
  const char *name;
  gint32 since; /* the version that brought it; 0: older than any that is read */
  Size size;
  Bonds bonds;
  guint8 n_atoms;      /* with bonds */
  gint32 size_changed; /* before this version the size was: */
  Size old_size;
} Interaction;

static const Interaction interactions[] = {
    {.name = "bond", .size = {4, 0}, .bonds = BONDS_PAIR, .n_atoms = 2},
    {.name = "GROMOS-96 bond", .size = {4, 0}, .bonds = BONDS_PAIR, .n_atoms = 2},
    {.name = "Morse",
     .size = {6, 0},
     .bonds = BONDS_PAIR,
     .n_atoms = 2,
     .size_changed = 79,
     .old_size = {3, 0}},
    {.name = "cubic bond", .size = {3, 0}, .bonds = BONDS_PAIR, .n_atoms = 2},
    {.name = "connection", .bonds = BONDS_PAIR, .n_atoms = 2},
    {.name = "harmonic potential", .size = {4, 0}},
    {.name = "FENE bond", .size = {2, 0}, .bonds = BONDS_PAIR, .n_atoms = 2},
    {.name = "tabulated bond", .size = {2, 1}, .bonds = BONDS_PAIR, .n_atoms = 2},
    {.name = "tabulated potential", .size = {2, 1}},
    {.name = "distance restraint potential", .size = {8, 0}},
    {.name = "angle", .size = {4, 0}},
    {.name = "GROMOS-96 angle", .size = {4, 0}},
    {.name = "restricted angle", .since = 98, .size = {4, 0}, .size_changed = 134, .old_size = {2, 0}},
    {.name = "linear angle", .since = 76, .size = {4, 0}},
    {.name = "bond-bond", .size = {3, 0}},
    {.name = "bond-angle", .size = {4, 0}},
    {.name = "Urey-Bradley", .size = {8, 0}, .size_changed = 79, .old_size = {4, 0}},
    {.name = "quartic angle", .size = {6, 0}},
    {.name = "tabulated angle", .size = {2, 1}},
    {.name = "proper dihedral", .size = {4, 1}},
    {.name = "Ryckaert-Bellemans dihedral", .size = {12, 0}},
    {.name = "restricted dihedral", .since = 98, .size = {4, 0}, .size_changed = 134, .old_size = {2, 0}},
    {.name = "bending-torsion", .since = 98, .size = {12, 0}, .size_changed = 134, .old_size = {6, 0}},
    {.name = "Fourier dihedral", .size = {12, 0}},
    {.name = "improper dihedral", .size = {4, 0}},
    {.name = "periodic improper dihedral", .size = {4, 1}},
    {.name = "tabulated dihedral", .size = {2, 1}},
    {.name = "CMAP", .size = {0, 2}},
    {.name = "generalised Born 1-2", .size_changed = 113, .old_size = {5, 0}},
    {.name = "generalised Born 1-3", .size_changed = 113, .old_size = {5, 0}},
    {.name = "generalised Born 1-4", .size_changed = 113, .old_size = {5, 0}},
    {.name = "generalised Born polarization"},
    {.name = "nonpolar solvation"},
    {.name = "Lennard-Jones 1-4", .size = {4, 0}},
    {.name = "Coulomb 1-4"},
    {.name = "Lennard-Jones and Coulomb 1-4", .size = {5, 0}},
    {.name = "Lennard-Jones and Coulomb pair", .size = {4, 0}},
    {.name = "Lennard-Jones", .size = {2, 0}},
    {.name = "Buckingham", .size = {3, 0}},
    {.name = "Lennard-Jones, long range"},
    {.name = "Buckingham, long range"},
    {.name = "dispersion correction"},
    {.name = "Coulomb"},
    {.name = "Coulomb, long range"},
    {.name = "reaction field exclusion"},
    {.name = "Coulomb, reciprocal"},
    {.name = "Lennard-Jones, reciprocal", .since = 93},
    {.name = "dissipative particle dynamics"},
    {.name = "polarization", .size = {1, 0}, .bonds = BONDS_PAIR, .n_atoms = 2},
    {.name = "water polarization", .size = {6, 0}},
    {.name = "Thole polarization", .size = {3, 0}, .size_changed = 127, .old_size = {4, 0}},
    {.name = "anharmonic polarization", .since = 76, .size = {3, 0}, .bonds = BONDS_PAIR, .n_atoms = 2},
    {.name = "position restraint", .size = {12, 0}},
    {.name = "flat-bottomed position restraint", .since = 90, .size = {5, 1}},
    {.name = "distance restraint", .size = {4, 2}},
    {.name = "distance restraint violation"},
    {.name = "orientation restraint", .size = {3, 3}},
    {.name = "orientation restraint deviation"},
    {.name = "angle restraint", .size = {4, 1}},
    {.name = "angle restraint to z", .size = {4, 1}},
    {.name = "dihedral restraint", .size = {6, 0}, .size_changed = 82, .old_size = {3, 2}},
    {.name = "dihedral restraint violation"},
    {.name = "constraint", .size = {2, 0}, .bonds = BONDS_PAIR, .n_atoms = 2},
    {.name = "constraint without connection", .size = {2, 0}},
    {.name = "rigid water", .size = {2, 0}, .bonds = BONDS_SETTLE, .n_atoms = 3},
    {.name = "virtual site 1", .since = 121, .bonds = BONDS_SITE, .n_atoms = 2},
    {.name = "virtual site 2", .size = {1, 0}, .bonds = BONDS_SITE, .n_atoms = 3},
    {.name = "virtual site 2fd", .since = 118, .size = {1, 0}, .bonds = BONDS_SITE, .n_atoms = 3},
    {.name = "virtual site 3", .size = {2, 0}, .bonds = BONDS_SITE, .n_atoms = 4},
    {.name = "virtual site 3fd", .size = {2, 0}, .bonds = BONDS_SITE, .n_atoms = 4},
    {.name = "virtual site 3fad", .size = {2, 0}, .bonds = BONDS_SITE, .n_atoms = 4},
    {.name = "virtual site 3out", .size = {3, 0}, .bonds = BONDS_SITE, .n_atoms = 4},
    {.name = "virtual site 4fd", .size = {3, 0}, .bonds = BONDS_SITE, .n_atoms = 5},
    {.name = "virtual site 4fdn", .size = {3, 0}, .bonds = BONDS_SITE, .n_atoms = 5},
    {.name = "virtual site n", .size = {1, 1}, .bonds = BONDS_SITE, .n_atoms = 2},
    {.name = "centre-of-mass pulling"},
    {.name = "density fitting", .since = 117},
    {.name = "quantum energy"},
    {.name = "neural network potential", .since = 137},
    {.name = "potential energy"},
    {.name = "kinetic energy"},
    {.name = "total energy"},
    {.name = "conserved energy"},
    {.name = "temperature"},
    {.name = "virial temperature"},
    {.name = "dispersion correction of the pressure"},
    {.name = "pressure"},
    {.name = "dH/dλ of constraints"},
    {.name = "dV/dλ"},
    {.name = "dEkin/dλ"},
    {.name = "dV/dλ, Coulomb", .since = 79},
    {.name = "dV/dλ, van der Waals", .since = 79},
    {.name = "dV/dλ, bonded", .since = 79},
    {.name = "dV/dλ, restraints", .since = 79},
    {.name = "dV/dλ, temperature", .since = 79},
};

/* The kind that a file of this version counts as number `number`; NULL: none. */
static const Interaction *
find_interaction(gint32 version, gint32 number)
{
  for (gsize k = 0; number >= 0 && k < G_N_ELEMENTS(interactions); k++)
    if (version >= interactions[k].since && number-- == 0)
      return &interactions[k];
  return NULL;
}

/* Each type's parameters with itself are added to `types`, unless it is NULL. */
static void
read_set(DebyeTprCursor *cursor, gint32 number, GArray *types)
{
  const Interaction *kind = find_interaction(cursor->version, number);
  if (kind == NULL) {
    debye_tpr_cursor_fail(cursor, DEBYE_ERROR_SYNTAX, "expected a kind of interaction, found number %d",
                          number);
    return;
  }
  if (types != NULL && g_str_equal(kind->name, "Lennard-Jones")) {
    DebyeTprCoefficients coefficients = {.c6 = debye_tpr_cursor_read_real(cursor)};
    coefficients.c12 = debye_tpr_cursor_read_real(cursor);
    g_array_append_val(types, coefficients);
    return;
  }
  Size size = cursor->version < kind->size_changed ? kind->old_size : kind->size;
  debye_tpr_cursor_skip_ints(cursor, size.n_ints);
  debye_tpr_cursor_skip_reals(cursor, size.n_reals);
}

/* The number of atom types, the kind of each set, the repulsion's power (always a double) and the factor of
 * 1-4 charges, the sets. The first ones are those of each type with each. */
void
debye_tpr_read_parameters(DebyeTprCursor *cursor, GArray *types)
{
  gint32 n_signed = debye_tpr_cursor_read_int(cursor);
  guint64 n_types = (guint64)MAX(n_signed, 0);
  gsize n = debye_tpr_cursor_read_count(cursor, 4, "parameter sets");
  g_autofree gint32 *kinds = g_new(gint32, n + 1);
  for (gsize k = 0; k < n; k++)
    kinds[k] = debye_tpr_cursor_read_int(cursor);
  debye_tpr_cursor_skip(cursor, 1, sizeof(double));
  debye_tpr_cursor_skip_reals(cursor, 1);
  for (gsize k = 0; k < n && cursor->error == NULL; k++)
    read_set(cursor, kinds[k], k < n_types * n_types && k % (n_types + 1) == 0 ? types : NULL);
}

static void
add_bond(GArray *bonds, guint32 i, guint32 j)
{
  DebyeBond bond = {MIN(i, j), MAX(i, j)};
  if (i != j)
    g_array_append_val(bonds, bond);
}

/* The first entry is the parameter set, then come the atoms. Before version 78 only the oxygen of a rigid
 * water was named: its hydrogens follow it. */
static void
read_one(DebyeTprCursor *cursor, const Interaction *kind, gsize n_entries, gsize n_atoms, GArray *bonds)
{
  debye_tpr_cursor_skip_ints(cursor, 1);
  guint32 first = debye_tpr_cursor_read_index(cursor, n_atoms, "bonded atom");
  if (n_entries == 2 && (gsize)first + 2 < n_atoms) {
    add_bond(bonds, first, first + 1);
    add_bond(bonds, first, first + 2);
    return;
  }
  if (n_entries > 2)
    add_bond(bonds, first, debye_tpr_cursor_read_index(cursor, n_atoms, "bonded atom"));
  if (n_entries > 3 && kind->bonds == BONDS_SETTLE)
    add_bond(bonds, first, debye_tpr_cursor_read_index(cursor, n_atoms, "bonded atom"));
  else if (n_entries > 3)
    debye_tpr_cursor_skip_ints(cursor, n_entries - 3);
}

static void
read_list(DebyeTprCursor *cursor, const Interaction *kind, gsize n_atoms, GArray *bonds)
{
  gsize n = debye_tpr_cursor_read_count(cursor, 4, "interactions");
  guint64 end = cursor->at + 4 * (guint64)n;
  gsize n_entries = (gsize)kind->n_atoms + 1;
  if (kind->bonds == BONDS_SETTLE && cursor->version < VERSION_SETTLE_ALL_ATOMS)
    n_entries = 2;
  for (gsize k = 0; kind->bonds != BONDS_NONE && k + n_entries <= n && cursor->error == NULL; k += n_entries)
    read_one(cursor, kind, n_entries, n_atoms, bonds);
  if (cursor->error == NULL)
    cursor->at = end;
}

void
debye_tpr_read_bonds(DebyeTprCursor *cursor, gsize n_atoms, GArray *bonds)
{
  for (gsize k = 0; k < G_N_ELEMENTS(interactions) && cursor->error == NULL; k++)
    if (cursor->version >= interactions[k].since)
      read_list(cursor, &interactions[k], n_atoms, bonds);
}
