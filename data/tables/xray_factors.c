/* SPDX-License-Identifier: MIT */
/* Implementation of xray_factors.h: X-ray form factors of an atom or ion at q, from xray_factors_table.c. */
#include "xray_factors.h"

#include <math.h>

#define PI 3.14159265358979323846

const DebyeXrayFactor *
debye_xray_factor_get(DebyeXrayTable table, guint8 atomic_number, int charge)
{
  gboolean is_first = table == DEBYE_XRAY_WAASMAIER_KIRFEL;
  const DebyeXrayFactor *factors = is_first ? debye_waasmaier_kirfel : debye_cromer_mann;
  gsize n = is_first ? debye_n_waasmaier_kirfel : debye_n_cromer_mann;
  for (gsize i = 0; i < n; i++)
    if (factors[i].number == atomic_number && factors[i].charge == charge)
      return &factors[i];
  return NULL;
}

double
debye_xray_factor_at(const DebyeXrayFactor *factor, double q)
{
  double s = q / (4.0 * PI), f = factor->c;
  for (int i = 0; i < 5; i++)
    f += factor->a[i] * exp(-factor->b[i] * s * s);
  return f;
}

double
debye_xray_table_get_largest_q(DebyeXrayTable table)
{
  return 4.0 * PI * (table == DEBYE_XRAY_WAASMAIER_KIRFEL ? 6.0 : 2.0);
}

const char *
debye_xray_table_get_source(DebyeXrayTable table)
{
  return table == DEBYE_XRAY_WAASMAIER_KIRFEL
             ? "D. Waasmaier & A. Kirfel, Acta Cryst. A51, 416 (1995)"
             : "International Tables for Crystallography C, table 6.1.1.4 (1992)";
}
