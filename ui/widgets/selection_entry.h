/* SPDX-License-Identifier: MIT */
/* A selection text with a live count of atoms, completion, and the place of a mistake. The selection is
 * evaluated on a thread of its own, the newest text winning.
 *
 * Signal "changed": the text is another one. */
#pragma once

#include <gtk/gtk.h>

#include "data/selection/selection.h"

#define DEBYE_TYPE_SELECTION_ENTRY (debye_selection_entry_get_type())
G_DECLARE_FINAL_TYPE(DebyeSelectionEntry, debye_selection_entry, DEBYE, SELECTION_ENTRY, GtkWidget)

/* Emits "selected" (GArray of guint32: the atoms, ascending) after each text that can be understood, and "error" when
 * what debye_selection_entry_shows() answers may have changed. */
GtkWidget *debye_selection_entry_new(const char *accessible_name);
void debye_selection_entry_set_system(DebyeSelectionEntry *self, DebyeTopology *topology, DebyeFrame *frame);
/* The frame that the next text is evaluated in. */
void debye_selection_entry_set_frame(DebyeSelectionEntry *self, DebyeFrame *frame);
/* What the text chooses by now, where positions decide and the frame is another one. */
void debye_selection_entry_set_count(DebyeSelectionEntry *self, guint n_atoms);
void debye_selection_entry_set_text(DebyeSelectionEntry *self, const char *text);
const char *debye_selection_entry_get_text(DebyeSelectionEntry *self);
/* Whether it gives this reason itself, under its text. */
gboolean debye_selection_entry_shows(DebyeSelectionEntry *self, const char *problem);
/* Whether the text is still typed or looked at; "error" follows. */
gboolean debye_selection_entry_is_pending(DebyeSelectionEntry *self);
/* What an empty entry says of itself, where an empty text chooses nothing; NULL, as at first: it chooses all.
 */
void debye_selection_entry_set_hint(DebyeSelectionEntry *self, const char *hint);
const char *debye_selection_entry_get_hint(DebyeSelectionEntry *self);
