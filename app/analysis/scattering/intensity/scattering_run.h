/* SPDX-License-Identifier: MIT */
/* Computes I(q) for some rows of a plan: reads the frames and sums the products of amplitudes by the method
 * that suits the plan. scattering_job.c calls it for each block. */
#pragma once

#include "app/analysis/driver/analysis.h"
#include "app/analysis/scattering/system/scattering_plan.h"

/* The file of a job, by the setting “continue”, whose rows all come from one pass over the frames; all borrowed. */
typedef struct {
  DebyeResult *done;  /* rows that it keeps meanwhile; NULL: none */
  DebyeResult *begun; /* what it was found with: the sums of frames so far; NULL: none */
} DebyeScatteringFile;

/* The rows of a plan, as debye_analysis_scattering's run. The result's request is that of the input. The file
 * gets the sums so far, about as often as the job asks for; NULL: no file. A run
 * that is stopped after it was written is an error. */
DebyeResult *debye_scattering_run_rows(const DebyeRunInput *input, const DebyeScatteringPlan *plan,
                                       const DebyeScatteringFile *file, GError **error);
