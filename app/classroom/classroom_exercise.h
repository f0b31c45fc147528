/* SPDX-License-Identifier: MIT */
/* A family of teaching variants as an exercise: its listings with gaps, the answers apart, and how to compile them. */
#pragma once

#include "kernels/ladder/ladder.h"

#include <glib.h>

G_BEGIN_DECLS

/* The listing without what is new in it: within functions, runs of lines that `before` doesn't have are a comment that counts
 * them; with the line that opens a block the one that closes it. `before` NULL, or nothing is new: without the lines that add
 * to a sum. Free with g_free. */
char *debye_classroom_leave_gaps(const char *text, const char *before);
/* Writes into `folder`, which is made where it isn't there: exercise/, answer/ and README.txt. */
gboolean debye_classroom_save_exercise(DebyeLadderKind kind, const char *folder, GError **error);

G_END_DECLS
