/* SPDX-License-Identifier: MIT */
/* A sweep over the choices of a listing or of a production kernel, drawn: for debye-cli bench and the class room. */
#pragma once

#include "app/bench/bench_sweep.h"
#include "render/plot/plot.h"

/* The times of `rows` (DebyeBenchRow), a curve for each combination of what isn't x, the last of which may not be whole. `fits`
 * (DebyeBenchFit) are those of the curves that are, their exponents beside the names; `kernel` names a single curve; the caption
 * begins with `subject`, one sentence without its full stop. Of a sweep of choices the fastest is marked. */
DebyePlot *debye_classroom_plot_sweep(const DebyeBenchSweep *sweep, const GArray *rows, const GArray *fits,
                                      const char *kernel, const char *subject);

/* One axis of a sweep that the class room offers for a listing: "TILE=256" of its macros, or a size of the problem. NULL: none
 * that --sweep knows. */
typedef struct {
  char *name;   /* as --sweep calls it: "tile" */
  char *label;  /* "TILE", "Cutoff (Å)" */
  char *values; /* around the initial value: "64,128,256,512,1024" */
} DebyeClassroomAxis;
void debye_classroom_axis_free(DebyeClassroomAxis *self);
/* (element-type DebyeClassroomAxis), to be unreferenced: `macros` are "TILE=256" of the listing, `kind` its family,
 * `n_atoms` those of the molecule; 0: not known. */
GPtrArray *debye_classroom_list_axes(DebyeLadderKind kind, const char *const *macros, gsize n_atoms);
