/* SPDX-License-Identifier: MIT */
/* Sorting atoms into species and weighing them, see scatterers.h. */
#include "scatterers.h"

#include <math.h>
#include <string.h>

#include "atom_kinds.h"
#include "data/elements.h"
#include "data/error.h"
#include "scattering_solvent.h"

#define FM2_IN_BARN 100.0

typedef struct {
  DebyeScatterers *scatterers;
  DebyeTopology *topology;
  const DebyeFrame *frame;
  DebyeRequest *request;
  DebyeAtomKind *kinds; /* of all atoms */
  char **names;         /* of parts, by the request */
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
}

static void add_note(DebyeScatterers *scatterers, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void
add_note(DebyeScatterers *scatterers, const char *format, ...)
{
  va_list values;
  va_start(values, format);
  g_ptr_array_add(scatterers->notes, g_strdup_vprintf(format, values));
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
    g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_MISSING,
                "Atoms: no neutron scattering length is tabulated for the element %s", symbol);
    return FALSE;
  }
  scatterer->factor = debye_xray_factor_get(all->xray_table, kind->element, kind->charge);
  if (scatterer->factor == NULL && kind->charge != 0) {
    add_note(sorting->scatterers, "No form factor of the ion %s with charge %+d is tabulated: the atom's",
             symbol, kind->charge);
    scatterer->factor = debye_xray_factor_get(all->xray_table, kind->element, 0);
  }
  if (scatterer->factor != NULL)
    return TRUE;
  g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_MISSING,
              "Atoms: no X-ray form factor is tabulated for the element %s", symbol);
  return FALSE;
}

/* Weights of a mixture of hydrogen and deuterium, or of what `length` says. */
static void
mix(const DebyeScatterer *scatterer, double x, double complex *coherent, double *incoherent_section)
{
  const DebyeNeutronLength *light = scatterer->length, *heavy = debye_neutron_length_get(1, 2);
  double complex b = light->coherent + I * light->coherent_imaginary;
  *coherent = b;
  *incoherent_section = light->incoherent_section;
  if (!scatterer->is_exchangeable)
    return;
  double complex d = heavy->coherent + I * heavy->coherent_imaginary;
  double step = cabs(d - b);
  *coherent = (1.0 - x) * b + x * d;
  *incoherent_section = (1.0 - x) * light->incoherent_section + x * heavy->incoherent_section +
                        4.0 * G_PI * x * (1.0 - x) * step * step / FM2_IN_BARN;
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
    mix(&scatterer, scatterer.exchanged, &coherent, &scatterer.incoherent_section);
    scatterer.coherent = creal(coherent);
    scatterer.coherent_imaginary = cimag(coherent);
  }
  if (all->solvent != 0.0)
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
    const char *name = debye_string_pool_get(pool, names[atom]);
    const char *residue = debye_string_pool_get(pool, table[residues[atom]].name);
    if (sorting->kinds[atom].element != 0) {
      g_array_index(atoms, guint32, n_kept++) = atom;
    } else if (!debye_element_name_is_virtual(name, residue)) {
      g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_MISSING,
                  "Element: that of atom %u (“%s” of residue “%s”) isn't known, and scattering needs it: "
                  "choose it, or leave the atom out of the selection",
                  atom + 1, name, residue);
      return FALSE;
    }
  }
  sorting->scatterers->n_virtual = atoms->len - n_kept;
  g_array_set_size(atoms, n_kept);
  return TRUE;
}

static GArray *
choose_atoms(const Sorting *sorting, GError **error)
{
  *sorting->key = "select";
  const char *text = debye_request_get(sorting->request, "select");
  g_autoptr(GArray) atoms = debye_atom_kinds_select(sorting->topology, sorting->frame, text, error);
  if (atoms == NULL || !leave_out_virtual_sites(sorting, atoms, error))
    return NULL;
  if (atoms->len == 0) {
    g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_SELECTION,
                "Atoms: the selection “%s” chooses no atom that scatters", text);
    return NULL;
  }
  *sorting->key = NULL;
  return g_steal_pointer(&atoms);
}

static gboolean
sort_atoms(const Sorting *sorting, const DebyeDisplacedVolume *displaced, GError **error)
{
  DebyeScatterers *all = sorting->scatterers;
  g_autoptr(GArray) atoms = choose_atoms(sorting, error);
  if (atoms == NULL)
    return FALSE;
  g_autoptr(GArray) kinds = list_kinds(sorting, atoms);
  *sorting->key = "select";
  for (guint k = 0; k < kinds->len; k++)
    if (!add_species(sorting, &g_array_index(kinds, DebyeAtomKind, k), displaced, error))
      return FALSE;
  *sorting->key = NULL;
  for (guint i = 0; i < atoms->len; i++) {
    guint32 atom = g_array_index(atoms, guint32, i);
    guint species = find_kind(kinds, &sorting->kinds[atom]);
    g_array_append_val(g_array_index(all->species, DebyeScatterer, species).atoms, atom);
  }
  all->n_atoms = atoms->len;
  if (all->n_virtual > 0)
    add_note(all, "%" G_GSIZE_FORMAT " chosen sites are no atoms and scatter nothing", all->n_virtual);
  return TRUE;
}

static gboolean
choose_probe(Sorting *sorting, double q_max, GError **error)
{
  DebyeScatterers *all = sorting->scatterers;
  char asked[G_ASCII_DTOSTR_BUF_SIZE], most[G_ASCII_DTOSTR_BUF_SIZE];
  gboolean is_neutron = g_str_equal(debye_request_get(sorting->request, "probe"), "neutron");
  gboolean is_cromer = g_str_equal(debye_request_get(sorting->request, "form-factors"), "cromer-mann");
  all->probe = is_neutron ? DEBYE_PROBE_NEUTRON : DEBYE_PROBE_XRAY;
  all->xray_table = is_cromer ? DEBYE_XRAY_CROMER_MANN : DEBYE_XRAY_WAASMAIER_KIRFEL;
  double largest = debye_xray_table_get_largest_q(all->xray_table);
  if (is_neutron || q_max <= largest)
    return TRUE;
  *sorting->key = "q";
  g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE,
              "Scattering vector: the table of X-ray form factors ends at %s Å⁻¹, found %s Å⁻¹",
              g_ascii_formatd(most, sizeof most, "%g", largest),
              g_ascii_formatd(asked, sizeof asked, "%g", q_max));
  return FALSE;
}

gboolean
debye_scatterers_init(DebyeScatterers *scatterers, DebyeTopology *topology, const DebyeFrame *frame,
                      DebyeRequest *request, double q_max, const char **key, GError **error)
{
  const char *ignored;
  Sorting sorting = {.scatterers = scatterers,
                     .topology = topology,
                     .frame = frame,
                     .request = request,
                     .key = key != NULL ? key : &ignored};
  DebyeDisplacedVolume displaced;
  *sorting.key = NULL;
  scatterers->species = g_array_new(FALSE, TRUE, sizeof(DebyeScatterer));
  g_array_set_clear_func(scatterers->species, scatterer_clear);
  scatterers->parts = g_ptr_array_new_with_free_func(g_free);
  scatterers->notes = g_ptr_array_new_with_free_func(g_free);
  if (!choose_probe(&sorting, q_max, error))
    return FALSE;
  *sorting.key = "solvent";
  if (!debye_solvent_parse(debye_request_get(request, "solvent"), scatterers->probe == DEBYE_PROBE_XRAY,
                           &scatterers->solvent, error))
    return FALSE;
  debye_displaced_volume_choose(&displaced, debye_request_get(request, "displaced"));
  scatterers->has_decay = displaced.has_decay;
  gsize n_deuterium;
  g_autofree DebyeAtomKind *kinds = sorting.kinds =
      debye_atom_kinds_find(topology, frame, request, &n_deuterium, sorting.key, error);
  if (kinds == NULL)
    return FALSE;
  if (n_deuterium > 0 && scatterers->probe == DEBYE_PROBE_NEUTRON)
    add_note(scatterers, "%" G_GSIZE_FORMAT " hydrogens whose names begin with D count as deuterium",
             n_deuterium);
  g_auto(GStrv) names = sorting.names = debye_atom_kinds_list_parts(request);
  for (char **name = names; *name != NULL; name++) /* as they were named, whichever species come first */
    g_ptr_array_add(scatterers->parts, g_strdup(*name));
  return sort_atoms(&sorting, &displaced, error);
}

/* --- Weights --- */

/* What the displaced solvent would scatter. */
static double
displaced_at(const DebyeScatterers *scatterers, const DebyeScatterer *scatterer, double q)
{
  double decay =
      scatterers->has_decay ? exp(-cbrt(scatterer->volume * scatterer->volume) * q * q / (4.0 * G_PI)) : 1.0;
  return scatterers->solvent * scatterer->volume * decay;
}

double complex
debye_scatterers_exchanged_coherent(const DebyeScatterers *scatterers, guint species, double q, double x)
{
  const DebyeScatterer *scatterer = debye_scatterers_get(scatterers, species);
  double complex b;
  double section;
  if (scatterers->probe == DEBYE_PROBE_XRAY)
    b = debye_xray_factor_at(scatterer->factor, q);
  else
    mix(scatterer, x, &b, &section);
  return b - displaced_at(scatterers, scatterer, q);
}

double complex
debye_scatterers_coherent(const DebyeScatterers *scatterers, guint species, double q)
{
  return debye_scatterers_exchanged_coherent(scatterers, species, q,
                                             debye_scatterers_get(scatterers, species)->exchanged);
}

double
debye_scatterers_exchanged_incoherent(const DebyeScatterers *scatterers, guint species, double x)
{
  double complex b;
  double section = 0.0;
  if (scatterers->probe == DEBYE_PROBE_NEUTRON)
    mix(debye_scatterers_get(scatterers, species), x, &b, &section);
  return FM2_IN_BARN * section / (4.0 * G_PI);
}

double
debye_scatterers_incoherent(const DebyeScatterers *scatterers, guint species)
{
  return debye_scatterers_exchanged_incoherent(scatterers, species,
                                               debye_scatterers_get(scatterers, species)->exchanged);
}

const char *
debye_scatterers_get_unit(const DebyeScatterers *scatterers)
{
  return scatterers->probe == DEBYE_PROBE_NEUTRON ? "fm" : "electrons";
}
