/* SPDX-License-Identifier: MIT */
/* Weighs the species that scatterers.c has sorted: scattering lengths, less those of the solvent
 * they displace; called by what sums amplitudes and intensities. */
#include "scatterers.h"

#include <math.h>

#define FM2_IN_BARN 100.0

void
debye_scatterer_mix(const DebyeScatterer *scatterer, double x, double complex *coherent,
                    double *incoherent_section)
{
  const DebyeNeutronLength *light = scatterer->length, *heavy = debye_neutron_length_get(1, 2);
  double complex b = light->coherent + I * light->coherent_imaginary;
  *coherent = b;
  *incoherent_section = light->incoherent_section;
  if (!scatterer->is_exchangeable)
    return;
  double complex d = heavy->coherent + I * heavy->coherent_imaginary;
  double step = cabs(d - b);
  *coherent = (1.0 - x) * b + x * d;
  *incoherent_section = (1.0 - x) * light->incoherent_section + x * heavy->incoherent_section +
                        4.0 * G_PI * x * (1.0 - x) * step * step / FM2_IN_BARN;
}

/* With x, where not NULL, of the exchangeable hydrogens exchanged instead of what each species has. */
static double complex
weigh(const DebyeScatterers *scatterers, const DebyeScatterer *scatterer, double q, const double *x)
{
  double complex b;
  double section;
  if (scatterers->probe == DEBYE_PROBE_XRAY)
    return debye_xray_factor_at(scatterer->factor, q);
  debye_scatterer_mix(scatterer, x != NULL ? *x : scatterer->exchanged, &b, &section);
  return b;
}

gboolean
debye_scatterers_have_solvent(const DebyeScatterers *scatterers)
{
  return scatterers->solvent != 0.0 || scatterers->solvent_atoms != NULL;
}

static double complex
find_density(const DebyeScatterers *scatterers, double q, const double *x)
{
  const DebyeScatterers *atoms = scatterers->solvent_atoms;
  if (atoms == NULL)
    return scatterers->solvent;
  double complex sum = 0.0;
  for (guint s = 0; s < atoms->species->len; s++) {
    const DebyeScatterer *scatterer = debye_scatterers_get(atoms, s);
    sum += (double)scatterer->atoms->len * weigh(atoms, scatterer, q, x);
  }
  return sum / scatterers->solvent_volume;
}

double complex
debye_scatterers_solvent_density(const DebyeScatterers *scatterers, double q)
{
  return find_density(scatterers, q, NULL);
}

/* The atom, less what the displaced solvent would scatter. */
static double complex
weigh_in_solvent(const DebyeScatterers *scatterers, guint species, double q, const double *x)
{
  const DebyeScatterer *scatterer = debye_scatterers_get(scatterers, species);
  double complex b = weigh(scatterers, scatterer, q, x);
  if (!debye_scatterers_have_solvent(scatterers))
    return b;
  double decay =
      scatterers->has_decay ? exp(-cbrt(scatterer->volume * scatterer->volume) * q * q / (4.0 * G_PI)) : 1.0;
  return b - find_density(scatterers, q, x) * scatterer->volume * decay;
}

double complex
debye_scatterers_exchanged_coherent(const DebyeScatterers *scatterers, guint species, double q, double x)
{
  return weigh_in_solvent(scatterers, species, q, &x);
}

double complex
debye_scatterers_coherent(const DebyeScatterers *scatterers, guint species, double q)
{
  return weigh_in_solvent(scatterers, species, q, NULL);
}

double
debye_scatterers_exchanged_incoherent(const DebyeScatterers *scatterers, guint species, double x)
{
  double complex b;
  double section = 0.0;
  if (scatterers->probe == DEBYE_PROBE_NEUTRON)
    debye_scatterer_mix(debye_scatterers_get(scatterers, species), x, &b, &section);
  return FM2_IN_BARN * section / (4.0 * G_PI);
}

double
debye_scatterers_incoherent(const DebyeScatterers *scatterers, guint species)
{
  return debye_scatterers_exchanged_incoherent(scatterers, species,
                                               debye_scatterers_get(scatterers, species)->exchanged);
}

const char *
debye_scatterers_get_unit(const DebyeScatterers *scatterers)
{
  return scatterers->probe == DEBYE_PROBE_NEUTRON ? "fm" : "electrons";
}
