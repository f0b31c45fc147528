/* SPDX-License-Identifier: MIT */
/* What the tests of all methods of the potential share: a body runs on every device that there is, on each
 * instruction set of the processor, in float and in double, and looks at maps between sentinels. */
#pragma once

#include "kernels/potential/potential_kernel.h"
#include "kernels/registry.h"
#include "tests/support/check.h"

#define DEBYE_MAP_CORE 1e-3
#define DEBYE_LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* What a body runs on. */
typedef struct {
  const DebyePotentialKernel *kernel;
  int device;
  bool exact; /* in double */
} DebyeMapPath;

/* A map between sentinels; in one of the arrays, as the path says. */
typedef struct {
  size_t n, n_overflow; /* points; atoms that the device left to the host */
  bool exact;
  float *floats;
  double *doubles;
} DebyeTestMap;

DebyeTestMap debye_test_map_new(const DebyeMapPath *path, size_t n);
void debye_test_map_clear(DebyeTestMap *map);
double debye_test_map_value(const DebyeTestMap *map, size_t i);
/* Root mean square of the difference, over that of `like`. */
double debye_test_map_difference(const DebyeTestMap *map, const DebyeTestMap *like);
/* Checks that both hold the same bits, the sentinels too. */
void debye_test_map_check_same(const DebyeTestMap *map, const DebyeTestMap *expected);

/* The settings with the path's precision; room for `n_charges` and, where they say nothing of planes, for the
 * whole map in one slab. */
DebyePotentialSettings debye_map_settings(const DebyeMapPath *path, const DebyePotentialSettings *settings,
                                          size_t n_charges);
/* NULL, and a check that fails, where it can't be made. The settings are complete. */
DebyeKernelPlan *debye_map_plan_new(const DebyeMapPath *path, const DebyePotentialSettings *settings);
/* A frame with a plan, slab by slab; the host sums what the device leaves over, as the lanes do it. Every
 * value is written, none beside. */
DebyeTestMap debye_map_execute(const DebyeMapPath *path, DebyeKernelPlan *plan,
                               const DebyePotentialSettings *settings, const DebyeCharges *charges,
                               const DebyeCell *cell);
/* A plan for one frame, whose cell is the settings'. */
DebyeTestMap debye_map_compute(const DebyeMapPath *path, const DebyePotentialSettings *settings,
                               const DebyeCharges *charges);

typedef struct {
  const char *name;
  void (*body)(const DebyeMapPath *path);
} DebyeMapBody;

/* A test's main: each body on each path of a method. The arguments: only devices whose id begins so
 * ("cuda"), only bodies whose name has it. `with_fake`: also the back end that fails on command. */
int debye_map_test_main(int argc, char **argv, DebyePotentialMethod method, bool with_fake,
                        const DebyeMapBody *bodies, size_t n_bodies);
