/* SPDX-License-Identifier: MIT */
/* A record in the making, between the class room's jobs. */
#pragma once

#include "classroom.h"

DebyeClassroomRecord *debye_classroom_record_new(const char *subject);
DebyeClassroomRecord *debye_classroom_record_copy(DebyeClassroomRecord *self);
/* A ladder's record (NULL: none) and that of the class's own kernel as one, whose last step is the class's. */
DebyeClassroomRecord *debye_classroom_record_join(DebyeClassroomRecord *ladder, DebyeClassroomRecord *ours);
/* What is known of a variant of a ladder before it is measured: its names, its number, what the lecture found. FALSE: no such
 * step of the GPU's or the CPU's ladders. */
gboolean debye_classroom_step_set_variant(DebyeClassroomStep *step, gboolean is_gpu, const char *id);
/* The same of the class's own kernel; `lesson` says what it is. */
void debye_classroom_step_set_ours(DebyeClassroomStep *step, DebyeLadderKind kind, gboolean is_gpu,
                                   const char *lesson);
/* Of a variant that is set, with so many operations for each evaluation. */
double debye_classroom_step_find_reciprocal_roof(const DebyeClassroomStep *step,
                                                 const DebyeLadderLimits *limits, double operations);

/* Appends a step: what was measured of a device's variant. FALSE: no such step. */
gboolean debye_classroom_record_add_result(DebyeClassroomRecord *self, const DebyeBenchLimits *limits,
                                           const DebyeBenchResult *result);

/* Of DebyeClassroomPoint, y in so many of its unit. */
DebyeCurve *debye_classroom_record_new_curve(const char *name, const DebyeQuantity *x, const DebyeQuantity *y,
                                             DebyeCurveStyle style, const GArray *points, double unit);
