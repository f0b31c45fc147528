/* SPDX-License-Identifier: MIT */
/* debye-cli figure: several views and plots on one page; listed by command_list.c. */
#include <math.h>
#include <string.h>

#include "cli_work.h"
#include "arguments.h"
#include "command_render.h"
#include "data/files/error.h"
#include "figure_settings.h"
#include "app/document/json_writer.h"
#include "plot_output.h"
#include "render/look/plot_look.h"
#include "render/plot/plot_style.h"
#include "app/document/session.h"
#include "app/analysis/analysis_list.h"
#include "app/analysis/scattering/time/scattering_dynamic_result.h"

/* Of a logical pixel of a view, so that its texts are about as large as a plot's. */
#define POINTS_PER_LOGICAL_PIXEL 0.65
#define POINTS_PER_INCH 72.0

/* --- Views --- */

/* The page is seen behind the view, and distant things fade into its colour. */
static void
add_dark_page(GStrvBuilder *words)
{
  DebyePlotStyle page;
  debye_plot_style_init(&page, TRUE, 1.0);
  g_autofree char *color = g_strdup_printf("#%02x%02x%02x", (guint)lround(255.0 * page.background.red),
                                           (guint)lround(255.0 * page.background.green),
                                           (guint)lround(255.0 * page.background.blue));
  g_strv_builder_add_many(words, "--transparent", "--background", color, NULL);
}

/* What `debye-cli render` draws of a session or of a scene file, as large as a panel. */
static gboolean
add_view(DebyeFigure *figure, const DebyeFigureStyle *style, const char *path, GError **error)
{
  int width, height;
  char scale[G_ASCII_DTOSTR_BUF_SIZE];
  debye_figure_get_panel_pixels(figure, &width, &height);
  g_autofree char *size = g_strdup_printf("%dx%d", width, height);
  g_ascii_dtostr(
      scale, sizeof scale,
      CLAMP(debye_figure_get_text_scale(figure) * POINTS_PER_LOGICAL_PIXEL * style->dpi / POINTS_PER_INCH,
            0.25, 16.0));
  g_autoptr(GStrvBuilder) words = g_strv_builder_new();
  g_strv_builder_add_many(words, "--quiet", "--output", "panel.png", "--size", size, "--scale", scale,
                          "--samples", "8", "--preset", style->dark ? "screen" : "figure", NULL);
  if (style->text_size > 0.0) {
    char text_size[G_ASCII_DTOSTR_BUF_SIZE], dpi[G_ASCII_DTOSTR_BUF_SIZE];
    g_strv_builder_add_many(words, "--text-size",
                            g_ascii_dtostr(text_size, sizeof text_size, style->text_size), "--dpi",
                            g_ascii_dtostr(dpi, sizeof dpi, style->dpi), NULL);
  }
  if (style->dark)
    add_dark_page(words);
  g_strv_builder_add_many(words, debye_session_is_one(path) ? "--" : "--scene", path, NULL);
  g_auto(GStrv) line = g_strv_builder_end(words);
  g_autoptr(DebyeArguments) arguments =
      debye_arguments_parse(&debye_command_render, (const char *const *)line, error);
  g_autoptr(GBytes) pixels = arguments != NULL ? debye_render_capture(arguments, error) : NULL;
  if (pixels == NULL)
    return FALSE;
  debye_figure_add_picture(figure, pixels, width, height);
  return TRUE;
}

/* --- Plots --- */

static gboolean
has_ending(const char *path, const char *ending)
{
  g_autofree char *lower = g_ascii_strdown(path, -1);
  return g_str_has_suffix(lower, ending);
}

/* A result, or measured curves alone, with further results and measured curves that stand behind it after plus signs. */
typedef struct {
  DebyeFigure *figure;
  const DebyeFigureStyle *style;
  DebyeRequest *request;
  DebyePlotLook *look;
  gboolean has_also, has_second; /* a panel has the further quantities that were asked for */
  DebyePlotLook *own_look;       /* of this panel alone, over the other; NULL: none */
  DebyeRequest *own_request;
  DebyeStages *stages;
} Page;

/* Results have the names of their files where there are several. */
static char *
name_result(const char *path)
{
  g_autofree char *name = g_path_get_basename(path);
  char *dot = strrchr(name, '.');
  if (dot != NULL && dot != name)
    *dot = '\0';
  return g_utf8_make_valid(name, -1);
}

static gboolean
has_quantity(DebyeResult *result, const char *name)
{
  g_autoptr(DebyeResultPlot) plot = debye_result_plot_new();
  debye_result_plot_set_result(plot, 0, result, NULL);
  g_autoptr(GPtrArray) quantities = debye_result_plot_list_quantities(plot);
  for (guint i = 0; i < quantities->len; i++)
    if (strcmp(((const DebyeQuantity *)quantities->pdata[i])->name, name) == 0)
      return TRUE;
  return FALSE;
}

/* The quantity of the curves that a matrix of this name is also shown as (F over q and time has curves F(τ)); else that of its
 * map. NULL: none such. */
static char *
find_matrix_quantity(DebyeResult *result, const char *name)
{
  GListModel *matrices = debye_result_get_matrices(result);
  for (guint i = 0; i < g_list_model_get_n_items(matrices); i++) {
    g_autoptr(DebyeMatrix) matrix = g_list_model_get_item(matrices, i);
    if (strcmp(debye_matrix_get_name(matrix), name) != 0)
      continue;
    const char *value = debye_matrix_get_quantity(matrix)->name,
               *curves = strcmp(value, DEBYE_SCATTERING_F_MATRIX) == 0 ? DEBYE_SCATTERING_F : value;
    return has_quantity(result, curves) ? g_strdup(curves) : g_strconcat(value, "-map", NULL);
  }
  return NULL;
}

/* The result gets a curve of the column of that name, or of its real part, over the first column of its table. FALSE:
 * there is none such. */
static gboolean
add_column(DebyeResult *result, const char *name)
{
  GListModel *tables = debye_result_get_tables(result);
  g_autofree char *real = g_strconcat(name, "_re", NULL);
  for (guint i = 0; i < g_list_model_get_n_items(tables); i++) {
    g_autoptr(DebyeTable) table = g_list_model_get_item(tables, i);
    for (gsize k = 1; k < debye_table_get_n_columns(table); k++) {
      const DebyeQuantity *own = debye_table_get_quantity(table, k);
      const double *x = debye_table_get_numbers(table, 0), *y = debye_table_get_numbers(table, k);
      if (x == NULL || y == NULL || (strcmp(own->name, name) != 0 && strcmp(own->name, real) != 0))
        continue;
      const DebyeQuantity quantity = {name, name, own->unit};
      g_autoptr(DebyeCurve) curve =
          debye_curve_new(name, debye_table_get_quantity(table, 0), &quantity, DEBYE_CURVE_LINE,
                          debye_table_get_n_rows(table), x, y, NULL);
      debye_result_add_curve(result, curve);
      return TRUE;
    }
  }
  return FALSE;
}

/* Also by the names of groups of the file: "fqt", "fq0". One that the result has not stays as it is. */
static char *
find_quantity(DebyeResult *result, const char *name)
{
  char *known = has_quantity(result, name) ? NULL : find_matrix_quantity(result, name);
  if (known == NULL && !has_quantity(result, name))
    add_column(result, name);
  return known != NULL ? known : g_strdup(name);
}

static gboolean
refuse_own(const char *path, const char *quantity, const char *expected, GError **error)
{
  g_autofree char *name = debye_error_name_file(path);
  return debye_error_set(error, DEBYE_ERROR_VALUE, "%s: expected %s, found “%s”", name, expected, quantity);
}

/* A result with a quantity of its own, "rdf.h5:coordination" behind a plus sign. */
static gboolean
add_own(DebyeResultPlot *plot, guint key, const char *path, const char *label, const char *quantity,
        GError **error)
{
  g_autoptr(DebyeResult) result = debye_result_load(path, debye_analysis_find_table, error);
  g_autofree char *known = result != NULL ? find_quantity(result, quantity) : NULL;
  if (result == NULL)
    return FALSE;
  if (!has_quantity(result, known))
    return refuse_own(path, quantity, "a quantity of the result", error);
  return debye_result_plot_add_own(plot, key, result, label, known) ||
         refuse_own(
             path, quantity,
             "a quantity over the axis of the panel's first one, in the unit of its left or right axis",
             error);
}

/* A result that has the quantity is one more of them; other files, also .h5 of other programs, are measured. */
static gboolean
add_further(DebyeResultPlot *plot, char **paths, const char *first_label, gboolean with_caption,
            GError **error)
{
  const DebyeQuantity *shown = debye_result_plot_get_quantity(plot);
  for (guint i = 0; paths[i] != NULL; i++) {
    const char *quantity = debye_figure_split_quantity(paths[i]);
    g_autoptr(DebyeResult) result = has_ending(paths[i], ".h5") && quantity == NULL
                                        ? debye_result_load(paths[i], debye_analysis_find_table, NULL)
                                        : NULL;
    const char *const measured[] = {paths[i], NULL};
    g_autofree char *label = first_label != NULL ? name_result(paths[i]) : NULL;
    if (quantity != NULL) {
      if (!add_own(plot, 1 + i, paths[i], label, quantity, error))
        return FALSE;
    } else if (result != NULL && shown != NULL && has_quantity(result, shown->name))
      debye_result_plot_set_result(plot, 1 + i, result, label);
    else if (!debye_plot_output_add_measured(plot, 1 + i, measured, with_caption, error))
      return FALSE;
  }
  return TRUE;
}

static DebyeRequest *
find_request(const Page *page, const char *key)
{
  const gboolean is_own = page->own_request != NULL && debye_request_is_set(page->own_request, key);
  return is_own ? page->own_request : page->request;
}

static gboolean
have_quantities(char **files)
{
  for (; *files != NULL; files++)
    if (!g_file_test(*files, G_FILE_TEST_EXISTS) && strrchr(*files, ':') != NULL)
      return TRUE;
  return FALSE;
}

/* Files that have quantities of their own say what is on the axes, and no others can join them there. */
static gboolean
check_own(const Page *page, const char *path, GError **error)
{
  static const char *const keys[] = {"also", "second"};
  for (gsize i = 0; i < G_N_ELEMENTS(keys); i++) {
    const char *wanted = debye_request_get(find_request(page, keys[i]), keys[i]);
    if (wanted == NULL)
      continue;
    g_autofree char *name = debye_error_name_file(path);
    return debye_error_set(error, DEBYE_ERROR_VALUE,
                           "--%s: the panel of %s names its quantities itself. Add “+%s:%s” to this panel, "
                           "or give --%s to other panels alone by PANEL@FILE.",
                           keys[i], name, name, wanted, keys[i]);
  }
  return TRUE;
}

/* Where a panel has no such quantity, another one may. */
static void
add_quantities(Page *page, DebyeResultPlot *plot, const char *path)
{
  if (debye_plot_output_set_also(plot, find_request(page, "also"), path, NULL))
    page->has_also = TRUE;
  if (debye_plot_output_set_second(plot, find_request(page, "second"), path, NULL))
    page->has_second = TRUE;
}

/* Whether all are the same file with other quantities, whose name tells nothing apart. */
static gboolean
is_one_file(const char *path, char **further)
{
  for (; *further != NULL; further++) {
    g_autofree char *other = g_strdup(*further);
    if (debye_figure_split_quantity(other) == NULL || strcmp(other, path) != 0)
      return FALSE;
  }
  return TRUE;
}

static gboolean
add_plot(Page *page, DebyeResult *result, const char *path, const char *quantity, char **further,
         GError **error)
{
  g_autoptr(DebyeResultPlot) plot = debye_result_plot_new();
  g_autofree char *label = is_one_file(path, further) ? NULL : name_result(path);
  if (have_quantities(further) && !check_own(page, path, error))
    return FALSE;
  debye_result_plot_set_result(plot, 0, result, label);
  if ((result != NULL && !debye_plot_output_choose(plot, quantity, path, error)) ||
      !(result != NULL ? add_further(plot, further, label, page->style->captions, error)
                       : debye_plot_output_add_measured(plot, 1, (const char *const *)further,
                                                        page->style->captions, error)))
    return FALSE;
  add_quantities(page, plot, path);
  if (!debye_plot_look_apply(page->look, debye_result_plot_get_plot(plot), error) ||
      (page->own_look != NULL &&
       !debye_plot_look_apply(page->own_look, debye_result_plot_get_plot(plot), error)))
    return FALSE;
  debye_figure_add_plot(page->figure, debye_result_plot_get_plot(plot));
  return TRUE;
}

static gboolean
add_result(Page *page, const char *path, const char *quantity, char **further, GError **error)
{
  g_autoptr(DebyeResult) result = debye_result_load(path, debye_analysis_find_table, error);
  g_autofree char *known = result != NULL && quantity != NULL ? find_quantity(result, quantity) : NULL;
  return result != NULL && add_plot(page, result, path, known, further, error);
}

/* --- Panels --- */

static gboolean
is_curve_file(const char *path)
{
  static const char *const endings[] = {".csv", ".dat", ".txt", ".xy", ".out", ".xml", NULL};
  for (gsize i = 0; endings[i] != NULL; i++)
    if (has_ending(path, endings[i]))
      return TRUE;
  return FALSE;
}

static gboolean
refuse_panel(const char *path, gboolean has_more, GError **error)
{
  g_autofree char *name = debye_error_name_file(path);
  if (has_more)
    return debye_error_set(
        error, DEBYE_ERROR_VALUE,
        "%s: expected a result (.h5) or curves (.csv) to show measured curves with, found a picture", name);
  return debye_error_set(error, DEBYE_ERROR_UNKNOWN,
                         "%s: expected a session (.debye), a scene (.scene), a result (.h5), curves (.csv) "
                         "or a picture (.png), found another ending",
                         name);
}

static gboolean
add_panel(Page *page, const char *operand, GError **error)
{
  g_auto(GStrv) files = debye_figure_split_files(operand);
  const char *path = files[0], *quantity = debye_figure_split_quantity(files[0]);
  if (has_ending(path, ".h5"))
    return add_result(page, path, quantity, files + 1, error);
  if (is_curve_file(path))
    return add_plot(page, NULL, path, NULL, files, error);
  const gboolean is_view = debye_session_is_one(path) || has_ending(path, ".scene");
  if (files[1] != NULL && (is_view || has_ending(path, ".png")))
    return refuse_panel(path, TRUE, error);
  if (is_view) {
    debye_stages_enter(page->stages, DEBYE_STAGE_COMPUTE);
    return add_view(page->figure, page->style, path, error);
  }
  return has_ending(path, ".png") ? debye_figure_add_file(page->figure, path, error)
                                  : refuse_panel(path, FALSE, error);
}

/* Of all panels, or of one of them. */
static gboolean
finish_look(const Page *page, DebyePlotLook *look, DebyeRequest *request, GError **error)
{
  const char *also = debye_request_get(request, "also"), *second = debye_request_get(request, "second");
  if (also != NULL && !page->has_also)
    return debye_error_set(
        error, DEBYE_ERROR_VALUE,
        "--also: expected quantities that a panel has over its axis and in its unit, found “%s”", also);
  if (second != NULL && !page->has_second)
    return debye_error_set(error, DEBYE_ERROR_VALUE,
                           "--second: expected a quantity that a panel has over its axis, found “%s”",
                           second);
  return debye_plot_look_finish(look, error);
}

static gboolean
add_styled_panel(Page *page, const char *operand, GError **error)
{
  g_autofree char *panel = g_strdup(operand);
  const char *style = debye_figure_split_style(panel);
  if (style == NULL)
    return add_panel(page, operand, error);
  const char *const line[] = {"--quiet", "--config", style, "--output", "panel.pdf", "--", panel, NULL};
  g_autoptr(DebyeArguments) arguments = debye_arguments_parse(&debye_command_figure, line, error);
  if (arguments == NULL)
    return FALSE;
  DebyeRequest *request = debye_arguments_get_request(arguments);
  g_autoptr(DebyePlotLook) look = debye_plot_look_new(request);
  Page own = *page;
  own.own_look = look;
  own.own_request = request;
  own.has_also = own.has_second = FALSE;
  if (!add_panel(&own, panel, error) || !finish_look(&own, look, request, error))
    return FALSE;
  page->has_also = page->has_also || own.has_also;
  page->has_second = page->has_second || own.has_second;
  return TRUE;
}

/* Views are computed, with their sessions read; results and measured curves are opened. */
static gboolean
add_panels(Page *page, DebyeArguments *arguments, GError **error)
{
  const char *const *files = debye_arguments_get_files(arguments);
  page->stages = debye_arguments_get_stages(arguments);
  for (; *files != NULL; files++) {
    debye_stages_enter(page->stages, DEBYE_STAGE_OPEN);
    if (!add_styled_panel(page, *files, error))
      return FALSE;
  }
  return TRUE;
}

static void
print_json(const DebyeFigure *figure, const char *const *outputs)
{
  double width, height;
  debye_figure_get_size(figure, &width, &height);
  g_auto(DebyeJson) json = debye_json_begin();
  debye_json_strings(&json, "outputs", outputs);
  debye_json_number(&json, "width", width * 25.4 / POINTS_PER_INCH);
  debye_json_number(&json, "height", height * 25.4 / POINTS_PER_INCH);
  debye_json_print(&json);
}

static gboolean
check_line(DebyeArguments *arguments, GError **error)
{
  static const char *const endings[] = {".pdf", ".svg", ".png", ".tiff", ".tif", NULL};
  const char *const *outputs = debye_arguments_get_list(arguments, "output");
  if (outputs[0] == NULL)
    return debye_usage_refuse(error, "figure: expected --output FILE.pdf, .svg, .png or .tiff");
  return debye_cli_check_outputs(outputs, endings, error);
}

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  const char *const *outputs = debye_arguments_get_list(arguments, "output");
  static const char *const none[] = {NULL};
  DebyeFigureStyle style;
  if (!check_line(arguments, error))
    return FALSE;
  g_autoptr(DebyePictureOrigin) origin = NULL;
  if (!debye_figure_style_from_request(&style, debye_arguments_get_request(arguments), error) ||
      !debye_cli_find_origin(arguments, none, NULL, &origin, error))
    return FALSE;
  if (!debye_cli_warn_of_fonts(arguments, error))
    return FALSE;
  style.origin = origin;
  g_autoptr(DebyeFigure) figure = debye_figure_new(&style, debye_arguments_get_n_files(arguments));
  g_autoptr(DebyePlotLook) look = debye_plot_look_new(debye_arguments_get_request(arguments));
  Page page = {figure, &style, debye_arguments_get_request(arguments), look, FALSE, FALSE, NULL, NULL, NULL};
  if (!add_panels(&page, arguments, error) || !finish_look(&page, page.look, page.request, error))
    return FALSE;
  debye_stages_enter(debye_arguments_get_stages(arguments), DEBYE_STAGE_WRITE);
  for (gsize i = 0; outputs[i] != NULL; i++) {
    if (!debye_figure_save(figure, outputs[i], error))
      return FALSE;
    debye_cli_say(arguments, "written: %s", outputs[i]);
  }
  if (debye_arguments_get_options(arguments).json)
    print_json(figure, outputs);
  return TRUE;
}

static const char *const examples[] = {
    "debye-cli figure -o figure.pdf lysozyme.debye rdf.h5 scattering.h5 rdf.h5:coordination",
    "debye-cli figure --columns 1 --width 89 --dpi 600 -o column.pdf pocket.scene potential-profile.h5",
    "debye-cli figure --log x -o measured.pdf rdf.h5:structure_factor+measured.dat",
    "debye-cli figure -o both.pdf rdf.h5 scattering.h5+measured.dat@log.ini",
    "debye-cli figure --letters large -o figure.png left.debye right.debye",
    NULL,
};

const DebyeCommand debye_command_figure = {
    .name = "figure",
    .operands = "PANEL...",
    .summary = "Arranges views and plots on one page, with panel letters",
    .description =
        "Each operand is a panel, row by row: a session that the window saved (.debye), drawn as the window "
        "showed it, but on white and with outlines; a scene file (.scene) of debye-cli render; a result "
        "(.h5), its first quantity or the one named after a colon; measured curves (.csv, .dat, .txt); a "
        "picture (.png). Plus signs join several results and measured curves in one panel.\n\nIn a .pdf "
        "plots are vectors, and views are pixels at the resolution of --dpi. A file given with --config can "
        "hold the whole figure: its settings, and the panels under “files”, relative to that file. "
        "PANEL@FILE applies the plot options in FILE to that panel alone.",
    .examples = examples,
    .table = &debye_figure_settings,
    .draws = TRUE,
    .least_operands = 1,
    .max_operands = DEBYE_MAX_PANELS,
    .run = run,
};
