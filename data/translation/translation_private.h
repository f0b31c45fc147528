/* SPDX-License-Identifier: MIT */
/* For tests: which pattern a sentence is taken for. A wrong one shows only in another language. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The pattern that is taken for the text; NULL: none fits. */
const char *debye_translation_find(const char *text);

/* Whether the pattern fits the whole text: what stands in its places, as early as it can, is then appended to
 * `pieces` (which own it), one for each place. */
gboolean debye_translation_match(const char *pattern, const char *text, GPtrArray *pieces);

G_END_DECLS
