/* SPDX-License-Identifier: MIT */
/* What the class room's kernels are measured on: the window's molecule, or made-up charges. */
#pragma once

#include "classroom.h"

/* More would tell nothing new. */
#define DEBYE_CLASSROOM_MAX_ATOMS ((gsize)100000)

/* Of scattering the trajectory's courses or made-up ones, of orbitals, ligands and densities their own subjects; of the others
 * the molecule, `frame` NULL: made-up charges. With a kind of the cutoff, the grid and the cutoff of its lecture. *subject is one sentence
 * about it. NULL with an error: its atoms have no charges. */
DebyeBenchProblem *debye_classroom_problem_new(DebyeDataset *dataset, DebyeFrame *frame, DebyeLadderKind kind,
                                               const volatile bool *cancel, char **subject, GError **error);
/* The same with another number of atoms, cutoff or grid spacing (Å) in the same box; 0: its own. NULL with an error: it has
 * fewer atoms, or the grid would have more than a billion points. */
DebyeBenchProblem *debye_classroom_problem_change(const DebyeBenchProblem *problem, double n_atoms,
                                                  double cutoff, double spacing, GError **error);
/* Whether this kind's problem is charges and a map of them. */
gboolean debye_classroom_problem_has_map(DebyeLadderKind kind);
/* The same without the atoms that would only cost time where pairs are counted. */
DebyeBenchProblem *debye_classroom_problem_count(const DebyeBenchProblem *problem);

/* The step of a ladder whose listing it is; NULL: none has this source. */
const DebyeLadderVariant *debye_classroom_find_variant(const char *source);
