/* SPDX-License-Identifier: MIT */
/* Everything about ligand sampling that is known before frames are read: the ligand, the atoms' parameters, the grid. */
#pragma once

#include "app/analysis/driver/charge_choice.h"
#include "app/analysis/driver/frame_blocks.h"
#include "app/analysis/driver/frame_choice.h"
#include "app/analysis/driver/superpose_choice.h"
#include "app/analysis/driver/superpose_reference.h"
#include "data/settings/request.h"
#include "data/trajectory/frame_edit.h"
#include "kernels/ligand/ligand_map.h"
#include "ligands_model.h"
#include "ligands_settings.h"

typedef struct {
  DebyeRequest *request; /* whose texts the options borrow */
  DebyeLigandsOptions options;
  DebyeTopology *topology; /* with charges where they count */
  DebyeChargeChoice charges;
  DebyeFrameChoice frames; /* the first one where the run will have it */
  DebyeSuperposeChoice superpose;
  DebyeSuperposeReference reference;
  DebyeSelection *selection;
  GArray *atoms;                     /* guint32 */
  gboolean is_periodic, covers_cell; /* the grid is the cell */
  DebyeLennardJonesTable *table;     /* NULL: by element */
  DebyeLigandModel model;
  GArray *types;        /* guint32: of each of the atoms */
  GArray *site_charges; /* double; NULL: no electrostatics */
  GArray *kinds;        /* guint8: of sites */
  GArray *repulsion, *attraction;
  DebyeLigandSettings kernel; /* of the arrays above */
  DebyeFrameBlocks blocks;
  double kt; /* kcal/mol */
  guint64 memory_limit, host_bytes;
} DebyeLigandsPlan;

void debye_ligands_plan_clear(gpointer plan);
/* Fills *plan (all zero before); *key names the setting that is the cause of an error. */
gboolean debye_ligands_plan_init(DebyeLigandsPlan *plan, DebyeDataset *dataset, DebyeRequest *request,
                                 const char **key, GError **error);
/* Superposing; NULL with an error. */
DebyeFrameEdit *debye_ligands_plan_new_edit(const DebyeLigandsPlan *plan, GError **error);

/* --- ligands_parameters.c --- */

/* The ligand, its orientations, and what each of its sites feels of each type of atoms. */
gboolean debye_ligands_plan_set_parameters(DebyeLigandsPlan *plan, DebyeDataset *dataset, const char **key,
                                           GError **error);
