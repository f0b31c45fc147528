/* SPDX-License-Identifier: MIT */
/* See the header; called by scattering_by_formula.c. */
#include "scattering_debye_moments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/chunk_threads.h"
#include "kernels/scattering/scattering_distances.h"
#include "moments_block.h"

#define MOMENTS 4
#define LINE ((size_t)64) /* bytes of the cache: no bin lies on two */
/* Shares of a pair of groups, each with bins of its own: as many as there are threads, fewer where bins take more memory or
 * have few pairs. */
#define MOST_SHARES 16
#define MOST_BYTES 2e8
#define COLUMNS 4        /* of the entries: places and weights */
#define LEAST_BINS 2     /* the first has no moments */
#define PAIRS_OF_BIN 8.0 /* at least, that a share of its own is worth */
#define ROWS 8           /* atoms in a row that go to one share */
#define BINS 2048        /* of a chunk that is transformed */
#define WIDEST 0.25      /* Å: nearly no pair is within the first bin */
#define ROUNDING 0.1     /* of the tolerance, left for sums in double */

/* Σ 1/r about an atom is largest amid a ball: 2.4 n^⅔ where atoms have 1 Å³; so the error is q³Δ⁴/384 of that. */
DebyeFormulaBins
debye_formula_bins(double reach, double q_max, double tolerance, size_t n_atoms)
{
  const double n = fmax((double)n_atoms, 1.0), q = fmax(q_max, 1e-9);
  const double width =
      sqrt(sqrt((1.0 - ROUNDING) * 384.0 * tolerance / (2.4 * cbrt(n) * cbrt(n) * q * q * q)));
  DebyeFormulaBins bins = {.width = fmin(width, WIDEST)};
  bins.n_bins = (size_t)fmin(ceil(reach / bins.width) + 1.0, (double)DEBYE_FORMULA_MOST_BINS);
  const double pairs = 0.5 * n * n, n_shares = pairs / (PAIRS_OF_BIN * (double)bins.n_bins);
  bins.n_shares = (size_t)fmax(fmin(n_shares, MOST_SHARES), 1.0);
  return bins;
}

static double
bytes_of_bin(size_t n_shares)
{
  return (double)n_shares * MOMENTS * sizeof(double);
}

/* All but the bins, and what is summed of every BINS of them. */
static double
bytes_of_rest(const DebyeFormulaBins *bins, size_t n_atoms, size_t n_q)
{
  const double sums = (double)(bins->n_shares + bins->n_bins / BINS + 1) * (double)(n_q + 1);
  return sizeof(double) * (COLUMNS * (double)n_atoms + sums) +
         (double)bins->n_shares * sizeof(DebyeDistances);
}

double
debye_formula_bins_count_bytes(const DebyeFormulaBins *bins, size_t n_atoms, size_t n_q)
{
  return bytes_of_bin(bins->n_shares) * (double)bins->n_bins + bytes_of_rest(bins, n_atoms, n_q);
}

void
debye_formula_bins_fit(DebyeFormulaBins *bins, size_t n_atoms, size_t n_q, double most_bytes)
{
  const double most = fmin(most_bytes, MOST_BYTES);
  while (bins->n_shares > 1 && debye_formula_bins_count_bytes(bins, n_atoms, n_q) > most)
    bins->n_shares--;
  if (debye_formula_bins_count_bytes(bins, n_atoms, n_q) <= most)
    return;
  const double room = (most - bytes_of_rest(bins, n_atoms, n_q)) / bytes_of_bin(1);
  bins->n_bins = (size_t)fmax(fmin(room, (double)bins->n_bins), LEAST_BINS);
}

typedef struct {
  const double *x, *y, *z, *w; /* of entries */
  size_t begin[2], end[2];     /* entries of both groups */
  bool is_same;                /* group */
  double factor;               /* pairs of a group count once, and twice in the sum */
  DebyeFormulaBins bins;
  const DebyeMomentsBlock *block;
  const double *q;
  size_t n_q, n_shares;
  double *moments;           /* [share][bin][moment] */
  double *single;            /* [share][q] */
  double *sums;              /* [chunk of bins][q] */
  DebyeDistances *distances; /* [share] */
  const volatile bool *cancel;
} Problem;

/* Of entry i with entries from `first` on. */
static void
find_pairs(const Problem *problem, size_t i, size_t first, size_t n, DebyeMomentsPairs *pairs)
{
  const DebyeMomentsRow row = {.x = problem->x + first,
                               .y = problem->y + first,
                               .z = problem->z + first,
                               .w = problem->w + first,
                               .origin = {problem->x[i], problem->y[i], problem->z[i]},
                               .weight = problem->factor * problem->w[i],
                               .inverse = 1.0 / problem->bins.width,
                               .n_bins = (double)problem->bins.n_bins};
  problem->block->find(&row, n, pairs);
}

/* A pair that is in no bin. */
static void
add_single(const Problem *problem, size_t i, size_t j, size_t share)
{
  const double x = problem->x[j] - problem->x[i], y = problem->y[j] - problem->y[i],
               z = problem->z[j] - problem->z[i];
  debye_distances_add(&problem->distances[share], sqrt(x * x + y * y + z * z),
                      problem->factor * problem->w[i] * problem->w[j], problem->q, problem->n_q,
                      problem->single + share * problem->n_q);
}

/* Two moments at a time: any CPU has vectors of so many. */
static void
add_pairs(const Problem *problem, size_t i, size_t first, const DebyeMomentsPairs *pairs, size_t n,
          size_t share)
{
  double *moments = problem->moments + share * problem->bins.n_bins * MOMENTS;
  for (size_t j = 0; j < n; j++) {
    const size_t bin = debye_moments_bin(pairs, j);
    if (bin == 0 || bin >= problem->bins.n_bins) {
      add_single(problem, i, first + j, share);
      continue;
    }
    double *restrict of_bin = moments + bin * MOMENTS;
    const double zeroth = pairs->first[j][0], first_moment = pairs->first[j][1], square = pairs->square[j];
    of_bin[0] += zeroth;
    of_bin[1] += first_moment;
    of_bin[2] += zeroth * square;
    of_bin[3] += first_moment * square;
  }
}

/* Every so many rows: all shares have as many pairs. */
static void
do_share(void *context, size_t share)
{
  const Problem *problem = context;
  DebyeMomentsPairs pairs;
  for (size_t i = problem->begin[0]; i < problem->end[0] && !debye_is_cancelled(problem->cancel); i++) {
    if ((i - problem->begin[0]) / ROWS % problem->n_shares != share)
      continue;
    const size_t end = problem->end[1];
    for (size_t first = problem->is_same ? i + 1 : problem->begin[1]; first < end;
         first += DEBYE_MOMENTS_PAIRS) {
      const size_t n = end - first < DEBYE_MOMENTS_PAIRS ? end - first : DEBYE_MOMENTS_PAIRS;
      find_pairs(problem, i, first, n, &pairs);
      add_pairs(problem, i, first, &pairs, n, share);
    }
  }
  debye_distances_flush(&problem->distances[share], problem->q, problem->n_q,
                        problem->single + share * problem->n_q);
}

/* Some bins with pairs, moments by their number. */
typedef struct {
  DebyeDistances middles;
  double moment[MOMENTS][DEBYE_DISTANCES_TILE];
} Tile;

static void
transform_tile(const Problem *problem, Tile *tile, double *sums)
{
  DebyeDistances *middles = &tile->middles;
  const double width = problem->bins.width;
  if (middles->n == 0)
    return;
  for (; middles->n % DEBYE_DISTANCES_LANES > 0; middles->n++) {
    middles->r[middles->n] = 1.0;
    for (size_t j = 0; j < MOMENTS; j++)
      tile->moment[j][middles->n] = 0.0;
  }
  const size_t n_bins = middles->n;
  for (size_t k = 0; k < problem->n_q; k++) {
    const double q = problem->q[k], phase = q * width;
    debye_distances_go_to(middles, problem->q, problem->n_q, k);
    if (!(q > 0.0)) {
      for (size_t i = 0; i < n_bins; i++)
        sums[k] += middles->r[i] * tile->moment[0][i] + width * tile->moment[1][i];
      continue;
    }
    sums[k] += (debye_sum_products(middles->sine, tile->moment[0], n_bins) -
                phase * phase / 2.0 * debye_sum_products(middles->sine, tile->moment[2], n_bins) +
                phase * debye_sum_products(middles->cosine, tile->moment[1], n_bins) -
                phase * phase * phase / 6.0 * debye_sum_products(middles->cosine, tile->moment[3], n_bins)) /
               q;
  }
  middles->n = 0;
}

/* The shares' moments in their order, so that threads don't matter. */
static void
add_bins(void *context, size_t chunk)
{
  const Problem *problem = context;
  const size_t n_bins = problem->bins.n_bins, first = chunk * BINS;
  const size_t end = first + BINS < n_bins ? first + BINS : n_bins;
  double *sums = problem->sums + chunk * problem->n_q;
  Tile tile;
  tile.middles.n = 0;
  for (size_t bin = first; bin < end && !debye_is_cancelled(problem->cancel); bin++) {
    double moments[MOMENTS] = {0.0};
    bool has_pairs = false;
    for (size_t share = 0; share < problem->n_shares; share++)
      for (size_t j = 0; j < MOMENTS; j++)
        moments[j] += problem->moments[(share * n_bins + bin) * MOMENTS + j];
    for (size_t j = 0; j < MOMENTS; j++)
      has_pairs = has_pairs || moments[j] != 0.0;
    if (!has_pairs)
      continue;
    tile.middles.r[tile.middles.n] = problem->bins.width * ((double)bin + 0.5);
    for (size_t j = 0; j < MOMENTS; j++)
      tile.moment[j][tile.middles.n] = moments[j];
    if (++tile.middles.n == DEBYE_DISTANCES_TILE)
      transform_tile(problem, &tile, sums);
  }
  transform_tile(problem, &tile, sums);
}

static void
sum_pair(Problem *problem, double *products)
{
  const size_t n_bins = problem->bins.n_bins, n_chunks = (n_bins + BINS - 1) / BINS;
  memset(problem->moments, 0, problem->n_shares * n_bins * MOMENTS * sizeof *problem->moments);
  memset(problem->single, 0, problem->n_shares * problem->n_q * sizeof *problem->single);
  memset(problem->sums, 0, n_chunks * problem->n_q * sizeof *problem->sums);
  debye_chunk_threads_run(problem->n_shares, do_share, problem);
  debye_chunk_threads_run(n_chunks, add_bins, problem);
  double self = 0.0;
  for (size_t i = problem->begin[0]; i < problem->end[0] && problem->is_same; i++)
    self += problem->w[i] * problem->w[i];
  for (size_t k = 0; k < problem->n_q; k++) {
    products[k] = self;
    for (size_t share = 0; share < problem->n_shares; share++)
      products[k] += problem->single[share * problem->n_q + k];
    for (size_t chunk = 0; chunk < n_chunks; chunk++)
      products[k] += problem->sums[chunk * problem->n_q + k];
  }
}

static void
sum_pairs(Problem *problem, const DebyeScatteringGroups *groups, double *products)
{
  for (size_t a = 0; a < groups->n_groups; a++)
    for (size_t b = a; b < groups->n_groups && !debye_is_cancelled(problem->cancel); b++) {
      problem->begin[0] = groups->first[a];
      problem->end[0] = groups->first[a + 1];
      problem->begin[1] = groups->first[b];
      problem->end[1] = groups->first[b + 1];
      problem->is_same = a == b;
      problem->factor = a == b ? 2.0 : 1.0;
      sum_pair(problem, products);
      products += problem->n_q;
    }
}

DebyeStatusCode
debye_formula_by_moments(const DebyeScatteringGroups *groups, const DebyeScatteringFrame *frame,
                         const DebyeFormulaBins *bins, const double *q, size_t n_q, double *products,
                         const volatile bool *cancel, DebyeStatus *status)
{
  const size_t n = debye_scattering_n_entries(groups), of_share = bins->n_bins * MOMENTS;
  double *room = NULL;
  DebyeStatusCode code = debye_scattering_load(groups, frame, &room, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  const size_t n_shares = bins->n_shares;
  Problem problem = {.x = room,
                     .y = room + n,
                     .z = room + 2 * n,
                     .w = room + 3 * n,
                     .bins = *bins,
                     .block = debye_moments_block(debye_cpu_get_level()),
                     .q = q,
                     .n_q = n_q,
                     .n_shares = n_shares,
                     .moments =
                         aligned_alloc(LINE, (n_shares * of_share * sizeof(double) + LINE - 1) / LINE * LINE),
                     .single = malloc(n_shares * (n_q + 1) * sizeof(double)),
                     .sums = malloc((bins->n_bins / BINS + 1) * (n_q + 1) * sizeof(double)),
                     .distances = calloc(n_shares, sizeof(DebyeDistances)),
                     .cancel = cancel};
  const bool had_memory =
      problem.moments != NULL && problem.single != NULL && problem.sums != NULL && problem.distances != NULL;
  if (had_memory)
    sum_pairs(&problem, groups, products);
  free(problem.moments);
  free(problem.single);
  free(problem.sums);
  free(problem.distances);
  free(room);
  if (!had_memory)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                            "There is no memory for %zu distances at %zu values of q.", bins->n_bins, n_q);
  if (debye_is_cancelled(cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  return debye_status_ok(status);
}
