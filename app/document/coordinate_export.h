/* SPDX-License-Identifier: MIT */
/* Coordinates of a dataset into files of other formats, with the edits of frame_edit.h: debye-cli export and the window's
 * “Export coordinates”. */
#pragma once

#include "coordinate_export_settings.h"
#include "data/settings/request.h"
#include "data/trajectory/dataset.h"

typedef struct {
  DebyeRequest *request;      /* of debye_coordinate_export_settings */
  const char *const *outputs; /* paths, whose endings decide the formats; NULL-terminated */
  DebyeProgressFunc progress; /* FALSE stops: what was written by then is kept, and marked as partial */
  /* A warning; FALSE with an error makes it one, and nothing is written. */
  gboolean (*warn)(const char *sentence, gpointer data, GError **error);
  void (*say)(const char *sentence, gpointer data); /* what happened to coordinates on the way */
  gpointer data;                                    /* of all three */
} DebyeCoordinateExport;

typedef struct {
  gsize n_frames, n_written, n_atoms;
} DebyeCoordinateExportReport;

/* What can be refused before a file is opened. */
gboolean debye_coordinate_export_check(const DebyeCoordinateExport *job, GError **error);
/* `dataset`: with its choices, see dataset_choice.h. FALSE without an error: stopped before the first frame. */
gboolean debye_coordinate_export_run(const DebyeCoordinateExport *job, DebyeDataset *dataset,
                                     DebyeCoordinateExportReport *report, GError **error);
