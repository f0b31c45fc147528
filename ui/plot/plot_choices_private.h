/* SPDX-License-Identifier: MIT */
/* What the files of a plot's choices share. */
#pragma once

#include "plot_choices.h"

/* A result of the list, or a measured curve. */
typedef struct {
  guint key;
  DebyeResult *result; /* NULL: measured */
  DebyeResult *mixed;  /* the same with another fraction of deuterium; NULL: as it was computed */
  DebyeCurve *measured;
  char *label;  /* among all choices */
  char *legend; /* among those that are shown; NULL: measured, or it isn't */
  gboolean is_shown;
  gboolean by_hand; /* was chosen: newer results leave it */
} DebyePlotChoice;

struct _DebyePlotChoices {
  GObject parent_instance;
  DebyeResultPlot *plot;
  GListModel *results;
  GPtrArray *choices;          /* DebyePlotChoice, newest first, measured ones behind */
  guint last_key, growing_key; /* 0: nothing grows */
  gboolean fit;
};

/* Shows the choice in the plot, or takes it away. */
void debye_plot_choices_put(DebyePlotChoices *self, const DebyePlotChoice *choice);
void debye_plot_choices_tell(DebyePlotChoices *self); /* "changed" */
