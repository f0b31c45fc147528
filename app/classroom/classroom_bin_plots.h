/* SPDX-License-Identifier: MIT */
/* Figures of the classroom's lesson on bins, from its record or from the functions that the kernels use. */
#pragma once

#include "classroom.h"
#include "kernels/potential/multilevel.h"
#include "render/plot/plot.h"

/* By the bins' edge: how much of the bins that are looked at is within the cutoff; how many atoms have a slot, and how many
 * slots an atom; how many evaluations an atom that was brought serves. */
DebyePlot *debye_classroom_plot_neighbours(DebyeClassroomRecord *record);
DebyePlot *debye_classroom_plot_capacity(DebyeClassroomRecord *record);
DebyePlot *debye_classroom_plot_reuse(DebyeClassroomRecord *record);
/* By the cutoff, of the chosen edge: how much of the bins that are looked at is within it; how many atoms are. By the grid's
 * spacing, how many evaluations an atom that was brought serves. */
DebyePlot *debye_classroom_plot_cutoffs(DebyeClassroomRecord *record);
DebyePlot *debye_classroom_plot_within(DebyeClassroomRecord *record);
DebyePlot *debye_classroom_plot_spacings(DebyeClassroomRecord *record);
/* How many bins have 0, 1, 2, … atoms. */
DebyePlot *debye_classroom_plot_filling(DebyeClassroomRecord *record);
/* 1/d and what is summed within the cutoff in its place. */
DebyePlot *debye_classroom_plot_smoothing(double cutoff);
/* 1/d and the parts that multilevel summation splits it into. */
DebyePlot *debye_classroom_plot_split(const DebyeMultilevel *multilevel);

/* Evaluations of an atom that was brought: its block has (B/G)³ points. */
double debye_classroom_find_reuse(const DebyeClassroomBinChoice *choice, const DebyeClassroomBins *bins);
