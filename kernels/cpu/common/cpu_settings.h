/* SPDX-License-Identifier: MIT */
/* The CPU's instruction set and how many of its threads plans use. Every kernel of this back end asks it. */
#pragma once

/* Ordered: each can do what those before it can. */
typedef enum {
  DEBYE_CPU_PORTABLE,
  DEBYE_CPU_AVX2,
  DEBYE_CPU_AVX512,
} DebyeCpuLevel;

/* What this CPU can do, or the lower level that debye_cpu_set_level asked for. */
DebyeCpuLevel debye_cpu_get_level(void);
/* "AVX2"; for the portable one "any CPU". */
const char *debye_cpu_level_get_name(DebyeCpuLevel level);
/* For tests: pretend that the CPU can't do more than this. */
void debye_cpu_set_level(DebyeCpuLevel level);

/* Threads of plans made from now on; 0: as many as there are cores. */
void debye_cpu_set_threads(unsigned threads);
unsigned debye_cpu_get_threads(void);
/* Threads of a new plan if the host threads of other devices need `spare_cores` cores. */
unsigned debye_cpu_threads_beside(unsigned spare_cores);
