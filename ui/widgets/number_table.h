/* SPDX-License-Identifier: MIT */
/* The numbers of a table, to be looked at and selected: a column each with its unit, rows on demand. A click
 * on a heading sorts by its column, one more the other way round. Ctrl+C copies the rows selected, or all, in the order that
 * is shown, with tabs between the columns.
 *
 * Signal "row-chosen" (guint): this row of the table is selected, and no other
 * is; G_MAXUINT: none is any more, or several are. */
#pragma once

#include <gtk/gtk.h>

#include "data/results/table.h"

#define DEBYE_TYPE_NUMBER_TABLE (debye_number_table_get_type())
G_DECLARE_FINAL_TYPE(DebyeNumberTable, debye_number_table, DEBYE, NUMBER_TABLE, GtkBox)

/* NULL: nothing. New values of the same quantities change what cells say and leave the place that is shown
 * and the rows selected; of others no row is selected. */
void debye_number_table_set_table(DebyeNumberTable *self, DebyeTable *table);
/* The rows selected, or all, as text under a row of headings; to be freed, NULL where there is nothing. */
char *debye_number_table_copy_text(DebyeNumberTable *self);
