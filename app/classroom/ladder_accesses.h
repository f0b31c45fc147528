/* SPDX-License-Identifier: MIT */
/* How often an evaluation of the teaching variants on a GPU asks memory for a word, and how many operations that makes for
 * each, as the lectures count: J. E. Stone et al., J. Comput. Chem. 28 (2007) 2618. Called by lesson_ladder.c. */
#pragma once

#include "classroom.h"

/* Words of 4 bytes per evaluation, counted in the inner loop of the variant's source with its macros' defaults. What is
 * read once for all points of a thread is divided among them; what a point or an atom needs once isn't counted. Within a
 * cutoff an atom that is tested in vain asks for as much, so that these are words per test; of pairs they are those of a
 * pair in range, a count being one word whatever its width; of scattering those of a phase, without what correlates it. */
typedef struct {
  const char *id;                  /* of the variant */
  double constant, shared, global; /* memory; a sum read and written again is two */
} DebyeLadderAccesses;

/* NULL: of this one nothing is counted, as on a processor or of kernels of several files. */
const DebyeLadderAccesses *debye_ladder_accesses_find(const DebyeClassroomStep *step);
/* Operations for each access, an evaluation of the direct sum having as many as the lecture says of this variant, or else
 * 9, and of other families as many as the step counts: *operations. */
double debye_ladder_accesses_intensity(const DebyeLadderAccesses *self, const DebyeClassroomStep *step,
                                       double *operations);
