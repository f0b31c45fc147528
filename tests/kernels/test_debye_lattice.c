/* SPDX-License-Identifier: MIT */
/* The exact average over orientations from amplitudes on a lattice, against the sum over pairs in double, on every device. */
#include <math.h>
#include <stdlib.h>

#include "kernels/scattering/scattering_debye.h"
#include "kernels/scattering/scattering_debye_lattice.h"
#include "tests/support/check.h"
#include "tests/support/every_device.h"

#define N_Q 40
#define N_ATOMS 900
#define N_PAIRS 3

typedef struct {
  float x[N_ATOMS], y[N_ATOMS], z[N_ATOMS];
  double reach;
  double q[N_Q];
} Body;

static const size_t first[3] = {0, 300, N_ATOMS};
static const DebyeScatteringGroups groups = {.n_groups = 2, .first = first};

/* At random in a box, or in rows as in a crystal; not about the origin. Some q are uneven, one is 0, some are tiny. */
static void
make_body(Body *body, bool crystal, double q_max)
{
  const double lengths[3] = {20.0, 34.0, 12.0};
  float *columns[3] = {body->x, body->y, body->z};
  unsigned state = 7;
  for (size_t i = 0; i < N_ATOMS; i++) {
    const size_t place[3] = {i % 10, i / 10 % 15, i / 150};
    for (int k = 0; k < 3; k++) {
      state = state * 1664525u + 1013904223u;
      const double random = (double)(state >> 8) / 16777216.0;
      columns[k][i] = (float)(-40.0 * k + (crystal ? 2.5 * (double)place[k] : lengths[k] * random));
    }
  }
  body->reach =
      crystal ? sqrt(22.5 * 22.5 * 2.0 + 35.0 * 35.0) : sqrt(20.0 * 20.0 + 34.0 * 34.0 + 12.0 * 12.0);
  for (size_t k = 0; k < N_Q; k++)
    body->q[k] = q_max * pow((double)k / (N_Q - 1), k < N_Q / 2 ? 1.0 : 1.1);
  static const double tiny[] = {1e-7, 6e-7, 2e-6, 1e-5, 1e-4};
  for (size_t k = 0; k < sizeof tiny / sizeof *tiny; k++)
    body->q[1 + k] = tiny[k];
}

static void
sum_lattice(const DebyeDeviceEntry *device, const Body *body, const DebyeFormulaLattice *lattice,
            double *products)
{
  const DebyeCell cell = {{lattice->side, 0.0, 0.0}, {0.0, lattice->side, 0.0}, {0.0, 0.0, lattice->side}};
  const DebyeScatteringFrame frame = {.x = body->x, .y = body->y, .z = body->z, .cell = &cell};
  const DebyeLatticeSettings settings = {.n_atoms = N_ATOMS,
                                         .groups = groups,
                                         .extent = {lattice->extent, lattice->extent, lattice->extent},
                                         .tolerance = lattice->tolerance,
                                         .sums = true,
                                         .by_length = true};
  const DebyeLatticeKernel *kernel = device->backend->lattice;
  const size_t n = debye_lattice_n_sums(&settings);
  DebyeFormulaFold *fold = NULL;
  double *sums = calloc(N_PAIRS * n, sizeof *sums);
  DebyeKernelPlan *plan = NULL;
  CHECK(kernel->head.create(device->device, &settings, &plan, NULL) == DEBYE_STATUS_OK);
  CHECK(kernel->execute(plan, &frame, NULL, NULL, NULL) == DEBYE_STATUS_OK);
  for (size_t pair = 0; pair < N_PAIRS; pair++)
    CHECK(kernel->get_sums(plan, pair, sums + pair * n, NULL) == DEBYE_STATUS_OK);
  kernel->head.destroy(plan);
  CHECK(debye_formula_fold_create(lattice, body->q, N_Q, &fold, NULL) == DEBYE_STATUS_OK);
  CHECK(debye_formula_fold_execute(fold, sums, N_PAIRS, products, NULL, NULL) == DEBYE_STATUS_OK);
  debye_formula_fold_free(fold);
  free(sums);
}

/* The largest error at any tolerance, of the number of atoms. */
static void
check_body(const DebyeDeviceEntry *device, const char *how, const Body *body, double q_max)
{
  const DebyeScatteringFrame frame = {.x = body->x, .y = body->y, .z = body->z};
  double exact[N_PAIRS * N_Q], products[N_PAIRS * N_Q];
  CHECK(debye_formula_products(&groups, &frame, body->q, N_Q, exact, NULL, NULL) == DEBYE_STATUS_OK);
  for (double tolerance = 1e-2; tolerance > 1e-9; tolerance *= 1e-2) {
    const DebyeFormulaLattice lattice = debye_formula_lattice(body->reach, q_max, tolerance, N_ATOMS);
    double largest = 0.0;
    CHECK(lattice.holds_tolerance);
    sum_lattice(device, body, &lattice, products);
    for (size_t k = 0; k < N_PAIRS * N_Q; k++)
      largest = fmax(largest, fabs(products[k] - exact[k]) / N_ATOMS);
    debye_check_subject("%s%s: a body up to q = %g with a tolerance of %g", device->info.id, how, q_max,
                        tolerance);
    CHECK_AT_MOST(largest, tolerance);
  }
  debye_check_subject("%s", "");
}

static void
test_errors(const DebyeDeviceEntry *device, const char *how, void *arguments)
{
  (void)arguments;
  const double q_maxima[] = {0.02, 0.5, 1.5};
  Body body;
  if (device->backend->lattice == NULL)
    return;
  for (int crystal = 0; crystal < 2; crystal++)
    for (size_t i = 0; i < sizeof q_maxima / sizeof *q_maxima; i++) {
      make_body(&body, crystal > 0, q_maxima[i]);
      check_body(device, how, &body, q_maxima[i]);
    }
}

/* What no lattice holds is said, and the lattice grows with what is asked. */
static void
test_choice(void)
{
  const DebyeFormulaLattice usual = debye_formula_lattice(100.0, 0.5, 5e-6, 40000);
  const DebyeFormulaLattice exact = debye_formula_lattice(100.0, 0.5, 1e-12, 40000);
  const DebyeFormulaLattice large = debye_formula_lattice(1e4, 20.0, 5e-6, 40000);
  CHECK(usual.holds_tolerance && !exact.holds_tolerance && !large.holds_tolerance);
  CHECK(usual.side > 200.0);
  CHECK(debye_formula_lattice_count_points(&usual, 80000) >
        debye_formula_lattice_count_points(&usual, 40000));
  CHECK(debye_formula_lattice_count_bytes(&usual, 2, 40000, 100) >
        debye_formula_lattice_count_bytes(&usual, 1, 40000, 100));
}

/* The same whether the weights of all q are kept or made for each frame, and stopped where it is told to. */
static void
test_many_q(void)
{
  enum { MANY = 5000 };
  const DebyeFormulaLattice lattice = debye_formula_lattice(100.0, 0.5, 5e-6, 40000);
  const size_t n = (size_t)lattice.extent * lattice.extent + 1;
  double *q = calloc(MANY, sizeof *q), *products = calloc(MANY, sizeof *products), few[2];
  double *sums = calloc(n, sizeof *sums);
  DebyeFormulaFold *all = NULL, *one = NULL;
  DebyeStatus status = {0};
  bool cancel = true;
  for (size_t i = 0; i < MANY; i++)
    q[i] = 1e-4 * (double)i;
  for (size_t i = 0; i < n; i++)
    sums[i] = 1.0 + 1e-3 * (double)(i % 7);
  CHECK(debye_formula_fold_create(&lattice, q, MANY, &all, &status) == DEBYE_STATUS_OK);
  CHECK(debye_formula_fold_create(&lattice, q + 4000, 2, &one, &status) == DEBYE_STATUS_OK);
  CHECK(debye_formula_fold_execute(all, sums, 1, products, NULL, &status) == DEBYE_STATUS_OK);
  CHECK(debye_formula_fold_execute(one, sums, 1, few, NULL, &status) == DEBYE_STATUS_OK);
  CHECK(products[4000] == few[0] && products[4001] == few[1] && few[0] != few[1]);
  CHECK(debye_formula_fold_execute(all, sums, 1, products, &cancel, &status) == DEBYE_STATUS_CANCELLED);
  CHECK(debye_formula_lattice_count_bytes(&lattice, 1, 40000, MANY) <
        debye_formula_lattice_count_bytes(&lattice, 1, 40000, MANY / 2));
  debye_formula_fold_free(all);
  debye_formula_fold_free(one);
  debye_formula_fold_free(NULL);
  free(q);
  free(products);
  free(sums);
}

int
main(int argc, char **argv)
{
  if (debye_test_has_processor(argc, argv)) {
    test_choice();
    test_many_q();
  }
  return debye_test_main(argc, argv, test_errors);
}
