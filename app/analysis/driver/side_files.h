/* SPDX-License-Identifier: MIT */
/* Files that a run writes beside its result, such as a table of residues: filled by map_analysis.c, told by the command line. */
#pragma once

#include "data/results/result.h"

/* One that is written. */
void debye_side_files_add(DebyeResult *result, const char *path);
/* Their names, borrowed, until the next is added; never NULL. */
const char *const *debye_side_files_get(DebyeResult *result);
/* Why some can't be written: the result is good all the same, and warns of it. Takes the error. */
void debye_side_files_fail(DebyeResult *result, GError *error);
/* NULL: nothing failed. */
const GError *debye_side_files_get_error(DebyeResult *result);
