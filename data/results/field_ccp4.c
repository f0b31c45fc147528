/* SPDX-License-Identifier: MIT */
/* CCP4/MRC maps, mode 2 (32-bit float), by the MRC2014 description (Cheng et al., J. Struct. Biol. 192, 146):
 * 256 words of header, symmetry records, then the values, whose axes may stand in any order. Either byte
 * order. */
#include "field_file.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/files/provenance.h"

#define HEADER_BYTES 1024
#define LABEL_BYTES 80
#define N_LABELS 10
#define MODE_FLOAT 2
#define UNIT_PREFIX "unit: "
#define MAKER_PREFIX "Debye " /* then the version, a colon and the map's name */
/* How far a grid's steps may stand off a cell's directions, as a part of their length: what a text file with
 * six digits leaves. */
#define DIRECTION_TOLERANCE 1e-5

/* The header's words, 0-based as in an array; the description counts from 1. */
enum {
  WORD_COUNTS = 0, /* columns, rows, sections */
  WORD_MODE = 3,
  WORD_STARTS = 4,
  WORD_INTERVALS = 7, /* of the whole cell along x, y, z */
  WORD_LENGTHS = 10,
  WORD_ANGLES = 13,
  WORD_AXES = 16, /* 1, 2, 3: which of x, y, z the columns, rows, sections run along */
  WORD_MINIMUM = 19,
  WORD_MAXIMUM = 20,
  WORD_MEAN = 21,
  WORD_SPACE_GROUP = 22,
  WORD_SYMMETRY_BYTES = 23,
  WORD_VERSION = 27,
  WORD_ORIGIN = 49,
  WORD_MAP = 52,
  WORD_STAMP = 53,
  WORD_RMS = 54,
  WORD_N_LABELS = 55,
  WORD_LABELS = 56,
  N_WORDS = 256,
};

typedef union {
  guint8 bytes[HEADER_BYTES];
  guint32 words[N_WORDS];
} Header;

static guint32
get_word(const Header *header, int word, gboolean swapped)
{
  return swapped ? GUINT32_SWAP_LE_BE(header->words[word]) : header->words[word];
}

static gint32
get_int(const Header *header, int word, gboolean swapped)
{
  return (gint32)get_word(header, word, swapped);
}

static float
get_float(const Header *header, int word, gboolean swapped)
{
  guint32 bits = get_word(header, word, swapped);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static void
put_float(Header *header, int word, double value)
{
  float number = (float)value;
  memcpy(&header->words[word], &number, sizeof number);
}

static gboolean
is_plausible(const Header *header, gboolean swapped)
{
  gint32 mode = get_int(header, WORD_MODE, swapped);
  if (mode < 0 || mode > 127)
    return FALSE;
  for (int i = 0; i < 3; i++) {
    gint32 axis = get_int(header, WORD_AXES + i, swapped);
    if (get_int(header, WORD_COUNTS + i, swapped) < 1 || axis < 0 || axis > 3)
      return FALSE;
  }
  return TRUE;
}

/* Machine stamps are often wrong, counts and axes hardly ever: they tell the byte order. */
static gboolean
find_byte_order(const Header *header, gboolean *swapped)
{
  *swapped = FALSE;
  if (is_plausible(header, FALSE))
    return TRUE;
  *swapped = TRUE;
  return is_plausible(header, TRUE);
}

/* Old MRC files lack the "MAP " word: then the size must fit as well. */
static gboolean
has_right_size(const Header *header, gboolean swapped, guint64 file_size)
{
  guint64 n = sizeof(float);
  for (int i = 0; i < 3; i++)
    if (!g_uint64_checked_mul(&n, n, (guint64)get_int(header, WORD_COUNTS + i, swapped)))
      return FALSE;
  gint32 symmetry = get_int(header, WORD_SYMMETRY_BYTES, swapped);
  return get_int(header, WORD_MODE, swapped) == MODE_FLOAT && symmetry >= 0 && file_size >= HEADER_BYTES &&
         file_size - HEADER_BYTES >= (guint64)symmetry && file_size - HEADER_BYTES - (guint64)symmetry == n;
}

gboolean
debye_field_probe_ccp4(const guint8 *head, gsize n, guint64 file_size)
{
  Header header;
  gboolean swapped;
  if (n < HEADER_BYTES)
    return n >= 4 * WORD_STAMP && memcmp(head + 4 * WORD_MAP, "MAP ", 4) == 0;
  memcpy(header.bytes, head, HEADER_BYTES);
  if (memcmp(&header.words[WORD_MAP], "MAP ", 4) == 0)
    return TRUE;
  return find_byte_order(&header, &swapped) && has_right_size(&header, swapped, file_size);
}

/* axes[i]: which of x, y, z (0, 1, 2) the file's i-th fastest axis is. All zero stands for the usual order. */
static gboolean
read_axes(DebyeInput *input, const Header *header, gboolean swapped, int axes[3], GError **error)
{
  int seen = 0;
  for (int i = 0; i < 3; i++) {
    axes[i] = get_int(header, WORD_AXES + i, swapped) - 1;
    seen |= axes[i] >= 0 ? 1 << axes[i] : 8;
  }
  if (seen == 7)
    return TRUE;
  if (axes[0] == -1 && axes[1] == -1 && axes[2] == -1) {
    axes[0] = 0, axes[1] = 1, axes[2] = 2;
    return TRUE;
  }
  return debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX,
                               "axes: expected 1, 2 and 3 in any order, found %d, %d and %d", axes[0] + 1,
                               axes[1] + 1, axes[2] + 1);
}

static gboolean
read_cell(DebyeInput *input, const Header *header, gboolean swapped, DebyeCell *cell, GError **error)
{
  double lengths[3], angles[3];
  for (int i = 0; i < 3; i++) {
    lengths[i] = get_float(header, WORD_LENGTHS + i, swapped);
    angles[i] = get_float(header, WORD_ANGLES + i, swapped);
  }
  if (angles[0] == 0.0 && angles[1] == 0.0 && angles[2] == 0.0)
    angles[0] = angles[1] = angles[2] = 90.0;
  if (debye_cell_from_lengths_angles(cell, lengths, angles))
    return TRUE;
  return debye_input_set_error(input, error, DEBYE_ERROR_VALUE,
                               "expected a cell, found lengths and angles that describe none");
}

/* ORIGIN (Å) where it is given, else the start counts: programs write the one or the other, and some both for
 * the same shift. */
static void
read_origin(const Header *header, gboolean swapped, const int axes[3], DebyeGrid *grid)
{
  double origin[3];
  gboolean given = FALSE;
  for (int i = 0; i < 3; i++) {
    origin[i] = get_float(header, WORD_ORIGIN + i, swapped);
    given |= origin[i] != 0.0;
  }
  grid->origin = debye_vec3(origin[0], origin[1], origin[2]);
  if (given)
    return;
  for (int i = 0; i < 3; i++) {
    double start = get_int(header, WORD_STARTS + i, swapped);
    grid->origin = debye_vec3_add(grid->origin, debye_vec3_scale(grid->step[axes[i]], start));
  }
}

static gboolean
read_grid(DebyeInput *input, const Header *header, gboolean swapped, const int axes[3], DebyeGrid *grid,
          GError **error)
{
  DebyeCell cell;
  if (!read_cell(input, header, swapped, &cell, error))
    return FALSE;
  const DebyeVec3 edges[3] = {cell.a, cell.b, cell.c};
  for (int i = 0; i < 3; i++) {
    gint32 intervals = get_int(header, WORD_INTERVALS + i, swapped);
    if (intervals < 1)
      return debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX,
                                   "expected at least one interval along each edge of the cell, found %d",
                                   intervals);
    grid->step[i] = debye_vec3_scale(edges[i], 1.0 / intervals);
    grid->shape[axes[i]] = (gsize)get_int(header, WORD_COUNTS + i, swapped);
  }
  read_origin(header, swapped, axes, grid);
  return TRUE;
}

static gboolean
check_header(DebyeInput *input, const Header *header, gboolean *swapped, GError **error)
{
  if (!find_byte_order(header, swapped))
    return debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX,
                                 "expected a CCP4 header, found impossible counts, mode or axes");
  gint32 mode = get_int(header, WORD_MODE, *swapped),
         symmetry = get_int(header, WORD_SYMMETRY_BYTES, *swapped);
  if (mode != MODE_FLOAT)
    return debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX,
                                 "expected mode 2 (32-bit float), found mode %d", mode);
  if (symmetry < 0 || (guint64)symmetry > debye_input_get_size(input)) {
    return debye_input_set_error(input, error, DEBYE_ERROR_LIMIT,
                                 "expected an extended header within the file, found one of %d bytes",
                                 symmetry);
  }
  return TRUE;
}

static void
swap_values(float *values, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    guint32 bits;
    memcpy(&bits, &values[i], sizeof bits);
    bits = GUINT32_SWAP_LE_BE(bits);
    memcpy(&values[i], &bits, sizeof bits);
  }
}

/* Reorders values from the file's order of axes to x fastest. */
static float *
reorder(const float *values, const int axes[3], const gsize shape[3])
{
  float *ordered = g_try_new(float, shape[0] * shape[1] * shape[2]);
  const gsize stride[3] = {1, shape[0], shape[0] * shape[1]};
  gsize next = 0;
  if (ordered == NULL)
    return NULL;
  for (gsize s = 0; s < shape[axes[2]]; s++)
    for (gsize r = 0; r < shape[axes[1]]; r++)
      for (gsize c = 0; c < shape[axes[0]]; c++)
        ordered[c * stride[axes[0]] + r * stride[axes[1]] + s * stride[axes[2]]] = values[next++];
  return ordered;
}

static float *
read_values(DebyeInput *input, const Header *header, gboolean swapped, const int axes[3],
            const DebyeGrid *grid, GError **error)
{
  const gint64 shape[3] = {(gint64)grid->shape[0], (gint64)grid->shape[1], (gint64)grid->shape[2]};
  guint64 offset = HEADER_BYTES + (guint64)get_int(header, WORD_SYMMETRY_BYTES, swapped);
  g_autofree float *values = debye_field_allocate(input, shape, sizeof(float), error);
  if (values == NULL)
    return NULL;
  gsize n = debye_grid_n_points(grid);
  if (!debye_input_read(input, offset, values, n * sizeof(float), error))
    return NULL;
  if (swapped)
    swap_values(values, n);
  if (axes[0] == 0 && axes[1] == 1)
    return g_steal_pointer(&values);
  float *ordered = reorder(values, axes, grid->shape);
  if (ordered == NULL)
    debye_error_set_memory(error, debye_input_get_name(input), n, "values");
  return ordered;
}

/* The text of a label that begins with `prefix`; NULL: none does. */
static char *
find_label(const Header *header, const char *prefix)
{
  for (int i = 0; i < N_LABELS; i++) {
    const char *label = (const char *)&header->words[WORD_LABELS] + i * LABEL_BYTES;
    gsize n = strlen(prefix);
    if (strncmp(label, prefix, n) == 0) {
      g_autofree char *text = g_strndup(label + n, LABEL_BYTES - n);
      return g_strstrip(g_utf8_make_valid(text, -1));
    }
  }
  return NULL;
}

DebyeField *
debye_field_read_ccp4(DebyeInput *input, GError **error)
{
  Header header;
  DebyeGrid grid = {0};
  gboolean swapped;
  int axes[3];
  if (!debye_input_read(input, 0, header.bytes, HEADER_BYTES, error) ||
      !check_header(input, &header, &swapped, error) || !read_axes(input, &header, swapped, axes, error) ||
      !read_grid(input, &header, swapped, axes, &grid, error))
    return NULL;
  float *values = read_values(input, &header, swapped, axes, &grid, error);
  if (values == NULL)
    return NULL;
  g_autofree char *unit = find_label(&header, UNIT_PREFIX);
  g_autofree char *maker = find_label(&header, MAKER_PREFIX);
  const char *colon = maker != NULL ? strstr(maker, ": ") : NULL;
  return debye_field_finish(input, colon != NULL ? colon + 2 : NULL, &grid, values, unit, error);
}

/* A CCP4 cell has a along x, b in the xy plane with y > 0, c on the side of z > 0. */
static gboolean
fits_cell(const DebyeGrid *grid)
{
  double length[2] = {debye_vec3_length(grid->step[0]), debye_vec3_length(grid->step[1])};
  return grid->step[0].x > 0.0 && fabs(grid->step[0].y) <= DIRECTION_TOLERANCE * length[0] &&
         fabs(grid->step[0].z) <= DIRECTION_TOLERANCE * length[0] && grid->step[1].y > 0.0 &&
         fabs(grid->step[1].z) <= DIRECTION_TOLERANCE * length[1] && grid->step[2].z > 0.0;
}

static void
put_cell(Header *header, const DebyeGrid *grid)
{
  DebyeCell cell;
  double lengths[3], angles[3];
  DebyeVec3 edges[3];
  for (int i = 0; i < 3; i++)
    edges[i] = debye_vec3_scale(grid->step[i], (double)grid->shape[i]);
  cell = (DebyeCell){edges[0], edges[1], edges[2]};
  debye_cell_to_lengths_angles(&cell, lengths, angles);
  for (int i = 0; i < 3; i++) {
    put_float(header, WORD_LENGTHS + i, lengths[i]);
    put_float(header, WORD_ANGLES + i, angles[i]);
  }
}

static void
put_label(Header *header, const char *text)
{
  char *label = (char *)&header->words[WORD_LABELS] + (gsize)header->words[WORD_N_LABELS]++ * LABEL_BYTES;
  memcpy(label, text, MIN(strlen(text), LABEL_BYTES));
}

static void
put_labels(Header *header, DebyeField *field)
{
  g_autofree char *maker =
      g_strdup_printf(MAKER_PREFIX "%s: %s", debye_provenance_get_version(), debye_field_get_name(field));
  memset(&header->words[WORD_LABELS], ' ', (gsize)N_LABELS * LABEL_BYTES);
  put_label(header, maker);
  if (*debye_field_get_unit(field) == '\0')
    return;
  g_autofree char *unit = g_strconcat(UNIT_PREFIX, debye_field_get_unit(field), NULL);
  put_label(header, unit);
}

static void
fill_header(Header *header, DebyeField *field)
{
  static const guint8 little[4] = {0x44, 0x44, 0, 0}, big[4] = {0x11, 0x11, 0, 0};
  const DebyeGrid *grid = debye_field_get_grid(field);
  const double origin[3] = {grid->origin.x, grid->origin.y, grid->origin.z};
  DebyeFieldStatistics statistics;
  debye_field_get_statistics(field, &statistics);
  for (int i = 0; i < 3; i++) {
    header->words[WORD_COUNTS + i] = header->words[WORD_INTERVALS + i] = (guint32)grid->shape[i];
    header->words[WORD_AXES + i] = (guint32)(i + 1);
    put_float(header, WORD_ORIGIN + i, origin[i]);
  }
  header->words[WORD_MODE] = MODE_FLOAT;
  header->words[WORD_SPACE_GROUP] = 1;
  header->words[WORD_VERSION] = 20140;
  put_cell(header, grid);
  put_float(header, WORD_MINIMUM, statistics.minimum);
  put_float(header, WORD_MAXIMUM, statistics.maximum);
  put_float(header, WORD_MEAN, statistics.mean);
  /* The format's RMS is the deviation from the mean. */
  put_float(header, WORD_RMS,
            sqrt(fmax(0.0, statistics.rms * statistics.rms - statistics.mean * statistics.mean)));
  memcpy(&header->words[WORD_MAP], "MAP ", 4);
  memcpy(&header->words[WORD_STAMP], G_BYTE_ORDER == G_LITTLE_ENDIAN ? little : big, 4);
  put_labels(header, field);
}

gboolean
debye_field_save_ccp4(DebyeField *self, GOutputStream *stream, GError **error)
{
  g_return_val_if_fail(DEBYE_IS_FIELD(self) && G_IS_OUTPUT_STREAM(stream), FALSE);
  const DebyeGrid *grid = debye_field_get_grid(self);
  Header header = {0};
  if (!fits_cell(grid))
    return debye_error_set(
        error, DEBYE_ERROR_VALUE,
        "expected grid steps as a CCP4 cell has them (the first along x, the second in the xy plane, "
        "right-handed), found others: OpenDX, cube and HDF5 can hold this map");
  for (int i = 0; i < 3; i++)
    if (grid->shape[i] > G_MAXINT32)
      return debye_error_set(error, DEBYE_ERROR_LIMIT,
                             "a CCP4 map can't hold %" G_GSIZE_FORMAT " points per side", grid->shape[i]);
  fill_header(&header, self);
  return g_output_stream_write_all(stream, header.bytes, HEADER_BYTES, NULL, NULL, error) &&
         g_output_stream_write_all(stream, debye_field_get_values(self),
                                   debye_grid_n_points(grid) * sizeof(float), NULL, NULL, error);
}
