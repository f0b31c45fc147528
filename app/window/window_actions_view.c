/* SPDX-License-Identifier: MIT */
/* What the actions for playing and looking do where they don't call the widget itself; rows of the table in window_actions.c
 * call it. */
#include "window_actions.h"

void
debye_window_actions_go_to_frame(DebyePlaybackBar *bar, int frame)
{
  debye_playback_bar_seek(bar, (guint)MAX(frame, 0));
}

void
debye_window_actions_look_along(DebyeView3d *view, int number)
{
  debye_view_3d_look_along(view, CLAMP(number, 0, 2));
}

void
debye_window_actions_zoom_in(DebyeView3d *view)
{
  debye_view_3d_zoom(view, 1.25);
}

void
debye_window_actions_zoom_out(DebyeView3d *view)
{
  debye_view_3d_zoom(view, 0.8);
}

void
debye_window_actions_choose_orbital(DebyeWindow *window, int number)
{
  debye_orbital_panel_choose(debye_window_get_orbital_panel(window), (guint)MAX(number, 0));
}

void
debye_window_actions_choose_vibration(DebyeWindow *window, int number)
{
  debye_vibration_panel_choose(debye_window_get_vibration_panel(window), (guint)MAX(number, 0));
}
