/* SPDX-License-Identifier: MIT */
/* debye-cli devices: lists devices, and why others are not used; listed by command_list.c. */
#include <stdio.h>

#include "app/analysis/driver/memory_size.h"
#include "cli_work.h"
#include "arguments.h"
#include "app/installation/installation.h"
#include "app/document/json_writer.h"
#include "kernels/cpu/backend_cpu.h"

static const char *
get_id(const DebyeDeviceEntry *entry)
{
  if (entry->device >= 0)
    return entry->info.id;
  return entry->backend != NULL ? entry->backend->name : "module";
}

static void
add_entry(DebyeJson *json, const DebyeDeviceEntry *entry)
{
  gboolean usable = entry->reason[0] == '\0';
  debye_json_open(json, NULL, '{');
  debye_json_string(json, "id", get_id(entry));
  debye_json_string(json, "backend", entry->backend != NULL ? entry->backend->name : NULL);
  debye_json_boolean(json, "usable", usable);
  debye_json_string(json, "reason", usable ? NULL : entry->reason);
  if (entry->device >= 0) {
    debye_json_string(json, "name", entry->info.name);
    debye_json_integer(json, "units", entry->info.units);
    debye_json_integer(json, "memory_total", (gint64)entry->info.memory_total);
    debye_json_integer(json, "memory_free", (gint64)entry->info.memory_free);
    debye_json_number(json, "pairs_per_second", entry->info.score);
  }
  debye_json_close(json, '}');
}

static void
print_json(const DebyeRegistry *registry)
{
  g_auto(DebyeJson) json = debye_json_begin();
  debye_json_open(&json, "devices", '[');
  for (gsize i = 0; i < debye_registry_get_count(registry); i++)
    add_entry(&json, debye_registry_get(registry, i));
  debye_json_close(&json, ']');
  debye_json_string(&json, "module_folder", debye_installation_get_backend_dir());
  debye_json_print(&json);
}

static void
print_entry(const DebyeDeviceEntry *entry)
{
  if (entry->device < 0) {
    printf("%-8s not used: %s\n", get_id(entry), entry->reason);
    return;
  }
  g_autofree char *memory = debye_memory_size_to_string(entry->info.memory_total);
  g_autofree char *available = debye_memory_size_to_string(entry->info.memory_free);
  printf("%-8s %s, %u unit%s, %s (%s free)\n", entry->info.id, entry->info.name, entry->info.units,
         entry->info.units == 1 ? "" : "s", memory, available);
  if (entry->reason[0] != '\0')
    printf("%-8s not used: %s\n", "", entry->reason);
}

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  (void)error;
  g_autoptr(DebyeRegistry) registry =
      debye_registry_new(&debye_backend_cpu, debye_installation_get_backend_dir());
  if (debye_arguments_get_options(arguments).json) {
    print_json(registry);
    return TRUE;
  }
  for (gsize i = 0; i < debye_registry_get_count(registry); i++)
    print_entry(debye_registry_get(registry, i));
  if (debye_registry_get_count(registry) == 1)
    printf("No back end modules in %s\n", debye_installation_get_backend_dir());
  return TRUE;
}

const DebyeCommand debye_command_devices = {
    .name = "devices",
    .operands = "",
    .summary = "Lists the devices, and why some are not used",
    .description = "The CPU is always available. Other back ends are modules in one folder; the environment "
                   "variable DEBYE_BACKEND_DIR sets another.",
    .least_operands = 0,
    .max_operands = 0,
    .writes_no_file = TRUE,
    .run = run,
};
