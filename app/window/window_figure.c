/* SPDX-License-Identifier: MIT */
/* Makes figures of several panels for the window's export actions. Plots are laid out on the main thread,
 * where they live; views are drawn of a copy of the scene on the job's thread, in the look of figures. */
#include "window_figure.h"

#include <glib/gi18n.h>

#include "render/plot/plot_text.h"
#include "render/plot/result_plot.h"
#include "app/presets/page_preset.h"
#include "app/presets/presets.h"
#include "app/scene/panel_view.h"
#include "ui/dialogs/figure_dialog.h"
#include "window_exports.h"

#define COLUMN 89.0 /* mm */
#define THUMBNAIL_WIDTH 480
#define POINTS_PER_MILLIMETRE (POINTS_PER_INCH / 25.4)
#define THUMBNAIL_SAMPLES 2
#define THUMBNAIL_DELAY 200 /* ms: more steps of a spin button may follow */
#define SAMPLES 8
/* Of a logical pixel of a view, so that its texts are about as large as a plot's. */
#define POINTS_PER_LOGICAL_PIXEL 0.65
#define POINTS_PER_INCH 72.0

/* A view, or a plot. */
typedef struct {
  char *title, *subtitle;
  DebyeCamera camera;
  DebyePlot *plot;      /* NULL: a view */
  DebyeResultPlot *own; /* that holds the plot, where it is not the window's */
  GBytes *thumbnail;    /* of a view, once it is drawn */
  int columns, rows;    /* of the thumbnail, which is shown until another shape is drawn */
} Candidate;

static void
candidate_clear(gpointer data)
{
  Candidate *candidate = data;
  g_free(candidate->title);
  g_free(candidate->subtitle);
  g_clear_object(&candidate->plot);
  g_clear_object(&candidate->own);
  g_clear_pointer(&candidate->thumbnail, g_bytes_unref);
}

/* --- What may be a panel --- */

static void
add_view(GArray *candidates, char *title, const DebyeCamera *camera)
{
  Candidate candidate = {.title = title, .subtitle = g_strdup(_("3-D view")), .camera = *camera};
  g_array_append_val(candidates, candidate);
}

static char *
describe(DebyePlot *plot)
{
  g_autofree char *y = debye_plot_text_to_plain(debye_plot_get_label(plot, DEBYE_PLOT_Y));
  g_autofree char *x = debye_plot_text_to_plain(debye_plot_get_label(plot, DEBYE_PLOT_X));
  return g_strdup_printf(_("%s over %s"), y, x);
}

static void
add_plots(DebyeWindowDocument *self, GArray *candidates)
{
  DebyePlotPanel *panel = debye_window_get_plot_panel(debye_window_document_get_window(self));
  DebyeResult *shown = debye_plot_panel_get_result(panel);
  if (shown != NULL) {
    DebyePlot *plot = debye_plot_view_get_plot(debye_plot_panel_get_view(panel));
    Candidate candidate = {
        .title = g_strdup(_("Plot")), .subtitle = describe(plot), .plot = g_object_ref(plot)};
    g_array_append_val(candidates, candidate);
  }
  GListModel *results = debye_window_document_get_results(self);
  for (guint i = 0; i < g_list_model_get_n_items(results); i++) {
    g_autoptr(DebyeResult) result = g_list_model_get_item(results, i);
    g_autoptr(DebyeResultPlot) own = debye_result_plot_new();
    debye_result_plot_set_result(own, 0, result, NULL);
    g_autoptr(GPtrArray) quantities = debye_result_plot_list_quantities(own);
    if (result == shown || quantities->len == 0)
      continue;
    DebyePlot *plot = debye_result_plot_get_plot(own);
    Candidate candidate = {.title =
                               g_strdup(debye_request_get_table(debye_result_get_request(result))->title),
                           .subtitle = describe(plot),
                           .plot = g_object_ref(plot),
                           .own = g_steal_pointer(&own)};
    g_array_append_val(candidates, candidate);
  }
}

static void
add_lesson_plot(const char *title, DebyePlot *plot, gpointer candidates)
{
  Candidate candidate = {.title = g_strdup(title), .subtitle = describe(plot), .plot = g_object_ref(plot)};
  g_array_append_val(candidates, candidate);
}

/* Whose view is empty. */
static gboolean
has_results_alone(DebyeWindowDocument *self, DebyeScene *scene)
{
  DebyeVec3 low, high;
  return debye_window_document_get_dataset(self) == NULL && !debye_scene_get_bounds(scene, &low, &high) &&
         g_list_model_get_n_items(debye_window_document_get_results(self)) > 0;
}

static GArray *
list_candidates(DebyeWindowDocument *self)
{
  GArray *candidates = g_array_new(FALSE, TRUE, sizeof(Candidate));
  DebyeScene *scene = debye_window_scene_get_scene(debye_window_document_get_scene(self));
  GArray *views = debye_scene_get_views(scene);
  g_array_set_clear_func(candidates, candidate_clear);
  if (!has_results_alone(self, scene))
    add_view(candidates, g_strdup(_("View in the window")), debye_scene_get_camera(scene));
  for (guint i = 0; i < views->len; i++)
    add_view(candidates, g_strdup_printf(_("View %u"), i + 1), &g_array_index(views, DebyeCamera, i));
  add_plots(self, candidates);
  debye_classroom_page_visit_figures(debye_window_get_classroom_page(debye_window_document_get_window(self)),
                                     add_lesson_plot, candidates);
  return candidates;
}

/* --- Writing --- */

/* Of a job's progress; views share the rest. */
#define WRITING_PART 0.05

/* One view's part of a job's progress. */
typedef struct {
  DebyeJob *job;
  double begin, part;
} Step;

static gboolean
go_on(double fraction, gpointer data)
{
  const Step *step = data;
  return debye_job_go_on(step->begin + fraction * step->part, step->job);
}

typedef struct {
  guint number; /* of the panel */
  DebyeCamera camera;
} View;

typedef struct {
  DebyeFigure *figure; /* with its plots */
  GArray *views;       /* View: panels to be drawn */
  DebyeSceneCopy *copy;
  DebyeView3d *view;
  DebyePanelShape shape;
  char *path;
} Figure;

static void
figure_free(gpointer data)
{
  Figure *figure = data;
  debye_figure_free(figure->figure);
  g_array_unref(figure->views);
  debye_scene_copy_free(figure->copy);
  debye_window_exports_let_go(figure->view);
  g_free(figure->path);
  g_free(figure);
}

/* FALSE with an error, or stopped without one. */
static gboolean
draw_views(DebyeJob *job, Figure *figure, GError **error)
{
  DebyeFallbackRenderer fallback;
  debye_window_exports_init_fallback(&fallback, figure->view);
  g_autoptr(DebyeOffscreenRenderer) renderer =
      figure->views->len > 0 ? debye_offscreen_renderer_new(figure->copy, &fallback, error) : NULL;
  for (guint i = 0; i < figure->views->len; i++) {
    const View *view = &g_array_index(figure->views, View, i);
    const double part = (1.0 - WRITING_PART) / figure->views->len;
    Step step = {.job = job, .begin = i * part, .part = part};
    g_autoptr(GBytes) pixels =
        renderer != NULL ? debye_panel_view_draw(renderer, &view->camera, &figure->shape, go_on, &step, error)
                         : NULL;
    if (pixels == NULL)
      return FALSE;
    debye_figure_set_picture(figure->figure, view->number, pixels, figure->shape.size.width,
                             figure->shape.size.height);
  }
  return TRUE;
}

static gpointer
write_figure(DebyeJob *job, gpointer data, GError **error)
{
  Figure *figure = data;
  debye_job_set_message(job, _("Drawing the views"));
  if (!draw_views(job, figure, error))
    return NULL;
  debye_job_set_message(job, _("Writing"));
  debye_figure_save(figure->figure, figure->path, error);
  return NULL;
}

static void
write_panels(DebyeWindowDocument *self, const char *path, const DebyeFigureStyle *style, GArray *candidates,
             GArray *chosen)
{
  guint n_panels = MIN(chosen->len, DEBYE_MAX_PANELS);
  DebyeView3d *view = debye_window_get_view(debye_window_document_get_window(self));
  Figure *figure = g_new(Figure, 1);
  *figure = (Figure){.figure = debye_figure_new(style, n_panels),
                     .views = g_array_new(FALSE, FALSE, sizeof(View)),
                     .copy = debye_window_scene_copy(debye_window_document_get_scene(self)),
                     .view = g_object_ref(view),
                     .shape.dark = style->dark,
                     .path = g_strdup(path)};
  DebyeCaptureSize *size = &figure->shape.size;
  debye_figure_get_panel_pixels(figure->figure, &size->width, &size->height);
  size->scale =
      POINTS_PER_LOGICAL_PIXEL * debye_figure_get_text_scale(figure->figure) * style->dpi / POINTS_PER_INCH;
  size->samples = SAMPLES;
  for (guint i = 0; i < n_panels; i++) {
    const Candidate *candidate = &g_array_index(candidates, Candidate, g_array_index(chosen, guint, i));
    View panel = {.number = i, .camera = candidate->camera};
    if (candidate->plot != NULL) {
      debye_figure_add_plot(figure->figure, candidate->plot);
      continue;
    }
    debye_figure_add_picture(figure->figure, NULL, 0, 0);
    g_array_append_val(figure->views, panel);
  }
  g_autoptr(DebyeJob) job = debye_window_exports_job_new(path, write_figure, figure, figure_free);
  debye_window_exports_add(self, job);
}

void
debye_window_figure_save(DebyeWindowDocument *self, const char *path)
{
  DebyeFigureStyle style;
  g_autoptr(GArray) candidates = list_candidates(self), chosen = g_array_new(FALSE, FALSE, sizeof(guint));
  debye_figure_style_init(&style);
  for (guint i = 0; i < candidates->len; i++)
    g_array_append_val(chosen, i);
  write_panels(self, path, &style, candidates, chosen);
}

/* --- Asking --- */

/* Kept with the dialog, then with the one that asks for a path. */
typedef struct {
  DebyeWindowDocument *document; /* borrowed: the dialog goes with its window */
  GArray *candidates;
  GArray *chosen; /* when it was exported */
  DebyeFigureStyle style;
  DebyePanelShape shape; /* that thumbnails should have */
  DebyePanelShape begun; /* that those have that were begun last */
  gboolean is_drawing;
  guint timeout; /* that draws; 0: none */
} Question;

static void
question_free(gpointer data)
{
  Question *question = data;
  g_clear_handle_id(&question->timeout, g_source_remove);
  g_array_unref(question->candidates);
  g_clear_pointer(&question->chosen, g_array_unref);
  g_free(question);
}

static void
show_preview(DebyeFigureDialog *dialog, Question *question)
{
  DebyeFigureStyle style;
  g_autoptr(GArray) chosen = debye_figure_dialog_list_panels(dialog);
  debye_figure_dialog_get_style(dialog, &style);
  DebyeFigure *figure = chosen->len > 0 ? debye_figure_new(&style, chosen->len) : NULL;
  for (guint i = 0; i < MIN(chosen->len, DEBYE_MAX_PANELS); i++) {
    const Candidate *candidate =
        &g_array_index(question->candidates, Candidate, g_array_index(chosen, guint, i));
    if (candidate->plot != NULL)
      debye_figure_add_plot(figure, candidate->plot);
    else
      debye_figure_add_picture(figure, candidate->thumbnail, candidate->columns, candidate->rows);
  }
  debye_figure_dialog_take_preview(dialog, figure);
}

static void start_thumbnails(DebyeFigureDialog *dialog, Question *question);

static void
take_thumbnails(Question *question, GPtrArray *pictures, const DebyeCaptureSize *size)
{
  for (guint i = 0; i < pictures->len; i++) {
    Candidate *candidate = &g_array_index(question->candidates, Candidate, i);
    g_clear_pointer(&candidate->thumbnail, g_bytes_unref);
    candidate->thumbnail = g_steal_pointer(&pictures->pdata[i]);
    candidate->columns = size->width;
    candidate->rows = size->height;
  }
}

/* One thread at a time: what has changed meanwhile is drawn when it ends, or after the steps that still come. */
static void
draw_if_changed(DebyeFigureDialog *dialog, Question *question)
{
  if (!question->is_drawing && question->timeout == 0 &&
      !debye_panel_shape_equals(&question->shape, &question->begun))
    start_thumbnails(dialog, question);
  debye_figure_dialog_set_working(dialog, question->is_drawing || question->timeout != 0);
}

static gboolean
on_delay(gpointer data)
{
  DebyeFigureDialog *dialog = data;
  Question *question = g_object_get_data(G_OBJECT(dialog), "question");
  question->timeout = 0;
  draw_if_changed(dialog, question);
  return G_SOURCE_REMOVE;
}

static void
on_thumbnails(GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr(DebyeFigureDialog) dialog = data;
  DebyePanelShape shape;
  g_autoptr(GPtrArray) pictures = debye_panel_thumbnails_finish(result, &shape);
  Question *question = g_object_get_data(G_OBJECT(dialog), "question");
  if (question == NULL)
    return;
  question->is_drawing = FALSE;
  take_thumbnails(question, pictures, &shape.size);
  draw_if_changed(dialog, question);
  show_preview(dialog, question);
}

/* Views come first among the candidates. */
static void
start_thumbnails(DebyeFigureDialog *dialog, Question *question)
{
  DebyeWindowDocument *self = question->document;
  GArray *candidates = question->candidates;
  GArray *cameras = g_array_new(FALSE, FALSE, sizeof(DebyeCamera));
  for (guint i = 0; i < candidates->len && g_array_index(candidates, Candidate, i).plot == NULL; i++)
    g_array_append_val(cameras, g_array_index(candidates, Candidate, i).camera);
  question->begun = question->shape;
  question->is_drawing = TRUE;
  /* Held by the callback and not by the task, whose thread may be the last to let go of it. */
  debye_panel_thumbnails_draw(debye_window_scene_copy(debye_window_document_get_scene(self)), cameras,
                              &question->shape, on_thumbnails, g_object_ref(dialog));
}

static void
on_path(const char *path, gpointer data)
{
  Question *question = data;
  write_panels(question->document, path, &question->style, question->candidates, question->chosen);
}

static void
on_export(DebyeFigureDialog *dialog, DebyeWindowDocument *self)
{
  static const char *const suffixes[] = {"pdf", N_("Figure (PDF)"),  "svg", N_("Figure (SVG)"),
                                         "png", N_("Picture (PNG)"), NULL};
  Question *question = g_object_steal_data(G_OBJECT(dialog), "question");
  g_autofree char *name = debye_window_document_suggest_name(self, "-figure.pdf");
  g_clear_handle_id(&question->timeout, g_source_remove);
  question->chosen = debye_figure_dialog_list_panels(dialog);
  debye_figure_dialog_get_style(dialog, &question->style);
  debye_window_exports_choose_path(debye_window_document_get_window(self), _("Export figure"), name, suffixes,
                                   on_path, question, question_free);
}

/* In proportion as the panels will be. */
static void
find_shape(DebyeFigureDialog *dialog, DebyePanelShape *shape)
{
  DebyeFigureStyle style;
  double width, height;
  g_autoptr(GArray) chosen = debye_figure_dialog_list_panels(dialog);
  debye_figure_dialog_get_style(dialog, &style);
  g_autoptr(DebyeFigure) figure = debye_figure_new(&style, chosen->len);
  debye_figure_get_panel_size(figure, &width, &height);
  *shape = (DebyePanelShape){
      .size = {.width = THUMBNAIL_WIDTH,
               .height = (int)CLAMP(THUMBNAIL_WIDTH * height / width, 1, 10 * THUMBNAIL_WIDTH),
               .scale = CLAMP(POINTS_PER_LOGICAL_PIXEL * debye_figure_get_text_scale(figure) *
                                  THUMBNAIL_WIDTH / width,
                              0.25, 16.0),
               .samples = THUMBNAIL_SAMPLES},
      .dark = style.dark};
}

static void
on_changed(DebyeFigureDialog *dialog)
{
  Question *question = g_object_get_data(G_OBJECT(dialog), "question");
  if (question == NULL)
    return;
  find_shape(dialog, &question->shape);
  g_clear_handle_id(&question->timeout, g_source_remove);
  if (!debye_panel_shape_equals(&question->shape, &question->begun))
    question->timeout = g_timeout_add(THUMBNAIL_DELAY, on_delay, dialog);
  draw_if_changed(dialog, question);
  show_preview(dialog, question);
}

/* --- Presets --- */

static void
on_preset(DebyeFigureDialog *dialog, const char *name)
{
  DebyeFigureStyle style;
  debye_figure_dialog_get_style(dialog, &style);
  debye_presets_apply_to_page(name, &style);
  debye_figure_dialog_set_style(dialog, &style);
}

/* The plot of the window alone, on a column of a journal. */
static void
set_page_of_plot(DebyeFigureDialog *dialog)
{
  DebyeFigureStyle style;
  debye_figure_dialog_get_style(dialog, &style);
  style.width = POINTS_PER_MILLIMETRE * COLUMN;
  style.columns = 1;
  style.letters = DEBYE_LETTERS_NONE;
  debye_figure_dialog_set_style(dialog, &style);
}

/* Whether the panel stands on the page at first: where only the plot was asked for, the one that is shown. */
static gboolean
is_chosen(const Candidate *candidate, guint number, gboolean only_plot)
{
  return only_plot ? candidate->plot != NULL && candidate->own == NULL : number < DEBYE_MAX_PANELS;
}

static void
ask(DebyeWindowDocument *self, gboolean only_plot)
{
  GtkWidget *dialog = debye_figure_dialog_new(GTK_WINDOW(debye_window_document_get_window(self)));
  Question *question = g_new(Question, 1);
  *question = (Question){.document = self, .candidates = list_candidates(self)};
  for (guint i = 0; i < question->candidates->len; i++) {
    const Candidate *candidate = &g_array_index(question->candidates, Candidate, i);
    debye_figure_dialog_add_panel(DEBYE_FIGURE_DIALOG(dialog), candidate->title, candidate->subtitle,
                                  is_chosen(candidate, i, only_plot));
  }
  g_object_set_data_full(G_OBJECT(dialog), "question", question, question_free);
  g_auto(GStrv) presets = debye_presets_list();
  debye_figure_dialog_set_presets(DEBYE_FIGURE_DIALOG(dialog), (const char *const *)presets);
  g_signal_connect(dialog, "changed", G_CALLBACK(on_changed), NULL);
  g_signal_connect(dialog, "preset", G_CALLBACK(on_preset), NULL);
  g_signal_connect_object(dialog, "export", G_CALLBACK(on_export), self, G_CONNECT_DEFAULT);
  if (only_plot)
    set_page_of_plot(DEBYE_FIGURE_DIALOG(dialog));
  on_changed(DEBYE_FIGURE_DIALOG(dialog));
  gtk_window_present(GTK_WINDOW(dialog));
}

void
debye_window_figure_ask(DebyeWindowDocument *self)
{
  ask(self, FALSE);
}

void
debye_window_figure_ask_plot(DebyeWindowDocument *self)
{
  ask(self, TRUE);
}
