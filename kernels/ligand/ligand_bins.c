/* SPDX-License-Identifier: MIT */
/* Sorts atoms and their images for ligand_map.c and ligand_map.cu. */
#include "ligand_bins.h"

#include <math.h>
#include <string.h>

#define TILE DEBYE_LIGAND_TILE
#define MAX_BINS_ALONG_X 65535
#define MAX_BINS ((size_t)1 << 30)
/* Images of a typical frame's atoms that are in reach, for each of them. */
#define TYPICAL_IMAGES 3

static void
set_row(double row[3], DebyeVec3 v, double scale)
{
  row[0] = v.x * scale;
  row[1] = v.y * scale;
  row[2] = v.z * scale;
}

bool
debye_ligand_bins_init(DebyeLigandBins *bins, const DebyeLigandSettings *settings)
{
  const DebyeGrid *grid = &settings->grid;
  const DebyeVec3 *s = grid->step;
  const double volume = debye_vec3_dot(s[0], debye_vec3_cross(s[1], s[2]));
  double n = 1.0;
  DebyeVec3 corner = grid->origin;
  bins->reach = settings->cutoff + debye_ligand_reach(settings);
  for (int k = 0; k < 3; k++) {
    const DebyeVec3 normal = debye_vec3_cross(s[(k + 1) % 3], s[(k + 2) % 3]);
    set_row(bins->index[k], normal, 1.0 / volume);
    set_row(bins->step[k], s[k], (double)TILE);
    corner = debye_vec3_subtract(corner, debye_vec3_scale(s[k], 0.5));
    bins->around[k] = bins->reach * debye_vec3_length(normal) / fabs(volume) / (double)TILE;
    bins->margin[k] = (int64_t)ceil(bins->around[k]);
    bins->shape[k] = (int64_t)debye_ligand_n_tiles(settings, k) + 2 * bins->margin[k];
    n *= (double)bins->shape[k];
  }
  bins->corner[0] = corner.x;
  bins->corner[1] = corner.y;
  bins->corner[2] = corner.z;
  bins->n_bins = n <= (double)MAX_BINS ? (size_t)n : 0;
  return bins->n_bins > 0 && bins->shape[0] <= MAX_BINS_ALONG_X;
}

void
debye_ligand_bins_list(DebyeLigandBins *bins, const DebyeLigandSettings *settings, DebyeMemoryKind kind,
                       DebyePlanMemory *memory)
{
  bins->kind = kind;
  DEBYE_PLAN_ARRAY(memory, kind, bins->start, bins->n_bins + 1);
  debye_plan_memory_add_room(memory, kind, &bins->atoms, TYPICAL_IMAGES * settings->max_atoms,
                             sizeof(DebyeLigandAtom));
  debye_plan_memory_add_room(memory, kind, &bins->codes, TYPICAL_IMAGES * settings->max_atoms,
                             sizeof(uint32_t));
}

/* --- Images --- */

/* In voxels from the grid's corner. */
typedef struct {
  double vector[3][3];      /* of the cell */
  double turn[3][3];        /* from a place, in voxels, to fractions of the cell */
  double low[3], high[3];   /* what is in reach */
  double first[3], last[3]; /* the same, in fractions: of the box around it */
  bool is_periodic;
} Images;

static double
dot(const double row[3], double x, double y, double z)
{
  return row[0] * x + row[1] * y + row[2] * z;
}

static void
set_cell(Images *images, const DebyeLigandBins *bins, const DebyeCell *cell)
{
  const DebyeVec3 edges[3] = {cell->a, cell->b, cell->c};
  DebyeVec3 v[3];
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 3; i++)
      images->vector[k][i] = dot(bins->index[i], edges[k].x, edges[k].y, edges[k].z);
    v[k] = debye_vec3(images->vector[k][0], images->vector[k][1], images->vector[k][2]);
  }
  const double volume = debye_vec3_dot(v[0], debye_vec3_cross(v[1], v[2]));
  for (int k = 0; k < 3; k++) {
    set_row(images->turn[k], debye_vec3_cross(v[(k + 1) % 3], v[(k + 2) % 3]), 1.0 / volume);
    images->first[k] = INFINITY;
    images->last[k] = -INFINITY;
    for (int i = 0; i < 8; i++) {
      const double *x = i % 2 == 0 ? images->low : images->high;
      const double *y = i / 2 % 2 == 0 ? images->low : images->high;
      const double *z = i / 4 == 0 ? images->low : images->high;
      const double f = dot(images->turn[k], x[0], y[1], z[2]);
      images->first[k] = fmin(images->first[k], f);
      images->last[k] = fmax(images->last[k], f);
    }
  }
}

static void
images_init(Images *images, const DebyeLigandBins *bins, const DebyeLigandFrame *frame)
{
  *images = (Images){.is_periodic = frame->cell != NULL};
  for (int k = 0; k < 3; k++) {
    images->low[k] = -(double)(bins->margin[k] * TILE);
    images->high[k] = images->low[k] + (double)(bins->shape[k] * TILE);
  }
  if (images->is_periodic)
    set_cell(images, bins, frame->cell);
}

/* Counts an image where `atoms` is NULL, else puts it to its place and moves the bin's beginning on. */
static void
add_image(DebyeLigandBins *bins, const Images *images, const double u[3], DebyeLigandAtom *atoms,
          uint32_t *codes, float charge, uint32_t type)
{
  int64_t bin[3];
  double rest[3];
  for (int k = 0; k < 3; k++) {
    if (!(u[k] >= images->low[k] && u[k] < images->high[k]))
      return;
    bin[k] = (int64_t)((u[k] - images->low[k]) / (double)TILE);
    bin[k] = bin[k] < bins->shape[k] ? bin[k] : bins->shape[k] - 1;
    rest[k] = (u[k] - images->low[k]) / (double)TILE - (double)bin[k];
  }
  uint32_t *next = &bins->start[debye_ligand_bins_at(bins, bin[0], bin[1], bin[2])];
  if (atoms != NULL) {
    double place[3];
    for (int k = 0; k < 3; k++)
      place[k] = rest[0] * bins->step[0][k] + rest[1] * bins->step[1][k] + rest[2] * bins->step[2][k];
    atoms[*next] = (DebyeLigandAtom){(float)place[0], (float)place[1], (float)place[2], charge};
    codes[*next] = type | (uint32_t)bin[0] << 16;
  }
  ++*next;
}

static void
add_atom(DebyeLigandBins *bins, const Images *images, const DebyeLigandFrame *frame, size_t i,
         DebyeLigandAtom *atoms, uint32_t *codes)
{
  const double x = (double)frame->x[i] - bins->corner[0], y = (double)frame->y[i] - bins->corner[1],
               z = (double)frame->z[i] - bins->corner[2];
  const float charge = frame->charges != NULL ? frame->charges[i] : 0.0f;
  double u[3], f[3], from[3], to[3];
  if (!(fabs(x) <= 1e15 && fabs(y) <= 1e15 && fabs(z) <= 1e15))
    return;
  for (int k = 0; k < 3; k++)
    u[k] = dot(bins->index[k], x, y, z);
  if (!images->is_periodic) {
    add_image(bins, images, u, atoms, codes, charge, frame->types[i]);
    return;
  }
  for (int k = 0; k < 3; k++) {
    f[k] = dot(images->turn[k], u[0], u[1], u[2]);
    from[k] = ceil(images->first[k] - f[k]);
    to[k] = floor(images->last[k] - f[k]);
  }
  for (double c = from[2]; c <= to[2]; c += 1.0)
    for (double b = from[1]; b <= to[1]; b += 1.0)
      for (double a = from[0]; a <= to[0]; a += 1.0) {
        double image[3];
        for (int k = 0; k < 3; k++)
          image[k] = u[k] + a * images->vector[0][k] + b * images->vector[1][k] + c * images->vector[2][k];
        add_image(bins, images, image, atoms, codes, charge, frame->types[i]);
      }
}

bool
debye_ligand_bins_set(DebyeLigandBins *bins, const DebyeLigandSettings *settings,
                      const DebyeLigandFrame *frame, const DebyeMemorySource *source)
{
  Images images;
  uint64_t sum = 0;
  (void)settings;
  images_init(&images, bins, frame);
  memset(bins->start, 0, (bins->n_bins + 1) * sizeof *bins->start);
  for (size_t i = 0; i < frame->n; i++)
    add_atom(bins, &images, frame, i, NULL, NULL);
  for (size_t i = 0; i <= bins->n_bins; i++) {
    const uint32_t count = bins->start[i];
    bins->start[i] = (uint32_t)sum;
    sum += count;
  }
  bins->n_atoms = (size_t)sum;
  if (sum > UINT32_MAX / 2 ||
      !debye_room_reserve(&bins->atoms, bins->kind, sum + 1, sizeof(DebyeLigandAtom), source) ||
      !debye_room_reserve(&bins->codes, bins->kind, sum + 1, sizeof(uint32_t), source))
    return false;
  for (size_t i = 0; i < frame->n; i++)
    add_atom(bins, &images, frame, i, (DebyeLigandAtom *)bins->atoms.memory, (uint32_t *)bins->codes.memory);
  /* Each beginning has moved to the end. */
  memmove(bins->start + 1, bins->start, bins->n_bins * sizeof *bins->start);
  bins->start[0] = 0;
  return true;
}
