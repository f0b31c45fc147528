/* SPDX-License-Identifier: MIT */
/* Saves a result's plot as a picture or as numbers; called by the commands that make curves. */
#include "plot_output.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "render/plot/plot_cairo.h"
#include "render/plot/result_plot.h"

#define POINTS_PER_MILLIMETRE (72.0 / 25.4)
#define LEAST_SIDE 20.0
#define MAX_SIDE 2000.0

#define SIZE_ENTRY                                                                                        \
  {                                                                                                       \
    .key = "plot-size", .label = "Size of the plot", .unit = "mm", .kind = DEBYE_SETTING_TEXT,            \
    .initial = "89x66",                                                                                   \
    .help = "WIDTHxHEIGHT of .svg, .pdf and .png (300 dots per inch); one column of a journal is 89 wide" \
  }

static const DebyeChoice rdf_quantities[] = {
    {"g", "g(r)", "the pair distribution, with its error band and its peaks"},
    {"coordination", "n(r)", "neighbours up to a distance"},
    {"radial_distribution", "4πr²ρg(r)", "neighbours by distance"},
    {"mean_force_potential", "w(r)", "the potential of mean force, −kT ln g"},
    {"probability", "P(r)", "how the counted distances are distributed"},
    {"structure_factor", "S(q)", "partial structure factors (with --structure-factor)"},
    {"neutron_f", "F(q), neutrons", "the total that neutrons see (with --partials)"},
    {"xray_f", "F(q), X-rays", "the total that X-rays see (with --partials)"},
    {"reduced_distribution", "G(r)", "the reduced distribution, from F(q)"},
    {NULL, NULL, NULL},
};

static const DebyeSetting rdf_settings[] = {
    {.key = "plot",
     .label = "Plot",
     .kind = DEBYE_SETTING_CHOICE,
     .choices = rdf_quantities,
     .help = "what .svg, .pdf and .png show, and the numbers in .csv; unset: g(r), without a cell n(r), and "
             "in .csv all that is counted"},
    SIZE_ENTRY,
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
     .help = "what .svg, .pdf and .png show, and the numbers in .csv; unset: msd, and in .csv both"},
    SIZE_ENTRY,
};

static const DebyeSetting settings[] = {SIZE_ENTRY};

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

static gboolean
is_side(double side)
{
  return side >= LEAST_SIDE && side <= MAX_SIDE;
}

gboolean
debye_plot_size_parse(const char *text, double *width, double *height, GError **error)
{
  char *end = NULL;
  *width = g_ascii_strtod(text, &end);
  gboolean is_size = end != text && *end == 'x';
  const char *second = is_size ? end + 1 : end;
  *height = g_ascii_strtod(second, &end);
  if (is_size && end != second && *end == '\0' && is_side(*width) && is_side(*height))
    return TRUE;
  g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE,
              "expected WIDTHxHEIGHT, each from %.0f to %.0f mm, found “%s”", LEAST_SIDE, MAX_SIDE, text);
  return FALSE;
}

/* A table of several quantities has one more setting. */
static const char *
get_wanted(DebyeRequest *request)
{
  gboolean has_choice = debye_setting_table_find(debye_request_get_table(request), "plot") != NULL;
  return has_choice ? debye_request_get(request, "plot") : NULL;
}

static gboolean
check_quantity(DebyeResultPlot *plot, const char *wanted, const char *path, GError **error)
{
  g_autoptr(GPtrArray) quantities = debye_result_plot_list_quantities(plot);
  GString *known = g_string_new(NULL);
  gboolean has = wanted == NULL && quantities->len > 0;
  for (guint i = 0; i < quantities->len; i++) {
    const DebyeQuantity *quantity = quantities->pdata[i];
    has = has || g_strcmp0(quantity->name, wanted) == 0;
    g_string_append_printf(known, "%s%s", i > 0 ? ", " : "", quantity->name);
  }
  g_autofree char *names = g_string_free(known, FALSE);
  g_autofree char *file = debye_error_name_file(path);
  if (!has)
    g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE, "%s: expected one of %s to plot, found “%s”", file,
                quantities->len > 0 ? names : "no quantity (the result has no curve)",
                wanted != NULL ? wanted : "");
  return has;
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
debye_plot_output_save_plot(DebyePlot *plot, DebyeRequest *request, const char *path, GError **error)
{
  double width, height;
  DebyePlotPage page;
  if (!debye_plot_size_parse(debye_request_get(request, "plot-size"), &width, &height, error))
    return FALSE;
  debye_plot_page_init(&page);
  page.width = width * POINTS_PER_MILLIMETRE;
  page.height = height * POINTS_PER_MILLIMETRE;
  return debye_plot_save(plot, &page, path, error);
}

gboolean
debye_plot_output_save(DebyeResult *result, DebyeRequest *request, const char *path, const char *command,
                       GError **error)
{
  g_autoptr(DebyeResultPlot) plot = debye_result_plot_new();
  const char *wanted = get_wanted(request);
  debye_result_plot_set_result(plot, 0, result, NULL);
  if (!check_quantity(plot, wanted, path, error))
    return FALSE;
  debye_result_plot_set_quantity(plot, wanted);
  if (is_csv(path)) {
    g_autoptr(DebyeTable) table = debye_plot_create_table(debye_result_plot_get_plot(plot));
    return debye_result_save_table(result, table, path, command, error);
  }
  return debye_plot_output_save_plot(debye_result_plot_get_plot(plot), request, path, error);
}
