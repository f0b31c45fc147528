/* SPDX-License-Identifier: MIT */
/* Joins the lists of translatable sentences; called by main.c. */
#include "translation_lists.h"

#include "data/translation/translation.h"

void
debye_translation_add_lists(void)
{
  static const char *const *const lists[] = {debye_translation_patterns, debye_translation_phrases,
                                             debye_translation_sentences, NULL};
  debye_translation_set_sentences(lists);
}
