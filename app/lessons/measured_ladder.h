/* SPDX-License-Identifier: MIT */
/* A lesson on teaching variants with what was measured for it: which jobs its rows come from, what they show, and how it is
 * kept; one per family in window_classroom.c, which makes the jobs. On the main thread. */
#pragma once

#include "app/jobs/job.h"
#include "lessons.h"

/* Of each kind of job the newest alone is shown; NULL: none yet. */
typedef struct {
  DebyeClassroomLesson *lesson; /* the window's */
  DebyeLadderKind kind;
  DebyeJob *climbing; /* measures the whole ladder */
  DebyeJob *stepping; /* measures one step more */
  DebyeJob *trying;   /* compiles and measures the class's own kernel */
  DebyeJob *sweeping; /* does so for other macros and sizes */
  DebyeClassroomSteps steps;
  /* What the ladder's rows are of, and what came of the class's own; NULL: nothing yet. */
  DebyeClassroomRecord *shown, *ours;
  DebyeClassroomRecord *swept; /* the sweep that is shown */
} DebyeMeasuredLadder;

void debye_measured_ladder_init(DebyeMeasuredLadder *self, DebyeLadderKind kind,
                                DebyeClassroomLesson *lesson);
void debye_measured_ladder_clear(DebyeMeasuredLadder *self);

/* Before the whole ladder is measured anew: without rows and steps. */
void debye_measured_ladder_restart(DebyeMeasuredLadder *self);
/* Before a step is measured: without the rows of the whole ladder. FALSE: one is being measured already. */
gboolean debye_measured_ladder_begin_step(DebyeMeasuredLadder *self);
/* Reveals the step that waits, beside what was guessed. FALSE: none waits. */
gboolean debye_measured_ladder_reveal(DebyeMeasuredLadder *self);
/* Shows what a job has measured so far. Nothing happens if the job isn't one of this ladder's newest. */
void debye_measured_ladder_take(DebyeMeasuredLadder *self, DebyeJob *job, DebyeClassroomRecord *record);

/* The command that measures what the shown page has, to be freed. */
char *debye_measured_ladder_write_command(const DebyeMeasuredLadder *self, DebyeDataset *dataset);

/* The ladder's part of what sessions keep of the class room. */
void debye_measured_ladder_save(DebyeMeasuredLadder *self, GVariantDict *dict);
/* What is still being measured isn't shown any more, if the session has something of this ladder. */
void debye_measured_ladder_restore(DebyeMeasuredLadder *self, GVariant *saved);
