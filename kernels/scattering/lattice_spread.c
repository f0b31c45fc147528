/* SPDX-License-Identifier: MIT */
/* Chooses the width and mesh of the spreading kernel and gives its transform; called by both back ends. */
#include "lattice_spread.h"

#include "kernels/fourier_settings.h"

#define PI 3.14159265358979323846
#define NODES 64

DebyeLatticeSpread
debye_lattice_spread(const DebyeLatticeSettings *settings)
{
  DebyeLatticeSpread spread = {.double_precision = settings->tolerance < DEBYE_LATTICE_LEAST_FLOAT};
  /* One axis errs by 10^(1 − w); there are three. */
  const int width = 1 + (int)ceil(log10(3.0 / settings->tolerance));
  spread.width = width < 3 ? 3 : width > DEBYE_LATTICE_MAX_WIDTH ? DEBYE_LATTICE_MAX_WIDTH : (unsigned)width;
  spread.beta = 2.3 * (double)spread.width;
  for (int axis = 0; axis < 3; axis++) {
    size_t length = 2 * (2 * (size_t)settings->extent[axis] + 1);
    if (length < 2 * (size_t)spread.width)
      length = 2 * (size_t)spread.width;
    spread.mesh[axis] = debye_fourier_good_length(length);
  }
  return spread;
}

DebyeLatticeTurn
debye_lattice_turn(const DebyeLatticeSpread *spread, const DebyeCell *cell)
{
  const double volume = debye_cell_volume(cell);
  const DebyeVec3 reciprocal[3] = {debye_vec3_cross(cell->b, cell->c), debye_vec3_cross(cell->c, cell->a),
                                   debye_vec3_cross(cell->a, cell->b)};
  DebyeLatticeTurn turn;
  for (int axis = 0; axis < 3; axis++) {
    const double scale = (double)spread->mesh[axis] / volume;
    turn.row[axis][0] = reciprocal[axis].x * scale;
    turn.row[axis][1] = reciprocal[axis].y * scale;
    turn.row[axis][2] = reciprocal[axis].z * scale;
  }
  return turn;
}

/* Nodes and weights of Gauss and Legendre on −1 to 1, by Newton's method. */
static void
gauss_legendre(double node[NODES], double weight[NODES])
{
  for (int i = 0; i < NODES; i++) {
    double x = cos(PI * (i + 0.75) / (NODES + 0.5)), slope = 1.0;
    for (int step = 0; step < 20; step++) {
      double value = x, before = 1.0;
      for (int n = 2; n <= NODES; n++) {
        const double next = ((2 * n - 1) * x * value - (n - 1) * before) / n;
        before = value;
        value = next;
      }
      slope = NODES * (x * value - before) / (x * x - 1.0);
      x -= value / slope;
    }
    node[i] = x;
    weight[i] = 2.0 / ((1.0 - x * x) * slope * slope);
  }
}

void
debye_lattice_factors(const DebyeLatticeSpread *spread, int axis, unsigned extent, double *factor)
{
  double node[NODES], weight[NODES];
  gauss_legendre(node, weight);
  /* x = w/2·sin θ makes the kernel smooth to its ends. */
  const double half = 0.5 * (double)spread->width;
  for (int i = 0; i < NODES; i++) {
    const double angle = 0.5 * PI * node[i];
    node[i] = half * sin(angle);
    weight[i] *= 0.5 * PI * half * cos(angle) * exp(spread->beta * (cos(angle) - 1.0));
  }
  for (size_t index = 0; index <= 2 * (size_t)extent; index++) {
    const double wave = 2.0 * PI * ((double)index - (double)extent) / (double)spread->mesh[axis];
    double transform = 0.0;
    for (int i = 0; i < NODES; i++)
      transform += weight[i] * cos(wave * node[i]);
    factor[index] = 1.0 / transform;
  }
}
