/* SPDX-License-Identifier: MIT */
/* Implementation of result_description.h: a result in a few lines, for a tooltip of results_panel.c. */
#include "result_description.h"

#include <glib/gi18n.h>

#include "data/messages/message.h"
#include "ui/widgets/number_text.h"
#include "ui/widgets/setting_text.h"

/* What a tooltip has room for. */
#define MAX_SETTINGS 4
#define MAX_LETTERS 60
/* What is shorter is “0 s” in words. */
#define LEAST_SECONDS 0.005

/* Whether a hand set it, and to what is not its default. Of frames the notes tell which were used. */
static gboolean
is_chosen(DebyeRequest *request, const DebyeSetting *setting)
{
  const char *value = debye_request_get(request, setting->key);
  return value != NULL && !g_str_equal(setting->key, "frames") && *value != '\0' &&
         g_strcmp0(value, setting->initial) != 0 && debye_request_is_relevant(request, setting);
}

static void
append_setting(GString *text, DebyeRequest *request, const DebyeSetting *setting)
{
  gboolean is_on = FALSE;
  const char *value = debye_request_get(request, setting->key);
  g_autofree char *with_unit = debye_setting_with_unit(setting, debye_setting_text_of_choice(setting, value));
  g_autofree char *said = debye_setting_text_shorten(with_unit, MAX_LETTERS);
  /* One that is off was chosen where the data would have decided. */
  if (setting->kind == DEBYE_SETTING_BOOLEAN && debye_setting_parse_boolean(value, &is_on))
    g_string_append_printf(text, is_on ? "\n%s" : "\n%s: %s", _(setting->label), _("off"));
  else
    g_string_append_printf(text, "\n%s: %s", _(setting->label), said);
}

static void
append_files(GString *text, DebyeResult *result)
{
  const char *const *inputs = debye_result_get_inputs(result);
  for (gsize i = 0; inputs != NULL && inputs[i] != NULL; i++) {
    g_autofree char *name = g_filename_display_basename(inputs[i]);
    g_string_append_printf(text, "%s%s", i == 0 ? "\n" : ", ", name);
  }
}

/* --- When, by what, on what --- */

/* "14 July 2026, 09:05", in the time of here. */
static char *
write_time(GDateTime *time)
{
  g_autoptr(GDateTime) here = g_date_time_to_local(time);
  /* Translators: a day and a time as g_date_time_format() writes them. */
  return here != NULL ? g_date_time_format(here, C_("day and time", "%-e %B %Y, %H:%M")) : NULL;
}

/* "NVIDIA H200 + AMD EPYC"; NULL: the notes name none. */
static char *
list_devices(DebyeResult *result)
{
  g_autoptr(GPtrArray) names = g_ptr_array_new();
  GPtrArray *notes = debye_result_get_notes(result);
  for (guint i = 0; i < notes->len; i++) {
    const DebyeNote *note = g_ptr_array_index(notes, i);
    if (note->kind == DEBYE_NOTE_DEVICE &&
        !g_ptr_array_find_with_equal_func(names, note->about, g_str_equal, NULL))
      g_ptr_array_add(names, note->about);
  }
  g_ptr_array_add(names, NULL);
  return names->len > 1 ? g_strjoinv(" + ", (char **)names->pdata) : NULL;
}

static char *
tell_duration(DebyeResult *result)
{
  g_autofree char *devices = list_devices(result);
  g_autofree char *duration = debye_duration_text(debye_result_get_wall_time(result));
  if (!(debye_result_get_wall_time(result) >= LEAST_SECONDS))
    return NULL;
  return devices != NULL ? g_strdup_printf(_("in %s on %s"), duration, devices)
                         : g_strdup_printf(_("in %s"), duration);
}

char *
debye_result_describe_origin(DebyeResult *result)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(result), NULL);
  GDateTime *created = debye_result_get_created(result);
  const char *version = debye_result_get_version(result);
  g_autofree char *time = created != NULL ? write_time(created) : NULL;
  g_autofree char *duration = tell_duration(result);
  if (time == NULL)
    return NULL;
  GString *text = g_string_new(NULL);
  if (version != NULL)
    g_string_append_printf(text, _("Made %s with Debye %s"), time, version);
  else
    g_string_append_printf(text, _("Made %s"), time);
  if (duration != NULL)
    g_string_append_printf(text, ", %s", duration);
  return g_string_free(text, FALSE);
}

char *
debye_result_describe(DebyeResult *result)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(result), NULL);
  DebyeRequest *request = debye_result_get_request(result);
  const DebyeSettingTable *table = debye_request_get_table(request);
  g_autofree char *words = debye_message_translate(debye_result_get_title_message(result));
  g_autofree char *title = debye_sentence_case(words);
  GString *text = g_string_new(title);
  guint n_said = 0;
  append_files(text, result);
  for (gsize i = 0; i < table->n_settings && n_said < MAX_SETTINGS; i++) {
    if (!is_chosen(request, &table->settings[i]))
      continue;
    append_setting(text, request, &table->settings[i]);
    n_said++;
  }
  GPtrArray *notes = debye_result_get_notes(result);
  for (guint i = 0; i < notes->len; i++) {
    const DebyeNote *note = g_ptr_array_index(notes, i);
    g_autofree char *sentence = debye_note_translate(note);
    if (debye_note_is_of_frames(note) || debye_note_is_warning(note))
      g_string_append_printf(text, "\n%s", sentence);
  }
  g_autofree char *origin = debye_result_describe_origin(result);
  if (origin != NULL)
    g_string_append_printf(text, "\n%s", origin);
  return g_string_free(text, FALSE);
}
