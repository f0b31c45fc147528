/* SPDX-License-Identifier: MIT */
/* A mesh in GL: one colour, a colour a vertex, or a map's value a vertex looked up in a colour map. */
#pragma once

#include "render/plot/color_map.h"
#include "layer.h"
#include "render/mesh/mesh.h"

typedef struct _DebyeMeshGl DebyeMeshGl;

/* How it is painted. */
typedef struct {
  float paint[3]; /* where there is neither colour nor value */
  float opacity;
  const DebyeColorMap *map; /* of the values; NULL: they are not shown */
  double minimum, maximum;
} DebyeMeshPaint;

DebyeMeshGl *debye_mesh_gl_new(void);
void debye_mesh_gl_free(DebyeMeshGl *gl, gboolean context_lost);

/* `sorted`: for pictures to keep, whose samples leave out what is hidden. */
void debye_mesh_gl_set_mesh(DebyeMeshGl *gl, const DebyeMesh *mesh, gboolean sorted);
/* The mesh that was set, sorted from now on. */
void debye_mesh_gl_sort(DebyeMeshGl *gl, const DebyeMesh *mesh);
/* Four bytes a vertex (red, green, blue, any) for the mesh set before; NULL: none. */
void debye_mesh_gl_set_colors(DebyeMeshGl *gl, const guint8 *colors);
void debye_mesh_gl_draw(DebyeMeshGl *gl, const DebyeDrawContext *context, const DebyeMeshPaint *paint);
