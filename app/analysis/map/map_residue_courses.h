/* SPDX-License-Identifier: MIT */
/* The potential of chosen residues over time, a curve for each; used by map_residues.c. */
#pragma once

#include "app/analysis/driver/frame_state.h"
#include "data/results/result.h"
#include "map_plan.h"

typedef struct DebyeMapResidueCourses DebyeMapResidueCourses;

static inline gboolean
debye_map_residues_are_followed(const DebyeMapPlan *plan)
{
  return plan->settings.follow != NULL && *plan->settings.follow != '\0';
}

/* Of a plan that follows some, and was checked. NULL with an error: no memory. */
DebyeMapResidueCourses *debye_map_residue_courses_new(const DebyeMapPlan *plan, GError **error);
void debye_map_residue_courses_free(DebyeMapResidueCourses *self);
/* A frame with the potential of each residue of the topology, kT/e. */
void debye_map_residue_courses_add(DebyeMapResidueCourses *self, const DebyeFrame *frame,
                                   const double *of_residues);
void debye_map_residue_courses_list_state(DebyeMapResidueCourses *self, DebyeFrameState *state);
/* Curves of the frames that were added, in their order; `unit`: what 1 kT/e is in the plan's. */
void debye_map_residue_courses_add_curves(const DebyeMapResidueCourses *self, double unit,
                                          DebyeResult *result);
