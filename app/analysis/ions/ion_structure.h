/* SPDX-License-Identifier: MIT */
/* The ions of a result as a structure of their own: for files, and for a layer of spheres. */
#pragma once

#include "data/molecule/frame.h"
#include "data/results/result.h"
#include "data/molecule/topology.h"

/* A residue an ion, named as the result's request says, with charge and radius; *frame has their places.
 * NULL where the result is not one of ions. */
DebyeTopology *debye_ion_structure_new(DebyeResult *result, DebyeFrame **frame);

/* Whether a path ends as such a structure is written: .pdb, .pqr. */
gboolean debye_ion_structure_can_save(const char *path);
/* Written beside, then renamed. FALSE with an error that names the file. */
gboolean debye_ion_structure_save(DebyeResult *result, const char *path, GError **error);
