/* SPDX-License-Identifier: MIT */
/* What both back ends of multipoles share: what each checks before it starts, and what is made of the
 * coefficients. */
#include "scattering_multipole.h"

#include "multipole_math.h"

size_t
debye_multipole_n_harmonics(const DebyeMultipole *multipole)
{
  return multipole->cylindrical ? 2 * (size_t)multipole->order + 1 : debye_harmonic_count(multipole->order);
}

DebyeStatusCode
debye_multipole_settings_check(const DebyeMultipoleSettings *settings, DebyeStatus *status)
{
  const unsigned order = settings->multipole.order;
  if (order > DEBYE_BESSEL_MAX_ORDER)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "Multipoles of order %u were asked for; at most %d are possible.", order,
                            DEBYE_BESSEL_MAX_ORDER);
  const size_t values = DEBYE_SCATTERING_MAX_GROUPS * debye_multipole_n_harmonics(&settings->multipole);
  if (settings->max_q < 1 || settings->max_q > SIZE_MAX / 64 / values)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "Multipoles at %zu values of q can't be computed at once.", settings->max_q);
  return debye_scattering_groups_check(&settings->groups, settings->n_atoms, status);
}

DebyeStatusCode
debye_multipole_frame_check(const DebyeMultipoleSettings *settings, const DebyeScatteringFrame *frame,
                            DebyeStatus *status)
{
  const DebyeScatteringGroups *groups = &settings->groups;
  for (size_t entry = 0; entry < debye_scattering_n_entries(groups); entry++) {
    const size_t atom = groups->atoms != NULL ? groups->atoms[entry] : entry;
    if (!debye_scattering_is_good(frame->x[atom], frame->y[atom], frame->z[atom]))
      return debye_scattering_bad_atom(frame, atom, status);
  }
  return debye_status_ok(status);
}

DebyeStatusCode
debye_multipole_q_check(const DebyeMultipoleSettings *settings, const double *q, size_t n_q,
                        DebyeStatus *status)
{
  const DebyeMultipole *multipole = &settings->multipole;
  if (n_q > settings->max_q)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "%zu values of q were given to a plan for %zu.",
                            n_q, settings->max_q);
  for (size_t i = 0; i < n_q; i++)
    if (!(q[i] >= 0.0) || (multipole->cylindrical && fabs(multipole->axial) > q[i]))
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "q is %g 1/Å; it must not be negative, nor less than its axial part, %g.", q[i],
                              multipole->axial);
  return debye_status_ok(status);
}

/* Σ B^a B^b* over the harmonics of an order. */
static void
add_order(const DebyeMultipole *multipole, unsigned l, const double *a, const double *b, double sum[2])
{
  const double pi = 3.14159265358979323846;
  const DebyeMultipoleOrder order = debye_multipole_of_order(multipole, l);
  for (unsigned m = 0; m < order.count; m++) {
    const size_t k = 2 * (order.first + m * order.step);
    const double same = a[k] * b[k] + a[k + 1] * b[k + 1], turned = a[k + 1] * b[k] - a[k] * b[k + 1];
    sum[0] += multipole->cylindrical ? same : (m > 0 ? 2.0 : 1.0) * 4.0 * pi * same;
    sum[1] += multipole->cylindrical ? turned : 0.0;
  }
}

double
debye_multipole_products(const DebyeMultipole *multipole, size_t n_groups, const double *coefficients,
                         size_t stride, double *products)
{
  const size_t n_values = 2 * debye_multipole_n_harmonics(multipole);
  double whole = 0.0, last_whole = 0.0;
  for (size_t a = 0, pair = 0; a < n_groups; a++)
    for (size_t b = a; b < n_groups; b++, pair++) {
      double *product = products + 2 * pair * stride, last[2] = {0.0, 0.0};
      product[0] = product[1] = 0.0;
      for (unsigned l = 0; l <= multipole->order; l++) {
        last[0] = last[1] = 0.0;
        add_order(multipole, l, coefficients + a * n_values, coefficients + b * n_values, last);
        product[0] += last[0];
        product[1] += last[1];
      }
      whole += (a == b ? 1.0 : 2.0) * product[0];
      last_whole += (a == b ? 1.0 : 2.0) * last[0];
    }
  return whole != 0.0 ? fabs(last_whole / whole) : 0.0;
}
