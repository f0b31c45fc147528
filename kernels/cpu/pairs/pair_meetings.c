/* SPDX-License-Identifier: MIT */
/* Which tiles meet, in which images of the cell, and their pairs; its twin is cuda/pairs/pair_meetings.cuh. */
#include "pair_meetings.h"

static void
decide_doubts(const DebyePairMeeting *meeting, uint32_t other, const int *n, size_t n_doubts)
{
  const DebyePairTiles *tiles = &meeting->plan->tiles;
  const uint32_t *atoms_i = tiles->atom + (size_t)meeting->tile * tiles->layout.tile_atoms;
  const uint32_t *atoms_j = tiles->atom + (size_t)other * tiles->layout.tile_atoms;
  for (size_t d = 0; d < n_doubts; d++) {
    DebyePairDoubt doubt = meeting->scratch->doubts[d];
    double difference[3];
    debye_pair_difference(&tiles->layout.lattice, &tiles->place[3 * (size_t)atoms_i[doubt.i]],
                          &tiles->place[3 * (size_t)atoms_j[doubt.j]], n, difference);
    debye_pair_count_exact(meeting->plan, meeting->counts, debye_dot3(difference, difference), 1);
  }
}

/* How far a coordinate is outside of ±half. Not fmaxf, which is a call. */
static inline float
beyond(float x, float half)
{
  float gap = fabsf(x) - half;
  return gap > 0.0f ? gap : 0.0f;
}

/* Atoms i from the middle of j's tile, without those that have no atom of j's box in range. */
static void
choose_atoms(DebyePairBlock *block, const DebyePairMeeting *meeting, const DebyeTileBox *other,
             const double *between, float tolerance)
{
  const DebyePairTiles *tiles = &meeting->plan->tiles;
  const size_t first = (size_t)meeting->tile * tiles->layout.tile_atoms, n = tiles->n_atoms[meeting->tile];
  const float reach = (float)tiles->layout.reach + tolerance / (float)tiles->layout.bins_per_angstrom;
  const float limit2 = reach * reach * 1.00001f;
  float high[3], low[3], square[DEBYE_PAIR_MAX_TILE];
  for (int k = 0; k < 3; k++) {
    high[k] = (float)between[k];
    low[k] = (float)(between[k] - (double)high[k]);
  }
  /* All places of the tile, the empty ones too, so that the loop has whole vectors. */
  for (size_t i = 0; i < tiles->layout.tile_atoms; i++) {
    block->xi[i] = high[0] + (tiles->x[first + i] + low[0]);
    block->yi[i] = high[1] + (tiles->y[first + i] + low[1]);
    block->zi[i] = high[2] + (tiles->z[first + i] + low[2]);
    float dx = beyond(block->xi[i], other->half[0]), dy = beyond(block->yi[i], other->half[1]);
    float dz = beyond(block->zi[i], other->half[2]);
    square[i] = dx * dx + dy * dy + dz * dz;
  }
  size_t n_chosen = 0;
  for (size_t i = 0; i < n; i++) {
    block->xi[n_chosen] = block->xi[i];
    block->yi[n_chosen] = block->yi[i];
    block->zi[n_chosen] = block->zi[i];
    block->number[n_chosen] = (uint32_t)i;
    n_chosen += square[i] < limit2;
  }
  block->n_i = n_chosen;
}

static void
count_tiles(DebyePairMeeting *meeting, uint32_t other, const int *n, const double *between)
{
  const DebyeCpuPairPlan *plan = meeting->plan;
  const DebyePairTiles *tiles = &plan->tiles;
  const DebyePairLayout *layout = &tiles->layout;
  const DebyeTileBox *box = &tiles->box[other];
  const size_t first = (size_t)other * layout->tile_atoms, n_bins = plan->settings.n_bins;
  const float tolerance =
      debye_pair_tolerance(layout, between, tiles->box[meeting->tile].radius + box->radius);
  const double limit = ((double)n_bins + (double)tolerance) / layout->bins_per_angstrom;
  DebyePairBlock block;
  block.kind = DEBYE_PAIR_BLOCK_WHOLE;
  if (meeting->same_group && meeting->tile == other)
    block.kind = n[0] == 0 && n[1] == 0 && n[2] == 0 ? DEBYE_PAIR_BLOCK_UPPER : DEBYE_PAIR_BLOCK_NO_SELF;
  choose_atoms(&block, meeting, box, between, tolerance);
  block.n_j = tiles->n_atoms[other];
  block.x = tiles->x + first;
  block.y = tiles->y + first;
  block.z = tiles->z + first;
  block.scale = (float)layout->bins_per_angstrom;
  block.limit2 = (float)(limit * limit);
  block.clear = fmaxf(0.5f - tolerance, 0.0f);
  block.n_bins = (uint32_t)n_bins;
  for (unsigned copy = 0; copy < DEBYE_PAIR_COPIES; copy++)
    block.histogram[copy] =
        meeting->scratch->histogram + copy % debye_pair_copies(n_bins) * (n_bins + DEBYE_PAIR_WASTE);
  uint64_t n_new = (uint64_t)block.n_i * layout->tile_atoms;
  if (meeting->scratch->n_since + n_new > UINT32_MAX)
    debye_pair_scratch_empty(plan, meeting->scratch, meeting->counts);
  meeting->scratch->n_since += n_new;
  decide_doubts(meeting, other, n, plan->loops->count(&block, meeting->scratch->doubts));
}

typedef struct {
  int first, last;
} Range;

/* Boxes of `length` that [from, to] touches. */
static Range
touched(double from, double to, double inverse_length)
{
  return (Range){(int)floor(from * inverse_length), (int)floor(to * inverse_length)};
}

/* Columns that [from, to] touches; none where it passes by. */
static Range
columns_touched(double from, double to, double per_length, uint32_t n)
{
  Range range = {(int)fmin(fmax(floor(from * per_length), 0.0), (double)n),
                 (int)fmax(fmin(floor(to * per_length), (double)n - 1.0), -1.0)};
  return range;
}

/* The tiles of one image of the box, in the columns within reach. */
static void
meet_image(DebyePairMeeting *meeting, const int *n)
{
  const DebyePairTiles *tiles = &meeting->plan->tiles;
  const DebyePairLayout *layout = &tiles->layout;
  const DebyePairColumns *columns = &tiles->columns[meeting->group];
  const DebyeTileBox *box = &tiles->box[meeting->tile];
  double shift[3], from[3], to[3];
  debye_lattice_shift(&layout->lattice, n, shift);
  for (int k = 0; k < 3; k++) {
    double middle = box->middle[k] - shift[k] - layout->low[k], reach = (double)box->half[k] + layout->reach;
    from[k] = middle - reach;
    to[k] = middle + reach;
  }
  Range x = columns_touched(from[0], to[0], columns->per_x, columns->nx);
  Range y = columns_touched(from[1], to[1], columns->per_y, columns->ny);
  for (int cy = y.first; cy <= y.last; cy++)
    for (int cx = x.first; cx <= x.last; cx++) {
      size_t column = columns->first_column + (size_t)cx + (size_t)columns->nx * (size_t)cy;
      for (uint32_t other = tiles->column_tile[column]; other < tiles->column_tile[column + 1]; other++) {
        double between[3];
        if (meeting->same_group && !debye_pair_owns(meeting->tile, other, n))
          continue;
        for (int k = 0; k < 3; k++)
          between[k] = (box->middle[k] - tiles->box[other].middle[k]) - shift[k];
        if (debye_boxes_meet(between, box->half, tiles->box[other].half, layout->reach))
          count_tiles(meeting, other, n, between);
      }
    }
}

/* All images of the box that the tile's surroundings touch. */
void
debye_pair_meet_all(DebyePairMeeting *meeting)
{
  const DebyePairTiles *tiles = &meeting->plan->tiles;
  const DebyeLattice *lattice = &tiles->layout.lattice;
  const DebyeTileBox *box = &tiles->box[meeting->tile];
  double from[3], to[3];
  int n[3] = {0, 0, 0};
  if (!lattice->periodic) {
    meet_image(meeting, n);
    return;
  }
  for (int k = 0; k < 3; k++) {
    from[k] = box->middle[k] - (double)box->half[k] - tiles->layout.reach;
    to[k] = box->middle[k] + (double)box->half[k] + tiles->layout.reach;
  }
  Range c = touched(from[2], to[2], lattice->inverse[2]);
  for (n[2] = c.first; n[2] <= c.last; n[2]++) {
    double y = n[2] * lattice->vector[2][1];
    Range b = touched(from[1] - y, to[1] - y, lattice->inverse[1]);
    for (n[1] = b.first; n[1] <= b.last; n[1]++) {
      double x = n[2] * lattice->vector[2][0] + n[1] * lattice->vector[1][0];
      Range a = touched(from[0] - x, to[0] - x, lattice->inverse[0]);
      for (n[0] = a.first; n[0] <= a.last; n[0]++)
        meet_image(meeting, n);
    }
  }
}
