/* SPDX-License-Identifier: MIT */
/* A folder for a test's files, which goes with the test. */
#pragma once

#include "data/formats/format.h"

typedef char DebyeTemporaryFolder;

DebyeTemporaryFolder *debye_temporary_folder_new(void);
void debye_temporary_folder_free(DebyeTemporaryFolder *folder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeTemporaryFolder, debye_temporary_folder_free)

/* A folder that stands for the user's cache folder from now on; to be made before anything asks for that. */
DebyeTemporaryFolder *debye_temporary_use_cache_folder(void);

/* Writes a file there and returns its path. */
char *debye_temporary_write(const DebyeTemporaryFolder *folder, const char *name, gconstpointer bytes,
                            gsize n);

/* A frame of a walk whose steps are like bonds, from a seed. */
DebyeFrame *debye_temporary_make_frame(gsize n_atoms, guint32 seed);
/* Writes `n_frames` frames of debye_temporary_make_frame (seeds 0, 1, …; times 0.5·k ps, steps 10·k) with a
 * format's writer. */
void debye_temporary_write_trajectory(const DebyeFormat *format, const char *path, gsize n_atoms,
                                      gsize n_frames);
