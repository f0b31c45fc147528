/* SPDX-License-Identifier: MIT */
/* What must not change a map, whatever the method. */
#pragma once

#include "map_test_support.h"

/* Cut into slabs of any thickness: the same bits. */
void debye_map_check_slabs(const DebyeMapPath *path, const DebyePotentialSettings *settings,
                           const DebyeCharges *charges);
/* Sums don't depend on who adds them: the same bits in every run and for any number of threads. */
void debye_map_check_repeats(const DebyeMapPath *path, const DebyePotentialSettings *settings,
                             const DebyeCharges *charges);
/* Atoms moved by whole edges, and then all moved together with the grid: the method's own error may change
 * then. In a skew cell with three periodic axes. */
void debye_map_check_translation(const DebyeMapPath *path, DebyePotentialMethod method, double tolerance);
/* A grid over two cells along each axis holds the cell eight times. Returns the map's mean over its root mean
 * square. */
double debye_map_check_periodicity(const DebyeMapPath *path, const DebyePotentialSettings *like,
                                   const DebyeCell *cell);
/* One plan for frames whose cell breathes, grows far beyond the plan, and comes back; in an open system the
 * atoms spread so. The settings' tolerance is met in each. */
void debye_map_check_frames(const DebyeMapPath *path, const DebyePotentialSettings *like, size_t n_samples);
/* Every lane prepares each frame on its own, and they all come to the same: a map shared by three devices,
 * one of which fails and spoils its planes, is that of the processor alone. */
void debye_map_check_lanes(const DebyePotentialSettings *like);
