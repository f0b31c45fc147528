/* SPDX-License-Identifier: MIT */
/* The topology that MDTraj keeps as JSON in its HDF5 files: chains of residues of atoms, and bonds.
 * Read by format_mdtraj.c. */
#pragma once

#include "data/molecule/topology.h"

/* FALSE with the mistake in `problem` (one clause, to be freed). */
gboolean debye_mdtraj_topology_read(const char *text, gsize length, DebyeTopologyBuilder *builder,
                                    char **problem);
