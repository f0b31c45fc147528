/* SPDX-License-Identifier: MIT */
/* Reads the choice of a cell and gives it to frames; called by dataset.c and trajectory.c. */
#include "cell_choice.h"

#include <string.h>

#include "data/files/error.h"
#include "data/files/input.h"

/* Three lengths, or these and three angles. */
static gboolean
parse_numbers(const char *text, double numbers[6])
{
  g_auto(GStrv) parts = g_strsplit(text, ",", -1);
  const guint n = g_strv_length(parts);
  for (guint i = 0; i < 6; i++)
    numbers[i] = 90.0;
  if (n != 3 && n != 6)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!debye_text_to_double(parts[i], strlen(parts[i]), &numbers[i]))
      return FALSE;
  return TRUE;
}

gboolean
debye_cell_choice_parse(const char *text, DebyeCellChoice *choice, GError **error)
{
  double numbers[6];
  *choice = (DebyeCellChoice){.is_of_file = strcmp(text, DEBYE_CELL_OF_FILE) == 0};
  if (choice->is_of_file || strcmp(text, "none") == 0)
    return TRUE;
  if (!parse_numbers(text, numbers))
    return debye_error_set(
        error, DEBYE_ERROR_SETTING,
        "expected file, none, three lengths in Å, or these and three angles in degrees, with commas "
        "between them, found “%s”",
        text);
  choice->has_cell = debye_cell_from_lengths_angles(&choice->cell, numbers, numbers + 3);
  if (!choice->has_cell)
    debye_error_set(error, DEBYE_ERROR_SETTING,
                    "expected lengths and angles of a cell with a volume, found “%s”", text);
  return choice->has_cell;
}

void
debye_cell_choice_apply(const DebyeCellChoice *choice, DebyeFrame *frame)
{
  if (choice->is_of_file)
    return;
  frame->has_cell = choice->has_cell;
  frame->cell = choice->cell;
  if (!choice->has_cell)
    frame->cell_origin = debye_vec3(0.0, 0.0, 0.0);
}
