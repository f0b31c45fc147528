/* SPDX-License-Identifier: MIT */
/* The parts of the teaching variants on a GPU: what is measured around them. */
#pragma once

#include "kernels/cuda/common/device.cuh"
#include "kernels/ladder/ladder.h"

/* So many pieces of work wait in a stream at most: the device never waits for the next, and a Stop not long. */
#define DEBYE_LADDER_PIECES 8

/* A stream whose work is timed by the device, and that never runs far ahead of a Stop. */
struct DebyeLadderStream {
  cudaStream_t stream;
  cudaEvent_t begin, end, piece[DEBYE_LADDER_PIECES];
  size_t n_pieces;
  double launched; /* s, on the host's clock: when the first piece began */
  const volatile bool *cancel;
  bool cancelled;
  bool is_limit; /* of no variant, and without its turn */
};

cudaError_t debye_ladder_stream_init(DebyeLadderStream *stream, const volatile bool *cancel);
void debye_ladder_stream_clear(DebyeLadderStream *stream);
/* Around each piece of work: false where there is to be no other, because of *error or of a Stop. */
bool debye_ladder_stream_begins(DebyeLadderStream *stream, cudaError_t *error);
cudaError_t debye_ladder_stream_ends(DebyeLadderStream *stream);
/* Waits for everything. */
cudaError_t debye_ladder_stream_finish(DebyeLadderStream *stream, double *seconds);
/* OK, or what ended the work: the error, or a Stop. */
DebyeStatusCode debye_ladder_stream_status(const DebyeLadderStream *stream, cudaError_t error,
                                           DebyeStatus *status);

/* What a run takes beside its kernels. Runs take turns, so that there is one at a time. */
void debye_ladder_times_begin(int device, size_t variant);
void debye_ladder_times_find(int device, size_t variant, DebyeLadderTimes *times);
/* Waits for the copy, to time it alone; never among pieces of work. */
cudaError_t debye_ladder_copy_in(void *there, const void *here, size_t n_bytes, cudaStream_t stream);
cudaError_t debye_ladder_copy_out(void *here, const void *there, size_t n_bytes);
/* Of an array whose rows or planes are longer on the device. */
cudaError_t debye_ladder_copy_out_padded(const cudaMemcpy3DParms *copy);

/* An array of its own on the device; one of nothing has room for an item. */
template <typename Item>
static inline cudaError_t
debye_ladder_send(Item **there, const void *here, size_t n_bytes, cudaStream_t stream)
{
  const cudaError_t error = cudaMalloc((void **)there, n_bytes > 0 ? n_bytes : sizeof(Item));
  return error == cudaSuccess && n_bytes > 0 ? debye_ladder_copy_in(*there, here, n_bytes, stream) : error;
}

/* A frame as kernels get it: `map` begins with the map's first plane. */
struct DebyeLadderLaunch {
  unsigned shape[3];
  float step[3];
  float core2;
  float *map;
  const float4 *atoms; /* x, y, z, charge, on the device */
  unsigned n_atoms;
  unsigned first_plane;
};

/* Atoms that a launch finds in constant memory. It would hold 4,000, but its first-level cache is 2 KB: with
 * 4,000 an H200 gathers ten times slower than with these, and as slow with what several planes need side by
 * side. */
#define DEBYE_LADDER_BANK_ATOMS 64
/* Planes of a launch whose dz² are computed beforehand, at most. */
#define DEBYE_LADDER_SQUARES_PLANES 4096

/* Put a variant's kernels into the stream; the map is all zero before. `squares`, on the
 * device, has room for dz² of these atoms in these planes. */
typedef cudaError_t (*DebyeLadderStart)(DebyeLadderStream *stream, DebyeLadderLaunch launch, float *squares);
cudaError_t debye_ladder_launch_scatter(DebyeLadderStream *stream, DebyeLadderLaunch launch, float *squares);
cudaError_t debye_ladder_launch_gather(DebyeLadderStream *stream, DebyeLadderLaunch launch, float *squares);
cudaError_t debye_ladder_launch_squares_before(DebyeLadderStream *stream, DebyeLadderLaunch launch,
                                               float *squares);
cudaError_t debye_ladder_launch_unrolled(DebyeLadderStream *stream, DebyeLadderLaunch launch, float *squares);
cudaError_t debye_ladder_launch_shared(DebyeLadderStream *stream, DebyeLadderLaunch launch, float *squares);
cudaError_t debye_ladder_launch_coalesced(DebyeLadderStream *stream, DebyeLadderLaunch launch,
                                          float *squares);

/* The production kernel on atoms and a map on the device. */
DebyeStatusCode debye_ladder_run_ours(int device, const DebyeLadderProblem *problem, float *map,
                                      double *seconds, const volatile bool *cancel, DebyeStatus *status);
/* A source of kernels/ladder/cutoff on a problem that was checked. */
DebyeStatusCode debye_cuda_ladder_cutoff_run(int device, const char *source,
                                             const DebyeLadderProblem *problem, float *map, double *seconds,
                                             const volatile bool *cancel, DebyeStatus *status);
DebyeStatusCode debye_cuda_count_pairs(int device, const char *source, const DebyeLadderPairs *pairs,
                                       uint64_t *counts, double *seconds, const volatile bool *cancel,
                                       DebyeStatus *status);
/* A source of kernels/ladder/scattering on courses that were checked. */
DebyeStatusCode debye_cuda_ladder_scatter(int device, const char *source, const DebyeLadderCourses *courses,
                                          float *f, double *seconds, const volatile bool *cancel,
                                          DebyeStatus *status);
/* A source of kernels/ladder/ligand on a problem that was checked. */
DebyeStatusCode debye_cuda_ladder_ligand_run(int device, const char *source, const DebyeLadderLigand *ligand,
                                             float *means, double *seconds, const volatile bool *cancel,
                                             DebyeStatus *status);
/* A source of kernels/ladder/density on a problem that was checked. */
DebyeStatusCode debye_cuda_ladder_density_run(int device, const char *source,
                                              const DebyeLadderDensity *density, uint32_t *counts,
                                              double *seconds, const volatile bool *cancel,
                                              DebyeStatus *status);
/* A source of kernels/ladder/orbital on a problem that was checked. */
DebyeStatusCode debye_cuda_ladder_orbital_run(int device, const char *source,
                                              const DebyeLadderOrbital *orbital, float *map, double *seconds,
                                              const volatile bool *cancel, DebyeStatus *status);
DebyeStatusCode debye_cuda_measure_limits(int device, DebyeLadderLimits *limits, DebyeStatus *status);
