/* SPDX-License-Identifier: MIT */
/* Runs the sources of kernels/ladder/scattering on a GPU, a block of atoms after the other, with cuFFT between them; called
 * by ladder.cu. Its twin is cpu/ladder/ladder_scattering.c. */
#include <stdlib.h>

#include "direct.cuh"
#include "kernels/cuda/common/fourier.cuh"

struct Scatter {
  const DebyeLadderCode *code;
  const DebyeLadderCourses *courses;
  DebyeLadderStream *stream;
  float *places, *q; /* on the device: x, then y and z; three numbers a vector */
  float2 *series, *f;
  size_t block, n_rows, length; /* atoms of a block, atoms whose series it has, values of one */
  DebyeCudaFourier *fourier;
  cudaGraph_t recorded; /* a block's launches, the first of them, and what starts them; NULL: not recorded */
  cudaGraphNode_t first_node;
  cudaGraphExec_t graph;
  DebyeStatus *status;
};

static unsigned
blocks_for(size_t n, unsigned each)
{
  return (unsigned)((n + each - 1) / each);
}

static DebyeStatusCode
note(const Scatter *run, cudaError_t error)
{
  return debye_cuda_status(error, "running a teaching variant", run->status);
}

/* Launches it, or changes the atoms in the graph's. */
static cudaError_t
compute(const Scatter *run, size_t first_atom, size_t n_atoms, size_t n_rows, cudaGraphExec_t graph)
{
  const DebyeLadderCourses *courses = run->courses;
  const unsigned *block = run->code->block;
  const size_t across = run->code->is_across ? courses->n_vectors : run->length,
               down = run->code->is_across ? run->length : courses->n_vectors;
  float2 *series = run->series;
  const size_t n_places = courses->n_atoms * courses->n_frames;
  const float *x = run->places, *y = x + n_places, *z = y + n_places, *q = run->q;
  int n = (int)courses->n_atoms, n_frames = (int)courses->n_frames, n_vectors = (int)courses->n_vectors,
      first = (int)first_atom, n_block = (int)n_atoms, length = (int)run->length;
  void *arguments[] = {&series, &x, &y, &z, &n, &n_frames, &q, &n_vectors, &first, &n_block, &length};
  cudaKernelNodeParams node = {};
  node.func = (void *)run->code->kernel;
  node.gridDim = dim3(blocks_for(across, block[0]), blocks_for(down, block[1]), (unsigned)n_rows);
  node.blockDim = dim3(block[0], block[1]);
  node.kernelParams = arguments;
  return graph != NULL
             ? cudaGraphExecKernelNodeSetParams(graph, run->first_node, &node)
             : cudaLaunchKernel(node.func, node.gridDim, node.blockDim, arguments, 0, run->stream->stream);
}

static cudaError_t
multiply(const Scatter *run, size_t n_rows)
{
  const unsigned *block = run->code->block;
  float2 *series = run->series;
  long n = (long)(n_rows * run->courses->n_vectors * run->length);
  void *arguments[] = {&series, &n};
  return cudaLaunchKernel(run->code->multiply_series, dim3(blocks_for((size_t)n, block[0] * block[1])),
                          dim3(block[0], block[1]), arguments, 0, run->stream->stream);
}

static cudaError_t
add(const Scatter *run, size_t n_rows)
{
  const DebyeLadderCourses *courses = run->courses;
  const unsigned *block = run->code->block;
  float2 *f = run->f;
  const float2 *series = run->series;
  int n_frames = (int)courses->n_frames, n_vectors = (int)courses->n_vectors, n_block = (int)n_rows,
      length = (int)run->length;
  void *arguments[] = {&f, &series, &n_frames, &n_vectors, &n_block, &length};
  return cudaLaunchKernel(run->code->add_series,
                          dim3(blocks_for(courses->n_frames, block[0]),
                               blocks_for(courses->n_vectors, block[1]),
                               run->code->adds_apart ? (unsigned)n_rows : 1),
                          dim3(block[0], block[1]), arguments, 0, run->stream->stream);
}

/* Of all of a block's series in one call, or of each. */
static DebyeStatusCode
transform(const Scatter *run, size_t n_rows,
          DebyeStatusCode (*transform_one)(DebyeCudaFourier *, void *, DebyeStatus *))
{
  const size_t n = run->code->transforms_each ? n_rows * run->courses->n_vectors : 1;
  DebyeStatusCode code = DEBYE_STATUS_OK;
  for (size_t i = 0; i < n && code == DEBYE_STATUS_OK; i++)
    code = transform_one(run->fourier, run->series + run->length * i, run->status);
  return code;
}

static DebyeStatusCode
make_room(Scatter *run)
{
  const size_t n_series = run->n_rows * run->courses->n_vectors, n = n_series * run->length;
  DebyeFourierSettings settings = {};
  settings.shape[0] = run->length;
  settings.shape[1] = settings.shape[2] = 1;
  settings.batch = run->code->transforms_each ? 1 : n_series;
  cudaError_t error = cudaMalloc((void **)&run->series, n * sizeof(float2));
  if (error == cudaSuccess)
    error = cudaMemsetAsync(run->series, 0, n * sizeof(float2), run->stream->stream);
  const DebyeStatusCode code = note(run, error);
  return code == DEBYE_STATUS_OK && run->code->multiply_series != NULL
             ? debye_cuda_fourier_create(&settings, run->stream->stream, &run->fourier, run->status)
             : code;
}

/* What waits in the stream still uses it. */
static void
clear_room(Scatter *run)
{
  cudaStreamSynchronize(run->stream->stream);
  if (run->graph != NULL)
    cudaGraphExecDestroy(run->graph);
  if (run->recorded != NULL)
    cudaGraphDestroy(run->recorded);
  run->graph = NULL;
  run->recorded = NULL;
  debye_cuda_fourier_destroy(run->fourier);
  cudaFree(run->series);
  run->fourier = NULL;
  run->series = NULL;
}

static DebyeStatusCode
do_series(Scatter *run, size_t first, size_t n_atoms)
{
  const size_t n_rows = run->n_rows < n_atoms ? run->n_rows : n_atoms;
  DebyeStatusCode code = note(run, compute(run, first, n_atoms, n_rows, NULL));
  if (code == DEBYE_STATUS_OK && run->fourier != NULL)
    code = transform(run, n_rows, debye_cuda_fourier_forward);
  if (code == DEBYE_STATUS_OK && run->fourier != NULL)
    code = note(run, multiply(run, n_rows));
  if (code == DEBYE_STATUS_OK && run->fourier != NULL)
    code = transform(run, n_rows, debye_cuda_fourier_backward);
  return code == DEBYE_STATUS_OK ? note(run, add(run, n_rows)) : code;
}

/* The launches of a whole block, which wait in the graph instead of the stream. */
static DebyeStatusCode
record_graph(Scatter *run, size_t first)
{
  size_t n_first = 1;
  DebyeStatusCode code =
      note(run, cudaStreamBeginCapture(run->stream->stream, cudaStreamCaptureModeThreadLocal));
  if (code != DEBYE_STATUS_OK)
    return code;
  code = do_series(run, first, run->block);
  cudaError_t error = cudaStreamEndCapture(run->stream->stream, &run->recorded);
  if (error == cudaSuccess)
    error = cudaGraphGetRootNodes(run->recorded, &run->first_node, &n_first);
  if (error == cudaSuccess)
    error = cudaGraphInstantiate(&run->graph, run->recorded, 0);
  return code == DEBYE_STATUS_OK ? note(run, error) : code;
}

/* The first block's launches are single ones, which loads what they need, and so are those of a last one with fewer atoms. */
static DebyeStatusCode
do_block(Scatter *run, size_t first, size_t n_atoms)
{
  DebyeStatusCode code = DEBYE_STATUS_OK;
  if (!run->code->has_graph || first == 0 || n_atoms < run->block)
    return do_series(run, first, n_atoms);
  if (run->graph == NULL)
    code = record_graph(run, first);
  if (code == DEBYE_STATUS_OK)
    code = note(run, compute(run, first, n_atoms, run->n_rows, run->graph));
  return code == DEBYE_STATUS_OK ? note(run, cudaGraphLaunch(run->graph, run->stream->stream)) : code;
}

static DebyeStatusCode
do_blocks(Scatter *run)
{
  const size_t n = run->courses->n_atoms;
  cudaError_t error = cudaSuccess;
  DebyeStatusCode code = run->code->plans_once ? make_room(run) : DEBYE_STATUS_OK;
  for (size_t first = 0;
       code == DEBYE_STATUS_OK && first < n && debye_ladder_stream_begins(run->stream, &error);
       first += run->block) {
    if (!run->code->plans_once)
      code = make_room(run);
    if (code == DEBYE_STATUS_OK)
      code = do_block(run, first, n - first < run->block ? n - first : run->block);
    if (code == DEBYE_STATUS_OK)
      error = debye_ladder_stream_ends(run->stream);
    if (!run->code->plans_once)
      clear_room(run);
  }
  clear_room(run);
  return code == DEBYE_STATUS_OK ? note(run, error) : code;
}

static cudaError_t
fill(Scatter *run, const float *q)
{
  const DebyeLadderCourses *courses = run->courses;
  const size_t n = courses->n_atoms * courses->n_frames, n_values = courses->n_vectors * courses->n_frames;
  const float *const from[3] = {courses->x, courses->y, courses->z};
  cudaError_t error = cudaMalloc((void **)&run->places, 3 * n * sizeof(float));
  for (size_t axis = 0; axis < 3 && error == cudaSuccess; axis++)
    error = debye_ladder_copy_in(run->places + axis * n, from[axis], n * sizeof(float), run->stream->stream);
  if (error == cudaSuccess)
    error = cudaMalloc((void **)&run->q, 3 * courses->n_vectors * sizeof(float));
  if (error == cudaSuccess)
    error = debye_ladder_copy_in(run->q, q, 3 * courses->n_vectors * sizeof(float), run->stream->stream);
  if (error == cudaSuccess)
    error = cudaMalloc((void **)&run->f, n_values * sizeof(float2));
  return error == cudaSuccess ? cudaMemsetAsync(run->f, 0, n_values * sizeof(float2), run->stream->stream)
                              : error;
}

static DebyeStatusCode
run_on_device(Scatter *run, const float *q, float *f, double *seconds)
{
  const DebyeLadderCourses *courses = run->courses;
  DebyeStatusCode code = note(run, fill(run, q));
  if (code == DEBYE_STATUS_OK)
    code = do_blocks(run);
  const cudaError_t finished = debye_ladder_stream_finish(run->stream, seconds);
  if (code != DEBYE_STATUS_OK)
    return code;
  if (finished != cudaSuccess || run->stream->cancelled)
    return debye_ladder_stream_status(run->stream, finished, run->status);
  return note(run, debye_ladder_copy_out(f, run->f, courses->n_vectors * courses->n_frames * sizeof(float2)));
}

DebyeStatusCode
debye_cuda_ladder_scatter(int device, const char *source, const DebyeLadderCourses *courses, float *f,
                          double *seconds, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeLadderStream stream = {};
  Scatter run = {};
  float *q = debye_ladder_flatten_vectors(courses);
  if (q == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for %zu vectors.",
                            courses->n_vectors);
  run.code = debye_ladder_find_code(source);
  run.courses = courses;
  run.stream = &stream;
  run.status = status;
  const bool is_one = run.code->block_atoms == 0;
  run.block = is_one || courses->n_atoms < run.code->block_atoms ? courses->n_atoms : run.code->block_atoms;
  run.n_rows = is_one ? 1 : run.block;
  run.length =
      run.code->multiply_series != NULL ? debye_ladder_series_length(courses->n_frames) : courses->n_frames;
  cudaError_t error = cudaSetDevice(device);
  if (error == cudaSuccess)
    error = debye_ladder_stream_init(&stream, cancel);
  DebyeStatusCode code = note(&run, error);
  if (code == DEBYE_STATUS_OK)
    code = run_on_device(&run, q, f, seconds);
  cudaFree(run.places);
  cudaFree(run.q);
  cudaFree(run.f);
  debye_ladder_stream_clear(&stream);
  free(q);
  return code;
}
