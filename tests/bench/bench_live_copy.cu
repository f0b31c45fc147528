/* SPDX-License-Identifier: MIT */
/* What it costs that a live map comes back to the host: the copy over the bus into pinned memory, from there
 * into the caller's, and beside them what OpenGL would be given instead, a copy within the device.
 *
 *   bench_live_copy [GRID] [REPEAT] */
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static double
seconds_now()
{
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

template <class Function>
static double
best_of(int repeat, Function function)
{
  double best = 1e9;
  for (int i = 0; i < repeat; i++) {
    const double start = seconds_now();
    function();
    const double seconds = seconds_now() - start;
    best = seconds < best ? seconds : best;
  }
  return best;
}

int
main(int argc, char **argv)
{
  const size_t grid = argc > 1 ? (size_t)atoi(argv[1]) : 96;
  const int repeat = argc > 2 ? atoi(argv[2]) : 200;
  const size_t bytes = grid * grid * grid * sizeof(float);
  void *device = nullptr, *other = nullptr, *pinned = nullptr;
  void *plain = calloc(bytes, 1);
  if (plain == nullptr || cudaMalloc(&device, bytes) != cudaSuccess ||
      cudaMalloc(&other, bytes) != cudaSuccess ||
      cudaHostAlloc(&pinned, bytes, cudaHostAllocDefault) != cudaSuccess) {
    printf("no device or no memory: %s\n", cudaGetErrorString(cudaGetLastError()));
    return 1;
  }
  memset(pinned, 1, bytes);
  const double over_bus = best_of(repeat, [=] { cudaMemcpy(pinned, device, bytes, cudaMemcpyDeviceToHost); });
  const double on_host = best_of(repeat, [=] { memcpy(plain, pinned, bytes); });
  const double on_device = best_of(repeat, [=] {
    cudaMemcpyAsync(other, device, bytes, cudaMemcpyDeviceToDevice, cudaStreamPerThread);
    cudaStreamSynchronize(cudaStreamPerThread);
  });
  printf("map of %zu^3 floats, %.2f MB: to pinned memory %.3f ms, on into plain memory %.3f ms; within the "
         "device %.3f ms\n",
         grid, 1e-6 * (double)bytes, 1e3 * over_bus, 1e3 * on_host, 1e3 * on_device);
  const cudaError_t error = cudaGetLastError();
  cudaFreeHost(pinned);
  cudaFree(device);
  cudaFree(other);
  free(plain);
  return error != cudaSuccess;
}
