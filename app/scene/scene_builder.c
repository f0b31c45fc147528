/* SPDX-License-Identifier: MIT */
/* Makes layers with good defaults from data; called by the window's scene and debye-cli render. */
#include "scene_builder.h"

#include <glib/gi18n.h>

#include "data/molecule/backbone.h"
#include "data/molecule/bonds.h"
#include "data/selection/selection.h"
#include "render/layers/cartoon_layer.h"
#include "render/layers/isosurface_levels.h"
#include "render/layers/layer_kinds.h"

#define MANY_WATER_ATOMS 300    /* hidden from here on where there is a solute: they would bury it */
#define MANY_SOLUTE_ATOMS 50000 /* drawn as lines from here on */
#define SHORTEST_PROTEIN 9      /* links; with fewer, atoms say more than a cartoon */
#define SHORTEST_NUCLEIC_ACID 3
#define WATER_OPACITY 0.35
#define ION_SCALE 0.45 /* of the van der Waals radius */

static GArray *
choose(const char *text, DebyeTopology *topology)
{
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, NULL);
  GArray *atoms = selection != NULL ? debye_selection_evaluate(selection, topology, NULL, NULL) : NULL;
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

/* Those that a new layer shows; NULL: all. */
static GArray *
choose_usual(const DebyeLayerKind *kind, const DebyeSceneSource *source)
{
  g_autoptr(GArray) atoms = kind->atoms != NULL ? choose(kind->atoms, source->topology) : NULL;
  return atoms != NULL && (atoms->len > 0 || kind->may_show_none) ? g_steal_pointer(&atoms) : NULL;
}

void
debye_scene_builder_name(DebyeLayer *layer)
{
  const DebyeLayerKind *kind = debye_layer_kind_of(layer);
  g_autofree char *name = kind->get_name != NULL ? kind->get_name(layer) : NULL;
  debye_layer_set_name(layer, name != NULL ? name : kind->title);
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
  g_autoptr(GArray) usual = atoms == NULL ? choose_usual(kind, source) : NULL;
  if (usual != NULL) {
    atoms = usual->len > 0 ? (const guint32 *)(gpointer)usual->data : none;
    contents.n_atoms = usual->len;
    contents.selection = (char *)kind->atoms;
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

/* Of chosen atoms; an array without memory is no choice of all of them. */
static DebyeLayer *
build_chosen(const DebyeLayerKind *kind, DebyeTopology *topology, DebyeFrame *frame, GArray *atoms)
{
  static const guint32 none[1];
  const DebyeSceneSource source = {.topology = topology, .frame = frame};
  return debye_scene_builder_layer(
      kind, &source, atoms->len > 0 ? (const guint32 *)(gpointer)atoms->data : none, atoms->len);
}

static DebyeMoleculeLayer *
add_molecules(GPtrArray *layers, DebyeTopology *topology, DebyeFrame *frame, GArray *atoms, const char *name)
{
  DebyeMoleculeLayer *layer =
      DEBYE_MOLECULE_LAYER(build_chosen(&debye_molecule_layer_kind, topology, frame, atoms));
  debye_layer_set_name(DEBYE_LAYER(layer), name);
  g_ptr_array_add(layers, layer);
  return layer;
}

static void
add_water(GPtrArray *layers, DebyeTopology *topology, DebyeFrame *frame, GArray *atoms, gboolean has_solute)
{
  DebyeMoleculeLayer *layer = add_molecules(layers, topology, frame, atoms, N_("Water"));
  debye_layer_set_selection(DEBYE_LAYER(layer), "water");
  debye_molecule_layer_set_style(layer, DEBYE_STYLE_LINES);
  g_object_set(layer, "opacity", WATER_OPACITY, NULL);
  debye_layer_set_visible(DEBYE_LAYER(layer), !has_solute || atoms->len < MANY_WATER_ATOMS);
}

static void
add_ions(GPtrArray *layers, DebyeTopology *topology, DebyeFrame *frame, GArray *atoms)
{
  DebyeMoleculeLayer *layer = add_molecules(layers, topology, frame, atoms, N_("Ions"));
  debye_layer_set_selection(DEBYE_LAYER(layer), "ion and not water");
  debye_molecule_layer_set_style(layer, DEBYE_STYLE_SPHERES);
  g_object_set(layer, "scale", ION_SCALE, NULL);
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

static void
add_cartoon(GPtrArray *layers, DebyeTopology *topology, DebyeFrame *frame, const char *name,
            const char *selection)
{
  g_autoptr(GArray) atoms = choose(selection, topology);
  DebyeLayer *layer = build_chosen(&debye_cartoon_layer_kind, topology, frame, atoms);
  debye_layer_set_name(layer, name);
  debye_layer_set_selection(layer, selection);
  g_ptr_array_add(layers, layer);
}

/* A text that chooses what cartoons were added for; NULL: none was. Peptides of a few residues are drawn with
 * all their atoms. */
static const char *
add_cartoons(GPtrArray *layers, DebyeTopology *topology, DebyeFrame *frame)
{
  g_autoptr(DebyeBackbone) backbone = debye_backbone_new(topology);
  g_autofree guint8 *links = debye_backbone_find_links(backbone, topology, frame, TRUE);
  gboolean has_protein = count_links(backbone, links, DEBYE_POLYMER_PROTEIN) >= SHORTEST_PROTEIN;
  gboolean has_nucleic = count_links(backbone, links, DEBYE_POLYMER_NUCLEIC) >= SHORTEST_NUCLEIC_ACID;
  if (has_protein)
    add_cartoon(layers, topology, frame, N_("Protein"), "protein");
  if (has_nucleic)
    add_cartoon(layers, topology, frame, N_("Nucleic acid"), "nucleic");
  if (has_protein && has_nucleic)
    return "protein or nucleic";
  return has_protein ? "protein" : has_nucleic ? "nucleic" : NULL;
}

static void
add_ligands(GPtrArray *layers, DebyeTopology *topology, DebyeFrame *frame, const char *polymers)
{
  g_autofree char *text = g_strdup_printf("not (water or ion or %s)", polymers);
  g_autoptr(GArray) atoms = choose(text, topology);
  if (atoms->len == 0)
    return;
  DebyeMoleculeLayer *layer = add_molecules(layers, topology, frame, atoms, N_("Ligands"));
  debye_layer_set_selection(DEBYE_LAYER(layer), text);
  if (atoms->len >= MANY_SOLUTE_ATOMS)
    debye_molecule_layer_set_style(layer, DEBYE_STYLE_LINES);
}

static void
add_hidden_atoms(GPtrArray *layers, DebyeTopology *topology, DebyeFrame *frame, const char *polymers)
{
  g_autoptr(GArray) atoms = choose(polymers, topology);
  DebyeMoleculeLayer *layer = add_molecules(layers, topology, frame, atoms, N_("All atoms"));
  debye_layer_set_selection(DEBYE_LAYER(layer), polymers);
  debye_molecule_layer_set_style(layer,
                                 atoms->len >= MANY_SOLUTE_ATOMS ? DEBYE_STYLE_LINES : DEBYE_STYLE_STICKS);
  debye_layer_set_visible(DEBYE_LAYER(layer), FALSE);
}

/* --- The whole --- */

static void
add_solute(GPtrArray *layers, DebyeTopology *topology, DebyeFrame *frame, GArray *atoms, gboolean cartoons)
{
  const char *polymers = cartoons ? add_cartoons(layers, topology, frame) : NULL;
  if (polymers != NULL) {
    add_ligands(layers, topology, frame, polymers);
    add_hidden_atoms(layers, topology, frame, polymers);
    return;
  }
  g_autoptr(GArray) protein = choose("protein", topology);
  DebyeMoleculeLayer *layer = add_molecules(layers, topology, frame, atoms,
                                            protein->len > atoms->len / 2 ? N_("Protein") : N_("Molecule"));
  debye_layer_set_selection(DEBYE_LAYER(layer), "not (water or ion)");
  if (atoms->len >= MANY_SOLUTE_ATOMS)
    debye_molecule_layer_set_style(layer, DEBYE_STYLE_LINES);
}

static GPtrArray *
build_molecules(DebyeTopology *topology, DebyeFrame *frame, gboolean cartoons)
{
  GPtrArray *layers = g_ptr_array_new_with_free_func(g_object_unref);
  g_autoptr(DebyeTopology) bonded = debye_topology_get_bonded(topology, frame);
  g_autoptr(GArray) water = choose("water", bonded);
  g_autoptr(GArray) ions = choose("ion and not water", bonded);
  g_autoptr(GArray) solute = choose("not (water or ion)", bonded);
  if (water->len > 0 && solute->len + ions->len > 0)
    add_water(layers, bonded, frame, water, solute->len > 0);
  if (ions->len > 0)
    add_ions(layers, bonded, frame, ions);
  if (solute->len > 0)
    add_solute(layers, bonded, frame, solute, cartoons);
  if (layers->len == 0)
    g_ptr_array_add(layers, debye_scene_builder_layer(&debye_molecule_layer_kind,
                                                      &(DebyeSceneSource){.topology = bonded, .frame = frame},
                                                      NULL, 0));
  return layers;
}

GPtrArray *
debye_scene_builder_molecules(DebyeTopology *topology, DebyeFrame *frame)
{
  return build_molecules(topology, frame, TRUE);
}

GPtrArray *
debye_scene_builder_all_atoms(DebyeTopology *topology, DebyeFrame *frame)
{
  return build_molecules(topology, frame, FALSE);
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
