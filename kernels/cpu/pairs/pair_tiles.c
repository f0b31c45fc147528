/* SPDX-License-Identifier: MIT */
/* Atoms placed, sorted by radix, cut into tiles; its twin is cuda/pairs/pair_tiles.cu. */
#include "pair_tiles.h"

#include <string.h>

#define CHUNK_ATOMS 16384
#define CHUNK_TILES 128
#define DIGIT_BITS 12
#define N_DIGITS (1u << DIGIT_BITS)

void
debye_pair_tiles_list(DebyePairTiles *tiles, const DebyePairSettings *settings, DebyePlanMemory *memory)
{
  const uint64_t atoms = settings->max_atoms, groups = settings->n_groups,
                 slots = debye_pair_max_slots(settings);
  const uint64_t n_tiles =
      debye_pair_max_tiles(settings, settings->tile_atoms > 0 ? settings->tile_atoms : 32);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, tiles->columns, groups);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, tiles->group_tile, groups + 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, tiles->column_tile, debye_pair_max_columns(settings) + 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, tiles->box, n_tiles);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, tiles->x, slots);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, tiles->y, slots);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, tiles->z, slots);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, tiles->atom, slots);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, tiles->n_atoms, n_tiles);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, tiles->place, 3 * atoms);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, tiles->group, atoms);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, tiles->scan.group_size, groups);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, tiles->sorted, atoms);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, tiles->spare, atoms);
}

typedef struct {
  DebyePairTiles *tiles;
  const DebyePairFrame *frame;
  size_t n_groups;
} Placing;

static void
place_chunk(void *context, size_t chunk)
{
  const Placing *placing = context;
  const DebyePairFrame *frame = placing->frame;
  DebyePairTiles *tiles = placing->tiles;
  size_t end = (chunk + 1) * CHUNK_ATOMS < frame->n ? (chunk + 1) * CHUNK_ATOMS : frame->n;
  for (size_t i = chunk * CHUNK_ATOMS; i < end; i++) {
    uint32_t group = frame->group != NULL ? frame->group[i] : 0;
    tiles->group[i] = group;
    tiles->spare[i].atom = (uint32_t)i;
    if (group >= placing->n_groups)
      continue;
    debye_lattice_place(&tiles->layout.lattice, frame->x[i], frame->y[i], frame->z[i], &tiles->place[3 * i]);
    tiles->spare[i].key = debye_pair_key(&tiles->layout, &tiles->columns[group], &tiles->place[3 * i]);
  }
}

/* Atoms of no group leave the list. */
static size_t
gather(DebyePairTiles *tiles, size_t n_groups)
{
  size_t n = 0;
  for (size_t i = 0; i < tiles->n_frame; i++)
    if (tiles->group[i] < n_groups)
      tiles->spare[n++] = tiles->spare[i];
  return n;
}

static void
swap_lists(DebyePairTiles *tiles)
{
  DebyeKeyedAtom *list = tiles->sorted;
  tiles->sorted = tiles->spare;
  tiles->spare = list;
}

/* Stable, so that equal keys stay in the atoms' order on every device. */
static void
sort_atoms(DebyePairTiles *tiles)
{
  unsigned bits = DEBYE_PAIR_HEIGHT_BITS;
  while (((uint64_t)tiles->layout.n_columns << DEBYE_PAIR_HEIGHT_BITS) >> bits > 0)
    bits++;
  for (unsigned shift = 0; shift < bits; shift += DIGIT_BITS) {
    size_t count[N_DIGITS] = {0}, before = 0;
    for (size_t i = 0; i < tiles->n_sorted; i++)
      count[(tiles->sorted[i].key >> shift) % N_DIGITS]++;
    for (size_t digit = 0; digit < N_DIGITS; digit++) {
      size_t n = count[digit];
      count[digit] = before;
      before += n;
    }
    for (size_t i = 0; i < tiles->n_sorted; i++)
      tiles->spare[count[(tiles->sorted[i].key >> shift) % N_DIGITS]++] = tiles->sorted[i];
    swap_lists(tiles);
  }
}

static void
number_tiles(DebyePairTiles *tiles, size_t n_groups)
{
  const unsigned tile_atoms = tiles->layout.tile_atoms;
  size_t at = 0, tile = 0;
  for (uint32_t column = 0; column < tiles->layout.n_columns; column++) {
    size_t first = at;
    tiles->column_tile[column] = (uint32_t)tile;
    while (at < tiles->n_sorted && tiles->sorted[at].key >> DEBYE_PAIR_HEIGHT_BITS == column)
      at++;
    for (size_t left = at - first; left > 0; tile++) {
      tiles->n_atoms[tile] = (uint32_t)(left < tile_atoms ? left : tile_atoms);
      left -= tiles->n_atoms[tile];
    }
  }
  tiles->column_tile[tiles->layout.n_columns] = (uint32_t)tile;
  for (size_t g = 0; g < n_groups; g++)
    tiles->group_tile[g] = tiles->column_tile[tiles->columns[g].first_column];
  tiles->group_tile[n_groups] = (uint32_t)tile;
  tiles->n_tiles = tile;
}

/* Where each tile's atoms begin in the sorted list is written where its first atom will be. */
static void
find_tiles(DebyePairTiles *tiles)
{
  uint32_t at = 0;
  for (size_t tile = 0; tile < tiles->n_tiles; tile++) {
    tiles->atom[tile * tiles->layout.tile_atoms] = at;
    at += tiles->n_atoms[tile];
  }
}

static void
set_tile_box(DebyePairTiles *tiles, size_t tile, const DebyeKeyedAtom *atoms)
{
  double low[3], high[3], square = 0.0;
  memcpy(low, &tiles->place[3 * (size_t)atoms[0].atom], sizeof low);
  memcpy(high, low, sizeof high);
  for (size_t i = 1; i < tiles->n_atoms[tile]; i++)
    for (size_t k = 0; k < 3; k++) {
      double x = tiles->place[3 * (size_t)atoms[i].atom + k];
      low[k] = fmin(low[k], x);
      high[k] = fmax(high[k], x);
    }
  DebyeTileBox *box = &tiles->box[tile];
  for (int k = 0; k < 3; k++) {
    box->middle[k] = 0.5 * (low[k] + high[k]);
    box->half[k] = (float)(0.5000001 * (high[k] - low[k]) + 1e-9);
    square += (double)box->half[k] * (double)box->half[k];
  }
  box->radius = (float)(1.0000001 * sqrt(square));
}

static void
fill_tiles(void *context, size_t chunk)
{
  DebyePairTiles *tiles = context;
  const size_t tile_atoms = tiles->layout.tile_atoms;
  size_t end = (chunk + 1) * CHUNK_TILES < tiles->n_tiles ? (chunk + 1) * CHUNK_TILES : tiles->n_tiles;
  for (size_t tile = chunk * CHUNK_TILES; tile < end; tile++) {
    size_t first = tile * tile_atoms;
    const DebyeKeyedAtom *atoms = tiles->sorted + tiles->atom[first];
    set_tile_box(tiles, tile, atoms);
    for (size_t i = 0; i < tile_atoms; i++) {
      bool empty = i >= tiles->n_atoms[tile];
      const double *place = empty ? NULL : &tiles->place[3 * (size_t)atoms[i].atom];
      tiles->atom[first + i] = empty ? UINT32_MAX : atoms[i].atom;
      tiles->x[first + i] = empty ? DEBYE_PAIR_NOWHERE : (float)(place[0] - tiles->box[tile].middle[0]);
      tiles->y[first + i] = empty ? DEBYE_PAIR_NOWHERE : (float)(place[1] - tiles->box[tile].middle[1]);
      tiles->z[first + i] = empty ? DEBYE_PAIR_NOWHERE : (float)(place[2] - tiles->box[tile].middle[2]);
    }
  }
}

DebyeStatusCode
debye_pair_tiles_set(DebyePairTiles *tiles, const DebyePairSettings *settings, const DebyePairFrame *frame,
                     DebyePool *pool, DebyeStatus *status)
{
  tiles->n_tiles = 0;
  DebyeStatusCode code = debye_pair_scan(settings, frame, &tiles->scan, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  debye_pair_layout_set(&tiles->layout, tiles->columns, settings, frame, &tiles->scan);
  tiles->n_frame = frame->n;
  Placing placing = {tiles, frame, settings->n_groups};
  debye_parallel_for(pool, (frame->n + CHUNK_ATOMS - 1) / CHUNK_ATOMS, place_chunk, &placing, NULL);
  tiles->n_sorted = gather(tiles, settings->n_groups);
  swap_lists(tiles);
  sort_atoms(tiles);
  number_tiles(tiles, settings->n_groups);
  find_tiles(tiles);
  debye_parallel_for(pool, (tiles->n_tiles + CHUNK_TILES - 1) / CHUNK_TILES, fill_tiles, tiles, NULL);
  return debye_status_ok(status);
}

double
debye_pair_tiles_nearest(const DebyePairTiles *tiles, size_t i, size_t j)
{
  size_t first = i < j ? i : j, second = i < j ? j : i;
  return debye_pair_nearest(&tiles->layout.lattice, &tiles->place[3 * first], &tiles->place[3 * second]);
}
