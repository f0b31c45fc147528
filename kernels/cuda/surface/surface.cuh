/* SPDX-License-Identifier: MIT */
/* The surface of kernels/surface/surface.h on a GPU: found there from the atoms, arcs and points alike, for the equations that
 * need one on a grid of the device. Its twin are reduced_surface.c and surface.c, whose formulas it has, in double. */
#pragma once

#include "kernels/cuda/common/stream.cuh"
#include "kernels/surface/surface.h"

/* An exposed arc, with what finding its points needs: its circle, a ball that holds all of it, and the direction of its
 * middle with the cosine of the angle from there to its ends. */
struct DebyeCudaSurfaceArc {
  double3 center, u, v, ball;
  double radius, ball_radius;
  double along_u, along_v, cosine;
};

/* Of an atom that lies within another. */
#define DEBYE_SURFACE_WITHIN 2

/* As kernels are given it. Atoms are in the order of their bins. */
struct DebyeCudaSurface {
  const float4 *atoms; /* w: the radius */
  uint32_t n_atoms, n_arcs;
  const uint32_t *first_neighbor; /* by atom, and the end of the last */
  const uint32_t *neighbors;      /* whose expanded spheres meet the atom's, the nearest first */
  const uint8_t *is_exposed;      /* 1: some of its expanded sphere is; DEBYE_SURFACE_WITHIN */
  const DebyeCudaSurfaceArc *arcs;
  const double3 *vertices; /* both ends of each arc; NAN: a whole circle has none */
  double probe;
  double more; /* Å that a union's radii are larger */
  double largest_radius;
  double band; /* Å about the surface in which depths are found; 0, as made: the longest step */
  bool is_union;
};

/* Keeps what a surface is made in, which grows with the molecules. */
struct DebyeCudaSurfaceMaker {
  DebyeRoom atoms_on_host, begin_on_host; /* pinned */
  DebyeRoom atoms, begin, first_neighbor, neighbors, is_exposed, first_arc, found_arcs, arcs, vertices,
      scratch;
  uint32_t *found, *found_on_host; /* FOUND_… of surface_arcs.cu; the second is pinned */
};

#define DEBYE_SURFACE_N_FOUND 3

/* For a typical molecule of so many atoms. */
void debye_cuda_surface_list(DebyeCudaSurfaceMaker *maker, DebyePlanMemory *memory, uint64_t n_atoms);
/* Gives back what the device has of it; the next surface takes it again. */
void debye_cuda_surface_release(DebyeCudaSurfaceMaker *maker);
/* The surface is valid until the next is made. Spheres as debye_surface_check() has them. UNSUPPORTED where a circle has
 * too many arcs, NO_MEMORY. Waits for the stream. */
DebyeStatusCode debye_cuda_surface_make(DebyeCudaSurfaceMaker *maker, DebyeSurfaceKind kind,
                                        const DebyeSpheres *spheres, double probe, DebyeStream *stream,
                                        DebyeCudaSurface *surface, DebyeStatus *status);

/* What a feature is behind others that are as near: none of a union is. */
static __device__ __forceinline__ float
debye_surface_handicap(uint32_t feature)
{
  return feature == DEBYE_SURFACE_NOTHING ? 0.0f : (float)DEBYE_SURFACE_TIE * (float)(feature >> 30);
}

/* A DebyeSurfacePoint in 64 bits, so that the least of them is the one that stays: depths in the order of their bits,
 * with their handicaps, those of a union with the other sign, and the feature. */
static __device__ __forceinline__ unsigned long long
debye_surface_key(float depth, uint32_t feature, bool is_union)
{
  const uint32_t bits = __float_as_uint(is_union ? -depth : depth + debye_surface_handicap(feature));
  const uint32_t ordered = bits ^ ((bits & 0x80000000u) != 0 ? 0xffffffffu : 0x80000000u);
  return (unsigned long long)ordered << 32 | feature;
}

static __device__ __forceinline__ DebyeSurfacePoint
debye_surface_point(unsigned long long key, bool is_union)
{
  const uint32_t ordered = (uint32_t)(key >> 32);
  const uint32_t bits = ordered ^ ((ordered & 0x80000000u) != 0 ? 0x80000000u : 0xffffffffu);
  const float depth = __uint_as_float(bits);
  DebyeSurfacePoint point;
  point.feature = (uint32_t)key;
  point.depth = is_union ? -depth : depth - debye_surface_handicap(point.feature);
  return point;
}

/* All points of the grid, as debye_surface_find() does; features of circles are arcs here. */
void debye_cuda_surface_find(const DebyeCudaSurface *surface, const DebyeSurfaceGrid *grid,
                             unsigned long long *keys, DebyeStream *stream);
