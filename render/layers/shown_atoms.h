/* SPDX-License-Identifier: MIT */
/* What layers of atoms share: of which molecule they are, in which frame, which atoms of it they show and the
 * selection that chose them. Whoever changes it tells of it: of "n-shown", "frame" and "choice". */
#pragma once

#include "atom_choice.h"
#include "atom_set.h"
#include "data/molecule/frame.h"
#include "data/molecule/topology.h"

typedef struct _DebyeShownAtoms {
  DebyeTopology *topology;
  DebyeFrame *frame; /* NULL: none yet */
  GArray *chosen;    /* (element-type guint32), ascending; NULL: all */
  char *selection;   /* for rows to show; NULL: none */
} DebyeShownAtoms;

void debye_shown_atoms_clear(DebyeShownAtoms *shown);

/* All atoms that count. */
void debye_shown_atoms_init(DebyeShownAtoms *shown, DebyeTopology *topology);
/* `atoms`: ascending, copied but for those that the molecule doesn't have; NULL: all
 * that count. */
void debye_shown_atoms_set(DebyeShownAtoms *shown, const guint32 *atoms, gsize n_atoms);
/* Its `atoms` are NULL only where they are all, not where there are none. */
DebyeAtomSet debye_shown_atoms_get(const DebyeShownAtoms *shown);
void debye_shown_atoms_set_selection(DebyeShownAtoms *shown, const char *text);
/* FALSE, and nothing is changed: it isn't of this molecule. NULL: none. */
gboolean debye_shown_atoms_set_frame(DebyeShownAtoms *shown, DebyeFrame *frame);
/* See atom_choice.h. */
void debye_shown_atoms_set_choice(DebyeShownAtoms *shown, GVariant *choice);
GVariant *debye_shown_atoms_create_choice(const DebyeShownAtoms *shown);
/* Of the atoms' centres in the frame. FALSE: there are none. */
gboolean debye_shown_atoms_get_bounds(const DebyeShownAtoms *shown, DebyeVec3 *low, DebyeVec3 *high);

/* The properties "choice", to be read and written, "frame" (DebyeFrame) and "n-shown" uint, to be read: with
 * the ids `first`, `first` + 1 and `first` + 2. */
void debye_shown_atoms_install_properties(GObjectClass *class, guint first);
/* FALSE: the id is none of these. */
gboolean debye_shown_atoms_get_property(const DebyeShownAtoms *shown, guint first, guint id, GValue *value);
