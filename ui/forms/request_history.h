/* SPDX-License-Identifier: MIT */
/* Undo and redo of one form's settings; used by form_page.c. Only what a person sets is a step. What the program
 * suggests, or a session restores, is none, and undo leaves it as it is. Typing one text is one step. */
#pragma once

#include "data/settings/request.h"

#define DEBYE_TYPE_REQUEST_HISTORY (debye_request_history_get_type())
G_DECLARE_FINAL_TYPE(DebyeRequestHistory, debye_request_history, DEBYE, REQUEST_HISTORY, GObject)

DebyeRequestHistory *debye_request_history_new(DebyeRequest *request);
/* A person is about to set this setting of the request's table; or all of them at once. */
void debye_request_history_edit(DebyeRequestHistory *self, const char *key);
void debye_request_history_edit_all(DebyeRequestHistory *self);
/* FALSE: there was nothing to undo, or to do again. Steps that changed nothing, as the table refused what was
 * typed, are passed over. */
gboolean debye_request_history_undo(DebyeRequestHistory *self);
gboolean debye_request_history_redo(DebyeRequestHistory *self);
