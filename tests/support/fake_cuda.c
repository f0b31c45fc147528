/* SPDX-License-Identifier: MIT */
/* A CUDA driver without a GPU, for test_cli_source_cuda.py: debye-kernel-runner finds it as libcuda.so.1. Its memory is the
 * host's, and whatever was compiled, a launch does what kernels/ladder/direct/24-const-precalc.cu says or, of the families with
 * subjects of their own, what the CPU's first listing does, with the arguments that it was given. A name in the compiled file makes it fail: fault_here, endless_here, or wrong_here; or has large
 * blocks (large_here) or a small bank (small_here). */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/runner/runner_driver.h"
#include "kernels/cpu/ladder/direct.h"

/* The CPU's listings, whose functions have the arguments of the GPU's and three more. */
static DebyeLadderOrbitalPlanes compute_orbital;
static DebyeLadderSamplePlanes sample_planes;
static DebyeLadderFillVoxels fill_voxels;
static DebyeLadderComputeSeries compute_series;
static DebyeLadderMultiplySeries multiply_series;
static DebyeLadderAddSeries add_series;
#include "kernels/ladder/density/01-sequential.c"
#include "kernels/ladder/ligand/01-plain.c"
#include "kernels/ladder/orbital/01-plain.c"
#include "kernels/ladder/scattering/02-transform.c"

#define PAGE ((size_t)1 << 21)
#define IMAGE_BYTES ((size_t)1 << 20)
#define ILLEGAL_ADDRESS 700
#define NOT_FOUND 500
#define INVALID 1

/* As the driver has them. */
#pragma GCC visibility push(default)

static float bank[4 * 4096];
static int geometry[11] = {16, 16, 1, 1, 1, 4000, 0, 0, 1, 0, 0};
static int batches[7] = {5, 0, 0, 1, 1, 0, 0}; /* blocks of 5 atoms */
/* Handles are their numbers from 1 on. */
static const char *const names[] = {"sum_slice",      "compute_orbital", "sample_planes", "fill_voxels",
                                    "compute_series", "multiply_series", "add_series"};
enum { SLICE = 1, ORBITAL, PLANES, VOXELS, SERIES, MULTIPLY, ADD };
static char loaded[IMAGE_BYTES];
static bool has_fault, is_endless, is_wrong, is_small;

static bool
has_name(const char *image, const char *name)
{
  return memmem(image, IMAGE_BYTES, name, strlen(name)) != NULL;
}

int
cuInit(unsigned flags)
{
  return (int)flags;
}
/* NVRTC asks the driver for things that no document tells. */
int
cuGetExportTable(const void **table, const void *id)
{
  *table = NULL;
  return id != NULL ? NOT_FOUND : INVALID;
}

int
cuDeviceGet(int *device, int ordinal)
{
  *device = ordinal;
  return ordinal == 0 ? 0 : 101;
}
int
cuDeviceGetPCIBusId(char *address, int length, int device)
{
  static const char first[] = "0000:19:00.0";
  if (device != 0 || length < (int)sizeof first)
    return INVALID;
  memcpy(address, first, sizeof first);
  return 0;
}
int
cuDevicePrimaryCtxRetain(void **context, int device)
{
  *context = context;
  return device;
}
int
cuCtxSetCurrent(void *context)
{
  return context != NULL ? 0 : INVALID;
}
int
cuCtxSynchronize(void)
{
  return has_fault ? ILLEGAL_ADDRESS : 0;
}
int
cuMemGetAllocationGranularity(size_t *n, const DebyeCudaAllocation *how, int option)
{
  *n = PAGE;
  return how->type == 1 ? option : INVALID;
}
int
cuMemCreate(uint64_t *handle, size_t n, const DebyeCudaAllocation *how, uint64_t flags)
{
  *handle = n;
  return how->location_type == 1 ? (int)flags : INVALID;
}
int
cuMemMap(uint64_t at, size_t n, size_t offset, uint64_t handle, uint64_t flags)
{
  return at != 0 && offset == 0 && flags == 0 && n == handle ? 0 : INVALID;
}
int
cuMemSetAccess(uint64_t at, size_t n, const DebyeCudaAccess *access, size_t n_accesses)
{
  return at != 0 && n > 0 && access->flags == 3 && n_accesses == 1 ? 0 : INVALID;
}
int
cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t n)
{
  memcpy((void *)(uintptr_t)to, from, n);
  return 0;
}
int
cuMemcpyDtoH_v2(void *to, uint64_t from, size_t n)
{
  memcpy(to, (const void *)(uintptr_t)from, n);
  return 0;
}
int
cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t n, void *stream)
{
  return stream == NULL ? cuMemcpyHtoD_v2(to, from, n) : INVALID;
}
int
cuEventCreate(void **event, unsigned flags)
{
  *event = event;
  return (int)flags;
}
int
cuEventRecord(void *event, void *stream)
{
  return event != NULL && stream == NULL ? 0 : INVALID;
}
int
cuEventElapsedTime(float *milliseconds, void *begin, void *end)
{
  *milliseconds = 1.0f;
  return begin != NULL && end != NULL ? 0 : INVALID;
}

int
cuMemAddressReserve(uint64_t *pointer, size_t n, size_t alignment, uint64_t address, uint64_t flags)
{
  void *memory = aligned_alloc(PAGE, n);
  *pointer = (uint64_t)(uintptr_t)memory;
  return memory != NULL && alignment == 0 && address == 0 && flags == 0 ? 0 : INVALID;
}

/* Of generation 9.0, with 2048 threads per multiprocessor. */
int
cuDeviceGetAttribute(int *value, int attribute, int device)
{
  *value = attribute == 75 ? 9 : attribute == 76 ? 0 : attribute == 39 ? 2048 : -1;
  return *value >= 0 ? device : INVALID;
}

int
cuModuleLoadData(void **module, const void *image)
{
  static const char elf[] = {0x7f, 'E', 'L', 'F'};
  has_fault = has_name(image, "fault_here");
  is_endless = has_name(image, "endless_here");
  is_wrong = has_name(image, "wrong_here");
  is_small = has_name(image, "small_here");
  if (has_name(image, "large_here"))
    geometry[0] = geometry[3] = 65536; /* their product is 0 in 32 bits */
  *module = module;
  memcpy(loaded, image, sizeof loaded);
  return memcmp(image, elf, sizeof elf) == 0 ? 0 : INVALID;
}

int
cuModuleGetFunction(void **function, void *module, const char *name)
{
  for (uintptr_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0 && has_name(loaded, name)) {
      *function = (void *)(i + 1);
      return module != NULL ? 0 : INVALID;
    }
  return NOT_FOUND;
}

int
cuModuleGetGlobal_v2(uint64_t *pointer, size_t *n, void *module, const char *name)
{
  const bool is_bank = strcmp(name, "bank") == 0 && has_name(loaded, "bank"),
             is_batches = strcmp(name, "debye_batches") == 0;
  *pointer = (uint64_t)(uintptr_t)(is_bank ? (void *)bank : is_batches ? batches : geometry);
  *n = is_bank ? (is_small ? 4000 : sizeof bank) : is_batches ? sizeof batches : sizeof geometry;
  return module != NULL && (is_bank || is_batches || strcmp(name, "debye_geometry") == 0) ? 0 : NOT_FOUND;
}

int
cuFuncGetAttribute(int *value, int attribute, void *function)
{
  *value = attribute == 4 ? 32 : 0;
  return function != NULL ? 0 : INVALID;
}

int
cuOccupancyMaxActiveBlocksPerMultiprocessor(int *n_blocks, void *function, int block, size_t shared)
{
  *n_blocks = 2048 / block;
  return function != NULL && shared == 0 ? 0 : INVALID;
}

/* A thread (x, y) of a grid of blocks, as in the source. */
static void
sum_point(void **arguments, int i, int j)
{
  float *energy = *(float **)arguments[0];
  const int nx = *(int *)arguments[1], ny = *(int *)arguments[2], n_atoms = *(int *)arguments[7];
  const float x = *(float *)arguments[3] * (float)i, y = *(float *)arguments[4] * (float)j,
              core2 = *(float *)arguments[8];
  float sum = 0.0f;
  if (i >= nx || j >= ny)
    return;
  for (int n = 0; n < n_atoms; n++) {
    const float dx = x - bank[4 * n], dy = y - bank[4 * n + 1];
    sum += bank[4 * n + 3] / sqrtf(fmaxf(dx * dx + dy * dy + bank[4 * n + 2], core2));
  }
  energy[j * nx + i] += is_wrong ? 2.0f * sum : sum;
}

/* Whether so many blocks are as many as n needs. */
static bool
covers(unsigned blocks, int each, int n)
{
  return blocks == (unsigned)((n + each - 1) / each);
}

#define AT(type, i) (*(type *)arguments[i])

/* FALSE: a grid is not what it should be. */
static bool
run_planes(uintptr_t function, const unsigned *grid, void **arguments)
{
  const int nx = AT(int, 1), ny = AT(int, 2), nz = AT(int, 3);
  if (!covers(grid[0], 16, nx) || !covers(grid[1], 16, ny) || (int)grid[2] != nz)
    return false;
  if (function == ORBITAL)
    compute_orbital(AT(float *, 0), nx, ny, nz, AT(float, 4), AT(float, 5), AT(float, 6), AT(float, 7),
                    AT(const float *, 8), AT(int, 9), AT(const int *, 10), AT(const int *, 11),
                    AT(const float *, 12), AT(const float *, 13), NULL, 0, 1);
  else
    sample_planes(AT(float *, 0), nx, ny, nz, AT(float, 4), AT(float, 5), AT(float, 6), AT(float, 7),
                  AT(float, 8), AT(int, 9), AT(const float *, 10), AT(const float *, 11), AT(int, 12),
                  AT(const int *, 13), AT(int, 14), AT(int, 15), AT(float, 16), AT(float, 17), 0, 1);
  return true;
}

static bool
run_voxels(const unsigned *grid, void **arguments)
{
  const int n_atoms = AT(int, 12), first = AT(int, 13), end = AT(int, 14);
  if (!covers(grid[0], 16, n_atoms) || (int)grid[1] != end - first || grid[2] != 1)
    return false;
  fill_voxels(AT(unsigned *, 0), AT(unsigned *, 1), AT(int, 2), AT(int, 3), AT(int, 4), AT(double, 5),
              AT(double, 6), AT(double, 7), AT(double, 8), AT(const float *, 9), AT(const float *, 10),
              AT(const float *, 11), n_atoms, first, end, 0, 1);
  return true;
}

static bool
run_series(uintptr_t function, const unsigned *grid, void **arguments)
{
  if (function == MULTIPLY) {
    const long n = AT(long, 1);
    multiply_series(AT(float *, 0), n, 0, 1);
    return grid[0] == (unsigned)((n + 255) / 256);
  }
  if (function == ADD) {
    add_series(AT(float *, 0), AT(const float *, 1), AT(int, 2), AT(int, 3), AT(int, 4), AT(int, 5), 0, 1);
    return covers(grid[0], 16, AT(int, 2)) && covers(grid[1], 16, AT(int, 3)) && grid[2] == 1;
  }
  compute_series(AT(float *, 0), AT(const float *, 1), AT(const float *, 2), AT(const float *, 3), AT(int, 4),
                 AT(int, 5), AT(const float *, 6), AT(int, 7), AT(int, 8), AT(int, 9), AT(int, 10), 0, 1);
  return covers(grid[0], 16, AT(int, 10)) && covers(grid[1], 16, AT(int, 7)) && (int)grid[2] == AT(int, 9);
}

int
cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
               unsigned shared, void *stream, void **arguments, void **extra)
{
  const unsigned grid[] = {gx, gy, gz};
  const uintptr_t number = (uintptr_t)function;
  if (number == 0 || bx != 16 || by != 16 || bz != 1 || shared != 0 || stream != NULL || extra != NULL)
    return INVALID;
  while (is_endless)
    pause();
  if (is_wrong && number != SLICE)
    return 0;
  if (number == ORBITAL || number == PLANES)
    return run_planes(number, grid, arguments) ? 0 : INVALID;
  if (number == VOXELS)
    return run_voxels(grid, arguments) ? 0 : INVALID;
  if (number != SLICE)
    return run_series(number, grid, arguments) ? 0 : INVALID;
  if (gz != 1)
    return INVALID;
  for (unsigned j = 0; j < gy * by; j++)
    for (unsigned i = 0; i < gx * bx; i++)
      sum_point(arguments, (int)i, (int)j);
  return 0;
}
