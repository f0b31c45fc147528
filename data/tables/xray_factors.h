/* SPDX-License-Identifier: MIT */
/* How strongly atoms and ions scatter X-rays: f(q) = c + Σ a_i exp(−b_i (q/4π)²), the elastic form factor
 * without dispersion (sources: xray_factors_table.c). */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

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

/* An ion that the table doesn't have is NULL: the caller decides whether its atom will do. */
const DebyeXrayFactor *debye_xray_factor_get(DebyeXrayTable table, guint8 atomic_number, int charge);
/* f at q in Å⁻¹, in electrons. Multiply by the classical electron radius for a length. */
double debye_xray_factor_at(const DebyeXrayFactor *factor, double q);
/* The largest q (Å⁻¹) that the table was fitted for. */
double debye_xray_table_get_largest_q(DebyeXrayTable table);
const char *debye_xray_table_get_source(DebyeXrayTable table);

#define DEBYE_CLASSICAL_ELECTRON_RADIUS 2.8179403262 /* fm; CODATA 2018 */

/* In the order of atomic numbers and charges. */
extern const DebyeXrayFactor debye_waasmaier_kirfel[], debye_cromer_mann[];
extern const gsize debye_n_waasmaier_kirfel, debye_n_cromer_mann;

G_END_DECLS
