/* SPDX-License-Identifier: MIT */
/* Implementation of note.h: which notes of a result belong in a plot's caption; called by
 * result_plot_marks.c. */
#include "note.h"

#include <string.h>

static gboolean
is_about(const char *note, const char *subject)
{
  gsize length = strlen(subject);
  return strncmp(note, subject, length) == 0 && g_str_has_prefix(note + length, ": ");
}

gboolean
debye_note_is_in_caption(const char *note, const DebyeQuantity *quantity)
{
  static const char *const subjects[] = {"Frames", "Contrast", "Solvent", "Medium"};
  for (gsize i = 0; i < G_N_ELEMENTS(subjects); i++)
    if (is_about(note, subjects[i]))
      return TRUE;
  return is_about(note, quantity->label);
}
