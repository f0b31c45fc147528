/* SPDX-License-Identifier: MIT */
/* Analyses as tests ask them: plan and use in one step. */
#pragma once

#include "app/analysis/driver/analysis.h"

static inline DebyeResult *
plan_and_run(const DebyeAnalysis *analysis, const DebyeRunInput *input, GError **error)
{
  g_autoptr(DebyePlan) plan = debye_plan_new(analysis, input->dataset, input->request);
  return debye_plan_run(plan, input->registry, input->callbacks, input->ranks, error);
}

static inline gboolean
plan_and_estimate(const DebyeAnalysis *analysis, const DebyeRunInput *input, DebyeEstimate *estimate,
                  GError **error)
{
  g_autoptr(DebyePlan) plan = debye_plan_new(analysis, input->dataset, input->request);
  return debye_plan_estimate(plan, input->registry, estimate, error);
}

/* Whether it can be run; else the refusal, and the setting that is its cause. */
static inline gboolean
plan_and_check(const DebyeAnalysis *analysis, DebyeDataset *dataset, DebyeRequest *request, const char **key,
               GError **error)
{
  g_autoptr(DebyePlan) plan = debye_plan_new(analysis, dataset, request);
  *key = plan->key;
  if (plan->refusal != NULL)
    g_propagate_error(error, g_error_copy(plan->refusal));
  return plan->refusal == NULL;
}
