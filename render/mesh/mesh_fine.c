/* SPDX-License-Identifier: MIT */
/* Implementation of mesh_fine.h: each triangle becomes four, again and again; called by those who make surfaces. */
#include "mesh_fine.h"

#include <cglm/cglm.h>
#include <string.h>

#define MAX_REFINEMENTS 3
#define MAX_TRIANGLES ((gsize)1 << 23)
#define MEASURED 4096 /* triangles */

/* The vertex in the middle of each edge, by open addressing. */
typedef struct {
  guint64 *edges; /* its two vertices; EMPTY: none */
  guint32 *middles;
  gsize mask;
} Middles;

#define EMPTY G_MAXUINT64

static float *
position_of(const DebyeMesh *mesh, guint32 vertex)
{
  return mesh->positions + 3 * (gsize)vertex;
}

static float *
normal_of(const DebyeMesh *mesh, guint32 vertex)
{
  return mesh->normals + 3 * (gsize)vertex;
}

/* The mean of some. */
static double
measure_edge(const DebyeMesh *mesh)
{
  gsize step = mesh->n_triangles / MEASURED + 1, n = 0;
  double sum = 0.0;
  for (gsize t = 0; t < mesh->n_triangles; t += step)
    for (gsize c = 0; c < 3; c++, n++)
      sum += (double)glm_vec3_distance(position_of(mesh, mesh->indices[3 * t + c]),
                                       position_of(mesh, mesh->indices[3 * t + (c + 1) % 3]));
  return n > 0 ? sum / (double)n : 0.0;
}

guint
debye_mesh_count_refinements(double length, double longest)
{
  guint n = 0;
  if (longest > 0.0)
    for (; length > longest && n < MAX_REFINEMENTS; length *= 0.5)
      n++;
  return n;
}

/* At half of the cubic curve from a to b whose ends stand upright on their normals. */
static void
put_middle(DebyeMesh *mesh, guint32 a, guint32 b, guint32 middle)
{
  vec3 way, position, normal;
  float *from = position_of(mesh, a), *to = position_of(mesh, b);
  float *at_from = normal_of(mesh, a), *at_to = normal_of(mesh, b);
  glm_vec3_sub(to, from, way);
  const float rise = 0.125f * glm_vec3_dot(way, at_from), fall = -0.125f * glm_vec3_dot(way, at_to);
  for (int c = 0; c < 3; c++)
    position[c] = 0.5f * (from[c] + to[c]) - rise * at_from[c] - fall * at_to[c];
  glm_vec3_add(at_from, at_to, normal);
  if (glm_vec3_norm2(normal) > 1e-12f)
    glm_vec3_normalize(normal);
  else
    glm_vec3_copy(at_from, normal);
  memcpy(position_of(mesh, middle), position, sizeof position);
  memcpy(normal_of(mesh, middle), normal, sizeof normal);
}

static guint32
find_middle(DebyeMesh *mesh, Middles *middles, guint32 a, guint32 b)
{
  const guint64 edge = (guint64)MIN(a, b) << 32 | MAX(a, b);
  gsize slot = (gsize)(edge * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15) >> 20) & middles->mask;
  while (middles->edges[slot] != EMPTY && middles->edges[slot] != edge)
    slot = (slot + 1) & middles->mask;
  if (middles->edges[slot] == EMPTY) {
    middles->edges[slot] = edge;
    middles->middles[slot] = (guint32)mesh->n_vertices++;
    put_middle(mesh, MIN(a, b), MAX(a, b), middles->middles[slot]);
  }
  return middles->middles[slot];
}

static gboolean
grow(gpointer array, gsize n_bytes)
{
  gpointer *place = array, larger = g_try_realloc(*place, n_bytes);
  *place = larger != NULL ? larger : *place;
  return larger != NULL;
}

/* A triangle has three edges, of which it may share none. */
static gboolean
reserve(DebyeMesh *mesh, Middles *middles)
{
  const gsize n_vertices = mesh->n_vertices + 3 * mesh->n_triangles;
  gsize n_slots = 4096;
  while (n_slots < 4 * mesh->n_triangles)
    n_slots *= 2;
  middles->mask = n_slots - 1;
  middles->edges = g_try_new(guint64, n_slots);
  middles->middles = g_try_new(guint32, n_slots);
  if (middles->edges == NULL || middles->middles == NULL || n_vertices >= G_MAXUINT32 ||
      !grow(&mesh->positions, n_vertices * 3 * sizeof(float)) ||
      !grow(&mesh->normals, n_vertices * 3 * sizeof(float)))
    return FALSE;
  memset(middles->edges, 0xff, n_slots * sizeof(guint64));
  return TRUE;
}

static void
divide(DebyeMesh *mesh, Middles *middles, guint32 *indices)
{
  for (gsize t = 0; t < mesh->n_triangles; t++) {
    const guint32 *corner = mesh->indices + 3 * t;
    const guint32 a = corner[0], b = corner[1], c = corner[2];
    const guint32 ab = find_middle(mesh, middles, a, b), bc = find_middle(mesh, middles, b, c),
                  ca = find_middle(mesh, middles, c, a);
    const guint32 four[] = {a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca};
    memcpy(indices + 12 * t, four, sizeof four);
  }
  g_free(mesh->indices);
  mesh->indices = indices;
  mesh->n_triangles *= 4;
}

static gboolean
divide_all(DebyeMesh *mesh)
{
  Middles middles = {0};
  guint32 *indices = g_try_new(guint32, 12 * mesh->n_triangles + 1);
  const gboolean has_room = indices != NULL && reserve(mesh, &middles);
  if (has_room)
    divide(mesh, &middles, indices);
  else
    g_free(indices);
  g_free(middles.edges);
  g_free(middles.middles);
  if (has_room) { /* most edges were shared */
    grow(&mesh->positions, (mesh->n_vertices + 1) * 3 * sizeof(float));
    grow(&mesh->normals, (mesh->n_vertices + 1) * 3 * sizeof(float));
  }
  return has_room;
}

gboolean
debye_mesh_refine(DebyeMesh *mesh, double longest)
{
  mesh->usual_edge = measure_edge(mesh);
  for (guint n = debye_mesh_count_refinements(mesh->usual_edge, longest); n > 0; n--) {
    if (4 * mesh->n_triangles > MAX_TRIANGLES)
      break;
    if (!divide_all(mesh))
      return FALSE;
    mesh->is_refined = TRUE;
  }
  return TRUE;
}
