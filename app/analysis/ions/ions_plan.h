/* SPDX-License-Identifier: MIT */
/* What is known of a placement of ions before it begins: the map of the solute, which ions, how far apart,
 * and how many where that does not hang on the volume. */
#pragma once

#include "ion_kinds.h"
#include "app/analysis/map/map_plan.h"

G_BEGIN_DECLS

typedef struct {
  DebyeRequest *map_request; /* of the map before the first ion */
  DebyeMapPlan map;
  const DebyeIonKind *cation, *anion; /* NULL: none */
  gsize n_cations, n_anions;          /* asked for by number */
  double concentration;               /* mol/L; 0: not by concentration */
  gboolean neutralise;
  double distance, ion_distance; /* Å */
  /* The map is of one whole cell, by a method that counts all images: an ion adds such a map of its own. */
  gboolean has_unit_map;
} DebyeIonsPlan;

void debye_ions_plan_clear(DebyeIonsPlan *plan);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeIonsPlan, debye_ions_plan_clear)

/* Fills *plan (all zero before). *key, where not NULL, names the setting that is the cause of an error, or
 * NULL. */
gboolean debye_ions_plan_init(DebyeIonsPlan *plan, DebyeDataset *dataset, DebyeRequest *request,
                              const char **key, GError **error);

/* How many of each, with `open_volume` (Å³) for a concentration. FALSE where the net charge can't be brought
 * to zero by these ions, or there is nothing to place. */
gboolean debye_ions_plan_count(const DebyeIonsPlan *plan, double open_volume, gsize *n_cations,
                               gsize *n_anions, const char **key, GError **error);

/* The map's own request: what `ions` and `map` have in common. To be unreferenced. */
DebyeRequest *debye_ions_plan_new_map_request(DebyeRequest *request, GError **error);

G_END_DECLS
