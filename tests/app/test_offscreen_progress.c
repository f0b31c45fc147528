/* SPDX-License-Identifier: MIT */
/* What a drawing off screen tells of its way: something before surfaces are made, never back, and Stop before them. */
#include "app/scene/offscreen_renderer.h"

#define WIDTH 64
#define HEIGHT 48

typedef struct {
  double first, last;
  guint n_told, n_wanted; /* calls up to which it goes on */
} Told;

static gboolean
tell(double fraction, gpointer data)
{
  Told *told = data;
  if (told->n_told == 0)
    told->first = fraction;
  else
    g_assert_cmpfloat(fraction, >=, told->last);
  told->last = fraction;
  return ++told->n_told < told->n_wanted;
}

static GBytes *
draw(DebyeOffscreenRenderer *renderer, Told *told)
{
  const DebyeCaptureSize size = {.width = WIDTH, .height = HEIGHT, .scale = 1.0, .samples = 1};
  g_autoptr(GError) error = NULL;
  GBytes *pixels = debye_offscreen_renderer_draw(renderer, &size, tell, told, &error);
  g_assert_no_error(error);
  return pixels;
}

static void
test_progress(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeScene) scene = debye_scene_new();
  g_autoptr(DebyeSceneCopy) copy = debye_scene_copy_new(scene, NULL);
  DebyeOffscreenRenderer *renderer = debye_offscreen_renderer_new(copy, NULL, &error);
  if (renderer == NULL) {
    g_test_skip(error->message);
    return;
  }
  Told whole = {.n_wanted = G_MAXUINT}, stopped = {.n_wanted = 1};
  g_autoptr(GBytes) pixels = draw(renderer, &whole);
  g_assert_cmpuint(g_bytes_get_size(pixels), ==, 4 * WIDTH * HEIGHT);
  /* A bar that is seen, long before the picture is. */
  g_assert_cmpfloat(whole.first, >, 0.01);
  g_assert_cmpfloat(whole.first, <, 0.2);
  g_assert_cmpuint(whole.n_told, >=, 2);
  g_assert_null(draw(renderer, &stopped));
  debye_offscreen_renderer_free(renderer);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/offscreen-renderer/progress", test_progress);
  return g_test_run();
}
