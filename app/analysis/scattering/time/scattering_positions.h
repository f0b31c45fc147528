/* SPDX-License-Identifier: MIT */
/* The positions of a block of atoms at all times, from one pass over the trajectory;
 * intermediate_scattering_self.c and intermediate_scattering_displacements.c compute the incoherent part from
 * them. A block has as many atoms as memory allows; the trajectory itself is never kept. */
#pragma once

#include "intermediate_scattering.h"

typedef struct {
  DebyeIntermediateScattering *scattering; /* borrowed */
  gsize capacity, n;                       /* atoms: room for, read */
  gsize first, step;                       /* the entries of the groups */
  float *x, *y, *z;                        /* Å, [time·n + atom] */
  guint32 *species;                        /* of the atoms */
} DebyeScatteringPositions;

/* FALSE with an error without the memory. */
gboolean debye_scattering_positions_init(DebyeScatteringPositions *positions,
                                         DebyeIntermediateScattering *scattering, gsize capacity,
                                         GError **error);
void debye_scattering_positions_clear(DebyeScatteringPositions *positions);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeScatteringPositions, debye_scattering_positions_clear)

/* A pass for `n` atoms: the entries `first`, `first + step` … of the groups. None
 * need no pass. FALSE with an error. */
gboolean debye_scattering_positions_read(DebyeScatteringPositions *positions, gsize first, gsize step,
                                         gsize n, GError **error);

/* Some of those that were read; owned by the positions. */
DebyeSelfBlock debye_scattering_positions_get(const DebyeScatteringPositions *positions, gsize first,
                                              gsize n);
