/* SPDX-License-Identifier: MIT */
/* The parts of multilevel summation as maps of the class room's molecule: one plane through its middle for the short
 * part, for each level and for what is left. */
#pragma once

#include "classroom.h"
#include "kernels/potential/multilevel.h"
#include "render/plot/plot.h"

/* The short part, two levels, and the rest. */
#define DEBYE_CLASSROOM_N_PARTS 4

/* What a map with 1 Å between its points in an open system is computed with, for an error of 10⁻³. */
gboolean debye_classroom_choose_split(DebyeMultilevel *multilevel);
/* What the split makes of 1/d for part 0 to DEBYE_CLASSROOM_N_PARTS − 1, in 1/Å. */
double debye_classroom_find_part(const DebyePairFunction *short_part, unsigned part, double d);
/* Ends record->parts with a matrix for each part, in kT/e; of many atoms the points are fewer. Cancelled, none. */
void debye_classroom_map_parts(DebyeClassroomRecord *record, const DebyeBenchProblem *problem,
                               const DebyeMultilevel *multilevel);
/* The root mean square of a part's map, kT/e. */
double debye_classroom_measure_part(DebyeClassroomRecord *record, guint part);
DebyePlot *debye_classroom_plot_part(DebyeClassroomRecord *record, guint part);
