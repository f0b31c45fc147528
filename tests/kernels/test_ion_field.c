/* SPDX-License-Identifier: MIT */
/* Ions put into a map, one body for every device and each instruction set of the processor. Analytic answers
 * first, then the exact sum over all charges anew, then that all devices put the same ions on the same points
 * and end with the same map, to the last bit.
 *
 * Tolerance: the map is held in float, each ion's term good to 2e-7 of itself, and so is each of the few
 * additions: 1e-5 of the map's root mean square is what is promised after all of them. */
#include <stdlib.h>
#include <string.h>

#include "kernels/potential/ion_field.h"
#include "tests/support/check.h"
#include "tests/support/every_device.h"
#include "tests/support/oracle_potential.h"

#define CORE 1e-3
#define MAP_TOLERANCE 1e-5
#define MOST_IONS 40
#define N_SOLUTE 60

/* The solute and the ions so far. */
typedef struct {
  float x[N_SOLUTE + MOST_IONS], y[N_SOLUTE + MOST_IONS], z[N_SOLUTE + MOST_IONS];
  float charge[N_SOLUTE + MOST_IONS];
  size_t n;
} Charges;

static void
append(Charges *charges, DebyeVec3 at, double charge)
{
  charges->x[charges->n] = (float)at.x;
  charges->y[charges->n] = (float)at.y;
  charges->z[charges->n] = (float)at.z;
  charges->charge[charges->n++] = (float)charge;
}

static DebyeVec3
point_of(const DebyeGrid *grid, size_t index)
{
  return debye_grid_point(grid, (double)(index % grid->shape[0]),
                          (double)(index / grid->shape[0] % grid->shape[1]),
                          (double)(index / grid->shape[0] / grid->shape[1]));
}

static DebyeVec3
place_of(const Charges *charges, size_t i)
{
  return debye_vec3((double)charges->x[i], (double)charges->y[i], (double)charges->z[i]);
}

/* The shortest of a difference's images, by trying them. */
static double
distance_between(DebyeVec3 a, DebyeVec3 b, const DebyeCell *cell)
{
  const int reach = cell != NULL ? 3 : 0;
  double least = INFINITY;
  for (int i = -reach; i <= reach; i++)
    for (int j = -reach; j <= reach; j++)
      for (int k = -reach; k <= reach; k++) {
        DebyeVec3 d = debye_vec3_subtract(a, b);
        if (cell != NULL) {
          d = debye_vec3_add(d, debye_vec3_scale(cell->a, i));
          d = debye_vec3_add(d, debye_vec3_scale(cell->b, j));
          d = debye_vec3_add(d, debye_vec3_scale(cell->c, k));
        }
        least = fmin(least, debye_vec3_length(d));
      }
  return least;
}

static double
exact_potential(const Charges *charges, DebyeVec3 at, const DebyeCell *cell)
{
  double sum = 0.0;
  for (size_t i = 0; i < charges->n; i++)
    sum += (double)charges->charge[i] / fmax(CORE, distance_between(at, place_of(charges, i), cell));
  return sum;
}

static float *
exact_map(const Charges *charges, const DebyeGrid *grid, const DebyeCell *cell)
{
  const size_t n = debye_grid_n_points(grid);
  float *map = calloc(n, sizeof *map);
  for (size_t i = 0; i < n; i++)
    map[i] = (float)exact_potential(charges, point_of(grid, i), cell);
  return map;
}

static double
relative_error(const float *found, const float *expected, size_t n)
{
  double error = 0.0, square = 0.0;
  for (size_t i = 0; i < n; i++) {
    error += ((double)found[i] - (double)expected[i]) * ((double)found[i] - (double)expected[i]);
    square += (double)expected[i] * (double)expected[i];
  }
  return sqrt(error / square);
}

static DebyeIonField *
field_new(const DebyeDeviceEntry *device, const DebyeIonFieldSettings *settings, const float *map)
{
  DebyeIonField *field = NULL;
  DebyeStatus status = {0};
  CHECK(device->backend->ion_field->head.bytes_needed(device->device, settings) < UINT64_MAX);
  debye_ion_field_create(device, settings, &field, &status);
  CHECK_THAT(field != NULL, "%s", status.text);
  if (field != NULL)
    CHECK(debye_ion_field_set_map(field, map, &status) == DEBYE_STATUS_OK);
  return field;
}

static void
check_ok(DebyeStatusCode code, const DebyeStatus *status)
{
  CHECK_THAT(code == DEBYE_STATUS_OK, "%s", status->text);
}

/* --- Analytic --- */

/* The cation goes to the open point that is nearest to the negative charge. */
static void
test_one_charge(const DebyeDeviceEntry *device)
{
  Charges solute = {.n = 0};
  append(&solute, debye_vec3(0.31, -0.22, 0.13), -1.0);
  const DebyeIonFieldSettings settings = {
      .grid = debye_plain_grid(debye_vec3(-10.0, -10.0, -10.0), 0.5, 41, 41, 41), .core_radius = CORE};
  float *map = exact_map(&solute, &settings.grid, NULL);
  DebyeIonField *field = field_new(device, &settings, map);
  DebyeStatus status = {0};
  DebyeIonExtreme extreme = {0};
  check_ok(debye_ion_field_forbid(field, solute.x, solute.y, solute.z, 1, 5.0, NULL, &status), &status);
  check_ok(debye_ion_field_find_extreme(field, -1, &extreme, &status), &status);
  double least = INFINITY;
  size_t n_open = 0;
  for (size_t i = 0; i < debye_grid_n_points(&settings.grid); i++) {
    double distance = distance_between(point_of(&settings.grid, i), place_of(&solute, 0), NULL);
    n_open += distance >= 5.0;
    least = distance >= 5.0 ? fmin(least, distance) : least;
  }
  double found = distance_between(point_of(&settings.grid, extreme.index), place_of(&solute, 0), NULL);
  CHECK_AT_MOST(fabs(found - least), 1e-6);
  CHECK_AT_MOST(fabs((double)extreme.value + 1.0 / least), 1e-6);
  CHECK_THAT(extreme.n_open == n_open, "%zu points are open, %zu were expected", extreme.n_open, n_open);
  debye_ion_field_destroy(field);
  free(map);
}

/* Between two charges on an axis: the anion goes beside the positive one, the cation beside the negative one,
 * each on the far side. */
static void
test_two_charges(const DebyeDeviceEntry *device)
{
  Charges solute = {.n = 0};
  append(&solute, debye_vec3(-3.0, 0.0, 0.0), 1.0);
  append(&solute, debye_vec3(3.0, 0.0, 0.0), -1.0);
  const DebyeIonFieldSettings settings = {
      .grid = debye_plain_grid(debye_vec3(-12.0, -12.0, -12.0), 0.5, 49, 49, 49), .core_radius = CORE};
  float *map = exact_map(&solute, &settings.grid, NULL);
  DebyeIonField *field = field_new(device, &settings, map);
  DebyeStatus status = {0};
  DebyeIonExtreme low = {0}, high = {0};
  check_ok(debye_ion_field_forbid(field, solute.x, solute.y, solute.z, 2, 4.0, NULL, &status), &status);
  check_ok(debye_ion_field_find_extreme(field, -1, &low, &status), &status);
  check_ok(debye_ion_field_find_extreme(field, 1, &high, &status), &status);
  DebyeVec3 cation = point_of(&settings.grid, low.index), anion = point_of(&settings.grid, high.index);
  CHECK_AT_MOST(debye_vec3_length(debye_vec3_subtract(cation, debye_vec3(7.0, 0.0, 0.0))), 1e-9);
  CHECK_AT_MOST(debye_vec3_length(debye_vec3_subtract(anion, debye_vec3(-7.0, 0.0, 0.0))), 1e-9);
  debye_ion_field_destroy(field);
  free(map);
}

/* A flat map: every point is an extreme, the first open one is taken. */
static void
test_ties(const DebyeDeviceEntry *device)
{
  const DebyeIonFieldSettings settings = {.grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 1.0, 37, 5, 9),
                                          .core_radius = CORE};
  const size_t n = debye_grid_n_points(&settings.grid);
  float *map = calloc(n, sizeof *map);
  map[0] = NAN; /* not computed: no place for an ion */
  map[1] = INFINITY;
  DebyeIonField *field = field_new(device, &settings, map);
  DebyeStatus status = {0};
  DebyeIonExtreme extreme = {0};
  check_ok(debye_ion_field_find_extreme(field, 1, &extreme, &status), &status);
  CHECK(extreme.index == 2 && extreme.value == 0.0f && extreme.n_open == n - 2);
  const float x = 4.0f, zero = 0.0f;
  check_ok(debye_ion_field_forbid(field, &x, &zero, &zero, 1, 2.5, NULL, &status), &status);
  check_ok(debye_ion_field_find_extreme(field, -1, &extreme, &status), &status);
  CHECK(extreme.index == 7 && extreme.n_open < n - 2);
  check_ok(debye_ion_field_forbid(field, &x, &zero, &zero, 1, 100.0, NULL, &status), &status);
  check_ok(debye_ion_field_find_extreme(field, -1, &extreme, &status), &status);
  CHECK(extreme.n_open == 0);
  debye_ion_field_destroy(field);
  free(map);
}

/* --- Against the exact sum, and among devices --- */

typedef struct {
  const char *name;
  DebyeIonFieldSettings settings;
  double distance;
  int n_ions;
} Case;

static Charges
random_solute(DebyeVec3 corner, double edge)
{
  DebyeRandomSystem system = debye_random_system_new(N_SOLUTE, corner, debye_vec3(edge, edge, edge), 77);
  Charges solute = {.n = 0};
  for (size_t i = 0; i < N_SOLUTE; i++)
    append(&solute, debye_vec3((double)system.x[i], (double)system.y[i], (double)system.z[i]),
           (double)system.charge[i]);
  debye_random_system_clear(&system);
  return solute;
}

/* What the first device found, for the others. */
typedef struct {
  size_t n;
  size_t indices[MOST_IONS];
  float *map;
} Reference;

static void
check_same(Reference *reference, const size_t *indices, size_t n, const float *map, size_t n_points)
{
  if (reference->map == NULL) {
    *reference = (Reference){.n = n, .map = malloc(n_points * sizeof(float))};
    memcpy(reference->indices, indices, n * sizeof *indices);
    memcpy(reference->map, map, n_points * sizeof *map);
    return;
  }
  CHECK(reference->n == n && memcmp(reference->indices, indices, n * sizeof *indices) == 0);
  CHECK(memcmp(reference->map, map, n_points * sizeof *map) == 0);
}

static void
check_distances(const Case *one, const Charges *charges)
{
  const DebyeCell *cell = one->settings.periodic != DEBYE_PERIODIC_NONE ? &one->settings.cell : NULL;
  double least = INFINITY;
  for (size_t i = N_SOLUTE; i < charges->n; i++)
    for (size_t j = 0; j < i; j++)
      least = fmin(least, distance_between(place_of(charges, i), place_of(charges, j), cell));
  /* Positions of ions are floats here. */
  CHECK_AT_MOST(one->distance - least, 1e-5);
}

static void
run_case(const DebyeDeviceEntry *device, const Case *one, Reference *reference)
{
  const DebyeGrid *grid = &one->settings.grid;
  const DebyeCell *cell = one->settings.periodic != DEBYE_PERIODIC_NONE ? &one->settings.cell : NULL;
  const size_t n_points = debye_grid_n_points(grid);
  Charges charges = random_solute(debye_vec3(-6.0, -6.0, -6.0), 12.0);
  float *map = exact_map(&charges, grid, cell);
  DebyeIonField *field = field_new(device, &one->settings, map);
  size_t indices[MOST_IONS];
  DebyeStatus status = {0};
  check_ok(
      debye_ion_field_forbid(field, charges.x, charges.y, charges.z, charges.n, one->distance, NULL, &status),
      &status);
  for (int ion = 0; ion < one->n_ions; ion++) {
    const int sign = ion % 2 == 0 ? -1 : 1;
    DebyeIonExtreme extreme = {0};
    check_ok(debye_ion_field_find_extreme(field, sign, &extreme, &status), &status);
    CHECK(extreme.n_open > 0);
    indices[ion] = extreme.index;
    check_ok(debye_ion_field_place(field, extreme.index, -sign, one->distance, &status), &status);
    append(&charges, point_of(grid, extreme.index), -sign);
    if (ion % 6 != 5 && ion + 1 < one->n_ions)
      continue;
    float *expected = exact_map(&charges, grid, cell);
    check_ok(debye_ion_field_get_map(field, map, &status), &status);
    CHECK_AT_MOST(relative_error(map, expected, n_points), MAP_TOLERANCE);
    free(expected);
  }
  check_distances(one, &charges);
  check_same(reference, indices, (size_t)one->n_ions, map, n_points);
  debye_ion_field_destroy(field);
  free(map);
}

static Case cases[] = {
    {.name = "open", .distance = 4.0, .n_ions = 12},
    {.name = "skew grid", .distance = 3.5, .n_ions = 12},
    {.name = "periodic", .distance = 3.0, .n_ions = 6},
    {.name = "periodic, skew cell", .distance = 3.0, .n_ions = 6},
};
static Reference references[sizeof cases / sizeof cases[0]];

static void
make_cases(void)
{
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    cases[i].settings = (DebyeIonFieldSettings){
        .core_radius = CORE, .grid = debye_plain_grid(debye_vec3(-12.0, -12.0, -12.0), 0.9, 29, 27, 26)};
  cases[1].settings.grid.step[1] = debye_vec3(0.3, 0.8, 0.0);
  cases[1].settings.grid.step[2] = debye_vec3(-0.2, 0.25, -0.9);
  cases[1].settings.grid.origin = debye_vec3(-12.0, -15.0, 11.0);
  cases[2].settings.grid = debye_plain_grid(debye_vec3(-8.5, -8.5, -8.5), 1.0, 17, 17, 17);
  cases[2].settings.periodic = DEBYE_PERIODIC_ALL;
  cases[2].settings.cell = (DebyeCell){{17.0, 0.0, 0.0}, {0.0, 17.0, 0.0}, {0.0, 0.0, 17.0}};
  cases[3].settings = cases[2].settings;
  cases[3].settings.cell = (DebyeCell){{17.0, 0.0, 0.0}, {7.0, 15.0, 0.0}, {-6.0, 5.0, 16.0}};
}

static void
test_cases(const DebyeDeviceEntry *device)
{
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    run_case(device, &cases[i], &references[i]);
}

/* A map of one cell: what an ion adds is the unit map, moved to its point. */
static void
test_unit_map(const DebyeDeviceEntry *device)
{
  const DebyeIonFieldSettings settings = {.grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 1.0, 7, 5, 3),
                                          .core_radius = CORE,
                                          .has_unit_map = true};
  const size_t n = debye_grid_n_points(&settings.grid), at[3] = {5, 3, 1};
  float unit[7 * 5 * 3], map[7 * 5 * 3];
  for (size_t i = 0; i < n; i++) {
    unit[i] = (float)i;
    map[i] = 0.5f;
  }
  DebyeIonField *field = field_new(device, &settings, map);
  DebyeStatus status = {0};
  check_ok(debye_ion_field_set_unit_map(field, unit, &status), &status);
  check_ok(debye_ion_field_place(field, at[0] + 7 * (at[1] + 5 * at[2]), -2.0, 0.5, &status), &status);
  check_ok(debye_ion_field_get_map(field, map, &status), &status);
  size_t n_wrong = 0;
  for (size_t i = 0; i < n; i++) {
    const size_t from =
        (i % 7 + 7 - at[0]) % 7 + 7 * ((i / 7 % 5 + 5 - at[1]) % 5 + 5 * ((i / 35 + 3 - at[2]) % 3));
    n_wrong += map[i] != 0.5f - 2.0f * (float)from;
  }
  CHECK_THAT(n_wrong == 0, "%zu of %zu points got another value", n_wrong, n);
  debye_ion_field_destroy(field);
}

/* --- Refusals --- */

static void
test_refusals(const DebyeDeviceEntry *device)
{
  DebyeIonFieldSettings settings = {.grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 1.0, 4, 4, 4),
                                    .core_radius = CORE};
  float map[64] = {0.0f}, x[2] = {1.0f, NAN}, zero[2] = {0.0f, 0.0f};
  DebyeIonField *field = field_new(device, &settings, map), *none = NULL;
  DebyeStatus status = {0};
  const bool cancel = true;
  CHECK(debye_ion_field_place(field, 64, 1.0, 1.0, &status) == DEBYE_STATUS_INVALID);
  CHECK(debye_ion_field_place(field, 3, (double)NAN, 1.0, &status) == DEBYE_STATUS_INVALID);
  CHECK(debye_ion_field_set_unit_map(field, map, &status) == DEBYE_STATUS_INVALID);
  CHECK(debye_ion_field_forbid(field, x, zero, zero, 2, 1.0, NULL, &status) == DEBYE_STATUS_INVALID);
  CHECK(debye_ion_field_forbid(field, x, zero, zero, 1, -1.0, NULL, &status) == DEBYE_STATUS_INVALID);
  CHECK(debye_ion_field_forbid(field, x, zero, zero, 1, 1.0, &cancel, &status) == DEBYE_STATUS_CANCELLED);
  debye_ion_field_destroy(field);
  settings.periodic = DEBYE_PERIODIC_ALL;
  CHECK(debye_ion_field_create(device, &settings, &none, &status) == DEBYE_STATUS_INVALID && none == NULL);
  settings.periodic = DEBYE_PERIODIC_NONE;
  settings.core_radius = 0.0;
  CHECK(debye_ion_field_create(device, &settings, &none, &status) == DEBYE_STATUS_INVALID && none == NULL);
  debye_ion_field_destroy(NULL);
}

static const struct {
  const char *name;
  void (*body)(const DebyeDeviceEntry *device);
} bodies[] = {
    {"one charge", test_one_charge},       {"two charges", test_two_charges}, {"ties", test_ties},
    {"against the exact sum", test_cases}, {"unit map", test_unit_map},       {"refusals", test_refusals},
};

static void
test_device(const DebyeDeviceEntry *device, const char *how, void *arguments)
{
  for (size_t i = 0; i < sizeof bodies / sizeof bodies[0] && device->backend->ion_field != NULL; i++) {
    if (!debye_test_is_asked(bodies[i].name, arguments))
      continue;
    debye_check_subject("%s%s: %s", device->info.id, how, bodies[i].name);
    bodies[i].body(device);
  }
}

/* The processor is the reference of all. */
int
main(int argc, char **argv)
{
  make_cases();
  const int status = debye_test_main(argc, argv, test_device);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    free(references[i].map);
  return status;
}
