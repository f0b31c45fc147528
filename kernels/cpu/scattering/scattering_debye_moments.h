/* SPDX-License-Identifier: MIT */
/* The Debye formula from moments of the distances in bins: pairs are looked at once for all q.
 *
 * Of the pairs whose distance r is in a bin with middle c each bin has Σ w/r·t^j up to j = 3, t being (r − c) in widths Δ
 * of the bin, and with φ = qΔ
 *
 *   Σ w sin(qr)/(qr) = 1/q · Σ_bins sin(qc)·(m₀ − φ² m₂/2) + cos(qc)·(φ m₁ − φ³ m₃/6)
 *
 * but for the next term of Taylor's series. A pair errs by φ⁴/384/(qr) at most, wherever in its bin it is: many equal
 * distances, as crystals have them, don't make it worse. Distances within the first bin, and beyond the last one, are summed
 * one by one. There is no other device for it. */
#pragma once

#include "kernels/scattering/scattering_groups.h"

/* Bins that distances are sorted into, at most. */
#define DEBYE_FORMULA_MOST_BINS ((size_t)1 << 21)

typedef struct {
  double width; /* Å */
  size_t n_bins;
  size_t n_shares; /* of the pairs of two groups, each with bins of its own */
} DebyeFormulaBins;

/* For bodies with no distance beyond `reach` Å, though others only take longer, at q up to q_max. The error of the sum is at
 * most tolerance·Σw² as long as an atom has 1 Å³. */
DebyeFormulaBins debye_formula_bins(double reach, double q_max, double tolerance, size_t n_atoms);
/* Bytes that debye_formula_by_moments() takes for so many atoms and values of q. */
double debye_formula_bins_count_bytes(const DebyeFormulaBins *bins, size_t n_atoms, size_t n_q);
/* Leaves fewer shares, and where one has no room fewer bins, so that this is at most `most_bytes`, as far as there can be
 * less: the sum is as exact, and takes longer. */
void debye_formula_bins_fit(DebyeFormulaBins *bins, size_t n_atoms, size_t n_q, double most_bytes);

/* As debye_formula_products. */
DebyeStatusCode debye_formula_by_moments(const DebyeScatteringGroups *groups,
                                         const DebyeScatteringFrame *frame, const DebyeFormulaBins *bins,
                                         const double *q, size_t n_q, double *products,
                                         const volatile bool *cancel, DebyeStatus *status);
