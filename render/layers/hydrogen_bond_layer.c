/* SPDX-License-Identifier: MIT */
/* The layer of hydrogen bonds: one dashed rod per bond, from the hydrogen if there is one. */
#include "hydrogen_bond_layer.h"

#include <glib/gi18n.h>

#include "data/molecule/bonds.h"
#include "data/molecule/hydrogen_bonds.h"
#include "data/molecule/periodic.h"

#define DASH_RADIUS 0.07
#define DASH_PERIOD 0.42
#define SIDES 8
#define COLOR 0x3aa8c1

struct _DebyeHydrogenBondLayer {
  DebyeMoleculeMeshLayer parent;
};

enum { DISTANCE, ANGLE }; /* the numbers of the parameters */
static const DebyeLayerSetting settings[] = {
    {.option = {.key = "hydrogen-bonds",
                .kind = DEBYE_SETTING_BOOLEAN,
                .initial = "false",
                .help = "dashed lines between donors and acceptors of the drawn atoms, or of the solute"},
     .adds = TRUE},
    {.property = "distance",
     .label = N_("Distance"),
     .name = N_("Largest distance of donor and acceptor"),
     .unit = "Å",
     .low = 2.5,
     .high = 4.5,
     .range = {0.01, 100.0, 3.5},
     .earlier = "detail"},
    {.property = "angle",
     .label = N_("Angle"),
     .name = N_("Largest angle of hydrogen, donor, acceptor"),
     .unit = "°",
     .low = 0.0,
     .high = 90.0,
     .range = {0.0, 180.0, 30.0}},
    {.property = "choice", .label = N_("Atoms"), .name = N_("Atoms of this layer")},
};

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

static void
debye_hydrogen_bond_layer_class_init(DebyeHydrogenBondLayerClass *class)
{
  DebyeMoleculeMeshLayerClass *mesh_class = DEBYE_MOLECULE_MESH_LAYER_CLASS(class);
  debye_molecule_mesh_layer_class_install(mesh_class, &debye_hydrogen_bond_layer_kind);
  mesh_class->make_mesh = debye_hydrogen_bond_layer_make_mesh;
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

static gpointer
create(const DebyeLayerContents *contents)
{
  g_autoptr(DebyeTopology) bonded = debye_topology_get_bonded(contents->topology, contents->frame);
  return debye_hydrogen_bond_layer_new(bonded);
}

const DebyeLayerKind debye_hydrogen_bond_layer_kind = {
    .key = "hydrogen-bonds",
    .title = N_("Hydrogen bonds"),
    .section = 2,
    .needs = DEBYE_LAYER_NEEDS_ATOMS,
    .atoms = DEBYE_LAYER_SOLUTE,
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
    .create = create,
};
