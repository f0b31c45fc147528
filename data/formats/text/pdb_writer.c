/* SPDX-License-Identifier: MIT */
/* Writes PDB files for format_pdb.c, in the format's columns: hybrid-36 where numbers outgrow these, a model
 * for each of several frames, a CONECT record for each bond. */
#include "pdb_writer.h"

#include "data/tables/elements.h"
#include "data/files/error.h"
#include "pdb_records.h"
#include "data/formats/text_frames.h"
#include "data/messages/message.h"

#include <string.h>

gpointer
debye_pdb_writer_new(GOutputStream *stream, DebyeTopology *topology, gsize n_atoms, gsize n_frames,
                     GError **error)
{
  return debye_text_output_new(stream, topology, n_atoms, n_frames,
                               N_("PDB files need the names of the atoms they hold"), error);
}

static gboolean
write_cell(DebyeTextWriter *text, const DebyeFrame *frame)
{
  double lengths[3], angles[3];
  if (!frame->has_cell)
    return TRUE;
  debye_cell_to_lengths_angles(&frame->cell, lengths, angles);
  debye_text_writer_put_string(text, "CRYST1");
  for (int i = 0; i < 3; i++)
    if (!debye_text_put_fixed(text, lengths[i], 9, 3))
      return FALSE;
  for (int i = 0; i < 3; i++)
    if (!debye_text_put_fixed(text, angles[i], 7, 2))
      return FALSE;
  debye_text_writer_put_string(text, " P 1           1\n");
  return TRUE;
}

/* One- and two-letter symbols are right-justified in columns 13-14, unless the name needs all four. */
static void
write_name(DebyeTextWriter *text, const char *name, const char *symbol)
{
  gboolean begins_early =
      strlen(name) >= 4 || (strlen(symbol) == 2 && g_ascii_strncasecmp(name, symbol, 2) == 0);
  debye_text_writer_put(text, " ", begins_early ? 0 : 1);
  debye_text_put_padded(text, name, begins_early ? -4 : -3);
}

static gboolean
write_optional(DebyeTextWriter *text, const float *column, gsize atom, double otherwise)
{
  double value = column != NULL ? column[atom] : otherwise;
  return debye_text_put_fixed(text, CLAMP(value, -99.99, 999.99), 6, 2);
}

static const char *
get_symbol(DebyeTopology *topology, gsize atom)
{
  guint8 element = debye_topology_get_elements(topology)[atom];
  return debye_element_get_isotope_symbol(element, (double)debye_topology_get_masses(topology)[atom]);
}

static void
write_upper(DebyeTextWriter *text, const char *symbol, int width)
{
  g_autofree char *upper = g_ascii_strup(symbol, -1);
  debye_text_put_padded(text, upper, width);
}

/* One column: of a longer label the first letter. */
static void
write_altloc(const DebyeTextOutput *writer, gsize atom)
{
  const guint32 *altlocs = debye_topology_get_altlocs(writer->topology);
  const char *label =
      altlocs != NULL ? debye_string_pool_get(debye_topology_get_string_pool(writer->topology), altlocs[atom])
                      : "";
  debye_text_put_padded(writer->text, label, 1);
}

static void
write_identity(const DebyeTextOutput *writer, gsize atom)
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(writer->topology);
  const DebyeResidue *residue = &debye_topology_get_residue_table(
      writer->topology)[debye_topology_get_residues(writer->topology)[atom]];
  const char *residue_name = debye_string_pool_get(pool, residue->name);
  const char *chain = debye_string_pool_get(pool, residue->chain);
  char serial[8], number[8];
  debye_pdb_encode_hybrid36((gint64)atom + 1, 5, serial);
  debye_pdb_encode_hybrid36(residue->number, 4, number);
  debye_text_writer_put_string(writer->text,
                               debye_element_residue_is_biopolymer(residue_name) ? "ATOM  " : "HETATM");
  debye_text_writer_put_string(writer->text, serial);
  debye_text_writer_put_string(writer->text, " ");
  write_name(writer->text, debye_string_pool_get(pool, debye_topology_get_names(writer->topology)[atom]),
             get_symbol(writer->topology, atom));
  write_altloc(writer, atom);
  debye_text_put_padded(writer->text, residue_name, strlen(residue_name) > 3 ? -4 : 3);
  debye_text_writer_put_string(writer->text, strlen(residue_name) > 3 ? "" : " ");
  debye_text_put_padded(writer->text, chain, 1);
  debye_text_writer_put_string(writer->text, number);
  debye_text_put_formatted(writer->text, "%c   ",
                           residue->insertion_code != 0 ? residue->insertion_code : ' ');
}

static gboolean
write_atom(const DebyeTextOutput *writer, const DebyeFrame *frame, gsize atom, GError **error)
{
  DebyeTextWriter *text = writer->text;
  const float *position[3] = {frame->x, frame->y, frame->z};
  const DebyeStringPool *pool = debye_topology_get_string_pool(writer->topology);
  guint32 residue = debye_topology_get_residues(writer->topology)[atom];
  guint32 segment = debye_topology_get_residue_table(writer->topology)[residue].segment;
  write_identity(writer, atom);
  for (int axis = 0; axis < 3; axis++)
    if (!debye_text_put_fixed(text, position[axis][atom], 8, 3))
      return debye_error_set(error, DEBYE_ERROR_WRITE,
                             "frame %" G_GSIZE_FORMAT ", atom %" G_GSIZE_FORMAT ": expected a coordinate "
                             "that fits PDB's eight columns, found another",
                             frame->index, atom);
  write_optional(text, debye_topology_get_occupancies(writer->topology), atom, 1.0);
  write_optional(text, debye_topology_get_b_factors(writer->topology), atom, 0.0);
  debye_text_writer_put_string(text, "      ");
  debye_text_put_padded(text, debye_string_pool_get(pool, segment), -4);
  write_upper(text, get_symbol(writer->topology, atom), 2);
  debye_text_writer_put_string(text, "\n");
  return TRUE;
}

gboolean
debye_pdb_writer_write(gpointer data, const DebyeFrame *frame, GError **error)
{
  DebyeTextOutput *writer = data;
  if (!write_cell(writer->text, frame))
    return debye_error_set(error, DEBYE_ERROR_WRITE,
                           "frame %" G_GSIZE_FORMAT ": expected a cell that fits CRYST1, found another",
                           frame->index);
  if (writer->n_frames != 1)
    debye_text_put_formatted(writer->text, "MODEL     %4" G_GSIZE_FORMAT "\n", writer->n_written + 1);
  for (gsize atom = 0; atom < frame->n_atoms; atom++)
    if (!write_atom(writer, frame, atom, error))
      return FALSE;
  if (writer->n_frames != 1)
    debye_text_writer_put_string(writer->text, "ENDMDL\n");
  writer->n_written++;
  return TRUE;
}

static void
write_bonds(const DebyeTextOutput *writer)
{
  gsize n_bonds;
  const DebyeBond *bonds = debye_topology_get_bonds(writer->topology, &n_bonds);
  for (gsize b = 0; b < n_bonds; b++) {
    char serials[2][8];
    debye_pdb_encode_hybrid36((gint64)bonds[b].i + 1, 5, serials[0]);
    debye_pdb_encode_hybrid36((gint64)bonds[b].j + 1, 5, serials[1]);
    debye_text_put_formatted(writer->text, "CONECT%s%s\n", serials[0], serials[1]);
  }
}

gboolean
debye_pdb_writer_finish(gpointer data, GError **error)
{
  g_autoptr(DebyeTextOutput) writer = data;
  if (writer->n_written < writer->n_frames)
    debye_text_put_formatted(writer->text,
                             "REMARK   6 PARTIAL: %" G_GSIZE_FORMAT " OF %" G_GSIZE_FORMAT " FRAMES\n",
                             writer->n_written, writer->n_frames);
  write_bonds(writer);
  debye_text_writer_put_string(writer->text, "END\n");
  return error == NULL || debye_text_writer_finish(writer->text, error);
}
