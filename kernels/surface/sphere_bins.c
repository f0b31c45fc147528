/* SPDX-License-Identifier: MIT */
/* Implementation of sphere_bins.h: a counting sort. */
#include "sphere_bins.h"

#include <stdlib.h>

/* Bins are for spheres, not for the room between far ones. */
#define BINS_PER_SPHERE 8
#define LEAST_BINS 64

static void
find_box(const DebyeSpheres *spheres, DebyeVec3 *low, DebyeVec3 *high)
{
  *low = debye_vec3(INFINITY, INFINITY, INFINITY);
  *high = debye_vec3(-INFINITY, -INFINITY, -INFINITY);
  for (size_t i = 0; i < spheres->n; i++) {
    const DebyeVec3 at = debye_sphere_center(spheres, i);
    *low = debye_vec3(fmin(low->x, at.x), fmin(low->y, at.y), fmin(low->z, at.z));
    *high = debye_vec3(fmax(high->x, at.x), fmax(high->y, at.y), fmax(high->z, at.z));
  }
}

static void
choose_shape(DebyeSphereBins *bins, DebyeVec3 size, double edge, size_t n)
{
  const double most = (double)(BINS_PER_SPHERE * n + LEAST_BINS);
  for (;; edge *= 1.25) {
    const double shape[3] = {floor(size.x / edge) + 1.0, floor(size.y / edge) + 1.0,
                             floor(size.z / edge) + 1.0};
    if (shape[0] * shape[1] * shape[2] > most)
      continue;
    for (int axis = 0; axis < 3; axis++)
      bins->shape[axis] = (size_t)shape[axis];
    bins->edge = edge;
    return;
  }
}

static size_t
bin_along(const DebyeSphereBins *bins, int axis, double offset)
{
  const double bin = floor(offset / bins->edge);
  const size_t last = bins->shape[axis] - 1;
  return bin <= 0.0 ? 0 : bin >= (double)last ? last : (size_t)bin;
}

static size_t
bin_of(const DebyeSphereBins *bins, DebyeVec3 at)
{
  const size_t x = bin_along(bins, 0, at.x - bins->origin.x), y = bin_along(bins, 1, at.y - bins->origin.y);
  return x + bins->shape[0] * (y + bins->shape[1] * bin_along(bins, 2, at.z - bins->origin.z));
}

bool
debye_sphere_bins_init(DebyeSphereBins *bins, const DebyeSpheres *spheres, double edge)
{
  DebyeVec3 low, high;
  *bins = (DebyeSphereBins){.shape = {1, 1, 1}, .edge = edge};
  if (spheres->n > 0) {
    find_box(spheres, &low, &high);
    bins->origin = low;
    choose_shape(bins, debye_vec3_subtract(high, low), edge, spheres->n);
  }
  const size_t n_bins = bins->shape[0] * bins->shape[1] * bins->shape[2];
  bins->begin = calloc(n_bins + 2, sizeof *bins->begin);
  bins->sphere = calloc(spheres->n + 1, sizeof *bins->sphere);
  if (bins->begin == NULL || bins->sphere == NULL) {
    debye_sphere_bins_clear(bins);
    return false;
  }
  /* Counted two bins further: filling moves each begin to where the next bin's was. */
  for (size_t i = 0; i < spheres->n; i++)
    bins->begin[bin_of(bins, debye_sphere_center(spheres, i)) + 2]++;
  for (size_t bin = 2; bin < n_bins + 2; bin++)
    bins->begin[bin] += bins->begin[bin - 1];
  for (size_t i = 0; i < spheres->n; i++)
    bins->sphere[bins->begin[bin_of(bins, debye_sphere_center(spheres, i)) + 1]++] = (uint32_t)i;
  return true;
}

void
debye_sphere_bins_clear(DebyeSphereBins *bins)
{
  free(bins->begin);
  free(bins->sphere);
  bins->begin = NULL;
  bins->sphere = NULL;
}

bool
debye_sphere_bins_range(const DebyeSphereBins *bins, DebyeVec3 center, double reach, size_t first[3],
                        size_t last[3])
{
  const DebyeVec3 offset = debye_vec3_subtract(center, bins->origin);
  const double offsets[3] = {offset.x, offset.y, offset.z};
  for (int axis = 0; axis < 3; axis++) {
    if (offsets[axis] + reach < 0.0 || offsets[axis] - reach > (double)bins->shape[axis] * bins->edge)
      return false;
    first[axis] = bin_along(bins, axis, offsets[axis] - reach);
    last[axis] = bin_along(bins, axis, offsets[axis] + reach);
  }
  return true;
}
