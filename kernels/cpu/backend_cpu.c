/* SPDX-License-Identifier: MIT */
/* The CPU back end's table of functions, which the registry always lists; its twin is
 * cuda/backend_cuda.cu. */
#include "backend_cpu.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kernels/chunk_threads.h"
#include "kernels/host_memory.h"

#include "kernels/cpu/common/cpu_kernels.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/cpu/potential/direct_block.h"
#include "kernels/potential/potential.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* What the CPU calls itself, without the blanks that makers pad it with. */
static void
read_name(char *name, size_t size)
{
  char brand[49] = "";
#if defined(__x86_64__)
  unsigned words[12] = {0};
  for (unsigned i = 0; i < 3; i++)
    __get_cpuid(0x80000002u + i, &words[4 * i], &words[4 * i + 1], &words[4 * i + 2], &words[4 * i + 3]);
  memcpy(brand, words, sizeof words);
#endif
  const char *start = brand + strspn(brand, " ");
  size_t length = strlen(start);
  while (length > 0 && start[length - 1] == ' ')
    length--;
  if (length > 0)
    snprintf(name, size, "%.*s", (int)length, start);
  else
    snprintf(name, size, "Processor");
}

static uint64_t
total_memory(void)
{
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
}

static int
device_count(DebyeStatus *status)
{
  debye_status_ok(status);
  return 1;
}

static DebyeStatusCode
device_info(int device, DebyeDeviceInfo *info, DebyeStatus *status)
{
  *info = (DebyeDeviceInfo){.id = "cpu"};
  if (device != 0)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "There is one CPU device, not number %d.", device);
  read_name(info->name, sizeof info->name);
  info->memory_total = total_memory();
  info->memory_free = debye_host_memory_available();
  info->units = debye_cpu_get_threads();
  info->score = info->units * debye_direct_block(debye_cpu_get_level())->score;
  return debye_status_ok(status);
}

/* Those of the kernels, and those that what stands before and behind them takes. */
static void
set_threads(unsigned threads)
{
  debye_cpu_set_threads(threads);
  debye_chunk_threads_limit(threads);
}

#define LIST(name, Type) , .name = &debye_cpu_##name

const DebyeBackend debye_backend_cpu = {
    .abi = DEBYE_BACKEND_ABI,
    .name = DEBYE_BACKEND_CPU,
    .title = "Processor",
    .device_count = device_count,
    .device_info = device_info,
    .set_threads = set_threads,
    .potential = {[DEBYE_POTENTIAL_DIRECT] = &debye_cpu_direct,
                  [DEBYE_POTENTIAL_CUTOFF] = &debye_cpu_cutoff,
                  [DEBYE_POTENTIAL_MULTILEVEL] = &debye_cpu_multilevel,
                  [DEBYE_POTENTIAL_EWALD] = &debye_cpu_ewald} DEBYE_KERNELS(LIST),
};
