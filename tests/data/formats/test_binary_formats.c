/* SPDX-License-Identifier: MIT */
/* DCD, XTC and TRR written and read back; dialects made by hand; XTC's coding on numbers of all sizes. */
#include <math.h>
#include <string.h>

#include "data/formats/namd/dcd_layout.h"
#include "data/files/error.h"
#include "data/formats/gromacs/xtc_coding.h"
#include "tests/support/temporary.h"
#include "data/trajectory/format_list.h"

typedef struct {
  DebyeInput *input;
  DebyeFrameIndex *index;
  const DebyeFormat *format;
  gpointer reader;
} Opened;

static void
opened_open(Opened *opened, const DebyeFormat *format, const char *path)
{
  g_autoptr(GError) error = NULL;
  opened->format = format;
  opened->input = debye_input_open(path, &error);
  g_assert_no_error(error);
  opened->index = debye_frame_index_new();
  format->index_frames(opened->input, opened->index, NULL, NULL, &error);
  g_assert_no_error(error);
  opened->reader = format->reader_new(opened->input, opened->index, &error);
  g_assert_no_error(error);
}

static DebyeFrame *
opened_read(const Opened *opened, gsize frame_number)
{
  g_autoptr(GError) error = NULL;
  DebyeFrame *frame = debye_frame_new(opened->index->n_atoms);
  opened->format->read_frame(opened->reader, opened->input, opened->index, frame_number, frame, &error);
  g_assert_no_error(error);
  return frame;
}

static void
opened_close(Opened *opened)
{
  opened->format->reader_free(opened->reader);
  debye_frame_index_free(opened->index);
  debye_input_close(opened->input);
}

static void
assert_near_arrays(const float *found, const float *expected, gsize n, float tolerance)
{
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat(fabsf(found[i] - expected[i]), <=, tolerance);
}

static void
assert_same_cell(const DebyeFrame *frame, const DebyeFrame *expected, double tolerance)
{
  double lengths[2][3], angles[2][3];
  g_assert_true(frame->has_cell);
  debye_cell_to_lengths_angles(&frame->cell, lengths[0], angles[0]);
  debye_cell_to_lengths_angles(&expected->cell, lengths[1], angles[1]);
  for (int k = 0; k < 3; k++) {
    g_assert_cmpfloat_with_epsilon(lengths[0][k], lengths[1][k], tolerance);
    g_assert_cmpfloat_with_epsilon(angles[0][k], angles[1][k], 10 * tolerance);
  }
}

/* `tolerance` in Å: what the format's numbers can hold. */
static void
check_there_and_back(const DebyeFormat *format, gsize n_atoms, float tolerance)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = g_build_filename(folder, "run", NULL);
  const gsize n_frames = 7;
  Opened opened;
  debye_temporary_write_trajectory(format, path, n_atoms, n_frames);
  opened_open(&opened, format, path);
  g_assert_cmpuint(opened.index->n_atoms, ==, n_atoms);
  g_assert_cmpuint(opened.index->offsets->len, ==, n_frames);
  g_assert_cmpuint(opened.index->warnings->len, ==, 0);
  g_assert_cmpfloat_with_epsilon(opened.index->time_step, 0.5, 1e-6);
  for (gsize k = n_frames; k-- > 0;) {
    g_autoptr(DebyeFrame) frame = opened_read(&opened, k);
    g_autoptr(DebyeFrame) expected = debye_temporary_make_frame(n_atoms, (guint32)k);
    assert_near_arrays(frame->x, expected->x, n_atoms, tolerance);
    assert_near_arrays(frame->y, expected->y, n_atoms, tolerance);
    assert_near_arrays(frame->z, expected->z, n_atoms, tolerance);
    assert_same_cell(frame, expected, 1e-5);
    g_assert_cmpfloat_with_epsilon(frame->time, expected->time, 1e-5);
  }
  opened_close(&opened);
}

static void
test_dcd(void)
{
  check_there_and_back(&debye_format_dcd, 1, 0.0f);
  check_there_and_back(&debye_format_dcd, 12, 0.0f); /* coordinates as long as a cell */
  check_there_and_back(&debye_format_dcd, 5000, 0.0f);
}

/* Half of 1/1000 nm, and the rounding of floats of some 1,000 Å. */
static void
test_xtc(void)
{
  check_there_and_back(&debye_format_xtc, 1, 2e-6f);
  check_there_and_back(&debye_format_xtc, 9, 2e-5f);
  check_there_and_back(&debye_format_xtc, 10, 0.00502f);
  check_there_and_back(&debye_format_xtc, 5000, 0.0055f);
}

static void
test_trr(void)
{
  check_there_and_back(&debye_format_trr, 1, 2e-6f);
  check_there_and_back(&debye_format_trr, 5000, 2e-3f);
}

/* What was read from an XTC file and written again has the same integers, so the same floats. */
static void
test_xtc_twice(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(GError) error = NULL;
  g_autofree char *first = g_build_filename(folder, "first.xtc", NULL);
  g_autofree char *second = g_build_filename(folder, "second.xtc", NULL);
  Opened opened, again;
  debye_temporary_write_trajectory(&debye_format_xtc, first, 1000, 3);
  opened_open(&opened, &debye_format_xtc, first);
  g_autoptr(GFile) file = g_file_new_for_path(second);
  g_autoptr(GFileOutputStream) stream = g_file_replace(file, NULL, FALSE, G_FILE_CREATE_NONE, NULL, &error);
  gpointer writer = debye_format_xtc.writer_new(G_OUTPUT_STREAM(stream), NULL, 1000, 3, &error);
  for (gsize k = 0; k < 3; k++) {
    g_autoptr(DebyeFrame) frame = opened_read(&opened, k);
    g_assert_true(debye_format_xtc.write_frame(writer, frame, &error));
  }
  g_assert_true(debye_format_xtc.writer_finish(writer, &error));
  g_assert_true(g_output_stream_close(G_OUTPUT_STREAM(stream), NULL, &error));
  opened_open(&again, &debye_format_xtc, second);
  for (gsize k = 0; k < 3; k++) {
    g_autoptr(DebyeFrame) frame = opened_read(&opened, k);
    g_autoptr(DebyeFrame) copy = opened_read(&again, k);
    g_assert_cmpmem(frame->x, 4000, copy->x, 4000);
    g_assert_cmpmem(frame->y, 4000, copy->y, 4000);
    g_assert_cmpmem(frame->z, 4000, copy->z, 4000);
  }
  opened_close(&opened);
  opened_close(&again);
}

static void
test_xtc_value(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GOutputStream) stream = g_memory_output_stream_new_resizable();
  g_autoptr(DebyeFrame) frame = debye_temporary_make_frame(20, 1);
  gpointer writer = debye_format_xtc.writer_new(stream, NULL, 20, 1, &error);
  frame->y[13] = NAN;
  g_assert_false(debye_format_xtc.write_frame(writer, frame, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE);
  debye_format_xtc.writer_finish(writer, NULL);
}

typedef struct {
  gsize n;
  gint32 *axes[3];
} Integers;

static void
check_coding(const Integers *in)
{
  DebyeXtcBlock block = {.small_index = 0};
  gsize bound = debye_xtc_get_bound(in->n) + DEBYE_XTC_PADDING;
  g_autofree guint8 *bytes = g_malloc0(bound);
  g_autofree gint32 *x = g_new(gint32, in->n), *y = g_new(gint32, in->n), *z = g_new(gint32, in->n);
  gsize n_bytes = debye_xtc_encode(&block, bytes, in->n, in->axes[0], in->axes[1], in->axes[2]);
  g_assert_cmpuint(n_bytes, <=, debye_xtc_get_bound(in->n));
  g_autofree char *fault = debye_xtc_block_find_fault(&block);
  g_assert_null(fault);
  g_assert_cmpstr(debye_xtc_decode(&block, bytes, n_bytes, in->n, x, y, z), ==, NULL);
  g_assert_cmpmem(x, in->n * 4, in->axes[0], in->n * 4);
  g_assert_cmpmem(y, in->n * 4, in->axes[1], in->n * 4);
  g_assert_cmpmem(z, in->n * 4, in->axes[2], in->n * 4);
  /* With half of the bits it must say so, and not read on. */
  if (n_bytes > 8)
    g_assert_nonnull(debye_xtc_decode(&block, bytes, n_bytes / 2, in->n, x, y, z));
}

/* Ranges from a point to 2^31, along one axis or all, in clusters or spread: every branch of the coding. */
static void
test_coding(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(3);
  for (int trial = 0; trial < 3000; trial++) {
    Integers in = {.n = (gsize)g_rand_int_range(random, 1, 300)};
    int n_bits[3], n_small = g_rand_int_range(random, 0, 26);
    for (int k = 0; k < 3; k++) {
      in.axes[k] = g_new(gint32, in.n);
      n_bits[k] = g_rand_int_range(random, 0, trial % 3 == 0 ? 31 : 20);
    }
    for (gsize i = 0; i < in.n; i++) {
      gboolean near = i > 0 && g_rand_int_range(random, 0, 4) > 0;
      for (int k = 0; k < 3; k++) {
        gint64 half = G_GINT64_CONSTANT(1) << (near ? MIN(n_small, n_bits[k]) : n_bits[k]) >> 1;
        gint64 value =
            (near ? in.axes[k][i - 1] : 0) + (gint64)(g_rand_double_range(random, -1.0, 1.0) * (double)half);
        in.axes[k][i] = (gint32)CLAMP(value, -(G_GINT64_CONSTANT(1) << 30), G_GINT64_CONSTANT(1) << 30);
      }
    }
    check_coding(&in);
    for (int k = 0; k < 3; k++)
      g_free(in.axes[k]);
  }
}

/* Whatever the bits are, decoding ends and stays inside its arrays (the sanitizer set-up sees to the latter).
 */
static void
test_coding_noise(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(4);
  for (int trial = 0; trial < 20000; trial++) {
    guint8 bytes[64 + DEBYE_XTC_PADDING];
    gint32 axes[3][40];
    DebyeXtcBlock block = {.small_index = g_rand_int_range(random, 9, 73)};
    for (gsize i = 0; i < sizeof bytes; i++)
      bytes[i] = (guint8)g_rand_int(random);
    for (int k = 0; k < 3; k++) {
      block.minimum[k] = -(gint32)(g_rand_int(random) >> g_rand_int_range(random, 1, 32));
      block.maximum[k] = (gint32)(g_rand_int(random) >> g_rand_int_range(random, 1, 32));
    }
    g_autofree char *fault = debye_xtc_block_find_fault(&block);
    if (!fault)
      debye_xtc_decode(&block, bytes, 64, 40, axes[0], axes[1], axes[2]);
  }
}

/* A DCD file put together word by word, in any byte order and with either width of markers. */
typedef struct {
  GByteArray *bytes;
  gboolean is_big;
  gsize marker_bytes;
} Maker;

static void
put_word(Maker *maker, guint32 word)
{
  guint32 ordered = maker->is_big ? GUINT32_TO_BE(word) : GUINT32_TO_LE(word);
  g_byte_array_append(maker->bytes, (const guint8 *)&ordered, 4);
}

static void
put_double(Maker *maker, double value)
{
  guint64 word;
  memcpy(&word, &value, sizeof word);
  word = maker->is_big ? GUINT64_TO_BE(word) : GUINT64_TO_LE(word);
  g_byte_array_append(maker->bytes, (const guint8 *)&word, 8);
}

static void
put_marker(Maker *maker, guint32 length)
{
  if (maker->marker_bytes == 8 && maker->is_big)
    put_word(maker, 0);
  put_word(maker, length);
  if (maker->marker_bytes == 8 && !maker->is_big)
    put_word(maker, 0);
}

static void
put_floats(Maker *maker, const float *values, gsize n)
{
  put_marker(maker, (guint32)(4 * n));
  for (gsize i = 0; i < n; i++) {
    guint32 word;
    memcpy(&word, &values[i], sizeof word);
    put_word(maker, word);
  }
  put_marker(maker, (guint32)(4 * n));
}

#define MADE_ATOMS 5
#define MADE_FREE 2

static float
made_value(gsize frame, int axis, gsize atom)
{
  return (float)(100 * frame + 10 * (gsize)axis + atom) + 0.5f;
}

static void
put_made_frame(Maker *maker, gsize frame, gboolean has_cell, gboolean has_fourth)
{
  const double cell[6] = {20.0, 0.0, 21.0, 0.0, 0.0, 22.0};
  gsize n = frame == 0 ? MADE_ATOMS : MADE_FREE;
  float values[MADE_ATOMS];
  if (has_cell) {
    put_marker(maker, 48);
    for (int k = 0; k < 6; k++)
      put_double(maker, cell[k]);
    put_marker(maker, 48);
  }
  for (int axis = 0; axis < (has_fourth ? 4 : 3); axis++) {
    for (gsize i = 0; i < n; i++)
      values[i] = made_value(frame, axis, frame == 0 ? i : 2 * i + 1);
    put_floats(maker, values, n);
  }
}

/* Five atoms, of which only the second and the fourth move. */
static void
make_dcd(Maker *maker, gboolean has_cell, gboolean has_fourth)
{
  const guint32 control[20] = {
      [1] = 100,         [2] = 10, [8] = MADE_ATOMS - MADE_FREE, [9] = 0x3f800000, [10] = has_cell,
      [11] = has_fourth, [19] = 24};
  put_marker(maker, 84);
  g_byte_array_append(maker->bytes, (const guint8 *)"CORD", 4);
  for (int k = 0; k < 20; k++)
    put_word(maker, control[k]);
  put_marker(maker, 84);
  put_marker(maker, 4);
  put_word(maker, 0);
  put_marker(maker, 4);
  put_marker(maker, 4);
  put_word(maker, MADE_ATOMS);
  put_marker(maker, 4);
  put_marker(maker, 4 * MADE_FREE);
  put_word(maker, 2);
  put_word(maker, 4);
  put_marker(maker, 4 * MADE_FREE);
  for (gsize k = 0; k < 3; k++)
    put_made_frame(maker, k, has_cell, has_fourth);
}

static void
check_made_dcd(gboolean is_big, gsize marker_bytes, gboolean has_cell, gboolean has_fourth)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(GByteArray) bytes = g_byte_array_new();
  Maker maker = {bytes, is_big, marker_bytes};
  Opened opened;
  make_dcd(&maker, has_cell, has_fourth);
  g_autofree char *path = debye_temporary_write(folder, "made.dcd", bytes->data, bytes->len);
  opened_open(&opened, &debye_format_dcd, path);
  g_assert_cmpuint(opened.index->offsets->len, ==, 3);
  for (gsize k = 3; k-- > 0;) {
    g_autoptr(DebyeFrame) frame = opened_read(&opened, k);
    const float *axes[3] = {frame->x, frame->y, frame->z};
    for (int axis = 0; axis < 3; axis++)
      for (gsize i = 0; i < MADE_ATOMS; i++)
        g_assert_cmpfloat(axes[axis][i], ==, made_value(i % 2 ? k : 0, axis, i));
    g_assert_cmpint(frame->has_cell, ==, has_cell);
    g_assert_cmpfloat(frame->cell.b.y, ==, has_cell ? 21.0 : 0.0);
    g_assert_cmpint(frame->step, ==, 100 + 10 * (gint64)k);
    g_assert_cmpfloat_with_epsilon(frame->time, (100.0 + 10.0 * (double)k) * DEBYE_DCD_TIME_UNIT, 1e-9);
  }
  opened_close(&opened);
}

static void
test_dcd_dialects(void)
{
  for (int k = 0; k < 16; k++)
    check_made_dcd(k & 1, k & 2 ? 8 : 4, (k & 4) != 0, (k & 8) != 0);
}

static gboolean
get_cell(gint32 version, const double numbers[6], DebyeCell *cell)
{
  DebyeDcdLayout layout = {.version = version};
  guint8 bytes[DEBYE_DCD_CELL_BYTES];
  memcpy(bytes, numbers, sizeof bytes);
  return debye_dcd_layout_get_cell(&layout, bytes, cell);
}

/* The three ways, and numbers that are none of them. */
static void
test_dcd_cells(void)
{
  const double degrees[6] = {10.0, 60.0, 11.0, 90.0, 90.0, 12.0};
  const double cosines[6] = {10.0, 0.5, 11.0, 0.0, 0.0, 12.0};
  const double matrix[6] = {10.0, 1.0, 11.0, 2.0, 3.0, 12.0};
  const double wrong[6] = {10.0, 0.0, 11.0, 0.0, 0.0, 0.0};
  const double not_a_number[6] = {10.0, NAN, 11.0, 0.0, 0.0, 12.0};
  double lengths[3], angles[3];
  DebyeCell cell;
  g_assert_true(get_cell(24, degrees, &cell));
  debye_cell_to_lengths_angles(&cell, lengths, angles);
  g_assert_cmpfloat_with_epsilon(angles[2], 60.0, 1e-9);
  g_assert_true(get_cell(24, cosines, &cell));
  debye_cell_to_lengths_angles(&cell, lengths, angles);
  g_assert_cmpfloat_with_epsilon(angles[2], 60.0, 1e-9);
  g_assert_cmpfloat(angles[0], ==, 90.0);
  g_assert_true(get_cell(40, matrix, &cell));
  g_assert_cmpfloat(cell.a.z, ==, 2.0);
  g_assert_cmpfloat(cell.b.x, ==, 1.0);
  g_assert_cmpfloat(cell.c.y, ==, 3.0);
  /* Degrees under a new version's number: as a matrix they are no cell. */
  g_assert_true(get_cell(40, degrees, &cell));
  debye_cell_to_lengths_angles(&cell, lengths, angles);
  g_assert_cmpfloat_with_epsilon(angles[2], 60.0, 1e-9);
  g_assert_false(get_cell(24, wrong, &cell));
  g_assert_false(get_cell(40, wrong, &cell));
  g_assert_false(get_cell(24, not_a_number, &cell));
}

/* A million frames are found by their length, not by looking at each. */
static void
test_dcd_many_frames(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(GError) error = NULL;
  g_autofree char *path = g_build_filename(folder, "many.dcd", NULL);
  Opened opened;
  debye_temporary_write_trajectory(&debye_format_dcd, path, 1, 20000);
  opened_open(&opened, &debye_format_dcd, path);
  g_assert_cmpuint(opened.index->offsets->len, ==, 20000);
  g_assert_cmpfloat_with_epsilon(opened.index->last_time, 0.5 * 19999, 1e-2);
  g_autoptr(DebyeFrame) frame = opened_read(&opened, 12345);
  g_autoptr(DebyeFrame) expected = debye_temporary_make_frame(1, 12345);
  g_assert_cmpfloat(frame->x[0], ==, expected->x[0]);
  opened_close(&opened);
}

static void
test_trr_velocities(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(GError) error = NULL;
  g_autoptr(GOutputStream) memory = g_memory_output_stream_new_resizable();
  Opened opened;
  gpointer writer = debye_format_trr.writer_new(memory, NULL, 30, 2, &error);
  for (guint32 k = 0; k < 2; k++) {
    g_autoptr(DebyeFrame) frame = debye_temporary_make_frame(30, k);
    if (k == 1)
      g_assert_true(debye_frame_add_velocities(frame));
    for (gsize i = 0; i < 30 && k == 1; i++)
      frame->vy[i] = (float)i;
    frame->has_cell = k == 1;
    g_assert_true(debye_format_trr.write_frame(writer, frame, &error));
  }
  g_assert_true(debye_format_trr.writer_finish(writer, &error));
  g_assert_true(g_output_stream_close(memory, NULL, &error));
  g_autoptr(GBytes) bytes = g_memory_output_stream_steal_as_bytes(G_MEMORY_OUTPUT_STREAM(memory));
  g_autofree char *path =
      debye_temporary_write(folder, "run.trr", g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
  opened_open(&opened, &debye_format_trr, path);
  g_autoptr(DebyeFrame) second = opened_read(&opened, 1);
  g_assert_nonnull(second->vy);
  g_assert_cmpfloat_with_epsilon(second->vy[17], 17.0f, 1e-5f);
  g_assert_true(second->has_cell);
  g_autoptr(DebyeFrame) first = opened_read(&opened, 0);
  g_assert_null(first->vx);
  g_assert_false(first->has_cell);
  opened_close(&opened);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/dcd/there-and-back", test_dcd);
  g_test_add_func("/dcd/dialects", test_dcd_dialects);
  g_test_add_func("/dcd/cells", test_dcd_cells);
  g_test_add_func("/dcd/many-frames", test_dcd_many_frames);
  g_test_add_func("/xtc/there-and-back", test_xtc);
  g_test_add_func("/xtc/twice", test_xtc_twice);
  g_test_add_func("/xtc/value", test_xtc_value);
  g_test_add_func("/xtc/coding", test_coding);
  g_test_add_func("/xtc/coding/noise", test_coding_noise);
  g_test_add_func("/trr/there-and-back", test_trr);
  g_test_add_func("/trr/velocities", test_trr_velocities);
  return g_test_run();
}
