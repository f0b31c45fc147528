/* SPDX-License-Identifier: MIT */
/* Running what is planned: frames through a way to their products, and these into sums. */
#pragma once

#include "analysis.h"

G_BEGIN_DECLS

/* DebyeAnalysis.run of scattering. */
DebyeResult *debye_scattering_run(const DebyeRunInput *input, GError **error);

G_END_DECLS
