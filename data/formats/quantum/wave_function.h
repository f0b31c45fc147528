/* SPDX-License-Identifier: MIT */
/* A wave function as programs of quantum chemistry write it: atoms, shells of contracted Gaussians, orbitals. Lengths are in
 * bohr. Readers fill it; debye_wave_function_finish() finds out by the orbitals' norms how the writing program
 * normalises its functions, and says so. Afterwards it is immutable. */
#pragma once

#include "data/files/input.h"

#define DEBYE_BOHR 0.529177210903 /* Å; CODATA 2018 */
#define DEBYE_WAVE_MAX_L 6        /* s, p, d, f, g, h, i */

typedef struct {
  guint8 element;        /* 0: a ghost */
  double nuclear_charge; /* e, less that of a pseudopotential's core */
  double position[3];    /* bohr */
} DebyeWaveAtom;

/* Functions x^a y^b z^c (or real solid harmonics) times Σ weight · N exp(−αr²), N that of the primitive. */
typedef struct {
  guint32 atom;
  guint8 l;
  gboolean is_pure;
  guint32 first_primitive, n_primitives;
} DebyeWaveShell;

typedef struct {
  double energy; /* hartree; NAN: the file has none */
  double occupation;
  gboolean is_beta;
  gchar symmetry[16]; /* "" where the file has none */
  gsize first_coefficient, n_coefficients;
} DebyeWaveOrbital;

/* Coefficients that aren't 0, by the number of the shells' function: -1, 0, +1 … as in the file. */
typedef struct {
  guint32 function;
  double value;
} DebyeWaveCoefficient;

typedef struct {
  char *title;
  GArray *atoms;     /* DebyeWaveAtom */
  GArray *shells;    /* DebyeWaveShell */
  GArray *exponents; /* double, bohr⁻² */
  GArray *weights;   /* double; after finish() of primitives that are not normalised, as kernels take them */
  GArray *orbitals;  /* DebyeWaveOrbital, in the file's order */
  GArray *coefficients; /* DebyeWaveCoefficient */
  gsize n_functions;    /* of all shells: 2l + 1, or (l+1)(l+2)/2 where Cartesian */
  gboolean is_reversed; /* Cartesian g and higher in the order of Gaussian's formatted checkpoints */
  /* By finish(). */
  gsize n_cartesian; /* functions x^a y^b z^c of all shells */
  double worst_norm; /* the norm ⟨ψ|ψ⟩ that is farthest from 1, of the orbitals that were looked at */
  gsize n_looked_at;
  int components; /* private: how functions of a shell are normalised, and whether signs are ORCA's */
  gboolean has_orca_signs;
  GPtrArray *remarks; /* char *: what was found out about its normalisation, one sentence each */
} DebyeWaveFunction;

DebyeWaveFunction *debye_wave_function_new(void);
void debye_wave_function_free(DebyeWaveFunction *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeWaveFunction, debye_wave_function_free)

/* For readers. */
gsize debye_wave_shell_n_functions(const DebyeWaveShell *shell);
void debye_wave_function_add_shell(DebyeWaveFunction *self, guint32 atom, guint8 l, gboolean is_pure);
void debye_wave_function_add_primitive(DebyeWaveFunction *self, double exponent,
                                       double weight); /* of the last shell */
void debye_wave_function_add_orbital(DebyeWaveFunction *self, const DebyeWaveOrbital *orbital);
void debye_wave_function_add_coefficient(DebyeWaveFunction *self, gsize function, double value);

/* Counts functions, finds the normalisation and sets the weights. DEBYE_ERROR_MISSING without shells or orbitals. */
gboolean debye_wave_function_finish(DebyeWaveFunction *self, const DebyeInput *input, GError **error);

/* An orbital as Σ value · x^a y^b z^c Σ weight exp(−αr²) over all shells: n_cartesian values, those of a shell in the
 * order xx, xy, xz, yy, yz, zz. */
void debye_wave_function_get_cartesian(const DebyeWaveFunction *self, gsize orbital, double *values);
/* ⟨ψ|ψ⟩ of each of n rows of n_cartesian values. */
void debye_wave_function_get_norms(const DebyeWaveFunction *self, const double *rows, gsize n, double *norms);
