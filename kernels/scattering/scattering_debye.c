/* SPDX-License-Identifier: MIT */
/* The Debye formula, sums of sin(qr)/(qr) over pairs; called by scattering_by_formula.c. */
#include "scattering_debye.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/chunk_threads.h"
#include "scattering_distances.h"

#define ROWS 32 /* atoms of a chunk of work */

typedef struct {
  const DebyeScatteringGroups *groups;
  const double *x, *y, *z, *w; /* of entries */
  const double *q;
  size_t n_q, n_chunks;
  double *sums; /* [chunk][pair][q] of the chunks of one row of groups */
  size_t a;     /* that row */
  const volatile bool *cancel;
  atomic_bool no_memory;
} Problem;

/* Atom i with entries [from, to). */
static void
add_row(const Problem *problem, DebyeDistances *distances, size_t i, size_t from, size_t to, double factor,
        double *sums)
{
  for (size_t j = from; j < to; j++) {
    const double x = problem->x[j] - problem->x[i], y = problem->y[j] - problem->y[i],
                 z = problem->z[j] - problem->z[i];
    debye_distances_add(distances, sqrt(x * x + y * y + z * z), factor * problem->w[i] * problem->w[j],
                        problem->q, problem->n_q, sums);
  }
}

/* ROWS atoms of group a with all of the groups from a on; those of the same group once, counted twice. */
static void
do_chunk(void *context, size_t chunk)
{
  Problem *problem = context;
  const DebyeScatteringGroups *groups = problem->groups;
  const size_t a = problem->a, first = groups->first[a] + chunk * ROWS;
  const size_t end = first + ROWS < groups->first[a + 1] ? first + ROWS : groups->first[a + 1];
  double *sums = problem->sums + chunk * (groups->n_groups - a) * problem->n_q;
  DebyeDistances *distances = calloc(1, sizeof *distances);
  if (distances == NULL) {
    atomic_store(&problem->no_memory, true);
    return;
  }
  for (size_t b = a; b < groups->n_groups; b++, sums += problem->n_q) {
    for (size_t i = first; i < end && !debye_is_cancelled(problem->cancel); i++) {
      if (a == b)
        for (size_t k = 0; k < problem->n_q; k++)
          sums[k] += problem->w[i] * problem->w[i];
      add_row(problem, distances, i, a == b ? i + 1 : groups->first[b], groups->first[b + 1],
              a == b ? 2.0 : 1.0, sums);
    }
    debye_distances_flush(distances, problem->q, problem->n_q, sums);
  }
  free(distances);
}

/* The chunks' sums in their order, so that threads don't matter. */
static DebyeStatusCode
sum_row(Problem *problem, double *products, DebyeStatus *status)
{
  const size_t n_in_group = problem->groups->first[problem->a + 1] - problem->groups->first[problem->a];
  const size_t n_values = (problem->groups->n_groups - problem->a) * problem->n_q;
  problem->n_chunks = (n_in_group + ROWS - 1) / ROWS;
  memset(products, 0, n_values * sizeof *products);
  if (n_in_group == 0)
    return debye_status_ok(status);
  problem->sums = calloc(problem->n_chunks * n_values, sizeof *problem->sums);
  if (problem->sums != NULL)
    debye_chunk_threads_run(problem->n_chunks, do_chunk, problem);
  for (size_t chunk = 0; chunk < problem->n_chunks && problem->sums != NULL; chunk++)
    for (size_t k = 0; k < n_values; k++)
      products[k] += problem->sums[chunk * n_values + k];
  const bool had_memory = problem->sums != NULL && !atomic_load(&problem->no_memory);
  free(problem->sums);
  if (!had_memory)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                            "There is no memory for the Debye formula of %zu atoms at %zu values of q.",
                            n_in_group, problem->n_q);
  if (debye_is_cancelled(problem->cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  return debye_status_ok(status);
}

DebyeStatusCode
debye_formula_products(const DebyeScatteringGroups *groups, const DebyeScatteringFrame *frame,
                       const double *q, size_t n_q, double *products, const volatile bool *cancel,
                       DebyeStatus *status)
{
  const size_t n = debye_scattering_n_entries(groups);
  double *room = NULL;
  DebyeStatusCode code = debye_scattering_load(groups, frame, &room, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  Problem problem = {.groups = groups,
                     .x = room,
                     .y = room + n,
                     .z = room + 2 * n,
                     .w = room + 3 * n,
                     .q = q,
                     .n_q = n_q,
                     .cancel = cancel};
  for (problem.a = 0; problem.a < groups->n_groups && code == DEBYE_STATUS_OK; problem.a++) {
    code = sum_row(&problem, products, status);
    products += (groups->n_groups - problem.a) * n_q;
  }
  free(room);
  return code;
}
