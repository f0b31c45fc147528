/* SPDX-License-Identifier: MIT */
/* Implementation of setting_groups.h. Analyses share most of their settings, so the groups do as well. */
#include "setting_groups.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  const char *title;
  const char *
      keys; /* between blanks; "scattering/window" of one analysis alone comes before "window" of the others */
} Group;

static const Group groups[] = {
    {N_("Atoms and frames"), " select frames frame charges about copies names part altloc cell length-unit "},
    {N_("Data"), " q-range mask curve-unit data-unit intensity-unit data-columns data-resolution "
                 "concentration mass-contrast "},
    {N_("Pairs"), " exclude images geometric-factor self-images rdf/bins "},
    {N_("Directions of q"), " orientation q-vectors hkl shell-vectors seed "},
    {N_("Isotopes and form factors"), " isotope exchange contrast-series form-factors hydrogen ionic "},
    {N_("Grid"), " spacing padding origin shape bins gaussian at subsamples max "},
    {N_("Method"), " method smoothing periodic ewald-width bin-size bin-capacity cutoff core-radius equation"
                   " orientations combining ion-distance boundary as-apbs "},
    {N_("Solvent and surface"),
     " solvent displaced displaced-scale box-correction salt solute-permittivity membrane voltage "
     "permittivity surface-kind probe ion-radius radii dielectric-map ion-map charge-map "},
    {N_("Structure factor"), " structure-factor window convention "},
    {N_("In time"), " signal lags "},
    {N_("Spectrum"), " scattering/window resolution frequency detailed-balance scattering/temperature "},
    {N_("Position and motion"), " unwrap superpose superpose-weights reference center motion "},
    {N_("Normalisation"), " normalise volume norm density relative "},
    {N_("Result"),
     " statistic unit temperature partials laplacian energies grid-error nonpolar binding reaction residues "
     "follow write-maps symmetrise blobs level blob-at volume-map measured cavities bulk blocks "},
    {N_("Accuracy and computing"),
     " tolerance precision residual continue save-every device threads memory "},
    {N_("Others"), ""},
};

static gboolean
is_listed(const Group *group, const char *key)
{
  g_autofree char *word = g_strdup_printf(" %s ", key);
  return strstr(group->keys, word) != NULL;
}

static gboolean
find_key(const char *key, guint *group)
{
  for (*group = 0; *group < G_N_ELEMENTS(groups) - 1; (*group)++)
    if (is_listed(&groups[*group], key))
      return TRUE;
  return FALSE;
}

guint
debye_setting_groups_count(void)
{
  return G_N_ELEMENTS(groups);
}

const char *
debye_setting_groups_get_title(guint group)
{
  g_return_val_if_fail(group < G_N_ELEMENTS(groups), NULL);
  return _(groups[group].title);
}

guint
debye_setting_groups_find(const DebyeSettingTable *table, const DebyeSetting *setting)
{
  g_return_val_if_fail(table != NULL && setting != NULL, 0);
  g_autofree char *own = g_strdup_printf("%s/%s", table->id, setting->key);
  guint group;
  if (!find_key(own, &group))
    find_key(setting->key, &group);
  return group;
}

gboolean
debye_setting_groups_is_for_forms(const DebyeSetting *setting)
{
  g_return_val_if_fail(setting != NULL, FALSE);
  return !g_str_equal(setting->key, "variant");
}
