/* SPDX-License-Identifier: MIT */
/* The plot that a result stands for. */
#include <string.h>

#include "plot.h"
#include "plot_text.h"

/* Curves that measure something else stand on the right axis; those of a third kind are left out rather than
 * drawn where they don't belong. */
static void
add_curves(DebyePlot *plot, GListModel *curves)
{
  const char *names[2] = {NULL, NULL};
  for (guint i = 0; i < g_list_model_get_n_items(curves); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    const char *name = debye_curve_get_y_quantity(curve)->name;
    int side = names[0] == NULL || strcmp(names[0], name) == 0 ? 0 : 1;
    if (names[side] != NULL && strcmp(names[side], name) != 0)
      continue;
    names[side] = g_intern_string(name);
    debye_plot_add_curve(plot, curve, side == 0 ? DEBYE_PLOT_Y : DEBYE_PLOT_Y2);
  }
}

DebyePlot *
debye_plot_new_for_result(DebyeResult *result)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(result), NULL);
  DebyePlot *plot = debye_plot_new();
  GListModel *curves = debye_result_get_curves(result);
  add_curves(plot, curves);
  if (g_list_model_get_n_items(curves) == 0) {
    g_autoptr(DebyeMatrix) matrix = g_list_model_get_item(debye_result_get_matrices(result), 0);
    debye_plot_set_matrix(plot, matrix);
  }
  debye_plot_set_caption(plot, debye_result_get_title(result));
  return plot;
}
