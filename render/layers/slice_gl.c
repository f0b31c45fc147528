/* SPDX-License-Identifier: MIT */
/* Draws a slice for slice_layer.c: one convex polygon whose colours are looked up in the fragment shader. */
#include "slice_gl.h"

#include "render/gl/gl_target.h"

struct _DebyeSliceGl {
  GLuint array, image, colors;
};

DebyeSliceGl *
debye_slice_gl_new(void)
{
  DebyeSliceGl *gl = g_new0(DebyeSliceGl, 1);
  glGenVertexArrays(1, &gl->array);
  gl->image = debye_texture_new(GL_NEAREST);
  gl->colors = debye_texture_new(GL_LINEAR);
  return gl;
}

void
debye_slice_gl_free(DebyeSliceGl *gl, gboolean context_lost)
{
  if (!gl)
    return;
  if (!context_lost) {
    glDeleteVertexArrays(1, &gl->array);
    glDeleteTextures(1, &gl->image);
    glDeleteTextures(1, &gl->colors);
  }
  g_free(gl);
}

void
debye_slice_gl_set_plane(DebyeSliceGl *gl, const DebyeSlicePlane *plane)
{
  debye_texture_bind(DEBYE_UNIT_IMAGE, gl->image);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, (GLsizei)plane->n_u, (GLsizei)plane->n_v, 0, GL_RED, GL_FLOAT,
               plane->values);
}

void
debye_slice_gl_set_colors(DebyeSliceGl *gl, const DebyeColorMap *map)
{
  debye_texture_bind(DEBYE_UNIT_COLOR_MAP, gl->colors);
  debye_color_map_upload(map);
}

static void
set_vector(GLuint program, const char *name, DebyeVec3 v)
{
  glUniform3f(glGetUniformLocation(program, name), (float)v.x, (float)v.y, (float)v.z);
}

void
debye_slice_gl_draw(DebyeSliceGl *gl, const DebyeDrawContext *context, const DebyeSlicePlane *plane,
                    const DebyeSliceShades *shades)
{
  if (context->share.from > 0.0)
    return;
  debye_texture_bind(DEBYE_UNIT_IMAGE, gl->image);
  debye_texture_bind(DEBYE_UNIT_COLOR_MAP, gl->colors);
  GLuint program = debye_programs_use(context->programs, "slice", context->options);
  glUniform4f(glGetUniformLocation(program, "limits"), (float)shades->minimum,
              (float)(1.0 / (shades->maximum - shades->minimum)), (float)shades->opacity,
              (float)shades->contour_step);
  set_vector(program, "corner", plane->corner);
  set_vector(program, "side_u", plane->side_u);
  set_vector(program, "side_v", plane->side_v);
  glUniform2fv(glGetUniformLocation(program, "corners"), (GLsizei)plane->n_corners, plane->corners[0]);
  glBindVertexArray(gl->array);
  glDrawArrays(GL_TRIANGLE_FAN, 0, (GLsizei)plane->n_corners);
}
