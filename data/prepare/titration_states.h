/* SPDX-License-Identifier: MIT */
/* The charges of a site's states, of titration_sites.h; called by titration_sites.c. */
#pragma once

#include "titration_sites.h"

G_BEGIN_DECLS

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

/* Atoms and states of a site whose residue, family and model value are known; sets the charges of `sites` to the first state's, and adds to them the
 * protons of other tautomers. FALSE: PARSE has no charges for one of the states, or the family has but one. */
gboolean debye_titration_states_fill(DebyeTitrationSites *sites, DebyeTitrationSite *site,
                                     const DebyeTitrationGroup *group);

G_END_DECLS
