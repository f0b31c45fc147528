/* SPDX-License-Identifier: MIT */
/* The base class of isosurfaces, molecular surfaces and cartoons: mesh, GL objects, picking, colours by a
 * map. */
#include "mesh_layer.h"

#include <stdlib.h>

#include "data/messages/message.h"
#include "color_limits.h"
#include "color_map_choice.h"
#include "overlay_text.h"
#include "mesh_gl.h"
#include "render/mesh/mesh_fine.h"

#define LIMIT_PERCENTILE 0.98
/* Vertices looked at for a percentile: enough for two digits. */
#define LOOKED_AT 20000
#define PLAIN_GREY 0.72f

typedef struct {
  DebyeMesh *mesh; /* kept, since a context may be lost */
  guint8 *colors;
  DebyeField *color_field;
  const DebyeColorMap *map, *chosen_map; /* chosen_map NULL: by the values */
  double minimum, maximum;
  gboolean limits_set;
  gboolean limits_due;                   /* when the values of the colour field are there */
  gboolean mesh_changed, colors_changed; /* from what GL has */
  double longest_edge;
  double sample_distance;
  DebyeMeshGl *gl;
  DebyeVec3 low, high;
} DebyeMeshLayerPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE(DebyeMeshLayer, debye_mesh_layer, DEBYE_TYPE_LAYER)

enum { PROP_COLOR_FIELD = 1, PROP_MINIMUM, PROP_MAXIMUM, PROP_COLOR_MAP, PROP_HAS_SCALE };

static DebyeMeshLayerPrivate *
private_of(gpointer layer)
{
  return debye_mesh_layer_get_instance_private(layer);
}

/* --- Limits of the colours --- */

static int
compare_floats(gconstpointer a, gconstpointer b)
{
  const float *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

/* Some of the values that are there, sorted. */
static GArray *
sorted_values(const DebyeMesh *mesh)
{
  GArray *sorted = g_array_new(FALSE, FALSE, sizeof(float));
  gsize stride = mesh->n_vertices / LOOKED_AT + 1;
  for (gsize i = 0; i < mesh->n_vertices; i += stride)
    if (mesh->values[i] < DEBYE_MESH_NO_VALUE)
      g_array_append_val(sorted, mesh->values[i]);
  g_array_sort(sorted, compare_floats);
  return sorted;
}

static double
percentile(const GArray *sorted, double fraction)
{
  return (double)g_array_index(sorted, float, (guint)(fraction * (double)(sorted->len - 1) + 0.5));
}

static void
notify_limits(DebyeMeshLayer *self)
{
  g_object_notify(G_OBJECT(self), "minimum");
  g_object_notify(G_OBJECT(self), "maximum");
}

static void
follow_values(DebyeMeshLayer *self)
{
  DebyeMeshLayerPrivate *priv = private_of(self);
  if (priv->limits_set || !priv->limits_due || !priv->mesh || !priv->mesh->values)
    return;
  g_autoptr(GArray) sorted = sorted_values(priv->mesh);
  if (sorted->len == 0)
    return;
  priv->limits_due = FALSE;
  priv->minimum = percentile(sorted, 1.0 - LIMIT_PERCENTILE);
  priv->maximum = percentile(sorted, LIMIT_PERCENTILE);
  if (priv->map->diverging) {
    priv->maximum = fmax(fabs(priv->minimum), fabs(priv->maximum));
    priv->minimum = -priv->maximum;
  }
  if (!(priv->maximum > priv->minimum))
    priv->maximum = priv->minimum + 1.0;
  debye_color_limits_round(&priv->minimum, &priv->maximum);
  notify_limits(self);
}

/* --- Drawing --- */

static void
upload(DebyeMeshLayerPrivate *priv, gboolean sorted)
{
  if (!priv->gl) {
    priv->gl = debye_mesh_gl_new();
    priv->mesh_changed = priv->colors_changed = TRUE;
  }
  if (priv->mesh_changed)
    debye_mesh_gl_set_mesh(priv->gl, priv->mesh, sorted);
  else if (sorted)
    debye_mesh_gl_sort(priv->gl, priv->mesh);
  if (priv->mesh_changed || priv->colors_changed)
    debye_mesh_gl_set_colors(priv->gl, priv->colors);
  priv->mesh_changed = priv->colors_changed = FALSE;
}

static void
debye_mesh_layer_draw(DebyeLayer *layer, const DebyeDrawContext *context, DebyePass pass)
{
  DebyeMeshLayerPrivate *priv = private_of(layer);
  DebyeMeshLayerClass *class = DEBYE_MESH_LAYER_GET_CLASS(layer);
  if (!priv->mesh || priv->mesh->n_triangles == 0 || pass == DEBYE_PASS_OVERLAY)
    return;
  upload(priv, context->seen != NULL);
  DebyeMeshPaint paint = {.paint = {PLAIN_GREY, PLAIN_GREY, PLAIN_GREY},
                          .opacity = (float)debye_layer_get_opacity(layer),
                          .map = priv->color_field ? priv->map : NULL,
                          .minimum = priv->minimum,
                          .maximum = priv->maximum};
  /* Where a map doesn't reach, no colour of another meaning may stand in. */
  if (class->get_paint && !paint.map)
    class->get_paint(DEBYE_MESH_LAYER(layer), paint.paint);
  debye_mesh_gl_draw(priv->gl, context, &paint);
}

static void
debye_mesh_layer_release(DebyeLayer *layer, gboolean context_lost)
{
  DebyeMeshLayerPrivate *priv = private_of(layer);
  debye_mesh_gl_free(g_steal_pointer(&priv->gl), context_lost);
}

/* Of the mesh, and not of its grid: what is framed is what is seen. */
static gboolean
debye_mesh_layer_get_bounds(DebyeLayer *layer, DebyeVec3 *low, DebyeVec3 *high)
{
  DebyeMeshLayerPrivate *priv = private_of(layer);
  DebyeMeshLayerClass *class = DEBYE_MESH_LAYER_GET_CLASS(layer);
  if (!priv->mesh && class->bound_unmade)
    return class->bound_unmade(DEBYE_MESH_LAYER(layer), low, high);
  *low = priv->low;
  *high = priv->high;
  return priv->mesh && priv->mesh->n_vertices > 0;
}

static void
debye_mesh_layer_extend_supports(DebyeLayer *layer, const DebyeVec3 *directions, double *supports)
{
  const DebyeMesh *mesh = private_of(layer)->mesh;
  DebyeVec3 low, high;
  if (mesh != NULL)
    debye_mesh_extend_supports(mesh, directions, DEBYE_FRAME_DIRECTIONS, supports);
  else if (debye_mesh_layer_get_bounds(layer, &low, &high))
    debye_camera_box_supports(low, high, directions, supports);
}

/* --- Picking --- */

static gboolean
debye_mesh_layer_pick(DebyeLayer *layer, DebyeVec3 origin, DebyeVec3 direction, DebyePick *pick)
{
  DebyeMeshLayerPrivate *priv = private_of(layer);
  const DebyeMesh *mesh = priv->mesh;
  double depth = pick->depth;
  guint32 vertex;
  if (!mesh || !debye_mesh_pick(mesh, origin, direction, &depth, &vertex))
    return FALSE;
  DebyeVec3 point = debye_vec3_add(origin, debye_vec3_scale(direction, depth));
  const DebyeVec3 sampled = debye_mesh_point_outside(mesh, vertex, point, priv->sample_distance);
  double value = priv->color_field ? debye_field_sample(priv->color_field, sampled) : (double)NAN;
  *pick = (DebyePick){.layer = layer,
                      .atom = mesh->atoms && isnan(value) ? (gint64)mesh->atoms[vertex] : -1,
                      .point = point,
                      .value = value,
                      .depth = depth};
  return TRUE;
}

/* --- Legend --- */

/* Whether the surface has values beyond the ends. */
static void
find_cuts(const DebyeMeshLayerPrivate *priv, DebyeColorBar *bar)
{
  const DebyeMesh *mesh = priv->mesh;
  for (gsize i = 0; mesh && mesh->values && i < mesh->n_vertices; i++) {
    const float value = mesh->values[i];
    bar->is_cut_below |= value < (float)bar->minimum;
    bar->is_cut_above |= value > (float)bar->maximum && value < DEBYE_MESH_NO_VALUE;
  }
}

static void
debye_mesh_layer_draw_legend(DebyeLayer *layer, cairo_t *cr, const double text_color[4], double *width,
                             double *height)
{
  DebyeMeshLayerPrivate *priv = private_of(layer);
  *width = *height = 0.0;
  if (!priv->color_field)
    return;
  gboolean is_slanted;
  g_autofree char *title = debye_overlay_text_bar_title(priv->color_field, &is_slanted);
  DebyeColorBar bar = {.map = priv->map,
                       .opacity = debye_layer_get_opacity(layer),
                       .is_level = debye_layer_has_level_bars(layer),
                       .minimum = priv->minimum,
                       .maximum = priv->maximum,
                       .title = title,
                       .is_slanted = is_slanted};
  find_cuts(priv, &bar);
  debye_overlay_text_color_bar(cr, &bar, text_color, width, height);
}

static char *
debye_mesh_layer_get_legend_key(DebyeLayer *layer)
{
  DebyeMeshLayerPrivate *priv = private_of(layer);
  if (!priv->color_field)
    return g_strdup("");
  g_autofree char *title = debye_overlay_text_bar_title(priv->color_field, NULL);
  return g_strdup_printf("bar %s %p %s %g %g %g", priv->map->name, (const void *)priv->map, title,
                         priv->minimum, priv->maximum, debye_layer_get_opacity(layer));
}

static char *
debye_mesh_layer_get_legend_note(DebyeLayer *layer)
{
  DebyeField *field = private_of(layer)->color_field;
  const char *medium = field ? debye_field_get_medium_message(field) : NULL;
  return medium ? debye_message_translate(medium) : NULL;
}

/* --- The colour map --- */

static void
choose_map(DebyeMeshLayerPrivate *priv)
{
  DebyeFieldStatistics statistics;
  debye_field_get_statistics(priv->color_field, &statistics);
  priv->map = statistics.minimum < 0.0 ? debye_color_map_list()[0] : debye_color_map_find("viridis");
  if (priv->chosen_map)
    priv->map = priv->chosen_map;
}

static gboolean
has_scale(DebyeMeshLayer *self)
{
  DebyeMeshLayerClass *class = DEBYE_MESH_LAYER_GET_CLASS(self);
  return private_of(self)->color_field || (class->has_scale && class->has_scale(self));
}

static void
color_map_changed(DebyeMeshLayer *self)
{
  DebyeMeshLayerPrivate *priv = private_of(self);
  DebyeMeshLayerClass *class = DEBYE_MESH_LAYER_GET_CLASS(self);
  if (priv->color_field) {
    choose_map(priv);
    priv->limits_due = TRUE;
    follow_values(self);
  }
  if (class->color_map_changed)
    class->color_map_changed(self);
  g_object_notify(G_OBJECT(self), "color-map");
  debye_layer_changed(DEBYE_LAYER(self));
}

const DebyeColorMap *
debye_mesh_layer_get_chosen_map(DebyeMeshLayer *self)
{
  return private_of(self)->chosen_map;
}

/* --- The object --- */

static void
debye_mesh_layer_set_limits(DebyeLayer *layer, double minimum, double maximum)
{
  DebyeMeshLayerPrivate *priv = private_of(layer);
  if ((priv->limits_set && priv->minimum == minimum && priv->maximum == maximum) || !(maximum > minimum))
    return;
  priv->limits_set = TRUE;
  priv->minimum = minimum;
  priv->maximum = maximum;
  /* A map of one sign, such as a cation's, is compared with others by the same colours. */
  if (minimum == -maximum && !priv->chosen_map)
    priv->map = debye_color_map_list()[0];
  notify_limits(DEBYE_MESH_LAYER(layer));
  debye_layer_changed(layer);
}

static void
debye_mesh_layer_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  DebyeMeshLayerPrivate *priv = private_of(object);
  switch (id) {
  case PROP_COLOR_FIELD:
    g_value_set_object(value, priv->color_field);
    break;
  case PROP_COLOR_MAP:
    debye_color_map_choice_get(priv->chosen_map, value);
    break;
  case PROP_HAS_SCALE:
    g_value_set_boolean(value, has_scale(DEBYE_MESH_LAYER(object)));
    break;
  case PROP_MINIMUM:
    g_value_set_double(value, priv->minimum);
    break;
  case PROP_MAXIMUM:
    g_value_set_double(value, priv->maximum);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
  }
}

static void
debye_mesh_layer_set_property(GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  DebyeMeshLayer *self = DEBYE_MESH_LAYER(object);
  DebyeMeshLayerPrivate *priv = private_of(self);
  switch (id) {
  case PROP_COLOR_FIELD:
    debye_mesh_layer_set_color_field(self, g_value_get_object(value));
    break;
  case PROP_COLOR_MAP:
    if (debye_color_map_choice_set(&priv->chosen_map, value))
      color_map_changed(self);
    break;
  case PROP_MINIMUM:
    debye_mesh_layer_set_limits(DEBYE_LAYER(self), g_value_get_double(value), priv->maximum);
    break;
  case PROP_MAXIMUM:
    debye_mesh_layer_set_limits(DEBYE_LAYER(self), priv->minimum, g_value_get_double(value));
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
  }
}

static void
debye_mesh_layer_finalize(GObject *object)
{
  DebyeMeshLayerPrivate *priv = private_of(object);
  /* No context here: the scene has released a layer before it lets go of it. */
  debye_mesh_gl_free(priv->gl, TRUE);
  debye_mesh_free(priv->mesh);
  g_free(priv->colors);
  g_clear_object(&priv->color_field);
  G_OBJECT_CLASS(debye_mesh_layer_parent_class)->finalize(object);
}

static DebyeField *
debye_mesh_layer_get_own_color_field(DebyeLayer *layer)
{
  return private_of(layer)->color_field;
}

static void
debye_mesh_layer_reset_limits(DebyeLayer *layer)
{
  DebyeMeshLayerPrivate *priv = private_of(layer);
  priv->limits_set = FALSE;
  priv->limits_due = TRUE;
  follow_values(DEBYE_MESH_LAYER(layer));
  debye_layer_changed(layer);
}

static DebyeLimitsState
debye_mesh_layer_get_limits_state(DebyeLayer *layer)
{
  const DebyeMeshLayerPrivate *priv = private_of(layer);
  if (priv->limits_set)
    return DEBYE_LIMITS_SET;
  return priv->color_field && !priv->limits_due ? DEBYE_LIMITS_FOLLOW : DEBYE_LIMITS_UNKNOWN;
}

/* What would come to the same triangles is left as it is. */
static void
debye_mesh_layer_set_longest_edge(DebyeLayer *layer, double longest)
{
  DebyeMeshLayerPrivate *priv = private_of(layer);
  const double usual = priv->mesh != NULL ? priv->mesh->usual_edge : 0.0;
  const guint before = debye_mesh_count_refinements(usual, priv->longest_edge);
  priv->longest_edge = longest;
  if (debye_mesh_count_refinements(usual, longest) != before)
    DEBYE_MESH_LAYER_GET_CLASS(layer)->remesh(DEBYE_MESH_LAYER(layer));
}

double
debye_mesh_layer_get_longest_edge(DebyeMeshLayer *self)
{
  return private_of(self)->longest_edge;
}

void
debye_mesh_layer_set_sample_distance(DebyeMeshLayer *self, double distance)
{
  DebyeMeshLayerPrivate *priv = private_of(self);
  if (priv->sample_distance == distance)
    return;
  priv->sample_distance = distance;
  if (priv->color_field && DEBYE_MESH_LAYER_GET_CLASS(self)->remesh)
    DEBYE_MESH_LAYER_GET_CLASS(self)->remesh(self);
}

double
debye_mesh_layer_get_sample_distance(DebyeMeshLayer *self)
{
  return private_of(self)->sample_distance;
}

static void
debye_mesh_layer_class_init(DebyeMeshLayerClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS(class);
  DebyeLayerClass *layer_class = DEBYE_LAYER_CLASS(class);
  object_class->get_property = debye_mesh_layer_get_property;
  object_class->set_property = debye_mesh_layer_set_property;
  object_class->finalize = debye_mesh_layer_finalize;
  layer_class->get_color_field = debye_mesh_layer_get_own_color_field;
  layer_class->reset_limits = debye_mesh_layer_reset_limits;
  layer_class->set_limits = debye_mesh_layer_set_limits;
  layer_class->get_limits_state = debye_mesh_layer_get_limits_state;
  layer_class->set_longest_edge = debye_mesh_layer_set_longest_edge;
  layer_class->draw = debye_mesh_layer_draw;
  layer_class->release = debye_mesh_layer_release;
  layer_class->get_bounds = debye_mesh_layer_get_bounds;
  layer_class->extend_supports = debye_mesh_layer_extend_supports;
  layer_class->pick = debye_mesh_layer_pick;
  layer_class->draw_legend = debye_mesh_layer_draw_legend;
  layer_class->get_legend_key = debye_mesh_layer_get_legend_key;
  layer_class->get_legend_note = debye_mesh_layer_get_legend_note;
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  g_object_class_install_property(object_class, PROP_COLOR_FIELD,
                                  g_param_spec_object("color-field", NULL, NULL, DEBYE_TYPE_FIELD, flags));
  g_object_class_install_property(object_class, PROP_COLOR_MAP, debye_color_map_choice_spec());
  g_object_class_install_property(object_class, PROP_HAS_SCALE, debye_color_map_choice_scale_spec());
  g_object_class_install_property(
      object_class, PROP_MINIMUM,
      g_param_spec_double("minimum", NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, -1.0, flags));
  g_object_class_install_property(
      object_class, PROP_MAXIMUM,
      g_param_spec_double("maximum", NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, 1.0, flags));
}

static void
debye_mesh_layer_init(DebyeMeshLayer *self)
{
  DebyeMeshLayerPrivate *priv = private_of(self);
  priv->map = debye_color_map_list()[0];
  priv->minimum = -1.0;
  priv->maximum = 1.0;
}

/* --- Meshes and colours --- */

void
debye_mesh_layer_take_mesh(DebyeMeshLayer *self, DebyeMesh *mesh)
{
  DebyeMeshLayerPrivate *priv = private_of(self);
  debye_mesh_free(priv->mesh);
  g_clear_pointer(&priv->colors, g_free);
  priv->mesh = mesh;
  priv->mesh_changed = TRUE;
  if (mesh)
    debye_mesh_get_bounds(mesh, &priv->low, &priv->high);
  follow_values(self);
}

const DebyeMesh *
debye_mesh_layer_get_mesh(DebyeMeshLayer *self)
{
  return private_of(self)->mesh;
}

void
debye_mesh_layer_take_colors(DebyeMeshLayer *self, guint8 *colors)
{
  DebyeMeshLayerPrivate *priv = private_of(self);
  g_free(priv->colors);
  priv->colors = colors;
  priv->colors_changed = TRUE;
}

/* A map that takes another's place in the same unit (it grows, or the next frame has come) keeps the colours,
 * or they would flicker. */
void
debye_mesh_layer_set_color_field(DebyeMeshLayer *self, DebyeField *field)
{
  DebyeMeshLayerPrivate *priv = private_of(self);
  g_autoptr(DebyeField) old = priv->color_field ? g_object_ref(priv->color_field) : NULL;
  if (!g_set_object(&priv->color_field, field))
    return;
  if (field && !(old && g_str_equal(debye_field_get_unit(old), debye_field_get_unit(field)))) {
    choose_map(priv);
    priv->limits_due = TRUE;
    priv->limits_set = FALSE;
  }
  if (field && DEBYE_MESH_LAYER_GET_CLASS(self)->remesh)
    DEBYE_MESH_LAYER_GET_CLASS(self)->remesh(self);
  g_object_notify(G_OBJECT(self), "color-field");
  g_object_notify(G_OBJECT(self), "has-color-scale");
  debye_layer_changed(DEBYE_LAYER(self));
}

DebyeField *
debye_mesh_layer_get_color_field(DebyeMeshLayer *self)
{
  return private_of(self)->color_field;
}

const DebyeColorMap *
debye_mesh_layer_get_color_map(DebyeMeshLayer *self)
{
  g_return_val_if_fail(DEBYE_IS_MESH_LAYER(self), NULL);
  return private_of(self)->map;
}
