/* SPDX-License-Identifier: MIT */
/* One setting of an analysis as a row of its form: label, help, control, unit, and what is wrong with it. The
 * row writes what the user types into the request as soon as the table accepts it. */
#pragma once

#include <adwaita.h>

#include "data/molecule/frame.h"
#include "data/settings/request.h"
#include "data/molecule/topology.h"

#define DEBYE_TYPE_SETTING_ROW (debye_setting_row_get_type())
G_DECLARE_FINAL_TYPE(DebyeSettingRow, debye_setting_row, DEBYE, SETTING_ROW, AdwPreferencesRow)

/* `setting` is of the request's table. Emits "edit" when a person is about to set it, "problem" when what was
 * typed begins or ceases to be refused. */
GtkWidget *debye_setting_row_new(const DebyeSetting *setting, DebyeRequest *request);
const DebyeSetting *debye_setting_row_get_setting(DebyeSettingRow *self);
/* The value used where the user set none (suggested from the data), shown dimmed. */
void debye_setting_row_set_suggestion(DebyeSettingRow *self, const char *value);
/* Why the setting has its value, where the program chose it; NULL: it didn't. */
void debye_setting_row_set_advice(DebyeSettingRow *self, const char *reason);
/* Why the analysis can't run with this setting; NULL: it can. */
void debye_setting_row_set_problem(DebyeSettingRow *self, const char *problem);
/* What the row says is wrong, of itself or by set_problem; NULL: nothing. */
const char *debye_setting_row_get_problem(DebyeSettingRow *self);
/* Whether it asks for atoms that nobody has chosen yet: no mistake, but something still to be done. */
gboolean debye_setting_row_is_waiting(DebyeSettingRow *self);
/* What was typed is no value of this setting; the request has the one before, or none. */
gboolean debye_setting_row_is_refused(DebyeSettingRow *self);
/* Shows what the request has, whatever was typed. */
void debye_setting_row_take_back(DebyeSettingRow *self);
/* For selections. */
void debye_setting_row_set_system(DebyeSettingRow *self, DebyeTopology *topology, DebyeFrame *frame);
/* The widget that holds the value: an entry, a switch, a drop down, a selection entry. */
GtkWidget *debye_setting_row_get_control(DebyeSettingRow *self);
