/* SPDX-License-Identifier: MIT */
/* Turns what a run has found so far into curves and tables; scattering_run.c calls it for partial results and
 * at the end. */
#pragma once

#include "app/analysis/driver/device_choice.h"
#include "app/analysis/scattering/system/scattering_plan.h"
#include "scattering_sums.h"
#include "scattering_volume.h"

G_BEGIN_DECLS

typedef struct {
  DebyeScatteringPlan plan;
  DebyeScatteringSums *sums; /* NULL without coherent scattering */
  double *q;                 /* Å⁻¹, of the rows */
  gsize n_q;
  DebyeScatteringVolume *volume; /* or NULL */
  double cell_volume;            /* Å³, the frames' mean, where there are no sums to know it; 0: no cell */
  gsize n_frames;
  DebyeLaneTotals lanes;
} DebyeScatteringFound;

/* I(q) of the parts that are asked for, partials, the table of weights, and the unweighted products from
 * which other contrasts follow. */
DebyeResult *debye_scattering_result_new(const DebyeRunInput *input, const DebyeScatteringFound *found);

/* The table of what scattered how strongly. */
void debye_scattering_result_add_weights(DebyeResult *result, const DebyeScatterers *scatterers);

G_END_DECLS
