/* SPDX-License-Identifier: MIT */
/* Implementation of reduced_surface.h. The circle of each pair of atoms loses what their neighbors cover of it; arcs that
 * are left make their atoms exposed. Chunks of atoms have lists of their own, which are joined in their order: the
 * result is the same on any number of threads. */
#include "reduced_surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define CHUNK_ATOMS ((size_t)64)
/* Circles narrower than this share of their atoms' radii are points where spheres touch. */
#define LEAST_RADIUS 1e-9
/* Arcs shorter than rounding, in rad, are none. */
#define LEAST_ARC 1e-12

/* Elements of one size. */
typedef struct {
  void *data;
  size_t size, n, room;
} List;

typedef struct {
  uint32_t atom;
  DebyeVec3 axis; /* from the atom to this neighbor */
  double distance2;
} Neighbor;

/* What a chunk of atoms found. */
typedef struct {
  List faces, caps, circles, arcs, vertices;
  List neighbors, exposed; /* of the atom and the circle under way */
  bool failed;
} Piece;

typedef struct {
  const DebyeSpheres *spheres;
  double probe;
  DebyeSphereBins bins;
  double largest; /* expanded radius */
  Piece *pieces;
  size_t n_pieces;
  bool *is_exposed; /* by atom: an arc of it is; written by several threads, always true */
} Search;

/* Lists. */

static List
list_of(size_t size)
{
  return (List){.size = size};
}

/* Room for one more; NULL on exhausted memory. */
static void *
append(Piece *piece, List *list)
{
  if (list->n == list->room) {
    const size_t room = list->room > 0 ? 2 * list->room : 64;
    void *data = realloc(list->data, room * list->size);
    if (data == NULL) {
      piece->failed = true;
      return NULL;
    }
    list->data = data;
    list->room = room;
  }
  return (char *)list->data + list->size * list->n++;
}

static void
clear_piece(Piece *piece)
{
  List *const lists[] = {&piece->faces,    &piece->caps,      &piece->circles, &piece->arcs,
                         &piece->vertices, &piece->neighbors, &piece->exposed};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    free(lists[i]->data);
}

/* Neighbors. */

static double
expanded(const Search *search, size_t atom)
{
  return (double)search->spheres->radius[atom] + search->probe;
}

/* Whether sphere `outer` contains all of `inner`; of two that are the same only the first counts. */
static bool
contains(double outer, double inner, double distance, bool is_first)
{
  const double room = outer - inner - distance;
  return room > 0.0 || (room == 0.0 && (distance > 0.0 || is_first));
}

/* False where the atom lies within another. */
static bool
add_neighbor(const Search *search, Piece *piece, size_t atom, size_t other)
{
  const DebyeVec3 axis = debye_vec3_subtract(debye_sphere_center(search->spheres, other),
                                             debye_sphere_center(search->spheres, atom));
  const double own = expanded(search, atom), its = expanded(search, other);
  const double distance2 = debye_vec3_dot(axis, axis);
  if (distance2 >= (own + its) * (own + its))
    return true;
  const double distance = sqrt(distance2);
  if (contains(its, own, distance, other < atom))
    return false;
  if (contains(own, its, distance, atom < other))
    return true;
  Neighbor *neighbor = append(piece, &piece->neighbors);
  if (neighbor != NULL)
    *neighbor = (Neighbor){(uint32_t)other, axis, distance2};
  return true;
}

static int
compare_distances(const void *a, const void *b)
{
  const double one = ((const Neighbor *)a)->distance2, other = ((const Neighbor *)b)->distance2;
  return (one > other) - (one < other);
}

/* The nearest first, which cover the most. */
static bool
find_neighbors(const Search *search, Piece *piece, size_t atom)
{
  const DebyeSphereBins *bins = &search->bins;
  const double reach = expanded(search, atom) + search->largest;
  size_t first[3], last[3];
  piece->neighbors.n = 0;
  debye_sphere_bins_range(bins, debye_sphere_center(search->spheres, atom), reach, first, last);
  for (size_t z = first[2]; z <= last[2]; z++)
    for (size_t y = first[1]; y <= last[1]; y++) {
      const size_t row = bins->shape[0] * (y + bins->shape[1] * z);
      for (uint32_t i = bins->begin[row + first[0]]; i < bins->begin[row + last[0] + 1]; i++)
        if (bins->sphere[i] != atom && !add_neighbor(search, piece, atom, bins->sphere[i]))
          return false;
    }
  if (piece->neighbors.n > 1)
    qsort(piece->neighbors.data, piece->neighbors.n, sizeof(Neighbor), compare_distances);
  return true;
}

/* Circles. */

/* False where the spheres only touch. */
static bool
set_circle(const Search *search, size_t atom, const Neighbor *neighbor, DebyeSurfaceCircle *circle)
{
  const double own = expanded(search, atom), its = expanded(search, neighbor->atom);
  const double distance = sqrt(neighbor->distance2);
  const double along = 0.5 * (neighbor->distance2 + own * own - its * its) / distance;
  const double radius2 = own * own - along * along;
  if (!(radius2 > LEAST_RADIUS * LEAST_RADIUS * own * own))
    return false;
  const DebyeVec3 axis = debye_vec3_scale(neighbor->axis, 1.0 / distance);
  const DebyeVec3 other = fabs(axis.x) < 0.6 ? debye_vec3(1.0, 0.0, 0.0) : debye_vec3(0.0, 1.0, 0.0);
  const DebyeVec3 across = debye_vec3_cross(axis, other);
  circle->u = debye_vec3_scale(across, 1.0 / debye_vec3_length(across));
  circle->v = debye_vec3_cross(axis, circle->u);
  circle->center = debye_vec3_add(debye_sphere_center(search->spheres, atom), debye_vec3_scale(axis, along));
  circle->radius = sqrt(radius2);
  circle->atom[0] = (uint32_t)atom;
  circle->atom[1] = neighbor->atom;
  return true;
}

/* How a sphere cuts a circle: covered is where along_u·cos θ + along_v·sin θ < limit. */
typedef struct {
  double along_u, along_v, most, limit; /* most: of that sum */
} Cut;

static Cut
cut_by(const Search *search, const DebyeSurfaceCircle *circle, size_t atom)
{
  const DebyeVec3 w = debye_vec3_subtract(circle->center, debye_sphere_center(search->spheres, atom));
  const double radius = expanded(search, atom);
  Cut cut = {.along_u = debye_vec3_dot(w, circle->u), .along_v = debye_vec3_dot(w, circle->v)};
  cut.most = sqrt(cut.along_u * cut.along_u + cut.along_v * cut.along_v);
  cut.limit =
      0.5 * (radius * radius - debye_vec3_dot(w, w) - circle->radius * circle->radius) / circle->radius;
  return cut;
}

static double
wrap_angle(double angle)
{
  return angle - 2.0 * PI * floor(angle / (2.0 * PI));
}

static void
keep(Piece *piece, double begin, double length)
{
  DebyeSurfaceArc *arc = length > LEAST_ARC ? append(piece, &piece->exposed) : NULL;
  if (arc != NULL)
    *arc = (DebyeSurfaceArc){wrap_angle(begin), length};
}

/* Takes [begin, begin + length) off all exposed arcs: what is left of each stands at the end of the list. */
static void
take_off(Piece *piece, double begin, double length)
{
  const size_t n = piece->exposed.n;
  for (size_t i = 0; i < n; i++) {
    const DebyeSurfaceArc arc = ((const DebyeSurfaceArc *)piece->exposed.data)[i];
    const double from = wrap_angle(begin - arc.begin), to = from + length;
    const double head = fmax(0.0, to - 2.0 * PI);
    if (arc.length >= 2.0 * PI) {
      keep(piece, arc.begin + to, 2.0 * PI - length);
      continue;
    }
    keep(piece, arc.begin + head, fmin(from, arc.length) - head);
    keep(piece, arc.begin + to, arc.length - to);
  }
  DebyeSurfaceArc *arcs = piece->exposed.data;
  piece->exposed.n -= n;
  memmove(arcs, arcs + n, piece->exposed.n * sizeof *arcs);
}

/* Rounding would decide what one of two equal spheres leaves of the other's circle. */
static bool
is_same(const Search *search, size_t one, size_t other)
{
  const DebyeSpheres *spheres = search->spheres;
  return spheres->x[one] == spheres->x[other] && spheres->y[one] == spheres->y[other] &&
         spheres->z[one] == spheres->z[other] && spheres->radius[one] == spheres->radius[other];
}

/* Whether a sphere leaves something of the circle. */
static bool
cover(const Search *search, Piece *piece, const DebyeSurfaceCircle *circle, size_t atom)
{
  const Cut cut = cut_by(search, circle, atom);
  if (cut.limit >= cut.most)
    return false;
  if (cut.limit > -cut.most) {
    const double half = acos(cut.limit / cut.most);
    take_off(piece, atan2(cut.along_v, cut.along_u) + half, 2.0 * (PI - half));
  }
  return piece->exposed.n > 0;
}

static void
add_arc(Piece *piece, DebyeSurfaceCircle *circle, DebyeSurfaceArc exposed)
{
  DebyeSurfaceArc *arc = append(piece, &piece->arcs);
  if (arc == NULL)
    return;
  *arc = exposed;
  circle->n_arcs++;
  for (int end = 0; end < 2 && exposed.length < 2.0 * PI; end++) {
    DebyeVec3 *vertex = append(piece, &piece->vertices);
    if (vertex != NULL)
      *vertex = debye_surface_circle_point(circle, exposed.begin + (end == 0 ? 0.0 : exposed.length));
  }
}

/* Of the circle of the atom and its neighbor `which`. */
static void
add_circle(const Search *search, Piece *piece, size_t atom, size_t which)
{
  const Neighbor *neighbors = piece->neighbors.data;
  DebyeSurfaceCircle circle = {.n_arcs = 0};
  piece->exposed.n = 0;
  if (!set_circle(search, atom, &neighbors[which], &circle))
    return;
  keep(piece, 0.0, 2.0 * PI);
  for (size_t i = 0; i < piece->neighbors.n; i++)
    if (i != which && !is_same(search, neighbors[i].atom, neighbors[which].atom) &&
        !cover(search, piece, &circle, neighbors[i].atom))
      return;
  circle.first_arc = (uint32_t)piece->arcs.n;
  for (size_t i = 0; i < piece->exposed.n; i++)
    add_arc(piece, &circle, ((const DebyeSurfaceArc *)piece->exposed.data)[i]);
  DebyeSurfaceCircle *kept = circle.n_arcs > 0 ? append(piece, &piece->circles) : NULL;
  if (kept == NULL)
    return;
  *kept = circle;
  for (int end = 0; end < 2; end++)
    __atomic_store_n(&search->is_exposed[circle.atom[end]], true, __ATOMIC_RELAXED);
}

static void
find_circles(void *context, size_t chunk)
{
  const Search *search = context;
  Piece *piece = &search->pieces[chunk];
  const size_t first = chunk * CHUNK_ATOMS, n = search->spheres->n;
  for (size_t atom = first; atom < n && atom < first + CHUNK_ATOMS && !piece->failed; atom++) {
    if (!find_neighbors(search, piece, atom))
      continue;
    const Neighbor *neighbors = piece->neighbors.data;
    for (size_t i = 0; i < piece->neighbors.n; i++)
      if (neighbors[i].atom > atom)
        add_circle(search, piece, atom, i);
    if (piece->neighbors.n == 0)
      __atomic_store_n(&search->is_exposed[atom], true, __ATOMIC_RELAXED);
  }
}

/* Faces. */

static void
add_face(const Search *search, Piece *piece, size_t atom)
{
  const double own = expanded(search, atom);
  if (!find_neighbors(search, piece, atom))
    return;
  DebyeSurfaceFace *face = append(piece, &piece->faces);
  if (face != NULL)
    *face = (DebyeSurfaceFace){(uint32_t)atom, (uint32_t)piece->neighbors.n, piece->caps.n};
  for (size_t i = 0; i < piece->neighbors.n; i++) {
    const Neighbor *neighbor = &((const Neighbor *)piece->neighbors.data)[i];
    const double its = expanded(search, neighbor->atom);
    DebyeSurfaceCap *cap = append(piece, &piece->caps);
    if (cap != NULL)
      *cap = (DebyeSurfaceCap){neighbor->axis, 0.5 * (neighbor->distance2 + own * own - its * its) / own};
  }
}

static void
find_faces(void *context, size_t chunk)
{
  const Search *search = context;
  Piece *piece = &search->pieces[chunk];
  const size_t first = chunk * CHUNK_ATOMS, n = search->spheres->n;
  for (size_t atom = first; atom < n && atom < first + CHUNK_ATOMS && !piece->failed; atom++)
    if (search->is_exposed[atom])
      add_face(search, piece, atom);
}

/* The whole. */

/* Behind the *n elements that are there. */
static void
copy_list(void *to, size_t *n, const List *list)
{
  if (list->n > 0)
    memcpy((char *)to + *n * list->size, list->data, list->n * list->size);
  *n += list->n;
}

static void
join(const Search *search, DebyeReducedSurface *surface)
{
  for (size_t i = 0; i < search->n_pieces; i++) {
    const Piece *piece = &search->pieces[i];
    for (size_t k = 0; k < piece->faces.n; k++)
      ((DebyeSurfaceFace *)piece->faces.data)[k].first_cap += surface->n_caps;
    for (size_t k = 0; k < piece->circles.n; k++)
      ((DebyeSurfaceCircle *)piece->circles.data)[k].first_arc += (uint32_t)surface->n_arcs;
    copy_list(surface->faces, &surface->n_faces, &piece->faces);
    copy_list(surface->caps, &surface->n_caps, &piece->caps);
    copy_list(surface->circles, &surface->n_circles, &piece->circles);
    copy_list(surface->arcs, &surface->n_arcs, &piece->arcs);
    copy_list(surface->vertices, &surface->n_vertices, &piece->vertices);
  }
}

static bool
make_room(const Search *search, DebyeReducedSurface *surface)
{
  size_t faces = 1, caps = 1, circles = 1, arcs = 1, vertices = 1;
  for (size_t i = 0; i < search->n_pieces; i++) {
    const Piece *piece = &search->pieces[i];
    if (piece->failed)
      return false;
    faces += piece->faces.n;
    caps += piece->caps.n;
    circles += piece->circles.n;
    arcs += piece->arcs.n;
    vertices += piece->vertices.n;
  }
  surface->faces = malloc(faces * sizeof *surface->faces);
  surface->caps = malloc(caps * sizeof *surface->caps);
  surface->circles = malloc(circles * sizeof *surface->circles);
  surface->arcs = malloc(arcs * sizeof *surface->arcs);
  surface->vertices = malloc(vertices * sizeof *surface->vertices);
  return surface->faces != NULL && surface->caps != NULL && surface->circles != NULL &&
         surface->arcs != NULL && surface->vertices != NULL;
}

static bool
open_search(Search *search, const DebyeSpheres *spheres, double probe)
{
  double largest = 0.0;
  for (size_t i = 0; i < spheres->n; i++)
    largest = fmax(largest, (double)spheres->radius[i]);
  *search = (Search){.spheres = spheres, .probe = probe, .largest = largest + probe};
  search->n_pieces = (spheres->n + CHUNK_ATOMS - 1) / CHUNK_ATOMS;
  search->pieces = calloc(search->n_pieces + 1, sizeof *search->pieces);
  search->is_exposed = calloc(spheres->n + 1, sizeof *search->is_exposed);
  for (size_t i = 0; i < search->n_pieces && search->pieces != NULL; i++)
    search->pieces[i] = (Piece){.faces = list_of(sizeof(DebyeSurfaceFace)),
                                .caps = list_of(sizeof(DebyeSurfaceCap)),
                                .circles = list_of(sizeof(DebyeSurfaceCircle)),
                                .arcs = list_of(sizeof(DebyeSurfaceArc)),
                                .vertices = list_of(sizeof(DebyeVec3)),
                                .neighbors = list_of(sizeof(Neighbor)),
                                .exposed = list_of(sizeof(DebyeSurfaceArc))};
  return debye_sphere_bins_init(&search->bins, spheres, fmax(largest + probe, 1e-3)) &&
         search->pieces != NULL && search->is_exposed != NULL;
}

static void
close_search(Search *search)
{
  for (size_t i = 0; i < search->n_pieces && search->pieces != NULL; i++)
    clear_piece(&search->pieces[i]);
  free(search->pieces);
  free(search->is_exposed);
  debye_sphere_bins_clear(&search->bins);
}

DebyeStatusCode
debye_reduced_surface_init(DebyeReducedSurface *surface, const DebyeSpheres *spheres, double probe,
                           const DebyeChunkRunner *runner, DebyeStatus *status)
{
  Search search;
  *surface = (DebyeReducedSurface){.spheres = *spheres, .probe = probe};
  bool good = open_search(&search, spheres, probe);
  if (good) {
    debye_chunks_run(runner, search.n_pieces, find_circles, &search);
    debye_chunks_run(runner, search.n_pieces, find_faces, &search);
    good = make_room(&search, surface);
  }
  if (good)
    join(&search, surface);
  close_search(&search);
  if (good)
    return debye_status_ok(status);
  debye_reduced_surface_clear(surface);
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for the surface of %zu atoms.",
                          spheres->n);
}

void
debye_reduced_surface_clear(DebyeReducedSurface *surface)
{
  free(surface->faces);
  free(surface->caps);
  free(surface->circles);
  free(surface->arcs);
  free(surface->vertices);
  *surface = (DebyeReducedSurface){.n_faces = 0};
}
