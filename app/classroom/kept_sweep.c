/* SPDX-License-Identifier: MIT */
/* Implementation of kept_sweep.h. */
#include "kept_sweep.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "app/document/json_reader.h"
#include "classroom_design.h"
#include "classroom_record.h"
#include "data/messages/time_text.h"

#define MAX_LETTERS 1000 /* of an axis and of the subject */
#define MAX_TEXTS 64     /* axes or macros */
#define N_OF_POINT 2     /* numbers of one: seconds, evaluations a second; 0: it was wrong */

char *
debye_kept_sweep_name_point(const DebyeBenchSweep *sweep, const gsize *at)
{
  g_autoptr(GString) text = g_string_new(NULL);
  for (gsize i = 0; i < sweep->n_axes; i++) {
    const DebyeBenchVariable *variable = sweep->axes[i].variable;
    g_string_append_printf(text, "%s%s = %s%s%s", i > 0 ? ", " : "",
                           variable->macro != NULL ? variable->macro : _(variable->label),
                           sweep->axes[i].words[at[i]], variable->unit != NULL ? " " : "",
                           variable->unit != NULL ? variable->unit : "");
  }
  return g_string_free(g_steal_pointer(&text), FALSE);
}

static double
known_or_zero(double value)
{
  return isfinite(value) ? value : 0.0;
}

static GVariant *
save_texts(const char *const *texts)
{
  GVariantBuilder builder;
  g_variant_builder_init(&builder, G_VARIANT_TYPE("av"));
  for (gsize i = 0; texts[i] != NULL; i++)
    g_variant_builder_add(&builder, "v", g_variant_new_string(texts[i]));
  return g_variant_builder_end(&builder);
}

static GVariant *
save(const DebyeSweepChoice *choice, const GArray *rows, const char *subject, gboolean is_unsteady)
{
  GVariantBuilder points;
  GVariantDict dict;
  g_variant_builder_init(&points, G_VARIANT_TYPE("av"));
  for (guint i = 0; i < rows->len; i++) {
    const DebyeBenchResult *result = &g_array_index(rows, DebyeBenchRow, i).result;
    g_variant_builder_add(&points, "v", g_variant_new_double(known_or_zero(result->seconds)));
    g_variant_builder_add(&points, "v", g_variant_new_double(known_or_zero(result->rate)));
  }
  g_variant_dict_init(&dict, NULL);
  g_variant_dict_insert(&dict, "subject", "s", subject);
  if (is_unsteady)
    g_variant_dict_insert(&dict, "unsteady", "b", TRUE);
  if (choice->listing != NULL)
    g_variant_dict_insert(&dict, "listing", "s", choice->listing);
  if (choice->macros != NULL && choice->macros[0] != NULL)
    g_variant_dict_insert_value(&dict, "macros", save_texts(choice->macros));
  g_variant_dict_insert_value(&dict, "axes", save_texts(choice->axes));
  g_variant_dict_insert_value(&dict, "points", g_variant_builder_end(&points));
  return g_variant_dict_end(&dict);
}

static void
describe(DebyeClassroomRecord *record, const DebyeSweepChoice *choice, const DebyeBenchSweep *sweep,
         const GArray *rows, const GArray *fits, gboolean is_unsteady)
{
  const DebyeBenchRow *best = debye_bench_sweep_find_best(sweep, rows);
  char rate[G_ASCII_DTOSTR_BUF_SIZE];
  if (best == NULL)
    return;
  g_autofree char *point = debye_kept_sweep_name_point(sweep, best->at);
  g_autofree char *seconds = debye_time_text(best->result.seconds),
                  *fastest = g_strdup_printf(
                      debye_bench_sweep_changes_work(sweep)
                          ? _("Highest throughput: %s: %s, %s·10⁹ evaluations/s")
                          : _("Fastest: %s: %s, %s·10⁹ evaluations/s"),
                      point, seconds, g_ascii_formatd(rate, sizeof rate, "%.3g", best->result.rate / 1e9));
  record->verdict = g_strconcat(
      fastest, is_unsteady ? "\n" : "",
      is_unsteady ? _("The repeats swing: another program used the machine meanwhile. Measure again on an "
                      "idle machine.")
                  : "",
      NULL);
  record->design = debye_classroom_plot_sweep(sweep, rows, fits, _("Ours, of the class"), record->subject);
  record->design_kept = g_variant_ref_sink(save(choice, rows, record->subject, is_unsteady));
  record->is_found = TRUE;
}

void
debye_kept_sweep_describe(DebyeClassroomRecord *record, const DebyeSweepChoice *choice,
                          const DebyeBenchSweep *sweep, const GArray *rows, const GArray *fits)
{
  describe(record, choice, sweep, rows, fits, debye_bench_sweep_swings(rows));
}

/* --- As it was read --- */

char **
debye_kept_sweep_list(GVariant *kept, const char *key)
{
  g_autoptr(GVariant) list = debye_json_get(kept, key, G_VARIANT_TYPE("av"));
  const gsize n = list != NULL ? g_variant_n_children(list) : 0;
  if (n == 0 || n > MAX_TEXTS)
    return NULL;
  g_auto(GStrv) texts = g_new0(char *, n + 1);
  for (gsize i = 0; i < n; i++) {
    g_autoptr(GVariant) boxed = g_variant_get_child_value(list, i), one = g_variant_get_variant(boxed);
    if (!g_variant_is_of_type(one, G_VARIANT_TYPE_STRING) || g_variant_get_size(one) > MAX_LETTERS)
      return NULL;
    texts[i] = g_variant_dup_string(one, NULL);
  }
  return g_steal_pointer(&texts);
}

typedef struct {
  GVariant *points;
  gsize next;
  gboolean is_bad;
} Replay;

static double
take_number(Replay *replay)
{
  g_autoptr(GVariant) boxed = g_variant_get_child_value(replay->points, replay->next++),
                      one = g_variant_get_variant(boxed);
  double value = NAN;
  replay->is_bad |= !debye_json_to_number(one, &value) || !(value >= 0.0);
  return value > 0.0 ? value : NAN;
}

/* In place of a measurement. FALSE behind the last point of a sweep that was stopped. */
static gboolean
replay_point(const DebyeBenchSweep *sweep G_GNUC_UNUSED, const gsize *at G_GNUC_UNUSED,
             DebyeBenchResult *result, gpointer data, GError **error G_GNUC_UNUSED)
{
  Replay *replay = data;
  if (replay->is_bad || replay->next + N_OF_POINT > g_variant_n_children(replay->points))
    return FALSE;
  result->seconds = take_number(replay);
  result->rate = take_number(replay);
  return !replay->is_bad;
}

DebyeClassroomRecord *
debye_kept_sweep_load(GVariant *saved)
{
  g_autofree char *subject = debye_json_get_text(saved, "subject"),
                  *listing = debye_json_get_text(saved, "listing");
  g_auto(GStrv) axes = debye_kept_sweep_list(saved, "axes"), macros = debye_kept_sweep_list(saved, "macros");
  g_autoptr(GVariant) points = debye_json_get(saved, "points", G_VARIANT_TYPE("av")),
                      unsteady = debye_json_get(saved, "unsteady", G_VARIANT_TYPE_BOOLEAN);
  g_auto(DebyeBenchSweep) sweep = {0};
  if (subject == NULL || strlen(subject) > MAX_LETTERS || axes == NULL ||
      g_strv_length(axes) > DEBYE_BENCH_MAX_AXES || points == NULL ||
      !debye_bench_sweep_parse(&sweep, (const char *const *)axes, NULL) || sweep.axes[0].values == NULL)
    return NULL;
  g_autoptr(GArray) rows = g_array_new(FALSE, TRUE, sizeof(DebyeBenchRow)),
                    fits = g_array_new(FALSE, TRUE, sizeof(DebyeBenchFit));
  g_array_set_clear_func(rows, (GDestroyNotify)debye_bench_row_clear);
  g_array_set_clear_func(fits, (GDestroyNotify)debye_bench_fit_clear);
  Replay replay = {points, 0, FALSE};
  debye_bench_sweep_run(&sweep, replay_point, &replay, rows, fits, NULL);
  g_autoptr(DebyeClassroomRecord) record = debye_classroom_record_new(subject);
  const DebyeSweepChoice choice = {(const char *const *)axes, listing, (const char *const *)macros};
  describe(record, &choice, &sweep, rows, fits, unsteady != NULL && g_variant_get_boolean(unsteady));
  return record->is_found && !replay.is_bad && replay.next == g_variant_n_children(points)
             ? g_steal_pointer(&record)
             : NULL;
}
