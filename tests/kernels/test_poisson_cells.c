/* SPDX-License-Identifier: MIT */
/* The Poisson-Boltzmann equation in cells that repeat and with membranes, on every device: charges of a cell against the
 * Ewald sum, with its order of convergence and any axis as the long one; a voltage across layers against the closed
 * one-dimensional solutions, linear and nonlinear. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/poisson/poisson_lanes.h"
#include "tests/support/check.h"
#include "tests/support/every_device.h"
#include "tests/support/oracle_ewald.h"

#define PI 3.14159265358979323846
#define LENGTH DEBYE_BJERRUM_VACUUM(298.15)
#define N_CHARGES 3

static size_t
count_points(const DebyePoissonMedium *medium)
{
  return medium->grid.shape[0] * medium->grid.shape[1] * medium->grid.shape[2];
}

/* The map; NULL where it can't be solved. */
static float *
solve(const DebyePoissonLanesSettings *settings, const DebyeDeviceEntry *device, const DebyeSpheres *spheres,
      const float *charges)
{
  DebyeSharing *share;
  DebyeStatus status = {0};
  DebyePoissonReport report = {0};
  float *map = calloc(count_points(&settings->medium), sizeof *map);
  DebyeStatusCode code = debye_poisson_lanes_create(settings, &device, 1, &share, &status);
  CHECK_THAT(code == DEBYE_STATUS_OK, "%s", status.text);
  if (code == DEBYE_STATUS_OK)
    code = debye_poisson_lanes_execute(share, spheres, charges, map, NULL, &report, NULL, &status);
  CHECK_THAT(code == DEBYE_STATUS_OK, "%s", status.text);
  debye_sharing_free(share);
  CHECK_AT_MOST(report.residual, settings->goal.tolerance);
  CHECK_AT_MOST(report.cycles, 40);
  if (code == DEBYE_STATUS_OK)
    return map;
  free(map);
  return NULL;
}

/* --- Cells --- */

/* Edges of 16, 20 and 12 Å, turned: the first axis is that number of them. */
typedef struct {
  double edge[3];
  float at[3][N_CHARGES], charge[N_CHARGES], radius[N_CHARGES];
} Cell;

static Cell
make_cell(int turn)
{
  static const double edges[3] = {16.0, 20.0, 12.0};
  static const float places[3][N_CHARGES] = {{1.3f, 7.9f, -4.1f}, {2.2f, 18.7f, 30.4f}, {0.4f, 5.5f, 9.6f}};
  Cell cell = {.charge = {1.0f, -1.0f, 1.0f}};
  for (int axis = 0; axis < 3; axis++) {
    cell.edge[axis] = edges[(axis + turn) % 3];
    memcpy(cell.at[axis], places[(axis + turn) % 3], sizeof cell.at[axis]);
  }
  return cell;
}

static DebyePoissonLanesSettings
settings_of_cell(const Cell *cell, double step)
{
  DebyePoissonLanesSettings settings = {.medium = {.grid = {{-step, -step, -step}, {step, step, step}, {0}},
                                                   .periodic = {true, true, true},
                                                   .solute = 4.0,
                                                   .solvent = 4.0,
                                                   .length = LENGTH},
                                        .goal = {.tolerance = 1e-6, .max_cycles = 100},
                                        .boundary = DEBYE_POISSON_ZERO};
  for (int axis = 0; axis < 3; axis++)
    settings.medium.grid.shape[axis] = (size_t)(cell->edge[axis] / step + 0.5) + 2;
  return settings;
}

static double
distance_to_charge(const Cell *cell, DebyeVec3 at, int number)
{
  const double place[3] = {at.x, at.y, at.z};
  double sum = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    const double d = place[axis] - (double)cell->at[axis][number];
    const double image = d - cell->edge[axis] * floor(d / cell->edge[axis] + 0.5);
    sum += image * image;
  }
  return sqrt(sum);
}

/* Rms of the difference from the Ewald sum over its rms, 3 Å and more off the
 * charges, at points 4 Å apart; the mean of both is 0. */
static double
compare_with_ewald(const Cell *cell, const DebyePoissonMedium *medium, const float *map)
{
  const DebyeCharges charges = {cell->at[0], cell->at[1], cell->at[2], cell->charge, N_CHARGES};
  const DebyeCell box = {{cell->edge[0], 0.0, 0.0}, {0.0, cell->edge[1], 0.0}, {0.0, 0.0, cell->edge[2]}};
  DebyeOracleEwald *ewald = debye_oracle_ewald_new(&charges, &box, 0.0, 0.0);
  const DebyeSurfaceGrid *grid = &medium->grid;
  const size_t stride = (size_t)(4.0 / grid->step[0] + 0.5);
  double error = 0.0, whole = 0.0;
  for (size_t z = 1; z + 1 < grid->shape[2]; z += stride)
    for (size_t y = 1; y + 1 < grid->shape[1]; y += stride)
      for (size_t x = 1; x + 1 < grid->shape[0]; x += stride) {
        const DebyeVec3 at =
            debye_vec3(grid->origin.x + grid->step[0] * (double)x, grid->origin.y + grid->step[1] * (double)y,
                       grid->origin.z + grid->step[2] * (double)z);
        bool is_near = false;
        for (int i = 0; i < N_CHARGES; i++)
          is_near = is_near || distance_to_charge(cell, at, i) < 3.0;
        if (is_near)
          continue;
        const double exact = LENGTH / medium->solvent * debye_oracle_ewald_value(ewald, at);
        const double found = (double)map[x + grid->shape[0] * (y + grid->shape[1] * z)];
        error += (found - exact) * (found - exact);
        whole += exact * exact;
      }
  debye_oracle_ewald_free(ewald);
  return sqrt(error / whole);
}

static void
check_copies(const DebyePoissonMedium *medium, const float *map)
{
  const size_t *shape = medium->grid.shape;
  size_t n_wrong = 0;
  for (size_t z = 0; z < shape[2]; z++)
    for (size_t y = 0; y < shape[1]; y++) {
      const float *row = map + shape[0] * (y + shape[1] * z);
      n_wrong += row[0] != row[shape[0] - 2] || row[shape[0] - 1] != row[1];
    }
  CHECK(n_wrong == 0);
}

static float *
solve_cell(const DebyeDeviceEntry *device, const Cell *cell, double step, DebyePoissonLanesSettings *settings)
{
  const DebyeSpheres spheres = {cell->at[0], cell->at[1], cell->at[2], cell->radius, N_CHARGES};
  *settings = settings_of_cell(cell, step);
  float *map = solve(settings, device, &spheres, cell->charge);
  if (map != NULL)
    check_copies(&settings->medium, map);
  return map;
}

/* A cell with a net charge of 1 e and its background. */
static void
test_cell(const DebyeDeviceEntry *device)
{
  const Cell cell = make_cell(0);
  double errors[2] = {0.0, 0.0};
  for (int i = 0; i < 2; i++) {
    DebyePoissonLanesSettings settings;
    float *map = solve_cell(device, &cell, i == 0 ? 1.0 : 0.5, &settings);
    errors[i] = map != NULL ? compare_with_ewald(&cell, &settings.medium, map) : INFINITY;
    free(map);
  }
  CHECK_AT_MOST(errors[0], 0.03);
  CHECK_THAT(errors[0] / errors[1] > 3.3 && errors[0] / errors[1] < 5.0,
             "errors %g and %g: expected the second order", errors[0], errors[1]);
}

/* The same whichever axis of the grid is the long one. */
static void
test_turned_cell(const DebyeDeviceEntry *device)
{
  double squares[3] = {0.0, 0.0, 0.0};
  for (int turn = 0; turn < 3; turn++) {
    const Cell cell = make_cell(turn);
    DebyePoissonLanesSettings settings;
    float *map = solve_cell(device, &cell, 1.0, &settings);
    for (size_t i = 0; map != NULL && i < count_points(&settings.medium); i++)
      squares[turn] += (double)map[i] * (double)map[i];
    free(map);
    CHECK_AT_MOST(fabs(squares[turn] / squares[0] - 1.0), 1e-5);
  }
}

/* --- Membranes --- */

/* Of permittivities that let a part of the voltage fall in the baths, so that nonlinear ions show. */
static const DebyePoissonMembrane membrane = {.is_there = true,
                                              .low = -15.5,
                                              .high = 14.5,
                                              .permittivity = 40.0,
                                              .head = 5.0,
                                              .head_permittivity = 60.0,
                                              .voltage = 12.0};

/* Ions of 2 Å and 0.15 mol/l; grids of 0.5 Å, along z 60 Å beyond the membrane's faces. */
static DebyePoissonLanesSettings
settings_of_membrane(bool repeats)
{
  return (DebyePoissonLanesSettings){
      .medium = {.grid = {{-2.0, -2.0, -80.0}, {0.5, 0.5, 0.5}, {repeats ? 10 : 9, repeats ? 10 : 9, 321}},
                 .periodic = {repeats, repeats, false},
                 .membrane = membrane,
                 .probe = 1.4,
                 .solute = 2.0,
                 .solvent = 78.54,
                 .length = LENGTH,
                 .screening = 8.0 * PI * LENGTH * 6.02214e-4 * 0.15,
                 .ion_radius = 2.0},
      .goal = {.tolerance = 1e-6, .max_cycles = 100},
      .boundary = DEBYE_POISSON_ZERO};
}

/* Of the layers between the places where ions may be: both Stern layers, heads, core. */
static double
resistance_of_layers(double z0, double z1)
{
  const double ends[6] = {-17.5, -15.5, -10.5, 9.5, 14.5, 16.5};
  const double permittivities[5] = {78.54, 60.0, 40.0, 60.0, 78.54};
  double sum = 0.0;
  for (int i = 0; i < 5; i++)
    sum += fmax(0.0, fmin(z1, ends[i + 1]) - fmax(z0, ends[i])) / permittivities[i];
  return sum;
}

/* What the potential falls by in each bath: D = εκφ, or with Gouy and Chapman D = 2εκ
 * sinh(φ/2); the layers' fall is D times their resistance. */
static double
fall_in_bath(bool is_linear, double bath)
{
  double low = 0.0, high = 0.5 * membrane.voltage;
  for (int i = 0; i < 100; i++) {
    const double fall = 0.5 * (low + high), displacement = bath * (is_linear ? fall : 2.0 * sinh(0.5 * fall));
    if (2.0 * fall + displacement * resistance_of_layers(-20.0, 20.0) < membrane.voltage)
      low = fall;
    else
      high = fall;
  }
  return low;
}

static double
exact_at(double z, bool is_linear, const DebyePoissonMedium *medium)
{
  const double kappa = sqrt(medium->screening / medium->solvent), bath = medium->solvent * kappa;
  const double fall = fall_in_bath(is_linear, bath), beyond = z > 0.0 ? z - 16.5 : -17.5 - z;
  const double displacement = bath * (is_linear ? fall : 2.0 * sinh(0.5 * fall));
  if (beyond <= 0.0)
    return fall + displacement * resistance_of_layers(z, 20.0);
  const double left =
      is_linear ? fall * exp(-kappa * beyond) : 4.0 * atanh(tanh(0.25 * fall) * exp(-kappa * beyond));
  return z > 0.0 ? left : membrane.voltage - left;
}

static void
test_voltage(const DebyeDeviceEntry *device, bool repeats, const DebyePoissonSalt *salt)
{
  DebyePoissonLanesSettings settings = settings_of_membrane(repeats);
  const float nowhere[1] = {0.0f}, below[1] = {-75.0f};
  const DebyeSpheres spheres = {nowhere, nowhere, below, nowhere, 1};
  const DebyeSurfaceGrid *grid = &settings.medium.grid;
  double worst = 0.0;
  settings.goal.salt = salt;
  float *map = solve(&settings, device, &spheres, nowhere);
  for (size_t z = 0; map != NULL && z < grid->shape[2]; z++) {
    const double exact = exact_at(grid->origin.z + grid->step[2] * (double)z, salt == NULL, &settings.medium);
    for (size_t i = 0; i < grid->shape[0] * grid->shape[1]; i++)
      worst = fmax(worst, fabs((double)map[i + grid->shape[0] * grid->shape[1] * z] - exact));
  }
  free(map);
  CHECK_AT_MOST(worst, 2e-4 * membrane.voltage);
}

static void
test_device(const DebyeDeviceEntry *device, const char *how, void *data)
{
  static const DebyePoissonSalt salt = {2, {1.0, -1.0}, {0.5, 0.5}};
  (void)how;
  (void)data;
  test_cell(device);
  test_turned_cell(device);
  test_voltage(device, false, NULL);
  test_voltage(device, true, NULL);
  /* The sides of an open grid are the linear equation's. */
  test_voltage(device, true, &salt);
}

int
main(int argc, char **argv)
{
  return debye_test_main(argc, argv, test_device);
}
