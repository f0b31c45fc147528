/* SPDX-License-Identifier: MIT */
/* Chooses single or double precision for a direct sum and notes why; called by map_plan.c and map_notes.c. */
#include "map_rounding.h"

#include "app/analysis/driver/analysis.h"
#include "kernels/potential/potential_rounding.h"

#define N_PAIRS 500000 /* looked at: some thousandths of a second */
#define LEAST_POINTS 4
#define MAX_POINTS 64

/* In one block: x, y, z, charge. NULL where there is no memory. */
static float *
gather(const DebyeMapPlan *plan, DebyeCharges *charges)
{
  const DebyeFrame *frame = plan->frames.first;
  const float *charge = debye_topology_get_charges(plan->topology);
  const gsize most = plan->atoms->len;
  float *numbers = g_try_new(float, 4 * most);
  gsize n = 0;
  if (numbers == NULL)
    return NULL;
  for (gsize i = 0; i < most; i++) {
    guint32 atom = g_array_index(plan->atoms, guint32, i);
    if (charge[atom] == 0.0f || !isfinite(frame->x[atom] + frame->y[atom] + frame->z[atom]))
      continue;
    numbers[n] = frame->x[atom];
    numbers[most + n] = frame->y[atom];
    numbers[2 * most + n] = frame->z[atom];
    numbers[3 * most + n++] = charge[atom];
  }
  *charges = (DebyeCharges){numbers, numbers + most, numbers + 2 * most, numbers + 3 * most, n};
  return numbers;
}

void
debye_map_rounding_settle(DebyeMapPlan *plan)
{
  DebyePotentialSettings *potential = &plan->potential;
  if (potential->method != DEBYE_POTENTIAL_DIRECT || potential->double_precision)
    return;
  DebyeCharges charges;
  g_autofree float *numbers = gather(plan, &charges);
  if (numbers == NULL || charges.n == 0)
    return;
  plan->rounding = debye_potential_rounding(potential, &charges, &potential->cell,
                                            CLAMP(N_PAIRS / charges.n, LEAST_POINTS, MAX_POINTS));
  potential->double_precision =
      plan->rounding > potential->tolerance && plan->settings.precision == DEBYE_PRECISION_AUTO;
}

void
debye_map_rounding_add_note(DebyeResult *result, const DebyeMapPlan *plan)
{
  char error[G_ASCII_DTOSTR_BUF_SIZE];
  if (!(plan->rounding > plan->potential.tolerance))
    return;
  g_ascii_formatd(error, sizeof error, "%.1g", plan->rounding);
  if (plan->potential.double_precision)
    debye_result_add_note(result,
                          "Precision: double, since charges of both signs nearly cancel here; single "
                          "precision is expected to be wrong by %s of the map's root mean square",
                          error);
  else
    debye_result_add_note_of(result, DEBYE_NOTE_WARNING, NULL,
                             "single precision is expected to be wrong by %s of the map's root mean square, "
                             "since charges of both signs nearly cancel here; double precision is not",
                             error);
}
