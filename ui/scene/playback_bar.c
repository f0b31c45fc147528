/* SPDX-License-Identifier: MIT */
/* The bar that plays, steps and seeks through frames; part of window.c, served by window_frames.c. */
#include "playback_bar.h"

#include <glib/gi18n.h>
#include <math.h>

#include "ui/widgets/number_text.h"
#include "ui/widgets/template.h"

/* In the order of the choices in playback_bar.ui. */
static const double frames_per_second[] = {2.0, 5.0, 10.0, 25.0, 50.0};

struct _DebyePlaybackBar {
  GtkWidget parent_instance;

  GtkWidget *box;
  GtkToggleButton *play;
  GtkScale *scale;
  GtkAdjustment *adjustment; /* the scale's */
  GtkLabel *position, *live_state;
  GtkToggleButton *follow, *loop;
  GtkDropDown *speed;

  guint n_frames;
  guint wanted, shown;
  double time;
  guint tick;
  gint64 last_advance;
};

G_DEFINE_FINAL_TYPE(DebyePlaybackBar, debye_playback_bar, GTK_TYPE_WIDGET)

/* Frames count from one for people; files and commands count from zero. */
static void
show_position(DebyePlaybackBar *self)
{
  g_autofree char *count = debye_count_text(self->n_frames);
  g_autofree char *number = debye_count_text(self->shown + 1);
  GString *text = g_string_new(NULL);
  g_string_printf(text, "%s / %s", number, count);
  if (isfinite(self->time)) {
    g_autofree char *time = debye_number_text(self->time, 6);
    g_string_append_printf(text, " · %s ps", time);
  }
  gtk_label_set_label(self->position, text->str);
  g_string_free(text, TRUE);
}

/* As wide as the widest text can get, so that the scale doesn't shift under the hand. */
static void
reserve_position(DebyePlaybackBar *self)
{
  g_autofree char *count = debye_count_text(self->n_frames);
  gtk_label_set_width_chars(self->position,
                            2 * (int)g_utf8_strlen(count, -1) + (isfinite(self->time) ? 13 : 3));
}

static gboolean
on_tick(GtkWidget *widget, GdkFrameClock *clock, gpointer data G_GNUC_UNUSED)
{
  DebyePlaybackBar *self = DEBYE_PLAYBACK_BAR(widget);
  gint64 now = gdk_frame_clock_get_frame_time(clock);
  double interval = G_USEC_PER_SEC / frames_per_second[gtk_drop_down_get_selected(self->speed)];
  if (self->wanted != self->shown || (double)(now - self->last_advance) < interval)
    return G_SOURCE_CONTINUE;
  self->last_advance = now;
  if (self->wanted + 1 < self->n_frames)
    debye_playback_bar_seek(self, self->wanted + 1);
  else if (gtk_toggle_button_get_active(self->loop))
    debye_playback_bar_seek(self, 0);
  else
    debye_playback_bar_set_playing(self, FALSE);
  return G_SOURCE_CONTINUE;
}

static void
start_clock(DebyePlaybackBar *self)
{
  debye_playback_bar_set_following(self, FALSE);
  if (self->wanted + 1 >= self->n_frames)
    debye_playback_bar_seek(self, 0);
  if (self->tick == 0)
    self->tick = gtk_widget_add_tick_callback(GTK_WIDGET(self), on_tick, NULL, NULL);
}

static void
stop_clock(DebyePlaybackBar *self)
{
  if (self->tick != 0)
    gtk_widget_remove_tick_callback(GTK_WIDGET(self), self->tick);
  self->tick = 0;
}

static void
on_play_toggled(GtkToggleButton *button, DebyePlaybackBar *self)
{
  gboolean playing = gtk_toggle_button_get_active(button);
  gtk_button_set_icon_name(GTK_BUTTON(button),
                           playing ? "media-playback-pause-symbolic" : "media-playback-start-symbolic");
  gtk_widget_set_tooltip_text(GTK_WIDGET(button), playing ? _("Pause (Space)") : _("Play (Space)"));
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 playing ? _("Pause") : _("Play"), -1);
  if (playing)
    start_clock(self);
  else
    stop_clock(self);
  g_signal_emit_by_name(self, "playing");
}

static void
on_scale_changed(GtkRange *range, DebyePlaybackBar *self)
{
  guint frame = (guint)(gtk_range_get_value(range) + 0.5);
  if (frame == self->wanted)
    return;
  debye_playback_bar_set_following(self, FALSE);
  debye_playback_bar_seek(self, frame);
}

static void
on_follow_toggled(GtkToggleButton *button, DebyePlaybackBar *self)
{
  if (gtk_toggle_button_get_active(button)) {
    debye_playback_bar_set_playing(self, FALSE);
    debye_playback_bar_seek(self, G_MAXUINT);
  }
  g_signal_emit_by_name(self, "following");
}

void
debye_playback_bar_set_n_frames(DebyePlaybackBar *self, guint n_frames)
{
  g_return_if_fail(DEBYE_IS_PLAYBACK_BAR(self));
  debye_playback_bar_set_playing(self, FALSE);
  debye_playback_bar_set_following(self, FALSE);
  gtk_widget_set_visible(GTK_WIDGET(self->follow), FALSE);
  self->n_frames = n_frames;
  self->wanted = self->shown = 0;
  self->time = NAN;
  gtk_adjustment_configure(self->adjustment, 0.0, 0.0, MAX(n_frames, 1) - 1.0, 1.0, MAX(1.0, n_frames / 10.0),
                           0.0);
  gtk_widget_set_visible(GTK_WIDGET(self), n_frames > 1);
  show_position(self);
}

void
debye_playback_bar_extend(DebyePlaybackBar *self, guint n_frames)
{
  g_return_if_fail(DEBYE_IS_PLAYBACK_BAR(self) && n_frames >= self->n_frames);
  self->n_frames = n_frames;
  gtk_adjustment_set_upper(self->adjustment, MAX(n_frames, 1) - 1.0);
  gtk_adjustment_set_page_increment(self->adjustment, MAX(1.0, n_frames / 10.0));
  gtk_widget_set_visible(GTK_WIDGET(self->follow), TRUE);
  gtk_widget_set_visible(GTK_WIDGET(self), n_frames > 1);
  reserve_position(self);
  show_position(self);
  if (debye_playback_bar_get_following(self))
    debye_playback_bar_seek(self, n_frames - 1);
}

void
debye_playback_bar_set_following(DebyePlaybackBar *self, gboolean following)
{
  g_return_if_fail(DEBYE_IS_PLAYBACK_BAR(self));
  gtk_toggle_button_set_active(self->follow, following);
}

gboolean
debye_playback_bar_get_following(DebyePlaybackBar *self)
{
  g_return_val_if_fail(DEBYE_IS_PLAYBACK_BAR(self), FALSE);
  return gtk_toggle_button_get_active(self->follow);
}

void
debye_playback_bar_set_live_state(DebyePlaybackBar *self, const char *text)
{
  g_return_if_fail(DEBYE_IS_PLAYBACK_BAR(self));
  gtk_label_set_label(self->live_state, text != NULL ? text : "");
  gtk_widget_set_visible(GTK_WIDGET(self->live_state), text != NULL);
}

void
debye_playback_bar_set_shown(DebyePlaybackBar *self, guint frame, double time)
{
  g_return_if_fail(DEBYE_IS_PLAYBACK_BAR(self));
  gboolean had_time = isfinite(self->time);
  self->shown = frame;
  self->time = time;
  if (had_time != isfinite(time))
    reserve_position(self);
  show_position(self);
}

void
debye_playback_bar_set_failed(DebyePlaybackBar *self)
{
  g_return_if_fail(DEBYE_IS_PLAYBACK_BAR(self));
  debye_playback_bar_set_playing(self, FALSE);
  self->wanted = self->shown;
  gtk_adjustment_set_value(self->adjustment, self->shown);
}

void
debye_playback_bar_set_playing(DebyePlaybackBar *self, gboolean playing)
{
  g_return_if_fail(DEBYE_IS_PLAYBACK_BAR(self));
  gtk_toggle_button_set_active(self->play, playing && self->n_frames > 1);
}

gboolean
debye_playback_bar_get_playing(DebyePlaybackBar *self)
{
  g_return_val_if_fail(DEBYE_IS_PLAYBACK_BAR(self), FALSE);
  return gtk_toggle_button_get_active(self->play);
}

void
debye_playback_bar_seek(DebyePlaybackBar *self, guint frame)
{
  g_return_if_fail(DEBYE_IS_PLAYBACK_BAR(self));
  if (self->n_frames == 0)
    return;
  self->wanted = MIN(frame, self->n_frames - 1);
  gtk_adjustment_set_value(self->adjustment, self->wanted);
  g_signal_emit_by_name(self, "seek", self->wanted);
}

void
debye_playback_bar_step(DebyePlaybackBar *self, int frames)
{
  g_return_if_fail(DEBYE_IS_PLAYBACK_BAR(self));
  gint64 frame = (gint64)self->wanted + frames;
  debye_playback_bar_set_following(self, FALSE);
  debye_playback_bar_seek(self, (guint)CLAMP(frame, 0, (gint64)G_MAXINT));
}

static void
debye_playback_bar_dispose(GObject *object)
{
  DebyePlaybackBar *self = DEBYE_PLAYBACK_BAR(object);
  stop_clock(self);
  gtk_widget_dispose_template(GTK_WIDGET(self), DEBYE_TYPE_PLAYBACK_BAR);
  G_OBJECT_CLASS(debye_playback_bar_parent_class)->dispose(object);
}

static void
debye_playback_bar_class_init(DebyePlaybackBarClass *class)
{
  G_OBJECT_CLASS(class)->dispose = debye_playback_bar_dispose;
  g_signal_new("playing", DEBYE_TYPE_PLAYBACK_BAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("following", DEBYE_TYPE_PLAYBACK_BAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("seek", DEBYE_TYPE_PLAYBACK_BAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
               G_TYPE_UINT);
  gtk_widget_class_set_template_from_resource(GTK_WIDGET_CLASS(class), "/org/debye/Debye/playback_bar.ui");
  DEBYE_BIND_CHILDREN(class, DebyePlaybackBar, box, play, scale, position, live_state, follow, loop, speed);
  DEBYE_BIND_CALLBACKS(class, on_play_toggled, on_follow_toggled, on_scale_changed);
}

static void
debye_playback_bar_init(DebyePlaybackBar *self)
{
  self->time = NAN;
  gtk_widget_init_template(GTK_WIDGET(self));
  self->adjustment = gtk_range_get_adjustment(GTK_RANGE(self->scale));
  /* Time runs to the right in every language, as in plots and as Play points. */
  gtk_widget_set_direction(self->box, GTK_TEXT_DIR_LTR);
  gtk_widget_set_direction(GTK_WIDGET(self->scale), GTK_TEXT_DIR_LTR);
}
