/* SPDX-License-Identifier: MIT */
/* The forms of one window and the jobs made of them; made by window_controller.c. */
#include "window_analyses.h"

#include <glib/gi18n.h>
#include <math.h>
#include <sys/resource.h>

#include "data/messages/message.h"
#include "app/analysis/driver/dataset_choice.h"
#include "app/analysis/driver/processor_load.h"
#include "app/document/map_file.h"
#include "ui/widgets/number_text.h"
#include "app/analysis/analysis_list.h"

/* A new mesh and a new picture for each partial map: more often than this the eye gains nothing. */
#define PARTIAL_INTERVAL (G_USEC_PER_SEC / 2)

struct _DebyeWindowAnalyses {
  GObject parent_instance;
  DebyePreferences *preferences;
  DebyeDevices *devices;
  GListStore *forms;
  DebyeDataset *dataset;
};

G_DEFINE_FINAL_TYPE(DebyeWindowAnalyses, debye_window_analyses, G_TYPE_OBJECT)

/* --- Looking ahead: suggestion, check and estimate, on a thread --- */

typedef struct {
  const DebyeAnalysis *analysis;
  DebyeDataset *dataset;
  DebyeRequest *request; /* the user's */
  DebyeDevices *devices;
  DebyePlan *plan; /* found by the thread; NULL: the dataset's choices are refused */
  const char *problem_key;
  char *problem, *estimate;
} Outlook;

static void
outlook_free(gpointer data)
{
  Outlook *outlook = data;
  g_clear_object(&outlook->dataset);
  g_clear_object(&outlook->request);
  debye_devices_unref(outlook->devices);
  debye_plan_free(outlook->plan);
  g_free(outlook->problem);
  g_free(outlook->estimate);
  g_free(outlook);
}

static char *
duration_text(double seconds)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  if (seconds < 1.0)
    return g_strdup(_("under 1 s"));
  if (seconds < 10.0)
    return g_strdup_printf("≈ %s s", g_ascii_formatd(number, sizeof number, "%.1f", seconds));
  if (seconds < 100.0)
    return g_strdup_printf("≈ %.0f s", seconds);
  return seconds < 6000.0
             ? g_strdup_printf("≈ %.0f min", seconds / 60.0)
             : g_strdup_printf("≈ %s h", g_ascii_formatd(number, sizeof number, "%.1f", seconds / 3600.0));
}

static char *
estimate_text(const DebyeEstimate *estimate)
{
  g_autofree char *duration = duration_text(estimate->seconds);
  g_autofree char *bytes = debye_size_text(estimate->host_bytes + estimate->device_bytes);
  g_autofree char *devices = debye_message_translate(estimate->devices);
  return g_strdup_printf("%s · %s · %s", duration, bytes, devices);
}

/* FALSE with an error. */
static gboolean
make_plan(Outlook *outlook, DebyeEstimate *estimate, GError **error)
{
  g_autoptr(DebyeDataset) dataset =
      debye_dataset_choose(outlook->dataset, outlook->request, &outlook->problem_key, error);
  if (dataset == NULL)
    return FALSE;
  outlook->plan = debye_plan_new(outlook->analysis, dataset, outlook->request);
  outlook->problem_key = outlook->plan->key;
  /* Devices take a moment to start: what is refused needs none. */
  const DebyeRegistry *registry =
      outlook->plan->refusal == NULL ? debye_devices_wait(outlook->devices) : NULL;
  return debye_plan_estimate(outlook->plan, registry, estimate, error);
}

static void
look_ahead(GTask *task, gpointer source G_GNUC_UNUSED, gpointer data, GCancellable *cancellable G_GNUC_UNUSED)
{
  Outlook *outlook = data;
  g_autoptr(GError) error = NULL;
  DebyeEstimate estimate = {0};
  if (make_plan(outlook, &estimate, &error)) {
    debye_processor_load_count(&estimate);
    outlook->estimate = estimate_text(&estimate);
  } else {
    outlook->problem = g_strdup(error->message);
  }
  debye_estimate_clear(&estimate);
  g_task_return_boolean(task, TRUE);
}

/* A form keeps the plan of what it shows until somebody runs it or changes something. */
static void
keep_plan(DebyeAnalysisForm *form, DebyePlan *plan)
{
  g_object_set_data_full(G_OBJECT(form), "plan", plan, (GDestroyNotify)debye_plan_free);
}

static void
on_looked_ahead(GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr(DebyeAnalysisForm) form = data;
  Outlook *outlook = g_task_get_task_data(G_TASK(result));
  if (!g_task_propagate_boolean(G_TASK(result), NULL))
    return;
  debye_analysis_form_set_suggested(form, outlook->plan != NULL ? outlook->plan->request : outlook->request);
  debye_analysis_form_set_estimate(form, outlook->estimate);
  debye_analysis_form_set_problem(form, outlook->problem_key, outlook->problem);
  keep_plan(form, outlook->problem == NULL ? g_steal_pointer(&outlook->plan) : NULL);
}

/* The task before is cancelled: its answer is to a question nobody asks any more. */
static GCancellable *
replace_cancellable(DebyeAnalysisForm *form)
{
  GCancellable *old = g_object_get_data(G_OBJECT(form), "outlook");
  GCancellable *fresh = g_cancellable_new();
  g_cancellable_cancel(old);
  g_object_set_data_full(G_OBJECT(form), "outlook", fresh, g_object_unref);
  return fresh;
}

/* "No continuum solvent, ε = 1". */
static void
show_remark(DebyeAnalysisForm *form)
{
  const DebyeAnalysis *analysis = debye_analysis_find(debye_analysis_form_get_table(form)->id);
  if (analysis->remark == NULL)
    return;
  g_autofree char *remark = analysis->remark(debye_analysis_form_get_request(form));
  g_autofree char *words = debye_message_translate(remark);
  g_autofree char *sentence = debye_sentence_case(words);
  debye_analysis_form_set_remark(form, sentence);
}

static void
update_form(DebyeWindowAnalyses *self, DebyeAnalysisForm *form)
{
  g_autoptr(GCancellable) cancellable = g_object_ref(replace_cancellable(form));
  show_remark(form);
  keep_plan(form, NULL);
  if (self->dataset == NULL) {
    debye_analysis_form_set_problem(form, NULL, _("Open a molecule with charges first"));
    return;
  }
  debye_analysis_form_set_outdated(form);
  /* Held by the callback and not by the task, whose thread may be the last to let go of it. */
  g_autoptr(GTask) task = g_task_new(NULL, cancellable, on_looked_ahead, g_object_ref(form));
  Outlook *outlook = g_new0(Outlook, 1);
  outlook->analysis = debye_analysis_find(debye_analysis_form_get_table(form)->id);
  outlook->dataset = g_object_ref(self->dataset);
  outlook->request = debye_window_analyses_complete_request(self, debye_analysis_form_get_request(form));
  outlook->devices = debye_devices_ref(self->devices);
  g_task_set_task_data(task, outlook, outlook_free);
  g_task_run_in_thread(task, look_ahead);
}

static void
on_request_changed(DebyeRequest *request, const char *key G_GNUC_UNUSED, DebyeWindowAnalyses *self)
{
  DebyeAnalysisForm *form = debye_window_analyses_find_form(self, debye_request_get_table(request)->id);
  if (form != NULL)
    update_form(self, form);
}

/* --- Computing, as a job --- */

typedef struct {
  const DebyeAnalysis *analysis;
  DebyeDataset *dataset;
  DebyeRequest *request;
  DebyeDevices *devices;
  DebyePlan *plan; /* the form's; NULL: to be made */
} Work;

static void
work_free(gpointer data)
{
  Work *work = data;
  g_clear_object(&work->dataset);
  g_clear_object(&work->request);
  debye_devices_unref(work->devices);
  debye_plan_free(work->plan);
  g_free(work);
}

/* One run, as its callbacks see it. */
typedef struct {
  DebyeJob *job;
  gint64 last_partial;
} Run;

static void
on_progress(double fraction, const char *message, gpointer data)
{
  Run *run = data;
  debye_job_set_progress(run->job, fraction);
  if (message != NULL)
    debye_job_set_message(run->job, "%s", message);
}

static void
on_partial(DebyeResult *result, gpointer data)
{
  Run *run = data;
  gint64 now = g_get_monotonic_time();
  if (now - run->last_partial < PARTIAL_INTERVAL)
    return;
  run->last_partial = now;
  debye_map_file_prepare_result(result);
  debye_job_publish(run->job, result);
}

static gboolean
plan_work(Work *work, GError **error)
{
  g_autoptr(DebyeDataset) dataset = debye_dataset_choose(work->dataset, work->request, NULL, error);
  if (dataset != NULL)
    work->plan = debye_plan_new(work->analysis, dataset, work->request);
  return dataset != NULL;
}

static gpointer
run_analysis(DebyeJob *job, gpointer data, GError **error)
{
  Work *work = data;
  Run run = {.job = job};
  DebyeRunCallbacks callbacks = {
      .cancel = debye_job_get_cancel_flag(job), .progress = on_progress, .partial = on_partial, .data = &run};
  debye_job_set_message(job, _("Starting the devices"));
  const DebyeRegistry *registry = debye_devices_wait(work->devices);
  debye_job_set_message(job, _("Reading the first frame"));
  /* On Linux this is of the thread alone, and the threads that a run starts have it from this one. */
  setpriority(PRIO_PROCESS, 0, DEBYE_RUN_NICENESS);
  if (work->plan == NULL && !plan_work(work, error))
    return NULL;
  DebyeResult *result = debye_plan_run(work->plan, registry, &callbacks, NULL, error);
  if (result == NULL)
    return NULL;
  debye_dataset_choice_add_notes(work->plan->dataset, result);
  debye_map_file_prepare_result(result);
  return result;
}

/* What the form leaves open is as in the picture. */
static void
complete_choice(DebyeRequest *request, const char *key, const char *value)
{
  if (debye_setting_table_find(debye_request_get_table(request), key) != NULL &&
      !debye_request_is_set(request, key))
    debye_request_set(request, key, value, NULL);
}

DebyeRequest *
debye_window_analyses_complete_request(DebyeWindowAnalyses *self, DebyeRequest *request)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_ANALYSES(self) && self->dataset != NULL, NULL);
  DebyeRequest *complete = debye_request_copy(request);
  const char *const *choices = debye_dataset_get_element_choices(self->dataset);
  g_autofree char *lines = *choices != NULL ? g_strjoinv("\n", (char **)choices) : NULL;
  if (debye_setting_table_find(debye_request_get_table(request), "element") != NULL)
    debye_request_set(complete, "element", lines, NULL);
  complete_choice(complete, "altloc", debye_dataset_get_altloc(self->dataset));
  complete_choice(complete, "cell", debye_dataset_get_cell_choice(self->dataset));
  if (debye_dataset_get_length_unit(self->dataset) != NULL)
    complete_choice(complete, "length-unit", debye_dataset_get_length_unit(self->dataset));
  return complete;
}

/* The plan that a form has kept, where it is of this request; else NULL. */
static DebyePlan *
take_plan(DebyeWindowAnalyses *self, DebyeRequest *request)
{
  DebyeAnalysisForm *form = debye_window_analyses_find_form(self, debye_request_get_table(request)->id);
  const DebyePlan *plan = form != NULL ? g_object_get_data(G_OBJECT(form), "plan") : NULL;
  return plan != NULL && plan->request == request ? g_object_steal_data(G_OBJECT(form), "plan") : NULL;
}

DebyeJob *
debye_window_analyses_create_job(DebyeWindowAnalyses *self, DebyeRequest *request)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_ANALYSES(self) && self->dataset != NULL, NULL);
  const DebyeSettingTable *table = debye_request_get_table(request);
  Work *work = g_new0(Work, 1);
  work->analysis = debye_analysis_find(table->id);
  work->dataset = g_object_ref(self->dataset);
  work->request = debye_window_analyses_complete_request(self, request);
  work->devices = debye_devices_ref(self->devices);
  work->plan = take_plan(self, request);
  return debye_job_new(table->title, run_analysis, work, work_free);
}

/* --- The forms --- */

static void
prefill(DebyeRequest *request, const char *key, const char *value)
{
  const DebyeSetting *setting = debye_setting_table_find(debye_request_get_table(request), key);
  if (setting != NULL && g_strcmp0(setting->initial, value) != 0)
    debye_request_set(request, key, value, NULL);
}

void
debye_window_analyses_prefill(DebyeWindowAnalyses *self, DebyeRequest *request)
{
  g_return_if_fail(DEBYE_IS_WINDOW_ANALYSES(self) && DEBYE_IS_REQUEST(request));
  g_autofree char *unit = NULL, *device = NULL, *memory = NULL;
  double temperature = NAN;
  int threads = 0;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_object_get(self->preferences, "unit", &unit, "device", &device, "temperature", &temperature, "memory",
               &memory, "threads", &threads, NULL);
  prefill(request, "unit", unit);
  prefill(request, "device", device);
  if (*memory != '\0')
    prefill(request, "memory", memory);
  g_snprintf(number, sizeof number, "%d", threads);
  prefill(request, "threads", number);
  prefill(request, "temperature", g_ascii_formatd(number, sizeof number, "%g", temperature));
}

DebyeWindowAnalyses *
debye_window_analyses_new(DebyePreferences *preferences, DebyeDevices *devices)
{
  DebyeWindowAnalyses *self = g_object_new(DEBYE_TYPE_WINDOW_ANALYSES, NULL);
  self->preferences = g_object_ref(preferences);
  self->devices = debye_devices_ref(devices);
  for (const DebyeAnalysis *const *analysis = debye_analysis_list(); *analysis != NULL; analysis++) {
    g_autoptr(DebyeAnalysisForm) form = debye_analysis_form_new((*analysis)->table);
    DebyeRequest *request = debye_analysis_form_get_request(form);
    debye_window_analyses_prefill(self, request);
    show_remark(form);
    g_signal_connect_object(request, "changed", G_CALLBACK(on_request_changed), self, G_CONNECT_DEFAULT);
    g_list_store_append(self->forms, form);
  }
  return self;
}

DebyeDevices *
debye_window_analyses_get_devices(DebyeWindowAnalyses *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_ANALYSES(self), NULL);
  return self->devices;
}

GListModel *
debye_window_analyses_get_forms(DebyeWindowAnalyses *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_ANALYSES(self), NULL);
  return G_LIST_MODEL(self->forms);
}

void
debye_window_analyses_set_dataset(DebyeWindowAnalyses *self, DebyeDataset *dataset)
{
  g_return_if_fail(DEBYE_IS_WINDOW_ANALYSES(self));
  g_set_object(&self->dataset, dataset);
  for (guint i = 0; i < g_list_model_get_n_items(G_LIST_MODEL(self->forms)); i++) {
    g_autoptr(DebyeAnalysisForm) form = g_list_model_get_item(G_LIST_MODEL(self->forms), i);
    update_form(self, form);
  }
}

void
debye_window_analyses_advise_atoms(DebyeWindowAnalyses *self, const DebyeSuggestedAtoms *suggested)
{
  g_return_if_fail(DEBYE_IS_WINDOW_ANALYSES(self));
  for (guint i = 0; suggested != NULL && i < g_list_model_get_n_items(G_LIST_MODEL(self->forms)); i++) {
    g_autoptr(DebyeAnalysisForm) form = g_list_model_get_item(G_LIST_MODEL(self->forms), i);
    const DebyeAnalysis *analysis = debye_analysis_find(debye_analysis_form_get_table(form)->id);
    if (analysis->about_solute)
      debye_analysis_form_advise(form, "select", suggested->selection, suggested->reason);
    if (analysis->about_pair)
      debye_analysis_form_advise(form, "pair", suggested->pair, suggested->pair_reason);
  }
}

DebyeAnalysisForm *
debye_window_analyses_find_form(DebyeWindowAnalyses *self, const char *id)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_ANALYSES(self), NULL);
  for (guint i = 0; i < g_list_model_get_n_items(G_LIST_MODEL(self->forms)); i++) {
    g_autoptr(DebyeAnalysisForm) form = g_list_model_get_item(G_LIST_MODEL(self->forms), i);
    if (g_strcmp0(debye_analysis_form_get_table(form)->id, id) == 0)
      return form;
  }
  return NULL;
}

static void
debye_window_analyses_dispose(GObject *object)
{
  DebyeWindowAnalyses *self = DEBYE_WINDOW_ANALYSES(object);
  g_clear_object(&self->forms);
  g_clear_object(&self->dataset);
  g_clear_object(&self->preferences);
  g_clear_pointer(&self->devices, debye_devices_unref);
  G_OBJECT_CLASS(debye_window_analyses_parent_class)->dispose(object);
}

static void
debye_window_analyses_class_init(DebyeWindowAnalysesClass *class)
{
  G_OBJECT_CLASS(class)->dispose = debye_window_analyses_dispose;
}

static void
debye_window_analyses_init(DebyeWindowAnalyses *self)
{
  self->forms = g_list_store_new(DEBYE_TYPE_ANALYSIS_FORM);
}
