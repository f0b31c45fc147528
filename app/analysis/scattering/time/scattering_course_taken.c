/* SPDX-License-Identifier: MIT */
/* Settings that the data decided, of scattering in time, see scattering_course_taken.h. */
#include "scattering_course_taken.h"

#include "app/analysis/scattering/intensity/scattering_taken.h"

void
debye_scattering_take_course(DebyeRequest *request, const DebyeScatteringCourse *course, gsize n_times,
                             double volume)
{
  /* Not said, both parts together go two ways: atoms are followed for the incoherent one alone. */
  const gboolean all = debye_scattering_frames_unwraps(course->frames, FALSE),
                 single =
                     course->plan->with_incoherent && debye_scattering_frames_unwraps(course->frames, TRUE);
  debye_scattering_take(request, course->plan, volume);
  debye_request_take_number(request, "lags",
                            (double)(n_times - 1) * (course->step > 0.0 ? course->step : 1.0));
  debye_request_take(request, "unwrap",
                     all || (single && !course->plan->with_coherent) ? "true"
                     : single                                        ? "incoherent part"
                                                                     : "false");
}
