/* SPDX-License-Identifier: MIT */
/* Names results in a legend by the settings that differ; called by plot_choices.c, results_panel.c and window_plots.c. */
#include "result_labels.h"

#include <glib/gi18n.h>
#include <string.h>

#include "data/messages/message.h"
#include "setting_text.h"

/* A legend has room for so many, and for so much of each. */
#define MAX_DIFFERENCES 3
#define MAX_LETTERS 24

static DebyeResult *
get_result(GPtrArray *results, guint i)
{
  return g_ptr_array_index(results, i);
}

static const DebyeSettingTable *
get_table(DebyeResult *result)
{
  return debye_request_get_table(debye_result_get_request(result));
}

/* NULL: none, or it plays no part. */
static const char *
get_value(DebyeResult *result, const char *key)
{
  DebyeRequest *request = debye_result_get_request(result);
  const DebyeSetting *setting = debye_setting_table_find(get_table(result), key);
  gboolean plays = setting != NULL && debye_request_is_relevant(request, setting);
  return plays ? debye_request_get(request, key) : NULL;
}

/* --- Whether they differ --- */

static gboolean
is_same_analysis(DebyeResult *a, DebyeResult *b)
{
  return g_str_equal(get_table(a)->id, get_table(b)->id);
}

static gboolean
is_same_file(DebyeResult *a, DebyeResult *b)
{
  const char *const *of_a = debye_result_get_inputs(a), *const *of_b = debye_result_get_inputs(b);
  return of_a == NULL || of_b == NULL ? of_a == of_b : g_strv_equal(of_a, of_b);
}

static gboolean
are_same(GPtrArray *results, gboolean (*is_same)(DebyeResult *, DebyeResult *))
{
  for (guint i = 1; i < results->len; i++)
    if (!is_same(get_result(results, 0), get_result(results, i)))
      return FALSE;
  return TRUE;
}

static gboolean
differs(GPtrArray *results, DebyeResult *result, const DebyeSetting *setting)
{
  const char *value = get_value(result, setting->key);
  for (guint i = 0; i < results->len; i++) {
    DebyeResult *other = get_result(results, i);
    if (is_same_analysis(result, other) && g_strcmp0(value, get_value(other, setting->key)) != 0)
      return TRUE;
  }
  return FALSE;
}

/* The settings that results of this one's analysis differ in: where not all values are alike, each is unlike
 * another, so that the list is the same for all of them. */
static GPtrArray *
list_differing(GPtrArray *results, DebyeResult *result)
{
  const DebyeSettingTable *table = get_table(result);
  GPtrArray *differing = g_ptr_array_new();
  for (gsize i = 0; i < table->n_settings; i++) {
    const DebyeSetting *setting = &table->settings[i];
    if (setting->kind != DEBYE_SETTING_SELECTION_PAIR && differs(results, result, setting))
      g_ptr_array_add(differing, (gpointer)setting);
  }
  return differing;
}

/* --- How it is said --- */

/* Whether only the part of deuterium differs, in the same hydrogens: "element H=0.36", "element H=1". */
static gboolean
is_contrast(GPtrArray *results, const DebyeSetting *setting, const char *value)
{
  const char *sign = strrchr(value, '=');
  if (!g_str_equal(setting->key, "exchange") || sign == NULL || strchr(value, '\n') != NULL)
    return FALSE;
  for (guint i = 0; i < results->len; i++) {
    const char *other = get_value(get_result(results, i), setting->key);
    if (other != NULL && *other != '\0' && strncmp(other, value, (gsize)(sign + 1 - value)) != 0)
      return FALSE;
  }
  return TRUE;
}

static char *
describe_contrast(const char *value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  double percent = 100.0 * g_ascii_strtod(strrchr(value, '=') + 1, NULL);
  return g_strdup_printf("%s %% D", g_ascii_formatd(number, sizeof number, "%.3g", percent));
}

/* NULL: what is not set, and a switch that is off, say nothing. */
static char *
describe(GPtrArray *results, const DebyeSetting *setting, const char *value)
{
  gboolean is_on = FALSE;
  if (value == NULL || *value == '\0')
    return NULL;
  if (setting->kind == DEBYE_SETTING_BOOLEAN)
    return debye_setting_parse_boolean(value, &is_on) && is_on ? g_strdup(_(setting->label)) : NULL;
  if (setting->kind == DEBYE_SETTING_CHOICE)
    return g_strdup(debye_setting_text_of_choice(setting, value));
  if (is_contrast(results, setting, value))
    return describe_contrast(value);
  if (g_str_equal(setting->key, "frames") && g_str_equal(value, "0:-1"))
    return g_strdup(_("all frames"));
  g_autofree char *said = debye_setting_text_shorten(value, MAX_LETTERS);
  const char *name = setting->symbol != NULL ? setting->symbol : _(setting->label);
  const char *unit = debye_setting_unit_of(setting, value);
  return g_strconcat(name, setting->symbol != NULL ? " = " : " ", said, unit != NULL ? " " : NULL, unit,
                     NULL);
}

static void
add_settings(GPtrArray *parts, GPtrArray *results, DebyeResult *result, GPtrArray *differing)
{
  guint n = 0;
  for (guint i = 0; i < differing->len && n < MAX_DIFFERENCES; i++) {
    const DebyeSetting *setting = differing->pdata[i];
    char *part = describe(results, setting, get_value(result, setting->key));
    if (part == NULL)
      continue;
    g_ptr_array_add(parts, part);
    n++;
  }
}

/* The last of its files, the trajectory. */
static char *
name_file(DebyeResult *result)
{
  const char *const *inputs = debye_result_get_inputs(result);
  guint n_inputs = inputs != NULL ? g_strv_length((char **)inputs) : 0;
  return n_inputs > 0 ? g_filename_display_basename(inputs[n_inputs - 1])
                      : debye_message_translate(debye_result_get_title_message(result));
}

/* What all labels begin with, and by analysis (its id) the settings. */
typedef struct {
  GPtrArray *results;
  gboolean of_one_analysis, of_one_file;
  GHashTable *differing;
} Labels;

static GPtrArray *
get_differing(const Labels *labels, DebyeResult *result)
{
  const char *id = get_table(result)->id;
  GPtrArray *differing = g_hash_table_lookup(labels->differing, id);
  if (differing == NULL) {
    differing = list_differing(labels->results, result);
    g_hash_table_insert(labels->differing, (gpointer)id, differing);
  }
  return differing;
}

static char *
create_label(const Labels *labels, DebyeResult *result)
{
  g_autoptr(GPtrArray) parts = g_ptr_array_new_with_free_func(g_free);
  char *name = debye_result_dup_name(result);
  if (name != NULL)
    return name;
  if (!labels->of_one_analysis)
    g_ptr_array_add(parts, debye_message_translate(debye_result_get_title_message(result)));
  if (!labels->of_one_file)
    g_ptr_array_add(parts, name_file(result));
  add_settings(parts, labels->results, result, get_differing(labels, result));
  if (parts->len == 0)
    g_ptr_array_add(parts, name_file(result));
  g_ptr_array_add(parts, NULL);
  return g_strjoinv(", ", (char **)parts->pdata);
}

char **
debye_result_labels(GPtrArray *results)
{
  g_return_val_if_fail(results != NULL, NULL);
  g_autoptr(GHashTable) differing =
      g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_ptr_array_unref);
  const Labels all = {.results = results,
                      .of_one_analysis = are_same(results, is_same_analysis),
                      .of_one_file = are_same(results, is_same_file),
                      .differing = differing};
  char **labels = g_new0(char *, results->len + 1);
  for (guint i = results->len; i-- > 0;) {
    g_autofree char *label = create_label(&all, get_result(results, i));
    labels[i] = g_strdup(label);
    for (guint n = 2; g_strv_contains((const char *const *)&labels[i + 1], labels[i]); n++) {
      g_free(labels[i]);
      labels[i] = g_strdup_printf("%s #%u", label, n);
    }
  }
  return labels;
}
