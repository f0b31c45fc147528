/* SPDX-License-Identifier: MIT */
/* What is known of a placement of ions before it begins: the map of the solute, which ions, how far apart,
 * and how many where that does not hang on the volume. */
#pragma once

#include "ion_kinds.h"
#include "ions_settings.h"
#include "app/analysis/map/map_plan.h"

typedef struct {
  DebyeIonsSettings settings; /* their texts are of the request */
  char *frames;               /* the map's setting */
  DebyeMapPlan map;
  const DebyeIonKind *cation, *anion; /* NULL: none */
  gsize n_cations, n_anions;          /* asked for by number */
  double concentration;               /* mol/L; 0: not by concentration */
  gboolean neutralise;
  /* The map is of one whole cell, by a method that counts all images: an ion adds such a map of its own. */
  gboolean has_unit_map;
} DebyeIonsPlan;

void debye_ions_plan_clear(gpointer plan);

/* Fills *plan (all zero before); the request must last as long and not change. *key, where not
 * NULL, names the setting that is the cause of an error, or NULL. */
gboolean debye_ions_plan_init(DebyeIonsPlan *plan, DebyeDataset *dataset, DebyeRequest *request,
                              const char **key, GError **error);

/* How many of each, with `open_volume` (Å³) for a concentration. FALSE where the net charge can't be brought
 * to zero by these ions, or there is nothing to place. */
gboolean debye_ions_plan_count(const DebyeIonsPlan *plan, double open_volume, gsize *n_cations,
                               gsize *n_anions, const char **key, GError **error);
