/* SPDX-License-Identifier: MIT */
/* The name of an atom for people to read; used by measurements and the layer that draws them. */
#pragma once

#include "topology.h"

/* "GLY12 CA", with an insertion code "GLY12A CA"; the name alone where the file has no residues. Free with
 * g_free. */
char *debye_atom_name(DebyeTopology *topology, guint32 atom);
