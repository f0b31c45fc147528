/* SPDX-License-Identifier: MIT */
/* What a run has counted of pair distributions: filled by rdf_run.c, read by who makes the result. */
#pragma once

#include "app/analysis/driver/device_choice.h"
#include "rdf_plan.h"
#include "rdf_statistic.h"

typedef struct {
  DebyeRdfPlan *plan;    /* borrowed */
  GPtrArray *statistics; /* DebyeRdfStatistic, one a pair */
  double cell_sums[9];   /* Σ over frames of the cell's vectors; 0 without cells */
  double density_sum;    /* Σ over frames of 1/V; 0 without cells */
  double *atoms_sums;    /* Σ over frames of the atoms of each selection … */
  double *density_sums;  /* … and of their density; 0 without cells */
  double time_step;      /* ps between the frames, for errors; 0: there are none, or the files don't say */
  gsize n_frames;        /* counted */
  DebyeLaneTotals lanes;
} DebyeRdfCounted;
