/* SPDX-License-Identifier: MIT */
/* What the classroom's lessons measured, as lines of debye-cli; used by window_classroom.c. `dataset` NULL: there are
 * no files. Texts are to be freed. */
#pragma once

#include "classroom.h"

/* `has_counts`: that of counted pairs draws g(r), instead of the speeds. */
char *debye_classroom_write_ladder(DebyeDataset *dataset, DebyeLadderKind kind, gboolean has_counts);
/* Of the listing `base`, or of a file of the class's own that was made from it: `axes` as --sweep takes them, `macros` as
 * "TILE=128" beside them. Two commands if the listing is shipped: the first writes the file that the second runs. */
char *debye_classroom_write_sweep(DebyeDataset *dataset, DebyeLadderKind kind, const char *base,
                                  gboolean is_own, const char *const *axes, const char *const *macros);
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
/* Those of Born's ion, in classroom_born.c: the potential as a curve, the energies of several radii. */
char *debye_classroom_write_born_potential(const DebyeClassroomBornChoice *choice);
char *debye_classroom_write_born_energies(const DebyeClassroomBornChoice *choice);
