/* SPDX-License-Identifier: MIT */
/* Kernel time of an isosurface of n^3 points, stage by stage: bits, counts and sums, then vertices and triangles; copies aside.
 * Arguments: n (256), periods a side of the gyroid (1). */
#include <stdio.h>

#include "kernels/cuda/isosurface/isosurface.cu"

static float *
make_map(size_t n, double periods)
{
  float *values = (float *)malloc(n * n * n * sizeof *values);
  const double turn = 2.0 * 3.14159265358979323846 * periods / (double)n;
  for (size_t k = 0, at = 0; k < n; k++)
    for (size_t j = 0; j < n; j++)
      for (size_t i = 0; i < n; i++)
        values[at++] = (float)(sin(turn * i) * cos(turn * j) + sin(turn * j) * cos(turn * k) +
                               sin(turn * k) * cos(turn * i));
  return values;
}

int
main(int argc, char **argv)
{
  const size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 256;
  const DebyeIsosurfaceSettings settings = {{n, n, n}};
  DebyeGrid grid = {};
  DebyeKernelPlan *handle = NULL;
  DebyeStatus status;
  float *values = make_map(n, argc > 2 ? strtod(argv[2], NULL) : 1.0), least[2] = {1e9f, 1e9f};
  cudaEvent_t events[4];
  for (int axis = 0; axis < 3; axis++)
    grid.shape[axis] = n;
  grid.step[0].x = grid.step[1].y = grid.step[2].z = 0.5;
  if (create(0, &settings, &handle, &status) != DEBYE_STATUS_OK ||
      set_map(handle, &grid, values, &status) != DEBYE_STATUS_OK) {
    printf("%s\n", status.text);
    return 1;
  }
  Plan *plan = (Plan *)handle;
  for (int i = 0; i < 4; i++)
    cudaEventCreate(&events[i]);
  for (int round = 0; round < 10; round++) {
    float time[2];
    cudaEventRecord(events[0], plan->stream.handle);
    debye_cuda_mesher_count(&plan->mesher, &plan->grid, plan->values, 0.1, &plan->stream);
    cudaEventRecord(events[1], plan->stream.handle);
    cudaEventRecord(events[2], plan->stream.handle);
    debye_cuda_mesher_put(&plan->mesher, &plan->stream);
    cudaEventRecord(events[3], plan->stream.handle);
    cudaEventSynchronize(events[3]);
    for (int i = 0; i < 2; i++) {
      cudaEventElapsedTime(&time[i], events[2 * i], events[2 * i + 1]);
      least[i] = time[i] < least[i] ? time[i] : least[i];
    }
  }
  printf("%zu^3 points, %u vertices, %u triangles: numbered in %.3f ms, made in %.3f ms\n", n,
         plan->mesher.totals[0], plan->mesher.totals[1], least[0], least[1]);
  const DebyeStatusCode code = debye_stream_finish(&plan->stream, "timing", &status);
  if (code != DEBYE_STATUS_OK)
    printf("%s\n", status.text);
  for (int i = 0; i < 4; i++)
    cudaEventDestroy(events[i]);
  destroy(handle);
  free(values);
  return code == DEBYE_STATUS_OK ? 0 : 1;
}
