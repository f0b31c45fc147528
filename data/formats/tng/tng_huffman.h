/* SPDX-License-Identifier: MIT */
/* Huffman's codes as TNG packs numbers with them: a head, the codes, and a dictionary of the codes' lengths,
 * which may be packed in the same way itself. After what the format's library writes (github.com/gromacs/tng,
 * BSD). */
#pragma once

#include <glib.h>

/* Exactly n values. FALSE: damaged. */
gboolean debye_tng_huffman_unpack(const guint8 *bytes, gsize n_bytes, guint32 *values, gsize n);

/* Runs undone: digits 0 and 1 before a value are the length of its run in base two, lowest first, without the
 * highest; values are two more than they stand for. Exactly n values. FALSE: damaged. */
gboolean debye_tng_undo_runs(const guint32 *runs, gsize n_runs, guint32 *values, gsize n);
