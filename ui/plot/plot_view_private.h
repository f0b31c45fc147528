/* SPDX-License-Identifier: MIT */
/* What the widget of a plot, plot_view.c, shares with its input, plot_view_input.c. */
#pragma once

#include "plot_view.h"
#include "render/gl/plot_gl.h"
#include "render/plot/plot_hover.h"
#include "render/plot/plot_navigation.h"

typedef enum {
  DEBYE_DRAG_NONE,
  DEBYE_DRAG_RECTANGLE,
  DEBYE_DRAG_PAN,
  DEBYE_DRAG_LEGEND,
  DEBYE_DRAG_RANGE,
} DebyePlotDrag;

struct _DebyePlotView {
  AdwBin parent_instance;

  GtkStack *stack; /* pages "gl" and "cairo" */
  GtkGLArea *gl_area;
  GtkDrawingArea *drawing_area;
  GtkWidget *menu;

  DebyePlot *plot;
  DebyePlotGl *gl;
  DebyePlotLayout *layout;            /* NULL: to be made when it is next drawn */
  double layout_width, layout_height; /* of the page it was made for */
  double text_size;                   /* points, of the largest texts; 0: as is usual */
  DebyePlotLegendPlace legend;        /* where it stays; no columns: to be chosen */
  gsize n_series;                     /* when it was chosen */

  gboolean has_no_gl; /* OpenGL can't draw it here */
  gboolean has_parts; /* an inset, or a plot below */
  DebyePlotHover hover;
  gboolean hover_by_key; /* the read-out stays where keys put it */
  guint hover_tick;
  double pointer_x, pointer_y; /* points of the page */

  DebyePlotDrag drag;
  guint drag_axes;
  gboolean has_moved;
  double drag_x, drag_y;           /* where the drag was last; of a rectangle, where it began */
  double legend_x, legend_y;       /* of the legend's corner from the pointer */
  double range_fixed, range_moved; /* ends of a range that is being moved, and the one … */
  double range_before;             /* … where it began */
  double pinch;
};

/* The layout of what is shown now; NULL without a plot or a size. */
DebyePlotLayout *debye_plot_view_get_layout(DebyePlotView *self);
void debye_plot_view_queue_draw(DebyePlotView *self);
/* It is laid out anew when it is drawn next. */
void debye_plot_view_forget_layout(DebyePlotView *self);
void debye_plot_view_reset(DebyePlotView *self);
void debye_plot_view_activate_at(DebyePlotView *self, double x, double y);
void debye_plot_view_tell_hover(DebyePlotView *self);
void debye_plot_view_tell_range(DebyePlotView *self);

void debye_plot_view_add_input(DebyePlotView *self);
void debye_plot_view_add_keys(GtkWidgetClass *class);
