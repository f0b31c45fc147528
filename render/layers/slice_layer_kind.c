/* SPDX-License-Identifier: MIT */
/* What can be set of a slice, and how one is made; listed by layer_kinds.c. */
#include <glib/gi18n.h>
#include <math.h>

#include "data/files/error.h"
#include "slice_layer.h"

/* --- The option --- */

/* A coordinate along one axis of the grid as a fraction of the grid's length there; *is_number says whether
 * it is one at all. */
static gboolean
to_fraction(const char *text, const DebyeGrid *grid, int axis, double *position, gboolean *is_number)
{
  char *end = NULL;
  double value = g_ascii_strtod(text, &end);
  const double *origin = &grid->origin.x, *step = &grid->step[axis].x;
  double length = step[axis] * (double)(grid->shape[axis] - 1);
  *is_number = end != text && *end == '\0';
  if (!*is_number || !(fabs(length) > 0.0))
    return FALSE;
  *position = (value - origin[axis]) / length;
  return *position >= 0.0 && *position <= 1.0;
}

/* "z" (the middle), "x:12.5" (Å, along that axis of the grid). */
static gboolean
parse_place(DebyeLayer *layer, const char *text, GError **error)
{
  DebyeSliceLayer *self = DEBYE_SLICE_LAYER(layer);
  const DebyeGrid *grid = debye_field_get_grid(debye_layer_get_field(layer));
  const int axis = text[0] - 'x';
  double position = 0.5;
  gboolean is_understood = axis >= 0 && axis <= 2 && (text[1] == '\0' || text[1] == ':');
  if (is_understood && (text[1] == '\0' || to_fraction(text + 2, grid, axis, &position, &is_understood))) {
    debye_slice_layer_set_axis(self, axis);
    debye_slice_layer_set_position(self, position);
    return TRUE;
  }
  debye_error_set(error, is_understood ? DEBYE_ERROR_VALUE : DEBYE_ERROR_SETTING,
                  "expected x, y or z, or an axis and a place within the map such as z:12.5 (Å), found “%s”",
                  text);
  return FALSE;
}

/* --- The kind --- */

static void
get_distance_range(DebyeLayer *layer, double *low, double *high, const char **unit)
{
  debye_slice_layer_get_reach(DEBYE_SLICE_LAYER(layer), low, high);
  *unit = debye_field_get_length_unit(debye_layer_get_field(layer));
}

static const DebyeChoice axes[] = {{"x", N_("Across x"), NULL},
                                   {"y", N_("Across y"), NULL},
                                   {"z", N_("Across z"), NULL},
                                   {NULL, NULL, NULL}};

static const DebyeLayerSetting settings[] = {
    {.option = {.key = "slice",
                .kind = DEBYE_SETTING_TEXT,
                .repeated = TRUE,
                .help =
                    "a coloured plane through the map: x, y or z for its middle, z:12.5 for a place in Å"},
     .adds = TRUE,
     .parse = parse_place},
    {.property = "axis", .label = N_("Plane"), .choices = axes},
    {.property = "distance",
     .label = N_("Position"),
     .name = N_("Position of the slice"),
     .get_range = get_distance_range},
    {.property = "minimum", .label = N_("Limits")},
    {.property = "opacity", .label = N_("Opacity"), .option = {.key = "opacity"}},
};

/* Opaque: its colours are read against those of a bar. */
static gpointer
create(const DebyeLayerContents *contents)
{
  return debye_slice_layer_new(contents->field);
}

/* Through the middle, along the plane of the grid that a person looks at most squarely: another could stand on
 * its edge. */
static gboolean
begin(DebyeLayer *layer, const DebyeCamera *camera, DebyeField *map)
{
  const DebyeGrid *grid = debye_field_get_grid(map);
  DebyeVec3 eye, sight;
  debye_camera_ray(camera, 0.5, 0.5, 1.0, 1.0, &eye, &sight);
  double most = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    DebyeVec3 normal = debye_vec3_cross(grid->step[(axis + 1) % 3], grid->step[(axis + 2) % 3]);
    double share = fabs(debye_vec3_dot(normal, sight)) / debye_vec3_length(normal);
    if (share > most) {
      most = share;
      debye_slice_layer_set_axis(DEBYE_SLICE_LAYER(layer), axis);
    }
  }
  return TRUE;
}

const DebyeLayerKind debye_slice_layer_kind = {
    .key = "slice",
    .title = N_("Slice"),
    .section = 1,
    .needs = DEBYE_LAYER_NEEDS_MAP,
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
    .create = create,
    .begin = begin,
};
