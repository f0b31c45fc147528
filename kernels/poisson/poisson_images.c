/* SPDX-License-Identifier: MIT */
/* Implementation of poisson_images.h. */
#include "poisson_images.h"

#include <math.h>
#include <stdlib.h>

/* Steps that a charge reaches, and one. */
#define SPREAD 3.0

typedef struct {
  double low[3], high[3], period[3]; /* period 0: it doesn't repeat */
} Box;

static Box
box_of(const DebyePoissonMedium *medium, const DebyeSpheres *spheres)
{
  const DebyeSurfaceGrid *grid = &medium->grid;
  const double origin[3] = {grid->origin.x, grid->origin.y, grid->origin.z};
  double reach = 0.0;
  Box box;
  for (size_t i = 0; i < spheres->n; i++)
    reach = fmax(reach, (double)spheres->radius[i]);
  reach += fmax(2.0 * medium->probe, medium->ion_radius);
  for (int axis = 0; axis < 3; axis++) {
    const double margin = fmax(reach, SPREAD * grid->step[axis]);
    box.low[axis] = origin[axis] - margin;
    box.high[axis] = origin[axis] + grid->step[axis] * (double)(grid->shape[axis] - 1) + margin;
    box.period[axis] = medium->periodic[axis] ? grid->step[axis] * (double)(grid->shape[axis] - 2) : 0.0;
  }
  return box;
}

/* Numbers of the images along an axis, [first, last]; 0 alone where it doesn't repeat. */
static void
range_of(const Box *box, int axis, double at, double *first, double *last)
{
  const double period = box->period[axis];
  *first = period > 0.0 ? ceil((box->low[axis] - at) / period) : 0.0;
  *last = period > 0.0 ? floor((box->high[axis] - at) / period) : 0.0;
}

/* Writes an atom's images from number `n` on, unless `images` is NULL; returns how many there are then. */
static size_t
add_images(const Box *box, const DebyeSpheres *spheres, const float *charges, size_t atom, size_t n,
           size_t capacity, DebyePoissonImages *images)
{
  const double at[3] = {(double)spheres->x[atom], (double)spheres->y[atom], (double)spheres->z[atom]};
  double first[3], last[3];
  for (int axis = 0; axis < 3; axis++)
    range_of(box, axis, at[axis], &first[axis], &last[axis]);
  for (double k = first[2]; k <= last[2]; k++)
    for (double j = first[1]; j <= last[1]; j++)
      for (double i = first[0]; i <= last[0]; i++, n++) {
        if (images == NULL)
          continue;
        images->numbers[n] = (float)(at[0] + i * box->period[0]);
        images->numbers[capacity + n] = (float)(at[1] + j * box->period[1]);
        images->numbers[2 * capacity + n] = (float)(at[2] + k * box->period[2]);
        images->numbers[3 * capacity + n] = spheres->radius[atom];
        images->numbers[4 * capacity + n] = charges[atom];
      }
  return n;
}

bool
debye_poisson_images_init(DebyePoissonImages *images, const DebyePoissonMedium *medium,
                          const DebyeSpheres *spheres, const float *charges)
{
  const Box box = box_of(medium, spheres);
  size_t n = 0, at = 0;
  for (size_t i = 0; i < spheres->n; i++)
    n = add_images(&box, spheres, charges, i, n, 0, NULL);
  *images = (DebyePoissonImages){.numbers = malloc((5 * n + 1) * sizeof *images->numbers)};
  if (images->numbers == NULL)
    return false;
  for (size_t i = 0; i < spheres->n; i++)
    at = add_images(&box, spheres, charges, i, at, n, images);
  images->spheres = (DebyeSpheres){images->numbers, images->numbers + n, images->numbers + 2 * n,
                                   images->numbers + 3 * n, n};
  images->charges = images->numbers + 4 * n;
  return true;
}

void
debye_poisson_images_clear(DebyePoissonImages *images)
{
  free(images->numbers);
  *images = (DebyePoissonImages){.numbers = NULL};
}

void
debye_poisson_remove_mean(const DebyeSurfaceGrid *grid, float *floats, double *doubles)
{
  const size_t *shape = grid->shape, n = shape[0] * shape[1] * shape[2];
  double sum = 0.0;
  for (size_t z = 1; z + 1 < shape[2]; z++)
    for (size_t y = 1; y + 1 < shape[1]; y++)
      for (size_t x = 1; x + 1 < shape[0]; x++) {
        const size_t i = x + shape[0] * (y + shape[1] * z);
        sum += floats != NULL ? (double)floats[i] : doubles[i];
      }
  const double mean = sum / ((double)(shape[0] - 2) * (double)(shape[1] - 2) * (double)(shape[2] - 2));
  for (size_t i = 0; i < n && floats != NULL; i++)
    floats[i] = (float)((double)floats[i] - mean);
  for (size_t i = 0; i < n && doubles != NULL; i++)
    doubles[i] -= mean;
}
