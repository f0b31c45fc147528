/* SPDX-License-Identifier: MIT */
/* Distances, angles, dihedrals and hydrogen bonds of arrangements that are known by hand. */
#include "data/molecule/hydrogen_bonds.h"
#include "data/molecule/measure.h"

static const guint32 four[] = {0, 1, 2, 3};

static DebyeFrame *
make_frame(gsize n, const double places[][3])
{
  DebyeFrame *frame = debye_frame_new(n);
  for (gsize i = 0; i < n; i++)
    debye_frame_set_position(frame, i, debye_vec3(places[i][0], places[i][1], places[i][2]));
  return frame;
}

static double
measure(const DebyeFrame *frame, gsize n_atoms)
{
  DebyePeriodic periodic;
  debye_periodic_init_for_frame(&periodic, frame);
  return debye_measure(&periodic, frame, four, n_atoms);
}

static void
test_distance_and_angle(void)
{
  const double places[3][3] = {{3.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {-1.0, sqrt(3.0), 0.0}};
  g_autoptr(DebyeFrame) frame = make_frame(3, places);
  g_assert_cmpfloat_with_epsilon(measure(frame, 2), 3.0, 1e-6);
  g_assert_cmpfloat_with_epsilon(measure(frame, 3), 120.0, 1e-5);
  frame->y[2] = 0.0f;
  g_assert_cmpfloat_with_epsilon(measure(frame, 3), 180.0, 1e-6);
  frame->x[2] = frame->x[1];
  g_assert_true(isnan(measure(frame, 3)));
  g_assert_cmpfloat(measure(frame, 2), ==, 3.0);
}

/* Seen along the middle bond, the last atom stands `angle` clockwise of the first. */
static void
test_dihedral(void)
{
  for (int angle = -170; angle <= 180; angle += 10) {
    double a = angle * G_PI / 180.0;
    const double places[4][3] = {{1.0, 0.0, -0.3}, {0.0, 0.0, 0.0}, {0.0, 0.0, 1.5}, {cos(a), sin(a), 1.8}};
    g_autoptr(DebyeFrame) frame = make_frame(4, places);
    g_assert_cmpfloat_with_epsilon(measure(frame, 4), (double)angle, 1e-4);
  }
}

/* Through the walls of a skew cell everything is what it was within. */
static void
test_periodic(void)
{
  const double places[4][3] = {{0.2, 0.1, 0.3}, {1.4, 0.2, 0.1}, {1.9, 1.5, 0.4}, {3.1, 1.7, 1.2}};
  g_autoptr(DebyeFrame) frame = make_frame(4, places);
  const double distance = measure(frame, 2), angle = measure(frame, 3), dihedral = measure(frame, 4);
  frame->has_cell = TRUE;
  frame->cell = (DebyeCell){{12.0, 0.0, 0.0}, {4.0, 11.0, 0.0}, {-3.0, 2.0, 10.0}};
  for (gsize i = 0; i < 4; i++) {
    DebyeVec3 p = debye_frame_get_position(frame, i);
    p = debye_vec3_add(p, debye_vec3_scale(frame->cell.a, (double)i - 1.0));
    p = debye_vec3_add(p, debye_vec3_scale(frame->cell.b, i % 2 ? 2.0 : 0.0));
    debye_frame_set_position(frame, i, debye_vec3_add(p, debye_vec3_scale(frame->cell.c, -(double)i)));
  }
  /* Coordinates of 30 Å in single precision: 2e-6 Å. */
  g_assert_cmpfloat_with_epsilon(measure(frame, 2), distance, 1e-5);
  g_assert_cmpfloat_with_epsilon(measure(frame, 3), angle, 1e-3);
  g_assert_cmpfloat_with_epsilon(measure(frame, 4), dihedral, 1e-3);
}

/* --- Hydrogen bonds --- */

/* Waters, and the bonds within them. */
static DebyeTopology *
make_waters(gsize n, gboolean with_hydrogens)
{
  static const char *const names[] = {"O", "H1", "H2"}, *const elements[] = {"O", "H", "H"};
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  for (gsize w = 0; w < n; w++) {
    debye_topology_builder_set_residue(builder, "HOH", -1, (gint32)w + 1, 0, "", -1, "", -1);
    gint64 first = (gint64)debye_topology_builder_get_n_atoms(builder);
    for (int i = 0; i < (with_hydrogens ? 3 : 1); i++) {
      DebyeAtom atom = DEBYE_ATOM_INIT;
      atom.name = names[i];
      atom.element = elements[i];
      debye_topology_builder_add_atom(builder, &atom);
      if (i > 0)
        debye_topology_builder_add_bond(builder, first, first + i);
    }
  }
  return debye_topology_builder_finish(builder);
}

/* Two waters `distance` apart; the first points its hydrogen `tilt` degrees beside the second's oxygen, which
 * turns its own away. */
static DebyeFrame *
make_dimer(double distance, double tilt)
{
  double a = tilt * G_PI / 180.0;
  const double places[6][3] = {
      {0.0, 0.0, 0.0},      {0.96 * cos(a), 0.96 * sin(a), 0.0}, {-0.24, -0.93, 0.0},
      {distance, 0.0, 0.0}, {distance + 0.6, 0.0, 0.75},         {distance + 0.6, 0.0, -0.75}};
  return make_frame(6, places);
}

static guint
count(DebyeTopology *topology, const DebyeFrame *frame)
{
  g_autoptr(GArray) bonds = debye_hydrogen_bonds_find(topology, frame, NULL, 0, 3.5, 30.0);
  return bonds->len;
}

static void
test_dimer(void)
{
  g_autoptr(DebyeTopology) topology = make_waters(2, TRUE);
  static const struct {
    double distance, tilt;
    guint n;
  } cases[] = {{2.8, 0.0, 1},  {3.49, 0.0, 1}, {3.51, 0.0, 0},
               {2.8, 29.0, 1}, {2.8, 31.0, 0}, {2.8, 180.0, 0}};
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(DebyeFrame) frame = make_dimer(cases[i].distance, cases[i].tilt);
    g_assert_cmpuint(count(topology, frame), ==, cases[i].n);
  }
  g_autoptr(DebyeFrame) frame = make_dimer(2.8, 5.0);
  g_autoptr(GArray) bonds = debye_hydrogen_bonds_find(topology, frame, NULL, 0, 3.5, 30.0);
  const DebyeHydrogenBond *bond = &g_array_index(bonds, DebyeHydrogenBond, 0);
  g_assert_cmpuint(bond->donor, ==, 0);
  g_assert_cmpuint(bond->hydrogen, ==, 1);
  g_assert_cmpuint(bond->acceptor, ==, 3);
  g_assert_cmpfloat_with_epsilon(bond->to.x, 2.8, 1e-6);
  const guint32 first[] = {0, 1, 2};
  g_autoptr(GArray) alone = debye_hydrogen_bonds_find(topology, frame, first, 3, 3.5, 30.0);
  g_assert_cmpuint(alone->len, ==, 0);
}

/* Through the wall, to the image that is near. */
static void
test_dimer_in_cell(void)
{
  g_autoptr(DebyeTopology) topology = make_waters(2, TRUE);
  g_autoptr(DebyeFrame) frame = make_dimer(2.8, 0.0);
  frame->has_cell = TRUE;
  frame->cell = (DebyeCell){{20.0, 0.0, 0.0}, {0.0, 20.0, 0.0}, {0.0, 0.0, 20.0}};
  for (gsize i = 3; i < 6; i++)
    frame->x[i] -= 20.0f;
  g_autoptr(GArray) bonds = debye_hydrogen_bonds_find(topology, frame, NULL, 0, 3.5, 30.0);
  g_assert_cmpuint(bonds->len, ==, 1);
  g_assert_cmpfloat_with_epsilon(g_array_index(bonds, DebyeHydrogenBond, 0).to.x, 2.8, 1e-5);
  frame->has_cell = FALSE;
  g_assert_cmpuint(count(topology, frame), ==, 0);
}

/* A crystal structure's waters have no hydrogens: each pair counts once. */
static void
test_without_hydrogens(void)
{
  g_autoptr(DebyeTopology) topology = make_waters(3, FALSE);
  const double places[3][3] = {{0.0, 0.0, 0.0}, {2.9, 0.0, 0.0}, {9.0, 0.0, 0.0}};
  g_autoptr(DebyeFrame) frame = make_frame(3, places);
  g_autoptr(GArray) bonds = debye_hydrogen_bonds_find(topology, frame, NULL, 0, 3.5, 30.0);
  g_assert_cmpuint(bonds->len, ==, 1);
  g_assert_cmpuint(g_array_index(bonds, DebyeHydrogenBond, 0).hydrogen, ==, G_MAXUINT32);
  frame->x[1] = NAN;
  g_assert_cmpuint(count(topology, frame), ==, 0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/measure/distance-and-angle", test_distance_and_angle);
  g_test_add_func("/measure/dihedral", test_dihedral);
  g_test_add_func("/measure/periodic", test_periodic);
  g_test_add_func("/hydrogen-bonds/dimer", test_dimer);
  g_test_add_func("/hydrogen-bonds/dimer-in-cell", test_dimer_in_cell);
  g_test_add_func("/hydrogen-bonds/without-hydrogens", test_without_hydrogens);
  return g_test_run();
}
