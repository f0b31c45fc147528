/* SPDX-License-Identifier: MIT */
/* Sums over images by trying all of them. */
#include "oracle_cutoff.h"

#include "remembered.h"

typedef struct {
  DebyeVec3 edge[3];
  DebyeVec3 across[3]; /* the part of an edge across all the others: as long as the cell is wide there */
  int n_periodic;
} Cell;

static Cell
make_cell(const DebyeCutoffProblem *problem)
{
  Cell cell = {0};
  const DebyeCell none = {0}, *given = problem->cell != NULL ? problem->cell : &none;
  const DebyeVec3 edges[3] = {given->a, given->b, given->c};
  for (int i = 0; i < 3; i++)
    if ((problem->periodic >> i & 1u) != 0)
      cell.edge[cell.n_periodic++] = edges[i];
  for (int i = 0; i < cell.n_periodic; i++) {
    const DebyeVec3 edge = cell.edge[i], u = cell.edge[(i + 1) % cell.n_periodic];
    cell.across[i] = edge;
    if (cell.n_periodic == 2)
      cell.across[i] =
          debye_vec3_subtract(edge, debye_vec3_scale(u, debye_vec3_dot(edge, u) / debye_vec3_dot(u, u)));
    if (cell.n_periodic == 3) {
      DebyeVec3 normal = debye_vec3_cross(u, cell.edge[(i + 2) % 3]);
      cell.across[i] =
          debye_vec3_scale(normal, debye_vec3_dot(edge, normal) / debye_vec3_dot(normal, normal));
    }
  }
  return cell;
}

/* From which to which multiple of each edge an image may be within `reach`; one more on each side, so that
 * rounding doesn't matter. */
static void
find_range(const Cell *cell, DebyeVec3 difference, double reach, long first[3], long last[3])
{
  for (int i = 0; i < 3; i++) {
    first[i] = last[i] = 0;
    if (i >= cell->n_periodic)
      continue;
    double width = debye_vec3_length(cell->across[i]);
    double fraction = debye_vec3_dot(difference, cell->across[i]) / (width * width);
    first[i] = (long)floor(-fraction - reach / width);
    last[i] = (long)ceil(-fraction + reach / width);
  }
}

static long double
square(long double x)
{
  return x * x;
}

static long double
image_distance2(const Cell *cell, const DebyeCharges *charges, size_t atom, DebyeVec3 point, long a, long b,
                long c)
{
  const long double n[3] = {(long double)a, (long double)b, (long double)c};
  long double d[3] = {(long double)charges->x[atom] - (long double)point.x,
                      (long double)charges->y[atom] - (long double)point.y,
                      (long double)charges->z[atom] - (long double)point.z};
  for (int i = 0; i < 3; i++) {
    d[0] += n[i] * (long double)cell->edge[i].x;
    d[1] += n[i] * (long double)cell->edge[i].y;
    d[2] += n[i] * (long double)cell->edge[i].z;
  }
  return square(d[0]) + square(d[1]) + square(d[2]);
}

static long double
pair_value(const DebyePairFunction *function, long double r2, long double core2)
{
  const long double clamped2 = r2 > core2 ? r2 : core2, cutoff2 = square((long double)function->cutoff);
  const long double s = r2 / cutoff2;
  long double b = 0.0L;
  for (unsigned i = function->n_coefficients; i-- > 0;)
    b = b * s + (long double)function->coefficient[i];
  return (function->screened ? square(1.0L - clamped2 / cutoff2) : 1.0L) / sqrtl(clamped2) - b;
}

double
debye_oracle_cutoff(const DebyeCutoffProblem *problem, const DebyeCharges *charges, DebyeVec3 point,
                    uint64_t *n_in_range)
{
  const Cell cell = make_cell(problem);
  const long double cutoff2 = square((long double)problem->function->cutoff);
  const long double core2 = square((long double)problem->core_radius);
  long double sum = 0.0L;
  uint64_t count = 0;
  for (size_t atom = 0; atom < charges->n; atom++) {
    DebyeVec3 at = {(double)charges->x[atom], (double)charges->y[atom], (double)charges->z[atom]};
    long first[3], last[3];
    find_range(&cell, debye_vec3_subtract(at, point), problem->function->cutoff, first, last);
    for (long a = first[0]; a <= last[0]; a++)
      for (long b = first[1]; b <= last[1]; b++)
        for (long c = first[2]; c <= last[2]; c++) {
          long double r2 = image_distance2(&cell, charges, atom, point, a, b, c);
          if (!(r2 < cutoff2))
            continue;
          count++;
          sum += (long double)charges->charge[atom] * pair_value(problem->function, r2, core2);
        }
  }
  if (n_in_range != NULL)
    *n_in_range += count;
  return (double)sum;
}

double
debye_oracle_nearest(const DebyeCutoffProblem *problem, const DebyeCharges *charges, DebyeVec3 point)
{
  const Cell cell = make_cell(problem);
  const long double core = (long double)problem->core_radius;
  long double sum = 0.0L;
  for (size_t atom = 0; atom < charges->n; atom++) {
    DebyeVec3 at = {(double)charges->x[atom], (double)charges->y[atom], (double)charges->z[atom]};
    DebyeVec3 difference = debye_vec3_subtract(at, point);
    long double nearest = INFINITY;
    long first[3], last[3];
    /* Not farther than half of the cell's edges together. */
    double reach = cell.n_periodic < 3 ? debye_vec3_length(difference) : 0.0;
    for (int i = 0; i < cell.n_periodic; i++)
      reach += 0.5 * debye_vec3_length(cell.edge[i]);
    find_range(&cell, difference, reach, first, last);
    for (long a = first[0]; a <= last[0]; a++)
      for (long b = first[1]; b <= last[1]; b++)
        for (long c = first[2]; c <= last[2]; c++)
          nearest = fminl(nearest, image_distance2(&cell, charges, atom, point, a, b, c));
    sum += (long double)charges->charge[atom] / fmaxl(sqrtl(nearest), core);
  }
  return (double)sum;
}

/* Of all that is looked at above, and the points. */
static uint64_t
key_of(const DebyeCutoffProblem *problem, const DebyeCharges *charges, const DebyeGrid *grid,
       size_t n_samples)
{
  const DebyePairFunction *function = problem->function;
  const double values[] = {problem->core_radius, function->cutoff, function->screened};
  const size_t n[] = {problem->periodic, problem->cell != NULL, function->n_coefficients, n_samples};
  uint64_t key = debye_remembered_key(0, values, sizeof values);
  key = debye_remembered_key(key, n, sizeof n);
  key = debye_remembered_key(key, function->coefficient, n[2] * sizeof *function->coefficient);
  if (problem->cell != NULL)
    key = debye_remembered_key(key, problem->cell, sizeof *problem->cell);
  return debye_oracle_key(key, charges, grid);
}

double
debye_oracle_cutoff_error(const DebyeCutoffProblem *problem, const DebyeCharges *charges,
                          const DebyeGrid *grid, const float *map, const double *map_double, size_t n_samples)
{
  const size_t n_points = debye_grid_n_points(grid);
  const bool all = n_samples >= n_points;
  unsigned state = 20240229;
  double square_error = 0.0, square_sum = 0.0;
  bool is_new;
  double *exact = debye_remembered_get(key_of(problem, charges, grid, n_samples),
                                       (all ? n_points : n_samples) * sizeof *exact, &is_new);
  for (size_t sample = 0; sample < (all ? n_points : n_samples); sample++) {
    size_t at = all ? sample : (size_t)(debye_random(&state) * (double)n_points);
    size_t i = at % grid->shape[0], j = at / grid->shape[0] % grid->shape[1],
           k = at / grid->shape[0] / grid->shape[1];
    DebyeVec3 point = debye_grid_point(grid, (double)i, (double)j, (double)k);
    if (is_new)
      exact[sample] = debye_oracle_cutoff(problem, charges, point, NULL);
    double error = (map_double != NULL ? map_double[at] : (double)map[at]) - exact[sample];
    square_error += error * error;
    square_sum += exact[sample] * exact[sample];
  }
  if (square_sum == 0.0)
    return square_error == 0.0 ? 0.0 : INFINITY;
  return sqrt(square_error / square_sum);
}
