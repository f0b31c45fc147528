/* SPDX-License-Identifier: MIT */
/* What the actions for playing and looking do to the window's playback bar, view and panels; rows of the table in
 * window_actions.c call it. */
#include "window_actions.h"

void
debye_window_actions_play(DebyeWindow *window, gboolean playing)
{
  DebyePlaybackBar *bar = debye_window_get_playback_bar(window);
  debye_playback_bar_set_playing(bar, playing);
}

void
debye_window_actions_follow(DebyeWindow *window, gboolean following)
{
  DebyePlaybackBar *bar = debye_window_get_playback_bar(window);
  debye_playback_bar_set_following(bar, following);
}

void
debye_window_actions_go_to_frame(DebyeWindow *window, int frame)
{
  DebyePlaybackBar *bar = debye_window_get_playback_bar(window);
  debye_playback_bar_seek(bar, (guint)MAX(frame, 0));
}

void
debye_window_actions_step(DebyeWindow *window, int n_frames)
{
  DebyePlaybackBar *bar = debye_window_get_playback_bar(window);
  debye_playback_bar_step(bar, n_frames);
}

void
debye_window_actions_view_all(DebyeWindow *window)
{
  debye_view_3d_view_all(debye_window_get_view(window));
}

void
debye_window_actions_look_along(DebyeWindow *window, int number)
{
  int axis = CLAMP(number, 0, 2);
  debye_view_3d_look_along(debye_window_get_view(window), axis);
}

void
debye_window_actions_zoom_in(DebyeWindow *window)
{
  debye_view_3d_zoom(debye_window_get_view(window), 1.25);
}

void
debye_window_actions_zoom_out(DebyeWindow *window)
{
  debye_view_3d_zoom(debye_window_get_view(window), 0.8);
}

void
debye_window_actions_toggle_sidebar(DebyeWindow *window)
{
  debye_window_toggle_sidebar(window);
}

void
debye_window_actions_show_page(DebyeWindow *window, const char *page)
{
  debye_window_show_page(window, page);
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
