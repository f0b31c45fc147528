/* SPDX-License-Identifier: MIT */
/* The groups that the settings behind "More" stand in. Used by form_page.c. */
#pragma once

#include "data/settings/setting.h"

/* How many groups there are, in their order in a form; the last is for settings that no other names. */
guint debye_setting_groups_count(void);
const char *debye_setting_groups_get_title(guint group); /* to be shown */
guint debye_setting_groups_find(const DebyeSettingTable *table, const DebyeSetting *setting);
/* FALSE of what the class room and the command line alone offer. */
gboolean debye_setting_groups_is_for_forms(const DebyeSetting *setting);
