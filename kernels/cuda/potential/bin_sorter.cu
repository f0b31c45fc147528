/* SPDX-License-Identifier: MIT */
/* Sorts a frame's charges into bins on the device for potential_cutoff.cu. Images are counted and written in
 * the order of their atoms, and then sorted by bin; because the sort is stable, the order within a bin is
 * that of the atoms too, and a sum over it always the same. */
#include "bin_sorter.cuh"

#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/common/device_array.cuh"
#include "kernels/cuda/common/device_sort.cuh"

constexpr int THREADS = 128;

/* An image before it is sorted. */
struct alignas(16) Image {
  double x, y, z;
  float charge;
  uint32_t atom;
};

/* What counting finds: the number of images and, as numbers that sort as the floats do, a box around them. */
struct Counted {
  uint32_t n_images;
  unsigned low[3], high[3];
};

/* A frame under way. */
struct Work {
  DebyeBinFrame frame;
  DebyeBinMap map;
  DebyeCharges charges;
  double unit;
  uint32_t *first; /* images of an atom, then of all atoms before it */
  Counted *counted;
  Image *images;
  uint32_t *keys, *index;
};

struct DebyeBinSorter {
  Work work;
  DebyeDeviceArray first, images, keys, sorted_keys, index, sorted_index, atoms, exact_atoms, start, offset,
      scratch, counted_on_device;
  Counted *counted; /* pinned */
  /* With a limit: by atom, whether it is left to the host; on the device and, pinned, on the host. */
  DebyeDeviceArray left;
  uint8_t *left_on_host;
  float *overflow[4]; /* x, y, z, charge of those */
  size_t n_overflow, room;
};

/* Calls write(image) for each image of an atom; returns how many there are. */
template <class Write>
static __device__ __forceinline__ uint32_t
for_images(const Work &work, uint32_t atom, Write write)
{
  const DebyeVec3 home =
      debye_bin_home(&work.frame, work.charges.x[atom], work.charges.y[atom], work.charges.z[atom]);
  double first[3], last[3];
  uint32_t n = 0;
  debye_bin_cells(&work.frame, home, first, last);
  for (double c = first[2]; c <= last[2]; c++)
    for (double b = first[1]; b <= last[1]; b++)
      for (double a = first[0]; a <= last[0]; a++) {
        DebyeVec3 p;
        if (debye_bin_image(&work.frame, home, a, b, c, &p))
          write(p, n++);
      }
  return n;
}

/* A float as a number that sorts as the floats do, and back. */
static __host__ __device__ __forceinline__ unsigned
sortable(unsigned bits)
{
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static float
from_sortable(unsigned key)
{
  const unsigned bits = key & 0x80000000u ? key & 0x7fffffffu : ~key;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Rounded outwards, so that every image is in the box. */
static __device__ __forceinline__ void
extend_box(const DebyeVec3 &p, unsigned low[3], unsigned high[3])
{
  const double place[3] = {p.x, p.y, p.z};
  for (int axis = 0; axis < 3; axis++) {
    low[axis] = min(low[axis], sortable(__float_as_uint(__double2float_rd(place[axis]))));
    high[axis] = max(high[axis], sortable(__float_as_uint(__double2float_ru(place[axis]))));
  }
}

static __global__ void
count_images(const __grid_constant__ Work work)
{
  const uint32_t atom = blockIdx.x * THREADS + threadIdx.x;
  unsigned low[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX}, high[3] = {};
  __shared__ unsigned block_low[3], block_high[3];
  if (threadIdx.x < 3) {
    block_low[threadIdx.x] = UINT32_MAX;
    block_high[threadIdx.x] = 0;
  }
  if (atom < work.charges.n)
    work.first[atom] =
        for_images(work, atom, [&](const DebyeVec3 &p, uint32_t) { extend_box(p, low, high); });
  else if (atom == work.charges.n)
    work.first[atom] = 0;
  __syncthreads();
  for (int axis = 0; axis < 3; axis++) {
    atomicMin(&block_low[axis], low[axis]);
    atomicMax(&block_high[axis], high[axis]);
  }
  __syncthreads();
  if (threadIdx.x < 3) {
    atomicMin(&work.counted->low[threadIdx.x], block_low[threadIdx.x]);
    atomicMax(&work.counted->high[threadIdx.x], block_high[threadIdx.x]);
  }
}

static __global__ void
write_images(const __grid_constant__ Work work)
{
  const uint32_t atom = blockIdx.x * THREADS + threadIdx.x;
  if (atom >= work.charges.n)
    return;
  const uint32_t first = work.first[atom];
  const float charge = work.charges.charge[atom];
  for_images(work, atom, [&](const DebyeVec3 &p, uint32_t i) {
    const double place[3] = {p.x, p.y, p.z};
    work.images[first + i] = {p.x, p.y, p.z, charge, atom};
    work.keys[first + i] = debye_bin_of(&work.map, place);
    work.index[first + i] = first + i;
  });
}

/* start[b] is where the first atom of bin b or a later one is. */
static __global__ void
find_starts(const uint32_t *keys, uint32_t n, uint32_t *start, uint32_t n_bins)
{
  const uint32_t i = blockIdx.x * THREADS + threadIdx.x;
  if (i > n)
    return;
  const uint32_t from = i > 0 ? keys[i - 1] + 1 : 0, to = i < n ? keys[i] : n_bins;
  for (uint32_t bin = from; bin <= to; bin++)
    start[bin] = i;
}

/* Marks the atoms one of whose images finds its bin full. */
static __global__ void
mark_overflow(const Image *images, const uint32_t *keys, const uint32_t *index, uint32_t n,
              const uint32_t *start, unsigned capacity, uint8_t *left)
{
  const uint32_t i = blockIdx.x * THREADS + threadIdx.x;
  if (i < n && i - start[keys[i]] >= capacity)
    left[images[index[i]].atom] = 1;
}

/* Atoms that the host sums stay in their bins without a charge: too few to be worth moving the others. */
static __global__ void
bring_atoms(const Image *images, const uint32_t *index, uint32_t n, double unit, const uint8_t *left,
            DebyeBinnedAtom *atoms, DebyeBinnedExactAtom *exact_atoms)
{
  const uint32_t i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= n)
    return;
  Image image = images[index[i]];
  if (left != NULL && left[image.atom] != 0)
    image.charge = 0.0f;
  atoms[i] = {debye_fixed_point(image.x, unit), debye_fixed_point(image.y, unit),
              debye_fixed_point(image.z, unit), image.charge};
  if (exact_atoms != NULL)
    exact_atoms[i] = {image.x, image.y, image.z, image.charge};
}

DebyeBinSorter *
debye_bin_sorter_new(void)
{
  DebyeBinSorter *sorter = (DebyeBinSorter *)calloc(1, sizeof *sorter);
  if (sorter != NULL && cudaHostAlloc((void **)&sorter->counted, sizeof *sorter->counted,
                                      cudaHostAllocDefault) != cudaSuccess) {
    cudaGetLastError();
    free(sorter);
    return NULL;
  }
  return sorter;
}

void
debye_bin_sorter_free(DebyeBinSorter *sorter)
{
  if (sorter == NULL)
    return;
  for (DebyeDeviceArray *array :
       {&sorter->first, &sorter->images, &sorter->keys, &sorter->sorted_keys, &sorter->index,
        &sorter->sorted_index, &sorter->atoms, &sorter->exact_atoms, &sorter->start, &sorter->offset,
        &sorter->scratch, &sorter->counted_on_device, &sorter->left})
    debye_device_array_clear(array);
  for (float *values : sorter->overflow)
    free(values);
  cudaFreeHost(sorter->left_on_host);
  cudaFreeHost(sorter->counted);
  cudaGetLastError();
  free(sorter);
}

static unsigned
blocks_for(size_t n)
{
  return (unsigned)((n + THREADS - 1) / THREADS);
}

/* Images counted, and where each atom's begin; when the stream is through *sorter->counted says how many
 * there are, and where. */
static cudaError_t
count(DebyeBinSorter *sorter, Work *work, cudaStream_t stream)
{
  const size_t n = work->charges.n;
  size_t scratch = 0;
  *sorter->counted = {0, {UINT32_MAX, UINT32_MAX, UINT32_MAX}, {}};
  cudaError_t error = debye_device_array_reserve(&sorter->first, (n + 1) * sizeof(uint32_t), NULL);
  work->first = (uint32_t *)sorter->first.memory;
  if (error == cudaSuccess)
    error = debye_device_array_upload(&sorter->counted_on_device, sorter->counted, sizeof *sorter->counted,
                                      stream);
  work->counted = (Counted *)sorter->counted_on_device.memory;
  if (error == cudaSuccess)
    error = debye_cuda_exclusive_sums(NULL, &scratch, work->first, work->first, (uint32_t)(n + 1), stream);
  if (error == cudaSuccess)
    error = debye_device_array_reserve(&sorter->scratch, scratch, NULL);
  if (error != cudaSuccess)
    return error;
  count_images<<<blocks_for(n + 1), THREADS, 0, stream>>>(*work);
  error = debye_cuda_exclusive_sums(sorter->scratch.memory, &scratch, work->first, work->first,
                                    (uint32_t)(n + 1), stream);
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(&work->counted->n_images, work->first + n, sizeof(uint32_t),
                            cudaMemcpyDeviceToDevice, stream);
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(sorter->counted, work->counted, sizeof *sorter->counted, cudaMemcpyDeviceToHost,
                            stream);
  return error;
}

/* Bins around the images that were counted. */
static DebyeStatusCode
lay_out(const DebyeBinSorter *sorter, DebyeCutoffBins *bins, Work *work, DebyeStatus *status)
{
  const Counted *counted = sorter->counted;
  DebyeBinBox box = {};
  if (counted->n_images > INT32_MAX)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                            "%u atoms and images are more than the device can sort.", counted->n_images);
  for (int axis = 0; axis < 3 && counted->n_images > 0; axis++) {
    box.low[axis] = from_sortable(counted->low[axis]);
    box.high[axis] = from_sortable(counted->high[axis]);
  }
  DebyeStatusCode code = debye_cutoff_bins_lay_out(bins, counted->n_images, &box, status);
  work->map = bins->map;
  work->unit = bins->unit;
  return code;
}

static cudaError_t
reserve_images(DebyeBinSorter *sorter, const DebyeCutoffBins *bins, size_t n, size_t scratch)
{
  const struct {
    DebyeDeviceArray *array;
    size_t bytes;
  } needs[] = {
      {&sorter->images, n * sizeof(Image)},
      {&sorter->keys, n * sizeof(uint32_t)},
      {&sorter->sorted_keys, n * sizeof(uint32_t)},
      {&sorter->index, n * sizeof(uint32_t)},
      {&sorter->sorted_index, n * sizeof(uint32_t)},
      {&sorter->atoms, n * sizeof(DebyeBinnedAtom)},
      {&sorter->exact_atoms, bins->exact ? n * sizeof(DebyeBinnedExactAtom) : 0},
      {&sorter->start, (bins->n_bins + 1) * sizeof(uint32_t)},
      {&sorter->offset, (size_t)bins->map.n_offsets * sizeof(DebyeBinOffset)},
      {&sorter->scratch, scratch},
  };
  cudaError_t error = cudaSuccess;
  for (const auto &need : needs)
    if (error == cudaSuccess)
      error = debye_device_array_reserve(need.array, need.bytes, NULL);
  return error;
}

/* Images with their bins, sorted by these, and where each bin begins. */
static cudaError_t
sort(DebyeBinSorter *sorter, const DebyeCutoffBins *bins, Work *work, cudaStream_t stream)
{
  const uint32_t n = sorter->counted->n_images;
  size_t scratch = 0;
  int bits = 1;
  while (bits < 32 && bins->n_bins >> bits > 0)
    bits++;
  uint32_t *none = NULL;
  cudaError_t error = debye_cuda_sort_pairs(NULL, &scratch, none, none, none, none, n, bits, stream);
  if (error == cudaSuccess)
    error = reserve_images(sorter, bins, n, scratch);
  if (error != cudaSuccess)
    return error;
  work->images = (Image *)sorter->images.memory;
  work->keys = (uint32_t *)sorter->keys.memory;
  work->index = (uint32_t *)sorter->index.memory;
  uint32_t *keys = (uint32_t *)sorter->sorted_keys.memory, *index = (uint32_t *)sorter->sorted_index.memory;
  if (n > 0) {
    write_images<<<blocks_for(work->charges.n), THREADS, 0, stream>>>(*work);
    error = debye_cuda_sort_pairs(sorter->scratch.memory, &scratch, work->keys, keys, work->index, index, n,
                                  bits, stream);
  }
  find_starts<<<blocks_for((size_t)n + 1), THREADS, 0, stream>>>(keys, n, (uint32_t *)sorter->start.memory,
                                                                 (uint32_t)bins->n_bins);
  if (error == cudaSuccess)
    error =
        cudaMemcpyAsync(sorter->offset.memory, bins->offset,
                        (size_t)bins->map.n_offsets * sizeof *bins->offset, cudaMemcpyHostToDevice, stream);
  return error == cudaSuccess ? cudaGetLastError() : error;
}

static cudaError_t
reserve_overflow(DebyeBinSorter *sorter, size_t n)
{
  if (n <= sorter->room)
    return cudaSuccess;
  sorter->room = 0;
  cudaFreeHost(sorter->left_on_host);
  sorter->left_on_host = NULL;
  cudaError_t error = cudaHostAlloc((void **)&sorter->left_on_host, n, cudaHostAllocDefault);
  for (float *&values : sorter->overflow) {
    free(values);
    values = (float *)malloc(n * sizeof(float));
    if (values == NULL)
      error = cudaErrorMemoryAllocation;
  }
  if (error == cudaSuccess)
    sorter->room = n;
  return error;
}

/* Of the marked atoms the host gets as many as the limit allows, drawn evenly so that all parts of a map have
 * about as much of them; the others stay with the device. */
static void
choose_overflow(DebyeBinSorter *sorter, const DebyeBinLimit *limit)
{
  const DebyeCharges *charges = limit->charges;
  uint8_t *left = sorter->left_on_host;
  size_t n_marked = 0, seen = 0;
  for (size_t atom = 0; atom < charges->n; atom++)
    n_marked += left[atom];
  const double share = limit->share * (double)charges->n;
  const size_t n_left = limit->share > 0.0 && share < (double)n_marked ? (size_t)share : n_marked;
  for (size_t atom = 0; atom < charges->n; atom++) {
    if (left[atom] == 0)
      continue;
    left[atom] = seen * n_left / n_marked != (seen + 1) * n_left / n_marked;
    seen++;
    if (left[atom] == 0)
      continue;
    const size_t at = sorter->n_overflow++;
    sorter->overflow[0][at] = charges->x[atom];
    sorter->overflow[1][at] = charges->y[atom];
    sorter->overflow[2][at] = charges->z[atom];
    sorter->overflow[3][at] = charges->charge[atom];
  }
}

static cudaError_t
leave_overflow(DebyeBinSorter *sorter, const Work *work, const DebyeBinLimit *limit, cudaStream_t stream)
{
  const size_t n = work->charges.n;
  const uint32_t n_images = sorter->counted->n_images;
  cudaError_t error = reserve_overflow(sorter, n);
  if (error == cudaSuccess)
    error = debye_device_array_reserve(&sorter->left, n, NULL);
  if (error == cudaSuccess)
    error = cudaMemsetAsync(sorter->left.memory, 0, n, stream);
  if (error != cudaSuccess)
    return error;
  mark_overflow<<<blocks_for(n_images), THREADS, 0, stream>>>(
      work->images, (const uint32_t *)sorter->sorted_keys.memory,
      (const uint32_t *)sorter->sorted_index.memory, n_images, (const uint32_t *)sorter->start.memory,
      limit->capacity, (uint8_t *)sorter->left.memory);
  error = cudaMemcpyAsync(sorter->left_on_host, sorter->left.memory, n, cudaMemcpyDeviceToHost, stream);
  if (error == cudaSuccess)
    error = cudaStreamSynchronize(stream);
  if (error != cudaSuccess)
    return error;
  choose_overflow(sorter, limit);
  return cudaMemcpyAsync(sorter->left.memory, sorter->left_on_host, n, cudaMemcpyHostToDevice, stream);
}

/* The atoms as sums read them, bin by bin. */
static cudaError_t
fill_bins(DebyeBinSorter *sorter, const DebyeCutoffBins *bins, const Work *work, const DebyeBinLimit *limit,
          cudaStream_t stream)
{
  const uint32_t n = sorter->counted->n_images;
  cudaError_t error = limit != NULL && n > 0 ? leave_overflow(sorter, work, limit, stream) : cudaSuccess;
  if (error != cudaSuccess || n == 0)
    return error;
  bring_atoms<<<blocks_for(n), THREADS, 0, stream>>>(
      work->images, (const uint32_t *)sorter->sorted_index.memory, n, work->unit,
      limit != NULL ? (const uint8_t *)sorter->left.memory : NULL, (DebyeBinnedAtom *)sorter->atoms.memory,
      bins->exact ? (DebyeBinnedExactAtom *)sorter->exact_atoms.memory : NULL);
  return cudaGetLastError();
}

DebyeStatusCode
debye_bin_sorter_count(DebyeBinSorter *sorter, const DebyeCutoffBins *bins, const DebyeCharges *charges,
                       const DebyeCell *cell, cudaStream_t stream, DebyeStatus *status)
{
  Work *work = &sorter->work;
  *work = {};
  work->charges = *charges;
  DebyeStatusCode code = debye_bin_frame_set(bins, cell, charges->n, &work->frame, status);
  return code == DEBYE_STATUS_OK
             ? debye_cuda_status(count(sorter, work, stream), "counting the charges and images", status)
             : code;
}

DebyeStatusCode
debye_bin_sorter_sort(DebyeBinSorter *sorter, DebyeCutoffBins *bins, const DebyeBinLimit *limit,
                      cudaStream_t stream, DebyeSortedBins *sorted, DebyeStatus *status)
{
  Work *work = &sorter->work;
  sorter->n_overflow = 0;
  DebyeStatusCode code =
      debye_cuda_status(cudaStreamSynchronize(stream), "counting the charges and images", status);
  if (code == DEBYE_STATUS_OK)
    code = lay_out(sorter, bins, work, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(sort(sorter, bins, work, stream), "sorting the charges into bins", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(fill_bins(sorter, bins, work, limit, stream), "filling the bins", status);
  sorted->atoms = (const DebyeBinnedAtom *)sorter->atoms.memory;
  sorted->exact_atoms = bins->exact ? (const DebyeBinnedExactAtom *)sorter->exact_atoms.memory : NULL;
  sorted->start = (const uint32_t *)sorter->start.memory;
  sorted->offset = (const DebyeBinOffset *)sorter->offset.memory;
  return code;
}

DebyeCharges
debye_bin_sorter_overflow(const DebyeBinSorter *sorter)
{
  return {sorter->overflow[0], sorter->overflow[1], sorter->overflow[2], sorter->overflow[3],
          sorter->n_overflow};
}
