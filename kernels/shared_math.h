/* SPDX-License-Identifier: MIT */
/* How a function is declared of which C and CUDA have one copy. */
#pragma once

#ifdef __CUDACC__
#define DEBYE_SHARED_MATH static __host__ __device__ __forceinline__
#else
#define DEBYE_SHARED_MATH static inline __attribute__((always_inline))
#endif
