/* SPDX-License-Identifier: MIT */
/* Sites that take up and give off protons and feel each other: what each of their states is worth, and what is so of all of
 * them at a pH. Filled by app/analysis/titration; titration_sampling.c and titration_curves.c ask it.
 *
 *   G/kT = Σ_i (e(s_i) + ln 10 · pH · n(s_i)) + Σ_{i<j} W(s_i, s_j)
 *
 * of the state s_i of each site i, n its protons (D. Bashford & M. Karplus, Biochemistry
 * 29 (1990) 10219, with as many states as a site has). */
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef struct {
  gsize n_sites, n_states; /* states: of all sites */
  guint *first;            /* state of each site, and the end */
  double *protons;         /* of each state */
  double *energy;          /* kT, at pH 0 */
  double *interaction;     /* kT, [state · n_states + other]: symmetric, and 0 between states of one site */
} DebyeTitrationModel;

/* Of sites with so many states each; all else is 0. NULL: there is no memory. */
DebyeTitrationModel *debye_titration_model_new(const guint *n_states, gsize n_sites);
void debye_titration_model_free(DebyeTitrationModel *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeTitrationModel, debye_titration_model_free)

/* kT, of a state at a pH, alone. */
double debye_titration_model_get_energy(const DebyeTitrationModel *self, guint state, double ph);
/* The pH at which a site alone, all others in their first states, has half a proton more than without it. */
double debye_titration_model_get_intrinsic(const DebyeTitrationModel *self, gsize site);

/* More ways for all sites than that are sampled. */
#define DEBYE_TITRATION_MOST_WAYS 4096.0
double debye_titration_model_count_ways(const DebyeTitrationModel *self);
/* How likely each state is, over all ways: exact. */
void debye_titration_model_enumerate(const DebyeTitrationModel *self, double ph, double *occupancy);
