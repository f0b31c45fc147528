/* SPDX-License-Identifier: MIT */
/* Which shape of the fast kernel of self scattering is the fastest, and what the textbook's pipeline gives in
 * the same run: for each atom in double, phases, a padded transform, squares, the transform back and the sum,
 * each a kernel or a call of cuFFT of its own, series of 2·NF points.
 *
 *   bench_self_shapes [ATOMS [FRAMES [VECTORS]]]
 *
 * Up to 512 frames there is one shape only, which is not timed. */
#include <stdio.h>
#include <stdlib.h>

#include <vector>

#include "kernels/cuda/scattering/displacement_consecutive.cuh"
#include "kernels/cuda/common/fourier.cuh"
#include "kernels/cuda/scattering/self_kernels.cuh"
#include "kernels/scattering/scattering_self.h"

#define CHECK_CUDA(call)                                     \
  do {                                                       \
    cudaError_t error_ = (call);                             \
    if (error_ != cudaSuccess) {                             \
      printf("%s: %s\n", #call, cudaGetErrorString(error_)); \
      exit(1);                                               \
    }                                                        \
  } while (0)

template <class T>
static T *
upload(const std::vector<T> &values)
{
  T *device;
  CHECK_CUDA(cudaMalloc(&device, values.size() * sizeof(T)));
  CHECK_CUDA(cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

/* The best of some runs, in seconds. */
template <class Function>
static double
time_best(int repeat, Function function)
{
  cudaEvent_t begin, end;
  CHECK_CUDA(cudaEventCreate(&begin));
  CHECK_CUDA(cudaEventCreate(&end));
  double best = 1e9;
  for (int i = 0; i < repeat; i++) {
    CHECK_CUDA(cudaEventRecord(begin));
    function();
    CHECK_CUDA(cudaEventRecord(end));
    CHECK_CUDA(cudaEventSynchronize(end));
    float milliseconds;
    CHECK_CUDA(cudaEventElapsedTime(&milliseconds, begin, end));
    best = milliseconds * 1e-3 < best ? milliseconds * 1e-3 : best;
  }
  return best;
}

struct Problem {
  DebyeSelfLaunch launch;
  double terms;
  std::vector<double> turns;
};

static Problem
make_problem(unsigned atoms, unsigned frames, unsigned vectors)
{
  Problem problem = {};
  DebyeSelfLaunch &launch = problem.launch;
  const size_t row = (frames + 31) / 32 * 32;
  std::vector<float> places(atoms * row + DEBYE_SERIES_SLACK);
  for (int axis = 0; axis < 3; axis++) {
    for (unsigned atom = 0; atom < atoms; atom++) {
      float place = 0.01f * (float)(atom % 997);
      for (unsigned t = 0; t < frames; t++)
        places[atom * row + t] = place += 0.3f * ((float)rand() / (float)RAND_MAX - 0.5f);
    }
    launch.position[axis] = upload(places);
  }
  std::vector<DebyeSeriesPiece> pieces;
  for (unsigned first = 0; first < atoms; first += 32)
    pieces.push_back({first, atoms - first < 32 ? atoms - first : 32, 0});
  for (unsigned i = 0; i < 3 * vectors; i++)
    problem.turns.push_back(0.1 + 0.01 * i);
  std::vector<float4> twiddles(DEBYE_SELF_TABLE);
  debye_self_fill_twiddles((float2 *)twiddles.data());
  launch.row = row;
  launch.n_frames = frames;
  launch.n_residues = (unsigned)(debye_self_length(frames) / DEBYE_SELF_POINTS);
  launch.n_residues = launch.n_residues < 1 ? 1 : launch.n_residues;
  launch.weight = upload(std::vector<float>(atoms, 1.0f));
  launch.pieces = upload(pieces);
  launch.n_pieces = (unsigned)pieces.size();
  launch.turns = upload(problem.turns);
  launch.n_vectors = vectors;
  launch.twiddles = upload(twiddles);
  launch.n_atoms = atoms;
  CHECK_CUDA(cudaMalloc(&launch.sums, pieces.size() * vectors * launch.n_residues * 4096));
  problem.terms = (double)atoms * frames * vectors;
  return problem;
}

/* Sums in registers, or SHARED. */
template <int WARPS, int BLOCKS, bool LONG, bool SHARED>
static void
time_shape(const Problem &problem)
{
  const auto kernel = debye_self_spectra<WARPS, BLOCKS, true, LONG, false, SHARED>;
  const size_t bytes = debye_self_shared_bytes(WARPS, SHARED);
  const DebyeSelfLaunch &launch = problem.launch;
  const unsigned warps = launch.n_pieces * launch.n_vectors * launch.n_residues;
  CHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
  cudaFuncAttributes attributes;
  CHECK_CUDA(cudaFuncGetAttributes(&attributes, kernel));
  int blocks;
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 32 * WARPS, bytes));
  const double best =
      time_best(3, [&] { kernel<<<(warps + WARPS - 1) / WARPS, 32 * WARPS, bytes>>>(launch); });
  CHECK_CUDA(cudaGetLastError());
  printf("%2d warps, %d blocks (%d), %s, %3d registers, %4zu spilled: %.3e terms/s\n", WARPS, BLOCKS, blocks,
         SHARED ? "shared sums" : "sums in registers", attributes.numRegs, attributes.localSizeBytes,
         problem.terms / best);
}

/* Displacements: threads of a block, over all lags, bins of 0.01 Å. */
template <int THREADS>
static void
time_displacements(const Problem &problem, unsigned n_bins, unsigned atoms_of_piece)
{
  const auto kernel = debye_displacement_consecutive<32, THREADS>;
  const unsigned frames = problem.launch.n_frames, atoms = (unsigned)problem.launch.n_atoms;
  const unsigned runs = (frames + 63) / 64;
  DebyeDisplacementLaunch launch = {};
  for (int axis = 0; axis < 3; axis++)
    launch.position[axis] = problem.launch.position[axis];
  std::vector<DebyeSeriesPiece> pieces;
  for (unsigned first = 0; first < atoms; first += atoms_of_piece)
    pieces.push_back({first, atoms - first < atoms_of_piece ? atoms - first : atoms_of_piece, 0});
  launch.row = problem.launch.row;
  launch.n_frames = launch.n_lags = frames;
  launch.n_bins = n_bins;
  debye_displacement_set_scales(&launch, 0.01);
  debye_displacement_set_rows(&launch, n_bins + 1);
  launch.pieces = upload(pieces);
  launch.n_pieces = (unsigned)pieces.size();
  CHECK_CUDA(cudaMalloc(&launch.counts, (size_t)runs * 64 * (n_bins + 1) * sizeof *launch.counts));
  CHECK_CUDA(cudaMalloc(&launch.moments, pieces.size() * frames * sizeof *launch.moments));
  const size_t bytes = debye_displacement_shared_bytes(launch.shared_rows, 32, THREADS);
  CHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
  cudaFuncAttributes attributes;
  CHECK_CUDA(cudaFuncGetAttributes(&attributes, kernel));
  const dim3 blocks(launch.n_pieces, runs);
  const double best = time_best(3, [&] { kernel<<<blocks, THREADS, bytes>>>(launch); });
  CHECK_CUDA(cudaGetLastError());
  printf("displacements: %4d threads, %3u atoms, %u bins, %3d registers, %4zu spilled: %.3e "
         "displacements/s\n",
         THREADS, atoms_of_piece, n_bins, attributes.numRegs, attributes.localSizeBytes,
         0.5 * atoms * frames * (frames + 1.0) / best);
  cudaFree(launch.counts);
  cudaFree(launch.moments);
}

/* The textbook. */

static __global__ void
make_phases(const float *x, const float *y, const float *z, size_t row, unsigned n_frames, double3 q,
            double2 *values)
{
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  const size_t atom = blockIdx.y;
  if (t >= 2 * n_frames)
    return;
  double2 value = make_double2(0.0, 0.0);
  if (t < n_frames)
    sincos(q.x * x[atom * row + t] + q.y * y[atom * row + t] + q.z * z[atom * row + t], &value.y, &value.x);
  values[atom * 2 * n_frames + t] = value;
}

static __global__ void
square_values(double2 *values, size_t n)
{
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    values[i] = make_double2(values[i].x * values[i].x + values[i].y * values[i].y, 0.0);
}

static __global__ void
sum_atoms(const double2 *values, unsigned n_atoms, unsigned n_frames, double2 *sum)
{
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n_frames)
    return;
  double2 own = make_double2(0.0, 0.0);
  for (size_t atom = blockIdx.y; atom < n_atoms; atom += gridDim.y) {
    const double2 value = values[atom * 2 * n_frames + t];
    own = make_double2(own.x + value.x, own.y + value.y);
  }
  atomicAdd(&sum[t].x, own.x / (2.0 * n_frames * (n_frames - t)));
  atomicAdd(&sum[t].y, own.y / (2.0 * n_frames * (n_frames - t)));
}

static double
time_textbook(const Problem &problem)
{
  const DebyeSelfLaunch &launch = problem.launch;
  const unsigned frames = launch.n_frames, length = 2 * frames;
  const unsigned atoms = launch.n_atoms < 16384 ? (unsigned)launch.n_atoms : 16384;
  DebyeFourierSettings transform = {};
  transform.double_precision = true;
  transform.shape[0] = length;
  transform.shape[1] = transform.shape[2] = 1;
  transform.batch = atoms;
  DebyeCudaFourier *fourier;
  DebyeStatus status = {};
  if (debye_cuda_fourier_create(&transform, NULL, &fourier, &status) != DEBYE_STATUS_OK) {
    printf("textbook: %s\n", status.text);
    return 0.0;
  }
  double2 *values, *sum;
  CHECK_CUDA(cudaMalloc(&values, (size_t)atoms * length * sizeof *values));
  CHECK_CUDA(cudaMalloc(&sum, frames * sizeof *sum));
  const unsigned vectors = launch.n_vectors < 4 ? launch.n_vectors : 4;
  const double best = time_best(3, [&] {
    for (unsigned i = 0; i < vectors; i++) {
      const double3 q = make_double3(6.28 * problem.turns[3 * i], 6.28 * problem.turns[3 * i + 1],
                                     6.28 * problem.turns[3 * i + 2]);
      make_phases<<<dim3((length + 255) / 256, atoms), 256>>>(
          launch.position[0], launch.position[1], launch.position[2], launch.row, frames, q, values);
      debye_cuda_fourier_forward(fourier, values, &status);
      square_values<<<4096, 256>>>(values, (size_t)atoms * length);
      debye_cuda_fourier_backward(fourier, values, &status);
      sum_atoms<<<dim3((frames + 127) / 128, 256), 128>>>(values, atoms, frames, sum);
    }
  });
  CHECK_CUDA(cudaGetLastError());
  const double rate = (double)atoms * frames * vectors / best;
  printf("textbook (%s): %.3e terms/s\n", status.code == DEBYE_STATUS_OK ? "double" : status.text, rate);
  debye_cuda_fourier_destroy(fourier);
  CHECK_CUDA(cudaFree(values));
  CHECK_CUDA(cudaFree(sum));
  return rate;
}

int
main(int argc, char **argv)
{
  const unsigned atoms = argc > 1 ? (unsigned)atoi(argv[1]) : 32768;
  const unsigned frames = argc > 2 ? (unsigned)atoi(argv[2]) : 1000;
  const unsigned vectors = argc > 3 ? (unsigned)atoi(argv[3]) : 16;
  const Problem problem = make_problem(atoms, frames, vectors);
  printf("%u atoms × %u frames × %u vectors\n", atoms, frames, vectors);
  if (frames > DEBYE_SELF_POINTS) {
    time_shape<4, 4, true, false>(problem);
    time_shape<4, 4, true, true>(problem);
    time_shape<4, 3, true, false>(problem);
    time_shape<8, 2, true, true>(problem);
  } else if (frames > DEBYE_SELF_POINTS / 2) {
    time_shape<4, 3, false, false>(problem);
    time_shape<4, 4, false, false>(problem);
    time_shape<4, 4, false, true>(problem);
    time_shape<8, 2, false, false>(problem);
    time_shape<10, 2, false, true>(problem);
    time_shape<12, 2, false, true>(problem);
  }
  for (unsigned n_bins = 300; n_bins <= 1500; n_bins += 1200) {
    for (unsigned atoms_of_piece = 64; atoms_of_piece <= 256; atoms_of_piece *= 2)
      time_displacements<768>(problem, n_bins, atoms_of_piece);
    time_displacements<512>(problem, n_bins, 256);
    time_displacements<640>(problem, n_bins, 256);
    time_displacements<1024>(problem, n_bins, 256);
  }
  time_textbook(problem);
  return 0;
}
