/* SPDX-License-Identifier: MIT */
/* Parses the values of a request into the members of an analysis' struct of settings: the one place where text becomes
 * numbers and enums. */
#include <string.h>

#include "request.h"

/* The table has accepted the value. */
static int
find_choice(const DebyeSetting *setting, const char *value)
{
  for (int i = 0; setting->choices[i].value != NULL; i++)
    if (g_strcmp0(setting->choices[i].value, value) == 0)
      return setting->choice_numbers != NULL ? setting->choice_numbers[i] : i;
  return 0;
}

static void
fill(DebyeRequest *self, const DebyeSetting *setting, gpointer member)
{
  switch (setting->kind) {
  case DEBYE_SETTING_NUMBER:
    *(double *)member = debye_request_get_number(self, setting->key);
    break;
  case DEBYE_SETTING_INTEGER:
    *(gint64 *)member = debye_request_get_integer(self, setting->key);
    break;
  case DEBYE_SETTING_BOOLEAN:
    *(gboolean *)member = debye_request_get_boolean(self, setting->key);
    break;
  case DEBYE_SETTING_CHOICE:
    *(int *)member = find_choice(setting, debye_request_get(self, setting->key));
    break;
  case DEBYE_SETTING_VECTOR:
    debye_request_get_vector(self, setting->key, member);
    break;
  case DEBYE_SETTING_SHAPE:
    debye_request_get_shape(self, setting->key, member);
    break;
  case DEBYE_SETTING_SELECTION:
  case DEBYE_SETTING_SELECTION_PAIR:
  case DEBYE_SETTING_FRAMES:
  case DEBYE_SETTING_TEXT:
    *(const char **)member = debye_request_get(self, setting->key);
    break;
  }
}

void
debye_request_fill(DebyeRequest *self, gpointer settings)
{
  g_return_if_fail(DEBYE_IS_REQUEST(self) && settings != NULL);
  const DebyeSettingTable *table = debye_request_get_table(self);
  char *bytes = settings;
  for (gsize i = 0; i < table->n_settings; i++) {
    const DebyeSetting *setting = &table->settings[i];
    if (setting->member_size == 0)
      continue;
    memset(bytes + setting->member, 0, setting->member_size);
    fill(self, setting, bytes + setting->member);
    if (setting->has_was_set)
      *(gboolean *)(gpointer)(bytes + setting->was_set) = debye_request_is_set(self, setting->key);
  }
}
