/* SPDX-License-Identifier: MIT */
/* What every back end of the amplitudes does before it starts: its arguments checked. */
#include "scattering_amplitude.h"

DebyeStatusCode
debye_amplitude_settings_check(const DebyeAmplitudeSettings *settings, DebyeStatus *status)
{
  if (settings->max_vectors > DEBYE_AMPLITUDE_MAX_VECTORS)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "%zu q vectors were asked for; at most %zu are possible.", settings->max_vectors,
                            DEBYE_AMPLITUDE_MAX_VECTORS);
  if (settings->max_frames == 0)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "A block must have at least one frame.");
  return debye_scattering_groups_check(&settings->groups, settings->n_atoms, status);
}

DebyeStatusCode
debye_amplitude_vectors_check(const DebyeAmplitudeSettings *settings, const DebyeVec3 *q, size_t n_vectors,
                              DebyeStatus *status)
{
  if (n_vectors > settings->max_vectors)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "%zu q vectors were given; the plan holds %zu.",
                            n_vectors, settings->max_vectors);
  const double largest = DEBYE_AMPLITUDE_LARGEST_Q;
  for (size_t i = 0; i < n_vectors; i++)
    if (!(fabs(q[i].x) <= largest && fabs(q[i].y) <= largest && fabs(q[i].z) <= largest))
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "q vector %zu is (%g, %g, %g) 1/Å; a component is at most %g.", i + 1, q[i].x,
                              q[i].y, q[i].z, largest);
  return debye_status_ok(status);
}

DebyeStatusCode
debye_amplitude_frames_check(const DebyeAmplitudeSettings *settings, size_t n_frames, DebyeStatus *status)
{
  if (n_frames > settings->max_frames)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "%zu frames were given; the plan holds %zu.",
                            n_frames, settings->max_frames);
  return debye_status_ok(status);
}
