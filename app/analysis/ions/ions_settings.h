/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/settings/setting.h"

G_BEGIN_DECLS

extern const DebyeSettingTable debye_ions_settings;

G_END_DECLS
