/* SPDX-License-Identifier: MIT */
/* What a GPU takes of the mains, and its clock, while something is measured on it: from
 * NVIDIA's management library, which comes with the driver. */
#pragma once

#include <glib.h>

typedef struct {
  double watts; /* on average; 0: the driver doesn't tell, or it took too short for its counter */
  double clock; /* MHz, of the multiprocessors, on average; 0: the driver doesn't tell */
} DebyeBenchPower;

/* From now on; `device` as the registry calls it. NULL: nobody tells, as of a processor. */
typedef struct DebyeBenchPowerMeter DebyeBenchPowerMeter;
DebyeBenchPowerMeter *debye_bench_power_start(const char *device);
/* Whether it took too short so far for the driver's counter; of no meter FALSE. */
gboolean debye_bench_power_is_short(const DebyeBenchPowerMeter *self);
/* Until now, and frees the meter, which may be NULL. */
DebyeBenchPower debye_bench_power_stop(DebyeBenchPowerMeter *self);
