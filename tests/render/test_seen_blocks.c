/* SPDX-License-Identifier: MIT */
/* What samples of a picture leave out since it is hidden: the picture is the same to the last bit, and much is left out where much is
 * hidden. */
#include <math.h>
#include <string.h>

#include "render/gl/seen_blocks.h"
#include "render/layers/box_layer.h"
#include "render/layers/clip_layer.h"
#include "render/layers/isosurface_layer.h"
#include "render/layers/molecule_layer.h"
#include "render/mesh/marching_cubes.h"
#include "render/mesh/mesh_blocks.h"
#include "render/scene/capture_private.h"
#include "render/scene/scene_private.h"
#include "golden.h"
#include "sample_scene.h"

#define WIDTH 160
#define HEIGHT 120
#define SAMPLES 3
#define ZOOM 4.0         /* near enough that blocks cover many pixels */
#define SLIT_PERIOD 41.3 /* Å */
#define SLIT_WIDTH 0.9   /* half a pixel */
#define SLIT_STEP 0.4
#define WALL_POINTS 750
#define MAZE_POINTS 40
#define MAZE_SIDE 200.0 /* Å */

/* --- Squares of depths --- */

static float
farthest_of(const DebyeDepthLevels *depths, const int columns[2], const int rows[2])
{
  float farthest = 0.0f;
  for (int y = rows[0]; y <= rows[1]; y++)
    for (int x = columns[0]; x <= columns[1]; x++)
      farthest = fmaxf(farthest, depths->levels[0][y * depths->width + x]);
  return farthest;
}

static void
take_range(GRand *random, int side, int range[2])
{
  const int a = g_rand_int_range(random, 0, side), b = g_rand_int_range(random, 0, side);
  range[0] = MIN(a, b);
  range[1] = MAX(a, b);
}

/* Every rectangle has the farthest of its own squares, whatever is around it. */
static void
test_levels(void)
{
  static const int sides[][2] = {{1, 1}, {37, 21}, {64, 32}, {1, 19}};
  g_autoptr(GRand) random = g_rand_new_with_seed(5);
  DebyeDepthLevels depths = {0};
  for (gsize i = 0; i < G_N_ELEMENTS(sides); i++) {
    debye_depth_levels_resize(&depths, sides[i][0], sides[i][1]);
    for (int k = 0; k < sides[i][0] * sides[i][1]; k++)
      depths.levels[0][k] = (float)g_rand_double(random);
    debye_depth_levels_build(&depths);
    for (int k = 0; k < 2000; k++) {
      int columns[2], rows[2];
      take_range(random, sides[i][0], columns);
      take_range(random, sides[i][1], rows);
      const float farthest = farthest_of(&depths, columns, rows);
      g_assert_false(debye_depth_levels_hide(&depths, columns, rows, farthest));
      g_assert_true(debye_depth_levels_hide(&depths, columns, rows, nextafterf(farthest, 2.0f)));
    }
  }
  debye_depth_levels_clear(&depths);
}

/* --- Blocks --- */

#define N_BOXES 20
#define WALL_SQUARES 16

/* Boxes in two rows along x, seen along z: one before and one behind a wall at depth 0.5; the last of each beside the picture. */
static void
make_boxes(float boxes[N_BOXES][6])
{
  for (int i = 0; i < N_BOXES; i++) {
    const float x = -0.9f + 0.2f * (float)(i / 2), z = i % 2 ? -0.8f : 0.6f;
    memcpy(boxes[i], (float[]){x, -0.1f, z, x + 0.05f, 0.1f, z + 0.1f}, sizeof boxes[i]);
    if (i >= N_BOXES - 2)
      boxes[i][3] = (boxes[i][0] = 1.5f) + 0.1f;
  }
}

/* A hidden block stays out until depths open before it, in the same pass alone. */
static void
test_blocks(void)
{
  float boxes[N_BOXES][6];
  mat4 to_clip;
  DebyeDepthLevels depths = {0};
  DebyeSeenBlocks *seen = debye_seen_blocks_new();
  const DebyeBoxes list = {boxes, sizeof boxes[0], N_BOXES, 0.0f, 0.0f};
  make_boxes(boxes);
  glm_ortho(-1.0f, 1.0f, -1.0f, 1.0f, -1.0f, 1.0f, to_clip);
  debye_depth_levels_resize(&depths, WALL_SQUARES, WALL_SQUARES);
  for (int i = 0; i < WALL_SQUARES * WALL_SQUARES; i++)
    depths.levels[0][i] = 0.5f;
  debye_depth_levels_build(&depths);
  debye_seen_blocks_begin(seen, WALL_SQUARES * DEBYE_DEPTH_SQUARE, WALL_SQUARES * DEBYE_DEPTH_SQUARE);
  for (int pass = 0; pass < 2; pass++) {
    debye_seen_blocks_begin_pass(seen, pass);
    g_assert_false(debye_seen_blocks_is_worth_a_look(seen));
    g_assert_null(debye_seen_blocks_ask(seen, &list, to_clip));
    g_assert_true(debye_seen_blocks_is_worth_a_look(seen));
    g_assert_false(debye_seen_blocks_look(seen, &depths));
  }
  debye_seen_blocks_begin_pass(seen, 1);
  const guint8 *wanted = debye_seen_blocks_ask(seen, &list, to_clip);
  for (int i = 0; i < N_BOXES; i++)
    g_assert_cmpuint(wanted[i], ==, i % 2 == 0 && i < N_BOXES - 2);
  /* A hole before the second box that lies behind. */
  depths.levels[0][7 * WALL_SQUARES + 2] = 1.0f;
  debye_depth_levels_build(&depths);
  g_assert_true(debye_seen_blocks_look(seen, &depths));
  debye_seen_blocks_begin_found(seen);
  wanted = debye_seen_blocks_ask(seen, &list, to_clip);
  g_assert_true(wanted[3]);
  g_assert_false(wanted[0] || wanted[2] || wanted[9]);
  debye_seen_blocks_begin_pass(seen, 1);
  wanted = debye_seen_blocks_ask(seen, &list, to_clip);
  g_assert_true(wanted[3]);
  g_assert_false(wanted[9] || wanted[11]);
  g_assert_false(debye_seen_blocks_look(seen, &depths));
  debye_seen_blocks_begin_pass(seen, 0);
  g_assert_false(debye_seen_blocks_ask(seen, &list, to_clip)[3]);
  debye_seen_blocks_free(seen);
  debye_depth_levels_clear(&depths);
}

/* --- Triangles --- */

/* A gyroid's: walls behind walls, from all sides. */
static double
maze(DebyeVec3 p)
{
  const double x = 0.2 * p.x, y = 0.2 * p.y, z = 0.2 * p.z;
  return sin(x) * cos(y) + sin(y) * cos(z) + sin(z) * cos(x);
}

static int
compare_triangles(gconstpointer a, gconstpointer b)
{
  return memcmp(a, b, 3 * sizeof(guint32));
}

/* Sorted, they are the same triangles; with a corner at infinity there are no cells to sort into. */
static void
test_sorted(void)
{
  g_autoptr(DebyeField) field = sample_field(MAZE_POINTS, MAZE_SIDE, maze);
  DebyeMesh *mesh = debye_marching_cubes_of_field(field, 0.0, NULL);
  const gsize size = 3 * sizeof(guint32);
  g_autofree guint32 *sorted = debye_mesh_blocks_sort(mesh);
  g_assert_nonnull(sorted);
  g_assert_cmpint(memcmp(sorted, mesh->indices, mesh->n_triangles * size), !=, 0);
  qsort(sorted, mesh->n_triangles, size, compare_triangles);
  qsort(mesh->indices, mesh->n_triangles, size, compare_triangles);
  g_assert_cmpmem(sorted, mesh->n_triangles * size, mesh->indices, mesh->n_triangles * size);
  mesh->positions[0] = INFINITY;
  g_assert_null(debye_mesh_blocks_sort(mesh));
  debye_mesh_free(mesh);
}

/* --- Pictures --- */

typedef struct {
  const char *name;
  DebyeMoleculeStyle style;
  double opacity; /* of one of two surfaces; 0: there are none */
  gboolean orthographic, cut, images, shadow;
  gboolean wall; /* before the maze; its slits show again what is left out */
  int side;      /* of a tile; 0: the picture is one */
} Case;

static const Case cases[] = {
    {"spheres", DEBYE_STYLE_SPHERES, .orthographic = TRUE, .images = TRUE},
    {"surfaces", DEBYE_STYLE_STICKS, .opacity = 1.0, .shadow = TRUE},
    {"translucent", DEBYE_STYLE_LINES, .opacity = 0.5, .orthographic = TRUE, .cut = TRUE},
    {"tiles", DEBYE_STYLE_BALL_AND_STICK, .opacity = 0.7, .side = 110},
    {"slits", DEBYE_STYLE_STICKS, .opacity = 1.0, .orthographic = TRUE, .wall = TRUE},
};

/* A wall before the maze with slits narrower than a pixel, through which some samples see and others don't. */
static DebyeField *
make_wall(void)
{
  const DebyeGrid grid = {.origin = {-148.3, -110.0, 144.0},
                          .step = {{SLIT_STEP, 0.0, 0.0}, {0.0, 20.0, 0.0}, {0.0, 0.0, 4.0}},
                          .shape = {WALL_POINTS, 12, 4}};
  float *values = g_new(float, debye_grid_n_points(&grid));
  for (gsize i = 0; i < debye_grid_n_points(&grid); i++) {
    const double across =
        fabs(remainder(SLIT_STEP * (double)(i % WALL_POINTS), SLIT_PERIOD)) - 0.5 * SLIT_WIDTH;
    const double within = 4.0 - fabs(4.0 * (double)(i / (WALL_POINTS * 12)) - 6.0);
    values[i] = (float)fmin(across, within);
  }
  return debye_field_new_take("wall", &grid, values, "");
}

static void
add_surface(DebyeScene *scene, DebyeField *field, double level, double opacity)
{
  g_autoptr(DebyeIsosurfaceLayer) surface = debye_isosurface_layer_new(field, level);
  debye_layer_set_opacity(DEBYE_LAYER(surface), opacity);
  debye_scene_add(scene, DEBYE_LAYER(surface));
}

/* A liquid, or a helix with bonds between two surfaces of a maze, one of them opaque. */
static void
fill_scene(DebyeScene *scene, const Case *of)
{
  SampleMolecule molecule = of->opacity > 0.0 ? sample_helix(160) : sample_liquid(100000);
  g_autoptr(DebyeMoleculeLayer) atoms = debye_molecule_layer_new(molecule.topology);
  debye_layer_show_frame(DEBYE_LAYER(atoms), molecule.frame);
  debye_molecule_layer_set_style(atoms, of->style);
  debye_scene_add(scene, DEBYE_LAYER(atoms));
  for (int sign = -1; of->opacity > 0.0 && sign <= 1; sign += 2) {
    g_autoptr(DebyeField) field = sample_field(MAZE_POINTS, MAZE_SIDE, maze);
    add_surface(scene, field, 0.4 * sign, sign < 0 ? 1.0 : of->opacity);
  }
  if (of->wall) {
    g_autoptr(DebyeField) field = make_wall();
    add_surface(scene, field, 0.05, 1.0);
  }
  if (of->cut) {
    g_autoptr(DebyeClipLayer) clip = debye_clip_layer_new();
    g_object_set(clip, "position", 0.2, NULL);
    debye_scene_add(scene, DEBYE_LAYER(clip));
  }
  if (of->images) {
    g_autoptr(DebyeBoxLayer) box = debye_box_layer_new();
    debye_layer_show_frame(DEBYE_LAYER(box), molecule.frame);
    g_object_set(box, "images-a", 1, NULL);
    debye_scene_add(scene, DEBYE_LAYER(box));
  }
  sample_molecule_clear(&molecule);
}

/* Within a context. */
static GBytes *
draw(DebyeScene *scene, const Case *of, int samples)
{
  g_autoptr(GError) error = NULL;
  GBytes *picture = debye_capture_tiled(scene, WIDTH, HEIGHT, 1.0, FALSE, samples, of->side, &error);
  g_assert_no_error(error);
  return picture;
}

/* Likewise, and how many points, lines and triangles all its passes take. */
static GBytes *
draw_counted(DebyeScene *scene, const Case *of, int samples, gsize *n_primitives)
{
  GLuint query, n = 0;
  glGenQueries(1, &query);
  glBeginQuery(GL_PRIMITIVES_GENERATED, query);
  GBytes *picture = draw(scene, of, samples);
  glEndQuery(GL_PRIMITIVES_GENERATED);
  glGetQueryObjectuiv(query, GL_QUERY_RESULT, &n);
  glDeleteQueries(1, &query);
  *n_primitives = n;
  return picture;
}

static DebyeScene *
make_scene(const Case *of)
{
  DebyeScene *scene = debye_scene_new();
  fill_scene(scene, of);
  debye_scene_get_look(scene)->shadow = of->shadow ? 0.6f : 0.0f;
  DebyeCamera *camera = debye_scene_get_camera(scene);
  camera->perspective = !of->orthographic;
  if (!of->wall)
    debye_camera_orbit(camera, 100.0, 120.0, 150.0, 95.0, 320, 240);
  debye_scene_settle(scene);
  debye_scene_view_all(scene, (double)WIDTH / HEIGHT);
  debye_camera_zoom(camera, of->wall ? 1.0 : ZOOM, 0.5 * WIDTH, 0.5 * HEIGHT, WIDTH, HEIGHT);
  return scene;
}

static DebyeOffscreen *
begin_context(gboolean embedded)
{
  g_autoptr(GError) error = NULL;
  DebyeOffscreen *offscreen = debye_offscreen_new_for_api(embedded, &error);
  g_assert_no_error(error);
  return offscreen;
}

/* The same where blocks that are not seen are left out. Where layers are peeled it is the same to the bit. */
static void
check_picture(const Case *of, DebyeScene *scene, GBytes *whole, gboolean is_peeled)
{
  gsize n_drawn, n_of_one;
  if (is_peeled)
    g_setenv("DEBYE_PEELING", "1", TRUE);
  DebyeOffscreen *offscreen = begin_context(FALSE);
  g_autoptr(GBytes) picture = draw_counted(scene, of, SAMPLES, &n_drawn);
  g_autoptr(GBytes) one = draw_counted(scene, of, 1, &n_of_one);
  debye_scene_release(scene, FALSE);
  debye_offscreen_free(offscreen);
  g_unsetenv("DEBYE_PEELING");
  g_test_message("%s, %s: %.3f of the points, lines and triangles are drawn", of->name,
                 is_peeled ? "peeled" : "kept", (double)n_drawn / (double)(SAMPLES * n_of_one));
  if (is_peeled)
    g_assert_true(g_bytes_equal(whole, picture));
  else
    g_assert_cmpfloat(golden_difference(whole, picture, 2), ==, 0.0);
  g_assert_false(g_bytes_equal(one, picture));
  g_assert_cmpuint(n_drawn, >, n_of_one);
  if (!of->wall)
    g_assert_cmpuint(10 * n_drawn, <, 9 * SAMPLES * n_of_one);
}

/* OpenGL ES can't read depths, so that its samples draw all blocks; so does a single sample. */
static void
test_picture(gconstpointer data)
{
  const Case *of = data;
  g_autoptr(DebyeScene) scene = make_scene(of);
  DebyeOffscreen *offscreen = begin_context(TRUE);
  g_autoptr(GBytes) whole = draw(scene, of, SAMPLES);
  debye_scene_release(scene, FALSE);
  debye_offscreen_free(offscreen);
  check_picture(of, scene, whole, TRUE);
  /* Without layers of transparency nothing is kept. */
  if (of->opacity > 0.0)
    check_picture(of, scene, whole, FALSE);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/seen-blocks/levels", test_levels);
  g_test_add_func("/seen-blocks/blocks", test_blocks);
  g_test_add_func("/seen-blocks/sorted", test_sorted);
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autofree char *path = g_strconcat("/seen-blocks/picture/", cases[i].name, NULL);
    g_test_add_data_func(path, &cases[i], test_picture);
  }
  return g_test_run();
}
