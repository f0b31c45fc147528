/* SPDX-License-Identifier: MIT */
/* Images are counted and written in the order of their atoms, and then sorted by bin; because the sort is
 * stable, the order within a bin is that of the atoms too, and a sum over it always the same. */
#include "bin_sorter.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <stdlib.h>

constexpr int THREADS = 128;

/* An image before it is sorted. */
struct alignas(16) Image {
  double x, y, z;
  float charge;
};

/* Memory on the device that grows where a frame needs more. */
struct Array {
  void *memory;
  size_t bytes;
};

struct DebyeBinSorter {
  Array first, images, keys, sorted_keys, index, sorted_index, atoms, exact_atoms, start, offset, scratch;
  uint32_t *n_images; /* pinned */
};

struct Work {
  DebyeBinFrame frame;
  DebyeBinMap map;
  DebyeCharges charges;
  double unit;
  uint32_t *first; /* images of an atom, then of all atoms before it */
  Image *images;
  uint32_t *keys, *index;
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

static __global__ void
count_images(const __grid_constant__ Work work)
{
  const uint32_t atom = blockIdx.x * THREADS + threadIdx.x;
  if (atom < work.charges.n)
    work.first[atom] = for_images(work, atom, [](const DebyeVec3 &, uint32_t) {});
  else if (atom == work.charges.n)
    work.first[atom] = 0;
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
    work.images[first + i] = {p.x, p.y, p.z, charge};
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

static __global__ void
bring_atoms(const Image *images, const uint32_t *index, uint32_t n, double unit, DebyeBinnedAtom *atoms,
            DebyeBinnedExactAtom *exact_atoms)
{
  const uint32_t i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= n)
    return;
  const Image image = images[index[i]];
  atoms[i] = {debye_fixed_point(image.x, unit), debye_fixed_point(image.y, unit),
              debye_fixed_point(image.z, unit), image.charge};
  if (exact_atoms != NULL)
    exact_atoms[i] = {image.x, image.y, image.z, image.charge};
}

static cudaError_t
reserve(Array *array, size_t bytes)
{
  if (bytes <= array->bytes && array->memory != NULL)
    return cudaSuccess;
  cudaFree(array->memory);
  *array = {};
  const size_t wanted = bytes + bytes / 4 + 256;
  cudaError_t error = cudaMalloc(&array->memory, wanted);
  if (error == cudaSuccess)
    array->bytes = wanted;
  return error;
}

uint64_t
debye_bin_sorter_bytes(size_t max_charges, bool exact)
{
  const uint64_t an_image = sizeof(Image) + 5 * sizeof(uint32_t) + sizeof(DebyeBinnedAtom) +
                            (exact ? sizeof(DebyeBinnedExactAtom) : 0);
  return (uint64_t)max_charges * (sizeof(uint32_t) + 2 * an_image);
}

DebyeBinSorter *
debye_bin_sorter_new(void)
{
  DebyeBinSorter *sorter = (DebyeBinSorter *)calloc(1, sizeof *sorter);
  if (sorter != NULL && cudaHostAlloc((void **)&sorter->n_images, sizeof *sorter->n_images,
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
  for (Array *array : {&sorter->first, &sorter->images, &sorter->keys, &sorter->sorted_keys, &sorter->index,
                       &sorter->sorted_index, &sorter->atoms, &sorter->exact_atoms, &sorter->start,
                       &sorter->offset, &sorter->scratch})
    cudaFree(array->memory);
  cudaFreeHost(sorter->n_images);
  cudaGetLastError();
  free(sorter);
}

static unsigned
blocks_for(size_t n)
{
  return (unsigned)((n + THREADS - 1) / THREADS);
}

/* Images counted, and where each atom's begin; *sorter->n_images is how many there are. */
static cudaError_t
count(DebyeBinSorter *sorter, Work *work, cudaStream_t stream)
{
  const size_t n = work->charges.n;
  size_t scratch = 0;
  cudaError_t error = reserve(&sorter->first, (n + 1) * sizeof(uint32_t));
  work->first = (uint32_t *)sorter->first.memory;
  if (error == cudaSuccess)
    error = cub::DeviceScan::ExclusiveSum(NULL, scratch, work->first, work->first, (int)(n + 1), stream);
  if (error == cudaSuccess)
    error = reserve(&sorter->scratch, scratch);
  if (error != cudaSuccess)
    return error;
  count_images<<<blocks_for(n + 1), THREADS, 0, stream>>>(*work);
  error = cub::DeviceScan::ExclusiveSum(sorter->scratch.memory, scratch, work->first, work->first,
                                        (int)(n + 1), stream);
  if (error == cudaSuccess)
    error =
        cudaMemcpyAsync(sorter->n_images, work->first + n, sizeof(uint32_t), cudaMemcpyDeviceToHost, stream);
  return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
}

static cudaError_t
reserve_images(DebyeBinSorter *sorter, const DebyeCutoffBins *bins, size_t n, size_t scratch)
{
  const struct {
    Array *array;
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
      error = reserve(need.array, need.bytes);
  return error;
}

static cudaError_t
sort(DebyeBinSorter *sorter, const DebyeCutoffBins *bins, Work *work, cudaStream_t stream)
{
  const uint32_t n = *sorter->n_images;
  size_t scratch = 0;
  int bits = 1;
  while (bits < 32 && bins->n_bins >> bits > 0)
    bits++;
  uint32_t *none = NULL;
  cudaError_t error =
      cub::DeviceRadixSort::SortPairs(NULL, scratch, none, none, none, none, (int)n, 0, bits, stream);
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
    error = cub::DeviceRadixSort::SortPairs(sorter->scratch.memory, scratch, work->keys, keys, work->index,
                                            index, (int)n, 0, bits, stream);
  }
  find_starts<<<blocks_for((size_t)n + 1), THREADS, 0, stream>>>(keys, n, (uint32_t *)sorter->start.memory,
                                                                 (uint32_t)bins->n_bins);
  if (n > 0)
    bring_atoms<<<blocks_for(n), THREADS, 0, stream>>>(
        work->images, index, n, work->unit, (DebyeBinnedAtom *)sorter->atoms.memory,
        bins->exact ? (DebyeBinnedExactAtom *)sorter->exact_atoms.memory : NULL);
  if (error == cudaSuccess)
    error =
        cudaMemcpyAsync(sorter->offset.memory, bins->offset,
                        (size_t)bins->map.n_offsets * sizeof *bins->offset, cudaMemcpyHostToDevice, stream);
  return error == cudaSuccess ? cudaGetLastError() : error;
}

DebyeStatusCode
debye_bin_sorter_sort(DebyeBinSorter *sorter, const DebyeCutoffBins *bins, const DebyeBinFrame *frame,
                      const DebyeCharges *charges, cudaStream_t stream, DebyeSortedBins *sorted,
                      DebyeStatus *status)
{
  Work work = {};
  work.frame = *frame;
  work.map = bins->map;
  work.charges = *charges;
  work.unit = bins->unit;
  cudaError_t error = count(sorter, &work, stream);
  if (error == cudaSuccess && *sorter->n_images > INT32_MAX)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                            "%u atoms and images are more than the device can sort.", *sorter->n_images);
  if (error == cudaSuccess)
    error = sort(sorter, bins, &work, stream);
  sorted->atoms = (const DebyeBinnedAtom *)sorter->atoms.memory;
  sorted->exact_atoms = bins->exact ? (const DebyeBinnedExactAtom *)sorter->exact_atoms.memory : NULL;
  sorted->start = (const uint32_t *)sorter->start.memory;
  sorted->offset = (const DebyeBinOffset *)sorter->offset.memory;
  return debye_cuda_status(error, "sorting the charges into bins", status);
}
