/* SPDX-License-Identifier: MIT */
/* The picture that papers show of a molecule's potential in solvent: its solvent-excluded surface in the colours of
 * what another molecule meets 1.4 Å outside, from -5 to +5 kT/e, and the isosurfaces at -1 and +1 kT/e. The window's
 * action “Electrostatic surface” and `debye-cli render --electrostatic` both make it here. */
#pragma once

#include "scene_builder.h"

/* Of the atoms that `selection` chooses (NULL: the solute), in the colours of source->map. The limits are set only if
 * the map is in kT/e. NULL: there are no atoms or no map. */
DebyeLayer *debye_electrostatic_surface_new(const DebyeSceneSource *source, const char *selection);
/* Such a surface among the layers, whatever was set of it since, in the colours of `map` (NULL: of any). NULL: there is
 * none. (transfer none) */
DebyeLayer *debye_electrostatic_surface_find(GListModel *layers, DebyeField *map);
/* The isosurfaces, negative first, hidden; none unless the map is in kT/e and has the value. (element-type DebyeLayer) */
GPtrArray *debye_electrostatic_surface_contours(DebyeField *map);
