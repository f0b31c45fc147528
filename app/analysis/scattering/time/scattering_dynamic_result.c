/* SPDX-License-Identifier: MIT */
/* Puts F(q, t) into a result as curves and tables; called by scattering_dynamic.c. */
#include "scattering_dynamic_result.h"

#include <math.h>

#include "app/analysis/scattering/intensity/scattering_method.h"
#include "app/analysis/scattering/intensity/scattering_result.h"
#include "app/analysis/scattering/system/scattering_norm.h"
#include "data/files/float_text.h"
#include "data/messages/message.h"
#include "intermediate_scattering.h"
#include "scattering_displacement_result.h"
#include "scattering_rows.h"
#include "scattering_spectrum_result.h"

#define MAX_CURVES 6    /* of F over τ: more can't be told apart in one plot */
#define ELASTIC_PART 10 /* the last tenth of the times is what stays */

typedef struct {
  const DebyeIntermediateScattering *scattering;
  const DebyeIntermediateScatteringData *found;
  double *factors; /* of the normalisation, of each row */
  double *times;   /* ps, or frames where the files don't say */
} Maker;

/* Units of F and, of fq2, of its square. An amplitude taken as it is comes before the square. */
static void
get_units(const DebyeIntermediateScattering *scattering, const char **unit, const char **square)
{
  enum { INTENSITY, INTENSITY_SQUARE, AMPLITUDE, AMPLITUDE_SQUARE, N_UNITS };
  static const char *const sums[2][N_UNITS] = {
      {"fm²", "fm⁴", "fm", "fm²"}, {N_("electrons²"), N_("electrons⁴"), N_("electrons"), N_("electrons²")}};
  static const char *const parts[2][N_UNITS] = {{"", "", "fm⁻¹", "fm⁻²"},
                                                {"", "", N_("electrons⁻¹"), N_("electrons⁻²")}};
  static const char *const sections[2][N_UNITS] = {
      {"cm⁻¹", "cm⁻²", "cm⁻¹/fm", "cm⁻²/fm²"}, {"cm⁻¹", "cm⁻²", N_("cm⁻¹/electrons"), N_("cm⁻²/electrons²")}};
  const DebyeScatteringNorm norm = scattering->plan->settings.normalise;
  const char *const(*units)[N_UNITS] = norm == DEBYE_NORMALISE_WEIGHT     ? parts
                                       : norm == DEBYE_NORMALISE_ABSOLUTE ? sections
                                                                          : sums;
  const gboolean is_xray = scattering->plan->scatterers.probe == DEBYE_PROBE_XRAY;
  const int first = scattering->signal == DEBYE_SIGNAL_PLAIN ? AMPLITUDE : INTENSITY;
  *unit = units[is_xray][first];
  *square = units[is_xray][first + 1];
}

static const char *
get_unit(const DebyeIntermediateScattering *scattering)
{
  const char *unit, *square;
  get_units(scattering, &unit, &square);
  return unit;
}

/* "F(q, τ)" where times are between frames, "f(q, t)" where they are the frames', and what it is divided by. */
static const char *
get_label(const DebyeIntermediateScattering *scattering)
{
  enum { WHOLE, PER_ATOM, PER_B, PER_F, N_LABELS };
  static const char *const labels[2][N_LABELS] = {{"f(q, t)", "f(q, t)/N", "f(q, t)/Σb²", "f(q, t)/Σf²"},
                                                  {"F(q, τ)", "F(q, τ)/N", "F(q, τ)/Σb²", "F(q, τ)/Σf²"}};
  const gboolean is_lag = scattering->signal == DEBYE_SIGNAL_AUTOCORRELATE;
  switch (scattering->plan->settings.normalise) {
  case DEBYE_NORMALISE_ATOM:
    return labels[is_lag][PER_ATOM];
  case DEBYE_NORMALISE_WEIGHT:
    return labels[is_lag][scattering->plan->scatterers.probe == DEBYE_PROBE_XRAY ? PER_F : PER_B];
  default:
    return labels[is_lag][WHOLE];
  }
}

static DebyeQuantity
get_value_quantity(const Maker *maker, const char *name, const char *label)
{
  return (DebyeQuantity){name, label, get_unit(maker->scattering)};
}

static double complex
get_value(const Maker *maker, gsize row, gsize time)
{
  return maker->factors[row] * maker->found->signals.fqt[row * maker->found->signals.n_times + time];
}

static double
get_static(const Maker *maker, gsize row)
{
  return creal(get_value(maker, row, 0));
}

/* "q = 1.2 Å⁻¹", of reflections "1 0 0". To be freed. */
static char *
name_row(const DebyeIntermediateScattering *scattering, gsize row)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  if (scattering->plan->rows_are_vectors && scattering->plan->vectors.indices != NULL) {
    const int *indices = ((const int(*)[3])scattering->plan->vectors.indices->data)[row];
    return g_strdup_printf("%d %d %d", indices[0], indices[1], indices[2]);
  }
  return g_strdup_printf("q = %s Å⁻¹", g_ascii_formatd(number, sizeof number, "%.3g", scattering->q[row]));
}

/* --- F over q and τ --- */

static void
add_matrix(DebyeResult *result, const Maker *maker, const char *name, const char *label, gboolean imaginary)
{
  gsize n_rows = maker->scattering->n_rows, n_times = maker->found->n_times;
  const DebyeQuantity row = {"q", "q", "Å⁻¹"}, column = debye_scattering_time_quantity(maker->scattering),
                      value = get_value_quantity(maker, name, label);
  g_autofree double *values = g_new(double, n_rows *n_times);
  for (gsize i = 0; i < n_rows; i++)
    for (gsize t = 0; t < n_times; t++)
      values[i * n_times + t] = imaginary ? cimag(get_value(maker, i, t)) : creal(get_value(maker, i, t));
  g_autoptr(DebyeMatrix) matrix = debye_matrix_new(name, &row, n_rows, maker->scattering->q, &column, n_times,
                                                   maker->times, &value, values, NULL);
  debye_result_add_matrix(result, matrix);
}

/* Curves over τ of some rows, spread over all, named by a prefix, the row and, of another quantity of the curve called so far, a
 * suffix; values[row·n_times + time]. */
static void
add_some_rows(DebyeResult *result, const Maker *maker, const char *prefix, const char *suffix,
              const DebyeQuantity *y, gsize n_times, const double *values)
{
  gsize n_rows = maker->scattering->n_rows, n = MIN(n_rows, MAX_CURVES);
  const DebyeQuantity x = debye_scattering_time_quantity(maker->scattering);
  for (gsize i = 0; i < n; i++) {
    gsize row = n > 1 ? i * (n_rows - 1) / (n - 1) : 0;
    g_autofree char *label = name_row(maker->scattering, row);
    g_autofree char *of = g_strconcat(prefix, label, NULL), *name = g_strconcat(of, suffix, NULL);
    g_autoptr(DebyeCurve) curve =
        debye_curve_new(name, &x, y, DEBYE_CURVE_LINE, n_times, maker->times, values + row * n_times, NULL);
    debye_curve_set_of(curve, suffix != NULL ? of : NULL);
    debye_result_add_curve(result, curve);
  }
}

static void
add_time_curves(DebyeResult *result, const Maker *maker)
{
  gsize n_rows = maker->scattering->n_rows, n_times = maker->found->n_times;
  const DebyeQuantity y = get_value_quantity(maker, DEBYE_SCATTERING_F, get_label(maker->scattering));
  g_autofree double *values = g_new(double, n_rows *n_times);
  for (gsize i = 0; i < n_rows * n_times; i++)
    values[i] = creal(get_value(maker, i / n_times, i % n_times));
  add_some_rows(result, maker, "", NULL, &y, n_times, values);
}

/* Beyond half the length of the trajectory all pairs of frames share most of their time: what F does there is chance. */
static gsize
count_reliable_times(const Maker *maker)
{
  const gsize half = maker->scattering->plan->frames.n_frames / 2 + 1;
  return MIN(maker->found->n_times, half);
}

/* Divides each curve by F(q, 0), so that it begins at 1. */
static void
add_normalised_curves(DebyeResult *result, const Maker *maker)
{
  static const DebyeQuantity y = {DEBYE_SCATTERING_NORMALISED, "F(q, τ)/F(q, 0)", NULL};
  const gsize n_rows = maker->scattering->n_rows, n_times = count_reliable_times(maker);
  if (maker->scattering->signal != DEBYE_SIGNAL_AUTOCORRELATE || n_times < 2)
    return;
  g_autofree double *values = g_new(double, n_rows *n_times);
  for (gsize i = 0; i < n_rows; i++)
    for (gsize t = 0; t < n_times; t++)
      values[i * n_times + t] =
          get_static(maker, i) > 0.0 ? creal(get_value(maker, i, t)) / get_static(maker, i) : NAN;
  add_some_rows(result, maker, "", " normalised", &y, n_times, values);
}

/* --- Partials --- */

/* Each is a quantity of its own, to be turned to in a plot: curves, and a matrix of all rows. */
static void
add_partial(DebyeResult *result, const Maker *maker, gsize partial)
{
  const DebyeScatteringSignals *signals = &maker->found->signals;
  const DebyeQuantity row = {"q", "q", "Å⁻¹"}, column = debye_scattering_time_quantity(maker->scattering);
  gsize n_rows = maker->scattering->n_rows, n_times = maker->found->n_times;
  g_autofree char *name = debye_scattering_name_partial(maker->scattering->plan, partial);
  g_autofree char *id = g_strconcat("F ", name, NULL);
  g_autofree char *label = g_strdup_printf("%s %s", get_label(maker->scattering), name);
  g_autofree char *prefix = g_strconcat(name, ", ", NULL);
  const DebyeQuantity value = get_value_quantity(maker, id, label);
  g_autofree double *values = g_new(double, n_rows *n_times);
  for (gsize i = 0; i < n_rows; i++)
    for (gsize t = 0; t < n_times; t++)
      values[i * n_times + t] =
          maker->factors[i] * signals->partials[(partial * signals->n_rows + i) * signals->n_times + t];
  add_some_rows(result, maker, prefix, NULL, &value, n_times, values);
  g_autoptr(DebyeMatrix) matrix = debye_matrix_new(name, &row, n_rows, maker->scattering->q, &column, n_times,
                                                   maker->times, &value, values, NULL);
  debye_result_add_matrix(result, matrix);
}

/* --- Over q --- */

typedef double (*RowFunc)(const Maker *maker, gsize row);

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
add_row_curve(DebyeResult *result, const Maker *maker, const char *name, gboolean names_quantity,
              const DebyeQuantity *y, RowFunc get)
{
  static const DebyeQuantity x = {"q", "q", "Å⁻¹"};
  gsize n_rows = maker->scattering->n_rows;
  g_autofree double *values = g_new(double, n_rows);
  for (gsize row = 0; row < n_rows; row++)
    values[row] = get(maker, row);
  g_autoptr(DebyeCurve) curve =
      debye_curve_new(name, &x, y, DEBYE_CURVE_LINE, n_rows, maker->scattering->q, values, NULL);
  debye_curve_set_names_quantity(curve, names_quantity);
  debye_result_add_curve(result, curve);
}

static void
add_row_curves(DebyeResult *result, const Maker *maker)
{
  static const DebyeQuantity fraction = {"elastic_fraction", "F(q, ∞)/F(q, 0)", NULL};
  static const DebyeQuantity eisf = {"elastic_fraction", "EISF", NULL};
  const gboolean is_raw = maker->scattering->plan->settings.normalise == DEBYE_NORMALISE_RAW;
  const gboolean is_incoherent = maker->scattering->plan->settings.kind == DEBYE_SCATTERING_INCOHERENT;
  const DebyeQuantity intensity = debye_scattering_quantity(maker->scattering->plan);
  if (maker->scattering->signal != DEBYE_SIGNAL_AUTOCORRELATE || maker->scattering->plan->rows_are_vectors)
    return;
  add_row_curve(result, maker, "I(q) = F(q, 0)", is_raw, &intensity, get_static);
  /* Bée, Quasielastic Neutron Scattering (1988): of incoherent scattering the part has a name of its own. */
  if (is_incoherent)
    add_row_curve(result, maker, N_("elastic incoherent structure factor"), FALSE, &eisf, get_elastic);
  else
    add_row_curve(result, maker, N_("elastic part"), FALSE, &fraction, get_elastic);
}

/* --- Tables --- */

static void
add_column(DebyeTable *table, const char *name, const char *unit, gsize n, const double *values)
{
  debye_table_add_numbers(table, &(DebyeQuantity){name, name, unit}, n, values);
}

/* A row for each q: f at the first time, its mean, and the mean squared mean. */
static DebyeTable *
make_row_table(const Maker *maker)
{
  const DebyeScatteringSignals *signals = &maker->found->signals;
  const char *unit, *square;
  gsize n = maker->scattering->n_rows;
  DebyeTable *table = debye_table_new("rows");
  get_units(maker->scattering, &unit, &square);
  g_autofree double *columns = g_new(double, 5 * n);
  for (gsize row = 0; row < n; row++) {
    double factor = maker->factors[row];
    columns[row] = creal(get_value(maker, row, 0));
    columns[n + row] = cimag(get_value(maker, row, 0));
    columns[2 * n + row] = factor * creal(signals->fq[row]);
    columns[3 * n + row] = factor * cimag(signals->fq[row]);
    columns[4 * n + row] = factor * factor * signals->fq2[row];
  }
  debye_intermediate_scattering_add_row_names(table, maker->scattering, 1);
  add_column(table, "fq0_re", unit, n, columns);
  add_column(table, "fq0_im", unit, n, columns + n);
  add_column(table, "fq_re", unit, n, columns + 2 * n);
  add_column(table, "fq_im", unit, n, columns + 3 * n);
  add_column(table, "fq2", square, n, columns + 4 * n);
  return table;
}

/* Long form: q, τ, F and what each pair of species adds to it. */
static DebyeTable *
make_time_table(const Maker *maker)
{
  const char *unit = get_unit(maker->scattering);
  const DebyeQuantity time = debye_scattering_time_quantity(maker->scattering);
  gsize n_times = maker->found->n_times, n = maker->scattering->n_rows * n_times;
  DebyeTable *table = debye_table_new("course");
  g_autofree double *values = g_new(double, 3 * n);
  for (gsize i = 0; i < n; i++) {
    double complex value = get_value(maker, i / n_times, i % n_times);
    values[i] = maker->times[i % n_times];
    values[n + i] = creal(value);
    values[2 * n + i] = cimag(value);
  }
  debye_intermediate_scattering_add_row_names(table, maker->scattering, n_times);
  debye_table_add_numbers(table, &time, n, values);
  add_column(table, "F_re", unit, n, values + n);
  add_column(table, "F_im", unit, n, values + 2 * n);
  for (gsize p = 0; p < maker->found->signals.n_partials; p++) {
    const DebyeScatteringSignals *signals = &maker->found->signals;
    g_autofree char *name = debye_scattering_name_partial(maker->scattering->plan, p);
    for (gsize i = 0; i < n; i++)
      values[i] = maker->factors[i / n_times] *
                  signals->partials[(p * signals->n_rows + i / n_times) * signals->n_times + i % n_times];
    add_column(table, name, unit, n, values);
  }
  return table;
}

/* --- Notes --- */

/* The coherent part takes molecules as the files have them, unless it is said: unwrapped ones would scatter
 * from outside the cell, less and less like the frame that I(q) is of. */
static void
add_unwrap_note(DebyeResult *result, const DebyeIntermediateScattering *scattering)
{
  const gboolean of_all = debye_scattering_frames_unwraps(scattering->frames, FALSE);
  if (of_all ||
      (!scattering->plan->with_coherent && debye_scattering_frames_unwraps(scattering->frames, TRUE)))
    debye_result_add_note(result, "Molecules are followed across the faces of the cell");
  else if (scattering->plan->with_incoherent && debye_scattering_frames_unwraps(scattering->frames, TRUE))
    debye_result_add_note(result, "Incoherent part: molecules are followed across the faces of the cell");
  debye_scattering_frames_add_notes(scattering->frames, result);
}

static void
add_notes(DebyeResult *result, const Maker *maker)
{
  const DebyeScatteringPlan *plan = maker->scattering->plan;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  debye_result_add_note_of(result, DEBYE_NOTE_CAPTION, get_label(maker->scattering), "F(q, τ): %s",
                           debye_scattering_norm_explain(plan));
  for (guint i = 0; i < plan->scatterers.notes->len; i++)
    debye_result_add_note(result, "%s", (const char *)g_ptr_array_index(plan->scatterers.notes, i));
  debye_result_copy_notes(result, plan->notes);
  if (maker->found->displacements.n_bins > 0) {
    g_ascii_formatd(number, sizeof number, "%.2g", maker->found->displacements.width);
    if (maker->found->displacements.offsets != NULL)
      debye_result_add_note(result,
                            "Incoherent part: exact average over orientations, displacements in bins of %s Å "
                            "with the mean of each",
                            number);
    else
      debye_result_add_note(
          result, "Incoherent part: exact average over orientations, displacements in bins of %s Å", number);
  }
  if (maker->scattering->by_transform)
    debye_result_add_note(
        result, "Coherent part: a nonuniform Fourier transform of each frame, amplitudes within %s of √(Σw²)",
        g_ascii_formatd(number, sizeof number, "%g", debye_scattering_lattice_tolerance(plan)));
  if (maker->scattering->input->ranks != NULL && maker->scattering->input->ranks->n_ranks > 1)
    debye_result_add_note(result, "Vectors and atoms were shared by %u processes",
                          maker->scattering->input->ranks->n_ranks);
  add_unwrap_note(result, maker->scattering);
  if (!(maker->scattering->step > 0.0))
    debye_result_add_note_of(result, DEBYE_NOTE_WARNING, NULL,
                             "the files don't state the time between frames: τ is in frames");
  debye_frame_choice_add_notes(&plan->frames, plan->frames.n_frames, result);
  if (maker->found->n_passes > 1)
    debye_result_add_note(result, "The trajectory was read %" G_GSIZE_FORMAT " times",
                          maker->found->n_passes);
}

static void
prepare(Maker *maker)
{
  double step = maker->scattering->step > 0.0 ? maker->scattering->step : 1.0;
  maker->factors = debye_scattering_row_factors(maker->scattering, maker->found->volume);
  maker->times = g_new(double, maker->found->n_times);
  for (gsize t = 0; t < maker->found->n_times; t++)
    maker->times[t] = debye_double_to_decimal(step * (double)t);
}

/* First what was asked for first: the spectrum's curves and table stand before F's. */
static gboolean
add_spectrum(DebyeResult *result, const Maker *maker, GError **error)
{
  const DebyeIntermediateScattering *scattering = maker->scattering;
  const DebyeIntermediateScatteringData *found = maker->found;
  g_auto(DebyeSpectrum) spectrum = {0};
  if (found->spectrum == NULL)
    return TRUE;
  if (!debye_spectrum_init(&spectrum, found->spectrum, found->signals.fqt, maker->factors, scattering->n_rows,
                           found->signals.n_times, found->n_times, scattering->step, error))
    return FALSE;
  debye_scattering_spectrum_add(result, scattering, &spectrum, found->spectrum);
  debye_scattering_sum_rules_add(result, scattering, &spectrum, found->spectrum, found->signals.fqt,
                                 found->signals.n_times, maker->factors);
  return TRUE;
}

static void
maker_clear(Maker *maker)
{
  g_free(maker->factors);
  g_free(maker->times);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Maker, maker_clear)

/* What the data decided for unset settings, in the result's own request. */
static void
set_effective_settings(DebyeRequest *request, const DebyeIntermediateScattering *scattering, gsize n_times,
                       double volume)
{
  /* Not said, both parts together go two ways: atoms are followed for the incoherent one alone. */
  const gboolean all = debye_scattering_frames_unwraps(scattering->frames, FALSE),
                 single = scattering->plan->with_incoherent &&
                          debye_scattering_frames_unwraps(scattering->frames, TRUE);
  debye_scattering_set_effective_settings(request, scattering->plan, volume);
  debye_request_set_effective_number(
      request, "lags", (double)(n_times - 1) * (scattering->step > 0.0 ? scattering->step : 1.0));
  debye_request_set_effective(request, "unwrap",
                              all || (single && !scattering->plan->with_coherent) ? "true"
                              : single                                            ? "incoherent part"
                                                                                  : "false");
}

DebyeResult *
debye_scattering_dynamic_result_new(const DebyeIntermediateScattering *scattering,
                                    const DebyeIntermediateScatteringData *found, GError **error)
{
  g_auto(Maker) maker = {.scattering = scattering, .found = found};
  g_autoptr(DebyeRequest) request = debye_request_copy(scattering->input->request);
  gboolean is_xray = scattering->plan->scatterers.probe == DEBYE_PROBE_XRAY;
  set_effective_settings(request, scattering, found->n_times, found->volume);
  g_autoptr(DebyeResult) result =
      debye_result_new(request, is_xray ? "X-ray scattering in time" : "Neutron scattering in time");
  prepare(&maker);
  if (!add_spectrum(result, &maker, error))
    return NULL;
  g_autoptr(DebyeTable) rows = make_row_table(&maker);
  g_autoptr(DebyeTable) times = make_time_table(&maker);
  add_time_curves(result, &maker);
  add_normalised_curves(result, &maker);
  add_row_curves(result, &maker);
  if (found->displacements.n_bins > 0)
    debye_scattering_displacements_add(result, scattering, &found->displacements, maker.times,
                                       found->n_times);
  add_matrix(result, &maker, DEBYE_SCATTERING_F_MATRIX, get_label(scattering), FALSE);
  g_autofree char *imaginary = g_strconcat("Im ", get_label(scattering), NULL);
  if (scattering->plan->rows_are_vectors)
    add_matrix(result, &maker, "fqt_imaginary", imaginary, TRUE);
  for (gsize p = 0; p < found->signals.n_partials; p++)
    add_partial(result, &maker, p);
  debye_result_add_table(result, found->as_rows ? rows : times);
  debye_result_add_table(result, found->as_rows ? times : rows);
  debye_scattering_result_add_weights(result, &scattering->plan->scatterers);
  debye_result_set_inputs(result, debye_dataset_get_paths(scattering->input->dataset));
  debye_result_set_wall_time(result, found->seconds);
  add_notes(result, &maker);
  return g_steal_pointer(&result);
}
