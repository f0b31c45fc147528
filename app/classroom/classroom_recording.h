/* SPDX-License-Identifier: MIT */
/* Ladders that were measured on another machine, as `debye-cli bench … -o FILE.json` writes them: what a room without a GPU
 * shows of one. */
#pragma once

#include "classroom.h"

G_BEGIN_DECLS

#define DEBYE_CLASSROOM_RECORDING_VERSION 1

/* Steps and devices of a recording, marked as such; rows of variants that this version doesn't have are left out. `name` is
 * what errors call it. NULL with an error: it is none. */
DebyeClassroomRecord *debye_classroom_recording_parse(const char *text, gsize n_bytes, const char *name,
                                                      GError **error);
/* Appends what the files *.json of this folder, if there is one, have of a kind to the record. FALSE with an error: one can't
 * be read. */
gboolean debye_classroom_recordings_append(DebyeClassroomRecord *record, DebyeLadderKind kind,
                                           const char *folder, GError **error);

G_END_DECLS
