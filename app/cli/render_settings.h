/* SPDX-License-Identifier: MIT */
/* The settings table of debye-cli render; used by command_render.c. */
#pragma once

#include "data/settings/setting.h"

G_BEGIN_DECLS

extern const DebyeSettingTable debye_render_settings;

G_END_DECLS
