/* SPDX-License-Identifier: MIT */
/* Sums over layers and wires, brute force. */
#include "oracle_partly_periodic.h"

#define PI 3.14159265358979323846
/* erfc(x) and exp(−x²) are below 1e-15 beyond it. */
#define REACH 6.0

typedef struct {
  DebyeVec3 edge[2], wave[2], normal; /* wave: reciprocal edges, 2π in them */
  double area, beta, core;
} Layer;

static Layer
make_layer(const DebyeCell *cell, unsigned periodic, double core)
{
  const DebyeVec3 edges[3] = {cell->a, cell->b, cell->c};
  Layer layer = {.core = core};
  int n = 0;
  for (int axis = 0; axis < 3; axis++)
    if (periodic >> axis & 1u)
      layer.edge[n++] = edges[axis];
  const DebyeVec3 cross = debye_vec3_cross(layer.edge[0], layer.edge[1]);
  layer.area = debye_vec3_length(cross);
  layer.normal = debye_vec3_scale(cross, 1.0 / layer.area);
  layer.wave[0] = debye_vec3_scale(debye_vec3_cross(layer.edge[1], layer.normal), 2.0 * PI / layer.area);
  layer.wave[1] = debye_vec3_scale(debye_vec3_cross(layer.normal, layer.edge[0]), 2.0 * PI / layer.area);
  layer.beta = sqrt(PI / layer.area);
  return layer;
}

/* erfc(βd)/d outside of the core; within, what makes 1/core of it together with the smooth part. */
static double
near_part(double d, double beta, double core)
{
  if (d >= core)
    return erfc(beta * d) / d;
  return 1.0 / core - (d > 1e-9 ? erf(beta * d) / d : 2.0 * beta / sqrt(PI));
}

/* e^(kz)·erfc(k/2β + βz) without overflow. */
static double
damped(double k, double z, double beta)
{
  const double x = k / (2.0 * beta) + beta * z;
  if (x > 20.0)
    return 0.0;
  const double value = erfc(x);
  return value > 0.0 ? exp(k * z + log(value)) : 0.0;
}

static double
layer_waves(const Layer *layer, DebyeVec3 r)
{
  const double z = debye_vec3_dot(r, layer->normal), beta = layer->beta;
  const double limit = 2.0 * beta * REACH;
  double sum =
      -2.0 * sqrt(PI) / layer->area * (exp(-beta * beta * z * z) / beta + sqrt(PI) * z * erf(beta * z));
  /* m·wave is below the limit only where its product with either edge is. */
  const int n0 = (int)(limit * debye_vec3_length(layer->edge[0]) / (2.0 * PI)) + 1;
  const int n1 = (int)(limit * debye_vec3_length(layer->edge[1]) / (2.0 * PI)) + 1;
  for (int i = -n0; i <= n0; i++)
    for (int j = -n1; j <= n1; j++) {
      const DebyeVec3 k =
          debye_vec3_add(debye_vec3_scale(layer->wave[0], i), debye_vec3_scale(layer->wave[1], j));
      const double length = debye_vec3_length(k);
      if ((i != 0 || j != 0) && length < limit)
        sum += PI / layer->area * cos(debye_vec3_dot(k, r)) / length *
               (damped(length, z, beta) + damped(length, -z, beta));
    }
  return sum;
}

static double
layer_images(const Layer *layer, DebyeVec3 r)
{
  const double reach = REACH / layer->beta;
  double sum = 0.0;
  int first[2], last[2];
  for (int i = 0; i < 2; i++) {
    const double at = debye_vec3_dot(layer->wave[i], r) / (2.0 * PI);
    const double width = reach * debye_vec3_length(layer->wave[i]) / (2.0 * PI);
    first[i] = (int)floor(-at - width);
    last[i] = (int)ceil(-at + width);
  }
  for (int i = first[0]; i <= last[0]; i++)
    for (int j = first[1]; j <= last[1]; j++) {
      DebyeVec3 image = debye_vec3_add(r, debye_vec3_scale(layer->edge[0], i));
      image = debye_vec3_add(image, debye_vec3_scale(layer->edge[1], j));
      const double d = debye_vec3_length(image);
      if (d < reach)
        sum += near_part(d, layer->beta, layer->core);
    }
  return sum;
}

static DebyeVec3
atom_position(const DebyeCharges *charges, size_t i)
{
  return debye_vec3((double)charges->x[i], (double)charges->y[i], (double)charges->z[i]);
}

double
debye_oracle_layer(const DebyeCharges *charges, const DebyeCell *cell, unsigned periodic, double core_radius,
                   DebyeVec3 point)
{
  const Layer layer = make_layer(cell, periodic, core_radius);
  double sum = 0.0;
  for (size_t i = 0; i < charges->n; i++) {
    const DebyeVec3 r = debye_vec3_subtract(atom_position(charges, i), point);
    sum += (double)charges->charge[i] * (layer_waves(&layer, r) + layer_images(&layer, r));
  }
  return sum;
}

/* Σ over |n| ≤ N of 1/√(ρ² + (z + nL)²), and on each side the integral from N + ½ to X with the first
 * correction of a sum's step: [ln 2X − ln(z + √(ρ² + z²))]/L. Less 2 ln(2X)/L, which neutral systems don't
 * see, that leaves −2 ln(ρ)/L far away. */
static double
wire_images(double rho2, double z, double length, double core)
{
  const int n = 120; /* leaves 1e-10/L */
  double sum = 0.0;
  z -= length * rint(z / length);
  for (int i = -n; i <= n; i++) {
    const double d = sqrt(rho2 + (z + i * length) * (z + i * length));
    sum += 1.0 / (d < core ? core : d);
  }
  for (int side = -1; side <= 1; side += 2) {
    const double end = (n + 0.5) * length + side * z, d = sqrt(rho2 + end * end);
    sum -= log(end + d) / length + end * length / (24.0 * d * d * d);
  }
  return sum;
}

double
debye_oracle_wire(const DebyeCharges *charges, const DebyeCell *cell, unsigned periodic, double core_radius,
                  DebyeVec3 point)
{
  const DebyeVec3 edge = periodic == DEBYE_PERIODIC_A   ? cell->a
                         : periodic == DEBYE_PERIODIC_B ? cell->b
                                                        : cell->c;
  const double length = debye_vec3_length(edge);
  double sum = 0.0;
  for (size_t i = 0; i < charges->n; i++) {
    const DebyeVec3 r = debye_vec3_subtract(atom_position(charges, i), point);
    const double z = debye_vec3_dot(r, edge) / length;
    const double rho2 = fmax(debye_vec3_dot(r, r) - z * z, 0.0);
    sum += (double)charges->charge[i] * wire_images(rho2, z, length, core_radius);
  }
  return sum;
}
