/* SPDX-License-Identifier: MIT */
/* Reads the setting “orientation”; called by scattering_plan.c. */
#include "scattering_orientation.h"

#include <string.h>

#include "data/files/error.h"
#include "data/files/input.h"

#define MAX_DIRECTIONS 1000000
#define MAX_ORDER 200 /* of a multipole expansion: L ≈ q·radius suffices */

void
debye_orientation_clear(DebyeOrientation *orientation)
{
  g_clear_pointer(&orientation->path, g_free);
}

static gboolean
parse_count(const char *text, gint64 least, gint64 most, gsize *n)
{
  gint64 value;
  if (text == NULL || !debye_text_to_int(text, strlen(text), &value) || value < least || value > most)
    return FALSE;
  *n = (gsize)value;
  return TRUE;
}

/* "x,y,z" to a unit vector; without a text the z axis. */
static gboolean
parse_axis(const char *text, DebyeVec3 *axis)
{
  *axis = debye_vec3(0.0, 0.0, 1.0);
  if (text == NULL)
    return TRUE;
  g_auto(GStrv) parts = g_strsplit(text, ",", -1);
  double v[3];
  if (g_strv_length(parts) != 3)
    return FALSE;
  for (guint k = 0; k < 3; k++)
    if (!debye_text_to_double(parts[k], strlen(parts[k]), &v[k]))
      return FALSE;
  double length = debye_vec3_length(debye_vec3(v[0], v[1], v[2]));
  if (!(length > 0.0) || !isfinite(length))
    return FALSE;
  *axis = debye_vec3_scale(debye_vec3(v[0], v[1], v[2]), 1.0 / length);
  return TRUE;
}

/* The words behind the kind; `n_words` counts it. */
static gboolean
parse_words(DebyeOrientation *orientation, char **words, guint n_words)
{
  switch (orientation->kind) {
  case DEBYE_ORIENTATION_NONE:
    return n_words <= 2 && parse_axis(words[1], &orientation->axis);
  case DEBYE_ORIENTATION_SPHERE:
  case DEBYE_ORIENTATION_RANDOM:
    return n_words == 2 && parse_count(words[1], 1, MAX_DIRECTIONS, &orientation->n);
  case DEBYE_ORIENTATION_CYLINDER:
    return n_words >= 2 && n_words <= 4 && parse_count(words[1], 1, MAX_DIRECTIONS, &orientation->n) &&
           parse_axis(words[2], &orientation->axis) &&
           (n_words < 4 || debye_text_to_double(words[3], strlen(words[3]), &orientation->axial));
  case DEBYE_ORIENTATION_MULTIPOLE:
    orientation->is_cylindrical = n_words > 2 && g_str_equal(words[2], "cylinder");
    return n_words >= 2 && n_words <= (orientation->is_cylindrical ? 4 : 3) &&
           parse_count(words[1], 0, MAX_ORDER, &orientation->n) &&
           (n_words == 2 || orientation->is_cylindrical || g_str_equal(words[2], "sphere")) &&
           parse_axis(n_words == 4 ? words[3] : NULL, &orientation->axis);
  case DEBYE_ORIENTATION_LATTICE:
  case DEBYE_ORIENTATION_EXACT:
    return n_words == 1;
  case DEBYE_ORIENTATION_VECTORS:
    break; /* the rest of the text is a name, colons and all */
  }
  return FALSE;
}

gboolean
debye_orientation_parse(DebyeOrientation *orientation, const char *text, GError **error)
{
  static const char *const names[] = {
      [DEBYE_ORIENTATION_NONE] = "none",       [DEBYE_ORIENTATION_SPHERE] = "sphere",
      [DEBYE_ORIENTATION_RANDOM] = "random",   [DEBYE_ORIENTATION_CYLINDER] = "cylinder",
      [DEBYE_ORIENTATION_VECTORS] = "vectors", [DEBYE_ORIENTATION_LATTICE] = "lattice",
      [DEBYE_ORIENTATION_EXACT] = "exact",     [DEBYE_ORIENTATION_MULTIPOLE] = "multipole",
  };
  *orientation = (DebyeOrientation){.axis = {0.0, 0.0, 1.0}};
  if (g_str_has_prefix(text, "vectors:") && text[8] != '\0') {
    orientation->kind = DEBYE_ORIENTATION_VECTORS;
    orientation->path = g_strdup(text + 8);
    return TRUE;
  }
  g_auto(GStrv) words = g_strsplit(text, ":", -1);
  for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
    orientation->kind = (DebyeOrientationKind)k;
    if (words[0] != NULL && g_str_equal(words[0], names[k]) &&
        parse_words(orientation, words, g_strv_length(words)))
      return TRUE;
  }
  return debye_error_set_about(error, DEBYE_ERROR_SETTING, "Orientation",
                               "expected none, sphere:N, random:N, cylinder:N[:x,y,z[:axial part]], "
                               "vectors:FILE, lattice, exact or multipole:L[:cylinder[:x,y,z]], found “%s”",
                               text);
}
