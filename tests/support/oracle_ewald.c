/* SPDX-License-Identifier: MIT */
/* Ewald's sums, brute force. */
#include "oracle_ewald.h"

#include <stdlib.h>

#define PI 3.14159265358979323846264338327950288L
/* erfc(x) and exp(−x²) are below 3e-14 beyond it; no test asks for less than 1e-10. */
#define REACH 5.6L
/* By how much more of the potential the modes give than if both sums had as many terms at a point: a term of the modes is
 * shared by all charges, and one of the images by none. Of 1,500 charges at 200 points a seventh of the terms is left. */
#define SHARPER 2.0L

typedef struct {
  DebyeVec3 wave; /* of the reciprocal lattice, 1/Å */
  long double factor, real, imaginary;
} Mode;

struct DebyeOracleEwald {
  const DebyeCharges *charges;
  DebyeVec3 edge[3], inverse[3];
  long double beta, core, volume, constant;
  bool whole;
  Mode *modes;
  size_t n_modes;
};

static long double
dot(DebyeVec3 u, long double x, long double y, long double z)
{
  return u.x * x + u.y * y + u.z * z;
}

static DebyeVec3
get_wave(const DebyeOracleEwald *oracle, const int m[3])
{
  const DebyeVec3 *r = oracle->inverse;
  return debye_vec3(m[0] * r[0].x + m[1] * r[1].x + m[2] * r[2].x,
                    m[0] * r[0].y + m[1] * r[1].y + m[2] * r[2].y,
                    m[0] * r[0].z + m[1] * r[1].z + m[2] * r[2].z);
}

/* Of a box of modes half lie in its corners. */
static bool
is_within(const DebyeOracleEwald *oracle, const int m[3], long double reach)
{
  return debye_vec3_length(get_wave(oracle, m)) <= reach;
}

/* Structure factor and Gaussian of a mode. */
static Mode
make_mode(const DebyeOracleEwald *oracle, const int m[3])
{
  Mode mode = {.wave = get_wave(oracle, m)};
  const long double square = dot(mode.wave, mode.wave.x, mode.wave.y, mode.wave.z);
  const DebyeCharges *charges = oracle->charges;
  mode.factor = expl(-PI * PI * square / (oracle->beta * oracle->beta)) / (PI * oracle->volume * square);
  for (size_t i = 0; i < charges->n; i++) {
    long double angle = 2.0L * PI * dot(mode.wave, charges->x[i], charges->y[i], charges->z[i]);
    mode.real += charges->charge[i] * cosl(angle);
    mode.imaginary += charges->charge[i] * sinl(angle);
  }
  return mode;
}

/* Modes within the Gaussian's reach, one of each pair m, −m. */
static void
make_modes(DebyeOracleEwald *oracle)
{
  const long double reach = REACH * oracle->beta / PI;
  int n[3], m[3];
  size_t room = 1;
  for (int axis = 0; axis < 3; axis++) {
    n[axis] = (int)(reach * debye_vec3_length(oracle->edge[axis])) + 1;
    room *= 2 * (size_t)n[axis] + 1;
  }
  oracle->modes = calloc(room, sizeof *oracle->modes);
  if (oracle->modes == NULL)
    abort();
  for (m[0] = 0; m[0] <= n[0]; m[0]++)
    for (m[1] = -n[1]; m[1] <= n[1]; m[1]++)
      for (m[2] = -n[2]; m[2] <= n[2]; m[2]++) {
        bool first_of_pair = m[0] > 0 || m[1] > 0 || (m[1] == 0 && m[2] > 0);
        if (first_of_pair && is_within(oracle, m, reach))
          oracle->modes[oracle->n_modes++] = make_mode(oracle, m);
      }
}

DebyeOracleEwald *
debye_oracle_ewald_new(const DebyeCharges *charges, const DebyeCell *cell, double core_radius, double width)
{
  DebyeOracleEwald *oracle = calloc(1, sizeof *oracle);
  if (oracle == NULL)
    abort();
  const DebyeVec3 edges[3] = {cell->a, cell->b, cell->c};
  const double volume = debye_cell_volume(cell);
  long double total = 0.0L;
  oracle->charges = charges;
  oracle->core = core_radius;
  oracle->volume = fabs(volume);
  oracle->whole = width == 0.0;
  oracle->beta = oracle->whole ? SHARPER * sqrtl(PI) / cbrtl(oracle->volume) : 1.0L / (sqrtl(2.0L) * width);
  for (int axis = 0; axis < 3; axis++) {
    oracle->edge[axis] = edges[axis];
    oracle->inverse[axis] =
        debye_vec3_scale(debye_vec3_cross(edges[(axis + 1) % 3], edges[(axis + 2) % 3]), 1.0 / volume);
  }
  for (size_t i = 0; i < charges->n; i++)
    total += charges->charge[i];
  oracle->constant = oracle->whole ? -PI * total / (oracle->volume * oracle->beta * oracle->beta) : 0.0L;
  make_modes(oracle);
  return oracle;
}

void
debye_oracle_ewald_free(DebyeOracleEwald *oracle)
{
  free(oracle->modes);
  free(oracle);
}

/* erfc(βd)/d outside of the core, to the last digits of a double; within, what makes 1/core of it together with the smooth
 * part. */
static long double
near_part(const DebyeOracleEwald *oracle, long double d)
{
  if (d >= oracle->core)
    return erfc((double)(oracle->beta * d)) / d;
  long double smooth = d > 1e-9L ? erfl(oracle->beta * d) / d : 2.0L * oracle->beta / sqrtl(PI);
  return 1.0L / oracle->core - smooth;
}

/* Σ over the images of one atom within reach of a point that is (x, y, z) away. */
static long double
sum_images(const DebyeOracleEwald *oracle, long double x, long double y, long double z)
{
  const long double reach = REACH / oracle->beta;
  const DebyeVec3 *edge = oracle->edge;
  int first[3], last[3];
  long double sum = 0.0L;
  for (int axis = 0; axis < 3; axis++) {
    long double at = dot(oracle->inverse[axis], x, y, z);
    long double width = reach * debye_vec3_length(oracle->inverse[axis]);
    first[axis] = (int)floorl(-at - width);
    last[axis] = (int)ceill(-at + width);
  }
  for (int i = first[0]; i <= last[0]; i++)
    for (int j = first[1]; j <= last[1]; j++)
      for (int k = first[2]; k <= last[2]; k++) {
        long double dx =
            x + (long double)i * edge[0].x + (long double)j * edge[1].x + (long double)k * edge[2].x;
        long double dy =
            y + (long double)i * edge[0].y + (long double)j * edge[1].y + (long double)k * edge[2].y;
        long double dz =
            z + (long double)i * edge[0].z + (long double)j * edge[1].z + (long double)k * edge[2].z;
        long double d2 = dx * dx + dy * dy + dz * dz;
        if (d2 < reach * reach)
          sum += near_part(oracle, sqrtl(d2));
      }
  return sum;
}

double
debye_oracle_ewald_value(const DebyeOracleEwald *oracle, DebyeVec3 point)
{
  const DebyeCharges *charges = oracle->charges;
  long double sum = oracle->constant;
  for (size_t i = 0; i < oracle->n_modes; i++) {
    const Mode *mode = &oracle->modes[i];
    long double angle = 2.0L * PI * dot(mode->wave, point.x, point.y, point.z);
    sum += 2.0L * mode->factor * (mode->real * cosl(angle) + mode->imaginary * sinl(angle));
  }
  for (size_t i = 0; oracle->whole && i < charges->n; i++)
    sum += charges->charge[i] * sum_images(oracle, (long double)charges->x[i] - point.x,
                                           (long double)charges->y[i] - point.y,
                                           (long double)charges->z[i] - point.z);
  return (double)sum;
}
