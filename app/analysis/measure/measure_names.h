/* SPDX-License-Identifier: MIT */
/* What measurements are called: by the atoms that they are between. */
#pragma once

#include "data/molecule/topology.h"

G_BEGIN_DECLS

/* "GLY12 CA - ASP34 OD1", with the chain before the residue where there are several, "A:GLY12 CA". Atoms
 * without a residue, and those of measurements that others are called like, have their indices: "C#3", "SOL1
 * OW#3 - SOL1 OW#6". `measurements` are DebyeMeasurement. */
char **debye_measure_names(DebyeTopology *topology, const GArray *measurements);

G_END_DECLS
