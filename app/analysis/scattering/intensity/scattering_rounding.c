/* SPDX-License-Identifier: MIT */
/* Foresees the rounding error of amplitudes in single precision; called by scattering_run.c and
 * scattering_dynamic.c. The errors of the terms w·exp(iq·r) add up by chance, so A is off by about ε·√Σ|w|²,
 * however small A itself is: in a liquid at small q the terms nearly cancel. */
#include "scattering_rounding.h"

#include <complex.h>
#include <math.h>

#include "kernels/scattering/amplitude_math.h"
#include "scattering_fold.h"

#define N_TERMS 2000000 /* looked at: some hundredths of a second */
#define MIN_VECTORS 4
#define MAX_VECTORS 256

/* ε as kernels/scattering/scattering_amplitude.h states it: typical, of one term. */
#define GPU_ERROR 3.7e-7
#define CPU_ERROR 1e-7

static double
get_error_of_a_term(const DebyeDeviceEntry *const *devices, gsize n_devices)
{
  for (gsize i = 0; i < n_devices; i++)
    if (!debye_device_is_cpu(devices[i]))
      return GPU_ERROR;
  return CPU_ERROR;
}

static double complex
sum_species(const DebyeScatterer *scatterer, const DebyeFrame *frame, DebyeVec3 q)
{
  const DebyeTurnVector turns = debye_turn_vector(q);
  double complex sum = 0.0;
  for (guint i = 0; i < scatterer->atoms->len; i++) {
    const guint32 n = g_array_index(scatterer->atoms, guint32, i);
    double sine, cosine;
    if (!isfinite(frame->x[n] + frame->y[n] + frame->z[n]))
      continue;
    debye_exact_sine_cosine(debye_exact_fraction(&turns, frame->x[n], frame->y[n], frame->z[n]), &sine,
                            &cosine);
    sum += cosine + I * sine;
  }
  return sum;
}

/* *amplitude: |A|; returns √Σ|w|². */
static double
look_at_vector(const DebyeScatteringPlan *plan, const DebyeFrame *frame, DebyeVec3 q, double *amplitude)
{
  const guint n_species = plan->scatterers.species->len;
  const double length = debye_vec3_length(q);
  g_autofree double complex *sums = g_new(double complex, n_species);
  double complex all = 0.0;
  double squares = 0.0;
  for (guint s = 0; s < n_species; s++)
    sums[s] = sum_species(debye_scatterers_get(&plan->scatterers, s), frame, q);
  if (plan->corrects_box) {
    const DebyeAmplitudeRun run = {.first = 0, .n = 1, .amplitudes = sums};
    debye_scattering_correct_box(plan, &frame->cell, &q, &run);
  }
  for (guint s = 0; s < n_species; s++) {
    const double complex weight = debye_scatterers_coherent(&plan->scatterers, s, length);
    all += weight * sums[s];
    squares += pow(cabs(weight), 2.0) * debye_scatterers_get(&plan->scatterers, s)->atoms->len;
  }
  *amplitude = cabs(all);
  return sqrt(squares);
}

/* Relative to the largest |A| of some vectors. */
static double
find_relative_error(const DebyeScatteringPlan *plan, const DebyeFrame *frame, double error)
{
  const GArray *vectors = plan->vectors.vectors;
  const gsize n =
      MIN(vectors->len, CLAMP(N_TERMS / MAX(plan->scatterers.n_atoms, 1), MIN_VECTORS, MAX_VECTORS));
  double largest = 0.0, noise = 0.0;
  for (gsize i = 0; i < n; i++) {
    double amplitude;
    const guint place = (guint)((guint64)i * (vectors->len - 1) / MAX(n - 1, 1));
    const double width = look_at_vector(plan, frame, g_array_index(vectors, DebyeVec3, place), &amplitude);
    largest = MAX(largest, amplitude);
    noise = MAX(noise, error * width);
  }
  return largest > 0.0 ? noise / largest : 0.0;
}

/* Of |A|², in the mean over the vectors of a row: their errors are independent. */
static double
average_error(const DebyeScatteringPlan *plan, double relative)
{
  guint64 fewest = G_MAXUINT64;
  for (guint k = 0; k < plan->vectors.shells->len; k++)
    fewest = MIN(fewest, g_array_index(plan->vectors.shells, DebyeScatteringShell, k).n);
  return plan->rows_are_vectors ? relative : 2.0 * relative / sqrt((double)CLAMP(fewest, 1, G_MAXUINT32));
}

void
debye_scattering_rounding_settle(DebyeScatteringPlan *plan, const DebyeDeviceEntry *const *devices,
                                 gsize n_devices)
{
  const DebyeFrame *first = plan->frames.first;
  plan->rounding = 0.0;
  if (!plan->with_coherent || plan->double_precision || plan->vectors.vectors == NULL ||
      plan->vectors.vectors->len == 0)
    return;
  g_autoptr(DebyeFrame) wrapped = plan->corrects_box ? debye_scattering_wrap_frame(first, NULL) : NULL;
  plan->rounding = average_error(plan, find_relative_error(plan, wrapped != NULL ? wrapped : first,
                                                           get_error_of_a_term(devices, n_devices)));
  plan->double_precision = plan->rounding > DEBYE_SCATTERING_ROUNDING &&
                           plan->settings.precision == DEBYE_SCATTERING_PRECISION_AUTO;
}

void
debye_scattering_rounding_add_note(const DebyeScatteringPlan *plan, DebyeResult *result)
{
  char error[G_ASCII_DTOSTR_BUF_SIZE];
  if (!(plan->rounding > DEBYE_SCATTERING_ROUNDING))
    return;
  g_ascii_formatd(error, sizeof error, "%.1g", plan->rounding);
  if (plan->double_precision)
    debye_result_add_note(result,
                          "Precision: double, because the waves of the atoms nearly cancel here; the "
                          "expected error of single precision is %s of the largest value",
                          error);
  else
    debye_result_add_note_of(result, DEBYE_NOTE_WARNING, NULL,
                             "the expected error of single precision is %s of the largest value, because the "
                             "waves of the atoms nearly cancel here; choose double precision",
                             error);
}
