/* SPDX-License-Identifier: MIT */
/* What a run's time went to, on the clock: at each moment the thread that leads the run is in one stage. */
#pragma once

#include <glib.h>

typedef enum {
  DEBYE_STAGE_START,   /* of the program, until its command begins */
  DEBYE_STAGE_OPEN,    /* structure, index of the trajectory */
  DEBYE_STAGE_DEVICES, /* waiting for their drivers, after that */
  DEBYE_STAGE_PLAN,    /* settings, selections, charges */
  DEBYE_STAGE_READ,    /* waiting for a frame: none was ready */
  DEBYE_STAGE_PREPARE, /* a frame's atoms for the kernels, or a bare structure's for all */
  DEBYE_STAGE_COMPUTE, /* kernels, transfers and all else of the run */
  DEBYE_STAGE_SAMPLE,  /* Monte Carlo of a titration */
  DEBYE_STAGE_DRAW,    /* surfaces and pictures */
  DEBYE_STAGE_WRITE,   /* the result's files */
  DEBYE_N_STAGES
} DebyeStage;

/* Used by one thread. All zero, none is under way. */
typedef struct {
  double seconds[DEBYE_N_STAGES];
  DebyeStage stage;
  gint64 since; /* monotonic µs; 0: none is under way */
} DebyeStages;

/* Ends the stage under way; the one that was, to be entered again. NULL: nobody wants to know. */
DebyeStage debye_stages_enter(DebyeStages *stages, DebyeStage stage);
void debye_stages_leave(DebyeStages *stages);
/* Begins with the time that the process has lived (10 ms exact) as its start. */
void debye_stages_begin_with_process(DebyeStages *stages);

const char *debye_stage_get_key(DebyeStage stage); /* "open": in files */
/* "opening files 0.12 s, reading 0.35 s": the stages of a millisecond and more; translated, free with g_free. */
char *debye_stages_describe(const DebyeStages *stages);
