/* SPDX-License-Identifier: MIT */
/* Play, step, scrub. It asks for frames by its signal "seek" (guint) and is told what was really shown; while
 * playing it asks for the next frame only when the last one stands, so a slow disk slows the film instead of
 * filling a queue.
 *
 * Where frames come while it is there, a button lets it follow: show the newest, until another one is asked
 * for by hand.
 *
 * Signals "playing", "following": it began to, or ended. */
#pragma once

#include <gtk/gtk.h>

#define DEBYE_TYPE_PLAYBACK_BAR (debye_playback_bar_get_type())
G_DECLARE_FINAL_TYPE(DebyePlaybackBar, debye_playback_bar, DEBYE, PLAYBACK_BAR, GtkWidget)

/* The bar hides itself with fewer than two frames. */
void debye_playback_bar_set_n_frames(DebyePlaybackBar *self, guint n_frames);
/* Frames have come at the end; the one that is shown stays, unless the bar follows. */
void debye_playback_bar_extend(DebyePlaybackBar *self, guint n_frames);
void debye_playback_bar_set_following(DebyePlaybackBar *self, gboolean following);
gboolean debye_playback_bar_get_following(DebyePlaybackBar *self);
/* Beside “Live”, the button of the action win.live: what it is doing. NULL: nothing, it is off. */
void debye_playback_bar_set_live_state(DebyePlaybackBar *self, const char *text);
/* `time` in ps, NAN where unknown. */
void debye_playback_bar_set_shown(DebyePlaybackBar *self, guint frame, double time);
/* The frame could not be read: playing ends there. */
void debye_playback_bar_set_failed(DebyePlaybackBar *self);
void debye_playback_bar_set_playing(DebyePlaybackBar *self, gboolean playing);
gboolean debye_playback_bar_get_playing(DebyePlaybackBar *self);
void debye_playback_bar_seek(DebyePlaybackBar *self, guint frame);
/* Forwards or backwards, staying inside. */
void debye_playback_bar_step(DebyePlaybackBar *self, int frames);
