/* SPDX-License-Identifier: MIT */
/* Implementation of ladder_accesses.h. */
#include "ladder_accesses.h"

#define WORDS 4.0              /* of an atom: x, y, z or dz², and its charge */
#define PLACE 3.0              /* words of an atom without charge, or of a vector */
#define CHANGED 2.0            /* a count: read and written */
#define PHASE 2.0              /* words of exp(i q·r), written */
#define LECTURE_OPERATIONS 9.0 /* of an evaluation without a figure of its own */

/* Points of a thread: those of the macros POINTS and POINTS_Y. */
static const DebyeLadderAccesses accesses[] = {
    {"scatter-const", .global = 2.0},
    {"gather-const", .constant = WORDS},
    {"gather-fission", .constant = WORDS},
    {"const-precalc", .constant = WORDS},
    {"const-unrolled", .constant = WORDS / 4.0},
    {"const-shared", .constant = WORDS / 8.0},
    {"const-coalesced", .constant = WORDS / 8.0},
    {"const-copied", .constant = WORDS / 8.0},
    {"const-padded", .constant = WORDS / 8.0},
    {"shared-tiles", .shared = WORDS / 8.0},
    {"register-tiles", .shared = WORDS / 16.0},
    {"cutoff-all", .global = WORDS},
    {"cutoff-cube", .global = WORDS},
    {"cutoff-sphere", .global = WORDS},
    {"cutoff-shared", .shared = WORDS},
    {"cutoff-four-bins", .shared = WORDS},
    {"cutoff-unrolled-x", .shared = WORDS / 4.0},
    {"cutoff-unrolled-y", .shared = WORDS / 4.0},
    {"cutoff-cylinder", .shared = WORDS / 4.0},
    {"cutoff-dummy", .shared = WORDS / 4.0},
    {"cutoff-overlap", .shared = WORDS / 4.0},
    {"cutoff-compensated", .shared = WORDS / 4.0},
    {"cutoff-double", .shared = WORDS / 4.0},
    {"cutoff-chains", .global = (WORDS + 1.0) / 4.0}, /* and the number of the next atom */
    {"histogram-race", .global = PLACE + CHANGED},
    {"histogram-atomic", .global = PLACE + CHANGED},
    {"histogram-grid", .global = PLACE + CHANGED},
    {"histogram-private", .global = PLACE, .shared = CHANGED},
    {"histogram-tiles", .shared = PLACE + CHANGED},
    {"histogram-float", .global = PLACE + CHANGED},
    {"scattering-vectors-x", .global = 2.0 * PLACE + PHASE},
    {"scattering-frames-x", .global = 2.0 * PLACE + PHASE},
    {"scattering-transform", .global = 2.0 * PLACE + PHASE},
    {"scattering-plans-once", .global = 2.0 * PLACE + PHASE},
    {"scattering-vector-block", .global = 2.0 * PLACE + PHASE},
    {"scattering-graph", .global = 2.0 * PLACE + PHASE},
    {"scattering-atom-block", .global = 2.0 * PLACE + PHASE},
    {"scattering-partial", .global = 2.0 * PLACE + PHASE},
    {"scattering-all", .global = PLACE}, /* the vector and the sum stay in registers */
    {"scattering-square", .global = 2.0 * PLACE + PHASE},
    {"scattering-plain", .global = 2.0 * PLACE + PHASE},
};

const DebyeLadderAccesses *
debye_ladder_accesses_find(const DebyeClassroomStep *step)
{
  if (!step->is_gpu || step->id == NULL)
    return NULL;
  for (gsize i = 0; i < G_N_ELEMENTS(accesses); i++)
    if (g_str_equal(accesses[i].id, step->id))
      return &accesses[i];
  return NULL;
}

double
debye_ladder_accesses_intensity(const DebyeLadderAccesses *self, const DebyeClassroomStep *step,
                                double *operations)
{
  *operations = step->kind != DEBYE_LADDER_MAP   ? step->operations / step->rate
                : step->lecture.operations > 0.0 ? step->lecture.operations
                                                 : LECTURE_OPERATIONS;
  return *operations / (self->constant + self->shared + self->global);
}
