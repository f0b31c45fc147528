/* SPDX-License-Identifier: MIT */
/* Makes a structure of a result's ions, for files of debye-cli and the window's layer of spheres. */
#include "ion_structure.h"

#include "data/files/error.h"
#include "data/trajectory/format_list.h"
#include "data/files/replace_file.h"
#include "data/files/text_writer.h"
#include "ions_settings.h"
#include "ions_notes.h"

static void
add_ion(DebyeTopologyBuilder *builder, const DebyeIonKind *kind, const DebyeIonName *name, gsize number)
{
  DebyeAtom atom = DEBYE_ATOM_INIT;
  debye_topology_builder_set_residue(builder, name->residue, -1, (gint32)number, 0, "I", -1, "ION", -1);
  atom.name = name->atom;
  atom.element = kind->symbol;
  atom.charge = kind->charge;
  atom.radius = kind->radius;
  debye_topology_builder_add_atom(builder, &atom);
}

/* The names of another force field where a file's own has none. */
static const DebyeIonName *
choose_name(const DebyeIonKind *kind, DebyeIonNames names)
{
  const DebyeIonName *name = debye_ion_kind_get_name(kind, names);
  return name->residue != NULL ? name : &kind->amber;
}

static DebyeTopology *
make_topology(DebyeResult *result, const char *const *elements, gsize n)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  DebyeIonsSettings settings;
  debye_request_fill(debye_result_get_request(result), &settings);
  debye_topology_builder_set_title(builder, debye_result_get_title(result), -1);
  for (gsize i = 0; i < n; i++) {
    const DebyeIonKind *kind = debye_ion_kind_find_symbol(elements[i]);
    if (kind == NULL)
      return NULL;
    add_ion(builder, kind, choose_name(kind, settings.names), i + 1);
  }
  return debye_topology_builder_finish(builder);
}

DebyeTopology *
debye_ion_structure_new(DebyeResult *result, DebyeFrame **frame)
{
  DebyeTable *table = debye_result_find_table(result, DEBYE_IONS_TABLE);
  if (table == NULL)
    return NULL;
  const gsize n = debye_table_get_n_rows(table);
  const double *x = debye_table_find_numbers(table, "x"), *y = debye_table_find_numbers(table, "y"),
               *z = debye_table_find_numbers(table, "z");
  const char *const *elements = debye_table_find_texts(table, "element");
  if (n == 0 || x == NULL || y == NULL || z == NULL || elements == NULL)
    return NULL;
  g_autoptr(DebyeTopology) topology = make_topology(result, elements, n);
  g_autoptr(DebyeFrame) made = topology != NULL ? debye_frame_new(n) : NULL;
  if (made == NULL)
    return NULL;
  for (gsize i = 0; i < n; i++) {
    made->x[i] = (float)x[i];
    made->y[i] = (float)y[i];
    made->z[i] = (float)z[i];
  }
  *frame = g_steal_pointer(&made);
  return g_steal_pointer(&topology);
}

/* --- Files --- */

gboolean
debye_ion_structure_can_save(const char *path)
{
  g_autofree char *lower = g_ascii_strdown(path, -1);
  return g_str_has_suffix(lower, ".pdb") || g_str_has_suffix(lower, ".pqr");
}

/* Where each ion was placed and at what potential, as remarks of free text, which both formats know. */
static gboolean
write_remarks(DebyeResult *result, GOutputStream *stream, GError **error)
{
  DebyeTable *table = debye_result_find_table(result, DEBYE_IONS_TABLE);
  g_autoptr(DebyeTextWriter) text = debye_text_writer_new(stream);
  gsize column;
  const double *potential =
      debye_table_find_column(table, "potential", &column) ? debye_table_get_numbers(table, column) : NULL;
  debye_text_writer_put_string(text, "REMARK   6 PLACED BY DEBYE, IN THIS ORDER AND AT THESE POTENTIALS");
  for (gsize i = 0; potential != NULL && i < debye_table_get_n_rows(table); i++) {
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    g_autofree char *line = g_strdup_printf("\nREMARK   6 ION %5" G_GSIZE_FORMAT "  %s ", i + 1,
                                            g_ascii_formatd(number, sizeof number, "%.6g", potential[i]));
    debye_text_writer_put_string(text, line);
    debye_text_writer_put_one_line(text, debye_table_get_quantity(table, column)->unit);
  }
  debye_text_writer_put_string(text, "\n");
  return debye_text_writer_finish(text, error);
}

static gboolean
write_structure(const DebyeFormat *format, DebyeTopology *topology, const DebyeFrame *frame,
                GOutputStream *stream, GError **error)
{
  gpointer writer = format->writer_new(stream, topology, debye_topology_get_n_atoms(topology), 1, error);
  if (writer == NULL)
    return FALSE;
  if (format->write_frame(writer, frame, error))
    return format->writer_finish(writer, error);
  format->writer_finish(writer, NULL);
  return FALSE;
}

gboolean
debye_ion_structure_save(DebyeResult *result, const char *path, GError **error)
{
  g_autoptr(DebyeFrame) frame = NULL;
  g_autoptr(DebyeTopology) topology = debye_ion_structure_new(result, &frame);
  if (topology == NULL)
    return debye_error_set(error, DEBYE_ERROR_MISSING, "%s: expected a result with ions to write, found none",
                           path);
  const DebyeFormat *format = debye_format_for_writing(path, error);
  g_autoptr(DebyeReplaceFile) file = format != NULL ? debye_replace_file_new(path, error) : NULL;
  if (file == NULL)
    return FALSE;
  if (write_remarks(result, debye_replace_file_get_stream(file), error) &&
      write_structure(format, topology, frame, debye_replace_file_get_stream(file), error))
    return debye_replace_file_commit(g_steal_pointer(&file), error);
  debye_error_prefix(error, "%s: ", path);
  return FALSE;
}
