/* SPDX-License-Identifier: MIT */
/* Frames that scatter as the CPU's kernels take them. */
#pragma once

#include "kernels/cpu/common/unpack.h"
#include "kernels/scattering/scattering_groups.h"

/* A packed frame becomes one of the arrays `xyz`, which have room for a frame of n_atoms; others stay as they are. INVALID where
 * the plan takes no packed ones, or none with so many atoms. */
static inline DebyeStatusCode
debye_scattering_unpack(DebyeScatteringFrame *frame, size_t n_atoms, bool may_be_packed, float *xyz,
                        DebyePool *pool, DebyeStatus *status)
{
  const DebyePackedAtoms atoms = {may_be_packed ? n_atoms : 0, NULL, n_atoms};
  const DebyePackedCoordinates *packed = frame->packed;
  if (packed == NULL)
    return debye_status_ok(status);
  const DebyeStatusCode code = debye_packed_atoms_check(&atoms, packed, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  debye_unpack(packed, NULL, 0, pool, xyz, xyz + n_atoms, xyz + 2 * n_atoms);
  *frame = (DebyeScatteringFrame){.x = xyz, .y = xyz + n_atoms, .z = xyz + 2 * n_atoms, .cell = frame->cell};
  return code;
}
