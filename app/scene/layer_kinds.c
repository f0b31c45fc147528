/* SPDX-License-Identifier: MIT */
/* The table of kinds of layers; used by session_layers.c and scene_copy.c to make layers again. */
#include "layer_kinds.h"

#include "render/layers/pair_layer.h"
#include "scene_builder.h"

static gpointer
create_atoms(const DebyeLayerMaterial *material)
{
  g_autoptr(DebyeTopology) bonded = debye_scene_builder_find_bonds(material->topology, material->frame);
  return debye_scene_builder_atoms(bonded, material->frame, material->atoms, material->n_atoms);
}

static gpointer
create_cartoon(const DebyeLayerMaterial *material)
{
  return debye_scene_builder_cartoon(material->topology, material->frame, material->atoms, material->n_atoms);
}

static gpointer
create_molecular_surface(const DebyeLayerMaterial *material)
{
  return debye_scene_builder_molecular_surface(material->topology, material->frame, material->atoms,
                                               material->n_atoms);
}

static gpointer
create_bins(const DebyeLayerMaterial *material)
{
  DebyeBinLayer *layer = debye_scene_builder_bins(material->topology, material->frame);
  debye_molecule_mesh_layer_set_atoms(DEBYE_MOLECULE_MESH_LAYER(layer), material->atoms, material->n_atoms);
  return layer;
}

static gpointer
create_hydrogen_bonds(const DebyeLayerMaterial *material)
{
  DebyeHydrogenBondLayer *layer = debye_scene_builder_hydrogen_bonds(material->topology, material->frame);
  debye_molecule_mesh_layer_set_atoms(DEBYE_MOLECULE_MESH_LAYER(layer), material->atoms, material->n_atoms);
  return layer;
}

static gpointer
create_labels(const DebyeLayerMaterial *material)
{
  DebyeLabelLayer *layer = debye_scene_builder_labels(material->topology, material->frame);
  if (material->atoms != NULL)
    debye_label_layer_set_atoms(layer, material->atoms, material->n_atoms);
  return layer;
}

static gpointer
create_measurement(const DebyeLayerMaterial *material)
{
  return debye_scene_builder_measurement(material->topology, material->frame, material->atoms,
                                         material->n_atoms);
}

static gpointer
create_box(const DebyeLayerMaterial *material)
{
  DebyeBoxLayer *layer = debye_box_layer_new();
  debye_box_layer_set_cell(layer, &material->cell, material->cell_origin);
  return layer;
}

static gpointer
create_clipping_plane(const DebyeLayerMaterial *material G_GNUC_UNUSED)
{
  return debye_clip_layer_new();
}

static gpointer
create_isosurface(const DebyeLayerMaterial *material)
{
  return debye_scene_builder_surface(material->field, 0.0);
}

static gpointer
create_slice(const DebyeLayerMaterial *material)
{
  return debye_slice_layer_new(material->field);
}

static gpointer
create_pairs(const DebyeLayerMaterial *material)
{
  DebyePairLayer *layer = debye_pair_layer_new();
  debye_pair_layer_set_lines(layer, material->places, material->n_lines);
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
take_atoms(DebyeLayerMaterial *material, DebyeLayer *layer)
{
  const guint32 *atoms = NULL;
  if (DEBYE_IS_MOLECULE_LAYER(layer)) {
    DebyeMoleculeLayer *molecule = DEBYE_MOLECULE_LAYER(layer);
    material->topology = debye_molecule_layer_get_topology(molecule);
    material->frame = debye_molecule_layer_get_frame(molecule);
    atoms = debye_molecule_layer_get_atoms(molecule, &material->n_atoms);
  } else if (DEBYE_IS_LABEL_LAYER(layer)) {
    DebyeLabelLayer *labels = DEBYE_LABEL_LAYER(layer);
    material->topology = debye_label_layer_get_topology(labels);
    material->frame = debye_label_layer_get_frame(labels);
    atoms = debye_label_layer_get_atoms(labels, &material->n_atoms);
  } else {
    DebyeMoleculeMeshLayer *mesh = DEBYE_MOLECULE_MESH_LAYER(layer);
    material->topology = debye_molecule_mesh_layer_get_topology(mesh);
    material->frame = debye_molecule_mesh_layer_get_frame(mesh);
    atoms = debye_molecule_mesh_layer_get_atoms(mesh, &material->n_atoms);
  }
  g_object_ref(material->topology);
  material->frame = material->frame != NULL ? debye_frame_ref(material->frame) : NULL;
  material->atoms = atoms != NULL ? copy_atoms(atoms, material->n_atoms) : NULL;
}

void
debye_layer_material_init(DebyeLayerMaterial *material, const DebyeLayerKind *kind, DebyeLayer *layer)
{
  *material = (DebyeLayerMaterial){0};
  switch (kind->needs) {
  case DEBYE_LAYER_NEEDS_ATOMS:
  case DEBYE_LAYER_NEEDS_MEASURED_ATOMS:
    take_atoms(material, layer);
    break;
  case DEBYE_LAYER_NEEDS_CELL:
    debye_box_layer_get_cell(DEBYE_BOX_LAYER(layer), &material->cell, &material->cell_origin);
    break;
  case DEBYE_LAYER_NEEDS_MAP:
    material->field = g_object_ref(debye_layer_kind_field_of(layer));
    break;
  case DEBYE_LAYER_NEEDS_LINES:
    material->places = debye_pair_layer_copy_lines(DEBYE_PAIR_LAYER(layer), &material->n_lines);
    break;
  case DEBYE_LAYER_NEEDS_NOTHING:
    break;
  }
}

void
debye_layer_material_clear(DebyeLayerMaterial *material)
{
  g_clear_object(&material->topology);
  g_clear_pointer(&material->frame, debye_frame_unref);
  g_clear_object(&material->field);
  g_clear_pointer(&material->atoms, g_free);
  g_clear_pointer(&material->places, g_free);
}

/* --- What is set of it --- */

/* Limits of colours that no map gives would count as set by hand. */
static gboolean
is_idle(DebyeLayer *layer, const GParamSpec *spec)
{
  return DEBYE_IS_MESH_LAYER(layer) && debye_mesh_layer_get_color_field(DEBYE_MESH_LAYER(layer)) == NULL &&
         (g_strcmp0(spec->name, "minimum") == 0 || g_strcmp0(spec->name, "maximum") == 0);
}

/* A choice of atoms is no value of its own: the atoms are material, the selection is kept as text. */
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
