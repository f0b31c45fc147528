/* SPDX-License-Identifier: MIT */
/* Finds the memory that this process may still take; called by the CPU back end and the plans of analyses.
 * Linux' files about memory: proc(5), and "Control Group v2" and "Memory Resource Controller" of the kernel's
 * documentation. */
#include "host_memory.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LARGE_BLOCK ((size_t)16 << 20)
#define MAX_PATH 4096

/* Only a wish, of the whole pages. */
void
debye_host_memory_prefer_large_pages(void *block, size_t bytes)
{
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  const uintptr_t first = ((uintptr_t)block + page - 1) / page * page,
                  end = ((uintptr_t)block + bytes) / page * page;
  if (block != NULL && bytes >= LARGE_BLOCK)
    (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
}

/* The two versions' names. */
typedef struct {
  const char *controllers; /* of the group's line in `membership` */
  const char *folder;      /* below `root` */
  const char *limit, *use, *unused_files;
} GroupVersion;

static const GroupVersion versions[] = {
    {"", "", "memory.max", "memory.current", "inactive_file"},
    {"memory", "/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"},
};

/* False where there is no such file, or no number in it: "max". */
static bool
read_number(const char *folder, const char *name, uint64_t *number)
{
  char path[MAX_PATH + 64];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "r");
  if (file == NULL)
    return false;
  const bool ok = fscanf(file, "%" SCNu64, number) == 1;
  fclose(file);
  return ok;
}

/* The number behind a line's first word; 0 where there is none. */
static uint64_t
read_entry(const char *path, const char *name)
{
  FILE *file = fopen(path, "r");
  char word[64];
  uint64_t number = 0, found = 0;
  while (file != NULL && found == 0 && fscanf(file, "%63s %" SCNu64 "%*[^\n]", word, &number) == 2)
    found = strcmp(word, name) == 0 ? number : 0;
  if (file != NULL)
    fclose(file);
  return found;
}

static uint64_t
left_in_group(const GroupVersion *version, const char *folder)
{
  char statistics[MAX_PATH + 64];
  uint64_t limit, use;
  if (!read_number(folder, version->limit, &limit) || !read_number(folder, version->use, &use))
    return UINT64_MAX;
  snprintf(statistics, sizeof statistics, "%s/memory.stat", folder);
  const uint64_t unused = read_entry(statistics, version->unused_files);
  use -= unused < use ? unused : use;
  return use < limit ? limit - use : 0;
}

/* Of the group and all around it, up to the root, which in a container is its own group. */
static uint64_t
left_in_groups(const GroupVersion *version, const char *root, const char *group)
{
  char folder[MAX_PATH];
  const size_t root_length = strlen(root) + strlen(version->folder);
  uint64_t least = UINT64_MAX;
  snprintf(folder, sizeof folder, "%s%s%s", root, version->folder, group);
  for (;;) {
    const uint64_t left = left_in_group(version, folder);
    char *last = strrchr(folder, '/');
    least = left < least ? left : least;
    if (last == NULL || (size_t)(last - folder) < root_length)
      return least;
    *last = '\0';
  }
}

/* One of the words between commas. */
static bool
has_controller(const char *controllers, const char *name)
{
  const size_t length = strlen(name);
  for (const char *word = controllers; word != NULL; word = strchr(word, ',')) {
    word += *word == ',';
    if (strncmp(word, name, length) == 0 && (word[length] == '\0' || word[length] == ','))
      return true;
  }
  return false;
}

uint64_t
debye_host_memory_left_in_groups(const char *membership, const char *root)
{
  FILE *file = fopen(membership, "r");
  char line[MAX_PATH];
  uint64_t least = UINT64_MAX;
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    /* number:controllers:path */
    char *controllers = strchr(line, ':'), *path = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
    if (path == NULL)
      continue;
    *path++ = '\0';
    path[strcspn(path, "\n")] = '\0';
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
      if (!has_controller(controllers + 1, versions[i].controllers))
        continue;
      const uint64_t left = left_in_groups(&versions[i], root, path);
      least = left < least ? left : least;
    }
  }
  if (file != NULL)
    fclose(file);
  return least;
}

static uint64_t
half_of_all(void)
{
  const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? (uint64_t)pages * (uint64_t)bytes / 2 : 0;
}

uint64_t
debye_host_memory_available(void)
{
  const uint64_t kilobytes = read_entry("/proc/meminfo", "MemAvailable:");
  const uint64_t of_machine = kilobytes > 0 ? 1024 * kilobytes : half_of_all();
  const uint64_t of_groups = debye_host_memory_left_in_groups("/proc/self/cgroup", "/sys/fs/cgroup");
  return of_groups < of_machine ? of_groups : of_machine;
}
