/* SPDX-License-Identifier: MIT */
/* Lists the vectors of a reciprocal lattice in shells; called by scattering_plan.c. */
#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/settings/setting.h"
#include "kernels/scattering/scattering_lattice.h"
#include "app/analysis/driver/random_numbers.h"
#include "scattering_vectors.h"

#define MAX_CANDIDATES 4e9 /* looked at one by one: some seconds */

/* 2π times the reciprocal vectors, and how far indices reach in a sphere: |h| ≤ q·|a|/2π, whatever the
 * cell's angles. */
typedef struct {
  DebyeVec3 vector[3];
  double edge[3];
} ReciprocalCell;

static ReciprocalCell
make_reciprocal(const DebyeCell *cell)
{
  double factor = 2.0 * G_PI / debye_cell_volume(cell);
  return (ReciprocalCell){
      .vector = {debye_vec3_scale(debye_vec3_cross(cell->b, cell->c), factor),
                 debye_vec3_scale(debye_vec3_cross(cell->c, cell->a), factor),
                 debye_vec3_scale(debye_vec3_cross(cell->a, cell->b), factor)},
      .edge = {debye_vec3_length(cell->a), debye_vec3_length(cell->b), debye_vec3_length(cell->c)}};
}

static DebyeVec3
combine(const ReciprocalCell *reciprocal, const int indices[3])
{
  DebyeVec3 sum = {0};
  for (guint k = 0; k < 3; k++)
    sum = debye_vec3_add(sum, debye_vec3_scale(reciprocal->vector[k], (double)indices[k]));
  return sum;
}

DebyeVec3
debye_reciprocal_vector(const DebyeCell *cell, const int indices[3])
{
  ReciprocalCell reciprocal = make_reciprocal(cell);
  return combine(&reciprocal, indices);
}

gboolean
debye_reciprocal_lattice_has(const DebyeCell *cell, DebyeVec3 q)
{
  const DebyeVec3 edges[3] = {cell->a, cell->b, cell->c};
  for (guint k = 0; k < 3; k++) {
    double index = debye_vec3_dot(q, edges[k]) / (2.0 * G_PI);
    if (fabs(index - round(index)) > 1e-4)
      return FALSE;
  }
  return TRUE;
}

/* Of (h, k, l) and its opposite, the one whose first index that isn't 0 is positive. */
static gboolean
is_first_of_pair(const int i[3])
{
  return i[0] > 0 || (i[0] == 0 && (i[1] > 0 || (i[1] == 0 && i[2] >= 0)));
}

typedef struct {
  double low, high; /* |q| of a shell's vectors: low ≤ |q| < high */
} Range;

/* As far to both sides as half way to the nearer neighbour: shells don't meet, and their middles are what was
 * asked for. */
static GArray *
find_ranges(const GArray *q)
{
  GArray *ranges = g_array_new(FALSE, FALSE, sizeof(Range));
  const double *value = (const double *)q->data;
  for (guint k = 0; k < q->len; k++) {
    double below = k > 0 ? value[k] - value[k - 1] : INFINITY;
    double above = k + 1 < q->len ? value[k + 1] - value[k] : INFINITY;
    double half = q->len > 1 ? 0.5 * fmin(below, above) : 0.05 * value[k] + 1e-9;
    Range range = {value[k] - half, value[k] + half};
    g_array_append_val(ranges, range);
  }
  return ranges;
}

typedef struct {
  int indices[3];
  guint shell;
  double q;
} Found;

static int
compare_found(gconstpointer a, gconstpointer b)
{
  const Found *first = a, *second = b;
  if (first->shell != second->shell)
    return first->shell < second->shell ? -1 : 1;
  return memcmp(first->indices, second->indices, sizeof first->indices);
}

/* FALSE: between shells. */
static gboolean
find_shell(const GArray *ranges, double q, guint *shell)
{
  guint low = 0, high = ranges->len;
  while (high - low > 1) {
    guint middle = (low + high) / 2;
    if (q >= g_array_index(ranges, Range, middle).low)
      low = middle;
    else
      high = middle;
  }
  *shell = low;
  return q >= g_array_index(ranges, Range, low).low && q < g_array_index(ranges, Range, low).high;
}

/* All vectors within the ranges, one of each pair unless `both`. NULL: more than the limit. */
static GArray *
find_lattice(const ReciprocalCell *reciprocal, const GArray *ranges, gboolean both, gsize limit)
{
  double high = g_array_index(ranges, Range, ranges->len - 1).high;
  int reach[3], i[3];
  g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(Found));
  for (guint k = 0; k < 3; k++)
    reach[k] = (int)fmin(high * reciprocal->edge[k] / (2.0 * G_PI), 1e6);
  if ((2.0 * reach[0] + 1.0) * (2.0 * reach[1] + 1.0) * (2.0 * reach[2] + 1.0) > MAX_CANDIDATES)
    return NULL;
  for (i[0] = both ? -reach[0] : 0; i[0] <= reach[0]; i[0]++)
    for (i[1] = -reach[1]; i[1] <= reach[1]; i[1]++)
      for (i[2] = -reach[2]; i[2] <= reach[2]; i[2]++) {
        Found one = {.indices = {i[0], i[1], i[2]}, .q = debye_vec3_length(combine(reciprocal, i))};
        if ((!both && !is_first_of_pair(i)) || !find_shell(ranges, one.q, &one.shell))
          continue;
        g_array_append_val(found, one);
        if (found->len > limit)
          return NULL;
      }
  g_array_sort(found, compare_found);
  return g_steal_pointer(&found);
}

/* A shell's q is the mean of its vectors: what was asked for is a bin's middle. */
static void
close_shell(DebyeScatteringVectors *vectors, double sum, double weight)
{
  if (vectors->shells->len > 0)
    g_array_index(vectors->shells, DebyeScatteringShell, vectors->shells->len - 1).q = sum / weight;
}

gboolean
debye_scattering_vectors_lattice(DebyeScatteringVectors *vectors, const DebyeCell *cell, const GArray *q,
                                 gboolean both, gsize limit, GError **error)
{
  ReciprocalCell reciprocal = make_reciprocal(cell);
  g_autoptr(GArray) ranges = find_ranges(q);
  g_autoptr(GArray) found =
      find_lattice(&reciprocal, ranges, both, MIN(limit, DEBYE_SCATTERING_MAX_IN_MEMORY));
  double sum = 0.0, weights = 0.0;
  debye_scattering_vectors_begin(vectors);
  if (found == NULL) {
    g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_LIMIT,
                DEBYE_SCATTERING_VECTOR_LABEL ": more than %" G_GSIZE_FORMAT
                                              " vectors of the reciprocal lattice are in range",
                MIN(limit, DEBYE_SCATTERING_MAX_IN_MEMORY));
    return FALSE;
  }
  vectors->indices = g_array_new(FALSE, FALSE, sizeof(int[3]));
  for (guint i = 0; i < found->len; i++) {
    const Found *one = &g_array_index(found, Found, i);
    if (i == 0 || one->shell != g_array_index(found, Found, i - 1).shell) {
      close_shell(vectors, sum, weights);
      debye_scattering_vectors_begin_shell(vectors, 0.0);
      sum = weights = 0.0;
    }
    double weight = both || one->q == 0.0 ? 1.0 : 2.0;
    debye_scattering_vectors_add(vectors, combine(&reciprocal, one->indices), weight);
    g_array_append_vals(vectors->indices, one->indices, 1);
    sum += weight * one->q;
    weights += weight;
  }
  close_shell(vectors, sum, weights);
  return TRUE;
}

/* --- Some by name --- */

static gboolean
parse_reflection(const char *text, int indices[3], GError **error)
{
  g_auto(GStrv) parts = g_strsplit(text, ",", -1);
  gboolean good = g_strv_length(parts) == 3;
  for (guint k = 0; k < 3 && good; k++) {
    gint64 index;
    good = g_ascii_string_to_signed(g_strstrip(parts[k]), 10, -(gint64)DEBYE_LATTICE_MAX_EXTENT,
                                    DEBYE_LATTICE_MAX_EXTENT, &index, NULL);
    indices[k] = good ? (int)index : 0;
  }
  if (!good)
    g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_SETTING,
                "Reflections: expected three whole numbers h,k,l up to %d, found “%s”",
                DEBYE_LATTICE_MAX_EXTENT, text);
  return good;
}

gboolean
debye_scattering_vectors_reflections(DebyeScatteringVectors *vectors, const DebyeCell *cell, const char *text,
                                     GError **error)
{
  g_auto(GStrv) texts = debye_setting_split_values(text);
  debye_scattering_vectors_begin(vectors);
  vectors->indices = g_array_new(FALSE, FALSE, sizeof(int[3]));
  for (char **one = texts; *one != NULL; one++) {
    int indices[3];
    if (!parse_reflection(*one, indices, error))
      return FALSE;
    DebyeVec3 vector = debye_reciprocal_vector(cell, indices);
    debye_scattering_vectors_begin_shell(vectors, debye_vec3_length(vector));
    debye_scattering_vectors_add(vectors, vector, 1.0);
    g_array_append_vals(vectors->indices, indices, 1);
  }
  return TRUE;
}

/* --- Fewer of them --- */

/* Chosen with the same chance each (D. E. Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S). */
static gsize
thin_shell(DebyeScatteringVectors *vectors, DebyeScatteringShell *shell, gsize max_per_shell, gsize at,
           DebyeRandom *random)
{
  gsize n_left = shell->n, n_wanted = MIN(max_per_shell, shell->n), first = shell->first;
  shell->first = at;
  shell->weight = 0.0;
  for (gsize v = first; v < first + shell->n; v++, n_left--) {
    if (n_wanted == 0 || debye_random_uniform(random) * (double)n_left >= (double)n_wanted)
      continue;
    n_wanted--;
    g_array_index(vectors->vectors, DebyeVec3, at) = g_array_index(vectors->vectors, DebyeVec3, v);
    g_array_index(vectors->weights, double, at) = g_array_index(vectors->weights, double, v);
    memmove(vectors->indices->data + at * sizeof(int[3]), vectors->indices->data + v * sizeof(int[3]),
            sizeof(int[3]));
    shell->weight += g_array_index(vectors->weights, double, at);
    at++;
  }
  shell->n = at - shell->first;
  return at;
}

gsize
debye_scattering_vectors_thin(DebyeScatteringVectors *vectors, gsize max_per_shell, guint64 seed)
{
  gsize n_before = vectors->vectors->len, at = 0;
  DebyeRandom random = {seed};
  for (guint k = 0; k < vectors->shells->len; k++)
    at = thin_shell(vectors, &g_array_index(vectors->shells, DebyeScatteringShell, k), max_per_shell, at,
                    &random);
  g_array_set_size(vectors->vectors, (guint)at);
  g_array_set_size(vectors->weights, (guint)at);
  g_array_set_size(vectors->indices, (guint)at);
  return n_before;
}
