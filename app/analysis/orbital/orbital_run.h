/* SPDX-License-Identifier: MIT */
/* Computes maps of orbitals, or values at points. */
#pragma once

#include "orbital_plan.h"

/* Of this absolute size (atomic units) primitives are left out. */
#define DEBYE_ORBITAL_SCREEN 1e-8

DebyeResult *debye_orbital_run(gpointer plan, const DebyeRunInput *input, GError **error);
/* Values of all of the plan's maps at its points as a table, with notes on them in the result. NULL and no error: stopped. */
DebyeTable *debye_orbital_points_compute(const DebyeOrbitalPlan *plan, const volatile bool *cancel,
                                         DebyeResult *result, GError **error);

/* All orbitals: number, spin, symmetry, energy, occupation. */
DebyeTable *debye_orbital_notes_make_table(const DebyeOrbitalPlan *plan);
/* Norms, numbers of electrons, what was found out about the file. */
void debye_orbital_notes_add(const DebyeOrbitalPlan *plan, DebyeResult *result);
/* ∫ of a map over the grid in bohr. */
void debye_orbital_notes_add_integral(const DebyeOrbitalPlan *plan, const DebyeOrbitalMap *map,
                                      const float *values, DebyeResult *result);
