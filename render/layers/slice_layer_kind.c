/* SPDX-License-Identifier: MIT */
/* What can be set of a slice, and how one is made; listed by layer_kinds.c. */
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "color_map_choice.h"
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

/* "x,y,z:nx,ny,nz"; understood, but beyond the map, it is another error. */
static gboolean
parse_plane(DebyeSliceLayer *self, const char *text, GError **error)
{
  if (!debye_slice_layer_set_plane(self, text))
    return debye_error_set(
        error, DEBYE_ERROR_SETTING,
        "expected a plane as x,y,z:nx,ny,nz, a point in Å and a normal that is not zero, found “%s”", text);
  debye_slice_layer_set_axis(self, DEBYE_SLICE_ANY_PLANE);
  if (debye_slice_layer_is_cut(self))
    return TRUE;
  return debye_error_set(error, DEBYE_ERROR_VALUE,
                         "the plane “%s” does not cut the map. Choose a point within the map", text);
}

/* "z" (the middle, or where there is something), "x:12.5" (Å, along that axis of the grid), or any plane. */
static gboolean
parse_place(DebyeLayer *layer, const char *text, GError **error)
{
  if (strchr(text, ',') != NULL)
    return parse_plane(DEBYE_SLICE_LAYER(layer), text, error);
  DebyeSliceLayer *self = DEBYE_SLICE_LAYER(layer);
  const DebyeGrid *grid = debye_field_get_grid(debye_layer_get_field(layer));
  const int axis = text[0] - 'x';
  double position = 0.5;
  gboolean is_understood = axis >= 0 && axis <= 2 && (text[1] == '\0' || text[1] == ':');
  if (is_understood && (text[1] == '\0' || to_fraction(text + 2, grid, axis, &position, &is_understood))) {
    if (text[1] == '\0') {
      debye_slice_layer_begin_along(self, axis);
      return TRUE;
    }
    debye_slice_layer_set_axis(self, axis);
    debye_slice_layer_set_position(self, position);
    return TRUE;
  }
  return debye_error_set(
      error, is_understood ? DEBYE_ERROR_VALUE : DEBYE_ERROR_SETTING,
      "expected x, y or z, an axis and a position within the map such as z:12.5 (Å), or a plane "
      "as x,y,z:nx,ny,nz, found “%s”",
      text);
}

/* "auto" or 0: at round numbers; "off"; else the step. */
static gboolean
parse_contours(DebyeLayer *layer, const char *text, GError **error)
{
  char *end = NULL;
  const double step = g_ascii_strtod(text, &end);
  const gboolean is_number = end != text && *end == '\0' && isfinite(step) && step >= 0.0;
  const gboolean is_off = g_str_equal(text, "off"), is_round = g_str_equal(text, "auto");
  if (!is_number && !is_off && !is_round)
    return debye_error_set(error, DEBYE_ERROR_SETTING,
                           "expected a step in the map's unit, auto for round numbers, or off, found “%s”",
                           text);
  const gboolean has_step = is_number && step > 0.0;
  debye_slice_layer_set_contours(DEBYE_SLICE_LAYER(layer),
                                 is_off     ? DEBYE_CONTOURS_OFF
                                 : has_step ? DEBYE_CONTOURS_STEP
                                            : DEBYE_CONTOURS_ROUND,
                                 has_step ? step : 0.0);
  return TRUE;
}

/* --- The kind --- */

/* The slider ends where lines would crowd and where there is one; its entry takes other steps. */
static void
get_step_range(DebyeLayer *layer, double *low, double *high, const char **unit)
{
  double minimum, maximum;
  debye_slice_layer_get_limits(DEBYE_SLICE_LAYER(layer), &minimum, &maximum);
  *low = 0.01 * (maximum - minimum);
  *high = 0.5 * (maximum - minimum);
  *unit = debye_field_get_unit(debye_layer_get_field(layer));
}

static void
get_distance_range(DebyeLayer *layer, double *low, double *high, const char **unit)
{
  debye_slice_layer_get_reach(DEBYE_SLICE_LAYER(layer), low, high);
  *unit = debye_field_get_length_unit(debye_layer_get_field(layer));
}

static const DebyeChoice axes[] = {{"x", N_("Across x"), NULL},
                                   {"y", N_("Across y"), NULL},
                                   {"z", N_("Across z"), NULL},
                                   {"any", N_("Any plane"), NULL},
                                   {NULL, NULL, NULL}};

static const DebyeChoice contours[] = {{"off", N_("Off"), NULL},
                                       {"auto", N_("At round numbers"), NULL},
                                       {"step", N_("By a step"), NULL},
                                       {NULL, NULL, NULL}};

static const DebyeLayerSetting settings[] = {
    {.option =
         {.key = "slice",
          .kind = DEBYE_SETTING_TEXT,
          .repeated = TRUE,
          .help = "coloured plane through the map: x, y or z for its middle, or the strongest plane if the "
                  "middle is empty (an orbital's node), z:12.5 for a position in Å, or any plane by a point "
                  "in Å and a normal, x,y,z:nx,ny,nz"},
     .adds = TRUE,
     .parse = parse_place},
    {.property = "axis", .label = N_("Plane"), .choices = axes},
    {.property = "plane",
     .label = N_("Point and normal"),
     .tooltip = N_("x,y,z:nx,ny,nz: a point in Å that the plane goes through, and the direction it faces"),
     .shown_with = "is-any-plane"},
    {.property = "distance",
     .label = N_("Position"),
     .name = N_("Position of the slice"),
     .get_range = get_distance_range},
    {.property = "minimum", .label = N_("Limits")},
    {DEBYE_COLOR_MAP_SETTING, .option = {.key = "color-map"}},
    {.property = "contours",
     .label = N_("Contours"),
     .choices = contours,
     .option = {.key = "contours",
                .kind = DEBYE_SETTING_TEXT,
                .choices = NULL,
                .help = "contour lines of slices with their values: the step between them in the map's unit, "
                        "or auto for round numbers"},
     .parse = parse_contours},
    {.property = "contour-step",
     .label = N_("Step"),
     .name = N_("Step between contours"),
     .get_range = get_step_range,
     .shown_with = "has-contour-step"},
    {.property = "opacity", .label = N_("Opacity"), .option = {.key = "opacity"}},
    {DEBYE_LAYER_CUT_SETTING},
};

/* Opaque: its colours are read against those of a bar. */
static gpointer
create(const DebyeLayerContents *contents)
{
  return debye_slice_layer_new(contents->field);
}

/* Through the middle, or where there is something, along the plane of the grid that a person
 * looks at most squarely: another could stand on its edge. */
static gboolean
begin(DebyeLayer *layer, const DebyeCamera *camera, DebyeField *map)
{
  const DebyeGrid *grid = debye_field_get_grid(map);
  DebyeVec3 eye, sight;
  debye_camera_ray(camera, 0.5, 0.5, 1.0, 1.0, &eye, &sight);
  double most = 0.0;
  int squarest = 2;
  for (int axis = 0; axis < 3; axis++) {
    DebyeVec3 normal = debye_vec3_cross(grid->step[(axis + 1) % 3], grid->step[(axis + 2) % 3]);
    double share = fabs(debye_vec3_dot(normal, sight)) / debye_vec3_length(normal);
    if (share > most) {
      most = share;
      squarest = axis;
    }
  }
  debye_slice_layer_begin_along(DEBYE_SLICE_LAYER(layer), squarest);
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
