/* SPDX-License-Identifier: MIT */
/* What the page that prepares structures shows of a document and asks for: looks on a thread
 * what the file lacks, lists what was decided, and remembers the steps before. Knows no
 * window: it says what shall be done. Made by window_prepare.c.
 *
 * Signals: "found" (gboolean): whether the page has something to show; "order" (pointer: const DebyePreparationOrder):
 * prepare so; "show" (DebyePreparation): that is to be the document's, NULL: as the files have it; "residue" (char *chain,
 * char *residue): is to be seen; "save". */
#pragma once

#include "app/document/document.h"
#include "ui/prepare/prepare_panel.h"

#define DEBYE_TYPE_PREPARE_PAGE (debye_prepare_page_get_type())
G_DECLARE_FINAL_TYPE(DebyePreparePage, debye_prepare_page, DEBYE, PREPARE_PAGE, GObject)

DebyePreparePage *debye_prepare_page_new(DebyePreparePanel *panel);
/* What is open now; NULL: nothing. */
void debye_prepare_page_set_document(DebyePreparePage *self, DebyeDocument *document);
/* Which model is prepared next: the frame that is shown. */
void debye_prepare_page_set_frame(DebyePreparePage *self, gsize frame);

/* Prepares with the page's settings and the states that were chosen; without waters where `drops_water`. */
void debye_prepare_page_run(DebyePreparePage *self, gboolean drops_water);
/* The same with another state of one residue; NULL: what the pH decides. */
void debye_prepare_page_choose(DebyePreparePage *self, const char *chain, const char *residue,
                               const char *state);
/* The structure as it was before the last step. */
void debye_prepare_page_undo(DebyePreparePage *self);
/* What was ordered has come to its end; `problem` NULL: well, or it was stopped. */
void debye_prepare_page_end(DebyePreparePage *self, const char *problem);

/* No charges, and residues that can be prepared, or it isn't known yet whether there are. */
gboolean debye_prepare_page_may_be_bare(DebyePreparePage *self);
/* What the file lacks, for an offer; NULL: nothing that could be made ready, or it isn't known yet. Free with g_free. */
char *debye_prepare_page_describe_lack(DebyePreparePage *self);

/* The path of a Mol2, SDF or mmCIF component file of a ligand, besides those that were added before. */
void debye_prepare_page_add_ligand(DebyePreparePage *self, const char *path);
