/* SPDX-License-Identifier: MIT */
/* Sentences that are worded in English once, for files, scripts and people: notes and titles of results,
 * names of curves, what is wrong with a setting. Results keep them as they are; the window shows them in its
 * language. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The sentence in the language of the program's text domain; as it is where there is none (debye-cli), or
 * where none of debye_translation_patterns fits. To be freed. */
char *debye_translate(const char *english);

/* Sentences as they are worded, with "%s" where something is filled in that stays as it is (a number, a
 * name), and "%t" where that is translated in turn. Translations have both in the same order. The first that
 * fits is taken; ends with NULL. */
extern const char *const debye_translation_patterns[];

/* Whether the pattern fits the whole text: what stands in its places, as early as it can, is then appended to
 * `pieces` (which own it), one for each place. */
gboolean debye_translation_match(const char *pattern, const char *text, GPtrArray *pieces);

G_END_DECLS
