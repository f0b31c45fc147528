/* SPDX-License-Identifier: MIT */
/* The CPU as a back end: built in, always there, its one device the cores this process may use. */
#pragma once

#include "kernels/backend.h"

extern const DebyeBackend debye_backend_cpu;
