/* SPDX-License-Identifier: MIT */
/* Chooses the devices of an analysis and writes its notes about them; called by all analyses that run
 * kernels. */
#include "device_choice.h"

#include <string.h>

#include "data/files/error.h"
#include "data/messages/message.h"
#include "kernels/sharing.h"

static gsize
find(const DebyeRegistry *registry, const DebyeLaneSettings *settings, const DebyeDeviceEntry **devices,
     GError **error)
{
  DebyeStatus status = {0};
  gsize n_devices = debye_registry_choose(registry, settings->device, devices, DEBYE_MAX_DEVICES, &status);
  if (n_devices == 0)
    debye_error_set_about(error,
                          status.code == DEBYE_STATUS_INVALID ? DEBYE_ERROR_SETTING : DEBYE_ERROR_DEVICE,
                          "Devices", "%s", status.message);
  return n_devices;
}

/* Of all back ends: the processor also works for devices. */
static void
limit_threads(const DebyeRegistry *registry, unsigned threads)
{
  for (gsize i = 0; i < debye_registry_get_count(registry); i++) {
    const DebyeBackend *backend = debye_registry_get(registry, i)->backend;
    if (backend != NULL && backend->set_threads != NULL)
      backend->set_threads(threads);
  }
}

gsize
debye_device_choose(const DebyeRegistry *registry, const DebyeLaneSettings *settings,
                    const DebyeDeviceEntry **devices, GError **error)
{
  const unsigned threads = (unsigned)settings->threads;
  limit_threads(registry, threads > 0 ? threads : debye_registry_get_threads(registry));
  return find(registry, settings, devices, error);
}

gsize
debye_device_find(const DebyeRegistry *registry, const DebyeLaneSettings *settings,
                  DebyeDeviceEntry *processor, const DebyeDeviceEntry **devices, GError **error)
{
  guint threads = (guint)settings->threads;
  gsize n_devices = find(registry, settings, devices, error);
  for (gsize i = 0; i < n_devices; i++) {
    if (!debye_device_is_cpu(devices[i]))
      continue;
    *processor = *devices[i];
    devices[i] = processor;
    if (threads == 0 || threads >= processor->info.units)
      continue;
    processor->info.score *= (double)threads / processor->info.units;
    processor->info.units = threads;
  }
  return n_devices;
}

guint
debye_device_count_threads(const DebyeRegistry *registry, const DebyeLaneSettings *settings)
{
  const guint asked = (guint)settings->threads, all = debye_registry_get_threads(registry);
  return asked > 0 ? asked : all > 0 ? all : g_get_num_processors();
}

char *
debye_device_choice_name(const DebyeDeviceEntry *const *devices, gsize n_devices)
{
  char *text = g_strdup("");
  for (gsize i = 0; i < n_devices; i++) {
    const unsigned n_cores = devices[i]->info.units;
    g_autofree char *before = text;
    g_autofree char *one = !debye_device_is_cpu(devices[i]) ? g_strdup(devices[i]->info.name)
                           : n_cores == 1                   ? g_strdup(N_("1 core"))
                                                            : debye_message_new("%u cores", n_cores);
    text = i == 0 ? g_steal_pointer(&one) : debye_message_new("%s + %s", before, one);
  }
  return text;
}

void
debye_device_choice_describe(const DebyeDeviceEntry *const *devices, gsize n_devices, DebyeEstimate *estimate)
{
  estimate->devices = debye_device_choice_name(devices, n_devices);
  estimate->is_accelerated = debye_sharing_count_accelerators(devices, n_devices) > 0;
}

void
debye_lane_totals_add(DebyeLaneTotals *totals, const DebyeLaneReport *reports, gsize n_reports)
{
  totals->n_lanes = MIN(n_reports, DEBYE_MAX_DEVICES);
  for (gsize i = 0; i < totals->n_lanes; i++) {
    gsize items = totals->lanes[i].items_done;
    double seconds = totals->lanes[i].busy_seconds;
    totals->lanes[i] = reports[i];
    totals->lanes[i].items_done += items;
    totals->lanes[i].busy_seconds += seconds;
  }
}

static void
add_lane(DebyeResult *result, const DebyeLaneReport *lane, const char *items)
{
  char busy[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(busy, sizeof busy, "%.3g", lane->busy_seconds);
  debye_result_add_note_of(result, DEBYE_NOTE_DEVICE, lane->device, "Device %s (%s): %zu %s in %s s",
                           lane->id, lane->device, lane->items_done, items, busy);
  if (lane->retired)
    debye_result_add_note(result, "Device %s failed and its work went to the others: %s", lane->id,
                          lane->message);
}

static gboolean
has_lane(const DebyeLaneTotals *totals, const char *id)
{
  for (gsize i = 0; i < totals->n_lanes; i++)
    if (strcmp(totals->lanes[i].id, id) == 0)
      return TRUE;
  return FALSE;
}

static void
add_unused(DebyeResult *result, const DebyeDeviceEntry *entry, gboolean was_used)
{
  const char *name = entry->device >= 0       ? entry->info.id
                     : entry->backend != NULL ? entry->backend->name
                                              : "module";
  if (entry->reason[0] != '\0')
    debye_result_add_note(result, "Not used: %s: %s", name, entry->message);
  else if (!was_used)
    debye_result_add_note(result, "Not used: %s (%s): other devices were asked for", name, entry->info.name);
}

void
debye_lane_totals_add_notes(const DebyeLaneTotals *totals, const DebyeRegistry *registry, const char *items,
                            DebyeResult *result)
{
  for (gsize i = 0; i < totals->n_lanes; i++)
    add_lane(result, &totals->lanes[i], items);
  for (gsize i = 0; i < debye_registry_get_count(registry); i++) {
    const DebyeDeviceEntry *entry = debye_registry_get(registry, i);
    /* Work without lanes is the processor's, whatever was asked for. */
    add_unused(result, entry, totals->n_lanes == 0 || has_lane(totals, entry->info.id));
  }
}

/* "node01: cuda:0 (NVIDIA H100) + cpu (AMD EPYC), 120 frames in 3.2 s". */
static char *
describe_process(const DebyeLaneTotals *totals, gsize n_items, const char *items, double seconds)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autoptr(GString) text = g_string_new(g_get_host_name());
  for (gsize i = 0; totals != NULL && i < totals->n_lanes; i++)
    g_string_append_printf(text, "%s%s (%s)", i > 0 ? " + " : ": ", totals->lanes[i].id,
                           totals->lanes[i].device);
  g_string_append_printf(text, ", %" G_GSIZE_FORMAT " %s in %s s", n_items, items,
                         g_ascii_formatd(number, sizeof number, "%.3g", seconds));
  return g_string_free(g_steal_pointer(&text), FALSE);
}

void
debye_lane_totals_add_process_notes(const DebyeLaneTotals *totals, const DebyeRanks *ranks, gsize n_items,
                                    const char *items, double seconds, DebyeResult *result)
{
  g_autofree char *own = describe_process(totals, n_items, items, seconds);
  g_auto(GStrv) all = ranks->gather(own);
  for (guint rank = 0; all[rank] != NULL; rank++)
    debye_result_add_note(result, "Process %u on %s", rank, all[rank]);
}

gboolean
debye_device_set_error(GError **error, const DebyeStatus *status)
{
  if (status->code == DEBYE_STATUS_CANCELLED)
    return debye_error_set(error, DEBYE_ERROR_STOPPED, "stopped before anything was finished");
  const DebyeError code = status->code == DEBYE_STATUS_NO_MEMORY ? DEBYE_ERROR_MEMORY
                          : status->code == DEBYE_STATUS_INVALID ? DEBYE_ERROR_VALUE
                                                                 : DEBYE_ERROR_DEVICE;
  return debye_error_set(error, code, "%s", status->message);
}

gboolean
debye_device_check(DebyeStatusCode code, const DebyeStatus *status, GError **error)
{
  return code == DEBYE_STATUS_OK || debye_device_set_error(error, status);
}

gboolean
debye_device_check_frame(DebyeStatusCode code, const DebyeStatus *status, const DebyeFrame *frame,
                         GError **error)
{
  if (code == DEBYE_STATUS_INVALID && frame != NULL)
    debye_error_set_about(error, DEBYE_ERROR_VALUE, "Frames", "frame %" G_GSIZE_FORMAT ": %s", frame->index,
                          status->message);
  else if (code != DEBYE_STATUS_OK && code != DEBYE_STATUS_CANCELLED)
    debye_device_set_error(error, status);
  return code == DEBYE_STATUS_OK;
}
