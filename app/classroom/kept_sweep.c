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
save(const char *const *axes, const GArray *rows, const char *subject, gboolean is_unsteady)
{
  GVariantBuilder names, points;
  GVariantDict dict;
  g_variant_builder_init(&names, G_VARIANT_TYPE("av"));
  g_variant_builder_init(&points, G_VARIANT_TYPE("av"));
  for (gsize i = 0; axes[i] != NULL; i++)
    g_variant_builder_add(&names, "v", g_variant_new_string(axes[i]));
  for (guint i = 0; i < rows->len; i++) {
    const DebyeBenchResult *result = &g_array_index(rows, DebyeBenchRow, i).result;
    g_variant_builder_add(&points, "v", g_variant_new_double(known_or_zero(result->seconds)));
    g_variant_builder_add(&points, "v", g_variant_new_double(known_or_zero(result->rate)));
  }
  g_variant_dict_init(&dict, NULL);
  g_variant_dict_insert(&dict, "subject", "s", subject);
  if (is_unsteady)
    g_variant_dict_insert(&dict, "unsteady", "b", TRUE);
  g_variant_dict_insert_value(&dict, "axes", g_variant_builder_end(&names));
  g_variant_dict_insert_value(&dict, "points", g_variant_builder_end(&points));
  return g_variant_dict_end(&dict);
}

static void
describe(DebyeClassroomRecord *record, const char *const *axes, const DebyeBenchSweep *sweep,
         const GArray *rows, const GArray *fits, gboolean is_unsteady)
{
  const DebyeBenchRow *best = debye_bench_sweep_find_best(rows);
  char rate[G_ASCII_DTOSTR_BUF_SIZE];
  if (best == NULL)
    return;
  g_autofree char *point = debye_kept_sweep_name_point(sweep, best->at);
  g_autofree char *seconds = debye_time_text(best->result.seconds),
                  *fastest =
                      g_strdup_printf(_("Fastest: %s: %s, %s·10⁹ evaluations/s"), point, seconds,
                                      g_ascii_formatd(rate, sizeof rate, "%.3g", best->result.rate / 1e9));
  record->verdict = g_strconcat(
      fastest, is_unsteady ? "\n" : "",
      is_unsteady ? _("The repeats swing: another program used the machine meanwhile. Measure again on an "
                      "idle machine.")
                  : "",
      NULL);
  record->design = debye_classroom_plot_sweep(sweep, rows, fits, _("Ours, of the class"), record->subject);
  record->design_kept = g_variant_ref_sink(save(axes, rows, record->subject, is_unsteady));
  record->is_found = TRUE;
}

void
debye_kept_sweep_describe(DebyeClassroomRecord *record, const char *const *axes, const DebyeBenchSweep *sweep,
                          const GArray *rows, const GArray *fits)
{
  describe(record, axes, sweep, rows, fits, debye_bench_sweep_swings(rows));
}

/* --- As it was read --- */

/* NULL: it isn't a list of so many texts. */
static char **
read_axes(GVariant *saved)
{
  g_autoptr(GVariant) list = debye_json_get(saved, "axes", G_VARIANT_TYPE("av"));
  const gsize n = list != NULL ? g_variant_n_children(list) : 0;
  if (n == 0 || n > DEBYE_BENCH_MAX_AXES)
    return NULL;
  g_auto(GStrv) axes = g_new0(char *, n + 1);
  for (gsize i = 0; i < n; i++) {
    g_autoptr(GVariant) boxed = g_variant_get_child_value(list, i), one = g_variant_get_variant(boxed);
    if (!g_variant_is_of_type(one, G_VARIANT_TYPE_STRING) || g_variant_get_size(one) > MAX_LETTERS)
      return NULL;
    axes[i] = g_variant_dup_string(one, NULL);
  }
  return g_steal_pointer(&axes);
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
  g_autofree char *subject = debye_json_get_text(saved, "subject");
  g_auto(GStrv) axes = read_axes(saved);
  g_autoptr(GVariant) points = debye_json_get(saved, "points", G_VARIANT_TYPE("av")),
                      unsteady = debye_json_get(saved, "unsteady", G_VARIANT_TYPE_BOOLEAN);
  g_auto(DebyeBenchSweep) sweep = {0};
  if (subject == NULL || strlen(subject) > MAX_LETTERS || axes == NULL || points == NULL ||
      !debye_bench_sweep_parse(&sweep, (const char *const *)axes, NULL) || sweep.axes[0].values == NULL)
    return NULL;
  g_autoptr(GArray) rows = g_array_new(FALSE, TRUE, sizeof(DebyeBenchRow)),
                    fits = g_array_new(FALSE, TRUE, sizeof(DebyeBenchFit));
  g_array_set_clear_func(rows, (GDestroyNotify)debye_bench_row_clear);
  g_array_set_clear_func(fits, (GDestroyNotify)debye_bench_fit_clear);
  Replay replay = {points, 0, FALSE};
  debye_bench_sweep_run(&sweep, replay_point, &replay, rows, fits, NULL);
  g_autoptr(DebyeClassroomRecord) record = debye_classroom_record_new(subject);
  describe(record, (const char *const *)axes, &sweep, rows, fits,
           unsteady != NULL && g_variant_get_boolean(unsteady));
  return record->is_found && !replay.is_bad && replay.next == g_variant_n_children(points)
             ? g_steal_pointer(&record)
             : NULL;
}
