/* SPDX-License-Identifier: MIT */
/* Cartoons of chains whose shape is known: a ribbon that follows a helix, a tube along a straight chain, ends
 * at gaps, closed and outward-facing surfaces; and the same off screen. */
#include <string.h>

#include "../support/peptide.h"
#include "data/molecule/secondary_structure.h"
#include "render/scene/capture.h"
#include "render/layers/cartoon_layer.h"
#include "render/mesh/cartoon_mesh.h"
#include "render/scene/scene.h"

static DebyeMesh *
make_mesh(DebyeTopology *topology, DebyeFrame *frame, double scale)
{
  g_autoptr(DebyeBackbone) backbone = debye_backbone_new(topology);
  g_autofree guint8 *structure = debye_secondary_structure_assign(backbone, topology, frame);
  g_autofree guint8 *links = debye_backbone_find_links(backbone, topology, frame, FALSE);
  g_autofree guint8 *shown = g_malloc(backbone->n_units + 1);
  memset(shown, 1, backbone->n_units + 1);
  DebyeCartoonPlan plan = {.backbone = backbone,
                           .links = links,
                           .structure = structure,
                           .shown = shown,
                           .frame = frame,
                           .scale = scale};
  return debye_cartoon_mesh_new(&plan, NULL);
}

/* CA atoms alone at given places. */
static DebyeTopology *
make_trace(gsize n)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  for (gsize i = 0; i < n; i++) {
    DebyeAtom atom = DEBYE_ATOM_INIT;
    atom.name = "CA";
    atom.element = "C";
    debye_topology_builder_set_residue(builder, "ALA", -1, (gint32)i + 1, 0, "A", -1, "", -1);
    debye_topology_builder_add_atom(builder, &atom);
  }
  return debye_topology_builder_finish(builder);
}

static DebyeVec3
vertex(const DebyeMesh *mesh, guint32 i)
{
  const float *p = mesh->positions + 3 * (gsize)i;
  return debye_vec3((double)p[0], (double)p[1], (double)p[2]);
}

/* Six times the volume that triangles facing outwards enclose is positive, and their faces agree with the
 * normals at their corners. */
static double
check_faces(const DebyeMesh *mesh)
{
  double volume = 0.0;
  for (gsize t = 0; t < mesh->n_triangles; t++) {
    const guint32 *corners = mesh->indices + 3 * t;
    DebyeVec3 a = vertex(mesh, corners[0]), b = vertex(mesh, corners[1]), c = vertex(mesh, corners[2]);
    DebyeVec3 face = debye_vec3_cross(debye_vec3_subtract(b, a), debye_vec3_subtract(c, a));
    const float *n = mesh->normals + 3 * (gsize)corners[0];
    DebyeVec3 normal = debye_vec3((double)n[0], (double)n[1], (double)n[2]);
    g_assert_cmpfloat_with_epsilon(debye_vec3_length(normal), 1.0, 1e-5);
    if (debye_vec3_length(face) > 1e-3)
      g_assert_cmpfloat(debye_vec3_dot(face, normal), >, 0.0);
    volume += debye_vec3_dot(a, debye_vec3_cross(b, c)) / 6.0;
  }
  return volume;
}

/* Of a round end, whose rings stand at quarters of a right angle, as parts of radius³ for a section of radius². */
static double
measure_dome(void)
{
  double volume = 0.0;
  for (int k = 0; k < 4; k++) {
    double a = G_PI / 8.0 * k, b = G_PI / 8.0 * (k + 1), c = cos(a), d = cos(b);
    volume += (sin(b) - sin(a)) / 3.0 * (c * c + d * d + c * d);
  }
  return volume;
}

/* A straight chain is a straight tube with round ends: every vertex lies on its surface, and its volume is that
 * of a prism with as many sides and of two domes. */
static void
test_straight(void)
{
  enum { N = 8 };
  const double step = 3.8, radius = 0.28, sides = 20.0;
  g_autoptr(DebyeTopology) topology = make_trace(N);
  g_autoptr(DebyeFrame) frame = debye_frame_new(N);
  for (gsize i = 0; i < N; i++)
    debye_frame_set_position(frame, i, debye_vec3(1.0, 2.0 + step * (double)i, -3.0));
  g_autoptr(DebyeMesh) mesh = make_mesh(topology, frame, 1.0);
  for (guint32 i = 0; i < mesh->n_vertices; i++) {
    DebyeVec3 p = vertex(mesh, i);
    double beyond = fmax(fmax(2.0 - p.y, p.y - 2.0 - step * (N - 1)), 0.0);
    g_assert_cmpfloat_with_epsilon(hypot(hypot(p.x - 1.0, p.z + 3.0), beyond), radius, 1e-5);
    g_assert_cmpfloat(fabs(p.y - 2.0 - step * mesh->atoms[i]), <, 0.5 * step + 1e-4);
  }
  double section = 0.5 * sides * sin(2.0 * G_PI / sides) * radius * radius;
  g_assert_cmpfloat_with_epsilon(check_faces(mesh),
                                 section * (step * (N - 1) + 2.0 * radius * measure_dome()), 1e-3);
}

/* Of an alpha helix the ribbon's middle stays on the cylinder of the CA atoms: 2.3 Å. The spline between
 * atoms 100° apart comes within 5 % of it. */
static void
test_helix(void)
{
  g_auto(Peptide) peptide = peptide_build(-57.0, -47.0, 20);
  g_autoptr(DebyeBackbone) backbone = debye_backbone_new(peptide.topology);
  guint8 shapes[20];
  memset(shapes, DEBYE_CARTOON_HELIX, sizeof shapes);
  g_auto(DebyeCartoonPath) path;
  debye_cartoon_path_init(&path, backbone->units, shapes, 20, peptide.frame);
  /* The axis by the centre of four residues in a row at each end: 3.6 make a turn. */
  DebyeVec3 ends[2] = {{0}};
  for (gsize i = 0; i < 18; i++) {
    ends[0] = debye_vec3_add(ends[0], debye_vec3_scale(path.points[i], 1.0 / 18.0));
    ends[1] = debye_vec3_add(ends[1], debye_vec3_scale(path.points[i + 2], 1.0 / 18.0));
  }
  DebyeVec3 axis = debye_vec3_subtract(ends[1], ends[0]);
  axis = debye_vec3_scale(axis, 1.0 / debye_vec3_length(axis));
  double least = INFINITY, most = 0.0;
  for (double place = 2.0; place <= 17.0; place += 0.05) {
    DebyeCartoonPlace at;
    debye_cartoon_path_get(&path, place, &at);
    DebyeVec3 from = debye_vec3_subtract(at.position, ends[0]);
    double radius = debye_vec3_length(debye_vec3_cross(from, axis));
    least = fmin(least, radius);
    most = fmax(most, radius);
    g_assert_cmpfloat_with_epsilon(debye_vec3_dot(at.side, at.along), 0.0, 1e-9);
    g_assert_cmpfloat_with_epsilon(debye_vec3_length(at.up), 1.0, 1e-9);
    /* The ribbon lies on the cylinder: wide along the axis, not across. */
    g_assert_cmpfloat(fabs(debye_vec3_dot(at.side, axis)), >, 0.75);
  }
  g_assert_cmpfloat(least, >, 2.0);
  g_assert_cmpfloat(most, <, 2.5);
  g_assert_cmpfloat(least / most, >, 0.88);
}

static void
test_faces(void)
{
  g_auto(Peptide) helix = peptide_build(-57.0, -47.0, 12), strand = peptide_build(-139.0, 135.0, 9);
  g_autoptr(DebyeMesh) round = make_mesh(helix.topology, helix.frame, 1.0);
  g_assert_cmpfloat(check_faces(round), >, 0.0);
  g_autoptr(DebyeBackbone) backbone = debye_backbone_new(strand.topology);
  guint8 structure[9], ones[9];
  memset(structure, DEBYE_STRUCTURE_STRAND, sizeof structure);
  memset(ones, 1, sizeof ones);
  ones[8] = 0;
  guint8 shown[9];
  memset(shown, 1, sizeof shown);
  DebyeCartoonPlan plan = {.backbone = backbone,
                           .links = ones,
                           .structure = structure,
                           .shown = shown,
                           .frame = strand.frame,
                           .scale = 1.0};
  g_autoptr(DebyeMesh) arrow = debye_cartoon_mesh_new(&plan, NULL);
  g_assert_cmpfloat(check_faces(arrow), >, 0.0);
  /* The head is wider than the body, and it is at the end: the widest places belong to the last residues. */
  double widest[9] = {0.0};
  g_auto(DebyeCartoonPath) path;
  guint8 shapes[9];
  memset(shapes, DEBYE_CARTOON_STRAND, sizeof shapes);
  debye_cartoon_path_init(&path, backbone->units, shapes, 9, strand.frame);
  for (guint32 i = 0; i < arrow->n_vertices; i++) {
    guint32 unit = arrow->atoms[i] / 4;
    DebyeVec3 way = debye_vec3_subtract(vertex(arrow, i), path.points[unit]);
    widest[unit] = fmax(widest[unit], fabs(debye_vec3_dot(way, path.sides[unit])));
  }
  g_assert_cmpfloat(widest[7], >, 1.5 * widest[3]);
  /* The tip is no neck of a tube, of half a width of 0.28 Å, that continues from there, and its corners hardly stand out. */
  double reach = 0.0;
  DebyeCartoonPlace tip;
  debye_cartoon_path_get(&path, 8.0, &tip);
  for (guint32 i = 0; i < arrow->n_vertices; i++) {
    DebyeVec3 way = debye_vec3_subtract(vertex(arrow, i), tip.position);
    if (debye_vec3_length(way) < 0.5 && fabs(debye_vec3_dot(way, tip.along)) < 1e-3) {
      g_assert_cmpfloat(debye_vec3_length(way), <, 0.35);
      reach = fmax(reach, fabs(debye_vec3_dot(way, tip.side)));
    }
  }
  g_assert_cmpfloat_with_epsilon(reach, 0.28, 0.05);
}

static double
distance_from_path(const DebyeCartoonPath *path, DebyeVec3 point)
{
  double least = INFINITY;
  for (double place = 0.0; place <= (double)path->n - 1.0; place += 0.005) {
    DebyeCartoonPlace at;
    debye_cartoon_path_get(path, place, &at);
    least = fmin(least, debye_vec3_length(debye_vec3_subtract(point, at.position)));
  }
  return least;
}

/* A strand or a helix within a chain: what belongs to its neighbours is a thin tube right up to it, and what belongs
 * to its own first and last residue is no neck of such a tube. */
static void
test_borders(void)
{
  enum { N = 12, FIRST = 4, LAST = 7, CA = 1, ATOMS = 4 };
  const struct {
    DebyeStructure structure;
    DebyeCartoonShape shape;
    double phi, psi, narrowest; /* of the first residue's widest place */
  } cases[] = {{DEBYE_STRUCTURE_STRAND, DEBYE_CARTOON_STRAND, -139.0, 135.0, 1.05},
               {DEBYE_STRUCTURE_HELIX_ALPHA, DEBYE_CARTOON_HELIX, -57.0, -47.0, 1.1}};
  for (gsize c = 0; c < G_N_ELEMENTS(cases); c++) {
    g_auto(Peptide) peptide = peptide_build(cases[c].phi, cases[c].psi, N);
    g_autoptr(DebyeBackbone) backbone = debye_backbone_new(peptide.topology);
    guint8 structure[N] = {0}, shapes[N] = {0}, links[N], shown[N];
    memset(structure, DEBYE_STRUCTURE_LOOP, sizeof structure);
    memset(structure + FIRST, (int)cases[c].structure, LAST - FIRST + 1);
    memset(shapes + FIRST, (int)cases[c].shape, LAST - FIRST + 1);
    memset(links, 1, sizeof links);
    memset(shown, 1, sizeof shown);
    links[N - 1] = 0;
    const DebyeCartoonPlan plan = {backbone, links, structure, shown, peptide.frame, 1.0};
    g_autoptr(DebyeMesh) mesh = debye_cartoon_mesh_new(&plan, NULL);
    g_assert_cmpfloat(check_faces(mesh), >, 0.0);
    g_auto(DebyeCartoonPath) path;
    debye_cartoon_path_init(&path, backbone->units, shapes, N, peptide.frame);
    double widest[N] = {0.0};
    for (guint32 i = 0; i < mesh->n_vertices; i++) {
      const guint32 unit = mesh->atoms[i] / ATOMS;
      widest[unit] = fmax(widest[unit], distance_from_path(&path, vertex(mesh, i)));
    }
    for (gsize unit = 0; unit < N; unit++)
      if (unit < FIRST || unit > LAST)
        g_assert_cmpfloat_with_epsilon(widest[unit], 0.28,
                                       0.03); /* round ends are straight, the path bends */
    g_assert_cmpfloat(widest[FIRST], >=, cases[c].narrowest);
  }
}

/* Two residues that are not there part the chain: the mesh is that of the two parts. */
static void
test_gap(void)
{
  enum { N = 12 };
  g_autoptr(DebyeTopology) topology = make_trace(N);
  g_autoptr(DebyeFrame) frame = debye_frame_new(N);
  for (gsize i = 0; i < N; i++)
    debye_frame_set_position(frame, i, debye_vec3(3.8 * (double)i + (i >= 6 ? 7.6 : 0.0), 0.0, 0.0));
  g_autoptr(DebyeMesh) mesh = make_mesh(topology, frame, 1.0);
  for (guint32 i = 0; i < mesh->n_vertices; i++) {
    double x = vertex(mesh, i).x;
    g_assert_true(x <= 19.0 + 0.3 || x >= 30.4 - 0.3); /* with the round ends */
  }
  frame->y[3] = NAN;
  g_autoptr(DebyeMesh) holed = make_mesh(topology, frame, 1.0);
  g_assert_cmpuint(holed->n_vertices, >, 0);
  for (guint32 i = 0; i < holed->n_vertices; i++)
    g_assert_true(isfinite(vertex(holed, i).y));
}

/* One atom a residue, no residue at all, no atom chosen: nothing is drawn, and nothing fails. */
static void
test_little(void)
{
  g_autoptr(DebyeTopology) topology = make_trace(1);
  g_autoptr(DebyeFrame) frame = debye_frame_new(1);
  g_autoptr(DebyeMesh) mesh = make_mesh(topology, frame, 1.0);
  g_assert_cmpuint(mesh->n_triangles, ==, 0);
  g_autoptr(DebyeCartoonLayer) layer = debye_cartoon_layer_new(topology);
  debye_layer_choose(DEBYE_LAYER(layer), NULL, (const guint32[]){0}, 0);
  debye_layer_show_frame(DEBYE_LAYER(layer), frame);
  debye_layer_settle(DEBYE_LAYER(layer));
  g_assert_cmpuint(debye_mesh_layer_get_mesh(DEBYE_MESH_LAYER(layer))->n_triangles, ==, 0);
}

/* Off screen: the helix has its colour, follows its frame, is found under the pointer, and one colour is one.
 */
static void
test_picture(void)
{
  enum { WIDTH = 200, HEIGHT = 200 };
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeOffscreen) offscreen = debye_offscreen_new(&error);
  g_assert_no_error(error);
  g_auto(Peptide) peptide = peptide_build(-57.0, -47.0, 20);
  g_autoptr(DebyeScene) scene = debye_scene_new();
  DebyeCartoonLayer *layer = debye_cartoon_layer_new(peptide.topology);
  DebyeMoleculeMeshLayer *base = DEBYE_MOLECULE_MESH_LAYER(layer);
  debye_scene_add(scene, DEBYE_LAYER(layer));
  g_object_unref(layer);
  debye_layer_show_frame(DEBYE_LAYER(base), peptide.frame);
  *debye_scene_get_look(scene) = (DebyeLook){.background = {1.0f, 1.0f, 1.0f, 1.0f},
                                             .light_turn = -25.66f,
                                             .light_tilt = 28.42f,
                                             .brightness = 1.0f};
  debye_scene_settle(scene);
  debye_scene_view_all(scene, 1.0);
  for (int uniform = 0; uniform < 2; uniform++) {
    debye_molecule_mesh_layer_set_coloring(base,
                                           uniform ? DEBYE_CARTOON_UNIFORM : DEBYE_CARTOON_BY_STRUCTURE);
    g_object_set(layer, "color", 0x00c000, NULL);
    g_autoptr(GBytes) picture = debye_capture(scene, WIDTH, HEIGHT, 1.0, FALSE, 1, &error);
    g_assert_no_error(error);
    const guint8 *p = g_bytes_get_data(picture, NULL);
    gsize purple = 0, green = 0;
    for (gsize i = 0; i < (gsize)4 * WIDTH * HEIGHT; i += 4) {
      purple += p[i + 2] > p[i + 1] + 20 && p[i] > p[i + 1];
      green += p[i + 1] > p[i] + 20 && p[i + 1] > p[i + 2] + 20;
    }
    g_assert_cmpuint(uniform ? green : purple, >, 2000);
    g_assert_cmpuint(uniform ? purple : green, ==, 0);
  }
  DebyePick pick;
  gboolean found = FALSE;
  for (int y = 80; y < 120 && !found; y += 4)
    found = debye_scene_pick(scene, 100.0, y, WIDTH, HEIGHT, &pick);
  g_assert_true(found);
  g_assert_cmpint(pick.atom % 4, ==, 1); /* a CA */
  g_autoptr(DebyeFrame) moved = debye_frame_copy(peptide.frame);
  for (gsize i = 0; i < moved->n_atoms; i++)
    moved->x[i] += 50.0f;
  DebyeVec3 before, after, high;
  g_assert_true(debye_layer_get_bounds(DEBYE_LAYER(layer), &before, &high));
  debye_layer_show_frame(DEBYE_LAYER(base), moved);
  debye_layer_settle(DEBYE_LAYER(layer));
  g_assert_true(debye_layer_get_bounds(DEBYE_LAYER(layer), &after, &high));
  g_assert_cmpfloat_with_epsilon(after.x - before.x, 50.0, 1e-3);
  debye_scene_release(scene, FALSE);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/cartoon/straight", test_straight);
  g_test_add_func("/cartoon/helix", test_helix);
  g_test_add_func("/cartoon/faces", test_faces);
  g_test_add_func("/cartoon/borders", test_borders);
  g_test_add_func("/cartoon/gap", test_gap);
  g_test_add_func("/cartoon/little", test_little);
  g_test_add_func("/cartoon/picture", test_picture);
  return g_test_run();
}
