/* SPDX-License-Identifier: MIT */
/* Chooses among alternate locations, residue by residue; called by dataset.c. Residues of one number that
 * follow each other are one group, whatever their names: at some positions of a chain a crystal has a serine
 * in one half of its cells and a threonine in the other. */
#include "altloc.h"

#include <string.h>

#include "data/files/error.h"
#include "data/messages/message.h"

/* Means of the same two decimals differ by their rounding only. */
#define SAME_OCCUPANCY 1e-6

#define NO_LOCATION G_MAXUINT32

/* One location of one group. */
typedef struct {
  guint32 label;
  double sum; /* of the occupancies */
  gsize n_atoms;
  guint32 next; /* of the same group */
} Location;

typedef struct {
  DebyeTopology *topology;
  const guint32 *altlocs, *residues;
  const DebyeResidue *table;
  const float *occupancies; /* or NULL */
  guint32 *groups;          /* of each residue */
  guint32 *first;           /* location of each group, in the order of the file; NO_LOCATION: none */
  GArray *locations;        /* Location */
} Grouping;

static void
grouping_clear(Grouping *grouping)
{
  g_free(grouping->groups);
  g_free(grouping->first);
  g_array_unref(grouping->locations);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Grouping, grouping_clear)

/* --- Groups --- */

static gboolean
is_same_position(const DebyeResidue *a, const DebyeResidue *b)
{
  return a->number == b->number && a->insertion_code == b->insertion_code && a->chain == b->chain &&
         a->segment == b->segment;
}

static Location *
get_location(const Grouping *grouping, guint32 index)
{
  return &g_array_index(grouping->locations, Location, index);
}

/* Where the group has none of this label yet, it gets one behind the others. */
static Location *
find_location(Grouping *grouping, guint32 group, guint32 label)
{
  guint32 last = NO_LOCATION;
  for (guint32 k = grouping->first[group]; k != NO_LOCATION; k = get_location(grouping, k)->next) {
    if (get_location(grouping, k)->label == label)
      return get_location(grouping, k);
    last = k;
  }
  const Location fresh = {.label = label, .next = NO_LOCATION};
  const guint32 added = grouping->locations->len;
  g_array_append_val(grouping->locations, fresh);
  if (last == NO_LOCATION)
    grouping->first[group] = added;
  else
    get_location(grouping, last)->next = added;
  return get_location(grouping, added);
}

static void
find_groups(Grouping *grouping)
{
  const gsize n_residues = debye_topology_get_n_residues(grouping->topology);
  guint32 n_groups = 0;
  grouping->groups = g_new(guint32, MAX(n_residues, 1));
  grouping->first = g_new(guint32, MAX(n_residues, 1));
  for (gsize r = 0; r < n_residues; r++) {
    if (r == 0 || !is_same_position(&grouping->table[r - 1], &grouping->table[r]))
      grouping->first[n_groups++] = NO_LOCATION;
    grouping->groups[r] = n_groups - 1;
  }
}

static void
grouping_init(Grouping *grouping, DebyeTopology *topology)
{
  *grouping = (Grouping){.topology = topology,
                         .altlocs = debye_topology_get_altlocs(topology),
                         .residues = debye_topology_get_residues(topology),
                         .table = debye_topology_get_residue_table(topology),
                         .occupancies = debye_topology_get_occupancies(topology),
                         .locations = g_array_new(FALSE, FALSE, sizeof(Location))};
  find_groups(grouping);
  for (gsize i = 0; i < debye_topology_get_n_atoms(topology); i++) {
    if (grouping->altlocs[i] == 0)
      continue;
    Location *location =
        find_location(grouping, grouping->groups[grouping->residues[i]], grouping->altlocs[i]);
    location->sum += grouping->occupancies != NULL ? (double)grouping->occupancies[i] : 1.0;
    location->n_atoms++;
  }
}

/* --- Choosing --- */

static gboolean
is_better(const Location *location, const Location *than)
{
  return location->sum / (double)location->n_atoms > than->sum / (double)than->n_atoms + SAME_OCCUPANCY;
}

/* The label of a group that counts; 0: it has none. */
static guint32
choose_label(const Grouping *grouping, guint32 group, const char *wanted)
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(grouping->topology);
  const Location *best = NULL;
  for (guint32 k = grouping->first[group]; k != NO_LOCATION; k = get_location(grouping, k)->next) {
    const Location *location = get_location(grouping, k);
    if (strcmp(debye_string_pool_get(pool, location->label), wanted) == 0)
      return location->label;
    if (best == NULL || is_better(location, best))
      best = location;
  }
  return best != NULL ? best->label : 0;
}

/* A heavy atom that isn't at the chosen location, in a residue that is: a side chain may have three locations
 * where the main chain has two. */
static void
offer_other_location(Grouping *grouping, guint32 atom, GHashTable *others)
{
  const gpointer name = GUINT_TO_POINTER(debye_topology_get_names(grouping->topology)[atom]);
  const guint32 group = grouping->groups[grouping->residues[atom]];
  gpointer known;
  if (!g_hash_table_lookup_extended(others, name, NULL, &known)) {
    g_hash_table_insert(others, name, GUINT_TO_POINTER(atom));
    return;
  }
  const Location *location = find_location(grouping, group, grouping->altlocs[atom]);
  const Location *best = find_location(grouping, group, grouping->altlocs[GPOINTER_TO_UINT(known)]);
  if (is_better(location, best))
    g_hash_table_insert(others, name, GUINT_TO_POINTER(atom));
}

/* The atoms of a residue, which a file may have in several places. */
static void
complete_residue(Grouping *grouping, const guint32 *atoms, gsize n, guint8 *counted)
{
  const guint32 *names = debye_topology_get_names(grouping->topology);
  const guint8 *elements = debye_topology_get_elements(grouping->topology);
  g_autoptr(GHashTable) there = g_hash_table_new(NULL, NULL);
  g_autoptr(GHashTable) others = g_hash_table_new(NULL, NULL);
  gboolean is_chosen = FALSE;
  for (gsize k = 0; k < n; k++)
    if (counted[atoms[k]]) {
      g_hash_table_add(there, GUINT_TO_POINTER(names[atoms[k]]));
      is_chosen = is_chosen || grouping->altlocs[atoms[k]] != 0;
    }
  for (gsize k = 0; is_chosen && k < n; k++) {
    const guint32 i = atoms[k];
    if (!counted[i] && elements[i] != 1 && !g_hash_table_contains(there, GUINT_TO_POINTER(names[i])))
      offer_other_location(grouping, i, others);
  }
  GHashTableIter iter;
  gpointer atom;
  g_hash_table_iter_init(&iter, others);
  while (g_hash_table_iter_next(&iter, NULL, &atom))
    counted[GPOINTER_TO_UINT(atom)] = 1;
}

/* Atoms in the order of their residues; *first has where each residue's begin, and the end. */
static guint32 *
order_by_residue(const Grouping *grouping, gsize n_atoms, gsize n_residues, gsize **first)
{
  guint32 *order = g_new(guint32, MAX(n_atoms, 1));
  *first = g_new0(gsize, n_residues + 2);
  for (gsize i = 0; i < n_atoms; i++)
    (*first)[grouping->residues[i] + 2]++;
  for (gsize r = 2; r < n_residues + 2; r++)
    (*first)[r] += (*first)[r - 1];
  for (gsize i = 0; i < n_atoms; i++)
    order[(*first)[grouping->residues[i] + 1]++] = (guint32)i;
  return order;
}

static guint8 *
count_chosen(Grouping *grouping, const char *choice)
{
  const gsize n_atoms = debye_topology_get_n_atoms(grouping->topology);
  const gsize n_residues = debye_topology_get_n_residues(grouping->topology);
  g_autofree guint32 *labels = g_new(guint32, MAX(n_residues, 1)); /* of each residue's group */
  guint8 *counted = g_new(guint8, MAX(n_atoms, 1));
  for (gsize r = 0; r < n_residues; r++)
    labels[r] = choose_label(grouping, grouping->groups[r], choice);
  for (gsize i = 0; i < n_atoms; i++)
    counted[i] = grouping->altlocs[i] == 0 || grouping->altlocs[i] == labels[grouping->residues[i]];
  g_autofree gsize *first = NULL;
  g_autofree guint32 *order = order_by_residue(grouping, n_atoms, n_residues, &first);
  for (gsize r = 0; r < n_residues; r++)
    if (labels[r] != 0)
      complete_residue(grouping, order + first[r], first[r + 1] - first[r], counted);
  return counted;
}

gboolean
debye_altloc_check(const char *choice, GError **error)
{
  if (*choice != '\0' && strpbrk(choice, " \t\n") == NULL)
    return TRUE;
  return debye_error_set(error, DEBYE_ERROR_SETTING, "expected highest, all or a label such as A, found “%s”",
                         choice);
}

DebyeTopology *
debye_topology_choose_altloc(DebyeTopology *self, const char *choice)
{
  if (debye_topology_get_altlocs(self) == NULL || strcmp(choice, DEBYE_ALTLOC_ALL) == 0)
    return g_object_ref(self);
  g_auto(Grouping) grouping;
  grouping_init(&grouping, self);
  g_autofree guint8 *counted = count_chosen(&grouping, choice);
  return debye_topology_with_counted(self, counted);
}

/* --- What came of it --- */

gsize
debye_topology_get_n_alternates(DebyeTopology *self)
{
  const guint32 *altlocs = debye_topology_get_altlocs(self);
  gsize n = 0;
  for (gsize i = 0; altlocs != NULL && i < debye_topology_get_n_atoms(self); i++)
    n += altlocs[i] != 0;
  return n;
}

char *
debye_altloc_describe(DebyeTopology *self, const char *choice)
{
  const gsize n_alternates = debye_topology_get_n_alternates(self);
  const gsize n_left_out = debye_topology_get_n_atoms(self) - debye_topology_get_n_counted(self);
  const gsize n_counted = n_alternates - n_left_out;
  if (n_alternates == 0)
    return NULL;
  if (strcmp(choice, DEBYE_ALTLOC_ALL) == 0)
    return debye_message_new("%" G_GSIZE_FORMAT " atoms have alternate locations; all of them count",
                             n_alternates);
  if (strcmp(choice, DEBYE_ALTLOC_HIGHEST) == 0)
    return debye_message_new("%" G_GSIZE_FORMAT " atoms have alternate locations; the %" G_GSIZE_FORMAT
                             " with the highest occupancy are used",
                             n_alternates, n_counted);
  return debye_message_new("%" G_GSIZE_FORMAT " atoms have alternate locations; of these %" G_GSIZE_FORMAT
                           " count, at location %s where the residue has it",
                           n_alternates, n_counted, choice);
}

GArray *
debye_topology_list_counted(DebyeTopology *self, gsize most)
{
  const guint8 *counted = debye_topology_get_counted(self);
  GArray *atoms = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (guint32 i = 0; i < debye_topology_get_n_atoms(self) && atoms->len < most; i++)
    if (counted == NULL || counted[i])
      g_array_append_val(atoms, i);
  return atoms;
}
