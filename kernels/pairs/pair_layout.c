/* SPDX-License-Identifier: MIT */
/* Implementation of pair_layout.h: a frame's columns and the size of its tiles; called by both back ends. */
#include "pair_layout.h"

#include <string.h>

#include "kernels/unpacking.h"

/* Tiles of a column at least, on average: each column's last tile is half empty. */
#define TILES_A_COLUMN 3
/* Tiles of a group at least, where there are atoms enough for it. */
#define TILES_A_GROUP 8
/* A tile is at most so many r_max wide, so that not too many of the pairs looked at are out of range, and one
 * of the largest less: measured. */
#define WIDEST_TILE 1.05
#define WIDEST_LARGEST_TILE 0.85
#define MAX_FEW_GROUPS 64
#define SMALLEST_TILE 32
#define LARGEST_TILE 128

static bool
is_usable(float x)
{
  return fabsf(x) <= (float)DEBYE_PAIR_FARTHEST;
}

static DebyeStatusCode
check_cell(const DebyePairSettings *settings, const DebyeCell *cell, DebyeStatus *status)
{
  DebyeLattice lattice;
  if (!debye_lattice_init(&lattice, cell))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "The cell's vectors span no volume, so that it has no periodic images.");
  for (int axis = 0; axis < 3 && lattice.periodic; axis++)
    if (settings->r_max > DEBYE_PAIR_MAX_IMAGES * lattice.vector[axis][axis])
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "The largest distance, %g Å, is more than %d times the cell's width of %g Å.",
                              settings->r_max, DEBYE_PAIR_MAX_IMAGES, lattice.vector[axis][axis]);
  return debye_status_ok(status);
}

/* Whoever takes part. Pieces of a fixed length become vector instructions at any level of optimisation. */
static bool
all_usable(const float *x, size_t n)
{
  enum { PIECE = 16 };
  uint32_t bad[PIECE] = {0};
  size_t i = 0;
  for (; i + PIECE <= n; i += PIECE)
    for (size_t k = 0; k < PIECE; k++)
      bad[k] |= !(fabsf(x[i + k]) <= (float)DEBYE_PAIR_FARTHEST);
  for (; i < n; i++)
    bad[0] |= !(fabsf(x[i]) <= (float)DEBYE_PAIR_FARTHEST);
  for (size_t k = 1; k < PIECE; k++)
    bad[0] |= bad[k];
  return bad[0] == 0;
}

/* In several tables: neighbours are often of one group, and each would wait for the sum of the one before. */
static void
count_few_groups(const uint32_t *group, size_t n, uint32_t n_groups, uint64_t *group_size)
{
  enum { TABLES = 4 };
  uint64_t sizes[TABLES][MAX_FEW_GROUPS + 1] = {0}; /* the last: atoms of no group */
  for (size_t i = 0; i < n; i++)
    sizes[i % TABLES][group[i] < n_groups ? group[i] : n_groups]++;
  for (size_t t = 0; t < TABLES; t++)
    for (uint32_t g = 0; g < n_groups; g++)
      group_size[g] += sizes[t][g];
}

static void
count_groups(const DebyePairSettings *settings, const DebyePairFrame *frame, DebyePairScan *scan)
{
  if (frame->group == NULL) {
    scan->group_size[0] = frame->n;
    return;
  }
  if (settings->n_groups <= MAX_FEW_GROUPS) {
    count_few_groups(frame->group, frame->n, (uint32_t)settings->n_groups, scan->group_size);
    return;
  }
  for (size_t i = 0; i < frame->n; i++)
    if (frame->group[i] < settings->n_groups)
      scan->group_size[frame->group[i]]++;
}

static void
widen(DebyePairScan *scan, const float place[3], bool first)
{
  for (int k = 0; k < 3; k++) {
    scan->low[k] = first ? place[k] : fminf(scan->low[k], place[k]);
    scan->high[k] = first ? place[k] : fmaxf(scan->high[k], place[k]);
  }
}

static DebyeStatusCode
scan_atoms(const DebyePairSettings *settings, const DebyePairFrame *frame, DebyePairScan *scan,
           DebyeStatus *status)
{
  bool first = true;
  for (size_t i = 0; i < frame->n; i++) {
    uint32_t group = frame->group != NULL ? frame->group[i] : 0;
    const float place[3] = {frame->x[i], frame->y[i], frame->z[i]};
    if (group >= settings->n_groups)
      continue;
    if (!is_usable(place[0]) || !is_usable(place[1]) || !is_usable(place[2]))
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "Atom %zu has no usable position: (%g, %g, %g) Å.",
                              (frame->atoms != NULL ? frame->atoms[i] : i) + 1, (double)place[0],
                              (double)place[1], (double)place[2]);
    scan->group_size[group]++;
    widen(scan, place, first);
    first = false;
  }
  return debye_status_ok(status);
}

DebyeStatusCode
debye_pair_frame_check(const DebyePairSettings *settings, const DebyePairFrame *frame, DebyeStatus *status)
{
  if (frame->n > settings->max_atoms)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "%zu atoms were given; the plan holds at most %zu.",
                            frame->n, settings->max_atoms);
  if (frame->packed != NULL) {
    if (frame->cell == NULL)
      return debye_status_set(status, DEBYE_STATUS_INVALID, "A packed frame needs a cell.");
    const DebyeStatusCode code = debye_packed_check(frame->packed, settings->max_packed_atoms, status);
    if (code != DEBYE_STATUS_OK)
      return code;
    if (frame->n > frame->packed->n_atoms)
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "The packed frame has %zu atoms; %zu were asked for.", frame->packed->n_atoms,
                              frame->n);
  }
  return check_cell(settings, frame->cell, status);
}

/* Whether nothing needs to be known of single atoms: the cell is the box. */
static bool
has_usable_atoms(const DebyePairFrame *frame)
{
  return frame->packed != NULL || (frame->cell != NULL && all_usable(frame->x, frame->n) &&
                                   all_usable(frame->y, frame->n) && all_usable(frame->z, frame->n));
}

DebyeStatusCode
debye_pair_scan(const DebyePairSettings *settings, const DebyePairFrame *frame, DebyePairScan *scan,
                DebyeStatus *status)
{
  const bool are_counted = frame->groups_number != 0 && frame->groups_number == scan->groups_number;
  scan->groups_number = 0;
  memset(scan->low, 0, sizeof scan->low);
  memset(scan->high, 0, sizeof scan->high);
  DebyeStatusCode code = debye_pair_frame_check(settings, frame, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  if (!are_counted)
    memset(scan->group_size, 0, settings->n_groups * sizeof *scan->group_size);
  if (frame->n == 0)
    return code;
  if (has_usable_atoms(frame)) {
    if (!are_counted)
      count_groups(settings, frame, scan);
    scan->groups_number = frame->groups_number;
    return debye_status_ok(status);
  }
  memset(scan->group_size, 0, settings->n_groups * sizeof *scan->group_size);
  return scan_atoms(settings, frame, scan, status);
}

/* In an open system the longest side of the bounding box is made the columns' height. */
static void
set_open_box(DebyePairLayout *layout, const DebyePairScan *scan)
{
  int order[3] = {0, 1, 2};
  double length[3];
  for (int k = 0; k < 3; k++)
    length[k] = (double)scan->high[k] - (double)scan->low[k];
  for (int i = 0; i < 2; i++)
    if (length[order[i]] > length[order[2]]) {
      int longest = order[i];
      order[i] = order[2];
      order[2] = longest;
    }
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++)
      layout->lattice.axis[i][k] = k == order[i] ? 1.0 : 0.0;
    layout->low[i] = (double)scan->low[order[i]];
    /* Atoms in one plane, or one atom, have a box too. */
    layout->length[i] = fmax(length[order[i]], 1e-3);
  }
}

static void
set_box(DebyePairLayout *layout, const DebyePairScan *scan)
{
  for (int k = 0; k < 3 && layout->lattice.periodic; k++) {
    layout->low[k] = 0.0;
    layout->length[k] = layout->lattice.vector[k][k];
  }
  if (!layout->lattice.periodic)
    set_open_box(layout, scan);
  layout->height_scale = (double)(1 << DEBYE_PAIR_HEIGHT_BITS) / layout->length[2];
}

/* The edge of the cube that holds so many atoms of a group. */
static double
cube_edge(const DebyePairLayout *layout, uint64_t n_atoms, double n)
{
  return cbrt(layout->length[0] * layout->length[1] * layout->length[2] * n / (double)n_atoms);
}

static double
widest(unsigned tile_atoms)
{
  return tile_atoms == LARGEST_TILE ? WIDEST_LARGEST_TILE : WIDEST_TILE;
}

/* By the largest group, which has most of the pairs. */
static unsigned
choose_tile(const DebyePairLayout *layout, const DebyePairSettings *settings, const DebyePairScan *scan)
{
  uint64_t n = 1;
  for (size_t g = 0; g < settings->n_groups; g++)
    n = scan->group_size[g] > n ? scan->group_size[g] : n;
  unsigned tile = LARGEST_TILE;
  while (tile > SMALLEST_TILE &&
         (n < (uint64_t)TILES_A_GROUP * tile || cube_edge(layout, n, tile) > widest(tile) * settings->r_max))
    tile /= 2;
  return tile;
}

static uint64_t
max_columns_of(uint64_t n_atoms, unsigned tile_atoms)
{
  uint64_t columns = n_atoms / ((uint64_t)TILES_A_COLUMN * tile_atoms);
  return columns > 0 ? columns : 1;
}

/* As square as the box allows, and not more than leaves columns with tiles enough. */
static void
set_columns(const DebyePairLayout *layout, DebyePairColumns *columns)
{
  uint64_t max_columns = max_columns_of(columns->n_atoms, layout->tile_atoms);
  double edge = columns->n_atoms > 0 ? cube_edge(layout, columns->n_atoms, layout->tile_atoms) : 1e300;
  double nx = fmax(floor(layout->length[0] / edge + 0.5), 1.0);
  double ny = fmax(floor(layout->length[1] / edge + 0.5), 1.0);
  if (nx * ny > (double)max_columns) {
    double shrink = sqrt((double)max_columns / (nx * ny));
    nx = fmin(fmax(floor(nx * shrink), 1.0), (double)max_columns);
    ny = fmin(fmax(floor(ny * shrink), 1.0), floor((double)max_columns / nx));
  }
  columns->nx = (uint32_t)nx;
  columns->ny = (uint32_t)ny;
  columns->per_x = nx / layout->length[0];
  columns->per_y = ny / layout->length[1];
}

void
debye_pair_layout_set(DebyePairLayout *layout, DebyePairColumns *columns, const DebyePairSettings *settings,
                      const DebyePairFrame *frame, const DebyePairScan *scan)
{
  *layout = (DebyePairLayout){.r_max = settings->r_max};
  debye_lattice_init(&layout->lattice, frame->cell);
  set_box(layout, scan);
  layout->reach =
      settings->r_max * (1.0 + 1e-6) + 1e-9 * (layout->length[0] + layout->length[1] + layout->length[2]);
  layout->bins_per_angstrom = (double)settings->n_bins / settings->r_max;
  layout->nearest_only = settings->images == DEBYE_PAIR_IMAGES_NEAREST && layout->lattice.periodic &&
                         2.0 * settings->r_max > layout->lattice.shortest * (1.0 - 1e-12);
  layout->tile_atoms = settings->tile_atoms > 0 ? settings->tile_atoms : choose_tile(layout, settings, scan);
  for (size_t g = 0; g < settings->n_groups; g++) {
    columns[g] = (DebyePairColumns){.n_atoms = scan->group_size[g], .first_column = layout->n_columns};
    set_columns(layout, &columns[g]);
    layout->n_columns += columns[g].nx * columns[g].ny;
  }
}

static unsigned
smallest_tile(const DebyePairSettings *settings)
{
  return settings->tile_atoms > 0 ? settings->tile_atoms : SMALLEST_TILE;
}

uint64_t
debye_pair_max_columns(const DebyePairSettings *settings)
{
  return settings->max_atoms / ((uint64_t)TILES_A_COLUMN * smallest_tile(settings)) + settings->n_groups;
}

uint64_t
debye_pair_max_tiles(const DebyePairSettings *settings, unsigned tile_atoms)
{
  return settings->max_atoms / tile_atoms + settings->max_atoms / ((uint64_t)TILES_A_COLUMN * tile_atoms) +
         2 * settings->n_groups;
}

uint64_t
debye_pair_max_slots(const DebyePairSettings *settings)
{
  unsigned largest = settings->tile_atoms > 0 ? settings->tile_atoms : LARGEST_TILE;
  uint64_t slots = 0;
  for (unsigned tile = smallest_tile(settings); tile <= largest; tile *= 2) {
    uint64_t n = debye_pair_max_tiles(settings, tile) * tile;
    slots = n > slots ? n : slots;
  }
  return slots;
}
