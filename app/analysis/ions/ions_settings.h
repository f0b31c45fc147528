/* SPDX-License-Identifier: MIT */
/* The settings table of the placement of ions; used by ions_analysis.c and debye-cli ions. */
#pragma once

#include "data/settings/setting.h"

G_BEGIN_DECLS

extern const DebyeSettingTable debye_ions_settings;

G_END_DECLS
