/* SPDX-License-Identifier: MIT */
/* Amplitudes (coherent scattering) and autocorrelations atom by atom (self scattering), for bench_case.c. */
#include "bench_case.h"

#include <math.h>

#include "app/analysis/driver/device_choice.h"
#include "data/files/error.h"
#include "kernels/scattering/scattering_amplitude_lanes.h"
#include "kernels/scattering/scattering_self_lanes.h"

#define SEED 20180520
#define LONGEST_Q 3.0 /* 1/Å */
/* What is summed once more in double precision: of amplitudes so many vectors in one frame, of self
 * scattering one vector and as many atoms as keep this number of products. */
#define COMPARED_VECTORS 16
#define COMPARED_PRODUCTS 4e6
#define COMPARED_ATOMS 32
/* A phase: three multiply-adds for q·r, sine and cosine one each, two additions to the sums. Self scattering
 * adds no phases but transforms them. */
#define COHERENT_OPERATIONS 9.0
#define SELF_OPERATIONS 7.0

typedef struct {
  const DebyeBenchCase *asked;
  const DebyeBenchAtoms *atoms;
  DebyeBenchAtoms *made_up;
  gsize n_atoms, n_frames, n_vectors;
  DebyeVec3 *q;
  DebyeSharing *share;
  gsize group[2]; /* coherent: all atoms are one */
  DebyeScatteringFrame *frames;
  double *amplitudes;
} Scattering;

static void
close_scattering(gpointer opened)
{
  Scattering *self = opened;
  debye_sharing_free(self->share);
  g_clear_pointer(&self->made_up, debye_bench_atoms_free);
  g_free(self->q);
  g_free(self->frames);
  g_free(self->amplitudes);
  g_free(self);
}

DebyeVec3 *
debye_bench_make_up_vectors(gsize n)
{
  DebyeVec3 *q = g_new(DebyeVec3, n);
  g_autoptr(GRand) random = g_rand_new_with_seed(SEED);
  for (gsize i = 0; i < n; i++) {
    const double length = LONGEST_Q * (double)(i + 1) / (double)n;
    const double z = g_rand_double_range(random, -1.0, 1.0);
    const double angle = g_rand_double_range(random, 0.0, 2.0 * G_PI), across = sqrt(1.0 - z * z);
    q[i] = debye_vec3(length * across * cos(angle), length * across * sin(angle), length * z);
  }
  return q;
}

static Scattering *
open_scattering(const DebyeBenchCase *asked, GError **error)
{
  Scattering *self = g_new0(Scattering, 1);
  self->asked = asked;
  self->n_atoms = (gsize)asked->sizes[DEBYE_BENCH_ATOMS];
  self->n_frames = (gsize)asked->sizes[DEBYE_BENCH_FRAMES];
  self->n_vectors = (gsize)asked->sizes[DEBYE_BENCH_VECTORS];
  self->q = debye_bench_make_up_vectors(self->n_vectors);
  self->atoms = debye_bench_case_get_atoms(asked, &self->made_up, error);
  if (self->atoms != NULL)
    return self;
  close_scattering(self);
  return NULL;
}

static double
get_phase(const Scattering *self, gsize vector, gsize frame, gsize atom)
{
  const gsize at = frame * self->atoms->n_atoms + atom;
  return debye_vec3_dot(self->q[vector], debye_vec3((double)self->atoms->x[at], (double)self->atoms->y[at],
                                                    (double)self->atoms->z[at]));
}

/* --- Coherent --- */

static gboolean
plan_coherent(Scattering *self, GError **error)
{
  self->group[1] = self->n_atoms;
  const DebyeAmplitudeLanesSettings settings = {
      .amplitude = {.n_atoms = self->n_atoms,
                    .groups = {.n_groups = 1, .first = self->group},
                    .max_vectors = self->n_vectors,
                    .max_frames = self->n_frames},
      .memory_limit = self->asked->memory_limit,
  };
  DebyeStatus status = {0};
  gsize n = 0;
  if (g_size_checked_mul(&n, self->n_frames, 2 * self->n_vectors))
    self->amplitudes = g_try_new(double, n);
  if (self->amplitudes == NULL)
    return debye_error_set(error, DEBYE_ERROR_MEMORY,
                           "bench: no memory for the amplitudes; choose fewer frames or vectors");
  self->frames = g_new0(DebyeScatteringFrame, self->n_frames);
  for (gsize t = 0; t < self->n_frames; t++) {
    const gsize at = t * self->atoms->n_atoms;
    self->frames[t] =
        (DebyeScatteringFrame){.x = self->atoms->x + at, .y = self->atoms->y + at, .z = self->atoms->z + at};
  }
  return debye_device_check(debye_amplitude_lanes_create(&settings, self->asked->devices,
                                                         self->asked->n_devices, &self->share, &status),
                            &status, error);
}

static gpointer
open_coherent(const DebyeBenchCase *asked, GError **error)
{
  Scattering *self = open_scattering(asked, error);
  if (self == NULL || plan_coherent(self, error))
    return self;
  close_scattering(self);
  return NULL;
}

static gboolean
run_coherent(gpointer opened, GError **error)
{
  Scattering *self = opened;
  DebyeStatus status = {0};
  return debye_device_check(debye_amplitude_lanes_execute(self->share, self->q, self->n_vectors, self->frames,
                                                          self->n_frames, self->amplitudes, NULL,
                                                          self->asked->repeats.cancel, &status),
                            &status, error);
}

static gboolean
finish_coherent(gpointer opened, DebyeBenchResult *result, GError **error G_GNUC_UNUSED)
{
  const Scattering *self = opened;
  const gsize stride = MAX(self->n_vectors / COMPARED_VECTORS, 1);
  double squares = 0.0, sum = 0.0;
  for (gsize vector = 0; vector < self->n_vectors; vector += stride) {
    double real = 0.0, imaginary = 0.0;
    for (gsize atom = 0; atom < self->n_atoms; atom++) {
      const double phase = get_phase(self, vector, 0, atom);
      real += cos(phase);
      imaginary += sin(phase);
    }
    const double *found = self->amplitudes + 2 * vector;
    squares += pow(found[0] - real, 2.0) + pow(found[1] - imaginary, 2.0);
    sum += real * real + imaginary * imaginary;
  }
  result->evaluations = (double)self->n_atoms * (double)self->n_frames * (double)self->n_vectors;
  result->operations = COHERENT_OPERATIONS * result->evaluations;
  result->error = sum > 0.0 ? sqrt(squares / sum) : NAN;
  return TRUE;
}

const DebyeBenchFamily debye_bench_coherent = {open_coherent, run_coherent, finish_coherent,
                                               close_scattering};

/* --- Self --- */

static DebyeStatusCode
create_self(const Scattering *self, gsize n_atoms, gsize n_vectors, const DebyeDeviceEntry *const *devices,
            gsize n_devices, DebyeSharing **share, DebyeStatus *status)
{
  const DebyeSelfLanesSettings settings = {
      .self = {.signal = DEBYE_SIGNAL_AUTOCORRELATE,
               .n_frames = self->n_frames,
               .vectors = self->q,
               .n_vectors = n_vectors,
               .n_groups = 1,
               .max_atoms = n_atoms},
      .memory_limit = self->asked->memory_limit,
  };
  return debye_self_lanes_create(&settings, devices, n_devices, share, status);
}

static DebyeStatusCode
execute_self(const Scattering *self, DebyeSharing *share, gsize n_atoms, DebyeStatus *status)
{
  const DebyeSelfBlock block = {.x = self->atoms->x,
                                .y = self->atoms->y,
                                .z = self->atoms->z,
                                .stride = self->atoms->n_atoms,
                                .n_atoms = n_atoms};
  return debye_self_lanes_execute(share, &block, self->asked->repeats.cancel, NULL, NULL, status);
}

static gpointer
open_self(const DebyeBenchCase *asked, GError **error)
{
  Scattering *self = open_scattering(asked, error);
  DebyeStatus status = {0};
  if (self == NULL || debye_device_check(create_self(self, self->n_atoms, self->n_vectors, asked->devices,
                                                     asked->n_devices, &self->share, &status),
                                         &status, error))
    return self;
  close_scattering(self);
  return NULL;
}

static gboolean
run_self(gpointer opened, GError **error)
{
  const Scattering *self = opened;
  DebyeStatus status = {0};
  return debye_device_check(execute_self(self, self->share, self->n_atoms, &status), &status, error);
}

/* Adds 1/(NF − τ) Σ_t exp(i q·(r(t + τ) − r(t))) of an atom, as the formula reads. */
static void
correlate_plainly(const Scattering *self, gsize atom, double *wave, double *f)
{
  const gsize n = self->n_frames;
  for (gsize t = 0; t < n; t++) {
    wave[2 * t] = cos(get_phase(self, 0, t, atom));
    wave[2 * t + 1] = sin(get_phase(self, 0, t, atom));
  }
  for (gsize lag = 0; lag < n; lag++) {
    double real = 0.0, imaginary = 0.0;
    for (gsize t = 0; t + lag < n; t++) {
      const double *now = wave + 2 * t, *later = wave + 2 * (t + lag);
      real += later[0] * now[0] + later[1] * now[1];
      imaginary += later[1] * now[0] - later[0] * now[1];
    }
    f[2 * lag] += real / (double)(n - lag);
    f[2 * lag + 1] += imaginary / (double)(n - lag);
  }
}

/* On the devices that were timed. */
static gboolean
compare_self(const Scattering *self, double *found, GError **error)
{
  const double n = (double)self->n_frames;
  const gsize n_atoms =
      MIN(self->n_atoms, (gsize)CLAMP(COMPARED_PRODUCTS / (n * n), 1.0, (double)COMPARED_ATOMS));
  g_autofree double *wave = g_new(double, 2 * self->n_frames), *exact = g_new0(double, 2 * self->n_frames);
  DebyeSharing *share = NULL;
  DebyeStatus status = {0};
  double squares = 0.0, sum = 0.0;
  DebyeStatusCode code =
      create_self(self, n_atoms, 1, self->asked->devices, self->asked->n_devices, &share, &status);
  if (code == DEBYE_STATUS_OK)
    code = execute_self(self, share, n_atoms, &status);
  if (debye_device_check(code, &status, error)) {
    const double *f = debye_self_lanes_get_f(share, 0, 0);
    for (gsize atom = 0; atom < n_atoms; atom++)
      correlate_plainly(self, atom, wave, exact);
    for (gsize i = 0; i < 2 * self->n_frames; i++) {
      squares += (f[i] - exact[i]) * (f[i] - exact[i]);
      sum += exact[i] * exact[i];
    }
    *found = sqrt(squares / sum);
  }
  debye_sharing_free(share);
  return code == DEBYE_STATUS_OK;
}

static gboolean
finish_self(gpointer opened, DebyeBenchResult *result, GError **error)
{
  const Scattering *self = opened;
  const double length = (double)debye_self_length(self->n_frames);
  const double transforms = (double)self->n_atoms * (double)self->n_vectors;
  result->evaluations = transforms * (double)self->n_frames;
  result->operations =
      SELF_OPERATIONS * result->evaluations + transforms * length * (5.0 * log2(length) + 3.0);
  return compare_self(self, &result->error, error);
}

const DebyeBenchFamily debye_bench_self = {open_self, run_self, finish_self, close_scattering};
