/* SPDX-License-Identifier: MIT */
/* CIF, the Crystallographic Information File, in both its kinds: mmCIF with the Cartesian coordinates of each
 * atom in one or several models, and the CIF of small molecules and minerals with fractional coordinates and
 * symmetry, of which the whole cell is made. */
#include "cif_crystal.h"
#include "cif_site.h"
#include "cif_writer.h"
#include "data/files/error.h"
#include "data/formats/text_frames.h"

#include <math.h>
#include <string.h>

/* --- Recognising it --- */

static gboolean
begins_with(const char *line, gsize length, const char *word)
{
  gsize n = strlen(word);
  return length >= n && g_ascii_strncasecmp(line, word, n) == 0;
}

/* The first word that is no comment opens a data block. */
static int
probe(const guint8 *bytes, gsize n)
{
  DebyeTextHead head = debye_text_head(bytes, n);
  const char *line, *word;
  gsize length, word_length;
  while (debye_text_head_next(&head, &line, &length)) {
    const char *cursor = line;
    if (begins_with(line, length, "#\\#CIF_"))
      return 96;
    if (!debye_text_next_field(&cursor, line + length, &word, &word_length) || word[0] == '#')
      continue;
    return begins_with(word, word_length, "data_") ? 96 : 0;
  }
  return 0;
}

/* --- Which kind, and where its atoms are --- */

typedef struct {
  DebyeCifKind kind;
  gboolean is_in_loop;
  DebyeCifLayout *layout; /* of the loop */
  gboolean is_version_2;
  DebyeCell cell;
  gboolean has_cell;
} Site;

static void
site_clear(Site *site)
{
  g_clear_pointer(&site->layout, debye_cif_layout_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Site, site_clear)

static gboolean
find_site(DebyeCifWalk *walk, const DebyeCifRow *row, G_GNUC_UNUSED GError **error)
{
  Site *site = walk->data;
  if (site->kind != DEBYE_CIF_NO_SITES)
    return TRUE;
  site->kind = debye_cif_row_get_kind(row);
  site->is_in_loop = row->is_in_loop;
  site->is_version_2 = walk->is_version_2;
  if (site->kind != DEBYE_CIF_NO_SITES && row->is_in_loop)
    site->layout = debye_cif_layout_copy(walk->layout);
  walk->stop = site->has_cell && site->kind != DEBYE_CIF_NO_SITES;
  return TRUE;
}

static gboolean
find_cell(DebyeCifWalk *walk, const DebyeCifRow *row, G_GNUC_UNUSED GError **error)
{
  Site *site = walk->data;
  gboolean is_mistake;
  site->has_cell = debye_cif_read_cell(row, &site->cell, &is_mistake);
  walk->stop = site->kind != DEBYE_CIF_NO_SITES;
  return TRUE;
}

static void
find_in_block(DebyeCifWalk *walk, G_GNUC_UNUSED const char *name, G_GNUC_UNUSED gsize length)
{
  Site *site = walk->data;
  walk->stop = site->kind != DEBYE_CIF_NO_SITES;
  if (!walk->stop)
    site->has_cell = FALSE;
}

/* To the first atom, and further only where the cell comes after the atoms. */
static gboolean
find(DebyeInput *input, Site *site, GError **error)
{
  static const DebyeCifTable tables[] = {{debye_cif_site_columns, find_site},
                                         {debye_cif_cell_columns, find_cell}};
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  *site = (Site){0};
  DebyeCifWalk walk = {.lines = &lines,
                       .tables = tables,
                       .n_tables = G_N_ELEMENTS(tables),
                       .begin_block = find_in_block,
                       .data = site};
  g_autoptr(GError) problem = NULL;
  /* What is wrong behind the first atom is told by those who read on. */
  if (!debye_cif_walk(&walk, &problem) && site->kind == DEBYE_CIF_NO_SITES) {
    g_propagate_error(error, g_steal_pointer(&problem));
    return FALSE;
  }
  if (site->kind != DEBYE_CIF_NO_SITES)
    return TRUE;
  return debye_input_set_error(input, error, DEBYE_ERROR_MISSING,
                               "expected atoms (_atom_site with coordinates), found none");
}

/* --- The topology --- */

static gboolean
read_crystal_topology(DebyeInput *input, DebyeTopologyBuilder *builder, GError **error)
{
  g_autoptr(DebyeCifCrystal) crystal = debye_cif_crystal_read(input, error);
  if (crystal != NULL)
    debye_cif_crystal_add_to(crystal, builder);
  return crystal != NULL;
}

static gboolean
read_topology(DebyeInput *input, DebyeTopologyBuilder *builder, GError **error)
{
  g_auto(Site) site = {0};
  if (!find(input, &site, error))
    return FALSE;
  return site.kind == DEBYE_CIF_CRYSTAL ? read_crystal_topology(input, builder, error)
                                        : debye_cif_read_molecule(input, builder, error);
}

/* --- Models as frames --- */

typedef struct {
  DebyeTextFrames frames;
  DebyeFrameIndex *index;
  guint64 start;
  gsize n_atoms; /* of the model that is being counted */
  GString *model;
  gboolean has_bad_cell;
} Count;

static void
end_model(Count *count)
{
  if (count->n_atoms > 0)
    debye_text_add_frame(&count->frames, count->index, count->start, count->n_atoms, NAN);
  count->n_atoms = 0;
}

static gboolean
is_same_model(const Count *count, const DebyeCifValue *model)
{
  return count->model->len == model->length &&
         (model->length == 0 || memcmp(count->model->str, model->text, model->length) == 0);
}

static gboolean
count_atom(DebyeCifWalk *walk, const DebyeCifRow *row, G_GNUC_UNUSED GError **error)
{
  Count *count = walk->data;
  const DebyeCifValue *model = &row->values[DEBYE_CIF_SITE_MODEL];
  if (debye_cif_row_get_kind(row) != DEBYE_CIF_MOLECULE)
    return TRUE;
  if (!is_same_model(count, model)) {
    end_model(count);
    g_string_truncate(count->model, 0);
    g_string_append_len(count->model, model->text, (gssize)model->length);
  }
  if (count->n_atoms++ == 0)
    count->start = row->offset;
  return TRUE;
}

static gboolean
check_cell(DebyeCifWalk *walk, const DebyeCifRow *row, G_GNUC_UNUSED GError **error)
{
  Count *count = walk->data;
  DebyeCell cell;
  debye_cif_read_cell(row, &cell, &count->has_bad_cell);
  return TRUE;
}

static void
count_block(DebyeCifWalk *walk, G_GNUC_UNUSED const char *name, G_GNUC_UNUSED gsize length)
{
  const Count *count = walk->data;
  walk->stop = count->n_atoms > 0 || count->frames.n_frames > 0;
}

static gboolean
index_molecule(DebyeInput *input, DebyeFrameIndex *index, DebyeProgressFunc progress, gpointer data,
               GError **error)
{
  static const DebyeCifTable tables[] = {{debye_cif_site_columns, count_atom},
                                         {debye_cif_cell_columns, check_cell}};
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  g_autoptr(GString) model = g_string_new(NULL);
  Count count = {.index = index, .model = model};
  DebyeCifWalk walk = {.lines = &lines,
                       .tables = tables,
                       .n_tables = G_N_ELEMENTS(tables),
                       .begin_block = count_block,
                       .data = &count,
                       .progress = progress,
                       .progress_data = data};
  GError *problem = NULL;
  /* Where the file ends inside a model, that model doesn't count. */
  if (debye_cif_walk(&walk, &problem))
    end_model(&count);
  if (count.has_bad_cell)
    debye_frame_index_warn(index, "the lengths and angles of _cell do not describe a cell and are ignored");
  return debye_text_end_frames(&count.frames, index, input, problem, error);
}

static gboolean
index_frames(DebyeInput *input, DebyeFrameIndex *index, DebyeProgressFunc progress, gpointer data,
             GError **error)
{
  g_auto(Site) site = {0};
  if (!find(input, &site, error))
    return FALSE;
  if (site.kind == DEBYE_CIF_MOLECULE)
    return index_molecule(input, index, progress, data, error);
  g_autoptr(DebyeCifCrystal) crystal = debye_cif_crystal_read(input, error);
  if (crystal == NULL)
    return FALSE;
  const guint64 offset = 0;
  index->n_atoms = debye_cif_crystal_get_n_atoms(crystal);
  g_array_append_val(index->offsets, offset);
  return TRUE;
}

/* --- Reading a frame --- */

typedef struct {
  Site site;
  DebyeCifCrystal *crystal; /* NULL: a molecule */
} Reader;

static void
reader_free(gpointer data)
{
  Reader *reader = data;
  site_clear(&reader->site);
  g_clear_pointer(&reader->crystal, debye_cif_crystal_free);
  g_free(reader);
}

static gpointer
reader_new(DebyeInput *input, const DebyeFrameIndex *index, GError **error)
{
  Reader *reader = g_new0(Reader, 1);
  gboolean done = find(input, &reader->site, error);
  if (done && reader->site.kind == DEBYE_CIF_CRYSTAL) {
    reader->crystal = debye_cif_crystal_read(input, error);
    done = reader->crystal != NULL;
  }
  if (done && reader->crystal != NULL && debye_cif_crystal_get_n_atoms(reader->crystal) != index->n_atoms) {
    debye_input_set_changed(input, error);
    done = FALSE;
  }
  if (done)
    return reader;
  reader_free(reader);
  return NULL;
}

static gboolean
put_position(const DebyeCifWalk *walk, const DebyeCifRow *row, DebyeFrame *frame, gsize atom, GError **error)
{
  double position[3];
  if (!debye_cif_row_get_position(walk, row, position, error))
    return FALSE;
  frame->x[atom] = (float)position[0];
  frame->y[atom] = (float)position[1];
  frame->z[atom] = (float)position[2];
  return TRUE;
}

static gboolean
read_loop(DebyeCifWalk *walk, const Site *site, DebyeFrame *frame, GError **error)
{
  g_auto(DebyeCifScanner) scanner;
  g_auto(DebyeCifRowReader) rows;
  debye_cif_scanner_init(&scanner, walk->lines);
  debye_cif_row_reader_init(&rows);
  scanner.is_version_2 = site->is_version_2;
  if (!debye_cif_scanner_next(&scanner, error))
    return FALSE;
  for (gsize atom = 0; atom < frame->n_atoms; atom++)
    if (!debye_cif_row_reader_read(&rows, site->layout, &scanner, error) ||
        !put_position(walk, &rows.row, frame, atom, error))
      return FALSE;
  return TRUE;
}

static gboolean
take_single(DebyeCifWalk *walk, const DebyeCifRow *row, GError **error)
{
  walk->stop = TRUE;
  return debye_cif_row_get_kind(row) != DEBYE_CIF_MOLECULE || put_position(walk, row, walk->data, 0, error);
}

/* One atom whose items stand one by one: its values may be anywhere. */
static gboolean
read_single(DebyeCifWalk *walk, DebyeFrame *frame, GError **error)
{
  static const DebyeCifTable table = {debye_cif_site_columns, take_single};
  walk->tables = &table;
  walk->n_tables = 1;
  walk->data = frame;
  return debye_cif_walk(walk, error);
}

static gboolean
parse_frame(DebyeLineReader *lines, gpointer state, DebyeFrame *frame, GError **error)
{
  const Reader *reader = state;
  DebyeCifWalk walk = {.lines = lines};
  if (reader->crystal != NULL) {
    debye_cif_crystal_fill_frame(reader->crystal, frame);
    return TRUE;
  }
  frame->cell = reader->site.cell;
  frame->has_cell = reader->site.has_cell;
  return reader->site.is_in_loop ? read_loop(&walk, &reader->site, frame, error)
                                 : read_single(&walk, frame, error);
}

DEBYE_TEXT_READ_FRAME(parse_frame)

const DebyeFormat debye_format_cif = {
    .name = "cif",
    .title = "Crystallographic Information File (CIF, mmCIF)",
    .suffixes = (const char *const[]){"cif", "mmcif", "pdbx", "mcif", NULL},
    .probe = probe,
    .read_topology = read_topology,
    .index_frames = index_frames,
    .reader_new = reader_new,
    .read_frame = read_frame,
    .reader_free = reader_free,
    .write_flags = DEBYE_WRITE_TOPOLOGY | DEBYE_WRITE_MANY | DEBYE_WRITE_CHARGES,
    .writer_new = debye_cif_writer_new,
    .write_frame = debye_cif_writer_write,
    .writer_finish = debye_cif_writer_finish,
};
