/* SPDX-License-Identifier: MIT */
/* Building a topology, what follows from its bonds, and its copies. */
#include "data/molecule/atom_name.h"
#include "data/molecule/topology.h"

static DebyeAtom
make_atom(const char *name)
{
  DebyeAtom atom = DEBYE_ATOM_INIT;
  atom.name = name;
  return atom;
}

static void
set_residue(DebyeTopologyBuilder *builder, const char *name, gint32 number)
{
  debye_topology_builder_set_residue(builder, name, -1, number, ' ', "A", 1, NULL, 0);
}

/* A water, a sodium ion, and a water with a massless site. */
static DebyeTopology *
make_waters(void)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  static const char *const names[] = {"OW", "HW1", "HW2"};
  static const double charges[] = {-0.8, 0.4, 0.4};
  for (int water = 0; water < 2; water++) {
    set_residue(builder, "SOL", water + 1);
    for (int i = 0; i < 3; i++) {
      DebyeAtom atom = make_atom(names[i]);
      atom.charge = charges[i];
      debye_topology_builder_add_atom(builder, &atom);
    }
    if (water == 0) {
      set_residue(builder, "NA", 100);
      DebyeAtom sodium = make_atom("NA");
      sodium.charge = 1.0;
      debye_topology_builder_add_atom(builder, &sodium);
    }
  }
  DebyeAtom site = make_atom("MW");
  site.mass = 0.0;
  site.charge = 0.0;
  debye_topology_builder_add_atom(builder, &site);
  debye_topology_builder_add_bond(builder, 6, 4);
  debye_topology_builder_add_bond(builder, 4, 5);
  debye_topology_builder_add_bond(builder, 0, 1);
  debye_topology_builder_add_bond(builder, 1, 0);
  debye_topology_builder_add_bond(builder, 0, 2);
  return debye_topology_builder_finish(builder);
}

static void
test_columns(void)
{
  g_autoptr(DebyeTopology) topology = make_waters();
  static const guint8 elements[] = {8, 1, 1, 11, 8, 1, 1, 0};
  static const guint32 residues[] = {0, 0, 0, 1, 2, 2, 2, 2};
  g_assert_cmpuint(debye_topology_get_n_atoms(topology), ==, 8);
  g_assert_cmpuint(debye_topology_get_n_residues(topology), ==, 3);
  g_assert_cmpmem(debye_topology_get_elements(topology), 8, elements, 8);
  g_assert_cmpmem(debye_topology_get_residues(topology), sizeof residues, residues, sizeof residues);
  g_assert_cmpfloat_with_epsilon(debye_topology_get_total_charge(topology), 1.0, 1e-6);
  g_assert_cmpfloat(debye_topology_get_masses(topology)[0], ==, 15.999F);
  g_assert_cmpfloat(debye_topology_get_masses(topology)[7], ==, 0.0F);
  g_assert_cmpuint(debye_topology_get_element_sources(topology)[0], ==, DEBYE_ELEMENT_FROM_NAME);
  g_assert_cmpuint(debye_topology_get_element_sources(topology)[7], ==, DEBYE_ELEMENT_FROM_MASS);
  g_assert_null(debye_topology_get_radii(topology));
  g_assert_null(debye_topology_get_serials(topology));
  const DebyeResidue *table = debye_topology_get_residue_table(topology);
  g_assert_cmpuint(table[2].first_atom, ==, 4);
  g_assert_cmpuint(table[2].n_atoms, ==, 4);
  g_assert_cmpint(table[1].number, ==, 100);
}

static void
test_bonds(void)
{
  g_autoptr(DebyeTopology) topology = make_waters();
  static const DebyeBond expected[] = {{0, 1}, {0, 2}, {4, 5}, {4, 6}};
  static const guint32 molecules[] = {0, 0, 0, 1, 2, 2, 2, 3};
  gsize n_bonds, n_molecules;
  const DebyeBond *bonds = debye_topology_get_bonds(topology, &n_bonds);
  g_assert_cmpmem(bonds, n_bonds * sizeof(DebyeBond), expected, sizeof expected);
  const guint32 *found = debye_topology_get_molecules(topology, &n_molecules);
  g_assert_cmpuint(n_molecules, ==, 4);
  g_assert_cmpmem(found, sizeof molecules, molecules, sizeof molecules);

  const guint32 *offsets, *partners;
  debye_topology_get_bond_graph(topology, &offsets, &partners);
  g_assert_cmpuint(offsets[8], ==, 8);
  g_assert_cmpuint(offsets[5] - offsets[4], ==, 2);
  g_assert_cmpuint(partners[offsets[4]], ==, 5);
  g_assert_cmpuint(partners[offsets[5]], ==, 4);
}

static void
test_bad_bonds(void)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  DebyeAtom atom = make_atom("C");
  debye_topology_builder_add_atom(builder, &atom);
  debye_topology_builder_add_bond(builder, 0, 1);
  debye_topology_builder_add_bond(builder, -1, 0);
  debye_topology_builder_add_bond(builder, 0, 0);
  g_autoptr(DebyeTopology) topology = debye_topology_builder_finish(builder);
  gsize n_bonds;
  debye_topology_get_bonds(topology, &n_bonds);
  g_assert_cmpuint(n_bonds, ==, 0);
  g_assert_cmpstr(debye_topology_get_warnings(topology)[0], ==,
                  "2 bonds refer to atoms that do not exist and are ignored");
  g_assert_cmpuint(debye_topology_builder_get_n_atoms(builder), ==, 0);
}

/* Atoms of residues that stand apart: "N CA", another residue, "C O". */
typedef struct {
  gint32 number;
  const char *name;
  const char *altloc;
} Piece;

static DebyeTopology *
make_pieces(const Piece *pieces, gsize n, gboolean trust)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  if (trust)
    debye_topology_builder_trust_residues(builder);
  for (gsize i = 0; i < n; i++) {
    DebyeAtom atom = make_atom(pieces[i].name);
    atom.altloc = pieces[i].altloc;
    set_residue(builder, "GLY", pieces[i].number);
    debye_topology_builder_add_atom(builder, &atom);
  }
  return debye_topology_builder_finish(builder);
}

static void
assert_residues(const Piece *pieces, gsize n, gboolean trust, const guint32 *expected, gsize n_residues)
{
  g_autoptr(DebyeTopology) topology = make_pieces(pieces, n, trust);
  g_assert_cmpuint(debye_topology_get_n_residues(topology), ==, n_residues);
  g_assert_cmpmem(debye_topology_get_residues(topology), n * sizeof(guint32), expected, n * sizeof(guint32));
}

static void
test_residues_that_stand_apart(void)
{
  static const Piece hydrogens_last[] = {{1, "N", NULL},  {1, "CA", NULL}, {2, "N", NULL},
                                         {2, "CA", NULL}, {1, "HN", NULL}, {1, "HA", NULL},
                                         {2, "HN", NULL}, {3, "N", NULL},  {1, "O", NULL}};
  static const guint32 joined[] = {0, 0, 1, 1, 0, 0, 1, 2, 0};
  /* Numbers that began again: the same names in each. */
  static const Piece began_again[] = {{1, "OW", NULL}, {1, "HW", NULL}, {2, "OW", NULL}, {2, "HW", NULL},
                                      {1, "OW", NULL}, {1, "HW", NULL}, {2, "HW", NULL}, {2, "OW", NULL}};
  static const guint32 apart[] = {0, 0, 1, 1, 2, 2, 3, 3};
  static const guint32 trusted[] = {0, 0, 1, 1, 0, 0, 1, 1};
  static const Piece locations[] = {{1, "CA", "A"}, {2, "CA", "A"}, {1, "CA", "B"}, {2, "CA", "B"}};
  static const guint32 both[] = {0, 1, 0, 1};
  assert_residues(hydrogens_last, G_N_ELEMENTS(hydrogens_last), FALSE, joined, 3);
  assert_residues(began_again, G_N_ELEMENTS(began_again), FALSE, apart, 4);
  assert_residues(began_again, G_N_ELEMENTS(began_again), TRUE, trusted, 2);
  assert_residues(locations, G_N_ELEMENTS(locations), FALSE, both, 2);
  /* The table describes first runs, of a part of the atoms, too. */
  g_autoptr(DebyeTopology) topology = make_pieces(hydrogens_last, G_N_ELEMENTS(hydrogens_last), FALSE);
  static const guint32 atoms[] = {1, 2, 4, 5};
  g_autoptr(DebyeTopology) part = debye_topology_subset(topology, atoms, G_N_ELEMENTS(atoms));
  g_assert_cmpuint(debye_topology_get_residue_table(topology)[0].n_atoms, ==, 2);
  g_assert_cmpuint(debye_topology_get_residue_table(topology)[2].first_atom, ==, 7);
  g_assert_cmpuint(debye_topology_get_n_residues(part), ==, 2);
  g_assert_cmpuint(debye_topology_get_residue_table(part)[0].n_atoms, ==, 1);
}

/* A format that says itself where residues begin is believed. */
static void
test_stated_residues_stay_apart(void)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  static const gint32 numbers[] = {1, 2, 1};
  static const char *const names[] = {"N", "CA", "C"};
  for (int i = 0; i < 3; i++) {
    DebyeAtom atom = make_atom(names[i]);
    set_residue(builder, "GLY", numbers[i]);
    debye_topology_builder_new_residue(builder);
    debye_topology_builder_add_atom(builder, &atom);
  }
  g_autoptr(DebyeTopology) topology = debye_topology_builder_finish(builder);
  g_assert_cmpuint(debye_topology_get_n_residues(topology), ==, 3);
}

/* A column begins at the first atom that has a value. */
static void
test_late_column(void)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  for (int i = 0; i < 3; i++) {
    DebyeAtom atom = make_atom("C");
    atom.charge = i == 1 ? 0.5 : NAN;
    atom.serial = i == 2 ? 7 : G_MININT32;
    debye_topology_builder_add_atom(builder, &atom);
  }
  g_autoptr(DebyeTopology) topology = debye_topology_builder_finish(builder);
  static const float charges[] = {0.0F, 0.5F, 0.0F};
  static const gint32 serials[] = {0, 0, 7};
  g_assert_cmpmem(debye_topology_get_charges(topology), sizeof charges, charges, sizeof charges);
  g_assert_cmpmem(debye_topology_get_serials(topology), sizeof serials, serials, sizeof serials);
  g_assert_cmpstr(debye_topology_get_warnings(topology)[0], ==, "2 atoms have no charge: assuming 0");
}

static guint8
decide(const char *element, double mass, const char *type, const char *name, const char *residue)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  DebyeAtom atom = make_atom(name);
  atom.element = element;
  atom.type = type;
  atom.mass = mass;
  set_residue(builder, residue, 1);
  debye_topology_builder_add_atom(builder, &atom);
  g_autoptr(DebyeTopology) topology = debye_topology_builder_finish(builder);
  return debye_topology_get_elements(topology)[0];
}

static void
test_order_of_decision(void)
{
  g_assert_cmpuint(decide("Ca", 12.011, "CT1", "CA", "ALA"), ==, 20);
  g_assert_cmpuint(decide(NULL, 40.08, "CT1", "CA", "ALA"), ==, 20);
  g_assert_cmpuint(decide(NULL, NAN, "NH1", "CA", "ALA"), ==, 7);
  g_assert_cmpuint(decide(NULL, NAN, "opls_1", "CA", "ALA"), ==, 6);
  g_assert_cmpuint(decide("??", NAN, NULL, "CA", "ALA"), ==, 6);
  /* A nitrogen that gave mass to its hydrogen, and an oxygen with a Drude particle. */
  g_assert_cmpuint(decide(NULL, 11.991, NULL, "N", "ALA"), ==, 7);
  g_assert_cmpuint(decide(NULL, 15.599, "OD31A", "O5'", "CYT"), ==, 8);
  /* A bead and a Drude particle are no elements, whatever they are called. */
  g_assert_cmpuint(decide(NULL, 72.0, NULL, "NC3", "DOPC"), ==, 0);
  g_assert_cmpuint(decide(NULL, 0.4, "DRUD", "DO5'", "CYT"), ==, 0);
}

static void
test_subset(void)
{
  g_autoptr(DebyeTopology) topology = make_waters();
  static const guint32 atoms[] = {1, 4, 6, 7};
  static const guint32 residues[] = {0, 1, 1, 1};
  static const DebyeBond expected[] = {{1, 2}};
  g_autoptr(DebyeTopology) part = debye_topology_subset(topology, atoms, G_N_ELEMENTS(atoms));
  gsize n_bonds, n_molecules;
  const DebyeBond *bonds = debye_topology_get_bonds(part, &n_bonds);
  g_assert_cmpmem(bonds, n_bonds * sizeof(DebyeBond), expected, sizeof expected);
  debye_topology_get_molecules(part, &n_molecules);
  g_assert_cmpuint(n_molecules, ==, 3);
  g_assert_cmpmem(debye_topology_get_residues(part), sizeof residues, residues, sizeof residues);
  g_assert_cmpuint(debye_topology_get_n_residues(part), ==, 2);
  g_assert_cmpint(debye_topology_get_residue_table(part)[1].number, ==, 2);
  g_assert_cmpuint(debye_topology_get_residue_table(part)[1].n_atoms, ==, 3);
  g_assert_cmpfloat(debye_topology_get_charges(part)[1], ==, -0.8F);
}

static void
test_copies(void)
{
  g_autoptr(DebyeTopology) topology = make_waters();
  static const DebyeBond bonds[] = {{7, 4}, {0, 1}, {4, 7}};
  g_autoptr(DebyeTopology) other = debye_topology_with_bonds(topology, bonds, G_N_ELEMENTS(bonds));
  gsize n_bonds;
  const DebyeBond *found = debye_topology_get_bonds(other, &n_bonds);
  g_assert_cmpuint(n_bonds, ==, 2);
  g_assert_cmpuint(found[1].i, ==, 4);
  g_assert_cmpuint(found[1].j, ==, 7);
  g_assert_true(debye_topology_get_names(other) == debye_topology_get_names(topology));

  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  for (int i = 0; i < 8; i++) {
    DebyeAtom atom = make_atom("C");
    atom.radius = i;
    atom.charge = 100.0;
    debye_topology_builder_add_atom(builder, &atom);
  }
  g_autoptr(DebyeTopology) radii = debye_topology_builder_finish(builder);
  g_autoptr(DebyeTopology) complete = debye_topology_complete(topology, radii);
  g_assert_cmpfloat(debye_topology_get_radii(complete)[7], ==, 7.0F);
  g_assert_cmpfloat_with_epsilon(debye_topology_get_total_charge(complete), 1.0, 1e-6);
  debye_topology_get_bonds(complete, &n_bonds);
  g_assert_cmpuint(n_bonds, ==, 4);
}

static void
test_atom_names(void)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  static const struct {
    const char *name;
    char insertion_code;
  } residues[] = {{"SER", ' '}, {"SER", 'A'}, {"", ' '}};
  for (gsize i = 0; i < G_N_ELEMENTS(residues); i++) {
    DebyeAtom atom = make_atom("CA");
    debye_topology_builder_set_residue(builder, residues[i].name, -1, 52, residues[i].insertion_code, "A", 1,
                                       NULL, 0);
    debye_topology_builder_add_atom(builder, &atom);
  }
  g_autoptr(DebyeTopology) topology = debye_topology_builder_finish(builder);
  static const char *const expected[] = {"SER52 CA", "SER52A CA", "CA"};
  for (guint32 i = 0; i < G_N_ELEMENTS(expected); i++) {
    g_autofree char *name = debye_atom_name(topology, i);
    g_assert_cmpstr(name, ==, expected[i]);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/topology/columns", test_columns);
  g_test_add_func("/topology/atom-names", test_atom_names);
  g_test_add_func("/topology/bonds", test_bonds);
  g_test_add_func("/topology/bad-bonds", test_bad_bonds);
  g_test_add_func("/topology/residues-that-stand-apart", test_residues_that_stand_apart);
  g_test_add_func("/topology/stated-residues", test_stated_residues_stay_apart);
  g_test_add_func("/topology/late-column", test_late_column);
  g_test_add_func("/topology/order-of-decision", test_order_of_decision);
  g_test_add_func("/topology/subset", test_subset);
  g_test_add_func("/topology/copies", test_copies);
  return g_test_run();
}
