/* SPDX-License-Identifier: MIT */
/* From counts to what a person reads: curves, the table of the CSV file, notes. */
#pragma once

#include "rdf_counted.h"

/* At least one frame was counted. */
DebyeResult *debye_rdf_result_new(const DebyeRunInput *input, const DebyeRdfCounted *counted);
