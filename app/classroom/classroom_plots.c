/* SPDX-License-Identifier: MIT */
/* Draws the classroom's figures from its record; called by window_classroom.c. */
#include "classroom_plots.h"

#include <glib/gi18n.h>
#include <math.h>

#include "data/messages/count_text.h"

/* Operations for each byte that the roofs are drawn over: a plain loop has less than one, what keeps its
 * atoms in registers thousands. */
#define LEAST_INTENSITY 0.03
#define MAX_INTENSITY 1e5

static const DebyeQuantity intensity = {"intensity", N_("Arithmetic intensity"), "FLOP/B"};
static const DebyeQuantity speed = {"speed", N_("Speed"), "GFLOP/s"};
static const DebyeQuantity distance = {"r", NULL, "Å"};
static const DebyeQuantity distribution = {"g", "g(r)", NULL};
static const DebyeQuantity volume = {"volume", N_("Volume"), "Å³"};
static const DebyeQuantity seconds = {"time", N_("Time per map"), "s"};

static DebyePlot *
create_log_plot(void)
{
  DebyePlot *plot = debye_plot_new();
  debye_plot_set_scale(plot, DEBYE_PLOT_X, DEBYE_PLOT_LOG);
  debye_plot_set_scale(plot, DEBYE_PLOT_Y, DEBYE_PLOT_LOG);
  return plot;
}

static DebyeQuantity
translate(const DebyeQuantity *quantity)
{
  DebyeQuantity translated = *quantity;
  if (quantity->label != NULL)
    translated.label = _(quantity->label);
  return translated;
}

static guint
add_points(DebyePlot *plot, const char *name, const DebyeQuantity *x, const DebyeQuantity *y,
           DebyeCurveStyle style, const GArray *places)
{
  const gsize n = places->len / 2;
  const double *values = (const double *)(const void *)places->data;
  const DebyeQuantity across = translate(x), up = translate(y);
  g_autofree double *xs = g_new(double, n + 1), *ys = g_new(double, n + 1);
  for (gsize i = 0; i < n; i++) {
    xs[i] = values[2 * i];
    ys[i] = values[2 * i + 1];
  }
  g_autoptr(DebyeCurve) curve = debye_curve_new(name, &across, &up, style, n, xs, ys, NULL);
  return debye_plot_add_curve(plot, curve, DEBYE_PLOT_Y);
}

static void
add_place(GArray *places, double x, double y)
{
  g_array_append_val(places, x);
  g_array_append_val(places, y);
}

/* --- Roofline --- */

/* Memory's slope up to the ridge, then the flat roof of multiply-adds. The legend has the device once: its limit and its points
 * are of one colour. */
static void
add_roof(DebyePlot *plot, DebyeClassroomRecord *record, const DebyeClassroomDevice *device, guint color)
{
  g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(double));
  g_autofree char *chip = debye_classroom_record_name_device(record, device->id);
  g_autofree char *name = g_strdup_printf(_("limit of %s"), chip);
  const double ridge = device->limits.operations / device->limits.bandwidth;
  const double corners[] = {LEAST_INTENSITY, CLAMP(ridge, LEAST_INTENSITY, MAX_INTENSITY), MAX_INTENSITY};
  for (gsize i = 0; i < G_N_ELEMENTS(corners); i++)
    add_place(places, corners[i], debye_ladder_roof(&device->limits, corners[i]) / 1e9);
  const guint series = add_points(plot, name, &intensity, &speed, DEBYE_CURVE_LINE, places);
  g_autofree char *label = g_markup_escape_text(chip, -1);
  debye_plot_set_series_color(plot, series, color);
  debye_plot_set_series_label(plot, series, label);
}

/* What a reciprocal square root each would allow: of the last map, which the others lead to. */
static void
add_reciprocal_roof(DebyePlot *plot, DebyeClassroomRecord *record, const DebyeClassroomDevice *device)
{
  double roof = 0.0;
  g_autofree char *chip = debye_classroom_record_name_device(record, device->id);
  g_autofree char *name = g_strdup_printf(_("1/√x of %s"), chip);
  for (guint i = 0; i < record->steps->len; i++) {
    const DebyeClassroomStep *step = &g_array_index(record->steps, DebyeClassroomStep, i);
    if (step->device == device->id && step->reciprocal_roof > 0.0)
      roof = step->reciprocal_roof;
  }
  if (roof > 0.0)
    debye_plot_add_reference(plot, DEBYE_PLOT_Y, roof / 1e9, name);
}

static void
add_steps(DebyePlot *plot, DebyeClassroomRecord *record, const DebyeClassroomDevice *device, guint color)
{
  g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(double));
  g_autofree char *chip = debye_classroom_record_name_device(record, device->id);
  g_autofree char *name = g_strdup_printf(_("variants on %s"), chip);
  for (guint i = 0; i < record->steps->len; i++) {
    const DebyeClassroomStep *step = &g_array_index(record->steps, DebyeClassroomStep, i);
    if (step->device != device->id)
      continue;
    const double x = CLAMP(step->intensity, LEAST_INTENSITY, MAX_INTENSITY), y = step->operations / 1e9;
    g_autofree char *number = step->number > 0 ? g_strdup_printf("%u", step->number) : g_strdup(_("ours"));
    add_place(places, x, y);
    debye_plot_add_point_name(plot, x, y, number);
  }
  if (places->len == 0)
    return;
  const guint series = add_points(plot, name, &intensity, &speed, DEBYE_CURVE_MARKERS, places);
  debye_plot_set_series_color(plot, series, color);
  debye_plot_set_series_label(plot, series, "");
}

static gboolean
exceeds_limit(const DebyeClassroomRecord *record)
{
  for (guint i = 0; i < record->steps->len; i++)
    if (g_array_index(record->steps, DebyeClassroomStep, i).share > DEBYE_BENCH_MAX_SHARE)
      return TRUE;
  return FALSE;
}

/* Of a single device the legend is left out: the caption has it. */
static char *
write_roofline_caption(DebyeClassroomRecord *record)
{
  GString *text = g_string_new(NULL);
  if (record->devices->len == 1)
    g_string_append_printf(text, "%s. ", g_array_index(record->devices, DebyeClassroomDevice, 0).name);
  g_string_append(text, _("Lines show the limits of the devices, points the variants, numbered as in the "
                          "list. Points above the slope of memory run from caches."));
  if (exceeds_limit(record))
    g_string_append_printf(text, " %s",
                           _("A variant exceeds the measured limit: another program used the device "
                             "meanwhile. Measure again on an idle machine."));
  return g_string_free(text, FALSE);
}

DebyePlot *
debye_classroom_plot_roofline(DebyeClassroomRecord *record)
{
  DebyePlot *plot = create_log_plot();
  for (guint i = 0; i < record->devices->len; i++) {
    const DebyeClassroomDevice *device = &g_array_index(record->devices, DebyeClassroomDevice, i);
    add_roof(plot, record, device, i);
    add_reciprocal_roof(plot, record, device);
    add_steps(plot, record, device, i);
  }
  g_autofree char *caption = write_roofline_caption(record);
  debye_plot_set_caption(plot, caption);
  return plot;
}

/* --- Counts --- */

static double
find_bin_width(const DebyeBenchCounts *counts)
{
  return counts->range / DEBYE_BENCH_N_BINS;
}

/* Over what N atoms anywhere in the cell's volume would give this bin: N (N − 1)/2 pairs, share shell/V. */
static double
normalize(const DebyeBenchCounts *counts, gsize bin, guint64 count)
{
  const double width = find_bin_width(counts), inner = (double)bin * width, outer = inner + width;
  const double n = counts->n_atoms;
  const double shell = 4.0 / 3.0 * G_PI * (outer * outer * outer - inner * inner * inner);
  return (double)count * counts->volume / (0.5 * n * (n - 1.0) * shell);
}

/* Pairs at the edge of a bin may be rounded into the next one. */
#define ROUNDED 1e-3 /* of all pairs */

static gboolean
counts_agree(const DebyeClassroomCount *a, const DebyeClassroomCount *b)
{
  double all = 0.0, apart = 0.0;
  for (gsize bin = 0; bin < DEBYE_BENCH_N_BINS; bin++) {
    all += (double)a->counts.bins[bin];
    apart += fabs((double)a->counts.bins[bin] - (double)b->counts.bins[bin]);
  }
  return a->counts.n_atoms == b->counts.n_atoms && a->loses_counts == b->loses_counts &&
         apart <= (a->loses_counts ? 0.0 : ROUNDED * all);
}

/* Of variants that count the same, the first is drawn for all: the others would lie over it. */
static guint
count_equals(const DebyeClassroomRecord *record, guint index, gboolean before)
{
  guint n = 0;
  for (guint i = 0; i < (before ? index : record->counts->len); i++)
    n += counts_agree(&g_array_index(record->counts, DebyeClassroomCount, i),
                      &g_array_index(record->counts, DebyeClassroomCount, index));
  return n;
}

/* A race of which fewer atoms lost nothing. */
static gboolean
has_more(const DebyeClassroomCount *count)
{
  return count->counts.n_atoms > count->counts.n_asked;
}

static char *
name_count(DebyeClassroomRecord *record, guint index)
{
  const DebyeClassroomCount *count = &g_array_index(record->counts, DebyeClassroomCount, index);
  const guint n_others = count_equals(record, index, FALSE) - 1;
  g_autofree char *chip = debye_classroom_record_name_device(record, count->device);
  if (n_others > 0)
    return g_strdup_printf(ngettext("%s and %u other", "%s and %u others", n_others), _(count->title),
                           n_others);
  g_autofree char *n_atoms = debye_count_text((guint64)count->counts.n_atoms);
  g_autofree char *title = has_more(count) ? g_strdup_printf(_("%s, %s atoms"), _(count->title), n_atoms)
                                           : g_strdup(_(count->title));
  return record->devices->len > 1 ? g_strdup_printf("%s (%s)", title, chip) : g_steal_pointer(&title);
}

static guint
add_counts(DebyePlot *plot, const char *name, const DebyeBenchCounts *counts, const guint64 *bins,
           DebyePlotDash dash)
{
  g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(double));
  for (gsize bin = 0; bin < DEBYE_BENCH_N_BINS; bin++)
    add_place(places, ((double)bin + 0.5) * find_bin_width(counts), normalize(counts, bin, bins[bin]));
  const guint series = add_points(plot, name, &distance, &distribution, DEBYE_CURVE_STEPS, places);
  debye_plot_set_series_dash(plot, series, dash);
  return series;
}

/* What those should be that are of other atoms than the rest, which lie over it in the same colour: the caption says so, as
 * the legend has room for few. */
static void
add_expected(DebyePlot *plot, const DebyeClassroomCount *count, guint color)
{
  const guint series =
      add_counts(plot, _("all its pairs"), &count->counts, count->counts.expected, DEBYE_PLOT_SOLID);
  debye_plot_set_series_color(plot, series, color);
  debye_plot_set_series_label(plot, series, "");
}

static char *
write_count_caption(const DebyeClassroomRecord *record)
{
  gboolean is_larger = FALSE;
  double n_asked = 0.0;
  for (guint i = 0; i < record->counts->len; i++) {
    const DebyeClassroomCount *count = &g_array_index(record->counts, DebyeClassroomCount, i);
    is_larger |= has_more(count);
    n_asked = count->counts.n_asked;
  }
  g_autofree char *n_atoms = debye_count_text((guint64)n_asked);
  g_autofree char *text = g_strdup_printf(_("All pairs of %s atoms at their nearest images, divided by those "
                                            "of a gas of the same density. Dashed: counts can be lost."),
                                          n_atoms);
  return is_larger ? g_strdup_printf("%s %s", text,
                                     _("A race that lost no count went on with more atoms, copies of these; "
                                       "solid: all their pairs."))
                   : g_steal_pointer(&text);
}

DebyePlot *
debye_classroom_plot_counts(DebyeClassroomRecord *record)
{
  DebyePlot *plot = debye_plot_new();
  for (guint i = 0, color = 0; i < record->counts->len; i++) {
    const DebyeClassroomCount *count = &g_array_index(record->counts, DebyeClassroomCount, i);
    if (count_equals(record, i, TRUE) > 0)
      continue;
    g_autofree char *name = name_count(record, i);
    if (has_more(count) && count->lost > 0.0)
      add_expected(plot, count, color);
    const guint series = add_counts(plot, name, &count->counts, count->counts.bins,
                                    count->loses_counts ? DEBYE_PLOT_DASHED : DEBYE_PLOT_SOLID);
    debye_plot_set_series_color(plot, series, color++);
  }
  g_autofree char *caption = write_count_caption(record);
  debye_plot_set_caption(plot, caption);
  return plot;
}

/* --- Volume --- */

/* Named after its device where there are several; then the second one's lines are dashed. */
static void
add_method(DebyePlot *plot, DebyeClassroomRecord *record, DebyePotentialMethod method, const char *name,
           guint number)
{
  const DebyeClassroomDevice *device = &g_array_index(record->devices, DebyeClassroomDevice, number);
  g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(double));
  g_autofree char *chip = debye_classroom_record_name_device(record, device->id);
  g_autofree char *named = g_strdup_printf("%s, %s", name, chip);
  for (guint i = 0; i < record->times->len; i++) {
    const DebyeClassroomTime *time = &g_array_index(record->times, DebyeClassroomTime, i);
    if (time->method == method && g_str_equal(time->device, device->id))
      add_place(places, time->volume, time->seconds);
  }
  if (places->len == 0)
    return;
  guint series =
      add_points(plot, record->devices->len > 1 ? named : name, &volume, &seconds, DEBYE_CURVE_LINE, places);
  debye_plot_set_series_marker(plot, series, (DebyePlotMarker)method);
  debye_plot_set_series_dash(plot, series, number > 0 ? DEBYE_PLOT_DASHED : DEBYE_PLOT_SOLID);
}

DebyePlot *
debye_classroom_plot_times(DebyeClassroomRecord *record, guint last)
{
  static const struct {
    DebyePotentialMethod method;
    const char *name;
  } methods[] = {{DEBYE_POTENTIAL_DIRECT, N_("direct")},
                 {DEBYE_POTENTIAL_CUTOFF, N_("cutoff, 12 Å")},
                 {DEBYE_POTENTIAL_MULTILEVEL, N_("multilevel, 10⁻³")}};
  DebyePlot *plot = create_log_plot();
  for (guint device = 0, n = 0; device < record->devices->len; device++)
    for (gsize i = 0; i < G_N_ELEMENTS(methods) && n <= last; i++, n++)
      add_method(plot, record, methods[i].method, _(methods[i].name), device);
  debye_plot_set_caption(plot, record->subject);
  return plot;
}

/* --- Orientations --- */

DebyePlot *
debye_classroom_plot_orientations(DebyeClassroomRecord *record, guint last)
{
  DebyePlot *plot = debye_plot_new();
  for (guint i = 0; i < record->curves->len && i <= last; i++) {
    guint series = debye_plot_add_curve(plot, g_ptr_array_index(record->curves, i), DEBYE_PLOT_Y);
    if (i > 0)
      debye_plot_set_series_dash(plot, series, DEBYE_PLOT_DASHED);
  }
  debye_plot_set_scale(plot, DEBYE_PLOT_Y, DEBYE_PLOT_LOG);
  debye_plot_set_caption(plot, record->subject);
  return plot;
}
