/* SPDX-License-Identifier: MIT */
/* Makes the ribbons of a cartoon for cartoon_layer.c. Rings of vertices follow the path. Round pieces have an
 * ellipse for a section, which widens into helices; strands have edges, so each of their faces has vertices
 * of its own. A unit owns the path from halfway before it to halfway behind it: where shapes meet, colours do. */
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
#define TIP_WIDTH 0.25 /* little less than the tube that follows: a narrower tip would be a neck of it */
#define NUCLEIC_WIDTH 0.95
#define NUCLEIC_THICKNESS 0.34
#define RUNG_RADIUS 0.24
#define RUNG_SIDES 10
#define LONGEST_RUNG 15.0

#define ARROW_LENGTH 1.6 /* units */
#define LONGEST_HEAD 0.6 /* of a strand: of a short one a body is left */
#define BORDER 0.5       /* units from a trace to where its neighbour's part begins */
#define WIDENING 0.8     /* units, at most 1, from the border of a helix to its full width */
#define FLAT \
  0.1 /* depth of an end at a strand's back or tip, where a round one would stand out of the strand */
#define SLOPE_STEP 0.02  /* units, for differences of the section */
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

/* Part of a run, in units, of the units first … last. */
typedef struct {
  gsize first, last;
  double from, to;
} Piece;

/* Of the nearest unit of the piece: at a border, where two are as near, its own. */
static guint32
atom_at(const Run *run, const Piece *piece, double place)
{
  return run->units[CLAMP((gsize)(place + 0.5), piece->first, piece->last)].trace;
}

static Piece
piece_of(const Run *run, gsize first, gsize last)
{
  return (Piece){first, last, first == 0 ? 0.0 : (double)first - BORDER,
                 last + 1 == run->n ? (double)last : (double)last + BORDER};
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

/* Half sizes of an ellipse, and how they grow along the path. */
typedef struct {
  double width, thickness, widening, thickening;
} Section;

static guint32
add_ellipse(Drawing *drawing, const DebyeCartoonPlace *at, const Section *section, guint32 atom)
{
  guint32 first = drawing->mesh.atoms->len;
  for (int k = 0; k < drawing->sides; k++) {
    double x = drawing->cosine[k] / section->width, y = drawing->sine[k] / section->thickness;
    double along = -(x * drawing->cosine[k] * section->widening + y * drawing->sine[k] * section->thickening);
    debye_mesh_builder_add_vertex(
        &drawing->mesh,
        beside(at, section->width * drawing->cosine[k], section->thickness * drawing->sine[k]),
        turned(at, along, x, y), atom);
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

/* A round end behind the ring, `depth` long; facing what follows if that is above 0. */
static void
close_end(Drawing *drawing, const DebyeCartoonPlace *at, const Section *section, double depth, guint32 ring,
          guint32 atom)
{
  const double facing = depth > 0.0 ? 1.0 : -1.0, width = section->width, thickness = section->thickness;
  guint32 n = (guint32)drawing->sides;
  for (int step = 1; step <= DOME_STEPS; step++) {
    const double angle = 0.5 * G_PI * step / DOME_STEPS, c = cos(angle), s = sin(angle);
    DebyeCartoonPlace beyond = *at;
    beyond.position = debye_vec3_add(at->position, debye_vec3_scale(at->along, depth * s));
    guint32 next = drawing->mesh.atoms->len;
    for (guint32 k = 0; k < (step < DOME_STEPS ? n : 1); k++) {
      double x = c * drawing->cosine[k], y = c * drawing->sine[k];
      debye_mesh_builder_add_vertex(&drawing->mesh, beside(&beyond, width * x, thickness * y),
                                    turned(at, s / depth, x / width, y / thickness), atom);
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

/* How much of a helix is here: 1 within, fading to nothing at its borders. */
static double
helix_part(const Run *run, double place)
{
  const gsize i = MIN((gsize)fmax(place + BORDER, 0.0), run->n - 1);
  double inside = WIDENING;
  if (run->shapes[i] != DEBYE_CARTOON_HELIX)
    return 0.0;
  if (i > 0 && run->shapes[i - 1] != DEBYE_CARTOON_HELIX)
    inside = place - ((double)i - BORDER);
  if (i + 1 < run->n && run->shapes[i + 1] != DEBYE_CARTOON_HELIX)
    inside = fmin(inside, (double)i + BORDER - place);
  return smooth_step(inside / WIDENING);
}

static void
size_at(const Run *run, double scale, double place, double *width, double *thickness)
{
  double part = helix_part(run, place);
  *width = scale * (COIL_RADIUS + part * (HELIX_WIDTH - COIL_RADIUS));
  *thickness = scale * (COIL_RADIUS + part * (HELIX_THICKNESS - COIL_RADIUS));
  if (run->units[0].polymer == DEBYE_POLYMER_NUCLEIC) {
    *width = scale * NUCLEIC_WIDTH;
    *thickness = scale * NUCLEIC_THICKNESS;
  }
}

static Section
section_at(const Run *run, double scale, double place)
{
  Section section;
  DebyeCartoonPlace low, high;
  double widths[2], thicknesses[2];
  size_at(run, scale, place, &section.width, &section.thickness);
  size_at(run, scale, place - SLOPE_STEP, &widths[0], &thicknesses[0]);
  size_at(run, scale, place + SLOPE_STEP, &widths[1], &thicknesses[1]);
  debye_cartoon_path_get(&run->path, place - SLOPE_STEP, &low);
  debye_cartoon_path_get(&run->path, place + SLOPE_STEP, &high);
  double length = fmax(debye_vec3_length(debye_vec3_subtract(high.position, low.position)), 1e-3);
  section.widening = (widths[1] - widths[0]) / length;
  section.thickening = (thicknesses[1] - thicknesses[0]) / length;
  return section;
}

static void
draw_tube(Drawing *drawing, const Run *run, const Piece *piece)
{
  const double length = piece->to - piece->from;
  int n_rings = MAX((int)ceil(length * drawing->steps), 1);
  guint32 before = 0;
  for (int k = 0; k <= n_rings; k++) {
    double place = piece->from + length * (double)k / n_rings;
    DebyeCartoonPlace at;
    debye_cartoon_path_get(&run->path, place, &at);
    const Section section = section_at(run, drawing->scale, place);
    guint32 atom = atom_at(run, piece, place);
    guint32 ring = add_ellipse(drawing, &at, &section, atom);
    if (k > 0)
      join_rings(drawing, before, ring, drawing->sides);
    if (k == 0)
      close_end(drawing, &at, &section, -section.thickness * (piece->first > 0 ? FLAT : 1.0), ring, atom);
    if (k == n_rings)
      close_end(drawing, &at, &section, section.thickness * (piece->last + 1 < run->n ? FLAT : 1.0), ring,
                atom);
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

/* The back of a strand and of its arrow's head (`facing` below 0), and the head's tip. */
static void
cap_rectangle(Drawing *drawing, const DebyeCartoonPlace *at, double width, double facing, guint32 atom)
{
  const double thickness = drawing->scale * STRAND_THICKNESS, first = -facing * width;
  DebyeVec3 normal = debye_vec3_scale(at->along, facing);
  guint32 a = debye_mesh_builder_add_vertex(&drawing->mesh, beside(at, first, -thickness), normal, atom);
  guint32 b = debye_mesh_builder_add_vertex(&drawing->mesh, beside(at, -first, -thickness), normal, atom);
  guint32 c = debye_mesh_builder_add_vertex(&drawing->mesh, beside(at, -first, thickness), normal, atom);
  guint32 d = debye_mesh_builder_add_vertex(&drawing->mesh, beside(at, first, thickness), normal, atom);
  debye_mesh_builder_add_triangle(&drawing->mesh, a, b, c);
  debye_mesh_builder_add_triangle(&drawing->mesh, a, c, d);
}

/* With the width changing evenly; its ends are closed. */
static void
draw_slab(Drawing *drawing, const Run *run, const Piece *piece, double wide, double narrow)
{
  const double span = piece->to - piece->from;
  int n_rings = MAX((int)ceil(span * drawing->steps), 1);
  DebyeCartoonPlace start, end;
  debye_cartoon_path_get(&run->path, piece->from, &start);
  debye_cartoon_path_get(&run->path, piece->to, &end);
  double length = debye_vec3_length(debye_vec3_subtract(end.position, start.position));
  double slope = length > 0.0 ? (narrow - wide) / length : 0.0;
  guint32 before = 0;
  cap_rectangle(drawing, &start, wide, -1.0, atom_at(run, piece, piece->from));
  cap_rectangle(drawing, &end, narrow, 1.0, atom_at(run, piece, piece->to));
  for (int k = 0; k <= n_rings; k++) {
    double part = (double)k / n_rings, place = piece->from + part * span;
    DebyeCartoonPlace at;
    debye_cartoon_path_get(&run->path, place, &at);
    guint32 ring =
        add_rectangle(drawing, &at, wide + part * (narrow - wide), slope, atom_at(run, piece, place));
    if (k > 0)
      join_rectangles(drawing, before, ring);
    before = ring;
  }
}

static void
draw_strand(Drawing *drawing, const Run *run, const Piece *piece)
{
  const double scale = drawing->scale;
  Piece body = *piece, head = *piece;
  body.to = head.from = piece->to - fmin(ARROW_LENGTH, LONGEST_HEAD * (piece->to - piece->from));
  draw_slab(drawing, run, &body, scale * STRAND_WIDTH, scale * STRAND_WIDTH);
  draw_slab(drawing, run, &head, scale * ARROW_WIDTH, scale * TIP_WIDTH);
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
  for (gsize first = 0, last; first < run->n; first = last + 1) {
    const gboolean is_strand = run->shapes[first] == DEBYE_CARTOON_STRAND;
    last = end_of_shape(run, first);
    while (!is_strand && last + 1 < run->n && run->shapes[last + 1] != DEBYE_CARTOON_STRAND)
      last = end_of_shape(run, last + 1);
    const Piece piece = piece_of(run, first, last);
    if (is_strand)
      draw_strand(drawing, run, &piece);
    else if (piece.to > piece.from)
      draw_tube(drawing, run, &piece);
  }
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
