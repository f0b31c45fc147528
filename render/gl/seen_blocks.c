/* SPDX-License-Identifier: MIT */
/* Implementation of seen_blocks.h; called by the renderer and by layers. A sample draws what the samples before have seen in the
 * same pass, then looks whether its own depths hide all other boxes. They mostly do: samples differ by a part of a pixel. Where
 * they don't, those are added; and if one of them is as far as what is drawn already, the whole pass is drawn anew, in the order
 * of always, since of two things at one depth the first one stays. Boxes are enlarged, so that rounding hides none. */
#include "seen_blocks.h"

#include <math.h>
#include <string.h>

#include "data/work/parts.h"

/* Fewer are drawn sooner than looked at. */
#define LEAST_BLOCKS 16
/* Of a pass, the share of blocks that is worth a look at what hides them. */
#define WORTH_HIDDEN 0.2
/* That a thread looks at: some 0.1 ms. */
#define PART_BLOCKS 1024
/* Single precision places vertices in the view to some 1e-4 Å, and depths of triangles seen from their edge to some 1e-6. */
#define MARGIN 0.01       /* Å */
#define MARGIN_SHARE 1e-5 /* of the largest coordinate */
#define MARGIN_DEPTH 2e-5 /* of the depth buffer's 0 … 1 */
/* Points are rounded up to whole pixels; samples are half a pixel from the first one. */
#define MARGIN_PIXELS 2.0

/* The squares that a box may be seen in, and its nearest depth: −∞ where it reaches to the viewer's side of what the picture
 * shows, ∞ where it lies beside the picture. */
typedef struct {
  int columns[2], rows[2];
  float nearest;
} Extent;

typedef struct {
  gsize n;
  Extent *extents;
  guint8 *seen[DEBYE_SEEN_PASSES]; /* per block; NULL: the pass is unknown */
  gsize n_hidden[DEBYE_SEEN_PASSES];
  guint8 *found; /* per block, by the last look */
} List;

struct _DebyeSeenBlocks {
  int width, height;
  GPtrArray *lists; /* List, in the order of the layers' questions */
  int pass;
  guint next; /* in this pass */
  gboolean only_found;
};

static void
list_free(gpointer data)
{
  List *list = data;
  for (int pass = 0; pass < DEBYE_SEEN_PASSES; pass++)
    g_free(list->seen[pass]);
  g_free(list->extents);
  g_free(list->found);
  g_free(list);
}

DebyeSeenBlocks *
debye_seen_blocks_new(void)
{
  DebyeSeenBlocks *self = g_new0(DebyeSeenBlocks, 1);
  self->lists = g_ptr_array_new_with_free_func(list_free);
  return self;
}

void
debye_seen_blocks_free(DebyeSeenBlocks *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref(self->lists);
  g_free(self);
}

void
debye_seen_blocks_begin(DebyeSeenBlocks *self, int width, int height)
{
  g_ptr_array_set_size(self->lists, 0);
  self->width = width;
  self->height = height;
  self->next = 0;
}

void
debye_seen_blocks_begin_pass(DebyeSeenBlocks *self, int pass)
{
  self->pass = pass;
  self->next = 0;
  self->only_found = FALSE;
}

void
debye_seen_blocks_begin_found(DebyeSeenBlocks *self)
{
  self->next = 0;
  self->only_found = TRUE;
}

/* --- A box on the picture --- */

typedef struct {
  const DebyeBoxes *boxes;
  double to_clip[4][4];
  int width, height;
  List *list;
} Finding;

typedef struct {
  double low[3], high[3];
} Range;

/* In normalised device coordinates. FALSE: not before the viewer, or no numbers. */
static gboolean
find_range(const Finding *finding, const float *box, Range *range)
{
  double corner[4], way[3][4], largest = 0.0;
  for (int i = 0; i < 6; i++)
    largest = fmax(largest, fabs((double)box[i]));
  const double margin = (double)finding->boxes->margin + MARGIN + MARGIN_SHARE * largest;
  for (int c = 0; c < 4; c++) {
    corner[c] = finding->to_clip[3][c];
    for (int axis = 0; axis < 3; axis++) {
      corner[c] += finding->to_clip[axis][c] * ((double)box[axis] - margin);
      way[axis][c] = finding->to_clip[axis][c] * ((double)box[3 + axis] - (double)box[axis] + 2.0 * margin);
    }
  }
  *range = (Range){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (int i = 0; i < 8; i++) {
    double p[4];
    for (int c = 0; c < 4; c++)
      p[c] = corner[c] + (i & 1 ? way[0][c] : 0.0) + (i & 2 ? way[1][c] : 0.0) + (i & 4 ? way[2][c] : 0.0);
    if (!(p[3] > 1e-6 && p[2] > -p[3] && isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2])))
      return FALSE;
    for (int axis = 0; axis < 3; axis++) {
      range->low[axis] = fmin(range->low[axis], p[axis] / p[3]);
      range->high[axis] = fmax(range->high[axis], p[axis] / p[3]);
    }
  }
  return TRUE;
}

/* FALSE: none are in the picture. */
static gboolean
find_squares(double low, double high, double margin, int side, int squares[2])
{
  const double first = floor((0.5 + 0.5 * low) * side - margin);
  const double last = floor((0.5 + 0.5 * high) * side + margin);
  if (last < 0.0 || first > side - 1.0)
    return FALSE;
  squares[0] = (int)fmax(first, 0.0) / DEBYE_DEPTH_SQUARE;
  squares[1] = (int)fmin(last, side - 1.0) / DEBYE_DEPTH_SQUARE;
  return TRUE;
}

static Extent
find_extent(const Finding *finding, gsize block)
{
  const DebyeBoxes *boxes = finding->boxes;
  const double margin = (double)boxes->pixels + MARGIN_PIXELS;
  const float *box = (const float *)(gconstpointer)((const char *)boxes->first + block * boxes->stride);
  Extent extent = {{0, 0}, {0, 0}, -INFINITY};
  Range range;
  if (!find_range(finding, box, &range))
    return extent;
  extent.nearest = (float)(0.5 + 0.5 * range.low[2] - MARGIN_DEPTH);
  if (!find_squares(range.low[0], range.high[0], margin, finding->width, extent.columns) ||
      !find_squares(range.low[1], range.high[1], margin, finding->height, extent.rows))
    extent = (Extent){{0, 0}, {0, 0}, INFINITY};
  return extent;
}

static void
find_part(gsize part, gpointer data)
{
  const Finding *finding = data;
  const gsize end = MIN((part + 1) * PART_BLOCKS, finding->list->n);
  for (gsize block = part * PART_BLOCKS; block < end; block++)
    finding->list->extents[block] = find_extent(finding, block);
}

static gsize
count_parts(const List *list)
{
  return (list->n + PART_BLOCKS - 1) / PART_BLOCKS;
}

static List *
add_list(DebyeSeenBlocks *self, const DebyeBoxes *boxes, mat4 to_clip)
{
  List *list = g_new0(List, 1);
  Finding finding = {.boxes = boxes, .width = self->width, .height = self->height, .list = list};
  list->n = boxes->n;
  list->extents = g_new(Extent, boxes->n);
  list->found = g_new0(guint8, boxes->n);
  for (int column = 0; column < 4; column++)
    for (int row = 0; row < 4; row++)
      finding.to_clip[column][row] = (double)to_clip[column][row];
  debye_parts_run(count_parts(list), find_part, &finding);
  g_ptr_array_add(self->lists, list);
  return list;
}

/* --- What is seen --- */

/* Of a pass: whether it is known and leaves out too little. */
static gboolean
is_idle(const DebyeSeenBlocks *self)
{
  gsize n = 0, n_hidden = 0;
  if (self->pass >= DEBYE_SEEN_PASSES)
    return TRUE;
  for (guint i = 0; i < self->lists->len; i++) {
    const List *list = self->lists->pdata[i];
    if (list->seen[self->pass] == NULL)
      return FALSE;
    n += list->n;
    n_hidden += list->n_hidden[self->pass];
  }
  return n > 0 && (double)n_hidden < WORTH_HIDDEN * (double)n;
}

const guint8 *
debye_seen_blocks_ask(DebyeSeenBlocks *self, const DebyeBoxes *boxes, mat4 to_clip)
{
  static const guint8 none[LEAST_BLOCKS];
  if (boxes->n < LEAST_BLOCKS)
    return self->only_found ? none : NULL;
  const gboolean is_new = self->next == self->lists->len;
  const List *list = is_new ? add_list(self, boxes, to_clip) : self->lists->pdata[self->next];
  self->next++;
  g_return_val_if_fail(list->n == boxes->n, NULL);
  if (self->only_found)
    return list->found;
  return self->pass < DEBYE_SEEN_PASSES && !is_idle(self) ? list->seen[self->pass] : NULL;
}

gboolean
debye_seen_blocks_is_worth_a_look(const DebyeSeenBlocks *self)
{
  return self->next > 0 && !is_idle(self);
}

typedef struct {
  const List *list;
  guint8 *seen, *found;
  const DebyeDepthLevels *depths;
  gint n_found;
} Work;

/* Those that are not seen yet. */
static void
look_at_part(gsize part, gpointer data)
{
  Work *work = data;
  const gsize end = MIN((part + 1) * PART_BLOCKS, work->list->n);
  gint n_found = 0;
  for (gsize block = part * PART_BLOCKS; block < end; block++) {
    const Extent *extent = &work->list->extents[block];
    if (work->seen[block] ||
        debye_depth_levels_hide(work->depths, extent->columns, extent->rows, extent->nearest))
      continue;
    work->seen[block] = work->found[block] = TRUE;
    n_found++;
  }
  g_atomic_int_add(&work->n_found, n_found);
}

/* TRUE: some are seen that were left out. */
static gboolean
look_at_list(List *list, int pass, const DebyeDepthLevels *depths)
{
  const gboolean was_known = list->seen[pass] != NULL;
  if (!was_known) {
    list->seen[pass] = g_new0(guint8, list->n);
    list->n_hidden[pass] = list->n;
  }
  memset(list->found, 0, list->n);
  Work work = {list, list->seen[pass], list->found, depths, 0};
  debye_parts_run(count_parts(list), look_at_part, &work);
  list->n_hidden[pass] -= (gsize)work.n_found;
  return was_known && work.n_found > 0;
}

gboolean
debye_seen_blocks_look(DebyeSeenBlocks *self, const DebyeDepthLevels *depths)
{
  gboolean changed = FALSE;
  for (guint i = 0; i < self->next; i++)
    changed |= look_at_list(self->lists->pdata[i], self->pass, depths);
  return changed;
}
