/* SPDX-License-Identifier: MIT */
/* Writes NetCDF trajectories for format_netcdf.c. The header is made from tables of dimensions and variables;
 * the number of frames in it is written again at the end. */
#include "netcdf_writer.h"

#include <math.h>
#include <string.h>

#include "data/molecule/cell_orientation.h"
#include "data/files/error.h"
#include "netcdf_file.h"
#include "data/files/xdr.h"

enum { TAG_DIMENSION = 10, TAG_VARIABLE = 11, TAG_ATTRIBUTE = 12 };
#define RECORDS_AT 4 /* where the number of frames stands */

/* A row of a variable must stay below 4 GiB in CDF-2. */
#define MAX_ATOMS ((gsize)((G_MAXUINT32 - 4) / 12))

/* AMBER's unit of velocity is the ångström in 1/20.455 ps; programs expect the file to say so by this factor.
 */
#define VELOCITY_FACTOR 20.455

typedef enum { FRAME, SPATIAL, ATOM, CELL_SPATIAL, CELL_ANGULAR, LABEL, N_DIMENSIONS } DimensionNumber;

typedef struct {
  const char *name;
  DebyeNetcdfType type;
  guint rank;
  DimensionNumber dimensions[3];
  const char *units;   /* NULL: none */
  const char *letters; /* the value of a variable without frames */
  double scale_factor; /* 0: none */
} Variable;

static const Variable spatial = {"spatial", DEBYE_NETCDF_CHAR, 1, {SPATIAL}, NULL, "xyz", 0.0};
static const Variable cell_spatial = {"cell_spatial", DEBYE_NETCDF_CHAR, 1, {CELL_SPATIAL}, NULL, "abc", 0.0};
static const Variable cell_angular = {"cell_angular", DEBYE_NETCDF_CHAR, 2,  {CELL_ANGULAR, LABEL},
                                      NULL,           "alphabeta gamma", 0.0};
static const Variable frame_time = {"time", DEBYE_NETCDF_FLOAT, 1, {FRAME}, "picosecond", NULL, 0.0};
static const Variable lengths = {
    "cell_lengths", DEBYE_NETCDF_DOUBLE, 2, {FRAME, CELL_SPATIAL}, "angstrom", NULL, 0.0};
static const Variable angles = {
    "cell_angles", DEBYE_NETCDF_DOUBLE, 2, {FRAME, CELL_ANGULAR}, "degree", NULL, 0.0};
static const Variable coordinates = {
    "coordinates", DEBYE_NETCDF_FLOAT, 3, {FRAME, ATOM, SPATIAL}, "angstrom", NULL, 0.0};
static const Variable velocities = {"velocities",           DEBYE_NETCDF_FLOAT,    3,
                                    {FRAME, ATOM, SPATIAL}, "angstrom/picosecond", NULL,
                                    VELOCITY_FACTOR};

#define MAX_VARIABLES 8

typedef struct {
  GOutputStream *stream;
  gsize n_atoms, n_announced, n_written;
  gboolean has_time, has_cell, has_velocities; /* decided by the first frame */
  const Variable *variables[MAX_VARIABLES];
  gsize n_variables;
  guint8 *record;
  gsize record_bytes;
} Writer;

/* --- The header --- */

static void
put_number(GByteArray *bytes, guint32 number)
{
  guint8 word[4];
  debye_xdr_put_uint32(word, number);
  g_byte_array_append(bytes, word, sizeof word);
}

static void
put_padded(GByteArray *bytes, const char *text, gsize n)
{
  static const guint8 zeros[4] = {0};
  g_byte_array_append(bytes, (const guint8 *)text, (guint)n);
  g_byte_array_append(bytes, zeros, (4 - n % 4) % 4);
}

static void
put_name(GByteArray *bytes, const char *name)
{
  put_number(bytes, (guint32)strlen(name));
  put_padded(bytes, name, strlen(name));
}

static void
put_text_attribute(GByteArray *bytes, const char *name, const char *value)
{
  put_name(bytes, name);
  put_number(bytes, DEBYE_NETCDF_CHAR);
  put_name(bytes, value);
}

static guint32
get_length(const Writer *writer, DimensionNumber dimension)
{
  const guint32 lengths_of[N_DIMENSIONS] = {
      [SPATIAL] = 3, [ATOM] = (guint32)writer->n_atoms, [CELL_SPATIAL] = 3, [CELL_ANGULAR] = 3, [LABEL] = 5};
  return lengths_of[dimension];
}

static void
put_dimensions(const Writer *writer, GByteArray *bytes)
{
  static const char *const names[N_DIMENSIONS] = {"frame",        "spatial",      "atom",
                                                  "cell_spatial", "cell_angular", "label"};
  put_number(bytes, TAG_DIMENSION);
  put_number(bytes, N_DIMENSIONS);
  for (DimensionNumber k = 0; k < N_DIMENSIONS; k++) {
    put_name(bytes, names[k]);
    put_number(bytes, get_length(writer, k));
  }
}

static void
put_file_attributes(GByteArray *bytes)
{
  static const char *const attributes[][2] = {
      {"title", "Created by Debye"},     {"application", "Debye"}, {"program", "Debye"},
      {"programVersion", DEBYE_VERSION}, {"Conventions", "AMBER"}, {"ConventionVersion", "1.0"}};
  put_number(bytes, TAG_ATTRIBUTE);
  put_number(bytes, G_N_ELEMENTS(attributes));
  for (gsize k = 0; k < G_N_ELEMENTS(attributes); k++)
    put_text_attribute(bytes, attributes[k][0], attributes[k][1]);
}

static void
put_variable_attributes(const Variable *variable, GByteArray *bytes)
{
  guint32 n = (variable->units != NULL) + (variable->scale_factor != 0.0);
  guint8 word[4];
  put_number(bytes, n > 0 ? TAG_ATTRIBUTE : 0);
  put_number(bytes, n);
  if (variable->units != NULL)
    put_text_attribute(bytes, "units", variable->units);
  if (variable->scale_factor == 0.0)
    return;
  put_name(bytes, "scale_factor");
  put_number(bytes, DEBYE_NETCDF_FLOAT);
  put_number(bytes, 1);
  debye_xdr_put_float(word, (float)variable->scale_factor);
  g_byte_array_append(bytes, word, sizeof word);
}

/* Of a record, or of a variable without frames. */
static guint32
get_padded_bytes(const Writer *writer, const Variable *variable)
{
  gsize n = debye_netcdf_type_width(variable->type);
  for (guint k = 0; k < variable->rank; k++)
    n *= variable->dimensions[k] == FRAME ? 1 : get_length(writer, variable->dimensions[k]);
  return (guint32)((n + 3) / 4 * 4);
}

/* Variables without frames stand behind the header, the records behind them: each in the order of the table. */
static void
put_variables(const Writer *writer, GByteArray *bytes, guint64 data_offset)
{
  put_number(bytes, TAG_VARIABLE);
  put_number(bytes, (guint32)writer->n_variables);
  for (gsize k = 0; k < writer->n_variables; k++) {
    const Variable *variable = writer->variables[k];
    put_name(bytes, variable->name);
    put_number(bytes, variable->rank);
    for (guint d = 0; d < variable->rank; d++)
      put_number(bytes, variable->dimensions[d]);
    put_variable_attributes(variable, bytes);
    put_number(bytes, variable->type);
    put_number(bytes, get_padded_bytes(writer, variable));
    put_number(bytes, (guint32)(data_offset >> 32));
    put_number(bytes, (guint32)data_offset);
    data_offset += get_padded_bytes(writer, variable);
  }
}

static GByteArray *
make_header(const Writer *writer, guint64 data_offset)
{
  GByteArray *bytes = g_byte_array_new();
  gsize n_frames = writer->n_written > 0 ? writer->n_written : writer->n_announced;
  g_byte_array_append(bytes, (const guint8 *)"CDF\2", 4);
  put_number(bytes, (guint32)n_frames);
  put_dimensions(writer, bytes);
  put_file_attributes(bytes);
  put_variables(writer, bytes, data_offset);
  return bytes;
}

static gboolean
put_header(const Writer *writer, GError **error)
{
  /* Made twice: places in the file have one width, so that its length doesn't depend on them. */
  g_autoptr(GByteArray) measured = make_header(writer, 0);
  g_autoptr(GByteArray) bytes = make_header(writer, measured->len);
  for (gsize k = 0; k < writer->n_variables; k++)
    if (writer->variables[k]->letters != NULL)
      put_padded(bytes, writer->variables[k]->letters, strlen(writer->variables[k]->letters));
  return g_output_stream_write_all(writer->stream, bytes->data, bytes->len, NULL, NULL, error);
}

/* --- The frames --- */

static void
choose_variables(Writer *writer, const DebyeFrame *frame)
{
  writer->has_time = isfinite(frame->time);
  writer->has_cell = frame->has_cell;
  writer->has_velocities = frame->vx != NULL;
  writer->variables[writer->n_variables++] = &spatial;
  writer->variables[writer->n_variables++] = &cell_spatial;
  writer->variables[writer->n_variables++] = &cell_angular;
  if (writer->has_time)
    writer->variables[writer->n_variables++] = &frame_time;
  if (writer->has_cell) {
    writer->variables[writer->n_variables++] = &lengths;
    writer->variables[writer->n_variables++] = &angles;
  }
  writer->variables[writer->n_variables++] = &coordinates;
  if (writer->has_velocities)
    writer->variables[writer->n_variables++] = &velocities;
}

static gboolean
begin(Writer *writer, const DebyeFrame *frame, GError **error)
{
  choose_variables(writer, frame);
  for (gsize k = 0; k < writer->n_variables; k++)
    if (writer->variables[k]->letters == NULL)
      writer->record_bytes += get_padded_bytes(writer, writer->variables[k]);
  writer->record = g_try_malloc(writer->record_bytes);
  if (writer->record == NULL)
    return debye_error_set_memory(error, NULL, writer->n_atoms, "atoms");
  return put_header(writer, error);
}

static guint8 *
put_doubles(guint8 *at, const double *values, gsize n)
{
  for (gsize k = 0; k < n; k++) {
    guint64 word;
    memcpy(&word, &values[k], sizeof word);
    at = debye_xdr_put_uint64(at, word);
  }
  return at;
}

/* A frame without a cell among others with one: zeros, which is how AMBER says it. */
static guint8 *
put_cell(guint8 *at, const DebyeCellOrientation *orientation)
{
  return put_doubles(put_doubles(at, orientation->lengths, 3), orientation->angles, 3);
}

static guint8 *
put_vectors(guint8 *at, gsize n, const DebyeCellOrientation *orientation, double factor, const float *x,
            const float *y, const float *z)
{
  for (gsize i = 0; i < n; i++) {
    DebyeVec3 v = debye_cell_orientation_turn(orientation, debye_vec3(x[i], y[i], z[i]));
    at = debye_xdr_put_float(at, (float)(v.x / factor));
    at = debye_xdr_put_float(at, (float)(v.y / factor));
    at = debye_xdr_put_float(at, (float)(v.z / factor));
  }
  return at;
}

static void
put_velocities(guint8 *at, const DebyeFrame *frame, const DebyeCellOrientation *orientation)
{
  if (frame->vx != NULL)
    put_vectors(at, frame->n_atoms, orientation, VELOCITY_FACTOR, frame->vx, frame->vy, frame->vz);
  else
    memset(at, 0, 12 * frame->n_atoms);
}

gpointer
debye_netcdf_writer_new(GOutputStream *stream, G_GNUC_UNUSED DebyeTopology *topology, gsize n_atoms,
                        gsize n_frames, GError **error)
{
  if (n_atoms == 0 || n_atoms > MAX_ATOMS) {
    debye_error_set(error, DEBYE_ERROR_LIMIT,
                    "NetCDF with 64-bit offsets holds 1 to %" G_GSIZE_FORMAT " atoms, not %" G_GSIZE_FORMAT,
                    MAX_ATOMS, n_atoms);
    return NULL;
  }
  Writer *writer = g_new0(Writer, 1);
  writer->stream = g_object_ref(stream);
  writer->n_atoms = n_atoms;
  writer->n_announced = n_frames;
  return writer;
}

gboolean
debye_netcdf_writer_write(gpointer data, const DebyeFrame *frame, GError **error)
{
  Writer *writer = data;
  if (writer->n_written == 0 && !begin(writer, frame, error))
    return FALSE;
  guint8 *at = writer->record;
  DebyeCellOrientation orientation = {.is_needed = FALSE};
  if (frame->has_cell)
    orientation = debye_cell_orientation_find(&frame->cell);
  if (writer->has_time)
    at = debye_xdr_put_float(at, (float)frame->time);
  if (writer->has_cell)
    at = put_cell(at, &orientation);
  at = put_vectors(at, writer->n_atoms, &orientation, 1.0, frame->x, frame->y, frame->z);
  if (writer->has_velocities)
    put_velocities(at, frame, &orientation);
  writer->n_written++;
  return g_output_stream_write_all(writer->stream, writer->record, writer->record_bytes, NULL, NULL, error);
}

static gboolean
patch_number_of_frames(const Writer *writer, GError **error)
{
  guint8 word[4];
  GSeekable *seekable = G_IS_SEEKABLE(writer->stream) ? G_SEEKABLE(writer->stream) : NULL;
  if (writer->n_written == writer->n_announced || seekable == NULL || !g_seekable_can_seek(seekable))
    return TRUE;
  debye_xdr_put_uint32(word, (guint32)writer->n_written);
  return g_seekable_seek(seekable, RECORDS_AT, G_SEEK_SET, NULL, error) &&
         g_output_stream_write_all(writer->stream, word, sizeof word, NULL, NULL, error) &&
         g_seekable_seek(seekable, 0, G_SEEK_END, NULL, error);
}

gboolean
debye_netcdf_writer_finish(gpointer data, GError **error)
{
  Writer *writer = data;
  gboolean good = error == NULL || writer->n_written == 0 || patch_number_of_frames(writer, error);
  if (error != NULL && writer->n_written == 0) {
    debye_error_set(error, DEBYE_ERROR_WRITE, "expected a frame to write, found none");
    good = FALSE;
  }
  g_object_unref(writer->stream);
  g_free(writer->record);
  g_free(writer);
  return good;
}
