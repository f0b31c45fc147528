/* SPDX-License-Identifier: MIT */
/* The table of kinds of layers; used by session_layers.c and scene_copy.c to make layers again. */
#include "layer_kinds.h"

#include "render/layers/pair_layer.h"
#include "scene_builder.h"

static gpointer
create_atoms(const DebyeLayerContents *contents)
{
  g_autoptr(DebyeTopology) bonded = debye_scene_builder_find_bonds(contents->topology, contents->frame);
  return debye_scene_builder_atoms(bonded, contents->frame, contents->atoms, contents->n_atoms);
}

static gpointer
create_cartoon(const DebyeLayerContents *contents)
{
  return debye_scene_builder_cartoon(contents->topology, contents->frame, contents->atoms, contents->n_atoms);
}

static gpointer
create_molecular_surface(const DebyeLayerContents *contents)
{
  return debye_scene_builder_molecular_surface(contents->topology, contents->frame, contents->atoms,
                                               contents->n_atoms);
}

static gpointer
create_bins(const DebyeLayerContents *contents)
{
  DebyeBinLayer *layer = debye_scene_builder_bins(contents->topology, contents->frame);
  debye_molecule_mesh_layer_set_atoms(DEBYE_MOLECULE_MESH_LAYER(layer), contents->atoms, contents->n_atoms);
  return layer;
}

static gpointer
create_hydrogen_bonds(const DebyeLayerContents *contents)
{
  DebyeHydrogenBondLayer *layer = debye_scene_builder_hydrogen_bonds(contents->topology, contents->frame);
  debye_molecule_mesh_layer_set_atoms(DEBYE_MOLECULE_MESH_LAYER(layer), contents->atoms, contents->n_atoms);
  return layer;
}

static gpointer
create_labels(const DebyeLayerContents *contents)
{
  DebyeLabelLayer *layer = debye_scene_builder_labels(contents->topology, contents->frame);
  if (contents->atoms != NULL)
    debye_label_layer_set_atoms(layer, contents->atoms, contents->n_atoms);
  return layer;
}

static gpointer
create_measurement(const DebyeLayerContents *contents)
{
  return debye_scene_builder_measurement(contents->topology, contents->frame, contents->atoms,
                                         contents->n_atoms);
}

static gpointer
create_box(const DebyeLayerContents *contents)
{
  DebyeBoxLayer *layer = debye_box_layer_new();
  debye_box_layer_set_cell(layer, &contents->cell, contents->cell_origin);
  return layer;
}

static gpointer
create_clipping_plane(const DebyeLayerContents *contents G_GNUC_UNUSED)
{
  return debye_clip_layer_new();
}

static gpointer
create_alignment(const DebyeLayerContents *contents G_GNUC_UNUSED)
{
  return debye_alignment_layer_new();
}

static gpointer
create_isosurface(const DebyeLayerContents *contents)
{
  return debye_scene_builder_surface(contents->field, 0.0);
}

static gpointer
create_slice(const DebyeLayerContents *contents)
{
  return debye_slice_layer_new(contents->field);
}

static gpointer
create_pairs(const DebyeLayerContents *contents)
{
  DebyePairLayer *layer = debye_pair_layer_new();
  debye_pair_layer_set_lines(layer, contents->line_ends, contents->n_lines);
  return layer;
}

static const DebyeLayerKind kinds[] = {
    {"atoms", debye_molecule_layer_get_type, DEBYE_LAYER_NEEDS_ATOMS, create_atoms},
    {"cartoon", debye_cartoon_layer_get_type, DEBYE_LAYER_NEEDS_ATOMS, create_cartoon},
    {"molecular-surface", debye_molecular_surface_layer_get_type, DEBYE_LAYER_NEEDS_ATOMS,
     create_molecular_surface},
    {"hydrogen-bonds", debye_hydrogen_bond_layer_get_type, DEBYE_LAYER_NEEDS_ATOMS, create_hydrogen_bonds},
    {"bins", debye_bin_layer_get_type, DEBYE_LAYER_NEEDS_ATOMS, create_bins},
    {"labels", debye_label_layer_get_type, DEBYE_LAYER_NEEDS_ATOMS, create_labels},
    {"measurement", debye_measurement_layer_get_type, DEBYE_LAYER_NEEDS_MEASURED_ATOMS, create_measurement},
    {"box", debye_box_layer_get_type, DEBYE_LAYER_NEEDS_CELL, create_box},
    {"clipping-plane", debye_clip_layer_get_type, DEBYE_LAYER_NEEDS_NOTHING, create_clipping_plane},
    {"alignment", debye_alignment_layer_get_type, DEBYE_LAYER_NEEDS_NOTHING, create_alignment},
    {"isosurface", debye_isosurface_layer_get_type, DEBYE_LAYER_NEEDS_MAP, create_isosurface},
    {"slice", debye_slice_layer_get_type, DEBYE_LAYER_NEEDS_MAP, create_slice},
    {NULL, debye_pair_layer_get_type, DEBYE_LAYER_NEEDS_LINES, create_pairs},
};

const DebyeLayerKind *
debye_layer_kind_of(DebyeLayer *layer)
{
  for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++)
    if (G_OBJECT_TYPE(layer) == kinds[i].get_type())
      return &kinds[i];
  return NULL;
}

const DebyeLayerKind *
debye_layer_kind_find(const char *name)
{
  for (gsize i = 0; name != NULL && i < G_N_ELEMENTS(kinds); i++)
    if (g_strcmp0(kinds[i].name, name) == 0)
      return &kinds[i];
  return NULL;
}

/* --- What a layer is made of --- */

/* Never NULL, which would mean all. */
static guint32 *
copy_atoms(const guint32 *atoms, gsize n_atoms)
{
  guint32 *copy = g_new(guint32, n_atoms + 1);
  memcpy(copy, atoms, n_atoms * sizeof *copy);
  return copy;
}

static void
take_atoms(DebyeLayerContents *contents, DebyeLayer *layer)
{
  const guint32 *atoms = NULL;
  if (DEBYE_IS_MOLECULE_LAYER(layer)) {
    DebyeMoleculeLayer *molecule = DEBYE_MOLECULE_LAYER(layer);
    contents->topology = debye_molecule_layer_get_topology(molecule);
    contents->frame = debye_molecule_layer_get_frame(molecule);
    atoms = debye_molecule_layer_get_atoms(molecule, &contents->n_atoms);
  } else if (DEBYE_IS_LABEL_LAYER(layer)) {
    DebyeLabelLayer *labels = DEBYE_LABEL_LAYER(layer);
    contents->topology = debye_label_layer_get_topology(labels);
    contents->frame = debye_label_layer_get_frame(labels);
    atoms = debye_label_layer_get_atoms(labels, &contents->n_atoms);
  } else {
    DebyeMoleculeMeshLayer *mesh = DEBYE_MOLECULE_MESH_LAYER(layer);
    contents->topology = debye_molecule_mesh_layer_get_topology(mesh);
    contents->frame = debye_molecule_mesh_layer_get_frame(mesh);
    atoms = debye_molecule_mesh_layer_get_atoms(mesh, &contents->n_atoms);
  }
  g_object_ref(contents->topology);
  contents->frame = contents->frame != NULL ? debye_frame_ref(contents->frame) : NULL;
  contents->atoms = atoms != NULL ? copy_atoms(atoms, contents->n_atoms) : NULL;
}

void
debye_layer_contents_init(DebyeLayerContents *contents, const DebyeLayerKind *kind, DebyeLayer *layer)
{
  *contents = (DebyeLayerContents){0};
  switch (kind->needs) {
  case DEBYE_LAYER_NEEDS_ATOMS:
  case DEBYE_LAYER_NEEDS_MEASURED_ATOMS:
    take_atoms(contents, layer);
    break;
  case DEBYE_LAYER_NEEDS_CELL:
    debye_box_layer_get_cell(DEBYE_BOX_LAYER(layer), &contents->cell, &contents->cell_origin);
    break;
  case DEBYE_LAYER_NEEDS_MAP:
    contents->field = g_object_ref(debye_layer_kind_field_of(layer));
    break;
  case DEBYE_LAYER_NEEDS_LINES:
    contents->line_ends = debye_pair_layer_copy_lines(DEBYE_PAIR_LAYER(layer), &contents->n_lines);
    break;
  case DEBYE_LAYER_NEEDS_NOTHING:
    break;
  }
}

void
debye_layer_contents_clear(DebyeLayerContents *contents)
{
  g_clear_object(&contents->topology);
  g_clear_pointer(&contents->frame, debye_frame_unref);
  g_clear_object(&contents->field);
  g_clear_pointer(&contents->atoms, g_free);
  g_clear_pointer(&contents->line_ends, g_free);
}

/* --- What is set of it --- */

/* Limits of colours that no map gives would count as set by hand. */
static gboolean
is_idle(DebyeLayer *layer, const GParamSpec *spec)
{
  return DEBYE_IS_MESH_LAYER(layer) && debye_mesh_layer_get_color_field(DEBYE_MESH_LAYER(layer)) == NULL &&
         (g_strcmp0(spec->name, "minimum") == 0 || g_strcmp0(spec->name, "maximum") == 0);
}

/* A choice of atoms is no value of its own: the atoms are contents, the selection is kept as text. */
gboolean
debye_layer_kind_keeps(DebyeLayer *layer, const GParamSpec *spec)
{
  return (spec->flags & G_PARAM_READWRITE) == G_PARAM_READWRITE &&
         (spec->flags & G_PARAM_CONSTRUCT_ONLY) == 0 && spec->value_type != G_TYPE_VARIANT &&
         !is_idle(layer, spec);
}

DebyeField *
debye_layer_kind_field_of(DebyeLayer *layer)
{
  if (DEBYE_IS_ISOSURFACE_LAYER(layer))
    return debye_isosurface_layer_get_field(DEBYE_ISOSURFACE_LAYER(layer));
  return DEBYE_IS_SLICE_LAYER(layer) ? debye_slice_layer_get_field(DEBYE_SLICE_LAYER(layer)) : NULL;
}

const char *
debye_layer_kind_selection_of(DebyeLayer *layer)
{
  if (DEBYE_IS_MOLECULE_LAYER(layer))
    return debye_molecule_layer_get_selection(DEBYE_MOLECULE_LAYER(layer));
  if (DEBYE_IS_MOLECULE_MESH_LAYER(layer))
    return debye_molecule_mesh_layer_get_selection(DEBYE_MOLECULE_MESH_LAYER(layer));
  return DEBYE_IS_LABEL_LAYER(layer) ? debye_label_layer_get_selection(DEBYE_LABEL_LAYER(layer)) : NULL;
}

void
debye_layer_kind_set_selection(DebyeLayer *layer, const char *text)
{
  if (DEBYE_IS_MOLECULE_LAYER(layer))
    debye_molecule_layer_set_selection(DEBYE_MOLECULE_LAYER(layer), text);
  else if (DEBYE_IS_MOLECULE_MESH_LAYER(layer))
    debye_molecule_mesh_layer_set_selection(DEBYE_MOLECULE_MESH_LAYER(layer), text);
  else if (DEBYE_IS_LABEL_LAYER(layer))
    debye_label_layer_set_selection(DEBYE_LABEL_LAYER(layer), text);
}
