/* SPDX-License-Identifier: MIT */
/* What a run of scattering costs, from its plan, for the estimate of its
 * time and memory. */
#pragma once

#include "app/analysis/scattering/intensity/scattering_formula_cost.h"

/* Seconds of the devices, whose scores add up to `speed` Coulomb pairs a second, with these accelerators among them, and of the
 * CPU's threads for the work that is theirs on any devices. */
double debye_scattering_cost_seconds(const DebyeScatteringPlan *plan, const DebyeFormulaBasis *basis,
                                     double speed, double n_threads);
/* How often the frames are read: in time the series of vectors, and the courses of atoms, are in memory part
 * by part. */
gsize debye_scattering_cost_passes(const DebyeScatteringPlan *plan);
/* On the host: amplitudes and sums, and in time what of the series and the courses is there at once, with the
 * rows that come of them. */
guint64 debye_scattering_cost_bytes(const DebyeScatteringPlan *plan, const DebyeFormulaBasis *basis);
