/* SPDX-License-Identifier: MIT */
/* Sentences that are worded in English once, for files, scripts and people: notes and titles of results,
 * names of curves, errors, remarks on files, what devices refuse. Results keep them as they are; the window
 * shows them in its language. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The sentence in the language of the program's text domain; as it is where there is none (debye-cli), or
 * where no pattern fits. To be freed. */
char *debye_translate(const char *english);

/* The sentences that are known, as they are worded, with "%s" where something is filled in that stays as it
 * is (a number, a name), and "%t" where that is translated in turn. Translations have both in the same order.
 * Of all patterns that fit, the one is taken by which most of the text is known. `lists`: of lists, each and
 * itself ending with NULL, kept; for the program to set before anything is shown. */
void debye_translation_set_sentences(const char *const *const *lists);

G_END_DECLS
