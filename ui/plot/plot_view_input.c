/* SPDX-License-Identifier: MIT */
/* Pointer and keys of the plot's widget, plot_view.c: zoom, pan, selection and menus. */
#include <math.h>

#include "ui/widgets/menus.h"
#include "plot_view_private.h"

#define POINTS_PER_PIXEL 0.75
#define WHEEL_STEP 1.15
#define PAN_STEP 0.1   /* of the frame, a press of an arrow */
#define REACH 18.0     /* how far from the pointer a point is read out */
#define DRAG_START 3.0 /* below this a drag is a click */
#define END_REACH 4.5  /* how far from the pointer an end of a range is taken */

/* --- A range with ends that move --- */

/* The end that the pointer would take; FALSE: none. */
static gboolean
find_range_end(DebyePlotView *self, const DebyePlotLayout *layout, double x, double y, double *moved,
               double *fixed)
{
  double ends[2], best = END_REACH;
  gboolean is_near = FALSE;
  if (debye_plot_layout_get_axes_at(layout, x, y) != DEBYE_PLOT_ALL_AXES)
    return FALSE;
  const DebyePlotRangeFlags movable = debye_plot_get_movable_range(self->plot, &ends[0], &ends[1]);
  for (int end = 0; end < 2; end++) {
    if ((movable & (end == 0 ? DEBYE_PLOT_END_LOW : DEBYE_PLOT_END_HIGH)) == 0)
      continue;
    const double away = fabs(debye_plot_layout_get_place(layout, DEBYE_PLOT_X, ends[end]) - x);
    if (away > best)
      continue;
    best = away;
    *moved = ends[end];
    *fixed = ends[1 - end];
    is_near = TRUE;
  }
  return is_near;
}

/* The other end stays where it is: what is dragged beyond it is that one then. */
static void
move_range(DebyePlotView *self, const DebyePlotLayout *layout, double x)
{
  const DebyePlotRectangle frame = debye_plot_layout_get_frame(layout);
  self->range_moved =
      debye_plot_layout_get_value(layout, DEBYE_PLOT_X, CLAMP(x, frame.x, frame.x + frame.width));
  debye_plot_move_range(self->plot, self->range_fixed, self->range_moved);
}

/* --- The read-out --- */

static void
find_hover(DebyePlotView *self)
{
  DebyePlotLayout *layout = debye_plot_view_get_layout(self);
  gboolean is_free = self->drag == DEBYE_DRAG_NONE && layout != NULL;
  double moved, fixed;
  self->hover_by_key = FALSE;
  const gboolean is_at_end =
      is_free && find_range_end(self, layout, self->pointer_x, self->pointer_y, &moved, &fixed);
  gtk_widget_set_cursor_from_name(GTK_WIDGET(self), is_at_end ? "ew-resize" : NULL);
  self->hover.has_point =
      is_free &&
      debye_plot_layout_get_axes_at(layout, self->pointer_x, self->pointer_y) == DEBYE_PLOT_ALL_AXES &&
      debye_plot_layout_find_point(layout, self->pointer_x, self->pointer_y, REACH, &self->hover.point);
  debye_plot_view_tell_hover(self);
}

/* Once a frame at most, however fast the pointer reports. */
static gboolean
on_hover_tick(GtkWidget *widget, GdkFrameClock *clock G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED)
{
  DebyePlotView *self = DEBYE_PLOT_VIEW(widget);
  self->hover_tick = 0;
  find_hover(self);
  return G_SOURCE_REMOVE;
}

static void
on_motion(GtkEventControllerMotion *controller G_GNUC_UNUSED, double x, double y, DebyePlotView *self)
{
  double page_x = x * POINTS_PER_PIXEL, page_y = y * POINTS_PER_PIXEL;
  /* A pointer that lies still doesn't take the read-out back from the keys. */
  if (page_x == self->pointer_x && page_y == self->pointer_y)
    return;
  self->pointer_x = page_x;
  self->pointer_y = page_y;
  if (self->hover_tick == 0 && self->drag == DEBYE_DRAG_NONE)
    self->hover_tick = gtk_widget_add_tick_callback(GTK_WIDGET(self), on_hover_tick, NULL, NULL);
}

static void
on_leave(GtkEventControllerMotion *controller G_GNUC_UNUSED, DebyePlotView *self)
{
  if (self->hover_by_key)
    return;
  self->hover.has_point = FALSE;
  debye_plot_view_tell_hover(self);
}

/* --- Wheel and pinch --- */

static gboolean
on_scroll(GtkEventControllerScroll *controller G_GNUC_UNUSED, double dx G_GNUC_UNUSED, double dy,
          DebyePlotView *self)
{
  DebyePlotLayout *layout = debye_plot_view_get_layout(self);
  guint axes = layout != NULL ? debye_plot_layout_get_axes_at(layout, self->pointer_x, self->pointer_y) : 0;
  if (axes == 0)
    return FALSE;
  debye_plot_zoom(self->plot, layout, axes, self->pointer_x, self->pointer_y, pow(WHEEL_STEP, -dy));
  return TRUE;
}

static void
on_pinch_begin(GtkGesture *gesture G_GNUC_UNUSED, GdkEventSequence *sequence G_GNUC_UNUSED,
               DebyePlotView *self)
{
  self->pinch = 1.0;
}

static void
on_pinch(GtkGestureZoom *gesture, double scale, DebyePlotView *self)
{
  double x, y;
  DebyePlotLayout *layout = debye_plot_view_get_layout(self);
  if (layout == NULL || !gtk_gesture_get_bounding_box_center(GTK_GESTURE(gesture), &x, &y))
    return;
  debye_plot_zoom(self->plot, layout, DEBYE_PLOT_ALL_AXES, x * POINTS_PER_PIXEL, y * POINTS_PER_PIXEL,
                  scale / self->pinch);
  self->pinch = scale;
}

/* --- Drags --- */

static gboolean
wants_to_pan(GtkGestureDrag *gesture)
{
  guint button = gtk_gesture_single_get_current_button(GTK_GESTURE_SINGLE(gesture));
  GdkModifierType state = gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(gesture));
  return button == GDK_BUTTON_MIDDLE || (state & GDK_SHIFT_MASK) != 0;
}

static gboolean
is_in(const DebyePlotRectangle *box, double x, double y)
{
  return x >= box->x && x <= box->x + box->width && y >= box->y && y <= box->y + box->height;
}

static DebyePlotDrag
choose_drag(DebyePlotView *self, GtkGestureDrag *gesture, const DebyePlotLayout *layout, double x, double y)
{
  DebyePlotRectangle legend;
  self->drag_axes = debye_plot_layout_get_axes_at(layout, x, y);
  if (debye_plot_layout_get_legend(layout, &legend) && is_in(&legend, x, y)) {
    self->legend_x = x - legend.x;
    self->legend_y = y - legend.y;
    return DEBYE_DRAG_LEGEND;
  }
  if (self->drag_axes == 0)
    return DEBYE_DRAG_NONE;
  if (!wants_to_pan(gesture) && find_range_end(self, layout, x, y, &self->range_moved, &self->range_fixed)) {
    self->range_before = self->range_moved;
    return DEBYE_DRAG_RANGE;
  }
  /* Beside the frame there is nothing to draw a rectangle on: the axis is pulled. */
  return wants_to_pan(gesture) || self->drag_axes != DEBYE_PLOT_ALL_AXES ? DEBYE_DRAG_PAN
                                                                         : DEBYE_DRAG_RECTANGLE;
}

static void
on_drag_begin(GtkGestureDrag *gesture, double x, double y, DebyePlotView *self)
{
  DebyePlotLayout *layout = debye_plot_view_get_layout(self);
  guint button = gtk_gesture_single_get_current_button(GTK_GESTURE_SINGLE(gesture));
  gtk_widget_grab_focus(GTK_WIDGET(self));
  if (layout == NULL || button == GDK_BUTTON_SECONDARY) {
    gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_DENIED);
    return;
  }
  self->drag_x = x * POINTS_PER_PIXEL;
  self->drag_y = y * POINTS_PER_PIXEL;
  self->drag = choose_drag(self, gesture, layout, self->drag_x, self->drag_y);
  self->has_moved = FALSE;
}

static void
move_legend(DebyePlotView *self, const DebyePlotLayout *layout, double x, double y)
{
  DebyePlotRectangle frame = debye_plot_layout_get_frame(layout);
  debye_plot_set_legend_place(self->plot, (x - self->legend_x - frame.x) / frame.width,
                              (y - self->legend_y - frame.y) / frame.height);
}

static void
on_drag_update(GtkGestureDrag *gesture, double offset_x, double offset_y, DebyePlotView *self)
{
  double start_x, start_y;
  DebyePlotLayout *layout = debye_plot_view_get_layout(self);
  if (self->drag == DEBYE_DRAG_NONE || layout == NULL ||
      !gtk_gesture_drag_get_start_point(gesture, &start_x, &start_y))
    return;
  if (!self->has_moved && hypot(offset_x, offset_y) * POINTS_PER_PIXEL < DRAG_START)
    return;
  double x = (start_x + offset_x) * POINTS_PER_PIXEL, y = (start_y + offset_y) * POINTS_PER_PIXEL;
  self->has_moved = TRUE;
  self->hover.has_point = FALSE;
  if (self->drag == DEBYE_DRAG_RECTANGLE) {
    DebyePlotRectangle frame = debye_plot_layout_get_frame(layout);
    double end_x = CLAMP(x, frame.x, frame.x + frame.width),
           end_y = CLAMP(y, frame.y, frame.y + frame.height);
    self->hover.has_rectangle = TRUE;
    self->hover.rectangle = (DebyePlotRectangle){fmin(self->drag_x, end_x), fmin(self->drag_y, end_y),
                                                 fabs(end_x - self->drag_x), fabs(end_y - self->drag_y)};
    debye_plot_view_queue_draw(self);
  } else if (self->drag == DEBYE_DRAG_LEGEND) {
    move_legend(self, layout, x, y);
  } else if (self->drag == DEBYE_DRAG_RANGE) {
    move_range(self, layout, x);
  } else {
    debye_plot_pan(self->plot, layout, self->drag_axes, x - self->drag_x, y - self->drag_y);
    self->drag_x = x;
    self->drag_y = y;
  }
}

static void
click(DebyePlotView *self, const DebyePlotLayout *layout)
{
  guint series = self->drag == DEBYE_DRAG_LEGEND
                     ? debye_plot_layout_get_legend_series(layout, self->drag_x, self->drag_y)
                     : 0;
  if (series != 0)
    debye_plot_set_series_visible(self->plot, series, !debye_plot_get_series_visible(self->plot, series));
  else if (self->drag == DEBYE_DRAG_RECTANGLE || self->drag == DEBYE_DRAG_RANGE)
    debye_plot_view_activate_at(self, self->drag_x, self->drag_y);
}

static void
on_drag_end(GtkGestureDrag *gesture G_GNUC_UNUSED, double x G_GNUC_UNUSED, double y G_GNUC_UNUSED,
            DebyePlotView *self)
{
  DebyePlotLayout *layout = debye_plot_view_get_layout(self);
  const gboolean zooms = self->hover.has_rectangle;
  const gboolean moves_range = self->drag == DEBYE_DRAG_RANGE && self->has_moved;
  self->hover.has_rectangle = FALSE;
  if (layout != NULL && !self->has_moved)
    click(self, layout);
  else if (layout != NULL && zooms)
    debye_plot_zoom_to(self->plot, layout, &self->hover.rectangle, 2.0 * DRAG_START);
  self->drag = DEBYE_DRAG_NONE;
  debye_plot_view_forget_layout(self);
  if (moves_range)
    debye_plot_view_tell_range(self);
}

static void
on_drag_cancel(GtkGesture *gesture G_GNUC_UNUSED, GdkEventSequence *sequence G_GNUC_UNUSED,
               DebyePlotView *self)
{
  if (self->drag == DEBYE_DRAG_RANGE)
    debye_plot_move_range(self->plot, self->range_fixed, self->range_before);
  self->hover.has_rectangle = FALSE;
  self->drag = DEBYE_DRAG_NONE;
  debye_plot_view_queue_draw(self);
}

static void
on_pressed(GtkGestureClick *gesture G_GNUC_UNUSED, int n_press, double x, double y, DebyePlotView *self)
{
  DebyePlotRectangle legend;
  DebyePlotLayout *layout = debye_plot_view_get_layout(self);
  gboolean on_legend = layout != NULL && debye_plot_layout_get_legend(layout, &legend) &&
                       is_in(&legend, x * POINTS_PER_PIXEL, y * POINTS_PER_PIXEL);
  if (n_press == 2 && !on_legend)
    debye_plot_view_reset(self);
}

/* --- The menu --- */

static void
show_menu(DebyePlotView *self, double x, double y)
{
  if (self->menu == NULL) {
    self->menu = gtk_popover_menu_new_from_model(debye_menus_get("plot"));
    gtk_popover_set_has_arrow(GTK_POPOVER(self->menu), FALSE);
    gtk_widget_set_halign(self->menu, GTK_ALIGN_START);
    gtk_widget_set_parent(self->menu, GTK_WIDGET(self));
  }
  gtk_popover_set_pointing_to(GTK_POPOVER(self->menu), &(GdkRectangle){(int)x, (int)y, 1, 1});
  gtk_popover_popup(GTK_POPOVER(self->menu));
}

static void
on_menu_pressed(GtkGestureClick *gesture G_GNUC_UNUSED, int n_press G_GNUC_UNUSED, double x, double y,
                DebyePlotView *self)
{
  show_menu(self, x, y);
}

static gboolean
on_menu_key(GtkWidget *widget, GVariant *arguments G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED)
{
  show_menu(DEBYE_PLOT_VIEW(widget), 0.5 * gtk_widget_get_width(widget), 0.5 * gtk_widget_get_height(widget));
  return TRUE;
}

/* --- Keys --- */

static gboolean
on_pan_key(GtkWidget *widget, GVariant *arguments, gpointer data G_GNUC_UNUSED)
{
  int dx, dy;
  DebyePlotView *self = DEBYE_PLOT_VIEW(widget);
  DebyePlotLayout *layout = debye_plot_view_get_layout(self);
  g_variant_get(arguments, "(ii)", &dx, &dy);
  if (layout == NULL)
    return FALSE;
  DebyePlotRectangle frame = debye_plot_layout_get_frame(layout);
  debye_plot_pan(self->plot, layout, DEBYE_PLOT_ALL_AXES, -dx * PAN_STEP * frame.width,
                 -dy * PAN_STEP * frame.height);
  return TRUE;
}

/* The first visible series, at the middle of the view. */
static gboolean
begin_reading(DebyePlotView *self, const DebyePlotLayout *layout)
{
  DebyePlotRectangle frame = debye_plot_layout_get_frame(layout);
  return debye_plot_layout_find_point(layout, frame.x + 0.5 * frame.width, frame.y + 0.5 * frame.height,
                                      HUGE_VAL, &self->hover.point) &&
         self->hover.point.series != 0;
}

static void
read_point(DebyePlotView *self, const DebyePlotLayout *layout, gsize index)
{
  DebyePlotPoint *point = &self->hover.point;
  DebyeCurve *curve = debye_plot_get_curve(self->plot, point->series);
  const double *errors = debye_curve_get_errors(curve);
  point->index = index;
  point->x = debye_curve_get_x(curve)[index];
  point->y = debye_curve_get_y(curve)[index];
  point->error = errors != NULL ? errors[index] : (double)NAN;
  point->page_x = debye_plot_layout_get_place(layout, DEBYE_PLOT_X, point->x);
  point->page_y =
      debye_plot_layout_get_place(layout, debye_plot_get_series_axis(self->plot, point->series), point->y);
}

/* From point to point, over gaps; one that is out of view comes into view. */
static gboolean
on_read_key(GtkWidget *widget, GVariant *arguments, gpointer data G_GNUC_UNUSED)
{
  DebyePlotView *self = DEBYE_PLOT_VIEW(widget);
  DebyePlotLayout *layout = debye_plot_view_get_layout(self);
  gssize step = g_variant_get_int32(arguments);
  if (layout == NULL || (!self->hover.has_point && !begin_reading(self, layout)))
    return FALSE;
  DebyeCurve *curve = debye_plot_get_curve(self->plot, self->hover.point.series);
  if (curve == NULL)
    return FALSE;
  gssize n = (gssize)debye_curve_get_n_points(curve), index = (gssize)self->hover.point.index;
  do
    index += step;
  while (index >= 0 && index < n && !isfinite(debye_curve_get_y(curve)[index]));
  if (index < 0 || index >= n)
    return TRUE;
  self->hover.has_point = self->hover_by_key = TRUE;
  read_point(self, layout, (gsize)index);
  DebyePlotRectangle frame = debye_plot_layout_get_frame(layout);
  double page_x = self->hover.point.page_x;
  if (page_x < frame.x || page_x > frame.x + frame.width)
    debye_plot_pan(self->plot, layout, DEBYE_PLOT_ONLY(DEBYE_PLOT_X), frame.x + 0.5 * frame.width - page_x,
                   0.0);
  debye_plot_view_tell_hover(self);
  return TRUE;
}

static gboolean
on_activate_key(GtkWidget *widget, GVariant *arguments G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED)
{
  DebyePlotView *self = DEBYE_PLOT_VIEW(widget);
  if (!self->hover.has_point)
    return FALSE;
  debye_plot_view_activate_at(self, self->hover.point.page_x, self->hover.point.page_y);
  return TRUE;
}

static gboolean
on_escape_key(GtkWidget *widget, GVariant *arguments G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED)
{
  DebyePlotView *self = DEBYE_PLOT_VIEW(widget);
  if (!self->hover.has_point && !self->hover.has_rectangle)
    return FALSE;
  self->hover.has_point = self->hover.has_rectangle = self->hover_by_key = FALSE;
  self->drag = DEBYE_DRAG_NONE;
  debye_plot_view_tell_hover(self);
  return TRUE;
}

static void
add_action_keys(GtkWidgetClass *class)
{
  static const struct {
    guint key;
    GdkModifierType modifiers;
    const char *action;
  } keys[] = {
      {GDK_KEY_plus, 0, "plot.zoom-in"},
      {GDK_KEY_KP_Add, 0, "plot.zoom-in"},
      {GDK_KEY_equal, 0, "plot.zoom-in"},
      {GDK_KEY_minus, 0, "plot.zoom-out"},
      {GDK_KEY_KP_Subtract, 0, "plot.zoom-out"},
      {GDK_KEY_0, 0, "plot.reset"},
      {GDK_KEY_KP_0, 0, "plot.reset"},
      {GDK_KEY_Home, 0, "plot.reset"},
      {GDK_KEY_c, GDK_CONTROL_MASK, "plot.copy"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
    gtk_widget_class_add_binding_action(class, keys[i].key, keys[i].modifiers, keys[i].action, NULL);
}

void
debye_plot_view_add_keys(GtkWidgetClass *class)
{
  static const struct {
    guint key;
    int dx, dy;
  } arrows[] = {{GDK_KEY_Left, -1, 0}, {GDK_KEY_Right, 1, 0}, {GDK_KEY_Up, 0, -1}, {GDK_KEY_Down, 0, 1}};
  for (gsize i = 0; i < G_N_ELEMENTS(arrows); i++)
    gtk_widget_class_add_binding(class, arrows[i].key, 0, on_pan_key, "(ii)", arrows[i].dx, arrows[i].dy);
  gtk_widget_class_add_binding(class, GDK_KEY_Left, GDK_CONTROL_MASK, on_read_key, "i", -1);
  gtk_widget_class_add_binding(class, GDK_KEY_Right, GDK_CONTROL_MASK, on_read_key, "i", 1);
  gtk_widget_class_add_binding(class, GDK_KEY_Return, 0, on_activate_key, NULL);
  gtk_widget_class_add_binding(class, GDK_KEY_Escape, 0, on_escape_key, NULL);
  gtk_widget_class_add_binding(class, GDK_KEY_Menu, 0, on_menu_key, NULL);
  gtk_widget_class_add_binding(class, GDK_KEY_F10, GDK_SHIFT_MASK, on_menu_key, NULL);
  add_action_keys(class);
}

/* --- All --- */

void
debye_plot_view_add_input(DebyePlotView *self)
{
  GtkWidget *widget = GTK_WIDGET(self);
  GtkGesture *drag = gtk_gesture_drag_new();
  gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(drag), 0);
  g_signal_connect(drag, "drag-begin", G_CALLBACK(on_drag_begin), self);
  g_signal_connect(drag, "drag-update", G_CALLBACK(on_drag_update), self);
  g_signal_connect(drag, "drag-end", G_CALLBACK(on_drag_end), self);
  g_signal_connect(drag, "cancel", G_CALLBACK(on_drag_cancel), self);
  gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(drag));

  GtkGesture *pressing = gtk_gesture_click_new();
  g_signal_connect(pressing, "pressed", G_CALLBACK(on_pressed), self);
  gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(pressing));

  GtkGesture *menu = gtk_gesture_click_new();
  gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(menu), GDK_BUTTON_SECONDARY);
  g_signal_connect(menu, "pressed", G_CALLBACK(on_menu_pressed), self);
  gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(menu));

  GtkGesture *pinch = gtk_gesture_zoom_new();
  g_signal_connect(pinch, "begin", G_CALLBACK(on_pinch_begin), self);
  g_signal_connect(pinch, "scale-changed", G_CALLBACK(on_pinch), self);
  gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(pinch));

  GtkEventController *scroll = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  g_signal_connect(scroll, "scroll", G_CALLBACK(on_scroll), self);
  gtk_widget_add_controller(widget, scroll);

  GtkEventController *motion = gtk_event_controller_motion_new();
  g_signal_connect(motion, "motion", G_CALLBACK(on_motion), self);
  g_signal_connect(motion, "leave", G_CALLBACK(on_leave), self);
  gtk_widget_add_controller(widget, motion);
}
