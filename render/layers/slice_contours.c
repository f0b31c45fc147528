/* SPDX-License-Identifier: MIT */
/* Follows the contour lines of a slice through the cells of its plane, for slice_layer.c to number them. The lines
 * themselves are drawn by the shader. */
#include "slice_contours.h"

#include <math.h>
#include <string.h>

#include "overlay_text.h"

#define MAX_LEVELS 400
#define MAX_NUMBERS 48
/* Where there are more lines than this, every second, fifth or tenth is numbered. */
#define NUMBERED_LEVELS 20.0
/* Parts of the plane's diagonal: a shorter line has no number; how near numbers may come to each other, to the rim,
 * lines to each other where one stands, and what length has a number. */
#define SHORTEST 0.16
#define NEAREST 0.09
#define RIM 0.025
#define CROWDED 0.02
#define FLAT 100.0 /* diagonals from line to line: what is flat has no line, as in slice.glsl */
#define A_NUMBER_PER 0.75

/* What is known while lines are followed, level by level. A line crosses edges between neighbouring points: edge 2·p
 * leads from point p along u, 2·p + 1 along v. Each crossed edge knows its one or two neighbours on the line. */
typedef struct {
  const DebyeSlicePlane *plane;
  double level, diagonal;
  gint32 *neighbours; /* two an edge; −1: none */
  GArray *crossed;    /* guint32: edges */
  guint8 *seen;       /* by edge */
  GArray *lines;      /* Line: of all levels so far */
} Lines;

static gsize
count_edges(const DebyeSlicePlane *plane)
{
  return 2 * plane->n_u * plane->n_v;
}

static float
value_at(const Lines *lines, gsize point)
{
  return lines->plane->values[point];
}

static gboolean
is_above(const Lines *lines, gsize point)
{
  return (double)value_at(lines, point) >= lines->level;
}

static void
add_neighbour(Lines *lines, guint32 edge, guint32 neighbour)
{
  gint32 *slots = lines->neighbours + 2 * (gsize)edge;
  if (slots[0] < 0)
    g_array_append_val(lines->crossed, edge);
  slots[slots[0] < 0 ? 0 : 1] = (gint32)neighbour;
}

/* The edges of a cell in their order around it. At a saddle two pieces of line turn around the points below. */
static void
cross_cell(Lines *lines, gsize i, gsize j)
{
  const gsize n_u = lines->plane->n_u, p = i + n_u * j;
  const gsize points[4] = {p, p + 1, p + 1 + n_u, p + n_u};
  const guint32 edges[4] = {(guint32)(2 * p), (guint32)(2 * (p + 1) + 1), (guint32)(2 * (p + n_u)),
                            (guint32)(2 * p + 1)};
  guint32 crossed[4];
  guint n_crossed = 0;
  for (int k = 0; k < 4; k++)
    if (value_at(lines, points[k]) >= DEBYE_NO_VALUE)
      return;
  const int first = is_above(lines, points[0]) ? 0 : 1;
  for (int k = 0; k < 4; k++) {
    const int edge = (first + k) % 4;
    if (is_above(lines, points[edge]) != is_above(lines, points[(edge + 1) % 4]))
      crossed[n_crossed++] = edges[edge];
  }
  for (guint k = 0; k + 1 < n_crossed; k += 2) {
    add_neighbour(lines, crossed[k], crossed[k + 1]);
    add_neighbour(lines, crossed[k + 1], crossed[k]);
  }
}

static void
find_crossings(Lines *lines, double level)
{
  const DebyeSlicePlane *plane = lines->plane;
  lines->level = level;
  memset(lines->neighbours, 0xff, 2 * count_edges(plane) * sizeof *lines->neighbours);
  memset(lines->seen, 0, count_edges(plane));
  g_array_set_size(lines->crossed, 0);
  for (gsize j = 0; j + 1 < plane->n_v; j++)
    for (gsize i = 0; i + 1 < plane->n_u; i++)
      cross_cell(lines, i, j);
}

/* Where the line crosses an edge, in parts of the plane's sides. */
static void
place_on_edge(const Lines *lines, guint32 edge, double at[2])
{
  const DebyeSlicePlane *plane = lines->plane;
  const gsize point = edge / 2, next = point + (edge % 2 ? plane->n_u : 1);
  const double low = (double)value_at(lines, point), high = (double)value_at(lines, next);
  const double share = (lines->level - low) / (high - low);
  at[0] = ((double)(point % plane->n_u) + (edge % 2 ? 0.0 : share)) / (double)(plane->n_u - 1);
  at[1] = ((double)(point / plane->n_u) + (edge % 2 ? share : 0.0)) / (double)(plane->n_v - 1);
}

/* --- One line --- */

/* Where a number could stand. */
typedef struct {
  DebyeVec3 place;
  double room; /* to the rim and to the next lines: more is better; in parts of the diagonal */
} Spot;

typedef struct {
  double level, length; /* length: Å, within the cut */
  GArray *spots;        /* Spot */
} Line;

static void
clear_line(gpointer line)
{
  g_array_unref(((Line *)line)->spots);
}

/* How far the next lines are, Å: where they crowd there is no room for a number, nor are they drawn. */
static double
measure_spacing(const Lines *lines, guint32 edge, double step)
{
  const DebyeSlicePlane *plane = lines->plane;
  const gsize i = MIN(edge / 2 % plane->n_u, plane->n_u - 2), j = MIN(edge / 2 / plane->n_u, plane->n_v - 2);
  const gsize point = i + plane->n_u * j;
  const double here = (double)value_at(lines, point);
  const double by_u = ((double)value_at(lines, point + 1) - here) * (double)(plane->n_u - 1),
               by_v = ((double)value_at(lines, point + plane->n_u) - here) * (double)(plane->n_v - 1);
  const double slope =
      hypot(by_u / debye_vec3_length(plane->side_u), by_v / debye_vec3_length(plane->side_v));
  return step / fmax(slope, G_MINDOUBLE);
}

static void
add_edge(const Lines *lines, guint32 edge, double step, Line *line, DebyeVec3 *before)
{
  double at[2];
  place_on_edge(lines, edge, at);
  const gboolean is_within = debye_slice_plane_contains(lines->plane, at[0], at[1]);
  Spot spot = {.place = debye_slice_plane_place(lines->plane, at[0], at[1])};
  if (is_within && isfinite(before->x))
    line->length += debye_vec3_length(debye_vec3_subtract(spot.place, *before));
  *before = is_within ? spot.place : debye_vec3(INFINITY, 0.0, 0.0);
  const double spacing = measure_spacing(lines, edge, step) / lines->diagonal;
  const double rim = debye_slice_plane_rim_distance(lines->plane, at[0], at[1]) / lines->diagonal;
  spot.room = fmin(3.0 * rim, 3.0 * spacing);
  if (is_within && spacing >= CROWDED && spacing <= FLAT && rim >= RIM)
    g_array_append_val(line->spots, spot);
}

/* From one of its edges on, as far as it goes; for a line with ends that is one of them. */
static void
follow_line(Lines *lines, guint32 edge, double step)
{
  Line line = {.level = lines->level, .spots = g_array_new(FALSE, FALSE, sizeof(Spot))};
  DebyeVec3 before = {INFINITY, 0.0, 0.0};
  gint64 next = edge;
  while (next >= 0) {
    const gint32 *neighbours = lines->neighbours + 2 * next;
    lines->seen[next] = 1;
    add_edge(lines, (guint32)next, step, &line, &before);
    next = neighbours[0] >= 0 && !lines->seen[neighbours[0]]   ? neighbours[0]
           : neighbours[1] >= 0 && !lines->seen[neighbours[1]] ? neighbours[1]
                                                               : -1;
  }
  if (line.spots->len > 0 && line.length >= SHORTEST * lines->diagonal)
    g_array_append_val(lines->lines, line);
  else
    clear_line(&line);
}

/* Lines that end at the rim first, from an end; what is left then is closed. */
static void
follow_level(Lines *lines, double level, double step)
{
  find_crossings(lines, level);
  for (int closed = 0; closed < 2; closed++)
    for (guint i = 0; i < lines->crossed->len; i++) {
      const guint32 edge = g_array_index(lines->crossed, guint32, i);
      const gboolean is_end = lines->neighbours[2 * (gsize)edge + 1] < 0;
      if (!lines->seen[edge] && (closed || is_end))
        follow_line(lines, edge, step);
    }
}

/* --- The numbers --- */

/* The room about a spot in parts of the diagonal; negative: too little. */
static double
find_room(const Lines *lines, const Spot *spot, const GArray *labels)
{
  double nearest = 1.0;
  for (guint i = 0; i < labels->len; i++) {
    const DebyeVec3 from = debye_vec3_subtract(spot->place, g_array_index(labels, DebyeLabel, i).place);
    nearest = fmin(nearest, debye_vec3_length(from) / lines->diagonal);
  }
  return nearest < NEAREST ? -1.0 : fmin(nearest, spot->room);
}

/* Where there is most room. FALSE: there is none. */
static gboolean
add_number(const Lines *lines, const Line *line, double step, GArray *labels)
{
  double most = 0.0;
  DebyeLabel label = {0};
  for (guint i = 0; i < line->spots->len; i++) {
    const Spot *spot = &g_array_index(line->spots, Spot, i);
    const double room = find_room(lines, spot, labels);
    if (room > most) {
      most = room;
      label.place = spot->place;
    }
  }
  if (!(most > 0.0) || labels->len >= MAX_NUMBERS)
    return FALSE;
  label.text = debye_overlay_text_format_number(line->level, step);
  g_array_append_val(labels, label);
  return TRUE;
}

/* A long line has several: what covers one number leaves another. */
static void
label_line(const Lines *lines, const Line *line, double step, GArray *labels)
{
  double left = line->length;
  while (left > 0.0 && add_number(lines, line, step, labels))
    left -= A_NUMBER_PER * lines->diagonal;
}

static int
compare_lengths(gconstpointer a, gconstpointer b)
{
  const Line *first = a, *second = b;
  return (first->length < second->length) - (first->length > second->length);
}

static void
clear_label(gpointer label)
{
  g_free(((DebyeLabel *)label)->text);
}

static void
init_lines(Lines *lines, const DebyeSlicePlane *plane)
{
  *lines = (Lines){.plane = plane,
                   .diagonal = debye_vec3_length(debye_vec3_add(plane->side_u, plane->side_v)),
                   .neighbours = g_new(gint32, 2 * count_edges(plane)),
                   .seen = g_new(guint8, count_edges(plane)),
                   .crossed = g_array_new(FALSE, FALSE, sizeof(guint32)),
                   .lines = g_array_new(FALSE, FALSE, sizeof(Line))};
  g_array_set_clear_func(lines->lines, clear_line);
}

static void
clear_lines(Lines *lines)
{
  g_free(lines->neighbours);
  g_free(lines->seen);
  g_array_unref(lines->crossed);
  g_array_unref(lines->lines);
}

/* The step from numbered line to numbered line. */
static double
numbered_step(double minimum, double maximum, double step)
{
  static const double factors[] = {1.0, 2.0, 5.0, 10.0};
  gsize i = 0;
  while (i + 1 < G_N_ELEMENTS(factors) && (maximum - minimum) / (factors[i] * step) > NUMBERED_LEVELS)
    i++;
  return factors[i] * step;
}

GArray *
debye_slice_contours_label(const DebyeSlicePlane *plane, double minimum, double maximum, double step)
{
  GArray *labels = g_array_new(FALSE, FALSE, sizeof(DebyeLabel));
  g_array_set_clear_func(labels, clear_label);
  if (!(step > 0.0 && (maximum - minimum) / step < MAX_LEVELS))
    return labels;
  const double numbered = numbered_step(minimum, maximum, step);
  const double first = ceil(minimum / numbered - 1e-9), last = floor(maximum / numbered + 1e-9);
  Lines lines;
  init_lines(&lines, plane);
  for (double number = first; number <= last; number += 1.0)
    follow_level(&lines, number * numbered, numbered);
  g_array_sort(lines.lines, compare_lengths);
  for (guint i = 0; i < lines.lines->len; i++)
    label_line(&lines, &g_array_index(lines.lines, Line, i), step, labels);
  clear_lines(&lines);
  return labels;
}
