/* SPDX-License-Identifier: MIT */
/* A run over frames as a job: part by part, with a file that it can be continued from, and shared by processes. For
 * frame_run.c alone. */
#pragma once

#include "frame_run.h"

G_BEGIN_DECLS

/* The job's file: what is in it is taken up. *finished: it holds the whole result, and nothing is to be computed. */
gboolean debye_frame_run_open_file(DebyeFrameRun *run, DebyeResult **finished, GError **error);
/* All frames. FALSE with an error; where it was stopped and there is no file, run->is_stopped says so. */
gboolean debye_frame_run_compute_parts(DebyeFrameRun *run, GError **error);
/* The result into the file. */
gboolean debye_frame_run_close_file(DebyeFrameRun *run, DebyeResult *result, GError **error);

/* What this process has done stands for what all have. */
double debye_frame_run_count_all(const DebyeFrameRun *run, double n_done);
/* That it was continued, and by which processes. */
void debye_frame_run_add_part_notes(const DebyeFrameRun *run, DebyeResult *result);

G_END_DECLS
