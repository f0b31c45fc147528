/* SPDX-License-Identifier: MIT */
/* Neighbors of each atom of a surface on a GPU; called by surface_arcs.cu. A warp has an atom, and its lanes look at
 * others. Everything is counted first and written in its order then, so that the result is always the same. */
#include "surface_neighbors.cuh"

#include <string.h>

#include "kernels/chunk_threads.h"
#include "kernels/cuda/common/device_sort.cuh"
#include "surface_math.cuh"

#define WARPS 8
/* Of one atom that are sorted; those of an atom that has more aren't, which only takes longer. */
#define SORTED 256
/* Atoms that a thread of the host brings into their order at a time. */
#define CHUNK ((size_t)8192)

struct Bins {
  double3 origin;
  double edge;
  int shape[3];
  const uint32_t *begin;
};

struct Near {
  float distance2;
  uint32_t atom;
};

static __device__ __forceinline__ bool
contains(double outer, double inner, double distance, bool is_first)
{
  const double room = outer - inner - distance;
  return room > 0.0 || (room == 0.0 && (distance > 0.0 || is_first));
}

static __device__ __forceinline__ int
bin_along(const Bins &bins, int axis, double offset)
{
  const double bin = floor(offset / bins.edge);
  const int last = bins.shape[axis] - 1;
  return bin <= 0.0 ? 0 : bin >= (double)last ? last : (int)bin;
}

/* 0: apart or within, 1: a neighbor, 2: the atom lies within it. */
static __device__ int
look(const DebyeCudaSurface &surface, uint32_t atom, float4 own, uint32_t other, float *distance2)
{
  const float4 its = surface.atoms[other];
  const double3 axis = center_of(its) - center_of(own);
  const double one = (double)own.w + surface.probe, two = (double)its.w + surface.probe, d2 = dot(axis, axis);
  *distance2 = (float)d2;
  if (other == atom || d2 >= (one + two) * (one + two))
    return 0;
  const double distance = sqrt(d2);
  if (contains(two, one, distance, other < atom))
    return 2;
  return contains(one, two, distance, atom < other) ? 0 : 1;
}

/* The lanes of a warp have put `n` of them there. */
static __device__ void
sort(const Near *near, uint32_t n, uint32_t *sorted)
{
  for (uint32_t k = threadIdx.x % 32; k < n; k += 32) {
    const Near own = near[k];
    uint32_t rank = 0;
    for (uint32_t i = 0; i < n; i++)
      rank += near[i].distance2 < own.distance2 ||
              (near[i].distance2 == own.distance2 && near[i].atom < own.atom);
    sorted[rank] = own.atom;
  }
}

/* first: gets the number of neighbors, or has where they begin. */
template <bool FILL>
static __global__ void __launch_bounds__(32 * WARPS)
    find_neighbors(const __grid_constant__ DebyeCudaSurface surface, const __grid_constant__ Bins bins,
                   uint32_t *first, uint32_t *neighbors, uint8_t *is_exposed)
{
  __shared__ Near lists[FILL ? WARPS : 1][FILL ? SORTED : 1];
  const uint32_t atom = blockIdx.x * WARPS + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (atom >= surface.n_atoms)
    return;
  const uint32_t begin = FILL ? first[atom] : 0, room = FILL ? first[atom + 1] - begin : 0;
  if (FILL && room == 0)
    return;
  const float4 own = surface.atoms[atom];
  const double reach = (double)own.w + 2.0 * surface.probe + surface.largest_radius;
  const double3 offset = center_of(own) - bins.origin;
  const int x0 = bin_along(bins, 0, offset.x - reach), x1 = bin_along(bins, 0, offset.x + reach);
  const int y0 = bin_along(bins, 1, offset.y - reach), y1 = bin_along(bins, 1, offset.y + reach);
  const int z0 = bin_along(bins, 2, offset.z - reach), z1 = bin_along(bins, 2, offset.z + reach);
  const bool is_sorted = room <= SORTED;
  uint32_t n = 0;
  bool is_within = false;
  for (int z = z0; z <= z1 && !is_within; z++)
    for (int y = y0; y <= y1 && !is_within; y++) {
      const uint32_t row = (uint32_t)bins.shape[0] * (y + (uint32_t)bins.shape[1] * z);
      const uint32_t end = bins.begin[row + x1 + 1];
      for (uint32_t i = bins.begin[row + x0] + lane; __any_sync(~0u, i < end) && !is_within; i += 32) {
        float distance2 = 0.0f;
        const int what = i < end ? look(surface, atom, own, i, &distance2) : 0;
        const unsigned near = __ballot_sync(~0u, what == 1);
        const uint32_t place = n + __popc(near & ((1u << lane) - 1));
        is_within = __any_sync(~0u, what == 2);
        if (FILL && what == 1 && is_sorted)
          lists[threadIdx.x / 32][place] = Near{distance2, i};
        else if (FILL && what == 1)
          neighbors[begin + place] = i;
        n += __popc(near);
      }
    }
  if (FILL) {
    __syncwarp();
    if (is_sorted)
      sort(lists[threadIdx.x / 32], n, neighbors + begin);
  } else if (lane == 0) {
    first[atom] = is_within ? 0 : n;
    is_exposed[atom] = is_within ? DEBYE_SURFACE_WITHIN : n == 0;
  }
}

/* The host's part. */

bool
debye_cuda_surface_is_crowded(const DebyeSphereBins *bins, size_t n)
{
  const size_t n_bins = bins->shape[0] * bins->shape[1] * bins->shape[2];
  uint32_t most = 0;
  for (size_t bin = 0; bin < n_bins; bin++)
    most = bins->begin[bin + 1] - bins->begin[bin] > most ? bins->begin[bin + 1] - bins->begin[bin] : most;
  return (double)n * fmin((double)n, 125.0 * (double)most) >= 4294967296.0;
}

static void
reserve_pinned(DebyeStream *stream, DebyeRoom *room, uint64_t count, size_t size)
{
  if (debye_stream_is_good(stream) &&
      !debye_room_reserve(room, DEBYE_MEMORY_PINNED, count, size, &debye_cuda_memory_source))
    debye_stream_note(stream, cudaErrorMemoryAllocation);
}

struct Ordering {
  const DebyeSpheres *spheres;
  const DebyeSphereBins *bins;
  float4 *to;
};

static void
order_atoms(void *context, size_t chunk)
{
  const Ordering *ordering = (const Ordering *)context;
  const DebyeSpheres *spheres = ordering->spheres;
  const size_t first = chunk * CHUNK, end = first + CHUNK < spheres->n ? first + CHUNK : spheres->n;
  for (size_t i = first; i < end; i++) {
    const uint32_t from = ordering->bins->sphere[i];
    ordering->to[i] =
        make_float4(spheres->x[from], spheres->y[from], spheres->z[from], spheres->radius[from]);
  }
}

void
debye_cuda_surface_upload(DebyeCudaSurfaceMaker *maker, const DebyeSpheres *spheres,
                          const DebyeSphereBins *bins, DebyeStream *stream)
{
  const size_t n_bins = bins->shape[0] * bins->shape[1] * bins->shape[2] + 1;
  reserve_pinned(stream, &maker->atoms_on_host, spheres->n, sizeof(float4));
  reserve_pinned(stream, &maker->begin_on_host, n_bins, sizeof(uint32_t));
  debye_stream_reserve(stream, &maker->atoms, spheres->n, sizeof(float4));
  debye_stream_reserve(stream, &maker->begin, n_bins, sizeof(uint32_t));
  if (!debye_stream_is_good(stream))
    return;
  float4 *atoms = (float4 *)maker->atoms_on_host.memory;
  Ordering ordering = {spheres, bins, atoms};
  debye_chunk_threads_run((spheres->n + CHUNK - 1) / CHUNK, order_atoms, &ordering);
  memcpy(maker->begin_on_host.memory, bins->begin, n_bins * sizeof *bins->begin);
  debye_stream_upload(stream, maker->atoms.memory, atoms, spheres->n * sizeof *atoms);
  debye_stream_upload(stream, maker->begin.memory, maker->begin_on_host.memory, n_bins * sizeof *bins->begin);
}

uint32_t
debye_cuda_surface_add_up(DebyeCudaSurfaceMaker *maker, DebyeRoom *counts, uint64_t n, int what,
                          DebyeStream *stream)
{
  uint32_t *values = (uint32_t *)counts->memory;
  size_t bytes = 0;
  if (!debye_stream_is_good(stream))
    return 0;
  debye_stream_note(stream,
                    debye_cuda_exclusive_sums(NULL, &bytes, values, values, (uint32_t)n + 1, stream->handle));
  debye_stream_reserve(stream, &maker->scratch, bytes, 1);
  if (debye_stream_is_good(stream))
    debye_stream_note(stream, debye_cuda_exclusive_sums(maker->scratch.memory, &bytes, values, values,
                                                        (uint32_t)n + 1, stream->handle));
  debye_stream_download(stream, maker->found_on_host + what, values + n, sizeof *values);
  debye_stream_wait(stream);
  return debye_stream_is_good(stream) ? maker->found_on_host[what] : 0;
}

uint32_t
debye_cuda_surface_list_neighbors(DebyeCudaSurfaceMaker *maker, const DebyeSphereBins *bins,
                                  DebyeCudaSurface *surface, DebyeStream *stream)
{
  const Bins on_device = {make_double3(bins->origin.x, bins->origin.y, bins->origin.z),
                          bins->edge,
                          {(int)bins->shape[0], (int)bins->shape[1], (int)bins->shape[2]},
                          (const uint32_t *)maker->begin.memory};
  const uint32_t n = surface->n_atoms, blocks = (n + WARPS - 1) / WARPS;
  debye_stream_reserve(stream, &maker->first_neighbor, n + 1, sizeof(uint32_t));
  debye_stream_reserve(stream, &maker->is_exposed, n, sizeof(uint8_t));
  uint32_t *first = (uint32_t *)maker->first_neighbor.memory;
  uint8_t *is_exposed = (uint8_t *)maker->is_exposed.memory;
  if (debye_stream_is_good(stream))
    find_neighbors<false>
        <<<blocks, 32 * WARPS, 0, stream->handle>>>(*surface, on_device, first, NULL, is_exposed);
  debye_stream_note_launch(stream);
  const uint32_t n_neighbors =
      debye_cuda_surface_add_up(maker, &maker->first_neighbor, n, FOUND_NEIGHBORS, stream);
  debye_stream_reserve(stream, &maker->neighbors, (uint64_t)n_neighbors + 1, sizeof(uint32_t));
  uint32_t *neighbors = (uint32_t *)maker->neighbors.memory;
  if (debye_stream_is_good(stream))
    find_neighbors<true>
        <<<blocks, 32 * WARPS, 0, stream->handle>>>(*surface, on_device, first, neighbors, is_exposed);
  debye_stream_note_launch(stream);
  surface->first_neighbor = first;
  surface->neighbors = neighbors;
  surface->is_exposed = is_exposed;
  return n_neighbors;
}
