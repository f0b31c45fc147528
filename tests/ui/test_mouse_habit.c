/* SPDX-License-Identifier: MIT */
/* Habits of the mouse, one test a program, and that the view does what the habit says. */
#include <adwaita.h>

#include "ui/widgets/mouse_habit.h"
#include "ui/scene/view_3d.h"

#define NONE ((GdkModifierType)0)
#define LEFT GDK_BUTTON_PRIMARY
#define MIDDLE GDK_BUTTON_MIDDLE
#define RIGHT GDK_BUTTON_SECONDARY

static void
assert_drags(const char *id, const DebyeMouseDrag *expected, gsize n_expected)
{
  const DebyeMouseHabit *habit = debye_mouse_habit_find(id);
  g_assert_cmpstr(habit->id, ==, id);
  for (gsize i = 0; i < n_expected; i++)
    g_assert_cmpint(debye_mouse_habit_get_act(habit, expected[i].button, expected[i].modifiers), ==,
                    expected[i].act);
}

static void
test_debye(void)
{
  const DebyeMouseDrag expected[] = {
      {LEFT, NONE, DEBYE_MOUSE_ROTATE},
      {LEFT, GDK_SHIFT_MASK, DEBYE_MOUSE_PAN},
      {LEFT, GDK_CONTROL_MASK, DEBYE_MOUSE_ROLL},
      {MIDDLE, NONE, DEBYE_MOUSE_PAN},
      {RIGHT, NONE, DEBYE_MOUSE_ZOOM},
  };
  assert_drags("debye", expected, G_N_ELEMENTS(expected));
}

static void
test_vmd(void)
{
  const DebyeMouseDrag expected[] = {
      {LEFT, NONE, DEBYE_MOUSE_ROTATE},
      {LEFT, GDK_SHIFT_MASK, DEBYE_MOUSE_PAN},
      {LEFT, GDK_CONTROL_MASK, DEBYE_MOUSE_ZOOM},
      {MIDDLE, NONE, DEBYE_MOUSE_ROLL},
      {RIGHT, NONE, DEBYE_MOUSE_ROLL},
  };
  assert_drags("vmd", expected, G_N_ELEMENTS(expected));
}

static void
test_pymol(void)
{
  const DebyeMouseDrag expected[] = {
      {LEFT, NONE, DEBYE_MOUSE_ROTATE}, {MIDDLE, NONE, DEBYE_MOUSE_PAN}, {RIGHT, NONE, DEBYE_MOUSE_ZOOM}};
  assert_drags("pymol", expected, G_N_ELEMENTS(expected));
}

static void
test_chimerax(void)
{
  const DebyeMouseDrag expected[] = {
      {LEFT, NONE, DEBYE_MOUSE_ROTATE},
      {LEFT, GDK_CONTROL_MASK, DEBYE_MOUSE_NOTHING},
      {MIDDLE, NONE, DEBYE_MOUSE_PAN},
      {RIGHT, NONE, DEBYE_MOUSE_PAN},
  };
  assert_drags("chimerax", expected, G_N_ELEMENTS(expected));
}

static void
test_others(void)
{
  const DebyeMouseHabit *habit = debye_mouse_habit_find("unknown");
  g_assert_cmpstr(habit->id, ==, "debye");
  g_assert_true(debye_mouse_habit_find(NULL) == habit);
  /* Locks and held buttons are in the state, too; a combination without a meaning is its button's. */
  g_assert_cmpint(debye_mouse_habit_get_act(habit, LEFT, GDK_LOCK_MASK | GDK_BUTTON1_MASK), ==,
                  DEBYE_MOUSE_ROTATE);
  g_assert_cmpint(debye_mouse_habit_get_act(habit, RIGHT, GDK_ALT_MASK), ==, DEBYE_MOUSE_ZOOM);
  g_assert_cmpint(debye_mouse_habit_get_act(habit, 8, NONE), ==, DEBYE_MOUSE_NOTHING);
}

static void
test_view(void)
{
  GtkWidget *view = g_object_ref_sink(g_object_new(DEBYE_TYPE_VIEW_3D, NULL));
  g_autofree char *habit = NULL, *unknown = NULL;
  g_object_set(view, "mouse", "vmd", NULL);
  g_object_get(view, "mouse", &habit, NULL);
  g_assert_cmpstr(habit, ==, "vmd");
  g_object_set(view, "mouse", "trackball", NULL);
  g_object_get(view, "mouse", &unknown, NULL);
  g_assert_cmpstr(unknown, ==, "debye");
  g_object_unref(view);
}

int
main(int argc, char **argv)
{
  gtk_test_init(&argc, &argv, NULL);
  adw_init();
  g_test_add_func("/mouse-habit/debye", test_debye);
  g_test_add_func("/mouse-habit/vmd", test_vmd);
  g_test_add_func("/mouse-habit/pymol", test_pymol);
  g_test_add_func("/mouse-habit/chimerax", test_chimerax);
  g_test_add_func("/mouse-habit/others", test_others);
  g_test_add_func("/mouse-habit/view", test_view);
  return g_test_run();
}
