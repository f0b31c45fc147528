/* SPDX-License-Identifier: MIT */
/* How strongly atoms and ions scatter X-rays: f(q) = c + Σ a_i exp(−b_i (q/4π)²), the elastic form factor
 * without dispersion (sources: xray_factors_table.c). */
#pragma once

#include <glib.h>

typedef struct {
  guint8 number;
  gint8 charge;
  double a[5]; /* electrons */
  double b[5]; /* Å² */
  double c;    /* electrons */
} DebyeXrayFactor;

typedef enum {
  DEBYE_XRAY_WAASMAIER_KIRFEL, /* five Gaussians, q up to 75 Å⁻¹ */
  DEBYE_XRAY_CROMER_MANN,      /* four, q up to 25 Å⁻¹ */
} DebyeXrayTable;

/* Which density stands for a neutral hydrogen. A bond draws it in: f² is 26 % higher at q = 2 Å⁻¹, and the
 * intensity of water by 2 to 7 %. Both are offered with either table. */
typedef enum {
  DEBYE_XRAY_HYDROGEN_FREE,   /* the isolated atom's, as each table has it */
  DEBYE_XRAY_HYDROGEN_BONDED, /* spherical and contracted, fitted to H₂: q up to 25 Å⁻¹ */
} DebyeXrayHydrogen;

/* An ion that the table doesn't have is NULL: the caller decides whether its atom will do. `hydrogen` matters
 * for a neutral hydrogen alone. */
const DebyeXrayFactor *debye_xray_factor_get(DebyeXrayTable table, DebyeXrayHydrogen hydrogen,
                                             guint8 atomic_number, int charge);
/* f at q in Å⁻¹, in electrons. Multiply by the classical electron radius for a length. */
double debye_xray_factor_at(const DebyeXrayFactor *factor, double q);
/* The largest q (Å⁻¹) that the table, with this hydrogen, was fitted for. */
double debye_xray_table_get_largest_q(DebyeXrayTable table, DebyeXrayHydrogen hydrogen);
const char *debye_xray_table_get_source(DebyeXrayTable table, DebyeXrayHydrogen hydrogen);

#define DEBYE_CLASSICAL_ELECTRON_RADIUS 2.8179403262 /* fm; CODATA 2018 */

/* In the order of atomic numbers and charges. */
extern const DebyeXrayFactor debye_waasmaier_kirfel[], debye_cromer_mann[];
extern const gsize debye_n_waasmaier_kirfel, debye_n_cromer_mann;
extern const DebyeXrayFactor debye_bonded_hydrogen;
