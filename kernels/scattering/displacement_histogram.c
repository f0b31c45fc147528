/* SPDX-License-Identifier: MIT */
/* What every back end of the displacements does before it starts: its arguments checked. */
#include "displacement_histogram.h"

static DebyeStatusCode
check_lags(const DebyeDisplacementSettings *settings, DebyeStatus *status)
{
  if (settings->lags == NULL && settings->n_lags != settings->n_frames)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "%zu frames have as many lags, not %zu.",
                            settings->n_frames, settings->n_lags);
  for (size_t i = 0; i < settings->n_lags && settings->lags != NULL; i++) {
    if (settings->lags[i] >= settings->n_frames)
      return debye_status_set(status, DEBYE_STATUS_INVALID, "A lag of %u frames doesn't fit into %zu frames.",
                              settings->lags[i], settings->n_frames);
    if (i > 0 && settings->lags[i] <= settings->lags[i - 1])
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "Lags must ascend, but number %zu, %u frames, follows %u.", i + 1,
                              settings->lags[i], settings->lags[i - 1]);
  }
  return debye_status_ok(status);
}

DebyeStatusCode
debye_displacement_settings_check(const DebyeDisplacementSettings *settings, DebyeStatus *status)
{
  if (settings->n_frames == 0 || settings->n_frames > DEBYE_SELF_MAX_FRAMES || settings->n_lags == 0)
    return debye_status_set(
        status, DEBYE_STATUS_INVALID,
        "Displacements over %zu lags of %zu frames were asked for; 1 to %zu are possible.", settings->n_lags,
        settings->n_frames, DEBYE_SELF_MAX_FRAMES);
  if (!(settings->bin_width > 0.0 && settings->bin_width <= DEBYE_SELF_FARTHEST))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "Bins are %g Å wide; they must be above 0 and at most %g.", settings->bin_width,
                            DEBYE_SELF_FARTHEST);
  if (settings->n_bins == 0 || settings->n_bins > DEBYE_DISPLACEMENT_MAX_BINS)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "There are %zu bins; there must be from 1 to %zu.",
                            settings->n_bins, DEBYE_DISPLACEMENT_MAX_BINS);
  if (settings->n_groups == 0 || settings->n_groups > DEBYE_SELF_MAX_GROUPS)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "There are %zu groups of atoms; there must be from 1 to %d.", settings->n_groups,
                            DEBYE_SELF_MAX_GROUPS);
  if (settings->n_lags > SIZE_MAX / 64 / settings->n_bins / settings->n_groups)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "%zu lags of %zu bins and %zu groups exceed any memory.", settings->n_lags,
                            settings->n_bins, settings->n_groups);
  if (settings->max_atoms == 0 || settings->max_atoms > SIZE_MAX / 64 / settings->n_frames)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "A block of %zu atoms and %zu frames is not possible.", settings->max_atoms,
                            settings->n_frames);
  return check_lags(settings, status);
}

size_t
debye_displacement_lag(const DebyeDisplacementSettings *settings, size_t index)
{
  return settings->lags != NULL ? settings->lags[index] : index;
}

double
debye_displacement_pairs(const DebyeDisplacementSettings *settings, size_t n_lags)
{
  double pairs = 0.0;
  for (size_t i = 0; i < n_lags; i++)
    pairs += (double)(settings->n_frames - debye_displacement_lag(settings, i));
  return pairs;
}

DebyeStatusCode
debye_displacement_block_check(const DebyeDisplacementSettings *settings, const DebyeSelfBlock *block,
                               DebyeStatus *status)
{
  const DebyeSelfSettings same = {.n_groups = settings->n_groups, .max_atoms = settings->max_atoms};
  DebyeSelfBlock without_lengths = *block;
  without_lengths.length = NULL;
  return debye_self_block_check(&same, &without_lengths, status);
}
