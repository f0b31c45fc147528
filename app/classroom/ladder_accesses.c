/* SPDX-License-Identifier: MIT */
/* Implementation of ladder_accesses.h. */
#include "ladder_accesses.h"

#define WORDS 4.0              /* of an atom: x, y, z or dz², and its charge */
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
    {"shared-tiles", .shared = WORDS / 8.0},
    {"register-tiles", .shared = WORDS / 16.0},
};

const DebyeLadderAccesses *
debye_ladder_accesses_find(const DebyeClassroomStep *step)
{
  if (!step->is_gpu || step->kind != DEBYE_LADDER_MAP || step->id == NULL)
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
  *operations = step->lecture.operations > 0.0 ? step->lecture.operations : LECTURE_OPERATIONS;
  return *operations / (self->constant + self->shared + self->global);
}
