/* SPDX-License-Identifier: MIT */
/* What an atom adds to the coefficients of scattering_multipole.h, one copy for both back ends: each is the
 * sum over atoms of a radial part, which depends on q and on the order alone, and an angular part, which
 * doesn't depend on q and has the atom's weight. */
#pragma once

#include "data/geometry.h"
#include "kernels/special_functions.h"

typedef struct {
  unsigned order; /* L, at most DEBYE_BESSEL_MAX_ORDER */
  bool cylindrical;
  DebyeVec3 axis; /* of the cylinder, unit length */
  double axial;   /* k, 1/Å; |k| ≤ every q */
} DebyeMultipole;

/* Where the coefficients of an order are among all: first, first + step, …. */
typedef struct {
  size_t first, step;
  unsigned count;
} DebyeMultipoleOrder;

/* On the sphere those with m ≥ 0: −m adds the conjugate of m, for real weights. Round an axis −l and l. */
DEBYE_SHARED_MATH DebyeMultipoleOrder
debye_multipole_of_order(const DebyeMultipole *multipole, unsigned l)
{
  DebyeMultipoleOrder order = {debye_harmonic_index(l, 0), 1, l + 1};
  if (multipole->cylindrical) {
    order.first = multipole->order - l;
    order.step = 2 * (size_t)l;
    order.count = l > 0 ? 2 : 1;
  }
  return order;
}

/* Two unit vectors that make a frame with the axis. */
typedef struct {
  DebyeVec3 u, v;
} DebyeMultipoleAcross;

static inline DebyeMultipoleAcross
debye_multipole_across(const DebyeMultipole *multipole)
{
  DebyeMultipoleAcross across = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  if (!multipole->cylindrical)
    return across;
  const DebyeVec3 axis = multipole->axis;
  const DebyeVec3 other = fabs(axis.z) < 0.9 ? debye_vec3(0.0, 0.0, 1.0) : debye_vec3(1.0, 0.0, 0.0);
  across.u = debye_vec3_cross(other, axis);
  across.u = debye_vec3_scale(across.u, 1.0 / debye_vec3_length(across.u));
  across.v = debye_vec3_cross(axis, across.u);
  return across;
}

/* w Y_lm*(r). The angles of the center itself don't matter: only l = 0 is not zero there. */
DEBYE_SHARED_MATH double
debye_multipole_sphere(unsigned order, double weight, double x, double y, double z, double *re, double *im,
                       size_t stride)
{
  const double across = hypot(x, y), length = hypot(across, z);
  const double cosine = length > 0.0 ? z / length : 1.0, sine = length > 0.0 ? across / length : 0.0;
  const double angle = across > 0.0 ? atan2(y, x) : 0.0;
  debye_legendre(order, cosine, sine, re, stride);
  for (unsigned m = 0; m <= order; m++) {
    const double c = weight * cos(m * angle), s = -weight * sin(m * angle);
    for (unsigned l = m; l <= order; l++) {
      const size_t k = debye_harmonic_index(l, m) * stride;
      im[k] = s * re[k];
      re[k] = c * re[k];
    }
  }
  return length;
}

/* w exp(ikz) exp(−imφ), of x and y across the axis and z along it; J_−m = (−1)^m J_m. */
DEBYE_SHARED_MATH double
debye_multipole_cylinder(unsigned order, double axial, double weight, double x, double y, double z,
                         double *re, double *im, size_t stride)
{
  const double angle = x != 0.0 || y != 0.0 ? atan2(y, x) : 0.0;
  for (int m = -(int)order; m <= (int)order; m++) {
    const double sign = m < 0 && m % 2 != 0 ? -weight : weight, phase = axial * z - m * angle;
    re[(size_t)(m + (int)order) * stride] = sign * cos(phase);
    im[(size_t)(m + (int)order) * stride] = sign * sin(phase);
  }
  return hypot(x, y);
}

/* The angular parts of an atom at (x, y, z) from the center; returns its distance from the center or from the
 * axis. */
DEBYE_SHARED_MATH double
debye_multipole_angles(const DebyeMultipole *multipole, const DebyeMultipoleAcross *across, double weight,
                       double x, double y, double z, double *re, double *im, size_t stride)
{
  if (!multipole->cylindrical)
    return debye_multipole_sphere(multipole->order, weight, x, y, z, re, im, stride);
  const DebyeVec3 u = across->u, v = across->v, axis = multipole->axis;
  return debye_multipole_cylinder(multipole->order, multipole->axial, weight, u.x * x + u.y * y + u.z * z,
                                  v.x * x + v.y * y + v.z * z, axis.x * x + axis.y * y + axis.z * z, re, im,
                                  stride);
}

/* The radial parts of all orders. */
DEBYE_SHARED_MATH void
debye_multipole_radial(const DebyeMultipole *multipole, double q, double distance, double *radial,
                       size_t stride)
{
  if (multipole->cylindrical)
    debye_cylindrical_bessel(multipole->order,
                             sqrt(fmax(0.0, q * q - multipole->axial * multipole->axial)) * distance, radial,
                             stride);
  else
    debye_spherical_bessel(multipole->order, q * distance, radial, stride);
}
