/* SPDX-License-Identifier: MIT */
/* The layer of pairs at a distance: lines between atoms, all of one colour. */
#include "pair_layer.h"

#include <glib/gi18n.h>

#include "layer.h"

#define LINE_WIDTH 2.2f
#define PLACES_A_LINE 6 /* floats */

/* Okabe and Ito's vermillion: stands out from the elements' colours on light and dark. */
static const float line_color[3] = {0.835f, 0.369f, 0.0f};

struct _DebyePairLayer {
  DebyeLayer parent;
  char *pair; /* or NULL */
  float *places;
  gsize n_lines;

  GLuint array, buffer;
  gboolean changed;
};

G_DEFINE_FINAL_TYPE(DebyePairLayer, debye_pair_layer, DEBYE_TYPE_LAYER)

static void
upload(DebyePairLayer *self)
{
  const gsize stride = PLACES_A_LINE * sizeof(float);
  if (!self->array) {
    glGenVertexArrays(1, &self->array);
    glGenBuffers(1, &self->buffer);
  }
  glBindVertexArray(self->array);
  glBindBuffer(GL_ARRAY_BUFFER, self->buffer);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(self->n_lines * stride), self->places, GL_DYNAMIC_DRAW);
  for (GLuint end = 0; end < 2; end++) {
    glEnableVertexAttribArray(end);
    glVertexAttribPointer(end, 3, GL_FLOAT, GL_FALSE, (GLsizei)stride,
                          (const char *)NULL + end * 3 * sizeof(float));
    glVertexAttribDivisor(end, 1);
  }
  self->changed = FALSE;
}

static void
debye_pair_layer_draw(DebyeLayer *layer, const DebyeDrawContext *context, DebyePass pass)
{
  DebyePairLayer *self = DEBYE_PAIR_LAYER(layer);
  if (self->n_lines == 0 || pass == DEBYE_PASS_OVERLAY || context->share.from > 0.0)
    return;
  if (self->changed || !self->array)
    upload(self);
  GLuint program = debye_programs_use(context->programs, "line", context->options);
  glUniform3fv(glGetUniformLocation(program, "line_color"), 1, line_color);
  glUniform4f(glGetUniformLocation(program, "size"), LINE_WIDTH * context->scale, INFINITY,
              (float)debye_layer_get_opacity(layer), 0.6f);
  glBindVertexArray(self->array);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)self->n_lines);
}

static void
debye_pair_layer_release(DebyeLayer *layer, gboolean context_lost)
{
  DebyePairLayer *self = DEBYE_PAIR_LAYER(layer);
  if (self->array && !context_lost) {
    glDeleteVertexArrays(1, &self->array);
    glDeleteBuffers(1, &self->buffer);
  }
  self->array = self->buffer = 0;
}

void
debye_pair_layer_set_lines(DebyePairLayer *self, const float *places, gsize n_lines)
{
  g_return_if_fail(DEBYE_IS_PAIR_LAYER(self) && (places != NULL || n_lines == 0));
  g_free(self->places);
  self->places = g_memdup2(places, n_lines * PLACES_A_LINE * sizeof *places);
  self->n_lines = n_lines;
  self->changed = TRUE;
  debye_layer_changed(DEBYE_LAYER(self));
}

static void
debye_pair_layer_get_contents(DebyeLayer *layer, DebyeLayerContents *contents)
{
  const DebyePairLayer *self = DEBYE_PAIR_LAYER(layer);
  contents->n_lines = self->n_lines;
  contents->line_ends = g_memdup2(self->places, self->n_lines * PLACES_A_LINE * sizeof *self->places);
}

static void
debye_pair_layer_finalize(GObject *object)
{
  g_free(DEBYE_PAIR_LAYER(object)->places);
  g_free(DEBYE_PAIR_LAYER(object)->pair);
  G_OBJECT_CLASS(debye_pair_layer_parent_class)->finalize(object);
}

static void
debye_pair_layer_class_init(DebyePairLayerClass *class)
{
  DebyeLayerClass *layer_class = DEBYE_LAYER_CLASS(class);
  G_OBJECT_CLASS(class)->finalize = debye_pair_layer_finalize;
  layer_class->kind = &debye_pair_layer_kind;
  layer_class->get_contents = debye_pair_layer_get_contents;
  layer_class->draw = debye_pair_layer_draw;
  layer_class->release = debye_pair_layer_release;
}

static void
debye_pair_layer_init(DebyePairLayer *self)
{
  self->places = NULL;
}

DebyePairLayer *
debye_pair_layer_new(const char *pair)
{
  DebyePairLayer *self = g_object_new(DEBYE_TYPE_PAIR_LAYER, NULL);
  self->pair = g_strdup(pair);
  g_autofree char *name = pair != NULL ? g_strdup_printf("Pairs %s", pair) : NULL;
  debye_layer_set_name(DEBYE_LAYER(self), name);
  return self;
}

static gpointer
create(const DebyeLayerContents *contents)
{
  DebyePairLayer *layer = debye_pair_layer_new(NULL);
  debye_pair_layer_set_lines(layer, contents->line_ends, contents->n_lines);
  return layer;
}

static char *
get_title(DebyeLayer *layer)
{
  const char *pair = DEBYE_PAIR_LAYER(layer)->pair;
  return pair != NULL ? g_strdup_printf(_("Pairs %s"), pair) : NULL;
}

const DebyeLayerKind debye_pair_layer_kind = {
    .title = "Pairs",
    .needs = DEBYE_LAYER_NEEDS_LINES,
    .create = create,
    .get_title = get_title,
};
