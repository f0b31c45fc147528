/* SPDX-License-Identifier: MIT */
/* The memory that this process may take: of the machine, and of the control groups that it is in (containers
 * and a cluster's jobs), where that is less; and the size of its pages. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Asks that a large block, of 16 MB and more, which nobody has touched yet come in large pages where the system has them: to enter
 * small ones, one after the other, takes a quarter of a millisecond per MB. */
void debye_host_memory_prefer_large_pages(void *block, size_t bytes);

/* Bytes that can be taken now without swapping: what is free, and the files' copies that would go first. */
uint64_t debye_host_memory_available(void);

/* Bytes that the control groups leave, of version 2 and 1: the least of limit − use over the process's own
 * group and those around it, copies of files that are long unused not counted as used. UINT64_MAX: no limit.
 * `membership` is /proc/self/cgroup and `root` /sys/fs/cgroup, but in tests. */
uint64_t debye_host_memory_left_in_groups(const char *membership, const char *root);
