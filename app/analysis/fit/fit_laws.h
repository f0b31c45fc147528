/* SPDX-License-Identifier: MIT */
/* The laws of small angles, fitted to points: Guinier's, a power's and Porod's. Each is fitted as a straight
 * line with the errors of the points; where the points have a resolution, a law is compared after it was
 * blurred with that. Errors are sentences without the curve's name. */
#pragma once

#include "fit_points.h"

/* Guinier & Fournet (1955): ln I = ln I(0) − q²Rg²/3, for globules up to q·Rg = 1.3. */
#define DEBYE_GUINIER_LIMIT 1.3
#define DEBYE_FIT_LEAST_POINTS 5

typedef struct {
  DebyeFitRange range;         /* of the points that were used, Å⁻¹ */
  gsize n;                     /* of them */
  double radius, radius_error; /* Rg, Å */
  double zero, zero_error;     /* I(0), in the curve's unit */
  double chi_square;           /* per degree of freedom; NAN: errors aren't known */
} DebyeGuinierFit;

/* `range` NULL: found. The range then begins at the first point (where errors are known, those that lie more than 3 σ and
 * 2 % off the line of the ones behind them are left out) and ends at q·Rg = 1.3, by iteration. FALSE with an error where
 * there are fewer than five points, or I doesn't fall. */
gboolean debye_fit_guinier(const DebyeFitPoints *points, const DebyeFitRange *range, DebyeGuinierFit *fit,
                           GError **error);

/* I = A·q^−d. */
typedef struct {
  DebyeFitRange range;
  gsize n;
  double exponent, exponent_error; /* d */
  double factor;                   /* A */
  double chi_square;
} DebyePowerFit;

gboolean debye_fit_power(const DebyeFitPoints *points, const DebyeFitRange *range, DebyePowerFit *fit,
                         GError **error);

/* Porod (1951): I = K/q⁴ + b at large q, b ≥ 0. Invariant Q = ∫ q² (I − b) dq from 0 to ∞, below
 * the points by Guinier's law and beyond them by Porod's; the volume of a particle of uniform
 * density is 2π² (I(0) − b)/Q, its surface over its volume π K/Q. */
typedef struct {
  DebyeFitRange range;
  gsize n;
  double constant, constant_error; /* K, the curve's unit · Å⁻⁴ */
  double background;               /* b */
  double invariant;                /* Q, the curve's unit · Å⁻³ */
  double volume, volume_error;     /* Å³ */
  double surface_per_volume;       /* Å⁻¹; NAN where K isn't positive */
  double chi_square;
} DebyePorodFit;

/* `range` NULL: the upper third of the q that there are. */
gboolean debye_fit_porod(const DebyeFitPoints *points, const DebyeFitRange *range,
                         const DebyeGuinierFit *guinier, DebyePorodFit *fit, GError **error);
