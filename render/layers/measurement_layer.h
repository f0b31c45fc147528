/* SPDX-License-Identifier: MIT */
/* A distance, an angle or a dihedral between two to four atoms: dashes, and the value beside them. */
#pragma once

#include "data/molecule/measure.h"
#include "molecule_mesh_layer.h"

#define DEBYE_TYPE_MEASUREMENT_LAYER (debye_measurement_layer_get_type())
extern const DebyeLayerKind debye_measurement_layer_kind;
G_DECLARE_FINAL_TYPE(DebyeMeasurementLayer, debye_measurement_layer, DEBYE, MEASUREMENT_LAYER,
                     DebyeMoleculeMeshLayer)

/* Its atoms, set with debye_layer_choose(), are in the order of the measurement. */
DebyeMeasurementLayer *debye_measurement_layer_new(DebyeTopology *topology);
/* In the frame shown, Å or degrees; NAN without one. */
double debye_measurement_layer_get_value(DebyeMeasurementLayer *self);
/* "2.87 Å", "109.5°". */
char *debye_measurement_layer_get_text(DebyeMeasurementLayer *self);
