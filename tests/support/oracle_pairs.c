/* SPDX-License-Identifier: MIT */
/* The slow pair histogram. */
#include "oracle_pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "remembered.h"

/* A pair this near to an edge (Å) may be on either side: what the difference of two ways to round can come to
 * at a distance of 10⁴ Å. */
#define EDGE_WIDTH 1e-9
#define ROUNDING 1e-3 /* of the distance of two planes */

typedef struct {
  const DebyePairSettings *settings;
  const DebyePairFrame *frame;
  uint64_t *counts, *near;
} Oracle;

static DebyeVec3
position(const DebyePairFrame *frame, size_t i)
{
  return debye_vec3((double)frame->x[i], (double)frame->y[i], (double)frame->z[i]);
}

/* The histogram of atoms i and j; n_pairs where there is none. */
static size_t
which(const Oracle *oracle, size_t i, size_t j)
{
  const uint32_t *group = oracle->frame->group;
  uint32_t a = group != NULL ? group[i] : 0, b = group != NULL ? group[j] : 0;
  for (size_t pair = 0; pair < oracle->settings->n_pairs; pair++) {
    DebyeGroupPair asked = oracle->settings->pairs[pair];
    if ((asked.a == a && asked.b == b) || (asked.a == b && asked.b == a))
      return pair;
  }
  return oracle->settings->n_pairs;
}

static void
note(const Oracle *oracle, size_t pair, double distance, uint64_t by)
{
  size_t n_bins = oracle->settings->n_bins;
  double width = oracle->settings->r_max / (double)n_bins;
  if (distance > oracle->settings->r_max + 2.0 * EDGE_WIDTH)
    return;
  double edge = floor(distance / width + 0.5);
  if (edge <= (double)n_bins && fabs(distance - edge * width) < EDGE_WIDTH)
    oracle->near[pair * (n_bins + 1) + (size_t)edge]++;
  if (distance < oracle->settings->r_max) {
    size_t bin = (size_t)(distance / width);
    oracle->counts[pair * n_bins + (bin < n_bins ? bin : n_bins - 1)] += by;
  }
}

/* Distances between neighbouring lattice planes, and their directions. */
static void
planes(const DebyeCell *cell, DebyeVec3 normal[3], double width[3])
{
  const DebyeVec3 across[3] = {debye_vec3_cross(cell->b, cell->c), debye_vec3_cross(cell->c, cell->a),
                               debye_vec3_cross(cell->a, cell->b)};
  double volume = debye_cell_volume(cell);
  for (int k = 0; k < 3; k++) {
    normal[k] = debye_vec3_scale(across[k], 1.0 / volume);
    width[k] = fabs(volume) / debye_vec3_length(across[k]);
  }
}

/* Calls for every image of j within `reach` of i, and for some that are further: with half = true, and i = j, for one of R and
 * −R. An image is at least as far as the planes of lattice points that it and i lie on; ROUNDING is more than they are off. */
static void
visit_images(const DebyeCell *cell, DebyeVec3 difference, double reach, bool half,
             void (*visit)(void *data, double distance), void *data)
{
  DebyeVec3 normal[3];
  double width[3];
  int low[3], high[3];
  planes(cell, normal, width);
  for (int k = 0; k < 3; k++) {
    double fraction = debye_vec3_dot(normal[k], difference);
    low[k] = (int)ceil(fraction - reach / width[k] - ROUNDING);
    high[k] = (int)floor(fraction + reach / width[k] + ROUNDING);
  }
  for (int a = low[0]; a <= high[0]; a++)
    for (int b = low[1]; b <= high[1]; b++)
      for (int c = low[2]; c <= high[2]; c++) {
        DebyeVec3 image =
            debye_vec3_add(debye_vec3_scale(cell->a, a),
                           debye_vec3_add(debye_vec3_scale(cell->b, b), debye_vec3_scale(cell->c, c)));
        if (!half || a > 0 || (a == 0 && (b > 0 || (b == 0 && c > 0))))
          visit(data, debye_vec3_length(debye_vec3_subtract(difference, image)));
      }
}

typedef struct {
  const Oracle *oracle;
  size_t pair;
} Visit;

static void
visit_count(void *data, double distance)
{
  const Visit *visit = data;
  note(visit->oracle, visit->pair, distance, 1);
}

static void
visit_least(void *data, double distance)
{
  double *least = data;
  *least = fmin(*least, distance);
}

double
debye_oracle_pair_distance(const DebyeCell *cell, DebyeVec3 i, DebyeVec3 j)
{
  DebyeVec3 difference = debye_vec3_subtract(i, j);
  double least = INFINITY, reach = 4.0;
  if (cell == NULL)
    return debye_vec3_length(difference);
  /* Whatever is found within the reach is all there is within it. */
  visit_images(cell, difference, reach, false, visit_least, &least);
  while (!(least <= reach)) {
    reach *= 1.5;
    least = INFINITY;
    visit_images(cell, difference, reach, false, visit_least, &least);
  }
  return least;
}

static void
note_pair(const Oracle *oracle, size_t i, size_t j)
{
  Visit visit = {oracle, which(oracle, i, j)};
  DebyeVec3 u = position(oracle->frame, i), v = position(oracle->frame, j);
  if (visit.pair == oracle->settings->n_pairs)
    return;
  if (oracle->frame->cell == NULL || oracle->settings->images == DEBYE_PAIR_IMAGES_NEAREST)
    note(oracle, visit.pair, debye_oracle_pair_distance(oracle->frame->cell, u, v), 1);
  else
    visit_images(oracle->frame->cell, debye_vec3_subtract(u, v), oracle->settings->r_max, false, visit_count,
                 &visit);
}

static void
note_self_images(const Oracle *oracle, size_t i)
{
  Visit visit = {oracle, which(oracle, i, i)};
  if (oracle->frame->cell != NULL && visit.pair < oracle->settings->n_pairs &&
      oracle->settings->images == DEBYE_PAIR_IMAGES_ALL && !oracle->settings->without_self_images)
    visit_images(oracle->frame->cell, debye_vec3(0.0, 0.0, 0.0), oracle->settings->r_max, true, visit_count,
                 &visit);
}

static void
exclude(const Oracle *oracle, size_t i, size_t j)
{
  size_t pair = which(oracle, i, j);
  if (pair < oracle->settings->n_pairs)
    note(oracle, pair,
         debye_oracle_pair_distance(oracle->frame->cell, position(oracle->frame, i),
                                    position(oracle->frame, j)),
         UINT64_MAX);
}

/* Into counts and near, which are 0. */
static void
count_pairs(const Oracle *oracle)
{
  const DebyePairExclusions *exclusions = &oracle->settings->exclusions;
  for (size_t i = 0; i < oracle->frame->n; i++) {
    note_self_images(oracle, i);
    for (size_t j = i + 1; j < oracle->frame->n; j++)
      note_pair(oracle, i, j);
  }
  for (size_t c = 0; c < exclusions->n_classes; c++)
    for (size_t p = exclusions->class_first[c]; p < exclusions->class_first[c + 1]; p++)
      for (size_t q = exclusions->class_first[c]; q < p; q++)
        exclude(oracle, exclusions->members[p], exclusions->members[q]);
  for (size_t i = 0; i < exclusions->n_listed; i++)
    for (size_t p = exclusions->partner_first[i]; p < exclusions->partner_first[i + 1]; p++)
      exclude(oracle, i, exclusions->partners[p]);
}

static uint64_t
key_of_exclusions(uint64_t key, const DebyePairExclusions *exclusions)
{
  const size_t n[] = {exclusions->n_classes, exclusions->n_listed};
  key = debye_remembered_key(key, n, sizeof n);
  if (n[0] > 0) {
    key = debye_remembered_key(key, exclusions->class_first, (n[0] + 1) * sizeof *exclusions->class_first);
    key = debye_remembered_key(key, exclusions->members,
                               exclusions->class_first[n[0]] * sizeof *exclusions->members);
  }
  if (n[1] > 0) {
    key =
        debye_remembered_key(key, exclusions->partner_first, (n[1] + 1) * sizeof *exclusions->partner_first);
    key = debye_remembered_key(key, exclusions->partners,
                               exclusions->partner_first[n[1]] * sizeof *exclusions->partners);
  }
  return key;
}

/* Of all that is looked at above. */
static uint64_t
key_of(const DebyePairSettings *settings, const DebyePairFrame *frame)
{
  const size_t n[] = {
      settings->n_pairs, settings->n_bins,     (size_t)settings->images, settings->without_self_images,
      frame->n,          frame->group != NULL, frame->cell != NULL};
  const size_t n_bytes = frame->n * sizeof *frame->x;
  uint64_t key = debye_remembered_key(0, n, sizeof n);
  key = debye_remembered_key(key, &settings->r_max, sizeof settings->r_max);
  key = debye_remembered_key(key, settings->pairs, settings->n_pairs * sizeof *settings->pairs);
  key = debye_remembered_key(key, frame->x, n_bytes);
  key = debye_remembered_key(key, frame->y, n_bytes);
  key = debye_remembered_key(key, frame->z, n_bytes);
  if (frame->group != NULL)
    key = debye_remembered_key(key, frame->group, frame->n * sizeof *frame->group);
  if (frame->cell != NULL)
    key = debye_remembered_key(key, frame->cell, sizeof *frame->cell);
  return key_of_exclusions(key, &settings->exclusions);
}

void
debye_oracle_pairs(const DebyePairSettings *settings, const DebyePairFrame *frame, uint64_t *counts,
                   uint64_t *near)
{
  const size_t n_counts = settings->n_pairs * settings->n_bins, n_near = n_counts + settings->n_pairs;
  bool is_new;
  uint64_t *all = debye_remembered_get(key_of(settings, frame), (n_counts + n_near) * sizeof *all, &is_new);
  if (is_new)
    count_pairs(&(const Oracle){settings, frame, all, all + n_counts});
  memcpy(counts, all, n_counts * sizeof *counts);
  memcpy(near, all + n_counts, n_near * sizeof *near);
}

/* All that is below an edge may differ by the pairs that are near that edge, and by no others. */
static bool
is_equal(const uint64_t *counts, const uint64_t *expected, const uint64_t *near, size_t n_bins)
{
  int64_t difference = 0;
  for (size_t bin = 0; bin < n_bins; bin++) {
    difference += (int64_t)(counts[bin] - expected[bin]);
    if ((uint64_t)llabs((long long)difference) > near[bin + 1])
      return false;
  }
  return true;
}

size_t
debye_oracle_pairs_compare(const DebyePairSettings *settings, const uint64_t *counts,
                           const uint64_t *expected, const uint64_t *near)
{
  size_t n_different = 0, n = settings->n_bins;
  for (size_t pair = 0; pair < settings->n_pairs; pair++)
    n_different += !is_equal(counts + pair * n, expected + pair * n, near + pair * (n + 1), n);
  return n_different;
}
