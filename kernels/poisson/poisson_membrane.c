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
layers_of(const DebyePoissonMembrane *membrane, double solvent)
{
  return (Layers){
      {membrane->low, membrane->low + membrane->head, membrane->high - membrane->head, membrane->high,
       INFINITY},
      {solvent, membrane->head_permittivity, membrane->permittivity, membrane->head_permittivity, solvent}};
}

double
debye_poisson_membrane_integrate(const DebyePoissonMembrane *membrane, double solvent, double z0, double z1)
{
  const Layers layers = layers_of(membrane, solvent);
  double sum = 0.0, begin = -INFINITY;
  for (int i = 0; i < N_LAYERS; i++) {
    const double from = fmax(z0, begin), to = fmin(z1, layers.end[i]);
    sum += to > from ? (to - from) / layers.permittivity[i] : 0.0;
    begin = layers.end[i];
  }
  return sum;
}

static double
permittivity_at(const DebyePoissonMembrane *membrane, double solvent, double z)
{
  const Layers layers = layers_of(membrane, solvent);
  int i = 0;
  while (z >= layers.end[i])
    i++;
  return layers.permittivity[i];
}

/* How much of a line along x or y is within the pore; `along` and `across` are from its axis. */
static double
within_pore(const DebyePoissonMembrane *membrane, double along, double across, double length)
{
  const double half2 = membrane->pore * membrane->pore - across * across;
  if (half2 <= 0.0)
    return 0.0;
  const double half = sqrt(half2);
  return fmax(0.0, fmin(along + length, half) - fmax(along, -half));
}

double
debye_poisson_membrane_resistance(const DebyePoissonMembrane *membrane, double solvent, DebyeVec3 at,
                                  int axis, double length)
{
  const double x = at.x - membrane->x, y = at.y - membrane->y;
  if (axis == 2) {
    const bool is_pore = x * x + y * y < membrane->pore * membrane->pore;
    return is_pore ? length / solvent
                   : debye_poisson_membrane_integrate(membrane, solvent, at.z, at.z + length);
  }
  const double pore = within_pore(membrane, axis == 0 ? x : y, axis == 0 ? y : x, length);
  return pore / solvent + (length - pore) / permittivity_at(membrane, solvent, at.z);
}

double
debye_poisson_membrane_admits(const DebyePoissonMembrane *membrane, double ion_radius, DebyeVec3 at,
                              double height)
{
  const double wall = membrane->pore - hypot(at.x - membrane->x, at.y - membrane->y);
  if (wall > 0.0) {
    const double off = fmax(0.0, fmax(membrane->low - at.z, at.z - membrane->high));
    return wall * wall + off * off >= ion_radius * ion_radius ? 1.0 : 0.0;
  }
  const double from = fmax(at.z - 0.5 * height, membrane->low - ion_radius);
  const double to = fmin(at.z + 0.5 * height, membrane->high + ion_radius);
  return 1.0 - fmax(0.0, to - from) / height;
}
