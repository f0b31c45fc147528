/* SPDX-License-Identifier: MIT */
/* Reads the molecules of a TPR file, each kind once, and builds the topology; called by format_tpr.c. */
#include "tpr_system.h"

#include <string.h>

#include "data/files/error.h"

#define VERSION_NO_IMPLICIT_SOLVENT 113
#define VERSION_INTERMOLECULAR 103
#define VERSION_EXCLUSION_GROUP 120
#define VERSION_NO_ATOM_TYPES 128
/* Temperature coupling, energy, acceleration, freezing …: groups of atoms for ten purposes. */
#define N_GROUP_KINDS 10
/* The most atoms a byte of the file may stand for, and the most bonds an atom: beyond it is no system but an
 * attack on memory. Without coordinates a kilobyte can describe a great box of water. */
#define ATOMS_A_BYTE 16
#define BONDS_AN_ATOM 32

/* GROMACS' kinds of particles. */
enum { PARTICLE_ATOM, PARTICLE_NUCLEUS, PARTICLE_SHELL, PARTICLE_BOND, PARTICLE_SITE };

typedef struct {
  double mass, charge;
  gint32 atomic_number; /* as DebyeAtom's */
  guint32 name, type;   /* texts */
  guint32 type_number;
  guint32 residue;
} Atom;

typedef struct {
  guint32 name;
  gint32 number;
  char insertion_code;
} Residue;

typedef struct {
  guint32 name;
  GArray *atoms, *residues, *bonds;
} Molecule;

typedef struct {
  guint32 molecule;
  gsize n_molecules;
} Block;

struct _DebyeTprSystem {
  GPtrArray *texts;     /* char *: all names, referred to by number */
  GPtrArray *molecules; /* Molecule */
  GArray *blocks;       /* Block */
  GArray *bonds;        /* between molecules, DebyeBond */
  GArray *types;        /* DebyeTprCoefficients */
  guint32 title;
  gsize n_atoms;
};

static void
molecule_free(gpointer data)
{
  Molecule *molecule = data;
  g_array_unref(molecule->atoms);
  g_array_unref(molecule->residues);
  g_array_unref(molecule->bonds);
  g_free(molecule);
}

static DebyeTprSystem *
system_new(gsize n_atoms)
{
  DebyeTprSystem *system = g_new0(DebyeTprSystem, 1);
  system->texts = g_ptr_array_new_with_free_func(g_free);
  system->molecules = g_ptr_array_new_with_free_func(molecule_free);
  system->blocks = g_array_new(FALSE, FALSE, sizeof(Block));
  system->bonds = g_array_new(FALSE, FALSE, sizeof(DebyeBond));
  system->types = g_array_new(FALSE, FALSE, sizeof(DebyeTprCoefficients));
  system->n_atoms = n_atoms;
  return system;
}

void
debye_tpr_system_free(DebyeTprSystem *system)
{
  g_ptr_array_unref(system->texts);
  g_ptr_array_unref(system->molecules);
  g_array_unref(system->blocks);
  g_array_unref(system->bonds);
  g_array_unref(system->types);
  g_free(system);
}

static gsize
get_n_atoms(const DebyeTprSystem *system, const Block *block)
{
  const Molecule *molecule = g_ptr_array_index(system->molecules, block->molecule);
  return molecule->atoms->len;
}

/* --- Reading --- */

static void
read_texts(DebyeTprCursor *cursor, DebyeTprSystem *system)
{
  gsize n = debye_tpr_cursor_read_count(cursor, 8, "names");
  for (gsize k = 0; k < n && cursor->error == NULL; k++) {
    char *text = debye_tpr_cursor_read_string(cursor);
    if (text != NULL)
      g_ptr_array_add(system->texts, text);
  }
}

static guint32
read_text(DebyeTprCursor *cursor, const DebyeTprSystem *system)
{
  return debye_tpr_cursor_read_index(cursor, system->texts->len, "name");
}

/* Mass and charge, those of a second state, the numbers of the type in both, the kind of particle, the residue, the
 * atomic number, which is 0 or below where the force field doesn't tell. A virtual site that has one stands
 * for an atom (rigid CO2 is made so), one without for none. */
static void
read_atom(DebyeTprCursor *cursor, gsize n_residues, Atom *atom)
{
  atom->mass = debye_tpr_cursor_read_real(cursor);
  atom->charge = debye_tpr_cursor_read_real(cursor);
  debye_tpr_cursor_skip_reals(cursor, 2);
  atom->type_number = debye_tpr_cursor_read_uint16(cursor);
  debye_tpr_cursor_skip_uint16(cursor, 1);
  gint32 particle = debye_tpr_cursor_read_int(cursor);
  atom->residue = debye_tpr_cursor_read_index(cursor, n_residues, "residue");
  atom->atomic_number = debye_tpr_cursor_read_int(cursor);
  if (atom->atomic_number <= 0)
    atom->atomic_number = particle == PARTICLE_SHELL || particle == PARTICLE_SITE ? 0 : -1;
}

static void
read_residue(DebyeTprCursor *cursor, const DebyeTprSystem *system, Residue *residue)
{
  residue->name = read_text(cursor, system);
  residue->number = debye_tpr_cursor_read_int(cursor);
  residue->insertion_code = (char)debye_tpr_cursor_read_byte(cursor);
}

static void
read_atoms(DebyeTprCursor *cursor, const DebyeTprSystem *system, Molecule *molecule)
{
  gsize atom_bytes = 4 * cursor->real_bytes + 12;
  gsize n_atoms = debye_tpr_cursor_read_count(cursor, atom_bytes, "atoms");
  gsize n_residues = debye_tpr_cursor_read_count(cursor, 9, "residues");
  g_array_set_size(molecule->atoms, (guint)n_atoms);
  g_array_set_size(molecule->residues, (guint)n_residues);
  Atom *atoms = (Atom *)(gpointer)molecule->atoms->data;
  for (gsize i = 0; i < n_atoms; i++)
    read_atom(cursor, n_residues, &atoms[i]);
  for (gsize i = 0; i < n_atoms; i++)
    atoms[i].name = read_text(cursor, system);
  for (gsize i = 0; i < n_atoms; i++)
    atoms[i].type = read_text(cursor, system);
  debye_tpr_cursor_skip_ints(cursor, n_atoms); /* types of the second state */
  for (gsize r = 0; r < n_residues; r++)
    read_residue(cursor, system, &g_array_index(molecule->residues, Residue, r));
}

static void
sort_bonds(GArray *bonds)
{
  gsize n = debye_topology_sort_bonds((DebyeBond *)(gpointer)bonds->data, bonds->len);
  g_array_set_size(bonds, (guint)n);
}

/* The atoms, the interactions, the charge groups, the exclusions. */
static void
read_molecule(DebyeTprCursor *cursor, DebyeTprSystem *system)
{
  Molecule *molecule = g_new0(Molecule, 1);
  molecule->atoms = g_array_new(FALSE, TRUE, sizeof(Atom));
  molecule->residues = g_array_new(FALSE, TRUE, sizeof(Residue));
  molecule->bonds = g_array_new(FALSE, FALSE, sizeof(DebyeBond));
  g_ptr_array_add(system->molecules, molecule);
  molecule->name = read_text(cursor, system);
  read_atoms(cursor, system, molecule);
  debye_tpr_read_bonds(cursor, molecule->atoms->len, molecule->bonds);
  sort_bonds(molecule->bonds);
  gsize n_groups = debye_tpr_cursor_read_count(cursor, 4, "charge groups");
  debye_tpr_cursor_skip_ints(cursor, n_groups + 1);
  gsize n_lists = debye_tpr_cursor_read_count(cursor, 4, "lists of exclusions");
  gsize n_exclusions = debye_tpr_cursor_read_count(cursor, 4, "exclusions");
  debye_tpr_cursor_skip_ints(cursor, n_lists + 1 + n_exclusions);
}

/* The molecule, how many, its number of atoms, and where they are held by position restraints. */
static void
read_block(DebyeTprCursor *cursor, DebyeTprSystem *system)
{
  Block block;
  block.molecule = debye_tpr_cursor_read_index(cursor, system->molecules->len, "kind of molecule");
  gint32 n_molecules = debye_tpr_cursor_read_int(cursor);
  gint32 n_atoms = debye_tpr_cursor_read_int(cursor);
  for (int state = 0; state < 2; state++)
    debye_tpr_cursor_skip_reals(cursor, 3 * (guint64)debye_tpr_cursor_read_count(cursor, 12, "restraints"));
  if (cursor->error != NULL)
    return;
  block.n_molecules = (gsize)MAX(n_molecules, 0);
  if (n_molecules < 0 || n_atoms < 0 || (gsize)n_atoms != get_n_atoms(system, &block))
    debye_tpr_cursor_fail(cursor, DEBYE_ERROR_SYNTAX,
                          "expected molecules of %" G_GSIZE_FORMAT " atoms, found %d of %d",
                          get_n_atoms(system, &block), n_molecules, n_atoms);
  else
    g_array_append_val(system->blocks, block);
}

/* Each block has fewer than 2³¹ molecules of fewer than 2³¹ atoms: no sum up to the number of atoms
 * overflows. */
static void
check_n_atoms(DebyeTprCursor *cursor, const DebyeTprSystem *system)
{
  guint64 sum = 0;
  for (guint b = 0; b < system->blocks->len && sum <= system->n_atoms; b++) {
    const Block *block = &g_array_index(system->blocks, Block, b);
    sum += (guint64)block->n_molecules * get_n_atoms(system, block);
  }
  if (sum != system->n_atoms)
    debye_tpr_cursor_fail(cursor, DEBYE_ERROR_SYNTAX,
                          "expected molecules with %" G_GSIZE_FORMAT " atoms together as at the beginning, "
                          "found %" G_GUINT64_FORMAT,
                          system->n_atoms, sum);
}

/* Each with numbers for its atoms: radius, volume, surface tension, the atomic number, and two of implicit
 * solvents. */
static void
skip_atom_types(DebyeTprCursor *cursor)
{
  gsize n = debye_tpr_cursor_read_count(cursor, 4, "atom types");
  if (cursor->version < VERSION_NO_IMPLICIT_SOLVENT)
    debye_tpr_cursor_skip_reals(cursor, 5 * (guint64)n);
  debye_tpr_cursor_skip_ints(cursor, n);
}

/* CMAP's grids: n × n points of four reals. */
static void
skip_grids(DebyeTprCursor *cursor)
{
  guint64 n_grids = debye_tpr_cursor_read_count(cursor, 1, "CMAP grids");
  guint64 n_steps = debye_tpr_cursor_read_count(cursor, 1, "CMAP steps");
  for (guint64 k = 0; k < n_grids && n_steps > 0 && cursor->error == NULL; k++)
    debye_tpr_cursor_skip_reals(cursor, 4 * n_steps * n_steps);
}

static void
skip_groups(DebyeTprCursor *cursor)
{
  /* One list of groups per purpose, then the names of all groups. */
  for (int k = 0; k <= N_GROUP_KINDS; k++)
    debye_tpr_cursor_skip_ints(cursor, debye_tpr_cursor_read_count(cursor, 4, "groups"));
  for (int k = 0; k < N_GROUP_KINDS; k++)
    debye_tpr_cursor_skip_bytes(cursor, debye_tpr_cursor_read_count(cursor, 1, "atoms in groups"));
  if (cursor->version >= VERSION_EXCLUSION_GROUP)
    debye_tpr_cursor_skip_ints(cursor, (guint64)debye_tpr_cursor_read_int64(cursor));
}

static void
read_all(DebyeTprCursor *cursor, DebyeTprSystem *system)
{
  read_texts(cursor, system);
  system->title = read_text(cursor, system);
  debye_tpr_read_parameters(cursor, system->types);
  gsize n_molecules = debye_tpr_cursor_read_count(cursor, 4, "kinds of molecules");
  for (gsize k = 0; k < n_molecules && cursor->error == NULL; k++)
    read_molecule(cursor, system);
  gsize n_blocks = debye_tpr_cursor_read_count(cursor, 20, "blocks of molecules");
  for (gsize k = 0; k < n_blocks && cursor->error == NULL; k++)
    read_block(cursor, system);
  debye_tpr_cursor_skip_ints(cursor, 1); /* the number of atoms once more */
  check_n_atoms(cursor, system);
  if (cursor->version >= VERSION_INTERMOLECULAR && debye_tpr_cursor_read_boolean(cursor))
    debye_tpr_read_bonds(cursor, system->n_atoms, system->bonds);
  if (cursor->version < VERSION_NO_ATOM_TYPES)
    skip_atom_types(cursor);
  skip_grids(cursor);
  skip_groups(cursor);
}

DebyeTprSystem *
debye_tpr_system_read(DebyeTprCursor *cursor, gsize n_atoms, GError **error)
{
  g_autoptr(DebyeTprSystem) system = system_new(n_atoms);
  if (n_atoms / ATOMS_A_BYTE > cursor->end)
    debye_tpr_cursor_fail(cursor, DEBYE_ERROR_LIMIT,
                          "expected at most %d atoms for each of the file's %" G_GUINT64_FORMAT
                          " bytes, found %" G_GSIZE_FORMAT " atoms",
                          ATOMS_A_BYTE, cursor->end, n_atoms);
  read_all(cursor, system);
  return debye_tpr_cursor_check(cursor, error) ? g_steal_pointer(&system) : NULL;
}

/* --- Building --- */

typedef struct {
  const DebyeTprSystem *system;
  DebyeTopologyBuilder *builder;
  gboolean renumbers; /* molecules of one residue */
  gint32 last_number; /* of residues */
} Build;

static const char *
get_text(const DebyeTprSystem *system, guint32 text)
{
  return g_ptr_array_index(system->texts, text);
}

/* The highest number among molecules of several residues. A single molecule keeps its numbers. */
static void
find_numbering(Build *build)
{
  guint64 n_molecules = 0;
  for (guint b = 0; b < build->system->blocks->len; b++)
    n_molecules += g_array_index(build->system->blocks, Block, b).n_molecules;
  build->renumbers = n_molecules != 1;
  for (guint m = 0; m < build->system->molecules->len; m++) {
    const Molecule *molecule = g_ptr_array_index(build->system->molecules, m);
    for (guint r = 0; r < molecule->residues->len && molecule->residues->len > 1; r++)
      build->last_number = MAX(build->last_number, g_array_index(molecule->residues, Residue, r).number);
  }
}

static const char *
find_chain(const char *molecule_name)
{
  static const char mark[] = "_chain_";
  const char *found = strstr(molecule_name, mark);
  return found != NULL ? found + strlen(mark) : "";
}

static void
open_residue(Build *build, const Molecule *molecule, const Residue *residue)
{
  const char *name = get_text(build->system, molecule->name);
  gint32 number = residue->number;
  if (build->renumbers && molecule->residues->len == 1)
    number = build->last_number = build->last_number < G_MAXINT32 ? build->last_number + 1 : 1;
  debye_topology_builder_set_residue(build->builder, get_text(build->system, residue->name), -1, number,
                                     residue->insertion_code, find_chain(name), -1, name, -1);
  debye_topology_builder_new_residue(build->builder);
}

static void
add_molecule(Build *build, const Molecule *molecule)
{
  gsize first = debye_topology_builder_get_n_atoms(build->builder);
  const Residue *last = NULL;
  for (guint i = 0; i < molecule->atoms->len; i++) {
    const Atom *from = &g_array_index(molecule->atoms, Atom, i);
    const Residue *residue = &g_array_index(molecule->residues, Residue, from->residue);
    DebyeAtom atom = DEBYE_ATOM_INIT;
    if (residue != last)
      open_residue(build, molecule, residue);
    last = residue;
    atom.name = get_text(build->system, from->name);
    atom.type = get_text(build->system, from->type);
    atom.mass = from->mass;
    atom.charge = from->charge;
    atom.atomic_number = from->atomic_number;
    debye_topology_builder_add_atom(build->builder, &atom);
  }
  for (guint b = 0; b < molecule->bonds->len; b++) {
    const DebyeBond *bond = &g_array_index(molecule->bonds, DebyeBond, b);
    debye_topology_builder_add_bond(build->builder, (gint64)(first + bond->i), (gint64)(first + bond->j));
  }
}

static gboolean
check_n_bonds(const DebyeTprSystem *system, DebyeInput *input, GError **error)
{
  guint64 n_bonds = system->bonds->len;
  guint64 most = debye_input_get_size(input) + BONDS_AN_ATOM * (guint64)system->n_atoms;
  for (guint b = 0; b < system->blocks->len && n_bonds <= most; b++) {
    const Block *block = &g_array_index(system->blocks, Block, b);
    const Molecule *molecule = g_ptr_array_index(system->molecules, block->molecule);
    n_bonds += block->n_molecules * (guint64)molecule->bonds->len;
  }
  if (n_bonds <= most)
    return TRUE;
  return debye_input_set_error(input, error, DEBYE_ERROR_LIMIT,
                               "expected at most %d bonds per atom, found %" G_GUINT64_FORMAT
                               " or more bonds for %" G_GSIZE_FORMAT " atoms",
                               BONDS_AN_ATOM, n_bonds, system->n_atoms);
}

gboolean
debye_tpr_system_build(const DebyeTprSystem *system, DebyeInput *input, DebyeTopologyBuilder *builder,
                       GError **error)
{
  Build build = {.system = system, .builder = builder};
  if (!check_n_bonds(system, input, error))
    return FALSE;
  debye_topology_builder_set_title(builder, get_text(system, system->title), -1);
  find_numbering(&build);
  for (guint b = 0; b < system->blocks->len; b++) {
    const Block *block = &g_array_index(system->blocks, Block, b);
    const Molecule *molecule = g_ptr_array_index(system->molecules, block->molecule);
    for (gsize k = 0; k < block->n_molecules && molecule->atoms->len > 0; k++)
      add_molecule(&build, molecule);
  }
  for (guint b = 0; b < system->bonds->len; b++) {
    const DebyeBond *bond = &g_array_index(system->bonds, DebyeBond, b);
    debye_topology_builder_add_bond(builder, bond->i, bond->j);
  }
  return TRUE;
}

/* --- The force field --- */

gboolean
debye_tpr_system_list_types(const DebyeTprSystem *system, DebyeInput *input, DebyeTprTypeFunc func,
                            gpointer data, GError **error)
{
  for (guint m = 0; m < system->molecules->len; m++) {
    const Molecule *molecule = g_ptr_array_index(system->molecules, m);
    for (guint i = 0; i < molecule->atoms->len; i++) {
      const Atom *atom = &g_array_index(molecule->atoms, Atom, i);
      if (atom->type_number >= system->types->len)
        return debye_input_set_error(
            input, error, DEBYE_ERROR_MISSING,
            "expected Lennard-Jones parameters of atom type “%s”, found none. The run may use another "
            "potential, such as Buckingham's",
            get_text(system, atom->type));
      func(get_text(system, atom->type),
           &g_array_index(system->types, DebyeTprCoefficients, atom->type_number), data);
    }
  }
  return TRUE;
}
