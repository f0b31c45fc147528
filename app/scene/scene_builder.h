/* SPDX-License-Identifier: MIT */
/* From data to layers with good defaults: the solute is the subject, water is thin or hidden, positive is
 * blue and negative red. The window and `debye-cli render` both build their scenes here, so a picture from
 * either looks alike. */
#pragma once

#include "data/trajectory/dataset.h"
#include "data/results/field.h"
#include "render/layers/alignment_layer.h"
#include "render/layers/box_layer.h"
#include "render/layers/cartoon_layer.h"
#include "render/layers/clip_layer.h"
#include "render/layers/bin_layer.h"
#include "render/layers/hydrogen_bond_layer.h"
#include "render/layers/isosurface_layer.h"
#include "render/layers/label_layer.h"
#include "render/layers/measurement_layer.h"
#include "render/layers/molecular_surface_layer.h"
#include "render/layers/molecule_layer.h"
#include "render/layers/slice_layer.h"

G_BEGIN_DECLS

/* The topology with the bonds that no file gave: from distances in the frame that it is first asked for with,
 * which take the better part of a second for a million atoms; from then on the same object, on any thread. */
DebyeTopology *debye_scene_builder_find_bonds(DebyeTopology *topology, DebyeFrame *frame);

/* Layers of the molecules, back to front: water (lines, hidden around a solute), ions (small spheres),
 * solute: proteins and nucleic acids as cartoons, with their atoms as a hidden layer; what else there is as
 * ball and stick, or lines from 50,000 atoms on. Each has a name for a row; kinds that aren't there are left
 * out. Bonds that no file gave come from distances. `frame` is shown until another is set. Never empty. */
GPtrArray *debye_scene_builder_molecules(DebyeTopology *topology, DebyeFrame *frame);
/* The same with all atoms as atoms: no cartoons. */
GPtrArray *debye_scene_builder_all_atoms(DebyeTopology *topology, DebyeFrame *frame);
/* The chosen atoms (NULL: all) as a cartoon; it may be empty. */
DebyeCartoonLayer *debye_scene_builder_cartoon(DebyeTopology *topology, DebyeFrame *frame,
                                               const guint32 *atoms, gsize n_atoms);
/* One layer of the chosen atoms (NULL: all), ball and stick. */
DebyeMoleculeLayer *debye_scene_builder_atoms(DebyeTopology *topology, DebyeFrame *frame,
                                              const guint32 *atoms, gsize n_atoms);
/* The surface of the chosen atoms (NULL: all). */
DebyeMolecularSurfaceLayer *debye_scene_builder_molecular_surface(DebyeTopology *topology, DebyeFrame *frame,
                                                                  const guint32 *atoms, gsize n_atoms);
/* Of what is neither water nor an ion, or of all atoms where there is nothing else. */
DebyeMolecularSurfaceLayer *debye_scene_builder_solute_surface(DebyeTopology *topology, DebyeFrame *frame);
/* Those that the sum up to a cutoff sorts all atoms into. */
DebyeBinLayer *debye_scene_builder_bins(DebyeTopology *topology, DebyeFrame *frame);
/* Of the solute; of all atoms where there is none. */
DebyeHydrogenBondLayer *debye_scene_builder_hydrogen_bonds(DebyeTopology *topology, DebyeFrame *frame);
/* Residues of the solute by their names. */
DebyeLabelLayer *debye_scene_builder_labels(DebyeTopology *topology, DebyeFrame *frame);
/* Of two to four atoms, in the order of the measurement. */
DebyeMeasurementLayer *debye_scene_builder_measurement(DebyeTopology *topology, DebyeFrame *frame,
                                                       const guint32 *atoms, gsize n_atoms);
/* Shows another frame in a layer that is made of atoms; FALSE: it isn't. */
gboolean debye_scene_builder_show_frame(DebyeLayer *layer, DebyeFrame *frame);
/* The cell of the frame, hidden; NULL where it has none. */
DebyeBoxLayer *debye_scene_builder_box(DebyeFrame *frame);

/* Levels that show the shape of this map: beyond each lies a small part of the points; rounded to 1, 2 or 5.
 * ± the same where both signs are alike strong; a molecule with a net charge, whose potential has one sign
 * nearly everywhere, gets one for each sign. 0: that sign doesn't occur. */
void debye_scene_builder_suggest_levels(DebyeField *field, double *negative, double *positive);
/* Translucent: what is inside stays visible. */
DebyeIsosurfaceLayer *debye_scene_builder_surface(DebyeField *field, double level);
/* Another level of its map (in the map's unit), and the name that says so. */
void debye_scene_builder_set_level(DebyeIsosurfaceLayer *layer, double level);
DebyeSliceLayer *debye_scene_builder_slice(DebyeField *field, int axis, double position);
/* The default picture of a map: surfaces at the suggested levels and, hidden, a
 * slice through the middle. (element-type DebyeLayer) */
GPtrArray *debye_scene_builder_field(DebyeField *field);

/* Setting values as typed: "ball-and-stick", "element" … FALSE: unknown. */
gboolean debye_scene_builder_parse_style(const char *text, DebyeMoleculeStyle *style);
gboolean debye_scene_builder_parse_coloring(const char *text, DebyeMoleculeColoring *coloring);
gboolean debye_scene_builder_parse_cartoon_coloring(const char *text, DebyeCartoonColoring *coloring);
/* "z" (the middle), "x:12.5" (Å, along that axis of the grid). The position is a fraction of the grid. */
gboolean debye_scene_builder_parse_slice(const char *text, const DebyeGrid *grid, int *axis, double *position,
                                         GError **error);

G_END_DECLS
