/* SPDX-License-Identifier: MIT */
/* Saves a result's plot as a picture or as numbers; called by the commands that make curves. */
#include "plot_output.h"

#include <string.h>

#include "data/files/error.h"
#include "render/look/plot_look.h"
#include "render/plot/plot_cairo.h"
#include "render/plot/result_plot.h"

#define POINTS_PER_INCH 72.0
#define POINTS_PER_MILLIMETRE (POINTS_PER_INCH / 25.4)
#define LEAST_SIDE 20.0
#define MAX_SIDE 2000.0

#define LEAST_PIXELS 100.0
#define MAX_PIXELS 32000.0

/* The benchmark has sizes of its own, and its figures two columns: points have numbers, and dozens of them stand close. */
#define SIZE_ENTRY_AS(name, size)                                                                      \
  {                                                                                                    \
    .key = name, .label = "Size of the plot", .kind = DEBYE_SETTING_TEXT, .initial = size,             \
    .help = "WIDTHxHEIGHT of pictures in mm (89x66mm, a column of a journal), or in pixels (1200x900)" \
  }
#define SIZE_ENTRY SIZE_ENTRY_AS("size", "89x66mm")

/* Preset, the texts' size in points, resolution, page and caption. */
#define PAGE_ENTRIES                                                                                         \
  {.key = "preset",                                                                                          \
   .label = "Preset",                                                                                        \
   .kind = DEBYE_SETTING_TEXT,                                                                               \
   .help = "sizes, texts and lines by a preset: nature, acs, aps, poster, slide-dark, one of your own or a " \
           "file; the command line takes precedence"},                                                       \
      {.key = "dark",                                                                                        \
       DEBYE_SETTING_MEMBER(PageSettings, dark),                                                             \
       .label = "Dark page",                                                                                 \
       .kind = DEBYE_SETTING_BOOLEAN,                                                                        \
       .initial = "false",                                                                                   \
       .help = "light texts and lines on a dark page"},                                                      \
      PLAIN_PAGE_ENTRIES
#define PLAIN_PAGE_ENTRIES                                                                                 \
  {.key = "dpi",                                                                                           \
   DEBYE_SETTING_MEMBER(PageSettings, dpi),                                                                \
   .label = "Resolution",                                                                                  \
   .kind = DEBYE_SETTING_NUMBER,                                                                           \
   .minimum = 36,                                                                                          \
   .maximum = 2400,                                                                                        \
   .unit = "dots per inch",                                                                                \
   .initial = "300",                                                                                       \
   .help = "resolution of a plot in .png"},                                                                \
      {.key = "text-size",                                                                                 \
       DEBYE_SETTING_OPTIONAL_MEMBER(PageSettings, text_size),                                             \
       .label = "Size of text",                                                                            \
       .kind = DEBYE_SETTING_NUMBER,                                                                       \
       .minimum = 1,                                                                                       \
       .maximum = 200,                                                                                     \
       .unit = "points",                                                                                   \
       .help = "size of the largest text of a plot, independent of the width of its lines; default: 9.5"}, \
      {.key = "line-width",                                                                                \
       DEBYE_SETTING_OPTIONAL_MEMBER(PageSettings, line_width),                                            \
       .label = "Width of lines",                                                                          \
       .kind = DEBYE_SETTING_NUMBER,                                                                       \
       .minimum = 0.1,                                                                                     \
       .maximum = 20,                                                                                      \
       .unit = "points",                                                                                   \
       .help = "width of the axes' lines; those of curves in proportion; default: 0.6"},                   \
      {.key = "outlines",                                                                                  \
       DEBYE_SETTING_MEMBER(PageSettings, outlines),                                                       \
       .label = "Texts as outlines",                                                                       \
       .kind = DEBYE_SETTING_BOOLEAN,                                                                      \
       .initial = "false",                                                                                 \
       .help = "texts of .svg and .pdf as shapes, for programs without the font"},                         \
  {                                                                                                        \
    .key = "caption", DEBYE_SETTING_MEMBER(PageSettings, caption), .label = "Caption",                     \
    .kind = DEBYE_SETTING_BOOLEAN, .initial = "true",                                                      \
    .help = "caption below a plot: normalisation and frames"                                               \
  }

typedef struct {
  double dpi, text_size, line_width;
  gboolean has_text_size, has_line_width, caption, dark, outlines;
  const char *measured;
} PageSettings;

#define MEASURED_ENTRY                                                                                   \
  {                                                                                                      \
    .key = "measured", DEBYE_SETTING_MEMBER(PageSettings, measured), .label = "Measured curve",          \
    .kind = DEBYE_SETTING_TEXT, .repeated = TRUE,                                                        \
    .help = "measured curve: rows of x, y, error; intensities over q are fitted by scale and background" \
  }

#define CURVE_ENTRIES \
  SIZE_ENTRY, PAGE_ENTRIES, DEBYE_PLOT_LOOK_ENTRIES, DEBYE_PLOT_LOOK_SECOND_ENTRIES, MEASURED_ENTRY

static const DebyeChoice rdf_quantities[] = {
    {"g", "g(r)", "the pair distribution, with its error band and its peaks"},
    {"g_divided", "g(r)/f(r)", "g(r) of nearest images by their geometric factor (with --geometric-factor)"},
    {"coordination", "n(r)", "neighbours up to a distance"},
    {"radial_distribution", "4πr²ρg(r)", "neighbours by distance"},
    {"mean_force_potential", "w(r)", "the potential of mean force, −kT ln g"},
    {"probability", "P(r)", "distribution of the counted distances"},
    {"structure_factor", "S(q)", "partial structure factors (with --structure-factor)"},
    {"neutron_f", "F(q), neutrons", "total structure factor for neutrons (with --partials)"},
    {"xray_f", "F(q), X-rays", "total structure factor for X-rays (with --partials)"},
    {"reduced_distribution", "G(r)", "the reduced distribution, from F(q)"},
    {NULL, NULL, NULL},
};

static const DebyeSetting rdf_settings[] = {
    {.key = "plot",
     .label = "Plot",
     .kind = DEBYE_SETTING_CHOICE,
     .choices = rdf_quantities,
     .help =
         "quantity to plot, and to write as .csv; default: g(r), without a cell n(r), and in .csv all that "
         "is counted"},
    CURVE_ENTRIES,
};

static const DebyeChoice msd_quantities[] = {
    {"msd", "MSD", "the mean square displacement, with its error band and the straight line of D"},
    {"alpha2", "α₂", "the non-Gaussian parameter"},
    {NULL, NULL, NULL},
};

static const DebyeSetting msd_settings[] = {
    {.key = "plot",
     .label = "Plot",
     .kind = DEBYE_SETTING_CHOICE,
     .choices = msd_quantities,
     .help = "quantity in .svg, .pdf, .png and .csv; default: msd, and in .csv both"},
    CURVE_ENTRIES,
};

static const DebyeChoice fit_quantities[] = {
    {"guinier", "Guinier", "ln I over q², with the line and its range"},
    {"guinier_residuals", "Guinier, residuals", "deviations from the line, in errors where these are known"},
    {"kratky", "Kratky", "q²·I(q)"},
    {"kratky_normalised", "Kratky, normalised", "(q·Rg)²·I(q)/I(0) over q·Rg"},
    {"power_law", "Power law", "I(q) with the power, on logarithmic axes"},
    {"porod", "Porod", "q⁴·I(q) with Porod's law"},
    {"pr", "P(r)", "the distance distribution, with its error band"},
    {"pr_intensity", "I(q) of P(r)", "I(q) with the curve that P(r) gives"},
    {"comparison", "Comparison", "the computed curve on the scale of the measured one"},
    {"intensity", "I(q)", "the curves that were fitted"},
    {NULL, NULL, NULL},
};

static const DebyeSetting fit_settings[] = {
    {.key = "plot",
     .label = "Plot",
     .kind = DEBYE_SETTING_CHOICE,
     .choices = fit_quantities,
     .help = "quantity to plot, and to write as .csv; default: the first fit, and in .csv the table of all"},
    CURVE_ENTRIES,
};

const DebyeSettingTable debye_fit_plot_settings = {
    .id = "plot",
    .title = "Plots",
    .question = "How does a plot of a fit look?",
    .settings = fit_settings,
    .n_settings = G_N_ELEMENTS(fit_settings),
};

static const DebyeSetting settings[] = {SIZE_ENTRY, PAGE_ENTRIES, DEBYE_PLOT_LOOK_ENTRIES,
                                        DEBYE_PLOT_LOOK_SECOND_ENTRIES, MEASURED_ENTRY};

static const DebyeSetting bench_settings[] = {SIZE_ENTRY_AS("plot-size", "183x122mm"), PAGE_ENTRIES,
                                              DEBYE_PLOT_LOOK_ENTRIES};

const DebyeSettingTable debye_bench_plot_settings = {
    .id = "plot",
    .title = "Plots",
    .question = "How does a plot look?",
    .settings = bench_settings,
    .n_settings = G_N_ELEMENTS(bench_settings),
};

const DebyeSettingTable debye_rdf_plot_settings = {
    .id = "plot",
    .title = "Plots",
    .question = "How does a plot of pair distributions look?",
    .settings = rdf_settings,
    .n_settings = G_N_ELEMENTS(rdf_settings),
};

const DebyeSettingTable debye_msd_plot_settings = {
    .id = "plot",
    .title = "Plots",
    .question = "How does a plot of mean square displacements look?",
    .settings = msd_settings,
    .n_settings = G_N_ELEMENTS(msd_settings),
};

const DebyeSettingTable debye_plot_settings = {
    .id = "plot",
    .title = "Plots",
    .question = "How does a plot look?",
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
};

/* What is no number isn't, either. */
static gboolean
are_between(double width, double height, double least, double most)
{
  return width >= least && height >= least && width <= most && height <= most;
}

gboolean
debye_plot_size_parse(const char *text, double dpi, double *width, double *height, GError **error)
{
  char *end = NULL;
  *width = g_ascii_strtod(text, &end);
  gboolean is_size = end != text && *end == 'x';
  const char *second = is_size ? end + 1 : end;
  *height = g_ascii_strtod(second, &end);
  is_size = is_size && end != second;
  const gboolean is_in_mm = is_size && strcmp(end, "mm") == 0;
  const double scale = is_in_mm ? POINTS_PER_MILLIMETRE : POINTS_PER_INCH / dpi;
  if (is_in_mm ? are_between(*width, *height, LEAST_SIDE, MAX_SIDE)
               : is_size && *end == '\0' && are_between(*width, *height, LEAST_PIXELS, MAX_PIXELS)) {
    *width *= scale;
    *height *= scale;
    return TRUE;
  }
  return debye_error_set(error, DEBYE_ERROR_VALUE,
                         "expected WIDTHxHEIGHTmm, each from %.0f to %.0f mm, or WIDTHxHEIGHT, each from "
                         "%.0f to %.0f pixels, found “%s”",
                         LEAST_SIDE, MAX_SIDE, LEAST_PIXELS, MAX_PIXELS, text);
}

/* A table of several quantities has one more setting. */
static const char *
get_wanted(DebyeRequest *request)
{
  return debye_request_find(request, "plot");
}

/* NULL: none of these. */
static const DebyeQuantity *
find_quantity(const GPtrArray *quantities, const char *name)
{
  for (guint i = 0; i < quantities->len; i++)
    if (strcmp(((const DebyeQuantity *)quantities->pdata[i])->name, name) == 0)
      return quantities->pdata[i];
  return NULL;
}

static char *
list_names(const GPtrArray *quantities)
{
  g_autoptr(GString) names = g_string_new(NULL);
  for (guint i = 0; i < quantities->len; i++)
    g_string_append_printf(names, "%s%s", i > 0 ? ", " : "",
                           ((const DebyeQuantity *)quantities->pdata[i])->name);
  return g_strdup(names->str);
}

gboolean
debye_plot_output_choose(DebyeResultPlot *plot, const char *wanted, const char *path, GError **error)
{
  g_autoptr(GPtrArray) quantities = debye_result_plot_list_quantities(plot);
  if (quantities->len > 0 && (wanted == NULL || find_quantity(quantities, wanted) != NULL)) {
    debye_result_plot_set_quantity(plot, wanted);
    return TRUE;
  }
  g_autofree char *file = debye_error_name_file(path);
  g_autofree char *known = list_names(quantities);
  return debye_error_set(error, DEBYE_ERROR_VALUE, "%s: expected one of %s to plot, found “%s”", file,
                         quantities->len > 0 ? known : "no quantity (the result has no curve)",
                         wanted != NULL ? wanted : "");
}

/* Whether the names, with commas between, are all of these quantities, in one unit. */
static gboolean
can_share_axis(const GPtrArray *quantities, const char *names)
{
  const char *unit = NULL;
  g_auto(GStrv) words = g_strsplit(names, ",", -1);
  for (char **word = words; *word != NULL; word++) {
    const DebyeQuantity *quantity = find_quantity(quantities, g_strstrip(*word));
    if (quantity == NULL || (unit != NULL && strcmp(unit, quantity->unit) != 0))
      return FALSE;
    unit = quantity->unit;
  }
  return TRUE;
}

/* Each of them has a row in the table of settings. */
static const struct {
  const char *key, *expected;
  GPtrArray *(*list)(DebyeResultPlot *plot);
  void (*set)(DebyeResultPlot *plot, const char *names);
} further[] = {
    {"also", "quantities over the same axis and in the same unit", debye_result_plot_list_also,
     debye_result_plot_set_also},
    {"second", "a quantity over the same axis, or several of one unit", debye_result_plot_list_seconds,
     debye_result_plot_set_second},
};

static gboolean
set_further(DebyeResultPlot *plot, DebyeRequest *request, gsize which, const char *path, GError **error)
{
  const char *wanted = debye_request_get(request, further[which].key);
  g_autoptr(GPtrArray) listed = further[which].list(plot);
  if (wanted == NULL)
    return TRUE;
  if (can_share_axis(listed, wanted)) {
    further[which].set(plot, wanted);
    return TRUE;
  }
  g_autofree char *file = debye_error_name_file(path);
  g_autofree char *known = list_names(listed);
  return debye_error_set(error, DEBYE_ERROR_VALUE, "%s: --%s: expected %s (%s), found “%s”", file,
                         further[which].key, further[which].expected,
                         listed->len > 0 ? known : "there is none", wanted);
}

gboolean
debye_plot_output_set_also(DebyeResultPlot *plot, DebyeRequest *request, const char *path, GError **error)
{
  return set_further(plot, request, 0, path, error);
}

gboolean
debye_plot_output_set_second(DebyeResultPlot *plot, DebyeRequest *request, const char *path, GError **error)
{
  return set_further(plot, request, 1, path, error);
}

/* Detectors count in units of their own, and P(r) has the intensity's; g(r) and S(q) have one. */
static gboolean
has_own_scale(DebyeResultPlot *plot)
{
  const DebyeQuantity *quantity = debye_result_plot_get_quantity(plot);
  return quantity != NULL && (strcmp(quantity->name, "intensity") == 0 || strcmp(quantity->name, "pr") == 0);
}

/* A curve over q has no place on an axis of r, and none over a heat map. */
static gboolean
check_axis(DebyeResultPlot *plot, DebyeCurve *measured, const char *path, GError **error)
{
  DebyePlot *drawn = debye_result_plot_get_plot(plot);
  const DebyeQuantity *own = debye_curve_get_x_quantity(measured);
  const gboolean has_curves = debye_plot_get_n_series(drawn) > 0;
  if (!has_curves && debye_result_plot_get_quantity(plot) == NULL)
    return TRUE;
  const DebyeQuantity *x =
      has_curves ? debye_curve_get_x_quantity(debye_plot_get_curve(drawn, debye_plot_get_series(drawn, 0)))
                 : NULL;
  g_autoptr(DebyeCurve) converted =
      x != NULL && *own->unit != '\0' ? debye_curve_with_x_unit(measured, x->unit) : NULL;
  if (converted != NULL || (x != NULL && *own->unit == '\0'))
    return TRUE;
  g_autofree char *name = debye_error_name_file(path);
  return debye_error_set(error, DEBYE_ERROR_MISMATCH, "%s: expected a curve over %s, found x in %s", name,
                         x != NULL ? x->name : "an axis with curves",
                         *own->unit != '\0' ? own->unit : "no unit");
}

gboolean
debye_plot_output_add_measured(DebyeResultPlot *plot, guint first_key, const char *const *paths,
                               gboolean with_caption, GError **error)
{
  debye_result_plot_set_fits_in_caption(plot, with_caption);
  for (guint i = 0; paths[i] != NULL; i++) {
    g_autoptr(DebyeCurve) curve = debye_curve_load(paths[i], error);
    if (curve == NULL || !check_axis(plot, curve, paths[i], error))
      return FALSE;
    debye_result_plot_set_measured(plot, first_key + i, curve, has_own_scale(plot));
  }
  return TRUE;
}

static gboolean
is_csv(const char *path)
{
  g_autofree char *lower = g_ascii_strdown(path, -1);
  return g_str_has_suffix(lower, ".csv");
}

gboolean
debye_plot_output_takes(DebyeRequest *request, const char *path)
{
  return debye_plot_can_save(path) || (is_csv(path) && request != NULL && get_wanted(request) != NULL);
}

gboolean
debye_plot_output_save_plot(DebyePlot *plot, DebyeRequest *request, const DebyePictureOrigin *origin,
                            const char *path, GError **error)
{
  DebyePlotPage page;
  PageSettings settings_of_page = {0};
  const gboolean is_bench = debye_request_get_table(request) == &debye_bench_plot_settings;
  const char *size = debye_request_get(request, is_bench ? "plot-size" : "size");
  debye_request_fill(request, &settings_of_page);
  debye_plot_page_init(&page);
  if (!debye_plot_size_parse(size, settings_of_page.dpi, &page.width, &page.height, error))
    return FALSE;
  page.dpi = settings_of_page.dpi;
  page.text_size = settings_of_page.has_text_size ? settings_of_page.text_size : 0.0;
  page.line_width = settings_of_page.has_line_width ? settings_of_page.line_width : 0.0;
  page.outlines = settings_of_page.outlines;
  page.with_caption = settings_of_page.caption;
  page.dark = settings_of_page.dark;
  page.origin = origin;
  g_autoptr(DebyePlotLook) look = debye_plot_look_new(request);
  return debye_plot_look_apply(look, plot, error) && debye_plot_look_finish(look, error) &&
         debye_plot_save(plot, &page, path, error);
}

gboolean
debye_plot_output_save(DebyeResult *result, DebyeRequest *request, const char *path, const char *command,
                       const DebyePictureOrigin *origin, GError **error)
{
  g_autoptr(DebyeResultPlot) plot = debye_result_plot_new();
  const char *wanted = get_wanted(request);
  PageSettings settings_of_page = {0};
  debye_request_fill(request, &settings_of_page);
  g_auto(GStrv) measured = debye_setting_split_values(settings_of_page.measured);
  const gboolean with_caption = !is_csv(path) && settings_of_page.caption;
  debye_result_plot_set_result(plot, 0, result, NULL);
  if (!debye_plot_output_choose(plot, wanted, path, error) ||
      (!is_csv(path) && (!debye_plot_output_set_also(plot, request, path, error) ||
                         !debye_plot_output_set_second(plot, request, path, error))) ||
      !debye_plot_output_add_measured(plot, 1, (const char *const *)measured, with_caption, error))
    return FALSE;
  if (is_csv(path)) {
    g_autoptr(DebyeTable) table = debye_plot_create_table(debye_result_plot_get_plot(plot));
    return debye_result_save_table(result, table, path, command, error);
  }
  return debye_plot_output_save_plot(debye_result_plot_get_plot(plot), request, origin, path, error);
}
