/* SPDX-License-Identifier: MIT */
/* What scatters, and how strongly, for scattering_plan.c and the sums over species: the chosen atoms by
 * species, that is atoms whose weight is the same at every q. Kernels sum amplitudes per species; the weights
 * are applied to those sums, so that another contrast needs no second pass over the frames.
 *
 * Neutrons: bound coherent lengths b (fm, complex for strong absorbers) and incoherent cross sections of
 * data/tables/neutron_lengths.h. A fraction x of hydrogens exchanged for deuterium gives the mean b = (1 −
 * x)b_H + x·b_D, and to the incoherent cross section (1 − x)σ_H + x·σ_D its mixing adds 4πx(1 − x)|b_D −
 * b_H|². X-rays: f(q) of data/tables/xray_factors.h, in electrons.
 *
 * In a solvent of scattering length density ρ an atom displaces the volume V: its weight at q is b − ρ·V, or
 * with Gaussian spheres b − ρ·V·exp(−V^{2/3}q²/4π) (R. D. B. Fraser, T. P. MacRae, E. Suzuki, J. Appl.
 * Cryst. 11 (1978) 693). A solvent of atoms has ρ(q) = Σ b(q) over them, in the volume of the first frame's
 * cell less what all other atoms displace. */
#pragma once

#include <complex.h>

#include "data/trajectory/dataset.h"
#include "data/tables/neutron_lengths.h"
#include "scattering_settings.h"

typedef struct {
  char *name;                          /* "O", "D", "H (40 % D)"; alike names are numbered */
  guint8 element;                      /* atomic number */
  const DebyeNeutronLength *length;    /* of the natural element or the isotope; neutrons */
  double exchanged;                    /* fraction of deuterium */
  gboolean is_exchangeable;            /* one of those that “exchange” names */
  double coherent, coherent_imaginary; /* mean b, fm; neutrons */
  double incoherent_section;           /* barn, with what mixing adds; neutrons */
  const DebyeXrayFactor *factor;       /* X-rays */
  double volume;                       /* displaced, Å³; 0 without a solvent */
  guint part;                          /* whose partials it adds to */
  GArray *atoms;                       /* guint32, ascending */
} DebyeScatterer;

typedef struct _DebyeScatterers DebyeScatterers;
struct _DebyeScatterers {
  DebyeProbe probe;
  DebyeXrayTable xray_table;
  DebyeXrayHydrogen xray_hydrogen;
  GArray *species;  /* of DebyeScatterer, in the order of elements */
  GPtrArray *parts; /* names of what partials are of: selections, or else the species */
  gsize n_atoms;    /* in all of them */
  gsize n_virtual;  /* chosen sites that are no atoms and scatter nothing */
  double solvent;   /* scattering length density: fm/Å³, or electrons/Å³ of X-rays; 0: none */
  DebyeScatterers *solvent_atoms; /* or of these; NULL: of none */
  double solvent_volume;          /* Å³ that they have */
  gboolean has_decay;             /* volumes are Gaussian */
  GPtrArray *notes;               /* sentences for the result */
};

void debye_scatterers_clear(DebyeScatterers *scatterers);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeScatterers, debye_scatterers_clear)

/* By the settings “probe”, “select”, “isotope”, “exchange”, “form-factors”, “hydrogen”, “ionic”, “solvent”,
 * “displaced”, “displaced-scale”, “part”. Selections are those of `frame`. FALSE with *key, where not NULL,
 * the setting that is the cause: nothing chosen, an atom whose element isn't known, an isotope that isn't
 * tabulated, `q_max` beyond the table of form factors. */
gboolean debye_scatterers_init(DebyeScatterers *scatterers, DebyeTopology *topology, const DebyeFrame *frame,
                               const DebyeScatteringSettings *settings, double q_max, const char **key,
                               GError **error);

static inline const DebyeScatterer *
debye_scatterers_get(const DebyeScatterers *scatterers, guint i)
{
  return &g_array_index(scatterers->species, DebyeScatterer, i);
}

/* Neutrons: the weights of a mixture of hydrogen and, to the part x, deuterium;
 * of what isn't exchangeable those of its `length`. */
void debye_scatterer_mix(const DebyeScatterer *scatterer, double x, double complex *coherent,
                         double *incoherent_section);
/* A species' coherent weight at q (Å⁻¹), with what it displaces taken off: fm, of X-rays electrons. */
double complex debye_scatterers_coherent(const DebyeScatterers *scatterers, guint species, double q);
/* Of incoherent scattering: b_inc² = σ_inc/4π in fm² an atom. X-rays have none. */
double debye_scatterers_incoherent(const DebyeScatterers *scatterers, guint species);
/* Those weights for another fraction x of the exchangeable hydrogens. */
double complex debye_scatterers_exchanged_coherent(const DebyeScatterers *scatterers, guint species, double q,
                                                   double x);
double debye_scatterers_exchanged_incoherent(const DebyeScatterers *scatterers, guint species, double x);

gboolean debye_scatterers_have_solvent(const DebyeScatterers *scatterers);
/* Its scattering length density at q: fm/Å³, of X-rays electrons/Å³. */
double complex debye_scatterers_solvent_density(const DebyeScatterers *scatterers, double q);

/* "fm" or "electrons". */
const char *debye_scatterers_get_unit(const DebyeScatterers *scatterers);
