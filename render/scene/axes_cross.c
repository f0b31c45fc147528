/* SPDX-License-Identifier: MIT */
/* Draws the cross of axes in a picture's corner for overlay.c; no letter stands on another. */
#include "axes_cross.h"

#include <cglm/cglm.h>
#include <math.h>

#include "render/layers/overlay_text.h"

#define AXIS_LENGTH (0.34 * DEBYE_AXES_CROSS_SIZE)
#define LETTER_GAP 10.0      /* from the end of an axis to the middle of its letter */
#define LETTER_ROOM 12.0     /* between the middles of two letters */
#define NEARLY_AT_VIEWER 0.5 /* of an axis' length is seen */

static void
draw_arrow(cairo_t *cr, const vec3 way, const double color[4])
{
  const double middle = 0.5 * DEBYE_AXES_CROSS_SIZE;
  double x = middle + AXIS_LENGTH * (double)way[0], y = middle - AXIS_LENGTH * (double)way[1];
  double flat = hypot((double)way[0], (double)way[1]);
  cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
  cairo_move_to(cr, middle, middle);
  cairo_line_to(cr, x, y);
  debye_overlay_text_stroke(cr, 2.2, color);
  if (flat > 0.1) {
    double ux = (double)way[0] / flat, uy = -(double)way[1] / flat;
    cairo_move_to(cr, x + 4.0 * ux, y + 4.0 * uy);
    cairo_line_to(cr, x - 3.0 * ux - 3.2 * uy, y - 3.0 * uy + 3.2 * ux);
    cairo_line_to(cr, x - 3.0 * ux + 3.2 * uy, y - 3.0 * uy - 3.2 * ux);
    cairo_close_path(cr);
    cairo_set_source_rgb(cr, color[0], color[1], color[2]);
    cairo_fill(cr);
  }
}

/* At the ends of their axes, seen from the middle and y down. Of one that points at the viewer it stands where
 * the other two leave room. */
static void
find_letters(vec3 ways[3], double letters[3][2])
{
  for (int axis = 0; axis < 3; axis++) {
    const float *way = ways[axis], *one = ways[(axis + 1) % 3], *other = ways[(axis + 2) % 3];
    double x = -(double)(one[0] + other[0]), y = (double)(one[1] + other[1]), length = hypot(x, y);
    double aside = fmax(0.0, 1.0 - hypot((double)way[0], (double)way[1]) / NEARLY_AT_VIEWER);
    double shift = length > 0.0 ? aside * LETTER_ROOM / length : 0.0;
    letters[axis][0] = (AXIS_LENGTH + LETTER_GAP) * (double)way[0] + shift * x;
    letters[axis][1] = -(AXIS_LENGTH + LETTER_GAP) * (double)way[1] + shift * y;
  }
}

/* Those of axes that lie behind one another move apart. */
static void
part_letters(double letters[3][2])
{
  for (int i = 0; i < 3; i++)
    for (int k = i + 1; k < 3; k++) {
      double dx = letters[k][0] - letters[i][0], dy = letters[k][1] - letters[i][1], length = hypot(dx, dy);
      if (length >= LETTER_ROOM)
        continue;
      double x = length > 1e-3 ? dx / length : 1.0, y = length > 1e-3 ? dy / length : 0.0;
      double half = 0.5 * (LETTER_ROOM - length);
      letters[i][0] -= half * x;
      letters[i][1] -= half * y;
      letters[k][0] += half * x;
      letters[k][1] += half * y;
    }
}

/* Where each axis points to, seen through the camera. */
static void
turn_axes(const float orientation[4], vec3 ways[3])
{
  for (int axis = 0; axis < 3; axis++) {
    vec3 unit = {axis == 0, axis == 1, axis == 2};
    glm_quat_rotatev((float *)orientation, unit, ways[axis]);
  }
}

void
debye_axes_cross_place_letters(const float orientation[4], double letters[3][2])
{
  vec3 ways[3];
  turn_axes(orientation, ways);
  find_letters(ways, letters);
  for (int round = 0; round < 3; round++)
    part_letters(letters);
}

void
debye_axes_cross_draw(cairo_t *cr, const float orientation[4], const double text_color[4])
{
  static const double colors[3][3] = {{0.84, 0.33, 0.28}, {0.34, 0.67, 0.36}, {0.31, 0.53, 0.85}};
  static const char *const names[3] = {"x", "y", "z"};
  const double middle = 0.5 * DEBYE_AXES_CROSS_SIZE;
  double letters[3][2];
  vec3 ways[3];
  int order[3] = {0, 1, 2};
  turn_axes(orientation, ways);
  debye_axes_cross_place_letters(orientation, letters);
  /* The one that points away first. */
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2 - i; j++)
      if (ways[order[j]][2] > ways[order[j + 1]][2]) {
        int swap = order[j];
        order[j] = order[j + 1];
        order[j + 1] = swap;
      }
  for (int i = 0; i < 3; i++) {
    const double *color = colors[order[i]];
    draw_arrow(cr, ways[order[i]], (const double[]){color[0], color[1], color[2], text_color[3]});
  }
  for (int axis = 0; axis < 3; axis++)
    debye_overlay_text_draw(cr, names[axis], middle + letters[axis][0], middle + letters[axis][1], 0.5, 0.5,
                            text_color);
}
