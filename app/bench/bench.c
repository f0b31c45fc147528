/* SPDX-License-Identifier: MIT */
/* Times the direct sum on a made-up problem or a molecule; called by debye-cli bench and the classroom. */
#include "bench.h"

#include <math.h>
#include <string.h>

#define SAMPLE_POINTS 1000
#define LEAST_EDGE 1.0 /* Å: of the cube round a single atom */
#define SAMPLE_PAIRS \
  1e8 /* of many atoms fewer points, so that the sums in double don't take longer than the rest */
#define LEAST_SAMPLE_POINTS 30
#define NAIVE_PAIRS 1e9 /* about a second */

static void
fill_charges(DebyeBenchProblem *problem, double side)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(20180519);
  for (gsize i = 0; i < problem->n_atoms; i++) {
    problem->x[i] = (float)g_rand_double_range(random, 0.0, side);
    problem->y[i] = (float)g_rand_double_range(random, 0.0, side);
    problem->z[i] = (float)g_rand_double_range(random, 0.0, side);
    problem->charge[i] = (float)g_rand_double_range(random, -0.8, 0.8);
  }
}

static double
exact_at(const DebyeBenchProblem *problem, DebyeVec3 point)
{
  double sum = 0.0;
  for (gsize i = 0; i < problem->n_atoms; i++) {
    DebyeVec3 atom = debye_vec3((double)problem->x[i], (double)problem->y[i], (double)problem->z[i]);
    sum += (double)problem->charge[i] /
           fmax(debye_vec3_length(debye_vec3_subtract(point, atom)), DEBYE_BENCH_CORE_RADIUS);
  }
  return sum;
}

static DebyeVec3
point_at(const DebyeGrid *grid, guint64 index)
{
  gsize row = grid->shape[0], plane = row * grid->shape[1];
  return debye_grid_point(grid, (double)(index % row), (double)(index / row % grid->shape[1]),
                          (double)(index / plane));
}

static void
fill_sample(DebyeBenchProblem *problem)
{
  guint64 n_points = debye_grid_n_points(&problem->grid);
  const double n_sample =
      CLAMP(SAMPLE_PAIRS / (double)MAX(problem->n_atoms, 1), LEAST_SAMPLE_POINTS, SAMPLE_POINTS);
  guint64 stride = MAX((guint64)((double)n_points / n_sample), 1);
  double sum = 0.0;
  problem->sample = g_array_new(FALSE, FALSE, sizeof(guint64));
  /* An odd offset a step: a plain stride would stay on one face of the cube. */
  for (guint64 i = 0, index = 0; index < n_points; i++, index = i * stride + i * 7 % stride)
    g_array_append_val(problem->sample, index);
  problem->exact = g_new(double, problem->sample->len);
  for (guint i = 0; i < problem->sample->len; i++) {
    problem->exact[i] =
        exact_at(problem, point_at(&problem->grid, g_array_index(problem->sample, guint64, i)));
    sum += problem->exact[i] * problem->exact[i];
  }
  problem->exact_rms = sqrt(sum / (double)problem->sample->len);
}

static DebyeBenchProblem *
allocate_problem(gsize n_atoms)
{
  DebyeBenchProblem *problem = g_new0(DebyeBenchProblem, 1);
  problem->n_atoms = n_atoms;
  problem->x = g_new(float, n_atoms);
  problem->y = g_new(float, n_atoms);
  problem->z = g_new(float, n_atoms);
  problem->charge = g_new(float, n_atoms);
  problem->charges = (DebyeCharges){problem->x, problem->y, problem->z, problem->charge, n_atoms};
  return problem;
}

DebyeBenchProblem *
debye_bench_problem_new(gsize points_a_side, gsize n_atoms)
{
  DebyeBenchProblem *problem = allocate_problem(n_atoms);
  double side = cbrt((double)n_atoms / DEBYE_BENCH_ATOM_DENSITY);
  double spacing = (side + 2.0 * DEBYE_BENCH_PADDING) / (double)MAX(points_a_side - 1, 1);
  problem->grid = (DebyeGrid){.origin = {-DEBYE_BENCH_PADDING, -DEBYE_BENCH_PADDING, -DEBYE_BENCH_PADDING},
                              .step = {{spacing, 0.0, 0.0}, {0.0, spacing, 0.0}, {0.0, 0.0, spacing}},
                              .shape = {points_a_side, points_a_side, points_a_side}};
  for (int axis = 0; axis < 3; axis++)
    problem->edge[axis] = side;
  fill_charges(problem, side);
  fill_sample(problem);
  return problem;
}

/* From the lowest coordinate, with DEBYE_BENCH_PADDING on both sides, in steps that give about so many
 * points; `side` is that of a cube round the atoms. */
static DebyeGrid
lay_grid(const float *const coordinates[3], gsize n_atoms, gsize n_points, double *side)
{
  double low[3], extent[3];
  *side = LEAST_EDGE;
  for (int axis = 0; axis < 3; axis++) {
    double high = (double)coordinates[axis][0];
    low[axis] = high;
    for (gsize i = 0; i < n_atoms; i++) {
      low[axis] = MIN(low[axis], (double)coordinates[axis][i]);
      high = MAX(high, (double)coordinates[axis][i]);
    }
    extent[axis] = high - low[axis] + 2.0 * DEBYE_BENCH_PADDING;
    *side = MAX(*side, high - low[axis]);
  }
  const double spacing = cbrt(extent[0] * extent[1] * extent[2] / (double)n_points);
  DebyeGrid grid = {
      .origin = {low[0] - DEBYE_BENCH_PADDING, low[1] - DEBYE_BENCH_PADDING, low[2] - DEBYE_BENCH_PADDING},
      .step = {{spacing, 0.0, 0.0}, {0.0, spacing, 0.0}, {0.0, 0.0, spacing}}};
  for (int axis = 0; axis < 3; axis++)
    grid.shape[axis] = (gsize)ceil(extent[axis] / spacing) + 1;
  return grid;
}

DebyeBenchProblem *
debye_bench_problem_new_for_charges(const DebyeCharges *charges, gsize n_points)
{
  DebyeBenchProblem *problem = allocate_problem(charges->n);
  const float *const coordinates[3] = {problem->x, problem->y, problem->z};
  double side;
  memcpy(problem->x, charges->x, charges->n * sizeof(float));
  memcpy(problem->y, charges->y, charges->n * sizeof(float));
  memcpy(problem->z, charges->z, charges->n * sizeof(float));
  memcpy(problem->charge, charges->charge, charges->n * sizeof(float));
  problem->grid = lay_grid(coordinates, charges->n, n_points, &side);
  for (int axis = 0; axis < 3; axis++)
    problem->edge[axis] = side;
  fill_sample(problem);
  return problem;
}

void
debye_bench_problem_free(DebyeBenchProblem *problem)
{
  if (problem == NULL)
    return;
  g_free(problem->x);
  g_free(problem->y);
  g_free(problem->z);
  g_free(problem->charge);
  g_free(problem->exact);
  g_clear_pointer(&problem->made_up, debye_bench_atoms_free);
  g_array_unref(problem->sample);
  g_free(problem);
}

DebyeBenchResult
debye_bench_result_copy(const DebyeBenchResult *result)
{
  DebyeBenchResult copy = *result;
  copy.variant = g_strdup(result->variant);
  copy.device = g_strdup(result->device);
  if (result->counts != NULL)
    copy.counts = g_memdup2(result->counts, sizeof *result->counts);
  return copy;
}

void
debye_bench_result_clear(DebyeBenchResult *result)
{
  g_free(result->variant);
  g_free(result->device);
  g_free(result->counts);
  *result = (DebyeBenchResult){0};
}

double
debye_bench_measure_error(const DebyeBenchProblem *problem, const float *single, const double *twice,
                          guint64 n_points)
{
  double sum = 0.0;
  guint n = 0;
  for (guint i = 0; i < problem->sample->len; i++) {
    guint64 index = g_array_index(problem->sample, guint64, i);
    if (index >= n_points)
      continue;
    double difference = (twice != NULL ? twice[index] : (double)single[index]) - problem->exact[i];
    sum += difference * difference;
    n++;
  }
  return n > 0 && problem->exact_rms > 0.0 ? sqrt(sum / (double)n) / problem->exact_rms : NAN;
}

double
debye_bench_count_within(const DebyeBenchProblem *problem, double cutoff)
{
  double n = 0.0;
  for (guint s = 0; s < problem->sample->len; s++) {
    const DebyeVec3 point = point_at(&problem->grid, g_array_index(problem->sample, guint64, s));
    for (gsize i = 0; i < problem->n_atoms; i++) {
      const double dx = point.x - (double)problem->x[i], dy = point.y - (double)problem->y[i],
                   dz = point.z - (double)problem->z[i];
      n += dx * dx + dy * dy + dz * dz < cutoff * cutoff;
    }
  }
  return n / (double)problem->sample->len;
}

static void
sum_plainly(const DebyeBenchProblem *problem, guint64 n_points, float *values)
{
  for (guint64 index = 0; index < n_points; index++) {
    DebyeVec3 point = point_at(&problem->grid, index);
    float x = (float)point.x, y = (float)point.y, z = (float)point.z, sum = 0.0f;
    for (gsize i = 0; i < problem->n_atoms; i++) {
      float dx = x - problem->x[i], dy = y - problem->y[i], dz = z - problem->z[i];
      sum += problem->charge[i] / fmaxf(sqrtf(dx * dx + dy * dy + dz * dz), (float)DEBYE_BENCH_CORE_RADIUS);
    }
    values[index] = sum;
  }
}

void
debye_bench_naive(const DebyeBenchProblem *problem, guint repeat, DebyeBenchResult *result)
{
  guint64 plane = problem->grid.shape[0] * problem->grid.shape[1];
  double planes = NAIVE_PAIRS / ((double)plane * (double)problem->n_atoms);
  guint64 n_points = plane * (guint64)CLAMP(planes, 1.0, (double)problem->grid.shape[2]);
  g_autofree float *values = g_new(float, n_points);
  double best = INFINITY;
  for (guint i = 0; i < repeat && !(problem->cancel != NULL && *problem->cancel); i++) {
    gint64 start = g_get_monotonic_time();
    sum_plainly(problem, n_points, values);
    best = MIN(best, (double)MAX(g_get_monotonic_time() - start, 1) / G_USEC_PER_SEC);
  }
  *result = (DebyeBenchResult){
      .variant = g_strdup("naive"),
      .device = g_strdup("cpu, 1 thread"),
      .seconds = best * (double)debye_grid_n_points(&problem->grid) / (double)n_points,
      .rate = (double)n_points * (double)problem->n_atoms / best,
      .error = debye_bench_measure_error(problem, values, NULL, n_points),
  };
}
