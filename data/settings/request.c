/* SPDX-License-Identifier: MIT */
/* The values of an analysis' settings, from a form or a command line. They are kept as the text that was
 * typed: what a form shows, a file stores and a command line says is then the same to the last digit. */
#include "request.h"

#include <string.h>

#include "data/files/error.h"
#include "data/files/input.h"

struct _DebyeRequest {
  GObject parent_instance;
  const DebyeSettingTable *table;
  char **values;      /* one a setting, NULL: not set */
  char **effective;   /* one a setting, NULL: nothing */
  GObject **attached; /* the same */
};

G_DEFINE_FINAL_TYPE(DebyeRequest, debye_request, G_TYPE_OBJECT)

enum { SIGNAL_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
debye_request_finalize(GObject *object)
{
  DebyeRequest *self = DEBYE_REQUEST(object);
  for (gsize i = 0; i < self->table->n_settings; i++) {
    g_free(self->values[i]);
    g_free(self->effective[i]);
    g_clear_object(&self->attached[i]);
  }
  g_free(self->values);
  g_free(self->effective);
  g_free(self->attached);
  G_OBJECT_CLASS(debye_request_parent_class)->finalize(object);
}

static void
debye_request_class_init(DebyeRequestClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_request_finalize;
  signals[SIGNAL_CHANGED] =
      g_signal_new("changed", DEBYE_TYPE_REQUEST, G_SIGNAL_RUN_LAST | G_SIGNAL_DETAILED | G_SIGNAL_NO_RECURSE,
                   0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
debye_request_init(DebyeRequest *self)
{
  (void)self;
}

DebyeRequest *
debye_request_new(const DebyeSettingTable *table)
{
  g_return_val_if_fail(table != NULL, NULL);
  DebyeRequest *self = g_object_new(DEBYE_TYPE_REQUEST, NULL);
  self->table = table;
  self->values = g_new0(char *, table->n_settings + 1);
  self->effective = g_new0(char *, table->n_settings + 1);
  self->attached = g_new0(GObject *, table->n_settings + 1);
  return self;
}

DebyeRequest *
debye_request_copy(DebyeRequest *self)
{
  g_return_val_if_fail(DEBYE_IS_REQUEST(self), NULL);
  DebyeRequest *copy = debye_request_new(self->table);
  for (gsize i = 0; i < self->table->n_settings; i++) {
    copy->values[i] = g_strdup(self->values[i]);
    copy->effective[i] = g_strdup(self->effective[i]);
    g_set_object(&copy->attached[i], self->attached[i]);
  }
  return copy;
}

const DebyeSettingTable *
debye_request_get_table(DebyeRequest *self)
{
  g_return_val_if_fail(DEBYE_IS_REQUEST(self), NULL);
  return self->table;
}

gboolean
debye_request_set(DebyeRequest *self, const char *key, const char *value, GError **error)
{
  g_return_val_if_fail(DEBYE_IS_REQUEST(self) && key != NULL, FALSE);
  const DebyeSetting *setting = debye_setting_table_find(self->table, key);
  if (setting == NULL)
    return debye_error_set(error, DEBYE_ERROR_VALUE, "%s: “%s” is not one of its settings",
                           self->table->title, key);
  if (value != NULL && !debye_setting_check(setting, value, error))
    return FALSE;
  char **slot = &self->values[setting - self->table->settings];
  if (g_strcmp0(*slot, value) == 0)
    return TRUE;
  char *copy = g_strdup(value);
  g_free(*slot);
  *slot = copy;
  g_clear_object(&self->attached[setting - self->table->settings]);
  for (gsize i = 0; i < self->table->n_settings; i++)
    g_clear_pointer(&self->effective[i], g_free);
  g_signal_emit(self, signals[SIGNAL_CHANGED], g_quark_from_static_string(setting->key), setting->key);
  return TRUE;
}

/* The value of a key that must be in the table: the caller's constant, not a person's input. */
static const char *
get_value(DebyeRequest *self, const char *key)
{
  g_return_val_if_fail(DEBYE_IS_REQUEST(self) && key != NULL, NULL);
  const DebyeSetting *setting = debye_setting_table_find(self->table, key);
  g_return_val_if_fail(setting != NULL, NULL);
  const char *value = self->values[setting - self->table->settings];
  return value != NULL ? value : setting->initial;
}

const char *
debye_request_get(DebyeRequest *self, const char *key)
{
  return get_value(self, key);
}

const char *
debye_request_get_kept(DebyeRequest *self, const DebyeSetting *setting)
{
  return setting->unset_differs && !debye_request_is_set(self, setting->key) ? NULL
                                                                             : get_value(self, setting->key);
}

void
debye_request_set_effective(DebyeRequest *self, const char *key, const char *value)
{
  g_return_if_fail(DEBYE_IS_REQUEST(self) && key != NULL && value != NULL);
  const DebyeSetting *setting = debye_setting_table_find(self->table, key);
  if (setting == NULL || debye_request_get_kept(self, setting) != NULL)
    return;
  char **slot = &self->effective[setting - self->table->settings];
  g_free(*slot);
  *slot = g_strdup(value);
}

void
debye_request_set_effective_number(DebyeRequest *self, const char *key, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  if (g_ascii_strtod(g_ascii_formatd(text, sizeof text, "%.15g", value), NULL) != value)
    g_ascii_formatd(text, sizeof text, "%.17g", value);
  debye_request_set_effective(self, key, text);
}

const char *
debye_request_get_effective(DebyeRequest *self, const DebyeSetting *setting)
{
  g_return_val_if_fail(DEBYE_IS_REQUEST(self) && setting != NULL, NULL);
  return self->effective[setting - self->table->settings];
}

void
debye_request_attach(DebyeRequest *self, const char *key, GObject *object)
{
  g_return_if_fail(DEBYE_IS_REQUEST(self) && key != NULL && G_IS_OBJECT(object));
  const DebyeSetting *setting = debye_setting_table_find(self->table, key);
  g_return_if_fail(setting != NULL);
  g_set_object(&self->attached[setting - self->table->settings], object);
}

GObject *
debye_request_get_attached(DebyeRequest *self, const char *key)
{
  g_return_val_if_fail(DEBYE_IS_REQUEST(self) && key != NULL, NULL);
  const DebyeSetting *setting = debye_setting_table_find(self->table, key);
  return setting != NULL ? self->attached[setting - self->table->settings] : NULL;
}

const char *
debye_request_find(DebyeRequest *self, const char *key)
{
  g_return_val_if_fail(key != NULL, NULL);
  return self != NULL && debye_setting_table_find(self->table, key) != NULL ? get_value(self, key) : NULL;
}

const char *
debye_request_find_set(DebyeRequest *self, const char *key)
{
  g_return_val_if_fail(DEBYE_IS_REQUEST(self) && key != NULL, NULL);
  const DebyeSetting *setting = debye_setting_table_find(self->table, key);
  return setting != NULL ? self->values[setting - self->table->settings] : NULL;
}

gboolean
debye_request_is_set(DebyeRequest *self, const char *key)
{
  return debye_request_find_set(self, key) != NULL;
}

double
debye_request_get_number(DebyeRequest *self, const char *key)
{
  const char *text = get_value(self, key);
  double value = 0.0;
  if (text != NULL && g_strcmp0(debye_setting_table_find(self->table, key)->word, text) == 0)
    return INFINITY;
  if (text == NULL || !debye_text_to_double(text, strlen(text), &value))
    return NAN;
  return value;
}

gint64
debye_request_get_integer(DebyeRequest *self, const char *key)
{
  const char *text = get_value(self, key);
  gint64 value = 0;
  return text != NULL && debye_text_to_int(text, strlen(text), &value) ? value : 0;
}

gboolean
debye_request_get_boolean(DebyeRequest *self, const char *key)
{
  const char *text = get_value(self, key);
  gboolean value = FALSE;
  return text != NULL && debye_setting_parse_boolean(text, &value) && value;
}

gboolean
debye_request_get_vector(DebyeRequest *self, const char *key, DebyeVec3 *value)
{
  const char *text = get_value(self, key);
  if (text == NULL)
    return FALSE;
  g_auto(GStrv) parts = g_strsplit(text, ",", -1);
  double numbers[3];
  if (g_strv_length(parts) != 3)
    return FALSE;
  for (guint i = 0; i < 3; i++)
    if (!debye_text_to_double(parts[i], strlen(parts[i]), &numbers[i]))
      return FALSE;
  *value = debye_vec3(numbers[0], numbers[1], numbers[2]);
  return TRUE;
}

gboolean
debye_request_get_shape(DebyeRequest *self, const char *key, gsize shape[3])
{
  const char *text = get_value(self, key);
  if (text == NULL)
    return FALSE;
  g_auto(GStrv) parts = g_strsplit(text, ",", -1);
  if (g_strv_length(parts) != 3)
    return FALSE;
  for (guint i = 0; i < 3; i++) {
    gint64 number;
    if (!debye_text_to_int(parts[i], strlen(parts[i]), &number) || number < 1)
      return FALSE;
    shape[i] = (gsize)number;
  }
  return TRUE;
}

gboolean
debye_request_is_relevant(DebyeRequest *self, const DebyeSetting *setting)
{
  g_return_val_if_fail(DEBYE_IS_REQUEST(self) && setting != NULL, FALSE);
  if (setting->needs == NULL || setting->needs[0] == NULL)
    return TRUE;
  /* A setting whose condition is itself irrelevant plays no part either. */
  const DebyeSetting *other = debye_setting_table_find(self->table, setting->needs[0]);
  g_return_val_if_fail(other != NULL && other != setting, TRUE);
  if (!debye_request_is_relevant(self, other))
    return FALSE;
  const char *value = get_value(self, other->key);
  for (const char *const *wanted = setting->needs + 1; *wanted != NULL; wanted++)
    if (g_strcmp0(*wanted, value) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
differs_from_default(DebyeRequest *self, const DebyeSetting *setting)
{
  const char *value = self->values[setting - self->table->settings];
  if (value == NULL || setting->unset_differs)
    return value != NULL;
  double typed, initial;
  if (setting->kind == DEBYE_SETTING_NUMBER && setting->initial != NULL &&
      debye_text_to_double(value, strlen(value), &typed) &&
      debye_text_to_double(setting->initial, strlen(setting->initial), &initial))
    return typed != initial;
  return g_strcmp0(value, setting->initial) != 0;
}

void
debye_command_append_word(GString *command, const char *word)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (*word != '\0' && word[strspn(word, plain)] == '\0') {
    g_string_append(command, word);
    return;
  }
  g_autofree char *quoted = g_shell_quote(word);
  g_string_append(command, quoted);
}

static void
append_value(GString *command, const DebyeSetting *setting, const char *value)
{
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  if (setting->kind == DEBYE_SETTING_SELECTION_PAIR && debye_setting_split_pair(value, &first, &second)) {
    g_string_append_printf(command, " --%s ", setting->key);
    debye_command_append_word(command, first);
    g_string_append_c(command, ' ');
    debye_command_append_word(command, second);
    return;
  }
  /* The word behind a flag would be a file. */
  gboolean is_on;
  if (setting->kind == DEBYE_SETTING_BOOLEAN && debye_setting_parse_boolean(value, &is_on)) {
    g_string_append_printf(command, " --%s%s", is_on ? "" : "no-", setting->key);
    return;
  }
  if (g_strcmp0(value, setting->alone) == 0) {
    g_string_append_printf(command, " --%s", setting->key);
    return;
  }
  /* A value that begins with a dash would look like an option of its own. */
  g_string_append_printf(command, " --%s%c", setting->key,
                         *value == '-' || setting->alone != NULL ? '=' : ' ');
  debye_command_append_word(command, value);
}

static void
append_setting(GString *command, const DebyeSetting *setting, const char *value)
{
  if (!setting->repeated) {
    append_value(command, setting, value);
    return;
  }
  g_auto(GStrv) values = debye_setting_split_values(value);
  for (char **one = values; *one != NULL; one++)
    append_value(command, setting, *one);
}

char *
debye_request_to_command(DebyeRequest *self, const char *const *paths, const char *output)
{
  g_return_val_if_fail(DEBYE_IS_REQUEST(self), NULL);
  GString *command = g_string_new("debye-cli ");
  g_string_append(command, self->table->id);
  for (gsize i = 0; i < self->table->n_settings; i++) {
    const DebyeSetting *setting = &self->table->settings[i];
    if (differs_from_default(self, setting) && debye_request_is_relevant(self, setting))
      append_setting(command, setting, self->values[i]);
  }
  if (output != NULL) {
    g_string_append(command, *output == '-' ? " --output=" : " --output ");
    debye_command_append_word(command, output);
  }
  gboolean dash = FALSE;
  for (gsize i = 0; paths != NULL && paths[i] != NULL; i++)
    dash |= paths[i][0] == '-';
  if (dash)
    g_string_append(command, " --");
  for (gsize i = 0; paths != NULL && paths[i] != NULL; i++) {
    g_string_append_c(command, ' ');
    debye_command_append_word(command, paths[i]);
  }
  return g_string_free(command, FALSE);
}
