/* SPDX-License-Identifier: MIT */
/* Writes GRO files for format_gro.c, in the fixed columns that every program reads: three decimals in nm,
 * four for velocities. */
#include "gro_writer.h"

#include "data/files/error.h"
#include "data/formats/text_frames.h"

#include <math.h>

#define NM 10.0 /* in Å */

typedef struct {
  DebyeTextWriter *text;
  DebyeTopology *topology;
  gsize n_frames, n_written;
} Writer;

gpointer
debye_gro_writer_new(GOutputStream *stream, DebyeTopology *topology, gsize n_atoms, gsize n_frames,
                     GError **error)
{
  if (topology == NULL || debye_topology_get_n_atoms(topology) != n_atoms) {
    debye_error_set(error, DEBYE_ERROR_MISSING, "GRO files need the names of the atoms they hold");
    return NULL;
  }
  Writer *writer = g_new0(Writer, 1);
  writer->text = debye_text_writer_new(stream);
  writer->topology = g_object_ref(topology);
  writer->n_frames = n_frames;
  return writer;
}

static void
write_head(const Writer *writer, const DebyeFrame *frame)
{
  char time[G_ASCII_DTOSTR_BUF_SIZE];
  const char *title = debye_topology_get_title(writer->topology);
  debye_text_writer_put_one_line(writer->text, title[0] != '\0' ? title : "Written by Debye");
  if (isfinite(frame->time))
    debye_text_put_formatted(writer->text, " t= %s", g_ascii_formatd(time, sizeof time, "%.5f", frame->time));
  if (frame->step >= 0)
    debye_text_put_formatted(writer->text, " step= %" G_GINT64_FORMAT, frame->step);
  if (writer->n_written == 0 && writer->n_frames > 1)
    debye_text_put_room(writer->text, writer->n_frames);
  debye_text_put_formatted(writer->text, "\n%5" G_GSIZE_FORMAT "\n", frame->n_atoms);
}

static gboolean
write_atom(const Writer *writer, const DebyeFrame *frame, gsize atom)
{
  DebyeTextWriter *text = writer->text;
  const DebyeStringPool *pool = debye_topology_get_string_pool(writer->topology);
  const DebyeResidue *residue = &debye_topology_get_residue_table(
      writer->topology)[debye_topology_get_residues(writer->topology)[atom]];
  const float *position[] = {frame->x, frame->y, frame->z};
  const float *velocity[] = {frame->vx, frame->vy, frame->vz};
  /* Both counters start again after 99999, as GROMACS writes them. */
  debye_text_put_formatted(text, "%5d", residue->number % 100000);
  debye_text_put_padded(text, debye_string_pool_get(pool, residue->name), -5);
  debye_text_put_padded(text, debye_string_pool_get(pool, debye_topology_get_names(writer->topology)[atom]),
                        5);
  debye_text_put_formatted(text, "%5u", (guint)((atom + 1) % 100000));
  for (int axis = 0; axis < 3; axis++)
    if (!debye_text_put_fixed(text, position[axis][atom] / NM, 8, 3))
      return FALSE;
  for (int axis = 0; frame->vx != NULL && axis < 3; axis++)
    if (!debye_text_put_fixed(text, velocity[axis][atom] / NM, 8, 4))
      return FALSE;
  debye_text_writer_put_string(text, "\n");
  return TRUE;
}

static gboolean
write_box(DebyeTextWriter *text, const DebyeFrame *frame)
{
  const DebyeCell *cell = &frame->cell;
  const double numbers[9] = {cell->a.x, cell->b.y, cell->c.z, cell->a.y, cell->a.z,
                             cell->b.x, cell->b.z, cell->c.x, cell->c.y};
  gboolean is_rectangular = TRUE;
  for (int i = 3; i < 9; i++)
    is_rectangular = is_rectangular && numbers[i] == 0.0;
  for (int i = 0; i < (is_rectangular ? 3 : 9); i++)
    if (!debye_text_put_fixed(text, frame->has_cell ? numbers[i] / NM : 0.0, 10, 5))
      return FALSE;
  debye_text_writer_put_string(text, "\n");
  return TRUE;
}

gboolean
debye_gro_writer_write(gpointer data, const DebyeFrame *frame, GError **error)
{
  Writer *writer = data;
  gboolean fits = TRUE;
  gsize atom = 0;
  write_head(writer, frame);
  while (fits && atom < frame->n_atoms)
    fits = write_atom(writer, frame, atom++);
  if (fits && write_box(writer->text, frame)) {
    writer->n_written++;
    return TRUE;
  }
  debye_error_set(error, DEBYE_ERROR_WRITE,
                  "frame %" G_GSIZE_FORMAT ", %s %" G_GSIZE_FORMAT
                  ": expected numbers that fit GRO's columns, found others",
                  frame->index, fits ? "the box after atom" : "atom", atom - 1);
  return FALSE;
}

gboolean
debye_gro_writer_finish(gpointer data, GError **error)
{
  Writer *writer = data;
  gboolean done =
      error == NULL || debye_text_finish_frames(writer->text, writer->n_written, writer->n_frames, error);
  debye_text_writer_free(writer->text);
  g_object_unref(writer->topology);
  g_free(writer);
  return done;
}
