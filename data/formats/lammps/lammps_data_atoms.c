/* SPDX-License-Identifier: MIT */
/* Reads atom types from the sections Atom Type Labels and Masses of a data file, and the rows of its section Atoms; called
 * by format_lammps_data.c. */
#include "lammps_data_atoms.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"

/* --- Types --- */

void
debye_lammps_types_init(DebyeLammpsTypes *types, gsize n_types, DebyeStringPool *pool)
{
  *types = (DebyeLammpsTypes){
      .n_types = n_types,
      .pool = debye_string_pool_ref(pool),
      .masses = g_new(float, n_types + 1),
      .labels = g_new0(guint32, n_types + 1),
      .remarks = g_new0(guint32, n_types + 1),
      .by_label = g_hash_table_new(NULL, NULL),
  };
  for (gsize i = 0; i <= n_types; i++)
    types->masses[i] = NAN;
}

void
debye_lammps_types_clear(DebyeLammpsTypes *types)
{
  g_clear_pointer(&types->pool, debye_string_pool_unref);
  g_free(types->masses);
  g_free(types->labels);
  g_free(types->remarks);
  g_clear_pointer(&types->by_label, g_hash_table_unref);
}

gboolean
debye_lammps_types_have_labels(const DebyeLammpsTypes *types)
{
  return g_hash_table_size(types->by_label) > 0;
}

gboolean
debye_lammps_types_find(const DebyeLammpsTypes *types, const DebyeLineReader *lines, DebyeTextField field,
                        gsize *type, GError **error)
{
  gint64 number = 0;
  if (!debye_text_to_int(field.text, field.length, &number)) {
    guint32 code = debye_string_pool_add(types->pool, field.text, (gssize)field.length);
    number = (gint64)GPOINTER_TO_SIZE(g_hash_table_lookup(types->by_label, GUINT_TO_POINTER(code)));
  }
  *type = (gsize)number;
  if (number >= 1 && (guint64)number <= types->n_types)
    return TRUE;
  g_autofree char *found = debye_text_quote(field);
  return debye_line_reader_set_error(
      lines, error, DEBYE_ERROR_SYNTAX,
      "expected one of the %" G_GSIZE_FORMAT " atom types of the header, found %s", types->n_types, found);
}

gboolean
debye_lammps_types_read_labels(DebyeLammpsTypes *types, DebyeLineReader *lines, GError **error)
{
  for (gsize i = 0; i < types->n_types; i++) {
    DebyeTextField fields[2];
    gsize type;
    if (debye_lammps_data_next_row(lines, "an atom type's label", fields, 2, 2, error) == 0 ||
        !debye_lammps_types_find(types, lines, fields[0], &type, error))
      return FALSE;
    types->labels[type] = debye_string_pool_add(types->pool, fields[1].text, (gssize)fields[1].length);
    g_hash_table_insert(types->by_label, GUINT_TO_POINTER(types->labels[type]), GSIZE_TO_POINTER(type));
  }
  return TRUE;
}

/* Programs that make data files write a type's name behind its mass: "1 12.011 # CT". */
static guint32
find_remark(const DebyeLammpsTypes *types, const DebyeLineReader *lines)
{
  DebyeTextField word;
  DebyeTextField comment = debye_lammps_data_get_comment(lines->text, lines->length);
  if (debye_text_split(comment.text, comment.length, &word, 1) == 0 || !g_ascii_isalpha(word.text[0]))
    return 0;
  return debye_string_pool_add(types->pool, word.text, (gssize)word.length);
}

gboolean
debye_lammps_types_read_masses(DebyeLammpsTypes *types, DebyeLineReader *lines, GError **error)
{
  for (gsize i = 0; i < types->n_types; i++) {
    DebyeTextField fields[2];
    gsize type;
    double mass;
    if (debye_lammps_data_next_row(lines, "a mass", fields, 2, 2, error) == 0 ||
        !debye_lammps_types_find(types, lines, fields[0], &type, error) ||
        !debye_text_require_double(lines, fields[1], "the mass", &mass, error))
      return FALSE;
    types->masses[type] = (float)mass;
    types->remarks[type] = find_remark(types, lines);
  }
  return TRUE;
}

/* --- The style of atoms --- */

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
