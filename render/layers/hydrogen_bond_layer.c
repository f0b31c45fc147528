/* SPDX-License-Identifier: MIT */
/* The layer of hydrogen bonds: one dashed rod per bond, from the hydrogen if there is one. */
#include "hydrogen_bond_layer.h"

#include "data/molecule/hydrogen_bonds.h"
#include "data/molecule/periodic.h"
#include "molecule_colors.h"

#define DASH_RADIUS 0.07
#define DASH_PERIOD 0.42
#define SIDES 8
#define COLOR 0x3aa8c1

struct _DebyeHydrogenBondLayer {
  DebyeMoleculeMeshLayer parent;
};

enum { DISTANCE, ANGLE };
static const DebyeMoleculeMeshParameter parameters[] = {
    [DISTANCE] = {"distance", 0.01, 100.0, 3.5}, [ANGLE] = {"angle", 0.0, 180.0, 30.0}};

G_DEFINE_FINAL_TYPE(DebyeHydrogenBondLayer, debye_hydrogen_bond_layer, DEBYE_TYPE_MOLECULE_MESH_LAYER)

static DebyeMesh *
debye_hydrogen_bond_layer_make_mesh(const DebyeMoleculeMeshRequest *request, GBytes **notes G_GNUC_UNUSED,
                                    GCancellable *cancellable)
{
  g_autoptr(GArray) bonds =
      debye_hydrogen_bonds_find(request->topology, request->frame, request->atoms, request->n_atoms,
                                request->parameters[DISTANCE], request->parameters[ANGLE]);
  DebyePeriodic periodic;
  DebyeMeshBuilder builder;
  debye_periodic_init_for_frame(&periodic, request->frame);
  debye_mesh_builder_init(&builder);
  for (guint i = 0; i < bonds->len && !g_cancellable_is_cancelled(cancellable); i++) {
    const DebyeHydrogenBond *bond = &g_array_index(bonds, DebyeHydrogenBond, i);
    DebyeVec3 donor = debye_frame_get_position(request->frame, bond->donor), from = donor;
    if (bond->hydrogen != G_MAXUINT32) {
      DebyeVec3 way = debye_vec3_subtract(debye_frame_get_position(request->frame, bond->hydrogen), donor);
      from = debye_vec3_add(donor, debye_periodic_minimum_image(&periodic, way));
    }
    debye_mesh_builder_add_dashes(&builder, from, bond->to, DASH_RADIUS, DASH_PERIOD, SIDES, bond->donor);
  }
  return debye_mesh_builder_finish(&builder);
}

static guint8 *
debye_hydrogen_bond_layer_make_styles(DebyeMoleculeMeshLayer *layer, int coloring G_GNUC_UNUSED,
                                      guint32 color)
{
  return debye_molecule_styles(debye_molecule_mesh_layer_get_topology(layer), DEBYE_COLOR_UNIFORM, color);
}

static void
debye_hydrogen_bond_layer_class_init(DebyeHydrogenBondLayerClass *class)
{
  DebyeMoleculeMeshLayerClass *mesh_class = DEBYE_MOLECULE_MESH_LAYER_CLASS(class);
  debye_molecule_mesh_layer_class_install(mesh_class, parameters, G_N_ELEMENTS(parameters));
  mesh_class->make_mesh = debye_hydrogen_bond_layer_make_mesh;
  mesh_class->make_styles = debye_hydrogen_bond_layer_make_styles;
}

static void
debye_hydrogen_bond_layer_init(DebyeHydrogenBondLayer *self)
{
  g_object_set(self, "color", COLOR, NULL);
}

DebyeHydrogenBondLayer *
debye_hydrogen_bond_layer_new(DebyeTopology *topology)
{
  DebyeHydrogenBondLayer *self = g_object_new(DEBYE_TYPE_HYDROGEN_BOND_LAYER, NULL);
  debye_molecule_mesh_layer_init_for(DEBYE_MOLECULE_MESH_LAYER(self), topology, NULL);
  return self;
}
