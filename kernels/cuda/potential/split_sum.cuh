/* SPDX-License-Identifier: MIT */
/* What Ewald's method and multilevel summation share on a GPU: the potential is a smooth part, interpolated
 * from points that a frame's charges were spread to, and a short-range part, the cutoff kernel's. Both are
 * made ready side by side, in streams of their own; a slab's short-range part is written first, because it is
 * ready first, and the smooth one added to it, on the device. */
#pragma once

#include "kernels/potential/pair_function.h"
#include "kernels/potential/potential_math.h"
#include "slab_pipeline.cuh"
#include "split_launch.cuh"
#include "staged_charges.cuh"

/* Part of a plan. */
typedef struct {
  int device;
  DebyePotentialSettings settings;
  bool has_near;              /* false: the smooth part alone */
  DebyePairFunction function; /* of the short-range part */
  uint64_t near_bytes;
  DebyeStagedCharges staged;
  DebyeStream stream, near_stream;         /* of what is done once a frame, for either part */
  cudaEvent_t uploaded, ready, near_ready; /* the charges are there; slabs of either part can be computed */
  DebyeSlabPipeline pipeline;
  DebyeKernelPlan *near;
} DebyeSplitSum;

/* Puts the interpolation of some planes into `stream`: written, or added to what stands in `out`. */
typedef void (*DebyeSplitInterpolate)(void *context, DebyeSlab planes, void *out, bool adds,
                                      DebyeStream *stream);

/* UNSUPPORTED where a launch can't have so many blocks. */
DebyeStatusCode debye_split_sum_check(const DebyePotentialSettings *settings, DebyeStatus *status);
/* Sizes, and with these the plan's list. `near`: the short-range part; NULL: the smooth one alone. */
void debye_split_sum_set_up(DebyeSplitSum *sum, int device, const DebyePotentialSettings *settings,
                            const DebyePairFunction *near);
void debye_split_sum_list(DebyeSplitSum *sum, DebyePlanMemory *memory);
/* All else, on the plan's device; closed also after a failure. */
DebyeStatusCode debye_split_sum_open(DebyeSplitSum *sum, DebyeStatus *status);
/* Chooses the plan's device for what the caller then ends itself. */
void debye_split_sum_close(DebyeSplitSum *sum);
/* Chooses the device for the calling thread; the charges are on their way to it in sum->stream, and their
 * images are counted in the short-range part's. What the caller puts into sum->stream then runs beside that;
 * debye_split_sum_finish_near and debye_split_sum_finish have to follow. */
DebyeStatusCode debye_split_sum_set_charges(DebyeSplitSum *sum, const DebyeCharges *charges,
                                            const DebyeCell *cell, DebyeStatus *status);
/* The same of a packed frame. */
DebyeStatusCode debye_split_sum_set_packed(DebyeSplitSum *sum, const DebyePackedCoordinates *packed,
                                           const DebyeCell *cell, DebyeStatus *status);
/* Waits for the number of images and puts what sorts them into the short-range part's stream: best after the
 * first of the smooth part's work is in sum->stream, which goes on meanwhile. */
DebyeStatusCode debye_split_sum_finish_near(DebyeSplitSum *sum, DebyeStatus *status);
/* After all of a frame's work for the smooth part is in sum->stream. */
DebyeStatusCode debye_split_sum_finish(DebyeSplitSum *sum, DebyeStatus *status);
/* The frame's atoms on the device, between debye_split_sum_set_charges and the next. */
DebyeSplitAtoms debye_split_sum_atoms(const DebyeSplitSum *sum);
/* As a kernel's execute. */
DebyeStatusCode debye_split_sum_execute(DebyeSplitSum *sum, DebyeSlab slab, float *out, double *out_double,
                                        DebyeSplitInterpolate interpolate, void *context,
                                        const volatile bool *cancel, DebyeStatus *status);

/* What a DebyeSplitInterpolate does: launches `kernel`, a thread a point and a block in z a plane, with
 * (*launch, DebyeSplitTarget, out, adds). `grid` is the map's in the smooth part's coordinates. */
void debye_split_sum_interpolate(const DebyeSplitSum *sum, const void *kernel, const void *launch,
                                 const DebyeEwaldGrid *grid, DebyeSlab planes, void *out, bool adds,
                                 DebyeStream *stream);

static inline size_t
debye_value_bytes(const DebyePotentialSettings *settings)
{
  return settings->double_precision ? sizeof(double) : sizeof(float);
}

static inline unsigned
debye_blocks_for(size_t n, size_t size)
{
  return (unsigned)((n + size - 1) / size);
}
