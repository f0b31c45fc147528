/* SPDX-License-Identifier: MIT */
/* A picture is a mean of samples, each shifted by a part of a pixel: that antialiases impostors, their
 * intersections, the occlusion's noise and the outlines alike, on every GL, where multisampling would only
 * smooth triangles. A sample is drawn so: opaque things; occlusion from their depth; transparent things front
 * to back, a depth layer a pass (depth peeling, Everitt 2001), each under the ones before, which is the right
 * order from every side; then all of it put together. */
#include "renderer.h"

#include "box_layer.h"
#include "data/error.h"
#include "renderer_private.h"

/* Layers of transparency; what lies behind them is lost, so few only where each costs tens of milliseconds.
 */
#define MAX_LAYERS 8
#define MAX_LAYERS_SOFTWARE 4
/* A software GL that needs longer than this draws at half size while the view moves. */
#define SLOW_FRAME_US 30000
/* Of the coarse picture in which tiles look beyond their edges: occlusion is soft, so finer shows nothing. */
#define OVERVIEW_SIDE 2048

struct _DebyeRenderer {
  DebyePrograms *programs;
  GLuint view_buffer, empty_array, query;
  DebyeTarget opaque, layers[2], transparent, occlusion[2], sum, nothing, overview;
  gint64 sample_us; /* what the last sample took (measured on software GL only) */
};

DebyeRenderer *
debye_renderer_new(void)
{
  DebyeRenderer *self = g_new0(DebyeRenderer, 1);
  self->programs = debye_programs_new();
  return self;
}

void
debye_renderer_free(DebyeRenderer *self, gboolean context_lost)
{
  if (!self)
    return;
  DebyeTarget *targets[] = {&self->opaque,      &self->layers[0],    &self->layers[1],
                            &self->transparent, &self->occlusion[0], &self->occlusion[1],
                            &self->sum,         &self->nothing,      &self->overview};
  for (gsize i = 0; i < G_N_ELEMENTS(targets); i++)
    debye_target_clear(targets[i], context_lost);
  if (!context_lost && self->view_buffer) {
    glDeleteBuffers(1, &self->view_buffer);
    glDeleteVertexArrays(1, &self->empty_array);
    glDeleteQueries(1, &self->query);
  }
  debye_programs_free(self->programs, context_lost);
  g_free(self);
}

DebyePrograms *
debye_renderer_get_programs(DebyeRenderer *self)
{
  return self->programs;
}

/* --- Passes --- */

static void
upload_view(DebyeRenderer *self, const DebyeViewBlock *block)
{
  glBindBuffer(GL_UNIFORM_BUFFER, self->view_buffer);
  glBufferData(GL_UNIFORM_BUFFER, sizeof *block, block, GL_STREAM_DRAW);
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, self->view_buffer);
}

static void
set_plain_state(void)
{
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_STENCIL_TEST);
  glDisable(GL_CULL_FACE);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
  glDisable(GL_POLYGON_OFFSET_FILL);
  glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_LESS);
  if (epoxy_is_desktop_gl()) {
    glEnable(GL_PROGRAM_POINT_SIZE);
    glDisable(GL_FRAMEBUFFER_SRGB);
    glDisable(GL_DEPTH_CLAMP);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  }
}

static void
bind_target(const DebyeTarget *target)
{
  glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
  glViewport(0, 0, target->width, target->height);
}

static void
fill(DebyeRenderer *self)
{
  glBindVertexArray(self->empty_array);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 3);
}

static void
draw_once(GListModel *layers, const DebyeDrawContext *context, DebyePass pass)
{
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    DebyeLayerClass *class = DEBYE_LAYER_GET_CLASS(layer);
    if (class->draw && debye_layer_get_visible(layer) &&
        debye_layer_is_transparent(layer) == (pass == DEBYE_PASS_TRANSPARENT))
      class->draw(layer, context, pass);
  }
}

/* At each image of the cell that is to be seen. */
static void
draw_layers(DebyeRenderer *self, GListModel *layers, DebyeDrawContext *context, DebyeViewBlock *block,
            DebyePass pass)
{
  g_autoptr(GArray) shifts = debye_box_layer_list_images(layers);
  mat4 view;
  glm_mat4_copy(block->view, view);
  for (guint i = 0; i < shifts->len; i++) {
    DebyeVec3 shift = g_array_index(shifts, DebyeVec3, i);
    if (i > 0) {
      glm_translate_to(view, (vec3){(float)shift.x, (float)shift.y, (float)shift.z}, block->view);
      glm_mat4_copy(block->view, context->view);
      upload_view(self, block);
    }
    draw_once(layers, context, pass);
  }
  glm_mat4_copy(view, block->view);
  glm_mat4_copy(view, context->view);
  if (shifts->len > 1)
    upload_view(self, block);
}

static gboolean
any_transparent(GListModel *layers)
{
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (debye_layer_get_visible(layer) && debye_layer_is_transparent(layer))
      return TRUE;
  }
  return FALSE;
}

static void
draw_opaque(DebyeRenderer *self, const DebyeTarget *target, GListModel *layers, DebyeDrawContext *context,
            DebyeViewBlock *block)
{
  bind_target(target);
  glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  glEnable(GL_DEPTH_TEST);
  context->options = "";
  draw_layers(self, layers, context, block, DEBYE_PASS_OPAQUE);
  glDisable(GL_DEPTH_TEST);
}

static gboolean
is_tile(const DebyePicture *picture)
{
  return picture->tile_width < picture->width || picture->tile_height < picture->height;
}

static void
draw_occlusion(DebyeRenderer *self, const DebyePicture *picture, double factor)
{
  gboolean tile = is_tile(picture) && self->overview.width > 0;
  debye_texture_bind(DEBYE_UNIT_DEPTH, self->opaque.depth);
  if (tile)
    debye_texture_bind(DEBYE_UNIT_OVERVIEW, self->overview.depth);
  bind_target(&self->occlusion[0]);
  GLuint program = debye_programs_use(self->programs, "occlusion", tile ? "TILE" : NULL);
  double extent = debye_vec3_length(debye_vec3_subtract(picture->high, picture->low));
  /* Wide enough to darken a binding pocket, yet not the other side of a small molecule. */
  glUniform3f(glGetUniformLocation(program, "reach"), (float)CLAMP(0.08 * extent, 2.5, 8.0),
              debye_programs_is_software(self->programs) ? 10.0f : 16.0f,
              (float)(0.25 * picture->height * factor));
  glUniform4f(glGetUniformLocation(program, "whole"), (float)picture->left, (float)picture->bottom,
              (float)self->overview.width / (float)picture->width,
              (float)self->overview.height / (float)picture->height);
  fill(self);
  bind_target(&self->occlusion[1]);
  debye_programs_use(self->programs, "occlusion", "SMOOTH");
  debye_texture_bind(DEBYE_UNIT_IMAGE, self->occlusion[0].color);
  fill(self);
}

/* What is nearer than all taken so far, and before the opaque things. FALSE where nothing is left. */
static gboolean
draw_layer(DebyeRenderer *self, GListModel *layers, DebyeDrawContext *context, DebyeViewBlock *block,
           int number)
{
  DebyeTarget *layer = &self->layers[number & 1];
  block->look[2] = number > 0 ? 1.0f : 0.0f;
  upload_view(self, block);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, self->opaque.framebuffer);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, layer->framebuffer);
  glBlitFramebuffer(0, 0, layer->width, layer->height, 0, 0, layer->width, layer->height, GL_DEPTH_BUFFER_BIT,
                    GL_NEAREST);
  bind_target(layer);
  glClear(GL_COLOR_BUFFER_BIT);
  debye_texture_bind(DEBYE_UNIT_PEELED, self->layers[!(number & 1)].depth);
  glEnable(GL_DEPTH_TEST);
  glBeginQuery(GL_ANY_SAMPLES_PASSED, self->query);
  draw_layers(self, layers, context, block, DEBYE_PASS_TRANSPARENT);
  glEndQuery(GL_ANY_SAMPLES_PASSED);
  glDisable(GL_DEPTH_TEST);
  GLuint passed = 0;
  glGetQueryObjectuiv(self->query, GL_QUERY_RESULT, &passed);
  return passed != 0;
}

static void
draw_transparent(DebyeRenderer *self, GListModel *layers, DebyeDrawContext *context, DebyeViewBlock *block,
                 gboolean thorough)
{
  int n = debye_programs_is_software(self->programs) && !thorough ? MAX_LAYERS_SOFTWARE : MAX_LAYERS;
  glBindFramebuffer(GL_FRAMEBUFFER, self->transparent.framebuffer);
  glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
  glClear(GL_COLOR_BUFFER_BIT);
  context->options = "PEEL";
  for (int i = 0; i < (context->moving ? MAX(n / 2, 2) : n); i++) {
    if (!draw_layer(self, layers, context, block, i))
      break;
    bind_target(&self->transparent);
    debye_texture_bind(DEBYE_UNIT_IMAGE, self->layers[i & 1].color);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE_MINUS_DST_ALPHA, GL_ONE);
    debye_programs_use(self->programs, "copy", NULL);
    fill(self);
    glDisable(GL_BLEND);
  }
}

/* Adds the sample to the mean of those before it. */
static void
compose(DebyeRenderer *self, const DebyePicture *picture, gboolean transparent, int sample)
{
  const float *background = picture->look->background;
  float brightness = 0.3f * background[0] + 0.6f * background[1] + 0.1f * background[2];
  float ink = brightness > 0.5f ? 0.05f : 0.0f;
  bind_target(&self->sum);
  GLuint program = debye_programs_use(self->programs, "compose", NULL);
  glUniform4f(glGetUniformLocation(program, "outline"), ink, ink, ink, picture->look->outline);
  glUniform1f(glGetUniformLocation(program, "coverage"), background[3]);
  debye_texture_bind(DEBYE_UNIT_IMAGE, self->opaque.color);
  debye_texture_bind(DEBYE_UNIT_DEPTH, self->opaque.depth);
  debye_texture_bind(DEBYE_UNIT_OCCLUSION, self->occlusion[1].color);
  debye_texture_bind(DEBYE_UNIT_TRANSPARENT, transparent ? self->transparent.color : self->nothing.color);
  if (sample > 0) {
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendColor(0.0f, 0.0f, 0.0f, 1.0f / (float)(sample + 1));
    glBlendFunc(GL_CONSTANT_ALPHA, GL_ONE_MINUS_CONSTANT_ALPHA);
  }
  fill(self);
  glDisable(GL_BLEND);
}

/* --- A picture --- */

static gboolean
ensure_objects(DebyeRenderer *self)
{
  if (!self->view_buffer) {
    glGenBuffers(1, &self->view_buffer);
    glGenVertexArrays(1, &self->empty_array);
    glGenQueries(1, &self->query);
    if (!debye_target_ensure(&self->nothing, 1, 1, GL_RGBA8, FALSE))
      return FALSE;
    glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    glClear(GL_COLOR_BUFFER_BIT);
  }
  return TRUE;
}

static gboolean
ensure_targets(DebyeRenderer *self, int width, int height, gboolean occlusion, gboolean transparent)
{
  GLenum fine = debye_programs_has_float_targets(self->programs) ? GL_RGBA16F : GL_RGBA8;
  gboolean done = ensure_objects(self) && debye_target_ensure(&self->opaque, width, height, GL_RGBA8, TRUE) &&
                  debye_target_ensure(&self->sum, width, height, fine, FALSE);
  if (occlusion)
    done = done && debye_target_ensure(&self->occlusion[0], width, height, GL_R8, FALSE) &&
           debye_target_ensure(&self->occlusion[1], width, height, GL_R8, FALSE);
  if (transparent)
    done = done && debye_target_ensure(&self->layers[0], width, height, GL_RGBA8, TRUE) &&
           debye_target_ensure(&self->layers[1], width, height, GL_RGBA8, TRUE) &&
           debye_target_ensure(&self->transparent, width, height, fine, FALSE);
  return done;
}

/* What the layers and the shaders are told of one sample. */
static void
prepare_sample(DebyeRenderer *self, GListModel *layers, const DebyePicture *picture, double factor,
               int sample, DebyeViewBlock *block, DebyeDrawContext *context)
{
  debye_renderer_make_view(layers, picture, factor, sample, block);
  *context = (DebyeDrawContext){
      .width = (int)block->pixels[0],
      .height = (int)block->pixels[1],
      .scale = block->pixels[2],
      .moving = picture->moving,
      .depth_cue = picture->look->depth_cue,
      .view_near = block->cue[0],
      .view_far = block->cue[1],
      .orthographic = !picture->camera->perspective,
      .pixels_per_angstrom = block->pixels[3],
      .programs = self->programs,
  };
  glm_mat4_copy(block->view, context->view);
  glm_mat4_copy(block->projection, context->projection);
  memcpy(context->background, picture->look->background, sizeof context->background);
}

static void
draw_sample(DebyeRenderer *self, GListModel *layers, const DebyePicture *picture, double factor, int sample,
            gboolean occlusion, gboolean transparent)
{
  DebyeViewBlock block = {0};
  DebyeDrawContext context;
  prepare_sample(self, layers, picture, factor, sample, &block, &context);
  if (!occlusion)
    block.look[1] = 0.0f;
  upload_view(self, &block);
  draw_opaque(self, &self->opaque, layers, &context, &block);
  if (occlusion)
    draw_occlusion(self, picture, factor);
  if (transparent)
    draw_transparent(self, layers, &context, &block, picture->thorough);
  compose(self, picture, transparent, sample);
}

gboolean
debye_renderer_draw_overview(DebyeRenderer *self, GListModel *layers, const DebyePicture *picture)
{
  DebyeViewBlock block = {0};
  DebyeDrawContext context;
  double factor = fmin(1.0, (double)OVERVIEW_SIDE / MAX(picture->width, picture->height));
  int width = MAX((int)(picture->width * factor), 1), height = MAX((int)(picture->height * factor), 1);
  set_plain_state();
  if (picture->look->ambient_occlusion <= 0.0f || debye_programs_get_error(self->programs))
    return TRUE;
  if (!ensure_objects(self) || !debye_target_ensure(&self->overview, width, height, GL_RGBA8, TRUE))
    return FALSE;
  DebyePicture whole = *picture;
  whole.left = whole.bottom = 0;
  whole.tile_width = whole.width;
  whole.tile_height = whole.height;
  prepare_sample(self, layers, &whole, factor, 0, &block, &context);
  upload_view(self, &block);
  draw_opaque(self, &self->overview, layers, &context, &block);
  return TRUE;
}

/* Half the size where a software GL would not keep up with the pointer. */
static double
size_factor(const DebyeRenderer *self, const DebyePicture *picture)
{
  gboolean slow = debye_programs_is_software(self->programs) && self->sample_us > SLOW_FRAME_US;
  return picture->moving && slow ? 0.5 : 1.0;
}

static void
present(DebyeRenderer *self, const DebyePicture *picture, GLuint target, gboolean single)
{
  glBindFramebuffer(GL_FRAMEBUFFER, target);
  glViewport(0, 0, picture->tile_width, picture->tile_height);
  debye_programs_use(self->programs, "copy", single ? "SMOOTH" : NULL);
  debye_texture_bind(DEBYE_UNIT_IMAGE, self->sum.color);
  fill(self);
}

gboolean
debye_renderer_draw(DebyeRenderer *self, GListModel *layers, const DebyePicture *picture, GLuint target,
                    GError **error)
{
  gboolean software = debye_programs_is_software(self->programs);
  gboolean transparent = any_transparent(layers);
  gboolean occlusion = picture->look->ambient_occlusion > 0.0f && !(software && picture->moving);
  double factor = size_factor(self, picture);
  int width = MAX((int)(picture->tile_width * factor), 1),
      height = MAX((int)(picture->tile_height * factor), 1);
  set_plain_state();
  gboolean drawable = !debye_programs_get_error(self->programs) &&
                      ensure_targets(self, width, height, occlusion, transparent);
  gint64 start = g_get_monotonic_time();
  for (int i = 0; drawable && i < picture->n_samples; i++)
    draw_sample(self, layers, picture, factor, picture->first_sample + i, occlusion, transparent);
  if (drawable)
    present(self, picture, target, picture->first_sample + picture->n_samples == 1);
  if (software && drawable && factor == 1.0) {
    glFinish();
    self->sample_us = (g_get_monotonic_time() - start) / MAX(picture->n_samples, 1);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, target);
  if (debye_programs_get_error(self->programs)) {
    if (error)
      *error = g_error_copy(debye_programs_get_error(self->programs));
    return FALSE;
  }
  if (!drawable)
    g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_DEVICE,
                "OpenGL can't make a picture of %d × %d pixels to draw into", width, height);
  return drawable;
}

void
debye_renderer_draw_piece(DebyeRenderer *self, GLuint texture, const DebyePicture *picture, double left,
                          double top, double width, double height)
{
  GLuint program = debye_programs_use(self->programs, "copy", "PIECE");
  double x0 = left - picture->left, y0 = picture->height - top - picture->bottom;
  double x = 2.0 / picture->tile_width, y = 2.0 / picture->tile_height;
  glUniform4f(glGetUniformLocation(program, "rectangle"), (float)(x0 * x - 1.0), (float)(y0 * y - 1.0),
              (float)((x0 + width) * x - 1.0), (float)((y0 - height) * y - 1.0));
  debye_texture_bind(DEBYE_UNIT_IMAGE, texture);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glBindVertexArray(self->empty_array);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glDisable(GL_BLEND);
}
