/* SPDX-License-Identifier: MIT */
/* Memory of maps that comes back: a field whose values were taken from here gives them back when the last who
 * shows it lets go of it, and the next map is written there. So a film of maps allocates a few of them once
 * instead of megabytes a frame, which the system would have to clear each time. */
#pragma once

#include <glib.h>

typedef struct _DebyeMapBuffers DebyeMapBuffers;

/* Of maps with this many points. */
DebyeMapBuffers *debye_map_buffers_new(gsize n_points);
/* Maps that are still shown keep their memory, and what comes back later is freed. */
void debye_map_buffers_free(DebyeMapBuffers *buffers);
/* One that nobody uses, its values as they were; NULL: no memory. Any thread may give back what another
 * took. */
float *debye_map_buffers_take(DebyeMapBuffers *buffers);
void debye_map_buffers_give_back(gpointer values);
/* Takes `values`, for debye_field_new; they are given back with the last reference. */
GBytes *debye_map_buffers_wrap(DebyeMapBuffers *buffers, float *values);
/* How many were ever allocated. */
guint debye_map_buffers_get_n_allocated(DebyeMapBuffers *buffers);
