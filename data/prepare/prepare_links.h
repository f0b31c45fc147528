/* SPDX-License-Identifier: MIT */
/* What holds residues together, found from distances: peptide bonds, phosphodiesters, disulfides, metals; and where chains
 * begin and end. Called by prepare.c. */
#pragma once

#include "prepared_system.h"

/* Links units, marks ends, and notes disulfides, breaks and metals. An error names a residue whose backbone isn't whole. */
gboolean debye_prepare_links_find(DebyePreparedSystem *system, GError **error);
