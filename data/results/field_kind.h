/* SPDX-License-Identifier: MIT */
/* What a map is of, where something depends on that: its levels, its limits of colours, its symbol, what is shown with it. */
#pragma once

#include <glib.h>

/* Files name them: add at the end, rename none. Behind a kind stands that of its standard errors. */
typedef enum {
  DEBYE_FIELD_ANY,
  DEBYE_FIELD_POTENTIAL, /* of charges */
  DEBYE_FIELD_POTENTIAL_ERROR,
  DEBYE_FIELD_DENSITY, /* of atoms */
  DEBYE_FIELD_DENSITY_ERROR,
  DEBYE_FIELD_OCCUPANCY,
  DEBYE_FIELD_OCCUPANCY_ERROR,
  DEBYE_FIELD_RELATIVE_DENSITY,
  DEBYE_FIELD_RELATIVE_DENSITY_ERROR,
  DEBYE_FIELD_DIPOLE_X,
  DEBYE_FIELD_DIPOLE_X_ERROR,
  DEBYE_FIELD_DIPOLE_Y,
  DEBYE_FIELD_DIPOLE_Y_ERROR,
  DEBYE_FIELD_DIPOLE_Z,
  DEBYE_FIELD_DIPOLE_Z_ERROR,
  DEBYE_FIELD_FREE_ENERGY,
  DEBYE_FIELD_FREE_ENERGY_ERROR,
  DEBYE_FIELD_BARRIER,
  DEBYE_FIELD_PATHWAYS, /* 1 on the ways of a ligand, falling off beside them */
  DEBYE_FIELD_PATHWAY_ENERGY,
  DEBYE_FIELD_ORBITAL,
  DEBYE_FIELD_ELECTRON_DENSITY,
  DEBYE_FIELD_SPIN_DENSITY,
  DEBYE_FIELD_LAPLACIAN,
  DEBYE_FIELD_ELECTROSTATIC_POTENTIAL, /* of nuclei and electrons */
  DEBYE_FIELD_ELECTRONS, /* some other density of electrons: a difference, a map of another program */
  DEBYE_FIELD_N_KINDS
} DebyeFieldKind;

/* In files: "free_energy". */
const char *debye_field_kind_get_word(DebyeFieldKind kind);
/* DEBYE_FIELD_ANY: no version so far had it. */
DebyeFieldKind debye_field_kind_from_word(const char *word);
/* Of a map whose file doesn't tell its kind, because its format or its version has no place for it. */
DebyeFieldKind debye_field_kind_guess(const char *name, const char *unit);
