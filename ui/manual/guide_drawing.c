/* SPDX-License-Identifier: MIT */
/* Implementation of guide_drawing.h. */
#include "guide_drawing.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdlib.h>

/* Units of a drawing, whatever size it has in the end. */
#define WIDTH 250.0
#define HEIGHT (WIDTH / DEBYE_GUIDE_DRAWING_ASPECT)
#define TEXT 9.0
#define LINE 1.0

typedef enum { INK, FIRST, SECOND, THIRD } Color;

typedef struct {
  cairo_t *cr;
  cairo_pattern_t *ink;
} Drawing;

/* Colors of threads and devices, which are legible on light and on dark paper. */
static void
choose(const Drawing *drawing, Color color)
{
  static const double colors[][3] = {
      [FIRST] = {0.20, 0.52, 0.89}, [SECOND] = {0.90, 0.38, 0.0}, [THIRD] = {0.18, 0.65, 0.42}};
  if (color == INK)
    cairo_set_source(drawing->cr, drawing->ink);
  else
    cairo_set_source_rgb(drawing->cr, colors[color][0], colors[color][1], colors[color][2]);
}

/* --- Parts --- */

static void
put_text(const Drawing *drawing, double x, double y, const char *text)
{
  cairo_text_extents_t size;
  choose(drawing, INK);
  cairo_text_extents(drawing->cr, text, &size);
  cairo_move_to(drawing->cr, x - 0.5 * size.x_advance, y);
  cairo_show_text(drawing->cr, text);
}

static void
put_line(const Drawing *drawing, double x, double y, double to_x, double to_y)
{
  cairo_move_to(drawing->cr, x, y);
  cairo_line_to(drawing->cr, to_x, to_y);
  cairo_stroke(drawing->cr);
}

static void
put_arrow(const Drawing *drawing, double x, double y, double to_x, double to_y)
{
  const double angle = atan2(to_y - y, to_x - x), head = 5.0;
  put_line(drawing, x, y, to_x, to_y);
  for (int side = -1; side <= 1; side += 2)
    put_line(drawing, to_x, to_y, to_x - head * cos(angle + 0.45 * side),
             to_y - head * sin(angle + 0.45 * side));
}

/* An atom. */
static void
put_atom(const Drawing *drawing, double x, double y, Color color)
{
  choose(drawing, color);
  cairo_arc(drawing->cr, x, y, 5.0, 0.0, 2.0 * G_PI);
  cairo_fill(drawing->cr);
}

/* A grid point, a bin or a task: filled with its thread's color, or empty. */
static void
put_box(const Drawing *drawing, double x, double y, double width, double height, Color color)
{
  cairo_rectangle(drawing->cr, x, y, width, height);
  if (color != INK) {
    choose(drawing, color);
    cairo_fill_preserve(drawing->cr);
  }
  choose(drawing, INK);
  cairo_stroke(drawing->cr);
}

/* --- Drawings --- */

#define N_ATOMS 4
#define N_POINTS 9

/* Atoms above, points below; the first and the second thread have their lines. */
static void
draw_direct(const Drawing *drawing, gboolean is_scatter)
{
  const double atoms_y = 26.0, points_y = 70.0;
  for (int atom = 0; atom < N_ATOMS; atom++)
    for (int point = 0; point < N_POINTS; point++) {
      const int thread = is_scatter ? atom : point;
      const double atom_x = 55.0 + 47.0 * atom, point_x = 25.0 + 25.0 * point;
      if (thread != 0 && thread != (is_scatter ? 2 : 5))
        continue;
      choose(drawing, thread == 0 ? FIRST : SECOND);
      put_line(drawing, atom_x, atoms_y, point_x, points_y);
    }
  for (int atom = 0; atom < N_ATOMS; atom++)
    put_atom(drawing, 55.0 + 47.0 * atom, atoms_y,
             is_scatter && atom == 0   ? FIRST
             : is_scatter && atom == 2 ? SECOND
                                       : INK);
  for (int point = 0; point < N_POINTS; point++)
    put_box(drawing, 20.0 + 25.0 * point, points_y, 10.0, 10.0,
            !is_scatter && point == 0   ? FIRST
            : !is_scatter && point == 5 ? SECOND
                                        : INK);
  put_text(drawing, 0.5 * WIDTH, 15.0, is_scatter ? _("one thread per atom") : _("atoms"));
  put_text(drawing, 0.5 * WIDTH, 95.0, is_scatter ? _("points: atomicAdd") : _("one thread per point"));
}

static void
draw_scatter(const Drawing *drawing)
{
  draw_direct(drawing, TRUE);
}

static void
draw_gather(const Drawing *drawing)
{
  draw_direct(drawing, FALSE);
}

/* Tiles of atoms, of which a block holds one in shared memory. */
static void
draw_tiles(const Drawing *drawing)
{
  for (int atom = 0; atom < 12; atom++)
    put_atom(drawing, 22.0 + 17.0 * atom + 6.0 * (atom / 4), 26.0, atom / 4 == 1 ? FIRST : INK);
  for (int tile = 0; tile < 3; tile++) {
    choose(drawing, INK);
    cairo_rectangle(drawing->cr, 13.0 + 74.0 * tile, 17.0, 69.0, 18.0);
    cairo_stroke(drawing->cr);
  }
  put_arrow(drawing, 0.5 * WIDTH - 3.0, 37.0, 0.5 * WIDTH - 3.0, 56.0);
  put_text(drawing, 0.5 * WIDTH + 52.0, 50.0, _("shared memory"));
  for (int thread = 0; thread < 8; thread++)
    put_box(drawing, 61.0 + 15.0 * thread, 58.0, 15.0, 14.0, FIRST);
  put_text(drawing, 0.5 * WIDTH, 12.0, _("tiles of atoms"));
  put_text(drawing, 0.5 * WIDTH, 88.0, _("a block of threads reads them all"));
}

/* Points of a thread half a warp apart, so that neighbours write neighbours. */
static void
draw_half_warps(const Drawing *drawing)
{
  for (int point = 0; point < 16; point++)
    put_box(drawing, 13.0 + 14.0 * point, 40.0, 14.0, 16.0,
            point % 4 == 0   ? FIRST
            : point % 4 == 1 ? SECOND
                             : INK);
  for (int half = 0; half < 4; half++) {
    choose(drawing, INK);
    put_line(drawing, 14.0 + 56.0 * half, 62.0, 67.0 + 56.0 * half, 62.0);
  }
  put_text(drawing, 0.5 * WIDTH, 30.0, _("four points each of threads 0 and 1"));
  put_text(drawing, 0.5 * WIDTH, 78.0, _("half a warp apart"));
}

#define N_BINS_X 11
#define N_BINS_Y 5
#define BIN 16.0

/* A bin in the middle, the cutoff around it, and bins within reach. */
static void
draw_bins(const Drawing *drawing)
{
  const double left = 0.5 * (WIDTH - N_BINS_X * BIN), top = 3.0, x = 0.5 * WIDTH,
               y = top + 0.5 * N_BINS_Y * BIN;
  for (int j = 0; j < N_BINS_Y; j++)
    for (int i = 0; i < N_BINS_X; i++) {
      const int di = abs(i - N_BINS_X / 2), dj = abs(j - N_BINS_Y / 2);
      const gboolean is_reached = di <= 2 && dj <= 2, is_corner = di == 2 && dj == 2;
      put_box(drawing, left + BIN * i, top + BIN * j, BIN, BIN,
              di == 0 && dj == 0         ? SECOND
              : is_reached && !is_corner ? FIRST
                                         : INK);
    }
  cairo_arc(drawing->cr, x, y, 2.1 * BIN, 0.0, 2.0 * G_PI);
  cairo_stroke(drawing->cr);
  put_text(drawing, x, 96.0, _("one block: its bin, and those within the cutoff"));
}

/* Blocks over the pairs i < j. */
static void
draw_pairs(const Drawing *drawing)
{
  const double side = 10.0, left = 0.5 * WIDTH - 4.0 * side;
  for (int j = 0; j < 8; j++)
    for (int i = 0; i < 8; i++)
      put_box(drawing, left + side * i, 4.0 + side * j, side, side,
              i < j             ? INK
              : (i + j) % 2 > 0 ? FIRST
                                : SECOND);
  put_text(drawing, left - 14.0, 50.0, "i");
  put_text(drawing, left + 8.0 * side + 14.0, 50.0, "j");
  put_text(drawing, 0.5 * WIDTH, 97.0, _("8 × 8 blocks of 16 × 16 threads over the pairs i < j"));
}

/* a(t) of an atom, transformed, squared, transformed back, summed. */
static void
draw_tasks(const Drawing *drawing)
{
  static const char *const names[] = {"exp(iqr)", "FFT", "|a|²", "FFT⁻¹", "Σ"};
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
    const double x = 4.0 + 50.0 * (double)i;
    put_box(drawing, x, 34.0, 42.0, 24.0, INK);
    put_text(drawing, x + 21.0, 49.0, names[i]);
    if (i > 0)
      put_arrow(drawing, x - 7.0, 46.0, x - 1.0, 46.0);
  }
  put_text(drawing, 0.5 * WIDTH, 24.0, _("for each block of atoms and vectors"));
  put_text(drawing, 0.5 * WIDTH, 78.0, _("one after the other, or many in one call"));
}

/* Slices of a map, one after the other to three devices. */
static void
draw_dealt(const Drawing *drawing)
{
  for (int slice = 8; slice >= 0; slice--) {
    const double x = 50.0 + 12.0 * slice, y = 62.0 - 5.0 * slice;
    cairo_move_to(drawing->cr, x, y);
    cairo_line_to(drawing->cr, x + 48.0, y);
    cairo_line_to(drawing->cr, x + 66.0, y - 16.0);
    cairo_line_to(drawing->cr, x + 18.0, y - 16.0);
    cairo_close_path(drawing->cr);
    choose(drawing, (Color)(FIRST + slice % 3));
    cairo_fill_preserve(drawing->cr);
    choose(drawing, INK);
    cairo_stroke(drawing->cr);
  }
  put_text(drawing, 0.5 * WIDTH, 84.0, _("slice k to device k mod 3"));
}

static const struct {
  const char *name, *description;
  void (*draw)(const Drawing *drawing);
} drawings[] = {
    {"scatter", N_("One thread per atom adds to all points"), draw_scatter},
    {"gather", N_("One thread per point reads all atoms"), draw_gather},
    {"tiles", N_("A block of threads holds a tile of atoms in shared memory"), draw_tiles},
    {"half-warps", N_("The points of a thread are half a warp apart"), draw_half_warps},
    {"bins", N_("A block of points looks at the bins within the cutoff"), draw_bins},
    {"pairs", N_("Blocks of threads over the pairs of atoms"), draw_pairs},
    {"tasks", N_("Amplitudes are transformed, squared, transformed back and summed"), draw_tasks},
    {"dealt", N_("Slices of a map are dealt to three devices"), draw_dealt},
};

static gsize
find_drawing(const char *name)
{
  gsize i = 0;
  while (i < G_N_ELEMENTS(drawings) && g_strcmp0(drawings[i].name, name) != 0)
    i++;
  return i;
}

gboolean
debye_guide_drawing_exists(const char *name)
{
  return find_drawing(name) < G_N_ELEMENTS(drawings);
}

const char *
debye_guide_drawing_describe(const char *name)
{
  return debye_guide_drawing_exists(name) ? _(drawings[find_drawing(name)].description) : NULL;
}

void
debye_guide_drawing_draw(const char *name, cairo_t *cr, double width)
{
  const gsize number = find_drawing(name);
  if (number == G_N_ELEMENTS(drawings))
    return;
  const Drawing drawing = {cr, cairo_pattern_reference(cairo_get_source(cr))};
  cairo_save(cr);
  cairo_scale(cr, width / WIDTH, width / WIDTH);
  cairo_set_line_width(cr, LINE);
  cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cr, TEXT);
  drawings[number].draw(&drawing);
  cairo_restore(cr);
  cairo_pattern_destroy(drawing.ink);
}
