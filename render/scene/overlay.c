/* SPDX-License-Identifier: MIT */
/* Draws legends, axes and the scale bar over the picture for scene.c. A key tells what a piece shows; while
 * the key is the same, the piece keeps its texture. */
#include "overlay_private.h"

#include "axes_cross.h"
#include "render/layers/overlay_text.h"
#include "render/layers/slice_layer.h"
#include "legend.h"

#define MARGIN 16.0
/* Between words and the rim of what stands behind them. */
#define PADDING (DEBYE_LEGEND_RIM - MARGIN)
#define BACKING_OPACITY 0.7
#define SCALE_HEIGHT 32.0

typedef void (*DrawPiece)(const DebyeSheet *sheet, cairo_t *cr, double *width, double *height);

DebyeOverlay *
debye_overlay_new(void)
{
  DebyeOverlay *self = g_new0(DebyeOverlay, 1);
  self->labels = g_hash_table_new(g_str_hash, g_str_equal);
  self->hidden = debye_hidden_numbers_new();
  return self;
}

void
debye_overlay_free(DebyeOverlay *self, gboolean context_lost)
{
  if (!self)
    return;
  for (int i = 0; i < DEBYE_N_PIECES; i++) {
    if (self->pieces[i].texture && !context_lost)
      glDeleteTextures(1, &self->pieces[i].texture);
    g_free(self->pieces[i].key);
  }
  debye_overlay_forget_labels(self, context_lost);
  g_hash_table_unref(self->labels);
  debye_hidden_numbers_free(self->hidden);
  g_free(self);
}

/* --- What is drawn --- */

/* So that words are read over whatever stands behind them; over nothing it isn't seen, and a
 * transparent background has none. */
static void
draw_backing(const DebyeSheet *sheet, cairo_t *cr, double width, double height)
{
  const float *color = sheet->picture->look->background;
  const double radius = 5.0, quarter = 0.5 * G_PI;
  cairo_new_path(cr);
  cairo_arc(cr, width - radius, radius, radius, -quarter, 0.0);
  cairo_arc(cr, width - radius, height - radius, radius, 0.0, quarter);
  cairo_arc(cr, radius, height - radius, radius, quarter, 2.0 * quarter);
  cairo_arc(cr, radius, radius, radius, 2.0 * quarter, 3.0 * quarter);
  cairo_close_path(cr);
  cairo_set_source_rgba(cr, (double)color[0], (double)color[1], (double)color[2],
                        BACKING_OPACITY * (double)color[3]);
  cairo_fill(cr);
}

/* What is higher than the picture is drawn smaller: a scale that ends below it can't be read at all. */
static void
draw_legend(const DebyeSheet *sheet, cairo_t *cr, double *width, double *height)
{
  double w, h;
  debye_legend_draw(sheet->layers, sheet->picture->look, NULL, sheet->text_color, &w, &h);
  const double whole_width = w + 2.0 * PADDING, whole_height = h + 2.0 * PADDING;
  const double room = sheet->picture->height / sheet->unit - 2.0 * MARGIN;
  const double share = CLAMP(room / whole_height, DEBYE_LEGEND_LEAST_SHARE, 1.0);
  *width = w > 0.0 ? share * whole_width : 0.0;
  *height = h > 0.0 ? share * whole_height : 0.0;
  if (!cr || !(h > 0.0))
    return;
  cairo_scale(cr, share, share);
  draw_backing(sheet, cr, whole_width, whole_height);
  cairo_translate(cr, PADDING, PADDING);
  debye_legend_draw(sheet->layers, sheet->picture->look, cr, sheet->text_color, &w, &h);
}

static void
draw_axes(const DebyeSheet *sheet, cairo_t *cr, double *width, double *height)
{
  *width = *height = DEBYE_AXES_CROSS_SIZE;
  if (cr)
    debye_axes_cross_draw(cr, sheet->picture->camera->orientation, sheet->text_color);
}

/* A round length of a quarter of the picture's width at most, true at the depth of the target. */
static double
scale_length(const DebyeSheet *sheet)
{
  const DebyePicture *picture = sheet->picture;
  return debye_overlay_text_round_step(fmin(0.25 * picture->width, sheet->scale_room) *
                                       (double)picture->camera->height / picture->height);
}

/* Where the box of a slice begins, pixels from the left; HUGE_VAL where it ends above `top`, pixels from the top. */
static double
left_edge_of_slice(DebyeLayer *slice, const DebyePicture *picture, double top)
{
  DebyeVec3 ends[2];
  mat4 view, whole;
  double left = HUGE_VAL, bottom = 0.0;
  if (!debye_layer_get_visible(slice) || !debye_layer_get_bounds(slice, &ends[0], &ends[1]))
    return HUGE_VAL;
  debye_camera_matrices(picture->camera, (double)picture->width / picture->height, picture->low,
                        picture->high, view, whole);
  glm_mat4_mul(whole, view, whole);
  for (int i = 0; i < 8; i++) {
    vec4 p = {(float)ends[i & 1].x, (float)ends[(i >> 1) & 1].y, (float)ends[i >> 2].z, 1.0f};
    glm_mat4_mulv(whole, p, p);
    if (!(p[3] > 0.0f))
      return HUGE_VAL;
    left = fmin(left, (0.5 + 0.5 * (double)(p[0] / p[3])) * picture->width);
    bottom = fmax(bottom, (0.5 - 0.5 * (double)(p[1] / p[3])) * picture->height);
  }
  return bottom > top ? left : HUGE_VAL;
}

/* A bar that begins beside a slice and would end on it is shorter, unless little is left of it. */
static double
find_scale_room(const DebyeSheet *sheet, double from)
{
  const DebyePicture *picture = sheet->picture;
  double room = HUGE_VAL;
  for (guint i = 0; i < g_list_model_get_n_items(sheet->layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(sheet->layers, i);
    if (DEBYE_IS_SLICE_LAYER(layer))
      room = fmin(room, left_edge_of_slice(layer, picture, picture->height - SCALE_HEIGHT * sheet->unit) -
                            from - PADDING * sheet->unit);
  }
  return room > 0.06 * picture->width ? room : HUGE_VAL;
}

/* What a length of a layer is in. */
static const char *
get_length_unit(DebyeLayer *layer)
{
  DebyeField *field = debye_layer_get_field(layer);
  return field != NULL ? debye_field_get_length_unit(field) : "Å";
}

/* "Å"; "Å⁻¹" where maps of reciprocal space alone are seen, both where atoms are seen, too. */
static char *
name_length_units(GListModel *layers)
{
  GString *names = g_string_new(NULL);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    const char *unit = get_length_unit(layer);
    g_auto(GStrv) parts = g_strsplit(names->str, " / ", -1);
    if (debye_layer_get_visible(layer) && !g_strv_contains((const char *const *)parts, unit))
      g_string_append_printf(names, "%s%s", names->len > 0 ? " / " : "", unit);
  }
  if (names->len == 0)
    g_string_append(names, "Å");
  return g_string_free(names, FALSE);
}

static void
draw_scale(const DebyeSheet *sheet, cairo_t *cr, double *width, double *height)
{
  double length = scale_length(sheet);
  double bar = length / (double)sheet->picture->camera->height * sheet->picture->height / sheet->unit;
  g_autofree char *number = debye_overlay_text_format_number(length, length);
  g_autofree char *units = name_length_units(sheet->layers);
  g_autofree char *text = g_strconcat(number, " ", units, NULL);
  double text_width, text_height;
  debye_overlay_text_measure(text, &text_width, &text_height);
  *width = fmax(bar, text_width) + 2.0 * PADDING;
  *height = SCALE_HEIGHT;
  if (!cr)
    return;
  double left = 0.5 * (*width - bar);
  cairo_move_to(cr, left, 21.0);
  cairo_line_to(cr, left, 26.0);
  cairo_line_to(cr, left + bar, 26.0);
  cairo_line_to(cr, left + bar, 21.0);
  debye_overlay_text_stroke(cr, 1.5, sheet->text_color);
  debye_overlay_text_draw(cr, text, 0.5 * *width, 22.5, 0.5, 1.0, sheet->text_color);
}

/* --- Textures --- */

/* Draws the piece again where its key has changed. */
static DebyePiece *
refresh(DebyeOverlay *self, DebyePieceKind kind, const DebyeSheet *sheet, DrawPiece draw, char *key)
{
  DebyePiece *piece = &self->pieces[kind];
  if (g_strcmp0(piece->key, key) == 0) {
    g_free(key);
    return piece;
  }
  g_free(piece->key);
  piece->key = key;
  double width, height;
  draw(sheet, NULL, &width, &height);
  /* Room for halos at the rim. */
  int w = (int)ceil(fmin((width + 4.0) * sheet->unit, DEBYE_MAX_PIECE));
  int h = (int)ceil(fmin((height + 4.0) * sheet->unit, DEBYE_MAX_PIECE));
  if (!(width > 0.0 && height > 0.0)) {
    piece->width = piece->height = 0.0;
    return piece;
  }
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, w, h);
  cairo_t *cr = cairo_create(surface);
  cairo_scale(cr, sheet->unit, sheet->unit);
  cairo_translate(cr, 2.0, 2.0);
  draw(sheet, cr, &width, &height);
  cairo_destroy(cr);
  if (cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS)
    debye_piece_upload(piece, surface);
  cairo_surface_destroy(surface);
  return piece;
}

/* --- Corners --- */

/* How much of each corner is taken, sideways, in pixels. */
typedef struct {
  double taken[DEBYE_PLACE_BOTTOM_RIGHT + 1];
} Corners;

static DebyeLookPlace
usual_place(const DebyeOverlay *self, const DebyePiece *piece)
{
  return piece == &self->pieces[DEBYE_PIECE_LEGEND] ? DEBYE_PLACE_TOP_RIGHT : DEBYE_PLACE_BOTTOM_LEFT;
}

/* Pieces in the left bottom corner stand beside each other. */
static double
find_scale_room_in_corner(const DebyeSheet *sheet, const Corners *corners)
{
  if (sheet->picture->look->scale_bar_place != DEBYE_PLACE_USUAL &&
      sheet->picture->look->scale_bar_place != DEBYE_PLACE_BOTTOM_LEFT)
    return HUGE_VAL;
  return find_scale_room(sheet, MARGIN * sheet->unit + corners->taken[DEBYE_PLACE_BOTTOM_LEFT]);
}

/* Beside what is in that corner already. The cross of the axes has room about it. */
static void
place_in_corner(DebyeOverlay *self, DebyePiece *piece, const DebyeSheet *sheet, DebyeLookPlace wanted,
                Corners *corners)
{
  const DebyePicture *picture = sheet->picture;
  const DebyeLookPlace place = wanted != DEBYE_PLACE_USUAL ? wanted : usual_place(self, piece);
  const gboolean is_cross = piece == &self->pieces[DEBYE_PIECE_AXES];
  const double rim = (is_cross ? 0.5 * MARGIN : MARGIN - PADDING) * sheet->unit;
  const double aside = rim + corners->taken[place];
  const gboolean is_left = place == DEBYE_PLACE_TOP_LEFT || place == DEBYE_PLACE_BOTTOM_LEFT;
  const gboolean is_top = place == DEBYE_PLACE_TOP_LEFT || place == DEBYE_PLACE_TOP_RIGHT;
  piece->left = is_left ? aside : picture->width - aside - piece->width;
  piece->top = is_top ? rim : picture->height - rim - piece->height;
  piece->is_shown = TRUE;
  corners->taken[place] += piece->width;
}

static void
place_pieces(DebyeOverlay *self, const DebyeSheet *sheet, guint64 serial, const char *paper)
{
  const DebyePicture *picture = sheet->picture;
  const DebyeLook *look = picture->look;
  Corners corners = {{0.0}};
  for (int i = 0; i < DEBYE_N_PIECES; i++)
    self->pieces[i].is_shown = FALSE;
  if (look->legend) {
    char *key =
        g_strdup_printf("%" G_GUINT64_FORMAT " %d %g %d %d %d %s", serial, picture->height, sheet->unit,
                        (int)look->color_bar, look->legend_notes, look->color_legend, paper);
    place_in_corner(self, refresh(self, DEBYE_PIECE_LEGEND, sheet, draw_legend, key), sheet,
                    look->legend_place, &corners);
  }
  if (look->axes) {
    const float *q = picture->camera->orientation;
    char *key = g_strdup_printf("%g %g %g %g %g %s", (double)q[0], (double)q[1], (double)q[2], (double)q[3],
                                sheet->unit, paper);
    place_in_corner(self, refresh(self, DEBYE_PIECE_AXES, sheet, draw_axes, key), sheet, look->axes_place,
                    &corners);
  }
  if (look->scale_bar) {
    g_autofree char *units = name_length_units(sheet->layers);
    DebyeSheet beside = *sheet;
    beside.scale_room = find_scale_room_in_corner(sheet, &corners);
    char *key = g_strdup_printf("%g %d %d %g %g %s %s", (double)picture->camera->height, picture->width,
                                picture->height, sheet->unit, scale_length(&beside), paper, units);
    place_in_corner(self, refresh(self, DEBYE_PIECE_SCALE, &beside, draw_scale, key), sheet,
                    look->scale_bar_place, &corners);
  }
}

/* What is to be laid over something else has no halo: that would be seen as one. */
static void
choose_text_color(const DebyeLook *look, double text_color[4])
{
  double brightness = 0.3 * (double)look->background[0] + 0.6 * (double)look->background[1] +
                      0.1 * (double)look->background[2];
  text_color[0] = text_color[1] = text_color[2] = brightness > 0.5 ? 0.1 : 0.93;
  text_color[3] = (double)look->background[3];
}

static gboolean
has_labels(GListModel *layers)
{
  gsize n_labels = 0;
  for (guint i = 0; n_labels == 0 && i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    DebyeLayerClass *class = DEBYE_LAYER_GET_CLASS(layer);
    if (debye_layer_get_visible(layer) && class->get_labels != NULL)
      class->get_labels(layer, &n_labels);
  }
  return n_labels > 0;
}

gboolean
debye_overlay_has_texts(GListModel *layers, const DebyeLook *look)
{
  return look->axes || look->scale_bar || debye_legend_get_share(layers, look, 1.0, 1.0) > 0.0 ||
         has_labels(layers);
}

void
debye_overlay_draw(DebyeOverlay *self, DebyeRenderer *renderer, GListModel *layers,
                   const DebyePicture *picture, guint64 serial)
{
  const DebyeLook *look = picture->look;
  double large =
      look->font_size > 0.0 ? fmax(look->font_size, picture->least_font_size) / DEBYE_OVERLAY_FONT_SIZE : 1.0;
  DebyeSheet sheet = {
      .layers = layers, .picture = picture, .unit = picture->scale * large, .scale_room = HUGE_VAL};
  choose_text_color(look, sheet.text_color);
  /* What the words stand on, and with it the text colour. */
  g_autofree char *paper =
      g_strdup_printf("%g %g %g %g", (double)look->background[0], (double)look->background[1],
                      (double)look->background[2], (double)look->background[3]);
  place_pieces(self, &sheet, serial, paper);
  glViewport(0, 0, picture->tile_width, picture->tile_height);
  debye_overlay_draw_labels(self, renderer, &sheet, serial);
  for (int i = 0; i < DEBYE_N_PIECES; i++)
    if (self->pieces[i].is_shown)
      debye_piece_put(renderer, &self->pieces[i], picture, self->pieces[i].left, self->pieces[i].top);
}
