/* SPDX-License-Identifier: MIT */
/* Puts the labels of layers over the picture: values where they belong, names where there is room, some aside with a line.
 * Called by overlay.c. */

#include "covered_cells.h"
#include "overlay_private.h"
#include "render/layers/clip_layer.h"
#include "render/layers/measurement_layer.h"
#include "render/layers/overlay_text.h"
#include "render/layers/slice_layer.h"

/* Textures kept: more than are ever seen at once; then all are made again. */
#define KEPT_LABELS 1200
#define KEPT_BYTES (16.0 * 1024 * 1024) /* a leader's texture is as large as the box that it crosses */
/* Places that are tried for a value, and the part of a label's rim in which others may stand, in points. */
#define MAX_STEPS 9
#define LABEL_RIM 2.0

/* A surface of this size in our units, to be drawn on. */
static cairo_t *
begin_piece(const DebyeSheet *sheet, double width, double height)
{
  int w = (int)ceil(fmin(width * sheet->unit, DEBYE_MAX_PIECE));
  int h = (int)ceil(fmin(height * sheet->unit, DEBYE_MAX_PIECE));
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, w, h);
  cairo_t *cr = cairo_create(surface);
  cairo_surface_destroy(surface);
  cairo_scale(cr, sheet->unit, sheet->unit);
  return cr;
}

static DebyePiece *
end_piece(cairo_t *cr)
{
  DebyePiece *piece = g_new0(DebyePiece, 1);
  if (cairo_status(cr) == CAIRO_STATUS_SUCCESS)
    debye_piece_upload(piece, cairo_get_target(cr));
  cairo_destroy(cr);
  return piece;
}

static DebyePiece *
draw_label(const DebyeSheet *sheet, const void *text)
{
  double width, height;
  debye_overlay_text_measure(text, &width, &height);
  cairo_t *cr = begin_piece(sheet, width + 6.0, height + 6.0);
  /* On a molecule, whatever is behind that. */
  const double color[] = {sheet->text_color[0], sheet->text_color[1], sheet->text_color[2], 1.0};
  debye_overlay_text_draw(cr, text, 0.5 * (width + 6.0), 0.5 * (height + 6.0), 0.5, 0.5, color);
  return end_piece(cr);
}

void
debye_overlay_forget_labels(DebyeOverlay *self, gboolean context_lost)
{
  GHashTableIter iter;
  gpointer piece;
  g_hash_table_iter_init(&iter, self->labels);
  while (g_hash_table_iter_next(&iter, NULL, &piece)) {
    if (!context_lost)
      glDeleteTextures(1, &((DebyePiece *)piece)->texture);
    g_free(((DebyePiece *)piece)->key);
    g_free(piece);
  }
  g_hash_table_remove_all(self->labels);
  self->kept_bytes = 0.0;
}

/* Kept under its key, or made by `draw`. */
static const DebyePiece *
find_piece(DebyeOverlay *self, char *key, const DebyeSheet *sheet,
           DebyePiece *(*draw)(const DebyeSheet *sheet, const void *data), const void *data)
{
  g_autofree char *owned = key;
  DebyePiece *piece = g_hash_table_lookup(self->labels, key);
  if (piece)
    return piece;
  if (g_hash_table_size(self->labels) >= KEPT_LABELS || self->kept_bytes >= KEPT_BYTES)
    debye_overlay_forget_labels(self, FALSE);
  piece = draw(sheet, data);
  piece->key = g_steal_pointer(&owned);
  g_hash_table_insert(self->labels, piece->key, piece);
  self->kept_bytes += 4.0 * piece->width * piece->height;
  return piece;
}

static const DebyePiece *
find_label(DebyeOverlay *self, const char *text, const DebyeSheet *sheet)
{
  return find_piece(self, g_strdup_printf("%g %g %s", sheet->unit, sheet->text_color[0], text), sheet,
                    draw_label, text);
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
  gboolean has_leader;
} Candidate;

typedef struct {
  double left, top, width, height;
} Box;

/* From the place that a label names to its rim. */
typedef struct {
  double from[2], to[2];
} Line;

/* What has been put. */
typedef struct {
  GArray *boxes; /* Box, of texts */
  GArray *lines; /* Line, of leaders */
} Taken;

/* Its text may reach into the picture. */
static gboolean
is_near_picture(const DebyePicture *picture, const double at[2])
{
  return at[0] > -0.5 * picture->width && at[0] < 1.5 * picture->width && at[1] > -0.5 * picture->height &&
         at[1] < 1.5 * picture->height;
}

/* What the clipping plane takes away has no label either. */
static void
collect_labels(DebyeOverlay *self, GArray *candidates, DebyeLayer *layer, const DebyeSheet *sheet, mat4 whole,
               const double plane[4])
{
  DebyeLayerClass *class = DEBYE_LAYER_GET_CLASS(layer);
  gsize n_labels = 0;
  const DebyeLabel *labels = class->get_labels ? class->get_labels(layer, &n_labels) : NULL;
  for (gsize i = 0; i < n_labels; i++) {
    Candidate candidate = {.text = labels[i].text,
                           .is_value = DEBYE_IS_MEASUREMENT_LAYER(layer),
                           .has_leader = labels[i].has_leader};
    if (*labels[i].text && (!debye_layer_get_cut(layer) || is_kept(plane, labels[i].place)) &&
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
is_taken(const Taken *taken, const Box *box)
{
  for (guint i = 0; i < taken->boxes->len; i++) {
    const Box *other = &g_array_index(taken->boxes, Box, i);
    if (box->left < other->left + other->width && other->left < box->left + box->width &&
        box->top < other->top + other->height && other->top < box->top + box->height)
      return TRUE;
  }
  return FALSE;
}

/* Legend, axes and scale bar lie over labels. */
static gboolean
is_below_piece(const DebyeOverlay *self, const Box *box)
{
  for (int i = 0; i < DEBYE_N_PIECES; i++) {
    const DebyePiece *piece = &self->pieces[i];
    if (piece->is_shown && box->left < piece->left + piece->width && piece->left < box->left + box->width &&
        box->top < piece->top + piece->height && piece->top < box->top + box->height)
      return TRUE;
  }
  return FALSE;
}

/* At its place; a value moves up or down by lines where others or the legend are
 * there, a name or a contour's number is left out. */
static gboolean
find_room(const DebyeOverlay *self, const Taken *taken, gboolean is_value, Box *box)
{
  const double middle = box->top;
  for (int step = 0; step < (is_value ? MAX_STEPS : 1); step++) {
    box->top = middle + (step % 2 == 1 ? -1.0 : 1.0) * ((step + 1) / 2) * box->height;
    if (!is_taken(taken, box) && !is_below_piece(self, box))
      return TRUE;
  }
  box->top = middle;
  return is_value;
}

/* --- Aside, with a leader --- */

/* How far aside labels are tried, in lines, and how far from straight outwards, in degrees. */
static const double distances[] = {3.0, 5.0, 7.0, 9.5, 12.0, 15.0, 18.0, 22.0, 26.0, 30.0};
static const double angles[] = {0.0, 20.0, -20.0, 40.0, -40.0, 65.0, -65.0, 90.0, -90.0};
/* Of a cell that is covered, in lines: further away is better than over the molecule. */
#define COVERED 6.0
/* Of a leader that crosses another one: whose label is whose can't be seen there. */
#define CROSSED 1000.0

static gboolean
is_within(const DebyePicture *picture, const Box *box)
{
  return box->left >= 0.0 && box->top >= 0.0 && box->left + box->width <= picture->width &&
         box->top + box->height <= picture->height;
}

/* Its nearer side that far from the place. */
static void
place_aside(const double at[2], double angle, double distance, Box *box)
{
  const double x = cos(angle), y = sin(angle);
  box->left = at[0] + x * (distance + 0.5 * box->width) - 0.5 * box->width;
  box->top = at[1] + y * (distance + 0.5 * box->height) - 0.5 * box->height;
}

/* From the place to the nearest point of the label's rim. */
static Line
find_leader(const double at[2], const Box *box)
{
  return (Line){
      {at[0], at[1]},
      {CLAMP(at[0], box->left, box->left + box->width), CLAMP(at[1], box->top, box->top + box->height)}};
}

/* On which side of the line through both ends, by its sign. */
static double
find_side(const Line *line, const double at[2])
{
  return (line->to[0] - line->from[0]) * (at[1] - line->from[1]) -
         (line->to[1] - line->from[1]) * (at[0] - line->from[0]);
}

static guint
count_crossings(const GArray *lines, const Line *line)
{
  guint n = 0;
  for (guint i = 0; i < lines->len; i++) {
    const Line *other = &g_array_index(lines, Line, i);
    n += find_side(line, other->from) * find_side(line, other->to) < 0.0 &&
         find_side(other, line->from) * find_side(other, line->to) < 0.0;
  }
  return n;
}

/* Outwards, where nothing is behind it and no leader is crossed, the nearer the
 * better. FALSE: there is no room, and the label stays. */
static gboolean
move_aside(const DebyeOverlay *self, const Taken *taken, const DebyeCoveredCells *cells,
           const DebyePicture *picture, const double at[2], Box *box)
{
  Box best = *box;
  double least = INFINITY;
  const double x = at[0] - 0.5 * picture->width, y = at[1] - 0.5 * picture->height;
  const double outwards = x != 0.0 || y != 0.0 ? atan2(y, x) : -0.5 * G_PI;
  for (gsize i = 0; i < G_N_ELEMENTS(distances); i++)
    for (gsize j = 0; j < G_N_ELEMENTS(angles); j++) {
      place_aside(at, outwards + angles[j] * G_PI / 180.0, distances[i] * box->height, box);
      if (!is_within(picture, box) || is_taken(taken, box) || is_below_piece(self, box))
        continue;
      const Line leader = find_leader(at, box);
      const double cost =
          distances[i] + fabs(angles[j]) / 30.0 + CROSSED * count_crossings(taken->lines, &leader) +
          COVERED * debye_covered_cells_count(cells, box->left, box->top, box->width, box->height);
      best = cost < least ? *box : best;
      least = fmin(least, cost);
    }
  *box = best;
  return least < INFINITY;
}

/* From the middle of its piece, in pixels. */
typedef struct {
  double x, y;
} Leader;

static DebyePiece *
draw_leader(const DebyeSheet *sheet, const void *data)
{
  const Leader *to = data;
  const double x = to->x / sheet->unit, y = to->y / sheet->unit;
  cairo_t *cr = begin_piece(sheet, fabs(x) + 8.0, fabs(y) + 8.0);
  const double color[] = {sheet->text_color[0], sheet->text_color[1], sheet->text_color[2], 1.0};
  cairo_translate(cr, 0.5 * fabs(x) + 4.0, 0.5 * fabs(y) + 4.0);
  cairo_move_to(cr, -0.5 * x, -0.5 * y);
  cairo_line_to(cr, 0.5 * x, 0.5 * y);
  debye_overlay_text_stroke(cr, 1.0, color);
  cairo_arc(cr, -0.5 * x, -0.5 * y, 1.6, 0.0, 2.0 * G_PI);
  cairo_set_source_rgb(cr, color[0], color[1], color[2]);
  cairo_fill(cr);
  return end_piece(cr);
}

static void
put_leader(DebyeOverlay *self, DebyeRenderer *renderer, const DebyeSheet *sheet, const Line *line)
{
  const double *at = line->from;
  const Leader to = {round(line->to[0] - at[0]), round(line->to[1] - at[1])};
  char *key = g_strdup_printf("leader %g %g %g %g", sheet->unit, sheet->text_color[0], to.x, to.y);
  const DebyePiece *piece = find_piece(self, key, sheet, draw_leader, &to);
  debye_piece_put(renderer, piece, sheet->picture, at[0] + 0.5 * to.x - 0.5 * piece->width,
                  at[1] + 0.5 * to.y - 0.5 * piece->height);
}

static void
put_label(DebyeOverlay *self, DebyeRenderer *renderer, const Taken *taken, const Candidate *candidate,
          const DebyeSheet *sheet, const DebyeCoveredCells *cells)
{
  const DebyePiece *piece = find_label(self, candidate->text, sheet);
  /* Texts have room about them: boxes may touch that much. */
  const double rim = LABEL_RIM * sheet->unit;
  const double width = piece->width, height = piece->height;
  Box box = {candidate->at[0] - 0.5 * width + rim, candidate->at[1] - 0.5 * height + rim, width - 2.0 * rim,
             height - 2.0 * rim};
  const gboolean is_aside =
      candidate->has_leader && move_aside(self, taken, cells, sheet->picture, candidate->at, &box);
  if (!is_aside && !find_room(self, taken, candidate->is_value, &box))
    return;
  if (is_aside) {
    const Line leader = find_leader(candidate->at, &box);
    put_leader(self, renderer, sheet, &leader);
    g_array_append_val(taken->lines, leader);
  }
  piece = find_label(self, candidate->text, sheet);
  g_array_append_val(taken->boxes, box);
  debye_piece_put(renderer, piece, sheet->picture, box.left - rim, box.top - rim);
}

static gboolean
has_leaders(const GArray *candidates)
{
  for (guint i = 0; i < candidates->len; i++)
    if (g_array_index(candidates, Candidate, i).has_leader)
      return TRUE;
  return FALSE;
}

static void
put_labels(DebyeOverlay *self, DebyeRenderer *renderer, GArray *candidates, const DebyeSheet *sheet,
           mat4 whole)
{
  g_autoptr(GArray) boxes = g_array_new(FALSE, FALSE, sizeof(Box));
  g_autoptr(GArray) lines = g_array_new(FALSE, FALSE, sizeof(Line));
  const Taken taken = {boxes, lines};
  g_autoptr(DebyeCoveredCells) cells =
      has_leaders(candidates) ? debye_covered_cells_new(sheet->layers, sheet->picture, whole) : NULL;
  g_array_sort(candidates, compare_candidates);
  for (guint i = 0; i < candidates->len; i++)
    put_label(self, renderer, &taken, &g_array_index(candidates, Candidate, i), sheet, cells);
}

void
debye_overlay_draw_labels(DebyeOverlay *self, DebyeRenderer *renderer, const DebyeSheet *sheet,
                          guint64 serial)
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
  put_labels(self, renderer, candidates, sheet, whole);
}
