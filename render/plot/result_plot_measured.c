/* SPDX-License-Identifier: MIT */
/* Fits a measured curve to the computed one it is plotted with; called by result_plot.c. */
#include <math.h>
#include <string.h>

#include "data/messages/message.h"
#include "data/results/curve_fit.h"
#include "result_plot_private.h"

/* Detectors count in units of their own, and over q there is a background that no sum over atoms has. The
 * curve as it is where nothing fits. */
DebyeCurve *
debye_result_plot_fit_measured(DebyeCurve *measured, DebyeCurve *model, gboolean is_one_of_several)
{
  const char *own = debye_curve_get_name(measured);
  g_autofree char *to =
      is_one_of_several ? debye_say("%s, fitted to %s", own, debye_curve_get_name(model)) : g_strdup(own);
  gboolean is_scattering = strcmp(debye_curve_get_x_quantity(model)->name, "q") == 0;
  char first[G_ASCII_DTOSTR_BUF_SIZE], second[G_ASCII_DTOSTR_BUF_SIZE], third[G_ASCII_DTOSTR_BUF_SIZE];
  g_autoptr(DebyeCurve) fitted = NULL;
  g_autofree char *name = NULL;
  DebyeCurveFit fit;
  double factor;
  if (is_scattering && debye_curve_fit_line(measured, model, &fit)) {
    fitted = debye_curve_apply_fit(measured, &fit);
    g_ascii_formatd(first, sizeof first, "%.3g", 1.0 / fit.scale);
    g_ascii_formatd(second, sizeof second, "%.3g", fit.background);
    g_ascii_formatd(third, sizeof third, "%.3g", fit.chi_square);
    name = isfinite(fit.chi_square)
               ? debye_say("%s: background %s off, × %s, χ² per point %s", to, second, first, third)
               : debye_say("%s: background %s off, × %s", to, second, first);
  } else if (!is_scattering && debye_curve_fit_scale(measured, model, &factor)) {
    fitted = debye_curve_scale(measured, factor);
    name = g_strdup_printf("%s (× %s)", to, g_ascii_formatd(first, sizeof first, "%.3g", factor));
  }
  return fitted != NULL ? debye_curve_with_name(fitted, name) : g_object_ref(measured);
}
