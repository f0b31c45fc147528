/* SPDX-License-Identifier: MIT */
/* The settings of what is made of maps that exist: differences, profiles, lines. They are no analysis of
 * atoms, so they have a form of their own in the window and a command of their own, `debye-cli field`. */
#pragma once

#include "data/settings/setting.h"

G_BEGIN_DECLS

extern const DebyeSettingTable debye_field_table;

G_END_DECLS
