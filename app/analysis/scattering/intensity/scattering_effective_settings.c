/* SPDX-License-Identifier: MIT */
/* Records in the request what the data decided for I(q); called by scattering_result.c. */
#include "scattering_effective_settings.h"

static const char *
name_orientation(const DebyeScatteringPlan *plan)
{
  switch (plan->orientation.kind) {
  case DEBYE_ORIENTATION_LATTICE:
    return plan->rows_are_vectors ? "none" : "lattice";
  case DEBYE_ORIENTATION_EXACT:
    return "exact";
  default: /* others are asked for */
    return "none";
  }
}

static guint
find_largest_shell(const DebyeScatteringPlan *plan)
{
  guint largest = 0;
  for (guint i = 0; plan->vectors.shells != NULL && i < plan->vectors.shells->len; i++)
    largest = MAX(largest, (guint)g_array_index(plan->vectors.shells, DebyeScatteringShell, i).n);
  return largest;
}

void
debye_scattering_set_effective_settings(DebyeRequest *request, const DebyeScatteringPlan *plan, double volume)
{
  if (plan->q != NULL) {
    g_autofree char *q = debye_scattering_plan_suggest_q(plan->frames.first);
    debye_request_set_effective(request, "q", q);
  }
  debye_request_set_effective(request, "orientation", name_orientation(plan));
  if (plan->orientation.kind == DEBYE_ORIENTATION_LATTICE && !plan->rows_are_vectors)
    debye_request_set_effective_number(request, "shell-vectors", find_largest_shell(plan));
  if (volume > 0.0)
    debye_request_set_effective_number(request, "volume", volume);
  debye_request_set_effective(request, "box-correction", plan->corrects_box ? "true" : "false");
}
