/* SPDX-License-Identifier: MIT */
/* The layer of the clipping plane: where the cut is; asked by the renderer. */
#include "clip_layer.h"

#include <glib/gi18n.h>

#include "data/files/error.h"
#include "layer.h"

struct _DebyeClipLayer {
  DebyeLayer parent;
  int direction;
  double position;
  gboolean flipped;
};

G_DEFINE_FINAL_TYPE(DebyeClipLayer, debye_clip_layer, DEBYE_TYPE_LAYER)

static void
debye_clip_layer_class_init(DebyeClipLayerClass *class)
{
  debye_layer_class_install(DEBYE_LAYER_CLASS(class), &debye_clip_layer_kind);
}

static void
debye_clip_layer_init(DebyeClipLayer *self G_GNUC_UNUSED)
{
}

DebyeClipLayer *
debye_clip_layer_new(void)
{
  return g_object_new(DEBYE_TYPE_CLIP_LAYER, NULL);
}

/* Towards what is kept: away from the eye, or down an axis. */
static DebyeVec3
normal_of(const DebyeClipLayer *self, const DebyeCamera *camera)
{
  vec3 ahead = {0.0f, 0.0f, -1.0f}, turned;
  versor back;
  if (self->direction != DEBYE_CLIP_VIEW)
    return debye_vec3(-(self->direction == DEBYE_CLIP_X), -(self->direction == DEBYE_CLIP_Y),
                      -(self->direction == DEBYE_CLIP_Z));
  glm_quat_inv((float *)camera->orientation, back);
  glm_quat_rotatev(back, ahead, turned);
  return debye_vec3((double)turned[0], (double)turned[1], (double)turned[2]);
}

static void
get_plane(DebyeClipLayer *self, const DebyeCamera *camera, DebyeVec3 low, DebyeVec3 high, double plane[4])
{
  DebyeVec3 normal = normal_of(self, camera), middle = debye_vec3_scale(debye_vec3_add(low, high), 0.5);
  DebyeVec3 half = debye_vec3_scale(debye_vec3_subtract(high, low), 0.5);
  double reach = fabs(normal.x) * half.x + fabs(normal.y) * half.y + fabs(normal.z) * half.z;
  double at = debye_vec3_dot(normal, middle) + reach * (2.0 * self->position - 1.0);
  double sign = self->flipped ? -1.0 : 1.0;
  plane[0] = sign * normal.x;
  plane[1] = sign * normal.y;
  plane[2] = sign * normal.z;
  plane[3] = -sign * at;
}

gboolean
debye_clip_layer_find_plane(GListModel *layers, const DebyeCamera *camera, DebyeVec3 low, DebyeVec3 high,
                            double plane[4])
{
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (!DEBYE_IS_CLIP_LAYER(layer) || !debye_layer_get_visible(layer))
      continue;
    get_plane(DEBYE_CLIP_LAYER(layer), camera, low, high, plane);
    return TRUE;
  }
  return FALSE;
}

/* --- What can be set --- */

static const DebyeChoice directions[] = {
    {"x", N_("Across x"), NULL},           {"y", N_("Across y"), NULL}, {"z", N_("Across z"), NULL},
    {"view", N_("Across the view"), NULL}, {NULL, NULL, NULL},
};

/* "view", "z:0.3". */
static gboolean
parse_place(DebyeLayer *layer, const char *text, GError **error)
{
  g_auto(GStrv) parts = g_strsplit(text, ":", -1);
  const guint n_parts = g_strv_length(parts);
  char *end = NULL;
  double position = n_parts == 2 ? g_ascii_strtod(parts[1], &end) : 0.5;
  gboolean is_number = n_parts == 1 || (n_parts == 2 && end != parts[1] && *end == '\0');
  int direction = 0;
  while (n_parts > 0 && directions[direction].value && strcmp(directions[direction].value, parts[0]) != 0)
    direction++;
  if (n_parts == 0 || !directions[direction].value || !is_number || !(position >= 0.0 && position <= 1.0))
    return debye_error_set(
        error, DEBYE_ERROR_SETTING,
        "expected x, y, z or view, or one of them and a position from 0 to 1 such as z:0.3, found “%s”",
        text);
  g_object_set(layer, "direction", direction, "position", position, NULL);
  return TRUE;
}

static const DebyeLayerSetting settings[] = {
    {.option = {.key = "clip",
                .kind = DEBYE_SETTING_TEXT,
                .help = "plane across x, y, z or the view that cuts away what lies in front of it: view for "
                        "its middle, z:0.3 for a position from 0 to 1 through the scene"},
     .adds = TRUE,
     .parse = parse_place},
    {.property = "direction",
     .label = N_("Plane"),
     .choices = directions,
     .type = G_TYPE_INT,
     .member = G_STRUCT_OFFSET(DebyeClipLayer, direction),
     .range = {DEBYE_CLIP_X, DEBYE_CLIP_VIEW, DEBYE_CLIP_VIEW}},
    {.property = "position",
     .label = N_("Position"),
     .name = N_("Position of the clipping plane"),
     .type = G_TYPE_DOUBLE,
     .member = G_STRUCT_OFFSET(DebyeClipLayer, position),
     .range = {0.0, 1.0, 0.5}},
    {.property = "flipped",
     .type = G_TYPE_BOOLEAN,
     .member = G_STRUCT_OFFSET(DebyeClipLayer, flipped),
     .label = N_("Other side"),
     .option = {.key = "clip-flipped",
                .label = "Clip the other side",
                .kind = DEBYE_SETTING_BOOLEAN,
                .initial = "false",
                .help = "cut away what lies behind the plane instead"}},
};

static gpointer
create(const DebyeLayerContents *contents G_GNUC_UNUSED)
{
  return debye_clip_layer_new();
}

const DebyeLayerKind debye_clip_layer_kind = {
    .key = "clipping-plane",
    .title = N_("Clipping plane"),
    .section = 2,
    .needs = DEBYE_LAYER_NEEDS_NOTHING,
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
    .create = create,
};
