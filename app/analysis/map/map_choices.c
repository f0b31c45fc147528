/* SPDX-License-Identifier: MIT */
/* The settings of Poisson-Boltzmann's equation that don't go together, of map_solvent.h. */
#include "data/files/error.h"
#include "map_solvent.h"

typedef struct {
  gboolean is_wanted;
  const char *key, *label;
} Wish;

/* The first that is wanted; its key, or NULL. */
static const Wish *
find_wish(const Wish *wishes, gsize n, const char **key)
{
  for (gsize i = 0; i < n; i++)
    if (wishes[i].is_wanted) {
      *key = wishes[i].key;
      return &wishes[i];
    }
  return NULL;
}

static gboolean
is_periodic(const DebyeMapSettings *settings)
{
  return settings->has_periodic && settings->periodic != DEBYE_MAP_PERIODIC_NONE;
}

static gboolean
has_maps(const DebyeMapSettings *settings)
{
  return debye_map_is_given(settings->dielectric_maps) || debye_map_is_given(settings->ion_map) ||
         debye_map_is_given(settings->charge_map);
}

/* The first of the wishes below. */
#define N_WITHOUT_VOLTAGE 5

/* What is computed of atoms in their own medium, in open space, and without a voltage. */
static gboolean
check_wishes(const DebyeMapSettings *settings, const char **key, GError **error)
{
  const Wish wishes[] = {
      {settings->energies, "energies", "Energies"},
      {debye_map_is_given(settings->binding), "binding", "Binding of"},
      {debye_map_is_given(settings->residues), "residues", "Table of residues"},
      {debye_map_is_given(settings->follow), "follow", "Residues over time"},
      {settings->reaction, "reaction", "Reaction field alone"},
      {settings->grid_error, "grid-error", "Error of the grid"},
      {settings->as_apbs, "as-apbs", "Surface as in APBS"},
  };
  const Wish of_maps[] = {
      wishes[0],
      wishes[1],
      wishes[2],
      wishes[3],
      wishes[5],
      {settings->as_apbs && debye_map_is_given(settings->dielectric_maps), "as-apbs", wishes[6].label}};
  const Wish *wish = has_maps(settings) ? find_wish(of_maps, G_N_ELEMENTS(of_maps), key) : NULL;
  if (wish != NULL)
    return debye_error_set_about(
        error, DEBYE_ERROR_VALUE, wish->label,
        "it needs maps made from the atoms; leave it out, or the maps of permittivity, ions and charges");
  wish = is_periodic(settings) ? find_wish(wishes, G_N_ELEMENTS(wishes), key) : NULL;
  if (wish != NULL)
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, wish->label,
                                 "it needs an open boundary; leave it out, or the periodic directions");
  wish = settings->voltage != 0.0 ? find_wish(wishes, N_WITHOUT_VOLTAGE, key) : NULL;
  if (wish != NULL)
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, wish->label,
                                 "it isn't defined with a voltage; leave one of them out");
  *key = "as-apbs";
  if (settings->slab.is_there && settings->as_apbs)
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Surface as in APBS",
                                 "it does not support membranes; leave one of them out");
  return TRUE;
}

/* Membranes and cells against each other and what is given. */
static gboolean
check_cell(const DebyeMapSettings *settings, const char **key, GError **error)
{
  bool periodic[3];
  debye_map_poisson_list_periodic(settings, periodic);
  *key = "periodic";
  if (is_periodic(settings) && has_maps(settings))
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Periodic along",
                                 "given maps have an open boundary; leave one of them out");
  if (periodic[2] && settings->voltage != 0.0)
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Periodic along",
                                 "with a voltage the two ends along z differ; expected x, y or xy");
  *key = "boundary";
  if (is_periodic(settings) && settings->boundary != DEBYE_MAP_BOUNDARY_ZERO)
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Boundary",
                                 "a periodic grid has only zero at its other ends, found “%s”",
                                 debye_map_boundary_name(settings->boundary));
  *key = "shape";
  if (is_periodic(settings) && settings->has_shape)
    return debye_error_set_about(
        error, DEBYE_ERROR_VALUE, "Grid",
        "the cell and the spacing define the grid, which repeats; leave out the shape");
  *key = "membrane";
  if (settings->slab.is_there &&
      (debye_map_is_given(settings->dielectric_maps) || debye_map_is_given(settings->ion_map)))
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Membrane",
                                 "given maps of permittivity and ions have their own; leave one of them out");
  return TRUE;
}

gboolean
debye_map_poisson_check_choices(const DebyeMapSettings *settings, gsize n_frames, gboolean is_dynamic,
                                const char **key, GError **error)
{
  if (!check_wishes(settings, key, error) || !check_cell(settings, key, error))
    return FALSE;
  if (is_dynamic && (debye_map_is_given(settings->binding) || debye_map_is_given(settings->residues) ||
                     debye_map_is_given(settings->follow))) {
    *key = "select";
    return debye_error_set_about(error, DEBYE_ERROR_SELECTION, "Atoms",
                                 "binding and potentials of residues need the same atoms in all frames, “%s” "
                                 "depends on their positions",
                                 settings->select);
  }
  *key = "write-maps";
  if (debye_map_is_given(settings->write_maps) && n_frames > 1)
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Write maps",
                                 "each frame has maps of its own; expected one frame, found %" G_GSIZE_FORMAT,
                                 n_frames);
  *key = NULL;
  return TRUE;
}
