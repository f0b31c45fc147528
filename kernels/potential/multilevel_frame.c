/* SPDX-License-Identifier: MIT */
/* Lays out the lattices of multilevel summation for a frame; called by the kernels of both back ends. */
#include "multilevel_frame.h"

#include "cell_images.h"

/* Of the coarsest lattice along a periodic axis: with fewer its spacing would be coarse to choose. */
#define LEAST_PERIODIC 4
/* A lattice whose points an int couldn't count along an axis, or whose memory no machine has. */
#define LARGEST_LATTICE 1e11
#define LARGEST_AXIS 1e7
/* Charges that are looked at side by side. */
#define BOUND_LANES 8

size_t
debye_multilevel_points(const DebyeMultilevelLattice *lattice)
{
  return (size_t)lattice->n[0] * (size_t)lattice->n[1] * (size_t)lattice->n[2];
}

typedef struct {
  const DebyeCharges *charges;
  const DebyeMultilevelFrame *frame;
  struct {
    double low[3], high[3];
  } part[DEBYE_CHARGE_PARTS];
} Survey;

/* The shortest edges that make the same images: a lattice along edges that are nearly one direction would be
 * fine across it and still need its stencil to be long. */
static void
shorten_edges(DebyeMultilevelFrame *frame)
{
  bool shorter = true;
  /* Each round makes an edge shorter; cells that files hold need one or two. */
  for (int round = 0; round < 100 && shorter; round++) {
    shorter = false;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        if (i == j || !frame->periodic[i] || !frame->periodic[j])
          continue;
        const DebyeVec3 along = frame->step[j];
        const double times =
            rint(debye_vec3_dot(frame->step[i], along) / debye_vec3_dot(along, along) * (1.0 - 1e-9));
        if (times == 0.0)
          continue;
        frame->step[i] = debye_vec3_subtract(frame->step[i], debye_vec3_scale(along, times));
        shorter = true;
      }
  }
}

/* The directions of the lattice: the cell's edges along periodic axes; else, where all is open, the map's
 * own, so that its rows are the lattice's, or what stands across the edges. */
static DebyeStatusCode
set_directions(const DebyePotentialSettings *settings, const DebyeCell *cell, DebyeMultilevelFrame *frame,
               DebyeStatus *status)
{
  const DebyeTurnedGrid turned = debye_turned_grid(&settings->grid);
  DebyeCellImages images;
  if (debye_cell_images_set(&images, &turned, settings->periodic, cell, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  for (int axis = 0; axis < 3; axis++) {
    const DebyeVec3 edge = images.edge[axis];
    frame->periodic[axis] = images.periodic[axis];
    frame->step[axis] = debye_vec3_add(
        debye_vec3_scale(turned.axis[0], edge.x),
        debye_vec3_add(debye_vec3_scale(turned.axis[1], edge.y), debye_vec3_scale(turned.axis[2], edge.z)));
    if (!frame->periodic[axis])
      frame->step[axis] = debye_vec3_scale(frame->step[axis], 1.0 / debye_vec3_length(frame->step[axis]));
    else
      frame->step[axis] = axis == 0 ? cell->a : axis == 1 ? cell->b : cell->c;
  }
  shorten_edges(frame);
  return DEBYE_STATUS_OK;
}

/* Points along periodic axes, which all halve the same number of times, and the step. */
static DebyeStatusCode
set_periodic(double spacing, DebyeMultilevelFrame *frame, unsigned *halvings, DebyeStatus *status)
{
  double least = INFINITY;
  for (int axis = 0; axis < 3; axis++)
    if (frame->periodic[axis])
      least = fmin(least, debye_vec3_length(frame->step[axis]) / spacing);
  *halvings = DEBYE_MULTILEVEL_MAX_LEVELS - 1;
  if (isfinite(least))
    *halvings = least >= 2.0 * LEAST_PERIODIC ? (unsigned)ilogb(least / LEAST_PERIODIC) : 0;
  for (int axis = 0; axis < 3; axis++) {
    if (!frame->periodic[axis]) {
      frame->step[axis] = debye_vec3_scale(frame->step[axis], spacing);
      continue;
    }
    const double coarsest = debye_vec3_length(frame->step[axis]) / ldexp(spacing, (int)*halvings);
    const double n = ldexp(fmax(ceil(coarsest * (1.0 - 1e-12)), 1.0), (int)*halvings);
    if (!(n < LARGEST_AXIS))
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "The cell's edge of %g Å is too long for multilevel summation.",
                              debye_vec3_length(frame->step[axis]));
    frame->lattice[0].n[axis] = (int)n;
    frame->step[axis] = debye_vec3_scale(frame->step[axis], 1.0 / n);
  }
  return DEBYE_STATUS_OK;
}

static void
set_inverse(DebyeMultilevelFrame *frame)
{
  const DebyeVec3 *step = frame->step;
  const DebyeCell cell = {step[0], step[1], step[2]};
  const double volume = debye_cell_volume(&cell);
  for (int axis = 0; axis < 3; axis++)
    frame->inverse[axis] =
        debye_vec3_scale(debye_vec3_cross(step[(axis + 1) % 3], step[(axis + 2) % 3]), 1.0 / volume);
}

static void
include_point(const DebyeMultilevelFrame *frame, DebyeVec3 point, double low[3], double high[3])
{
  for (int axis = 0; axis < 3; axis++) {
    const double at = debye_vec3_dot(frame->inverse[axis], point);
    low[axis] = at < low[axis] ? at : low[axis];
    high[axis] = at > high[axis] ? at : high[axis];
  }
}

/* Charges [first, first + BOUND_LANES), a lane each. */
static void
extend_bounds(const Survey *survey, size_t first, double low[3][BOUND_LANES], double high[3][BOUND_LANES])
{
  const DebyeCharges *charges = survey->charges;
  const float *x = charges->x + first, *y = charges->y + first, *z = charges->z + first;
  for (int axis = 0; axis < 3; axis++) {
    const DebyeVec3 inverse = survey->frame->inverse[axis];
    double at[BOUND_LANES];
    for (size_t i = 0; i < BOUND_LANES; i++)
      at[i] = inverse.x * (double)x[i] + inverse.y * (double)y[i] + inverse.z * (double)z[i];
    for (size_t i = 0; i < BOUND_LANES; i++)
      low[axis][i] = at[i] < low[axis][i] ? at[i] : low[axis][i];
    for (size_t i = 0; i < BOUND_LANES; i++)
      high[axis][i] = at[i] > high[axis][i] ? at[i] : high[axis][i];
  }
}

static void
bound_askew(Survey *survey, size_t part)
{
  const DebyeCharges *charges = survey->charges;
  double low[3][BOUND_LANES], high[3][BOUND_LANES];
  double *part_low = survey->part[part].low, *part_high = survey->part[part].high;
  const size_t end = debye_charge_part_begin(charges->n, part + 1);
  size_t i = debye_charge_part_begin(charges->n, part);
  for (size_t j = 0; j < 3 * BOUND_LANES; j++) {
    low[j / BOUND_LANES][j % BOUND_LANES] = INFINITY;
    high[j / BOUND_LANES][j % BOUND_LANES] = -INFINITY;
  }
  for (; i + BOUND_LANES <= end; i += BOUND_LANES)
    extend_bounds(survey, i, low, high);
  for (int axis = 0; axis < 3; axis++) {
    part_low[axis] = INFINITY;
    part_high[axis] = -INFINITY;
    for (size_t j = 0; j < BOUND_LANES; j++) {
      part_low[axis] = fmin(part_low[axis], low[axis][j]);
      part_high[axis] = fmax(part_high[axis], high[axis][j]);
    }
  }
  for (; i < end; i++)
    include_point(survey->frame,
                  debye_vec3((double)charges->x[i], (double)charges->y[i], (double)charges->z[i]), part_low,
                  part_high);
}

/* Whether a place along each axis depends on one of x, y and z alone. */
static bool
is_upright(const DebyeMultilevelFrame *frame)
{
  for (int axis = 0; axis < 3; axis++) {
    const DebyeVec3 inverse = frame->inverse[axis];
    if ((inverse.x != 0.0) + (inverse.y != 0.0) + (inverse.z != 0.0) != 1)
      return false;
  }
  return true;
}

static void
find_range(const float *values, size_t begin, size_t end, double *low, double *high)
{
  float lows[BOUND_LANES], highs[BOUND_LANES];
  size_t i = begin;
  for (size_t j = 0; j < BOUND_LANES; j++)
    lows[j] = highs[j] = values[begin];
  for (; i + BOUND_LANES <= end; i += BOUND_LANES)
    for (size_t j = 0; j < BOUND_LANES; j++) {
      lows[j] = values[i + j] < lows[j] ? values[i + j] : lows[j];
      highs[j] = values[i + j] > highs[j] ? values[i + j] : highs[j];
    }
  for (; i < end; i++) {
    lows[0] = fminf(lows[0], values[i]);
    highs[0] = fmaxf(highs[0], values[i]);
  }
  *low = (double)lows[0];
  *high = (double)highs[0];
  for (size_t j = 1; j < BOUND_LANES; j++) {
    *low = fmin(*low, (double)lows[j]);
    *high = fmax(*high, (double)highs[j]);
  }
}

/* The same for an upright lattice: two corners of the box around the charges reach as far as any of them, and
 * it takes a fraction of the time. */
static void
bound_upright(Survey *survey, size_t part)
{
  const DebyeCharges *charges = survey->charges;
  const size_t begin = debye_charge_part_begin(charges->n, part);
  const size_t end = debye_charge_part_begin(charges->n, part + 1);
  double *low = survey->part[part].low, *high = survey->part[part].high;
  DebyeVec3 first, last;
  for (int axis = 0; axis < 3; axis++) {
    low[axis] = INFINITY;
    high[axis] = -INFINITY;
  }
  if (begin == end)
    return;
  find_range(charges->x, begin, end, &first.x, &last.x);
  find_range(charges->y, begin, end, &first.y, &last.y);
  find_range(charges->z, begin, end, &first.z, &last.z);
  include_point(survey->frame, first, low, high);
  include_point(survey->frame, last, low, high);
}

static void
bound_part(void *context, size_t part)
{
  Survey *survey = context;
  if (is_upright(survey->frame))
    bound_upright(survey, part);
  else
    bound_askew(survey, part);
}

/* Along open axes: from the lowest to the highest point that a spline of an atom or a map's point reaches. */
static DebyeStatusCode
set_open(const DebyeGrid *grid, const DebyeCharges *charges, const DebyeChunkRunner *runner,
         DebyeMultilevelFrame *frame, DebyeStatus *status)
{
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, points = 1.0;
  for (int corner = 0; corner < 8; corner++)
    include_point(frame,
                  debye_grid_point(grid, (double)(corner & 1 ? grid->shape[0] - 1 : 0),
                                   (double)(corner & 2 ? grid->shape[1] - 1 : 0),
                                   (double)(corner & 4 ? grid->shape[2] - 1 : 0)),
                  low, high);
  if (!(frame->periodic[0] && frame->periodic[1] && frame->periodic[2])) {
    Survey survey = {.charges = charges, .frame = frame};
    const size_t parts = debye_charge_parts(charges->n);
    debye_chunks_run(runner, parts, bound_part, &survey);
    for (size_t part = 0; part < parts; part++)
      for (int axis = 0; axis < 3; axis++) {
        low[axis] = fmin(low[axis], survey.part[part].low[axis]);
        high[axis] = fmax(high[axis], survey.part[part].high[axis]);
      }
  }
  for (int axis = 0; axis < 3; axis++) {
    frame->start[axis] = 0.0;
    frame->shift[axis] = 0;
    if (!frame->periodic[axis]) {
      /* A little room for rounding; places below are then never negative. */
      const double half = frame->order / 2, first = floor(low[axis] - 1e-6) - (half - 1.0);
      const double n = floor(high[axis] + 1e-6) + half - first + 1.0;
      frame->start[axis] = first;
      frame->shift[axis] = (int)(frame->order / 4);
      if (n < LARGEST_AXIS)
        frame->lattice[0].n[axis] = (int)n;
      points *= n < LARGEST_AXIS ? 1.0 : INFINITY;
    }
    points *= frame->lattice[0].n[axis];
  }
  if (points < LARGEST_LATTICE)
    return DEBYE_STATUS_OK;
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                          "The lattice from end to end of atoms and map would have too many points for "
                          "multilevel summation.");
}

static void
set_levels(unsigned halvings, DebyeMultilevelFrame *frame)
{
  const int half = (int)frame->order / 2;
  for (frame->n_levels = 1; frame->n_levels <= halvings; frame->n_levels++) {
    const DebyeMultilevelLattice *fine = &frame->lattice[frame->n_levels - 1];
    DebyeMultilevelLattice *coarse = &frame->lattice[frame->n_levels];
    bool shrinks = false;
    for (int axis = 0; axis < 3; axis++) {
      const int n = fine->n[axis];
      /* Where no more is to gain: a lattice this short would hardly get shorter. */
      shrinks |= frame->periodic[axis] || n > 2 * half + 4;
      coarse->n[axis] = frame->periodic[axis] ? n / 2 : frame->shift[axis] + (n - 1 + half) / 2 + 1;
    }
    if (!shrinks)
      return;
  }
}

/* 2^(1−p)·binomial(p, i). */
static void
set_halving(DebyeMultilevelFrame *frame)
{
  double weight = ldexp(2.0, -(int)frame->order);
  for (unsigned i = 0; i <= frame->order; i++) {
    frame->halving[i] = weight;
    weight *= (double)(frame->order - i) / (double)(i + 1);
  }
}

DebyeStatusCode
debye_multilevel_frame_set(const DebyeMultilevel *multilevel, const DebyePotentialSettings *settings,
                           const DebyeCell *cell, const DebyeCharges *charges, const DebyeChunkRunner *runner,
                           DebyeMultilevelFrame *frame, DebyeStatus *status)
{
  unsigned halvings;
  *frame = (DebyeMultilevelFrame){.order = multilevel->order};
  DebyeStatusCode code = set_directions(settings, cell, frame, status);
  if (code == DEBYE_STATUS_OK)
    code = set_periodic(multilevel->spacing, frame, &halvings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  set_inverse(frame);
  code = set_open(&settings->grid, charges, runner, frame, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  set_levels(halvings, frame);
  set_halving(frame);
  return debye_status_ok(status);
}

DebyeEwaldGrid
debye_multilevel_grid(const DebyeMultilevelFrame *frame, const DebyeGrid *grid)
{
  DebyeEwaldGrid turned = {.straight = true};
  for (int axis = 0; axis < 3; axis++) {
    turned.start[axis] = debye_vec3_dot(frame->inverse[axis], grid->origin) - frame->start[axis];
    for (int i = 0; i < 3; i++)
      turned.step[i][axis] = debye_vec3_dot(frame->inverse[axis], grid->step[i]);
  }
  /* What rounding leaves of a step across its row moves no point visibly. */
  const double length = fabs(turned.step[0][0]) * (double)grid->shape[0];
  for (int axis = 1; axis < 3; axis++) {
    if (fabs(turned.step[0][axis]) * (double)grid->shape[0] > 1e-12 * length)
      turned.straight = false;
  }
  return turned;
}

double
debye_multilevel_typical_points(const DebyeMultilevel *multilevel, const DebyePotentialSettings *settings)
{
  DebyeMultilevelFrame frame;
  const DebyeCharges none = {0};
  if (debye_multilevel_frame_set(multilevel, settings, &settings->cell, &none, NULL, &frame, NULL) !=
      DEBYE_STATUS_OK)
    return LARGEST_LATTICE;
  return (double)frame.lattice[0].n[0] * (double)frame.lattice[0].n[1] * (double)frame.lattice[0].n[2];
}
