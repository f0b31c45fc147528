/* SPDX-License-Identifier: MIT */
/* What every back end of the pair histogram does before it starts: its arguments checked. */
#include "pair_histogram.h"

#include <math.h>

static bool
tile_is_known(unsigned atoms)
{
  return atoms == 0 || atoms == 32 || atoms == 64 || atoms == 128 || atoms == 256;
}

static DebyeStatusCode
check_pairs(const DebyePairSettings *settings, DebyeStatus *status)
{
  if (settings->n_groups == 0 || settings->n_groups > DEBYE_PAIR_MAX_GROUPS)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "There are %zu groups of atoms; there must be from 1 to %d.", settings->n_groups,
                            DEBYE_PAIR_MAX_GROUPS);
  if (settings->n_pairs == 0 || settings->n_pairs > settings->n_groups * (settings->n_groups + 1) / 2)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "%zu pairs of %zu groups were asked for.",
                            settings->n_pairs, settings->n_groups);
  for (size_t i = 0; i < settings->n_pairs; i++)
    if (settings->pairs[i].a >= settings->n_groups || settings->pairs[i].b >= settings->n_groups)
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "Pair %zu is of groups %u and %u, but there are only %zu.", i + 1,
                              settings->pairs[i].a, settings->pairs[i].b, settings->n_groups);
  return debye_status_ok(status);
}

DebyeStatusCode
debye_pair_settings_check(const DebyePairSettings *settings, DebyeStatus *status)
{
  if (!(settings->r_max > 0.0 && settings->r_max <= DEBYE_PAIR_FARTHEST))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "The largest distance is %g Å; it must be above 0 and at most %g.",
                            settings->r_max, DEBYE_PAIR_FARTHEST);
  if (settings->n_bins == 0 || settings->n_bins > DEBYE_PAIR_MAX_BINS)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "There are %zu bins; there must be from 1 to %zu.",
                            settings->n_bins, DEBYE_PAIR_MAX_BINS);
  if (settings->max_atoms > DEBYE_PAIR_MAX_ATOMS)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "Pairs of %zu atoms were asked for; at most %zu are possible.",
                            settings->max_atoms, DEBYE_PAIR_MAX_ATOMS);
  if (!tile_is_known(settings->tile_atoms))
    return debye_status_set(status, DEBYE_STATUS_INVALID, "Tiles have 32, 64, 128 or 256 atoms, not %u.",
                            settings->tile_atoms);
  return check_pairs(settings, status);
}

size_t
debye_pair_slice_begin(size_t n, size_t slice, size_t n_slices)
{
  return n / n_slices * slice + n % n_slices * slice / n_slices;
}

void
debye_pair_set_numbers(const DebyePairSettings *settings, uint32_t *histogram_of)
{
  const size_t n = settings->n_groups;
  for (size_t i = 0; i < n * n; i++)
    histogram_of[i] = (uint32_t)settings->n_pairs;
  for (size_t i = 0; i < settings->n_pairs; i++) {
    const DebyeGroupPair pair = settings->pairs[i];
    histogram_of[pair.a * n + pair.b] = histogram_of[pair.b * n + pair.a] = (uint32_t)i;
  }
}

size_t
debye_pair_exclusion_members(const DebyePairExclusions *exclusions)
{
  return exclusions->n_classes > 0 ? exclusions->class_first[exclusions->n_classes] : 0;
}

size_t
debye_pair_exclusion_class(const DebyePairExclusions *exclusions, size_t member, size_t hint)
{
  const uint32_t *first = exclusions->class_first;
  size_t low = hint, high = exclusions->n_classes;
  if (member < first[low + 1])
    return low;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (first[middle] <= member)
      low = middle;
    else
      high = middle;
  }
  return low;
}

double
debye_pair_work(const DebyePairSettings *settings, size_t n_atoms, const DebyeCell *cell)
{
  double pairs = 0.5 * (double)n_atoms * (double)n_atoms, r = settings->r_max;
  if (cell == NULL || !debye_cell_is_valid(cell))
    return pairs;
  return pairs * 4.0 / 3.0 * 3.14159265358979323846 * r * r * r / fabs(debye_cell_volume(cell));
}
