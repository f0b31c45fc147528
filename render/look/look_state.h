/* SPDX-License-Identifier: MIT */
/* What a person set of the look of one quantity's plot; kept, copied and undone as a whole by result_look.c. */
#pragma once

#include "style_file.h"
#include "render/plot/result_plot.h"

typedef struct {
  DebyeRequest *request; /* of debye_style_table; its curves are those of style files and sessions, by name */
  GPtrArray *curves;     /* of curves that were set by hand, see below */
  gboolean is_of_session; /* a line of the request belongs to the first curve that has its name */
} DebyeLookState;

DebyeLookState *debye_look_state_new(DebyeRequest *request);
DebyeLookState *debye_look_state_copy(const DebyeLookState *state);
void debye_look_state_free(DebyeLookState *state);
gboolean debye_look_state_is_empty(const DebyeLookState *state);

/* Of a series by the result and pair that it belongs to: words as
 * debye_curve_look_to_words makes them; NULL: nothing was set. */
void debye_look_state_set_words(DebyeLookState *state, DebyeResultPlot *plot, guint series,
                                const char *words);
/* Lines of the request that name the series become looks of the curves that they are about, so that they can be changed. */
void debye_look_state_take_lines(DebyeLookState *state, DebyeResultPlot *plot, guint series);
/* Curves have the names of what is shown now; those of a session are recognised by the names that they had. */
void debye_look_state_name_curves(DebyeLookState *state, DebyeResultPlot *plot);
/* The whole as one request; `with_absent`: also of curves that are not shown now. A new reference. */
DebyeRequest *debye_look_state_to_request(const DebyeLookState *state, gboolean with_absent);
