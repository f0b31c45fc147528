/* SPDX-License-Identifier: MIT */
/* Signals in time as curves, a matrix and tables. */
#pragma once

#include "scattering_course.h"
#include "scattering_spectrum.h"

G_BEGIN_DECLS

typedef struct {
  DebyeScatteringSignals signals;  /* of all that was asked for */
  DebyeDisplacementCounts *counts; /* where displacements were counted, else NULL */
  double bin_width;                /* Å, theirs */
  gsize n_times;                   /* that are told, of the signals' */
  gboolean as_rows;                /* rows of vectors are told first, else F over time */
  double volume;                   /* Å³, of the first frame or as was said; 0: none */
  double seconds;
  const DebyeSpectrumSettings *spectrum; /* NULL: not asked for */
} DebyeScatteringCourseFound;

DebyeResult *debye_scattering_dynamic_result_new(const DebyeScatteringCourse *course,
                                                 const DebyeScatteringCourseFound *found, GError **error);

/* Columns q, or qx, qy and qz where a row is a vector; each row's `times` times. */
void debye_scattering_course_add_row_names(DebyeTable *table, const DebyeScatteringCourse *course,
                                           gsize times);

G_END_DECLS
