/* SPDX-License-Identifier: MIT */
/* Implementation of poisson_dots.h. */
#include "poisson_dots.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/surface/sphere_bins.h"

#define PI 3.14159265358979323846
#define CHUNK_ATOMS ((size_t)16)

typedef struct {
  DebyePoissonDots *dots;
  DebyeSphereBins bins;
  double largest; /* radius of an atom, Å */
  bool failed;    /* a chunk had no memory */
} Search;

/* How many rings and dots a ring, from the pole on: rings are as far apart as dots of the equator. */
static size_t
count_ring(size_t ring, size_t n_rings)
{
  return (size_t)floor(sin(PI * (double)ring / (double)n_rings) * 2.0 * (double)n_rings + 0.5);
}

static bool
place_dots(DebyePoissonDots *dots, double wanted)
{
  const size_t n_rings = (size_t)fmax(2.0, floor(sqrt(PI * wanted / 4.0) + 0.5));
  for (size_t ring = 0; ring < n_rings; ring++)
    dots->n_dots += count_ring(ring, n_rings);
  dots->stride = (dots->n_dots + 7) / 8;
  dots->dots = malloc(dots->n_dots * sizeof *dots->dots);
  DebyeVec3 *dot = dots->dots;
  for (size_t ring = 0; ring < n_rings && dot != NULL; ring++) {
    const double theta = PI * (double)ring / (double)n_rings;
    const size_t n = count_ring(ring, n_rings);
    for (size_t i = 0; i < n; i++) {
      const double phi = 2.0 * PI * (double)i / (double)n;
      *dot++ = debye_vec3(cos(phi) * sin(theta), sin(phi) * sin(theta), cos(theta));
    }
  }
  return dots->dots != NULL;
}

/* Others whose accessible sphere meets the atom's; returns their number. */
static size_t
list_neighbors(const Search *search, size_t atom, uint32_t *neighbors)
{
  const DebyeSpheres *spheres = search->dots->spheres;
  const DebyeVec3 center = debye_sphere_center(spheres, atom);
  const double own = (double)spheres->radius[atom] + 2.0 * search->dots->probe;
  size_t first[3], last[3], n = 0;
  if (!debye_sphere_bins_range(&search->bins, center, own + search->largest, first, last))
    return 0;
  for (size_t z = first[2]; z <= last[2]; z++)
    for (size_t y = first[1]; y <= last[1]; y++) {
      const size_t row = search->bins.shape[0] * (y + search->bins.shape[1] * z);
      for (uint32_t k = search->bins.begin[row + first[0]]; k < search->bins.begin[row + last[0] + 1]; k++) {
        const uint32_t other = search->bins.sphere[k];
        const double reach = own + (double)spheres->radius[other];
        const double apart =
            debye_vec3_length(debye_vec3_subtract(debye_sphere_center(spheres, other), center));
        if (other != atom && spheres->radius[other] > 0.0f && apart < reach)
          neighbors[n++] = other;
      }
    }
  return n;
}

static bool
is_covered(const DebyePoissonDots *dots, DebyeVec3 at, const uint32_t *neighbors, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    const DebyeVec3 d = debye_vec3_subtract(debye_sphere_center(dots->spheres, neighbors[i]), at);
    const double reach = (double)dots->spheres->radius[neighbors[i]] + dots->probe;
    if (d.x * d.x + d.y * d.y + d.z * d.z < reach * reach)
      return true;
  }
  return false;
}

static void
mark_atom(const Search *search, size_t atom, uint32_t *neighbors)
{
  DebyePoissonDots *dots = search->dots;
  const double radius = (double)dots->spheres->radius[atom];
  if (!(radius > 0.0))
    return;
  const size_t n = list_neighbors(search, atom, neighbors);
  for (size_t i = 0; i < dots->n_dots; i++) {
    const DebyeVec3 at = debye_vec3_add(debye_sphere_center(dots->spheres, atom),
                                        debye_vec3_scale(dots->dots[i], radius + dots->probe));
    if (!is_covered(dots, at, neighbors, n))
      dots->accessible[atom * dots->stride + i / 8] |= (uint8_t)(1u << i % 8);
  }
}

static void
mark_chunk(void *context, size_t chunk)
{
  Search *search = context;
  const size_t n = search->dots->spheres->n;
  uint32_t *neighbors = malloc((n + 1) * sizeof *neighbors);
  if (neighbors == NULL) {
    __atomic_store_n(&search->failed, true, __ATOMIC_RELAXED);
    return;
  }
  for (size_t atom = chunk * CHUNK_ATOMS; atom < n && atom < (chunk + 1) * CHUNK_ATOMS; atom++)
    mark_atom(search, atom, neighbors);
  free(neighbors);
}

bool
debye_poisson_dots_init(DebyePoissonDots *dots, const DebyeSpheres *spheres, double probe, double largest,
                        double density)
{
  Search search = {.dots = dots};
  *dots = (DebyePoissonDots){.spheres = spheres, .probe = probe};
  for (size_t i = 0; i < spheres->n; i++)
    search.largest = fmax(search.largest, (double)spheres->radius[i]);
  bool good = place_dots(dots, ceil(4.0 * PI * largest * largest * density));
  good = good && (dots->accessible = calloc(spheres->n + 1, dots->stride)) != NULL &&
         debye_sphere_bins_init(&search.bins, spheres, search.largest + probe);
  if (good)
    debye_chunk_threads_run((spheres->n + CHUNK_ATOMS - 1) / CHUNK_ATOMS, mark_chunk, &search);
  debye_sphere_bins_clear(&search.bins);
  if (good && !search.failed)
    return true;
  debye_poisson_dots_clear(dots);
  return false;
}

void
debye_poisson_dots_clear(DebyePoissonDots *dots)
{
  free(dots->dots);
  free(dots->accessible);
  *dots = (DebyePoissonDots){.spheres = NULL};
}
