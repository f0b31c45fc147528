/* SPDX-License-Identifier: MIT */
/* The layer of atoms and bonds: what of a molecule is shown and how; what GL needs of it is made at the next
 * drawing. */
#include "molecule_layer.h"

#include "color_map_choice.h"
#include "atom_order.h"
#include "atom_set.h"
#include "molecule_colors.h"
#include "molecule_gl.h"
#include "molecule_legend.h"
#include "shown_atoms.h"

#define STICK_RADIUS 0.18f
#define BOND_RADIUS 0.13f
#define BALL_SCALE 0.24f
#define LINE_WIDTH 1.6f
#define LONE_ATOM_SCALE 0.2f /* atoms without a bond, among lines */

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
  DebyeShownAtoms shown;
  GArray *spheres; /* guint32: those drawn as spheres; NULL: not decided */
  DebyeMoleculeStyle style;
  DebyeMoleculeColoring coloring;
  const DebyeColorMap *chosen_map; /* NULL: the usual one of the coloring */
  double scale;
  guint32 color;
  guint8 *styles;
  gboolean bounded, has_bounds; /* bounds are known; there are any */
  DebyeVec3 low, high;          /* of the centres */
  DebyeAtomOrder *order;
  float *bond_boxes; /* of the frame's; NULL: not asked for yet */
  DebyeMoleculeGl *gl;
  Changes changes;
};

G_DEFINE_FINAL_TYPE(DebyeMoleculeLayer, debye_molecule_layer, DEBYE_TYPE_LAYER)

enum {
  PROP_STYLE = 1,
  PROP_COLORING,
  PROP_SCALE,
  PROP_COLOR,
  PROP_COLOR_MAP,
  PROP_HAS_SCALE,
  PROP_CHOICE /* and others, of shown_atoms.h */
};

/* --- Which atoms and bonds --- */

/* All that are shown; among lines only those that no bond would show. */
static void
decide_spheres(DebyeMoleculeLayer *self)
{
  DebyeAtomSet shown = debye_shown_atoms_get(&self->shown);
  if (!self->spheres)
    self->spheres = debye_atom_set_list(&shown, self->shown.topology, self->style != DEBYE_STYLE_LINES);
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
    self->styles = debye_molecule_styles(self->shown.topology, self->coloring, self->color, self->chosen_map);
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
  DebyeAtomSet shown = debye_shown_atoms_get(&self->shown);
  g_autoptr(GArray) bonds = debye_atom_set_find_bonds(&shown, self->shown.topology);
  debye_molecule_gl_set_bonds(self->gl, (const DebyeBond *)(gpointer)bonds->data, bonds->len);
}

/* Bonds are found anew, as uploaded: only pictures to keep ask for boxes. */
static const float *
find_bond_boxes(DebyeMoleculeLayer *self)
{
  if (self->bond_boxes == NULL) {
    DebyeAtomSet shown = debye_shown_atoms_get(&self->shown);
    g_autoptr(GArray) bonds = debye_atom_set_find_bonds(&shown, self->shown.topology);
    self->bond_boxes = debye_bond_boxes_new(self->shown.frame, (const DebyeBond *)(gpointer)bonds->data,
                                            bonds->len, longest_bond(self->shown.frame));
  }
  return self->bond_boxes;
}

static void
sort_atoms(DebyeMoleculeLayer *self)
{
  decide_spheres(self);
  if (self->order && debye_atom_order_update(self->order, self->shown.frame))
    return;
  g_clear_pointer(&self->order, debye_atom_order_free);
  self->order = debye_atom_order_new(self->shown.frame, (const guint32 *)(gpointer)self->spheres->data,
                                     self->spheres->len);
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
    debye_molecule_gl_set_positions(self->gl, self->shown.frame);
  if (self->changes & CHANGED_STYLES)
    debye_molecule_gl_set_styles(self->gl, styles_of(self), debye_topology_get_n_atoms(self->shown.topology));
  if (self->changes & CHANGED_ATOMS)
    debye_molecule_gl_set_atoms(self->gl, self->order->atoms, self->order->n_atoms);
  if (self->changes & CHANGED_BONDS)
    upload_bonds(self);
  if (self->changes & (CHANGED_POSITIONS | CHANGED_BONDS))
    g_clear_pointer(&self->bond_boxes, g_free);
  self->changes = 0;
}

static void
debye_molecule_layer_draw(DebyeLayer *layer, const DebyeDrawContext *context, DebyePass pass)
{
  DebyeMoleculeLayer *self = DEBYE_MOLECULE_LAYER(layer);
  if (!self->shown.frame || pass == DEBYE_PASS_OVERLAY)
    return;
  upload(self);
  DebyeMoleculeShape shape = {.longest_bond = longest_bond(self->shown.frame),
                              .opacity = (float)debye_layer_get_opacity(layer)};
  sphere_shape(self, &shape.sphere_scale, &shape.sphere_offset);
  if (self->style == DEBYE_STYLE_BALL_AND_STICK)
    shape.bond_radius = BOND_RADIUS * (float)self->scale;
  else if (self->style == DEBYE_STYLE_STICKS)
    shape.bond_radius = STICK_RADIUS * (float)self->scale;
  else if (self->style == DEBYE_STYLE_LINES)
    shape.line_width = LINE_WIDTH * (float)self->scale;
  if (context->seen != NULL && (shape.bond_radius > 0.0f || shape.line_width > 0.0f))
    shape.bond_boxes = find_bond_boxes(self);
  debye_molecule_gl_draw(self->gl, context, self->order, &shape);
}

static void
debye_molecule_layer_release(DebyeLayer *layer, gboolean context_lost)
{
  DebyeMoleculeLayer *self = DEBYE_MOLECULE_LAYER(layer);
  if (self->gl)
    debye_molecule_gl_free(g_steal_pointer(&self->gl), context_lost);
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
    self->has_bounds = debye_shown_atoms_get_bounds(&self->shown, &self->low, &self->high);
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
  DebyeAtomSet shown = debye_shown_atoms_get(&self->shown);
  debye_atom_set_extend_supports(&shown, self->shown.frame, rim_of(self), directions, supports);
}

static gboolean
debye_molecule_layer_pick(DebyeLayer *layer, DebyeVec3 origin, DebyeVec3 direction, DebyePick *pick)
{
  DebyeMoleculeLayer *self = DEBYE_MOLECULE_LAYER(layer);
  const DebyeFrame *frame = self->shown.frame;
  if (!frame)
    return FALSE;
  DebyeAtomSet shown = debye_shown_atoms_get(&self->shown);
  DebyeAtomSpheres spheres = {.styles = styles_of(self)};
  sphere_shape(self, &spheres.scale, &spheres.offset);
  double depth = pick->depth;
  gint64 hit = debye_atom_set_pick(&shown, frame, &spheres, origin, direction, &depth);
  if (hit < 0)
    return FALSE;
  DebyeVec3 centre = {(double)frame->x[hit], (double)frame->y[hit], (double)frame->z[hit]};
  *pick = (DebyePick){.layer = layer, .atom = hit, .point = centre, .value = NAN, .depth = depth};
  return TRUE;
}

/* --- Legend --- */

static const char *
debye_molecule_layer_find_coloring_lack(DebyeLayer *layer, int coloring)
{
  return debye_molecule_find_coloring_lack(DEBYE_MOLECULE_LAYER(layer)->shown.topology,
                                           (DebyeMoleculeColoring)coloring);
}

static void
debye_molecule_layer_draw_legend(DebyeLayer *layer, cairo_t *cr, const double text_color[4], double *width,
                                 double *height)
{
  DebyeMoleculeLayer *self = DEBYE_MOLECULE_LAYER(layer);
  debye_molecule_legend_draw(layer, self->coloring, self->chosen_map, cr, text_color, width, height);
}

static char *
debye_molecule_layer_get_legend_key(DebyeLayer *layer)
{
  DebyeMoleculeLayer *self = DEBYE_MOLECULE_LAYER(layer);
  return debye_molecule_legend_get_key(layer, self->coloring, self->chosen_map);
}

/* --- The object --- */

static DebyeShownAtoms *
debye_molecule_layer_get_shown(DebyeLayer *layer)
{
  return &DEBYE_MOLECULE_LAYER(layer)->shown;
}

static void
debye_molecule_layer_show_frame(DebyeLayer *layer, DebyeFrame *frame)
{
  DebyeMoleculeLayer *self = DEBYE_MOLECULE_LAYER(layer);
  if (!debye_shown_atoms_set_frame(&self->shown, frame))
    return;
  self->changes |= CHANGED_POSITIONS;
  self->bounded = FALSE;
  g_object_notify(G_OBJECT(self), "frame");
  debye_layer_changed(layer);
}

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
  case PROP_COLOR_MAP:
    debye_color_map_choice_get(self->chosen_map, value);
    break;
  case PROP_HAS_SCALE:
    g_value_set_boolean(value,
                        self->coloring == DEBYE_COLOR_BY_CHARGE || self->coloring == DEBYE_COLOR_BY_B_FACTOR);
    break;
  case PROP_COLOR:
    g_value_set_uint(value, self->color);
    break;
  default:
    if (!debye_shown_atoms_get_property(&self->shown, PROP_CHOICE, id, value))
      G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
  }
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
atoms_changed(DebyeMoleculeLayer *self)
{
  forget_atoms(self);
  self->bounded = FALSE;
  g_object_notify(G_OBJECT(self), "n-shown");
  debye_layer_changed(DEBYE_LAYER(self));
}

static void
set_choice(DebyeMoleculeLayer *self, GVariant *choice)
{
  debye_shown_atoms_set_choice(&self->shown, choice);
  atoms_changed(self);
  g_object_notify(G_OBJECT(self), "choice");
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
    debye_layer_take_double(DEBYE_LAYER(self), &self->scale, g_value_get_double(value), "scale");
    break;
  case PROP_COLOR_MAP:
    if (debye_color_map_choice_set(&self->chosen_map, value))
      styles_changed(self, "color-map");
    break;
  case PROP_COLOR:
    set_color(self, g_value_get_uint(value));
    break;
  case PROP_CHOICE:
    set_choice(self, g_value_get_variant(value));
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
  g_free(self->bond_boxes);
  g_clear_pointer(&self->spheres, g_array_unref);
  debye_shown_atoms_clear(&self->shown);
  g_free(self->styles);
  G_OBJECT_CLASS(debye_molecule_layer_parent_class)->finalize(object);
}

static void
install_properties(GObjectClass *class)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  static GParamSpec *specs[PROP_CHOICE];
  specs[PROP_STYLE] =
      g_param_spec_int("style", NULL, NULL, 0, DEBYE_STYLE_LINES, DEBYE_STYLE_BALL_AND_STICK, flags);
  specs[PROP_COLORING] =
      g_param_spec_int("coloring", NULL, NULL, 0, DEBYE_COLOR_UNIFORM, DEBYE_COLOR_BY_ELEMENT, flags);
  specs[PROP_SCALE] = g_param_spec_double("scale", NULL, NULL, 0.01, 10.0, 1.0, flags);
  specs[PROP_COLOR] = g_param_spec_uint("color", NULL, NULL, 0, 0xffffff, 0xb8c0cc, flags);
  specs[PROP_COLOR_MAP] = debye_color_map_choice_spec();
  specs[PROP_HAS_SCALE] = debye_color_map_choice_scale_spec();
  g_object_class_install_properties(class, PROP_CHOICE, specs);
  debye_shown_atoms_install_properties(class, PROP_CHOICE);
}

static void
debye_molecule_layer_class_init(DebyeMoleculeLayerClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS(class);
  DebyeLayerClass *layer_class = DEBYE_LAYER_CLASS(class);
  object_class->get_property = debye_molecule_layer_get_property;
  object_class->set_property = debye_molecule_layer_set_property;
  object_class->finalize = debye_molecule_layer_finalize;
  layer_class->kind = &debye_molecule_layer_kind;
  layer_class->get_shown = debye_molecule_layer_get_shown;
  layer_class->show_frame = debye_molecule_layer_show_frame;
  layer_class->draw = debye_molecule_layer_draw;
  layer_class->release = debye_molecule_layer_release;
  layer_class->get_bounds = debye_molecule_layer_get_bounds;
  layer_class->extend_supports = debye_molecule_layer_extend_supports;
  layer_class->pick = debye_molecule_layer_pick;
  layer_class->draw_legend = debye_molecule_layer_draw_legend;
  layer_class->get_legend_key = debye_molecule_layer_get_legend_key;
  layer_class->find_coloring_lack = debye_molecule_layer_find_coloring_lack;
  install_properties(object_class);
}

static void
debye_molecule_layer_init(DebyeMoleculeLayer *self)
{
  self->style = DEBYE_STYLE_BALL_AND_STICK;
  self->coloring = DEBYE_COLOR_BY_ELEMENT;
  self->scale = 1.0;
  self->color = 0xb8c0cc;
}

DebyeMoleculeLayer *
debye_molecule_layer_new(DebyeTopology *topology)
{
  DebyeMoleculeLayer *self = g_object_new(DEBYE_TYPE_MOLECULE_LAYER, NULL);
  debye_shown_atoms_init(&self->shown, topology);
  return self;
}

void
debye_molecule_layer_set_atoms(DebyeMoleculeLayer *self, const guint32 *atoms, gsize n_atoms)
{
  debye_shown_atoms_set(&self->shown, atoms, n_atoms);
  atoms_changed(self);
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

void
debye_molecule_layer_set_coloring(DebyeMoleculeLayer *self, DebyeMoleculeColoring coloring)
{
  /* By element is what atoms are drawn in until another is chosen, whatever is known of them. */
  if (self->coloring == coloring || (coloring != DEBYE_COLOR_BY_ELEMENT &&
                                     debye_layer_find_coloring_lack(DEBYE_LAYER(self), (int)coloring)))
    return;
  self->coloring = coloring;
  styles_changed(self, "coloring");
  g_object_notify(G_OBJECT(self), "has-color-scale");
}

DebyeMoleculeColoring
debye_molecule_layer_get_coloring(DebyeMoleculeLayer *self)
{
  return self->coloring;
}
