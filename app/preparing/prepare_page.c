/* SPDX-License-Identifier: MIT */
/* Implementation of prepare_page.h. */
#include "prepare_page.h"

#include <math.h>
#include <string.h>

#include "app/analysis/prepare/prepare_job.h"
#include "prepare_look.h"
#include "prepare_texts.h"

#define MOST_STEPS 100 /* to go back */

/* Milliseconds without another pH before the structure follows. */
#define PATIENCE 150

static const char *const keys[] = {"ph",
                                   "titrate",
                                   "solute-permittivity",
                                   "ionic-strength",
                                   "charges",
                                   "termini",
                                   "water",
                                   "optimise",
                                   "assembly",
                                   "keep",
                                   NULL};
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
  DebyePreparation *titrated; /* of this origin, the latest by Poisson-Boltzmann; NULL: none */
  guint following;            /* a source: the pH has changed; 0: it hasn't */
  DebyePrepareSurvey survey;
  gboolean is_surveyed;
  GCancellable *surveying; /* NULL: nothing is looked at */
};

G_DEFINE_FINAL_TYPE(DebyePreparePage, debye_prepare_page, G_TYPE_OBJECT)

static DebyePreparation *
get_preparation(DebyePreparePage *self)
{
  return self->document != NULL ? debye_document_get_preparation(self->document) : NULL;
}

/* --- What the file lacks --- */

static void
show_facts(DebyePreparePage *self)
{
  const char *problem = self->survey.problem;
  g_autofree char *facts = debye_prepare_texts_facts(&self->survey);
  DebyePrepareJobSettings settings;
  debye_request_fill(self->request, &settings);
  g_autofree char *plan = debye_prepare_texts_plan(&self->survey, settings.has_keep);
  debye_prepare_panel_set_facts(self->panel, facts, problem == NULL ? plan : NULL);
  debye_prepare_panel_set_problem(self->panel, problem);
}

static void
on_looked(GObject *object, GAsyncResult *result, gpointer data G_GNUC_UNUSED)
{
  DebyePreparePage *self = DEBYE_PREPARE_PAGE(object);
  DebyePrepareSurvey *survey = debye_prepare_look_finish(result);
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
  g_signal_emit_by_name(self, "found", debye_prepare_survey_is_bare(&self->survey));
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
  DebyeFrame *frame = debye_document_get_first_frame(self->document);
  forget_survey(self);
  if (frame == NULL)
    return;
  self->surveying = g_cancellable_new();
  debye_prepare_look_start(G_OBJECT(self), debye_document_get_topology(self->document), frame, self->request,
                           self->surveying, on_looked);
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
stop_following(DebyePreparePage *self)
{
  g_clear_handle_id(&self->following, g_source_remove);
}

static void
order(DebyePreparePage *self, GPtrArray *states)
{
  stop_following(self);
  set_pending(self, states);
  self->n_back = 0;
  const DebyePreparationOrder made = {
      .request = self->request, .states = states, .leaves_out_unknown = TRUE, .titrated = self->titrated};
  debye_prepare_panel_set_ready(self->panel, FALSE);
  debye_prepare_panel_set_problem(self->panel, NULL);
  g_signal_emit_by_name(self, "order", &made);
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
  g_signal_emit_by_name(self, "show", before);
}

static double
get_ph(DebyeRequest *request)
{
  DebyePrepareJobSettings settings;
  debye_request_fill(request, &settings);
  return settings.ph;
}

/* The pH of what is shown, where moving it recharges the molecule. */
static void
show_ph(DebyePreparePage *self)
{
  DebyePreparation *preparation = get_preparation(self);
  const gboolean is_titrated = preparation != NULL && debye_preparation_get_titration(preparation) != NULL;
  DebyeRequest *shown = self->following != 0 || preparation == NULL
                            ? self->request
                            : debye_preparation_get_request(preparation);
  debye_prepare_panel_set_ph(self->panel, is_titrated ? get_ph(shown) : NAN);
}

static gboolean
follow(gpointer data)
{
  DebyePreparePage *self = data;
  self->following = 0;
  order(self, get_states(self));
  return G_SOURCE_REMOVE;
}

/* Nothing is solved again for another pH alone. */
static void
follow_ph(DebyePreparePage *self)
{
  DebyePreparation *preparation = get_preparation(self);
  stop_following(self);
  if (debye_preparation_get_titration(preparation) != NULL &&
      debye_preparation_is_of(preparation, self->request) &&
      get_ph(self->request) != get_ph(debye_preparation_get_request(preparation)))
    self->following = g_timeout_add(PATIENCE, follow, self);
}

static void
on_ph_moved(DebyePreparePage *self, double ph)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  debye_request_set(self->request, "ph", g_ascii_formatd(number, sizeof number, "%.2g", ph), NULL);
}

static void
show_decisions(DebyePreparePage *self)
{
  show_ph(self);
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
  if (!is_same_origin(self->document, document)) {
    g_ptr_array_set_size(self->earlier, 0);
    g_clear_object(&self->titrated);
    stop_following(self);
  } else if (self->n_back > 0)
    g_ptr_array_set_size(self->earlier, (gint)(self->earlier->len - MIN(self->n_back, self->earlier->len)));
  else if (now != NULL && now != before)
    g_ptr_array_add(self->earlier, before != NULL ? g_object_ref(before) : NULL);
  if (now != NULL && debye_preparation_get_titration(now) != NULL)
    g_set_object(&self->titrated, now);
  if (self->earlier->len > MOST_STEPS)
    g_ptr_array_remove_index(self->earlier, 0);
  self->n_back = 0;
  set_pending(self, NULL);
}

/* All as the structure was made, those settings too that have no row: prepared again it is of the same model. What
 * another table doesn't know is found anew. */
static void
take_settings(DebyePreparePage *self, DebyePreparation *preparation)
{
  DebyeRequest *made = debye_preparation_get_request(preparation);
  const DebyeSettingTable *table = debye_request_get_table(made);
  self->is_filling = TRUE;
  for (gsize i = 0; i < table->n_settings; i++) {
    const char *key = table->settings[i].key;
    const gboolean is_own = strcmp(key, "keep") == 0 && debye_preparation_keeps_known(preparation);
    /* One that is moved goes on. */
    if (strcmp(key, "ph") == 0 && self->following != 0)
      continue;
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
  g_signal_emit_by_name(self, "found", TRUE);
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
    g_signal_emit_by_name(self, "found", FALSE);
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
  g_signal_emit_by_name(self, "save");
}

/* --- Files of ligands --- */

static void
show_ligands(DebyePreparePage *self)
{
  DebyePrepareJobSettings settings;
  debye_request_fill(self->request, &settings);
  g_auto(GStrv) paths = debye_setting_split_values(settings.ligands);
  debye_prepare_panel_set_ligands(self->panel, (const char *const *)paths);
}

void
debye_prepare_page_add_ligand(DebyePreparePage *self, const char *path)
{
  g_return_if_fail(DEBYE_IS_PREPARE_PAGE(self) && path != NULL);
  DebyePrepareJobSettings settings;
  debye_request_fill(self->request, &settings);
  const char *before = settings.ligands;
  g_autofree char *lines =
      before != NULL && *before != '\0' ? g_strdup_printf("%s\n%s", before, path) : g_strdup(path);
  debye_request_set(self->request, "ligand", lines, NULL);
}

static void
on_ligand_wanted(DebyePreparePage *self)
{
  g_signal_emit_by_name(self, "choose-ligand");
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
  g_signal_emit_by_name(self, "residue", facts->chain, facts->residue);
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
  if (self->document == NULL || self->is_filling)
    return;
  if (get_preparation(self) == NULL)
    start_look(self);
  else
    follow_ph(self);
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
  g_signal_connect_object(panel, "ph-moved", G_CALLBACK(on_ph_moved), self, swapped);
  g_signal_connect_object(panel, "settings-changed", G_CALLBACK(on_settings_changed), self, swapped);
  return self;
}

static void
debye_prepare_page_finalize(GObject *object)
{
  DebyePreparePage *self = DEBYE_PREPARE_PAGE(object);
  stop_following(self);
  forget_survey(self);
  debye_prepare_survey_clear(&self->survey);
  g_clear_object(&self->titrated);
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
  g_signal_new("found", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
  g_signal_new("order", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  g_signal_new("show", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, DEBYE_TYPE_PREPARATION);
  g_signal_new("residue", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRING,
               G_TYPE_STRING);
  g_signal_new("save", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("choose-ligand", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
debye_prepare_page_init(DebyePreparePage *self)
{
  self->request = debye_request_new(&debye_prepare_settings);
  self->earlier = g_ptr_array_new_with_free_func(object_unref_if_any);
}
