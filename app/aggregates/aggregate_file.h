/* SPDX-License-Identifier: MIT */
/* The file of a sample that is grown where it is asked for: called by debye-cli sample and the window. */
#pragma once

#include "aggregate.h"

/* Particles are drawn as gold: they touch where atoms of its van der Waals radius would, which is too far apart for bonds. */
#define DEBYE_AGGREGATE_DIAMETER 3.32 /* Å; A. Bondi, J. Phys. Chem. 68 (1964) 441 */

/* "diffusion 10 8 7": law (diffusion, reaction), stages, aggregates, seed, as the list of samples has them. */
gboolean debye_aggregate_rule_parse(DebyeAggregateRule *rule, const char *text, GError **error);
/* An XYZ file with a frame per aggregate; its folder is made if it is missing. `grown`, to be cleared: what it holds.
 * FALSE with an error, or without one where it was stopped. */
gboolean debye_aggregate_write(const DebyeAggregateRule *rule, const char *path,
                               DebyeAggregateProgress progress, gpointer data, DebyeAggregates *grown,
                               GError **error);
/* "1.75 ± 0.01". */
char *debye_aggregate_dimension_text(const DebyeAggregates *grown);
