/* SPDX-License-Identifier: MIT */
/* The settings of mean square displacements; used by msd_analysis.c and debye-cli msd. */
#pragma once

#include "data/settings/setting.h"

G_BEGIN_DECLS

extern const DebyeSettingTable debye_msd_settings;

G_END_DECLS
