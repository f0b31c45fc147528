/* SPDX-License-Identifier: MIT */
/* Implementation of look_views.h; called by result_look.c. */
#include "look_views.h"

#include <math.h>
#include <string.h>

static const char *const view_keys[DEBYE_LOOK_N_VIEWS] = {"log", "x-range", "y-range", "second-range",
                                                          "legend"};
/* Of a view that is no value. */
#define NOT_LAID ""

/* A value that was taken back. */
static void
reset_view(DebyeResultPlot *results, const char *key)
{
  DebyePlot *plot = debye_result_plot_get_plot(results);
  if (strcmp(key, "log") == 0)
    debye_result_plot_reset_scales(results);
  else if (strcmp(key, "legend") == 0) {
    debye_plot_set_legend_visible(plot, TRUE);
    debye_plot_set_legend_side(plot, DEBYE_PLOT_LEGEND_AUTO);
    debye_plot_set_legend_place(plot, NAN, NAN);
  } else
    debye_plot_set_view(plot,
                        *key == 'x'   ? DEBYE_PLOT_X
                        : *key == 'y' ? DEBYE_PLOT_Y
                                      : DEBYE_PLOT_Y2,
                        NAN, NAN);
}

/* A scale or a range that changes moves the other axes, too, whose ranges then are laid again. */
static gboolean
do_axes_move(const DebyeLookViews *self, DebyeRequest *request)
{
  gboolean do_move = FALSE;
  for (gsize i = 0; i < DEBYE_LOOK_N_VIEWS; i++)
    if (strcmp(view_keys[i], "legend") != 0)
      do_move = do_move || g_strcmp0(debye_request_get(request, view_keys[i]), self->laid[i]) != 0;
  return do_move;
}

static void
set_view(DebyeLookViews *self, gsize number, const char *value)
{
  g_free(self->laid[number]);
  self->laid[number] = g_strdup(value);
}

void
debye_look_views_choose(DebyeLookViews *self, DebyeResultPlot *plot, DebyeRequest *request)
{
  const gboolean do_move = do_axes_move(self, request);
  for (gsize i = 0; i < DEBYE_LOOK_N_VIEWS; i++) {
    const char *wanted = debye_request_get(request, view_keys[i]);
    const gboolean is_laid = g_strcmp0(wanted, self->laid[i]) == 0;
    if (wanted == NULL && !is_laid) {
      reset_view(plot, view_keys[i]);
      set_view(self, i, NULL);
    } else if (is_laid && (!do_move || strcmp(view_keys[i], "legend") == 0)) {
      debye_request_set(request, view_keys[i], NULL, NULL);
    } else if (wanted != NULL) {
      set_view(self, i, NOT_LAID);
    }
  }
}

void
debye_look_views_record(DebyeLookViews *self, DebyeRequest *request)
{
  for (gsize i = 0; i < DEBYE_LOOK_N_VIEWS; i++)
    set_view(self, i, debye_request_get(request, view_keys[i]));
}

void
debye_look_views_turn_to(DebyeLookViews *self, DebyeRequest *request)
{
  for (gsize i = 0; i < DEBYE_LOOK_N_VIEWS; i++)
    if (debye_request_get(request, view_keys[i]) != NULL)
      g_clear_pointer(&self->laid[i], g_free);
}

void
debye_look_views_clear(DebyeLookViews *self)
{
  for (gsize i = 0; i < DEBYE_LOOK_N_VIEWS; i++)
    g_clear_pointer(&self->laid[i], g_free);
}
