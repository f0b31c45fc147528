/* SPDX-License-Identifier: MIT */
/* Draws chunks of atoms for molecule_layer.c: those out of sight are left out, the nearest come first, and
 * each is drawn in the cheapest way that looks the same: a disc where an atom is a pixel or two, a point
 * where it is small, a quad where it is large. */
#include "molecule_gl.h"

#include <string.h>

#include "data/work/parts.h"
#include "render/gl/gl_buffer.h"
#include "render/gl/gl_target.h"

#define ROW 2048          /* atoms in a row of the textures: shaders know it */
#define RADIUS_STEP 0.02f /* of the byte in `styles` */
#define FLAT_PIXELS 0.8f  /* radius up to which a disc is as good as a sphere */
#define ATOMS_WORTH_STAGING 200000

typedef struct {
  GLuint array, buffer;
  gsize n;
} Stream;

struct _DebyeMoleculeGl {
  GLuint positions, styles;
  gsize positions_room, styles_room; /* rows */
  GLuint staging;
  gsize staging_size;
  Stream points, quads, bonds; /* points and quads share a buffer */
  float largest_point, largest_radius;
};

typedef enum { DRAW_NOTHING, DRAW_FLAT, DRAW_POINTS, DRAW_QUADS } DrawMode;

typedef struct {
  const DebyeAtomChunk *chunk;
  float distance;
  DrawMode mode;
} SeenChunk;

DebyeMoleculeGl *
debye_molecule_gl_new(void)
{
  DebyeMoleculeGl *gl = g_new0(DebyeMoleculeGl, 1);
  GLfloat range[2] = {1.0f, 1.0f};
  glGetFloatv(GL_ALIASED_POINT_SIZE_RANGE, range);
  gl->largest_point = range[1];
  glGenVertexArrays(1, &gl->points.array);
  glGenVertexArrays(1, &gl->quads.array);
  glGenVertexArrays(1, &gl->bonds.array);
  glGenBuffers(1, &gl->points.buffer);
  glGenBuffers(1, &gl->bonds.buffer);
  return gl;
}

void
debye_molecule_gl_free(DebyeMoleculeGl *gl, gboolean context_lost)
{
  if (!gl)
    return;
  if (!context_lost) {
    GLuint arrays[] = {gl->points.array, gl->quads.array, gl->bonds.array};
    GLuint buffers[] = {gl->points.buffer, gl->bonds.buffer, gl->staging};
    GLuint textures[] = {gl->positions, gl->styles};
    glDeleteVertexArrays(G_N_ELEMENTS(arrays), arrays);
    glDeleteBuffers(G_N_ELEMENTS(buffers), buffers);
    glDeleteTextures(G_N_ELEMENTS(textures), textures);
  }
  g_free(gl);
}

/* --- Upload --- */

static GLuint
make_array_texture(void)
{
  GLuint texture;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, 0);
  return texture;
}

/* `column`: an address, or a place in the buffer that is bound for unpacking. */
static void
upload_column(int layer, guintptr column, gsize n)
{
  gsize rows = n / ROW, rest = n % ROW;
  if (rows)
    glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, layer, ROW, (GLsizei)rows, 1, GL_RED, GL_FLOAT,
                    (const void *)column);
  if (rest)
    glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, (GLint)rows, layer, (GLsizei)rest, 1, 1, GL_RED, GL_FLOAT,
                    (const void *)(column + rows * ROW * sizeof(float)));
}

/* Into memory that the device reads by itself. */
static void
fill_staging(DebyeMoleculeGl *gl, const DebyeFrame *frame)
{
  const gsize size = frame->n_atoms * sizeof(float);
  const DebyeBufferPiece columns[3] = {{frame->x, size}, {frame->y, size}, {frame->z, size}};
  if (!gl->staging)
    glGenBuffers(1, &gl->staging);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, gl->staging);
  debye_buffer_fill(GL_PIXEL_UNPACK_BUFFER, columns, 3, GL_STREAM_DRAW, &gl->staging_size);
}

void
debye_molecule_gl_set_positions(DebyeMoleculeGl *gl, const DebyeFrame *frame)
{
  const gsize n = frame->n_atoms, rows = MAX((n + ROW - 1) / ROW, 1);
  glActiveTexture(GL_TEXTURE0 + DEBYE_UNIT_POSITIONS);
  if (!gl->positions)
    gl->positions = make_array_texture();
  glBindTexture(GL_TEXTURE_2D_ARRAY, gl->positions);
  if (gl->positions_room != rows)
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_R32F, ROW, (GLsizei)rows, 3, 0, GL_RED, GL_FLOAT, NULL);
  gl->positions_room = rows;
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  const float *columns[3] = {frame->x, frame->y, frame->z};
  const gboolean staged = n >= ATOMS_WORTH_STAGING;
  if (staged)
    fill_staging(gl, frame);
  else
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  for (int axis = 0; axis < 3; axis++)
    upload_column(axis, staged ? (gsize)axis * n * sizeof(float) : (guintptr)columns[axis], n);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
}

void
debye_molecule_gl_set_styles(DebyeMoleculeGl *gl, const guint8 *styles, gsize n_atoms)
{
  gsize rows = n_atoms / ROW, rest = n_atoms % ROW;
  guint8 largest = 0;
  for (gsize i = 0; i < n_atoms; i++)
    largest = MAX(largest, styles[4 * i + 3]);
  gl->largest_radius = (float)largest * RADIUS_STEP;
  if (!gl->styles)
    gl->styles = debye_texture_new(GL_NEAREST);
  debye_texture_bind(DEBYE_UNIT_STYLES, gl->styles);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  if (gl->styles_room != rows + 1)
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, ROW, (GLsizei)rows + 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
  gl->styles_room = rows + 1;
  if (rows)
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, ROW, (GLsizei)rows, GL_RGBA, GL_UNSIGNED_BYTE, styles);
  if (rest)
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, (GLint)rows, (GLsizei)rest, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                    styles + 4 * rows * ROW);
}

static void
fill_buffer(GLuint buffer, gconstpointer data, gsize n_bytes)
{
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  debye_buffer_fill(GL_ARRAY_BUFFER, &(DebyeBufferPiece){data, n_bytes}, 1, GL_STATIC_DRAW, NULL);
}

/* Attribute 0 is the only one: `atom`, or `bond`. */
void
debye_molecule_gl_set_atoms(DebyeMoleculeGl *gl, const guint32 *atoms, gsize n_atoms)
{
  glBindVertexArray(gl->points.array);
  fill_buffer(gl->points.buffer, atoms, n_atoms * sizeof *atoms);
  glEnableVertexAttribArray(0);
  glVertexAttribIPointer(0, 1, GL_UNSIGNED_INT, 0, NULL);
  glBindVertexArray(gl->quads.array);
  glEnableVertexAttribArray(0);
  glVertexAttribDivisor(0, 1);
  gl->points.n = n_atoms;
}

void
debye_molecule_gl_set_bonds(DebyeMoleculeGl *gl, const DebyeBond *bonds, gsize n_bonds)
{
  glBindVertexArray(gl->bonds.array);
  fill_buffer(gl->bonds.buffer, bonds, n_bonds * sizeof *bonds);
  glEnableVertexAttribArray(0);
  glVertexAttribIPointer(0, 2, GL_UNSIGNED_INT, 0, NULL);
  glVertexAttribDivisor(0, 1);
  gl->bonds.n = n_bonds;
}

/* --- What is seen --- */

/* Where a box stands in the view: outside one side of it, inside all sides, or between. */
static DrawMode
look_at_box(const DebyeDrawContext *context, mat4 whole, const float low[3], const float high[3],
            float margin)
{
  int outside[5] = {0}, inside = 0;
  for (int corner = 0; corner < 8; corner++) {
    vec4 p = {corner & 1 ? high[0] + margin : low[0] - margin,
              corner & 2 ? high[1] + margin : low[1] - margin,
              corner & 4 ? high[2] + margin : low[2] - margin, 1.0f};
    glm_mat4_mulv(whole, p, p);
    gboolean beyond[5] = {p[0]<-p[3], p[0]> p[3], p[1]<-p[3], p[1]> p[3],
                          !context->orthographic && p[2] < -p[3]};
    int sides = 0;
    for (int side = 0; side < 5; side++) {
      outside[side] += beyond[side];
      sides += beyond[side];
    }
    inside += sides == 0;
  }
  for (int side = 0; side < 5; side++)
    if (outside[side] == 8)
      return DRAW_NOTHING;
  return inside == 8 ? DRAW_POINTS : DRAW_QUADS;
}

static void
look_at_chunk(const DebyeMoleculeGl *gl, const DebyeDrawContext *context, mat4 whole, float radius,
              SeenChunk *seen)
{
  const DebyeAtomChunk *chunk = seen->chunk;
  float half = 0.0f;
  vec3 middle;
  for (int axis = 0; axis < 3; axis++) {
    middle[axis] = 0.5f * (chunk->low[axis] + chunk->high[axis]);
    half += 0.25f * (chunk->high[axis] - chunk->low[axis]) * (chunk->high[axis] - chunk->low[axis]);
  }
  glm_mat4_mulv3((vec4 *)context->view, middle, 1.0f, middle);
  seen->distance = context->orthographic ? -middle[2] : glm_vec3_norm(middle);
  seen->mode = look_at_box(context, whole, chunk->low, chunk->high, radius);
  if (seen->mode == DRAW_NOTHING)
    return;
  /* The largest an atom of it can be on the screen. */
  float nearest = context->orthographic ? 1.0f : seen->distance - sqrtf(half) - 2.0f * radius;
  float pixels = nearest > 0.0f ? context->pixels_per_angstrom * radius / nearest : INFINITY;
  if (pixels <= FLAT_PIXELS)
    seen->mode = DRAW_FLAT;
  else if (!(2.2f * pixels + 2.0f <= gl->largest_point))
    seen->mode = DRAW_QUADS;
}

static int
compare_distance(gconstpointer a, gconstpointer b)
{
  const SeenChunk *s = a, *t = b;
  return (s->distance > t->distance) - (s->distance < t->distance);
}

static SeenChunk *
look_at_chunks(const DebyeMoleculeGl *gl, const DebyeDrawContext *context, const DebyeAtomOrder *order,
               const DebyeMoleculeShape *shape)
{
  SeenChunk *seen = g_new(SeenChunk, order->n_chunks + 1);
  float radius = shape->sphere_scale * gl->largest_radius + shape->sphere_offset;
  mat4 whole;
  glm_mat4_mul((vec4 *)context->projection, (vec4 *)context->view, whole);
  const DebyeBoxes boxes = {order->chunks->low, sizeof *order->chunks, order->n_chunks, radius, 0.0f};
  const guint8 *wanted = context->seen != NULL ? debye_seen_blocks_ask(context->seen, &boxes, whole) : NULL;
  for (gsize i = 0; i < order->n_chunks; i++) {
    seen[i] = (SeenChunk){.chunk = &order->chunks[i], .mode = DRAW_NOTHING};
    if (wanted == NULL || wanted[i])
      look_at_chunk(gl, context, whole, radius, &seen[i]);
  }
  qsort(seen, order->n_chunks, sizeof *seen, compare_distance);
  return seen;
}

/* --- Drawing --- */

static void
use_program(const DebyeDrawContext *context, const char *name, const char *variant, const float size[4])
{
  g_autofree char *options = g_strjoin(" ", variant, context->options, NULL);
  GLuint program = debye_programs_use(context->programs, name, options);
  glUniform4fv(glGetUniformLocation(program, "size"), 1, size);
}

static void
draw_chunk(const SeenChunk *seen, DebyeShare share)
{
  gsize first = seen->chunk->first + debye_share_first(share, seen->chunk->count);
  gsize count = debye_share_count(share, seen->chunk->count);
  if (seen->mode == DRAW_QUADS) {
    glVertexAttribIPointer(0, 1, GL_UNSIGNED_INT, 0, (const char *)NULL + first * sizeof(guint32));
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)count);
  } else {
    glDrawArrays(GL_POINTS, (GLint)first, (GLsizei)count);
  }
}

static void
draw_spheres(const DebyeMoleculeGl *gl, const DebyeDrawContext *context, const DebyeAtomOrder *order,
             const DebyeMoleculeShape *shape)
{
  static const char *const variants[] = {NULL, "FLAT", "POINTS", "QUADS"};
  const float size[4] = {shape->sphere_scale, shape->sphere_offset, shape->opacity, 0.0f};
  g_autofree SeenChunk *seen = look_at_chunks(gl, context, order, shape);
  DrawMode mode = DRAW_NOTHING;
  glBindBuffer(GL_ARRAY_BUFFER, gl->points.buffer);
  for (gsize i = 0; i < order->n_chunks; i++) {
    if (seen[i].mode == DRAW_NOTHING)
      continue;
    if (seen[i].mode != mode) {
      mode = seen[i].mode;
      use_program(context, "sphere", variants[mode], size);
      glBindVertexArray(mode == DRAW_QUADS ? gl->quads.array : gl->points.array);
    }
    draw_chunk(&seen[i], context->share);
  }
}

static void
draw_bond_run(gsize first, gsize n)
{
  glVertexAttribIPointer(0, 2, GL_UNSIGNED_INT, 0, (const char *)NULL + first * sizeof(DebyeBond));
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)n);
}

static const guint8 *
ask_for_bonds(const DebyeMoleculeGl *gl, const DebyeDrawContext *context, const DebyeMoleculeShape *shape)
{
  if (context->seen == NULL || shape->bond_boxes == NULL)
    return NULL;
  mat4 whole;
  glm_mat4_mul((vec4 *)context->projection, (vec4 *)context->view, whole);
  const DebyeBoxes boxes = {shape->bond_boxes, 6 * sizeof(float),
                            (gl->bonds.n + DEBYE_BONDS_A_BOX - 1) / DEBYE_BONDS_A_BOX, shape->bond_radius,
                            shape->line_width * context->scale};
  return debye_seen_blocks_ask(context->seen, &boxes, whole);
}

/* Runs of boxes that are wanted. */
static void
draw_wanted_bonds(const guint8 *wanted, gsize n_bonds)
{
  for (gsize first = 0; first < n_bonds;) {
    gsize end = first;
    while (end < n_bonds && wanted[end / DEBYE_BONDS_A_BOX])
      end += DEBYE_BONDS_A_BOX;
    if (end > first)
      draw_bond_run(first, MIN(end, n_bonds) - first);
    first = end + DEBYE_BONDS_A_BOX;
  }
}

static void
draw_bonds(const DebyeMoleculeGl *gl, const DebyeDrawContext *context, const DebyeMoleculeShape *shape)
{
  const guint8 *wanted = ask_for_bonds(gl, context, shape);
  gboolean lines = shape->line_width > 0.0f;
  const float size[4] = {lines ? shape->line_width * context->scale : shape->bond_radius, shape->longest_bond,
                         shape->opacity, 1.0f};
  use_program(context, lines ? "line" : "cylinder", lines ? "BONDS" : NULL, size);
  glBindVertexArray(gl->bonds.array);
  glBindBuffer(GL_ARRAY_BUFFER, gl->bonds.buffer);
  if (wanted != NULL)
    draw_wanted_bonds(wanted, gl->bonds.n);
  else
    draw_bond_run(debye_share_first(context->share, gl->bonds.n),
                  debye_share_count(context->share, gl->bonds.n));
}

void
debye_molecule_gl_draw(DebyeMoleculeGl *gl, const DebyeDrawContext *context, const DebyeAtomOrder *order,
                       const DebyeMoleculeShape *shape)
{
  glActiveTexture(GL_TEXTURE0 + DEBYE_UNIT_POSITIONS);
  glBindTexture(GL_TEXTURE_2D_ARRAY, gl->positions);
  debye_texture_bind(DEBYE_UNIT_STYLES, gl->styles);
  if (order->n_atoms && (shape->sphere_scale > 0.0f || shape->sphere_offset > 0.0f))
    draw_spheres(gl, context, order, shape);
  if (gl->bonds.n && (shape->bond_radius > 0.0f || shape->line_width > 0.0f))
    draw_bonds(gl, context, shape);
}
