/* SPDX-License-Identifier: MIT */
/* Implementation of surface_area.h: on each exposed sphere ∫ of the exposed
 * angle over the height is its area over the radius. */
#include "surface_area.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reduced_surface.h"

#define PI 3.14159265358979323846
#define N_NODES 12
#define CHUNK_FACES ((size_t)16)
/* Of a part of a sphere, whose whole is 4π. */
#define TOLERANCE 1e-7
#define MAX_HALVINGS 20u
/* Of the sphere's radius. */
#define LEAST_STEP 1e-10

/* Gauss and Legendre's rule of twelve points, the upper half. */
static const double nodes[N_NODES / 2] = {0.1252334085114689, 0.3678314989981802, 0.5873179542866175,
                                          0.7699026741943047, 0.9041172563704749, 0.9815606342467192};
static const double weights[N_NODES / 2] = {0.2491470458134028, 0.2334925365383548, 0.2031674267230659,
                                            0.1600783285433462, 0.1069393259953184, 0.0471753363865118};

typedef struct {
  double begin, end;
} Interval;

/* A cap as circles of one height see it. */
typedef struct {
  double angle, along, up, limit;
} Cap;

/* A face under way. */
typedef struct {
  Cap *caps;
  size_t n_caps;
  Interval *intervals; /* room for two of each cap */
} Face;

typedef struct {
  const DebyeReducedSurface *surface;
  size_t *first_height; /* by atom, and the end of the last */
  double *heights;      /* where the angle that is exposed isn't smooth, of the sphere's radius */
  double *areas;
  bool failed;
} Measuring;

static int
compare_numbers(const void *a, const void *b)
{
  const double one = *(const double *)a, other = *(const double *)b;
  return (one > other) - (one < other);
}

/* Heights. */

/* Calls of both passes: counts where `heights` is NULL. first_height[atom + 1] moves on. */
static void
add_height(Measuring *measuring, uint32_t atom, double z)
{
  const DebyeSpheres *spheres = &measuring->surface->spheres;
  const size_t place = measuring->first_height[atom + 1]++;
  if (measuring->heights != NULL)
    measuring->heights[place] =
        (z - (double)spheres->z[atom]) / ((double)spheres->radius[atom] + measuring->surface->probe);
}

static void
add_heights(Measuring *measuring)
{
  const DebyeReducedSurface *surface = measuring->surface;
  for (size_t i = 0; i < surface->n_circles; i++) {
    const DebyeSurfaceCircle *circle = &surface->circles[i];
    const double half = circle->radius * sqrt(circle->u.z * circle->u.z + circle->v.z * circle->v.z);
    for (int end = 0; end < 2; end++) {
      add_height(measuring, circle->atom[end], circle->center.z - half);
      add_height(measuring, circle->atom[end], circle->center.z + half);
      for (uint32_t k = 0; k < circle->n_arcs; k++) {
        const DebyeSurfaceArc *arc = &surface->arcs[circle->first_arc + k];
        add_height(measuring, circle->atom[end], debye_surface_circle_point(circle, arc->begin).z);
        add_height(measuring, circle->atom[end],
                   debye_surface_circle_point(circle, arc->begin + arc->length).z);
      }
    }
  }
}

/* The exposed angle. */

/* What a cap covers of the circle at a height, as up to two intervals of [0, 2π]. */
static size_t
cover(const Cap *cap, double height, double across, Interval *intervals)
{
  const double along = across * cap->along, limit = cap->limit - cap->up * height;
  if (limit >= along)
    return 0;
  if (limit <= -along) {
    intervals[0] = (Interval){0.0, 2.0 * PI};
    return 1;
  }
  const double half = acos(limit / along), start = cap->angle - half;
  const double begin = start < 0.0 ? start + 2.0 * PI : start, end = begin + 2.0 * half;
  intervals[0] = (Interval){begin, fmin(end, 2.0 * PI)};
  intervals[1] = (Interval){0.0, end - 2.0 * PI};
  return end > 2.0 * PI ? 2 : 1;
}

/* They are few. */
static void
sort_intervals(Interval *intervals, size_t n)
{
  for (size_t i = 1; i < n; i++) {
    const Interval moved = intervals[i];
    size_t k = i;
    for (; k > 0 && intervals[k - 1].begin > moved.begin; k--)
      intervals[k] = intervals[k - 1];
    intervals[k] = moved;
  }
}

static double
exposed_angle(const Face *face, double height)
{
  const double across = sqrt(fmax(0.0, 1.0 - height * height));
  Interval *intervals = face->intervals;
  double exposed = 0.0, end = 0.0;
  size_t n = 0;
  for (size_t i = 0; i < face->n_caps; i++)
    n += cover(&face->caps[i], height, across, intervals + n);
  sort_intervals(intervals, n);
  for (size_t i = 0; i < n; i++) {
    exposed += fmax(0.0, intervals[i].begin - end);
    end = fmax(end, intervals[i].end);
  }
  return exposed + fmax(0.0, 2.0 * PI - end);
}

/* Where a circle turns, the angle goes as the root of the height: with h = m + d(3x − x³)/2 it is smooth in x. */
static double
integrate(const Face *face, double low, double high)
{
  const double middle = 0.5 * (low + high), half = 0.5 * (high - low);
  double sum = 0.0;
  for (int i = 0; i < N_NODES; i++) {
    const double x = i < N_NODES / 2 ? nodes[i] : -nodes[i - N_NODES / 2];
    const double height = middle + half * 0.5 * x * (3.0 - x * x);
    sum += weights[i % (N_NODES / 2)] * half * 1.5 * (1.0 - x * x) * exposed_angle(face, height);
  }
  return sum;
}

/* Halved where an arc passes near a pole, until it doesn't matter. */
static double
integrate_well(const Face *face, double low, double high, double whole, unsigned halvings)
{
  const double middle = 0.5 * (low + high);
  const double lower = integrate(face, low, middle), upper = integrate(face, middle, high);
  if (halvings == 0 || fabs(lower + upper - whole) < TOLERANCE)
    return lower + upper;
  return integrate_well(face, low, middle, lower, halvings - 1) +
         integrate_well(face, middle, high, upper, halvings - 1);
}

static void
set_caps(const Measuring *measuring, const DebyeSurfaceFace *face, Face *set)
{
  const DebyeSurfaceCap *caps = measuring->surface->caps + face->first_cap;
  set->n_caps = face->n_caps;
  for (size_t i = 0; i < set->n_caps; i++) {
    const double angle = atan2(caps[i].axis.y, caps[i].axis.x);
    set->caps[i] = (Cap){angle < 0.0 ? angle + 2.0 * PI : angle, hypot(caps[i].axis.x, caps[i].axis.y),
                         caps[i].axis.z, caps[i].limit};
  }
}

/* Ends that two arcs share are at one height but for rounding. */
static void
measure_face(const Measuring *measuring, const DebyeSurfaceFace *face, Face *set)
{
  const size_t first = measuring->first_height[face->atom], end = measuring->first_height[face->atom + 1];
  const double radius = (double)measuring->surface->spheres.radius[face->atom] + measuring->surface->probe;
  double below = -1.0, sum = 0.0;
  set_caps(measuring, face, set);
  qsort(measuring->heights + first, end - first, sizeof *measuring->heights, compare_numbers);
  for (size_t i = first; i <= end; i++) {
    const double height = i < end ? fmin(1.0, measuring->heights[i]) : 1.0;
    if (height > below + LEAST_STEP) {
      sum += integrate_well(set, below, height, integrate(set, below, height), MAX_HALVINGS);
      below = height;
    }
  }
  measuring->areas[face->atom] = radius * radius * sum;
}

static void
measure_chunk(void *context, size_t chunk)
{
  Measuring *measuring = context;
  const size_t first = chunk * CHUNK_FACES, n = measuring->surface->n_faces;
  size_t most = 0;
  for (size_t i = first; i < n && i < first + CHUNK_FACES; i++)
    most = measuring->surface->faces[i].n_caps > most ? measuring->surface->faces[i].n_caps : most;
  Face face = {malloc((most + 1) * sizeof *face.caps), 0, malloc((2 * most + 1) * sizeof *face.intervals)};
  if (face.caps == NULL || face.intervals == NULL)
    __atomic_store_n(&measuring->failed, true, __ATOMIC_RELAXED);
  for (size_t i = first; face.caps != NULL && face.intervals != NULL && i < n && i < first + CHUNK_FACES; i++)
    measure_face(measuring, &measuring->surface->faces[i], &face);
  free(face.caps);
  free(face.intervals);
}

/* Counted one atom further: filling moves each end to where its atom's are. */
static bool
list_heights(Measuring *measuring)
{
  const size_t n = measuring->surface->spheres.n;
  size_t *first = calloc(n + 1, sizeof *first);
  measuring->first_height = first;
  if (first == NULL)
    return false;
  add_heights(measuring);
  size_t sum = 0;
  for (size_t i = 1; i <= n; i++) {
    const size_t count = first[i];
    first[i] = sum;
    sum += count;
  }
  measuring->heights = malloc((sum + 1) * sizeof *measuring->heights);
  if (measuring->heights != NULL)
    add_heights(measuring);
  return measuring->heights != NULL;
}

DebyeStatusCode
debye_surface_areas(const DebyeSpheres *spheres, double probe, double *areas, DebyeStatus *status)
{
  DebyeReducedSurface surface;
  const DebyeStatusCode code =
      debye_reduced_surface_init(&surface, spheres, probe, &debye_chunk_threads, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  Measuring measuring = {.surface = &surface, .areas = areas};
  memset(areas, 0, spheres->n * sizeof *areas);
  const bool good = list_heights(&measuring);
  if (good)
    debye_chunk_threads_run((surface.n_faces + CHUNK_FACES - 1) / CHUNK_FACES, measure_chunk, &measuring);
  free(measuring.first_height);
  free(measuring.heights);
  debye_reduced_surface_clear(&surface);
  if (good && !measuring.failed)
    return debye_status_ok(status);
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for the surface of %zu atoms.",
                          spheres->n);
}
