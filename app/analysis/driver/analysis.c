/* SPDX-License-Identifier: MIT */
/* Implementation of analysis.h: frees the estimate of an analysis. */
#include "analysis.h"

void
debye_estimate_clear(DebyeEstimate *estimate)
{
  g_clear_pointer(&estimate->devices, g_free);
  *estimate = (DebyeEstimate){0};
}
