/* SPDX-License-Identifier: MIT */
/* What an electrostatic map can be told. */
#pragma once

#include "data/settings/setting.h"

G_BEGIN_DECLS

extern const DebyeSettingTable debye_map_settings;

G_END_DECLS
