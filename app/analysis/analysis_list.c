/* SPDX-License-Identifier: MIT */
/* The list of all analyses; the window makes its forms from it, and debye-cli finds an analysis by name. */
#include "analysis_list.h"

#include "app/analysis/fit/fit_settings.h"
#include "app/analysis/map/field_settings.h"
#include "app/analysis/prepare/prepare_settings.h"

#define ADDRESS(name) &debye_analysis_##name,
static const DebyeAnalysis *const analyses[] = {DEBYE_ANALYSES(ADDRESS) NULL};

const DebyeAnalysis *const *
debye_analysis_list(void)
{
  return analyses;
}

const DebyeAnalysis *
debye_analysis_find(const char *id)
{
  for (gsize i = 0; analyses[i] != NULL; i++)
    if (g_strcmp0(analyses[i]->table->id, id) == 0)
      return analyses[i];
  return NULL;
}

const DebyeSettingTable *
debye_analysis_find_table(const char *id)
{
  const DebyeAnalysis *analysis = debye_analysis_find(id);
  if (analysis != NULL)
    return analysis->table;
  static const DebyeSettingTable *const others[] = {&debye_field_table, &debye_fit_table,
                                                    &debye_prepare_settings};
  for (gsize i = 0; i < G_N_ELEMENTS(others); i++)
    if (g_strcmp0(id, others[i]->id) == 0)
      return others[i];
  return NULL;
}
