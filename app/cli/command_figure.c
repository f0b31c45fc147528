/* SPDX-License-Identifier: MIT */
/* debye-cli figure: several views and plots on one page; listed by command_list.c. */
#include <string.h>

#include "cli_work.h"
#include "command.h"
#include "command_render.h"
#include "data/files/error.h"
#include "figure_settings.h"
#include "app/document/json_writer.h"
#include "plot_output.h"
#include "app/document/session.h"
#include "app/analysis/analysis_list.h"

/* Of a logical pixel of a view, so that its texts are about as large as a plot's. */
#define POINTS_PER_LOGICAL_PIXEL 0.65
#define POINTS_PER_INCH 72.0

/* --- Views --- */

/* What `debye-cli render` draws of a session or of a scene file, as large as a panel. */
static gboolean
add_view(DebyeFigure *figure, const DebyeFigureStyle *style, const char *path, GError **error)
{
  int width, height;
  char scale[G_ASCII_DTOSTR_BUF_SIZE];
  debye_figure_get_panel_pixels(figure, &width, &height);
  g_autofree char *size = g_strdup_printf("%dx%d", width, height);
  g_ascii_dtostr(scale, sizeof scale,
                 CLAMP(style->scale * POINTS_PER_LOGICAL_PIXEL * style->dpi / POINTS_PER_INCH, 0.25, 16.0));
  gboolean is_session = debye_session_is_one(path);
  const char *words[] = {"--quiet", "--output", "panel.png", "--size",
                         size,      "--scale",  scale,       "--samples",
                         "8",       "--preset", "figure",    is_session ? "--" : "--scene",
                         path,      NULL};
  g_autoptr(DebyeArguments) arguments = debye_arguments_parse(&debye_command_render, words, error);
  g_autoptr(GBytes) pixels = arguments != NULL ? debye_render_capture(arguments, error) : NULL;
  if (pixels == NULL)
    return FALSE;
  debye_figure_add_picture(figure, pixels, width, height);
  return TRUE;
}

/* --- Plots --- */

/* A result, or measured curves alone, with the measured curves that stand behind it after a plus sign. */
typedef struct {
  DebyeFigure *figure;
  const DebyeFigureStyle *style;
  DebyeRequest *request;
} Page;

static gboolean
add_plot(const Page *page, DebyeResult *result, const char *path, const char *quantity,
         const char *const *measured, GError **error)
{
  g_autoptr(DebyeResultPlot) plot = debye_result_plot_new();
  debye_result_plot_set_result(plot, 0, result, NULL);
  if ((result != NULL && !debye_plot_output_choose(plot, quantity, path, error)) ||
      !debye_plot_output_add_measured(plot, 1, measured, error))
    return FALSE;
  debye_plot_output_set_log(debye_result_plot_get_plot(plot), page->request);
  debye_figure_add_plot(page->figure, debye_result_plot_get_plot(plot));
  return TRUE;
}

static gboolean
add_result(const Page *page, const char *path, const char *quantity, const char *const *measured,
           GError **error)
{
  g_autoptr(DebyeResult) result = debye_result_load(path, debye_analysis_find_table, error);
  return result != NULL && add_plot(page, result, path, quantity, measured, error);
}

/* --- Panels --- */

static gboolean
has_ending(const char *path, const char *ending)
{
  g_autofree char *lower = g_ascii_strdown(path, -1);
  return g_str_has_suffix(lower, ending);
}

/* What stands after the last colon, where that is no part of the file's name. */
static const char *
split_quantity(char *path)
{
  char *colon = g_file_test(path, G_FILE_TEST_EXISTS) ? NULL : strrchr(path, ':');
  if (colon == NULL)
    return NULL;
  *colon = '\0';
  return colon + 1;
}

/* Whether it is a file, or a quantity of one. */
static gboolean
names_file(const char *part)
{
  g_autofree char *path = g_strdup(part);
  split_quantity(path);
  return g_file_test(path, G_FILE_TEST_EXISTS);
}

/* "rdf.h5+measured.dat" into its files. A plus sign may belong to a name. */
static char **
split_files(const char *operand)
{
  g_auto(GStrv) words = g_strsplit(operand, "+", -1);
  g_autoptr(GStrvBuilder) files = g_strv_builder_new();
  g_autofree char *part = NULL;
  if (*words == NULL)
    g_strv_builder_add(files, operand);
  for (char **word = words; *word != NULL; word++) {
    char *longer = part != NULL ? g_strconcat(part, "+", *word, NULL) : g_strdup(*word);
    g_free(part);
    part = longer;
    if (!names_file(part) && word[1] != NULL)
      continue;
    g_strv_builder_add(files, part);
    g_clear_pointer(&part, g_free);
  }
  return g_strv_builder_end(files);
}

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
    g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE,
                "%s: expected a result (.h5) or curves (.csv) to show measured curves with, found a picture",
                name);
  else
    g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_UNKNOWN,
                "%s: expected a session (.debye), a scene (.scene), a result (.h5), curves (.csv) or a "
                "picture (.png), found another ending",
                name);
  return FALSE;
}

static gboolean
add_panel(const Page *page, const char *operand, GError **error)
{
  g_auto(GStrv) files = split_files(operand);
  const char *const *measured = (const char *const *)files;
  const char *path = files[0], *quantity = split_quantity(files[0]);
  if (has_ending(path, ".h5"))
    return add_result(page, path, quantity, measured + 1, error);
  if (is_curve_file(path))
    return add_plot(page, NULL, path, NULL, measured, error);
  const gboolean is_view = debye_session_is_one(path) || has_ending(path, ".scene");
  if (files[1] != NULL && (is_view || has_ending(path, ".png")))
    return refuse_panel(path, TRUE, error);
  if (is_view)
    return add_view(page->figure, page->style, path, error);
  return has_ending(path, ".png") ? debye_figure_add_file(page->figure, path, error)
                                  : refuse_panel(path, FALSE, error);
}

static void
print_json(const DebyeFigure *figure, const char *const *outputs)
{
  double width, height;
  g_auto(DebyeJson) json;
  debye_figure_get_size(figure, &width, &height);
  debye_json_init(&json);
  debye_json_open(&json, NULL, '{');
  debye_json_strings(&json, "outputs", outputs);
  debye_json_number(&json, "width", width * 25.4 / POINTS_PER_INCH);
  debye_json_number(&json, "height", height * 25.4 / POINTS_PER_INCH);
  debye_json_close(&json, '}');
  debye_json_print(&json);
}

static gboolean
check_line(DebyeArguments *arguments, GError **error)
{
  static const char *const endings[] = {".pdf", ".png", NULL};
  const char *const *outputs = debye_arguments_get_list(arguments, "output");
  if (outputs[0] == NULL) {
    g_set_error_literal(error, DEBYE_USAGE_ERROR, 0, "figure: expected --output FILE.pdf or .png");
    return FALSE;
  }
  return debye_cli_check_outputs(outputs, endings, error);
}

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  const char *const *files = debye_arguments_get_files(arguments);
  const char *const *outputs = debye_arguments_get_list(arguments, "output");
  DebyeFigureStyle style;
  if (!check_line(arguments, error))
    return FALSE;
  debye_figure_style_from_request(&style, debye_arguments_get_request(arguments));
  g_autoptr(DebyeFigure) figure = debye_figure_new(&style, debye_arguments_get_n_files(arguments));
  const Page page = {figure, &style, debye_arguments_get_request(arguments)};
  for (; *files != NULL; files++)
    if (!add_panel(&page, *files, error))
      return FALSE;
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
    "debye-cli figure --letters large -o figure.png left.debye right.debye",
    NULL,
};

const DebyeCommand debye_command_figure = {
    .name = "figure",
    .operands = "PANEL...",
    .summary = "Puts views and plots on one page, lettered",
    .description =
        "Each operand is a panel, row by row: a session that the window saved (.debye), drawn as "
        "it showed it but "
        "white and outlined; a scene file (.scene) of debye-cli render; a result (.h5), its first "
        "quantity or the "
        "one named after a colon; measured curves (.csv, .dat, .txt), also together with a result, "
        "after a plus sign; a picture (.png).\n\n"
        "In a .pdf plots are vectors and views are pixels, as many as --dpi says. With --config "
        "the figure is a "
        "file: its settings, and the panels under “files”, relative to it.",
    .examples = examples,
    .table = &debye_figure_settings,
    .least_operands = 1,
    .max_operands = DEBYE_MAX_PANELS,
    .run = run,
};
