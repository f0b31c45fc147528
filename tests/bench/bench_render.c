/* SPDX-License-Identifier: MIT */
/* How fast pictures are made, off screen at 1280×800: milliseconds a frame while the view turns, for atoms
 * and triangles, and the time of a mesh on one core. Prints one table. Timed with glFinish and a monotonic
 * clock, which every GL has. */
#include <stdio.h>
#include <stdlib.h>

#include "render/scene/capture.h"
#include "render/layers/isosurface_layer.h"
#include "render/mesh/marching_cubes.h"
#include "render/mesh/mesh_coarse.h"
#include "render/layers/molecule_layer.h"
#include "tests/render/sample_scene.h"

#define WIDTH 1280
#define HEIGHT 800

static void
check(gboolean drawn, const GError *error)
{
  if (!drawn)
    g_error("%s", error->message);
}

/* What a view does while it moves, or all of one sample of it at rest. */
static void
draw_frame(DebyeScene *scene, gboolean still)
{
  g_autoptr(GError) error = NULL;
  gboolean better = FALSE;
  if (!still)
    check(debye_scene_draw(scene, WIDTH, HEIGHT, 1.0, &error), error);
  while (still && !better)
    check(debye_scene_refine(scene, &better, &error), error);
  glFinish();
}

/* Median milliseconds of a frame; each turns the camera a little. */
static double
time_frames(DebyeScene *scene, int n, gboolean still)
{
  double *times = g_new(double, n);
  DebyeCamera *camera = debye_scene_get_camera(scene);
  for (int i = -2; i < n; i++) {
    debye_camera_orbit(camera, 600.0, 400.0, 615.0, 396.0, WIDTH, HEIGHT);
    gint64 start = g_get_monotonic_time();
    draw_frame(scene, still);
    if (i >= 0)
      times[i] = (double)(g_get_monotonic_time() - start) / 1e3;
  }
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && times[j] < times[j - 1]; j--) {
      double swap = times[j];
      times[j] = times[j - 1];
      times[j - 1] = swap;
    }
  double median = times[n / 2];
  g_free(times);
  return median;
}

static void
report(const char *what, DebyeScene *scene, int n)
{
  debye_scene_settle(scene);
  debye_scene_view_all(scene, (double)WIDTH / HEIGHT);
  double moving = time_frames(scene, n, FALSE), still = time_frames(scene, n, TRUE);
  printf("%-44s %10.2f %10.2f\n", what, moving, still);
}

static void
bench_atoms(gsize n_atoms, DebyeMoleculeStyle style, const char *name, int n_frames)
{
  SampleMolecule molecule = sample_liquid(n_atoms);
  g_autoptr(DebyeScene) scene = debye_scene_new();
  g_autoptr(DebyeMoleculeLayer) layer = debye_molecule_layer_new(molecule.topology);
  debye_layer_show_frame(DEBYE_LAYER(layer), molecule.frame);
  debye_molecule_layer_set_style(layer, style);
  debye_scene_add(scene, DEBYE_LAYER(layer));
  char title[96];
  g_snprintf(title, sizeof title, "%" G_GSIZE_FORMAT " atoms, %s", n_atoms, name);
  report(title, scene, n_frames);
  *debye_scene_get_look(scene) = (DebyeLook){.background = {0.0f, 0.0f, 0.0f, 1.0f},
                                             .light_turn = -25.66f,
                                             .light_tilt = 28.42f,
                                             .brightness = 1.0f};
  g_snprintf(title, sizeof title, "%" G_GSIZE_FORMAT " atoms, %s, plain look", n_atoms, name);
  report(title, scene, n_frames);
  gint64 start = g_get_monotonic_time();
  for (int i = 0; i < n_frames; i++) {
    debye_layer_show_frame(DEBYE_LAYER(layer), molecule.frame);
    draw_frame(scene, FALSE);
  }
  printf("%-44s %10.2f\n", "  with a new frame of coordinates each",
         (double)(g_get_monotonic_time() - start) / 1e3 / n_frames);
  DebyePick pick;
  start = g_get_monotonic_time();
  for (int i = 0; i < 10; i++)
    debye_scene_pick(scene, 600.0 + i, 400.0, WIDTH, HEIGHT, &pick);
  printf("%-44s %10.2f\n", "  finding the atom under the pointer",
         (double)(g_get_monotonic_time() - start) / 1e4);
  debye_scene_release(scene, FALSE);
  sample_molecule_clear(&molecule);
}

static void
bench_surface(gsize n, double opacity, int n_frames)
{
  g_autoptr(DebyeField) field = sample_potential(n, 60.0);
  g_autoptr(DebyeScene) scene = debye_scene_new();
  for (int sign = -1; sign <= 1; sign += 2) {
    g_autoptr(DebyeIsosurfaceLayer) layer = debye_isosurface_layer_new(field, 1.0 * sign);
    debye_layer_set_opacity(DEBYE_LAYER(layer), opacity);
    debye_scene_add(scene, DEBYE_LAYER(layer));
  }
  g_autoptr(DebyeMesh) low =
      debye_marching_cubes(debye_field_get_grid(field), debye_field_get_values(field), -1.0, NULL);
  g_autoptr(DebyeMesh) high =
      debye_marching_cubes(debye_field_get_grid(field), debye_field_get_values(field), 1.0, NULL);
  char title[96];
  g_snprintf(title, sizeof title, "%" G_GSIZE_FORMAT " triangles, opacity %.1f",
             low->n_triangles + high->n_triangles, opacity);
  report(title, scene, n_frames);
  debye_scene_release(scene, FALSE);
}

/* What a level that is moved, or a new frame, waits for. */
static void
bench_mesh(gsize n)
{
  g_autoptr(DebyeField) field = sample_potential(n, 60.0);
  const DebyeGrid *grid = debye_field_get_grid(field);
  const float *values = debye_field_get_values(field);
  double best[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
  gsize n_triangles = 0;
  for (int i = 0; i < 9; i++) {
    gint64 at[5] = {g_get_monotonic_time()};
    g_autoptr(DebyeMesh) one = debye_marching_cubes_in_slabs(grid, values, 1.0, 1, NULL);
    at[1] = g_get_monotonic_time();
    g_autoptr(DebyeMesh) mesh = debye_marching_cubes(grid, values, 1.0, NULL);
    at[2] = g_get_monotonic_time();
    debye_mesh_sample(mesh, field, 0.0);
    at[3] = g_get_monotonic_time();
    debye_mesh_coarsen(mesh, DEBYE_COARSE_TRIANGLES);
    at[4] = g_get_monotonic_time();
    for (int k = 0; k < 4; k++)
      best[k] = MIN(best[k], (double)(at[k + 1] - at[k]) / 1e3);
    n_triangles = mesh->n_triangles;
  }
  printf("mesh of %" G_GSIZE_FORMAT "³ points, %" G_GSIZE_FORMAT
         " triangles: one thread %.2f, all %.2f, colored %.2f, thinned out %.2f\n",
         n, n_triangles, best[0], best[1], best[2], best[3]);
}

static GLuint
bind_picture(void)
{
  GLuint framebuffer, color;
  glGenFramebuffers(1, &framebuffer);
  glGenRenderbuffers(1, &color);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glBindRenderbuffer(GL_RENDERBUFFER, color);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, WIDTH, HEIGHT);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
  return framebuffer;
}

/* Arguments: the largest number of atoms (default 1,000,000) and the frames a measurement (30). */
int
main(int argc, char **argv)
{
  gsize largest = argc > 1 ? (gsize)g_ascii_strtoull(argv[1], NULL, 10) : 1000000;
  int n_frames = argc > 2 ? (int)CLAMP(atoi(argv[2]), 1, 10000) : 30;
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeOffscreen) offscreen = debye_offscreen_new(&error);
  if (!offscreen) {
    fprintf(stderr, "bench_render: %s\n", error->message);
    return 1;
  }
  bind_picture();
  printf("%s, %d × %d\n%-44s %10s %10s\n", debye_offscreen_get_renderer(offscreen), WIDTH, HEIGHT,
         "ms a frame", "moving", "still");
  for (gsize n = 10000; n <= largest; n *= 10)
    bench_atoms(n, DEBYE_STYLE_SPHERES, "spheres", n_frames);
  bench_surface(128, 1.0, n_frames);
  bench_surface(128, 0.5, n_frames);
  bench_mesh(128);
  bench_mesh(256);
  return 0;
}
