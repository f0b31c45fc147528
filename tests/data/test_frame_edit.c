/* SPDX-License-Identifier: MIT */
/* What export does to frames: unwrapped, centred, wrapped, superposed, and together. */
#include "data/files/error.h"
#include "data/trajectory/frame_edit.h"
#include "data/molecule/periodic.h"
#include "data/molecule/superpose.h"
#include "small_system.h"

/* Two carbon monoxides in a box of 10 Å; the first is cut by the cell's face. */
static const int bonds[] = {0, 1, 2, 3, -1};
static const SmallAtom atoms[] = {
    {"CO1", 1, 0, "A", "", "C", "", "C", 12.011, 0},
    {"CO1", 1, 0, "A", "", "O", "", "O", 15.999, 0},
    {"CO2", 2, 0, "B", "", "C", "", "C", 12.011, 0},
    {"CO2", 2, 0, "B", "", "O", "", "O", 15.999, 0},
};

static DebyeFrame *
make_frame(void)
{
  double positions[][3] = {{9.5, 5, 5}, {0.5, 5, 5}, {3, 2, 2}, {3, 3, 2}};
  DebyeFrame *frame = small_frame_new(positions, 4);
  small_frame_set_cell(frame, debye_vec3(10, 0, 0), debye_vec3(0, 10, 0), debye_vec3(0, 0, 10));
  return frame;
}

static void
assert_position(const DebyeFrame *frame, gsize atom, double x, double y, double z)
{
  DebyeVec3 d = debye_vec3_subtract(debye_frame_get_position(frame, atom), debye_vec3(x, y, z));
  if (!(debye_vec3_length(d) < 1e-5))
    g_error("atom %zu: expected %g %g %g, found %g %g %g", atom, x, y, z, (double)frame->x[atom],
            (double)frame->y[atom], (double)frame->z[atom]);
}

static DebyeFrameEdit *
make_edit(DebyeFrameEditOptions options, const char *center, const char *superpose)
{
  g_autoptr(DebyeTopology) topology = small_topology_new(atoms, G_N_ELEMENTS(atoms), bonds);
  g_autoptr(DebyeSelection) center_selection = center ? debye_selection_parse(center, NULL, NULL) : NULL;
  g_autoptr(DebyeSelection) superpose_selection =
      superpose ? debye_selection_parse(superpose, NULL, NULL) : NULL;
  g_autoptr(GError) error = NULL;
  options.center = center_selection;
  options.superpose = superpose_selection;
  DebyeFrameEdit *edit = debye_frame_edit_new(topology, &options, &error);
  g_assert_no_error(error);
  return edit;
}

static void
test_nothing(void)
{
  g_autoptr(DebyeFrameEdit) edit = make_edit((DebyeFrameEditOptions){0}, NULL, NULL);
  g_autoptr(DebyeFrame) frame = make_frame();
  g_assert_true(debye_frame_edit_apply(edit, frame, NULL));
  assert_position(frame, 0, 9.5, 5, 5);
  assert_position(frame, 1, 0.5, 5, 5);
}

static void
test_wrap(void)
{
  g_autoptr(DebyeFrameEdit) edit = make_edit((DebyeFrameEditOptions){.wrap = TRUE}, NULL, NULL);
  g_autoptr(DebyeFrame) frame = make_frame();
  debye_frame_set_position(frame, 2, debye_vec3(23, -18, 2));
  debye_frame_set_position(frame, 3, debye_vec3(23, -17, 2));
  g_assert_true(debye_frame_edit_apply(edit, frame, NULL));
  /* Whole, on one side or the other. */
  g_assert_cmpfloat(fabs((double)frame->x[1] - (double)frame->x[0]), <, 1.1);
  assert_position(frame, 2, 3, 2, 2);
  assert_position(frame, 3, 3, 3, 2);
}

static void
test_center(void)
{
  g_autoptr(DebyeFrameEdit) edit =
      make_edit((DebyeFrameEditOptions){.wrap = TRUE}, "chain A and element C", NULL);
  g_autoptr(DebyeFrame) frame = make_frame();
  g_assert_true(debye_frame_edit_apply(edit, frame, NULL));
  assert_position(frame, 0, 5, 5, 5);
  assert_position(frame, 1, 6, 5, 5);
  assert_position(frame, 2, 8.5, 2, 2);
}

/* The centre of two molecules at both sides of a face is on the face, not in the middle of the cell. */
static void
test_center_across_face(void)
{
  g_autoptr(DebyeFrameEdit) edit = make_edit((DebyeFrameEditOptions){0}, "element C", NULL);
  g_autoptr(DebyeFrame) frame = make_frame();
  debye_frame_set_position(frame, 0, debye_vec3(1, 5, 5));
  debye_frame_set_position(frame, 1, debye_vec3(2, 5, 5));
  debye_frame_set_position(frame, 2, debye_vec3(9, 5, 5));
  debye_frame_set_position(frame, 3, debye_vec3(8, 5, 5));
  g_assert_true(debye_frame_edit_apply(edit, frame, NULL));
  assert_position(frame, 0, 6, 5, 5);
  assert_position(frame, 2, 14, 5, 5);
}

/* The oxygen goes beside its carbon, whatever is outside; nothing is moved into the cell. */
static void
test_whole(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTopology) topology = small_topology_new(atoms, 4, bonds);
  g_autoptr(DebyeFrame) frame = make_frame();
  DebyeFrameEditOptions options = {.whole = TRUE};
  g_autoptr(DebyeFrameEdit) edit = debye_frame_edit_new(topology, &options, &error);
  g_assert_no_error(error);
  debye_frame_set_position(frame, 2, debye_vec3(-3, 2, 2));
  g_assert_true(debye_frame_edit_apply(edit, frame, &error));
  assert_position(frame, 0, 9.5, 5, 5);
  assert_position(frame, 1, 10.5, 5, 5);
  assert_position(frame, 2, -3, 2, 2);
  assert_position(frame, 3, -7, 3, 2);
}

static void
test_unwrap(void)
{
  g_autoptr(DebyeFrameEdit) edit = make_edit((DebyeFrameEditOptions){.unwrap = TRUE}, NULL, NULL);
  for (int step = 0; step < 30; step++) {
    g_autoptr(DebyeFrame) frame = make_frame();
    double x = 5 + 0.7 * step;
    debye_frame_set_position(frame, 0, debye_vec3(fmod(x, 10), 5, 5));
    debye_frame_set_position(frame, 1, debye_vec3(fmod(x + 1, 10), 5, 5));
    g_assert_true(debye_frame_edit_apply(edit, frame, NULL));
    assert_position(frame, 0, x, 5, 5);
    assert_position(frame, 1, x + 1, 5, 5);
    assert_position(frame, 2, 3, 2, 2);
  }
}

/* Without bonds in the file the molecules are those of the first frame's distances. */
static void
test_guessed_molecules(void)
{
  g_autoptr(DebyeTopology) topology = small_topology_new(atoms, G_N_ELEMENTS(atoms), NULL);
  g_autoptr(DebyeFrameEdit) edit =
      debye_frame_edit_new(topology, &(DebyeFrameEditOptions){.wrap = TRUE}, NULL);
  g_autoptr(DebyeFrame) frame = make_frame();
  g_assert_true(debye_frame_edit_apply(edit, frame, NULL));
  g_assert_cmpfloat(fabs((double)frame->x[1] - (double)frame->x[0]), <, 1.1);
}

static void
test_superpose(void)
{
  g_autoptr(DebyeFrameEdit) edit = make_edit((DebyeFrameEditOptions){0}, NULL, "all");
  g_autoptr(DebyeFrame) first = make_frame();
  g_autoptr(DebyeFrame) second = make_frame();
  DebyeSuperposition quarter = {{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}, {0, 0, 0}, {1, 2, 3}};
  debye_superposition_apply(&quarter, second);
  g_assert_true(debye_frame_edit_apply(edit, first, NULL));
  g_assert_true(debye_frame_edit_apply(edit, second, NULL));
  for (gsize i = 0; i < 4; i++)
    assert_position(second, i, (double)first->x[i], (double)first->y[i], (double)first->z[i]);
  g_assert_cmpfloat_with_epsilon(second->cell.a.x, 10.0, 1e-5);
}

/* One oxygen moves away from a molecule at rest: by mass, and with all atoms alike, the best motion is that of
 * the plain fit with these weights. */
static void
test_weights(void)
{
  g_autoptr(DebyeTopology) topology = small_topology_new(atoms, 4, bonds);
  for (int by_mass = 0; by_mass < 2; by_mass++) {
    g_autoptr(DebyeFrameEdit) edit = make_edit((DebyeFrameEditOptions){.by_mass = by_mass}, NULL, "all");
    g_autoptr(DebyeFrame) first = make_frame();
    g_autoptr(DebyeFrame) second = make_frame();
    debye_frame_set_position(second, 3, debye_vec3(3, 6, 3));
    g_autoptr(DebyeFrame) expected = debye_frame_copy(second);
    DebyeSuperposition fit;
    g_assert_true(debye_superpose(expected, first, NULL, 0,
                                  by_mass ? debye_topology_get_masses(topology) : NULL, &fit, NULL, NULL));
    debye_superposition_apply(&fit, expected);
    g_assert_true(debye_frame_edit_apply(edit, first, NULL));
    g_assert_true(debye_frame_edit_apply(edit, second, NULL));
    for (gsize i = 0; i < 4; i++)
      assert_position(second, i, (double)expected->x[i], (double)expected->y[i], (double)expected->z[i]);
  }
}

/* A molecule that the cell cuts is put together to be superposed; the other one stays where it is in it. */
static void
test_gather(void)
{
  for (int gather = 0; gather < 2; gather++) {
    g_autoptr(DebyeFrameEdit) edit = make_edit((DebyeFrameEditOptions){.gather = gather}, NULL, "chain A");
    g_autoptr(DebyeFrame) first = make_frame();
    g_autoptr(DebyeFrame) second = make_frame();
    debye_frame_set_position(second, 0, debye_vec3(5, 9.5, 5));
    debye_frame_set_position(second, 1, debye_vec3(5, 0.5, 5));
    g_assert_true(debye_frame_edit_apply(edit, first, NULL));
    g_assert_true(debye_frame_edit_apply(edit, second, NULL));
    assert_position(first, 1, gather ? 10.5 : 0.5, 5, 5);
    assert_position(first, 2, 3, 2, 2);
    assert_position(second, 1, (double)first->x[1], (double)first->y[1], (double)first->z[1]);
  }
}

static void
test_reference(void)
{
  g_autoptr(DebyeFrame) reference = make_frame();
  for (gsize i = 0; i < 4; i++)
    reference->z[i] += 7;
  g_autoptr(DebyeFrameEdit) edit =
      make_edit((DebyeFrameEditOptions){.reference = reference}, NULL, "x < 1000");
  g_autoptr(DebyeFrame) frame = make_frame();
  g_assert_true(debye_frame_edit_apply(edit, frame, NULL));
  assert_position(frame, 0, 9.5, 5, 12);
}

static void
test_errors(void)
{
  g_autoptr(DebyeTopology) topology = small_topology_new(atoms, G_N_ELEMENTS(atoms), bonds);
  g_autoptr(DebyeSelection) none = debye_selection_parse("none", NULL, NULL);
  g_autoptr(DebyeSelection) far = debye_selection_parse("x > 1000", NULL, NULL);
  g_autoptr(DebyeFrame) small = debye_frame_new(1);
  g_autoptr(GError) error = NULL;
  g_assert_null(
      debye_frame_edit_new(topology, &(DebyeFrameEditOptions){.wrap = TRUE, .unwrap = TRUE}, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE);
  g_clear_error(&error);
  g_assert_null(debye_frame_edit_new(topology, &(DebyeFrameEditOptions){.center = none}, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_SELECTION);
  g_clear_error(&error);
  g_assert_null(debye_frame_edit_new(topology, &(DebyeFrameEditOptions){.reference = small}, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MISMATCH);
  g_clear_error(&error);
  const DebyeFrameEditOptions cases[] = {
      {.center = far}, {.superpose = far}, {.wrap = TRUE}, {.unwrap = TRUE}};
  const int codes[] = {DEBYE_ERROR_SELECTION, DEBYE_ERROR_SELECTION, DEBYE_ERROR_MISSING,
                       DEBYE_ERROR_MISSING};
  for (gsize k = 0; k < G_N_ELEMENTS(cases); k++) {
    g_autoptr(DebyeFrameEdit) edit = debye_frame_edit_new(topology, &cases[k], &error);
    g_autoptr(DebyeFrame) frame = make_frame();
    frame->has_cell = FALSE;
    g_assert_no_error(error);
    g_assert_false(debye_frame_edit_apply(edit, frame, &error));
    g_assert_error(error, DEBYE_ERROR, codes[k]);
    g_clear_error(&error);
    g_assert_false(debye_frame_edit_apply(edit, small, &error));
    g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MISMATCH);
    g_clear_error(&error);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/frame-edit/nothing", test_nothing);
  g_test_add_func("/frame-edit/wrap", test_wrap);
  g_test_add_func("/frame-edit/center", test_center);
  g_test_add_func("/frame-edit/center-across-face", test_center_across_face);
  g_test_add_func("/frame-edit/whole", test_whole);
  g_test_add_func("/frame-edit/unwrap", test_unwrap);
  g_test_add_func("/frame-edit/guessed-molecules", test_guessed_molecules);
  g_test_add_func("/frame-edit/superpose", test_superpose);
  g_test_add_func("/frame-edit/weights", test_weights);
  g_test_add_func("/frame-edit/gather", test_gather);
  g_test_add_func("/frame-edit/reference", test_reference);
  g_test_add_func("/frame-edit/errors", test_errors);
  return g_test_run();
}
