/* SPDX-License-Identifier: MIT */
/* MDTraj's HDF5 trajectories (mdtraj.org, “MDTraj HDF5 Format Specification” 1.1): coordinates in nm, the
 * cell by lengths and angles, and the topology as JSON. */
#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/formats/format.h"
#include "data/h5/h5_series.h"
#include "data/tables/unit.h"
#include "json_cursor.h"

#define NANOMETER 10.0 /* Å */

/* --- The topology as JSON: chains of residues of atoms, and bonds. Members come in any order, and a residue's name may
 * stand behind its atoms: each object is read twice, for what it says of itself and then for what it holds. --- */

typedef struct {
  DebyeTopologyBuilder *builder;
  GString *key, *text;
  GString *chain, *segment, *residue;
  gint32 number;
} Parser;

/* A string or a number as text; anything else is none. */
static void
read_text(DebyeJsonCursor *json, GString *text)
{
  double number;
  char c = debye_json_cursor_peek(json);
  g_string_truncate(text, 0);
  if (c == '"')
    debye_json_cursor_read_string(json, text);
  else if ((c == '-' || g_ascii_isdigit(c)) && debye_json_cursor_read_number(json, &number))
    g_string_printf(text, "%" G_GINT64_FORMAT, (gint64)CLAMP(number, -1e15, 1e15));
  else
    debye_json_cursor_skip(json);
}

static gint32
read_integer(DebyeJsonCursor *json, gint32 otherwise)
{
  double number;
  char c = debye_json_cursor_peek(json);
  if (c != '-' && !g_ascii_isdigit(c)) {
    debye_json_cursor_skip(json);
    return otherwise;
  }
  return debye_json_cursor_read_number(json, &number) ? (gint32)CLAMP(number, -2147483647.0, 2147483647.0)
                                                      : otherwise;
}

static gboolean
key_is(const Parser *parser, const char *key)
{
  return strcmp(parser->key->str, key) == 0;
}

/* --- Atoms --- */

static void
read_atom(Parser *parser, DebyeJsonCursor *json)
{
  g_autofree char *name = NULL, *element = NULL;
  if (!debye_json_cursor_begin_object(json))
    return;
  DebyeAtom atom = DEBYE_ATOM_INIT;
  while (debye_json_cursor_next_member(json, parser->key)) {
    if (key_is(parser, "name") && name == NULL) {
      read_text(json, parser->text);
      name = g_strdup(parser->text->str);
    } else if (key_is(parser, "element") && element == NULL) {
      read_text(json, parser->text);
      element = g_strdup(parser->text->str);
    } else if (key_is(parser, "serial"))
      atom.serial = read_integer(json, G_MININT32);
    else
      debye_json_cursor_skip(json);
  }
  if (json->expected != NULL)
    return;
  atom.name = name;
  atom.element = element;
  /* A virtual site has an element of its own there. */
  if (element != NULL && (strcmp(element, "VS") == 0 || strcmp(element, "EP") == 0))
    atom.atomic_number = 0;
  debye_topology_builder_add_atom(parser->builder, &atom);
}

/* --- Residues and chains --- */

typedef void (*ReadItem)(Parser *parser, DebyeJsonCursor *json);

static void
read_array(Parser *parser, DebyeJsonCursor *json, ReadItem read_item)
{
  if (!debye_json_cursor_begin_array(json))
    return;
  while (debye_json_cursor_next_element(json))
    read_item(parser, json);
}

/* What an object holds, at a place found before; a mistake in it is the whole text's. */
static void
read_contents(Parser *parser, DebyeJsonCursor *json, DebyeJsonCursor *contents, ReadItem read_item)
{
  if (contents->at == NULL || json->expected != NULL)
    return;
  read_array(parser, contents, read_item);
  if (contents->expected != NULL) {
    json->expected = contents->expected;
    json->at = contents->at;
  }
}

static void
read_residue(Parser *parser, DebyeJsonCursor *json)
{
  DebyeJsonCursor atoms = {0};
  parser->number = 0;
  g_string_truncate(parser->residue, 0);
  g_string_truncate(parser->segment, 0);
  if (!debye_json_cursor_begin_object(json))
    return;
  while (debye_json_cursor_next_member(json, parser->key)) {
    if (key_is(parser, "name"))
      read_text(json, parser->residue);
    else if (key_is(parser, "segmentID"))
      read_text(json, parser->segment);
    else if (key_is(parser, "resSeq"))
      parser->number = read_integer(json, 0);
    else {
      if (key_is(parser, "atoms"))
        atoms = *json;
      debye_json_cursor_skip(json);
    }
  }
  debye_topology_builder_new_residue(parser->builder);
  debye_topology_builder_set_residue(parser->builder, parser->residue->str, -1, parser->number, '\0',
                                     parser->chain->str, -1, parser->segment->str, -1);
  read_contents(parser, json, &atoms, read_atom);
}

/* Older files count chains and give them no names. */
static void
read_chain(Parser *parser, DebyeJsonCursor *json)
{
  DebyeJsonCursor residues = {0};
  gboolean is_named = FALSE;
  g_string_truncate(parser->chain, 0);
  if (!debye_json_cursor_begin_object(json))
    return;
  while (debye_json_cursor_next_member(json, parser->key)) {
    gboolean is_name = key_is(parser, "chain_id");
    if (key_is(parser, "residues"))
      residues = *json;
    if (is_name || (key_is(parser, "index") && !is_named)) {
      read_text(json, parser->text);
      if (parser->text->len > 0)
        g_string_assign(parser->chain, parser->text->str);
      is_named = is_named || (is_name && parser->text->len > 0);
    } else {
      debye_json_cursor_skip(json);
    }
  }
  read_contents(parser, json, &residues, read_residue);
}

/* [i, j] or [i, j, kind, order]. */
static void
read_bond(Parser *parser, DebyeJsonCursor *json)
{
  gint32 atoms[2] = {-1, -1};
  if (!debye_json_cursor_begin_array(json))
    return;
  for (gsize i = 0; debye_json_cursor_next_element(json); i++) {
    if (i < 2)
      atoms[i] = read_integer(json, -1);
    else
      debye_json_cursor_skip(json);
  }
  if (json->expected == NULL)
    debye_topology_builder_add_bond(parser->builder, atoms[0], atoms[1]);
}

static void
read_chains_and_bonds(Parser *parser, DebyeJsonCursor *json)
{
  if (!debye_json_cursor_begin_object(json))
    return;
  while (debye_json_cursor_next_member(json, parser->key)) {
    if (key_is(parser, "chains"))
      read_array(parser, json, read_chain);
    else if (key_is(parser, "bonds"))
      read_array(parser, json, read_bond);
    else
      debye_json_cursor_skip(json);
  }
}

/* FALSE with the mistake in `problem` (one clause, to be freed). */
static gboolean
read_json(const char *text, gsize length, DebyeTopologyBuilder *builder, char **problem)
{
  g_autoptr(GString) key = g_string_new(NULL);
  g_autoptr(GString) value = g_string_new(NULL);
  g_autoptr(GString) chain = g_string_new(NULL);
  g_autoptr(GString) segment = g_string_new(NULL);
  g_autoptr(GString) residue = g_string_new(NULL);
  Parser parser = {
      .builder = builder, .key = key, .text = value, .chain = chain, .segment = segment, .residue = residue};
  DebyeJsonCursor json;
  debye_json_cursor_init(&json, text, length);
  read_chains_and_bonds(&parser, &json);
  *problem = debye_json_cursor_describe_mistake(&json);
  return *problem == NULL;
}

/* --- What it is --- */

static int
probe(const guint8 *head, gsize n)
{
  static const guint8 signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  return n >= sizeof signature && memcmp(head, signature, sizeof signature) == 0 ? 1 : 0;
}

/* Coordinates alone are in other HDF5 files too. */
static int
look(DebyeInput *input)
{
  DEBYE_H5_LOCKED();
  g_auto(DebyeH5File) file = debye_h5_open_input(input, NULL);
  if (file < 0)
    return 0;
  g_auto(DebyeH5Dataset) coordinates = debye_h5_open_dataset(file, "coordinates");
  g_auto(DebyeH5Dataset) topology = debye_h5_open_dataset(file, "topology");
  g_autofree char *conventions = debye_h5_find_string(file, "conventions", input);
  if (coordinates < 0)
    return 0;
  if (conventions != NULL && strstr(conventions, "Pande") != NULL)
    return 97;
  return topology >= 0 ? 60 : 0;
}

/* --- The file --- */

typedef struct {
  hid_t file;
  gsize n_atoms, n_frames;
  DebyeH5Series *coordinates, *velocities, *lengths, *angles; /* NULL: none, but for the first */
  double *times;                                              /* ps; NULL: none */
  gsize n_times;
  double length_scale, velocity_scale, cell_scale, time_scale;
} File;

static void
file_close(File *file)
{
  g_clear_pointer(&file->coordinates, debye_h5_series_free);
  g_clear_pointer(&file->velocities, debye_h5_series_free);
  g_clear_pointer(&file->lengths, debye_h5_series_free);
  g_clear_pointer(&file->angles, debye_h5_series_free);
  g_free(file->times);
  if (file->file >= 0)
    H5Fclose(file->file);
  g_free(file);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(File, file_close)

static double
find_scale(hid_t dataset, DebyeInput *input, DebyeUnitKind kind, double otherwise)
{
  g_autofree char *units = debye_h5_find_string(dataset, "units", input);
  double scale;
  return debye_unit_get_scale(units, kind, &scale) ? scale : otherwise;
}

static DebyeH5Series *
open_series(const File *file, const char *name, int rank, DebyeInput *input)
{
  hid_t dataset = debye_h5_open_dataset(file->file, name);
  if (dataset < 0)
    return NULL;
  g_autoptr(DebyeH5Series) series =
      debye_h5_series_new(dataset, FALSE, rank, H5T_NATIVE_FLOAT, debye_input_get_size(input));
  gboolean fits = series != NULL && series->rank == rank && series->shape[rank - 1] == 3 &&
                  (file->coordinates == NULL || series->n_frames == file->n_frames);
  return fits ? g_steal_pointer(&series) : NULL;
}

static void
open_times(File *file, DebyeInput *input)
{
  gboolean is_scalar;
  g_auto(DebyeH5Dataset) time = debye_h5_open_dataset(file->file, "time");
  if (time < 0)
    return;
  file->times = debye_h5_get_doubles(time, debye_input_get_size(input), &file->n_times, &is_scalar);
  file->time_scale = find_scale(time, input, DEBYE_UNIT_TIME, 1.0);
}

static void
open_cell(File *file, DebyeInput *input)
{
  file->lengths = open_series(file, "cell_lengths", 2, input);
  file->angles = open_series(file, "cell_angles", 2, input);
  if (file->lengths != NULL)
    file->cell_scale = find_scale(file->lengths->dataset, input, DEBYE_UNIT_LENGTH, NANOMETER);
}

static File *
file_open(DebyeInput *input, GError **error)
{
  g_autoptr(File) file = g_new0(File, 1);
  file->file = debye_h5_open_input(input, error);
  if (file->file < 0)
    return NULL;
  file->coordinates = open_series(file, "coordinates", 3, input);
  if (file->coordinates == NULL || file->coordinates->n_frames >= G_MAXUINT ||
      file->coordinates->shape[1] >= G_MAXUINT32)
    return debye_null(debye_input_set_error(
        input, error, DEBYE_ERROR_MISSING,
        "expected coordinates of three numbers per atom and frame, found none that the file can hold"));
  file->n_frames = file->coordinates->n_frames;
  file->n_atoms = (gsize)file->coordinates->shape[1];
  file->length_scale = find_scale(file->coordinates->dataset, input, DEBYE_UNIT_LENGTH, NANOMETER);
  file->velocities = open_series(file, "velocities", 3, input);
  if (file->velocities != NULL && file->velocities->n_values != file->coordinates->n_values)
    g_clear_pointer(&file->velocities, debye_h5_series_free);
  if (file->velocities != NULL)
    file->velocity_scale = find_scale(file->velocities->dataset, input, DEBYE_UNIT_VELOCITY, NANOMETER);
  open_times(file, input);
  open_cell(file, input);
  return g_steal_pointer(&file);
}

static double
get_time(const File *file, gsize frame_number)
{
  return frame_number < file->n_times ? file->times[frame_number] * file->time_scale : NAN;
}

/* --- The topology --- */

static gboolean
parse_topology(const char *text, const File *file, DebyeInput *input, DebyeTopologyBuilder *builder,
               GError **error)
{
  g_autofree char *problem = NULL;
  if (!read_json(text, strlen(text), builder, &problem))
    return debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX, "the topology's JSON: %s", problem);
  gsize n_atoms = debye_topology_builder_get_n_atoms(builder);
  if (n_atoms == file->n_atoms)
    return TRUE;
  return debye_input_set_error(input, error, DEBYE_ERROR_MISMATCH,
                               "expected the %" G_GSIZE_FORMAT " atoms of the coordinates in the topology, "
                               "found %" G_GSIZE_FORMAT,
                               file->n_atoms, n_atoms);
}

static gboolean
read_topology(DebyeInput *input, DebyeTopologyBuilder *builder, GError **error)
{
  DEBYE_H5_LOCKED();
  g_autoptr(File) file = file_open(input, error);
  if (file == NULL)
    return FALSE;
  g_auto(GStrv) texts = debye_h5_get_strings(file->file, "topology", debye_input_get_size(input));
  if (texts != NULL && texts[0] != NULL)
    return parse_topology(texts[0], file, input, builder, error);
  const DebyeAtom atom = DEBYE_ATOM_INIT;
  for (gsize i = 0; i < file->n_atoms; i++)
    debye_topology_builder_add_atom(builder, &atom);
  return TRUE;
}

/* --- Frames --- */

static gboolean
index_frames(DebyeInput *input, DebyeFrameIndex *index, G_GNUC_UNUSED DebyeProgressFunc progress,
             G_GNUC_UNUSED gpointer data, GError **error)
{
  DEBYE_H5_LOCKED();
  g_autoptr(File) file = file_open(input, error);
  if (file == NULL)
    return FALSE;
  index->n_atoms = file->n_atoms;
  for (guint64 k = 0; k < file->n_frames; k++)
    g_array_append_val(index->offsets, k);
  index->first_time = get_time(file, 0);
  index->last_time = get_time(file, file->n_frames - 1);
  if (file->n_frames > 1)
    index->time_step = (index->last_time - index->first_time) / (double)(file->n_frames - 1);
  return TRUE;
}

static gpointer
reader_new(DebyeInput *input, const DebyeFrameIndex *index, GError **error)
{
  DEBYE_H5_LOCKED();
  g_autoptr(File) file = file_open(input, error);
  if (file == NULL)
    return NULL;
  if (file->n_atoms == index->n_atoms && file->n_frames == index->offsets->len)
    return g_steal_pointer(&file);
  return debye_null(debye_input_set_changed(input, error));
}

static void
reader_free(gpointer reader)
{
  DEBYE_H5_LOCKED();
  file_close(reader);
}

static gboolean
read_vectors(DebyeH5Series *series, gsize frame_number, gsize n_atoms, double scale, float *x, float *y,
             float *z, GError **error)
{
  const float *values = debye_h5_series_read(series, frame_number, error);
  float factor = (float)scale;
  if (values == NULL)
    return FALSE;
  for (gsize i = 0; i < n_atoms; i++) {
    x[i] = factor * values[3 * i];
    y[i] = factor * values[3 * i + 1];
    z[i] = factor * values[3 * i + 2];
  }
  return TRUE;
}

/* Angles that are missing are right ones. */
static gboolean
read_cell(const File *file, gsize frame_number, DebyeFrame *frame, GError **error)
{
  double lengths[3], angles[3] = {90.0, 90.0, 90.0};
  frame->has_cell = FALSE;
  frame->cell = (DebyeCell){0};
  if (file->lengths == NULL)
    return TRUE;
  const float *values = debye_h5_series_read(file->lengths, frame_number, error);
  if (values == NULL)
    return FALSE;
  for (int i = 0; i < 3; i++)
    lengths[i] = (double)values[i] * file->cell_scale;
  values = file->angles != NULL ? debye_h5_series_read(file->angles, frame_number, error) : NULL;
  if (file->angles != NULL && values == NULL)
    return FALSE;
  for (int i = 0; i < 3 && values != NULL; i++)
    angles[i] = (double)values[i];
  frame->has_cell = debye_cell_from_lengths_angles(&frame->cell, lengths, angles);
  return TRUE;
}

static gboolean
read_velocities(const File *file, gsize frame_number, DebyeFrame *frame, GError **error)
{
  frame->vx = frame->vy = frame->vz = NULL;
  if (file->velocities == NULL)
    return TRUE;
  if (!debye_frame_add_velocities(frame))
    return debye_error_set_memory(error, NULL, frame->n_atoms, "velocities");
  return read_vectors(file->velocities, frame_number, frame->n_atoms, file->velocity_scale, frame->vx,
                      frame->vy, frame->vz, error);
}

static gboolean
read_frame(gpointer reader, DebyeInput *input, G_GNUC_UNUSED const DebyeFrameIndex *index, gsize frame_number,
           DebyeFrame *frame, GError **error)
{
  DEBYE_H5_LOCKED();
  const File *file = reader;
  if (!read_vectors(file->coordinates, frame_number, frame->n_atoms, file->length_scale, frame->x, frame->y,
                    frame->z, error) ||
      !read_velocities(file, frame_number, frame, error) || !read_cell(file, frame_number, frame, error)) {
    debye_error_prefix(error, "%s: frame %" G_GSIZE_FORMAT ": ", debye_input_get_name(input), frame_number);
    return FALSE;
  }
  frame->time = get_time(file, frame_number);
  frame->step = -1;
  frame->index = frame_number;
  debye_frame_check(frame);
  return TRUE;
}

/* HDF5 stands behind one lock. */
static gboolean
has_one_reader(DebyeInput *input G_GNUC_UNUSED)
{
  return TRUE;
}

const DebyeFormat debye_format_mdtraj = {
    .name = "mdtraj",
    .title = "MDTraj HDF5",
    .suffixes = (const char *const[]){"h5", "hdf5", NULL},
    .is_trajectory = TRUE,
    .probe = probe,
    .look = look,
    .read_topology = read_topology,
    .has_one_reader = has_one_reader,
    .index_frames = index_frames,
    .reader_new = reader_new,
    .read_frame = read_frame,
    .reader_free = reader_free,
};
