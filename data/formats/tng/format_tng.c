/* SPDX-License-Identifier: MIT */
/* TNG, GROMACS' container for trajectories: molecules, positions, velocities and boxes, plain, in zlib's
 * packing or in the codings of TNG. An index's offset is that of the frame set, plus the number of the frame
 * in it (a set is longer than it has frames). */
#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/formats/format.h"
#include "data/formats/frame_index.h"
#include "tng_coding.h"
#include "tng_file.h"
#include "tng_topology.h"

#define PICOSECONDS 1e12 /* in a second */

/* --- The positions or the velocities of a frame set: a block is loaded once and gives its frames in any order, fastest
 * one after the other --- */

typedef struct {
  DebyeTngKind kind;
  DebyeTngLayout layout;
  DebyeTngData data;
  guint8 *bytes;
  DebyeTngDecoder *decoder; /* NULL: not in TNG's coding */
  gsize next;               /* the frame that the decoder gives next */
} Vectors;

static void
vectors_free(Vectors *vectors)
{
  g_clear_pointer(&vectors->decoder, debye_tng_decoder_free);
  g_free(vectors->bytes);
  g_free(vectors);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Vectors, vectors_free)

static gboolean
begin_decoding(Vectors *vectors, DebyeInput *input, GError **error)
{
  char *fault;
  const DebyeTngData *data = &vectors->data;
  g_clear_pointer(&vectors->decoder, debye_tng_decoder_free);
  vectors->next = 0;
  vectors->decoder =
      debye_tng_decoder_new(vectors->kind, vectors->bytes, data->n_bytes, (gsize)data->n_atoms, &fault);
  if (vectors->decoder != NULL && debye_tng_decoder_get_n_frames(vectors->decoder) >= data->n_frames)
    return TRUE;
  debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX, "byte %" G_GUINT64_FORMAT ": %s", data->data_at,
                        fault != NULL ? fault : "the packed numbers have fewer frames than announced");
  g_free(fault);
  return FALSE;
}

static Vectors *
vectors_new(DebyeTngKind kind, DebyeInput *input, const DebyeTngLayout *layout, const DebyeTngData *data,
            GError **error)
{
  g_autoptr(Vectors) vectors = g_new0(Vectors, 1);
  *vectors = (Vectors){.kind = kind, .layout = *layout, .data = *data};
  vectors->bytes = debye_tng_read_data(input, data, error);
  if (vectors->bytes == NULL || (data->codec == DEBYE_TNG_AS_TNG && !begin_decoding(vectors, input, error)))
    return NULL;
  return g_steal_pointer(&vectors);
}

static gboolean
decode(Vectors *vectors, DebyeInput *input, gsize k, float *x, float *y, float *z, GError **error)
{
  if (k < vectors->next && !begin_decoding(vectors, input, error))
    return FALSE;
  for (; vectors->next <= k; vectors->next++) {
    const char *fault = debye_tng_decoder_next(vectors->decoder, (float)vectors->layout.unit, x, y, z);
    if (fault == NULL)
      continue;
    return debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX, "byte %" G_GUINT64_FORMAT ": %s",
                                 vectors->data.data_at, fault);
  }
  return TRUE;
}

static void
copy(const Vectors *vectors, gsize k, float *x, float *y, float *z)
{
  float *axes[3] = {x, y, z};
  gsize n_atoms = (gsize)vectors->data.n_atoms;
  for (gsize i = 0; i < n_atoms; i++)
    for (gsize axis = 0; axis < 3; axis++)
      axes[axis][i] = (float)(debye_tng_get_value(&vectors->layout, &vectors->data, vectors->bytes,
                                                  3 * (k * n_atoms + i) + axis) *
                              vectors->layout.unit);
}

/* The k-th frame of the block, in Å or Å/ps. After an error the vectors are to be freed. */
static gboolean
vectors_read(Vectors *vectors, DebyeInput *input, gsize k, float *x, float *y, float *z, GError **error)
{
  if (vectors->decoder != NULL)
    return decode(vectors, input, k, x, y, z, error);
  copy(vectors, k, x, y, z);
  return TRUE;
}

/* --- Frame sets --- */

/* A frame set with the blocks of it that matter. */
typedef struct {
  DebyeTngFrameSet set;
  DebyeTngData positions, velocities, boxes; /* n_frames 0: none */
  guint64 next;                              /* of the next set, or the end */
} FrameSet;

static gboolean
read_member(DebyeInput *input, const DebyeTngLayout *layout, const DebyeTngBlock *block, FrameSet *frames,
            GError **error)
{
  if (block->id == DEBYE_TNG_BOX)
    return debye_tng_read_data_head(input, layout, block, &frames->set, &frames->boxes, error);
  if (block->id == DEBYE_TNG_VELOCITIES)
    return debye_tng_read_data_head(input, layout, block, &frames->set, &frames->velocities, error);
  if (block->id != DEBYE_TNG_POSITIONS)
    return TRUE;
  if (frames->positions.n_frames == 0)
    return debye_tng_read_data_head(input, layout, block, &frames->set, &frames->positions, error);
  return debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX,
                               "byte %" G_GUINT64_FORMAT ": expected the positions of a frame set in one "
                               "block, found a second one",
                               block->at);
}

static gboolean
read_frame_set(DebyeInput *input, const DebyeTngLayout *layout, const DebyeTngBlock *first, FrameSet *frames,
               GError **error)
{
  guint64 size = debye_input_get_size(input);
  *frames = (FrameSet){.next = first->next};
  if (!debye_tng_read_frame_set(input, layout, first, &frames->set, error))
    return FALSE;
  while (frames->next < size) {
    DebyeTngBlock block;
    g_autoptr(GError) local = NULL;
    if (!debye_tng_read_block(input, layout, frames->next, &block, &local)) {
      /* What is whole is used; whoever goes on from here meets the fault. */
      if (frames->positions.n_frames > 0)
        return TRUE;
      g_propagate_error(error, g_steal_pointer(&local));
      return FALSE;
    }
    if (block.id == DEBYE_TNG_FRAME_SET)
      return TRUE;
    if (!read_member(input, layout, &block, frames, error))
      return FALSE;
    frames->next = block.next;
  }
  return TRUE;
}

static gint64
get_frame_number(const FrameSet *frames, gsize k)
{
  return frames->positions.first + (gint64)k * frames->positions.stride;
}

static double
get_time(const FrameSet *frames, gsize k)
{
  double behind = (double)(get_frame_number(frames, k) - frames->set.first);
  return (frames->set.first_time + behind * frames->set.time_step) * PICOSECONDS;
}

static gboolean
take_frame_set(DebyeInput *input, DebyeFrameIndex *index, guint64 at, const FrameSet *frames, double times[2],
               GError **error)
{
  gsize n_atoms = (gsize)frames->positions.n_atoms;
  if (frames->positions.n_frames == 0)
    return TRUE;
  if (frames->positions.n_frames >= frames->next - at)
    return debye_input_set_error(input, error, DEBYE_ERROR_LIMIT,
                                 "byte %" G_GUINT64_FORMAT
                                 ": expected a frame set large enough for its %" G_GSIZE_FORMAT
                                 " frames, found one of %" G_GUINT64_FORMAT " bytes",
                                 at, frames->positions.n_frames, frames->next - at);
  if (n_atoms == 0 || (index->offsets->len > 0 && index->n_atoms != n_atoms)) {
    return debye_input_set_error(
        input, error, DEBYE_ERROR_MISMATCH,
        "byte %" G_GUINT64_FORMAT
        ": expected positions of the same atoms in each frame set, found %" G_GSIZE_FORMAT
        " after %" G_GSIZE_FORMAT,
        at, n_atoms, index->n_atoms);
  }
  index->n_atoms = n_atoms;
  if (index->offsets->len == 0)
    times[0] = get_time(frames, 0);
  times[1] = get_time(frames, frames->positions.n_frames - 1);
  for (gsize k = 0; k < frames->positions.n_frames; k++) {
    guint64 offset = at + k;
    g_array_append_val(index->offsets, offset);
  }
  return TRUE;
}

/* One block, or a frame set with all of its own. */
static gboolean
step(DebyeInput *input, const DebyeTngLayout *layout, DebyeFrameIndex *index, guint64 *at, double times[2],
     GError **error)
{
  DebyeTngBlock block;
  FrameSet frames;
  if (!debye_tng_read_block(input, layout, *at, &block, error))
    return FALSE;
  *at = block.next;
  if (block.id != DEBYE_TNG_FRAME_SET)
    return TRUE;
  if (!read_frame_set(input, layout, &block, &frames, error) ||
      !take_frame_set(input, index, block.at, &frames, times, error))
    return FALSE;
  *at = frames.next;
  return TRUE;
}

static gboolean
index_frames(DebyeInput *input, DebyeFrameIndex *index, DebyeProgressFunc progress, gpointer data,
             GError **error)
{
  g_autoptr(GError) local = NULL;
  DebyeTngLayout layout;
  double times[2] = {NAN, NAN};
  guint64 size = debye_input_get_size(input);
  if (!debye_tng_read_layout(input, &layout, error))
    return FALSE;
  for (guint64 at = layout.blocks_at; at < size && local == NULL;) {
    if (progress != NULL && !progress((double)at / (double)size, data))
      return debye_input_set_stopped(input, error);
    step(input, &layout, index, &at, times, &local);
  }
  if (index->offsets->len == 0 && local == NULL)
    debye_input_set_error(input, &local, DEBYE_ERROR_TRUNCATED,
                          "expected a frame with positions, found none");
  if (index->offsets->len == 0) {
    g_propagate_error(error, g_steal_pointer(&local));
    return FALSE;
  }
  if (local != NULL) {
    debye_frame_index_warn(index, "%s; the %u frames before it are used", local->message,
                           index->offsets->len);
    if (g_error_matches(local, DEBYE_ERROR, DEBYE_ERROR_TRUNCATED))
      index->unfinished = index->warnings->len;
  }
  debye_frame_index_set_times(index, times[0], times[1]);
  return TRUE;
}

/* --- Reading --- */

typedef struct {
  DebyeTngLayout layout;
  DebyeCell cell; /* of all frames, where a box stands before them */
  guint64 set_at; /* of the set that is loaded */
  FrameSet frames;
  Vectors *positions;  /* NULL: no set is loaded */
  Vectors *velocities; /* NULL: the set has none, or none was asked for yet */
  guint8 *boxes;
} Reader;

static void
unload(Reader *reader)
{
  g_clear_pointer(&reader->positions, vectors_free);
  g_clear_pointer(&reader->velocities, vectors_free);
  g_clear_pointer(&reader->boxes, g_free);
}

static void
reader_free(gpointer data)
{
  Reader *reader = data;
  if (reader == NULL)
    return;
  unload(reader);
  g_free(reader);
}

static DebyeCell
get_cell(const Reader *reader, const DebyeTngData *data, const guint8 *bytes, gsize k)
{
  double v[9];
  for (gsize i = 0; i < 9; i++)
    v[i] = debye_tng_get_value(&reader->layout, data, bytes, 9 * k + i) * reader->layout.unit;
  return (DebyeCell){debye_vec3(v[0], v[1], v[2]), debye_vec3(v[3], v[4], v[5]),
                     debye_vec3(v[6], v[7], v[8])};
}

/* A box before the first frame set holds for all. */
static gboolean
read_common_box(Reader *reader, DebyeInput *input, GError **error)
{
  guint64 size = debye_input_get_size(input);
  for (guint64 at = reader->layout.blocks_at; at < size;) {
    DebyeTngBlock block;
    DebyeTngData data;
    if (!debye_tng_read_block(input, &reader->layout, at, &block, error))
      return FALSE;
    if (block.id == DEBYE_TNG_FRAME_SET)
      return TRUE;
    if (block.id == DEBYE_TNG_BOX) {
      if (!debye_tng_read_data_head(input, &reader->layout, &block, NULL, &data, error))
        return FALSE;
      g_autofree guint8 *bytes = data.n_atoms == 0 ? debye_tng_read_data(input, &data, error) : NULL;
      if (bytes == NULL)
        return data.n_atoms != 0;
      if (data.codec != DEBYE_TNG_AS_TNG)
        reader->cell = get_cell(reader, &data, bytes, 0);
    }
    at = block.next;
  }
  return TRUE;
}

static gpointer
reader_new(DebyeInput *input, G_GNUC_UNUSED const DebyeFrameIndex *index, GError **error)
{
  Reader *reader = g_new0(Reader, 1);
  if (debye_tng_read_layout(input, &reader->layout, error) && read_common_box(reader, input, error))
    return reader;
  reader_free(reader);
  return NULL;
}

static gboolean
load(Reader *reader, DebyeInput *input, const DebyeFrameIndex *index, guint64 set_at, GError **error)
{
  DebyeTngBlock block;
  FrameSet *frames = &reader->frames;
  unload(reader);
  if (!debye_tng_read_block(input, &reader->layout, set_at, &block, error) ||
      !read_frame_set(input, &reader->layout, &block, frames, error))
    return FALSE;
  if ((gsize)frames->positions.n_atoms != index->n_atoms) {
    return debye_input_set_changed(input, error);
  }
  if (frames->boxes.n_frames > 0 && frames->boxes.codec != DEBYE_TNG_AS_TNG && frames->boxes.n_atoms == 0 &&
      (reader->boxes = debye_tng_read_data(input, &frames->boxes, error)) == NULL)
    return FALSE;
  reader->set_at = set_at;
  reader->positions = vectors_new(DEBYE_TNG_OF_POSITIONS, input, &reader->layout, &frames->positions, error);
  return reader->positions != NULL;
}

/* Of frames that have both. */
static gboolean
read_velocities(Reader *reader, DebyeInput *input, gint64 number, DebyeFrame *frame, GError **error)
{
  const DebyeTngData *data = &reader->frames.velocities;
  gint64 behind = number - data->first;
  frame->vx = frame->vy = frame->vz = NULL;
  if (data->n_frames == 0 || data->n_atoms != reader->frames.positions.n_atoms || behind < 0 ||
      behind % data->stride != 0 || (gsize)(behind / data->stride) >= data->n_frames)
    return TRUE;
  if (reader->velocities == NULL)
    reader->velocities = vectors_new(DEBYE_TNG_OF_VELOCITIES, input, &reader->layout, data, error);
  if (reader->velocities == NULL)
    return FALSE;
  if (!debye_frame_add_velocities(frame))
    return debye_error_set_memory(error, debye_input_get_name(input), frame->n_atoms, "velocities");
  return vectors_read(reader->velocities, input, (gsize)(behind / data->stride), frame->vx, frame->vy,
                      frame->vz, error);
}

/* The box of the frame, or the last before it. */
static void
set_cell(const Reader *reader, gint64 number, DebyeFrame *frame)
{
  const DebyeTngData *boxes = &reader->frames.boxes;
  frame->cell = reader->cell;
  if (reader->boxes != NULL && number >= boxes->first) {
    gsize k = (gsize)((number - boxes->first) / boxes->stride);
    frame->cell = get_cell(reader, boxes, reader->boxes, MIN(k, boxes->n_frames - 1));
  }
  frame->has_cell = debye_cell_is_valid(&frame->cell);
}

static gboolean
read_frame(gpointer data, DebyeInput *input, const DebyeFrameIndex *index, gsize frame_number,
           DebyeFrame *frame, GError **error)
{
  Reader *reader = data;
  const guint64 *offsets = (const guint64 *)(gconstpointer)index->offsets->data;
  gsize k = 0;
  while (k < frame_number && offsets[frame_number - k - 1] + k + 1 == offsets[frame_number])
    k++;
  guint64 set_at = offsets[frame_number] - k;
  if ((reader->positions == NULL || reader->set_at != set_at) && !load(reader, input, index, set_at, error))
    return FALSE;
  if (k >= reader->frames.positions.n_frames) {
    return debye_input_set_changed(input, error);
  }
  frame->time = get_time(&reader->frames, k);
  frame->step = get_frame_number(&reader->frames, k);
  if (!vectors_read(reader->positions, input, k, frame->x, frame->y, frame->z, error) ||
      !read_velocities(reader, input, frame->step, frame, error)) {
    unload(reader);
    return FALSE;
  }
  set_cell(reader, frame->step, frame);
  debye_frame_check(frame);
  return TRUE;
}

/* A set of frames is unpacked as one. */
static gboolean
has_one_reader(DebyeInput *input G_GNUC_UNUSED)
{
  return TRUE;
}

const DebyeFormat debye_format_tng = {
    .name = "tng",
    .title = "GROMACS TNG trajectory",
    .suffixes = (const char *const[]){"tng", NULL},
    .is_trajectory = TRUE,
    .probe = debye_tng_probe,
    .read_topology = debye_tng_add_topology,
    .has_one_reader = has_one_reader,
    .index_frames = index_frames,
    .reader_new = reader_new,
    .read_frame = read_frame,
    .reader_free = reader_free,
};
