/* SPDX-License-Identifier: MIT */
/* What all layers share: their name, whether they are seen, and the calls that may be left out. */
#include "layer.h"

#include <glib/gi18n.h>

#include "shown_atoms.h"

const DebyeChoice debye_layer_legend_choices[] = {
    {"usual", N_("Usual"), NULL},
    {"legend", N_("Shown"), NULL},
    {"no-legend", N_("Hidden"), NULL},
    {NULL, NULL, NULL},
};

typedef struct {
  char *name, *source;
  guint name_number;
  gboolean visible, joined, is_still, cut, has_separate_limits;
  int legend;
  gboolean has_level_bars, explains_all;
  double opacity;
} DebyeLayerPrivate;

/* From here on what is behind can't be told. */
#define OPAQUE 0.999

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE(DebyeLayer, debye_layer, G_TYPE_OBJECT)

static DebyeLayerPrivate *
private_of(gpointer layer)
{
  return debye_layer_get_instance_private(layer);
}

enum {
  PROP_VISIBLE = 1,
  PROP_NAME,
  PROP_OPACITY,
  PROP_SHARES_LIMITS,
  PROP_LEGEND,
  PROP_CUT,
  N_PROPERTIES,
  PROP_MEMBERS = 2000 /* and on, in the order of the settings */
};

static void
debye_layer_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  DebyeLayer *self = DEBYE_LAYER(object);
  switch (id) {
  case PROP_VISIBLE:
    g_value_set_boolean(value, debye_layer_get_visible(self));
    break;
  case PROP_NAME:
    g_value_set_string(value, debye_layer_get_name(self));
    break;
  case PROP_OPACITY:
    g_value_set_double(value, debye_layer_get_opacity(self));
    break;
  case PROP_SHARES_LIMITS:
    g_value_set_boolean(value, debye_layer_get_shares_limits(self));
    break;
  case PROP_LEGEND:
    g_value_set_int(value, private_of(self)->legend);
    break;
  case PROP_CUT:
    g_value_set_boolean(value, debye_layer_get_cut(self));
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
  }
}

static void
debye_layer_set_property(GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  DebyeLayer *self = DEBYE_LAYER(object);
  DebyeLayerPrivate *priv = private_of(self);
  switch (id) {
  case PROP_VISIBLE:
    debye_layer_set_visible(self, g_value_get_boolean(value));
    break;
  case PROP_NAME:
    debye_layer_set_name(self, g_value_get_string(value));
    break;
  case PROP_OPACITY:
    debye_layer_set_opacity(self, g_value_get_double(value));
    break;
  case PROP_SHARES_LIMITS:
    debye_layer_set_shares_limits(self, g_value_get_boolean(value));
    break;
  case PROP_LEGEND:
    debye_layer_take_int(self, &priv->legend, g_value_get_int(value), "legend");
    break;
  case PROP_CUT:
    debye_layer_take_int(self, &priv->cut, g_value_get_boolean(value), "cut");
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
  }
}

static void
debye_layer_finalize(GObject *object)
{
  DebyeLayerPrivate *priv = private_of(object);
  g_free(priv->name);
  g_free(priv->source);
  G_OBJECT_CLASS(debye_layer_parent_class)->finalize(object);
}

/* --- Properties from the table of a kind --- */

/* Of the property with this id; NULL: it is none of these. */
static const DebyeLayerSetting *
find_setting(gpointer layer, guint id)
{
  const DebyeLayerKind *kind = DEBYE_LAYER_GET_CLASS(layer)->kind;
  return kind && id >= PROP_MEMBERS && id - PROP_MEMBERS < kind->n_settings
             ? &kind->settings[id - PROP_MEMBERS]
             : NULL;
}

static GParamSpec *
create_spec(const DebyeLayerSetting *setting)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  const double low = setting->range.minimum, high = setting->range.maximum, initial = setting->range.initial;
  switch (setting->type) {
  case G_TYPE_DOUBLE:
    return g_param_spec_double(setting->property, NULL, NULL, low, high, initial, flags);
  case G_TYPE_INT:
    return g_param_spec_int(setting->property, NULL, NULL, (int)low, (int)high, (int)initial, flags);
  default:
    return g_param_spec_boolean(setting->property, NULL, NULL, initial != 0.0, flags);
  }
}

void
debye_layer_class_install(DebyeLayerClass *class, const DebyeLayerKind *kind)
{
  GObjectClass *object_class = G_OBJECT_CLASS(class);
  class->kind = kind;
  /* GObject does not inherit these two. */
  if (object_class->get_property == NULL)
    object_class->get_property = debye_layer_get_member;
  if (object_class->set_property == NULL)
    object_class->set_property = debye_layer_set_member;
  for (guint i = 0; i < kind->n_settings; i++)
    if (kind->settings[i].type != G_TYPE_INVALID)
      g_object_class_install_property(object_class, PROP_MEMBERS + i, create_spec(&kind->settings[i]));
}

void
debye_layer_get_member(GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  const DebyeLayerSetting *setting = find_setting(object, id);
  if (!setting)
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
  else if (setting->type == G_TYPE_DOUBLE)
    g_value_set_double(value, G_STRUCT_MEMBER(double, object, setting->member));
  else if (setting->type == G_TYPE_INT)
    g_value_set_int(value, G_STRUCT_MEMBER(int, object, setting->member));
  else
    g_value_set_boolean(value, G_STRUCT_MEMBER(gboolean, object, setting->member));
}

void
debye_layer_set_member(GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  DebyeLayer *self = DEBYE_LAYER(object);
  const DebyeLayerSetting *setting = find_setting(object, id);
  gboolean changed = FALSE;
  if (!setting)
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
  else if (setting->type == G_TYPE_DOUBLE)
    changed = debye_layer_take_double(self, G_STRUCT_MEMBER_P(object, setting->member),
                                      g_value_get_double(value), setting->property);
  else
    changed = debye_layer_take_int(
        self, G_STRUCT_MEMBER_P(object, setting->member),
        setting->type == G_TYPE_INT ? g_value_get_int(value) : g_value_get_boolean(value), setting->property);
  if (changed && DEBYE_LAYER_GET_CLASS(self)->setting_changed)
    DEBYE_LAYER_GET_CLASS(self)->setting_changed(self);
}

static void
debye_layer_constructed(GObject *object)
{
  const DebyeLayerKind *kind = DEBYE_LAYER_GET_CLASS(object)->kind;
  for (gsize i = 0; kind && i < kind->n_settings; i++) {
    const DebyeLayerSetting *setting = &kind->settings[i];
    if (setting->type == G_TYPE_DOUBLE)
      G_STRUCT_MEMBER(double, object, setting->member) = setting->range.initial;
    else if (setting->type != G_TYPE_INVALID)
      G_STRUCT_MEMBER(int, object, setting->member) = (int)setting->range.initial;
  }
  G_OBJECT_CLASS(debye_layer_parent_class)->constructed(object);
}

static void
debye_layer_class_init(DebyeLayerClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS(class);
  object_class->get_property = debye_layer_get_property;
  object_class->set_property = debye_layer_set_property;
  object_class->finalize = debye_layer_finalize;
  object_class->constructed = debye_layer_constructed;
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  static GParamSpec *specs[N_PROPERTIES];
  specs[PROP_VISIBLE] = g_param_spec_boolean("visible", NULL, NULL, TRUE, flags);
  specs[PROP_NAME] = g_param_spec_string("name", NULL, NULL, "", flags);
  specs[PROP_OPACITY] = g_param_spec_double("opacity", NULL, NULL, 0.0, 1.0, 1.0, flags);
  specs[PROP_SHARES_LIMITS] = g_param_spec_boolean("shares-limits", NULL, NULL, TRUE, flags);
  specs[PROP_LEGEND] = g_param_spec_int("legend", NULL, NULL, DEBYE_LEGEND_USUAL, DEBYE_LEGEND_HIDDEN,
                                        DEBYE_LEGEND_USUAL, flags);
  specs[PROP_CUT] = g_param_spec_boolean("cut", NULL, NULL, TRUE, flags);
  g_object_class_install_properties(object_class, N_PROPERTIES, specs);
  g_signal_new("changed", DEBYE_TYPE_LAYER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("edit", DEBYE_TYPE_LAYER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
               G_TYPE_STRING);
}

static void
debye_layer_init(DebyeLayer *self)
{
  DebyeLayerPrivate *priv = private_of(self);
  priv->visible = TRUE;
  priv->opacity = 1.0;
  priv->cut = TRUE;
  priv->name = g_strdup("");
}

gboolean
debye_layer_has_level_bars(DebyeLayer *self)
{
  return private_of(self)->has_level_bars;
}

void
debye_layer_set_legend_style(DebyeLayer *self, gboolean has_level_bars, gboolean explains_all)
{
  DebyeLayerPrivate *priv = private_of(self);
  priv->has_level_bars = has_level_bars;
  priv->explains_all = explains_all;
}

DebyeLegendShown
debye_layer_get_legend(DebyeLayer *self)
{
  DebyeLayerPrivate *priv = private_of(self);
  return priv->legend == DEBYE_LEGEND_USUAL && priv->explains_all ? DEBYE_LEGEND_SHOWN
                                                                  : (DebyeLegendShown)priv->legend;
}

gboolean
debye_layer_get_cut(DebyeLayer *self)
{
  return private_of(self)->cut;
}

gboolean
debye_layer_get_visible(DebyeLayer *self)
{
  return private_of(self)->visible;
}

void
debye_layer_set_visible(DebyeLayer *self, gboolean visible)
{
  debye_layer_take_int(self, &private_of(self)->visible, !!visible, "visible");
}

const char *
debye_layer_get_name(DebyeLayer *self)
{
  return private_of(self)->name;
}

static void
take_name(DebyeLayer *self, const char *name, guint number)
{
  DebyeLayerPrivate *priv = private_of(self);
  priv->name_number = number;
  if (g_strcmp0(priv->name, name) == 0)
    return;
  g_free(priv->name);
  priv->name = g_strdup(name ? name : "");
  g_object_notify(G_OBJECT(self), "name");
  debye_layer_changed(self);
}

void
debye_layer_set_name(DebyeLayer *self, const char *name)
{
  take_name(self, name, 0);
}

void
debye_layer_set_kind_name(DebyeLayer *self, const char *name, guint number)
{
  g_autofree char *numbered = number > 1 ? g_strdup_printf("%s %u", name, number) : NULL;
  take_name(self, numbered != NULL ? numbered : name, number);
}

void
debye_layer_set_name_number(DebyeLayer *self, guint number)
{
  private_of(self)->name_number = number;
}

guint
debye_layer_get_name_number(DebyeLayer *self)
{
  return private_of(self)->name_number;
}

const char *
debye_layer_get_source(DebyeLayer *self)
{
  return private_of(self)->source;
}

void
debye_layer_set_source(DebyeLayer *self, const char *source)
{
  g_autofree char *former = private_of(self)->source;
  private_of(self)->source = g_strdup(source);
}

double
debye_layer_get_opacity(DebyeLayer *self)
{
  return private_of(self)->opacity;
}

void
debye_layer_set_opacity(DebyeLayer *self, double opacity)
{
  debye_layer_take_double(self, &private_of(self)->opacity, opacity, "opacity");
}

gboolean
debye_layer_take_double(DebyeLayer *self, double *field, double value, const char *property)
{
  if (*field == value)
    return FALSE;
  *field = value;
  g_object_notify(G_OBJECT(self), property);
  debye_layer_changed(self);
  return TRUE;
}

gboolean
debye_layer_take_int(DebyeLayer *self, int *field, int value, const char *property)
{
  if (*field == value)
    return FALSE;
  *field = value;
  g_object_notify(G_OBJECT(self), property);
  debye_layer_changed(self);
  return TRUE;
}

const char *
debye_layer_find_coloring_lack(DebyeLayer *self, int coloring)
{
  DebyeLayerClass *class = DEBYE_LAYER_GET_CLASS(self);
  return class->find_coloring_lack ? class->find_coloring_lack(self, coloring) : NULL;
}

void
debye_layer_changed(DebyeLayer *self)
{
  g_signal_emit_by_name(self, "changed");
}

void
debye_layer_edit(DebyeLayer *self, const char *property)
{
  g_signal_emit_by_name(self, "edit", property);
}

void
debye_layer_join(DebyeLayer *self, gboolean is_still)
{
  DebyeLayerPrivate *priv = private_of(self);
  DebyeLayerClass *class = DEBYE_LAYER_GET_CLASS(self);
  priv->joined = TRUE;
  priv->is_still = is_still;
  if (class->join)
    class->join(self);
}

gboolean
debye_layer_has_joined(DebyeLayer *self)
{
  return private_of(self)->joined;
}

gboolean
debye_layer_is_still(DebyeLayer *self)
{
  return private_of(self)->is_still;
}

void
debye_layer_settle(DebyeLayer *self)
{
  DebyeLayerClass *class = DEBYE_LAYER_GET_CLASS(self);
  if (class->settle)
    class->settle(self);
}

void
debye_layer_release(DebyeLayer *self, gboolean context_lost)
{
  DebyeLayerClass *class = DEBYE_LAYER_GET_CLASS(self);
  if (class->release)
    class->release(self, context_lost);
}

const DebyeShownAtoms *
debye_layer_get_shown(DebyeLayer *self)
{
  DebyeLayerClass *class = DEBYE_LAYER_GET_CLASS(self);
  return class->get_shown ? class->get_shown(self) : NULL;
}

void
debye_layer_set_selection(DebyeLayer *self, const char *text)
{
  DebyeLayerClass *class = DEBYE_LAYER_GET_CLASS(self);
  g_return_if_fail(class->get_shown);
  debye_shown_atoms_set_selection(class->get_shown(self), text);
}

void
debye_layer_choose(DebyeLayer *self, const char *selection, const guint32 *atoms, gsize n_atoms)
{
  g_object_set(self, "choice", debye_atom_choice_new(selection, atoms, n_atoms), NULL);
}

gboolean
debye_layer_show_frame(DebyeLayer *self, DebyeFrame *frame)
{
  DebyeLayerClass *class = DEBYE_LAYER_GET_CLASS(self);
  if (class->show_frame)
    class->show_frame(self, frame);
  return class->show_frame != NULL;
}

DebyeField *
debye_layer_get_field(DebyeLayer *self)
{
  DebyeLayerClass *class = DEBYE_LAYER_GET_CLASS(self);
  return class->get_field ? class->get_field(self) : NULL;
}

void
debye_layer_set_field(DebyeLayer *self, DebyeField *field)
{
  DebyeLayerClass *class = DEBYE_LAYER_GET_CLASS(self);
  if (class->set_field)
    class->set_field(self, field);
}

DebyeField *
debye_layer_get_color_field(DebyeLayer *self)
{
  DebyeLayerClass *class = DEBYE_LAYER_GET_CLASS(self);
  return class->get_color_field ? class->get_color_field(self) : NULL;
}

void
debye_layer_reset_limits(DebyeLayer *self)
{
  DebyeLayerClass *class = DEBYE_LAYER_GET_CLASS(self);
  if (class->reset_limits)
    class->reset_limits(self);
}

void
debye_layer_set_limits(DebyeLayer *self, double minimum, double maximum)
{
  DebyeLayerClass *class = DEBYE_LAYER_GET_CLASS(self);
  if (class->set_limits)
    class->set_limits(self, minimum, maximum);
}

DebyeLimitsState
debye_layer_get_limits_state(DebyeLayer *self)
{
  DebyeLayerClass *class = DEBYE_LAYER_GET_CLASS(self);
  return class->get_limits_state ? class->get_limits_state(self) : DEBYE_LIMITS_UNKNOWN;
}

gboolean
debye_layer_get_shares_limits(DebyeLayer *self)
{
  return !private_of(self)->has_separate_limits;
}

void
debye_layer_set_shares_limits(DebyeLayer *self, gboolean shares)
{
  if (debye_layer_get_shares_limits(self) == !!shares)
    return;
  private_of(self)->has_separate_limits = !shares;
  g_object_notify(G_OBJECT(self), "shares-limits");
}

void
debye_layer_hold_limits(DebyeLayer *self)
{
  double minimum, maximum;
  g_object_get(self, "minimum", &minimum, "maximum", &maximum, NULL);
  g_object_set(self, "minimum", minimum, "maximum", maximum, NULL);
}

gboolean
debye_layer_has(DebyeLayer *self, const char *property)
{
  return g_object_class_find_property(G_OBJECT_GET_CLASS(self), property) != NULL;
}

gboolean
debye_layer_is_transparent(DebyeLayer *self)
{
  return debye_layer_get_opacity(self) < OPAQUE;
}

gboolean
debye_layer_get_bounds(DebyeLayer *self, DebyeVec3 *low, DebyeVec3 *high)
{
  DebyeLayerClass *class = DEBYE_LAYER_GET_CLASS(self);
  return class->get_bounds && class->get_bounds(self, low, high);
}
