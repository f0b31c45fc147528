/* SPDX-License-Identifier: MIT */
/* What a kind of layer says of its settings; used by layers and by layer_kinds.c. */
#include "layer_kind.h"

#include <glib/gi18n.h>

const DebyeLayerSetting *
debye_layer_kind_find_setting(const DebyeLayerKind *kind, const char *property)
{
  for (gsize i = 0; i < kind->n_settings; i++)
    if (g_strcmp0(kind->settings[i].property, property) == 0)
      return &kind->settings[i];
  return NULL;
}

const char *
debye_layer_kind_get_label(const DebyeLayerKind *kind, const char *property)
{
  if (g_str_equal(property, "visible"))
    return N_("Visibility");
  /* One row is for both limits. */
  const DebyeLayerSetting *setting =
      debye_layer_kind_find_setting(kind, g_str_equal(property, "maximum") ? "minimum" : property);
  return setting ? setting->label : NULL;
}

void
debye_layer_contents_clear(DebyeLayerContents *contents)
{
  g_clear_object(&contents->topology);
  g_clear_pointer(&contents->frame, debye_frame_unref);
  g_clear_object(&contents->field);
  g_clear_pointer(&contents->atoms, g_free);
  g_clear_pointer(&contents->selection, g_free);
  g_clear_pointer(&contents->line_ends, g_free);
}
