/* SPDX-License-Identifier: MIT */
/* The samples of one voxel, called by ligand_map.c; compiled once per instruction set. A sample goes by the atoms that can
 * reject it, the nearest first; what is left sums all atoms in vectors. */
#include "ligand_block.h"

#include <math.h>

#define INLINE inline __attribute__((always_inline))
#define LANES DEBYE_LIGAND_LANES
/* Where the atoms are that fill a vector up: out of any reach. */
#define FAR 1e6f

typedef float Vector __attribute__((vector_size(LANES * sizeof(float)), may_alias));
typedef int32_t Mask __attribute__((vector_size(LANES * sizeof(int32_t)), may_alias));

/* --- Atoms of a voxel --- */

/* The nearest first, by insertion: they are some dozens. */
static INLINE void
add_near(DebyeLigandPiece *piece, const DebyeLigandCandidate *atom, float order)
{
  size_t i = piece->n_near;
  if (i == DEBYE_LIGAND_NEAR)
    return;
  for (; i > 0 && piece->order[i - 1] > order; i--) {
    piece->near[i] = piece->near[i - 1];
    piece->order[i] = piece->order[i - 1];
  }
  piece->near[i] = *atom;
  piece->order[i] = order;
  piece->n_near++;
}

static INLINE void
add_atom(const DebyeLigandSamples *samples, DebyeLigandPiece *piece, const DebyeLigandCandidate *atom)
{
  const size_t i = piece->n_atoms++;
  piece->x[i] = atom->x;
  piece->y[i] = atom->y;
  piece->z[i] = atom->z;
  piece->charge[i] = atom->charge;
  for (size_t kind = 0; kind < samples->n_kinds; kind++) {
    piece->repulsion[kind][i] = samples->repulsion[atom->type * samples->n_kinds + kind];
    piece->attraction[kind][i] = samples->attraction[atom->type * samples->n_kinds + kind];
  }
}

static INLINE DebyeLigandCandidate
move(const DebyeLigandCandidate *atom, const float centre[3])
{
  return (DebyeLigandCandidate){atom->x - centre[0], atom->y - centre[1], atom->z - centre[2], atom->charge,
                                atom->type};
}

static INLINE float
square_of(const DebyeLigandCandidate *atom)
{
  return atom->x * atom->x + atom->y * atom->y + atom->z * atom->z;
}

/* False where one atom rejects all samples in all orientations. Such an atom is the first that the next voxel looks at: it often
 * has that, too. */
static bool
find_near(const DebyeLigandSamples *samples, DebyeLigandPiece *piece, const float centre[3])
{
  piece->n_near = 0;
  for (size_t i = 0; i < piece->n_close; i++) {
    const DebyeLigandCandidate atom = move(&piece->close[i], centre);
    const float whole = samples->certain[atom.type] - samples->inner, square = square_of(&atom);
    if (whole <= 0.0f || square >= whole * whole)
      continue;
    const DebyeLigandCandidate first = piece->close[i];
    piece->close[i] = piece->close[0];
    piece->close[0] = first;
    return false;
  }
  for (size_t i = 0; i < piece->n_close; i++) {
    const DebyeLigandCandidate atom = move(&piece->close[i], centre);
    const float hard = samples->hard_most[atom.type], near = hard + samples->reach + samples->inner;
    const float square = square_of(&atom);
    if (square < near * near)
      add_near(piece, &atom, sqrtf(square) - hard);
  }
  return true;
}

static void
gather(const DebyeLigandSamples *samples, DebyeLigandPiece *piece)
{
  const float away = samples->cutoff + samples->reach + samples->whole;
  piece->is_gathered = true;
  piece->n_atoms = 0;
  for (size_t i = 0; i < piece->n; i++) {
    const DebyeLigandCandidate atom = move(&piece->candidates[i], piece->about);
    if (square_of(&atom) < away * away)
      add_atom(samples, piece, &atom);
  }
  const size_t n_whole = (piece->n_atoms + LANES - 1) / LANES * LANES;
  for (size_t i = piece->n_atoms; i < n_whole; i++) {
    piece->x[i] = piece->y[i] = piece->z[i] = FAR;
    piece->charge[i] = 0.0f;
    for (size_t kind = 0; kind < samples->n_kinds; kind++)
      piece->repulsion[kind][i] = piece->attraction[kind][i] = 0.0f;
  }
  piece->n_atoms = n_whole;
}

/* --- One sample --- */

/* Whether some atom is too near to a site. */
static INLINE bool
is_rejected(const DebyeLigandSamples *samples, const DebyeLigandPiece *piece, const float *places,
            const float point[3])
{
  for (size_t i = 0; i < piece->n_near; i++) {
    const DebyeLigandCandidate *atom = &piece->near[i];
    const float dx = atom->x - point[0], dy = atom->y - point[1], dz = atom->z - point[2];
    const float *hard = samples->hard + atom->type * samples->n_kinds;
    for (size_t site = 0; site < samples->n_sites; site++) {
      const float x = dx - places[3 * site], y = dy - places[3 * site + 1], z = dz - places[3 * site + 2];
      if (x * x + y * y + z * z < hard[samples->kinds[site]])
        return true;
    }
  }
  return false;
}

/* No function: vectors that one returns depend on the instruction set. */
#define SPLAT(value) ((value) - (Vector){0.0f})

static INLINE float
sum_site(const DebyeLigandSamples *samples, const DebyeLigandPiece *piece, size_t site, const float *place,
         const float point[3])
{
  const float *a = piece->repulsion[samples->kinds[site]], *b = piece->attraction[samples->kinds[site]];
  const Vector px = SPLAT(point[0] + place[0]), py = SPLAT(point[1] + place[1]),
               pz = SPLAT(point[2] + place[2]), limit = SPLAT(samples->square),
               least = SPLAT((float)DEBYE_LIGAND_LEAST_SQUARE);
  const float charge = samples->charges != NULL ? samples->charges[site] : 0.0f;
  Vector sum = {0.0f};
  for (size_t i = 0; i < piece->n_atoms; i += LANES) {
    const Vector x = *(const Vector *)(piece->x + i) - px, y = *(const Vector *)(piece->y + i) - py,
                 z = *(const Vector *)(piece->z + i) - pz;
    Vector square = x * x + y * y + z * z;
    const Mask within = (Mask)(square < limit), near = (Mask)(square < least);
    square = (Vector)(((Mask)least & near) | ((Mask)square & ~near));
    const Vector inverse = 1.0f / square, cube = inverse * inverse * inverse;
    Vector energy = (*(const Vector *)(a + i) * cube - *(const Vector *)(b + i)) * cube;
    if (charge != 0.0f) {
      Vector root;
      for (int k = 0; k < LANES; k++)
        root[k] = sqrtf(inverse[k]);
      energy += charge * *(const Vector *)(piece->charge + i) * (root - samples->inverse);
    }
    sum += (Vector)((Mask)energy & within);
  }
  float total = 0.0f;
  for (int k = 0; k < LANES; k++)
    total += sum[k];
  return total;
}

static float
voxel(const DebyeLigandSamples *samples, DebyeLigandPiece *piece, const float centre[3])
{
  const int n = (int)samples->subsamples;
  const float first = -0.5f * (float)(n - 1);
  double sum = 0.0;
  if (!find_near(samples, piece, centre))
    return 0.0f;
  for (int number = 0; number < n * n * n; number++) {
    const float i = first + (float)(number % n), j = first + (float)(number / n % n),
                k = first + (float)(number / n / n);
    float point[3], from[3]; /* the voxel's centre, the group's */
    for (int axis = 0; axis < 3; axis++) {
      point[axis] = i * samples->step[0][axis] + j * samples->step[1][axis] + k * samples->step[2][axis];
      from[axis] = point[axis] + (centre[axis] - piece->about[axis]);
    }
    for (size_t o = 0; o < samples->n_orientations; o++) {
      const float *places = samples->places + 3 * o * samples->n_sites;
      float energy = 0.0f;
      if (is_rejected(samples, piece, places, point))
        continue;
      if (!piece->is_gathered)
        gather(samples, piece);
      for (size_t site = 0; site < samples->n_sites; site++)
        energy += sum_site(samples, piece, site, places + 3 * site, from);
      if (energy <= (float)DEBYE_LIGAND_MAX_ENERGY)
        sum += exp(-(double)energy);
    }
  }
  return (float)(sum / ((double)(n * n * n) * (double)samples->n_orientations));
}

const DebyeLigandBlock DEBYE_AT_LEVEL(debye_ligand_block) = {.voxel = voxel};
