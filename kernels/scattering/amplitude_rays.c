/* SPDX-License-Identifier: MIT */
/* Finds equidistant vectors on rays for the amplitudes of a GPU. */
#include "amplitude_rays.h"

#include "scattering_groups.h"

/* Of a vector's components, what three roundings may leave of a second difference. */
#define ROUNDING 0x1p-48
/* What the sine of the angle between vectors of one direction may be. */
#define PARALLEL 1e-12
/* What a vector in turns per Å may be off by on each axis: 2⁻²⁸ of a turn on all three, for the farthest. */
#define OFF (0x1p-28 / (3.0 * DEBYE_SCATTERING_FARTHEST))
/* Of the cost without tiles, at most. */
#define WORTH 0.9

/* A run of equidistant vectors. */
typedef struct {
  const DebyeVec3 *q;
  size_t first, stride, count;
} Run;

static bool
is_parallel(DebyeVec3 a, DebyeVec3 b)
{
  const DebyeVec3 cross = debye_vec3_cross(a, b);
  const double dot = debye_vec3_dot(a, b);
  return dot > 0.0 && debye_vec3_dot(cross, cross) <= PARALLEL * PARALLEL * dot * dot;
}

size_t
debye_ray_stride(const DebyeVec3 *q, size_t n_vectors)
{
  size_t first = 0;
  while (first < n_vectors && !(debye_vec3_dot(q[first], q[first]) > 0.0))
    first++;
  for (size_t i = first + 1; i < n_vectors; i++)
    if (is_parallel(q[first], q[i]))
      return i - first;
  return 0;
}

static bool
is_even(double a, double b, double c)
{
  return fabs((c - b) - (b - a)) <= ROUNDING * fmax(fabs(a), fabs(c));
}

/* The longest run that begins there. */
static Run
run_from(const DebyeVec3 *q, size_t n_vectors, size_t stride, size_t first)
{
  Run run = {.q = q, .first = first, .stride = stride, .count = 1};
  for (size_t next = first + stride; next < n_vectors; next += stride, run.count++) {
    if (run.count == 1)
      continue;
    const DebyeVec3 a = q[next - 2 * stride], b = q[next - stride], c = q[next];
    if (!is_even(a.x, b.x, c.x) || !is_even(a.y, b.y, c.y) || !is_even(a.z, b.z, c.z))
      break;
  }
  return run;
}

/* How many tiles, of which the last may be filled by half. */
static size_t
tiles_of(size_t count, const DebyeRayShape *shape)
{
  const size_t size = shape->rows * shape->columns, rest = count % size;
  return count / size + (2 * rest >= size && (double)rest > shape->cost ? 1 : 0);
}

size_t
debye_ray_choose(const DebyeVec3 *q, size_t n_vectors, size_t stride, const DebyeRayShape *shapes,
                 size_t n_shapes)
{
  double least = WORTH * (double)n_vectors;
  size_t best = n_shapes;
  for (size_t s = 0; s < n_shapes; s++) {
    double cost = 0.0;
    for (size_t begin = 0; begin < stride; begin++)
      for (size_t i = begin; i < n_vectors;) {
        const Run run = run_from(q, n_vectors, stride, i);
        const size_t n_tiles = tiles_of(run.count, &shapes[s]),
                     tiled = n_tiles * shapes[s].rows * shapes[s].columns;
        cost += (double)n_tiles * shapes[s].cost + (double)(tiled < run.count ? run.count - tiled : 0);
        i += run.count * stride;
      }
    if (cost < least) {
      least = cost;
      best = s;
    }
  }
  return best;
}

static DebyeVec3
in_turns(const Run *run, size_t k)
{
  return debye_vec3_scale(run->q[run->first + k * run->stride], DEBYE_PER_TWO_PI);
}

static bool
is_near(DebyeVec3 a, DebyeVec3 b)
{
  return fabs(a.x - b.x) <= OFF && fabs(a.y - b.y) <= OFF && fabs(a.z - b.z) <= OFF;
}

static void
set_axes(double *const numbers[3], size_t at, DebyeVec3 value)
{
  numbers[0][at] = value.x;
  numbers[1][at] = value.y;
  numbers[2][at] = value.z;
}

/* The next tile: of the run's vectors from `first` on. False where they aren't as even as they seemed. */
static bool
set_tile(const Run *run, size_t first, const DebyeRayShape *shape, DebyeRayTiles *tiles)
{
  const size_t size = shape->rows * shape->columns, left = run->count - first, n = left < size ? left : size;
  const DebyeVec3 begin = in_turns(run, first),
                  step = debye_vec3_scale(debye_vec3_subtract(in_turns(run, first + n - 1), begin),
                                          1.0 / (double)(n - 1));
  uint32_t *places = tiles->places + tiles->n_tiles * size;
  DebyeVec3 start = begin;
  for (size_t j = 0; j < shape->columns; j++)
    set_axes(tiles->steps, tiles->n_tiles * shape->columns + j, debye_vec3_scale(step, (double)j));
  for (size_t i = 0; i < size; i++) {
    const size_t j = i % shape->columns;
    if (j == 0) {
      start = i < n ? in_turns(run, first + i) : debye_vec3(0.0, 0.0, 0.0);
      set_axes(tiles->starts, tiles->n_tiles * shape->rows + i / shape->columns, start);
    }
    places[i] = i < n ? (uint32_t)(run->first + (first + i) * run->stride) : DEBYE_RAY_NO_PLACE;
    if (i < n && !is_near(in_turns(run, first + i), debye_vec3_add(start, debye_vec3_scale(step, (double)j))))
      return false;
  }
  tiles->n_tiles++;
  return true;
}

void
debye_ray_cut(const DebyeVec3 *q, size_t n_vectors, size_t stride, const DebyeRayShape *shape,
              DebyeRayTiles *tiles)
{
  const size_t size = shape->rows * shape->columns;
  tiles->n_tiles = tiles->n_singles = 0;
  for (size_t begin = 0; begin < stride; begin++)
    for (size_t i = begin; i < n_vectors;) {
      const Run run = run_from(q, n_vectors, stride, i);
      const size_t tiled = tiles_of(run.count, shape) * size;
      for (size_t first = 0; first < run.count; first += size) {
        if (first < tiled && set_tile(&run, first, shape, tiles))
          continue;
        for (size_t k = first; k < run.count && k < first + size; k++)
          tiles->singles[tiles->n_singles++] = (uint32_t)(run.first + k * run.stride);
      }
      i += run.count * stride;
    }
}
