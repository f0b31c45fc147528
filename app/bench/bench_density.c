/* SPDX-License-Identifier: MIT */
/* The atoms that counting in voxels is timed on, and how many are where; called by the benchmark and the class room. */
#include "bench_density.h"

#include <math.h>

#define ATOMS_PER_VOXEL 0.1 /* of water, in 1 Å³ */
#define FRAMES 256.0
#define LEAST_FRAMES 32.0
#define MOST_PLACES 7e6 /* atoms of frames, where there are more frames than the least */
#define SHAKE 1.5f      /* Å, from where an atom is on average, along each axis */
#define BEYOND 1.0      /* Å, that atoms fill beside the grid */

static float
draw(uint32_t *state)
{
  *state = *state * 1664525u + 1013904223u;
  return (float)(*state >> 8) / 16777216.0f;
}

static void
place_atoms(DebyeBenchDensity *self, gsize side)
{
  const DebyeLadderDensity *density = &self->density;
  const gsize n = density->n_atoms * density->n_frames;
  uint32_t middle = 20061130, motion = 2006;
  for (gsize i = 0; i < density->n_atoms; i++)
    for (int axis = 0; axis < 3; axis++) {
      const float base = (float)(density->corner[axis] - BEYOND) +
                         draw(&middle) * (float)((double)side * density->edge + 2.0 * BEYOND);
      for (gsize t = 0; t < density->n_frames; t++)
        self->places[(gsize)axis * n + t * density->n_atoms + i] =
            base + SHAKE * (2.0f * draw(&motion) - 1.0f);
    }
}

DebyeBenchDensity *
debye_bench_density_new(double n_voxels)
{
  const gsize side = (gsize)MAX(lround(cbrt(MIN(n_voxels, DEBYE_BENCH_DENSITY_MAX_VOXELS))), 2);
  const double n_atoms = fmax(floor(ATOMS_PER_VOXEL * pow((double)side, 3.0)), 1.0);
  const gsize n_frames = (gsize)CLAMP(MOST_PLACES / n_atoms, LEAST_FRAMES, FRAMES);
  DebyeBenchDensity *self = g_new0(DebyeBenchDensity, 1);
  const gsize n = (gsize)n_atoms * n_frames;
  self->places = g_try_new(float, 3 * n);
  if (self->places == NULL) {
    g_free(self);
    return NULL;
  }
  self->density = (DebyeLadderDensity){.x = self->places,
                                       .y = self->places + n,
                                       .z = self->places + 2 * n,
                                       .n_atoms = (gsize)n_atoms,
                                       .n_frames = n_frames,
                                       .corner = {-3.7, -5.3, -8.1},
                                       .edge = 1.0,
                                       .shape = {side, side, side}};
  place_atoms(self, side);
  return self;
}

void
debye_bench_density_free(DebyeBenchDensity *self)
{
  g_free(self->places);
  g_free(self);
}

double
debye_bench_density_count(const DebyeBenchDensity *self)
{
  return (double)self->density.n_atoms * (double)self->density.n_frames;
}

/* −1: it is in none. */
static gint64
find_voxel(const DebyeLadderDensity *density, gsize at)
{
  const float *const places[3] = {density->x, density->y, density->z};
  gint64 voxel = 0;
  for (int axis = 2; axis >= 0; axis--) {
    const double u = floor(((double)places[axis][at] - density->corner[axis]) / density->edge);
    if (!(u >= 0.0 && u < (double)density->shape[axis]))
      return -1;
    voxel = voxel * (gint64)density->shape[axis] + (gint64)u;
  }
  return voxel;
}

/* `last` frame of each voxel, from 1 on. */
static void
count_exactly(const DebyeLadderDensity *density, gboolean is_occupancy, uint32_t *last, uint32_t *exact)
{
  for (gsize t = 0; t < density->n_frames; t++)
    for (gsize i = 0; i < density->n_atoms; i++) {
      const gint64 voxel = find_voxel(density, t * density->n_atoms + i);
      if (voxel < 0)
        continue;
      exact[voxel] += !is_occupancy || last[voxel] != t + 1;
      last[voxel] = (uint32_t)(t + 1);
    }
}

double
debye_bench_density_find_error(const DebyeBenchDensity *self, const uint32_t *counts, gboolean is_occupancy)
{
  const gsize n = debye_ladder_density_n_voxels(&self->density);
  g_autofree uint32_t *last = g_new0(uint32_t, n), *exact = g_new0(uint32_t, n);
  double all = 0.0, off = 0.0;
  count_exactly(&self->density, is_occupancy, last, exact);
  for (gsize voxel = 0; voxel < n; voxel++) {
    all += (double)exact[voxel];
    off += fabs((double)counts[voxel] - (double)exact[voxel]);
  }
  return off / fmax(all, 1.0);
}
