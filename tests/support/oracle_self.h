/* SPDX-License-Identifier: MIT */
/* Correlations, self scattering and displacements by their definitions, slowly, in long double; and courses
 * of atoms to try them on. */
#pragma once

#include "kernels/scattering/correlation.h"
#include "kernels/scattering/displacement_histogram.h"
#include "kernels/scattering/scattering_self.h"

/* Atoms and their courses, owned: x, y, z and group are the block's. */
typedef struct {
  DebyeSelfBlock block;
  size_t n_frames;
  float *x, *y, *z;
  uint32_t *group;
  double *length;
} DebyeCourses;

/* Random walks with steps of `step` Å (its standard deviation along each axis) from places within ±range,
 * atoms dealt to groups in turn, complex lengths of a few fm; frames have a few more atoms than the block. */
DebyeCourses debye_courses_walk(size_t n_atoms, size_t n_frames, size_t n_groups, double step, double range,
                                unsigned seed);
void debye_courses_clear(DebyeCourses *courses);

/* As debye_signal kernels: out has n_frames complex values. `b` may be a. */
void debye_oracle_signal(DebyeSignal signal, const double *a, const double *b, size_t n_frames, double *out);
/* f and fq2 of one vector and group, as DebyeSelfKernel writes them. */
void debye_oracle_self(DebyeSignal signal, const DebyeCourses *courses, DebyeVec3 q, size_t group, double *f,
                       double *fq2);
/* As DebyeDisplacementKernel writes them. */
void debye_oracle_displacements(const DebyeDisplacementSettings *settings, const DebyeCourses *courses,
                                DebyeDisplacementSums *sums);
