/* SPDX-License-Identifier: MIT */
/* The settings table of fits and its parsers; used by fit_run.c and debye-cli fit. */
#include "fit_settings.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/files/input.h"

static const DebyeSetting settings[] = {
    {.key = "data",
     DEBYE_SETTING_MEMBER(DebyeFitSettings, data),
     .label = "Measured curve",
     .kind = DEBYE_SETTING_TEXT,
     .help = "measured curve: text (q, I, error, perhaps the resolution), ATSAS .dat and .out, canSAS XML or "
             "NXcanSAS; CURVE is fitted to it with a scale and a background",
     .basic = TRUE},
    {.key = "guinier",
     DEBYE_SETTING_MEMBER(DebyeFitSettings, guinier),
     .label = "Guinier",
     .unit = "Å⁻¹",
     .kind = DEBYE_SETTING_TEXT,
     .alone = DEBYE_FIT_FOUND,
     .help =
         "radius of gyration and I(0) by Guinier's law; range QMIN:QMAX, default: found, up to q·Rg = 1.3",
     .derived = TRUE,
     .basic = TRUE},
    {.key = "kratky",
     DEBYE_SETTING_MEMBER(DebyeFitSettings, kratky),
     .label = "Kratky",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "q²·I(q), and normalised (q·Rg)²·I(q)/I(0)",
     .basic = TRUE},
    {.key = "power-law",
     DEBYE_SETTING_MEMBER(DebyeFitSettings, power_law),
     .label = "Power law",
     .unit = "Å⁻¹",
     .kind = DEBYE_SETTING_TEXT,
     .help = "exponent d of I ∝ q^−d over QMIN:QMAX, and the fractal dimension of mass or surface",
     .basic = TRUE},
    {.key = "porod",
     DEBYE_SETTING_MEMBER(DebyeFitSettings, porod),
     .label = "Porod",
     .unit = "Å⁻¹",
     .kind = DEBYE_SETTING_TEXT,
     .alone = DEBYE_FIT_FOUND,
     .help = "Porod's law, invariant, volume and surface; range QMIN:QMAX, default: the upper third",
     .derived = TRUE,
     .basic = TRUE},
    {.key = "pr",
     DEBYE_SETTING_MEMBER(DebyeFitSettings, pr),
     .label = "P(r)",
     .unit = "Å",
     .kind = DEBYE_SETTING_TEXT,
     .alone = DEBYE_FIT_FOUND,
     .help =
         "distance distribution by a regularised inverse transform; largest distance, default: found by the "
         "evidence",
     .derived = TRUE,
     .basic = TRUE},
    {.key = "q-range",
     DEBYE_SETTING_MEMBER(DebyeFitSettings, q_range),
     .label = "Range of q",
     .unit = "Å⁻¹",
     .kind = DEBYE_SETTING_TEXT,
     .help = "QMIN:QMAX: range of the points to use; either end may be left out"},
    {.key = "mask",
     DEBYE_SETTING_MEMBER(DebyeFitSettings, mask),
     .label = "Mask",
     .unit = "Å⁻¹",
     .kind = DEBYE_SETTING_TEXT,
     .repeated = TRUE,
     .help = "QMIN:QMAX: range of points to leave out"},
    {.key = "curve-unit",
     DEBYE_SETTING_MEMBER(DebyeFitSettings, curve_unit),
     .label = "Unit of q, computed",
     .kind = DEBYE_SETTING_TEXT,
     .help = "unit of q of CURVE if --data gives a measured one, 1/A or 1/nm; default: as stated in the file",
     .derived = TRUE},
    {.key = "data-unit",
     DEBYE_SETTING_MEMBER(DebyeFitSettings, data_unit),
     .label = "Unit of q",
     .kind = DEBYE_SETTING_TEXT,
     .help = "unit of q in the measured file, 1/A or 1/nm; default: as stated in the file",
     .derived = TRUE},
    {.key = "intensity-unit",
     DEBYE_SETTING_MEMBER(DebyeFitSettings, intensity_unit),
     .label = "Unit of the intensity",
     .kind = DEBYE_SETTING_TEXT,
     .help = "unit of I in the measured file, 1/cm or 1/m; default: as stated in the file",
     .derived = TRUE},
    {.key = "data-columns",
     DEBYE_SETTING_MEMBER(DebyeFitSettings, data_columns),
     .label = "Columns",
     .kind = DEBYE_SETTING_TEXT,
     .help =
         "columns of a text file, counted from 1: q,I,error,resolution; the last two may be left out or 0"},
    {.key = "data-resolution",
     DEBYE_SETTING_MEMBER(DebyeFitSettings, data_resolution),
     .label = "Resolution",
     .symbol = "σ/q",
     .kind = DEBYE_SETTING_NUMBER,
     .maximum = 1.0,
     .help = "standard deviation of q relative to q, which blurs the fits; default: as in the file",
     .derived = TRUE},
    {.key = "concentration",
     DEBYE_SETTING_MEMBER(DebyeFitSettings, concentration),
     .label = "Concentration",
     .unit = "mg/ml",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 1e-6,
     .maximum = 1e4,
     .help = "concentration of the particle; with I(0) in cm⁻¹ it gives the molecular mass"},
    {.key = "mass-contrast",
     DEBYE_SETTING_MEMBER(DebyeFitSettings, mass_contrast),
     .label = "Contrast per mass",
     .unit = "cm/g",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 1e6,
     .maximum = 1e14,
     .initial = "2.085e10",
     .help = "excess scattering length per mass for the molecular mass; default: 2.085e10, protein in water "
             "for X-rays",
     .derived = TRUE},
};

const DebyeSettingTable debye_fit_table = {
    .id = "fit",
    .title = "Small-angle fits",
    .question = "What are the size and shape of the particles?",
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
};

/* --- Texts --- */

static gboolean
parse_end(const char *text, double *value)
{
  return *text == '\0' ||
         (debye_text_to_double(text, strlen(text), value) && isfinite(*value) && *value >= 0.0);
}

gboolean
debye_fit_range_parse(const char *text, const char *label, DebyeFitRange *range, GError **error)
{
  g_auto(GStrv) ends = g_strsplit(text, ":", -1);
  *range = (DebyeFitRange){0.0, INFINITY};
  if (g_strv_length(ends) == 2 && parse_end(g_strstrip(ends[0]), &range->low) &&
      parse_end(g_strstrip(ends[1]), &range->high) && range->low < range->high)
    return TRUE;
  return debye_error_set(error, DEBYE_ERROR_SETTING, "%s: expected QMIN:QMAX in Å⁻¹, found “%s”", label,
                         text);
}

GArray *
debye_fit_masks_parse(const char *text, GError **error)
{
  g_autoptr(GArray) masks = g_array_new(FALSE, FALSE, sizeof(DebyeFitRange));
  g_auto(GStrv) values = debye_setting_split_values(text);
  for (char **value = values; value != NULL && *value != NULL; value++) {
    DebyeFitRange mask;
    if (!debye_fit_range_parse(*value, "Mask", &mask, error))
      return NULL;
    g_array_append_val(masks, mask);
  }
  return g_steal_pointer(&masks);
}

gboolean
debye_fit_columns_parse(const char *text, DebyeCurveColumns *columns, GError **error)
{
  g_auto(GStrv) words = g_strsplit(text, ",", -1);
  int *const places[] = {&columns->x, &columns->y, &columns->error, &columns->resolution};
  const guint n = g_strv_length(words);
  gboolean is_list = n >= 2 && n <= G_N_ELEMENTS(places);
  *columns = (DebyeCurveColumns){0};
  for (guint i = 0; is_list && i < n; i++) {
    guint64 number = 0;
    is_list = g_ascii_string_to_unsigned(g_strstrip(words[i]), 10, i < 2 ? 1 : 0, 64, &number, NULL);
    *places[i] = (int)number;
  }
  return is_list ||
         debye_error_set(
             error, DEBYE_ERROR_SETTING,
             "Columns: expected two to four numbers from 1 to 64, separated by commas, found “%s”", text);
}
