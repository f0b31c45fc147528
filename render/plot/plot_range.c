/* SPDX-License-Identifier: MIT */
/* Finds the range of an axis that shows all data; called by plot.c and plot_navigation.c. */
#include <math.h>

#include "plot_private.h"
#include "plot_state.h"

/* Room above and below the values, of their span. */
#define PADDING 0.05
/* Above values that have peaks with their numbers: those stand there. */
#define PADDING_FOR_NUMBERS 0.15
/* An axis of values that are all positive starts at zero where they begin below this part of the largest. */
#define NEAR_ZERO 0.35
/* An x axis starts at zero where the data begin below this part of its end: markers there stay whole. */
#define NEAR_ORIGIN 0.05
/* Beyond an end of a range that may be moved there, of that end. */
#define ROOM 0.15
/* Less than half a line's width, of the largest value. */
#define LOST 0.005
/* An end this near to a round number, as a part of the span, becomes that number. */
#define NEARLY 0.02
/* How many decades an automatic logarithmic axis shows at most: rounding noise far below is not what one
 * looks for. */
#define MAX_DECADES 12.0

typedef struct {
  double minimum, maximum;
  double least_positive;
  double least;       /* as minimum, but of the values without their errors */
  gboolean is_exact;  /* x axes end where the data do */
  gboolean has_cells; /* … and not beyond, where there are edges of cells */
  double from, to;    /* x of the values that count */
} Range;

static void
add_value(Range *range, double value)
{
  if (!isfinite(value))
    return;
  range->minimum = fmin(range->minimum, value);
  range->maximum = fmax(range->maximum, value);
  if (value > 0.0)
    range->least_positive = fmin(range->least_positive, value);
}

static void
add_values(Range *range, const double *values, gsize n)
{
  for (gsize i = 0; i < n; i++)
    add_value(range, values[i]);
}

static void
add_x(Range *range, DebyeCurve *curve)
{
  const double *x = debye_curve_get_x(curve);
  gsize n = debye_curve_get_n_points(curve);
  if (!debye_curve_is_ordered(curve)) {
    add_values(range, x, n);
  } else if (n > 0) {
    gsize positive = debye_plot_find_x(x, 0, n, 5e-324);
    add_value(range, x[0]);
    add_value(range, x[n - 1]);
    if (positive < n)
      add_value(range, x[positive]);
  }
}

/* The least positive y is looked for only where the axis needs it. */
static void
add_y(Range *range, DebyePlotSeries *series, DebyePlotScale scale)
{
  const double *x = debye_curve_get_x(series->curve);
  gsize first = 0, n = debye_curve_get_n_points(series->curve);
  if (debye_curve_is_ordered(series->curve)) {
    const gsize all = n;
    first = debye_plot_find_x(x, 0, all, range->from);
    n = debye_plot_find_x(x, first, all, range->to);
    while (n < all && x[n] <= range->to)
      n++;
  }
  DebyePlotExtremes extremes = debye_plot_reduction_get(debye_plot_series_reduce(series), first, n);
  gboolean with_errors = debye_plot_series_get_errors(series) != NULL && scale == DEBYE_PLOT_LINEAR;
  if (extremes.minimum > extremes.maximum)
    return;
  if (scale == DEBYE_PLOT_LOG && extremes.minimum <= 0.0)
    add_values(range, debye_curve_get_y(series->curve) + first, n - first);
  range->least = fmin(range->least, extremes.minimum);
  add_value(range, with_errors ? extremes.low : extremes.minimum);
  add_value(range, with_errors ? extremes.high : extremes.maximum);
}

/* The cells of a heat map reach half-way to the next ones, also at its edges. */
static void
add_cells(Range *range, const double *centres, gsize n, DebyePlotScale scale)
{
  add_values(range, centres, n);
  if (n < 2)
    return;
  double ends[] = {1.5 * centres[0] - 0.5 * centres[1], 1.5 * centres[n - 1] - 0.5 * centres[n - 2]};
  for (int i = 0; i < 2; i++)
    if (scale == DEBYE_PLOT_LINEAR || ends[i] > 0.0)
      add_value(range, ends[i]);
}

static void
collect(DebyePlot *plot, DebyePlotAxis axis, Range *range)
{
  GPtrArray *all = debye_plot_get_all_series(plot);
  DebyeMatrix *matrix = debye_plot_get_matrix(plot);
  DebyePlotScale scale = debye_plot_get_scale(plot, axis);
  for (guint i = 0; axis != DEBYE_PLOT_COLOR && i < all->len; i++) {
    DebyePlotSeries *series = all->pdata[i];
    if (series->hidden)
      continue;
    if (axis == DEBYE_PLOT_X)
      add_x(range, series->curve);
    else if (series->axis == axis)
      add_y(range, series, scale);
  }
  if (axis == DEBYE_PLOT_X)
    add_value(range, (1.0 + ROOM) * debye_plot_get_range_room(plot));
  if (matrix == NULL || axis == DEBYE_PLOT_Y2)
    return;
  gsize n_rows = debye_matrix_get_n_rows(matrix), n_columns = debye_matrix_get_n_columns(matrix);
  range->is_exact = TRUE;
  range->has_cells = axis != DEBYE_PLOT_COLOR;
  if (axis == DEBYE_PLOT_X)
    add_cells(range, debye_matrix_get_column_values(matrix), n_columns, scale);
  else if (axis == DEBYE_PLOT_Y)
    add_cells(range, debye_matrix_get_row_values(matrix), n_rows, scale);
  else
    add_values(range, debye_matrix_get_values(matrix), n_rows * n_columns);
}

/* An end that is nearly round becomes round: bins from 0.05 to 11.95 are an axis from 0 to 12. */
static void
extend_to_ticks(double *low, double *high)
{
  double span = *high - *low, step = pow(10.0, floor(log10(span)));
  step = span / step < 2.0 ? 0.2 * step : span / step < 5.0 ? 0.5 * step : step;
  double below = floor(*low / step + 1e-9) * step, above = ceil(*high / step - 1e-9) * step;
  if (*low - below < NEARLY * span)
    *low = below;
  if (above - *high < NEARLY * span)
    *high = above;
}

/* A tick just below the upper end would be a second line beside the frame. */
static double
lower_to_tick(double high, double span)
{
  double step = pow(10.0, floor(log10(span)));
  step = span / step < 2.0 ? 0.2 * step : span / step < 5.0 ? 0.5 * step : step;
  const double below = floor(high / step) * step;
  return high - below < 0.5 * NEARLY * span ? below : high;
}

static gboolean
has_numbers(DebyePlot *plot)
{
  GPtrArray *peaks = debye_plot_get_peaks(plot);
  for (guint i = 0; i < peaks->len; i++)
    if (((const DebyePlotMark *)peaks->pdata[i])->markup != NULL)
      return TRUE;
  return FALSE;
}

/* `above`: room above the values, of their span. */
static void
finish_linear(const Range *range, double above, double *minimum, double *maximum)
{
  double low = range->minimum, high = range->maximum;
  if (high - low <= 1e-12 * fmax(fabs(low), fabs(high))) {
    double half = fmax(0.5 * fabs(low), 0.5);
    low -= half;
    high += half;
  } else if (!range->is_exact) {
    const double span = high - low;
    /* Of what can't be negative only errors, and what is lost in the line of the axis, reach below zero. */
    low = range->least >= -LOST * high && low < NEAR_ZERO * high ? 0.0 : low - PADDING * span;
    high = lower_to_tick(high + above * span, span);
  } else if (!range->has_cells) {
    low = low > 0.0 && low < NEAR_ORIGIN * high ? 0.0 : low;
    extend_to_ticks(&low, &high);
  }
  *minimum = low;
  *maximum = high;
}

/* Points at the ends would be cut in half without room, while a map ends with its cells. */
static void
finish_logarithmic(const Range *range, double padding, double *minimum, double *maximum)
{
  double low = range->least_positive, high = range->maximum;
  if (!(low <= high)) {
    low = 0.1;
    high = 1.0;
  }
  low = fmax(low, high * pow(10.0, -MAX_DECADES));
  double room = padding * log10(high / low);
  if (low == high)
    room = 0.5;
  *minimum = low / pow(10.0, room);
  *maximum = high * pow(10.0, room);
}

static void
find_range(DebyePlot *self, DebyePlotAxis axis, double from, double to, double *minimum, double *maximum)
{
  Range range = {HUGE_VAL, -HUGE_VAL, HUGE_VAL, HUGE_VAL, axis == DEBYE_PLOT_X, FALSE, from, to};
  collect(self, axis, &range);
  if (range.minimum > range.maximum)
    range = (Range){0.0, 1.0, 0.1, 0.0, TRUE, FALSE, from, to};
  if (debye_plot_get_scale(self, axis) == DEBYE_PLOT_LOG)
    finish_logarithmic(&range, debye_plot_get_matrix(self) == NULL ? PADDING : 0.0, minimum, maximum);
  else
    finish_linear(&range, axis == DEBYE_PLOT_Y && has_numbers(self) ? PADDING_FOR_NUMBERS : PADDING, minimum,
                  maximum);
}

void
debye_plot_find_range(DebyePlot *self, DebyePlotAxis axis, double *minimum, double *maximum)
{
  const double ceiling = debye_plot_get_ceiling(self, axis);
  find_range(self, axis, -HUGE_VAL, HUGE_VAL, minimum, maximum);
  if (ceiling > *minimum)
    *maximum = fmin(*maximum, ceiling);
}

void
debye_plot_fit_view(DebyePlot *self, DebyePlotAxis axis)
{
  double from, to, minimum, maximum;
  g_return_if_fail(DEBYE_IS_PLOT(self) && (axis == DEBYE_PLOT_Y || axis == DEBYE_PLOT_Y2));
  debye_plot_get_limits(self, DEBYE_PLOT_X, &from, &to);
  find_range(self, axis, from, to, &minimum, &maximum);
  debye_plot_set_view(self, axis, minimum, maximum);
}

void
debye_plot_get_limits(DebyePlot *self, DebyePlotAxis axis, double *minimum, double *maximum)
{
  g_return_if_fail(DEBYE_IS_PLOT(self) && axis < DEBYE_PLOT_N_AXES);
  const DebyePlotAxisState *own = &self->axes[axis];
  if (!isfinite(own->minimum) || !isfinite(own->maximum))
    debye_plot_find_range(self, axis, minimum, maximum);
  if (isfinite(own->minimum))
    *minimum = own->minimum;
  if (isfinite(own->maximum))
    *maximum = own->maximum;
  /* Nearer than doubles can be told apart on a page, or an end given beyond the data's other one. */
  double least = own->scale == DEBYE_PLOT_LOG ? 1e-9 * *minimum
                                              : fmax(1e-12 * fmax(fabs(*minimum), fabs(*maximum)), 1e-300);
  if (*maximum - *minimum < least) {
    double centre = 0.5 * (*minimum + *maximum);
    *maximum = centre + fmax(least, fabs(centre) * 1e-9);
    *minimum = own->scale == DEBYE_PLOT_LOG ? centre * (1.0 - 1e-9) : 2.0 * centre - *maximum;
  }
}
