/* SPDX-License-Identifier: MIT */
/* Implementation of field_kind.h. Maps were told by their names and units before they had kinds: here alone they still are. */
#include "field_kind.h"

static const struct {
  const char *word; /* also the name of maps whose file has no kind */
  const char *unit; /* that such a map has as well; NULL: any */
} kinds[DEBYE_FIELD_N_KINDS] = {
    [DEBYE_FIELD_ANY] = {"any", NULL},
    [DEBYE_FIELD_POTENTIAL] = {"potential", NULL},
    [DEBYE_FIELD_POTENTIAL_ERROR] = {"potential_error", NULL},
    [DEBYE_FIELD_DENSITY] = {"density", NULL},
    [DEBYE_FIELD_DENSITY_ERROR] = {"density_error", NULL},
    [DEBYE_FIELD_OCCUPANCY] = {"occupancy", NULL},
    [DEBYE_FIELD_OCCUPANCY_ERROR] = {"occupancy_error", NULL},
    [DEBYE_FIELD_RELATIVE_DENSITY] = {"relative_density", NULL},
    [DEBYE_FIELD_RELATIVE_DENSITY_ERROR] = {"relative_density_error", NULL},
    [DEBYE_FIELD_DIPOLE_X] = {"dipole_x", NULL},
    [DEBYE_FIELD_DIPOLE_X_ERROR] = {"dipole_x_error", NULL},
    [DEBYE_FIELD_DIPOLE_Y] = {"dipole_y", NULL},
    [DEBYE_FIELD_DIPOLE_Y_ERROR] = {"dipole_y_error", NULL},
    [DEBYE_FIELD_DIPOLE_Z] = {"dipole_z", NULL},
    [DEBYE_FIELD_DIPOLE_Z_ERROR] = {"dipole_z_error", NULL},
    [DEBYE_FIELD_FREE_ENERGY] = {"free_energy", NULL},
    [DEBYE_FIELD_FREE_ENERGY_ERROR] = {"free_energy_error", NULL},
    [DEBYE_FIELD_BARRIER] = {"barrier_to_bulk", NULL},
    [DEBYE_FIELD_PATHWAYS] = {"pathways", NULL},
    [DEBYE_FIELD_PATHWAY_ENERGY] = {"pathway_energy", NULL},
    [DEBYE_FIELD_ORBITAL] = {"orbital", "bohr^-3/2"},
    [DEBYE_FIELD_ELECTRON_DENSITY] = {"electron density", "electrons/bohr³"},
    [DEBYE_FIELD_SPIN_DENSITY] = {"spin density", "electrons/bohr³"},
    [DEBYE_FIELD_LAPLACIAN] = {"Laplacian of the electron density", NULL},
    [DEBYE_FIELD_ELECTROSTATIC_POTENTIAL] = {"electrostatic potential", NULL},
    [DEBYE_FIELD_ELECTRONS] = {"electrons", "electrons/bohr³"},
};

const char *
debye_field_kind_get_word(DebyeFieldKind kind)
{
  return kinds[kind].word;
}

DebyeFieldKind
debye_field_kind_from_word(const char *word)
{
  int kind = DEBYE_FIELD_N_KINDS - 1;
  while (kind > DEBYE_FIELD_ANY && !g_str_equal(word, kinds[kind].word))
    kind--;
  return (DebyeFieldKind)kind;
}

static gboolean
has_unit(DebyeFieldKind kind, const char *unit)
{
  return g_strcmp0(kinds[kind].unit, unit) == 0;
}

DebyeFieldKind
debye_field_kind_guess(const char *name, const char *unit)
{
  const DebyeFieldKind named = debye_field_kind_from_word(name);
  if (named != DEBYE_FIELD_ANY && (kinds[named].unit == NULL || has_unit(named, unit)))
    return named;
  /* Orbitals are called by their numbers. */
  return has_unit(DEBYE_FIELD_ORBITAL, unit)     ? DEBYE_FIELD_ORBITAL
         : has_unit(DEBYE_FIELD_ELECTRONS, unit) ? DEBYE_FIELD_ELECTRONS
                                                 : DEBYE_FIELD_ANY;
}
