/* SPDX-License-Identifier: MIT */
/* What stands around the curves of a result: peaks, lines of reference, the caption. */
#include <math.h>
#include <string.h>

#include "data/translation.h"
#include "plot_text.h"
#include "result_plot_private.h"

/* With more of them their numbers would hide the curves. */
#define MOST_LABELLED_PEAKS 6
/* A ripple of a few per cent is marked, not named. */
#define LEAST_LABELLED 1.1

static DebyeTable *
find_table(DebyeResult *result, const char *name)
{
  GListModel *tables = debye_result_get_tables(result);
  for (guint i = 0; i < g_list_model_get_n_items(tables); i++) {
    g_autoptr(DebyeTable) table = g_list_model_get_item(tables, i);
    if (strcmp(debye_table_get_name(table), name) == 0)
      return table; /* the model keeps it */
  }
  return NULL;
}

static gsize
find_column(DebyeTable *table, const char *name)
{
  gsize n_columns = debye_table_get_n_columns(table), column = 0;
  while (column < n_columns && strcmp(debye_table_get_quantity(table, column)->name, name) != 0)
    column++;
  return column;
}

static const double *
find_numbers(DebyeTable *table, const char *name)
{
  gsize column = find_column(table, name);
  return column < debye_table_get_n_columns(table) ? debye_table_get_numbers(table, column) : NULL;
}

static const char *const *
find_texts(DebyeTable *table, const char *name)
{
  gsize column = find_column(table, name);
  return column < debye_table_get_n_columns(table) ? debye_table_get_texts(table, column) : NULL;
}

/* A shell begins where the one before it ends; one that has no end yet is taken as wide behind its peak as
 * before it. */
static void
add_shells(GArray *shells, guint key, DebyeResult *result)
{
  DebyeTable *table = find_table(result, "peaks");
  if (table == NULL)
    return;
  const char *const *pairs = find_texts(table, "pair");
  const double *position = find_numbers(table, "position"), *height = find_numbers(table, "height");
  const double *end = find_numbers(table, "end"), *coordination = find_numbers(table, "coordination");
  if (pairs == NULL || position == NULL || height == NULL || end == NULL || coordination == NULL)
    return;
  for (gsize i = 0; i < debye_table_get_n_rows(table); i++) {
    gboolean follows = i > 0 && strcmp(pairs[i - 1], pairs[i]) == 0;
    double from = follows && isfinite(end[i - 1]) ? end[i - 1] : 0.0;
    double to = isfinite(end[i]) ? end[i] : 2.0 * position[i] - from;
    DebyeResultPlotShell shell = {key, pairs[i], position[i], height[i], from, to, coordination[i]};
    g_array_append_val(shells, shell);
  }
}

/* Whether it is one of the highest. */
static gboolean
is_labelled(const GArray *shells, const DebyeResultPlotShell *shell)
{
  guint n_higher = 0;
  for (guint i = 0; i < shells->len; i++)
    n_higher += g_array_index(shells, DebyeResultPlotShell, i).height > shell->height;
  return n_higher < MOST_LABELLED_PEAKS && shell->height >= LEAST_LABELLED;
}

static void
add_peaks(DebyePlot *plot, const GArray *shells)
{
  for (guint i = 0; i < shells->len; i++) {
    const DebyeResultPlotShell *shell = &g_array_index(shells, DebyeResultPlotShell, i);
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(number, sizeof number, "%.2f", shell->position);
    debye_plot_add_peak(plot, shell->position, shell->height, is_labelled(shells, shell) ? number : NULL);
  }
}

/* How the curves are normalised and of which frames they are is told by the result's notes, each under the
 * name of what it is about. */
static gboolean
is_in_caption(const char *note, const DebyeQuantity *quantity)
{
  g_autofree char *about = g_strconcat(quantity->label, ": ", NULL);
  return g_str_has_prefix(note, about) || g_str_has_prefix(note, "Frames: ") ||
         g_str_has_prefix(note, "Contrast: ");
}

/* What holds of several results is said once. */
static void
append_sentence(GPtrArray *sentences, const char *english)
{
  char *sentence = debye_translate(english);
  if (g_ptr_array_find_with_equal_func(sentences, sentence, g_str_equal, NULL))
    g_free(sentence);
  else
    g_ptr_array_add(sentences, sentence);
}

static void
append_caption(GPtrArray *sentences, const DebyeResultPlotEntry *entry, const DebyeQuantity *quantity)
{
  append_sentence(sentences, debye_result_get_title(entry->result));
  for (const char *const *note = debye_result_get_notes(entry->result); *note != NULL; note++)
    if (is_in_caption(*note, quantity))
      append_sentence(sentences, *note);
  if (debye_result_is_partial(entry->result))
    append_sentence(sentences, entry->is_growing ? "still running" : "stopped early, partial");
}

static gboolean
has_curve_of(DebyeResult *result, const DebyeQuantity *quantity)
{
  GListModel *curves = debye_result_get_curves(result);
  for (guint i = 0; i < g_list_model_get_n_items(curves); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    if (debye_result_plot_fits(debye_curve_get_y_quantity(curve), quantity))
      return TRUE;
  }
  return FALSE;
}

/* Of all whose curves are shown; of a map that of the first result, whose it is. */
static char *
write_caption(const GPtrArray *entries, const DebyeQuantity *quantity)
{
  g_autoptr(GPtrArray) sentences = g_ptr_array_new_with_free_func(g_free);
  for (guint i = 0; i < entries->len; i++) {
    const DebyeResultPlotEntry *entry = g_ptr_array_index(entries, i);
    if (entry->result != NULL && has_curve_of(entry->result, quantity))
      append_caption(sentences, entry, quantity);
  }
  for (guint i = 0; i < entries->len && sentences->len == 0; i++) {
    const DebyeResultPlotEntry *entry = g_ptr_array_index(entries, i);
    if (entry->result != NULL)
      append_caption(sentences, entry, quantity);
  }
  g_ptr_array_add(sentences, NULL);
  return sentences->len > 1 ? g_strjoinv("; ", (char **)sentences->pdata) : NULL;
}

void
debye_result_plot_mark(DebyePlot *plot, const GPtrArray *entries, const DebyeQuantity *quantity,
                       GArray *shells)
{
  gboolean is_distribution = quantity != NULL && strcmp(quantity->name, "g") == 0;
  g_autofree char *caption = quantity != NULL ? write_caption(entries, quantity) : NULL;
  debye_plot_clear_marks(plot);
  g_array_set_size(shells, 0);
  for (guint i = 0; quantity != NULL && i < entries->len; i++) {
    const DebyeResultPlotEntry *entry = g_ptr_array_index(entries, i);
    if (entry->result != NULL && is_distribution)
      add_shells(shells, entry->key, entry->result);
  }
  if (is_distribution)
    debye_plot_add_reference(plot, DEBYE_PLOT_Y, 1.0, NULL);
  add_peaks(plot, shells);
  debye_plot_set_caption(plot, caption);
}
