/* SPDX-License-Identifier: MIT */
/* The view of the molecule. Drawing is the scene's; here is what a hand does to it. */
#include "view_3d.h"

#include <glib/gi18n.h>

#include "gl_context.h"
#include "mouse_habit.h"
#include "pick_text.h"
#include "render/capture.h"

/* How long after the last move the picture is drawn sharp again. */
#define SETTLE_MILLISECONDS 150
#define ZOOM_STEP 1.15
#define CENTRE_MILLISECONDS 250

struct _DebyeView3d {
  AdwBin parent_instance;

  GtkStack *stack;
  GtkGLArea *area;
  GtkLabel *readout;
  AdwStatusPage *no_gl;

  DebyeScene *scene;
  DebyeTopology *topology;
  gboolean frame_pending; /* view_all was asked for before there was a size */
  gboolean playing;
  gboolean measuring;
  double press_x, press_y; /* where a click began */
  gboolean moving;
  guint settle_source;

  double pointer_x, pointer_y;
  guint hover_tick;
  gboolean dragging;
  double drag_x, drag_y; /* where the drag was last */
  double pinch;          /* the pinch gesture's last scale */
  const DebyeMouseHabit *habit;

  AdwAnimation *centring;
  vec3 centre_from, centre_to;
};

G_DEFINE_FINAL_TYPE(DebyeView3d, debye_view_3d, ADW_TYPE_BIN)

enum { SIGNAL_ATOM_PICKED, N_SIGNALS };
static guint signals[N_SIGNALS];

enum { PROPERTY_MOUSE = 1 };

#define ROLL_PER_PIXEL 0.5 /* degrees */
#define ZOOM_PER_PIXEL 1.01

/* Pixels that a hand may shake in a click. */
#define CLICK_REACH 4.0

static void
get_size(DebyeView3d *self, double *width, double *height)
{
  *width = MAX(1, gtk_widget_get_width(GTK_WIDGET(self->area)));
  *height = MAX(1, gtk_widget_get_height(GTK_WIDGET(self->area)));
}

/* --- Drawing --- */

/* A stack can't turn its page while it is being drawn, which is when the renderer finds out. */
static gboolean
turn_to_no_gl(gpointer data)
{
  DebyeView3d *self = data;
  gtk_stack_set_visible_child_name(self->stack, "no-gl");
  return G_SOURCE_REMOVE;
}

static void
show_no_gl(DebyeView3d *self, const char *reason)
{
  g_autofree char *escaped = g_markup_escape_text(reason, -1);
  g_autofree char *text =
      g_strdup_printf(_("%s\n\nOpening files, analyses and exports work all the same."), escaped);
  adw_status_page_set_description(self->no_gl, text);
  g_idle_add_full(G_PRIORITY_DEFAULT, turn_to_no_gl, g_object_ref(self), g_object_unref);
}

static GdkGLContext *
on_create_context(GtkGLArea *area, DebyeView3d *self G_GNUC_UNUSED)
{
  return debye_gl_context_create(area);
}

static void
on_realize(GtkGLArea *area, DebyeView3d *self)
{
  gtk_gl_area_make_current(area);
  const GError *error = gtk_gl_area_get_error(area);
  if (error == NULL)
    return;
  g_autofree char *reason =
      g_strdup_printf(_("The 3-D view needs OpenGL 3.3, which is not to be had: %s"), error->message);
  show_no_gl(self, reason);
}

/* The context goes with the widget's surface, so everything made in it must go first. */
static void
on_unrealize(GtkGLArea *area, DebyeView3d *self)
{
  gtk_gl_area_make_current(area);
  if (self->scene != NULL)
    debye_scene_release(self->scene, gtk_gl_area_get_error(area) != NULL);
}

static gboolean
on_render(GtkGLArea *area, GdkGLContext *context G_GNUC_UNUSED, DebyeView3d *self)
{
  g_autoptr(GError) error = NULL;
  int scale = gtk_widget_get_scale_factor(GTK_WIDGET(area));
  int width = gtk_widget_get_width(GTK_WIDGET(area)) * scale;
  int height = gtk_widget_get_height(GTK_WIDGET(area)) * scale;
  if (self->scene == NULL || width <= 0 || height <= 0)
    return TRUE;
  if (!debye_scene_draw(self->scene, width, height, scale, self->moving || self->playing, &error))
    show_no_gl(self, error->message);
  return TRUE;
}

static void
on_resize(GtkGLArea *area G_GNUC_UNUSED, int width G_GNUC_UNUSED, int height G_GNUC_UNUSED, DebyeView3d *self)
{
  if (self->frame_pending)
    debye_view_3d_view_all(self);
}

/* --- Moving --- */

static gboolean
on_settled(gpointer data)
{
  DebyeView3d *self = data;
  self->settle_source = 0;
  self->moving = FALSE;
  gtk_gl_area_queue_render(self->area);
  return G_SOURCE_REMOVE;
}

/* A change seldom comes alone: the camera is being moved, a level dragged, a map grows. Until it rests the
 * picture may be coarser, so that it keeps up. */
static void
on_scene_changed(DebyeView3d *self)
{
  self->moving = TRUE;
  g_clear_handle_id(&self->settle_source, g_source_remove);
  self->settle_source = g_timeout_add(SETTLE_MILLISECONDS, on_settled, self);
  gtk_gl_area_queue_render(self->area);
}

/* Nothing moved: the still picture gets its next sample. */
static void
on_scene_refined(DebyeView3d *self)
{
  gtk_gl_area_queue_render(self->area);
}

static void
zoom_at(DebyeView3d *self, double factor, double x, double y)
{
  double width, height;
  if (self->scene == NULL)
    return;
  get_size(self, &width, &height);
  debye_camera_zoom(debye_scene_get_camera(self->scene), factor, x, y, width, height);
  debye_scene_changed(self->scene);
}

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
  get_size(self, &width, &height);
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
  zoom_at(self, pow(ZOOM_STEP, -dy), self->pointer_x, self->pointer_y);
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
  zoom_at(self, scale / self->pinch, x, y);
  self->pinch = scale;
}

static void
centring_step(double value, gpointer data)
{
  DebyeView3d *self = data;
  if (self->scene == NULL)
    return;
  glm_vec3_lerp(self->centre_from, self->centre_to, (float)value,
                debye_scene_get_camera(self->scene)->target);
  debye_scene_changed(self->scene);
}

static void
centre_on(DebyeView3d *self, DebyeVec3 point)
{
  glm_vec3_copy(debye_scene_get_camera(self->scene)->target, self->centre_from);
  self->centre_to[0] = (float)point.x;
  self->centre_to[1] = (float)point.y;
  self->centre_to[2] = (float)point.z;
  adw_animation_reset(self->centring);
  adw_animation_play(self->centring);
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
  get_size(self, &width, &height);
  if (debye_scene_pick(self->scene, x, y, width, height, &pick))
    centre_on(self, pick.point);
}

/* A click, and not the end of a drag. */
static void
on_released(GtkGestureClick *gesture G_GNUC_UNUSED, int n_press G_GNUC_UNUSED, double x, double y,
            DebyeView3d *self)
{
  DebyePick pick;
  double width, height;
  if (!self->measuring || self->scene == NULL || hypot(x - self->press_x, y - self->press_y) > CLICK_REACH)
    return;
  get_size(self, &width, &height);
  if (debye_scene_pick(self->scene, x, y, width, height, &pick) && pick.atom >= 0 && self->topology != NULL &&
      (gsize)pick.atom < debye_topology_get_n_atoms(self->topology))
    g_signal_emit(self, signals[SIGNAL_ATOM_PICKED], 0, (guint)pick.atom);
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
  get_size(self, &width, &height);
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

/* --- What the window asks --- */

void
debye_view_3d_set_scene(DebyeView3d *self, DebyeScene *scene)
{
  g_return_if_fail(DEBYE_IS_VIEW_3D(self));
  if (self->scene == scene)
    return;
  if (self->scene != NULL) {
    g_signal_handlers_disconnect_by_data(self->scene, self);
    if (gtk_widget_get_realized(GTK_WIDGET(self->area))) {
      gtk_gl_area_make_current(self->area);
      debye_scene_release(self->scene, gtk_gl_area_get_error(self->area) != NULL);
    }
  }
  g_set_object(&self->scene, scene);
  if (scene != NULL) {
    g_signal_connect_swapped(scene, "changed", G_CALLBACK(on_scene_changed), self);
    g_signal_connect_swapped(scene, "refined", G_CALLBACK(on_scene_refined), self);
  }
  gtk_gl_area_queue_render(self->area);
}

void
debye_view_3d_set_topology(DebyeView3d *self, DebyeTopology *topology)
{
  g_return_if_fail(DEBYE_IS_VIEW_3D(self));
  g_set_object(&self->topology, topology);
}

void
debye_view_3d_set_playing(DebyeView3d *self, gboolean playing)
{
  g_return_if_fail(DEBYE_IS_VIEW_3D(self));
  self->playing = playing;
  gtk_gl_area_queue_render(self->area);
}

void
debye_view_3d_set_measuring(DebyeView3d *self, gboolean measuring)
{
  g_return_if_fail(DEBYE_IS_VIEW_3D(self));
  self->measuring = measuring;
  gtk_widget_set_cursor_from_name(GTK_WIDGET(self->area), measuring ? "crosshair" : NULL);
}

void
debye_view_3d_view_all(DebyeView3d *self)
{
  g_return_if_fail(DEBYE_IS_VIEW_3D(self));
  double width, height;
  self->frame_pending = gtk_widget_get_width(GTK_WIDGET(self->area)) == 0;
  if (self->scene == NULL || self->frame_pending)
    return;
  get_size(self, &width, &height);
  debye_scene_view_all(self->scene, width / height);
  debye_scene_changed(self->scene);
}

void
debye_view_3d_look_along(DebyeView3d *self, int axis)
{
  g_return_if_fail(DEBYE_IS_VIEW_3D(self) && axis >= 0 && axis < 3);
  if (self->scene == NULL)
    return;
  DebyeCamera *camera = debye_scene_get_camera(self->scene);
  vec3 eye = {axis == 0, axis == 1, axis == 2};
  vec3 up = {0.0f, axis != 1, axis == 1};
  mat4 view;
  glm_look(GLM_VEC3_ZERO, (vec3){-eye[0], -eye[1], -eye[2]}, up, view);
  glm_mat4_quat(view, camera->orientation);
  debye_scene_changed(self->scene);
}

void
debye_view_3d_zoom(DebyeView3d *self, double factor)
{
  g_return_if_fail(DEBYE_IS_VIEW_3D(self));
  double width, height;
  get_size(self, &width, &height);
  zoom_at(self, factor, width / 2.0, height / 2.0);
}

static GBytes *
capture_off_screen(DebyeScene *scene, int width, int height, double scale, gboolean transparent,
                   GError **error)
{
  g_autoptr(DebyeOffscreen) offscreen = debye_offscreen_new(error);
  if (offscreen == NULL)
    return NULL;
  GBytes *picture = debye_capture(scene, width, height, scale, transparent, 0, error);
  debye_scene_release(scene, FALSE);
  return picture;
}

static gboolean
has_context(DebyeView3d *self)
{
  return gtk_widget_get_realized(GTK_WIDGET(self->area)) && gtk_gl_area_get_error(self->area) == NULL;
}

GBytes *
debye_view_3d_capture_scene(DebyeView3d *self, DebyeScene *scene, const DebyeCaptureSize *size,
                            GError **error)
{
  g_return_val_if_fail(DEBYE_IS_VIEW_3D(self) && scene != self->scene, NULL);
  if (!has_context(self))
    return capture_off_screen(scene, size->width, size->height, size->scale, size->transparent, error);
  gtk_gl_area_make_current(self->area);
  GBytes *picture =
      debye_capture(scene, size->width, size->height, size->scale, size->transparent, size->samples, error);
  debye_scene_release(scene, FALSE);
  return picture;
}

GBytes *
debye_view_3d_capture(DebyeView3d *self, int width, int height, double scale, gboolean transparent,
                      GError **error)
{
  g_return_val_if_fail(DEBYE_IS_VIEW_3D(self) && self->scene != NULL, NULL);
  if (!has_context(self))
    return capture_off_screen(self->scene, width, height, scale, transparent, error);
  gtk_gl_area_make_current(self->area);
  GBytes *picture = debye_capture(self->scene, width, height, scale, transparent, 0, error);
  gtk_gl_area_queue_render(self->area);
  return picture;
}

/* --- The object --- */

static void
add_gestures(DebyeView3d *self)
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
}

GtkWidget *
debye_view_3d_new(void)
{
  return g_object_new(DEBYE_TYPE_VIEW_3D, NULL);
}

static void
debye_view_3d_dispose(GObject *object)
{
  DebyeView3d *self = DEBYE_VIEW_3D(object);
  if (self->scene != NULL)
    debye_view_3d_set_scene(self, NULL);
  g_clear_handle_id(&self->settle_source, g_source_remove);
  g_clear_object(&self->topology);
  g_clear_object(&self->centring);
  G_OBJECT_CLASS(debye_view_3d_parent_class)->dispose(object);
}

static void
debye_view_3d_set_property(GObject *object, guint id G_GNUC_UNUSED, const GValue *value,
                           GParamSpec *spec G_GNUC_UNUSED)
{
  DEBYE_VIEW_3D(object)->habit = debye_mouse_habit_find(g_value_get_string(value));
}

static void
debye_view_3d_get_property(GObject *object, guint id G_GNUC_UNUSED, GValue *value,
                           GParamSpec *spec G_GNUC_UNUSED)
{
  g_value_set_string(value, DEBYE_VIEW_3D(object)->habit->id);
}

static void
debye_view_3d_class_init(DebyeView3dClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  GObjectClass *object_class = G_OBJECT_CLASS(class);
  object_class->dispose = debye_view_3d_dispose;
  object_class->set_property = debye_view_3d_set_property;
  object_class->get_property = debye_view_3d_get_property;
  g_object_class_install_property(
      object_class, PROPERTY_MOUSE,
      g_param_spec_string("mouse", NULL, NULL, "debye", G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  signals[SIGNAL_ATOM_PICKED] = g_signal_new("atom-picked", DEBYE_TYPE_VIEW_3D, G_SIGNAL_RUN_LAST, 0, NULL,
                                             NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/view_3d.ui");
  gtk_widget_class_bind_template_child(widget_class, DebyeView3d, stack);
  gtk_widget_class_bind_template_child(widget_class, DebyeView3d, area);
  gtk_widget_class_bind_template_child(widget_class, DebyeView3d, readout);
  gtk_widget_class_bind_template_child(widget_class, DebyeView3d, no_gl);
  gtk_widget_class_bind_template_callback(widget_class, on_create_context);
  gtk_widget_class_bind_template_callback(widget_class, on_realize);
  gtk_widget_class_bind_template_callback(widget_class, on_unrealize);
  gtk_widget_class_bind_template_callback(widget_class, on_render);
  gtk_widget_class_bind_template_callback(widget_class, on_resize);
  gtk_widget_class_set_css_name(widget_class, "view3d");
}

static void
debye_view_3d_init(DebyeView3d *self)
{
  self->habit = debye_mouse_habit_find(NULL);
  gtk_widget_init_template(GTK_WIDGET(self));
  add_gestures(self);
  AdwAnimationTarget *target = adw_callback_animation_target_new(centring_step, self, NULL);
  self->centring = adw_timed_animation_new(GTK_WIDGET(self), 0.0, 1.0, CENTRE_MILLISECONDS, target);
}
