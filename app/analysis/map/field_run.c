/* SPDX-License-Identifier: MIT */
/* Computes differences, profiles and lines of existing maps; called by the window and debye-cli field and
 * rerun. */
#include "field_run.h"

#include <math.h>

#include "data/files/error.h"
#include "data/messages/message.h"
#include "data/results/field_math.h"
#include "field_settings.h"

static gboolean
has_line(const DebyeFieldSettings *settings)
{
  return settings->has_line_from || settings->has_line_to;
}

static gboolean
makes_curves(const DebyeFieldSettings *settings)
{
  return settings->profile != DEBYE_FIELD_PROFILE_NONE || has_line(settings);
}

gboolean
debye_field_makes_curves(DebyeRequest *request)
{
  DebyeFieldSettings settings;
  debye_request_fill(request, &settings);
  return makes_curves(&settings);
}

static gboolean
has_values(DebyeCurve *curve)
{
  for (gsize i = 0; i < debye_curve_get_n_points(curve); i++)
    if (isfinite(debye_curve_get_y(curve)[i]))
      return TRUE;
  return FALSE;
}

/* "−31.5 … 31.5 Å in x, …": the box around the map's corners. */
static char *
describe_reach(const DebyeGrid *grid)
{
  GString *text = g_string_new(NULL);
  for (int axis = 0; axis < 3; axis++) {
    double low = (&grid->origin.x)[axis], high = low;
    char numbers[2][G_ASCII_DTOSTR_BUF_SIZE];
    for (int step = 0; step < 3; step++) {
      double way = (double)(grid->shape[step] - 1) * (&grid->step[step].x)[axis];
      low += fmin(way, 0.0);
      high += fmax(way, 0.0);
    }
    g_string_append_printf(text, "%s%s … %s in %c", axis > 0 ? ", " : "",
                           g_ascii_formatd(numbers[0], sizeof numbers[0], "%.5g", low),
                           g_ascii_formatd(numbers[1], sizeof numbers[1], "%.5g", high), 'x' + axis);
  }
  return g_string_free(text, FALSE);
}

static gboolean
check_ends(const DebyeFieldSettings *settings, GError **error)
{
  if (!settings->has_line_from || !settings->has_line_to)
    return debye_error_set_about(error, DEBYE_ERROR_MISSING,
                                 settings->has_line_from ? "Line to" : "Line from",
                                 "expected a point, found none");
  if (debye_vec3_length(debye_vec3_subtract(settings->line_to, settings->line_from)) == 0.0)
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Line to",
                                 "expected a last point different from the first one, found the same");
  return TRUE;
}

static DebyeCurve *
create_line(const DebyeFieldSettings *settings, DebyeField *map, GError **error)
{
  if (!check_ends(settings, error))
    return NULL;
  g_autoptr(DebyeCurve) curve =
      debye_field_get_line(map, settings->line_from, settings->line_to, (gsize)settings->points);
  if (has_values(curve))
    return g_steal_pointer(&curve);
  g_autofree char *reach = describe_reach(debye_field_get_grid(map));
  debye_error_set_about(error, DEBYE_ERROR_VALUE, "Line from",
                        "no part of the line lies within the map (%s, in %s)", reach,
                        debye_field_get_length_unit(map));
  return NULL;
}

/* Notes that begin with the quantity's name are the plot's caption. */
static void
add_profile(DebyeResult *result, DebyeField *map, int axis)
{
  const gsize *shape = debye_field_get_grid(map)->shape;
  g_autoptr(DebyeCurve) curve = debye_field_get_profile(map, axis);
  debye_result_add_curve(result, curve);
  debye_result_add_note(result,
                        "%s: mean over each plane of %" G_GSIZE_FORMAT " × %" G_GSIZE_FORMAT " points",
                        debye_field_get_name(map), shape[axis == 0 ? 1 : 0], shape[axis == 2 ? 1 : 2]);
}

static gboolean
add_line(DebyeResult *result, const DebyeFieldSettings *settings, DebyeField *map, GError **error)
{
  DebyeRequest *request = debye_result_get_request(result);
  g_autoptr(DebyeCurve) curve = create_line(settings, map, error);
  if (curve == NULL)
    return FALSE;
  debye_result_add_curve(result, curve);
  debye_result_add_note_of(result, DEBYE_NOTE_CAPTION, debye_field_get_name(map),
                           "%s: from (%s) to (%s) %s, linear between the map's points",
                           debye_field_get_name(map), debye_request_get(request, "line-from"),
                           debye_request_get(request, "line-to"), debye_field_get_length_unit(map));
  return TRUE;
}

static gboolean
add_curves(DebyeResult *result, const DebyeFieldSettings *settings, DebyeField *map, GError **error)
{
  if (settings->profile != DEBYE_FIELD_PROFILE_NONE)
    add_profile(result, map, settings->profile - DEBYE_FIELD_PROFILE_X);
  return !has_line(settings) || add_line(result, settings, map, error);
}

static void
add_medium(DebyeResult *result, DebyeField *map)
{
  if (debye_field_get_medium(map) != NULL)
    debye_result_add_note_of(result, DEBYE_NOTE_CAPTION, NULL, "Medium: %s",
                             debye_field_get_medium_message(map));
}

/* "potential, profile along z". */
static char *
create_title(const DebyeFieldSettings *settings, DebyeField *map)
{
  static const char *const axes[] = {NULL, "x", "y", "z"};
  const char *name = debye_field_get_name(map);
  if (settings->profile != DEBYE_FIELD_PROFILE_NONE)
    return debye_message_new("%s, profile along %s", name, axes[settings->profile]);
  return has_line(settings) ? debye_message_new("%s along a line", name) : g_strdup(name);
}

DebyeResult *
debye_field_run(DebyeRequest *request, DebyeField *map, DebyeField *subtracted, GError **error)
{
  g_return_val_if_fail(DEBYE_IS_REQUEST(request) && DEBYE_IS_FIELD(map), NULL);
  g_autoptr(DebyeField) shown =
      subtracted != NULL ? debye_field_subtract(map, subtracted, error) : g_object_ref(map);
  if (shown == NULL)
    return NULL;
  DebyeFieldSettings settings;
  debye_request_fill(request, &settings);
  g_autofree char *title = create_title(&settings, shown);
  g_autoptr(DebyeResult) result = debye_result_new(request, title);
  /* Either curves or the map, so that a CSV file holds what was asked for. */
  if (!makes_curves(&settings))
    debye_result_add_field(result, shown);
  else if (!add_curves(result, &settings, shown, error))
    return NULL;
  add_medium(result, shown);
  return g_steal_pointer(&result);
}
