/* SPDX-License-Identifier: MIT */
/* The electrostatic potential of a wave function's nuclei and electrons, exactly: V(r) = Σ Z/|r − R| − ∫ρ(r')/|r − r'| in
 * hartree/e, positive where a positive charge is repelled. On all cores that kernels may use. */
#pragma once

#include "orbital_plan.h"

typedef struct _DebyeOrbitalElectrostatics DebyeOrbitalElectrostatics;

/* DEBYE_ERROR_MEMORY: the density matrix, or the products of Gaussians, don't fit into the plan's memory. DEBYE_ERROR_STOPPED.
 * DEBYE_ERROR_VALUE: the basis has what can't be. */
DebyeOrbitalElectrostatics *debye_orbital_electrostatics_new(const DebyeOrbitalPlan *plan,
                                                             const volatile bool *cancel, GError **error);
void debye_orbital_electrostatics_free(DebyeOrbitalElectrostatics *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeOrbitalElectrostatics, debye_orbital_electrostatics_free)

/* At a few thousand points, in bohr. INFINITY at a nucleus. */
void debye_orbital_electrostatics_compute(const DebyeOrbitalElectrostatics *self, gsize n, const double *x,
                                          const double *y, const double *z, double *values);
/* Planes [first, first + n_planes) of the values on the plan's grid; NAN at a nucleus. FALSE: stopped. `progress` may be
 * NULL. */
gboolean debye_orbital_electrostatics_fill(const DebyeOrbitalElectrostatics *self, gsize first_plane,
                                           gsize n_planes, const volatile bool *cancel,
                                           void (*progress)(gpointer data, double part), gpointer data,
                                           float *values);
/* A note on what was left out. */
void debye_orbital_electrostatics_tell(const DebyeOrbitalElectrostatics *self, DebyeResult *result);
