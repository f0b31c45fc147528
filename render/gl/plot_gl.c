/* SPDX-License-Identifier: MIT */
/* Draws plots in OpenGL for the plot's widget. Points are sent anew for each picture: there are few, since
 * the layout reduces curves to what can be seen. */
#include "plot_gl.h"

#include <math.h>

#include "gl_program.h"
#include "gl_target.h"
#include "plot_atlas.h"

typedef struct {
  GBytes *pixels;
  GLuint texture;
  guint age; /* drawings since it was last seen: a page and what is drawn over it are two */
} Picture;

#define OLDEST_PICTURE 8

struct _DebyePlotGl {
  DebyePrograms *programs;
  DebyePlotAtlas *atlas;
  GArray *pictures; /* Picture */
  GLuint vertex_array, buffer;
  GArray *values; /* float: what is in the buffer */
};

/* While a picture is drawn. */
typedef struct {
  DebyePlotGl *gl;
  const DebyePlotDrawing *drawing;
  int width, height;
  float pixels;
  gsize first; /* of the item's values in the buffer, in floats */
} Pass;

DebyePlotGl *
debye_plot_gl_new(void)
{
  DebyePlotGl *self = g_new0(DebyePlotGl, 1);
  self->programs = debye_programs_new();
  self->atlas = debye_plot_atlas_new();
  self->pictures = g_array_new(FALSE, FALSE, sizeof(Picture));
  self->values = g_array_new(FALSE, FALSE, sizeof(float));
  glGenVertexArrays(1, &self->vertex_array);
  glGenBuffers(1, &self->buffer);
  return self;
}

static void
forget_picture(DebyePlotGl *self, guint index, gboolean context_lost)
{
  Picture *picture = &g_array_index(self->pictures, Picture, index);
  if (!context_lost)
    glDeleteTextures(1, &picture->texture);
  g_bytes_unref(picture->pixels);
  g_array_remove_index_fast(self->pictures, index);
}

void
debye_plot_gl_free(DebyePlotGl *self, gboolean context_lost)
{
  if (self == NULL)
    return;
  while (self->pictures->len > 0)
    forget_picture(self, 0, context_lost);
  if (!context_lost) {
    glDeleteVertexArrays(1, &self->vertex_array);
    glDeleteBuffers(1, &self->buffer);
  }
  debye_plot_atlas_free(self->atlas, context_lost);
  debye_programs_free(self->programs, context_lost);
  g_array_unref(self->pictures);
  g_array_unref(self->values);
  g_free(self);
}

/* --- Programs --- */

static GLuint
use(const Pass *pass, const char *options, const DebyeDrawItem *item)
{
  GLuint program = debye_programs_use(pass->gl->programs, "plot", options);
  const DebyePlotColor *ink = &item->ink;
  glUniform4f(glGetUniformLocation(program, "page"), (float)pass->width, (float)pass->height, pass->pixels,
              0.0f);
  glUniform4f(glGetUniformLocation(program, "ink"), ink->red * ink->alpha, ink->green * ink->alpha,
              ink->blue * ink->alpha, ink->alpha);
  glUniform4f(glGetUniformLocation(program, "stroke"),
              pass->pixels * (item->kind == DEBYE_DRAW_MARKERS ? item->size : item->width),
              pass->pixels * item->dash, pass->pixels * item->gap, item->has_dots ? 1.0f : 0.0f);
  return program;
}

/* Attribute `index`: `size` floats from float `first` of the buffer on, the next instance `stride` later. */
static void
set_attribute(guint index, int size, gsize first, gsize stride)
{
  glEnableVertexAttribArray(index);
  glVertexAttribPointer(index, size, GL_FLOAT, GL_FALSE, (GLsizei)(stride * sizeof(float)),
                        (const void *)(first * sizeof(float)));
  glVertexAttribDivisor(index, 1);
}

static void
draw_instances(guint n_attributes, gsize n)
{
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)n);
  for (guint i = 0; i < n_attributes; i++)
    glDisableVertexAttribArray(i);
}

/* --- Items --- */

/* In the buffer a line has a break before and one behind: a piece looks at its neighbours. */
static void
draw_line(const Pass *pass, const DebyeDrawItem *item)
{
  gsize n_points = item->n_values / 3;
  if (n_points < 2)
    return;
  use(pass, "LINE", item);
  for (guint i = 0; i < 4; i++)
    set_attribute(i, 3, pass->first + 3 * i, 3);
  draw_instances(4, n_points - 1);
}

static void
draw_segments(const Pass *pass, const DebyeDrawItem *item)
{
  use(pass, "LINE BUTT", item);
  /* The same program: a segment's ends are the second and third of its four points. */
  glVertexAttrib3f(0, DEBYE_DRAW_BREAK, 0.0f, 0.0f);
  glVertexAttrib3f(3, DEBYE_DRAW_BREAK, 0.0f, 0.0f);
  set_attribute(1, 2, pass->first, 4);
  set_attribute(2, 2, pass->first + 2, 4);
  draw_instances(4, item->n_values / 4);
}

static void
draw_band(const Pass *pass, const DebyeDrawItem *item)
{
  gsize n_points = item->n_values / 3;
  if (n_points < 2)
    return;
  use(pass, "BAND", item);
  set_attribute(0, 3, pass->first, 3);
  set_attribute(1, 3, pass->first + 3, 3);
  draw_instances(2, n_points - 1);
}

static void
draw_markers(const Pass *pass, const DebyeDrawItem *item)
{
  gsize n_corners;
  const float(*corners)[2] = debye_plot_marker_get_corners(item->marker, &n_corners);
  GLuint program = use(pass, "MARKER", item);
  glUniform4i(glGetUniformLocation(program, "shape"), (int)n_corners, 0, 0, 0);
  if (n_corners > 0)
    glUniform2fv(glGetUniformLocation(program, "corners"), (GLsizei)n_corners, corners[0]);
  set_attribute(0, 2, pass->first, 2);
  draw_instances(1, item->n_values / 2);
}

static void
draw_flat(GLuint program, const float box[4], float left, float top)
{
  glUniform4fv(glGetUniformLocation(program, "box"), 1, box);
  glUniform4f(glGetUniformLocation(program, "part"), left, top, 0.0f, 0.0f);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static void
draw_rectangle(const Pass *pass, const DebyeDrawItem *item)
{
  const float box[] = {item->x * pass->pixels, item->y * pass->pixels, item->w * pass->pixels,
                       item->h * pass->pixels};
  draw_flat(use(pass, "FLAT RECTANGLE", item), box, 0.0f, 0.0f);
}

static GLuint
find_picture(DebyePlotGl *self, const DebyeDrawItem *item)
{
  for (guint i = 0; i < self->pictures->len; i++) {
    Picture *known = &g_array_index(self->pictures, Picture, i);
    if (known->pixels == item->pixels) {
      known->age = 0;
      return known->texture;
    }
  }
  glActiveTexture(GL_TEXTURE0 + DEBYE_UNIT_IMAGE);
  Picture picture = {g_bytes_ref(item->pixels), debye_texture_new(GL_NEAREST), 0};
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, item->columns, item->rows, 0, GL_RGBA, GL_UNSIGNED_BYTE,
               g_bytes_get_data(item->pixels, NULL));
  g_array_append_val(self->pictures, picture);
  return picture.texture;
}

static void
draw_image(const Pass *pass, const DebyeDrawItem *item)
{
  const float box[] = {item->x * pass->pixels, item->y * pass->pixels, item->w * pass->pixels,
                       item->h * pass->pixels};
  GLuint texture = find_picture(pass->gl, item);
  debye_texture_bind(DEBYE_UNIT_IMAGE, texture);
  draw_flat(use(pass, "FLAT PICTURE", item), box, (float)item->columns, (float)item->rows);
}

static void
draw_text(const Pass *pass, const DebyeDrawItem *item)
{
  const DebyePlotAtlasEntry *entry =
      debye_plot_atlas_find(pass->gl->atlas, item, (double)pass->pixels, DEBYE_UNIT_IMAGE);
  if (entry == NULL)
    return;
  float before = item->align * item->text_width;
  float x = roundf((item->x - (item->upwards ? 0.0f : before)) * pass->pixels);
  float y = roundf((item->y + (item->upwards ? before : 0.0f)) * pass->pixels);
  const float box[] = {x - (float)entry->origin_x, y - (float)entry->origin_y, (float)entry->width,
                       (float)entry->height};
  draw_flat(use(pass, "FLAT TEXT", item), box, (float)entry->x, (float)entry->y);
}

/* --- The picture --- */

static void
append_break(GArray *values)
{
  static const float breaking[] = {DEBYE_DRAW_BREAK, 0.0f, 0.0f};
  g_array_append_vals(values, breaking, G_N_ELEMENTS(breaking));
}

static void
send_values(DebyePlotGl *self, const DebyePlotDrawing *drawing)
{
  g_array_set_size(self->values, 0);
  for (guint i = 0; i < drawing->items->len; i++) {
    const DebyeDrawItem *item = debye_plot_drawing_get(drawing, i);
    if (item->n_values == 0)
      continue;
    if (item->kind == DEBYE_DRAW_LINE)
      append_break(self->values);
    g_array_append_vals(self->values, debye_plot_drawing_values(drawing, item), (guint)item->n_values);
    if (item->kind == DEBYE_DRAW_LINE)
      append_break(self->values);
  }
  glBindBuffer(GL_ARRAY_BUFFER, self->buffer);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(self->values->len * sizeof(float)), self->values->data,
               GL_STREAM_DRAW);
}

static void
set_clip(const Pass *pass, gboolean clipped)
{
  const DebyePlotDrawing *drawing = pass->drawing;
  double pixels = (double)pass->pixels;
  if (!clipped) {
    glDisable(GL_SCISSOR_TEST);
    return;
  }
  int left = (int)floor(drawing->clip_x * pixels), top = (int)floor(drawing->clip_y * pixels);
  int right = (int)ceil((drawing->clip_x + drawing->clip_width) * pixels);
  int bottom = (int)ceil((drawing->clip_y + drawing->clip_height) * pixels);
  glEnable(GL_SCISSOR_TEST);
  glScissor(left, pass->height - bottom, MAX(right - left, 0), MAX(bottom - top, 0));
}

static void
draw_item(const Pass *pass, const DebyeDrawItem *item)
{
  static void (*const drawers[])(const Pass *pass, const DebyeDrawItem *item) = {
      [DEBYE_DRAW_RECTANGLE] = draw_rectangle, [DEBYE_DRAW_LINE] = draw_line,
      [DEBYE_DRAW_SEGMENTS] = draw_segments,   [DEBYE_DRAW_BAND] = draw_band,
      [DEBYE_DRAW_MARKERS] = draw_markers,     [DEBYE_DRAW_IMAGE] = draw_image,
      [DEBYE_DRAW_TEXT] = draw_text,
  };
  set_clip(pass, item->clipped);
  drawers[item->kind](pass, item);
}

/* All of it: what drew before leaves whatever state it likes. */
static void
set_state(int width, int height)
{
  glViewport(0, 0, width, height);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_STENCIL_TEST);
  glDisable(GL_CULL_FACE);
  glDepthMask(GL_FALSE);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

static void
draw_items(Pass *pass)
{
  for (guint i = 0; i < pass->drawing->items->len; i++) {
    const DebyeDrawItem *item = debye_plot_drawing_get(pass->drawing, i);
    gboolean has_points =
        item->kind != DEBYE_DRAW_RECTANGLE && item->kind != DEBYE_DRAW_IMAGE && item->kind != DEBYE_DRAW_TEXT;
    if (has_points && item->n_values == 0)
      continue;
    draw_item(pass, item);
    if (item->n_values > 0)
      pass->first += item->n_values + (item->kind == DEBYE_DRAW_LINE ? 6 : 0);
  }
}

gboolean
debye_plot_gl_draw(DebyePlotGl *self, const DebyePlotDrawing *drawing, int width, int height, GError **error)
{
  Pass pass = {self, drawing, width, height, (float)drawing->pixels_per_point, 0};
  for (guint i = 0; i < self->pictures->len; i++)
    g_array_index(self->pictures, Picture, i).age++;
  set_state(width, height);
  glBindVertexArray(self->vertex_array);
  send_values(self, drawing);
  draw_items(&pass);
  for (guint i = self->pictures->len; i-- > 0;)
    if (g_array_index(self->pictures, Picture, i).age > OLDEST_PICTURE)
      forget_picture(self, i, FALSE);
  glDisable(GL_SCISSOR_TEST);
  glBindVertexArray(0);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  const GError *problem = debye_programs_get_error(self->programs);
  if (problem != NULL)
    g_propagate_error(error, g_error_copy(problem));
  return problem == NULL;
}
