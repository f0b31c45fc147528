/* SPDX-License-Identifier: MIT */
/* Which atoms are the solute: by names, copies and bonds; and molecules that are put together to be superposed. */
#include "data/molecule/bonds.h"
#include "data/molecule/chain_residues.h"
#include "data/molecule/gather.h"
#include "data/molecule/solute.h"
#include "data/tables/residue_class.h"
#include "small_system.h"

/* The solute's atoms as a text of their indices. */
static char *
find_solute(const SmallAtom *atoms, gsize n_atoms, const int *bonds)
{
  g_autoptr(DebyeTopology) topology = small_topology_new(atoms, n_atoms, bonds);
  g_autofree guint8 *mask = debye_solute_find(topology);
  GString *text = g_string_new(NULL);
  for (gsize i = 0; i < n_atoms; i++)
    if (mask[i])
      g_string_append_printf(text, "%s%zu", text->len > 0 ? " " : "", i);
  return g_string_free(text, FALSE);
}

/* A protein with all that a crystal or a simulation has around it. */
static void
test_names(void)
{
  static const SmallAtom atoms[] = {
      {"ALA", 1, 0, "A", "", "CA", "", "C", 12.0, 0.0},  {"GLY", 2, 0, "A", "", "CA", "", "C", 12.0, 0.0},
      {"HEM", 3, 0, "A", "", "FE", "", "Fe", 55.8, 0.0}, {"HEM", 3, 0, "A", "", "NA", "", "N", 14.0, 0.0},
      {"ZN", 4, 0, "A", "", "ZN", "", "Zn", 65.4, 0.0},  {"CA", 5, 0, "A", "", "CA", "", "Ca", 40.1, 0.0},
      {"NA", 6, 0, "A", "", "NA", "", "Na", 23.0, 0.0},  {"CL", 7, 0, "A", "", "CL", "", "Cl", 35.5, 0.0},
      {"GOL", 8, 0, "A", "", "C1", "", "C", 12.0, 0.0},  {"GOL", 8, 0, "A", "", "O1", "", "O", 16.0, 0.0},
      {"SO4", 9, 0, "A", "", "S", "", "S", 32.1, 0.0},   {"SO4", 9, 0, "A", "", "O1", "", "O", 16.0, 0.0},
      {"POPC", 10, 0, "M", "", "P", "", "P", 31.0, 0.0}, {"POPC", 10, 0, "M", "", "C2", "", "C", 12.0, 0.0},
      {"HOH", 11, 0, "W", "", "O", "", "O", 16.0, 0.0},  {"DA", 12, 0, "B", "", "P", "", "P", 31.0, 0.0},
  };
  g_autofree char *found = find_solute(atoms, G_N_ELEMENTS(atoms), NULL);
  g_assert_cmpstr(found, ==, "0 1 2 3 4 5 15");
}

/* Without a polymer there is nothing to be bound to. */
static void
test_none(void)
{
  static const SmallAtom atoms[] = {
      {"HOH", 1, 0, "W", "", "O", "", "O", 16.0, 0.0},  {"HOH", 1, 0, "W", "", "H1", "", "H", 1.0, 0.0},
      {"NA", 2, 0, "A", "", "NA", "", "Na", 23.0, 0.0}, {"ZN", 3, 0, "A", "", "ZN", "", "Zn", 65.4, 0.0},
      {"LIG", 4, 0, "A", "", "C1", "", "C", 12.0, 0.0}, {"LIG", 4, 0, "A", "", "C2", "", "C", 12.0, 0.0},
      {"POPC", 5, 0, "M", "", "P", "", "P", 31.0, 0.0}, {"POPC", 5, 0, "M", "", "C2", "", "C", 12.0, 0.0},
      {"XXX", 6, 0, "A", "", "C1", "", "C", 12.0, 0.0}, {"XXX", 6, 0, "A", "", "C2", "", "C", 12.0, 0.0},
  };
  static const int bonds[] = {0, 1, 4, 5, 6, 7, 8, 9, -1};
  g_autofree char *found = find_solute(atoms, G_N_ELEMENTS(atoms), bonds);
  g_assert_cmpstr(found, ==, "");
}

/* Four copies of a ligand are bound, five beside one residue are a cosolvent; two Mg are counterions. */
static void
test_copies(void)
{
  for (int n_copies = 4; n_copies <= 5; n_copies++) {
    SmallAtom atoms[16] = {{"ALA", 1, 0, "A", "", "CA", "", "C", 12.0, 0.0}};
    int n = 1;
    for (int copy = 0; copy < n_copies; copy++)
      for (int atom = 0; atom < 2; atom++)
        atoms[n++] = (SmallAtom){"ATP", 2 + copy, 0, "L", "", atom ? "C1" : "C2", "", "C", 12.0, 0.0};
    for (int copy = 0; copy < 2; copy++)
      atoms[n++] = (SmallAtom){"MG", 20 + copy, 0, "I", "", "MG", "", "Mg", 24.3, 0.0};
    g_autofree char *found = find_solute(atoms, (gsize)n, NULL);
    g_assert_cmpstr(found, ==, n_copies == 4 ? "0 1 2 3 4 5 6 7 8" : "0");
  }
}

/* A polymer takes with it what it is bonded to, but no water; three bonded residues are a polymer. */
static void
test_bonds(void)
{
  static const SmallAtom atoms[] = {
      {"ASN", 1, 0, "A", "", "ND2", "", "N", 14.0, 0.0}, {"NAG", 2, 0, "A", "", "C1", "", "C", 12.0, 0.0},
      {"GOL", 3, 0, "A", "", "C1", "", "C", 12.0, 0.0},  {"CA", 4, 0, "A", "", "CA", "", "Ca", 40.1, 0.0},
      {"HOH", 5, 0, "W", "", "O", "", "O", 16.0, 0.0},   {"PE1", 6, 0, "P", "", "C1", "", "C", 12.0, 0.0},
      {"PE1", 6, 0, "P", "", "C2", "", "C", 12.0, 0.0},  {"PE2", 7, 0, "P", "", "C1", "", "C", 12.0, 0.0},
      {"PE2", 7, 0, "P", "", "C2", "", "C", 12.0, 0.0},  {"PE3", 8, 0, "P", "", "C1", "", "C", 12.0, 0.0},
      {"PE3", 8, 0, "P", "", "C2", "", "C", 12.0, 0.0},  {"NA", 9, 0, "A", "", "NA", "", "Na", 23.0, 0.0},
  };
  static const int bonds[] = {0, 1, 0, 2, 0, 3, 3, 4, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, -1};
  g_autofree char *found = find_solute(atoms, G_N_ELEMENTS(atoms), bonds);
  g_assert_cmpstr(found, ==, "0 1 2 3 5 6 7 8 9 10");
}

/* Residues of unknown names within a chain are of the polymer. A ligand at its end, one with a number of its own, one of
 * another chain and one without a backbone are not; nor are those of a file without chains, unless bonds say so. */
static void
test_in_chain(void)
{
  static const struct {
    const char *name, *chain;
    int number;
    const char *atoms[4];
    guint expected;
  } residues[] = {
      {"QQ1", "A", 1, {"N", "CA", "C", "O"}, 0},
      {"ALA", "A", 2, {"N", "CA", "C", "O"}, DEBYE_RESIDUE_PROTEIN},
      {"QQ2", "A", 3, {"N", "CA", "C", "O"}, DEBYE_RESIDUE_PROTEIN},
      {"QQ3", "A", 4, {"N", "CA", "C", "O"}, DEBYE_RESIDUE_PROTEIN},
      {"GLY", "A", 5, {"N", "CA", "C", "O"}, DEBYE_RESIDUE_PROTEIN},
      {"QQ4", "A", 6, {"N1", "C1", "C2", "O1"}, 0},
      {"GLY", "A", 7, {"N", "CA", "C", "O"}, DEBYE_RESIDUE_PROTEIN},
      {"SAM", "A", 8, {"N", "CA", "C", "O"}, 0},
      {"QQ5", "A", 301, {"N", "CA", "C", "O"}, 0},
      {"QQ6", "B", 302, {"N", "CA", "C", "O"}, 0},
      {"DA", "C", 1, {"C1'", "C3'", "C4'", "O3'"}, DEBYE_RESIDUE_NUCLEIC},
      {"QQ7", "C", 2, {"C1'", "C3'", "C4'", "O3'"}, DEBYE_RESIDUE_NUCLEIC},
      {"DG", "C", 3, {"C1'", "C3'", "C4'", "O3'"}, DEBYE_RESIDUE_NUCLEIC},
      {"QQ8", "C", 4, {"N", "CA", "C", "O"}, 0},
      {"DC", "C", 5, {"C1'", "C3'", "C4'", "O3'"}, DEBYE_RESIDUE_NUCLEIC},
      {"ATP", "C", 6, {"C1'", "C3'", "C4'", "O3'"}, 0},
      {"ALA", "", 1, {"N", "CA", "C", "O"}, DEBYE_RESIDUE_PROTEIN},
      {"SAM", "", 2, {"N", "CA", "C", "O"}, 0},
      {"ALA", "", 3, {"N", "CA", "C", "O"}, DEBYE_RESIDUE_PROTEIN},
      {"QQ9", "", 4, {"N", "CA", "C", "O"}, DEBYE_RESIDUE_PROTEIN},
      {"ALA", "", 5, {"N", "CA", "C", "O"}, DEBYE_RESIDUE_PROTEIN},
  };
  SmallAtom atoms[4 * G_N_ELEMENTS(residues)];
  for (gsize i = 0; i < G_N_ELEMENTS(atoms); i++)
    atoms[i] = (SmallAtom){.residue = residues[i / 4].name,
                           .number = residues[i / 4].number,
                           .chain = residues[i / 4].chain,
                           .segment = "",
                           .name = residues[i / 4].atoms[i % 4],
                           .type = "",
                           .element = "C",
                           .mass = 12.0};
  /* From C of the last but two to N behind it, and on to the last. */
  const guint32 end = G_N_ELEMENTS(atoms);
  const DebyeBond bonds[] = {{end - 10, end - 8}, {end - 6, end - 4}};
  g_autoptr(DebyeTopology) unbound = small_topology_new(atoms, G_N_ELEMENTS(atoms), NULL);
  g_autoptr(DebyeTopology) topology = debye_topology_with_bonds(unbound, bonds, G_N_ELEMENTS(bonds));
  g_autofree guint8 *classes = debye_chain_residues_classify(topology);
  for (gsize r = 0; r < G_N_ELEMENTS(residues); r++)
    if (classes[r] != residues[r].expected)
      g_error("%s: expected class %u, found %u", residues[r].name, residues[r].expected, classes[r]);
}

/* --- Molecules that are put together --- */

/* A row of atoms along x, from `begin` on 1.5 Å apart, wrapped into a cell of 20 Å. */
static DebyeFrame *
make_row(double begin, gsize n_atoms)
{
  double positions[16][3];
  for (gsize i = 0; i < n_atoms; i++) {
    positions[i][0] = fmod(begin + 1.5 * (double)i + 20.0, 20.0);
    positions[i][1] = positions[i][2] = 5.0;
  }
  DebyeFrame *frame = small_frame_new(positions, n_atoms);
  small_frame_set_cell(frame, debye_vec3(20, 0, 0), debye_vec3(0, 20, 0), debye_vec3(0, 0, 20));
  return frame;
}

/* Ten atoms leave 6.5 Å of the cell free wherever they lie, thirteen 2 Å. */
static void
test_spans(void)
{
  static const guint32 atoms[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  for (double begin = 0.0; begin < 20.0; begin += 3.7) {
    g_autoptr(DebyeFrame) frame = make_row(begin, 13);
    g_assert_false(debye_gather_spans_cell(atoms, 10, frame));
    g_assert_true(debye_gather_spans_cell(atoms, 13, frame));
    frame->has_cell = FALSE;
    g_assert_false(debye_gather_spans_cell(atoms, 13, frame));
  }
}

static double
distance(const DebyeFrame *frame, gsize a, gsize b)
{
  return debye_vec3_length(
      debye_vec3_subtract(debye_frame_get_position(frame, a), debye_frame_get_position(frame, b)));
}

/* Two chains of three atoms side by side in a cell of 20 Å, cut by its face at different places and turned:
 * every distance is the reference's again, and the first atom of the larger one stays. */
static void
test_gather(void)
{
  static const char *const elements[] = {"C", "C", "C", "C", "C", "C", "C"};
  static const DebyeBond pairs[] = {{0, 1}, {1, 2}, {2, 3}, {4, 5}, {5, 6}};
  double places[7][3] = {{0, 0, 0}, {1.5, 0, 0}, {3, 0, 0},    {3, 1.5, 0},
                         {0, 4, 1}, {1.5, 4, 1}, {1.5, 5.5, 1}};
  g_autoptr(DebyeFrame) known = small_frame_new(places, 7);
  g_autoptr(DebyeTopology) loose = small_topology_of_elements(elements, 7, FALSE);
  g_autoptr(DebyeTopology) topology = debye_topology_with_bonds(loose, pairs, G_N_ELEMENTS(pairs));
  g_autoptr(DebyeMolecules) molecules = debye_molecules_new(topology);
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(guint32));
  g_autoptr(DebyeFrame) reference = NULL;
  gsize n_molecules;
  for (guint32 i = 0; i < 7; i++)
    g_array_append_val(atoms, i);
  g_autoptr(DebyeGather) gather = NULL;
  for (int step = 0; step < 40; step++) {
    const double turn = 0.4 * step, c = cos(turn), s = sin(turn);
    g_autoptr(DebyeFrame) frame = debye_frame_copy(known);
    small_frame_set_cell(frame, debye_vec3(20, 0, 0), debye_vec3(0, 20, 0), debye_vec3(0, 0, 20));
    for (gsize i = 0; i < 7; i++) {
      const double x = c * places[i][0] - s * places[i][1] + 18.0 + 0.9 * step;
      const double y = s * places[i][0] + c * places[i][1] + 17.0 - 0.7 * step;
      debye_frame_set_position(
          frame, i, debye_vec3(x - 20.0 * floor(x / 20.0), y - 20.0 * floor(y / 20.0), places[i][2]));
    }
    const DebyeVec3 first = debye_frame_get_position(frame, 0);
    if (gather == NULL)
      gather = debye_gather_new(molecules, debye_topology_get_molecules(topology, &n_molecules), atoms, NULL,
                                frame);
    debye_gather_apply(gather, frame, reference);
    if (reference == NULL)
      reference = debye_frame_copy(frame);
    g_assert_cmpfloat(debye_vec3_length(debye_vec3_subtract(debye_frame_get_position(frame, 0), first)), ==,
                      0.0);
    /* One rounding of coordinates of up to 40 Å to single precision for each of the two. */
    for (gsize i = 0; i < 7; i++)
      for (gsize k = 0; k < i; k++)
        g_assert_cmpfloat_with_epsilon(distance(frame, i, k), distance(known, i, k), 2e-5);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/solute/names", test_names);
  g_test_add_func("/solute/none", test_none);
  g_test_add_func("/solute/copies", test_copies);
  g_test_add_func("/solute/bonds", test_bonds);
  g_test_add_func("/residues/in-chain", test_in_chain);
  g_test_add_func("/gather/spans", test_spans);
  g_test_add_func("/gather/two-chains", test_gather);
  return g_test_run();
}
