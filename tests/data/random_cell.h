/* SPDX-License-Identifier: MIT */
/* Random periodic cells for tests, and the slow, plain answer to what their nearest images are. */
#pragma once

#include <glib.h>

#include "data/geometry.h"

/* `nice`: a cell near a cube of 8 … 14 Å, whose nearest images are near. `skewed`: the same lattice by other
 * vectors, long and at sharp angles. */
void random_cell_fill(GRand *random, DebyeVec3 nice[3], DebyeVec3 skewed[3]);
/* A random position up to `reach` Å from the origin along each axis. */
DebyeVec3 random_position(GRand *random, double reach);
/* `d` taken to near the origin by the nice vectors. */
DebyeVec3 near_image(const DebyeVec3 nice[3], DebyeVec3 d);
/* The length of the shortest image of `d`, by looking at 343 of them. */
double nearest_image_distance(const DebyeVec3 nice[3], DebyeVec3 d);
