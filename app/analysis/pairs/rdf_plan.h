/* SPDX-License-Identifier: MIT */
/* Everything about pair distributions that is known before they are counted: which atoms with which, how far,
 * in which bins, what is excluded. */
#pragma once

#include "data/selection/selection.h"
#include "app/analysis/driver/frame_choice.h"
#include "kernels/pairs/pair_groups.h"
#include "rdf_exclusions.h"
#include "rdf_settings.h"
#include "data/settings/request.h"

/* A selection that takes part in one or more pairs. */
typedef struct {
  char *text;                /* as asked for, or an element's symbol: what the result calls it */
  DebyeSelection *selection; /* NULL: the atoms of an element */
  GArray *atoms;             /* guint32; of the frame at hand where the selection follows positions */
  guint8 element;
} DebyeRdfSelection;

/* A wanted distribution. */
typedef struct {
  guint a, b; /* of the selections */
  char *name; /* "A-B" */
} DebyeRdfPair;

typedef struct {
  DebyeRequest *request; /* whose texts the settings borrow */
  DebyeRdfSettings settings;
  DebyeTopology *topology; /* borrowed from the dataset */
  DebyeFrameChoice frames;
  GArray *selections;  /* of DebyeRdfSelection */
  GArray *pairs;       /* of DebyeRdfPair */
  gboolean is_dynamic; /* some selection follows positions */
  gboolean is_periodic;
  double r_max, width; /* Å */
  gsize n_bins;
  DebyeRdfExclusions exclusions;
  guint64 memory_limit;
} DebyeRdfPlan;

void debye_rdf_plan_clear(gpointer plan);

/* Fills *plan (all zero before). *key, where not NULL, names the setting that is the cause of an error. */
gboolean debye_rdf_plan_init(DebyeRdfPlan *plan, DebyeDataset *dataset, DebyeRequest *request,
                             const char **key, GError **error);

/* The largest distance that is suggested for a frame: half the least width of its cell, or, without
 * one, half the diagonal of the box around the atoms; at most 15 Å. */
double debye_rdf_plan_suggest_max(const DebyeFrame *frame);

/* FALSE with an error where the cell of a frame is too narrow for the largest distance. */
gboolean debye_rdf_plan_check_width(const DebyeRdfPlan *plan, const DebyeFrame *frame, GError **error);

/* Groups for a frame: those of the first one, unless selections follow positions, which may choose nothing
 * there. To be cleared. */
gboolean debye_rdf_plan_make_groups(DebyeRdfPlan *plan, const DebyeFrame *frame, DebyePairGroups *groups,
                                    GError **error);
