/* SPDX-License-Identifier: MIT */
/* Values of settings as text for people; used by result_description.c and result_labels.c. */
#pragma once

#include "data/settings/setting.h"

/* In one line, and not in more than `max_letters`. Free with g_free. */
char *debye_setting_text_shorten(const char *value, glong max_letters);
/* What the choice of this value is called, in the user's language; the value itself where it is no choice. */
const char *debye_setting_text_of_choice(const DebyeSetting *setting, const char *value);

/* Why a selection is refused, below the entry that it stands in: without the name of what is refused, and as a sentence. Free
 * with g_free. */
char *debye_setting_text_of_problem(const char *problem);
