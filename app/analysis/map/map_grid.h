/* SPDX-License-Identifier: MIT */
/* The grid of a map: its points and their spacing, laid for map_plan.c. */
#pragma once

#include "data/geometry.h"
#include "map_settings.h"

/* A spacing from a series of round numbers, so that a map of these atoms takes a moment and not an afternoon:
 * at most 2 million points, and as many Coulomb pairs as a processor does in seconds. */
double debye_map_grid_suggest_spacing(DebyeVec3 low, DebyeVec3 high, double padding, gsize n_atoms,
                                      gsize n_frames);

/* The grid that is asked for around atoms within low … high. What is unset follows the atoms: with a
 * spacing alone the origin is a multiple of it, with a shape alone the grid is centred on the atoms. The
 * spacing must be set. The number of points is not bounded here: shapes can be absurd, and the memory check
 * says so. */
void debye_map_grid_lay(const DebyeMapSettings *settings, DebyeVec3 low, DebyeVec3 high, DebyeGrid *grid);

/* One cell, points along its vectors at most `spacing` apart, centred on `middle`; the points on the far
 * faces are those on the near ones and left out. */
void debye_map_grid_lay_cell(const DebyeCell *cell, DebyeVec3 middle, double spacing, DebyeGrid *grid);

/* As a double: shapes that overflow a size can be asked for. */
double debye_map_grid_count(const DebyeGrid *grid);

/* The finest round spacing with which `low` … `high` and padding take at most `max_points`. */
double debye_map_grid_spacing_for(DebyeVec3 low, DebyeVec3 high, double padding, double max_points);
