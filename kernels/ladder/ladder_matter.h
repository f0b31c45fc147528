/* SPDX-License-Identifier: MIT */
/* Made-up matter in which xenon and oxygen are sampled, as dense as a protein in water: what ligand sampling is timed on.
 * Called by the benchmarks and the teaching variants' tests. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DEBYE_MATTER_TYPES 20
#define DEBYE_MATTER_STEP (64.0 / 24.0) /* Å, of the jittered lattice */
#define DEBYE_MATTER_TEMPERATURE 300.0

/* Two atoms on each of the sites that are taken, 13,107 of 13,824: a heavy one and a hydrogen. */
size_t debye_ladder_matter_count(size_t side);
/* Places (Å) in a cube of side·DEBYE_MATTER_STEP and types of so many atoms. */
void debye_ladder_matter_place(size_t side, float *x, float *y, float *z, uint32_t *types);
/* A/r¹² − B/r⁶ in kT for each type and a site of the ligand. */
void debye_ladder_matter_pair(bool is_oxygen, double repulsion[DEBYE_MATTER_TYPES],
                              double attraction[DEBYE_MATTER_TYPES]);
