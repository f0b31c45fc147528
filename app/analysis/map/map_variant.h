/* SPDX-License-Identifier: MIT */
/* The direct sum by one of its teaching variants, on one device. */
#pragma once

#include "app/analysis/driver/device_choice.h"
#include "kernels/ladder/ladder.h"
#include "kernels/potential/potential_map_lanes.h"
#include "map_settings.h"

typedef struct {
  const DebyeDeviceEntry *device; /* NULL: the production kernels, on all devices */
  gsize number;                   /* of the variant in the device's list */
} DebyeMapVariant;

/* Whether the settings agree: the variants are of the direct sum, open and in single precision. FALSE with
 * the setting that is the cause in *key. */
gboolean debye_map_variant_check(const DebyeMapSettings *settings, const DebyePotentialSettings *potential,
                                 const char **key, GError **error);
/* Takes the fastest device that has the variant. FALSE where none has it. */
gboolean debye_map_variant_choose(DebyeMapVariant *self, const DebyeMapSettings *settings,
                                  const DebyeDeviceEntry *const *devices, gsize n_devices, GError **error);
/* The whole map, a few planes after the other, in e/Å; *report is what the device did. */
DebyeStatusCode debye_map_variant_execute(const DebyeMapVariant *self,
                                          const DebyePotentialSettings *potential,
                                          const DebyeCharges *charges, float *map,
                                          const volatile bool *cancel, DebyePotentialProgress progress,
                                          gpointer data, DebyeLaneReport *report, DebyeStatus *status);
/* "Teaching variant: Gather on cuda:0, …" */
void debye_map_variant_add_note(const DebyeMapVariant *self, DebyeResult *result);
