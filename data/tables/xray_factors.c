/* SPDX-License-Identifier: MIT */
/* Implementation of xray_factors.h: X-ray form factors of an atom or ion at q, from xray_factors_table.c. */
#include "xray_factors.h"

#include <math.h>

#define PI 3.14159265358979323846

const DebyeXrayFactor *
debye_xray_factor_get(DebyeXrayTable table, DebyeXrayHydrogen hydrogen, guint8 atomic_number, int charge)
{
  if (hydrogen == DEBYE_XRAY_HYDROGEN_BONDED && atomic_number == 1 && charge == 0)
    return &debye_bonded_hydrogen;
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
debye_xray_table_get_largest_q(DebyeXrayTable table, DebyeXrayHydrogen hydrogen)
{
  gboolean is_wide = table == DEBYE_XRAY_WAASMAIER_KIRFEL && hydrogen == DEBYE_XRAY_HYDROGEN_FREE;
  return 4.0 * PI * (is_wide ? 6.0 : 2.0);
}

#define WAASMAIER_KIRFEL "D. Waasmaier & A. Kirfel, Acta Cryst. A51, 416 (1995)"
#define CROMER_MANN "International Tables for Crystallography C, table 6.1.1.4 (1992)"
#define FREE "; hydrogen: free atom"
#define BONDED \
  "; hydrogen: bonded, R. F. Stewart, E. R. Davidson & W. T. Simpson, J. Chem. Phys. 42, 3175 (1965)"

const char *
debye_xray_table_get_source(DebyeXrayTable table, DebyeXrayHydrogen hydrogen)
{
  static const char *const sources[2][2] = {
      [DEBYE_XRAY_WAASMAIER_KIRFEL] = {[DEBYE_XRAY_HYDROGEN_FREE] = WAASMAIER_KIRFEL FREE,
                                       [DEBYE_XRAY_HYDROGEN_BONDED] = WAASMAIER_KIRFEL BONDED},
      [DEBYE_XRAY_CROMER_MANN] =
          {[DEBYE_XRAY_HYDROGEN_FREE] = CROMER_MANN FREE, [DEBYE_XRAY_HYDROGEN_BONDED] = CROMER_MANN BONDED},
  };
  return sources[table][hydrogen];
}
