/* SPDX-License-Identifier: MIT */
/* Implicit ligand sampling by a plain loop in double: the slow truth that tests compare every back end with. */
#pragma once

#include "kernels/ligand/ligand_map.h"

/* The mean of exp(−E/kT) in one voxel. */
double debye_oracle_ligand(const DebyeLigandSettings *settings, const DebyeLigandFrame *frame, size_t voxel);
