/* SPDX-License-Identifier: MIT */
/* Places the numbers of contour lines for slice_layer.c: of the points where a line crosses a row of the plane, the one
 * farthest from the numbers before it, or, far enough away, the one where the lines are widest apart. */
#include "slice_contours.h"

#include "overlay_text.h"

/* Shares of the plane's diagonal: nearer numbers run into each other, and beyond the second one distance is enough. */
#define NEAREST 0.05
#define FAR_ENOUGH 0.2
/* Of lines with numbers. */
#define LINES_APART 0.015

typedef struct {
  const DebyeSlicePlane *plane;
  double diagonal; /* in Å */
  double step;     /* between lines */
  DebyeVec3 placed[DEBYE_MAX_CONTOUR_LABELS];
  guint n_placed;
} Search;

static void
clear_label(gpointer data)
{
  g_free(((DebyeLabel *)data)->text);
}

static DebyeVec3
place_at(const DebyeSlicePlane *plane, double i, gsize j)
{
  DebyeVec3 u = debye_vec3_scale(plane->side_u, i / (double)(plane->n_u - 1));
  DebyeVec3 v = debye_vec3_scale(plane->side_v, (double)j / (double)(plane->n_v - 1));
  return debye_vec3_add(plane->corner, debye_vec3_add(u, v));
}

/* The distance to the nearest number so far, and to the edges, which cut numbers. */
static double
find_room(const Search *search, DebyeVec3 place, double i, gsize j)
{
  const DebyeSlicePlane *plane = search->plane;
  double share_u = i / (double)(plane->n_u - 1), share_v = (double)j / (double)(plane->n_v - 1);
  double room = 2.0 * fmin(fmin(share_u, 1.0 - share_u) * debye_vec3_length(plane->side_u),
                           fmin(share_v, 1.0 - share_v) * debye_vec3_length(plane->side_v));
  for (guint k = 0; k < search->n_placed; k++)
    room = fmin(room, debye_vec3_length(debye_vec3_subtract(place, search->placed[k])));
  return room / search->diagonal;
}

/* Lines that run together can't be told apart, and slice.glsl leaves them out. */
static gboolean
is_crowded(const Search *search, const float *values)
{
  const DebyeSlicePlane *plane = search->plane;
  double across =
      (double)(values[1] - values[0]) * (double)(plane->n_u - 1) / debye_vec3_length(plane->side_u);
  double up =
      (double)(values[plane->n_u] - values[0]) * (double)(plane->n_v - 1) / debye_vec3_length(plane->side_v);
  return hypot(across, up) * LINES_APART * search->diagonal > search->step;
}

/* How well the crossing between (i, j) and its next point suits; above 1 by flatness. */
static double
rate(const Search *search, gsize i, gsize j, double level, DebyeVec3 *place)
{
  const float *values = search->plane->values + i + search->plane->n_u * j;
  double here = (double)values[0], next = (double)values[1];
  if (values[0] >= DEBYE_NO_VALUE || values[1] >= DEBYE_NO_VALUE || (here < level) == (next < level) ||
      is_crowded(search, values))
    return 0.0;
  double at = (double)i + (level - here) / (next - here);
  if (!debye_slice_plane_holds(search->plane, at / (double)(search->plane->n_u - 1),
                               (double)j / (double)(search->plane->n_v - 1)))
    return 0.0;
  *place = place_at(search->plane, at, j);
  double room = find_room(search, *place, at, j);
  if (room < NEAREST)
    return 0.0;
  return room < FAR_ENOUGH ? room / FAR_ENOUGH : 1.0 + 1.0 / (1.0 + fabs(next - here));
}

static gboolean
find_place(const Search *search, double level, DebyeVec3 *best)
{
  double highest = 0.0;
  for (gsize j = 1; j + 1 < search->plane->n_v; j++)
    for (gsize i = 0; i + 1 < search->plane->n_u; i++) {
      DebyeVec3 place = {0.0, 0.0, 0.0};
      double rating = rate(search, i, j, level, &place);
      if (rating > highest) {
        highest = rating;
        *best = place;
      }
    }
  return highest > 0.0;
}

GArray *
debye_slice_contours_label(const DebyeSlicePlane *plane, double minimum, double maximum, double step)
{
  GArray *labels = g_array_new(FALSE, FALSE, sizeof(DebyeLabel));
  g_array_set_clear_func(labels, clear_label);
  Search search = {.plane = plane,
                   .step = step,
                   .diagonal = hypot(debye_vec3_length(plane->side_u), debye_vec3_length(plane->side_v))};
  /* Zero and what is near it first: the others have less to say. */
  const double first = ceil(minimum / step - 1e-9), last = floor(maximum / step + 1e-9);
  const double middle = CLAMP(0.0, first, last);
  for (double away = 0.0; away <= last - first && search.n_placed < DEBYE_MAX_CONTOUR_LABELS; away++)
    for (int side = 1; side >= (away > 0.0 ? -1 : 1); side -= 2) {
      double multiple = middle + side * away;
      DebyeVec3 place = {0.0, 0.0, 0.0};
      if (multiple < first || multiple > last || search.n_placed == DEBYE_MAX_CONTOUR_LABELS ||
          !find_place(&search, multiple * step, &place))
        continue;
      search.placed[search.n_placed++] = place;
      DebyeLabel label = {.text = debye_overlay_text_format_number(multiple * step, step), .place = place};
      g_array_append_val(labels, label);
    }
  return labels;
}
