/* SPDX-License-Identifier: MIT */
/* libFuzzer target for one file format, which the compiler's FORMAT names: whatever the bytes are, each
 * function of the format ends with a result or an error. */
#include "data/trajectory/format_list.h"
#include "memory_file.h"

#ifndef FORMAT
#error "FORMAT must be a DebyeFormat, for instance debye_format_xtc"
#endif

#include "kernels/unpacking.h"

/* Far more than a good file of the corpus' size has. */
#define FRAMES_READ 8

static void
read_topology(DebyeInput *input)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  if (!FORMAT.read_topology)
    return;
  if (FORMAT.read_topology(input, builder, &error)) {
    g_autoptr(DebyeTopology) topology = debye_topology_builder_finish(builder);
    g_assert_nonnull(topology);
  } else {
    g_assert_nonnull(error);
  }
}

/* Left packed it is the same frame, or the same error; what the scan lets through unpacks to the same coordinates. */
static void
read_packed(gpointer reader, DebyeInput *input, const DebyeFrameIndex *index, gsize number,
            const DebyeFrame *plain, const GError *expected)
{
  const gsize n = index->n_atoms;
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeFrame) frame = debye_frame_new(n);
  g_autofree float *found = g_try_new0(float, 3 * n);
  if (!FORMAT.can_stay_packed || !frame || !found || !debye_frame_add_packed(frame))
    return;
  FORMAT.read_frame(reader, input, index, number, frame, &error);
  g_assert_cmpstr(error ? error->message : NULL, ==, expected ? expected->message : NULL);
  if (error || !frame->is_packed)
    return;
  DebyePackedScale scale;
  debye_packed_scale_init(&scale, frame->packed);
  for (gsize i = 0; i < frame->packed->n_segments; i++)
    debye_packed_unpack_segment(frame->packed, &scale, i, found, found + n, found + 2 * n);
  g_assert_cmpmem(found, n * sizeof(float), plain->x, n * sizeof(float));
  g_assert_cmpmem(found + n, n * sizeof(float), plain->y, n * sizeof(float));
  g_assert_cmpmem(found + 2 * n, n * sizeof(float), plain->z, n * sizeof(float));
}

static void
read_frames(DebyeInput *input, const DebyeFrameIndex *index)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeFrame) frame = debye_frame_new(index->n_atoms);
  gpointer reader = FORMAT.reader_new(input, index, &error);
  g_assert_true((reader != NULL) == (error == NULL));
  if (!reader)
    return;
  for (gsize k = 0; k < MIN(index->offsets->len, FRAMES_READ) && frame; k++) {
    /* From both ends. */
    gsize number = k % 2 ? index->offsets->len - 1 - k / 2 : k / 2;
    gboolean good = FORMAT.read_frame(reader, input, index, number, frame, &error);
    g_assert_true(good == (error == NULL));
    read_packed(reader, input, index, number, frame, error);
    g_clear_error(&error);
  }
  FORMAT.reader_free(reader);
}

static void
read_coordinates(DebyeInput *input, guint8 first_byte)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeFrameIndex) index = debye_frame_index_new();
  /* In place of a topology. */
  index->n_atoms = FORMAT.needs_n_atoms ? first_byte : 0;
  if (!FORMAT.index_frames)
    return;
  gboolean good = FORMAT.index_frames(input, index, NULL, NULL, &error);
  g_assert_true(good == (error == NULL));
  if (!good)
    return;
  g_assert_true(index->offsets->len == 0 || index->n_atoms > 0);
  if (index->offsets->len > 0)
    read_frames(input, index);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  FORMAT.probe(bytes, n);
  /* HDF5 parses its own: see fuzz_hdf5.c. */
  if (is_compressed(bytes, n) || (n >= 2 && bytes[0] == 0x89 && bytes[1] == 'H'))
    return 0;
  g_autoptr(DebyeInput) input = open_bytes(bytes, n);
  read_topology(input);
  read_coordinates(input, n > 0 ? bytes[0] : 0);
  return 0;
}
