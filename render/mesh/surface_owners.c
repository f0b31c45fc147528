/* SPDX-License-Identifier: MIT */
/* Finds for the two kinds of molecular surfaces which atom each vertex of a surface belongs to, and which
 * others lend it their colours. */
#include "surface_owners.h"

#include <string.h>

#include "data/work/parts.h"
#include "mesh_fine.h"

/* Å: blend² for each Å of the spacing. From a tenth of the one to nine, the border between two atoms is
 * 4.4 blend² / distance wide: of bonded ones some 2.6 spacings, of others that touch 1.1. Narrower ones show
 * the triangles. */
#define NARROWEST_BLEND 0.9
#define WIDEST_SPACING 1.5       /* Å: beyond, triangles are as large as atoms */
#define LEAST_SHARE (1.0 / 32.0) /* of what the nearest atom lends: below, an atom lends nothing */
#define USUAL_DISTANCE 3.0       /* Å²: d² − R² of most vertices and their atom is less */
#define N_NEAREST (DEBYE_MESH_OTHERS + 2)
#define CHUNK 4096 /* vertices that a thread takes at a time */

double
debye_surface_largest_radius(const DebyeSurfaceAtoms *atoms)
{
  float largest = 0.0f;
  for (gsize i = 0; i < atoms->n_atoms; i++)
    largest = MAX(largest, atoms->radii[i]);
  return (double)largest;
}

void
debye_surface_find_range(const float *values, gsize n, double *low, double *high)
{
  float least = INFINITY, most = -INFINITY;
  for (gsize i = 0; i < n; i++) {
    least = MIN(least, values[i]);
    most = MAX(most, values[i]);
  }
  *low = (double)least;
  *high = (double)most;
}

/* --- Cubes --- */

typedef struct {
  double origin[3], width;
  gsize shape[3];
  guint32 *starts;
  float (*atoms)[4]; /* x, y, z, radius² */
  guint32 *numbers;
} Cubes;

static gsize
cube_at(const Cubes *cubes, int axis, float place)
{
  double at = ((double)place - cubes->origin[axis]) / cubes->width;
  return (gsize)CLAMP(at, 0.0, (double)cubes->shape[axis] - 1.0);
}

static gsize
cube_of(const Cubes *cubes, const float place[3])
{
  gsize j = cube_at(cubes, 1, place[1]), k = cube_at(cubes, 2, place[2]);
  return cube_at(cubes, 0, place[0]) + cubes->shape[0] * (j + cubes->shape[1] * k);
}

/* Returns how many there are. Atoms that are far apart get wider ones rather than very many. */
static gsize
lay_cubes(Cubes *cubes, const DebyeSurfaceAtoms *atoms, double width)
{
  const float *const columns[3] = {atoms->x, atoms->y, atoms->z};
  double n_cubes, most = 65536.0 + 4.0 * (double)atoms->n_atoms, lengths[3];
  for (int axis = 0; axis < 3; axis++) {
    double high;
    debye_surface_find_range(columns[axis], atoms->n_atoms, &cubes->origin[axis], &high);
    lengths[axis] = high - cubes->origin[axis];
  }
  for (;; width *= 1.25) {
    n_cubes = 1.0;
    for (int axis = 0; axis < 3; axis++)
      n_cubes *= floor(lengths[axis] / width) + 1.0;
    if (n_cubes <= most)
      break;
  }
  cubes->width = width;
  for (int axis = 0; axis < 3; axis++)
    cubes->shape[axis] = (gsize)(lengths[axis] / width) + 1;
  return (gsize)n_cubes;
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

/* --- The nearest atoms --- */

typedef struct {
  const Cubes *cubes;
  DebyeMesh *mesh;
  double largest;  /* radius² */
  float beyond;    /* Å²: how much farther than the nearest an atom that lends its colour may be */
  float sharpness; /* 1 / (2 blend²) */
  GCancellable *cancellable;
} Search;

/* Those with the largest Gaussians: the least d² − R², ascending. */
typedef struct {
  float values[N_NEAREST];
  guint32 slots[N_NEAREST];
} Nearest;

/* The cubes up to `reach` from that of a place, as rows that lie beside each other. */
typedef struct {
  gsize first[3], last[3];
  gboolean all; /* there are no other cubes */
} Block;

static Block
block_around(const Cubes *cubes, const float place[3], gsize reach)
{
  Block block = {.all = TRUE};
  for (int axis = 0; axis < 3; axis++) {
    gsize cube = cube_at(cubes, axis, place[axis]);
    block.first[axis] = cube > reach ? cube - reach : 0;
    block.last[axis] = MIN(cube + reach, cubes->shape[axis] - 1);
    block.all &= block.first[axis] == 0 && block.last[axis] + 1 == cubes->shape[axis];
  }
  return block;
}

static inline float
value_at(const float atom[4], const float place[3])
{
  float dx = atom[0] - place[0], dy = atom[1] - place[1], dz = atom[2] - place[2];
  return dx * dx + dy * dy + dz * dz - atom[3];
}

static void
insert(Nearest *nearest, float value, guint32 slot)
{
  int at = N_NEAREST - 1;
  if (!(value < nearest->values[at]))
    return;
  for (; at > 0 && value < nearest->values[at - 1]; at--) {
    nearest->values[at] = nearest->values[at - 1];
    nearest->slots[at] = nearest->slots[at - 1];
  }
  nearest->values[at] = value;
  nearest->slots[at] = slot;
}

/* The least there is; those up to `most` into `nearest`, where not NULL. */
static inline float
scan(const Cubes *cubes, const Block *block, const float place[3], float most, Nearest *nearest)
{
  float least = INFINITY;
  for (gsize k = block->first[2]; k <= block->last[2]; k++)
    for (gsize j = block->first[1]; j <= block->last[1]; j++) {
      gsize row = cubes->shape[0] * (j + cubes->shape[1] * k);
      guint32 end = cubes->starts[row + block->last[0] + 1];
      for (guint32 a = cubes->starts[row + block->first[0]]; a < end; a++) {
        float value = value_at(cubes->atoms[a], place);
        least = value < least ? value : least;
        if (nearest != NULL && value <= most)
          insert(nearest, value, a);
      }
    }
  return least;
}

static void
forget(Nearest *nearest)
{
  *nearest = (Nearest){.slots = {0}};
  for (int n = 0; n < N_NEAREST; n++)
    nearest->values[n] = INFINITY;
}

/* The least comes first and alone: few are near it, and only those are sorted. What lies beyond the cubes
 * that were looked at is farther than so many of their widths. */
static void
find_nearest(const Search *search, const float place[3], Nearest *nearest)
{
  for (gsize reach = 1;; reach *= 2) {
    Block block = block_around(search->cubes, place, reach);
    float most = scan(search->cubes, &block, place, INFINITY, NULL) + search->beyond;
    double safe = (double)reach * search->cubes->width;
    if (!block.all && safe * safe - search->largest < (double)most)
      continue;
    forget(nearest);
    scan(search->cubes, &block, place, most, nearest);
    return;
  }
}

/* What the first that is left out would lend is taken from all: or a colour would jump where two change
 * places in the order. */
static void
set_blend(const Search *search, const Nearest *nearest, DebyeMeshBlend *blend)
{
  float weights[N_NEAREST], sum = 0.0f;
  for (int n = 0; n < N_NEAREST; n++)
    weights[n] = expf(search->sharpness * (nearest->values[0] - nearest->values[n]));
  float least = fmaxf(weights[N_NEAREST - 1], (float)LEAST_SHARE);
  for (int n = 0; n <= DEBYE_MESH_OTHERS; n++)
    sum += weights[n] = fmaxf(weights[n] - least, 0.0f);
  int rest = 255;
  for (int n = 0; n < DEBYE_MESH_OTHERS; n++) {
    int share = sum > 0.0f ? (int)(255.0f * weights[n + 1] / sum + 0.5f) : 0;
    share = MIN(share, rest);
    blend->others[n] = search->cubes->numbers[share > 0 ? nearest->slots[n + 1] : nearest->slots[0]];
    blend->shares[n + 1] = (guint8)share;
    rest -= share;
  }
  blend->shares[0] = (guint8)rest;
}

static void
find_chunk(gsize chunk, gpointer data)
{
  const Search *search = data;
  gsize end = MIN((chunk + 1) * CHUNK, search->mesh->n_vertices);
  if (g_cancellable_is_cancelled(search->cancellable))
    return;
  for (gsize i = chunk * CHUNK; i < end; i++) {
    Nearest nearest;
    find_nearest(search, search->mesh->positions + 3 * i, &nearest);
    search->mesh->atoms[i] = search->cubes->numbers[nearest.slots[0]];
    set_blend(search, &nearest, &search->mesh->blends[i]);
  }
}

double
debye_surface_narrowest_blend(double spacing)
{
  return sqrt(NARROWEST_BLEND * fmin(spacing, WIDEST_SPACING));
}

gboolean
debye_surface_find_owners(const DebyeSurfaceAtoms *atoms, double blend, DebyeMesh *mesh,
                          GCancellable *cancellable)
{
  double largest = debye_surface_largest_radius(atoms), beyond = -2.0 * blend * blend * log(LEAST_SHARE);
  Cubes cubes;
  if (!debye_mesh_refine(mesh, atoms->longest_edge))
    return FALSE;
  Search search = {.cubes = &cubes,
                   .mesh = mesh,
                   .largest = largest * largest,
                   .beyond = (float)beyond,
                   .sharpness = (float)(0.5 / (blend * blend)),
                   .cancellable = cancellable};
  mesh->atoms = g_try_new(guint32, mesh->n_vertices + 1);
  mesh->blends = g_try_new(DebyeMeshBlend, mesh->n_vertices + 1);
  if (!mesh->atoms || !mesh->blends)
    return FALSE;
  /* So wide that the cube of a vertex and its neighbours mostly are enough. */
  cubes_init(&cubes, atoms, sqrt(search.largest + beyond + USUAL_DISTANCE));
  debye_parts_run((mesh->n_vertices + CHUNK - 1) / CHUNK, find_chunk, &search);
  cubes_clear(&cubes);
  return !g_cancellable_is_cancelled(cancellable);
}
