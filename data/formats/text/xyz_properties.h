/* SPDX-License-Identifier: MIT */
/* The comment line of an extended XYZ file: key=value pairs, of which the lattice and the columns' meaning
 * matter. */
#pragma once

#include "data/geometry.h"
#include "data/files/text_fields.h"

/* Columns of an atom's line, 0-based; -1: not there. */
typedef struct {
  int species, position, atomic_number, mass, charge;
  int n_columns;
  DebyeCell cell;
  gboolean has_cell;
} DebyeXyzProperties;

/* What a plain file has, where the comment says nothing. FALSE where it contradicts itself, with the reason. */
gboolean debye_xyz_properties_read(DebyeXyzProperties *properties, const char *comment, gsize length,
                                   char **reason);
