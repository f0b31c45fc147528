/* SPDX-License-Identifier: MIT */
/* The layer that draws the bins of a cutoff: as thin rods along the edges of their cubes, atoms beyond the
 * capacity as octahedra. */
#include "bin_layer.h"

#include <glib/gi18n.h>
#include <math.h>

#include "data/molecule/periodic.h"

#define EDGE_RADIUS 0.05
#define MARK_RADIUS 0.6
#define SIDES 4
#define BIN_COLOR 0x5c8fb8
#define OVERFLOW_COLOR 0xd55e00 /* Okabe and Ito's vermillion */

struct _DebyeBinLayer {
  DebyeMoleculeMeshLayer parent;
  GBytes *overflow; /* a byte an atom: 1 where it found no room; NULL: not known yet */
  guint n_overflow;
};

enum { PROPERTY_0, PROPERTY_N_OVERFLOW, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

enum { CAPACITY, EDGE }; /* the numbers of the parameters */
static const DebyeLayerSetting settings[] = {
    {.property = "capacity",
     .label = N_("Capacity"),
     .name = N_("Capacity in atoms"),
     .low = 1.0,
     .high = DEBYE_MAX_BIN_CAPACITY,
     .range = {0.01, 100.0, 8.0},
     .earlier = "detail"},
    /* The initial one is that of the bins of a sum up to a cutoff. */
    {.property = "edge",
     .label = N_("Edge"),
     .name = N_("Edge in ångström"),
     .unit = "Å",
     .low = 2.0,
     .high = 12.0,
     .range = {0.0, 180.0, 4.0},
     .earlier = "angle"},
    {.property = "n-overflow", .label = N_("Left over")},
    {.property = "choice", .label = N_("Atoms"), .name = N_("Atoms of this layer")},
};

G_DEFINE_FINAL_TYPE(DebyeBinLayer, debye_bin_layer, DEBYE_TYPE_MOLECULE_MESH_LAYER)

/* --- On the thread --- */

typedef struct {
  DebyeVec3 low;
  double edge;
  guint capacity;
  DebyeMeshBuilder builder;
  guint8 *overflow;
} Sorting;

typedef struct {
  gint64 place; /* of the bin, x fastest */
  guint32 atom;
} Sorted;

static int
compare_sorted(gconstpointer a, gconstpointer b)
{
  const Sorted *first = a, *second = b;
  if (first->place != second->place)
    return first->place < second->place ? -1 : 1;
  return first->atom < second->atom ? -1 : first->atom > second->atom;
}

/* Far less than 2²¹ bins along an edge, so that three numbers fit into one. */
#define PLACE_BITS 20
#define MAX_PLACES (1 << PLACE_BITS)

static gboolean
find_place(const Sorting *sorting, DebyeVec3 position, gint64 *place)
{
  const DebyeVec3 at = debye_vec3_scale(debye_vec3_subtract(position, sorting->low), 1.0 / sorting->edge);
  if (!(at.x >= 0.0 && at.y >= 0.0 && at.z >= 0.0 && at.x < MAX_PLACES && at.y < MAX_PLACES &&
        at.z < MAX_PLACES))
    return FALSE;
  *place = (gint64)at.x | (gint64)at.y << PLACE_BITS | (gint64)at.z << (2 * PLACE_BITS);
  return TRUE;
}

static GArray *
sort_atoms(const Sorting *sorting, const DebyeMoleculeMeshRequest *request)
{
  const gsize n = request->atoms != NULL ? request->n_atoms : request->frame->n_atoms;
  GArray *sorted = g_array_new(FALSE, FALSE, sizeof(Sorted));
  for (gsize i = 0; i < n; i++) {
    Sorted entry = {.atom = request->atoms != NULL ? request->atoms[i] : (guint32)i};
    if (find_place(sorting, debye_frame_get_position(request->frame, entry.atom), &entry.place))
      g_array_append_val(sorted, entry);
  }
  g_array_sort(sorted, compare_sorted);
  return sorted;
}

/* The twelve edges: from each corner to those that one step of an axis leads to. */
static void
add_cube(Sorting *sorting, gint64 place, guint32 atom)
{
  const gint64 mask = MAX_PLACES - 1;
  const double corner[] = {(double)(place & mask), (double)(place >> PLACE_BITS & mask),
                           (double)(place >> (2 * PLACE_BITS) & mask)};
  for (unsigned from = 0; from < 8; from++)
    for (unsigned axis = 0; axis < 3; axis++) {
      const unsigned to = from | 1u << axis;
      if (to == from)
        continue;
      DebyeVec3 ends[2];
      for (int end = 0; end < 2; end++) {
        const unsigned which = end == 0 ? from : to;
        ends[end] =
            debye_vec3(corner[0] + (which & 1u), corner[1] + (which >> 1 & 1u), corner[2] + (which >> 2));
        ends[end] = debye_vec3_add(sorting->low, debye_vec3_scale(ends[end], sorting->edge));
      }
      debye_mesh_builder_add_rod(&sorting->builder, ends[0], ends[1], EDGE_RADIUS, SIDES, atom);
    }
}

/* Faces of their own normals: eight triangles. */
static void
add_mark(Sorting *sorting, DebyeVec3 middle, guint32 atom)
{
  for (unsigned octant = 0; octant < 8; octant++) {
    const double x = octant & 1u ? -1.0 : 1.0, y = octant & 2u ? -1.0 : 1.0, z = octant & 4u ? -1.0 : 1.0;
    const DebyeVec3 normal = debye_vec3_scale(debye_vec3(x, y, z), 1.0 / sqrt(3.0));
    const DebyeVec3 tips[] = {debye_vec3(x, 0.0, 0.0), debye_vec3(0.0, y, 0.0), debye_vec3(0.0, 0.0, z)};
    const guint32 turned = x * y * z < 0.0;
    guint32 vertex[3];
    for (guint k = 0; k < 3; k++)
      vertex[k] = debye_mesh_builder_add_vertex(
          &sorting->builder, debye_vec3_add(middle, debye_vec3_scale(tips[k], MARK_RADIUS)), normal, atom);
    debye_mesh_builder_add_triangle(&sorting->builder, vertex[0], vertex[1 + turned], vertex[2 - turned]);
  }
}

static void
add_bins(Sorting *sorting, const DebyeMoleculeMeshRequest *request, const GArray *sorted,
         GCancellable *cancellable)
{
  guint in_bin = 0;
  for (guint i = 0; i < sorted->len && !g_cancellable_is_cancelled(cancellable); i++) {
    const Sorted *entry = &g_array_index(sorted, Sorted, i);
    in_bin = i > 0 && entry[-1].place == entry->place ? in_bin + 1 : 0;
    if (in_bin == 0)
      add_cube(sorting, entry->place, entry->atom);
    if (in_bin < sorting->capacity)
      continue;
    sorting->overflow[entry->atom] = 1;
    add_mark(sorting, debye_frame_get_position(request->frame, entry->atom), entry->atom);
  }
}

static DebyeMesh *
debye_bin_layer_make_mesh(const DebyeMoleculeMeshRequest *request, GBytes **notes, GCancellable *cancellable)
{
  DebyeVec3 high;
  Sorting sorting = {.edge = MAX(request->parameters[EDGE], 0.5),
                     .capacity = (guint)MAX(request->parameters[CAPACITY], 1.0)};
  sorting.overflow = g_new0(guint8, request->frame->n_atoms + 1);
  debye_mesh_builder_init(&sorting.builder);
  if (debye_frame_get_bounds(request->frame, request->atoms, request->n_atoms, &sorting.low, &high)) {
    g_autoptr(GArray) sorted = sort_atoms(&sorting, request);
    add_bins(&sorting, request, sorted, cancellable);
  }
  *notes = g_bytes_new_take(sorting.overflow, request->frame->n_atoms);
  return debye_mesh_builder_finish(&sorting.builder);
}

/* --- On the main thread --- */

static void
debye_bin_layer_take_notes(DebyeMoleculeMeshLayer *layer, GBytes *notes)
{
  DebyeBinLayer *self = DEBYE_BIN_LAYER(layer);
  gsize n = 0;
  const guint8 *overflow = notes != NULL ? g_bytes_get_data(notes, &n) : NULL;
  guint n_overflow = 0;
  for (gsize i = 0; i < n; i++)
    n_overflow += overflow[i];
  g_clear_pointer(&self->overflow, g_bytes_unref);
  self->overflow = notes != NULL ? g_bytes_ref(notes) : NULL;
  self->n_overflow = n_overflow;
  g_object_notify_by_pspec(G_OBJECT(self), properties[PROPERTY_N_OVERFLOW]);
}

static void
put_color(guint8 *style, guint32 color)
{
  style[0] = (guint8)(color >> 16);
  style[1] = (guint8)(color >> 8);
  style[2] = (guint8)color;
  style[3] = 255;
}

static guint8 *
debye_bin_layer_make_styles(DebyeMoleculeMeshLayer *layer, int coloring G_GNUC_UNUSED, guint32 color)
{
  DebyeBinLayer *self = DEBYE_BIN_LAYER(layer);
  const gsize n_atoms = debye_topology_get_n_atoms(debye_molecule_mesh_layer_get_topology(layer));
  gsize n_known = 0;
  const guint8 *overflow = self->overflow != NULL ? g_bytes_get_data(self->overflow, &n_known) : NULL;
  guint8 *styles = g_malloc(4 * n_atoms + 1);
  for (gsize i = 0; i < n_atoms; i++)
    put_color(styles + 4 * i, i < n_known && overflow[i] ? OVERFLOW_COLOR : color);
  return styles;
}

static void
debye_bin_layer_get_property(GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  if (id == PROPERTY_N_OVERFLOW)
    g_value_set_uint(value, DEBYE_BIN_LAYER(object)->n_overflow);
  else
    G_OBJECT_CLASS(debye_bin_layer_parent_class)->get_property(object, id, value, spec);
}

static void
debye_bin_layer_finalize(GObject *object)
{
  g_clear_pointer(&DEBYE_BIN_LAYER(object)->overflow, g_bytes_unref);
  G_OBJECT_CLASS(debye_bin_layer_parent_class)->finalize(object);
}

static void
debye_bin_layer_class_init(DebyeBinLayerClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS(class);
  DebyeMoleculeMeshLayerClass *mesh_class = DEBYE_MOLECULE_MESH_LAYER_CLASS(class);
  object_class->get_property = debye_bin_layer_get_property;
  object_class->finalize = debye_bin_layer_finalize;
  mesh_class->make_mesh = debye_bin_layer_make_mesh;
  mesh_class->take_notes = debye_bin_layer_take_notes;
  mesh_class->make_styles = debye_bin_layer_make_styles;
  properties[PROPERTY_N_OVERFLOW] =
      g_param_spec_uint("n-overflow", NULL, NULL, 0, G_MAXUINT, 0, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties(object_class, N_PROPERTIES, properties);
  debye_molecule_mesh_layer_class_install(mesh_class, &debye_bin_layer_kind);
}

static void
debye_bin_layer_init(DebyeBinLayer *self)
{
  g_object_set(self, "color", BIN_COLOR, NULL);
}

DebyeBinLayer *
debye_bin_layer_new(DebyeTopology *topology)
{
  DebyeBinLayer *self = g_object_new(DEBYE_TYPE_BIN_LAYER, NULL);
  debye_molecule_mesh_layer_init_for(DEBYE_MOLECULE_MESH_LAYER(self), topology, NULL);
  return self;
}

static gpointer
create(const DebyeLayerContents *contents)
{
  return debye_bin_layer_new(contents->topology);
}

const DebyeLayerKind debye_bin_layer_kind = {
    .key = "bins",
    .title = N_("Bins of the cutoff"),
    .section = 2,
    .needs = DEBYE_LAYER_NEEDS_ATOMS,
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
    .create = create,
};
