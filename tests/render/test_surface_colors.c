/* SPDX-License-Identifier: MIT */
/* The colours of molecular surfaces: each vertex has those of the atoms around it, by their Gaussians. Of two
 * atoms that is known in closed form. */
#include <string.h>

#include "app/scene/surface_depths.h"
#include "render/scene/capture.h"
#include "render/mesh/sphere_surface.h"
#include "render/mesh/molecular_surface.h"
#include "render/layers/molecular_surface_layer.h"
#include "render/layers/molecule_layer.h"
#include "render/scene/scene.h"
#include "render/mesh/surface_owners.h"

#define SIDE 160
#define RED 0
#define BLUE 2

static const guint32 numbers[] = {0, 1, 2, 3, 4, 5, 6, 7};
static const float zeros[8];

/* A mesh of vertices alone, on the x axis. */
static DebyeMesh *
vertices_at(const float *x, gsize n)
{
  DebyeMesh *mesh = g_new0(DebyeMesh, 1);
  mesh->n_vertices = n;
  mesh->positions = g_new0(float, 3 * n);
  for (gsize i = 0; i < n; i++)
    mesh->positions[3 * i] = x[i];
  return mesh;
}

/* 0 … 1, as light. */
static double
light(guint8 color)
{
  return (double)color * (double)color / (255.0 * 255.0);
}

/* A red atom and a blue one, as large, 2a apart: at x the blue one's share is 1 / (1 + exp(−2 a x / blend²)),
 * half in the middle; far to one side, where the other would have a thirty-second, there is one colour alone.
 * What one colour gains the other loses. */
static void
test_two_atoms(void)
{
  static const guint8 of_atoms[] = {255, 0, 0, 0, 0, 0, 255, 0};
  const double a = 1.2, blend = 0.7;
  const float places[] = {-1.2f, 1.2f}, radii[] = {1.7f, 1.7f};
  float x[81];
  for (int i = 0; i < 81; i++)
    x[i] = 0.05f * (float)(i - 40);
  g_autoptr(DebyeMesh) mesh = vertices_at(x, G_N_ELEMENTS(x));
  DebyeSurfaceAtoms atoms = {2, places, zeros, zeros, radii, numbers, 0.9, 0.0};
  g_assert_true(debye_surface_find_owners(&atoms, blend, mesh, NULL));
  g_autofree guint8 *colors = debye_mesh_mix_colors(mesh, of_atoms);
  for (gsize i = 0; i < G_N_ELEMENTS(x); i++) {
    const guint8 *color = colors + 4 * i;
    double share = 1.0 / (1.0 + exp(-2.0 * a * (double)x[i] / (blend * blend)));
    g_assert_cmpfloat_with_epsilon(light(color[BLUE]), share, 0.033);
    g_assert_cmpfloat_with_epsilon(light(color[RED]) + light(color[BLUE]), 1.0, 0.01);
    if (i != 40)
      g_assert_cmpuint(mesh->atoms[i], ==, x[i] > 0.0f ? 1 : 0);
  }
  g_assert_cmpint(ABS((int)colors[4 * 40 + RED] - 180), <=, 1); /* 255 √½ */
  g_assert_cmpint(ABS((int)colors[4 * 40 + BLUE] - 180), <=, 1);
  g_assert_cmpmem(colors, 4, of_atoms, 4);
  g_assert_cmpmem(colors + 4 * 80, 4, of_atoms + 4, 4);
}

/* Of atoms in one colour nothing is mixed that would differ by a shade; and a mesh without blends, as a
 * cartoon's, has its atoms' colours. */
static void
test_one_color(void)
{
  const float places[] = {-1.0f, 0.0f, 1.0f, 2.0f}, radii[] = {1.7f, 1.1f, 1.5f, 1.7f};
  const float x[] = {-2.0f, -0.4f, 0.3f, 0.5f, 1.4f};
  g_autoptr(DebyeMesh) mesh = vertices_at(x, G_N_ELEMENTS(x));
  DebyeSurfaceAtoms atoms = {4, places, zeros, zeros, radii, numbers, 0.9, 0.0};
  g_assert_true(debye_surface_find_owners(&atoms, 1.0, mesh, NULL));
  for (int shade = 0; shade < 256; shade++) {
    guint8 of_atoms[16];
    memset(of_atoms, shade, sizeof of_atoms);
    g_autofree guint8 *colors = debye_mesh_mix_colors(mesh, of_atoms);
    for (gsize i = 0; i < 4 * G_N_ELEMENTS(x); i++)
      g_assert_cmpuint(i % 4 == 3 ? shade : colors[i], ==, shade);
  }
  const guint8 own[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  g_clear_pointer(&mesh->blends, g_free);
  g_autofree guint8 *colors = debye_mesh_mix_colors(mesh, own);
  for (gsize i = 0; i < G_N_ELEMENTS(x); i++)
    g_assert_cmpmem(colors + 4 * i, 4, own + 4 * (gsize)mesh->atoms[i], 4);
}

/* More atoms in a ring than a vertex has room for: along it, and inside where all are near, no colour jumps.
 */
static void
test_many_atoms(void)
{
  enum { N = 400 };
  guint8 of_atoms[8 * 4] = {0};
  float x[8], y[8], radii[8], places[2 * N];
  for (int i = 0; i < 8; i++) {
    x[i] = (float)(1.5 * cos(2.0 * G_PI * i / 8.0));
    y[i] = (float)(1.5 * sin(2.0 * G_PI * i / 8.0 + 0.03));
    radii[i] = 1.6f;
    of_atoms[4 * i + (i % 2 ? BLUE : RED)] = 255;
  }
  for (int i = 0; i < 2 * N; i++)
    places[i] = (i < N ? 2.2f : 0.6f) * cosf(2.0f * (float)G_PI * (float)i / N);
  g_autoptr(DebyeMesh) mesh = vertices_at(places, G_N_ELEMENTS(places));
  for (int i = 0; i < 2 * N; i++)
    mesh->positions[3 * i + 1] = (i < N ? 2.2f : 0.6f) * sinf(2.0f * (float)G_PI * (float)i / N);
  DebyeSurfaceAtoms atoms = {8, x, y, zeros, radii, numbers, 0.9, 0.0};
  g_assert_true(debye_surface_find_owners(&atoms, 0.7, mesh, NULL));
  g_autofree guint8 *colors = debye_mesh_mix_colors(mesh, of_atoms);
  for (gsize i = 1; i < 2 * N; i++)
    if (i != N)
      g_assert_cmpfloat_with_epsilon(light(colors[4 * i + BLUE]), light(colors[4 * i - 4 + BLUE]), 0.05);
}

/* A vertex finds the nearest atom however far that is: surfaces of coarse resolution lie well outside. */
static void
test_far_vertex(void)
{
  const float places[] = {-60.0f, 0.0f}, radii[] = {1.7f, 1.7f}, x[] = {15.0f, -50.0f, -29.0f};
  g_autoptr(DebyeMesh) mesh = vertices_at(x, G_N_ELEMENTS(x));
  DebyeSurfaceAtoms atoms = {2, places, zeros, zeros, radii, numbers, 0.9, 0.0};
  g_assert_true(debye_surface_find_owners(&atoms, 0.7, mesh, NULL));
  g_assert_cmpuint(mesh->atoms[0], ==, 1);
  g_assert_cmpuint(mesh->atoms[1], ==, 0);
  g_assert_cmpuint(mesh->atoms[2], ==, 1);
}

/* Atoms that stand a micrometre off, as those that a file has no place for may: the space between costs
 * nothing. */
static void
test_scattered_atoms(void)
{
  const float x[] = {0.0f, 2.0f, 9999.0f}, y[] = {0.0f, 0.0f, 9999.0f}, radii[] = {1.7f, 1.5f, 1.5f};
  DebyeSurfaceAtoms atoms = {3, x, y, y, radii, numbers, 0.9, 0.0};
  g_autoptr(DebyeMesh) mesh = debye_molecular_surface_new(&atoms, 100000, NULL);
  g_assert_nonnull(mesh);
  g_autoptr(DebyeMesh) excluded =
      debye_sphere_surface_new(&atoms, DEBYE_MESH_SURFACE_EXCLUDED, 1.4, 100000, NULL);
  g_assert_nonnull(excluded);
}

/* --- The layer --- */

typedef struct {
  DebyeOffscreen *offscreen;
  DebyeScene *scene;
  DebyeMolecularSurfaceLayer *layer;
} Fixture;

/* An oxygen on the left and a nitrogen on the right, seen from above, so that the border is in the middle. */
static void
set_up(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  for (int i = 0; i < 2; i++) {
    DebyeAtom atom = DEBYE_ATOM_INIT;
    atom.name = atom.element = i == 0 ? "O" : "N";
    debye_topology_builder_add_atom(builder, &atom);
  }
  g_autoptr(DebyeTopology) topology = debye_topology_builder_finish(builder);
  g_autoptr(DebyeFrame) frame = debye_frame_new(2);
  for (gsize i = 0; i < 2; i++) {
    frame->x[i] = i == 0 ? -1.5f : 1.5f;
    frame->y[i] = frame->z[i] = 0.0f;
  }
  fixture->offscreen = debye_offscreen_new(&error);
  g_assert_no_error(error);
  fixture->scene = debye_scene_new();
  *debye_scene_get_look(fixture->scene) = (DebyeLook){.background = {1.0f, 1.0f, 1.0f, 1.0f},
                                                      .light_turn = -25.66f,
                                                      .light_tilt = 28.42f,
                                                      .brightness = 1.0f};
  DebyeCamera *camera = debye_scene_get_camera(fixture->scene);
  camera->perspective = FALSE;
  camera->height = 8.0f;
  fixture->layer = debye_molecular_surface_layer_new(topology);
  debye_layer_show_frame(DEBYE_LAYER(fixture->layer), frame);
  debye_scene_add(fixture->scene, DEBYE_LAYER(fixture->layer));
}

static void
tear_down(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  debye_scene_release(fixture->scene, FALSE);
  g_object_unref(fixture->scene);
  g_object_unref(fixture->layer);
  debye_offscreen_free(fixture->offscreen);
}

/* How much more blue than red there is in the picture, −255 … 255, at ten places from left to right. */
static void
measure_row(Fixture *fixture, int differences[10])
{
  g_autoptr(GError) error = NULL;
  debye_scene_settle(fixture->scene);
  g_autoptr(GBytes) picture = debye_capture(fixture->scene, SIDE, SIDE, 1.0, FALSE, 1, &error);
  g_assert_no_error(error);
  const guint8 *row = (const guint8 *)g_bytes_get_data(picture, NULL) + 4 * SIDE * (SIDE / 2);
  for (int i = 0; i < 10; i++) {
    const guint8 *pixel = row + 4 * (SIDE / 2 - 45 + 10 * i);
    differences[i] = pixel[BLUE] - pixel[RED];
  }
}

/* From red to blue without a step, in both kinds of surfaces. */
static void
test_picture(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (int kind = DEBYE_MESH_SURFACE_GAUSSIAN; kind <= DEBYE_MESH_SURFACE_ACCESSIBLE; kind++) {
    int differences[10];
    g_object_set(fixture->layer, "kind", kind, NULL);
    measure_row(fixture, differences);
    g_assert_cmpint(differences[0], <, -100);
    g_assert_cmpint(differences[9], >, 100);
    g_assert_cmpint(ABS(differences[4] + differences[5]), <, 140);
    g_assert_cmpint(differences[4], >, differences[1] + 15);
    g_assert_cmpint(differences[5], <, differences[8] - 15);
  }
}

/* Other colours need no other mesh; those that are chosen while one is made are those that it gets. Picking
 * finds the nearest atom. */
static void
test_recolor(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  DebyeMoleculeMeshLayer *layer = DEBYE_MOLECULE_MESH_LAYER(fixture->layer);
  int differences[10];
  DebyePick pick;
  measure_row(fixture, differences);
  const DebyeMesh *mesh = debye_mesh_layer_get_mesh(DEBYE_MESH_LAYER(layer));
  g_object_set(layer, "color", 0xff0000, NULL);
  debye_molecule_mesh_layer_set_coloring(layer, DEBYE_COLOR_UNIFORM);
  measure_row(fixture, differences);
  g_assert_true(debye_mesh_layer_get_mesh(DEBYE_MESH_LAYER(layer)) == mesh);
  for (int i = 0; i < 10; i++)
    g_assert_cmpint(differences[i], <, -100);
  debye_layer_show_frame(DEBYE_LAYER(layer), debye_layer_get_shown(DEBYE_LAYER(layer))->frame);
  g_object_set(layer, "color", 0x0000ff, NULL);
  measure_row(fixture, differences);
  for (int i = 0; i < 10; i++)
    g_assert_cmpint(differences[i], >, 100);
  g_assert_true(debye_scene_pick(fixture->scene, SIDE / 2 - 4, SIDE / 2, SIDE, SIDE, &pick));
  g_assert_cmpint(pick.atom, ==, 0);
  g_assert_true(debye_scene_pick(fixture->scene, SIDE / 2 + 4, SIDE / 2, SIDE, SIDE, &pick));
  g_assert_cmpint(pick.atom, ==, 1);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  debye_surface_depths_lend();
  g_test_add_func("/surface-colors/two-atoms", test_two_atoms);
  g_test_add_func("/surface-colors/one-color", test_one_color);
  g_test_add_func("/surface-colors/many-atoms", test_many_atoms);
  g_test_add_func("/surface-colors/far-vertex", test_far_vertex);
  g_test_add_func("/surface-colors/scattered-atoms", test_scattered_atoms);
  g_test_add("/surface-colors/picture", Fixture, NULL, set_up, test_picture, tear_down);
  g_test_add("/surface-colors/recolor", Fixture, NULL, set_up, test_recolor, tear_down);
  return g_test_run();
}
