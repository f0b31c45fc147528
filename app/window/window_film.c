/* SPDX-License-Identifier: MIT */
/* Movies of what a window shows: asks for one, or plays it in the window; called by the window's actions. */
#include "window_film.h"

#include <glib/gi18n.h>

#include "app/scene/film_file.h"
#include "data/messages/message.h"
#include "window_exports.h"

#define PLAYING_KEY "debye-film-playing"
#define FORMATS_KEY "debye-film-formats"

static DebyeWindow *
get_window(DebyeWindowFrames *self)
{
  return debye_window_document_get_window(debye_window_frames_get_document(self));
}

static DebyeWindowScene *
get_shown(DebyeWindowFrames *self)
{
  return debye_window_document_get_scene(debye_window_frames_get_document(self));
}

static DebyeScene *
get_scene(DebyeWindowFrames *self)
{
  return debye_window_scene_get_scene(get_shown(self));
}

static GArray *
get_views(DebyeWindowFrames *self)
{
  return debye_scene_get_views(get_scene(self));
}

/* How the camera of this film moves; NULL without an error: it stands. */
static DebyeCameraPath *
create_path(DebyeWindowFrames *self, const DebyeFilmWish *wish, GError **error)
{
  GArray *views = get_views(self);
  if (wish->camera == DEBYE_FILM_GOES)
    return debye_camera_path_new_views((const DebyeCamera *)(gpointer)views->data, views->len, error);
  return wish->camera == DEBYE_FILM_TURNS ? debye_camera_path_new_turn(wish->degrees, wish->axis) : NULL;
}

void
debye_window_film_write(DebyeWindowFrames *self, const char *path, const DebyeFilmWish *wish,
                        DebyeFilmPage *page)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeFilmPage) around = page;
  DebyeCameraPath *camera = create_path(self, wish, &error);
  if (error != NULL) {
    debye_window_toast_error(get_window(self), error->message);
    return;
  }
  if (wish->n_pictures < 1 || !(wish->rate > 0.0) || wish->width < 2 || wish->height < 2) {
    g_clear_pointer(&camera, debye_camera_path_free);
    debye_window_toast_error(get_window(self),
                             _("A movie needs at least one frame of at least 2 × 2 pixels"));
    return;
  }
  g_autoptr(DebyeJob) job = debye_window_film_create_job(self, path, wish, camera, g_steal_pointer(&around));
  debye_window_exports_add(debye_window_frames_get_document(self), job);
}

/* --- Showing it --- */

/* The film is over or was stopped. */
typedef void (*FilmEnded)(gpointer data);

/* Kept with the frames while it plays. */
typedef struct {
  DebyeWindowFrames *frames; /* borrowed */
  DebyeWindowScene *scene;   /* only compared: the document may change meanwhile */
  DebyeFilmWish wish;
  DebyeCameraPath *path; /* NULL: the camera stands */
  DebyeCamera start;
  guint first_frame, n_frames; /* on the playback bar; n_frames 0: it stands */
  gsize n_passes;              /* through them */
  gint64 began;
  guint tick;
  FilmEnded ended;
  gpointer data;
} Playing;

/* Gives back what was shown before. */
static void
playing_free(gpointer data)
{
  Playing *playing = data;
  DebyeWindowFrames *frames = playing->frames;
  if (playing->tick != 0)
    gtk_widget_remove_tick_callback(GTK_WIDGET(debye_window_get_view(get_window(frames))), playing->tick);
  if (get_shown(frames) == playing->scene && playing->scene != NULL) {
    DebyeScene *scene = get_scene(frames);
    *debye_scene_get_camera(scene) = playing->start;
    debye_scene_changed(scene);
    if (playing->n_frames > 0)
      debye_window_frames_seek(frames, playing->first_frame);
  }
  g_clear_pointer(&playing->path, debye_camera_path_free);
  if (playing->ended != NULL)
    playing->ended(playing->data);
  g_free(playing);
}

void
debye_window_film_stop_playing(DebyeWindowFrames *self)
{
  g_object_set_data(G_OBJECT(self), PLAYING_KEY, NULL);
}

static gboolean
on_tick(GtkWidget *view G_GNUC_UNUSED, GdkFrameClock *clock, gpointer data)
{
  Playing *playing = data;
  gint64 now = gdk_frame_clock_get_frame_time(clock);
  gsize n = (gsize)playing->wish.n_pictures;
  playing->began = playing->began == 0 ? now : playing->began;
  gsize number = (gsize)((double)(now - playing->began) / G_USEC_PER_SEC * playing->wish.rate);
  if (number >= n || get_shown(playing->frames) != playing->scene) {
    playing->tick = 0; /* it goes by itself */
    debye_window_film_stop_playing(playing->frames);
    return G_SOURCE_REMOVE;
  }
  DebyeScene *scene = debye_window_scene_get_scene(playing->scene);
  if (playing->path != NULL)
    debye_camera_path_place(playing->path, &playing->start, number, n, debye_scene_get_camera(scene));
  if (playing->n_frames > 0)
    debye_window_frames_seek(playing->frames,
                             (guint)(number * playing->n_passes * playing->n_frames / n % playing->n_frames));
  debye_scene_changed(scene);
  return G_SOURCE_CONTINUE;
}

static gboolean
vibrates(DebyeWindowFrames *self)
{
  g_auto(DebyeVibrationMotion) motion = debye_window_frames_get_motion(self);
  return motion.vibrations != NULL;
}

/* Frames on the playback bar. */
static guint
count_frames(DebyeWindowFrames *self)
{
  return vibrates(self) ? DEBYE_VIBRATION_FRAMES
                        : debye_window_document_count_frames(debye_window_frames_get_document(self));
}

/* Shows the film in the window, in its time, and then what was shown before. `ended` is called when it is
 * over and when it is stopped. */
static void
play_film(DebyeWindowFrames *self, const DebyeFilmWish *wish, FilmEnded ended, gpointer data)
{
  g_autoptr(GError) error = NULL;
  debye_window_film_stop_playing(self);
  DebyeCameraPath *path = create_path(self, wish, &error);
  if (error != NULL) {
    debye_window_toast_error(get_window(self), error->message);
    ended(data);
    return;
  }
  DebyeFrame *frame = debye_window_scene_get_frame(get_shown(self));
  Playing *playing = g_new(Playing, 1);
  *playing = (Playing){
      .frames = self,
      .scene = get_shown(self),
      .wish = *wish,
      .path = path,
      .start = *debye_scene_get_camera(get_scene(self)),
      .first_frame = frame != NULL ? (guint)frame->index : 0,
      .n_frames = wish->frames && count_frames(self) > 1 ? count_frames(self) : 0,
      .n_passes = vibrates(self) ? debye_vibration_count_periods((gsize)wish->n_pictures) : 1,
      .ended = ended,
      .data = data,
  };
  debye_playback_bar_set_playing(debye_window_get_playback_bar(get_window(self)), FALSE);
  playing->tick = gtk_widget_add_tick_callback(GTK_WIDGET(debye_window_get_view(get_window(self))), on_tick,
                                               playing, NULL);
  g_object_set_data_full(G_OBJECT(self), PLAYING_KEY, playing, playing_free);
}

void
debye_window_film_keep_view(DebyeWindowFrames *self)
{
  debye_window_film_stop_playing(self);
  g_array_append_val(get_views(self), *debye_scene_get_camera(get_scene(self)));
}

/* --- Asking --- */

typedef struct {
  DebyeWindowFrames *frames;
  DebyeFilmWish wish;
  DebyeFilmPage *page; /* NULL: the view alone */
} Question;

static void
question_free(gpointer data)
{
  Question *question = data;
  g_clear_pointer(&question->page, debye_film_page_free);
  g_free(question);
}

static void
on_path(const char *path, gpointer data)
{
  Question *question = data;
  debye_window_film_write(question->frames, path, &question->wish, g_steal_pointer(&question->page));
}

/* What this machine can write with each codec; all of it until that is known. The first codec is the automatic one. */
enum { WEBM = 1, MP4 = 2, ALL_FORMATS = WEBM | MP4, BITS_PER_CODEC = 2, KNOWN = 1 << 16 };

static int
get_formats(DebyeFilmDialog *dialog, guint codec)
{
  const int formats = GPOINTER_TO_INT(g_object_get_data(G_OBJECT(dialog), FORMATS_KEY));
  return formats != 0 ? formats >> (BITS_PER_CODEC * codec) & ALL_FORMATS : ALL_FORMATS;
}

static void
find_formats(GTask *task, gpointer source G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED,
             GCancellable *cancellable G_GNUC_UNUSED)
{
  int formats = KNOWN;
  for (guint i = 0; debye_film_codecs[i].value != NULL; i++) {
    const char *codec = debye_film_codecs[i].value;
    formats |= (debye_film_file_can_write(".webm", codec) ? WEBM : 0) << (BITS_PER_CODEC * i);
    formats |= (debye_film_file_can_write(".mp4", codec) ? MP4 : 0) << (BITS_PER_CODEC * i);
  }
  g_task_return_int(task, formats);
}

/* An encoding that is not installed is not offered. */
static void
offer_codecs(DebyeFilmDialog *dialog)
{
  guint codecs = 0;
  for (guint i = 0; debye_film_codecs[i].value != NULL; i++)
    codecs |= get_formats(dialog, i) != 0 ? 1U << i : 0;
  debye_film_dialog_set_codecs(dialog, codecs);
}

static void
on_formats(GObject *dialog, GAsyncResult *result, gpointer data G_GNUC_UNUSED)
{
  const int formats = (int)g_task_propagate_int(G_TASK(result), NULL);
  const char *remark = NULL;
  g_object_set_data(dialog, FORMATS_KEY, GINT_TO_POINTER(formats));
  offer_codecs(DEBYE_FILM_DIALOG(dialog));
  if ((formats & ALL_FORMATS) == 0)
    remark = _("Movies need GStreamer: install its tools and its “good” (WebM) and “ugly” (MP4) plugins. "
               "Without them, Debye writes numbered pictures.");
  else if ((formats & MP4) == 0)
    remark = _("MP4 movies need GStreamer's “ugly” plugins.");
  else if ((formats & WEBM) == 0)
    remark = _("WebM movies need GStreamer's “good” plugins.");
  debye_film_dialog_set_remark(DEBYE_FILM_DIALOG(dialog), remark);
}

static void
on_export(DebyeWindowFrames *self, DebyeFilmDialog *dialog)
{
  const char *suffixes[9];
  guint n = 0;
  DebyeFilmWish wish;
  g_autoptr(GError) problem = NULL;
  debye_film_dialog_get_wish(dialog, &wish);
  const double scale = debye_window_exports_get_scale(debye_window_get_view(get_window(self)), wish.width);
  DebyeFilmPage *page = debye_window_film_page_new(dialog, &wish, scale, &problem);
  if (problem != NULL) {
    g_autofree char *reason = debye_message_translate(problem->message);
    debye_film_dialog_refuse(dialog, reason);
    return;
  }
  const int formats = get_formats(dialog, wish.codec);
  if (formats & WEBM) {
    suffixes[n++] = "webm";
    suffixes[n++] = N_("Movie (WebM)");
  }
  if (formats & MP4) {
    suffixes[n++] = "mp4";
    suffixes[n++] = N_("Movie (MP4)");
  }
  if (wish.codec == 0) {
    suffixes[n++] = "gif";
    suffixes[n++] = N_("Movie (GIF)");
  }
  suffixes[n++] = "png";
  suffixes[n++] = N_("Numbered pictures (PNG)");
  suffixes[n] = NULL;
  g_autofree char *ending = g_strconcat(".", suffixes[0], NULL);
  g_autofree char *name = debye_window_document_suggest_name(debye_window_frames_get_document(self), ending);
  Question *question = g_new(Question, 1);
  *question = (Question){.frames = self, .wish = wish, .page = page};
  debye_window_exports_choose_path(get_window(self), _("Export movie"), name, suffixes, on_path, question,
                                   question_free);
}

static void
on_ended(gpointer data)
{
  debye_film_dialog_set_playing(DEBYE_FILM_DIALOG(data), FALSE);
  g_object_unref(data);
}

static void
on_play(DebyeWindowFrames *self, gboolean begin, DebyeFilmDialog *dialog)
{
  DebyeFilmWish wish;
  debye_film_dialog_get_wish(dialog, &wish);
  if (begin)
    play_film(self, &wish, on_ended, g_object_ref(dialog));
  else
    debye_window_film_stop_playing(self);
}

static void
on_keep_view(DebyeWindowFrames *self, DebyeFilmDialog *dialog)
{
  debye_window_film_keep_view(self);
  debye_film_dialog_set_n_views(dialog, get_views(self)->len);
}

static void
on_show_view(DebyeWindowFrames *self, guint number)
{
  GArray *views = get_views(self);
  DebyeScene *scene = get_scene(self);
  debye_window_film_stop_playing(self);
  if (number < views->len)
    *debye_scene_get_camera(scene) = g_array_index(views, DebyeCamera, number);
  debye_scene_changed(scene);
}

static void
on_forget_view(DebyeWindowFrames *self, guint number, DebyeFilmDialog *dialog)
{
  GArray *views = get_views(self);
  debye_window_film_stop_playing(self);
  if (number < views->len)
    g_array_remove_index(views, number);
  debye_film_dialog_set_n_views(dialog, views->len);
}

void
debye_window_film_ask(DebyeWindowFrames *self)
{
  GtkWidget *view = GTK_WIDGET(debye_window_get_view(get_window(self)));
  int scale = gtk_widget_get_scale_factor(view);
  GtkWidget *dialog = debye_film_dialog_new(GTK_WINDOW(get_window(self)), count_frames(self),
                                            MAX(16, gtk_widget_get_width(view) * scale),
                                            MAX(16, gtk_widget_get_height(view) * scale));
  debye_film_dialog_set_n_views(DEBYE_FILM_DIALOG(dialog), get_views(self)->len);
  debye_window_film_page_offer_plots(debye_window_frames_get_document(self), DEBYE_FILM_DIALOG(dialog));
  if (vibrates(self))
    debye_film_dialog_set_vibrates(DEBYE_FILM_DIALOG(dialog));
  g_signal_connect_object(dialog, "export", G_CALLBACK(on_export), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(dialog, "play", G_CALLBACK(on_play), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(dialog, "keep-view", G_CALLBACK(on_keep_view), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(dialog, "show-view", G_CALLBACK(on_show_view), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(dialog, "forget-view", G_CALLBACK(on_forget_view), self, G_CONNECT_SWAPPED);
  gtk_window_present(GTK_WINDOW(dialog));
  g_autoptr(GTask) task = g_task_new(dialog, NULL, on_formats, NULL);
  g_task_run_in_thread(task, find_formats);
}
