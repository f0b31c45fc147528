/* SPDX-License-Identifier: MIT */
/* Titles, captions and the plot of debye-cli render; called by render_output.c and render_series.c. */
#include <math.h>

#include "app/analysis/analysis_list.h"
#include "cli_work.h"
#include "command_render_private.h"
#include "data/files/error.h"
#include "figure_settings.h"
#include "plot_output.h"

/* --- The plot --- */

static gboolean
is_result(const char *path)
{
  g_autofree char *lower = g_ascii_strdown(path, -1);
  return g_str_has_suffix(lower, ".h5");
}

static DebyeFilmPlot *
load_plot(const char *operand, GError **error)
{
  g_autofree char *path = g_strdup(operand), *name = g_path_get_basename(operand);
  const char *quantity = debye_figure_split_quantity(path);
  const char *const measured[] = {path, NULL};
  g_autoptr(DebyeResultPlot) plot = debye_result_plot_new();
  if (is_result(path)) {
    g_autoptr(DebyeResult) result = debye_result_load(path, debye_analysis_find_table, error);
    if (result == NULL)
      return NULL;
    debye_result_plot_set_result(plot, 0, result, NULL);
    if (!debye_plot_output_choose(plot, quantity, path, error))
      return NULL;
  } else if (!debye_plot_output_add_measured(plot, 0, measured, FALSE, error)) {
    return NULL;
  }
  return debye_film_plot_new(debye_result_plot_get_plot(plot), name, error);
}

static gboolean
add_plot(DebyeRender *render, GError **error)
{
  if (render->settings.plot == NULL)
    return TRUE;
  DebyeFilmPlot *plot = load_plot(render->settings.plot, error);
  if (plot == NULL)
    debye_error_prefix(error, "--plot: ");
  else
    debye_film_page_take_plot(render->page, plot);
  return plot != NULL;
}

/* --- Words --- */

static gboolean
add_words(DebyeRender *render, GError **error)
{
  g_auto(GStrv) titles = debye_setting_split_values(render->settings.title);
  g_auto(GStrv) lines = debye_setting_split_values(render->settings.caption);
  g_autoptr(GError) problem = NULL;
  GPtrArray *captions = debye_film_captions_parse((const char *const *)lines, &problem);
  if (captions == NULL)
    return debye_usage_refuse(error, "render: --caption: %s", problem->message);
  debye_film_page_take_captions(render->page, captions);
  debye_film_page_set_title(render->page, (const char *const *)titles);
  return TRUE;
}

/* They have a time: known when the number of pictures is. */
static gboolean
check_movie(DebyeRender *render, GError **error)
{
  static const char *const of_movies[] = {"title", "title-time", "caption"};
  for (gsize i = 0; i < G_N_ELEMENTS(of_movies); i++) {
    if (!debye_request_is_set(render->request, of_movies[i]) || render->film != NULL ||
        render->n_pictures > 1)
      continue;
    return debye_usage_refuse(error,
                              "render: --%s: expected a movie or several pictures, found one picture. Add "
                              "--frames, --pictures or --turn.",
                              of_movies[i]);
  }
  return TRUE;
}

gboolean
debye_render_open_page(DebyeRender *render, GError **error)
{
  render->time = NAN;
  if (render->settings.title == NULL && render->settings.caption == NULL && render->settings.plot == NULL)
    return TRUE;
  render->page = debye_film_page_new(render->line.width, render->line.height,
                                     debye_picture_size_get_scale(&render->line.size));
  return add_words(render, error) && add_plot(render, error);
}

gboolean
debye_render_check_page(DebyeRender *render, gboolean has_frames, GError **error)
{
  if (!check_movie(render, error))
    return FALSE;
  if (render->page == NULL)
    return TRUE;
  if (!has_frames && debye_film_page_get_plot(render->page) != NULL)
    return debye_usage_refuse(error, "render: --plot: expected frames of a trajectory that its mark follows, "
                                     "found none. Give the files of a molecule, or a session and --frames.");
  const double rate = debye_film_rate_get(&render->line.rate);
  if (debye_film_captions_check(debye_film_page_get_captions(render->page), (double)render->n_pictures / rate,
                                1.0 / rate, error))
    return TRUE;
  debye_error_prefix(error, "--caption: ");
  return FALSE;
}

/* --- Pictures --- */

void
debye_render_get_view_size(const DebyeRender *render, int *width, int *height)
{
  *width = render->line.width;
  *height = render->line.height;
  if (render->page != NULL)
    debye_film_page_get_view_size(render->page, width, height);
}

/* Captions count by the middle of a picture's time, so that their ends are none of rounding. */
GBytes *
debye_render_compose_page(DebyeRender *render, GBytes *view, gsize number, GError **error)
{
  if (render->page == NULL)
    return g_bytes_ref(view);
  DebyeFilmPlot *plot = debye_film_page_get_plot(render->page);
  if (plot != NULL && !debye_film_plot_seek(plot, render->frame, render->time, error)) {
    debye_error_prefix(error, "--plot: ");
    return NULL;
  }
  DebyeLook look = *debye_scene_get_look(render->picture.scene);
  look.background[3] = render->settings.transparent ? 0.0f : look.background[3];
  return debye_film_page_compose(render->page, view, &look,
                                 ((double)number + 0.5) / debye_film_rate_get(&render->line.rate), error);
}

gsize
debye_render_count_title(const DebyeRender *render)
{
  if (render->page == NULL || !debye_film_page_has_title(render->page))
    return 0;
  return MAX(1, (gsize)lround(debye_film_rate_get(&render->line.rate) * render->settings.title_time));
}

gboolean
debye_render_has_times(const DebyeRender *render)
{
  return debye_render_count_title(render) > 0 ||
         (render->page != NULL && debye_film_page_get_captions(render->page) != NULL &&
          debye_film_page_get_captions(render->page)->len > 0);
}

gboolean
debye_render_warn_of_page(DebyeRender *render, GError **error)
{
  static const char *const warnings[] = {
      "--plot: no frame lies within the plot, so that it has no mark. Check that its curves belong to this "
      "trajectory.",
      NULL};
  const DebyeFilmPlot *plot = render->page != NULL ? debye_film_page_get_plot(render->page) : NULL;
  return plot == NULL || debye_film_plot_was_marked(plot) ||
         debye_cli_warn(render->arguments, warnings, error);
}
