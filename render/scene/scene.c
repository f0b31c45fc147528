/* SPDX-License-Identifier: MIT */
/* The scene: an ordered list of layers, a camera and a look. A view that stands still gains samples until it
 * is smooth; anything that changes begins anew with a sketch. */
#include "scene.h"

#include <string.h>

#include "render/layers/box_layer.h"
#include "render/layers/layer_kinds.h"
#include "overlay.h"
#include "renderer.h"
#include "scene_map.h"
#include "scene_private.h"
#include "shared_limits.h"

/* Of a view that stands still, when the look leaves it to us; fewer where each takes long. */
#define STILL_SAMPLES 12
#define STILL_SAMPLES_SOFTWARE 4
#define CAPTURE_SAMPLES 16
/* Of pictures whose pixels nobody tells apart, where processors draw: each sample takes them seconds. */
#define LARGE_CAPTURE_SAMPLES 8
#define LARGE_CAPTURE ((gsize)1 << 24) /* pixels */

/* All that a view's picture depends on. */
typedef struct {
  guint64 content; /* serial of what the layers show; 0: of nothing */
  DebyeCamera camera;
  DebyeLook look;
  int width, height;
  double scale;
} Subject;

struct _DebyeScene {
  GObject parent;
  GListStore *layers, *maps;
  GArray *views; /* DebyeCamera */
  DebyeCamera camera;
  DebyeLook look;
  DebyeRenderer *renderer;
  DebyeOverlay *overlay;
  GPtrArray *removed;      /* layers whose GL objects wait for a context to be deleted in */
  guint64 content;         /* serial of what the layers show */
  Subject sketched, still; /* of the sketch that is kept; of the samples */
  int width, height;       /* of the view that was drawn last, pixels */
  gboolean is_still;       /* no view moves it */
  double scale, least_font_size;
  int n_samples;     /* whole ones */
  int still_samples; /* wanted; −1: as many as the GL has time for */
};

G_DEFINE_FINAL_TYPE(DebyeScene, debye_scene, G_TYPE_OBJECT)

static void
debye_scene_dispose(GObject *object)
{
  DebyeScene *self = DEBYE_SCENE(object);
  /* Without its context no GL object can be deleted; whoever has one calls debye_scene_release first. */
  debye_scene_release(self, TRUE);
  for (guint i = 0; self->layers && i < g_list_model_get_n_items(G_LIST_MODEL(self->layers)); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(G_LIST_MODEL(self->layers), i);
    g_signal_handlers_disconnect_by_data(layer, self);
  }
  g_clear_object(&self->layers);
  g_clear_object(&self->maps);
  g_clear_pointer(&self->views, g_array_unref);
  g_clear_pointer(&self->removed, g_ptr_array_unref);
  G_OBJECT_CLASS(debye_scene_parent_class)->dispose(object);
}

static void
debye_scene_class_init(DebyeSceneClass *class)
{
  G_OBJECT_CLASS(class)->dispose = debye_scene_dispose;
  g_signal_new("changed", DEBYE_TYPE_SCENE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("edit-look", DEBYE_TYPE_SCENE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
               G_TYPE_POINTER);
  g_signal_new("reset-look", DEBYE_TYPE_SCENE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
               G_TYPE_BOOLEAN);
}

static void
debye_scene_init(DebyeScene *self)
{
  self->layers = g_list_store_new(DEBYE_TYPE_LAYER);
  debye_shared_limits_keep(G_LIST_MODEL(self->layers));
  self->maps = g_list_store_new(DEBYE_TYPE_SCENE_MAP);
  self->views = g_array_new(FALSE, FALSE, sizeof(DebyeCamera));
  self->removed = g_ptr_array_new_with_free_func(g_object_unref);
  self->content = 1;
  self->still_samples = -1;
  debye_camera_init(&self->camera);
  debye_look_preset(&self->look, "screen", TRUE);
}

DebyeScene *
debye_scene_new(void)
{
  return g_object_new(DEBYE_TYPE_SCENE, NULL);
}

DebyeScene *
debye_scene_new_still(void)
{
  DebyeScene *self = debye_scene_new();
  self->is_still = TRUE;
  return self;
}

GListModel *
debye_scene_get_layers(DebyeScene *self)
{
  return G_LIST_MODEL(self->layers);
}

GListStore *
debye_scene_get_maps(DebyeScene *self)
{
  return self->maps;
}

DebyeCamera *
debye_scene_get_camera(DebyeScene *self)
{
  return &self->camera;
}

GArray *
debye_scene_get_views(DebyeScene *self)
{
  return self->views;
}

DebyeLook *
debye_scene_get_look(DebyeScene *self)
{
  return &self->look;
}

void
debye_scene_changed(DebyeScene *self)
{
  g_signal_emit_by_name(self, "changed");
}

/* --- Layers --- */

static void
on_layer_changed(DebyeScene *self)
{
  self->content++;
  debye_scene_changed(self);
}

void
debye_scene_add(DebyeScene *self, DebyeLayer *layer)
{
  debye_layer_kind_tell_apart(layer, G_LIST_MODEL(self->layers));
  g_signal_connect_swapped(layer, "changed", G_CALLBACK(on_layer_changed), self);
  g_list_store_append(self->layers, layer);
  debye_layer_join(layer, self->is_still);
  g_ptr_array_remove(self->removed, layer);
  on_layer_changed(self);
}

void
debye_scene_remove(DebyeScene *self, DebyeLayer *layer)
{
  guint position;
  if (!g_list_store_find(self->layers, layer, &position))
    return;
  g_signal_handlers_disconnect_by_data(layer, self);
  if (self->renderer)
    g_ptr_array_add(self->removed, g_object_ref(layer));
  g_list_store_remove(self->layers, position);
  on_layer_changed(self);
}

void
debye_scene_move(DebyeScene *self, DebyeLayer *layer, guint position)
{
  guint before, n = g_list_model_get_n_items(G_LIST_MODEL(self->layers));
  if (!g_list_store_find(self->layers, layer, &before) || before == MIN(position, n - 1))
    return;
  g_autoptr(DebyeLayer) held = g_object_ref(layer);
  g_list_store_remove(self->layers, before);
  g_list_store_insert(self->layers, MIN(position, n - 1), held);
  on_layer_changed(self);
}

static DebyeVec3
smaller(DebyeVec3 a, DebyeVec3 b)
{
  return debye_vec3(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
}

static DebyeVec3
larger(DebyeVec3 a, DebyeVec3 b)
{
  return debye_vec3(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
}

/* The bounds of what is in the cell, with those of its neighbours. */
static void
add_images(DebyeScene *self, DebyeVec3 *low, DebyeVec3 *high)
{
  g_autoptr(GArray) shifts = debye_box_layer_list_images(G_LIST_MODEL(self->layers));
  const DebyeVec3 a = *low, b = *high;
  for (guint i = 1; i < shifts->len; i++) {
    DebyeVec3 shift = g_array_index(shifts, DebyeVec3, i);
    *low = smaller(*low, debye_vec3_add(a, shift));
    *high = larger(*high, debye_vec3_add(b, shift));
  }
}

gboolean
debye_scene_get_bounds(DebyeScene *self, DebyeVec3 *low, DebyeVec3 *high)
{
  gboolean any = FALSE;
  for (guint i = 0; i < g_list_model_get_n_items(G_LIST_MODEL(self->layers)); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(G_LIST_MODEL(self->layers), i);
    DebyeVec3 a, b;
    if (!debye_layer_get_visible(layer) || !debye_layer_get_bounds(layer, &a, &b))
      continue;
    *low = any ? smaller(*low, a) : a;
    *high = any ? larger(*high, b) : b;
    any = TRUE;
  }
  if (any)
    add_images(self, low, high);
  return any;
}

void
debye_scene_settle(DebyeScene *self)
{
  for (guint i = 0; i < g_list_model_get_n_items(G_LIST_MODEL(self->layers)); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(G_LIST_MODEL(self->layers), i);
    debye_layer_settle(layer);
  }
}

gboolean
debye_scene_has_texts(DebyeScene *self)
{
  g_return_val_if_fail(DEBYE_IS_SCENE(self), FALSE);
  return debye_overlay_has_texts(G_LIST_MODEL(self->layers), debye_scene_get_look(self));
}

/* --- Drawing --- */

static void
release_removed(DebyeScene *self, gboolean context_lost)
{
  for (guint i = 0; i < self->removed->len; i++)
    debye_layer_release(g_ptr_array_index(self->removed, i), context_lost);
  g_ptr_array_set_size(self->removed, 0);
}

/* The renderer no longer has them. */
static void
forget_pictures(DebyeScene *self)
{
  self->sketched.content = self->still.content = 0;
  self->n_samples = 0;
}

void
debye_scene_release(DebyeScene *self, gboolean context_lost)
{
  if (!self->layers)
    return;
  for (guint i = 0; i < g_list_model_get_n_items(G_LIST_MODEL(self->layers)); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(G_LIST_MODEL(self->layers), i);
    debye_layer_release(layer, context_lost);
  }
  release_removed(self, context_lost);
  if (self->overlay)
    debye_overlay_free(g_steal_pointer(&self->overlay), context_lost);
  if (self->renderer)
    debye_renderer_free(g_steal_pointer(&self->renderer), context_lost);
  forget_pictures(self);
}

static void
ensure_renderer(DebyeScene *self)
{
  if (self->renderer)
    return;
  self->renderer = debye_renderer_new();
  self->overlay = debye_overlay_new();
}

gboolean
debye_scene_is_software(DebyeScene *self)
{
  ensure_renderer(self);
  return debye_programs_is_software(debye_renderer_get_programs(self->renderer));
}

static void
complete_picture(DebyeScene *self, DebyePicture *picture)
{
  picture->camera = &self->camera;
  picture->look = &self->look;
  if (debye_scene_get_bounds(self, &picture->low, &picture->high))
    return;
  picture->low = debye_vec3(-1.0, -1.0, -1.0);
  picture->high = debye_vec3(1.0, 1.0, 1.0);
}

/* Between drawing and whoever else uses the context. */
static void
leave_context(GLint target)
{
  glBindVertexArray(0);
  glUseProgram(0);
  glActiveTexture(GL_TEXTURE0);
  glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)target);
}

static void
draw_overlay(DebyeScene *self, const DebyePicture *picture)
{
  debye_overlay_draw(self->overlay, self->renderer, G_LIST_MODEL(self->layers), picture, self->content);
}

/* --- Views --- */

static Subject
get_subject(DebyeScene *self)
{
  Subject subject;
  memset(&subject, 0, sizeof subject); /* subjects are compared by their bytes */
  subject.content = self->content;
  memcpy(&subject.camera, &self->camera, sizeof subject.camera);
  memcpy(&subject.look, &self->look, sizeof subject.look);
  subject.width = self->width;
  subject.height = self->height;
  subject.scale = self->scale;
  return subject;
}

static gboolean
same_subject(const Subject *a, const Subject *b)
{
  return memcmp(a, b, sizeof *a) == 0;
}

static DebyePicture
make_picture(DebyeScene *self)
{
  DebyePicture picture = {.width = self->width,
                          .height = self->height,
                          .tile_width = self->width,
                          .tile_height = self->height,
                          .scale = self->scale,
                          .least_font_size = self->least_font_size};
  complete_picture(self, &picture);
  return picture;
}

static int
count_samples_wanted(DebyeScene *self)
{
  if (self->look.samples > 0)
    return self->look.samples;
  if (self->still_samples >= 0)
    return self->still_samples;
  return debye_scene_is_software(self) ? STILL_SAMPLES_SOFTWARE : STILL_SAMPLES;
}

/* The samples, where there are any of just this; else a sketch of it. */
static gboolean
draw_view(DebyeScene *self, const DebyePicture *picture, GLuint target, GError **error)
{
  GListModel *layers = G_LIST_MODEL(self->layers);
  Subject subject = get_subject(self);
  int n_samples = same_subject(&subject, &self->still) ? self->n_samples : 0;
  if (n_samples == 0 && !same_subject(&subject, &self->sketched)) {
    self->still.content = 0;
    if (!debye_renderer_sketch(self->renderer, layers, picture, error))
      return FALSE;
    memcpy(&self->sketched, &subject, sizeof subject);
  }
  debye_renderer_show(self->renderer, picture, target, n_samples);
  draw_overlay(self, picture);
  return TRUE;
}

void
debye_scene_set_least_font_size(DebyeScene *self, double pixels)
{
  self->least_font_size = pixels;
}

void
debye_scene_set_still_samples(DebyeScene *self, int n_samples)
{
  self->still_samples = n_samples;
}

gboolean
debye_scene_draw(DebyeScene *self, int width, int height, double scale, GError **error)
{
  GLint target = 0;
  if (width < 1 || height < 1)
    return TRUE;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
  ensure_renderer(self);
  release_removed(self, FALSE);
  self->width = width;
  self->height = height;
  self->scale = scale;
  DebyePicture picture = make_picture(self);
  gboolean drawn = draw_view(self, &picture, (GLuint)target, error);
  leave_context(target);
  return drawn;
}

gboolean
debye_scene_is_smooth(DebyeScene *self)
{
  Subject subject = get_subject(self);
  if (self->renderer == NULL || self->width < 1)
    return TRUE; /* no view was drawn yet */
  const int wanted = count_samples_wanted(self);
  return wanted == 0 || (same_subject(&subject, &self->still) && self->n_samples >= wanted);
}

gboolean
debye_scene_refine(DebyeScene *self, gboolean *better, GError **error)
{
  GLint target = 0;
  *better = FALSE;
  if (debye_scene_is_smooth(self))
    return TRUE;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
  Subject subject = get_subject(self);
  if (!same_subject(&subject, &self->still)) {
    memcpy(&self->still, &subject, sizeof subject);
    self->n_samples = 0;
    debye_renderer_begin(self->renderer);
  }
  DebyePicture picture = make_picture(self);
  gboolean drawn = debye_renderer_refine(self->renderer, G_LIST_MODEL(self->layers), &picture,
                                         self->n_samples, better, error);
  self->n_samples += *better;
  leave_context(target);
  return drawn;
}

/* --- Pictures to keep --- */

gboolean
debye_scene_begin_tiles(DebyeScene *self, int width, int height, double scale)
{
  DebyePicture picture = {.width = width, .height = height, .scale = scale, .thorough = TRUE};
  ensure_renderer(self);
  release_removed(self, FALSE);
  complete_picture(self, &picture);
  return debye_renderer_draw_overview(self->renderer, G_LIST_MODEL(self->layers), &picture);
}

static int
count_capture_samples(DebyeScene *self, const DebyePicture *picture)
{
  const gboolean large = (gsize)picture->width * (gsize)picture->height > LARGE_CAPTURE;
  return large && debye_scene_is_software(self) ? LARGE_CAPTURE_SAMPLES : CAPTURE_SAMPLES;
}

gboolean
debye_scene_draw_tile(DebyeScene *self, int width, int height, double scale, const DebyeTile *tile,
                      int samples, GError **error)
{
  DebyePicture picture = {.width = width,
                          .height = height,
                          .left = tile->left,
                          .bottom = tile->bottom,
                          .tile_width = tile->width,
                          .tile_height = tile->height,
                          .scale = scale,
                          .thorough = TRUE,
                          .n_samples = samples};
  GLint target = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
  ensure_renderer(self);
  if (samples <= 0)
    picture.n_samples = count_capture_samples(self, &picture);
  release_removed(self, FALSE);
  complete_picture(self, &picture);
  self->still.content = 0; /* the samples of the view are overwritten */
  gboolean drawn =
      debye_renderer_draw(self->renderer, G_LIST_MODEL(self->layers), &picture, (GLuint)target, error);
  if (drawn)
    draw_overlay(self, &picture);
  leave_context(target);
  return drawn;
}
