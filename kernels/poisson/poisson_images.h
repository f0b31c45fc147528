/* SPDX-License-Identifier: MIT */
/* Atoms and their periodic images about a grid that repeats; used by poisson_lanes.c. */
#pragma once

#include "poisson_medium.h"

typedef struct {
  DebyeSpheres spheres;
  float *charges;
  float *numbers; /* all of them, one block */
} DebyePoissonImages;

/* Those that reach into the grid: with their spheres, a probe, an ion and the points that a
 * charge is on. False on exhausted memory; to be cleared else. */
bool debye_poisson_images_init(DebyePoissonImages *images, const DebyePoissonMedium *medium,
                               const DebyeSpheres *spheres, const float *charges);
void debye_poisson_images_clear(DebyePoissonImages *images);
/* Takes the mean of a grid's points, each once, from all of them. Along all axes they repeat. */
void debye_poisson_remove_mean(const DebyeSurfaceGrid *grid, float *floats, double *doubles);
