/* SPDX-License-Identifier: MIT */
/* How the Debye formula of a plan is summed and what that costs; called by scattering_by_formula.c and, for
 * estimates, by scattering_cost.c. */
#pragma once

#include "app/analysis/scattering/system/scattering_plan.h"
#include "kernels/scattering/scattering_debye_lattice.h"
#include "kernels/scattering/scattering_debye_moments.h"

G_BEGIN_DECLS

/* Whether each pair of atoms is summed at every q; otherwise a lattice, or moments of distances in bins, give it. */
gboolean debye_scattering_formula_is_pair_by_pair(const DebyeScatteringPlan *plan, gsize n_q);
/* Whether a frame comes quicker from this lattice than from its distances, which the lattice has the reach of. */
gboolean debye_scattering_formula_suits_lattice(const DebyeScatteringPlan *plan, gsize n_q,
                                                const DebyeFormulaLattice *lattice);
/* Bins of the distances, up to `reach` Å, for which there is the memory that the plan may take. */
DebyeFormulaBins debye_scattering_formula_bins(const DebyeScatteringPlan *plan, gsize n_q, double reach,
                                               double q_max);
/* Seconds of a core per frame, by a body's usual size, in the way that is least work. */
double debye_scattering_formula_seconds(const DebyeScatteringPlan *plan);
/* The memory that a lattice or moments take, in bytes; 0 for sums pair by pair. */
guint64 debye_scattering_formula_bytes(const DebyeScatteringPlan *plan);

G_END_DECLS
