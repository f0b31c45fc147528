/* SPDX-License-Identifier: MIT */
/* Runs the sources of kernels/ladder/ligand on a GPU, some planes after the others; called by ladder.cu. Its twin is
 * cpu/ladder/ladder_ligand.c. */
#include "kernels/ladder/ladder_ligand.h"

#include "direct.cuh"

/* Of a launch, so that a Stop is seen soon. */
constexpr double TESTS = 1e11;
/* Planes of a launch: a plane of blocks each at most. */
constexpr size_t MAX_PLANES = 32768;

struct Sampling {
  const DebyeLadderCode *code;
  const DebyeLadderMatter *matter;
  DebyeLadderStream *stream;
  float *means; /* on the device, like all of these */
  float4 *atoms;
  float2 *pairs;
  int *start;
};

static unsigned
blocks_for(size_t n, unsigned each)
{
  return (unsigned)((n + each - 1) / each);
}

static cudaError_t
allocate(Sampling *sampling)
{
  const DebyeLadderMatter *matter = sampling->matter;
  const size_t *shape = matter->shape;
  const cudaStream_t stream = sampling->stream->stream;
  cudaError_t error = cudaMalloc((void **)&sampling->means, shape[0] * shape[1] * shape[2] * sizeof(float));
  if (error == cudaSuccess)
    error = debye_ladder_send(&sampling->atoms, matter->atoms, matter->n_atoms * sizeof(float4), stream);
  if (error == cudaSuccess)
    error = debye_ladder_send(&sampling->pairs, matter->pairs, matter->n_atoms * sizeof(float2), stream);
  if (error == cudaSuccess)
    error = debye_ladder_send(&sampling->start, matter->start, (matter->n_bins + 1) * sizeof(int), stream);
  return error;
}

static cudaError_t
launch(const Sampling *sampling, size_t first_plane, size_t n_planes)
{
  const DebyeLadderCode *code = sampling->code;
  const DebyeLadderMatter *matter = sampling->matter;
  float *means = sampling->means + first_plane * matter->shape[0] * matter->shape[1];
  int nx = (int)matter->shape[0], ny = (int)matter->shape[1], nz = (int)n_planes;
  int samples = matter->subsamples, n_atoms = (int)matter->n_atoms, bins_x = matter->bins[0],
      bins_y = matter->bins[1];
  float hx = matter->step[0], hy = matter->step[1], hz = matter->step[2], margin = matter->margin,
        z = margin + (float)first_plane * hz, edge = matter->edge, cutoff2 = matter->cutoff2;
  const float4 *atoms = sampling->atoms;
  const float2 *pairs = sampling->pairs;
  const int *start = sampling->start;
  void *arguments[] = {&means,   &nx,    &ny,    &nz,      &hx,    &hy,     &hz,     &z,    &margin,
                       &samples, &atoms, &pairs, &n_atoms, &start, &bins_x, &bins_y, &edge, &cutoff2};
  const dim3 blocks(blocks_for(matter->shape[0], code->block[0]),
                    blocks_for(matter->shape[1], code->block[1]), (unsigned)n_planes);
  return cudaLaunchKernel(code->kernel, blocks, dim3(code->block[0], code->block[1]), arguments, 0,
                          sampling->stream->stream);
}

static cudaError_t
sample_all(const Sampling *sampling)
{
  const size_t n = sampling->matter->shape[2],
               some = debye_ladder_ligand_planes_at_once(sampling->matter, TESTS);
  const size_t most = some < MAX_PLANES ? some : MAX_PLANES;
  cudaError_t error = cudaSuccess;
  for (size_t first = 0; first < n && debye_ladder_stream_begins(sampling->stream, &error); first += most) {
    error = launch(sampling, first, n - first < most ? n - first : most);
    if (error == cudaSuccess)
      error = debye_ladder_stream_ends(sampling->stream);
  }
  return error;
}

static cudaError_t
run_on_device(Sampling *sampling, float *means, double *seconds)
{
  const size_t *shape = sampling->matter->shape;
  cudaError_t error = allocate(sampling);
  if (error == cudaSuccess)
    error = sample_all(sampling);
  const cudaError_t finished = debye_ladder_stream_finish(sampling->stream, seconds);
  error = error == cudaSuccess ? finished : error;
  return error != cudaSuccess || sampling->stream->cancelled
             ? error
             : debye_ladder_copy_out(means, sampling->means, shape[0] * shape[1] * shape[2] * sizeof *means);
}

DebyeStatusCode
debye_cuda_ladder_ligand_run(int device, const char *source, const DebyeLadderLigand *ligand, float *means,
                             double *seconds, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeLadderMatter matter;
  DebyeStatusCode code = debye_ladder_matter_init(&matter, ligand, status);
  if (code == DEBYE_STATUS_OK) {
    DebyeLadderStream stream = {};
    Sampling sampling = {};
    sampling.code = debye_ladder_find_code(source);
    sampling.matter = &matter;
    sampling.stream = &stream;
    cudaError_t error = cudaSetDevice(device);
    if (error == cudaSuccess)
      error = debye_ladder_stream_init(&stream, cancel);
    if (error == cudaSuccess)
      error = run_on_device(&sampling, means, seconds);
    cudaFree(sampling.means);
    cudaFree(sampling.atoms);
    cudaFree(sampling.pairs);
    cudaFree(sampling.start);
    debye_ladder_stream_clear(&stream);
    code = debye_ladder_stream_status(&stream, error, status);
  }
  debye_ladder_matter_clear(&matter);
  return code;
}
