/* SPDX-License-Identifier: MIT */
/* The reduced surface on a GPU: what neighbors leave of the circles where two spheres meet; called by what
 * needs a surface there. A block has an atom and its threads the neighbors. Arcs are counted and get their
 * places by their order, so that the result is always the same. */
#include "surface_math.cuh"
#include "surface_neighbors.cuh"

#define PI 3.14159265358979323846
/* As reduced_surface.c has them. */
#define LEAST_RADIUS 1e-9
#define LEAST_ARC 1e-12
/* Neighbors of one atom that are kept at hand. */
#define KEPT 256
/* Of one circle. */
#define MAX_ARCS 24
/* Of a block that has an atom's circles. */
#define THREADS 128
/* Arcs that are expected for each atom: where there are more, they are found again. */
#define ARCS_PER_ATOM 4
/* Features are 30 bits wide. */
#define MOST_NEIGHBORS (1u << 30)

/* Circles. */

struct Circle {
  double3 center, u, v;
  double radius;
};

static __device__ bool
set_circle(const DebyeCudaSurface &surface, uint32_t atom, uint32_t other, Circle *circle)
{
  const float4 one = surface.atoms[atom], two = surface.atoms[other];
  const double own = (double)one.w + surface.probe, its = (double)two.w + surface.probe;
  const double3 apart = center_of(two) - center_of(one);
  const double distance2 = dot(apart, apart), distance = sqrt(distance2);
  const double along = 0.5 * (distance2 + own * own - its * its) / distance;
  const double radius2 = own * own - along * along;
  if (!(radius2 > LEAST_RADIUS * LEAST_RADIUS * own * own))
    return false;
  const double3 axis = (1.0 / distance) * apart;
  const double3 across =
      fabs(axis.x) < 0.6 ? make_double3(0.0, axis.z, -axis.y) : make_double3(-axis.z, 0.0, axis.x);
  circle->u = (1.0 / sqrt(dot(across, across))) * across;
  circle->v =
      make_double3(axis.y * circle->u.z - axis.z * circle->u.y, axis.z * circle->u.x - axis.x * circle->u.z,
                   axis.x * circle->u.y - axis.y * circle->u.x);
  circle->center = center_of(one) + along * axis;
  circle->radius = sqrt(radius2);
  return true;
}

static __device__ __forceinline__ double
wrap_angle(double angle)
{
  return angle - 2.0 * PI * floor(angle / (2.0 * PI));
}

/* What is left of a circle. */
struct Exposed {
  DebyeSurfaceArc arcs[MAX_ARCS];
  int n;
  bool is_full; /* there was no room for an arc */
};

static __device__ __forceinline__ DebyeSurfaceArc
arc_from(double begin, double length)
{
  DebyeSurfaceArc arc;
  arc.begin = wrap_angle(begin);
  arc.length = length;
  return arc;
}

/* From the last to the first: what is new stands behind those that are to come. */
static __device__ void
take_off(Exposed *exposed, double begin, double length)
{
  for (int i = exposed->n - 1; i >= 0; i--) {
    const DebyeSurfaceArc arc = exposed->arcs[i];
    const double from = wrap_angle(begin - arc.begin), to = from + length, head = fmax(0.0, to - 2.0 * PI);
    const bool is_whole = arc.length >= 2.0 * PI;
    const double first = is_whole ? 2.0 * PI - length : fmin(from, arc.length) - head;
    const double second = is_whole ? 0.0 : arc.length - to;
    int place = i;
    if (first > LEAST_ARC) {
      exposed->arcs[i] = arc_from(arc.begin + (is_whole ? to : head), first);
      place = exposed->n;
    }
    if (second > LEAST_ARC && place < MAX_ARCS) {
      exposed->arcs[place] = arc_from(arc.begin + to, second);
      exposed->n += place == exposed->n;
    } else if (second > LEAST_ARC) {
      exposed->is_full = true;
    } else if (place == i) {
      exposed->arcs[i] = exposed->arcs[--exposed->n];
    }
  }
}

/* The spheres about an atom, those that come first at hand; one that lies within another has a radius below 0. */
struct Around {
  const DebyeCudaSurface &surface;
  const uint8_t *is_exposed;
  uint32_t begin, n;
  const float4 *kept;

  __device__ __forceinline__ float4 load(uint32_t k) const
  {
    const uint32_t number = surface.neighbors[begin + k];
    float4 sphere = surface.atoms[number];
    sphere.w = is_exposed[number] == DEBYE_SURFACE_WITHIN ? -1.0f : sphere.w;
    return sphere;
  }

  __device__ __forceinline__ float4 get(uint32_t k) const
  {
    return k < KEPT ? kept[k] : load(k);
  }
};

/* What all neighbors of the atom but the circle's own leave of it. One that lies within another covers nothing more; of
 * two that are the same rounding would decide what they leave of a third. */
static __device__ void
expose(const Around &around, double probe, const Circle &circle, uint32_t own, Exposed *exposed)
{
  exposed->n = 1;
  exposed->arcs[0].begin = 0.0;
  exposed->arcs[0].length = 2.0 * PI;
  for (uint32_t k = 0; k < around.n && exposed->n > 0; k++) {
    const float4 other = around.get(k);
    if (k == own || other.w < 0.0f)
      continue;
    const double3 w = circle.center - center_of(other);
    const double radius = (double)other.w + probe;
    const double along_u = dot(w, circle.u), along_v = dot(w, circle.v);
    const double most = sqrt(along_u * along_u + along_v * along_v);
    const double limit = 0.5 * (radius * radius - dot(w, w) - circle.radius * circle.radius) / circle.radius;
    if (limit >= most) {
      exposed->n = 0;
    } else if (limit > -most) {
      const double half = acos(limit / most);
      take_off(exposed, atan2(along_v, along_u) + half, 2.0 * (PI - half));
    }
  }
}

static __device__ double3
circle_point(const Circle &circle, double angle)
{
  double sine, cosine;
  sincos(angle, &sine, &cosine);
  return circle.center + circle.radius * (cosine * circle.u + sine * circle.v);
}

static __device__ void
write_arc(const Circle &circle, DebyeSurfaceArc exposed, DebyeCudaSurfaceArc *arc, double3 *vertices)
{
  const double half = 0.5 * exposed.length, middle = exposed.begin + half, none = nan("");
  DebyeCudaSurfaceArc made = {circle.center, circle.u, circle.v, circle.center, circle.radius, circle.radius};
  sincos(middle, &made.along_v, &made.along_u);
  made.cosine = cos(half);
  /* The ball about the middle of the chord. */
  if (half < 0.5 * PI) {
    made.ball =
        circle.center + circle.radius * made.cosine * (made.along_u * circle.u + made.along_v * circle.v);
    made.ball_radius = circle.radius * sin(half);
  }
  *arc = made;
  vertices[0] = vertices[1] = make_double3(none, none, none);
  if (exposed.length < 2.0 * PI) {
    vertices[0] = circle_point(circle, exposed.begin);
    vertices[1] = circle_point(circle, exposed.begin + exposed.length);
  }
}

/* An arc that was found, whose place is not known yet: number `number` of a pair. */
struct FoundArc {
  DebyeSurfaceArc arc;
  uint32_t pair, number, atom, other;
};

/* first_arc gets the number of arcs of each pair, which is one of the atom that
 * comes first; arcs beyond `room` are only counted. */
static __global__ void
__launch_bounds__(THREADS) find_arcs(const __grid_constant__ DebyeCudaSurface surface, uint32_t *first_arc,
                                     uint8_t *is_exposed, FoundArc *arcs, uint32_t room, uint32_t *found)
{
  __shared__ float4 kept[KEPT];
  const uint32_t atom = blockIdx.x, begin = surface.first_neighbor[atom];
  const Around around = {surface, is_exposed, begin, surface.first_neighbor[atom + 1] - begin, kept};
  for (uint32_t k = threadIdx.x; k < around.n && k < KEPT; k += THREADS)
    kept[k] = around.load(k);
  __syncthreads();
  for (uint32_t k = threadIdx.x; k < around.n; k += THREADS) {
    const uint32_t other = surface.neighbors[begin + k];
    Circle circle;
    Exposed exposed;
    exposed.n = 0;
    exposed.is_full = false;
    if (other > atom && around.get(k).w >= 0.0f && set_circle(surface, atom, other, &circle))
      expose(around, surface.probe, circle, k, &exposed);
    first_arc[begin + k] = (uint32_t)exposed.n;
    if (exposed.is_full)
      found[FOUND_TOO_MANY] = 1;
    if (exposed.n == 0)
      continue;
    is_exposed[atom] = is_exposed[other] = 1;
    const uint32_t place = atomicAdd(&found[FOUND_ARCS], (uint32_t)exposed.n);
    for (int i = 0; i < exposed.n && place + i < room; i++)
      arcs[place + i] = FoundArc{exposed.arcs[i], begin + k, (uint32_t)i, atom, other};
  }
}

static __global__ void
__launch_bounds__(THREADS)
    write_arcs(const __grid_constant__ DebyeCudaSurface surface, const uint32_t *first_arc,
               const FoundArc *found, DebyeCudaSurfaceArc *arcs, double3 *vertices)
{
  const uint32_t i = blockIdx.x * THREADS + threadIdx.x;
  Circle circle;
  if (i >= surface.n_arcs)
    return;
  const FoundArc arc = found[i];
  const uint32_t place = first_arc[arc.pair] + arc.number;
  if (set_circle(surface, arc.atom, arc.other, &circle))
    write_arc(circle, arc.arc, arcs + place, vertices + 2 * place);
}

/* The whole. */

void
debye_cuda_surface_list(DebyeCudaSurfaceMaker *maker, DebyePlanMemory *memory, uint64_t n_atoms)
{
  /* Neighbors and arcs of an atom in a protein, probes as large as water. */
  const uint64_t neighbors = 120 * n_atoms, arcs = ARCS_PER_ATOM * n_atoms;
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_PINNED, &maker->atoms_on_host, n_atoms, sizeof(float4));
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_PINNED, &maker->begin_on_host, n_atoms, sizeof(uint32_t));
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &maker->atoms, n_atoms, sizeof(float4));
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &maker->begin, n_atoms, sizeof(uint32_t));
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &maker->first_neighbor, n_atoms, sizeof(uint32_t));
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &maker->neighbors, neighbors, sizeof(uint32_t));
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &maker->is_exposed, n_atoms, sizeof(uint8_t));
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &maker->first_arc, neighbors, sizeof(uint32_t));
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &maker->found_arcs, arcs, sizeof(FoundArc));
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &maker->arcs, arcs, sizeof(DebyeCudaSurfaceArc));
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &maker->vertices, 2 * arcs, sizeof(double3));
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &maker->scratch, 0, 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, maker->found, DEBYE_SURFACE_N_FOUND);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, maker->found_on_host, DEBYE_SURFACE_N_FOUND);
}

void
debye_cuda_surface_release(DebyeCudaSurfaceMaker *maker)
{
  for (DebyeRoom *room :
       {&maker->atoms, &maker->begin, &maker->first_neighbor, &maker->neighbors, &maker->is_exposed,
        &maker->first_arc, &maker->found_arcs, &maker->arcs, &maker->vertices, &maker->scratch})
    debye_room_give_back(room, DEBYE_MEMORY_DEVICE, &debye_cuda_memory_source);
}

/* Again with more room, where that was too little. */
static void
list_arcs(DebyeCudaSurfaceMaker *maker, uint32_t n_neighbors, DebyeCudaSurface *surface, DebyeStream *stream)
{
  uint8_t *is_exposed = (uint8_t *)maker->is_exposed.memory;
  uint64_t room = (uint64_t)ARCS_PER_ATOM * surface->n_atoms;
  debye_stream_reserve(stream, &maker->first_arc, (uint64_t)n_neighbors + 1, sizeof(uint32_t));
  uint32_t *first = (uint32_t *)maker->first_arc.memory;
  for (surface->n_arcs = UINT32_MAX; surface->n_arcs > room && debye_stream_is_good(stream);) {
    room = surface->n_arcs == UINT32_MAX ? room : surface->n_arcs;
    debye_stream_reserve(stream, &maker->found_arcs, room, sizeof(FoundArc));
    debye_stream_clear(stream, maker->found, DEBYE_SURFACE_N_FOUND * sizeof *maker->found);
    if (debye_stream_is_good(stream))
      find_arcs<<<surface->n_atoms, THREADS, 0, stream->handle>>>(
          *surface, first, is_exposed, (FoundArc *)maker->found_arcs.memory, (uint32_t)room, maker->found);
    debye_stream_note_launch(stream);
    debye_stream_download(stream, maker->found_on_host + FOUND_TOO_MANY, maker->found + FOUND_TOO_MANY,
                          sizeof *maker->found);
    surface->n_arcs = debye_cuda_surface_add_up(maker, &maker->first_arc, n_neighbors, FOUND_ARCS, stream);
  }
  debye_stream_reserve(stream, &maker->arcs, surface->n_arcs, sizeof(DebyeCudaSurfaceArc));
  debye_stream_reserve(stream, &maker->vertices, 2 * (uint64_t)surface->n_arcs, sizeof(double3));
  surface->arcs = (const DebyeCudaSurfaceArc *)maker->arcs.memory;
  surface->vertices = (const double3 *)maker->vertices.memory;
  if (debye_stream_is_good(stream) && surface->n_arcs > 0)
    write_arcs<<<(surface->n_arcs + THREADS - 1) / THREADS, THREADS, 0, stream->handle>>>(
        *surface, first, (const FoundArc *)maker->found_arcs.memory,
        (DebyeCudaSurfaceArc *)maker->arcs.memory, (double3 *)maker->vertices.memory);
  debye_stream_note_launch(stream);
}

static DebyeStatusCode
reduce(DebyeCudaSurfaceMaker *maker, const DebyeSphereBins *bins, DebyeCudaSurface *surface,
       DebyeStream *stream, DebyeStatus *status)
{
  const bool is_crowded = debye_cuda_surface_is_crowded(bins, surface->n_atoms);
  const uint32_t n_neighbors =
      is_crowded ? MOST_NEIGHBORS : debye_cuda_surface_list_neighbors(maker, bins, surface, stream);
  if (n_neighbors < MOST_NEIGHBORS)
    list_arcs(maker, n_neighbors, surface, stream);
  if (n_neighbors >= MOST_NEIGHBORS ||
      (debye_stream_is_good(stream) && maker->found_on_host[FOUND_TOO_MANY] != 0))
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED,
                            "The surface of %u atoms has too many neighbors or arcs.", surface->n_atoms);
  return debye_status_ok(status);
}

DebyeStatusCode
debye_cuda_surface_make(DebyeCudaSurfaceMaker *maker, DebyeSurfaceKind kind, const DebyeSpheres *spheres,
                        double probe, DebyeStream *stream, DebyeCudaSurface *surface, DebyeStatus *status)
{
  const bool is_excluded = kind == DEBYE_SURFACE_EXCLUDED && probe > 0.0;
  DebyeStatusCode code = debye_status_ok(status);
  DebyeSphereBins bins;
  *surface = DebyeCudaSurface{};
  surface->n_atoms = (uint32_t)spheres->n;
  surface->probe = is_excluded ? probe : 0.0;
  surface->more = kind == DEBYE_SURFACE_ACCESSIBLE ? probe : 0.0;
  surface->is_union = !is_excluded;
  for (size_t i = 0; i < spheres->n; i++)
    surface->largest_radius = fmax(surface->largest_radius, (double)spheres->radius[i]);
  if (!debye_sphere_bins_init(&bins, spheres, fmax(surface->largest_radius + probe, 1e-3)))
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                            "There is no memory for the surface of %zu atoms.", spheres->n);
  debye_cuda_surface_upload(maker, spheres, &bins, stream);
  surface->atoms = (const float4 *)maker->atoms.memory;
  if (is_excluded && spheres->n > 0 && debye_stream_is_good(stream))
    code = reduce(maker, &bins, surface, stream, status);
  debye_sphere_bins_clear(&bins);
  /* An error of the stream is the first: what was found is nothing. */
  return debye_stream_is_good(stream) ? code : debye_stream_finish(stream, "finding a surface", status);
}
