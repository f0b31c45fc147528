/* SPDX-License-Identifier: MIT */
/* Correlations of series on a GPU; its twin is cpu/scattering/correlation.c. */
#include "kernels/cuda/common/fourier.cuh"
#include "kernels/cuda/common/stream.cuh"
#include "kernels/scattering/correlation.h"

typedef struct {
  DebyeCorrelationSettings settings;
  int device;
  DebyeStream stream;
  size_t length; /* padded; n_frames where nothing is transformed */
  DebyeCudaFourier *fourier;
  double2 *a, *b; /* padded series */
  double2 *out;
} Plan;

static bool
transforms(const DebyeCorrelationSettings *settings)
{
  return settings->signal == DEBYE_SIGNAL_AUTOCORRELATE && !settings->direct;
}

static DebyeFourierSettings
transform_of(const DebyeCorrelationSettings *settings)
{
  DebyeFourierSettings transform = {};
  transform.double_precision = true;
  transform.shape[0] = debye_correlation_length(settings->n_frames);
  transform.shape[1] = transform.shape[2] = 1;
  transform.batch = settings->max_series;
  return transform;
}

static DebyeStatusCode
set_up(void *made, int device, const void *data, DebyeStatus *status)
{
  Plan *plan = (Plan *)made;
  const DebyeCorrelationSettings *settings = (const DebyeCorrelationSettings *)data;
  const DebyeStatusCode code = debye_correlation_settings_check(settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  plan->device = device;
  plan->settings = *settings;
  plan->length = transforms(settings) ? transform_of(settings).shape[0] : settings->n_frames;
  return code;
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  Plan *plan = (Plan *)made;
  const DebyeCorrelationSettings *settings = &plan->settings;
  const DebyeFourierSettings transform = transform_of(settings);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->a, settings->max_series * plan->length);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->b, settings->max_series * plan->length);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->out, settings->max_series * settings->n_frames);
  if (transforms(settings))
    debye_plan_memory_add_bytes(memory, debye_cuda_fourier_bytes(&transform));
}

static __device__ __forceinline__ double2
conjugate_product(double2 a, double2 b)
{
  return make_double2(a.x * b.x + a.y * b.y, a.x * b.y - a.y * b.x);
}

static __global__ void
multiply_values(double2 *a, const double2 *b, size_t n)
{
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    a[i] = conjugate_product(a[i], b[i]);
}

/* Of a series in y: its transform back, shared by the number of points and of pairs of times. */
static __global__ void
share_out(const double2 *correlation, size_t length, size_t n_frames, double2 *out)
{
  const size_t tau = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (tau >= n_frames)
    return;
  const double2 value = correlation[blockIdx.y * length + tau];
  const double share = 1.0 / ((double)(n_frames - tau) * (double)length);
  out[blockIdx.y * n_frames + tau] = make_double2(value.x * share, value.y * share);
}

static __global__ void
correlate_directly(const double2 *a, const double2 *b, size_t n_frames, double2 *out)
{
  const size_t tau = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (tau >= n_frames)
    return;
  const double2 *from = a + blockIdx.y * n_frames, *to = b + blockIdx.y * n_frames;
  double2 sum = make_double2(0.0, 0.0);
  for (size_t t = 0; t + tau < n_frames; t++) {
    const double2 product = conjugate_product(from[t], to[t + tau]);
    sum = make_double2(sum.x + product.x, sum.y + product.y);
  }
  const double share = 1.0 / (double)(n_frames - tau);
  out[blockIdx.y * n_frames + tau] = make_double2(sum.x * share, sum.y * share);
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  Plan *plan = (Plan *)made;
  const DebyeFourierSettings transform = transform_of(&plan->settings);
  debye_stream_open(&plan->stream);
  const DebyeStatusCode code = debye_stream_report(&plan->stream, "preparing correlations", status);
  return code == DEBYE_STATUS_OK && transforms(&plan->settings)
             ? debye_cuda_fourier_create(&transform, plan->stream.handle, &plan->fourier, status)
             : code;
}

static void
clear(void *made)
{
  Plan *plan = (Plan *)made;
  cudaSetDevice(plan->device);
  debye_cuda_fourier_destroy(plan->fourier);
  debye_stream_close(&plan->stream);
}

DEBYE_PLAN(Plan, debye_cuda_memory_source, .prepare = prepare, .clear = clear)

/* Series into rows of the padded length, zeros behind them. */
static void
upload(Plan *plan, const double *from, size_t n_series, double2 *to)
{
  const size_t row = plan->settings.n_frames * sizeof(double2), padded = plan->length * sizeof(double2);
  debye_stream_clear(&plan->stream, to, plan->settings.max_series * padded);
  if (debye_stream_is_good(&plan->stream))
    debye_stream_note(&plan->stream, cudaMemcpy2DAsync(to, padded, from, row, row, n_series,
                                                       cudaMemcpyHostToDevice, plan->stream.handle));
}

/* b is a's own where there is no other. */
static DebyeStatusCode
transform_and_multiply(Plan *plan, double2 *b, size_t n_series, DebyeStatus *status)
{
  DebyeStatusCode code = debye_cuda_fourier_forward(plan->fourier, plan->a, status);
  if (code == DEBYE_STATUS_OK && b != plan->a)
    code = debye_cuda_fourier_forward(plan->fourier, b, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  multiply_values<<<1024, 256, 0, plan->stream.handle>>>(plan->a, b, n_series * plan->length);
  return debye_cuda_fourier_backward(plan->fourier, plan->a, status);
}

/* *result: what is fetched. */
static DebyeStatusCode
process(Plan *plan, double2 *b, size_t n_series, const double2 **result, DebyeStatus *status)
{
  const size_t n_frames = plan->settings.n_frames;
  const dim3 blocks((unsigned)((n_frames + 127) / 128), (unsigned)n_series);
  *result = plan->settings.signal == DEBYE_SIGNAL_AUTOCORRELATE ? plan->out : plan->a;
  if (plan->settings.signal == DEBYE_SIGNAL_SQUARE) {
    multiply_values<<<1024, 256, 0, plan->stream.handle>>>(plan->a, b, n_series * n_frames);
  } else if (transforms(&plan->settings)) {
    const DebyeStatusCode code = transform_and_multiply(plan, b, n_series, status);
    if (code != DEBYE_STATUS_OK)
      return code;
    share_out<<<blocks, 128, 0, plan->stream.handle>>>(plan->a, plan->length, n_frames, plan->out);
  } else if (plan->settings.signal == DEBYE_SIGNAL_AUTOCORRELATE) {
    correlate_directly<<<blocks, 128, 0, plan->stream.handle>>>(plan->a, b, n_frames, plan->out);
  }
  debye_stream_note_launch(&plan->stream);
  return DEBYE_STATUS_OK;
}

/* Series of one launch: its grid counts them in 16 bits. */
#define MAX_SERIES 32768

static DebyeStatusCode
execute_some(Plan *plan, const double *a, const double *b, size_t n_series, double *out, DebyeStatus *status)
{
  const double2 *result;
  upload(plan, a, n_series, plan->a);
  if (b != NULL)
    upload(plan, b, n_series, plan->b);
  DebyeStatusCode code = debye_stream_report(&plan->stream, "copying series", status);
  if (code == DEBYE_STATUS_OK)
    code = process(plan, b != NULL ? plan->b : plan->a, n_series, &result, status);
  if (code != DEBYE_STATUS_OK) {
    debye_stream_wait(&plan->stream);
    return code;
  }
  debye_stream_download(&plan->stream, out, result, n_series * plan->settings.n_frames * sizeof(double2));
  return debye_stream_finish(&plan->stream, "correlating series", status);
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, const double *a, const double *b, size_t n_series, double *out,
        const volatile bool *cancel, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  const size_t values = 2 * plan->settings.n_frames;
  DebyeStatusCode code = debye_correlation_series_check(&plan->settings, a, b, n_series, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(cudaSetDevice(plan->device), "choosing the device", status);
  for (size_t done = 0; done < n_series && code == DEBYE_STATUS_OK; done += MAX_SERIES) {
    const size_t n = n_series - done < MAX_SERIES ? n_series - done : MAX_SERIES;
    if (debye_is_cancelled(cancel))
      return debye_status_set(status, DEBYE_STATUS_CANCELLED, "The correlation was stopped.");
    code = execute_some(plan, a + done * values, b != NULL ? b + done * values : NULL, n, out + done * values,
                        status);
  }
  return code;
}

extern "C" const DebyeCorrelationKernel debye_cuda_correlation = {
    .head = {bytes_needed, create, destroy},
    .execute = execute,
};
