/* SPDX-License-Identifier: MIT */
/* Fits a computed curve to a measured one by a scale and a background; called by scattering_job.c. */
#include "scattering_measured.h"

#include <math.h>

#include "data/results/curve_fit.h"
#include "data/files/error.h"

static void
add_table(DebyeResult *result, const DebyeCurveFit *fit, const char *path)
{
  const char *const paths[] = {path, NULL};
  const double numbers[] = {fit->scale, fit->background, fit->chi_square, (double)fit->n_points};
  static const char *const names[] = {"scale", "background", "chi_square", "n_points"};
  g_autoptr(DebyeTable) table = debye_table_new("fit");
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
    debye_table_add_numbers(table, &(DebyeQuantity){names[i], names[i], NULL}, 1, &numbers[i]);
  debye_table_add_texts(table, &(DebyeQuantity){"measured", "measured", NULL}, paths);
  debye_result_add_table(result, table);
}

static void
add_note(DebyeResult *result, const DebyeCurveFit *fit, gboolean has_errors, const char *name,
         const char *quantity)
{
  char scale[G_ASCII_DTOSTR_BUF_SIZE], background[G_ASCII_DTOSTR_BUF_SIZE], chi[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(scale, sizeof scale, "%.4g", fit->scale);
  g_ascii_formatd(background, sizeof background, "%.4g", fit->background);
  if (!isfinite(fit->chi_square) && has_errors) {
    debye_result_add_note_of(result, DEBYE_NOTE_CAPTION, quantity,
                             "Measured: %s is %s times I(q) and a background of %s, %" G_GSIZE_FORMAT
                             " points that weigh alike: not all have errors",
                             name, scale, background, fit->n_points);
    return;
  }
  if (!isfinite(fit->chi_square)) {
    debye_result_add_note_of(result, DEBYE_NOTE_CAPTION, quantity,
                             "Measured: %s is %s times I(q) and a background of %s, %" G_GSIZE_FORMAT
                             " points without errors",
                             name, scale, background, fit->n_points);
    return;
  }
  debye_result_add_note_of(
      result, DEBYE_NOTE_CAPTION, quantity,
      "Measured: %s is %s times I(q) and a background of %s, χ² per degree of freedom %s, %" G_GSIZE_FORMAT
      " points",
      name, scale, background, g_ascii_formatd(chi, sizeof chi, "%.4g", fit->chi_square), fit->n_points);
}

gboolean
debye_scattering_measured_add(DebyeResult *result, const char *path, GError **error)
{
  DebyeCurveFit fit;
  if (path == NULL || path[0] == '\0')
    return TRUE;
  g_autoptr(DebyeCurve) model = g_list_model_get_item(debye_result_get_curves(result), 0);
  g_autoptr(DebyeCurve) measured = debye_curve_load(path, error);
  if (measured == NULL)
    return FALSE;
  g_autofree char *name = debye_error_name_file(path);
  if (!debye_curve_fit_line(measured, model, &fit))
    return debye_error_set_about(
        error, DEBYE_ERROR_VALUE, "Measured curve",
        "%s can't be fitted to I(q): expected three or more of its points in the computed "
        "range of q, and a positive scale",
        name);
  g_autoptr(DebyeCurve) applied = debye_curve_apply_fit(measured, &fit);
  g_autoptr(DebyeCurve) curve =
      debye_curve_new(name, debye_curve_get_x_quantity(model), debye_curve_get_y_quantity(model),
                      DEBYE_CURVE_MARKERS, debye_curve_get_n_points(applied), debye_curve_get_x(applied),
                      debye_curve_get_y(applied), debye_curve_get_errors(applied));
  debye_result_add_curve(result, curve);
  add_table(result, &fit, path);
  add_note(result, &fit, debye_curve_get_errors(measured) != NULL, name,
           debye_curve_get_y_quantity(model)->label);
  return TRUE;
}
