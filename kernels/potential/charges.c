/* SPDX-License-Identifier: MIT */
/* Divides a frame's charges into a fixed number of parts, so that a result doesn't depend on the threads;
 * called by the cutoff's bins and multilevel summation. */
#include "charges.h"

#include <float.h>

#include "potential_math.h"

/* At least, of a part. */
#define PART_CHARGES 16384
/* Looked through at a time, and sums that are made side by side. */
#define BLOCK_CHARGES 1024
#define SUMS 8

typedef struct {
  const DebyeCharges *charges;
  struct {
    size_t bad; /* the first that can't be summed; the end where there is none */
    double total;
  } part[DEBYE_CHARGE_PARTS];
} Survey;

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

/* Whether a charge can be summed; not, too, where a number is none. */
static bool
is_sound(const DebyeCharges *charges, size_t i)
{
  const DebyeVec3 r = {(double)charges->x[i], (double)charges->y[i], (double)charges->z[i]};
  return debye_vec3_dot(r, r) < DEBYE_DIRECT_FARTHEST * DEBYE_DIRECT_FARTHEST && isfinite(charges->charge[i]);
}

/* True where all are for certain: a cube within the sphere is quicker to ask for. */
static bool
are_near(const DebyeCharges *charges, size_t begin, size_t end)
{
  const float half = (float)(0.5 * DEBYE_DIRECT_FARTHEST);
  int n_far = 0;
  for (size_t i = begin; i < end; i++)
    n_far += !(fabsf(charges->x[i]) < half) | !(fabsf(charges->y[i]) < half) |
             !(fabsf(charges->z[i]) < half) | !(fabsf(charges->charge[i]) <= FLT_MAX);
  return n_far == 0;
}

static double
sum_absolute(const float *charge, size_t n)
{
  double sum[SUMS] = {0.0}, total = 0.0;
  size_t i = 0;
  for (; i + SUMS <= n; i += SUMS)
    for (size_t j = 0; j < SUMS; j++)
      sum[j] += fabs((double)charge[i + j]);
  for (size_t j = 0; j < SUMS; j++)
    total += sum[j];
  for (; i < n; i++)
    total += fabs((double)charge[i]);
  return total;
}

static void
survey_part(void *context, size_t part)
{
  Survey *survey = context;
  const DebyeCharges *charges = survey->charges;
  const size_t begin = debye_charge_part_begin(charges->n, part);
  const size_t end = debye_charge_part_begin(charges->n, part + 1);
  size_t first = begin;
  while (first < end) {
    const size_t next = end - first < BLOCK_CHARGES ? end : first + BLOCK_CHARGES;
    if (!are_near(charges, first, next))
      while (first < next && is_sound(charges, first))
        first++;
    if (first < next && !is_sound(charges, first))
      break;
    first = next;
  }
  survey->part[part].bad = first;
  survey->part[part].total = sum_absolute(charges->charge + begin, first - begin);
}

DebyeStatusCode
debye_charges_check(const DebyeCharges *charges, size_t max_charges, const DebyeChunkRunner *runner,
                    double *total, DebyeStatus *status)
{
  Survey survey = {.charges = charges};
  double sum = 0.0;
  if (charges->n > max_charges)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "%zu charges were given; the plan holds at most %zu.", charges->n, max_charges);
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

double
debye_charges_total(const float *charge, size_t n)
{
  double total = 0.0;
  for (size_t part = 0; part < debye_charge_parts(n); part++) {
    const size_t begin = debye_charge_part_begin(n, part);
    total += sum_absolute(charge + begin, debye_charge_part_begin(n, part + 1) - begin);
  }
  return total;
}
