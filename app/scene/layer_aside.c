/* SPDX-License-Identifier: MIT */
/* Implementation of layer_aside.h: on each layer what it was. */
#include "layer_aside.h"

#define KEY "debye-aside"
typedef struct {
  double before, now; /* opacity */
  gboolean hidden;
} Aside;

static void
keep(DebyeLayer *layer, Aside aside)
{
  g_object_set_data_full(G_OBJECT(layer), KEY, g_memdup2(&aside, sizeof aside), g_free);
}

void
debye_layer_aside_hide(DebyeLayer *layer)
{
  g_return_if_fail(DEBYE_IS_LAYER(layer));
  keep(layer, (Aside){.hidden = TRUE});
  debye_layer_set_visible(layer, FALSE);
}

void
debye_layer_aside_thin(DebyeLayer *layer, double opacity)
{
  g_return_if_fail(DEBYE_IS_LAYER(layer));
  const double before = debye_layer_get_opacity(layer);
  if (before <= opacity)
    return;
  keep(layer, (Aside){.before = before, .now = opacity});
  debye_layer_set_opacity(layer, opacity);
}

static gboolean
is_thin(DebyeLayer *layer, const Aside *aside)
{
  return !aside->hidden && debye_layer_get_opacity(layer) == aside->now;
}

void
debye_layer_aside_end(DebyeLayer *layer)
{
  g_return_if_fail(DEBYE_IS_LAYER(layer));
  const Aside *aside = g_object_get_data(G_OBJECT(layer), KEY);
  if (aside == NULL)
    return;
  if (aside->hidden)
    debye_layer_set_visible(layer, TRUE);
  else if (is_thin(layer, aside))
    debye_layer_set_opacity(layer, aside->before);
  g_object_set_data(G_OBJECT(layer), KEY, NULL);
}

gboolean
debye_layer_aside_get(DebyeLayer *layer, const char *property, GValue *value)
{
  g_return_val_if_fail(DEBYE_IS_LAYER(layer), FALSE);
  const Aside *aside = g_object_get_data(G_OBJECT(layer), KEY);
  if (aside != NULL && aside->hidden && g_str_equal(property, "visible"))
    g_value_set_boolean(value, TRUE);
  else if (aside != NULL && is_thin(layer, aside) && g_str_equal(property, "opacity"))
    g_value_set_double(value, aside->before);
  else
    return FALSE;
  return TRUE;
}
