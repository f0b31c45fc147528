/* SPDX-License-Identifier: MIT */
/* Isosurfaces on a GPU; its twin is cpu/isosurface/isosurface.c. Points above the level become bits, 64 of a row a word; each
 * word counts the vertices of its edges and the triangles of its cells; prefix sums in the CPU's order number them; then
 * warps write what their words counted. An edge's vertex is found from its word's number and the bits before it. */
#include <stdlib.h>

#include "kernels/chunk_threads.h"
#include "kernels/cuda/common/device_sort.cuh"
#include "kernels/cuda/common/stream.cuh"
#include "kernels/isosurface/isosurface.h"
#include "kernels/isosurface/isosurface_math.h"

#define THREADS 256
#define WARP 32
#define ALL 0xffffffffu
#define MAX_VERTICES (12 + DEBYE_CELL_MAX_CENTRES)
/* Buffers that copies to and from ordinary memory go through. */
#define STAGES 2
#define STAGE_BYTES ((size_t)4 << 20)

/* What kernels are given. A word is number w of row (j, k): w + words·(j + ny·k). */
typedef struct {
  DebyeIsosurfaceMap map;
  const DebyeCellTable *table;
  const uint64_t *bits;
  /* Of slice k its words' edges, then the words of the cells between it and the slice before. */
  uint32_t *vertices;
  uint32_t *triangles;               /* of the words of cells */
  uint32_t nx, ny, nz, words, slice; /* slice: words of one */
} Surface;

typedef struct {
  DebyeIsosurfaceSettings settings;
  int device;
  DebyeStream stream;
  cudaEvent_t staged[STAGES];
  Surface surface;
  DebyeGrid grid;
  bool has_map;
  DebyeCellTable *table;
  DebyeCellSurface *surfaces;
  float *values;
  uint64_t *bits;
  uint32_t *vertices, *triangles; /* counts, then the sums before each, and at the end of all */
  size_t scratch_bytes;
  char *scratch_memory;
  uint32_t *totals; /* of vertices and triangles */
  char *stages[STAGES];
  DebyeRoom positions, normals, indices;
} Plan;

/* --- What the bits say --- */

/* The bits of word w of row (j, k), each beside its right neighbour. */
static __device__ __forceinline__ uint64_t
next_bits(const uint64_t *row, uint32_t w, uint32_t words)
{
  return row[w] >> 1 | (w + 1 < words ? row[w + 1] << 63 : 0);
}

/* Those of a word's places at which an edge along x, or a cell, begins. */
static __device__ __forceinline__ uint64_t
begins(const Surface &surface, uint32_t w)
{
  const uint32_t cells = surface.nx - 1, first = 64 * w;
  return cells <= first ? 0 : cells - first >= 64 ? ~0ull : (1ull << (cells - first)) - 1;
}

static __device__ __forceinline__ uint64_t
crossed(const Surface &surface, uint32_t w, uint32_t j, uint32_t k, int axis)
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
vertex_of(const Surface &surface, uint32_t i, uint32_t j, uint32_t k, int axis)
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
get_cells(const Surface &surface, uint32_t w, uint32_t j, uint32_t k, Cells *cells)
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
surface_of(const Surface &surface, const Cells &cells, uint32_t w, int bit, uint32_t j, uint32_t k)
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
__launch_bounds__(THREADS) mark_points(const __grid_constant__ Surface surface, uint64_t *bits)
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
__launch_bounds__(THREADS) count(const __grid_constant__ Surface surface)
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
    put_vertices(const __grid_constant__ Surface surface, float *positions, float *normals)
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
put_cell(const Surface &surface, const DebyeCellSurface *cell, uint32_t i, uint32_t j, uint32_t k,
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
__launch_bounds__(THREADS)
    put_cells(const __grid_constant__ Surface surface, float *positions, float *normals, uint32_t *indices)
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

static DebyeStatusCode
set_map(DebyeKernelPlan *handle, const DebyeGrid *grid, const float *values, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  DebyeStream *stream = &plan->stream;
  plan->has_map = false;
  DebyeStatusCode code = debye_isosurface_map_check(&plan->settings, grid, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(cudaSetDevice(plan->device), "choosing the device", status);
  if (code != DEBYE_STATUS_OK)
    return code;
  const size_t bytes = grid->shape[0] * grid->shape[1] * grid->shape[2] * sizeof *values;
  unsigned stage = 0;
  for (size_t done = 0; done < bytes; done += STAGE_BYTES, stage = (stage + 1) % STAGES) {
    const size_t n = bytes - done < STAGE_BYTES ? bytes - done : STAGE_BYTES;
    if (debye_stream_is_good(stream))
      debye_stream_note(stream, cudaEventSynchronize(plan->staged[stage]));
    debye_chunk_threads_copy(plan->stages[stage], (const char *)values + done, n);
    debye_stream_upload(stream, (char *)plan->values + done, plan->stages[stage], n);
    debye_stream_record(stream, plan->staged[stage]);
  }
  code = debye_stream_finish(stream, "copying a map", status);
  plan->grid = *grid;
  plan->has_map = code == DEBYE_STATUS_OK;
  return code;
}

/* Into new memory, by way of the stages. NULL: there is none, or the stream has an error. */
static void *
fetch(Plan *plan, const void *from, size_t bytes)
{
  DebyeStream *stream = &plan->stream;
  char *to = (char *)malloc(bytes + 1);
  size_t copied = 0;
  unsigned stage = 0;
  for (size_t begun = 0; to != NULL && copied < bytes && debye_stream_is_good(stream);) {
    /* One stage is on the bus while the one before is put where it belongs. */
    if (begun < bytes && begun < copied + STAGES * STAGE_BYTES) {
      const size_t n = bytes - begun < STAGE_BYTES ? bytes - begun : STAGE_BYTES;
      debye_stream_download(stream, plan->stages[begun / STAGE_BYTES % STAGES], (const char *)from + begun,
                            n);
      debye_stream_record(stream, plan->staged[begun / STAGE_BYTES % STAGES]);
      begun += n;
      continue;
    }
    const size_t n = bytes - copied < STAGE_BYTES ? bytes - copied : STAGE_BYTES;
    debye_stream_note(stream, cudaEventSynchronize(plan->staged[stage]));
    if (debye_stream_is_good(stream))
      debye_chunk_threads_copy(to + copied, plan->stages[stage], n);
    copied += n;
    stage = (stage + 1) % STAGES;
  }
  debye_stream_wait(stream);
  if (!debye_stream_is_good(stream)) {
    free(to);
    return NULL;
  }
  return to;
}

/* --- A surface --- */

static unsigned
blocks_for(const Plan *plan, unsigned words_per_block)
{
  const size_t n = (size_t)plan->surface.slice * plan->surface.nz;
  return (unsigned)((n + words_per_block - 1) / words_per_block);
}

/* Numbers all there will be; the totals are on the host afterwards. */
static void
number(Plan *plan)
{
  DebyeStream *stream = &plan->stream;
  const size_t n = (size_t)plan->surface.slice * plan->surface.nz;
  if (!debye_stream_is_good(stream))
    return;
  mark_points<<<blocks_for(plan, THREADS / WARP), THREADS, 0, stream->handle>>>(plan->surface, plan->bits);
  count<<<blocks_for(plan, THREADS), THREADS, 0, stream->handle>>>(plan->surface);
  debye_stream_note_launch(stream);
  if (debye_stream_is_good(stream))
    debye_stream_note(stream,
                      debye_cuda_exclusive_sums(plan->scratch_memory, &plan->scratch_bytes, plan->vertices,
                                                plan->vertices, (uint32_t)(2 * n + 1), stream->handle));
  if (debye_stream_is_good(stream))
    debye_stream_note(stream,
                      debye_cuda_exclusive_sums(plan->scratch_memory, &plan->scratch_bytes, plan->triangles,
                                                plan->triangles, (uint32_t)(n + 1), stream->handle));
  debye_stream_download(stream, plan->totals, plan->vertices + 2 * n, sizeof(uint32_t));
  debye_stream_download(stream, plan->totals + 1, plan->triangles + n, sizeof(uint32_t));
  debye_stream_wait(stream);
}

static void
put_all(Plan *plan)
{
  DebyeStream *stream = &plan->stream;
  const size_t n_vertices = plan->totals[0], n_triangles = plan->totals[1];
  const unsigned blocks = blocks_for(plan, THREADS / WARP);
  debye_stream_reserve(stream, &plan->positions, 3 * n_vertices, sizeof(float));
  debye_stream_reserve(stream, &plan->normals, 3 * n_vertices, sizeof(float));
  debye_stream_reserve(stream, &plan->indices, 3 * n_triangles, sizeof(uint32_t));
  if (!debye_stream_is_good(stream))
    return;
  float *positions = (float *)plan->positions.memory, *normals = (float *)plan->normals.memory;
  put_vertices<<<blocks, THREADS, 0, stream->handle>>>(plan->surface, positions, normals);
  put_cells<<<blocks, THREADS, 0, stream->handle>>>(plan->surface, positions, normals,
                                                    (uint32_t *)plan->indices.memory);
  debye_stream_note_launch(stream);
}

static DebyeStatusCode
take(Plan *plan, DebyeIsosurface *mesh, DebyeStatus *status)
{
  const size_t n_vertices = plan->totals[0], n_triangles = plan->totals[1];
  mesh->positions = (float *)fetch(plan, plan->positions.memory, 3 * n_vertices * sizeof(float));
  mesh->normals = (float *)fetch(plan, plan->normals.memory, 3 * n_vertices * sizeof(float));
  mesh->indices = (uint32_t *)fetch(plan, plan->indices.memory, 3 * n_triangles * sizeof(uint32_t));
  mesh->n_vertices = n_vertices;
  mesh->n_triangles = n_triangles;
  DebyeStatusCode code = debye_stream_finish(&plan->stream, "making an isosurface", status);
  if (code == DEBYE_STATUS_OK && (mesh->positions == NULL || mesh->normals == NULL || mesh->indices == NULL))
    code = debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "Not enough memory for an isosurface.");
  if (code != DEBYE_STATUS_OK)
    debye_isosurface_clear(mesh);
  return code;
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, double level, const volatile bool *cancel, DebyeIsosurface *mesh,
        DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  DebyeStream *stream = &plan->stream;
  *mesh = DebyeIsosurface();
  if (!plan->has_map)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "There is no map yet.");
  const DebyeStatusCode code = debye_cuda_status(cudaSetDevice(plan->device), "choosing the device", status);
  if (code != DEBYE_STATUS_OK || !debye_isosurface_can_be(&plan->grid, level))
    return code;
  if (debye_is_cancelled(cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "An isosurface was stopped.");
  debye_isosurface_map_init(&plan->surface.map, &plan->grid, plan->values, level);
  number(plan);
  if (!debye_stream_is_good(stream) || plan->totals[0] == 0)
    return debye_stream_finish(stream, "making an isosurface", status);
  put_all(plan);
  return take(plan, mesh, status);
}

/* --- Plans --- */

static DebyeStatusCode
set_up(void *made, int device, const void *settings, DebyeStatus *status)
{
  Plan *plan = (Plan *)made;
  plan->device = device;
  plan->settings = *(const DebyeIsosurfaceSettings *)settings;
  const DebyeStatusCode code = debye_isosurface_settings_check(&plan->settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  const size_t *shape = plan->settings.shape;
  const size_t words = (shape[0] + 63) / 64;
  plan->surface.nx = (uint32_t)shape[0];
  plan->surface.ny = (uint32_t)shape[1];
  plan->surface.nz = (uint32_t)shape[2];
  plan->surface.words = (uint32_t)words;
  plan->surface.slice = (uint32_t)(words * shape[1]);
  return debye_cuda_status(debye_cuda_exclusive_sums(NULL, &plan->scratch_bytes, NULL, NULL,
                                                     (uint32_t)(2 * words * shape[1] * shape[2] + 1), NULL),
                           "preparing an isosurface", status);
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  Plan *plan = (Plan *)made;
  const size_t *shape = plan->settings.shape, n = (size_t)plan->surface.slice * shape[2];
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->values, shape[0] * shape[1] * shape[2]);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->bits, n);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->vertices, 2 * n + 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->triangles, n + 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->scratch_memory, plan->scratch_bytes);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->table, 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->surfaces, DEBYE_CELL_N_SURFACES);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->totals, 2);
  for (unsigned i = 0; i < STAGES; i++)
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->stages[i], STAGE_BYTES);
  /* A surface usually crosses a few words of a row. */
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &plan->positions, 3 * n, sizeof(float));
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &plan->normals, 3 * n, sizeof(float));
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &plan->indices, 6 * n, sizeof(uint32_t));
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  Plan *plan = (Plan *)made;
  DebyeStream *stream = &plan->stream;
  DebyeCellTable table = *debye_cell_table_get();
  debye_stream_open(stream);
  for (unsigned i = 0; i < STAGES; i++)
    debye_stream_new_event(stream, &plan->staged[i]);
  if (debye_stream_is_good(stream))
    debye_stream_note(stream, debye_cuda_upload(plan->surfaces, table.surfaces,
                                                DEBYE_CELL_N_SURFACES * sizeof *plan->surfaces));
  table.surfaces = plan->surfaces;
  if (debye_stream_is_good(stream))
    debye_stream_note(stream, debye_cuda_upload(plan->table, &table, sizeof table));
  plan->surface.table = plan->table;
  plan->surface.bits = plan->bits;
  plan->surface.vertices = plan->vertices;
  plan->surface.triangles = plan->triangles;
  return debye_stream_finish(stream, "preparing an isosurface", status);
}

static void
clear(void *made)
{
  Plan *plan = (Plan *)made;
  cudaSetDevice(plan->device);
  for (unsigned i = 0; i < STAGES; i++)
    debye_event_free(plan->staged[i]);
  debye_stream_close(&plan->stream);
}

DEBYE_PLAN(Plan, debye_cuda_memory_source, .prepare = prepare, .clear = clear)

extern "C" const DebyeIsosurfaceKernel debye_cuda_isosurface = {
    .head = {bytes_needed, create, destroy},
    .set_map = set_map,
    .execute = execute,
};
