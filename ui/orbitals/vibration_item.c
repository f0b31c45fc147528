/* SPDX-License-Identifier: MIT */
/* One normal mode and its texts; shown by orbital_columns.c and vibration_panel.c. */
#include "vibration_item.h"

#include <math.h>

struct _DebyeVibrationItem {
  GObject parent_instance;
  DebyeVibrationFacts facts;
};

G_DEFINE_FINAL_TYPE(DebyeVibrationItem, debye_vibration_item, G_TYPE_OBJECT)

DebyeVibrationItem *
debye_vibration_item_new(const DebyeVibrationFacts *facts)
{
  DebyeVibrationItem *self = g_object_new(DEBYE_TYPE_VIBRATION_ITEM, NULL);
  self->facts = *facts;
  return self;
}

const DebyeVibrationFacts *
debye_vibration_item_get(DebyeVibrationItem *self)
{
  return &self->facts;
}

char *
debye_vibration_item_number_text(DebyeVibrationItem *self)
{
  return g_strdup_printf("%u", self->facts.number);
}

/* Digits after the dot stand below each other. */
static char *
fixed_text(double value, const char *format, const char *unit)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  return isfinite(value)
             ? g_strconcat(g_ascii_formatd(number, sizeof number, format, fabs(value)), unit, NULL)
             : g_strdup("–");
}

char *
debye_vibration_item_frequency_text(DebyeVibrationItem *self)
{
  return fixed_text(self->facts.frequency, "%.1f", self->facts.frequency < 0.0 ? " i" : "");
}

char *
debye_vibration_item_intensity_text(DebyeVibrationItem *self)
{
  return fixed_text(self->facts.intensity, "%.1f", "");
}

char *
debye_vibration_item_mass_text(DebyeVibrationItem *self)
{
  return fixed_text(self->facts.reduced_mass, "%.2f", "");
}

static void
debye_vibration_item_class_init(DebyeVibrationItemClass *class G_GNUC_UNUSED)
{
}

static void
debye_vibration_item_init(DebyeVibrationItem *self)
{
  self->facts.intensity = self->facts.reduced_mass = NAN;
}
