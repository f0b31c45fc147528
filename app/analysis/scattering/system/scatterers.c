/* SPDX-License-Identifier: MIT */
/* Sorts atoms into species, which scatterer_weights.c weighs; called by scattering_plan.c. */
#include "scatterers.h"

#include <math.h>
#include <string.h>

#include "app/analysis/driver/atom_kinds.h"
#include "data/tables/elements.h"
#include "data/files/error.h"
#include "scattering_solvent.h"
#include "data/messages/message.h"

typedef struct {
  DebyeScatterers *scatterers;
  DebyeTopology *topology;
  const DebyeFrame *frame;
  const DebyeScatteringSettings *settings;
  DebyeAtomKind *kinds;            /* of all atoms */
  char **names;                    /* of parts, by the settings */
  const char *select, *select_key; /* which atoms, by which setting */
  const char **key;
} Sorting;

static void
scatterer_clear(gpointer data)
{
  DebyeScatterer *scatterer = data;
  g_free(scatterer->name);
  g_clear_pointer(&scatterer->atoms, g_array_unref);
}

void
debye_scatterers_clear(DebyeScatterers *scatterers)
{
  g_clear_pointer(&scatterers->species, g_array_unref);
  g_clear_pointer(&scatterers->parts, g_ptr_array_unref);
  g_clear_pointer(&scatterers->notes, g_ptr_array_unref);
  if (scatterers->solvent_atoms != NULL)
    debye_scatterers_clear(scatterers->solvent_atoms);
  g_clear_pointer(&scatterers->solvent_atoms, g_free);
}

static void
make_lists(DebyeScatterers *scatterers)
{
  scatterers->species = g_array_new(FALSE, TRUE, sizeof(DebyeScatterer));
  g_array_set_clear_func(scatterers->species, scatterer_clear);
  scatterers->parts = g_ptr_array_new_with_free_func(g_free);
  scatterers->notes = g_ptr_array_new_with_free_func(g_free);
}

static void add_note(DebyeScatterers *scatterers, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void
add_note(DebyeScatterers *scatterers, const char *format, ...)
{
  va_list values;
  va_start(values, format);
  g_ptr_array_add(scatterers->notes, debye_message_new_valist(format, values));
  va_end(values);
}

/* --- Species --- */

static gboolean
find_weight(const Sorting *sorting, const DebyeAtomKind *kind, DebyeScatterer *scatterer, GError **error)
{
  const DebyeScatterers *all = sorting->scatterers;
  const char *symbol = debye_element_get(kind->element)->symbol;
  if (all->probe == DEBYE_PROBE_NEUTRON) {
    scatterer->length = debye_neutron_length_get(kind->element, kind->mass_number);
    if (scatterer->length != NULL)
      return TRUE;
    return debye_error_set_about(error, DEBYE_ERROR_MISSING, "Atoms",
                                 "no neutron scattering length is tabulated for the element %s", symbol);
  }
  scatterer->factor = debye_xray_factor_get(all->xray_table, all->xray_hydrogen, kind->element, kind->charge);
  if (scatterer->factor == NULL && kind->charge != 0) {
    add_note(sorting->scatterers,
             "No form factor is tabulated for the ion %s with charge %+d: the atom's is used", symbol,
             kind->charge);
    scatterer->factor = debye_xray_factor_get(all->xray_table, all->xray_hydrogen, kind->element, 0);
  }
  return scatterer->factor != NULL ||
         debye_error_set_about(error, DEBYE_ERROR_MISSING, "Atoms",
                               "no X-ray form factor is tabulated for the element %s", symbol);
}

static char *
name_species(const DebyeScatterers *all, const DebyeAtomKind *kind, const DebyeScatterer *scatterer,
             const char *part)
{
  char percent[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *base = all->probe == DEBYE_PROBE_NEUTRON
                              ? debye_neutron_length_get_name(scatterer->length)
                              : g_strdup(debye_element_get(kind->element)->symbol);
  g_autofree char *full = NULL;
  if (scatterer->is_exchangeable && all->probe == DEBYE_PROBE_NEUTRON)
    full = g_strdup_printf("%s (%s %% D)", base,
                           g_ascii_formatd(percent, sizeof percent, "%g", 100.0 * kind->exchanged));
  else if (scatterer->factor != NULL && scatterer->factor->charge != 0)
    full = g_strdup_printf("%s%d%c", base, ABS(scatterer->factor->charge),
                           scatterer->factor->charge > 0 ? '+' : '-');
  else
    full = g_strdup(base);
  if (part != NULL) {
    char *of_part = g_strdup_printf("%s %s", part, full);
    g_free(full);
    full = of_part;
  }
  guint n_alike = 0;
  for (guint i = 0; i < all->species->len; i++) {
    const char *other = debye_scatterers_get(all, i)->name;
    n_alike += g_str_has_prefix(other, full) && (other[strlen(full)] == '\0' || other[strlen(full)] == '#');
  }
  return n_alike == 0 ? g_steal_pointer(&full) : g_strdup_printf("%s#%u", full, n_alike + 1);
}

/* Its place among the parts, where it comes to stand if it isn't there. */
static guint
find_part(DebyeScatterers *all, const char *name)
{
  guint part;
  if (!g_ptr_array_find_with_equal_func(all->parts, name, g_str_equal, &part)) {
    part = all->parts->len;
    g_ptr_array_add(all->parts, g_strdup(name));
  }
  return part;
}

static gboolean
add_species(const Sorting *sorting, const DebyeAtomKind *kind, const DebyeDisplacedVolume *displaced,
            GError **error)
{
  DebyeScatterers *all = sorting->scatterers;
  DebyeScatterer scatterer = {
      .element = kind->element, .is_exchangeable = kind->is_exchangeable, .exchanged = kind->exchanged};
  if (!find_weight(sorting, kind, &scatterer, error))
    return FALSE;
  if (all->probe == DEBYE_PROBE_NEUTRON) {
    double complex coherent;
    debye_scatterer_mix(&scatterer, scatterer.exchanged, &coherent, &scatterer.incoherent_section);
    scatterer.coherent = creal(coherent);
    scatterer.coherent_imaginary = cimag(coherent);
  }
  if (debye_scatterers_have_solvent(all))
    scatterer.volume = debye_displaced_volume_of(displaced, kind->element) * kind->volume_scale;
  const gboolean has_parts = sorting->names[0] != NULL;
  scatterer.name = name_species(all, kind, &scatterer,
                                has_parts && kind->part > 0 ? sorting->names[kind->part - 1] : NULL);
  scatterer.part = find_part(all, !has_parts       ? scatterer.name
                                  : kind->part > 0 ? sorting->names[kind->part - 1]
                                                   : DEBYE_ATOM_KINDS_REST);
  scatterer.atoms = g_array_new(FALSE, FALSE, sizeof(guint32));
  g_array_append_val(all->species, scatterer);
  return TRUE;
}

static int
compare_kinds(gconstpointer a, gconstpointer b)
{
  const DebyeAtomKind *first = a, *second = b;
  if (first->element != second->element)
    return first->element < second->element ? -1 : 1;
  return memcmp(first, second, sizeof *first);
}

/* Where it is in the list; the list's length where it isn't. There are few kinds. */
static guint
find_kind(const GArray *list, const DebyeAtomKind *kind)
{
  guint k = 0;
  while (k < list->len && memcmp(kind, &g_array_index(list, DebyeAtomKind, k), sizeof *kind) != 0)
    k++;
  return k;
}

/* The kinds there are among the atoms, in order, each once. */
static GArray *
list_kinds(const Sorting *sorting, const GArray *atoms)
{
  GArray *list = g_array_new(FALSE, FALSE, sizeof(DebyeAtomKind));
  for (guint i = 0; i < atoms->len; i++) {
    const DebyeAtomKind *kind = &sorting->kinds[g_array_index(atoms, guint32, i)];
    if (find_kind(list, kind) == list->len)
      g_array_append_vals(list, kind, 1);
  }
  g_array_sort(list, compare_kinds);
  return list;
}

/* --- Which atoms --- */

/* Sites that are no atoms are left out and counted; an atom that nobody could name is an error. */
static gboolean
leave_out_virtual_sites(const Sorting *sorting, GArray *atoms, GError **error)
{
  DebyeTopology *topology = sorting->topology;
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  const guint32 *names = debye_topology_get_names(topology);
  const guint32 *residues = debye_topology_get_residues(topology);
  const DebyeResidue *table = debye_topology_get_residue_table(topology);
  guint n_kept = 0;
  for (guint i = 0; i < atoms->len; i++) {
    guint32 atom = g_array_index(atoms, guint32, i);
    if (sorting->kinds[atom].element != 0) {
      g_array_index(atoms, guint32, n_kept++) = atom;
      continue;
    }
    const char *name = debye_string_pool_get(pool, names[atom]);
    const char *residue = debye_string_pool_get(pool, table[residues[atom]].name);
    if (!debye_element_name_is_virtual(name, residue))
      return debye_error_set_about(
          error, DEBYE_ERROR_MISSING, "Element",
          "atom %u (“%s” of residue “%s”) has no known element, which scattering needs. "
          "Choose one, or leave the atom out of the selection",
          atom + 1, name, residue);
  }
  sorting->scatterers->n_virtual = atoms->len - n_kept;
  g_array_set_size(atoms, n_kept);
  return TRUE;
}

/* The label of the setting that chose the atoms, for errors. */
static const char *
label_of(const Sorting *sorting)
{
  return debye_setting_table_find(&debye_scattering_settings, sorting->select_key)->label;
}

static GArray *
choose_atoms(const Sorting *sorting, GError **error)
{
  *sorting->key = sorting->select_key;
  g_autoptr(GArray) atoms =
      debye_atom_kinds_select(sorting->topology, sorting->frame, sorting->select, error);
  if (atoms == NULL || !leave_out_virtual_sites(sorting, atoms, error))
    return NULL;
  if (atoms->len == 0) {
    debye_error_set_about(error, DEBYE_ERROR_SELECTION, label_of(sorting),
                          "the selection “%s” selects no atoms that scatter", sorting->select);
    return NULL;
  }
  *sorting->key = NULL;
  return g_steal_pointer(&atoms);
}

/* To each species, which the kinds have become, its atoms; all the places are there before the first is taken. */
static void
hand_out(const Sorting *sorting, const GArray *atoms, const GArray *kinds)
{
  const DebyeScatterers *all = sorting->scatterers;
  g_autofree guint *species = g_new(guint, MAX(atoms->len, 1)), *n = g_new0(guint, kinds->len);
  g_autofree guint32 **next = g_new(guint32 *, kinds->len);
  for (guint i = 0; i < atoms->len; i++) {
    species[i] = find_kind(kinds, &sorting->kinds[g_array_index(atoms, guint32, i)]);
    n[species[i]]++;
  }
  for (guint k = 0; k < kinds->len; k++) {
    GArray *list = g_array_index(all->species, DebyeScatterer, k).atoms;
    g_array_set_size(list, n[k]);
    next[k] = (guint32 *)(gpointer)list->data;
  }
  for (guint i = 0; i < atoms->len; i++)
    *next[species[i]]++ = g_array_index(atoms, guint32, i);
}

static gboolean
sort_atoms(const Sorting *sorting, const DebyeDisplacedVolume *displaced, GError **error)
{
  DebyeScatterers *all = sorting->scatterers;
  g_autoptr(GArray) atoms = choose_atoms(sorting, error);
  if (atoms == NULL)
    return FALSE;
  g_autoptr(GArray) kinds = list_kinds(sorting, atoms);
  *sorting->key = sorting->select_key;
  for (guint k = 0; k < kinds->len; k++)
    if (!add_species(sorting, &g_array_index(kinds, DebyeAtomKind, k), displaced, error))
      return FALSE;
  *sorting->key = NULL;
  hand_out(sorting, atoms, kinds);
  all->n_atoms = atoms->len;
  if (all->n_virtual > 0)
    add_note(all, "%" G_GSIZE_FORMAT " chosen sites are not atoms and scatter nothing", all->n_virtual);
  return TRUE;
}

/* --- A solvent of atoms --- */

static GArray *
list_others(const Sorting *sorting, const DebyeScatterers *solvent)
{
  const gsize n_atoms = debye_topology_get_n_atoms(sorting->topology);
  const guint8 *counted = debye_topology_get_counted(sorting->topology);
  g_autofree guint8 *is_solvent = g_new0(guint8, n_atoms);
  for (guint s = 0; s < solvent->species->len; s++) {
    const GArray *atoms = debye_scatterers_get(solvent, s)->atoms;
    for (guint i = 0; i < atoms->len; i++)
      is_solvent[g_array_index(atoms, guint32, i)] = 1;
  }
  GArray *others = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (guint32 i = 0; i < n_atoms; i++)
    if (!is_solvent[i] && (counted == NULL || counted[i]))
      g_array_append_val(others, i);
  return others;
}

/* Of all others, those that don't scatter here, too. */
static gboolean
sum_displaced_by_others(const Sorting *sorting, const DebyeScatterers *solvent,
                        const DebyeDisplacedVolume *displaced, double *sum, GError **error)
{
  g_autoptr(GArray) others = list_others(sorting, solvent);
  *sum = 0.0;
  if (!leave_out_virtual_sites(sorting, others, error))
    return FALSE;
  for (guint i = 0; i < others->len; i++) {
    const DebyeAtomKind *kind = &sorting->kinds[g_array_index(others, guint32, i)];
    *sum += debye_displaced_volume_of(displaced, kind->element) * kind->volume_scale;
  }
  return TRUE;
}

static gboolean
find_solvent_volume(const Sorting *sorting, const DebyeDisplacedVolume *displaced, const char *select,
                    GError **error)
{
  DebyeScatterers *all = sorting->scatterers;
  const DebyeFrame *frame = sorting->frame;
  *sorting->key = "solvent";
  char cell_text[G_ASCII_DTOSTR_BUF_SIZE], others_text[G_ASCII_DTOSTR_BUF_SIZE];
  if (frame == NULL || !frame->has_cell || !debye_cell_is_valid(&frame->cell))
    return debye_error_set_about(error, DEBYE_ERROR_MISSING, "Solvent",
                                 "expected a cell, whose volume “%s” shares with the other atoms, found none",
                                 select);
  const double cell = fabs(debye_cell_volume(&frame->cell));
  double others;
  if (!sum_displaced_by_others(sorting, all->solvent_atoms, displaced, &others, error))
    return FALSE;
  all->solvent_volume = cell - others;
  return all->solvent_volume > 0.0 ||
         debye_error_set_about(
             error, DEBYE_ERROR_VALUE, "Solvent",
             "expected room for “%s” in a cell of %s Å³, but the other atoms displace %s Å³", select,
             g_ascii_formatd(cell_text, sizeof cell_text, "%.4g", cell),
             g_ascii_formatd(others_text, sizeof others_text, "%.4g", others));
}

/* NULL: no atoms are the solvent. */
static const char *
find_solvent_selection(const char *text)
{
  if (text == NULL || !g_str_has_prefix(text, DEBYE_SOLVENT_SELECT))
    return NULL;
  const char *select = text + strlen(DEBYE_SOLVENT_SELECT);
  return select[strspn(select, " ")] != '\0' ? select : NULL;
}

static gboolean
take_solvent(Sorting *sorting, const DebyeDisplacedVolume *displaced, GError **error)
{
  DebyeScatterers *all = sorting->scatterers;
  const char *text = sorting->settings->solvent;
  *sorting->key = "solvent";
  const char *select = find_solvent_selection(text);
  if (select == NULL)
    return debye_solvent_parse(text, all->probe == DEBYE_PROBE_XRAY, &all->solvent, error);
  char *no_names[] = {NULL};
  Sorting of_solvent = *sorting;
  all->solvent_atoms = of_solvent.scatterers = g_new0(DebyeScatterers, 1);
  make_lists(all->solvent_atoms);
  all->solvent_atoms->probe = all->probe;
  all->solvent_atoms->xray_table = all->xray_table;
  all->solvent_atoms->xray_hydrogen = all->xray_hydrogen;
  of_solvent.names = no_names;
  of_solvent.select = select;
  of_solvent.select_key = "solvent";
  return sort_atoms(&of_solvent, displaced, error) && find_solvent_volume(sorting, displaced, select, error);
}

static gboolean
choose_probe(Sorting *sorting, double q_max, GError **error)
{
  DebyeScatterers *all = sorting->scatterers;
  char asked[G_ASCII_DTOSTR_BUF_SIZE], most[G_ASCII_DTOSTR_BUF_SIZE];
  all->probe = sorting->settings->probe;
  all->xray_table = sorting->settings->form_factors;
  all->xray_hydrogen = sorting->settings->hydrogen;
  double largest = debye_xray_table_get_largest_q(all->xray_table, all->xray_hydrogen);
  if (all->probe == DEBYE_PROBE_NEUTRON || q_max <= largest)
    return TRUE;
  *sorting->key = "q";
  return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Scattering vector",
                               "the table of X-ray form factors ends at %s Å⁻¹, found %s Å⁻¹",
                               g_ascii_formatd(most, sizeof most, "%g", largest),
                               g_ascii_formatd(asked, sizeof asked, "%g", q_max));
}

gboolean
debye_scatterers_init(DebyeScatterers *scatterers, DebyeTopology *topology, const DebyeFrame *frame,
                      const DebyeScatteringSettings *settings, double q_max, const char **key, GError **error)
{
  const char *ignored;
  Sorting sorting = {.scatterers = scatterers,
                     .topology = topology,
                     .frame = frame,
                     .settings = settings,
                     .select = settings->select,
                     .select_key = "select",
                     .key = key != NULL ? key : &ignored};
  DebyeDisplacedVolume displaced;
  *sorting.key = NULL;
  make_lists(scatterers);
  if (!choose_probe(&sorting, q_max, error))
    return FALSE;
  debye_displaced_volume_choose(&displaced, settings->displaced);
  scatterers->has_decay = displaced.has_decay;
  gsize n_deuterium;
  g_autofree DebyeAtomKind *kinds = sorting.kinds = debye_atom_kinds_find(
      topology, frame, &debye_scattering_settings, &settings->atoms, &n_deuterium, sorting.key, error);
  if (kinds == NULL)
    return FALSE;
  if (!take_solvent(&sorting, &displaced, error))
    return FALSE;
  *sorting.key = NULL;
  if (n_deuterium > 0 && scatterers->probe == DEBYE_PROBE_NEUTRON)
    add_note(scatterers, "%" G_GSIZE_FORMAT " hydrogens whose names begin with D count as deuterium",
             n_deuterium);
  g_auto(GStrv) names = sorting.names = debye_atom_kinds_list_parts(&settings->atoms);
  for (char **name = names; *name != NULL; name++) /* as they were named, whichever species come first */
    g_ptr_array_add(scatterers->parts, g_strdup(*name));
  return sort_atoms(&sorting, &displaced, error);
}
