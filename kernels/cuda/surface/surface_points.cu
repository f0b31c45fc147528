/* SPDX-License-Identifier: MIT */
/* Which points of a grid lie within a surface, and how deep, on a GPU: each feature of surface.cuh writes the points that
 * it is nearest to, and the nearest stays; called by what needs a surface there. Its twin is surface.c.
 *
 * Distances within a feature's box are float, 1e-6 Å: who of two is nearer by less than that doesn't matter, and where
 * the surface cuts an edge is found in double. */
#include "surface_math.cuh"

#define THREADS 128
/* Caps of a face that are kept at hand. */
#define CAPS 256
/* Points of a feature's box that a thread has at most, if the feature gets as many blocks as that takes. */
#define POINTS 32
#define MOST_SLICES 256
/* Of loops over all points. */
#define MOST_BLOCKS 4096

/* Points about a place, from which the first is at `offset`. */
struct Box {
  int first[3];
  uint32_t count[3], n;
  float3 offset, step;
};

static __device__ __forceinline__ float
dot(float3 a, float3 b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static __device__ __forceinline__ float3
operator+(float3 a, float3 b)
{
  return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static __device__ __forceinline__ float3
single(double3 a)
{
  return make_float3((float)a.x, (float)a.y, (float)a.z);
}

static __device__ __forceinline__ int
clamp(double value, int high)
{
  return !(value > 0.0) ? 0 : value >= (double)high ? high : (int)value;
}

/* What of the grid lies within `reach` of a center. */
static __device__ __forceinline__ Box
box_about(const DebyeSurfaceGrid &grid, double3 center, double reach)
{
  const double offset[3] = {center.x - grid.origin.x, center.y - grid.origin.y, center.z - grid.origin.z};
  Box box = {};
  box.n = 1;
  for (int axis = 0; axis < 3; axis++) {
    const int shape = (int)grid.shape[axis];
    box.first[axis] = clamp(ceil((offset[axis] - reach) / grid.step[axis]), shape);
    const int end = clamp(floor((offset[axis] + reach) / grid.step[axis]) + 1.0, shape);
    box.count[axis] = end > box.first[axis] ? (uint32_t)(end - box.first[axis]) : 0;
    box.n *= box.count[axis];
  }
  box.offset = single(point_at(grid, box.first[0], box.first[1], box.first[2]) - center);
  box.step = make_float3((float)grid.step[0], (float)grid.step[1], (float)grid.step[2]);
  return box;
}

/* The box's point number k, and where it is from the place. */
static __device__ __forceinline__ size_t
point_of(const DebyeSurfaceGrid &grid, const Box &box, uint32_t k, float3 *offset)
{
  const uint32_t row = k / box.count[0], x = k - row * box.count[0], z = row / box.count[1];
  const uint32_t y = row - z * box.count[1];
  *offset = make_float3(box.offset.x + (float)x * box.step.x, box.offset.y + (float)y * box.step.y,
                        box.offset.z + (float)z * box.step.z);
  return box.first[0] + x + grid.shape[0] * (box.first[1] + y + grid.shape[1] * (box.first[2] + z));
}

static __device__ __forceinline__ void
put(unsigned long long *keys, size_t i, unsigned long long key)
{
  if (key < keys[i])
    atomicMin(&keys[i], key);
}

static __global__ void
__launch_bounds__(THREADS) fill(size_t n, unsigned long long *keys, float outside, bool is_union)
{
  const unsigned long long key = debye_surface_key(outside, DEBYE_SURFACE_NOTHING, is_union);
  for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += (size_t)gridDim.x * THREADS)
    keys[i] = key;
}

/* All that an expanded sphere contains may be within. */
static __global__ void
__launch_bounds__(THREADS)
    cover_spheres(const __grid_constant__ DebyeCudaSurface surface,
                  const __grid_constant__ DebyeSurfaceGrid grid, unsigned long long *keys)
{
  const float4 atom = surface.atoms[blockIdx.x];
  const float radius = (float)((double)atom.w + surface.probe);
  const unsigned long long key = debye_surface_key(INFINITY, DEBYE_SURFACE_NOTHING, false);
  const Box box = box_about(grid, center_of(atom), (double)atom.w + surface.probe);
  for (uint32_t k = blockIdx.y * THREADS + threadIdx.x; k < box.n; k += gridDim.y * THREADS) {
    float3 offset;
    const size_t i = point_of(grid, box, k, &offset);
    if (dot(offset, offset) <= radius * radius)
      keys[i] = key;
  }
}

/* Of a union of spheres the one that a point is deepest within, or nearest to. */
static __global__ void
__launch_bounds__(THREADS)
    put_spheres(const __grid_constant__ DebyeCudaSurface surface,
                const __grid_constant__ DebyeSurfaceGrid grid, float reach, unsigned long long *keys)
{
  const float4 atom = surface.atoms[blockIdx.x];
  const float radius = (float)((double)atom.w + surface.more), most = radius + reach;
  const Box box = box_about(grid, center_of(atom), (double)most);
  for (uint32_t k = blockIdx.y * THREADS + threadIdx.x; k < box.n; k += gridDim.y * THREADS) {
    float3 offset;
    const size_t i = point_of(grid, box, k, &offset);
    const float distance2 = dot(offset, offset);
    if (distance2 <= most * most)
      put(keys, i, debye_surface_key(radius - sqrtf(distance2), DEBYE_SURFACE_FACE | blockIdx.x, true));
  }
}

/* A warp a vertex. */
static __global__ void
__launch_bounds__(THREADS)
    put_vertices(const __grid_constant__ DebyeCudaSurface surface,
                 const __grid_constant__ DebyeSurfaceGrid grid, float reach, unsigned long long *keys)
{
  const uint32_t number = blockIdx.x * (THREADS / 32) + threadIdx.x / 32;
  if (number >= 2 * surface.n_arcs)
    return;
  const double3 center = surface.vertices[number];
  const float probe = (float)surface.probe, most = probe + reach;
  if (isnan(center.x))
    return;
  const Box box = box_about(grid, center, (double)most);
  for (uint32_t k = threadIdx.x % 32; k < box.n; k += 32) {
    float3 offset;
    const size_t i = point_of(grid, box, k, &offset);
    const float distance2 = dot(offset, offset);
    if (distance2 <= most * most)
      put(keys, i, debye_surface_key(sqrtf(distance2) - probe, DEBYE_SURFACE_VERTEX | number, false));
  }
}

/* A warp an arc, or a slice of one: long ones would be waited for. */
static __global__ void
__launch_bounds__(THREADS)
    put_arcs(const __grid_constant__ DebyeCudaSurface surface, const __grid_constant__ DebyeSurfaceGrid grid,
             float reach, unsigned long long *keys)
{
  const uint32_t number = blockIdx.x * (THREADS / 32) + threadIdx.x / 32;
  if (number >= surface.n_arcs)
    return;
  const DebyeCudaSurfaceArc &arc = surface.arcs[number];
  const float probe = (float)surface.probe, radius = (float)arc.radius, cosine = (float)arc.cosine;
  const float most = probe + reach + (float)arc.ball_radius;
  const float mid_u = (float)arc.along_u, mid_v = (float)arc.along_v;
  const float3 u = single(arc.u), v = single(arc.v), from_center = single(arc.ball - arc.center);
  const Box box = box_about(grid, arc.ball, (double)most);
  for (uint32_t k = threadIdx.x % 32 + 32 * blockIdx.y; k < box.n; k += 32 * gridDim.y) {
    float3 from_ball;
    const size_t i = point_of(grid, box, k, &from_ball);
    if (dot(from_ball, from_ball) > most * most)
      continue;
    const float3 offset = from_ball + from_center;
    const float along_u = dot(offset, u), along_v = dot(offset, v);
    const float across2 = along_u * along_u + along_v * along_v, whole = sqrtf(across2);
    if (along_u * mid_u + along_v * mid_v < cosine * whole)
      continue;
    const float above2 = fmaxf(0.0f, dot(offset, offset) - across2), across = whole - radius;
    const float depth = sqrtf(across * across + above2) - probe;
    if (depth < reach)
      put(keys, i, debye_surface_key(depth, DEBYE_SURFACE_CIRCLE | number, false));
  }
}

/* What of an atom's expanded sphere lies within a neighbor's: directions with direction·axis > limit. */
struct Cap {
  float3 axis;
  float limit;
};

static __device__ __forceinline__ Cap
cap_of(const DebyeCudaSurface &surface, float4 atom, uint32_t neighbor)
{
  const float4 other = surface.atoms[surface.neighbors[neighbor]];
  const double3 axis = center_of(other) - center_of(atom);
  const double own = (double)atom.w + surface.probe, its = (double)other.w + surface.probe;
  return Cap{single(axis), (float)(0.5 * (dot(axis, axis) + own * own - its * its) / own)};
}

static __device__ __forceinline__ bool
is_within(const Cap &cap, float3 direction, float length)
{
  return dot(direction, cap.axis) > cap.limit * length;
}

static __global__ void
__launch_bounds__(THREADS)
    put_faces(const __grid_constant__ DebyeCudaSurface surface, const __grid_constant__ DebyeSurfaceGrid grid,
              float reach, unsigned long long *keys)
{
  __shared__ Cap caps[CAPS];
  const uint32_t number = blockIdx.x;
  if (surface.is_exposed[number] != 1)
    return;
  const float4 atom = surface.atoms[number];
  const uint32_t begin = surface.first_neighbor[number], n = surface.first_neighbor[number + 1] - begin;
  const uint32_t kept = n < CAPS ? n : CAPS;
  for (uint32_t i = threadIdx.x; i < kept; i += THREADS)
    caps[i] = cap_of(surface, atom, begin + i);
  __syncthreads();
  const float radius = atom.w, expanded = (float)((double)atom.w + surface.probe);
  const Box box = box_about(grid, center_of(atom), (double)atom.w + surface.probe);
  uint32_t last = 0;
  for (uint32_t k = blockIdx.y * THREADS + threadIdx.x; k < box.n; k += gridDim.y * THREADS) {
    float3 offset;
    const size_t i = point_of(grid, box, k, &offset);
    const float distance2 = dot(offset, offset);
    if (distance2 > expanded * expanded)
      continue;
    const float distance = sqrtf(distance2), depth = radius - distance;
    const unsigned long long key = debye_surface_key(depth, DEBYE_SURFACE_FACE | number, false);
    if (!(depth < reach) || key >= keys[i])
      continue;
    /* In all directions the sphere is as near to its center. The cap that covered the last point is asked first. */
    bool is_covered = kept > 0 && distance >= 1e-6f && is_within(caps[last], offset, distance);
    for (uint32_t cap = 0; cap < n && !is_covered && distance >= 1e-6f; cap++) {
      is_covered = is_within(cap < kept ? caps[cap] : cap_of(surface, atom, begin + cap), offset, distance);
      last = is_covered && cap < kept ? cap : last;
    }
    if (!is_covered)
      put(keys, i, key);
  }
}

/* Slices of a box that so many threads share: one of a large radius has many points. */
static unsigned
count_slices(const DebyeSurfaceGrid *grid, double radius, double threads)
{
  double points = 1.0;
  for (int axis = 0; axis < 3; axis++)
    points *= fmin(2.0 * radius / grid->step[axis] + 1.0, (double)grid->shape[axis]);
  return (unsigned)fmin(fmax(points / (threads * POINTS), 1.0), MOST_SLICES);
}

void
debye_cuda_surface_find(const DebyeCudaSurface *surface, const DebyeSurfaceGrid *grid,
                        unsigned long long *keys, DebyeStream *stream)
{
  const size_t n = grid->shape[0] * grid->shape[1] * grid->shape[2];
  const double step = fmax(grid->step[0], fmax(grid->step[1], grid->step[2]));
  const float reach = (float)(surface->band > 0.0 ? surface->band : step);
  const double largest =
      surface->largest_radius + (surface->is_union ? surface->more + (double)reach : surface->probe);
  const dim3 spheres(surface->n_atoms, count_slices(grid, largest, THREADS));
  const unsigned arcs = (surface->n_arcs + THREADS / 32 - 1) / (THREADS / 32);
  const unsigned blocks =
      (unsigned)((n + THREADS - 1) / THREADS < MOST_BLOCKS ? (n + THREADS - 1) / THREADS : MOST_BLOCKS);
  if (!debye_stream_is_good(stream))
    return;
  fill<<<blocks, THREADS, 0, stream->handle>>>(
      n, keys, surface->is_union ? -INFINITY : -(float)surface->probe, surface->is_union);
  if (surface->n_atoms > 0 && surface->is_union) {
    put_spheres<<<spheres, THREADS, 0, stream->handle>>>(*surface, *grid, reach, keys);
  } else if (surface->n_atoms > 0) {
    cover_spheres<<<spheres, THREADS, 0, stream->handle>>>(*surface, *grid, keys);
    if (arcs > 0) {
      put_vertices<<<2 * arcs, THREADS, 0, stream->handle>>>(*surface, *grid, reach, keys);
      put_arcs<<<dim3(arcs, count_slices(grid, surface->probe + (double)reach, 32.0 / 4.0)), THREADS, 0,
                 stream->handle>>>(*surface, *grid, reach, keys);
    }
    put_faces<<<spheres, THREADS, 0, stream->handle>>>(*surface, *grid, reach, keys);
  }
  debye_stream_note_launch(stream);
}
