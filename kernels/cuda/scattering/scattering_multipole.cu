/* SPDX-License-Identifier: MIT */
/* Multipoles on a GPU; its twin is cpu/scattering/scattering_multipole.c. Some atoms of a group at a time have their
 * angular and, for all q, their radial parts written down; then the coefficients of an order are a product of
 * matrices. Slices of these atoms are summed apart and added in their order. */
#include <string.h>

#include "kernels/cuda/common/stream.cuh"
#include "kernels/scattering/scattering_multipole.h"

/* Threads of a block over atoms or values. */
#define THREADS 128
/* A block of the product: harmonics, rows of threads, q of a thread, and atoms brought at a time. */
#define COLUMNS 16
#define ROWS 16
#define Q_EACH 2
#define BLOCK_Q (ROWS * Q_EACH)
#define ATOMS 32
/* Atoms of a slice at least, slices at most, and bytes for what is kept of some atoms, and of slices. */
#define SLICE 512
#define MAX_SLICES 64
#define TILE_BYTES 256e6
#define PARTS_BYTES 128e6
/* Rows of a launch's grid: counted in 16 bits. */
#define MAX_ROWS 65535

typedef struct {
  DebyeMultipole multipole;
  DebyeMultipoleAcross across;
  DebyeVec3 center;
  unsigned n_harmonics, n_groups;
  unsigned stride;                 /* atoms that there is room for */
  const float *x, *y, *z, *weight; /* of all entries */
  const double *q;
  double *re, *im, *distance, *radial; /* [harmonic][atom], [atom], [order][q][atom] */
  double2 *parts, *sums;               /* [slice][q][harmonic], [q][group][harmonic] */
} Tables;

typedef struct {
  DebyeMultipoleSettings settings;
  int device;
  DebyeStream stream;
  size_t n_entries;
  unsigned max_slices;
  float *positions_host; /* x, y, z */
  float *positions, *weight;
  double *q;
  Tables tables;
} Plan;

/* Atoms [first, first + count) of a group, in slices of slice_atoms. */
typedef struct {
  unsigned group, first, count, n_q, n_slices, slice_atoms;
} Part;

static unsigned
clamp_to(double value, double low, double high)
{
  return (unsigned)(value < low ? low : value > high ? high : value);
}

static DebyeStatusCode
set_up(void *made, int device, const void *data, DebyeStatus *status)
{
  Plan *plan = (Plan *)made;
  const DebyeMultipoleSettings *settings = (const DebyeMultipoleSettings *)data;
  const DebyeStatusCode code = debye_multipole_settings_check(settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  plan->settings = *settings;
  plan->device = device;
  plan->n_entries = debye_scattering_n_entries(&settings->groups);
  plan->tables.multipole = settings->multipole;
  plan->tables.across = debye_multipole_across(&settings->multipole);
  plan->tables.n_groups = (unsigned)settings->groups.n_groups;
  plan->tables.n_harmonics = (unsigned)debye_multipole_n_harmonics(&settings->multipole);
  const double max_q = (double)settings->max_q, harmonics = plan->tables.n_harmonics;
  const double atom_bytes = 8.0 * (2.0 * harmonics + 1.0 + max_q * (settings->multipole.order + 1.0));
  const double atoms = plan->n_entries > SLICE ? (double)plan->n_entries : SLICE;
  plan->tables.stride = (clamp_to(TILE_BYTES / atom_bytes, SLICE, atoms) + THREADS - 1) / THREADS * THREADS;
  plan->max_slices = clamp_to(PARTS_BYTES / (16.0 * max_q * harmonics), 1,
                              clamp_to(plan->tables.stride / SLICE, 1, MAX_SLICES));
  return code;
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  Plan *plan = (Plan *)made;
  Tables *tables = &plan->tables;
  const uint64_t max_q = plan->settings.max_q, stride = tables->stride, harmonics = tables->n_harmonics;
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->positions_host, 3 * plan->n_entries);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->positions, 3 * plan->n_entries);
  if (plan->settings.groups.weight != NULL)
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->weight, plan->n_entries);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->q, max_q);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, tables->re, harmonics * stride);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, tables->im, harmonics * stride);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, tables->distance, stride);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, tables->radial,
                   (plan->settings.multipole.order + 1) * max_q * stride);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, tables->parts, plan->max_slices * max_q * harmonics);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, tables->sums, max_q * tables->n_groups * harmonics);
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  Plan *plan = (Plan *)made;
  debye_stream_open(&plan->stream);
  if (plan->settings.groups.weight != NULL)
    debye_stream_note(&plan->stream, debye_cuda_upload(plan->weight, plan->settings.groups.weight,
                                                       plan->n_entries * sizeof(float)));
  plan->tables.x = plan->positions;
  plan->tables.y = plan->positions + plan->n_entries;
  plan->tables.z = plan->positions + 2 * plan->n_entries;
  plan->tables.weight = plan->weight;
  plan->tables.q = plan->q;
  return debye_stream_report(&plan->stream, "preparing multipoles", status);
}

DEBYE_STREAM_CLEAR_PLAN(Plan)
DEBYE_PLAN(Plan, debye_cuda_memory_source, .prepare = prepare, .clear = clear)

static DebyeStatusCode
set_frame(DebyeKernelPlan *handle, const DebyeScatteringFrame *frame, DebyeVec3 center, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  float *host = plan->positions_host;
  const size_t n = plan->n_entries;
  DebyeStatusCode code = debye_cuda_status(cudaSetDevice(plan->device), "choosing the device", status);
  if (code != DEBYE_STATUS_OK)
    return code;
  const size_t bad =
      debye_scattering_gather(&plan->settings.groups, frame, 0, n, host, host + n, host + 2 * n);
  if (bad != SIZE_MAX)
    return debye_scattering_bad_atom(frame, bad, status);
  plan->tables.center = center;
  debye_stream_upload(&plan->stream, plan->positions, host, 3 * n * sizeof(float));
  return debye_stream_finish(&plan->stream, "copying positions", status);
}

static __global__ void
make_angles(const __grid_constant__ Tables tables, const __grid_constant__ Part part)
{
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= part.count)
    return;
  const size_t entry = (size_t)part.first + i;
  const double weight = tables.weight != NULL ? (double)tables.weight[entry] : 1.0;
  tables.distance[i] = debye_multipole_angles(
      &tables.multipole, &tables.across, weight, (double)tables.x[entry] - tables.center.x,
      (double)tables.y[entry] - tables.center.y, (double)tables.z[entry] - tables.center.z, tables.re + i,
      tables.im + i, tables.stride);
}

static __global__ void
make_radial(const __grid_constant__ Tables tables, const __grid_constant__ Part part)
{
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= part.count)
    return;
  for (unsigned q = blockIdx.y; q < part.n_q; q += gridDim.y)
    debye_multipole_radial(&tables.multipole, tables.q[q], tables.distance[i],
                           tables.radial + (size_t)q * tables.stride + i, (size_t)part.n_q * tables.stride);
}

/* A block: some q and all harmonics of the order blockIdx.y over a slice of atoms. */
static __global__ void
__launch_bounds__(COLUMNS *ROWS)
    multiply(const __grid_constant__ Tables tables, const __grid_constant__ Part part)
{
  __shared__ double radial[BLOCK_Q][ATOMS + 1], re[COLUMNS][ATOMS + 1], im[COLUMNS][ATOMS + 1];
  const unsigned column = threadIdx.x % COLUMNS, row = threadIdx.x / COLUMNS, l = blockIdx.y;
  const unsigned first_q = blockIdx.x * BLOCK_Q, begin = blockIdx.z * part.slice_atoms;
  const unsigned end = min(begin + part.slice_atoms, part.count);
  const DebyeMultipoleOrder order = debye_multipole_of_order(&tables.multipole, l);
  for (unsigned first = 0; first < order.count; first += COLUMNS) {
    double2 sum[Q_EACH] = {};
    for (unsigned atom = begin; atom < end; atom += ATOMS) {
      __syncthreads();
      for (unsigned i = threadIdx.x; i < BLOCK_Q * ATOMS; i += COLUMNS * ROWS) {
        const unsigned q = first_q + i / ATOMS, a = atom + i % ATOMS;
        radial[i / ATOMS][i % ATOMS] =
            q < part.n_q && a < end ? tables.radial[((size_t)l * part.n_q + q) * tables.stride + a] : 0.0;
      }
      for (unsigned i = threadIdx.x; i < COLUMNS * ATOMS; i += COLUMNS * ROWS) {
        const unsigned m = first + i / ATOMS, a = atom + i % ATOMS;
        const size_t k = (order.first + m * order.step) * tables.stride + a;
        const bool is_there = m < order.count && a < end;
        re[i / ATOMS][i % ATOMS] = is_there ? tables.re[k] : 0.0;
        im[i / ATOMS][i % ATOMS] = is_there ? tables.im[k] : 0.0;
      }
      __syncthreads();
#pragma unroll 8
      for (unsigned a = 0; a < ATOMS; a++)
#pragma unroll
        for (int j = 0; j < Q_EACH; j++) {
          sum[j].x = fma(radial[row + j * ROWS][a], re[column][a], sum[j].x);
          sum[j].y = fma(radial[row + j * ROWS][a], im[column][a], sum[j].y);
        }
    }
    for (int j = 0; j < Q_EACH; j++) {
      const unsigned q = first_q + row + j * ROWS, m = first + column;
      if (q < part.n_q && m < order.count)
        tables
            .parts[((size_t)blockIdx.z * part.n_q + q) * tables.n_harmonics + order.first + m * order.step] =
            sum[j];
    }
  }
}

static __global__ void
add_slices(const __grid_constant__ Tables tables, const __grid_constant__ Part part)
{
  const unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= tables.n_harmonics)
    return;
  for (unsigned q = blockIdx.y; q < part.n_q; q += gridDim.y) {
    double2 *sum = tables.sums + ((size_t)q * tables.n_groups + part.group) * tables.n_harmonics + k;
    double2 total = *sum;
    for (unsigned slice = 0; slice < part.n_slices; slice++) {
      const double2 added = tables.parts[((size_t)slice * part.n_q + q) * tables.n_harmonics + k];
      total.x += added.x;
      total.y += added.y;
    }
    *sum = total;
  }
}

static unsigned
blocks_for(size_t n, unsigned each)
{
  return (unsigned)((n + each - 1) / each);
}

static void
add_part(Plan *plan, Part part)
{
  const cudaStream_t stream = plan->stream.handle;
  const unsigned rows = part.n_q < MAX_ROWS ? part.n_q : MAX_ROWS, wanted = blocks_for(part.count, SLICE);
  const unsigned some = wanted < plan->max_slices ? wanted : plan->max_slices;
  part.slice_atoms = blocks_for(part.count, some);
  part.n_slices = blocks_for(part.count, part.slice_atoms);
  if (!debye_stream_is_good(&plan->stream))
    return;
  make_angles<<<blocks_for(part.count, THREADS), THREADS, 0, stream>>>(plan->tables, part);
  make_radial<<<dim3(blocks_for(part.count, THREADS), rows), THREADS, 0, stream>>>(plan->tables, part);
  multiply<<<dim3(blocks_for(part.n_q, BLOCK_Q), plan->settings.multipole.order + 1, part.n_slices),
             COLUMNS * ROWS, 0, stream>>>(plan->tables, part);
  add_slices<<<dim3(blocks_for(plan->tables.n_harmonics, THREADS), rows), THREADS, 0, stream>>>(plan->tables,
                                                                                                part);
  debye_stream_note_launch(&plan->stream);
}

/* FALSE where it was stopped: that is seen before each part, which the device is given when it has done the one
 * before. */
static bool
add_groups(Plan *plan, unsigned n_q, const volatile bool *cancel)
{
  const DebyeScatteringGroups *groups = &plan->settings.groups;
  for (size_t g = 0; g < groups->n_groups; g++)
    for (size_t first = groups->first[g]; first < groups->first[g + 1]; first += plan->tables.stride) {
      const size_t left = groups->first[g + 1] - first;
      const Part part = {(unsigned)g, (unsigned)first,
                         (unsigned)(left < plan->tables.stride ? left : plan->tables.stride), n_q};
      if (debye_is_cancelled(cancel))
        return false;
      add_part(plan, part);
      if (left > plan->tables.stride)
        debye_stream_wait(&plan->stream);
    }
  return true;
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, const double *q, size_t n_q, double *out, const volatile bool *cancel,
        DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  const size_t bytes = n_q * plan->tables.n_groups * plan->tables.n_harmonics * sizeof(double2);
  DebyeStatusCode code = debye_multipole_q_check(&plan->settings, q, n_q, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(cudaSetDevice(plan->device), "choosing the device", status);
  if (code != DEBYE_STATUS_OK || n_q == 0)
    return code;
  debye_stream_note(&plan->stream, debye_cuda_upload(plan->q, q, n_q * sizeof *q));
  debye_stream_clear(&plan->stream, plan->tables.sums, bytes);
  const bool is_whole = add_groups(plan, (unsigned)n_q, cancel);
  debye_stream_download(&plan->stream, out, plan->tables.sums, bytes);
  code = debye_stream_finish(&plan->stream, "summing multipoles", status);
  return code != DEBYE_STATUS_OK || is_whole ? code
                                             : debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
}

extern "C" const DebyeMultipoleKernel debye_cuda_multipole = {
    .head = {bytes_needed, create, destroy},
    .set_frame = set_frame,
    .execute = execute,
};
