/* SPDX-License-Identifier: MIT */
/* Colours of the curves of a plot of results: they stay with a curve that is taken out and comes back, and no
 * other curve gets them meanwhile. */
#include "result_plot_private.h"

static gboolean
is_taken(DebyeResultPlot *self, guint color)
{
  GHashTableIter colors;
  gpointer other;
  g_hash_table_iter_init(&colors, self->colors);
  while (g_hash_table_iter_next(&colors, NULL, &other))
    if (GPOINTER_TO_UINT(other) == color)
      return TRUE;
  return FALSE;
}

guint
debye_result_plot_get_color(DebyeResultPlot *self, guint key, const char *curve)
{
  g_autofree char *name = g_strdup_printf("%u %s", key, curve);
  gpointer known;
  if (g_hash_table_lookup_extended(self->colors, name, NULL, &known))
    return GPOINTER_TO_UINT(known);
  guint color = 0;
  while (is_taken(self, color))
    color++;
  g_hash_table_insert(self->colors, g_steal_pointer(&name), GUINT_TO_POINTER(color));
  return color;
}

static gboolean
is_of_key(gpointer name, gpointer color, gpointer key)
{
  (void)color;
  return g_ascii_strtoull(name, NULL, 10) == GPOINTER_TO_UINT(key);
}

void
debye_result_plot_forget_colors(DebyeResultPlot *self, guint key)
{
  g_hash_table_foreach_remove(self->colors, is_of_key, GUINT_TO_POINTER(key));
}
