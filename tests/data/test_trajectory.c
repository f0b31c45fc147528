/* SPDX-License-Identifier: MIT */
/* Frames, ranges, trajectories of several files, their cached index, reading ahead. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "data/files/error.h"
#include "data/messages/message.h"
#include "data/trajectory/frame_cache.h"
#include "data/trajectory/frame_stream.h"
#include "data/trajectory/trajectory_times.h"
#include "tests/support/temporary.h"
#include "data/trajectory/format_list.h"

static void
test_frame(void)
{
  g_autoptr(DebyeFrame) frame = debye_temporary_make_frame(37, 5);
  g_assert_cmpuint((gsize)frame->x % 64 + (gsize)frame->y % 64 + (gsize)frame->z % 64, ==, 0);
  g_assert_true(debye_frame_add_velocities(frame));
  frame->vz[36] = 3.0f;
  g_autoptr(DebyeFrame) copy = debye_frame_copy(frame);
  g_assert_cmpmem(copy->z, 37 * 4, frame->z, 37 * 4);
  g_assert_cmpfloat(copy->vz[36], ==, 3.0f);
  g_assert_cmpint(copy->step, ==, 50);
  const guint32 atoms[3] = {36, 0, 7};
  g_autoptr(DebyeFrame) part = debye_frame_subset(frame, atoms, 3);
  g_assert_cmpuint(part->n_atoms, ==, 3);
  g_assert_cmpfloat(part->y[0], ==, frame->y[36]);
  g_assert_cmpfloat(part->x[2], ==, frame->x[7]);
  g_assert_cmpfloat(part->vz[0], ==, 3.0f);
  g_assert_true(part->has_cell);
}

static void
test_frame_bad_numbers(void)
{
  g_autoptr(DebyeFrame) frame = debye_temporary_make_frame(1001, 6);
  DebyeVec3 low, high;
  debye_frame_check(frame);
  g_assert_cmpuint(frame->n_bad, ==, 0);
  frame->z[1000] = INFINITY;
  frame->x[400] = NAN;
  frame->y[400] = -INFINITY;
  debye_frame_check(frame);
  g_assert_cmpuint(frame->n_bad, ==, 3);
  g_assert_cmpuint(frame->first_bad_atom, ==, 400);
  g_assert_true(debye_frame_get_bounds(frame, NULL, 0, &low, &high));
  g_assert_true(isfinite(low.x) && isfinite(low.y) && isfinite(high.z));
  g_autofree guint32 *all = g_new(guint32, frame->n_atoms);
  DebyeVec3 low_of_list, high_of_list;
  for (gsize i = 0; i < frame->n_atoms; i++)
    all[i] = (guint32)i;
  g_assert_true(debye_frame_get_bounds(frame, all, frame->n_atoms, &low_of_list, &high_of_list));
  g_assert_cmpmem(&low, sizeof low, &low_of_list, sizeof low_of_list);
  g_assert_cmpmem(&high, sizeof high, &high_of_list, sizeof high_of_list);
  const guint32 one = 3;
  g_assert_true(debye_frame_get_bounds(frame, &one, 1, &low, &high));
  g_assert_cmpfloat(low.x, ==, (double)frame->x[3]);
  g_assert_cmpfloat(high.z, ==, (double)frame->z[3]);
  g_assert_false(debye_frame_get_bounds(frame, &one, 0, &low, &high));
}

static void
assert_range(const char *text, gsize first, gsize last, gsize step, gsize count, const char *normal)
{
  g_autoptr(GError) error = NULL;
  DebyeFrameRange range;
  debye_frame_range_parse(text, 11, &range, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(range.first, ==, first);
  g_assert_cmpuint(range.last, ==, last);
  g_assert_cmpuint(range.step, ==, step);
  g_assert_cmpuint(debye_frame_range_count(&range), ==, count);
  g_autofree char *back = debye_frame_range_to_string(&range);
  g_assert_cmpstr(back, ==, normal);
}

static void
test_range(void)
{
  static const char *const wrong[] = {"11",     "0:11", "-12", "5:4",     "1:2:0",
                                      "1:2:-1", "a",    "1:b", "1:2:3:4", "1.5"};
  assert_range("", 0, 10, 1, 11, "0:10");
  assert_range("5", 5, 5, 1, 1, "5");
  assert_range("-1", 10, 10, 1, 1, "10");
  assert_range("2:8", 2, 8, 1, 7, "2:8");
  assert_range("0:-1:10", 0, 10, 10, 2, "0:10:10");
  assert_range("::2", 0, 10, 2, 6, "0:10:2");
  assert_range("::3", 0, 10, 3, 4, "0:10:3");
  assert_range("-3:", 8, 10, 1, 3, "8:10");
  assert_range(" 1 : 9 : 4 ", 1, 9, 4, 3, "1:9:4");
  for (gsize k = 0; k < G_N_ELEMENTS(wrong); k++) {
    g_autoptr(GError) error = NULL;
    DebyeFrameRange range;
    g_assert_false(debye_frame_range_parse(wrong[k], 11, &range, &error));
    g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE);
  }
}

static DebyeTrajectory *
open_paths(const char *first, const char *second)
{
  g_autoptr(GError) error = NULL;
  const char *const paths[] = {first, second, NULL};
  DebyeTrajectory *trajectory = debye_trajectory_open(paths, NULL, NULL, NULL, &error);
  g_assert_no_error(error);
  return trajectory;
}

static void
assert_frame(const DebyeFrame *frame, guint32 seed)
{
  g_autoptr(DebyeFrame) expected = debye_temporary_make_frame(frame->n_atoms, seed);
  for (gsize i = 0; i < frame->n_atoms; i++)
    g_assert_cmpfloat(fabsf(frame->x[i] - expected->x[i]), <=, 0.0055f);
}

/* A DCD and an XTC file, one after the other, read in any order. */
static void
test_several_files(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(GError) error = NULL;
  g_autofree char *first = g_build_filename(folder, "a.dcd", NULL);
  g_autofree char *second = g_build_filename(folder, "b.xtc", NULL);
  debye_temporary_write_trajectory(&debye_format_dcd, first, 50, 4);
  debye_temporary_write_trajectory(&debye_format_xtc, second, 50, 3);
  g_autoptr(DebyeTrajectory) trajectory = open_paths(first, second);
  g_assert_cmpuint(debye_trajectory_get_n_frames(trajectory), ==, 7);
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, &error);
  g_autoptr(DebyeFrame) frame = debye_frame_new(50);
  for (gsize k = 0; k < 21; k++) {
    gsize number = k * 5 % 7;
    g_assert_true(debye_trajectory_reader_read(reader, number, frame, &error));
    g_assert_cmpuint(frame->index, ==, number);
    assert_frame(frame, (guint32)(number < 4 ? number : number - 4));
  }
  g_assert_false(debye_trajectory_reader_read(reader, 7, frame, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE);
}

static void
test_mismatch(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(GError) error = NULL;
  g_autofree char *first = g_build_filename(folder, "a.dcd", NULL);
  g_autofree char *second = g_build_filename(folder, "b.dcd", NULL);
  debye_temporary_write_trajectory(&debye_format_dcd, first, 50, 2);
  debye_temporary_write_trajectory(&debye_format_dcd, second, 51, 2);
  const char *const paths[] = {first, second, NULL};
  g_assert_null(debye_trajectory_open(paths, NULL, NULL, NULL, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MISMATCH);
  g_assert_cmpstr(error->message, ==, "b.dcd: has 51 atoms, expected 50 as in a.dcd");
}

static gboolean
stop_at_once(G_GNUC_UNUSED double fraction, G_GNUC_UNUSED gpointer data)
{
  return FALSE;
}

static void
test_stopped(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(GError) error = NULL;
  g_autofree char *path = g_build_filename(folder, "a.xtc", NULL);
  debye_temporary_write_trajectory(&debye_format_xtc, path, 50, 4);
  const char *const paths[] = {path, NULL};
  g_assert_null(debye_trajectory_open(paths, NULL, stop_at_once, NULL, &error));
  g_assert_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* --- Several files' times --- */

static void
assert_joint(double first, double last, double step, double next, const char *expected)
{
  DebyeFileTimes before = {.name = "a.xtc", .first = first, .last = last, .step = step};
  DebyeFileTimes after = {.name = "b.xtc", .first = next, .last = next + 10.0, .step = 2.0};
  g_autofree char *sentence = debye_file_times_describe_joint(&before, &after);
  g_autofree char *words = sentence != NULL ? debye_message_english(sentence) : NULL;
  g_assert_cmpstr(words, ==, expected);
}

static void
test_joints(void)
{
  assert_joint(0.0, 10.0, 2.0, 12.0, NULL);
  assert_joint(0.0, 10.0, 2.0, 12.001, NULL);
  assert_joint(NAN, NAN, NAN, 12.0, NULL);
  assert_joint(10.0, 10.0, NAN, 12.0, NULL);
  assert_joint(0.0, 10.0, 2.0, 10.0,
               "b.xtc: the first frame, at 10 ps, is also the last of a.xtc: it counts twice");
  assert_joint(0.0, 10.0, 2.0, 0.0, "b.xtc: begins at 0 ps, before the end of a.xtc at 10 ps");
  assert_joint(0.0, 10.0, 2.0, 30.5, "b.xtc: begins at 30.5 ps, a.xtc ends at 10 ps with steps of 2 ps");
}

/* Two runs that both begin at 0. */
static void
test_joint_of_files(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *first = g_build_filename(folder, "a.xtc", NULL);
  g_autofree char *second = g_build_filename(folder, "b.xtc", NULL);
  debye_temporary_write_trajectory(&debye_format_xtc, first, 50, 4);
  debye_temporary_write_trajectory(&debye_format_xtc, second, 50, 3);
  g_autoptr(DebyeTrajectory) trajectory = open_paths(first, second);
  const char *const *warnings = debye_trajectory_get_warnings(trajectory);
  g_assert_nonnull(warnings[0]);
  g_assert_true(strstr(warnings[0], "begins at 0 ps, before the end of ") != NULL);
  g_assert_true(g_str_has_suffix(warnings[0], " at 1.5 ps"));
  g_assert_null(warnings[1]);
}

/* --- Files that are being written --- */

static void
write_beginning(const char *path, const char *bytes, gsize n)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GFile) file = g_file_new_for_path(path);
  g_autoptr(GFileIOStream) stream = g_file_open_readwrite(file, NULL, NULL);
  if (!stream)
    stream = g_file_create_readwrite(file, G_FILE_CREATE_NONE, NULL, &error);
  g_assert_no_error(error);
  g_output_stream_write_all(g_io_stream_get_output_stream(G_IO_STREAM(stream)), bytes, n, NULL, NULL, &error);
  g_assert_no_error(error);
}

/* In pieces that end inside frames: each frame is there once it is whole, and none is a fault. */
static void
check_growth(const DebyeFormat *format, gsize n_pieces)
{
  const gsize n_frames = 20;
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *whole = g_build_filename(folder, "whole", NULL);
  g_autofree char *path = g_build_filename(folder, "growing", NULL);
  g_autofree char *bytes = NULL;
  gsize n;
  debye_temporary_write_trajectory(format, whole, 50, n_frames);
  g_assert_true(g_file_get_contents(whole, &bytes, &n, &error));
  write_beginning(path, bytes, n / 4);
  g_autoptr(DebyeTrajectory) trajectory = open_paths(path, NULL);
  for (gsize k = 1; k <= n_pieces; k++) {
    gsize n_before = debye_trajectory_get_n_frames(trajectory);
    write_beginning(path, bytes, n / 4 + (n - n / 4) * k / n_pieces);
    g_autoptr(DebyeTrajectory) fresh = debye_trajectory_refresh(trajectory, NULL, NULL, &error);
    g_assert_no_error(error);
    g_assert_true(fresh != trajectory);
    g_assert_null(debye_trajectory_get_warnings(fresh)[0]);
    g_assert_cmpuint(debye_trajectory_get_n_frames(fresh), >=, n_before);
    g_assert_cmpuint(debye_trajectory_get_n_frames(trajectory), ==, n_before);
    g_set_object(&trajectory, fresh);
  }
  g_assert_cmpuint(debye_trajectory_get_n_frames(trajectory), ==, n_frames);
  double first, last, step;
  g_assert_true(debye_trajectory_get_times(trajectory, &first, &last, &step));
  g_assert_cmpfloat_with_epsilon(first, 0.0, 1e-6);
  g_assert_cmpfloat_with_epsilon(last, 0.5 * (double)(n_frames - 1), 1e-6);
  g_assert_cmpfloat_with_epsilon(step, 0.5, 1e-6);
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, &error);
  g_autoptr(DebyeFrame) frame = debye_frame_new(50);
  for (gsize k = 0; k < n_frames; k++) {
    debye_trajectory_reader_read(reader, k, frame, &error);
    g_assert_no_error(error);
    assert_frame(frame, (guint32)k);
  }
  g_autoptr(DebyeTrajectory) same = debye_trajectory_refresh(trajectory, NULL, NULL, &error);
  g_assert_true(same == trajectory);
}

static void
test_growth(void)
{
  check_growth(&debye_format_xtc, 37);
  check_growth(&debye_format_trr, 23);
}

/* DCD's header says how many frames there shall be, and a text ends where it ends: frames come, with words.
 */
static void
test_growth_of_others(void)
{
  static const DebyeFormat *const formats[] = {&debye_format_dcd, &debye_format_netcdf};
  for (gsize k = 0; k < G_N_ELEMENTS(formats); k++) {
    g_autoptr(GError) error = NULL;
    g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
    g_autofree char *whole = g_build_filename(folder, "whole", NULL);
    g_autofree char *path = g_build_filename(folder, "growing", NULL);
    g_autofree char *bytes = NULL;
    gsize n;
    debye_temporary_write_trajectory(formats[k], whole, 50, 12);
    g_assert_true(g_file_get_contents(whole, &bytes, &n, &error));
    write_beginning(path, bytes, n / 2 + 5);
    g_autoptr(DebyeTrajectory) trajectory = open_paths(path, NULL);
    g_assert_cmpuint(debye_trajectory_get_n_frames(trajectory), <, 12);
    write_beginning(path, bytes, n);
    g_autoptr(DebyeTrajectory) fresh = debye_trajectory_refresh(trajectory, NULL, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(debye_trajectory_get_n_frames(fresh), ==, 12);
    g_assert_null(debye_trajectory_get_warnings(fresh)[0]);
  }
}

static void
test_growth_refused(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = g_build_filename(folder, "run.xtc", NULL);
  g_autofree char *bytes = NULL;
  gsize n;
  debye_temporary_write_trajectory(&debye_format_xtc, path, 50, 6);
  g_autoptr(DebyeTrajectory) trajectory = open_paths(path, NULL);
  g_assert_true(g_file_get_contents(path, &bytes, &n, &error));
  g_assert_cmpint(truncate(path, (off_t)n / 2), ==, 0);
  g_assert_null(debye_trajectory_refresh(trajectory, NULL, NULL, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MISMATCH);
  g_clear_error(&error);
  g_assert_cmpint(g_unlink(path), ==, 0);
  g_assert_null(debye_trajectory_refresh(trajectory, NULL, NULL, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_OPEN);
}

/* --- The cache --- */

#define LARGE_ATOMS 6000
#define LARGE_FRAMES 40

typedef struct {
  DebyeTemporaryFolder *folder;
  char *path, *beside, *of_user;
} Large;

static void
large_init(Large *large)
{
  large->folder = debye_temporary_folder_new();
  large->path = g_build_filename(large->folder, "large.dcd", NULL);
  large->beside = debye_frame_cache_get_path_beside(large->path);
  large->of_user = debye_frame_cache_get_path_of_user(large->path);
  debye_temporary_write_trajectory(&debye_format_dcd, large->path, LARGE_ATOMS, LARGE_FRAMES);
}

static void
large_clear(Large *large)
{
  g_unlink(large->of_user);
  debye_temporary_folder_free(large->folder);
  g_free(large->path);
  g_free(large->beside);
  g_free(large->of_user);
}

static DebyeFrameIndex *
load(const Large *large)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeInput) input = debye_input_open(large->path, &error);
  g_assert_no_error(error);
  return debye_frame_cache_load(input, &debye_format_dcd);
}

static void
assert_opens(const Large *large)
{
  g_autoptr(DebyeTrajectory) trajectory = open_paths(large->path, NULL);
  g_assert_cmpuint(debye_trajectory_get_n_frames(trajectory), ==, LARGE_FRAMES);
}

static void
assert_cached(const Large *large, gboolean is_cached)
{
  g_autoptr(DebyeFrameIndex) index = load(large);
  g_assert_cmpint(index != NULL, ==, is_cached);
  if (!index)
    return;
  g_assert_cmpuint(index->offsets->len, ==, LARGE_FRAMES);
  g_assert_cmpuint(index->n_atoms, ==, LARGE_ATOMS);
}

static void
test_cache(void)
{
  Large large;
  large_init(&large);
  assert_cached(&large, FALSE);
  assert_opens(&large);
  g_assert_true(g_file_test(large.beside, G_FILE_TEST_EXISTS));
  assert_cached(&large, TRUE);
  assert_opens(&large);
  large_clear(&large);
}

/* Any byte that is other than it was makes it no cache, and it is made anew. */
static void
test_cache_corrupt(void)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *bytes = NULL;
  gsize n;
  Large large;
  large_init(&large);
  assert_opens(&large);
  g_assert_true(g_file_get_contents(large.beside, &bytes, &n, &error));
  for (gsize k = 0; k < n; k += 7) {
    bytes[k] ^= 0x10;
    g_assert_true(g_file_set_contents(large.beside, bytes, (gssize)n, &error));
    assert_cached(&large, FALSE);
    bytes[k] ^= 0x10;
  }
  for (gsize length = 0; length < n; length += 31) {
    g_assert_true(g_file_set_contents(large.beside, bytes, (gssize)length, &error));
    assert_cached(&large, FALSE);
  }
  assert_opens(&large);
  assert_cached(&large, TRUE);
  large_clear(&large);
}

static void
test_cache_stale(void)
{
  Large large;
  large_init(&large);
  assert_opens(&large);
  assert_cached(&large, TRUE);
  /* Same size, another time; then another size. */
  g_autoptr(GError) error = NULL;
  g_autoptr(GFile) file = g_file_new_for_path(large.path);
  g_assert_true(g_file_set_attribute_uint64(file, G_FILE_ATTRIBUTE_TIME_MODIFIED, 1000000,
                                            G_FILE_QUERY_INFO_NONE, NULL, &error));
  assert_cached(&large, FALSE);
  assert_opens(&large);
  assert_cached(&large, TRUE);
  debye_temporary_write_trajectory(&debye_format_dcd, large.path, LARGE_ATOMS, LARGE_FRAMES + 1);
  g_assert_true(g_file_set_attribute_uint64(file, G_FILE_ATTRIBUTE_TIME_MODIFIED, 1000000,
                                            G_FILE_QUERY_INFO_NONE, NULL, &error));
  assert_cached(&large, FALSE);
  g_autoptr(DebyeTrajectory) longer = open_paths(large.path, NULL);
  g_assert_cmpuint(debye_trajectory_get_n_frames(longer), ==, LARGE_FRAMES + 1);
  large_clear(&large);
}

static void
test_cache_read_only(void)
{
  Large large;
  large_init(&large);
  g_assert_cmpint(g_chmod(large.folder, 0500), ==, 0);
  assert_opens(&large);
  g_assert_false(g_file_test(large.beside, G_FILE_TEST_EXISTS));
  g_assert_true(g_file_test(large.of_user, G_FILE_TEST_EXISTS));
  assert_cached(&large, TRUE);
  large_clear(&large);
}

static void
test_cache_small(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = g_build_filename(folder, "small.dcd", NULL);
  g_autofree char *beside = debye_frame_cache_get_path_beside(path);
  debye_temporary_write_trajectory(&debye_format_dcd, path, 10, 3);
  g_autoptr(DebyeTrajectory) trajectory = open_paths(path, NULL);
  g_assert_cmpuint(debye_trajectory_get_n_frames(trajectory), ==, 3);
  g_assert_false(g_file_test(beside, G_FILE_TEST_EXISTS));
}

/* --- Reading ahead --- */

static DebyeTrajectory *
make_run(const DebyeTemporaryFolder *folder, gsize n_frames)
{
  g_autofree char *path = g_build_filename(folder, "run.xtc", NULL);
  debye_temporary_write_trajectory(&debye_format_xtc, path, 100, n_frames);
  return open_paths(path, NULL);
}

static void
check_order(DebyeTrajectory *trajectory, guint n_readers)
{
  for (guint depth = 0; depth < 5; depth++) {
    g_autoptr(GError) error = NULL;
    g_autoptr(GHashTable) buffers = g_hash_table_new(NULL, NULL);
    DebyeFrameRange range = {.first = 3, .last = 58, .step = 2};
    g_autoptr(DebyeFrameStream) stream = debye_frame_stream_new(trajectory, range, depth, n_readers);
    gsize expected = 3;
    for (DebyeFrame *frame; (frame = debye_frame_stream_next(stream, &error)); expected += 2) {
      g_assert_cmpuint(frame->index, ==, expected);
      assert_frame(frame, (guint32)expected);
      g_hash_table_add(buffers, frame);
      debye_frame_unref(frame);
    }
    g_assert_no_error(error);
    g_assert_cmpuint(expected, ==, 59);
    if (depth > 1)
      g_assert_cmpuint(g_hash_table_size(buffers), <=, depth);
    g_assert_null(debye_frame_stream_next(stream, &error));
  }
}

static void
test_stream(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeTrajectory) trajectory = make_run(folder, 60);
  for (guint n_readers = 0; n_readers < 4; n_readers++)
    check_order(trajectory, n_readers);
}

/* Large enough that the consumer, who does nothing, waits and more readers come. */
static void
test_stream_of_many(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = g_build_filename(folder, "large.trr", NULL);
  g_autoptr(GError) error = NULL;
  debye_temporary_write_trajectory(&debye_format_trr, path, 100000, 24);
  g_autoptr(DebyeTrajectory) trajectory = open_paths(path, NULL);
  g_assert_true(debye_trajectory_has_many_readers(trajectory));
  g_autoptr(DebyeFrameStream) stream =
      debye_frame_stream_new(trajectory, (DebyeFrameRange){.first = 0, .last = 23, .step = 1}, 9, 8);
  for (guint k = 0; k < 24; k++) {
    g_autoptr(DebyeFrame) frame = debye_frame_stream_next(stream, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(frame->index, ==, k);
    assert_frame(frame, k);
  }
  g_assert_null(debye_frame_stream_next(stream, &error));
}

static void
turn_over(DebyeFrame *frame, gpointer data)
{
  const float *by = data;
  for (gsize i = 0; i < frame->n_atoms; i++)
    frame->x[i] = *by - frame->x[i];
}

/* On the threads that read, each frame once, though buffers come back as they were changed. */
static void
test_prepared_stream(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeTrajectory) trajectory = make_run(folder, 60);
  g_autoptr(GError) error = NULL;
  float by = 7.0F;
  const DebyeFrameRange range = {.first = 0, .last = 59, .step = 1};
  g_autoptr(DebyeFrameStream) stream =
      debye_frame_stream_new_prepared(trajectory, range, 4, 3, FALSE, turn_over, &by);
  for (guint k = 0; k < 60; k++) {
    g_autoptr(DebyeFrame) frame = debye_frame_stream_next(stream, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(frame->index, ==, k);
    turn_over(frame, &by);
    assert_frame(frame, k);
  }
}

/* Freed at every stage, with a frame still held. */
static void
test_stream_early_free(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeTrajectory) trajectory = make_run(folder, 30);
  for (guint taken = 0; taken < 6; taken++) {
    g_autoptr(GError) error = NULL;
    DebyeFrameRange range = {.first = 0, .last = 29, .step = 1};
    DebyeFrameStream *stream = debye_frame_stream_new(trajectory, range, 3, 2);
    g_autoptr(DebyeFrame) held = NULL;
    for (guint k = 0; k < taken; k++) {
      g_clear_pointer(&held, debye_frame_unref);
      held = debye_frame_stream_next(stream, &error);
      g_assert_nonnull(held);
    }
    debye_frame_stream_free(stream);
    if (held)
      assert_frame(held, taken - 1);
  }
}

static gpointer
let_go_later(gpointer data)
{
  g_usleep(20000);
  debye_frame_unref(data);
  return NULL;
}

/* All buffers are out; the next frame comes when another thread lets one go. */
static void
test_stream_waits(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeTrajectory) trajectory = make_run(folder, 5);
  g_autoptr(GError) error = NULL;
  DebyeFrameRange range = {.first = 0, .last = 4, .step = 1};
  g_autoptr(DebyeFrameStream) stream = debye_frame_stream_new(trajectory, range, 2, 1);
  DebyeFrame *first = debye_frame_stream_next(stream, &error);
  g_autoptr(DebyeFrame) second = debye_frame_stream_next(stream, &error);
  GThread *thread = g_thread_new("let-go", let_go_later, first);
  g_autoptr(DebyeFrame) third = debye_frame_stream_next(stream, &error);
  g_assert_cmpuint(third->index, ==, 2);
  assert_frame(second, 1);
  g_thread_join(thread);
}

/* The frames before the damage come, then its error. */
static void
check_error(DebyeTrajectory *trajectory, guint n_readers)
{
  g_autoptr(GError) error = NULL;
  DebyeFrameRange range = {.first = 0, .last = 9, .step = 1};
  g_autoptr(DebyeFrameStream) stream = debye_frame_stream_new(trajectory, range, 0, n_readers);
  guint n = 0;
  for (DebyeFrame *frame; (frame = debye_frame_stream_next(stream, &error)); n++)
    debye_frame_unref(frame);
  g_assert_cmpuint(n, ==, 9);
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_TRUNCATED);
  g_clear_error(&error);
  g_assert_null(debye_frame_stream_next(stream, &error));
  g_assert_no_error(error);
}

static void
test_stream_error(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeTrajectory) trajectory = make_run(folder, 10);
  g_autofree char *path = g_build_filename(folder, "run.xtc", NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(GFile) file = g_file_new_for_path(path);
  g_autoptr(GFileIOStream) stream_io = g_file_open_readwrite(file, NULL, &error);
  g_autoptr(GFileInfo) info =
      g_file_query_info(file, G_FILE_ATTRIBUTE_STANDARD_SIZE, G_FILE_QUERY_INFO_NONE, NULL, &error);
  g_assert_true(g_seekable_truncate(G_SEEKABLE(stream_io), g_file_info_get_size(info) - 10, NULL, &error));
  for (guint n_readers = 0; n_readers < 4; n_readers++)
    check_error(trajectory, n_readers);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_autoptr(DebyeTemporaryFolder) cache = debye_temporary_use_cache_folder();
  g_test_add_func("/frame/copies", test_frame);
  g_test_add_func("/frame/bad-numbers", test_frame_bad_numbers);
  g_test_add_func("/range", test_range);
  g_test_add_func("/trajectory/files", test_several_files);
  g_test_add_func("/trajectory/mismatch", test_mismatch);
  g_test_add_func("/trajectory/stopped", test_stopped);
  g_test_add_func("/trajectory/joints", test_joints);
  g_test_add_func("/trajectory/joint-of-files", test_joint_of_files);
  g_test_add_func("/trajectory/growth", test_growth);
  g_test_add_func("/trajectory/growth-of-others", test_growth_of_others);
  g_test_add_func("/trajectory/growth-refused", test_growth_refused);
  g_test_add_func("/cache/there", test_cache);
  g_test_add_func("/cache/corrupt", test_cache_corrupt);
  g_test_add_func("/cache/stale", test_cache_stale);
  g_test_add_func("/cache/read-only", test_cache_read_only);
  g_test_add_func("/cache/small", test_cache_small);
  g_test_add_func("/stream/order", test_stream);
  g_test_add_func("/stream/many-readers", test_stream_of_many);
  g_test_add_func("/stream/prepared", test_prepared_stream);
  g_test_add_func("/stream/early-free", test_stream_early_free);
  g_test_add_func("/stream/waits", test_stream_waits);
  g_test_add_func("/stream/error", test_stream_error);
  return g_test_run();
}
