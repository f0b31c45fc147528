/* SPDX-License-Identifier: MIT */
/* All analyses. A new one adds its line here and in analysis_list.c; both programs take forms and commands
 * from it. */
#pragma once

#include "app/analysis/driver/analysis.h"

G_BEGIN_DECLS

/* All, NULL-terminated. */
const DebyeAnalysis *const *debye_analysis_list(void);
const DebyeAnalysis *debye_analysis_find(const char *id);
/* Of whatever makes results: an analysis, or what is made of maps or curves (field_settings.h,
 * fit_settings.h), which is none. */
const DebyeSettingTable *debye_analysis_find_table(const char *id);

/* Each is defined in its NAME_analysis.c. */
extern const DebyeAnalysis debye_analysis_density, debye_analysis_ions, debye_analysis_ligands,
    debye_analysis_map, debye_analysis_measure, debye_analysis_msd, debye_analysis_orbital,
    debye_analysis_rdf, debye_analysis_scattering;

G_END_DECLS
