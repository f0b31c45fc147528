/* SPDX-License-Identifier: MIT */
/* What the ends of protein chains are: charged, neutral or capped. Called by prepare.c between prepare_links.c and
 * prepare_states.c. */
#pragma once

#include "prepare_states.h"

/* Sets each end's state, by the setting and then by the rows NTR and CTR of a person's choices, and adds acetyl (ACE) and
 * methylamide (NME) as units where ends are capped: bond lengths and angles of Engh and Huber, Acta Cryst. A 47, 392 (1991),
 * in the conformation farthest from other atoms. An error names a row whose residue is no such end or whose state is
 * none. */
gboolean debye_chain_ends_decide(DebyePreparedSystem *system, const DebyeStateSettings *settings,
                                 GError **error);

/* The unit is written in that order with its caps; (element-type guint32), of units. */
GArray *debye_chain_ends_list_in_order(const DebyePreparedSystem *system);
