/* SPDX-License-Identifier: MIT */
/* Reads atom types from the sections Atom Type Labels and Masses of a data file; called by
 * format_lammps_data.c. */
#include "lammps_types.h"

#include "data/files/error.h"
#include "lammps_data.h"

#include <math.h>

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
  debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                              "expected one of the %" G_GSIZE_FORMAT " atom types of the header, found %s",
                              types->n_types, found);
  return FALSE;
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
