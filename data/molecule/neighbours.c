/* SPDX-License-Identifier: MIT */
/* The cell list: points sorted into bins of a box, which is the reduced periodic cell or, without one, the
 * bounding box of the points. A query looks at the bins that its sphere can touch; beyond a periodic border
 * they are those of the next image, so that any radius is exact in a cell of any shape. */
#include "neighbours.h"

#include "data/work/parts.h"

/* Fractions are widened by this much against rounding: a bin too many costs nothing, a neighbour missed is
 * wrong. */
#define FRACTION_MARGIN 1e-9
#define MAXIMUM_BINS_PER_AXIS 1024
#define ATOMS_A_PART 16384

typedef struct {
  double x, y, z;
  guint32 atom;
} Point;

struct _DebyeNeighbours {
  DebyePeriodic periodic;
  DebyeVec3 origin;     /* of the box; zero in a periodic cell */
  DebyeVec3 vector[3];  /* its edges */
  DebyeVec3 inverse[3]; /* fraction k of a position p = inverse[k]·(p − origin) */
  double width[3];      /* between opposite faces */
  double radius;
  gint64 n_bins[3];
  guint32 *offsets; /* of each bin and the end, into points; x runs fastest */
  Point *points;
  gsize n_points;
};

typedef struct {
  DebyeVec3 position; /* in the box where periodic */
  double fraction[3];
} Place;

static Place
place(const DebyeNeighbours *self, DebyeVec3 position)
{
  Place result = {.position = position};
  DebyeVec3 relative = debye_vec3_subtract(position, self->origin);
  for (int k = 0; k < 3; k++) {
    double fraction = debye_vec3_dot(self->inverse[k], relative);
    double whole = self->periodic.is_periodic ? floor(fraction) : 0.0;
    result.fraction[k] = fraction - whole;
    result.position = debye_vec3_subtract(result.position, debye_vec3_scale(self->vector[k], whole));
  }
  return result;
}

static void
set_periodic_box(DebyeNeighbours *self)
{
  for (int k = 0; k < 3; k++) {
    self->vector[k] = self->periodic.reduced[k];
    self->inverse[k] = self->periodic.reduced_inverse[k];
    self->width[k] = self->periodic.width[k];
  }
}

static void
set_open_box(DebyeNeighbours *self, const DebyeFrame *frame, const guint32 *atoms, gsize n_atoms)
{
  DebyeVec3 low = {0}, high = {0};
  debye_frame_get_bounds(frame, atoms, n_atoms, &low, &high);
  DebyeVec3 size = debye_vec3_subtract(high, low);
  double edges[3] = {size.x, size.y, size.z};
  self->origin = low;
  for (int k = 0; k < 3; k++) {
    self->width[k] = edges[k] > 0.0 ? edges[k] : 1.0;
    double unit[3] = {k == 0, k == 1, k == 2};
    DebyeVec3 axis = debye_vec3(unit[0], unit[1], unit[2]);
    self->vector[k] = debye_vec3_scale(axis, self->width[k]);
    self->inverse[k] = debye_vec3_scale(axis, 1.0 / self->width[k]);
  }
}

/* Bins as wide as the radius, but not more of them than there are points to fill them. */
static void
choose_bins(DebyeNeighbours *self, gsize n_points)
{
  for (int k = 0; k < 3; k++) {
    double count = floor(self->width[k] / self->radius);
    self->n_bins[k] = count >= MAXIMUM_BINS_PER_AXIS ? MAXIMUM_BINS_PER_AXIS : (gint64)fmax(count, 1.0);
  }
  gint64 limit = 2 * (gint64)n_points + 64;
  while (self->n_bins[0] * self->n_bins[1] * self->n_bins[2] > limit) {
    int longest = self->n_bins[0] >= self->n_bins[1] ? 0 : 1;
    longest = self->n_bins[longest] >= self->n_bins[2] ? longest : 2;
    self->n_bins[longest] = (self->n_bins[longest] + 1) / 2;
  }
}

static gsize
bin_of(const DebyeNeighbours *self, const Place *where)
{
  gint64 index[3];
  for (int k = 0; k < 3; k++)
    index[k] = CLAMP((gint64)(where->fraction[k] * (double)self->n_bins[k]), 0, self->n_bins[k] - 1);
  return (gsize)(index[0] + self->n_bins[0] * (index[1] + self->n_bins[1] * index[2]));
}

typedef struct {
  const DebyeNeighbours *list;
  const DebyeFrame *frame;
  const guint32 *atoms; /* or NULL: all */
  gsize n_atoms;
  Point *placed;
  guint32 *bins; /* of each; G_MAXUINT32: without a position */
} Placing;

static void
place_part(gsize part, gpointer data)
{
  const Placing *placing = data;
  const gsize end = MIN((part + 1) * ATOMS_A_PART, placing->n_atoms);
  for (gsize k = part * ATOMS_A_PART; k < end; k++) {
    const guint32 atom = placing->atoms ? placing->atoms[k] : (guint32)k;
    const DebyeVec3 position = debye_frame_get_position(placing->frame, atom);
    placing->bins[k] = G_MAXUINT32;
    if (!debye_vec3_is_finite(position))
      continue;
    const Place where = place(placing->list, position);
    placing->bins[k] = (guint32)bin_of(placing->list, &where);
    placing->placed[k] = (Point){where.position.x, where.position.y, where.position.z, atom};
  }
}

/* A counting sort: count, add up, put in place. */
static void
fill_bins(DebyeNeighbours *self, const DebyeFrame *frame, const guint32 *atoms, gsize n_atoms)
{
  gsize n_bins = (gsize)(self->n_bins[0] * self->n_bins[1] * self->n_bins[2]);
  g_autofree guint32 *bins = g_new(guint32, MAX(n_atoms, 1));
  g_autofree Point *placed = g_new(Point, MAX(n_atoms, 1));
  Placing placing = {self, frame, atoms, n_atoms, placed, bins};
  debye_parts_run((n_atoms + ATOMS_A_PART - 1) / ATOMS_A_PART, place_part, &placing);
  self->offsets = g_new0(guint32, n_bins + 2);
  self->points = g_new(Point, MAX(n_atoms, 1));
  for (gsize k = 0; k < n_atoms; k++)
    if (bins[k] != G_MAXUINT32)
      self->offsets[bins[k] + 2]++;
  for (gsize b = 2; b < n_bins + 2; b++)
    self->offsets[b] += self->offsets[b - 1];
  self->n_points = self->offsets[n_bins + 1];
  for (gsize k = 0; k < n_atoms; k++)
    if (bins[k] != G_MAXUINT32)
      self->points[self->offsets[bins[k] + 1]++] = placed[k];
}

DebyeNeighbours *
debye_neighbours_new(const DebyeFrame *frame, const guint32 *atoms, gsize n_atoms, double radius)
{
  DebyeNeighbours *self = g_new0(DebyeNeighbours, 1);
  self->radius = radius;
  debye_periodic_init_for_frame(&self->periodic, frame);
  if (!atoms)
    n_atoms = frame->n_atoms;
  if (self->periodic.is_periodic)
    set_periodic_box(self);
  else
    set_open_box(self, frame, atoms, n_atoms);
  choose_bins(self, n_atoms);
  fill_bins(self, frame, atoms, n_atoms);
  return self;
}

void
debye_neighbours_free(DebyeNeighbours *self)
{
  if (!self)
    return;
  g_free(self->offsets);
  g_free(self->points);
  g_free(self);
}

/* The bins from low to high that a sphere around the place can touch, along one axis; FALSE for none. In a
 * periodic box they may be below 0 or beyond the last: those of other images. */
static gboolean
bin_range(const DebyeNeighbours *self, int axis, double fraction, gint64 *low, gint64 *high)
{
  double n = (double)self->n_bins[axis];
  double reach = self->radius / self->width[axis] + FRACTION_MARGIN;
  double first = floor((fraction - reach) * n), last = floor((fraction + reach) * n);
  if (!self->periodic.is_periodic) {
    /* The point on the far face has fraction 1 and stands in the last bin. */
    if (last < 0.0 || first > n)
      return FALSE;
    first = CLAMP(first, 0.0, n - 1.0);
    last = CLAMP(last, 0.0, n - 1.0);
  }
  *low = (gint64)first;
  *high = (gint64)last;
  return TRUE;
}

static gint64
floor_divide(gint64 value, gint64 divisor)
{
  gint64 quotient = value / divisor;
  return quotient * divisor > value ? quotient - 1 : quotient;
}

/* Some points one after the other in memory, and the centre as they see it (moved to their image). FALSE
 * stops. */
typedef gboolean (*RunFunc)(const Point *begin, const Point *end, DebyeVec3 center, double squared_radius,
                            gpointer data);

typedef struct {
  const DebyeNeighbours *list;
  RunFunc look;
  gpointer data;
  double squared_radius;
  gint64 low[3], high[3];
} Query;

/* One row of bins along x, image by image: each image's part of it is one run. */
static gboolean
look_along_row(const Query *query, gint64 row, DebyeVec3 center)
{
  const DebyeNeighbours *self = query->list;
  gint64 n = self->n_bins[0];
  for (gint64 low = query->low[0]; low <= query->high[0];) {
    gint64 image = floor_divide(low, n);
    gint64 high = MIN(query->high[0], image * n + n - 1);
    const guint32 *offsets = self->offsets + row * n;
    const Point *begin = self->points + offsets[low - image * n];
    const Point *end = self->points + offsets[high - image * n + 1];
    DebyeVec3 moved = debye_vec3_subtract(center, debye_vec3_scale(self->vector[0], (double)image));
    if (begin < end && !query->look(begin, end, moved, query->squared_radius, query->data))
      return FALSE;
    low = high + 1;
  }
  return TRUE;
}

static gboolean
look_around(const DebyeNeighbours *self, DebyeVec3 point, RunFunc look, gpointer data)
{
  Query query = {.list = self, .look = look, .data = data, .squared_radius = self->radius * self->radius};
  Place where = place(self, point);
  for (int k = 0; k < 3; k++)
    if (!bin_range(self, k, where.fraction[k], &query.low[k], &query.high[k]))
      return TRUE;
  for (gint64 z = query.low[2]; z <= query.high[2]; z++) {
    gint64 image_z = floor_divide(z, self->n_bins[2]);
    DebyeVec3 at_z = debye_vec3_subtract(where.position, debye_vec3_scale(self->vector[2], (double)image_z));
    for (gint64 y = query.low[1]; y <= query.high[1]; y++) {
      gint64 image_y = floor_divide(y, self->n_bins[1]);
      DebyeVec3 center = debye_vec3_subtract(at_z, debye_vec3_scale(self->vector[1], (double)image_y));
      gint64 row = y - image_y * self->n_bins[1] + self->n_bins[1] * (z - image_z * self->n_bins[2]);
      if (!look_along_row(&query, row, center))
        return FALSE;
    }
  }
  return TRUE;
}

typedef struct {
  DebyeNeighbourFunc visit;
  gpointer data;
} Visitor;

static inline double
squared_distance(const Point *point, DebyeVec3 center)
{
  double dx = point->x - center.x, dy = point->y - center.y, dz = point->z - center.z;
  return dx * dx + dy * dy + dz * dz;
}

static gboolean
visit_run(const Point *begin, const Point *end, DebyeVec3 center, double squared_radius, gpointer data)
{
  const Visitor *visitor = data;
  for (const Point *point = begin; point < end; point++) {
    double squared = squared_distance(point, center);
    if (squared <= squared_radius && !visitor->visit(point->atom, squared, visitor->data))
      return FALSE;
  }
  return TRUE;
}

void
debye_neighbours_visit(const DebyeNeighbours *self, DebyeVec3 point, DebyeNeighbourFunc visit, gpointer data)
{
  Visitor visitor = {visit, data};
  if (self->n_points > 0 && debye_vec3_is_finite(point))
    look_around(self, point, visit_run, &visitor);
}

static gboolean
has_none(const Point *begin, const Point *end, DebyeVec3 center, double squared_radius, gpointer data)
{
  (void)data;
  for (const Point *point = begin; point < end; point++)
    if (squared_distance(point, center) <= squared_radius)
      return FALSE;
  return TRUE;
}

gboolean
debye_neighbours_any(const DebyeNeighbours *self, DebyeVec3 point)
{
  if (self->n_points == 0 || !debye_vec3_is_finite(point))
    return FALSE;
  /* Further images of a point are never nearer than its nearest, so no bins beyond the cell's reach need be
   * seen. */
  if (self->periodic.is_periodic && self->radius > debye_periodic_get_reach(&self->periodic))
    return TRUE;
  return !look_around(self, point, has_none, NULL);
}
