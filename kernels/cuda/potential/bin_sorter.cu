/* SPDX-License-Identifier: MIT */
/* Sorts a frame's charges into bins on the device for potential_cutoff.cu. Images are counted and written in
 * the order of their atoms, and then sorted by bin; because the sort is stable, the order within a bin is
 * that of the atoms too, and a sum over it always the same. */
#include "bin_sorter.cuh"

#include <string.h>

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
  size_t max_charges;
  uint64_t usual_images, usual_offsets;
  bool exact, has_limit;
  Work work;
  uint32_t *first;
  Counted *counted_on_device, *counted; /* pinned */
  /* Of the images of a frame, and of its bins. */
  DebyeRoom images, keys, sorted_keys, index, sorted_index, atoms, exact_atoms, start, offset, scratch;
  /* With a limit: by atom, whether it is left to the host; on the device and, pinned, on the host. */
  uint8_t *left, *left_on_host;
  float *overflow[4]; /* x, y, z, charge of those */
  size_t n_overflow;
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

static DebyeStatusCode
set_up(void *made, int device, const void *data, DebyeStatus *status)
{
  DebyeBinSorter *sorter = (DebyeBinSorter *)made;
  const DebyeBinSorterSettings *settings = (const DebyeBinSorterSettings *)data;
  (void)device;
  sorter->max_charges = settings->bins->max_charges;
  sorter->usual_images = settings->bins->usual_images;
  sorter->usual_offsets = settings->bins->usual_offsets;
  sorter->exact = settings->bins->exact;
  sorter->has_limit = settings->has_limit;
  return debye_status_ok(status);
}

static void
list_room(DebyePlanMemory *memory, DebyeRoom *room, uint64_t count, size_t size)
{
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, room, count, size);
}

/* CUB sorts with keys and values once more, and with some counters. */
static void
list_memory(void *made, DebyePlanMemory *memory)
{
  DebyeBinSorter *sorter = (DebyeBinSorter *)made;
  const uint64_t n = sorter->usual_images;
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, sorter->first, sorter->max_charges + 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, sorter->counted_on_device, 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, sorter->counted, 1);
  list_room(memory, &sorter->images, n, sizeof(Image));
  for (DebyeRoom *room : {&sorter->keys, &sorter->sorted_keys, &sorter->index, &sorter->sorted_index})
    list_room(memory, room, n, sizeof(uint32_t));
  list_room(memory, &sorter->atoms, n, sizeof(DebyeBinnedAtom));
  list_room(memory, &sorter->exact_atoms, sorter->exact ? n : 0, sizeof(DebyeBinnedExactAtom));
  list_room(memory, &sorter->start, n, sizeof(uint32_t));
  list_room(memory, &sorter->offset, sorter->usual_offsets, sizeof(DebyeBinOffset));
  list_room(memory, &sorter->scratch, n + (1 << 17), 2 * sizeof(uint32_t));
  if (!sorter->has_limit)
    return;
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, sorter->left, sorter->max_charges);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, sorter->left_on_host, sorter->max_charges);
  for (float *&values : sorter->overflow)
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, values, sorter->max_charges);
}

const DebyePlanKind debye_bin_sorter_kind = {
    .size = sizeof(DebyeBinSorter),
    .source = &debye_cuda_memory_source,
    .set_up = set_up,
    .list_memory = list_memory,
};

static unsigned
blocks_for(size_t n)
{
  return (unsigned)((n + THREADS - 1) / THREADS);
}

/* Puts the sums of all counts into their place. */
static void
sum_counts(DebyeBinSorter *sorter, uint32_t n, DebyeStream *stream)
{
  size_t scratch = 0;
  uint32_t *first = sorter->first;
  debye_stream_note(stream, debye_cuda_exclusive_sums(NULL, &scratch, first, first, n, stream->handle));
  debye_stream_reserve(stream, &sorter->scratch, scratch, 1);
  if (debye_stream_is_good(stream))
    debye_stream_note(
        stream, debye_cuda_exclusive_sums(sorter->scratch.memory, &scratch, first, first, n, stream->handle));
}

/* Images counted, and where each atom's begin; when the stream is through *sorter->counted says how many
 * there are, and where. */
static void
count(DebyeBinSorter *sorter, Work *work, DebyeStream *stream)
{
  const size_t n = work->charges.n;
  *sorter->counted = {0, {UINT32_MAX, UINT32_MAX, UINT32_MAX}, {}};
  work->first = sorter->first;
  work->counted = sorter->counted_on_device;
  debye_stream_upload(stream, work->counted, sorter->counted, sizeof *sorter->counted);
  if (debye_stream_is_good(stream))
    count_images<<<blocks_for(n + 1), THREADS, 0, stream->handle>>>(*work);
  debye_stream_note_launch(stream);
  sum_counts(sorter, (uint32_t)(n + 1), stream);
  if (debye_stream_is_good(stream))
    debye_stream_note(stream, cudaMemcpyAsync(&work->counted->n_images, work->first + n, sizeof(uint32_t),
                                              cudaMemcpyDeviceToDevice, stream->handle));
  debye_stream_download(stream, sorter->counted, work->counted, sizeof *sorter->counted);
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

static void
reserve_images(DebyeBinSorter *sorter, const DebyeCutoffBins *bins, size_t n, DebyeStream *stream)
{
  debye_stream_reserve(stream, &sorter->images, n, sizeof(Image));
  for (DebyeRoom *room : {&sorter->keys, &sorter->sorted_keys, &sorter->index, &sorter->sorted_index})
    debye_stream_reserve(stream, room, n, sizeof(uint32_t));
  debye_stream_reserve(stream, &sorter->atoms, n, sizeof(DebyeBinnedAtom));
  if (bins->exact)
    debye_stream_reserve(stream, &sorter->exact_atoms, n, sizeof(DebyeBinnedExactAtom));
  debye_stream_reserve(stream, &sorter->start, bins->n_bins + 1, sizeof(uint32_t));
  debye_stream_reserve(stream, &sorter->offset, (uint64_t)bins->map.n_offsets, sizeof(DebyeBinOffset));
}

/* Images in the order of their bins. */
static void
sort_by_bins(DebyeBinSorter *sorter, const DebyeCutoffBins *bins, const Work *work, DebyeStream *stream)
{
  const uint32_t n = sorter->counted->n_images;
  uint32_t *keys = (uint32_t *)sorter->sorted_keys.memory, *index = (uint32_t *)sorter->sorted_index.memory;
  size_t scratch = 0;
  int bits = 1;
  while (bits < 32 && bins->n_bins >> bits > 0)
    bits++;
  debye_stream_note(stream, debye_cuda_sort_pairs(NULL, &scratch, work->keys, keys, work->index, index, n,
                                                  bits, stream->handle));
  debye_stream_reserve(stream, &sorter->scratch, scratch, 1);
  if (debye_stream_is_good(stream) && n > 0)
    write_images<<<blocks_for(work->charges.n), THREADS, 0, stream->handle>>>(*work);
  debye_stream_note_launch(stream);
  if (debye_stream_is_good(stream) && n > 0)
    debye_stream_note(stream, debye_cuda_sort_pairs(sorter->scratch.memory, &scratch, work->keys, keys,
                                                    work->index, index, n, bits, stream->handle));
}

/* Images with their bins, sorted by these, and where each bin begins. */
static void
sort(DebyeBinSorter *sorter, const DebyeCutoffBins *bins, Work *work, DebyeStream *stream)
{
  const uint32_t n = sorter->counted->n_images;
  reserve_images(sorter, bins, n, stream);
  work->images = (Image *)sorter->images.memory;
  work->keys = (uint32_t *)sorter->keys.memory;
  work->index = (uint32_t *)sorter->index.memory;
  sort_by_bins(sorter, bins, work, stream);
  if (debye_stream_is_good(stream))
    find_starts<<<blocks_for((size_t)n + 1), THREADS, 0, stream->handle>>>(
        (const uint32_t *)sorter->sorted_keys.memory, n, (uint32_t *)sorter->start.memory,
        (uint32_t)bins->n_bins);
  debye_stream_note_launch(stream);
  debye_stream_upload(stream, sorter->offset.memory, bins->offset,
                      (size_t)bins->map.n_offsets * sizeof *bins->offset);
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

static void
leave_overflow(DebyeBinSorter *sorter, const Work *work, const DebyeBinLimit *limit, DebyeStream *stream)
{
  const size_t n = work->charges.n;
  const uint32_t n_images = sorter->counted->n_images;
  debye_stream_clear(stream, sorter->left, n);
  if (debye_stream_is_good(stream))
    mark_overflow<<<blocks_for(n_images), THREADS, 0, stream->handle>>>(
        work->images, (const uint32_t *)sorter->sorted_keys.memory,
        (const uint32_t *)sorter->sorted_index.memory, n_images, (const uint32_t *)sorter->start.memory,
        limit->capacity, sorter->left);
  debye_stream_note_launch(stream);
  debye_stream_download(stream, sorter->left_on_host, sorter->left, n);
  debye_stream_wait(stream);
  if (debye_stream_is_good(stream))
    choose_overflow(sorter, limit);
  debye_stream_upload(stream, sorter->left, sorter->left_on_host, n);
}

/* The atoms as sums read them, bin by bin. */
static void
fill_bins(DebyeBinSorter *sorter, const DebyeCutoffBins *bins, const Work *work, const DebyeBinLimit *limit,
          DebyeStream *stream)
{
  const uint32_t n = sorter->counted->n_images;
  if (n == 0)
    return;
  if (limit != NULL)
    leave_overflow(sorter, work, limit, stream);
  if (debye_stream_is_good(stream))
    bring_atoms<<<blocks_for(n), THREADS, 0, stream->handle>>>(
        work->images, (const uint32_t *)sorter->sorted_index.memory, n, work->unit,
        limit != NULL ? sorter->left : NULL, (DebyeBinnedAtom *)sorter->atoms.memory,
        bins->exact ? (DebyeBinnedExactAtom *)sorter->exact_atoms.memory : NULL);
  debye_stream_note_launch(stream);
}

DebyeStatusCode
debye_bin_sorter_count(DebyeBinSorter *sorter, const DebyeCutoffBins *bins, const DebyeCharges *charges,
                       const DebyeCell *cell, DebyeStream *stream, DebyeStatus *status)
{
  Work *work = &sorter->work;
  *work = {};
  work->charges = *charges;
  const DebyeStatusCode code = debye_bin_frame_set(bins, cell, charges->n, &work->frame, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  count(sorter, work, stream);
  return debye_stream_report(stream, "counting the charges and images", status);
}

DebyeStatusCode
debye_bin_sorter_sort(DebyeBinSorter *sorter, DebyeCutoffBins *bins, const DebyeBinLimit *limit,
                      DebyeStream *stream, DebyeSortedBins *sorted, DebyeStatus *status)
{
  Work *work = &sorter->work;
  sorter->n_overflow = 0;
  DebyeStatusCode code = debye_stream_finish(stream, "counting the charges and images", status);
  if (code == DEBYE_STATUS_OK)
    code = lay_out(sorter, bins, work, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  sort(sorter, bins, work, stream);
  code = debye_stream_report(stream, "sorting the charges into bins", status);
  if (code != DEBYE_STATUS_OK)
    return code;
  fill_bins(sorter, bins, work, limit, stream);
  sorted->atoms = (const DebyeBinnedAtom *)sorter->atoms.memory;
  sorted->exact_atoms = bins->exact ? (const DebyeBinnedExactAtom *)sorter->exact_atoms.memory : NULL;
  sorted->start = (const uint32_t *)sorter->start.memory;
  sorted->offset = (const DebyeBinOffset *)sorter->offset.memory;
  return debye_stream_report(stream, "filling the bins", status);
}

DebyeCharges
debye_bin_sorter_overflow(const DebyeBinSorter *sorter)
{
  return {sorter->overflow[0], sorter->overflow[1], sorter->overflow[2], sorter->overflow[3],
          sorter->n_overflow};
}
