/* SPDX-License-Identifier: MIT */
/* What of a molecule is shown and how; what GL needs of it is made at the next drawing. */
#include "molecule_layer.h"

#include <string.h>

#include "ink.h"
#include "molecule_colors.h"
#include "molecule_gl.h"

#define STICK_RADIUS 0.18f
#define BOND_RADIUS 0.13f
#define BALL_SCALE 0.24f
#define LINE_WIDTH 1.6f
#define LONE_ATOM_SCALE 0.2f /* atoms without a bond, among lines */
#define MAX_CHAINS_LISTED 8
#define MIN_PICK_RADIUS 0.3

/* What differs from what GL has. */
typedef enum {
  CHANGED_POSITIONS = 1 << 0,
  CHANGED_STYLES = 1 << 1,
  CHANGED_ATOMS = 1 << 2,
  CHANGED_BONDS = 1 << 3,
  CHANGED_ALL = 15,
} Changes;

struct _DebyeMoleculeLayer {
  DebyeLayer parent;
  DebyeTopology *topology;
  DebyeFrame *frame;
  gboolean has_mask;
  GArray *shown;   /* guint32, with has_mask: those asked for */
  GArray *spheres; /* guint32: those drawn as spheres; NULL: not decided */
  DebyeMoleculeStyle style;
  DebyeMoleculeColoring coloring;
  double scale, opacity;
  char *selection;
  guint32 color;
  guint8 *styles;
  gboolean bounded, has_bounds; /* bounds are known; there are any */
  DebyeVec3 low, high;          /* of the centres */
  DebyeAtomOrder *order;
  DebyeMoleculeGl *gl;
  Changes changes;
};

G_DEFINE_FINAL_TYPE(DebyeMoleculeLayer, debye_molecule_layer, DEBYE_TYPE_LAYER)

enum { PROP_STYLE = 1, PROP_COLORING, PROP_SCALE, PROP_OPACITY, PROP_COLOR };

/* --- Which atoms and bonds --- */

static guint8 *
shown_marks(DebyeMoleculeLayer *self)
{
  gsize n = debye_topology_get_n_atoms(self->topology);
  guint8 *marks = g_malloc(n + 1);
  memset(marks, !self->has_mask, n);
  for (guint i = 0; self->has_mask && i < self->shown->len; i++)
    marks[g_array_index(self->shown, guint32, i)] = 1;
  return marks;
}

/* Bonds whose two atoms are shown; marks those atoms with 2. */
static GArray *
shown_bonds(DebyeMoleculeLayer *self, guint8 *marks)
{
  gsize n_bonds;
  const DebyeBond *bonds = debye_topology_get_bonds(self->topology, &n_bonds);
  GArray *kept = g_array_sized_new(FALSE, FALSE, sizeof(DebyeBond), (guint)n_bonds);
  for (gsize b = 0; b < n_bonds; b++)
    if (marks[bonds[b].i] && marks[bonds[b].j]) {
      g_array_append_val(kept, bonds[b]);
      marks[bonds[b].i] = marks[bonds[b].j] = 2;
    }
  return kept;
}

/* All that are shown; among lines only those that no bond would show. */
static void
decide_spheres(DebyeMoleculeLayer *self)
{
  if (self->spheres)
    return;
  gsize n = debye_topology_get_n_atoms(self->topology);
  g_autofree guint8 *marks = shown_marks(self);
  if (self->style == DEBYE_STYLE_LINES)
    g_array_unref(shown_bonds(self, marks));
  self->spheres = g_array_sized_new(FALSE, FALSE, sizeof(guint32), (guint)n);
  for (guint32 i = 0; i < n; i++)
    if (marks[i] == 1)
      g_array_append_val(self->spheres, i);
}

static void
forget_atoms(DebyeMoleculeLayer *self)
{
  g_clear_pointer(&self->spheres, g_array_unref);
  g_clear_pointer(&self->order, debye_atom_order_free);
  self->changes |= CHANGED_ATOMS | CHANGED_BONDS;
}

static const guint8 *
styles_of(DebyeMoleculeLayer *self)
{
  if (!self->styles)
    self->styles = debye_molecule_styles(self->topology, self->coloring, self->color);
  return self->styles;
}

static void
sphere_shape(DebyeMoleculeLayer *self, float *scale, float *offset)
{
  static const float scales[] = {[DEBYE_STYLE_SPHERES] = 1.0f,
                                 [DEBYE_STYLE_BALL_AND_STICK] = BALL_SCALE,
                                 [DEBYE_STYLE_STICKS] = 0.0f,
                                 [DEBYE_STYLE_LINES] = LONE_ATOM_SCALE};
  *scale = scales[self->style] * (float)self->scale;
  *offset = self->style == DEBYE_STYLE_STICKS ? STICK_RADIUS * (float)self->scale : 0.0f;
}

/* A bond longer than half the cell is one that the cell's wall has cut. */
static float
longest_bond(const DebyeFrame *frame)
{
  if (!frame->has_cell)
    return 1e9f;
  double shortest = fmin(debye_vec3_length(frame->cell.a),
                         fmin(debye_vec3_length(frame->cell.b), debye_vec3_length(frame->cell.c)));
  return (float)(0.5 * shortest);
}

/* --- Drawing --- */

static void
upload_bonds(DebyeMoleculeLayer *self)
{
  g_autofree guint8 *marks = shown_marks(self);
  g_autoptr(GArray) bonds = shown_bonds(self, marks);
  debye_molecule_gl_set_bonds(self->gl, (const DebyeBond *)(gpointer)bonds->data, bonds->len);
}

static void
sort_atoms(DebyeMoleculeLayer *self)
{
  decide_spheres(self);
  if (self->order && debye_atom_order_update(self->order, self->frame))
    return;
  g_clear_pointer(&self->order, debye_atom_order_free);
  self->order =
      debye_atom_order_new(self->frame, (const guint32 *)(gpointer)self->spheres->data, self->spheres->len);
  self->changes |= CHANGED_ATOMS;
}

static void
upload(DebyeMoleculeLayer *self)
{
  if (!self->gl) {
    self->gl = debye_molecule_gl_new();
    self->changes = CHANGED_ALL;
  }
  if (!self->order || self->changes & CHANGED_POSITIONS)
    sort_atoms(self);
  if (self->changes & CHANGED_POSITIONS)
    debye_molecule_gl_set_positions(self->gl, self->frame);
  if (self->changes & CHANGED_STYLES)
    debye_molecule_gl_set_styles(self->gl, styles_of(self), debye_topology_get_n_atoms(self->topology));
  if (self->changes & CHANGED_ATOMS)
    debye_molecule_gl_set_atoms(self->gl, self->order->atoms, self->order->n_atoms);
  if (self->changes & CHANGED_BONDS)
    upload_bonds(self);
  self->changes = 0;
}

static void
debye_molecule_layer_draw(DebyeLayer *layer, const DebyeDrawContext *context, DebyePass pass)
{
  DebyeMoleculeLayer *self = DEBYE_MOLECULE_LAYER(layer);
  if (!self->frame || pass == DEBYE_PASS_OVERLAY)
    return;
  upload(self);
  DebyeMoleculeShape shape = {.longest_bond = longest_bond(self->frame), .opacity = (float)self->opacity};
  sphere_shape(self, &shape.sphere_scale, &shape.sphere_offset);
  if (self->style == DEBYE_STYLE_BALL_AND_STICK)
    shape.bond_radius = BOND_RADIUS * (float)self->scale;
  else if (self->style == DEBYE_STYLE_STICKS)
    shape.bond_radius = STICK_RADIUS * (float)self->scale;
  else if (self->style == DEBYE_STYLE_LINES)
    shape.line_width = LINE_WIDTH * (float)self->scale;
  debye_molecule_gl_draw(self->gl, context, self->order, &shape);
}

static void
debye_molecule_layer_release(DebyeLayer *layer, gboolean context_lost)
{
  DebyeMoleculeLayer *self = DEBYE_MOLECULE_LAYER(layer);
  if (self->gl)
    debye_molecule_gl_free(g_steal_pointer(&self->gl), context_lost);
}

static gboolean
debye_molecule_layer_is_transparent(DebyeLayer *layer)
{
  return DEBYE_MOLECULE_LAYER(layer)->opacity < 0.999;
}

static gboolean
find_bounds(DebyeMoleculeLayer *self)
{
  const guint32 *atoms = self->has_mask ? (const guint32 *)(gpointer)self->shown->data : NULL;
  gsize n = self->has_mask ? self->shown->len : debye_topology_get_n_atoms(self->topology);
  return self->frame && n > 0 && debye_frame_get_bounds(self->frame, atoms, n, &self->low, &self->high);
}

/* How far atoms reach beyond their centres, Å. */
static double
rim_of(const DebyeMoleculeLayer *self)
{
  return self->style == DEBYE_STYLE_SPHERES ? 2.0 * self->scale : 0.5 * self->scale;
}

static gboolean
debye_molecule_layer_get_bounds(DebyeLayer *layer, DebyeVec3 *low, DebyeVec3 *high)
{
  DebyeMoleculeLayer *self = DEBYE_MOLECULE_LAYER(layer);
  if (!self->bounded)
    self->has_bounds = find_bounds(self);
  self->bounded = TRUE;
  double rim = rim_of(self);
  *low = debye_vec3_subtract(self->low, debye_vec3(rim, rim, rim));
  *high = debye_vec3_add(self->high, debye_vec3(rim, rim, rim));
  return self->has_bounds;
}

static void
debye_molecule_layer_extend_supports(DebyeLayer *layer, const DebyeVec3 *directions, double *supports)
{
  DebyeMoleculeLayer *self = DEBYE_MOLECULE_LAYER(layer);
  const guint32 *atoms = self->has_mask ? (const guint32 *)(gpointer)self->shown->data : NULL;
  gsize n = self->has_mask ? self->shown->len : debye_topology_get_n_atoms(self->topology);
  double rim = rim_of(self);
  for (int d = 0; d < DEBYE_FRAME_DIRECTIONS; d++) {
    float x = (float)directions[d].x, y = (float)directions[d].y, z = (float)directions[d].z,
          largest = -INFINITY;
    for (gsize i = 0; i < n; i++) {
      gsize atom = atoms ? atoms[i] : i;
      float along = x * self->frame->x[atom] + y * self->frame->y[atom] + z * self->frame->z[atom];
      largest = along > largest && along < INFINITY ? along : largest;
    }
    supports[d] = fmax(supports[d], (double)largest + rim * debye_vec3_length(directions[d]));
  }
}

static gboolean
debye_molecule_layer_pick(DebyeLayer *layer, DebyeVec3 origin, DebyeVec3 direction, DebyePick *pick)
{
  DebyeMoleculeLayer *self = DEBYE_MOLECULE_LAYER(layer);
  if (!self->frame)
    return FALSE;
  const guint8 *styles = styles_of(self);
  const guint32 *atoms = self->has_mask ? (const guint32 *)(gpointer)self->shown->data : NULL;
  gsize n = self->has_mask ? self->shown->len : debye_topology_get_n_atoms(self->topology);
  float scale, offset;
  sphere_shape(self, &scale, &offset);
  gint64 hit = -1;
  for (gsize i = 0; i < n; i++) {
    guint32 atom = atoms ? atoms[i] : (guint32)i;
    DebyeVec3 to = {(double)self->frame->x[atom] - origin.x, (double)self->frame->y[atom] - origin.y,
                    (double)self->frame->z[atom] - origin.z};
    double along = debye_vec3_dot(to, direction), square = debye_vec3_dot(to, to) - along * along;
    double radius = fmax((double)(scale * DEBYE_RADIUS_STEP * (float)styles[4 * (gsize)atom + 3] + offset),
                         MIN_PICK_RADIUS);
    if (!(square < radius * radius))
      continue;
    double depth = along - sqrt(radius * radius - square);
    if (depth > 0.0 && depth < pick->depth) {
      pick->depth = depth;
      hit = atom;
    }
  }
  if (hit < 0)
    return FALSE;
  pick->layer = layer;
  pick->atom = hit;
  pick->value = NAN;
  pick->point =
      debye_vec3((double)self->frame->x[hit], (double)self->frame->y[hit], (double)self->frame->z[hit]);
  return TRUE;
}

/* --- Legend --- */

static char *
chain_name(DebyeTopology *topology, const DebyeResidue *residue)
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  const char *chain = debye_string_pool_get(pool, residue->chain);
  const char *segment = debye_string_pool_get(pool, residue->segment);
  if (*chain)
    return g_strdup_printf("chain %s", chain);
  return *segment ? g_strdup_printf("segment %s", segment) : NULL;
}

static void
draw_chain_legend(DebyeMoleculeLayer *self, cairo_t *cr, const double ink[3], double *width, double *height)
{
  guint n_chains;
  g_autofree guint *numbers = debye_molecule_number_chains(self->topology, &n_chains);
  const DebyeResidue *table = debye_topology_get_residue_table(self->topology);
  guint next = 0;
  *width = *height = 0.0;
  for (gsize r = 0; r < debye_topology_get_n_residues(self->topology) && next < MAX_CHAINS_LISTED; r++) {
    g_autofree char *name = numbers[r] == next ? chain_name(self->topology, &table[r]) : NULL;
    next += numbers[r] == next;
    if (!name)
      continue;
    guint32 color = debye_molecule_chain_color(numbers[r]);
    float rgb[3] = {(float)(color >> 16 & 255) / 255.0f, (float)(color >> 8 & 255) / 255.0f,
                    (float)(color & 255) / 255.0f};
    double w, h;
    if (cr) {
      cairo_save(cr);
      cairo_translate(cr, 0.0, *height);
    }
    debye_ink_swatch(cr, rgb, 1.0, name, ink, &w, &h);
    if (cr)
      cairo_restore(cr);
    *width = fmax(*width, w);
    *height += h + 2.0;
  }
}

static void
debye_molecule_layer_draw_legend(DebyeLayer *layer, cairo_t *cr, const double ink[3], double *width,
                                 double *height)
{
  DebyeMoleculeLayer *self = DEBYE_MOLECULE_LAYER(layer);
  const DebyeColorMap *map;
  const char *title;
  double minimum, maximum;
  *width = *height = 0.0;
  if (debye_molecule_color_scale(self->topology, self->coloring, &map, &minimum, &maximum, &title))
    debye_ink_color_bar(cr, map, minimum, maximum, title, ink, width, height);
  else if (self->coloring == DEBYE_COLOR_BY_CHAIN)
    draw_chain_legend(self, cr, ink, width, height);
}

/* --- The object --- */

static void
debye_molecule_layer_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  DebyeMoleculeLayer *self = DEBYE_MOLECULE_LAYER(object);
  switch (id) {
  case PROP_STYLE:
    g_value_set_int(value, (int)self->style);
    break;
  case PROP_COLORING:
    g_value_set_int(value, (int)self->coloring);
    break;
  case PROP_SCALE:
    g_value_set_double(value, self->scale);
    break;
  case PROP_OPACITY:
    g_value_set_double(value, self->opacity);
    break;
  case PROP_COLOR:
    g_value_set_uint(value, self->color);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
  }
}

static void
set_scale(DebyeMoleculeLayer *self, double scale)
{
  if (self->scale == scale)
    return;
  self->scale = scale;
  g_object_notify(G_OBJECT(self), "scale");
  debye_layer_changed(DEBYE_LAYER(self));
}

static void
set_opacity(DebyeMoleculeLayer *self, double opacity)
{
  if (self->opacity == opacity)
    return;
  self->opacity = opacity;
  g_object_notify(G_OBJECT(self), "opacity");
  debye_layer_changed(DEBYE_LAYER(self));
}

static void
styles_changed(DebyeMoleculeLayer *self, const char *property)
{
  g_clear_pointer(&self->styles, g_free);
  self->changes |= CHANGED_STYLES;
  g_object_notify(G_OBJECT(self), property);
  debye_layer_changed(DEBYE_LAYER(self));
}

static void
set_color(DebyeMoleculeLayer *self, guint32 color)
{
  if (self->color == color)
    return;
  self->color = color;
  styles_changed(self, "color");
}

static void
debye_molecule_layer_set_property(GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  DebyeMoleculeLayer *self = DEBYE_MOLECULE_LAYER(object);
  switch (id) {
  case PROP_STYLE:
    debye_molecule_layer_set_style(self, (DebyeMoleculeStyle)g_value_get_int(value));
    break;
  case PROP_COLORING:
    debye_molecule_layer_set_coloring(self, (DebyeMoleculeColoring)g_value_get_int(value));
    break;
  case PROP_SCALE:
    set_scale(self, g_value_get_double(value));
    break;
  case PROP_OPACITY:
    set_opacity(self, g_value_get_double(value));
    break;
  case PROP_COLOR:
    set_color(self, g_value_get_uint(value));
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
  }
}

static void
debye_molecule_layer_finalize(GObject *object)
{
  DebyeMoleculeLayer *self = DEBYE_MOLECULE_LAYER(object);
  /* No context here: the scene has released a layer before it lets go of it. */
  debye_molecule_gl_free(self->gl, TRUE);
  debye_atom_order_free(self->order);
  g_clear_pointer(&self->spheres, g_array_unref);
  g_array_unref(self->shown);
  g_clear_pointer(&self->frame, debye_frame_unref);
  g_clear_object(&self->topology);
  g_free(self->styles);
  g_free(self->selection);
  G_OBJECT_CLASS(debye_molecule_layer_parent_class)->finalize(object);
}

static void
install_properties(GObjectClass *class)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  g_object_class_install_property(
      class, PROP_STYLE,
      g_param_spec_int("style", NULL, NULL, 0, DEBYE_STYLE_LINES, DEBYE_STYLE_BALL_AND_STICK, flags));
  g_object_class_install_property(
      class, PROP_COLORING,
      g_param_spec_int("coloring", NULL, NULL, 0, DEBYE_COLOR_UNIFORM, DEBYE_COLOR_BY_ELEMENT, flags));
  g_object_class_install_property(class, PROP_SCALE,
                                  g_param_spec_double("scale", NULL, NULL, 0.01, 10.0, 1.0, flags));
  g_object_class_install_property(class, PROP_OPACITY,
                                  g_param_spec_double("opacity", NULL, NULL, 0.0, 1.0, 1.0, flags));
  g_object_class_install_property(class, PROP_COLOR,
                                  g_param_spec_uint("color", NULL, NULL, 0, 0xffffff, 0xb8c0cc, flags));
}

static void
debye_molecule_layer_class_init(DebyeMoleculeLayerClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS(class);
  DebyeLayerClass *layer_class = DEBYE_LAYER_CLASS(class);
  object_class->get_property = debye_molecule_layer_get_property;
  object_class->set_property = debye_molecule_layer_set_property;
  object_class->finalize = debye_molecule_layer_finalize;
  layer_class->draw = debye_molecule_layer_draw;
  layer_class->release = debye_molecule_layer_release;
  layer_class->is_transparent = debye_molecule_layer_is_transparent;
  layer_class->get_bounds = debye_molecule_layer_get_bounds;
  layer_class->extend_supports = debye_molecule_layer_extend_supports;
  layer_class->pick = debye_molecule_layer_pick;
  layer_class->draw_legend = debye_molecule_layer_draw_legend;
  install_properties(object_class);
}

static void
debye_molecule_layer_init(DebyeMoleculeLayer *self)
{
  self->shown = g_array_new(FALSE, FALSE, sizeof(guint32));
  self->style = DEBYE_STYLE_BALL_AND_STICK;
  self->coloring = DEBYE_COLOR_BY_ELEMENT;
  self->scale = self->opacity = 1.0;
  self->color = 0xb8c0cc;
}

DebyeMoleculeLayer *
debye_molecule_layer_new(DebyeTopology *topology)
{
  DebyeMoleculeLayer *self = g_object_new(DEBYE_TYPE_MOLECULE_LAYER, NULL);
  self->topology = g_object_ref(topology);
  return self;
}

void
debye_molecule_layer_set_atoms(DebyeMoleculeLayer *self, const guint32 *atoms, gsize n_atoms)
{
  gsize n = debye_topology_get_n_atoms(self->topology);
  self->has_mask = atoms != NULL;
  g_array_set_size(self->shown, 0);
  for (gsize i = 0; atoms && i < n_atoms; i++)
    if (atoms[i] < n)
      g_array_append_val(self->shown, atoms[i]);
  forget_atoms(self);
  self->bounded = FALSE;
  debye_layer_changed(DEBYE_LAYER(self));
}

void
debye_molecule_layer_set_selection(DebyeMoleculeLayer *self, const char *text)
{
  g_return_if_fail(DEBYE_IS_MOLECULE_LAYER(self));
  char *copy = g_strdup(text);
  g_free(self->selection);
  self->selection = copy;
}

const char *
debye_molecule_layer_get_selection(DebyeMoleculeLayer *self)
{
  g_return_val_if_fail(DEBYE_IS_MOLECULE_LAYER(self), NULL);
  return self->selection;
}

void
debye_molecule_layer_set_frame(DebyeMoleculeLayer *self, DebyeFrame *frame)
{
  g_return_if_fail(!frame || frame->n_atoms == debye_topology_get_n_atoms(self->topology));
  if (frame)
    debye_frame_ref(frame);
  g_clear_pointer(&self->frame, debye_frame_unref);
  self->frame = frame;
  self->changes |= CHANGED_POSITIONS;
  self->bounded = FALSE;
  debye_layer_changed(DEBYE_LAYER(self));
}

void
debye_molecule_layer_set_style(DebyeMoleculeLayer *self, DebyeMoleculeStyle style)
{
  if (self->style == style)
    return;
  gboolean lines = (self->style == DEBYE_STYLE_LINES) != (style == DEBYE_STYLE_LINES);
  self->style = style;
  if (lines)
    forget_atoms(self);
  g_object_notify(G_OBJECT(self), "style");
  debye_layer_changed(DEBYE_LAYER(self));
}

DebyeMoleculeStyle
debye_molecule_layer_get_style(DebyeMoleculeLayer *self)
{
  return self->style;
}

void
debye_molecule_layer_set_coloring(DebyeMoleculeLayer *self, DebyeMoleculeColoring coloring)
{
  if (self->coloring == coloring)
    return;
  self->coloring = coloring;
  styles_changed(self, "coloring");
}

DebyeMoleculeColoring
debye_molecule_layer_get_coloring(DebyeMoleculeLayer *self)
{
  return self->coloring;
}
