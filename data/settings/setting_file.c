/* SPDX-License-Identifier: MIT */
/* Implementation of setting_file.h: which settings name files, for command lines and the provenance of
 * results. */
#include "setting_file.h"

#include <string.h>

static const struct {
  const char *key, *prefix; /* of a value that names one */
} settings[] = {
    {"subtract", ""},
    {"q-vectors", ""},
    {"measured", ""},
    {"data", ""},
    {"orientation", "vectors:"},
    {"resolution", "file:"},
    {"reference", "file:"},
    {"ion-map", ""},
    {"charge-map", ""},
    {"dielectric-map", ""},
};

const char *
debye_setting_find_file(const char *key, const char *value)
{
  for (gsize i = 0; value != NULL && i < G_N_ELEMENTS(settings); i++) {
    const gsize length = strlen(settings[i].prefix);
    if (strcmp(settings[i].key, key) == 0 && g_str_has_prefix(value, settings[i].prefix) &&
        value[length] != '\0')
      return value + length;
  }
  return NULL;
}
