/* SPDX-License-Identifier: MIT */
/* The parts of CUDA's driver and of NVRTC that debye-kernel-runner calls, found by dlopen: it is built without CUDA. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t DebyeCudaPointer;
typedef struct DebyeCudaOpaque *DebyeCudaHandle; /* context, module, function, event */

/* CUmemAllocationProp, CUmemAccessDesc of cuda.h */
typedef struct {
  int type, handle_types;
  int location_type, location_id;
  void *metadata;
  unsigned char flags[8];
} DebyeCudaAllocation;

typedef struct {
  int location_type, location_id, flags;
} DebyeCudaAccess;

/* The functions' names without "cu"; each returns a CUresult, 0 for success. */
typedef struct {
  int (*Init)(unsigned);
  int (*DeviceGet)(int *device, int ordinal);
  int (*DeviceGetAttribute)(int *value, int attribute, int device);
  int (*DevicePrimaryCtxRetain)(DebyeCudaHandle *context, int device);
  int (*CtxSetCurrent)(DebyeCudaHandle context);
  int (*CtxSynchronize)(void);
  int (*ModuleLoadData)(DebyeCudaHandle *module, const void *image);
  int (*ModuleGetFunction)(DebyeCudaHandle *function, DebyeCudaHandle module, const char *name);
  int (*ModuleGetGlobal)(DebyeCudaPointer *pointer, size_t *n_bytes, DebyeCudaHandle module,
                         const char *name);
  int (*MemGetAllocationGranularity)(size_t *n_bytes, const DebyeCudaAllocation *allocation, int option);
  int (*MemAddressReserve)(DebyeCudaPointer *pointer, size_t n_bytes, size_t alignment,
                           DebyeCudaPointer address, uint64_t flags);
  int (*MemCreate)(uint64_t *handle, size_t n_bytes, const DebyeCudaAllocation *allocation, uint64_t flags);
  int (*MemMap)(DebyeCudaPointer pointer, size_t n_bytes, size_t offset, uint64_t handle, uint64_t flags);
  int (*MemSetAccess)(DebyeCudaPointer pointer, size_t n_bytes, const DebyeCudaAccess *access, size_t n);
  int (*MemcpyHtoD)(DebyeCudaPointer to, const void *from, size_t n_bytes);
  int (*MemcpyDtoH)(void *to, DebyeCudaPointer from, size_t n_bytes);
  int (*MemcpyHtoDAsync)(DebyeCudaPointer to, const void *from, size_t n_bytes, DebyeCudaHandle stream);
  int (*LaunchKernel)(DebyeCudaHandle function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                      unsigned shared_bytes, DebyeCudaHandle stream, void **arguments, void **extra);
  int (*EventCreate)(DebyeCudaHandle *event, unsigned flags);
  int (*EventRecord)(DebyeCudaHandle event, DebyeCudaHandle stream);
  int (*EventElapsedTime)(float *milliseconds, DebyeCudaHandle begin, DebyeCudaHandle end);
  int (*FuncGetAttribute)(int *value, int attribute, DebyeCudaHandle function);
  int (*OccupancyMaxActiveBlocksPerMultiprocessor)(int *n_blocks, DebyeCudaHandle function, int block_size,
                                                   size_t shared_bytes);
} DebyeCudaDriver;

/* The part of cuFFT that is called; each returns a cufftResult, 0 for success. */
typedef struct {
  int (*PlanMany)(int *plan, int rank, int *n, int *in_embed, int in_stride, int in_apart, int *out_embed,
                  int out_stride, int out_apart, int type, int batch);
  int (*Exec)(int plan, void *in, void *out, int direction);
} DebyeCudaFourier;

/* FALSE: there is no cuFFT. */
bool debye_runner_cufft_open(DebyeCudaFourier *fourier);
/* FALSE: there is no driver, or it is older than what is called. */
bool debye_runner_driver_open(DebyeCudaDriver *driver);
/* "sm_90", of this device; FALSE: there is none. */
bool debye_runner_driver_find_architecture(int ordinal, char architecture[16]);

/* Compiles the text of `unit.cu` with NVRTC into `kernel.cubin`, what it says into the file `messages`. `flags` are given to
 * it as they are. DEBYE_RUNNER_NO_NVRTC, 0 (done), 1 (an error of the source) or 2. */
#define DEBYE_RUNNER_NO_NVRTC 3
int debye_runner_nvrtc_compile(char **flags, int n_flags, int messages);
/* Opens NVRTC and reads the text, before files are locked. */
bool debye_runner_nvrtc_open(void);
