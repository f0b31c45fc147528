/* SPDX-License-Identifier: MIT */
/* Cuts a curve's line at the frame (Liang and Barsky) and writes it; called by plot_layout_series.c. */
#include "plot_path.h"

#include <math.h>

/* Beyond this nothing is seen, and differences of floats would be lost. */
#define FARTHEST 1e7
/* A point all by itself is a line of this length: its round ends make a dot. */
#define DOT 0.01

void
debye_plot_path_begin(DebyePlotPath *path, DebyePlotDrawing *drawing, const DebyePlotRectangle *rectangle,
                      double margin)
{
  *path = (DebyePlotPath){
      .drawing = drawing,
      .left = rectangle->x - margin,
      .right = rectangle->x + rectangle->width + margin,
      .top = rectangle->y - margin,
      .bottom = rectangle->y + rectangle->height + margin,
  };
}

/* One side: `p` and `q` of the condition t·p ≤ q. */
static gboolean
cut(double p, double q, double *from, double *to)
{
  if (p == 0.0)
    return q >= 0.0;
  double t = q / p;
  if (p < 0.0)
    *from = fmax(*from, t);
  else
    *to = fmin(*to, t);
  return *from <= *to;
}

/* The line from `a` to `b`, cut: FALSE where nothing of it is inside. */
static gboolean
clip_line(double left, double top, double right, double bottom, double a[2], double b[2])
{
  double dx = b[0] - a[0], dy = b[1] - a[1], from = 0.0, to = 1.0;
  if (!cut(-dx, a[0] - left, &from, &to) || !cut(dx, right - a[0], &from, &to) ||
      !cut(-dy, a[1] - top, &from, &to) || !cut(dy, bottom - a[1], &from, &to))
    return FALSE;
  b[0] = to < 1.0 ? a[0] + to * dx : b[0];
  b[1] = to < 1.0 ? a[1] + to * dy : b[1];
  a[0] = from > 0.0 ? a[0] + from * dx : a[0];
  a[1] = from > 0.0 ? a[1] + from * dy : a[1];
  return TRUE;
}

static void
put(DebyePlotPath *path, double x, double y)
{
  const float values[] = {(float)x, (float)y, (float)path->length};
  debye_plot_drawing_put(path->drawing, values, G_N_ELEMENTS(values));
  path->written_x = x;
  path->written_y = y;
  path->has_written = TRUE;
}

static void
put_break(DebyePlotPath *path)
{
  static const float values[] = {DEBYE_DRAW_BREAK, 0.0f, 0.0f};
  if (path->has_written)
    debye_plot_drawing_put(path->drawing, values, G_N_ELEMENTS(values));
  path->has_written = FALSE;
  path->length = 0.0;
}

static void
put_line(DebyePlotPath *path, const double a[2], const double b[2])
{
  if (!path->has_written || a[0] != path->written_x || a[1] != path->written_y) {
    put_break(path);
    put(path, a[0], a[1]);
  }
  path->length += hypot(b[0] - a[0], b[1] - a[1]);
  if (b[0] != a[0] || b[1] != a[1])
    put(path, b[0], b[1]);
}

void
debye_plot_path_add(DebyePlotPath *path, double x, double y)
{
  x = CLAMP(x, -FARTHEST, FARTHEST);
  y = CLAMP(y, -FARTHEST, FARTHEST);
  if (path->has_last) {
    double a[] = {path->last_x, path->last_y}, b[] = {x, y};
    if (clip_line(path->left, path->top, path->right, path->bottom, a, b))
      put_line(path, a, b);
  }
  path->has_last = TRUE;
  path->last_x = x;
  path->last_y = y;
}

void
debye_plot_path_break(DebyePlotPath *path)
{
  gboolean inside = path->has_last && path->last_x >= path->left && path->last_x <= path->right &&
                    path->last_y >= path->top && path->last_y <= path->bottom;
  if (inside && !path->has_written)
    put_line(path, (double[]){path->last_x, path->last_y}, (double[]){path->last_x + DOT, path->last_y});
  put_break(path);
  path->has_last = FALSE;
}
