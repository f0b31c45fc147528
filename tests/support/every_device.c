/* SPDX-License-Identifier: MIT */
/* Devices one after the other. */
#include "every_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "kernels/cpu/backend_cpu.h"
#include "kernels/cpu/common/cpu_settings.h"

static bool
begins_with(const char *text, const char *start)
{
  return strncmp(text, start, strlen(start)) == 0;
}

static void
test_processor(const DebyeDeviceEntry *device, DebyeDeviceTest test, void *data)
{
  const DebyeCpuLevel best = debye_cpu_get_level();
  for (int level = DEBYE_CPU_PORTABLE; level <= (int)best; level++) {
    char how[40];
    debye_cpu_set_level((DebyeCpuLevel)level);
    snprintf(how, sizeof how, " (%s)", debye_cpu_level_get_name((DebyeCpuLevel)level));
    test(device, how, data);
  }
  debye_cpu_set_level(best);
}

void
debye_test_every_device(const DebyeRegistry *registry, const char *only, DebyeDeviceTest test, void *data)
{
  for (size_t i = 0; i < debye_registry_get_count(registry); i++) {
    const DebyeDeviceEntry *device = debye_registry_get(registry, i);
    if (!begins_with(device->info.id, only))
      continue;
    if (device->device < 0)
      printf("%s is not tested: %s\n", device->backend != NULL ? device->backend->title : device->info.name,
             device->reason);
    else if (strcmp(device->info.id, "cpu") == 0)
      test_processor(device, test, data);
    else
      test(device, "", data);
  }
}

int
debye_test_main(int argc, char **argv, DebyeDeviceTest test)
{
  char *none[] = {NULL};
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, getenv("DEBYE_BACKEND_DIR"));
  debye_test_every_device(registry, argc > 1 ? argv[1] : "", test, argc > 1 ? argv + 2 : none);
  debye_registry_free(registry);
  return debye_check_finish();
}

bool
debye_test_has_processor(int argc, char **argv)
{
  return argc < 2 || begins_with("cpu", argv[1]);
}

bool
debye_test_is_asked(const char *body, void *arguments)
{
  char **texts = arguments;
  return texts[0] == NULL || begins_with(body, texts[0]);
}
