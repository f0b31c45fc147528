/* SPDX-License-Identifier: MIT */
/* The layer of a slice through a map: its plane is resampled at the next drawing when it has moved. */
#include "slice_layer_private.h"

#include <string.h>

#include "data/messages/message.h"
#include "color_limits.h"
#include "color_map_choice.h"
#include "overlay_text.h"
#include "slice_contours.h"

/* Contours from limit to limit, about, where their step is found for them. */
#define USUAL_CONTOURS 8.0

G_DEFINE_FINAL_TYPE(DebyeSliceLayer, debye_slice_layer, DEBYE_TYPE_LAYER)

enum {
  PROP_AXIS = 1,
  PROP_POSITION,
  PROP_DISTANCE,
  PROP_MINIMUM,
  PROP_MAXIMUM,
  PROP_CONTOURS,
  PROP_CONTOUR_STEP,
  PROP_PLANE,
  PROP_IS_ANY_PLANE,
  PROP_HAS_CONTOUR_STEP,
  PROP_COLOR_MAP,
  PROP_HAS_SCALE,
  N_PROPERTIES
};

static void
follow_field(DebyeSliceLayer *self)
{
  DebyeFieldStatistics statistics;
  debye_field_get_statistics(self->field, &statistics);
  const DebyeColorMap *usual =
      statistics.minimum < 0.0 ? debye_color_map_list()[0] : debye_color_map_find("viridis");
  const DebyeColorMap *map = self->chosen_map ? self->chosen_map : usual;
  self->colors_changed |= map != self->map;
  self->map = map;
  if (self->limits_set)
    return;
  debye_color_limits_suggest(self->field, self->map->diverging, &self->minimum, &self->maximum);
  g_object_notify(G_OBJECT(self), "minimum");
  g_object_notify(G_OBJECT(self), "maximum");
}

/* --- Contours --- */

static double
round_step(const DebyeSliceLayer *self)
{
  return debye_overlay_text_round_step((self->maximum - self->minimum) / USUAL_CONTOURS);
}

double
debye_slice_layer_get_contour_step(DebyeSliceLayer *self)
{
  if (self->contours == DEBYE_CONTOURS_OFF)
    return 0.0;
  return self->contours == DEBYE_CONTOURS_STEP && self->contour_step > 0.0 ? self->contour_step
                                                                           : round_step(self);
}

static const DebyeLabel *
debye_slice_layer_get_labels(DebyeLayer *layer, gsize *n_labels)
{
  DebyeSliceLayer *self = DEBYE_SLICE_LAYER(layer);
  const DebyeSlicePlane *plane = debye_slice_layer_get_plane(self);
  const double of[3] = {self->minimum, self->maximum, debye_slice_layer_get_contour_step(self)};
  *n_labels = 0;
  if (!plane || !(of[2] > 0.0))
    return NULL;
  if (!self->numbers || memcmp(of, self->numbers_of, sizeof of) != 0) {
    g_clear_pointer(&self->numbers, g_array_unref);
    self->numbers = debye_slice_contours_label(plane, of[0], of[1], of[2]);
    memcpy(self->numbers_of, of, sizeof of);
  }
  *n_labels = self->numbers->len;
  return (const DebyeLabel *)(gpointer)self->numbers->data;
}

/* A step of its own begins with the one that was shown. */
void
debye_slice_layer_set_contours(DebyeSliceLayer *self, DebyeContours contours, double step)
{
  g_object_freeze_notify(G_OBJECT(self));
  if (contours == DEBYE_CONTOURS_STEP && !(step > 0.0))
    step = self->field ? round_step(self) : 0.0;
  debye_layer_take_double(DEBYE_LAYER(self), &self->contour_step, step, "contour-step");
  if (debye_layer_take_int(DEBYE_LAYER(self), &self->contours, (int)contours, "contours"))
    g_object_notify(G_OBJECT(self), "has-contour-step");
  g_object_thaw_notify(G_OBJECT(self));
}

/* --- Drawing --- */

static void
upload(DebyeSliceLayer *self)
{
  if (!self->gl) {
    self->gl = debye_slice_gl_new();
    self->image_changed = self->colors_changed = TRUE;
  }
  if (self->image_changed)
    debye_slice_gl_set_plane(self->gl, self->plane);
  if (self->colors_changed)
    debye_slice_gl_set_colors(self->gl, self->map);
  self->image_changed = self->colors_changed = FALSE;
}

static void
debye_slice_layer_draw(DebyeLayer *layer, const DebyeDrawContext *context, DebyePass pass)
{
  DebyeSliceLayer *self = DEBYE_SLICE_LAYER(layer);
  const DebyeSlicePlane *plane = debye_slice_layer_get_plane(self);
  if (!plane || pass == DEBYE_PASS_OVERLAY)
    return;
  upload(self);
  DebyeSliceShades shades = {.minimum = self->minimum,
                             .maximum = self->maximum,
                             .opacity = debye_layer_get_opacity(layer),
                             .contour_step = debye_slice_layer_get_contour_step(self)};
  debye_slice_gl_draw(self->gl, context, plane, &shades);
}

static void
debye_slice_layer_release(DebyeLayer *layer, gboolean context_lost)
{
  debye_slice_gl_free(g_steal_pointer(&DEBYE_SLICE_LAYER(layer)->gl), context_lost);
}

static gboolean
debye_slice_layer_get_bounds(DebyeLayer *layer, DebyeVec3 *low, DebyeVec3 *high)
{
  const DebyeSlicePlane *plane = debye_slice_layer_get_plane(DEBYE_SLICE_LAYER(layer));
  if (!plane)
    return FALSE;
  for (guint corner = 0; corner < plane->n_corners; corner++) {
    const float *at = plane->corners[corner];
    DebyeVec3 p = debye_slice_plane_place(plane, (double)at[0], (double)at[1]);
    *low = corner ? debye_vec3(fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z)) : p;
    *high = corner ? debye_vec3(fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z)) : p;
  }
  return TRUE;
}

static gboolean
debye_slice_layer_pick(DebyeLayer *layer, DebyeVec3 origin, DebyeVec3 direction, DebyePick *pick)
{
  DebyeSliceLayer *self = DEBYE_SLICE_LAYER(layer);
  const DebyeSlicePlane *plane = debye_slice_layer_get_plane(self);
  DebyePick hit = {.layer = layer, .atom = -1, .depth = pick->depth};
  if (!plane ||
      !debye_slice_plane_hit(plane, self->field, origin, direction, &hit.point, &hit.value, &hit.depth))
    return FALSE;
  *pick = hit;
  return TRUE;
}

static void
debye_slice_layer_draw_legend(DebyeLayer *layer, cairo_t *cr, const double text_color[4], double *width,
                              double *height)
{
  DebyeSliceLayer *self = DEBYE_SLICE_LAYER(layer);
  DebyeFieldStatistics statistics = {0};
  if (self->field)
    debye_field_get_statistics(self->field, &statistics);
  gboolean is_slanted = FALSE;
  g_autofree char *title =
      self->field ? debye_overlay_text_bar_title(self->field, &is_slanted) : g_strdup("");
  const DebyeColorBar bar = {.map = self->map,
                             .opacity = debye_layer_get_opacity(layer),
                             .is_level = debye_layer_has_level_bars(layer),
                             .minimum = self->minimum,
                             .maximum = self->maximum,
                             .is_cut_below = (statistics.minimum < self->minimum),
                             .is_cut_above = (statistics.maximum > self->maximum),
                             .title = title,
                             .is_slanted = is_slanted};
  debye_overlay_text_color_bar(cr, &bar, text_color, width, height);
}

static char *
debye_slice_layer_get_legend_key(DebyeLayer *layer)
{
  DebyeSliceLayer *self = DEBYE_SLICE_LAYER(layer);
  g_autofree char *title = self->field ? debye_overlay_text_bar_title(self->field, NULL) : g_strdup("");
  return g_strdup_printf("bar %s %p %s %g %g %g", self->map->name, (const void *)self->map, title,
                         self->minimum, self->maximum, debye_layer_get_opacity(layer));
}

static char *
debye_slice_layer_get_legend_note(DebyeLayer *layer)
{
  DebyeField *field = DEBYE_SLICE_LAYER(layer)->field;
  const char *medium = field ? debye_field_get_medium_message(field) : NULL;
  return medium ? debye_message_translate(medium) : NULL;
}

/* --- The object --- */

static void
debye_slice_layer_set_limits(DebyeLayer *layer, double minimum, double maximum)
{
  DebyeSliceLayer *self = DEBYE_SLICE_LAYER(layer);
  if ((self->limits_set && self->minimum == minimum && self->maximum == maximum) || !(maximum > minimum))
    return;
  self->limits_set = TRUE;
  self->minimum = minimum;
  self->maximum = maximum;
  g_object_notify(G_OBJECT(self), "minimum");
  g_object_notify(G_OBJECT(self), "maximum");
  debye_layer_changed(layer);
}

static DebyeField *
debye_slice_layer_get_field(DebyeLayer *layer)
{
  return DEBYE_SLICE_LAYER(layer)->field;
}

static void
debye_slice_layer_set_field(DebyeLayer *layer, DebyeField *field)
{
  DebyeSliceLayer *self = DEBYE_SLICE_LAYER(layer);
  if (!g_set_object(&self->field, field))
    return;
  if (field)
    follow_field(self);
  else
    g_clear_pointer(&self->plane, debye_slice_plane_free);
  debye_slice_layer_move(self);
}

static void
debye_slice_layer_reset_limits(DebyeLayer *layer)
{
  DebyeSliceLayer *self = DEBYE_SLICE_LAYER(layer);
  self->limits_set = FALSE;
  if (self->field)
    follow_field(self);
  debye_layer_changed(layer);
}

static DebyeLimitsState
debye_slice_layer_get_limits_state(DebyeLayer *layer)
{
  const DebyeSliceLayer *self = DEBYE_SLICE_LAYER(layer);
  if (self->limits_set)
    return DEBYE_LIMITS_SET;
  return self->field ? DEBYE_LIMITS_FOLLOW : DEBYE_LIMITS_UNKNOWN;
}

const DebyeColorMap *
debye_slice_layer_get_color_map(DebyeSliceLayer *self)
{
  g_return_val_if_fail(DEBYE_IS_SLICE_LAYER(self), NULL);
  return self->map;
}

static void
color_map_changed(DebyeSliceLayer *self)
{
  if (self->field)
    follow_field(self);
  g_object_notify(G_OBJECT(self), "color-map");
  debye_layer_changed(DEBYE_LAYER(self));
}

static void
debye_slice_layer_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  DebyeSliceLayer *self = DEBYE_SLICE_LAYER(object);
  switch (id) {
  case PROP_AXIS:
    g_value_set_int(value, self->axis);
    break;
  case PROP_POSITION:
    g_value_set_double(value, debye_slice_layer_get_position(self));
    break;
  case PROP_DISTANCE:
    g_value_set_double(value, debye_slice_layer_get_distance(self));
    break;
  case PROP_MINIMUM:
    g_value_set_double(value, self->minimum);
    break;
  case PROP_MAXIMUM:
    g_value_set_double(value, self->maximum);
    break;
  case PROP_CONTOURS:
    g_value_set_int(value, self->contours);
    break;
  case PROP_CONTOUR_STEP:
    g_value_set_double(value, self->contour_step);
    break;
  case PROP_PLANE:
    g_value_take_string(value, debye_slice_layer_has_normal(self)
                                   ? debye_slice_plane_format(self->point, self->normal)
                                   : g_strdup(""));
    break;
  case PROP_IS_ANY_PLANE:
    g_value_set_boolean(value, debye_slice_layer_is_any(self));
    break;
  case PROP_COLOR_MAP:
    debye_color_map_choice_get(self->chosen_map, value);
    break;
  case PROP_HAS_SCALE:
    g_value_set_boolean(value, TRUE);
    break;
  case PROP_HAS_CONTOUR_STEP:
    g_value_set_boolean(value, self->contours == DEBYE_CONTOURS_STEP);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
  }
}

static void
debye_slice_layer_set_property(GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  DebyeSliceLayer *self = DEBYE_SLICE_LAYER(object);
  switch (id) {
  case PROP_AXIS:
    debye_slice_layer_set_axis(self, g_value_get_int(value));
    break;
  case PROP_POSITION:
    debye_slice_layer_set_position(self, g_value_get_double(value));
    break;
  case PROP_DISTANCE:
    debye_slice_layer_set_distance(self, g_value_get_double(value));
    break;
  case PROP_MINIMUM:
    debye_slice_layer_set_limits(DEBYE_LAYER(self), g_value_get_double(value), self->maximum);
    break;
  case PROP_MAXIMUM:
    debye_slice_layer_set_limits(DEBYE_LAYER(self), self->minimum, g_value_get_double(value));
    break;
  case PROP_CONTOURS:
    debye_slice_layer_set_contours(self, (DebyeContours)g_value_get_int(value), self->contour_step);
    break;
  case PROP_CONTOUR_STEP:
    debye_slice_layer_set_contours(self, (DebyeContours)self->contours, g_value_get_double(value));
    break;
  case PROP_COLOR_MAP:
    if (debye_color_map_choice_set(&self->chosen_map, value))
      color_map_changed(self);
    break;
  case PROP_PLANE:
    /* What is no plane leaves the last one, and the entry says that. */
    if (!debye_slice_layer_set_plane(self, g_value_get_string(value) ? g_value_get_string(value) : ""))
      g_object_notify(object, "plane");
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
  }
}

static void
debye_slice_layer_finalize(GObject *object)
{
  DebyeSliceLayer *self = DEBYE_SLICE_LAYER(object);
  /* No context here: the scene has released a layer before it lets go of it. */
  debye_slice_gl_free(self->gl, TRUE);
  debye_slice_plane_free(self->plane);
  g_clear_pointer(&self->numbers, g_array_unref);
  g_clear_object(&self->field);
  G_OBJECT_CLASS(debye_slice_layer_parent_class)->finalize(object);
}

static void
install_properties(GObjectClass *class)
{
  static GParamSpec *specs[N_PROPERTIES];
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY,
                    to_read = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
  const double most = G_MAXDOUBLE;
  specs[PROP_AXIS] = g_param_spec_int("axis", NULL, NULL, 0, DEBYE_SLICE_ANY_PLANE, 2, flags);
  specs[PROP_POSITION] = g_param_spec_double("position", NULL, NULL, 0.0, 1.0, 0.5, flags);
  specs[PROP_MINIMUM] = g_param_spec_double("minimum", NULL, NULL, -most, most, -1.0, flags);
  specs[PROP_MAXIMUM] = g_param_spec_double("maximum", NULL, NULL, -most, most, 1.0, flags);
  specs[PROP_DISTANCE] = g_param_spec_double("distance", NULL, NULL, -most, most, 0.0, flags);
  specs[PROP_CONTOURS] =
      g_param_spec_int("contours", NULL, NULL, DEBYE_CONTOURS_OFF, DEBYE_CONTOURS_STEP, 0, flags);
  specs[PROP_CONTOUR_STEP] = g_param_spec_double("contour-step", NULL, NULL, 0.0, most, 0.0, flags);
  specs[PROP_COLOR_MAP] = debye_color_map_choice_spec();
  specs[PROP_HAS_SCALE] = debye_color_map_choice_scale_spec();
  specs[PROP_PLANE] = g_param_spec_string("plane", NULL, NULL, "", flags);
  specs[PROP_IS_ANY_PLANE] = g_param_spec_boolean("is-any-plane", NULL, NULL, FALSE, to_read);
  specs[PROP_HAS_CONTOUR_STEP] = g_param_spec_boolean("has-contour-step", NULL, NULL, FALSE, to_read);
  g_object_class_install_properties(class, N_PROPERTIES, specs);
}

static void
debye_slice_layer_class_init(DebyeSliceLayerClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS(class);
  DebyeLayerClass *layer_class = DEBYE_LAYER_CLASS(class);
  object_class->get_property = debye_slice_layer_get_property;
  object_class->set_property = debye_slice_layer_set_property;
  object_class->finalize = debye_slice_layer_finalize;
  layer_class->kind = &debye_slice_layer_kind;
  layer_class->get_field = debye_slice_layer_get_field;
  layer_class->set_field = debye_slice_layer_set_field;
  layer_class->get_color_field = debye_slice_layer_get_field;
  layer_class->reset_limits = debye_slice_layer_reset_limits;
  layer_class->set_limits = debye_slice_layer_set_limits;
  layer_class->get_limits_state = debye_slice_layer_get_limits_state;
  layer_class->draw = debye_slice_layer_draw;
  layer_class->release = debye_slice_layer_release;
  layer_class->get_bounds = debye_slice_layer_get_bounds;
  layer_class->pick = debye_slice_layer_pick;
  layer_class->draw_legend = debye_slice_layer_draw_legend;
  layer_class->get_legend_key = debye_slice_layer_get_legend_key;
  layer_class->get_legend_note = debye_slice_layer_get_legend_note;
  layer_class->get_labels = debye_slice_layer_get_labels;
  install_properties(object_class);
}

static void
debye_slice_layer_init(DebyeSliceLayer *self)
{
  self->axis = 2;
  self->position = 0.5;
  self->minimum = -1.0;
  self->maximum = 1.0;
  self->map = debye_color_map_list()[0];
}

DebyeSliceLayer *
debye_slice_layer_new(DebyeField *field)
{
  DebyeSliceLayer *self = g_object_new(DEBYE_TYPE_SLICE_LAYER, NULL);
  debye_slice_layer_set_field(DEBYE_LAYER(self), field);
  return self;
}

void
debye_slice_layer_get_limits(DebyeSliceLayer *self, double *minimum, double *maximum)
{
  *minimum = self->minimum;
  *maximum = self->maximum;
}
