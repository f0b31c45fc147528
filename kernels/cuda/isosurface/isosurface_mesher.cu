/* SPDX-License-Identifier: MIT */
/* Implementation of isosurface_mesher.cuh. Points above the level become bits, 64 of a row a word; each word counts the
 * vertices of its edges and the triangles of its cells; prefix sums in the CPU's order number them; then warps write what
 * their words counted. An edge's vertex is found from its word's number and the bits before it. */
#include "isosurface_mesher.cuh"

#include <stdlib.h>

#include "kernels/chunk_threads.h"
#include "kernels/cuda/common/device_sort.cuh"

#define THREADS 256
#define WARP 32
#define ALL 0xffffffffu
#define MAX_VERTICES (12 + DEBYE_CELL_MAX_CENTRES)
/* Of a buffer that copies to and from ordinary memory go through. */
#define STAGE_BYTES ((size_t)4 << 20)

/* --- What the bits say --- */

/* The bits of word w of row (j, k), each beside its right neighbour. */
static __device__ __forceinline__ uint64_t
next_bits(const uint64_t *row, uint32_t w, uint32_t words)
{
  return row[w] >> 1 | (w + 1 < words ? row[w + 1] << 63 : 0);
}

/* Those of a word's places at which an edge along x, or a cell, begins. */
static __device__ __forceinline__ uint64_t
begins(const DebyeCudaIsosurface &surface, uint32_t w)
{
  const uint32_t cells = surface.nx - 1, first = 64 * w;
  return cells <= first ? 0 : cells - first >= 64 ? ~0ull : (1ull << (cells - first)) - 1;
}

static __device__ __forceinline__ uint64_t
crossed(const DebyeCudaIsosurface &surface, uint32_t w, uint32_t j, uint32_t k, int axis)
{
  const uint64_t *row = surface.bits + (size_t)surface.slice * k + (size_t)surface.words * j;
  if (axis == 0)
    return (row[w] ^ next_bits(row, w, surface.words)) & begins(surface, w);
  if (axis == 1)
    return j + 1 < surface.ny ? row[w] ^ row[w + surface.words] : 0;
  return k > 0 ? row[w] ^ row[(ptrdiff_t)w - (ptrdiff_t)surface.slice] : 0;
}

/* Number of the vertex on the edge from point (i, j, k), along z to the slice before. */
static __device__ __forceinline__ uint32_t
vertex_of(const DebyeCudaIsosurface &surface, uint32_t i, uint32_t j, uint32_t k, int axis)
{
  const uint32_t w = i / 64;
  uint32_t number = surface.vertices[2 * (size_t)surface.slice * k + (size_t)surface.words * j + w];
  for (int before = 0; before < axis; before++)
    number += (uint32_t)__popcll(crossed(surface, w, j, k, before));
  return number + (uint32_t)__popcll(crossed(surface, w, j, k, axis) & ((1ull << (i % 64)) - 1));
}

/* The cells between slices k − 1 and k: corners above the level, a word each. */
typedef struct {
  uint64_t columns[8], active;
} Cells;

static __device__ __forceinline__ void
get_cells(const DebyeCudaIsosurface &surface, uint32_t w, uint32_t j, uint32_t k, Cells *cells)
{
  uint64_t any = 0, all = ~0ull;
  for (uint32_t corner = 0; corner < 8; corner++) {
    const uint64_t *row = surface.bits + (size_t)surface.slice * (k - 1 + (corner >> 2)) +
                          (size_t)surface.words * (j + (corner >> 1 & 1));
    cells->columns[corner] = corner & 1 ? next_bits(row, w, surface.words) : row[w];
    any |= cells->columns[corner];
    all &= cells->columns[corner];
  }
  cells->active = any & ~all & begins(surface, w);
}

static __device__ __forceinline__ const DebyeCellSurface *
surface_of(const DebyeCudaIsosurface &surface, const Cells &cells, uint32_t w, int bit, uint32_t j,
           uint32_t k)
{
  const DebyeCellTable *table = surface.table;
  int pattern = 0, decision = 0;
  for (int corner = 0; corner < 8; corner++)
    pattern |= (int)(cells.columns[corner] >> bit & 1) << corner;
  if (table->n_ambiguous[pattern] > 0)
    decision = debye_isosurface_decide(&surface.map, table, pattern,
                                       surface.map.values + 64 * (size_t)w + (size_t)bit +
                                           surface.nx * (j + (size_t)surface.ny * (k - 1)));
  return &table->surfaces[table->first[pattern] + decision];
}

/* --- Kernels --- */

/* A warp a word. */
static __global__ void
__launch_bounds__(THREADS) mark_points(const __grid_constant__ DebyeCudaIsosurface surface, uint64_t *bits)
{
  const size_t word = (size_t)blockIdx.x * (THREADS / WARP) + threadIdx.x / WARP;
  const uint32_t lane = threadIdx.x % WARP;
  if (word >= (size_t)surface.slice * surface.nz)
    return;
  const size_t row = word / surface.words;
  const uint32_t first = 64 * (uint32_t)(word % surface.words) + lane;
  const float *values = surface.map.values + surface.nx * row;
  const float level = (float)surface.map.level;
  const float low = first < surface.nx ? values[first] : NAN;
  const float high = first + WARP < surface.nx ? values[first + WARP] : NAN;
  const bool is_low = first < surface.nx && debye_isosurface_is_above(low, level, surface.map.negative);
  const bool is_high =
      first + WARP < surface.nx && debye_isosurface_is_above(high, level, surface.map.negative);
  const uint64_t packed = __ballot_sync(ALL, is_low) | (uint64_t)__ballot_sync(ALL, is_high) << 32;
  if (lane == 0)
    bits[word] = packed;
}

/* A thread a word. */
static __global__ void
__launch_bounds__(THREADS) count(const __grid_constant__ DebyeCudaIsosurface surface)
{
  const size_t word = (size_t)blockIdx.x * THREADS + threadIdx.x;
  if (word >= (size_t)surface.slice * surface.nz)
    return;
  const uint32_t k = (uint32_t)(word / surface.slice), in_slice = (uint32_t)(word % surface.slice);
  const uint32_t j = in_slice / surface.words, w = in_slice % surface.words;
  uint32_t n_edges = 0, n_centers = 0, n_triangles = 0;
  for (int axis = 0; axis < 3; axis++)
    n_edges += (uint32_t)__popcll(crossed(surface, w, j, k, axis));
  if (k > 0 && j + 1 < surface.ny) {
    Cells cells;
    get_cells(surface, w, j, k, &cells);
    for (uint64_t active = cells.active; active; active &= active - 1) {
      const DebyeCellSurface *cell = surface_of(surface, cells, w, __ffsll((long long)active) - 1, j, k);
      n_centers += cell->n_centres;
      n_triangles += cell->n_triangles;
    }
  }
  surface.vertices[2 * (size_t)surface.slice * k + in_slice] = n_edges;
  surface.vertices[2 * (size_t)surface.slice * k + surface.slice + in_slice] = n_centers;
  surface.triangles[word] = n_triangles;
}

static __device__ __forceinline__ void
put(const DebyeIsosurfaceVertex &vertex, size_t number, float *positions, float *normals)
{
  for (int c = 0; c < 3; c++) {
    positions[3 * number + c] = vertex.position[c];
    normals[3 * number + c] = vertex.normal[c];
  }
}

/* A warp a word. */
static __global__ void
__launch_bounds__(THREADS)
    put_vertices(const __grid_constant__ DebyeCudaIsosurface surface, float *positions, float *normals)
{
  const size_t word = (size_t)blockIdx.x * (THREADS / WARP) + threadIdx.x / WARP;
  const uint32_t lane = threadIdx.x % WARP;
  if (word >= (size_t)surface.slice * surface.nz)
    return;
  const uint32_t k = (uint32_t)(word / surface.slice), in_slice = (uint32_t)(word % surface.slice);
  const size_t place = 2 * (size_t)surface.slice * k + in_slice;
  uint32_t number = surface.vertices[place];
  if (surface.vertices[place + 1] == number)
    return;
  const uint32_t j = in_slice / surface.words, w = in_slice % surface.words;
  for (int axis = 0; axis < 3; axis++) {
    const uint64_t edges = crossed(surface, w, j, k, axis);
    for (uint32_t bit = lane; bit < 64; bit += WARP)
      if (edges >> bit & 1) {
        const DebyeIsosurfaceVertex vertex =
            debye_isosurface_vertex(&surface.map, 64 * (size_t)w + bit, j, axis == 2 ? k - 1 : k, axis);
        put(vertex, number + (uint32_t)__popcll(edges & ((1ull << bit) - 1)), positions, normals);
      }
    number += (uint32_t)__popcll(edges);
  }
}

/* The sum of the lanes before this one; *all: of all. */
static __device__ __forceinline__ uint32_t
sum_before(uint32_t value, uint32_t lane, uint32_t *all)
{
  uint32_t sum = value;
  for (unsigned step = 1; step < WARP; step *= 2) {
    const uint32_t other = __shfl_up_sync(ALL, sum, step);
    sum += lane >= step ? other : 0;
  }
  *all = __shfl_sync(ALL, sum, WARP - 1);
  return sum - value;
}

static __device__ __forceinline__ void
put_cell(const DebyeCudaIsosurface &surface, const DebyeCellSurface *cell, uint32_t i, uint32_t j, uint32_t k,
         uint32_t center, uint32_t triangle, float *positions, float *normals, uint32_t *indices)
{
  uint32_t vertices[MAX_VERTICES];
  for (uint32_t side = 0; side < 4; side++) {
    const uint32_t low = side & 1, high = side >> 1;
    vertices[side] = vertex_of(surface, i, j + low, k - 1 + high, 0);
    vertices[4 + side] = vertex_of(surface, i + low, j, k - 1 + high, 1);
    vertices[8 + side] = vertex_of(surface, i + low, j + high, k, 2);
  }
  for (int n = 0; n < cell->n_centres; n++) {
    put(debye_isosurface_center(cell, n, vertices, positions, normals), center, positions, normals);
    vertices[DEBYE_CELL_CENTRE + n] = center++;
  }
  const int second = surface.map.left_handed ? 2 : 1;
  for (int n = 0; n < cell->n_triangles; n++) {
    uint32_t *corner = indices + 3 * ((size_t)triangle + n);
    corner[0] = vertices[cell->corners[3 * n]];
    corner[second] = vertices[cell->corners[3 * n + 1]];
    corner[3 - second] = vertices[cell->corners[3 * n + 2]];
  }
}

/* A warp a word, when the edges' vertices are there. */
static __global__ void
__launch_bounds__(THREADS) put_cells(const __grid_constant__ DebyeCudaIsosurface surface, float *positions,
                                     float *normals, uint32_t *indices)
{
  const size_t word = (size_t)blockIdx.x * (THREADS / WARP) + threadIdx.x / WARP;
  const uint32_t lane = threadIdx.x % WARP;
  if (word >= (size_t)surface.slice * surface.nz)
    return;
  uint32_t triangle = surface.triangles[word];
  if (surface.triangles[word + 1] == triangle)
    return;
  const uint32_t k = (uint32_t)(word / surface.slice), in_slice = (uint32_t)(word % surface.slice);
  const uint32_t j = in_slice / surface.words, w = in_slice % surface.words;
  uint32_t center = surface.vertices[2 * (size_t)surface.slice * k + surface.slice + in_slice];
  Cells cells;
  get_cells(surface, w, j, k, &cells);
  for (uint32_t first = 0; first < 64; first += WARP) {
    const uint32_t bit = first + lane;
    const bool is_active = cells.active >> bit & 1;
    const DebyeCellSurface *cell = is_active ? surface_of(surface, cells, w, (int)bit, j, k) : NULL;
    uint32_t all_centers, all_triangles;
    const uint32_t centers = sum_before(is_active ? cell->n_centres : 0, lane, &all_centers);
    const uint32_t triangles = sum_before(is_active ? cell->n_triangles : 0, lane, &all_triangles);
    if (is_active)
      put_cell(surface, cell, 64 * w + bit, j, k, center + centers, triangle + triangles, positions, normals,
               indices);
    center += all_centers;
    triangle += all_triangles;
  }
}

/* --- Copies --- */

/* By way of the stages, piece by piece: while one is on the bus, the next is put into its own. */
void
debye_cuda_mesher_upload(DebyeCudaMesher *mesher, void *device, const void *host, size_t bytes,
                         DebyeStream *stream)
{
  unsigned stage = 0;
  for (size_t done = 0; done < bytes; done += STAGE_BYTES, stage = (stage + 1) % DEBYE_MESHER_STAGES) {
    const size_t n = bytes - done < STAGE_BYTES ? bytes - done : STAGE_BYTES;
    if (debye_stream_is_good(stream))
      debye_stream_note(stream, cudaEventSynchronize(mesher->staged[stage]));
    debye_chunk_threads_copy(mesher->stages[stage], (const char *)host + done, n);
    debye_stream_upload(stream, (char *)device + done, mesher->stages[stage], n);
    debye_stream_record(stream, mesher->staged[stage]);
  }
}

/* Into new memory, by way of the stages. NULL: there is none, or the stream has an error. */
static void *
fetch(DebyeCudaMesher *mesher, const void *from, size_t bytes, DebyeStream *stream)
{
  char *to = (char *)malloc(bytes + 1);
  size_t copied = 0;
  unsigned stage = 0;
  for (size_t begun = 0; to != NULL && copied < bytes && debye_stream_is_good(stream);) {
    /* One stage is on the bus while the one before is put where it belongs. */
    if (begun < bytes && begun < copied + DEBYE_MESHER_STAGES * STAGE_BYTES) {
      const size_t n = bytes - begun < STAGE_BYTES ? bytes - begun : STAGE_BYTES;
      const unsigned next = begun / STAGE_BYTES % DEBYE_MESHER_STAGES;
      debye_stream_download(stream, mesher->stages[next], (const char *)from + begun, n);
      debye_stream_record(stream, mesher->staged[next]);
      begun += n;
      continue;
    }
    const size_t n = bytes - copied < STAGE_BYTES ? bytes - copied : STAGE_BYTES;
    debye_stream_note(stream, cudaEventSynchronize(mesher->staged[stage]));
    if (debye_stream_is_good(stream))
      debye_chunk_threads_copy(to + copied, mesher->stages[stage], n);
    copied += n;
    stage = (stage + 1) % DEBYE_MESHER_STAGES;
  }
  debye_stream_wait(stream);
  if (!debye_stream_is_good(stream)) {
    free(to);
    return NULL;
  }
  return to;
}

DebyeStatusCode
debye_cuda_mesher_fetch(DebyeCudaMesher *mesher, DebyeIsosurface *mesh, DebyeStream *stream,
                        DebyeStatus *status)
{
  const size_t n_vertices = mesher->totals[0], n_triangles = mesher->totals[1];
  mesh->positions = (float *)fetch(mesher, mesher->positions.memory, 3 * n_vertices * sizeof(float), stream);
  mesh->normals = (float *)fetch(mesher, mesher->normals.memory, 3 * n_vertices * sizeof(float), stream);
  mesh->indices =
      (uint32_t *)fetch(mesher, mesher->indices.memory, 3 * n_triangles * sizeof(uint32_t), stream);
  mesh->n_vertices = n_vertices;
  mesh->n_triangles = n_triangles;
  DebyeStatusCode code = debye_stream_finish(stream, "making an isosurface", status);
  if (code == DEBYE_STATUS_OK && (mesh->positions == NULL || mesh->normals == NULL || mesh->indices == NULL))
    code = debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "Not enough memory for an isosurface.");
  if (code != DEBYE_STATUS_OK)
    debye_isosurface_clear(mesh);
  return code;
}

/* --- A surface --- */

static size_t
count_words(const DebyeCudaMesher *mesher)
{
  return (size_t)mesher->surface.slice * mesher->surface.nz;
}

static unsigned
blocks_for(const DebyeCudaMesher *mesher, unsigned words_per_block)
{
  return (unsigned)((count_words(mesher) + words_per_block - 1) / words_per_block);
}

/* Room for what the words count, where a map has more of them than the list. */
static void
reserve_words(DebyeCudaMesher *mesher, DebyeStream *stream)
{
  const size_t n = count_words(mesher);
  debye_stream_reserve(stream, &mesher->bits, n, sizeof(uint64_t));
  debye_stream_reserve(stream, &mesher->vertices, 2 * n + 1, sizeof(uint32_t));
  debye_stream_reserve(stream, &mesher->triangles, n + 1, sizeof(uint32_t));
  debye_stream_reserve(stream, &mesher->scratch, mesher->scratch_bytes, 1);
  mesher->surface.bits = (const uint64_t *)mesher->bits.memory;
  mesher->surface.vertices = (uint32_t *)mesher->vertices.memory;
  mesher->surface.triangles = (uint32_t *)mesher->triangles.memory;
}

static void
add_up(DebyeCudaMesher *mesher, uint32_t *counts, size_t n, DebyeStream *stream)
{
  if (debye_stream_is_good(stream))
    debye_stream_note(stream, debye_cuda_exclusive_sums(mesher->scratch.memory, &mesher->scratch_bytes,
                                                        counts, counts, (uint32_t)n, stream->handle));
}

void
debye_cuda_mesher_count(DebyeCudaMesher *mesher, const DebyeGrid *grid, const float *values, double level,
                        DebyeStream *stream)
{
  DebyeCudaIsosurface *surface = &mesher->surface;
  const size_t n = count_words(mesher);
  debye_isosurface_map_init(&surface->map, grid, values, level);
  reserve_words(mesher, stream);
  if (!debye_stream_is_good(stream))
    return;
  mark_points<<<blocks_for(mesher, THREADS / WARP), THREADS, 0, stream->handle>>>(
      *surface, (uint64_t *)mesher->bits.memory);
  count<<<blocks_for(mesher, THREADS), THREADS, 0, stream->handle>>>(*surface);
  debye_stream_note_launch(stream);
  add_up(mesher, surface->vertices, 2 * n + 1, stream);
  add_up(mesher, surface->triangles, n + 1, stream);
  debye_stream_download(stream, mesher->totals, surface->vertices + 2 * n, sizeof(uint32_t));
  debye_stream_download(stream, mesher->totals + 1, surface->triangles + n, sizeof(uint32_t));
  debye_stream_wait(stream);
}

void
debye_cuda_mesher_put(DebyeCudaMesher *mesher, DebyeStream *stream)
{
  const size_t n_vertices = mesher->totals[0], n_triangles = mesher->totals[1];
  const unsigned blocks = blocks_for(mesher, THREADS / WARP);
  debye_stream_reserve(stream, &mesher->positions, 3 * n_vertices, sizeof(float));
  debye_stream_reserve(stream, &mesher->normals, 3 * n_vertices, sizeof(float));
  debye_stream_reserve(stream, &mesher->indices, 3 * n_triangles, sizeof(uint32_t));
  if (!debye_stream_is_good(stream))
    return;
  float *positions = (float *)mesher->positions.memory, *normals = (float *)mesher->normals.memory;
  put_vertices<<<blocks, THREADS, 0, stream->handle>>>(mesher->surface, positions, normals);
  put_cells<<<blocks, THREADS, 0, stream->handle>>>(mesher->surface, positions, normals,
                                                    (uint32_t *)mesher->indices.memory);
  debye_stream_note_launch(stream);
}

DebyeStatusCode
debye_cuda_mesher_make(DebyeCudaMesher *mesher, const DebyeGrid *grid, const float *values, double level,
                       DebyeStream *stream, DebyeIsosurface *mesh, DebyeStatus *status)
{
  debye_cuda_mesher_count(mesher, grid, values, level, stream);
  if (!debye_stream_is_good(stream) || mesher->totals[0] == 0)
    return debye_stream_finish(stream, "making an isosurface", status);
  debye_cuda_mesher_put(mesher, stream);
  return debye_cuda_mesher_fetch(mesher, mesh, stream, status);
}

/* --- Its memory --- */

cudaError_t
debye_cuda_mesher_set_shape(DebyeCudaMesher *mesher, const size_t shape[3])
{
  const size_t words = (shape[0] + 63) / 64;
  mesher->surface.nx = (uint32_t)shape[0];
  mesher->surface.ny = (uint32_t)shape[1];
  mesher->surface.nz = (uint32_t)shape[2];
  mesher->surface.words = (uint32_t)words;
  mesher->surface.slice = (uint32_t)(words * shape[1]);
  return debye_cuda_exclusive_sums(NULL, &mesher->scratch_bytes, NULL, NULL,
                                   (uint32_t)(2 * count_words(mesher) + 1), NULL);
}

void
debye_cuda_mesher_list(DebyeCudaMesher *mesher, DebyePlanMemory *memory)
{
  const size_t n = count_words(mesher);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, mesher->table, 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, mesher->surfaces, DEBYE_CELL_N_SURFACES);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, mesher->totals, 2);
  for (unsigned i = 0; i < DEBYE_MESHER_STAGES; i++)
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, mesher->stages[i], STAGE_BYTES);
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &mesher->bits, n, sizeof(uint64_t));
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &mesher->vertices, 2 * n + 1, sizeof(uint32_t));
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &mesher->triangles, n + 1, sizeof(uint32_t));
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &mesher->scratch, mesher->scratch_bytes, 1);
  /* A surface usually crosses a few words of a row. */
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &mesher->positions, 3 * n, sizeof(float));
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &mesher->normals, 3 * n, sizeof(float));
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &mesher->indices, 6 * n, sizeof(uint32_t));
}

void
debye_cuda_mesher_open(DebyeCudaMesher *mesher, DebyeStream *stream)
{
  DebyeCellTable table = *debye_cell_table_get();
  for (unsigned i = 0; i < DEBYE_MESHER_STAGES; i++)
    debye_stream_new_event(stream, &mesher->staged[i]);
  if (debye_stream_is_good(stream))
    debye_stream_note(stream, debye_cuda_upload(mesher->surfaces, table.surfaces,
                                                DEBYE_CELL_N_SURFACES * sizeof *mesher->surfaces));
  table.surfaces = mesher->surfaces;
  if (debye_stream_is_good(stream))
    debye_stream_note(stream, debye_cuda_upload(mesher->table, &table, sizeof table));
  mesher->surface.table = mesher->table;
}

void
debye_cuda_mesher_close(DebyeCudaMesher *mesher)
{
  for (unsigned i = 0; i < DEBYE_MESHER_STAGES; i++)
    debye_event_free(mesher->staged[i]);
}
