/* SPDX-License-Identifier: MIT */
/* Implementation of fit_run.h: reads the curves, fits what was asked for, and makes the result. */
#include "fit_run.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "fit_compare.h"
#include "fit_result.h"
#include "fit_settings.h"

#define AVOGADRO 6.02214076e23
#define MG_PER_ML 1e-3 /* g/cm³ */

typedef struct {
  DebyeFitSettings settings;
  DebyeFitRange range, guinier, power, porod; /* those that were given */
  double greatest;                            /* NAN: found */
  GArray *masks;
  DebyeResult *result;
  GArray *rows;
} Run;

static void
run_clear(Run *run)
{
  g_clear_pointer(&run->masks, g_array_unref);
  g_clear_pointer(&run->rows, g_array_unref);
  g_clear_object(&run->result);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Run, run_clear)

/* A curve that was read, and what of it counts. */
typedef struct {
  DebyeCurve *curve;
  DebyeFitPoints points, all; /* in the range of q, and also beyond it */
  const char *name, *unit;
  double absolute; /* what its intensity is to be multiplied with to be in cm⁻¹; NAN: in no such unit */
} Subject;

static void
subject_clear(Subject *subject)
{
  debye_fit_points_clear(&subject->points);
  debye_fit_points_clear(&subject->all);
  g_clear_object(&subject->curve);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Subject, subject_clear)

/* --- Settings --- */

/* A row of a form that was emptied. */
static void
drop_empty(DebyeFitSettings *settings)
{
  const char **texts[] = {
      &settings->curve_unit,   &settings->data,    &settings->data_unit, &settings->intensity_unit,
      &settings->data_columns, &settings->q_range, &settings->guinier,   &settings->power_law,
      &settings->porod,        &settings->pr};
  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
    if (*texts[i] != NULL && **texts[i] == '\0')
      *texts[i] = NULL;
}

static gboolean
is_found(const char *range)
{
  return g_strcmp0(range, DEBYE_FIT_FOUND) == 0;
}

static gboolean
parse_range(const char *text, const char *label, DebyeFitRange *range, GError **error)
{
  return text == NULL || is_found(text) || debye_fit_range_parse(text, label, range, error);
}

static gboolean
parse_greatest(Run *run, GError **error)
{
  const char *text = run->settings.pr;
  run->greatest = NAN;
  if (text == NULL || is_found(text) ||
      (debye_text_to_double(text, strlen(text), &run->greatest) && run->greatest > 0.0 &&
       isfinite(run->greatest)))
    return TRUE;
  return debye_error_set(error, DEBYE_ERROR_SETTING, "P(r): expected the largest distance in Å, found “%s”",
                         text);
}

static gboolean
parse_settings(Run *run, GError **error)
{
  const DebyeFitSettings *settings = &run->settings;
  run->range = (DebyeFitRange){0.0, INFINITY};
  run->masks = debye_fit_masks_parse(settings->mask, error);
  return run->masks != NULL && parse_range(settings->q_range, "Range of q", &run->range, error) &&
         parse_range(settings->guinier, "Guinier", &run->guinier, error) &&
         parse_range(settings->power_law, "Power law", &run->power, error) &&
         parse_range(settings->porod, "Porod", &run->porod, error) && parse_greatest(run, error);
}

static gboolean
has_fit(const DebyeFitSettings *settings)
{
  return settings->guinier != NULL || settings->kratky || settings->power_law != NULL ||
         settings->porod != NULL || settings->pr != NULL;
}

/* --- Curves --- */

static DebyeCurve *
load(const DebyeFitSettings *settings, const char *path, gboolean is_measured, GError **error)
{
  DebyeCurveColumns columns;
  if (!is_measured || settings->data_columns == NULL)
    return debye_curve_load(path, error);
  return debye_fit_columns_parse(settings->data_columns, &columns, error)
             ? debye_curve_load_columns(path, &columns, error)
             : NULL;
}

/* In Å⁻¹, by the unit that was given or that the file states. */
static DebyeCurve *
convert(DebyeCurve *curve, const char *given, const char *path, GError **error)
{
  g_autofree char *file = debye_error_name_file(path);
  g_autofree char *unit =
      debye_unit_canonical(given != NULL ? given : debye_curve_get_x_quantity(curve)->unit);
  double factor;
  if (*unit == '\0') {
    debye_error_set(error, DEBYE_ERROR_MISSING,
                    "%s doesn't state the unit of q: expected 1/A or 1/nm to be given (--data-unit, of a "
                    "computed curve beside --data --curve-unit)",
                    file);
    return NULL;
  }
  if (!debye_unit_get_factor(unit, "Å⁻¹", &factor)) {
    debye_error_set(error, DEBYE_ERROR_SETTING, "Unit of q: expected 1/A or 1/nm for %s, found “%s”", file,
                    unit);
    return NULL;
  }
  g_autoptr(DebyeCurve) in_unit = debye_curve_with_x_quantity(curve, "q", unit);
  return debye_curve_with_x_unit(in_unit, "Å⁻¹");
}

static void
warn_of_curve(Run *run, DebyeCurve *curve)
{
  const char *const *warnings = debye_curve_get_warnings(curve);
  for (; *warnings != NULL; warnings++)
    debye_result_add_note_of(run->result, DEBYE_NOTE_WARNING, NULL, "%s", *warnings);
}

static gboolean
set_unit(Subject *subject, const char *given, GError **error)
{
  double factor;
  g_autofree char *unit = given != NULL ? debye_unit_canonical(given) : NULL;
  subject->unit = g_intern_string(unit != NULL ? unit : debye_curve_get_y_quantity(subject->curve)->unit);
  const gboolean is_absolute = debye_unit_get_factor(subject->unit, "cm⁻¹", &factor);
  subject->absolute = is_absolute ? factor : (double)NAN;
  return given == NULL || is_absolute ||
         debye_error_set(error, DEBYE_ERROR_SETTING,
                         "Unit of the intensity: expected 1/cm or 1/m, found “%s”", given);
}

static void
set_resolution(Subject *subject, double part)
{
  DebyeFitPoints *points = &subject->points;
  if (isnan(part))
    return;
  g_free(points->width);
  points->width = g_new(double, points->n + 1);
  for (gsize i = 0; i < points->n; i++)
    points->width[i] = part * points->q[i];
}

static gboolean
subject_open(Subject *subject, Run *run, const char *path, gboolean is_measured, GError **error)
{
  const DebyeFitSettings *settings = &run->settings;
  g_autoptr(DebyeCurve) read = load(settings, path, is_measured, error);
  subject->curve = read != NULL
                       ? convert(read, is_measured ? settings->data_unit : settings->curve_unit, path, error)
                       : NULL;
  if (subject->curve == NULL)
    return FALSE;
  warn_of_curve(run, subject->curve);
  subject->name = debye_curve_get_name(subject->curve);
  if (!set_unit(subject, is_measured ? settings->intensity_unit : NULL, error) ||
      !debye_fit_points_init(&subject->points, subject->curve, &run->range, run->masks, error) ||
      !debye_fit_points_init(&subject->all, subject->curve, &(DebyeFitRange){0.0, INFINITY}, run->masks,
                             error))
    return FALSE;
  if (is_measured)
    set_resolution(subject, settings->data_resolution);
  return subject->points.n > 0 ||
         debye_error_set(error, DEBYE_ERROR_VALUE, "%s: expected points in the range of q, found none",
                         subject->name);
}

/* --- Fits --- */

static const DebyeFitRange *
choose_range(const char *text, const DebyeFitRange *given)
{
  return is_found(text) || text == NULL ? NULL : given;
}

/* Zimm's limit: M = I(0) N_A/(c (Δρ v)²) for I(0) in cm⁻¹ and c in g/cm³. */
static void
add_mass(const Run *run, const Subject *subject, DebyeFitRow *row)
{
  const DebyeFitSettings *settings = &run->settings;
  if (isnan(settings->concentration) || isnan(subject->absolute))
    return;
  const double factor =
      subject->absolute * AVOGADRO /
      (settings->concentration * MG_PER_ML * settings->mass_contrast * settings->mass_contrast);
  row->numbers[DEBYE_FIT_MASS] = factor * row->numbers[DEBYE_FIT_I0];
  row->numbers[DEBYE_FIT_MASS_ERROR] = factor * row->numbers[DEBYE_FIT_I0_ERROR];
}

static void
add_guinier(Run *run, const Subject *subject, const DebyeFitSubject *shown, const DebyeGuinierFit *fit)
{
  DebyeFitRow *row =
      debye_fit_rows_add(run->rows, "guinier", subject->name, &fit->range, fit->n, fit->chi_square);
  row->numbers[DEBYE_FIT_RG] = fit->radius;
  row->numbers[DEBYE_FIT_RG_ERROR] = fit->radius_error;
  row->numbers[DEBYE_FIT_I0] = fit->zero;
  row->numbers[DEBYE_FIT_I0_ERROR] = fit->zero_error;
  add_mass(run, subject, row);
  debye_fit_result_add_guinier(run->result, shown, fit);
}

/* Mass fractals scatter as q^−D, surface fractals as q^(D − 6) with 2 ≤ D ≤ 3. */
static gboolean
add_power(Run *run, const Subject *subject, const DebyeFitSubject *shown, GError **error)
{
  DebyePowerFit fit;
  if (!debye_fit_power(&subject->points, &run->power, &fit, error))
    return FALSE;
  DebyeFitRow *row =
      debye_fit_rows_add(run->rows, "power-law", subject->name, &fit.range, fit.n, fit.chi_square);
  row->numbers[DEBYE_FIT_D] = fit.exponent;
  row->numbers[DEBYE_FIT_D_ERROR] = fit.exponent_error;
  if (fit.exponent > 0.0 && fit.exponent <= 4.0) {
    const gboolean is_mass = fit.exponent <= 3.0;
    row->fractal = is_mass ? "mass" : "surface";
    row->numbers[DEBYE_FIT_DIMENSION] = is_mass ? fit.exponent : 6.0 - fit.exponent;
  }
  debye_fit_result_add_power(run->result, shown, &fit);
  return TRUE;
}

static gboolean
add_porod(Run *run, const Subject *subject, const DebyeFitSubject *shown, const DebyeGuinierFit *guinier,
          GError **error)
{
  DebyePorodFit fit;
  if (!debye_fit_porod(&subject->points, choose_range(run->settings.porod, &run->porod), guinier, &fit,
                       error))
    return FALSE;
  DebyeFitRow *row = debye_fit_rows_add(run->rows, "porod", subject->name, &fit.range, fit.n, fit.chi_square);
  row->numbers[DEBYE_FIT_POROD_CONSTANT] = fit.constant;
  row->numbers[DEBYE_FIT_POROD_ERROR] = fit.constant_error;
  row->numbers[DEBYE_FIT_INVARIANT] = fit.invariant;
  row->numbers[DEBYE_FIT_VOLUME] = fit.volume;
  row->numbers[DEBYE_FIT_VOLUME_ERROR] = fit.volume_error;
  row->numbers[DEBYE_FIT_SURFACE] = fit.surface_per_volume;
  row->numbers[DEBYE_FIT_BACKGROUND] = fit.background;
  debye_fit_result_add_porod(run->result, shown, &fit);
  return TRUE;
}

/* The first point is to be below the first minimum of what the largest distance scatters. */
static void
warn_of_distance(Run *run, const Subject *subject, const DebyeDistanceFit *fit)
{
  const double first = subject->points.q[0];
  if (!(fit->greatest * first > G_PI))
    return;
  debye_result_add_note_of(run->result, DEBYE_NOTE_WARNING, NULL,
                           "P(r), %s: the points begin at %.4g Å⁻¹ and determine only distances up to π/q = "
                           "%.4g Å, but D is %.4g Å",
                           subject->name, first, G_PI / first, fit->greatest);
}

static gboolean
add_distances(Run *run, const Subject *subject, const DebyeFitSubject *shown, const DebyeGuinierFit *guinier,
              GError **error)
{
  g_auto(DebyeDistanceFit) fit = {0};
  const DebyeFitPoints *points = &subject->points;
  if (!debye_fit_distances(points, guinier->radius, run->greatest, &fit, error))
    return FALSE;
  const DebyeFitRange range = {points->q[0], points->q[points->n - 1]};
  DebyeFitRow *row = debye_fit_rows_add(run->rows, "pr", subject->name, &range, points->n, fit.chi_square);
  row->numbers[DEBYE_FIT_RG] = fit.radius;
  row->numbers[DEBYE_FIT_RG_ERROR] = fit.radius_error;
  row->numbers[DEBYE_FIT_I0] = fit.zero;
  row->numbers[DEBYE_FIT_I0_ERROR] = fit.zero_error;
  row->numbers[DEBYE_FIT_D_MAX] = fit.greatest;
  row->numbers[DEBYE_FIT_D_MAX_ERROR] = isnan(run->greatest) ? fit.greatest_error : (double)NAN;
  add_mass(run, subject, row);
  if (!fit.has_errors)
    debye_result_add_note(
        run->result, "P(r), %s: the errors of some points are unknown; 1 %% of each intensity is assumed",
        subject->name);
  warn_of_distance(run, subject, &fit);
  debye_fit_result_add_distances(run->result, shown, &fit);
  return TRUE;
}

/* Guinier's law is also what Kratky's plot is normalised by and what Porod's invariant and a P(r) whose largest distance
 * is to be found begin from. */
static gboolean
fit_subject(Run *run, const Subject *subject, GError **error)
{
  const DebyeFitSettings *settings = &run->settings;
  const DebyeFitSubject shown = {subject->name, subject->unit, &subject->points, &subject->all};
  g_autoptr(GError) problem = NULL;
  DebyeGuinierFit guinier;
  const gboolean has_guinier =
      debye_fit_guinier(&subject->points, choose_range(settings->guinier, &run->guinier), &guinier, &problem);
  const gboolean has_distance = settings->pr == NULL || !isnan(run->greatest);
  if (!has_guinier && (settings->guinier != NULL || settings->porod != NULL || !has_distance)) {
    g_propagate_error(error, g_steal_pointer(&problem));
    return FALSE;
  }
  if (settings->guinier != NULL)
    add_guinier(run, subject, &shown, &guinier);
  if (settings->kratky)
    debye_fit_result_add_kratky(run->result, &shown, has_guinier ? &guinier : NULL);
  if (settings->kratky && !has_guinier)
    debye_result_add_note_of(run->result, DEBYE_NOTE_WARNING, NULL, "%s: Kratky's plot isn't normalised: %s",
                             subject->name, debye_error_get_message(problem));
  return (settings->power_law == NULL || add_power(run, subject, &shown, error)) &&
         (settings->porod == NULL || add_porod(run, subject, &shown, &guinier, error)) &&
         (settings->pr == NULL || add_distances(run, subject, &shown, &guinier, error));
}

static gboolean
fit_named(Run *run, const Subject *subject, GError **error)
{
  if (fit_subject(run, subject, error))
    return TRUE;
  debye_error_prefix(error, "%s: ", subject->name);
  return FALSE;
}

static gboolean
compare(Run *run, const Subject *model, const Subject *data, GError **error)
{
  DebyeCurveFit fit;
  const DebyeFitPoints *points = &data->points;
  g_autoptr(DebyeCurve) curve = NULL;
  if (!debye_fit_compare(model->curve, points, data->name, data->unit, &fit, &curve, error))
    return FALSE;
  const DebyeFitRange range = {points->q[0], points->q[points->n - 1]};
  DebyeFitRow *row =
      debye_fit_rows_add(run->rows, "scale", model->name, &range, fit.n_points, fit.chi_square);
  row->numbers[DEBYE_FIT_SCALE] = fit.scale;
  row->numbers[DEBYE_FIT_BACKGROUND] = fit.background;
  g_autofree char *name = g_strdup_printf("%s comparison", data->name);
  g_autoptr(DebyeCurve) measured =
      debye_curve_new(name, debye_curve_get_x_quantity(curve), debye_curve_get_y_quantity(curve),
                      DEBYE_CURVE_MARKERS, points->n, points->q, points->intensity, points->error);
  g_autofree char *model_name = g_strdup_printf("%s comparison", model->name);
  g_autoptr(DebyeCurve) shown = debye_curve_with_name(curve, model_name);
  debye_curve_set_of(measured, data->name);
  debye_curve_set_of(shown, model->name);
  debye_result_add_curve(run->result, measured);
  debye_result_add_curve(run->result, shown);
  return TRUE;
}

/* --- The run --- */

static gboolean
check(const Run *run, const char *path, GError **error)
{
  const DebyeFitSettings *settings = &run->settings;
  if (path == NULL && settings->data == NULL)
    return debye_error_set(error, DEBYE_ERROR_MISSING, "Measured curve: expected a curve to fit, found none");
  if (!has_fit(settings) && (path == NULL || settings->data == NULL))
    return debye_error_set(
        error, DEBYE_ERROR_MISSING,
        "Guinier: expected a fit (Guinier, Kratky, power law, Porod or P(r)) to be asked for, found none");
  return TRUE;
}

/* A mass that can't be had is said before anything else. */
static gboolean
check_scale(const Run *run, const Subject *subject, GError **error)
{
  if (isnan(run->settings.concentration) || subject->curve == NULL || !isnan(subject->absolute))
    return TRUE;
  return debye_error_set(error, DEBYE_ERROR_MISSING,
                         "Unit of the intensity: expected an absolute one (1/cm) of %s, which the molecular "
                         "mass needs, found none",
                         subject->name);
}

static gboolean
fit_all(Run *run, const char *path, GError **error)
{
  g_auto(Subject) curve = {0}, data = {0};
  const Subject *of_mass = run->settings.data != NULL ? &data : &curve;
  const char *measured = run->settings.data;
  if ((path != NULL && !subject_open(&curve, run, path, measured == NULL, error)) ||
      (measured != NULL && !subject_open(&data, run, measured, TRUE, error)) ||
      !check_scale(run, of_mass, error))
    return FALSE;
  if (path != NULL && measured != NULL && !compare(run, &curve, &data, error))
    return FALSE;
  const Subject *subjects[] = {path != NULL ? &curve : NULL, measured != NULL ? &data : NULL};
  for (gsize i = 0; i < G_N_ELEMENTS(subjects); i++)
    if (subjects[i] != NULL && has_fit(&run->settings) && !fit_named(run, subjects[i], error))
      return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS(subjects); i++)
    if (subjects[i] != NULL)
      debye_fit_result_add_intensity(
          run->result,
          &(DebyeFitSubject){subjects[i]->name, subjects[i]->unit, &subjects[i]->points, &subjects[i]->all});
  debye_fit_result_add_table(run->result, run->rows, of_mass->unit);
  return TRUE;
}

DebyeResult *
debye_fit_run(DebyeRequest *request, const char *path, GError **error)
{
  g_return_val_if_fail(DEBYE_IS_REQUEST(request), NULL);
  g_auto(Run)
      run = {.rows = debye_fit_rows_new(), .result = debye_result_new(request, debye_fit_table.title)};
  const gint64 begin = g_get_monotonic_time();
  debye_request_fill(request, &run.settings);
  drop_empty(&run.settings);
  if (!check(&run, path, error) || !parse_settings(&run, error) || !fit_all(&run, path, error))
    return NULL;
  debye_result_set_inputs(run.result, (const char *const[]){path, NULL});
  debye_result_set_wall_time(run.result, 1e-6 * (double)(g_get_monotonic_time() - begin));
  return g_steal_pointer(&run.result);
}
