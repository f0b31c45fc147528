/* SPDX-License-Identifier: MIT */
/* Who scatters: the atoms of a frame in groups (elements, or selections that may overlap), and where they
 * are. Amplitudes are sums over a group, so that what depends on the group alone (a complex length, an X-ray
 * form factor at each q) is applied to the sums. */
#pragma once

#include "data/geometry.h"
#include "kernels/status.h"
#include "kernels/unpacking.h"

#include <stdint.h>

DEBYE_BEGIN_DECLS

#define DEBYE_SCATTERING_MAX_GROUPS 4096
#define DEBYE_SCATTERING_MAX_ATOMS ((size_t)1 << 30)
/* Coordinates in Å beyond this are refused: a phase has a fixed place for its whole turns. */
#define DEBYE_SCATTERING_FARTHEST 1e5

/* Group g has the atoms atoms[first[g]] up to atoms[first[g + 1]], by their numbers in the frame. Groups may
 * be empty and may share atoms. */
typedef struct {
  size_t n_groups;
  const size_t *first;   /* n_groups + 1, from 0 and never falling */
  const uint32_t *atoms; /* first[n_groups] of them; NULL: 0, 1, 2, … */
  const float *weight;   /* of each entry of `atoms`; NULL: 1 */
} DebyeScatteringGroups;

/* Borrowed during the call; all atoms of the frame. */
typedef struct {
  const float *x, *y, *z; /* Å; of a packed frame NULL */
  const DebyeCell *cell;  /* only the reciprocal lattice looks at it */
  /* For plans that take such, amplitudes and the lattice's: the kernel unpacks it, and no coordinate is beyond
   * DEBYE_SCATTERING_FARTHEST. NULL: x, y, z. */
  const DebyePackedCoordinates *packed;
} DebyeScatteringFrame;

/* INVALID with the reason where the groups make no sense for frames of so many atoms. */
DebyeStatusCode debye_scattering_groups_check(const DebyeScatteringGroups *groups, size_t n_atoms,
                                              DebyeStatus *status);
/* The sentence for an atom of a frame that can't be used: what is not a number, or too far away. */
DebyeStatusCode debye_scattering_bad_atom(const DebyeScatteringFrame *frame, size_t atom,
                                          DebyeStatus *status);

/* Entries [first, first + count) of the groups' list: their atoms' coordinates, one after the other. Returns
 * the lowest number among atoms that can't be used, or SIZE_MAX. */
size_t debye_scattering_gather(const DebyeScatteringGroups *groups, const DebyeScatteringFrame *frame,
                               size_t first, size_t count, float *x, float *y, float *z);

/* All entries in double, so that groups may share atoms: *columns, to be freed, has their x, their y, their z and their
 * weights one after the other. INVALID names an atom that can't be used. */
DebyeStatusCode debye_scattering_load(const DebyeScatteringGroups *groups, const DebyeScatteringFrame *frame,
                                      double **columns, DebyeStatus *status);

/* Not true for what is not a number. */
static inline bool
debye_scattering_is_good(float x, float y, float z)
{
  const float farthest = (float)DEBYE_SCATTERING_FARTHEST;
  return fabsf(x) <= farthest && fabsf(y) <= farthest && fabsf(z) <= farthest;
}

static inline size_t
debye_scattering_n_entries(const DebyeScatteringGroups *groups)
{
  return groups->first[groups->n_groups];
}

/* For a back end that has frames of n_atoms in the order of the groups; none packed where `may_be_packed` is false. */
static inline DebyePackedAtoms
debye_scattering_packed_atoms(const DebyeScatteringGroups *groups, size_t n_atoms, bool may_be_packed)
{
  const DebyePackedAtoms atoms = {may_be_packed ? n_atoms : 0, groups->atoms,
                                  debye_scattering_n_entries(groups)};
  return atoms;
}

DEBYE_END_DECLS
