/* SPDX-License-Identifier: MIT */
/* Chooses the lattice of scattering_debye_lattice.h and folds it; called by scattering_by_formula.c. */
#include "scattering_debye_lattice.h"

#include <stdlib.h>

#include "kernels/chunk_threads.h"
#include "lattice_spread.h"
#include "scattering_distances.h"

#define PI 3.14159265358979323846
/* What is left of a peak beyond the lattice, of the tolerance. */
#define SHARE_BEYOND 0.1
/* What spreading may err, likewise; in a crystal neighbouring amplitudes err alike. */
#define SHARE_OF_SPREADING 0.3
/* q·D below which sin(qr)/(qr) is 1. */
#define NO_Q 1e-5
/* Rows of weights that are computed at once; bytes of weights that stay from frame to frame, at most; numbers that a plan
 * keeps of an atom, and of a length for each pair of groups. */
#define N_ROWS ((size_t)16)
#define MOST_KEPT_BYTES 6.4e7
#define ATOM_VALUES 8.0
#define SUM_VALUES 20.0
#define LEAST_REACH 1.0 /* Å */
/* Of sums in double, of Σw². */
#define LEAST_ERROR 1e-8
/* A mesh point of the transform takes as long as so many that an atom is spread on. */
#define TRANSFORM_COST 10.0

/* The least β with 2β exp(−β) = ε. */
static double
find_beta(double error)
{
  double beta = 4.0;
  for (int i = 0; i < 50; i++)
    beta = fmax(1.0, log(2.0 * beta / error));
  return beta;
}

DebyeFormulaLattice
debye_formula_lattice(double reach, double q_max, double tolerance, size_t n_atoms)
{
  const double error = fmin(tolerance, 1e-2);
  DebyeFormulaLattice lattice = {
      .reach = fmax(reach, LEAST_REACH), .q_max = q_max, .beta = find_beta(SHARE_BEYOND * error)};
  /* L·(q_max + 2β/T) is least, or at q_max = 0 has T no end. */
  const double twice = 2.0 * lattice.reach;
  const double soft = fmin(sqrt(twice * 2.0 * lattice.beta / fmax(q_max, 1e-9)), 8.0 * twice);
  lattice.side = twice + soft;
  lattice.extent = (unsigned)fmin(ceil(lattice.side * (q_max + 2.0 * lattice.beta / soft) / (2.0 * PI)), 1e6);
  /* At small q amplitudes are as large as n, and the error of their square is to stay one of a sum of n. */
  const double wanted = SHARE_OF_SPREADING * error / sqrt((double)(n_atoms > 0 ? n_atoms : 1));
  lattice.tolerance = fmax(wanted, DEBYE_LATTICE_LEAST_TOLERANCE);
  lattice.holds_tolerance = lattice.extent <= DEBYE_LATTICE_MAX_EXTENT && error >= LEAST_ERROR;
  return lattice;
}

static DebyeLatticeSpread
get_spread(const DebyeFormulaLattice *lattice)
{
  const DebyeLatticeSettings settings = {.extent = {lattice->extent, lattice->extent, lattice->extent},
                                         .tolerance = lattice->tolerance};
  return debye_lattice_spread(&settings);
}

static double
count_mesh(const DebyeLatticeSpread *spread)
{
  return (double)spread->mesh[0] * (double)spread->mesh[1] * (double)spread->mesh[2];
}

static double
count_shells(const DebyeFormulaLattice *lattice)
{
  return (double)lattice->extent * (double)lattice->extent + 1.0;
}

double
debye_formula_lattice_count_points(const DebyeFormulaLattice *lattice, size_t n_atoms)
{
  const DebyeLatticeSpread spread = get_spread(lattice);
  return TRANSFORM_COST * count_mesh(&spread) + pow((double)spread.width, 3.0) * (double)n_atoms;
}

double
debye_formula_lattice_count_weights(const DebyeFormulaLattice *lattice, size_t n_q)
{
  return count_shells(lattice) * (double)n_q;
}

static bool
keeps_weights(size_t n_shells, size_t n_q)
{
  return (double)n_shells * (double)n_q * sizeof(double) <= MOST_KEPT_BYTES;
}

static size_t
count_rows(size_t n_q)
{
  return n_q < N_ROWS ? n_q : N_ROWS;
}

/* Lists of atoms; sums by length and rows of weights. */
double
debye_formula_lattice_count_host_bytes(const DebyeFormulaLattice *lattice, size_t n_groups, size_t n_atoms,
                                       size_t n_q)
{
  const double n = (double)n_groups, pairs = 0.5 * n * (n + 1.0), shells = count_shells(lattice);
  const size_t rows = keeps_weights((size_t)shells, n_q) ? n_q : count_rows(n_q);
  return sizeof(double) * (ATOM_VALUES * (double)n_atoms + (SUM_VALUES * pairs + (double)rows) * shells);
}

/* Mesh and transform, and amplitudes, beside that. */
double
debye_formula_lattice_count_bytes(const DebyeFormulaLattice *lattice, size_t n_groups, size_t n_atoms,
                                  size_t n_q)
{
  const DebyeLatticeSpread spread = get_spread(lattice);
  const double modes = 4.0 * pow((double)lattice->extent + 1.0, 3.0), n = (double)n_groups;
  return sizeof(double) * (2.0 * count_mesh(&spread) + 2.0 * modes * n) +
         debye_formula_lattice_count_host_bytes(lattice, n_groups, n_atoms, n_q);
}

/* sinh(s)/s of s², which may be negative. */
static double
find_sinc(double square)
{
  const double s = sqrt(fabs(square));
  if (s < 1e-3)
    return 1.0 + square / 6.0;
  return (square > 0.0 ? sinh(s) : sin(s)) / s;
}

/* Twice its derivative by s². */
static double
find_slope(double square)
{
  const double s = sqrt(fabs(square));
  return s < 1e-3 ? 1.0 / 3.0 : ((square > 0.0 ? cosh(s) : cos(s)) - find_sinc(square)) / square;
}

/* W(u), see the header. */
static double
find_transform(const DebyeFormulaLattice *lattice, double u)
{
  const double step = 0.5 * lattice->side, x = u * (step - lattice->reach);
  const double edge = fabs(u * step) < 1e-4 ? step : sin(u * step) / u;
  return edge * find_sinc(lattice->beta * lattice->beta - x * x);
}

/* Its derivative. */
static double
find_derivative(const DebyeFormulaLattice *lattice, double u)
{
  const double step = 0.5 * lattice->side, half = step - lattice->reach, x = u * half, t = u * step;
  const double square = lattice->beta * lattice->beta - x * x;
  const double edge = fabs(t) < 1e-4 ? step : sin(t) / u;
  /* (t cos t - sin t)/t²: the difference loses all digits at small t, where the series' next term is t⁷/45360. */
  const double slope = fabs(t) < 0.05 ? t * (-1.0 / 3.0 + t * t * (1.0 / 30.0 - t * t / 840.0))
                                      : (t * cos(t) - sin(t)) / (t * t);
  return step * step * slope * find_sinc(square) - edge * find_slope(square) * x * half;
}

struct DebyeFormulaFold {
  DebyeFormulaLattice lattice;
  const double *q; /* borrowed */
  size_t n_q, n_shells;
  bool keeps_weights; /* of all q; otherwise a row of them for each thread */
  double *weights;    /* rows of n_shells */
};

/* `factor`: 2π/L³ and what makes W(0) L/2. */
static double
find_weight(const DebyeFormulaLattice *lattice, double factor, double q, size_t shell)
{
  const double k = 2.0 * PI / lattice->side * sqrt((double)shell);
  if (q * lattice->reach < NO_Q)
    return shell == 0 ? 1.0 : 0.0;
  if (shell > 0)
    return factor / (q * k) * (find_transform(lattice, q - k) - find_transform(lattice, q + k));
  return -2.0 * factor / q * find_derivative(lattice, q);
}

/* Of one q. */
static void
make_weights(const DebyeFormulaFold *fold, size_t i, double *weights)
{
  const DebyeFormulaLattice *lattice = &fold->lattice;
  const double factor =
      2.0 * PI / (lattice->side * lattice->side * lattice->side) * lattice->beta / sinh(lattice->beta);
  for (size_t shell = 0; shell < fold->n_shells; shell++)
    weights[shell] = find_weight(lattice, factor, fold->q[i], shell);
}

static void
make_kept_weights(void *context, size_t i)
{
  const DebyeFormulaFold *fold = context;
  make_weights(fold, i, fold->weights + i * fold->n_shells);
}

DebyeStatusCode
debye_formula_fold_create(const DebyeFormulaLattice *lattice, const double *q, size_t n_q,
                          DebyeFormulaFold **fold, DebyeStatus *status)
{
  const size_t n_shells = (size_t)lattice->extent * lattice->extent + 1;
  const bool keeps = keeps_weights(n_shells, n_q);
  DebyeFormulaFold *made = malloc(sizeof *made);
  double *weights = malloc((keeps ? n_q : count_rows(n_q)) * n_shells * sizeof *weights + 1);
  *fold = NULL;
  if (made == NULL || weights == NULL) {
    free(made);
    free(weights);
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                            "There is no memory for %zu distances at %zu values of q.", n_shells, n_q);
  }
  *made = (DebyeFormulaFold){.lattice = *lattice,
                             .q = q,
                             .n_q = n_q,
                             .n_shells = n_shells,
                             .keeps_weights = keeps,
                             .weights = weights};
  if (keeps)
    debye_chunk_threads_run(n_q, make_kept_weights, made);
  *fold = made;
  return debye_status_ok(status);
}

void
debye_formula_fold_free(DebyeFormulaFold *fold)
{
  if (fold == NULL)
    return;
  free(fold->weights);
  free(fold);
}

typedef struct {
  const DebyeFormulaFold *fold;
  const double *sums;
  size_t n_pairs;
  double *products;
  const volatile bool *cancel;
} Folding;

/* Every N_ROWS-th q, one row of weights after the other: with many q all of them would take more than the lattice. */
static void
fold_row(void *context, size_t row)
{
  const Folding *folding = context;
  const DebyeFormulaFold *fold = folding->fold;
  for (size_t i = row; i < fold->n_q && !debye_is_cancelled(folding->cancel); i += N_ROWS) {
    double *weights = fold->weights + (fold->keeps_weights ? i : row) * fold->n_shells;
    if (!fold->keeps_weights)
      make_weights(fold, i, weights);
    for (size_t pair = 0; pair < folding->n_pairs; pair++)
      folding->products[pair * fold->n_q + i] =
          debye_sum_products(folding->sums + pair * fold->n_shells, weights, fold->n_shells);
  }
}

DebyeStatusCode
debye_formula_fold_execute(const DebyeFormulaFold *fold, const double *sums, size_t n_pairs, double *products,
                           const volatile bool *cancel, DebyeStatus *status)
{
  Folding folding = {fold, sums, n_pairs, products, cancel};
  debye_chunk_threads_run(count_rows(fold->n_q), fold_row, &folding);
  if (debye_is_cancelled(cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  return debye_status_ok(status);
}
