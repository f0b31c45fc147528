/* SPDX-License-Identifier: MIT */
/* A list of things to draw, their points in one array; filled by the layout, drawn by plot_gl, _cairo and
 * _svg. */
#include "plot_drawing.h"

#include <math.h>

#include "plot_text.h"

static void
item_clear(gpointer data)
{
  DebyeDrawItem *item = data;
  g_clear_pointer(&item->pixels, g_bytes_unref);
  g_free(item->markup);
}

DebyePlotDrawing *
debye_plot_drawing_new(double width, double height)
{
  DebyePlotDrawing *self = g_new0(DebyePlotDrawing, 1);
  self->pixels_per_point = 1.0;
  self->width = self->clip_width = width;
  self->height = self->clip_height = height;
  self->items = g_array_new(FALSE, TRUE, sizeof(DebyeDrawItem));
  self->values = g_array_new(FALSE, FALSE, sizeof(float));
  g_array_set_clear_func(self->items, item_clear);
  return self;
}

void
debye_plot_drawing_free(DebyePlotDrawing *self)
{
  if (self == NULL)
    return;
  g_array_unref(self->items);
  g_array_unref(self->values);
  g_free(self);
}

const DebyeDrawItem *
debye_plot_drawing_get(const DebyePlotDrawing *self, guint index)
{
  return &g_array_index(self->items, DebyeDrawItem, index);
}

const float *
debye_plot_drawing_values(const DebyePlotDrawing *self, const DebyeDrawItem *item)
{
  return &g_array_index(self->values, float, item->first);
}

DebyeDrawItem *
debye_plot_drawing_add(DebyePlotDrawing *self, DebyeDrawKind kind, DebyePlotColor ink)
{
  DebyeDrawItem item = {.kind = kind, .ink = ink, .first = self->values->len};
  g_array_append_val(self->items, item);
  return &g_array_index(self->items, DebyeDrawItem, self->items->len - 1);
}

void
debye_plot_drawing_add_rectangle(DebyePlotDrawing *self, DebyePlotColor ink, double x, double y, double w,
                                 double h)
{
  DebyeDrawItem *item = debye_plot_drawing_add(self, DEBYE_DRAW_RECTANGLE, ink);
  item->x = (float)x;
  item->y = (float)y;
  item->w = (float)w;
  item->h = (float)h;
}

/* Where a pixel begins. */
static double
on_pixel(const DebyePlotDrawing *self, double place)
{
  return round(place * self->pixels_per_point) / self->pixels_per_point;
}

void
debye_plot_drawing_add_text(DebyePlotDrawing *self, DebyePlotColor ink, const char *markup, double size,
                            double x, double y, double align, gboolean upwards)
{
  DebyePlotTextExtent extent;
  if (markup == NULL || *markup == '\0')
    return;
  debye_plot_text_measure(markup, size, &extent);
  DebyeDrawItem *item = debye_plot_drawing_add(self, DEBYE_DRAW_TEXT, ink);
  item->markup = g_strdup(markup);
  item->size = (float)size;
  double before = align * extent.width;
  item->x = (float)(upwards ? on_pixel(self, x) : on_pixel(self, x - before) + before);
  item->y = (float)(upwards ? on_pixel(self, y + before) - before : on_pixel(self, y));
  item->align = (float)align;
  item->text_width = (float)extent.width;
  item->upwards = upwards;
}

void
debye_plot_drawing_put(DebyePlotDrawing *self, const float *values, gsize n)
{
  g_array_append_vals(self->values, values, (guint)n);
  g_array_index(self->items, DebyeDrawItem, self->items->len - 1).n_values += n;
}

/* All cover about the same area as the circle. */
static const float square[][2] = {{-0.88f, -0.88f}, {0.88f, -0.88f}, {0.88f, 0.88f}, {-0.88f, 0.88f}};
static const float diamond[][2] = {{0.0f, -1.22f}, {1.22f, 0.0f}, {0.0f, 1.22f}, {-1.22f, 0.0f}};
static const float triangle[][2] = {{0.0f, -1.25f}, {1.15f, 0.75f}, {-1.15f, 0.75f}};
static const float triangle_down[][2] = {{0.0f, 1.25f}, {-1.15f, -0.75f}, {1.15f, -0.75f}};
static const float cross[][2] = {{-0.35f, -1.2f}, {0.35f, -1.2f}, {0.35f, -0.35f}, {1.2f, -0.35f},
                                 {1.2f, 0.35f},   {0.35f, 0.35f}, {0.35f, 1.2f},   {-0.35f, 1.2f},
                                 {-0.35f, 0.35f}, {-1.2f, 0.35f}, {-1.2f, -0.35f}, {-0.35f, -0.35f}};

const float (*debye_plot_marker_get_corners(DebyePlotMarker marker, gsize *n))[2]
{
  static const struct {
    const float (*corners)[2];
    gsize n;
  } outlines[DEBYE_PLOT_N_MARKERS] = {
      [DEBYE_PLOT_SQUARE] = {square, G_N_ELEMENTS(square)},
      [DEBYE_PLOT_DIAMOND] = {diamond, G_N_ELEMENTS(diamond)},
      [DEBYE_PLOT_TRIANGLE] = {triangle, G_N_ELEMENTS(triangle)},
      [DEBYE_PLOT_TRIANGLE_DOWN] = {triangle_down, G_N_ELEMENTS(triangle_down)},
      [DEBYE_PLOT_CROSS] = {cross, G_N_ELEMENTS(cross)},
  };
  *n = outlines[marker].n;
  return outlines[marker].corners;
}
