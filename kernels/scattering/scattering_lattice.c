/* SPDX-License-Identifier: MIT */
/* What every back end of the reciprocal lattice does before it starts: its arguments checked. */
#include "scattering_lattice.h"

#include <stdlib.h>

static DebyeStatusCode
check_chosen(const DebyeLatticeSettings *settings, DebyeStatus *status)
{
  for (size_t i = 0; i < settings->n_chosen; i++) {
    const DebyeMiller *m = &settings->chosen[i];
    const int index[3] = {m->h, m->k, m->l};
    for (int axis = 0; axis < 3; axis++)
      if (index[axis] > (int)settings->extent[axis] || index[axis] < -(int)settings->extent[axis])
        return debye_status_set(status, DEBYE_STATUS_INVALID,
                                "(%d %d %d) was chosen, but the lattice reaches to (%u %u %u) only.", m->h,
                                m->k, m->l, settings->extent[0], settings->extent[1], settings->extent[2]);
  }
  return debye_status_ok(status);
}

DebyeStatusCode
debye_lattice_settings_check(const DebyeLatticeSettings *settings, DebyeStatus *status)
{
  for (int axis = 0; axis < 3; axis++)
    if (settings->extent[axis] > DEBYE_LATTICE_MAX_EXTENT)
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "Indices up to %u were asked for along axis %d; at most %d are possible.",
                              settings->extent[axis], axis + 1, DEBYE_LATTICE_MAX_EXTENT);
  if (!(settings->tolerance >= DEBYE_LATTICE_LEAST_TOLERANCE &&
        settings->tolerance <= DEBYE_LATTICE_LARGEST_TOLERANCE))
    return debye_status_set(status, DEBYE_STATUS_INVALID, "The tolerance is %g; it must be from %g to %g.",
                            settings->tolerance, DEBYE_LATTICE_LEAST_TOLERANCE,
                            DEBYE_LATTICE_LARGEST_TOLERANCE);
  if (check_chosen(settings, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  return debye_scattering_groups_check(&settings->groups, settings->n_atoms, status);
}

DebyeStatusCode
debye_lattice_cell_check(const DebyeCell *cell, DebyeStatus *status)
{
  if (cell == NULL || !debye_cell_is_valid(cell))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "A reciprocal lattice needs a cell, and the frame has none.");
  return debye_status_ok(status);
}
