/* SPDX-License-Identifier: MIT */
/* The layer that draws the cell: twelve lines whose colour follows the background. */
#include "box_layer.h"

#include <glib/gi18n.h>

#include "data/files/error.h"
#include "layer.h"

#define LINE_WIDTH 1.2f

struct _DebyeBoxLayer {
  DebyeLayer parent;
  DebyeCell cell;
  DebyeVec3 origin;
  gboolean has_cell;
  int images[3];
  int molecules; /* a DebyePlacing */
  GLuint array, buffer;
  gboolean changed;
};

G_DEFINE_FINAL_TYPE(DebyeBoxLayer, debye_box_layer, DEBYE_TYPE_LAYER)

/* Corner by its bits: a, b, c. */
static DebyeVec3
corner_of(const DebyeBoxLayer *self, int corner)
{
  DebyeVec3 p = self->origin;
  if (corner & 1)
    p = debye_vec3_add(p, self->cell.a);
  if (corner & 2)
    p = debye_vec3_add(p, self->cell.b);
  if (corner & 4)
    p = debye_vec3_add(p, self->cell.c);
  return p;
}

static void
upload(DebyeBoxLayer *self)
{
  float ends[12][2][3];
  int n = 0;
  for (int from = 0; from < 8; from++)
    for (int bit = 1; bit < 8; bit <<= 1) {
      if (from & bit)
        continue;
      const DebyeVec3 points[2] = {corner_of(self, from), corner_of(self, from | bit)};
      for (int end = 0; end < 2; end++) {
        ends[n][end][0] = (float)points[end].x;
        ends[n][end][1] = (float)points[end].y;
        ends[n][end][2] = (float)points[end].z;
      }
      n++;
    }
  if (!self->array) {
    glGenVertexArrays(1, &self->array);
    glGenBuffers(1, &self->buffer);
  }
  glBindVertexArray(self->array);
  glBindBuffer(GL_ARRAY_BUFFER, self->buffer);
  glBufferData(GL_ARRAY_BUFFER, sizeof ends, ends, GL_STATIC_DRAW);
  for (GLuint end = 0; end < 2; end++) {
    glEnableVertexAttribArray(end);
    glVertexAttribPointer(end, 3, GL_FLOAT, GL_FALSE, sizeof ends[0],
                          (const char *)NULL + end * sizeof ends[0][0]);
    glVertexAttribDivisor(end, 1);
  }
  self->changed = FALSE;
}

static void
debye_box_layer_draw(DebyeLayer *layer, const DebyeDrawContext *context, DebyePass pass)
{
  DebyeBoxLayer *self = DEBYE_BOX_LAYER(layer);
  if (!self->has_cell || pass == DEBYE_PASS_OVERLAY || context->share.from > 0.0)
    return;
  if (self->changed || !self->array)
    upload(self);
  const float *sheet = context->background;
  float line_color = 0.3f * sheet[0] + 0.6f * sheet[1] + 0.1f * sheet[2] > 0.5f ? 0.35f : 0.62f;
  GLuint program = debye_programs_use(context->programs, "line", context->options);
  glUniform3f(glGetUniformLocation(program, "line_color"), line_color, line_color, line_color);
  /* Half of the later steps: cued, yet not outlined away. */
  glUniform4f(glGetUniformLocation(program, "size"), LINE_WIDTH * context->scale, INFINITY,
              (float)debye_layer_get_opacity(layer), 0.6f);
  glBindVertexArray(self->array);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 12);
}

static void
debye_box_layer_release(DebyeLayer *layer, gboolean context_lost)
{
  DebyeBoxLayer *self = DEBYE_BOX_LAYER(layer);
  if (self->array && !context_lost) {
    glDeleteVertexArrays(1, &self->array);
    glDeleteBuffers(1, &self->buffer);
  }
  self->array = self->buffer = 0;
}

static gboolean
debye_box_layer_get_bounds(DebyeLayer *layer, DebyeVec3 *low, DebyeVec3 *high)
{
  DebyeBoxLayer *self = DEBYE_BOX_LAYER(layer);
  for (int corner = 0; corner < 8; corner++) {
    DebyeVec3 p = corner_of(self, corner);
    *low = corner ? debye_vec3(fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z)) : p;
    *high = corner ? debye_vec3(fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z)) : p;
  }
  return self->has_cell;
}

static void
debye_box_layer_show_frame(DebyeLayer *layer, DebyeFrame *frame)
{
  if (frame->has_cell)
    debye_box_layer_set_cell(DEBYE_BOX_LAYER(layer), &frame->cell, frame->cell_origin);
}

static void
debye_box_layer_get_contents(DebyeLayer *layer, DebyeLayerContents *contents)
{
  contents->cell = DEBYE_BOX_LAYER(layer)->cell;
  contents->cell_origin = DEBYE_BOX_LAYER(layer)->origin;
}

static void
debye_box_layer_class_init(DebyeBoxLayerClass *class)
{
  DebyeLayerClass *layer_class = DEBYE_LAYER_CLASS(class);
  debye_layer_class_install(layer_class, &debye_box_layer_kind);
  layer_class->show_frame = debye_box_layer_show_frame;
  layer_class->get_contents = debye_box_layer_get_contents;
  layer_class->draw = debye_box_layer_draw;
  layer_class->release = debye_box_layer_release;
  layer_class->get_bounds = debye_box_layer_get_bounds;
}

static void
debye_box_layer_init(DebyeBoxLayer *self)
{
  self->has_cell = FALSE;
}

DebyeBoxLayer *
debye_box_layer_new(void)
{
  return g_object_new(DEBYE_TYPE_BOX_LAYER, NULL);
}

void
debye_box_layer_set_cell(DebyeBoxLayer *self, const DebyeCell *cell, DebyeVec3 origin)
{
  self->has_cell = cell && debye_cell_is_valid(cell);
  self->cell = cell ? *cell : (DebyeCell){0};
  self->origin = origin;
  self->changed = TRUE;
  debye_layer_changed(DEBYE_LAYER(self));
}

DebyePlacing
debye_box_layer_find_placing(GListModel *layers)
{
  int placing = DEBYE_PLACING_FILE;
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (DEBYE_IS_BOX_LAYER(layer))
      placing = MAX(placing, DEBYE_BOX_LAYER(layer)->molecules);
  }
  return (DebyePlacing)placing;
}

static DebyeVec3
shift_by(const DebyeCell *cell, int i, int j, int k)
{
  DebyeVec3 shift = debye_vec3_scale(cell->a, i);
  shift = debye_vec3_add(shift, debye_vec3_scale(cell->b, j));
  return debye_vec3_add(shift, debye_vec3_scale(cell->c, k));
}

static void
append_images(const DebyeBoxLayer *self, GArray *shifts)
{
  const int *n = self->images;
  for (int i = -n[0]; i <= n[0]; i++)
    for (int j = -n[1]; j <= n[1]; j++)
      for (int k = -n[2]; k <= n[2]; k++) {
        DebyeVec3 shift = shift_by(&self->cell, i, j, k);
        if (i || j || k)
          g_array_append_val(shifts, shift);
      }
}

GArray *
debye_box_layer_list_images(GListModel *layers)
{
  GArray *shifts = g_array_new(FALSE, TRUE, sizeof(DebyeVec3));
  g_array_set_size(shifts, 1);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (!DEBYE_IS_BOX_LAYER(layer) || !debye_layer_get_visible(layer) || !DEBYE_BOX_LAYER(layer)->has_cell)
      continue;
    append_images(DEBYE_BOX_LAYER(layer), shifts);
    break;
  }
  return shifts;
}

/* --- What can be set --- */

static gboolean
parse_images(DebyeLayer *layer, const char *text, GError **error)
{
  g_auto(GStrv) parts = g_strsplit(text, ",", -1);
  guint64 images[3];
  gboolean is_understood = g_strv_length(parts) == 3;
  for (int i = 0; is_understood && i < 3; i++)
    is_understood =
        g_ascii_string_to_unsigned(g_strstrip(parts[i]), 10, 0, DEBYE_MAX_IMAGES, &images[i], NULL);
  if (!is_understood)
    return debye_error_set(error, DEBYE_ERROR_SETTING, "expected A,B,C, each from 0 to %d, found “%s”",
                           DEBYE_MAX_IMAGES, text);
  g_object_set(layer, "images-a", (int)images[0], "images-b", (int)images[1], "images-c", (int)images[2],
               NULL);
  return TRUE;
}

static const DebyeLayerSetting settings[] = {
    {.option = {.key = "box", .kind = DEBYE_SETTING_BOOLEAN, .initial = "false", .help = "edges of the cell"},
     .adds = TRUE},
    {.option = {.key = "images",
                .label = "Images",
                .kind = DEBYE_SETTING_TEXT,
                .help =
                    "number of neighbouring cells on each side, with their contents: A,B,C, each 0, 1 or 2"},
     .adds = TRUE,
     .parse = parse_images},
    {.property = "molecules",
     .type = G_TYPE_INT,
     .member = G_STRUCT_OFFSET(DebyeBoxLayer, molecules),
     .range = {DEBYE_PLACING_FILE, DEBYE_LAST_PLACING, DEBYE_PLACING_FILE},
     .label = N_("Molecules"),
     .name = N_("Molecules at the cell's faces"),
     .tooltip = N_("How the picture draws molecules that the cell cuts. Maps and other results use the "
                   "frames as in the file; so does the picture in live mode."),
     .choices = debye_placing_choices},
    {.property = "images-a",
     .type = G_TYPE_INT,
     .member = G_STRUCT_OFFSET(DebyeBoxLayer, images[0]),
     .range = {0, DEBYE_MAX_IMAGES, 0},
     .label = N_("Along a"),
     .name = N_("Neighbours on each side along a")},
    {.property = "images-b",
     .type = G_TYPE_INT,
     .member = G_STRUCT_OFFSET(DebyeBoxLayer, images[1]),
     .range = {0, DEBYE_MAX_IMAGES, 0},
     .label = N_("Along b"),
     .name = N_("Neighbours on each side along b")},
    {.property = "images-c",
     .type = G_TYPE_INT,
     .member = G_STRUCT_OFFSET(DebyeBoxLayer, images[2]),
     .range = {0, DEBYE_MAX_IMAGES, 0},
     .label = N_("Along c"),
     .name = N_("Neighbours on each side along c")},
};

static gpointer
create(const DebyeLayerContents *contents)
{
  DebyeBoxLayer *layer = debye_box_layer_new();
  debye_box_layer_set_cell(layer, &contents->cell, contents->cell_origin);
  return layer;
}

const DebyeLayerKind debye_box_layer_kind = {
    .key = "box",
    .title = N_("Box"),
    .section = 1,
    .needs = DEBYE_LAYER_NEEDS_CELL,
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
    .create = create,
};
