/* SPDX-License-Identifier: MIT */
/* Reads the crystal of a small-molecule CIF: cell, symmetry and sites. Private to cif_crystal.c. */
#pragma once

#include "cif_site.h"
#include "data/molecule/symmetry.h"

typedef struct {
  char *label;
  guint8 element; /* 0: unknown */
  DebyeVec3 fraction;
  double occupancy, b_factor; /* NAN: not given */
  double charge;              /* e; NAN: none stated */
  gboolean is_disordered;
} DebyeCifCrystalSite;

typedef struct {
  char *name;  /* of the data block */
  char *title; /* NULL: none */
  char *space_group;
  DebyeCell cell;
  GArray *sites;      /* DebyeCifCrystalSite */
  GArray *operations; /* DebyeSymmetryOperation, at least the identity */
  gboolean lacks_operations, has_charges;
  gsize n_without_position;
  DebyeCifOthers others;
} DebyeCifAsymmetricUnit;

/* NULL with an error: no cell, no atoms, an operation that is none. */
DebyeCifAsymmetricUnit *debye_cif_asymmetric_unit_read(DebyeInput *input, GError **error);
void debye_cif_asymmetric_unit_free(DebyeCifAsymmetricUnit *unit);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeCifAsymmetricUnit, debye_cif_asymmetric_unit_free)
