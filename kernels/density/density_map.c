/* SPDX-License-Identifier: MIT */
/* What every back end of density maps does before it starts: arguments checked, views made ready. */
#include "density_map.h"

#include <math.h>

#include "density_math.h"

#define GAUSSIAN_REACH 4.5
#define PI 3.14159265358979323846

size_t
debye_density_n_voxels(const DebyeDensitySettings *settings)
{
  return settings->shape[0] * settings->shape[1] * settings->shape[2];
}

size_t
debye_density_n_sums(const DebyeDensitySettings *settings)
{
  return debye_density_n_voxels(settings) *
         (settings->sum == DEBYE_DENSITY_WEIGH ? settings->n_components : 1);
}

static bool
is_sensible_shape(const size_t *shape)
{
  double n = 1.0;
  for (int k = 0; k < 3; k++)
    n *= (double)shape[k];
  return n >= 1.0 && n <= (double)DEBYE_DENSITY_MAX_VOXELS;
}

DebyeStatusCode
debye_density_settings_check(const DebyeDensitySettings *settings, DebyeStatus *status)
{
  const size_t *shape = settings->shape;
  if (!is_sensible_shape(shape))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "A grid of %zu × %zu × %zu voxels was asked for; at most %zu can be counted.",
                            shape[0], shape[1], shape[2], DEBYE_DENSITY_MAX_VOXELS);
  if (settings->sum == DEBYE_DENSITY_WEIGH && settings->n_components != 1 && settings->n_components != 3)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "Weights have %u components; they must have 1 or 3.", settings->n_components);
  if (!(settings->gaussian >= 0.0 && settings->gaussian < 1e6))
    return debye_status_set(status, DEBYE_STATUS_INVALID, "A Gaussian can't be %g Å wide.",
                            settings->gaussian);
  if (settings->gaussian > 0.0 && settings->sum != DEBYE_DENSITY_WEIGH)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "Only weights can be spread as Gaussians.");
  if (settings->max_points == 0 || settings->max_views == 0 || settings->max_frames == 0 ||
      (double)settings->max_points * (double)settings->max_views * (double)settings->max_frames >
          (double)DEBYE_DENSITY_MAX_ADDED)
    return debye_status_set(
        status, DEBYE_STATUS_INVALID,
        "%zu points in %zu views of %zu frames can't be counted: there are none, or too many at a time.",
        settings->max_points, settings->max_views, settings->max_frames);
  return debye_status_ok(status);
}

static DebyeStatusCode
check_packed(const DebyeDensitySettings *settings, const DebyeDensityFrame *frame, DebyeStatus *status)
{
  if (frame->packed == NULL)
    return debye_status_ok(status);
  if (frame->n != settings->packed.n_chosen)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "The packed frame has %zu atoms; %zu were asked for.", settings->packed.n_chosen,
                            frame->n);
  return debye_packed_atoms_check(&settings->packed, frame->packed, status);
}

DebyeStatusCode
debye_density_frames_check(const DebyeDensitySettings *settings, const DebyeDensityFrame *frames,
                           size_t n_frames, DebyeStatus *status)
{
  if (n_frames > settings->max_frames)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "The plan holds %zu frames, not %zu.",
                            settings->max_frames, n_frames);
  for (size_t i = 0; i < n_frames; i++) {
    if (frames[i].n > settings->max_points || frames[i].n_views > settings->max_views)
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "Frame %zu has %zu points and %zu views; the plan holds %zu and %zu.", i + 1,
                              frames[i].n, frames[i].n_views, settings->max_points, settings->max_views);
    if (settings->placing != DEBYE_DENSITY_OPEN &&
        (frames[i].cell == NULL || !debye_cell_is_valid(frames[i].cell)))
      return debye_status_set(status, DEBYE_STATUS_INVALID, "Frame %zu has no cell with a volume.", i + 1);
    if (settings->n_components == 3 && settings->sum == DEBYE_DENSITY_WEIGH && frames[i].weights == NULL)
      return debye_status_set(status, DEBYE_STATUS_INVALID, "Frame %zu has no vectors to add.", i + 1);
    if (check_packed(settings, &frames[i], status) != DEBYE_STATUS_OK)
      return DEBYE_STATUS_INVALID;
  }
  return debye_status_ok(status);
}

void
debye_density_target_init(DebyeDensityTarget *target, const DebyeDensitySettings *settings)
{
  for (int k = 0; k < 3; k++)
    target->shape[k] = (int32_t)settings->shape[k];
  target->n_voxels = debye_density_n_voxels(settings);
  target->placing = settings->placing;
  target->n_components = settings->sum == DEBYE_DENSITY_WEIGH ? settings->n_components : 0;
  target->is_spread = settings->gaussian > 0.0;
}

/* --- Views --- */

/* Rows of the inverse of the matrix whose columns are v: by cross products. */
static void
invert(const DebyeVec3 v[3], double inverse[3][3])
{
  const double volume = debye_vec3_dot(v[0], debye_vec3_cross(v[1], v[2]));
  for (int k = 0; k < 3; k++) {
    const DebyeVec3 normal = debye_vec3_cross(v[(k + 1) % 3], v[(k + 2) % 3]);
    inverse[k][0] = normal.x / volume;
    inverse[k][1] = normal.y / volume;
    inverse[k][2] = normal.z / volume;
  }
}

static void
multiply(double (*a)[3], double (*b)[3], double (*out)[3])
{
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      out[i][k] = a[i][0] * b[0][k] + a[i][1] * b[1][k] + a[i][2] * b[2][k];
}

static void
set_cell(DebyeDensitySample *sample, const DebyeCell *cell)
{
  const DebyeVec3 vectors[3] = {cell->a, cell->b, cell->c};
  invert(vectors, sample->fraction);
  for (int k = 0; k < 3; k++) {
    sample->vector[k][0] = vectors[k].x;
    sample->vector[k][1] = vectors[k].y;
    sample->vector[k][2] = vectors[k].z;
  }
}

/* Differences of the nearest image come in the lattice's turned frame. */
static void
set_turn(DebyeDensitySample *sample, const DebyeDensityFrame *frame, const DebyeDensityView *view,
         const DebyeLattice *lattice)
{
  double inverse[3][3], turn[3][3], back[3][3];
  const double shift[3] = {view->to[0] - frame->origin.x, view->to[1] - frame->origin.y,
                           view->to[2] - frame->origin.z};
  invert(frame->step, inverse);
  multiply(inverse, sample->rotation, turn);
  for (int i = 0; i < 3; i++) {
    sample->offset[i] = debye_dot3(inverse[i], shift);
    for (int k = 0; k < 3; k++)
      back[i][k] = lattice != NULL ? lattice->axis[k][i] : (double)(i == k);
  }
  multiply(turn, back, sample->turn);
}

static void
set_gaussian(DebyeDensitySample *sample, double width, const DebyeVec3 step[3])
{
  double inverse[3][3];
  const double volume = fabs(debye_vec3_dot(step[0], debye_vec3_cross(step[1], step[2])));
  invert(step, inverse);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++)
      sample->metric[i][k] = -debye_vec3_dot(step[i], step[k]) / (2.0 * width * width);
    sample->reach[i] = GAUSSIAN_REACH * width * sqrt(debye_dot3(inverse[i], inverse[i]));
  }
  sample->height *= volume / (pow(2.0 * PI, 1.5) * width * width * width);
}

void
debye_density_sample_init(DebyeDensitySample *sample, const DebyeDensitySettings *settings,
                          const DebyeDensityFrame *frame, size_t number, const DebyeLattice *lattice)
{
  const DebyeDensityView *view = &frame->views[number];
  const bool is_nearest = settings->placing == DEBYE_DENSITY_NEAREST;
  DebyeVec3 step[3] = {frame->step[0], frame->step[1], frame->step[2]};
  *sample = (DebyeDensitySample){.height = DEBYE_DENSITY_UNIT * frame->scale, .owner = view->owner};
  for (int i = 0; i < 3; i++) {
    sample->from[i] = view->from[i];
    for (int k = 0; k < 3; k++)
      sample->rotation[i][k] = view->rotation[i][k];
  }
  if (is_nearest)
    debye_lattice_place_exactly(lattice, view->from, sample->from);
  if (settings->placing == DEBYE_DENSITY_PARALLEL || settings->placing == DEBYE_DENSITY_FRACTIONS)
    set_cell(sample, frame->cell);
  if (settings->placing != DEBYE_DENSITY_FRACTIONS) {
    set_turn(sample, frame, view, is_nearest ? lattice : NULL);
  } else {
    step[0] = debye_vec3_scale(frame->cell->a, 1.0 / (double)settings->shape[0]);
    step[1] = debye_vec3_scale(frame->cell->b, 1.0 / (double)settings->shape[1]);
    step[2] = debye_vec3_scale(frame->cell->c, 1.0 / (double)settings->shape[2]);
  }
  if (settings->gaussian > 0.0)
    set_gaussian(sample, settings->gaussian, step);
}
