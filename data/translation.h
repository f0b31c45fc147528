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

/* Sentences as they are worded, with "%s" where something is filled in that stays as it is (a number, a
 * name), and "%t" where that is translated in turn. Translations have both in the same order. Each list ends
 * with NULL; of all patterns that fit, the one is taken by which most of the text is known.
 * The first is of notes, titles and settings, the second of what errors are filled in with; the third is made
 * when the program is built, from each call that says an error or a remark (tests/check_messages.py). */
extern const char *const debye_translation_patterns[];
extern const char *const debye_translation_phrases[];
extern const char *const debye_translation_sentences[];

G_END_DECLS
