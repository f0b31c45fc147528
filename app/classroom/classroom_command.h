/* SPDX-License-Identifier: MIT */
/* What the classroom's lessons measured, as lines of debye-cli; used by window_classroom.c. `dataset` NULL: there are
 * no files. Texts are to be freed. */
#pragma once

#include "classroom.h"

G_BEGIN_DECLS

char *debye_classroom_write_ladder(DebyeDataset *dataset, DebyeLadderKind kind);
/* Of a sweep of several methods the sizes that all have; `devices` as --sweep takes them, NULL: those of debye-cli. */
char *debye_classroom_write_growth(const char *devices);
/* `figure` as --slices takes it. */
char *debye_classroom_write_slices(DebyeDataset *dataset, const char *figure);
/* `figure` as --bins takes it. */
char *debye_classroom_write_bins(DebyeDataset *dataset, const char *figure,
                                 const DebyeClassroomBinChoice *choice);
char *debye_classroom_write_orientations(DebyeDataset *dataset);
/* `figure` as --batches takes it. */
char *debye_classroom_write_batches(const char *figure, const DebyeClassroomBatchChoice *choice);

G_END_DECLS
