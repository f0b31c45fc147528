/* SPDX-License-Identifier: MIT */
/* The layer of cartoons: which residues it shows and in which colours; cartoon_mesh.c makes its triangles. */
#include "cartoon_layer.h"

#include <glib/gi18n.h>

#include "color_map_choice.h"
#include "render/mesh/cartoon_mesh.h"
#include "data/molecule/secondary_structure.h"
#include "molecule_colors.h"
#include "molecule_legend.h"

/* Apart for colour-blind eyes, and none of them the blue or red of a potential. */
#define HELIX_COLOR 0x9467a8
#define HELIX_3_10_COLOR 0xb692c4
#define STRAND_COLOR 0xe0aa3e
#define LOOP_COLOR 0xb4bac4
#define NUCLEIC_COLOR 0x4f9d8f

struct _DebyeCartoonLayer {
  DebyeMoleculeMeshLayer parent;
  DebyeBackbone *backbone;
  GBytes *structure; /* of the frame shown; NULL: none yet */
};

static const DebyeChoice coloring_choices[] = {
    {"structure", N_("Structure"), NULL},
    {"residue", N_("Residue type"), NULL},
    {"chain", N_("Chain"), NULL},
    {"sequence", N_("Sequence"), NULL},
    {"b-factor", N_("B factor"), NULL},
    {"uniform", N_("One colour"), NULL},
    {NULL, NULL, NULL},
};

enum { SCALE }; /* the number of the parameter */
static const DebyeLayerSetting settings[] = {
    {.property = "color-field", .label = N_("Colour by")},
    {.property = "coloring",
     .label = N_("Colour by"),
     .choices = coloring_choices,
     .option = {.key = "color"}},
    {.property = "color", .label = N_("Colour"), .name = N_("Colour of the cartoon")},
    {.property = "minimum", .label = N_("Limits")},
    {DEBYE_COLOR_MAP_SETTING, .option = {.key = "color-map"}},
    {.property = "choice", .label = N_("Atoms"), .name = N_("Atoms of this layer")},
    {.property = "scale",
     .label = N_("Size"),
     .low = 0.3,
     .high = 2.0,
     .range = {0.01, 100.0, 1.0},
     .earlier = "detail"},
    {.property = "opacity", .label = N_("Opacity")},
    {DEBYE_LAYER_LEGEND_SETTING},
    {DEBYE_LAYER_CUT_SETTING},
};

G_DEFINE_FINAL_TYPE(DebyeCartoonLayer, debye_cartoon_layer, DEBYE_TYPE_MOLECULE_MESH_LAYER)

/* --- On the thread --- */

static guint8 *
find_shown(const DebyeBackbone *backbone, const DebyeMoleculeMeshRequest *request)
{
  guint8 *shown = g_new0(guint8, backbone->n_units + 1);
  g_autofree guint8 *chosen = g_new0(guint8, request->frame->n_atoms + 1);
  for (gsize i = 0; i < request->n_atoms; i++)
    chosen[request->atoms ? request->atoms[i] : i] = 1;
  for (gsize i = 0; i < backbone->n_units; i++)
    shown[i] = chosen[backbone->units[i].trace];
  return shown;
}

static DebyeMesh *
debye_cartoon_layer_make_mesh(const DebyeMoleculeMeshRequest *request, GBytes **notes,
                              GCancellable *cancellable)
{
  const DebyeBackbone *backbone = request->shared;
  guint8 *structure = debye_secondary_structure_assign(backbone, request->topology, request->frame);
  g_autofree guint8 *links = debye_backbone_find_links(backbone, request->topology, request->frame, FALSE);
  g_autofree guint8 *shown = find_shown(backbone, request);
  DebyeCartoonPlan plan = {.backbone = backbone,
                           .links = links,
                           .structure = structure,
                           .shown = shown,
                           .frame = request->frame,
                           .scale = request->parameters[SCALE]};
  *notes = g_bytes_new_take(structure, backbone->n_units);
  return debye_cartoon_mesh_new(&plan, cancellable);
}

/* --- Colours --- */

guint32
debye_cartoon_structure_color(guint8 structure, DebyePolymer polymer)
{
  if (polymer == DEBYE_POLYMER_NUCLEIC)
    return NUCLEIC_COLOR;
  switch ((DebyeStructure)structure) {
  case DEBYE_STRUCTURE_HELIX_ALPHA:
  case DEBYE_STRUCTURE_HELIX_PI:
    return HELIX_COLOR;
  case DEBYE_STRUCTURE_HELIX_3_10:
    return HELIX_3_10_COLOR;
  case DEBYE_STRUCTURE_STRAND:
    return STRAND_COLOR;
  default:
    return LOOP_COLOR;
  }
}

static void
debye_cartoon_layer_take_notes(DebyeMoleculeMeshLayer *layer, GBytes *notes)
{
  DebyeCartoonLayer *self = DEBYE_CARTOON_LAYER(layer);
  g_clear_pointer(&self->structure, g_bytes_unref);
  self->structure = notes ? g_bytes_ref(notes) : NULL;
}

static void
set_style(guint8 *styles, guint32 atom, guint32 color)
{
  for (int c = 0; c < 3; c++)
    styles[4 * (gsize)atom + (gsize)c] = (guint8)(color >> (16 - 8 * c));
}

static void
color_by_structure(DebyeCartoonLayer *self, guint8 *styles)
{
  const guint8 *structure = self->structure ? g_bytes_get_data(self->structure, NULL) : NULL;
  for (gsize i = 0; i < self->backbone->n_units; i++) {
    const DebyeBackboneUnit *unit = &self->backbone->units[i];
    set_style(styles, unit->trace,
              debye_cartoon_structure_color(structure ? structure[i] : 0, unit->polymer));
  }
}

/* The last unit of the chain that begins at `first`. */
static gsize
end_of_chain(DebyeCartoonLayer *self, const guint *chains, gsize first)
{
  const DebyeBackboneUnit *units = self->backbone->units;
  gsize last = first;
  while (last + 1 < self->backbone->n_units &&
         chains[units[last + 1].residue] == chains[units[first].residue])
    last++;
  return last;
}

static void
color_by_sequence(DebyeCartoonLayer *self, guint8 *styles)
{
  DebyeTopology *topology = debye_molecule_mesh_layer_get_topology(DEBYE_MOLECULE_MESH_LAYER(self));
  const DebyeColorMap *map = debye_color_map_find("viridis");
  guint n_chains;
  g_autofree guint *chains = debye_molecule_number_chains(topology, &n_chains);
  for (gsize first = 0, last; first < self->backbone->n_units; first = last + 1) {
    last = end_of_chain(self, chains, first);
    for (gsize i = first; i <= last; i++) {
      float rgb[3];
      debye_color_map_get(map, (double)(i - first) / (double)MAX(last - first, 1), rgb);
      for (int c = 0; c < 3; c++)
        styles[4 * (gsize)self->backbone->units[i].trace + (gsize)c] = (guint8)(rgb[c] * 255.0f + 0.5f);
    }
  }
}

/* Structure and sequence are ours alone. */
static DebyeMoleculeColoring
debye_cartoon_layer_get_atom_coloring(int coloring)
{
  static const DebyeMoleculeColoring colorings[] = {[DEBYE_CARTOON_BY_STRUCTURE] = DEBYE_COLOR_UNIFORM,
                                                    [DEBYE_CARTOON_BY_RESIDUE] = DEBYE_COLOR_BY_RESIDUE,
                                                    [DEBYE_CARTOON_BY_CHAIN] = DEBYE_COLOR_BY_CHAIN,
                                                    [DEBYE_CARTOON_BY_SEQUENCE] = DEBYE_COLOR_UNIFORM,
                                                    [DEBYE_CARTOON_BY_B_FACTOR] = DEBYE_COLOR_BY_B_FACTOR,
                                                    [DEBYE_CARTOON_UNIFORM] = DEBYE_COLOR_UNIFORM};
  return colorings[CLAMP(coloring, 0, DEBYE_CARTOON_UNIFORM)];
}

static guint8 *
debye_cartoon_layer_make_styles(DebyeMoleculeMeshLayer *layer)
{
  const int coloring = debye_molecule_mesh_layer_get_coloring(layer);
  guint8 *styles = DEBYE_MOLECULE_MESH_LAYER_CLASS(debye_cartoon_layer_parent_class)->make_styles(layer);
  if (coloring == DEBYE_CARTOON_BY_STRUCTURE)
    color_by_structure(DEBYE_CARTOON_LAYER(layer), styles);
  else if (coloring == DEBYE_CARTOON_BY_SEQUENCE)
    color_by_sequence(DEBYE_CARTOON_LAYER(layer), styles);
  return styles;
}

/* --- Legend --- */

static void
draw_sequence_bar(cairo_t *cr, const double text_color[4], double *width, double *height)
{
  static const float ends[2][3] = {{0.267f, 0.005f, 0.329f}, {0.993f, 0.906f, 0.144f}};
  static const char *const names[2] = {"first residue", "last residue"};
  *width = *height = 0.0;
  for (int end = 0; end < 2; end++)
    debye_molecule_legend_add_swatch(ends[end], names[end], cr, text_color, width, height);
}

static const char *
name_structure(guint8 structure, DebyePolymer polymer)
{
  switch (debye_cartoon_structure_color(structure, polymer)) {
  case NUCLEIC_COLOR:
    return _("nucleic acid");
  case HELIX_COLOR:
    return _("helix");
  case HELIX_3_10_COLOR:
    return _("3₁₀ helix");
  case STRAND_COLOR:
    return _("strand");
  default:
    return _("loop");
  }
}

/* Those of the chains that are shown, in the order of the table. */
static GArray *
list_structures(DebyeCartoonLayer *self)
{
  static const DebyeStructure order[] = {DEBYE_STRUCTURE_HELIX_ALPHA, DEBYE_STRUCTURE_HELIX_3_10,
                                         DEBYE_STRUCTURE_STRAND, DEBYE_STRUCTURE_LOOP};
  GArray *entries = debye_molecule_legend_new_list();
  g_autoptr(GHashTable) colors = g_hash_table_new(NULL, NULL);
  const guint8 *structure = self->structure ? g_bytes_get_data(self->structure, NULL) : NULL;
  for (gsize i = 0; i < self->backbone->n_units; i++)
    g_hash_table_add(colors, GUINT_TO_POINTER(debye_cartoon_structure_color(
                                 structure ? structure[i] : 0, self->backbone->units[i].polymer)));
  for (gsize i = 0; i < G_N_ELEMENTS(order); i++) {
    const guint32 color = debye_cartoon_structure_color((guint8)order[i], DEBYE_POLYMER_PROTEIN);
    if (g_hash_table_contains(colors, GUINT_TO_POINTER(color)))
      debye_molecule_legend_add(entries, color,
                                g_strdup(name_structure((guint8)order[i], DEBYE_POLYMER_PROTEIN)));
  }
  if (g_hash_table_contains(colors, GUINT_TO_POINTER(NUCLEIC_COLOR)))
    debye_molecule_legend_add(entries, NUCLEIC_COLOR, g_strdup(name_structure(0, DEBYE_POLYMER_NUCLEIC)));
  return entries;
}

static void
draw_structures(DebyeCartoonLayer *self, cairo_t *cr, const double text_color[4], double *width,
                double *height)
{
  g_autoptr(GArray) entries = list_structures(self);
  debye_molecule_legend_draw_list(entries, cr, text_color, width, height);
}

/* Structure, where its legend is shown, or sequence; else what other layers have, too. */
static int
get_own_coloring(DebyeLayer *layer)
{
  const int coloring = debye_molecule_mesh_layer_get_coloring(DEBYE_MOLECULE_MESH_LAYER(layer));
  const gboolean is_own =
      coloring == DEBYE_CARTOON_BY_SEQUENCE ||
      (coloring == DEBYE_CARTOON_BY_STRUCTURE && debye_layer_get_legend(layer) == DEBYE_LEGEND_SHOWN);
  return is_own && !debye_mesh_layer_get_color_field(DEBYE_MESH_LAYER(layer)) ? coloring : -1;
}

static void
debye_cartoon_layer_draw_legend(DebyeLayer *layer, cairo_t *cr, const double text_color[4], double *width,
                                double *height)
{
  const int own = get_own_coloring(layer);
  if (own == DEBYE_CARTOON_BY_STRUCTURE)
    draw_structures(DEBYE_CARTOON_LAYER(layer), cr, text_color, width, height);
  else if (own == DEBYE_CARTOON_BY_SEQUENCE)
    draw_sequence_bar(cr, text_color, width, height);
  else
    DEBYE_LAYER_CLASS(debye_cartoon_layer_parent_class)->draw_legend(layer, cr, text_color, width, height);
}

static char *
debye_cartoon_layer_get_legend_key(DebyeLayer *layer)
{
  const int own = get_own_coloring(layer);
  return own == DEBYE_CARTOON_BY_STRUCTURE ? g_strdup("structure")
         : own == DEBYE_CARTOON_BY_SEQUENCE
             ? g_strdup("sequence")
             : DEBYE_LAYER_CLASS(debye_cartoon_layer_parent_class)->get_legend_key(layer);
}

/* --- The object --- */

static void
debye_cartoon_layer_dispose(GObject *object)
{
  DebyeCartoonLayer *self = DEBYE_CARTOON_LAYER(object);
  debye_molecule_mesh_layer_stop(DEBYE_MOLECULE_MESH_LAYER(self));
  g_clear_pointer(&self->backbone, debye_backbone_free);
  g_clear_pointer(&self->structure, g_bytes_unref);
  G_OBJECT_CLASS(debye_cartoon_layer_parent_class)->dispose(object);
}

static void
debye_cartoon_layer_class_init(DebyeCartoonLayerClass *class)
{
  DebyeLayerClass *layer_class = DEBYE_LAYER_CLASS(class);
  DebyeMoleculeMeshLayerClass *mesh_class = DEBYE_MOLECULE_MESH_LAYER_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = debye_cartoon_layer_dispose;
  layer_class->draw_legend = debye_cartoon_layer_draw_legend;
  layer_class->get_legend_key = debye_cartoon_layer_get_legend_key;
  debye_molecule_mesh_layer_class_install(mesh_class, &debye_cartoon_layer_kind);
  mesh_class->make_mesh = debye_cartoon_layer_make_mesh;
  mesh_class->take_notes = debye_cartoon_layer_take_notes;
  mesh_class->get_atom_coloring = debye_cartoon_layer_get_atom_coloring;
  mesh_class->make_styles = debye_cartoon_layer_make_styles;
}

static void
debye_cartoon_layer_init(DebyeCartoonLayer *self G_GNUC_UNUSED)
{
}

DebyeCartoonLayer *
debye_cartoon_layer_new(DebyeTopology *topology)
{
  DebyeCartoonLayer *self = g_object_new(DEBYE_TYPE_CARTOON_LAYER, NULL);
  self->backbone = debye_backbone_new(topology);
  debye_molecule_mesh_layer_init_for(DEBYE_MOLECULE_MESH_LAYER(self), topology, self->backbone);
  return self;
}

static gpointer
create(const DebyeLayerContents *contents)
{
  return debye_cartoon_layer_new(contents->topology);
}

static gboolean
begin(DebyeLayer *layer, const DebyeCamera *camera G_GNUC_UNUSED, DebyeField *map G_GNUC_UNUSED)
{
  return DEBYE_CARTOON_LAYER(layer)->backbone->n_units > 0;
}

static const char *const gone[] = {"angle", NULL};

const DebyeLayerKind debye_cartoon_layer_kind = {
    .key = "cartoon",
    .title = N_("Cartoon"),
    .section = 1,
    .needs = DEBYE_LAYER_NEEDS_ATOMS,
    .gone = gone,
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
    .create = create,
    .begin = begin,
};
