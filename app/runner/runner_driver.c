/* SPDX-License-Identifier: MIT */
/* Opens CUDA's driver and NVRTC; called by runner_main.c and runner_cuda.c. */
#include "runner_driver.h"

#include <assert.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_TEXT ((size_t)4 << 20)
/* CUdevice_attribute */
#define CAPABILITY_MAJOR 75
#define CAPABILITY_MINOR 76

/* --- The driver --- */

bool
debye_runner_driver_open(DebyeCudaDriver *driver)
{
  /* In the order of the struct; with the numbers of the interfaces that its declarations have. */
  static const char *const names[] = {"cuInit",
                                      "cuDeviceGet",
                                      "cuDeviceGetAttribute",
                                      "cuDevicePrimaryCtxRetain",
                                      "cuCtxSetCurrent",
                                      "cuCtxSynchronize",
                                      "cuModuleLoadData",
                                      "cuModuleGetFunction",
                                      "cuModuleGetGlobal_v2",
                                      "cuMemGetAllocationGranularity",
                                      "cuMemAddressReserve",
                                      "cuMemCreate",
                                      "cuMemMap",
                                      "cuMemSetAccess",
                                      "cuMemcpyHtoD_v2",
                                      "cuMemcpyDtoH_v2",
                                      "cuMemcpyHtoDAsync_v2",
                                      "cuLaunchKernel",
                                      "cuEventCreate",
                                      "cuEventRecord",
                                      "cuEventElapsedTime",
                                      "cuFuncGetAttribute",
                                      "cuOccupancyMaxActiveBlocksPerMultiprocessor"};
  static_assert(sizeof *driver == sizeof names / sizeof *names * sizeof(void *), "a name for each member");
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  for (size_t i = 0; library != NULL && i < sizeof names / sizeof *names; i++) {
    void *found = dlsym(library, names[i]);
    if (found == NULL)
      return false;
    memcpy((char *)driver + i * sizeof found, &found, sizeof found);
  }
  return library != NULL && driver->Init(0) == 0;
}

bool
debye_runner_driver_find_architecture(int ordinal, char architecture[16])
{
  DebyeCudaDriver driver;
  int device = 0, major = 0, minor = 0;
  if (!debye_runner_driver_open(&driver) || driver.DeviceGet(&device, ordinal) != 0 ||
      driver.DeviceGetAttribute(&major, CAPABILITY_MAJOR, device) != 0 ||
      driver.DeviceGetAttribute(&minor, CAPABILITY_MINOR, device) != 0)
    return false;
  snprintf(architecture, 16, "sm_%d%d", major, minor);
  return true;
}

/* --- cuFFT --- */

bool
debye_runner_cufft_open(DebyeCudaFourier *fourier)
{
  static const char *const names[] = {"libcufft.so.12",
                                      "libcufft.so.11",
                                      "libcufft.so.10",
                                      "libcufft.so",
                                      "/usr/local/cuda/lib64/libcufft.so",
                                      "/opt/cuda/lib64/libcufft.so"};
  void *library = NULL;
  for (size_t i = 0; library == NULL && i < sizeof names / sizeof *names; i++)
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL)
    return false;
  /* ISO C converts no object's pointer to a function's; POSIX has it so. */
  *(void **)&fourier->PlanMany = dlsym(library, "cufftPlanMany");
  *(void **)&fourier->Exec = dlsym(library, "cufftExecC2C");
  return fourier->PlanMany != NULL && fourier->Exec != NULL;
}

/* --- NVRTC --- */

typedef struct NvrtcProgram *NvrtcHandle;

static struct {
  int (*CreateProgram)(NvrtcHandle *program, const char *text, const char *name, int n_headers,
                       const char *const *headers, const char *const *include_names);
  int (*CompileProgram)(NvrtcHandle program, int n_options, const char *const *options);
  int (*GetProgramLogSize)(NvrtcHandle program, size_t *n_bytes);
  int (*GetProgramLog)(NvrtcHandle program, char *log);
  int (*GetCUBINSize)(NvrtcHandle program, size_t *n_bytes);
  int (*GetCUBIN)(NvrtcHandle program, char *cubin);
} nvrtc;

static void *
open_nvrtc(void)
{
  static const char *const names[] = {"libnvrtc.so.13",
                                      "libnvrtc.so.12",
                                      "libnvrtc.so.11.2",
                                      "libnvrtc.so",
                                      "/usr/local/cuda/lib64/libnvrtc.so",
                                      "/opt/cuda/lib64/libnvrtc.so"};
  void *library = NULL;
  for (size_t i = 0; library == NULL && i < sizeof names / sizeof *names; i++)
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  return library;
}

bool
debye_runner_nvrtc_open(void)
{
  static const char *const names[] = {"nvrtcCreateProgram", "nvrtcCompileProgram", "nvrtcGetProgramLogSize",
                                      "nvrtcGetProgramLog", "nvrtcGetCUBINSize",   "nvrtcGetCUBIN"};
  static_assert(sizeof nvrtc == sizeof names / sizeof *names * sizeof(void *), "a name for each member");
  void *library = open_nvrtc();
  for (size_t i = 0; library != NULL && i < sizeof names / sizeof *names; i++) {
    void *found = dlsym(library, names[i]);
    if (found == NULL)
      return false;
    memcpy((char *)&nvrtc + i * sizeof found, &found, sizeof found);
  }
  return library != NULL;
}

static char *
read_text(const char *path)
{
  char *text = calloc(MAX_TEXT + 1, 1);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  size_t n = 0;
  ssize_t got = 1;
  for (; text != NULL && file >= 0 && n < MAX_TEXT && got > 0; n += (size_t)got)
    got = read(file, text + n, MAX_TEXT - n);
  if (file >= 0)
    close(file);
  return text;
}

static bool
write_all(int file, const char *from, size_t n)
{
  ssize_t done = 1;
  for (; n > 0 && done > 0; from += done, n -= (size_t)done)
    done = write(file, from, n);
  return done > 0;
}

static void
write_log(NvrtcHandle program, int messages)
{
  size_t n = 0;
  char *log = nvrtc.GetProgramLogSize(program, &n) == 0 ? calloc(n + 1, 1) : NULL;
  if (log != NULL && nvrtc.GetProgramLog(program, log) == 0)
    write_all(messages, log, strlen(log));
  free(log);
}

static bool
write_cubin(NvrtcHandle program)
{
  size_t n = 0;
  char *cubin = nvrtc.GetCUBINSize(program, &n) == 0 ? calloc(n + 1, 1) : NULL;
  const int file = open("kernel.cubin", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const bool ok =
      cubin != NULL && file >= 0 && nvrtc.GetCUBIN(program, cubin) == 0 && write_all(file, cubin, n);
  if (file >= 0)
    close(file);
  free(cubin);
  return ok;
}

int
debye_runner_nvrtc_compile(char **flags, int n_flags, int messages)
{
  NvrtcHandle program = NULL;
  char *text = read_text("unit.cu");
  int status = 2;
  if (text != NULL && nvrtc.CreateProgram(&program, text, "source.cu", 0, NULL, NULL) == 0) {
    const bool is_compiled =
        nvrtc.CompileProgram(program, n_flags, (const char *const *)(const void *)flags) == 0;
    write_log(program, messages);
    status = !is_compiled ? 1 : write_cubin(program) ? 0 : 2;
  }
  free(text);
  return status;
}
