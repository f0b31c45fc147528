/* SPDX-License-Identifier: MIT */
/* What a course in time gives, see scattering_dynamic_result.h. */
#include "scattering_dynamic_result.h"

#include <math.h>

#include "kernels/displacement_function.h"
#include "scattering_norm.h"
#include "scattering_result.h"
#include "scattering_spectrum_result.h"

#define MOST_CURVES 6   /* of F over τ: more can't be told apart in one plot */
#define ELASTIC_PART 10 /* the last tenth of the times is what stays */

typedef struct {
  const DebyeScatteringCourse *course;
  const DebyeScatteringCourseFound *found;
  double *factors; /* of the normalisation, of each row */
  double *times;   /* ps, or frames where the files don't say */
} Maker;

static DebyeScatteringPart
get_part(const DebyeScatteringPlan *plan)
{
  return plan->with_coherent && plan->with_incoherent ? DEBYE_SCATTERING_TOTAL
         : plan->with_coherent                        ? DEBYE_SCATTERING_COHERENT
                                                      : DEBYE_SCATTERING_INCOHERENT;
}

static DebyeQuantity
get_time_quantity(const Maker *maker)
{
  gboolean is_lag = maker->course->signal == DEBYE_SIGNAL_AUTOCORRELATE;
  const char *unit = maker->course->step > 0.0 ? "ps" : "frames";
  return is_lag ? (DebyeQuantity){"tau", "τ", unit} : (DebyeQuantity){"t", "t", unit};
}

static DebyeQuantity
get_value_quantity(const Maker *maker, const char *name, const char *label)
{
  return (DebyeQuantity){name, label, debye_scattering_quantity(maker->course->plan).unit};
}

static double complex
get_value(const Maker *maker, gsize row, gsize time)
{
  return maker->factors[row] * maker->found->signals.fqt[row * maker->found->signals.n_times + time];
}

/* --- F over q and τ --- */

static void
add_matrix(DebyeResult *result, const Maker *maker, const char *name, const char *label, gboolean imaginary)
{
  gsize n_rows = maker->course->n_rows, n_times = maker->found->n_times;
  const DebyeQuantity row = {"q", "q", "Å⁻¹"}, column = get_time_quantity(maker),
                      value = get_value_quantity(maker, name, label);
  g_autofree double *values = g_new(double, n_rows *n_times);
  for (gsize i = 0; i < n_rows; i++)
    for (gsize t = 0; t < n_times; t++)
      values[i * n_times + t] = imaginary ? cimag(get_value(maker, i, t)) : creal(get_value(maker, i, t));
  g_autoptr(DebyeMatrix) matrix = debye_matrix_new(name, &row, n_rows, maker->course->q, &column, n_times,
                                                   maker->times, &value, values, NULL);
  debye_result_add_matrix(result, matrix);
}

static void
add_time_curves(DebyeResult *result, const Maker *maker)
{
  gsize n_rows = maker->course->n_rows, n_times = maker->found->n_times, n = MIN(n_rows, MOST_CURVES);
  const DebyeQuantity x = get_time_quantity(maker), y = get_value_quantity(maker, "F", "F(q, τ)");
  g_autofree double *values = g_new(double, n_times);
  for (gsize i = 0; i < n; i++) {
    gsize row = n > 1 ? i * (n_rows - 1) / (n - 1) : 0;
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    g_autofree char *name =
        g_strdup_printf("q = %s Å⁻¹", g_ascii_formatd(number, sizeof number, "%.3g", maker->course->q[row]));
    for (gsize t = 0; t < n_times; t++)
      values[t] = creal(get_value(maker, row, t));
    g_autoptr(DebyeCurve) curve =
        debye_curve_new(name, &x, &y, DEBYE_CURVE_LINE, n_times, maker->times, values, NULL);
    debye_result_add_curve(result, curve);
  }
}

/* --- Over q --- */

typedef double (*RowFunc)(const Maker *maker, gsize row);

static double
get_static(const Maker *maker, gsize row)
{
  return creal(get_value(maker, row, 0));
}

/* What has not decayed at the longest times, as a part of F(q, 0). */
static double
get_elastic(const Maker *maker, gsize row)
{
  gsize n = maker->found->n_times, first = n - MAX(n / ELASTIC_PART, 1);
  double sum = 0.0;
  for (gsize t = first; t < n; t++)
    sum += creal(get_value(maker, row, t));
  return sum / (double)(n - first) / get_static(maker, row);
}

static void
add_row_curve(DebyeResult *result, const Maker *maker, const char *name, const DebyeQuantity *y, RowFunc get)
{
  static const DebyeQuantity x = {"q", "q", "Å⁻¹"};
  gsize n_rows = maker->course->n_rows;
  g_autofree double *values = g_new(double, n_rows);
  for (gsize row = 0; row < n_rows; row++)
    values[row] = get(maker, row);
  g_autoptr(DebyeCurve) curve =
      debye_curve_new(name, &x, y, DEBYE_CURVE_LINE, n_rows, maker->course->q, values, NULL);
  debye_result_add_curve(result, curve);
}

static void
add_row_curves(DebyeResult *result, const Maker *maker)
{
  static const DebyeQuantity elastic = {"elastic_fraction", "F(q, ∞)/F(q, 0)", NULL};
  const DebyeQuantity intensity = debye_scattering_quantity(maker->course->plan);
  if (maker->course->signal != DEBYE_SIGNAL_AUTOCORRELATE || maker->course->plan->rows_are_vectors)
    return;
  add_row_curve(result, maker, "I(q) = F(q, 0)", &intensity, get_static);
  add_row_curve(result, maker, "elastic part", &elastic, get_elastic);
}

/* --- Tables --- */

static void
add_column(DebyeTable *table, const char *name, const char *unit, gsize n, const double *values)
{
  debye_table_add_numbers(table, &(DebyeQuantity){name, name, unit}, n, values);
}

void
debye_scattering_course_add_row_names(DebyeTable *table, const DebyeScatteringCourse *course, gsize times)
{
  static const char *const names[] = {"qx", "qy", "qz"};
  const DebyeScatteringPlan *plan = course->plan;
  gsize n_rows = course->n_rows;
  g_autofree double *values = g_new(double, n_rows *times);
  for (guint k = 0; k < (plan->rows_are_vectors ? 3 : 1); k++) {
    for (gsize i = 0; i < n_rows * times; i++) {
      gsize row = i / times;
      if (!plan->rows_are_vectors) {
        values[i] = course->q[row];
        continue;
      }
      DebyeVec3 q = g_array_index(plan->vectors.vectors, DebyeVec3, row);
      values[i] = k == 0 ? q.x : k == 1 ? q.y : q.z;
    }
    add_column(table, plan->rows_are_vectors ? names[k] : "q", "Å⁻¹", n_rows * times, values);
  }
}

/* A row for each q: f at the first time, its mean, and the mean squared mean. */
static DebyeTable *
make_row_table(const Maker *maker)
{
  const DebyeScatteringSignals *signals = &maker->found->signals;
  const char *unit = debye_scattering_quantity(maker->course->plan).unit;
  gsize n = maker->course->n_rows;
  DebyeTable *table = debye_table_new("rows");
  g_autofree double *columns = g_new(double, 5 * n);
  for (gsize row = 0; row < n; row++) {
    double factor = maker->factors[row];
    columns[row] = creal(get_value(maker, row, 0));
    columns[n + row] = cimag(get_value(maker, row, 0));
    columns[2 * n + row] = factor * creal(signals->fq[row]);
    columns[3 * n + row] = factor * cimag(signals->fq[row]);
    columns[4 * n + row] = factor * factor * signals->fq2[row];
  }
  debye_scattering_course_add_row_names(table, maker->course, 1);
  add_column(table, "fq0_re", unit, n, columns);
  add_column(table, "fq0_im", unit, n, columns + n);
  add_column(table, "fq_re", unit, n, columns + 2 * n);
  add_column(table, "fq_im", unit, n, columns + 3 * n);
  add_column(table, "fq2", NULL, n, columns + 4 * n);
  return table;
}

/* Long form: q, τ, F. */
static DebyeTable *
make_time_table(const Maker *maker)
{
  const char *unit = debye_scattering_quantity(maker->course->plan).unit;
  const DebyeQuantity time = get_time_quantity(maker);
  gsize n_times = maker->found->n_times, n = maker->course->n_rows * n_times;
  DebyeTable *table = debye_table_new("course");
  g_autofree double *values = g_new(double, 3 * n);
  for (gsize i = 0; i < n; i++) {
    double complex value = get_value(maker, i / n_times, i % n_times);
    values[i] = maker->times[i % n_times];
    values[n + i] = creal(value);
    values[2 * n + i] = cimag(value);
  }
  debye_scattering_course_add_row_names(table, maker->course, n_times);
  debye_table_add_numbers(table, &time, n, values);
  add_column(table, "F_re", unit, n, values + n);
  add_column(table, "F_im", unit, n, values + 2 * n);
  return table;
}

/* --- Displacements --- */

/* Sums over the species of a lag. */
static void
sum_moments(const Maker *maker, gsize time, double *square, double *fourth, double *n)
{
  const DebyeScatterers *scatterers = &maker->course->plan->scatterers;
  gsize n_bins, n_times = maker->found->signals.n_times;
  const DebyeDisplacementSums *sums = debye_displacement_counts_get_sums(maker->found->counts, &n_bins);
  *square = *fourth = *n = 0.0;
  for (guint s = 0; s < scatterers->species->len; s++) {
    *square += sums->square[s * n_times + time];
    *fourth += sums->fourth[s * n_times + time];
    *n += (double)debye_scatterers_get(scatterers, s)->atoms->len * (double)(n_times - time);
  }
}

static void
add_displacements(DebyeResult *result, const Maker *maker)
{
  const DebyeQuantity x = get_time_quantity(maker);
  static const DebyeQuantity square = {"mean_square_displacement", "⟨d²⟩", "Å²"};
  static const DebyeQuantity shape = {"non_gaussian", "α₂", NULL};
  gsize n_times = maker->found->n_times;
  g_autofree double *means = g_new(double, n_times);
  g_autofree double *shapes = g_new(double, n_times);
  for (gsize t = 0; t < n_times; t++) {
    double squares, fourths, n;
    sum_moments(maker, t, &squares, &fourths, &n);
    means[t] = debye_displacement_mean_square(squares, n);
    shapes[t] = debye_displacement_non_gaussian(squares, fourths, n);
  }
  g_autoptr(DebyeCurve) mean = debye_curve_new("mean square displacement", &x, &square, DEBYE_CURVE_LINE,
                                               n_times, maker->times, means, NULL);
  g_autoptr(DebyeCurve) other = debye_curve_new("non-Gaussian parameter", &x, &shape, DEBYE_CURVE_LINE,
                                                n_times, maker->times, shapes, NULL);
  debye_result_add_curve(result, mean);
  debye_result_add_curve(result, other);
}

/* --- Notes --- */

static void
add_notes(DebyeResult *result, const Maker *maker)
{
  const DebyeScatteringPlan *plan = maker->course->plan;
  g_autofree char *range = debye_frame_range_to_string(&plan->frames.range);
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  debye_result_add_note(result, "F(q, τ): %s", debye_scattering_norm_explain(plan));
  for (guint i = 0; i < plan->scatterers.notes->len; i++)
    debye_result_add_note(result, "%s", (const char *)g_ptr_array_index(plan->scatterers.notes, i));
  for (guint i = 0; i < plan->notes->len; i++)
    debye_result_add_note(result, "%s", (const char *)g_ptr_array_index(plan->notes, i));
  if (plan->vectors.vectors != NULL)
    debye_result_add_note(result, "Vectors: %u in %u shells", plan->vectors.vectors->len,
                          plan->vectors.shells->len);
  if (maker->found->counts != NULL)
    debye_result_add_note(result,
                          "Incoherent part: exact average over orientations, displacements in bins of %s Å",
                          g_ascii_formatd(number, sizeof number, "%.2g", maker->found->bin_width));
  if (debye_scattering_frames_unwraps(maker->course->frames))
    debye_result_add_note(result, "Molecules are followed across the faces of the cell");
  if (!(maker->course->step > 0.0))
    debye_result_add_note(result,
                          DEBYE_NOTE_WARNING "the files don't say the time between frames: τ is in frames");
  debye_result_add_note(result, "Frames: %s, %" G_GSIZE_FORMAT " used", range, plan->frames.n_frames);
  if (maker->course->n_passes_done > 1)
    debye_result_add_note(result,
                          "The trajectory was read %" G_GSIZE_FORMAT " times, to keep within the memory",
                          maker->course->n_passes_done);
}

static void
prepare(Maker *maker)
{
  const DebyeScatteringPlan *plan = maker->course->plan;
  double step = maker->course->step > 0.0 ? maker->course->step : 1.0;
  maker->factors = g_new(double, maker->course->n_rows);
  maker->times = g_new(double, maker->found->n_times);
  for (gsize row = 0; row < maker->course->n_rows; row++)
    maker->factors[row] =
        debye_scattering_scale(plan, get_part(plan), maker->found->volume, NAN, maker->course->q[row]).factor;
  for (gsize t = 0; t < maker->found->n_times; t++)
    maker->times[t] = step * (double)t;
}

/* First what was asked for first: the spectrum's curves and table stand before F's. */
static gboolean
add_spectrum(DebyeResult *result, const Maker *maker, GError **error)
{
  const DebyeScatteringCourse *course = maker->course;
  const DebyeScatteringCourseFound *found = maker->found;
  g_auto(DebyeSpectrum) spectrum = {0};
  if (found->spectrum == NULL)
    return TRUE;
  if (!debye_spectrum_init(&spectrum, found->spectrum, found->signals.fqt, maker->factors, course->n_rows,
                           found->signals.n_times, found->n_times, course->step, error))
    return FALSE;
  debye_scattering_spectrum_add(result, course, &spectrum, found->spectrum);
  return TRUE;
}

static void
maker_clear(Maker *maker)
{
  g_free(maker->factors);
  g_free(maker->times);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Maker, maker_clear)

DebyeResult *
debye_scattering_dynamic_result_new(const DebyeScatteringCourse *course,
                                    const DebyeScatteringCourseFound *found, GError **error)
{
  g_auto(Maker) maker = {.course = course, .found = found};
  g_autoptr(DebyeRequest) request = debye_request_copy(course->input->request);
  gboolean is_xray = course->plan->scatterers.probe == DEBYE_PROBE_XRAY;
  g_autoptr(DebyeResult) result =
      debye_result_new(request, is_xray ? "X-ray scattering in time" : "Neutron scattering in time");
  prepare(&maker);
  if (!add_spectrum(result, &maker, error))
    return NULL;
  g_autoptr(DebyeTable) rows = make_row_table(&maker);
  g_autoptr(DebyeTable) times = make_time_table(&maker);
  add_time_curves(result, &maker);
  add_row_curves(result, &maker);
  if (found->counts != NULL)
    add_displacements(result, &maker);
  add_matrix(result, &maker, "fqt", course->signal == DEBYE_SIGNAL_AUTOCORRELATE ? "F(q, τ)" : "f(q, t)",
             FALSE);
  if (course->plan->rows_are_vectors)
    add_matrix(result, &maker, "fqt_imaginary",
               course->signal == DEBYE_SIGNAL_AUTOCORRELATE ? "Im F(q, τ)" : "Im f(q, t)", TRUE);
  debye_result_add_table(result, found->as_rows ? rows : times);
  debye_result_add_table(result, found->as_rows ? times : rows);
  debye_scattering_result_add_weights(result, &course->plan->scatterers);
  debye_result_set_inputs(result, debye_dataset_get_paths(course->input->dataset));
  debye_result_set_wall_time(result, found->seconds);
  add_notes(result, &maker);
  return g_steal_pointer(&result);
}
