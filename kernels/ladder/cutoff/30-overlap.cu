/* The overflow at the same time: a launch returns at once. While the kernel
 * runs, the host adds what had no slot to a map of its own, and adds both maps
 * at the end. */
#ifndef EDGE
#define EDGE 8 /* points of a region along each axis; a bin is as wide */
#endif
#ifndef BLOCK_X
#define BLOCK_X 8
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 2
#endif
#ifndef BLOCK_Z
#define BLOCK_Z 8
#endif
#ifndef POINTS
#define POINTS 4 /* in y, BLOCK_Y apart; POINTS * BLOCK_Y = EDGE */
#endif
#ifndef CAPACITY
#define CAPACITY 8 /* atoms in a bin; what is left of it are dummies, far away */
#endif
#ifndef CHUNK
#define CHUNK 4096 /* bins of the list, at most */
#endif
#ifndef BINS
#define BINS 4 /* brought at once */
#endif
#ifndef FAR
#define FAR 1e9f /* dummies are beyond */
#endif

__constant__ int
    bank[CHUNK]; /* where bins of the list are, seen from the block's own */

extern "C" __global__ void
sum_regions(float *energy, int nx, int ny, int nz, float hx, float hy, float hz,
            const float4 *atoms, int n_atoms, const float4 *bins, const int *head,
            const int *next, int bins_x, int bins_y, int reach_x, int reach_y,
            int reach_z, int n_offsets, float cutoff2, float core2, int first)
{
  __shared__ float4 tile[BINS * CAPACITY];
  int region = first + blockIdx.x;
  int regions_x = (nx + EDGE - 1) / EDGE, regions_y = (ny + EDGE - 1) / EDGE;
  int rx = region % regions_x, ry = region / regions_x % regions_y,
      rz = region / (regions_x * regions_y);
  int home = ((rz + reach_z) * bins_y + ry + reach_y) * bins_x + rx + reach_x;
  int i = rx * EDGE + threadIdx.x, j = ry * EDGE + threadIdx.y,
      k = rz * EDGE + threadIdx.z;
  int thread = (threadIdx.z * BLOCK_Y + threadIdx.y) * BLOCK_X + threadIdx.x;
  float inv_cutoff2 = 1.0f / cutoff2;
  float x = hx * i, y = hy * j, z = hz * k, sum[POINTS] = {};
  for (int list = 0; list < n_offsets; list += BINS) {
    __syncthreads();
    if (thread < 4 * CAPACITY * BINS &&
        list + thread / (4 * CAPACITY) < n_offsets) {
      int bin = home + bank[list + thread / (4 * CAPACITY)];
      ((float *)tile)[thread] =
          ((const float *)(bins + CAPACITY * bin))[thread % (4 * CAPACITY)];
    }
    __syncthreads();
    int n_bins = min(BINS, n_offsets - list);
    for (int bin = 0; bin < n_bins; bin++)
      for (int n = bin * CAPACITY; n < (bin + 1) * CAPACITY; n++) {
        float4 atom = tile[n];
        if (atom.x > FAR)
          break;
        float dx = x - atom.x, dz = z - atom.z, dxdz2 = dx * dx + dz * dz;
        if (dxdz2 >= cutoff2)
          continue;
#pragma unroll
        for (int p = 0; p < POINTS; p++) {
          float dy = y + hy * (p * BLOCK_Y) - atom.y, r2 = dy * dy + dxdz2;
          if (r2 < cutoff2) {
            float s = 1.0f - r2 * inv_cutoff2;
            sum[p] += atom.w * s * s * rsqrtf(fmaxf(r2, core2));
          }
        }
      }
  }
#pragma unroll
  for (int p = 0; p < POINTS; p++)
    if (i < nx && j + p * BLOCK_Y < ny && k < nz)
      energy[(k * ny + j + p * BLOCK_Y) * nx + i] = sum[p];
}

/* The host's part: each atom adds itself to the points in its sphere, in whole
 * rows. */
extern "C" void
sum_overflow(float *energy, int nx, int ny, int nz, float hx, float hy, float hz,
             const float *atoms, int n_atoms, float cutoff2, float core2,
             int thread, int n_threads)
{
  float inv_cutoff2 = 1.0f / cutoff2;
  for (int k = thread; k < nz; k += n_threads)
    for (int n = 0; n < 4 * n_atoms; n += 4) {
      float dz = hz * k - atoms[n + 2];
      for (int j = 0; j < ny; j++) {
        float dy = hy * j - atoms[n + 1], dyz2 = dy * dy + dz * dz;
        float left2 = cutoff2 - dyz2;
        if (left2 <= 0.0f)
          continue;
        float half = sqrtf(left2) / hx, middle = atoms[n] / hx;
        int from = middle - half > 0.0f ? (int)(middle - half) : 0;
        int to = middle + half < nx - 1 ? (int)(middle + half) + 1 : nx - 1;
        for (int i = from; i <= to; i++) {
          float dx = hx * i - atoms[n], r2 = dx * dx + dyz2;
          float s = r2 < cutoff2 ? 1.0f - r2 * inv_cutoff2 : 0.0f;
          energy[(k * ny + j) * nx + i] +=
              atoms[n + 3] * s * s / sqrtf(r2 > core2 ? r2 : core2);
        }
      }
    }
}
