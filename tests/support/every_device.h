/* SPDX-License-Identifier: MIT */
/* A test's body on every device that there is; of the processor, with every instruction set that it has. */
#pragma once

#include "kernels/registry.h"

/* how: how the device is set, " (avx2)", or "". */
typedef void (*DebyeDeviceTest)(const DebyeDeviceEntry *device, const char *how, void *data);

/* On those devices of the registry whose id begins with only. Those that can't be used are named with the
 * reason. */
void debye_test_every_device(const DebyeRegistry *registry, const char *only, DebyeDeviceTest test,
                             void *data);
/* The main function of such a test. Its first argument chooses devices ("cuda"); data are the arguments
 * behind it, a char ** that ends with NULL. */
int debye_test_main(int argc, char **argv, DebyeDeviceTest test);
/* Whether the next argument chooses a body of that name by how it begins: the sanitizers take their time. */
bool debye_test_is_asked(const char *body, void *arguments);
/* Whether main's first argument chooses the processor, too. */
bool debye_test_has_processor(int argc, char **argv);
