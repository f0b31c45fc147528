/* SPDX-License-Identifier: MIT */
/* What dataset.c and dataset_open.c share. */
#pragma once

#include "dataset.h"

struct _DebyeDataset {
  GObject parent_instance;
  char *name;
  DebyeTopology *of_files; /* as the files have it */
  DebyeTopology *topology; /* with the elements and alternate locations that were chosen */
  DebyeTrajectory *trajectory;
  GStrv paths, choices; /* choices: of elements */
  char *altloc, *cell;  /* that were chosen */
  char *length_unit;    /* that was chosen, or NULL */
  gboolean leaves_unit_open;
  gboolean is_named;   /* a file tells what the atoms are */
  GPtrArray *formats;  /* const char *, with a NULL at the end once opened */
  GPtrArray *remarks;  /* char *: warnings of the files' opening, which no refresh changes */
  GPtrArray *warnings; /* char *: all, with a NULL at the end once opened */
};

void debye_dataset_warn(GPtrArray *warnings, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* All of them, as trajectory and topology are now. */
void debye_dataset_collect_warnings(DebyeDataset *self);
