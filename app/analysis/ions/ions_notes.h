/* SPDX-License-Identifier: MIT */
/* The ions of a run and their story: title, table and notes of the result. */
#pragma once

#include "app/analysis/driver/analysis.h"
#include "ions_plan.h"

/* The name of the table of ions in a result: index, element, x, y, z, potential before the ion was put
 * there. */
#define DEBYE_IONS_TABLE "ions"

typedef struct {
  const DebyeIonKind *kind;
  gsize index;      /* of the grid point */
  double potential; /* e/Å, before the ion was there */
} DebyePlacedIon;

typedef struct {
  GArray *ions;              /* DebyePlacedIon, in the order of placing */
  gsize n_cations, n_anions; /* that were to be placed */
  gsize n_cations_placed, n_anions_placed;
  double open_volume;             /* Å³, before the first ion */
  const DebyeDeviceEntry *device; /* that places them */
  GPtrArray *failures;            /* char *: devices that could not */
} DebyeIonsStory;

void debye_ions_story_clear(DebyeIonsStory *story);
/* Forgets the ions of a device before. */
void debye_ions_story_begin(DebyeIonsStory *story, const DebyeDeviceEntry *device);
void debye_ions_story_add_failure(DebyeIonsStory *story, const DebyeDeviceEntry *device, const char *reason);

char *debye_ions_story_make_title(const DebyeIonsStory *story, const DebyeIonsPlan *plan);
DebyeTable *debye_ions_story_make_table(const DebyeIonsStory *story, const DebyeIonsPlan *plan);
void debye_ions_story_add_notes(const DebyeIonsStory *story, const DebyeIonsPlan *plan, DebyeResult *result);
