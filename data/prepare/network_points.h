/* SPDX-License-Identifier: MIT */
/* Charges and walls of atoms for the energy of a network of hydrogen bonds; used by prepare_network.c. */
#pragma once

#include "hydrogen_movers.h"

typedef enum {
  DEBYE_POINT_POLAR_HYDROGEN,
  DEBYE_POINT_HYDROGEN,
  DEBYE_POINT_POLAR,
  DEBYE_POINT_CARBON
} DebyePointKind;

typedef struct {
  DebyeVec3 position;
  double charge; /* e */
  DebyePointKind kind;
  guint32 heavy; /* the atom, or the one that carries the hydrogen */
  guint32 unit;
  gboolean is_backbone;
} DebyeNetworkPoint;

#define DEBYE_NETWORK_RANGE 6.0 /* Å */

DebyeNetworkPoint debye_network_point_of_atom(const DebyePreparedSystem *system, guint32 atom);
DebyeNetworkPoint debye_network_point_of_hydrogen(const DebyePreparedSystem *system,
                                                  const DebyePreparedHydrogen *hydrogen);
/* Of two that aren't bonded, kcal/mol. */
double debye_network_energy(const DebyeNetworkPoint *a, const DebyeNetworkPoint *b);
