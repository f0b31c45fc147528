/* SPDX-License-Identifier: MIT */
/* What stands around the curves of a result: peaks, lines of reference, the caption. */
#include <math.h>
#include <string.h>

#include "data/results/curve_of.h"
#include "data/results/fit_range.h"
#include "data/results/note.h"
#include "data/messages/message.h"
#include "plot_text.h"
#include "result_plot_private.h"

/* Up to so many all have their numbers. With more these would hide the curves, and the first of each
 * distribution has. */
#define MAX_NUMBERED_PEAKS 8
/* What rises less above 1 is not told from noise by the eye. */
#define LEAST_MARKED 1.02

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
    DebyeResultPlotShell shell = {key, pairs[i], position[i], height[i], from, to, coordination[i], !follows};
    if (height[i] >= LEAST_MARKED)
      g_array_append_val(shells, shell);
  }
}

double
debye_result_plot_find_fullest(const GPtrArray *entries)
{
  g_autoptr(GArray) shells = g_array_new(FALSE, FALSE, sizeof(DebyeResultPlotShell));
  double fullest = 0.0;
  for (guint i = 0; i < entries->len; i++) {
    const DebyeResultPlotEntry *entry = g_ptr_array_index(entries, i);
    if (entry->result != NULL)
      add_shells(shells, entry->key, entry->result);
  }
  for (guint i = 0; i < shells->len; i++) {
    const DebyeResultPlotShell *shell = &g_array_index(shells, DebyeResultPlotShell, i);
    if (shell->is_first && isfinite(shell->coordination))
      fullest = fmax(fullest, shell->coordination);
  }
  return fullest;
}

static void
add_peaks(DebyePlot *plot, const GArray *shells)
{
  for (guint i = 0; i < shells->len; i++) {
    const DebyeResultPlotShell *shell = &g_array_index(shells, DebyeResultPlotShell, i);
    gboolean is_numbered = shells->len <= MAX_NUMBERED_PEAKS || shell->is_first;
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(number, sizeof number, "%.2f", shell->position);
    debye_plot_add_peak(plot, shell->position, shell->height, is_numbered ? number : NULL);
  }
}

/* Of more pairs the caption would be a table. */
#define MAX_CAPTIONED_PAIRS 3
/* Beyond the third, shells are hardly told from noise. Of several pairs the second is said, too: the first may be a bond. */
#define MAX_CAPTIONED_SHELLS 3
#define MAX_SHELLS_OF_PAIRS 2

/* The coordination numbers of the shells of a pair behind its first one: “, 19.7 up to 5.61 Å”. */
static void
append_further_shells(GString *sentence, const GArray *shells, guint first, guint n_pairs)
{
  const guint end_of_all =
      MIN(shells->len, first + (n_pairs == 1 ? MAX_CAPTIONED_SHELLS : MAX_SHELLS_OF_PAIRS));
  const char *pair = g_array_index(shells, DebyeResultPlotShell, first).pair;
  for (guint i = first + 1; i < end_of_all; i++) {
    const DebyeResultPlotShell *shell = &g_array_index(shells, DebyeResultPlotShell, i);
    char number[G_ASCII_DTOSTR_BUF_SIZE], end[G_ASCII_DTOSTR_BUF_SIZE];
    /* The next pair's may begin with its second one, where its first is too low to be marked. */
    if (strcmp(shell->pair, pair) != 0 || !isfinite(shell->coordination))
      return;
    g_ascii_formatd(number, sizeof number, shell->coordination < 10.0 ? "%.2f" : "%.1f", shell->coordination);
    g_ascii_formatd(end, sizeof end, "%.2f", shell->to);
    g_autofree char *further = debye_say("%s up to %s Å", number, end);
    g_string_append_printf(sentence, ", %s", further);
  }
}

/* The coordination numbers of each pair's first shells. */
static void
add_shell_sentences(GPtrArray *sentences, DebyeResult *result)
{
  g_autoptr(GArray) shells = g_array_new(FALSE, FALSE, sizeof(DebyeResultPlotShell));
  guint n_pairs = 0;
  add_shells(shells, 0, result);
  for (guint i = 0; i < shells->len; i++)
    n_pairs += g_array_index(shells, DebyeResultPlotShell, i).is_first;
  for (guint i = 0; i < shells->len && n_pairs <= MAX_CAPTIONED_PAIRS; i++) {
    const DebyeResultPlotShell *shell = &g_array_index(shells, DebyeResultPlotShell, i);
    if (!shell->is_first || !isfinite(shell->coordination))
      continue;
    char number[G_ASCII_DTOSTR_BUF_SIZE], end[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(number, sizeof number, "%.2f", shell->coordination);
    g_ascii_formatd(end, sizeof end, "%.2f", shell->to);
    g_autofree char *pair = debye_plot_text_from_name(shell->pair);
    g_autofree char *first = debye_say("%s: %s neighbours up to %s Å", pair, number, end);
    g_autoptr(GString) sentence = g_string_new(first);
    append_further_shells(sentence, shells, i, n_pairs);
    g_ptr_array_add(sentences, g_strdup(sentence->str));
  }
}

/* A scattering has an S(q), too, which is of no pair. */
static gboolean
has_distribution(GListModel *curves, const char *pair)
{
  for (guint i = 0; i < g_list_model_get_n_items(curves); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    if (g_str_equal(debye_curve_get_name(curve), pair) &&
        g_str_equal(debye_curve_get_y_quantity(curve)->name, "g"))
      return TRUE;
  }
  return FALSE;
}

/* The pair of a distribution that stands alone, without a legend. */
static void
add_pair(GPtrArray *sentences, DebyeResult *result, const DebyeQuantity *quantity)
{
  GListModel *curves = debye_result_get_curves(result);
  g_autoptr(DebyeCurve) only = NULL;
  guint n = 0;
  for (guint i = 0; i < g_list_model_get_n_items(curves); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    if (debye_result_plot_fits(debye_curve_get_y_quantity(curve), quantity) && n++ == 0)
      only = g_steal_pointer(&curve);
  }
  if (n != 1)
    return;
  const char *pair = debye_curve_of_find(curves, only);
  if (!g_str_equal(quantity->name, "structure_factor") || has_distribution(curves, pair))
    g_ptr_array_add(sentences, debye_plot_text_from_name(pair));
}

static gboolean
has_note(const GPtrArray *notes, DebyeNoteKind kind)
{
  for (guint i = 0; i < notes->len; i++)
    if (((const DebyeNote *)g_ptr_array_index(notes, i))->kind == kind)
      return TRUE;
  return FALSE;
}

static gboolean
is_of_pair(const DebyeQuantity *quantity)
{
  static const char *const names[] = {"g", "coordination", "mean_force_potential", "structure_factor", NULL};
  return g_strv_contains(names, quantity->name);
}

static GPtrArray *
list_sentences(const DebyeResultPlotEntry *entry, const DebyeQuantity *quantity)
{
  GPtrArray *sentences = g_ptr_array_new_with_free_func(g_free);
  g_ptr_array_add(sentences, debye_message_translate(debye_result_get_title_message(entry->result)));
  /* Before how it was made: a narrow plot has no room for all. */
  const guint n_before = sentences->len;
  if (strcmp(quantity->name, "g") == 0 || strcmp(quantity->name, "coordination") == 0)
    add_shell_sentences(sentences, entry->result);
  if (is_of_pair(quantity) && sentences->len == n_before)
    add_pair(sentences, entry->result, quantity);
  GPtrArray *notes = debye_result_get_notes(entry->result);
  const gboolean has_span = has_note(notes, DEBYE_NOTE_SPAN);
  for (guint i = 0; i < notes->len; i++) {
    const DebyeNote *note = g_ptr_array_index(notes, i);
    if (debye_note_is_in_caption(note, quantity) && !(has_span && note->kind == DEBYE_NOTE_FRAMES))
      g_ptr_array_add(sentences, debye_note_translate(note));
  }
  if (debye_result_is_partial(entry->result))
    g_ptr_array_add(sentences, debye_message_translate(entry->is_growing ? N_("still running")
                                                                         : N_("stopped early, partial")));
  return sentences;
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

static gboolean
has_matrix(DebyeResult *result, DebyeMatrix *wanted)
{
  GListModel *matrices = debye_result_get_matrices(result);
  for (guint i = 0; i < g_list_model_get_n_items(matrices); i++) {
    g_autoptr(DebyeMatrix) matrix = g_list_model_get_item(matrices, i);
    if (matrix == wanted)
      return TRUE;
  }
  return FALSE;
}

/* Those whose curves are shown; of a heat map the one that has it: others that are shown with other quantities
 * say nothing about it. */
static GPtrArray *
list_captioned(const GPtrArray *entries, const DebyeQuantity *quantity, DebyeMatrix *matrix)
{
  GPtrArray *captioned = g_ptr_array_new();
  for (guint i = 0; i < entries->len; i++) {
    DebyeResultPlotEntry *entry = g_ptr_array_index(entries, i);
    if (entry->result != NULL &&
        (matrix != NULL ? has_matrix(entry->result, matrix)
                        : debye_result_plot_owns(entry, quantity) && has_curve_of(entry->result, quantity)))
      g_ptr_array_add(captioned, entry);
  }
  return captioned;
}

static gboolean
holds_of_all(const GPtrArray *stories, const char *sentence)
{
  for (guint i = 0; i < stories->len; i++)
    if (!g_ptr_array_find_with_equal_func(stories->pdata[i], sentence, g_str_equal, NULL))
      return FALSE;
  return TRUE;
}

/* What holds of all is said once, and what holds of one under the name that the legend has for it. */
static void
append_story(GPtrArray *caption, const GPtrArray *stories, GPtrArray *story, const char *label)
{
  for (guint i = 0; i < story->len; i++) {
    const char *sentence = story->pdata[i];
    char *said = label == NULL || holds_of_all(stories, sentence)
                     ? g_strdup(sentence)
                     : g_strdup_printf("%s: %s", label, sentence);
    if (g_ptr_array_find_with_equal_func(caption, said, g_str_equal, NULL))
      g_free(said);
    else
      g_ptr_array_add(caption, said);
  }
}

static char *
write_caption(const GPtrArray *entries, const DebyeQuantity *quantity, DebyeMatrix *matrix)
{
  g_autoptr(GPtrArray) captioned = list_captioned(entries, quantity, matrix);
  /* Notes name "F(q, τ)", also for its map. */
  const DebyeQuantity *subject = matrix != NULL ? debye_matrix_get_quantity(matrix) : quantity;
  g_autoptr(GPtrArray) stories = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
  g_autoptr(GPtrArray) caption = g_ptr_array_new_with_free_func(g_free);
  for (guint i = 0; i < captioned->len; i++)
    g_ptr_array_add(stories, list_sentences(captioned->pdata[i], subject));
  for (guint i = 0; i < captioned->len; i++)
    append_story(caption, stories, stories->pdata[i],
                 ((const DebyeResultPlotEntry *)captioned->pdata[i])->label);
  for (guint i = 0; i < entries->len; i++) {
    const DebyeResultPlotEntry *entry = entries->pdata[i];
    if (entry->measured != NULL && entry->label != NULL)
      g_ptr_array_add(caption, g_strdup(entry->label));
  }
  g_ptr_array_add(caption, NULL);
  return caption->len > 1 ? g_strjoinv("; ", (char **)caption->pdata) : NULL;
}

/* Of the first result that has such a fit. */
static gboolean
find_range(const GPtrArray *entries, const DebyeFitRangeKind *kind, double *from, double *to)
{
  for (guint i = 0; kind != NULL && i < entries->len; i++) {
    const DebyeResultPlotEntry *entry = entries->pdata[i];
    if (entry->result != NULL && debye_fit_range_get(kind, entry->result, from, to))
      return TRUE;
  }
  return FALSE;
}

static void
mark_range(DebyePlot *plot, const GPtrArray *entries, const DebyeQuantity *quantity)
{
  double from, to;
  const DebyeFitRangeKind *kind = debye_fit_range_find_kind(quantity != NULL ? quantity->name : NULL);
  if (find_range(entries, kind, &from, &to))
    debye_plot_set_movable_range(plot, from, to,
                                 DEBYE_PLOT_END_HIGH | (kind->low != NULL ? DEBYE_PLOT_END_LOW : 0) |
                                     (kind->is_tinted ? DEBYE_PLOT_RANGE_TINTED : 0) |
                                     (kind->has_room ? DEBYE_PLOT_RANGE_ROOM : 0));
  else if (debye_plot_has_movable_range(plot))
    debye_plot_set_highlight(plot, NAN, NAN);
}

void
debye_result_plot_mark(DebyePlot *plot, const GPtrArray *entries, const DebyeQuantity *quantity,
                       DebyeMatrix *matrix, GArray *shells)
{
  gboolean is_distribution = quantity != NULL && strcmp(quantity->name, "g") == 0;
  g_autofree char *caption = quantity != NULL ? write_caption(entries, quantity, matrix) : NULL;
  debye_plot_clear_marks(plot);
  g_array_set_size(shells, 0);
  for (guint i = 0; quantity != NULL && i < entries->len; i++) {
    const DebyeResultPlotEntry *entry = g_ptr_array_index(entries, i);
    if (entry->result != NULL && is_distribution && debye_result_plot_owns(entry, quantity))
      add_shells(shells, entry->key, entry->result);
  }
  if (is_distribution)
    debye_plot_add_reference(plot, DEBYE_PLOT_Y, 1.0, NULL);
  add_peaks(plot, shells);
  mark_range(plot, entries, quantity);
  debye_plot_set_caption(plot, caption);
}
