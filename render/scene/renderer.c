/* SPDX-License-Identifier: MIT */
/* A picture is a mean of samples, each shifted by a part of a pixel: that antialiases impostors, their
 * intersections, the occlusion's noise and the outlines alike, on every GL, where multisampling would only
 * smooth triangles. A sample is drawn so: opaque things; occlusion from their depth; transparent things, in the right order
 * from every side; then all of it put together. Of transparent things one drawing keeps the nearest fragments of each pixel
 * (nearest_fragments.h); where the GL can't, they come front to back, a depth layer a pass (depth peeling, Everitt 2001), each
 * under the ones before. */
#include "renderer.h"

#include "data/files/error.h"
#include "renderer_private.h"

/* Layers of transparency; what lies behind them is lost, so few only where each is drawn by itself and takes tens of milliseconds. */
#define MAX_LAYERS 8
#define MAX_LAYERS_SOFTWARE 4
/* Of the coarse picture in which tiles look beyond their edges: occlusion is soft, so finer shows nothing. */
#define OVERVIEW_SIDE 2048

/* µs, of a piece of a still picture: with the window's own work a click is answered within 35 ms. */
#define PIECE_TIME 12000

static const DebyeShare whole = {0.0, 1.0};

DebyeRenderer *
debye_renderer_new(void)
{
  DebyeRenderer *self = g_new0(DebyeRenderer, 1);
  self->programs = debye_programs_new();
  for (int i = 0; i < 2; i++)
    self->seen[i] = debye_seen_blocks_new();
  return self;
}

void
debye_renderer_free(DebyeRenderer *self, gboolean context_lost)
{
  if (!self)
    return;
  DebyeTarget *targets[] = {&self->opaque,       &self->layers[0],    &self->layers[1], &self->transparent,
                            &self->occlusion[0], &self->occlusion[1], &self->sum,       &self->sketch[0],
                            &self->sketch[1],    &self->nothing,      &self->overview,  &self->from_light,
                            &self->shade,        &self->farthest};
  for (gsize i = 0; i < G_N_ELEMENTS(targets); i++)
    debye_target_clear(targets[i], context_lost);
  if (!context_lost && self->view_buffer) {
    glDeleteBuffers(1, &self->view_buffer);
    glDeleteVertexArrays(1, &self->empty_array);
    glDeleteQueries(1, &self->query);
  }
  debye_nearest_clear(&self->nearest, context_lost);
  debye_programs_free(self->programs, context_lost);
  debye_filled_blocks_clear(&self->blocks);
  debye_depth_levels_clear(&self->depths);
  for (int i = 0; i < 2; i++)
    debye_seen_blocks_free(self->seen[i]);
  g_free(self);
}

DebyePrograms *
debye_renderer_get_programs(DebyeRenderer *self)
{
  return self->programs;
}

/* --- Preparing --- */

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

static GLenum
fine_format(DebyeRenderer *self)
{
  return debye_programs_has_float_targets(self->programs) ? GL_RGBA16F : GL_RGBA8;
}

static gboolean
ensure_targets(DebyeRenderer *self, int width, int height, DebyeSample *sample)
{
  const gboolean occlusion = sample->detail.occlusion;
  GLenum fine = fine_format(self);
  gboolean done = ensure_objects(self) && debye_target_ensure(&self->opaque, width, height, GL_RGBA8, TRUE);
  if (occlusion)
    done = done && debye_target_ensure(&self->occlusion[0], width, height, GL_R8, FALSE) &&
           debye_target_ensure(&self->occlusion[1], width, height, GL_R8, FALSE);
  if (!sample->transparent) {
    debye_nearest_clear(&self->nearest, FALSE);
    return done;
  }
  sample->nearest = done && debye_nearest_ensure(&self->nearest, self->programs, width, height);
  if (!sample->nearest)
    done = done && debye_target_ensure(&self->layers[0], width, height, GL_RGBA8, TRUE) &&
           debye_target_ensure(&self->layers[1], width, height, GL_RGBA8, TRUE);
  return done && debye_target_ensure(&self->transparent, width, height, fine, FALSE);
}

static int
scale_side(int side, double factor)
{
  return MAX((int)(side * factor), 1);
}

static gboolean
ensure_shadow(DebyeRenderer *self, const DebyeSample *sample)
{
  const DebyePicture *picture = sample->picture;
  const int side = debye_renderer_get_shadow_side(picture);
  return debye_target_ensure(&self->from_light, side, side, GL_RGBA8, TRUE) &&
         debye_target_ensure(&self->shade, scale_side(picture->tile_width, sample->detail.factor),
                             scale_side(picture->tile_height, sample->detail.factor), GL_R8, FALSE);
}

/* What the layers and the shaders are told of the sample. */
static void
tell_sample(DebyeRenderer *self, DebyeSample *sample)
{
  const DebyePicture *picture = sample->picture;
  DebyeViewBlock *block = &sample->block;
  debye_renderer_make_view(sample->layers, picture, sample->detail.factor, sample->number, block);
  sample->context = (DebyeDrawContext){
      .width = (int)block->pixels[0],
      .height = (int)block->pixels[1],
      .scale = block->pixels[2],
      .coarse = sample->detail.coarse,
      .share = whole,
      .depth_cue = picture->look->depth_cue,
      .view_near = block->cue[0],
      .view_far = block->cue[1],
      .orthographic = !picture->camera->perspective,
      .pixels_per_angstrom = block->pixels[3],
      .programs = self->programs,
  };
  glm_mat4_copy(block->view, sample->context.view);
  glm_mat4_copy(block->projection, sample->context.projection);
  memcpy(sample->context.background, picture->look->background, sizeof sample->context.background);
  if (!sample->detail.occlusion)
    block->look[1] = 0.0f;
}

/* FALSE where this GL can't draw it. */
static gboolean
prepare(DebyeRenderer *self, DebyeSample *sample)
{
  const DebyePicture *picture = sample->picture;
  double factor = sample->detail.factor;
  debye_renderer_set_plain_state();
  sample->transparent = any_transparent(sample->layers);
  sample->shadow = sample->detail.occlusion && picture->look->shadow > 0.0f;
  sample->detail.occlusion = sample->detail.occlusion && picture->look->ambient_occlusion > 0.0f;
  if (debye_programs_get_error(self->programs) ||
      !ensure_targets(self, scale_side(picture->tile_width, factor), scale_side(picture->tile_height, factor),
                      sample) ||
      (sample->shadow && !ensure_shadow(self, sample)))
    return FALSE;
  if (sample->nearest && sample->result == &self->sum)
    sample->detail.n_layers = MAX_LAYERS;
  tell_sample(self, sample);
  return TRUE;
}

/* As fine as it gets. */
static DebyeSample
make_sample(DebyeRenderer *self, GListModel *layers, const DebyePicture *picture, int number)
{
  gboolean few = debye_programs_is_software(self->programs) && !picture->thorough;
  return (DebyeSample){
      .layers = layers,
      .picture = picture,
      .number = number,
      .detail = {.factor = 1.0, .occlusion = TRUE, .n_layers = few ? MAX_LAYERS_SOFTWARE : MAX_LAYERS},
      .result = &self->sum};
}

static gboolean
set_error(DebyeRenderer *self, const DebyePicture *picture, GError **error)
{
  const GError *cause = debye_programs_get_error(self->programs);
  if (error && cause)
    *error = g_error_copy(cause);
  else if (!cause)
    debye_error_set(error, DEBYE_ERROR_DEVICE, "OpenGL can't make a picture of %d × %d pixels to draw into",
                    picture->tile_width, picture->tile_height);
  return FALSE;
}

/* --- Samples --- */

static gboolean
is_needed(const DebyeSample *sample, DebyeStep step)
{
  if (step == DEBYE_STEP_LIGHT || step == DEBYE_STEP_SHADOW)
    return sample->shadow;
  if (step == DEBYE_STEP_OCCLUSION || step == DEBYE_STEP_SMOOTHING)
    return sample->detail.occlusion;
  return step != DEBYE_STEP_LAYER || sample->transparent;
}

/* From this step on, the first that is needed. */
static void
begin_step(DebyeRenderer *self, const DebyeSample *sample, DebyeStep step)
{
  while (step < DEBYE_N_STEPS && !is_needed(sample, step))
    step++;
  self->step = step;
  self->layer = 0;
  self->layer_seen = FALSE;
  if (step < DEBYE_N_STEPS)
    debye_portion_begin(&self->portions[step]);
}

/* Layers of transparency come until one has nothing. */
static void
end_step(DebyeRenderer *self, const DebyeSample *sample)
{
  gboolean layer = self->step == DEBYE_STEP_LAYER && self->layer_seen;
  int next = self->layer + 1;
  if (layer && sample->nearest)
    debye_renderer_lay_nearest(self);
  else if (layer)
    debye_renderer_add_layer(self, self->layer);
  layer = layer && !sample->nearest && next < sample->detail.n_layers;
  begin_step(self, sample, layer ? self->step : self->step + 1);
  if (layer && self->step == DEBYE_STEP_LAYER)
    self->layer = next;
}

static void
draw_share(DebyeRenderer *self, DebyeSample *sample, DebyeShare share)
{
  if (debye_renderer_draw_step(self, sample, self->step, self->layer, share))
    self->layer_seen = TRUE;
}

static void
draw_rest(DebyeRenderer *self, DebyeSample *sample)
{
  while (self->step < DEBYE_N_STEPS) {
    draw_share(self, sample, whole);
    end_step(self, sample);
  }
}

static void
draw_sample(DebyeRenderer *self, DebyeSample *sample)
{
  begin_step(self, sample, DEBYE_STEP_OPAQUE);
  draw_rest(self, sample);
}

/* Blocks that the samples before have not seen are left out where they are hidden in this one, too. */
static void
draw_seen(DebyeRenderer *self, DebyeSample *sample)
{
  const gboolean is_layer = self->step == DEBYE_STEP_LAYER;
  const DebyeTarget *target = is_layer ? &self->layers[self->layer & 1] : &self->opaque;
  draw_share(self, sample, whole);
  if (is_layer && sample->nearest) {
    if (debye_renderer_has_left_out(self, sample->seen[1], NULL))
      debye_renderer_add_nearest(self, sample);
    return;
  }
  if ((is_layer || self->step == DEBYE_STEP_OPAQUE) &&
      debye_renderer_has_left_out(self, sample->seen[is_layer], target) &&
      !debye_renderer_add_left_out(self, sample, target, &self->layer_seen))
    draw_share(self, sample, whole);
}

static void
begin_seen(DebyeRenderer *self, DebyeSample *sample)
{
  for (int i = 0; i < 2; i++) {
    sample->seen[i] = sample->picture->n_samples > 1 ? self->seen[i] : NULL;
    if (sample->number == 0)
      debye_seen_blocks_begin(self->seen[i], self->opaque.width, self->opaque.height);
  }
}

/* With processors that draw, the passes behind the opaque one come only where that has drawn anything. */
static void
draw_blocks(DebyeRenderer *self, DebyeSample *sample)
{
  begin_seen(self, sample);
  begin_step(self, sample, DEBYE_STEP_OPAQUE);
  draw_seen(self, sample);
  if (debye_programs_is_software(self->programs)) {
    if (sample->number == 0)
      debye_filled_blocks_begin(&self->blocks, self->opaque.width, self->opaque.height);
    debye_filled_blocks_add(&self->blocks, &self->opaque);
    sample->blocks = &self->blocks;
  }
  end_step(self, sample);
  while (self->step < DEBYE_N_STEPS) {
    draw_seen(self, sample);
    end_step(self, sample);
  }
}

/* One piece, and how long it took. */
static void
draw_piece_of_sample(DebyeRenderer *self, DebyeSample *sample)
{
  DebyePortion *portion = &self->portions[self->step];
  gint64 start = g_get_monotonic_time();
  draw_share(self, sample, debye_portion_next(portion));
  glFinish();
  if (debye_portion_tell(portion, g_get_monotonic_time() - start, PIECE_TIME))
    end_step(self, sample);
}

/* --- Pictures --- */

static void
put_picture(DebyeRenderer *self, const DebyeTarget *picture, gboolean smooth)
{
  debye_programs_use(self->programs, "copy", smooth ? "SMOOTH" : NULL);
  debye_texture_bind(DEBYE_UNIT_IMAGE, picture->color);
  debye_renderer_fill(self);
}

gboolean
debye_renderer_draw(DebyeRenderer *self, GListModel *layers, const DebyePicture *picture, GLuint target,
                    GError **error)
{
  const gboolean reads_depths = epoxy_is_desktop_gl();
  gboolean drawable =
      debye_target_ensure(&self->sum, picture->tile_width, picture->tile_height, fine_format(self), FALSE);
  for (int i = 0; drawable && i < picture->n_samples; i++) {
    DebyeSample sample = make_sample(self, layers, picture, i);
    drawable = prepare(self, &sample);
    if (drawable && reads_depths)
      draw_blocks(self, &sample);
    else if (drawable)
      draw_sample(self, &sample);
  }
  for (int i = 0; i < 2; i++)
    debye_seen_blocks_begin(self->seen[i], 0, 0);
  glBindFramebuffer(GL_FRAMEBUFFER, target);
  if (!drawable || debye_programs_get_error(self->programs))
    return set_error(self, picture, error);
  debye_renderer_show(self, picture, target, picture->n_samples);
  return TRUE;
}

gboolean
debye_renderer_sketch(DebyeRenderer *self, GListModel *layers, const DebyePicture *picture, GError **error)
{
  gint64 start = g_get_monotonic_time();
  DebyeSample sample = {.layers = layers,
                        .picture = picture,
                        .detail = debye_pace_get_detail(&self->pace),
                        .result = &self->sketch[0]};
  int width = scale_side(picture->tile_width, sample.detail.factor),
      height = scale_side(picture->tile_height, sample.detail.factor);
  gboolean drawable = prepare(self, &sample) &&
                      debye_target_ensure(&self->sketch[0], width, height, GL_RGBA8, FALSE) &&
                      debye_target_ensure(&self->sketch[1], width, height, GL_RGBA8, FALSE);
  if (drawable) {
    draw_sample(self, &sample);
    debye_renderer_bind(&self->sketch[1]);
    put_picture(self, &self->sketch[0], TRUE);
    glFinish();
    debye_pace_tell(&self->pace, g_get_monotonic_time() - start);
  }
  if (!drawable || debye_programs_get_error(self->programs))
    return set_error(self, picture, error);
  return TRUE;
}

void
debye_renderer_begin(DebyeRenderer *self)
{
  self->step = DEBYE_N_STEPS;
}

gboolean
debye_renderer_refine(DebyeRenderer *self, GListModel *layers, const DebyePicture *picture, int number,
                      gboolean *whole_sample, GError **error)
{
  gint64 end = g_get_monotonic_time() + PIECE_TIME / 2;
  DebyeSample sample = make_sample(self, layers, picture, number);
  *whole_sample = FALSE;
  if (!debye_target_ensure(&self->sum, picture->tile_width, picture->tile_height, fine_format(self), FALSE) ||
      !prepare(self, &sample))
    return set_error(self, picture, error);
  if (self->step == DEBYE_N_STEPS)
    begin_step(self, &sample, DEBYE_STEP_OPAQUE);
  do
    draw_piece_of_sample(self, &sample);
  while (self->step < DEBYE_N_STEPS && g_get_monotonic_time() < end);
  *whole_sample = self->step == DEBYE_N_STEPS;
  return debye_programs_get_error(self->programs) ? set_error(self, picture, error) : TRUE;
}

void
debye_renderer_show(DebyeRenderer *self, const DebyePicture *picture, GLuint target, int n_samples)
{
  debye_renderer_set_plain_state();
  glBindFramebuffer(GL_FRAMEBUFFER, target);
  glViewport(0, 0, picture->tile_width, picture->tile_height);
  put_picture(self, n_samples > 0 ? &self->sum : &self->sketch[1], n_samples == 1);
}

gboolean
debye_renderer_draw_overview(DebyeRenderer *self, GListModel *layers, const DebyePicture *picture)
{
  double factor = fmin(1.0, (double)OVERVIEW_SIDE / MAX(picture->width, picture->height));
  debye_renderer_set_plain_state();
  if (picture->look->ambient_occlusion <= 0.0f || debye_programs_get_error(self->programs))
    return TRUE;
  if (!ensure_objects(self) || !debye_target_ensure(&self->overview, scale_side(picture->width, factor),
                                                    scale_side(picture->height, factor), GL_RGBA8, TRUE))
    return FALSE;
  DebyePicture all = *picture;
  all.left = all.bottom = 0;
  all.tile_width = all.width;
  all.tile_height = all.height;
  DebyeSample sample = make_sample(self, layers, &all, 0);
  sample.detail.factor = factor;
  tell_sample(self, &sample);
  debye_renderer_draw_opaque(self, &sample, &self->overview);
  return TRUE;
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
