/* SPDX-License-Identifier: MIT */
/* The exact average over orientations of crystals, whose pairs share few distances, and of a body at random: from moments of
 * distances and from amplitudes on a lattice, with the tolerance held at every q, against the sum over pairs in double. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/common/cpu_kernels.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/scattering/scattering_debye.h"
#include "kernels/scattering/scattering_debye_lattice.h"
#include "kernels/cpu/scattering/scattering_debye_moments.h"
#include "tests/support/check.h"

#define EDGE 6.0 /* Å */
#define N_CELLS 11
#define N_ATOMS (N_CELLS * N_CELLS * N_CELLS)
#define N_Q 90
#define N_PAIRS 3

typedef enum { SIMPLE_CUBIC, FACE_CENTRED, AT_RANDOM, FAR_ATOM, N_BODIES } BodyKind;

typedef struct {
  const char *name;
  float x[N_ATOMS], y[N_ATOMS], z[N_ATOMS], weight[N_ATOMS];
  double reach; /* Å */
  double q[N_Q], exact[N_PAIRS * N_Q];
} Body;

static const char *const names[N_BODIES] = {"simple cubic", "face-centred cubic", "at random",
                                            "at random with one atom far away"};
static const size_t first[3] = {0, 400, N_ATOMS};

static DebyeScatteringGroups
groups_of(const Body *body)
{
  return (DebyeScatteringGroups){.n_groups = 2, .first = first, .weight = body->weight};
}

static DebyeScatteringFrame
frame_of(const Body *body)
{
  return (DebyeScatteringFrame){.x = body->x, .y = body->y, .z = body->z};
}

/* Places of a lattice in the order of a permutation, so that groups are mixed. */
static void
place_atom(Body *body, BodyKind kind, size_t i, unsigned *state)
{
  static const double centres[4][3] = {{0.0, 0.0, 0.0}, {0.0, 0.5, 0.5}, {0.5, 0.0, 0.5}, {0.5, 0.5, 0.0}};
  float *columns[3] = {body->x, body->y, body->z};
  const size_t at = i * 499 % N_ATOMS, cell = kind == FACE_CENTRED ? at / 4 : at;
  const size_t n = kind == FACE_CENTRED ? 7 : N_CELLS, cells[3] = {cell % n, cell / n % n, cell / n / n};
  for (int k = 0; k < 3; k++) {
    *state = *state * 1664525u + 1013904223u;
    if (kind >= AT_RANDOM)
      columns[k][i] = (float)(EDGE * N_CELLS * (double)(*state >> 8) / 16777216.0);
    else
      columns[k][i] = (float)(EDGE * ((double)cells[k] + (kind == FACE_CENTRED ? centres[at % 4][k] : 0.0)));
  }
  body->weight[i] = i % 3 == 0 ? -1.0f : 1.0f;
}

static Body *
make_body(BodyKind kind)
{
  Body *body = calloc(1, sizeof *body);
  unsigned state = 5;
  body->name = names[kind];
  for (size_t i = 0; i < N_ATOMS; i++)
    place_atom(body, kind, i, &state);
  /* Two atoms at one place, and two nearly so. */
  body->x[1] = body->x[0];
  body->y[1] = body->y[0];
  body->z[1] = body->z[0];
  body->x[3] = body->x[2] + 1e-3f;
  body->reach = sqrt(3.0) * EDGE * N_CELLS;
  if (kind == FAR_ATOM) {
    body->x[7] = 3000.0f;
    body->reach = 3100.0;
  }
  for (size_t k = 0; k < N_Q; k++)
    body->q[k] = 0.01 * (double)k;
  const DebyeScatteringGroups groups = groups_of(body);
  const DebyeScatteringFrame frame = frame_of(body);
  CHECK(debye_formula_products(&groups, &frame, body->q, N_Q, body->exact, NULL, NULL) == DEBYE_STATUS_OK);
  return body;
}

/* At any q, of the number of atoms. */
static double
largest_error(const Body *body, const double *products)
{
  double largest = 0.0;
  for (size_t k = 0; k < N_PAIRS * N_Q; k++)
    largest = fmax(largest, fabs(products[k] - body->exact[k]) / N_ATOMS);
  return largest;
}

static void
check_moments(const Body *body, double tolerance)
{
  const DebyeScatteringGroups groups = groups_of(body);
  const DebyeScatteringFrame frame = frame_of(body);
  const DebyeFormulaBins bins = debye_formula_bins(body->reach, body->q[N_Q - 1], tolerance, N_ATOMS);
  double products[N_PAIRS * N_Q];
  CHECK(debye_formula_by_moments(&groups, &frame, &bins, body->q, N_Q, products, NULL, NULL) ==
        DEBYE_STATUS_OK);
  debye_check_subject("moments, %s, tolerance %g", body->name, tolerance);
  CHECK_AT_MOST(largest_error(body, products), tolerance);
}

static void
check_lattice(const Body *body, double tolerance)
{
  const DebyeFormulaLattice lattice =
      debye_formula_lattice(body->reach, body->q[N_Q - 1], tolerance, N_ATOMS);
  const DebyeCell cell = {{lattice.side, 0.0, 0.0}, {0.0, lattice.side, 0.0}, {0.0, 0.0, lattice.side}};
  const DebyeScatteringFrame frame = {.x = body->x, .y = body->y, .z = body->z, .cell = &cell};
  const DebyeLatticeSettings settings = {.n_atoms = N_ATOMS,
                                         .groups = groups_of(body),
                                         .extent = {lattice.extent, lattice.extent, lattice.extent},
                                         .tolerance = lattice.tolerance,
                                         .sums = true,
                                         .by_length = true};
  const size_t n = debye_lattice_n_sums(&settings);
  DebyeFormulaFold *fold = NULL;
  double products[N_PAIRS * N_Q], *sums = calloc(N_PAIRS * n, sizeof *sums);
  DebyeKernelPlan *plan = NULL;
  CHECK(debye_cpu_lattice.head.create(0, &settings, &plan, NULL) == DEBYE_STATUS_OK);
  CHECK(debye_cpu_lattice.execute(plan, &frame, NULL, NULL, NULL) == DEBYE_STATUS_OK);
  for (size_t pair = 0; pair < N_PAIRS; pair++)
    CHECK(debye_cpu_lattice.get_sums(plan, pair, sums + pair * n, NULL) == DEBYE_STATUS_OK);
  debye_cpu_lattice.head.destroy(plan);
  CHECK(debye_formula_fold_create(&lattice, body->q, N_Q, &fold, NULL) == DEBYE_STATUS_OK);
  CHECK(debye_formula_fold_execute(fold, sums, N_PAIRS, products, NULL, NULL) == DEBYE_STATUS_OK);
  debye_formula_fold_free(fold);
  free(sums);
  debye_check_subject("lattice, %s, tolerance %g", body->name, tolerance);
  CHECK_AT_MOST(largest_error(body, products), tolerance);
}

/* With every instruction set that the processor has. */
static void
check_each_level(const Body *body, double tolerance)
{
  const DebyeCpuLevel best = debye_cpu_get_level();
  for (DebyeCpuLevel level = DEBYE_CPU_PORTABLE; level <= best; level++) {
    debye_cpu_set_level(level);
    check_moments(body, tolerance);
  }
  debye_cpu_set_level(best);
}

static void
test_tolerances(void)
{
  static const double tolerances[] = {1e-2, 1e-4, 5e-6, 1e-8};
  for (BodyKind kind = 0; kind < N_BODIES; kind++) {
    Body *body = make_body(kind);
    for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++) {
      check_each_level(body, tolerances[i]);
      /* Which costs as much as the cube of the reach. */
      if (kind != FAR_ATOM && i % 2 == 0)
        check_lattice(body, tolerances[i]);
    }
    free(body);
  }
  debye_check_subject("%s", "");
}

/* Distances beyond the last bin are summed one by one. */
static void
test_beyond(void)
{
  Body *body = make_body(AT_RANDOM);
  const DebyeScatteringGroups groups = groups_of(body);
  const DebyeScatteringFrame frame = frame_of(body);
  const DebyeFormulaBins bins = debye_formula_bins(60.0, body->q[N_Q - 1], 1e-6, N_ATOMS);
  double products[N_PAIRS * N_Q];
  CHECK(debye_formula_by_moments(&groups, &frame, &bins, body->q, N_Q, products, NULL, NULL) ==
        DEBYE_STATUS_OK);
  CHECK_AT_MOST(largest_error(body, products), 1e-6);
  free(body);
}

/* Bins end, however far atoms are. */
static void
test_bins(void)
{
  const DebyeFormulaBins usual = debye_formula_bins(100.0, 0.5, 5e-6, 40000),
                         finer = debye_formula_bins(100.0, 5.0, 5e-6, 40000),
                         far = debye_formula_bins(3e5, 20.0, 1e-9, 40000),
                         none = debye_formula_bins(100.0, 0.0, 5e-6, 40000);
  CHECK(usual.width > finer.width && usual.n_bins < finer.n_bins);
  CHECK(far.n_bins == DEBYE_FORMULA_MOST_BINS);
  CHECK(none.width > 0.0 && none.n_bins > 1);
}

/* What they may take is held, and the sum as exact: fewer shares, then fewer bins. */
static void
test_room(void)
{
  Body *body = make_body(AT_RANDOM);
  const DebyeScatteringGroups groups = groups_of(body);
  const DebyeScatteringFrame frame = frame_of(body);
  const DebyeFormulaBins all = debye_formula_bins(body->reach, body->q[N_Q - 1], 1e-6, N_ATOMS);
  const double whole = debye_formula_bins_count_bytes(&all, N_ATOMS, N_Q);
  DebyeFormulaBins one = all, few = all, least = all, same = all;
  one.n_shares = 1;
  const double of_one = debye_formula_bins_count_bytes(&one, N_ATOMS, N_Q);
  CHECK(all.n_shares > 1 && of_one < whole);
  debye_formula_bins_fit(&same, N_ATOMS, N_Q, whole);
  CHECK(same.n_shares == all.n_shares && same.n_bins == all.n_bins);
  debye_formula_bins_fit(&one, N_ATOMS, N_Q, of_one);
  CHECK(one.n_bins == all.n_bins);
  const double half = of_one - 16.0 * (double)all.n_bins;
  debye_formula_bins_fit(&few, N_ATOMS, N_Q, half);
  CHECK(few.n_shares == 1 && few.n_bins < all.n_bins && few.n_bins > all.n_bins / 3);
  CHECK_AT_MOST(debye_formula_bins_count_bytes(&few, N_ATOMS, N_Q), half);
  debye_formula_bins_fit(&least, N_ATOMS, N_Q, 0.0);
  CHECK(least.n_shares == 1 && least.n_bins == 2);
  const DebyeFormulaBins ways[] = {one, few, least};
  for (size_t i = 0; i < 3; i++) {
    double products[N_PAIRS * N_Q];
    CHECK(debye_formula_by_moments(&groups, &frame, &ways[i], body->q, N_Q, products, NULL, NULL) ==
          DEBYE_STATUS_OK);
    CHECK_AT_MOST(largest_error(body, products), 1e-6);
  }
  free(body);
}

static void
test_refused(void)
{
  Body *body = make_body(SIMPLE_CUBIC);
  const DebyeScatteringGroups groups = groups_of(body);
  const DebyeScatteringFrame frame = frame_of(body);
  const DebyeFormulaBins bins = debye_formula_bins(body->reach, 1.0, 1e-4, N_ATOMS);
  DebyeStatus status = {0};
  double products[N_PAIRS * N_Q];
  bool cancel = true;
  CHECK(debye_formula_by_moments(&groups, &frame, &bins, body->q, N_Q, products, &cancel, &status) ==
        DEBYE_STATUS_CANCELLED);
  body->z[41] = INFINITY;
  CHECK(debye_formula_by_moments(&groups, &frame, &bins, body->q, N_Q, products, NULL, &status) ==
        DEBYE_STATUS_INVALID);
  CHECK_THAT(strstr(status.text, "42") != NULL, "the atom isn't named: %s", status.text);
  free(body);
}

int
main(void)
{
  test_tolerances();
  test_beyond();
  test_bins();
  test_room();
  test_refused();
  return debye_check_finish();
}
