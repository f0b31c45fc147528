/* SPDX-License-Identifier: MIT */
/* Records in the request the values that a map took for settings the data decide; called by map_result.c and
 * ions_run.c. */
#include "map_effective_settings.h"

#include <math.h>

#include "map_solvent.h"

static void
take_grid(DebyeRequest *request, const DebyeMapPlan *plan)
{
  const DebyeGrid *grid = &plan->potential.grid;
  char x[G_ASCII_DTOSTR_BUF_SIZE], y[G_ASCII_DTOSTR_BUF_SIZE], z[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *origin = g_strdup_printf("%s,%s,%s", g_ascii_dtostr(x, sizeof x, grid->origin.x),
                                            g_ascii_dtostr(y, sizeof y, grid->origin.y),
                                            g_ascii_dtostr(z, sizeof z, grid->origin.z));
  g_autofree char *shape = g_strdup_printf("%" G_GSIZE_FORMAT ",%" G_GSIZE_FORMAT ",%" G_GSIZE_FORMAT,
                                           grid->shape[0], grid->shape[1], grid->shape[2]);
  debye_request_set_effective_number(request, "spacing", plan->settings.spacing);
  debye_request_set_effective_number(request, "padding",
                                     debye_map_plan_covers_cell(plan) ? 0.0 : plan->settings.padding);
  debye_request_set_effective(request, "origin", origin);
  debye_request_set_effective(request, "shape", shape);
}

static void
take_boundary(DebyeRequest *request, unsigned periodic)
{
  g_autoptr(GString) axes = g_string_new(NULL);
  static const struct {
    unsigned axis;
    char letter;
  } letters[] = {{DEBYE_PERIODIC_A, 'x'}, {DEBYE_PERIODIC_B, 'y'}, {DEBYE_PERIODIC_C, 'z'}};
  for (gsize i = 0; i < G_N_ELEMENTS(letters); i++)
    if ((periodic & letters[i].axis) != 0)
      g_string_append_c(axes, letters[i].letter);
  debye_request_set_effective(request, "periodic", axes->len > 0 ? axes->str : "none");
}

void
debye_map_set_effective_defaults(DebyeRequest *request, const DebyeMapSettings *settings)
{
  const DebyeSettingTable *table = debye_request_get_table(request);
  if (table != &debye_map_settings)
    return;
  debye_request_set_effective(request, "select", settings->select);
  debye_request_set_effective_number(request, "temperature", settings->temperature);
  debye_request_set_effective_number(request, "permittivity", settings->permittivity);
  if (debye_map_is_poisson(settings))
    debye_request_set_effective(request, "boundary", debye_map_boundary_name(settings->boundary));
}

void
debye_map_set_effective_accuracy(DebyeRequest *request, const DebyePotentialSettings *potential)
{
  const double reach = debye_potential_reach(potential);
  debye_request_set_effective_number(request, "tolerance", potential->tolerance);
  if (isfinite(reach) && reach > 0.0)
    debye_request_set_effective_number(request, "cutoff", reach);
}

void
debye_map_set_effective_settings(DebyeRequest *request, const DebyeMapPlan *plan)
{
  const DebyePotentialSettings *potential = &plan->potential;
  debye_map_set_effective_defaults(request, &plan->settings);
  take_grid(request, plan);
  take_boundary(request, potential->periodic);
  debye_request_set_effective(request, "superpose", debye_superpose_choice_get_text(&plan->superpose));
  debye_map_set_effective_accuracy(request, potential);
}
