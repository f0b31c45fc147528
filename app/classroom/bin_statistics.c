/* SPDX-License-Identifier: MIT */
/* Implementation of bin_statistics.h. */
#include "bin_statistics.h"

#include <math.h>

/* How near the points of bin 0 come to bin Δ along an axis. */
static double
find_gap(gint64 delta, double edge, double spacing)
{
  return delta == 0 ? 0.0 : ((double)ABS(delta) - 1.0) * edge + 0.5 * spacing;
}

/* Bins along z that are nearer than the cutoff, at squared distance `across2` in x and y. */
static guint64
count_column(guint reach, double edge, double cutoff, double spacing, double across2)
{
  guint64 n = 0;
  for (gint64 k = -(gint64)reach; k <= (gint64)reach; k++) {
    const double gap = find_gap(k, edge, spacing);
    n += across2 + gap * gap < cutoff * cutoff;
  }
  return n;
}

DebyeBinNeighbours
debye_bin_neighbours(double edge, double cutoff, double spacing)
{
  const double reach = ceil((cutoff - 0.5 * spacing) / edge);
  DebyeBinNeighbours found = {.reach = (guint)MAX(reach, 0.0)};
  const guint64 side = 2 * (guint64)found.reach + 1;
  found.n_cube = side * side * side;
  for (gint64 i = -(gint64)found.reach; i <= (gint64)found.reach; i++)
    for (gint64 j = -(gint64)found.reach; j <= (gint64)found.reach; j++) {
      const double x = find_gap(i, edge, spacing), y = find_gap(j, edge, spacing);
      found.n_sphere += count_column(found.reach, edge, cutoff, spacing, x * x + y * y);
    }
  const double sphere = 4.0 / 3.0 * G_PI * cutoff * cutoff * cutoff, bin = edge * edge * edge;
  found.valid_cube = sphere / ((double)found.n_cube * bin);
  found.valid_sphere = sphere / ((double)MAX(found.n_sphere, 1) * bin);
  return found;
}

typedef struct {
  double low[3];
  guint64 shape[3];
} Box;

static gboolean
find_box(const float *const coordinates[3], gsize n_atoms, double edge, Box *box)
{
  double n_bins = 1.0;
  for (int axis = 0; axis < 3; axis++) {
    double low = INFINITY, high = -INFINITY;
    for (gsize i = 0; i < n_atoms; i++) {
      low = MIN(low, (double)coordinates[axis][i]);
      high = MAX(high, (double)coordinates[axis][i]);
    }
    const double n = n_atoms > 0 ? floor((high - low) / edge) + 1.0 : 1.0;
    n_bins *= n;
    if (!(n_bins <= (double)DEBYE_BIN_MAX_BINS))
      return FALSE;
    box->low[axis] = low;
    box->shape[axis] = (guint64)n;
  }
  return TRUE;
}

static guint64
find_bin(const Box *box, const float *const coordinates[3], gsize atom, double edge)
{
  guint64 bin = 0;
  for (int axis = 2; axis >= 0; axis--) {
    const double place = floor(((double)coordinates[axis][atom] - box->low[axis]) / edge);
    bin = bin * box->shape[axis] + MIN((guint64)place, box->shape[axis] - 1);
  }
  return bin;
}

static void
count_bins(DebyeBinFilling *filling, const guint32 *atoms_in, guint capacity)
{
  for (guint64 bin = 0; bin < filling->n_bins; bin++) {
    const guint n = atoms_in[bin];
    if (n >= filling->bins_with->len)
      g_array_set_size(filling->bins_with, n + 1);
    g_array_index(filling->bins_with, guint64, n)++;
    filling->fullest = MAX(filling->fullest, n);
    filling->n_overflowing += n > capacity ? n - capacity : 0;
  }
}

gboolean
debye_bin_filling_init(DebyeBinFilling *filling, const float *const coordinates[3], gsize n_atoms,
                       double edge, guint capacity)
{
  Box box;
  *filling = (DebyeBinFilling){.n_atoms = n_atoms};
  if (!find_box(coordinates, n_atoms, edge, &box))
    return FALSE;
  filling->n_bins = box.shape[0] * box.shape[1] * box.shape[2];
  filling->bins_with = g_array_new(FALSE, TRUE, sizeof(guint64));
  g_autofree guint32 *atoms_in = g_new0(guint32, filling->n_bins);
  for (gsize i = 0; i < n_atoms; i++)
    atoms_in[find_bin(&box, coordinates, i, edge)]++;
  count_bins(filling, atoms_in, capacity);
  const double in_slots = (double)(n_atoms - filling->n_overflowing);
  filling->mean = (double)n_atoms / (double)filling->n_bins;
  filling->covered = n_atoms > 0 ? in_slots / (double)n_atoms : 1.0;
  filling->filled = in_slots / ((double)filling->n_bins * (double)MAX(capacity, 1));
  return TRUE;
}

void
debye_bin_filling_clear(DebyeBinFilling *filling)
{
  g_clear_pointer(&filling->bins_with, g_array_unref);
}
