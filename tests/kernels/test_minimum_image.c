/* SPDX-License-Identifier: MIT */
/* Reduced cells and nearest images, against trying all images of the cell as it was given. Differences of a
 * few 1e-13 are the rounding of coordinates of some hundred Å. */
#include <math.h>

#include "kernels/minimum_image.h"
#include "tests/support/check.h"
#include "tests/support/oracle_pairs.h"
#include "tests/support/oracle_potential.h"
#include "tests/support/pair_systems.h"

#define ROUNDING 1e-11

static double
random_coordinate(unsigned *state)
{
  return 200.0 * debye_random(state) - 100.0;
}

/* Axes at right angles, of length 1; the diagonal positive; the same volume. */
static void
check_frame(const DebyeLattice *lattice, const DebyeCell *cell)
{
  double volume = 1.0;
  for (int i = 0; i < 3; i++) {
    volume *= lattice->vector[i][i];
    for (int j = 0; j < 3; j++)
      CHECK_AT_MOST(fabs(debye_dot3(lattice->axis[i], lattice->axis[j]) - (i == j ? 1.0 : 0.0)), 1e-14);
    for (int j = i + 1; j < 3; j++)
      CHECK(lattice->vector[i][j] == 0.0);
    CHECK(lattice->vector[i][i] > 0.0);
  }
  CHECK_AT_MOST(fabs(volume / fabs(debye_cell_volume(cell)) - 1.0), 1e-12);
}

/* No vector can be made shorter by another. */
static void
check_reduced(const DebyeLattice *lattice)
{
  for (int v = 0; v < DEBYE_LATTICE_N_NEIGHBOURS; v++) {
    int last = 2;
    while (lattice->step[v][last] == 0)
      last--;
    double longest = debye_dot3(lattice->vector[last], lattice->vector[last]);
    CHECK(2.0 * lattice->half_square[v] >= longest * (1.0 - 1e-12));
    CHECK(sqrt(2.0 * lattice->half_square[v]) >= lattice->shortest * (1.0 - 1e-12));
  }
}

static void
check_nearest(const DebyeLattice *lattice, const DebyeCell *cell, unsigned seed)
{
  double worst = 0.0, beside = 0.0;
  for (int pair = 0; pair < 300; pair++) {
    float p[6];
    double i[3], j[3];
    for (int k = 0; k < 6; k++)
      p[k] = (float)random_coordinate(&seed);
    debye_lattice_place(lattice, p[0], p[1], p[2], i);
    debye_lattice_place(lattice, p[3], p[4], p[5], j);
    for (int k = 0; k < 3 && lattice->periodic; k++)
      beside = fmax(beside, fmax(-i[k], i[k] - lattice->vector[k][k]));
    double exact = debye_oracle_pair_distance(cell, debye_vec3((double)p[0], (double)p[1], (double)p[2]),
                                              debye_vec3((double)p[3], (double)p[4], (double)p[5]));
    worst = fmax(worst, fabs(sqrt(debye_pair_nearest(lattice, i, j)) - exact));
  }
  CHECK_AT_MOST(worst, ROUNDING);
  CHECK_AT_MOST(beside, ROUNDING);
}

static void
test_cells(void)
{
  for (size_t c = 0; c < debye_n_test_cells; c++) {
    const DebyeCell *cell = &debye_test_cells[c].cell;
    DebyeLattice lattice;
    debye_check_subject("%s", debye_test_cells[c].name);
    CHECK(debye_lattice_init(&lattice, cell) && lattice.periodic);
    check_frame(&lattice, cell);
    check_reduced(&lattice);
    check_nearest(&lattice, cell, 3 + (unsigned)c);
  }
}

/* Random cells from nearly flat to nearly upright. */
static void
test_random_cells(void)
{
  unsigned state = 12;
  for (int n = 0; n < 60; n++) {
    double v[9];
    for (int k = 0; k < 9; k++)
      v[k] = 40.0 * debye_random(&state) - 20.0;
    DebyeCell cell = {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}, {v[6], v[7], v[8]}};
    DebyeLattice lattice;
    debye_check_subject("random cell %d", n);
    /* Of very flat ones the oracle would try millions of images. */
    if (fabs(debye_cell_volume(&cell)) < 1000.0)
      continue;
    CHECK(debye_lattice_init(&lattice, &cell));
    check_frame(&lattice, &cell);
    check_reduced(&lattice);
    check_nearest(&lattice, &cell, (unsigned)n);
  }
}

/* An upright cell is left as it is, to the last bit, whichever order its edges have. */
static void
test_upright(void)
{
  const DebyeCell cell = {{31.7, 0.0, 0.0}, {0.0, 20.3, 0.0}, {0.0, 0.0, 25.1}};
  DebyeLattice lattice;
  debye_check_subject("upright");
  CHECK(debye_lattice_init(&lattice, &cell));
  CHECK(lattice.vector[0][0] == 20.3 && lattice.vector[1][1] == 25.1 && lattice.vector[2][2] == 31.7);
  CHECK(lattice.shortest == 20.3 && lattice.vector[1][0] == 0.0 && lattice.vector[2][0] == 0.0 &&
        lattice.vector[2][1] == 0.0);
  double place[3];
  debye_lattice_place(&lattice, 31.0f, 1.0f, 2.0f, place);
  CHECK(place[0] == 1.0 && place[1] == 2.0 && place[2] == 31.0);
}

static void
test_none(void)
{
  const DebyeCell flat = {{10.0, 0.0, 0.0}, {0.0, 10.0, 0.0}, {10.0, 10.0, 0.0}};
  DebyeLattice lattice;
  debye_check_subject("no cell");
  CHECK(debye_lattice_init(&lattice, NULL) && !lattice.periodic);
  check_nearest(&lattice, NULL, 5);
  CHECK(!debye_lattice_init(&lattice, &flat));
}

int
main(void)
{
  test_cells();
  test_random_cells();
  test_upright();
  test_none();
  return debye_check_finish();
}
