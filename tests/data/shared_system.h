/* SPDX-License-Identifier: MIT */
/* A system of the reference files with one frame read. */
#pragma once

#include "data/trajectory/dataset.h"

typedef struct {
  DebyeDataset *dataset;
  DebyeTopology *topology;
  DebyeTrajectoryReader *reader;
  DebyeFrame *frame;
} SharedSystem;

/* Paths within the folder DEBYE_SHARED; `second` may be NULL. */
void shared_system_open(SharedSystem *system, const char *first, const char *second, gsize frame_number);
/* From here on atoms at all alternate locations count, as in the programs that the references are of. */
void shared_system_count_all(SharedSystem *system);
void shared_system_read(SharedSystem *system, gsize frame_number);
void shared_system_close(SharedSystem *system);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(SharedSystem, shared_system_close)
