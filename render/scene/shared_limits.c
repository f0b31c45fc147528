/* SPDX-License-Identifier: MIT */
/* Implementation of shared_limits.h. */
#include "shared_limits.h"

#include "render/layers/layer.h"

static gboolean
is_alike(DebyeField *field, DebyeField *other)
{
  return g_strcmp0(debye_field_get_unit(field), debye_field_get_unit(other)) == 0 &&
         g_strcmp0(debye_field_get_name(field), debye_field_get_name(other)) == 0;
}

static gboolean
shares_with(DebyeLayer *layer, DebyeLayer *other)
{
  DebyeField *field = debye_layer_get_color_field(layer), *others = debye_layer_get_color_field(other);
  return layer != other && field != NULL && others != NULL && debye_layer_get_shares_limits(layer) &&
         debye_layer_get_shares_limits(other) && is_alike(field, others);
}

/* A layer that was removed hears of nobody and tells nobody. */
static gboolean
is_in_list(GListModel *layers, DebyeLayer *layer)
{
  return g_list_store_find(G_LIST_STORE(layers), layer, NULL);
}

/* Those that follow their values to the same limits go on doing so. */
static gboolean
has_limits(DebyeLayer *layer, double minimum, double maximum)
{
  double low, high;
  g_object_get(layer, "minimum", &low, "maximum", &high, NULL);
  return debye_layer_get_limits_state(layer) != DEBYE_LIMITS_UNKNOWN && low == minimum && high == maximum;
}

static void
give(GListModel *layers, DebyeLayer *layer)
{
  double minimum, maximum;
  if (!is_in_list(layers, layer) || debye_layer_get_limits_state(layer) == DEBYE_LIMITS_UNKNOWN)
    return;
  g_object_get(layer, "minimum", &minimum, "maximum", &maximum, NULL);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) other = g_list_model_get_item(layers, i);
    if (shares_with(layer, other) && !has_limits(other, minimum, maximum))
      debye_layer_set_limits(other, minimum, maximum);
  }
}

static void
on_limits(DebyeLayer *layer, GParamSpec *spec G_GNUC_UNUSED, GListModel *layers)
{
  give(layers, layer);
}

static void
take(DebyeLayer *layer, GListModel *layers)
{
  double minimum, maximum;
  for (guint i = 0; is_in_list(layers, layer) && i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) other = g_list_model_get_item(layers, i);
    if (!shares_with(layer, other) || debye_layer_get_limits_state(other) == DEBYE_LIMITS_UNKNOWN)
      continue;
    g_object_get(other, "minimum", &minimum, "maximum", &maximum, NULL);
    debye_layer_set_limits(layer, minimum, maximum);
    return;
  }
}

/* Another quantity, or a wish to share. */
static void
on_joined(DebyeLayer *layer, GParamSpec *spec G_GNUC_UNUSED, GListModel *layers)
{
  take(layer, layers);
}

static void
follow(GListModel *layers, DebyeLayer *layer)
{
  if (!debye_layer_has(layer, "minimum"))
    return;
  g_signal_handlers_disconnect_matched(layer, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, layers);
  g_signal_connect_object(layer, "notify::minimum", G_CALLBACK(on_limits), layers, G_CONNECT_DEFAULT);
  g_signal_connect_object(layer, "notify::maximum", G_CALLBACK(on_limits), layers, G_CONNECT_DEFAULT);
  g_signal_connect_object(layer, "notify::color-field", G_CALLBACK(on_joined), layers, G_CONNECT_DEFAULT);
  g_signal_connect_object(layer, "notify::shares-limits", G_CALLBACK(on_joined), layers, G_CONNECT_DEFAULT);
  if (debye_layer_get_limits_state(layer) == DEBYE_LIMITS_SET)
    give(layers, layer);
  else
    take(layer, layers);
}

static void
on_layers(GListModel *layers, guint position, guint n_removed G_GNUC_UNUSED, guint n_added)
{
  for (guint i = position; i < position + n_added; i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    follow(layers, layer);
  }
}

void
debye_shared_limits_keep(GListModel *layers)
{
  g_signal_connect(layers, "items-changed", G_CALLBACK(on_layers), NULL);
}
