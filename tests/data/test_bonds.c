/* SPDX-License-Identifier: MIT */
/* Bonds from distances on molecules whose bonds are known. */
#include "data/molecule/bonds.h"
#include "data/molecule/periodic.h"
#include "small_system.h"

static char *
guess_as_text(DebyeTopology *topology, const DebyeFrame *frame)
{
  g_autoptr(GArray) bonds = debye_guess_bonds(topology, frame);
  GString *text = g_string_new(NULL);
  for (guint k = 0; k < bonds->len; k++) {
    DebyeBond bond = g_array_index(bonds, DebyeBond, k);
    g_string_append_printf(text, "%s%u-%u", k > 0 ? " " : "", bond.i, bond.j);
  }
  return g_string_free(text, FALSE);
}

static void
assert_bonds(const char *const *elements, double (*positions)[3], gsize n_atoms, gboolean alone,
             const char *expected)
{
  g_autoptr(DebyeTopology) topology = small_topology_of_elements(elements, n_atoms, alone);
  g_autoptr(DebyeFrame) frame = small_frame_new(positions, n_atoms);
  g_autofree char *found = guess_as_text(topology, frame);
  g_assert_cmpstr(found, ==, expected);
}

static void
test_ethane(void)
{
  const char *elements[] = {"C", "C", "H", "H", "H", "H", "H", "H"};
  double positions[][3] = {
      {0, 0, 0},        {1.54, 0, 0},       {-0.36, 1.03, 0},   {-0.36, -0.51, 0.89}, {-0.36, -0.51, -0.89},
      {1.90, -1.03, 0}, {1.90, 0.51, 0.89}, {1.90, 0.51, -0.89}};
  assert_bonds(elements, positions, 8, FALSE, "0-1 0-2 0-3 0-4 1-5 1-6 1-7");
}

/* Two waters with a hydrogen bond of 1.8 Å: no bond between them, none between hydrogens. */
static void
test_water(void)
{
  const char *elements[] = {"O", "H", "H", "O", "H", "H"};
  double positions[][3] = {{0, 0, 0},     {0.957, 0, 0},     {-0.24, 0.927, 0},
                           {2.757, 0, 0}, {3.2, 0.78, 0.35}, {3.2, -0.78, -0.35}};
  assert_bonds(elements, positions, 6, FALSE, "0-1 0-2 3-4 3-5");
}

static void
test_hydrogen_molecule(void)
{
  const char *elements[] = {"H", "H", "H"};
  double positions[][3] = {{0, 0, 0}, {0.74, 0, 0}, {1.5, 0, 0}};
  assert_bonds(elements, positions, 3, FALSE, "0-1");
}

static void
test_ions(void)
{
  const char *salt[] = {"Na", "Cl", "Zn", "S"};
  double positions[][3] = {{0, 0, 0}, {2.3, 0, 0}, {2.3, 2.3, 0}, {2.3, 2.3, 2.3}};
  assert_bonds(salt, positions, 4, TRUE, "");
  /* In one residue zinc is a centre that binds, sodium and calcium never are. */
  assert_bonds(salt, positions, 4, FALSE, "1-2 2-3");
  const char *calcium[] = {"Ca", "O", "X", "C", "He"};
  double near[][3] = {{0, 0, 0}, {2.2, 0, 0}, {2.2, 1, 0}, {2.2, 1.0, 1.0}, {2.2, 1, 1.7}};
  assert_bonds(calcium, near, 5, FALSE, "1-3");
}

/* Places for one atom that nearly coincide are not bonded to each other; each takes its own bonds. */
static void
test_alternate_locations(void)
{
  const char *elements[] = {"C", "O", "O"};
  double positions[][3] = {{0, 0, 0}, {1.23, 0, 0}, {1.2, 0.3, 0}};
  assert_bonds(elements, positions, 3, FALSE, "0-1 0-2");
}

static void
test_overlap_is_bounded(void)
{
  enum { N = 200 };
  const char *elements[N];
  double positions[N][3];
  for (int i = 0; i < N; i++) {
    elements[i] = i % 2 ? "H" : "C";
    positions[i][0] = 0.9 * (i % 6);
    positions[i][1] = 0.9 * (i / 6 % 6);
    positions[i][2] = 0.9 * (i / 36);
  }
  g_autoptr(DebyeTopology) topology = small_topology_of_elements(elements, N, FALSE);
  g_autoptr(DebyeFrame) frame = small_frame_new(positions, N);
  g_autoptr(GArray) bonds = debye_guess_bonds(topology, frame);
  guint count[N] = {0};
  for (guint k = 0; k < bonds->len; k++) {
    DebyeBond bond = g_array_index(bonds, DebyeBond, k);
    g_assert_cmpuint(bond.i, <, bond.j);
    count[bond.i]++;
    count[bond.j]++;
  }
  g_assert_cmpuint(bonds->len, >, 0);
  for (int i = 0; i < N; i++)
    g_assert_cmpuint(count[i], <=, i % 2 ? 1 : 4);
}

/* Across the cell's faces, each bond once, also where the cell is so small that several images are in range.
 */
static void
test_cell(void)
{
  const char *elements[] = {"C", "O"};
  double positions[][3] = {{0.3, 5, 5}, {9.5, 5, 5}};
  g_autoptr(DebyeTopology) topology = small_topology_of_elements(elements, 2, FALSE);
  g_autoptr(DebyeFrame) frame = small_frame_new(positions, 2);
  g_autofree char *open = guess_as_text(topology, frame);
  g_assert_cmpstr(open, ==, "");
  small_frame_set_cell(frame, debye_vec3(10, 0, 0), debye_vec3(30, 10, 0), debye_vec3(0, 0, 10));
  g_autofree char *periodic = guess_as_text(topology, frame);
  g_assert_cmpstr(periodic, ==, "0-1");
  const char *crystal[] = {"C", "C"};
  double diamond[][3] = {{0, 0, 0}, {0.89, 0.89, 0.89}};
  g_autoptr(DebyeTopology) primitive = small_topology_of_elements(crystal, 2, FALSE);
  g_autoptr(DebyeFrame) cell = small_frame_new(diamond, 2);
  small_frame_set_cell(cell, debye_vec3(0, 1.78, 1.78), debye_vec3(1.78, 0, 1.78), debye_vec3(1.78, 1.78, 0));
  g_autofree char *once = guess_as_text(primitive, cell);
  g_assert_cmpstr(once, ==, "0-1");
}

static void
test_not_finite_and_empty(void)
{
  const char *elements[] = {"C", "C", "C"};
  double positions[][3] = {{0, 0, 0}, {NAN, 0, 0}, {1.5, 0, 0}};
  assert_bonds(elements, positions, 3, FALSE, "0-2");
  assert_bonds(NULL, NULL, 0, FALSE, "");
}

static void
test_topology(void)
{
  const char *elements[] = {"O", "H", "H"};
  double positions[][3] = {{0, 0, 0}, {0.957, 0, 0}, {-0.24, 0.927, 0}};
  g_autoptr(DebyeTopology) bare = small_topology_of_elements(elements, 3, FALSE);
  g_autoptr(DebyeFrame) frame = small_frame_new(positions, 3);
  g_autoptr(DebyeTopology) bonded = debye_topology_with_guessed_bonds(bare, frame);
  gsize n_bonds, n_molecules;
  debye_topology_get_bonds(bonded, &n_bonds);
  debye_topology_get_molecules(bonded, &n_molecules);
  g_assert_cmpuint(n_bonds, ==, 2);
  g_assert_cmpuint(n_molecules, ==, 1);
  g_autoptr(DebyeTopology) same = debye_topology_with_guessed_bonds(bonded, frame);
  g_assert_true(same == bonded);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/bonds/ethane", test_ethane);
  g_test_add_func("/bonds/water", test_water);
  g_test_add_func("/bonds/hydrogen-molecule", test_hydrogen_molecule);
  g_test_add_func("/bonds/ions", test_ions);
  g_test_add_func("/bonds/alternate-locations", test_alternate_locations);
  g_test_add_func("/bonds/overlap-is-bounded", test_overlap_is_bounded);
  g_test_add_func("/bonds/cell", test_cell);
  g_test_add_func("/bonds/not-finite-and-empty", test_not_finite_and_empty);
  g_test_add_func("/bonds/topology", test_topology);
  return g_test_run();
}
