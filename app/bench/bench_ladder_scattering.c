/* SPDX-License-Identifier: MIT */
/* Times the teaching variants of scattering, on as many of the atoms as take them a fraction of a second; called by
 * bench_ladder.c. */
#include "bench_ladder_private.h"

#include <math.h>
#include <string.h>

#include "app/analysis/driver/device_choice.h"
#include "data/files/error.h"

#define FIRST_ATOMS ((gsize)64) /* that are tried; the next are four times as many */
#define GROWTH 4
#define LONG_ENOUGH 0.1 /* s */
#define COMPARED 4      /* times or lags of the last vector that are summed once more in double */

typedef struct {
  const DebyeBenchProblem *problem;
  const DebyeBenchLimits *limits;
  gsize variant;
  DebyeLadderCourses courses; /* of the first atoms */
  float *places, *f;
} ScatteringRun;

gboolean
debye_bench_problem_set_courses(DebyeBenchProblem *problem, const DebyeBenchAtoms *atoms, gsize n_frames,
                                gsize n_vectors, GError **error)
{
  if (atoms == NULL)
    atoms = problem->made_up = debye_bench_atoms_new(problem->n_atoms, n_frames, error);
  problem->courses = atoms;
  problem->n_frames = n_frames;
  problem->n_vectors = n_vectors;
  return atoms != NULL;
}

/* In the layout of that many atoms. */
static gboolean
take_atoms(ScatteringRun *run, gsize n_atoms, GError **error)
{
  const DebyeBenchAtoms *all = run->problem->courses;
  const gsize n_frames = run->problem->n_frames, n = n_atoms * n_frames;
  const float *const from[3] = {all->x, all->y, all->z};
  g_free(run->places);
  run->places = g_try_new(float, 3 * n);
  if (run->places == NULL)
    return debye_error_set(error, DEBYE_ERROR_MEMORY,
                           "bench: no memory for the atoms' courses; choose fewer with --size");
  for (int axis = 0; axis < 3; axis++)
    for (gsize t = 0; t < n_frames; t++)
      memcpy(run->places + (gsize)axis * n + t * n_atoms, from[axis] + t * all->n_atoms,
             n_atoms * sizeof(float));
  run->courses.x = run->places;
  run->courses.y = run->places + n;
  run->courses.z = run->places + 2 * n;
  run->courses.n_atoms = n_atoms;
  return TRUE;
}

static gboolean
run_once(ScatteringRun *run, double *seconds, GError **error)
{
  const DebyeDeviceEntry *device = run->limits->device;
  DebyeStatus status = {0};
  return debye_device_check(device->backend->ladder->scatter(device->device, run->variant, &run->courses,
                                                             run->f, seconds, run->problem->cancel, &status),
                            &status, error);
}

/* The first atoms that take long enough, or all; the tries warm up. */
static gboolean
choose_part(ScatteringRun *run, GError **error)
{
  const gsize most = run->problem->n_atoms;
  double seconds = 0.0;
  for (gsize n = FIRST_ATOMS;; n *= GROWTH) {
    if (!take_atoms(run, MIN(n, most), error) || !run_once(run, &seconds, error))
      return FALSE;
    if (seconds >= LONG_ENOUGH || n >= most)
      return TRUE;
  }
}

/* a(t) of one atom along one vector. */
static void
compute_series(const DebyeLadderCourses *courses, DebyeVec3 q, gsize atom, double *a)
{
  for (gsize t = 0; t < courses->n_frames; t++) {
    const gsize at = t * courses->n_atoms + atom;
    const double phase =
        q.x * (double)courses->x[at] + q.y * (double)courses->y[at] + q.z * (double)courses->z[at];
    a[2 * t] = cos(phase);
    a[2 * t + 1] = sin(phase);
  }
}

/* f at one time or lag, of one series: of an atom, or of the sum over all. */
static void
add_value(DebyeLadderSignal signal, const double *a, gsize n_frames, gsize at, double value[2])
{
  const gsize n = n_frames - at;
  for (gsize t = 0; (signal == DEBYE_LADDER_SELF || signal == DEBYE_LADDER_ALL) && t < n; t++) {
    const double *u = a + 2 * t, *v = a + 2 * (t + at);
    value[0] += (u[0] * v[0] + u[1] * v[1]) / (double)n;
    value[1] += (u[0] * v[1] - u[1] * v[0]) / (double)n;
  }
  if (signal == DEBYE_LADDER_SQUARE)
    value[0] += a[2 * at] * a[2 * at] + a[2 * at + 1] * a[2 * at + 1];
  if (signal == DEBYE_LADDER_PLAIN) {
    value[0] += a[2 * at];
    value[1] += a[2 * at + 1];
  }
}

/* Root mean square over some times of the last vector, relative. */
static double
find_error(const ScatteringRun *run)
{
  const DebyeLadderCourses *courses = &run->courses;
  const DebyeLadderSignal signal = run->limits->device->backend->ladder->variants[run->variant].signal;
  const gsize n = courses->n_frames, vector = courses->n_vectors - 1;
  g_autofree double *a = g_new(double, 2 * n), *sum = g_new0(double, 2 * n);
  double exact[COMPARED][2] = {{0.0}}, wrong = 0.0, all = 0.0;
  for (gsize atom = 0; atom < courses->n_atoms; atom++) {
    compute_series(courses, courses->vectors[vector], atom, a);
    for (gsize i = 0; i < 2 * n; i++)
      sum[i] += a[i];
    for (gsize k = 0; k < COMPARED && signal != DEBYE_LADDER_ALL; k++)
      add_value(signal, a, n, k * n / COMPARED, exact[k]);
  }
  for (gsize k = 0; k < COMPARED; k++) {
    const float *found = run->f + 2 * (vector * n + k * n / COMPARED);
    if (signal == DEBYE_LADDER_ALL)
      add_value(signal, sum, n, k * n / COMPARED, exact[k]);
    for (int part = 0; part < 2; part++) {
      wrong += ((double)found[part] - exact[k][part]) * ((double)found[part] - exact[k][part]);
      all += exact[k][part] * exact[k][part];
    }
  }
  return all > 0.0 ? sqrt(wrong / all) : NAN;
}

gboolean
debye_bench_scatter(const DebyeBenchProblem *problem, const DebyeBenchLimits *limits, gsize number,
                    guint repeat, DebyeBenchResult *result, GError **error)
{
  g_autofree DebyeVec3 *vectors = debye_bench_make_up_vectors(problem->n_vectors);
  ScatteringRun run = {.problem = problem, .limits = limits, .variant = number};
  run.courses = (DebyeLadderCourses){
      .n_frames = problem->n_frames, .vectors = vectors, .n_vectors = problem->n_vectors};
  run.f = g_new(float, 2 * problem->n_frames * problem->n_vectors);
  gboolean ok = choose_part(&run, error);
  if (ok) {
    DebyeBenchRuns runs = debye_bench_runs_begin(repeat, FALSE, limits->device->info.id);
    double seconds = 0.0;
    while (ok && debye_bench_runs_want_more(&runs)) {
      ok = run_once(&run, &seconds, error);
      debye_bench_runs_note(&runs, seconds);
    }
    const double n_atoms = (double)run.courses.n_atoms;
    debye_bench_runs_end(&runs, (double)problem->n_atoms / n_atoms, ok ? result : NULL);
    if (ok) {
      result->rate = n_atoms * (double)problem->n_vectors * (double)problem->n_frames / runs.best;
      result->error = find_error(&run);
      debye_bench_fill_result(limits, number, 1.0, 1.0, result);
    }
  }
  g_free(run.places);
  g_free(run.f);
  return ok;
}
