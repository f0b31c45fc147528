/* SPDX-License-Identifier: MIT */
/* Computes multipoles on all devices at once for the analysis of scattering. The frame is the one input, items
 * are values of q. */
#include "scattering_multipole_lanes.h"

/* Bytes of coefficients that a lane has at once. */
#define MAX_BYTES ((size_t)64 << 20)
/* What a multiplication with an atom costs against the Coulomb pair that devices' scores are given in. */
#define TERM_COST 0.5

typedef struct {
  DebyeSharing share;
  /* The execution under way. */
  const DebyeScatteringFrame *frame;
  DebyeVec3 center;
  const double *q;
  size_t n_q;
  double *products, *last_share;
} MultipoleShare;

static const DebyeMultipoleKernel *
kernel_of(const DebyeSharingLane *lane)
{
  return (const DebyeMultipoleKernel *)lane->kernel;
}

static size_t
values_of_q(const DebyeMultipoleSettings *settings)
{
  return 2 * settings->groups.n_groups * debye_multipole_n_harmonics(&settings->multipole);
}

static DebyeStatusCode
set_frame(const DebyeSharing *share, DebyeSharingLane *lane, size_t input, DebyeStatus *status)
{
  const MultipoleShare *multipoles = (const MultipoleShare *)share;
  (void)input;
  return kernel_of(lane)->set_frame(lane->plan, multipoles->frame, multipoles->center, status);
}

static DebyeStatusCode
sum_q(DebyeSharing *share, DebyeSharingLane *lane, DebyeSharingRun run, const volatile bool *cancel,
      DebyeStatus *status)
{
  const MultipoleShare *multipoles = (const MultipoleShare *)share;
  const DebyeMultipoleSettings *settings = share->settings;
  const size_t n_values = values_of_q(settings);
  double *values = debye_sharing_values(lane, run.count * n_values * sizeof *values);
  if (values == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for multipoles of order %u.",
                            settings->multipole.order);
  const DebyeStatusCode code =
      kernel_of(lane)->execute(lane->plan, multipoles->q + run.first, run.count, values, cancel, status);
  for (size_t i = 0; i < run.count && code == DEBYE_STATUS_OK; i++)
    multipoles->last_share[run.first + i] =
        debye_multipole_products(&settings->multipole, settings->groups.n_groups, values + i * n_values,
                                 multipoles->n_q, multipoles->products + 2 * (run.first + i));
  return code;
}

static const DebyeSharingFamily family = {
    .task = "sum multipoles",
    .kernel = offsetof(DebyeBackend, multipole),
    .size = sizeof(MultipoleShare),
    .settings_size = sizeof(DebyeMultipoleSettings),
    .spare_cores = offsetof(DebyeMultipoleSettings, spare_cores),
    .chunk = offsetof(DebyeMultipoleSettings, max_q),
    .set = set_frame,
    .execute = sum_q,
};

DebyeStatusCode
debye_multipole_lanes_create(const DebyeMultipoleLanesSettings *settings,
                             const DebyeDeviceEntry *const *devices, size_t n_devices, DebyeSharing **share,
                             DebyeStatus *status)
{
  DebyeMultipoleSettings some = settings->multipole;
  *share = NULL;
  const DebyeStatusCode code = debye_multipole_settings_check(&some, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  const size_t most = MAX_BYTES / (values_of_q(&some) * sizeof(double));
  some.max_q = most < 1 ? 1 : most < some.max_q ? most : some.max_q;
  DebyeSharing *made = debye_sharing_new(&family, &some, settings->memory_limit, devices, n_devices);
  return debye_sharing_start(made, made != NULL, share, status);
}

DebyeStatusCode
debye_multipole_lanes_execute(DebyeSharing *share, const DebyeScatteringFrame *frame, DebyeVec3 center,
                              const double *q, size_t n_q, double *products, double *last_share,
                              const volatile bool *cancel, DebyeStatus *status)
{
  const DebyeMultipoleSettings *settings = share->settings;
  MultipoleShare *multipoles = (MultipoleShare *)share;
  multipoles->frame = frame;
  multipoles->center = center;
  multipoles->q = q;
  multipoles->n_q = n_q;
  multipoles->products = products;
  multipoles->last_share = last_share;
  const double terms = (double)debye_scattering_n_entries(&settings->groups) *
                       (double)debye_multipole_n_harmonics(&settings->multipole);
  const DebyeSharingJob job = {
      .n_inputs = 1, .n_items = n_q, .item_cost = TERM_COST * terms, .cancel = cancel};
  return debye_sharing_run(share, &job, status);
}
