/* SPDX-License-Identifier: MIT */
/* What debye-kernel-runner may no longer do before it loads what somebody wrote. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Own process group, and an end with the program that started it; limits of
 * CPU time (s), memory (0: none) and files (bytes). */
void debye_runner_limit(unsigned seconds, uint64_t memory, uint64_t file);
/* Of memory that can be written, beside addresses that are only reserved, as CUDA's driver does (bytes). */
void debye_runner_limit_data(uint64_t n_bytes);
/* Files are only written below the working folder, and, with devices, those in /dev. FALSE: the kernel has no landlock. */
bool debye_runner_lock_files(bool has_devices);
/* No network, no other program, process or thread, no file opened for writing: such a call raises SIGSYS, in each of the
 * threads that there are. FALSE: the kernel has no seccomp. */
bool debye_runner_lock_calls(void);
/* No other program and no connection, for what CUDA's driver does beside a kernel on the GPU, which makes no system calls
 * itself. */
bool debye_runner_lock_programs(void);
