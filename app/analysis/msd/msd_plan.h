/* SPDX-License-Identifier: MIT */
/* What a run of mean square displacements does: which centres move, in which frames, up to which lag. Made
 * from a request before anything is computed. */
#pragma once

#include "app/analysis/driver/frame_choice.h"
#include "data/settings/request.h"
#include "msd_settings.h"

typedef struct {
  DebyeMsdSettings settings; /* their texts are of the request */
  DebyeFrameChoice frames;
  gboolean is_dynamic; /* the selection looks at positions: it was evaluated in the first frame */
  gsize n_centres;
  GArray *atoms;        /* guint32: those of centre 0, of centre 1 … */
  GArray *first;        /* guint32: where those of a centre begin; n_centres + 1 */
  GArray *shares;       /* double: each atom's part of its centre's mass; NULL: each atom is a centre */
  gsize n_massless;     /* atoms that play no part in their centres */
  gboolean is_periodic; /* the first frame has a cell, so all must */
  gboolean unwraps;
  double step;          /* ps from the first frame to the next; 0: not known, lags count frames */
  gsize n_lags;         /* asked for, at most the frames */
  gboolean has_fit;     /* a range is asked for … */
  double fit[2];        /* … ps, or frames */
  guint64 memory_limit; /* bytes; 0: none given */
} DebyeMsdPlan;

/* FALSE with an error and *key, the setting that is the cause, or NULL. *plan is all zero before;
 * the request must last as long and not change. */
gboolean debye_msd_plan_init(DebyeMsdPlan *plan, DebyeDataset *dataset, DebyeRequest *request,
                             const char **key, GError **error);
void debye_msd_plan_clear(gpointer plan);

/* Bytes of the places of one centre in all frames, and how many centres one pass over the frames takes. */
guint64 debye_msd_plan_centre_bytes(const DebyeMsdPlan *plan);
gsize debye_msd_plan_pass_centres(const DebyeMsdPlan *plan);
/* "ps", or "frames" where the files say no times. */
const char *debye_msd_plan_time_unit(const DebyeMsdPlan *plan);
