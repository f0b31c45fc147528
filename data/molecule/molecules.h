/* SPDX-License-Identifier: MIT */
/* Molecules (connected by bonds) as bodies that a periodic cell may have cut: made whole, wrapped, found. */
#pragma once

#include "periodic.h"
#include "topology.h"

/* The molecules of a topology in the order in which they are made whole: each atom after the bonded atom it
 * is placed beside. Made once, used for every frame. */
typedef struct _DebyeMolecules DebyeMolecules;

DebyeMolecules *debye_molecules_new(DebyeTopology *topology);
void debye_molecules_free(DebyeMolecules *molecules);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeMolecules, debye_molecules_free)
gsize debye_molecules_get_count(const DebyeMolecules *molecules);

/* Takes each atom to the image nearest to the atom it is bonded to: no bond crosses the cell any more. The
 * first atom of each molecule stays. A molecule that is bonded to its own image (a crystal) can't be whole:
 * bonds remain that cross. */
void debye_molecules_make_whole(const DebyeMolecules *molecules, DebyeFrame *frame);
/* The same of one of them; `periodic`: of the frame. */
void debye_molecules_make_one_whole(const DebyeMolecules *molecules, gsize molecule,
                                    const DebyePeriodic *periodic, DebyeFrame *frame);
/* The mean of the finite positions of a molecule's atoms; FALSE with none. */
gboolean debye_molecules_get_center(const DebyeMolecules *molecules, gsize molecule, const DebyeFrame *frame,
                                    DebyeVec3 *center);
void debye_molecules_move(const DebyeMolecules *molecules, gsize molecule, DebyeFrame *frame,
                          DebyeVec3 shift);
/* Makes molecules whole and moves them, so that their centres are in the cell around `center`. */
void debye_molecules_wrap(const DebyeMolecules *molecules, DebyeFrame *frame, DebyeVec3 center);
