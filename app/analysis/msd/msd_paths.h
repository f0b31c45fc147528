/* SPDX-License-Identifier: MIT */
/* The paths of some centres through all frames, from one pass over the trajectory, followed across the faces
 * of the cell. A pass has as many centres as memory allows; msd_analysis.c adds up what their displacements come
 * to. */
#pragma once

#include "msd_plan.h"

typedef struct {
  const DebyeMsdPlan *plan;
  gsize capacity;   /* centres that there is room for */
  gsize first, n;   /* centres of the last pass */
  gsize n_frames;   /* in the paths, of the plan's */
  double *places;   /* Å from where each begins: [(3·centre + axis)·plan frames + frame] */
  gboolean stopped; /* the pass ended early; n_frames are there */
  /* Of the last pass. Frames at the time of the one before are left out: they are the same moment, kept by
   * both of two runs. */
  double step;                      /* ps, the mean of steps that are even; 0: not known */
  gsize n_anew, first_anew;         /* where the clock begins anew, and the first frame of them */
  gsize n_repeated, first_repeated; /* frames that are left out */
  double length;                    /* Å, the mean of V^(1/3); 0 without a cell */
} DebyeMsdPaths;

/* FALSE with an error without the memory. */
gboolean debye_msd_paths_init(DebyeMsdPaths *paths, const DebyeMsdPlan *plan, GError **error);
void debye_msd_paths_clear(DebyeMsdPaths *paths);

/* Reads centres [first, first + n), n at most the capacity. FALSE with an error: a frame whose atoms have no
 * finite positions, that has lost its cell, or whose time doesn't follow at the same step. `progress` gets the
 * part of the frames that is read; callbacks may be NULL. */
gboolean debye_msd_paths_read(DebyeMsdPaths *paths, gsize first, gsize n, const volatile bool *cancel,
                              void (*progress)(gpointer data, double part), gpointer data, GError **error);
