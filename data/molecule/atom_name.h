/* SPDX-License-Identifier: MIT */
/* What an atom is called where people read it. */
#pragma once

#include "topology.h"

G_BEGIN_DECLS

/* "GLY12 CA", with an insertion code "GLY12A CA"; the name alone where the file has no residues. Free with
 * g_free. */
char *debye_atom_name(DebyeTopology *topology, guint32 atom);

G_END_DECLS
