/* SPDX-License-Identifier: MIT */
/* The settings of Poisson-Boltzmann's equation that don't go together, of map_solvent.h. */
#include "data/files/error.h"
#include "map_solvent.h"

static gboolean
is_given(const char *text)
{
  return text != NULL && *text != '\0';
}

/* What is computed of atoms in their own medium. NULL: nothing is asked for. */
static const char *
find_need_of_atoms(const DebyeMapSettings *settings, const char **key)
{
  const struct {
    gboolean is_wanted;
    const char *key, *label;
  } wishes[] = {
      {settings->energies, "energies", "Energies"},
      {settings->grid_error, "grid-error", "Error of the grid"},
      {is_given(settings->binding), "binding", "Binding of"},
      {is_given(settings->residues), "residues", "Table of residues"},
      {settings->as_apbs && is_given(settings->dielectric_maps), "as-apbs", "Surface as in APBS"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(wishes); i++)
    if (wishes[i].is_wanted) {
      *key = wishes[i].key;
      return wishes[i].label;
    }
  return NULL;
}

gboolean
debye_map_poisson_check_choices(const DebyeMapSettings *settings, gsize n_frames, gboolean is_dynamic,
                                const char **key, GError **error)
{
  const gboolean has_maps =
      is_given(settings->dielectric_maps) || is_given(settings->ion_map) || is_given(settings->charge_map);
  const char *label = find_need_of_atoms(settings, key);
  if (has_maps && label != NULL) {
    debye_error_set_about(error, DEBYE_ERROR_VALUE, label,
                          "it needs what the atoms make; leave it out, or the maps of permittivity, ions and "
                          "charges");
    return FALSE;
  }
  if (is_dynamic && (is_given(settings->binding) || is_given(settings->residues))) {
    *key = "select";
    debye_error_set_about(error, DEBYE_ERROR_SELECTION, "Atoms",
                          "a table of residues and binding need the same atoms in all frames, “%s” follows "
                          "their positions",
                          settings->select);
    return FALSE;
  }
  *key = "write-maps";
  if (is_given(settings->write_maps) && n_frames > 1) {
    debye_error_set_about(error, DEBYE_ERROR_VALUE, "Write maps",
                          "each frame has maps of its own; expected one frame, found %" G_GSIZE_FORMAT,
                          n_frames);
    return FALSE;
  }
  *key = NULL;
  return TRUE;
}
