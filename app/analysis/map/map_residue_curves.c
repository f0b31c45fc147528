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

static gsize
find_column(DebyeTable *table, const char *name)
{
  gsize column = 0;
  while (strcmp(debye_table_get_quantity(table, column)->name, name) != 0)
    column++;
  return column;
}

static gboolean
is_same_chain(const Rows *rows, gsize a, gsize b)
{
  return strcmp(rows->segment[a], rows->segment[b]) == 0 && strcmp(rows->chain[a], rows->chain[b]) == 0;
}

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

/* Of the residues of the chain that begins in this row, wherever they stand; a single one is a point. */
static void
add_curve(DebyeTable *table, const Rows *rows, gsize column, gsize first, DebyeResult *result)
{
  static const DebyeQuantity number = {DEBYE_RESIDUE_NUMBER, N_("residue number"), NULL};
  const double *values = debye_table_get_numbers(table, column);
  const gsize n_rows = debye_table_get_n_rows(table);
  g_autofree double *x = g_new(double, n_rows), *y = g_new(double, n_rows);
  g_autofree char *name = name_chain(rows, first);
  gsize n = 0;
  for (gsize row = first; row < n_rows; row++)
    if (strcmp(rows->level[row], "residue") == 0 && is_same_chain(rows, first, row)) {
      x[n] = rows->number[row];
      y[n++] = values[row];
    }
  g_autoptr(DebyeCurve) curve =
      debye_curve_new(name, &number, debye_table_get_quantity(table, column),
                      n == 1 ? DEBYE_CURVE_MARKERS : DEBYE_CURVE_LINE, n, x, y, NULL);
  debye_result_add_curve(result, curve);
}

/* Whether no row before is of its chain. */
static gboolean
begins_chain(const Rows *rows, const GArray *begun, gsize row)
{
  for (guint i = begun->len; i-- > 0;) /* mostly the last one's */
    if (is_same_chain(rows, g_array_index(begun, gsize, i), row))
      return FALSE;
  return TRUE;
}

void
debye_map_residue_curves_add(DebyeTable *table, DebyeResult *result)
{
  static const char *const names[] = {"environment", "reaction_energy"};
  const Rows rows = {debye_table_get_texts(table, find_column(table, "level")),
                     debye_table_get_texts(table, find_column(table, "segment")),
                     debye_table_get_texts(table, find_column(table, "chain")),
                     debye_table_get_numbers(table, find_column(table, "number"))};
  g_autoptr(GArray) begun = g_array_new(FALSE, FALSE, sizeof(gsize));
  for (gsize row = 0; row < debye_table_get_n_rows(table); row++)
    if (begins_chain(&rows, begun, row))
      g_array_append_val(begun, row);
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
    for (guint k = 0; k < begun->len; k++)
      add_curve(table, &rows, find_column(table, names[i]), g_array_index(begun, gsize, k), result);
}
