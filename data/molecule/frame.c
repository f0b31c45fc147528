/* SPDX-License-Identifier: MIT */
/* A frame's coordinates in a reference-counted buffer; filled by readers, passed to kernels and layers. */
#include "frame.h"
#include "data/files/widest_vectors.h"
#include "data/work/parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A cache line, and the widest vector register. */
#define ALIGNMENT 64

typedef struct {
  DebyeFrame frame; /* first: a DebyeFrame pointer is a pointer to this */
  gatomicrefcount references;
  void *coordinates;
  void *velocities;
  DebyePackedCoordinates packed;
  gsize packed_capacity;
  DebyeFrameReleaseFunc release;
  gpointer release_data;
} Buffer;

/* By hand: G_DEFINE_BOXED_TYPE casts to a union, which C17 doesn't have. */
GType
debye_frame_get_type(void)
{
  static gsize type = 0;
  if (g_once_init_enter(&type))
    g_once_init_leave(&type, g_boxed_type_register_static("DebyeFrame", (GBoxedCopyFunc)debye_frame_ref,
                                                          (GBoxedFreeFunc)debye_frame_unref));
  return type;
}

/* Elements from one of the three arrays to the next: whole cache lines. */
static gsize
array_stride(gsize n_atoms)
{
  gsize in_line = ALIGNMENT / sizeof(float);
  return (MAX(n_atoms, 1) + in_line - 1) / in_line * in_line;
}

static void
set_arrays(void *block, gsize n_atoms, float **x, float **y, float **z)
{
  const guintptr aligned = ((guintptr)block + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  const gsize stride = array_stride(n_atoms);
  *x = (float *)aligned;
  *y = *x + stride;
  *z = *y + stride;
}

/* By calloc(): the system gives large blocks zeroed, page by page as they are touched, and a frame that stays packed never
 * touches its own. */
static void *
allocate_arrays(gsize n_atoms)
{
  if (n_atoms > G_MAXSIZE / (4 * sizeof(float)) - ALIGNMENT)
    return NULL;
  return calloc(3 * array_stride(n_atoms) * sizeof(float) + ALIGNMENT, 1);
}

DebyeFrame *
debye_frame_new(gsize n_atoms)
{
  Buffer *buffer = g_try_new0(Buffer, 1);
  if (!buffer)
    return NULL;
  DebyeFrame *frame = &buffer->frame;
  buffer->coordinates = allocate_arrays(n_atoms);
  if (!buffer->coordinates) {
    g_free(buffer);
    return NULL;
  }
  set_arrays(buffer->coordinates, n_atoms, &frame->x, &frame->y, &frame->z);
  g_atomic_ref_count_init(&buffer->references);
  frame->n_atoms = n_atoms;
  frame->time = NAN;
  frame->step = -1;
  return frame;
}

DebyeFrame *
debye_frame_ref(DebyeFrame *frame)
{
  g_atomic_ref_count_inc(&((Buffer *)frame)->references);
  return frame;
}

void
debye_frame_unref(DebyeFrame *frame)
{
  Buffer *buffer = (Buffer *)frame;
  if (!buffer || !g_atomic_ref_count_dec(&buffer->references))
    return;
  if (buffer->release) {
    g_atomic_ref_count_init(&buffer->references);
    buffer->release(frame, buffer->release_data);
    return;
  }
  free(buffer->coordinates);
  free(buffer->velocities);
  g_free(buffer->packed.bytes);
  g_free(buffer->packed.segments);
  g_free(buffer);
}

void
debye_frame_set_release(DebyeFrame *frame, DebyeFrameReleaseFunc release, gpointer data)
{
  Buffer *buffer = (Buffer *)frame;
  buffer->release = release;
  buffer->release_data = data;
}

gboolean
debye_frame_add_velocities(DebyeFrame *frame)
{
  Buffer *buffer = (Buffer *)frame;
  if (!buffer->velocities)
    buffer->velocities = allocate_arrays(frame->n_atoms);
  if (!buffer->velocities)
    return FALSE;
  set_arrays(buffer->velocities, frame->n_atoms, &frame->vx, &frame->vy, &frame->vz);
  return TRUE;
}

gboolean
debye_frame_add_packed(DebyeFrame *frame)
{
  Buffer *buffer = (Buffer *)frame;
  if (!buffer->packed.segments)
    buffer->packed.segments = g_try_new(DebyePackedSegment, debye_packed_max_segments(frame->n_atoms));
  frame->packed = buffer->packed.segments ? &buffer->packed : NULL;
  return frame->packed != NULL;
}

gboolean
debye_frame_reserve_packed(DebyeFrame *frame, gsize n_bytes)
{
  Buffer *buffer = (Buffer *)frame;
  if (n_bytes + DEBYE_PACKED_PADDING <= buffer->packed_capacity)
    return TRUE;
  g_free(buffer->packed.bytes);
  buffer->packed_capacity = n_bytes + n_bytes / 8 + DEBYE_PACKED_PADDING;
  buffer->packed.bytes = g_try_malloc0(buffer->packed_capacity);
  if (!buffer->packed.bytes)
    buffer->packed_capacity = 0;
  return buffer->packed.bytes != NULL;
}

static void
copy_state(DebyeFrame *to, const DebyeFrame *from)
{
  to->cell = from->cell;
  to->has_cell = from->has_cell;
  to->cell_origin = from->cell_origin;
  to->time = from->time;
  to->step = from->step;
  to->index = from->index;
}

DebyeFrame *
debye_frame_copy(const DebyeFrame *frame)
{
  g_return_val_if_fail(!frame->is_packed, NULL);
  g_autoptr(DebyeFrame) copy = debye_frame_new(frame->n_atoms);
  if (!copy || (frame->vx && !debye_frame_add_velocities(copy)))
    return NULL;
  const float *from[6] = {frame->x, frame->y, frame->z, frame->vx, frame->vy, frame->vz};
  float *to[6] = {copy->x, copy->y, copy->z, copy->vx, copy->vy, copy->vz};
  for (int k = 0; k < (frame->vx ? 6 : 3); k++)
    memcpy(to[k], from[k], frame->n_atoms * sizeof(float));
  copy_state(copy, frame);
  copy->n_absent = frame->n_absent;
  copy->n_bad = frame->n_bad;
  copy->first_bad_atom = frame->first_bad_atom;
  return g_steal_pointer(&copy);
}

DebyeFrame *
debye_frame_subset(const DebyeFrame *frame, const guint32 *atoms, gsize n_atoms)
{
  g_return_val_if_fail(!frame->is_packed, NULL);
  g_autoptr(DebyeFrame) part = debye_frame_new(n_atoms);
  if (!part || (frame->vx && !debye_frame_add_velocities(part)))
    return NULL;
  const float *from[6] = {frame->x, frame->y, frame->z, frame->vx, frame->vy, frame->vz};
  float *to[6] = {part->x, part->y, part->z, part->vx, part->vy, part->vz};
  for (int k = 0; k < (frame->vx ? 6 : 3); k++)
    for (gsize i = 0; i < n_atoms; i++)
      to[k][i] = from[k][atoms[i]];
  copy_state(part, frame);
  debye_frame_check(part);
  return g_steal_pointer(&part);
}

/* NaN and infinity are the numbers whose exponent is all ones: no branch an atom, and a loop that every
 * vector unit can do. For every coordinate that is read, so that it is worth the widest one there is. */
DEBYE_WIDEST_VECTORS static gboolean
all_finite(const float *restrict x, gsize n)
{
  const guint32 exponent = 0x7f800000u;
  guint32 bad = 0;
  for (gsize i = 0; i < n; i++) {
    guint32 bits;
    memcpy(&bits, &x[i], sizeof bits);
    bad |= (bits & exponent) == exponent;
  }
  return bad == 0;
}

void
debye_frame_set_position(DebyeFrame *frame, gsize atom, DebyeVec3 position)
{
  frame->x[atom] = (float)position.x;
  frame->y[atom] = (float)position.y;
  frame->z[atom] = (float)position.z;
}

void
debye_frame_forget(DebyeFrame *frame)
{
  frame->vx = frame->vy = frame->vz = NULL;
  frame->has_cell = FALSE;
  frame->cell = (DebyeCell){0};
  frame->time = NAN;
  frame->step = -1;
}

void
debye_frame_check(DebyeFrame *frame)
{
  gsize n = frame->n_atoms;
  frame->n_bad = 0;
  frame->first_bad_atom = 0;
  if (all_finite(frame->x, n) && all_finite(frame->y, n) && all_finite(frame->z, n))
    return;
  for (gsize i = n; i-- > 0;) {
    gsize bad = (gsize)!isfinite(frame->x[i]) + (gsize)!isfinite(frame->y[i]) + (gsize)!isfinite(frame->z[i]);
    frame->n_bad += bad;
    if (bad)
      frame->first_bad_atom = i;
  }
}

static inline void
widen(float value, float *least, float *most)
{
  const gboolean is_finite = fabsf(value) <= FLT_MAX;
  *least = is_finite && value < *least ? value : *least;
  *most = is_finite && value > *most ? value : *most;
}

static void
widen_by_chosen(const float *values, const guint32 *atoms, gsize n, float *least, float *most)
{
  for (gsize i = 0; i < n; i++)
    widen(values[atoms[i]], least, most);
}

/* Pieces of a fixed length become vector instructions at any level of optimisation. */
static void
widen_by_all(const float *values, gsize n, float *least, float *most)
{
  enum { PIECE = 16 };
  float low[PIECE], high[PIECE];
  gsize i = 0;
  for (gsize k = 0; k < PIECE; k++) {
    low[k] = *least;
    high[k] = *most;
  }
  for (; i + PIECE <= n; i += PIECE)
    for (gsize k = 0; k < PIECE; k++)
      widen(values[i + k], &low[k], &high[k]);
  for (; i < n; i++)
    widen(values[i], least, most);
  for (gsize k = 0; k < PIECE; k++) {
    *least = fminf(*least, low[k]);
    *most = fmaxf(*most, high[k]);
  }
}

#define ATOMS_WORTH_THREADS 200000

typedef struct {
  float least[3], most[3];
} Bounds;

typedef struct {
  const DebyeFrame *frame;
  const guint32 *atoms; /* NULL: all */
  gsize n, n_parts;
  Bounds *parts;
} Bounding;

static void
bound_part(gsize part, gpointer data)
{
  const Bounding *bounding = data;
  const float *axes[3] = {bounding->frame->x, bounding->frame->y, bounding->frame->z};
  const gsize first = bounding->n * part / bounding->n_parts,
              end = bounding->n * (part + 1) / bounding->n_parts;
  Bounds bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (int k = 0; k < 3; k++) {
    if (bounding->atoms)
      widen_by_chosen(axes[k], bounding->atoms + first, end - first, &bounds.least[k], &bounds.most[k]);
    else
      widen_by_all(axes[k] + first, end - first, &bounds.least[k], &bounds.most[k]);
  }
  bounding->parts[part] = bounds;
}

gboolean
debye_frame_get_bounds(const DebyeFrame *frame, const guint32 *atoms, gsize n_atoms, DebyeVec3 *low,
                       DebyeVec3 *high)
{
  const gsize n = atoms ? n_atoms : frame->n_atoms;
  const gsize n_parts = n < ATOMS_WORTH_THREADS ? 1 : debye_parts_count_threads();
  g_autofree Bounds *parts = g_new(Bounds, n_parts);
  Bounding bounding = {frame, atoms, n, n_parts, parts};
  debye_parts_run(n_parts, bound_part, &bounding);
  Bounds all = parts[0];
  for (int k = 0; k < 3; k++) {
    for (gsize part = 1; part < n_parts; part++) {
      all.least[k] = fminf(all.least[k], parts[part].least[k]);
      all.most[k] = fmaxf(all.most[k], parts[part].most[k]);
    }
    if (!(all.least[k] <= all.most[k]))
      return FALSE;
  }
  *low = debye_vec3(all.least[0], all.least[1], all.least[2]);
  *high = debye_vec3(all.most[0], all.most[1], all.most[2]);
  return TRUE;
}
