/* SPDX-License-Identifier: MIT */
/* Which quantities of results have logarithmic axes to begin with; called by result_plot.c. */
#include "result_plot_private.h"

/* What goes over decades has logarithmic axes to begin with, and takes them with it when another
 * quantity is shown. */
static const struct {
  const char *quantity;
  DebyePlotScale scales[2];
} scaled[] = {
    {"msd", {DEBYE_PLOT_LOG, DEBYE_PLOT_LOG}},
    {"alpha2", {DEBYE_PLOT_LOG, DEBYE_PLOT_LINEAR}},
    {"F_normalised", {DEBYE_PLOT_LOG, DEBYE_PLOT_LINEAR}},
    {"power_law", {DEBYE_PLOT_LOG, DEBYE_PLOT_LOG}},
    {"pr_intensity", {DEBYE_PLOT_LINEAR, DEBYE_PLOT_LOG}},
    {"comparison", {DEBYE_PLOT_LINEAR, DEBYE_PLOT_LOG}},
};

static const DebyePlotScale *
find_scales(const char *quantity)
{
  for (gsize i = 0; i < G_N_ELEMENTS(scaled); i++)
    if (g_strcmp0(scaled[i].quantity, quantity) == 0)
      return scaled[i].scales;
  return NULL;
}

void
debye_result_plot_turn_scales(DebyeResultPlot *self, const char *quantity)
{
  static const DebyePlotScale linear[2] = {DEBYE_PLOT_LINEAR, DEBYE_PLOT_LINEAR};
  const DebyePlotScale *scales = find_scales(quantity);
  if (scales == NULL && find_scales(self->shown) == NULL)
    return;
  scales = scales != NULL ? scales : linear;
  debye_plot_set_scale(self->plot, DEBYE_PLOT_X, scales[0]);
  debye_plot_set_scale(self->plot, DEBYE_PLOT_Y, scales[1]);
}

void
debye_result_plot_reset_scales(DebyeResultPlot *self)
{
  g_return_if_fail(DEBYE_IS_RESULT_PLOT(self));
  const DebyePlotScale *scales = find_scales(self->shown);
  debye_plot_set_scale(self->plot, DEBYE_PLOT_X, scales != NULL ? scales[0] : DEBYE_PLOT_LINEAR);
  debye_plot_set_scale(self->plot, DEBYE_PLOT_Y, scales != NULL ? scales[1] : DEBYE_PLOT_LINEAR);
}
