/* SPDX-License-Identifier: MIT */
/* Twelve lines around a cell; their ink follows the background. */
#include "box_layer.h"

#define LINE_WIDTH 1.2f

struct _DebyeBoxLayer {
  DebyeLayer parent;
  DebyeCell cell;
  DebyeVec3 origin;
  gboolean has_cell;
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
  if (!self->has_cell || pass == DEBYE_PASS_OVERLAY)
    return;
  if (self->changed || !self->array)
    upload(self);
  const float *sheet = context->background;
  float ink = 0.3f * sheet[0] + 0.6f * sheet[1] + 0.1f * sheet[2] > 0.5f ? 0.35f : 0.62f;
  GLuint program = debye_programs_use(context->programs, "line", context->options);
  glUniform3f(glGetUniformLocation(program, "ink"), ink, ink, ink);
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
debye_box_layer_class_init(DebyeBoxLayerClass *class)
{
  DebyeLayerClass *layer_class = DEBYE_LAYER_CLASS(class);
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
