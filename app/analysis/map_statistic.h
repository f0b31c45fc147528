/* SPDX-License-Identifier: MIT */
/* Mean, minimum, maximum or standard deviation of each point of a map over frames, in double precision. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  DEBYE_MAP_MEAN,
  DEBYE_MAP_MINIMUM,
  DEBYE_MAP_MAXIMUM,
  DEBYE_MAP_DEVIATION,
} DebyeMapStatistic;

/* The setting's value as a number; the table has accepted it. */
DebyeMapStatistic debye_map_statistic_parse(const char *text);
gsize debye_map_statistic_bytes_per_point(DebyeMapStatistic statistic);

typedef struct _DebyeMapAccumulator DebyeMapAccumulator;

/* NULL when there isn't the memory. */
DebyeMapAccumulator *debye_map_accumulator_new(DebyeMapStatistic statistic, gsize n_points);
void debye_map_accumulator_free(DebyeMapAccumulator *accumulator);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeMapAccumulator, debye_map_accumulator_free)
/* One frame's map, in one of the two precisions; the other is NULL. */
void debye_map_accumulator_add(DebyeMapAccumulator *accumulator, const float *single, const double *twice);
gsize debye_map_accumulator_get_n_frames(const DebyeMapAccumulator *accumulator);
/* The statistic of the frames so far, times `scale`. At least one frame. */
void debye_map_accumulator_get(const DebyeMapAccumulator *accumulator, double scale, float *values);

G_END_DECLS
