/* SPDX-License-Identifier: MIT */
/* Elements as a person says they are, where what was decided from masses, types or names is wrong. */
#pragma once

#include "data/molecule/topology.h"

/* Atoms of one name (of one type, where they have no names) that are taken for the same element. */
typedef struct {
  char *label;               /* the name or the type; "" where there is neither */
  char *atoms;               /* what stands before the "=" of a choice to mean just these */
  guint8 element;            /* 0: none */
  DebyeElementSource source; /* the least sure of theirs */
  gsize n_atoms;
} DebyeElementKind;

/* Least surely decided first, then by label. (element-type DebyeElementKind) */
GPtrArray *debye_element_kinds_new(DebyeTopology *topology);
/* "the file", "masses", "atom types", "atom names", "a choice", "nothing". */
const char *debye_element_source_describe(DebyeElementSource source);

/* A copy with the elements of `choices`, each "ATOMS=SYMBOL". ATOMS is a name of atoms, else a type of atoms,
 * or with a blank in it a selection ("name CA and resname CAL"); SYMBOL an element's or "none". All are
 * looked up in `self`; where two choose an atom, the later one counts. Masses that were an element's become
 * the new one's. `self` itself (a new reference) without choices; NULL with an error that names the choice. */
DebyeTopology *debye_topology_with_element_choices(DebyeTopology *self, const char *const *choices,
                                                   GError **error);
