/* SPDX-License-Identifier: MIT */
/* Makes the page of a movie of the dialog's fields; called by window_film.c and window_film_job.c. */
#include "window_film_page.h"

#include <glib/gi18n.h>
#include <math.h>

#include "render/plot/plot_text.h"
#include "render/plot/result_plot.h"

#define PLOTS_KEY "debye-film-plots"
#define TITLE_SECONDS 3.0

/* --- Plots --- */

/* A list may be too narrow for the whole: what differs comes first. */
static char *
name_plot(DebyeResult *result, DebyePlot *plot)
{
  g_autofree char *own = debye_result_dup_name(result);
  g_autofree char *y = debye_plot_text_to_plain(debye_plot_get_label(plot, DEBYE_PLOT_Y));
  const char *title = debye_request_get_table(debye_result_get_request(result))->title;
  return g_strdup_printf("%s · %s", y, own != NULL ? own : _(title));
}

/* All its quantities over time or frames. */
static void
add_result(DebyeResult *result, GPtrArray *plots, GStrvBuilder *names)
{
  g_autoptr(DebyeResultPlot) own = debye_result_plot_new();
  debye_result_plot_set_result(own, 0, result, NULL);
  g_autoptr(GPtrArray) quantities = debye_result_plot_list_quantities(own);
  for (guint i = 0; i < quantities->len; i++) {
    debye_result_plot_set_quantity(own, ((const DebyeQuantity *)quantities->pdata[i])->name);
    g_autofree char *name = name_plot(result, debye_result_plot_get_plot(own));
    DebyeFilmPlot *plot = debye_film_plot_new(debye_result_plot_get_plot(own), name, NULL);
    if (plot == NULL)
      continue;
    g_ptr_array_add(plots, plot);
    g_strv_builder_add(names, name);
  }
}

static void
free_plot(gpointer plot)
{
  if (plot != NULL)
    debye_film_plot_free(plot);
}

void
debye_window_film_page_offer_plots(DebyeWindowDocument *document, DebyeFilmDialog *dialog)
{
  GListModel *results = debye_window_document_get_results(document);
  GPtrArray *plots = g_ptr_array_new_with_free_func(free_plot);
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
  for (guint i = 0; i < g_list_model_get_n_items(results); i++) {
    g_autoptr(DebyeResult) result = g_list_model_get_item(results, i);
    add_result(result, plots, builder);
  }
  g_auto(GStrv) names = g_strv_builder_end(builder);
  g_object_set_data_full(G_OBJECT(dialog), PLOTS_KEY, plots, (GDestroyNotify)g_ptr_array_unref);
  debye_film_dialog_set_plots(dialog, (const char *const *)names);
}

/* --- The page --- */

DebyeFilmPage *
debye_window_film_page_new(DebyeFilmDialog *dialog, const DebyeFilmWish *wish, double scale, GError **error)
{
  g_auto(GStrv) titles = debye_film_dialog_list_titles(dialog);
  g_auto(GStrv) lines = debye_film_dialog_list_captions(dialog);
  GPtrArray *plots = g_object_get_data(G_OBJECT(dialog), PLOTS_KEY);
  const int chosen = debye_film_dialog_get_plot(dialog);
  if (*titles == NULL && *lines == NULL && chosen < 0)
    return NULL;
  g_autoptr(GPtrArray) captions = debye_film_captions_parse((const char *const *)lines, error);
  if (captions == NULL ||
      !debye_film_captions_check(captions, wish->n_pictures / wish->rate, 1.0 / wish->rate, error))
    return NULL;
  DebyeFilmPage *page = debye_film_page_new(wish->width, wish->height, scale);
  debye_film_page_set_title(page, (const char *const *)titles);
  debye_film_page_take_captions(page, g_steal_pointer(&captions));
  if (plots != NULL && chosen >= 0 && chosen < (int)plots->len)
    debye_film_page_take_plot(page, g_steal_pointer(&plots->pdata[chosen]));
  return page;
}

gsize
debye_window_film_page_count_title(const DebyeFilmPage *page, double rate)
{
  return page != NULL && debye_film_page_has_title(page) ? MAX(1, (gsize)lround(TITLE_SECONDS * rate)) : 0;
}
