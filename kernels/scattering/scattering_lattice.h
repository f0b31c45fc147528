/* SPDX-License-Identifier: MIT */
/* Scattering amplitudes at all points of a cell's reciprocal lattice at once:
 *
 *   F_g(hkl) = Σ_{n in group g} w_n exp(+i q·r_n),   q = 2π (h a* + k b* + l c*),   a*·a = 1, a*·b = 0, …
 *
 * for all |h| ≤ H, |k| ≤ K, |l| ≤ L and any cell, which may change from frame to frame, by a nonuniform
 * Fourier transform of type 1 (Dutt & Rokhlin, SIAM J. Sci. Comput. 14 (1993) 1368): atoms are spread on a
 * mesh twice as fine as the lattice needs with a narrow kernel, exp(β√(1 − x²)) (Barnett, Magland & af
 * Klinteberg, SIAM J. Sci. Comput. 41 (2019) C479), the mesh is transformed, and the kernel's own transform
 * divided out. Positions are taken modulo the cell.
 *
 * Weights are real, so that F(−h −k −l) = F(hkl)*, and only h ≥ 0 is kept: a half array has F(hkl) at
 * debye_lattice_index, h fastest, then k, then l.
 *
 * Accuracy. Over all hkl, the root mean square of the error is at most tolerance·√(Σw²), which is the size of
 * F in a disordered system. The mesh is in float down to a tolerance of DEBYE_LATTICE_LEAST_FLOAT, beyond in
 * double. What the atoms spread is added in whole numbers of a fixed unit on a GPU, and in the order of the
 * atoms on a CPU: the result is the same in every run and for any number of threads. */
#pragma once

#include "kernels/kernel_head.h"
#include "scattering_groups.h"

DEBYE_BEGIN_DECLS

#define DEBYE_LATTICE_MAX_EXTENT 2000
#define DEBYE_LATTICE_LEAST_FLOAT 1e-5
#define DEBYE_LATTICE_LEAST_TOLERANCE 1e-12
#define DEBYE_LATTICE_LARGEST_TOLERANCE 1e-1

typedef struct {
  int h, k, l;
} DebyeMiller;

typedef struct {
  size_t n_atoms;               /* of every frame */
  DebyeScatteringGroups groups; /* borrowed as long as the plan lives */
  unsigned extent[3];           /* H, K, L */
  bool may_be_packed;           /* frames, each for itself */
  double tolerance;             /* 1e-1 … 1e-12 */
  bool sums;                    /* whether execute adds products to the sums */
  bool by_length;               /* sums over all vectors of one h² + k² + l², debye_lattice_n_lengths */
  const DebyeMiller *chosen;    /* whose amplitudes are wanted of each frame; copied; any sign of h */
  size_t n_chosen;
  unsigned spare_cores; /* that the CPU leaves to the lanes of accelerators */
} DebyeLatticeSettings;

/* The entry of a back end's table. Contract as in backend.h. */
struct DebyeLatticeKernel {
  DebyeKernelHead head;
  /* Computes a frame's F. Writes the chosen ones, pairs of a real and an imaginary part at
   * chosen[2·(group·n_chosen + i)] (may be NULL), and where the plan has sums adds Re(F_a F_b*) to those of
   * all pairs of groups a ≤ b, but only when it returns OK. INVALID where the frame has no cell, or an atom
   * that is in a group is not a number. */
  DebyeStatusCode (*execute)(DebyeKernelPlan *plan, const DebyeScatteringFrame *frame, double *chosen,
                             const volatile bool *cancel, DebyeStatus *status);
  /* The last frame's F of a group: a half array of pairs of a real and an imaginary part. */
  DebyeStatusCode (*get_amplitudes)(DebyeKernelPlan *plan, size_t group, double *amplitudes,
                                    DebyeStatus *status);
  /* The sums over frames of a pair of groups (debye_lattice_pair): a half array, or by_length a number for each
   * h² + k² + l² with its two halves, written. With weights f_g of the groups, Σ|Σ_g f_g F_g|² is
   * Σ_a f_a² S_aa + Σ_{a<b} 2 f_a f_b S_ab. (For complex f, Re(f_a f_b*) in place of f_a f_b gives the mean of
   * hkl and its opposite.) */
  DebyeStatusCode (*get_sums)(DebyeKernelPlan *plan, size_t pair, double *sums, DebyeStatus *status);
  /* All sums to zero, as they are in a new plan. */
  DebyeStatusCode (*clear_sums)(DebyeKernelPlan *plan, DebyeStatus *status);
};

/* INVALID with the reason where the settings make no sense. */
DebyeStatusCode debye_lattice_settings_check(const DebyeLatticeSettings *settings, DebyeStatus *status);
DebyeStatusCode debye_lattice_cell_check(const DebyeCell *cell, DebyeStatus *status);

/* Values of a half array: (H + 1)·(2K + 1)·(2L + 1). */
static inline size_t
debye_lattice_n_values(const unsigned extent[3])
{
  return ((size_t)extent[0] + 1) * (2 * (size_t)extent[1] + 1) * (2 * (size_t)extent[2] + 1);
}

/* Lengths of vectors, 0 ≤ h² + k² + l² < this number, that the lattice has all vectors of. */
static inline size_t
debye_lattice_n_lengths(const unsigned extent[3])
{
  const size_t least = extent[0] < extent[1] ? extent[0] : extent[1];
  return least < extent[2] ? least * least + 1 : (size_t)extent[2] * extent[2] + 1;
}

/* Values that get_sums gives of a pair. */
static inline size_t
debye_lattice_n_sums(const DebyeLatticeSettings *settings)
{
  return settings->by_length ? debye_lattice_n_lengths(settings->extent)
                             : debye_lattice_n_values(settings->extent);
}

/* Where F(hkl) is, for 0 ≤ h ≤ H, −K ≤ k ≤ K, −L ≤ l ≤ L. */
static inline size_t
debye_lattice_index(const unsigned extent[3], int h, int k, int l)
{
  const size_t row = (size_t)(k + (int)extent[1]), plane = (size_t)(l + (int)extent[2]);
  return (size_t)h + ((size_t)extent[0] + 1) * (row + (2 * (size_t)extent[1] + 1) * plane);
}

static inline size_t
debye_lattice_n_pairs(size_t n_groups)
{
  return n_groups * (n_groups + 1) / 2;
}

/* The number of the pair of groups a ≤ b: 00, 01, 02, …, 11, 12, … */
static inline size_t
debye_lattice_pair(size_t n_groups, size_t a, size_t b)
{
  return a * n_groups - a * (a + 1) / 2 + b;
}

DEBYE_END_DECLS
