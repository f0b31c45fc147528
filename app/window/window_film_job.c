/* SPDX-License-Identifier: MIT */
/* The job that makes a movie; called by window_film.c. It reads the frames, draws a copy of the scene and
 * hands the pictures to the encoder or writes them. */
#include <math.h>

#include <glib/gi18n.h>

#include "data/files/error.h"
#include "app/scene/film_file.h"
#include "app/scene/offscreen_renderer.h"
#include "window_exports.h"
#include "window_film.h"

typedef struct {
  DebyeSceneCopy *copy;
  DebyeView3d *view;
  DebyeTopology *topology;
  DebyeTrajectory *trajectory; /* NULL: one frame, or: */
  DebyeVibrationMotion motion; /* in place of the trajectory */
  DebyePlacing placing;        /* as in the window */
  DebyeDataset *dataset;       /* of the alignment; NULL: none */
  DebyeAlignment alignment;
  DebyeCameraPath *path; /* NULL: the camera stands */
  DebyeCamera start;
  DebyeFilmWish wish;
  DebyeCaptureSize size;
  char *file;
  DebyeFilmPage *page;        /* NULL: the picture is the view */
  DebyePictureOrigin *origin; /* of numbered pictures; its inputs are found when the first is made */
  char **inputs;
} Film;

/* On the thread. */
typedef struct {
  const Film *film;
  DebyeJob *job;
  DebyeOffscreenRenderer *renderer;
  DebyeTrajectoryReader *reader; /* NULL: one frame */
  DebyePlacer *placer;           /* with the reader */
  DebyeFrameEdit *edit;          /* superposes; NULL: there is nothing to superpose */
  gsize shown;                   /* the frame that is */
  double time;                   /* its time in ps; NAN: unknown */
  DebyeFilmFile *output;         /* NULL: numbered pictures */
} Making;

static void
making_clear(Making *making)
{
  g_clear_pointer(&making->renderer, debye_offscreen_renderer_free);
  g_clear_pointer(&making->reader, debye_trajectory_reader_free);
  g_clear_pointer(&making->placer, debye_placer_free);
  g_clear_pointer(&making->edit, debye_frame_edit_free);
  g_clear_pointer(&making->output, debye_film_file_abandon);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Making, making_clear)

static void
film_free(gpointer data)
{
  Film *film = data;
  debye_scene_copy_free(film->copy);
  debye_window_exports_let_go(film->view);
  g_clear_object(&film->topology);
  g_clear_object(&film->trajectory);
  debye_vibration_motion_clear(&film->motion);
  g_clear_object(&film->dataset);
  debye_alignment_clear(&film->alignment);
  g_clear_pointer(&film->path, debye_camera_path_free);
  g_clear_pointer(&film->page, debye_film_page_free);
  g_free(film->file);
  debye_picture_origin_free(film->origin);
  g_strfreev(film->inputs);
  g_free(film);
}

static DebyeScene *
get_scene(Making *making)
{
  return debye_offscreen_renderer_get_scene(making->renderer);
}

static gboolean
set_no_memory(GError **error)
{
  return debye_error_set(error, DEBYE_ERROR_MEMORY, "Not enough memory for one more frame");
}

/* As in the window, neither placed nor superposed. */
static gboolean
show_motion(Making *making, gsize number, GError **error)
{
  const Film *film = making->film;
  g_autoptr(DebyeFrame) frame =
      debye_vibration_motion_make_frame(&film->motion, number, (gsize)film->wish.n_pictures);
  if (frame == NULL)
    return set_no_memory(error);
  debye_scene_copy_show_frame(get_scene(making), film->topology, frame);
  return TRUE;
}

/* The frame of a picture, where it is another one than before. */
static gboolean
show_frame(Making *making, gsize number, GError **error)
{
  const Film *film = making->film;
  if (film->motion.vibrations != NULL)
    return show_motion(making, number, error);
  if (making->reader == NULL)
    return TRUE;
  gsize wanted = number * debye_trajectory_get_n_frames(film->trajectory) / (gsize)film->wish.n_pictures;
  if (wanted == making->shown)
    return TRUE;
  making->shown = wanted;
  g_autoptr(DebyeFrame) frame = debye_frame_new(debye_trajectory_get_n_atoms(film->trajectory));
  if (frame == NULL)
    return set_no_memory(error);
  if (!debye_trajectory_reader_read(making->reader, wanted, frame, error))
    return FALSE;
  making->time = frame->time;
  g_autoptr(DebyeFrame) placed = debye_placer_place(making->placer, film->placing, frame, error);
  g_autoptr(DebyeFrame) aligned = placed != NULL && making->edit != NULL
                                      ? debye_alignment_apply(making->edit, placed, error)
                                      : g_steal_pointer(&placed);
  if (aligned == NULL)
    return FALSE;
  debye_scene_copy_show_frame(get_scene(making), film->topology, aligned);
  return TRUE;
}

static gboolean
go_on(double fraction G_GNUC_UNUSED, gpointer data)
{
  return !*debye_job_get_cancel_flag(DEBYE_JOB(data));
}

/* The plot, which is there with a trajectory alone, marks its frame. */
static GBytes *
compose(Making *making, GBytes *view, gsize number, GError **error)
{
  const Film *film = making->film;
  DebyeFilmPlot *plot = debye_film_page_get_plot(film->page);
  if (plot != NULL && making->reader != NULL &&
      !debye_film_plot_seek(plot, making->shown, making->time, error))
    return NULL;
  return debye_film_page_compose(film->page, view, debye_scene_get_look(get_scene(making)),
                                 ((double)number + 0.5) / film->wish.rate, error);
}

static GBytes *
draw(Making *making, gsize number, GError **error)
{
  const Film *film = making->film;
  DebyeScene *scene = get_scene(making);
  if (!show_frame(making, number, error))
    return NULL;
  if (film->path != NULL)
    debye_camera_path_place(film->path, &film->start, number, (gsize)film->wish.n_pictures,
                            debye_scene_get_camera(scene));
  g_autoptr(GBytes) view =
      debye_offscreen_renderer_draw(making->renderer, &film->size, go_on, making->job, error);
  return view != NULL && film->page != NULL ? compose(making, view, number, error) : g_steal_pointer(&view);
}

static gboolean
write_pixels(Making *making, GBytes *pixels, gsize number, GError **error)
{
  if (making->output != NULL)
    return debye_film_file_add(making->output, pixels, error);
  g_autofree char *path = debye_film_file_name_picture(making->film->file, number);
  return debye_capture_save_large_png(pixels, making->film->wish.width, making->film->wish.height,
                                      DEBYE_SCREEN_DPI * making->film->size.scale, making->film->origin, path,
                                      NULL, NULL, error);
}

/* They are numbered before the others. Whoever stops waits for one more, and keeps the first picture. */
static gboolean
write_title(Making *making, GBytes *first, gsize n_title, GError **error)
{
  const Film *film = making->film;
  const DebyeLook *look = debye_scene_get_look(get_scene(making));
  for (gsize i = 0; i < n_title && go_on(0.0, making->job); i++) {
    g_autoptr(GBytes) pixels =
        debye_film_page_draw_title(film->page, look, first, i, n_title, film->wish.rate, error);
    if (pixels == NULL || !write_pixels(making, pixels, i, error))
      return FALSE;
  }
  return TRUE;
}

/* FALSE with an error, or stopped without one. */
static gboolean
write_pictures(Making *making, GError **error)
{
  gsize n = (gsize)making->film->wish.n_pictures;
  const gsize n_title = debye_window_film_page_count_title(making->film->page, making->film->wish.rate);
  for (gsize i = 0; i < n; i++) {
    debye_job_set_message(making->job, _("Picture %zu of %zu"), i + 1, n);
    g_autoptr(GBytes) pixels = draw(making, i, error);
    if (pixels == NULL || (i == 0 && !write_title(making, pixels, n_title, error)) ||
        !write_pixels(making, pixels, n_title + i, error))
      return FALSE;
    debye_window_exports_keep_stopped(making->job);
    debye_job_set_progress(making->job, (double)(i + 1) / (double)n);
  }
  return TRUE;
}

static gboolean
prepare_alignment(Making *making, GError **error)
{
  const Film *film = making->film;
  g_autoptr(GError) reason = NULL;
  if (film->alignment.atoms != NULL)
    making->edit = debye_alignment_new_edit(&film->alignment, film->dataset, &reason);
  if (reason == NULL)
    return TRUE;
  g_propagate_error(error, g_steal_pointer(&reason));
  return FALSE;
}

static DebyeFilmFile *
open_output(const Film *film, GError **error)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  DebyeFilmFormat format = {.width = film->wish.width,
                            .height = film->wish.height,
                            .codec = debye_film_codecs[film->wish.codec].value};
  g_ascii_formatd(digits, sizeof digits, "%.6g", film->wish.rate);
  if (debye_film_rate_parse(digits, &format.rate))
    return debye_film_file_new(film->file, &format, error);
  debye_error_set(error, DEBYE_ERROR_VALUE, "expected 0.001 to 240 frames per second, found %s", digits);
  return NULL;
}

static gboolean
prepare(Making *making, GError **error)
{
  const Film *film = making->film;
  DebyeFallbackRenderer fallback;
  debye_window_exports_init_fallback(&fallback, film->view);
  if (film->trajectory != NULL &&
      (making->reader = debye_trajectory_reader_new(film->trajectory, error)) == NULL)
    return FALSE;
  if (film->trajectory != NULL)
    making->placer = debye_placer_new(film->topology);
  if (making->reader != NULL && !prepare_alignment(making, error))
    return FALSE;
  if (!debye_film_file_is_film(film->file))
    debye_window_exports_find_inputs(film->origin, (const char *const *)film->inputs);
  else if ((making->output = open_output(film, error)) == NULL)
    return FALSE;
  return (making->renderer = debye_offscreen_renderer_new(film->copy, &fallback, error)) != NULL;
}

/* What was drawn until Stop is a film, unless that is nothing. */
static gpointer
work(DebyeJob *job, gpointer data, GError **error)
{
  g_auto(Making) making = {.film = data, .job = job, .shown = G_MAXSIZE, .time = NAN};
  g_autoptr(GError) reason = NULL;
  if (prepare(&making, &reason) && !write_pictures(&making, &reason) && reason != NULL)
    g_clear_pointer(&making.output, debye_film_file_abandon);
  if (reason == NULL && making.output != NULL && !debye_film_file_is_empty(making.output))
    debye_film_file_finish(g_steal_pointer(&making.output), &reason);
  if (reason != NULL)
    g_propagate_error(error, g_steal_pointer(&reason));
  return NULL;
}

DebyeJob *
debye_window_film_create_job(DebyeWindowFrames *self, const char *file, const DebyeFilmWish *wish,
                             DebyeCameraPath *path, DebyeFilmPage *page)
{
  DebyeWindowDocument *document = debye_window_frames_get_document(self);
  DebyeDataset *dataset = debye_window_document_get_dataset(document);
  DebyeTrajectory *trajectory = dataset != NULL ? debye_dataset_get_trajectory(dataset) : NULL;
  DebyeDocument *shown = debye_window_document_get_document(document);
  g_autofree char *title = debye_document_get_title(shown);
  DebyeView3d *view = debye_window_get_view(debye_window_document_get_window(document));
  DebyeWindowScene *scene = debye_window_document_get_scene(document);
  Film *film = g_new(Film, 1);
  *film = (Film){
      .copy = debye_window_scene_copy(scene),
      .view = g_object_ref(view),
      .path = path,
      .start = *debye_scene_get_camera(debye_window_scene_get_scene(scene)),
      .placing = debye_window_frames_get_placing(self),
      .wish = *wish,
      .size = {.width = wish->width,
               .height = wish->height,
               .scale = debye_window_exports_get_scale(view, wish->width)},
      .file = g_strdup(file),
      .page = page,
      .origin = debye_picture_origin_new(title, NULL),
      .inputs = debye_window_exports_list_inputs(shown),
  };
  if (page != NULL)
    debye_film_page_get_view_size(page, &film->size.width, &film->size.height);
  if (dataset != NULL)
    film->topology = g_object_ref(debye_document_get_topology(shown));
  if (dataset != NULL) {
    film->dataset = g_object_ref(dataset);
    debye_alignment_copy(&film->alignment, debye_window_frames_get_alignment(self));
  }
  if (wish->frames)
    film->motion = debye_window_frames_get_motion(self);
  if (wish->frames && film->motion.vibrations == NULL && trajectory != NULL &&
      debye_trajectory_get_n_frames(trajectory) > 1)
    film->trajectory = g_object_ref(trajectory);
  return debye_window_exports_job_new(file, work, film, film_free);
}
