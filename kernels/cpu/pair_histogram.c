/* SPDX-License-Identifier: MIT */
/* Pair histograms on the CPU; its twin is cuda/pair_histogram.cu.
 *
 * A chunk of work is a few tasks (pair_layout.h) of one pair of groups. They are counted into a histogram of
 * 32 bits that stays in first-level cache and is added to the total at the end of the chunk. */
#include "pair_histogram.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "pair_block.h"
#include "pair_tiles.h"
#include "potential_direct.h"

/* Chunks a thread at least, so that all end together; tasks a chunk at most. */
#define CHUNKS_A_THREAD 16
#define MAX_CHUNK_TASKS 32
/* With more bins the copies would not stay in the caches: then there is one. */
#define MAX_COPIED_BINS 4096
/* Members of classes and lists of an exclusion in one chunk. */
#define EXCLUSION_CHUNK 1024

/* What one thread writes. */
typedef struct {
  uint32_t *histogram; /* DEBYE_PAIR_COPIES × (n_bins + DEBYE_PAIR_WASTE) */
  DebyePairDoubt *doubts;
  uint64_t n_since; /* pairs since the histogram was emptied */
} Scratch;

typedef struct {
  DebyePairSettings settings;
  DebyeGroupPair *pairs;
  double *edge2;
  DebyePairBins bins;
  uint32_t *histogram_of; /* of groups (a, b), n_groups × n_groups; n_pairs where none was asked for */
  size_t *first_task;     /* of each pair; one entry more */
  DebyePool *pool;
  DebyePairBlockCount count_block;
  DebyePairTiles tiles;
  pthread_mutex_t mutex; /* the list of free scratch */
  Scratch **free_scratch;
  Scratch *scratch;
  unsigned n_threads, n_free;
} Plan;

/* One call of execute, shared by its chunks. */
typedef struct {
  Plan *plan;
  uint64_t *counts;
  size_t begin, end; /* tasks */
  size_t chunk_tasks;
  size_t begin_excluded, end_excluded;
} Execution;

/* A tile and the group whose tiles it meets. */
typedef struct {
  const Plan *plan;
  Scratch *scratch;
  uint64_t *counts; /* of the pair of groups */
  uint32_t tile, group;
  bool same_group;
} Meeting;

static unsigned
n_copies(size_t n_bins)
{
  return n_bins <= MAX_COPIED_BINS ? DEBYE_PAIR_COPIES : 1;
}

/* Scratch. */

static size_t
histogram_length(size_t n_bins)
{
  return n_copies(n_bins) * (n_bins + DEBYE_PAIR_WASTE);
}

static Scratch *
take_scratch(Plan *plan)
{
  pthread_mutex_lock(&plan->mutex);
  Scratch *scratch = plan->free_scratch[--plan->n_free];
  pthread_mutex_unlock(&plan->mutex);
  return scratch;
}

static void
give_scratch(Plan *plan, Scratch *scratch)
{
  pthread_mutex_lock(&plan->mutex);
  plan->free_scratch[plan->n_free++] = scratch;
  pthread_mutex_unlock(&plan->mutex);
}

static void
empty_scratch(const Plan *plan, Scratch *scratch, uint64_t *counts)
{
  size_t n_bins = plan->settings.n_bins, stride = n_bins + DEBYE_PAIR_WASTE;
  for (size_t bin = 0; bin < n_bins; bin++) {
    uint64_t sum = 0;
    for (unsigned copy = 0; copy < n_copies(n_bins); copy++)
      sum += scratch->histogram[copy * stride + bin];
    if (sum > 0)
      __atomic_fetch_add(&counts[bin], sum, __ATOMIC_RELAXED);
  }
  memset(scratch->histogram, 0, histogram_length(n_bins) * sizeof *scratch->histogram);
  scratch->n_since = 0;
}

/* A pair of tiles. */

static void
count_exact(const Plan *plan, uint64_t *counts, double square, uint64_t by)
{
  size_t bin = debye_pair_bin(&plan->bins, square);
  if (bin < plan->settings.n_bins)
    __atomic_fetch_add(&counts[bin], by, __ATOMIC_RELAXED);
}

static void
decide_doubts(const Meeting *meeting, uint32_t other, const int *n, size_t n_doubts)
{
  const DebyePairTiles *tiles = &meeting->plan->tiles;
  const uint32_t *atoms_i = tiles->atom + (size_t)meeting->tile * tiles->layout.tile_atoms;
  const uint32_t *atoms_j = tiles->atom + (size_t)other * tiles->layout.tile_atoms;
  for (size_t d = 0; d < n_doubts; d++) {
    DebyePairDoubt doubt = meeting->scratch->doubts[d];
    double difference[3];
    debye_pair_difference(&tiles->layout.lattice, &tiles->place[3 * (size_t)atoms_i[doubt.i]],
                          &tiles->place[3 * (size_t)atoms_j[doubt.j]], n, difference);
    count_exact(meeting->plan, meeting->counts, debye_dot3(difference, difference), 1);
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
choose_atoms(DebyePairBlock *block, const Meeting *meeting, const DebyeTileBox *other, const double *between,
             float tolerance)
{
  const DebyePairTiles *tiles = &meeting->plan->tiles;
  const size_t first = (size_t)meeting->tile * tiles->layout.tile_atoms, n = tiles->n_atoms[meeting->tile];
  const float reach = (float)tiles->layout.reach + tolerance / (float)tiles->layout.shorter;
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
count_tiles(Meeting *meeting, uint32_t other, const int *n, const double *between)
{
  const Plan *plan = meeting->plan;
  const DebyePairTiles *tiles = &plan->tiles;
  const DebyePairLayout *layout = &tiles->layout;
  const DebyeTileBox *box = &tiles->box[other];
  const size_t first = (size_t)other * layout->tile_atoms, n_bins = plan->settings.n_bins;
  const float tolerance =
      debye_pair_tolerance(layout, between, tiles->box[meeting->tile].radius + box->radius);
  const double limit = ((double)n_bins + (double)tolerance) / layout->shorter;
  DebyePairBlock block;
  block.kind = DEBYE_PAIR_BLOCK_WHOLE;
  if (meeting->same_group && meeting->tile == other)
    block.kind = n[0] == 0 && n[1] == 0 && n[2] == 0 ? DEBYE_PAIR_BLOCK_UPPER : DEBYE_PAIR_BLOCK_NO_SELF;
  choose_atoms(&block, meeting, box, between, tolerance);
  block.n_j = tiles->n_atoms[other];
  block.x = tiles->x + first;
  block.y = tiles->y + first;
  block.z = tiles->z + first;
  block.scale = (float)layout->shorter;
  block.limit2 = (float)(limit * limit);
  block.clear = fmaxf(0.5f - tolerance, 0.0f);
  block.n_bins = (uint32_t)n_bins;
  for (unsigned copy = 0; copy < DEBYE_PAIR_COPIES; copy++)
    block.histogram[copy] =
        meeting->scratch->histogram + copy % n_copies(n_bins) * (n_bins + DEBYE_PAIR_WASTE);
  uint64_t n_new = (uint64_t)block.n_i * layout->tile_atoms;
  if (meeting->scratch->n_since + n_new > UINT32_MAX)
    empty_scratch(plan, meeting->scratch, meeting->counts);
  meeting->scratch->n_since += n_new;
  decide_doubts(meeting, other, n, plan->count_block(&block, meeting->scratch->doubts));
}

/* Which tiles meet. */

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
meet_image(Meeting *meeting, const int *n)
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
static void
meet_all(Meeting *meeting)
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

/* The nearest images beyond half the shortest lattice vector, pair by pair: for comparison with programs that
 * count so, not for speed. */

static double
nearest_square(const DebyePairTiles *tiles, size_t i, size_t j)
{
  size_t first = i < j ? i : j, second = i < j ? j : i;
  return debye_pair_nearest(&tiles->layout.lattice, &tiles->place[3 * first], &tiles->place[3 * second]);
}

static void
meet_nearest(const Meeting *meeting)
{
  const DebyePairTiles *tiles = &meeting->plan->tiles;
  const size_t tile_atoms = tiles->layout.tile_atoms;
  const int here[3] = {0, 0, 0};
  for (uint32_t other = tiles->group_tile[meeting->group]; other < tiles->group_tile[meeting->group + 1];
       other++) {
    bool self = meeting->same_group && other == meeting->tile;
    if (meeting->same_group && !debye_pair_owns(meeting->tile, other, here))
      continue;
    const uint32_t *atoms_i = tiles->atom + meeting->tile * tile_atoms,
                   *atoms_j = tiles->atom + other * tile_atoms;
    for (size_t i = 0; i < tiles->n_atoms[meeting->tile]; i++)
      for (size_t j = self ? i + 1 : 0; j < tiles->n_atoms[other]; j++)
        count_exact(meeting->plan, meeting->counts, nearest_square(tiles, atoms_i[i], atoms_j[j]), 1);
  }
}

/* Chunks. */

static size_t
pair_of_task(const Plan *plan, size_t task)
{
  size_t low = 0, high = plan->settings.n_pairs;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (plan->first_task[middle] <= task)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void
do_task(const Plan *plan, Scratch *scratch, size_t pair, size_t task, uint64_t *counts)
{
  const DebyePairTiles *tiles = &plan->tiles;
  const DebyeGroupPair groups = plan->pairs[pair];
  const uint32_t first = debye_pair_first_group(tiles->columns, groups);
  Meeting meeting = {.plan = plan,
                     .scratch = scratch,
                     .counts = counts,
                     .tile = tiles->group_tile[first] + (uint32_t)(task - plan->first_task[pair]),
                     .group = first == groups.a ? groups.b : groups.a,
                     .same_group = groups.a == groups.b};
  if (tiles->layout.nearest_only)
    meet_nearest(&meeting);
  else
    meet_all(&meeting);
}

static void
do_chunk(void *context, size_t chunk)
{
  const Execution *execution = context;
  Plan *plan = execution->plan;
  Scratch *scratch = take_scratch(plan);
  size_t task = execution->begin + chunk * execution->chunk_tasks, end = task + execution->chunk_tasks;
  end = end < execution->end ? end : execution->end;
  while (task < end) {
    size_t pair = pair_of_task(plan, task);
    uint64_t *counts = execution->counts + pair * plan->settings.n_bins;
    for (; task < end && task < plan->first_task[pair + 1]; task++)
      do_task(plan, scratch, pair, task, counts);
    empty_scratch(plan, scratch, counts);
  }
  give_scratch(plan, scratch);
}

static void
exclude(const Execution *execution, size_t i, size_t j)
{
  const Plan *plan = execution->plan;
  const DebyePairTiles *tiles = &plan->tiles;
  size_t groups = plan->settings.n_groups;
  if (i >= tiles->n_frame || j >= tiles->n_frame || tiles->group[i] >= groups || tiles->group[j] >= groups)
    return;
  size_t pair = plan->histogram_of[tiles->group[i] * groups + tiles->group[j]];
  if (pair < plan->settings.n_pairs)
    count_exact(plan, execution->counts + pair * plan->settings.n_bins, nearest_square(tiles, i, j),
                UINT64_MAX);
}

/* Numbers below the classes' members are members, those from there on are atoms with lists. */
static void
do_exclusions(void *context, size_t chunk)
{
  const Execution *execution = context;
  const DebyePairExclusions *exclusions = &execution->plan->settings.exclusions;
  const size_t n_members = debye_pair_exclusion_members(exclusions);
  size_t at = execution->begin_excluded + chunk * EXCLUSION_CHUNK, end = at + EXCLUSION_CHUNK, class = 0;
  end = end < execution->end_excluded ? end : execution->end_excluded;
  for (; at < end && at < n_members; at++) {
    class = debye_pair_exclusion_class(exclusions, at, class);
    for (size_t other = at + 1; other < exclusions->class_first[class + 1]; other++)
      exclude(execution, exclusions->members[at], exclusions->members[other]);
  }
  for (; at < end; at++) {
    size_t i = at - n_members;
    for (size_t k = exclusions->partner_first[i]; k < exclusions->partner_first[i + 1]; k++)
      exclude(execution, i, exclusions->partners[k]);
  }
}

static void
number_tasks(Plan *plan)
{
  size_t n = 0;
  for (size_t pair = 0; pair < plan->settings.n_pairs; pair++) {
    uint32_t first = debye_pair_first_group(plan->tiles.columns, plan->pairs[pair]);
    plan->first_task[pair] = n;
    n += plan->tiles.group_tile[first + 1] - plan->tiles.group_tile[first];
  }
  plan->first_task[plan->settings.n_pairs] = n;
}

static size_t
tasks_in_chunk(const Plan *plan, size_t n_tasks)
{
  size_t tasks = n_tasks / (plan->n_threads * CHUNKS_A_THREAD);
  return tasks < 1 ? 1 : tasks < MAX_CHUNK_TASKS ? tasks : MAX_CHUNK_TASKS;
}

static DebyeStatusCode
execute(DebyePairPlan *handle, size_t first, size_t count, size_t n_slices, uint64_t *counts,
        const volatile bool *cancel, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  size_t n_excluded =
      debye_pair_exclusion_members(&plan->settings.exclusions) + plan->settings.exclusions.n_listed;
  Execution execution = {
      .plan = plan,
      .counts = counts,
      .begin = debye_pair_slice_begin(plan->first_task[plan->settings.n_pairs], first, n_slices),
      .end = debye_pair_slice_begin(plan->first_task[plan->settings.n_pairs], first + count, n_slices),
      .begin_excluded = debye_pair_slice_begin(n_excluded, first, n_slices),
      .end_excluded = debye_pair_slice_begin(n_excluded, first + count, n_slices)};
  if (first > n_slices || count > n_slices - first)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "There are no slices %zu to %zu of %zu.", first,
                            first + count, n_slices);
  execution.chunk_tasks = tasks_in_chunk(plan, execution.end - execution.begin);
  size_t n_chunks = (execution.end - execution.begin + execution.chunk_tasks - 1) / execution.chunk_tasks;
  size_t excluded = execution.end_excluded - execution.begin_excluded;
  if (!debye_parallel_for(plan->pool, n_chunks, do_chunk, &execution, cancel) ||
      !debye_parallel_for(plan->pool, (excluded + EXCLUSION_CHUNK - 1) / EXCLUSION_CHUNK, do_exclusions,
                          &execution, cancel) ||
      debye_is_cancelled(cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  return debye_status_ok(status);
}

/* The plan. */

static uint64_t
scratch_bytes(const DebyePairSettings *settings)
{
  return sizeof(Scratch) + histogram_length(settings->n_bins) * sizeof(uint32_t) +
         (uint64_t)DEBYE_PAIR_MAX_TILE * DEBYE_PAIR_MAX_TILE * sizeof(DebyePairDoubt);
}

static uint64_t
bytes_needed(int device, const DebyePairSettings *settings)
{
  (void)device;
  if (debye_pair_settings_check(settings, NULL) != DEBYE_STATUS_OK)
    return SIZE_MAX;
  return debye_pair_tiles_bytes(settings) + scratch_bytes(settings) * debye_cpu_get_threads() +
         (settings->n_bins + 1) * sizeof(double) +
         settings->n_groups * settings->n_groups * sizeof(uint32_t) +
         settings->n_pairs * (sizeof(DebyeGroupPair) + sizeof(size_t));
}

static void
destroy(DebyePairPlan *handle)
{
  Plan *plan = (Plan *)handle;
  if (plan == NULL)
    return;
  debye_pool_free(plan->pool);
  debye_pair_tiles_clear(&plan->tiles);
  for (unsigned i = 0; i < plan->n_threads && plan->scratch != NULL; i++) {
    free(plan->scratch[i].histogram);
    free(plan->scratch[i].doubts);
  }
  free(plan->scratch);
  free(plan->free_scratch);
  free(plan->pairs);
  free(plan->edge2);
  free(plan->histogram_of);
  free(plan->first_task);
  pthread_mutex_destroy(&plan->mutex);
  free(plan);
}

static bool
make_scratch(Plan *plan)
{
  size_t length = histogram_length(plan->settings.n_bins);
  plan->n_threads = debye_pool_get_threads(plan->pool);
  plan->scratch = calloc(plan->n_threads, sizeof *plan->scratch);
  plan->free_scratch = calloc(plan->n_threads, sizeof(Scratch *));
  if (plan->scratch == NULL || plan->free_scratch == NULL)
    return false;
  for (unsigned i = 0; i < plan->n_threads; i++) {
    Scratch *scratch = &plan->scratch[i];
    scratch->histogram = calloc(length, sizeof *scratch->histogram);
    scratch->doubts = calloc((size_t)DEBYE_PAIR_MAX_TILE * DEBYE_PAIR_MAX_TILE, sizeof *scratch->doubts);
    if (scratch->histogram == NULL || scratch->doubts == NULL)
      return false;
    plan->free_scratch[plan->n_free++] = scratch;
  }
  return true;
}

static bool
make_tables(Plan *plan)
{
  const DebyePairSettings *settings = &plan->settings;
  size_t groups = settings->n_groups;
  plan->pairs = calloc(settings->n_pairs, sizeof *plan->pairs);
  plan->edge2 = calloc(settings->n_bins + 1, sizeof *plan->edge2);
  plan->histogram_of = calloc(groups * groups, sizeof *plan->histogram_of);
  plan->first_task = calloc(settings->n_pairs + 1, sizeof *plan->first_task);
  if (plan->pairs == NULL || plan->edge2 == NULL || plan->histogram_of == NULL || plan->first_task == NULL)
    return false;
  memcpy(plan->pairs, settings->pairs, settings->n_pairs * sizeof *plan->pairs);
  plan->settings.pairs = plan->pairs;
  debye_pair_set_edges(plan->edge2, settings->r_max, settings->n_bins);
  plan->bins = debye_pair_bins(plan->edge2, settings->r_max, settings->n_bins);
  debye_pair_set_numbers(settings, plan->histogram_of);
  return true;
}

static DebyeStatusCode
create(int device, const DebyePairSettings *settings, DebyePairPlan **handle, DebyeStatus *status)
{
  (void)device;
  *handle = NULL;
  DebyeStatusCode code = debye_pair_settings_check(settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  Plan *plan = calloc(1, sizeof *plan);
  bool made = false;
  if (plan != NULL) {
    pthread_mutex_init(&plan->mutex, NULL);
    plan->settings = *settings;
    plan->count_block = debye_pair_block(debye_cpu_get_level());
    plan->pool = debye_pool_new(debye_cpu_threads_beside(settings->spare_processors));
    made = plan->pool != NULL && make_tables(plan) && make_scratch(plan) &&
           debye_pair_tiles_init(&plan->tiles, settings);
  }
  if (!made) {
    destroy((DebyePairPlan *)plan);
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for the pairs of %zu atoms.",
                            settings->max_atoms);
  }
  *handle = (DebyePairPlan *)plan;
  return debye_status_ok(status);
}

static DebyeStatusCode
set_frame(DebyePairPlan *handle, const DebyePairFrame *frame, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  memset(plan->first_task, 0, (plan->settings.n_pairs + 1) * sizeof *plan->first_task);
  plan->tiles.n_frame = 0;
  DebyeStatusCode code = debye_pair_tiles_set(&plan->tiles, &plan->settings, frame, plan->pool, status);
  if (code == DEBYE_STATUS_OK)
    number_tasks(plan);
  return code;
}

const DebyePairHistogramKernel debye_cpu_pair_histogram = {
    .bytes_needed = bytes_needed,
    .create = create,
    .set_frame = set_frame,
    .execute = execute,
    .destroy = destroy,
};
