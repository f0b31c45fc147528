/* SPDX-License-Identifier: MIT */
/* Density maps by a plain loop; test_density_map.c compares kernels with it. */
#include "oracle_density.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* The coefficients of d in three vectors, by Cramer's rule. */
static void
solve(const DebyeVec3 v[3], DebyeVec3 d, double *c)
{
  const double volume = debye_vec3_dot(v[0], debye_vec3_cross(v[1], v[2]));
  for (int k = 0; k < 3; k++)
    c[k] = debye_vec3_dot(d, debye_vec3_cross(v[(k + 1) % 3], v[(k + 2) % 3])) / volume;
}

static DebyeVec3
add(DebyeVec3 d, double s, DebyeVec3 v)
{
  return debye_vec3_add(d, debye_vec3_scale(v, s));
}

/* The image of d that counts, the nearest by looking at all that can be. */
static DebyeVec3
image(const DebyeDensitySettings *settings, const DebyeCell *cell, DebyeVec3 d)
{
  double c[3];
  if (settings->placing == DEBYE_DENSITY_OPEN)
    return d;
  const DebyeVec3 v[3] = {cell->a, cell->b, cell->c};
  solve(v, d, c);
  for (int k = 0; k < 3; k++)
    d = add(d, -rint(c[k]), v[k]);
  if (settings->placing != DEBYE_DENSITY_NEAREST)
    return d;
  DebyeVec3 best = d;
  for (int n = 0; n < 343; n++) {
    const DebyeVec3 e = add(add(add(d, n % 7 - 3, v[0]), n / 7 % 7 - 3, v[1]), n / 49 - 3, v[2]);
    if (debye_vec3_length(e) < debye_vec3_length(best))
      best = e;
  }
  return best;
}

static DebyeVec3
turn(const DebyeDensityView *view, DebyeVec3 d)
{
  const double(*r)[3] = view->rotation;
  return debye_vec3(r[0][0] * d.x + r[0][1] * d.y + r[0][2] * d.z,
                    r[1][0] * d.x + r[1][1] * d.y + r[1][2] * d.z,
                    r[2][0] * d.x + r[2][1] * d.y + r[2][2] * d.z);
}

typedef struct {
  const DebyeDensitySettings *settings;
  DebyeVec3 step[3];
  double u[3], weights[3], scale;
  bool *seen;
  double *sums;
} Point;

static void
add_at(const Point *point, size_t voxel, double share)
{
  const size_t n = debye_density_n_voxels(point->settings);
  if (point->settings->sum == DEBYE_DENSITY_OCCUPANCY) {
    point->sums[voxel] += point->seen[voxel] ? 0.0 : 1.0;
    point->seen[voxel] = true;
  } else if (point->settings->sum == DEBYE_DENSITY_COUNT) {
    point->sums[voxel] += 1.0;
  } else {
    for (unsigned c = 0; c < point->settings->n_components; c++)
      point->sums[c * n + voxel] += share * point->scale * point->weights[c];
  }
}

/* Of every voxel, and of the images around where they repeat. */
static void
spread(const Point *point)
{
  const size_t *shape = point->settings->shape;
  const double width = point->settings->gaussian;
  const double volume =
      fabs(debye_vec3_dot(point->step[0], debye_vec3_cross(point->step[1], point->step[2])));
  const int images = point->settings->placing == DEBYE_DENSITY_FRACTIONS ? 1 : 0;
  for (size_t voxel = 0; voxel < shape[0] * shape[1] * shape[2]; voxel++) {
    const double at[3] = {(double)(voxel % shape[0]), (double)(voxel / shape[0] % shape[1]),
                          (double)(voxel / shape[0] / shape[1])};
    for (int n = 0; n < (images > 0 ? 27 : 1); n++) {
      const int shift[3] = {n % 3 - images, n / 3 % 3 - images, n / 9 - images};
      DebyeVec3 d = debye_vec3(0.0, 0.0, 0.0);
      for (int k = 0; k < 3; k++)
        d = add(d, at[k] + 0.5 - point->u[k] + shift[k] * (double)shape[k], point->step[k]);
      add_at(point, voxel,
             volume * exp(-debye_vec3_dot(d, d) / (2.0 * width * width)) / pow(sqrt(2.0 * PI) * width, 3.0));
    }
  }
}

static void
add_point(Point *point, const DebyeDensityFrame *frame, const DebyeDensityView *view, size_t i)
{
  const DebyeDensitySettings *settings = point->settings;
  const DebyeVec3 r = debye_vec3((double)frame->x[i], (double)frame->y[i], (double)frame->z[i]);
  const DebyeVec3 d = debye_vec3_subtract(r, debye_vec3(view->from[0], view->from[1], view->from[2]));
  if (settings->placing == DEBYE_DENSITY_FRACTIONS) {
    const DebyeVec3 v[3] = {frame->cell->a, frame->cell->b, frame->cell->c};
    solve(v, d, point->u);
    for (int k = 0; k < 3; k++)
      point->u[k] = (point->u[k] - floor(point->u[k])) * (double)settings->shape[k];
  } else {
    const DebyeVec3 to = debye_vec3(view->to[0], view->to[1], view->to[2]);
    const DebyeVec3 moved = debye_vec3_add(turn(view, image(settings, frame->cell, d)), to);
    solve(frame->step, debye_vec3_subtract(moved, frame->origin), point->u);
  }
  const float *w = frame->weights;
  DebyeVec3 vector = debye_vec3(1.0, 0.0, 0.0);
  if (w != NULL)
    vector = settings->n_components == 3
                 ? turn(view, debye_vec3((double)w[i], (double)w[frame->n + i], (double)w[2 * frame->n + i]))
                 : debye_vec3((double)w[i], 0.0, 0.0);
  point->scale = frame->scale;
  memcpy(point->weights, &vector, sizeof vector);
  if (settings->gaussian > 0.0) {
    spread(point);
    return;
  }
  for (int k = 0; k < 3; k++)
    if (!(point->u[k] >= 0.0 && point->u[k] < (double)settings->shape[k]))
      return;
  const size_t *shape = settings->shape;
  add_at(point, (size_t)point->u[0] + shape[0] * ((size_t)point->u[1] + shape[1] * (size_t)point->u[2]), 1.0);
}

void
debye_oracle_density(const DebyeDensitySettings *settings, const DebyeDensityFrame *frames, size_t n_frames,
                     double *sums)
{
  const size_t n = debye_density_n_voxels(settings);
  Point point = {.settings = settings, .seen = calloc(n, sizeof(bool)), .sums = sums};
  memset(sums, 0, debye_density_n_sums(settings) * sizeof *sums);
  for (size_t f = 0; f < n_frames; f++) {
    const DebyeDensityFrame *frame = &frames[f];
    const DebyeVec3 edges[3] = {frame->cell != NULL ? frame->cell->a : frame->step[0],
                                frame->cell != NULL ? frame->cell->b : frame->step[1],
                                frame->cell != NULL ? frame->cell->c : frame->step[2]};
    for (int k = 0; k < 3; k++)
      point.step[k] = settings->placing == DEBYE_DENSITY_FRACTIONS
                          ? debye_vec3_scale(edges[k], 1.0 / (double)settings->shape[k])
                          : frame->step[k];
    for (size_t view = 0; view < frame->n_views; view++) {
      memset(point.seen, 0, n * sizeof(bool));
      for (size_t i = 0; i < frame->n; i++)
        if (frame->owner == NULL || frame->owner[i] != frame->views[view].owner)
          add_point(&point, frame, &frame->views[view], i);
    }
  }
  free(point.seen);
}
