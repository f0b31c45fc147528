/* SPDX-License-Identifier: MIT */
/* The list of all analyses. A new one adds its line here; both programs make forms and commands from it. */
#pragma once

#include "app/analysis/driver/analysis.h"

/* In the order of forms and commands. Each is debye_analysis_NAME of its NAME_analysis.c. */
#define DEBYE_ANALYSES(X) \
  X(map)                  \
  X(ions)                 \
  X(rdf)                  \
  X(scattering)           \
  X(measure)              \
  X(msd)                  \
  X(density)              \
  X(ligands)              \
  X(orbital)

/* All, NULL-terminated. */
const DebyeAnalysis *const *debye_analysis_list(void);
const DebyeAnalysis *debye_analysis_find(const char *id);
/* Of whatever makes results: an analysis, or what is made of maps or curves (field_settings.h,
 * fit_settings.h), which is none. */
const DebyeSettingTable *debye_analysis_find_table(const char *id);

#define DEBYE_ANALYSIS_DECLARE(name) extern const DebyeAnalysis debye_analysis_##name;
DEBYE_ANALYSES(DEBYE_ANALYSIS_DECLARE)
