/* SPDX-License-Identifier: MIT */
/* A mesh in GL for mesh_layer.c. Vertices and what colours them are in separate buffers: colours change more
 * often than places. */
#include "mesh_gl.h"

#include "render/gl/gl_buffer.h"
#include "render/gl/gl_target.h"
#include "render/mesh/mesh_blocks.h"

#define TRIANGLE_BYTES (3 * sizeof(guint32))

enum { BUFFER_POSITIONS, BUFFER_NORMALS, BUFFER_INDICES, BUFFER_VALUES, BUFFER_COLORS, N_BUFFERS };

/* Where gl_program.c puts them. */
enum { ATTRIBUTE_POSITION, ATTRIBUTE_NORMAL, ATTRIBUTE_COLOR, ATTRIBUTE_VALUE };

struct _DebyeMeshGl {
  GLuint array, buffers[N_BUFFERS];
  GLuint color_map;
  const DebyeColorMap *map;                /* in the texture */
  gsize n_vertices, n_triangles, n_coarse; /* the coarse triangles' indices follow the others */
  gboolean has_values, has_colors;
  DebyeMeshBlocks *blocks; /* NULL: no mesh yet */
  gboolean sorted;         /* as a mesh that is drawn many times from one side is to be */
};

DebyeMeshGl *
debye_mesh_gl_new(void)
{
  DebyeMeshGl *gl = g_new0(DebyeMeshGl, 1);
  glGenVertexArrays(1, &gl->array);
  glGenBuffers(N_BUFFERS, gl->buffers);
  return gl;
}

void
debye_mesh_gl_free(DebyeMeshGl *gl, gboolean context_lost)
{
  if (!gl)
    return;
  if (!context_lost) {
    glDeleteVertexArrays(1, &gl->array);
    glDeleteBuffers(N_BUFFERS, gl->buffers);
    glDeleteTextures(1, &gl->color_map);
  }
  g_clear_pointer(&gl->blocks, debye_mesh_blocks_free);
  g_free(gl);
}

static void
fill_floats(DebyeMeshGl *gl, int buffer, GLuint attribute, const float *values, gsize n_components)
{
  const DebyeBufferPiece piece = {values, n_components * gl->n_vertices * sizeof(float)};
  glBindBuffer(GL_ARRAY_BUFFER, gl->buffers[buffer]);
  debye_buffer_fill(GL_ARRAY_BUFFER, &piece, 1, GL_STATIC_DRAW, NULL);
  glEnableVertexAttribArray(attribute);
  glVertexAttribPointer(attribute, (GLint)n_components, GL_FLOAT, GL_FALSE, 0, NULL);
}

static void
fill_indices(DebyeMeshGl *gl, const DebyeMesh *mesh, const guint32 *indices)
{
  const DebyeBufferPiece pieces[] = {{indices, mesh->n_triangles * TRIANGLE_BYTES},
                                     {mesh->coarse, mesh->n_coarse * TRIANGLE_BYTES}};
  gl->n_triangles = mesh->n_triangles;
  gl->n_coarse = mesh->n_coarse;
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, gl->buffers[BUFFER_INDICES]);
  debye_buffer_fill(GL_ELEMENT_ARRAY_BUFFER, pieces, mesh->n_coarse > 0 ? 2 : 1, GL_STATIC_DRAW, NULL);
}

/* Sorted, blocks are compact, so that more of them are hidden. */
static void
set_triangles(DebyeMeshGl *gl, const DebyeMesh *mesh, gboolean sorted)
{
  g_autofree guint32 *order = sorted ? debye_mesh_blocks_sort(mesh) : NULL;
  const guint32 *indices = order != NULL ? order : mesh->indices;
  fill_indices(gl, mesh, indices);
  g_clear_pointer(&gl->blocks, debye_mesh_blocks_free);
  gl->blocks = debye_mesh_blocks_new(mesh, indices);
  gl->sorted = sorted;
}

void
debye_mesh_gl_sort(DebyeMeshGl *gl, const DebyeMesh *mesh)
{
  if (gl->sorted)
    return;
  glBindVertexArray(gl->array);
  set_triangles(gl, mesh, TRUE);
}

void
debye_mesh_gl_set_mesh(DebyeMeshGl *gl, const DebyeMesh *mesh, gboolean sorted)
{
  gl->n_vertices = mesh->n_vertices;
  gl->has_values = mesh->values != NULL;
  gl->has_colors = FALSE;
  glBindVertexArray(gl->array);
  glDisableVertexAttribArray(ATTRIBUTE_COLOR);
  glDisableVertexAttribArray(ATTRIBUTE_VALUE);
  fill_floats(gl, BUFFER_POSITIONS, ATTRIBUTE_POSITION, mesh->positions, 3);
  fill_floats(gl, BUFFER_NORMALS, ATTRIBUTE_NORMAL, mesh->normals, 3);
  if (gl->has_values)
    fill_floats(gl, BUFFER_VALUES, ATTRIBUTE_VALUE, mesh->values, 1);
  set_triangles(gl, mesh, sorted);
}

void
debye_mesh_gl_set_colors(DebyeMeshGl *gl, const guint8 *colors)
{
  glBindVertexArray(gl->array);
  gl->has_colors = colors != NULL;
  if (!colors) {
    glDisableVertexAttribArray(ATTRIBUTE_COLOR);
    return;
  }
  glBindBuffer(GL_ARRAY_BUFFER, gl->buffers[BUFFER_COLORS]);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(4 * gl->n_vertices), colors, GL_STATIC_DRAW);
  glEnableVertexAttribArray(ATTRIBUTE_COLOR);
  glVertexAttribPointer(ATTRIBUTE_COLOR, 4, GL_UNSIGNED_BYTE, GL_TRUE, 0, NULL);
}

static void
bind_color_map(DebyeMeshGl *gl, const DebyeColorMap *map)
{
  if (!gl->color_map)
    gl->color_map = debye_texture_new(GL_LINEAR);
  debye_texture_bind(DEBYE_UNIT_COLOR_MAP, gl->color_map);
  if (gl->map != map)
    debye_color_map_upload(map);
  gl->map = map;
}

static void
draw_run(gsize first, gsize n)
{
  glDrawElements(GL_TRIANGLES, (GLsizei)(3 * n), GL_UNSIGNED_INT,
                 (const char *)NULL + first * TRIANGLE_BYTES);
}

/* A picture of a hundred tiles would otherwise draw all triangles a hundred times. */
static void
draw_seen(const DebyeMeshGl *gl, const DebyeDrawContext *context)
{
  gsize first = debye_share_first(context->share, gl->n_triangles), n;
  const gsize end = first + debye_share_count(context->share, gl->n_triangles);
  const guint8 *wanted = NULL;
  const float *boxes;
  mat4 to_clip;
  glm_mat4_mul((vec4 *)context->projection, (vec4 *)context->view, to_clip);
  if (context->seen != NULL) {
    const gsize n_blocks = debye_mesh_blocks_get_boxes(gl->blocks, &boxes);
    wanted = debye_seen_blocks_ask(context->seen,
                                   &(DebyeBoxes){boxes, 6 * sizeof(float), n_blocks, 0.0f, 0.0f}, to_clip);
  }
  for (; (n = debye_mesh_blocks_next(gl->blocks, to_clip, wanted, &first, end)) > 0; first += n)
    draw_run(first, n);
}

static void
draw_triangles(const DebyeMeshGl *gl, const DebyeDrawContext *context)
{
  glBindVertexArray(gl->array);
  if (!context->coarse || gl->n_coarse == 0)
    draw_seen(gl, context);
  else
    draw_run(gl->n_triangles + debye_share_first(context->share, gl->n_coarse),
             debye_share_count(context->share, gl->n_coarse));
}

void
debye_mesh_gl_draw(DebyeMeshGl *gl, const DebyeDrawContext *context, const DebyeMeshPaint *paint)
{
  if (gl->n_triangles == 0)
    return;
  const char *variant = paint->map && gl->has_values ? "VALUES" : gl->has_colors ? "COLORS" : NULL;
  g_autofree char *options = g_strjoin(" ", variant ? variant : "", context->options, NULL);
  GLuint program = debye_programs_use(context->programs, "mesh", options);
  glUniform4f(glGetUniformLocation(program, "paint"), paint->paint[0], paint->paint[1], paint->paint[2],
              paint->opacity);
  if (paint->map && gl->has_values) {
    glUniform2f(glGetUniformLocation(program, "limits"), (float)paint->minimum,
                (float)(1.0 / (paint->maximum - paint->minimum)));
    bind_color_map(gl, paint->map);
  }
  draw_triangles(gl, context);
}
