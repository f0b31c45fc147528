/* SPDX-License-Identifier: MIT */
/* Courses of atoms as sources of the class get them, and what these should make of them; used by bench_source_case.c. */
#include <math.h>
#include <string.h>

#include "bench_case.h"
#include "bench_source_private.h"
#include "data/files/error.h"
#include "data/messages/message.h"

#define ROUNDING DEBYE_BENCH_ROUNDING
#define SINE_ROUNDING 5e-7      /* of a GPU's own sine, beside what its argument is rounded by */
#define SMALL_ATOMS ((gsize)37) /* more than a block of 32 */
#define SMALL_FRAMES ((gsize)21)
#define SMALL_VECTORS ((gsize)5)
#define MOST_BYTES ((gsize)256 << 20) /* of the courses that are timed */
#define MOST_PHASES 2e7               /* that are summed once more in double */
#define LOOKED_AT ((gsize)8)          /* times or lags of a vector */

/* In the layout of the first atoms. */
typedef struct {
  DebyeLadderCourses courses;
  DebyeVec3 *vectors;
  float *places;
} Courses;

static void
courses_free(gpointer data)
{
  Courses *self = data;
  g_free(self->vectors);
  g_free(self->places);
  g_free(self);
}

static gboolean
take_atoms(Courses *self, const DebyeBenchAtoms *all, gsize n_atoms, gsize n_frames, GError **error)
{
  const float *const from[3] = {all->x, all->y, all->z};
  const gsize n = n_atoms * n_frames;
  self->places = g_try_new(float, 3 * n);
  if (self->places == NULL)
    return debye_error_set(error, DEBYE_ERROR_MEMORY,
                           "bench: no memory for the atoms' courses; choose fewer with --size");
  for (int axis = 0; axis < 3; axis++)
    for (gsize t = 0; t < n_frames; t++)
      memcpy(self->places + (gsize)axis * n + t * n_atoms, from[axis] + t * all->n_atoms,
             n_atoms * sizeof(float));
  self->courses.x = self->places;
  self->courses.y = self->places + n;
  self->courses.z = self->places + 2 * n;
  return TRUE;
}

static gboolean
set_scattering(DebyeBenchSourceCase *one, gsize n_atoms, GError **error)
{
  const DebyeBenchProblem *problem = one->problem;
  DebyeRunnerCase *about = &one->about;
  Courses *self = g_new0(Courses, 1);
  DebyeLadderCourses *courses = &self->courses;
  one->subject = self;
  one->subject_free = courses_free;
  courses->n_atoms = MIN(problem->n_atoms, n_atoms > 0 ? n_atoms : SMALL_ATOMS);
  courses->n_frames = n_atoms > 0 ? problem->n_frames : MIN(problem->n_frames, SMALL_FRAMES);
  courses->n_vectors = n_atoms > 0 ? problem->n_vectors : MIN(problem->n_vectors, SMALL_VECTORS);
  courses->vectors = self->vectors = debye_bench_make_up_vectors(courses->n_vectors);
  if (!take_atoms(self, problem->courses, courses->n_atoms, courses->n_frames, error))
    return FALSE;
  g_autofree float *q = g_new(float, 3 * courses->n_vectors);
  for (gsize i = 0; i < courses->n_vectors; i++) {
    q[3 * i] = (float)courses->vectors[i].x;
    q[3 * i + 1] = (float)courses->vectors[i].y;
    q[3 * i + 2] = (float)courses->vectors[i].z;
  }
  const gsize length = debye_ladder_series_length(courses->n_frames);
  about->counts[0] = (int)courses->n_atoms;
  about->counts[1] = (int)courses->n_frames;
  about->counts[2] = (int)courses->n_vectors;
  about->counts[3] = (int)length;
  about->scratch_bytes =
      2 * sizeof(float) * length * courses->n_vectors * MIN(courses->n_atoms, DEBYE_RUNNER_MOST_ATOMS);
  const float *const from[3] = {courses->x, courses->y, courses->z};
  for (int axis = 0; axis < 3; axis++)
    debye_bench_source_case_append(one, from[axis], courses->n_atoms * courses->n_frames * sizeof(float));
  debye_bench_source_case_append(one, q, 3 * courses->n_vectors * sizeof(float));
  one->n_values = 2 * courses->n_vectors * courses->n_frames;
  one->n_additions = (double)courses->n_atoms;
  one->n_alternatives = DEBYE_LADDER_PLAIN + 1;
  return TRUE;
}

/* --- What is expected --- */

/* Along one vector: what is summed so far, at the times or lags that are looked at, and how far a value may be off. */
typedef struct {
  DebyeLadderSignal signal;
  gsize n, stride, n_atoms;
  double *a, *all;  /* of an atom, of all */
  double *sums;     /* two numbers at a time or lag */
  double phase_off; /* the largest */
} Vector;

static void
compute_series(Vector *self, const DebyeLadderCourses *courses, DebyeVec3 q, gsize atom)
{
  for (gsize t = 0; t < self->n; t++) {
    const gsize at = t * courses->n_atoms + atom;
    const double x = q.x * (double)courses->x[at], y = q.y * (double)courses->y[at],
                 z = q.z * (double)courses->z[at], phase = x + y + z;
    self->a[2 * t] = cos(phase);
    self->a[2 * t + 1] = sin(phase);
    self->all[2 * t] += self->a[2 * t];
    self->all[2 * t + 1] += self->a[2 * t + 1];
    self->phase_off =
        fmax(self->phase_off,
             DEBYE_BENCH_COORDINATE_ROUNDINGS * ROUNDING * (fabs(x) + fabs(y) + fabs(z)) + SINE_ROUNDING);
  }
}

/* Of one series, of an atom or of the sum over all. */
static void
add_values(Vector *self, const double *a)
{
  for (gsize at = 0; at < self->n; at += self->stride) {
    const gsize pairs = self->n - at;
    double *sum = self->sums + 2 * at;
    for (gsize t = 0; self->signal <= DEBYE_LADDER_ALL && t < pairs; t++) {
      const double *u = a + 2 * t, *v = a + 2 * (t + at);
      sum[0] += (u[0] * v[0] + u[1] * v[1]) / (double)pairs;
      sum[1] += (u[0] * v[1] - u[1] * v[0]) / (double)pairs;
    }
    if (self->signal == DEBYE_LADDER_SQUARE)
      sum[0] += a[2 * at] * a[2 * at] + a[2 * at + 1] * a[2 * at + 1];
    if (self->signal == DEBYE_LADDER_PLAIN) {
      sum[0] += a[2 * at];
      sum[1] += a[2 * at + 1];
    }
  }
}

/* Rounding of phases and sums; of correlations also that of the transforms, which is spread over all lags, of which the
 * last are divided by the fewest pairs. */
static double
find_off(const Vector *self, gsize at)
{
  const double n_atoms = (double)self->n_atoms, n = (double)self->n, pairs = (double)(self->n - at);
  const double of_transform = 4.0 * ROUNDING * (n + n / pairs * log2(4.0 * n));
  const double of_atom = n_atoms * (self->phase_off + n_atoms * ROUNDING);
  double power = 0.0, size = 0.0;
  if (self->signal == DEBYE_LADDER_PLAIN || self->signal == DEBYE_LADDER_SQUARE)
    return 2.0 * of_atom;
  if (self->signal == DEBYE_LADDER_SELF)
    return 2.0 * of_atom + n_atoms * of_transform;
  for (gsize t = 0; t < self->n; t++) {
    const double square = self->all[2 * t] * self->all[2 * t] + self->all[2 * t + 1] * self->all[2 * t + 1];
    power += square / n;
    size = fmax(size, sqrt(square));
  }
  return 2.0 * size * of_atom + of_atom * of_atom + power * of_transform;
}

static void
expect_vector(const DebyeBenchSourceCase *one, Vector *self, gsize vector, GArray *expected)
{
  const Courses *subject = one->subject;
  const DebyeLadderCourses *courses = &subject->courses;
  memset(self->all, 0, 2 * self->n * sizeof *self->all);
  memset(self->sums, 0, 2 * self->n * sizeof *self->sums);
  self->phase_off = 0.0;
  for (gsize atom = 0; atom < courses->n_atoms; atom++) {
    compute_series(self, courses, courses->vectors[vector], atom);
    if (self->signal != DEBYE_LADDER_ALL)
      add_values(self, self->a);
  }
  if (self->signal == DEBYE_LADDER_ALL)
    add_values(self, self->all);
  for (gsize at = 0; at < self->n; at += self->stride)
    for (gsize part = 0; part < 2; part++) {
      const DebyeBenchExpected value = {2 * (vector * self->n + at) + part, self->sums[2 * at + part],
                                        find_off(self, at)};
      g_array_append_val(expected, value);
    }
}

static void
expect_scattering(const DebyeBenchSourceCase *one, guint alternative, GArray *expected,
                  double *within G_GNUC_UNUSED)
{
  const Courses *subject = one->subject;
  const DebyeLadderCourses *courses = &subject->courses;
  const gboolean is_small = one->about.n_repeats == 0;
  const gsize n = courses->n_frames;
  g_autofree double *a = g_new(double, 2 * n), *all = g_new(double, 2 * n), *sums = g_new(double, 2 * n);
  Vector vector = {.signal = (DebyeLadderSignal)alternative,
                   .n = n,
                   .stride = is_small ? 1 : MAX(n / LOOKED_AT, 1),
                   .n_atoms = courses->n_atoms,
                   .a = a,
                   .all = all,
                   .sums = sums};
  const double phases = (double)courses->n_atoms * (double)n;
  const gsize most = (gsize)CLAMP(MOST_PHASES / phases, 1.0, (double)courses->n_vectors);
  const gsize apart = is_small ? 1 : MAX(courses->n_vectors / most, 1);
  for (gsize i = apart - 1; i < courses->n_vectors;
       i += apart) /* the last is among them where there is one */
    expect_vector(one, &vector, i, expected);
}

static char *
name_time(const DebyeBenchSourceCase *one, gsize index)
{
  const gsize n_frames = (gsize)one->about.counts[1];
  return debye_message_new(index % 2 == 0 ? "vector %zu, time or lag %zu, real part"
                                          : "vector %zu, time or lag %zu, imaginary part",
                           index / 2 / n_frames, index / 2 % n_frames);
}

static double
count_phases(const DebyeBenchSourceCase *one, double within G_GNUC_UNUSED)
{
  const int *n = one->about.counts;
  return (double)n[0] * (double)n[1] * (double)n[2];
}

static double
find_all_atoms(const DebyeBenchSourceCase *one)
{
  return (double)one->problem->n_atoms / (double)one->about.counts[0];
}

static gsize
foresee_atoms(const DebyeBenchSourceCase *one, double evaluations)
{
  const DebyeBenchProblem *problem = one->problem;
  const double n_frames = (double)problem->n_frames,
               most = MIN((double)problem->n_atoms, (double)MOST_BYTES / (3.0 * sizeof(float) * n_frames));
  return (gsize)CLAMP(evaluations / (n_frames * (double)problem->n_vectors), 1.0, MAX(most, 1.0));
}

const DebyeBenchSourceFamily debye_bench_source_scattering = {.function = "compute_series",
                                                              .kernel = "self",
                                                              .kind = DEBYE_LADDER_SCATTERING,
                                                              .number = DEBYE_RUNNER_SCATTERING,
                                                              .unit = "",
                                                              .value_bytes = sizeof(float),
                                                              .init = set_scattering,
                                                              .count_evaluations = count_phases,
                                                              .find_whole = find_all_atoms,
                                                              .foresee = foresee_atoms,
                                                              .expect = expect_scattering,
                                                              .name_value = name_time};
