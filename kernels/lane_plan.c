/* SPDX-License-Identifier: MIT */
/* Implementation of lane_plan.h: whether a device has a kernel and the memory for it; called by every
 * kernel's lanes. */
#include "lane_plan.h"

#include <math.h>
#include <stdbool.h>

unsigned
debye_lane_count_accelerators(const DebyeDeviceEntry *const *devices, size_t n_devices)
{
  unsigned n = 0;
  for (size_t i = 0; i < n_devices; i++)
    n += !debye_device_is_cpu(devices[i]);
  return n;
}

DebyeStatusCode
debye_lane_check_kernel(const DebyeDeviceEntry *device, const void *kernel, const char *task,
                        DebyeStatus *status)
{
  if (kernel != NULL)
    return debye_status_ok(status);
  return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED, "%s can't %s.", device->backend->title, task);
}

/* What is needed is rounded up: a limit of that size is enough. */
DebyeStatusCode
debye_lane_refuse_memory(uint64_t bytes, uint64_t limit, DebyeStatus *status)
{
  const bool is_small = limit < 1000000;
  const double unit = is_small ? 1e3 : 1e6;
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "It needs %.1f %s, the limit is %.1f %s.",
                          0.1 * ceil(10.0 * (double)bytes / unit), is_small ? "kB" : "MB",
                          (double)limit / unit, is_small ? "kB" : "MB");
}

DebyeStatusCode
debye_lane_check_memory(uint64_t bytes, uint64_t limit, DebyeStatus *status)
{
  if (limit == 0 || bytes <= limit)
    return debye_status_ok(status);
  return debye_lane_refuse_memory(bytes, limit, status);
}
