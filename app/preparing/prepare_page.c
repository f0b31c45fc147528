/* SPDX-License-Identifier: MIT */
/* Implementation of prepare_page.h. */
#include "prepare_page.h"

#include <string.h>

#include "app/analysis/prepare/prepare_job.h"
#include "prepare_texts.h"

#define MOST_STEPS 100 /* to go back */

static const char *const keys[] = {"ph",       "titrate",  "charges", "termini", "water",
                                   "optimise", "assembly", "keep",    NULL};
/* Of them and of files: what is of one structure alone. */
static const char *const own_keys[] = {"assembly", "keep", NULL};

struct _DebyePreparePage {
  GObject parent_instance;
  DebyePreparePanel *panel;
  DebyeRequest *request;
  DebyeDocument *document; /* NULL: none */
  GPtrArray *earlier;      /* DebyePreparation, or NULL: the files' structure */
  guint n_back;            /* how many of them are being gone back; 0: none */
  GPtrArray *pending;      /* DebyePreparationState of what is on its way; NULL: nothing is */
  gboolean is_filling;
  DebyePrepareSurvey survey;
  gboolean is_surveyed;
  GCancellable *surveying; /* NULL: nothing is looked at */
};

enum { FOUND, ORDER, SHOW, RESIDUE, SAVE, CHOOSE_LIGAND, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE(DebyePreparePage, debye_prepare_page, G_TYPE_OBJECT)

static DebyePreparation *
get_preparation(DebyePreparePage *self)
{
  return self->document != NULL ? debye_document_get_preparation(self->document) : NULL;
}

/* --- What the file lacks --- */

typedef struct {
  DebyeTopology *topology;
  DebyeFrame *frame;
  DebyeChargeTable table;
  DebyeRequest *request;
} Looking;

static void
looking_free(gpointer data)
{
  Looking *looking = data;
  g_object_unref(looking->topology);
  debye_frame_unref(looking->frame);
  g_object_unref(looking->request);
  g_free(looking);
}

static void
survey_free(gpointer data)
{
  debye_prepare_survey_clear(data);
  g_free(data);
}

static void
look(GTask *task, gpointer source G_GNUC_UNUSED, gpointer data, GCancellable *cancellable G_GNUC_UNUSED)
{
  const Looking *looking = data;
  DebyePrepareSurvey *survey = g_new0(DebyePrepareSurvey, 1);
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) ligands = debye_prepare_job_read_ligands(looking->request, &error);
  debye_prepare_survey(looking->topology, looking->frame, looking->table, ligands, survey);
  if (error != NULL && survey->problem == NULL)
    survey->problem = g_strdup(error->message);
  g_task_return_pointer(task, survey, survey_free);
}

static void
show_facts(DebyePreparePage *self)
{
  const char *problem = self->survey.problem;
  g_autofree char *facts = debye_prepare_texts_facts(&self->survey);
  g_autofree char *plan =
      debye_prepare_texts_plan(&self->survey, debye_request_is_set(self->request, "keep"));
  debye_prepare_panel_set_facts(self->panel, facts, problem == NULL ? plan : NULL);
  debye_prepare_panel_set_problem(self->panel, problem);
}

static void
on_looked(GObject *object, GAsyncResult *result, gpointer data G_GNUC_UNUSED)
{
  DebyePreparePage *self = DEBYE_PREPARE_PAGE(object);
  DebyePrepareSurvey *survey = g_task_propagate_pointer(G_TASK(result), NULL);
  if (survey == NULL)
    return; /* something else is looked at, or nothing any more */
  g_clear_object(&self->surveying);
  debye_prepare_survey_clear(&self->survey);
  self->survey = *survey;
  g_free(survey);
  self->is_surveyed = TRUE;
  if (get_preparation(self) != NULL)
    return;
  show_facts(self);
  debye_prepare_panel_set_ready(self->panel, TRUE);
  g_signal_emit(self, signals[FOUND], 0, debye_prepare_survey_is_bare(&self->survey));
}

static void
forget_survey(DebyePreparePage *self)
{
  if (self->surveying != NULL)
    g_cancellable_cancel(self->surveying);
  g_clear_object(&self->surveying);
  self->is_surveyed = FALSE;
}

static void
start_look(DebyePreparePage *self)
{
  DebyePrepareJobSettings settings;
  DebyeFrame *frame = debye_document_get_first_frame(self->document);
  forget_survey(self);
  if (frame == NULL)
    return;
  debye_request_fill(self->request, &settings);
  Looking *looking = g_new0(Looking, 1);
  looking->topology = g_object_ref(debye_document_get_topology(self->document));
  looking->frame = debye_frame_ref(frame);
  looking->table = settings.table;
  looking->request = debye_request_copy(self->request);
  self->surveying = g_cancellable_new();
  g_autoptr(GTask) task = g_task_new(self, self->surveying, on_looked, NULL);
  g_task_set_task_data(task, looking, looking_free);
  g_task_run_in_thread(task, look);
}

gboolean
debye_prepare_page_may_be_bare(DebyePreparePage *self)
{
  g_return_val_if_fail(DEBYE_IS_PREPARE_PAGE(self), FALSE);
  DebyeTopology *topology = self->document != NULL ? debye_document_get_topology(self->document) : NULL;
  return topology != NULL && debye_topology_get_charges(topology) == NULL &&
         (!self->is_surveyed || debye_prepare_survey_is_bare(&self->survey));
}

char *
debye_prepare_page_describe_lack(DebyePreparePage *self)
{
  g_return_val_if_fail(DEBYE_IS_PREPARE_PAGE(self), NULL);
  const gboolean is_bare =
      self->is_surveyed && get_preparation(self) == NULL && debye_prepare_survey_is_bare(&self->survey);
  return is_bare ? debye_prepare_texts_lack(&self->survey) : NULL;
}

/* --- What is to be done --- */

/* The states that the next choice goes on from: what is on its way isn't lost. */
static GPtrArray *
get_states(DebyePreparePage *self)
{
  DebyePreparation *preparation = get_preparation(self);
  if (self->pending != NULL)
    return self->pending;
  return preparation != NULL ? debye_preparation_get_states(preparation) : NULL;
}

static void
set_pending(DebyePreparePage *self, GPtrArray *states)
{
  GPtrArray *before = self->pending;
  self->pending = states != NULL ? g_ptr_array_ref(states) : NULL;
  g_clear_pointer(&before, g_ptr_array_unref);
}

static void
order(DebyePreparePage *self, GPtrArray *states)
{
  set_pending(self, states);
  self->n_back = 0;
  const DebyePreparationOrder made = {.request = self->request, .states = states, .leaves_out_unknown = TRUE};
  debye_prepare_panel_set_ready(self->panel, FALSE);
  debye_prepare_panel_set_problem(self->panel, NULL);
  g_signal_emit(self, signals[ORDER], 0, &made);
}

void
debye_prepare_page_run(DebyePreparePage *self, gboolean drops_water)
{
  g_return_if_fail(DEBYE_IS_PREPARE_PAGE(self) && self->document != NULL);
  if (drops_water)
    debye_request_set(self->request, "water", "drop", NULL);
  order(self, get_states(self));
}

void
debye_prepare_page_choose(DebyePreparePage *self, const char *chain, const char *residue, const char *state)
{
  g_return_if_fail(DEBYE_IS_PREPARE_PAGE(self) && chain != NULL && residue != NULL);
  if (get_preparation(self) == NULL)
    return;
  g_autoptr(GPtrArray) states = debye_preparation_states_with(get_states(self), chain, residue, state);
  order(self, states);
}

void
debye_prepare_page_undo(DebyePreparePage *self)
{
  g_return_if_fail(DEBYE_IS_PREPARE_PAGE(self));
  if (get_preparation(self) == NULL || self->n_back > self->earlier->len)
    return;
  DebyePreparation *before = NULL;
  if (self->n_back < self->earlier->len)
    before = self->earlier->pdata[self->earlier->len - 1 - self->n_back];
  self->n_back++;
  set_pending(self, before != NULL ? debye_preparation_get_states(before) : NULL);
  debye_prepare_panel_set_ready(self->panel, FALSE);
  g_signal_emit(self, signals[SHOW], 0, before);
}

static void
show_decisions(DebyePreparePage *self)
{
  DebyePreparation *preparation = get_preparation(self);
  g_autoptr(GPtrArray) items = preparation != NULL ? debye_prepare_texts_list(preparation) : NULL;
  g_autofree char *summary = preparation != NULL ? debye_preparation_describe(preparation) : NULL;
  g_autofree char *origin = preparation != NULL ? debye_prepare_texts_origin(preparation) : NULL;
  debye_prepare_panel_set_decisions(self->panel, items, summary, origin);
}

/* What failed leaves the list as it is: a state that was refused is shown as what it still is. */
void
debye_prepare_page_end(DebyePreparePage *self, const char *problem)
{
  g_return_if_fail(DEBYE_IS_PREPARE_PAGE(self));
  self->n_back = 0;
  set_pending(self, NULL);
  debye_prepare_panel_set_ready(self->panel, TRUE);
  debye_prepare_panel_set_problem(self->panel, problem);
  debye_prepare_panel_take_back(self->panel);
}

/* --- Another document --- */

static void
object_unref_if_any(gpointer object)
{
  if (object != NULL)
    g_object_unref(object);
}

static gboolean
is_same_origin(DebyeDocument *one, DebyeDocument *other)
{
  return one != NULL && other != NULL && debye_document_get_origin(one) == debye_document_get_origin(other);
}

static void
remember_step(DebyePreparePage *self, DebyeDocument *document)
{
  DebyePreparation *before = get_preparation(self);
  DebyePreparation *now = document != NULL ? debye_document_get_preparation(document) : NULL;
  if (!is_same_origin(self->document, document))
    g_ptr_array_set_size(self->earlier, 0);
  else if (self->n_back > 0)
    g_ptr_array_set_size(self->earlier, (gint)(self->earlier->len - MIN(self->n_back, self->earlier->len)));
  else if (now != NULL && now != before)
    g_ptr_array_add(self->earlier, before != NULL ? g_object_ref(before) : NULL);
  if (self->earlier->len > MOST_STEPS)
    g_ptr_array_remove_index(self->earlier, 0);
  self->n_back = 0;
  set_pending(self, NULL);
}

/* All as the structure was made, those settings too that have no row: prepared again it is of the same model. What another table
 * doesn't know is found anew. */
static void
take_settings(DebyePreparePage *self, DebyePreparation *preparation)
{
  DebyeRequest *made = debye_preparation_get_request(preparation);
  const DebyeSettingTable *table = debye_request_get_table(made);
  self->is_filling = TRUE;
  for (gsize i = 0; i < table->n_settings; i++) {
    const char *key = table->settings[i].key;
    const gboolean is_own = strcmp(key, "keep") == 0 && debye_preparation_keeps_known(preparation);
    debye_request_set(self->request, key,
                      debye_request_is_set(made, key) && !is_own ? debye_request_get(made, key) : NULL, NULL);
  }
  self->is_filling = FALSE;
}

/* What was chosen in rows goes on to another file, but for what names its atoms. */
static void
forget_settings(DebyePreparePage *self)
{
  const DebyeSettingTable *table = debye_request_get_table(self->request);
  for (gsize i = 0; i < table->n_settings; i++) {
    const char *key = table->settings[i].key;
    if (!g_strv_contains(keys, key) || g_strv_contains(own_keys, key))
      debye_request_set(self->request, key, NULL, NULL);
  }
}

void
debye_prepare_page_set_frame(DebyePreparePage *self, gsize frame)
{
  g_return_if_fail(DEBYE_IS_PREPARE_PAGE(self));
  g_autofree char *model = frame > 0 ? g_strdup_printf("%" G_GSIZE_FORMAT, frame + 1) : NULL;
  self->is_filling = TRUE;
  debye_request_set(self->request, "model", model, NULL);
  self->is_filling = FALSE;
}

static void
show_document(DebyePreparePage *self)
{
  DebyePreparation *preparation = get_preparation(self);
  DebyeDataset *origin = debye_document_get_origin(self->document);
  debye_prepare_panel_set_problem(self->panel, NULL);
  show_decisions(self);
  if (preparation == NULL) {
    debye_prepare_panel_set_ready(self->panel, FALSE);
    start_look(self);
    return;
  }
  forget_survey(self);
  take_settings(self, preparation);
  debye_prepare_panel_set_system(self->panel, debye_dataset_get_topology(origin), NULL);
  debye_prepare_panel_set_ready(self->panel, TRUE);
  g_signal_emit(self, signals[FOUND], 0, TRUE);
}

void
debye_prepare_page_set_document(DebyePreparePage *self, DebyeDocument *document)
{
  g_return_if_fail(DEBYE_IS_PREPARE_PAGE(self));
  const gboolean is_other = !is_same_origin(self->document, document);
  const gboolean is_same = self->document != NULL && document != NULL && !is_other &&
                           get_preparation(self) == debye_document_get_preparation(document);
  remember_step(self, document);
  g_set_object(&self->document, document);
  if (is_same)
    return;
  if (document != NULL && debye_document_get_dataset(document) != NULL) {
    if (is_other && get_preparation(self) == NULL)
      debye_prepare_panel_set_system(self->panel, debye_document_get_topology(document),
                                     debye_document_get_first_frame(document));
    if (is_other)
      forget_settings(self);
    show_document(self);
  } else {
    forget_survey(self);
    g_signal_emit(self, signals[FOUND], 0, FALSE);
  }
}

/* --- The panel --- */

static void
on_run(DebyePreparePage *self)
{
  debye_prepare_page_run(self, FALSE);
}

static void
on_save(DebyePreparePage *self)
{
  g_signal_emit(self, signals[SAVE], 0);
}

/* --- Files of ligands --- */

static void
show_ligands(DebyePreparePage *self)
{
  g_auto(GStrv) paths = debye_setting_split_values(debye_request_get(self->request, "ligand"));
  debye_prepare_panel_set_ligands(self->panel, (const char *const *)paths);
}

void
debye_prepare_page_add_ligand(DebyePreparePage *self, const char *path)
{
  g_return_if_fail(DEBYE_IS_PREPARE_PAGE(self) && path != NULL);
  const char *before =
      debye_request_is_set(self->request, "ligand") ? debye_request_get(self->request, "ligand") : "";
  g_autofree char *lines = g_strdup_printf("%s%s%s", before, *before != '\0' ? "\n" : "", path);
  debye_request_set(self->request, "ligand", lines, NULL);
}

static void
on_ligand_wanted(DebyePreparePage *self)
{
  g_signal_emit(self, signals[CHOOSE_LIGAND], 0);
}

static void
on_ligands_cleared(DebyePreparePage *self)
{
  debye_request_set(self->request, "ligand", NULL, NULL);
}

static void
on_shown(DebyePreparePage *self, DebyeDecisionItem *item)
{
  const DebyeDecisionFacts *facts = debye_decision_item_get(item);
  g_signal_emit(self, signals[RESIDUE], 0, facts->chain, facts->residue);
}

static void
on_state_chosen(DebyePreparePage *self, DebyeDecisionItem *item, const char *state)
{
  const DebyeDecisionFacts *facts = debye_decision_item_get(item);
  debye_prepare_page_choose(self, facts->chain, facts->residue, state);
}

/* Another table knows other residues; what is kept changes what is left out. */
static void
on_settings_changed(DebyePreparePage *self)
{
  show_ligands(self);
  if (self->document != NULL && get_preparation(self) == NULL && !self->is_filling)
    start_look(self);
}

/* --- The object --- */

DebyePreparePage *
debye_prepare_page_new(DebyePreparePanel *panel)
{
  DebyePreparePage *self = g_object_new(DEBYE_TYPE_PREPARE_PAGE, NULL);
  const GConnectFlags swapped = G_CONNECT_SWAPPED;
  self->panel = g_object_ref(panel);
  debye_prepare_panel_set_request(panel, self->request, keys);
  g_signal_connect_object(panel, "run", G_CALLBACK(on_run), self, swapped);
  g_signal_connect_object(panel, "undo", G_CALLBACK(debye_prepare_page_undo), self, swapped);
  g_signal_connect_object(panel, "save", G_CALLBACK(on_save), self, swapped);
  g_signal_connect_object(panel, "ligand-wanted", G_CALLBACK(on_ligand_wanted), self, swapped);
  g_signal_connect_object(panel, "ligands-cleared", G_CALLBACK(on_ligands_cleared), self, swapped);
  g_signal_connect_object(panel, "shown", G_CALLBACK(on_shown), self, swapped);
  g_signal_connect_object(panel, "state-chosen", G_CALLBACK(on_state_chosen), self, swapped);
  g_signal_connect_object(panel, "settings-changed", G_CALLBACK(on_settings_changed), self, swapped);
  return self;
}

static void
debye_prepare_page_finalize(GObject *object)
{
  DebyePreparePage *self = DEBYE_PREPARE_PAGE(object);
  forget_survey(self);
  debye_prepare_survey_clear(&self->survey);
  g_ptr_array_unref(self->earlier);
  set_pending(self, NULL);
  g_clear_object(&self->document);
  g_clear_object(&self->request);
  g_clear_object(&self->panel);
  G_OBJECT_CLASS(debye_prepare_page_parent_class)->finalize(object);
}

static void
debye_prepare_page_class_init(DebyePreparePageClass *class)
{
  const GType type = G_TYPE_FROM_CLASS(class);
  G_OBJECT_CLASS(class)->finalize = debye_prepare_page_finalize;
  signals[FOUND] =
      g_signal_new("found", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
  signals[ORDER] =
      g_signal_new("order", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[SHOW] = g_signal_new("show", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                               DEBYE_TYPE_PREPARATION);
  signals[RESIDUE] = g_signal_new("residue", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                  G_TYPE_STRING, G_TYPE_STRING);
  signals[SAVE] = g_signal_new("save", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[CHOOSE_LIGAND] =
      g_signal_new("choose-ligand", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
debye_prepare_page_init(DebyePreparePage *self)
{
  self->request = debye_request_new(&debye_prepare_settings);
  self->earlier = g_ptr_array_new_with_free_func(object_unref_if_any);
}
