/* SPDX-License-Identifier: MIT */
/* Turns counts of pairs into curves, a table and notes; called by rdf_run.c. */
#include "rdf_result.h"

#include <math.h>
#include <string.h>

#include "geometric_factor.h"
#include "rdf_peaks.h"
#include "rdf_structure.h"
#include "data/messages/message.h"

#define GAS_CONSTANT 0.00831446261815324 /* kJ/(mol·K) */

/* Frames: the estimate from a few blocks is no better than that. */
#define INDEPENDENT 1.5

static const DebyeQuantity distance = {"r", "r", "Å"};
static const DebyeQuantity distribution = {"g", "g(r)", NULL};
static const DebyeQuantity divided = {"g_divided", "g(r)/f(r)", NULL};
static const DebyeQuantity coordination = {"coordination", "n(r)", NULL};
static const DebyeQuantity radial = {"radial_distribution", "4πr²ρg(r)", "Å⁻¹"};
static const DebyeQuantity mean_force = {"mean_force_potential", "w(r)", "kJ/mol"};
static const DebyeQuantity probability = {"probability", "P(r)", "Å⁻¹"};

#define GEOMETRIC_FACTOR "geometric factor f(r)" /* the curve's name */

/* The middles and the ends of the bins. */
typedef struct {
  gsize n;
  double *middle, *low, *high;
  double *factor; /* geometric; NULL: not asked for */
  double factor_error;
} Bins;

static void
bins_clear(Bins *bins)
{
  g_free(bins->middle);
  g_free(bins->low);
  g_free(bins->high);
  g_free(bins->factor);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Bins, bins_clear)

static void
bins_init(Bins *bins, const DebyeRdfPlan *plan)
{
  bins->n = plan->n_bins;
  bins->middle = g_new(double, bins->n);
  bins->low = g_new(double, bins->n);
  bins->high = g_new(double, bins->n);
  for (gsize k = 0; k < bins->n; k++) {
    /* k·R/n is the nearest double to what a person would write, k·Δr often is not. */
    bins->low[k] = plan->r_max * (double)k / (double)bins->n;
    bins->middle[k] = plan->r_max * ((double)k + 0.5) / (double)bins->n;
    bins->high[k] = plan->r_max * (double)(k + 1) / (double)bins->n;
  }
}

/* The geometric factor of each bin for the mean cell. */
static void
bins_find_factor(Bins *bins, const DebyeRdfCounted *counted)
{
  const double *sums = counted->cell_sums, n = (double)counted->n_frames;
  const DebyeCell mean = {debye_vec3(sums[0] / n, sums[1] / n, sums[2] / n),
                          debye_vec3(sums[3] / n, sums[4] / n, sums[5] / n),
                          debye_vec3(sums[6] / n, sums[7] / n, sums[8] / n)};
  if (!counted->plan->settings.geometric_factor)
    return;
  bins->factor = g_new(double, bins->n);
  bins->factor_error = debye_geometric_factor_fill(&mean, bins->high[0], bins->n, bins->factor);
}

/* Whether a selection is paired with itself: its counts are then of unordered pairs. */
static gboolean
is_self(const DebyeRdfPair *pair)
{
  return pair->a == pair->b;
}

static double *
get_counts(const DebyeRdfStatistic *statistic, const DebyeRdfPair *pair, gsize n)
{
  const guint64 *ordered = debye_rdf_statistic_get_ordered(statistic);
  double *counts = g_new(double, n);
  for (gsize k = 0; k < n; k++)
    counts[k] = (double)(is_self(pair) ? ordered[k] / 2 : ordered[k]);
  return counts;
}

static gboolean
has_g(const DebyeRdfStatistic *statistic)
{
  g_autofree double *g = debye_rdf_statistic_get_g(statistic);
  return isfinite(g[0]);
}

/* --- Curves --- */

static void
add_curve(DebyeResult *result, const char *pair, const char *what, const DebyeQuantity *y, gsize n,
          const double *x, const double *values, const double *errors)
{
  g_autofree char *name = what != NULL ? g_strdup_printf("%s %s", pair, what) : g_strdup(pair);
  g_autoptr(DebyeCurve) curve = debye_curve_new(name, &distance, y, DEBYE_CURVE_LINE, n, x, values, errors);
  debye_curve_set_of(curve, what != NULL ? pair : NULL);
  debye_result_add_curve(result, curve);
}

static void
add_distribution(DebyeResult *result, const DebyeRdfStatistic *statistic, const DebyeRdfPair *pair,
                 const Bins *bins)
{
  g_autofree double *g = debye_rdf_statistic_get_g(statistic);
  g_autofree double *errors = debye_rdf_statistic_get_errors(statistic);
  add_curve(result, pair->name, NULL, &distribution, bins->n, bins->middle, g,
            debye_rdf_statistic_get_blocks(statistic)->n_whole >= 2 ? errors : NULL);
}

static void
add_coordination(DebyeResult *result, const DebyeRdfStatistic *statistic, const DebyeRdfPair *pair,
                 const Bins *bins)
{
  g_autofree double *numbers = debye_rdf_statistic_get_coordination(statistic);
  add_curve(result, pair->name, "coordination", &coordination, bins->n, bins->high, numbers, NULL);
}

/* dn/dr, which for g from volumes is 4πr²ρg. */
static void
add_radial(DebyeResult *result, const DebyeRdfStatistic *statistic, const DebyeRdfPair *pair,
           const Bins *bins)
{
  g_autofree double *numbers = debye_rdf_statistic_get_coordination(statistic);
  double width = bins->high[0];
  for (gsize k = bins->n - 1; k > 0; k--)
    numbers[k] = (numbers[k] - numbers[k - 1]) / width;
  numbers[0] /= width;
  add_curve(result, pair->name, "radial distribution", &radial, bins->n, bins->middle, numbers, NULL);
}

static void
add_mean_force(DebyeResult *result, const DebyeRdfStatistic *statistic, const DebyeRdfPair *pair,
               const Bins *bins, double temperature)
{
  g_autofree double *g = debye_rdf_statistic_get_g(statistic);
  for (gsize k = 0; k < bins->n; k++)
    g[k] = g[k] > 0.0 ? -GAS_CONSTANT * temperature * log(g[k]) : NAN;
  add_curve(result, pair->name, "mean force potential", &mean_force, bins->n, bins->middle, g, NULL);
}

/* What there is without a volume: how the distances are distributed, out of all that were counted. */
static void
add_probability(DebyeResult *result, const DebyeRdfStatistic *statistic, const DebyeRdfPair *pair,
                const Bins *bins)
{
  g_autofree double *counts = get_counts(statistic, pair, bins->n);
  double sum = 0.0;
  for (gsize k = 0; k < bins->n; k++)
    sum += counts[k];
  for (gsize k = 0; k < bins->n; k++)
    counts[k] = sum > 0.0 ? counts[k] / sum / bins->high[0] : 0.0;
  add_curve(result, pair->name, "distances", &probability, bins->n, bins->middle, counts, NULL);
}

static void
add_divided(DebyeResult *result, const DebyeRdfStatistic *statistic, const DebyeRdfPair *pair,
            const Bins *bins)
{
  g_autofree double *g = debye_rdf_statistic_get_g(statistic);
  g_autofree double *errors = debye_rdf_statistic_get_errors(statistic);
  for (gsize k = 0; k < bins->n; k++) {
    const double factor = bins->factor[k];
    g[k] = factor > 0.0 ? g[k] / factor : NAN;
    errors[k] = factor > 0.0 ? errors[k] / factor : NAN;
  }
  add_curve(result, pair->name, "divided by the geometric factor", &divided, bins->n, bins->middle, g,
            debye_rdf_statistic_get_blocks(statistic)->n_whole >= 2 ? errors : NULL);
}

/* As g(r): that of an ideal gas, over which the others stand. */
static void
add_geometric_factor(DebyeResult *result, const Bins *bins)
{
  if (bins->factor != NULL)
    add_curve(result, GEOMETRIC_FACTOR, NULL, &distribution, bins->n, bins->middle, bins->factor, NULL);
}

/* One quantity of all pairs after the other: a plot of the first quantity has the first curves. */
static void
add_curves(DebyeResult *result, const DebyeRdfCounted *counted, const Bins *bins)
{
  const DebyeRdfPlan *plan = counted->plan;
  double temperature = plan->settings.temperature;
  enum { DISTRIBUTION, COORDINATION, RADIAL, MEAN_FORCE, PROBABILITY, DIVIDED, N_KINDS };
  for (int kind = 0; kind < N_KINDS; kind++) {
    for (guint i = 0; i < plan->pairs->len; i++) {
      const DebyeRdfStatistic *statistic = g_ptr_array_index(counted->statistics, i);
      const DebyeRdfPair *pair = &g_array_index(plan->pairs, DebyeRdfPair, i);
      gboolean knows_g = has_g(statistic);
      if (kind == DISTRIBUTION && knows_g)
        add_distribution(result, statistic, pair, bins);
      else if (kind == COORDINATION)
        add_coordination(result, statistic, pair, bins);
      else if (kind == RADIAL)
        add_radial(result, statistic, pair, bins);
      else if (kind == MEAN_FORCE && knows_g)
        add_mean_force(result, statistic, pair, bins, temperature);
      else if (kind == PROBABILITY)
        add_probability(result, statistic, pair, bins);
      else if (kind == DIVIDED && knows_g && bins->factor != NULL)
        add_divided(result, statistic, pair, bins);
    }
    if (kind == DISTRIBUTION)
      add_geometric_factor(result, bins);
  }
}

/* --- The table --- */

static void
add_column(DebyeTable *table, const char *prefix, const char *name, const char *unit, gsize n,
           const double *values)
{
  g_autofree char *full = g_strdup_printf("%s%s", prefix, name);
  const DebyeQuantity quantity = {full, full, unit};
  debye_table_add_numbers(table, &quantity, n, values);
}

static void
add_pair_columns(DebyeTable *table, const DebyeRdfStatistic *statistic, const DebyeRdfPair *pair,
                 const char *prefix, gsize n)
{
  g_autofree double *counts = get_counts(statistic, pair, n);
  g_autofree double *g = debye_rdf_statistic_get_g(statistic);
  g_autofree double *errors = debye_rdf_statistic_get_errors(statistic);
  g_autofree double *numbers = debye_rdf_statistic_get_coordination(statistic);
  add_column(table, prefix, "count", NULL, n, counts);
  add_column(table, prefix, "g", NULL, n, g);
  add_column(table, prefix, "g_error", NULL, n, errors);
  add_column(table, prefix, "coordination", NULL, n, numbers);
}

static void
add_table(DebyeResult *result, const DebyeRdfCounted *counted, const Bins *bins)
{
  const GArray *pairs = counted->plan->pairs;
  g_autoptr(DebyeTable) table = debye_table_new("counts");
  add_column(table, "", "r_low", "Å", bins->n, bins->low);
  add_column(table, "", "r_high", "Å", bins->n, bins->high);
  for (guint i = 0; i < pairs->len; i++) {
    const DebyeRdfPair *pair = &g_array_index(pairs, DebyeRdfPair, i);
    g_autofree char *prefix = pairs->len > 1 ? g_strconcat(pair->name, ".", NULL) : g_strdup("");
    add_pair_columns(table, g_ptr_array_index(counted->statistics, i), pair, prefix, bins->n);
  }
  if (bins->factor != NULL)
    add_column(table, "", "geometric_factor", NULL, bins->n, bins->factor);
  debye_result_add_table(result, table);
}

/* --- Peaks --- */

#define MAX_PEAKS 4 /* of a pair: a liquid shows three */

typedef struct {
  const char *pair;
  DebyeRdfPeak peak;
} Shell;

static GArray *
find_shells(const DebyeRdfCounted *counted)
{
  const DebyeRdfPlan *plan = counted->plan;
  GArray *shells = g_array_new(FALSE, FALSE, sizeof(Shell));
  for (guint i = 0; i < plan->pairs->len; i++) {
    const DebyeRdfStatistic *statistic = g_ptr_array_index(counted->statistics, i);
    g_autofree double *g = debye_rdf_statistic_get_g(statistic);
    g_autofree double *numbers = debye_rdf_statistic_get_coordination(statistic);
    const DebyeRdfPair *pair = &g_array_index(plan->pairs, DebyeRdfPair, i);
    g_autofree double *noise = debye_rdf_statistic_get_noise(statistic, is_self(pair));
    DebyeRdfPeak peaks[MAX_PEAKS];
    gsize n = debye_rdf_find_peaks(g, noise, numbers, plan->n_bins, plan->width, peaks, MAX_PEAKS);
    for (gsize k = 0; k < n; k++) {
      Shell shell = {pair->name, peaks[k]};
      g_array_append_val(shells, shell);
    }
  }
  return shells;
}

static void
add_peaks(DebyeResult *result, const DebyeRdfCounted *counted)
{
  static const DebyeQuantity quantities[4] = {{"position", "peak", "Å"},
                                              {"height", "g at the peak", NULL},
                                              {"end", "next minimum", "Å"},
                                              {"coordination", "neighbours up to it", NULL}};
  g_autoptr(GArray) shells = find_shells(counted);
  g_autofree const char **names = g_new0(const char *, shells->len + 1);
  g_autofree double *values = g_new(double, 4 * shells->len + 1);
  if (shells->len == 0)
    return;
  for (guint i = 0; i < shells->len; i++) {
    const Shell *shell = &g_array_index(shells, Shell, i);
    names[i] = shell->pair;
    values[i] = shell->peak.position;
    values[shells->len + i] = shell->peak.height;
    values[2 * shells->len + i] = shell->peak.end;
    values[3 * shells->len + i] = shell->peak.coordination;
  }
  g_autoptr(DebyeTable) table = debye_table_new("peaks");
  debye_table_add_texts(table, &(DebyeQuantity){"pair", "pair", NULL}, names);
  for (guint i = 0; i < 4; i++)
    debye_table_add_numbers(table, &quantities[i], shells->len, values + i * shells->len);
  debye_result_add_table(result, table);
}

/* --- Notes --- */

static void
add_pair_notes(DebyeResult *result, const DebyeRdfPlan *plan)
{
  for (guint i = 0; i < plan->selections->len; i++) {
    const DebyeRdfSelection *selection = &g_array_index(plan->selections, DebyeRdfSelection, i);
    gboolean follows = selection->selection != NULL && debye_selection_is_dynamic(selection->selection);
    debye_result_add_note(result, "Atoms “%s”: %u%s", selection->text, selection->atoms->len,
                          follows ? N_(" in the last frame; chosen again in each") : "");
  }
}

static void
add_bin_note(DebyeResult *result, const DebyeRdfPlan *plan)
{
  char width[G_ASCII_DTOSTR_BUF_SIZE], most[G_ASCII_DTOSTR_BUF_SIZE];
  debye_result_add_note(
      result, "Bins: %" G_GSIZE_FORMAT " from 0 to %s Å, [k·Δr, (k + 1)·Δr) with Δr = %s Å; counts are exact",
      plan->n_bins, g_ascii_formatd(most, sizeof most, "%g", plan->r_max),
      g_ascii_formatd(width, sizeof width, "%g", plan->width));
}

static void
add_normalisation_note(DebyeResult *result, const DebyeRdfPlan *plan)
{
  char density[G_ASCII_DTOSTR_BUF_SIZE];
  gboolean by_density = plan->settings.norm == DEBYE_RDF_NORM_DENSITY;
  if (plan->is_periodic)
    debye_result_add_note_of(result, DEBYE_NOTE_CAPTION, "g(r)",
                             "g(r): normalised by %s and the volume of each frame; periodic images: %s",
                             by_density ? "N₁·N₂" : N_("N₁·N₂ − N₁₂ (N₁₂: atoms in both selections)"),
                             plan->settings.images == DEBYE_PAIR_IMAGES_ALL ? N_("all in range")
                                                                            : N_("the nearest"));
  else if (plan->settings.has_density)
    debye_result_add_note_of(result, DEBYE_NOTE_CAPTION, "g(r)",
                             "g(r): no cell; normalised by the stated density of %s Å⁻³",
                             g_ascii_formatd(density, sizeof density, "%.15g", plan->settings.density));
  else
    debye_result_add_note(result, "No cell and no density: only counts and P(r) are known, not g(r)");
  if (plan->is_periodic && plan->settings.has_density)
    debye_result_add_note_of(result, DEBYE_NOTE_WARNING, NULL,
                             "The stated density is not used: the cell of each frame gives it");
}

static void
add_error_note(DebyeResult *result, const DebyeRdfCounted *counted)
{
  const DebyeRdfStatistic *statistic = g_ptr_array_index(counted->statistics, 0);
  gsize n_blocks = debye_rdf_statistic_get_blocks(statistic)->n_whole;
  double inefficiency = debye_rdf_statistic_get_inefficiency(statistic);
  char number[G_ASCII_DTOSTR_BUF_SIZE], time[G_ASCII_DTOSTR_BUF_SIZE];
  if (n_blocks < 2 || !isfinite(inefficiency))
    return;
  g_autofree char *in_time = NULL;
  if (counted->time_step > 0.0)
    in_time = debye_message_new(
        ", a correlation time of about %s ps",
        g_ascii_formatd(time, sizeof time, "%.2g", 0.5 * inefficiency * counted->time_step));
  if (inefficiency < INDEPENDENT) {
    debye_result_add_note(result,
                          "Standard errors from %" G_GSIZE_FORMAT
                          " blocks of frames; successive frames are independent",
                          n_blocks);
    return;
  }
  debye_result_add_note(
      result,
      "Standard errors from %" G_GSIZE_FORMAT " blocks of frames; statistical inefficiency %s frames%s",
      n_blocks, g_ascii_formatd(number, sizeof number, "%.3g", inefficiency), in_time != NULL ? in_time : "");
}

static void
add_factor_note(DebyeResult *result, const Bins *bins)
{
  char error[G_ASCII_DTOSTR_BUF_SIZE];
  if (bins->factor == NULL)
    return;
  if (bins->factor_error > 0.0)
    debye_result_add_note_of(
        result, DEBYE_NOTE_CAPTION, divided.label,
        "Geometric factor: of the mean cell, from many directions; off by at most about %s",
        g_ascii_formatd(error, sizeof error, "%.1g", bins->factor_error));
  else
    debye_result_add_note_of(result, DEBYE_NOTE_CAPTION, divided.label,
                             "Geometric factor: of the mean cell, exact");
}

static void
add_notes(DebyeResult *result, const DebyeRdfCounted *counted)
{
  const DebyeRdfPlan *plan = counted->plan;
  const char *exclude = plan->settings.exclude;
  add_pair_notes(result, plan);
  add_bin_note(result, plan);
  add_normalisation_note(result, plan);
  if (strcmp(exclude, "none") != 0)
    debye_result_add_note(result, "Excluded pairs (their nearest image): %s", exclude);
  debye_frame_choice_add_notes(&plan->frames, counted->n_frames, result);
  add_error_note(result, counted);
}

/* A number of bins is instead of their width: that which was asked for, or the default, would say something
 * else than was done. */
static void
keep_width(DebyeRequest *request, const DebyeRdfPlan *plan)
{
  char width[G_ASCII_DTOSTR_BUF_SIZE];
  if (plan->settings.has_bins)
    debye_request_set(request, "width", g_ascii_formatd(width, sizeof width, "%.15g", plan->width), NULL);
}

static void
take_settings(DebyeRequest *request, const DebyeRdfPlan *plan)
{
  debye_request_set_effective_number(request, "max", plan->r_max);
  debye_request_set_effective_number(request, "bins", (double)plan->n_bins);
}

DebyeResult *
debye_rdf_result_new(const DebyeRunInput *input, const DebyeRdfCounted *counted)
{
  const DebyeRdfPlan *plan = counted->plan;
  g_autoptr(DebyeRequest) request = debye_request_copy(input->request);
  g_auto(Bins) bins = {0};
  bins_init(&bins, plan);
  bins_find_factor(&bins, counted);
  keep_width(request, plan);
  take_settings(request, plan);
  DebyeResult *result = debye_result_new(request, plan->settings.partials ? "Pair distributions of elements"
                                                                          : "Pair distribution");
  add_curves(result, counted, &bins);
  add_table(result, counted, &bins); /* the first: what CSV has */
  debye_rdf_structure_add(result, counted);
  add_peaks(result, counted);
  add_notes(result, counted);
  add_factor_note(result, &bins);
  return result;
}
