/* SPDX-License-Identifier: MIT */
/* One normal mode of a list, as a file describes it. Immutable. */
#pragma once

#include <gio/gio.h>

#define DEBYE_TYPE_VIBRATION_ITEM (debye_vibration_item_get_type())
G_DECLARE_FINAL_TYPE(DebyeVibrationItem, debye_vibration_item, DEBYE, VIBRATION_ITEM, GObject)

typedef struct {
  guint number;        /* in the file, from 1 */
  double frequency;    /* cm⁻¹; below 0: imaginary */
  double intensity;    /* km/mol; NAN: the file has none */
  double reduced_mass; /* u; NAN: the file has none */
} DebyeVibrationFacts;

DebyeVibrationItem *debye_vibration_item_new(const DebyeVibrationFacts *facts);
const DebyeVibrationFacts *debye_vibration_item_get(DebyeVibrationItem *self);

/* Free with g_free: "7"; "1600.3", or "250.5 i" where it is imaginary; "60.1"; "1.08". */
char *debye_vibration_item_number_text(DebyeVibrationItem *self);
char *debye_vibration_item_frequency_text(DebyeVibrationItem *self);
char *debye_vibration_item_intensity_text(DebyeVibrationItem *self);
char *debye_vibration_item_mass_text(DebyeVibrationItem *self);
