/* SPDX-License-Identifier: MIT */
/* From data to layers with good defaults: the solute is the subject, water is thin or hidden, positive is
 * blue and negative red. The window and `debye-cli render` both build their scenes here, so a picture from
 * either looks alike. */
#pragma once

#include "data/trajectory/dataset.h"
#include "data/results/field.h"
#include "render/layers/isosurface_layer.h"
#include "render/layers/molecule_layer.h"
#include "render/layers/slice_layer.h"

/* What layers are made of; NULL where there is none. */
typedef struct {
  DebyeTopology *topology;
  DebyeFrame *frame;
  DebyeField *map;
} DebyeSceneSource;

/* A layer of this kind with its usual name, of these atoms (NULL: those that a new one shows; measured ones in
 * the order of the measurement). NULL: what it is made of is not there. */
DebyeLayer *debye_scene_builder_layer(const DebyeLayerKind *kind, const DebyeSceneSource *source,
                                      const guint32 *atoms, gsize n_atoms);
/* The same as a person adds it who looks through this camera. NULL, too, where there is nothing to be seen of it.
 */
DebyeLayer *debye_scene_builder_new_layer(const DebyeLayerKind *kind, const DebyeSceneSource *source,
                                          const DebyeCamera *camera);

/* The name that follows from what the layer shows, or its kind's title. */
void debye_scene_builder_name(DebyeLayer *layer);
/* Layers of the molecules, back to front: water (lines, hidden around a solute), ions (small spheres),
 * solute: proteins and nucleic acids as cartoons, with their atoms as a hidden layer; what else there is as
 * ball and stick, or lines from 50,000 atoms on. Each has a name for a row; kinds that aren't there are left
 * out. Bonds that no file gave come from distances. `frame` is shown until another is set. Never empty. */
GPtrArray *debye_scene_builder_molecules(DebyeTopology *topology, DebyeFrame *frame);
/* The same of chosen atoms alone, water among them shown, with cartoons of however short polymers. */
GPtrArray *debye_scene_builder_chosen(DebyeTopology *topology, DebyeFrame *frame, const char *selection);
/* The same of all with all atoms as atoms: no cartoons. */
GPtrArray *debye_scene_builder_all_atoms(DebyeTopology *topology, DebyeFrame *frame);
DebyeIsosurfaceLayer *debye_scene_builder_surface(DebyeField *field, double level);
/* Another level of its map (in the map's unit), and the name that says so. */
void debye_scene_builder_set_level(DebyeIsosurfaceLayer *layer, double level);
DebyeSliceLayer *debye_scene_builder_slice(DebyeField *field, int axis, double position);
/* The default picture of a map: surfaces at the suggested levels and, hidden, a
 * slice through the middle. (element-type DebyeLayer) */
GPtrArray *debye_scene_builder_field(DebyeField *field);
