/* SPDX-License-Identifier: MIT */
/* What a drag and the wheel do to the view: as Debye does it, or as the hand has learnt it in another
 * program. The tables follow those programs' own manuals. */
#pragma once

#include <gtk/gtk.h>

typedef enum {
  DEBYE_MOUSE_NOTHING,
  DEBYE_MOUSE_ROTATE, /* about the horizontal and the upright axis */
  DEBYE_MOUSE_ROLL,   /* about the line of sight, by horizontal moves */
  DEBYE_MOUSE_PAN,
  DEBYE_MOUSE_ZOOM, /* by upright moves: down comes closer */
} DebyeMouseAct;

typedef struct {
  guint button; /* GDK_BUTTON_PRIMARY … */
  GdkModifierType modifiers;
  DebyeMouseAct act;
} DebyeMouseDrag;

typedef struct {
  const char *id; /* "debye", "vmd", "pymol", "chimerax": what is stored */
  const DebyeMouseDrag *drags;
  gsize n_drags;
} DebyeMouseHabit;

/* Of an unknown name Debye's own. */
const DebyeMouseHabit *debye_mouse_habit_find(const char *id);
/* Shift, Control and Alt count; a combination that is not in the table does what the button alone does. */
DebyeMouseAct debye_mouse_habit_get_act(const DebyeMouseHabit *habit, guint button,
                                        GdkModifierType modifiers);
