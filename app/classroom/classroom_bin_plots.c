/* SPDX-License-Identifier: MIT */
/* Draws the figures of the lesson on bins; called by lesson_bins.c. */
#include "classroom_bin_plots.h"

#include <glib/gi18n.h>
#include <math.h>

#include "classroom_levels.h"
#include "data/messages/count_text.h"

#define N_DISTANCES 400
#define WANTED_COVER 95.0

static const DebyeQuantity edge = {"edge", N_("Bin edge"), "Å"};
static const DebyeQuantity share = {"share", N_("Share"), "%"};
static const DebyeQuantity valid = {"share", N_("Share within the cutoff"), "%"};
static const DebyeQuantity atoms = {"atoms", N_("Atoms per bin"), NULL};
static const DebyeQuantity bins = {"bins", N_("Bins"), NULL};
static const DebyeQuantity served = {"evaluations", N_("Evaluations per atom loaded"), NULL};
static const DebyeQuantity of_cutoff = {"cutoff", N_("Cutoff"), "Å"};
static const DebyeQuantity within = {"atoms", N_("Atoms within the cutoff"), NULL};
static const DebyeQuantity spacing = {"spacing", N_("Grid spacing"), "Å"};
static const DebyeQuantity distance = {"d", N_("Distance"), "Å"};
static const DebyeQuantity potential = {"potential", N_("Potential of a unit charge"), "e/Å"};

static DebyeQuantity
translate(const DebyeQuantity *quantity)
{
  DebyeQuantity translated = *quantity;
  translated.label = _(quantity->label);
  return translated;
}

static guint
add_curve(DebyePlot *plot, const char *name, const DebyeQuantity *x, const DebyeQuantity *y,
          DebyeCurveStyle style, gsize n, const double *xs, const double *ys)
{
  const DebyeQuantity across = translate(x), up = translate(y);
  g_autoptr(DebyeCurve) curve = debye_curve_new(name, &across, &up, style, n, xs, ys, NULL);
  return debye_plot_add_curve(plot, curve, DEBYE_PLOT_Y);
}

/* A number of bins that is plotted against their edge. */
typedef double (*OfBins)(const DebyeClassroomBinChoice *choice, const DebyeClassroomBins *bins);

static guint
add_by_edge(DebyePlot *plot, DebyeClassroomRecord *record, const char *name, const DebyeQuantity *y,
            OfBins of)
{
  const guint n = record->bins->len;
  g_autofree double *xs = g_new(double, n + 1), *ys = g_new(double, n + 1);
  for (guint i = 0; i < n; i++) {
    const DebyeClassroomBins *row = &g_array_index(record->bins, DebyeClassroomBins, i);
    xs[i] = row->edge;
    ys[i] = of(&record->choice, row);
  }
  return add_curve(plot, name, &edge, y, DEBYE_CURVE_LINE, n, xs, ys);
}

static void
mark_choice(DebyePlot *plot, const DebyeClassroomBinChoice *choice)
{
  g_autofree char *text = g_strdup_printf(_("%g Å"), choice->edge);
  debye_plot_add_reference(plot, DEBYE_PLOT_X, choice->edge, text);
}

static double
of_cube(const DebyeClassroomBinChoice *choice, const DebyeClassroomBins *row)
{
  (void)choice;
  return 100.0 * row->neighbours.valid_cube;
}

static double
of_sphere(const DebyeClassroomBinChoice *choice, const DebyeClassroomBins *row)
{
  (void)choice;
  return 100.0 * row->neighbours.valid_sphere;
}

static double
of_covered(const DebyeClassroomBinChoice *choice, const DebyeClassroomBins *row)
{
  (void)choice;
  return 100.0 * row->covered;
}

static double
of_filled(const DebyeClassroomBinChoice *choice, const DebyeClassroomBins *row)
{
  (void)choice;
  return 100.0 * row->filled;
}

double
debye_classroom_find_reuse(const DebyeClassroomBinChoice *choice, const DebyeClassroomBins *row)
{
  return row->neighbours.valid_sphere * row->filled * pow(row->edge / choice->spacing, 3.0);
}

DebyePlot *
debye_classroom_plot_neighbours(DebyeClassroomRecord *record)
{
  DebyePlot *plot = debye_plot_new();
  add_by_edge(plot, record, _("sphere"), &valid, of_sphere);
  const guint cube = add_by_edge(plot, record, _("cube"), &valid, of_cube);
  debye_plot_set_series_dash(plot, cube, DEBYE_PLOT_DASHED);
  mark_choice(plot, &record->choice);
  debye_plot_set_caption(plot, _("Share of the examined bins that is within the cutoff. Small bins follow "
                                 "the sphere closely, but there are many of them."));
  return plot;
}

DebyePlot *
debye_classroom_plot_capacity(DebyeClassroomRecord *record)
{
  DebyePlot *plot = debye_plot_new();
  add_by_edge(plot, record, _("atoms that have a slot"), &share, of_covered);
  const guint slots = add_by_edge(plot, record, _("slots that have an atom"), &share, of_filled);
  debye_plot_set_series_dash(plot, slots, DEBYE_PLOT_DASHED);
  debye_plot_add_reference(plot, DEBYE_PLOT_Y, WANTED_COVER, "95 %");
  mark_choice(plot, &record->choice);
  debye_plot_set_caption(plot,
                         _("The CPU sums the atoms that overflow while the GPU sums the others: a few "
                           "percent cost no extra time. Empty slots are loaded and computed for nothing."));
  return plot;
}

DebyePlot *
debye_classroom_plot_reuse(DebyeClassroomRecord *record)
{
  DebyePlot *plot = debye_plot_new();
  debye_plot_set_scale(plot, DEBYE_PLOT_Y, DEBYE_PLOT_LOG);
  add_by_edge(plot, record, _("share within the cutoff × filled slots × points of a block"), &served,
              debye_classroom_find_reuse);
  mark_choice(plot, &record->choice);
  debye_plot_set_caption(plot,
                         _("Share of the sphere's bins within the cutoff × share of the slots that have an "
                           "atom × points of a block. In larger bins a block has more points."));
  return plot;
}

/* Around a molecule most bins are empty. Their column would press all others to the axis. */
#define EMPTY_AT_MOST 1.5 /* times the highest other column */

static void
bound_empty(DebyePlot *plot, const double *counts, guint n)
{
  double highest = 0.0, all = 0.0;
  for (guint i = 0; i < n; i++) {
    highest = i > 0 ? fmax(highest, counts[i]) : highest;
    all += counts[i];
  }
  if (!(highest > 0.0))
    return;
  const gboolean is_cut = counts[0] > EMPTY_AT_MOST * highest;
  g_autofree char *empty = debye_count_text((guint64)counts[0]);
  g_autofree char *caption =
      g_strdup_printf(_("Empty bins: %s, %.0f %% of all."), empty, 100.0 * counts[0] / all);
  g_autofree char *cut = g_strdup_printf("%s %s", caption, _("Their column is cut off."));
  if (is_cut)
    debye_plot_set_view(plot, DEBYE_PLOT_Y, 0.0, EMPTY_AT_MOST * highest);
  debye_plot_set_caption(plot, is_cut ? cut : caption);
}

DebyePlot *
debye_classroom_plot_filling(DebyeClassroomRecord *record)
{
  DebyePlot *plot = debye_plot_new();
  const guint n = record->bins_with->len;
  g_autofree double *xs = g_new(double, n + 1), *ys = g_new(double, n + 1);
  for (guint i = 0; i < n; i++) {
    xs[i] = i;
    ys[i] = (double)g_array_index(record->bins_with, guint64, i);
  }
  g_autofree char *capacity = g_strdup_printf(_("capacity %u"), record->choice.capacity);
  add_curve(plot, _("bins"), &atoms, &bins, DEBYE_CURVE_STEPS, n, xs, ys);
  debye_plot_add_reference(plot, DEBYE_PLOT_X, record->choice.capacity, capacity);
  bound_empty(plot, ys, n);
  return plot;
}

/* --- Functions of the distance --- */

static void
fill_distances(double last, double xs[N_DISTANCES])
{
  for (int i = 0; i < N_DISTANCES; i++)
    xs[i] = 0.5 + (last - 0.5) * i / (N_DISTANCES - 1.0);
}

static void
add_coulomb(DebyePlot *plot, const double xs[N_DISTANCES])
{
  double ys[N_DISTANCES];
  for (int i = 0; i < N_DISTANCES; i++)
    ys[i] = 1.0 / xs[i];
  debye_plot_set_series_dash(
      plot, add_curve(plot, "1/d", &distance, &potential, DEBYE_CURVE_LINE, N_DISTANCES, xs, ys),
      DEBYE_PLOT_DASHED);
}

static double
value_of(const DebyePairFunction *function, double d)
{
  return d < function->cutoff ? debye_pair_value(function, d * d, 0.0) : 0.0;
}

static void
add_function(DebyePlot *plot, const char *name, const DebyePairFunction *function,
             const double xs[N_DISTANCES])
{
  double ys[N_DISTANCES];
  for (int i = 0; i < N_DISTANCES; i++)
    ys[i] = value_of(function, xs[i]);
  add_curve(plot, name, &distance, &potential, DEBYE_CURVE_LINE, N_DISTANCES, xs, ys);
}

static DebyePlot *
new_potential_plot(double highest)
{
  DebyePlot *plot = debye_plot_new();
  debye_plot_set_view(plot, DEBYE_PLOT_Y, 0.0, highest);
  return plot;
}

DebyePlot *
debye_classroom_plot_smoothing(double cutoff)
{
  DebyePlot *plot = new_potential_plot(1.0);
  double xs[N_DISTANCES];
  fill_distances(1.25 * cutoff, xs);
  add_coulomb(plot, xs);
  const DebyePairFunction smooth = debye_pair_function_smoothing(DEBYE_SMOOTHING_SMOOTH, cutoff),
                          shift = debye_pair_function_smoothing(DEBYE_SMOOTHING_SHIFT, cutoff);
  add_function(plot, _("smooth: (1 − d²/C²)²/d"), &smooth, xs);
  add_function(plot, _("shift: 1/d − 1/C"), &shift, xs);
  debye_plot_add_reference(plot, DEBYE_PLOT_X, cutoff, "C");
  debye_plot_set_caption(
      plot, _("With the step of 1/d at the cutoff, atoms that cross it would show as edges in the map."));
  return plot;
}

DebyePlot *
debye_classroom_plot_split(const DebyeMultilevel *multilevel)
{
  const DebyePairFunction part = debye_multilevel_pair_function(multilevel);
  DebyePlot *plot = new_potential_plot(0.5);
  double xs[N_DISTANCES], ys[N_DISTANCES];
  fill_distances(4.0 * multilevel->cutoff, xs);
  add_coulomb(plot, xs);
  add_function(plot, _("short part, summed over pairs"), &part, xs);
  for (unsigned level = 1; level < DEBYE_CLASSROOM_N_PARTS; level++) {
    const gboolean is_rest = level + 1 == DEBYE_CLASSROOM_N_PARTS;
    g_autofree char *name = g_strdup_printf(is_rest ? _("levels %u and higher") : _("level %u"), level);
    for (int i = 0; i < N_DISTANCES; i++)
      ys[i] = debye_classroom_find_part(&part, level, xs[i]);
    add_curve(plot, name, &distance, &potential, DEBYE_CURVE_LINE, N_DISTANCES, xs, ys);
  }
  debye_plot_set_caption(plot, _("Each level is as smooth as the one before at twice the distance, so that a "
                                 "lattice of twice the spacing holds it."));
  return plot;
}

/* --- By cutoff and by spacing --- */

#define N_CUTOFFS 89        /* a quarter of an Å apart */
#define SPACING_FACTOR 1.05 /* from one spacing to the next */

static void
mark(DebyePlot *plot, double value)
{
  g_autofree char *text = g_strdup_printf(_("%g Å"), value);
  debye_plot_add_reference(plot, DEBYE_PLOT_X, value, text);
}

DebyePlot *
debye_classroom_plot_cutoffs(DebyeClassroomRecord *record)
{
  const DebyeClassroomBinChoice *choice = &record->choice;
  double xs[N_CUTOFFS], sphere[N_CUTOFFS], cube[N_CUTOFFS];
  DebyePlot *plot = debye_plot_new();
  for (int i = 0; i < N_CUTOFFS; i++) {
    xs[i] = DEBYE_CLASSROOM_LEAST_CUTOFF +
            i * (DEBYE_CLASSROOM_LAST_CUTOFF - DEBYE_CLASSROOM_LEAST_CUTOFF) / (N_CUTOFFS - 1);
    const DebyeBinNeighbours found = debye_bin_neighbours(choice->edge, xs[i], choice->spacing);
    sphere[i] = 100.0 * found.valid_sphere;
    cube[i] = 100.0 * found.valid_cube;
  }
  add_curve(plot, _("sphere"), &of_cutoff, &valid, DEBYE_CURVE_LINE, N_CUTOFFS, xs, sphere);
  debye_plot_set_series_dash(
      plot, add_curve(plot, _("cube"), &of_cutoff, &valid, DEBYE_CURVE_LINE, N_CUTOFFS, xs, cube),
      DEBYE_PLOT_DASHED);
  mark(plot, choice->cutoff);
  debye_plot_set_caption(plot,
                         _("Bins of the chosen edge. Where the cutoff reaches another layer of bins, the "
                           "share falls."));
  return plot;
}

DebyePlot *
debye_classroom_plot_within(DebyeClassroomRecord *record)
{
  static const double cutoffs[] = {8.0, 12.0}, lecture[] = {200.0, 700.0};
  const guint n = record->within->len;
  g_autofree double *xs = g_new(double, n + 1), *ys = g_new(double, n + 1);
  DebyePlot *plot = debye_plot_new();
  for (guint i = 0; i < n; i++) {
    xs[i] = g_array_index(record->within, DebyeClassroomPoint, i).x;
    ys[i] = g_array_index(record->within, DebyeClassroomPoint, i).y;
  }
  add_curve(plot, _("here"), &of_cutoff, &within, DEBYE_CURVE_LINE, n, xs, ys);
  add_curve(plot, _("lecture"), &of_cutoff, &within, DEBYE_CURVE_MARKERS, 2, cutoffs, lecture);
  mark(plot, record->choice.cutoff);
  debye_plot_set_caption(plot,
                         _("Other atoms around an atom, on average. A molecule's surface has fewer of them "
                           "than its interior."));
  return plot;
}

DebyePlot *
debye_classroom_plot_spacings(DebyeClassroomRecord *record)
{
  g_autoptr(GArray) xs = g_array_new(FALSE, FALSE, sizeof(double)),
                    ys = g_array_new(FALSE, FALSE, sizeof(double));
  const DebyeClassroomBins *row = debye_classroom_record_find_bins(record);
  DebyeClassroomBinChoice choice = record->choice;
  DebyePlot *plot = debye_plot_new();
  for (double x = DEBYE_CLASSROOM_LEAST_SPACING; row != NULL && x <= DEBYE_CLASSROOM_LAST_SPACING;
       x *= SPACING_FACTOR) {
    DebyeClassroomBins finer = *row;
    choice.spacing = x;
    finer.neighbours = debye_bin_neighbours(row->edge, choice.cutoff, x);
    const double reuse = debye_classroom_find_reuse(&choice, &finer);
    g_array_append_val(xs, x);
    g_array_append_val(ys, reuse);
  }
  debye_plot_set_scale(plot, DEBYE_PLOT_X, DEBYE_PLOT_LOG);
  debye_plot_set_scale(plot, DEBYE_PLOT_Y, DEBYE_PLOT_LOG);
  add_curve(plot, _("share within the cutoff × filled slots × points of a block"), &spacing, &served,
            DEBYE_CURVE_LINE, xs->len, (const double *)(const void *)xs->data,
            (const double *)(const void *)ys->data);
  mark(plot, record->choice.spacing);
  debye_plot_set_caption(plot, _("Half the spacing has eight times as many points in a block."));
  return plot;
}
