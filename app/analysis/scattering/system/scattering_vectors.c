/* SPDX-License-Identifier: MIT */
/* Makes scattering vectors of shells, directions and files; called by scattering_plan.c. */
#include "scattering_vectors.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/files/input.h"
#include "app/analysis/driver/random_numbers.h"
#include "app/analysis/driver/vector_rows.h"
#include "app/analysis/pairs/structure_factor.h"

#define LABEL DEBYE_SCATTERING_VECTOR_LABEL

void
debye_scattering_vectors_clear(DebyeScatteringVectors *vectors)
{
  g_clear_pointer(&vectors->shells, g_array_unref);
  g_clear_pointer(&vectors->vectors, g_array_unref);
  g_clear_pointer(&vectors->indices, g_array_unref);
  g_clear_pointer(&vectors->weights, g_array_unref);
}

void
debye_scattering_vectors_begin(DebyeScatteringVectors *vectors)
{
  vectors->shells = g_array_new(FALSE, FALSE, sizeof(DebyeScatteringShell));
  vectors->vectors = g_array_new(FALSE, FALSE, sizeof(DebyeVec3));
  vectors->weights = g_array_new(FALSE, FALSE, sizeof(double));
}

void
debye_scattering_vectors_begin_shell(DebyeScatteringVectors *vectors, double q)
{
  DebyeScatteringShell shell = {.q = q, .first = vectors->vectors->len};
  g_array_append_val(vectors->shells, shell);
}

void
debye_scattering_vectors_add(DebyeScatteringVectors *vectors, DebyeVec3 vector, double weight)
{
  g_array_append_val(vectors->vectors, vector);
  g_array_append_val(vectors->weights, weight);
  DebyeScatteringShell *shell =
      &g_array_index(vectors->shells, DebyeScatteringShell, vectors->shells->len - 1);
  shell->n++;
  shell->weight += weight;
}

/* As many elements of an array, one after the other, onto the end of another of the same kind. */
static void
append(GArray *to, const GArray *from, gsize first, gsize n)
{
  if (n > 0)
    g_array_append_vals(to, from->data + first * g_array_get_element_size((GArray *)from), (guint)n);
}

void
debye_scattering_vectors_pick(DebyeScatteringVectors *vectors, const DebyeScatteringVectors *all,
                              const guint *shells, guint n)
{
  debye_scattering_vectors_begin(vectors);
  if (all->indices != NULL)
    vectors->indices = g_array_new(FALSE, FALSE, sizeof(int[3]));
  for (guint i = 0; i < n; i++) {
    DebyeScatteringShell shell = g_array_index(all->shells, DebyeScatteringShell, shells[i]);
    gsize first = vectors->vectors->len;
    append(vectors->vectors, all->vectors, shell.first, shell.n);
    append(vectors->weights, all->weights, shell.first, shell.n);
    if (all->indices != NULL)
      append(vectors->indices, all->indices, shell.first, shell.n);
    shell.first = first;
    g_array_append_val(vectors->shells, shell);
  }
}

/* --- q --- */

static int
compare_doubles(gconstpointer a, gconstpointer b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static GArray *
parse_list(const char *text, GError **error)
{
  g_autoptr(GArray) q = g_array_new(FALSE, FALSE, sizeof(double));
  g_auto(GStrv) parts = g_strsplit(text, ",", -1);
  for (char **part = parts; *part != NULL; part++) {
    double value;
    if (!debye_text_to_double(*part, strlen(*part), &value) || !(value >= 0.0 && value < 1e6)) {
      debye_error_set_about(error, DEBYE_ERROR_SETTING, LABEL,
                            "expected min:max:step or a list of values in Å⁻¹ from 0 on, found “%s”", text);
      return NULL;
    }
    g_array_append_val(q, value);
  }
  return g_steal_pointer(&q);
}

GArray *
debye_scattering_parse_q(const char *text, GError **error)
{
  g_autoptr(GArray) q = NULL;
  if (strchr(text, ':') != NULL) {
    gsize n;
    g_autofree double *values = debye_structure_parse_range(LABEL, text, &n, error);
    if (values == NULL)
      return NULL;
    q = g_array_new(FALSE, FALSE, sizeof(double));
    g_array_append_vals(q, values, (guint)n);
  } else {
    q = parse_list(text, error);
    if (q == NULL)
      return NULL;
  }
  g_array_sort(q, compare_doubles);
  guint n_kept = 0;
  for (guint i = 0; i < q->len; i++)
    if (n_kept == 0 || g_array_index(q, double, i) > g_array_index(q, double, n_kept - 1))
      g_array_index(q, double, n_kept++) = g_array_index(q, double, i);
  g_array_set_size(q, n_kept);
  return g_steal_pointer(&q);
}

/* --- Directions --- */

static DebyeVec3
from_height_and_angle(double z, double angle)
{
  double radius = sqrt(fmax(0.0, 1.0 - z * z));
  return debye_vec3(radius * cos(angle), radius * sin(angle), z);
}

/* The i-th of n points whose areas on the sphere are alike: heights in even steps, angles by the golden
 * ratio (E. B. Saff, A. B. J. Kuijlaars, Math. Intell. 19 (1997) 5). */
static DebyeVec3
golden_direction(gsize i, gsize n)
{
  double golden = G_PI * (3.0 - sqrt(5.0));
  return from_height_and_angle(1.0 - (2.0 * (double)i + 1.0) / (double)n, golden * (double)i);
}

/* Two unit vectors that make a right-handed frame with the axis. */
static void
frame_of_axis(DebyeVec3 axis, DebyeVec3 *u, DebyeVec3 *v)
{
  DebyeVec3 other = fabs(axis.z) < 0.9 ? debye_vec3(0.0, 0.0, 1.0) : debye_vec3(1.0, 0.0, 0.0);
  *u = debye_vec3_cross(other, axis);
  *u = debye_vec3_scale(*u, 1.0 / debye_vec3_length(*u));
  *v = debye_vec3_cross(axis, *u);
}

/* A vector of length q: its part along the axis is fixed, the rest turns around it. */
static DebyeVec3
cylinder_vector(const DebyeOrientation *orientation, double q, gsize i)
{
  DebyeVec3 u, v, axis = orientation->axis;
  double across = sqrt(fmax(0.0, q * q - orientation->axial * orientation->axial));
  double angle = 2.0 * G_PI * (double)i / (double)orientation->n;
  frame_of_axis(axis, &u, &v);
  DebyeVec3 around = debye_vec3_add(debye_vec3_scale(u, cos(angle)), debye_vec3_scale(v, sin(angle)));
  return debye_vec3_add(debye_vec3_scale(axis, orientation->axial), debye_vec3_scale(around, across));
}

static gboolean
check_axial(const DebyeOrientation *orientation, double q, GError **error)
{
  char part[G_ASCII_DTOSTR_BUF_SIZE], whole[G_ASCII_DTOSTR_BUF_SIZE];
  if (orientation->kind != DEBYE_ORIENTATION_CYLINDER || fabs(orientation->axial) <= q)
    return TRUE;
  return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Orientation",
                               "the part of q along the cylinder's axis, %s Å⁻¹, is more than q = %s Å⁻¹",
                               g_ascii_formatd(part, sizeof part, "%g", orientation->axial),
                               g_ascii_formatd(whole, sizeof whole, "%g", q));
}

gboolean
debye_scattering_vectors_make(DebyeScatteringVectors *vectors, const GArray *q,
                              const DebyeOrientation *orientation, guint64 seed, GError **error)
{
  gsize n = orientation->kind == DEBYE_ORIENTATION_NONE ? 1 : orientation->n;
  DebyeRandom random = {seed};
  debye_scattering_vectors_begin(vectors);
  if (n * q->len > DEBYE_SCATTERING_MAX_IN_MEMORY)
    return debye_error_set_about(error, DEBYE_ERROR_LIMIT, LABEL,
                                 "%" G_GSIZE_FORMAT " directions of %u values are more than %d vectors", n,
                                 q->len, DEBYE_SCATTERING_MAX_IN_MEMORY);
  for (guint s = 0; s < q->len; s++) {
    double length = g_array_index(q, double, s);
    if (!check_axial(orientation, length, error))
      return FALSE;
    debye_scattering_vectors_begin_shell(vectors, length);
    for (gsize i = 0; i < (length > 0.0 ? n : 1); i++) {
      DebyeVec3 vector;
      if (orientation->kind == DEBYE_ORIENTATION_CYLINDER) {
        vector = cylinder_vector(orientation, length, i);
      } else if (orientation->kind == DEBYE_ORIENTATION_NONE) {
        vector = debye_vec3_scale(orientation->axis, length);
      } else if (orientation->kind == DEBYE_ORIENTATION_RANDOM) {
        vector = debye_vec3_scale(debye_random_direction(&random), length);
      } else {
        vector = debye_vec3_scale(golden_direction(i, n), length);
      }
      debye_scattering_vectors_add(vectors, vector, 1.0);
    }
  }
  return TRUE;
}

/* --- A file --- */

static gboolean
add_directions(DebyeScatteringVectors *vectors, const GArray *rows, const GArray *q, const char *path,
               GError **error)
{
  for (guint s = 0; s < q->len; s++) {
    debye_scattering_vectors_begin_shell(vectors, g_array_index(q, double, s));
    for (guint i = 0; i < rows->len; i++) {
      DebyeVec3 row = g_array_index(rows, DebyeVec3, i);
      double length = debye_vec3_length(row);
      if (!(length > 0.0)) {
        g_autofree char *name = debye_error_name_file(path);
        return debye_error_set(error, DEBYE_ERROR_VALUE,
                               "%s: row %u: expected a direction, found a vector of length 0", name, i + 1);
      }
      debye_scattering_vectors_add(vectors, debye_vec3_scale(row, g_array_index(q, double, s) / length), 1.0);
    }
  }
  return TRUE;
}

gboolean
debye_scattering_vectors_read(DebyeScatteringVectors *vectors, const char *path, const GArray *q,
                              GError **error)
{
  g_autoptr(GArray) rows = debye_vector_rows_read(path, (const char *const[]){"qx", "qy", "qz"}, error);
  debye_scattering_vectors_begin(vectors);
  if (rows == NULL)
    return FALSE;
  if (q != NULL)
    return add_directions(vectors, rows, q, path, error);
  for (guint i = 0; i < rows->len; i++) {
    DebyeVec3 row = g_array_index(rows, DebyeVec3, i);
    debye_scattering_vectors_begin_shell(vectors, debye_vec3_length(row));
    debye_scattering_vectors_add(vectors, row, 1.0);
  }
  return TRUE;
}
