/* SPDX-License-Identifier: MIT */
/* The layer that draws the bins of a cutoff: as thin rods along the edges of their cubes, atoms beyond the
 * capacity as octahedra; or one bin with those that its points have to look at and the cutoff's circles. */
#include "bin_layer.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stddef.h>

#include "data/molecule/periodic.h"

#define EDGE_RADIUS 0.08
#define MARK_RADIUS 0.6
#define SIDES 6
#define NEAR_RADIUS 0.12
#define CHOSEN_RADIUS 0.22
#define CIRCLE_RADIUS 0.13
#define BIN_COLOR 0x5c8fb8
/* Okabe and Ito's vermillion, bluish green, reddish purple. */
#define OVERFLOW_COLOR 0xd55e00
#define CHOSEN_COLOR 0x009e73
#define CORNER_COLOR 0xcc79a7

/* Far less than 2²¹ bins along an edge, so that three numbers fit into one. */
#define PLACE_BITS 20
#define MAX_PLACES (1 << PLACE_BITS)

/* What is known of an atom; the first of a bin never overflows and stands for its bin. */
enum { OVERFLOWS = 1, OF_CHOSEN_BIN = 2, OF_CORNER_BIN = 4, IS_BROUGHT = 8, IS_WITHIN = 16 };

struct _DebyeBinLayer {
  DebyeMoleculeMeshLayer parent;
  GBytes *known; /* a byte an atom, the flags above; NULL: not known yet */
  guint n_overflow, n_brought, n_within;
  int atom; /* whose bin is looked at; −1: none's */
  int bin
      [3]; /* without an atom the one that is looked at, from the lattice's corner; any −1: all are shown */
  int list;
};

enum { PROPERTY_0, PROPERTY_N_OVERFLOW, PROPERTY_N_BROUGHT, PROPERTY_N_WITHIN, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

enum { LIST_CUBE, LIST_SPHERE };
static const DebyeChoice lists[] = {
    {"cube", N_("Cube"),
     "all bins within reach along each axis; those that a sphere leaves out in another colour"},
    {"sphere", N_("Sphere"), "bins with a point nearer than the cutoff"},
    {NULL, NULL, NULL}};

enum { CAPACITY, EDGE, CUTOFF, SPACING, ATOM, LIST, BIN }; /* the numbers of the parameters */
#define OF_BIN(name, axis)                                                                               \
  {                                                                                                      \
    .property = name, .type = G_TYPE_INT, .member = offsetof(DebyeBinLayer, bin) + (axis) * sizeof(int), \
    .range = {                                                                                           \
      -1.0,                                                                                              \
      MAX_PLACES - 1,                                                                                    \
      -1.0                                                                                               \
    }                                                                                                    \
  }
static const DebyeLayerSetting settings[] = {
    {.option = {.key = "bins",
                .kind = DEBYE_SETTING_BOOLEAN,
                .initial = "false",
                .help = "bins of the cutoff that hold atoms, with a mark at each atom beyond their capacity"},
     .adds = TRUE},
    {.property = "capacity",
     .label = N_("Capacity"),
     .name = N_("Capacity in atoms"),
     .low = 1.0,
     .high = DEBYE_MAX_BIN_CAPACITY,
     .range = {0.01, 100.0, 8.0},
     .earlier = "detail",
     .option = {.key = "bins-capacity",
                .label = "Bin capacity",
                .kind = DEBYE_SETTING_NUMBER,
                .initial = "8",
                .minimum = 1.0,
                .maximum = 100.0,
                .help = "atoms that have a slot in a bin"}},
    /* The initial one is that of the bins of a sum up to a cutoff. */
    {.property = "edge",
     .label = N_("Edge"),
     .name = N_("Edge in ångström"),
     .unit = "Å",
     .low = 2.0,
     .high = 12.0,
     .range = {0.0, 180.0, 4.0},
     .earlier = "angle",
     .option = {.key = "bins-edge",
                .label = "Bin edge",
                .kind = DEBYE_SETTING_NUMBER,
                .initial = "4",
                .minimum = 0.5,
                .maximum = 180.0,
                .help = "edge of the bins"}},
    {.property = "cutoff",
     .label = N_("Cutoff"),
     .name = N_("Cutoff in ångström"),
     .unit = "Å",
     .low = 4.0,
     .high = 24.0,
     .range = {0.1, 100.0, 12.0},
     .option = {.key = "bins-cutoff",
                .label = "Cutoff",
                .kind = DEBYE_SETTING_NUMBER,
                .initial = "12",
                .minimum = 0.1,
                .maximum = 100.0,
                .help = "cutoff of the points in the bin of --bins-atom"}},
    {.property = "spacing",
     .label = N_("Spacing"),
     .name = N_("Distance between grid points in ångström"),
     .unit = "Å",
     .low = 0.1,
     .high = 2.0,
     .range = {0.01, 10.0, 0.5}},
    {.property = "atom",
     .label = N_("Bin of atom"),
     .name = N_("Index of the atom whose bin is examined"),
     .tooltip = N_("The bin of this atom with those that its points have to search; −1: all bins. Click an "
                   "atom or a bin to choose it"),
     .type = G_TYPE_INT,
     .member = offsetof(DebyeBinLayer, atom),
     .range = {-1.0, G_MAXINT, -1.0},
     .option = {.key = "bins-atom",
                .label = "Bin of atom",
                .kind = DEBYE_SETTING_INTEGER,
                .initial = "-1",
                .minimum = -1,
                .maximum = G_MAXINT,
                .help = "index of an atom: its bin alone, the bins that its points have to search, and the "
                        "circles of the cutoff around its corner points; -1: all bins"}},
    {.property = "list",
     .label = N_("Bins to search"),
     .choices = lists,
     .type = G_TYPE_INT,
     .member = offsetof(DebyeBinLayer, list),
     .range = {0.0, LIST_SPHERE, LIST_CUBE},
     .option = {.key = "bins-list",
                .label = "Bins to search",
                .initial = "cube",
                .help = "bins that the points in the bin of --bins-atom search"}},
    OF_BIN("bin-x", 0),
    OF_BIN("bin-y", 1),
    OF_BIN("bin-z", 2),
    {.property = "n-overflow", .label = N_("Left over")},
    {.property = "n-brought", .label = N_("Loaded")},
    {.property = "n-within", .label = N_("Within the cutoff")},
    {.property = "choice", .label = N_("Atoms"), .name = N_("Atoms of this layer")},
};

G_DEFINE_FINAL_TYPE(DebyeBinLayer, debye_bin_layer, DEBYE_TYPE_MOLECULE_MESH_LAYER)

/* --- On the thread --- */

typedef struct {
  DebyeVec3 low;
  double edge, cutoff, spacing;
  guint capacity;
  DebyeMeshBuilder builder;
  guint8 *known;
  /* The chosen bin and the reach of its search. */
  gboolean has_chosen, is_sphere;
  gint64 place, chosen[3], reach;
  gboolean is_drawn; /* the chosen one, which else holds no atom */
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

static gint64
join_place(const double at[3])
{
  return (gint64)at[0] | (gint64)at[1] << PLACE_BITS | (gint64)at[2] << (2 * PLACE_BITS);
}

static gboolean
find_place(const Sorting *sorting, DebyeVec3 position, gint64 *place)
{
  const DebyeVec3 at = debye_vec3_scale(debye_vec3_subtract(position, sorting->low), 1.0 / sorting->edge);
  if (!(at.x >= 0.0 && at.y >= 0.0 && at.z >= 0.0 && at.x < MAX_PLACES && at.y < MAX_PLACES &&
        at.z < MAX_PLACES))
    return FALSE;
  *place = join_place((const double[3]){at.x, at.y, at.z});
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

static void
split_place(gint64 place, gint64 at[3])
{
  const gint64 mask = MAX_PLACES - 1;
  at[0] = place & mask;
  at[1] = place >> PLACE_BITS & mask;
  at[2] = place >> (2 * PLACE_BITS) & mask;
}

static void
add_cube(Sorting *sorting, gint64 place, double radius, guint32 atom)
{
  gint64 at[3];
  split_place(place, at);
  const DebyeVec3 corner = debye_vec3((double)at[0], (double)at[1], (double)at[2]);
  debye_mesh_builder_add_cube(&sorting->builder,
                              debye_vec3_add(sorting->low, debye_vec3_scale(corner, sorting->edge)),
                              sorting->edge, radius, SIDES, atom);
}

/* --- What one bin looks at (app/classroom/bin_statistics.h has the formulas) --- */

static void
choose_bin(Sorting *sorting, gint64 place, gboolean is_sphere)
{
  sorting->has_chosen = TRUE;
  sorting->place = place;
  sorting->is_sphere = is_sphere;
  split_place(place, sorting->chosen);
  sorting->reach = (gint64)MAX(ceil((sorting->cutoff - 0.5 * sorting->spacing) / sorting->edge), 0.0);
}

/* Whether the bin is one of the cube, and of those one of the sphere: has points nearer than the cutoff. */
static gboolean
is_looked_at(const Sorting *sorting, gint64 place, gboolean *is_in_sphere)
{
  gint64 at[3];
  double gap2 = 0.0;
  split_place(place, at);
  for (int axis = 0; axis < 3; axis++) {
    const gint64 delta = ABS(at[axis] - sorting->chosen[axis]);
    const double gap = delta > 0 ? ((double)delta - 1.0) * sorting->edge + 0.5 * sorting->spacing : 0.0;
    if (delta > sorting->reach)
      return FALSE;
    gap2 += gap * gap;
  }
  *is_in_sphere = gap2 < sorting->cutoff * sorting->cutoff;
  return *is_in_sphere || !sorting->is_sphere;
}

/* The box of the chosen bin's points: half their spacing from its faces. */
static void
find_points(const Sorting *sorting, double from[3], double to[3])
{
  const double low[3] = {sorting->low.x, sorting->low.y, sorting->low.z};
  const double inset = MIN(0.5 * sorting->spacing, 0.5 * sorting->edge);
  for (int axis = 0; axis < 3; axis++) {
    from[axis] = low[axis] + (double)sorting->chosen[axis] * sorting->edge + inset;
    to[axis] = from[axis] + sorting->edge - 2.0 * inset;
  }
}

static gboolean
is_within(const Sorting *sorting, DebyeVec3 position)
{
  const double at[3] = {position.x, position.y, position.z};
  double from[3], to[3], distance2 = 0.0;
  find_points(sorting, from, to);
  for (int axis = 0; axis < 3; axis++) {
    const double outside = MAX(MAX(from[axis] - at[axis], at[axis] - to[axis]), 0.0);
    distance2 += outside * outside;
  }
  return distance2 < sorting->cutoff * sorting->cutoff;
}

/* Around each of the eight corner points, across z. */
static void
add_circles(Sorting *sorting, guint32 atom)
{
  double from[3], to[3];
  find_points(sorting, from, to);
  for (unsigned corner = 0; corner < 8; corner++) {
    const DebyeVec3 middle = debye_vec3(corner & 1u ? to[0] : from[0], corner & 2u ? to[1] : from[1],
                                        corner & 4u ? to[2] : from[2]);
    debye_mesh_builder_add_ring(&sorting->builder, middle, sorting->cutoff, CIRCLE_RADIUS, SIDES, atom);
  }
}

static void
add_chosen(Sorting *sorting, gint64 place, guint32 atom)
{
  sorting->is_drawn = TRUE;
  add_circles(sorting, atom);
  add_cube(sorting, place, CHOSEN_RADIUS, atom);
}

/* Whether the bin is drawn, as its first atom then knows. */
static gboolean
begin_bin(Sorting *sorting, const Sorted *entry)
{
  gboolean is_in_sphere = TRUE;
  if (sorting->has_chosen && !is_looked_at(sorting, entry->place, &is_in_sphere))
    return FALSE;
  if (!is_in_sphere)
    sorting->known[entry->atom] |= OF_CORNER_BIN;
  if (sorting->has_chosen && entry->place == sorting->place) {
    sorting->known[entry->atom] |= OF_CHOSEN_BIN;
    add_chosen(sorting, entry->place, entry->atom);
  } else {
    add_cube(sorting, entry->place, sorting->has_chosen ? NEAR_RADIUS : EDGE_RADIUS, entry->atom);
  }
  return TRUE;
}

static void
add_bins(Sorting *sorting, const DebyeMoleculeMeshRequest *request, const GArray *sorted,
         GCancellable *cancellable)
{
  guint in_bin = 0;
  gboolean is_drawn = FALSE;
  for (guint i = 0; i < sorted->len && !g_cancellable_is_cancelled(cancellable); i++) {
    const Sorted *entry = &g_array_index(sorted, Sorted, i);
    const DebyeVec3 position = debye_frame_get_position(request->frame, entry->atom);
    in_bin = i > 0 && entry[-1].place == entry->place ? in_bin + 1 : 0;
    if (in_bin == 0)
      is_drawn = begin_bin(sorting, entry);
    if (!is_drawn)
      continue;
    sorting->known[entry->atom] |= IS_BROUGHT;
    if (sorting->has_chosen && is_within(sorting, position))
      sorting->known[entry->atom] |= IS_WITHIN;
    if (in_bin < sorting->capacity)
      continue;
    sorting->known[entry->atom] |= OVERFLOWS;
    debye_mesh_builder_add_octahedron(&sorting->builder, position, MARK_RADIUS, entry->atom);
  }
}

static DebyeMesh *
debye_bin_layer_make_mesh(const DebyeMoleculeMeshRequest *request, GBytes **notes, GCancellable *cancellable)
{
  DebyeVec3 high;
  const double *parameters = request->parameters;
  const gsize n_atoms = request->frame->n_atoms;
  Sorting sorting = {.edge = MAX(parameters[EDGE], DEBYE_MIN_BIN_EDGE),
                     .cutoff = parameters[CUTOFF],
                     .spacing = parameters[SPACING],
                     .capacity = (guint)MAX(parameters[CAPACITY], 1.0)};
  sorting.known = g_new0(guint8, n_atoms + 1);
  debye_mesh_builder_init(&sorting.builder);
  if (debye_frame_get_bounds(request->frame, request->atoms, request->n_atoms, &sorting.low, &high)) {
    gint64 place;
    const double *bin = parameters + BIN;
    g_autoptr(GArray) sorted = sort_atoms(&sorting, request);
    if (parameters[ATOM] >= 0.0 && parameters[ATOM] < (double)n_atoms &&
        find_place(&sorting, debye_frame_get_position(request->frame, (gsize)parameters[ATOM]), &place))
      choose_bin(&sorting, place, (int)parameters[LIST] == LIST_SPHERE);
    else if (bin[0] >= 0.0 && bin[1] >= 0.0 && bin[2] >= 0.0)
      choose_bin(&sorting, join_place(bin), (int)parameters[LIST] == LIST_SPHERE);
    add_bins(&sorting, request, sorted, cancellable);
  }
  /* No atom stands for an empty one: it has the number after theirs. */
  if (sorting.has_chosen && !sorting.is_drawn)
    add_chosen(&sorting, sorting.place, (guint32)n_atoms);
  *notes = g_bytes_new_take(sorting.known, n_atoms);
  return debye_mesh_builder_finish(&sorting.builder);
}

/* --- On the main thread --- */

static void
debye_bin_layer_take_notes(DebyeMoleculeMeshLayer *layer, GBytes *notes)
{
  DebyeBinLayer *self = DEBYE_BIN_LAYER(layer);
  gsize n = 0;
  const guint8 *known = notes != NULL ? g_bytes_get_data(notes, &n) : NULL;
  guint n_overflow = 0, n_brought = 0, n_within = 0;
  for (gsize i = 0; i < n; i++) {
    n_overflow += (known[i] & OVERFLOWS) != 0;
    n_brought += (known[i] & IS_BROUGHT) != 0;
    n_within += (known[i] & IS_WITHIN) != 0;
  }
  g_clear_pointer(&self->known, g_bytes_unref);
  self->known = notes != NULL ? g_bytes_ref(notes) : NULL;
  self->n_overflow = n_overflow;
  self->n_brought = n_brought;
  self->n_within = n_within;
  for (guint property = PROPERTY_N_OVERFLOW; property < N_PROPERTIES; property++)
    g_object_notify_by_pspec(G_OBJECT(self), properties[property]);
}

/* Atom, list and bin are members, on which the mesh depends as well. */
static void
debye_bin_layer_setting_changed(DebyeLayer *layer)
{
  DebyeBinLayer *self = DEBYE_BIN_LAYER(layer);
  debye_molecule_mesh_layer_set_parameter(DEBYE_MOLECULE_MESH_LAYER(self), ATOM, self->atom);
  debye_molecule_mesh_layer_set_parameter(DEBYE_MOLECULE_MESH_LAYER(self), LIST, self->list);
  for (guint axis = 0; axis < 3; axis++) {
    if (self->atom >= 0)
      self->bin[axis] = -1; /* so that without the atom all bins are shown */
    debye_molecule_mesh_layer_set_parameter(DEBYE_MOLECULE_MESH_LAYER(self), BIN + axis, self->bin[axis]);
  }
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
debye_bin_layer_make_styles(DebyeMoleculeMeshLayer *layer)
{
  DebyeBinLayer *self = DEBYE_BIN_LAYER(layer);
  const gsize n_atoms = debye_topology_get_n_atoms(debye_molecule_mesh_layer_get_topology(layer));
  gsize n_known = 0;
  const guint8 *known = self->known != NULL ? g_bytes_get_data(self->known, &n_known) : NULL;
  guint color;
  g_object_get(self, "color", &color, NULL);
  guint8 *styles = g_malloc(4 * n_atoms + 4);
  for (gsize i = 0; i < n_atoms; i++) {
    const guint8 flags = i < n_known ? known[i] : 0;
    put_color(styles + 4 * i, flags & OVERFLOWS       ? OVERFLOW_COLOR
                              : flags & OF_CHOSEN_BIN ? CHOSEN_COLOR
                              : flags & OF_CORNER_BIN ? CORNER_COLOR
                                                      : color);
  }
  put_color(styles + 4 * n_atoms, CHOSEN_COLOR); /* of an empty bin */
  return styles;
}

/* An empty bin's edges are no atom's. */
static gboolean
debye_bin_layer_pick(DebyeLayer *layer, DebyeVec3 origin, DebyeVec3 direction, DebyePick *pick)
{
  DebyeTopology *topology = debye_molecule_mesh_layer_get_topology(DEBYE_MOLECULE_MESH_LAYER(layer));
  if (!DEBYE_LAYER_CLASS(debye_bin_layer_parent_class)->pick(layer, origin, direction, pick))
    return FALSE;
  if (pick->atom >= (gint64)debye_topology_get_n_atoms(topology))
    pick->atom = -1;
  return TRUE;
}

static void
debye_bin_layer_get_property(GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  const DebyeBinLayer *self = DEBYE_BIN_LAYER(object);
  switch (id) {
  case PROPERTY_N_OVERFLOW:
    g_value_set_uint(value, self->n_overflow);
    break;
  case PROPERTY_N_BROUGHT:
    g_value_set_uint(value, self->n_brought);
    break;
  case PROPERTY_N_WITHIN:
    g_value_set_uint(value, self->n_within);
    break;
  default:
    G_OBJECT_CLASS(debye_bin_layer_parent_class)->get_property(object, id, value, spec);
  }
}

static void
debye_bin_layer_finalize(GObject *object)
{
  g_clear_pointer(&DEBYE_BIN_LAYER(object)->known, g_bytes_unref);
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
  static const char *const counts[] = {NULL, "n-overflow", "n-brought", "n-within"};
  DEBYE_LAYER_CLASS(class)->setting_changed = debye_bin_layer_setting_changed;
  DEBYE_LAYER_CLASS(class)->pick = debye_bin_layer_pick;
  for (guint property = PROPERTY_N_OVERFLOW; property < N_PROPERTIES; property++)
    properties[property] = g_param_spec_uint(counts[property], NULL, NULL, 0, G_MAXUINT, 0,
                                             G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
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
  debye_bin_layer_setting_changed(DEBYE_LAYER(self));
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
