/* SPDX-License-Identifier: MIT */
/* Coordinates as a table for other programs: a commented header block, a row of column names, a row an atom.
 * Seventeen significant digits: what is read back is what was written, to the last bit. Only written. */
#include "data/files/error.h"
#include "data/tables/elements.h"
#include "data/files/text_fields.h"
#include "data/molecule/topology.h"
#include "data/molecule/frame.h"
#include "data/formats/format.h"

#include <string.h>

typedef struct {
  DebyeTextWriter *text;
  DebyeTopology *topology; /* NULL: elements are left empty */
  gsize n_atoms, n_frames, n_written;
} CsvWriter;

static gpointer
csv_writer_new(GOutputStream *stream, DebyeTopology *topology, gsize n_atoms, gsize n_frames, GError **error)
{
  CsvWriter *writer = g_new0(CsvWriter, 1);
  (void)error;
  writer->text = debye_text_writer_new(stream);
  writer->topology = topology ? g_object_ref(topology) : NULL;
  writer->n_atoms = n_atoms;
  writer->n_frames = n_frames;
  return writer;
}

static void
csv_writer_set_remarks(gpointer data, const char *const *remarks)
{
  const CsvWriter *writer = data;
  for (; *remarks != NULL; remarks++) {
    debye_text_writer_put_string(writer->text, "# ");
    debye_text_writer_put_one_line(writer->text, *remarks);
    debye_text_writer_put_string(writer->text, "\n");
  }
}

/* As long as that of all frames, which it may have to be written over. */
static char *
describe_state(const CsvWriter *writer, gsize n_written)
{
  g_autofree char *most = g_strdup_printf("%" G_GSIZE_FORMAT, writer->n_frames);
  return g_strdup_printf("# state: %-7s\n# frames_written: %-*" G_GSIZE_FORMAT "\n",
                         n_written < writer->n_frames ? "partial" : "whole", (int)strlen(most), n_written);
}

static void
put_header(const CsvWriter *writer)
{
  const char *title = writer->topology ? debye_topology_get_title(writer->topology) : NULL;
  g_autofree char *state = describe_state(writer, writer->n_frames);
  debye_text_writer_put_string(writer->text, "# content: coordinates\n");
  if (title && *title) {
    debye_text_writer_put_string(writer->text, "# title: ");
    debye_text_writer_put_one_line(writer->text, title);
    debye_text_writer_put_string(writer->text, "\n");
  }
  debye_text_put_formatted(writer->text, "# atoms: %" G_GSIZE_FORMAT "\n", writer->n_atoms);
  debye_text_writer_mark(writer->text);
  debye_text_writer_put_string(writer->text, state);
  debye_text_writer_put_string(writer->text, "# unit: angstrom\n# index: 0-based\n");
  debye_text_writer_put_string(writer->text, writer->n_frames > 1 ? "frame," : "");
  debye_text_writer_put_string(writer->text, "index,element,x,y,z\n");
}

static void
put_atom(const CsvWriter *writer, const DebyeFrame *frame, gsize atom)
{
  const double position[] = {frame->x[atom], frame->y[atom], frame->z[atom]};
  guint8 element = writer->topology ? debye_topology_get_elements(writer->topology)[atom] : 0;
  if (writer->n_frames > 1) {
    debye_text_writer_put_size(writer->text, frame->index);
    debye_text_writer_put(writer->text, ",", 1);
  }
  debye_text_writer_put_size(writer->text, atom);
  debye_text_writer_put(writer->text, ",", 1);
  if (element > 0)
    debye_text_writer_put_string(writer->text, debye_element_get(element)->symbol);
  for (int axis = 0; axis < 3; axis++) {
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    debye_text_writer_put(writer->text, ",", 1);
    debye_text_writer_put_string(writer->text,
                                 g_ascii_formatd(digits, sizeof digits, "%.17g", position[axis]));
  }
  debye_text_writer_put(writer->text, "\n", 1);
}

static gboolean
csv_write_frame(gpointer data, const DebyeFrame *frame, GError **error)
{
  CsvWriter *writer = data;
  if (frame->n_atoms != writer->n_atoms)
    return debye_error_set(error, DEBYE_ERROR_MISMATCH,
                           "the table: expected a frame of %" G_GSIZE_FORMAT " atoms, found %" G_GSIZE_FORMAT,
                           writer->n_atoms, frame->n_atoms);
  if (writer->n_written++ == 0)
    put_header(writer);
  for (gsize i = 0; i < frame->n_atoms; i++)
    put_atom(writer, frame, i);
  return !debye_text_writer_failed(writer->text) || debye_text_writer_finish(writer->text, error);
}

static gboolean
csv_writer_finish(gpointer data, GError **error)
{
  CsvWriter *writer = data;
  if (writer->n_written == 0)
    put_header(writer);
  g_autofree char *state = describe_state(writer, writer->n_written);
  gboolean done = error == NULL || debye_text_writer_finish_over(writer->text, state, error);
  debye_text_writer_free(writer->text);
  g_clear_object(&writer->topology);
  g_free(writer);
  return done;
}

const DebyeFormat debye_format_csv = {
    .name = "csv",
    .title = "Comma-separated values",
    .suffixes = (const char *const[]){"csv", NULL},
    .write_flags = DEBYE_WRITE_MANY,
    .writer_new = csv_writer_new,
    .writer_set_remarks = csv_writer_set_remarks,
    .write_frame = csv_write_frame,
    .writer_finish = csv_writer_finish,
};
