/* SPDX-License-Identifier: MIT */
/* Surfaces of molecules on a grid: a sphere and two spheres by their formulas, then clusters of atoms against everything
 * tried, point by point.
 *
 * Tolerance: depths are kept in float, of some Å: 1e-6 Å. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/surface/surface.h"
#include "kernels/surface/surface_area.h"
#include "tests/support/check.h"
#include "tests/support/oracle_surface.h"

#define DEPTH_TOLERANCE 2e-6
#define CROSSING_TOLERANCE 1e-5
#define MAX_ATOMS 40
#define PI 3.14159265358979323846

typedef struct {
  float x[MAX_ATOMS], y[MAX_ATOMS], z[MAX_ATOMS], radius[MAX_ATOMS];
  size_t n;
} Atoms;

static void
append(Atoms *atoms, double x, double y, double z, double radius)
{
  atoms->x[atoms->n] = (float)x;
  atoms->y[atoms->n] = (float)y;
  atoms->z[atoms->n] = (float)z;
  atoms->radius[atoms->n++] = (float)radius;
}

static DebyeSpheres
spheres_of(const Atoms *atoms)
{
  return (DebyeSpheres){atoms->x, atoms->y, atoms->z, atoms->radius, atoms->n};
}

static DebyeVec3
point_at(const DebyeSurfaceGrid *grid, size_t i)
{
  const size_t x = i % grid->shape[0], y = i / grid->shape[0] % grid->shape[1];
  const size_t z = i / grid->shape[0] / grid->shape[1];
  return debye_vec3(grid->origin.x + (double)x * grid->step[0], grid->origin.y + (double)y * grid->step[1],
                    grid->origin.z + (double)z * grid->step[2]);
}

/* In parts of unequal numbers of planes, as threads have them. */
static DebyeSurfacePoint *
find(const DebyeSurface *surface, const DebyeSurfaceGrid *grid)
{
  const size_t plane = grid->shape[0] * grid->shape[1];
  DebyeSurfacePoint *points = calloc(plane * grid->shape[2], sizeof *points);
  for (size_t z = 0; z < grid->shape[2]; z += 7)
    debye_surface_find(surface, grid, z, grid->shape[2] - z < 7 ? grid->shape[2] - z : 7, points + plane * z);
  return points;
}

static bool
init(DebyeSurface *surface, DebyeSurfaceKind kind, const DebyeSpheres *spheres, double probe)
{
  DebyeStatus status = {0};
  const bool good =
      debye_surface_init(surface, kind, spheres, probe, &debye_chunk_threads, &status) == DEBYE_STATUS_OK;
  CHECK_THAT(good, "%s", status.text);
  return good;
}

/* Where edges along x cross a sphere about the origin. */
static void
check_sphere_crossings(const DebyeSurface *surface, const DebyeSurfaceGrid *grid, double radius)
{
  DebyeSurfacePoint *points = find(surface, grid);
  size_t n_crossings = 0;
  for (size_t i = 0; i + 1 < grid->shape[0] * grid->shape[1] * grid->shape[2]; i++) {
    const DebyeVec3 at = point_at(grid, i), next = point_at(grid, i + 1);
    if (i % grid->shape[0] + 1 == grid->shape[0] || points[i].depth > 0.0f || !(points[i + 1].depth > 0.0f))
      continue;
    const double exact = -sqrt(radius * radius - at.y * at.y - at.z * at.z);
    const double within = debye_surface_cross(surface, next, points[i + 1], at, points[i]);
    CHECK_AT_MOST(fabs(next.x - within * grid->step[0] - exact), CROSSING_TOLERANCE);
    n_crossings++;
  }
  CHECK(n_crossings > 50);
  free(points);
}

static void
test_sphere(void)
{
  Atoms atoms = {.n = 0};
  append(&atoms, 0.0, 0.0, 0.0, 2.0);
  const DebyeSpheres spheres = spheres_of(&atoms);
  const DebyeSurfaceGrid grid = {{-4.1, -4.05, -4.2}, {0.4, 0.5, 0.35}, {22, 18, 25}};
  const struct {
    DebyeSurfaceKind kind;
    double probe, radius;
  } cases[] = {{DEBYE_SURFACE_EXCLUDED, 1.4, 2.0},
               {DEBYE_SURFACE_VAN_DER_WAALS, 1.4, 2.0},
               {DEBYE_SURFACE_EXCLUDED, 0.0, 2.0},
               {DEBYE_SURFACE_ACCESSIBLE, 1.4, 3.4}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    DebyeSurface surface;
    debye_check_subject("a sphere, case %zu", i);
    if (!init(&surface, cases[i].kind, &spheres, cases[i].probe))
      continue;
    check_sphere_crossings(&surface, &grid, cases[i].radius);
    debye_surface_clear(&surface);
  }
  debye_check_subject("%s", "");
}

/* Of two equal spheres at ±a on the x axis, between them: the probe's circle has the radius ρ, the saddle is the
 * probe's distance from it. */
static void
test_two_spheres(void)
{
  const double a = 1.8, radius = 1.5, probe = 1.4;
  Atoms atoms = {.n = 0};
  append(&atoms, -a, 0.0, 0.0, radius);
  append(&atoms, a, 0.0, 0.0, radius);
  const DebyeSpheres spheres = spheres_of(&atoms);
  const DebyeSurfaceGrid grid = {{-4.0, -3.6, -3.6}, {0.3, 0.3, 0.3}, {27, 25, 25}};
  const double circle = sqrt((radius + probe) * (radius + probe) - a * a);
  DebyeSurface surface;
  if (!init(&surface, DEBYE_SURFACE_EXCLUDED, &spheres, probe))
    return;
  CHECK(surface.reduced.n_circles == 1 && surface.reduced.n_vertices == 0 && surface.reduced.n_faces == 2);
  DebyeSurfacePoint *points = find(&surface, &grid);
  size_t n_saddle = 0;
  for (size_t i = 0; i < grid.shape[0] * grid.shape[1] * grid.shape[2]; i++) {
    const DebyeVec3 at = point_at(&grid, i);
    const double across = hypot(at.y, at.z);
    /* Between the lines from the probe to both atoms. */
    if (fabs(at.x) > a * (1.0 - across / circle))
      continue;
    const double depth = hypot(across - circle, at.x) - probe;
    CHECK_THAT((points[i].depth > 0.0f) == (depth > 0.0), "%g %g %g: %g, not %g", at.x, at.y, at.z,
               (double)points[i].depth, depth);
    if (isfinite(points[i].depth) && points[i].depth > -0.5f) {
      CHECK_AT_MOST(fabs((double)points[i].depth - depth), DEPTH_TOLERANCE);
      n_saddle++;
    }
  }
  CHECK(n_saddle > 20);
  free(points);
  debye_surface_clear(&surface);
}

/* The feature of a place. */
static uint32_t
feature_at(const DebyeSurface *surface, double x, double y, double z)
{
  const DebyeSurfaceGrid grid = {{x, y, z}, {0.5, 0.5, 0.5}, {1, 1, 1}};
  DebyeSurfacePoint point;
  debye_surface_find(surface, &grid, 0, 1, &point);
  return point.feature & (DEBYE_SURFACE_CIRCLE | DEBYE_SURFACE_VERTEX);
}

/* Å from where a feature becomes the one beside it: both are as near there but for less than a float tells. */
static const double beside[] = {1e-6, 1e-5, 1e-4, 1e-3};

/* On both sides of the line from an atom to a probe's circle. */
static void
test_faces_beside_arcs(void)
{
  const double a = 1.8, radius = 1.5, probe = 1.4;
  const double circle = sqrt((radius + probe) * (radius + probe) - a * a);
  Atoms atoms = {.n = 0};
  append(&atoms, -a, 0.0, 0.0, radius);
  append(&atoms, a, 0.0, 0.0, radius);
  const DebyeSpheres spheres = spheres_of(&atoms);
  DebyeSurface surface;
  if (!init(&surface, DEBYE_SURFACE_EXCLUDED, &spheres, probe))
    return;
  for (int i = 0; i < 400; i++) {
    const double turn = 0.0157 * i, along = 1.2 + 0.0015 * i, off = beside[i % 4];
    for (int side = -1; side <= 1; side += 2) {
      const double tilt = atan2(circle, a) + side * off / along, across = along * sin(tilt);
      const uint32_t feature =
          feature_at(&surface, along * cos(tilt) - a, across * cos(turn), across * sin(turn));
      CHECK_THAT(feature == (side > 0 ? DEBYE_SURFACE_FACE : DEBYE_SURFACE_CIRCLE), "%g Å beside: %x",
                 side * off, feature);
    }
  }
  debye_surface_clear(&surface);
}

/* On both sides of the plane through a circle's axis and an arc's end. */
static void
test_arcs_beside_vertices(void)
{
  Atoms atoms = {.n = 0};
  append(&atoms, 0.0, 0.0, 0.0, 1.5);
  append(&atoms, 3.0, 0.1, 0.0, 1.6);
  append(&atoms, 1.4, 2.6, 0.2, 1.4);
  const DebyeSpheres spheres = spheres_of(&atoms);
  DebyeSurface surface;
  if (!init(&surface, DEBYE_SURFACE_EXCLUDED, &spheres, 1.4))
    return;
  CHECK(surface.reduced.n_circles == 3 && surface.reduced.n_arcs == 3);
  for (size_t i = 0; i < surface.reduced.n_circles; i++)
    for (int k = 0; k < 400; k++) {
      DebyeSurfaceCircle inner = surface.reduced.circles[i];
      const DebyeSurfaceArc *arc = &surface.reduced.arcs[inner.first_arc];
      inner.radius -= 1.1 + 0.001 * k;
      for (int side = -1; side <= 1; side += 2) {
        const double end = k % 2 == 0 ? arc->begin : arc->begin + arc->length,
                     off = (k % 2 == 0 ? side : -side) * beside[k / 2 % 4] / fabs(inner.radius);
        const DebyeVec3 at = debye_surface_circle_point(&inner, end + off);
        const uint32_t feature = feature_at(&surface, at.x, at.y, at.z);
        CHECK_THAT(feature == (side > 0 ? DEBYE_SURFACE_CIRCLE : DEBYE_SURFACE_VERTEX), "%g Å beside: %x",
                   side * beside[k / 2 % 4], feature);
      }
    }
  debye_surface_clear(&surface);
}

/* Atoms as near to each other as in a molecule, some within others, two the same. */
static Atoms
make_cluster(unsigned seed, size_t n, double edge)
{
  Atoms atoms = {.n = 0};
  srand(seed);
  while (atoms.n < n) {
    double at[3];
    for (int axis = 0; axis < 3; axis++)
      at[axis] = edge * ((double)rand() / RAND_MAX - 0.5);
    append(&atoms, at[0], at[1], at[2], atoms.n % 5 == 0 ? 0.0 : 1.0 + 0.25 * (double)(atoms.n % 4));
  }
  atoms.x[n - 1] = atoms.x[0];
  atoms.y[n - 1] = atoms.y[0];
  atoms.z[n - 1] = atoms.z[0];
  atoms.radius[n - 1] = atoms.radius[0];
  return atoms;
}

static void
check_cluster(const Atoms *atoms, double probe)
{
  const DebyeSpheres spheres = spheres_of(atoms);
  const DebyeSurfaceGrid grid = {{-6.1, -6.0, -5.9}, {0.7, 0.6, 0.65}, {18, 20, 19}};
  DebyeSurface surface;
  size_t n_inner = 0, n_near = 0;
  if (!init(&surface, DEBYE_SURFACE_EXCLUDED, &spheres, probe))
    return;
  DebyeSurfacePoint *points = find(&surface, &grid);
  for (size_t i = 0; i < grid.shape[0] * grid.shape[1] * grid.shape[2]; i++) {
    const double depth = debye_oracle_probe_distance(&spheres, probe, point_at(&grid, i)) - probe;
    const double found = (double)points[i].depth;
    n_inner += found > 0.0;
    if (fabs(depth) > DEPTH_TOLERANCE)
      CHECK_THAT((found > 0.0) == (depth > 0.0), "point %zu: depth %g, not %g", i, found, depth);
    if (depth < 0.6) {
      CHECK_THAT(fabs(found - depth) <= DEPTH_TOLERANCE, "point %zu: depth %.7g, not %.7g", i, found, depth);
      n_near += depth > -probe;
    }
  }
  CHECK(n_inner > 100 && n_near > 100);
  free(points);
  debye_surface_clear(&surface);
}

static void
test_clusters(void)
{
  for (unsigned seed = 1; seed <= 6; seed++) {
    const Atoms atoms = make_cluster(seed, 12 + 2 * seed, 5.0 + 0.5 * seed);
    debye_check_subject("cluster %u", seed);
    check_cluster(&atoms, 1.4);
    debye_check_subject("cluster %u, a small probe", seed);
    check_cluster(&atoms, 0.7);
  }
  debye_check_subject("%s", "");
}

/* Areas. A sphere that another cuts at a height z of its center has 2πR(R + z) left. */
static void
test_two_areas(void)
{
  const double radii[2] = {1.5, 1.9}, probe = 1.4;
  static const DebyeVec3 axes[3] = {{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.48, -0.64, 0.6}};
  for (int i = 0; i < 3; i++)
    for (double distance = 0.3; distance < 7.5; distance += 0.4) {
      Atoms atoms = {.n = 0};
      double areas[2];
      const double a = radii[0] + probe, b = radii[1] + probe;
      debye_check_subject("two spheres %g Å apart, axis %d", distance, i);
      append(&atoms, 0.1, -0.2, 0.3, radii[0]);
      append(&atoms, 0.1 + distance * axes[i].x, -0.2 + distance * axes[i].y, 0.3 + distance * axes[i].z,
             radii[1]);
      const DebyeSpheres spheres = spheres_of(&atoms);
      CHECK(debye_surface_areas(&spheres, probe, areas, NULL) == DEBYE_STATUS_OK);
      double exact[2] = {4.0 * PI * a * a, 4.0 * PI * b * b};
      if (distance < b - a) {
        exact[0] = 0.0;
      } else if (distance < a + b) {
        const double z = 0.5 * (distance * distance + a * a - b * b) / distance;
        exact[0] = 2.0 * PI * a * (a + z);
        exact[1] = 2.0 * PI * b * (b + distance - z);
      }
      /* Places are floats, of 1e-7 Å. */
      CHECK_AT_MOST(fabs(areas[0] - exact[0]), 2e-5);
      CHECK_AT_MOST(fabs(areas[1] - exact[1]), 2e-5);
    }
  debye_check_subject("%s", "");
}

/* By points that are spread evenly: a share errs by about their number to the power of −3/4. */
static double
area_by_points(const DebyeSpheres *spheres, double probe, size_t atom)
{
  enum { n = 40000 };
  const double radius = (double)spheres->radius[atom] + probe;
  size_t exposed = 0;
  for (int i = 0; i < n; i++) {
    const double z = 1.0 - (2.0 * i + 1.0) / n, across = sqrt(1.0 - z * z), angle = 2.399963229728653 * i;
    const DebyeVec3 at =
        debye_vec3_add(debye_sphere_center(spheres, atom),
                       debye_vec3(radius * across * cos(angle), radius * across * sin(angle), radius * z));
    bool is_free = true;
    for (size_t k = 0; k < spheres->n && is_free; k++)
      is_free = k == atom || debye_vec3_length(debye_vec3_subtract(at, debye_sphere_center(spheres, k))) >=
                                 (double)spheres->radius[k] + probe;
    exposed += is_free;
  }
  return 4.0 * PI * radius * radius * (double)exposed / n;
}

static void
test_areas(void)
{
  for (unsigned seed = 1; seed <= 4; seed++) {
    const Atoms atoms = make_cluster(seed, 20, 5.5);
    const DebyeSpheres spheres = spheres_of(&atoms);
    double areas[MAX_ATOMS], whole = 0.0;
    CHECK(debye_surface_areas(&spheres, 1.4, areas, NULL) == DEBYE_STATUS_OK);
    for (size_t i = 0; i < atoms.n; i++) {
      debye_check_subject("area of atom %zu, cluster %u", i, seed);
      /* The last atom is the first: one of both has the area. */
      const bool is_twin = i == 0 || i + 1 == atoms.n;
      CHECK_AT_MOST(
          fabs((is_twin ? areas[0] + areas[atoms.n - 1] : areas[i]) - area_by_points(&spheres, 1.4, i)),
          0.06);
      whole += areas[i];
    }
    CHECK(whole > 100.0);
  }
  debye_check_subject("%s", "");
}

static void
test_refusals(void)
{
  Atoms atoms = {.n = 0};
  append(&atoms, 0.0, 0.0, 0.0, 1.0);
  append(&atoms, 1.0, 0.0, 0.0, -1.0);
  const DebyeSpheres spheres = spheres_of(&atoms);
  DebyeSurface surface;
  DebyeStatus status = {0};
  CHECK(debye_surface_init(&surface, DEBYE_SURFACE_EXCLUDED, &spheres, 1.4, NULL, &status) ==
        DEBYE_STATUS_INVALID);
  CHECK(strstr(status.text, "Atom 2") != NULL);
  CHECK(debye_surface_init(&surface, DEBYE_SURFACE_EXCLUDED, &spheres, NAN, NULL, &status) ==
        DEBYE_STATUS_INVALID);
  const DebyeSpheres none = {.n = 0};
  CHECK(debye_surface_init(&surface, DEBYE_SURFACE_EXCLUDED, &none, 1.4, NULL, &status) == DEBYE_STATUS_OK);
  debye_surface_clear(&surface);
}

int
main(void)
{
  test_sphere();
  test_two_spheres();
  test_faces_beside_arcs();
  test_arcs_beside_vertices();
  test_clusters();
  test_two_areas();
  test_areas();
  test_refusals();
  return debye_check_finish();
}
