/* SPDX-License-Identifier: MIT */
/* Films of what a window shows, see window_film.h. The job's thread reads frames and writes pictures; it asks
 * the main thread, which alone has the GL context, for each picture, one at a time. */
#include "window_film.h"

#include <glib/gi18n.h>
#include <string.h>

#include "data/error.h"
#include "film_file.h"
#include "render/camera_path.h"
#include "render/capture.h"
#include "ui/film_dialog.h"
#include "window_exports.h"

/* So long at most a film goes on after Stop. */
#define LOOK_AT_STOP_MICROSECONDS 50000

/* Counted: the job's thread may be gone when the main thread comes to draw. */
typedef struct {
  GWeakRef controller;
  DebyeWindowScene *scene; /* only compared: the document may change meanwhile */
  DebyeTrajectory *trajectory;
  DebyeFilmWish wish;
  char *path;
  DebyeCameraPath *turn; /* NULL: none */
  DebyeCamera start;
  gsize first_frame; /* shown before the film, and after it */

  GMutex lock;
  GCond answered;
  gboolean asked;
  gsize number;
  DebyeFrame *frame; /* to be shown; NULL: the one before */
  GBytes *pixels;    /* the answer, or */
  GError *error;
} Film;

static void
film_clear(gpointer data)
{
  Film *film = data;
  g_weak_ref_clear(&film->controller);
  g_clear_object(&film->trajectory);
  g_clear_pointer(&film->turn, debye_camera_path_free);
  g_clear_pointer(&film->frame, debye_frame_unref);
  g_clear_pointer(&film->pixels, g_bytes_unref);
  g_clear_error(&film->error);
  g_mutex_clear(&film->lock);
  g_cond_clear(&film->answered);
  g_free(film->path);
}

static void
film_unref(gpointer data)
{
  g_atomic_rc_box_release_full(data, film_clear);
}

/* --- On the main thread --- */

static GBytes *
draw(Film *film, DebyeWindowController *controller, GError **error)
{
  if (controller == NULL || controller->scene != film->scene) {
    g_set_error_literal(error, DEBYE_ERROR, DEBYE_ERROR_MISSING,
                        "The film ended: its window shows something else");
    return NULL;
  }
  DebyeScene *scene = debye_window_scene_get_scene(controller->scene);
  DebyeView3d *view = debye_window_get_view(controller->window);
  if (film->frame != NULL)
    debye_window_scene_set_frame(controller->scene, film->frame);
  *debye_scene_get_camera(scene) = film->start;
  if (film->turn != NULL)
    debye_camera_path_place(film->turn, &film->start, film->number, (gsize)film->wish.n_pictures,
                            debye_scene_get_camera(scene));
  debye_scene_changed(scene);
  debye_scene_settle(scene);
  double scale = (double)film->wish.width / MAX(1, gtk_widget_get_width(GTK_WIDGET(view)));
  return debye_view_3d_capture(view, film->wish.width, film->wish.height, scale, FALSE, error);
}

static gboolean
on_asked(gpointer data)
{
  Film *film = data;
  g_autoptr(DebyeWindowController) controller = g_weak_ref_get(&film->controller);
  g_mutex_lock(&film->lock);
  if (film->asked)
    film->pixels = draw(film, controller, &film->error);
  film->asked = FALSE;
  g_cond_signal(&film->answered);
  g_mutex_unlock(&film->lock);
  return G_SOURCE_REMOVE;
}

/* --- On the job's thread --- */

/* NULL with an error; NULL without one: stopped. */
static GBytes *
ask_for_picture(Film *film, gsize number, DebyeFrame *frame, const volatile bool *stopped, GError **error)
{
  g_mutex_lock(&film->lock);
  film->number = number;
  g_clear_pointer(&film->frame, debye_frame_unref);
  film->frame = frame != NULL ? debye_frame_ref(frame) : NULL;
  film->asked = TRUE;
  g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, on_asked, g_atomic_rc_box_acquire(film), film_unref);
  while (film->asked && !*stopped)
    g_cond_wait_until(&film->answered, &film->lock, g_get_monotonic_time() + LOOK_AT_STOP_MICROSECONDS);
  film->asked = FALSE;
  GBytes *pixels = g_steal_pointer(&film->pixels);
  if (film->error != NULL)
    g_propagate_error(error, g_steal_pointer(&film->error));
  g_mutex_unlock(&film->lock);
  return pixels;
}

static gboolean
write_pixels(Film *film, DebyeFilmFile *file, GBytes *pixels, gsize number, GError **error)
{
  if (file != NULL)
    return debye_film_file_add(file, pixels, error);
  g_autofree char *path = debye_film_file_name_picture(film->path, number);
  return debye_capture_save_png(pixels, film->wish.width, film->wish.height, path, error);
}

/* The frame of a picture where it is another one than before; *shown is its number. FALSE with an error. */
static gboolean
read_frame(Film *film, DebyeTrajectoryReader *reader, gsize number, gsize *shown, DebyeFrame **frame,
           GError **error)
{
  if (reader == NULL)
    return TRUE;
  gsize wanted = number * debye_trajectory_get_n_frames(film->trajectory) / (gsize)film->wish.n_pictures;
  if (wanted == *shown)
    return TRUE;
  *shown = wanted;
  *frame = debye_frame_new(debye_trajectory_get_n_atoms(film->trajectory));
  if (*frame != NULL)
    return debye_trajectory_reader_read(reader, wanted, *frame, error);
  g_set_error_literal(error, DEBYE_ERROR, DEBYE_ERROR_MEMORY, "There is not the memory for one more frame");
  return FALSE;
}

static gboolean
write_pictures(DebyeJob *job, Film *film, DebyeTrajectoryReader *reader, DebyeFilmFile *file, GError **error)
{
  const volatile bool *stopped = debye_job_get_cancel_flag(job);
  gsize n = (gsize)film->wish.n_pictures, shown = G_MAXSIZE;
  for (gsize i = 0; i < n && !*stopped; i++) {
    g_autoptr(DebyeFrame) frame = NULL;
    g_autoptr(GError) failure = NULL;
    if (!read_frame(film, reader, i, &shown, &frame, error))
      return FALSE;
    debye_job_set_message(job, _("Picture %zu of %zu"), i + 1, n);
    g_autoptr(GBytes) pixels = ask_for_picture(film, i, frame, stopped, &failure);
    if (failure != NULL)
      g_propagate_error(error, g_steal_pointer(&failure));
    if (pixels == NULL)
      return *stopped;
    if (!write_pixels(film, file, pixels, i, error))
      return FALSE;
    debye_job_set_progress(job, (double)(i + 1) / (double)n);
  }
  return TRUE;
}

/* What was drawn until Stop is a film. */
static gpointer
work(DebyeJob *job, gpointer data, GError **error)
{
  Film *film = data;
  g_autoptr(DebyeFilmFile) file = NULL;
  g_autoptr(DebyeTrajectoryReader) reader = NULL;
  if (film->trajectory != NULL && (reader = debye_trajectory_reader_new(film->trajectory, error)) == NULL)
    return NULL;
  if (debye_film_file_is_film(film->path) &&
      (file = debye_film_file_new(film->path, film->wish.width, film->wish.height, film->wish.rate, error)) ==
          NULL)
    return NULL;
  if (write_pictures(job, film, reader, file, error) && file != NULL)
    debye_film_file_finish(g_steal_pointer(&file), error);
  return NULL;
}

/* --- The job --- */

static void
on_finished(DebyeJob *job, DebyeWindowController *self)
{
  Film *film = g_object_get_data(G_OBJECT(job), "film");
  debye_window_exports_tell(self->window, job);
  if (self->scene != film->scene)
    return;
  DebyeScene *scene = debye_window_scene_get_scene(self->scene);
  *debye_scene_get_camera(scene) = film->start;
  debye_scene_changed(scene);
  if (film->trajectory != NULL)
    debye_window_controller_seek(self, (guint)film->first_frame);
}

static Film *
film_new(DebyeWindowController *self, const char *path, const DebyeFilmWish *wish)
{
  DebyeDataset *dataset = debye_document_get_dataset(self->document);
  DebyeTrajectory *trajectory = dataset != NULL ? debye_dataset_get_trajectory(dataset) : NULL;
  DebyeFrame *frame = debye_window_scene_get_frame(self->scene);
  Film *film = g_atomic_rc_box_new0(Film);
  g_weak_ref_init(&film->controller, self);
  g_mutex_init(&film->lock);
  g_cond_init(&film->answered);
  film->scene = self->scene;
  film->wish = *wish;
  film->path = g_strdup(path);
  film->start = *debye_scene_get_camera(debye_window_scene_get_scene(self->scene));
  film->first_frame = frame != NULL ? frame->index : 0;
  if (wish->frames && trajectory != NULL && debye_trajectory_get_n_frames(trajectory) > 1)
    film->trajectory = g_object_ref(trajectory);
  if (wish->degrees != 0.0)
    film->turn = debye_camera_path_new_turn(wish->degrees, DEBYE_TURN_UPRIGHT);
  return film;
}

void
debye_window_film_write(DebyeWindowController *self, const char *path, const DebyeFilmWish *wish)
{
  if (wish->n_pictures < 1 || wish->rate < 1 || wish->width < 2 || wish->height < 2) {
    debye_window_toast_error(self->window,
                             _("A film has at least one picture, of at least two by two pixels"));
    return;
  }
  Film *film = film_new(self, path, wish);
  g_autoptr(DebyeJob) job = debye_window_exports_job_new(path, work, film, film_unref);
  g_object_set_data_full(G_OBJECT(job), "film", g_atomic_rc_box_acquire(film), film_unref);
  debye_playback_bar_set_playing(debye_window_get_playback_bar(self->window), FALSE);
  g_signal_connect_object(job, "finished", G_CALLBACK(on_finished), self, G_CONNECT_DEFAULT);
  debye_window_controller_add_job(self, job, FALSE);
}

/* --- Asking --- */

typedef struct {
  DebyeWindowController *controller;
  DebyeFilmWish wish;
} Question;

static void
on_path(const char *path, gpointer data)
{
  Question *question = data;
  debye_window_film_write(question->controller, path, &question->wish);
}

static void
on_wish(DebyeWindowController *self, gboolean frames, double degrees, int n_pictures, int rate, int width,
        int height)
{
  static const char *const suffixes[] = {
      "webm", N_("Film (WebM)"), "mp4", N_("Film (MP4)"), "png", N_("Numbered pictures (PNG)"), NULL};
  g_autofree char *name = debye_window_controller_suggest_name(self, ".webm");
  Question *question = g_new(Question, 1);
  *question = (Question){.controller = self,
                         .wish = {.frames = frames,
                                  .degrees = degrees,
                                  .n_pictures = n_pictures,
                                  .rate = rate,
                                  .width = width,
                                  .height = height}};
  g_object_set_data_full(G_OBJECT(self), "film-question", question, g_free);
  debye_window_exports_choose_path(self->window, _("Export film"), name, suffixes, on_path, question);
}

void
debye_window_film_ask(DebyeWindowController *self)
{
  GtkWidget *view = GTK_WIDGET(debye_window_get_view(self->window));
  int scale = gtk_widget_get_scale_factor(view);
  DebyeDataset *dataset = debye_document_get_dataset(self->document);
  DebyeTrajectory *trajectory = dataset != NULL ? debye_dataset_get_trajectory(dataset) : NULL;
  guint n_frames = trajectory != NULL ? (guint)MIN(debye_trajectory_get_n_frames(trajectory), G_MAXINT) : 0;
  GtkWidget *dialog =
      debye_film_dialog_new(GTK_WINDOW(self->window), n_frames, MAX(16, gtk_widget_get_width(view) * scale),
                            MAX(16, gtk_widget_get_height(view) * scale));
  g_signal_connect_object(dialog, "export", G_CALLBACK(on_wish), self, G_CONNECT_SWAPPED);
  gtk_window_present(GTK_WINDOW(dialog));
}
