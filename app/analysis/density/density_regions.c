/* SPDX-License-Identifier: MIT */
/* Implementation of density_regions.h; called by density_plan.c and density_blobs.c. */
#include "density_regions.h"

#include <math.h>

/* What belongs to a region. */
typedef struct {
  const float *values;
  gsize shape[3];
  double level, sign; /* −1: values at most the level */
} Threshold;

/* Surfaces compare values with the level in single precision. */
static double
round_level(double level)
{
  return (double)(float)level;
}

/* How far beyond the level; negative, or NAN: not there. */
static double
reach(const Threshold *threshold, gsize voxel)
{
  return threshold->sign * ((double)threshold->values[voxel] - threshold->level);
}

/* All voxels that touch this one, by a list of those whose neighbours haven't been looked at. */
static gsize
fill(const Threshold *threshold, gsize start, guint32 label, guint32 *labels, GArray *open)
{
  const gsize *shape = threshold->shape, step[3] = {1, shape[0], shape[0] * shape[1]};
  gsize count = 0;
  labels[start] = label;
  g_array_append_val(open, start);
  while (open->len > 0) {
    const gsize voxel = g_array_index(open, gsize, open->len - 1);
    g_array_set_size(open, open->len - 1);
    count++;
    for (int k = 0; k < 3; k++) {
      const gsize at = voxel / step[k] % shape[k];
      for (int side = 0; side < 2; side++) {
        const gsize next = side == 0 ? voxel - step[k] : voxel + step[k];
        if ((side == 0 ? at == 0 : at + 1 == shape[k]) || labels[next] != 0 ||
            !(reach(threshold, next) >= 0.0))
          continue;
        labels[next] = label;
        g_array_append_val(open, next);
      }
    }
  }
  return count;
}

/* --- All --- */

typedef struct {
  gsize count;
  guint32 label;
} Region;

static int
compare_regions(const void *a, const void *b)
{
  const Region *one = a, *other = b;
  if (one->count != other->count)
    return one->count > other->count ? -1 : 1;
  return (one->label > other->label) - (one->label < other->label);
}

guint32 *
debye_density_regions_label(const float *values, const gsize shape[3], double level, gsize *n_regions)
{
  const gsize n = shape[0] * shape[1] * shape[2];
  const Threshold threshold = {values, {shape[0], shape[1], shape[2]}, round_level(level), 1.0};
  g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(gsize));
  g_autoptr(GArray) regions = g_array_new(FALSE, FALSE, sizeof(Region));
  guint32 *labels = g_new0(guint32, n);
  for (gsize i = 0; i < n; i++) {
    if (labels[i] != 0 || !(reach(&threshold, i) >= 0.0))
      continue;
    Region region = {.label = regions->len + 1};
    region.count = fill(&threshold, i, region.label, labels, open);
    g_array_append_val(regions, region);
  }
  g_array_sort(regions, (GCompareFunc)compare_regions);
  g_autofree guint32 *rank = g_new0(guint32, regions->len + 1);
  for (guint i = 0; i < regions->len; i++)
    rank[g_array_index(regions, Region, i).label] = i + 1;
  for (gsize i = 0; i < n; i++)
    labels[i] = rank[labels[i]];
  *n_regions = regions->len;
  return labels;
}

/* --- One --- */

/* FALSE: none of the voxels around the place reaches the level. */
static gboolean
find_start(const Threshold *threshold, const double place[3], gsize *start)
{
  const gsize *shape = threshold->shape;
  double best = -1.0;
  for (int corner = 0; corner < 8; corner++) {
    gsize voxel = 0, step = 1;
    gboolean is_inside = TRUE;
    for (int k = 0; k < 3; k++) {
      const double at = floor(place[k]) + (double)(corner >> k & 1);
      is_inside = is_inside && at >= 0.0 && at < (double)shape[k];
      voxel += is_inside ? step * (gsize)at : 0;
      step *= shape[k];
    }
    const double here = is_inside ? reach(threshold, voxel) : -1.0;
    if (here >= 0.0 && here > best) {
      best = here;
      *start = voxel;
    }
  }
  return best >= 0.0;
}

guint32 *
debye_density_regions_find(const float *values, const gsize shape[3], double level, const double place[3])
{
  const Threshold threshold = {
      values, {shape[0], shape[1], shape[2]}, round_level(level), level < 0.0 ? -1.0 : 1.0};
  gsize start = 0;
  if (!find_start(&threshold, place, &start))
    return NULL;
  g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(gsize));
  guint32 *labels = g_new0(guint32, shape[0] * shape[1] * shape[2]);
  fill(&threshold, start, 1, labels, open);
  return labels;
}

float *
debye_density_regions_mask(const float *values, const guint32 *labels, gsize n, double level)
{
  const double sign = level < 0.0 ? -1.0 : 1.0, threshold = round_level(level);
  /* Mirroring a value at the level changes nothing; mirroring across zero would give the map values that it cannot have. */
  const float beside = nextafterf((float)level, sign > 0.0 ? -INFINITY : INFINITY);
  float *masked = g_try_new(float, n);
  for (gsize i = 0; masked != NULL && i < n; i++) {
    const double beyond = (double)values[i] - threshold;
    const float mirrored = (float)(threshold - beyond);
    masked[i] = values[i];
    if (labels[i] == 0 && sign * beyond >= 0.0)
      masked[i] = sign > 0.0 ? fminf(fmaxf(mirrored, 0.0f), beside) : fmaxf(fminf(mirrored, 0.0f), beside);
  }
  return masked;
}
