/* SPDX-License-Identifier: MIT */
/* Which charges an analysis counts with: those of the files, or a force field's table where they have none.
 * What the table gave to which atoms, and which got nothing, is told with the result. */
#pragma once

#include "common_settings.h"
#include "data/trajectory/dataset.h"
#include "data/results/result.h"
#include "data/molecule/table_charges.h"

/* What a table gives a topology: made once, and kept with that. */
typedef struct {
  DebyeTopology *topology;
  DebyeChargeReport report;
} DebyeTableCharges;

typedef struct {
  DebyeTopology *topology;        /* owned; always with charges */
  const DebyeTableCharges *table; /* likewise; NULL: those of the files */
} DebyeChargeChoice;

/* Fills *choice (all zero before); *key is “charges” where that is the cause of an error. */
gboolean debye_charge_choice_init(DebyeChargeChoice *choice, DebyeDataset *dataset, DebyeChargeSource source,
                                  const char **key, GError **error);
void debye_charge_choice_clear(DebyeChargeChoice *choice);

/* Where the charges of `atoms` come from, and how many of them have none. */
void debye_charge_choice_add_notes(const DebyeChargeChoice *choice, const GArray *atoms, DebyeResult *result);
