/* SPDX-License-Identifier: MIT */
/* Pointer, wheel and touch on the widget of the molecule, view_3d.c: what turns, moves, picks and reads
 * out. */
#include "view_3d_private.h"

#include "pick_text.h"

#define ZOOM_STEP 1.15
#define CENTRE_MILLISECONDS 250
#define ROLL_PER_PIXEL 0.5 /* degrees */
#define ZOOM_PER_PIXEL 1.01

/* Pixels that a hand may shake in a click. */
#define CLICK_REACH 4.0

/* --- Moving --- */

static void
on_drag_begin(GtkGestureDrag *gesture G_GNUC_UNUSED, double x, double y, DebyeView3d *self)
{
  gtk_widget_grab_focus(GTK_WIDGET(self));
  gtk_widget_set_visible(GTK_WIDGET(self->readout), FALSE);
  self->dragging = TRUE;
  self->drag_x = x;
  self->drag_y = y;
}

static DebyeMouseAct
get_act(DebyeView3d *self, GtkGestureDrag *gesture)
{
  guint button = gtk_gesture_single_get_current_button(GTK_GESTURE_SINGLE(gesture));
  GdkModifierType state = gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(gesture));
  return debye_mouse_habit_get_act(self->habit, button, state);
}

static void
move_camera(DebyeView3d *self, DebyeMouseAct act, double x, double y)
{
  DebyeCamera *camera = debye_scene_get_camera(self->scene);
  double width, height;
  debye_view_3d_get_size(self, &width, &height);
  switch (act) {
  case DEBYE_MOUSE_ROTATE:
    debye_camera_orbit(camera, self->drag_x, self->drag_y, x, y, width, height);
    break;
  case DEBYE_MOUSE_ROLL:
    debye_camera_roll(camera, ROLL_PER_PIXEL * (self->drag_x - x));
    break;
  case DEBYE_MOUSE_PAN:
    debye_camera_pan(camera, x - self->drag_x, y - self->drag_y, width, height);
    break;
  case DEBYE_MOUSE_ZOOM:
    debye_camera_zoom(camera, pow(ZOOM_PER_PIXEL, y - self->drag_y), 0.5 * width, 0.5 * height, width,
                      height);
    break;
  case DEBYE_MOUSE_NOTHING:
    return;
  }
  debye_scene_changed(self->scene);
}

static void
on_drag_update(GtkGestureDrag *gesture, double offset_x, double offset_y, DebyeView3d *self)
{
  double start_x, start_y;
  if (self->scene == NULL || !gtk_gesture_drag_get_start_point(gesture, &start_x, &start_y))
    return;
  double x = start_x + offset_x, y = start_y + offset_y;
  move_camera(self, get_act(self, gesture), x, y);
  self->drag_x = x;
  self->drag_y = y;
}

static void
on_drag_end(GtkGestureDrag *gesture G_GNUC_UNUSED, double x G_GNUC_UNUSED, double y G_GNUC_UNUSED,
            DebyeView3d *self)
{
  self->dragging = FALSE;
}

static gboolean
on_scroll(GtkEventControllerScroll *controller G_GNUC_UNUSED, double dx G_GNUC_UNUSED, double dy,
          DebyeView3d *self)
{
  debye_view_3d_zoom_at(self, pow(ZOOM_STEP, -dy), self->pointer_x, self->pointer_y);
  return TRUE;
}

static void
on_pinch_begin(GtkGesture *gesture G_GNUC_UNUSED, GdkEventSequence *sequence G_GNUC_UNUSED, DebyeView3d *self)
{
  self->pinch = 1.0;
}

static void
on_pinch(GtkGestureZoom *gesture, double scale, DebyeView3d *self)
{
  double x = self->pointer_x, y = self->pointer_y;
  gtk_gesture_get_bounding_box_center(GTK_GESTURE(gesture), &x, &y);
  debye_view_3d_zoom_at(self, scale / self->pinch, x, y);
  self->pinch = scale;
}

static void
centring_step(double value, gpointer data)
{
  DebyeView3d *self = data;
  if (self->scene == NULL)
    return;
  DebyeCamera *camera = debye_scene_get_camera(self->scene);
  glm_vec3_lerp(self->centre_from, self->centre_to, (float)value, camera->target);
  camera->height = glm_lerp(self->height_from, self->height_to, (float)value);
  debye_scene_changed(self->scene);
}

static void
on_pressed(GtkGestureClick *gesture G_GNUC_UNUSED, int n_press, double x, double y, DebyeView3d *self)
{
  DebyePick pick;
  double width, height;
  self->press_x = x;
  self->press_y = y;
  if (n_press != 2 || self->scene == NULL || self->measuring)
    return;
  debye_view_3d_get_size(self, &width, &height);
  if (debye_scene_pick(self->scene, x, y, width, height, &pick))
    debye_view_3d_move_to(self, pick.point, debye_scene_get_camera(self->scene)->height);
}

/* A click, and not the end of a drag. */
static void
on_released(GtkGestureClick *gesture G_GNUC_UNUSED, int n_press, double x, double y, DebyeView3d *self)
{
  DebyePick pick;
  double width, height;
  if (self->scene == NULL || hypot(x - self->press_x, y - self->press_y) > CLICK_REACH)
    return;
  debye_view_3d_get_size(self, &width, &height);
  debye_scene_pick(self->scene, x, y, width, height, &pick);
  /* Of a double click, which moves the camera, the first one is enough. */
  const gboolean is_first = n_press == 1 && !self->measuring;
  if (pick.atom < 0 && is_first && pick.layer != NULL)
    g_signal_emit_by_name(self, "surface-clicked", pick.layer, pick.point.x, pick.point.y, pick.point.z);
  if (pick.atom < 0 && is_first)
    g_signal_emit_by_name(self, "space-clicked", x, y, width, height);
  else if (pick.atom >= 0 && self->topology != NULL &&
           (gsize)pick.atom < debye_topology_get_n_atoms(self->topology))
    g_signal_emit_by_name(self, self->measuring ? "atom-picked" : "atom-clicked", (guint)pick.atom);
}

/* --- Reading out --- */

/* Once a frame at most, however fast the pointer reports. */
static gboolean
on_hover_tick(GtkWidget *widget G_GNUC_UNUSED, GdkFrameClock *clock G_GNUC_UNUSED, gpointer data)
{
  DebyeView3d *self = data;
  DebyePick pick;
  double width, height;
  g_autofree char *text = NULL;
  self->hover_tick = 0;
  debye_view_3d_get_size(self, &width, &height);
  if (self->scene != NULL && !self->dragging && !self->playing &&
      debye_scene_pick(self->scene, self->pointer_x, self->pointer_y, width, height, &pick))
    text = debye_pick_text(&pick, self->topology);
  gtk_widget_set_visible(GTK_WIDGET(self->readout), text != NULL);
  if (text != NULL)
    gtk_label_set_label(self->readout, text);
  return G_SOURCE_REMOVE;
}

static void
on_motion(GtkEventControllerMotion *controller G_GNUC_UNUSED, double x, double y, DebyeView3d *self)
{
  self->pointer_x = x;
  self->pointer_y = y;
  if (self->hover_tick == 0 && !self->dragging)
    self->hover_tick = gtk_widget_add_tick_callback(GTK_WIDGET(self), on_hover_tick, self, NULL);
}

static void
on_leave(GtkEventControllerMotion *controller G_GNUC_UNUSED, DebyeView3d *self)
{
  gtk_widget_set_visible(GTK_WIDGET(self->readout), FALSE);
}

/* --- All of them --- */

void
debye_view_3d_add_input(DebyeView3d *self)
{
  GtkWidget *area = GTK_WIDGET(self->area);
  GtkGesture *drag = gtk_gesture_drag_new();
  gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(drag), 0);
  g_signal_connect(drag, "drag-begin", G_CALLBACK(on_drag_begin), self);
  g_signal_connect(drag, "drag-update", G_CALLBACK(on_drag_update), self);
  g_signal_connect(drag, "drag-end", G_CALLBACK(on_drag_end), self);
  gtk_widget_add_controller(area, GTK_EVENT_CONTROLLER(drag));

  GtkGesture *click = gtk_gesture_click_new();
  g_signal_connect(click, "pressed", G_CALLBACK(on_pressed), self);
  g_signal_connect(click, "released", G_CALLBACK(on_released), self);
  gtk_widget_add_controller(area, GTK_EVENT_CONTROLLER(click));

  GtkGesture *pinch = gtk_gesture_zoom_new();
  g_signal_connect(pinch, "begin", G_CALLBACK(on_pinch_begin), self);
  g_signal_connect(pinch, "scale-changed", G_CALLBACK(on_pinch), self);
  gtk_widget_add_controller(area, GTK_EVENT_CONTROLLER(pinch));

  GtkEventController *scroll = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  g_signal_connect(scroll, "scroll", G_CALLBACK(on_scroll), self);
  gtk_widget_add_controller(area, scroll);

  GtkEventController *motion = gtk_event_controller_motion_new();
  g_signal_connect(motion, "motion", G_CALLBACK(on_motion), self);
  g_signal_connect(motion, "leave", G_CALLBACK(on_leave), self);
  gtk_widget_add_controller(area, motion);

  AdwAnimationTarget *target = adw_callback_animation_target_new(centring_step, self, NULL);
  self->centring = adw_timed_animation_new(GTK_WIDGET(self), 0.0, 1.0, CENTRE_MILLISECONDS, target);
}
