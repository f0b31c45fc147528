/* SPDX-License-Identifier: MIT */
/* Reads the rows of the section Atoms of a data file; called by format_lammps_data.c. */
#include "lammps_data_atoms.h"

#include "data/files/error.h"

#include <math.h>
#include <string.h>

/* --- Their style --- */

/* Goes through the rows until no more than one of the likely styles is left. */
static gboolean
guess_style(DebyeInput *input, guint64 offset, const DebyeLammpsDataHeader *header, gboolean has_labels,
            DebyeLammpsStyle *style, const char **name, GError **error)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, offset, 1);
  const char *const *likely = debye_lammps_style_list_likely();
  guint left = (1u << g_strv_length((char **)likely)) - 1;
  for (gsize i = 0; i < header->n_atoms && (left & (left - 1)) != 0; i++) {
    DebyeTextField fields[DEBYE_LAMMPS_MAX_FIELDS];
    gsize n = debye_lammps_data_next_row(&lines, "an atom", fields, 1, DEBYE_LAMMPS_MAX_FIELDS, error);
    if (n == 0)
      return FALSE;
    for (guint k = 0; likely[k] != NULL; k++)
      if (!debye_lammps_style_from_hint(style, (DebyeTextField){likely[k], strlen(likely[k])}) ||
          !debye_lammps_style_fits(style, fields, n, header->n_types, has_labels))
        left &= ~(1u << k);
  }
  for (guint k = 0; likely[k] != NULL; k++)
    if (left & (1u << k)) {
      *name = likely[k];
      return debye_lammps_style_from_hint(style, (DebyeTextField){likely[k], strlen(likely[k])});
    }
  *name = NULL;
  return TRUE;
}

static gboolean
first_row_fits(DebyeInput *input, guint64 offset, const DebyeLammpsDataHeader *header, gboolean has_labels,
               const DebyeLammpsStyle *style)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, offset, 1);
  DebyeTextField fields[DEBYE_LAMMPS_MAX_FIELDS];
  gsize n = debye_lammps_data_next_row(&lines, "an atom", fields, 1, DEBYE_LAMMPS_MAX_FIELDS, NULL);
  return n > 0 && debye_lammps_style_fits(style, fields, n, header->n_types, has_labels);
}

gboolean
debye_lammps_data_find_style(const DebyeLineReader *lines, const DebyeLammpsDataHeader *header,
                             gboolean has_labels, DebyeLammpsStyle *style, const char **guessed,
                             GError **error)
{
  *guessed = NULL;
  DebyeTextField hint = debye_lammps_data_get_comment(lines->text, lines->length);
  if (debye_lammps_style_from_hint(style, hint) &&
      (header->n_atoms == 0 || first_row_fits(lines->input, lines->next_offset, header, has_labels, style)))
    return TRUE;
  g_autoptr(GError) problem = NULL;
  if (guess_style(lines->input, lines->next_offset, header, has_labels, style, guessed, &problem) &&
      *guessed != NULL)
    return TRUE;
  if (problem != NULL)
    debye_line_reader_set_error(lines, error, DEBYE_ERROR_TRUNCATED,
                                "expected %" G_GSIZE_FORMAT " atoms, found the end of the file",
                                header->n_atoms);
  else
    debye_line_reader_set_error(
        lines, error, DEBYE_ERROR_SYNTAX,
        "expected atoms of a known style (stated as “Atoms # full”), found rows that fit none");
  return FALSE;
}

/* --- Their rows --- */

gboolean
debye_lammps_data_read_atom(DebyeLineReader *lines, const DebyeLammpsStyle *style,
                            const DebyeLammpsTypes *types, DebyeLammpsDataAtom *atom, GError **error)
{
  static const char *const axes[3] = {"x", "y", "z"};
  DebyeTextField fields[DEBYE_LAMMPS_MAX_FIELDS];
  *atom = (DebyeLammpsDataAtom){.charge = NAN};
  if (debye_lammps_data_next_row(lines, "an atom", fields, style->n_columns, style->n_columns, error) == 0 ||
      !debye_text_require_int(lines, fields[style->id], "the id", &atom->id, error) ||
      !debye_lammps_types_find(types, lines, fields[style->type], &atom->type, error) ||
      (style->molecule >= 0 &&
       !debye_text_require_int(lines, fields[style->molecule], "the molecule", &atom->molecule, error)) ||
      (style->charge >= 0 &&
       !debye_text_require_double(lines, fields[style->charge], "the charge", &atom->charge, error)))
    return FALSE;
  for (int axis = 0; axis < 3; axis++)
    if (!debye_text_require_double(lines, fields[style->position + axis], axes[axis], &atom->position[axis],
                                   error))
      return FALSE;
  return TRUE;
}
