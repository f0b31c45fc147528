/* SPDX-License-Identifier: MIT */
/* Estimates what a frame takes packed and unpacked; called by the runs of pairs, scattering, maps and densities. */
#include "packed_choice.h"

#include "kernels/chunk_threads.h"

/* Atoms a second of one core, slower than most; what a device makes of packed ones. */
#define DECODED_BY_CORE 1e8
#define SCANNED_BY_CORE 1e9
#define DECODED_BY_DEVICE 2e10
/* s: until the first atoms of a frame are there. */
#define DEVICE_LATENCY 5e-5
/* Bytes of an atom, and a second from the host's ordinary memory: by the driver; by several threads into pinned memory. */
#define BYTES_A_POSITION 12.0
#define BYTES_A_PACKED_ATOM 4.0
#define COPIED_PLAINLY 1e10
#define COPIED_STAGED 2.5e10

static gboolean
has_accelerator(const DebyeDeviceEntry *const *devices, gsize n_devices)
{
  for (gsize i = 0; i < n_devices; i++)
    if (!debye_device_is_cpu(devices[i]))
      return TRUE;
  return FALSE;
}

gboolean
debye_packed_choice(DebyeTrajectory *trajectory, gsize n_chosen, const DebyeDeviceEntry *const *devices,
                    gsize n_devices)
{
  const double n = (double)debye_trajectory_get_n_atoms(trajectory), chosen = (double)n_chosen;
  const double cores =
      debye_trajectory_has_many_readers(trajectory) ? (double)debye_chunk_threads_count() : 1.0;
  if (!has_accelerator(devices, n_devices) || !debye_trajectory_may_be_packed(trajectory))
    return FALSE;
  const double unpacked = n / (DECODED_BY_CORE * cores) + chosen * BYTES_A_POSITION / COPIED_PLAINLY;
  const double packed = n / (SCANNED_BY_CORE * cores) + n * BYTES_A_PACKED_ATOM / COPIED_STAGED +
                        n / DECODED_BY_DEVICE + DEVICE_LATENCY;
  return packed < unpacked;
}
