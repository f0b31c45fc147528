/* SPDX-License-Identifier: MIT */
/* Keeps the counts of displacements so far in the file of a running job, for scattering_dynamic.c: they serve
 * every q at once, so there are no rows to keep one by one. A killed run continues after these atoms.
 *
 * Tables of such a file, beside the rows that are done:
 *   restart_atoms    one row: atoms counted, and the numbers of species, times and bins of a width (Å)
 *   restart_counts   the histograms, by species, time and bin
 *   restart_moments  Σd² (Å²) and Σd⁴ (Å⁴), by species and time */
#pragma once

#include "app/analysis/driver/job_blocks.h"
#include "intermediate_scattering.h"

typedef struct {
  DebyeScatteringCount count;           /* for intermediate_scattering.h */
  DebyeJobBlocks blocks;                /* of atoms */
  DebyeScatteringDisplacements earlier; /* of an earlier run's atoms */
  gsize n_earlier;                      /* atoms; 0: none */
  DebyeResult *done;                    /* borrowed: rows that the file keeps meanwhile; NULL: none */
  DebyeRequest *request;                /* borrowed: of the result */
} DebyeScatteringCounting;

/* `job` names the file by its setting “continue”; `begun` (NULL: none) is what it holds. The counting is
 * given to its own functions as data: it stays where it is. FALSE with an error where the file's counts are
 * of other q. */
gboolean debye_scattering_counting_begin(DebyeScatteringCounting *counting, const DebyeRunInput *job,
                                         const DebyeIntermediateScattering *scattering, DebyeResult *begun,
                                         DebyeResult *done, GError **error);
void debye_scattering_counting_clear(DebyeScatteringCounting *counting);

/* Counts of the first n atoms, for the file of a job that isn't finished. */
void debye_scattering_counting_add_tables(DebyeResult *result,
                                          const DebyeScatteringDisplacements *displacements, gsize n_atoms);
