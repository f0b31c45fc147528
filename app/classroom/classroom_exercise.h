/* SPDX-License-Identifier: MIT */
/* A family of teaching variants as an exercise: its listings with gaps, the answers apart, and how to compile them. */
#pragma once

#include "kernels/ladder/ladder.h"

#include <glib.h>

/* Writes into `folder`, which is made where it isn't there: exercise/, answer/ and README.txt. */
gboolean debye_classroom_save_exercise(DebyeLadderKind kind, const char *folder, GError **error);
