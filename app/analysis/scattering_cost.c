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

/* Of all vectors' series, each a value a frame; 0 where there are none. */
static guint64
series_bytes(const DebyeScatteringPlan *plan)
{
  const guint64 n = plan->with_coherent && plan->vectors.vectors != NULL ? plan->vectors.vectors->len : 0;
  return n * plan->frames.n_frames * sizeof(double complex);
}

/* Of all atoms' places in all frames. */
static guint64
course_bytes(const DebyeScatteringPlan *plan)
{
  const guint64 n = plan->with_incoherent ? plan->scatterers.n_atoms : 0;
  return n * plan->frames.n_frames * 3 * sizeof(float);
}

static guint64
bytes_at_once(const DebyeScatteringPlan *plan)
{
  return plan->memory_limit > 0 ? MAX(plan->memory_limit / 2, 1) : USUAL_BYTES;
}

gsize
debye_scattering_cost_passes(const DebyeScatteringPlan *plan, gboolean in_time)
{
  const guint64 room = bytes_at_once(plan);
  if (!in_time)
    return 1;
  const guint64 n = (series_bytes(plan) + room - 1) / room + (course_bytes(plan) + room - 1) / room;
  return (gsize)MAX(n, 1);
}

guint64
debye_scattering_cost_bytes(const DebyeScatteringPlan *plan, gboolean in_time)
{
  const guint64 n_species = plan->scatterers.species->len, room = bytes_at_once(plan);
  const guint64 n_vectors = plan->vectors.vectors != NULL ? plan->vectors.vectors->len : plan->q->len;
  const guint64 n_rows = plan->vectors.shells != NULL ? plan->vectors.shells->len : plan->q->len;
  const guint64 sums = n_rows * n_species * (n_species + 1) / 2 * (plan->n_blocks + 1);
  if (in_time)
    return MAX(MIN(series_bytes(plan), room), MIN(course_bytes(plan), room));
  return sizeof(double complex) * (n_species * n_vectors + sums);
}
