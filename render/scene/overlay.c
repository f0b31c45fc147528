/* SPDX-License-Identifier: MIT */
/* Draws legends, axes and the scale bar over the picture for scene.c. A key tells what a piece shows; while
 * the key is the same, the piece keeps its texture. */
#include "overlay.h"

#include <string.h>

#include "axes_cross.h"
#include "hidden_numbers.h"
#include "render/layers/clip_layer.h"
#include "render/gl/gl_target.h"
#include "render/layers/overlay_text.h"
#include "render/layers/isosurface_layer.h"
#include "legend.h"
#include "render/layers/measurement_layer.h"
#include "render/layers/slice_layer.h"

#define MARGIN 16.0
/* Between words and the rim of what stands behind them. */
#define PADDING 7.0
#define BACKING_OPACITY 0.7
/* Smaller letters could not be read. */
#define LEAST_SHARE 0.4
/* Beyond this a cairo surface and a texture would be refused. */
#define MAX_PIXELS 8192.0

typedef enum { PIECE_LEGEND, PIECE_AXES, PIECE_SCALE, N_PIECES } PieceKind;

typedef struct {
  GLuint texture;
  char *key;
  double width, height; /* pixels */
} Piece;

struct _DebyeOverlay {
  Piece pieces[N_PIECES];
  GHashTable *labels; /* Piece by its key */
  DebyeHiddenNumbers *hidden;
};

typedef struct {
  GListModel *layers;
  const DebyePicture *picture;
  double text_color[4];
  double unit; /* pixels of one of ours */
} Sheet;

typedef void (*DrawPiece)(const Sheet *sheet, cairo_t *cr, double *width, double *height);

DebyeOverlay *
debye_overlay_new(void)
{
  DebyeOverlay *self = g_new0(DebyeOverlay, 1);
  self->labels = g_hash_table_new(g_str_hash, g_str_equal);
  self->hidden = debye_hidden_numbers_new();
  return self;
}

static void
forget_labels(DebyeOverlay *self, gboolean context_lost)
{
  GHashTableIter iter;
  gpointer piece;
  g_hash_table_iter_init(&iter, self->labels);
  while (g_hash_table_iter_next(&iter, NULL, &piece)) {
    if (!context_lost)
      glDeleteTextures(1, &((Piece *)piece)->texture);
    g_free(((Piece *)piece)->key);
    g_free(piece);
  }
  g_hash_table_remove_all(self->labels);
}

void
debye_overlay_free(DebyeOverlay *self, gboolean context_lost)
{
  if (!self)
    return;
  for (int i = 0; i < N_PIECES; i++) {
    if (self->pieces[i].texture && !context_lost)
      glDeleteTextures(1, &self->pieces[i].texture);
    g_free(self->pieces[i].key);
  }
  forget_labels(self, context_lost);
  g_hash_table_unref(self->labels);
  debye_hidden_numbers_free(self->hidden);
  g_free(self);
}

/* --- What is drawn --- */

/* So that words are read over whatever stands behind them; over nothing it isn't seen, and a
 * transparent background has none. */
static void
draw_backing(const Sheet *sheet, cairo_t *cr, double width, double height)
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
draw_legend(const Sheet *sheet, cairo_t *cr, double *width, double *height)
{
  double w, h;
  debye_legend_draw(sheet->layers, NULL, sheet->text_color, &w, &h);
  const double whole_width = w + 2.0 * PADDING, whole_height = h + 2.0 * PADDING;
  const double room = sheet->picture->height / sheet->unit - 2.0 * MARGIN;
  const double share = CLAMP(room / whole_height, LEAST_SHARE, 1.0);
  *width = w > 0.0 ? share * whole_width : 0.0;
  *height = h > 0.0 ? share * whole_height : 0.0;
  if (!cr || !(h > 0.0))
    return;
  cairo_scale(cr, share, share);
  draw_backing(sheet, cr, whole_width, whole_height);
  cairo_translate(cr, PADDING, PADDING);
  debye_legend_draw(sheet->layers, cr, sheet->text_color, &w, &h);
}

static void
draw_axes(const Sheet *sheet, cairo_t *cr, double *width, double *height)
{
  *width = *height = DEBYE_AXES_CROSS_SIZE;
  if (cr)
    debye_axes_cross_draw(cr, sheet->picture->camera->orientation, sheet->text_color);
}

/* A round length of a quarter of the picture's width at most, true at the depth of the target. */
static double
scale_length(const Sheet *sheet)
{
  const DebyePicture *picture = sheet->picture;
  return debye_overlay_text_round_step(0.25 * (double)picture->camera->height * picture->width /
                                       picture->height);
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
draw_scale(const Sheet *sheet, cairo_t *cr, double *width, double *height)
{
  double length = scale_length(sheet);
  double bar = length / (double)sheet->picture->camera->height * sheet->picture->height / sheet->unit;
  g_autofree char *number = debye_overlay_text_format_number(length, length);
  g_autofree char *units = name_length_units(sheet->layers);
  g_autofree char *text = g_strconcat(number, " ", units, NULL);
  double text_width, text_height;
  debye_overlay_text_measure(text, &text_width, &text_height);
  *width = fmax(bar, text_width) + 2.0 * PADDING;
  *height = 32.0;
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

static void
upload(Piece *piece, cairo_surface_t *surface)
{
  int width = cairo_image_surface_get_width(surface), height = cairo_image_surface_get_height(surface);
  if (!piece->texture)
    piece->texture = debye_texture_new(GL_LINEAR);
  cairo_surface_flush(surface);
  debye_texture_bind(DEBYE_UNIT_IMAGE, piece->texture);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, cairo_image_surface_get_stride(surface) / 4);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
               cairo_image_surface_get_data(surface));
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  piece->width = width;
  piece->height = height;
}

/* Draws the piece again where its key has changed. */
static Piece *
refresh(DebyeOverlay *self, PieceKind kind, const Sheet *sheet, DrawPiece draw, char *key)
{
  Piece *piece = &self->pieces[kind];
  if (g_strcmp0(piece->key, key) == 0) {
    g_free(key);
    return piece;
  }
  g_free(piece->key);
  piece->key = key;
  double width, height;
  draw(sheet, NULL, &width, &height);
  /* Room for halos at the rim. */
  int w = (int)ceil(fmin((width + 4.0) * sheet->unit, MAX_PIXELS));
  int h = (int)ceil(fmin((height + 4.0) * sheet->unit, MAX_PIXELS));
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
    upload(piece, surface);
  cairo_surface_destroy(surface);
  return piece;
}

static void
put(DebyeRenderer *renderer, const Piece *piece, const DebyePicture *picture, double left, double top)
{
  if (piece->texture && piece->width > 0.0)
    debye_renderer_draw_piece(renderer, piece->texture, picture, round(left), round(top), piece->width,
                              piece->height);
}

/* --- Labels --- */

/* Textures kept: more than are ever seen at once; then all are made again. */
#define KEPT_LABELS 1200
/* Places that are tried for a value, and the part of a label's rim in which others may stand, in points. */
#define MAX_STEPS 9
#define LABEL_RIM 2.0

static Piece *
draw_label(const char *text, const Sheet *sheet)
{
  double width, height;
  debye_overlay_text_measure(text, &width, &height);
  int w = (int)ceil(fmin((width + 6.0) * sheet->unit, MAX_PIXELS));
  int h = (int)ceil(fmin((height + 6.0) * sheet->unit, MAX_PIXELS));
  Piece *piece = g_new0(Piece, 1);
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, w, h);
  cairo_t *cr = cairo_create(surface);
  cairo_scale(cr, sheet->unit, sheet->unit);
  /* On a molecule, whatever is behind that. */
  const double color[] = {sheet->text_color[0], sheet->text_color[1], sheet->text_color[2], 1.0};
  debye_overlay_text_draw(cr, text, 0.5 * (width + 6.0), 0.5 * (height + 6.0), 0.5, 0.5, color);
  cairo_destroy(cr);
  if (cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS)
    upload(piece, surface);
  cairo_surface_destroy(surface);
  return piece;
}

static const Piece *
find_label(DebyeOverlay *self, const char *text, const Sheet *sheet)
{
  g_autofree char *key = g_strdup_printf("%g %g %s", sheet->unit, sheet->text_color[0], text);
  Piece *piece = g_hash_table_lookup(self->labels, key);
  if (piece)
    return piece;
  if (g_hash_table_size(self->labels) >= KEPT_LABELS)
    forget_labels(self, FALSE);
  piece = draw_label(text, sheet);
  piece->key = g_steal_pointer(&key);
  g_hash_table_insert(self->labels, piece->key, piece);
  return piece;
}

/* In pixels from the top left, and how far away; FALSE behind the eye. */
static gboolean
project(mat4 whole, const DebyePicture *picture, DebyeVec3 place, double at[2], double *depth)
{
  vec4 p = {(float)place.x, (float)place.y, (float)place.z, 1.0f};
  glm_mat4_mulv(whole, p, p);
  if (!(p[3] > 0.0f) || !isfinite(p[0]) || !isfinite(p[1]))
    return FALSE;
  at[0] = (0.5 + 0.5 * (double)(p[0] / p[3])) * picture->width;
  at[1] = (0.5 - 0.5 * (double)(p[1] / p[3])) * picture->height;
  *depth = (double)(p[2] / p[3]);
  return TRUE;
}

static gboolean
is_kept(const double plane[4], DebyeVec3 place)
{
  return place.x * plane[0] + place.y * plane[1] + place.z * plane[2] + plane[3] >= 0.0;
}

/* A label that could be seen. */
typedef struct {
  const char *text; /* borrowed from the layer, till it is asked again */
  double at[2], depth;
  gboolean is_value; /* of a measurement */
} Candidate;

typedef struct {
  double left, top, width, height;
} Box;

/* Its text may reach into the picture. */
static gboolean
is_near_picture(const DebyePicture *picture, const double at[2])
{
  return at[0] > -0.5 * picture->width && at[0] < 1.5 * picture->width && at[1] > -0.5 * picture->height &&
         at[1] < 1.5 * picture->height;
}

/* What the clipping plane takes away has no label either. */
static void
collect_labels(DebyeOverlay *self, GArray *candidates, DebyeLayer *layer, const Sheet *sheet, mat4 whole,
               const double plane[4])
{
  DebyeLayerClass *class = DEBYE_LAYER_GET_CLASS(layer);
  gsize n_labels = 0;
  const DebyeLabel *labels = class->get_labels ? class->get_labels(layer, &n_labels) : NULL;
  for (gsize i = 0; i < n_labels; i++) {
    Candidate candidate = {.text = labels[i].text, .is_value = DEBYE_IS_MEASUREMENT_LAYER(layer)};
    if (*labels[i].text && is_kept(plane, labels[i].place) &&
        project(whole, sheet->picture, labels[i].place, candidate.at, &candidate.depth) &&
        is_near_picture(sheet->picture, candidate.at) &&
        !(DEBYE_IS_SLICE_LAYER(layer) &&
          debye_hidden_numbers_next(self->hidden, layer, candidate.at, labels[i].place)))
      g_array_append_val(candidates, candidate);
  }
}

/* Values before names, what is near before what is far. */
static int
compare_candidates(gconstpointer a, gconstpointer b)
{
  const Candidate *first = a, *second = b;
  if (first->is_value != second->is_value)
    return first->is_value ? -1 : 1;
  return (first->depth > second->depth) - (first->depth < second->depth);
}

static gboolean
is_taken(const GArray *taken, const Box *box)
{
  for (guint i = 0; i < taken->len; i++) {
    const Box *other = &g_array_index(taken, Box, i);
    if (box->left < other->left + other->width && other->left < box->left + box->width &&
        box->top < other->top + other->height && other->top < box->top + box->height)
      return TRUE;
  }
  return FALSE;
}

/* At its place; a value moves up or down by lines where others are there, a name is left out. */
static gboolean
find_room(const GArray *taken, gboolean is_value, Box *box)
{
  const double middle = box->top;
  for (int step = 0; step < (is_value ? MAX_STEPS : 1); step++) {
    box->top = middle + (step % 2 == 1 ? -1.0 : 1.0) * ((step + 1) / 2) * box->height;
    if (!is_taken(taken, box))
      return TRUE;
  }
  box->top = middle;
  return is_value;
}

static void
put_labels(DebyeOverlay *self, DebyeRenderer *renderer, GArray *candidates, const Sheet *sheet)
{
  g_autoptr(GArray) taken = g_array_new(FALSE, FALSE, sizeof(Box));
  g_array_sort(candidates, compare_candidates);
  for (guint i = 0; i < candidates->len; i++) {
    const Candidate *candidate = &g_array_index(candidates, Candidate, i);
    const Piece *piece = find_label(self, candidate->text, sheet);
    /* Texts have room about them: boxes may touch that much. */
    const double rim = LABEL_RIM * sheet->unit;
    Box box = {candidate->at[0] - 0.5 * piece->width + rim, candidate->at[1] - 0.5 * piece->height + rim,
               piece->width - 2.0 * rim, piece->height - 2.0 * rim};
    if (!find_room(taken, candidate->is_value, &box))
      continue;
    g_array_append_val(taken, box);
    put(renderer, piece, sheet->picture, box.left - rim, box.top - rim);
  }
}

static void
draw_labels(DebyeOverlay *self, DebyeRenderer *renderer, const Sheet *sheet, guint64 serial)
{
  const DebyePicture *picture = sheet->picture;
  g_autoptr(GArray) candidates = g_array_new(FALSE, FALSE, sizeof(Candidate));
  mat4 view, projection, whole;
  debye_camera_matrices(picture->camera, (double)picture->width / picture->height, picture->low,
                        picture->high, view, projection);
  glm_mat4_mul(projection, view, whole);
  double plane[4] = {0.0, 0.0, 0.0, 1.0};
  debye_clip_layer_find_plane(sheet->layers, picture->camera, picture->low, picture->high, plane);
  debye_hidden_numbers_begin(self->hidden, sheet->layers, picture, serial, plane);
  for (guint i = 0; i < g_list_model_get_n_items(sheet->layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(sheet->layers, i);
    if (debye_layer_get_visible(layer))
      collect_labels(self, candidates, layer, sheet, whole, plane);
  }
  put_labels(self, renderer, candidates, sheet);
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

void
debye_overlay_draw(DebyeOverlay *self, DebyeRenderer *renderer, GListModel *layers,
                   const DebyePicture *picture, guint64 serial)
{
  const DebyeLook *look = picture->look;
  double large =
      look->font_size > 0.0 ? fmax(look->font_size, picture->least_font_size) / DEBYE_OVERLAY_FONT_SIZE : 1.0;
  Sheet sheet = {.layers = layers, .picture = picture, .unit = picture->scale * large};
  choose_text_color(look, sheet.text_color);
  /* What the words stand on, and with it the text colour. */
  g_autofree char *paper =
      g_strdup_printf("%g %g %g %g", (double)look->background[0], (double)look->background[1],
                      (double)look->background[2], (double)look->background[3]);
  double margin = MARGIN * sheet.unit, rim = (MARGIN - PADDING) * sheet.unit;
  glViewport(0, 0, picture->tile_width, picture->tile_height);
  draw_labels(self, renderer, &sheet, serial);
  if (look->legend) {
    char *key = g_strdup_printf("%" G_GUINT64_FORMAT " %d %g %s", serial, picture->height, sheet.unit, paper);
    Piece *piece = refresh(self, PIECE_LEGEND, &sheet, draw_legend, key);
    put(renderer, piece, picture, picture->width - rim - piece->width, rim);
  }
  double left = rim;
  if (look->axes) {
    const float *q = picture->camera->orientation;
    char *key = g_strdup_printf("%g %g %g %g %g %s", (double)q[0], (double)q[1], (double)q[2], (double)q[3],
                                sheet.unit, paper);
    Piece *piece = refresh(self, PIECE_AXES, &sheet, draw_axes, key);
    put(renderer, piece, picture, 0.5 * margin, picture->height - 0.5 * margin - piece->height);
    left = rim + piece->width;
  }
  if (look->scale_bar) {
    g_autofree char *units = name_length_units(layers);
    char *key = g_strdup_printf("%g %d %d %g %s %s", (double)picture->camera->height, picture->width,
                                picture->height, sheet.unit, paper, units);
    Piece *piece = refresh(self, PIECE_SCALE, &sheet, draw_scale, key);
    put(renderer, piece, picture, left, picture->height - rim - piece->height);
  }
}
