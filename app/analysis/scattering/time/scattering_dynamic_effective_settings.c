/* SPDX-License-Identifier: MIT */
/* Records in the request what the data decided in time; called by scattering_dynamic_result.c. */
#include "scattering_dynamic_effective_settings.h"

#include "app/analysis/scattering/intensity/scattering_effective_settings.h"

void
debye_scattering_set_effective_dynamic_settings(DebyeRequest *request,
                                                const DebyeIntermediateScattering *scattering, gsize n_times,
                                                double volume)
{
  /* Not said, both parts together go two ways: atoms are followed for the incoherent one alone. */
  const gboolean all = debye_scattering_frames_unwraps(scattering->frames, FALSE),
                 single = scattering->plan->with_incoherent &&
                          debye_scattering_frames_unwraps(scattering->frames, TRUE);
  debye_scattering_set_effective_settings(request, scattering->plan, volume);
  debye_request_set_effective_number(
      request, "lags", (double)(n_times - 1) * (scattering->step > 0.0 ? scattering->step : 1.0));
  debye_request_set_effective(request, "unwrap",
                              all || (single && !scattering->plan->with_coherent) ? "true"
                              : single                                            ? "incoherent part"
                                                                                  : "false");
}
