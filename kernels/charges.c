/* SPDX-License-Identifier: MIT */
/* A fixed number of parts, so that a result doesn't depend on the threads. */
#include "charges.h"

#include "potential_math.h"

/* At least, of a part. */
#define PART_CHARGES 32768

typedef struct {
  const DebyeCharges *charges;
  struct {
    size_t bad; /* the first that can't be summed; the end where there is none */
    double total;
  } part[DEBYE_CHARGE_PARTS];
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

size_t
debye_charge_parts(size_t n_charges)
{
  const size_t n = n_charges / PART_CHARGES;
  return n < 1 ? 1 : n < DEBYE_CHARGE_PARTS ? n : DEBYE_CHARGE_PARTS;
}

size_t
debye_charge_part_begin(size_t n_charges, size_t part)
{
  const size_t parts = debye_charge_parts(n_charges), rest = n_charges % parts;
  return n_charges / parts * part + (rest < part ? rest : part);
}

static void
survey_part(void *context, size_t part)
{
  Survey *survey = context;
  const DebyeCharges *charges = survey->charges;
  const size_t end = debye_charge_part_begin(charges->n, part + 1);
  double total = 0.0;
  size_t i = debye_charge_part_begin(charges->n, part);
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
  const size_t parts = debye_charge_parts(charges->n);
  debye_chunks_run(runner, parts, survey_part, &survey);
  for (size_t part = 0; part < parts; part++) {
    const size_t i = survey.part[part].bad;
    if (i < debye_charge_part_begin(charges->n, part + 1))
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
