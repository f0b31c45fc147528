/* SPDX-License-Identifier: MIT */
/* What the classroom's lessons measured, as lines of debye-cli; used by window_classroom.c. Texts are to be freed. */
#pragma once

#include "app/classroom/classroom.h"
#include "window_document.h"

G_BEGIN_DECLS

char *debye_window_classroom_write_ladder(DebyeWindowDocument *self, DebyeLadderKind kind);
/* Of a sweep of several methods the sizes that all have; `devices` as --sweep takes them, NULL: those of debye-cli. */
char *debye_window_classroom_write_growth(const char *devices);
/* `figure` as --bins takes it. */
char *debye_window_classroom_write_bins(DebyeWindowDocument *self, const char *figure,
                                        const DebyeClassroomBinChoice *choice);
char *debye_window_classroom_write_orientations(DebyeWindowDocument *self);

G_END_DECLS
