/* SPDX-License-Identifier: MIT */
/* How a person wants a plot to look: the settings that every command of debye-cli that writes plots has, and what they do
 * to a plot. One look may be laid on several plots, those of a figure. */
#pragma once

#include "data/settings/request.h"
#include "render/plot/plot.h"

extern const DebyeChoice debye_plot_look_log_choices[], debye_plot_look_error_choices[],
    debye_plot_look_switch_choices[], debye_plot_look_divisor_choices[];

#define DEBYE_PLOT_LOOK_RANGE(name, title)                                                            \
  {                                                                                                   \
    .key = name, .label = title, .kind = DEBYE_SETTING_TEXT,                                          \
    .help = "range of the axis, FIRST:LAST in its unit; either may be left out; default: by the data" \
  }
#define DEBYE_PLOT_LOOK_TICKS(name, title)                                                              \
  {                                                                                                     \
    .key = name, .label = title, .kind = DEBYE_SETTING_TEXT,                                            \
    .help = "step of the axis' labelled ticks (2), with the number of intervals in it (2/4), or their " \
            "values (1,2,5)"                                                                            \
  }
#define DEBYE_PLOT_LOOK_LABEL(name, title)                                           \
  {                                                                                  \
    .key = name, .label = title, .kind = DEBYE_SETTING_TEXT,                         \
    .help = "label of the axis: *italic*, **bold**, ^{superscript} and _{subscript}" \
  }

/* Rows of a settings table: those of every plot, and those of plots of results. */
#define DEBYE_PLOT_LOOK_ENTRIES                                                                                      \
  {.key = "log",                                                                                                     \
   .label = "Logarithmic axes",                                                                                      \
   .kind = DEBYE_SETTING_CHOICE,                                                                                     \
   .choices = debye_plot_look_log_choices,                                                                           \
   .help = "which axes of plots are logarithmic; default: as is usual for the quantity"},                            \
      DEBYE_PLOT_LOOK_RANGE("x-range", "Range of the x axis"),                                                       \
      DEBYE_PLOT_LOOK_RANGE("y-range", "Range of the y axis"),                                                       \
      DEBYE_PLOT_LOOK_TICKS("x-ticks", "Ticks of the x axis"),                                                       \
      DEBYE_PLOT_LOOK_TICKS("y-ticks", "Ticks of the y axis"),                                                       \
      DEBYE_PLOT_LOOK_LABEL("x-label", "Label of the x axis"),                                                       \
      DEBYE_PLOT_LOOK_LABEL("y-label", "Label of the y axis"),                                                       \
      {.key = "curve",                                                                                               \
       .label = "Curve",                                                                                             \
       .kind = DEBYE_SETTING_TEXT,                                                                                   \
       .repeated = TRUE,                                                                                             \
       .help = "look of a curve, “NAME: colour, dash, width, marker, \"label\"”, each of which may be left "     \
               "out; NAME may be its number in the legend, or * for all; hidden leaves it out"},                     \
      {.key = "legend",                                                                                              \
       .label = "Legend",                                                                                            \
       .kind = DEBYE_SETTING_TEXT,                                                                                   \
       .help = "place of the legend: top-left, top, top-right, left, center, right, bottom-left, bottom, "           \
               "bottom-right, above, X,Y (from 0 to 1 of the frame), ends (names at the curves' ends) or "           \
               "none; default: where it hides nothing"},                                                             \
      {.key = "errors",                                                                                              \
       .label = "Errors",                                                                                            \
       .kind = DEBYE_SETTING_CHOICE,                                                                                 \
       .choices = debye_plot_look_error_choices,                                                                     \
       .help = "how standard errors are drawn; default: a band about lines, bars at points"},                        \
      {.key = "markers",                                                                                             \
       .label = "Markers of peaks",                                                                                  \
       .kind = DEBYE_SETTING_CHOICE,                                                                                 \
       .choices = debye_plot_look_switch_choices,                                                                    \
       .help = "markers of peaks, with their positions; default: on"},                                               \
      {.key = "inset",                                                                                               \
       .label = "Inset",                                                                                             \
       .kind = DEBYE_SETTING_TEXT,                                                                                   \
       .help = "range of the x axis, FIRST:LAST, enlarged in a small plot inside the frame; its position "           \
               "may follow, as for the legend: “2:4, top-right” or “2:4, 0.4,0.1”"},                                 \
      {.key = "add-line",                                                                                            \
       .label = "Added line",                                                                                        \
       .kind = DEBYE_SETTING_TEXT,                                                                                   \
       .repeated = TRUE,                                                                                             \
       .help = "dashed line across the plot, “x=VALUE” or “y=VALUE”, also “x=VALUE: TEXT”"},                         \
  {                                                                                                                  \
    .key = "add-text", .label = "Added text", .kind = DEBYE_SETTING_TEXT, .repeated = TRUE,                          \
    .help = "text at a point of the axes, “X,Y: TEXT”, or aligned, “X,Y,center: TEXT” (left, center, right)" \
  }
#define DEBYE_PLOT_LOOK_SECOND_ENTRIES                                                                       \
  {.key = "also",                                                                                            \
   .label = "Further quantities",                                                                            \
   .kind = DEBYE_SETTING_TEXT,                                                                               \
   .help = "further quantities in the unit of the y axis, comma-separated"},                                 \
      {.key = "second",                                                                                      \
       .label = "Second axis",                                                                               \
       .kind = DEBYE_SETTING_TEXT,                                                                           \
       .help = "quantity on a second y axis at the right, such as coordination beside g; its curves are "    \
               "dashed, in the colours of the curves they belong to; several of one unit, comma-separated"}, \
      DEBYE_PLOT_LOOK_RANGE("second-range", "Range of the second axis"),                                     \
      DEBYE_PLOT_LOOK_TICKS("second-ticks", "Ticks of the second axis"),                                     \
      DEBYE_PLOT_LOOK_LABEL("second-label", "Label of the second axis"),                                     \
      {.key = "divide",                                                                                      \
       .label = "Divisor",                                                                                   \
       .kind = DEBYE_SETTING_CHOICE,                                                                         \
       .choices = debye_plot_look_divisor_choices,                                                           \
       .help = "divide each curve of a plot by one of its values, with the axis label to match; .csv keeps " \
               "the values"},                                                                                \
  {                                                                                                          \
    .key = "residuals", .label = "Residuals", .kind = DEBYE_SETTING_BOOLEAN, .initial = "false",             \
    .help = "differences below the plot: between measured and computed curves, in standard errors if "       \
            "known; without a measured curve, between computed curves and the first one, or the first "      \
            "result's curve of that name"                                                                    \
  }

/* The grammar of the value of a setting of these; of any other key TRUE. */
gboolean debye_plot_look_check(const char *key, const char *value, GError **error);

typedef struct _DebyePlotLook DebyePlotLook;

/* Of a request whose table has these entries. The request must outlive it. */
DebyePlotLook *debye_plot_look_new(DebyeRequest *request);
void debye_plot_look_free(DebyePlotLook *look);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyePlotLook, debye_plot_look_free)

/* Lays it on a plot that has its curves. What can't be there is an error: a range of a logarithmic axis that reaches zero,
 * more ticks than an axis can show. */
gboolean debye_plot_look_apply(DebyePlotLook *look, DebyePlot *plot, GError **error);
/* After the last plot: what none of them could show is an error. One of a curve names those that there are. */
gboolean debye_plot_look_finish(DebyePlotLook *look, GError **error);
