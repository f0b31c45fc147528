/* SPDX-License-Identifier: MIT */
/* How long the main thread is kept from answering: the time between waking up and going back to wait, once a
 * turn of the main loop, with the drawing of frames told apart from everything else. */
#pragma once

#include <gtk/gtk.h>

typedef struct _MainLoopMeter MainLoopMeter;

typedef struct {
  guint n;
  double median, p99, largest; /* ms */
} MeterSummary;

MainLoopMeter *main_loop_meter_new(GtkWidget *window);
void main_loop_meter_free(MainLoopMeter *meter);
/* Forgets what was measured. */
void main_loop_meter_reset(MainLoopMeter *meter);

/* Turns of the main loop without the frames drawn in them: by the clock, and of the processor's time that
 * this thread had, which other programs can't lengthen. */
MeterSummary main_loop_meter_get_wall(MainLoopMeter *meter);
MeterSummary main_loop_meter_get_processor(MainLoopMeter *meter);
/* The longest turn, ms by the clock, in which the thread waited for something, a lock or another thread: one
 * that was only kept from the processor by others doesn't count. */
double main_loop_meter_get_longest_wait(MainLoopMeter *meter);
/* Frames: from before-paint to after-paint. */
MeterSummary main_loop_meter_get_frames(MainLoopMeter *meter);
/* Turns by the clock with the frames drawn in them: the longest that a click or a key had to wait. */
MeterSummary main_loop_meter_get_turns(MainLoopMeter *meter);
/* The processor's time that all threads of the program had, ms since the reset. */
double main_loop_meter_get_all_processor(MainLoopMeter *meter);
double main_loop_meter_get_seconds(MainLoopMeter *meter); /* since the reset */
