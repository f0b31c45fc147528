/* SPDX-License-Identifier: MIT */
/* Implementation of map_partners.h. */
#include "map_partners.h"

#include <string.h>

#include "data/files/error.h"
#include "data/selection/selection.h"
#include "data/settings/setting.h"

#define LABEL "Binding of"

/* Marks the atoms of a partner; FALSE with an error. */
static gboolean
mark(const char *text, DebyeTopology *topology, const DebyeFrame *first, guint8 bit, guint8 *partners,
     GError **error)
{
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, error);
  if (selection == NULL)
    return FALSE;
  if (debye_selection_is_dynamic(selection))
    return debye_error_set_about(error, DEBYE_ERROR_SELECTION, LABEL,
                                 "expected the same atoms in all frames, “%s” depends on their positions",
                                 text);
  g_autoptr(GArray) atoms = debye_selection_evaluate(selection, topology, first, error);
  if (atoms == NULL)
    return FALSE;
  if (atoms->len == 0)
    return debye_error_set_about(error, DEBYE_ERROR_SELECTION, LABEL,
                                 "the selection “%s” chooses none of %" G_GSIZE_FORMAT " atoms", text,
                                 debye_topology_get_n_atoms(topology));
  for (guint i = 0; i < atoms->len; i++)
    partners[g_array_index(atoms, guint32, i)] |= bit;
  return TRUE;
}

/* The partner of each chosen atom; NULL with an error. */
static guint8 *
take_chosen(const guint8 *of_all, gsize n, const GArray *atoms, GError **error)
{
  g_autofree guint8 *partners = g_new0(guint8, atoms->len + 1);
  gsize n_common = 0, n_bound = 0, n_chosen = 0;
  for (gsize i = 0; i < n; i++) {
    n_common += of_all[i] == 3;
    n_bound += of_all[i] != 0;
  }
  for (guint i = 0; i < atoms->len; i++) {
    partners[i] = of_all[g_array_index(atoms, guint32, i)];
    n_chosen += partners[i] != 0;
  }
  if (n_common > 0)
    debye_error_set_about(error, DEBYE_ERROR_SELECTION, LABEL,
                          "both selections choose %" G_GSIZE_FORMAT " atoms; expected none in common",
                          n_common);
  else if (n_chosen != n_bound || atoms->len != n_bound)
    debye_error_set_about(error, DEBYE_ERROR_SELECTION, LABEL,
                          "the map is of %u atoms, but both partners have %" G_GSIZE_FORMAT
                          "; leave out --select to use these",
                          atoms->len, n_bound);
  else
    return g_steal_pointer(&partners);
  return NULL;
}

guint8 *
debye_map_partners_find(const char *pair, DebyeTopology *topology, const DebyeFrame *first,
                        const GArray *atoms, GError **error)
{
  g_autofree char *one = NULL, *other = NULL;
  const gsize n = debye_topology_get_n_atoms(topology);
  g_autofree guint8 *of_all = g_try_new0(guint8, n);
  if (of_all == NULL) {
    debye_error_set_memory(error, NULL, n, "atoms of two partners");
    return NULL;
  }
  /* Forms let several pairs be added, a line each. */
  if (strchr(pair, '\n') != NULL || !debye_setting_split_pair(pair, &one, &other)) {
    debye_error_set_about(error, DEBYE_ERROR_SELECTION, LABEL, "expected two selections, found “%s”", pair);
    return NULL;
  }
  return mark(one, topology, first, 1, of_all, error) && mark(other, topology, first, 2, of_all, error)
             ? take_chosen(of_all, n, atoms, error)
             : NULL;
}
