/* SPDX-License-Identifier: MIT */
/* Everything about a density that is known before frames are read: which atoms, from where they are seen, in which voxels or
 * bins. */
#pragma once

#include "app/analysis/driver/charge_choice.h"
#include "app/analysis/driver/frame_blocks.h"
#include "app/analysis/driver/frame_choice.h"
#include "data/results/field.h"
#include "data/selection/selection.h"
#include "data/settings/request.h"
#include "density_settings.h"
#include "density_view.h"

typedef struct {
  DebyeRequest *request; /* whose texts the options borrow */
  DebyeDensityOptions options;
  DebyeTopology *topology; /* with charges where the weight needs them */
  DebyeChargeChoice charges;
  DebyeFrameChoice frames;
  DebyeSelection *selection;
  GArray *atoms; /* guint32; of the first frame where the selection follows positions */
  gboolean is_dynamic, is_periodic;
  DebyeDensityReference reference; /* of maps; n_copies 0: none */
  GArray *about;                   /* guint32: atoms of “about”; NULL: none */
  GArray *center;                  /* guint32: what stays in the middle; NULL: nothing */
  /* Of maps: points of the grid are the voxels' centres. */
  DebyeGrid grid;
  DebyeDensityPlacing placing;
  DebyeField *map; /* whose blobs are looked for, on its own grid; NULL: a map is computed */
  guint32 *blob;   /* its voxels are 1, where one alone is looked for; NULL: all are */
  /* Of profiles. */
  gsize n_bins;
  double width;  /* Å, of a bin; along an axis a fraction of the cell */
  double volume; /* Å³, of the cell of the first frame; 0: none */
  DebyeFrameBlocks blocks;
  gsize max_points, n_views;
  guint64 memory_limit, host_bytes;
} DebyeDensityPlan;

void debye_density_plan_clear(gpointer plan);
/* Fills *plan (all zero before); *key names the setting that is the cause of an error. */
gboolean debye_density_plan_init(DebyeDensityPlan *plan, DebyeDataset *dataset, DebyeRequest *request,
                                 const char **key, GError **error);

static inline gboolean
debye_density_plan_is_profile(const DebyeDensityPlan *plan)
{
  return plan->options.profile != DEBYE_PROFILE_NONE;
}

/* Along a vector of the cell. */
static inline gboolean
debye_density_plan_is_along_axis(const DebyeDensityPlan *plan)
{
  return plan->options.profile >= DEBYE_PROFILE_X && plan->options.profile <= DEBYE_PROFILE_Z;
}

/* Of one component. */
gsize debye_density_plan_n_values(const DebyeDensityPlan *plan);
/* The corner of the first voxel. */
DebyeVec3 debye_density_plan_get_corner(const DebyeDensityPlan *plan);

/* The height of a cell along its vector k, between the faces that the others span. */
double debye_density_cell_height(const DebyeCell *cell, int k);

/* Where the grid's middle, or of fractions the cell's corner, is in a frame; a view of each copy. */
gboolean debye_density_look(DebyeDensityPlan *plan, const DebyeFrame *frame, DebyeDensityView *views,
                            GError **error);

/* --- density_grid.c --- */

/* Lays voxels or bins; sets spacing in the request where it was open. */
gboolean debye_density_plan_lay(DebyeDensityPlan *plan, const char **key, GError **error);
/* Whether the opened map has the voxels that “bins” asks for, in the cell of the first frame. */
gboolean debye_density_plan_check_bins(const DebyeDensityPlan *plan, const char **key, GError **error);
