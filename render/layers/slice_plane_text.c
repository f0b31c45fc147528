/* SPDX-License-Identifier: MIT */
/* Planes as people write them, x,y,z:nx,ny,nz; for slice_layer.c, which has them in a property and an option. */
#include <math.h>

#include "render/mesh/slice_plane.h"

static gboolean
parse_vector(const char *text, DebyeVec3 *vector)
{
  double *numbers[3] = {&vector->x, &vector->y, &vector->z};
  g_auto(GStrv) parts = g_strsplit(text, ",", -1);
  if (g_strv_length(parts) != 3)
    return FALSE;
  for (int k = 0; k < 3; k++) {
    char *end = NULL;
    const char *part = g_strstrip(parts[k]);
    *numbers[k] = g_ascii_strtod(part, &end);
    if (end == part || *end != '\0' || !isfinite(*numbers[k]))
      return FALSE;
  }
  return TRUE;
}

gboolean
debye_slice_plane_parse(const char *text, DebyeVec3 *point, DebyeVec3 *normal)
{
  g_auto(GStrv) parts = g_strsplit(text, ":", -1);
  if (g_strv_length(parts) != 2 || !parse_vector(parts[0], point) || !parse_vector(parts[1], normal))
    return FALSE;
  const double length = debye_vec3_length(*normal);
  return length > 0.0 && isfinite(length);
}

/* Six digits: more could not be seen, and an entry shall hold them. */
char *
debye_slice_plane_format(DebyeVec3 point, DebyeVec3 normal)
{
  const double numbers[6] = {point.x, point.y, point.z, normal.x, normal.y, normal.z};
  GString *text = g_string_new(NULL);
  for (int i = 0; i < 6; i++) {
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    /* Not −0. */
    g_ascii_formatd(digits, sizeof digits, "%.6g", fabs(numbers[i]) < 1e-12 ? 0.0 : numbers[i]);
    g_string_append_printf(text, "%s%s", i == 0 ? "" : i == 3 ? ":" : ",", digits);
  }
  return g_string_free(text, FALSE);
}
