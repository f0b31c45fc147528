/* SPDX-License-Identifier: MIT */
/* Cells, grids and charges for the tests of methods with a tolerance. */
#pragma once

#include "tests/support/oracle_potential.h"

DebyeCell debye_cubic_cell(double edge);
/* n³ points over the cell, `shift` of a step from its corner. */
DebyeGrid debye_cell_grid(const DebyeCell *cell, size_t n, double shift);

/* Atoms at random, their charges too: with a net charge. */
DebyeRandomSystem debye_random_in_cell(const DebyeCell *cell, size_t n, unsigned seed);
/* Water: n³ molecules near the points of a lattice over the cell, turned at random. */
DebyeRandomSystem debye_water_in_cell(const DebyeCell *cell, size_t n, unsigned seed);
/* Like a protein: a ball of atoms, most with partial charges that add up to nothing over a few neighbours,
 * and some that carry a whole one. */
DebyeRandomSystem debye_protein_like(size_t n, unsigned seed);

/* A cubic crystal of ions, whose sums over all images are known. An eighth, a quarter and so on are exact in
 * float. */
typedef struct {
  float x[8], y[8], z[8], charge[8];
  size_t n;
  double edge, nearest; /* Å; of two ions */
  double madelung;      /* for the nearest distance */
} DebyeIonCrystal;

extern const DebyeIonCrystal debye_rock_salt, debye_caesium_chloride;
