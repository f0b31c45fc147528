/* SPDX-License-Identifier: MIT */
/* The settings of scattering: form, options, attributes and "Copy as command" come from this table. */
#pragma once

#include "data/settings/setting.h"

G_BEGIN_DECLS

extern const DebyeSettingTable debye_scattering_settings;

G_END_DECLS
