/* SPDX-License-Identifier: MIT */
/* The settings table of electrostatic maps; used by map_analysis.c, placed ions and debye-cli. */
#pragma once

#include "data/settings/setting.h"

G_BEGIN_DECLS

extern const DebyeSettingTable debye_map_settings;

G_END_DECLS
