/* SPDX-License-Identifier: MIT */
/* A map in memory. Statistics cost a pass over the values: they are made when first asked for, by whichever
 * thread asks. */
#include "field.h"

#include <math.h>

#include "array_private.h"
#include "data/messages/message.h"
#include "data/work/parts.h"

#define N_BINS 65536
#define PIECE_POINTS ((gsize)1 << 18)

struct _DebyeField {
  DebyeArray parent_instance;
  char *medium_message;
  DebyeFieldKind kind;
  gboolean is_partial;
  DebyeGrid grid;
  DebyeVec3 inverse[3]; /* rows: a point less the origin to grid coordinates */
  const float *values;
  GMutex mutex; /* over all that follows, and nothing else */
  gboolean has_statistics;
  gsize n_finite;
  DebyeFieldStatistics statistics;
  guint64 *cumulative; /* values below the end of each bin from the minimum to the maximum */
};

G_DEFINE_FINAL_TYPE(DebyeField, debye_field, DEBYE_TYPE_ARRAY)

static void
debye_field_finalize(GObject *object)
{
  DebyeField *self = DEBYE_FIELD(object);
  g_free(self->medium_message);
  g_free(self->cumulative);
  g_mutex_clear(&self->mutex);
  G_OBJECT_CLASS(debye_field_parent_class)->finalize(object);
}

static void
debye_field_class_init(DebyeFieldClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_field_finalize;
}

static void
debye_field_init(DebyeField *self)
{
  g_mutex_init(&self->mutex);
}

static DebyeCell
steps_as_cell(const DebyeGrid *grid)
{
  return (DebyeCell){grid->step[0], grid->step[1], grid->step[2]};
}

gboolean
debye_field_grid_is_valid(const DebyeGrid *grid)
{
  DebyeCell cell = steps_as_cell(grid);
  return isfinite(grid->origin.x) && isfinite(grid->origin.y) && isfinite(grid->origin.z) &&
         debye_cell_is_valid(&cell);
}

static void
invert_steps(DebyeField *self)
{
  const DebyeVec3 *step = self->grid.step;
  DebyeCell cell = steps_as_cell(&self->grid);
  double scale = 1.0 / debye_cell_volume(&cell);
  for (int i = 0; i < 3; i++)
    self->inverse[i] = debye_vec3_scale(debye_vec3_cross(step[(i + 1) % 3], step[(i + 2) % 3]), scale);
}

gboolean
debye_grid_is_aligned(const DebyeGrid *grid)
{
  const DebyeVec3 *step = grid->step;
  return step[0].y == 0.0 && step[0].z == 0.0 && step[1].x == 0.0 && step[1].z == 0.0 && step[2].x == 0.0 &&
         step[2].y == 0.0;
}

static DebyeAxis
make_axis(const DebyeGrid *grid, int axis)
{
  static const char *const names[] = {"x", "y", "z"};
  static const char *const labels[] = {"along step 1", "along step 2", "along step 3"};
  gboolean aligned = debye_grid_is_aligned(grid);
  double start = aligned ? (&grid->origin.x)[axis] : 0.0;
  double step = aligned ? (&grid->step[axis].x)[axis] : debye_vec3_length(grid->step[axis]);
  double *values = g_new(double, grid->shape[axis]);
  for (gsize i = 0; i < grid->shape[axis]; i++)
    values[i] = start + (double)i * step;
  return (DebyeAxis){{names[axis], aligned ? NULL : labels[axis], "Å"},
                     g_bytes_new_take(values, grid->shape[axis] * sizeof(double))};
}

DebyeField *
debye_field_new(const char *name, const DebyeGrid *grid, GBytes *values, const char *unit)
{
  g_return_val_if_fail(grid != NULL && values != NULL, NULL);
  g_return_val_if_fail(g_bytes_get_size(values) == debye_grid_n_points(grid) * sizeof(float), NULL);
  g_return_val_if_fail(debye_field_grid_is_valid(grid), NULL);
  DebyeArrayContent content = {.name = name, .n_axes = 3, .quantity = {name, NULL, unit}, .values = values};
  for (int axis = 0; axis < 3; axis++)
    content.axes[2 - axis] = make_axis(grid, axis);
  DebyeField *self = DEBYE_FIELD(debye_array_new_of_type(DEBYE_TYPE_FIELD, &content));
  for (int axis = 0; axis < 3; axis++)
    g_bytes_unref(content.axes[axis].values);
  self->grid = *grid;
  self->values = g_bytes_get_data(values, NULL);
  invert_steps(self);
  return self;
}

DebyeField *
debye_field_new_take(const char *name, const DebyeGrid *grid, float *values, const char *unit)
{
  g_autoptr(GBytes) bytes = g_bytes_new_take(values, debye_grid_n_points(grid) * sizeof(float));
  return debye_field_new(name, grid, bytes, unit);
}

DebyeField *
debye_field_new_of_kind(DebyeFieldKind kind, const DebyeGrid *grid, float *values, const char *unit)
{
  DebyeField *self = debye_field_new_take(debye_field_kind_get_word(kind), grid, values, unit);
  debye_field_set_kind(self, kind);
  return self;
}

void
debye_field_set_length_unit(DebyeField *self, const char *unit)
{
  debye_array_set_axis_unit(DEBYE_ARRAY(self), unit);
}

void
debye_field_set_kind(DebyeField *self, DebyeFieldKind kind)
{
  g_return_if_fail(DEBYE_IS_FIELD(self) && kind < DEBYE_FIELD_N_KINDS);
  const gboolean is_told =
      debye_field_kind_guess(debye_field_get_name(self), debye_field_get_unit(self)) == kind;
  self->kind = kind;
  debye_array_set_attribute(DEBYE_ARRAY(self), DEBYE_ARRAY_KIND,
                            is_told ? NULL : debye_field_kind_get_word(kind));
}

DebyeFieldKind
debye_field_get_kind(DebyeField *self)
{
  g_return_val_if_fail(DEBYE_IS_FIELD(self), DEBYE_FIELD_ANY);
  return self->kind;
}

void
debye_field_set_partial(DebyeField *self)
{
  self->is_partial = TRUE;
}

gboolean
debye_field_is_partial(DebyeField *self)
{
  g_return_val_if_fail(DEBYE_IS_FIELD(self), FALSE);
  return self->is_partial;
}

void
debye_field_set_medium(DebyeField *self, const char *medium)
{
  g_autofree char *english = medium != NULL ? debye_message_english(medium) : NULL;
  char *copy = g_strdup(medium);
  g_free(self->medium_message);
  self->medium_message = copy;
  debye_array_set_attribute(DEBYE_ARRAY(self), DEBYE_ARRAY_MEDIUM, english);
}

const char *
debye_field_get_medium_message(DebyeField *self)
{
  g_return_val_if_fail(DEBYE_IS_FIELD(self), NULL);
  return self->medium_message != NULL ? self->medium_message : debye_field_get_medium(self);
}

const DebyeGrid *
debye_field_get_grid(DebyeField *self)
{
  g_return_val_if_fail(DEBYE_IS_FIELD(self), NULL);
  return &self->grid;
}

const float *
debye_field_get_values(DebyeField *self)
{
  g_return_val_if_fail(DEBYE_IS_FIELD(self), NULL);
  return self->values;
}

typedef struct {
  const float *values;
  gsize n, n_finite;
  double minimum, maximum, sum, squares;
} Piece;

static void
look_through(gsize number, gpointer data)
{
  Piece *piece = (Piece *)data + number;
  for (gsize i = 0; i < piece->n; i++) {
    double value = piece->values[i];
    if (!isfinite(value))
      continue;
    piece->n_finite++;
    piece->sum += value;
    piece->squares += value * value;
    piece->minimum = value < piece->minimum ? value : piece->minimum;
    piece->maximum = value > piece->maximum ? value : piece->maximum;
  }
}

/* In pieces of one length, so that sums don't depend on the number of threads. */
static void
compute_statistics(DebyeField *self)
{
  const gsize n = debye_grid_n_points(&self->grid), n_pieces = (n + PIECE_POINTS - 1) / PIECE_POINTS;
  Piece all = {.minimum = INFINITY, .maximum = -INFINITY};
  g_autofree Piece *pieces = g_new(Piece, n_pieces);
  for (gsize k = 0; k < n_pieces; k++) {
    pieces[k] = all;
    pieces[k].values = self->values + k * PIECE_POINTS;
    pieces[k].n = MIN(PIECE_POINTS, n - k * PIECE_POINTS);
  }
  debye_parts_run(n_pieces, look_through, pieces);
  for (gsize k = 0; k < n_pieces; k++) {
    all.n_finite += pieces[k].n_finite;
    all.sum += pieces[k].sum;
    all.squares += pieces[k].squares;
    all.minimum = MIN(all.minimum, pieces[k].minimum);
    all.maximum = MAX(all.maximum, pieces[k].maximum);
  }
  self->n_finite = all.n_finite;
  self->has_statistics = TRUE;
  if (all.n_finite > 0)
    self->statistics = (DebyeFieldStatistics){all.minimum, all.maximum, all.sum / (double)all.n_finite,
                                              sqrt(all.squares / (double)all.n_finite)};
}

/* With the lock held. */
static void
ensure_statistics(DebyeField *self)
{
  if (!self->has_statistics)
    compute_statistics(self);
}

gsize
debye_field_get_n_finite(DebyeField *self)
{
  g_return_val_if_fail(DEBYE_IS_FIELD(self), 0);
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&self->mutex);
  ensure_statistics(self);
  return self->n_finite;
}

void
debye_field_get_statistics(DebyeField *self, DebyeFieldStatistics *statistics)
{
  g_return_if_fail(DEBYE_IS_FIELD(self) && statistics != NULL);
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&self->mutex);
  ensure_statistics(self);
  *statistics = self->statistics;
}

static void
compute_histogram(DebyeField *self)
{
  gsize n = debye_grid_n_points(&self->grid);
  double minimum = self->statistics.minimum;
  double scale = N_BINS / (self->statistics.maximum - minimum);
  guint64 *bins = g_new0(guint64, N_BINS);
  for (gsize i = 0; i < n; i++) {
    double value = self->values[i];
    if (isfinite(value))
      bins[MIN((gsize)((value - minimum) * scale), N_BINS - 1)]++;
  }
  for (gsize bin = 1; bin < N_BINS; bin++)
    bins[bin] += bins[bin - 1];
  self->cumulative = bins;
}

/* The first bin that ends at or above `rank` values. */
static gsize
find_bin(const guint64 *cumulative, double rank)
{
  gsize low = 0, high = N_BINS - 1;
  while (low < high) {
    gsize middle = (low + high) / 2;
    if ((double)cumulative[middle] >= rank)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

double
debye_field_get_percentile(DebyeField *self, double fraction)
{
  g_return_val_if_fail(DEBYE_IS_FIELD(self), 0.0);
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&self->mutex);
  ensure_statistics(self);
  double minimum = self->statistics.minimum, range = self->statistics.maximum - minimum;
  if (fraction <= 0.0 || range == 0.0)
    return minimum;
  if (fraction >= 1.0)
    return self->statistics.maximum;
  if (self->cumulative == NULL)
    compute_histogram(self);
  double rank = fraction * (double)self->n_finite;
  gsize bin = find_bin(self->cumulative, rank);
  double below = bin > 0 ? (double)self->cumulative[bin - 1] : 0.0;
  double within = (rank - below) / MAX((double)self->cumulative[bin] - below, 1.0);
  return minimum + range * ((double)bin + CLAMP(within, 0.0, 1.0)) / N_BINS;
}

/* The cell [index, index + 1] that a grid coordinate lies in, and where in it; FALSE outside. A point on the
 * border is inside, rounding of the inverse steps included. */
static gboolean
locate(double coordinate, gsize n, gsize *index, double *weight)
{
  double last = (double)(n - 1), slack = 1e-9 * (double)n;
  if (!(coordinate >= -slack && coordinate <= last + slack))
    return FALSE;
  coordinate = CLAMP(coordinate, 0.0, last);
  *index = n > 1 ? MIN((gsize)coordinate, n - 2) : 0;
  *weight = coordinate - (double)*index;
  return TRUE;
}

double
debye_field_sample(DebyeField *self, DebyeVec3 point)
{
  g_return_val_if_fail(DEBYE_IS_FIELD(self), NAN);
  const gsize *shape = self->grid.shape;
  DebyeVec3 offset = debye_vec3_subtract(point, self->grid.origin);
  gsize at[3];
  double weight[3], sum = 0.0;
  for (int axis = 0; axis < 3; axis++)
    if (!locate(debye_vec3_dot(self->inverse[axis], offset), shape[axis], &at[axis], &weight[axis]))
      return NAN;
  for (int corner = 0; corner < 8; corner++) {
    gsize index[3];
    double share = 1.0;
    for (int axis = 0; axis < 3; axis++) {
      gboolean upper = (corner >> axis) & 1;
      index[axis] = at[axis] + (upper ? 1 : 0);
      share *= upper ? weight[axis] : 1.0 - weight[axis];
    }
    /* A corner with no share doesn't count: it may be beyond the grid, or not computed yet. */
    if (share != 0.0)
      sum += share * self->values[index[0] + shape[0] * (index[1] + shape[1] * index[2])];
  }
  return sum;
}

/* Of the four points around a cell's place (Keys, IEEE Trans. Acoust. 29, 1153 (1981)). */
static void
set_cubic_shares(double t, double shares[4])
{
  shares[0] = t * (-0.5 + t * (1.0 - 0.5 * t));
  shares[1] = 1.0 + t * t * (-2.5 + 1.5 * t);
  shares[2] = t * (0.5 + t * (2.0 - 1.5 * t));
  shares[3] = t * t * (-0.5 + 0.5 * t);
}

double
debye_field_sample_smooth(DebyeField *self, DebyeVec3 point)
{
  g_return_val_if_fail(DEBYE_IS_FIELD(self), NAN);
  const gsize *shape = self->grid.shape;
  DebyeVec3 offset = debye_vec3_subtract(point, self->grid.origin);
  gsize at[3];
  double weight, shares[3][4], sum = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    if (!locate(debye_vec3_dot(self->inverse[axis], offset), shape[axis], &at[axis], &weight))
      return NAN;
    if (at[axis] < 1 || at[axis] + 2 >= shape[axis])
      return debye_field_sample(self, point);
    set_cubic_shares(weight, shares[axis]);
  }
  for (gsize k = 0; k < 4; k++)
    for (gsize j = 0; j < 4; j++) {
      const float *row = self->values + at[0] - 1 + shape[0] * (at[1] + j - 1 + shape[1] * (at[2] + k - 1));
      const double share = shares[1][j] * shares[2][k];
      for (gsize i = 0; i < 4; i++)
        sum += share * shares[0][i] * (double)row[i];
    }
  return isfinite(sum) ? sum : debye_field_sample(self, point);
}
