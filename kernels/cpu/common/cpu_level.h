/* SPDX-License-Identifier: MIT */
/* Names of what the build compiles once per instruction set (kernels/meson.build). There DEBYE_LEVEL is
 * portable, avx2 or avx512 and the compiler may use those instructions anywhere in the file; so such a file
 * defines one constant table of functions and nothing else that another file could call. Sources of both
 * precisions are compiled with REAL as float and as double, too. */
#pragma once

#include <stdbool.h>

#include "cpu_settings.h"

#define DEBYE_JOIN_(a, b) a##_##b
#define DEBYE_JOIN(a, b) DEBYE_JOIN_(a, b)
/* name_float or name_double. */
#define DEBYE_OF_REAL(name) DEBYE_JOIN(name, REAL)
/* name_avx2, or with a precision name_float_avx2. */
#ifdef REAL
#define DEBYE_AT_LEVEL(name) DEBYE_JOIN(DEBYE_OF_REAL(name), DEBYE_LEVEL)
#else
#define DEBYE_AT_LEVEL(name) DEBYE_JOIN(name, DEBYE_LEVEL)
#endif

#if defined(__x86_64__)
#define DEBYE_DECLARE_EACH_LEVEL(Type, name) extern const Type name##_portable, name##_avx2, name##_avx512;
#define DEBYE_CHOOSE_LEVEL(name, level) \
  ((level) == DEBYE_CPU_AVX512 ? &name##_avx512 : (level) == DEBYE_CPU_AVX2 ? &name##_avx2 : &name##_portable)
#else
#define DEBYE_DECLARE_EACH_LEVEL(Type, name) extern const Type name##_portable;
#define DEBYE_CHOOSE_LEVEL(name, level) ((void)(level), &name##_portable)
#endif

/* const Type *name(level): the table of an instruction set. */
#define DEBYE_DECLARE_LEVELS(Type, name)              \
  DEBYE_DECLARE_EACH_LEVEL(Type, name)                \
  static inline const Type *name(DebyeCpuLevel level) \
  {                                                   \
    return DEBYE_CHOOSE_LEVEL(name, level);           \
  }
/* const Type *name(level, double_precision). */
#define DEBYE_DECLARE_PRECISIONS(Type, name)                                 \
  DEBYE_DECLARE_EACH_LEVEL(Type, name##_float)                               \
  DEBYE_DECLARE_EACH_LEVEL(Type, name##_double)                              \
  static inline const Type *name(DebyeCpuLevel level, bool double_precision) \
  {                                                                          \
    return double_precision ? DEBYE_CHOOSE_LEVEL(name##_double, level)       \
                            : DEBYE_CHOOSE_LEVEL(name##_float, level);       \
  }
