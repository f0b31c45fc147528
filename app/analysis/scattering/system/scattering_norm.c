/* SPDX-License-Identifier: MIT */
/* Divides sums by what the normalisation asks for; called by the results of I(q), F(q, t) and S(q, ω). */
#include "scattering_norm.h"

#include <math.h>

#define FM2_PER_A3_IN_CM 0.01

static double complex
coherent_weight(const DebyeScatterers *scatterers, guint species, double q, double x)
{
  return isnan(x) ? debye_scatterers_coherent(scatterers, species, q)
                  : debye_scatterers_exchanged_coherent(scatterers, species, q, x);
}

/* Over all atoms: Σb, and Σ|b|². */
static void
sum_weights(const DebyeScatterers *scatterers, double q, double x, double complex *sum, double *squares)
{
  *sum = 0.0;
  *squares = 0.0;
  for (guint s = 0; s < scatterers->species->len; s++) {
    double n = (double)debye_scatterers_get(scatterers, s)->atoms->len;
    double complex b = coherent_weight(scatterers, s, q, x);
    *sum += n * b;
    *squares += n * creal(b * conj(b));
  }
}

double
debye_scattering_incoherent_sum(const DebyeScatterers *scatterers, double x)
{
  double sum = 0.0;
  for (guint s = 0; s < scatterers->species->len; s++) {
    double n = (double)debye_scatterers_get(scatterers, s)->atoms->len;
    sum += n * (isnan(x) ? debye_scatterers_incoherent(scatterers, s)
                         : debye_scatterers_exchanged_incoherent(scatterers, s, x));
  }
  return sum;
}

/* The sum without any interference. */
static double
self_sum(const DebyeScatteringPlan *plan, DebyeScatteringPart part, double q, double x)
{
  double complex sum;
  double squares = 0.0, incoherent = 0.0;
  if (part != DEBYE_SCATTERING_INCOHERENT)
    sum_weights(&plan->scatterers, q, x, &sum, &squares);
  if (part != DEBYE_SCATTERING_COHERENT)
    incoherent = debye_scattering_incoherent_sum(&plan->scatterers, x);
  return squares + incoherent;
}

static DebyeScatteringScale
faber_ziman(const DebyeScatteringPlan *plan, double q, double x)
{
  double n = (double)plan->scatterers.n_atoms, squares;
  double complex sum;
  sum_weights(&plan->scatterers, q, x, &sum, &squares);
  double mean_squared = creal(sum * conj(sum)) / (n * n);
  return (DebyeScatteringScale){.factor = 1.0 / (n * mean_squared),
                                .offset = 1.0 - squares / n / mean_squared};
}

DebyeScatteringScale
debye_scattering_scale(const DebyeScatteringPlan *plan, DebyeScatteringPart part, double volume, double x,
                       double q)
{
  double radius = plan->scatterers.probe == DEBYE_PROBE_XRAY ? DEBYE_CLASSICAL_ELECTRON_RADIUS : 1.0;
  switch (plan->settings.normalise) {
  case DEBYE_NORMALISE_RAW:
    break;
  case DEBYE_NORMALISE_ATOM:
    return (DebyeScatteringScale){.factor = 1.0 / (double)plan->scatterers.n_atoms};
  case DEBYE_NORMALISE_WEIGHT:
    return (DebyeScatteringScale){.factor = 1.0 / self_sum(plan, part, q, x)};
  case DEBYE_NORMALISE_ABSOLUTE:
    return (DebyeScatteringScale){.factor = FM2_PER_A3_IN_CM * radius * radius / volume};
  case DEBYE_NORMALISE_FABER_ZIMAN:
    return faber_ziman(plan, q, x);
  }
  return (DebyeScatteringScale){.factor = 1.0};
}

DebyeQuantity
debye_scattering_quantity(const DebyeScatteringPlan *plan)
{
  gboolean is_xray = plan->scatterers.probe == DEBYE_PROBE_XRAY;
  switch (plan->settings.normalise) {
  case DEBYE_NORMALISE_RAW:
    return (DebyeQuantity){"intensity", "I(q)", is_xray ? "electrons²" : "fm²"};
  case DEBYE_NORMALISE_ATOM:
    return (DebyeQuantity){"intensity", "I(q)/N", is_xray ? "electrons²" : "fm²"};
  case DEBYE_NORMALISE_WEIGHT:
    return (DebyeQuantity){"intensity", is_xray ? "I(q)/Σf²" : "I(q)/Σb²", NULL};
  case DEBYE_NORMALISE_ABSOLUTE:
    return (DebyeQuantity){"intensity", "dΣ/dΩ(q)", "cm⁻¹"};
  case DEBYE_NORMALISE_FABER_ZIMAN:
    break;
  }
  return (DebyeQuantity){"intensity", "S(q)", NULL};
}

const char *
debye_scattering_norm_explain(const DebyeScatteringPlan *plan)
{
  switch (plan->settings.normalise) {
  case DEBYE_NORMALISE_RAW:
    return "the sum over all atoms, not normalised";
  case DEBYE_NORMALISE_ATOM:
    return "per atom that scatters";
  case DEBYE_NORMALISE_WEIGHT:
    return "divided by the sum of squared weights: 1 without interference";
  case DEBYE_NORMALISE_ABSOLUTE:
    return "differential cross section per volume";
  case DEBYE_NORMALISE_FABER_ZIMAN:
    break;
  }
  return "Faber-Ziman: S(q) = 1 + (I/N − ⟨b²⟩)/⟨b⟩²";
}
