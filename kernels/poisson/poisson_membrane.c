/* SPDX-License-Identifier: MIT */
/* Implementation of poisson_membrane.h. */
#include "poisson_membrane.h"

#include <math.h>

/* Solvent, head groups, core, head groups, solvent. */
#define N_LAYERS 5

typedef struct {
  double end[N_LAYERS], permittivity[N_LAYERS]; /* upwards; the last has no end */
} Layers;

static Layers
layers_of(const DebyePoissonMedium *medium)
{
  const DebyePoissonMembrane *membrane = &medium->membrane;
  return (Layers){{membrane->low, membrane->low + membrane->head, membrane->high - membrane->head,
                   membrane->high, INFINITY},
                  {medium->solvent, membrane->head_permittivity, membrane->permittivity,
                   membrane->head_permittivity, medium->solvent}};
}

/* ∫dz/ε from z0 to z1. */
static double
integrate(const DebyePoissonMedium *medium, double z0, double z1)
{
  const Layers layers = layers_of(medium);
  double sum = 0.0, begin = -INFINITY;
  for (int i = 0; i < N_LAYERS; i++) {
    const double from = fmax(z0, begin), to = fmin(z1, layers.end[i]);
    sum += to > from ? (to - from) / layers.permittivity[i] : 0.0;
    begin = layers.end[i];
  }
  return sum;
}

static double
permittivity_at(const DebyePoissonMedium *medium, double z)
{
  const Layers layers = layers_of(medium);
  int i = 0;
  while (z >= layers.end[i])
    i++;
  return layers.permittivity[i];
}

/* How much of [begin, end] of an edge along x or y is within the pore; `along` and `across` are from its axis. */
static double
within_pore(const DebyePoissonMembrane *membrane, double along, double across, double step, double begin,
            double end)
{
  const double half2 = membrane->pore * membrane->pore - across * across;
  if (half2 <= 0.0)
    return 0.0;
  const double half = sqrt(half2), from = (-half - along) / step, to = (half - along) / step;
  return fmax(0.0, fmin(end, to) - fmax(begin, from));
}

double
debye_poisson_membrane_resistance(const DebyePoissonMedium *medium, DebyeVec3 at, int axis, double begin,
                                  double end)
{
  const DebyePoissonMembrane *membrane = &medium->membrane;
  const double x = at.x - membrane->x, y = at.y - membrane->y, step = medium->grid.step[axis];
  if (axis == 2) {
    const bool is_pore = x * x + y * y < membrane->pore * membrane->pore;
    return is_pore ? (end - begin) / medium->solvent
                   : integrate(medium, at.z + begin * step, at.z + end * step) / step;
  }
  const double pore = within_pore(membrane, axis == 0 ? x : y, axis == 0 ? y : x, step, begin, end);
  return pore / medium->solvent + (end - begin - pore) / permittivity_at(medium, at.z);
}

double
debye_poisson_membrane_admits(const DebyePoissonMedium *medium, DebyeVec3 at)
{
  const DebyePoissonMembrane *membrane = &medium->membrane;
  const double radius = medium->ion_radius, step = medium->grid.step[2];
  const double wall = membrane->pore - hypot(at.x - membrane->x, at.y - membrane->y);
  if (wall > 0.0) {
    const double off = fmax(0.0, fmax(membrane->low - at.z, at.z - membrane->high));
    return wall * wall + off * off >= radius * radius ? 1.0 : 0.0;
  }
  const double from = fmax(at.z - 0.5 * step, membrane->low - radius);
  const double to = fmin(at.z + 0.5 * step, membrane->high + radius);
  return 1.0 - fmax(0.0, to - from) / step;
}

/* φ/V: each layer takes its share of the whole resistance, a bath of ions 1/(εκ). */
static double
profile_at(const DebyePoissonMedium *medium, double z)
{
  const DebyeSurfaceGrid *grid = &medium->grid;
  const double kappa = sqrt(medium->screening / medium->solvent);
  const double first = grid->origin.z, last = first + grid->step[2] * (double)(grid->shape[2] - 1);
  const double low = medium->membrane.low - medium->ion_radius,
               high = medium->membrane.high + medium->ion_radius;
  if (!(kappa > 0.0))
    return integrate(medium, z, last) / integrate(medium, first, last);
  const double bath = 1.0 / (medium->solvent * kappa), whole = 2.0 * bath + integrate(medium, low, high);
  if (z >= high)
    return bath * exp(-kappa * (z - high)) / whole;
  return z <= low ? 1.0 - bath * exp(kappa * (z - low)) / whole : (bath + integrate(medium, z, high)) / whole;
}

void
debye_poisson_membrane_add_profile(const DebyePoissonMedium *medium, double *potential)
{
  const DebyeSurfaceGrid *grid = &medium->grid;
  const size_t *shape = grid->shape;
  for (size_t z = 0; z < shape[2]; z++) {
    const double value =
        medium->membrane.voltage * profile_at(medium, grid->origin.z + grid->step[2] * (double)z);
    for (size_t y = 0; y < shape[1]; y++) {
      const bool is_outer = z == 0 || z + 1 == shape[2] || y == 0 || y + 1 == shape[1];
      for (size_t x = 0; x < shape[0]; x += is_outer ? 1 : shape[0] - 1)
        potential[x + shape[0] * (y + shape[1] * z)] += value;
    }
  }
}

/* Planes below the middle. */
static size_t
count_below(const DebyePoissonMedium *medium)
{
  const double middle = 0.5 * (medium->membrane.low + medium->membrane.high);
  const double planes = ceil((middle - medium->grid.origin.z) / medium->grid.step[2]);
  return planes <= 0.0 ? 0 : (size_t)fmin(planes, (double)medium->grid.shape[2]);
}

void
debye_poisson_membrane_shift(const DebyePoissonMedium *medium, double sign, double *potential)
{
  const size_t n = medium->grid.shape[0] * medium->grid.shape[1] * count_below(medium);
  for (size_t i = 0; i < n; i++)
    potential[i] += sign * medium->membrane.voltage;
}

void
debye_poisson_membrane_add_source(const DebyePoissonMedium *medium, const DebyePoissonEquation *equation)
{
  const size_t plane = medium->grid.shape[0] * medium->grid.shape[1], below = count_below(medium);
  if (below == 0 || below == medium->grid.shape[2])
    return;
  for (size_t i = plane * (below - 1); i < plane * below; i++) {
    const float more = (float)((double)equation->along[2][i] * medium->membrane.voltage);
    equation->source[i] -= more;
    equation->source[i + plane] += more;
  }
}
