/* SPDX-License-Identifier: MIT */
/* Tables of what drags and the wheel do in Debye and in other programs; used by view_3d_input.c. */
#include "mouse_habit.h"

#define NONE ((GdkModifierType)0)

static const DebyeMouseDrag debye_drags[] = {
    {GDK_BUTTON_PRIMARY, NONE, DEBYE_MOUSE_ROTATE},
    {GDK_BUTTON_PRIMARY, GDK_SHIFT_MASK, DEBYE_MOUSE_PAN},
    {GDK_BUTTON_PRIMARY, GDK_CONTROL_MASK, DEBYE_MOUSE_ROLL},
    {GDK_BUTTON_MIDDLE, NONE, DEBYE_MOUSE_PAN},
    {GDK_BUTTON_SECONDARY, NONE, DEBYE_MOUSE_ZOOM},
};

/* VMD User's Guide, "Mouse modes": rotate mode turns about x and y by the left button, about the line of
 * sight by the others. Its modes for translating and scaling are here under Shift and Control. */
static const DebyeMouseDrag vmd_drags[] = {
    {GDK_BUTTON_PRIMARY, NONE, DEBYE_MOUSE_ROTATE},
    {GDK_BUTTON_PRIMARY, GDK_SHIFT_MASK, DEBYE_MOUSE_PAN},
    {GDK_BUTTON_PRIMARY, GDK_CONTROL_MASK, DEBYE_MOUSE_ZOOM},
    {GDK_BUTTON_MIDDLE, NONE, DEBYE_MOUSE_ROLL},
    {GDK_BUTTON_SECONDARY, NONE, DEBYE_MOUSE_ROLL},
};

/* PyMOL's three-button viewing: Rota, Move, MovZ. Its wheel moves the slab; here it zooms, and a clipping
 * plane cuts. */
static const DebyeMouseDrag pymol_drags[] = {
    {GDK_BUTTON_PRIMARY, NONE, DEBYE_MOUSE_ROTATE},
    {GDK_BUTTON_MIDDLE, NONE, DEBYE_MOUSE_PAN},
    {GDK_BUTTON_SECONDARY, NONE, DEBYE_MOUSE_ZOOM},
};

/* UCSF ChimeraX, defaults of its command mousemode: left rotates, middle and right translate, Control
 * selects. */
static const DebyeMouseDrag chimerax_drags[] = {
    {GDK_BUTTON_PRIMARY, NONE, DEBYE_MOUSE_ROTATE},
    {GDK_BUTTON_PRIMARY, GDK_CONTROL_MASK, DEBYE_MOUSE_NOTHING},
    {GDK_BUTTON_MIDDLE, NONE, DEBYE_MOUSE_PAN},
    {GDK_BUTTON_SECONDARY, NONE, DEBYE_MOUSE_PAN},
};

static const DebyeMouseHabit habits[] = {
    {.id = "debye", .drags = debye_drags, .n_drags = G_N_ELEMENTS(debye_drags)},
    {.id = "vmd", .drags = vmd_drags, .n_drags = G_N_ELEMENTS(vmd_drags)},
    {.id = "pymol", .drags = pymol_drags, .n_drags = G_N_ELEMENTS(pymol_drags)},
    {.id = "chimerax", .drags = chimerax_drags, .n_drags = G_N_ELEMENTS(chimerax_drags)},
};

const DebyeMouseHabit *
debye_mouse_habit_find(const char *id)
{
  for (gsize i = 0; i < G_N_ELEMENTS(habits); i++)
    if (g_strcmp0(habits[i].id, id) == 0)
      return &habits[i];
  return &habits[0];
}

static DebyeMouseAct
find_act(const DebyeMouseHabit *habit, guint button, GdkModifierType modifiers)
{
  for (gsize i = 0; i < habit->n_drags; i++)
    if (habit->drags[i].button == button && habit->drags[i].modifiers == modifiers)
      return habit->drags[i].act;
  return modifiers == NONE ? DEBYE_MOUSE_NOTHING : find_act(habit, button, NONE);
}

DebyeMouseAct
debye_mouse_habit_get_act(const DebyeMouseHabit *habit, guint button, GdkModifierType modifiers)
{
  return find_act(habit, button, modifiers & (GDK_SHIFT_MASK | GDK_CONTROL_MASK | GDK_ALT_MASK));
}
