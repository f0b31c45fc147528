/* SPDX-License-Identifier: MIT */
/* The plan of a run, made before it begins: what scatters, along which vectors, and what becomes of the sums.
 * scattering_analysis.c checks requests with it; intensity/ and time/ compute by it. */
#pragma once

#include "app/analysis/driver/frame_choice.h"
#include "data/settings/request.h"
#include "scatterers.h"
#include "scattering_vectors.h"

typedef struct {
  DebyeScatteringSettings settings; /* their texts are of the request */
  DebyeTopology *topology;          /* borrowed from the dataset */
  DebyeFrameChoice frames;
  gboolean is_periodic; /* the first frame has a cell */
  DebyeScatterers scatterers;
  gboolean with_coherent, with_incoherent;
  GArray *q; /* double; what was asked for. NULL where the rows are a file's vectors */
  DebyeOrientation orientation;
  DebyeScatteringVectors vectors; /* no shells where the orientation needs none: EXACT, MULTIPOLE */
  gboolean rows_are_vectors;      /* a row of the result for each vector, without an average */
  gboolean corrects_box;          /* atoms are wrapped, the shape of the cell taken off */
  double volume; /* Å³; 0: the mean of the frames' cells, as intensities of pieces of a sample add */
  gboolean double_precision;
  double rounding; /* expected error of single precision, of the largest value; 0: not looked at */
  gsize n_blocks;
  guint64 memory_limit;
  GPtrArray *notes; /* DebyeNote, for the result */
} DebyeScatteringPlan;

void debye_scattering_plan_clear(gpointer plan);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeScatteringPlan, debye_scattering_plan_clear)

/* Fills *plan (all zero before); the request must last as long and not change. *key, where
 * not NULL, names the setting that is the cause of an error. */
gboolean debye_scattering_plan_init(DebyeScatteringPlan *plan, DebyeDataset *dataset, DebyeRequest *request,
                                    const char **key, GError **error);

/* Values of q that suit a frame, as text: in a cell steps of about its least reciprocal vector. To be freed. */
char *debye_scattering_plan_suggest_q(const DebyeFrame *frame);

/* The vectors in another frame's cell: those of a reciprocal lattice move with it, others stay. To be freed;
 * as many as in the plan. */
DebyeVec3 *debye_scattering_plan_get_vectors(const DebyeScatteringPlan *plan, const DebyeFrame *frame);

/* The q of the rows: of shells where there are vectors, else what was asked for. To be freed. */
double *debye_scattering_plan_list_q(const DebyeScatteringPlan *plan, gsize *n);

/* Those of the plan's rows alone, by their numbers; all else is shared with the plan, which must live as
 * long. To be dropped, not cleared. */
void debye_scattering_plan_pick(DebyeScatteringPlan *some, const DebyeScatteringPlan *plan, const guint *rows,
                                guint n);
void debye_scattering_plan_drop(DebyeScatteringPlan *some);
