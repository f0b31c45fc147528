/* SPDX-License-Identifier: MIT */
/* Sets title cards, captions and plots of movies with cairo; called by debye-cli render. */
#include "film_page.h"

#include <math.h>

#include <pango/pangocairo.h>

#include "data/files/error.h"
#include "film_ink.h"
#include "render/plot/plot_cairo.h"
#include "render/plot/plot_text.h"

/* The plot's share of the picture, and the picture that is wide enough for a plot at its right. */
#define PLOT_WIDTH 0.38
#define PLOT_HEIGHT 0.36
#define WIDE 1.2
#define PLOT_RATIO 0.8 /* its height by its width at most, beside the view */

#define MARGIN 16.0 /* logical pixels, as of legends */

#define CAPTION_SIZE 1.6  /* times the size of text */
#define CAPTION_WIDTH 0.5 /* of the view, so that the scale bar stays free */
#define PLATE 0.75        /* opacity behind captions */

/* Of a title card, in parts of the shorter side. */
#define TITLE_SIZE 0.075
#define LINE_SIZE 0.04
#define TITLE_WIDTH 0.8 /* of the picture's width */
#define TITLE_GAP 0.04
#define TITLE_FADE 0.5   /* seconds */
#define TITLE_HEIGHT 0.9 /* of the picture's height: more words are set smaller, */
#define TITLE_STEP 0.85  /* step by step, */
#define LEAST_SHARE 0.1  /* to this share of their size at least */

struct _DebyeFilmPage {
  int width, height;
  double scale;
  GPtrArray *title;      /* char *, markup; NULL: none */
  cairo_surface_t *card; /* the title, set for the first of its pictures; NULL: none was drawn */
  GPtrArray *captions;   /* DebyeFilmCaption; NULL: none */
  DebyeFilmPlot *plot;   /* NULL: none */
};

DebyeFilmPage *
debye_film_page_new(int width, int height, double scale)
{
  DebyeFilmPage *self = g_new0(DebyeFilmPage, 1);
  self->width = width;
  self->height = height;
  self->scale = scale;
  return self;
}

void
debye_film_page_free(DebyeFilmPage *self)
{
  g_clear_pointer(&self->title, g_ptr_array_unref);
  g_clear_pointer(&self->card, cairo_surface_destroy);
  g_clear_pointer(&self->captions, g_ptr_array_unref);
  g_clear_pointer(&self->plot, debye_film_plot_free);
  g_free(self);
}

void
debye_film_page_set_title(DebyeFilmPage *self, const char *const *lines)
{
  g_clear_pointer(&self->title, g_ptr_array_unref);
  g_clear_pointer(&self->card, cairo_surface_destroy);
  if (*lines == NULL)
    return;
  self->title = g_ptr_array_new_with_free_func(g_free);
  for (; *lines != NULL; lines++)
    g_ptr_array_add(self->title, debye_plot_text_from_marked(*lines));
}

gboolean
debye_film_page_has_title(const DebyeFilmPage *self)
{
  return self->title != NULL;
}

void
debye_film_page_take_captions(DebyeFilmPage *self, GPtrArray *captions)
{
  g_clear_pointer(&self->captions, g_ptr_array_unref);
  self->captions = captions;
}

GPtrArray *
debye_film_page_get_captions(const DebyeFilmPage *self)
{
  return self->captions;
}

void
debye_film_page_take_plot(DebyeFilmPage *self, DebyeFilmPlot *plot)
{
  g_clear_pointer(&self->plot, debye_film_plot_free);
  self->plot = plot;
}

DebyeFilmPlot *
debye_film_page_get_plot(const DebyeFilmPage *self)
{
  return self->plot;
}

/* --- Places --- */

static gboolean
is_wide(const DebyeFilmPage *self)
{
  return self->width >= WIDE * self->height;
}

void
debye_film_page_get_view_size(const DebyeFilmPage *self, int *width, int *height)
{
  *width = self->width;
  *height = self->height;
  if (self->plot == NULL)
    return;
  if (is_wide(self))
    *width = MAX(1, (int)lround((1.0 - PLOT_WIDTH) * self->width));
  else
    *height = MAX(1, (int)lround((1.0 - PLOT_HEIGHT) * self->height));
}

/* Beside the view in the middle of the height, below it as wide as the picture; a margin from the rim. */
static void
draw_plot(DebyeFilmPage *self, cairo_t *cr, const DebyeLook *look)
{
  int view_width, view_height;
  debye_film_page_get_view_size(self, &view_width, &view_height);
  const double margin = MARGIN * self->scale;
  const gboolean wide = is_wide(self);
  const double left = wide ? view_width : margin, top = wide ? 0.0 : view_height;
  const double width = floor(fmax(1.0, self->width - left - margin));
  const double room = self->height - top - (wide ? 2.0 : 1.0) * margin;
  const double height = floor(fmax(1.0, wide ? fmin(room, PLOT_RATIO * width) : room));
  cairo_save(cr);
  cairo_translate(cr, floor(left), wide ? floor(0.5 * (self->height - height)) : top);
  debye_film_plot_draw(self->plot, cr, look, width, height, self->scale);
  cairo_restore(cr);
}

/* --- Words --- */

static PangoLayout *
create_text(cairo_t *cr, const char *markup, double size, double width, gboolean bold)
{
  PangoLayout *layout = pango_cairo_create_layout(cr);
  PangoFontDescription *font = pango_font_description_from_string(DEBYE_PLOT_FONT);
  pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
  if (bold)
    pango_font_description_set_weight(font, PANGO_WEIGHT_SEMIBOLD);
  pango_layout_set_font_description(layout, font);
  pango_font_description_free(font);
  pango_layout_set_alignment(layout, PANGO_ALIGN_CENTER);
  pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_width(layout, (int)(width * PANGO_SCALE));
  pango_layout_set_markup(layout, markup, -1);
  return layout;
}

static void
draw_plate(cairo_t *cr, const DebyeLook *look, double x, double y, double width, double height, double radius)
{
  const double quarter = 0.5 * G_PI;
  cairo_new_path(cr);
  cairo_arc(cr, x + width - radius, y + radius, radius, -quarter, 0.0);
  cairo_arc(cr, x + width - radius, y + height - radius, radius, 0.0, quarter);
  cairo_arc(cr, x + radius, y + height - radius, radius, quarter, 2.0 * quarter);
  cairo_arc(cr, x + radius, y + radius, radius, 2.0 * quarter, 3.0 * quarter);
  cairo_close_path(cr);
  cairo_set_source_rgba(cr, (double)look->background[0], (double)look->background[1],
                        (double)look->background[2], PLATE * (double)look->background[3]);
  cairo_fill(cr);
}

/* With its bottom there; gives its top. What is too long for the view ends with "…". */
static double
draw_caption(const DebyeFilmPage *self, cairo_t *cr, const DebyeLook *look, const DebyeFilmCaption *caption,
             double opacity, double bottom)
{
  int view_width, view_height;
  PangoRectangle ink;
  debye_film_page_get_view_size(self, &view_width, &view_height);
  const double size = CAPTION_SIZE * look->font_size * self->scale, rim = 0.5 * size;
  const double room = fmax(8.0 * size, CAPTION_WIDTH * view_width);
  g_autoptr(PangoLayout) text =
      create_text(cr, caption->text, size, fmin(room, fmax(1.0, view_width - 2.0 * size)), FALSE);
  pango_layout_set_ellipsize(text, PANGO_ELLIPSIZE_END);
  pango_layout_set_height(text, (int)(fmax(1.0, bottom - 2.0 * rim) * PANGO_SCALE));
  pango_layout_get_pixel_extents(text, NULL, &ink);
  const double left = floor(0.5 * (view_width - ink.width)), top = floor(bottom - rim - ink.height);
  cairo_push_group(cr);
  draw_plate(cr, look, left - rim, top - 0.6 * rim, ink.width + 2.0 * rim, ink.height + 1.2 * rim, 0.6 * rim);
  debye_film_ink_set(cr, look, 1.0);
  cairo_move_to(cr, left - ink.x, top - ink.y);
  pango_cairo_show_layout(cr, text);
  cairo_pop_group_to_source(cr);
  cairo_paint_with_alpha(cr, opacity);
  return top - rim;
}

/* Captions of the same time stand one upon the other, the first on top. */
static void
draw_captions(const DebyeFilmPage *self, cairo_t *cr, const DebyeLook *look, double seconds)
{
  int view_width, view_height;
  debye_film_page_get_view_size(self, &view_width, &view_height);
  double bottom = view_height - MARGIN * self->scale;
  for (guint i = self->captions != NULL ? self->captions->len : 0; i-- > 0;) {
    const DebyeFilmCaption *caption = self->captions->pdata[i];
    const double opacity = debye_film_caption_get_opacity(caption, seconds);
    if (opacity > 0.0)
      bottom = draw_caption(self, cr, look, caption, opacity, bottom);
  }
}

/* All lines from `y` on, the title bold, of a share of their size; gives their height, and measures alone if asked to. */
static double
draw_title_lines(const DebyeFilmPage *self, cairo_t *cr, const DebyeLook *look, double share, double y,
                 gboolean measures)
{
  const double side = share * MIN(self->width, self->height), top = y, width = TITLE_WIDTH * self->width;
  for (guint i = 0; i < self->title->len; i++) {
    int height;
    g_autoptr(PangoLayout) text =
        create_text(cr, self->title->pdata[i], (i == 0 ? TITLE_SIZE : LINE_SIZE) * side, width, i == 0);
    pango_layout_get_pixel_size(text, NULL, &height);
    y += i == 1 ? TITLE_GAP * side : 0.0;
    if (!measures) {
      debye_film_ink_set(cr, look, i == 0 ? 1.0 : 0.7);
      cairo_move_to(cr, 0.5 * (1.0 - TITLE_WIDTH) * self->width, floor(y));
      pango_cairo_show_layout(cr, text);
    }
    y += height;
  }
  return y - top;
}

/* About the middle of the picture. */
static void
draw_title(const DebyeFilmPage *self, cairo_t *cr, const DebyeLook *look)
{
  double share = 1.0, height = draw_title_lines(self, cr, look, share, 0.0, TRUE);
  while (height > TITLE_HEIGHT * self->height && share * TITLE_STEP >= LEAST_SHARE) {
    share *= TITLE_STEP;
    height = draw_title_lines(self, cr, look, share, 0.0, TRUE);
  }
  draw_title_lines(self, cr, look, share, 0.5 * (self->height - height), FALSE);
}

/* --- Pixels --- */

static cairo_surface_t *
begin(const DebyeFilmPage *self, const DebyeLook *look, cairo_t **cr, GError **error)
{
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, self->width, self->height);
  if (cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS) {
    debye_error_set(error, DEBYE_ERROR_MEMORY, "Not enough memory for a picture of %d×%d pixels", self->width,
                    self->height);
    cairo_surface_destroy(surface);
    return NULL;
  }
  *cr = cairo_create(surface);
  cairo_set_source_rgba(*cr, (double)look->background[0], (double)look->background[1],
                        (double)look->background[2], (double)look->background[3]);
  cairo_set_operator(*cr, CAIRO_OPERATOR_SOURCE);
  cairo_paint(*cr);
  cairo_set_operator(*cr, CAIRO_OPERATOR_OVER);
  return surface;
}

/* Premultiplied words to straight bytes. */
static void
copy_row(const guint32 *words, guint8 *bytes, int n)
{
  for (int i = 0; i < n; i++) {
    const guint32 word = words[i], alpha = word >> 24;
    const guint32 parts[3] = {word >> 16 & 255, word >> 8 & 255, word & 255};
    for (int k = 0; k < 3; k++)
      bytes[4 * i + k] =
          (guint8)(alpha == 0 || alpha == 255 ? parts[k] : MIN(255, (255 * parts[k] + alpha / 2) / alpha));
    bytes[4 * i + 3] = (guint8)alpha;
  }
}

/* Frees both. */
static GBytes *
finish(const DebyeFilmPage *self, cairo_surface_t *surface, cairo_t *cr)
{
  const gsize row = 4 * (gsize)self->width, n = row * (gsize)self->height;
  guint8 *bytes = g_malloc(n);
  cairo_destroy(cr);
  cairo_surface_flush(surface);
  const guint8 *data = cairo_image_surface_get_data(surface);
  const gsize stride = (gsize)cairo_image_surface_get_stride(surface);
  for (gsize i = 0; i < (gsize)self->height; i++)
    copy_row((const guint32 *)(gconstpointer)(data + i * stride), bytes + i * row, self->width);
  cairo_surface_destroy(surface);
  return g_bytes_new_take(bytes, n);
}

static void
put_pixels(cairo_t *cr, GBytes *rgba, int width, int height, double opacity)
{
  cairo_surface_t *picture = debye_plot_picture_from_rgba(rgba, width, height);
  cairo_set_source_surface(cr, picture, 0.0, 0.0);
  cairo_paint_with_alpha(cr, opacity);
  cairo_surface_destroy(picture);
}

GBytes *
debye_film_page_compose(DebyeFilmPage *self, GBytes *view, const DebyeLook *look, double seconds,
                        GError **error)
{
  int view_width, view_height;
  cairo_t *cr = NULL;
  cairo_surface_t *surface = begin(self, look, &cr, error);
  if (surface == NULL)
    return NULL;
  debye_film_page_get_view_size(self, &view_width, &view_height);
  cairo_set_operator(cr, CAIRO_OPERATOR_SOURCE);
  cairo_rectangle(cr, 0.0, 0.0, view_width, view_height);
  cairo_clip(cr);
  put_pixels(cr, view, view_width, view_height, 1.0);
  cairo_reset_clip(cr);
  cairo_set_operator(cr, CAIRO_OPERATOR_OVER);
  if (self->plot != NULL)
    draw_plot(self, cr, look);
  draw_captions(self, cr, look, seconds);
  return finish(self, surface, cr);
}

/* Words are set once for all pictures of the card. */
static gboolean
set_card(DebyeFilmPage *self, const DebyeLook *look, GError **error)
{
  cairo_t *cr = NULL;
  if (self->card == NULL && (self->card = begin(self, look, &cr, error)) != NULL)
    draw_title(self, cr, look);
  g_clear_pointer(&cr, cairo_destroy);
  return self->card != NULL;
}

GBytes *
debye_film_page_draw_title(DebyeFilmPage *self, const DebyeLook *look, GBytes *first, gsize number,
                           gsize n_pictures, double rate, GError **error)
{
  cairo_t *cr = NULL;
  cairo_surface_t *surface = set_card(self, look, error) ? begin(self, look, &cr, error) : NULL;
  if (surface == NULL)
    return NULL;
  const gsize n_fading = MIN(n_pictures / 2, (gsize)lround(TITLE_FADE * rate));
  cairo_set_operator(cr, CAIRO_OPERATOR_SOURCE);
  cairo_set_source_surface(cr, self->card, 0.0, 0.0);
  cairo_paint(cr);
  cairo_set_operator(cr, CAIRO_OPERATOR_OVER);
  if (number + n_fading >= n_pictures)
    put_pixels(cr, first, self->width, self->height,
               (double)(number + n_fading - n_pictures + 1) / (double)(n_fading + 1));
  return finish(self, surface, cr);
}
