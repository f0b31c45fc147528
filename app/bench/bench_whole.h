/* SPDX-License-Identifier: MIT */
/* A whole job, timed by the clock: a command of this program as a process of its own, from its start to its end, with the files
 * that it reads and writes. Called by debye-cli bench --job. */
#pragma once

#include "bench_case.h"

typedef struct {
  char *line;   /* quoted for a shell, without outputs; NULL: there is no job */
  GStrv words;  /* the same: "debye-cli", "map" … */
  GStrv files;  /* that it reads */
  GStrv suffix; /* of each of its outputs: ".h5" */
} DebyeBenchWhole;

void debye_bench_whole_clear(DebyeBenchWhole *self);
/* On the devices and with the threads of the case (0: as many as the job takes by itself). Outputs go to a private folder that
 * is removed. The shortest of the repeats counts. FALSE with the error of the job, DEBYE_ERROR_SETTING if its line is wrong. */
gboolean debye_bench_whole_run(const DebyeBenchWhole *self, const DebyeBenchCase *one,
                               DebyeBenchResult *result, GError **error);
