/* SPDX-License-Identifier: MIT */
/* Adds the table "weights" of an analysis' charges to its result; called by the runs of maps and ions. */
#include "charge_weights.h"

#include "data/tables/elements.h"

#define MAX_ROWS 4096
#define RECENT 256 /* rows that are found without the table: molecules of a kind follow each other */

/* What atoms of a row share, and how many they are. */
typedef struct {
  guint32 residue, name; /* codes of the topology's strings */
  guint8 element, kind;  /* DebyeChargedKind */
  float charge;
  gsize n;
} Row;

static guint
hash_row(gconstpointer data)
{
  const Row *row = data;
  guint hash = row->residue * 2654435761u ^ row->name * 40503u;
  return hash ^ g_double_hash(&(double){(double)row->charge});
}

static gboolean
rows_are_alike(gconstpointer first, gconstpointer second)
{
  const Row *a = first, *b = second;
  return a->residue == b->residue && a->name == b->name && a->element == b->element && a->kind == b->kind &&
         a->charge == b->charge;
}

/* The columns of the topology that a row comes from. */
typedef struct {
  const guint32 *residues, *names;
  const DebyeResidue *residue_table;
  const guint8 *elements, *kinds;
  const float *charges;
} Columns;

static Columns
get_columns(const DebyeChargeChoice *choice)
{
  DebyeTopology *topology = choice->topology;
  return (Columns){.residues = debye_topology_get_residues(topology),
                   .names = debye_topology_get_names(topology),
                   .residue_table = debye_topology_get_residue_table(topology),
                   .elements = debye_topology_get_elements(topology),
                   .kinds = choice->table != NULL ? choice->table->report.kinds : NULL,
                   .charges = debye_topology_get_charges(topology)};
}

static Row
describe_atom(const Columns *columns, guint32 atom)
{
  return (Row){.residue = columns->residue_table[columns->residues[atom]].name,
               .name = columns->names[atom],
               .element = columns->elements[atom],
               .kind = columns->kinds != NULL ? columns->kinds[atom] : DEBYE_CHARGED_NONE,
               .charge = columns->charges[atom]};
}

/* In the order of their first atoms. NULL: too many. */
static GPtrArray *
collect_rows(const DebyeChargeChoice *choice, const GArray *atoms)
{
  g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(g_free);
  g_autoptr(GHashTable) known = g_hash_table_new(hash_row, rows_are_alike);
  const Columns columns = get_columns(choice);
  Row *recent[RECENT] = {NULL};
  for (guint i = 0; i < atoms->len; i++) {
    Row wanted = describe_atom(&columns, g_array_index(atoms, guint32, i));
    Row **slot = &recent[(wanted.name ^ 31 * wanted.residue) % RECENT], *row = *slot;
    if (row == NULL || !rows_are_alike(row, &wanted))
      row = g_hash_table_lookup(known, &wanted);
    if (row == NULL) {
      if (rows->len == MAX_ROWS)
        return NULL;
      row = g_memdup2(&wanted, sizeof wanted);
      g_ptr_array_add(rows, row);
      g_hash_table_add(known, row);
    }
    *slot = row;
    row->n++;
  }
  return g_steal_pointer(&rows);
}

static const char *
get_source(const DebyeChargeChoice *choice, const Row *row)
{
  const char *source = choice->table != NULL ? choice->table->report.sources[row->kind] : "file";
  return source != NULL ? source : "";
}

static DebyeTable *
make_table(const DebyeChargeChoice *choice, const GPtrArray *rows)
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(choice->topology);
  g_autofree const char **texts = g_new0(const char *, 4 * ((gsize)rows->len + 1));
  g_autofree double *numbers = g_new(double, 2 * (gsize)rows->len);
  const char **residues = texts, **names = residues + rows->len + 1, **elements = names + rows->len + 1,
             **sources = elements + rows->len + 1;
  double *counts = numbers, *charges = numbers + rows->len;
  for (guint k = 0; k < rows->len; k++) {
    const Row *row = g_ptr_array_index(rows, k);
    residues[k] = debye_string_pool_get(pool, row->residue);
    names[k] = debye_string_pool_get(pool, row->name);
    elements[k] = debye_element_get(row->element)->symbol;
    sources[k] = get_source(choice, row);
    counts[k] = (double)row->n;
    charges[k] = (double)row->charge;
  }
  DebyeTable *table = debye_table_new(DEBYE_TABLE_OF_WEIGHTS);
  debye_table_add_texts(table, &(DebyeQuantity){"residue", "residue", NULL}, residues);
  debye_table_add_texts(table, &(DebyeQuantity){"species", "species", NULL}, names);
  debye_table_add_texts(table, &(DebyeQuantity){"element", "element", NULL}, elements);
  debye_table_add_numbers(table, &(DebyeQuantity){"number", "atoms", NULL}, rows->len, counts);
  debye_table_add_numbers(table, &(DebyeQuantity){"charge", "charge", "e"}, rows->len, charges);
  debye_table_add_texts(table, &(DebyeQuantity){"source", "source", NULL}, sources);
  return table;
}

void
debye_charge_weights_add(const DebyeChargeChoice *choice, const GArray *atoms, DebyeResult *result)
{
  g_autoptr(GPtrArray) rows = collect_rows(choice, atoms);
  if (rows == NULL) {
    debye_result_add_note(result, "Charges: more than %d different values, not listed one by one", MAX_ROWS);
    return;
  }
  if (rows->len == 0)
    return;
  g_autoptr(DebyeTable) table = make_table(choice, rows);
  debye_result_add_table(result, table);
}
