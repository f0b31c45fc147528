/* SPDX-License-Identifier: MIT */
/* The resolution of an instrument, for scattering_spectrum.c: a Gaussian, a Lorentzian, or the measured line
 * of a sample that scatters elastically. A convolution in energy is a product in time, which is how it is
 * applied. */
#pragma once

#include <complex.h>

#include "data/results/curve.h"

#define DEBYE_HBAR 0.6582119569509066    /* meV ps, CODATA 2018 */
#define DEBYE_BOLTZMANN 0.08617333262145 /* meV/K */

typedef enum {
  DEBYE_RESOLUTION_NONE,
  DEBYE_RESOLUTION_GAUSSIAN,
  DEBYE_RESOLUTION_LORENTZIAN,
  DEBYE_RESOLUTION_MEASURED,
} DebyeResolutionKind;

typedef struct {
  DebyeResolutionKind kind;
  double width;         /* meV, full at half maximum */
  DebyeCurve *measured; /* intensity over meV, x ascending; not normalised */
} DebyeResolution;

/* "none", "gaussian:FWHM", "lorentzian:FWHM", "file:FILE"; the file's energies are in meV unless it says µeV
 * or eV. DEBYE_ERROR_SETTING, or what is wrong with the file. */
gboolean debye_resolution_parse(DebyeResolution *resolution, const char *text, GError **error);
void debye_resolution_clear(DebyeResolution *resolution);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeResolution, debye_resolution_clear)

/* R(τ) = ∫R(E) exp(iEτ/ħ)dE / ∫R(E)dE at τ ps; what was measured is a straight line from point to point. */
double complex debye_resolution_transform(const DebyeResolution *resolution, double time);
