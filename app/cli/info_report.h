/* SPDX-License-Identifier: MIT */
/* What debye-cli info has found out about structures and trajectories, and its two faces; and what it tells of other files; for
 * command_info.c. */
#pragma once

#include "arguments.h"
#include "data/formats/quantum/vibrations.h"
#include "data/molecule/bonds.h"
#include "data/tables/elements.h"
#include "data/trajectory/dataset.h"

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

/* --- info_result.c: maps, and results that Debye wrote --- */

/* Whether this file is one, by its content; what can't be read is none. */
gboolean debye_info_result_is_one(const char *path);

/* To standard output: of a map its grid (in the map's lengths, mostly Å), unit and statistics; of curves
 * their quantities and numbers of points; of a result also the line that made it. With --json as the command
 * says it that makes results. FALSE with an error that names the file where it can't be read whole. */
gboolean debye_info_result_tell(DebyeArguments *arguments, const char *path, GError **error);

/* --- info_session.c: a session: its files and whether they are what they were, what is shown, and the analyses that are
 * filled in --- */

/* To standard output, as text or with --json. Files that are missing or have changed are warned of (or the
 * error, under --strict). FALSE with an error, or without one after Ctrl-C;
 * with DEBYE_USAGE_ERROR where it isn't the only file. */
gboolean debye_info_session_tell(DebyeArguments *arguments, const char *path, GError **error);
