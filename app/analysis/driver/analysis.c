/* SPDX-License-Identifier: MIT */
/* Plans, estimates and runs any analysis; called by the forms and jobs of the window and by debye-cli. */
#include "analysis.h"

#include "data/selection/selection.h"

void
debye_estimate_clear(DebyeEstimate *estimate)
{
  g_clear_pointer(&estimate->devices, g_free);
  *estimate = (DebyeEstimate){0};
}

DebyePlan *
debye_plan_new(const DebyeAnalysis *analysis, DebyeDataset *dataset, DebyeRequest *request)
{
  DebyePlan *plan = g_new0(DebyePlan, 1);
  plan->analysis = analysis;
  plan->dataset = g_object_ref(dataset);
  plan->request = debye_request_copy(request);
  plan->own = g_malloc0(analysis->plan_size);
  if (analysis->plan(plan->own, plan, &plan->refusal))
    plan->key = NULL;
  return plan;
}

void
debye_plan_free(DebyePlan *plan)
{
  if (plan == NULL)
    return;
  plan->analysis->plan_clear(plan->own);
  g_free(plan->own);
  g_clear_object(&plan->request);
  g_clear_object(&plan->dataset);
  g_clear_error(&plan->refusal);
  g_free(plan);
}

static gboolean
check_possible(const DebyePlan *plan, GError **error)
{
  if (plan->refusal == NULL)
    return TRUE;
  g_propagate_error(error, g_error_copy(plan->refusal));
  return FALSE;
}

gboolean
debye_plan_estimate(DebyePlan *plan, const DebyeRegistry *registry, DebyeEstimate *estimate, GError **error)
{
  *estimate = (DebyeEstimate){0};
  return check_possible(plan, error) && plan->analysis->estimate(plan->own, plan, registry, estimate, error);
}

/* Without what only says how the job is done: a result is the same however often it was kept. */
static DebyeRequest *
strip(DebyeRequest *request)
{
  static const char *const keys[] = {"continue", "save-every"};
  DebyeRequest *stripped = debye_request_copy(request);
  for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
    if (debye_setting_table_find(debye_request_get_table(stripped), keys[i]) != NULL)
      debye_request_set(stripped, keys[i], NULL, NULL);
  return stripped;
}

/* What bare names in a selection were taken as. */
static void
add_selection_note(DebyeResult *result, DebyeTopology *topology, const char *text)
{
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, NULL);
  g_autofree char *spelt_out = selection != NULL ? debye_selection_spell_out(selection, topology) : NULL;
  if (spelt_out != NULL)
    debye_result_add_note(result, "“%s” is read as “%s”", text, spelt_out);
}

/* Of one selection, or of the two of a pair. */
static void
add_value_notes(DebyeResult *result, DebyeTopology *topology, const char *value)
{
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  if (!debye_setting_split_pair(value, &first, &second)) {
    add_selection_note(result, topology, value);
    return;
  }
  add_selection_note(result, topology, first);
  if (!g_str_equal(first, second))
    add_selection_note(result, topology, second);
}

static void
add_selection_notes(DebyeResult *result, const DebyePlan *plan)
{
  const DebyeSettingTable *table = debye_request_get_table(plan->request);
  for (gsize i = 0; i < table->n_settings; i++) {
    const DebyeSetting *setting = &table->settings[i];
    if (setting->kind != DEBYE_SETTING_SELECTION && setting->kind != DEBYE_SETTING_SELECTION_PAIR)
      continue;
    const char *value = debye_request_get(plan->request, setting->key);
    g_auto(GStrv) values = debye_setting_split_values(value != NULL ? value : "");
    for (char **one = values; *one != NULL; one++)
      add_value_notes(result, debye_dataset_get_topology(plan->dataset), *one);
  }
}

static DebyeResult *
run(DebyePlan *plan, const DebyeRunInput *input, GError **error)
{
  const gboolean is_first = input->ranks == NULL || input->ranks->rank == 0;
  g_autoptr(DebyeHashing) hashing =
      is_first ? debye_hashing_begin(debye_dataset_get_paths(plan->dataset)) : NULL;
  debye_stages_enter(input->stages, DEBYE_STAGE_COMPUTE);
  DebyeResult *result = plan->analysis->run(plan->own, input, error);
  debye_stages_leave(input->stages);
  if (result == NULL)
    return NULL;
  add_selection_notes(result, plan);
  debye_result_set_stages(result, input->stages);
  if (hashing != NULL)
    debye_result_set_hashing(result, hashing);
  return result;
}

DebyeResult *
debye_plan_run(DebyePlan *plan, const DebyeRegistry *registry, const DebyeRunCallbacks *callbacks,
               const DebyeRanks *ranks, GError **error)
{
  DebyeStages own = {0};
  g_autoptr(DebyeRequest) request = strip(plan->request);
  const DebyeRunInput input = {.dataset = plan->dataset,
                               .request = request,
                               .registry = registry,
                               .callbacks = callbacks,
                               .stages =
                                   callbacks != NULL && callbacks->stages != NULL ? callbacks->stages : &own,
                               .ranks = ranks};
  return check_possible(plan, error) ? run(plan, &input, error) : NULL;
}
