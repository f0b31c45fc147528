/* SPDX-License-Identifier: MIT */
/* Which atoms an analysis is most likely about: the solute, if water and ions surround one; and the pair whose
 * distribution tells most of a liquid or a crystal. */
#pragma once

#include "data/molecule/topology.h"

typedef struct {
  const char *selection; /* a selection text */
  char *reason;          /* one sentence */
  char *pair;            /* "A | B", of which g(r) is likely asked; NULL: of none */
  char *pair_reason;     /* one sentence */
} DebyeSuggestedAtoms;

DebyeSuggestedAtoms *debye_suggested_atoms_new(DebyeTopology *topology);
DebyeSuggestedAtoms *debye_suggested_atoms_copy(const DebyeSuggestedAtoms *suggested);
void debye_suggested_atoms_free(DebyeSuggestedAtoms *suggested);
