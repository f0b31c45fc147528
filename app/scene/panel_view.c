/* SPDX-License-Identifier: MIT */
/* Implementation of panel_view.h; called by window_figure.c. */
#include "panel_view.h"

#include <string.h>

#include "render/plot/plot_style.h"
#include "render/scene/look_settings.h"

gboolean
debye_panel_shape_equals(const DebyePanelShape *a, const DebyePanelShape *b)
{
  return a->size.height == b->size.height && a->size.scale == b->size.scale && a->dark == b->dark;
}

GBytes *
debye_panel_view_draw(DebyeOffscreenRenderer *renderer, const DebyeCamera *camera,
                      const DebyePanelShape *shape, DebyeDrawingProgress progress, gpointer data,
                      GError **error)
{
  DebyeScene *scene = debye_offscreen_renderer_get_scene(renderer);
  debye_look_settings_change_paper(scene, shape->dark ? "screen" : "figure", shape->dark);
  DebyePlotStyle page;
  debye_plot_style_init(&page, shape->dark, 1.0);
  const float background[] = {page.background.red, page.background.green, page.background.blue, 1.0f};
  memcpy(debye_scene_get_look(scene)->background, background, sizeof background);
  *debye_scene_get_camera(scene) = *camera;
  debye_scene_changed(scene);
  return debye_offscreen_renderer_draw(renderer, &shape->size, progress, data, error);
}

/* --- Thumbnails --- */

typedef struct {
  DebyeSceneCopy *copy;
  GArray *cameras; /* DebyeCamera */
  DebyePanelShape shape;
} Thumbnails;

static void
thumbnails_free(gpointer data)
{
  Thumbnails *thumbnails = data;
  debye_scene_copy_free(thumbnails->copy);
  g_array_unref(thumbnails->cameras);
  g_free(thumbnails);
}

static void
bytes_unref_or_null(gpointer bytes)
{
  if (bytes != NULL)
    g_bytes_unref(bytes);
}

static void
pictures_unref(gpointer pictures)
{
  g_ptr_array_unref(pictures);
}

/* Thumbnails are soon drawn: nobody waits for their progress. */
static gboolean
go_on(double fraction G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED)
{
  return TRUE;
}

static void
draw_thumbnails(GTask *task, gpointer source G_GNUC_UNUSED, gpointer data,
                GCancellable *cancellable G_GNUC_UNUSED)
{
  const Thumbnails *thumbnails = data;
  g_autoptr(DebyeOffscreenRenderer) renderer = debye_offscreen_renderer_new(thumbnails->copy, NULL, NULL);
  GPtrArray *pictures = g_ptr_array_new_with_free_func(bytes_unref_or_null);
  for (guint i = 0; renderer != NULL && i < thumbnails->cameras->len; i++) {
    const DebyeCamera *camera = &g_array_index(thumbnails->cameras, DebyeCamera, i);
    g_ptr_array_add(pictures, debye_panel_view_draw(renderer, camera, &thumbnails->shape, go_on, NULL, NULL));
  }
  g_task_return_pointer(task, pictures, pictures_unref);
}

void
debye_panel_thumbnails_draw(DebyeSceneCopy *copy, GArray *cameras, const DebyePanelShape *shape,
                            GAsyncReadyCallback callback, gpointer data)
{
  Thumbnails *thumbnails = g_new(Thumbnails, 1);
  *thumbnails = (Thumbnails){.copy = copy, .cameras = cameras, .shape = *shape};
  g_autoptr(GTask) task = g_task_new(NULL, NULL, callback, data);
  g_task_set_task_data(task, thumbnails, thumbnails_free);
  g_task_run_in_thread(task, draw_thumbnails);
}

GPtrArray *
debye_panel_thumbnails_finish(GAsyncResult *result, DebyePanelShape *shape)
{
  const Thumbnails *thumbnails = g_task_get_task_data(G_TASK(result));
  *shape = thumbnails->shape;
  return g_task_propagate_pointer(G_TASK(result), NULL);
}
