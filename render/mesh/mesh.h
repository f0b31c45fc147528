/* SPDX-License-Identifier: MIT */
/* Triangles: of an isosurface, a molecule's surface, a cartoon. */
#pragma once

#include "data/results/field.h"

/* Whose colours a vertex has besides those of its own atom, and how much of each. */
#define DEBYE_MESH_OTHERS 3
typedef struct {
  guint32 others[DEBYE_MESH_OTHERS];
  guint8 shares[1 + DEBYE_MESH_OTHERS]; /* first its own atom's; 255 together */
} DebyeMeshBlend;

typedef struct {
  gsize n_vertices, n_triangles;
  float *positions; /* 3 a vertex, Å */
  float *normals;   /* 3 a vertex, unit, outwards */
  guint32 *indices; /* 3 a triangle, counter-clockwise seen from outside */
  float *
      values; /* one a vertex, of a map that colours it; NULL: none. DEBYE_MESH_NO_VALUE: the map is not there
               */
  guint32 *atoms;         /* one a vertex: the atom that it belongs to; NULL: none */
  DebyeMeshBlend *blends; /* one a vertex; NULL: each has its own atom's colour alone */
  double
      usual_edge; /* about the length of its edges before it was refined, Å; 0: it can't be, see mesh_fine.h */
  gboolean is_refined;
  gsize n_coarse;
  guint32 *coarse; /* as `indices`: fewer triangles for a quick picture, see mesh_coarse.h; NULL: none */
} DebyeMesh;

/* Of threads that mesh: being woken would take the processor from the main thread, who wakes them. */
#define DEBYE_MESH_NICENESS 5

#define DEBYE_MESH_NO_VALUE 1e30f

void debye_mesh_free(DebyeMesh *mesh);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeMesh, debye_mesh_free)

/* Sets the values: those of the field `distance` (Å) outside each vertex, along its normal; trilinear, or smooth if
 * vertices are close together. */
void debye_mesh_sample(DebyeMesh *mesh, DebyeField *field, double distance);
/* Where the value of a vertex is that far outside it, for a point on the surface near that vertex. */
DebyeVec3 debye_mesh_point_outside(const DebyeMesh *mesh, gsize vertex, DebyeVec3 point, double distance);
/* Four bytes a vertex (red, green, blue, any) from those of atoms, mixed as light is; to be freed. Any
 * thread. */
guint8 *debye_mesh_mix_colors(const DebyeMesh *mesh, const guint8 *atom_colors);
/* FALSE with no vertex. */
gboolean debye_mesh_get_bounds(const DebyeMesh *mesh, DebyeVec3 *low, DebyeVec3 *high);
/* Raises the support of each direction to how far the vertices reach along it; of large meshes by all cores. */
void debye_mesh_extend_supports(const DebyeMesh *mesh, const DebyeVec3 *directions, gsize n_directions,
                                double *supports);
/* The first triangle along a ray (`direction` unit), its place as a distance below *depth, which it lowers,
 * and the vertex of it that is nearest to where it was hit. FALSE: none. */
gboolean debye_mesh_pick(const DebyeMesh *mesh, DebyeVec3 origin, DebyeVec3 direction, double *depth,
                         guint32 *vertex);

/* A mesh in the making, piece by piece. */
typedef struct {
  GArray *positions, *normals; /* (element-type float) */
  GArray *indices, *atoms;     /* (element-type guint32) */
} DebyeMeshBuilder;

void debye_mesh_builder_init(DebyeMeshBuilder *builder);
guint32 debye_mesh_builder_add_vertex(DebyeMeshBuilder *builder, DebyeVec3 position, DebyeVec3 normal,
                                      guint32 atom);
void debye_mesh_builder_add_triangle(DebyeMeshBuilder *builder, guint32 a, guint32 b, guint32 c);
/* A round rod with flat ends. */
void debye_mesh_builder_add_rod(DebyeMeshBuilder *builder, DebyeVec3 from, DebyeVec3 to, double radius,
                                int sides, guint32 atom);
/* Rods with gaps between them, about one a `period` (Å). */
void debye_mesh_builder_add_dashes(DebyeMeshBuilder *builder, DebyeVec3 from, DebyeVec3 to, double radius,
                                   double period, int sides, guint32 atom);
/* Rods around a place, across z. */
void debye_mesh_builder_add_ring(DebyeMeshBuilder *builder, DebyeVec3 middle, double radius, double thickness,
                                 int sides, guint32 atom);
/* Rods along its twelve edges. */
void debye_mesh_builder_add_cube(DebyeMeshBuilder *builder, DebyeVec3 low, double edge, double thickness,
                                 int sides, guint32 atom);
/* Faces of their own normals: eight triangles. */
void debye_mesh_builder_add_octahedron(DebyeMeshBuilder *builder, DebyeVec3 middle, double radius,
                                       guint32 atom);
/* The builder is empty afterwards. */
DebyeMesh *debye_mesh_builder_finish(DebyeMeshBuilder *builder);
