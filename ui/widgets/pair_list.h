/* SPDX-License-Identifier: MIT */
/* Pairs of selections, a row each: the two texts side by side with their live counts, and ways to add and
 * remove one. Pasting "A | B", also of several lines, fills both sides and as many rows.
 *
 * Signal "changed": the text is another one, "A | B" a line. An empty side beside one that isn't means all atoms; rows that are
 * empty on both sides don't count. */
#pragma once

#include <gtk/gtk.h>

#include "data/molecule/frame.h"
#include "data/molecule/topology.h"

#define DEBYE_TYPE_PAIR_LIST (debye_pair_list_get_type())
G_DECLARE_FINAL_TYPE(DebyePairList, debye_pair_list, DEBYE, PAIR_LIST, GtkBox)

GtkWidget *debye_pair_list_new(void);
/* For counts and completion. */
void debye_pair_list_set_system(DebyePairList *self, DebyeTopology *topology, DebyeFrame *frame);
void debye_pair_list_set_text(DebyePairList *self, const char *text);
/* Free with g_free. */
char *debye_pair_list_get_text(DebyePairList *self);

/* Whether one of the entries gives this reason itself. Emits "error" when that may have changed. */
gboolean debye_pair_list_shows(DebyePairList *self, const char *problem);
/* Whether one of its entries is. */
gboolean debye_pair_list_is_pending(DebyePairList *self);

guint debye_pair_list_get_n_rows(DebyePairList *self);
/* An empty row at the end. */
void debye_pair_list_add(DebyePairList *self);
/* The last row left is emptied. */
void debye_pair_list_remove(DebyePairList *self, guint row);
