/* SPDX-License-Identifier: MIT */
/* Implementation of prepare_run.h. */
#include "prepare_run.h"

#include <glib/gi18n.h>

static void
on_titration_progress(double fraction, const char *message G_GNUC_UNUSED, gpointer data)
{
  debye_job_set_message(data, _("Titrating by Poisson–Boltzmann"));
  debye_job_set_progress(data, fraction);
}

/* With devices only where they are needed: they may take a while to start. */
DebyePreparation *
debye_prepare_run(DebyeJob *job, DebyeDataset *origin, const DebyePreparationOrder *order,
                  DebyeDevices *devices, GError **error)
{
  const DebyeRunCallbacks callbacks = {
      .cancel = debye_job_get_cancel_flag(job), .progress = on_titration_progress, .data = job};
  DebyePreparationOrder whole = *order;
  debye_job_set_message(job, _("Adding hydrogens and charges"));
  whole.registry = debye_prepare_settings_titrate(order->request) ? debye_devices_wait(devices) : NULL;
  whole.callbacks = &callbacks;
  return debye_preparation_run(origin, &whole, debye_job_go_on, job, error);
}
