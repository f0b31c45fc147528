/* SPDX-License-Identifier: MIT */
/* What sites are, and the charges of their states, of titration_sites.h; called by titration_sites.c. */
#pragma once

#include "prepared_result.h"

#define DEBYE_TITRATION_STATES 5

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
  guint32 place; /* of the residue in the topology that was made ready, from 1 */
  double pka;    /* of the model compound; NAN: a hydroxyl that only turns */
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

/* A site of the structure with all protons. */
typedef struct {
  DebyeTopology *topology;
  const DebyeFrame *frame;
  guint32 residue;
  const DebyeResidueForm *form; /* protonated */
  DebyeFormEnd start, finish;   /* what the residue is there */
  gboolean is_neutral_end;
  const char *end; /* NTR, CTR; NULL: the side chain */
} DebyeTitrationGroup;

/* Whether a residue's family (ASP …) or an end (NTR, CTR) has states. */
gboolean debye_titration_states_has(const char *family);
/* Atoms and states of a site whose residue, family and model value are known; sets the charges of
 * `sites` to the first state's, and adds to them the protons of other tautomers. FALSE: PARSE has
 * no charges for one of the states, or the family has but one. */
gboolean debye_titration_states_fill(DebyeTitrationSites *sites, DebyeTitrationSite *site,
                                     const DebyeTitrationGroup *group);
