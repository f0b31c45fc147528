/* SPDX-License-Identifier: MIT */
/* Opens files, sessions and samples in a window; made by window_controller.c. */
#include "window_opening_private.h"

#include <glib/gi18n.h>

#include "app/document/map_file.h"
#include "app/analysis/prepare/prepare_settings.h"
#include "app/document/recovery.h"
#include "app/measured/measured_curves.h"
#include "app/scene/first_view.h"
#include "window_guide.h"
#include "window_measure.h"
#include "window_plots.h"

G_DEFINE_FINAL_TYPE(DebyeWindowOpening, debye_window_opening, G_TYPE_OBJECT)

/* On a job. */
#define PREPARES "debye-prepares"

static DebyeWindow *
get_window(DebyeWindowOpening *self)
{
  return debye_window_document_get_window(self->document);
}

static DebyeDocument *
get_document(DebyeWindowOpening *self)
{
  return debye_window_document_get_document(self->document);
}

/* --- Showing --- */

/* Results from files stand in the list like those computed here. */
static void
list_results(DebyeWindowOpening *self, guint first)
{
  GPtrArray *maps = debye_document_get_maps(get_document(self));
  for (guint i = first; i < maps->len; i++)
    if (DEBYE_IS_RESULT(maps->pdata[i]))
      debye_window_document_add_result(self->document, maps->pdata[i]);
}

static void
align_with_results(DebyeWindowOpening *self, guint first)
{
  GPtrArray *maps = debye_document_get_maps(get_document(self));
  for (guint i = first; i < maps->len; i++)
    if (DEBYE_IS_RESULT(maps->pdata[i]) && debye_window_document_count_frames(self->document) >= 2)
      debye_window_frames_align_with(self->frames, maps->pdata[i]);
}

static void
show_scene(DebyeWindowOpening *self)
{
  DebyeTopology *topology = debye_document_get_topology(get_document(self));
  DebyeFrame *frame = debye_document_get_first_frame(get_document(self));
  DebyeWindowScene *shown = debye_window_document_get_scene(self->document);
  DebyeScene *scene = debye_window_scene_get_scene(shown);
  DebyeSceneHistory *history = debye_window_scene_get_history(shown);
  DebyeView3d *view = debye_window_get_view(get_window(self));
  debye_layers_panel_set_scene(debye_window_get_layers_panel(get_window(self)), scene, history, topology);
  debye_analysis_panel_set_system(debye_window_get_analysis_panel(get_window(self)), topology, frame);
  debye_view_3d_set_topology(view, topology);
  debye_view_3d_set_scene(view, scene);
  if (!debye_window_scene_has_view(shown) || self->is_unframed) {
    debye_first_view_turn(debye_scene_get_camera(scene), topology, frame);
    debye_view_3d_view_all(view);
  }
  self->is_unframed = FALSE;
}

/* A molecule with whatever maps came before it or with it. */
static void
show_whole(DebyeWindowOpening *self)
{
  DebyeDocument *document = get_document(self);
  DebyeWindowAnalyses *analyses = debye_window_computing_get_analyses(self->computing);
  debye_window_measure_forget_picks(self->document);
  DebyeWindowScene *before = debye_window_document_get_scene(self->document);
  g_autoptr(DebyeWindowScene) scene = debye_window_scene_new(document, self->preferences);
  if (before != NULL && debye_document_get_scene(document) != NULL &&
      debye_document_is_continuation(document))
    debye_window_scene_continue(scene, before);
  debye_window_document_set_scene(self->document, scene);
  debye_window_set_content(get_window(self), DEBYE_WINDOW_OPEN);
  show_scene(self);
  debye_window_frames_show_trajectory(self->frames);
  debye_window_analyses_advise_atoms(analyses, debye_document_get_suggested_atoms(document));
  if (self->sample_command != NULL)
    debye_window_computing_set_sample(self->computing, self->sample_command);
  g_clear_pointer(&self->sample_command, g_free);
  debye_window_analyses_set_dataset(analyses, debye_document_get_dataset(document));
}

static void
show_added_maps(DebyeWindowOpening *self)
{
  GPtrArray *maps = debye_document_get_maps(get_document(self));
  for (guint i = debye_document_get_n_earlier_maps(get_document(self)); i < maps->len; i++) {
    DebyeField *field = debye_map_file_get_field(maps->pdata[i]);
    if (field != NULL)
      debye_window_scene_add_map(debye_window_document_get_scene(self->document), field,
                                 debye_map_file_get_name(maps->pdata[i]));
  }
}

/* A sample's own steps; they end with what they speak of. */
static void
start_guide(DebyeWindowOpening *self, DebyeDocument *document)
{
  g_autofree char *name = g_steal_pointer(&self->sample_name);
  if (name != NULL)
    debye_window_guide_start(self->computing, name);
  else if (!debye_document_is_continuation(document))
    debye_window_guide_end(self->computing);
}

/* With how their plots looked, which a session of the new files says itself. */
static void
forget_results(DebyeWindowOpening *self)
{
  GListModel *results = debye_window_document_get_results(self->document);
  DebyePlotPanel *panel = debye_window_get_plot_panel(debye_window_document_get_window(self->document));
  debye_window_document_remove_results(self->document, 0, g_list_model_get_n_items(results));
  debye_result_look_forget(debye_plot_panel_get_look(panel));
}

static gboolean
has_view(DebyeDocument *document)
{
  GPtrArray *maps = debye_document_get_maps(document);
  for (guint i = 0; i < maps->len; i++)
    if (debye_map_file_get_field(maps->pdata[i]) != NULL)
      return TRUE;
  return debye_document_get_dataset(document) != NULL;
}

/* Curves without their molecule take the place of an empty view, until there is something to see. */
static void
give_plot_room(DebyeWindowOpening *self, DebyeDocument *document)
{
  DebyePlotPanel *panel = debye_window_get_plot_panel(debye_window_document_get_window(self->document));
  const gboolean is_alone = !has_view(document) && gtk_widget_get_visible(GTK_WIDGET(panel));
  if (is_alone != self->is_plot_alone)
    g_object_set(panel, "large", is_alone, NULL);
  self->is_plot_alone = is_alone;
}

static void
show_document(DebyeWindowOpening *self, DebyeDocument *document)
{
  DebyeSession *session = debye_document_get_session(document);
  debye_window_document_set_document(self->document, document);
  if (!debye_document_is_continuation(document))
    forget_results(self);
  debye_window_plots_forget(self->document);
  if (debye_window_document_get_scene(self->document) != NULL && debye_document_adds_only_maps(document))
    show_added_maps(self);
  else
    show_whole(self);
  list_results(self, debye_document_get_n_earlier_maps(document));
  give_plot_room(self, document);
  /* A session says itself how its frames are shown. */
  if (session == NULL)
    align_with_results(self, debye_document_get_n_earlier_maps(document));
  start_guide(self, document);
  if (session == NULL)
    debye_preferences_add_recent(self->preferences, debye_document_get_paths(document));
  else if (!debye_recovery_has_path(debye_session_get_path(session)))
    debye_preferences_add_recent(self->preferences,
                                 (const char *const[]){debye_session_get_path(session), NULL});
  debye_window_document_tell(self->document);
}

static void
show_warnings(DebyeWindowOpening *self, DebyeDocument *document)
{
  const char *const *warnings = debye_document_get_warnings(document);
  guint n_warnings = g_strv_length((char **)warnings);
  if (debye_document_get_dataset(document) != NULL && debye_document_get_first_frame(document) == NULL)
    debye_window_toast(get_window(self),
                       _("These files have no coordinates: drop a trajectory on the window"));
  if (n_warnings == 0)
    return;
  g_autofree char *all = g_strjoinv("\n", (char **)warnings);
  g_autofree char *text = n_warnings == 1
                              ? g_strdup(all)
                              : g_strdup_printf(ngettext("%u remark on these files\n%s",
                                                         "%u remarks on these files\n%s", n_warnings),
                                                n_warnings, all);
  debye_window_toast_remarks(get_window(self), text);
}

/* Until it is dismissed: what was asked for is not there. */
static void
show_left_out(DebyeWindowOpening *self, DebyeDocument *document)
{
  const char *const *reasons = debye_document_get_left_out(document);
  g_autofree char *text = g_strjoinv("\n", (char **)reasons);
  if (reasons[0] != NULL)
    debye_window_toast_error(get_window(self), text);
}

/* What the files leave open is asked for once, when they are first opened. */
static void
ask_what_is_open(DebyeWindowOpening *self, DebyeDocument *document)
{
  DebyeDataset *dataset = debye_document_get_dataset(document);
  if (dataset != NULL && debye_dataset_leaves_unit_open(dataset) &&
      debye_dataset_get_length_unit(dataset) == NULL && debye_document_get_session(document) == NULL &&
      !debye_document_is_continuation(document))
    debye_window_opening_ask_unit(self);
}

/* Something else than what the window shows gets a window of its own. */
static DebyeWindowOpening *
choose_window(DebyeWindowOpening *self, DebyeDocument *document)
{
  DebyeWindowOpening *other = NULL;
  if (get_document(self) != NULL && !debye_document_is_continuation(document))
    g_signal_emit_by_name(self, "window-wanted", &other);
  if (other == NULL)
    return self;
  g_object_unref(other); /* its window keeps it */
  return other;
}

/* What was stopped just before its end is not shown either: its window may be closing. */
static void
on_opened(DebyeJob *job, DebyeWindowOpening *self)
{
  DebyeDocument *document = debye_job_get_state(job) == DEBYE_JOB_DONE ? debye_job_get_result(job) : NULL;
  if (self->job != job)
    return;
  g_clear_object(&self->job);
  if (g_object_get_data(G_OBJECT(job), PREPARES) != NULL && document == NULL) {
    const gboolean has_failed = debye_job_get_state(job) == DEBYE_JOB_FAILED;
    g_signal_emit_by_name(self, "preparing-ended", has_failed ? debye_job_get_error(job)->message : NULL);
  }
  if (document != NULL) {
    DebyeWindowOpening *target = choose_window(self, document);
    if (target != self) {
      target->sample_name = g_steal_pointer(&self->sample_name);
      target->sample_command = g_steal_pointer(&self->sample_command);
    }
    show_document(target, document);
    show_left_out(target, document);
    show_warnings(target, document);
    ask_what_is_open(target, document);
    return;
  }
  g_clear_pointer(&self->sample_name, g_free);
  g_clear_pointer(&self->sample_command, g_free);
  debye_window_set_content(get_window(self),
                           get_document(self) != NULL ? DEBYE_WINDOW_OPEN : DEBYE_WINDOW_EMPTY);
  if (debye_job_get_state(job) == DEBYE_JOB_FAILED)
    debye_window_toast_error(get_window(self), debye_job_get_error(job)->message);
}

/* --- Opening --- */

/* Another unit of length is another size, for which no place of the camera is kept. */
static gboolean
changes_size(DebyeWindowOpening *self, const DebyeOpening *opening)
{
  static const char key[] = "length-unit";
  return opening->counted != NULL &&
         debye_setting_table_find(debye_request_get_table(opening->counted), key) != NULL &&
         g_strcmp0(debye_request_get(opening->counted, key),
                   debye_dataset_get_length_unit(debye_window_document_get_dataset(self->document))) != 0;
}

/* The scene as it is now, of a molecule whose atoms are drawn. */
static void
keep_scene(DebyeWindowOpening *self, DebyeOpening *opening)
{
  DebyeWindowScene *scene = debye_window_document_get_scene(self->document);
  if (scene == NULL || debye_document_get_first_frame(get_document(self)) == NULL ||
      changes_size(self, opening))
    return;
  GPtrArray *opened = debye_document_get_maps(get_document(self));
  GListModel *results = debye_window_document_get_results(self->document);
  DebyeFrame *frame = debye_window_scene_get_frame(scene);
  opening->maps = g_ptr_array_new_with_free_func(g_object_unref);
  for (guint i = 0; i < opened->len; i++)
    g_ptr_array_add(opening->maps, g_object_ref(opened->pdata[i]));
  for (guint i = 0; i < g_list_model_get_n_items(results); i++)
    g_ptr_array_add(opening->maps, g_list_model_get_item(results, i));
  opening->scene = g_variant_ref_sink(debye_window_scene_save(scene, opening->maps));
  self->is_unframed |= !debye_view_3d_has_viewed(debye_window_get_view(get_window(self)));
  const gboolean keeps_frame = opening->choices != NULL || opening->counted != NULL;
  opening->frame = keeps_frame && frame != NULL ? (gint64)frame->index : 0;
}

/* Takes `opening`; the newest goes before what has not come to its end. */
static void
start_job(DebyeWindowOpening *self, const char *title, DebyeOpening *opening)
{
  DebyeDocument *existing = opening->session == NULL ? get_document(self) : NULL;
  opening->existing = existing != NULL ? g_object_ref(existing) : NULL;
  if (existing != NULL)
    keep_scene(self, opening);
  g_autoptr(DebyeJob) job = debye_opening_job_new(title, opening);
  g_signal_connect_object(job, "finished", G_CALLBACK(on_opened), self, G_CONNECT_DEFAULT);
  g_autoptr(DebyeJob) before = g_steal_pointer(&self->job);
  self->job = g_object_ref(job);
  if (before != NULL)
    debye_job_stop(before);
  /* Another preparation goes on from that one. */
  if (before != NULL && g_object_get_data(G_OBJECT(before), PREPARES) != NULL &&
      !debye_opening_is_of_preparation(opening))
    g_signal_emit_by_name(self, "preparing-ended", NULL);
  debye_window_document_add_job(self->document, job, FALSE);
}

void
debye_window_opening_start(DebyeWindowOpening *self, const char *const *paths, const DebyeSample *sample)
{
  g_autofree char *name = g_filename_display_basename(paths[0]);
  g_autofree char *title = g_strdup_printf(_("Opening %s"), name);
  DebyeOpening *opening = g_new0(DebyeOpening, 1);
  opening->paths = g_strdupv((char **)paths);
  g_free(self->sample_name);
  g_free(self->sample_command);
  self->sample_name = sample != NULL ? g_strdup(sample->name) : NULL;
  self->sample_command = sample != NULL ? g_strdup(sample->command) : NULL;
  debye_window_computing_set_sample(self->computing, NULL);
  if (get_document(self) == NULL)
    debye_window_set_content(get_window(self), DEBYE_WINDOW_LOADING);
  start_job(self, title, opening);
}

void
debye_window_opening_choose_elements(DebyeWindowOpening *self, const char *const *choices)
{
  g_return_if_fail(DEBYE_IS_WINDOW_OPENING(self) && get_document(self) != NULL);
  DebyeOpening *opening = g_new0(DebyeOpening, 1);
  opening->choices = g_strdupv((char **)choices);
  start_job(self, _("Changing elements"), opening);
}

void
debye_window_opening_choose_counted(DebyeWindowOpening *self, DebyeRequest *choice)
{
  g_return_if_fail(DEBYE_IS_WINDOW_OPENING(self) && get_document(self) != NULL);
  DebyeOpening *opening = g_new0(DebyeOpening, 1);
  opening->counted = debye_request_copy(choice);
  start_job(self, _("Applying cell and alternate locations"), opening);
}

static void
start_preparing(DebyeWindowOpening *self, const char *title, DebyeOpening *opening)
{
  start_job(self, title, opening);
  g_object_set_data(G_OBJECT(self->job), PREPARES, self);
}

/* Devices are those that the window uses now, of structures that need some. */
static DebyeRequest *
copy_order_request(DebyeWindowOpening *self, DebyeRequest *request)
{
  DebyeRequest *copy = debye_request_copy(request);
  for (const char *const *key = (const char *const[]){"device", "threads", "memory", NULL}; *key != NULL;
       key++)
    debye_request_set(copy, *key, NULL, NULL);
  if (debye_prepare_settings_titrate(copy))
    debye_window_analyses_prefill(debye_window_computing_get_analyses(self->computing), copy);
  return copy;
}

void
debye_window_opening_prepare(DebyeWindowOpening *self, const DebyePreparationOrder *order)
{
  g_return_if_fail(DEBYE_IS_WINDOW_OPENING(self) && get_document(self) != NULL);
  DebyeDataset *origin = debye_document_get_origin(get_document(self));
  g_autofree char *title = g_strdup_printf(_("Preparing %s"), debye_dataset_get_name(origin));
  DebyeOpening *opening = g_new0(DebyeOpening, 1);
  opening->order = *order;
  opening->order.request = copy_order_request(self, order->request);
  opening->devices = debye_devices_ref(
      debye_window_analyses_get_devices(debye_window_computing_get_analyses(self->computing)));
  if (order->states != NULL)
    g_ptr_array_ref(order->states);
  if (order->titrated != NULL)
    g_object_ref(order->titrated);
  start_preparing(self, title, opening);
}

void
debye_window_opening_show_preparation(DebyeWindowOpening *self, DebyePreparation *preparation)
{
  g_return_if_fail(DEBYE_IS_WINDOW_OPENING(self) && get_document(self) != NULL);
  DebyeOpening *opening = g_new0(DebyeOpening, 1);
  opening->preparation = preparation != NULL ? g_object_ref(preparation) : NULL;
  opening->is_unprepared = preparation == NULL;
  start_preparing(self, _("Going back"), opening);
}

void
debye_window_opening_open(DebyeWindowOpening *self, const char *const *paths)
{
  g_return_if_fail(DEBYE_IS_WINDOW_OPENING(self) && paths != NULL && paths[0] != NULL);
  /* Columns of numbers alone are a measured curve beside what is computed. */
  if (get_document(self) != NULL && paths[1] == NULL && debye_measured_curves_is_one(paths[0])) {
    debye_window_plots_open_measured(self->document, paths[0]);
    return;
  }
  if (paths[1] == NULL && debye_session_is_one(paths[0]))
    debye_window_opening_open_session(self, paths[0]);
  else
    debye_window_opening_start(self, paths, NULL);
}

void
debye_window_opening_open_checked(DebyeWindowOpening *self, DebyeSession *session)
{
  g_return_if_fail(DEBYE_IS_WINDOW_OPENING(self) && DEBYE_IS_SESSION(session));
  g_autofree char *name = g_filename_display_basename(debye_session_get_path(session));
  g_autofree char *title = g_strdup_printf(_("Opening %s"), name);
  DebyeOpening *opening = g_new0(DebyeOpening, 1);
  opening->session = g_object_ref(session);
  g_clear_pointer(&self->sample_command, g_free);
  debye_window_computing_set_sample(self->computing, NULL);
  if (get_document(self) == NULL)
    debye_window_set_content(get_window(self), DEBYE_WINDOW_LOADING);
  start_job(self, title, opening);
}

/* --- The object --- */

DebyeWindowOpening *
debye_window_opening_new(DebyeWindowComputing *computing, DebyeWindowFrames *frames,
                         DebyePreferences *preferences)
{
  DebyeWindowOpening *self = g_object_new(DEBYE_TYPE_WINDOW_OPENING, NULL);
  self->document = g_object_ref(debye_window_computing_get_document(computing));
  self->computing = g_object_ref(computing);
  self->frames = g_object_ref(frames);
  self->preferences = g_object_ref(preferences);
  return self;
}

static void
debye_window_opening_finalize(GObject *object)
{
  DebyeWindowOpening *self = DEBYE_WINDOW_OPENING(object);
  g_clear_object(&self->job);
  g_clear_object(&self->frames);
  g_clear_object(&self->computing);
  g_clear_object(&self->document);
  g_clear_object(&self->preferences);
  g_free(self->sample_name);
  g_free(self->sample_command);
  G_OBJECT_CLASS(debye_window_opening_parent_class)->finalize(object);
}

static void
debye_window_opening_class_init(DebyeWindowOpeningClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_window_opening_finalize;
  g_signal_new("window-wanted", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
               DEBYE_TYPE_WINDOW_OPENING, 0);
  g_signal_new("preparing-ended", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
               G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
debye_window_opening_init(DebyeWindowOpening *self)
{
  self->job = NULL;
}
