/* SPDX-License-Identifier: MIT */
/* The registry: modules that are wrong in every way are listed with their reason, and devices are chosen by
 * text. The folder of wrong modules is the argument. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/registry.h"
#include "tests/support/check.h"
#include "tests/support/fake_backend.h"

static const DebyeDeviceEntry *
find(const DebyeRegistry *registry, const char *id)
{
  for (size_t i = 0; i < debye_registry_get_count(registry); i++)
    if (strcmp(debye_registry_get(registry, i)->info.id, id) == 0)
      return debye_registry_get(registry, i);
  return NULL;
}

static void
check_reason(const DebyeRegistry *registry, const char *file, const char *word)
{
  debye_check_subject("%s", file);
  const DebyeDeviceEntry *entry = NULL;
  for (size_t i = 0; i < debye_registry_get_count(registry); i++) {
    const DebyeDeviceEntry *candidate = debye_registry_get(registry, i);
    if (strcmp(candidate->info.name, file) == 0 ||
        (candidate->backend != NULL && strcmp(candidate->backend->name, file) == 0))
      entry = candidate;
  }
  CHECK(entry != NULL);
  if (entry == NULL)
    return;
  CHECK(entry->device == -1);
  CHECK_THAT(strstr(entry->reason, word) != NULL, "“%s” was expected in the reason “%s”", word,
             entry->reason);
}

static void
test_wrong_modules(const char *folder)
{
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, folder);
  check_reason(registry, "debye-wrong_abi.so", "interface 4711");
  char ours[64];
  snprintf(ours, sizeof ours, "this program has interface %d", DEBYE_BACKEND_ABI);
  check_reason(registry, "debye-wrong_abi.so", ours);
  check_reason(registry, "debye-no_symbol.so", "no debye_backend_module");
  check_reason(registry, "garbage.so", "can't be loaded");
  check_reason(registry, "absent", "The driver went fishing.");
  debye_check_subject("wrong modules");
  CHECK(debye_registry_get_count(registry) == 5);

  const DebyeDeviceEntry *entries[4];
  DebyeStatus status;
  CHECK(debye_registry_choose(registry, "absent", entries, 4, &status) == 0);
  CHECK(strstr(status.text, "went fishing") != NULL);
  CHECK(debye_registry_choose(registry, "absent:0", entries, 4, &status) == 0);
  CHECK(strstr(status.text, "“absent:0” can't be used. The driver went fishing.") != NULL);
  CHECK(debye_registry_choose(registry, "wrong_abi", entries, 4, &status) == 0);
  CHECK(strstr(status.text, "interface 4711") != NULL);
  CHECK(debye_registry_choose(registry, "auto", entries, 4, &status) == 1);
  CHECK(strcmp(entries[0]->info.id, "cpu") == 0);
  debye_registry_free(registry);
}

static void
test_folders(void)
{
  debye_check_subject("folders");
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, "/nowhere/at/all");
  CHECK(debye_registry_get_count(registry) == 1);
  debye_registry_free(registry);
  registry = debye_registry_new(&debye_backend_cpu, "relative/folder");
  CHECK(debye_registry_get_count(registry) == 2);
  CHECK(strstr(debye_registry_get(registry, 1)->reason, "absolute") != NULL);
  debye_registry_free(registry);
  registry = debye_registry_new(&debye_backend_cpu, NULL);
  CHECK(debye_registry_get_count(registry) == 1);
  CHECK(debye_registry_get(registry, 1) == NULL);
  const DebyeDeviceEntry *cpu = debye_registry_get(registry, 0);
  CHECK(cpu->info.units > 0 && cpu->info.memory_total > 0 && cpu->info.score > 0.0 &&
        cpu->info.name[0] != '\0');
  debye_registry_free(registry);
}

static void
check_choice(const DebyeRegistry *registry, const char *text, const char *expected)
{
  const DebyeDeviceEntry *entries[3];
  DebyeStatus status;
  char found[100] = "";
  size_t n = debye_registry_choose(registry, text, entries, 3, &status);
  for (size_t i = 0; i < n; i++) {
    strcat(found, i > 0 ? " " : "");
    strcat(found, entries[i]->info.id);
  }
  CHECK_THAT(strcmp(found, expected) == 0, "“%s” gave “%s”, “%s” was expected (%s)", text, found, expected,
             status.text);
  CHECK((n == 0) == (status.code != DEBYE_STATUS_OK) && (n == 0) == (status.text[0] != '\0'));
}

static void
test_choice(void)
{
  debye_check_subject("choice");
  debye_fake_reset(3);
  debye_fake_device(0)->score = 1e15;
  debye_fake_device(1)->score = 3e15;
  debye_fake_device(2)->score = 2e15;
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, NULL);
  debye_registry_add(registry, &debye_fake_backend);
  CHECK(find(registry, "fake:2") != NULL);
  check_choice(registry, "fake", "fake:1 fake:2 fake:0");
  check_choice(registry, "auto", "fake:1 fake:2 fake:0"); /* room for three: the slowest stays out */
  check_choice(registry, "cpu", "cpu");
  check_choice(registry, "cpu,fake:0", "fake:0 cpu");
  check_choice(registry, " fake:0 , cpu ", "fake:0 cpu");
  check_choice(registry, "fake:0,cpu,fake:0", "");
  check_choice(registry, "fake,fake:2", "");
  check_choice(registry, "fake:7", "");
  check_choice(registry, "cuda", "");
  check_choice(registry, "cpu,", "");
  check_choice(registry, "", "");
  const DebyeDeviceEntry *entry;
  DebyeStatus status;
  CHECK(debye_registry_choose(registry, "fake:7", &entry, 1, &status) == 0);
  CHECK(strstr(status.text, "fake:7") != NULL && strstr(status.text, "cpu, fake:0, fake:1, fake:2") != NULL);
  CHECK(status.code == DEBYE_STATUS_UNSUPPORTED);
  CHECK(debye_registry_choose(registry, "cuda:0", &entry, 1, &status) == 0);
  CHECK(strcmp(status.text,
               "The module of “cuda:0” is not installed; there are: cpu, fake:0, fake:1, fake:2.") == 0);
  CHECK(status.code == DEBYE_STATUS_UNSUPPORTED);
  CHECK(debye_registry_choose(registry, "abacus", &entry, 1, &status) == 0);
  CHECK(status.code == DEBYE_STATUS_INVALID);
  debye_registry_free(registry);
}

/* The CUDA module, where it was built: either there are devices, or it says why not. */
static void
test_installed(const char *folder)
{
  debye_check_subject("modules of this build");
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, folder);
  CHECK(debye_registry_get_count(registry) > 1);
  for (size_t i = 0; i < debye_registry_get_count(registry); i++) {
    const DebyeDeviceEntry *entry = debye_registry_get(registry, i);
    CHECK(entry->backend != NULL);
    CHECK((entry->device >= 0) == (entry->reason[0] == '\0'));
    /* CUDA's own words, also where there is no driver. */
    CHECK(strstr(entry->reason, "driver version is insufficient") == NULL);
  }
  debye_registry_free(registry);
}

int
main(int argc, char **argv)
{
  CHECK(argc == 2);
  if (argc == 2)
    test_wrong_modules(argv[1]);
  test_folders();
  test_choice();
  if (getenv("DEBYE_BACKEND_DIR") != NULL)
    test_installed(getenv("DEBYE_BACKEND_DIR"));
  return debye_check_finish();
}
