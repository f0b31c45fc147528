/* SPDX-License-Identifier: MIT */
/* What the widget of the molecule, view_3d.c, shares with its input, view_3d_input.c. */
#pragma once

#include "ui/widgets/mouse_habit.h"
#include "view_3d.h"

struct _DebyeView3d {
  AdwBin parent_instance;

  GtkStack *stack;
  GtkGLArea *area;
  GtkLabel *readout;
  AdwStatusPage *no_gl;

  DebyeScene *scene;
  DebyeTopology *topology;
  gboolean frame_pending; /* view_all was asked for before there was a size */
  DebyeCamera all;        /* what it showed last */
  gboolean playing;
  gboolean measuring;
  double press_x, press_y; /* where a click began */
  gboolean moving;
  guint settle_source;
  guint refine_source; /* 0: the picture is smooth, or moves */

  double pointer_x, pointer_y;
  guint hover_tick;
  gboolean dragging;
  double drag_x, drag_y; /* where the drag was last */
  double pinch;          /* the pinch gesture's last scale */
  const DebyeMouseHabit *habit;

  AdwAnimation *centring;
  vec3 centre_from, centre_to;
  float height_from, height_to; /* of the view, Å */
};

/* Of the picture, logical pixels; never 0. */
void debye_view_3d_get_size(DebyeView3d *self, double *width, double *height);
/* What is at the place (x, y) stays there. */
void debye_view_3d_zoom_at(DebyeView3d *self, double factor, double x, double y);
/* Moves there within a moment; `height` is that of the view then, Å. */
void debye_view_3d_move_to(DebyeView3d *self, DebyeVec3 point, float height);

void debye_view_3d_add_input(DebyeView3d *self);
