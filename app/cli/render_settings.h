/* SPDX-License-Identifier: MIT */
/* The settings table of debye-cli render; used by command_render.c. */
#pragma once

#include "data/settings/setting.h"

G_BEGIN_DECLS

/* The settings of the picture and those of all kinds of layers. */
const DebyeSettingTable *debye_render_settings_get(void);

G_END_DECLS
