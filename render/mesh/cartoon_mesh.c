/* SPDX-License-Identifier: MIT */
/* Makes the ribbons of a cartoon for cartoon_layer.c. Rings of vertices follow the path. Round pieces have an
 * ellipse for a section, which widens into helices; strands have edges, so each of their faces has vertices
 * of its own. */
#include "cartoon_mesh.h"

#include "data/molecule/periodic.h"
#include "data/molecule/secondary_structure.h"

/* Half sizes of the sections, Å. */
#define COIL_RADIUS 0.28
#define HELIX_WIDTH 1.3
#define HELIX_THICKNESS 0.26
#define STRAND_WIDTH 1.05
#define STRAND_THICKNESS 0.24
#define ARROW_WIDTH 1.8
#define TIP_WIDTH 0.14 /* its corners, STRAND_THICKNESS from the middle, stay within the tube that follows */
#define NUCLEIC_WIDTH 0.95
#define NUCLEIC_THICKNESS 0.34
#define RUNG_RADIUS 0.24
#define RUNG_SIDES 10
#define LONGEST_RUNG 15.0

#define ARROW_LENGTH 1.4 /* units */
#define WIDENING 0.7     /* of the unit beside a helix */
#define SHORTEST_HELIX 3 /* units; less is no ribbon */
#define SHORTEST_STRAND 2
#define MAX_SIDES 24
#define DOME_STEPS 4 /* rings of a round end */

/* Units up to which that fine a mesh is drawn: more of them are smaller on the screen. */
static const struct {
  gsize max_units;
  int steps, sides; /* rings a unit; vertices a ring */
} fineness[] = {{600, 12, 20}, {3000, 8, 16}, {10000, 6, 12}, {G_MAXSIZE, 4, 8}};

typedef struct {
  DebyeMeshBuilder mesh;
  double scale;
  int steps, sides;
  double cosine[MAX_SIDES], sine[MAX_SIDES];
} Drawing;

/* A stretch of linked units that are drawn. */
typedef struct {
  const DebyeBackboneUnit *units;
  guint8 *shapes;
  gsize n;
  DebyeCartoonPath path;
} Run;

/* --- Rings --- */

static guint32
atom_at(const Run *run, double place)
{
  return run->units[MIN((gsize)(place + 0.5), run->n - 1)].trace;
}

/* A point of the section plane. */
static DebyeVec3
beside(const DebyeCartoonPlace *at, double side, double up)
{
  DebyeVec3 p = debye_vec3_add(at->position, debye_vec3_scale(at->side, side));
  return debye_vec3_add(p, debye_vec3_scale(at->up, up));
}

static DebyeVec3
turned(const DebyeCartoonPlace *at, double along, double side, double up)
{
  DebyeVec3 v = debye_vec3_scale(at->along, along);
  v = debye_vec3_add(v, debye_vec3_scale(at->side, side));
  v = debye_vec3_add(v, debye_vec3_scale(at->up, up));
  return debye_vec3_scale(v, 1.0 / fmax(debye_vec3_length(v), 1e-12));
}

static guint32
add_ellipse(Drawing *drawing, const DebyeCartoonPlace *at, double width, double thickness, guint32 atom)
{
  guint32 first = drawing->mesh.atoms->len;
  for (int k = 0; k < drawing->sides; k++) {
    double c = drawing->cosine[k], s = drawing->sine[k];
    debye_mesh_builder_add_vertex(&drawing->mesh, beside(at, width * c, thickness * s),
                                  turned(at, 0.0, c / width, s / thickness), atom);
  }
  return first;
}

/* Between two rings of as many vertices; the second lies further along. */
static void
join_rings(Drawing *drawing, guint32 first, guint32 second, int n_sides)
{
  for (int k = 0; k < n_sides; k++) {
    guint32 a = (guint32)k, b = (guint32)((k + 1) % n_sides);
    debye_mesh_builder_add_triangle(&drawing->mesh, first + a, first + b, second + b);
    debye_mesh_builder_add_triangle(&drawing->mesh, first + a, second + b, second + a);
  }
}

/* A round end behind the ring; `facing` 1: towards what follows. A flat one would stand out as a step where the tube
 * meets the tip of an arrow. */
static void
close_end(Drawing *drawing, const DebyeCartoonPlace *at, double width, double thickness, double facing,
          guint32 ring, guint32 atom)
{
  guint32 n = (guint32)drawing->sides;
  for (int step = 1; step <= DOME_STEPS; step++) {
    const double angle = 0.5 * G_PI * step / DOME_STEPS, c = cos(angle), s = sin(angle);
    DebyeCartoonPlace beyond = *at;
    beyond.position = debye_vec3_add(at->position, debye_vec3_scale(at->along, facing * thickness * s));
    guint32 next = drawing->mesh.atoms->len;
    for (guint32 k = 0; k < (step < DOME_STEPS ? n : 1); k++) {
      double x = c * drawing->cosine[k], y = c * drawing->sine[k];
      debye_mesh_builder_add_vertex(&drawing->mesh, beside(&beyond, width * x, thickness * y),
                                    turned(at, facing * s / thickness, x / width, y / thickness), atom);
    }
    for (guint32 k = 0; step == DOME_STEPS && k < n; k++) {
      guint32 here = ring + k, beside_it = ring + (k + 1) % n;
      debye_mesh_builder_add_triangle(&drawing->mesh, facing > 0.0 ? here : beside_it,
                                      facing > 0.0 ? beside_it : here, next);
    }
    if (step < DOME_STEPS)
      join_rings(drawing, facing > 0.0 ? ring : next, facing > 0.0 ? next : ring, drawing->sides);
    ring = next;
  }
}

/* --- Round pieces --- */

static double
smooth_step(double x)
{
  x = fmin(fmax(x, 0.0), 1.0);
  return x * x * (3.0 - 2.0 * x);
}

/* How much of a helix is here: 1 between two of its units, fading beside it. */
static double
helix_part(const Run *run, double place)
{
  gsize i = MIN((gsize)place, run->n - 2);
  double t = place - (double)i;
  gboolean before = run->shapes[i] == DEBYE_CARTOON_HELIX, after = run->shapes[i + 1] == DEBYE_CARTOON_HELIX;
  if (before == after)
    return before ? 1.0 : 0.0;
  return smooth_step(1.0 - (before ? t : 1.0 - t) / WIDENING);
}

static void
section_at(const Run *run, double scale, double place, double *width, double *thickness)
{
  double part = helix_part(run, place);
  *width = scale * (COIL_RADIUS + part * (HELIX_WIDTH - COIL_RADIUS));
  *thickness = scale * (COIL_RADIUS + part * (HELIX_THICKNESS - COIL_RADIUS));
  if (run->units[0].polymer == DEBYE_POLYMER_NUCLEIC) {
    *width = scale * NUCLEIC_WIDTH;
    *thickness = scale * NUCLEIC_THICKNESS;
  }
}

static void
draw_tube(Drawing *drawing, const Run *run, gsize first, gsize last)
{
  int n_rings = (int)(last - first) * drawing->steps;
  guint32 before = 0;
  for (int k = 0; k <= n_rings; k++) {
    double place = (double)first + (double)k / drawing->steps, width, thickness;
    DebyeCartoonPlace at;
    debye_cartoon_path_get(&run->path, place, &at);
    section_at(run, drawing->scale, place, &width, &thickness);
    guint32 atom = atom_at(run, place);
    guint32 ring = add_ellipse(drawing, &at, width, thickness, atom);
    if (k > 0)
      join_rings(drawing, before, ring, drawing->sides);
    if (k == 0 || k == n_rings)
      close_end(drawing, &at, width, thickness, k == 0 ? -1.0 : 1.0, ring, atom);
    before = ring;
  }
}

/* --- Strands --- */

enum { N_FACES = 4 };

/* Two vertices a face: above, beside, below, beside. `slope`: how the width grows along the path. */
static guint32
add_rectangle(Drawing *drawing, const DebyeCartoonPlace *at, double width, double slope, guint32 atom)
{
  static const double corners[N_FACES + 1][2] = {{1, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  static const double normals[N_FACES][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  double thickness = drawing->scale * STRAND_THICKNESS;
  guint32 first = drawing->mesh.atoms->len;
  for (int face = 0; face < N_FACES; face++) {
    DebyeVec3 normal = turned(at, -slope * fabs(normals[face][0]), normals[face][0], normals[face][1]);
    for (int end = 0; end < 2; end++) {
      const double *corner = corners[face + end];
      debye_mesh_builder_add_vertex(&drawing->mesh, beside(at, width * corner[0], thickness * corner[1]),
                                    normal, atom);
    }
  }
  return first;
}

static void
join_rectangles(Drawing *drawing, guint32 first, guint32 second)
{
  for (guint32 face = 0; face < 2 * N_FACES; face += 2) {
    debye_mesh_builder_add_triangle(&drawing->mesh, first + face, first + face + 1, second + face + 1);
    debye_mesh_builder_add_triangle(&drawing->mesh, first + face, second + face + 1, second + face);
  }
}

/* The back of a strand, and of its arrow's head. */
static void
cap_rectangle(Drawing *drawing, const DebyeCartoonPlace *at, double width, guint32 atom)
{
  double thickness = drawing->scale * STRAND_THICKNESS;
  DebyeVec3 normal = debye_vec3_scale(at->along, -1.0);
  guint32 a = debye_mesh_builder_add_vertex(&drawing->mesh, beside(at, width, -thickness), normal, atom);
  guint32 b = debye_mesh_builder_add_vertex(&drawing->mesh, beside(at, -width, -thickness), normal, atom);
  guint32 c = debye_mesh_builder_add_vertex(&drawing->mesh, beside(at, -width, thickness), normal, atom);
  guint32 d = debye_mesh_builder_add_vertex(&drawing->mesh, beside(at, width, thickness), normal, atom);
  debye_mesh_builder_add_triangle(&drawing->mesh, a, b, c);
  debye_mesh_builder_add_triangle(&drawing->mesh, a, c, d);
}

/* From `from` to `to`, with the width changing evenly; its back is closed. */
static void
draw_slab(Drawing *drawing, const Run *run, double from, double to, double wide, double narrow)
{
  int n_rings = MAX((int)ceil((to - from) * drawing->steps), 1);
  DebyeCartoonPlace start, end;
  debye_cartoon_path_get(&run->path, from, &start);
  debye_cartoon_path_get(&run->path, to, &end);
  double length = debye_vec3_length(debye_vec3_subtract(end.position, start.position));
  double slope = length > 0.0 ? (narrow - wide) / length : 0.0;
  guint32 before = 0;
  cap_rectangle(drawing, &start, wide, atom_at(run, from));
  for (int k = 0; k <= n_rings; k++) {
    double part = (double)k / n_rings, place = from + part * (to - from);
    DebyeCartoonPlace at;
    debye_cartoon_path_get(&run->path, place, &at);
    guint32 ring = add_rectangle(drawing, &at, wide + part * (narrow - wide), slope, atom_at(run, place));
    if (k > 0)
      join_rectangles(drawing, before, ring);
    before = ring;
  }
}

static void
draw_strand(Drawing *drawing, const Run *run, gsize first, gsize last)
{
  double scale = drawing->scale, head = fmax((double)last - ARROW_LENGTH, (double)first);
  if (head > (double)first)
    draw_slab(drawing, run, (double)first, head, scale * STRAND_WIDTH, scale * STRAND_WIDTH);
  draw_slab(drawing, run, head, (double)last, scale * ARROW_WIDTH, scale * TIP_WIDTH);
}

/* --- Rungs of nucleic acids --- */

static void
draw_rung(Drawing *drawing, const Run *run, gsize i, const DebyeFrame *frame)
{
  const DebyeBackboneUnit *unit = &run->units[i];
  if (unit->tip == DEBYE_NO_ATOM)
    return;
  DebyeVec3 from = run->path.points[i], to = debye_frame_get_position(frame, unit->tip);
  double length = debye_vec3_length(debye_vec3_subtract(to, from));
  /* Longer: a cell's wall has cut it. */
  if (!(length < LONGEST_RUNG))
    return;
  debye_mesh_builder_add_rod(&drawing->mesh, from, to, drawing->scale * RUNG_RADIUS, RUNG_SIDES, unit->trace);
}

/* --- Runs --- */

static DebyeCartoonShape
shape_of(DebyeStructure structure)
{
  if (debye_secondary_structure_is_helix(structure))
    return DEBYE_CARTOON_HELIX;
  return structure == DEBYE_STRUCTURE_STRAND ? DEBYE_CARTOON_STRAND : DEBYE_CARTOON_COIL;
}

/* The last unit of the same shape from `first` on. */
static gsize
end_of_shape(const Run *run, gsize first)
{
  gsize last = first;
  while (last + 1 < run->n && run->shapes[last + 1] == run->shapes[first])
    last++;
  return last;
}

static void
find_shapes(Run *run, const guint8 *structure)
{
  for (gsize i = 0; i < run->n; i++)
    run->shapes[i] = (guint8)shape_of((DebyeStructure)structure[i]);
  for (gsize first = 0, last; first < run->n; first = last + 1) {
    gsize least = run->shapes[first] == DEBYE_CARTOON_HELIX ? SHORTEST_HELIX : SHORTEST_STRAND;
    last = end_of_shape(run, first);
    for (gsize i = first; i <= last && last - first + 1 < least; i++)
      run->shapes[i] = DEBYE_CARTOON_COIL;
  }
}

static void
draw_run(Drawing *drawing, const Run *run, const DebyeFrame *frame)
{
  gsize tube = 0;
  for (gsize first = 0, last; first < run->n; first = last + 1) {
    last = end_of_shape(run, first);
    if (run->shapes[first] != DEBYE_CARTOON_STRAND)
      continue;
    if (first > tube)
      draw_tube(drawing, run, tube, first);
    draw_strand(drawing, run, first, last);
    tube = last;
  }
  if (tube + 1 < run->n)
    draw_tube(drawing, run, tube, run->n - 1);
  for (gsize i = 0; i < run->n && run->units[i].polymer == DEBYE_POLYMER_NUCLEIC; i++)
    draw_rung(drawing, run, i, frame);
}

static gboolean
is_finite(const DebyeCartoonPlan *plan, gsize unit)
{
  return debye_vec3_is_finite(debye_frame_get_position(plan->frame, plan->backbone->units[unit].trace));
}

static gboolean
is_drawn(const DebyeCartoonPlan *plan, gsize unit)
{
  return plan->shown[unit] && is_finite(plan, unit);
}

/* The last unit of the run that begins at `first`. */
static gsize
end_of_run(const DebyeCartoonPlan *plan, gsize first)
{
  gsize last = first;
  while (last + 1 < plan->backbone->n_units && plan->links[last] && is_drawn(plan, last + 1))
    last++;
  return last;
}

static void
draw_units(Drawing *drawing, const DebyeCartoonPlan *plan, gsize first, gsize last)
{
  Run run = {.units = plan->backbone->units + first, .n = last - first + 1};
  g_autofree guint8 *shapes = run.shapes = g_new0(guint8, run.n);
  find_shapes(&run, plan->structure + first);
  debye_cartoon_path_init(&run.path, run.units, run.shapes, run.n, plan->frame);
  draw_run(drawing, &run, plan->frame);
  debye_cartoon_path_clear(&run.path);
}

static void
drawing_init(Drawing *drawing, const DebyeCartoonPlan *plan)
{
  gsize n_shown = 0;
  int level = 0;
  for (gsize i = 0; i < plan->backbone->n_units; i++)
    n_shown += plan->shown[i] != 0;
  while (n_shown > fineness[level].max_units)
    level++;
  *drawing = (Drawing){.scale = plan->scale, .steps = fineness[level].steps, .sides = fineness[level].sides};
  debye_mesh_builder_init(&drawing->mesh);
  for (int k = 0; k < drawing->sides; k++) {
    drawing->cosine[k] = cos(2.0 * G_PI * k / drawing->sides);
    drawing->sine[k] = sin(2.0 * G_PI * k / drawing->sides);
  }
}

DebyeMesh *
debye_cartoon_mesh_new(const DebyeCartoonPlan *plan, GCancellable *cancellable)
{
  Drawing drawing;
  drawing_init(&drawing, plan);
  for (gsize first = 0, last; first < plan->backbone->n_units; first = last + 1) {
    last = first;
    if (!is_drawn(plan, first))
      continue;
    last = end_of_run(plan, first);
    if (last > first)
      draw_units(&drawing, plan, first, last);
    if (g_cancellable_is_cancelled(cancellable))
      break;
  }
  DebyeMesh *mesh = debye_mesh_builder_finish(&drawing.mesh);
  if (g_cancellable_is_cancelled(cancellable))
    g_clear_pointer(&mesh, debye_mesh_free);
  return mesh;
}
