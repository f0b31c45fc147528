/* SPDX-License-Identifier: MIT */
/* Orbitals and ligands as sources of the class get them, and what these should give; used by bench_source_case.c. */
#include <math.h>

#include "bench_ligand.h"
#include "bench_orbital.h"
#include "bench_source_private.h"
#include "data/files/error.h"

#define ROUNDING DEBYE_BENCH_ROUNDING
#define TERM_ROUNDINGS DEBYE_BENCH_TERM_ROUNDINGS
#define OUT_OF_REACH 1e-8 /* what is left out of an orbital at most, of a Gaussian beyond its reach */
#define NEAR_REACH 0.99
#define STRIPS 4 /* strips that a row of factors may be longer by */
#define LEAST_MEAN 1e-12

/* In the middle, with edges of different lengths; or so many whole planes. */
static DebyeGrid
take_part(const DebyeGrid *whole, const gsize small[3], gsize n_planes)
{
  DebyeGrid part = *whole;
  double first[3];
  for (int axis = 0; axis < 3; axis++) {
    const gsize n = n_planes == 0 ? small[axis] : axis == 2 ? n_planes : whole->shape[axis];
    part.shape[axis] = MIN(n, whole->shape[axis]);
    first[axis] = (double)((whole->shape[axis] - part.shape[axis]) / 2);
  }
  part.origin = debye_grid_point(whole, first[0], first[1], first[2]);
  return part;
}

static gsize
foresee_planes(const DebyeGrid *whole, double all, double evaluations)
{
  if (!(all > 0.0))
    return 1;
  return (gsize)CLAMP(evaluations / all * (double)whole->shape[2], 1.0, (double)whole->shape[2]);
}

static DebyeVec3
find_point(const DebyeGrid *grid, gsize index)
{
  return debye_grid_point(grid, (double)(index % grid->shape[0]),
                          (double)(index / grid->shape[0] % grid->shape[1]),
                          (double)(index / grid->shape[0] / grid->shape[1]));
}

/* --- Orbitals --- */

static void
fill_orbital(DebyeBenchSourceCase *one, const DebyeLadderBasis *basis)
{
  DebyeRunnerCase *about = &one->about;
  for (int axis = 0; axis < 3; axis++) {
    about->counts[axis] = (int)basis->shape[axis];
    about->reals[axis] = basis->step[axis];
  }
  about->counts[3] = (int)basis->n_atoms;
  one->has_scratch_each = TRUE;
  about->scratch_bytes =
      DEBYE_LADDER_SHELL_PRIMITIVES * (basis->shape[0] + STRIPS * DEBYE_LADDER_STRIP) * sizeof(float);
  debye_bench_source_case_append(one, basis->atoms, 4 * basis->n_atoms * sizeof(float));
  debye_bench_source_case_append(one, basis->first_shell, (basis->n_atoms + 1) * sizeof(int));
  debye_bench_source_case_append(one, basis->shells, 3 * (basis->n_shells + 1) * sizeof(int));
  debye_bench_source_case_append(one, basis->primitives, 3 * basis->n_primitives * sizeof(float));
  debye_bench_source_case_append(one, basis->coefficients, basis->n_functions * sizeof(float));
}

/* A small piece has wide steps along x and y, so that it crosses the molecule, which is hollow. */
static gboolean
set_orbital(DebyeBenchSourceCase *one, gsize n_planes, GError **error)
{
  static const gsize small[3] = {21, 13, 3};
  DebyeLadderBasis basis;
  DebyeStatus status = {0};
  DebyeBenchOrbital *subject = debye_bench_orbital_new(
      one->problem->field_points > 0.0 ? one->problem->field_points : DEBYE_BENCH_ORBITAL_POINTS);
  one->subject = subject;
  one->subject_free = g_free;
  one->part = take_part(&subject->grid, small, n_planes);
  if (n_planes == 0) {
    const double edge = -2.0 * subject->grid.origin.x;
    one->part.origin.x = one->part.origin.y = subject->grid.origin.x;
    one->part.step[0].x = edge / (double)MAX(one->part.shape[0] - 1, 1);
    one->part.step[1].y = edge / (double)MAX(one->part.shape[1] - 1, 1);
  }
  one->n_values = debye_grid_n_points(&one->part);
  const DebyeLadderOrbital orbital = {one->part, &subject->molecule.basis, subject->coefficients};
  const gboolean ok = debye_ladder_basis_init(&basis, &orbital, &status) == DEBYE_STATUS_OK;
  if (ok)
    fill_orbital(one, &basis);
  else
    debye_error_set(error, DEBYE_ERROR_VALUE, "bench: %s", status.text);
  debye_ladder_basis_clear(&basis);
  return ok;
}

/* How far a Gaussian may be off: its exponent, its monomials, and where it was left out. */
static double
find_primitive_off(const float *primitive, const float *c, int degree, DebyeVec3 d, double away)
{
  const double r2 = debye_vec3_dot(d, d), r = sqrt(r2), alpha = (double)primitive[0];
  const double g = fabs((double)primitive[1]) * exp(-alpha * r2);
  const double size = pow(r, degree), slope = degree == 0 ? 0.0 : degree * pow(r, degree - 1);
  double sum = 0.0;
  for (int i = 0; i < (degree + 1) * (degree + 2) / 2; i++)
    sum += fabs((double)c[i]);
  const double relative =
      2.0 * alpha * r * away + alpha * away * away + (4.0 * alpha * r2 + TERM_ROUNDINGS) * ROUNDING;
  const double left_out = r2 >= NEAR_REACH * (double)primitive[2] ? MIN(g * size * sum, OUT_OF_REACH) : 0.0;
  return sum * g * (size * relative + (slope + away) * away) + left_out;
}

static double
find_orbital_off(const DebyeLadderBasis *basis, DebyeVec3 from_first, double away)
{
  double off = 0.0;
  for (gsize n = 0; n < basis->n_atoms; n++) {
    const float *atom = basis->atoms + 4 * n;
    const DebyeVec3 d =
        debye_vec3_subtract(from_first, debye_vec3((double)atom[0], (double)atom[1], (double)atom[2]));
    for (int s = basis->first_shell[n]; s < basis->first_shell[n + 1]; s++) {
      const int *shell = basis->shells + 3 * s;
      for (int p = shell[1]; p < shell[4]; p++)
        off +=
            find_primitive_off(basis->primitives + 3 * p, basis->coefficients + shell[2], shell[0], d, away);
    }
  }
  return off;
}

static void
expect_orbital(const DebyeBenchSourceCase *one, guint alternative G_GNUC_UNUSED, GArray *expected,
               double *within G_GNUC_UNUSED)
{
  const DebyeBenchOrbital *subject = one->subject;
  const DebyeLadderOrbital orbital = {one->part, &subject->molecule.basis, subject->coefficients};
  const double away =
      DEBYE_BENCH_COORDINATE_ROUNDINGS * ROUNDING * 2.0 * fabs(subject->grid.origin.x); /* of the cube */
  const gsize stride = debye_bench_source_case_stride(one);
  g_autofree double *values = g_new(double, DEBYE_FULLERENE_FUNCTIONS);
  DebyeLadderBasis basis;
  if (debye_ladder_basis_init(&basis, &orbital, NULL) == DEBYE_STATUS_OK)
    for (gsize i = 0; i < one->n_values; i += stride) {
      const DebyeVec3 point = find_point(&one->part, i);
      DebyeBenchExpected value = {.index = i};
      debye_orbital_basis_evaluate(&subject->molecule.basis, (double[3]){point.x, point.y, point.z},
                                   DEBYE_ORBITAL_ITSELF, values);
      for (gsize k = 0; k < DEBYE_FULLERENE_FUNCTIONS; k++) {
        value.expected += subject->coefficients[k] * values[k];
        value.tolerance +=
            (double)DEBYE_FULLERENE_SHELLS * ROUNDING * fabs(subject->coefficients[k] * values[k]);
      }
      value.tolerance += find_orbital_off(&basis, debye_vec3_subtract(point, one->part.origin), away);
      g_array_append_val(expected, value);
    }
  debye_ladder_basis_clear(&basis);
}

static double
count_drawn(const DebyeBenchSourceCase *one, double within G_GNUC_UNUSED)
{
  return debye_bench_orbital_count(one->subject, &one->part);
}

static double
find_all_drawn(const DebyeBenchSourceCase *one)
{
  const DebyeBenchOrbital *subject = one->subject;
  return debye_bench_orbital_count(subject, &subject->grid) / count_drawn(one, NAN);
}

static gsize
foresee_drawn(const DebyeBenchSourceCase *one, double evaluations)
{
  const DebyeBenchOrbital *subject = one->subject;
  return foresee_planes(&subject->grid, debye_bench_orbital_count(subject, &subject->grid), evaluations);
}

const DebyeBenchSourceFamily debye_bench_source_orbital = {.function = "compute_orbital",
                                                           .kernel = "orbital",
                                                           .kind = DEBYE_LADDER_ORBITAL,
                                                           .number = DEBYE_RUNNER_ORBITAL,
                                                           .unit = "",
                                                           .value_bytes = sizeof(float),
                                                           .is_written = TRUE,
                                                           .init = set_orbital,
                                                           .count_evaluations = count_drawn,
                                                           .find_whole = find_all_drawn,
                                                           .foresee = foresee_drawn,
                                                           .expect = expect_orbital,
                                                           .name_value = debye_bench_source_name_point};

/* --- Ligands --- */

static void
fill_ligand(DebyeBenchSourceCase *one, const DebyeLadderMatter *matter)
{
  DebyeRunnerCase *about = &one->about;
  for (int axis = 0; axis < 3; axis++) {
    about->counts[axis] = (int)matter->shape[axis];
    about->reals[axis] = matter->step[axis];
  }
  about->counts[3] = matter->subsamples;
  about->counts[4] = (int)matter->n_atoms;
  about->counts[5] = matter->bins[0];
  about->counts[6] = matter->bins[1];
  about->reals[3] = matter->margin;
  about->reals[4] = matter->edge;
  about->reals[5] = matter->cutoff2;
  one->extent = 0.0;
  for (int axis = 0; axis < 3; axis++)
    one->extent = fmax(one->extent, (double)matter->edge * (double)matter->bins[axis]);
  debye_bench_source_case_append(one, matter->atoms, 4 * matter->n_atoms * sizeof(float));
  debye_bench_source_case_append(one, matter->pairs, 2 * matter->n_atoms * sizeof(float));
  debye_bench_source_case_append(one, matter->start, (matter->n_bins + 1) * sizeof(int));
}

static gboolean
set_ligand(DebyeBenchSourceCase *one, gsize n_planes, GError **error)
{
  static const gsize small[3] = {9, 7, 3};
  DebyeLadderMatter matter;
  DebyeStatus status = {0};
  DebyeBenchLigand *subject = debye_bench_ligand_new(
      one->problem->field_points > 0.0 ? one->problem->field_points : DEBYE_BENCH_LIGAND_VOXELS);
  one->subject = subject;
  one->subject_free = (GDestroyNotify)debye_bench_ligand_free;
  one->part = take_part(&subject->settings.grid, small, n_planes);
  one->n_values = debye_grid_n_points(&one->part);
  DebyeLigandSettings settings = subject->settings;
  settings.grid = one->part;
  const DebyeLadderLigand ligand = {&settings, &subject->frame};
  const gboolean ok = debye_ladder_matter_init(&matter, &ligand, &status) == DEBYE_STATUS_OK;
  if (ok)
    fill_ligand(one, &matter);
  else
    debye_error_set(error, DEBYE_ERROR_VALUE, "bench: %s", status.text);
  debye_ladder_matter_clear(&matter);
  return ok;
}

/* kT, of the ligand at a place, and how far it may be off. */
static double
sum_energy(const DebyeBenchSourceCase *one, DebyeVec3 place, double *off)
{
  const DebyeBenchLigand *subject = one->subject;
  const double cutoff = subject->settings.cutoff,
               away = DEBYE_BENCH_COORDINATE_ROUNDINGS * ROUNDING * one->extent;
  double energy = 0.0, n = 0.0, size = 0.0;
  for (gsize i = 0; i < subject->frame.n; i++) {
    const double dx = (double)subject->frame.x[i] - place.x, dy = (double)subject->frame.y[i] - place.y,
                 dz = (double)subject->frame.z[i] - place.z, square = dx * dx + dy * dy + dz * dz;
    if (square >= (cutoff + away) * (cutoff + away))
      continue;
    const double near = MAX(square, DEBYE_LIGAND_LEAST_SQUARE), sixth = 1.0 / (near * near * near),
                 r = sqrt(near);
    const double a = subject->repulsion[subject->types[i]] * sixth * sixth,
                 b = subject->attraction[subject->types[i]] * sixth;
    energy += square < cutoff * cutoff ? a - b : 0.0;
    size += a + b;
    *off += (12.0 * a + 6.0 * b) * away / MAX(r - away, 1e-6) + TERM_ROUNDINGS * ROUNDING * (a + b);
    if (r > cutoff - away)
      *off += a + b;
    n += 1.0;
  }
  *off += n * ROUNDING * size;
  return energy;
}

static DebyeBenchExpected
find_mean(const DebyeBenchSourceCase *one, gsize index)
{
  const DebyeBenchLigand *subject = one->subject;
  const gsize *shape = one->part.shape;
  const int n = (int)subject->settings.subsamples;
  const double half = 0.5 * (n - 1), all = pow(n, 3.0);
  DebyeBenchExpected value = {.index = index, .tolerance = LEAST_MEAN};
  for (int s = 0; s < n * n * n; s++) {
    double off = 0.0;
    const DebyeVec3 place = debye_grid_point(&one->part, (double)(index % shape[0]) + (s % n - half) / n,
                                             (double)(index / shape[0] % shape[1]) + (s / n % n - half) / n,
                                             (double)(index / shape[0] / shape[1]) + (s / n / n - half) / n);
    const double energy = sum_energy(one, place, &off),
                 weight = energy < DEBYE_LIGAND_MAX_ENERGY ? exp(-energy) : 0.0;
    value.expected += weight / all;
    /* Its relative rounding: of an exponential of so much, and of the mean. */
    value.tolerance += (fmin(exp(-energy) * expm1(fmin(off, 50.0)), exp(-energy + off)) +
                        weight * (fabs(energy) + TERM_ROUNDINGS + all) * ROUNDING) /
                       all;
  }
  return value;
}

static void
expect_ligand(const DebyeBenchSourceCase *one, guint alternative G_GNUC_UNUSED, GArray *expected,
              double *within G_GNUC_UNUSED)
{
  const gsize stride = debye_bench_source_case_stride(one);
  for (gsize i = 0; i < one->n_values; i += stride) {
    const DebyeBenchExpected value = find_mean(one, i);
    g_array_append_val(expected, value);
  }
}

static double
count_sampled(const DebyeBenchSourceCase *one, double within G_GNUC_UNUSED)
{
  return debye_bench_ligand_count(one->subject, &one->part);
}

static double
find_all_sampled(const DebyeBenchSourceCase *one)
{
  const DebyeBenchLigand *subject = one->subject;
  return debye_bench_ligand_count(subject, &subject->settings.grid) / count_sampled(one, NAN);
}

static gsize
foresee_sampled(const DebyeBenchSourceCase *one, double evaluations)
{
  const DebyeBenchLigand *subject = one->subject;
  return foresee_planes(&subject->settings.grid, debye_bench_ligand_count(subject, &subject->settings.grid),
                        evaluations);
}

const DebyeBenchSourceFamily debye_bench_source_ligand = {.function = "sample_planes",
                                                          .kernel = "ligand",
                                                          .kind = DEBYE_LADDER_LIGAND,
                                                          .number = DEBYE_RUNNER_LIGAND,
                                                          .unit = "",
                                                          .is_voxels = TRUE,
                                                          .value_bytes = sizeof(float),
                                                          .is_written = TRUE,
                                                          .init = set_ligand,
                                                          .count_evaluations = count_sampled,
                                                          .find_whole = find_all_sampled,
                                                          .foresee = foresee_sampled,
                                                          .expect = expect_ligand,
                                                          .name_value = debye_bench_source_name_point};
