/* SPDX-License-Identifier: MIT */
/* Builds, samples and picks meshes, wherever they come from; called by their makers and layers. */
#include "mesh.h"

#include <string.h>

#include "data/work/parts.h"

/* Vertices that a thread colours, or finds in a map, at a time. */
#define CHUNK 65536
#define SAMPLES 4096

void
debye_mesh_free(DebyeMesh *mesh)
{
  if (!mesh)
    return;
  g_free(mesh->positions);
  g_free(mesh->normals);
  g_free(mesh->indices);
  g_free(mesh->values);
  g_free(mesh->atoms);
  g_free(mesh->blends);
  g_free(mesh->coarse);
  g_free(mesh);
}

static DebyeVec3
position_of(const DebyeMesh *mesh, gsize vertex)
{
  const float *p = mesh->positions + 3 * vertex;
  return debye_vec3((double)p[0], (double)p[1], (double)p[2]);
}

DebyeVec3
debye_mesh_point_outside(const DebyeMesh *mesh, gsize vertex, DebyeVec3 point, double distance)
{
  const float *n = mesh->normals + 3 * vertex;
  const DebyeVec3 normal = debye_vec3((double)n[0], (double)n[1], (double)n[2]);
  return debye_vec3_add(point, debye_vec3_scale(normal, distance));
}

typedef struct {
  DebyeMesh *mesh;
  DebyeField *field;
  double distance;
} Sampling;

static void
sample_chunk(gsize chunk, gpointer data)
{
  const Sampling *sampling = data;
  DebyeMesh *mesh = sampling->mesh;
  const gsize end = MIN((chunk + 1) * SAMPLES, mesh->n_vertices);
  for (gsize i = chunk * SAMPLES; i < end; i++) {
    const DebyeVec3 point = debye_mesh_point_outside(mesh, i, position_of(mesh, i), sampling->distance);
    double value = mesh->is_refined ? debye_field_sample_smooth(sampling->field, point)
                                    : debye_field_sample(sampling->field, point);
    mesh->values[i] = isfinite(value) ? (float)value : DEBYE_MESH_NO_VALUE;
  }
}

void
debye_mesh_sample(DebyeMesh *mesh, DebyeField *field, double distance)
{
  g_free(mesh->values);
  mesh->values = g_new(float, mesh->n_vertices + 1);
  debye_parts_run((mesh->n_vertices + SAMPLES - 1) / SAMPLES, sample_chunk,
                  &(Sampling){mesh, field, distance});
}

typedef struct {
  const DebyeMesh *mesh;
  const guint8 *of_atoms;
  guint8 *of_vertices;
} Coloring;

/* Squares stand for light, as in light.glsl. */
static void
mix_colors(const DebyeMeshBlend *blend, const guint8 *own, const guint8 *atom_colors, guint8 *mixed)
{
  float light[3];
  for (int c = 0; c < 3; c++)
    light[c] = (float)(blend->shares[0] * own[c] * own[c]);
  for (int n = 0; n < DEBYE_MESH_OTHERS && blend->shares[n + 1] > 0; n++) {
    const guint8 *other = atom_colors + 4 * (gsize)blend->others[n];
    for (int c = 0; c < 3; c++)
      light[c] += (float)(blend->shares[n + 1] * other[c] * other[c]);
  }
  for (int c = 0; c < 3; c++)
    mixed[c] = (guint8)(sqrtf(light[c] / 255.0f) + 0.5f);
}

static void
color_chunk(gsize chunk, gpointer data)
{
  const Coloring *coloring = data;
  const DebyeMesh *mesh = coloring->mesh;
  gsize end = MIN((chunk + 1) * CHUNK, mesh->n_vertices);
  for (gsize i = chunk * CHUNK; i < end; i++) {
    const guint8 *own = coloring->of_atoms + 4 * (gsize)mesh->atoms[i];
    memcpy(coloring->of_vertices + 4 * i, own, 4);
    if (mesh->blends && mesh->blends[i].shares[0] < 255)
      mix_colors(&mesh->blends[i], own, coloring->of_atoms, coloring->of_vertices + 4 * i);
  }
}

guint8 *
debye_mesh_mix_colors(const DebyeMesh *mesh, const guint8 *atom_colors)
{
  Coloring coloring = {mesh, atom_colors, g_malloc(4 * mesh->n_vertices + 4)};
  debye_parts_run((mesh->n_vertices + CHUNK - 1) / CHUNK, color_chunk, &coloring);
  return coloring.of_vertices;
}

/* --- Extent --- */

/* That a thread looks at. */
#define PART_VERTICES ((gsize)65536)

typedef struct {
  const DebyeMesh *mesh;
  float (*boxes)[6]; /* of each part: low x, y, z and high x, y, z */
} Bounding;

/* Without fminf and fmaxf, which are calls. */
static void
bound_part(gsize part, gpointer data)
{
  const Bounding *bounding = data;
  const gsize end = MIN((part + 1) * PART_VERTICES, bounding->mesh->n_vertices);
  float a[3] = {INFINITY, INFINITY, INFINITY}, b[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (gsize i = part * PART_VERTICES; i < end; i++)
    for (gsize c = 0; c < 3; c++) {
      const float value = bounding->mesh->positions[3 * i + c];
      a[c] = value < a[c] ? value : a[c];
      b[c] = value > b[c] ? value : b[c];
    }
  memcpy(bounding->boxes[part], a, sizeof a);
  memcpy(bounding->boxes[part] + 3, b, sizeof b);
}

gboolean
debye_mesh_get_bounds(const DebyeMesh *mesh, DebyeVec3 *low, DebyeVec3 *high)
{
  const gsize n_parts = (mesh->n_vertices + PART_VERTICES - 1) / PART_VERTICES;
  Bounding bounding = {mesh, g_malloc_n(n_parts, sizeof *bounding.boxes)};
  double a[3] = {INFINITY, INFINITY, INFINITY}, b[3] = {-INFINITY, -INFINITY, -INFINITY};
  debye_parts_run(n_parts, bound_part, &bounding);
  for (gsize part = 0; part < n_parts; part++)
    for (int c = 0; c < 3; c++) {
      a[c] = fmin(a[c], (double)bounding.boxes[part][c]);
      b[c] = fmax(b[c], (double)bounding.boxes[part][3 + c]);
    }
  g_free(bounding.boxes);
  *low = debye_vec3(a[0], a[1], a[2]);
  *high = debye_vec3(b[0], b[1], b[2]);
  return mesh->n_vertices > 0;
}

typedef struct {
  const DebyeMesh *mesh;
  const DebyeVec3 *directions;
  gsize n_directions;
  float *largest; /* [part][direction] */
} Extension;

static void
extend_part(gsize part, gpointer data)
{
  const Extension *extension = data;
  const float *positions = extension->mesh->positions;
  const gsize end = MIN((part + 1) * PART_VERTICES, extension->mesh->n_vertices);
  for (gsize d = 0; d < extension->n_directions; d++) {
    const DebyeVec3 direction = extension->directions[d];
    const float x = (float)direction.x, y = (float)direction.y, z = (float)direction.z;
    float largest = -INFINITY;
    for (const float *p = positions + 3 * part * PART_VERTICES; p < positions + 3 * end; p += 3) {
      const float support = x * p[0] + y * p[1] + z * p[2];
      largest = support > largest ? support : largest;
    }
    extension->largest[part * extension->n_directions + d] = largest;
  }
}

void
debye_mesh_extend_supports(const DebyeMesh *mesh, const DebyeVec3 *directions, gsize n_directions,
                           double *supports)
{
  const gsize n_parts = (mesh->n_vertices + PART_VERTICES - 1) / PART_VERTICES;
  g_autofree float *largest = g_new(float, n_parts *n_directions);
  debye_parts_run(n_parts, extend_part, &(Extension){mesh, directions, n_directions, largest});
  for (gsize i = 0; i < n_parts * n_directions; i++)
    supports[i % n_directions] = fmax(supports[i % n_directions], (double)largest[i]);
}

/* --- Picking --- */

typedef struct {
  float origin[3], direction[3];
} Ray;

static inline void
cross(const float u[3], const float v[3], float w[3])
{
  w[0] = u[1] * v[2] - u[2] * v[1];
  w[1] = u[2] * v[0] - u[0] * v[2];
  w[2] = u[0] * v[1] - u[1] * v[0];
}

static inline float
dot(const float u[3], const float v[3])
{
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

/* Möller and Trumbore (1997): the distance along the ray and the weights of the second and third corner; a
 * negative distance where it misses. */
static float
meet_triangle(const Ray *ray, const float *corners[3], float weights[2])
{
  float first[3], second[3], from[3], p[3], q[3];
  for (int c = 0; c < 3; c++) {
    first[c] = corners[1][c] - corners[0][c];
    second[c] = corners[2][c] - corners[0][c];
    from[c] = ray->origin[c] - corners[0][c];
  }
  cross(ray->direction, second, p);
  float volume = dot(first, p);
  weights[0] = dot(from, p) / volume;
  cross(from, first, q);
  weights[1] = dot(ray->direction, q) / volume;
  gboolean inside = weights[0] >= 0.0f && weights[1] >= 0.0f && weights[0] + weights[1] <= 1.0f;
  return inside ? dot(second, q) / volume : -1.0f;
}

static guint32
nearest_corner(const guint32 *triangle, const float weights[2])
{
  float rest = 1.0f - weights[0] - weights[1];
  if (rest >= weights[0] && rest >= weights[1])
    return triangle[0];
  return weights[0] >= weights[1] ? triangle[1] : triangle[2];
}

gboolean
debye_mesh_pick(const DebyeMesh *mesh, DebyeVec3 origin, DebyeVec3 direction, double *depth, guint32 *vertex)
{
  /* The ray starts beside the mesh, where single precision is fine however far the eye is. */
  DebyeVec3 low, high;
  if (!debye_mesh_get_bounds(mesh, &low, &high))
    return FALSE;
  DebyeVec3 middle = debye_vec3_scale(debye_vec3_add(low, high), 0.5);
  double shift = debye_vec3_dot(debye_vec3_subtract(middle, origin), direction) -
                 debye_vec3_length(debye_vec3_subtract(high, low));
  shift = fmax(shift, 0.0);
  DebyeVec3 start = debye_vec3_add(origin, debye_vec3_scale(direction, shift));
  const Ray ray = {{(float)start.x, (float)start.y, (float)start.z},
                   {(float)direction.x, (float)direction.y, (float)direction.z}};
  gboolean hit = FALSE;
  for (gsize t = 0; t < mesh->n_triangles; t++) {
    const guint32 *triangle = mesh->indices + 3 * t;
    const float *corners[3] = {mesh->positions + 3 * (gsize)triangle[0],
                               mesh->positions + 3 * (gsize)triangle[1],
                               mesh->positions + 3 * (gsize)triangle[2]};
    float weights[2], distance = meet_triangle(&ray, corners, weights);
    if (distance > 0.0f && shift + (double)distance < *depth) {
      *depth = shift + (double)distance;
      *vertex = nearest_corner(triangle, weights);
      hit = TRUE;
    }
  }
  return hit;
}

/* --- Building --- */

void
debye_mesh_builder_init(DebyeMeshBuilder *builder)
{
  builder->positions = g_array_new(FALSE, FALSE, sizeof(float));
  builder->normals = g_array_new(FALSE, FALSE, sizeof(float));
  builder->indices = g_array_new(FALSE, FALSE, sizeof(guint32));
  builder->atoms = g_array_new(FALSE, FALSE, sizeof(guint32));
}

static void
append_vector(GArray *array, DebyeVec3 v)
{
  const float values[3] = {(float)v.x, (float)v.y, (float)v.z};
  g_array_append_vals(array, values, 3);
}

guint32
debye_mesh_builder_add_vertex(DebyeMeshBuilder *builder, DebyeVec3 position, DebyeVec3 normal, guint32 atom)
{
  append_vector(builder->positions, position);
  append_vector(builder->normals, normal);
  g_array_append_val(builder->atoms, atom);
  return builder->atoms->len - 1;
}

void
debye_mesh_builder_add_triangle(DebyeMeshBuilder *builder, guint32 a, guint32 b, guint32 c)
{
  const guint32 corners[3] = {a, b, c};
  g_array_append_vals(builder->indices, corners, 3);
}

DebyeMesh *
debye_mesh_builder_finish(DebyeMeshBuilder *builder)
{
  DebyeMesh *mesh = g_new0(DebyeMesh, 1);
  mesh->n_vertices = builder->atoms->len;
  mesh->n_triangles = builder->indices->len / 3;
  mesh->positions = (float *)(gpointer)g_array_free(builder->positions, FALSE);
  mesh->normals = (float *)(gpointer)g_array_free(builder->normals, FALSE);
  mesh->indices = (guint32 *)(gpointer)g_array_free(builder->indices, FALSE);
  mesh->atoms = (guint32 *)(gpointer)g_array_free(builder->atoms, FALSE);
  *builder = (DebyeMeshBuilder){0};
  return mesh;
}
