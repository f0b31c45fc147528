/* SPDX-License-Identifier: MIT */
/* Which way suits a plan. */
#include "scattering_way.h"

#include "data/error.h"

const DebyeScatteringWay *
debye_scattering_choose_way(const DebyeScatteringPlan *plan)
{
  switch (plan->orientation.kind) {
  case DEBYE_ORIENTATION_EXACT:
    return &debye_scattering_by_formula;
  case DEBYE_ORIENTATION_MULTIPOLE:
    return &debye_scattering_by_multipoles;
  case DEBYE_ORIENTATION_NONE:
  case DEBYE_ORIENTATION_SPHERE:
  case DEBYE_ORIENTATION_RANDOM:
  case DEBYE_ORIENTATION_CYLINDER:
  case DEBYE_ORIENTATION_VECTORS:
  case DEBYE_ORIENTATION_LATTICE:
    break;
  }
  return &debye_scattering_by_vectors;
}

void
debye_scattering_set_error(GError **error, const DebyeStatus *status, const DebyeFrame *frame)
{
  if (status->code == DEBYE_STATUS_INVALID && frame != NULL)
    g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE, "Frames: frame %" G_GSIZE_FORMAT ": %s", frame->index,
                status->text);
  else if (status->code != DEBYE_STATUS_CANCELLED)
    debye_device_set_error(error, status);
}
