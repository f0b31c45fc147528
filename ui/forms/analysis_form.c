/* SPDX-License-Identifier: MIT */
/* What the form of one analysis shows, as a model: form_page.c displays it, the program above fills it in. */
#include "analysis_form.h"

struct _DebyeAnalysisForm {
  GObject parent_instance;
  const DebyeSettingTable *table;
  DebyeRequest *request, *suggested;
  char *remark, *estimate, *problem, *problem_key;
  gboolean refused, outdated;
  char *advised_key, *advised_value, *advice;
};

enum { PROPERTY_CAN_RUN = 1, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE(DebyeAnalysisForm, debye_analysis_form, G_TYPE_OBJECT)

DebyeAnalysisForm *
debye_analysis_form_new(const DebyeSettingTable *table)
{
  g_return_val_if_fail(table != NULL, NULL);
  DebyeAnalysisForm *self = g_object_new(DEBYE_TYPE_ANALYSIS_FORM, NULL);
  self->table = table;
  self->request = debye_request_new(table);
  return self;
}

const DebyeSettingTable *
debye_analysis_form_get_table(DebyeAnalysisForm *self)
{
  g_return_val_if_fail(DEBYE_IS_ANALYSIS_FORM(self), NULL);
  return self->table;
}

DebyeRequest *
debye_analysis_form_get_request(DebyeAnalysisForm *self)
{
  g_return_val_if_fail(DEBYE_IS_ANALYSIS_FORM(self), NULL);
  return self->request;
}

DebyeRequest *
debye_analysis_form_get_suggested(DebyeAnalysisForm *self)
{
  g_return_val_if_fail(DEBYE_IS_ANALYSIS_FORM(self), NULL);
  return self->suggested;
}

void
debye_analysis_form_set_suggested(DebyeAnalysisForm *self, DebyeRequest *suggested)
{
  g_return_if_fail(DEBYE_IS_ANALYSIS_FORM(self));
  g_set_object(&self->suggested, suggested);
  g_signal_emit_by_name(self, "suggested");
}

void
debye_analysis_form_advise(DebyeAnalysisForm *self, const char *key, const char *value, const char *reason)
{
  g_return_if_fail(DEBYE_IS_ANALYSIS_FORM(self));
  const DebyeSetting *setting = debye_setting_table_find(self->table, key);
  gboolean untouched = !debye_request_is_set(self->request, key) ||
                       (g_strcmp0(self->advised_key, key) == 0 &&
                        g_strcmp0(self->advised_value, debye_request_get(self->request, key)) == 0);
  if (setting == NULL || !untouched)
    return;
  g_free(self->advised_key);
  g_free(self->advised_value);
  g_free(self->advice);
  self->advised_key = g_strdup(key);
  self->advised_value = g_strdup(value);
  self->advice = g_strdup(reason);
  debye_request_set(self->request, key, g_strcmp0(value, setting->initial) == 0 ? NULL : value, NULL);
  g_signal_emit_by_name(self, "advised");
}

/* NULL: the default. */
static const char *
get_first_value(DebyeAnalysisForm *self, const DebyeSetting *setting)
{
  gboolean is_advised = g_strcmp0(self->advised_key, setting->key) == 0 &&
                        g_strcmp0(self->advised_value, setting->initial) != 0;
  return is_advised ? self->advised_value : NULL;
}

void
debye_analysis_form_reset(DebyeAnalysisForm *self)
{
  g_return_if_fail(DEBYE_IS_ANALYSIS_FORM(self));
  for (gsize i = 0; i < self->table->n_settings; i++) {
    const DebyeSetting *setting = &self->table->settings[i];
    if (!setting->of_files)
      debye_request_set(self->request, setting->key, get_first_value(self, setting), NULL);
  }
}

const char *
debye_analysis_form_get_advice(DebyeAnalysisForm *self, const char *key)
{
  g_return_val_if_fail(DEBYE_IS_ANALYSIS_FORM(self), NULL);
  gboolean stands = g_strcmp0(self->advised_key, key) == 0 &&
                    g_strcmp0(self->advised_value, debye_request_get(self->request, key)) == 0;
  return stands ? self->advice : NULL;
}

void
debye_analysis_form_set_remark(DebyeAnalysisForm *self, const char *remark)
{
  g_return_if_fail(DEBYE_IS_ANALYSIS_FORM(self));
  g_free(self->remark);
  self->remark = g_strdup(remark);
  g_signal_emit_by_name(self, "remarked");
}

const char *
debye_analysis_form_get_remark(DebyeAnalysisForm *self)
{
  g_return_val_if_fail(DEBYE_IS_ANALYSIS_FORM(self), NULL);
  return self->remark;
}

void
debye_analysis_form_set_estimate(DebyeAnalysisForm *self, const char *estimate)
{
  g_return_if_fail(DEBYE_IS_ANALYSIS_FORM(self));
  g_free(self->estimate);
  self->estimate = g_strdup(estimate);
  g_signal_emit_by_name(self, "judged");
}

const char *
debye_analysis_form_get_estimate(DebyeAnalysisForm *self)
{
  g_return_val_if_fail(DEBYE_IS_ANALYSIS_FORM(self), NULL);
  return self->estimate;
}

void
debye_analysis_form_set_outdated(DebyeAnalysisForm *self)
{
  g_return_if_fail(DEBYE_IS_ANALYSIS_FORM(self));
  self->outdated = TRUE;
}

gboolean
debye_analysis_form_is_outdated(DebyeAnalysisForm *self)
{
  g_return_val_if_fail(DEBYE_IS_ANALYSIS_FORM(self), FALSE);
  return self->outdated;
}

void
debye_analysis_form_set_problem(DebyeAnalysisForm *self, const char *key, const char *problem)
{
  g_return_if_fail(DEBYE_IS_ANALYSIS_FORM(self));
  g_free(self->problem);
  g_free(self->problem_key);
  self->problem = g_strdup(problem);
  self->problem_key = g_strdup(key);
  self->outdated = FALSE;
  g_signal_emit_by_name(self, "judged");
  g_object_notify_by_pspec(G_OBJECT(self), properties[PROPERTY_CAN_RUN]);
}

const char *
debye_analysis_form_get_problem(DebyeAnalysisForm *self)
{
  g_return_val_if_fail(DEBYE_IS_ANALYSIS_FORM(self), NULL);
  return self->problem;
}

const char *
debye_analysis_form_get_problem_key(DebyeAnalysisForm *self)
{
  g_return_val_if_fail(DEBYE_IS_ANALYSIS_FORM(self), NULL);
  return self->problem_key;
}

void
debye_analysis_form_set_refused(DebyeAnalysisForm *self, gboolean refused)
{
  g_return_if_fail(DEBYE_IS_ANALYSIS_FORM(self));
  self->refused = refused;
  g_object_notify_by_pspec(G_OBJECT(self), properties[PROPERTY_CAN_RUN]);
}

gboolean
debye_analysis_form_can_run(DebyeAnalysisForm *self)
{
  g_return_val_if_fail(DEBYE_IS_ANALYSIS_FORM(self), FALSE);
  return self->problem == NULL && !self->refused && self->suggested != NULL;
}

static void
debye_analysis_form_get_property(GObject *object, guint id G_GNUC_UNUSED, GValue *value,
                                 GParamSpec *spec G_GNUC_UNUSED)
{
  g_value_set_boolean(value, debye_analysis_form_can_run(DEBYE_ANALYSIS_FORM(object)));
}

static void
debye_analysis_form_finalize(GObject *object)
{
  DebyeAnalysisForm *self = DEBYE_ANALYSIS_FORM(object);
  g_clear_object(&self->request);
  g_clear_object(&self->suggested);
  g_free(self->remark);
  g_free(self->estimate);
  g_free(self->problem);
  g_free(self->problem_key);
  g_free(self->advised_key);
  g_free(self->advised_value);
  g_free(self->advice);
  G_OBJECT_CLASS(debye_analysis_form_parent_class)->finalize(object);
}

static void
debye_analysis_form_class_init(DebyeAnalysisFormClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS(class);
  static const char *const signals[] = {"suggested", "advised", "remarked", "judged"};
  object_class->get_property = debye_analysis_form_get_property;
  object_class->finalize = debye_analysis_form_finalize;
  properties[PROPERTY_CAN_RUN] =
      g_param_spec_boolean("can-run", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties(object_class, N_PROPERTIES, properties);
  for (gsize i = 0; i < G_N_ELEMENTS(signals); i++)
    g_signal_new(signals[i], DEBYE_TYPE_ANALYSIS_FORM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                 0);
}

static void
debye_analysis_form_init(DebyeAnalysisForm *self G_GNUC_UNUSED)
{
}
