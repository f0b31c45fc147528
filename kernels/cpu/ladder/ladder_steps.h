/* SPDX-License-Identifier: MIT */
/* What the table of the teaching variants on the CPU (ladder.c) is made of: the count of pairs,
 * the limits of the device; the direct sum is in direct.h. */
#pragma once

#include "kernels/ladder/ladder.h"

/* Runs a source of kernels/ladder/cutoff on a problem that was checked. */
DebyeStatusCode debye_ladder_cutoff_run(const char *source, const DebyeLadderProblem *problem, float *map,
                                        double *seconds, const volatile bool *cancel, DebyeStatus *status);
/* Runs a source of kernels/ladder/histogram. */
DebyeStatusCode debye_ladder_count_pairs(const char *source, const DebyeLadderPairs *pairs, uint64_t *counts,
                                         double *seconds, const volatile bool *cancel, DebyeStatus *status);
/* Runs a source of kernels/ladder/scattering on courses that were checked. */
DebyeStatusCode debye_ladder_scatter(const char *source, const DebyeLadderCourses *courses, float *f,
                                     double *seconds, const volatile bool *cancel, DebyeStatus *status);
/* Runs a source of kernels/ladder/ligand on a problem that was checked. */
DebyeStatusCode debye_ladder_ligand_run(const char *source, const DebyeLadderLigand *ligand, float *means,
                                        double *seconds, const volatile bool *cancel, DebyeStatus *status);
/* Runs a source of kernels/ladder/density on a problem that was checked. */
DebyeStatusCode debye_ladder_density_run(const char *source, const DebyeLadderDensity *density,
                                         uint32_t *counts, double *seconds, const volatile bool *cancel,
                                         DebyeStatus *status);
/* Runs a source of kernels/ladder/orbital on a problem that was checked. */
DebyeStatusCode debye_ladder_orbital_run(const char *source, const DebyeLadderOrbital *orbital, float *map,
                                         double *seconds, const volatile bool *cancel, DebyeStatus *status);
DebyeStatusCode debye_cpu_measure_limits(int device, DebyeLadderLimits *limits, DebyeStatus *status);
