/* SPDX-License-Identifier: MIT */
/* The sites of a structure that take up and give off protons: Asp, Glu, His, Cys, Tyr, Lys, Arg and the ends of chains, each
 * with its states' charges and the model compound that it is compared with. Of a structure that was made ready
 * (prepare.h). Called by app/analysis/titration.
 *
 * All protons that any state has are there, as spheres of one surface: states differ by their charges alone. Charges and
 * radii of proteins are PARSE's, of everything else those that the structure has. A carboxylic acid has its proton at either
 * oxygen, histidine without one of its two at either nitrogen. Model values are debye_model_pka(); that Nε–H is 0.4 more than
 * Nδ–H is from Tanokura, Biochim. Biophys. Acta 742 (1983) 576. */
#pragma once

#include "prepared_result.h"

G_BEGIN_DECLS

#define DEBYE_TITRATION_STATES 3

typedef struct {
  const char *name; /* as --states has it: ASH, HID, LYN …; of ends charged, neutral */
  double protons;   /* 1 or 0 */
  double energy;    /* kT at pH 0, of the model compound */
  double *charges;  /* e, of the site's atoms */
} DebyeTitrationState;

typedef struct {
  char *residue; /* "ASP 52", "NTR 1" */
  char *chain;
  const char *family; /* ASP …, NTR, CTR */
  gint32 number;
  char insertion_code;
  double pka;    /* of the model compound */
  GArray *atoms; /* guint32: whose charges differ between states */
  GArray *model; /* guint32: of the model compound, the residue with the peptide groups on both sides */
  guint n_states;
  DebyeTitrationState states[DEBYE_TITRATION_STATES]; /* the first has no charge */
} DebyeTitrationSite;

typedef struct {
  GArray *x, *y, *z, *radii; /* float, Å */
  GArray *charges;           /* float, e: all sites in their first states */
  GPtrArray *sites;          /* DebyeTitrationSite, in the order of the file */
} DebyeTitrationSites;

/* What is bound to a metal, in a disulfide, at a break of a chain, or was decided by a person (settings) titrates not. Water, sodium,
 * potassium and chloride are left out. An error is debye_prepare()'s. */
DebyeTitrationSites *debye_titration_sites_new(const DebyePrepared *prepared,
                                               const DebyePrepareSettings *settings, GError **error);
void debye_titration_sites_free(DebyeTitrationSites *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeTitrationSites, debye_titration_sites_free)

G_END_DECLS
