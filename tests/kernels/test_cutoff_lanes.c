/* SPDX-License-Identifier: MIT */
/* The cutoff method over lanes: devices that leave atoms to the host, fail or are stopped, and the map is the
 * same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/potential/potential_map_lanes.h"
#include "tests/support/check.h"
#include "tests/support/fake_backend.h"
#include "tests/support/oracle_cutoff.h"

#define CORE 1e-3
#define EDGE 18.0
#define N_ATOMS 500
#define NX 24
#define NY 20
#define PLANES 36
#define CUTOFF 6.0

typedef struct {
  DebyeRandomSystem system;
  DebyePotentialMapLanesSettings settings;
  DebyeCell cell;
  float *out;
  double *out_double;
} Problem;

static Problem
problem_new(bool exact)
{
  Problem problem = {
      .system = debye_random_system_new(N_ATOMS, debye_vec3(0.0, 0.0, 0.0), debye_vec3(EDGE, EDGE, EDGE), 3),
      .settings = {.potential = {.method = DEBYE_POTENTIAL_CUTOFF,
                                 .grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.7, NX, NY, PLANES),
                                 .core_radius = CORE,
                                 .double_precision = exact,
                                 .max_charges = N_ATOMS,
                                 .periodic = DEBYE_PERIODIC_ALL,
                                 .cutoff = CUTOFF,
                                 .smoothing = DEBYE_SMOOTHING_SMOOTH}},
      .cell = {{EDGE, 0.0, 0.0}, {3.0, EDGE, 0.0}, {0.0, -4.0, EDGE}},
      .out = exact ? NULL : calloc(NX * NY * PLANES, sizeof(float)),
      .out_double = exact ? calloc(NX * NY * PLANES, sizeof(double)) : NULL,
  };
  return problem;
}

static void
problem_clear(Problem *problem)
{
  debye_random_system_clear(&problem->system);
  free(problem->out);
  free(problem->out_double);
}

static void
check_map(const Problem *problem)
{
  const DebyePairFunction function = debye_pair_function_smoothing(DEBYE_SMOOTHING_SMOOTH, CUTOFF);
  const DebyeCutoffProblem oracle = {&function, CORE, DEBYE_PERIODIC_ALL, &problem->cell};
  CHECK_AT_MOST(debye_oracle_cutoff_error(&oracle, &problem->system.charges,
                                          &problem->settings.potential.grid, problem->out,
                                          problem->out_double, 300),
                problem->out_double != NULL ? 1e-12 : 5e-6);
}

/* Two frames of different cells by the devices chosen; returns the second's status. */
static DebyeStatusCode
run(Problem *problem, const char *choice, const bool *cancel)
{
  const DebyeDeviceEntry *entries[DEBYE_FAKE_MAX_DEVICES];
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, NULL);
  DebyeSharing *map = NULL;
  DebyeStatus status;
  debye_registry_add(registry, &debye_fake_backend);
  size_t n = debye_registry_choose(registry, choice, entries, DEBYE_FAKE_MAX_DEVICES, &status);
  CHECK_THAT(n > 0, "%s", status.text);
  CHECK_THAT(debye_potential_map_lanes_create(&problem->settings, entries, n, &map, &status) ==
                 DEBYE_STATUS_OK,
             "%s", status.text);
  for (int frame = 0; map != NULL && frame < 2; frame++) {
    problem->cell.a.x = EDGE + frame;
    debye_potential_map_lanes_execute(map, &problem->system.charges, &problem->cell, problem->out,
                                      problem->out_double, cancel, NULL, NULL, &status);
    if (status.code == DEBYE_STATUS_OK)
      check_map(problem);
  }
  debye_sharing_free(map);
  debye_registry_free(registry);
  return status.code;
}

static void
test_overflow(bool exact)
{
  static const char *const choices[] = {"fake:0", "fake:0,fake:1", "fake:0,cpu"};
  Problem problem = problem_new(exact);
  for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
    debye_check_subject("overflow, %s, %s", choices[i], exact ? "double" : "float");
    debye_fake_reset(2);
    CHECK(run(&problem, choices[i], NULL) == DEBYE_STATUS_OK);
  }
  problem_clear(&problem);
}

/* What a device spoiled before it failed, another repeats, and the host's part of it too. */
static void
test_failing(void)
{
  Problem problem = problem_new(false);
  for (unsigned fail_at = 1; fail_at < 5; fail_at++) {
    debye_check_subject("a device fails at its execution %u", fail_at);
    debye_fake_reset(2);
    debye_fake_device(0)->fail_at = fail_at;
    CHECK(run(&problem, "fake:0,fake:1", NULL) == DEBYE_STATUS_OK);
  }
  problem_clear(&problem);
}

static void
test_cancelled(void)
{
  const bool cancel = true;
  Problem problem = problem_new(false);
  debye_check_subject("stopped");
  debye_fake_reset(2);
  CHECK(run(&problem, "fake:0,fake:1", &cancel) == DEBYE_STATUS_CANCELLED);
  problem_clear(&problem);
}

int
main(void)
{
  test_overflow(false);
  test_overflow(true);
  test_failing();
  test_cancelled();
  return debye_check_finish();
}
