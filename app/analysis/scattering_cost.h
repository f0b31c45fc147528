/* SPDX-License-Identifier: MIT */
/* What a run of scattering costs, from its plan: for the estimate of its time. */
#pragma once

#include "scattering_plan.h"

G_BEGIN_DECLS

/* Work on the devices, in the Coulomb pairs that their scores are given in. `in_time`: F(q, τ), else I(q). */
double debye_scattering_cost_pairs(const DebyeScatteringPlan *plan, gboolean in_time);
/* How often the frames are read: in time the series of vectors, and the courses of atoms, are in memory part
 * by part. */
gsize debye_scattering_cost_passes(const DebyeScatteringPlan *plan, gboolean in_time);
/* On the host: amplitudes and sums, and in time what of the series and the courses is there at once. */
guint64 debye_scattering_cost_bytes(const DebyeScatteringPlan *plan, gboolean in_time);

G_END_DECLS
