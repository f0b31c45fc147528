/* SPDX-License-Identifier: MIT */
/* What debye-cli info has found out about structures and trajectories, and its two faces; for command_info.c. */
#pragma once

#include "data/formats/quantum/vibrations.h"
#include "data/molecule/bonds.h"
#include "data/tables/elements.h"
#include "data/trajectory/dataset.h"

G_BEGIN_DECLS

/* What was found in the frames that were read. */
typedef struct {
  gboolean is_told; /* --check, coordinates that are no numbers, or frames that were not read */
  gsize n_checked, n_bad_frames, n_bad, first_frame, first_atom;
  gboolean has_uneven_times;
} DebyeInfoCheck;

/* What is told, gathered once for both faces. */
typedef struct {
  DebyeDataset *dataset;
  DebyeTopology *topology;     /* of the chosen atoms */
  DebyeTrajectory *trajectory; /* or NULL */
  gsize n_frames;
  gboolean has_cell, has_times;
  double lengths[3], angles[3];
  double first, last, step; /* ps; the step NAN: uneven */
  gsize counts[DEBYE_N_ELEMENTS];
  gboolean has_bonds; /* they were looked for */
  DebyeBondSources bonds;
  DebyeInfoCheck check;
  DebyeVibrations *vibrations;          /* NULL: the files have none */
  GStrv warnings;                       /* the dataset's, and of frames */
  gsize sources[DEBYE_ELEMENT_SOURCES]; /* how many atoms' elements come from where */
} DebyeInfo;

/* To standard output. */
void debye_info_print_json(const DebyeInfo *info);
void debye_info_print_table(const DebyeInfo *info);

G_END_DECLS
