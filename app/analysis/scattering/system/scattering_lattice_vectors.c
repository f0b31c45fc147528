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

/* Vectors are found twice, by all cores: counted, so that each has its place, then put there. The planes of each h lie in
 * parts, one after the other; of each part the vectors of a shell follow those of the part before. */
typedef struct {
  const ReciprocalCell *reciprocal;
  const GArray *ranges; /* Range */
  double far2;          /* the square of the largest |q|, and a rounding */
  gboolean both;
  gsize limit;
  int *h, *k, *l; /* indices, in order */
  gsize n_h, n_parts;
  int n_k, n_l;
  gsize *places;                   /* [part × shells]: how many vectors, then where the next one goes */
  gsize n_found;                   /* of all; atomic */
  DebyeScatteringVectors *vectors; /* NULL: they are counted */
} Search;

#define MAX_PARTS 256
#define MAX_PLACES (1u << 22)

static void
put(const Search *search, const int i[3], DebyeVec3 vector, gsize at)
{
  const gboolean is_single = search->both || (i[0] == 0 && i[1] == 0 && i[2] == 0);
  g_array_index(search->vectors->vectors, DebyeVec3, at) = vector;
  g_array_index(search->vectors->weights, double, at) = is_single ? 1.0 : 2.0;
  memcpy(search->vectors->indices->data + at * sizeof(int[3]), i, sizeof(int[3]));
}

static gsize
look_at(const Search *search, const int i[3], gsize *places)
{
  const DebyeVec3 vector = combine(search->reciprocal, i);
  guint shell;
  if (debye_vec3_dot(vector, vector) > search->far2 || (!search->both && !is_first_of_pair(i)) ||
      !find_shell(search->ranges, debye_vec3_length(vector), &shell))
    return 0;
  if (search->vectors != NULL)
    put(search, i, vector, places[shell]);
  places[shell]++;
  return 1;
}

/* Some h. */
static void
look_through(void *context, size_t part)
{
  Search *search = context;
  gsize *places = search->places + part * search->ranges->len, n_all = 0;
  const gsize end = (part + 1) * search->n_h / search->n_parts;
  for (gsize a = part * search->n_h / search->n_parts; a < end; a++)
    for (int b = 0; b < search->n_k && (n_all <= search->limit || search->vectors != NULL); b++) {
      gsize n_found = 0;
      for (int c = 0; c < search->n_l; c++)
        n_found += look_at(search, (const int[3]){search->h[a], search->k[b], search->l[c]}, places);
      if (search->vectors == NULL)
        n_all = (gsize)g_atomic_pointer_add(&search->n_found, (gssize)n_found) + n_found;
    }
}

/* Each shell after the other, in it each part after the other. */
static void
give_places(const Search *search, DebyeScatteringShell *shells)
{
  gsize at = 0;
  for (guint k = 0; k < search->ranges->len; k++) {
    shells[k].first = at;
    for (gsize part = 0; part < search->n_parts; part++) {
      gsize *place = &search->places[part * search->ranges->len + k];
      const gsize n = *place;
      *place = at;
      at += n;
    }
    shells[k].n = at - shells[k].first;
  }
}

typedef struct {
  const DebyeScatteringVectors *vectors;
  DebyeScatteringShell *shells;
} Shells;

/* A shell's q is the mean of its vectors: what was asked for is a bin's middle. */
static void
take_mean(void *context, size_t number)
{
  const Shells *all = context;
  DebyeScatteringShell *shell = &all->shells[number];
  for (gsize i = shell->first; i < shell->first + shell->n; i++) {
    const double weight = g_array_index(all->vectors->weights, double, i);
    shell->q += weight * debye_vec3_length(g_array_index(all->vectors->vectors, DebyeVec3, i));
    shell->weight += weight;
  }
  shell->q /= shell->weight;
}

/* FALSE: more than the limit, or than can be looked at. */
static gboolean
count_all(Search *search)
{
  const double high = g_array_index(search->ranges, Range, search->ranges->len - 1).high;
  int reach[3];
  for (guint k = 0; k < 3; k++)
    reach[k] = (int)fmin(high * search->reciprocal->edge[k] / (2.0 * G_PI), 1e6);
  if ((2.0 * reach[0] + 1.0) * (2.0 * reach[1] + 1.0) * (2.0 * reach[2] + 1.0) > MAX_CANDIDATES)
    return FALSE;
  search->far2 = high * high * (1.0 + 1e-9);
  search->h = list_indices(search->both ? -reach[0] : 0, reach[0]);
  search->k = list_indices(-reach[1], reach[1]);
  search->l = list_indices(-reach[2], reach[2]);
  search->n_h = (gsize)((search->both ? 2 : 1) * reach[0] + 1);
  search->n_k = 2 * reach[1] + 1;
  search->n_l = 2 * reach[2] + 1;
  search->n_parts = CLAMP(MAX_PLACES / search->ranges->len, 1, MIN(search->n_h, MAX_PARTS));
  search->places = g_new0(gsize, search->n_parts * search->ranges->len);
  debye_chunk_threads_run(search->n_parts, look_through, search);
  return search->n_found <= search->limit;
}

/* All vectors within the ranges, one of each pair unless `both`. */
static void
fill(Search *search, DebyeScatteringVectors *vectors)
{
  const guint n_shells = search->ranges->len;
  g_autofree DebyeScatteringShell *shells = g_new0(DebyeScatteringShell, n_shells);
  Shells all = {vectors, shells};
  g_array_set_size(vectors->vectors, (guint)search->n_found);
  g_array_set_size(vectors->weights, (guint)search->n_found);
  g_array_set_size(vectors->indices, (guint)search->n_found);
  give_places(search, shells);
  search->vectors = vectors;
  debye_chunk_threads_run(search->n_parts, look_through, search);
  debye_chunk_threads_run(n_shells, take_mean, &all);
  for (guint k = 0; k < n_shells; k++)
    if (shells[k].n > 0)
      g_array_append_val(vectors->shells, shells[k]);
}

static void
search_clear(Search *search)
{
  g_free(search->h);
  g_free(search->k);
  g_free(search->l);
  g_free(search->places);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Search, search_clear)

static gboolean
find_all(DebyeScatteringVectors *vectors, const DebyeCell *cell, const GArray *q, gboolean both, gsize limit,
         GError **error)
{
  ReciprocalCell reciprocal = make_reciprocal(cell);
  g_autoptr(GArray) ranges = find_ranges(q);
  g_auto(Search) search = {.reciprocal = &reciprocal,
                           .ranges = ranges,
                           .both = both,
                           .limit = MIN(limit, DEBYE_SCATTERING_MAX_IN_MEMORY)};
  debye_scattering_vectors_begin(vectors);
  if (!count_all(&search))
    return debye_error_set_about(
        error, DEBYE_ERROR_LIMIT, DEBYE_SCATTERING_VECTOR_LABEL,
        "more than %" G_GSIZE_FORMAT " vectors of the reciprocal lattice are in range", search.limit);
  vectors->indices = g_array_new(FALSE, FALSE, sizeof(int[3]));
  fill(&search, vectors);
  return TRUE;
}

/* --- Kept --- */

#define KEY "debye-lattice-vectors"
#define MAX_KEPT (1u << 22) /* vectors: 180 MB */

/* A form plans anew with each change of a setting, few of which change the vectors. */
typedef struct {
  DebyeCell cell;
  GArray *q;
  gboolean both;
  DebyeScatteringVectors vectors;
} Kept;

static void
kept_free(gpointer data)
{
  Kept *kept = data;
  g_array_unref(kept->q);
  debye_scattering_vectors_clear(&kept->vectors);
  g_free(kept);
}

static gboolean
is_for(const Kept *kept, const DebyeCell *cell, const GArray *q, gboolean both)
{
  return memcmp(&kept->cell, cell, sizeof *cell) == 0 && kept->both == both && kept->q->len == q->len &&
         memcmp(kept->q->data, q->data, q->len * sizeof(double)) == 0;
}

/* What nobody changes is shared. */
static DebyeScatteringVectors
share(const DebyeScatteringVectors *vectors)
{
  return (DebyeScatteringVectors){.shells = g_array_ref(vectors->shells),
                                  .vectors = g_array_ref(vectors->vectors),
                                  .indices = g_array_ref(vectors->indices),
                                  .weights = g_array_ref(vectors->weights)};
}

static void
keep(GObject *owner, const DebyeScatteringVectors *vectors, const DebyeCell *cell, const GArray *q,
     gboolean both)
{
  Kept *kept = g_new0(Kept, 1);
  kept->cell = *cell;
  kept->q = g_array_copy((GArray *)q);
  kept->both = both;
  kept->vectors = share(vectors);
  g_object_set_data_full(owner, KEY, kept, kept_free);
}

gboolean
debye_scattering_vectors_lattice(DebyeScatteringVectors *vectors, GObject *owner, const DebyeCell *cell,
                                 const GArray *q, gboolean both, gsize limit, GError **error)
{
  static GMutex looking; /* two threads may come at once */
  g_mutex_lock(&looking);
  const Kept *kept = g_object_get_data(owner, KEY);
  gboolean found = kept != NULL && is_for(kept, cell, q, both) && kept->vectors.vectors->len <= limit;
  if (found) {
    *vectors = share(&kept->vectors);
  } else {
    found = find_all(vectors, cell, q, both, limit, error);
    if (found && vectors->vectors->len <= MAX_KEPT)
      keep(owner, vectors, cell, q, both);
  }
  g_mutex_unlock(&looking);
  return found;
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
  return good || debye_error_set_about(error, DEBYE_ERROR_SETTING,
                                       "h,k,l of the cell's reciprocal lattice; each becomes a row of the "
                                       "result, F(hkl, τ), without an average, and moves with the cell",
                                       "expected three whole numbers h,k,l up to %d, found “%s”",
                                       DEBYE_LATTICE_MAX_EXTENT, text);
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
static void
thin_shell(const DebyeScatteringVectors *all, const DebyeScatteringShell *shell, gsize max_per_shell,
           DebyeRandom *random, DebyeScatteringVectors *few)
{
  DebyeScatteringShell thin = {.q = shell->q, .first = few->vectors->len};
  gsize n_left = shell->n, n_wanted = MIN(max_per_shell, shell->n);
  for (gsize v = shell->first; v < shell->first + shell->n; v++, n_left--) {
    if (n_wanted == 0 || debye_random_uniform(random) * (double)n_left >= (double)n_wanted)
      continue;
    n_wanted--;
    thin.weight += g_array_index(all->weights, double, v);
    g_array_append_vals(few->vectors, &g_array_index(all->vectors, DebyeVec3, v), 1);
    g_array_append_vals(few->weights, &g_array_index(all->weights, double, v), 1);
    g_array_append_vals(few->indices, all->indices->data + v * sizeof(int[3]), 1);
  }
  thin.n = few->vectors->len - thin.first;
  g_array_append_val(few->shells, thin);
}

gsize
debye_scattering_vectors_thin(DebyeScatteringVectors *vectors, gsize max_per_shell, guint64 seed)
{
  const gsize n_before = vectors->vectors->len;
  DebyeScatteringVectors few;
  DebyeRandom random = {seed};
  debye_scattering_vectors_begin(&few);
  few.indices = g_array_new(FALSE, FALSE, sizeof(int[3]));
  for (guint k = 0; k < vectors->shells->len; k++)
    thin_shell(vectors, &g_array_index(vectors->shells, DebyeScatteringShell, k), max_per_shell, &random,
               &few);
  debye_scattering_vectors_clear(vectors);
  *vectors = few;
  return n_before;
}
