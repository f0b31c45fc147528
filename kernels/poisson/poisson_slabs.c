/* SPDX-License-Identifier: MIT */
/* Implementation of poisson_slabs.h; called by poisson_lanes.c. */
#include "poisson_slabs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The driver, the program's context and a screen have the rest; CUDA's devices call all of their memory free. */
#define USABLE_PART 0.95

double
debye_poisson_usable_memory(const DebyeDeviceEntry *device)
{
  return USABLE_PART * (double)device->info.memory_free;
}

/* The last slab has an odd number of planes. */
static size_t
least_planes(size_t number, size_t n)
{
  return number + 1 == n ? 3 : 2;
}

static size_t
count_planes(const DebyePoissonSettings *settings)
{
  return settings->shape[2] - 2;
}

static uint64_t
bytes_of(const DebyePoissonSettings *settings, const DebyeDeviceEntry *device)
{
  return device->backend->poisson->head.bytes_needed(device->device, settings);
}

/* Of a device alone. */
static bool
has_room(const DebyeDeviceEntry *device, DebyePoissonRoom room, uint64_t bytes)
{
  return (room.limit == 0 || bytes <= room.limit) &&
         (double)bytes <= room.part * debye_poisson_usable_memory(device);
}

static bool
can_have_slabs(const DebyePoissonSettings *settings)
{
  size_t shapes[DEBYE_POISSON_MAX_LEVELS][3];
  const bool *periodic = settings->periodic;
  return settings->n_atoms > 0 && !periodic[0] && !periodic[1] && !periodic[2] &&
         debye_poisson_levels(settings->shape, periodic, shapes) > 1;
}

size_t
debye_poisson_slabs_find(const DebyePoissonSettings *settings, const DebyeDeviceEntry *const *devices,
                         size_t n_devices, const DebyeDeviceEntry **found)
{
  size_t n = 0;
  for (size_t i = 0; i < n_devices && can_have_slabs(settings); i++) {
    const DebyePoissonKernel *kernel = devices[i]->backend->poisson;
    if (!debye_device_is_cpu(devices[i]) && kernel != NULL && n < kernel->max_slabs &&
        n < DEBYE_POISSON_MAX_SLABS && (n == 0 || devices[i]->backend == found[0]->backend))
      found[n++] = devices[i];
  }
  return n;
}

/* What slab `number` of n needs with so many planes; the others have those that are left. */
static uint64_t
bytes_of_slab(DebyePoissonSettings *settings, const DebyeDeviceEntry *const *devices, size_t number,
              size_t planes)
{
  DebyePoissonSlabs *slabs = &settings->slabs;
  const size_t rest = number + 1 == slabs->n ? 0 : slabs->n - 1;
  size_t left = count_planes(settings) - planes;
  for (size_t i = 0; i < slabs->n; i++) {
    slabs->planes[i] = i == number ? planes : least_planes(i, slabs->n);
    left -= i == number ? 0 : slabs->planes[i];
  }
  slabs->planes[rest] += left;
  return bytes_of(settings, devices[number]);
}

/* Planes that there is room for, 0 where there is none for the least. */
static size_t
most_planes(DebyePoissonSettings *settings, const DebyeDeviceEntry *const *devices, size_t number,
            DebyePoissonRoom room)
{
  const size_t n = settings->slabs.n, least = least_planes(number, n);
  /* In steps of two: all but the least of the others. */
  size_t low = 0, high = (count_planes(settings) - 2 * (n - 1) - 3) / 2;
  if (!has_room(devices[number], room, bytes_of_slab(settings, devices, number, least)))
    return 0;
  while (low < high) {
    const size_t middle = (low + high + 1) / 2;
    if (has_room(devices[number], room, bytes_of_slab(settings, devices, number, least + 2 * middle)))
      low = middle;
    else
      high = middle - 1;
  }
  return least + 2 * low;
}

/* Two planes at a time to the slab that has the fewest. False: there is no room for all of them. */
static bool
share_planes(const DebyePoissonSettings *settings, const size_t *most, DebyePoissonSlabs *slabs)
{
  size_t left = count_planes(settings);
  for (size_t i = 0; i < slabs->n; i++) {
    slabs->planes[i] = least_planes(i, slabs->n);
    left -= slabs->planes[i];
  }
  for (; left > 0; left -= 2) {
    size_t to = slabs->n;
    for (size_t i = 0; i < slabs->n; i++)
      if (slabs->planes[i] + 2 <= most[i] && (to == slabs->n || slabs->planes[i] < slabs->planes[to]))
        to = i;
    if (to == slabs->n)
      return false;
    slabs->planes[to] += 2;
  }
  return true;
}

/* On the first n of the devices. *small: the first that hasn't the room for the least slab; n: all have. */
static bool
choose_of(const DebyePoissonSettings *settings, const DebyeDeviceEntry *const *devices, size_t n,
          DebyePoissonRoom room, DebyePoissonSlabs *slabs, size_t *small)
{
  DebyePoissonSettings tried = *settings;
  size_t most[DEBYE_POISSON_MAX_SLABS];
  *small = n;
  tried.slabs.n = (unsigned)n;
  if (count_planes(settings) < 2 * (n - 1) + 3)
    return false;
  for (size_t i = 0; i < n; i++)
    tried.slabs.device[i] = devices[i]->device;
  for (size_t i = 0; i < n; i++) {
    most[i] = most_planes(&tried, devices, i, room);
    if (most[i] == 0) {
      *small = i;
      return false;
    }
  }
  *slabs = tried.slabs;
  return share_planes(settings, most, slabs);
}

bool
debye_poisson_slabs_choose(const DebyePoissonSettings *settings, const DebyeDeviceEntry *const *devices,
                           size_t n_devices, DebyePoissonRoom room, DebyePoissonSlabs *slabs)
{
  const DebyeDeviceEntry *found[DEBYE_POISSON_MAX_SLABS];
  DebyePoissonSettings alone = *settings;
  *slabs = alone.slabs = (DebyePoissonSlabs){.n = 0};
  for (size_t i = 0; i < n_devices; i++)
    if (!debye_device_is_cpu(devices[i]) && devices[i]->backend->poisson != NULL &&
        has_room(devices[i], room, bytes_of(&alone, devices[i])))
      return true;
  size_t n_found = debye_poisson_slabs_find(&alone, devices, n_devices, found), n = 2, small;
  while (n <= n_found) {
    if (choose_of(&alone, found, n, room, slabs, &small))
      return true;
    /* A device with too little for any slab doesn't keep those behind it from theirs. */
    if (small < n)
      memmove(found + small, found + small + 1, (--n_found - small) * sizeof *found);
    else
      n++;
  }
  *slabs = alone.slabs;
  return false;
}

uint64_t
debye_poisson_slabs_sum_bytes(const DebyePoissonSettings *settings, const DebyeBackend *backend)
{
  uint64_t sum = 0;
  for (unsigned i = 0; i < settings->slabs.n; i++) {
    const uint64_t bytes = backend->poisson->head.bytes_needed(settings->slabs.device[i], settings);
    sum = bytes > UINT64_MAX - sum ? UINT64_MAX : sum + bytes;
  }
  return sum;
}

uint64_t
debye_poisson_slabs_bytes(const DebyePoissonSettings *settings, const DebyeDeviceEntry *const *devices,
                          size_t n_devices)
{
  const DebyeDeviceEntry *found[DEBYE_POISSON_MAX_SLABS];
  DebyePoissonSettings together = *settings;
  size_t most[DEBYE_POISSON_MAX_SLABS];
  const size_t n = debye_poisson_slabs_find(settings, devices, n_devices, found);
  if (n < 2 || count_planes(settings) < 2 * (n - 1) + 3)
    return UINT64_MAX;
  together.slabs.n = (unsigned)n;
  for (size_t i = 0; i < n; i++) {
    together.slabs.device[i] = found[i]->device;
    most[i] = count_planes(settings);
  }
  share_planes(settings, most, &together.slabs);
  return debye_poisson_slabs_sum_bytes(&together, found[0]->backend);
}

bool
debye_poisson_slabs_has(const DebyePoissonSlabs *slabs, const DebyeBackend *backend,
                        const DebyeDeviceEntry *device)
{
  for (unsigned i = 0; i < slabs->n; i++)
    if (device->backend == backend && device->device == slabs->device[i])
      return true;
  return false;
}

static void
append(char *text, size_t size, const char *more)
{
  const size_t length = strlen(text);
  snprintf(text + length, size - length, "%s%s", length > 0 ? " + " : "", more);
}

/* "2 × NVIDIA H200" where all are alike, "cuda:0+1". */
DebyeDeviceEntry *
debye_poisson_slabs_join(const DebyePoissonSlabs *slabs, const DebyeDeviceEntry *const *devices,
                         size_t n_devices)
{
  DebyeDeviceEntry *joined = calloc(1, sizeof *joined);
  const DebyeDeviceEntry *first = NULL;
  bool are_alike = true;
  for (unsigned slab = 0; slab < slabs->n && joined != NULL; slab++)
    for (size_t i = 0; i < n_devices; i++) {
      const DebyeDeviceEntry *device = devices[i];
      if (debye_device_is_cpu(device) || device->device != slabs->device[slab] ||
          device->backend->poisson == NULL || device->backend->poisson->max_slabs == 0)
        continue;
      if (slab == 0) {
        first = device;
        *joined = *device;
      } else {
        const size_t length = strlen(joined->info.id);
        snprintf(joined->info.id + length, sizeof joined->info.id - length, "+%d", device->device);
        are_alike &= first != NULL && strcmp(first->info.name, device->info.name) == 0;
        append(joined->info.name, sizeof joined->info.name, device->info.name);
      }
      break;
    }
  if (joined == NULL || first == NULL) {
    free(joined);
    return NULL;
  }
  if (are_alike)
    snprintf(joined->info.name, sizeof joined->info.name, "%u × %.80s", slabs->n, first->info.name);
  return joined;
}
