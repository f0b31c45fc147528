/* SPDX-License-Identifier: MIT */
/* Memory on the device that grows where a frame needs more. */
#pragma once

#include "device.cuh"

typedef struct {
  void *memory;
  size_t bytes;
} DebyeDeviceArray;

/* Makes room; what the array held is lost where it grows, and *grew, where not NULL, says so. */
cudaError_t debye_device_array_reserve(DebyeDeviceArray *array, size_t bytes, bool *grew);
/* Makes room and puts a copy of the host's memory into the stream. */
cudaError_t debye_device_array_upload(DebyeDeviceArray *array, const void *from, size_t bytes,
                                      cudaStream_t stream);
void debye_device_array_clear(DebyeDeviceArray *array);
