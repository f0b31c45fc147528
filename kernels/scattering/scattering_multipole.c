/* SPDX-License-Identifier: MIT */
/* Averages over orientations by multipoles; called by scattering_by_multipoles.c. Chunks of q go to threads;
 * in a chunk some atoms at a time have their angular functions made once for all its q. */
#include "scattering_multipole.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/chunk_threads.h"
#include "kernels/special_functions.h"

#define TILE 64  /* atoms whose angular functions are kept */
#define CHUNK 16 /* q of a thread at a time */

typedef struct {
  const DebyeMultipole *multipole;
  const DebyeScatteringGroups *groups;
  const DebyeScatteringFrame *frame;
  DebyeVec3 center;
  const double *q;
  size_t n_q;
  double *products, *last_share;
  const volatile bool *cancel;
  atomic_bool no_memory;
} Problem;

/* Some atoms of a group as the sums see them. */
typedef struct {
  size_t n;
  double weight[TILE];
  double radius[TILE];             /* from the center, or from the axis */
  double along[TILE];              /* on the axis */
  double *angular_re, *angular_im; /* [harmonic·TILE + atom]: times the weight */
  double *radial;                  /* [l·TILE + atom] */
} Tile;

/* Whether an order of the sum stands for itself and its opposite, too. */
static size_t
n_harmonics(const DebyeMultipole *multipole)
{
  return multipole->cylindrical ? 2 * (size_t)multipole->order + 1 : debye_harmonic_count(multipole->order);
}

/* Two unit vectors that make a frame with the axis. */
static void
make_frame(DebyeVec3 axis, DebyeVec3 *u, DebyeVec3 *v)
{
  const DebyeVec3 other = fabs(axis.z) < 0.9 ? debye_vec3(0.0, 0.0, 1.0) : debye_vec3(1.0, 0.0, 0.0);
  *u = debye_vec3_cross(other, axis);
  *u = debye_vec3_scale(*u, 1.0 / debye_vec3_length(*u));
  *v = debye_vec3_cross(axis, *u);
}

static DebyeVec3
get_position(const Problem *problem, size_t entry)
{
  const DebyeScatteringGroups *groups = problem->groups;
  const size_t atom = groups->atoms != NULL ? groups->atoms[entry] : entry;
  const DebyeScatteringFrame *frame = problem->frame;
  return debye_vec3_subtract(
      debye_vec3((double)frame->x[atom], (double)frame->y[atom], (double)frame->z[atom]), problem->center);
}

/* w Y_lm* for m ≥ 0. */
static void
make_spherical_angles(const Problem *problem, Tile *tile, size_t i, DebyeVec3 r, double *legendre)
{
  const unsigned order = problem->multipole->order;
  const double length = debye_vec3_length(r), across = hypot(r.x, r.y);
  /* The angles of the center itself don't matter: only l = 0 is not zero there. */
  const double z = length > 0.0 ? r.z / length : 1.0, s = length > 0.0 ? across / length : 0.0;
  const double angle = across > 0.0 ? atan2(r.y, r.x) : 0.0;
  tile->radius[i] = length;
  debye_legendre(order, z, s, legendre);
  for (unsigned m = 0; m <= order; m++) {
    const double re = tile->weight[i] * cos(m * angle), im = -tile->weight[i] * sin(m * angle);
    for (unsigned l = m; l <= order; l++) {
      const size_t k = debye_harmonic_index(l, m);
      tile->angular_re[k * TILE + i] = re * legendre[k];
      tile->angular_im[k * TILE + i] = im * legendre[k];
    }
  }
}

/* w exp(−imφ), m from −L to L. */
static void
make_cylindrical_angles(const Problem *problem, Tile *tile, size_t i, DebyeVec3 r)
{
  const int order = (int)problem->multipole->order;
  DebyeVec3 u, v;
  make_frame(problem->multipole->axis, &u, &v);
  const double x = debye_vec3_dot(r, u), y = debye_vec3_dot(r, v);
  const double angle = x != 0.0 || y != 0.0 ? atan2(y, x) : 0.0;
  tile->radius[i] = hypot(x, y);
  tile->along[i] = debye_vec3_dot(r, problem->multipole->axis);
  for (int m = -order; m <= order; m++) {
    tile->angular_re[(size_t)(m + order) * TILE + i] = tile->weight[i] * cos(m * angle);
    tile->angular_im[(size_t)(m + order) * TILE + i] = -tile->weight[i] * sin(m * angle);
  }
}

static void
load_tile(const Problem *problem, Tile *tile, size_t first, size_t n, double *legendre)
{
  tile->n = n;
  for (size_t i = 0; i < n; i++) {
    const DebyeVec3 r = get_position(problem, first + i);
    tile->weight[i] = problem->groups->weight != NULL ? (double)problem->groups->weight[first + i] : 1.0;
    if (problem->multipole->cylindrical)
      make_cylindrical_angles(problem, tile, i, r);
    else
      make_spherical_angles(problem, tile, i, r, legendre);
  }
}

static void
add_harmonic(const Tile *tile, const double *radial, size_t k, double *sum)
{
  const double *re = tile->angular_re + k * TILE, *im = tile->angular_im + k * TILE;
  double sum_re = 0.0, sum_im = 0.0;
  for (size_t i = 0; i < tile->n; i++) {
    sum_re += radial[i] * re[i];
    sum_im += radial[i] * im[i];
  }
  sum[2 * k] += sum_re;
  sum[2 * k + 1] += sum_im;
}

static void
add_spherical(const Problem *problem, Tile *tile, double q, double *bessel, double *sum)
{
  const unsigned order = problem->multipole->order;
  for (size_t i = 0; i < tile->n; i++) {
    debye_spherical_bessel(order, q * tile->radius[i], bessel);
    for (unsigned l = 0; l <= order; l++)
      tile->radial[l * TILE + i] = bessel[l];
  }
  for (unsigned l = 0; l <= order; l++)
    for (unsigned m = 0; m <= l; m++)
      add_harmonic(tile, tile->radial + l * TILE, debye_harmonic_index(l, m), sum);
}

/* exp(ikz) turns both parts: the angular functions of a tile are not changed, the sum is made by hand. */
static void
add_cylindrical(const Problem *problem, const Tile *tile, double q, double *bessel, double *sum)
{
  const int order = (int)problem->multipole->order;
  const double k = problem->multipole->axial, across = sqrt(fmax(0.0, q * q - k * k));
  for (size_t i = 0; i < tile->n; i++) {
    const double c = cos(k * tile->along[i]), s = sin(k * tile->along[i]);
    debye_cylindrical_bessel(problem->multipole->order, across * tile->radius[i], bessel);
    for (int m = -order; m <= order; m++) {
      const size_t h = (size_t)(m + order);
      const double re = tile->angular_re[h * TILE + i], im = tile->angular_im[h * TILE + i];
      /* J_−m = (−1)^m J_m */
      const double radial = m < 0 && m % 2 != 0 ? -bessel[-m] : bessel[m < 0 ? -m : m];
      sum[2 * h] += radial * (re * c - im * s);
      sum[2 * h + 1] += radial * (re * s + im * c);
    }
  }
}

/* Σ B^a B^b* over harmonics; `last` gets the part of the order L alone. */
static void
multiply(const DebyeMultipole *multipole, const double *a, const double *b, double product[2], double last[2])
{
  const double pi = 3.14159265358979323846;
  product[0] = product[1] = last[0] = last[1] = 0.0;
  for (unsigned l = 0; l <= multipole->order; l++) {
    double re = 0.0, im = 0.0;
    const int low = multipole->cylindrical ? -(int)l : 0,
              step = multipole->cylindrical && l > 0 ? 2 * (int)l : 1;
    for (int m = low; m <= (int)l; m += step) {
      const size_t k =
          multipole->cylindrical ? (size_t)(m + (int)multipole->order) : debye_harmonic_index(l, (unsigned)m);
      const double same = a[2 * k] * b[2 * k] + a[2 * k + 1] * b[2 * k + 1];
      const double turned = a[2 * k + 1] * b[2 * k] - a[2 * k] * b[2 * k + 1];
      /* On the sphere −m adds the conjugate of m, for real weights. */
      re += multipole->cylindrical ? same : (m > 0 ? 2.0 : 1.0) * 4.0 * pi * same;
      im += multipole->cylindrical ? turned : 0.0;
    }
    product[0] += re;
    product[1] += im;
    last[0] = re;
    last[1] = im;
  }
}

static void
finish_q(const Problem *problem, const double *sums, size_t n_values, size_t i)
{
  const size_t n_groups = problem->groups->n_groups;
  double whole = 0.0, last_whole = 0.0;
  size_t pair = 0;
  for (size_t a = 0; a < n_groups; a++)
    for (size_t b = a; b < n_groups; b++, pair++) {
      double product[2], last[2];
      multiply(problem->multipole, sums + a * n_values, sums + b * n_values, product, last);
      problem->products[2 * (pair * problem->n_q + i)] = product[0];
      problem->products[2 * (pair * problem->n_q + i) + 1] = product[1];
      whole += (a == b ? 1.0 : 2.0) * product[0];
      last_whole += (a == b ? 1.0 : 2.0) * last[0];
    }
  if (problem->last_share != NULL)
    problem->last_share[i] = whole != 0.0 ? fabs(last_whole / whole) : 0.0;
}

static void
sum_chunk(const Problem *problem, Tile *tile, double *sums, double *scratch, size_t first, size_t n)
{
  const DebyeScatteringGroups *groups = problem->groups;
  const size_t n_values = 2 * n_harmonics(problem->multipole);
  memset(sums, 0, n * groups->n_groups * n_values * sizeof *sums);
  for (size_t g = 0; g < groups->n_groups; g++)
    for (size_t entry = groups->first[g]; entry < groups->first[g + 1]; entry += TILE) {
      const size_t left = groups->first[g + 1] - entry;
      if (debye_is_cancelled(problem->cancel))
        return;
      load_tile(problem, tile, entry, left < TILE ? left : TILE, scratch);
      for (size_t i = 0; i < n; i++) {
        double *sum = sums + (i * groups->n_groups + g) * n_values;
        if (problem->multipole->cylindrical)
          add_cylindrical(problem, tile, problem->q[first + i], scratch, sum);
        else
          add_spherical(problem, tile, problem->q[first + i], scratch, sum);
      }
    }
  for (size_t i = 0; i < n; i++)
    finish_q(problem, sums + i * groups->n_groups * n_values, n_values, first + i);
}

static void
do_chunk(void *context, size_t chunk)
{
  Problem *problem = context;
  const size_t first = chunk * CHUNK, left = problem->n_q - first, n = left < CHUNK ? left : CHUNK;
  const size_t harmonics = n_harmonics(problem->multipole), order = problem->multipole->order;
  const size_t n_scratch = harmonics > order + 1 ? harmonics : order + 1;
  Tile *tile = calloc(1, sizeof *tile);
  double *room = calloc(2 * harmonics * TILE + (order + 1) * TILE + n_scratch, sizeof *room);
  double *sums = calloc(n * problem->groups->n_groups * 2 * harmonics, sizeof *sums);
  if (tile != NULL && room != NULL && sums != NULL) {
    tile->angular_re = room;
    tile->angular_im = room + harmonics * TILE;
    tile->radial = room + 2 * harmonics * TILE;
    sum_chunk(problem, tile, sums, tile->radial + (order + 1) * TILE, first, n);
  } else {
    atomic_store(&problem->no_memory, true);
  }
  free(tile);
  free(room);
  free(sums);
}

static DebyeStatusCode
check(const DebyeMultipole *multipole, const DebyeScatteringGroups *groups, const DebyeScatteringFrame *frame,
      const double *q, size_t n_q, DebyeStatus *status)
{
  if (multipole->order > DEBYE_BESSEL_MAX_ORDER)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "Multipoles of order %u were asked for; at most %d are.", multipole->order,
                            DEBYE_BESSEL_MAX_ORDER);
  for (size_t i = 0; i < n_q; i++)
    if (!(q[i] >= 0.0) || (multipole->cylindrical && fabs(multipole->axial) > q[i]))
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "q is %g 1/Å; it must not be negative, nor less than its axial part, %g.", q[i],
                              multipole->axial);
  for (size_t entry = 0; entry < debye_scattering_n_entries(groups); entry++) {
    const size_t atom = groups->atoms != NULL ? groups->atoms[entry] : entry;
    if (!debye_scattering_is_good(frame->x[atom], frame->y[atom], frame->z[atom]))
      return debye_scattering_bad_atom(frame, atom, status);
  }
  return debye_status_ok(status);
}

DebyeStatusCode
debye_multipole_products(const DebyeMultipole *multipole, const DebyeScatteringGroups *groups,
                         const DebyeScatteringFrame *frame, DebyeVec3 center, const double *q, size_t n_q,
                         double *products, double *last_share, const volatile bool *cancel,
                         DebyeStatus *status)
{
  Problem problem = {.multipole = multipole,
                     .groups = groups,
                     .frame = frame,
                     .center = center,
                     .q = q,
                     .n_q = n_q,
                     .products = products,
                     .last_share = last_share,
                     .cancel = cancel};
  const DebyeStatusCode code = check(multipole, groups, frame, q, n_q, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  debye_chunk_threads_run((n_q + CHUNK - 1) / CHUNK, do_chunk, &problem);
  if (atomic_load(&problem.no_memory))
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for multipoles of order %u.",
                            multipole->order);
  if (debye_is_cancelled(cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  return debye_status_ok(status);
}
