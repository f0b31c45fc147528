/* SPDX-License-Identifier: MIT */
/* Maps of many frames over lanes: every frame's map comes once and is right, also where devices fail, are
 * refused or are stopped. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/potential/potential_map_lanes.h"
#include "kernels/potential/potential_series_lanes.h"
#include "tests/support/check.h"
#include "tests/support/fake_backend.h"
#include "tests/support/oracle_potential.h"

#define EDGE 14.0
#define N_ATOMS 300
#define SIDE 13
#define N_POINTS (SIDE * SIDE * SIDE)
#define N_FRAMES 17
#define MOST_LANES 32

/* Frames of different atoms, numbers of atoms and cells; one without any. */
typedef struct {
  DebyePotentialSeriesLanesSettings settings;
  DebyeRandomSystem systems[N_FRAMES];
  DebyeCell cells[N_FRAMES];
  DebyePotentialFrame frames[N_FRAMES];
  double *expected[N_FRAMES]; /* each frame's map, by slabs on the processor */
} Problem;

/* What the sink has gathered: a sum a lane, and how often each frame came. */
typedef struct {
  const Problem *problem;
  double *sums[MOST_LANES];
  atomic_int in_lane[MOST_LANES];
  atomic_int n_came[N_FRAMES];
  atomic_int n_all;
  atomic_int in_progress;
  size_t last_done;
  int stop_after; /* 0: never */
  bool stop;
} Gathered;

static DebyeCell
make_cell(double stretch)
{
  return (DebyeCell){{EDGE + stretch, 0.0, 0.0}, {2.0, EDGE, 0.0}, {0.0, -3.0, EDGE + stretch}};
}

static void
expect_maps(Problem *problem)
{
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, NULL);
  const DebyeDeviceEntry *entry;
  DebyeSharing *map = NULL;
  DebyeStatus status;
  DebyePotentialMapLanesSettings settings = {.potential = problem->settings.potential};
  float *single = calloc(N_POINTS, sizeof *single);
  CHECK(debye_registry_choose(registry, "cpu", &entry, 1, &status) == 1);
  CHECK_THAT(debye_potential_map_lanes_create(&settings, &entry, 1, &map, &status) == DEBYE_STATUS_OK, "%s",
             status.text);
  for (int i = 0; i < N_FRAMES; i++) {
    bool twice = settings.potential.double_precision;
    problem->expected[i] = calloc(N_POINTS, sizeof(double));
    if (problem->frames[i].charges.n == 0)
      continue;
    CHECK(debye_potential_map_lanes_execute(map, &problem->frames[i].charges, problem->frames[i].cell,
                                            twice ? NULL : single, twice ? problem->expected[i] : NULL, NULL,
                                            NULL, NULL, &status) == DEBYE_STATUS_OK);
    for (int k = 0; k < N_POINTS && !twice; k++)
      problem->expected[i][k] = (double)single[k];
  }
  debye_sharing_free(map);
  debye_registry_free(registry);
  free(single);
}

static Problem *
problem_new(DebyePotentialMethod method, bool exact)
{
  Problem *problem = calloc(1, sizeof *problem);
  problem->settings.potential = (DebyePotentialSettings){
      .method = method,
      .grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.7, SIDE, SIDE, SIDE),
      .core_radius = 0.1,
      .double_precision = exact,
      .max_charges = N_ATOMS,
      .periodic = method == DEBYE_POTENTIAL_DIRECT ? DEBYE_PERIODIC_NONE : DEBYE_PERIODIC_ALL,
      .cell = make_cell(0.0),
      .cutoff = 6.0,
      .smoothing = DEBYE_SMOOTHING_SMOOTH};
  if (method == DEBYE_POTENTIAL_EWALD)
    problem->settings.potential.cutoff = 0.0;
  for (unsigned i = 0; i < N_FRAMES; i++) {
    problem->systems[i] = debye_random_system_new(N_ATOMS - i, debye_vec3(0.0, 0.0, 0.0),
                                                  debye_vec3(EDGE, EDGE, EDGE), 100 + i);
    problem->cells[i] = make_cell(0.05 * i);
    problem->frames[i].charges = problem->systems[i].charges;
    if (problem->settings.potential.periodic != DEBYE_PERIODIC_NONE)
      problem->frames[i].cell = &problem->cells[i];
  }
  problem->frames[N_FRAMES / 2].charges.n = 0;
  expect_maps(problem);
  return problem;
}

static void
problem_free(Problem *problem)
{
  for (int i = 0; i < N_FRAMES; i++) {
    debye_random_system_clear(&problem->systems[i]);
    free(problem->expected[i]);
  }
  free(problem);
}

/* Of a map in float (other summation orders) or double. */
static double
tolerance(const Problem *problem)
{
  return problem->settings.potential.double_precision ? 1e-11 : 2e-5;
}

static double
error_of(const double *found, const double *expected)
{
  double difference = 0.0, square = 0.0;
  for (int i = 0; i < N_POINTS; i++) {
    difference += (found[i] - expected[i]) * (found[i] - expected[i]);
    square += expected[i] * expected[i];
  }
  return sqrt(difference / fmax(square, 1e-300));
}

static void
gather(void *data, size_t lane, size_t frame, const float *single, const double *twice)
{
  Gathered *gathered = data;
  CHECK(lane < MOST_LANES && frame < N_FRAMES);
  CHECK((single == NULL) == gathered->problem->settings.potential.double_precision);
  CHECK((single == NULL) != (twice == NULL));
  CHECK(atomic_fetch_add(&gathered->in_lane[lane], 1) == 0);
  if (gathered->sums[lane] == NULL)
    gathered->sums[lane] = calloc(N_POINTS, sizeof(double));
  for (int i = 0; i < N_POINTS; i++)
    gathered->sums[lane][i] += twice != NULL ? twice[i] : (double)single[i];
  atomic_fetch_add(&gathered->n_came[frame], 1);
  if (atomic_fetch_add(&gathered->n_all, 1) + 1 == gathered->stop_after)
    __atomic_store_n(&gathered->stop, true, __ATOMIC_RELAXED);
  atomic_fetch_sub(&gathered->in_lane[lane], 1);
}

static void
see_progress(void *data, size_t done, size_t total)
{
  Gathered *gathered = data;
  CHECK(atomic_fetch_add(&gathered->in_progress, 1) == 0);
  CHECK(total == N_FRAMES && done > gathered->last_done && done <= total);
  gathered->last_done = done;
  atomic_fetch_sub(&gathered->in_progress, 1);
}

/* The sum over lanes is the sum of the maps of the frames that came, each once. */
static void
check_sum(Gathered *gathered)
{
  double *found = calloc(N_POINTS, sizeof *found), *expected = calloc(N_POINTS, sizeof *expected);
  for (int lane = 0; lane < MOST_LANES; lane++)
    for (int i = 0; i < N_POINTS && gathered->sums[lane] != NULL; i++)
      found[i] += gathered->sums[lane][i];
  for (int frame = 0; frame < N_FRAMES; frame++) {
    CHECK(atomic_load(&gathered->n_came[frame]) <= 1);
    for (int i = 0; i < N_POINTS && atomic_load(&gathered->n_came[frame]) > 0; i++)
      expected[i] += gathered->problem->expected[frame][i];
  }
  CHECK_AT_MOST(error_of(found, expected), tolerance(gathered->problem));
  free(found);
  free(expected);
}

static void
gathered_clear(Gathered *gathered)
{
  for (int lane = 0; lane < MOST_LANES; lane++)
    free(gathered->sums[lane]);
}

static void
check_reports(DebyeSharing *series, size_t n_devices, size_t n_expected)
{
  const DebyeLaneReport *reports;
  size_t n_reports = debye_potential_series_lanes_get_reports(series, &reports), n_done = 0;
  CHECK(n_reports == n_devices);
  for (size_t i = 0; i < n_reports; i++) {
    n_done += reports[i].items_done;
    CHECK(i == 0 || strcmp(reports[i].id, reports[i - 1].id) != 0);
    CHECK((reports[i].reason[0] != '\0') == reports[i].retired);
  }
  CHECK(n_done == n_expected);
}

/* All frames twice over by the devices chosen of this registry. */
static void
run_all(const Problem *problem, const DebyeRegistry *registry, const char *choice)
{
  const DebyeDeviceEntry *entries[DEBYE_FAKE_MAX_DEVICES];
  DebyeSharing *series = NULL;
  DebyeStatus status;
  size_t n = debye_registry_choose(registry, choice, entries, DEBYE_FAKE_MAX_DEVICES, &status);
  CHECK_THAT(n > 0, "%s", status.text);
  CHECK(debye_potential_series_lanes_count_lanes(entries, n) <= MOST_LANES);
  CHECK_THAT(debye_potential_series_lanes_create(&problem->settings, entries, n, &series, &status) ==
                 DEBYE_STATUS_OK,
             "%s", status.text);
  for (int turn = 0; series != NULL && turn < 2; turn++) {
    Gathered gathered = {.problem = problem};
    CHECK_THAT(debye_potential_series_lanes_execute(series, problem->frames, N_FRAMES, gather, see_progress,
                                                    &gathered, NULL, NULL, &status) == DEBYE_STATUS_OK,
               "%s", status.text);
    CHECK(atomic_load(&gathered.n_all) == N_FRAMES && gathered.last_done == N_FRAMES);
    check_sum(&gathered);
    gathered_clear(&gathered);
  }
  if (series != NULL)
    check_reports(series, n, N_FRAMES);
  debye_sharing_free(series);
}

static DebyeRegistry *
registry_with_fakes(int n)
{
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, NULL);
  debye_fake_reset(n);
  debye_registry_add(registry, &debye_fake_backend);
  return registry;
}

static void
check_no_plans(void)
{
  for (int i = 0; i < DEBYE_FAKE_MAX_DEVICES; i++)
    CHECK(atomic_load(&debye_fake_device(i)->n_plans) == 0);
}

static void
test_devices(const DebyeRegistry *real, const char *only)
{
  static const DebyePotentialMethod methods[] = {DEBYE_POTENTIAL_DIRECT, DEBYE_POTENTIAL_CUTOFF,
                                                 DEBYE_POTENTIAL_EWALD};
  for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++)
    for (int exact = 0; exact < 2; exact++) {
      Problem *problem = problem_new(methods[m], exact);
      for (size_t i = 0; i < debye_registry_get_count(real); i++) {
        const DebyeDeviceEntry *entry = debye_registry_get(real, i);
        if (entry->reason[0] != '\0' || strncmp(entry->info.id, only, strlen(only)) != 0)
          continue;
        debye_check_subject("%s, %s, %s", entry->info.id, debye_potential_method_name(methods[m]),
                            exact ? "double" : "float");
        run_all(problem, real, entry->info.id);
      }
      problem_free(problem);
    }
}

static void
test_fakes(void)
{
  static const char *const choices[] = {"fake:0", "fake:0,fake:1", "fake:0,cpu", "fake:0,fake:1,fake:2,cpu"};
  DebyeRegistry *registry = registry_with_fakes(3);
  Problem *problem = problem_new(DEBYE_POTENTIAL_CUTOFF, true);
  for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
    debye_check_subject("devices %s", choices[i]);
    run_all(problem, registry, choices[i]);
  }
  /* Both lanes of a device that takes its time have work. */
  debye_check_subject("two lanes of a device");
  debye_fake_device(0)->delay_microseconds = 500;
  run_all(problem, registry, "fake:0");
  check_no_plans();
  problem_free(problem);
  debye_registry_free(registry);
}

/* What a lane had handed out before it failed counts once; the rest another lane does. */
static void
test_failing(void)
{
  DebyeRegistry *registry = registry_with_fakes(2);
  Problem *problem = problem_new(DEBYE_POTENTIAL_DIRECT, true);
  for (unsigned fail_at = 1; fail_at < 6; fail_at++) {
    debye_check_subject("a device's lanes fail at their execution %u", fail_at);
    debye_fake_reset(2);
    debye_fake_device(0)->fail_at = fail_at;
    run_all(problem, registry, "fake:0,fake:1");
  }
  debye_check_subject("the processor takes what the only accelerator leaves");
  debye_fake_reset(1);
  debye_fake_device(0)->fail_at = 4;
  run_all(problem, registry, "fake:0,cpu");
  CHECK(atomic_load(&debye_fake_device(0)->n_executed) > 0);
  debye_check_subject("a device can't start");
  debye_fake_reset(2);
  debye_fake_device(1)->create_code = DEBYE_STATUS_NO_MEMORY;
  run_all(problem, registry, "fake:0,fake:1");
  check_no_plans();
  problem_free(problem);
  debye_registry_free(registry);
}

/* One execution that ends early; its status. */
static DebyeStatusCode
run_once(const Problem *problem, const DebyeRegistry *registry, const char *choice, Gathered *gathered,
         size_t *bad_frame)
{
  const DebyeDeviceEntry *entries[DEBYE_FAKE_MAX_DEVICES];
  DebyeSharing *series = NULL;
  DebyeStatus status;
  size_t n = debye_registry_choose(registry, choice, entries, DEBYE_FAKE_MAX_DEVICES, &status);
  CHECK(debye_potential_series_lanes_create(&problem->settings, entries, n, &series, &status) ==
        DEBYE_STATUS_OK);
  DebyeStatusCode code = debye_potential_series_lanes_execute(series, problem->frames, N_FRAMES, gather, NULL,
                                                              gathered, bad_frame, &gathered->stop, &status);
  debye_sharing_free(series);
  return code;
}

static void
test_ends_early(void)
{
  DebyeRegistry *registry = registry_with_fakes(2);
  Problem *problem = problem_new(DEBYE_POTENTIAL_DIRECT, true);
  debye_check_subject("stopped: what came is right");
  Gathered stopped = {.problem = problem, .stop_after = 3};
  CHECK(run_once(problem, registry, "fake:0,fake:1", &stopped, NULL) == DEBYE_STATUS_CANCELLED);
  CHECK(atomic_load(&stopped.n_all) >= 3 && atomic_load(&stopped.n_all) < N_FRAMES);
  check_sum(&stopped);
  gathered_clear(&stopped);

  debye_check_subject("every lane fails: what came is right");
  debye_fake_device(0)->fail_at = 3;
  Gathered failed = {.problem = problem};
  CHECK(run_once(problem, registry, "fake:0", &failed, NULL) == DEBYE_STATUS_DEVICE_FAILED);
  CHECK(atomic_load(&failed.n_all) < N_FRAMES);
  check_sum(&failed);
  gathered_clear(&failed);

  debye_check_subject("a frame has more atoms than was said");
  debye_fake_reset(2);
  size_t bad_frame = 0;
  problem->settings.potential.max_charges = N_ATOMS - 1; /* which frame 0 has more than */
  Gathered invalid = {.problem = problem};
  CHECK(run_once(problem, registry, "fake:0", &invalid, &bad_frame) == DEBYE_STATUS_INVALID);
  CHECK(bad_frame == 0 && atomic_load(&invalid.n_came[0]) == 0);
  gathered_clear(&invalid);
  check_no_plans();
  problem_free(problem);
  debye_registry_free(registry);
}

/* A limit is for a device, and its lanes share it. */
static void
test_memory_limit(void)
{
  const DebyeDeviceEntry *entry;
  DebyeRegistry *registry = registry_with_fakes(1);
  DebyeSharing *series = NULL;
  DebyeStatus status;
  Problem *problem = problem_new(DEBYE_POTENTIAL_DIRECT, false);
  debye_check_subject("memory limit");
  debye_fake_device(0)->bytes = 1000;
  CHECK(debye_registry_choose(registry, "fake:0", &entry, 1, &status) == 1);
  problem->settings.memory_limit = 1999;
  CHECK(debye_potential_series_lanes_create(&problem->settings, &entry, 1, &series, &status) ==
        DEBYE_STATUS_NO_MEMORY);
  CHECK(series == NULL && status.text[0] != '\0');
  problem->settings.memory_limit = 2000;
  run_all(problem, registry, "fake:0");
  check_no_plans();
  problem_free(problem);
  debye_registry_free(registry);
}

int
main(int argc, char **argv)
{
  const char *only = argc > 1 ? argv[1] : "";
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, getenv("DEBYE_BACKEND_DIR"));
  test_devices(registry, only);
  debye_registry_free(registry);
  if (only[0] == '\0') {
    test_fakes();
    test_failing();
    test_ends_early();
    test_memory_limit();
  }
  return debye_check_finish();
}
