/* SPDX-License-Identifier: MIT */
/* The settings table of measurements and the parser of their atoms; used by measure_analysis.c and debye-cli
 * measure. */
#include "measure_settings.h"

#include "app/analysis/driver/common_settings.h"
#include "data/files/error.h"

static const DebyeSetting settings[] = {
    {.key = "atoms",
     DEBYE_SETTING_MEMBER(DebyeMeasureSettings, atoms),
     .label = "Atoms",
     .kind = DEBYE_SETTING_TEXT,
     .help = "two atoms for a distance, three for the angle at the second, four for the dihedral about the "
             "middle pair, by index from 0; separate several with semicolons: 0,5; 3,4,5",
     .basic = TRUE},
    DEBYE_SETTING_FRAMES_ENTRY(DebyeMeasureSettings, "frames to measure"),
    DEBYE_SETTING_JOB_ENTRIES(DebyeMeasureSettings),
    DEBYE_SETTING_DATASET_ENTRIES,
};

const DebyeSettingTable debye_measure_settings = {
    .id = "measure",
    .title = "Distances and angles",
    .question = "How do distances, angles and dihedrals change over time?",
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
};

static gboolean
parse_one(const char *text, gsize n_system, DebyeMeasurement *measurement, GError **error)
{
  g_auto(GStrv) parts = g_strsplit(text, ",", -1);
  gsize n = g_strv_length(parts);
  *measurement = (DebyeMeasurement){.n_atoms = n};
  if (n < 2 || n > DEBYE_MAX_MEASURED)
    return debye_error_set_about(error, DEBYE_ERROR_SETTING, "Atoms",
                                 "expected two to four atoms separated by commas, found “%s”", text);
  for (gsize i = 0; i < n; i++) {
    guint64 atom;
    if (!g_ascii_string_to_unsigned(g_strstrip(parts[i]), 10, 0, G_MAXUINT32 - 1, &atom, NULL) ||
        atom >= n_system)
      return debye_error_set_about(error, DEBYE_ERROR_SETTING, "Atoms",
                                   "expected an index from 0 to %" G_GSIZE_FORMAT ", found “%s”",
                                   n_system - 1, parts[i]);
    measurement->atoms[i] = (guint32)atom;
    for (gsize k = 0; k < i; k++)
      if (measurement->atoms[k] == atom)
        return debye_error_set_about(error, DEBYE_ERROR_SETTING, "Atoms",
                                     "expected different atoms in “%s”, found %" G_GUINT64_FORMAT " twice",
                                     text, atom);
  }
  return TRUE;
}

GArray *
debye_measure_parse(const char *text, gsize n_system, GError **error)
{
  g_autoptr(GArray) measurements = g_array_new(FALSE, FALSE, sizeof(DebyeMeasurement));
  g_auto(GStrv) parts = g_strsplit(text != NULL ? text : "", ";", -1);
  for (char **part = parts; *part != NULL; part++) {
    DebyeMeasurement measurement;
    if (*g_strstrip(*part) == '\0')
      continue;
    if (!parse_one(*part, n_system, &measurement, error))
      return NULL;
    g_array_append_val(measurements, measurement);
  }
  if (measurements->len > 0)
    return g_steal_pointer(&measurements);
  debye_error_set_about(error, DEBYE_ERROR_SETTING, "Atoms",
                        "expected two to four atoms separated by commas, found none");
  return NULL;
}
