/* SPDX-License-Identifier: MIT */
/* Everything about a map that is known before it is computed: which atoms, which frames, which grid, how much
 * memory. */
#pragma once

#include "data/trajectory/frame_edit.h"
#include "data/selection/selection.h"
#include "kernels/potential/potential.h"
#include "app/analysis/driver/charge_choice.h"
#include "app/analysis/driver/frame_choice.h"
#include "map_given.h"
#include "map_settings.h"
#include "app/analysis/driver/superpose_choice.h"
#include "app/analysis/driver/superpose_reference.h"

typedef struct {
  DebyeMapSettings settings; /* texts are borrowed; the spacing is set */
  DebyeChargeChoice charges;
  DebyeTopology *topology; /* with these charges; borrowed from them */
  gboolean follows_frames; /* one frame is planned, and others will be computed as it is */
  DebyeFrameChoice frames; /* the first one centred as all will be */
  DebyeSelection *selection;
  DebyeSelection *center; /* NULL: not asked for */
  DebyeSuperposeChoice superpose;
  DebyeSuperposeReference reference;
  GArray *atoms;                    /* guint32: chosen in the first frame */
  GArray *radii;                    /* float: of all atoms, Å; NULL: the method needs none */
  gboolean has_own_radii;           /* those of the files */
  DebyeMapGiven *given;             /* maps in place of what atoms make; NULL: none */
  DebyeVec3 low, high;              /* their bounds, Å */
  double net_charge;                /* of them, e */
  DebyePotentialSettings potential; /* what the kernel is told: grid, method, cell of the first frame … */
  double rounding;                  /* that single precision is expected to have; 0: not known */
  DebyeFrameBlocks blocks;          /* for the standard error */
  double scale;                     /* from e/Å to the unit, permittivity included */
  guint64 memory_limit;             /* 0: what there is */
  gsize n_followed;                 /* residues over time */
  guint64 host_bytes;               /* that the run will take here */
} DebyeMapPlan;

void debye_map_plan_clear(gpointer plan);

/* Fills *plan (all zero before, or with follows_frames set). *key, where not NULL, names the setting that is the cause of
 * an error, or NULL. Without a spacing the suggested one is taken: as soon as that is known it is in the plan's settings. */
gboolean debye_map_plan_init(DebyeMapPlan *plan, DebyeDataset *dataset, const DebyeMapSettings *settings,
                             const char **key, GError **error);
/* Superposing and centring, from the first frame of the range on; NULL with an error. */
DebyeFrameEdit *debye_map_plan_new_edit(const DebyeMapPlan *plan, GError **error);
gboolean debye_map_plan_moves_frames(const DebyeMapPlan *plan);
/* Where everything repeats and nobody says otherwise, the map is of one cell. */
gboolean debye_map_plan_covers_cell(const DebyeMapPlan *plan);
