/* SPDX-License-Identifier: MIT */
/* What settings of debye-cli map need, and the files that it writes beside the map. */
#include "command_map.h"

#include <string.h>

#include "app/analysis/map/map_given.h"
#include "app/analysis/map/map_settings.h"
#include "app/analysis/map/map_solvent.h"
#include "arguments.h"

static gboolean
is_same_path(const char *one, const char *other)
{
  g_autofree char *a = g_canonicalize_filename(one, NULL), *b = g_canonicalize_filename(other, NULL);
  return strcmp(a, b) == 0;
}

/* A file that is written beside the map must be none of the others. */
static gboolean
check_side_file(DebyeArguments *arguments, const char *key, const char *path, const char *others,
                GError **error)
{
  g_auto(GStrv) read = debye_setting_split_values(others != NULL ? others : "");
  const char *const *const lists[] = {debye_arguments_get_list(arguments, "output"),
                                      debye_arguments_get_files(arguments), (const char *const *)read};
  for (gsize i = 0; i < G_N_ELEMENTS(lists); i++)
    for (const char *const *other = lists[i]; *other != NULL; other++)
      if (is_same_path(path, *other))
        return debye_usage_refuse(
            error, "map: --%s: expected another file than those that are read and written, found “%s”", key,
            path);
  return TRUE;
}

static gboolean
check_side_files(DebyeArguments *arguments, const DebyeMapSettings *settings, GError **error)
{
  static const char *const maps[] = {"dielectric-map", "ion-map", "charge-map"};
  DebyeRequest *request = debye_arguments_get_request(arguments);
  const char *table = settings->residues, *name = settings->write_maps;
  g_autoptr(GString) others = g_string_new(NULL);
  g_auto(GStrv) written = name != NULL && *name != '\0' ? debye_map_written_list(name) : NULL;
  for (gsize i = 0; i < G_N_ELEMENTS(maps); i++)
    if (debye_request_get(request, maps[i]) != NULL)
      g_string_append_printf(others, "%s\n", debye_request_get(request, maps[i]));
  for (char **path = written; path != NULL && *path != NULL; path++)
    if (!check_side_file(arguments, "write-maps", *path, others->str, error))
      return FALSE;
  return table == NULL || *table == '\0' || check_side_file(arguments, "residues", table, others->str, error);
}

/* What would change nothing without the Poisson-Boltzmann equation, and looks as if it did. */
static gboolean
check_needs(DebyeArguments *arguments, const DebyeMapSettings *settings, GError **error)
{
  static const char *const keys[] = {"energies",   "grid-error", "nonpolar", "boundary",       "as-apbs",
                                     "reaction",   "binding",    "residues", "dielectric-map", "ion-map",
                                     "charge-map", "write-maps", "membrane", "voltage"};
  DebyeRequest *request = debye_arguments_get_request(arguments);
  if (debye_map_is_poisson(settings))
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
    if (debye_request_is_set(request, keys[i]))
      return debye_usage_refuse(error, "map: --%s needs --method pb", keys[i]);
  return TRUE;
}

gboolean
debye_command_map_check(DebyeArguments *arguments, GError **error)
{
  DebyeMapSettings settings;
  debye_request_fill(debye_arguments_get_request(arguments), &settings);
  return check_needs(arguments, &settings, error) && check_side_files(arguments, &settings, error);
}
