/* SPDX-License-Identifier: MIT */
/* Places C60's atoms, their basis and made-up orbitals; called by benchmarks and tests. */
#include "ladder_fullerene.h"

#include <math.h>

#define BOHR 0.529177210903 /* Å */
#define RADIUS 3.55         /* Å */
#define PI 3.14159265358979323846

/* Even permutations of (0, ±1, ±3φ), (±1, ±(2 + φ), ±2φ) and (±φ, ±2, ±(2φ + 1)), on a sphere. */
static void
place_atoms(DebyeLadderFullerene *fullerene)
{
  const double phi = (1.0 + sqrt(5.0)) / 2.0, scale = RADIUS / BOHR / sqrt(9.0 * phi + 10.0);
  const double kinds[3][3] = {
      {0.0, 1.0, 3.0 * phi}, {1.0, 2.0 + phi, 2.0 * phi}, {phi, 2.0, 2.0 * phi + 1.0}};
  size_t n = 0;
  for (int kind = 0; kind < 3; kind++)
    for (int turn = 0; turn < 3; turn++)
      for (int signs = kind == 0 ? 1 : 0; signs < 8; signs += kind == 0 ? 2 : 1) {
        double at[3];
        for (int i = 0; i < 3; i++)
          at[(i + turn) % 3] = kinds[kind][i] * (signs >> i & 1 ? -scale : scale);
        fullerene->x[n] = at[0];
        fullerene->y[n] = at[1];
        fullerene->z[n++] = at[2];
      }
}

/* Carbon's 6-31G(d) (Hehre, Ditchfield & Pople 1972; Hariharan & Pople 1973), of normalised primitives. */
static const struct {
  uint8_t degree, n;
  double exponents[6], weights[6];
} shells[] = {
    {0,
     6,
     {3047.5249, 457.36951, 103.94869, 29.210155, 9.286663, 3.163927},
     {0.0018347, 0.0140373, 0.0688426, 0.2321844, 0.4679413, 0.362312}},
    {0, 3, {7.8682724, 1.8812885, 0.5442493}, {-0.1193324, -0.1608542, 1.1434564}},
    {1, 3, {7.8682724, 1.8812885, 0.5442493}, {0.0689991, 0.316424, 0.7443083}},
    {0, 1, {0.1687144}, {1.0}},
    {1, 1, {0.1687144}, {1.0}},
    {2, 1, {0.8}, {1.0}},
};

void
debye_ladder_fullerene_init(DebyeLadderFullerene *fullerene)
{
  size_t shell = 0;
  uint32_t k = 0;
  place_atoms(fullerene);
  for (uint32_t atom = 0; atom < DEBYE_FULLERENE_ATOMS; atom++)
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++, shell++) {
      fullerene->centre[shell] = atom;
      fullerene->degree[shell] = shells[i].degree;
      fullerene->first[shell] = k;
      for (int j = 0; j < shells[i].n; j++, k++) {
        const double a = shells[i].exponents[j];
        fullerene->exponents[k] = a;
        fullerene->weights[k] =
            shells[i].weights[j] * pow(2.0 * a / PI, 0.75) * pow(4.0 * a, 0.5 * shells[i].degree);
      }
    }
  fullerene->first[DEBYE_FULLERENE_SHELLS] = k;
  fullerene->basis =
      (DebyeOrbitalBasis){DEBYE_FULLERENE_ATOMS, DEBYE_FULLERENE_SHELLS, fullerene->x,      fullerene->y,
                          fullerene->z,          fullerene->centre,      fullerene->degree, fullerene->first,
                          fullerene->exponents,  fullerene->weights};
}

/* From −½ to ½, the same on every machine. */
static double
next_number(uint64_t *state)
{
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*state >> 40) / 16777216.0 - 0.5;
}

void
debye_ladder_fullerene_fill(unsigned number, double coefficients[DEBYE_FULLERENE_FUNCTIONS])
{
  uint64_t state = number;
  double square = 0.0;
  for (int k = 0; k < DEBYE_FULLERENE_FUNCTIONS; k++) {
    double value = 0.0;
    for (int j = 0; j < 12; j++)
      value += next_number(&state);
    coefficients[k] = value;
    square += value * value;
  }
  for (int k = 0; k < DEBYE_FULLERENE_FUNCTIONS; k++)
    coefficients[k] /= sqrt(square);
}
