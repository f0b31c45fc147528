/* SPDX-License-Identifier: MIT */
/* Starts the jobs that compute and handles their results; called by the window's actions and forms. */
#include "app/analysis/ions/ion_structure.h"

#include <glib/gi18n.h>
#include "window_controller_private.h"

#define ALIGNED "debye-aligned" /* on a job: the picture goes with its map */

DebyeResult *
debye_window_controller_get_result(DebyeWindowController *self, guint position)
{
  return g_list_model_get_item(G_LIST_MODEL(self->results), position);
}

static void
show_ions(DebyeWindowController *self, DebyeResult *result)
{
  g_autoptr(DebyeFrame) frame = NULL;
  g_autoptr(DebyeTopology) topology = debye_ion_structure_new(result, &frame);
  if (topology != NULL && self->scene != NULL)
    debye_window_scene_show_ions(self->scene, topology, frame);
}

static void
show_result(DebyeWindowController *self, DebyeResult *result)
{
  g_autoptr(DebyeField) field = g_list_model_get_item(debye_result_get_fields(result), 0);
  if (field != NULL && self->scene != NULL)
    debye_window_scene_show_map(self->scene, field);
  show_ions(self, result);
}

static gboolean
has_curves(DebyeResult *result)
{
  return g_list_model_get_n_items(debye_result_get_curves(result)) > 0;
}

static void
on_partial(DebyeJob *job, GObject *result, DebyeWindowController *self)
{
  if (job != self->computing)
    return;
  show_result(self, DEBYE_RESULT(result));
  /* Once: what a person then does with it stays, until the map is whole. */
  if (g_object_get_data(G_OBJECT(job), ALIGNED) == NULL)
    debye_window_controller_align_with(self, DEBYE_RESULT(result));
  g_object_set_data(G_OBJECT(job), ALIGNED, self);
  if (has_curves(DEBYE_RESULT(result)))
    debye_plot_panel_set_growing(debye_window_get_plot_panel(self->window), DEBYE_RESULT(result));
}

static void
keep_result(DebyeWindowController *self, DebyeResult *result)
{
  g_list_store_insert(self->results, 0, result);
  show_result(self, result);
  debye_window_scene_finish_map(self->scene);
  debye_window_controller_align_with(self, result);
  /* A map is larger than its molecule. */
  if (g_list_model_get_n_items(debye_result_get_fields(result)) > 0)
    debye_view_3d_view_new(debye_window_get_view(self->window));
}

static void
on_computed(DebyeJob *job, DebyeWindowController *self)
{
  DebyeResult *result = debye_job_get_result(job);
  const GError *error = debye_job_get_error(job);
  if (result != NULL)
    keep_result(self, result);
  else if (job == self->computing)
    debye_plot_panel_set_growing(debye_window_get_plot_panel(self->window), NULL);
  if (debye_job_get_state(job) == DEBYE_JOB_FAILED)
    debye_window_toast_error(self->window, error->message);
  else if (debye_job_get_state(job) == DEBYE_JOB_STOPPED)
    debye_window_toast(self->window, result != NULL ? _("Stopped; what was finished is kept") : _("Stopped"));
}

void
debye_window_controller_add_job(DebyeWindowController *self, DebyeJob *job, gboolean computing)
{
  debye_job_queue_add(self->jobs, job, computing);
  self->stop_confirmed = self->stop_confirmed && !computing;
}

/* A result from a file can come without the molecule that it was made of. */
static gboolean
has_molecule(DebyeWindowController *self)
{
  gboolean has = self->document != NULL && debye_document_get_dataset(self->document) != NULL;
  if (!has)
    debye_window_toast(self->window, _("Computing needs a molecule: open the structure first"));
  return has;
}

void
debye_window_controller_run_request(DebyeWindowController *self, DebyeRequest *request)
{
  if (!has_molecule(self))
    return;
  /* What is asked for now would vanish behind the next frame's map. */
  if (g_strcmp0(debye_request_get_table(request)->id, "map") == 0)
    debye_window_controller_set_live(self, FALSE);
  g_autoptr(DebyeJob) job = debye_window_analyses_create_job(self->analyses, request);
  g_signal_connect_object(job, "partial", G_CALLBACK(on_partial), self, G_CONNECT_DEFAULT);
  g_signal_connect_object(job, "finished", G_CALLBACK(on_computed), self, G_CONNECT_DEFAULT);
  g_set_object(&self->computing, job);
  debye_window_controller_add_job(self, job, TRUE);
}

void
debye_window_controller_run_form(DebyeWindowController *self, DebyeAnalysisForm *form)
{
  g_clear_object(&self->waiting);
  if (form != NULL && debye_analysis_form_is_outdated(form))
    self->waiting = g_object_ref(form);
  else if (form != NULL && debye_analysis_form_can_run(form))
    debye_window_controller_run_request(self, debye_analysis_form_get_suggested(form));
}

void
debye_window_controller_run_waiting(DebyeWindowController *self, GParamSpec *spec G_GNUC_UNUSED,
                                    DebyeAnalysisForm *form)
{
  if (form == self->waiting && !debye_analysis_form_is_outdated(form))
    debye_window_controller_run_form(self, form);
}

/* --- Samples --- */

/* Whether a form is the one that the sample's command fills: others may be ready before it. */
static gboolean
is_sample_form(DebyeWindowController *self, DebyeAnalysisForm *form)
{
  g_auto(GStrv) words = NULL;
  return g_shell_parse_argv(self->sample_command, NULL, &words, NULL) &&
         debye_window_analyses_find_form(self->analyses, words[0]) == form;
}

void
debye_window_controller_run_sample(DebyeWindowController *self, GParamSpec *spec G_GNUC_UNUSED,
                                   DebyeAnalysisForm *form)
{
  if (self->sample_command == NULL || self->document == NULL || !debye_analysis_form_can_run(form) ||
      !is_sample_form(self, form))
    return;
  g_clear_pointer(&self->sample_command, g_free);
  debye_window_controller_run_form(self, form);
  debye_playback_bar_set_playing(debye_window_get_playback_bar(self->window), TRUE);
}

static void
reset_form(DebyeAnalysisForm *form)
{
  const DebyeSettingTable *table = debye_analysis_form_get_table(form);
  for (gsize i = 0; i < table->n_settings; i++)
    debye_request_set(debye_analysis_form_get_request(form), table->settings[i].key, NULL, NULL);
}

/* "--spacing 0.7", "--partials" or "--pair 'name OW' 'name OW'"; where it ends. */
static char **
fill_setting(DebyeAnalysisForm *form, char **word)
{
  const char *key = g_str_has_prefix(*word, "--") ? *word + 2 : *word;
  const DebyeSetting *setting = debye_setting_table_find(debye_analysis_form_get_table(form), key);
  gsize n_values = 0;
  while (word[1 + n_values] != NULL && !g_str_has_prefix(word[1 + n_values], "--"))
    n_values++;
  g_autofree char *value = n_values == 0   ? g_strdup("true")
                           : n_values == 1 ? g_strdup(word[1])
                                           : g_strdup_printf("%s | %s", word[1], word[2]);
  if (setting != NULL)
    debye_request_set(debye_analysis_form_get_request(form), key, value, NULL);
  return word + 1 + n_values;
}

DebyeAnalysisForm *
debye_window_controller_fill_form(DebyeWindowController *self, const char *command)
{
  g_auto(GStrv) words = NULL;
  if (!g_shell_parse_argv(command, NULL, &words, NULL))
    return NULL;
  DebyeAnalysisForm *form = debye_window_analyses_find_form(self->analyses, words[0]);
  if (form != NULL)
    reset_form(form);
  for (char **word = words + 1; form != NULL && *word != NULL;)
    word = fill_setting(form, word);
  if (form != NULL)
    debye_analysis_panel_show_form(debye_window_get_analysis_panel(self->window), form);
  return form;
}
