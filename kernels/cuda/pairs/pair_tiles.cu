/* SPDX-License-Identifier: MIT */
/* A frame's atoms put into tiles on the device; its twin is cpu/pairs/pair_tiles.c, and both give the same
 * tiles. */
#include "pair_plan.cuh"

#include "kernels/cuda/common/device_sort.cuh"

/* Places and sort keys; atoms of no group get the last key of all. `chosen`: where an atom's position is; NULL: at its number. */
static __global__ void
place_atoms(const __grid_constant__ DebyePairLayout layout, const DebyePairColumns *columns,
            uint32_t n_groups, const float *x, const float *y, const float *z, const uint32_t *chosen,
            const uint32_t *group, uint32_t n, double *place, uint64_t *key, uint32_t *atom)
{
  const uint32_t i = blockIdx.x * DEBYE_TILES_THREADS + threadIdx.x;
  if (i >= n)
    return;
  const uint32_t mine = group != nullptr ? group[i] : 0;
  atom[i] = i;
  key[i] = ~UINT64_C(0);
  if (mine >= n_groups)
    return;
  double at[3];
  const uint32_t from = chosen != nullptr ? chosen[i] : i;
  debye_lattice_place(&layout.lattice, x[from], y[from], z[from], at);
  for (int k = 0; k < 3; k++)
    place[3 * (size_t)i + k] = at[k];
  key[i] = debye_pair_key(&layout, &columns[mine], at);
}

/* Where each column's atoms begin in the sorted list: each atom that is the first of its column says so for
 * it and for the empty columns before it, the last one for those behind. */
static __global__ void
find_columns(const uint64_t *key, uint32_t n_sorted, uint32_t n_columns, uint32_t *column_atom)
{
  const uint32_t i = blockIdx.x * DEBYE_TILES_THREADS + threadIdx.x;
  if (i > n_sorted)
    return;
  const uint32_t from = i == 0 ? 0 : (uint32_t)(key[i - 1] >> DEBYE_PAIR_HEIGHT_BITS) + 1;
  const uint32_t to = i == n_sorted ? n_columns : (uint32_t)(key[i] >> DEBYE_PAIR_HEIGHT_BITS);
  for (uint32_t column = from; column <= to; column++)
    column_atom[column] = i;
}

static __global__ void
count_tiles_of_columns(const uint32_t *column_atom, uint32_t n_columns, uint32_t tile_atoms,
                       uint32_t *n_tiles)
{
  const uint32_t column = blockIdx.x * DEBYE_TILES_THREADS + threadIdx.x;
  if (column <= n_columns)
    n_tiles[column] = column < n_columns
                          ? (column_atom[column + 1] - column_atom[column] + tile_atoms - 1) / tile_atoms
                          : 0;
}

/* The first tile of each group, for the host. */
static __global__ void
gather_group_tiles(const DebyePairColumns *columns, uint32_t n_groups, const uint32_t *column_tile,
                   uint32_t n_columns, uint32_t *group_tile)
{
  for (uint32_t g = threadIdx.x; g <= n_groups; g += DEBYE_TILES_THREADS)
    group_tile[g] = column_tile[g < n_groups ? columns[g].first_column : n_columns];
}

static __device__ __forceinline__ uint32_t
column_of_tile(const uint32_t *column_tile, uint32_t n_columns, uint32_t tile)
{
  uint32_t low = 0, high = n_columns;
  while (high - low > 1) {
    const uint32_t middle = (low + high) / 2;
    if (column_tile[middle] <= tile)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* One warp a tile: its box, and its atoms relative to the middle. */
static __global__ void
fill_tiles(uint32_t tile_atoms, const uint32_t *column_tile, const uint32_t *column_atom, uint32_t n_columns,
           const uint32_t *sorted, const double *place, DebyeTileBox *box, uint32_t *n_atoms, float4 *slots,
           uint32_t *atom)
{
  const uint32_t tile = (blockIdx.x * DEBYE_TILES_THREADS + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (tile >= column_tile[n_columns])
    return;
  const uint32_t column = column_of_tile(column_tile, n_columns, tile);
  const uint32_t first = column_atom[column] + (tile - column_tile[column]) * tile_atoms;
  const uint32_t n = min(tile_atoms, column_atom[column + 1] - first);
  double low[3] = {1e300, 1e300, 1e300}, high[3] = {-1e300, -1e300, -1e300};
  for (uint32_t i = lane; i < n; i += 32)
    for (int k = 0; k < 3; k++) {
      const double x = place[3 * (size_t)sorted[first + i] + k];
      low[k] = fmin(low[k], x);
      high[k] = fmax(high[k], x);
    }
  DebyeTileBox mine;
  double square = 0.0;
  for (int k = 0; k < 3; k++) {
    for (int step = 16; step > 0; step /= 2) {
      low[k] = fmin(low[k], __shfl_xor_sync(~0u, low[k], step));
      high[k] = fmax(high[k], __shfl_xor_sync(~0u, high[k], step));
    }
    mine.middle[k] = 0.5 * (low[k] + high[k]);
    mine.half[k] = (float)(0.5000001 * (high[k] - low[k]) + 1e-9);
    square += (double)mine.half[k] * (double)mine.half[k];
  }
  mine.radius = (float)(1.0000001 * sqrt(square));
  if (lane == 0) {
    box[tile] = mine;
    n_atoms[tile] = n;
  }
  for (uint32_t i = lane; i < tile_atoms; i += 32) {
    const size_t slot = (size_t)tile * tile_atoms + i;
    float4 at = make_float4(DEBYE_PAIR_NOWHERE, DEBYE_PAIR_NOWHERE, DEBYE_PAIR_NOWHERE, 0.0f);
    uint32_t who = UINT32_MAX;
    if (i < n) {
      who = sorted[first + i];
      const double *p = place + 3 * (size_t)who;
      at = make_float4((float)(p[0] - mine.middle[0]), (float)(p[1] - mine.middle[1]),
                       (float)(p[2] - mine.middle[2]), 0.0f);
    }
    slots[slot] = at;
    atom[slot] = who;
  }
}

static void
copy_groups(DebyeCudaPairPlan *plan, const DebyePairFrame *frame)
{
  const size_t bytes = frame->n * sizeof(uint32_t);
  if (frame->groups_number != 0 && frame->groups_number == plan->groups_number)
    return;
  if (frame->group != NULL)
    debye_stream_upload(&plan->stream, plan->group, frame->group, bytes);
  else
    debye_stream_clear(&plan->stream, plan->group, bytes);
  if (frame->atoms != NULL && plan->settings.max_packed_atoms > 0)
    debye_stream_upload(&plan->stream, plan->chosen, frame->atoms, bytes);
}

static void
copy_frame(DebyeCudaPairPlan *plan, const DebyePairFrame *frame)
{
  const float *const from[3] = {frame->x, frame->y, frame->z};
  const size_t n = frame->n;
  if (frame->packed != NULL)
    debye_cuda_packed_unpack(&plan->packed, frame->packed, &plan->stream);
  for (int k = 0; k < 3 && frame->packed == NULL; k++)
    debye_stream_upload(&plan->stream, plan->xyz + k * n, from[k], n * sizeof(float));
  copy_groups(plan, frame);
  debye_stream_upload(&plan->stream, plan->columns, plan->columns_host,
                      plan->settings.n_groups * sizeof *plan->columns);
}

/* Sorted by key; those of no group, whose key is the largest, at the end. */
static void
sort_atoms(DebyeCudaPairPlan *plan, const DebyePairFrame *frame)
{
  const DebyePairLayout *layout = &plan->launch.layout;
  const uint32_t n = (uint32_t)frame->n;
  const float *x = frame->packed != NULL ? plan->packed.xyz : plan->xyz;
  const size_t stride = frame->packed != NULL ? frame->packed->n_atoms : n;
  const uint32_t *chosen = frame->packed != NULL && frame->atoms != NULL ? plan->chosen : NULL;
  size_t bytes = plan->temporary_bytes;
  int bits = DEBYE_PAIR_HEIGHT_BITS;
  while ((uint64_t)layout->n_columns >> (bits - DEBYE_PAIR_HEIGHT_BITS) > 0)
    bits++;
  if (!debye_stream_is_good(&plan->stream))
    return;
  place_atoms<<<debye_cuda_pair_blocks(n, DEBYE_TILES_THREADS), DEBYE_TILES_THREADS, 0,
                plan->stream.handle>>>(*layout, plan->columns, (uint32_t)plan->settings.n_groups, x,
                                       x + stride, x + 2 * stride, chosen, plan->group, n, plan->place,
                                       plan->key, plan->order);
  debye_stream_note_launch(&plan->stream);
  /* One bit more, for the largest key. */
  debye_stream_note(&plan->stream, debye_cuda_sort_pairs_64(plan->temporary, &bytes, plan->key,
                                                            plan->key_sorted, plan->order, plan->order_sorted,
                                                            n, bits + 1, plan->stream.handle));
}

static void
make_tiles(DebyeCudaPairPlan *plan, uint32_t n_sorted)
{
  const DebyePairLayout *layout = &plan->launch.layout;
  const uint32_t columns = layout->n_columns;
  const uint64_t tiles = (uint64_t)n_sorted / layout->tile_atoms + columns;
  const cudaStream_t stream = plan->stream.handle;
  size_t bytes = plan->temporary_bytes;
  if (!debye_stream_is_good(&plan->stream))
    return;
  find_columns<<<debye_cuda_pair_blocks((uint64_t)n_sorted + 1, DEBYE_TILES_THREADS), DEBYE_TILES_THREADS, 0,
                 stream>>>(plan->key_sorted, n_sorted, columns, plan->column_atom);
  count_tiles_of_columns<<<debye_cuda_pair_blocks((uint64_t)columns + 1, DEBYE_TILES_THREADS),
                           DEBYE_TILES_THREADS, 0, stream>>>(plan->column_atom, columns, layout->tile_atoms,
                                                             plan->n_tiles_of);
  debye_stream_note_launch(&plan->stream);
  debye_stream_note(&plan->stream, debye_cuda_exclusive_sums(plan->temporary, &bytes, plan->n_tiles_of,
                                                             plan->column_tile, columns + 1, stream));
  fill_tiles<<<debye_cuda_pair_blocks(32 * tiles, DEBYE_TILES_THREADS), DEBYE_TILES_THREADS, 0, stream>>>(
      layout->tile_atoms, plan->column_tile, plan->column_atom, columns, plan->order_sorted, plan->place,
      plan->box, plan->n_atoms, plan->slots, plan->atom);
  gather_group_tiles<<<1, DEBYE_TILES_THREADS, 0, stream>>>(
      plan->columns, (uint32_t)plan->settings.n_groups, plan->column_tile, columns, plan->group_tile_device);
  debye_stream_note_launch(&plan->stream);
}

void
debye_cuda_pair_set_tiles(DebyeCudaPairPlan *plan, const DebyePairFrame *frame, uint32_t n_sorted)
{
  copy_frame(plan, frame);
  sort_atoms(plan, frame);
  make_tiles(plan, n_sorted);
  debye_stream_download(&plan->stream, plan->group_tile, plan->group_tile_device,
                        (plan->settings.n_groups + 1) * sizeof *plan->group_tile);
}
