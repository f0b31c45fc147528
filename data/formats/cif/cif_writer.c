/* SPDX-License-Identifier: MIT */
/* Implementation of cif_writer.h. */
#include "cif_writer.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/files/text_fields.h"
#include "data/tables/elements.h"

#define EXACT "%.9g" /* single precision is the same again */

typedef struct {
  DebyeTextWriter *text;
  DebyeTopology *topology;
  gsize n_written;
  gboolean has_cell; /* of the first frame: there is one cell in the file */
  double cell[6];    /* lengths and angles */
} Writer;

/* --- Values --- */

/* A value that is there: what is no word of letters and figures is quoted, by the quote that it has not; one with
 * both is a text of its own line. */
static void
put_given(DebyeTextWriter *text, const char *value)
{
  gboolean is_word = *value != '\0' && strcmp(value, ".") != 0;
  for (const char *c = value; *c != '\0'; c++)
    is_word = is_word && (g_ascii_isalnum(*c) || strchr("+-*.", *c) != NULL);
  const gboolean has_single = strchr(value, '\'') != NULL, has_double = strchr(value, '"') != NULL;
  if (has_single && has_double)
    debye_text_put_formatted(text, "\n;%s\n;", value);
  else
    debye_text_put_formatted(text, is_word ? " %s" : has_double ? " '%s'" : " \"%s\"", value);
}

static void
put_value(DebyeTextWriter *text, const char *value)
{
  if (*value != '\0')
    put_given(text, value);
  else
    debye_text_writer_put_string(text, " .");
}

static void
put_number(DebyeTextWriter *text, double value, const char *format)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  debye_text_put_formatted(text, " %s",
                           isnan(value) ? "." : g_ascii_formatd(number, sizeof number, format, value));
}

/* What is no number (nan, inf) is written as such, and so read again. */
static void
put_position(DebyeTextWriter *text, float position)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  debye_text_put_formatted(
      text, " %s", isnan(position) ? "nan" : g_ascii_formatd(number, sizeof number, EXACT, (double)position));
}

static void
put_column(DebyeTextWriter *text, const float *column, gsize atom, const char *format)
{
  put_number(text, column != NULL ? (double)column[atom] : NAN, format);
}

static const char *
get_string(const Writer *writer, guint32 code)
{
  return debye_string_pool_get(debye_topology_get_string_pool(writer->topology), code);
}

static const char *
get_altloc(const Writer *writer, gsize atom)
{
  const guint32 *altlocs = debye_topology_get_altlocs(writer->topology);
  return altlocs != NULL ? get_string(writer, altlocs[atom]) : "";
}

static const DebyeResidue *
get_residue(const Writer *writer, gsize atom)
{
  return &debye_topology_get_residue_table(
      writer->topology)[debye_topology_get_residues(writer->topology)[atom]];
}

static const char *
get_segment(const Writer *writer, const DebyeResidue *residue)
{
  const char *segment = get_string(writer, residue->segment);
  return *segment != '\0' ? segment : get_string(writer, residue->chain);
}

static const char *
get_symbol(const Writer *writer, gsize atom)
{
  return debye_element_get_isotope_symbol(debye_topology_get_elements(writer->topology)[atom],
                                          (double)debye_topology_get_masses(writer->topology)[atom]);
}

static void
put_insertion_code(const Writer *writer, const DebyeResidue *residue)
{
  put_value(writer->text, (const char[2]){residue->insertion_code, '\0'});
}

/* --- Head and bonds --- */

static void
write_cell(const Writer *writer)
{
  static const char *const items[] = {"length_a",    "length_b",   "length_c",
                                      "angle_alpha", "angle_beta", "angle_gamma"};
  for (int k = 0; writer->has_cell && k < 6; k++) {
    debye_text_put_formatted(writer->text, "_cell.%s", items[k]);
    put_number(writer->text, writer->cell[k], "%.4f");
    debye_text_writer_put_string(writer->text, "\n");
  }
}

static void
write_head(const Writer *writer)
{
  const char *title = debye_topology_get_title(writer->topology);
  debye_text_writer_put_string(writer->text, "data_structure\n");
  if (title != NULL && *title != '\0' && strchr(title, '\n') == NULL) {
    debye_text_writer_put_string(writer->text, "_struct.title");
    put_value(writer->text, title);
    debye_text_writer_put_string(writer->text, "\n");
  }
  write_cell(writer);
}

static void
write_partner(const Writer *writer, gsize atom)
{
  const DebyeResidue *residue = get_residue(writer, atom);
  put_given(writer->text, get_string(writer, residue->chain));
  put_value(writer->text, get_string(writer, residue->name));
  debye_text_put_formatted(writer->text, " %d", residue->number);
  put_value(writer->text, get_string(writer, debye_topology_get_names(writer->topology)[atom]));
  put_value(writer->text, get_altloc(writer, atom));
  put_insertion_code(writer, residue);
  debye_text_put_formatted(writer->text, " %" G_GSIZE_FORMAT, atom + 1);
}

/* Other programs know the partners by their names; these may come again in the file, and Debye reads the ids. */
static void
write_bonds(const Writer *writer)
{
  static const char *const items[] = {"auth_asym_id", "auth_comp_id", "auth_seq_id", "label_atom_id"};
  gsize n_bonds;
  const DebyeBond *bonds = debye_topology_get_bonds(writer->topology, &n_bonds);
  if (n_bonds == 0)
    return;
  debye_text_writer_put_string(writer->text, "loop_\n_struct_conn.id\n_struct_conn.conn_type_id\n");
  for (int side = 1; side <= 2; side++) {
    for (gsize k = 0; k < G_N_ELEMENTS(items); k++)
      debye_text_put_formatted(writer->text, "_struct_conn.ptnr%d_%s\n", side, items[k]);
    debye_text_put_formatted(writer->text,
                             "_struct_conn.pdbx_ptnr%d_label_alt_id\n_struct_conn.pdbx_ptnr%d_PDB_ins_code\n"
                             "_struct_conn.debye_ptnr%d_atom_id\n",
                             side, side, side);
  }
  for (gsize b = 0; b < n_bonds; b++) {
    debye_text_put_formatted(writer->text, "bond%" G_GSIZE_FORMAT " covale", b + 1);
    write_partner(writer, bonds[b].i);
    write_partner(writer, bonds[b].j);
    debye_text_writer_put_string(writer->text, "\n");
  }
}

/* --- Atoms --- */

static void
write_columns(const Writer *writer)
{
  static const char *const items[] = {"group_PDB",
                                      "id",
                                      "type_symbol",
                                      "label_atom_id",
                                      "label_alt_id",
                                      "label_comp_id",
                                      "label_asym_id",
                                      "label_entity_id",
                                      "label_seq_id",
                                      "pdbx_PDB_ins_code",
                                      "Cartn_x",
                                      "Cartn_y",
                                      "Cartn_z",
                                      "occupancy",
                                      "B_iso_or_equiv",
                                      "auth_seq_id",
                                      "auth_comp_id",
                                      "auth_asym_id",
                                      "auth_atom_id",
                                      "pdbx_PDB_model_num",
                                      "debye_partial_charge",
                                      "debye_radius"};
  debye_text_writer_put_string(writer->text, "loop_\n");
  for (gsize k = 0; k < G_N_ELEMENTS(items); k++)
    debye_text_put_formatted(writer->text, "_atom_site.%s\n", items[k]);
}

static void
write_atom(const Writer *writer, const DebyeFrame *frame, gsize atom)
{
  DebyeTextWriter *text = writer->text;
  DebyeTopology *topology = writer->topology;
  const DebyeResidue *residue = get_residue(writer, atom);
  const char *name = get_string(writer, debye_topology_get_names(topology)[atom]);
  const char *component = get_string(writer, residue->name);
  debye_text_put_formatted(text, "%s %" G_GSIZE_FORMAT,
                           debye_element_residue_is_biopolymer(component) ? "ATOM" : "HETATM",
                           writer->n_written * frame->n_atoms + atom + 1);
  put_value(text, get_symbol(writer, atom));
  put_value(text, name);
  put_value(text, get_altloc(writer, atom));
  put_value(text, component);
  put_value(text, get_segment(writer, residue));
  debye_text_put_formatted(text, " ? %d", residue->number);
  put_insertion_code(writer, residue);
  put_position(text, frame->x[atom]);
  put_position(text, frame->y[atom]);
  put_position(text, frame->z[atom]);
  put_column(text, debye_topology_get_occupancies(topology), atom, "%.2f");
  put_column(text, debye_topology_get_b_factors(topology), atom, "%.2f");
  debye_text_put_formatted(text, " %d", residue->number);
  put_value(text, component);
  /* Without a chain, an empty one: a “.” would hand the reader label_asym_id, a segment. */
  put_given(text, get_string(writer, residue->chain));
  put_value(text, name);
  debye_text_put_formatted(text, " %" G_GSIZE_FORMAT, writer->n_written + 1);
  put_column(text, debye_topology_get_charges(topology), atom, EXACT);
  put_column(text, debye_topology_get_radii(topology), atom, EXACT);
  debye_text_writer_put_string(text, "\n");
}

/* --- The format's functions --- */

gpointer
debye_cif_writer_new(GOutputStream *stream, DebyeTopology *topology, gsize n_atoms,
                     gsize n_frames G_GNUC_UNUSED, GError **error)
{
  if (topology == NULL || debye_topology_get_n_atoms(topology) != n_atoms) {
    debye_error_set(error, DEBYE_ERROR_MISSING, "mmCIF files need the names of the atoms they hold");
    return NULL;
  }
  Writer *writer = g_new0(Writer, 1);
  writer->text = debye_text_writer_new(stream);
  writer->topology = g_object_ref(topology);
  return writer;
}

static void
begin(Writer *writer, const DebyeFrame *frame)
{
  writer->has_cell = frame->has_cell;
  if (frame->has_cell)
    debye_cell_to_lengths_angles(&frame->cell, writer->cell, writer->cell + 3);
  write_head(writer);
  write_bonds(writer);
  write_columns(writer);
}

/* As far as the file's four decimals tell. */
static gboolean
has_same_cell(const Writer *writer, const DebyeFrame *frame)
{
  double cell[6];
  if (frame->has_cell != writer->has_cell || !frame->has_cell)
    return frame->has_cell == writer->has_cell;
  debye_cell_to_lengths_angles(&frame->cell, cell, cell + 3);
  for (int k = 0; k < 6; k++)
    if (fabs(cell[k] - writer->cell[k]) > 5e-5)
      return FALSE;
  return TRUE;
}

gboolean
debye_cif_writer_write(gpointer data, const DebyeFrame *frame, GError **error)
{
  Writer *writer = data;
  if (writer->n_written == 0) {
    begin(writer, frame);
  } else if (!has_same_cell(writer, frame)) {
    return debye_error_set(error, DEBYE_ERROR_WRITE,
                           "frame %" G_GSIZE_FORMAT ": the cell differs from the first frame's, and an mmCIF "
                           "file holds one. Write one frame, the same cell for all of them, or a .pdb or "
                           ".gro file",
                           frame->index);
  }
  for (gsize i = 0; i < frame->n_atoms; i++)
    write_atom(writer, frame, i);
  writer->n_written++;
  return TRUE;
}

gboolean
debye_cif_writer_finish(gpointer data, GError **error)
{
  Writer *writer = data;
  const gboolean done = error == NULL || debye_text_writer_finish(writer->text, error);
  debye_text_writer_free(writer->text);
  g_object_unref(writer->topology);
  g_free(writer);
  return done;
}
