/* SPDX-License-Identifier: MIT */
/* XTC frames that stay packed: the scan for segments finds what the decoder finds wrong, and segments unpacked each by itself, with
 * what kernels use, are the decoder's coordinates to the last bit. No tolerance anywhere. */
#include <math.h>
#include <string.h>

#include "data/formats/gromacs/xtc_coding.h"
#include "data/trajectory/format_list.h"
#include "data/trajectory/frame_stream.h"
#include "kernels/unpacking.h"
#include "tests/support/packed_frames.h"
#include "tests/support/shared.h"
#include "tests/support/temporary.h"

/* From the last segment to the first: none depends on another. */
static void
assert_unpacks_to(const DebyePackedCoordinates *packed, const float *x, const float *y, const float *z)
{
  const gsize n = packed->n_atoms;
  g_autofree float *found = g_new0(float, 3 * n);
  DebyePackedScale scale;
  debye_packed_scale_init(&scale, packed);
  for (gsize i = packed->n_segments; i-- > 0;)
    debye_packed_unpack_segment(packed, &scale, i, found, found + n, found + 2 * n);
  g_assert_cmpmem(found, n * sizeof(float), x, n * sizeof(float));
  g_assert_cmpmem(found + n, n * sizeof(float), y, n * sizeof(float));
  g_assert_cmpmem(found + 2 * n, n * sizeof(float), z, n * sizeof(float));
}

static void
assert_integers_unpack(const DebyePackedCoordinates *packed, gint32 *integers[3])
{
  const gsize n = packed->n_atoms;
  g_autofree float *expected = g_new(float, 3 * n);
  for (gsize k = 0; k < 3; k++)
    for (gsize i = 0; i < n; i++) {
      expected[k * n + i] = (float)integers[k][i] * packed->unit * 10.0f;
      g_assert_cmpfloat(fabs((double)integers[k][i]), <=, packed->farthest);
    }
  assert_unpacks_to(packed, expected, expected + n, expected + 2 * n);
}

/* Both ways through the first n_bytes of a stream; what they say is wrong with it. */
static const char *
compare(const DebyePackedCoordinates *stream, int small_index, gsize n_bytes, DebyePackedCoordinates *scanned)
{
  const gsize n = stream->n_atoms;
  DebyeXtcBlock block = {.small_index = small_index};
  g_autofree gint32 *all = g_new0(gint32, 3 * n);
  gint32 *integers[3] = {all, all + n, all + 2 * n};
  for (int k = 0; k < 3; k++) {
    block.minimum[k] = stream->minimum[k];
    block.maximum[k] = (gint32)((guint32)stream->minimum[k] + stream->range[k] - 1);
  }
  *scanned = (DebyePackedCoordinates){.bytes = stream->bytes,
                                      .unit = stream->unit,
                                      .segments = g_new(DebyePackedSegment, debye_packed_max_segments(n))};
  const char *said = debye_xtc_decode(&block, stream->bytes, n_bytes, n, all, all + n, all + 2 * n);
  g_assert_cmpstr(debye_xtc_scan(&block, n_bytes, n, scanned), ==, said);
  g_assert_cmpuint(scanned->n_segments, <=, debye_packed_max_segments(n));
  if (said == NULL)
    assert_integers_unpack(scanned, integers);
  return said;
}

static const guint32 test_ranges[][3] = {
    {1, 1, 1}, /* one bit */
    {2, 3, 5},
    {21700, 21700, 21700},          /* a million atoms of water: 44 bits */
    {200000, 300000, 200000},       /* 54 */
    {500000, 500000, 500000},       /* 57, as many as the decoder takes at once */
    {700000, 700000, 700000},       /* 59 */
    {2000000, 2000000, 3000000},    /* 64 */
    {0xffffff, 0xffffff, 0xffffff}, /* 72, the widest number */
    {0x1000000, 7, 0x80000000},     /* each by itself */
    {0xffffffff, 0xfffffffe, 0xffffffff},
};

static DebyePackedCoordinates
make_stream(gsize number, gsize n_atoms, int small_index, guint seed, const guint32 *small_ranges)
{
  const guint32 *range = test_ranges[number % G_N_ELEMENTS(test_ranges)];
  DebyePackedCoordinates stream = {.minimum = {-1000, 5, (gint32)(range[2] > 0x7fffffff ? G_MININT32 : -7)},
                                   .range = {range[0], range[1], range[2]},
                                   .unit = 1.0f / 1000.0f,
                                   .small_ranges = small_ranges};
  if (range[0] == 0xffffffff)
    stream.minimum[0] = stream.minimum[1] = G_MININT32;
  debye_packed_random(&stream, n_atoms, small_index, seed);
  return stream;
}

static void
test_streams(void)
{
  for (int width = 9; width < DEBYE_PACKED_WIDTHS; width++)
    for (gsize k = 0; k < G_N_ELEMENTS(test_ranges); k++)
      for (gsize n = 10; n < 5000; n = n * 7 + 3) {
        DebyePackedCoordinates scanned, stream = make_stream(k, n, width, (guint)(n + k), NULL);
        g_assert_null(compare(&stream, width, stream.n_bytes, &scanned));
        g_assert_cmpuint(scanned.n_bytes, ==, stream.n_bytes);
        g_assert_cmpuint(scanned.n_segments, ==, stream.n_segments);
        for (gsize i = 0; i < stream.n_segments; i++) {
          g_assert_cmpuint(scanned.segments[i].position, ==, stream.segments[i].position);
          g_assert_cmpuint(scanned.segments[i].atom, ==, stream.segments[i].atom);
          g_assert_cmpuint(scanned.segments[i].small_index, ==, stream.segments[i].small_index);
          g_assert_cmpuint(scanned.segments[i].run, ==, stream.segments[i].run);
        }
        g_free(scanned.segments);
        debye_packed_clear(&stream);
      }
}

/* Cut anywhere, the stream ends too early; with bits turned over it is what the decoder says it is. */
static void
test_damage(void)
{
  for (gsize k = 0; k < G_N_ELEMENTS(test_ranges); k++) {
    DebyePackedCoordinates scanned, stream = make_stream(k, 1300, 20 + 3 * (int)k, (guint)k, NULL);
    for (gsize n = 0; n < stream.n_bytes; n += n < 64 ? 1 : 61) {
      g_assert_nonnull(strstr(compare(&stream, 20 + 3 * (int)k, n, &scanned), "end too early"));
      g_free(scanned.segments);
    }
    guint n_good = 0, n_wrong = 0;
    g_autoptr(GRand) random = g_rand_new_with_seed((guint32)k);
    for (guint i = 0; i < 400; i++) {
      const gsize at = (gsize)g_rand_int_range(random, 0, (gint32)stream.n_bytes);
      stream.bytes[at] ^= (guint8)(1 << g_rand_int_range(random, 0, 8));
      *(compare(&stream, 20 + 3 * (int)k, stream.n_bytes, &scanned) == NULL ? &n_good : &n_wrong) += 1;
      g_free(scanned.segments);
      if (i % 4 == 3) {
        debye_packed_clear(&stream);
        stream = make_stream(k, 1300, 20 + 3 * (int)k, i, NULL);
      }
    }
    g_assert_cmpuint(n_good, >, 0);
    g_assert_cmpuint(n_wrong, >, 0);
    debye_packed_clear(&stream);
  }
}

/* --- Files --- */

static void
assert_same_frame(const DebyeFrame *packed, const DebyeFrame *plain)
{
  g_assert_cmpuint(packed->n_atoms, ==, plain->n_atoms);
  g_assert_cmpfloat(packed->time, ==, plain->time);
  g_assert_cmpint(packed->step, ==, plain->step);
  g_assert_cmpint(packed->has_cell, ==, plain->has_cell);
  g_assert_cmpmem(&packed->cell, sizeof packed->cell, &plain->cell, sizeof plain->cell);
  g_assert_cmpuint(packed->n_bad, ==, plain->n_bad);
  if (packed->is_packed)
    assert_unpacks_to(packed->packed, plain->x, plain->y, plain->z);
  else
    g_assert_cmpmem(packed->x, packed->n_atoms * sizeof(float), plain->x, plain->n_atoms * sizeof(float));
}

static DebyeTrajectory *
open_one(const char *path)
{
  return debye_trajectory_open((const char *const[]){path, NULL}, NULL, NULL, NULL, NULL);
}

/* Returns how many frames stayed packed. */
static guint
compare_file(const char *path)
{
  g_autoptr(DebyeTrajectory) trajectory = open_one(path);
  guint n_packed = 0;
  if (trajectory == NULL)
    return 0;
  const gsize n_atoms = debye_trajectory_get_n_atoms(trajectory);
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, NULL);
  g_autoptr(DebyeFrame) plain = debye_frame_new(n_atoms);
  g_autoptr(DebyeFrame) packed = debye_frame_new(n_atoms);
  g_assert_true(debye_frame_add_packed(packed));
  for (gsize k = 0; k < debye_trajectory_get_n_frames(trajectory); k++) {
    g_autoptr(GError) said = NULL;
    g_autoptr(GError) expected = NULL;
    const gboolean is_good = debye_trajectory_reader_read(reader, k, plain, &expected);
    g_assert_cmpint(debye_trajectory_reader_read(reader, k, packed, &said), ==, is_good);
    if (!is_good) {
      g_assert_cmpstr(said->message, ==, expected->message);
      continue;
    }
    g_assert_false(plain->is_packed);
    n_packed += packed->is_packed;
    assert_same_frame(packed, plain);
  }
  return n_packed;
}

static guint
compare_folder(const char *path)
{
  guint n_packed = 0;
  g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
  g_assert_nonnull(folder);
  for (const char *name; (name = g_dir_read_name(folder)) != NULL;) {
    g_autofree char *file = g_build_filename(path, name, NULL);
    if (g_str_has_suffix(name, ".xtc"))
      n_packed += compare_file(file);
  }
  return n_packed;
}

static void
test_files(void)
{
  static const char *const folders[] = {"data/xtc", "data/broken", "reference/pep", "reference/w3k"};
  const char *samples = g_getenv("DEBYE_SAMPLES_DIR"), *shared = debye_shared_get_folder();
  if (samples != NULL)
    g_assert_cmpuint(compare_folder(samples), >, 100);
  for (gsize i = 0; i < G_N_ELEMENTS(folders) && shared != NULL; i++) {
    g_autofree char *folder = g_build_filename(shared, folders[i], NULL);
    g_assert_cmpuint(compare_folder(folder), >, 0);
  }
  if (samples == NULL && shared == NULL)
    g_test_skip("neither DEBYE_SAMPLES_DIR nor DEBYE_SHARED is set");
}

/* Moves the first frame's atoms along x by so many steps. */
static void
move_first_frame(char *bytes, gint32 by)
{
  for (gsize at = 60; at <= 72; at += 12) {
    gint32 x;
    memcpy(&x, bytes + at, sizeof x);
    x = GINT32_FROM_BE(x) + by;
    x = GINT32_TO_BE(x);
    memcpy(bytes + at, &x, sizeof x);
  }
}

/* Up to nine atoms nothing is packed; coordinates may be too far for kernels to take them unseen. */
static void
test_unpacked_frames(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *few = g_build_filename(folder, "few.xtc", NULL);
  g_autofree char *more = g_build_filename(folder, "more.xtc", NULL);
  debye_temporary_write_trajectory(&debye_format_xtc, few, 9, 3);
  debye_temporary_write_trajectory(&debye_format_xtc, more, 10, 3);
  g_assert_cmpuint(compare_file(few), ==, 0);
  g_assert_cmpuint(compare_file(more), ==, 3);
  g_autofree char *bytes = NULL;
  gsize n;
  g_assert_true(g_file_get_contents(more, &bytes, &n, NULL));
  move_first_frame(bytes, 9900000);
  g_autofree char *near = debye_temporary_write(folder, "near.xtc", bytes, n);
  g_assert_cmpuint(compare_file(near), ==, 3);
  move_first_frame(bytes, 101000);
  g_autofree char *far = debye_temporary_write(folder, "far.xtc", bytes, n);
  g_assert_cmpuint(compare_file(far), ==, 2);
  move_first_frame(bytes, -10001000);
  const guint8 coarse[4] = {0x41, 0xf8, 0, 0}; /* 31 steps a nanometre */
  memcpy(bytes + 56, coarse, sizeof coarse);
  g_autofree char *low = debye_temporary_write(folder, "low.xtc", bytes, n);
  g_assert_cmpuint(compare_file(low), ==, 2);
}

/* In order, packed and prepared, by several readers whose buffers go round. */
static void
test_stream(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = g_build_filename(folder, "walk.xtc", NULL);
  debye_temporary_write_trajectory(&debye_format_xtc, path, 2000, 24);
  g_autoptr(DebyeTrajectory) trajectory = open_one(path);
  g_assert_true(debye_trajectory_may_be_packed(trajectory));
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, NULL);
  g_autoptr(DebyeFrame) plain = debye_frame_new(2000);
  const DebyeFrameRange range = {.first = 1, .last = 23, .step = 2};
  g_autoptr(DebyeFrameStream) stream =
      debye_frame_stream_new_prepared(trajectory, range, 4, 3, TRUE, NULL, NULL);
  gsize k = 1;
  for (;; k += 2) {
    g_autoptr(DebyeFrame) frame = debye_frame_stream_next(stream, NULL);
    if (frame == NULL)
      break;
    g_assert_true(frame->is_packed);
    g_assert_true(debye_trajectory_reader_read(reader, k, plain, NULL));
    assert_same_frame(frame, plain);
  }
  g_assert_cmpuint(k, ==, 25);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_autoptr(DebyeTemporaryFolder) cache = debye_temporary_use_cache_folder();
  g_test_add_func("/xtc-packed/streams", test_streams);
  g_test_add_func("/xtc-packed/damage", test_damage);
  g_test_add_func("/xtc-packed/files", test_files);
  g_test_add_func("/xtc-packed/unpacked-frames", test_unpacked_frames);
  g_test_add_func("/xtc-packed/stream", test_stream);
  return g_test_run();
}
