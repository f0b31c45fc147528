/* SPDX-License-Identifier: MIT */
/* The loops over Ewald's mesh, called by ewald_mesh.c; compiled once per precision REAL and instruction
 * set. */
#include "ewald_block.h"

#include "kernels/cpu/common/vector_exp.h"

#define INLINE inline __attribute__((always_inline))
/* Points of a row that are done together. */
#if defined(__AVX512F__)
#define LANES 16
#else
#define LANES 8
#endif

/* One spline's weights along the three axes. */
typedef struct {
  REAL axis[3][DEBYE_EWALD_LARGEST_ORDER];
} Weights;

static INLINE void
get_weights(const int order, const DebyeEwaldPlace *place, Weights *weights)
{
  for (int axis = 0; axis < 3; axis++) {
    const REAL part = (REAL)place->part[axis];
    DEBYE_OF_REAL(debye_ewald_spline)(order, 1, &part, weights->axis[axis]);
  }
}

static INLINE int
wrap(int index, int n)
{
  return index < n ? index : index - n;
}

/* Spreading. */

static INLINE void
spread_one(const int order, const int mesh[3], const DebyeEwaldPlace *place, REAL charge, REAL *values)
{
  Weights weights;
  get_weights(order, place, &weights);
  const int x = place->first[0];
  for (int c = 0; c < order; c++) {
    const size_t z = (size_t)wrap(place->first[2] + c, mesh[2]);
    const REAL in_plane = charge * weights.axis[2][c];
    for (int b = 0; b < order; b++) {
      const size_t y = (size_t)wrap(place->first[1] + b, mesh[1]);
      const REAL in_row = in_plane * weights.axis[1][b];
      REAL *row = values + (z * (size_t)mesh[1] + y) * (size_t)mesh[0];
      if (x + order <= mesh[0])
        for (int a = 0; a < order; a++)
          row[x + a] += in_row * weights.axis[0][a];
      else
        for (int a = 0; a < order; a++)
          row[wrap(x + a, mesh[0])] += in_row * weights.axis[0][a];
    }
  }
}

static INLINE void
spread_all(const int order, const DebyeEwaldFrame *frame, const DebyeCharges *charges, const uint32_t *index,
           size_t n, REAL *mesh)
{
  for (size_t i = 0; i < n; i++) {
    const size_t atom = index[i];
    DebyeEwaldPlace place;
    double fraction[3];
    debye_ewald_fraction(frame, (double)charges->x[atom], (double)charges->y[atom], (double)charges->z[atom],
                         fraction);
    debye_ewald_place(frame->mesh, fraction, &place);
    spread_one(order, frame->mesh, &place, (REAL)charges->charge[atom], mesh);
  }
}

/* The usual orders apart, so that their loops are unrolled. */
static void
spread(const DebyeEwaldFrame *frame, const DebyeCharges *charges, const uint32_t *index, size_t n, void *mesh)
{
  switch (frame->order) {
  case 4:
    spread_all(4, frame, charges, index, n, mesh);
    break;
  case 6:
    spread_all(6, frame, charges, index, n, mesh);
    break;
  case 8:
    spread_all(8, frame, charges, index, n, mesh);
    break;
  default:
    spread_all((int)frame->order, frame, charges, index, n, mesh);
  }
}

/* Modes. */

static void
scale(const DebyeEwaldFrame *frame, size_t first, size_t count, void *modes)
{
  const int n_modes = frame->mesh[0] / 2 + 1;
  for (size_t row = first; row < first + count; row++) {
    const int y = (int)(row % (size_t)frame->mesh[1]), z = (int)(row / (size_t)frame->mesh[1]);
    REAL *values = (REAL *)modes + 2 * row * (size_t)n_modes;
    const double in_row = frame->scale * frame->factor[1][y] * frame->factor[2][z];
    double form[3];
    debye_ewald_mode_row(frame, debye_ewald_mode(y, frame->mesh[1]), debye_ewald_mode(z, frame->mesh[2]),
                         form);
    const REAL real = values[0], imaginary = values[1];
    for (int x = 0; x < n_modes; x++) {
      const double square = (form[0] * x + form[1]) * x + form[2];
      const REAL factor =
          (REAL)(in_row * frame->factor[0][x] * debye_exp_negative(-frame->decay * square) / square);
      values[2 * x] *= factor;
      values[2 * x + 1] *= factor;
    }
    if (row == 0) {
      values[0] = real * (REAL)frame->zero;
      values[1] = imaginary * (REAL)frame->zero;
    }
  }
}

/* Interpolating. */

/* LANES points of a straight row, along the first axis. */
static INLINE void
get_places(const DebyeEwaldFrame *frame, const DebyeEwaldGrid *grid, double origin, size_t i, int *first,
           REAL *part)
{
  const double n = (double)frame->mesh[0];
  for (int lane = 0; lane < LANES; lane++) {
    double at = origin + (double)(i + (size_t)lane) * grid->step[0][0];
    at = (at - floor(at)) * n;
    at = at < n ? at : 0.0;
    first[lane] = (int)at;
    part[lane] = (REAL)(at - (double)first[lane]);
  }
}

/* The mesh summed over the second and the third axis with the weights of a row: what is left to interpolate
 * along the first, with the begin once more at the end. */
static INLINE void
collapse(const int order, const DebyeEwaldFrame *frame, const DebyeEwaldPlace *place, const REAL *mesh,
         REAL *line)
{
  Weights weights;
  get_weights(order, place, &weights);
  const int nx = frame->mesh[0];
  for (int x = 0; x < nx; x++)
    line[x] = (REAL)0;
  for (int c = 0; c < order; c++)
    for (int b = 0; b < order; b++) {
      const size_t y = (size_t)wrap(place->first[1] + b, frame->mesh[1]);
      const size_t z = (size_t)wrap(place->first[2] + c, frame->mesh[2]);
      const REAL *row = mesh + (z * (size_t)frame->mesh[1] + y) * (size_t)nx;
      const REAL weight = weights.axis[1][b] * weights.axis[2][c];
      for (int x = 0; x < nx; x++)
        line[x] += weight * row[x];
    }
  for (int x = 0; x < order; x++)
    line[nx + x] = line[x];
}

static INLINE void
interpolate_straight(const int order, const DebyeEwaldFrame *frame, const DebyeEwaldGrid *grid,
                     const REAL *mesh, size_t j, size_t k, size_t n, REAL *out)
{
  REAL line[DEBYE_EWALD_LARGEST_MESH + DEBYE_EWALD_LARGEST_ORDER];
  DebyeEwaldPlace place;
  double fraction[3];
  debye_ewald_grid_fraction(grid, 0.0, (double)j, (double)k, fraction);
  debye_ewald_place(frame->mesh, fraction, &place);
  collapse(order, frame, &place, mesh, line);
  for (size_t i = 0; i < n; i += LANES) {
    int first[LANES];
    REAL part[LANES], weight[DEBYE_EWALD_LARGEST_ORDER * LANES], sum[LANES] = {(REAL)0};
    get_places(frame, grid, fraction[0], i, first, part);
    DEBYE_OF_REAL(debye_ewald_spline)(order, LANES, part, weight);
    for (int a = 0; a < order; a++)
      for (int lane = 0; lane < LANES; lane++)
        sum[lane] += weight[a * LANES + lane] * line[first[lane] + a];
    for (int lane = 0; lane < LANES && i + (size_t)lane < n; lane++)
      out[i + (size_t)lane] = sum[lane];
  }
}

/* One point by all the mesh points around it. */
static INLINE REAL
gather(const int order, const int mesh[3], const int first[3], const Weights *weights, const REAL *values)
{
  REAL line[DEBYE_EWALD_LARGEST_ORDER] = {(REAL)0}, sum = (REAL)0;
  for (int c = 0; c < order; c++) {
    const size_t z = (size_t)wrap(first[2] + c, mesh[2]);
    for (int b = 0; b < order; b++) {
      const size_t y = (size_t)wrap(first[1] + b, mesh[1]);
      const REAL *row = values + (z * (size_t)mesh[1] + y) * (size_t)mesh[0];
      const REAL weight = weights->axis[1][b] * weights->axis[2][c];
      if (first[0] + order <= mesh[0])
        for (int a = 0; a < order; a++)
          line[a] += weight * row[first[0] + a];
      else
        for (int a = 0; a < order; a++)
          line[a] += weight * row[wrap(first[0] + a, mesh[0])];
    }
  }
  for (int a = 0; a < order; a++)
    sum += weights->axis[0][a] * line[a];
  return sum;
}

static INLINE void
interpolate_skew(const int order, const DebyeEwaldFrame *frame, const DebyeEwaldGrid *grid, const REAL *mesh,
                 size_t j, size_t k, size_t n, REAL *out)
{
  for (size_t i = 0; i < n; i++) {
    DebyeEwaldPlace place;
    Weights weights;
    double fraction[3];
    debye_ewald_grid_fraction(grid, (double)i, (double)j, (double)k, fraction);
    debye_ewald_place(frame->mesh, fraction, &place);
    get_weights(order, &place, &weights);
    out[i] = gather(order, frame->mesh, place.first, &weights, mesh);
  }
}

static INLINE void
interpolate_order(const int order, const DebyeEwaldFrame *frame, const DebyeEwaldGrid *grid, const REAL *mesh,
                  size_t j, size_t k, size_t n, REAL *out)
{
  if (grid->straight)
    interpolate_straight(order, frame, grid, mesh, j, k, n, out);
  else
    interpolate_skew(order, frame, grid, mesh, j, k, n, out);
}

static void
interpolate(const DebyeEwaldFrame *frame, const DebyeEwaldGrid *grid, const void *mesh, size_t j, size_t k,
            size_t n, void *out)
{
  switch (frame->order) {
  case 4:
    interpolate_order(4, frame, grid, mesh, j, k, n, out);
    break;
  case 6:
    interpolate_order(6, frame, grid, mesh, j, k, n, out);
    break;
  case 8:
    interpolate_order(8, frame, grid, mesh, j, k, n, out);
    break;
  default:
    interpolate_order((int)frame->order, frame, grid, mesh, j, k, n, out);
  }
}

const DebyeEwaldBlock DEBYE_AT_LEVEL(debye_ewald_block) = {
    .spread = spread, .scale = scale, .interpolate = interpolate};
