/* SPDX-License-Identifier: MIT */
/* Coordinates as a table for other programs: a commented header block, a row of column names, a row an atom.
 * Seventeen significant digits: what is read back is what was written, to the last bit. Only written. */
#include "error.h"
#include "elements.h"
#include "format.h"

typedef struct {
  GOutputStream *stream;
  DebyeTopology *topology; /* NULL: elements are left empty */
  gsize n_frames;
  GString *text;
} CsvWriter;

static void
csv_writer_free(CsvWriter *writer)
{
  g_clear_object(&writer->stream);
  g_clear_object(&writer->topology);
  g_string_free(writer->text, TRUE);
  g_free(writer);
}

static gboolean
flush(CsvWriter *writer, GError **error)
{
  g_autoptr(GError) reason = NULL;
  if (!g_output_stream_write_all(writer->stream, writer->text->str, writer->text->len, NULL, NULL, &reason)) {
    g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_WRITE, "the table can't be written: %s", reason->message);
    return FALSE;
  }
  g_string_truncate(writer->text, 0);
  return TRUE;
}

static void
append_header(CsvWriter *writer, gsize n_atoms)
{
  const char *title = writer->topology ? debye_topology_get_title(writer->topology) : NULL;
  g_string_append(writer->text, "# content: coordinates\n");
  if (title && *title) {
    g_autofree char *line = g_strdelimit(g_strdup(title), "\r\n", ' ');
    g_string_append_printf(writer->text, "# title: %s\n", line);
  }
  g_string_append_printf(writer->text, "# atoms: %" G_GSIZE_FORMAT "\n", n_atoms);
  g_string_append_printf(writer->text, "# frames: %" G_GSIZE_FORMAT "\n", writer->n_frames);
  g_string_append(writer->text, "# unit: angstrom\n# index: 0-based\n");
  g_string_append(writer->text,
                  writer->n_frames > 1 ? "frame,index,element,x,y,z\n" : "index,element,x,y,z\n");
}

static gpointer
csv_writer_new(GOutputStream *stream, DebyeTopology *topology, gsize n_atoms, gsize n_frames, GError **error)
{
  CsvWriter *writer = g_new0(CsvWriter, 1);
  writer->stream = g_object_ref(stream);
  writer->topology = topology ? g_object_ref(topology) : NULL;
  writer->n_frames = n_frames;
  writer->text = g_string_new(NULL);
  append_header(writer, n_atoms);
  if (flush(writer, error))
    return writer;
  csv_writer_free(writer);
  return NULL;
}

static void
append_number(GString *text, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  g_string_append_c(text, ',');
  g_string_append(text, g_ascii_formatd(digits, sizeof digits, "%.17g", value));
}

static void
append_atom(CsvWriter *writer, const DebyeFrame *frame, gsize atom)
{
  guint8 element = writer->topology ? debye_topology_get_elements(writer->topology)[atom] : 0;
  if (writer->n_frames > 1)
    g_string_append_printf(writer->text, "%" G_GSIZE_FORMAT ",", frame->index);
  g_string_append_printf(writer->text, "%" G_GSIZE_FORMAT ",", atom);
  if (element > 0)
    g_string_append(writer->text, debye_element_get(element)->symbol);
  append_number(writer->text, (double)frame->x[atom]);
  append_number(writer->text, (double)frame->y[atom]);
  append_number(writer->text, (double)frame->z[atom]);
  g_string_append_c(writer->text, '\n');
}

static gboolean
csv_write_frame(gpointer data, const DebyeFrame *frame, GError **error)
{
  CsvWriter *writer = data;
  const gsize block = 1 << 16;
  if (writer->topology && debye_topology_get_n_atoms(writer->topology) != frame->n_atoms) {
    g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_MISMATCH,
                "the table: expected a frame of %" G_GSIZE_FORMAT " atoms, found %" G_GSIZE_FORMAT,
                debye_topology_get_n_atoms(writer->topology), frame->n_atoms);
    return FALSE;
  }
  for (gsize i = 0; i < frame->n_atoms; i++) {
    append_atom(writer, frame, i);
    if (writer->text->len >= block && !flush(writer, error))
      return FALSE;
  }
  return flush(writer, error);
}

static gboolean
csv_writer_finish(gpointer data, GError **error)
{
  CsvWriter *writer = data;
  gboolean done = !error || flush(writer, error);
  csv_writer_free(writer);
  return done;
}

static const char *const suffixes[] = {"csv", NULL};

const DebyeFormat debye_format_csv = {
    .name = "csv",
    .title = "Comma-separated values",
    .suffixes = suffixes,
    .write_flags = DEBYE_WRITE_MANY,
    .writer_new = csv_writer_new,
    .write_frame = csv_write_frame,
    .writer_finish = csv_writer_finish,
};
