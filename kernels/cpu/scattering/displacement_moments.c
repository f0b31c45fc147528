/* SPDX-License-Identifier: MIT */
/* Moments of displacements by Fourier transforms on the CPU; called by app/analysis/msd. */
#include "displacement_moments.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/cpu/common/fourier.h"
#include "kernels/cpu/common/parallel.h"
#include "kernels/cpu/common/scratch.h"
#include "kernels/plan.h"

#define LEAST_PARTS 64 /* that the paths are shared in: so many threads have work */
/* Fewer parts where their sums would take more. */
#define MAX_BYTES ((size_t)64 << 20)
/* Lags that are summed directly. The transforms' error of |b − a|⁴ is some 1e-16 of the path's length to the
 * fourth: of 5,000 frames of a free particle 1e-5 of the moment at the lag behind these. */
#define DIRECT_LAGS ((size_t)8)
/* What a part's sums begin with: how many paths, and the lags summed directly. */
#define VALUES_OF_HEAD ((1 + 2 * (DIRECT_LAGS + 1) + 7) / 8 * 8)

/* Of a part: the paths i with (first + i) % n_parts of its number. */
typedef struct {
  double *n_paths;
  double *direct[2];                   /* Σ d², Σ d⁴ of the first lags */
  double *squares, *fourths;           /* Σ A, Σ A², of each frame */
  double *square_power, *fourth_power; /* of the correlations: of each frequency's two parts */
} Sums;

struct DebyeDisplacementMoments {
  size_t n_frames, n_blocks, n_parts;
  size_t length, n_frequencies; /* padded; of its half */
  DebyePool *pool;
  DebyeFourier *fourier;
  unsigned n_threads;
  DebyeScratch scratch;
  char *memory; /* of all sums */
  Sums *sums;
};

/* What a thread works with. */
typedef struct {
  double *part[3], *square; /* the path about its mean, and A */
  double *padded;           /* zero behind the frames */
  double *spectrum[2], *trace;
} Work;

typedef struct {
  DebyeDisplacementMoments *moments;
  const double *paths;
  size_t stride, first, n_paths;
  const volatile bool *cancel;
} Addition;

/* --- Sizes --- */

/* At least 2n − 1, so that nothing wraps round. */
static size_t
padded_length(size_t n_frames)
{
  return debye_fourier_good_length(2 * n_frames);
}

/* Every array begins where vectors may. */
static size_t
aligned(size_t n)
{
  return (n + 7) / 8 * 8;
}

static size_t
values_of_sums(size_t n_frames)
{
  return VALUES_OF_HEAD + 2 * aligned(n_frames) + 2 * aligned(padded_length(n_frames) + 2);
}

static size_t
values_of_work(size_t n_frames)
{
  const size_t length = padded_length(n_frames);
  return 4 * aligned(n_frames) + aligned(length) + 3 * aligned(length + 2);
}

/* A multiple of the blocks, so that a part is of one. */
static size_t
count_parts(size_t n_frames, size_t n_blocks)
{
  const size_t wanted = (LEAST_PARTS + n_blocks - 1) / n_blocks;
  const size_t fits = MAX_BYTES / (values_of_sums(n_frames) * sizeof(double)) / n_blocks;
  return n_blocks * (fits < 1 ? 1 : fits < wanted ? fits : wanted);
}

/* --- One path --- */

static Work
lay_out_work(const DebyeDisplacementMoments *moments, double *memory)
{
  const size_t n = aligned(moments->n_frames), length = aligned(moments->length);
  const size_t spectrum = aligned(moments->length + 2);
  Work work = {.square = memory + 3 * n, .padded = memory + 4 * n};
  for (int k = 0; k < 3; k++)
    work.part[k] = memory + (size_t)k * n;
  work.spectrum[0] = work.padded + length;
  work.spectrum[1] = work.spectrum[0] + spectrum;
  work.trace = work.spectrum[1] + spectrum;
  memset(work.padded, 0, moments->length * sizeof *work.padded);
  return work;
}

/* Of values or of their squares, in lanes: one alone waits for each addition before the next. */
#define LANES 4

static double
sum_up(const double *f, size_t n, bool squared)
{
  double lanes[LANES] = {0.0};
  size_t t = 0;
  for (; t + LANES <= n && squared; t += LANES)
    for (size_t k = 0; k < LANES; k++)
      lanes[k] += f[t + k] * f[t + k];
  for (; t + LANES <= n && !squared; t += LANES)
    for (size_t k = 0; k < LANES; k++)
      lanes[k] += f[t + k];
  for (; t < n; t++)
    lanes[0] += squared ? f[t] * f[t] : f[t];
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

/* About its mean: the smaller the places, the less is lost in their differences. */
static void
take_path(const DebyeDisplacementMoments *moments, const Work *work, const double *path, size_t stride)
{
  const size_t n = moments->n_frames;
  for (int k = 0; k < 3; k++) {
    const double *from = path + (size_t)k * stride;
    const double mean = sum_up(from, n, false) / (double)n;
    for (size_t t = 0; t < n; t++)
      work->part[k][t] = from[t] - mean;
  }
  const double *x = work->part[0], *y = work->part[1], *z = work->part[2];
  for (size_t t = 0; t < n; t++)
    work->square[t] = x[t] * x[t] + y[t] * y[t] + z[t] * z[t];
}

static void
add_squares(const Work *work, size_t n, Sums *sums)
{
  for (size_t t = 0; t < n; t++) {
    sums->squares[t] += work->square[t];
    sums->fourths[t] += work->square[t] * work->square[t];
  }
}

static void
add_directly(const Work *work, size_t n, Sums *sums)
{
  const double *x = work->part[0], *y = work->part[1], *z = work->part[2];
  double *squares = work->padded;
  for (size_t lag = 1; lag <= DIRECT_LAGS && lag < n; lag++) {
    for (size_t t = 0; t + lag < n; t++) {
      const double dx = x[t + lag] - x[t], dy = y[t + lag] - y[t], dz = z[t + lag] - z[t];
      squares[t] = dx * dx + dy * dy + dz * dz;
    }
    sums->direct[0][lag] += sum_up(squares, n - lag, false);
    sums->direct[1][lag] += sum_up(squares, n - lag, true);
  }
}

/* The spectrum of f·g, or of f where g is NULL. */
static void
transform(const DebyeDisplacementMoments *moments, const Work *work, const double *f, const double *g,
          double *spectrum)
{
  const size_t n = moments->n_frames;
  if (g == NULL)
    memcpy(work->padded, f, n * sizeof *f);
  for (size_t t = 0; t < n && g != NULL; t++)
    work->padded[t] = f[t] * g[t];
  debye_fourier_real_forward(moments->fourier, work->padded, spectrum);
}

/* a·b, and (A + B) a·b: both orders together are 2 Re F*G. Real and imaginary parts stay apart until the
 * correlation is made, so that loops need no shuffling. */
static void
add_parts(const DebyeDisplacementMoments *moments, const Work *work, Sums *sums)
{
  const double *f = work->spectrum[0], *g = work->spectrum[1];
  for (int k = 0; k < 3; k++) {
    transform(moments, work, work->part[k], NULL, work->spectrum[0]);
    transform(moments, work, work->part[k], work->square, work->spectrum[1]);
    for (size_t i = 0; i < 2 * moments->n_frequencies; i++) {
      sums->square_power[i] += f[i] * f[i];
      sums->fourth_power[i] -= 8.0 * f[i] * g[i];
    }
  }
}

/* (a·b)², a sum over products of parts, those of two different ones twice; and AB, of the trace. */
static void
add_products(const DebyeDisplacementMoments *moments, const Work *work, Sums *sums)
{
  const size_t n = 2 * moments->n_frequencies;
  const double *f = work->spectrum[0], *g = work->spectrum[1];
  memset(work->trace, 0, n * sizeof *work->trace);
  for (int k = 0; k < 3; k++) {
    transform(moments, work, work->part[k], work->part[k], work->spectrum[0]);
    transform(moments, work, work->part[k], work->part[(k + 1) % 3], work->spectrum[1]);
    for (size_t i = 0; i < n; i++) {
      sums->fourth_power[i] += 4.0 * f[i] * f[i] + 8.0 * g[i] * g[i];
      work->trace[i] += f[i];
    }
  }
  for (size_t i = 0; i < n; i++)
    sums->fourth_power[i] += 2.0 * work->trace[i] * work->trace[i];
}

static void
add_part(void *context, size_t part)
{
  const Addition *addition = context;
  DebyeDisplacementMoments *moments = addition->moments;
  const size_t n_parts = moments->n_parts;
  Sums *sums = &moments->sums[part];
  double *memory = debye_scratch_take(&moments->scratch);
  const Work work = lay_out_work(moments, memory);
  for (size_t i = (part + n_parts - addition->first % n_parts) % n_parts; i < addition->n_paths;
       i += n_parts) {
    if (addition->cancel != NULL && *addition->cancel)
      break;
    take_path(moments, &work, addition->paths + 3 * i * addition->stride, addition->stride);
    add_squares(&work, moments->n_frames, sums);
    add_directly(&work, moments->n_frames, sums);
    add_parts(moments, &work, sums);
    add_products(moments, &work, sums);
    *sums->n_paths += 1.0;
  }
  debye_scratch_give(&moments->scratch, memory);
}

DebyeStatusCode
debye_displacement_moments_add(DebyeDisplacementMoments *moments, const double *paths, size_t stride,
                               size_t first, size_t n_paths, const volatile bool *cancel, DebyeStatus *status)
{
  Addition addition = {moments, paths, stride, first, n_paths, cancel};
  debye_parallel_for(moments->pool, moments->n_parts, add_part, &addition, cancel);
  if (cancel != NULL && *cancel)
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "The displacements were stopped.");
  return debye_status_ok(status);
}

/* --- The sums --- */

size_t
debye_displacement_moments_count(const DebyeDisplacementMoments *moments, size_t block)
{
  size_t n = 0;
  for (size_t part = block; part < moments->n_parts; part += moments->n_blocks)
    n += (size_t)*moments->sums[part].n_paths;
  return n;
}

double *
debye_displacement_moments_get_sums(DebyeDisplacementMoments *moments, size_t *n)
{
  *n = moments->n_parts * values_of_sums(moments->n_frames);
  return moments->sums[0].n_paths;
}

/* Σ over origins of what both ends of a displacement have, from the longest lag down, where nothing is taken
 * away again; the correlations go with `weight`. */
static void
add_ends(const double *ends, const double *correlation, size_t n, double weight, double *moment)
{
  double sum = 0.0;
  for (size_t lag = n; lag-- > 0;) {
    sum += ends[n - 1 - lag] + ends[lag];
    const double value = sum + weight * correlation[lag];
    moment[lag] = value > 0.0 ? value : 0.0;
  }
}

/* A part's arrays of one kind, of all parts of a block. */
static void
add_up(double *to, const double *from, size_t n)
{
  for (size_t i = 0; i < n; i++)
    to[i] += from[i];
}

/* A power spectrum is real, and even: its transform back is the correlation. */
static void
correlate(const DebyeDisplacementMoments *moments, const double *power, double *spectrum, double *correlation)
{
  for (size_t k = 0; k < moments->n_frequencies; k++) {
    spectrum[2 * k] = (power[2 * k] + power[2 * k + 1]) / (double)moments->length;
    spectrum[2 * k + 1] = 0.0;
  }
  debye_fourier_real_backward(moments->fourier, spectrum, correlation);
}

static void
get_moment(const DebyeDisplacementMoments *moments, size_t block, bool is_fourth, double *memory,
           double *moment)
{
  const size_t n = moments->n_frames, n_power = 2 * moments->n_frequencies;
  double *ends = memory, *power = ends + aligned(n), *spectrum = power + aligned(n_power);
  double *correlation = spectrum + aligned(moments->length + 2);
  memset(ends, 0, n * sizeof *ends);
  memset(power, 0, n_power * sizeof *power);
  for (size_t part = block; part < moments->n_parts; part += moments->n_blocks) {
    const Sums *sums = &moments->sums[part];
    add_up(ends, is_fourth ? sums->fourths : sums->squares, n);
    add_up(power, is_fourth ? sums->fourth_power : sums->square_power, n_power);
  }
  correlate(moments, power, spectrum, correlation);
  add_ends(ends, correlation, n, is_fourth ? 1.0 : -2.0, moment);
  for (size_t lag = 0; lag <= DIRECT_LAGS && lag < n; lag++) {
    moment[lag] = 0.0;
    for (size_t part = block; part < moments->n_parts; part += moments->n_blocks)
      moment[lag] += moments->sums[part].direct[is_fourth][lag];
  }
}

DebyeStatusCode
debye_displacement_moments_get(const DebyeDisplacementMoments *moments, size_t block, double *square,
                               double *fourth, DebyeStatus *status)
{
  const size_t n = aligned(moments->n_frames) + 2 * aligned(moments->length + 2) + aligned(moments->length);
  double *memory = aligned_alloc(64, n * sizeof *memory);
  if (memory == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                            "There is no memory for displacements after %zu lags.", moments->n_frames);
  get_moment(moments, block, false, memory, square);
  get_moment(moments, block, true, memory, fourth);
  free(memory);
  return debye_status_ok(status);
}

/* --- Plans --- */

typedef struct {
  size_t n_frames, n_blocks;
} Settings;

static DebyeStatusCode
set_up(void *made, int device, const void *data, DebyeStatus *status)
{
  DebyeDisplacementMoments *moments = made;
  const Settings *settings = data;
  (void)device;
  if (settings->n_frames == 0 || settings->n_blocks == 0)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "Displacements need frames and blocks, found %zu and %zu.", settings->n_frames,
                            settings->n_blocks);
  moments->n_frames = settings->n_frames;
  moments->n_blocks = settings->n_blocks;
  moments->n_parts = count_parts(settings->n_frames, settings->n_blocks);
  moments->length = padded_length(settings->n_frames);
  moments->n_frequencies = moments->length / 2 + 1;
  moments->n_threads = debye_cpu_get_threads();
  return debye_status_ok(status);
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  DebyeDisplacementMoments *moments = made;
  const uint64_t n_values = (uint64_t)moments->n_parts * values_of_sums(moments->n_frames);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, moments->sums, moments->n_parts);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, moments->memory,
                   n_values * sizeof(double) + DEBYE_SCRATCH_ALIGNMENT - 1);
  debye_scratch_list(&moments->scratch, moments->n_threads,
                     values_of_work(moments->n_frames) * sizeof(double), memory);
}

static DebyeStatusCode
no_memory(const void *made, DebyeStatus *status)
{
  const DebyeDisplacementMoments *moments = made;
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                          "There is no memory for displacements after %zu lags.", moments->n_frames);
}

static void
lay_out_sums(DebyeDisplacementMoments *moments)
{
  const size_t n = aligned(moments->n_frames), n_power = aligned(moments->length + 2);
  const size_t of_part = values_of_sums(moments->n_frames);
  double *first = debye_scratch_align(moments->memory);
  for (size_t part = 0; part < moments->n_parts; part++) {
    Sums *sums = &moments->sums[part];
    sums->n_paths = first + part * of_part;
    sums->direct[0] = sums->n_paths + 1;
    sums->direct[1] = sums->direct[0] + DIRECT_LAGS + 1;
    sums->squares = sums->n_paths + VALUES_OF_HEAD;
    sums->fourths = sums->squares + n;
    sums->square_power = sums->fourths + n;
    sums->fourth_power = sums->square_power + n_power;
  }
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  DebyeDisplacementMoments *moments = made;
  moments->pool = debye_pool_new(moments->n_threads);
  if (moments->pool == NULL)
    return no_memory(moments, status);
  debye_scratch_init(&moments->scratch);
  lay_out_sums(moments);
  const DebyeFourierSettings settings = {
      .real = true, .double_precision = true, .shape = {moments->length, 1, 1}, .batch = 1};
  return debye_fourier_create(&settings, NULL, &moments->fourier, status);
}

static void
clear(void *made)
{
  DebyeDisplacementMoments *moments = made;
  debye_pool_free(moments->pool);
  debye_fourier_destroy(moments->fourier);
  debye_scratch_clear(&moments->scratch);
}

static const DebyePlanKind kind = DEBYE_PLAN_KIND(DebyeDisplacementMoments, debye_host_memory_source,
                                                  .no_memory = no_memory, .prepare = prepare, .clear = clear);

uint64_t
debye_displacement_moments_bytes(size_t n_frames, size_t n_blocks)
{
  return debye_plan_bytes(&kind, 0, &(Settings){n_frames, n_blocks});
}

DebyeStatusCode
debye_displacement_moments_create(size_t n_frames, size_t n_blocks, DebyeDisplacementMoments **moments,
                                  DebyeStatus *status)
{
  void *made = NULL;
  const DebyeStatusCode code = debye_plan_create(&kind, 0, &(Settings){n_frames, n_blocks}, &made, status);
  *moments = made;
  return code;
}

void
debye_displacement_moments_destroy(DebyeDisplacementMoments *moments)
{
  debye_plan_destroy(&kind, moments);
}
