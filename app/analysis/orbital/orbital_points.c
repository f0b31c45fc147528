/* SPDX-License-Identifier: MIT */
/* Orbitals and densities at given points, in double precision and without leaving anything out; called by orbital_run.c. */

#include "orbital_electrostatics.h"
#include "orbital_run.h"

#define N_OPERATORS (DEBYE_ORBITAL_LAPLACIAN + 1)
/* Of the potential, between two looks at whether to stop. */
#define POINTS_AT_ONCE 4096

/* At one point. */
typedef struct {
  const DebyeOrbitalPlan *plan;
  gsize n;               /* Cartesian Gaussians */
  double *gaussians;     /* n of each operator */
  const double *rows;    /* n of each orbital that counts */
  const guint32 *row_of; /* by orbital; G_MAXUINT32: it has none */
} Point;

static double
apply(const Point *point, guint orbital, DebyeOrbitalOperator operation)
{
  const double *row = point->rows + point->row_of[orbital] * point->n;
  const double *gaussians = point->gaussians + (gsize)operation * point->n;
  double sum = 0.0;
  for (gsize i = 0; i < point->n; i++)
    sum += row[i] * gaussians[i];
  return sum;
}

static double
sum_density(const Point *point, DebyeOrbitalMapKind kind)
{
  double sum = 0.0;
  for (guint i = 0; i < point->plan->wave->orbitals->len; i++) {
    const double weight = debye_orbital_plan_get_weight(point->plan, kind, i);
    if (weight == 0.0)
      continue;
    const double value = apply(point, i, DEBYE_ORBITAL_ITSELF);
    if (kind != DEBYE_ORBITAL_MAP_LAPLACIAN) {
      sum += weight * value * value;
      continue;
    }
    sum += 2.0 * weight * value * apply(point, i, DEBYE_ORBITAL_LAPLACIAN);
    for (int axis = 0; axis < 3; axis++) {
      const double slope = apply(point, i, (DebyeOrbitalOperator)(DEBYE_ORBITAL_DX + axis));
      sum += 2.0 * weight * slope * slope;
    }
  }
  return sum;
}

static void
evaluate(const Point *point, DebyeVec3 at, gsize number, gsize n_points, double *values)
{
  const double place[3] = {at.x / DEBYE_BOHR, at.y / DEBYE_BOHR, at.z / DEBYE_BOHR};
  const int n_operators = point->plan->settings.laplacian ? N_OPERATORS : 1;
  for (int i = 0; i < n_operators; i++)
    debye_orbital_basis_evaluate(&point->plan->basis, place, (DebyeOrbitalOperator)i,
                                 point->gaussians + (gsize)i * point->n);
  for (guint i = 0; i < point->plan->maps->len; i++) {
    const DebyeOrbitalMap *map = &g_array_index(point->plan->maps, DebyeOrbitalMap, i);
    if (map->kind == DEBYE_ORBITAL_MAP_POTENTIAL)
      continue;
    values[i * n_points + number] = map->kind == DEBYE_ORBITAL_MAP_ORBITAL
                                        ? apply(point, map->orbital, DEBYE_ORBITAL_ITSELF)
                                        : sum_density(point, map->kind);
  }
}

static gboolean
counts(const DebyeOrbitalPlan *plan, guint orbital)
{
  for (guint i = 0; i < plan->maps->len; i++) {
    const DebyeOrbitalMap *map = &g_array_index(plan->maps, DebyeOrbitalMap, i);
    if (map->kind == DEBYE_ORBITAL_MAP_ORBITAL
            ? map->orbital == orbital
            : map->kind != DEBYE_ORBITAL_MAP_POTENTIAL &&
                  debye_orbital_plan_get_weight(plan, map->kind, orbital) != 0.0)
      return TRUE;
  }
  return FALSE;
}

/* The orbitals that have a part in anything. */
static double *
make_rows(const DebyeOrbitalPlan *plan, guint32 *row_of)
{
  const gsize n = plan->wave->n_cartesian;
  guint32 n_rows = 0;
  for (guint i = 0; i < plan->wave->orbitals->len; i++)
    row_of[i] = counts(plan, i) ? n_rows++ : G_MAXUINT32;
  double *rows = g_new(double, n_rows *n + 1);
  for (guint i = 0; i < plan->wave->orbitals->len; i++)
    if (row_of[i] != G_MAXUINT32)
      debye_wave_function_get_cartesian(plan->wave, i, rows + row_of[i] * n);
  return rows;
}

static DebyeTable *
make_table(const DebyeOrbitalPlan *plan, const double *values)
{
  static const DebyeQuantity axes[3] = {{"x", "x", "Å"}, {"y", "y", "Å"}, {"z", "z", "Å"}};
  const gsize n = plan->points->len;
  DebyeTable *table = debye_table_new(DEBYE_ORBITAL_POINTS);
  g_autofree double *column = g_new(double, n);
  for (int axis = 0; axis < 3; axis++) {
    for (gsize i = 0; i < n; i++)
      column[i] = (&g_array_index(plan->points, DebyeVec3, i).x)[axis];
    debye_table_add_numbers(table, &axes[axis], n, column);
  }
  for (guint i = 0; i < plan->maps->len; i++) {
    const DebyeOrbitalMap *map = &g_array_index(plan->maps, DebyeOrbitalMap, i);
    const DebyeQuantity quantity = {map->name, map->name, debye_orbital_map_get_unit(map->kind)};
    debye_table_add_numbers(table, &quantity, n, values + i * n);
  }
  return table;
}

/* The column of the electrostatic potential, where there is one. */
static gboolean
fill_potential(const DebyeOrbitalPlan *plan, const volatile bool *cancel, double *values, DebyeResult *result,
               GError **error)
{
  const gsize n = plan->points->len;
  const guint last = plan->maps->len - 1;
  if (g_array_index(plan->maps, DebyeOrbitalMap, last).kind != DEBYE_ORBITAL_MAP_POTENTIAL)
    return TRUE;
  g_autoptr(DebyeOrbitalElectrostatics) potential = debye_orbital_electrostatics_new(plan, cancel, error);
  g_autofree double *places = g_new(double, 3 * n + 1);
  if (potential == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++) {
    const DebyeVec3 at = g_array_index(plan->points, DebyeVec3, i);
    places[i] = at.x / DEBYE_BOHR;
    places[n + i] = at.y / DEBYE_BOHR;
    places[2 * n + i] = at.z / DEBYE_BOHR;
  }
  for (gsize i = 0; i < n; i += POINTS_AT_ONCE) {
    if (debye_is_cancelled(cancel))
      return FALSE;
    debye_orbital_electrostatics_compute(potential, MIN(POINTS_AT_ONCE, n - i), places + i, places + n + i,
                                         places + 2 * n + i, values + last * n + i);
  }
  debye_orbital_electrostatics_tell(potential, result);
  return TRUE;
}

DebyeTable *
debye_orbital_points_compute(const DebyeOrbitalPlan *plan, const volatile bool *cancel, DebyeResult *result,
                             GError **error)
{
  const gsize n_points = plan->points->len;
  g_autofree guint32 *row_of = g_new(guint32, plan->wave->orbitals->len);
  g_autofree double *rows = make_rows(plan, row_of);
  g_autofree double *gaussians = g_new(double, N_OPERATORS * plan->wave->n_cartesian);
  g_autofree double *values = g_new(double, n_points * plan->maps->len + 1);
  const Point point = {plan, plan->wave->n_cartesian, gaussians, rows, row_of};
  for (gsize i = 0; i < n_points; i++) {
    if (debye_is_cancelled(cancel))
      return NULL;
    evaluate(&point, g_array_index(plan->points, DebyeVec3, i), i, n_points, values);
  }
  return fill_potential(plan, cancel, values, result, error) ? make_table(plan, values) : NULL;
}
