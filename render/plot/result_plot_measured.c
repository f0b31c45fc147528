/* SPDX-License-Identifier: MIT */
/* Fits a measured curve to the computed one it is plotted with; called by result_plot.c. */
#include <math.h>
#include <string.h>

#include "data/messages/count_text.h"
#include "data/messages/message.h"
#include "data/results/curve_fit.h"
#include "result_plot_private.h"

/* Detectors count in units of their own, and over q there is a background that no sum over atoms has. The
 * curve as it is where nothing fits. */
static DebyeCurve *
fit(DebyeCurve *measured, DebyeCurve *model, gboolean is_one_of_several)
{
  const char *own = debye_curve_get_name(measured);
  g_autofree char *to =
      is_one_of_several ? debye_say("%s, fitted to %s", own, debye_curve_get_name(model)) : g_strdup(own);
  gboolean is_scattering = strcmp(debye_curve_get_x_quantity(model)->name, "q") == 0;
  char first[G_ASCII_DTOSTR_BUF_SIZE], second[G_ASCII_DTOSTR_BUF_SIZE], third[G_ASCII_DTOSTR_BUF_SIZE];
  g_autoptr(DebyeCurve) fitted = NULL;
  g_autofree char *name = NULL;
  DebyeCurveFit found;
  double factor;
  if (is_scattering && debye_curve_fit_line(measured, model, &found)) {
    fitted = debye_curve_apply_fit(measured, &found);
    g_ascii_formatd(first, sizeof first, "%.3g", 1.0 / found.scale);
    g_ascii_formatd(second, sizeof second, "%.3g", found.background);
    g_ascii_formatd(third, sizeof third, "%.3g", found.chi_square);
    g_autofree char *background = debye_true_minus_text(second);
    name =
        isfinite(found.chi_square)
            ? debye_say("%s: background %s subtracted, × %s, χ² per point %s", to, background, first, third)
            : debye_say("%s: background %s subtracted, × %s", to, background, first);
  } else if (!is_scattering && debye_curve_fit_scale(measured, model, &factor)) {
    fitted = debye_curve_scale(measured, factor);
    name = g_strdup_printf("%s (× %s)", to, g_ascii_formatd(first, sizeof first, "%.3g", factor));
  }
  return fitted != NULL ? debye_curve_with_fit(fitted, name) : g_object_ref(measured);
}

DebyeCurve *
debye_result_plot_fit_measured(DebyeResultPlot *self, DebyeResultPlotEntry *entry, DebyeCurve *measured,
                               DebyeCurve *model, gboolean is_one_of_several)
{
  DebyeCurve *fitted = fit(measured, model, is_one_of_several);
  if (!self->has_fits_in_caption || fitted == measured)
    return fitted;
  entry->label = g_strdup(debye_curve_get_name(fitted));
  DebyeCurve *named = debye_curve_with_name(fitted, debye_curve_get_name(measured));
  g_object_unref(fitted);
  return named;
}

void
debye_result_plot_set_fits_in_caption(DebyeResultPlot *self, gboolean in_caption)
{
  g_return_if_fail(DEBYE_IS_RESULT_PLOT(self));
  self->has_fits_in_caption = in_caption;
}
