/* SPDX-License-Identifier: MIT */
/* Lists the vectors of a reciprocal lattice in shells; called by scattering_plan.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/files/error.h"
#include "data/settings/setting.h"
#include "kernels/chunk_threads.h"
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

/* Indices in the order of their bytes: in it vectors of a shell follow each other, by h, then k, then l. */
static int
compare_bytes(gconstpointer a, gconstpointer b)
{
  return memcmp(a, b, sizeof(int));
}

static int *
list_indices(int first, int last)
{
  const gsize n = (gsize)(last - first + 1);
  int *indices = g_new(int, n);
  for (gsize i = 0; i < n; i++)
    indices[i] = first + (int)i;
  qsort(indices, n, sizeof *indices, compare_bytes);
  return indices;
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

typedef struct {
  const ReciprocalCell *reciprocal;
  const GArray *ranges; /* Range */
  double far2;          /* the square of the largest |q|, and a rounding */
  gboolean both;
  gsize limit;
  int *h, *k, *l; /* indices, in order */
  int n_k, n_l;
  GArray **planes; /* Found, of each h */
  gsize n_found;   /* of all; atomic */
} Search;

static void
look_at(const Search *search, const int i[3], GArray *found)
{
  const DebyeVec3 vector = combine(search->reciprocal, i);
  Found one = {.indices = {i[0], i[1], i[2]}};
  if (debye_vec3_dot(vector, vector) > search->far2 || (!search->both && !is_first_of_pair(i)))
    return;
  one.q = debye_vec3_length(vector);
  if (find_shell(search->ranges, one.q, &one.shell))
    g_array_append_val(found, one);
}

/* One h. */
static void
find_plane(void *context, size_t number)
{
  Search *search = context;
  GArray *found = search->planes[number] = g_array_new(FALSE, FALSE, sizeof(Found));
  gsize n_all = 0;
  for (int b = 0; b < search->n_k && n_all <= search->limit; b++) {
    const guint before = found->len;
    for (int c = 0; c < search->n_l; c++)
      look_at(search, (const int[3]){search->h[number], search->k[b], search->l[c]}, found);
    n_all =
        (gsize)g_atomic_pointer_add(&search->n_found, (gssize)(found->len - before)) + found->len - before;
  }
}

/* One after the other, as one core would have found them. */
static GArray *
join_planes(Search *search, gsize n_planes)
{
  GArray *all = g_array_sized_new(FALSE, FALSE, sizeof(Found), (guint)MIN(search->n_found, search->limit));
  for (gsize i = 0; i < n_planes; i++) {
    if (search->n_found <= search->limit && search->planes[i]->len > 0)
      g_array_append_vals(all, search->planes[i]->data, search->planes[i]->len);
    g_array_unref(search->planes[i]);
  }
  return all;
}

/* All vectors within the ranges, one of each pair unless `both`; on all cores. NULL: more than the limit. */
static GArray *
find_lattice(const ReciprocalCell *reciprocal, const GArray *ranges, gboolean both, gsize limit)
{
  const double high = g_array_index(ranges, Range, ranges->len - 1).high;
  int reach[3];
  for (guint k = 0; k < 3; k++)
    reach[k] = (int)fmin(high * reciprocal->edge[k] / (2.0 * G_PI), 1e6);
  if ((2.0 * reach[0] + 1.0) * (2.0 * reach[1] + 1.0) * (2.0 * reach[2] + 1.0) > MAX_CANDIDATES)
    return NULL;
  g_autofree int *h = list_indices(both ? -reach[0] : 0, reach[0]), *k = list_indices(-reach[1], reach[1]),
                 *l = list_indices(-reach[2], reach[2]);
  const gsize n_planes = (gsize)((both ? 2 : 1) * reach[0] + 1);
  g_autofree GArray **planes = g_new0(GArray *, n_planes);
  Search search = {.reciprocal = reciprocal,
                   .ranges = ranges,
                   .far2 = high * high * (1.0 + 1e-9),
                   .both = both,
                   .limit = limit,
                   .h = h,
                   .k = k,
                   .l = l,
                   .n_k = 2 * reach[1] + 1,
                   .n_l = 2 * reach[2] + 1,
                   .planes = planes};
  debye_chunk_threads_run(n_planes, find_plane, &search);
  g_autoptr(GArray) all = join_planes(&search, n_planes);
  return search.n_found <= limit ? g_steal_pointer(&all) : NULL;
}

/* Each shell after the other, within one as they were found. A shell's q is the mean of its vectors: what was asked for is a
 * bin's middle. */
static void
fill(DebyeScatteringVectors *vectors, const ReciprocalCell *reciprocal, const GArray *found, guint n_shells,
     gboolean both)
{
  const Found *all = (const Found *)(gpointer)found->data;
  g_autofree DebyeScatteringShell *shells = g_new0(DebyeScatteringShell, n_shells);
  g_autofree gsize *next = g_new(gsize, n_shells);
  for (guint i = 0; i < found->len; i++)
    shells[all[i].shell].n++;
  for (guint k = 0; k < n_shells; k++)
    next[k] = shells[k].first = k > 0 ? shells[k - 1].first + shells[k - 1].n : 0;
  g_array_set_size(vectors->vectors, found->len);
  g_array_set_size(vectors->weights, found->len);
  g_array_set_size(vectors->indices, found->len);
  for (guint i = 0; i < found->len; i++) {
    const double weight = both || all[i].q == 0.0 ? 1.0 : 2.0;
    DebyeScatteringShell *shell = &shells[all[i].shell];
    const gsize at = next[all[i].shell]++;
    g_array_index(vectors->vectors, DebyeVec3, at) = combine(reciprocal, all[i].indices);
    g_array_index(vectors->weights, double, at) = weight;
    memcpy(vectors->indices->data + at * sizeof(int[3]), all[i].indices, sizeof(int[3]));
    shell->q += weight * all[i].q;
    shell->weight += weight;
  }
  for (guint k = 0; k < n_shells; k++) {
    if (shells[k].n == 0)
      continue;
    shells[k].q /= shells[k].weight;
    g_array_append_val(vectors->shells, shells[k]);
  }
}

gboolean
debye_scattering_vectors_lattice(DebyeScatteringVectors *vectors, const DebyeCell *cell, const GArray *q,
                                 gboolean both, gsize limit, GError **error)
{
  ReciprocalCell reciprocal = make_reciprocal(cell);
  g_autoptr(GArray) ranges = find_ranges(q);
  g_autoptr(GArray) found =
      find_lattice(&reciprocal, ranges, both, MIN(limit, DEBYE_SCATTERING_MAX_IN_MEMORY));
  debye_scattering_vectors_begin(vectors);
  if (found == NULL) {
    debye_error_set_about(error, DEBYE_ERROR_LIMIT, DEBYE_SCATTERING_VECTOR_LABEL,
                          "more than %" G_GSIZE_FORMAT " vectors of the reciprocal lattice are in range",
                          MIN(limit, DEBYE_SCATTERING_MAX_IN_MEMORY));
    return FALSE;
  }
  vectors->indices = g_array_new(FALSE, FALSE, sizeof(int[3]));
  fill(vectors, &reciprocal, found, ranges->len, both);
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
    debye_error_set_about(error, DEBYE_ERROR_SETTING,
                          "h,k,l of the cell's reciprocal lattice; each becomes a row of the result, F(hkl, "
                          "τ), without an average, and moves with the cell",
                          "expected three whole numbers h,k,l up to %d, found “%s”", DEBYE_LATTICE_MAX_EXTENT,
                          text);
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
