/* SPDX-License-Identifier: MIT */
/* Implementation of layer_options.h: lists the options of the kinds of layers and applies them; called by
 * debye-cli's picture.c and render_settings.c. */
#include "layer_options.h"

#include "data/files/error.h"

/* As the first kind says it that has the option. */
static DebyeSetting
complete(const DebyeLayerKind *kind, const DebyeLayerSetting *setting)
{
  DebyeSetting option = setting->option;
  if (option.label == NULL)
    option.label = setting->label != NULL ? setting->label : kind->title;
  if (option.unit == NULL)
    option.unit = setting->unit;
  if (option.choices == NULL && option.kind == DEBYE_SETTING_NUMBER)
    option.choices = setting->choices;
  if (option.choices != NULL)
    option.kind = DEBYE_SETTING_CHOICE;
  return option;
}

static gboolean
is_listed(const GArray *settings, const char *key)
{
  for (guint i = 0; i < settings->len; i++)
    if (g_str_equal(g_array_index(settings, DebyeSetting, i).key, key))
      return TRUE;
  return FALSE;
}

void
debye_layer_options_append(GArray *settings)
{
  for (const DebyeLayerKind *const *kind = debye_layer_kinds(); *kind != NULL; kind++)
    for (gsize i = 0; i < (*kind)->n_settings; i++) {
      const DebyeLayerSetting *setting = &(*kind)->settings[i];
      if (setting->option.key == NULL || is_listed(settings, setting->option.key))
        continue;
      const DebyeSetting option = complete(*kind, setting);
      g_array_append_val(settings, option);
    }
}

const DebyeSetting *
debye_layer_options_find(const DebyeLayerSetting *setting, DebyeRequest *request)
{
  return setting->option.key != NULL
             ? debye_setting_table_find(debye_request_get_table(request), setting->option.key)
             : NULL;
}

/* The values that are given or usual; empty: none. */
static char **
list_values(const DebyeSetting *option, DebyeRequest *request)
{
  const char *text = debye_request_get(request, option->key);
  const char *const one[] = {text, NULL};
  return option->repeated && text != NULL ? debye_setting_split_values(text) : g_strdupv((char **)one);
}

guint
debye_layer_options_count(const DebyeLayerKind *kind, DebyeRequest *request)
{
  guint n_layers = 0;
  for (gsize i = 0; i < kind->n_settings; i++) {
    const DebyeSetting *option = debye_layer_options_find(&kind->settings[i], request);
    if (option == NULL || !kind->settings[i].adds)
      continue;
    g_auto(GStrv) values = list_values(option, request);
    gboolean is_off =
        option->kind == DEBYE_SETTING_BOOLEAN && !debye_request_get_boolean(request, option->key);
    n_layers = MAX(n_layers, is_off ? 0 : g_strv_length(values));
  }
  return n_layers;
}

/* A word that is another kind's value, as colourings of cartoons are for atoms, leaves the property as it is. */
static void
set_choice(DebyeLayer *layer, const DebyeLayerSetting *setting, const char *word)
{
  const GParamSpec *spec = g_object_class_find_property(G_OBJECT_GET_CLASS(layer), setting->property);
  for (int i = 0; i <= G_PARAM_SPEC_INT(spec)->maximum && setting->choices[i].value != NULL; i++)
    if (g_str_equal(setting->choices[i].value, word))
      g_object_set(layer, setting->property, i, NULL);
}

/* Texts without a form of their own, as names of files, are not for the layer alone. */
static void
set_value(DebyeLayer *layer, const DebyeLayerSetting *setting, DebyeSettingKind kind, const char *text)
{
  gboolean is_on = FALSE;
  switch (kind) {
  case DEBYE_SETTING_NUMBER:
    g_object_set(layer, setting->property, g_ascii_strtod(text, NULL), NULL);
    break;
  case DEBYE_SETTING_INTEGER:
    g_object_set(layer, setting->property, (int)g_ascii_strtoll(text, NULL, 10), NULL);
    break;
  case DEBYE_SETTING_BOOLEAN:
    if (debye_setting_parse_boolean(text, &is_on))
      g_object_set(layer, setting->property, is_on, NULL);
    break;
  case DEBYE_SETTING_CHOICE:
    set_choice(layer, setting, text);
    break;
  default:
    break;
  }
}

static gboolean
apply(DebyeLayer *layer, const DebyeLayerSetting *setting, DebyeSettingKind kind, const char *text,
      GError **error)
{
  g_autoptr(GError) reason = NULL;
  if (setting->parse == NULL && setting->property != NULL)
    set_value(layer, setting, kind, text);
  if (setting->parse == NULL || setting->parse(layer, text, &reason))
    return TRUE;
  gboolean is_usage = g_error_matches(reason, DEBYE_ERROR, DEBYE_ERROR_SETTING);
  g_propagate_error(error, g_steal_pointer(&reason));
  debye_error_prefix(error, "%s--%s: ", is_usage ? "render: " : "", setting->option.key);
  return FALSE;
}

/* What is usual for the kind that describes an option isn't so for others that share it: they take it where it is
 * given. */
static gboolean
counts(const DebyeLayerSetting *setting, const DebyeSetting *option, DebyeRequest *request)
{
  return option != NULL && (setting->option.initial != NULL || debye_request_is_set(request, option->key));
}

gboolean
debye_layer_options_apply(DebyeLayer *layer, DebyeRequest *request, guint number, GError **error)
{
  const DebyeLayerKind *kind = debye_layer_kind_of(layer);
  for (gsize i = 0; i < kind->n_settings; i++) {
    const DebyeLayerSetting *setting = &kind->settings[i];
    const DebyeSetting *option = debye_layer_options_find(setting, request);
    if (!counts(setting, option, request))
      continue;
    g_auto(GStrv) values = list_values(option, request);
    const guint which = option->repeated ? number : 0;
    if (which < g_strv_length(values) && !apply(layer, setting, option->kind, values[which], error))
      return FALSE;
  }
  return TRUE;
}
