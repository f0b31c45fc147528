/* SPDX-License-Identifier: MIT */
/* How the Debye formula of a plan is summed and what that costs; called by scattering_by_formula.c and, for
 * estimates, by scattering_cost.c. */
#pragma once

#include "app/analysis/driver/device_choice.h"
#include "app/analysis/driver/ranks.h"
#include "app/analysis/scattering/system/scattering_plan.h"
#include "kernels/scattering/scattering_debye_lattice.h"
#include "kernels/cpu/scattering/scattering_debye_moments.h"

/* Whether the coherent part is the Debye formula. */
gboolean debye_scattering_takes_formula(const DebyeScatteringPlan *plan);

/* What the choice goes by: devices beside the processor, which may take the lattice, and the body's size. The lattice and the
 * moments agree within the tolerance, not within rounding: of several processes all have the same basis. */
typedef struct {
  double speed;     /* Coulomb pairs a second, as their scores add up; 0: there are none */
  double memory;    /* bytes, of the one that has least */
  double n_threads; /* of the processor */
  /* Å: no distance in the first frame is larger; of a body of the usual size where that isn't known. */
  double reach;
  /* Of the first lattice, whichever frame asks for it; 0 where the first frame's isn't known. */
  double least_reach;
} DebyeFormulaBasis;

/* The diameter of a ball about all atoms: no distance is larger. INFINITY where one can't be used. */
double debye_scattering_formula_reach(const DebyeFrame *frame, const guint32 *atoms, gsize n_atoms);
/* Of several processes the least of what each has: a way that one is not able to go is none. All of them call it then; NULL:
 * this one alone. */
DebyeFormulaBasis debye_scattering_formula_basis(const DebyeScatteringPlan *plan,
                                                 const DebyeDeviceEntry *const *devices, gsize n_devices,
                                                 const DebyeRanks *ranks);

/* Whether each pair of atoms is summed at every q; otherwise a lattice, or moments of distances in bins, give it. */
gboolean debye_scattering_formula_is_pair_by_pair(const DebyeScatteringPlan *plan, gsize n_q);
/* Whether a frame comes quicker from this lattice than from its distances, which the lattice has the reach of. */
gboolean debye_scattering_formula_suits_lattice(const DebyeScatteringPlan *plan, gsize n_q,
                                                const DebyeFormulaBasis *basis,
                                                const DebyeFormulaLattice *lattice);
/* Whether the processor, too, has the memory for it. */
gboolean debye_scattering_formula_fits_processor(const DebyeScatteringPlan *plan, gsize n_q,
                                                 const DebyeFormulaLattice *lattice);
/* Whether accelerators help with the plan. They don't where neither way is theirs, nor, unless a device is asked for by its
 * name, where the processor has finished before an accelerator would have started. */
gboolean debye_scattering_formula_wants(const DebyeScatteringPlan *plan, const DebyeFormulaBasis *basis);
/* Bins of the distances, up to `reach` Å, for which there is the memory that the plan may take. */
DebyeFormulaBins debye_scattering_formula_bins(const DebyeScatteringPlan *plan, gsize n_q, double reach,
                                               double q_max);
/* Per frame, by that size, in the way that is least work: seconds of a core; seconds that more cores don't shorten; and work
 * of accelerators in the Coulomb pairs of their scores. */
double debye_scattering_formula_seconds(const DebyeScatteringPlan *plan, const DebyeFormulaBasis *basis);
double debye_scattering_formula_wait(const DebyeScatteringPlan *plan, const DebyeFormulaBasis *basis);
double debye_scattering_formula_pairs(const DebyeScatteringPlan *plan, const DebyeFormulaBasis *basis);
/* Of the devices' scores, `speed` together, those of the devices that do that work: the processor may lack the memory. */
double debye_scattering_formula_speed(const DebyeScatteringPlan *plan, const DebyeFormulaBasis *basis,
                                      double speed);
/* The host's memory that a lattice or moments take, in bytes; 0 for sums pair by pair. */
guint64 debye_scattering_formula_bytes(const DebyeScatteringPlan *plan, const DebyeFormulaBasis *basis);
