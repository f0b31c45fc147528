/* SPDX-License-Identifier: MIT */
/* Finds out how the program that wrote a wave function normalises primitives, contractions and the functions of a shell.
 *
 * Molden's definition (https://www.theochem.ru.nl/molden/molden_format.html) is that coefficients are of normalised
 * primitives, and that each function, xx as well as xy, has norm 1. Programs deviate from it, each in a way of its own.
 * Orbitals of a program have norm 1, so of the ways that are known the right one is that under which they do: it is
 * looked for, whatever the file's title says. Signs alone don't show in the norms of one atom: ORCA's are believed. */
#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "wave_function.h"

/* --- Overlaps of Gaussians, by recursion over powers along each axis (Obara & Saika, J. Chem. Phys. 84, 3963 (1986)), and
 * solid harmonics --- */

#define MAX_CARTESIAN ((DEBYE_WAVE_MAX_L + 1) * (DEBYE_WAVE_MAX_L + 2) / 2)
#define N_POWERS (DEBYE_WAVE_MAX_L + 1)
/* exp(−40) is below what float or a norm of 1e-12 sees. */
#define FARTHEST 40.0

/* The order of a shell's functions x^a y^b z^c: xx, xy, xz, yy, yz, zz. */
static gsize
cartesian_index(int l, int a, int b G_GNUC_UNUSED, int c)
{
  const int rest = l - a;
  return (gsize)(rest * (rest + 1) / 2 + c);
}

/* (2n − 1)!! */
static double
double_factorial(int n)
{
  double product = 1.0;
  for (int i = 2 * n - 1; i > 1; i -= 2)
    product *= i;
  return product;
}

/* Of a primitive: N exp(−αr²) x^l has the norm (2l − 1)!!. */
static double
primitive_norm(int l, double exponent)
{
  return pow(2.0 * exponent / G_PI, 0.75) * pow(4.0 * exponent, 0.5 * l);
}

static double
binomial(int n, int k)
{
  double value = 1.0;
  if (k < 0 || k > n)
    return 0.0;
  for (int i = 1; i <= k; i++)
    value = value * (n - k + i) / i;
  return value;
}

static double
factorial(int n)
{
  double product = 1.0;
  for (int i = 2; i <= n; i++)
    product *= i;
  return product;
}

/* The terms of one t and u: of m ≥ 0 even powers of y from (x + iy)^|m|, else odd ones. */
static void
add_harmonic_terms(int l, int m, int t, int u, double factor, double *values)
{
  const int size = ABS(m);
  for (int power = m < 0 ? 1 : 0; power <= size; power += 2) {
    const double sign = (t + power / 2) % 2 == 0 ? 1.0 : -1.0;
    const int a = 2 * t + size - 2 * u - power, b = 2 * u + power, c = l - 2 * t - size;
    values[cartesian_index(l, a, b, c)] += sign * factor * pow(0.25, t) * binomial(l, t) *
                                           binomial(l - t, size + t) * binomial(t, u) * binomial(size, power);
  }
}

/* Real solid harmonic m = −l … l as Σ values · x^a y^b z^c, normalised as a function of norm 1 is whose primitives are
 * multiplied by primitive_norm(): Schlegel & Frisch, Int. J. Quantum Chem. 54, 83 (1995). */
static void
solid_harmonic(int l, int m, double values[MAX_CARTESIAN])
{
  const int size = ABS(m);
  const double factor = sqrt(2.0 * factorial(l + size) * factorial(l - size) / (m == 0 ? 2.0 : 1.0)) /
                        (ldexp(1.0, size) * factorial(l) * sqrt(double_factorial(l)));
  memset(values, 0, MAX_CARTESIAN * sizeof *values);
  for (int t = 0; t <= (l - size) / 2; t++)
    for (int u = 0; u <= t; u++)
      add_harmonic_terms(l, m, t, u, factor, values);
}

/* ∫ (x−A)^i (x−B)^j exp(−α(x−A)² − β(x−B)²) dx without the factor exp(−αβ/(α+β) (A−B)²). */
static void
fill_line(double alpha, double beta, double a, double b, int most_i, int most_j,
          double line[N_POWERS][N_POWERS])
{
  const double sum = alpha + beta, centre = (alpha * a + beta * b) / sum, half = 0.5 / sum;
  for (int i = 0; i <= most_i; i++)
    for (int j = 0; j <= most_j; j++) {
      if (i == 0 && j == 0)
        line[i][j] = sqrt(G_PI / sum);
      else if (i > 0)
        line[i][j] = (centre - a) * line[i - 1][j] + (i > 1 ? half * (i - 1) * line[i - 2][j] : 0.0) +
                     (j > 0 ? half * j * line[i - 1][j - 1] : 0.0);
      else
        line[i][j] = (centre - b) * line[i][j - 1] + (j > 1 ? half * (j - 1) * line[i][j - 2] : 0.0);
    }
}

/* Adds one pair of primitives to the block of two shells. */
static void
add_pair(const DebyeWaveFunction *self, const DebyeWaveShell *one, const DebyeWaveShell *other, guint32 i,
         guint32 j, double *block)
{
  const double alpha = g_array_index(self->exponents, double, i);
  const double beta = g_array_index(self->exponents, double, j);
  const double *a = g_array_index(self->atoms, DebyeWaveAtom, one->atom).position;
  const double *b = g_array_index(self->atoms, DebyeWaveAtom, other->atom).position;
  double lines[3][N_POWERS][N_POWERS], square = 0.0;
  for (int axis = 0; axis < 3; axis++)
    square += (a[axis] - b[axis]) * (a[axis] - b[axis]);
  const double argument = alpha * beta / (alpha + beta) * square;
  if (argument > FARTHEST)
    return;
  for (int axis = 0; axis < 3; axis++)
    fill_line(alpha, beta, a[axis], b[axis], one->l, other->l, lines[axis]);
  const double factor =
      g_array_index(self->weights, double, i) * g_array_index(self->weights, double, j) * exp(-argument);
  for (int x = one->l; x >= 0; x--)
    for (int y = one->l - x; y >= 0; y--)
      for (int u = other->l; u >= 0; u--)
        for (int v = other->l - u; v >= 0; v--)
          *block++ += factor * lines[0][x][u] * lines[1][y][v] * lines[2][one->l - x - y][other->l - u - v];
}

static gsize
count_cartesian(const DebyeWaveShell *shell)
{
  return (gsize)(shell->l + 1) * (gsize)(shell->l + 2) / 2;
}

static void
add_block(const double *rows, gsize n, gsize stride, gsize at, gsize to, const double *block, gsize n_at,
          gsize n_to, double *norms)
{
  for (gsize row = 0; row < n; row++) {
    const double *values = rows + row * stride;
    double sum = 0.0;
    for (gsize i = 0; i < n_at; i++)
      for (gsize j = 0; j < n_to; j++)
        sum += values[at + i] * block[i * n_to + j] * values[to + j];
    norms[row] += at == to ? sum : 2.0 * sum;
  }
}

void
debye_wave_function_get_norms(const DebyeWaveFunction *self, const double *rows, gsize n, double *norms)
{
  gsize at = 0;
  memset(norms, 0, n * sizeof *norms);
  for (guint first = 0; first < self->shells->len; first++) {
    const DebyeWaveShell *one = &g_array_index(self->shells, DebyeWaveShell, first);
    gsize to = 0;
    for (guint second = 0; second <= first; second++) {
      const DebyeWaveShell *other = &g_array_index(self->shells, DebyeWaveShell, second);
      double block[MAX_CARTESIAN * MAX_CARTESIAN] = {0.0};
      for (guint32 i = 0; i < one->n_primitives; i++)
        for (guint32 j = 0; j < other->n_primitives; j++)
          add_pair(self, one, other, one->first_primitive + i, other->first_primitive + j, block);
      add_block(rows, n, self->n_cartesian, at, to, block, count_cartesian(one), count_cartesian(other),
                norms);
      to += count_cartesian(other);
    }
    at += count_cartesian(one);
  }
}

/* --- Normalisations --- */

/* Norms are looked at of so many orbitals at most. */
#define MOST_ORBITALS 64
/* Nothing else is tried where norms are that good; nor do smaller deviations decide between two ways. */
#define GOOD_NORM 1e-6

typedef enum {
  WEIGHTS_AS_DEFINED,
  WEIGHTS_NORMALISED, /* of normalised primitives, but the contraction has to be normalised */
  WEIGHTS_RAW,        /* they include what normalises the primitives */
  N_WEIGHTS,
} Weights;

/* What x^a y^b z^c of a shell l is multiplied with, beside the primitives' norm. */
typedef enum {
  COMPONENTS_AS_DEFINED, /* 1/√((2a−1)!!(2b−1)!!(2c−1)!!) */
  COMPONENTS_AS_XY,      /* 1: xx has norm 3 */
  COMPONENTS_AS_XX,      /* 1/√((2l−1)!!): xy has norm 1/3 */
  COMPONENTS_SCALED,     /* as defined, times √((2l−1)!!) */
  N_COMPONENTS,
} Components;

typedef struct {
  Weights weights;
  Components components;
  gboolean has_orca_signs;
  double deviation; /* the largest |⟨ψ|ψ⟩ − 1| */
  double worst;     /* its ⟨ψ|ψ⟩ */
} Normalisation;

/* --- Functions of shells --- */

static double
scale_of(Components components, int l, int a, int b, int c)
{
  const double whole = double_factorial(l);
  const double own = double_factorial(a) * double_factorial(b) * double_factorial(c);
  switch (components) {
  case COMPONENTS_AS_XY:
    return 1.0;
  case COMPONENTS_AS_XX:
    return 1.0 / sqrt(whole);
  case COMPONENTS_SCALED:
    return sqrt(whole / own);
  default:
    return 1.0 / sqrt(own);
  }
}

/* The file's order, by l: Molden's, which Gaussian has, too, up to f. */
static const char *const orders[][15] = {
    {""},
    {"x", "y", "z"},
    {"xx", "yy", "zz", "xy", "xz", "yz"},
    {"xxx", "yyy", "zzz", "xyy", "xxy", "xxz", "xzz", "yzz", "yyz", "xyz"},
    {"xxxx", "yyyy", "zzzz", "xxxy", "xxxz", "yyyx", "yyyz", "zzzx", "zzzy", "xxyy", "xxzz", "yyzz", "xxyz",
     "yyxz", "zzxy"},
};

static void
find_powers(const DebyeWaveFunction *self, int l, gsize number, int powers[3])
{
  const gsize n = (gsize)(l + 1) * (gsize)(l + 2) / 2;
  memset(powers, 0, 3 * sizeof *powers);
  if (l < (self->is_reversed ? 4 : 5)) {
    for (const char *letter = orders[l][number]; *letter != '\0'; letter++)
      powers[*letter - 'x']++;
    return;
  }
  /* zzzz, yzzz, yyzz …: the usual order from its end. */
  number = n - 1 - number;
  int rest = 0;
  while (number > (gsize)rest)
    number -= (gsize)++rest;
  powers[0] = l - rest;
  powers[1] = rest - (int)number;
  powers[2] = (int)number;
}

/* Which solid harmonic: 0, +1, −1, +2, −2 … */
static int
find_order(gsize number)
{
  return number % 2 == 1 ? (int)(number + 1) / 2 : -(int)(number / 2);
}

/* Its signs of m = ±3 and ±4 are the opposite, of shells from f on. */
static double
orca_sign(int m)
{
  return ABS(m) == 3 || ABS(m) == 4 ? -1.0 : 1.0;
}

static void
add_function(const DebyeWaveFunction *self, const DebyeWaveShell *shell, gsize number, double value,
             double *values)
{
  const int l = shell->l;
  if (!shell->is_pure) {
    int powers[3];
    find_powers(self, l, number, powers);
    values[cartesian_index(l, powers[0], powers[1], powers[2])] +=
        value * scale_of((Components)self->components, l, powers[0], powers[1], powers[2]);
    return;
  }
  double harmonic[MAX_CARTESIAN];
  const int m = find_order(number);
  const gsize n = (gsize)(l + 1) * (gsize)(l + 2) / 2;
  if (self->components == COMPONENTS_SCALED)
    value *= sqrt(double_factorial(l));
  if (self->has_orca_signs)
    value *= orca_sign(m);
  solid_harmonic(l, m, harmonic);
  for (gsize i = 0; i < n; i++)
    values[i] += value * harmonic[i];
}

/* Coefficients of an orbital stand in the order of functions, except where a file has them otherwise: each is looked
 * for from where the one before was. */
void
debye_wave_function_get_cartesian(const DebyeWaveFunction *self, gsize orbital, double *values)
{
  const DebyeWaveOrbital *of = &g_array_index(self->orbitals, DebyeWaveOrbital, orbital);
  gsize shell = 0, function = 0, cartesian = 0;
  memset(values, 0, self->n_cartesian * sizeof *values);
  for (gsize i = 0; i < of->n_coefficients; i++) {
    const DebyeWaveCoefficient *coefficient =
        &g_array_index(self->coefficients, DebyeWaveCoefficient, of->first_coefficient + i);
    if (coefficient->function < function)
      shell = function = cartesian = 0;
    const DebyeWaveShell *at = &g_array_index(self->shells, DebyeWaveShell, shell);
    while (coefficient->function >= function + debye_wave_shell_n_functions(at)) {
      function += debye_wave_shell_n_functions(at);
      cartesian += (gsize)(at->l + 1) * (gsize)(at->l + 2) / 2;
      at = &g_array_index(self->shells, DebyeWaveShell, ++shell);
    }
    add_function(self, at, coefficient->function - function, coefficient->value, values + cartesian);
  }
}

/* --- Weights --- */

/* ∫ of the square of Σ weight · N exp(−αr²), of a function of norm 1. */
static double
contraction_norm(const double *exponents, const double *weights, gsize n, int l)
{
  double sum = 0.0;
  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < n; j++)
      sum += weights[i] * weights[j] *
             pow(2.0 * sqrt(exponents[i] * exponents[j]) / (exponents[i] + exponents[j]), l + 1.5);
  return sum;
}

static void
set_weights(DebyeWaveFunction *self, const double *written, Weights kind)
{
  for (guint i = 0; i < self->shells->len; i++) {
    const DebyeWaveShell *shell = &g_array_index(self->shells, DebyeWaveShell, i);
    const double *exponents = (const double *)(gpointer)self->exponents->data + shell->first_primitive;
    double *weights = (double *)(gpointer)self->weights->data + shell->first_primitive, scale = 1.0;
    for (guint32 k = 0; k < shell->n_primitives; k++)
      weights[k] = written[shell->first_primitive + k] /
                   (kind == WEIGHTS_RAW ? primitive_norm(shell->l, exponents[k]) : 1.0);
    if (kind != WEIGHTS_AS_DEFINED)
      scale = sqrt(contraction_norm(exponents, weights, shell->n_primitives, shell->l));
    for (guint32 k = 0; k < shell->n_primitives; k++)
      weights[k] *= primitive_norm(shell->l, exponents[k]) / (scale > 0.0 ? scale : 1.0);
  }
}

/* --- Trying --- */

static void
try_normalisation(DebyeWaveFunction *self, Normalisation *tried, double *rows, gsize n, double *norms)
{
  const gsize n_orbitals = self->orbitals->len;
  self->components = tried->components;
  self->has_orca_signs = tried->has_orca_signs;
  for (gsize i = 0; i < n; i++)
    debye_wave_function_get_cartesian(self, n > 1 ? i * (n_orbitals - 1) / (n - 1) : 0,
                                      rows + i * self->n_cartesian);
  debye_wave_function_get_norms(self, rows, n, norms);
  tried->deviation = 0.0;
  tried->worst = 1.0;
  for (gsize i = 0; i < n; i++)
    if (!(fabs(norms[i] - 1.0) <= tried->deviation)) {
      tried->deviation = isfinite(norms[i]) ? fabs(norms[i] - 1.0) : INFINITY;
      tried->worst = norms[i];
    }
}

static gboolean
has_high_pure_shell(const DebyeWaveFunction *self)
{
  for (guint i = 0; i < self->shells->len; i++)
    if (g_array_index(self->shells, DebyeWaveShell, i).is_pure &&
        g_array_index(self->shells, DebyeWaveShell, i).l > 2)
      return TRUE;
  return FALSE;
}

static gboolean
is_by_orca(const DebyeWaveFunction *self)
{
  g_autofree char *title = g_ascii_strdown(self->title != NULL ? self->title : "", -1);
  return strstr(title, "orca") != NULL;
}

static void
try_all(DebyeWaveFunction *self, const double *written, double *rows, gsize n, double *norms,
        Normalisation *best)
{
  const gboolean is_orca = is_by_orca(self), has_high = has_high_pure_shell(self);
  for (int weights = WEIGHTS_AS_DEFINED; weights < N_WEIGHTS; weights++) {
    set_weights(self, written, (Weights)weights);
    for (int components = 0; components < N_COMPONENTS; components++)
      for (int signs = 0; signs < (weights == WEIGHTS_RAW && has_high ? 2 : 1); signs++) {
        Normalisation tried = {(Weights)weights, (Components)components, FALSE, 0.0, 1.0};
        tried.has_orca_signs = weights == WEIGHTS_RAW && has_high && (signs == 0) == is_orca;
        try_normalisation(self, &tried, rows, n, norms);
        if (fmax(tried.deviation, GOOD_NORM) < 0.5 * fmax(best->deviation, GOOD_NORM))
          *best = tried;
      }
  }
}

/* --- Saying it --- */

static void
remark(DebyeWaveFunction *self, const char *text)
{
  g_ptr_array_add(self->remarks, g_strdup(text));
}

static void
add_remarks(DebyeWaveFunction *self, const Normalisation *found)
{
  if (found->weights == WEIGHTS_RAW)
    remark(self, "contraction coefficients include the normalisation of primitives, as ORCA and Psi4 before "
                 "1.0 write them");
  else if (found->weights == WEIGHTS_NORMALISED)
    remark(self, "contractions are not normalised in the file");
  if (found->has_orca_signs)
    remark(self, "functions of m = ±3 and ±4 have ORCA's signs");
  if (found->components == COMPONENTS_AS_XY)
    remark(self, "Cartesian functions of a shell share the normalisation of xy, as CFOUR has it");
  else if (found->components == COMPONENTS_AS_XX)
    remark(self, "Cartesian functions of a shell share the normalisation of xx, as Psi4 up to 1.3.2 has it");
  else if (found->components == COMPONENTS_SCALED)
    remark(self, "functions from d on are larger by √((2l − 1)!!), as Turbomole has them");
}

static gboolean
check(const DebyeWaveFunction *self, const DebyeInput *input, GError **error)
{
  const char *missing = self->atoms->len == 0    ? "atoms"
                        : self->shells->len == 0 ? "a basis of Gaussians"
                                                 : "orbitals";
  if (self->atoms->len > 0 && self->shells->len > 0 && self->orbitals->len > 0)
    return TRUE;
  return debye_input_set_error(input, error, DEBYE_ERROR_MISSING,
                               "expected %s, found none. Have the program write its orbitals as well",
                               missing);
}

gboolean
debye_wave_function_finish(DebyeWaveFunction *self, const DebyeInput *input, GError **error)
{
  const gsize n = MIN(self->orbitals->len, MOST_ORBITALS);
  if (!check(self, input, error))
    return FALSE;
  self->n_cartesian = 0;
  for (guint i = 0; i < self->shells->len; i++) {
    const gsize l = g_array_index(self->shells, DebyeWaveShell, i).l;
    self->n_cartesian += (l + 1) * (l + 2) / 2;
  }
  g_autofree double *written = g_memdup2(self->weights->data, self->weights->len * sizeof *written);
  g_autofree double *rows = g_try_new(double, n * self->n_cartesian);
  g_autofree double *norms = g_new(double, n);
  Normalisation defined = {WEIGHTS_AS_DEFINED, COMPONENTS_AS_DEFINED, FALSE, 0.0, 1.0}, best;
  if (rows == NULL)
    return debye_error_set_memory(error, debye_input_get_name(input), n * self->n_cartesian,
                                  "coefficients of orbitals");
  set_weights(self, written, WEIGHTS_AS_DEFINED);
  try_normalisation(self, &defined, rows, n, norms);
  best = defined;
  if (defined.deviation > GOOD_NORM)
    try_all(self, written, rows, n, norms, &best);
  /* Of few digits, or of a program that isn't known: what is defined. */
  if (best.deviation > 0.01 || best.deviation > 0.1 * defined.deviation)
    best = defined;
  set_weights(self, written, best.weights);
  self->components = best.components;
  self->has_orca_signs = best.has_orca_signs;
  self->worst_norm = best.worst;
  self->n_looked_at = n;
  add_remarks(self, &best);
  return TRUE;
}
