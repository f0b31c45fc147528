/* SPDX-License-Identifier: MIT */
/* The widget that draws the molecule: OpenGL, and what the window asks of it. Pointer and wheel are in
 * view_3d_input.c. */
#include "view_3d_private.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "ui/widgets/gl_context.h"
#include "render/scene/legend.h"
#include "render/layers/overlay_text.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text_scale.h"

/* How long after the last move the picture is drawn sharp again. */
#define SETTLE_MILLISECONDS 150

/* Shares of the width. Narrower legends leave the middle free; wider ones would leave no room beside them. */
#define NARROW_LEGEND 0.4
#define WIDEST_LEGEND 0.75

G_DEFINE_FINAL_TYPE(DebyeView3d, debye_view_3d, ADW_TYPE_BIN)

enum { PROPERTY_MOUSE = 1 };

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
      g_strdup_printf(_("%s\n\nOpening files, analyses and exports still work."), escaped);
  adw_status_page_set_description(self->no_gl, text);
  g_idle_add_full(G_PRIORITY_DEFAULT, turn_to_no_gl, g_object_ref(self), g_object_unref);
}

/* Pieces of the still picture come between the turns of everything else; each takes less time than anyone
 * notices, and a frame is drawn only when there is something better to be seen. */
static gboolean
on_refine(gpointer data)
{
  DebyeView3d *self = data;
  g_autoptr(GError) error = NULL;
  gboolean better = FALSE;
  gtk_gl_area_make_current(self->area);
  gboolean drawn =
      gtk_gl_area_get_error(self->area) == NULL && debye_scene_refine(self->scene, &better, &error);
  if (error != NULL)
    show_no_gl(self, error->message);
  if (better)
    gtk_gl_area_queue_render(self->area);
  if (drawn && !debye_scene_is_smooth(self->scene))
    return G_SOURCE_CONTINUE;
  self->refine_source = 0;
  return G_SOURCE_REMOVE;
}

static void
refine_when_still(DebyeView3d *self)
{
  if (self->refine_source == 0 && !self->moving && !self->playing && self->scene != NULL &&
      gtk_widget_get_realized(GTK_WIDGET(self->area)) && !debye_scene_is_smooth(self->scene))
    self->refine_source = g_idle_add_full(G_PRIORITY_LOW, on_refine, self, NULL);
}

static void
stop_refining(DebyeView3d *self)
{
  g_clear_handle_id(&self->refine_source, g_source_remove);
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
      g_strdup_printf(_("The 3-D view needs OpenGL 3.3, which is not available: %s"), error->message);
  show_no_gl(self, reason);
}

/* The context goes with the widget's surface, so everything made in it must go first. */
static void
on_unrealize(GtkGLArea *area, DebyeView3d *self)
{
  gtk_gl_area_make_current(area);
  stop_refining(self);
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
  debye_scene_set_least_font_size(self->scene, DEBYE_OVERLAY_FONT_SIZE * debye_text_scale(GTK_WIDGET(area)));
  if (debye_scene_draw(self->scene, width, height, scale, &error))
    refine_when_still(self);
  else
    show_no_gl(self, error->message);
  return TRUE;
}

/* What is seen whole stays so when a pane beside it opens; where a person looks is left alone. */
static void
on_resize(GtkGLArea *area G_GNUC_UNUSED, int width G_GNUC_UNUSED, int height G_GNUC_UNUSED, DebyeView3d *self)
{
  if (self->frame_pending)
    debye_view_3d_view_all(self);
  else
    debye_view_3d_view_new(self);
}

/* --- Moving --- */

static gboolean
on_settled(gpointer data)
{
  DebyeView3d *self = data;
  self->settle_source = 0;
  self->moving = FALSE;
  refine_when_still(self);
  return G_SOURCE_REMOVE;
}

/* A change seldom comes alone: the camera is being moved, a level dragged, a map grows. Until it rests the
 * picture may be coarser, so that it keeps up. */
static void
on_scene_changed(DebyeView3d *self)
{
  self->moving = TRUE;
  stop_refining(self);
  g_clear_handle_id(&self->settle_source, g_source_remove);
  self->settle_source = g_timeout_add(SETTLE_MILLISECONDS, on_settled, self);
  gtk_gl_area_queue_render(self->area);
}

/* --- What the window asks --- */

void
debye_view_3d_set_scene(DebyeView3d *self, DebyeScene *scene)
{
  g_return_if_fail(DEBYE_IS_VIEW_3D(self));
  if (self->scene == scene)
    return;
  stop_refining(self);
  if (self->scene != NULL) {
    g_signal_handlers_disconnect_by_data(self->scene, self);
    if (gtk_widget_get_realized(GTK_WIDGET(self->area))) {
      gtk_gl_area_make_current(self->area);
      debye_scene_release(self->scene, gtk_gl_area_get_error(self->area) != NULL);
    }
  }
  g_set_object(&self->scene, scene);
  if (scene != NULL)
    g_signal_connect_swapped(scene, "changed", G_CALLBACK(on_scene_changed), self);
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
  stop_refining(self);
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
  debye_view_3d_get_size(self, &width, &height);
  const double aside = debye_scene_view_all_beside_legend(self->scene, width, height);
  debye_camera_pan(debye_scene_get_camera(self->scene), aside * width, 0.0, width, height);
  self->all = *debye_scene_get_camera(self->scene);
  debye_scene_changed(self->scene);
}

gboolean
debye_view_3d_has_viewed(DebyeView3d *self)
{
  g_return_val_if_fail(DEBYE_IS_VIEW_3D(self), FALSE);
  return !self->frame_pending;
}

static gboolean
is_as_framed(DebyeView3d *self)
{
  const DebyeCamera *now = debye_scene_get_camera(self->scene), *then = &self->all;
  return memcmp(now->orientation, then->orientation, sizeof now->orientation) == 0 &&
         memcmp(now->target, then->target, sizeof now->target) == 0 && now->height == then->height;
}

void
debye_view_3d_view_new(DebyeView3d *self)
{
  g_return_if_fail(DEBYE_IS_VIEW_3D(self));
  if (self->scene != NULL && is_as_framed(self))
    debye_view_3d_view_all(self);
}

/* By how much of the width the middle is beside that of the view, right of it below 0: a wide legend would cover what stands
 * there. */
static double
find_aside(DebyeView3d *self, double width, double height)
{
  const DebyeLook *look = debye_scene_get_look(self->scene);
  const double share = debye_legend_get_share(debye_scene_get_layers(self->scene), look, width, height);
  const gboolean is_left =
      look->legend_place == DEBYE_PLACE_TOP_LEFT || look->legend_place == DEBYE_PLACE_BOTTOM_LEFT;
  if (share < NARROW_LEGEND)
    return 0.0;
  return (is_left ? -0.5 : 0.5) * fmin(share, WIDEST_LEGEND);
}

void
debye_view_3d_look_at(DebyeView3d *self, DebyeVec3 place, double extent)
{
  g_return_if_fail(DEBYE_IS_VIEW_3D(self));
  if (self->scene == NULL)
    return;
  DebyeCamera there = *debye_scene_get_camera(self->scene);
  double width, height;
  debye_view_3d_get_size(self, &width, &height);
  there.height = (float)extent;
  glm_vec3_copy((vec3){(float)place.x, (float)place.y, (float)place.z}, there.target);
  debye_camera_pan(&there, -find_aside(self, width, height) * width, 0.0, width, height);
  debye_view_3d_move_to(self,
                        debye_vec3((double)there.target[0], (double)there.target[1], (double)there.target[2]),
                        there.height);
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
  debye_view_3d_get_size(self, &width, &height);
  debye_view_3d_zoom_at(self, factor, width / 2.0, height / 2.0);
}

GBytes *
debye_view_3d_capture_scene(DebyeView3d *self, DebyeScene *scene, const DebyeCaptureSize *size,
                            GError **error)
{
  g_return_val_if_fail(DEBYE_IS_VIEW_3D(self) && scene != self->scene, NULL);
  g_autoptr(DebyeOffscreen) offscreen = NULL;
  if (gtk_widget_get_realized(GTK_WIDGET(self->area)) && gtk_gl_area_get_error(self->area) == NULL)
    gtk_gl_area_make_current(self->area);
  else if ((offscreen = debye_offscreen_new(error)) == NULL)
    return NULL;
  GBytes *picture =
      debye_capture(scene, size->width, size->height, size->scale, size->transparent, size->samples, error);
  debye_scene_release(scene, FALSE);
  return picture;
}

/* --- Clipboard --- */

/* As many as a view that stands still has: the window waits for the picture. */
#define COPY_SAMPLES_SOFTWARE 4

/* The picture as it is now, and what is read out at the pointer, for programs that take text. */
static GdkContentProvider *
create_content(DebyeView3d *self, GBytes *pixels, int width, int height)
{
  g_autoptr(GdkTexture) texture =
      gdk_memory_texture_new(width, height, GDK_MEMORY_R8G8B8A8, pixels, 4 * (gsize)width);
  GdkContentProvider *content[2] = {gdk_content_provider_new_typed(GDK_TYPE_TEXTURE, texture)};
  gsize n = 1;
  if (gtk_widget_get_visible(GTK_WIDGET(self->readout)))
    content[n++] = gdk_content_provider_new_typed(G_TYPE_STRING, gtk_label_get_label(self->readout));
  return gdk_content_provider_new_union(content, n);
}

static void
on_copy(GtkWidget *widget, const char *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED)
{
  DebyeView3d *self = DEBYE_VIEW_3D(widget);
  g_autoptr(GError) error = NULL;
  double width, height;
  const int scale = gtk_widget_get_scale_factor(widget);
  debye_view_3d_get_size(self, &width, &height);
  const int w = scale * (int)width, h = scale * (int)height;
  if (self->scene == NULL || w < 1 || h < 1 || !gtk_widget_get_realized(GTK_WIDGET(self->area)) ||
      gtk_gl_area_get_error(self->area) != NULL)
    return;
  gtk_gl_area_make_current(self->area);
  const int samples = debye_gl_is_software() ? COPY_SAMPLES_SOFTWARE : 0;
  g_autoptr(GBytes) pixels = debye_capture(self->scene, w, h, scale, FALSE, samples, &error);
  g_autoptr(GdkContentProvider) content = pixels != NULL ? create_content(self, pixels, w, h) : NULL;
  if (content != NULL)
    gdk_clipboard_set_content(gtk_widget_get_clipboard(widget), content);
  else
    gtk_widget_error_bell(widget);
  gtk_gl_area_queue_render(self->area);
}

/* --- The object --- */

static void
debye_view_3d_dispose(GObject *object)
{
  DebyeView3d *self = DEBYE_VIEW_3D(object);
  if (self->scene != NULL)
    debye_view_3d_set_scene(self, NULL);
  g_clear_handle_id(&self->settle_source, g_source_remove);
  stop_refining(self);
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
  const GType type = DEBYE_TYPE_VIEW_3D;
  g_signal_new("atom-picked", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  g_signal_new("atom-clicked", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/view_3d.ui");
  DEBYE_BIND_CHILDREN(class, DebyeView3d, stack, area, readout, no_gl);
  DEBYE_BIND_CALLBACKS(class, on_create_context, on_realize, on_unrealize, on_render, on_resize);
  g_signal_new("surface-clicked", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 4,
               DEBYE_TYPE_LAYER, G_TYPE_DOUBLE, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  g_signal_new("space-clicked", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 4, G_TYPE_DOUBLE,
               G_TYPE_DOUBLE, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  gtk_widget_class_set_css_name(widget_class, "view3d");
  gtk_widget_class_install_action(widget_class, "view.copy", NULL, on_copy);
  gtk_widget_class_add_binding_action(widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "view.copy", NULL);
}

static void
debye_view_3d_init(DebyeView3d *self)
{
  self->habit = debye_mouse_habit_find(NULL);
  gtk_widget_init_template(GTK_WIDGET(self));
  debye_view_3d_add_input(self);
  debye_text_scale_watch(GTK_WIDGET(self), G_CALLBACK(gtk_gl_area_queue_render), self->area);
}
