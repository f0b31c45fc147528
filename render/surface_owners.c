/* SPDX-License-Identifier: MIT */
/* Which atom each vertex of a surface belongs to. */
#include "surface_owners.h"

#include <string.h>

double
debye_surface_largest_radius(const DebyeSurfaceAtoms *atoms)
{
  float largest = 0.0f;
  for (gsize i = 0; i < atoms->n_atoms; i++)
    largest = MAX(largest, atoms->radii[i]);
  return (double)largest;
}

void
debye_surface_find_ends(const float *values, gsize n, double *low, double *high)
{
  float least = INFINITY, most = -INFINITY;
  for (gsize i = 0; i < n; i++) {
    least = MIN(least, values[i]);
    most = MAX(most, values[i]);
  }
  *low = (double)least;
  *high = (double)most;
}

/* Cubes as wide as the largest atom, so that the atom that carries a vertex is in one of 27. */
typedef struct {
  double origin[3], width;
  gsize shape[3];
  guint32 *starts;
  float (*atoms)[4]; /* x, y, z, radius² */
  guint32 *numbers;
} Cubes;

static gsize
cube_of(const Cubes *cubes, const float place[3])
{
  gsize index[3];
  for (int axis = 0; axis < 3; axis++) {
    double at = ((double)place[axis] - cubes->origin[axis]) / cubes->width;
    index[axis] = (gsize)CLAMP(at, 1.0, (double)cubes->shape[axis] - 2.0);
  }
  return index[0] + cubes->shape[0] * (index[1] + cubes->shape[1] * index[2]);
}

/* Returns how many there are. */
static gsize
lay_cubes(Cubes *cubes, const DebyeSurfaceAtoms *atoms, double width)
{
  const float *const columns[3] = {atoms->x, atoms->y, atoms->z};
  gsize n_cubes = 1;
  cubes->width = width;
  for (int axis = 0; axis < 3; axis++) {
    double low, high;
    debye_surface_find_ends(columns[axis], atoms->n_atoms, &low, &high);
    /* A rim of empty cubes, so that each that is asked for has neighbours. */
    cubes->origin[axis] = low - 2.0 * width;
    cubes->shape[axis] = (gsize)((high - low) / width) + 5;
    n_cubes *= cubes->shape[axis];
  }
  return n_cubes;
}

static void
cubes_init(Cubes *cubes, const DebyeSurfaceAtoms *atoms, double width)
{
  gsize n_cubes = lay_cubes(cubes, atoms, width);
  cubes->starts = g_new0(guint32, n_cubes + 1);
  cubes->atoms = g_malloc((atoms->n_atoms + 1) * sizeof *cubes->atoms);
  cubes->numbers = g_new(guint32, atoms->n_atoms + 1);
  for (gsize i = 0; i < atoms->n_atoms; i++)
    cubes->starts[cube_of(cubes, (const float[3]){atoms->x[i], atoms->y[i], atoms->z[i]}) + 1]++;
  for (gsize c = 0; c < n_cubes; c++)
    cubes->starts[c + 1] += cubes->starts[c];
  g_autofree guint32 *next = g_memdup2(cubes->starts, (n_cubes + 1) * sizeof(guint32));
  for (gsize i = 0; i < atoms->n_atoms; i++) {
    const float place[3] = {atoms->x[i], atoms->y[i], atoms->z[i]};
    guint32 slot = next[cube_of(cubes, place)]++;
    memcpy(cubes->atoms[slot], place, sizeof place);
    cubes->atoms[slot][3] = atoms->radii[i] * atoms->radii[i];
    cubes->numbers[slot] = atoms->numbers[i];
  }
}

static void
cubes_clear(Cubes *cubes)
{
  g_free(cubes->starts);
  g_free(cubes->atoms);
  g_free(cubes->numbers);
}

/* The atom with the largest part there: least d² − R². */
static guint32
find_owner(const Cubes *cubes, const float place[3])
{
  gsize cube = cube_of(cubes, place), row = cubes->shape[0], layer = row * cubes->shape[1];
  float least = INFINITY;
  guint32 owner = cubes->numbers[0];
  for (int k = -1; k <= 1; k++)
    for (int j = -1; j <= 1; j++) {
      gsize start = (gsize)((gssize)cube + j * (gssize)row + k * (gssize)layer - 1);
      for (guint32 a = cubes->starts[start]; a < cubes->starts[start + 3]; a++) {
        const float *atom = cubes->atoms[a];
        float dx = atom[0] - place[0], dy = atom[1] - place[1], dz = atom[2] - place[2];
        float value = dx * dx + dy * dy + dz * dz - atom[3];
        if (value < least) {
          least = value;
          owner = cubes->numbers[a];
        }
      }
    }
  return owner;
}

void
debye_surface_find_owners(const DebyeSurfaceAtoms *atoms, double beyond, DebyeMesh *mesh)
{
  Cubes cubes;
  cubes_init(&cubes, atoms, debye_surface_largest_radius(atoms) + beyond);
  mesh->atoms = g_new(guint32, mesh->n_vertices + 1);
  for (gsize i = 0; i < mesh->n_vertices; i++)
    mesh->atoms[i] = find_owner(&cubes, mesh->positions + 3 * i);
  cubes_clear(&cubes);
}
