/* SPDX-License-Identifier: MIT */
/* Self scattering on the processor; its twin is cuda/scattering_self.cu.
 *
 * Atoms are sorted by group and cut into parts, whose number depends on nothing but the block: a part is
 * summed by one thread and parts are added in their order, so the result is the same for any number of
 * threads. Within a part, a few atoms' positions are turned from frames into series once for several vectors;
 * a series then stays in the first cache from its phases to its power spectrum. */
#include "scattering_self.h"

#include <stdlib.h>
#include <string.h>

#include "fourier.h"
#include "potential_direct.h"
#include "scratch.h"
#include "self_block.h"

/* Atoms whose series are turned at once: a line of the cache of each frame. */
#define SLICE 16
/* Parts, beside one more for each group, as long as their spectra fit. */
#define MOST_PARTS 48
#define MOST_VECTORS 16
#define MOST_ZEROS 2
#define MOST_BYTES ((size_t)64 << 20)

typedef struct {
  size_t first, count; /* of `order` */
  size_t group;
} Part;

typedef struct {
  DebyeSelfSettings settings;
  const DebyeSelfBlockLoops *loops;
  double (*quarter)[3]; /* vectors in quarter turns an Å */
  size_t length;        /* padded; of autocorrelations */
  size_t n_values;      /* doubles of a sum: spectra, or complex series */
  size_t row;           /* floats from one turned series to the next */
  DebyePool *pool;
  DebyeFourier *forward, *backward;
  DebyeScratch scratch;
  void *mean_real, *mean_imaginary; /* W, where fq2 is wanted */

  DebyeSelfBlock block;
  uint32_t *order; /* atoms sorted by group */
  size_t *group_end;
  Part *parts;
  size_t max_parts, n_parts, batch;
  double *sums;    /* [part][vector of the batch][n_values] */
  double *elastic; /* [part][vector of the batch] */
} Plan;

typedef struct {
  Plan *plan;
  size_t first, count; /* vectors of the batch */
  double *f, *fq2;     /* of the batch's first */
} Execution;

static bool
correlates(const DebyeSelfSettings *settings)
{
  return settings->signal == DEBYE_SIGNAL_AUTOCORRELATE;
}

/* Sizes. */

static size_t
values_of_sum(const DebyeSelfSettings *settings)
{
  return correlates(settings) ? debye_self_length(settings->n_frames) : 2 * settings->n_frames;
}

static size_t
bytes_of_value(const DebyeSelfSettings *settings)
{
  return settings->double_precision ? sizeof(double) : sizeof(float);
}

static size_t
row_of_series(size_t n_frames)
{
  /* Not a power of two apart: the rows of a slice would all fall on the same places of the cache. */
  return (n_frames + 15) / 16 * 16 + 16;
}

static size_t
parts_besides_groups(const DebyeSelfSettings *settings)
{
  size_t fits = MOST_BYTES / (values_of_sum(settings) * sizeof(double));
  return fits < 4 ? 4 : fits > MOST_PARTS ? MOST_PARTS : fits;
}

static size_t
vectors_of_batch(const DebyeSelfSettings *settings)
{
  size_t parts = parts_besides_groups(settings) + settings->n_groups;
  size_t fits = MOST_BYTES / (parts * values_of_sum(settings) * sizeof(double));
  fits = fits < 1 ? 1 : fits > MOST_VECTORS ? MOST_VECTORS : fits;
  return fits < settings->n_vectors ? fits : settings->n_vectors;
}

/* The series of a slice, one padded transform, and a sum in float or the spectrum that is transformed back.
 */
static size_t
scratch_bytes(const DebyeSelfSettings *settings)
{
  const size_t length = debye_self_length(settings->n_frames);
  return 3 * SLICE * row_of_series(settings->n_frames) * sizeof(float) + 2 * length * sizeof(double) +
         length * sizeof(double);
}

static uint64_t
bytes_needed(int device, const DebyeSelfSettings *settings)
{
  (void)device;
  const size_t parts = parts_besides_groups(settings) + settings->n_groups;
  return (uint64_t)debye_cpu_get_threads() * scratch_bytes(settings) +
         (uint64_t)parts * vectors_of_batch(settings) * values_of_sum(settings) * sizeof(double) +
         (uint64_t)settings->max_atoms * sizeof(uint32_t);
}

/* A part of the atoms. */

typedef struct {
  float *x, *y, *z;
  char *values; /* float or double */
  float *sum;
} Scratch;

static Scratch
lay_out(const Plan *plan, void *memory)
{
  const size_t n = SLICE * plan->row;
  float *positions = memory;
  const size_t length = debye_self_length(plan->settings.n_frames);
  char *values = (char *)(positions + 3 * n);
  return (Scratch){positions, positions + n, positions + 2 * n, values,
                   (float *)(values + 2 * length * sizeof(double))};
}

static void
turn_slice(const Plan *plan, const uint32_t *atoms, size_t count, const Scratch *scratch)
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
make_phases(const Plan *plan, const Scratch *scratch, size_t atom, size_t vector)
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
mean_square(const Plan *plan, const Scratch *scratch)
{
  double mean[2];
  if (plan->settings.double_precision)
    plan->loops->mean_double((const double *)scratch->values, plan->length, plan->mean_real,
                             plan->mean_imaginary, mean);
  else
    plan->loops->mean_float((const float *)scratch->values, plan->length, plan->mean_real,
                            plan->mean_imaginary, mean);
  return mean[0] * mean[0] + mean[1] * mean[1];
}

/* Adds an atom's power spectrum: in double at once, else to the slice's own sum. */
static void
add_spectrum(const Plan *plan, const Scratch *scratch, double weight, double *sum, double *elastic)
{
  const size_t padding = plan->length - plan->settings.n_frames, value = 2 * bytes_of_value(&plan->settings);
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
add_series(const Plan *plan, const Scratch *scratch, size_t atom, double *sum, double *elastic)
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
sum_slice(const Plan *plan, const Scratch *scratch, const uint32_t *atoms, size_t count, size_t vector,
          double *sum, double *elastic)
{
  const bool in_float = correlates(&plan->settings) && !plan->settings.double_precision;
  if (in_float)
    memset(scratch->sum, 0, plan->length * sizeof *scratch->sum);
  for (size_t i = 0; i < count; i++) {
    make_phases(plan, scratch, i, vector);
    if (correlates(&plan->settings))
      add_spectrum(plan, scratch, debye_self_weight(&plan->block, atoms[i]), sum, elastic);
    else
      add_series(plan, scratch, atoms[i], sum, elastic);
  }
  if (in_float)
    plan->loops->add(scratch->sum, plan->length, sum);
}

static void
sum_part(void *context, size_t number)
{
  const Execution *execution = context;
  Plan *plan = execution->plan;
  const Part *part = &plan->parts[number];
  void *memory = debye_scratch_take(&plan->scratch);
  const Scratch scratch = lay_out(plan, memory);
  double *sums = plan->sums + number * plan->batch * plan->n_values;
  double *elastic = plan->elastic + number * plan->batch;
  memset(sums, 0, plan->batch * plan->n_values * sizeof *sums);
  memset(elastic, 0, plan->batch * sizeof *elastic);
  for (size_t first = 0; first < part->count; first += SLICE) {
    const size_t left = part->count - first, count = left < SLICE ? left : SLICE;
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
find_error(const Plan *plan, const double *correlation, double error[2])
{
  const size_t first = plan->settings.n_frames, zeros = plan->length + 1 - 2 * first;
  const size_t n = zeros < MOST_ZEROS ? zeros : MOST_ZEROS;
  error[0] = error[1] = 0.0;
  for (size_t tau = first; tau < first + n; tau++) {
    error[0] += correlation[2 * tau] / (double)n;
    error[1] += correlation[2 * tau + 1] / (double)n;
  }
}

static void
finish_group(const Plan *plan, double *spectrum, double *f)
{
  const size_t n_frames = plan->settings.n_frames;
  if (!correlates(&plan->settings)) {
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

static void
finish_vector(void *context, size_t i)
{
  const Execution *execution = context;
  Plan *plan = execution->plan;
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

static DebyeStatusCode
execute(DebyeSelfPlan *handle, size_t first, size_t count, double *f, double *fq2,
        const volatile bool *cancel, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  fq2 = plan->settings.elastic ? fq2 : NULL;
  if (plan->settings.signal == DEBYE_SIGNAL_SQUARE) {
    debye_self_square(&plan->settings, &plan->block, count, f, fq2);
    return debye_status_ok(status);
  }
  const size_t n_groups = plan->settings.n_groups, n_values = 2 * n_groups * plan->settings.n_frames;
  for (size_t done = 0; done < count; done += plan->batch) {
    const size_t left = count - done;
    Execution execution = {plan, first + done, left < plan->batch ? left : plan->batch, f + done * n_values,
                           fq2 != NULL ? fq2 + done * n_groups : NULL};
    if (!debye_parallel_for(plan->pool, plan->n_parts, sum_part, &execution, cancel) ||
        !debye_parallel_for(plan->pool, execution.count, finish_vector, &execution, cancel))
      return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Self scattering was stopped.");
  }
  return debye_status_ok(status);
}

/* The block. */

static void
cut_into_parts(Plan *plan)
{
  const size_t n_parts = plan->max_parts - plan->settings.n_groups;
  size_t atoms = (plan->block.n_atoms + n_parts - 1) / n_parts, first = 0;
  atoms = (atoms + SLICE - 1) / SLICE * SLICE;
  plan->n_parts = 0;
  for (size_t group = 0; group < plan->settings.n_groups; group++)
    for (const size_t end = plan->group_end[group]; first < end;) {
      const size_t count = end - first < atoms ? end - first : atoms;
      plan->parts[plan->n_parts++] = (Part){first, count, group};
      first += count;
    }
}

static DebyeStatusCode
set_block(DebyeSelfPlan *handle, const DebyeSelfBlock *block, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  plan->n_parts = 0;
  plan->block = (DebyeSelfBlock){.n_atoms = 0};
  DebyeStatusCode code = debye_self_block_check(&plan->settings, block, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_self_positions_check(block, 0, plan->settings.n_frames, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  plan->block = *block;
  debye_self_sort_atoms(block, plan->settings.n_groups, plan->order, plan->group_end);
  cut_into_parts(plan);
  return DEBYE_STATUS_OK;
}

/* The plan. */

static void
destroy(DebyeSelfPlan *handle)
{
  Plan *plan = (Plan *)handle;
  if (plan == NULL)
    return;
  debye_pool_free(plan->pool);
  debye_fourier_destroy(plan->forward);
  debye_fourier_destroy(plan->backward);
  debye_scratch_clear(&plan->scratch);
  free(plan->quarter);
  free(plan->mean_real);
  free(plan->mean_imaginary);
  free(plan->order);
  free(plan->group_end);
  free(plan->parts);
  free(plan->sums);
  free(plan->elastic);
  free(plan);
}

static bool
make_vectors(Plan *plan)
{
  const double quarters = 4.0 / (2.0 * 3.14159265358979323846);
  plan->quarter = calloc(plan->settings.n_vectors, sizeof *plan->quarter);
  for (size_t i = 0; i < plan->settings.n_vectors && plan->quarter != NULL; i++) {
    const DebyeVec3 q = plan->settings.vectors[i];
    plan->quarter[i][0] = q.x * quarters;
    plan->quarter[i][1] = q.y * quarters;
    plan->quarter[i][2] = q.z * quarters;
  }
  plan->settings.vectors = NULL;
  return plan->quarter != NULL;
}

static void
put_value(const Plan *plan, void *array, size_t i, double value)
{
  if (plan->settings.double_precision)
    ((double *)array)[i] = value;
  else
    ((float *)array)[i] = (float)value;
}

static bool
make_mean_weights(Plan *plan)
{
  const size_t length = plan->length, bytes = length * bytes_of_value(&plan->settings);
  double *root = malloc(2 * length * sizeof *root), *weights = malloc(2 * length * sizeof *weights);
  plan->mean_real = malloc(bytes);
  plan->mean_imaginary = malloc(bytes);
  const bool made =
      root != NULL && weights != NULL && plan->mean_real != NULL && plan->mean_imaginary != NULL;
  if (made) {
    debye_self_roots(length, root);
    debye_self_mean_weights(plan->settings.n_frames, length, root, weights);
    for (size_t k = 0; k < length; k++) {
      put_value(plan, plan->mean_real, k, weights[2 * k]);
      put_value(plan, plan->mean_imaginary, k, weights[2 * k + 1]);
    }
  }
  free(root);
  free(weights);
  return made;
}

static bool
make_memory(Plan *plan)
{
  const DebyeSelfSettings *settings = &plan->settings;
  plan->row = row_of_series(settings->n_frames);
  plan->n_values = values_of_sum(settings);
  plan->max_parts = parts_besides_groups(settings) + settings->n_groups;
  plan->batch = vectors_of_batch(settings);
  plan->order = calloc(settings->max_atoms, sizeof *plan->order);
  plan->group_end = calloc(settings->n_groups, sizeof *plan->group_end);
  plan->parts = calloc(plan->max_parts, sizeof *plan->parts);
  plan->sums = calloc(plan->max_parts * plan->batch * plan->n_values, sizeof *plan->sums);
  plan->elastic = calloc(plan->max_parts * plan->batch, sizeof *plan->elastic);
  plan->pool = debye_pool_new(debye_cpu_threads_beside(settings->spare_processors));
  return plan->order != NULL && plan->group_end != NULL && plan->parts != NULL && plan->sums != NULL &&
         plan->elastic != NULL && plan->pool != NULL && make_vectors(plan) &&
         debye_scratch_init(&plan->scratch, debye_pool_get_threads(plan->pool), scratch_bytes(settings));
}

static DebyeStatusCode
make_transforms(Plan *plan, DebyeStatus *status)
{
  if (!correlates(&plan->settings))
    return debye_status_ok(status);
  plan->length = debye_self_length(plan->settings.n_frames);
  if (plan->settings.elastic && !make_mean_weights(plan))
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for %zu frames.",
                            plan->settings.n_frames);
  DebyeFourierSettings transform = {
      .double_precision = plan->settings.double_precision, .shape = {plan->length, 1, 1}, .batch = 1};
  DebyeStatusCode code = debye_fourier_create(&transform, NULL, &plan->forward, status);
  transform.double_precision = true;
  return code == DEBYE_STATUS_OK ? debye_fourier_create(&transform, NULL, &plan->backward, status) : code;
}

static DebyeStatusCode
create(int device, const DebyeSelfSettings *settings, DebyeSelfPlan **handle, DebyeStatus *status)
{
  (void)device;
  *handle = NULL;
  DebyeStatusCode code = debye_self_settings_check(settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  Plan *plan = calloc(1, sizeof *plan);
  if (plan == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a plan.");
  plan->settings = *settings;
  plan->loops = debye_self_block_loops(debye_cpu_get_level());
  if (!make_memory(plan))
    code = debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                            "There is no memory for self scattering of %zu atoms in %zu frames.",
                            settings->max_atoms, settings->n_frames);
  else
    code = make_transforms(plan, status);
  if (code != DEBYE_STATUS_OK) {
    destroy((DebyeSelfPlan *)plan);
    return code;
  }
  *handle = (DebyeSelfPlan *)plan;
  return DEBYE_STATUS_OK;
}

const DebyeSelfKernel debye_cpu_self = {
    .bytes_needed = bytes_needed,
    .create = create,
    .set_block = set_block,
    .execute = execute,
    .destroy = destroy,
};
