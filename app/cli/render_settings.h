/* SPDX-License-Identifier: MIT */
/* What a picture can be told. */
#pragma once

#include "data/settings/setting.h"

G_BEGIN_DECLS

extern const DebyeSettingTable debye_render_settings;

G_END_DECLS
