/* SPDX-License-Identifier: MIT */
/* How functions are declared that C and CUDA share: those of which each has a copy, and those of C that CUDA calls. */
#pragma once

#ifdef __CUDACC__
#define DEBYE_SHARED_MATH static __host__ __device__ __forceinline__
#else
#define DEBYE_SHARED_MATH static inline __attribute__((always_inline))
#endif

#ifdef __cplusplus
#define DEBYE_BEGIN_DECLS extern "C" {
#define DEBYE_END_DECLS }
#else
#define DEBYE_BEGIN_DECLS
#define DEBYE_END_DECLS
#endif
