/* SPDX-License-Identifier: MIT */
/* Sums of self scattering over a part of the atoms, and their transform back; called by scattering_self.c. */
#include "self_plan.h"

#include <string.h>

/* Lags whose error is looked at. */
#define MAX_ZEROS 2

/* Scratch memory. */

size_t
debye_cpu_self_row(size_t n_frames)
{
  /* Not a power of two apart: the rows of a slice would all fall on the same places of the cache. */
  return (n_frames + 15) / 16 * 16 + 16;
}

size_t
debye_cpu_self_scratch_bytes(const DebyeSelfSettings *settings)
{
  const size_t length = debye_self_length(settings->n_frames);
  return 3 * DEBYE_CPU_SELF_SLICE * debye_cpu_self_row(settings->n_frames) * sizeof(float) +
         2 * length * sizeof(double) + length * sizeof(double);
}

typedef struct {
  float *x, *y, *z;
  char *values; /* float or double */
  float *sum;
} Scratch;

static Scratch
lay_out(const DebyeCpuSelfPlan *plan, void *memory)
{
  const size_t n = DEBYE_CPU_SELF_SLICE * plan->row;
  float *positions = memory;
  const size_t length = debye_self_length(plan->settings.n_frames);
  char *values = (char *)(positions + 3 * n);
  return (Scratch){positions, positions + n, positions + 2 * n, values,
                   (float *)(values + 2 * length * sizeof(double))};
}

/* A part of the atoms. */

static void
turn_slice(const DebyeCpuSelfPlan *plan, const uint32_t *atoms, size_t count, const Scratch *scratch)
{
  const DebyeSelfBlock *block = &plan->block;
  for (size_t t = 0; t < plan->settings.n_frames; t++) {
    const float *x = block->x + t * block->stride, *y = block->y + t * block->stride;
    const float *z = block->z + t * block->stride;
    for (size_t i = 0; i < count; i++) {
      scratch->x[i * plan->row + t] = x[atoms[i]];
      scratch->y[i * plan->row + t] = y[atoms[i]];
      scratch->z[i * plan->row + t] = z[atoms[i]];
    }
  }
}

static void
make_phases(const DebyeCpuSelfPlan *plan, const Scratch *scratch, size_t atom, size_t vector)
{
  const size_t n_frames = plan->settings.n_frames, place = atom * plan->row;
  const float *x = scratch->x + place, *y = scratch->y + place, *z = scratch->z + place;
  const double *quarter = plan->quarter[vector];
  if (plan->settings.double_precision)
    plan->loops->phases_double(x, y, z, n_frames, quarter, (double *)scratch->values);
  else
    plan->loops->phases_float(x, y, z, n_frames, quarter, (float *)scratch->values);
}

static double
mean_square(const DebyeCpuSelfPlan *plan, const Scratch *scratch)
{
  double mean[2];
  if (plan->settings.double_precision)
    plan->loops->mean_double((const double *)scratch->values, plan->length, plan->mean[0], plan->mean[1],
                             mean);
  else
    plan->loops->mean_float((const float *)scratch->values, plan->length, plan->mean[0], plan->mean[1], mean);
  return mean[0] * mean[0] + mean[1] * mean[1];
}

/* Adds an atom's power spectrum: in double at once, else to the slice's own sum. */
static void
add_spectrum(const DebyeCpuSelfPlan *plan, const Scratch *scratch, double weight, double *sum,
             double *elastic)
{
  const size_t padding = plan->length - plan->settings.n_frames,
               value = 2 * debye_cpu_self_value_bytes(&plan->settings);
  memset(scratch->values + plan->settings.n_frames * value, 0, padding * value);
  debye_fourier_forward(plan->forward, scratch->values);
  if (plan->settings.double_precision)
    plan->loops->add_power_double((const double *)scratch->values, plan->length, weight, sum);
  else
    plan->loops->add_power_float((const float *)scratch->values, plan->length, (float)weight, scratch->sum);
  if (plan->settings.elastic)
    *elastic += weight * weight * mean_square(plan, scratch);
}

/* Adds an atom's own course. */
static void
add_series(const DebyeCpuSelfPlan *plan, const Scratch *scratch, size_t atom, double *sum, double *elastic)
{
  const double *length = plan->block.length != NULL ? plan->block.length + 2 * atom : NULL;
  const double b[2] = {length != NULL ? length[0] : 1.0, length != NULL ? length[1] : 0.0};
  const size_t n_frames = plan->settings.n_frames;
  double mean[2] = {0.0, 0.0};
  for (size_t t = 0; t < n_frames; t++) {
    const double re = plan->settings.double_precision ? ((const double *)scratch->values)[2 * t]
                                                      : (double)((const float *)scratch->values)[2 * t];
    const double im = plan->settings.double_precision ? ((const double *)scratch->values)[2 * t + 1]
                                                      : (double)((const float *)scratch->values)[2 * t + 1];
    sum[2 * t] += b[0] * re - b[1] * im;
    sum[2 * t + 1] += b[0] * im + b[1] * re;
    mean[0] += re / (double)n_frames;
    mean[1] += im / (double)n_frames;
  }
  *elastic += (b[0] * b[0] + b[1] * b[1]) * (mean[0] * mean[0] + mean[1] * mean[1]);
}

static void
sum_slice(const DebyeCpuSelfPlan *plan, const Scratch *scratch, const uint32_t *atoms, size_t count,
          size_t vector, double *sum, double *elastic)
{
  const bool in_float = debye_cpu_self_correlates(&plan->settings) && !plan->settings.double_precision;
  if (in_float)
    memset(scratch->sum, 0, plan->length * sizeof *scratch->sum);
  for (size_t i = 0; i < count; i++) {
    make_phases(plan, scratch, i, vector);
    if (debye_cpu_self_correlates(&plan->settings))
      add_spectrum(plan, scratch, debye_self_weight(&plan->block, atoms[i]), sum, elastic);
    else
      add_series(plan, scratch, atoms[i], sum, elastic);
  }
  if (in_float)
    plan->loops->add(scratch->sum, plan->length, sum);
}

void
debye_cpu_self_sum_part(void *context, size_t number)
{
  const DebyeCpuSelfExecution *execution = context;
  DebyeCpuSelfPlan *plan = execution->plan;
  const DebyeCpuSelfPart *part = &plan->parts[number];
  void *memory = debye_scratch_take(&plan->scratch);
  const Scratch scratch = lay_out(plan, memory);
  double *sums = plan->sums + number * plan->batch * plan->n_values;
  double *elastic = plan->elastic + number * plan->batch;
  memset(sums, 0, plan->batch * plan->n_values * sizeof *sums);
  memset(elastic, 0, plan->batch * sizeof *elastic);
  for (size_t first = 0; first < part->count; first += DEBYE_CPU_SELF_SLICE) {
    const size_t left = part->count - first,
                 count = left < DEBYE_CPU_SELF_SLICE ? left : DEBYE_CPU_SELF_SLICE;
    const uint32_t *atoms = plan->order + part->first + first;
    turn_slice(plan, atoms, count, &scratch);
    for (size_t i = 0; i < execution->count; i++)
      sum_slice(plan, &scratch, atoms, count, execution->first + i, sums + i * plan->n_values, &elastic[i]);
  }
  debye_scratch_give(&plan->scratch, memory);
}

/* A vector of the batch. */

/* Lags from NF to L − NF are 0 by the padding, and what stands there is the error of the transforms in float.
 * It changes slowly from lag to lag, because the large powers, at low frequencies, have the large errors; so
 * its mean just behind the last lag is taken off all: the last lags, which few pairs of times are in, need
 * it. */
static void
find_error(const DebyeCpuSelfPlan *plan, const double *correlation, double error[2])
{
  const size_t first = plan->settings.n_frames, zeros = plan->length + 1 - 2 * first;
  const size_t n = zeros < MAX_ZEROS ? zeros : MAX_ZEROS;
  error[0] = error[1] = 0.0;
  for (size_t tau = first; tau < first + n; tau++) {
    error[0] += correlation[2 * tau] / (double)n;
    error[1] += correlation[2 * tau + 1] / (double)n;
  }
}

static void
finish_group(const DebyeCpuSelfPlan *plan, double *spectrum, double *f)
{
  const size_t n_frames = plan->settings.n_frames;
  if (!debye_cpu_self_correlates(&plan->settings)) {
    memcpy(f, spectrum, plan->n_values * sizeof *f);
    return;
  }
  /* From the end: the values move apart in place. */
  for (size_t k = plan->length; k-- > 0;) {
    spectrum[2 * k] = spectrum[k];
    spectrum[2 * k + 1] = 0.0;
  }
  debye_fourier_backward(plan->backward, spectrum);
  double error[2];
  find_error(plan, spectrum, error);
  for (size_t tau = 0; tau < n_frames; tau++) {
    const double share = 1.0 / ((double)(n_frames - tau) * (double)plan->length);
    f[2 * tau] = (spectrum[2 * tau] - error[0]) * share;
    f[2 * tau + 1] = (spectrum[2 * tau + 1] - error[1]) * share;
  }
}

void
debye_cpu_self_finish_vector(void *context, size_t i)
{
  const DebyeCpuSelfExecution *execution = context;
  DebyeCpuSelfPlan *plan = execution->plan;
  const size_t n_groups = plan->settings.n_groups, stride = plan->batch * plan->n_values;
  void *memory = debye_scratch_take(&plan->scratch);
  double *spectrum = (double *)lay_out(plan, memory).values;
  size_t part = 0;
  for (size_t group = 0; group < n_groups; group++) {
    const size_t place = i * n_groups + group;
    double elastic = 0.0;
    memset(spectrum, 0, plan->n_values * sizeof *spectrum);
    for (; part < plan->n_parts && plan->parts[part].group == group; part++) {
      const double *sum = plan->sums + part * stride + i * plan->n_values;
      for (size_t k = 0; k < plan->n_values; k++)
        spectrum[k] += sum[k];
      elastic += plan->elastic[part * plan->batch + i];
    }
    finish_group(plan, spectrum, execution->f + place * 2 * plan->settings.n_frames);
    if (execution->fq2 != NULL)
      execution->fq2[place] = elastic;
  }
  debye_scratch_give(&plan->scratch, memory);
}
