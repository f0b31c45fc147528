/* SPDX-License-Identifier: MIT */
/* Ladders that were measured on another machine, as `debye-cli bench … -o FILE.json` writes them: what a room without a GPU
 * shows of one. */
#pragma once

#include "classroom.h"

#define DEBYE_CLASSROOM_RECORDING_VERSION 1

/* Steps and devices of a recording, marked as such; rows of variants that this version doesn't have are left out. `name` is
 * what errors call it. NULL with an error: it is none. */
DebyeClassroomRecord *debye_classroom_recording_parse(const char *text, gsize n_bytes, const char *name,
                                                      GError **error);
/* What the files *.json of these folders (NULL-terminated; those that are there) have of a kind. Of files with one name the
 * first folder's is read. What can't be read is a remark of the record. */
DebyeClassroomRecord *debye_classroom_recordings_read(DebyeLadderKind kind, const char *const *folders);
