/* SPDX-License-Identifier: MIT */
/* Makes layers with good defaults from data; called by the window's scene and debye-cli render. */
#include "scene_builder.h"

#include <glib/gi18n.h>

#include "data/molecule/backbone.h"
#include "data/molecule/bonds.h"
#include "data/selection/selection.h"
#include "render/layers/color_limits.h"
#include "render/layers/cartoon_layer.h"
#include "render/layers/isosurface_levels.h"
#include "render/layers/layer_kinds.h"
#include "render/layers/molecule_colors.h"

#define MANY_WATER_ATOMS 300    /* hidden from here on where there is a solute: they would bury it */
#define MANY_SOLUTE_ATOMS 50000 /* drawn as lines from here on */
#define SHORTEST_PROTEIN 9      /* links; with fewer, atoms say more than a cartoon */
#define SHORTEST_NUCLEIC_ACID 3
#define WATER_OPACITY 0.35
#define ION_SCALE \
  0.3 /* of the van der Waals radius: beside a peptide they are little larger than its balls */
#define LONE_SCALE 0.6 /* likewise, of what is the subject: planes of a crystal can be looked through */

static GArray *
choose(const char *text, DebyeTopology *topology, const DebyeFrame *frame)
{
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, NULL);
  GArray *atoms = selection != NULL ? debye_selection_evaluate(selection, topology, frame, NULL) : NULL;
  return atoms != NULL ? atoms : g_array_new(FALSE, FALSE, sizeof(guint32));
}

/* --- One layer --- */

static gboolean
is_there(const DebyeSceneSource *source, DebyeLayerNeeds needs)
{
  switch (needs) {
  case DEBYE_LAYER_NEEDS_ATOMS:
  case DEBYE_LAYER_NEEDS_MEASURED_ATOMS:
  case DEBYE_LAYER_NEEDS_FRAMES:
    return source->topology != NULL && source->frame != NULL;
  case DEBYE_LAYER_NEEDS_CELL:
    return source->frame != NULL && source->frame->has_cell;
  case DEBYE_LAYER_NEEDS_MAP:
    return source->map != NULL;
  default:
    return TRUE;
  }
}

/* Those that a new layer shows, and the text that chooses them; NULL: all. */
static GArray *
choose_usual(const DebyeLayerKind *kind, const DebyeSceneSource *source, const char **text)
{
  g_autoptr(GArray) atoms = kind->atoms != NULL ? choose(kind->atoms, source->topology, NULL) : NULL;
  *text = kind->atoms;
  if (atoms != NULL && atoms->len == 0 && kind->other_atoms != NULL) {
    g_array_unref(atoms);
    atoms = choose(*text = kind->other_atoms, source->topology, NULL);
  }
  return atoms != NULL && (atoms->len > 0 || kind->may_show_none) ? g_steal_pointer(&atoms) : NULL;
}

void
debye_scene_builder_name(DebyeLayer *layer)
{
  const DebyeLayerKind *kind = debye_layer_kind_of(layer);
  g_autofree char *name = kind->get_name != NULL ? kind->get_name(layer) : NULL;
  debye_layer_set_kind_name(layer, name != NULL ? name : kind->title, 1);
}

DebyeLayer *
debye_scene_builder_layer(const DebyeLayerKind *kind, const DebyeSceneSource *source, const guint32 *atoms,
                          gsize n_atoms)
{
  /* An empty array may have no memory, and NULL would mean all. */
  static const guint32 none[1];
  if (!is_there(source, kind->needs))
    return NULL;
  DebyeLayerContents contents = {
      .topology = source->topology, .frame = source->frame, .field = source->map, .n_atoms = n_atoms};
  const char *text = NULL;
  g_autoptr(GArray) usual = atoms == NULL ? choose_usual(kind, source, &text) : NULL;
  if (usual != NULL) {
    atoms = usual->len > 0 ? (const guint32 *)(gpointer)usual->data : none;
    contents.n_atoms = usual->len;
    contents.selection = (char *)text; /* only read */
  }
  contents.atoms = (guint32 *)atoms; /* only read */
  if (kind->needs == DEBYE_LAYER_NEEDS_CELL) {
    contents.cell = source->frame->cell;
    contents.cell_origin = source->frame->cell_origin;
  }
  DebyeLayer *layer = debye_layer_kind_create(kind, &contents);
  debye_scene_builder_name(layer);
  return layer;
}

DebyeLayer *
debye_scene_builder_new_layer(const DebyeLayerKind *kind, const DebyeSceneSource *source,
                              const DebyeCamera *camera)
{
  g_autoptr(DebyeLayer) layer = debye_scene_builder_layer(kind, source, NULL, 0);
  if (layer == NULL || (kind->begin != NULL && !kind->begin(layer, camera, source->map)))
    return NULL;
  debye_scene_builder_name(layer);
  return g_steal_pointer(&layer);
}

/* --- Molecules --- */

/* Layers in the making. */
typedef struct {
  DebyeTopology *topology;
  DebyeFrame *frame;
  const char *selection; /* of atoms that layers may have; NULL: all */
  gboolean cartoons;     /* of polymers */
  GPtrArray *layers;
} Molecules;

static GArray *
choose_among(const Molecules *self, const char *text)
{
  g_autofree char *both =
      self->selection != NULL ? g_strdup_printf("(%s) and (%s)", self->selection, text) : g_strdup(text);
  return choose(both, self->topology, self->frame);
}

/* Of chosen atoms; an array without memory is no choice of all of them. */
static DebyeLayer *
add_layer(const Molecules *self, const DebyeLayerKind *kind, GArray *atoms, const char *name,
          const char *selection)
{
  static const guint32 none[1];
  const DebyeSceneSource source = {.topology = self->topology, .frame = self->frame};
  DebyeLayer *layer = debye_scene_builder_layer(
      kind, &source, atoms->len > 0 ? (const guint32 *)(gpointer)atoms->data : none, atoms->len);
  debye_layer_set_name(layer, name);
  debye_layer_set_selection(layer, selection);
  g_ptr_array_add(self->layers, layer);
  return layer;
}

static DebyeMoleculeLayer *
add_molecules(const Molecules *self, GArray *atoms, const char *name, const char *selection)
{
  return DEBYE_MOLECULE_LAYER(add_layer(self, &debye_molecule_layer_kind, atoms, name, selection));
}

/* Most have no bond, as the beads of coarse models and noble gases. */
static gboolean
are_mostly_alone(const Molecules *self, const GArray *atoms)
{
  const guint32 *offsets, *partners;
  guint n_alone = 0;
  debye_topology_get_bond_graph(self->topology, &offsets, &partners);
  for (guint k = 0; k < atoms->len; k++) {
    const guint32 atom = g_array_index(atoms, guint32, k);
    n_alone += offsets[atom + 1] == offsets[atom];
  }
  return n_alone > atoms->len / 2;
}

/* Balls without sticks are dots in a large box, and lines would be none at all. */
static void
choose_style(const Molecules *self, DebyeMoleculeLayer *layer, const GArray *atoms)
{
  if (are_mostly_alone(self, atoms)) {
    debye_molecule_layer_set_style(layer, DEBYE_STYLE_SPHERES);
    g_object_set(layer, "scale", LONE_SCALE, NULL);
  } else if (atoms->len >= MANY_SOLUTE_ATOMS)
    debye_molecule_layer_set_style(layer, DEBYE_STYLE_LINES);
}

/* What a person has chosen is not hidden, however much it is. */
static void
add_water(const Molecules *self, GArray *atoms, gboolean has_solute)
{
  DebyeMoleculeLayer *layer = add_molecules(self, atoms, N_("Water"), "water");
  debye_molecule_layer_set_style(layer, DEBYE_STYLE_LINES);
  g_object_set(layer, "opacity", WATER_OPACITY, NULL);
  debye_layer_set_visible(DEBYE_LAYER(layer),
                          !has_solute || self->selection != NULL || atoms->len < MANY_WATER_ATOMS);
}

static void
add_ions(const Molecules *self, GArray *atoms, gboolean has_solute)
{
  DebyeMoleculeLayer *layer = add_molecules(self, atoms, N_("Ions"), "ion and not water");
  debye_molecule_layer_set_style(layer, DEBYE_STYLE_SPHERES);
  g_object_set(layer, "scale", has_solute ? ION_SCALE : LONE_SCALE, NULL);
}

/* --- Polymers --- */

/* The residues of a kind of polymer that follow one another. */
static gsize
count_links(const DebyeBackbone *backbone, const guint8 *links, DebyePolymer polymer)
{
  gsize n = 0;
  for (gsize i = 0; i < backbone->n_units; i++)
    n += links[i] && backbone->units[i].polymer == polymer;
  return n;
}

static gboolean
has_several_chains(const Molecules *self)
{
  g_autoptr(GArray) atoms = choose_among(self, "protein or nucleic");
  const guint32 *residues = debye_topology_get_residues(self->topology);
  guint n_chains;
  g_autofree guint *chains = debye_molecule_number_chains(self->topology, &n_chains);
  for (guint k = 1; k < atoms->len; k++)
    if (chains[residues[g_array_index(atoms, guint32, k)]] !=
        chains[residues[g_array_index(atoms, guint32, 0)]])
      return TRUE;
  return FALSE;
}

/* Several chains are told apart by their colours, one chain's parts by theirs. */
static void
add_cartoon(const Molecules *self, const char *name, const char *selection)
{
  g_autoptr(GArray) atoms = choose_among(self, selection);
  if (atoms->len == 0)
    return;
  DebyeLayer *layer = add_layer(self, &debye_cartoon_layer_kind, atoms, name, selection);
  if (has_several_chains(self))
    debye_molecule_mesh_layer_set_coloring(DEBYE_MOLECULE_MESH_LAYER(layer), DEBYE_CARTOON_BY_CHAIN);
}

/* A text that chooses what cartoons were added for; NULL: none was. Peptides of a few residues are drawn with
 * all their atoms, unless a cartoon of what was chosen is asked for. */
static const char *
add_cartoons(const Molecules *self)
{
  const gboolean is_asked = self->selection != NULL;
  g_autoptr(DebyeBackbone) backbone = debye_backbone_new(self->topology);
  g_autofree guint8 *links = debye_backbone_find_links(backbone, self->topology, self->frame, TRUE);
  gboolean has_protein =
      count_links(backbone, links, DEBYE_POLYMER_PROTEIN) >= (is_asked ? 1 : SHORTEST_PROTEIN);
  gboolean has_nucleic =
      count_links(backbone, links, DEBYE_POLYMER_NUCLEIC) >= (is_asked ? 1 : SHORTEST_NUCLEIC_ACID);
  if (has_protein)
    add_cartoon(self, N_("Protein"), "protein");
  if (has_nucleic)
    add_cartoon(self, N_("Nucleic acid"), "nucleic");
  if (has_protein && has_nucleic)
    return "protein or nucleic";
  return has_protein ? "protein" : has_nucleic ? "nucleic" : NULL;
}

static void
add_ligands(const Molecules *self, const char *polymers)
{
  g_autofree char *text = g_strdup_printf("not (water or ion or %s)", polymers);
  g_autoptr(GArray) atoms = choose_among(self, text);
  if (atoms->len == 0)
    return;
  choose_style(self, add_molecules(self, atoms, N_("Ligands"), text), atoms);
}

static void
add_hidden_atoms(const Molecules *self, const char *polymers)
{
  g_autoptr(GArray) atoms = choose_among(self, polymers);
  DebyeMoleculeLayer *layer = add_molecules(self, atoms, N_("All atoms"), polymers);
  debye_molecule_layer_set_style(layer,
                                 atoms->len >= MANY_SOLUTE_ATOMS ? DEBYE_STYLE_LINES : DEBYE_STYLE_STICKS);
  debye_layer_set_visible(DEBYE_LAYER(layer), FALSE);
}

/* --- The whole --- */

static void
add_solute(const Molecules *self, GArray *atoms)
{
  const char *polymers = self->cartoons ? add_cartoons(self) : NULL;
  if (polymers != NULL) {
    add_ligands(self, polymers);
    add_hidden_atoms(self, polymers);
    return;
  }
  g_autoptr(GArray) protein = choose_among(self, "protein");
  const char *name = protein->len > atoms->len / 2 ? N_("Protein") : N_("Molecule");
  choose_style(self, add_molecules(self, atoms, name, "not (water or ion)"), atoms);
}

/* Of water alone, which is the subject then. */
static void
add_all(const Molecules *self)
{
  const DebyeSceneSource source = {.topology = self->topology, .frame = self->frame};
  if (self->selection == NULL) {
    g_ptr_array_add(self->layers, debye_scene_builder_layer(&debye_molecule_layer_kind, &source, NULL, 0));
    return;
  }
  g_autoptr(GArray) atoms = choose_among(self, "all");
  add_molecules(self, atoms, debye_molecule_layer_kind.title, NULL);
}

static GPtrArray *
build_molecules(DebyeTopology *topology, DebyeFrame *frame, const char *selection, gboolean cartoons)
{
  g_autoptr(DebyeTopology) bonded = debye_topology_get_bonded(topology, frame);
  const Molecules self = {.topology = bonded,
                          .frame = frame,
                          .selection = selection != NULL && *selection != '\0' ? selection : NULL,
                          .cartoons = cartoons,
                          .layers = g_ptr_array_new_with_free_func(g_object_unref)};
  g_autoptr(GArray) water = choose_among(&self, "water");
  g_autoptr(GArray) ions = choose_among(&self, "ion and not water");
  g_autoptr(GArray) solute = choose_among(&self, "not (water or ion)");
  if (water->len > 0 && solute->len + ions->len > 0)
    add_water(&self, water, solute->len > 0);
  if (ions->len > 0)
    add_ions(&self, ions, solute->len > 0);
  if (solute->len > 0)
    add_solute(&self, solute);
  if (self.layers->len == 0)
    add_all(&self);
  return self.layers;
}

GPtrArray *
debye_scene_builder_molecules(DebyeTopology *topology, DebyeFrame *frame)
{
  return build_molecules(topology, frame, NULL, TRUE);
}

GPtrArray *
debye_scene_builder_chosen(DebyeTopology *topology, DebyeFrame *frame, const char *selection)
{
  return build_molecules(topology, frame, selection, TRUE);
}

GPtrArray *
debye_scene_builder_all_atoms(DebyeTopology *topology, DebyeFrame *frame)
{
  return build_molecules(topology, frame, NULL, FALSE);
}

/* --- Maps --- */

DebyeIsosurfaceLayer *
debye_scene_builder_surface(DebyeField *field, double level)
{
  const DebyeSceneSource source = {.map = field};
  DebyeLayer *layer = debye_scene_builder_layer(&debye_isosurface_layer_kind, &source, NULL, 0);
  debye_scene_builder_set_level(DEBYE_ISOSURFACE_LAYER(layer), level);
  return DEBYE_ISOSURFACE_LAYER(layer);
}

/* A row of the window, which hears of the level, then writes the name's number in its own way. */
void
debye_scene_builder_set_level(DebyeIsosurfaceLayer *layer, double level)
{
  debye_isosurface_layer_set_level(layer, level);
  debye_scene_builder_name(DEBYE_LAYER(layer));
}

DebyeSliceLayer *
debye_scene_builder_slice(DebyeField *field, int axis, double position)
{
  const DebyeSceneSource source = {.map = field};
  DebyeLayer *layer = debye_scene_builder_layer(&debye_slice_layer_kind, &source, NULL, 0);
  debye_slice_layer_set_axis(DEBYE_SLICE_LAYER(layer), axis);
  debye_slice_layer_set_position(DEBYE_SLICE_LAYER(layer), position);
  if (debye_color_limits_is_localised(field))
    debye_slice_layer_leave_empty(DEBYE_SLICE_LAYER(layer));
  return DEBYE_SLICE_LAYER(layer);
}

GPtrArray *
debye_scene_builder_field(DebyeField *field)
{
  GPtrArray *layers = g_ptr_array_new_with_free_func(g_object_unref);
  double negative, positive;
  debye_isosurface_suggest_levels(field, &negative, &positive);
  DebyeSliceLayer *slice = debye_scene_builder_slice(field, 2, 0.5);
  debye_layer_set_visible(DEBYE_LAYER(slice), FALSE);
  g_ptr_array_add(layers, slice);
  if (negative < 0.0)
    g_ptr_array_add(layers, debye_scene_builder_surface(field, negative));
  if (positive > 0.0)
    g_ptr_array_add(layers, debye_scene_builder_surface(field, positive));
  return layers;
}
