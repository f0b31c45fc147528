/* SPDX-License-Identifier: MIT */
/* A sound module on a machine without its devices. */
#include "kernels/backend.h"

const DebyeBackend *debye_backend_module(void);

static int
device_count(DebyeStatus *status)
{
  status->code = DEBYE_STATUS_UNSUPPORTED;
  __builtin_strcpy(status->text, "The driver went fishing.");
  return 0;
}

static const DebyeBackend backend = {
    .abi = DEBYE_BACKEND_ABI,
    .name = "absent",
    .title = "Absent",
    .device_count = device_count,
};

__attribute__((visibility("default"))) const DebyeBackend *
debye_backend_module(void)
{
  return &backend;
}
