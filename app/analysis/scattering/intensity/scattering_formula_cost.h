/* SPDX-License-Identifier: MIT */
/* How the Debye formula of a plan is summed and what that costs; called by scattering_by_formula.c and, for
 * estimates, by scattering_cost.c. */
#pragma once

#include "app/analysis/scattering/system/scattering_plan.h"
#include "kernels/scattering/scattering_debye_lattice.h"

G_BEGIN_DECLS

/* Whether each pair of atoms is summed at every q; otherwise distances are counted first. */
gboolean debye_scattering_formula_is_pair_by_pair(const DebyeScatteringPlan *plan, gsize n_q);
/* How many frames' counts are transformed together. */
gsize debye_scattering_formula_frames_at_once(const DebyeScatteringPlan *plan);
/* Bins that distances up to `reach` Å are counted in, for the plan's tolerance up to q_max Å⁻¹. */
gsize debye_scattering_formula_count_bins(const DebyeScatteringPlan *plan, double reach, double q_max);
/* Whether a frame comes quicker from this lattice than from its distances, which the lattice has the reach of. */
gboolean debye_scattering_formula_suits_lattice(const DebyeScatteringPlan *plan, gsize n_q,
                                                const DebyeFormulaLattice *lattice);
/* Seconds of a core per frame that comes from a lattice, by a body's usual size; INFINITY where none will. */
double debye_scattering_formula_lattice_seconds(const DebyeScatteringPlan *plan);
/* The memory that it takes, in bytes; 0 if no lattice suits. */
guint64 debye_scattering_formula_lattice_bytes(const DebyeScatteringPlan *plan);
/* What the CPU does per frame beside counting pairs, in terms sin(qr)/(qr). */
double debye_scattering_formula_count_terms(const DebyeScatteringPlan *plan);

G_END_DECLS
