/* SPDX-License-Identifier: MIT */
/* Times the teaching variants of orbitals and of ligands, on as many planes of the map as take them a fraction of a second;
 * called by bench_ladder.c. */
#include "bench_ladder_private.h"

#include "app/analysis/driver/device_choice.h"
#include "bench_ligand.h"
#include "bench_orbital.h"
#include "data/files/error.h"

#define LONG_ENOUGH 0.1 /* s */
#define GROWTH 4

typedef struct _PlanesRun PlanesRun;

/* What differs between them. */
typedef struct {
  DebyeStatusCode (*run)(const PlanesRun *run, double *seconds, DebyeStatus *status);
  double (*count)(const PlanesRun *run, const DebyeGrid *grid); /* evaluations */
  double (*find_error)(const PlanesRun *run);                   /* of the part */
} PlanesClass;

struct _PlanesRun {
  const PlanesClass *class;
  const DebyeBenchProblem *problem;
  const DebyeBenchLimits *limits;
  gsize variant;
  gconstpointer subject;
  DebyeGrid whole, part;
  float *map;
};

static gboolean
run_once(const PlanesRun *run, double *seconds, GError **error)
{
  DebyeStatus status = {0};
  return debye_device_check(run->class->run(run, seconds, &status), &status, error);
}

/* The middle ones. */
static DebyeGrid
take_planes(const DebyeGrid *whole, gsize n_planes)
{
  DebyeGrid part = *whole;
  part.shape[2] = MIN(n_planes, part.shape[2]);
  part.origin.z += (double)((whole->shape[2] - part.shape[2]) / 2) * part.step[2].z;
  return part;
}

/* The first planes that take long enough, or all; the tries warm up. */
static gboolean
choose_part(PlanesRun *run, GError **error)
{
  const gsize most = run->whole.shape[2];
  double seconds = 0.0;
  for (gsize n = 1;; n *= GROWTH) {
    run->part = take_planes(&run->whole, n);
    if (!run_once(run, &seconds, error))
      return FALSE;
    if (seconds >= LONG_ENOUGH || n >= most)
      return TRUE;
  }
}

static gboolean
time_planes(PlanesRun *run, guint repeat, DebyeBenchResult *result, GError **error)
{
  double seconds = 0.0;
  if (!choose_part(run, error))
    return FALSE;
  DebyeBenchRuns runs = debye_bench_runs_begin(repeat, FALSE, run->limits->device->info.id);
  gboolean ok = TRUE;
  while (ok && debye_bench_runs_want_more(&runs)) {
    ok = run_once(run, &seconds, error);
    debye_bench_runs_note(&runs, seconds);
  }
  const double evaluations = run->class->count(run, &run->part);
  const double whole =
      run->part.shape[2] == run->whole.shape[2] ? 1.0 : run->class->count(run, &run->whole) / evaluations;
  debye_bench_runs_end(&runs, whole, ok ? result : NULL);
  if (!ok)
    return FALSE;
  result->rate = evaluations / runs.best;
  result->error = run->class->find_error(run);
  debye_bench_fill_result(run->limits, run->variant, 1.0, 1.0, result);
  return TRUE;
}

/* --- Orbitals --- */

static DebyeStatusCode
draw(const PlanesRun *run, double *seconds, DebyeStatus *status)
{
  const DebyeDeviceEntry *device = run->limits->device;
  const DebyeBenchOrbital *subject = run->subject;
  const DebyeLadderOrbital orbital = {run->part, &subject->molecule.basis, subject->coefficients};
  return device->backend->ladder->draw_orbital(device->device, run->variant, &orbital, run->map, seconds,
                                               run->problem->cancel, status);
}

static double
count_drawn(const PlanesRun *run, const DebyeGrid *grid)
{
  return debye_bench_orbital_count(run->subject, grid);
}

static double
find_error_drawn(const PlanesRun *run)
{
  return debye_bench_orbital_find_error(run->subject, &run->part, run->map);
}

gboolean
debye_bench_draw(const DebyeBenchProblem *problem, const DebyeBenchLimits *limits, gsize number, guint repeat,
                 DebyeBenchResult *result, GError **error)
{
  static const PlanesClass class = {draw, count_drawn, find_error_drawn};
  g_autofree DebyeBenchOrbital *subject = debye_bench_orbital_new(
      problem->field_points > 0.0 ? problem->field_points : DEBYE_BENCH_ORBITAL_POINTS);
  g_autofree float *map = g_try_new(float, debye_grid_n_points(&subject->grid));
  if (map == NULL)
    return debye_error_set(error, DEBYE_ERROR_MEMORY, "bench: no memory for the map; choose fewer points");
  PlanesRun run = {&class, problem, limits, number, subject, .whole = subject->grid, .map = map};
  return time_planes(&run, repeat, result, error);
}

/* --- Ligands --- */

static DebyeStatusCode
sample(const PlanesRun *run, double *seconds, DebyeStatus *status)
{
  const DebyeDeviceEntry *device = run->limits->device;
  const DebyeBenchLigand *subject = run->subject;
  DebyeLigandSettings settings = subject->settings;
  const DebyeLadderLigand ligand = {&settings, &subject->frame};
  settings.grid = run->part;
  return device->backend->ladder->sample_ligand(device->device, run->variant, &ligand, run->map, seconds,
                                                run->problem->cancel, status);
}

static double
count_sampled(const PlanesRun *run, const DebyeGrid *grid)
{
  return debye_bench_ligand_count(run->subject, grid);
}

static double
find_error_sampled(const PlanesRun *run)
{
  return debye_bench_ligand_find_error(run->subject, &run->part, run->map);
}

gboolean
debye_bench_sample(const DebyeBenchProblem *problem, const DebyeBenchLimits *limits, gsize number,
                   guint repeat, DebyeBenchResult *result, GError **error)
{
  static const PlanesClass class = {sample, count_sampled, find_error_sampled};
  g_autoptr(DebyeBenchLigand) subject =
      debye_bench_ligand_new(problem->field_points > 0.0 ? problem->field_points : DEBYE_BENCH_LIGAND_VOXELS);
  g_autofree float *map = g_new(float, debye_grid_n_points(&subject->settings.grid));
  PlanesRun run = {&class, problem, limits, number, subject, .whole = subject->settings.grid, .map = map};
  return time_planes(&run, repeat, result, error);
}
