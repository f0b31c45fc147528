/* SPDX-License-Identifier: MIT */
/* A fixed number of parts, so that a result doesn't depend on the threads. */
#include "charges.h"

#include "potential_math.h"

#define PARTS 64

typedef struct {
  const DebyeCharges *charges;
  struct {
    size_t bad; /* the first that can't be summed; the end where there is none */
    double total;
  } part[PARTS];
} Survey;

void
debye_chunks_run(const DebyeChunkRunner *runner, size_t n_chunks, void (*function)(void *, size_t),
                 void *context)
{
  if (runner != NULL)
    runner->run(runner->runner, n_chunks, function, context);
  else
    for (size_t chunk = 0; chunk < n_chunks; chunk++)
      function(context, chunk);
}

static size_t
part_begin(const DebyeCharges *charges, size_t part)
{
  const size_t n = charges->n;
  return n / PARTS * part + (n % PARTS < part ? n % PARTS : part);
}

static void
survey_part(void *context, size_t part)
{
  Survey *survey = context;
  const DebyeCharges *charges = survey->charges;
  const size_t end = part_begin(charges, part + 1);
  double total = 0.0;
  size_t i = part_begin(charges, part);
  for (; i < end; i++) {
    const DebyeVec3 r = {(double)charges->x[i], (double)charges->y[i], (double)charges->z[i]};
    /* Also not true for what is not a number. */
    if (!(debye_vec3_dot(r, r) < DEBYE_DIRECT_FARTHEST * DEBYE_DIRECT_FARTHEST) ||
        !isfinite(charges->charge[i]))
      break;
    total += fabs((double)charges->charge[i]);
  }
  survey->part[part].bad = i;
  survey->part[part].total = total;
}

DebyeStatusCode
debye_charges_check(const DebyeCharges *charges, size_t max_charges, const DebyeChunkRunner *runner,
                    double *total, DebyeStatus *status)
{
  Survey survey = {.charges = charges};
  double sum = 0.0;
  if (charges->n > max_charges)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "%zu charges were given, planned were at most %zu.",
                            charges->n, max_charges);
  debye_chunks_run(runner, PARTS, survey_part, &survey);
  for (size_t part = 0; part < PARTS; part++) {
    const size_t i = survey.part[part].bad;
    if (i < part_begin(charges, part + 1))
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "Atom %zu can't be summed: position (%g, %g, %g) Å, charge %g e.", i + 1,
                              (double)charges->x[i], (double)charges->y[i], (double)charges->z[i],
                              (double)charges->charge[i]);
    sum += survey.part[part].total;
  }
  if (total != NULL)
    *total = sum;
  return debye_status_ok(status);
}
