/* SPDX-License-Identifier: MIT */
/* Makes the curves, tables and notes of mean square displacements; called by msd_analysis.c. */
#include "msd_result.h"

#include <math.h>

#include "app/analysis/driver/frame_times.h"
#include "data/files/float_text.h"
#include "data/messages/message.h"
#include "msd_plan.h"
#include "msd_settings.h"
#include "msd_statistic.h"

/* --- The diffusion coefficient --- */

/* Einstein's relation MSD = 6Dτ + c by a straight line over a range of τ, unweighted, its error from the lines of blocks, and
 * the correction for the size of a cubic cell (Yeh & Hummer, J. Phys. Chem. B 108 (2004) 15873):
 *
 *   D∞ = D + ξ kT/(6πηL),   ξ = 2.837297 */
typedef struct {
  double step;       /* between lags: ps, or 1 frame */
  gsize first, last; /* lags of the line */
  double d, error;   /* Å²/ps (or Å²/frame); NAN: not known */
  double offset;     /* Å², c */
  double correction; /* Å²/ps, of D∞; NAN: none */
} Diffusion;

/* Of the longest lag: the line's usual range. Before it motion is not yet diffusive, behind it there are few
 * independent displacements. */
#define USUAL_FIRST 0.1
#define USUAL_LAST 0.5

#define XI 2.837297               /* of a cubic lattice */
#define BOLTZMANN 1.380649e-23    /* J/K */
#define SQUARE_METRE_A_SECOND 1e8 /* in Å²/ps */

/* The slope of the least squares line through y[first … last] over their index, and where it meets index 0.
 * FALSE with fewer than two values. */
static gboolean
fit_line(const double *y, gsize first, gsize last, double *slope, double *offset)
{
  const double n = (double)(last - first + 1), middle = 0.5 * (double)(first + last);
  double mean = 0.0, products = 0.0, squares = 0.0;
  if (last <= first)
    return FALSE;
  for (gsize i = first; i <= last; i++)
    mean += y[i] / n;
  for (gsize i = first; i <= last; i++) {
    const double x = (double)i - middle;
    products += x * (y[i] - mean);
    squares += x * x;
  }
  *slope = products / squares;
  *offset = mean - *slope * middle;
  return isfinite(*slope);
}

/* ξ kT/(6πηL) in Å²/ps, of K, mPa·s and Å. */
static double
find_size_correction(double temperature, double viscosity, double length)
{
  return XI * BOLTZMANN * temperature / (6.0 * G_PI * viscosity * 1e-3 * length * 1e-10) *
         SQUARE_METRE_A_SECOND;
}

/* The lags whose times are in the range, ends included. */
static void
find_range(Diffusion *diffusion, const DebyeMsdPlan *plan, gsize n_lags)
{
  const double longest = diffusion->step * (double)(n_lags - 1);
  const double begin = plan->has_fit ? plan->fit[0] : USUAL_FIRST * longest;
  const double end = plan->has_fit ? plan->fit[1] : USUAL_LAST * longest;
  diffusion->first = (gsize)ceil(begin / diffusion->step - 1e-6);
  diffusion->last = MIN((gsize)floor(end / diffusion->step + 1e-6), n_lags - 1);
  /* Of a few frames all that there is. */
  if (!plan->has_fit && diffusion->last < diffusion->first + 1) {
    diffusion->first = MIN(diffusion->first, n_lags - 2);
    diffusion->last = diffusion->first + 1;
  }
}

/* Of a block that is shorter than the line's end the same parts of its own lags. */
static double
fit_block(const Diffusion *diffusion, const DebyeMsdStatistic *statistic, gsize block)
{
  const double *y = statistic->blocks + block * statistic->n_block_lags;
  gsize first = diffusion->first, last = diffusion->last;
  double slope, offset;
  if (last >= statistic->n_block_lags) {
    const double part = (double)(statistic->n_block_lags - 1) / (double)(statistic->n_lags - 1);
    first = (gsize)ceil(part * (double)first);
    last = (gsize)floor(part * (double)last);
  }
  return fit_line(y, first, last, &slope, &offset) ? slope / (6.0 * diffusion->step) : NAN;
}

/* `step` ps, or 0: lags count frames. `length` Å, the mean edge of the cells. */
static Diffusion
find_diffusion(const DebyeMsdPlan *plan, const DebyeMsdStatistic *statistic, double step, double length)
{
  Diffusion diffusion = {
      .step = step > 0.0 ? step : 1.0, .d = NAN, .error = NAN, .offset = NAN, .correction = NAN};
  g_autofree double *d = g_new(double, MAX(statistic->n_blocks, 1));
  double slope;
  if (statistic->n_lags < 2)
    return diffusion;
  find_range(&diffusion, plan, statistic->n_lags);
  if (!fit_line(statistic->msd, diffusion.first, diffusion.last, &slope, &diffusion.offset))
    return diffusion;
  diffusion.d = slope / (6.0 * diffusion.step);
  for (gsize block = 0; block < statistic->n_blocks; block++)
    d[block] = fit_block(&diffusion, statistic, block);
  diffusion.error = debye_msd_standard_error(d, statistic->n_blocks, 1);
  if (plan->settings.viscosity > 0.0 && length > 0.0)
    diffusion.correction = find_size_correction(plan->settings.temperature, plan->settings.viscosity, length);
  return diffusion;
}

/* 1 Å²/ps = 10·10⁻⁹ m²/s */
#define NANO_SQUARE_METRES 10.0

static const DebyeQuantity msd_quantity = {"msd", "MSD", "Å²"};
static const DebyeQuantity alpha2_quantity = {"alpha2", "α₂", NULL};

typedef struct {
  const DebyeMsdPlan *plan;
  const DebyeMsdPaths *paths;
  const DebyeMsdStatistic *statistic;
  Diffusion diffusion;
  double *times;
  DebyeQuantity time;
} Maker;

/* A number of a note. */
typedef char Number[G_ASCII_DTOSTR_BUF_SIZE];

static const char *
format(Number text, const char *form, double value)
{
  return g_ascii_formatd(text, sizeof(Number), form, value);
}

static gboolean
has_times(const Maker *maker)
{
  return maker->plan->step > 0.0;
}

/* --- Curves --- */

static void
add_curve(DebyeResult *result, const Maker *maker, const char *name, const DebyeQuantity *y, gsize first,
          gsize n, const double *values, const double *errors)
{
  g_autoptr(DebyeCurve) curve = debye_curve_new(name, &maker->time, y, DEBYE_CURVE_LINE, n,
                                                maker->times + first, values + first, errors);
  debye_result_add_curve(result, curve);
}

/* The straight line over its range. */
static void
add_line(DebyeResult *result, const Maker *maker)
{
  const Diffusion *diffusion = &maker->diffusion;
  if (!isfinite(diffusion->d))
    return;
  g_autofree double *line = g_new(double, diffusion->last + 1);
  for (gsize i = diffusion->first; i <= diffusion->last; i++)
    line[i] = 6.0 * diffusion->d * diffusion->step * (double)i + diffusion->offset;
  add_curve(result, maker, "6Dτ + c", &msd_quantity, diffusion->first, diffusion->last - diffusion->first + 1,
            line, NULL);
}

static void
add_curves(DebyeResult *result, const Maker *maker)
{
  const DebyeMsdStatistic *statistic = maker->statistic;
  add_curve(result, maker, N_("mean square displacement"), &msd_quantity, 0, statistic->n_lags,
            statistic->msd, statistic->n_known > 1 ? statistic->errors : NULL);
  add_line(result, maker);
  add_curve(result, maker, N_("non-Gaussian parameter"), &alpha2_quantity, 0, statistic->n_lags,
            statistic->alpha2, NULL);
}

/* --- Tables --- */

static void
add_table(DebyeResult *result, const Maker *maker)
{
  const DebyeMsdStatistic *statistic = maker->statistic;
  g_autoptr(DebyeTable) table = debye_table_new("msd");
  debye_table_add_numbers(table, &maker->time, statistic->n_lags, maker->times);
  debye_table_add_numbers(table, &msd_quantity, statistic->n_lags, statistic->msd);
  debye_table_add_numbers(table, &(DebyeQuantity){"msd_error", "msd_error", "Å²"}, statistic->n_lags,
                          statistic->errors);
  debye_table_add_numbers(table, &alpha2_quantity, statistic->n_lags, statistic->alpha2);
  debye_result_add_table(result, table);
}

static void
add_number(DebyeTable *table, const char *name, const char *label, const char *unit, double value)
{
  debye_table_add_numbers(table, &(DebyeQuantity){name, label, unit}, 1, &value);
}

/* The summary in the header of the CSV file. */
static void
add_summary(DebyeResult *result, const Maker *maker)
{
  const Diffusion *diffusion = &maker->diffusion;
  const char *unit = has_times(maker) ? "Å²/ps" : "Å²/frame";
  g_autoptr(DebyeTable) table = debye_table_new(DEBYE_TABLE_OF_SUMMARY);
  add_number(table, "D", "D", unit, diffusion->d);
  add_number(table, "D_error", "error of D", unit, diffusion->error);
  if (isfinite(diffusion->correction)) {
    add_number(table, "D_infinity", "D∞", unit, diffusion->d + diffusion->correction);
    add_number(table, "D_infinity_error", "error of D∞", unit, diffusion->error);
    add_number(table, "cell_length", "L", "Å", maker->paths->length);
  }
  add_number(table, "fit_begin", "from", maker->time.unit, diffusion->step * (double)diffusion->first);
  add_number(table, "fit_end", "to", maker->time.unit, diffusion->step * (double)diffusion->last);
  debye_result_add_table(result, table);
}

/* --- Notes --- */

/* Slow atoms have a smaller unit, in which D has few zeros. */
static const char *
choose_unit(const Maker *maker, double *factor)
{
  static const char *const units[][2] = {
      {"Å²/frame", "× 10⁻⁹ m²/s"}, {"× 10⁻³ Å²/frame", "× 10⁻¹² m²/s"}, {"× 10⁻⁶ Å²/frame", "× 10⁻¹⁵ m²/s"}};
  const double d = fabs(maker->diffusion.d);
  gsize i = 0;
  *factor = has_times(maker) ? NANO_SQUARE_METRES : 1.0;
  for (; i + 1 < G_N_ELEMENTS(units) && d > 0.0 && *factor * d < 0.01; i++)
    *factor *= 1e3;
  return units[i][has_times(maker)];
}

static void
add_diffusion_note(DebyeResult *result, const Maker *maker)
{
  const Diffusion *diffusion = &maker->diffusion;
  Number d, begin, end;
  double factor;
  const char *unit = choose_unit(maker, &factor);
  if (!isfinite(diffusion->d)) {
    debye_result_add_note_of(result, DEBYE_NOTE_WARNING, NULL,
                             "D is not known: fewer than two times lie in the fit range");
    return;
  }
  format(d, "%.4g", factor * diffusion->d);
  format(begin, "%.4g", diffusion->step * (double)diffusion->first);
  format(end, "%.4g", diffusion->step * (double)diffusion->last);
  if (isfinite(diffusion->error)) {
    Number error;
    debye_result_add_note_of(
        result, DEBYE_NOTE_CAPTION, "MSD", "MSD: D = (%s ± %s) %s, by a straight line from %s to %s %s", d,
        format(error, "%.2g", factor * diffusion->error), unit, begin, end, maker->time.unit);
  } else {
    debye_result_add_note_of(result, DEBYE_NOTE_CAPTION, "MSD",
                             "MSD: D = %s %s, by a straight line from %s to %s %s", d, unit, begin, end,
                             maker->time.unit);
  }
}

static void
add_correction_note(DebyeResult *result, const Maker *maker)
{
  const DebyeMsdPlan *plan = maker->plan;
  const Diffusion *diffusion = &maker->diffusion;
  Number d, part, length, viscosity, temperature;
  if (!isfinite(diffusion->correction))
    return;
  debye_result_add_note_of(
      result, DEBYE_NOTE_CAPTION, "MSD",
      "MSD: D∞ = %s × 10⁻⁹ m²/s, with %s × 10⁻⁹ m²/s for the size of the cell (Yeh & Hummer 2004: L = %s Å, "
      "η = %s mPa·s, T = %s K)",
      format(d, "%.4g", NANO_SQUARE_METRES * (diffusion->d + diffusion->correction)),
      format(part, "%.3g", NANO_SQUARE_METRES * diffusion->correction),
      format(length, "%.5g", maker->paths->length), format(viscosity, "%g", plan->settings.viscosity),
      format(temperature, "%g", plan->settings.temperature));
}

static void
add_error_note(DebyeResult *result, const Maker *maker)
{
  const DebyeMsdStatistic *statistic = maker->statistic;
  if (statistic->n_known < 2)
    return;
  if (statistic->of_frames)
    debye_result_add_note(result, "Standard errors from %" G_GSIZE_FORMAT " blocks of frames",
                          statistic->n_known);
  else
    debye_result_add_note(result, "Standard errors from %" G_GSIZE_FORMAT " groups of centres",
                          statistic->n_known);
}

static void
add_centre_notes(DebyeResult *result, const Maker *maker)
{
  static const char *const words[] = {"atoms", "residues", "molecules"};
  const DebyeMsdPlan *plan = maker->plan;
  debye_result_add_note(result, "Atoms “%s”: %u%s", plan->settings.select, plan->atoms->len,
                        plan->is_dynamic ? " in the first frame; followed in all" : "");
  if (plan->shares != NULL)
    debye_result_add_note(result, "Centres of mass of %s: %" G_GSIZE_FORMAT, words[plan->settings.centres],
                          maker->statistic->n_centres);
  if (plan->n_massless > 0)
    debye_result_add_note_of(result, DEBYE_NOTE_WARNING, NULL,
                             "atoms without a mass don't count in the centres: %" G_GSIZE_FORMAT,
                             plan->n_massless);
  if (plan->unwraps)
    debye_result_add_note(result, "Atoms are followed across the faces of the cell");
}

static void
add_time_notes(DebyeResult *result, const Maker *maker)
{
  const DebyeMsdPaths *paths = maker->paths;
  Number step;
  if (!has_times(maker))
    debye_result_add_note_of(result, DEBYE_NOTE_WARNING, NULL,
                             "the files don't state the time between frames: τ is in frames");
  if (paths->n_anew > 0)
    debye_result_add_note(result, DEBYE_NOTE_CLOCK, paths->n_anew, paths->first_anew,
                          format(step, "%.6g", paths->step));
  if (paths->n_repeated > 0)
    debye_result_add_note(result,
                          "Times: frames at the same time as the one before are left out: %" G_GSIZE_FORMAT
                          ", the first is frame %" G_GSIZE_FORMAT,
                          paths->n_repeated, paths->first_repeated);
}

static void
add_notes(DebyeResult *result, const Maker *maker, gsize n_frames)
{
  add_diffusion_note(result, maker);
  add_correction_note(result, maker);
  add_centre_notes(result, maker);
  add_time_notes(result, maker);
  debye_frame_choice_add_notes(&maker->plan->frames, n_frames, result);
  add_error_note(result, maker);
}

/* --- The whole --- */

static void
set_effective_settings(DebyeRequest *request, const Maker *maker)
{
  const Diffusion *diffusion = &maker->diffusion;
  Number begin, end;
  debye_request_set_effective_number(request, "lags",
                                     diffusion->step * (double)(maker->statistic->n_lags - 1));
  g_autofree char *fit =
      g_strdup_printf("%s:%s", format(begin, "%.10g", diffusion->step * (double)diffusion->first),
                      format(end, "%.10g", diffusion->step * (double)diffusion->last));
  if (isfinite(diffusion->d))
    debye_request_set_effective(request, "fit", fit);
}

DebyeResult *
debye_msd_result_new(const DebyeRunInput *input, const DebyeMsdPlan *plan, const DebyeMsdPaths *paths,
                     gsize n_frames, const DebyeMsdStatistic *statistic)
{
  g_autoptr(DebyeRequest) request = debye_request_copy(input->request);
  g_autofree double *times = g_new(double, statistic->n_lags);
  const Maker maker = {.plan = plan,
                       .paths = paths,
                       .statistic = statistic,
                       .diffusion = find_diffusion(plan, statistic, paths->step, paths->length),
                       .times = times,
                       .time = {"tau", "τ", debye_msd_plan_time_unit(plan)}};
  for (gsize lag = 0; lag < statistic->n_lags; lag++)
    times[lag] = debye_double_to_decimal(maker.diffusion.step * (double)lag);
  set_effective_settings(request, &maker);
  DebyeResult *result = debye_result_new(request, debye_msd_settings.title);
  add_curves(result, &maker);
  add_table(result, &maker);
  add_summary(result, &maker);
  debye_result_set_inputs(result, debye_dataset_get_paths(input->dataset));
  add_notes(result, &maker, n_frames);
  return result;
}
