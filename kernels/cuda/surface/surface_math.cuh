/* SPDX-License-Identifier: MIT */
/* Positions and depths for the kernels of surface.cuh, in double precision. */
#pragma once

#include "surface.cuh"

static __device__ __forceinline__ double3
operator-(double3 a, double3 b)
{
  return make_double3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static __device__ __forceinline__ double3
operator+(double3 a, double3 b)
{
  return make_double3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static __device__ __forceinline__ double3
operator*(double s, double3 a)
{
  return make_double3(s * a.x, s * a.y, s * a.z);
}

static __device__ __forceinline__ double
dot(double3 a, double3 b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static __device__ __forceinline__ double3
center_of(float4 atom)
{
  return make_double3((double)atom.x, (double)atom.y, (double)atom.z);
}

static __device__ __forceinline__ double3
point_at(const DebyeSurfaceGrid &grid, int x, int y, int z)
{
  return make_double3(grid.origin.x + x * grid.step[0], grid.origin.y + y * grid.step[1],
                      grid.origin.z + z * grid.step[2]);
}

/* Of a place, from the circle's center. */
static __device__ __forceinline__ double
distance_to_circle(const DebyeCudaSurfaceArc &arc, double3 offset, double *along_u, double *along_v)
{
  *along_u = dot(offset, arc.u);
  *along_v = dot(offset, arc.v);
  const double across2 = *along_u * *along_u + *along_v * *along_v;
  const double above2 = fmax(0.0, dot(offset, offset) - across2), across = sqrt(across2) - arc.radius;
  return sqrt(across * across + above2);
}

/* As depth_by() of surface.c. */
static __device__ double
depth_by(const DebyeCudaSurface &surface, uint32_t feature, double3 at)
{
  const uint32_t number = feature & ~(DEBYE_SURFACE_CIRCLE | DEBYE_SURFACE_VERTEX);
  double along_u, along_v;
  if ((feature & DEBYE_SURFACE_CIRCLE) != 0) {
    const DebyeCudaSurfaceArc &arc = surface.arcs[number];
    return distance_to_circle(arc, at - arc.center, &along_u, &along_v) - surface.probe;
  }
  if ((feature & DEBYE_SURFACE_VERTEX) != 0) {
    const double3 offset = at - surface.vertices[number];
    return sqrt(dot(offset, offset)) - surface.probe;
  }
  const float4 atom = surface.atoms[number];
  const double3 offset = at - center_of(atom);
  return (double)atom.w + surface.more - sqrt(dot(offset, offset));
}

static __device__ double
depth_at(const DebyeCudaSurface &surface, uint32_t one, uint32_t other, double3 at)
{
  if (one == DEBYE_SURFACE_NOTHING || other == DEBYE_SURFACE_NOTHING || one == other)
    return depth_by(surface, one == DEBYE_SURFACE_NOTHING ? other : one, at);
  const double a = depth_by(surface, one, at), b = depth_by(surface, other, at);
  return surface.is_union ? fmax(a, b) : fmin(a, b);
}

/* As debye_surface_cross(), by the same steps. */
static __device__ double
surface_cross(const DebyeCudaSurface &surface, double3 inner, uint32_t one, double3 outer, uint32_t other)
{
  const double error = 1e-6;
  const double3 edge = outer - inner;
  if (one == DEBYE_SURFACE_NOTHING && other == DEBYE_SURFACE_NOTHING)
    return 0.5;
  double low = 0.0, high = 1.0, at_low = depth_at(surface, one, other, inner);
  double at_high = depth_at(surface, one, other, outer);
  if (!(at_low > 0.0))
    return 0.0;
  if (!(at_high < 0.0))
    return 1.0;
  int stays = 0;
  for (int i = 0; i < 60 && high - low > error; i++) {
    const double middle = (low * at_high - high * at_low) / (at_high - at_low);
    const double value = depth_at(surface, one, other, inner + middle * edge);
    if (fabs(value) < error)
      return middle;
    if (value > 0.0) {
      low = middle;
      at_low = value;
      at_high = stays > 0 ? 0.5 * at_high : at_high;
      stays = 1;
    } else {
      high = middle;
      at_high = value;
      at_low = stays < 0 ? 0.5 * at_low : at_low;
      stays = -1;
    }
  }
  return 0.5 * (low + high);
}
