/* SPDX-License-Identifier: MIT */
/* Alternate locations: which of several positions of an atom counts. Crystal structures list each position
 * that an atom has in part of the unit cells, with a label and an occupancy; readers keep them all. */
#pragma once

#include "topology.h"

/* What stands for a choice beside the labels of the file. */
#define DEBYE_ALTLOC_HIGHEST "highest"
#define DEBYE_ALTLOC_ALL "all"

/* A choice is one of the two words or a label; FALSE with DEBYE_ERROR_SETTING for what is neither (a blank in
 * it, or nothing). */
gboolean debye_altloc_check(const char *choice, GError **error);

/* The topology in which the chosen locations alone count. Each residue has one location of its own: that of
 * the given label or, without it or for DEBYE_ALTLOC_HIGHEST, the one of highest mean occupancy, the first
 * among equals. Heavy atoms that a residue has at other locations only count at the best of these. Atoms
 * without a label count always; `self` again, with a reference, where no atom has one. */
DebyeTopology *debye_topology_choose_altloc(DebyeTopology *self, const char *choice);

/* The atoms that count, `most` of them at most. (element-type guint32) */
GArray *debye_topology_list_counted(DebyeTopology *self, gsize most);

/* How many atoms have a label. */
gsize debye_topology_get_n_alternates(DebyeTopology *self);
/* One sentence about which of them count, of a topology that was chosen so; NULL where there are none. */
char *debye_altloc_describe(DebyeTopology *self, const char *choice);
