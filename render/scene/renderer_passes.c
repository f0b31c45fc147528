/* SPDX-License-Identifier: MIT */
/* The passes of one sample. Those that draw the layers can be cut into shares of their primitives, those over
 * pixels into shares of the picture's rows. */
#include "renderer_private.h"

#include "render/layers/box_layer.h"
#include "render/layers/mesh_layer.h"
#include "render/layers/molecule_layer.h"

/* --- State --- */

void
debye_renderer_set_plain_state(void)
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
upload_view(DebyeRenderer *self, const DebyeViewBlock *block)
{
  glBindBuffer(GL_UNIFORM_BUFFER, self->view_buffer);
  glBufferData(GL_UNIFORM_BUFFER, sizeof *block, block, GL_STREAM_DRAW);
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, self->view_buffer);
}

void
debye_renderer_bind(const DebyeTarget *target)
{
  glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
  glViewport(0, 0, target->width, target->height);
}

void
debye_renderer_fill(DebyeRenderer *self)
{
  glBindVertexArray(self->empty_array);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 3);
}

/* Where anything opaque is. */
static void
fill_blocks(DebyeRenderer *self, const DebyeFilledBlocks *blocks)
{
  int block = 0, rectangle[4];
  glEnable(GL_SCISSOR_TEST);
  while (debye_filled_blocks_next(blocks, &block, rectangle)) {
    glScissor(rectangle[0], rectangle[1], rectangle[2], rectangle[3]);
    debye_renderer_fill(self);
  }
  glDisable(GL_SCISSOR_TEST);
}

/* The rows of the sample's share. */
static void
fill_rows(DebyeRenderer *self, const DebyeSample *sample, const DebyeTarget *target)
{
  const DebyeShare share = sample->context.share;
  gsize height = (gsize)target->height;
  if (sample->blocks != NULL) {
    fill_blocks(self, sample->blocks);
    return;
  }
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, (GLint)debye_share_first(share, height), target->width,
            (GLsizei)debye_share_count(share, height));
  debye_renderer_fill(self);
  glDisable(GL_SCISSOR_TEST);
}

/* --- Layers --- */

/* What the clipping plane doesn't cut. */
static void
draw_whole(DebyeRenderer *self, DebyeSample *sample, DebyeLayer *layer, DebyePass pass)
{
  DebyeViewBlock *block = &sample->block;
  vec4 clip;
  glm_vec4_copy(block->clip, clip);
  glm_vec4_copy((vec4){0.0f, 0.0f, 0.0f, 1.0f}, block->clip);
  upload_view(self, block);
  DEBYE_LAYER_GET_CLASS(layer)->draw(layer, &sample->context, pass);
  glm_vec4_copy(clip, block->clip);
  upload_view(self, block);
}

static gboolean
is_clipped(const DebyeSample *sample)
{
  const float *clip = sample->block.clip;
  return clip[0] != 0.0f || clip[1] != 0.0f || clip[2] != 0.0f;
}

/* Others draw everything in each pass. */
static gboolean
asks_for_blocks(DebyeLayer *layer)
{
  return DEBYE_IS_MOLECULE_LAYER(layer) || DEBYE_IS_MESH_LAYER(layer);
}

static void
draw_once(DebyeRenderer *self, DebyeSample *sample, DebyePass pass)
{
  for (guint i = 0; i < g_list_model_get_n_items(sample->layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(sample->layers, i);
    DebyeLayerClass *class = DEBYE_LAYER_GET_CLASS(layer);
    if (!class->draw || !debye_layer_get_visible(layer) ||
        debye_layer_is_transparent(layer) != (pass == DEBYE_PASS_TRANSPARENT))
      continue;
    if (sample->only_found && !asks_for_blocks(layer))
      continue;
    if (is_clipped(sample) && !debye_layer_get_cut(layer))
      draw_whole(self, sample, layer, pass);
    else
      class->draw(layer, &sample->context, pass);
  }
}

/* At each image of the cell that is to be seen; `number`: of a layer of transparency. */
static void
draw_layers(DebyeRenderer *self, DebyeSample *sample, DebyePass pass, int number)
{
  g_autoptr(GArray) shifts = debye_box_layer_list_images(sample->layers);
  DebyeViewBlock *block = &sample->block;
  mat4 view;
  sample->context.seen = sample->seen[pass == DEBYE_PASS_TRANSPARENT];
  if (sample->context.seen != NULL && sample->only_found)
    debye_seen_blocks_begin_found(sample->context.seen);
  else if (sample->context.seen != NULL)
    debye_seen_blocks_begin_pass(sample->context.seen, number);
  glm_mat4_copy(block->view, view);
  for (guint i = 0; i < shifts->len; i++) {
    DebyeVec3 shift = g_array_index(shifts, DebyeVec3, i);
    if (i > 0) {
      glm_translate_to(view, (vec3){(float)shift.x, (float)shift.y, (float)shift.z}, block->view);
      glm_mat4_copy(block->view, sample->context.view);
      upload_view(self, block);
    }
    draw_once(self, sample, pass);
  }
  glm_mat4_copy(view, block->view);
  glm_mat4_copy(view, sample->context.view);
  if (shifts->len > 1)
    upload_view(self, block);
}

void
debye_renderer_draw_opaque(DebyeRenderer *self, DebyeSample *sample, const DebyeTarget *target)
{
  upload_view(self, &sample->block);
  debye_renderer_bind(target);
  if (sample->context.share.from <= 0.0) {
    glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  }
  glEnable(GL_DEPTH_TEST);
  sample->context.options = "";
  draw_layers(self, sample, DEBYE_PASS_OPAQUE, 0);
  glDisable(GL_DEPTH_TEST);
}

/* --- What is hidden --- */

gboolean
debye_renderer_has_left_out(DebyeRenderer *self, DebyeSeenBlocks *seen, const DebyeTarget *target)
{
  const int width = (self->opaque.width + DEBYE_DEPTH_SQUARE - 1) / DEBYE_DEPTH_SQUARE;
  const int height = (self->opaque.height + DEBYE_DEPTH_SQUARE - 1) / DEBYE_DEPTH_SQUARE;
  if (seen == NULL || !debye_seen_blocks_is_worth_a_look(seen))
    return FALSE;
  if (!debye_target_ensure(&self->farthest, width, height, GL_R32F, FALSE))
    return FALSE;
  debye_depth_levels_resize(&self->depths, width, height);
  debye_renderer_bind(&self->farthest);
  debye_programs_use(self->programs, "copy", target == NULL ? "FARTHEST NEAREST" : "FARTHEST");
  debye_texture_bind(DEBYE_UNIT_DEPTH, target == NULL ? self->opaque.depth : target->depth);
  if (target == NULL)
    debye_nearest_bind(&self->nearest);
  debye_renderer_fill(self);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(0, 0, width, height, GL_RED, GL_FLOAT, self->depths.levels[0]);
  debye_depth_levels_build(&self->depths);
  return debye_seen_blocks_look(seen, &self->depths);
}

/* Into the pass that is drawn: whether any pixel of it passes. */
static gboolean
draw_found(DebyeRenderer *self, DebyeSample *sample, gboolean is_layer)
{
  GLuint passed = 0;
  glBeginQuery(GL_ANY_SAMPLES_PASSED, self->query);
  draw_layers(self, sample, is_layer ? DEBYE_PASS_TRANSPARENT : DEBYE_PASS_OPAQUE, 0);
  glEndQuery(GL_ANY_SAMPLES_PASSED);
  glGetQueryObjectuiv(self->query, GL_QUERY_RESULT, &passed);
  return passed != 0;
}

/* Looks first for what is as far as something that is drawn: which of both comes first is not known here. */
gboolean
debye_renderer_add_left_out(DebyeRenderer *self, DebyeSample *sample, const DebyeTarget *target,
                            gboolean *passed)
{
  const gboolean is_layer = target != &self->opaque;
  debye_renderer_bind(target);
  glEnable(GL_DEPTH_TEST);
  sample->only_found = TRUE;
  glDepthFunc(GL_EQUAL);
  glDepthMask(GL_FALSE);
  glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
  const gboolean is_tied = draw_found(self, sample, is_layer);
  glDepthFunc(GL_LESS);
  glDepthMask(GL_TRUE);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  if (!is_tied && draw_found(self, sample, is_layer))
    *passed = TRUE;
  sample->only_found = FALSE;
  glDisable(GL_DEPTH_TEST);
  return !is_tied;
}

/* --- Occlusion --- */

static gboolean
is_tile(const DebyePicture *picture)
{
  return picture->tile_width < picture->width || picture->tile_height < picture->height;
}

/* Samples turn their looks around a pixel, so that many samples need fewer each, and less smoothing. Only where processors
 * draw are these worth saving. */
static gboolean
has_many_samples(DebyeRenderer *self, const DebyePicture *picture)
{
  return debye_programs_is_software(self->programs) && picture->n_samples >= 8;
}

static float
count_looks(DebyeRenderer *self, const DebyePicture *picture)
{
  if (!debye_programs_is_software(self->programs))
    return 16.0f;
  return has_many_samples(self, picture) ? 5.0f : 10.0f;
}

static void
draw_occlusion(DebyeRenderer *self, const DebyeSample *sample)
{
  const DebyePicture *picture = sample->picture;
  gboolean tile = is_tile(picture) && self->overview.width > 0;
  debye_texture_bind(DEBYE_UNIT_DEPTH, self->opaque.depth);
  if (tile)
    debye_texture_bind(DEBYE_UNIT_OVERVIEW, self->overview.depth);
  debye_renderer_bind(&self->occlusion[0]);
  GLuint program = debye_programs_use(self->programs, "occlusion", tile ? "TILE" : NULL);
  double extent = debye_vec3_length(debye_vec3_subtract(picture->high, picture->low));
  /* Wide enough to darken a binding pocket, yet not the other side of a small molecule. */
  glUniform3f(glGetUniformLocation(program, "reach"), (float)CLAMP(0.08 * extent, 2.5, 8.0),
              count_looks(self, picture), (float)(0.25 * picture->height * sample->detail.factor));
  glUniform4f(glGetUniformLocation(program, "whole"), (float)picture->left, (float)picture->bottom,
              (float)self->overview.width / (float)picture->width,
              (float)self->overview.height / (float)picture->height);
  if (sample->blocks != NULL) {
    /* Smoothing looks a little beyond the blocks. */
    glClearColor(1.0f, 1.0f, 1.0f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
  }
  fill_rows(self, sample, &self->occlusion[0]);
}

static void
smooth_occlusion(DebyeRenderer *self, const DebyeSample *sample)
{
  debye_renderer_bind(&self->occlusion[1]);
  debye_programs_use(self->programs, "occlusion",
                     has_many_samples(self, sample->picture) ? "SMOOTH NARROW" : "SMOOTH");
  debye_texture_bind(DEBYE_UNIT_DEPTH, self->opaque.depth);
  debye_texture_bind(DEBYE_UNIT_IMAGE, self->occlusion[0].color);
  fill_rows(self, sample, &self->occlusion[1]);
}

/* --- Shadows --- */

static void
draw_from_light(DebyeRenderer *self, const DebyeSample *sample)
{
  DebyeSample seen;
  debye_renderer_look_from_light(sample, &seen);
  debye_renderer_draw_opaque(self, &seen, &self->from_light);
}

static void
draw_shadow(DebyeRenderer *self, const DebyeSample *sample)
{
  debye_renderer_bind(&self->shade);
  GLuint program = debye_programs_use(self->programs, "occlusion", "SHADOW");
  debye_texture_bind(DEBYE_UNIT_DEPTH, self->opaque.depth);
  debye_texture_bind(DEBYE_UNIT_OVERVIEW, self->from_light.depth);
  glUniform4f(glGetUniformLocation(program, "whole"), (float)sample->picture->left,
              (float)sample->picture->bottom, 0.0f, 0.0f);
  fill_rows(self, sample, &self->shade);
}

/* --- Transparent things --- */

/* The depth of opaque things, in front of which a layer lies; before the first one, nothing is there yet. */
static void
begin_layer(DebyeRenderer *self, const DebyeTarget *target, int number)
{
  glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
  if (number == 0) {
    debye_renderer_bind(&self->transparent);
    glClear(GL_COLOR_BUFFER_BIT);
  }
  glBindFramebuffer(GL_READ_FRAMEBUFFER, self->opaque.framebuffer);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target->framebuffer);
  glBlitFramebuffer(0, 0, target->width, target->height, 0, 0, target->width, target->height,
                    GL_DEPTH_BUFFER_BIT, GL_NEAREST);
  debye_renderer_bind(target);
  glClear(GL_COLOR_BUFFER_BIT);
}

/* What is nearer than all taken so far, and before the opaque things. FALSE where nothing is left. */
static gboolean
draw_layer(DebyeRenderer *self, DebyeSample *sample, int number)
{
  const DebyeTarget *target = &self->layers[number & 1];
  sample->block.look[2] = number > 0 ? 1.0f : 0.0f;
  upload_view(self, &sample->block);
  if (sample->context.share.from <= 0.0)
    begin_layer(self, target, number);
  sample->context.options = "PEEL";
  debye_renderer_bind(target);
  debye_texture_bind(DEBYE_UNIT_PEELED, self->layers[!(number & 1)].depth);
  glEnable(GL_DEPTH_TEST);
  glBeginQuery(GL_ANY_SAMPLES_PASSED, self->query);
  draw_layers(self, sample, DEBYE_PASS_TRANSPARENT, number);
  glEndQuery(GL_ANY_SAMPLES_PASSED);
  glDisable(GL_DEPTH_TEST);
  GLuint passed = 0;
  glGetQueryObjectuiv(self->query, GL_QUERY_RESULT, &passed);
  return passed != 0;
}

/* Nothing is drawn but into the fragments that are kept. */
static void
draw_nearest(DebyeRenderer *self, DebyeSample *sample)
{
  sample->block.look[2] = (float)sample->detail.n_layers;
  upload_view(self, &sample->block);
  if (sample->context.share.from <= 0.0 && !sample->only_found)
    debye_nearest_begin(&self->nearest);
  sample->context.options = "PEEL NEAREST";
  debye_renderer_bind(&self->transparent);
  debye_texture_bind(DEBYE_UNIT_PEELED, self->opaque.depth);
  /* Layers that are drawn for the first time make their textures in the unit that is active. */
  glActiveTexture(GL_TEXTURE0);
  debye_nearest_bind(&self->nearest);
  glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
  draw_layers(self, sample, DEBYE_PASS_TRANSPARENT, 0);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

void
debye_renderer_add_nearest(DebyeRenderer *self, DebyeSample *sample)
{
  sample->only_found = TRUE;
  draw_nearest(self, sample);
  sample->only_found = FALSE;
}

void
debye_renderer_lay_nearest(DebyeRenderer *self)
{
  debye_renderer_bind(&self->transparent);
  debye_programs_use(self->programs, "nearest", "NEAREST");
  debye_nearest_bind(&self->nearest);
  debye_renderer_fill(self);
}

void
debye_renderer_add_layer(DebyeRenderer *self, int layer)
{
  debye_renderer_bind(&self->transparent);
  debye_texture_bind(DEBYE_UNIT_IMAGE, self->layers[layer & 1].color);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFunc(GL_ONE_MINUS_DST_ALPHA, GL_ONE);
  debye_programs_use(self->programs, "copy", NULL);
  debye_renderer_fill(self);
  glDisable(GL_BLEND);
}

/* --- All of it --- */

/* The background, which every sample has where nothing is; the others' mean with it is itself. */
static void
lay_sheet(const float *background)
{
  glClearColor(background[0] * background[3], background[1] * background[3], background[2] * background[3],
               background[3]);
  glClear(GL_COLOR_BUFFER_BIT);
}

/* Adds the sample to the mean of those before it. */
static void
compose(DebyeRenderer *self, DebyeSample *sample)
{
  if (sample->transparent)
    sample->blocks = NULL;
  const DebyeLook *look = sample->picture->look;
  const float *background = look->background;
  float brightness = 0.3f * background[0] + 0.6f * background[1] + 0.1f * background[2];
  float shade = brightness > 0.5f ? 0.05f : 0.0f;
  debye_renderer_bind(sample->result);
  if (sample->blocks != NULL && sample->number == 0)
    lay_sheet(background);
  GLuint program = debye_programs_use(self->programs, "compose", sample->shadow ? "SHADOW" : NULL);
  glUniform4f(glGetUniformLocation(program, "outline"), shade, shade, shade, look->outline);
  glUniform1f(glGetUniformLocation(program, "coverage"), background[3]);
  debye_texture_bind(DEBYE_UNIT_IMAGE, self->opaque.color);
  debye_texture_bind(DEBYE_UNIT_DEPTH, self->opaque.depth);
  debye_texture_bind(DEBYE_UNIT_OCCLUSION, self->occlusion[1].color);
  if (sample->shadow)
    debye_texture_bind(DEBYE_UNIT_OVERVIEW, self->shade.color);
  debye_texture_bind(DEBYE_UNIT_TRANSPARENT,
                     sample->transparent ? self->transparent.color : self->nothing.color);
  if (sample->number > 0) {
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendColor(0.0f, 0.0f, 0.0f, 1.0f / (float)(sample->number + 1));
    glBlendFunc(GL_CONSTANT_ALPHA, GL_ONE_MINUS_CONSTANT_ALPHA);
  }
  fill_rows(self, sample, sample->result);
  glDisable(GL_BLEND);
}

gboolean
debye_renderer_draw_step(DebyeRenderer *self, DebyeSample *sample, DebyeStep step, int layer,
                         DebyeShare share)
{
  sample->context.share = share;
  if (step == DEBYE_STEP_LAYER && sample->nearest) {
    draw_nearest(self, sample);
    return TRUE;
  }
  if (step == DEBYE_STEP_LAYER)
    return draw_layer(self, sample, layer);
  if (step == DEBYE_STEP_OPAQUE) {
    debye_renderer_draw_opaque(self, sample, &self->opaque);
    return TRUE;
  }
  if (step == DEBYE_STEP_LIGHT) {
    draw_from_light(self, sample);
    return TRUE;
  }
  upload_view(self, &sample->block);
  if (step == DEBYE_STEP_SHADOW)
    draw_shadow(self, sample);
  else if (step == DEBYE_STEP_OCCLUSION)
    draw_occlusion(self, sample);
  else if (step == DEBYE_STEP_SMOOTHING)
    smooth_occlusion(self, sample);
  else
    compose(self, sample);
  return TRUE;
}
