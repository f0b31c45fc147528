/* SPDX-License-Identifier: MIT */
/* What can be set of a slice, and how one is made; listed by layer_kinds.c. */
#include <glib/gi18n.h>
#include <math.h>

#include "data/files/error.h"
#include "slice_layer.h"
#include "slice_numbers.h"

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

/* "x,y,z:nx,ny,nz": a point, Å, and a direction. *is_understood: whether it has that form at all. */
static gboolean
parse_plane(DebyeSliceLayer *self, const char *text, gboolean *is_understood)
{
  double point[3], normal[3], low, high;
  g_auto(GStrv) parts = g_strsplit(text, ":", 2);
  *is_understood = g_strv_length(parts) == 2 && debye_slice_numbers_parse(parts[0], point, 3) &&
                   debye_slice_numbers_parse(parts[1], normal, 3);
  if (!*is_understood || !(fabs(normal[0]) + fabs(normal[1]) + fabs(normal[2]) > 0.0))
    return FALSE;
  const DebyeVec3 direction = debye_vec3(normal[0], normal[1], normal[2]),
                  at = debye_vec3(point[0], point[1], point[2]);
  debye_slice_layer_set_plane(self, at, direction);
  debye_slice_layer_get_reach(self, &low, &high);
  double distance = debye_vec3_dot(at, direction) / debye_vec3_length(direction);
  return distance >= low && distance <= high;
}

/* "z" (the middle), "x:12.5" (Å, along that axis of the grid), or any plane. */
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
  if (!is_understood && parse_plane(self, text, &is_understood))
    return TRUE;
  debye_error_set(error, is_understood ? DEBYE_ERROR_VALUE : DEBYE_ERROR_SETTING,
                  "expected x, y or z, an axis and a position within the map such as z:12.5 (Å), or a point "
                  "within the map "
                  "and a direction such as 0,0,12.5:1,1,0, found “%s”",
                  text);
  return FALSE;
}

/* "auto" (round values), or a step above 0. */
static gboolean
parse_contours(DebyeLayer *layer, const char *text, GError **error)
{
  double step = 0.0;
  if (!g_str_equal(text, "auto") && !(debye_slice_numbers_parse(text, &step, 1) && step > 0.0)) {
    debye_error_set(error, DEBYE_ERROR_SETTING, "expected auto or a step above 0, found “%s”", text);
    return FALSE;
  }
  g_object_set(layer, "contours", TRUE, NULL);
  debye_slice_layer_set_contour_step(DEBYE_SLICE_LAYER(layer), step);
  return TRUE;
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
                                   {"any", N_("Across any direction"), NULL},
                                   {NULL, NULL, NULL}};

static const DebyeLayerSetting settings[] = {
    {.option = {.key = "slice",
                .kind = DEBYE_SETTING_TEXT,
                .repeated = TRUE,
                .help =
                    "coloured plane through the map: x, y or z for its middle, z:12.5 for a position in Å, "
                    "x,y,z:nx,ny,nz for a point in Å and the direction across the plane"},
     .adds = TRUE,
     .parse = parse_place},
    {.property = "axis", .label = N_("Plane"), .choices = axes},
    {.property = "normal",
     .label = N_("Direction"),
     .name = N_("Direction across the plane"),
     .tooltip = N_("x, y, z of the direction across the plane; its length does not matter")},
    {.property = "distance",
     .label = N_("Position"),
     .name = N_("Position of the slice"),
     .get_range = get_distance_range},
    {.property = "minimum", .label = N_("Limits")},
    {.property = "contours",
     .label = N_("Contour lines"),
     .option = {.key = "contours",
                .kind = DEBYE_SETTING_TEXT,
                .help = "contour lines on slices with their values, at this step in the map's unit; auto: at "
                        "round values"},
     .parse = parse_contours},
    {.property = "contour-step",
     .label = N_("Contour step"),
     .tooltip = N_("In the map's unit; empty: round values"),
     .needs = "contours"},
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
