/* SPDX-License-Identifier: MIT */
/* Correlations of series on the CPU, a series a chunk; its twin is cuda/scattering/correlation.cu. */
#include "kernels/scattering/correlation.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/common/cpu_kernels.h"
#include "kernels/cpu/common/fourier.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/cpu/common/scratch.h"
#include "kernels/plan.h"

typedef struct {
  DebyeCorrelationSettings settings;
  size_t length; /* padded; 0 where nothing is transformed */
  unsigned n_threads;
  DebyePool *pool;
  DebyeFourier *fourier;
  DebyeScratch scratch; /* two padded series */
} Plan;

typedef struct {
  Plan *plan;
  const double *a, *b;
  double *out;
} Execution;

static void
pad(const Plan *plan, const double *series, double *padded)
{
  const size_t n = 2 * plan->settings.n_frames;
  memcpy(padded, series, n * sizeof *padded);
  memset(padded + n, 0, (2 * plan->length - n) * sizeof *padded);
  debye_fourier_forward(plan->fourier, padded);
}

static void
correlate(Plan *plan, const double *a, const double *b, double *out)
{
  double *first = debye_scratch_take(&plan->scratch), *second = first + 2 * plan->length;
  const size_t n_frames = plan->settings.n_frames;
  pad(plan, a, first);
  if (b != a)
    pad(plan, b, second);
  else
    second = first;
  for (size_t k = 0; k < plan->length; k++) {
    const double ar = first[2 * k], ai = first[2 * k + 1], br = second[2 * k], bi = second[2 * k + 1];
    first[2 * k] = ar * br + ai * bi;
    first[2 * k + 1] = ar * bi - ai * br;
  }
  debye_fourier_backward(plan->fourier, first);
  for (size_t tau = 0; tau < n_frames; tau++) {
    const double share = 1.0 / ((double)(n_frames - tau) * (double)plan->length);
    out[2 * tau] = first[2 * tau] * share;
    out[2 * tau + 1] = first[2 * tau + 1] * share;
  }
  debye_scratch_give(&plan->scratch, first);
}

static void
correlate_directly(size_t n_frames, const double *a, const double *b, double *out)
{
  for (size_t tau = 0; tau < n_frames; tau++) {
    double re = 0.0, im = 0.0;
    for (size_t t = 0; t + tau < n_frames; t++) {
      const double *from = a + 2 * t, *to = b + 2 * (t + tau);
      re += from[0] * to[0] + from[1] * to[1];
      im += from[0] * to[1] - from[1] * to[0];
    }
    out[2 * tau] = re / (double)(n_frames - tau);
    out[2 * tau + 1] = im / (double)(n_frames - tau);
  }
}

static void
square(size_t n_frames, const double *a, const double *b, double *out)
{
  for (size_t t = 0; t < n_frames; t++) {
    const double re = a[2 * t] * b[2 * t] + a[2 * t + 1] * b[2 * t + 1];
    const double im = a[2 * t] * b[2 * t + 1] - a[2 * t + 1] * b[2 * t];
    out[2 * t] = re;
    out[2 * t + 1] = im;
  }
}

static void
process_series(void *context, size_t series)
{
  Execution *execution = context;
  Plan *plan = execution->plan;
  const size_t n_frames = plan->settings.n_frames, place = 2 * n_frames * series;
  const double *a = execution->a + place, *b = execution->b != NULL ? execution->b + place : a;
  double *out = execution->out + place;
  if (plan->settings.signal == DEBYE_SIGNAL_PLAIN)
    memcpy(out, a, 2 * n_frames * sizeof *out);
  else if (plan->settings.signal == DEBYE_SIGNAL_SQUARE)
    square(n_frames, a, b, out);
  else if (plan->settings.direct)
    correlate_directly(n_frames, a, b, out);
  else
    correlate(plan, a, b, out);
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, const double *a, const double *b, size_t n_series, double *out,
        const volatile bool *cancel, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  DebyeStatusCode code = debye_correlation_series_check(&plan->settings, a, b, n_series, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  Execution execution = {plan, a, b, out};
  if (!debye_parallel_for(plan->pool, n_series, process_series, &execution, cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "The correlation was stopped.");
  return DEBYE_STATUS_OK;
}

static DebyeStatusCode
set_up(void *made, int device, const void *settings, DebyeStatus *status)
{
  Plan *plan = made;
  (void)device;
  plan->settings = *(const DebyeCorrelationSettings *)settings;
  plan->n_threads = debye_cpu_threads_beside(plan->settings.spare_cores);
  const DebyeStatusCode code = debye_correlation_settings_check(&plan->settings, status);
  if (code == DEBYE_STATUS_OK && plan->settings.signal == DEBYE_SIGNAL_AUTOCORRELATE &&
      !plan->settings.direct)
    plan->length = debye_correlation_length(plan->settings.n_frames);
  return code;
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  Plan *plan = made;
  if (plan->length > 0)
    debye_scratch_list(&plan->scratch, plan->n_threads, 4 * plan->length * sizeof(double), memory);
}

static DebyeStatusCode
no_memory(const void *made, DebyeStatus *status)
{
  const Plan *plan = made;
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory to correlate %zu frames.",
                          plan->settings.n_frames);
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  Plan *plan = made;
  plan->pool = debye_pool_new(plan->n_threads);
  if (plan->pool == NULL)
    return no_memory(plan, status);
  if (plan->length == 0)
    return debye_status_ok(status);
  debye_scratch_init(&plan->scratch);
  const DebyeFourierSettings transform = {
      .double_precision = true, .shape = {plan->length, 1, 1}, .batch = 1};
  return debye_fourier_create(&transform, NULL, &plan->fourier, status);
}

static void
clear(void *made)
{
  Plan *plan = made;
  debye_pool_free(plan->pool);
  debye_fourier_destroy(plan->fourier);
  debye_scratch_clear(&plan->scratch);
}

DEBYE_PLAN(Plan, debye_host_memory_source, .no_memory = no_memory, .prepare = prepare, .clear = clear)

const DebyeCorrelationKernel debye_cpu_correlation = {
    .head = {bytes_needed, create, destroy},
    .execute = execute,
};
