/* SPDX-License-Identifier: MIT */
/* Starts the jobs that compute and handles their results; made by window_controller.c. */
#include "window_computing.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/analysis/ions/ion_structure.h"

/* On a job. */
#define ALIGNED "debye-aligned" /* the picture goes with its map */
#define SHOW "debye-show"       /* the address of a DebyeWindowShow */

struct _DebyeWindowComputing {
  GObject parent_instance;
  DebyeWindowDocument *document;
  DebyeWindowAnalyses *analyses;
  DebyeJob *newest;           /* that computes; NULL: none yet */
  DebyeAnalysisForm *waiting; /* to be run once it is known what its settings give; NULL: none */
  DebyeWindowShow show;       /* its result; NULL: as is usual */
  char *sample_command;       /* to be run once its form can; NULL: none */
};

G_DEFINE_FINAL_TYPE(DebyeWindowComputing, debye_window_computing, G_TYPE_OBJECT)

DebyeWindowDocument *
debye_window_computing_get_document(DebyeWindowComputing *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_COMPUTING(self), NULL);
  return self->document;
}

DebyeWindowAnalyses *
debye_window_computing_get_analyses(DebyeWindowComputing *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_COMPUTING(self), NULL);
  return self->analyses;
}

static DebyeWindow *
get_window(DebyeWindowComputing *self)
{
  return debye_window_document_get_window(self->document);
}

/* --- Results --- */

static void
show_ions(DebyeWindowScene *scene, DebyeResult *result)
{
  g_autoptr(DebyeFrame) frame = NULL;
  g_autoptr(DebyeTopology) topology = debye_ion_structure_new(result, &frame);
  if (topology != NULL)
    debye_window_scene_show_ions(scene, topology, frame);
}

/* Of cavities in a map of a ligand's free energy. */
static void
show_pathways(DebyeWindowScene *scene, DebyeResult *result)
{
  GListModel *fields = debye_result_get_fields(result);
  const guint n = g_list_model_get_n_items(fields);
  const char *level = debye_request_find(debye_result_get_request(result), "cavities");
  g_autoptr(DebyeField) energies = g_list_model_get_item(fields, 0);
  for (guint i = 1; level != NULL && i + 1 < n; i++) {
    g_autoptr(DebyeField) ways = g_list_model_get_item(fields, i);
    g_autoptr(DebyeField) colors = g_list_model_get_item(fields, i + 1);
    if (debye_field_get_kind(ways) == DEBYE_FIELD_PATHWAYS)
      debye_window_scene_show_pathways(scene, ways, colors, energies, g_ascii_strtod(level, NULL));
  }
}

/* On a surface of the density the potential says where a charge is drawn to. */
static void
color_density(DebyeWindowScene *scene, DebyeResult *result)
{
  GListModel *fields = debye_result_get_fields(result);
  g_autoptr(DebyeField) density = g_list_model_get_item(fields, 0);
  for (guint i = 1; i < g_list_model_get_n_items(fields); i++) {
    g_autoptr(DebyeField) field = g_list_model_get_item(fields, i);
    if (debye_field_get_kind(density) == DEBYE_FIELD_ELECTRON_DENSITY &&
        debye_field_get_kind(field) == DEBYE_FIELD_ELECTROSTATIC_POTENTIAL)
      debye_window_scene_color_surfaces(scene, density, field);
  }
}

static void
show_result(DebyeWindowComputing *self, DebyeResult *result)
{
  DebyeWindowScene *scene = debye_window_document_get_scene(self->document);
  g_autoptr(DebyeField) field = g_list_model_get_item(debye_result_get_fields(result), 0);
  if (scene == NULL)
    return;
  if (field != NULL)
    debye_window_scene_show_map(scene, field);
  show_ions(scene, result);
}

static void
on_partial(DebyeJob *job, GObject *result, DebyeWindowComputing *self)
{
  if (job != self->newest || g_object_get_data(G_OBJECT(job), SHOW) != NULL)
    return;
  show_result(self, DEBYE_RESULT(result));
  /* Once: what a person then does with it stays, until the map is whole. */
  if (g_object_get_data(G_OBJECT(job), ALIGNED) == NULL)
    g_signal_emit_by_name(self, "map-shown", result);
  g_object_set_data(G_OBJECT(job), ALIGNED, self);
  if (g_list_model_get_n_items(debye_result_get_curves(DEBYE_RESULT(result))) > 0)
    debye_plot_panel_set_growing(debye_window_get_plot_panel(get_window(self)), DEBYE_RESULT(result));
}

static void
keep_result(DebyeWindowComputing *self, DebyeJob *job, DebyeResult *result)
{
  const DebyeWindowShow *show = g_object_get_data(G_OBJECT(job), SHOW);
  debye_window_document_add_result(self->document, result);
  if (show != NULL) {
    (*show)(self, result);
  } else {
    show_result(self, result);
    debye_window_scene_finish_map(debye_window_document_get_scene(self->document));
    show_pathways(debye_window_document_get_scene(self->document), result);
    color_density(debye_window_document_get_scene(self->document), result);
  }
  g_signal_emit_by_name(self, "map-shown", result);
  /* A map is larger than its molecule. */
  if (g_list_model_get_n_items(debye_result_get_fields(result)) > 0)
    debye_view_3d_view_new(debye_window_get_view(get_window(self)));
}

static void
on_computed(DebyeJob *job, DebyeWindowComputing *self)
{
  DebyeResult *result = debye_job_get_result(job);
  const GError *error = debye_job_get_error(job);
  if (result != NULL)
    keep_result(self, job, result);
  else if (job == self->newest)
    debye_plot_panel_set_growing(debye_window_get_plot_panel(get_window(self)), NULL);
  if (debye_job_get_state(job) == DEBYE_JOB_FAILED)
    debye_window_toast_error(get_window(self), error->message);
  else if (debye_job_get_state(job) == DEBYE_JOB_STOPPED)
    debye_window_toast(get_window(self),
                       result != NULL ? _("Stopped; what was finished is kept") : _("Stopped"));
}

/* A result from a file can come without the molecule that it was made of. */
static gboolean
has_molecule(DebyeWindowComputing *self)
{
  gboolean has = debye_window_document_get_dataset(self->document) != NULL;
  if (!has)
    debye_window_toast(get_window(self), _("To compute, open a structure first"));
  return has;
}

void
debye_window_computing_run_request(DebyeWindowComputing *self, DebyeRequest *request, DebyeWindowShow show)
{
  g_return_if_fail(DEBYE_IS_WINDOW_COMPUTING(self) && DEBYE_IS_REQUEST(request));
  if (!has_molecule(self))
    return;
  /* What is asked for now would vanish behind the next frame's map. */
  if (g_strcmp0(debye_request_get_table(request)->id, "map") == 0)
    g_signal_emit_by_name(self, "map-wanted");
  g_autoptr(DebyeJob) job = debye_window_analyses_create_job(self->analyses, request);
  g_signal_connect_object(job, "partial", G_CALLBACK(on_partial), self, G_CONNECT_DEFAULT);
  g_signal_connect_object(job, "finished", G_CALLBACK(on_computed), self, G_CONNECT_DEFAULT);
  g_set_object(&self->newest, job);
  if (show != NULL)
    g_object_set_data_full(G_OBJECT(job), SHOW, g_memdup2(&show, sizeof show), g_free);
  debye_window_document_add_job(self->document, job, TRUE);
}

void
debye_window_computing_run_form_for(DebyeWindowComputing *self, DebyeAnalysisForm *form, DebyeWindowShow show)
{
  g_return_if_fail(DEBYE_IS_WINDOW_COMPUTING(self));
  g_clear_object(&self->waiting);
  self->show = show;
  if (form != NULL && debye_analysis_form_is_outdated(form))
    self->waiting = g_object_ref(form);
  else if (form != NULL && debye_analysis_form_can_run(form))
    debye_window_computing_run_request(self, debye_analysis_form_get_suggested(form), show);
  else if (form != NULL && show != NULL)
    show(self, NULL);
}

void
debye_window_computing_run_form(DebyeWindowComputing *self, DebyeAnalysisForm *form)
{
  debye_window_computing_run_form_for(self, form, NULL);
}

static void
run_waiting(DebyeWindowComputing *self, GParamSpec *spec G_GNUC_UNUSED, DebyeAnalysisForm *form)
{
  if (form == self->waiting && !debye_analysis_form_is_outdated(form))
    debye_window_computing_run_form_for(self, form, self->show);
}

/* --- Samples --- */

/* Whether a form is the one that the sample's command fills: others may be ready before it. */
static gboolean
is_sample_form(DebyeWindowComputing *self, DebyeAnalysisForm *form)
{
  g_auto(GStrv) words = NULL;
  return g_shell_parse_argv(self->sample_command, NULL, &words, NULL) &&
         debye_window_analyses_find_form(self->analyses, words[0]) == form;
}

static void
run_sample(DebyeWindowComputing *self, GParamSpec *spec G_GNUC_UNUSED, DebyeAnalysisForm *form)
{
  if (self->sample_command == NULL || !debye_analysis_form_can_run(form) || !is_sample_form(self, form))
    return;
  g_clear_pointer(&self->sample_command, g_free);
  debye_window_computing_run_form(self, form);
  debye_playback_bar_set_playing(debye_window_get_playback_bar(get_window(self)), TRUE);
}

static void
reset_form(DebyeAnalysisForm *form)
{
  const DebyeSettingTable *table = debye_analysis_form_get_table(form);
  for (gsize i = 0; i < table->n_settings; i++)
    debye_request_set(debye_analysis_form_get_request(form), table->settings[i].key, NULL, NULL);
}

/* "--spacing 0.7", "--cavities=-4", "--partials" or "--pair 'name OW' 'name OW'"; where it ends. */
static char **
fill_setting(DebyeAnalysisForm *form, char **word)
{
  const char *text = g_str_has_prefix(*word, "--") ? *word + 2 : *word, *equals = strchr(text, '=');
  g_autofree char *key = equals != NULL ? g_strndup(text, (gsize)(equals - text)) : g_strdup(text);
  const DebyeSetting *setting = debye_setting_table_find(debye_analysis_form_get_table(form), key);
  gsize n_values = 0;
  while (equals == NULL && word[1 + n_values] != NULL && !g_str_has_prefix(word[1 + n_values], "--"))
    n_values++;
  g_autofree char *value = equals != NULL  ? g_strdup(equals + 1)
                           : n_values == 0 ? g_strdup("true")
                           : n_values == 1 ? g_strdup(word[1])
                                           : g_strdup_printf("%s | %s", word[1], word[2]);
  if (setting != NULL)
    debye_request_set(debye_analysis_form_get_request(form), key, value, NULL);
  return word + 1 + n_values;
}

DebyeAnalysisForm *
debye_window_computing_fill_form(DebyeWindowComputing *self, const char *command)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_COMPUTING(self), NULL);
  g_auto(GStrv) words = NULL;
  if (!g_shell_parse_argv(command, NULL, &words, NULL))
    return NULL;
  DebyeAnalysisForm *form = debye_window_analyses_find_form(self->analyses, words[0]);
  if (form != NULL)
    reset_form(form);
  for (char **word = words + 1; form != NULL && *word != NULL;)
    word = fill_setting(form, word);
  if (form != NULL)
    debye_analysis_panel_show_form(debye_window_get_analysis_panel(get_window(self)), form);
  return form;
}

void
debye_window_computing_set_sample(DebyeWindowComputing *self, const char *command)
{
  g_return_if_fail(DEBYE_IS_WINDOW_COMPUTING(self));
  g_free(self->sample_command);
  self->sample_command = g_strdup(command);
  if (command != NULL)
    debye_window_computing_fill_form(self, command);
}

/* --- The object --- */

static void
connect_forms(DebyeWindowComputing *self)
{
  GListModel *forms = debye_window_analyses_get_forms(self->analyses);
  for (guint i = 0; i < g_list_model_get_n_items(forms); i++) {
    g_autoptr(DebyeAnalysisForm) form = g_list_model_get_item(forms, i);
    g_signal_connect_object(form, "notify::can-run", G_CALLBACK(run_sample), self, G_CONNECT_SWAPPED);
    g_signal_connect_object(form, "notify::can-run", G_CALLBACK(run_waiting), self, G_CONNECT_SWAPPED);
  }
}

DebyeWindowComputing *
debye_window_computing_new(DebyeWindowDocument *document, DebyePreferences *preferences,
                           DebyeDevices *devices)
{
  DebyeWindowComputing *self = g_object_new(DEBYE_TYPE_WINDOW_COMPUTING, NULL);
  self->document = g_object_ref(document);
  self->analyses = debye_window_analyses_new(preferences, devices);
  DebyeAnalysisPanel *panel = debye_window_get_analysis_panel(get_window(self));
  connect_forms(self);
  g_signal_connect_object(panel, "run", G_CALLBACK(debye_window_computing_run_form), self, G_CONNECT_SWAPPED);
  debye_analysis_panel_set_results(panel, debye_window_document_get_results(document));
  debye_analysis_panel_set_forms(panel, debye_window_analyses_get_forms(self->analyses));
  return self;
}

static void
debye_window_computing_finalize(GObject *object)
{
  DebyeWindowComputing *self = DEBYE_WINDOW_COMPUTING(object);
  g_clear_object(&self->newest);
  g_clear_object(&self->waiting);
  g_clear_object(&self->analyses);
  g_clear_object(&self->document);
  g_free(self->sample_command);
  G_OBJECT_CLASS(debye_window_computing_parent_class)->finalize(object);
}

static void
debye_window_computing_class_init(DebyeWindowComputingClass *class)
{
  const GType type = G_TYPE_FROM_CLASS(class);
  G_OBJECT_CLASS(class)->finalize = debye_window_computing_finalize;
  g_signal_new("map-wanted", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("map-shown", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, DEBYE_TYPE_RESULT);
}

static void
debye_window_computing_init(DebyeWindowComputing *self)
{
  self->newest = NULL;
}
