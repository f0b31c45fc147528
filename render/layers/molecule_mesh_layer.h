/* SPDX-License-Identifier: MIT */
/* What layers share whose mesh is made of atoms, frame by frame: cartoons and molecular surfaces. The mesh is
 * made on a thread; of frames that come meanwhile only the newest counts. */
#pragma once

#include "data/molecule/frame.h"
#include "data/molecule/topology.h"
#include "layer.h"
#include "mesh_layer.h"
#include "molecule_colors.h"
#include "shown_atoms.h"

#define DEBYE_MOLECULE_MESH_PARAMETERS 9

/* What the thread gets; it lives while the thread works. */
typedef struct {
  DebyeTopology *topology;
  DebyeFrame *frame;
  const guint32 *atoms; /* ascending; NULL: all */
  gsize n_atoms;
  double parameters[DEBYE_MOLECULE_MESH_PARAMETERS]; /* of the kind of layer, in the order of its settings */
  double longest_edge;                               /* of triangles, Å; 0: as is usual */
  gconstpointer shared;                              /* the layer's, which doesn't change */
} DebyeMoleculeMeshRequest;

/* Properties: "coloring" int (what the kind of layer has), "color" as 0xRRGGBB uint (of the uniform
 * colouring), the parameters of the kind of layer, "choice" (atom_choice.h: atoms and selection together,
 * notified only when set so); to be read "frame" (DebyeFrame), "n-shown" uint. */
#define DEBYE_TYPE_MOLECULE_MESH_LAYER (debye_molecule_mesh_layer_get_type())
G_DECLARE_DERIVABLE_TYPE(DebyeMoleculeMeshLayer, debye_molecule_mesh_layer, DEBYE, MOLECULE_MESH_LAYER,
                         DebyeMeshLayer)

struct _DebyeMoleculeMeshLayerClass {
  DebyeMeshLayerClass parent_class;
  /* On the thread. A mesh whose vertices have atoms; `notes` may get something for take_notes. NULL: given
   * up. */
  DebyeMesh *(*make_mesh)(const DebyeMoleculeMeshRequest *request, GBytes **notes, GCancellable *cancellable);
  /* On the main thread, before make_styles. */
  void (*take_notes)(DebyeMoleculeMeshLayer *self, GBytes *notes);
  /* How a value of "coloring" colours atoms. Left out: in one colour, which has no legend. */
  DebyeMoleculeColoring (*get_atom_coloring)(int coloring);
  /* Four bytes an atom, the first three its colour. Left out: as get_atom_coloring says. */
  guint8 *(*make_styles)(DebyeMoleculeMeshLayer *self);
  /* Set by debye_molecule_mesh_layer_class_install(). */
  const DebyeLayerSetting *parameters[DEBYE_MOLECULE_MESH_PARAMETERS];
  gsize n_parameters;
};

DebyeTopology *debye_molecule_mesh_layer_get_topology(DebyeMoleculeMeshLayer *self);
void debye_molecule_mesh_layer_set_coloring(DebyeMoleculeMeshLayer *self, int coloring);
int debye_molecule_mesh_layer_get_coloring(DebyeMoleculeMeshLayer *self);

/* For a subclass's class_init: its kind, whose settings that are parameters, at most
 * DEBYE_MOLECULE_MESH_PARAMETERS, become properties. A subclass with properties of its own passes the others
 * on to the parent class. */
void debye_molecule_mesh_layer_class_install(DebyeMoleculeMeshLayerClass *class, const DebyeLayerKind *kind);
/* For subclasses: sets a parameter that is no property of its own, as it follows from others. */
void debye_molecule_mesh_layer_set_parameter(DebyeMoleculeMeshLayer *self, guint number, double value);
/* For subclasses: when one is made, and `shared` of every request. */
void debye_molecule_mesh_layer_init_for(DebyeMoleculeMeshLayer *self, DebyeTopology *topology,
                                        gconstpointer shared);
/* Stops the thread: in a subclass's dispose, before `shared` goes. */
void debye_molecule_mesh_layer_stop(DebyeMoleculeMeshLayer *self);
