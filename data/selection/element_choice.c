/* SPDX-License-Identifier: MIT */
/* Implementation of element_choice.h: elements that the user corrects; called by dataset.c and its dialog. */
#include "element_choice.h"

#include <glib/gi18n.h>
#include <string.h>

#include "data/tables/elements.h"
#include "data/files/error.h"
#include "selection.h"

const char *
debye_element_source_describe(DebyeElementSource source)
{
  static const char *const texts[] = {
      [DEBYE_ELEMENT_FROM_FILE] = N_("the file"),   [DEBYE_ELEMENT_FROM_MASS] = N_("masses"),
      [DEBYE_ELEMENT_FROM_TYPE] = N_("atom types"), [DEBYE_ELEMENT_FROM_NAME] = N_("atom names"),
      [DEBYE_ELEMENT_UNKNOWN] = N_("nothing"),      [DEBYE_ELEMENT_CHOSEN] = N_("a choice"),
  };
  return texts[source];
}

/* --- Kinds --- */

static void
kind_free(gpointer data)
{
  DebyeElementKind *kind = data;
  g_free(kind->label);
  g_free(kind->atoms);
  g_free(kind);
}

static int
compare_kinds(gconstpointer a, gconstpointer b)
{
  const DebyeElementKind *x = *(DebyeElementKind *const *)a, *y = *(DebyeElementKind *const *)b;
  if (x->source != y->source)
    return x->source < y->source ? 1 : -1;
  int order = strcmp(x->label, y->label);
  return order != 0 ? order : (int)x->element - (int)y->element;
}

/* A word that needs no selection to be said. */
static gboolean
is_plain(const char *label)
{
  for (const char *c = label; *c != '\0'; c++)
    if (g_ascii_isspace(*c) || *c == '=')
      return FALSE;
  return *label != '\0';
}

/* With the element, where other atoms of that name are taken for another one. */
static char *
describe_atoms(const DebyeElementKind *kind, const char *field, gboolean is_only)
{
  if (is_only && is_plain(kind->label))
    return g_strdup(kind->label);
  return g_strdup_printf("%s \"%s\" and element %s", field, kind->label,
                         debye_element_get(kind->element)->symbol);
}

/* Of a name or a type, so that the two don't meet in one table. */
typedef struct {
  GHashTable *kinds;    /* code and element → DebyeElementKind, borrowed */
  GHashTable *n_labels; /* code → number of kinds that have it */
  GPtrArray *in_order;
  const DebyeStringPool *pool;
} Kinds;

static guint64
make_key(guint32 code, gboolean is_type)
{
  return (guint64)code << 1 | (is_type ? 1 : 0);
}

static DebyeElementKind *
find_kind(Kinds *kinds, guint64 label_key, const char *label, guint8 element)
{
  guint64 key = label_key << 8 | element;
  DebyeElementKind *kind = g_hash_table_lookup(kinds->kinds, &key);
  if (kind != NULL)
    return kind;
  kind = g_new0(DebyeElementKind, 1);
  kind->label = g_strdup(label);
  kind->element = element;
  g_ptr_array_add(kinds->in_order, kind);
  g_hash_table_insert(kinds->kinds, g_memdup2(&key, sizeof key), kind);
  return kind;
}

static void
name_kinds(Kinds *kinds)
{
  GHashTableIter iterator;
  gpointer key, value;
  g_hash_table_iter_init(&iterator, kinds->kinds);
  while (g_hash_table_iter_next(&iterator, &key, &value)) {
    gpointer label = GSIZE_TO_POINTER(*(guint64 *)key >> 8);
    g_hash_table_insert(kinds->n_labels, label,
                        GUINT_TO_POINTER(GPOINTER_TO_UINT(g_hash_table_lookup(kinds->n_labels, label)) + 1));
  }
  g_hash_table_iter_init(&iterator, kinds->kinds);
  while (g_hash_table_iter_next(&iterator, &key, &value)) {
    DebyeElementKind *kind = value;
    guint64 label = *(guint64 *)key >> 8;
    guint n = GPOINTER_TO_UINT(g_hash_table_lookup(kinds->n_labels, GSIZE_TO_POINTER(label)));
    kind->atoms = describe_atoms(kind, (label & 1) != 0 ? "type" : "name", n == 1);
  }
}

GPtrArray *
debye_element_kinds_new(DebyeTopology *topology)
{
  const guint32 *names = debye_topology_get_names(topology), *types = debye_topology_get_types(topology);
  const guint8 *elements = debye_topology_get_elements(topology);
  const guint8 *sources = debye_topology_get_element_sources(topology);
  g_autoptr(GHashTable) by_key = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr(GHashTable) n_labels = g_hash_table_new(NULL, NULL);
  Kinds kinds = {.kinds = by_key,
                 .n_labels = n_labels,
                 .in_order = g_ptr_array_new_with_free_func(kind_free),
                 .pool = debye_topology_get_string_pool(topology)};
  for (gsize i = 0; i < debye_topology_get_n_atoms(topology); i++) {
    const char *name = debye_string_pool_get(kinds.pool, names[i]);
    gboolean is_type = *name == '\0';
    DebyeElementKind *kind =
        find_kind(&kinds, make_key(is_type ? types[i] : names[i], is_type),
                  is_type ? debye_string_pool_get(kinds.pool, types[i]) : name, elements[i]);
    kind->source = MAX(kind->source, (DebyeElementSource)sources[i]);
    kind->n_atoms++;
  }
  name_kinds(&kinds);
  g_ptr_array_sort(kinds.in_order, compare_kinds);
  return kinds.in_order;
}

/* --- Choices --- */

static gboolean
set_choice_error(GError **error, const char *choice, const char *expected)
{
  return debye_error_set(error, DEBYE_ERROR_VALUE, "element: expected %s, found “%s”", expected, choice);
}

static gboolean
parse_symbol(const char *choice, const char *text, guint8 *element, GError **error)
{
  *element = debye_element_from_symbol(text, -1);
  if (*element != 0 || g_ascii_strcasecmp(text, "none") == 0)
    return TRUE;
  return set_choice_error(error, choice, "an element's symbol or “none” after the last “=”");
}

static gsize
choose_coded(gboolean *chosen, const DebyeStringPool *pool, const guint32 *codes, gsize n_atoms,
             const char *text)
{
  gsize n = 0;
  for (gsize i = 0; i < n_atoms; i++)
    if (strcmp(debye_string_pool_get(pool, codes[i]), text) == 0) {
      chosen[i] = TRUE;
      n++;
    }
  return n;
}

static gsize
choose_selected(gboolean *chosen, DebyeTopology *topology, const char *text, GError **error)
{
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, error);
  g_autoptr(GArray) atoms =
      selection != NULL ? debye_selection_evaluate(selection, topology, NULL, error) : NULL;
  for (guint i = 0; atoms != NULL && i < atoms->len; i++)
    chosen[g_array_index(atoms, guint32, i)] = TRUE;
  return atoms != NULL ? atoms->len : 0;
}

static gboolean
choose_atoms(gboolean *chosen, DebyeTopology *topology, const char *choice, const char *text, GError **error)
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  gsize n_atoms = debye_topology_get_n_atoms(topology), n;
  GError *problem = NULL;
  if (strpbrk(text, " \t") != NULL)
    n = choose_selected(chosen, topology, text, &problem);
  else if ((n = choose_coded(chosen, pool, debye_topology_get_names(topology), n_atoms, text)) == 0)
    n = choose_coded(chosen, pool, debye_topology_get_types(topology), n_atoms, text);
  if (problem != NULL) {
    g_propagate_error(error, problem);
    debye_error_prefix(error, "element: ");
    return FALSE;
  }
  return n > 0 || set_choice_error(error, choice, "a name, a type or a selection of atoms that are there");
}

static gboolean
apply_choice(DebyeTopology *topology, const char *choice, guint8 *elements, guint8 *sources, GError **error)
{
  gsize n_atoms = debye_topology_get_n_atoms(topology);
  g_autofree gboolean *chosen = g_new0(gboolean, MAX(n_atoms, 1));
  const char *equals = strrchr(choice, '=');
  guint8 element;
  if (equals == NULL || equals == choice)
    return set_choice_error(error, choice, "ATOMS=SYMBOL, such as CAL=Ca");
  g_autofree char *atoms = g_strndup(choice, (gsize)(equals - choice));
  g_autofree char *symbol = g_strstrip(g_strdup(equals + 1));
  if (!parse_symbol(choice, symbol, &element, error) ||
      !choose_atoms(chosen, topology, choice, g_strstrip(atoms), error))
    return FALSE;
  for (gsize i = 0; i < n_atoms; i++)
    if (chosen[i]) {
      elements[i] = element;
      sources[i] = DEBYE_ELEMENT_CHOSEN;
    }
  return TRUE;
}

DebyeTopology *
debye_topology_with_element_choices(DebyeTopology *self, const char *const *choices, GError **error)
{
  gsize n_atoms = debye_topology_get_n_atoms(self);
  if (choices == NULL || *choices == NULL)
    return g_object_ref(self);
  g_autofree guint8 *elements = g_memdup2(debye_topology_get_elements(self), n_atoms);
  g_autofree guint8 *sources = g_memdup2(debye_topology_get_element_sources(self), n_atoms);
  for (; *choices != NULL; choices++)
    if (!apply_choice(self, *choices, elements, sources, error))
      return NULL;
  return debye_topology_with_elements(self, elements, sources);
}
