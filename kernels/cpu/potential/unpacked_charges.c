/* SPDX-License-Identifier: MIT */
/* Implementation of unpacked_charges.h; called by the methods that a frame may reach packed. */
#include "unpacked_charges.h"

void
debye_unpacked_charges_list(DebyeUnpackedCharges *unpacked, const DebyePotentialSettings *settings,
                            DebyePlanMemory *memory)
{
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, unpacked->xyz, 3 * (uint64_t)settings->packed.n_atoms);
}

DebyeStatusCode
debye_unpacked_charges_set(DebyeUnpackedCharges *unpacked, const DebyePotentialSettings *settings,
                           const DebyePackedCoordinates *packed, DebyePool *pool, DebyeCharges *charges,
                           DebyeStatus *status)
{
  const DebyePackedAtoms *atoms = &settings->packed;
  float *x = unpacked->xyz, *y = x + atoms->n_atoms, *z = y + atoms->n_atoms;
  const DebyeStatusCode code = debye_packed_atoms_check(atoms, packed, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  debye_unpack(packed, atoms->chosen, atoms->n_chosen, pool, x, y, z);
  *charges = (DebyeCharges){.x = x, .y = y, .z = z, .charge = settings->packed_charge, .n = atoms->n_chosen};
  return code;
}
