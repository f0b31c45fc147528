/* SPDX-License-Identifier: MIT */
/* Structure factors from pair distributions, and back: sine transforms of functions that are constant on
 * bins.
 *
 * Faber-Ziman:       A_ab(q) = 1 + ρ·H_ab(q);  Ashcroft-Langreth: S_ab(q) = δ_ab + √(ρ_a·ρ_b)·H_ab(q), with
 * H_ab(q) = ∫₀ᴿ 4πr² (g_ab(r) − 1) sin(qr)/(qr) W(r) dr, W = 1 or Lorch's sin(πr/R)/(πr/R) (E. Lorch, J.
 * Phys. C 2 (1969) 229). D. A. Keen, J. Appl. Cryst. 34 (2001) 172 compares the conventions. */
#pragma once

#include "rdf_settings.h"

/* H(q) in Å³ of g on n_bins bins of `width`; without a window the integral over each bin is exact. Values
 * that are not finite count as 1 (nothing). q = 0 is its limit. */
double debye_structure_transform(const double *g, gsize n_bins, double width, double q,
                                 DebyeRdfWindow window);

/* "min:max:step", ends included, into values (to be freed); NULL with DEBYE_ERROR_SETTING. */
double *debye_structure_parse_range(const char *label, const char *text, gsize *n_values, GError **error);
