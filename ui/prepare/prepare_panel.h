/* SPDX-License-Identifier: MIT */
/* The page that prepares a bare structure: what its file lacks, settings, one button, and then the list of what was decided,
 * where states can be changed.
 *
 * Signals: "run": prepare with the settings; "undo": the file's structure again; "save": into a file; "shown"
 * (DebyeDecisionItem): this residue is to be seen; "state-chosen" (DebyeDecisionItem, char *state); "ph-moved" (double);
 * "settings-changed". */
#pragma once

#include <adwaita.h>

#include "data/molecule/frame.h"
#include "data/molecule/topology.h"
#include "data/settings/request.h"
#include "decision_item.h"

#define DEBYE_TYPE_PREPARE_PANEL (debye_prepare_panel_get_type())
G_DECLARE_FINAL_TYPE(DebyePreparePanel, debye_prepare_panel, DEBYE, PREPARE_PANEL, AdwBin)

/* `keys` (NULL-terminated): the settings of the request that have a row. */
void debye_prepare_panel_set_request(DebyePreparePanel *self, DebyeRequest *request, const char *const *keys);
/* For the count of atoms to keep. */
void debye_prepare_panel_set_system(DebyePreparePanel *self, DebyeTopology *topology, DebyeFrame *frame);
/* What the file has and lacks; what will be done with that; why nothing can be. NULL: nothing is said. */
void debye_prepare_panel_set_facts(DebyePreparePanel *self, const char *facts, const char *plan);
void debye_prepare_panel_set_problem(DebyePreparePanel *self, const char *problem);
/* Whether it can be prepared now: FALSE while that is done. */
void debye_prepare_panel_set_ready(DebyePreparePanel *self, gboolean is_ready);
/* Shows the states as they are: one that was chosen was refused. */
void debye_prepare_panel_take_back(DebyePreparePanel *self);
/* What was decided, with a line that sums it up and another that says where it comes from; NULL: the structure is as its file
 * has it. The residue that is chosen stays so. (element-type DebyeDecisionItem) */
void debye_prepare_panel_set_decisions(DebyePreparePanel *self, GPtrArray *decisions, const char *summary,
                                       const char *origin);
/* The pH of a titrated structure, which can be moved; NAN: it isn't titrated. */
void debye_prepare_panel_set_ph(DebyePreparePanel *self, double ph);
/* The ligands' files, by their paths; empty: none. */
void debye_prepare_panel_set_ligands(DebyePreparePanel *self, const char *const *paths);
