/* SPDX-License-Identifier: MIT */
/* Looks up settings and checks typed values against their description; called by forms and command lines. */
#include "setting.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/files/input.h"
#include "data/messages/message.h"

const DebyeSetting *
debye_setting_table_find(const DebyeSettingTable *table, const char *key)
{
  g_return_val_if_fail(table != NULL && key != NULL, NULL);
  for (gsize i = 0; i < table->n_settings; i++)
    if (strcmp(table->settings[i].key, key) == 0)
      return &table->settings[i];
  return NULL;
}

static gboolean
is_bounded(const DebyeSetting *setting)
{
  return setting->minimum != 0.0 || setting->maximum != 0.0;
}

static gboolean
in_range(const DebyeSetting *setting, double value)
{
  return isfinite(value) &&
         (!is_bounded(setting) || (value >= setting->minimum && value <= setting->maximum));
}

/* " from 0.05 to 5", or a half of it where only one side is bounded. */
static char *
describe_range(const DebyeSetting *setting)
{
  const gboolean low = isfinite(setting->minimum), high = isfinite(setting->maximum);
  char from[G_ASCII_DTOSTR_BUF_SIZE], to[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(from, sizeof from, "%.15g", setting->minimum);
  g_ascii_formatd(to, sizeof to, "%.15g", setting->maximum);
  if (!is_bounded(setting))
    return g_strdup("");
  return low && high ? debye_message_new(" from %s to %s", from, to)
         : low       ? debye_message_new(" of at least %s", from)
                     : debye_message_new(" of at most %s", to);
}

/* "a number from 0.05 to 5 Å, or none" */
static char *
describe_numbers(const DebyeSetting *setting, const char *what)
{
  const char *unit = setting->unit;
  g_autofree char *range = describe_range(setting);
  g_autofree char *in = unit == NULL          ? g_strdup("")
                        : is_bounded(setting) ? g_strconcat(" ", unit, NULL)
                                              : debye_message_new(" in %s", unit);
  g_autofree char *other = setting->word != NULL ? debye_message_new(", or %s", setting->word) : g_strdup("");
  return debye_message_new("%s%s%s%s", what, range, in, other);
}

static char *
describe_choices(const DebyeSetting *setting)
{
  g_autoptr(GString) text = g_string_new(NULL);
  for (const DebyeChoice *choice = setting->choices; choice != NULL && choice->value != NULL; choice++)
    g_string_append_printf(text, "%s%s", choice == setting->choices ? "" : ", ", choice->value);
  return debye_message_new("one of %s", text->str);
}

/* A message. */
static char *
describe_expected(const DebyeSetting *setting)
{
  switch (setting->kind) {
  case DEBYE_SETTING_NUMBER:
    return describe_numbers(setting, N_("a number"));
  case DEBYE_SETTING_INTEGER:
    return describe_numbers(setting, N_("a whole number"));
  case DEBYE_SETTING_BOOLEAN:
    return g_strdup(N_("true or false"));
  case DEBYE_SETTING_CHOICE:
    return describe_choices(setting);
  case DEBYE_SETTING_VECTOR:
    return describe_numbers(setting, is_bounded(setting) || setting->unit != NULL
                                         ? N_("three numbers with commas between them, each")
                                         : N_("three numbers with commas between them, each finite"));
  case DEBYE_SETTING_SHAPE:
    return is_bounded(setting)
               ? describe_numbers(setting, N_("three whole numbers with commas between them, each"))
               : g_strdup(N_("three whole numbers with commas between them, each of at least 1"));
  case DEBYE_SETTING_FRAMES:
    return g_strdup(N_("frames as FIRST:LAST:STEP, the step at least 1"));
  case DEBYE_SETTING_SELECTION_PAIR:
    return g_strdup(N_("two selections with | between them"));
  case DEBYE_SETTING_SELECTION:
  case DEBYE_SETTING_TEXT:
    break;
  }
  return g_strdup(N_("valid UTF-8 text"));
}

static gboolean
check_number(const DebyeSetting *setting, const char *text, gsize length)
{
  double value;
  return debye_text_to_double(text, length, &value) && in_range(setting, value);
}

static gboolean
check_integer(const DebyeSetting *setting, const char *text, gsize length)
{
  gint64 value;
  return debye_text_to_int(text, length, &value) && in_range(setting, (double)value);
}

static gboolean
check_count(const DebyeSetting *setting, const char *text, gsize length)
{
  gint64 value;
  return debye_text_to_int(text, length, &value) && value >= 1 && in_range(setting, (double)value);
}

static gboolean
check_three(const DebyeSetting *setting, const char *value,
            gboolean (*check_part)(const DebyeSetting *, const char *, gsize))
{
  g_auto(GStrv) parts = g_strsplit(value, ",", -1);
  if (g_strv_length(parts) != 3)
    return FALSE;
  for (guint i = 0; i < 3; i++)
    if (!check_part(setting, parts[i], strlen(parts[i])))
      return FALSE;
  return TRUE;
}

static gboolean
check_choice(const DebyeSetting *setting, const char *value)
{
  for (const DebyeChoice *choice = setting->choices; choice != NULL && choice->value != NULL; choice++)
    if (strcmp(choice->value, value) == 0)
      return TRUE;
  return FALSE;
}

/* The form only: whether the frames are there is known once a trajectory is open. */
static gboolean
check_frames(const char *value)
{
  g_auto(GStrv) parts = g_strsplit(value, ":", -1);
  guint n = g_strv_length(parts);
  if (n > 3)
    return FALSE;
  for (guint i = 0; i < n; i++) {
    gint64 number;
    g_strstrip(parts[i]);
    if (*parts[i] == '\0')
      continue;
    if (!debye_text_to_int(parts[i], strlen(parts[i]), &number) || (i == 2 && number < 1))
      return FALSE;
  }
  return TRUE;
}

gboolean
debye_setting_parse_boolean(const char *value, gboolean *result)
{
  static const char *const words[] = {"false", "true", "no", "yes", "off", "on", "0", "1"};
  for (guint i = 0; i < G_N_ELEMENTS(words); i++)
    if (g_ascii_strcasecmp(words[i], value) == 0) {
      *result = i % 2;
      return TRUE;
    }
  return FALSE;
}

char **
debye_setting_split_values(const char *value)
{
  g_auto(GStrv) lines = g_strsplit(value != NULL ? value : "", "\n", -1);
  GStrvBuilder *values = g_strv_builder_new();
  for (char **line = lines; *line != NULL; line++)
    if (*g_strstrip(*line) != '\0')
      g_strv_builder_add(values, *line);
  char **result = g_strv_builder_end(values);
  g_strv_builder_unref(values);
  return result;
}

const char *
debye_setting_unit_of(const DebyeSetting *setting, const char *value)
{
  const gboolean is_numbers = value[strspn(value, "0123456789+-.,:; eE")] == '\0';
  return is_numbers ? setting->unit : NULL;
}

char *
debye_setting_with_unit(const DebyeSetting *setting, const char *value)
{
  const char *unit = debye_setting_unit_of(setting, value);
  return g_strconcat(value, unit != NULL ? " " : NULL, unit, NULL);
}

gboolean
debye_setting_split_pair(const char *value, char **first, char **second)
{
  g_auto(GStrv) parts = g_strsplit(value, "|", -1);
  if (g_strv_length(parts) != 2 || *g_strstrip(parts[0]) == '\0' || *g_strstrip(parts[1]) == '\0')
    return FALSE;
  *first = g_strdup(parts[0]);
  *second = g_strdup(parts[1]);
  return TRUE;
}

static gboolean
is_pair(const char *value)
{
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  return debye_setting_split_pair(value, &first, &second);
}

static gboolean
is_acceptable(const DebyeSetting *setting, const char *value)
{
  gboolean ignored;
  if (!g_utf8_validate(value, -1, NULL))
    return FALSE;
  switch (setting->kind) {
  case DEBYE_SETTING_NUMBER:
    return g_strcmp0(setting->word, value) == 0 || check_number(setting, value, strlen(value));
  case DEBYE_SETTING_INTEGER:
    return check_integer(setting, value, strlen(value));
  case DEBYE_SETTING_BOOLEAN:
    return debye_setting_parse_boolean(value, &ignored);
  case DEBYE_SETTING_CHOICE:
    return check_choice(setting, value);
  case DEBYE_SETTING_VECTOR:
    return check_three(setting, value, check_number);
  case DEBYE_SETTING_SHAPE:
    return check_three(setting, value, check_count);
  case DEBYE_SETTING_FRAMES:
    return check_frames(value);
  case DEBYE_SETTING_SELECTION_PAIR:
    return is_pair(value);
  case DEBYE_SETTING_SELECTION:
  case DEBYE_SETTING_TEXT:
    return TRUE;
  }
  return FALSE;
}

static gboolean
check_one(const DebyeSetting *setting, const char *value, GError **error)
{
  if (is_acceptable(setting, value))
    return TRUE;
  g_autofree char *expected = describe_expected(setting);
  g_autofree char *found = g_utf8_make_valid(value, -1);
  return debye_error_set_about(error, DEBYE_ERROR_VALUE, setting->label, "expected %s, found “%s”", expected,
                               found);
}

gboolean
debye_setting_check(const DebyeSetting *setting, const char *value, GError **error)
{
  g_return_val_if_fail(setting != NULL && value != NULL, FALSE);
  if (!setting->repeated || !g_utf8_validate(value, -1, NULL))
    return check_one(setting, value, error);
  g_auto(GStrv) values = debye_setting_split_values(value);
  for (char **one = values; *one != NULL; one++)
    if (!check_one(setting, *one, error))
      return FALSE;
  return TRUE;
}
