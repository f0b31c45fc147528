/* SPDX-License-Identifier: MIT */
/* Runs the sources of kernels/ladder/direct on a GPU, a launch for each slice of the map and each filling of constant
 * memory; called by ladder.cu. Its twin is cpu/ladder/direct.c. */
#include <string.h>

#include "direct.cuh"
#include "kernels/cuda/ladder/ladder_codes.cuh"

static const DebyeLadderCode *const codes[] = {DEBYE_LADDER_CODES};

struct Run {
  const DebyeLadderCode *code;
  const DebyeLadderFrame *frame;
  DebyeLadderStream *stream;
  size_t shape[2];      /* of a slice on the device */
  float *map, *scratch; /* on the device: all slices, or one */
  float *copied;        /* of the host: all slices, where these are copied; else NULL */
  float4 *atoms;        /* there, too */
  float4 *staged; /* of the host: DEBYE_LADDER_PIECES banks on their way, whose pieces the stream waits for */
  void *bank;
};

const DebyeLadderCode *
debye_ladder_find_code(const char *source)
{
  for (const DebyeLadderCode *code : codes)
    if (strcmp(code->source, source) == 0)
      return code;
  return NULL;
}

void
debye_ladder_slice_shape(const DebyeLadderCode *code, const size_t shape[3], size_t padded[2])
{
  for (int axis = 0; axis < 2; axis++) {
    const size_t each = code->is_padded ? (size_t)code->block[axis] * code->points[axis] : 1;
    padded[axis] = (shape[axis] + each - 1) / each * each;
  }
}

static size_t
slice_bytes(const Run *run)
{
  return run->shape[0] * run->shape[1] * sizeof(float);
}

/* A map of zeros. */
static cudaError_t
allocate_map(Run *run)
{
  const size_t n_slices = run->frame->shape[2], n_bytes = slice_bytes(run) * n_slices;
  if (!run->code->copies_slices) {
    const cudaError_t error = cudaMalloc((void **)&run->map, n_bytes);
    return error == cudaSuccess ? cudaMemsetAsync(run->map, 0, n_bytes, run->stream->stream) : error;
  }
  cudaError_t error = cudaMallocHost((void **)&run->copied, n_bytes);
  if (error == cudaSuccess)
    memset(run->copied, 0, n_bytes);
  return error == cudaSuccess ? cudaMalloc((void **)&run->map, slice_bytes(run)) : error;
}

static cudaError_t
allocate(Run *run)
{
  const DebyeLadderFrame *frame = run->frame;
  cudaError_t error = allocate_map(run);
  if (error == cudaSuccess)
    error = cudaMalloc((void **)&run->atoms, (frame->n_atoms + 1) * sizeof(float4));
  if (error == cudaSuccess)
    error = cudaMalloc((void **)&run->scratch, frame->shape[1] * sizeof(float));
  if (error == cudaSuccess && run->code->find_bank != NULL)
    error =
        cudaMallocHost((void **)&run->staged, DEBYE_LADDER_PIECES * run->code->bank_size * sizeof(float4));
  if (error == cudaSuccess && run->code->find_bank != NULL)
    error = run->code->find_bank(&run->bank);
  return error;
}

/* The lecture's host: z, or the square of its distance from the slice. */
static cudaError_t
fill_bank(Run *run, size_t first, unsigned n_atoms, float z)
{
  float4 *staged = run->staged + run->stream->n_pieces % DEBYE_LADDER_PIECES * run->code->bank_size;
  for (unsigned n = 0; n < n_atoms; n++) {
    const DebyeLadderAtom atom = run->frame->atoms[first + n];
    const float dz = z - atom.z;
    staged[n] = make_float4(atom.x, atom.y, run->code->has_squares ? dz * dz : atom.z, atom.charge);
  }
  return cudaMemcpyAsync(run->bank, staged, n_atoms * sizeof *staged, cudaMemcpyHostToDevice,
                         run->stream->stream);
}

static unsigned
blocks_for(size_t n, unsigned each)
{
  return (unsigned)((n + each - 1) / each);
}

static cudaError_t
launch_slice(const Run *run, size_t slice, size_t first, unsigned n_atoms)
{
  const DebyeLadderCode *code = run->code;
  const DebyeLadderFrame *frame = run->frame;
  float *energy = run->map + (code->copies_slices ? 0 : slice * run->shape[0] * run->shape[1]),
        *scratch = run->scratch;
  const float4 *atoms = run->atoms + first;
  int nx = (int)run->shape[0], ny = (int)run->shape[1], n = (int)n_atoms;
  float hx = frame->step[0], hy = frame->step[1], z = (float)slice * frame->step[2], core2 = frame->core2;
  void *arguments[] = {&energy, &nx, &ny, &hx, &hy, &z, &atoms, &n, &core2, &scratch};
  const dim3 threads(code->block[0], code->block[1]);
  const dim3 blocks = code->is_over_atoms ? dim3(blocks_for(n_atoms, code->block[0]))
                                          : dim3(blocks_for(run->shape[0], code->block[0] * code->points[0]),
                                                 blocks_for(run->shape[1], code->block[1] * code->points[1]));
  cudaError_t error = cudaSuccess;
  if (code->prepare != NULL)
    error = cudaLaunchKernel(code->prepare, blocks, threads, arguments, 0, run->stream->stream);
  return error == cudaSuccess
             ? cudaLaunchKernel(code->kernel, blocks, threads, arguments, 0, run->stream->stream)
             : error;
}

/* Between the host's map and the device's slice, where the device has only one. */
static cudaError_t
copy_slice(const Run *run, size_t slice, cudaMemcpyKind direction)
{
  if (run->copied == NULL)
    return cudaSuccess;
  float *there = run->copied + slice * run->shape[0] * run->shape[1];
  const bool is_back = direction == cudaMemcpyDeviceToHost;
  return cudaMemcpyAsync(is_back ? there : run->map, is_back ? run->map : there, slice_bytes(run), direction,
                         run->stream->stream);
}

/* Some atoms in all slices: those that fit into the bank, or all. */
static cudaError_t
add_atoms(Run *run, size_t first, unsigned n_atoms)
{
  cudaError_t error = cudaSuccess;
  for (size_t slice = 0; slice < run->frame->shape[2] && debye_ladder_stream_begins(run->stream, &error);
       slice++) {
    if (run->bank != NULL && (slice == 0 || run->code->has_squares))
      error = fill_bank(run, first, n_atoms, (float)slice * run->frame->step[2]);
    if (error == cudaSuccess)
      error = copy_slice(run, slice, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
      error = launch_slice(run, slice, first, n_atoms);
    if (error == cudaSuccess)
      error = copy_slice(run, slice, cudaMemcpyDeviceToHost);
    if (error == cudaSuccess)
      error = debye_ladder_stream_ends(run->stream);
  }
  return error;
}

/* Without the padding. */
static cudaError_t
fetch_map(const Run *run, float *map)
{
  const size_t *shape = run->frame->shape;
  if (run->copied != NULL) {
    memcpy(map, run->copied, slice_bytes(run) * shape[2]);
    return cudaSuccess;
  }
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(run->map, run->shape[0] * sizeof *map, run->shape[0], run->shape[1]);
  copy.dstPtr = make_cudaPitchedPtr(map, shape[0] * sizeof *map, shape[0], shape[1]);
  copy.extent = make_cudaExtent(shape[0] * sizeof *map, shape[1], shape[2]);
  copy.kind = cudaMemcpyDeviceToHost;
  return run->code->is_padded ? debye_ladder_copy_out_padded(&copy)
                              : debye_ladder_copy_out(map, run->map, slice_bytes(run) * shape[2]);
}

/* If the map crosses the bus with each slice, within the kernel's time, no copy is timed: the atoms' alone would mislead. */
static cudaError_t
send_atoms(const Run *run)
{
  const size_t n_bytes = run->frame->n_atoms * sizeof *run->frame->atoms;
  return run->code->copies_slices
             ? cudaMemcpyAsync(run->atoms, run->frame->atoms, n_bytes, cudaMemcpyHostToDevice,
                               run->stream->stream)
             : debye_ladder_copy_in(run->atoms, run->frame->atoms, n_bytes, run->stream->stream);
}

static cudaError_t
run_on_device(Run *run, float *map, double *seconds)
{
  const DebyeLadderFrame *frame = run->frame;
  const size_t n = frame->n_atoms;
  cudaError_t error = allocate(run);
  const size_t most = run->bank != NULL ? run->code->bank_size : n;
  if (error == cudaSuccess)
    error = send_atoms(run);
  for (size_t first = 0; first < n && error == cudaSuccess && !run->stream->cancelled; first += most)
    error = add_atoms(run, first, (unsigned)(n - first < most ? n - first : most));
  if (debye_is_cancelled(run->stream->cancel))
    run->stream->cancelled = true;
  const cudaError_t finished = debye_ladder_stream_finish(run->stream, seconds);
  error = error == cudaSuccess ? finished : error;
  return error != cudaSuccess || run->stream->cancelled ? error : fetch_map(run, map);
}

DebyeStatusCode
debye_ladder_direct_run(int device, const char *source, const DebyeLadderProblem *problem, float *map,
                        double *seconds, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeLadderFrame frame;
  DebyeStatusCode code = debye_ladder_frame_init(&frame, problem, status);
  if (code == DEBYE_STATUS_OK) {
    DebyeLadderStream stream = {};
    Run run = {};
    run.code = debye_ladder_find_code(source);
    run.frame = &frame;
    debye_ladder_slice_shape(run.code, frame.shape, run.shape);
    run.stream = &stream;
    cudaError_t error = cudaSetDevice(device);
    if (error == cudaSuccess)
      error = debye_ladder_stream_init(&stream, cancel);
    if (error == cudaSuccess)
      error = run_on_device(&run, map, seconds);
    cudaFree(run.map);
    cudaFree(run.atoms);
    cudaFree(run.scratch);
    cudaFreeHost(run.staged);
    cudaFreeHost(run.copied);
    debye_ladder_stream_clear(&stream);
    code = debye_ladder_stream_status(&stream, error, status);
  }
  debye_ladder_frame_clear(&frame);
  return code;
}
