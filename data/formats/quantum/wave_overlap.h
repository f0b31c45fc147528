/* SPDX-License-Identifier: MIT */
/* Overlap integrals of Gaussians, and the real solid harmonics in powers of x, y and z. */
#pragma once

#include "wave_function.h"

/* The order of a shell's functions x^a y^b z^c: xx, xy, xz, yy, yz, zz. */
#define DEBYE_WAVE_MAX_CARTESIAN ((DEBYE_WAVE_MAX_L + 1) * (DEBYE_WAVE_MAX_L + 2) / 2)
gsize debye_wave_cartesian_index(int l, int a, int b, int c);

/* (2n − 1)!! */
double debye_wave_double_factorial(int n);
/* Of a primitive: N exp(−αr²) x^l has the norm (2l − 1)!!. */
double debye_wave_primitive_norm(int l, double exponent);

/* Real solid harmonic m = −l … l as Σ values · x^a y^b z^c, normalised as a function of norm 1 is whose primitives are
 * multiplied by debye_wave_primitive_norm(): Schlegel & Frisch, Int. J. Quantum Chem. 54, 83 (1995). */
void debye_wave_solid_harmonic(int l, int m, double values[DEBYE_WAVE_MAX_CARTESIAN]);
