/* SPDX-License-Identifier: MIT */
/* What runs answer, see analysis.h. */
#include "analysis.h"

void
debye_estimate_clear(DebyeEstimate *estimate)
{
  g_clear_pointer(&estimate->devices, g_free);
  *estimate = (DebyeEstimate){0};
}
