/* SPDX-License-Identifier: MIT */
/* What a TNG file says of its atoms, before the first frame set: molecules with chains, residues, atoms and
 * bonds; charges and masses beside them, as GROMACS writes them. */
#pragma once

#include "tng_file.h"
#include "data/molecule/topology.h"

/* Nothing is added for a file that names no atom. */
gboolean debye_tng_add_topology(DebyeInput *input, DebyeTopologyBuilder *builder, GError **error);
