/* SPDX-License-Identifier: MIT */
/* The layer of isosurfaces: one level of a map. Of large maps a coarse mesh comes first, so that the surface
 * follows a slider, and the fine one when the level has stood still for as long as the coarse one takes.
 * Picking asks the field, not the mesh. */
#include "isosurface_layer.h"

#include <glib/gi18n.h>

#include "color_map_choice.h"
#include "data/messages/message.h"
#include "isosurface_levels.h"
#include "overlay_text.h"
#include "render/mesh/mesher.h"

#define USUAL_OPACITY 0.55
/* A slider covers what all but this part of the map's points have. */
#define RANGE_PERCENTILE 0.995
#define POSITIVE_COLOR 0x4a80e0
#define NEGATIVE_COLOR 0xdf4a42
/* Points above which a coarse mesh is made first: more than a frame's time on one core. */
#define LARGE_MAP ((gsize)96 * 96 * 96)

struct _DebyeIsosurfaceLayer {
  DebyeMeshLayer parent;
  DebyeField *field;
  double level;
  guint32 color;
  gboolean has_color;

  DebyeWorker *mesher;      /* NULL: not needed yet */
  gsize requested, settled; /* the strides of the newest request; of the newest mesh; 0: out of date */
};

G_DEFINE_FINAL_TYPE(DebyeIsosurfaceLayer, debye_isosurface_layer, DEBYE_TYPE_MESH_LAYER)

enum { PROP_LEVEL = 1, PROP_COLOR };

static guint32
shown_color(const DebyeIsosurfaceLayer *self)
{
  if (self->has_color)
    return self->color;
  return self->level < 0.0 ? NEGATIVE_COLOR : POSITIVE_COLOR;
}

static void
color_floats(guint32 color, float rgb[3])
{
  for (int c = 0; c < 3; c++)
    rgb[c] = (float)(color >> (16 - 8 * c) & 0xff) / 255.0f;
}

/* --- Meshing --- */

static gboolean
is_large(const DebyeIsosurfaceLayer *self)
{
  return self->field && debye_grid_n_points(debye_field_get_grid(self->field)) > LARGE_MAP;
}

/* Takes what is done; its stride, 0 where there is nothing. */
static gsize
take_mesh(DebyeIsosurfaceLayer *self)
{
  gsize stride = 0;
  DebyeMesh *mesh = debye_mesher_take(self->mesher, &stride);
  if (!mesh)
    return 0;
  debye_mesh_layer_take_mesh(DEBYE_MESH_LAYER(self), mesh);
  return stride;
}

static gboolean on_meshed(gpointer data);

static void
request_mesh(DebyeIsosurfaceLayer *self, gsize stride)
{
  DebyeMeshLayer *layer = DEBYE_MESH_LAYER(self);
  if (!self->mesher)
    self->mesher = debye_mesher_new(on_meshed, self);
  if (debye_layer_has_joined(DEBYE_LAYER(self)))
    debye_worker_listen(self->mesher);
  self->requested = stride;
  debye_mesher_request(self->mesher,
                       &(DebyeMesherRequest){.field = self->field,
                                             .level = self->level,
                                             .stride = stride,
                                             .longest_edge = debye_mesh_layer_get_longest_edge(layer),
                                             .coloring = debye_mesh_layer_get_color_field(layer),
                                             .is_still = debye_layer_is_still(DEBYE_LAYER(self))});
}

static gboolean
on_meshed(gpointer data)
{
  DebyeIsosurfaceLayer *self = data;
  gsize stride = take_mesh(self);
  if (stride == 0)
    return G_SOURCE_CONTINUE;
  gboolean newest = !debye_worker_is_busy(self->mesher);
  self->settled = newest ? stride : 0;
  if (newest && stride > 1)
    request_mesh(self, 1);
  debye_layer_changed(DEBYE_LAYER(self));
  return G_SOURCE_CONTINUE;
}

/* A layer that is not in a scene yet may get another level: its mesh waits for that, or for settle(). */
static void
mesh_again(DebyeIsosurfaceLayer *self)
{
  const gboolean follows_hand = is_large(self) && !debye_layer_is_still(DEBYE_LAYER(self));
  self->requested = self->settled = 0;
  if (self->field && debye_layer_has_joined(DEBYE_LAYER(self)))
    request_mesh(self, follows_hand ? 2 : 1);
}

static void
debye_isosurface_layer_join(DebyeLayer *layer)
{
  DebyeIsosurfaceLayer *self = DEBYE_ISOSURFACE_LAYER(layer);
  if (self->requested == 0)
    mesh_again(self);
  else
    debye_worker_listen(self->mesher);
}

static void
debye_isosurface_layer_settle(DebyeLayer *layer)
{
  DebyeIsosurfaceLayer *self = DEBYE_ISOSURFACE_LAYER(layer);
  if (!self->field || self->settled == 1)
    return;
  if (self->requested != 1)
    request_mesh(self, 1);
  debye_worker_wait(self->mesher);
  if (take_mesh(self) > 0)
    debye_layer_changed(layer);
  self->settled = 1;
}

static void
debye_isosurface_layer_remesh(DebyeMeshLayer *layer)
{
  mesh_again(DEBYE_ISOSURFACE_LAYER(layer));
}

static void
debye_isosurface_layer_get_paint(DebyeMeshLayer *layer, float rgb[3])
{
  color_floats(shown_color(DEBYE_ISOSURFACE_LAYER(layer)), rgb);
}

/* --- Bounds --- */

static void
bound_grid(const DebyeGrid *grid, DebyeVec3 *low, DebyeVec3 *high)
{
  *low = *high = grid->origin;
  for (int axis = 0; axis < 3; axis++) {
    DebyeVec3 side = debye_vec3_scale(grid->step[axis], (double)grid->shape[axis] - 1.0);
    *low = debye_vec3_add(*low, debye_vec3(fmin(side.x, 0.0), fmin(side.y, 0.0), fmin(side.z, 0.0)));
    *high = debye_vec3_add(*high, debye_vec3(fmax(side.x, 0.0), fmax(side.y, 0.0), fmax(side.z, 0.0)));
  }
}

/* The grid stands in for a mesh that is still being made. */
static gboolean
debye_isosurface_layer_bound_unmade(DebyeMeshLayer *layer, DebyeVec3 *low, DebyeVec3 *high)
{
  DebyeField *field = DEBYE_ISOSURFACE_LAYER(layer)->field;
  if (field)
    bound_grid(debye_field_get_grid(field), low, high);
  return field != NULL;
}

/* --- Picking --- */

/* The stretch of a ray within a grid, as distances; FALSE where it misses. */
static gboolean
cross_grid(const DebyeGrid *grid, DebyeVec3 origin, DebyeVec3 direction, double *from, double *to)
{
  double volume = debye_vec3_dot(grid->step[0], debye_vec3_cross(grid->step[1], grid->step[2]));
  *from = 0.0;
  *to = INFINITY;
  for (int axis = 0; axis < 3; axis++) {
    DebyeVec3 across = debye_vec3_cross(grid->step[(axis + 1) % 3], grid->step[(axis + 2) % 3]);
    double start = debye_vec3_dot(debye_vec3_subtract(origin, grid->origin), across) / volume;
    double speed = debye_vec3_dot(direction, across) / volume, last = (double)grid->shape[axis] - 1.0;
    double a = (0.0 - start) / speed, b = (last - start) / speed;
    if (speed == 0.0 && (start < 0.0 || start > last))
      return FALSE;
    if (speed != 0.0) {
      *from = fmax(*from, fmin(a, b));
      *to = fmin(*to, fmax(a, b));
    }
  }
  return *from < *to;
}

static double
height_at(DebyeIsosurfaceLayer *self, DebyeVec3 origin, DebyeVec3 direction, double t)
{
  return debye_field_sample(self->field, debye_vec3_add(origin, debye_vec3_scale(direction, t))) -
         self->level;
}

/* What is read out: the level, or of the map that colours it the value there. */
static double
value_on(DebyeIsosurfaceLayer *self, DebyeVec3 point)
{
  DebyeField *coloring = debye_mesh_layer_get_color_field(DEBYE_MESH_LAYER(self));
  double value = coloring ? debye_field_sample(coloring, point) : (double)NAN;
  return isnan(value) ? self->level : value;
}

static gboolean
debye_isosurface_layer_pick(DebyeLayer *layer, DebyeVec3 origin, DebyeVec3 direction, DebyePick *pick)
{
  DebyeIsosurfaceLayer *self = DEBYE_ISOSURFACE_LAYER(layer);
  double from, to;
  if (!self->field || !cross_grid(debye_field_get_grid(self->field), origin, direction, &from, &to))
    return FALSE;
  const DebyeVec3 *steps = debye_field_get_grid(self->field)->step;
  double step =
      0.5 * fmin(debye_vec3_length(steps[0]), fmin(debye_vec3_length(steps[1]), debye_vec3_length(steps[2])));
  double before = height_at(self, origin, direction, from);
  for (double t = from + step; t < fmin(to, pick->depth) + step; t += step) {
    double here = height_at(self, origin, direction, t);
    if (before * here <= 0.0) {
      double low = t - step, high = t;
      for (int i = 0; i < 20; i++) {
        double middle = 0.5 * (low + high), value = height_at(self, origin, direction, middle);
        if (before * value <= 0.0)
          high = middle;
        else
          low = middle;
      }
      if (high >= pick->depth)
        return FALSE;
      DebyeVec3 point = debye_vec3_add(origin, debye_vec3_scale(direction, high));
      *pick = (DebyePick){
          .layer = layer, .atom = -1, .point = point, .value = value_on(self, point), .depth = high};
      return TRUE;
    }
    before = here;
  }
  return FALSE;
}

static char *
level_text(DebyeIsosurfaceLayer *self)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(digits, sizeof digits, "%.3g", fabs(self->level));
  g_autofree char *raised = debye_overlay_text_raise_power(digits);
  const char *unit = self->field ? debye_field_get_unit(self->field) : NULL;
  return g_strconcat(self->level < 0.0 ? "−" : debye_isosurface_level_plus(self->level, self->field), raised,
                     unit && *unit ? " " : "", unit, NULL);
}

static void
debye_isosurface_layer_draw_legend(DebyeLayer *layer, cairo_t *cr, const double text_color[4], double *width,
                                   double *height)
{
  DebyeIsosurfaceLayer *self = DEBYE_ISOSURFACE_LAYER(layer);
  float rgb[3];
  if (debye_mesh_layer_get_color_field(DEBYE_MESH_LAYER(self))) {
    DEBYE_LAYER_CLASS(debye_isosurface_layer_parent_class)->draw_legend(layer, cr, text_color, width, height);
    return;
  }
  color_floats(shown_color(self), rgb);
  g_autofree char *text = level_text(self);
  debye_overlay_text_swatch(cr, rgb, debye_layer_get_opacity(layer), text, text_color, width, height);
}

static char *
debye_isosurface_layer_get_legend_key(DebyeLayer *layer)
{
  DebyeIsosurfaceLayer *self = DEBYE_ISOSURFACE_LAYER(layer);
  if (debye_mesh_layer_get_color_field(DEBYE_MESH_LAYER(self)))
    return DEBYE_LAYER_CLASS(debye_isosurface_layer_parent_class)->get_legend_key(layer);
  g_autofree char *text = level_text(self);
  return g_strdup_printf("surface %s %06x %g", text, shown_color(self), debye_layer_get_opacity(layer));
}

/* Of the map that colours the surface, else of its own. */
static char *
debye_isosurface_layer_get_legend_note(DebyeLayer *layer)
{
  DebyeField *field = DEBYE_ISOSURFACE_LAYER(layer)->field;
  const char *medium = field ? debye_field_get_medium_message(field) : NULL;
  if (debye_mesh_layer_get_color_field(DEBYE_MESH_LAYER(layer)))
    return DEBYE_LAYER_CLASS(debye_isosurface_layer_parent_class)->get_legend_note(layer);
  return medium ? debye_message_translate(medium) : NULL;
}

/* --- The object --- */

static DebyeField *
debye_isosurface_layer_get_field(DebyeLayer *layer)
{
  return DEBYE_ISOSURFACE_LAYER(layer)->field;
}

/* The name follows the level, but for one that was given another name. */
static void
name_by_level(DebyeIsosurfaceLayer *self)
{
  g_autofree char *name = debye_isosurface_level_name(self->level, self->field);
  if (debye_layer_get_name_number(DEBYE_LAYER(self)) > 0)
    debye_layer_set_kind_name(DEBYE_LAYER(self), name, 1);
}

static void
debye_isosurface_layer_set_field(DebyeLayer *layer, DebyeField *field)
{
  DebyeIsosurfaceLayer *self = DEBYE_ISOSURFACE_LAYER(layer);
  if (!g_set_object(&self->field, field))
    return;
  name_by_level(self);
  mesh_again(self);
  debye_layer_changed(layer);
}

static void
debye_isosurface_layer_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  DebyeIsosurfaceLayer *self = DEBYE_ISOSURFACE_LAYER(object);
  switch (id) {
  case PROP_LEVEL:
    g_value_set_double(value, self->level);
    break;
  case PROP_COLOR:
    g_value_set_uint(value, shown_color(self));
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
  }
}

static void
set_color(DebyeIsosurfaceLayer *self, guint32 color)
{
  if (self->has_color && self->color == color)
    return;
  self->has_color = TRUE;
  self->color = color;
  g_object_notify(G_OBJECT(self), "color");
  debye_layer_changed(DEBYE_LAYER(self));
}

static void
debye_isosurface_layer_set_property(GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  DebyeIsosurfaceLayer *self = DEBYE_ISOSURFACE_LAYER(object);
  switch (id) {
  case PROP_LEVEL:
    debye_isosurface_layer_set_level(self, g_value_get_double(value));
    break;
  case PROP_COLOR:
    set_color(self, g_value_get_uint(value));
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
  }
}

static void
debye_isosurface_layer_dispose(GObject *object)
{
  DebyeIsosurfaceLayer *self = DEBYE_ISOSURFACE_LAYER(object);
  g_clear_pointer(&self->mesher, debye_worker_free);
  g_clear_object(&self->field);
  G_OBJECT_CLASS(debye_isosurface_layer_parent_class)->dispose(object);
}

static void
debye_isosurface_layer_class_init(DebyeIsosurfaceLayerClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS(class);
  DebyeLayerClass *layer_class = DEBYE_LAYER_CLASS(class);
  DebyeMeshLayerClass *mesh_class = DEBYE_MESH_LAYER_CLASS(class);
  object_class->get_property = debye_isosurface_layer_get_property;
  object_class->set_property = debye_isosurface_layer_set_property;
  object_class->dispose = debye_isosurface_layer_dispose;
  mesh_class->remesh = debye_isosurface_layer_remesh;
  mesh_class->bound_unmade = debye_isosurface_layer_bound_unmade;
  mesh_class->get_paint = debye_isosurface_layer_get_paint;
  layer_class->kind = &debye_isosurface_layer_kind;
  layer_class->get_field = debye_isosurface_layer_get_field;
  layer_class->set_field = debye_isosurface_layer_set_field;
  layer_class->pick = debye_isosurface_layer_pick;
  layer_class->draw_legend = debye_isosurface_layer_draw_legend;
  layer_class->get_legend_key = debye_isosurface_layer_get_legend_key;
  layer_class->get_legend_note = debye_isosurface_layer_get_legend_note;
  layer_class->join = debye_isosurface_layer_join;
  layer_class->settle = debye_isosurface_layer_settle;
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  g_object_class_install_property(
      object_class, PROP_LEVEL,
      g_param_spec_double("level", NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, 0.0, flags));
  g_object_class_install_property(object_class, PROP_COLOR,
                                  g_param_spec_uint("color", NULL, NULL, 0, 0xffffff, POSITIVE_COLOR, flags));
}

static void
debye_isosurface_layer_init(DebyeIsosurfaceLayer *self G_GNUC_UNUSED)
{
}

DebyeIsosurfaceLayer *
debye_isosurface_layer_new(DebyeField *field, double level)
{
  DebyeIsosurfaceLayer *self = g_object_new(DEBYE_TYPE_ISOSURFACE_LAYER, NULL);
  self->level = level;
  debye_isosurface_layer_set_field(DEBYE_LAYER(self), field);
  return self;
}

void
debye_isosurface_layer_set_level(DebyeIsosurfaceLayer *self, double level)
{
  if (self->level == level)
    return;
  self->level = level;
  mesh_again(self);
  g_object_notify(G_OBJECT(self), "level");
  name_by_level(self);
  debye_layer_changed(DEBYE_LAYER(self));
}

double
debye_isosurface_layer_get_level(DebyeIsosurfaceLayer *self)
{
  return self->level;
}

/* --- What can be set --- */

/* Of the map's signs, what all but a small part of its points have. */
static void
get_level_range(DebyeLayer *layer, double *low, double *high, const char **unit)
{
  DebyeField *field = DEBYE_ISOSURFACE_LAYER(layer)->field;
  double least = debye_field_get_percentile(field, 1.0 - RANGE_PERCENTILE);
  double most = debye_field_get_percentile(field, RANGE_PERCENTILE);
  double reach = fmax(fabs(least), fabs(most));
  *unit = debye_field_get_unit(field);
  if (!(reach > 0.0) || !isfinite(reach))
    return;
  *low = least < 0.0 ? -reach : 0.0;
  *high = most > 0.0 ? reach : 0.0;
}

static const DebyeChoice one_color[] = {{"uniform", N_("One colour"), NULL}, {NULL, NULL, NULL}};

static const DebyeLayerSetting settings[] = {
    {.property = "level",
     .label = N_("Level"),
     .name = N_("Isosurface level"),
     .get_range = get_level_range,
     .option = {.key = "surface",
                .label = "Surface",
                .kind = DEBYE_SETTING_NUMBER,
                .repeated = TRUE,
                .help = "isosurface at this level, in the map's unit: blue if positive, red if negative"},
     .adds = TRUE},
    {.property = "opacity", .label = N_("Opacity"), .option = {.key = "opacity"}},
    {.property = "color-field",
     .label = N_("Colour by"),
     .choices = one_color,
     .option = {.key = "surface-color"}},
    {.property = "minimum", .label = N_("Limits"), .option = {.key = "surface-limits"}},
    {DEBYE_COLOR_MAP_SETTING, .option = {.key = "color-map"}},
    {.property = "color", .label = N_("Colour"), .name = N_("Colour of the surface")},
    {DEBYE_LAYER_CUT_SETTING},
};

/* Translucent: what is inside stays visible. */
static gpointer
create(const DebyeLayerContents *contents)
{
  DebyeIsosurfaceLayer *layer = debye_isosurface_layer_new(contents->field, 0.0);
  debye_layer_set_opacity(DEBYE_LAYER(layer), USUAL_OPACITY);
  return layer;
}

/* Further out than those that come with a map. */
static gboolean
begin(DebyeLayer *layer, const DebyeCamera *camera G_GNUC_UNUSED, DebyeField *map)
{
  double negative, positive;
  debye_isosurface_suggest_levels(map, &negative, &positive);
  debye_isosurface_layer_set_level(DEBYE_ISOSURFACE_LAYER(layer),
                                   2.0 * (positive > 0.0 ? positive : negative));
  return TRUE;
}

static char *
get_name(DebyeLayer *layer)
{
  DebyeIsosurfaceLayer *self = DEBYE_ISOSURFACE_LAYER(layer);
  return debye_isosurface_level_name(self->level, self->field);
}

static gboolean
had_name(DebyeLayer *layer)
{
  DebyeIsosurfaceLayer *self = DEBYE_ISOSURFACE_LAYER(layer);
  return self->field != NULL &&
         debye_isosurface_level_was_name(debye_layer_get_name(layer), self->level, self->field);
}

static char *
get_title(DebyeLayer *layer)
{
  DebyeIsosurfaceLayer *self = DEBYE_ISOSURFACE_LAYER(layer);
  return self->field != NULL && debye_layer_get_name_number(layer) > 0
             ? debye_isosurface_level_title(self->level, self->field)
             : NULL;
}

const DebyeLayerKind debye_isosurface_layer_kind = {
    .key = "isosurface",
    .title = N_("Isosurface"),
    .section = 1,
    .needs = DEBYE_LAYER_NEEDS_MAP,
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
    .create = create,
    .begin = begin,
    .get_name = get_name,
    .had_name = had_name,
    .get_title = get_title,
};
