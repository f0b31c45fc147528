/* SPDX-License-Identifier: MIT */
/* Fourier transforms through cuFFT, opened at run time; its twin is cpu/common/fourier.c. */
#include "fourier.cuh"

#include <cufft.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* The functions of cuFFT that are used, by the types of its own header. */
struct Library {
  decltype(&cufftCreate) create;
  decltype(&cufftDestroy) destroy;
  decltype(&cufftSetAutoAllocation) set_auto_allocation;
  decltype(&cufftMakePlanMany64) make_plan;
  decltype(&cufftSetWorkArea) set_work_area;
  decltype(&cufftSetStream) set_stream;
  decltype(&cufftExecC2C) complex_float;
  decltype(&cufftExecR2C) forward_float;
  decltype(&cufftExecC2R) backward_float;
  decltype(&cufftExecZ2Z) complex_double;
  decltype(&cufftExecD2Z) forward_double;
  decltype(&cufftExecZ2D) backward_double;
};

struct DebyeCudaFourier {
  DebyeFourierSettings settings;
  Library library;
  cufftHandle forward, backward; /* of complex values one does both */
  void *work;
};

/* By name, as the system finds libraries; else where CUDA installs itself. */
static void *
open_library(char *reason, size_t size)
{
  static const char *const names[] = {"libcufft.so.12", "libcufft.so.11",
                                      "/usr/local/cuda/lib64/libcufft.so.12",
                                      "/usr/local/cuda/lib64/libcufft.so.11"};
  reason[0] = '\0';
  for (const char *name : names) {
    /* Never unloaded: loading takes longer than any transform. */
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library != NULL)
      return library;
    if (reason[0] == '\0') {
      strncpy(reason, dlerror(), size - 1);
      reason[size - 1] = '\0';
    }
  }
  return NULL;
}

template <class Function>
static bool
find(void *library, const char *name, Function *function)
{
  *function = reinterpret_cast<Function>(dlsym(library, name));
  return *function != NULL;
}

static DebyeStatusCode
load_library(Library *library, DebyeStatus *status)
{
  char reason[160];
  void *handle = open_library(reason, sizeof reason);
  if (handle == NULL)
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED,
                            "Fourier transforms on a GPU need cuFFT, which can't be opened: %.150s.", reason);
  const bool all = find(handle, "cufftCreate", &library->create) &&
                   find(handle, "cufftDestroy", &library->destroy) &&
                   find(handle, "cufftSetAutoAllocation", &library->set_auto_allocation) &&
                   find(handle, "cufftMakePlanMany64", &library->make_plan) &&
                   find(handle, "cufftSetWorkArea", &library->set_work_area) &&
                   find(handle, "cufftSetStream", &library->set_stream) &&
                   find(handle, "cufftExecC2C", &library->complex_float) &&
                   find(handle, "cufftExecR2C", &library->forward_float) &&
                   find(handle, "cufftExecC2R", &library->backward_float) &&
                   find(handle, "cufftExecZ2Z", &library->complex_double) &&
                   find(handle, "cufftExecD2Z", &library->forward_double) &&
                   find(handle, "cufftExecZ2D", &library->backward_double);
  dlclose(handle);
  if (!all)
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED,
                            "The cuFFT library that was found lacks a function: it is too old.");
  return debye_status_ok(status);
}

static DebyeStatusCode
fourier_status(cufftResult result, const char *what, DebyeStatus *status)
{
  if (result == CUFFT_SUCCESS)
    return debye_status_ok(status);
  DebyeStatusCode code = result == CUFFT_ALLOC_FAILED ? DEBYE_STATUS_NO_MEMORY : DEBYE_STATUS_DEVICE_FAILED;
  return debye_status_set(status, code, "cuFFT failed while %s: error %d.", what, (int)result);
}

/* Planning. */

static cufftType
type_of(const DebyeFourierSettings *settings, bool forward)
{
  if (!settings->real)
    return settings->double_precision ? CUFFT_Z2Z : CUFFT_C2C;
  if (forward)
    return settings->double_precision ? CUFFT_D2Z : CUFFT_R2C;
  return settings->double_precision ? CUFFT_Z2D : CUFFT_C2R;
}

static cufftResult
make_plan(DebyeCudaFourier *fourier, bool forward, cufftHandle *plan, size_t *work_bytes)
{
  const DebyeFourierSettings *settings = &fourier->settings;
  const int rank = settings->shape[2] > 1 ? 3 : settings->shape[1] > 1 ? 2 : 1;
  /* The slowest axis first. */
  long long length[3];
  for (int axis = 0; axis < rank; axis++)
    length[axis] = (long long)settings->shape[rank - 1 - axis];
  cufftResult result = fourier->library.create(plan);
  if (result == CUFFT_SUCCESS)
    result = fourier->library.set_auto_allocation(*plan, 0);
  size_t bytes = 0;
  if (result == CUFFT_SUCCESS)
    result = fourier->library.make_plan(*plan, rank, length, NULL, 1, 0, NULL, 1, 0,
                                        type_of(settings, forward), (long long)settings->batch, &bytes);
  *work_bytes = bytes > *work_bytes ? bytes : *work_bytes;
  return result;
}

/* Both directions work in the same memory, one after the other. */
static DebyeStatusCode
make_plans(DebyeCudaFourier *fourier, cudaStream_t stream, DebyeStatus *status)
{
  const bool two = fourier->settings.real;
  size_t work_bytes = 0;
  cufftResult result = make_plan(fourier, true, &fourier->forward, &work_bytes);
  if (result == CUFFT_SUCCESS && two)
    result = make_plan(fourier, false, &fourier->backward, &work_bytes);
  if (result != CUFFT_SUCCESS)
    return fourier_status(result, "planning", status);
  cudaError_t error = cudaMalloc(&fourier->work, work_bytes > 0 ? work_bytes : 1);
  if (error != cudaSuccess)
    return debye_cuda_status(error, "planning a Fourier transform", status);
  for (cufftHandle plan : {fourier->forward, two ? fourier->backward : fourier->forward}) {
    if (result == CUFFT_SUCCESS)
      result = fourier->library.set_work_area(plan, fourier->work);
    if (result == CUFFT_SUCCESS)
      result = fourier->library.set_stream(plan, stream);
  }
  return fourier_status(result, "planning", status);
}

DebyeStatusCode
debye_cuda_fourier_create(const DebyeFourierSettings *settings, cudaStream_t stream,
                          DebyeCudaFourier **fourier, DebyeStatus *status)
{
  *fourier = NULL;
  if (debye_fourier_check(settings, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  DebyeCudaFourier *made = (DebyeCudaFourier *)calloc(1, sizeof *made);
  if (made == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a plan.");
  made->settings = *settings;
  made->forward = made->backward = CUFFT_PLAN_NULL;
  DebyeStatusCode code = load_library(&made->library, status);
  if (code == DEBYE_STATUS_OK)
    code = make_plans(made, stream, status);
  if (code != DEBYE_STATUS_OK) {
    debye_cuda_fourier_destroy(made);
    return code;
  }
  *fourier = made;
  return DEBYE_STATUS_OK;
}

void
debye_cuda_fourier_destroy(DebyeCudaFourier *fourier)
{
  if (fourier == NULL)
    return;
  if (fourier->forward != CUFFT_PLAN_NULL)
    fourier->library.destroy(fourier->forward);
  if (fourier->backward != CUFFT_PLAN_NULL)
    fourier->library.destroy(fourier->backward);
  cudaFree(fourier->work);
  cudaGetLastError();
  free(fourier);
}

uint64_t
debye_cuda_fourier_bytes(const DebyeFourierSettings *settings)
{
  const size_t value = settings->double_precision ? sizeof(double) : sizeof(float);
  return 2 * value * (uint64_t)debye_fourier_n_complex(settings);
}

/* Executing. */

static DebyeStatusCode
transform(DebyeCudaFourier *fourier, void *data, int direction, DebyeStatus *status)
{
  const Library *library = &fourier->library;
  cufftResult result;
  if (fourier->settings.double_precision)
    result = library->complex_double(fourier->forward, (cufftDoubleComplex *)data, (cufftDoubleComplex *)data,
                                     direction);
  else
    result = library->complex_float(fourier->forward, (cufftComplex *)data, (cufftComplex *)data, direction);
  return fourier_status(result, "transforming", status);
}

DebyeStatusCode
debye_cuda_fourier_forward(DebyeCudaFourier *fourier, void *data, DebyeStatus *status)
{
  return transform(fourier, data, CUFFT_FORWARD, status);
}

DebyeStatusCode
debye_cuda_fourier_backward(DebyeCudaFourier *fourier, void *data, DebyeStatus *status)
{
  return transform(fourier, data, CUFFT_INVERSE, status);
}

DebyeStatusCode
debye_cuda_fourier_real_forward(DebyeCudaFourier *fourier, void *real, void *complex_values,
                                DebyeStatus *status)
{
  const Library *library = &fourier->library;
  cufftResult result;
  if (fourier->settings.double_precision)
    result = library->forward_double(fourier->forward, (cufftDoubleReal *)real,
                                     (cufftDoubleComplex *)complex_values);
  else
    result = library->forward_float(fourier->forward, (cufftReal *)real, (cufftComplex *)complex_values);
  return fourier_status(result, "transforming", status);
}

DebyeStatusCode
debye_cuda_fourier_real_backward(DebyeCudaFourier *fourier, void *complex_values, void *real,
                                 DebyeStatus *status)
{
  const Library *library = &fourier->library;
  cufftResult result;
  if (fourier->settings.double_precision)
    result = library->backward_double(fourier->backward, (cufftDoubleComplex *)complex_values,
                                      (cufftDoubleReal *)real);
  else
    result = library->backward_float(fourier->backward, (cufftComplex *)complex_values, (cufftReal *)real);
  return fourier_status(result, "transforming", status);
}
