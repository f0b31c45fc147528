/* SPDX-License-Identifier: MIT */
/* Where a result comes from: the input files by name, size and SHA-256, the program, the machine. */
#pragma once

#include "input.h"

typedef struct {
  char *path;   /* as it was given */
  guint64 size; /* bytes */
  char *sha256; /* 64 lower-case hexadecimal digits; "" where it is not known */
} DebyeInputRecord;

DebyeInputRecord *debye_input_record_new(const char *path, guint64 size, const char *sha256);
void debye_input_record_free(DebyeInputRecord *record);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeInputRecord, debye_input_record_free)

/* Reads the whole file once, in pieces. */
DebyeInputRecord *debye_provenance_record_file(const char *path, GCancellable *cancellable, GError **error);
/* `progress` is told how far it is; where it gives FALSE this is G_IO_ERROR_CANCELLED. */
DebyeInputRecord *debye_provenance_record_file_watched(const char *path, DebyeProgressFunc progress,
                                                       gpointer data, GError **error);
GPtrArray *debye_provenance_record_files(const char *const *paths, GCancellable *cancellable,
                                         GError **error); /* (element-type DebyeInputRecord) */

const char *debye_provenance_get_version(void); /* of the program: "0.1.0" */
const char *debye_provenance_get_host(void);
