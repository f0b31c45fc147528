/* SPDX-License-Identifier: MIT */
/* The settings “altloc”, “cell” and “length-unit” of a request: what of a dataset counts. Both programs ask this before they
 * plan, so that no analysis knows of it. */
#pragma once

#include "data/results/result.h"
#include "data/settings/request.h"
#include "data/trajectory/dataset.h"

/* The dataset as the request wants it; what is not set in the request stays as the dataset has it. NULL with
 * an error, and with *key (where not NULL) the setting that is the cause. */
DebyeDataset *debye_dataset_choose(DebyeDataset *dataset, DebyeRequest *request, const char **key,
                                   GError **error);
/* The dataset's own choices as settings of a table that has no others. */
DebyeRequest *debye_dataset_choice_request(DebyeDataset *dataset);
/* Which alternate locations count, where the dataset has any, the cell, where it isn't the files', and the unit of length,
 * where they don't say it. */
void debye_dataset_choice_add_notes(DebyeDataset *dataset, DebyeResult *result);
