/* SPDX-License-Identifier: MIT */
/* What cartoons and molecular surfaces have in common in their rows: which atoms. */
#pragma once

#include <adwaita.h>

#include "render/layers/molecule_mesh_layer.h"

G_BEGIN_DECLS

void debye_molecule_mesh_controls_add_atoms(AdwExpanderRow *row, DebyeMoleculeMeshLayer *layer,
                                            DebyeTopology *topology);

G_END_DECLS
