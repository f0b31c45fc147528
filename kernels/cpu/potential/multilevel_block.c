/* SPDX-License-Identifier: MIT */
/* The loops over the lattices of multilevel summation, called by multilevel_lattices.c; compiled once per
 * precision REAL and instruction set. */
#include "multilevel_block.h"

#include <string.h>

/* Points of a lattice's row, or of the map's along one, that are done together. */
#define SEGMENT 120
#define LINE 480
#define INLINE inline __attribute__((always_inline))
/* Values of a vector. */
#if defined(__AVX512F__)
#define LANES (64 / (int)sizeof(REAL))
#elif defined(__AVX2__)
#define LANES (32 / (int)sizeof(REAL))
#else
#define LANES (16 / (int)sizeof(REAL))
#endif

typedef REAL Vector __attribute__((vector_size(LANES * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));

/* One spline's weights along the three axes. */
typedef struct {
  REAL axis[3][DEBYE_MULTILEVEL_LARGEST_ORDER];
} Weights;

static INLINE void
get_weights(const int order, const DebyeEwaldPlace *place, Weights *weights)
{
  for (int axis = 0; axis < 3; axis++) {
    const REAL part = (REAL)place->part[axis];
    DEBYE_OF_REAL(debye_ewald_spline)(order, 1, &part, weights->axis[axis]);
  }
}

/* Spreading. */

static INLINE void
spread_one(const int order, const DebyeEwaldPlace *place, REAL charge, const DebyeMultilevelLevel *level)
{
  Weights weights;
  get_weights(order, place, &weights);
  const int x = place->first[0];
  for (int c = 0; c < order; c++) {
    const size_t z = (size_t)debye_multilevel_index(place->first[2], c, level->n[2]);
    const REAL in_plane = charge * weights.axis[2][c];
    for (int b = 0; b < order; b++) {
      const size_t y = (size_t)debye_multilevel_index(place->first[1], b, level->n[1]);
      const REAL in_row = in_plane * weights.axis[1][b];
      REAL *row = (REAL *)level->charge + z * level->plane + y * level->row;
      if (x + order <= level->n[0])
        for (int a = 0; a < order; a++)
          row[x + a] += in_row * weights.axis[0][a];
      else
        for (int a = 0; a < order; a++)
          row[debye_multilevel_index(x, a, level->n[0])] += in_row * weights.axis[0][a];
    }
  }
}

static INLINE void
spread_all(const int order, const DebyeMultilevelFrame *frame, const DebyeCharges *charges,
           const uint32_t *index, size_t n, const DebyeMultilevelLevel *level)
{
  for (size_t i = 0; i < n; i++) {
    const size_t atom = index[i];
    DebyeEwaldPlace place;
    double at[3];
    debye_multilevel_atom(frame, (double)charges->x[atom], (double)charges->y[atom], (double)charges->z[atom],
                          at);
    debye_multilevel_place(frame, at, &place);
    spread_one(order, &place, (REAL)charges->charge[atom], level);
  }
}

/* The orders apart, so that their loops are unrolled. */
static void
spread(const DebyeMultilevelFrame *frame, const DebyeCharges *charges, const uint32_t *index, size_t n,
       const DebyeMultilevelLevel *level)
{
  if (frame->order == 4)
    spread_all(4, frame, charges, index, n, level);
  else if (frame->order == 6)
    spread_all(6, frame, charges, index, n, level);
  else
    spread_all(8, frame, charges, index, n, level);
}

/* Between levels: first over the rows that count, then along the row, SEGMENT coarse points at a time. */

static void
restrict_row(const DebyeMultilevelFrame *frame, const DebyeMultilevelLevel *fine,
             const DebyeMultilevelLevel *coarse, int y, int z)
{
  const int half = (int)frame->order / 2, *shift = frame->shift;
  REAL *to = (REAL *)coarse->charge + (size_t)z * coarse->plane + (size_t)y * coarse->row;
  const REAL *middle = (const REAL *)fine->charge + 2 * (z - shift[2]) * (ptrdiff_t)fine->plane +
                       2 * (y - shift[1]) * (ptrdiff_t)fine->row;
  for (int begin = 0; begin < coarse->n[0]; begin += SEGMENT) {
    const int left = coarse->n[0] - begin, count = left < SEGMENT ? left : SEGMENT;
    const int n = 2 * count - 1 + (int)frame->order;
    REAL sum[2 * SEGMENT + DEBYE_MULTILEVEL_LARGEST_ORDER] = {0};
    for (int c = -half; c <= half; c++)
      for (int b = -half; b <= half; b++) {
        const REAL weight = (REAL)(frame->halving[half + c] * frame->halving[half + b]);
        const REAL *from =
            middle + c * (ptrdiff_t)fine->plane + b * (ptrdiff_t)fine->row + 2 * (begin - shift[0]) - half;
        for (int x = 0; x < n; x++)
          sum[x] += weight * from[x];
      }
    for (int x = 0; x < count; x++) {
      REAL total = 0;
      for (int a = 0; a <= 2 * half; a++)
        total += (REAL)frame->halving[a] * sum[2 * x + a];
      to[begin + x] = total;
    }
  }
}

/* Adds weight × the row's points from `first` on, which may lie around a periodic end. */
static INLINE void
add_row(const REAL *row, int n_row, int first, int count, REAL weight, REAL *sum)
{
  for (int done = 0; done < count;) {
    const int from = debye_multilevel_wrap(first + done, n_row);
    const int here = n_row - from < count - done ? n_row - from : count - done;
    for (int x = 0; x < here; x++)
      sum[done + x] += weight * row[from + x];
    done += here;
  }
}

static void
prolong_row(const DebyeMultilevelFrame *frame, const DebyeMultilevelLevel *fine,
            const DebyeMultilevelLevel *coarse, int y, int z)
{
  const int half = (int)frame->order / 2, *shift = frame->shift;
  REAL *to = (REAL *)fine->potential + ((size_t)z * (size_t)fine->n[1] + (size_t)y) * (size_t)fine->n[0];
  int last_y, last_z, last_x;
  const int first_y = debye_multilevel_parents(y, shift[1], half, &last_y);
  const int first_z = debye_multilevel_parents(z, shift[2], half, &last_z);
  for (int begin = 0; begin < fine->n[0]; begin += 2 * SEGMENT) {
    const int end = begin + 2 * SEGMENT < fine->n[0] ? begin + 2 * SEGMENT : fine->n[0];
    const int first = debye_multilevel_parents(begin, shift[0], half, &last_x);
    debye_multilevel_parents(end - 1, shift[0], half, &last_x);
    REAL sum[SEGMENT + DEBYE_MULTILEVEL_LARGEST_ORDER] = {0};
    for (int c = first_z; c <= last_z; c++)
      for (int b = first_y; b <= last_y; b++) {
        const REAL weight = (REAL)(frame->halving[half + z - 2 * (c - shift[2])] *
                                   frame->halving[half + y - 2 * (b - shift[1])]);
        const size_t coarse_z = (size_t)debye_multilevel_wrap(c, coarse->n[2]);
        const size_t coarse_y = (size_t)debye_multilevel_wrap(b, coarse->n[1]);
        add_row((const REAL *)coarse->potential +
                    (coarse_z * (size_t)coarse->n[1] + coarse_y) * (size_t)coarse->n[0],
                coarse->n[0], first, last_x - first + 1, weight, sum);
      }
    for (int x = begin; x < end; x++) {
      const int first_x = debye_multilevel_parents(x, shift[0], half, &last_x);
      REAL total = 0;
      for (int a = first_x; a <= last_x; a++)
        total += (REAL)frame->halving[half + x - 2 * (a - shift[0])] * sum[a - first];
      to[x] += total;
    }
  }
}

/* Folding with a stencil. */

/* VECTORS vectors of each row from x on. */
static INLINE void
fold_strip(const DebyeMultilevelFolding *folding, const DebyeMultilevelLevel *level,
           const REAL *const row[DEBYE_MULTILEVEL_ROWS], const int vectors, int x,
           REAL sum[DEBYE_MULTILEVEL_ROWS][2 * LANES])
{
  Vector part[DEBYE_MULTILEVEL_ROWS][2];
  for (int y = 0; y < DEBYE_MULTILEVEL_ROWS; y++)
    for (int v = 0; v < vectors; v++)
      part[y][v] = (Vector){0};
  for (size_t i = 0; i < folding->n_rows; i++) {
    const DebyeMultilevelRow *away = &folding->rows[i];
    const REAL *weight = (const REAL *)folding->weights + away->begin;
    const ptrdiff_t offset =
        x + away->inner + away->outer[0] * (ptrdiff_t)level->row + away->outer[1] * (ptrdiff_t)level->plane;
    for (int a = 0; a < away->n; a++)
      for (int y = 0; y < DEBYE_MULTILEVEL_ROWS; y++)
        for (int v = 0; v < vectors; v++)
          part[y][v] += weight[a] * *(const Vector *)(row[y] + offset + a + v * LANES);
  }
  for (int y = 0; y < DEBYE_MULTILEVEL_ROWS; y++)
    for (int v = 0; v < vectors; v++)
      for (int lane = 0; lane < LANES; lane++)
        sum[y][v * LANES + lane] = part[y][v][lane];
}

static void
fold(const DebyeMultilevelFolding *folding, const DebyeMultilevelLevel *level, int y, int z)
{
  const int n = level->n[0], left = level->n[1] - y;
  const int count = left < DEBYE_MULTILEVEL_ROWS ? left : DEBYE_MULTILEVEL_ROWS;
  const REAL *row[DEBYE_MULTILEVEL_ROWS], scale = (REAL)folding->scale;
  REAL sum[DEBYE_MULTILEVEL_ROWS][2 * LANES];
  for (int i = 0; i < DEBYE_MULTILEVEL_ROWS; i++)
    row[i] = (const REAL *)level->charge + (size_t)z * level->plane +
             (size_t)(y + (i < count ? i : count - 1)) * level->row;
  for (int x = 0; x < n; x += 2 * LANES) {
    if (n - x > LANES)
      fold_strip(folding, level, row, 2, x, sum);
    else
      fold_strip(folding, level, row, 1, x, sum);
    const int end = n - x < 2 * LANES ? n - x : 2 * LANES;
    for (int i = 0; i < count; i++) {
      REAL *to = (REAL *)level->potential + ((size_t)z * (size_t)level->n[1] + (size_t)(y + i)) * (size_t)n +
                 (size_t)x;
      for (int lane = 0; lane < end; lane++)
        to[lane] = scale * sum[i][lane];
    }
  }
}

/* Interpolating. */

/* `count` points of the finest lattice from `first` on, summed over the second and the third axis with the
 * weights of a row. */
static INLINE void
collapse(const int order, const DebyeMultilevelLevel *level, const DebyeEwaldPlace *place, int first,
         int count, REAL *line)
{
  Weights weights;
  get_weights(order, place, &weights);
  memset(line, 0, (size_t)count * sizeof *line);
  for (int c = 0; c < order; c++)
    for (int b = 0; b < order; b++) {
      const size_t z = (size_t)debye_multilevel_index(place->first[2], c, level->n[2]);
      const size_t y = (size_t)debye_multilevel_index(place->first[1], b, level->n[1]);
      add_row((const REAL *)level->potential + (z * (size_t)level->n[1] + y) * (size_t)level->n[0],
              level->n[0], first, count, weights.axis[2][c] * weights.axis[1][b], line);
    }
}

/* Points [begin, end) of a straight row, which lie within LINE points of the lattice. */
static INLINE void
interpolate_part(const int order, const DebyeMultilevelLevel *level, const DebyeEwaldPlace *row,
                 double origin, double step, size_t begin, size_t end, REAL *out)
{
  const double one = origin + (double)begin * step, other = origin + (double)(end - 1) * step;
  const int base = (int)floor(fmin(one, other)) - (order / 2 - 1);
  const int count = (int)floor(fmax(one, other)) + order / 2 - base + 1;
  REAL line[LINE + 2 * DEBYE_MULTILEVEL_LARGEST_ORDER];
  collapse(order, level, row, base, count, line);
  for (size_t i = begin; i < end; i += LANES) {
    REAL part[LANES], weight[DEBYE_MULTILEVEL_LARGEST_ORDER * LANES], sum[LANES];
    int first[LANES];
    for (size_t lane = 0; lane < LANES; lane++) {
      const double at = origin + (double)(i + lane < end ? i + lane : end - 1) * step, whole = floor(at);
      first[lane] = (int)whole - (order / 2 - 1) - base;
      part[lane] = (REAL)(at - whole);
      sum[lane] = 0;
    }
    DEBYE_OF_REAL(debye_ewald_spline)(order, LANES, part, weight);
    for (int a = 0; a < order; a++)
      for (int lane = 0; lane < LANES; lane++)
        sum[lane] += weight[a * LANES + lane] * line[first[lane] + a];
    for (size_t lane = 0; lane < LANES && i + lane < end; lane++)
      out[i + lane] = sum[lane];
  }
}

static INLINE void
interpolate_straight(const int order, const DebyeMultilevelFrame *frame, const DebyeEwaldGrid *grid,
                     const DebyeMultilevelLevel *level, const double at[3], size_t n, REAL *out)
{
  const double step = grid->step[0][0];
  const size_t part_length = (size_t)fmin(fmax(LINE / fmax(fabs(step), 1e-9), 1.0), (double)n);
  DebyeEwaldPlace place;
  debye_multilevel_place(frame, at, &place);
  for (size_t begin = 0; begin < n; begin += part_length)
    interpolate_part(order, level, &place, at[0], step, begin,
                     begin + part_length < n ? begin + part_length : n, out);
}

static INLINE REAL
interpolate_one(const int order, const DebyeMultilevelFrame *frame, const DebyeMultilevelLevel *level,
                const double at[3])
{
  Weights weights;
  DebyeEwaldPlace place;
  debye_multilevel_place(frame, at, &place);
  get_weights(order, &place, &weights);
  REAL sum = 0;
  for (int c = 0; c < order; c++)
    for (int b = 0; b < order; b++) {
      const size_t z = (size_t)debye_multilevel_index(place.first[2], c, level->n[2]);
      const size_t y = (size_t)debye_multilevel_index(place.first[1], b, level->n[1]);
      const REAL *row = (const REAL *)level->potential + (z * (size_t)level->n[1] + y) * (size_t)level->n[0];
      REAL in_row = 0;
      for (int a = 0; a < order; a++)
        in_row += weights.axis[0][a] * row[debye_multilevel_index(place.first[0], a, level->n[0])];
      sum += weights.axis[2][c] * weights.axis[1][b] * in_row;
    }
  return sum;
}

static INLINE void
interpolate_row(const int order, const DebyeMultilevelFrame *frame, const DebyeEwaldGrid *grid,
                const DebyeMultilevelLevel *level, size_t j, size_t k, size_t n, REAL *out)
{
  double at[3];
  debye_ewald_grid_fraction(grid, 0.0, (double)j, (double)k, at);
  if (grid->straight) {
    interpolate_straight(order, frame, grid, level, at, n, out);
    return;
  }
  for (size_t i = 0; i < n; i++) {
    debye_ewald_grid_fraction(grid, (double)i, (double)j, (double)k, at);
    out[i] = interpolate_one(order, frame, level, at);
  }
}

static void
interpolate(const DebyeMultilevelFrame *frame, const DebyeEwaldGrid *grid, const DebyeMultilevelLevel *level,
            size_t j, size_t k, size_t n, void *out)
{
  if (frame->order == 4)
    interpolate_row(4, frame, grid, level, j, k, n, out);
  else if (frame->order == 6)
    interpolate_row(6, frame, grid, level, j, k, n, out);
  else
    interpolate_row(8, frame, grid, level, j, k, n, out);
}

const DebyeMultilevelBlock DEBYE_AT_LEVEL(debye_multilevel_block) = {
    .spread = spread,
    .restrict_row = restrict_row,
    .fold = fold,
    .prolong_row = prolong_row,
    .interpolate = interpolate,
};
