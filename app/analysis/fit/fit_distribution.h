/* SPDX-License-Identifier: MIT */
/* The distance distribution P(r) of a particle from its scattering:
 * I(q) = 4π ∫ P(r) sin(qr)/(qr) dr from 0 to D, P(0) = P(D) = 0.
 *
 * P at DEBYE_FIT_DISTANCES inner points makes χ²/2 + α/2 Σ (P[j−1] − 2P[j] + P[j+1])² least (the smoothness of
 * Svergun 1992, J. Appl. Cryst. 25, 495). The weight α and the greatest distance D are the most probable ones
 * by the evidence (Hansen 2000, J. Appl. Cryst. 33, 1415): ln E = N/2 ln α + ½ ln det K − ½ ln det(B + αK) −
 * χ²/2 − α/2 PᵀKP with B of the points and K of the smoothness. */
#pragma once

#include "fit_points.h"

#define DEBYE_FIT_DISTANCES 80

typedef struct {
  double r[DEBYE_FIT_DISTANCES + 2];                                 /* Å, both ends included */
  double p[DEBYE_FIT_DISTANCES + 2], error[DEBYE_FIT_DISTANCES + 2]; /* the curve's unit · Å⁻¹ */
  double *intensity;               /* at each of the points, blurred as they are */
  double greatest, greatest_error; /* D, Å; the error by the evidence of other D, 0 where D was given */
  double radius, radius_error;     /* Rg² = ∫ r² P dr / (2 ∫ P dr), Å */
  double zero, zero_error;         /* I(0) */
  double weight;                   /* α */
  double chi_square;               /* per point; NAN: errors aren't known */
  gboolean has_errors;             /* FALSE: 1 % of each intensity was taken */
} DebyeDistanceFit;

/* `guess`: about Rg, Å. `greatest`: D, or NAN: found between 1.5 and 8 times the guess. FALSE with an error where there
 * are too few or too many points, or where what fits best is no number or has no I(0) above 0. */
gboolean debye_fit_distances(const DebyeFitPoints *points, double guess, double greatest,
                             DebyeDistanceFit *fit, GError **error);
void debye_distance_fit_clear(DebyeDistanceFit *fit);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeDistanceFit, debye_distance_fit_clear)
