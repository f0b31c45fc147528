/* SPDX-License-Identifier: MIT */
/* What every back end of the pair histogram does before it starts: its arguments checked. */
#include "pair_histogram.h"

#include "minimum_image.h"

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

static DebyeStatusCode
check_cell(const DebyePairSettings *settings, const DebyeCell *cell, DebyeStatus *status)
{
  DebyeLattice lattice;
  if (!debye_lattice_init(&lattice, cell))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "The cell's vectors span no volume, so that it has no periodic images.");
  for (int axis = 0; axis < 3 && lattice.periodic; axis++)
    if (settings->r_max > DEBYE_PAIR_MAX_IMAGES * lattice.width[axis])
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "The largest distance, %g Å, is more than %d times the cell's width of %g Å.",
                              settings->r_max, DEBYE_PAIR_MAX_IMAGES, lattice.width[axis]);
  return debye_status_ok(status);
}

static bool
is_usable(float x)
{
  return fabsf(x) <= (float)DEBYE_PAIR_FARTHEST;
}

DebyeStatusCode
debye_pair_frame_check(const DebyePairSettings *settings, const DebyePairFrame *frame, DebyeStatus *status)
{
  if (frame->n > settings->max_atoms)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "%zu atoms were given, planned were at most %zu.",
                            frame->n, settings->max_atoms);
  for (size_t i = 0; i < frame->n; i++) {
    bool usable = is_usable(frame->x[i]) && is_usable(frame->y[i]) && is_usable(frame->z[i]);
    if (!usable && (frame->group == NULL || frame->group[i] < settings->n_groups))
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "Atom %zu has no usable position: (%g, %g, %g) Å.", i + 1, (double)frame->x[i],
                              (double)frame->y[i], (double)frame->z[i]);
  }
  return check_cell(settings, frame->cell, status);
}

double
debye_pair_work(const DebyePairSettings *settings, size_t n_atoms, const DebyeCell *cell)
{
  double pairs = 0.5 * (double)n_atoms * (double)n_atoms, r = settings->r_max;
  if (cell == NULL || !debye_cell_is_valid(cell))
    return pairs;
  return pairs * 4.0 / 3.0 * 3.14159265358979323846 * r * r * r / fabs(debye_cell_volume(cell));
}
