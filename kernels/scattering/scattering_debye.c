/* SPDX-License-Identifier: MIT */
/* The Debye formula, sums of sin(qr)/(qr); called by scattering_by_formula.c. Where values of q are evenly
 * spaced, sin(qr) goes from one to the next by a turn through a fixed angle, which is made anew now and then
 * so that rounding does not grow. */
#include "scattering_debye.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/chunk_threads.h"

#define TILE 128          /* distances at a time: their sines stay in the first cache */
#define LANES 8           /* divides TILE */
#define ROWS 32           /* atoms of a chunk of work */
#define BINS 2048         /* of a chunk of a histogram */
#define TURNS_IN_A_ROW 32 /* the error of a turn is half an ulp */
#define EVEN 1e-9         /* steps that differ by less are the same, relative to q */

/* Some distances with the weights of their pairs. */
typedef struct {
  size_t n;
  double r[TILE], weight[TILE];
  double sine[TILE], cosine[TILE];           /* of q·r */
  double step_sine[TILE], step_cosine[TILE]; /* of (the step of q)·r */
} Distances;

static void
start_turning(Distances *distances, double q)
{
  for (size_t i = 0; i < distances->n; i++) {
    distances->sine[i] = sin(q * distances->r[i]);
    distances->cosine[i] = cos(q * distances->r[i]);
  }
}

static void
make_step(Distances *distances, double step)
{
  for (size_t i = 0; i < distances->n; i++) {
    distances->step_sine[i] = sin(step * distances->r[i]);
    distances->step_cosine[i] = cos(step * distances->r[i]);
  }
}

static void
turn(Distances *distances)
{
  for (size_t i = 0; i < distances->n; i++) {
    const double s = distances->sine[i], c = distances->cosine[i];
    distances->sine[i] = s * distances->step_cosine[i] + c * distances->step_sine[i];
    distances->cosine[i] = c * distances->step_cosine[i] - s * distances->step_sine[i];
  }
}

/* Weights already divided by r; the tile is filled up with weights of nothing. Sums side by side don't wait for each other. */
static double
sum_sines(const Distances *distances)
{
  double sums[LANES] = {0.0}, sum = 0.0;
  for (size_t i = 0; i < distances->n; i += LANES)
    for (size_t lane = 0; lane < LANES; lane++)
      sums[lane] += distances->weight[i + lane] * distances->sine[i + lane];
  for (size_t lane = 0; lane < LANES; lane++)
    sum += sums[lane];
  return sum;
}

static double
sum_weights(const Distances *distances)
{
  double sum = 0.0;
  for (size_t i = 0; i < distances->n; i++)
    sum += distances->weight[i] * distances->r[i];
  return sum;
}

/* Adds the tile to sums[n_q]. Atoms at the same place have sin(qr)/(qr) = 1, which the caller has dealt with:
 * here all r > 0. */
static void
add_tile(Distances *distances, const double *q, size_t n_q, double *sums)
{
  double step = -1.0;
  size_t n_turns = TURNS_IN_A_ROW;
  for (; distances->n % LANES > 0; distances->n++) {
    distances->r[distances->n] = 1.0;
    distances->weight[distances->n] = 0.0;
  }
  for (size_t i = 0; i < distances->n; i++)
    distances->weight[i] /= distances->r[i];
  for (size_t k = 0; k < n_q; k++) {
    const double next = k > 0 ? q[k] - q[k - 1] : -1.0;
    const bool even = k > 0 && fabs(next - step) <= EVEN * step;
    if (!even && k + 1 < n_q && next > 0.0 && fabs(q[k + 1] - q[k] - next) <= EVEN * next) {
      step = next;
      make_step(distances, step);
    }
    if (k > 0 && fabs(next - step) <= EVEN * step && n_turns < TURNS_IN_A_ROW) {
      turn(distances);
      n_turns++;
    } else {
      start_turning(distances, q[k]);
      n_turns = 0;
    }
    sums[k] += q[k] > 0.0 ? sum_sines(distances) / q[k] : sum_weights(distances);
  }
}

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

static void
flush(Distances *distances, const Problem *problem, double *sums)
{
  add_tile(distances, problem->q, problem->n_q, sums);
  distances->n = 0;
}

/* Atom i with entries [from, to). */
static void
add_row(const Problem *problem, Distances *distances, size_t i, size_t from, size_t to, double factor,
        double *sums)
{
  for (size_t j = from; j < to; j++) {
    const double x = problem->x[j] - problem->x[i], y = problem->y[j] - problem->y[i],
                 z = problem->z[j] - problem->z[i];
    const double r = sqrt(x * x + y * y + z * z), weight = factor * problem->w[i] * problem->w[j];
    if (r == 0.0) {
      for (size_t k = 0; k < problem->n_q; k++)
        sums[k] += weight;
      continue;
    }
    distances->r[distances->n] = r;
    distances->weight[distances->n++] = weight;
    if (distances->n == TILE)
      flush(distances, problem, sums);
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
  Distances *distances = calloc(1, sizeof *distances);
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
    flush(distances, problem, sums);
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

/* Entries' positions and weights in double, so that groups may share atoms. */
static DebyeStatusCode
load(const DebyeScatteringGroups *groups, const DebyeScatteringFrame *frame, double *room,
     DebyeStatus *status)
{
  const size_t n = debye_scattering_n_entries(groups);
  for (size_t entry = 0; entry < n; entry++) {
    const size_t atom = groups->atoms != NULL ? groups->atoms[entry] : entry;
    if (!debye_scattering_is_good(frame->x[atom], frame->y[atom], frame->z[atom]))
      return debye_scattering_bad_atom(frame, atom, status);
    room[entry] = (double)frame->x[atom];
    room[n + entry] = (double)frame->y[atom];
    room[2 * n + entry] = (double)frame->z[atom];
    room[3 * n + entry] = groups->weight != NULL ? (double)groups->weight[entry] : 1.0;
  }
  return debye_status_ok(status);
}

DebyeStatusCode
debye_formula_products(const DebyeScatteringGroups *groups, const DebyeScatteringFrame *frame,
                       const double *q, size_t n_q, double *products, const volatile bool *cancel,
                       DebyeStatus *status)
{
  const size_t n = debye_scattering_n_entries(groups);
  double *room = malloc((4 * n + 1) * sizeof *room);
  if (room == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for %zu atoms.", n);
  Problem problem = {.groups = groups,
                     .x = room,
                     .y = room + n,
                     .z = room + 2 * n,
                     .w = room + 3 * n,
                     .q = q,
                     .n_q = n_q,
                     .cancel = cancel};
  DebyeStatusCode code = load(groups, frame, room, status);
  for (problem.a = 0; problem.a < groups->n_groups && code == DEBYE_STATUS_OK; problem.a++) {
    code = sum_row(&problem, products, status);
    products += (groups->n_groups - problem.a) * n_q;
  }
  free(room);
  return code;
}

typedef struct {
  const double *counts, *q;
  size_t n_bins, n_q;
  double width;
  double *sums; /* [chunk][q] */
} Histogram;

static void
add_bins(void *context, size_t chunk)
{
  const Histogram *histogram = context;
  const size_t first = chunk * BINS;
  const size_t end = first + BINS < histogram->n_bins ? first + BINS : histogram->n_bins;
  double *sums = histogram->sums + chunk * histogram->n_q;
  Distances distances;
  distances.n = 0;
  for (size_t k = first; k < end; k++) {
    if (histogram->counts[k] == 0.0)
      continue;
    distances.r[distances.n] = histogram->width * ((double)k + 0.5);
    distances.weight[distances.n++] = histogram->counts[k];
    if (distances.n < TILE)
      continue;
    add_tile(&distances, histogram->q, histogram->n_q, sums);
    distances.n = 0;
  }
  add_tile(&distances, histogram->q, histogram->n_q, sums);
}

DebyeStatusCode
debye_formula_of_counts(const double *counts, size_t n_bins, double width, const double *q, size_t n_q,
                        double *sums, DebyeStatus *status)
{
  const size_t n_chunks = (n_bins + BINS - 1) / BINS;
  Histogram histogram = {.counts = counts,
                         .q = q,
                         .n_bins = n_bins,
                         .n_q = n_q,
                         .width = width,
                         .sums = calloc(n_chunks * n_q + 1, sizeof *histogram.sums)};
  if (histogram.sums == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                            "There is no memory for %zu distances at %zu values of q.", n_bins, n_q);
  debye_chunk_threads_run(n_chunks, add_bins, &histogram);
  memset(sums, 0, n_q * sizeof *sums);
  for (size_t chunk = 0; chunk < n_chunks; chunk++)
    for (size_t k = 0; k < n_q; k++)
      sums[k] += histogram.sums[chunk * n_q + k];
  free(histogram.sums);
  return debye_status_ok(status);
}
