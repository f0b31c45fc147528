/* SPDX-License-Identifier: MIT */
/* Scenes drawn off screen: against pictures that a person has looked at, and against what must hold for any
 * picture. */
#include <string.h>

#include "golden.h"
#include "render/layers/box_layer.h"
#include "render/scene/capture_private.h"
#include "render/layers/isosurface_layer.h"
#include "render/layers/label_layer.h"
#include "render/layers/molecule_layer.h"
#include "render/scene/scene_private.h"
#include "render/layers/slice_layer.h"
#include "sample_scene.h"

#define WIDTH 320
#define HEIGHT 240

typedef struct {
  DebyeOffscreen *offscreen;
  DebyeScene *scene;
  SampleMolecule molecule;
  DebyeField *field;
} Fixture;

static void
set_up(Fixture *fixture, gconstpointer data)
{
  g_autoptr(GError) error = NULL;
  fixture->offscreen = debye_offscreen_new_for_api(data != NULL, &error);
  g_assert_no_error(error);
  fixture->scene = debye_scene_new();
  fixture->molecule = sample_helix(12);
  fixture->field = sample_potential(48, 30.0);
  DebyeCamera *camera = debye_scene_get_camera(fixture->scene);
  debye_camera_orbit(camera, 100.0, 120.0, 190.0, 105.0, WIDTH, HEIGHT);
}

static void
tear_down(Fixture *fixture, gconstpointer data)
{
  (void)data;
  debye_scene_release(fixture->scene, FALSE);
  g_object_unref(fixture->scene);
  g_object_unref(fixture->field);
  sample_molecule_clear(&fixture->molecule);
  debye_offscreen_free(fixture->offscreen);
}

static DebyeMoleculeLayer *
add_molecule(Fixture *fixture, DebyeMoleculeStyle style)
{
  g_autoptr(DebyeMoleculeLayer) layer = debye_molecule_layer_new(fixture->molecule.topology);
  debye_layer_show_frame(DEBYE_LAYER(layer), fixture->molecule.frame);
  debye_molecule_layer_set_style(layer, style);
  debye_scene_add(fixture->scene, DEBYE_LAYER(layer));
  return layer;
}

static DebyeIsosurfaceLayer *
add_isosurface(Fixture *fixture, double level, double opacity)
{
  g_autoptr(DebyeIsosurfaceLayer) layer = debye_isosurface_layer_new(fixture->field, level);
  debye_layer_set_opacity(DEBYE_LAYER(layer), opacity);
  debye_scene_add(fixture->scene, DEBYE_LAYER(layer));
  return layer;
}

static DebyeSliceLayer *
add_slice(Fixture *fixture, DebyeField *field, int axis)
{
  g_autoptr(DebyeSliceLayer) layer = debye_slice_layer_new(field);
  debye_slice_layer_set_axis(layer, axis);
  debye_scene_add(fixture->scene, DEBYE_LAYER(layer));
  return layer;
}

static void
add_box(Fixture *fixture)
{
  g_autoptr(DebyeBoxLayer) layer = debye_box_layer_new();
  DebyeCell cell = {{16, 0, 0}, {4, 15, 0}, {0, 3, 24}};
  debye_box_layer_set_cell(layer, &cell, debye_vec3(-10, -9, -12));
  debye_scene_add(fixture->scene, DEBYE_LAYER(layer));
}

static GBytes *
capture(Fixture *fixture, int width, int height)
{
  g_autoptr(GError) error = NULL;
  GBytes *picture = debye_capture(fixture->scene, width, height, 1.0, FALSE, 4, &error);
  g_assert_no_error(error);
  return picture;
}

static void
view_all(Fixture *fixture)
{
  debye_scene_settle(fixture->scene);
  debye_scene_view_all(fixture->scene, (double)WIDTH / HEIGHT);
}

static const guint8 *
pixel(GBytes *picture, int width, int x, int y)
{
  return (const guint8 *)g_bytes_get_data(picture, NULL) + 4 * ((gsize)y * (gsize)width + (gsize)x);
}

/* Shares of the pixels that are not background. */
static double
covered(GBytes *picture)
{
  gsize n;
  const guint8 *p = g_bytes_get_data(picture, &n);
  gsize different = 0;
  for (gsize i = 0; i < n; i += 4)
    different += abs(p[i] - p[0]) + abs(p[i + 1] - p[1]) + abs(p[i + 2] - p[2]) > 20;
  return (double)different / (double)(n / 4);
}

/* --- Pictures --- */

static void
test_spheres(Fixture *fixture, gconstpointer data)
{
  (void)data;
  add_molecule(fixture, DEBYE_STYLE_SPHERES);
  view_all(fixture);
  g_autoptr(GBytes) picture = capture(fixture, WIDTH, HEIGHT);
  golden_check(picture, WIDTH, HEIGHT, "spheres");
}

static void
test_ball_and_stick(Fixture *fixture, gconstpointer data)
{
  (void)data;
  add_molecule(fixture, DEBYE_STYLE_BALL_AND_STICK);
  view_all(fixture);
  g_autoptr(GBytes) picture = capture(fixture, WIDTH, HEIGHT);
  golden_check(picture, WIDTH, HEIGHT, "ball-and-stick");
}

static void
test_sticks_by_chain(Fixture *fixture, gconstpointer data)
{
  (void)data;
  DebyeMoleculeLayer *layer = add_molecule(fixture, DEBYE_STYLE_STICKS);
  debye_molecule_layer_set_coloring(layer, DEBYE_COLOR_BY_CHAIN);
  debye_look_preset(debye_scene_get_look(fixture->scene), "screen", FALSE);
  view_all(fixture);
  g_autoptr(GBytes) picture = capture(fixture, WIDTH, HEIGHT);
  golden_check(picture, WIDTH, HEIGHT, "sticks-by-chain");
}

static void
test_lines_in_a_box(Fixture *fixture, gconstpointer data)
{
  (void)data;
  DebyeMoleculeLayer *layer = add_molecule(fixture, DEBYE_STYLE_LINES);
  debye_molecule_layer_set_coloring(layer, DEBYE_COLOR_BY_CHARGE);
  add_box(fixture);
  view_all(fixture);
  g_autoptr(GBytes) picture = capture(fixture, WIDTH, HEIGHT);
  golden_check(picture, WIDTH, HEIGHT, "lines-in-a-box");
}

static void
test_isosurfaces(Fixture *fixture, gconstpointer data)
{
  (void)data;
  add_isosurface(fixture, 6.0, 1.0);
  add_isosurface(fixture, -6.0, 1.0);
  view_all(fixture);
  g_autoptr(GBytes) picture = capture(fixture, WIDTH, HEIGHT);
  golden_check(picture, WIDTH, HEIGHT, "isosurfaces");
}

static void
test_transparent_isosurfaces(Fixture *fixture, gconstpointer data)
{
  (void)data;
  add_molecule(fixture, DEBYE_STYLE_BALL_AND_STICK);
  add_isosurface(fixture, 6.0, 0.45);
  add_isosurface(fixture, -6.0, 0.45);
  add_isosurface(fixture, 15.0, 0.6);
  view_all(fixture);
  g_autoptr(GBytes) picture = capture(fixture, WIDTH, HEIGHT);
  golden_check(picture, WIDTH, HEIGHT, "transparent-isosurfaces");
}

static void
test_slice(Fixture *fixture, gconstpointer data)
{
  (void)data;
  add_molecule(fixture, DEBYE_STYLE_STICKS);
  DebyeSliceLayer *layer = add_slice(fixture, fixture->field, 0);
  debye_slice_layer_set_contours(layer, DEBYE_CONTOURS_ROUND, 0.0);
  view_all(fixture);
  g_autoptr(GBytes) picture = capture(fixture, WIDTH, HEIGHT);
  golden_check(picture, WIDTH, HEIGHT, "slice");
}

static void
test_figure(Fixture *fixture, gconstpointer data)
{
  (void)data;
  add_molecule(fixture, DEBYE_STYLE_SPHERES);
  add_isosurface(fixture, 8.0, 1.0);
  debye_look_preset(debye_scene_get_look(fixture->scene), "figure", FALSE);
  debye_scene_get_camera(fixture->scene)->perspective = FALSE;
  view_all(fixture);
  g_autoptr(GBytes) picture = capture(fixture, WIDTH, HEIGHT);
  golden_check(picture, WIDTH, HEIGHT, "figure");
}

/* OpenGL ES 3.0 draws what desktop GL draws. */
static void
test_embedded(void)
{
  GBytes *pictures[2];
  for (int embedded = 0; embedded < 2; embedded++) {
    Fixture fixture;
    set_up(&fixture, embedded ? &fixture : NULL);
    g_assert_cmpint(epoxy_is_desktop_gl(), ==, !embedded);
    add_molecule(&fixture, DEBYE_STYLE_BALL_AND_STICK);
    add_isosurface(&fixture, 6.0, 0.5);
    add_slice(&fixture, fixture.field, 0);
    add_box(&fixture);
    view_all(&fixture);
    pictures[embedded] = capture(&fixture, WIDTH, HEIGHT);
    tear_down(&fixture, NULL);
  }
  g_assert_cmpfloat(golden_difference(pictures[0], pictures[1], 3), <, 0.001);
  g_bytes_unref(pictures[0]);
  g_bytes_unref(pictures[1]);
}

/* All layers of transparency from one drawing are those that are peeled one by one. */
static void
test_peeling(void)
{
  GBytes *pictures[2];
  for (int peeled = 0; peeled < 2; peeled++) {
    Fixture fixture;
    if (peeled)
      g_setenv("DEBYE_PEELING", "1", TRUE);
    set_up(&fixture, NULL);
    add_molecule(&fixture, DEBYE_STYLE_BALL_AND_STICK);
    for (int level = 2; level <= 14; level += 4) {
      add_isosurface(&fixture, level, 0.4);
      add_isosurface(&fixture, -level, 0.4);
    }
    add_box(&fixture);
    view_all(&fixture);
    pictures[peeled] = capture(&fixture, WIDTH, HEIGHT);
    tear_down(&fixture, NULL);
  }
  g_unsetenv("DEBYE_PEELING");
  /* Where they are peeled, layers are rounded one by one. */
  g_assert_cmpfloat(golden_difference(pictures[0], pictures[1], 2), <, 1e-4);
  g_bytes_unref(pictures[0]);
  g_bytes_unref(pictures[1]);
}

/* --- What must hold --- */

static double
low_value(DebyeVec3 p)
{
  (void)p;
  return -1.0;
}

/* Negative beyond the sheets, so that the colours of both diverge. */
static double
high_value(DebyeVec3 p)
{
  return p.z < 4.0 ? 1.0 : -1.0;
}

/* Two half-transparent sheets, red before blue from one side and blue before red from the other: the colours
 * are those of the formula, for every order in which the layers were added. */
static void
test_transparent_order(Fixture *fixture, gconstpointer data)
{
  (void)data;
  static const float red[3] = {0.404f, 0.0f, 0.122f}, blue[3] = {0.020f, 0.188f, 0.380f};
  g_autoptr(DebyeField) low = sample_field(4, 10.0, low_value), high = sample_field(4, 10.0, high_value);
  DebyeSliceLayer *front = add_slice(fixture, low, 2), *back = add_slice(fixture, high, 2);
  debye_slice_layer_set_position(front, 0.8);
  debye_slice_layer_set_position(back, 0.2);
  debye_layer_set_limits(DEBYE_LAYER(front), -1.0, 1.0);
  debye_layer_set_limits(DEBYE_LAYER(back), -1.0, 1.0);
  g_object_set(front, "opacity", 0.5, NULL);
  g_object_set(back, "opacity", 0.5, NULL);
  DebyeLook *look = debye_scene_get_look(fixture->scene);
  *look = (DebyeLook){.background = {1.0f, 1.0f, 1.0f, 1.0f},
                      .light_turn = -25.66f,
                      .light_tilt = 28.42f,
                      .brightness = 1.0f};
  for (int side = 0; side < 4; side++) {
    DebyeCamera *camera = debye_scene_get_camera(fixture->scene);
    debye_camera_init(camera);
    if (side & 1)
      glm_quatv(camera->orientation, (float)G_PI, (vec3){0.0f, 1.0f, 0.0f});
    debye_scene_move(fixture->scene, DEBYE_LAYER(side & 2 ? back : front), 1);
    view_all(fixture);
    g_autoptr(GBytes) picture = capture(fixture, WIDTH, HEIGHT);
    const guint8 *middle = pixel(picture, WIDTH, WIDTH / 2, HEIGHT / 2);
    const float *first = side & 1 ? blue : red, *second = side & 1 ? red : blue;
    for (int c = 0; c < 3; c++) {
      double expected = 255.0 * (0.5 * (double)first[c] + 0.25 * (double)second[c] + 0.25);
      g_assert_cmpfloat_with_epsilon((double)middle[c], expected, 3.0);
    }
  }
}

/* An opaque atom before a transparent sheet hides it; behind it, it shines through. */
static void
test_opaque_occludes(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(DebyeField) low = sample_field(4, 10.0, low_value);
  DebyeSliceLayer *sheet = add_slice(fixture, low, 2);
  debye_layer_set_limits(DEBYE_LAYER(sheet), -1.0, 1.0);
  g_object_set(sheet, "opacity", 0.5, NULL);
  sample_molecule_clear(&fixture->molecule);
  fixture->molecule = sample_liquid(1);
  fixture->molecule.frame->x[0] = fixture->molecule.frame->y[0] = 0.0f;
  fixture->molecule.frame->z[0] = 4.0f;
  DebyeMoleculeLayer *atom = add_molecule(fixture, DEBYE_STYLE_SPHERES);
  debye_molecule_layer_set_coloring(atom, DEBYE_COLOR_UNIFORM);
  g_object_set(atom, "color", 0x00ff00, NULL);
  *debye_scene_get_look(fixture->scene) = (DebyeLook){.background = {0.0f, 0.0f, 0.0f, 1.0f},
                                                      .light_turn = -25.66f,
                                                      .light_tilt = 28.42f,
                                                      .brightness = 1.0f};
  guint8 green[2], red[2];
  for (int side = 0; side < 2; side++) {
    debye_camera_init(debye_scene_get_camera(fixture->scene));
    if (side)
      glm_quatv(debye_scene_get_camera(fixture->scene)->orientation, (float)G_PI, (vec3){0.0f, 1.0f, 0.0f});
    view_all(fixture);
    g_autoptr(GBytes) picture = capture(fixture, WIDTH, HEIGHT);
    const guint8 *middle = pixel(picture, WIDTH, WIDTH / 2, HEIGHT / 2);
    red[side] = middle[0];
    green[side] = middle[1];
  }
  g_assert_cmpint(green[0], >, 150);
  g_assert_cmpint(green[1], >, green[0] / 2 - 20);
  g_assert_cmpint(green[1], <, green[0] / 2 + 20);
  g_assert_cmpint(red[1], >, red[0] + 30);
}

/* The context goes, with or without a farewell, and the next one shows the same. */
static void
test_context_lost(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(GError) error = NULL;
  add_molecule(fixture, DEBYE_STYLE_BALL_AND_STICK);
  add_isosurface(fixture, 6.0, 0.5);
  add_slice(fixture, fixture->field, 0);
  add_box(fixture);
  view_all(fixture);
  g_autoptr(GBytes) before = capture(fixture, WIDTH, HEIGHT);
  for (int lost = 0; lost < 2; lost++) {
    if (!lost)
      debye_scene_release(fixture->scene, FALSE);
    debye_offscreen_free(fixture->offscreen);
    if (lost)
      debye_scene_release(fixture->scene, TRUE);
    fixture->offscreen = debye_offscreen_new(&error);
    g_assert_no_error(error);
    g_autoptr(GBytes) after = capture(fixture, WIDTH, HEIGHT);
    g_assert_true(g_bytes_equal(before, after));
  }
}

/* Of all two-dimensional textures of the context, four a pixel. */
static double
count_texture_bytes(void)
{
  double bytes = 0.0;
  for (GLuint texture = 1; texture < 20000; texture++) {
    GLint width = 0, height = 0;
    if (!glIsTexture(texture))
      continue;
    glBindTexture(GL_TEXTURE_2D, texture);
    if (glGetError() != GL_NO_ERROR) /* of another kind */
      continue;
    glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, &width);
    glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_HEIGHT, &height);
    bytes += 4.0 * width * height;
  }
  glBindTexture(GL_TEXTURE_2D, 0);
  return bytes;
}

/* While a view turns, each leader of a label is another picture: they don't fill the memory. */
static void
test_leaders_of_a_turning_view(Fixture *fixture, gconstpointer data)
{
  (void)data;
  double first = 0.0, most = 0.0;
  g_autoptr(DebyeLabelLayer) labels = debye_label_layer_new(fixture->molecule.topology);
  const guint32 n = (guint32)debye_topology_get_n_atoms(fixture->molecule.topology);
  g_autofree guint32 *atoms = g_new(guint32, n);
  for (guint32 i = 0; i < n; i++)
    atoms[i] = i;
  debye_layer_choose(DEBYE_LAYER(labels), NULL, atoms, n);
  debye_layer_show_frame(DEBYE_LAYER(labels), fixture->molecule.frame);
  g_object_set(labels, "leaders", TRUE, "content", DEBYE_LABEL_ATOM, NULL);
  debye_scene_add(fixture->scene, DEBYE_LAYER(labels));
  add_molecule(fixture, DEBYE_STYLE_SPHERES);
  view_all(fixture);
  for (int i = 0; i < 30; i++) {
    g_autoptr(GError) error = NULL;
    debye_camera_orbit(debye_scene_get_camera(fixture->scene), 600.0, 450.0, 617.0, 457.0, 1200, 900);
    debye_scene_changed(fixture->scene);
    g_assert_true(debye_scene_draw(fixture->scene, 1200, 900, 2.0, &error));
    g_assert_no_error(error);
    most = fmax(most, count_texture_bytes());
    first = i == 0 ? most : first;
  }
  g_test_message("%.1f MB, later %.1f MB", first / 1e6, most / 1e6);
  g_assert_cmpfloat(most, >, first + 2e6); /* they are kept for a while */
  g_assert_cmpfloat(most, <, first + 20e6);
}

static void
test_odd_sizes(Fixture *fixture, gconstpointer data)
{
  (void)data;
  static const int sizes[][2] = {{1, 1}, {1, 77}, {33, 1}, {17, 13}, {641, 479}};
  add_molecule(fixture, DEBYE_STYLE_SPHERES);
  add_isosurface(fixture, 6.0, 0.5);
  view_all(fixture);
  for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
    g_autoptr(GBytes) picture = capture(fixture, sizes[i][0], sizes[i][1]);
    g_assert_cmpuint(g_bytes_get_size(picture), ==, 4 * (gsize)sizes[i][0] * (gsize)sizes[i][1]);
  }
  g_autoptr(GError) error = NULL;
  g_assert_null(debye_capture(fixture->scene, 0, 10, 1.0, FALSE, 1, &error));
  g_assert_nonnull(error);
  g_clear_error(&error);
  g_assert_null(debye_capture(fixture->scene, 60000, 60000, 1.0, FALSE, 1, &error));
  g_assert_nonnull(error);
}

static void
test_transparent_background(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(GError) error = NULL;
  DebyeMoleculeLayer *layer = add_molecule(fixture, DEBYE_STYLE_SPHERES);
  debye_molecule_layer_set_coloring(layer, DEBYE_COLOR_UNIFORM);
  g_object_set(layer, "color", 0xffffff, NULL);
  DebyeLook *look = debye_scene_get_look(fixture->scene);
  look->axes = look->scale_bar = look->legend = FALSE;
  look->depth_cue = look->outline = look->ambient_occlusion = 0.0f;
  view_all(fixture);
  g_autoptr(GBytes) picture = debye_capture(fixture->scene, WIDTH, HEIGHT, 1.0, TRUE, 8, &error);
  g_assert_no_error(error);
  g_assert_cmpint(pixel(picture, WIDTH, 0, 0)[3], ==, 0);
  g_assert_cmpint(pixel(picture, WIDTH, WIDTH / 2, HEIGHT / 2)[3], ==, 255);
  gsize n, partly = 0;
  const guint8 *p = g_bytes_get_data(picture, &n);
  for (gsize i = 0; i < n; i += 4)
    if (p[i + 3] > 60 && p[i + 3] < 200) {
      /* Straight alpha: the rim of a white atom is as grey as its shaded side, not darker by its coverage. */
      g_assert_cmpint(p[i], >, 90);
      partly++;
    }
  g_assert_cmpuint(partly, >, 20);
  g_assert_cmpfloat((double)look->background[3], ==, 1.0);
}

static GLuint
bind_view(GLuint *color)
{
  GLuint framebuffer;
  glGenFramebuffers(1, &framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glGenRenderbuffers(1, color);
  glBindRenderbuffer(GL_RENDERBUFFER, *color);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, WIDTH, HEIGHT);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, *color);
  return framebuffer;
}

static GBytes *
draw_view(Fixture *fixture)
{
  g_autoptr(GError) error = NULL;
  g_assert_true(debye_scene_draw(fixture->scene, WIDTH, HEIGHT, 1.0, &error));
  g_assert_no_error(error);
  guint8 *pixels = g_malloc(4 * WIDTH * HEIGHT);
  glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
  return g_bytes_new_take(pixels, 4 * WIDTH * HEIGHT);
}

/* Until there is something better to be seen; the pieces that it took. */
static int
refine(Fixture *fixture)
{
  g_autoptr(GError) error = NULL;
  gboolean better = FALSE;
  int n_pieces = 0;
  for (; !better; n_pieces++)
    g_assert_true(debye_scene_refine(fixture->scene, &better, &error));
  g_assert_no_error(error);
  return n_pieces;
}

/* As many as are asked for, and more when more are; the look's own number counts before, and a new look begins anew. */
static void
test_still_samples(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  GLuint color, framebuffer = bind_view(&color);
  const struct {
    int still, look, expected;
  } cases[] = {{0, 0, 0}, {1, 0, 1}, {6, 0, 5}, {6, 8, 8}};
  add_molecule(fixture, DEBYE_STYLE_SPHERES);
  view_all(fixture);
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    int n_samples = 0;
    debye_scene_set_still_samples(fixture->scene, cases[i].still);
    debye_scene_get_look(fixture->scene)->samples = cases[i].look;
    debye_scene_changed(fixture->scene);
    g_bytes_unref(draw_view(fixture));
    for (; !debye_scene_is_smooth(fixture->scene); n_samples++)
      refine(fixture);
    g_assert_cmpint(n_samples, ==, cases[i].expected);
  }
  glDeleteFramebuffers(1, &framebuffer);
  glDeleteRenderbuffers(1, &color);
}

/* A sample that is drawn in pieces keeps what is transparent once, as one that peels it: planes and a box, up to three layers. */
static void
test_pieces_of_layers(void)
{
  GBytes *pictures[2];
  for (int peeled = 0; peeled < 2; peeled++) {
    Fixture fixture;
    GLuint color;
    if (peeled)
      g_setenv("DEBYE_PEELING", "1", TRUE);
    set_up(&fixture, NULL);
    GLuint framebuffer = bind_view(&color);
    add_molecule(&fixture, DEBYE_STYLE_BALL_AND_STICK);
    g_object_set(add_slice(&fixture, fixture.field, 0), "opacity", 0.5, NULL);
    g_object_set(add_slice(&fixture, fixture.field, 1), "opacity", 0.5, NULL);
    add_box(&fixture);
    GListModel *layers = debye_scene_get_layers(fixture.scene);
    g_autoptr(DebyeLayer) box = g_list_model_get_item(layers, g_list_model_get_n_items(layers) - 1);
    debye_layer_set_opacity(box, 0.5);
    debye_scene_set_still_samples(fixture.scene, 1);
    view_all(&fixture);
    g_bytes_unref(draw_view(&fixture));
    while (!debye_scene_is_smooth(fixture.scene))
      refine(&fixture);
    pictures[peeled] = draw_view(&fixture);
    tear_down(&fixture, NULL);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteRenderbuffers(1, &color);
  }
  g_unsetenv("DEBYE_PEELING");
  g_assert_cmpfloat(golden_difference(pictures[0], pictures[1], 2), <, 1e-3);
  g_bytes_unref(pictures[0]);
  g_bytes_unref(pictures[1]);
}

/* A view is a sketch at once; standing still it becomes smooth, and then asks for no more. */
static void
test_refinement(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  GLuint color, framebuffer = bind_view(&color);
  int n_samples = 0;
  add_molecule(fixture, DEBYE_STYLE_SPHERES);
  view_all(fixture);
  g_bytes_unref(capture(fixture, WIDTH, HEIGHT));
  g_assert_true(debye_scene_is_smooth(fixture->scene)); /* nobody looks at it yet */
  g_autoptr(GBytes) sketch = draw_view(fixture), again = draw_view(fixture);
  g_assert_false(debye_scene_is_smooth(fixture->scene));
  g_assert_true(g_bytes_equal(sketch, again));
  for (; !debye_scene_is_smooth(fixture->scene); n_samples++)
    refine(fixture);
  g_assert_cmpint(n_samples, >=, 4);
  g_assert_cmpint(n_samples, <, 40);
  GLint bound = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
  g_assert_cmpint(bound, ==, (GLint)framebuffer);
  g_autoptr(GBytes) smooth = draw_view(fixture);
  g_assert_cmpfloat(golden_difference(sketch, smooth, 40), <, 0.15);
  g_assert_cmpfloat(golden_difference(sketch, smooth, 0), >, 0.01);
  glDeleteFramebuffers(1, &framebuffer);
  glDeleteRenderbuffers(1, &color);
}

static gsize
count_dark(GBytes *picture)
{
  gsize n, n_dark = 0;
  const guint8 *p = g_bytes_get_data(picture, &n);
  for (gsize i = 0; i < n; i += 4)
    n_dark += p[i] < 100;
  return n_dark;
}

/* Words in a view follow the desktop's size, never below the look's; pictures to keep don't. */
static void
test_font_size(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  GLuint color, framebuffer = bind_view(&color);
  DebyeLook *look = debye_scene_get_look(fixture->scene);
  look->legend = look->axes = FALSE;
  look->scale_bar = TRUE;
  for (int i = 0; i < 3; i++)
    look->background[i] = 1.0f;
  g_autoptr(GBytes) usual = draw_view(fixture), kept = capture(fixture, WIDTH, HEIGHT);
  debye_scene_set_least_font_size(fixture->scene, 0.5 * look->font_size);
  g_autoptr(GBytes) small = draw_view(fixture);
  debye_scene_set_least_font_size(fixture->scene, 2.0 * look->font_size);
  g_autoptr(GBytes) large = draw_view(fixture), kept_again = capture(fixture, WIDTH, HEIGHT);
  g_assert_cmpuint(count_dark(usual), >, 20);
  g_assert_cmpuint(2 * count_dark(large), >, 3 * count_dark(usual)); /* the bar itself is no longer */
  g_assert_true(g_bytes_equal(small, usual));
  g_assert_true(g_bytes_equal(kept_again, kept));
  glDeleteFramebuffers(1, &framebuffer);
  glDeleteRenderbuffers(1, &color);
}

/* Pieces make the same picture as passes drawn whole, but for a pixel where a sphere and a rod are just as
 * near: the surfaces are behind each other, and the picture moved while its first sample was half done. */
static void
test_pieces(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  GLuint color, framebuffer = bind_view(&color);
  g_autoptr(GError) error = NULL;
  gboolean better = FALSE;
  DebyeLook *look = debye_scene_get_look(fixture->scene);
  look->legend = look->axes = look->scale_bar = FALSE;
  look->samples = 2;
  add_molecule(fixture, DEBYE_STYLE_BALL_AND_STICK);
  add_isosurface(fixture, 6.0, 0.45);
  add_isosurface(fixture, -6.0, 0.45);
  view_all(fixture);
  g_bytes_unref(draw_view(fixture));
  g_assert_true(debye_scene_refine(fixture->scene, &better, &error));
  debye_camera_orbit(debye_scene_get_camera(fixture->scene), 10.0, 10.0, 60.0, 30.0, WIDTH, HEIGHT);
  g_bytes_unref(draw_view(fixture));
  refine(fixture);
  refine(fixture);
  g_assert_true(debye_scene_is_smooth(fixture->scene));
  g_autoptr(GBytes) pieces = draw_view(fixture);
  DebyeTile whole = {0, 0, WIDTH, HEIGHT};
  g_assert_true(debye_scene_draw_tile(fixture->scene, WIDTH, HEIGHT, 1.0, &whole, 2, &error));
  guint8 *pixels = g_malloc(4 * WIDTH * HEIGHT);
  glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
  g_autoptr(GBytes) at_once = g_bytes_new_take(pixels, 4 * WIDTH * HEIGHT);
  g_assert_cmpfloat(golden_difference(pieces, at_once, 0), <, 3e-4);
  glDeleteFramebuffers(1, &framebuffer);
  glDeleteRenderbuffers(1, &color);
}

static void
test_nothing_to_draw(Fixture *fixture, gconstpointer data)
{
  (void)data;
  DebyeLook *look = debye_scene_get_look(fixture->scene);
  look->axes = look->scale_bar = FALSE;
  g_autoptr(GBytes) empty = capture(fixture, WIDTH, HEIGHT);
  g_assert_cmpfloat(covered(empty), ==, 0.0);
  /* Coordinates that are no numbers, no atoms shown, and a layer that is hidden or gone. */
  for (gsize i = 0; i < fixture->molecule.frame->n_atoms; i++)
    fixture->molecule.frame->x[i] = NAN;
  DebyeMoleculeLayer *layer = add_molecule(fixture, DEBYE_STYLE_SPHERES);
  g_autoptr(GBytes) lost = capture(fixture, WIDTH, HEIGHT);
  g_assert_cmpfloat(covered(lost), ==, 0.0);
  sample_molecule_clear(&fixture->molecule);
  fixture->molecule = sample_helix(12);
  debye_layer_show_frame(DEBYE_LAYER(layer), fixture->molecule.frame);
  view_all(fixture);
  g_autoptr(GBytes) seen = capture(fixture, WIDTH, HEIGHT);
  g_assert_cmpfloat(covered(seen), >, 0.05);
  guint32 one = 3;
  debye_molecule_layer_set_atoms(layer, &one, 0);
  g_autoptr(GBytes) none = capture(fixture, WIDTH, HEIGHT);
  g_assert_cmpfloat(covered(none), ==, 0.0);
  debye_molecule_layer_set_atoms(layer, &one, 1);
  g_autoptr(GBytes) single = capture(fixture, WIDTH, HEIGHT);
  g_assert_cmpfloat(covered(single), >, 0.001);
  g_assert_cmpfloat(covered(single), <, 0.5 * covered(seen));
  debye_molecule_layer_set_atoms(layer, NULL, 0);
  debye_layer_set_visible(DEBYE_LAYER(layer), FALSE);
  g_autoptr(GBytes) hidden = capture(fixture, WIDTH, HEIGHT);
  g_assert_cmpfloat(covered(hidden), ==, 0.0);
  debye_layer_set_visible(DEBYE_LAYER(layer), TRUE);
  debye_scene_remove(fixture->scene, DEBYE_LAYER(layer));
  g_autoptr(GBytes) gone = capture(fixture, WIDTH, HEIGHT);
  g_assert_cmpfloat(covered(gone), ==, 0.0);
}

/* Large and small, near and far, the ways of drawing a sphere (quad, point, disc) look alike. */
static void
test_ways_of_drawing(Fixture *fixture, gconstpointer data)
{
  (void)data;
  sample_molecule_clear(&fixture->molecule);
  fixture->molecule = sample_liquid(6000);
  add_molecule(fixture, DEBYE_STYLE_SPHERES);
  *debye_scene_get_look(fixture->scene) = (DebyeLook){.background = {0.0f, 0.0f, 0.0f, 1.0f},
                                                      .light_turn = -25.66f,
                                                      .light_tilt = 28.42f,
                                                      .brightness = 1.0f};
  DebyeCamera *camera = debye_scene_get_camera(fixture->scene);
  for (int orthographic = 0; orthographic < 2; orthographic++) {
    camera->perspective = !orthographic;
    view_all(fixture);
    g_autoptr(GBytes) far_away = capture(fixture, WIDTH, HEIGHT);
    g_assert_cmpfloat(covered(far_away), >, 0.3);
    debye_camera_zoom(camera, 0.1, WIDTH / 2, HEIGHT / 2, WIDTH, HEIGHT);
    g_autoptr(GBytes) discs = capture(fixture, WIDTH, HEIGHT);
    g_assert_cmpfloat_with_epsilon(covered(discs), 0.01 * covered(far_away), 0.35 * 0.01 * covered(far_away));
    debye_camera_zoom(camera, 60.0, WIDTH / 2, HEIGHT / 2, WIDTH, HEIGHT);
    g_autoptr(GBytes) within = capture(fixture, WIDTH, HEIGHT);
    g_assert_cmpfloat(covered(within), >, 0.5);
  }
}

/* --- Picking --- */

static void
test_pick_atom(Fixture *fixture, gconstpointer data)
{
  (void)data;
  DebyeMoleculeLayer *layer = add_molecule(fixture, DEBYE_STYLE_SPHERES);
  DebyeCamera *camera = debye_scene_get_camera(fixture->scene);
  DebyePick pick;
  /* The atom nearest to the eye is hit through its middle. */
  guint32 nearest = 0;
  double depth = INFINITY;
  view_all(fixture);
  DebyeVec3 origin, direction;
  debye_camera_ray(camera, 0.5 * WIDTH, 0.5 * HEIGHT, WIDTH, HEIGHT, &origin, &direction);
  const DebyeFrame *frame = fixture->molecule.frame;
  for (guint32 i = 0; i < frame->n_atoms; i++) {
    DebyeVec3 to = {(double)frame->x[i] - origin.x, (double)frame->y[i] - origin.y,
                    (double)frame->z[i] - origin.z};
    if (debye_vec3_length(to) < depth) {
      depth = debye_vec3_length(to);
      nearest = i;
    }
  }
  camera->target[0] = frame->x[nearest];
  camera->target[1] = frame->y[nearest];
  camera->target[2] = frame->z[nearest];
  g_assert_true(debye_scene_pick(fixture->scene, 0.5 * WIDTH, 0.5 * HEIGHT, WIDTH, HEIGHT, &pick));
  g_assert_true(pick.layer == DEBYE_LAYER(layer));
  g_assert_cmpint(pick.atom, ==, nearest);
  g_assert_false(debye_scene_pick(fixture->scene, 1.0, 1.0, WIDTH, HEIGHT, &pick));
  g_assert_null(pick.layer);
  g_assert_cmpint(pick.atom, ==, -1);
}

static void
test_pick_field(Fixture *fixture, gconstpointer data)
{
  (void)data;
  DebyePick pick;
  DebyeSliceLayer *slice = add_slice(fixture, fixture->field, 0);
  view_all(fixture);
  g_assert_true(debye_scene_pick(fixture->scene, 0.5 * WIDTH, 0.5 * HEIGHT, WIDTH, HEIGHT, &pick));
  g_assert_true(pick.layer == DEBYE_LAYER(slice));
  g_assert_cmpfloat_with_epsilon(pick.point.x, 0.0, 1e-4);
  g_assert_cmpfloat_with_epsilon(pick.value, debye_field_sample(fixture->field, pick.point), 1e-6);
  debye_layer_set_visible(DEBYE_LAYER(slice), FALSE);
  DebyeIsosurfaceLayer *surface = add_isosurface(fixture, 6.0, 0.5);
  DebyeCamera *camera = debye_scene_get_camera(fixture->scene);
  glm_vec3_copy((vec3){2.0f, 1.0f, 6.5f}, camera->target);
  g_assert_true(debye_scene_pick(fixture->scene, 0.5 * WIDTH, 0.5 * HEIGHT, WIDTH, HEIGHT, &pick));
  g_assert_true(pick.layer == DEBYE_LAYER(surface));
  g_assert_cmpfloat_with_epsilon(debye_field_sample(fixture->field, pick.point), 6.0, 1e-3);
  g_assert_cmpfloat_with_epsilon(pick.value, 6.0, 1e-9);
}

/* A slider: each level replaces the one that waits, and the last one is what is seen. */
static void
test_level_drag(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(DebyeField) large = sample_potential(112, 30.0);
  DebyeIsosurfaceLayer *layer = add_isosurface(fixture, 3.0, 1.0);
  debye_layer_set_field(DEBYE_LAYER(layer), large);
  for (int i = 0; i < 30; i++) {
    debye_isosurface_layer_set_level(layer, 3.0 + 0.2 * i);
    g_main_context_iteration(NULL, FALSE);
  }
  debye_isosurface_layer_set_level(layer, 9.0);
  view_all(fixture);
  g_autoptr(GBytes) dragged = capture(fixture, WIDTH, HEIGHT);
  debye_scene_remove(fixture->scene, DEBYE_LAYER(layer));
  g_autoptr(DebyeIsosurfaceLayer) fresh = debye_isosurface_layer_new(large, 9.0);
  debye_scene_add(fixture->scene, DEBYE_LAYER(fresh));
  view_all(fixture);
  g_autoptr(GBytes) direct = capture(fixture, WIDTH, HEIGHT);
  g_assert_true(g_bytes_equal(dragged, direct));
}

/* A map of which only a part is computed: its slice ends there. */
static void
test_partial_slice(Fixture *fixture, gconstpointer data)
{
  (void)data;
  const DebyeGrid *grid = debye_field_get_grid(fixture->field);
  gsize n = debye_grid_n_points(grid);
  float *values = g_memdup2(debye_field_get_values(fixture->field), n * sizeof(float));
  for (gsize i = n / 2; i < n; i++)
    values[i] = NAN;
  g_autoptr(DebyeField) partial = debye_field_new_take("partial", grid, values, "kT/e");
  DebyeLook *look = debye_scene_get_look(fixture->scene);
  look->legend = look->axes = look->scale_bar = FALSE;
  DebyeSliceLayer *layer = add_slice(fixture, fixture->field, 0);
  view_all(fixture);
  g_autoptr(GBytes) whole = capture(fixture, WIDTH, HEIGHT);
  debye_layer_set_field(DEBYE_LAYER(layer), partial);
  g_autoptr(GBytes) half = capture(fixture, WIDTH, HEIGHT);
  g_assert_cmpfloat_with_epsilon(covered(half), 0.5 * covered(whole), 0.08 * covered(whole));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  static const struct {
    const char *path;
    void (*test)(Fixture *fixture, gconstpointer data);
  } tests[] = {
      {"/scene/picture/spheres", test_spheres},
      {"/scene/picture/ball-and-stick", test_ball_and_stick},
      {"/scene/picture/sticks-by-chain", test_sticks_by_chain},
      {"/scene/picture/lines-in-a-box", test_lines_in_a_box},
      {"/scene/picture/isosurfaces", test_isosurfaces},
      {"/scene/picture/transparent-isosurfaces", test_transparent_isosurfaces},
      {"/scene/picture/slice", test_slice},
      {"/scene/picture/figure", test_figure},
      {"/scene/transparent-order", test_transparent_order},
      {"/scene/opaque-occludes", test_opaque_occludes},
      {"/scene/context-lost", test_context_lost},
      {"/scene/odd-sizes", test_odd_sizes},
      {"/scene/leaders-of-a-turning-view", test_leaders_of_a_turning_view},
      {"/scene/transparent-background", test_transparent_background},
      {"/scene/refinement", test_refinement},
      {"/scene/still-samples", test_still_samples},
      {"/scene/font size", test_font_size},
      {"/scene/pieces", test_pieces},
      {"/scene/nothing-to-draw", test_nothing_to_draw},
      {"/scene/ways-of-drawing", test_ways_of_drawing},
      {"/scene/pick/atom", test_pick_atom},
      {"/scene/pick/field", test_pick_field},
      {"/scene/level-drag", test_level_drag},
      {"/scene/partial-slice", test_partial_slice},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(tests); i++)
    g_test_add(tests[i].path, Fixture, NULL, set_up, tests[i].test, tear_down);
  g_test_add_func("/scene/embedded", test_embedded);
  g_test_add_func("/scene/peeling", test_peeling);
  g_test_add_func("/scene/pieces-of-layers", test_pieces_of_layers);
  return g_test_run();
}
