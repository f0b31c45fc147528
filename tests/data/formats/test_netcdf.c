/* SPDX-License-Identifier: MIT */
/* NetCDF: what is written is read again; files of all three classic kinds made byte by byte; units, scale
 * factors, identities, shapes that aren't those of a trajectory, and headers that lie. */
#include <math.h>
#include <string.h>

#include "data/trajectory/dataset.h"
#include "data/files/error.h"
#include "data/files/xdr.h"
#include "tests/support/temporary.h"
#include "data/trajectory/format_list.h"

/* --- A file made by hand --- */

enum { INT = 4, FLOAT = 5, DOUBLE = 6, BYTE = 1, CHAR = 2 };
enum { FRAME, ATOM, SPATIAL };
#define N_ATOMS 2

typedef struct {
  const char *name;
  int type;
  int rank;
  int dimensions[3];
  const char *units;   /* NULL: none */
  double scale_factor; /* 0: none */
} Variable;

/* A classic file of three dimensions, frame, atom and spatial, the first of them 0 or a number. */
typedef struct {
  int version;
  guint64 n_records, n_frames; /* as the header says; of a file without records */
  const Variable *variables;
  gsize n_variables;
  GByteArray *bytes;
} Maker;

static void
put32(GByteArray *bytes, guint32 value)
{
  guint8 word[4];
  debye_xdr_put_uint32(word, value);
  g_byte_array_append(bytes, word, 4);
}

static void
put64(GByteArray *bytes, guint64 value)
{
  guint8 word[8];
  debye_xdr_put_uint64(word, value);
  g_byte_array_append(bytes, word, 8);
}

static void
put_double(GByteArray *bytes, double value)
{
  guint64 word;
  memcpy(&word, &value, 8);
  put64(bytes, word);
}

static void
put_float(GByteArray *bytes, float value)
{
  guint8 word[4];
  debye_xdr_put_float(word, value);
  g_byte_array_append(bytes, word, 4);
}

static void
put_count(const Maker *maker, guint64 value)
{
  if (maker->version == 5)
    put64(maker->bytes, value);
  else
    put32(maker->bytes, (guint32)value);
}

static void
put_name(const Maker *maker, const char *name)
{
  gsize n = strlen(name);
  put_count(maker, n);
  g_byte_array_append(maker->bytes, (const guint8 *)name, (guint)n);
  g_byte_array_append(maker->bytes, (const guint8 *)"\0\0\0", (4 - n % 4) % 4);
}

static void
put_text(const Maker *maker, const char *name, const char *value)
{
  put_name(maker, name);
  put32(maker->bytes, CHAR);
  put_name(maker, value);
}

static guint64
row_bytes(const Variable *variable)
{
  static const guint widths[] = {[BYTE] = 1, [CHAR] = 1, [INT] = 4, [FLOAT] = 4, [DOUBLE] = 8};
  guint64 n = widths[variable->type];
  for (int k = 0; k < variable->rank; k++)
    n *= variable->dimensions[k] == ATOM ? N_ATOMS : variable->dimensions[k] == SPATIAL ? 3 : 1;
  return n;
}

static void
put_attributes(const Maker *maker, const Variable *variable)
{
  guint64 n = (variable->units != NULL) + (variable->scale_factor != 0.0);
  put32(maker->bytes, n > 0 ? 12 : 0);
  put_count(maker, n);
  if (variable->units != NULL)
    put_text(maker, "units", variable->units);
  if (variable->scale_factor == 0.0)
    return;
  put_name(maker, "scale_factor");
  put32(maker->bytes, DOUBLE);
  put_count(maker, 1);
  put_double(maker->bytes, variable->scale_factor);
}

static void
put_header(const Maker *maker, guint64 data_offset)
{
  const guint8 magic[4] = {'C', 'D', 'F', (guint8)maker->version};
  static const char *const names[] = {"frame", "atom", "spatial"};
  const guint64 lengths[] = {maker->n_frames, N_ATOMS, 3};
  g_byte_array_append(maker->bytes, magic, 4);
  put_count(maker, maker->n_records);
  put32(maker->bytes, 10);
  put_count(maker, 3);
  for (int k = 0; k < 3; k++) {
    put_name(maker, names[k]);
    put_count(maker, lengths[k]);
  }
  put32(maker->bytes, 12);
  put_count(maker, 1);
  put_text(maker, "Conventions", "AMBER");
  put32(maker->bytes, 11);
  put_count(maker, maker->n_variables);
  for (gsize v = 0; v < maker->n_variables; v++) {
    const Variable *variable = &maker->variables[v];
    put_name(maker, variable->name);
    put_count(maker, (guint64)variable->rank);
    for (int k = 0; k < variable->rank; k++)
      put_count(maker, (guint64)variable->dimensions[k]);
    put_attributes(maker, variable);
    put32(maker->bytes, (guint32)variable->type);
    put_count(maker, 0); /* the size, which readers find for themselves */
    if (maker->version == 1)
      put32(maker->bytes, (guint32)data_offset);
    else
      put64(maker->bytes, data_offset);
    data_offset += (row_bytes(variable) + 3) / 4 * 4;
  }
}

static GByteArray *
make_header(int version, guint64 n_records, guint64 n_frames, const Variable *variables, gsize n)
{
  Maker maker = {version, n_records, n_frames, variables, n, g_byte_array_new()};
  put_header(&maker, 0);
  guint64 length = maker.bytes->len;
  g_byte_array_set_size(maker.bytes, 0);
  put_header(&maker, length);
  return maker.bytes;
}

/* Vector `i` of frame `k`: (100 k + i, 100 k + i + 0.25, −(100 k + i)). */
static void
put_vector(GByteArray *bytes, guint64 k, guint64 i)
{
  float value = (float)(100 * k + i);
  put_float(bytes, value);
  put_float(bytes, value + 0.25f);
  put_float(bytes, -value);
}

/* --- Opening --- */

typedef struct {
  DebyeTrajectory *trajectory;
  DebyeTrajectoryReader *reader;
  DebyeFrame *frame;
} Opened;

static DebyeTrajectory *
open_bytes(const GByteArray *bytes, GError **error)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = debye_temporary_write(folder, "run.nc", bytes->data, bytes->len);
  return debye_trajectory_open((const char *[]){path, NULL}, NULL, NULL, NULL, error);
}

/* The reader needs the file as long as it reads. */
static void
opened_open(Opened *opened, const DebyeTemporaryFolder *folder, const GByteArray *bytes)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *path = debye_temporary_write(folder, "run.nc", bytes->data, bytes->len);
  opened->trajectory = debye_trajectory_open((const char *[]){path, NULL}, NULL, NULL, NULL, &error);
  g_assert_no_error(error);
  opened->reader = debye_trajectory_reader_new(opened->trajectory, &error);
  g_assert_no_error(error);
  opened->frame = debye_frame_new(debye_trajectory_get_n_atoms(opened->trajectory));
}

static void
opened_read(const Opened *opened, gsize frame_number)
{
  g_autoptr(GError) error = NULL;
  debye_trajectory_reader_read(opened->reader, frame_number, opened->frame, &error);
  g_assert_no_error(error);
}

static void
opened_close(Opened *opened)
{
  debye_frame_unref(opened->frame);
  debye_trajectory_reader_free(opened->reader);
  g_object_unref(opened->trajectory);
}

static void
assert_vector(const float *x, const float *y, const float *z, gsize i, double a, double b, double c)
{
  g_assert_cmpfloat(x[i], ==, (float)a);
  g_assert_cmpfloat(y[i], ==, (float)b);
  g_assert_cmpfloat(z[i], ==, (float)c);
}

static void
assert_fails(const GByteArray *bytes, int code, const char *part)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTrajectory) trajectory = open_bytes(bytes, &error);
  g_assert_null(trajectory);
  g_assert_error(error, DEBYE_ERROR, code);
  g_assert_nonnull(strstr(error->message, part));
}

static gboolean
has_warning(DebyeTrajectory *trajectory, const char *part)
{
  for (const char *const *text = debye_trajectory_get_warnings(trajectory); *text != NULL; text++)
    if (strstr(*text, part) != NULL)
      return TRUE;
  return FALSE;
}

/* --- Kinds of files --- */

/* A record of a byte, which is padded, a time, and coordinates. */
static const Variable with_padding[] = {{"flag", BYTE, 1, {FRAME}, NULL, 0.0},
                                        {"time", FLOAT, 1, {FRAME}, "picosecond", 0.0},
                                        {"coordinates", FLOAT, 3, {FRAME, ATOM, SPATIAL}, "angstrom", 0.0}};

static GByteArray *
make_padded(int version, guint64 n_announced, guint64 n_frames)
{
  GByteArray *bytes = make_header(version, n_announced, 0, with_padding, G_N_ELEMENTS(with_padding));
  for (guint64 k = 0; k < n_frames; k++) {
    g_byte_array_append(bytes, (const guint8 *)"\1\0\0\0", 4);
    put_float(bytes, 0.5f * (float)k);
    for (guint64 i = 0; i < N_ATOMS; i++)
      put_vector(bytes, k, i);
  }
  return bytes;
}

static void
test_versions(void)
{
  static const int versions[] = {1, 2, 5};
  for (gsize v = 0; v < G_N_ELEMENTS(versions); v++) {
    g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
    g_autoptr(GByteArray) bytes = make_padded(versions[v], 3, 3);
    Opened opened;
    opened_open(&opened, folder, bytes);
    double first, last, step;
    g_assert_cmpuint(debye_trajectory_get_n_frames(opened.trajectory), ==, 3);
    g_assert_null(debye_trajectory_get_warnings(opened.trajectory)[0]);
    g_assert_true(debye_trajectory_get_times(opened.trajectory, &first, &last, &step));
    g_assert_cmpfloat(step, ==, 0.5);
    opened_read(&opened, 2);
    assert_vector(opened.frame->x, opened.frame->y, opened.frame->z, 1, 201.0, 201.25, -201.0);
    g_assert_cmpfloat(opened.frame->time, ==, 1.0);
    g_assert_false(opened.frame->has_cell);
    g_assert_null(opened.frame->vx);
    opened_close(&opened);
  }
}

/* A program that was stopped, or wrote into a pipe, leaves a number of records that isn't true. */
static void
test_number_of_records(void)
{
  static const struct {
    int version;
    guint64 announced;
    gsize n_cut;
    gsize n_frames;
    gboolean warns;
  } cases[] = {
      {2, G_MAXUINT32, 0, 4, FALSE},
      {5, G_MAXUINT64, 0, 4, FALSE},
      {1, G_MAXUINT32, 5, 3, FALSE},
      {2, 1000000, 0, 4, TRUE},
      {2, 4, 1, 3, TRUE},
      {5, (guint64)1 << 62, 0, 4, TRUE},
      {2, 3, 0, 3, FALSE},
  };
  for (gsize c = 0; c < G_N_ELEMENTS(cases); c++) {
    g_autoptr(GError) error = NULL;
    g_autoptr(GByteArray) bytes = make_padded(cases[c].version, cases[c].announced, 4);
    g_byte_array_set_size(bytes, bytes->len - (guint)cases[c].n_cut);
    g_autoptr(DebyeTrajectory) trajectory = open_bytes(bytes, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(debye_trajectory_get_n_frames(trajectory), ==, cases[c].n_frames);
    g_assert_cmpint(has_warning(trajectory, "the header announces"), ==, cases[c].warns);
  }
}

/* The coordinates as the only variable with records, in nanometres. */
static void
test_single_record_variable(void)
{
  static const Variable variables[] = {{"coordinates", FLOAT, 3, {FRAME, ATOM, SPATIAL}, "nanometer", 0.0}};
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(GByteArray) bytes = make_header(2, 2, 0, variables, 1);
  for (guint64 k = 0; k < 2; k++)
    for (guint64 i = 0; i < N_ATOMS; i++)
      put_vector(bytes, k, i);
  Opened opened;
  opened_open(&opened, folder, bytes);
  opened_read(&opened, 1);
  assert_vector(opened.frame->x, opened.frame->y, opened.frame->z, 1, 1010.0, 1012.5, -1010.0);
  g_assert_true(isnan(opened.frame->time));
  opened_close(&opened);
}

/* --- Units --- */

static void
test_units(void)
{
  static const Variable variables[] = {
      {"coordinates", DOUBLE, 3, {FRAME, ATOM, SPATIAL}, "Nanometers", 0.5},
      {"velocities", FLOAT, 3, {FRAME, ATOM, SPATIAL}, "angstrom/femtosecond", 2.0},
      {"time", INT, 1, {FRAME}, "femtosecond", 4.0},
      {"cell_lengths", DOUBLE, 2, {FRAME, SPATIAL}, "nm", 0.0},
      {"cell_angles", DOUBLE, 2, {FRAME, SPATIAL}, "radian", 0.0},
      {"cell_origin", DOUBLE, 2, {FRAME, SPATIAL}, "nm", 0.0},
  };
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(GByteArray) bytes = make_header(2, 1, 0, variables, G_N_ELEMENTS(variables));
  for (int k = 0; k < 3 * N_ATOMS; k++)
    put_double(bytes, k);
  for (guint64 i = 0; i < N_ATOMS; i++)
    put_vector(bytes, 0, i);
  put32(bytes, 250);
  for (int k = 0; k < 3; k++)
    put_double(bytes, 2.0 + k);
  for (int k = 0; k < 3; k++)
    put_double(bytes, G_PI / 2.0);
  for (int k = 0; k < 3; k++)
    put_double(bytes, -0.5 * k);
  Opened opened;
  double lengths[3], angles[3];
  opened_open(&opened, folder, bytes);
  g_assert_null(debye_trajectory_get_warnings(opened.trajectory)[0]);
  opened_read(&opened, 0);
  const DebyeFrame *frame = opened.frame;
  assert_vector(frame->x, frame->y, frame->z, 1, 15.0, 20.0, 25.0);
  assert_vector(frame->vx, frame->vy, frame->vz, 1, 2000.0, 2500.0, -2000.0);
  g_assert_cmpfloat_with_epsilon(frame->time, 1.0, 1e-12);
  g_assert_true(frame->has_cell);
  debye_cell_to_lengths_angles(&frame->cell, lengths, angles);
  g_assert_cmpfloat_with_epsilon(lengths[2], 40.0, 1e-9);
  g_assert_cmpfloat(frame->cell_origin.z, ==, -10.0);
  g_assert_cmpfloat_with_epsilon(angles[0], 90.0, 1e-9);
  opened_close(&opened);
}

static void
test_unknown_unit(void)
{
  static const Variable variables[] = {{"coordinates", FLOAT, 3, {FRAME, ATOM, SPATIAL}, "furlong", 0.0},
                                       {"velocities", FLOAT, 1, {FRAME}, NULL, 0.0}};
  g_autoptr(GError) error = NULL;
  g_autoptr(GByteArray) bytes = make_header(2, 1, 0, variables, 2);
  for (guint64 i = 0; i < N_ATOMS; i++)
    put_vector(bytes, 0, i);
  put_float(bytes, 1.0f);
  g_autoptr(DebyeTrajectory) trajectory = open_bytes(bytes, &error);
  g_assert_no_error(error);
  g_assert_true(has_warning(trajectory, "the unit “furlong” of coordinates is unknown: assuming Å"));
  g_assert_true(has_warning(trajectory, "velocities have a shape of (1) and are left out"));
}

/* --- Shapes --- */

/* LAMMPS keeps atoms as they come, with their numbers. */
static void
test_identities(void)
{
  static const Variable variables[] = {{"id", INT, 2, {FRAME, ATOM}, NULL, 0.0},
                                       {"coordinates", FLOAT, 3, {FRAME, ATOM, SPATIAL}, NULL, 0.0}};
  static const guint32 ids[2][N_ATOMS] = {{7, 9}, {9, 7}};
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(GByteArray) bytes = make_header(5, 2, 0, variables, 2);
  for (guint64 k = 0; k < 2; k++) {
    for (guint64 i = 0; i < N_ATOMS; i++)
      put32(bytes, ids[k][i]);
    for (guint64 i = 0; i < N_ATOMS; i++)
      put_vector(bytes, k, i);
  }
  Opened opened;
  opened_open(&opened, folder, bytes);
  opened_read(&opened, 0);
  assert_vector(opened.frame->x, opened.frame->y, opened.frame->z, 1, 1.0, 1.25, -1.0);
  opened_read(&opened, 1);
  assert_vector(opened.frame->x, opened.frame->y, opened.frame->z, 0, 101.0, 101.25, -101.0);
  assert_vector(opened.frame->x, opened.frame->y, opened.frame->z, 1, 100.0, 100.25, -100.0);
  opened_close(&opened);
}

/* Frames along a dimension of a fixed length, and a file of one frame without that dimension. */
static void
test_without_records(void)
{
  static const Variable fixed[] = {{"coordinates", FLOAT, 3, {FRAME, ATOM, SPATIAL}, NULL, 0.0}};
  static const Variable restart[] = {{"time", DOUBLE, 0, {0}, "picosecond", 0.0},
                                     {"coordinates", FLOAT, 2, {ATOM, SPATIAL}, NULL, 0.0}};
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(GByteArray) frames = make_header(2, 0, 2, fixed, 1);
  g_autoptr(GByteArray) one = make_header(2, 0, 2, restart, 2);
  Opened opened;
  for (guint64 k = 0; k < 2; k++)
    for (guint64 i = 0; i < N_ATOMS; i++)
      put_vector(frames, k, i);
  put_double(one, 12.5);
  for (guint64 i = 0; i < N_ATOMS; i++)
    put_vector(one, 3, i);
  opened_open(&opened, folder, frames);
  g_assert_cmpuint(debye_trajectory_get_n_frames(opened.trajectory), ==, 2);
  opened_read(&opened, 1);
  assert_vector(opened.frame->x, opened.frame->y, opened.frame->z, 0, 100.0, 100.25, -100.0);
  opened_close(&opened);
  opened_open(&opened, folder, one);
  g_assert_cmpuint(debye_trajectory_get_n_frames(opened.trajectory), ==, 1);
  opened_read(&opened, 0);
  assert_vector(opened.frame->x, opened.frame->y, opened.frame->z, 1, 301.0, 301.25, -301.0);
  g_assert_cmpfloat(opened.frame->time, ==, 12.5);
  opened_close(&opened);
}

static void
test_bad_shapes(void)
{
  static const Variable transposed[] = {{"coordinates", FLOAT, 3, {FRAME, SPATIAL, ATOM}, NULL, 0.0}};
  static const Variable integers[] = {{"coordinates", INT, 3, {FRAME, ATOM, SPATIAL}, NULL, 0.0}};
  static const Variable letters[] = {{"coordinates", CHAR, 3, {FRAME, ATOM, SPATIAL}, NULL, 0.0}};
  static const Variable last_is_frame[] = {{"coordinates", FLOAT, 3, {ATOM, SPATIAL, FRAME}, NULL, 0.0}};
  static const Variable no_atoms[] = {{"coordinates", FLOAT, 2, {FRAME, SPATIAL}, NULL, 0.0}};
  static const Variable unknown[] = {{"coordinates", FLOAT, 3, {FRAME, ATOM, 77}, NULL, 0.0}};
  g_autoptr(GByteArray) one = make_header(2, 0, 0, transposed, 1);
  g_autoptr(GByteArray) two = make_header(2, 0, 0, integers, 1);
  g_autoptr(GByteArray) three = make_header(2, 0, 0, letters, 1);
  g_autoptr(GByteArray) four = make_header(2, 0, 0, last_is_frame, 1);
  g_autoptr(GByteArray) five = make_header(2, 0, 0, unknown, 1);
  g_autoptr(GByteArray) six = make_padded(2, 0, 0);
  g_autoptr(GByteArray) seven = make_header(2, 0, 0, no_atoms, 1);
  assert_fails(one, DEBYE_ERROR_SYNTAX, "found reals of shape (0, 3, 2)");
  assert_fails(two, DEBYE_ERROR_SYNTAX, "found integers");
  assert_fails(three, DEBYE_ERROR_MISSING, "“coordinates”");
  assert_fails(four, DEBYE_ERROR_SYNTAX, "the record dimension of “coordinates” to be its first");
  assert_fails(five, DEBYE_ERROR_SYNTAX, "one of 3 dimensions");
  assert_fails(seven, DEBYE_ERROR_SYNTAX, "found reals of shape (0, 3)");
  assert_fails(six, DEBYE_ERROR_TRUNCATED, "expected a frame, found none");
}

/* Every header that is cut anywhere is an error, never more. */
static void
test_cut_headers(void)
{
  static const int versions[] = {1, 2, 5};
  for (gsize v = 0; v < G_N_ELEMENTS(versions); v++) {
    g_autoptr(GByteArray) whole = make_header(versions[v], 1, 0, with_padding, G_N_ELEMENTS(with_padding));
    for (guint n = 8; n < whole->len; n++) {
      g_autoptr(GError) error = NULL;
      GByteArray cut = {.data = whole->data, .len = n};
      g_assert_null(open_bytes(&cut, &error));
      g_assert_nonnull(error);
    }
  }
}

/* Counts that no file of this size can have, at each place of the header where four bytes can say so. */
static void
test_huge_counts(void)
{
  g_autoptr(GByteArray) whole = make_padded(2, 2, 2);
  for (guint at = 4; at + 4 <= whole->len; at += 4) {
    g_autoptr(GError) error = NULL;
    guint8 kept[4];
    memcpy(kept, whole->data + at, 4);
    memcpy(whole->data + at, "\x7f\xff\xff\xff", 4);
    g_autoptr(DebyeTrajectory) trajectory = open_bytes(whole, &error);
    g_assert_true((trajectory == NULL) == (error != NULL));
    if (trajectory != NULL)
      g_assert_cmpuint(debye_trajectory_get_n_frames(trajectory), <=, 2);
    memcpy(whole->data + at, kept, 4);
  }
}

/* --- Writing --- */

static void
check_frame(const DebyeFrame *frame, gsize n_atoms, guint32 seed)
{
  double lengths[2][3], angles[2][3];
  g_autoptr(DebyeFrame) expected = debye_temporary_make_frame(n_atoms, seed);
  g_assert_cmpmem(frame->x, n_atoms * 4, expected->x, n_atoms * 4);
  g_assert_cmpmem(frame->y, n_atoms * 4, expected->y, n_atoms * 4);
  g_assert_cmpmem(frame->z, n_atoms * 4, expected->z, n_atoms * 4);
  g_assert_cmpfloat(frame->time, ==, expected->time);
  debye_cell_to_lengths_angles(&frame->cell, lengths[0], angles[0]);
  debye_cell_to_lengths_angles(&expected->cell, lengths[1], angles[1]);
  for (int k = 0; k < 3; k++) { /* through lengths and angles as doubles */
    g_assert_cmpfloat_with_epsilon(lengths[0][k], lengths[1][k], 1e-9);
    g_assert_cmpfloat_with_epsilon(angles[0][k], angles[1][k], 1e-9);
  }
}

static void
test_there_and_back(void)
{
  /* In several blocks, and without a copy. */
  static const gsize sizes[] = {1, 22, 50000, 100000};
  for (gsize s = 0; s < G_N_ELEMENTS(sizes); s++) {
    g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
    g_autoptr(GError) error = NULL;
    g_autofree char *path = g_build_filename(folder, "run.nc", NULL);
    debye_temporary_write_trajectory(&debye_format_netcdf, path, sizes[s], 7);
    g_autoptr(DebyeTrajectory) trajectory =
        debye_trajectory_open((const char *[]){path, NULL}, NULL, NULL, NULL, &error);
    g_assert_no_error(error);
    g_assert_null(debye_trajectory_get_warnings(trajectory)[0]);
    g_assert_cmpuint(debye_trajectory_get_n_frames(trajectory), ==, 7);
    g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, &error);
    g_autoptr(DebyeFrame) frame = debye_frame_new(sizes[s]);
    for (gsize k = 7; k-- > 0;) {
      g_assert_true(debye_trajectory_reader_read(reader, k, frame, &error));
      check_frame(frame, sizes[s], (guint32)k);
      g_assert_null(frame->vx);
    }
  }
}

/* Fewer frames than announced, with velocities, and without a cell or a time. */
static void
test_write_velocities(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(GError) error = NULL;
  g_autoptr(GOutputStream) stream = g_memory_output_stream_new_resizable();
  g_autoptr(DebyeFrame) frame = debye_temporary_make_frame(3, 1);
  gpointer writer = debye_format_netcdf.writer_new(stream, NULL, 3, 9, &error);
  frame->has_cell = FALSE;
  frame->time = NAN;
  debye_frame_add_velocities(frame);
  for (gsize i = 0; i < 3; i++) {
    frame->vx[i] = 20.455f * (float)i;
    frame->vy[i] = -1.0f;
    frame->vz[i] = 0.125f;
  }
  g_assert_true(debye_format_netcdf.write_frame(writer, frame, &error));
  g_assert_true(debye_format_netcdf.write_frame(writer, frame, &error));
  g_assert_true(debye_format_netcdf.writer_finish(writer, &error));
  g_assert_true(g_output_stream_close(stream, NULL, &error));
  GMemoryOutputStream *memory = G_MEMORY_OUTPUT_STREAM(stream);
  GByteArray bytes = {.data = g_memory_output_stream_get_data(memory),
                      .len = (guint)g_memory_output_stream_get_data_size(memory)};
  Opened opened;
  opened_open(&opened, folder, &bytes);
  g_assert_cmpuint(debye_trajectory_get_n_frames(opened.trajectory), ==, 2);
  opened_read(&opened, 1);
  g_assert_false(opened.frame->has_cell);
  g_assert_true(isnan(opened.frame->time));
  for (gsize i = 0; i < 3; i++) { /* divided by AMBER's factor and multiplied again, in single precision */
    g_assert_cmpfloat_with_epsilon(opened.frame->vx[i], 20.455f * (float)i, 1e-5);
    g_assert_cmpfloat_with_epsilon(opened.frame->vy[i], -1.0, 1e-6);
    g_assert_cmpfloat_with_epsilon(opened.frame->vz[i], 0.125, 1e-7);
  }
  opened_close(&opened);
}

/* The fractional coordinates of an atom must be the same before and after. */
static DebyeVec3
get_fractional(const DebyeFrame *frame, gsize i)
{
  DebyeVec3 r = debye_vec3(frame->x[i], frame->y[i], frame->z[i]);
  const DebyeCell *cell = &frame->cell;
  double volume = debye_cell_volume(cell);
  return debye_vec3(debye_vec3_dot(r, debye_vec3_cross(cell->b, cell->c)) / volume,
                    debye_vec3_dot(r, debye_vec3_cross(cell->c, cell->a)) / volume,
                    debye_vec3_dot(r, debye_vec3_cross(cell->a, cell->b)) / volume);
}

/* Cells that lie anywhere are turned into the axes that lengths and angles mean, and the atoms with them. */
static void
test_write_oriented(void)
{
  const DebyeCell cells[] = {
      {debye_vec3(20.0, 2.0, 3.0), debye_vec3(2.0, 22.0, -4.0), debye_vec3(3.0, -4.0, 25.0)},
      {debye_vec3(0.0, 20.0, 0.0), debye_vec3(0.0, 0.0, 22.0), debye_vec3(25.0, 0.0, 1.0)},
      {debye_vec3(20.0, 0.0, 0.0), debye_vec3(0.0, 22.0, 0.0), debye_vec3(1.0, 0.0, -25.0)}, /* left-handed */
  };
  for (gsize c = 0; c < G_N_ELEMENTS(cells); c++) {
    g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
    g_autoptr(GError) error = NULL;
    g_autoptr(GOutputStream) stream = g_memory_output_stream_new_resizable();
    g_autoptr(DebyeFrame) frame = debye_temporary_make_frame(5, 1);
    gpointer writer = debye_format_netcdf.writer_new(stream, NULL, 5, 1, &error);
    frame->cell = cells[c];
    g_assert_true(debye_format_netcdf.write_frame(writer, frame, &error));
    g_assert_true(debye_format_netcdf.writer_finish(writer, &error));
    GMemoryOutputStream *memory = G_MEMORY_OUTPUT_STREAM(stream);
    GByteArray bytes = {.data = g_memory_output_stream_get_data(memory),
                        .len = (guint)g_memory_output_stream_get_data_size(memory)};
    Opened opened;
    opened_open(&opened, folder, &bytes);
    opened_read(&opened, 0);
    double hand = debye_cell_volume(&frame->cell) < 0.0 ? -1.0 : 1.0;
    for (gsize i = 0; i < 5; i++) { /* of coordinates below 100 Å in single precision, in cells of 20 Å */
      DebyeVec3 before = get_fractional(frame, i), after = get_fractional(opened.frame, i);
      g_assert_cmpfloat_with_epsilon(after.x, before.x, 1e-6);
      g_assert_cmpfloat_with_epsilon(after.y, before.y, 1e-6);
      g_assert_cmpfloat_with_epsilon(after.z, hand * before.z, 1e-6);
    }
    opened_close(&opened);
  }
}

static void
test_write_nothing(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GOutputStream) stream = g_memory_output_stream_new_resizable();
  g_assert_null(debye_format_netcdf.writer_new(stream, NULL, (gsize)1 << 31, 1, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_LIMIT);
  g_clear_error(&error);
  gpointer writer = debye_format_netcdf.writer_new(stream, NULL, 3, 0, &error);
  g_assert_no_error(error);
  g_assert_false(debye_format_netcdf.writer_finish(writer, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_WRITE);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_autoptr(DebyeTemporaryFolder) cache = debye_temporary_use_cache_folder();
  g_test_add_func("/netcdf/versions", test_versions);
  g_test_add_func("/netcdf/number-of-records", test_number_of_records);
  g_test_add_func("/netcdf/single-record-variable", test_single_record_variable);
  g_test_add_func("/netcdf/units", test_units);
  g_test_add_func("/netcdf/unknown-unit", test_unknown_unit);
  g_test_add_func("/netcdf/identities", test_identities);
  g_test_add_func("/netcdf/without-records", test_without_records);
  g_test_add_func("/netcdf/bad-shapes", test_bad_shapes);
  g_test_add_func("/netcdf/cut-headers", test_cut_headers);
  g_test_add_func("/netcdf/huge-counts", test_huge_counts);
  g_test_add_func("/netcdf/there-and-back", test_there_and_back);
  g_test_add_func("/netcdf/write-velocities", test_write_velocities);
  g_test_add_func("/netcdf/write-oriented", test_write_oriented);
  g_test_add_func("/netcdf/write-nothing", test_write_nothing);
  return g_test_run();
}
