/* SPDX-License-Identifier: MIT */
/* What scattering in time took for the settings that the data decide. */
#pragma once

#include "scattering_course.h"

G_BEGIN_DECLS

/* As debye_scattering_take, with `n_times` times. */
void debye_scattering_take_course(DebyeRequest *request, const DebyeScatteringCourse *course, gsize n_times,
                                  double volume);

G_END_DECLS
