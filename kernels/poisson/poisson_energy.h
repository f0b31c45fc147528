/* SPDX-License-Identifier: MIT */
/* Energies of charges in an electrolyte beside the reaction field's. */
#pragma once

#include "poisson_medium.h"

/* Coulomb's energy Σ_{i<j} zᵢzⱼ/d in e²/Å, times l₀/ε in kT, by a tree of charges to 2e-7 of Σ |zᵢzⱼ|/d. Charges at one place
 * count nothing for each other. NO_MEMORY. */
DebyeStatusCode debye_poisson_coulomb_energy(const DebyeSpheres *spheres, const float *charges,
                                             double *energy, DebyeStatus *status);
/* Coulomb's potential Σ_{j≠i} zⱼ/d at each charge, e/Å, likewise; an atom without charge has one, too. NO_MEMORY. */
DebyeStatusCode debye_poisson_coulomb_potential(const DebyeSpheres *spheres, const float *charges,
                                                double *potential, DebyeStatus *status);
/* What the nonlinear equation's solution adds to ½ Σ zφ, in kT: ∫ λ Σ c_j [−½ z_jφ exp(−z_jφ) − (exp(−z_jφ) − 1)] dV
 * (K. A. Sharp & B. Honig, J. Phys. Chem. 94 (1990) 7684). Of an equation that is solved. NO_MEMORY. */
DebyeStatusCode debye_poisson_ions_energy(const DebyePoissonMedium *medium, const DebyePoissonSalt *salt,
                                          const DebyePoissonEquation *equation, double *energy,
                                          DebyeStatus *status);
