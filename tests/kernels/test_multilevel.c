/* SPDX-License-Identifier: MIT */
/* Multilevel summation: one body for every device that there is and each instruction set of the processor.
 * Analytic answers first, then sums by brute force, then what must not change the map.
 *
 * Tolerances are those that the plan was asked for, against the root mean square of the map: meeting them is
 * what is promised. */
#include "kernels/potential/multilevel.h"
#include "kernels/potential/multilevel_levels.h"
#include "bodies/map_test_accuracy.h"
#include "bodies/map_test_invariance.h"
#include "bodies/map_test_refusals.h"
#include "tests/support/kept_stencils.h"

#define SAMPLES 200

static const DebyeCell no_cell;

static DebyePotentialSettings
settings_for(const DebyeGrid *grid, unsigned periodic, const DebyeCell *cell, double tolerance)
{
  return (DebyePotentialSettings){.method = DEBYE_POTENTIAL_MULTILEVEL,
                                  .grid = *grid,
                                  .core_radius = DEBYE_MAP_CORE,
                                  .periodic = periodic,
                                  .cell = *cell,
                                  .tolerance = tolerance};
}

static const double tolerances[] = {1e-2, 1e-3, 1e-4, 2e-5};

static void
check_tolerances(const DebyeMapPath *path, const char *name, const DebyeGrid *grid, unsigned periodic,
                 const DebyeCell *cell, const DebyeCharges *charges)
{
  for (size_t i = 0; i < DEBYE_LENGTH(tolerances); i++) {
    const DebyePotentialSettings settings = settings_for(grid, periodic, cell, tolerances[i]);
    debye_map_check_tolerance(path, name, &settings, charges, SAMPLES);
  }
}

/* Analytic. */

/* One charge, open: q/d everywhere. */
static void
test_one_atom(const DebyeMapPath *path)
{
  float x = 0.3f, y = -0.7f, z = 1.9f, q = -2.0f;
  const DebyeCharges charges = {&x, &y, &z, &q, 1};
  const DebyeGrid grid = {
      {-20.1, -9.3, -7.7}, {{0.9, 0.2, 0.1}, {-0.3, 1.1, 0.2}, {0.1, 0.3, 1.0}}, {40, 18, 15}};
  check_tolerances(path, "one atom", &grid, DEBYE_PERIODIC_NONE, &no_cell, &charges);
}

static void
test_no_atoms(const DebyeMapPath *path)
{
  const DebyeCell cell = debye_cubic_cell(12.0);
  const DebyeGrid grid = debye_cell_grid(&cell, 7, 0.3);
  for (unsigned periodic = 0; periodic <= DEBYE_PERIODIC_ALL; periodic++) {
    const DebyePotentialSettings settings = settings_for(&grid, periodic, &cell, 0.0);
    DebyeTestMap map = debye_map_compute(path, &settings, &(DebyeCharges){0});
    for (size_t i = 0; i < map.n; i++)
      CHECK(debye_test_map_value(&map, i) == 0.0);
    debye_test_map_clear(&map);
  }
}

/* At a site where every wave of the lattice has its crest the error is a few times the map's. */
static void
test_madelung(const DebyeMapPath *path)
{
  for (size_t i = 0; i < DEBYE_LENGTH(tolerances); i++) {
    const DebyePotentialSettings settings = {.method = DEBYE_POTENTIAL_MULTILEVEL,
                                             .tolerance = tolerances[i]};
    CHECK_AT_MOST(debye_map_madelung_error(path, &debye_rock_salt, &settings), 4.0 * tolerances[i]);
    CHECK_AT_MOST(debye_map_madelung_error(path, &debye_caesium_chloride, &settings), 4.0 * tolerances[i]);
  }
}

/* Within the core the value is 1/core and what the others give, to the tolerance of the map. */
static void
test_on_atoms(const DebyeMapPath *path)
{
  static const double cores[] = {1e-3, 0.1, 0.5, 1.5};
  float x[2] = {0.5f, 2.5f}, y[2] = {0.0f, 2.0f}, z[2] = {1.0f, 3.0f}, charge[2] = {-1.0f, 1.0f};
  const DebyeCharges charges = {x, y, z, charge, 2};
  const DebyeGrid grid = debye_plain_grid(debye_vec3(2.5, 2.0, 3.0), 1.0, 1, 1, 1);
  for (size_t i = 0; i < DEBYE_LENGTH(cores); i++) {
    DebyePotentialSettings settings = settings_for(&grid, DEBYE_PERIODIC_NONE, &no_cell, 1e-3);
    settings.core_radius = cores[i];
    DebyeTestMap map = debye_map_compute(path, &settings, &charges);
    const double expected = 1.0 / cores[i] - 1.0 / (2.0 * sqrt(3.0));
    CHECK_AT_MOST(fabs(debye_test_map_value(&map, 0) / expected - 1.0), settings.tolerance);
    debye_test_map_clear(&map);
  }
}

/* Against sums by brute force. */

static const DebyeCell cells[] = {
    {{26.0, 0.0, 0.0}, {0.0, 26.0, 0.0}, {0.0, 0.0, 26.0}},
    {{14.0, 0.0, 0.0}, {0.0, 33.0, 0.0}, {0.0, 0.0, 19.0}},
    /* As programs write them; turned; strongly skew; left-handed; smaller than the cutoff. */
    {{28.0, 0.0, 0.0}, {8.0, 23.0, 0.0}, {-7.0, 10.0, 21.0}},
    {{15.0, 13.0, 3.0}, {-12.0, 17.0, 5.0}, {2.0, -8.0, 23.0}},
    {{24.0, 0.0, 0.0}, {22.0, 19.0, 0.0}, {-20.0, 17.0, 17.0}},
    {{0.0, 21.0, 0.0}, {20.0, 2.0, 3.0}, {0.0, 5.0, 23.0}},
    {{3.0, 0.0, 0.0}, {1.0, 2.5, 0.0}, {0.0, 0.5, 4.0}},
};

/* As dense as cells[0] with eight molecules on an edge, and two fifths of it: the sums by brute force take long. */
static const DebyeCell water_cell = {{19.5, 0.0, 0.0}, {0.0, 19.5, 0.0}, {0.0, 0.0, 19.5}};
#define WATERS 6

static void
test_protein(const DebyeMapPath *path)
{
  DebyeRandomSystem system = debye_protein_like(700, 5);
  const DebyeGrid around = {
      {-20.0, -19.0, -18.0}, {{0.0, 0.71, 0.0}, {0.0, 0.0, 0.71}, {0.71, 0.0, 0.0}}, {52, 50, 55}};
  const DebyeGrid turned = {
      {-14.0, -15.0, -16.0}, {{0.7, 0.3, 0.1}, {-0.2, 0.8, 0.1}, {0.3, -0.1, 0.9}}, {25, 29, 31}};
  check_tolerances(path, "protein", &around, DEBYE_PERIODIC_NONE, &no_cell, &system.charges);
  check_tolerances(path, "protein, skew map", &turned, DEBYE_PERIODIC_NONE, &no_cell, &system.charges);
  debye_random_system_clear(&system);
}

static void
test_water(const DebyeMapPath *path)
{
  DebyeRandomSystem system = debye_water_in_cell(&water_cell, WATERS, 6);
  const DebyeGrid grid = debye_cell_grid(&water_cell, 30, 0.37);
  check_tolerances(path, "water, open", &grid, DEBYE_PERIODIC_NONE, &no_cell, &system.charges);
  check_tolerances(path, "water, a wire", &grid, DEBYE_PERIODIC_B, &water_cell, &system.charges);
  check_tolerances(path, "water, a layer", &grid, DEBYE_PERIODIC_A | DEBYE_PERIODIC_B, &water_cell,
                   &system.charges);
  check_tolerances(path, "water", &grid, DEBYE_PERIODIC_ALL, &water_cell, &system.charges);
  debye_random_system_clear(&system);
}

/* Each tolerance in float or in double, by turns of the cells: both together would solve for twice as many stencils, which takes
 * most of the time. Other bodies have all in both. */
static void
check_by_turns(const DebyeMapPath *path, const char *name, const DebyeGrid *grid, unsigned periodic,
               size_t turn, const DebyeCharges *charges)
{
  for (size_t i = 0; i < DEBYE_LENGTH(tolerances); i++) {
    const DebyePotentialSettings settings = settings_for(grid, periodic, &cells[turn], tolerances[i]);
    if ((turn + i) % 2 == (path->exact ? 1 : 0))
      debye_map_check_tolerance(path, name, &settings, charges, SAMPLES);
  }
}

/* Random charges have a net charge. */
static void
test_cells(const DebyeMapPath *path)
{
  static const char *const names[] = {"cube", "box", "skew", "turned", "very skew", "left-handed", "tiny"};
  static const unsigned some[] = {DEBYE_PERIODIC_C, DEBYE_PERIODIC_A, DEBYE_PERIODIC_B | DEBYE_PERIODIC_C,
                                  DEBYE_PERIODIC_A | DEBYE_PERIODIC_B, DEBYE_PERIODIC_A | DEBYE_PERIODIC_C};
  static const char *const some_names[] = {"wire c", "wire a", "layer bc", "layer ab", "layer ac"};
  for (size_t i = 0; i < DEBYE_LENGTH(cells); i++) {
    DebyeRandomSystem system =
        debye_random_in_cell(&cells[i], i == DEBYE_LENGTH(cells) - 1 ? 5 : 60, 31 + (unsigned)i);
    const DebyeGrid grid = debye_cell_grid(&cells[i], 20, 0.37);
    check_by_turns(path, names[i], &grid, DEBYE_PERIODIC_ALL, i, &system.charges);
    if (i >= 2 && i < 2 + DEBYE_LENGTH(some))
      check_by_turns(path, some_names[i - 2], &grid, some[i - 2], i, &system.charges);
    debye_random_system_clear(&system);
  }
}

/* Stated orders and cutoffs, of the water above, whose exact values are there. */
static void
test_parameters(const DebyeMapPath *path)
{
  static const struct {
    unsigned order;
    double cutoff, tolerance;
  } ways[] = {{4, 0.0, 1e-2},  {6, 0.0, 1e-3}, {8, 0.0, 1e-4}, {0, 6.0, 1e-3},
              {0, 13.0, 1e-3}, {8, 9.0, 1e-4}, {4, 8.0, 3e-3}};
  DebyeRandomSystem system = debye_water_in_cell(&water_cell, WATERS, 6);
  const DebyeGrid grid = debye_cell_grid(&water_cell, 30, 0.37);
  for (size_t i = 0; i < DEBYE_LENGTH(ways); i++) {
    DebyePotentialSettings settings = settings_for(&grid, DEBYE_PERIODIC_ALL, &water_cell, ways[i].tolerance);
    settings.order = ways[i].order;
    settings.cutoff = ways[i].cutoff;
    const DebyePotentialSettings complete = debye_map_settings(path, &settings, system.charges.n);
    DebyeMultilevel multilevel;
    CHECK(debye_multilevel_choose(&complete, &multilevel, NULL) == DEBYE_STATUS_OK);
    CHECK(ways[i].order == 0 || multilevel.order == ways[i].order);
    CHECK(ways[i].cutoff == 0.0 || multilevel.cutoff == ways[i].cutoff);
    debye_map_check_tolerance(path, "water", &settings, &system.charges, SAMPLES);
  }
  debye_random_system_clear(&system);
}

/* Water nearly on the points of a lattice, in cells as small as it takes for a level's lattice to have a point more, or a few,
 * along an edge than there are molecules: it is then taken for a long wave. */
static void
test_small_cells(const DebyeMapPath *path)
{
  static const struct {
    unsigned order;
    double cutoff, tolerance;
  } ways[] = {{4, 8.0, 3e-3}, {0, 8.0, 1e-3}, {0, 0.0, 1e-4}};
  for (size_t n = 3; n <= 7; n++) {
    const DebyeCell cell = debye_cubic_cell(3.25 * (double)n);
    DebyeRandomSystem system = debye_water_in_cell(&cell, n, 8);
    const DebyeGrid grid = debye_cell_grid(&cell, 5 * n, 0.37);
    for (size_t i = 0; i < DEBYE_LENGTH(ways); i++) {
      DebyePotentialSettings settings = settings_for(&grid, DEBYE_PERIODIC_ALL, &cell, ways[i].tolerance);
      settings.order = ways[i].order;
      settings.cutoff = ways[i].cutoff;
      if ((n + i) % 2 == (path->exact ? 1 : 0))
        debye_map_check_tolerance(path, "water in a small cell", &settings, &system.charges, SAMPLES);
    }
    debye_random_system_clear(&system);
  }
}

/* What must not change the map. */

static void
test_translation(const DebyeMapPath *path)
{
  debye_map_check_translation(path, DEBYE_POTENTIAL_MULTILEVEL, 1e-4);
}

static void
test_periodicity(const DebyeMapPath *path)
{
  const DebyePotentialSettings settings = settings_for(&(DebyeGrid){0}, DEBYE_PERIODIC_ALL, &cells[3], 1e-4);
  debye_map_check_periodicity(path, &settings, &cells[3]);
}

static void
test_slabs(const DebyeMapPath *path)
{
  const DebyeGrid grid = debye_cell_grid(&cells[2], 18, 0.1);
  DebyeRandomSystem system = debye_random_in_cell(&cells[2], 90, 97);
  for (unsigned periodic = 0; periodic <= DEBYE_PERIODIC_ALL; periodic += DEBYE_PERIODIC_ALL) {
    const DebyePotentialSettings settings = settings_for(&grid, periodic, &cells[2], 1e-3);
    debye_map_check_slabs(path, &settings, &system.charges);
  }
  debye_random_system_clear(&system);
}

static void
test_repeats(const DebyeMapPath *path)
{
  const DebyeCell cell = debye_cubic_cell(40.0);
  const DebyeGrid grid = debye_cell_grid(&cell, 24, 0.1);
  const DebyePotentialSettings settings = settings_for(&grid, DEBYE_PERIODIC_A, &cell, 1e-4);
  DebyeRandomSystem system = debye_random_in_cell(&cell, 3000, 99);
  debye_stencils_are_kept = false;
  debye_map_check_repeats(path, &settings, &system.charges);
  debye_stencils_are_kept = true;
  debye_random_system_clear(&system);
}

static void
test_frames(const DebyeMapPath *path)
{
  const DebyeGrid grid = debye_cell_grid(&cells[2], 14, 0.3);
  for (unsigned periodic = 0; periodic <= DEBYE_PERIODIC_ALL; periodic += DEBYE_PERIODIC_ALL) {
    const DebyePotentialSettings settings = settings_for(&grid, periodic, &cells[2], 1e-3);
    debye_map_check_frames(path, &settings, SAMPLES);
  }
}

/* Lattice points and products with stencils grow as the volume does, not faster. Counted on the lattices. */
static void
test_linear(const DebyeMapPath *path)
{
  double before = 0.0;
  for (double edge = 50.0; edge < 900.0; edge *= 2.0) {
    const DebyeCell cell = debye_cubic_cell(edge);
    const DebyeGrid grid = debye_cell_grid(&cell, (size_t)edge, 0.0);
    const DebyePotentialSettings wanted = settings_for(&grid, DEBYE_PERIODIC_NONE, &cell, 1e-3);
    const DebyePotentialSettings settings =
        debye_map_settings(path, &wanted, (size_t)(0.1 * edge * edge * edge));
    DebyeMultilevel multilevel;
    DebyeMultilevelFrame frame;
    CHECK(debye_multilevel_choose(&settings, &multilevel, NULL) == DEBYE_STATUS_OK);
    CHECK(debye_multilevel_frame_set(&multilevel, &settings, NULL, &(DebyeCharges){0}, NULL, &frame, NULL) ==
          DEBYE_STATUS_OK);
    const double reach = 2.0 * multilevel.cutoff / multilevel.spacing - 1.0;
    double products = 0.0;
    for (unsigned i = 0; i + 1 < frame.n_levels; i++)
      products += 4.2 * reach * reach * reach * (double)debye_multilevel_points(&frame.lattice[i]);
    const double top = (double)debye_multilevel_points(&frame.lattice[frame.n_levels - 1]);
    products += top * top;
    const double each = products / debye_cell_volume(&cell);
    CHECK(each > 0.0);
    /* What lattices reach beyond the map is less of a larger one. */
    if (before > 0.0)
      CHECK_THAT(each <= before, "%g products per cubic Angstrom at %g, %g at half of it", each, edge,
                 before);
    before = each;
  }
}

/* Without periods the lattice ends with the charges' splines, however the map's axes lie to x, y and z: none
 * reaches beyond, and the outermost have less than a step to spare. */
static void
check_reach(const DebyeMapPath *path, const DebyeGrid *grid, const DebyeCharges *charges)
{
  const DebyePotentialSettings wanted = settings_for(grid, DEBYE_PERIODIC_NONE, &no_cell, 1e-3);
  const DebyePotentialSettings settings = debye_map_settings(path, &wanted, charges->n);
  DebyeMultilevel multilevel;
  DebyeMultilevelFrame frame;
  CHECK(debye_multilevel_choose(&settings, &multilevel, NULL) == DEBYE_STATUS_OK);
  CHECK(debye_multilevel_frame_set(&multilevel, &settings, NULL, charges, NULL, &frame, NULL) ==
        DEBYE_STATUS_OK);
  const double half = frame.order / 2;
  for (int axis = 0; axis < 3; axis++) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < charges->n; i++) {
      const DebyeVec3 r = {(double)charges->x[i], (double)charges->y[i], (double)charges->z[i]};
      const double place = debye_vec3_dot(frame.inverse[axis], r) - frame.start[axis];
      low = fmin(low, place);
      high = fmax(high, place);
    }
    CHECK(low >= half - 1.0 && low < half + 1e-5);
    CHECK(high < frame.lattice[0].n[axis] - half && high > frame.lattice[0].n[axis] - half - 1.0 - 1e-5);
  }
}

static void
test_reach(const DebyeMapPath *path)
{
  const DebyeVec3 corner = {-41.0, -13.0, 5.0}, box = {63.0, 77.0, 91.0};
  DebyeRandomSystem system = debye_random_system_new(1003, corner, box, 11);
  const DebyeVec3 origin = {-5.0, 20.0, 40.0};
  const DebyeGrid grids[] = {
      {origin, {{0.7, 0.0, 0.0}, {0.0, 0.8, 0.0}, {0.0, 0.0, 0.9}}, {5, 6, 7}},
      {origin, {{0.0, 0.7, 0.0}, {0.0, 0.0, 0.8}, {0.9, 0.0, 0.0}}, {5, 6, 7}},
      {origin, {{-0.7, 0.0, 0.0}, {0.0, 0.8, 0.0}, {0.0, 0.0, -0.9}}, {5, 6, 7}},
      {origin, {{0.7, 0.3, 0.1}, {-0.2, 0.8, 0.1}, {0.3, -0.1, 0.9}}, {5, 6, 7}},
  };
  for (size_t i = 0; i < DEBYE_LENGTH(grids); i++)
    check_reach(path, &grids[i], &system.charges);
  debye_random_system_clear(&system);
}

/* Refusals. */

static void
test_wrong_settings(const DebyeMapPath *path)
{
  DebyePotentialSettings good =
      debye_small_map_settings(path, DEBYE_POTENTIAL_MULTILEVEL, DEBYE_PERIODIC_ALL);
  good.tolerance = 1e-4;
  DebyePotentialSettings wrong = good;
  wrong.cell = (DebyeCell){0};
  debye_map_check_refused(path, &wrong);
  wrong = good;
  wrong.cell.c = wrong.cell.b;
  debye_map_check_refused(path, &wrong);
  wrong = good;
  wrong.periodic = 8;
  debye_map_check_refused(path, &wrong);
  wrong = good;
  wrong.tolerance = 1e-7;
  debye_map_check_refused(path, &wrong);
  wrong = good;
  wrong.tolerance = (double)NAN;
  debye_map_check_refused(path, &wrong);
  wrong = good;
  wrong.order = 5;
  debye_map_check_refused(path, &wrong);
  wrong = good;
  wrong.cutoff = -3.0;
  debye_map_check_refused(path, &wrong);
  /* These would miss the tolerance. */
  wrong = good;
  wrong.order = 4;
  wrong.cutoff = 8.0;
  debye_map_check_refused(path, &wrong);
  wrong.tolerance = 1e-3; /* for charges without order it would do */
  debye_map_check_refused(path, &wrong);
  wrong = good;
  wrong.grid.shape[1] = 0;
  debye_map_check_refused(path, &wrong);
}

static void
test_wrong_arguments(const DebyeMapPath *path)
{
  for (unsigned periodic = 0; periodic <= DEBYE_PERIODIC_ALL; periodic += DEBYE_PERIODIC_ALL) {
    const DebyePotentialSettings settings =
        debye_small_map_settings(path, DEBYE_POTENTIAL_MULTILEVEL, periodic);
    debye_map_check_arguments(path, &settings);
  }
}

/* An open system with an atom at the far end of nowhere: said, not crashed. */
static void
test_far_atoms(const DebyeMapPath *path)
{
  const DebyeGrid grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.5, 8, 8, 8);
  const DebyePotentialSettings wanted = settings_for(&grid, DEBYE_PERIODIC_NONE, &no_cell, 1e-3),
                               settings = debye_map_settings(path, &wanted, 2);
  float x[2] = {0.0f, 3e8f}, y[2] = {0.0f, -2e8f}, z[2] = {0.0f, 5e8f}, charge[2] = {1.0f, 1.0f};
  DebyeKernelPlan *plan = debye_map_plan_new(path, &settings);
  DebyeStatus status = {0};
  if (plan == NULL)
    return;
  CHECK(path->kernel->set_charges(plan, &(DebyeCharges){x, y, z, charge, 2}, NULL, &status) ==
        DEBYE_STATUS_NO_MEMORY);
  CHECK(status.text[0] != '\0');
  DebyeTestMap map = debye_map_execute(path, plan, &settings, &(DebyeCharges){x, y, z, charge, 1}, NULL);
  CHECK_AT_MOST(fabs(debye_test_map_value(&map, 7) * 3.5 - 1.0), 1e-3);
  debye_test_map_clear(&map);
  path->kernel->head.destroy(plan);
}

static void
test_lanes(void)
{
  const DebyeGrid grid = debye_cell_grid(&cells[2], 18, 0.3);
  const DebyePotentialSettings settings =
      settings_for(&grid, DEBYE_PERIODIC_A | DEBYE_PERIODIC_B, &cells[2], 1e-3);
  debye_map_check_lanes(&settings);
}

static const DebyeMapBody bodies[] = {
    {"one atom", test_one_atom},
    {"no atoms", test_no_atoms},
    {"Madelung constants", test_madelung},
    {"on atoms", test_on_atoms},
    {"protein", test_protein},
    {"water", test_water},
    {"cells", test_cells},
    {"parameters", test_parameters},
    {"small cells", test_small_cells},
    {"translation", test_translation},
    {"periodicity", test_periodicity},
    {"slabs", test_slabs},
    {"repeats", test_repeats},
    {"frames", test_frames},
    {"linear", test_linear},
    {"reach", test_reach},
    {"wrong settings", test_wrong_settings},
    {"wrong arguments", test_wrong_arguments},
    {"far atoms", test_far_atoms},
};

/* The arguments: only devices whose id begins so ("cuda"), only bodies whose name has it. */
int
main(int argc, char **argv)
{
  if (argc == 1)
    test_lanes();
  return debye_map_test_main(argc, argv, DEBYE_POTENTIAL_MULTILEVEL, false, bodies, DEBYE_LENGTH(bodies));
}
