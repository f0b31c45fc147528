/* SPDX-License-Identifier: MIT */
/* Implementation of figure_command.h; called by the window's actions that copy commands. */
#include "figure_command.h"

#include <string.h>

/* "rdf.svg" of "rdf.h5". */
static char *
name_picture(const char *result_path)
{
  const char *ending = strrchr(result_path, '.');
  const gsize length = ending != NULL && strchr(ending, G_DIR_SEPARATOR) == NULL
                           ? (gsize)(ending - result_path)
                           : strlen(result_path);
  g_autofree char *base = g_strndup(result_path, length);
  return g_strconcat(base, ".svg", NULL);
}

char *
debye_figure_command(DebyeRequest *style, const char *const *result_paths, const char *quantity)
{
  const char *id = debye_request_get_table(style)->id;
  g_autofree char *output = name_picture(result_paths[0]);
  g_autofree char *first =
      quantity != NULL ? g_strconcat(result_paths[0], ":", quantity, NULL) : g_strdup(result_paths[0]);
  g_autofree char *further = g_strjoinv("+", (char **)result_paths + 1);
  g_autofree char *panel =
      *further != '\0' ? g_strconcat(first, "+", further, NULL) : g_steal_pointer(&first);
  const char *const panels[] = {panel, NULL};
  g_autofree char *plain = debye_request_to_command(style, panels, output);
  /* The table of styles is no command of its own. */
  const char *options = plain + strlen("debye-cli ") + strlen(id);
  return g_strconcat("debye-cli figure --columns 1 --letters none --width 89", options, NULL);
}
