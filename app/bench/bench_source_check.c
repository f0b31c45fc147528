/* SPDX-License-Identifier: MIT */
/* What a source of the class should give, in double, and how far rounding may lead it; used by bench_source_run.c. */
#include "bench_source_private.h"

#include <math.h>

#include "data/messages/message.h"

#define ROUNDING DEBYE_BENCH_ROUNDING
#define COORDINATE_ROUNDINGS DEBYE_BENCH_COORDINATE_ROUNDINGS
#define TERM_ROUNDINGS DEBYE_BENCH_TERM_ROUNDINGS

static DebyeVec3
find_point(const DebyeBenchSourceCase *one, gsize index)
{
  const gsize *shape = one->map.grid.shape;
  return debye_grid_point(&one->map.grid, (double)(index % shape[0]), (double)(index / shape[0] % shape[1]),
                          (double)(index / shape[0] / shape[1]));
}

/* Adds an atom at this distance. Each addition of n rounds the sum so far, which is not above the terms' absolute sum. */
static void
add_atom(const DebyeBenchSourceCase *one, double charge, double d, double *sum, double *off, double *terms,
         double *n)
{
  const double cutoff = one->map.cutoff, away = COORDINATE_ROUNDINGS * ROUNDING * one->extent;
  const double near = fmax(d, DEBYE_BENCH_CORE_RADIUS),
               s = cutoff > 0.0 ? 1.0 - d * d / (cutoff * cutoff) : 1.0;
  if (cutoff > 0.0 && d >= cutoff + away)
    return;
  const double inside = fmax(s, 0.0), term = charge * inside * inside / near;
  const double edge = cutoff > 0.0 ? fabs(charge) * 4.0 * inside / (cutoff * cutoff) : 0.0;
  *sum += term;
  *off += fabs(term) * (away / fmax(near - away, 0.5 * DEBYE_BENCH_CORE_RADIUS) + TERM_ROUNDINGS * ROUNDING) +
          edge * away + 2.0 * ROUNDING * fabs(charge) * inside / near;
  *terms += fabs(term);
  *n += 1.0;
}

static DebyeBenchExpected
expect_point(const DebyeBenchSourceCase *one, gsize index, gboolean without_overflow, double *within)
{
  const DebyeCharges *charges = &one->map.charges;
  const DebyeVec3 point = find_point(one, index);
  double sum = 0.0, off = 0.0, terms = 0.0, n = 0.0, n_left_out = 0.0, none = 0.0;
  for (gsize i = 0; i < charges->n; i++) {
    const DebyeVec3 atom = debye_vec3((double)charges->x[i], (double)charges->y[i], (double)charges->z[i]);
    add_atom(one, (double)charges->charge[i], debye_vec3_length(debye_vec3_subtract(point, atom)), &sum, &off,
             &terms, &n);
  }
  const gsize *shape = one->map.grid.shape;
  for (guint i = 0; without_overflow && i < one->overflow->len; i++) {
    const DebyeLadderAtom *atom = &g_array_index(one->overflow, DebyeLadderAtom, i);
    const DebyeVec3 to =
        debye_vec3((double)(index % shape[0]) * (double)one->step[0] - (double)atom->x,
                   (double)(index / shape[0] % shape[1]) * (double)one->step[1] - (double)atom->y,
                   (double)(index / shape[0] / shape[1]) * (double)one->step[2] - (double)atom->z);
    add_atom(one, -(double)atom->charge, debye_vec3_length(to), &sum, &off, &none, &n_left_out);
  }
  *within += n - n_left_out;
  return (DebyeBenchExpected){index, sum, off + n * ROUNDING * terms + 1e-12};
}

void
debye_bench_source_expect_map(const DebyeBenchSourceCase *one, guint alternative, GArray *expected,
                              double *within)
{
  const gsize stride = debye_bench_source_case_stride(one);
  *within = 0.0;
  for (gsize i = 0; i < one->n_values; i += stride) {
    const DebyeBenchExpected value = expect_point(one, i, alternative > 0, within);
    g_array_append_val(expected, value);
  }
  *within /= (double)expected->len;
}

static double
fold(double d, double edge)
{
  return edge > 0.0 ? d - edge * rint(d / edge) : d;
}

/* The bins that a pair's distance is in for sure are counted in both, those at an edge in `maybe`. */
void
debye_bench_source_expect_counts(const DebyeBenchSourceCase *one, guint alternative G_GNUC_UNUSED,
                                 GArray *list, double *within G_GNUC_UNUSED)
{
  g_array_set_size(list, (guint)one->pairs.n_bins);
  DebyeBenchExpected *expected = (DebyeBenchExpected *)(void *)list->data;
  const DebyeLadderPairs *pairs = &one->pairs;
  const double scale = (double)pairs->n_bins / pairs->r_max, n_bins = (double)pairs->n_bins;
  double largest = fmax(fmax(pairs->edge[0], pairs->edge[1]), pairs->edge[2]);
  for (gsize i = 0; i < pairs->n_bins; i++)
    expected[i] = (DebyeBenchExpected){i, 0.0, 0.0};
  for (gsize i = 0; i < pairs->n; i++)
    largest = fmax(
        largest, fmax(fmax(fabs((double)pairs->x[i]), fabs((double)pairs->y[i])), fabs((double)pairs->z[i])));
  const double away = scale * COORDINATE_ROUNDINGS * ROUNDING * largest + 4.0 * ROUNDING * n_bins;
  for (gsize i = 0; i < pairs->n; i++)
    for (gsize j = i + 1; j < pairs->n; j++) {
      const double dx = fold((double)pairs->x[j] - (double)pairs->x[i], pairs->edge[0]);
      const double dy = fold((double)pairs->y[j] - (double)pairs->y[i], pairs->edge[1]);
      const double dz = fold((double)pairs->z[j] - (double)pairs->z[i], pairs->edge[2]);
      const double bin = sqrt(dx * dx + dy * dy + dz * dz) * scale;
      const double low = floor(fmax(bin - away, 0.0)), high = floor(bin + away);
      if (low < n_bins)
        expected[(gsize)low].expected += low == high ? 1.0 : 0.5;
      if (low < n_bins && low != high)
        expected[(gsize)low].tolerance += 0.5;
      if (high < n_bins && low != high) {
        expected[(gsize)high].expected += 0.5;
        expected[(gsize)high].tolerance += 0.5;
      }
    }
}

char *
debye_bench_source_name_bin(const DebyeBenchSourceCase *one G_GNUC_UNUSED, gsize index)
{
  return debye_message_new("bin %zu", index);
}

char *
debye_bench_source_name_point(const DebyeBenchSourceCase *one, gsize index)
{
  const int *shape = one->about.counts;
  const gsize nx = (gsize)shape[0], ny = (gsize)shape[1];
  return debye_message_new(one->family->is_voxels ? "voxel (%zu, %zu, %zu)" : "point (%zu, %zu, %zu)",
                           index % nx, index / nx % ny, index / nx / ny);
}
