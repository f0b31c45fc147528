/* SPDX-License-Identifier: MIT */
/* Assigns element, isotope, charge and volume to each atom; called by the scattering analysis. */
#include "atom_kinds.h"

#include <math.h>
#include <string.h>

#include "data/tables/elements.h"
#include "data/files/error.h"
#include "data/tables/neutron_lengths.h"
#include "data/selection/selection.h"

typedef struct {
  DebyeTopology *topology;
  const DebyeFrame *frame;
  const DebyeSettingTable *table;
  const DebyeAtomKindSettings *settings;
  DebyeAtomKind *kinds; /* of all atoms */
  const char **key;
} Assigning;

GArray *
debye_atom_kinds_select(DebyeTopology *topology, const DebyeFrame *frame, const char *text, GError **error)
{
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, error);
  if (selection == NULL)
    return NULL;
  return debye_selection_evaluate(selection, topology, frame, error);
}

gboolean
debye_atom_kinds_split(const char *text, char **selection, const char **value)
{
  const char *sign = strrchr(text, '=');
  g_autofree char *before = sign != NULL ? g_strstrip(g_strndup(text, (gsize)(sign - text))) : NULL;
  if (before == NULL || before[0] == '\0' || sign[1] == '\0')
    return FALSE;
  *selection = g_steal_pointer(&before);
  *value = sign + 1 + strspn(sign + 1, " ");
  return TRUE;
}

typedef gboolean (*AssignFunc)(const Assigning *assigning, const char *label, const GArray *atoms,
                               const char *selection, const char *value, GError **error);

/* All values of a repeated setting "SELECTION=VALUE". */
static gboolean
assign_all(const Assigning *assigning, const char *key, const char *values, AssignFunc assign, GError **error)
{
  const char *label = debye_setting_table_find(assigning->table, key)->label;
  g_auto(GStrv) texts = debye_setting_split_values(values);
  *assigning->key = key;
  for (char **text = texts; *text != NULL; text++) {
    g_autofree char *selection = NULL;
    const char *value;
    if (!debye_atom_kinds_split(*text, &selection, &value))
      return debye_error_set_about(error, DEBYE_ERROR_SETTING, label, "expected SELECTION=VALUE, found “%s”",
                                   *text);
    g_autoptr(GArray) atoms =
        debye_atom_kinds_select(assigning->topology, assigning->frame, selection, error);
    if (atoms == NULL || !assign(assigning, label, atoms, selection, value, error))
      return FALSE;
  }
  *assigning->key = NULL;
  return TRUE;
}

static gboolean
assign_isotope(const Assigning *assigning, const char *label, const GArray *atoms, const char *selection,
               const char *value, GError **error)
{
  const DebyeNeutronLength *length = debye_neutron_length_find(value);
  gsize n_assigned = 0;
  if (length == NULL)
    return debye_error_set_about(error, DEBYE_ERROR_SETTING, label,
                                 "expected an element or isotope that is tabulated (D, 13C, Ni), found “%s”",
                                 value);
  for (guint i = 0; i < atoms->len; i++) {
    DebyeAtomKind *kind = &assigning->kinds[g_array_index(atoms, guint32, i)];
    if (kind->element != length->number)
      continue;
    kind->mass_number = length->mass_number;
    n_assigned++;
  }
  return n_assigned > 0 ||
         debye_error_set_about(error, DEBYE_ERROR_VALUE, label, "“%s” selects no atoms of the element %s",
                               selection, debye_element_get(length->number)->symbol);
}

/* A number that is all of the text. */
static gboolean
parse_number(const char *label, const char *text, double low, double high, double *value, GError **error)
{
  char *end, from[G_ASCII_DTOSTR_BUF_SIZE], to[G_ASCII_DTOSTR_BUF_SIZE];
  *value = g_ascii_strtod(text, &end);
  if (end != text && end[strspn(end, " ")] == '\0' && *value >= low && *value <= high)
    return TRUE;
  return debye_error_set_about(
      error, DEBYE_ERROR_SETTING, label, "expected a number from %s to %s, found “%s”",
      g_ascii_formatd(from, sizeof from, "%g", low), g_ascii_formatd(to, sizeof to, "%g", high), text);
}

static gboolean
assign_exchange(const Assigning *assigning, const char *label, const GArray *atoms, const char *selection,
                const char *value, GError **error)
{
  double fraction;
  gsize n_assigned = 0;
  if (!parse_number(label, value, 0.0, 1.0, &fraction, error))
    return FALSE;
  for (guint i = 0; i < atoms->len; i++) {
    DebyeAtomKind *kind = &assigning->kinds[g_array_index(atoms, guint32, i)];
    if (kind->element != 1)
      continue;
    kind->is_exchangeable = TRUE;
    kind->exchanged = fraction;
    n_assigned++;
  }
  return n_assigned > 0 || debye_error_set_about(error, DEBYE_ERROR_VALUE, label,
                                                 "“%s” selects no exchangeable hydrogen", selection);
}

static gboolean
assign_volume_scale(const Assigning *assigning, const char *label, const GArray *atoms, const char *selection,
                    const char *value, GError **error)
{
  double scale;
  (void)selection;
  if (!parse_number(label, value, 0.0, 100.0, &scale, error))
    return FALSE;
  for (guint i = 0; i < atoms->len; i++)
    assigning->kinds[g_array_index(atoms, guint32, i)].volume_scale = scale;
  return TRUE;
}

char **
debye_atom_kinds_list_parts(const DebyeAtomKindSettings *settings)
{
  g_auto(GStrv) values = debye_setting_split_values(settings->partials ? settings->part : NULL);
  g_autoptr(GPtrArray) names = g_ptr_array_new();
  for (char **text = values; *text != NULL; text++) {
    g_autofree char *selection = NULL;
    const char *name = NULL;
    if (debye_atom_kinds_split(*text, &selection, &name) &&
        !g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
      g_ptr_array_add(names, g_strdup(name));
  }
  g_ptr_array_add(names, NULL);
  return (char **)g_ptr_array_steal(names, NULL);
}

/* Atoms that several name are the last one's. */
static gboolean
assign_part(const Assigning *assigning, const char *label, const GArray *atoms, const char *selection,
            const char *value, GError **error)
{
  g_auto(GStrv) names = debye_atom_kinds_list_parts(assigning->settings);
  guint64 part = 0;
  if (atoms->len == 0)
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, label, "“%s” selects no atoms", selection);
  if (strcmp(value, DEBYE_ATOM_KINDS_REST) == 0)
    return debye_error_set_about(error, DEBYE_ERROR_SETTING, label,
                                 "expected another name than “%s”, which atoms outside all parts have",
                                 value);
  while (names[part] != NULL && !g_str_equal(names[part], value))
    part++;
  for (guint i = 0; i < atoms->len; i++)
    assigning->kinds[g_array_index(atoms, guint32, i)].part = part + 1;
  return TRUE;
}

/* Structures from neutron diffraction name their deuterium D, DA, 1DB2 …: an element column alone can't say
 * so, it is read as hydrogen. */
static gboolean
is_named_deuterium(const char *name)
{
  while (g_ascii_isdigit(*name))
    name++;
  return *name == 'D';
}

/* An ion that stands alone has its charge; the atoms of a molecule share theirs. */
static gint8
get_ion_charge(DebyeTopology *topology, gsize atom)
{
  const float *charges = debye_topology_get_charges(topology);
  const guint32 *offsets, *partners;
  debye_topology_get_bond_graph(topology, &offsets, &partners);
  const DebyeResidue *residue =
      &debye_topology_get_residue_table(topology)[debye_topology_get_residues(topology)[atom]];
  if (charges == NULL || offsets[atom + 1] > offsets[atom] || residue->n_atoms > 1)
    return 0;
  float nearest = roundf(charges[atom]);
  return fabsf(charges[atom] - nearest) < 0.01f && fabsf(nearest) < 8.0f ? (gint8)nearest : 0;
}

static DebyeAtomKind *
read_kinds(DebyeTopology *topology, gboolean ionic, gsize *n_deuterium)
{
  gsize n = debye_topology_get_n_atoms(topology);
  const guint8 *elements = debye_topology_get_elements(topology);
  const guint32 *names = debye_topology_get_names(topology);
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  DebyeAtomKind *kinds = g_new0(DebyeAtomKind, n);
  *n_deuterium = 0;
  for (gsize i = 0; i < n; i++) {
    kinds[i] = (DebyeAtomKind){.element = elements[i], .volume_scale = 1.0};
    if (elements[i] == 1 && is_named_deuterium(debye_string_pool_get(pool, names[i]))) {
      kinds[i].mass_number = 2;
      ++*n_deuterium;
    }
    if (ionic)
      kinds[i].charge = get_ion_charge(topology, i);
  }
  return kinds;
}

DebyeAtomKind *
debye_atom_kinds_find(DebyeTopology *topology, const DebyeFrame *frame, const DebyeSettingTable *table,
                      const DebyeAtomKindSettings *settings, gsize *n_deuterium, const char **key,
                      GError **error)
{
  g_autofree DebyeAtomKind *kinds = read_kinds(topology, settings->ionic, n_deuterium);
  const Assigning assigning = {
      .topology = topology, .frame = frame, .table = table, .settings = settings, .kinds = kinds, .key = key};
  if (!assign_all(&assigning, "isotope", settings->isotope, assign_isotope, error) ||
      !assign_all(&assigning, "exchange", settings->exchange, assign_exchange, error) ||
      !assign_all(&assigning, "displaced-scale", settings->displaced_scale, assign_volume_scale, error) ||
      (settings->partials && !assign_all(&assigning, "part", settings->part, assign_part, error)))
    return NULL;
  return g_steal_pointer(&kinds);
}
