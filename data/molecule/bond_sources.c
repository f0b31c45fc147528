/* SPDX-License-Identifier: MIT */
/* Decides between bonds from distances and those of residue templates; called by bonds.c. Only bonds between
 * heavy atoms tell whether a residue's distances are to be trusted: templates don't know every name that
 * hydrogens have. */
#include "bond_sources.h"

#include "data/tables/residue_class.h"
#include "residue_templates.h"

typedef struct {
  DebyeTopology *topology;
  const guint8 *elements;
  const guint32 *residues;
  DebyeResidueTemplates *templates;
  gboolean *is_standard, *is_doubtful, *is_water; /* each residue */
  gboolean *has_bond;                             /* each atom */
  GArray *bonds;                                  /* of DebyeBond: what is kept */
  DebyeBondSources *sources;
} Settling;

static void
settling_clear(Settling *settling)
{
  g_clear_pointer(&settling->templates, debye_residue_templates_free);
  g_free(settling->is_standard);
  g_free(settling->is_doubtful);
  g_free(settling->is_water);
  g_free(settling->has_bond);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Settling, settling_clear)

static gboolean
has_bond(const GArray *bonds, guint first, guint end, DebyeBond wanted)
{
  for (guint k = first; k < end; k++) {
    DebyeBond bond = g_array_index(bonds, DebyeBond, k);
    if (bond.i == wanted.i && bond.j == wanted.j)
      return TRUE;
  }
  return FALSE;
}

static gboolean
begins_at(const GArray *bonds, guint place, guint32 atom)
{
  return (place == 0 || g_array_index(bonds, DebyeBond, place - 1).i < atom) &&
         (place == bonds->len || g_array_index(bonds, DebyeBond, place).i >= atom);
}

/* The first bond whose first atom is `atom` or comes after it; most often `likely`, where the residue before ended. */
static guint
find_first(const GArray *bonds, guint32 atom, guint likely)
{
  guint low = 0, high = bonds->len;
  if (begins_at(bonds, likely, atom))
    return likely;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (g_array_index(bonds, DebyeBond, middle).i < atom)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static gboolean
is_within(const Settling *settling, DebyeBond bond)
{
  return settling->residues[bond.i] == settling->residues[bond.j];
}

static gboolean
is_between_heavy(const Settling *settling, DebyeBond bond)
{
  return settling->elements[bond.i] > 1 && settling->elements[bond.j] > 1;
}

/* Whether distances find just the bonds of the template; `*place` goes on through the guessed ones. */
static gboolean
agrees(const Settling *settling, const DebyeResidue *residue, const GArray *expected, const GArray *guessed,
       guint *place)
{
  const guint first = find_first(guessed, residue->first_atom, *place);
  guint end = first, n_found = 0;
  for (; end < guessed->len; end++) {
    DebyeBond bond = g_array_index(guessed, DebyeBond, end);
    if (bond.i >= residue->first_atom + residue->n_atoms)
      break;
    n_found += is_within(settling, bond) && is_between_heavy(settling, bond);
  }
  *place = end;
  if (n_found != expected->len)
    return FALSE;
  for (guint k = 0; k < expected->len; k++)
    if (!has_bond(guessed, first, end, g_array_index(expected, DebyeBond, k)))
      return FALSE;
  return TRUE;
}

static void
doubt(Settling *settling, guint32 residue)
{
  if (settling->is_doubtful[residue])
    return;
  settling->is_doubtful[residue] = TRUE;
  if (settling->sources->n_doubtful++ == 0 || residue < settling->sources->first_doubtful)
    settling->sources->first_doubtful = residue;
}

typedef enum { WATER_UNKNOWN, WATER_NO, WATER_YES } Water;

/* Many residues have few names; `known` has one for each code of the pool. */
static gboolean
names_water(const DebyeStringPool *pool, guint32 name, guint8 *known)
{
  if (known[name] == WATER_UNKNOWN) {
    const guint classes = debye_residue_class_of(debye_string_pool_get(pool, name));
    known[name] = (classes & DEBYE_RESIDUE_WATER) != 0 ? WATER_YES : WATER_NO;
  }
  return known[name] == WATER_YES;
}

static void
judge_residues(Settling *settling, const GArray *guessed)
{
  const DebyeResidue *table = debye_topology_get_residue_table(settling->topology);
  const DebyeStringPool *pool = debye_topology_get_string_pool(settling->topology);
  const guint32 n_residues = (guint32)debye_topology_get_n_residues(settling->topology);
  g_autoptr(GArray) expected = g_array_new(FALSE, FALSE, sizeof(DebyeBond));
  g_autofree guint8 *waters = g_new0(guint8, debye_string_pool_get_count(pool));
  guint place = 0;
  for (guint32 r = 0; r < n_residues; r++) {
    settling->is_standard[r] = debye_residue_templates_get_bonds(settling->templates, r, expected);
    if (!settling->is_standard[r])
      continue;
    settling->is_water[r] = names_water(pool, table[r].name, waters);
    if (!agrees(settling, &table[r], expected, guessed, &place))
      doubt(settling, r);
  }
}

static void
add_bond(Settling *settling, DebyeBond bond)
{
  settling->has_bond[bond.i] = settling->has_bond[bond.j] = TRUE;
  g_array_append_val(settling->bonds, bond);
}

/* A water is bonded to nothing standard; residues that overlap, to nothing but sulphur to sulphur. */
static gboolean
is_real_between(Settling *settling, DebyeBond bond)
{
  const guint32 a = settling->residues[bond.i], b = settling->residues[bond.j];
  if (!settling->is_standard[a] || !settling->is_standard[b])
    return TRUE;
  if (settling->is_water[a] || settling->is_water[b])
    return FALSE;
  return !(settling->is_doubtful[a] || settling->is_doubtful[b]) ||
         (settling->elements[bond.i] == 16 && settling->elements[bond.j] == 16);
}

static void
keep_guessed(Settling *settling, const GArray *guessed)
{
  for (guint k = 0; k < guessed->len; k++) {
    DebyeBond bond = g_array_index(guessed, DebyeBond, k);
    const gboolean is_inside = is_within(settling, bond);
    if (!is_inside && !is_real_between(settling, bond)) {
      doubt(settling, settling->residues[bond.i]);
      doubt(settling, settling->residues[bond.j]);
    } else if (!is_inside || !settling->is_doubtful[settling->residues[bond.i]] ||
               !is_between_heavy(settling, bond)) {
      add_bond(settling, bond);
    }
  }
  settling->sources->n_of_distances = settling->bonds->len;
}

static void
add_template(Settling *settling, guint32 residue)
{
  g_autoptr(GArray) expected = g_array_new(FALSE, FALSE, sizeof(DebyeBond));
  debye_residue_templates_get_bonds(settling->templates, residue, expected);
  for (guint k = 0; k < expected->len; k++)
    add_bond(settling, g_array_index(expected, DebyeBond, k));
}

/* The chain goes through a residue that is in doubt. */
static void
add_links(Settling *settling)
{
  const gsize n_residues = debye_topology_get_n_residues(settling->topology);
  for (guint32 r = 0; r + 1 < n_residues; r++) {
    DebyeBond link;
    if ((settling->is_doubtful[r] || settling->is_doubtful[r + 1]) && settling->is_standard[r] &&
        settling->is_standard[r + 1] && debye_residue_templates_get_link(settling->templates, r, &link))
      add_bond(settling, link);
  }
}

static void
add_hydrogens(Settling *settling)
{
  const guint8 *counted = debye_topology_get_counted(settling->topology);
  const guint32 n_atoms = (guint32)debye_topology_get_n_atoms(settling->topology);
  for (guint32 i = 0; i < n_atoms; i++) {
    const guint32 residue = settling->residues[i];
    guint32 heavy;
    if (settling->elements[i] != 1 || (counted != NULL && !counted[i]) || settling->has_bond[i] ||
        !settling->is_standard[residue] ||
        !debye_residue_templates_find_heavy_atom(settling->templates, residue, i, &heavy))
      continue;
    doubt(settling, residue);
    add_bond(settling, (DebyeBond){MIN(i, heavy), MAX(i, heavy)});
  }
}

/* A bond that is dropped may bring a residue into doubt whose own bonds were kept: its template has the same.
 */
GArray *
debye_bond_sources_settle(DebyeTopology *topology, const GArray *guessed, DebyeBondSources *sources)
{
  const gsize n_residues = debye_topology_get_n_residues(topology);
  const gsize n_atoms = debye_topology_get_n_atoms(topology);
  g_auto(Settling) settling = {.topology = topology,
                               .elements = debye_topology_get_elements(topology),
                               .residues = debye_topology_get_residues(topology),
                               .templates = debye_residue_templates_new(topology),
                               .is_standard = g_new0(gboolean, MAX(n_residues, 1)),
                               .is_doubtful = g_new0(gboolean, MAX(n_residues, 1)),
                               .is_water = g_new0(gboolean, MAX(n_residues, 1)),
                               .has_bond = g_new0(gboolean, MAX(n_atoms, 1)),
                               .bonds = g_array_new(FALSE, FALSE, sizeof(DebyeBond)),
                               .sources = sources};
  judge_residues(&settling, guessed);
  keep_guessed(&settling, guessed);
  for (guint32 r = 0; r < n_residues; r++)
    if (settling.is_doubtful[r] && settling.is_standard[r])
      add_template(&settling, r);
  add_links(&settling);
  add_hydrogens(&settling);
  settling.bonds->len =
      (guint)debye_topology_sort_bonds((DebyeBond *)(void *)settling.bonds->data, settling.bonds->len);
  sources->n_of_templates = settling.bonds->len - MIN(sources->n_of_distances, settling.bonds->len);
  return settling.bonds;
}
