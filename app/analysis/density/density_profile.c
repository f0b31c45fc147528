/* SPDX-License-Identifier: MIT */
/* Profiles along an axis of the cell, by radius, about an axis and by distance to atoms; called by density_analysis.c. */
#include "density_profile.h"

#include <math.h>

#include "kernels/minimum_image.h"

/* Of a frame, to find volumes. */
#define N_SAMPLES 2000

static double
weight_of(const DebyeDensityPoints *points, gsize i)
{
  return points->weights != NULL ? (double)points->weights[i] : 1.0;
}

static DebyeVec3
position_of(const DebyeDensityPoints *points, gsize i)
{
  return debye_vec3((double)points->x[i], (double)points->y[i], (double)points->z[i]);
}

/* In fractions of the frame's cell; the centre is in the middle. */
static void
add_along_axis(const DebyeDensityPlan *plan, const DebyeDensityPoints *points, const DebyeFrame *frame,
               double *values)
{
  const int axis = (int)plan->options.profile - (int)DEBYE_PROFILE_X;
  const double n = (double)plan->n_bins, bin_volume = fabs(debye_cell_volume(&frame->cell)) / n;
  DebyePeriodic periodic;
  double shift = 0.0;
  debye_periodic_init_for_frame(&periodic, frame);
  if (plan->center != NULL)
    shift = 0.5 - debye_vec3_dot(periodic.inverse[axis],
                                 debye_density_find_center(plan->topology, plan->center, frame));
  for (gsize i = 0; i < points->n; i++) {
    double part = debye_vec3_dot(periodic.inverse[axis], position_of(points, i)) + shift;
    part -= floor(part);
    const gsize bin = (gsize)(part < 1.0 ? part * n : 0.0);
    values[MIN(bin, plan->n_bins - 1)] += weight_of(points, i) / bin_volume;
  }
  for (gsize i = 0; plan->options.symmetrise && i < plan->n_bins / 2; i++) {
    const double mean = 0.5 * (values[i] + values[plan->n_bins - 1 - i]);
    values[i] = values[plan->n_bins - 1 - i] = mean;
  }
}

static double
volume_of_bin(const DebyeDensityPlan *plan, const DebyeFrame *frame, gsize bin)
{
  const double low = plan->width * (double)bin, high = plan->width * (double)(bin + 1);
  if (plan->options.profile == DEBYE_PROFILE_RADIAL)
    return 4.0 / 3.0 * G_PI * (high * high * high - low * low * low);
  return G_PI * (high * high - low * low) * debye_density_cell_height(&frame->cell, 2);
}

static void
add_about_center(const DebyeDensityPlan *plan, const DebyeDensityPoints *points, const DebyeFrame *frame,
                 double *values)
{
  const DebyeVec3 center = debye_density_find_center(plan->topology, plan->center, frame);
  DebyePeriodic periodic;
  debye_periodic_init_for_frame(&periodic, frame);
  for (gsize i = 0; i < points->n; i++) {
    const DebyeVec3 d =
        debye_periodic_minimum_image(&periodic, debye_vec3_subtract(position_of(points, i), center));
    const double r = plan->options.profile == DEBYE_PROFILE_RADIAL ? debye_vec3_length(d) : hypot(d.x, d.y);
    if (r < plan->width * (double)plan->n_bins) {
      const gsize bin = MIN((gsize)(r / plan->width), plan->n_bins - 1);
      values[bin] += weight_of(points, i) / volume_of_bin(plan, frame, bin);
    }
  }
}

/* --- By distance to atoms --- */

typedef struct {
  DebyeLattice lattice;
  double *places;
  gsize n;
} Surroundings;

static double
find_distance(const Surroundings *around, DebyeVec3 position)
{
  const double given[3] = {position.x, position.y, position.z};
  double place[3], nearest = INFINITY;
  debye_lattice_place_exactly(&around->lattice, given, place);
  for (gsize i = 0; i < around->n; i++)
    nearest = fmin(nearest, debye_pair_nearest(&around->lattice, place, around->places + 3 * i));
  return sqrt(nearest);
}

/* n_bins where it is beyond. */
static gsize
find_bin(const DebyeDensityPlan *plan, double distance)
{
  return distance < plan->width * (double)plan->n_bins
             ? MIN((gsize)(distance / plan->width), plan->n_bins - 1)
             : plan->n_bins;
}

/* A lattice of rank one by the generalised golden ratio, which covers the cell evenly. */
static void
add_volumes(const DebyeDensityPlan *plan, const Surroundings *around, const DebyeFrame *frame,
            double *volumes)
{
  static const double ratios[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
  const double share = fabs(debye_cell_volume(&frame->cell)) / N_SAMPLES;
  DebyePeriodic periodic;
  debye_periodic_init_for_frame(&periodic, frame);
  for (gsize i = 0; i < N_SAMPLES; i++) {
    double f[3];
    /* Each frame goes on where the one before ended. */
    for (int k = 0; k < 3; k++) {
      const double whole = ratios[k] * (double)((frame->index % 100000) * N_SAMPLES + i);
      f[k] = whole - floor(whole);
    }
    const gsize bin = find_bin(
        plan, find_distance(around, debye_periodic_from_fraction(&periodic, debye_vec3(f[0], f[1], f[2]))));
    if (bin < plan->n_bins)
      volumes[bin] += share;
  }
}

static void
add_proximal(const DebyeDensityPlan *plan, const DebyeDensityPoints *points, const DebyeFrame *frame,
             double *values, double *volumes)
{
  Surroundings around = {.n = plan->center->len};
  g_autofree double *places = g_new(double, 3 * around.n);
  around.places = places;
  debye_lattice_init(&around.lattice, &frame->cell);
  for (gsize i = 0; i < around.n; i++) {
    const guint32 atom = g_array_index(plan->center, guint32, i);
    debye_lattice_place(&around.lattice, frame->x[atom], frame->y[atom], frame->z[atom], places + 3 * i);
  }
  for (gsize i = 0; i < points->n; i++) {
    const gsize bin = find_bin(plan, find_distance(&around, position_of(points, i)));
    if (bin < plan->n_bins)
      values[bin] += weight_of(points, i);
  }
  add_volumes(plan, &around, frame, volumes);
}

void
debye_density_profile_add(const DebyeDensityPlan *plan, const DebyeDensityPoints *points,
                          const DebyeFrame *frame, double *values, double *volumes)
{
  if (debye_density_plan_is_along_axis(plan))
    add_along_axis(plan, points, frame, values);
  else if (plan->options.profile == DEBYE_PROFILE_PROXIMAL)
    add_proximal(plan, points, frame, values, volumes);
  else
    add_about_center(plan, points, frame, values);
}
