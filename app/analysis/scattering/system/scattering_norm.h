/* SPDX-License-Identifier: MIT */
/* Normalises a sum over atoms as it is published: per atom, per squared weight, absolute, Faber-Ziman. The
 * results of intensity/ and time/ call it.
 *
 * Faber-Ziman: S(q) = 1 + (I(q)/N − ⟨|b|²⟩)/|⟨b⟩|², means over atoms, so that S → 1 at large q (T. E. Faber,
 * J. M. Ziman, Phil. Mag. 11 (1965) 153). Absolute: dΣ/dΩ = ⟨I(q)⟩/⟨V⟩ (frames are pieces of one sample:
 * their intensities add, and so do their volumes), of X-rays times the squared classical electron radius;
 * 1 fm²/Å³ is 0.01 cm⁻¹. */
#pragma once

#include "data/results/quantity.h"
#include "scattering_plan.h"

/* normalised = raw·factor + offset, at a q. */
typedef struct {
  double factor, offset;
} DebyeScatteringScale;

/* `volume` in Å³: that of the plan where it has one, else the mean of the frames. `x` is the fraction of
 * deuterium of the exchangeable hydrogens; NAN: as the species say. */
DebyeScatteringScale debye_scattering_scale(const DebyeScatteringPlan *plan, DebyeScatteringPart part,
                                            double volume, double x, double q);

/* Σ N σ_inc/4π over the species: fm². */
double debye_scattering_incoherent_sum(const DebyeScatterers *scatterers, double x);

/* "intensity", "I(q)" in the normalisation's unit. */
DebyeQuantity debye_scattering_quantity(const DebyeScatteringPlan *plan);
/* One sentence on it. */
const char *debye_scattering_norm_explain(const DebyeScatteringPlan *plan);
