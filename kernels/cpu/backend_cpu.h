/* SPDX-License-Identifier: MIT */
/* The CPU back end, which is built in; devices.c registers it. Its one device has the cores that this process may use. */
#pragma once

#include "kernels/backend.h"

extern const DebyeBackend debye_backend_cpu;
