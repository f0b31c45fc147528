/* SPDX-License-Identifier: MIT */
/* Implementation of registry.h: lists back ends and devices for both programs, with the reason for each that
 * can't be used. */
#include "registry.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct DebyeRegistry {
  const DebyeBackend *cpu;
  DebyeDeviceEntry **entries; /* each allocated: pointers handed out stay valid when more are added */
  size_t n_entries;
  unsigned threads; /* 0: one a core */
};

bool
debye_device_is_cpu(const DebyeDeviceEntry *device)
{
  return strcmp(device->backend->name, DEBYE_BACKEND_CPU) == 0;
}

static DebyeDeviceEntry *
add_entry(DebyeRegistry *registry, const DebyeBackend *backend, int device)
{
  size_t n = registry->n_entries;
  DebyeDeviceEntry **grown = realloc(registry->entries, (n + 1) * sizeof(DebyeDeviceEntry *));
  if (grown == NULL)
    return NULL;
  registry->entries = grown;
  DebyeDeviceEntry *entry = calloc(1, sizeof *entry);
  if (entry == NULL)
    return NULL;
  entry->backend = backend;
  entry->device = device;
  entry->cpu = registry->cpu;
  registry->entries[registry->n_entries++] = entry;
  return entry;
}

static void
set_reason(DebyeDeviceEntry *entry, const DebyeStatus *status)
{
  memcpy(entry->reason, status->text, sizeof entry->reason);
  snprintf(entry->message, sizeof entry->message, "%s",
           status->message[0] != '\0' ? status->message : status->text);
}

void
debye_registry_add(DebyeRegistry *registry, const DebyeBackend *backend)
{
  DebyeStatus status = {0};
  int n_devices = backend->device_count(&status);
  if (n_devices <= 0) {
    DebyeDeviceEntry *entry = add_entry(registry, backend, -1);
    if (entry == NULL)
      return;
    snprintf(entry->info.name, sizeof entry->info.name, "%s", backend->title);
    snprintf(entry->info.id, sizeof entry->info.id, "%.16s", backend->name);
    if (status.text[0] == '\0')
      debye_status_set(&status, DEBYE_STATUS_UNSUPPORTED, "It found no device.");
    set_reason(entry, &status);
    return;
  }
  for (int device = 0; device < n_devices; device++) {
    DebyeDeviceEntry *entry = add_entry(registry, backend, device);
    if (entry == NULL)
      return;
    if (backend->device_info(device, &entry->info, &status) != DEBYE_STATUS_OK) {
      if (status.text[0] == '\0')
        debye_status_set(&status, DEBYE_STATUS_DEVICE_FAILED, "The device gives no information.");
      set_reason(entry, &status);
    }
    if (entry->info.id[0] == '\0')
      snprintf(entry->info.id, sizeof entry->info.id, "%.12s:%d", backend->name, device);
  }
}

/* An entry for a module that gave no back end: its file's name stands in for the device's, "debye-x.so" as
 * "x". */
static void
add_refused(DebyeRegistry *registry, const char *file, const DebyeStatus *status)
{
  DebyeDeviceEntry *entry = add_entry(registry, NULL, -1);
  if (entry == NULL)
    return;
  const char *start = strncmp(file, "debye-", 6) == 0 ? file + 6 : file;
  size_t length = strcspn(start, ".");
  snprintf(entry->info.name, sizeof entry->info.name, "%s", file);
  snprintf(entry->info.id, sizeof entry->info.id, "%.*s", (int)length, start);
  set_reason(entry, status);
}

static void
load_module(DebyeRegistry *registry, const char *folder, const char *file)
{
  DebyeStatus status = {0};
  size_t size = strlen(folder) + strlen(file) + 2;
  char *path = malloc(size);
  if (path == NULL)
    return;
  snprintf(path, size, "%s/%s", folder, file);
  void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  free(path);
  if (module == NULL) {
    debye_status_set(&status, DEBYE_STATUS_UNSUPPORTED, "The module can't be loaded: %s.", dlerror());
    add_refused(registry, file, &status);
    return;
  }
  /* POSIX lets a data pointer hold a function's address; C does not convert one, so it is copied. */
  DebyeBackendModule get_backend = NULL;
  void *symbol = dlsym(module, DEBYE_BACKEND_SYMBOL);
  memcpy(&get_backend, &symbol, sizeof get_backend);
  const DebyeBackend *backend = get_backend != NULL ? get_backend() : NULL;
  if (backend == NULL) {
    debye_status_set(&status, DEBYE_STATUS_UNSUPPORTED, "The file is not a module of Debye: it has no %s.",
                     DEBYE_BACKEND_SYMBOL);
    add_refused(registry, file, &status);
    dlclose(module);
  } else if (backend->abi != DEBYE_BACKEND_ABI) {
    debye_status_set(&status, DEBYE_STATUS_UNSUPPORTED,
                     "The module was built for interface %u, this program has interface %u.", backend->abi,
                     (unsigned)DEBYE_BACKEND_ABI);
    add_refused(registry, file, &status);
    dlclose(module);
  } else {
    debye_registry_add(registry, backend);
  }
}

static int
is_module(const struct dirent *file)
{
  size_t length = strlen(file->d_name);
  return length > 3 && file->d_name[0] != '.' && strcmp(file->d_name + length - 3, ".so") == 0;
}

/* In the order of their names, so that the list is the same on every file system. A folder that is not there
 * holds no modules: programs are installed without any. */
static void
load_folder(DebyeRegistry *registry, const char *folder)
{
  if (folder[0] != '/') {
    DebyeStatus status;
    debye_status_set(&status, DEBYE_STATUS_INVALID, "The folder of the modules must be an absolute path.");
    add_refused(registry, folder, &status);
    return;
  }
  struct dirent **files;
  int n_files = scandir(folder, &files, is_module, alphasort);
  if (n_files < 0)
    return;
  for (int i = 0; i < n_files; i++) {
    load_module(registry, folder, files[i]->d_name);
    free(files[i]);
  }
  free(files);
}

DebyeRegistry *
debye_registry_new(const DebyeBackend *cpu, const char *folder)
{
  DebyeRegistry *registry = calloc(1, sizeof *registry);
  if (registry == NULL)
    return NULL;
  registry->cpu = cpu;
  debye_registry_add(registry, cpu);
  if (folder != NULL)
    load_folder(registry, folder);
  return registry;
}

void
debye_registry_free(DebyeRegistry *registry)
{
  if (registry == NULL)
    return;
  for (size_t i = 0; i < registry->n_entries; i++)
    free(registry->entries[i]);
  free(registry->entries);
  free(registry);
}

size_t
debye_registry_get_count(const DebyeRegistry *registry)
{
  return registry->n_entries;
}

const DebyeDeviceEntry *
debye_registry_get(const DebyeRegistry *registry, size_t index)
{
  return index < registry->n_entries ? registry->entries[index] : NULL;
}

static bool
is_usable(const DebyeDeviceEntry *entry)
{
  return entry->backend != NULL && entry->device >= 0 && entry->reason[0] == '\0';
}

/* --- Processes of one machine --- */

static size_t
count_accelerators(const DebyeRegistry *registry)
{
  size_t n = 0;
  for (size_t i = 0; i < registry->n_entries; i++)
    n += is_usable(registry->entries[i]) && !debye_device_is_cpu(registry->entries[i]);
  return n;
}

/* Whoever started the processes may have given each its own cores already. */
static void
share_processor(DebyeRegistry *registry, DebyeDeviceEntry *cpu, unsigned n_processes)
{
  const bool has_all = (long)cpu->info.units >= sysconf(_SC_NPROCESSORS_ONLN);
  if (!has_all || cpu->info.units == 0)
    return;
  const unsigned n = cpu->info.units / n_processes > 0 ? cpu->info.units / n_processes : 1;
  cpu->info.score *= (double)n / cpu->info.units;
  cpu->info.units = registry->threads = n;
}

void
debye_registry_share(DebyeRegistry *registry, unsigned process, unsigned n_processes)
{
  const size_t n_accelerators = count_accelerators(registry);
  size_t number = 0;
  for (size_t i = 0; i < registry->n_entries && n_processes > 1; i++) {
    DebyeDeviceEntry *entry = registry->entries[i];
    if (!is_usable(entry))
      continue;
    if (debye_device_is_cpu(entry)) {
      share_processor(registry, entry, n_processes);
      continue;
    }
    const bool is_own =
        n_accelerators >= n_processes ? number % n_processes == process : number == process % n_accelerators;
    if (!is_own) {
      DebyeStatus status;
      debye_status_set(&status, DEBYE_STATUS_UNSUPPORTED, "Another process on this machine uses it.");
      set_reason(entry, &status);
    }
    number++;
  }
}

unsigned
debye_registry_get_threads(const DebyeRegistry *registry)
{
  return registry->threads;
}

/* --- Choosing --- */

static bool
equals(const char *text, const char *word, size_t length)
{
  return strlen(text) == length && strncmp(text, word, length) == 0;
}

/* The length of the back end's name: of "cuda:1" that of "cuda". */
static size_t
length_of_backend(const char *word, size_t length)
{
  const char *colon = memchr(word, ':', length);
  return colon != NULL ? (size_t)(colon - word) : length;
}

/* "cuda" names all devices of the back end, "cuda:1" one; where it has none, what keeps it from having any is
 * the reason for each. A refused module goes by its file's name. */
static bool
is_named(const DebyeDeviceEntry *entry, const char *word, size_t length)
{
  if (entry->device < 0)
    length = length_of_backend(word, length);
  return equals(entry->info.id, word, length) ||
         (entry->backend != NULL && equals(entry->backend->name, word, length));
}

typedef struct {
  const DebyeDeviceEntry **entries;
  size_t n, max;
} Choice;

static bool
has_entry(const Choice *choice, const DebyeDeviceEntry *entry)
{
  for (size_t i = 0; i < choice->n; i++)
    if (choice->entries[i] == entry)
      return true;
  return false;
}

/* Sorted into its place by score; of a choice that is full the slowest goes. */
static void
choose_entry(Choice *choice, const DebyeDeviceEntry *entry)
{
  size_t at = choice->n;
  while (at > 0 && choice->entries[at - 1]->info.score < entry->info.score)
    at--;
  if (at == choice->max)
    return;
  size_t last = choice->n < choice->max ? choice->n++ : choice->max - 1;
  memmove(choice->entries + at + 1, choice->entries + at, (last - at) * sizeof(const DebyeDeviceEntry *));
  choice->entries[at] = entry;
}

/* What could have been named instead: "cpu, cuda:0". */
static void
list_usable(const DebyeRegistry *registry, char *text, size_t size)
{
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < registry->n_entries && used < size; i++)
    if (is_usable(registry->entries[i]))
      used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "",
                               registry->entries[i]->info.id);
}

static bool
has_backend(const DebyeRegistry *registry, const char *word, size_t length)
{
  for (size_t i = 0; i < registry->n_entries; i++) {
    const DebyeBackend *backend = registry->entries[i]->backend;
    if (backend != NULL && equals(backend->name, word, length_of_backend(word, length)))
      return true;
  }
  return false;
}

static void
set_no_device(const DebyeRegistry *registry, const char *word, size_t length, int shown, DebyeStatus *status)
{
  char usable[120];
  bool is_here = has_backend(registry, word, length);
  list_usable(registry, usable, sizeof usable);
  if (!is_here && equals("cuda", word, length_of_backend(word, length)))
    debye_status_set(status, DEBYE_STATUS_UNSUPPORTED,
                     "The module of “%.*s” is not installed; there are: %s.", shown, word, usable);
  else
    debye_status_set(status, is_here ? DEBYE_STATUS_UNSUPPORTED : DEBYE_STATUS_INVALID,
                     "There is no device “%.*s” here; there are: %s.", shown, word, usable);
}

static bool
choose_word(const DebyeRegistry *registry, const char *word, size_t length, Choice *choice,
            DebyeStatus *status)
{
  const DebyeDeviceEntry *refused = NULL;
  bool found = false;
  for (size_t i = 0; i < registry->n_entries; i++) {
    const DebyeDeviceEntry *entry = registry->entries[i];
    if (!equals("auto", word, length) && !is_named(entry, word, length))
      continue;
    if (has_entry(choice, entry)) {
      debye_status_set(status, DEBYE_STATUS_INVALID, "“%s” is named twice, expected each device once.",
                       entry->info.id);
      return false;
    }
    if (is_usable(entry)) {
      choose_entry(choice, entry);
      found = true;
    } else {
      refused = entry;
    }
  }
  if (found)
    return true;
  int shown = length < 40 ? (int)length : 40;
  if (refused != NULL)
    debye_status_set(status, DEBYE_STATUS_UNSUPPORTED, "“%.*s” can't be used. %s", shown, word,
                     refused->message);
  else
    set_no_device(registry, word, length, shown, status);
  return false;
}

size_t
debye_registry_choose(const DebyeRegistry *registry, const char *text, const DebyeDeviceEntry **entries,
                      size_t max, DebyeStatus *status)
{
  Choice choice = {.entries = entries, .max = max};
  debye_status_ok(status);
  for (const char *word = text;; word++) {
    word += strspn(word, " ");
    size_t length = strcspn(word, ",");
    size_t trimmed = length;
    while (trimmed > 0 && word[trimmed - 1] == ' ')
      trimmed--;
    if (!choose_word(registry, word, trimmed, &choice, status))
      return 0;
    word += length;
    if (*word == '\0')
      return choice.n;
  }
}
