/* SPDX-License-Identifier: MIT */
/* What else the CPUs do now; the window and bench_form make their estimates longer by it. */
#pragma once

#include "analysis.h"

/* A run gives way to the window where both want the CPUs. */
#define DEBYE_RUN_NICENESS 10

/* Estimates are of an idle machine, without what each run takes to start and to end. One on a GPU hardly waits for the
 * cores. */
void debye_processor_load_count(DebyeEstimate *estimate);
