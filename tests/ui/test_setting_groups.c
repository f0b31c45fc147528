/* SPDX-License-Identifier: MIT */
/* Every setting behind "More" belongs to a group of the form. */
#include "ui/forms/setting_groups.h"

#include "app/analysis/analysis_list.h"

static void
check_table(const DebyeSettingTable *table)
{
  for (gsize i = 0; i < table->n_settings; i++) {
    const DebyeSetting *setting = &table->settings[i];
    if (setting->basic || setting->of_files || !debye_setting_groups_is_for_forms(setting))
      continue;
    const guint group = debye_setting_groups_find(table, setting);
    if (group == debye_setting_groups_count() - 1) {
      g_test_message("%s: %s has no group in setting_groups.c", table->id, setting->key);
      g_test_fail();
    }
  }
}

static void
test_all(void)
{
  for (const DebyeAnalysis *const *analysis = debye_analysis_list(); *analysis != NULL; analysis++)
    check_table((*analysis)->table);
}

/* One key, a group per analysis. */
static void
test_own(void)
{
  const DebyeSettingTable *waves = debye_analysis_find_table("scattering"),
                          *pairs = debye_analysis_find_table("rdf");
  const guint spectrum = debye_setting_groups_find(waves, debye_setting_table_find(waves, "window"));
  const guint factor = debye_setting_groups_find(pairs, debye_setting_table_find(pairs, "window"));
  g_assert_cmpstr(debye_setting_groups_get_title(spectrum), ==, "Spectrum");
  g_assert_cmpstr(debye_setting_groups_get_title(factor), ==, "Structure factor");
}

/* Teaching variants are for the class room and the command line. */
static void
test_variant(void)
{
  const DebyeSettingTable *map = debye_analysis_find_table("map");
  g_assert_false(debye_setting_groups_is_for_forms(debye_setting_table_find(map, "variant")));
  g_assert_true(debye_setting_groups_is_for_forms(debye_setting_table_find(map, "smoothing")));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/setting-groups/all", test_all);
  g_test_add_func("/setting-groups/own", test_own);
  g_test_add_func("/setting-groups/variant", test_variant);
  return g_test_run();
}
