/* SPDX-License-Identifier: MIT */
/* The SHA-256 of a run's input files, computed on a thread while the run goes on, so that saving its result needn't read them
 * through once more. Whoever asks for a file's record meanwhile (provenance.h) gets this one. */
#pragma once

#include "input.h"

typedef struct _DebyeHashing DebyeHashing;

/* Begins with the first file. What can't be read is passed over. */
DebyeHashing *debye_hashing_begin(const char *const *paths);
DebyeHashing *debye_hashing_ref(DebyeHashing *self);
/* The last one stops it. */
void debye_hashing_unref(DebyeHashing *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeHashing, debye_hashing_unref)

/* The digits for a file as it is now, when they have been computed; NULL without an error where nobody does or did, with
 * G_IO_ERROR_CANCELLED where `progress` gave FALSE. */
char *debye_hashing_find(const char *path, DebyeProgressFunc progress, gpointer data, guint64 *size,
                         GError **error);
