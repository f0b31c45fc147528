/* SPDX-License-Identifier: MIT */
/* What belongs to a scene as a whole or annotates it: the clipping plane, images of the cell, labels,
 * measurements, hydrogen bonds. Pictures of one or two spheres say what each must do. */
#include "data/tables/elements.h"
#include "render/layers/box_layer.h"
#include "render/scene/capture.h"
#include "render/layers/clip_layer.h"
#include "render/layers/bin_layer.h"
#include "render/layers/hydrogen_bond_layer.h"
#include "render/layers/isosurface_layer.h"
#include "render/layers/label_layer.h"
#include "render/layers/measurement_layer.h"
#include "render/layers/molecule_layer.h"
#include "render/scene/scene.h"
#include "sample_scene.h"

#include <string.h>

#define SIDE 160

typedef struct {
  DebyeOffscreen *offscreen;
  DebyeScene *scene;
  DebyeTopology *topology;
  DebyeFrame *frame;
} Fixture;

static void
set_up(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  debye_topology_builder_set_residue(builder, "LYS", -1, 13, 0, "A", -1, "", -1);
  for (int i = 0; i < 4; i++) {
    DebyeAtom atom = DEBYE_ATOM_INIT;
    atom.name = i == 1 ? "CA" : "C";
    atom.element = "C";
    debye_topology_builder_add_atom(builder, &atom);
  }
  fixture->topology = debye_topology_builder_finish(builder);
  fixture->frame = debye_frame_new(4);
  for (gsize i = 0; i < 4; i++) {
    fixture->frame->x[i] = 3.0f * (float)i;
    fixture->frame->y[i] = fixture->frame->z[i] = 0.0f;
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
  camera->height = 10.0f;
}

static void
tear_down(Fixture *fixture, gconstpointer data)
{
  (void)data;
  debye_scene_release(fixture->scene, FALSE);
  g_object_unref(fixture->scene);
  g_object_unref(fixture->topology);
  debye_frame_unref(fixture->frame);
  debye_offscreen_free(fixture->offscreen);
}

static DebyeLayer *
add(Fixture *fixture, gpointer layer)
{
  debye_scene_add(fixture->scene, layer);
  g_object_unref(layer);
  return layer;
}

/* The first atom alone, at the origin, as a red sphere of radius 1.7 Å. */
static DebyeLayer *
add_sphere(Fixture *fixture)
{
  DebyeMoleculeLayer *layer = debye_molecule_layer_new(fixture->topology);
  debye_molecule_layer_set_style(layer, DEBYE_STYLE_SPHERES);
  debye_molecule_layer_set_coloring(layer, DEBYE_COLOR_UNIFORM);
  debye_molecule_layer_set_atoms(layer, (const guint32[]){0}, 1);
  debye_layer_show_frame(DEBYE_LAYER(layer), fixture->frame);
  g_object_set(layer, "color", 0xff0000, NULL);
  return add(fixture, layer);
}

static GBytes *
capture(Fixture *fixture)
{
  g_autoptr(GError) error = NULL;
  debye_scene_settle(fixture->scene);
  GBytes *picture = debye_capture(fixture->scene, SIDE, SIDE, 1.0, FALSE, 1, &error);
  g_assert_no_error(error);
  return picture;
}

/* Pixels of columns from … to − 1 that are not background. */
static gsize
count_drawn(GBytes *picture, int from, int to)
{
  const guint8 *p = g_bytes_get_data(picture, NULL);
  gsize n = 0;
  for (int y = 0; y < SIDE; y++)
    for (int x = from; x < to; x++) {
      const guint8 *pixel = p + 4 * ((gsize)y * SIDE + (gsize)x);
      n += pixel[0] < 235 || pixel[1] < 235 || pixel[2] < 235;
    }
  return n;
}

/* --- The clipping plane --- */

/* Across x through the middle half of the sphere goes; which, says "flipped"; the plane is picked through. */
static void
test_clip_across(Fixture *fixture, gconstpointer data)
{
  (void)data;
  add_sphere(fixture);
  g_autoptr(GBytes) whole = capture(fixture);
  gsize all = count_drawn(whole, 0, SIDE);
  g_assert_cmpuint(all, >, 1500);
  DebyeLayer *clip = add(fixture, debye_clip_layer_new());
  g_object_set(clip, "direction", DEBYE_CLIP_X, NULL);
  for (int flipped = 0; flipped < 2; flipped++) {
    g_object_set(clip, "flipped", flipped, NULL);
    g_autoptr(GBytes) half = capture(fixture);
    gsize left = count_drawn(half, 0, SIDE / 2), right = count_drawn(half, SIDE / 2, SIDE);
    g_assert_cmpuint(flipped ? left : right, <, SIDE); /* a column at the plane */
    g_assert_cmpuint(flipped ? right : left, >, all / 2 - SIDE);
  }
  debye_layer_set_visible(clip, FALSE);
  g_autoptr(GBytes) again = capture(fixture);
  g_assert_true(g_bytes_equal(whole, again));
}

/* Across the view a sphere shows a flat disc; at a quarter of its depth, of √3/2 of its radius, so of 3/4 of
 * its area. Nothing is left when all of it is before the plane. */
static void
test_clip_across_view(Fixture *fixture, gconstpointer data)
{
  (void)data;
  add_sphere(fixture);
  g_autoptr(GBytes) whole = capture(fixture);
  double all = (double)count_drawn(whole, 0, SIDE);
  DebyeVec3 low, high;
  g_assert_true(debye_scene_get_bounds(fixture->scene, &low, &high));
  double reach = high.z, radius = (double)debye_element_get_radius(6, DEBYE_RADII_BONDI);
  DebyeLayer *clip = add(fixture, debye_clip_layer_new());
  /* Kept is what lies `deep` behind the centre, and further. */
  const double deep = 0.5 * radius;
  g_object_set(clip, "position", 0.5 + 0.5 * deep / reach, NULL);
  g_autoptr(GBytes) disc = capture(fixture);
  g_assert_cmpfloat_with_epsilon((double)count_drawn(disc, 0, SIDE) / all, 0.75, 0.04);
  const guint8 *p = (const guint8 *)g_bytes_get_data(disc, NULL) + 4 * (SIDE / 2 * SIDE + SIDE / 2);
  for (int d = -20; d <= 20; d += 10)
    g_assert_cmpint(ABS((int)p[4 * d] - (int)p[0]), <, 4); /* flat: one shade */
  g_object_set(clip, "position", 1.0, NULL);
  g_autoptr(GBytes) none = capture(fixture);
  g_assert_cmpuint(count_drawn(none, 0, SIDE), ==, 0);
}

/* Glass is cut as well, and so is what is drawn of triangles. */
static void
test_clip_transparent(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(DebyeField) field = sample_potential(24, 12.0);
  DebyeIsosurfaceLayer *surface = debye_isosurface_layer_new(field, 6.0);
  add(fixture, surface);
  debye_layer_set_opacity(DEBYE_LAYER(surface), 0.5);
  debye_scene_settle(fixture->scene);
  debye_scene_view_all(fixture->scene, 1.0);
  g_autoptr(GBytes) whole = capture(fixture);
  DebyeLayer *clip = add(fixture, debye_clip_layer_new());
  g_object_set(clip, "direction", DEBYE_CLIP_Y, "position", 0.5, NULL);
  g_autoptr(GBytes) half = capture(fixture);
  g_assert_cmpuint(count_drawn(half, 0, SIDE), <, 9 * count_drawn(whole, 0, SIDE) / 10);
  g_assert_cmpuint(count_drawn(half, 0, SIDE), >, 0);
}

static void
test_clip_pick(Fixture *fixture, gconstpointer data)
{
  (void)data;
  DebyePick pick;
  fixture->frame->x[1] = 0.0f;
  fixture->frame->z[1] = -6.0f;
  DebyeMoleculeLayer *layer = DEBYE_MOLECULE_LAYER(add_sphere(fixture));
  debye_molecule_layer_set_atoms(layer, (const guint32[]){0, 1}, 2);
  g_assert_true(debye_scene_pick(fixture->scene, SIDE / 2, SIDE / 2, SIDE, SIDE, &pick));
  g_assert_cmpint(pick.atom, ==, 0);
  add(fixture, debye_clip_layer_new());
  g_assert_true(debye_scene_pick(fixture->scene, SIDE / 2, SIDE / 2, SIDE, SIDE, &pick));
  g_assert_cmpint(pick.atom, ==, 1);
}

/* --- Images of the cell --- */

/* One neighbour on each side along a: three spheres where there was one, and all of them framed. */
static void
test_images(Fixture *fixture, gconstpointer data)
{
  (void)data;
  const DebyeCell cell = {{4.0, 0.0, 0.0}, {1.0, 5.0, 0.0}, {0.0, 0.0, 6.0}};
  DebyeVec3 low, high;
  add_sphere(fixture);
  debye_scene_get_camera(fixture->scene)->height = 16.0f;
  g_autoptr(GBytes) one = capture(fixture);
  DebyeBoxLayer *box = debye_box_layer_new();
  debye_box_layer_set_cell(box, &cell, debye_vec3(0.0, 0.0, 0.0));
  add(fixture, box);
  debye_layer_set_opacity(DEBYE_LAYER(box), 0.0);
  g_object_set(box, "images-a", 1, NULL);
  g_autoptr(GBytes) three = capture(fixture);
  double ratio = (double)count_drawn(three, 0, SIDE) / (double)count_drawn(one, 0, SIDE);
  g_assert_cmpfloat_with_epsilon(ratio, 3.0, 0.1);
  g_assert_true(debye_scene_get_bounds(fixture->scene, &low, &high));
  g_assert_cmpfloat(low.x, <, -4.0);
  g_assert_cmpfloat(high.x, >, 8.0);
  debye_layer_set_visible(DEBYE_LAYER(box), FALSE);
  g_autoptr(GBytes) again = capture(fixture);
  g_assert_true(g_bytes_equal(one, again));
}

/* --- Labels and measurements --- */

static void
test_labels(Fixture *fixture, gconstpointer data)
{
  (void)data;
  static const char *const texts[] = {"LYS 13", "C", "0"};
  DebyeLabelLayer *labels = debye_label_layer_new(fixture->topology);
  add(fixture, labels);
  debye_layer_choose(DEBYE_LAYER(labels), NULL, (const guint32[]){0, 1}, 2);
  debye_layer_show_frame(DEBYE_LAYER(labels), fixture->frame);
  for (int content = DEBYE_LABEL_RESIDUE; content <= DEBYE_LABEL_INDEX; content++) {
    gsize n;
    g_object_set(labels, "content", content, NULL);
    const DebyeLabel *list = DEBYE_LAYER_GET_CLASS(labels)->get_labels(DEBYE_LAYER(labels), &n);
    g_assert_cmpuint(n, ==, content == DEBYE_LABEL_RESIDUE ? 1 : 2);
    g_assert_cmpstr(list[0].text, ==, texts[content]);
    /* Of a residue, at its CA. */
    g_assert_cmpfloat(list[0].place.x, ==, content == DEBYE_LABEL_RESIDUE ? 3.0 : 0.0);
    g_autoptr(GBytes) picture = capture(fixture);
    g_assert_cmpuint(count_drawn(picture, 0, SIDE), >, 10);
  }
  /* Where its atom is: right of the middle, and gone with the layer. */
  g_object_set(labels, "content", DEBYE_LABEL_RESIDUE, NULL);
  g_autoptr(GBytes) shown = capture(fixture);
  g_assert_cmpuint(count_drawn(shown, 0, SIDE / 2), ==, 0);
  debye_layer_set_visible(DEBYE_LAYER(labels), FALSE);
  g_autoptr(GBytes) hidden = capture(fixture);
  g_assert_cmpuint(count_drawn(hidden, 0, SIDE), ==, 0);
}

/* Two spheres with the plane between them: the one that is cut away takes its label along. */
static void
test_labels_clipped(Fixture *fixture, gconstpointer data)
{
  (void)data;
  fixture->frame->x[0] = -2.5f;
  fixture->frame->x[1] = 2.5f;
  DebyeMoleculeLayer *spheres = DEBYE_MOLECULE_LAYER(add_sphere(fixture));
  debye_molecule_layer_set_atoms(spheres, (const guint32[]){0, 1}, 2);
  DebyeLayer *labels = add(fixture, debye_label_layer_new(fixture->topology));
  debye_layer_choose(DEBYE_LAYER(labels), NULL, (const guint32[]){0, 1}, 2);
  debye_layer_show_frame(DEBYE_LAYER(labels), fixture->frame);
  g_object_set(labels, "content", DEBYE_LABEL_INDEX, NULL);
  DebyeLayer *clip = add(fixture, debye_clip_layer_new());
  g_object_set(clip, "direction", DEBYE_CLIP_X, NULL);
  for (int flipped = 0; flipped < 2; flipped++) {
    g_object_set(clip, "flipped", flipped, NULL);
    debye_layer_set_visible(labels, TRUE);
    g_autoptr(GBytes) named = capture(fixture);
    g_assert_cmpuint(count_drawn(named, flipped ? SIDE / 2 : 0, flipped ? SIDE : SIDE / 2), >, 1000);
    g_assert_cmpuint(count_drawn(named, flipped ? 0 : SIDE / 2, flipped ? SIDE / 2 : SIDE), ==, 0);
    debye_layer_set_visible(labels, FALSE);
    g_autoptr(GBytes) bare = capture(fixture);
    g_assert_false(g_bytes_equal(named, bare)); /* the other has its label */
  }
}

static void
test_measurement(Fixture *fixture, gconstpointer data)
{
  (void)data;
  DebyeMeasurementLayer *layer = debye_measurement_layer_new(fixture->topology);
  DebyeMoleculeMeshLayer *base = DEBYE_MOLECULE_MESH_LAYER(layer);
  add(fixture, layer);
  g_assert_true(isnan(debye_measurement_layer_get_value(layer)));
  debye_layer_show_frame(DEBYE_LAYER(base), fixture->frame);
  debye_layer_choose(DEBYE_LAYER(base), NULL, (const guint32[]){2, 0}, 2);
  g_autofree char *distance = debye_measurement_layer_get_text(layer);
  g_assert_cmpstr(distance, ==, "6.00 Å");
  g_autoptr(GBytes) picture = capture(fixture);
  g_assert_cmpuint(count_drawn(picture, SIDE / 2, SIDE), >, 40);
  fixture->frame->y[2] = 6.0f;
  fixture->frame->x[2] = 0.0f;
  debye_layer_choose(DEBYE_LAYER(base), NULL, (const guint32[]){1, 0, 2}, 3);
  g_autofree char *angle = debye_measurement_layer_get_text(layer);
  g_assert_cmpstr(angle, ==, "90.0°");
  fixture->frame->x[3] = 0.0f;
  fixture->frame->y[3] = 6.0f;
  fixture->frame->z[3] = 2.0f;
  debye_layer_choose(DEBYE_LAYER(base), NULL, (const guint32[]){1, 0, 2, 3}, 4);
  g_autofree char *dihedral = debye_measurement_layer_get_text(layer);
  g_assert_cmpstr(dihedral, ==, "−90.0°");
  fixture->frame->x[0] = NAN;
  g_autofree char *lost = debye_measurement_layer_get_text(layer);
  g_assert_cmpstr(lost, ==, "");
}

/* A bond is dashes between the two, in its colour; it goes when they part. */
static void
test_hydrogen_bonds(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  for (int i = 0; i < 2; i++) {
    DebyeAtom atom = DEBYE_ATOM_INIT;
    atom.name = atom.element = "O";
    debye_topology_builder_set_residue(builder, "HOH", -1, i + 1, 0, "", -1, "", -1);
    debye_topology_builder_add_atom(builder, &atom);
  }
  g_autoptr(DebyeTopology) waters = debye_topology_builder_finish(builder);
  g_autoptr(DebyeFrame) near = debye_frame_new(2);
  for (gsize i = 0; i < 2; i++) {
    near->x[i] = i ? 1.45f : -1.45f;
    near->y[i] = near->z[i] = 0.0f;
  }
  g_autoptr(DebyeFrame) apart = debye_frame_copy(near);
  apart->x[1] = 3.0f;
  DebyeHydrogenBondLayer *layer = debye_hydrogen_bond_layer_new(waters);
  add(fixture, layer);
  debye_layer_show_frame(DEBYE_LAYER(layer), near);
  g_autoptr(GBytes) bonded = capture(fixture);
  g_assert_cmpuint(count_drawn(bonded, 0, SIDE), >, 40);
  debye_layer_show_frame(DEBYE_LAYER(layer), apart);
  g_autoptr(GBytes) free = capture(fixture);
  g_assert_cmpuint(count_drawn(free, 0, SIDE), ==, 0);
  g_object_set(layer, "distance", 5.0, NULL);
  g_autoptr(GBytes) wide = capture(fixture);
  g_assert_cmpuint(count_drawn(wide, 0, SIDE), >, 40);
}

static void
count_overflow(DebyeBinLayer *layer, GParamSpec *spec, guint *n)
{
  (void)spec;
  g_object_get(layer, "n-overflow", n, NULL);
}

static void
wait_for_looked_at(DebyeBinLayer *layer, guint expected_brought, guint expected_within)
{
  const gint64 end = g_get_monotonic_time() + 20 * G_USEC_PER_SEC;
  guint brought = G_MAXUINT, within = G_MAXUINT;
  while ((brought != expected_brought || within != expected_within) && g_get_monotonic_time() < end) {
    g_main_context_iteration(NULL, FALSE);
    g_object_get(layer, "n-brought", &brought, "n-within", &within, NULL);
  }
  g_assert_cmpuint(brought, ==, expected_brought);
  g_assert_cmpuint(within, ==, expected_within);
}

static void
wait_for_overflow(guint *n, guint expected)
{
  const gint64 end = g_get_monotonic_time() + 20 * G_USEC_PER_SEC;
  while (*n != expected && g_get_monotonic_time() < end)
    g_main_context_iteration(NULL, FALSE);
  g_assert_cmpuint(*n, ==, expected);
}

/* Bins at −2 and 2, of edge 4: from above onto the one of three atoms beside them, from below past an empty one to the other, onto an
 * empty one at the pivot's height, and beside the lattice. What is chosen so is looked at, until an atom is. */
static void
pick_bins(DebyeBinLayer *layer)
{
  const DebyeVec3 down = debye_vec3(0.0, 0.0, -1.0), pivot = debye_vec3(0.0, 0.0, 1.0);
  DebyeBinPick pick;
  g_assert_true(debye_bin_layer_pick_bin(layer, debye_vec3(1.5, 1.5, 50.0), down, pivot, &pick));
  g_assert_cmpint(pick.atom, ==, 0);
  g_assert_cmpint(pick.bin[0], ==, -1);
  g_assert_true(
      debye_bin_layer_pick_bin(layer, debye_vec3(5.5, 5.5, -50.0), debye_vec3(0.0, 0.0, 1.0), pivot, &pick));
  g_assert_cmpint(pick.atom, ==, 3);
  g_assert_true(
      debye_bin_layer_pick_bin(layer, debye_vec3(1.0, 50.0, 1.0), debye_vec3(0.0, -1.0, 0.0), pivot, &pick));
  g_assert_cmpint(pick.atom, ==, 0);
  g_assert_false(debye_bin_layer_pick_bin(layer, debye_vec3(9.0, 0.0, 50.0), down, pivot, &pick));
  g_assert_true(debye_bin_layer_pick_bin(layer, debye_vec3(4.0, 0.0, 50.0), down, pivot, &pick));
  g_assert_cmpint(pick.atom, ==, -1);
  const int empty[] = {1, 0, 0};
  g_assert_cmpmem(pick.bin, sizeof pick.bin, empty, sizeof empty);
  g_object_set(layer, "cutoff", 1.2, "list", 0, "bin-x", 1, "bin-y", 0, "bin-z", 0, NULL);
  wait_for_looked_at(layer, 4, 1);
  g_object_set(layer, "atom", 3, NULL);
  g_object_set(layer, "atom", -1, NULL);
  wait_for_looked_at(layer, 4, 0);
}

/* Of three atoms in one bin and one in another a capacity of two leaves one over, of one two; small bins
 * none. Points of the first bin stand from −1.75 to 1.75: the other bin, 0.43 Å from them, is in the cube of a
 * cutoff of 0.4 Å and not in its sphere. */
static void
test_bins(Fixture *fixture, gconstpointer data)
{
  static const float places[] = {-2.0f, -1.9f, -1.8f, 2.5f};
  (void)data;
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  g_autoptr(DebyeFrame) frame = debye_frame_new(G_N_ELEMENTS(places));
  debye_topology_builder_set_residue(builder, "X", -1, 1, 0, "", -1, "", -1);
  for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
    DebyeAtom atom = DEBYE_ATOM_INIT;
    atom.name = atom.element = "O";
    debye_topology_builder_add_atom(builder, &atom);
    frame->x[i] = frame->y[i] = frame->z[i] = places[i];
  }
  g_autoptr(DebyeTopology) atoms = debye_topology_builder_finish(builder);
  DebyeBinLayer *layer = debye_bin_layer_new(atoms);
  guint n = G_MAXUINT;
  g_signal_connect(layer, "notify::n-overflow", G_CALLBACK(count_overflow), &n);
  add(fixture, layer);
  g_object_set(layer, "capacity", 2.0, NULL);
  debye_layer_show_frame(DEBYE_LAYER(layer), frame);
  wait_for_overflow(&n, 1);
  g_autoptr(GBytes) drawn = capture(fixture);
  g_assert_cmpuint(count_drawn(drawn, 0, SIDE), >, 40);
  g_object_set(layer, "capacity", 1.0, NULL);
  wait_for_overflow(&n, 2);
  g_object_set(layer, "edge", 0.5, "capacity", 3.0, NULL);
  wait_for_overflow(&n, 0);
  g_object_set(layer, "edge", 4.0, "spacing", 0.5, "cutoff", 1.0, "atom", 0, NULL);
  wait_for_looked_at(layer, 4, 3);
  g_object_set(layer, "cutoff", 0.4, NULL);
  wait_for_looked_at(layer, 4, 2);
  g_object_set(layer, "list", 1, NULL);
  wait_for_looked_at(layer, 3, 2);
  g_object_set(layer, "atom", -1, NULL);
  wait_for_looked_at(layer, 4, 0);
  pick_bins(layer);
}

/* --- Many atoms, which go up and are picked by several threads --- */

#define MANY 240000
#define LAST 500

static DebyeLayer *
add_liquid(Fixture *fixture, const SampleMolecule *molecule)
{
  DebyeMoleculeLayer *layer = debye_molecule_layer_new(molecule->topology);
  g_autofree guint32 *last = g_new(guint32, LAST);
  for (gsize i = 0; i < LAST; i++)
    last[i] = (guint32)(molecule->frame->n_atoms - LAST + i);
  debye_molecule_layer_set_atoms(layer, last, LAST);
  debye_layer_show_frame(DEBYE_LAYER(layer), molecule->frame);
  return add(fixture, layer);
}

/* The last atoms of many look as they do alone. */
static void
test_many_atoms(Fixture *fixture, gconstpointer data)
{
  (void)data;
  SampleMolecule few = sample_liquid(LAST), many = sample_liquid(MANY);
  const gsize size = LAST * sizeof(float);
  memcpy(many.frame->x + MANY - LAST, few.frame->x, size);
  memcpy(many.frame->y + MANY - LAST, few.frame->y, size);
  memcpy(many.frame->z + MANY - LAST, few.frame->z, size);
  many.frame->cell = few.frame->cell;
  DebyeLayer *layer = add_liquid(fixture, &few);
  DebyePick pick, pick_of_many;
  debye_scene_view_all(fixture->scene, 1.0);
  g_autoptr(GBytes) alone = capture(fixture);
  g_assert_cmpuint(count_drawn(alone, 0, SIDE), >, 1500);
  double x = SIDE / 4;
  while (!debye_scene_pick(fixture->scene, x, SIDE / 2, SIDE, SIDE, &pick))
    g_assert_cmpfloat(++x, <, SIDE);
  debye_scene_remove(fixture->scene, layer);
  add_liquid(fixture, &many);
  g_autoptr(GBytes) among_many = capture(fixture);
  g_assert_true(g_bytes_equal(alone, among_many));
  g_assert_true(debye_scene_pick(fixture->scene, x, SIDE / 2, SIDE, SIDE, &pick_of_many));
  g_assert_cmpint(pick_of_many.atom, ==, pick.atom + MANY - LAST);
  sample_molecule_clear(&few);
  sample_molecule_clear(&many);
}

static void
add_test(const char *path, void (*test)(Fixture *, gconstpointer))
{
  g_test_add(path, Fixture, NULL, set_up, test, tear_down);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  add_test("/scene-parts/clip/across", test_clip_across);
  add_test("/scene-parts/clip/across-view", test_clip_across_view);
  add_test("/scene-parts/clip/transparent", test_clip_transparent);
  add_test("/scene-parts/clip/pick", test_clip_pick);
  add_test("/scene-parts/images", test_images);
  add_test("/scene-parts/labels", test_labels);
  add_test("/scene-parts/labels-clipped", test_labels_clipped);
  add_test("/scene-parts/measurement", test_measurement);
  add_test("/scene-parts/many-atoms", test_many_atoms);
  add_test("/scene-parts/bins", test_bins);
  add_test("/scene-parts/hydrogen-bonds", test_hydrogen_bonds);
  return g_test_run();
}
