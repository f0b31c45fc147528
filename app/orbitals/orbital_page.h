/* SPDX-License-Identifier: MIT */
/* What the page of orbitals shows of a dataset and computes of it: reads the wave function, fills the panel, computes the
 * orbital that is chosen, the newest winning. Knows no window: it says what shall be shown.
 *
 * Signals: "job" (DebyeJob, gboolean computing): to be added to the window's; "found" (gboolean): whether there are orbitals;
 * "shown" (DebyeResult of one map, double level, gboolean is_first): surfaces at ± the level, the first map of a file or
 * another; "level-changed" (double): of the map that is shown; "failed" (char *): why there is none; "settings" (char *):
 * a command line that the form shall be filled with. */
#pragma once

#include "app/installation/devices.h"
#include "app/jobs/job.h"
#include "data/results/result.h"
#include "data/trajectory/dataset.h"
#include "ui/orbitals/orbital_panel.h"

#define DEBYE_TYPE_ORBITAL_PAGE (debye_orbital_page_get_type())
G_DECLARE_FINAL_TYPE(DebyeOrbitalPage, debye_orbital_page, DEBYE, ORBITAL_PAGE, GObject)

DebyeOrbitalPage *debye_orbital_page_new(DebyeOrbitalPanel *panel, DebyeDevices *devices);

/* What a session has shown: the map of the orbital of this number, with surfaces that enclose a share in percent. */
typedef struct {
  DebyeField *field;
  guint number, share;
} DebyeOrbitalShown;

/* Other files, or NULL; nothing where they are the same. `shown`: what is in the scene already, or NULL. */
void debye_orbital_page_set_dataset(DebyeOrbitalPage *self, DebyeDataset *dataset,
                                    const DebyeOrbitalShown *shown);
