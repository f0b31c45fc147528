/* SPDX-License-Identifier: MIT */
/* Writes a request as the comment lines at the head of a text file; called by result_file.c and the
 * exports. */
#include "request.h"

#include <string.h>

#include "data/files/provenance.h"

static void
add_setting(GStrvBuilder *lines, const DebyeSetting *setting, const char *value)
{
  const char *const single[] = {value, NULL};
  g_auto(GStrv) values = setting->repeated ? debye_setting_split_values(value) : g_strdupv((char **)single);
  for (char **one = values; *one != NULL; one++) {
    g_autofree char *said = debye_setting_with_unit(setting, *one);
    g_autofree char *line = g_strdup_printf("%s: %s", setting->key, said);
    g_strv_builder_add(lines, line);
  }
}

char **
debye_request_describe(DebyeRequest *self, const char *command, gboolean is_partial)
{
  g_autoptr(GStrvBuilder) lines = g_strv_builder_new();
  const DebyeSettingTable *table = debye_request_get_table(self);
  g_autofree char *program = g_strdup_printf("debye_version: %s", debye_provenance_get_version());
  g_autofree char *analysis = g_strdup_printf("analysis: %s", table->id);
  g_strv_builder_add_many(lines, program, analysis, NULL);
  if (is_partial)
    g_strv_builder_add(lines, "state: partial");
  if (command != NULL) {
    g_autofree char *line = g_strdup_printf("command_line: %s", command);
    g_strv_builder_add(lines, line);
  }
  for (gsize i = 0; i < table->n_settings; i++) {
    const DebyeSetting *setting = &table->settings[i];
    const char *kept = debye_request_get_kept(self, setting),
               *value = kept != NULL ? kept : debye_request_get_effective(self, setting);
    /* The unit of the values has its own line. */
    if (value != NULL && strcmp(setting->key, "unit") != 0 && debye_request_is_relevant(self, setting))
      add_setting(lines, setting, value);
  }
  return g_strv_builder_end(lines);
}
