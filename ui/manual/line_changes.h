/* SPDX-License-Identifier: MIT */
/* Which lines of a text a text before it doesn't have. */
#pragma once

#include <glib.h>

typedef struct {
  GArray *is_new; /* gboolean of each line */
  guint n_new, n_gone;
} DebyeLineChanges;

/* A longest sequence of lines that both texts have in the same order is unchanged. Indentation, empty lines and
 * the braces of a block don't count: a loop that comes around a line leaves it as it is. `before` NULL: nothing is new.
 * Work and memory grow with the product of the numbers of lines. */
void debye_line_changes_init(DebyeLineChanges *self, const char *before, const char *text);
void debye_line_changes_clear(DebyeLineChanges *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeLineChanges, debye_line_changes_clear)
