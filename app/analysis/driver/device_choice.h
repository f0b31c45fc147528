/* SPDX-License-Identifier: MIT */
/* Which devices an analysis uses, and what its result says about them. */
#pragma once

#include "analysis.h"
#include "common_settings.h"
#include "kernels/lanes.h"

#define DEBYE_MAX_DEVICES 64

/* The devices that the setting “device” names, fastest first, at most DEBYE_MAX_DEVICES; 0 with an error. For a run: all
 * back ends take from now on no more of the processor's threads than “threads” says. */
gsize debye_device_choose(const DebyeRegistry *registry, const DebyeLaneSettings *settings,
                          const DebyeDeviceEntry **devices, GError **error);
/* For an estimate: likewise, but nothing is changed. *processor is, among them, the processor with as many
 * cores as “threads” lets it use. */
gsize debye_device_find(const DebyeRegistry *registry, const DebyeLaneSettings *settings,
                        DebyeDeviceEntry *processor, const DebyeDeviceEntry **devices, GError **error);
/* Threads of the processor: as many as “threads” says, else the registry, else one per core. */
guint debye_device_count_threads(const DebyeRegistry *registry, const DebyeLaneSettings *settings);
/* "NVIDIA H200 + 16 cores". To be freed. */
char *debye_device_choice_name(const DebyeDeviceEntry *const *devices, gsize n_devices);
/* That name, and whether an accelerator is among them, into the estimate. */
void debye_device_choice_describe(const DebyeDeviceEntry *const *devices, gsize n_devices,
                                  DebyeEstimate *estimate);

/* What lanes did over all calls of a kernel, whose own reports are of the last call. */
typedef struct {
  DebyeLaneReport lanes[DEBYE_MAX_DEVICES];
  gsize n_lanes;
} DebyeLaneTotals;

void debye_lane_totals_add(DebyeLaneTotals *totals, const DebyeLaneReport *reports, gsize n_reports);
/* Notes of a result: what each lane did (`items`: "slabs"), why lanes retired, why devices were not used. */
void debye_lane_totals_add_notes(const DebyeLaneTotals *totals, const DebyeRegistry *registry,
                                 const char *items, DebyeResult *result);

/* What each of several processes did, `n_items` of them in so many seconds this one; `totals` may be NULL. */
void debye_lane_totals_add_process_notes(const DebyeLaneTotals *totals, const DebyeRanks *ranks,
                                         gsize n_items, const char *items, double seconds,
                                         DebyeResult *result);

/* A kernel's status as an error: DEBYE_ERROR_STOPPED where it was stopped. Always FALSE, to be returned. */
gboolean debye_device_set_error(GError **error, const DebyeStatus *status);
/* TRUE where the code is OK, else FALSE with that error. */
gboolean debye_device_check(DebyeStatusCode code, const DebyeStatus *status, GError **error);
/* Likewise of a kernel that computes frames: what is INVALID names the frame (NULL: no frame is at fault). Where it was
 * stopped FALSE without an error. */
gboolean debye_device_check_frame(DebyeStatusCode code, const DebyeStatus *status, const DebyeFrame *frame,
                                  GError **error);
