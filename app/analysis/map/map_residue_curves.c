/* SPDX-License-Identifier: MIT */
/* Implementation of map_residue_curves.h. */
#include "map_residue_curves.h"

#include <string.h>

#include "data/messages/message.h"

/* The columns that curves are of, and what tells residues apart. */
typedef struct {
  const char *const *level, *const *segment, *const *chain;
  const double *number;
} Rows;

static char *
name_chain(const Rows *rows, gsize row)
{
  const char *segment = rows->segment[row], *chain = rows->chain[row];
  if (*segment == '\0' && *chain == '\0')
    return g_strdup(N_("residues"));
  if (*segment == '\0' || *chain == '\0' || strcmp(segment, chain) == 0)
    return g_strdup(*chain != '\0' ? chain : segment);
  return g_strdup_printf("%s %s", segment, chain);
}

/* Of the residues of a chain, wherever they stand; a single one is a point. */
static void
add_curve(DebyeTable *table, const Rows *rows, gsize column, const GArray *chain, DebyeResult *result)
{
  static const DebyeQuantity number = {DEBYE_RESIDUE_NUMBER, N_("residue number"), NULL};
  const double *values = debye_table_get_numbers(table, column);
  g_autofree double *x = g_new(double, chain->len), *y = g_new(double, chain->len);
  g_autofree char *name = name_chain(rows, g_array_index(chain, gsize, 0));
  for (guint i = 0; i < chain->len; i++) {
    const gsize row = g_array_index(chain, gsize, i);
    x[i] = rows->number[row];
    y[i] = values[row];
  }
  g_autoptr(DebyeCurve) curve =
      debye_curve_new(name, &number, debye_table_get_quantity(table, column),
                      chain->len == 1 ? DEBYE_CURVE_MARKERS : DEBYE_CURVE_LINE, chain->len, x, y, NULL);
  debye_result_add_curve(result, curve);
}

/* Of each chain, in their order, the rows that are its residues: GArray of gsize. */
static GPtrArray *
list_chains(const Rows *rows, gsize n_rows)
{
  GPtrArray *chains = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
  g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  for (gsize row = 0; row < n_rows; row++) {
    if (strcmp(rows->level[row], "residue") != 0)
      continue;
    char *key = g_strjoin("\n", rows->segment[row], rows->chain[row], NULL);
    GArray *chain = g_hash_table_lookup(known, key);
    if (chain == NULL) {
      chain = g_array_new(FALSE, FALSE, sizeof(gsize));
      g_ptr_array_add(chains, chain);
      g_hash_table_insert(known, key, chain);
    } else {
      g_free(key);
    }
    g_array_append_val(chain, row);
  }
  return chains;
}

void
debye_map_residue_curves_add(DebyeTable *table, DebyeResult *result)
{
  static const char *const names[] = {"environment", "reaction_energy"};
  const Rows rows = {
      debye_table_find_texts(table, "level"),
      debye_table_find_texts(table, "segment"),
      debye_table_find_texts(table, "chain"),
      debye_table_find_numbers(table, "number"),
  };
  g_autoptr(GPtrArray) chains = list_chains(&rows, debye_table_get_n_rows(table));
  for (gsize i = 0, column; i < G_N_ELEMENTS(names); i++)
    for (guint k = 0; k < chains->len && debye_table_find_column(table, names[i], &column); k++)
      add_curve(table, &rows, column, chains->pdata[k], result);
}
