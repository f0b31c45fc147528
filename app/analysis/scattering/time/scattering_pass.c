/* SPDX-License-Identifier: MIT */
/* Says how many rows or atoms fit into the memory of one pass; called by the parts in time and
 * scattering_cost.c. */
#include "scattering_pass.h"

#include "scattering_signals.h"

#define USUAL_BYTES ((guint64)1 << 30) /* where no limit is given */

gsize
debye_scattering_pass_series(const DebyeScatteringPlan *plan, DebyeSignal signal)
{
  return debye_scattering_count_partials(plan, signal) > 0 ? plan->scatterers.species->len : 1;
}

gsize
debye_scattering_pass_frames(const DebyeScatteringPlan *plan)
{
  return plan->orientation.kind == DEBYE_ORIENTATION_LATTICE ? 1 : DEBYE_SCATTERING_PASS_FRAMES;
}

guint64
debye_scattering_pass_vector_bytes(const DebyeScatteringPlan *plan, DebyeSignal signal)
{
  const guint64 of_series = debye_scattering_pass_series(plan, signal) * plan->frames.n_frames;
  const guint64 of_frames = plan->scatterers.species->len * (1 + debye_scattering_pass_frames(plan));
  return (of_series + of_frames) * sizeof(double complex);
}

guint64
debye_scattering_pass_room(const DebyeScatteringPlan *plan)
{
  return plan->memory_limit > 0 ? plan->memory_limit / 2 : USUAL_BYTES;
}

/* What they take and, while they are correlated, a part of the result. */
gsize
debye_scattering_pass_vectors(const DebyeScatteringPlan *plan, DebyeSignal signal)
{
  const guint64 room = debye_scattering_pass_room(plan);
  return CLAMP(room / debye_scattering_pass_vector_bytes(plan, signal), 1, plan->vectors.vectors->len);
}

gboolean
debye_scattering_averages_exactly(const DebyeScatteringPlan *plan, DebyeSignal signal)
{
  return plan->with_incoherent &&
         (plan->vectors.vectors == NULL || (plan->orientation.kind == DEBYE_ORIENTATION_LATTICE &&
                                            !plan->rows_are_vectors && signal == DEBYE_SIGNAL_AUTOCORRELATE));
}

gboolean
debye_scattering_reads_cells(const DebyeScatteringPlan *plan)
{
  return plan->settings.normalise == DEBYE_NORMALISE_ABSOLUTE && plan->volume == 0.0;
}
