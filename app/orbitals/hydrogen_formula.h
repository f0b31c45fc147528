/* SPDX-License-Identifier: MIT */
/* The exact orbitals of a hydrogen atom, which a file that has one names by its symmetry labels; called by orbital_texts.c. */
#pragma once

#include "data/formats/quantum/wave_function.h"

/* "ψ = z e⁻ʳᐟ² / (4√(2π))" in atomic units, for the labels 1s to 3dxy of a wave function of one hydrogen atom; NULL of others.
 * Source: L. Pauling & E. B. Wilson, Introduction to Quantum Mechanics (1935), table 21-4. */
const char *debye_hydrogen_formula(const DebyeWaveFunction *wave, guint orbital);
