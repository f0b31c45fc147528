/* SPDX-License-Identifier: MIT */
/* Checks groups of scatterers before a kernel trusts them, and gathers their atoms; called by the amplitude
 * kernels. */
#include "scattering_groups.h"

#include <stdlib.h>

/* Frames that reach a kernel packed aren't looked at atom by atom. */
_Static_assert((long)DEBYE_PACKED_FARTHEST <= (long)DEBYE_SCATTERING_FARTHEST,
               "packed atoms may be too far away to scatter");

static DebyeStatusCode
check_entries(const DebyeScatteringGroups *groups, size_t n_atoms, DebyeStatus *status)
{
  const size_t n = debye_scattering_n_entries(groups);
  if (n > DEBYE_SCATTERING_MAX_ATOMS || (groups->atoms == NULL && n > n_atoms))
    return debye_status_set(status, DEBYE_STATUS_INVALID, "The groups have %zu atoms, the frames have %zu.",
                            n, n_atoms);
  for (size_t i = 0; i < n; i++) {
    if (groups->atoms != NULL && groups->atoms[i] >= n_atoms)
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "A group has atom %zu, but the frames have only %zu atoms.",
                              (size_t)groups->atoms[i] + 1, n_atoms);
    if (groups->weight != NULL && !isfinite(groups->weight[i]))
      return debye_status_set(status, DEBYE_STATUS_INVALID, "The weight of atom %zu is not a number.",
                              (groups->atoms != NULL ? (size_t)groups->atoms[i] : i) + 1);
  }
  return debye_status_ok(status);
}

DebyeStatusCode
debye_scattering_groups_check(const DebyeScatteringGroups *groups, size_t n_atoms, DebyeStatus *status)
{
  if (groups->n_groups == 0 || groups->n_groups > DEBYE_SCATTERING_MAX_GROUPS)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "There are %zu groups of atoms; there must be from 1 to %d.", groups->n_groups,
                            DEBYE_SCATTERING_MAX_GROUPS);
  if (n_atoms > DEBYE_SCATTERING_MAX_ATOMS)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "Frames of %zu atoms were given; at most %zu are possible.", n_atoms,
                            DEBYE_SCATTERING_MAX_ATOMS);
  bool in_order = groups->first[0] == 0;
  for (size_t g = 0; g < groups->n_groups; g++)
    in_order = in_order && groups->first[g] <= groups->first[g + 1];
  if (!in_order)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "The groups of atoms don't follow each other.");
  return check_entries(groups, n_atoms, status);
}

DebyeStatusCode
debye_scattering_bad_atom(const DebyeScatteringFrame *frame, size_t atom, DebyeStatus *status)
{
  const double x = (double)frame->x[atom], y = (double)frame->y[atom], z = (double)frame->z[atom];
  if (isfinite(x) && isfinite(y) && isfinite(z))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "Atom %zu is at (%g, %g, %g) Å; scattering allows at most %g along an axis.",
                            atom + 1, x, y, z, DEBYE_SCATTERING_FARTHEST);
  return debye_status_set(status, DEBYE_STATUS_INVALID, "Atom %zu has a coordinate that is not a number.",
                          atom + 1);
}

size_t
debye_scattering_gather(const DebyeScatteringGroups *groups, const DebyeScatteringFrame *frame, size_t first,
                        size_t count, float *x, float *y, float *z)
{
  size_t bad = SIZE_MAX;
  for (size_t i = 0; i < count; i++) {
    const size_t atom = groups->atoms != NULL ? groups->atoms[first + i] : first + i;
    x[i] = frame->x[atom];
    y[i] = frame->y[atom];
    z[i] = frame->z[atom];
    if (!debye_scattering_is_good(x[i], y[i], z[i]) && atom < bad)
      bad = atom;
  }
  return bad;
}

DebyeStatusCode
debye_scattering_load(const DebyeScatteringGroups *groups, const DebyeScatteringFrame *frame,
                      double **columns, DebyeStatus *status)
{
  const size_t n = debye_scattering_n_entries(groups);
  double *room = malloc((4 * n + 1) * sizeof *room);
  *columns = NULL;
  if (room == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for %zu atoms.", n);
  for (size_t entry = 0; entry < n; entry++) {
    const size_t atom = groups->atoms != NULL ? groups->atoms[entry] : entry;
    if (!debye_scattering_is_good(frame->x[atom], frame->y[atom], frame->z[atom])) {
      free(room);
      return debye_scattering_bad_atom(frame, atom, status);
    }
    room[entry] = (double)frame->x[atom];
    room[n + entry] = (double)frame->y[atom];
    room[2 * n + entry] = (double)frame->z[atom];
    room[3 * n + entry] = groups->weight != NULL ? (double)groups->weight[entry] : 1.0;
  }
  *columns = room;
  return debye_status_ok(status);
}
