/* SPDX-License-Identifier: MIT */
/* Terms and passes, see scattering_cost.h. */
#include "scattering_cost.h"

#include <complex.h>

/* In Coulomb pairs, measured: a sine and a cosine of an amplitude; of a course, with its share of the
 * transforms; and a displacement that is counted. */
#define AMPLITUDE_COST 4.0
#define COURSE_COST 25.0
#define DISPLACEMENT_COST 4.0
/* Of series or courses at a time, where no limit is given: as the runs have it. */
#define USUAL_BYTES ((guint64)1 << 30)

/* Terms of a frame: atoms times vectors, pairs, or atoms times q times multipoles. */
static double
coherent_terms(const DebyeScatteringPlan *plan)
{
  const double n = (double)plan->scatterers.n_atoms, l = (double)plan->orientation.n + 1.0;
  if (plan->vectors.vectors != NULL)
    return n * (double)plan->vectors.vectors->len;
  if (plan->orientation.kind == DEBYE_ORIENTATION_EXACT)
    return 0.5 * n * n;
  return n * (double)plan->q->len * 0.5 * l * l;
}

/* Of a frame: of each vector a phase, or of each later frame a displacement. */
static double
incoherent_pairs(const DebyeScatteringPlan *plan)
{
  const double n = (double)plan->scatterers.n_atoms;
  if (plan->vectors.vectors != NULL)
    return COURSE_COST * n * (double)plan->vectors.vectors->len;
  return DISPLACEMENT_COST * n * 0.5 * (double)(plan->frames.n_frames + 1);
}

double
debye_scattering_cost_pairs(const DebyeScatteringPlan *plan, gboolean in_time)
{
  double pairs = plan->with_coherent ? AMPLITUDE_COST * coherent_terms(plan) : 0.0;
  /* What is incoherent is the same at all q, unless it is followed in time. */
  if (plan->with_incoherent && in_time)
    pairs += incoherent_pairs(plan);
  return pairs * (double)plan->frames.n_frames;
}

static gsize
parts_of(const DebyeScatteringPlan *plan, guint64 bytes_a_frame)
{
  const guint64 limit = plan->memory_limit > 0 ? MAX(plan->memory_limit / 2, 1) : USUAL_BYTES;
  return (gsize)((bytes_a_frame * plan->frames.n_frames + limit - 1) / limit);
}

gsize
debye_scattering_cost_passes(const DebyeScatteringPlan *plan, gboolean in_time)
{
  gsize n = 0;
  if (!in_time)
    return 1;
  if (plan->with_coherent && plan->vectors.vectors != NULL)
    n += parts_of(plan, plan->vectors.vectors->len * sizeof(double complex));
  if (plan->with_incoherent)
    n += parts_of(plan, plan->scatterers.n_atoms * 3 * sizeof(float));
  return MAX(n, 1);
}
