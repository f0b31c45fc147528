/* SPDX-License-Identifier: MIT */
/* Packed coordinates at random: any bits as numbers, heads that hold together. */
#pragma once

#include "data/packed_coordinates.h"

/* Fills the rest of a frame whose minimum, range, unit and ranges of small numbers are set, and all else zero. Numbers may be more
 * than their range allows, as in damaged files. To be cleared. */
void debye_packed_random(DebyePackedCoordinates *packed, size_t n_atoms, int small_index, unsigned seed);
void debye_packed_clear(DebyePackedCoordinates *packed);
/* Ranges of small numbers as a format could have them, where its own are not at hand. */
const uint32_t *debye_packed_test_ranges(void);
