/* SPDX-License-Identifier: MIT */
/* All that Debye words in English and the window shows in its language: see data/translation/translation.h. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Makes debye_translate know them. The window calls it when it starts; debye-cli, whose output scripts read,
 * doesn't. */
void debye_translation_add_lists(void);

/* Each list ends with NULL. The first is of notes, titles and settings, the second of what errors are filled
 * in with; the third is made when the program is built, from each call that says an error or a remark
 * (tests/check_messages.py). */
extern const char *const debye_translation_patterns[];
extern const char *const debye_translation_phrases[];
extern const char *const debye_translation_sentences[];

G_END_DECLS
