/* SPDX-License-Identifier: MIT */
/* The settings table of pair distributions; used by rdf_analysis.c and debye-cli rdf. */
#pragma once

#include "data/settings/setting.h"

G_BEGIN_DECLS

extern const DebyeSettingTable debye_rdf_settings;

G_END_DECLS
