/* SPDX-License-Identifier: MIT */
/* Multilevel summation: one body for every device that there is and each instruction set of the processor.
 * Analytic answers first, then sums by brute force, then what must not change the map.
 *
 * Tolerances are those that the plan was asked for, against the root mean square of the map: meeting them is
 * what is promised. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/cpu/direct_block.h"
#include "kernels/cpu/potential_direct.h"
#include "kernels/multilevel_levels.h"
#include "kernels/potential_map.h"
#include "kernels/registry.h"
#include "tests/support/check.h"
#include "tests/support/fake_backend.h"
#include "tests/support/oracle_ewald.h"
#include "tests/support/oracle_partly_periodic.h"
#include "tests/support/oracle_potential.h"

#define CORE 1e-3
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* What a body runs on. */
typedef struct {
  const DebyePotentialKernel *kernel;
  int device;
  bool exact; /* in double */
} Path;

typedef struct {
  size_t n;
  float *floats;
  double *doubles;
} Map;

static Map
map_new(const Path *path, size_t n)
{
  Map map = {.n = n, .floats = calloc(n, sizeof(float)), .doubles = calloc(n, sizeof(double))};
  for (size_t i = 0; i < n; i++) {
    map.floats[i] = path->exact ? 0.0f : NAN;
    map.doubles[i] = path->exact ? (double)NAN : 0.0;
  }
  return map;
}

static void
map_clear(Map *map)
{
  free(map->floats);
  free(map->doubles);
}

static double
value(const Path *path, const Map *map, size_t i)
{
  return path->exact ? map->doubles[i] : (double)map->floats[i];
}

static DebyePotentialSettings
settings_for(const Path *path, const DebyeGrid *grid, unsigned periodic, const DebyeCell *cell,
             size_t n_charges, double tolerance)
{
  return (DebyePotentialSettings){.method = DEBYE_POTENTIAL_MULTILEVEL,
                                  .grid = *grid,
                                  .core_radius = CORE,
                                  .double_precision = path->exact,
                                  .max_charges = n_charges,
                                  .max_planes = grid->shape[2],
                                  .periodic = periodic,
                                  .cell = *cell,
                                  .tolerance = tolerance};
}

static DebyePotentialPlan *
plan_new(const Path *path, const DebyePotentialSettings *settings)
{
  DebyePotentialPlan *plan = NULL;
  DebyeStatus status = {0};
  CHECK(path->kernel->bytes_needed(path->device, settings) < SIZE_MAX);
  path->kernel->create(path->device, settings, &plan, &status);
  CHECK_THAT(plan != NULL && status.code == DEBYE_STATUS_OK, "%s", status.text);
  return plan;
}

/* A frame with a plan: the whole map, in slabs of `max_planes`. */
static Map
execute(const Path *path, DebyePotentialPlan *plan, const DebyePotentialSettings *settings,
        const DebyeCharges *charges, const DebyeCell *cell)
{
  const DebyeGrid *grid = &settings->grid;
  const size_t plane = grid->shape[0] * grid->shape[1];
  DebyeStatus status = {0};
  Map map = map_new(path, plane * grid->shape[2]);
  if (plan == NULL)
    return map;
  path->kernel->set_charges(plan, charges, cell, &status);
  CHECK_THAT(status.code == DEBYE_STATUS_OK, "%s", status.text);
  for (size_t first = 0; first < grid->shape[2]; first += settings->max_planes) {
    size_t left = grid->shape[2] - first;
    DebyeSlab slab = {first, left < settings->max_planes ? left : settings->max_planes};
    path->kernel->execute(plan, slab, path->exact ? NULL : map.floats + first * plane,
                          path->exact ? map.doubles + first * plane : NULL, NULL, NULL, &status);
    CHECK_THAT(status.code == DEBYE_STATUS_OK && status.text[0] == '\0', "%s", status.text);
  }
  size_t n_missing = 0;
  for (size_t i = 0; i < map.n; i++)
    n_missing += !isfinite(value(path, &map, i));
  CHECK_THAT(n_missing == 0, "%zu of %zu values were not written or are not finite", n_missing, map.n);
  return map;
}

static Map
compute(const Path *path, const DebyePotentialSettings *settings, const DebyeCharges *charges)
{
  DebyePotentialPlan *plan = plan_new(path, settings);
  Map map = execute(path, plan, settings, charges, &settings->cell);
  if (plan != NULL)
    path->kernel->destroy(plan);
  return map;
}

static double
difference(const Path *path, const Map *a, const Map *b)
{
  double square_error = 0.0, square = 0.0;
  for (size_t i = 0; i < a->n; i++) {
    double error = value(path, a, i) - value(path, b, i);
    square_error += error * error;
    square += value(path, b, i) * value(path, b, i);
  }
  return sqrt(square_error / square);
}

/* Systems. */

static DebyeVec3
in_cell(const DebyeCell *cell, double a, double b, double c)
{
  return debye_vec3_add(debye_vec3_scale(cell->a, a),
                        debye_vec3_add(debye_vec3_scale(cell->b, b), debye_vec3_scale(cell->c, c)));
}

static DebyeCell
cubic(double edge)
{
  return (DebyeCell){{edge, 0.0, 0.0}, {0.0, edge, 0.0}, {0.0, 0.0, edge}};
}

static DebyeVec3
random_direction(unsigned *state)
{
  for (;;) {
    const DebyeVec3 v = {2.0 * debye_random(state) - 1.0, 2.0 * debye_random(state) - 1.0,
                         2.0 * debye_random(state) - 1.0};
    const double length = debye_vec3_length(v);
    if (length > 0.1 && length < 1.0)
      return debye_vec3_scale(v, 1.0 / length);
  }
}

static void
put_atom(DebyeRandomSystem *system, size_t i, DebyeVec3 r, double charge)
{
  system->x[i] = (float)r.x;
  system->y[i] = (float)r.y;
  system->z[i] = (float)r.z;
  system->charge[i] = (float)charge;
}

/* Water: n³ molecules near the points of a lattice over the cell, turned at random. */
static DebyeRandomSystem
water_in_cell(const DebyeCell *cell, size_t n, unsigned seed)
{
  unsigned state = seed;
  DebyeRandomSystem system =
      debye_random_system_new(3 * n * n * n, debye_vec3(0.0, 0.0, 0.0), debye_vec3(1.0, 1.0, 1.0), seed);
  for (size_t i = 0; i < n * n * n; i++) {
    const double at[3] = {(double)(i % n), (double)(i / n % n), (double)(i / n / n)};
    const DebyeVec3 centre = in_cell(cell, (at[0] + 0.3 * debye_random(&state)) / (double)n,
                                     (at[1] + 0.3 * debye_random(&state)) / (double)n,
                                     (at[2] + 0.3 * debye_random(&state)) / (double)n);
    const DebyeVec3 u = random_direction(&state), w = random_direction(&state);
    DebyeVec3 v = debye_vec3_subtract(w, debye_vec3_scale(u, debye_vec3_dot(u, w)));
    v = debye_vec3_scale(v, 1.0 / debye_vec3_length(v));
    put_atom(&system, 3 * i, centre, -0.834);
    for (int h = 0; h < 2; h++) {
      const DebyeVec3 bond =
          debye_vec3_add(debye_vec3_scale(u, 0.5859), debye_vec3_scale(v, h == 0 ? 0.7570 : -0.7570));
      put_atom(&system, 3 * i + 1 + (size_t)h, debye_vec3_add(centre, bond), 0.417);
    }
  }
  return system;
}

/* Like a protein: a ball of atoms 1.5 Å apart, most with partial charges that add up to nothing over a few
 * neighbours, and some that carry a whole one. */
static DebyeRandomSystem
protein(size_t n, unsigned seed)
{
  unsigned state = seed;
  DebyeRandomSystem system =
      debye_random_system_new(n, debye_vec3(0.0, 0.0, 0.0), debye_vec3(1.0, 1.0, 1.0), seed);
  const double spacing = 2.1, radius = spacing * cbrt((double)n * 3.0 / (4.0 * 3.14159265358979)) + 1.0;
  const int reach = (int)(radius / spacing) + 1;
  size_t i = 0;
  double left = 0.0;
  for (int z = -reach; z <= reach; z++)
    for (int y = -reach; y <= reach; y++)
      for (int x = -reach; x <= reach && i < n; x++) {
        const DebyeVec3 r =
            debye_vec3(spacing * (x + 0.4 * debye_random(&state)), spacing * (y + 0.4 * debye_random(&state)),
                       spacing * (z + 0.4 * debye_random(&state)));
        if (debye_vec3_length(r) > radius)
          continue;
        const double charge = i % 5 == 4 ? left : 1.2 * debye_random(&state) - 0.6;
        left = i % 5 == 4 ? 0.0 : left - charge;
        put_atom(&system, i, r, charge + (i % 83 == 7 ? (i % 2 == 0 ? 1.0 : -1.0) : 0.0));
        i++;
      }
  system.charges.n = i;
  return system;
}

/* Atoms at random, their charges too: with a net charge. */
static DebyeRandomSystem
random_in_cell(const DebyeCell *cell, size_t n, unsigned seed)
{
  unsigned state = seed;
  DebyeRandomSystem system =
      debye_random_system_new(n, debye_vec3(0.0, 0.0, 0.0), debye_vec3(1.0, 1.0, 1.0), seed);
  for (size_t i = 0; i < n; i++)
    put_atom(&system, i, in_cell(cell, debye_random(&state), debye_random(&state), debye_random(&state)),
             (double)system.charge[i]);
  return system;
}

/* A grid of n³ points over the cell, `shift` of a step from its corner. */
static DebyeGrid
cell_grid(const DebyeCell *cell, size_t n, double shift)
{
  DebyeGrid grid = {.step = {debye_vec3_scale(cell->a, 1.0 / (double)n),
                             debye_vec3_scale(cell->b, 1.0 / (double)n),
                             debye_vec3_scale(cell->c, 1.0 / (double)n)},
                    .shape = {n, n, n}};
  grid.origin = debye_grid_point(&grid, shift, shift, shift);
  return grid;
}

/* Brute force, which takes far longer than what is tested and is the same for every device, precision,
 * instruction set and tolerance: kept. */
#define SAMPLES 200

typedef struct {
  const char *name; /* of the system */
  DebyeGrid grid;
  size_t at[SAMPLES];
  double exact[SAMPLES];
} Samples;

static Samples kept[64];
static size_t n_kept;

static double
exact_value(const DebyePotentialSettings *settings, const DebyeCharges *charges, DebyeVec3 point,
            const DebyeOracleEwald *oracle)
{
  const DebyeGrid one = debye_plain_grid(point, 1.0, 1, 1, 1);
  switch (__builtin_popcount(settings->periodic)) {
  case 0:
    return debye_oracle_potential(charges, CORE, &one, 0, 0, 0);
  case 1:
    return debye_oracle_wire(charges, &settings->cell, settings->periodic, CORE, point);
  case 2:
    return debye_oracle_layer(charges, &settings->cell, settings->periodic, CORE, point);
  default:
    return debye_oracle_ewald_value(oracle, point);
  }
}

static const Samples *
get_samples(const char *name, const DebyePotentialSettings *settings, const DebyeCharges *charges)
{
  const DebyeGrid *grid = &settings->grid;
  for (size_t i = 0; i < n_kept; i++)
    if (strcmp(kept[i].name, name) == 0 && memcmp(&kept[i].grid, grid, sizeof *grid) == 0)
      return &kept[i];
  Samples *samples = &kept[n_kept++];
  CHECK(n_kept <= LENGTH(kept));
  samples->name = name;
  samples->grid = *grid;
  DebyeOracleEwald *oracle = settings->periodic == DEBYE_PERIODIC_ALL
                                 ? debye_oracle_ewald_new(charges, &settings->cell, CORE, 0.0)
                                 : NULL;
  unsigned state = 20240229;
  for (size_t i = 0; i < SAMPLES; i++) {
    const size_t at = (size_t)(debye_random(&state) * (double)debye_grid_n_points(grid));
    samples->at[i] = at;
    samples->exact[i] = exact_value(settings, charges,
                                    debye_grid_point(grid, (double)(at % grid->shape[0]),
                                                     (double)(at / grid->shape[0] % grid->shape[1]),
                                                     (double)(at / grid->shape[0] / grid->shape[1])),
                                    oracle);
  }
  if (oracle != NULL)
    debye_oracle_ewald_free(oracle);
  return samples;
}

/* Root mean square of the error at the samples, over that of the map there. */
static double
map_error(const Path *path, const Map *map, const Samples *samples)
{
  double square_error = 0.0, square = 0.0;
  for (size_t i = 0; i < SAMPLES; i++) {
    const double error = value(path, map, samples->at[i]) - samples->exact[i];
    square_error += error * error;
    square += samples->exact[i] * samples->exact[i];
  }
  return sqrt(square_error / square);
}

static void
check_against_oracle(const Path *path, const char *name, const DebyePotentialSettings *settings,
                     const DebyeCharges *charges)
{
  const Samples *samples = get_samples(name, settings, charges);
  Map map = compute(path, settings, charges);
  const double error = map_error(path, &map, samples);
  CHECK_THAT(error <= settings->tolerance, "%s: the error is %.2g, at most %.2g was asked for", name, error,
             settings->tolerance);
  if (getenv("SHOW_ERRORS")) {
    DebyeMultilevel m;
    debye_multilevel_choose(settings, &m, NULL);
    printf("%-22s %s %g: %.2g (order %u, cutoff %g, spacing %.2f, estimate %.2g)\n", name,
           path->exact ? "double" : "float", settings->tolerance, error, m.order, m.cutoff, m.spacing,
           m.error);
  }
  map_clear(&map);
}

static const double tolerances[] = {1e-2, 1e-3, 1e-4, 2e-5};

static void
check_tolerances(const Path *path, const char *name, const DebyeGrid *grid, unsigned periodic,
                 const DebyeCell *cell, const DebyeCharges *charges)
{
  for (size_t i = 0; i < LENGTH(tolerances); i++) {
    const DebyePotentialSettings settings =
        settings_for(path, grid, periodic, cell, charges->n, tolerances[i]);
    check_against_oracle(path, name, &settings, charges);
  }
}

/* Analytic. */

/* One charge, open: q/d everywhere. */
static void
test_one_atom(const Path *path)
{
  float x = 0.3f, y = -0.7f, z = 1.9f, q = -2.0f;
  const DebyeCharges charges = {&x, &y, &z, &q, 1};
  const DebyeGrid grid = {
      {-20.1, -9.3, -7.7}, {{0.9, 0.2, 0.1}, {-0.3, 1.1, 0.2}, {0.1, 0.3, 1.0}}, {40, 18, 15}};
  check_tolerances(path, "one atom", &grid, DEBYE_PERIODIC_NONE, &(DebyeCell){0}, &charges);
}

static void
test_no_atoms(const Path *path)
{
  const DebyeCell cell = cubic(12.0);
  const DebyeGrid grid = cell_grid(&cell, 7, 0.3);
  for (unsigned periodic = 0; periodic <= DEBYE_PERIODIC_ALL; periodic++) {
    const DebyePotentialSettings settings = settings_for(path, &grid, periodic, &cell, 0, 0.0);
    Map map = compute(path, &settings, &(DebyeCharges){0});
    for (size_t i = 0; i < map.n; i++)
      CHECK(value(path, &map, i) == 0.0);
    map_clear(&map);
  }
}

/* The potential of the other ions at an ion, times the nearest distance: −α. The ion is left out of the cell,
 * and with it its images, whose potential with their background is −2.837297…/L (Wigner's lattice). */
#define SIMPLE_CUBIC_SELF -2.8372974794806

static void
check_madelung(const Path *path, DebyeCharges charges, double edge, double nearest, double alpha,
               double tolerance)
{
  const DebyeCell cell = cubic(edge);
  const DebyeGrid grid = debye_plain_grid(
      debye_vec3((double)charges.x[0], (double)charges.y[0], (double)charges.z[0]), 1.0, 1, 1, 1);
  const double own = (double)charges.charge[0];
  const DebyeCharges others = {charges.x + 1, charges.y + 1, charges.z + 1, charges.charge + 1,
                               charges.n - 1};
  const DebyePotentialSettings settings =
      settings_for(path, &grid, DEBYE_PERIODIC_ALL, &cell, others.n, tolerance);
  Map map = compute(path, &settings, &others);
  const double found = value(path, &map, 0) + own * SIMPLE_CUBIC_SELF / edge;
  /* At a site where every wave of the lattice has its crest the error is a few times the map's. */
  CHECK_AT_MOST(fabs(found * nearest / own + alpha), 4.0 * tolerance);
  map_clear(&map);
}

static void
test_madelung(const Path *path)
{
  float x[8], y[8], z[8], charge[8];
  for (int i = 0; i < 8; i++) {
    x[i] = 2.75f * (float)(i & 1) + 0.25f;
    y[i] = 2.75f * (float)(i >> 1 & 1) + 1.125f;
    z[i] = 2.75f * (float)(i >> 2) - 3.0f;
    charge[i] = ((i & 1) + (i >> 1 & 1) + (i >> 2)) % 2 == 0 ? 1.0f : -1.0f;
  }
  const DebyeCharges rock_salt = {x, y, z, charge, 8};
  float cx[2] = {0.5f, 2.5f}, cy[2] = {0.0f, 2.0f}, cz[2] = {1.0f, 3.0f}, cq[2] = {-1.0f, 1.0f};
  const DebyeCharges caesium_chloride = {cx, cy, cz, cq, 2};
  for (size_t i = 0; i < LENGTH(tolerances); i++) {
    check_madelung(path, rock_salt, 5.5, 2.75, 1.747564594633, tolerances[i]);
    check_madelung(path, caesium_chloride, 4.0, 2.0 * sqrt(3.0), 1.762674773071, tolerances[i]);
  }
}

/* Within the core the value is 1/core and what the others give, to the tolerance of the map. */
static void
test_on_atoms(const Path *path)
{
  static const double cores[] = {1e-3, 0.1, 0.5, 1.5};
  float x[2] = {0.5f, 2.5f}, y[2] = {0.0f, 2.0f}, z[2] = {1.0f, 3.0f}, charge[2] = {-1.0f, 1.0f};
  const DebyeCharges charges = {x, y, z, charge, 2};
  const DebyeGrid grid = debye_plain_grid(debye_vec3(2.5, 2.0, 3.0), 1.0, 1, 1, 1);
  for (size_t i = 0; i < LENGTH(cores); i++) {
    DebyePotentialSettings settings =
        settings_for(path, &grid, DEBYE_PERIODIC_NONE, &(DebyeCell){0}, 2, 1e-3);
    settings.core_radius = cores[i];
    Map map = compute(path, &settings, &charges);
    const double expected = 1.0 / cores[i] - 1.0 / (2.0 * sqrt(3.0));
    CHECK_AT_MOST(fabs(value(path, &map, 0) / expected - 1.0), settings.tolerance);
    map_clear(&map);
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

static void
test_protein(const Path *path)
{
  DebyeRandomSystem system = protein(700, 5);
  const DebyeGrid around = {
      {-20.0, -19.0, -18.0}, {{0.0, 0.71, 0.0}, {0.0, 0.0, 0.71}, {0.71, 0.0, 0.0}}, {52, 50, 55}};
  const DebyeGrid turned = {
      {-14.0, -15.0, -16.0}, {{0.7, 0.3, 0.1}, {-0.2, 0.8, 0.1}, {0.3, -0.1, 0.9}}, {25, 29, 31}};
  check_tolerances(path, "protein", &around, DEBYE_PERIODIC_NONE, &(DebyeCell){0}, &system.charges);
  check_tolerances(path, "protein, skew map", &turned, DEBYE_PERIODIC_NONE, &(DebyeCell){0}, &system.charges);
  debye_random_system_clear(&system);
}

static void
test_water(const Path *path)
{
  DebyeRandomSystem system = water_in_cell(&cells[0], 8, 6);
  const DebyeGrid grid = cell_grid(&cells[0], 40, 0.37);
  check_tolerances(path, "water, open", &grid, DEBYE_PERIODIC_NONE, &(DebyeCell){0}, &system.charges);
  check_tolerances(path, "water, a wire", &grid, DEBYE_PERIODIC_B, &cells[0], &system.charges);
  check_tolerances(path, "water, a layer", &grid, DEBYE_PERIODIC_A | DEBYE_PERIODIC_B, &cells[0],
                   &system.charges);
  check_tolerances(path, "water", &grid, DEBYE_PERIODIC_ALL, &cells[0], &system.charges);
  debye_random_system_clear(&system);
}

/* Random charges have a net charge. */
static void
test_cells(const Path *path)
{
  static const char *const names[] = {"cube", "box", "skew", "turned", "very skew", "left-handed", "tiny"};
  static const unsigned some[] = {DEBYE_PERIODIC_C, DEBYE_PERIODIC_A, DEBYE_PERIODIC_B | DEBYE_PERIODIC_C,
                                  DEBYE_PERIODIC_A | DEBYE_PERIODIC_B, DEBYE_PERIODIC_A | DEBYE_PERIODIC_C};
  static const char *const some_names[] = {"wire c", "wire a", "layer bc", "layer ab", "layer ac"};
  for (size_t i = 0; i < LENGTH(cells); i++) {
    DebyeRandomSystem system = random_in_cell(&cells[i], i == LENGTH(cells) - 1 ? 5 : 60, 31 + (unsigned)i);
    const DebyeGrid grid = cell_grid(&cells[i], 20, 0.37);
    check_tolerances(path, names[i], &grid, DEBYE_PERIODIC_ALL, &cells[i], &system.charges);
    if (i >= 2 && i < 2 + LENGTH(some))
      check_tolerances(path, some_names[i - 2], &grid, some[i - 2], &cells[i], &system.charges);
    debye_random_system_clear(&system);
  }
}

/* Stated orders and cutoffs. */
static void
test_parameters(const Path *path)
{
  static const struct {
    unsigned order;
    double cutoff, tolerance;
  } ways[] = {{4, 0.0, 1e-2},  {6, 0.0, 1e-3}, {8, 0.0, 1e-4}, {0, 6.0, 1e-3},
              {0, 13.0, 1e-3}, {8, 9.0, 1e-4}, {4, 8.0, 1e-3}};
  DebyeRandomSystem system = water_in_cell(&cells[0], 8, 6);
  const DebyeGrid grid = cell_grid(&cells[0], 40, 0.37);
  for (size_t i = 0; i < LENGTH(ways); i++) {
    DebyePotentialSettings settings =
        settings_for(path, &grid, DEBYE_PERIODIC_ALL, &cells[0], system.charges.n, ways[i].tolerance);
    settings.order = ways[i].order;
    settings.cutoff = ways[i].cutoff;
    DebyeMultilevel multilevel;
    CHECK(debye_multilevel_choose(&settings, &multilevel, NULL) == DEBYE_STATUS_OK);
    CHECK(ways[i].order == 0 || multilevel.order == ways[i].order);
    CHECK(ways[i].cutoff == 0.0 || multilevel.cutoff == ways[i].cutoff);
    check_against_oracle(path, "water", &settings, &system.charges);
  }
  debye_random_system_clear(&system);
}

/* What must not change the map. */

static double
round_to_grid(float v)
{
  return (double)(roundf(1024.0f * v) / 1024.0f);
}

/* Whole edges and the shift are exact in float, so nothing is lost by moving. */
static void
test_translation(const Path *path)
{
  const DebyeCell cell = {{16.0, 0.0, 0.0}, {4.0, 12.0, 0.0}, {-4.0, 2.0, 14.0}};
  const double tolerance = 1e-4;
  DebyeRandomSystem system = random_in_cell(&cell, 80, 91);
  for (size_t i = 0; i < 80; i++)
    put_atom(&system, i,
             debye_vec3(round_to_grid(system.x[i]), round_to_grid(system.y[i]), round_to_grid(system.z[i])),
             (double)system.charge[i]);
  const DebyeGrid grid = cell_grid(&cell, 16, 0.43);
  DebyePotentialSettings settings = settings_for(path, &grid, DEBYE_PERIODIC_ALL, &cell, 80, tolerance);
  Map first = compute(path, &settings, &system.charges);
  for (size_t i = 0; i < 80; i++) {
    const int image[3] = {(int)(i % 5) - 2, (int)(i % 3) - 1, (int)(i % 7) - 3};
    system.x[i] += (float)(16 * image[0] + 4 * image[1] - 4 * image[2]);
    system.y[i] += (float)(12 * image[1] + 2 * image[2]);
    system.z[i] += (float)(14 * image[2]);
  }
  Map wrapped = compute(path, &settings, &system.charges);
  CHECK_AT_MOST(difference(path, &wrapped, &first), path->exact ? 1e-12 : 2e-6);
  for (size_t i = 0; i < 80; i++) {
    system.x[i] += 5.25f;
    system.y[i] += -7.75f;
    system.z[i] += 33.5f;
  }
  settings.grid.origin = debye_vec3_add(grid.origin, debye_vec3(5.25, -7.75, 33.5));
  Map moved = compute(path, &settings, &system.charges);
  CHECK_AT_MOST(difference(path, &moved, &first), 2.0 * tolerance);
  map_clear(&first);
  map_clear(&wrapped);
  map_clear(&moved);
  debye_random_system_clear(&system);
}

/* A grid over two cells along each axis holds the cell eight times. */
static void
test_periodicity(const Path *path)
{
  const DebyeCell cell = cells[3];
  DebyeRandomSystem system = random_in_cell(&cell, 60, 95);
  DebyeGrid grid = cell_grid(&cell, 12, 0.2);
  grid.shape[0] = grid.shape[1] = grid.shape[2] = 24;
  const DebyePotentialSettings settings = settings_for(path, &grid, DEBYE_PERIODIC_ALL, &cell, 60, 1e-4);
  Map map = compute(path, &settings, &system.charges);
  double square_error = 0.0, square = 0.0;
  for (size_t i = 0; i < map.n; i++) {
    const size_t x = i % 24 % 12, y = i / 24 % 24 % 12, z = i / 576 % 12;
    const double error = value(path, &map, i) - value(path, &map, x + 24 * (y + 24 * z));
    square_error += error * error;
    square += value(path, &map, i) * value(path, &map, i);
  }
  CHECK_AT_MOST(sqrt(square_error / square), path->exact ? 1e-12 : 2e-6);
  map_clear(&map);
  debye_random_system_clear(&system);
}

static void
test_slabs(const Path *path)
{
  const DebyeGrid grid = cell_grid(&cells[2], 18, 0.1);
  DebyeRandomSystem system = random_in_cell(&cells[2], 90, 97);
  for (unsigned periodic = 0; periodic <= DEBYE_PERIODIC_ALL; periodic += DEBYE_PERIODIC_ALL) {
    DebyePotentialSettings settings = settings_for(path, &grid, periodic, &cells[2], 90, 1e-3);
    Map whole = compute(path, &settings, &system.charges);
    for (settings.max_planes = 1; settings.max_planes < 18; settings.max_planes += 4) {
      Map slabs = compute(path, &settings, &system.charges);
      CHECK(memcmp(slabs.floats, whole.floats, whole.n * sizeof(float)) == 0);
      CHECK(memcmp(slabs.doubles, whole.doubles, whole.n * sizeof(double)) == 0);
      map_clear(&slabs);
    }
    map_clear(&whole);
  }
  debye_random_system_clear(&system);
}

/* Sums don't depend on who adds them: the same bits in every run and for any number of threads. */
static void
test_repeats(const Path *path)
{
  const DebyeCell cell = cubic(40.0);
  const DebyeGrid grid = cell_grid(&cell, 24, 0.1);
  DebyeRandomSystem system = random_in_cell(&cell, 3000, 99);
  const DebyePotentialSettings settings = settings_for(path, &grid, DEBYE_PERIODIC_A, &cell, 3000, 1e-4);
  const unsigned threads = debye_cpu_get_threads();
  Map first = compute(path, &settings, &system.charges);
  for (unsigned n = 1; n <= 5; n += 2) {
    debye_cpu_set_threads(n);
    Map again = compute(path, &settings, &system.charges);
    CHECK(memcmp(again.floats, first.floats, first.n * sizeof(float)) == 0);
    CHECK(memcmp(again.doubles, first.doubles, first.n * sizeof(double)) == 0);
    map_clear(&again);
  }
  debye_cpu_set_threads(threads == debye_cpu_get_threads() ? threads : 0);
  map_clear(&first);
  debye_random_system_clear(&system);
}

/* Frames whose cell breathes, grows far beyond the plan, and comes back; atoms of an open system that spread.
 */
static void
test_frames(const Path *path)
{
  static const double scales[] = {1.0, 1.01, 1.6, 0.9, 1.0};
  static const char *const names[2][5] = {{"open 0", "open 1", "open 2", "open 3", "open 4"},
                                          {"frame 0", "frame 1", "frame 2", "frame 3", "frame 4"}};
  const DebyeGrid grid = cell_grid(&cells[2], 14, 0.3);
  for (int closed = 0; closed < 2; closed++) {
    const DebyePotentialSettings plan_settings =
        settings_for(path, &grid, closed ? DEBYE_PERIODIC_ALL : 0, &cells[2], 60, 1e-3);
    DebyePotentialPlan *plan = plan_new(path, &plan_settings);
    for (size_t i = 0; i < LENGTH(scales); i++) {
      DebyePotentialSettings settings = plan_settings;
      settings.cell =
          (DebyeCell){debye_vec3_scale(cells[2].a, scales[i]), debye_vec3_scale(cells[2].b, scales[i]),
                      debye_vec3_scale(cells[2].c, scales[i])};
      DebyeRandomSystem system = random_in_cell(&settings.cell, 60, 101 + (unsigned)i);
      Map map = execute(path, plan, &plan_settings, &system.charges, &settings.cell);
      CHECK_AT_MOST(map_error(path, &map, get_samples(names[closed][i], &settings, &system.charges)), 1e-3);
      map_clear(&map);
      debye_random_system_clear(&system);
    }
    if (plan != NULL)
      path->kernel->destroy(plan);
  }
}

/* Lattice points and products with stencils grow as the volume does, not faster. Counted on the lattices. */
static void
test_linear(const Path *path)
{
  double before = 0.0;
  for (double edge = 50.0; edge < 900.0; edge *= 2.0) {
    const DebyeCell cell = cubic(edge);
    const DebyeGrid grid = cell_grid(&cell, (size_t)edge, 0.0);
    const DebyePotentialSettings settings =
        settings_for(path, &grid, DEBYE_PERIODIC_NONE, &cell, (size_t)(0.1 * edge * edge * edge), 1e-3);
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

/* Refusals. */

static void
check_refused(const Path *path, const DebyePotentialSettings *settings)
{
  DebyePotentialPlan *plan = NULL;
  DebyeStatus status = {0};
  CHECK(path->kernel->create(path->device, settings, &plan, &status) == DEBYE_STATUS_INVALID);
  CHECK(plan == NULL && status.code == DEBYE_STATUS_INVALID && status.text[0] != '\0');
  CHECK(path->kernel->bytes_needed(path->device, settings) == SIZE_MAX);
}

static void
test_wrong_settings(const Path *path)
{
  const DebyeGrid grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.5, 8, 8, 8);
  const DebyeCell cell = cubic(10.0);
  const DebyePotentialSettings good = settings_for(path, &grid, DEBYE_PERIODIC_ALL, &cell, 4, 1e-4);
  DebyePotentialSettings wrong = good;
  wrong.cell = (DebyeCell){0};
  check_refused(path, &wrong);
  wrong = good;
  wrong.cell.c = wrong.cell.b;
  check_refused(path, &wrong);
  wrong = good;
  wrong.periodic = 8;
  check_refused(path, &wrong);
  wrong = good;
  wrong.tolerance = 1e-7;
  check_refused(path, &wrong);
  wrong = good;
  wrong.tolerance = (double)NAN;
  check_refused(path, &wrong);
  wrong = good;
  wrong.order = 5;
  check_refused(path, &wrong);
  wrong = good;
  wrong.cutoff = -3.0;
  check_refused(path, &wrong);
  /* These would miss the tolerance. */
  wrong = good;
  wrong.order = 4;
  wrong.cutoff = 8.0;
  check_refused(path, &wrong);
  wrong = good;
  wrong.grid.shape[1] = 0;
  check_refused(path, &wrong);
}

static void
test_wrong_arguments(const Path *path)
{
  const DebyeGrid grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.5, 8, 8, 8);
  const DebyeCell cell = cubic(10.0), none = {0};
  DebyePotentialSettings settings = settings_for(path, &grid, DEBYE_PERIODIC_ALL, &cell, 4, 1e-4);
  settings.max_planes = 4;
  DebyePotentialPlan *plan = plan_new(path, &settings);
  if (plan == NULL)
    return;
  DebyeStatus status = {0};
  float fine[5] = {0.0f, 1.0f, 2.0f, 3.0f, 4.0f}, nan[2] = {0.0f, NAN}, far[2] = {0.0f, 1e30f};
  const DebyeCharges good = {fine, fine, fine, fine, 4};
  const DebyeCharges wrong[] = {{fine, fine, fine, fine, 5},
                                {fine, nan, fine, fine, 2},
                                {fine, fine, far, fine, 2},
                                {fine, fine, fine, nan, 2}};
  for (size_t i = 0; i < LENGTH(wrong); i++) {
    CHECK(path->kernel->set_charges(plan, &wrong[i], &cell, &status) == DEBYE_STATUS_INVALID);
    CHECK(status.text[0] != '\0');
  }
  CHECK(path->kernel->set_charges(plan, &good, NULL, &status) == DEBYE_STATUS_INVALID);
  CHECK(path->kernel->set_charges(plan, &good, &none, &status) == DEBYE_STATUS_INVALID);
  CHECK(path->kernel->set_charges(plan, &good, &cell, &status) == DEBYE_STATUS_OK);

  float out[8 * 8 * 4];
  double out_double[8 * 8 * 4];
  const DebyeSlab slabs[] = {{0, 5}, {5, 4}, {9, 0}, {SIZE_MAX, 2}};
  for (size_t i = 0; i < LENGTH(slabs); i++)
    CHECK(path->kernel->execute(plan, slabs[i], out, out_double, NULL, NULL, &status) ==
          DEBYE_STATUS_INVALID);
  CHECK(path->kernel->execute(plan, (DebyeSlab){0, 4}, NULL, NULL, NULL, NULL, &status) ==
        DEBYE_STATUS_INVALID);
  CHECK(path->kernel->execute(plan, (DebyeSlab){8, 0}, out, out_double, NULL, NULL, &status) ==
        DEBYE_STATUS_OK);
  bool cancel = true;
  CHECK(path->kernel->execute(plan, (DebyeSlab){0, 4}, out, out_double, NULL, &cancel, &status) ==
        DEBYE_STATUS_CANCELLED);
  cancel = false;
  CHECK(path->kernel->execute(plan, (DebyeSlab){0, 4}, out, out_double, NULL, &cancel, &status) ==
        DEBYE_STATUS_OK);
  path->kernel->destroy(plan);
  path->kernel->destroy(NULL);
}

/* An open system with an atom at the far end of nowhere: said, not crashed. */
static void
test_far_atoms(const Path *path)
{
  const DebyeGrid grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.5, 8, 8, 8);
  const DebyePotentialSettings settings =
      settings_for(path, &grid, DEBYE_PERIODIC_NONE, &(DebyeCell){0}, 2, 1e-3);
  float x[2] = {0.0f, 3e8f}, y[2] = {0.0f, -2e8f}, z[2] = {0.0f, 5e8f}, charge[2] = {1.0f, 1.0f};
  DebyePotentialPlan *plan = plan_new(path, &settings);
  DebyeStatus status = {0};
  if (plan == NULL)
    return;
  CHECK(path->kernel->set_charges(plan, &(DebyeCharges){x, y, z, charge, 2}, NULL, &status) ==
        DEBYE_STATUS_NO_MEMORY);
  CHECK(status.text[0] != '\0');
  Map map = execute(path, plan, &settings, &(DebyeCharges){x, y, z, charge, 1}, NULL);
  CHECK_AT_MOST(fabs(value(path, &map, 7) * 3.5 - 1.0), 1e-3);
  map_clear(&map);
  path->kernel->destroy(plan);
}

/* Lanes. */

/* Every lane fills lattices of its own for each frame, and they all come to the same: a map shared by three
 * devices, one of which fails and spoils its planes, is that of the processor alone. */
static void
test_lanes(void)
{
  const DebyeCell cell = cells[2];
  const DebyeGrid grid = cell_grid(&cell, 18, 0.3);
  const Path alone = {.kernel = debye_backend_cpu.potential[DEBYE_POTENTIAL_MULTILEVEL]};
  DebyeRegistry *registry = debye_registry_new(NULL);
  const DebyeDeviceEntry *devices[3];
  DebyeStatus status = {0};
  debye_check_subject("lanes");
  debye_fake_reset(2);
  debye_fake_device(0)->fail_at = 2;
  debye_registry_add(registry, &debye_fake_backend);
  CHECK(debye_registry_choose(registry, "cpu,fake", devices, 3, &status) == 3);
  DebyePotentialMapSettings settings = {
      .potential = settings_for(&alone, &grid, DEBYE_PERIODIC_A | DEBYE_PERIODIC_B, &cell, 90, 1e-3)};
  DebyePotentialMap *map = NULL;
  CHECK_THAT(debye_potential_map_create(&settings, devices, 3, &map, &status) == DEBYE_STATUS_OK, "%s",
             status.text);
  for (unsigned frame = 0; map != NULL && frame < 3; frame++) {
    DebyeRandomSystem system = random_in_cell(&cell, 90, 111 + frame);
    Map expected = compute(&alone, &settings.potential, &system.charges), found = map_new(&alone, expected.n);
    CHECK_THAT(debye_potential_map_execute(map, &system.charges, &cell, found.floats, NULL, NULL, NULL, NULL,
                                           &status) == DEBYE_STATUS_OK,
               "%s", status.text);
    CHECK(memcmp(found.floats, expected.floats, expected.n * sizeof(float)) == 0);
    map_clear(&expected);
    map_clear(&found);
    debye_random_system_clear(&system);
  }
  debye_potential_map_destroy(map);
  debye_registry_free(registry);
}

/* Each body on each path. */

static const struct {
  const char *name;
  void (*body)(const Path *path);
} bodies[] = {
    {"one atom", test_one_atom},
    {"no atoms", test_no_atoms},
    {"Madelung constants", test_madelung},
    {"on atoms", test_on_atoms},
    {"protein", test_protein},
    {"water", test_water},
    {"cells", test_cells},
    {"parameters", test_parameters},
    {"translation", test_translation},
    {"periodicity", test_periodicity},
    {"slabs", test_slabs},
    {"repeats", test_repeats},
    {"frames", test_frames},
    {"linear", test_linear},
    {"wrong settings", test_wrong_settings},
    {"wrong arguments", test_wrong_arguments},
    {"far atoms", test_far_atoms},
};

static void
test_device(const DebyeDeviceEntry *entry, const char *how, const char *only)
{
  for (int exact = 0; exact < 2; exact++) {
    Path path = {.kernel = entry->backend->potential[DEBYE_POTENTIAL_MULTILEVEL],
                 .device = entry->device,
                 .exact = exact == 1};
    for (size_t i = 0; i < LENGTH(bodies); i++) {
      if (strstr(bodies[i].name, only) == NULL)
        continue;
      debye_check_subject("%s%s in %s: %s", entry->info.id, how, path.exact ? "double" : "float",
                          bodies[i].name);
      bodies[i].body(&path);
    }
  }
}

static void
test_processor(const DebyeDeviceEntry *entry, const char *only)
{
  DebyeCpuLevel best = debye_cpu_get_level();
  for (int level = DEBYE_CPU_PORTABLE; level <= (int)best; level++) {
    char how[40];
    debye_cpu_set_level((DebyeCpuLevel)level);
    snprintf(how, sizeof how, " (%s)", debye_direct_block((DebyeCpuLevel)level)->name);
    test_device(entry, how, only);
  }
  debye_cpu_set_level(best);
}

/* With an argument only on devices whose id begins so ("cuda"), with a second one only bodies whose name has
 * it. */
int
main(int argc, char **argv)
{
  const char *device = argc > 1 ? argv[1] : "", *only = argc > 2 ? argv[2] : "";
  DebyeRegistry *registry = debye_registry_new(getenv("DEBYE_BACKEND_DIR"));
  if (strstr("cpu", device) != NULL && strstr("lanes", only) != NULL)
    test_lanes();
  for (size_t i = 0; i < debye_registry_get_count(registry); i++) {
    const DebyeDeviceEntry *entry = debye_registry_get(registry, i);
    if (strncmp(entry->info.id, device, strlen(device)) != 0)
      continue;
    if (entry->device < 0)
      printf("%s is not tested: %s\n", entry->backend != NULL ? entry->backend->title : entry->info.name,
             entry->reason);
    else if (strcmp(entry->info.id, "cpu") == 0)
      test_processor(entry, only);
    else
      test_device(entry, "", only);
  }
  debye_registry_free(registry);
  return debye_check_finish();
}
