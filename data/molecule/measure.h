/* SPDX-License-Identifier: MIT */
/* Distances, angles and dihedrals of atoms, by the shortest images in the frame's cell. */
#pragma once

#include "frame.h"
#include "periodic.h"

#define DEBYE_MAX_MEASURED 4

/* The places of 2 to 4 atoms, each the image nearest to the one before: what is drawn and what is measured
 * are the same. places: n_atoms of them. */
void debye_measure_places(const DebyePeriodic *periodic, const DebyeFrame *frame, const guint32 *atoms,
                          gsize n_atoms, DebyeVec3 *places);
/* Of two atoms their distance in Å; of three the angle at the second, 0° … 180°; of four the dihedral about
 * the middle pair, −180° … 180° by the convention of IUPAC (cis is 0, clockwise is positive). NAN where atoms
 * stand on one another. */
double debye_measure(const DebyePeriodic *periodic, const DebyeFrame *frame, const guint32 *atoms,
                     gsize n_atoms);
